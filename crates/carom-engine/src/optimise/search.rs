//! The search from one guess: rounds with a growing working set of gaps.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use super::assess;
use super::avoid::check;
use super::avoid::{FromWhere, WorkingSet};
use super::build;
use super::corner::{Corner, SHARP};
use super::error::OptimiseError;
use super::found::{Found, turns_too_far};
use super::guess::Guess;
use super::impact;
use super::layers::{self, OuterLayer};
use super::nlp::{Iteration, Nlp, NlpSolver, Solution, SolverSettings, SolverStatus, Watch};
use super::plan::{Observer, Progress, Settings, Violation};
use super::problem::{GapRows, Problem, Scheme};
use super::program::Program;
use super::rank;
use super::rows::turn::{MOST_TURN, Turns};
use super::scale::{self, Sizes};
use super::status::{Status, optimality};
use super::warm::Known;

/// Tolerance of rounds whose working set may still grow.
const COARSE: f64 = 1e-4;

/// Barrier parameter of a round after the first, over the violation it begins with: the further
/// bodies overlap, the further from its bounds the search has to go once more.
const WARM_BARRIER: f64 = 0.1;

/// The same of rounds from this number on, and how far their start is moved inside its bounds: what is missing then is
/// little, and most of what holds is known.
const LATE: usize = 4;
const LATE_BARRIER: f64 = 1e-4;
const LATE_PUSH: f64 = 1e-9;

/// Power of itself to which the barrier parameter falls where a search begins near another plan: two leaps, and it is
/// at its end.
const QUICK_FALL: f64 = 1.8;

/// Barrier parameter that such a search begins with where bodies are kept apart, and how far its start is moved inside its
/// bounds.
const NEAR_START: f64 = 1e-5;
const NEAR_PUSH: f64 = 1e-4;

/// Barrier parameter of a round that begins near its solution, and that the first rounds of a crowd end with.
const NEAR_BARRIER: f64 = 1e-6;

/// Barrier parameter that the first round of a crowd between free planes begins with: planes find their places more
/// easily while little holds anything back.
const FREE_BARRIER: f64 = 1e-5;

/// Tolerance of the first rounds of a crowd.
const ROUGH: f64 = 1e-3;

/// Overlap in sizes of the problem, over the barrier parameter, below which this parameter falls.
const DEEP: f64 = 1e3;

/// Violation up to which a guess with multipliers counts as a plan already.
const WARM: f64 = 1e-7;

/// Barrier parameter that a round ends with, whose working set may still grow, and the last one. Where
/// faces lie on faces more rows hold than there are directions: the multipliers are not unique then,
/// and without a barrier nothing would choose among them.
const COARSE_BARRIER: f64 = 1e-7;
const FINE_BARRIER: f64 = 1e-8;

/// The same with planned impacts, where walls and planes hardly ever hold anything back.
const IMPACT_BARRIER: f64 = 1e-11;

/// By how much the stationarity of a crowd may miss the tolerance: ways past each other hardly differ.
const FLAT: f64 = 100.0;

/// Limits of what counts as solved, over the tolerance of the solver: for rows, and for stationarity
/// and complementarity.
const FEASIBLE: f64 = 10.0;
const STATIONARY: f64 = 1e3;

/// The same for what is acceptable, as the problem is scaled.
const NEARLY_FEASIBLE: f64 = 1e-6;
const NEARLY_STATIONARY: f64 = 1e-3;

/// Multiplier, over the barrier parameter, from which on a plane holds something back.
const HOLDS: f64 = 1e3;

/// Most iterations of a first attempt while there are others to make.
const FIRST_TRY: usize = 300;

/// Iterations in a row that attempts may spend on nothing but the violation without making it smaller, and those of a last
/// one that comes after others which ended otherwise.
const PATIENCE: usize = 50;
const LAST_PATIENCE: usize = 150;

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
    guard: Option<f64>,
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

    fn round(&mut self, guess: &Guess, solve: bool) -> Result<Found, OptimiseError> {
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
            if self.rounds >= LATE {
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
