//! Sparse nonlinear programs and who solves them.
//!
//! ```text
//! min f(x)   s.t.   g_l ≤ g(x) ≤ g_u,   x_l ≤ x ≤ x_u
//! ```

use std::cell::RefCell;
use std::rc::Rc;

/// Rows and columns of the entries of a sparse matrix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Row of each entry.
    pub rows: Vec<usize>,
    /// Column of each entry.
    pub columns: Vec<usize>,
}

/// Unknowns that stand in inequalities, in rows of their own and in no product with those of another
/// leaf: linear solvers take them out first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leaf {
    /// Its unknowns.
    pub unknowns: Vec<usize>,
    /// Its equalities, as numbers of rows.
    pub equalities: Vec<usize>,
}

/// A nonlinear program with sparse exact derivatives.
pub trait Nlp {
    /// Least and largest value of each unknown.
    fn bounds(&self) -> Vec<[f64; 2]>;
    /// Least and largest value of each row.
    fn ranges(&self) -> Vec<[f64; 2]>;
    /// Where to start.
    fn start(&self) -> Vec<f64>;
    /// Multipliers to start with, if the start is near a solution.
    fn multipliers(&self) -> Option<&Multipliers> {
        None
    }
    /// Groups of unknowns that meet the others in few places only.
    fn leaves(&self) -> Vec<Leaf> {
        Vec::new()
    }
    /// Place in time of each unknown, if it has one and what it meets is near: linear solvers go from one to the next.
    fn nodes(&self) -> Vec<Option<u32>> {
        Vec::new()
    }
    /// f(x).
    fn objective(&mut self, x: &[f64]) -> f64;
    /// ∇f(x).
    fn gradient(&mut self, x: &[f64], gradient: &mut [f64]);
    /// g(x).
    fn values(&mut self, x: &[f64], values: &mut [f64]);
    /// Where ∂g/∂x has entries.
    fn jacobian_pattern(&self) -> &Pattern;
    /// Entries of ∂g/∂x.
    fn jacobian(&mut self, x: &[f64], entries: &mut [f64]);
    /// Where the lower triangle of the Hessian has entries.
    fn hessian_pattern(&self) -> &Pattern;
    /// Entries of the Hessian of factor · f + λᵀg.
    fn hessian(&mut self, x: &[f64], factor: f64, lambda: &[f64], entries: &mut [f64]);
}

/// How far a solver is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// Number of the iteration.
    pub number: usize,
    /// f(x).
    pub objective: f64,
    /// Largest violation of a row, as the solver scales it.
    pub violation: f64,
}

/// Sees every iteration; answers whether to go on.
pub type Watch = Rc<RefCell<dyn FnMut(&Iteration) -> bool>>;

/// When a solver stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings {
    /// Tolerance of the optimality conditions, as the program is scaled.
    pub tolerance: f64,
    /// Most iterations.
    pub max_iterations: usize,
    /// Most wall time in s.
    pub max_seconds: f64,
    /// Barrier parameter to begin with.
    pub barrier: f64,
    /// Barrier parameter to end with.
    pub least_barrier: f64,
    /// How far the start is moved inside its bounds.
    pub push: f64,
    /// The same for a start with multipliers.
    pub warm_push: f64,
    /// Power of itself to which the barrier parameter falls at most in a step, from a start with multipliers. Where many
    /// rows hold at once, leaps lose the way.
    pub warm_fall: f64,
    /// Whether the barrier parameter may rise again: quick where much is driven, while a steady fall
    /// gets farther where little is.
    pub adaptive: bool,
    /// Whether the last steps lead to round-off: from within the tolerance Newton's method takes two more.
    pub exact: bool,
    /// By how much stationarity may miss the tolerance: where the objective is flat, its last digits take many steps.
    pub flat: f64,
    /// Whether a few steps may lead up before they lead down: where valleys are narrow and bent, steps that
    /// must not are tiny.
    pub daring: bool,
    /// Whether rows are known to depend on each other: every system is then solved as if they gave way
    /// a little.
    pub dependent: bool,
    /// Iterations in a row that may be spent on nothing but the violation without getting anywhere; none for as many
    /// as there are.
    pub patience: Option<usize>,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            max_iterations: 1000,
            max_seconds: 600.0,
            barrier: 0.1,
            least_barrier: 0.0,
            push: 1e-3,
            warm_push: 1e-6,
            warm_fall: 1.2,
            adaptive: true,
            exact: true,
            flat: 1.0,
            daring: false,
            dependent: false,
            patience: None,
        }
    }
}

/// How a solver ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverStatus {
    /// At an optimum.
    Solved,
    /// No progress any more; whether the point is good must be looked at.
    Acceptable,
    /// At a point where the violation cannot be made smaller nearby.
    Infeasible,
    /// After the most iterations.
    IterationLimit,
    /// After the most time.
    TimeLimit,
    /// By its watcher.
    Stopped,
    /// Otherwise.
    Failed(String),
}

/// Multipliers of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Multipliers {
    /// λ of the rows.
    pub rows: Vec<f64>,
    /// Those of the least and largest values of the unknowns.
    pub bounds: [Vec<f64>; 2],
}

/// What a solver found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// How it ended.
    pub status: SolverStatus,
    /// The solution, or the best iterate.
    pub x: Vec<f64>,
    /// Multipliers there.
    pub multipliers: Multipliers,
    /// Iterations made.
    pub iterations: usize,
}

/// Solves nonlinear programs.
pub trait NlpSolver: Sync {
    /// Solves one.
    fn solve(
        &self,
        program: Rc<RefCell<dyn Nlp>>,
        settings: &SolverSettings,
        watch: Option<Watch>,
    ) -> Solution;

    /// Solves one whose start has multipliers and is near a solution, at the barrier parameter to end with; the number of
    /// iterations made where a few of them do not lead there, or if the solver has no way of its own for that.
    fn solve_near(
        &self,
        _program: &Rc<RefCell<dyn Nlp>>,
        _settings: &SolverSettings,
        _watch: Option<Watch>,
    ) -> Result<Solution, usize> {
        Err(0)
    }

    /// The same solver, to be kept by programs whose values are solutions of others; none if it cannot be.
    fn shared(&self) -> Option<Rc<dyn NlpSolver>> {
        None
    }

    /// Solutions d of K d = p at a solved point, K the matrix of its optimality conditions: how far unknowns
    /// and multipliers give way to pushes p, but for the sign. `None` if the solver cannot tell.
    fn responses(
        &self,
        _program: &Rc<RefCell<dyn Nlp>>,
        _x: &[f64],
        _multipliers: &Multipliers,
        _pushes: &[Response],
    ) -> Option<Vec<Response>> {
        None
    }

    /// A direction along which the objective falls to second order at a point where it is stationary,
    /// if there is one; `None` at a minimum, or if the solver cannot tell.
    fn descent(
        &self,
        _program: &Rc<RefCell<dyn Nlp>>,
        _x: &[f64],
        _multipliers: &Multipliers,
    ) -> Option<Descent> {
        None
    }
}

/// A vector over the unknowns and rows of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// Of each unknown.
    pub unknowns: Vec<f64>,
    /// Of each row.
    pub rows: Vec<f64>,
}

impl Response {
    /// The scalar product.
    pub fn dot(&self, other: &Self) -> f64 {
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        product(&self.unknowns, &other.unknowns) + product(&self.rows, &other.rows)
    }
}

/// How a stationary point is left.
#[derive(Clone, Debug, PartialEq)]
pub struct Descent {
    /// Directions of negative curvature.
    pub count: usize,
    /// The one of most negative curvature, of unit length.
    pub direction: Vec<f64>,
}
