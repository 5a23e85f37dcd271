//! Two layers: smooth segments between collisions within, collision states and times without.
//!
//! The unknowns z of the outer layer are the states at the collisions (configuration, velocities before and
//! after, impulses), the time scales and whatever else belongs to no segment. With z held, the program falls
//! apart into the smooth segments between collisions, each an optimal control problem between given states
//! in a given time, with the value V(z). The outer layer minimises Σ V(z) under what is asked of z alone: the
//! gaps are closed, the velocities jump by the law, the times add up.
//!
//! With the multipliers λ of a segment's rows g(w, z) its derivatives are exact:
//!
//! ```text
//! V'  = F_z + λᵀ g_z
//! V'' = L_zz − [L_wz; g_z]ᵀ K⁻¹ [L_wz; g_z],   K the matrix of the segment's optimality conditions
//! ```
//!
//! Whoever minimises all at once solves the same discrete problem: both schemes agree to round-off.

mod outer;
mod segment;
mod split;

use std::cell::RefCell;
use std::rc::Rc;

use super::nlp::{Multipliers, Nlp, NlpSolver, Solution, SolverSettings, SolverStatus, Watch};
use super::program::Program;
use super::status::optimality;
use outer::Outer;
use split::Split;

/// How the outer of two layers ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OuterLayer {
    /// Smooth segments between collisions.
    pub segments: usize,
    /// Unknowns of the outer layer that are not given.
    pub unknowns: usize,
    /// Its rounds: steps of collision states and times, of all rounds of the search.
    pub rounds: usize,
    /// Iterations of the search in one layer that it begins from, where the guess asks too much of a segment.
    pub start_iterations: usize,
    /// Segments that were solved on the way.
    pub solves: usize,
    /// Iterations of all of them.
    pub iterations: usize,
    /// What its conditions of optimality leave, as the problem is scaled: the larger of stationarity and
    /// feasibility.
    pub residual: f64,
    /// Whether that is within the tolerance.
    pub converged: bool,
}

impl OuterLayer {
    /// The same after what came before it.
    pub(crate) fn after(self, before: Option<Self>) -> Self {
        let before = before.unwrap_or_default();
        Self {
            rounds: self.rounds + before.rounds,
            start_iterations: self.start_iterations + before.start_iterations,
            solves: self.solves + before.solves,
            iterations: self.iterations + before.iterations,
            ..self
        }
    }
}

/// Tolerance of the outer layer: its derivatives are as good as the solutions of the segments. Newton's method goes
/// on for two steps from there.
const OUTER: f64 = 1e-7;

/// Residual up to which the outer layer counts as converged, over the tolerance of the solver.
const CONVERGED: f64 = 1e3;

/// Barrier parameters with which a search in one layer looks for states between which segments exist, one after the
/// other: the larger, the farther from all bounds.
const CENTRAL: [f64; 3] = [1e-2, 1e-1, 1.0];
const CENTRAL_TOLERANCE: f64 = 1e-4;

/// Solves a program in two layers.
pub(crate) fn solve(
    solver: &dyn NlpSolver,
    program: &Rc<RefCell<Program>>,
    settings: &SolverSettings,
    watch: Option<Watch>,
) -> (Solution, OuterLayer) {
    let failed = |why: String| {
        let solution = Solution {
            status: SolverStatus::Failed(why),
            x: program.borrow().start(),
            multipliers: Multipliers::default(),
            iterations: 0,
        };
        (solution, OuterLayer::default())
    };
    let Some(shared) = solver.shared() else {
        return failed("the solver cannot solve programs within programs".into());
    };
    let split = Split::new(&program.borrow());
    if let Some(why) = split.too_stiff(&*program.borrow()) {
        return failed(why);
    }
    let fresh = || {
        let whole = Rc::clone(program) as Rc<RefCell<dyn Nlp>>;
        Outer::new(whole, Rc::clone(&shared), split.clone(), *settings)
    };
    let mut first = fresh();
    // Where the guess asks too much of a segment, the outer layer begins well within what all at once allow.
    let mut spent = 0;
    for barrier in CENTRAL {
        let start = first.start();
        if first.is_solved(&start) {
            break;
        }
        let inside = SolverSettings {
            least_barrier: barrier,
            barrier: barrier.max(settings.barrier),
            tolerance: settings.tolerance.max(CENTRAL_TOLERANCE),
            ..*settings
        };
        let centre = solver.solve(Rc::clone(program) as _, &inside, None);
        spent += centre.iterations;
        program.borrow_mut().begin_at(&centre.x);
        let before = first.report();
        first = fresh();
        first.count(&before);
    }
    let outer = Rc::new(RefCell::new(first));
    let found = solver.solve(
        Rc::clone(&outer) as Rc<RefCell<dyn Nlp>>,
        &SolverSettings {
            adaptive: false,
            daring: true,
            tolerance: settings.tolerance.max(OUTER),
            ..*settings
        },
        watch,
    );
    let mut outer = outer.borrow_mut();
    // Where a segment has no solution there is no value that could be stationary.
    let residual = match outer.is_solved(&found.x) {
        true => {
            let left = optimality(&mut *outer, &found.x, &found.multipliers);
            left.stationarity.max(left.feasibility)
        }
        false => f64::INFINITY,
    };
    let limit = (CONVERGED * settings.tolerance).max(1e-6);
    let report = OuterLayer {
        rounds: found.iterations,
        start_iterations: spent,
        residual,
        converged: residual <= limit,
        ..outer.report()
    };
    let mut solution = outer.whole(&found);
    if let (SolverStatus::Failed(why), Some(own)) = (&mut solution.status, outer.failure()) {
        *why = format!(
            "{why}; {own}: in two layers every segment must lead from state to state within its bounds; widen them, or search in one layer"
        );
    }
    (solution, report)
}
