//! Largest and smallest value of each weight over the optimal set (thesis 2.7.5, after Akgul).
//!
//! max ±zⱼ s.t. A z = b, z ≥ 0 with four rows: a dense two-phase simplex with Bland's rule, which
//! cannot cycle. Small and off the hot path; robustness before speed.

use nalgebra::Vector4;

const ROWS: usize = 4;
const ZERO: f64 = 1e-11;

/// A dense tableau in canonical form: `entries[r]` holds the columns, then the right-hand side.
pub(super) struct Tableau {
    entries: Vec<Vec<f64>>,
    basis: Vec<usize>,
    columns: usize,
}

impl Tableau {
    /// A feasible tableau of A z = b (b ≥ 0), or `None` if there is no z ≥ 0.
    pub fn feasible(columns: &[Vector4<f64>], b: &Vector4<f64>) -> Option<Self> {
        let n = columns.len();
        let mut entries: Vec<Vec<f64>> = (0..ROWS)
            .map(|r| {
                let mut row: Vec<f64> = columns.iter().map(|a| a[r]).collect();
                row.extend((0..ROWS).map(|k| if k == r { 1.0 } else { 0.0 }));
                row.push(b[r]);
                row
            })
            .collect();
        let mut tableau = Self {
            basis: (n..n + ROWS).collect(),
            entries: std::mem::take(&mut entries),
            columns: n + ROWS,
        };
        // Phase one: drive the artificial columns to zero.
        let cost: Vec<f64> = (0..n + ROWS)
            .map(|j| if j < n { 0.0 } else { -1.0 })
            .collect();
        if tableau.maximise(&cost) < -1e-9 {
            return None;
        }
        // What is left of them at zero is exchanged, or its row says nothing and is dropped.
        let mut r = 0;
        while r < tableau.basis.len() {
            if tableau.basis[r] < n {
                r += 1;
                continue;
            }
            match (0..n).max_by(|i, j| {
                tableau.entries[r][*i]
                    .abs()
                    .total_cmp(&tableau.entries[r][*j].abs())
            }) {
                Some(j) if tableau.entries[r][j].abs() > 1e-9 => tableau.pivot(r, j),
                _ => {
                    tableau.entries.remove(r);
                    tableau.basis.remove(r);
                }
            }
        }
        for row in &mut tableau.entries {
            row.drain(n..n + ROWS);
        }
        tableau.columns = n;
        Some(tableau)
    }

    /// [min, max] of zⱼ.
    pub fn range(&mut self, j: usize) -> [f64; 2] {
        let mut cost = vec![0.0; self.columns];
        cost[j] = -1.0;
        let least = -self.maximise(&cost);
        cost[j] = 1.0;
        let most = self.maximise(&cost);
        [least.clamp(0.0, 1.0), most.clamp(0.0, 1.0)]
    }

    /// Maximises ⟨cost, z⟩ from the present basis; returns the value.
    fn maximise(&mut self, cost: &[f64]) -> f64 {
        // Bland's rule ends after finitely many pivots; the limit guards against round-off.
        for _ in 0..50 * (self.columns + ROWS) {
            let reduced = |j: usize| {
                cost[j]
                    - self
                        .basis
                        .iter()
                        .zip(&self.entries)
                        .map(|(b, row)| cost[*b] * row[j])
                        .sum::<f64>()
            };
            let Some(enter) =
                (0..self.columns).find(|&j| !self.basis.contains(&j) && reduced(j) > ZERO)
            else {
                break;
            };
            let mut leave: Option<(f64, usize)> = None;
            for (r, row) in self.entries.iter().enumerate() {
                if row[enter] > ZERO {
                    let ratio = row[self.columns].max(0.0) / row[enter];
                    let better = leave.is_none_or(|(best, at)| {
                        ratio < best - 1e-15
                            || (ratio <= best + 1e-15 && self.basis[r] < self.basis[at])
                    });
                    if better {
                        leave = Some((ratio, r));
                    }
                }
            }
            match leave {
                Some((_, r)) => self.pivot(r, enter),
                None => break,
            }
        }
        self.basis
            .iter()
            .zip(&self.entries)
            .map(|(b, row)| cost[*b] * row[self.columns])
            .sum()
    }

    fn pivot(&mut self, r: usize, j: usize) {
        let scale = 1.0 / self.entries[r][j];
        for v in &mut self.entries[r] {
            *v *= scale;
        }
        let pivot = self.entries[r].clone();
        for (k, row) in self.entries.iter_mut().enumerate() {
            if k != r {
                let factor = row[j];
                if factor != 0.0 {
                    for (v, p) in row.iter_mut().zip(&pivot) {
                        *v -= factor * p;
                    }
                }
            }
        }
        self.basis[r] = j;
    }
}
