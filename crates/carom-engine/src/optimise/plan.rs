//! What is asked of the optimiser besides the problem, and what comes out.

use std::cell::RefCell;
use std::rc::Rc;

use carom_gap::Pose;

use super::guess::Guess;
use super::layers::OuterLayer;
use super::meeting::Touch;
use super::nlp::SolverSettings;
use super::status::{Optimality, Status};
use super::warm::Warm;

/// How a problem is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Tolerance and limits of the solver, over all rounds.
    pub solver: SolverSettings,
    /// Most rounds with a growing working set.
    pub max_rounds: usize,
    /// Overlap that counts as touching, in lengths of the problem (its way or its largest body).
    pub overlap_tolerance: f64,
    /// Searches that begin at once: the first at the guess, the others at guesses moved by seeded
    /// random numbers. The best plan is taken.
    pub starts: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            solver: SolverSettings::default(),
            max_rounds: 30,
            overlap_tolerance: 5e-9,
            starts: 1,
        }
    }
}

/// How far the optimiser is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Round, counted from one.
    pub round: usize,
    /// Iterations of all rounds.
    pub iteration: usize,
    /// Objective.
    pub objective: f64,
    /// Largest violation of a row, scaled.
    pub violation: f64,
}

/// Sees the progress; answers whether to go on.
pub type Observer = Rc<RefCell<dyn FnMut(&Progress) -> bool>>;

/// A row that is violated, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// What is violated, such as "final orientation of body green".
    pub what: String,
    /// By how much, in the row's own unit.
    pub amount: f64,
}

/// A contact that was closed in a plan, node by node.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldContact {
    /// What touches.
    pub what: String,
    /// The nodes it is closed from and to.
    pub nodes: [usize; 2],
    /// Impulse along the normal at every node from the first on, in N s: what the contact gives about
    /// that node.
    pub normal: Vec<f64>,
    /// Size of the impulse across it.
    pub across: Vec<f64>,
}

/// Something that happens at a contact by plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedContact {
    /// What happens.
    pub kind: Touch,
    /// The node it happens at.
    pub node: usize,
    /// When, in s.
    pub time: f64,
    /// What touches.
    pub what: String,
    /// Its impulse, in N s (on the coordinate of a joint for its limit).
    pub impulse: f64,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How it ended.
    pub status: Status,
    /// Pose of every body at every node.
    pub poses: Vec<Vec<Pose>>,
    /// Contacts that were planned: impacts, what sticks, what is let go.
    pub contacts: Vec<PlannedContact>,
    /// Contacts that are closed, with their impulses.
    pub held: Vec<HeldContact>,
    /// Controls of every step.
    pub controls: Vec<Vec<f64>>,
    /// Size of every step.
    pub steps: Vec<f64>,
    /// Time scale of every phase.
    pub scales: Vec<f64>,
    /// Numbers of the model that were found, by name.
    pub parameters: Vec<(String, f64)>,
    /// Joint velocities at every node.
    pub rates: Vec<Vec<f64>>,
    /// Objective.
    pub objective: f64,
    /// Objective of the guess.
    pub objective_guess: f64,
    /// Iterations of all rounds.
    pub iterations: usize,
    /// Rounds made.
    pub rounds: usize,
    /// How the outer layer ended, where collision states and times are one of their own.
    pub outer: Option<OuterLayer>,
    /// Whether bodies are kept apart by planes of whole steps, because planes of single nodes led nowhere.
    pub whole_steps: bool,
    /// Unknowns, rows and entries of the Jacobian in the last round.
    pub size: [usize; 3],
    /// What the conditions of optimality leave.
    pub optimality: Optimality,
    /// Largest violation of a row, in its own unit.
    pub violation: f64,
    /// The worst violated rows at the end, and in the guess.
    pub worst: Vec<Violation>,
    /// Those of the guess.
    pub worst_guess: Vec<Violation>,
    /// Largest residual of the balance of momentum, linear and angular.
    pub momentum_residual: f64,
    /// Largest overlap at the nodes and between them, whether bodies were to stay apart or not.
    pub overlap: f64,
    /// Pairs that hold each other off, and limits of rotations: name of the row and multiplier, largest
    /// first.
    pub active: Vec<(String, f64)>,
    /// Why there is no plan, as far as it is known.
    pub reasons: Vec<String>,
    /// Length that the problem is measured in, in m.
    pub length: f64,
    /// How all searches ended and with which objective, best first, if there were several.
    pub starts: Vec<(Status, f64)>,
    /// Sequences of contacts that were looked at, best first, if there was a choice; the plan is that of
    /// the first.
    pub sequences: Vec<Candidate>,
    /// Multipliers and rows, to go on from.
    pub warm: Warm,
    /// The guess it began with.
    pub guess: Guess,
    /// Wall time in s.
    pub seconds: f64,
}

impl Plan {
    /// Total time.
    pub fn time(&self) -> f64 {
        self.steps.iter().sum()
    }

    /// As a guess for another problem on the same grid, with its multipliers.
    pub fn to_guess(&self) -> Guess {
        Guess {
            poses: self.poses.clone(),
            controls: self.controls.clone(),
            scales: self.scales.clone(),
            parameters: self.parameters.iter().map(|p| p.1).collect(),
            known: Some(self.warm.clone()),
        }
    }

    /// Joint velocities at the start.
    pub fn start_rates(&self) -> &[f64] {
        &self.rates[0]
    }
}

/// What came of a sequence.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its contacts in words.
    pub contacts: Vec<String>,
    /// Which of the contacts to choose from they are.
    pub sequence: Vec<usize>,
    /// Objective on the coarse grid, without avoidance; none where that has no plan.
    pub coarse: Option<f64>,
    /// Objective of the plan; none where it was not made or there is none.
    pub objective: Option<f64>,
    /// How it ended: a status, or why it was left out.
    pub outcome: String,
}
