//! The SSH LP in floating point, by a general solver.

use microlp::{ComparisonOp, Error, OptimizationDirection, Problem, SolveOptions};

/// The smallest t with t β ∈ A − B, in units of |β|; `None` if the line along β misses A − B.
/// Made for bodies of size about one, as the solver's tolerances are absolute: accurate to 1e-9
/// where the optimum is well conditioned.
pub fn lp_gap(a: &[[f64; 3]], b: &[[f64; 3]], beta: [f64; 3]) -> Option<f64> {
    let mut lp = Problem::new(OptimizationDirection::Minimize);
    let t = lp.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
    let w: Vec<_> = a.iter().map(|_| lp.add_var(0.0, (0.0, 1.0))).collect();
    let v: Vec<_> = b.iter().map(|_| lp.add_var(0.0, (0.0, 1.0))).collect();
    for k in 0..3 {
        // Σ wᵢ xᵢ − Σ vⱼ yⱼ − t β = 0.
        let x = w.iter().zip(a).map(|(&w, x)| (w, x[k]));
        let y = v.iter().zip(b).map(|(&v, y)| (v, -y[k]));
        let row = x.chain(y).chain([(t, -beta[k])]).filter(|&(_, c)| c != 0.0);
        lp.add_constraint(row.collect::<Vec<_>>(), ComparisonOp::Eq, 0.0);
    }
    for weights in [w, v] {
        // Σ w = 1, Σ v = 1.
        let row: Vec<_> = weights.into_iter().map(|w| (w, 1.0)).collect();
        lp.add_constraint(row, ComparisonOp::Eq, 1.0);
    }
    let mut options = SolveOptions::default();
    options.tolerances.feasibility = 1e-10;
    match lp.solve_with(options) {
        Ok(outcome) => outcome.into_solution().ok().map(|s| s.objective()),
        Err(Error::Infeasible) => None,
        Err(error) => panic!("{error}"),
    }
}
