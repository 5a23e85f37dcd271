//! Where a round or a search ended.

use std::cell::RefCell;
use std::rc::Rc;

use carom_gap::Pose;

use super::corner::Stand;
use super::guess::Guess;
use super::layers::OuterLayer;
use super::nlp::{Nlp, NlpSolver, Solution, SolverStatus};
use super::plan::{HeldContact, PlannedContact, Violation};
use super::program::Program;
use super::rows::turn::MOST_TURN;
use super::status::{Optimality, Status};
use crate::contact::Pair;

/// Where a search ended.
pub(crate) struct Found {
    pub status: Status,
    pub optimality: Optimality,
    pub poses: Vec<Vec<Pose>>,
    pub contacts: Vec<PlannedContact>,
    pub held: Vec<HeldContact>,
    pub controls: Vec<Vec<f64>>,
    pub steps: Vec<f64>,
    pub scales: Vec<f64>,
    pub parameters: Vec<f64>,
    pub rates: Vec<Vec<f64>>,
    pub objective: f64,
    pub objective_start: f64,
    pub size: [usize; 3],
    pub violation: f64,
    pub worst: Vec<Violation>,
    pub worst_start: Vec<Violation>,
    pub momentum_residual: f64,
    pub active: Vec<(String, f64)>,
    pub at_bounds: Vec<String>,
    pub overlap: Option<f64>,
    /// How the outer of two layers ended.
    pub outer: Option<OuterLayer>,
    /// Whether planes of whole steps kept bodies apart, because those of single nodes led nowhere.
    pub whole_steps: bool,
    pub solver: SolverStatus,
    pub program: Rc<RefCell<Program>>,
    pub solution: Solution,
}

impl Found {
    /// Pairs that touch by plan, with the nodes where they do.
    pub fn met(&self) -> Vec<(Pair, usize)> {
        let program = self.program.borrow();
        program.transcription.path.layout.met.clone()
    }

    /// Where laws with corners stand.
    pub fn stands(&self) -> Vec<Stand> {
        self.stands_at(&self.solution.x)
    }

    /// The same where the search began.
    pub fn stands_at_start(&self) -> Vec<Stand> {
        let start = self.program.borrow().start();
        self.stands_at(&start)
    }

    fn stands_at(&self, x: &[f64]) -> Vec<Stand> {
        let mut program = self.program.borrow_mut();
        let x = program.unscaled(x);
        program.transcription.stands(&x)
    }

    /// Unknowns of a node and the step after it.
    pub fn stride(&self) -> usize {
        let program = self.program.borrow();
        let layout = &program.transcription.path.layout;
        layout.n + layout.nc
    }

    /// As a guess for the next round.
    pub fn guess(&self) -> Guess {
        Guess {
            poses: self.poses.clone(),
            controls: self.controls.clone(),
            scales: self.scales.clone(),
            parameters: self.parameters.clone(),
            known: None,
        }
    }

    /// A guess a little down from a saddle, if this is one; says how many ways down there are.
    pub fn descent(&self, solver: &dyn NlpSolver, size: f64) -> Option<(usize, Guess)> {
        let program: Rc<RefCell<dyn Nlp>> = self.program.clone();
        let Solution { x, multipliers, .. } = &self.solution;
        let descent = solver.descent(&program, x, multipliers)?;
        let mut program = self.program.borrow_mut();
        let bounds = program.bounds();
        let largest = descent
            .direction
            .iter()
            .fold(0.0_f64, |m, d| m.max(d.abs()));
        let moved: Vec<f64> = (x.iter().zip(&descent.direction).zip(&bounds))
            .map(|((x, d), [low, high])| (x + size * d / largest).clamp(*low, *high))
            .collect();
        let moved = program.unscaled(&moved);
        let t = &mut program.transcription.path;
        t.refresh(&moved, false);
        let steps = t.layout.grid.len();
        let guess = Guess {
            poses: t.nodes().iter().map(|n| n.poses.clone()).collect(),
            controls: (0..steps).map(|k| t.controls(k).to_vec()).collect(),
            scales: (0..self.scales.len())
                .map(|p| t.layout.scale(p, &moved))
                .collect(),
            parameters: t.parameter_values(),
            known: None,
        };
        Some((descent.count, guess))
    }
}

/// Whether a body turns by a right angle or more within a step.
pub(crate) fn turns_too_far(poses: &[Vec<Pose>]) -> bool {
    let least = 1.0 + 2.0 * MOST_TURN.cos();
    poses.windows(2).any(|ends| {
        let mut pairs = ends[0].iter().zip(&ends[1]);
        pairs.any(|(a, b)| a.directors.dot(&b.directors) < least - 1e-6)
    })
}
