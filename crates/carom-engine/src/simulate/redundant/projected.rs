//! The projected step (thesis (3.10)): redundant coordinates, multipliers projected out.
//!
//! ```text
//! Nᵀ(q)[p + D₁L_d(q, q⁺, h) + f⁻] = 0,   g(q⁺) = 0
//! ```
//!
//! N is an orthonormal basis of ker G(q). Dense: a check on the other formulations rather than a
//! way to simulate many bodies. Rows of loops that say nothing new make the system taller than wide;
//! it is solved by least squares.

use nalgebra::{DMatrix, DVector};

use super::Redundant;
use super::newton::Progress;
use crate::model::Model;
use crate::simulate::SimulateError;
use crate::simulate::task::StepTask;

/// Rows of G are dependent if less than this part of one is new.
const DEPENDENT: f64 = 1e-8;

/// Storage of the projected scheme.
#[derive(Debug)]
pub(in crate::simulate) struct Projected {
    pub redundant: Redundant,
    /// Multipliers of the loops, recovered after the step.
    pub loops: Vec<f64>,
}

impl Projected {
    pub fn new(model: &Model) -> Self {
        let redundant = Redundant::new(model);
        Self {
            loops: vec![0.0; redundant.m() - redundant.closures_at],
            redundant,
        }
    }

    /// Finds the motion of a step. Returns the number of iterations.
    pub fn solve(&mut self, task: &StepTask<'_>) -> Result<u32, SimulateError> {
        let StepTask {
            model,
            state,
            h,
            gamma,
            loads,
            limit,
        } = *task;
        let q = &mut self.redundant;
        q.start(model, state, h, loads);
        let jacobian = q.constraint_matrix(&q.rows);
        let null = complement(&jacobian);
        let free = null.ncols();
        let mut progress = Progress::new(limit);
        loop {
            q.evaluate(model, state, h, gamma);
            // Nᵀ r, times h to be of the size of Δ.
            let balance = null.tr_mul(&DVector::from_column_slice(&q.residual));
            let sizes = q.sizes(balance.as_slice(), false);
            if q.settled(model, state, h, &sizes, &mut progress)? {
                q.finish(model, state, h)?;
                self.recover(&jacobian);
                return Ok(progress.iterations);
            }
            let mut stiffness = DMatrix::zeros(q.n, q.n);
            q.stiffness(model, state, h, gamma, |i, j, v| stiffness[(i, j)] += v);
            let mut matrix = DMatrix::zeros(free + q.m(), q.n);
            let mut rhs = DVector::zeros(free + q.m());
            matrix
                .rows_mut(0, free)
                .copy_from(&(null.tr_mul(&stiffness) * h));
            matrix
                .rows_mut(free, q.m())
                .copy_from(&q.constraint_matrix(&q.rows_next));
            rhs.rows_mut(0, free).copy_from(&(balance * h));
            for (k, row) in q.rows_next.iter().enumerate() {
                rhs[free + k] = row.value;
            }
            let qr = matrix.qr();
            let Some(delta) = qr.r().solve_upper_triangular(&qr.q().tr_mul(&rhs)) else {
                return Err(sizes.singular(model, state));
            };
            q.correct(state, delta.as_slice());
        }
    }

    /// Least multipliers with Gᵀ(q) λ = p + D₁L_d + f⁻, thesis (3.18) (impulses: h times its λ).
    fn recover(&mut self, jacobian: &DMatrix<f64>) {
        if self.loops.is_empty() {
            return;
        }
        let q = &self.redundant;
        let balance = DVector::from_column_slice(&q.residual);
        // Rows may say the same thing twice: a little compliance, taken back by refinement.
        let mut gram = jacobian * jacobian.transpose();
        let compliance = 1e-10 * gram.diagonal().amax();
        for k in 0..gram.nrows() {
            gram[(k, k)] += compliance;
        }
        let factor = gram.lu();
        let mut lambda = DVector::zeros(jacobian.nrows());
        for _ in 0..3 {
            let rest = &balance - jacobian.tr_mul(&lambda);
            let Some(more) = factor.solve(&(jacobian * rest)) else {
                return;
            };
            lambda += more;
        }
        self.loops
            .copy_from_slice(&lambda.as_slice()[q.closures_at..]);
    }
}

/// Orthonormal basis of the vectors perpendicular to all rows: Gram and Schmidt, each vector twice.
fn complement(rows: &DMatrix<f64>) -> DMatrix<f64> {
    let n = rows.ncols();
    let mut basis: Vec<DVector<f64>> = Vec::with_capacity(n);
    let reduced = |basis: &[DVector<f64>], v: &mut DVector<f64>| {
        for _ in 0..2 {
            for b in basis {
                let along = b.dot(v);
                v.axpy(-along, b, 1.0);
            }
        }
    };
    for row in rows.row_iter() {
        let mut v = row.transpose();
        let whole = v.norm();
        reduced(&basis, &mut v);
        let new = v.norm();
        if new > DEPENDENT * whole {
            basis.push(v / new);
        }
    }
    let rank = basis.len();
    // Parts of the unit vectors that are left; the longest is always long enough to trust.
    let mut left: Vec<f64> = (0..n)
        .map(|k| 1.0 - basis.iter().map(|b| b[k] * b[k]).sum::<f64>())
        .collect();
    while basis.len() < n {
        let k = (0..n)
            .max_by(|a, b| left[*a].total_cmp(&left[*b]))
            .unwrap_or(0);
        let mut v = DVector::zeros(n);
        v[k] = 1.0;
        reduced(&basis, &mut v);
        let v = v.normalize();
        for (l, c) in left.iter_mut().zip(v.iter()) {
            *l -= c * c;
        }
        basis.push(v);
    }
    if rank == n {
        return DMatrix::zeros(n, 0);
    }
    DMatrix::from_columns(&basis[rank..])
}
