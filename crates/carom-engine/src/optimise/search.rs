//! The search from one guess: rounds with a growing working set of gaps.

mod round;

use std::time::Instant;

use super::avoid::check;
use super::avoid::{FromWhere, WorkingSet};
use super::corner::{Corner, SHARP};
use super::error::OptimiseError;
use super::found::{Found, turns_too_far};
use super::guess::Guess;
use super::impact;
use super::layers::OuterLayer;
use super::nlp::{NlpSolver, SolverStatus};
use super::plan::{Observer, Settings, Violation};
use super::problem::{GapRows, Problem};
use super::rows::turn::MOST_TURN;
use super::scale::Sizes;
use super::status::Status;
use super::warm::Known;

/// Barrier parameter of a round that begins near its solution, and that the first rounds of a crowd end with.
const NEAR_BARRIER: f64 = 1e-6;

/// Overlap in sizes of the problem, over the barrier parameter, below which this parameter falls.
const DEEP: f64 = 1e3;

/// Barrier parameter that a round ends with, whose working set may still grow, and the last one. Where
/// faces lie on faces more rows hold than there are directions: the multipliers are not unique then,
/// and without a barrier nothing would choose among them.
const COARSE_BARRIER: f64 = 1e-7;
const FINE_BARRIER: f64 = 1e-8;

/// Limits of what counts as solved, over the tolerance of the solver: for rows, and for stationarity
/// and complementarity.
const FEASIBLE: f64 = 10.0;
const STATIONARY: f64 = 1e3;

/// The same for what is acceptable, as the problem is scaled.
const NEARLY_FEASIBLE: f64 = 1e-6;
const NEARLY_STATIONARY: f64 = 1e-3;

/// Rounds with planes of single nodes, at most, and iterations of each: there is a way already.
const MOST_SPLIT: usize = 12;
const SPLIT_TRY: usize = 150;

/// A clean way between planes of whole steps, before every node got planes of its own.
struct Whole {
    guess: Guess,
    known: Option<Known>,
    working: WorkingSet,
    round: usize,
}

/// The search for one plan.
pub(crate) struct Search<'a> {
    pub problem: &'a Problem,
    pub settings: &'a Settings,
    pub solver: &'a dyn NlpSolver,
    pub observer: Option<Observer>,
    pub begin: Instant,
    pub working: WorkingSet,
    /// Multipliers of the last round.
    pub known: Option<Known>,
    /// What touched at planned impacts in earlier rounds, each time it changed.
    touched: Vec<Vec<String>>,
    /// How laws with corners are written.
    pub corner: Corner,
    /// How far bodies may turn within a step, in rad, where rows see to that.
    pub guard: Option<f64>,
    /// Whether rows may still be missing: such rounds are not solved to the last digit.
    coarse: bool,
    /// Whether a round begins near its solution, with multipliers or without.
    near: bool,
    /// Whether the search began at another plan, with its multipliers.
    begun_near: bool,
    /// Whether Newton's method has led from there to a solution in every round so far.
    leaps: bool,
    /// Whether the way is known, and planes of whole steps gave way to those of single nodes.
    split: bool,
    /// Whether planes of single nodes led nowhere, so that those of whole steps were kept.
    whole_steps: bool,
    /// How the outer layer of the last round ended, if there are two.
    outer: Option<OuterLayer>,
    pub spent: usize,
    /// Iterations of searches that let bodies turn farther.
    before: usize,
    /// Most iterations, below those of the settings.
    pub most: usize,
    pub rounds: usize,
    /// Barrier parameter that the last round ended with.
    least_barrier: f64,
    /// The same of the next round, if there is a crowd.
    crowd_barrier: f64,
    sizes: Option<Sizes>,
    /// The same where nothing counts as one.
    natural: Option<Sizes>,
}

impl<'a> Search<'a> {
    pub fn new(
        problem: &'a Problem,
        guess: &Guess,
        settings: &'a Settings,
        solver: &'a dyn NlpSolver,
        observer: Option<Observer>,
    ) -> Self {
        Self {
            problem,
            settings,
            solver,
            observer,
            begin: Instant::now(),
            working: WorkingSet::new(problem, &guess.poses),
            known: None,
            touched: Vec::new(),
            corner: Corner::Round(SHARP),
            guard: None,
            coarse: problem.avoid.is_some(),
            near: false,
            begun_near: false,
            leaps: true,
            split: false,
            whole_steps: false,
            outer: None,
            spent: 0,
            before: 0,
            most: usize::MAX,
            rounds: 0,
            least_barrier: 0.0,
            crowd_barrier: NEAR_BARRIER,
            sizes: None,
            natural: None,
        }
    }

    /// A search for the plan of a problem like this one, whose iterations and time count with those made so far.
    pub fn another<'b>(&self, problem: &'b Problem, guess: &Guess) -> Search<'b>
    where
        'a: 'b,
    {
        Search {
            begin: self.begin,
            spent: self.spent,
            rounds: self.rounds,
            corner: self.corner.clone(),
            ..Search::new(
                problem,
                guess,
                self.settings,
                self.solver,
                self.observer.clone(),
            )
        }
    }

    /// The problem.
    pub fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// Iterations that it may still make.
    fn iterations_left(&self) -> usize {
        let limit = self.settings.solver.max_iterations.min(self.most);
        limit.saturating_sub(self.spent - self.before)
    }

    /// Whether its time is over.
    pub fn is_late(&self) -> bool {
        self.begin.elapsed().as_secs_f64() > self.settings.solver.max_seconds
    }

    /// What solves its programs.
    pub fn solver(&self) -> &'a dyn NlpSolver {
        self.solver
    }

    /// Goes on from the multipliers and the working set of an earlier plan.
    pub fn warm(&mut self, known: Known, working: WorkingSet) {
        self.known = Some(known);
        self.working = working;
        self.coarse = false;
        self.begun_near = self.spent == 0;
        self.crowd_barrier = FINE_BARRIER;
    }

    /// Makes so many more iterations at most.
    pub fn limit(&mut self, most: usize) {
        self.before = self.spent;
        self.most = most;
    }

    /// Begins again with rows that keep rotations within a step below an angle, and as many iterations as at first.
    pub fn slow_down(&mut self, most: f64) {
        self.restart();
        self.corner = Corner::Round(SHARP);
        self.guard = Some(most);
        self.before = self.spent;
    }

    /// Begins again from somewhere else, with the rows found so far.
    pub fn restart(&mut self) {
        self.known = None;
        self.begun_near = false;
        self.coarse = self.problem.avoid.is_some();
        self.working.forget();
    }

    /// Rounds until nothing overlaps, or a limit.
    pub fn run(&mut self, guess: &Guess) -> Result<Found, OptimiseError> {
        let mut current = guess.clone();
        let mut first: Option<(f64, Vec<Violation>)> = None;
        let begun = self.rounds;
        let mut whole: Option<Whole> = None;
        loop {
            self.rounds += 1;
            self.split = whole.is_some();
            let mut found = self.round(&current, true)?;
            let (objective, worst) = first
                .get_or_insert_with(|| (found.objective_start, found.worst_start.clone()))
                .clone();
            (found.objective_start, found.worst_start) = (objective, worst);
            let last = self.rounds - begun >= self.settings.max_rounds;
            let done = !matches!(
                found.solver,
                SolverStatus::Solved | SolverStatus::Acceptable
            );
            let limited = match found.solver {
                SolverStatus::Stopped | SolverStatus::TimeLimit => true,
                SolverStatus::IterationLimit => self.iterations_left() == 0,
                _ => false,
            };
            if done
                && !(last || limited)
                && let Some(from) = self.working.give_up_stage(guess.poses.len())
            {
                self.known = None;
                self.near = from == FromWhere::Here;
                if from == FromWhere::Guess {
                    current = guess.clone();
                }
                continue;
            }
            if !done && self.guard.is_none() && !last && turns_too_far(&found.poses) {
                self.guard = Some(MOST_TURN);
                self.known = None;
                continue;
            }
            // Where something else touches than was planned, the next round follows, once for each way.
            let used = impact::names(self.problem, &current.poses);
            let now = impact::names(self.problem, &found.poses);
            if !done && !last && used != now && !self.touched.contains(&now) {
                self.touched.push(used);
                self.known = None;
                current = found.guess();
                continue;
            }
            let tolerance = self.settings.overlap_tolerance * self.size().overlap();
            let mut grown = false;
            let mut passed = false;
            if let Some(avoid) = &self.problem.avoid {
                let met = found.met();
                let check = check::check(self.problem, &found.poses, avoid, &met);
                found.overlap = Some(check.overlap);
                // The ways of a crowd are found first.
                if !done && self.working.seeks() && !last {
                    if self.working.gives() {
                        self.working.grow(&check, tolerance, avoid.rows);
                    }
                    self.working.advance(self.problem, &found.poses);
                    // Balls that went through each other are far from where they should be.
                    self.near = !self.working.has_balls_only();
                    if !self.near {
                        self.known = None;
                    }
                    current = found.guess();
                    continue;
                }
                self.near = false;
                if !done {
                    let [nodes, between] = self.working.grow(&check, tolerance, avoid.rows);
                    (grown, passed) = (nodes || between, nodes);
                    grown |= self.working.advance(self.problem, &found.poses);
                    // Vertices that passed their planes: these are chosen anew.
                    let missed = check.missed() > 2.0 * tolerance;
                    grown |= missed && avoid.rows.has_planes();
                }
            }
            let exact = !self.coarse;
            self.coarse &= grown;
            if self.working.has_crowd() {
                let deep = DEEP * self.crowd_barrier * self.size().overlap();
                if found.overlap.is_some_and(|depth| depth < deep) {
                    self.crowd_barrier = (0.1 * self.crowd_barrier).max(FINE_BARRIER);
                }
                self.coarse = self.crowd_barrier > FINE_BARRIER;
            }
            // The way is found: planes for whole steps, which leave some room, give way to others.
            let splits = (self.problem.avoid.as_ref()).filter(|a| a.rows == GapRows::Planes);
            if let Some(avoid) = splits
                && !(self.whole_steps || exact || grown || done || self.working.has_crowd())
            {
                let before = self.working.clone();
                self.coarse = self.working.split(&found.poses, avoid.between_nodes);
                whole = self.coarse.then(|| Whole {
                    guess: found.guess(),
                    known: self.known.clone(),
                    working: before,
                    round: self.rounds,
                });
            }
            // Twelve rounds, or all but the one that solves the way between whole steps to the end.
            let made = self.rounds - begun;
            let stuck = (whole.as_ref()).is_some_and(|w| {
                self.rounds - w.round >= MOST_SPLIT || made + 1 >= self.settings.max_rounds
            });
            if done || (exact && !grown) || last || stuck {
                found.status = self.word(&found, exact && !grown, tolerance);
                // Planes of single nodes led nowhere: the way between those of whole steps, to the end.
                if !(found.status.is_usable() || limited || last)
                    && let Some(before) = whole.take()
                {
                    (self.known, self.working) = (before.known, before.working);
                    (self.coarse, self.whole_steps) = (false, true);
                    current = before.guess;
                    continue;
                }
                // Planes of single nodes would be twice as many.
                if let Some(avoid) = splits.filter(|_| self.working.has_crowd()) {
                    let mut others = self.working.clone();
                    found.whole_steps = others.split(&found.poses, avoid.between_nodes);
                }
                return Ok(found);
            }
            // Bodies that nothing kept apart have passed through each other: begin again with rows.
            if passed {
                self.known = None;
                self.working.forget();
                continue;
            }
            self.near = self.working.has_crowd();
            current = found.guess();
        }
    }

    /// The guess as it is: nothing is solved.
    pub fn look(&mut self, guess: &Guess) -> Result<Found, OptimiseError> {
        self.known = None;
        let mut found = self.round(guess, false)?;
        self.known = None;
        found.status = Status::Infeasible;
        // Nothing says how good a guess is that nothing was made of.
        found.optimality.stationarity = f64::INFINITY;
        found.optimality.complementarity = f64::INFINITY;
        Ok(found)
    }

    /// Natural sizes of the problem, known after the first round.
    pub fn size(&self) -> Sizes {
        self.sizes.unwrap_or(Sizes::ONE)
    }

    /// The word for how a search ended; `tight` says that its last round was solved to the end.
    fn word(&self, found: &Found, tight: bool, overlap: f64) -> Status {
        let o = &found.optimality;
        let tolerance = self.settings.solver.tolerance;
        let feasible = o.feasibility <= (FEASIBLE * tolerance).max(1e-8);
        let limit = (STATIONARY * tolerance).max(1e-6);
        let optimal = o.stationarity <= limit && o.complementarity <= limit;
        let nearly = o.feasibility <= NEARLY_FEASIBLE
            && o.stationarity <= NEARLY_STATIONARY
            && o.complementarity <= NEARLY_STATIONARY;
        let apart = found.overlap.is_none_or(|depth| depth <= 2.0 * overlap);
        let rest = format!(
            "stationarity {:.1e}, feasibility {:.1e}, complementarity {:.1e}",
            o.stationarity, o.feasibility, o.complementarity
        );
        match &found.solver {
            SolverStatus::Stopped => Status::Stopped,
            _ if feasible && optimal && tight && apart => Status::Solved,
            SolverStatus::IterationLimit => Status::Limit(format!("of iterations: {rest}")),
            SolverStatus::TimeLimit => Status::Limit(format!("of time: {rest}")),
            _ if !tight && feasible && !apart => Status::Overlap,
            SolverStatus::Solved | SolverStatus::Acceptable if !tight => Status::Limit(format!(
                "of rounds ({}): the last one was not solved to the end",
                self.settings.max_rounds
            )),
            _ if !apart && o.feasibility <= NEARLY_FEASIBLE => Status::Overlap,
            _ if nearly && apart => Status::Acceptable(rest),
            SolverStatus::Infeasible if o.feasibility > NEARLY_FEASIBLE => Status::Infeasible,
            SolverStatus::Failed(why) => Status::Stalled(format!("{why}; {rest}")),
            _ => Status::Stalled(rest),
        }
    }
}
