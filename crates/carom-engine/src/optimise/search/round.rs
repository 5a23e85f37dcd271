//! One round of a search: its program, the attempts at it, and what they found.

use std::cell::RefCell;
use std::rc::Rc;

use super::{COARSE_BARRIER, FINE_BARRIER, NEAR_BARRIER, SPLIT_TRY, Search};
use crate::optimise::build;
use crate::optimise::error::OptimiseError;
use crate::optimise::found::Found;
use crate::optimise::guess::Guess;
use crate::optimise::layers;
use crate::optimise::nlp::{Iteration, Nlp, Solution, SolverSettings, SolverStatus, Watch};
use crate::optimise::plan::{Progress, Violation};
use crate::optimise::problem::Scheme;
use crate::optimise::program::Program;
use crate::optimise::rows::turn::Turns;
use crate::optimise::scale::{self, Sizes};
use crate::optimise::status::{Status, optimality};
use crate::optimise::{assess, rank};

/// Tolerance of rounds whose working set may still grow.
const COARSE: f64 = 1e-4;

/// Barrier parameter of a round after the first, over the violation it begins with: the further
/// bodies overlap, the further from its bounds the search has to go once more.
const WARM_BARRIER: f64 = 0.1;

/// The same of rounds from this number on that begin with less than this violation, and how far their start is moved inside
/// its bounds: what is missing then is little, and most of what holds is known.
const LATE: usize = 4;
const LITTLE: f64 = 1e-3;
const LATE_BARRIER: f64 = 1e-4;
const LATE_PUSH: f64 = 1e-9;

/// Power of itself to which the barrier parameter falls where a search begins near another plan: two leaps, and it is
/// at its end.
const QUICK_FALL: f64 = 1.8;

/// Barrier parameter that such a search begins with where bodies are kept apart, and how far its start is moved inside its
/// bounds.
const NEAR_START: f64 = 1e-5;
const NEAR_PUSH: f64 = 1e-4;

/// Barrier parameter that the first round of a crowd between free planes begins with: planes find their places more
/// easily while little holds anything back.
const FREE_BARRIER: f64 = 1e-5;

/// Tolerance of the first rounds of a crowd.
const ROUGH: f64 = 1e-3;

/// Violation up to which a guess with multipliers counts as a plan already.
const WARM: f64 = 1e-7;

/// The barrier parameter that the last round ends with where impacts are planned: walls and planes hardly ever hold
/// anything back there.
const IMPACT_BARRIER: f64 = 1e-11;

/// By how much the stationarity of a crowd may miss the tolerance: ways past each other hardly differ.
const FLAT: f64 = 100.0;

/// Multiplier, over the barrier parameter, from which on a plane holds something back.
const HOLDS: f64 = 1e3;

/// Most iterations of a first attempt while there are others to make.
const FIRST_TRY: usize = 300;

/// Iterations in a row that attempts may spend on nothing but the violation without making it smaller, and those of a last
/// one that comes after others which ended otherwise.
const PATIENCE: usize = 50;
const LAST_PATIENCE: usize = 150;

impl Search<'_> {
    /// Puts a round together and solves it, or leaves it at its start.
    pub(super) fn round(&mut self, guess: &Guess, solve: bool) -> Result<Found, OptimiseError> {
        let conditions = self.known.as_ref().map_or(&[][..], |k| &k.conditions);
        let (mut transcription, mut start) = build::transcribe(self.problem, guess, conditions)?;
        transcription.write_corners(&self.corner);
        let underactuated = rank::lacks_drive(&mut transcription, &start);
        let sizes =
            *(self.sizes).get_or_insert_with(|| scale::sizes(&transcription.path, !underactuated));
        (self.natural).get_or_insert_with(|| scale::sizes(&transcription.path, false));
        if let Some(known) = &self.known {
            for (name, index) in transcription.named() {
                if let Some([value, ..]) = known.others.get(&name) {
                    start[index] = *value;
                }
            }
        }
        for (value, [low, high]) in start.iter_mut().zip(&transcription.bounds) {
            if low == high {
                *value = *low;
            }
        }
        let mut turns = Turns::default();
        if let Some(most) = self.guard {
            turns.limit_all(&transcription.path.layout, most);
        }
        self.working
            .add_rows(self.problem, &mut transcription, &mut start, &sizes, turns);
        let objective_start = transcription.objective(&start);
        let mut program = Program::new(transcription, start, sizes);
        let ([scaled, plain], worst_start) = assess::violations(&mut program, None);
        let violation_start = if sizes.plain { plain } else { scaled };
        if let Some(known) = &self.known {
            program.warm_start(known);
        }
        let dependent = underactuated && rank::has_dependent_rows(&mut program);
        let program = Rc::new(RefCell::new(program));
        let solution = match solve {
            true => self.attempt(&program, violation_start, underactuated, dependent),
            false => Solution {
                status: SolverStatus::Infeasible,
                x: program.borrow().start(),
                multipliers: Default::default(),
                iterations: 0,
            },
        };
        let found = self.found(program, solution, objective_start, worst_start);
        Ok(found)
    }

    /// Solves a round; a first one that fails is tried in other ways.
    fn attempt(
        &mut self,
        program: &Rc<RefCell<Program>>,
        violation: f64,
        underactuated: bool,
        dependent: bool,
    ) -> Solution {
        let warm = self.known.is_some();
        let mut settings = self.settings.solver;
        if self.coarse {
            settings.tolerance = settings.tolerance.max(COARSE);
            settings.least_barrier = settings.least_barrier.max(COARSE_BARRIER);
        } else if !self.working.is_empty() {
            let fine = match self.problem.has_contacts() {
                false => FINE_BARRIER,
                true => IMPACT_BARRIER,
            };
            settings.least_barrier = settings.least_barrier.max(fine);
        }
        if warm {
            settings.barrier = (WARM_BARRIER * violation).clamp(COARSE_BARRIER, COARSE);
            if self.rounds >= LATE && violation < LITTLE {
                settings.barrier = (LATE_BARRIER * violation).clamp(COARSE_BARRIER, NEAR_BARRIER);
                settings.warm_push = LATE_PUSH;
            }
            // Near another plan the limits that hold are mostly the same; where they are not, other attempts follow.
            if self.begun_near {
                settings.warm_fall = QUICK_FALL;
                settings.barrier = match (self.spent, self.working.is_empty()) {
                    (0, true) => COARSE_BARRIER,
                    (0, false) => {
                        settings.warm_push = NEAR_PUSH;
                        NEAR_START
                    }
                    _ => {
                        settings.warm_push = LATE_PUSH;
                        settings.least_barrier.max(FINE_BARRIER)
                    }
                };
            }
            // Where another plan ended, nothing is left to do.
            if self.spent == 0 && violation < WARM {
                settings.barrier = settings.least_barrier.max(1e-9);
                settings.warm_push = 1e-10;
            }
        }
        settings.adaptive = !underactuated;
        if self.near {
            settings.barrier = NEAR_BARRIER;
            if self.working.has_crowd() {
                let end = self.crowd_barrier;
                settings.least_barrier = settings.least_barrier.max(end);
                settings.barrier = match self.working.frees_planes() {
                    true => FREE_BARRIER,
                    false if warm => end,
                    false => 10.0 * end,
                };
                settings.warm_push = LATE_PUSH;
            }
            settings.push = settings.warm_push;
            settings.adaptive = false;
        }
        if self.working.has_crowd() && self.crowd_barrier >= NEAR_BARRIER {
            settings.tolerance = settings.tolerance.max(ROUGH);
            settings.least_barrier = settings.least_barrier.max(NEAR_BARRIER);
        }
        // The next round of a crowd has other rows: there is nothing to be gained from the last digits of this one.
        if self.working.has_crowd() {
            settings.exact = !self.coarse;
            settings.flat = if self.coarse { 1.0 } else { FLAT };
        }
        self.least_barrier = settings.least_barrier;
        settings.dependent = dependent;
        // The given planes of a crowd are others in every round: what pressed on one need not press on the next.
        if warm && self.working.has_crowd() {
            program.borrow_mut().centre(settings.barrier);
        }
        // Near another plan limits are let go and taken up in a few steps of Newton's method, as long as that leads anywhere.
        if warm
            && self.begun_near
            && self.leaps
            && (self.spent > 0 || violation >= WARM)
            && self.problem.scheme == Scheme::OneLayer
            && !self.working.is_empty()
        {
            let own = SolverSettings {
                max_iterations: self.iterations_left(),
                ..settings
            };
            let watch = self.watch(program);
            let shared: Rc<RefCell<dyn Nlp>> = program.clone();
            match self.solver.solve_near(&shared, &own, watch) {
                Ok(solution) => {
                    self.spent += solution.iterations;
                    return solution;
                }
                Err(made) => {
                    self.spent += made;
                    self.leaps = false;
                }
            }
        }
        // Solutions with the violation they leave and the sizes they are measured in.
        let mut best: Option<(f64, Solution, Sizes)> = None;
        let mut lost = 0;
        let attempts = if self.split { 1 } else { 3 };
        for attempt in 0..attempts {
            let mut own = settings;
            let mut sizes = self.size();
            if attempt > 0 {
                own.adaptive = !own.adaptive;
                own.dependent = dependent || attempt == 2;
                own.barrier = self.settings.solver.barrier;
                sizes = self.natural.unwrap_or(sizes);
                program.borrow_mut().forget();
                program.borrow_mut().measure(&sizes);
            }
            let left = self.iterations_left().max(1);
            own.max_iterations = match attempt {
                _ if self.split => left.min(SPLIT_TRY),
                0 | 1 if !warm => left.min(FIRST_TRY),
                _ => left,
            };
            // The last attempt has time, unless the others ended in such places, too.
            own.patience = Some(if attempt < 2 || lost == 2 {
                PATIENCE
            } else {
                LAST_PATIENCE
            });
            let elapsed = self.begin.elapsed().as_secs_f64();
            own.max_seconds = (own.max_seconds - elapsed).max(0.1);
            let watch = self.watch(program);
            let solution = match self.problem.scheme {
                Scheme::OneLayer => self.solver.solve(program.clone(), &own, watch),
                Scheme::TwoLayers => {
                    let (solution, outer) = layers::solve(self.solver, program, &own, watch);
                    self.outer = Some(outer.after(self.outer));
                    solution
                }
            };
            self.spent += solution.iterations;
            lost += usize::from(solution.status == SolverStatus::Infeasible);
            let done = match &solution.status {
                SolverStatus::Solved
                | SolverStatus::Acceptable
                | SolverStatus::Stopped
                | SolverStatus::TimeLimit => true,
                _ => self.iterations_left() == 0 || elapsed > self.settings.solver.max_seconds,
            };
            let left = {
                let mut program = program.borrow_mut();
                optimality(&mut *program, &solution.x, &solution.multipliers).feasibility
            };
            let solved = matches!(solution.status, SolverStatus::Solved);
            if solved || best.as_ref().is_none_or(|b| left < b.0) {
                best = Some((left, solution, sizes));
            }
            if done {
                break;
            }
        }
        match best {
            Some((_, solution, sizes)) => {
                program.borrow_mut().measure(&sizes);
                solution
            }
            // The loop runs at least once.
            None => Solution {
                status: SolverStatus::Failed("nothing was tried".into()),
                x: program.borrow().start(),
                multipliers: Default::default(),
                iterations: 0,
            },
        }
    }

    fn watch(&self, program: &Rc<RefCell<Program>>) -> Option<Watch> {
        let scale = program.borrow().objective_scale;
        self.observer.clone().map(|observer| {
            let (before, round) = (self.spent, self.rounds);
            let watch = move |i: &Iteration| {
                (observer.borrow_mut())(&Progress {
                    round,
                    iteration: before + i.number,
                    objective: i.objective / scale,
                    violation: i.violation,
                })
            };
            Rc::new(RefCell::new(watch)) as Watch
        })
    }

    fn found(
        &mut self,
        shared: Rc<RefCell<Program>>,
        solution: Solution,
        objective_start: f64,
        worst_start: Vec<Violation>,
    ) -> Found {
        let mut program = shared.borrow_mut();
        let optimality = optimality(&mut *program, &solution.x, &solution.multipliers);
        let size = [
            solution.x.len(),
            program.row_scales.len(),
            program.jacobian_pattern().rows.len(),
        ];
        self.known = Some(program.plain(&solution));
        let ([_, violation], worst) = assess::violations(&mut program, Some(&solution.x));
        let x = program.unscaled(&solution.x);
        let (scale, row_scales) = (program.objective_scale, program.row_scales.clone());
        let t = &mut program.transcription;
        let presses = HOLDS * self.least_barrier;
        (self.working).keep(&x, &solution.multipliers.rows, presses);
        let objective = t.objective(&x);
        let mut active = Vec::new();
        for (row, lambda) in solution.multipliers.rows.iter().enumerate() {
            let force = lambda * row_scales[row] / scale;
            // In parts of the objective for a change by the row's own size.
            if t.is_told(row) && lambda.abs() > 1e-6 {
                active.push((t.describe(row), force));
            }
        }
        let t = &t.path;
        let momentum_residual = assess::momentum_residual(t);
        active.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let steps = t.layout.grid.len();
        let out = Found {
            status: Status::Stopped,
            optimality,
            at_bounds: assess::at_bounds(t),
            rates: assess::rates(t),
            poses: t.nodes().iter().map(|n| n.poses.clone()).collect(),
            contacts: assess::contacts(t),
            held: assess::held(t),
            controls: (0..steps).map(|k| t.controls(k).to_vec()).collect(),
            steps: (0..steps).map(|k| t.h(k)).collect(),
            scales: (0..self.problem.phases.len())
                .map(|p| t.layout.scale(p, &x))
                .collect(),
            parameters: t.parameter_values(),
            objective,
            objective_start,
            size,
            violation,
            worst,
            worst_start,
            momentum_residual,
            active,
            overlap: None,
            outer: self.outer,
            whole_steps: self.whole_steps,
            solver: solution.status.clone(),
            program: Rc::clone(&shared),
            solution,
        };
        drop(program);
        out
    }
}
