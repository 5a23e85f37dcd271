//! Solves a problem: what is asked, what comes out, and the way from one to the other.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use carom_gap::Pose;
use rayon::prelude::*;

use super::avoid::{WorkingSet, check};
use super::error::OptimiseError;
use super::foresee;
use super::guess::Guess;
use super::nlp::{NlpSolver, SolverSettings};
use super::problem::{Avoid, Problem};
use super::random::random;
use super::search::{Found, Search};
use super::status::{Optimality, Status};
use super::validate::validate;
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

/// How often a saddle is left at most, and how far a step from it goes, in sizes of the unknowns.
const MOST_SADDLES: usize = 3;
const STEP_DOWN: f64 = 0.25;

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

/// What came out.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How it ended.
    pub status: Status,
    /// Pose of every body at every node.
    pub poses: Vec<Vec<Pose>>,
    /// Controls of every step.
    pub controls: Vec<Vec<f64>>,
    /// Size of every step.
    pub steps: Vec<f64>,
    /// Time scale of every phase.
    pub scales: Vec<f64>,
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
            known: Some(self.warm.clone()),
        }
    }

    /// Joint velocities at the start.
    pub fn start_rates(&self) -> &[f64] {
        &self.rates[0]
    }
}

/// Solves a problem from a guess.
///
/// What cannot be is said before anything is solved; a saddle is left along its way down, at most three
/// times.
pub fn solve(
    problem: &Problem,
    guess: &Guess,
    settings: &Settings,
    solver: &dyn NlpSolver,
    observer: Option<Observer>,
) -> Result<Plan, OptimiseError> {
    let begin = Instant::now();
    validate(problem, guess)?;
    if settings.starts > 1 {
        return solve_several(problem, guess, settings, solver);
    }
    let mut search = Search::new(problem, guess, settings, solver, observer);
    if let Some(warm) = (guess.known.as_ref()).filter(|w| w.steps + 1 == guess.poses.len()) {
        search.warm(warm.known(), WorkingSet::stored(&problem.model, warm));
    }
    let mut reasons = foresee::reasons(problem, guess)?;
    let mut found = match reasons.is_empty() {
        true => search.run(guess)?,
        // Nothing to solve: the guess is all there is.
        false => search.look(guess)?,
    };
    if reasons.is_empty() {
        found = leave_saddles(&mut search, found, solver)?;
        if !found.status.is_usable() && found.status != Status::Stopped {
            reasons = foresee::afterwards(problem, &found);
        }
    }
    let overlap = found.overlap.unwrap_or_else(|| {
        let all = Avoid::default();
        check::check(problem, &found.poses, &all).overlap
    });
    let steps = found.steps.len();
    let warm = match &search.known {
        Some(known) => Warm::new(steps, known, &search.working),
        None => Warm::default(),
    };
    Ok(Plan {
        status: found.status,
        poses: found.poses,
        controls: found.controls,
        steps: found.steps,
        scales: found.scales,
        rates: found.rates,
        objective: found.objective,
        objective_guess: found.objective_start,
        iterations: search.spent,
        rounds: search.rounds,
        size: found.size,
        optimality: found.optimality,
        violation: found.violation,
        worst: found.worst,
        worst_guess: found.worst_start,
        momentum_residual: found.momentum_residual,
        overlap,
        active: found.active,
        reasons,
        length: search.size().length,
        starts: Vec::new(),
        warm,
        guess: guess.clone(),
        seconds: begin.elapsed().as_secs_f64(),
    })
}

/// Follows negative curvature from saddles to a minimum.
fn leave_saddles(
    search: &mut Search,
    mut found: Found,
    solver: &dyn NlpSolver,
) -> Result<Found, OptimiseError> {
    for _ in 0..MOST_SADDLES {
        if !found.status.is_usable() {
            return Ok(found);
        }
        let Some((count, down)) = found.descent(solver, STEP_DOWN) else {
            return Ok(found);
        };
        found.optimality.negative_curvatures = count;
        let (known, working) = (search.known.clone(), search.working.clone());
        search.restart();
        let other = search.run(&down)?;
        let better = other.status.is_usable()
            && other.objective < found.objective - 1e-9 * found.objective.abs();
        if !better {
            let stopped = other.status == Status::Stopped;
            (search.known, search.working) = (known, working);
            found.status = if stopped {
                Status::Stopped
            } else {
                Status::Saddle
            };
            return Ok(found);
        }
        let (objective, worst) = (
            found.objective_start,
            std::mem::take(&mut found.worst_start),
        );
        found = other;
        (found.objective_start, found.worst_start) = (objective, worst);
    }
    if let Some((count, _)) = found.descent(solver, STEP_DOWN) {
        found.optimality.negative_curvatures = count;
        found.status = Status::Saddle;
    }
    Ok(found)
}

/// How far the guesses of further searches are moved, in rad and in parts of the farthest way.
const MOVED: f64 = 0.15;

/// Searches from several guesses on all cores; the best plan, with how all of them ended.
fn solve_several(
    problem: &Problem,
    guess: &Guess,
    settings: &Settings,
    solver: &dyn NlpSolver,
) -> Result<Plan, OptimiseError> {
    let one = Settings {
        starts: 1,
        ..*settings
    };
    let way = |a: &Pose, b: &Pose| (b.position - a.position).norm();
    let ends = guess.poses[0]
        .iter()
        .zip(&guess.poses[guess.poses.len() - 1]);
    let farthest = ends.map(|(a, b)| way(a, b)).fold(0.0, f64::max);
    let size = MOVED
        * if farthest > 0.0 {
            farthest.min(1.0)
        } else {
            1.0
        };
    let guesses: Vec<Guess> = (0..settings.starts as u64)
        .map(|seed| {
            if seed == 0 {
                return guess.clone();
            }
            let random = random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            guess.perturbed(problem, size, random)
        })
        .collect();
    let mut plans = (guesses.par_iter())
        .map(|guess| solve(problem, guess, &one, solver, None))
        .collect::<Result<Vec<Plan>, _>>()?;
    // Plans that can be used first, then by their objective.
    plans.sort_by(|a, b| {
        let usable = |p: &Plan| !p.status.is_usable();
        (usable(a).cmp(&usable(b))).then(a.objective.total_cmp(&b.objective))
    });
    let ranked = (plans.iter())
        .map(|p| (p.status.clone(), p.objective))
        .collect();
    let mut best = plans.swap_remove(0);
    best.starts = ranked;
    Ok(best)
}
