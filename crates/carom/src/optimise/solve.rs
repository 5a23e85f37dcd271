//! Solves a problem: program, working set of gaps, check between the nodes.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use carom_gap::Pose;

use super::avoid::WorkingSet;
use super::avoid::check;
use super::build;
use super::error::OptimiseError;
use super::guess::Guess;
use super::layout::GridStep;
use super::nlp::{Iteration, NlpSolver, SolverSettings, SolverStatus, Watch};
use super::problem::{GapRows, Problem};
use super::program::{Known, Program};
use super::rows::{MOST_TURN, NEAR_TURN, RowKind};
use super::validate::validate;

/// How a problem is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Tolerance and limits of the solver, over all rounds.
    pub solver: SolverSettings,
    /// Most rounds with a growing working set.
    pub max_rounds: usize,
    /// Overlap that counts as touching, in m.
    pub overlap_tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            solver: SolverSettings::default(),
            max_rounds: 30,
            overlap_tolerance: 5e-9,
        }
    }
}

/// Violation up to which a point without further progress counts as solved.
const ACCEPTED: f64 = 1e-8;

/// Tolerance of rounds whose working set may still grow.
const COARSE: f64 = 1e-4;

/// Barrier parameter of a round after the first, over the violation it begins with: the further
/// bodies overlap, the further from its bounds the search has to go once more.
const WARM_BARRIER: f64 = 0.1;

/// Barrier parameter that a round ends with, whose working set may still grow, and the last one. Where
/// faces lie on faces more rows hold than there are directions: the multipliers are not unique then,
/// and without a barrier nothing would choose among them.
const COARSE_BARRIER: f64 = 1e-7;
const FINE_BARRIER: f64 = 1e-8;

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

/// How an optimisation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// At an optimum, clean at and between the nodes.
    Solved,
    /// The solver found no point that meets all conditions, and none nearby.
    Infeasible,
    /// Not converged: limits, or no progress.
    NotConverged(String),
    /// Bodies overlap between the nodes after the last round.
    Overlap,
    /// The user stopped it.
    Stopped,
}

impl Status {
    /// As written in summaries.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Infeasible => "infeasible",
            Status::NotConverged(_) => "not converged",
            Status::Overlap => "overlap",
            Status::Stopped => "stopped",
        }
    }
}

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
    /// Joint velocities at the start.
    pub start_rates: Vec<f64>,
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
    /// Largest violation of a row.
    pub violation: f64,
    /// The worst violated rows at the end, and in the guess.
    pub worst: Vec<Violation>,
    /// Those of the guess.
    pub worst_guess: Vec<Violation>,
    /// Largest residual of the balance of momentum, linear and angular.
    pub momentum_residual: f64,
    /// Largest overlap at the nodes and between them.
    pub overlap: f64,
    /// Pairs that hold each other off: name of the row and multiplier, largest first.
    pub active: Vec<(String, f64)>,
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

    /// As a guess for another problem on the same grid.
    pub fn to_guess(&self) -> Guess {
        Guess {
            poses: self.poses.clone(),
            controls: self.controls.clone(),
            scales: self.scales.clone(),
        }
    }
}

/// Solves a problem from a guess.
pub fn solve(
    problem: &Problem,
    guess: &Guess,
    settings: &Settings,
    solver: &dyn NlpSolver,
    observer: Option<Observer>,
) -> Result<Plan, OptimiseError> {
    let begin = Instant::now();
    validate(problem, guess)?;
    let grid = build::grid(problem);
    let mut search = Search {
        problem,
        settings,
        solver,
        observer,
        begin,
        working: WorkingSet::new(problem, guess),
        guarded: problem.avoid.is_some(),
        known: None,
        coarse: problem.avoid.is_some(),
        spent: 0,
    };
    let mut current = guess.clone();
    let mut first: Option<(f64, Vec<Violation>)> = None;
    let mut round = 1;
    loop {
        let found = search.round(&grid, &current, round)?;
        if first.is_none() {
            first = Some((found.objective_start, found.worst_start.clone()));
        }
        let poses = found.poses.clone();
        let done = !matches!(
            found.status,
            SolverStatus::Solved | SolverStatus::Acceptable
        );
        if !done && !search.guarded && turns_too_far(&poses) {
            search.guarded = true;
            search.known = None;
            round += 1;
            continue;
        }
        let mut overlap = 0.0;
        let mut grown = false;
        let mut passed = false;
        if let (Some(avoid), false) = (&problem.avoid, done) {
            let check = check::check(problem, &poses, avoid);
            overlap = check.overlap;
            let [nodes, between] = search.working.grow(&check, settings.overlap_tolerance);
            (grown, passed) = (nodes || between, nodes);
            // Vertices that passed their planes: these are chosen anew.
            let missed = check.missed() > 2.0 * settings.overlap_tolerance;
            grown |= missed && avoid.rows == GapRows::Planes;
        }
        let exact = !search.coarse;
        search.coarse &= grown;
        let last = done || (exact && !grown) || round >= settings.max_rounds;
        if last {
            let (objective_guess, worst_guess) = first.unwrap_or_default();
            let status = match found.status {
                SolverStatus::Acceptable if found.violation > ACCEPTED => {
                    Status::NotConverged("the solver makes no progress any more".into())
                }
                SolverStatus::Solved | SolverStatus::Acceptable => {
                    match overlap > 2.0 * settings.overlap_tolerance {
                        true => Status::Overlap,
                        false => Status::Solved,
                    }
                }
                SolverStatus::Infeasible => Status::Infeasible,
                SolverStatus::Stopped => Status::Stopped,
                SolverStatus::IterationLimit => {
                    Status::NotConverged("the limit of iterations was reached".into())
                }
                SolverStatus::TimeLimit => {
                    Status::NotConverged("the limit of time was reached".into())
                }
                SolverStatus::Failed(reason) => Status::NotConverged(reason),
            };
            return Ok(Plan {
                status,
                poses,
                controls: found.controls,
                steps: found.steps,
                scales: found.scales,
                start_rates: found.start_rates,
                objective: found.objective,
                objective_guess,
                iterations: search.spent,
                rounds: round,
                size: found.size,
                violation: found.violation,
                worst: found.worst,
                worst_guess,
                momentum_residual: found.momentum_residual,
                overlap,
                active: found.active,
                guess: guess.clone(),
                seconds: begin.elapsed().as_secs_f64(),
            });
        }
        round += 1;
        // Bodies that nothing kept apart have passed through each other: begin again with rows.
        if passed {
            search.known = None;
            search.working.forget();
            continue;
        }
        current = Guess {
            poses,
            controls: found.controls,
            scales: found.scales,
        };
    }
}

/// Whether a body turns by a right angle or more within a step.
fn turns_too_far(poses: &[Vec<Pose>]) -> bool {
    let least = 1.0 + 2.0 * MOST_TURN.cos();
    poses.windows(2).any(|ends| {
        let mut pairs = ends[0].iter().zip(&ends[1]);
        pairs.any(|(a, b)| a.directors.dot(&b.directors) < least - 1e-6)
    })
}

struct Search<'a> {
    problem: &'a Problem,
    settings: &'a Settings,
    solver: &'a dyn NlpSolver,
    observer: Option<Observer>,
    begin: Instant,
    working: WorkingSet,
    /// Whether rows keep the rotations of steps below a right angle.
    guarded: bool,
    /// Multipliers of the last round.
    known: Option<Known>,
    /// Whether rows may still be missing: such rounds are not solved to the last digit.
    coarse: bool,
    spent: usize,
}

/// Outcome of one round.
struct Found {
    status: SolverStatus,
    poses: Vec<Vec<Pose>>,
    controls: Vec<Vec<f64>>,
    steps: Vec<f64>,
    scales: Vec<f64>,
    start_rates: Vec<f64>,
    objective: f64,
    objective_start: f64,
    size: [usize; 3],
    violation: f64,
    worst: Vec<Violation>,
    worst_start: Vec<Violation>,
    momentum_residual: f64,
    active: Vec<(String, f64)>,
}

impl Search<'_> {
    fn round(
        &mut self,
        grid: &[GridStep],
        guess: &Guess,
        round: usize,
    ) -> Result<Found, OptimiseError> {
        let conditions = self.known.as_ref().map_or(&[][..], |k| &k.conditions);
        let (mut transcription, mut start) =
            build::transcribe(self.problem, grid.to_vec(), guess, conditions)?;
        if let Some(known) = &self.known {
            let ends = start.len() - known.ends.len()..;
            start[ends].copy_from_slice(&known.ends);
        }
        if self.guarded {
            let most = match self.problem.avoid {
                Some(_) => NEAR_TURN,
                None => MOST_TURN,
            };
            transcription.layout.guard_turns(most);
        }
        self.working
            .add_rows(self.problem, &mut transcription, &mut start);
        let objective_start = transcription.objective(&start);
        let (violation_start, worst_start) = super::replay::violations(&mut transcription, &start);
        let mut program = Program::new(transcription, start);
        if let Some(known) = &self.known {
            program.warm_start(known);
        }
        let program = Rc::new(RefCell::new(program));
        let scale = program.borrow().objective_scale;
        let mut settings = self.settings.solver;
        settings.max_seconds = (settings.max_seconds - self.begin.elapsed().as_secs_f64()).max(0.1);
        settings.max_iterations = settings.max_iterations.saturating_sub(self.spent).max(1);
        if self.coarse {
            settings.tolerance = settings.tolerance.max(COARSE);
            settings.least_barrier = settings.least_barrier.max(COARSE_BARRIER);
        } else if self.problem.avoid.is_some() {
            settings.least_barrier = settings.least_barrier.max(FINE_BARRIER);
        }
        if self.known.is_some() {
            settings.barrier = (WARM_BARRIER * violation_start).clamp(COARSE_BARRIER, COARSE);
        }
        let watch = self.observer.clone().map(|observer| {
            let before = self.spent;
            let watch = move |i: &Iteration| {
                (observer.borrow_mut())(&Progress {
                    round,
                    iteration: before + i.number,
                    objective: i.objective / scale,
                    violation: i.violation,
                })
            };
            Rc::new(RefCell::new(watch)) as Watch
        });
        let solution = self.solver.solve(program.clone(), &settings, watch);
        self.spent += solution.iterations;

        let mut program = program.borrow_mut();
        let scales = program.row_scales.clone();
        let size = {
            use super::nlp::Nlp;
            [
                solution.x.len(),
                scales.len(),
                program.jacobian_pattern().rows.len(),
            ]
        };
        self.known = Some(program.plain(&solution));
        let t = &mut program.transcription;
        let x = &solution.x;
        self.working.keep(t, x);
        let objective = t.objective(x);
        let (violation, worst) = super::replay::violations(t, x);
        let momentum_residual = super::replay::momentum_residual(t, x);
        let mut active = Vec::new();
        for (row, lambda) in solution.multipliers.rows.iter().enumerate() {
            let is_gap = matches!(
                t.layout.rows[row].kind,
                RowKind::Gap { .. }
                    | RowKind::Between { .. }
                    | RowKind::Height { .. }
                    | RowKind::Barrier { .. }
            );
            let force = lambda * scales[row] / scale;
            if is_gap && force.abs() > 1e-6 * objective.abs() {
                active.push((t.layout.describe(&t.model, row), force));
            }
        }
        active.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let steps = t.layout.grid.len();
        let start_rates = super::replay::start_rates(t, x);
        Ok(Found {
            status: solution.status,
            poses: t.nodes().iter().map(|n| n.poses.clone()).collect(),
            controls: (0..steps).map(|k| t.controls(k, x).to_vec()).collect(),
            steps: (0..steps).map(|k| t.layout.h(k, x)).collect(),
            scales: (0..self.problem.phases.len())
                .map(|p| t.layout.scale(p, x))
                .collect(),
            start_rates,
            objective,
            objective_start,
            size,
            violation,
            worst,
            worst_start,
            momentum_residual,
            active,
        })
    }
}
