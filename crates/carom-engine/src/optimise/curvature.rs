//! Whether a stationary point is a minimum: the inertia of its system, and the way down from a saddle.
//!
//! With the Hessian W of the Lagrangian, barrier terms Σ and the Jacobian J the matrix
//!
//! ```text
//! ⎡ W + Σ + δ   Jᵀ  ⎤
//! ⎣ J          −1/Σ ⎦
//! ```
//!
//! has as many negative eigenvalues as rows at a minimum, and one more for each way down (Σ = ∞ for
//! equations). The way down of most negative curvature is found by inverse iteration with a shift δ
//! that just makes the count right.

use pounce_linsol::{ESymSolverStatus, SparseSymLinearSolverInterface};

use super::nlp::{Descent, Multipliers, Nlp, Response};
use super::random::random;

/// What rows give way, where they are equations: dependent ones then count as rows, too.
const GIVE: f64 = 1e-9;

/// The same where a way down is looked at again: rows with small entries, as of what sticks at several points, hold little
/// else.
const GIVE_LESS: f64 = 1e-12;

/// Curvature, in parts of the largest entry of the Hessian, that counts as negative.
const NEGATIVE: f64 = 1e-7;

/// Inverse iterations.
const ITERATIONS: usize = 12;

/// The system at a point.
struct System {
    rows: Vec<i32>,
    columns: Vec<i32>,
    values: Vec<f64>,
    /// Unknowns that are not fixed; the rest of the dimension are rows.
    free: Vec<usize>,
    /// Where each row is; nowhere if it does not press.
    place: Vec<Option<usize>>,
    dim: usize,
    /// Largest entry of the Hessian.
    largest: f64,
}

impl System {
    /// Equations give way by `give`.
    fn at(program: &mut dyn Nlp, x: &[f64], m: &Multipliers, give: f64) -> Self {
        let (bounds, ranges) = (program.bounds(), program.ranges());
        let mut number = vec![usize::MAX; x.len()];
        let free: Vec<usize> = (0..x.len())
            .filter(|&k| bounds[k][0] != bounds[k][1])
            .collect();
        free.iter().enumerate().for_each(|(k, &at)| number[at] = k);
        let mut g = vec![0.0; ranges.len()];
        program.values(x, &mut g);
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut put = |r: usize, c: usize, v: f64| {
            rows.push(r.max(c) as i32 + 1);
            columns.push(r.min(c) as i32 + 1);
            values.push(v);
        };
        let pattern = program.hessian_pattern().clone();
        let mut entries = vec![0.0; pattern.rows.len()];
        program.hessian(x, 1.0, &m.rows, &mut entries);
        let largest = entries.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for ((&r, &c), &v) in pattern.rows.iter().zip(&pattern.columns).zip(&entries) {
            if number[r] != usize::MAX && number[c] != usize::MAX {
                put(number[r], number[c], v);
            }
        }
        // Bounds that hold make their unknowns stiff.
        let stiff = |z: f64, slack: f64| if z > 0.0 { z / slack.max(1e-12) } else { 0.0 };
        for (k, &at) in free.iter().enumerate() {
            let [low, high] = bounds[at];
            let z = [0, 1].map(|side| m.bounds[side].get(at).copied().unwrap_or(0.0));
            put(k, k, stiff(z[0], x[at] - low) + stiff(z[1], high - x[at]));
        }
        // Rows: equations, and inequalities that press.
        let mut place = vec![None; ranges.len()];
        let mut dim = free.len();
        for (r, range) in ranges.iter().enumerate() {
            let give = if range[0] == range[1] {
                give
            } else {
                let lambda = m.rows.get(r).copied().unwrap_or(0.0);
                let slack = if lambda < 0.0 {
                    g[r] - range[0]
                } else {
                    range[1] - g[r]
                };
                let sigma = stiff(lambda.abs(), slack.abs());
                if sigma <= 1e-6 * largest {
                    continue;
                }
                1.0 / sigma
            };
            place[r] = Some(dim);
            put(dim, dim, -give);
            dim += 1;
        }
        let pattern = program.jacobian_pattern().clone();
        let mut entries = vec![0.0; pattern.rows.len()];
        program.jacobian(x, &mut entries);
        for ((&r, &c), &v) in pattern.rows.iter().zip(&pattern.columns).zip(&entries) {
            if let (Some(at), true) = (place[r], number[c] != usize::MAX) {
                put(at, number[c], v);
            }
        }
        // Last: the shift.
        for k in 0..free.len() {
            put(k, k, 0.0);
        }
        Self {
            rows,
            columns,
            values,
            free,
            place,
            dim,
            largest,
        }
    }

    /// Gets a solver ready for it; false if it cannot.
    fn begin(&self, solver: &mut dyn SparseSymLinearSolverInterface) -> bool {
        let (dim, count) = (self.dim as i32, self.values.len() as i32);
        let ready = solver.initialize_structure(dim, count, &self.rows, &self.columns);
        ready == ESymSolverStatus::Success
    }

    /// Negative eigenvalues beyond one for each row, with a shift; solves for right-hand sides, one after the other.
    fn solve(
        &self,
        solver: &mut dyn SparseSymLinearSolverInterface,
        shift: f64,
        rhs: &mut [f64],
    ) -> Option<i32> {
        let n = self.free.len();
        let first = self.values.len() - n;
        let values = solver.values_array_mut();
        values[..self.values.len()].copy_from_slice(&self.values);
        values[first..].fill(shift);
        self.solve_for(solver, true, rhs)?;
        Some(solver.number_of_neg_evals() - (self.dim - n) as i32)
    }

    /// Solves for right-hand sides, with the matrix as it was last unless it is `new`.
    fn solve_for(
        &self,
        solver: &mut dyn SparseSymLinearSolverInterface,
        new: bool,
        rhs: &mut [f64],
    ) -> Option<()> {
        let count = (rhs.len() / self.dim) as i32;
        let status = solver.multi_solve(new, &self.rows, &self.columns, count, rhs, false, 0);
        (status == ESymSolverStatus::Success).then_some(())
    }
}

/// Solutions of the system at a point for given right-hand sides; rows that do not press give no answer.
pub(super) fn responses(
    program: &mut dyn Nlp,
    x: &[f64],
    m: &Multipliers,
    pushes: &[Response],
    solver: &mut dyn SparseSymLinearSolverInterface,
) -> Option<Vec<Response>> {
    let system = System::at(program, x, m, 0.0);
    if !system.begin(solver) {
        return None;
    }
    // All at once: the system is factorised a single time.
    let mut all = Vec::with_capacity(pushes.len() * system.dim);
    for push in pushes {
        let mut rhs = vec![0.0; system.dim];
        for (value, &at) in rhs.iter_mut().zip(&system.free) {
            *value = push.unknowns[at];
        }
        for (value, at) in push.rows.iter().zip(&system.place) {
            if let Some(at) = at {
                rhs[*at] = *value;
            }
        }
        all.extend(rhs);
    }
    if all.is_empty() {
        return Some(Vec::new());
    }
    system.solve(solver, 0.0, &mut all)?;
    let mut out = Vec::with_capacity(pushes.len());
    for (push, rhs) in pushes.iter().zip(all.chunks(system.dim)) {
        let mut answer = Response {
            unknowns: vec![0.0; x.len()],
            rows: vec![0.0; push.rows.len()],
        };
        for (value, &at) in rhs.iter().zip(&system.free) {
            answer.unknowns[at] = *value;
        }
        for (value, at) in answer.rows.iter_mut().zip(&system.place) {
            *value = at.map_or(0.0, |at| rhs[at]);
        }
        out.push(answer);
    }
    Some(out)
}

/// The way down at a point, if there is one.
pub(super) fn descent(
    program: &mut dyn Nlp,
    x: &[f64],
    m: &Multipliers,
    solver: &mut dyn SparseSymLinearSolverInterface,
) -> Option<Descent> {
    let mut system = System::at(program, x, m, GIVE);
    let n = system.free.len();
    if n == 0 || system.largest == 0.0 {
        return None;
    }
    if !system.begin(solver) || !solver.provides_inertia() {
        return None;
    }
    let mut probe = vec![0.0; system.dim];
    let floor = NEGATIVE * system.largest;
    let mut count = system.solve(solver, floor, &mut probe)?;
    if count > 0 {
        system = System::at(program, x, m, GIVE_LESS);
        if !system.begin(solver) {
            return None;
        }
        probe.fill(0.0);
        count = system.solve(solver, floor, &mut probe)?;
    }
    if count <= 0 {
        return None;
    }
    // The least shift, within a factor of two, that makes the count right.
    let mut shift = floor;
    for _ in 0..60 {
        shift *= 2.0;
        probe.fill(0.0);
        if system.solve(solver, shift, &mut probe)? <= 0 {
            break;
        }
    }
    // Inverse iteration from seeded numbers.
    let mut random = random(0x9E37_79B9_7F4A_7C15);
    let mut d: Vec<f64> = (0..n).map(|_| random()).collect();
    for _ in 0..ITERATIONS {
        let mut rhs = d.clone();
        rhs.resize(system.dim, 0.0);
        system.solve_for(solver, false, &mut rhs)?;
        let norm = rhs[..n].iter().map(|v| v * v).sum::<f64>().sqrt();
        if !(norm.is_finite() && norm > 0.0) {
            return None;
        }
        d = rhs[..n].iter().map(|v| v / norm).collect();
    }
    let mut direction = vec![0.0; x.len()];
    for (v, &at) in d.iter().zip(&system.free) {
        direction[at] = *v;
    }
    Some(Descent {
        count: count as usize,
        direction,
    })
}
