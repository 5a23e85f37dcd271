//! Sweeps that remember: Anderson mixing of the impulses from one pair of sweeps to the next.
//!
//! A pair of sweeps, forwards and backwards, takes impulses x to g(x). Where it stays with the same contacts,
//! g is nearly linear, and what the last pairs did says where it leads: of all mixtures of the last g the one is
//! taken whose change g − x would be smallest (Anderson 1965; Walker and Ni 2011). Changes are measured by the
//! energy they move.

use super::sweep::Course;
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;
use crate::mechanics::dense::{self, dot};

/// Pairs of sweeps that are remembered.
const MEMORY: usize = 8;
/// Pairs of sweeps between two looks at the residual.
const LOOK: usize = 4;
/// Size of the diagonal that keeps mixtures small, as a part of the trace.
const DAMPED: f64 = 1e-10;
/// A change so many times the least one: what is remembered does not hold any more.
const ASTRAY: f64 = 3.0;
/// Pairs of sweeps that are waited for where the residual is good already.
const SHORT: usize = 12;

/// How long sweeps go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// The residual to stop at, and one from which on patience is short.
    pub enough: f64,
    pub good: f64,
    /// Pairs of sweeps in which the residual must fall to a part, and that part.
    pub pairs: usize,
    pub part: f64,
    /// Pairs of sweeps at most.
    pub most: usize,
}

/// Storage of the method.
#[derive(Debug, Default)]
pub(super) struct Mixing {
    before: Vec<f64>,
    /// The change of this pair of sweeps and of the last, and where the last led.
    change: Vec<f64>,
    last_change: Vec<f64>,
    last: Vec<f64>,
    /// Differences between neighbours of the changes, and of where they led; their scalar products.
    changes: [Vec<f64>; MEMORY],
    leads: [Vec<f64>; MEMORY],
    products: [[f64; MEMORY]; MEMORY],
    /// How many differences there are, and the place of the next.
    filled: usize,
    next: usize,
    best: Vec<f64>,
}

impl Mixing {
    /// Sweeps until the residual is small enough or falls no more; the best is kept.
    pub fn run(
        &mut self,
        course: &Course,
        rows: &mut Rows,
        nu: &mut [f64],
        patience: &Patience,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Outcome {
        self.forget();
        let mut known = false;
        let mut least_change = f64::INFINITY;
        // The best so far, and what was left when patience was last renewed.
        let mut least = residual(rows, nu);
        self.best.clear();
        self.best.extend_from_slice(&rows.lambda);
        let mut renewed = (0, least);
        let mut made = 0;
        for pair in 1..=patience.most {
            made = pair as u32;
            self.before.clear();
            self.before.extend_from_slice(&rows.lambda);
            course.sweep(rows, nu, false);
            course.sweep(rows, nu, true);
            self.change.clear();
            let of = |r: usize| (rows.lambda[r] - self.before[r]) * rows.weight(r).sqrt();
            self.change.extend((0..rows.len()).map(of));
            let size = dot(&self.change, &self.change).sqrt();
            if pair % LOOK == 0 || size == 0.0 {
                let left = residual(rows, nu);
                if left < least {
                    least = left;
                    self.best.copy_from_slice(&rows.lambda);
                }
                if least <= patience.part * renewed.1 {
                    renewed = (pair, least);
                }
                let pairs = if least <= patience.good {
                    SHORT.min(patience.pairs)
                } else {
                    patience.pairs
                };
                let tired = pair - renewed.0 >= pairs;
                if left <= patience.enough || size == 0.0 || tired {
                    break;
                }
            }
            if size > ASTRAY * least_change {
                self.forget();
                known = false;
                least_change = f64::INFINITY;
            }
            least_change = least_change.min(size);
            if known {
                self.remember(rows);
            }
            self.last_change.clone_from(&self.change);
            self.last.clone_from(&rows.lambda);
            known = true;
            self.mix(rows, nu);
        }
        // Mixtures may lie outside their cones, and the last need not be the best.
        rows.go_to(&self.best, nu);
        Outcome {
            rounds: 2 * made,
            residual: least,
            converged: least <= patience.good,
        }
    }

    fn forget(&mut self) {
        (self.filled, self.next) = (0, 0);
    }

    /// Takes the difference to the last pair of sweeps.
    fn remember(&mut self, rows: &Rows) {
        let slot = self.next;
        let differ = |list: &mut Vec<f64>, now: &[f64], last: &[f64]| {
            list.clear();
            list.extend(now.iter().zip(last).map(|(a, b)| a - b));
        };
        differ(&mut self.changes[slot], &self.change, &self.last_change);
        differ(&mut self.leads[slot], &rows.lambda, &self.last);
        self.next = (slot + 1) % MEMORY;
        self.filled = (self.filled + 1).min(MEMORY);
        for k in 0..self.filled {
            let product = dot(&self.changes[slot], &self.changes[k]);
            self.products[slot][k] = product;
            self.products[k][slot] = product;
        }
    }

    /// The mixture with the smallest change: min |f − ΔF γ|, then λ ← g − ΔG γ.
    fn mix(&self, rows: &mut Rows, nu: &mut [f64]) {
        let m = self.filled;
        if m == 0 {
            return;
        }
        let mut matrix = [0.0; MEMORY * MEMORY];
        let mut gamma = [0.0; MEMORY];
        let trace: f64 = (0..m).map(|k| self.products[k][k]).sum();
        for i in 0..m {
            matrix[i * m..(i + 1) * m].copy_from_slice(&self.products[i][..m]);
            matrix[i * m + i] += DAMPED * trace;
            gamma[i] = dot(&self.changes[i], &self.change);
        }
        if !dense::solve(&mut matrix[..m * m], &mut gamma[..m]) {
            return;
        }
        for row in 0..rows.len() {
            let terms = gamma[..m].iter().zip(&self.leads);
            let change: f64 = -terms.map(|(g, lead)| g * lead[row]).sum::<f64>();
            if change != 0.0 {
                rows.add(row, change, nu);
            }
        }
    }
}
