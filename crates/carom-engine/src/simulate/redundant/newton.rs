//! When Newton's method has converged, or failed.

use super::Redundant;
use crate::model::Model;
use crate::simulate::{STALLED, SimulateError, State, guard};

/// Sizes of a residual relative to the terms that balance; the body where it is worst.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    balance: f64,
    constraint: f64,
    worst: usize,
}

impl Sizes {
    fn largest(&self) -> f64 {
        // NaN must not hide.
        if self.balance.is_nan() || self.constraint.is_nan() {
            f64::NAN
        } else {
            self.balance.max(self.constraint)
        }
    }

    /// The error of a matrix that cannot be inverted.
    pub fn singular(&self, model: &Model, state: &State) -> SimulateError {
        SimulateError::Singular {
            time: state.time,
            body: model.bodies()[self.worst].name.clone(),
        }
    }
}

/// How far an iteration has got.
#[derive(Debug)]
pub(super) struct Progress {
    /// Iterations so far, and how many there may be.
    pub iterations: u32,
    most: usize,
    /// Least size of the residual so far.
    best: f64,
}

impl Progress {
    pub fn new(max_iterations: usize) -> Self {
        Self {
            iterations: 0,
            most: max_iterations,
            best: f64::INFINITY,
        }
    }
}

impl Redundant {
    /// Sizes of |g|, and of a balance (all components of r, or projected ones).
    pub(super) fn sizes(&self, balance: &[f64], per_body: bool) -> Sizes {
        let longest = self
            .next
            .iter()
            .fold(1.0_f64, |m, p| m.max(p.position.amax()));
        let mut out = Sizes {
            balance: 0.0,
            constraint: 0.0,
            worst: 0,
        };
        let mut worst = 0;
        for (k, r) in balance.iter().enumerate() {
            if r.abs() > out.balance || r.is_nan() {
                out.balance = r.abs();
                worst = k;
            }
            if r.is_nan() {
                break;
            }
        }
        out.balance /= self.scale;
        if per_body {
            out.worst = self.first.partition_point(|f| *f <= worst).max(1) - 1;
        }
        for (row, ends) in self.rows_next.iter().zip(&self.ends) {
            let size = row.value.abs() / longest;
            if size > out.constraint || size.is_nan() {
                out.constraint = size;
                if size > out.balance || !per_body {
                    out.worst = ends.child;
                }
            }
            if size.is_nan() {
                break;
            }
        }
        out
    }

    /// Whether an iteration has converged; counts one more if not.
    pub(super) fn settled(
        &self,
        model: &Model,
        state: &State,
        h: f64,
        sizes: &Sizes,
        progress: &mut Progress,
    ) -> Result<bool, SimulateError> {
        let size = sizes.largest();
        let name = || model.bodies()[sizes.worst].name.clone();
        if !size.is_finite() {
            return Err(SimulateError::NotFinite {
                time: state.time,
                body: name(),
            });
        }
        if size == 0.0 || (size >= 0.5 * progress.best && progress.best <= STALLED) {
            return Ok(true);
        }
        if progress.iterations as usize == progress.most {
            let all = 0..model.bodies().len();
            let error = SimulateError::NotConverged {
                time: state.time,
                body: name(),
                residual: size,
                iterations: progress.most,
            };
            return Err(guard::failed(model, state, all, &self.increments, h, error));
        }
        progress.best = progress.best.min(size);
        progress.iterations += 1;
        Ok(false)
    }
}
