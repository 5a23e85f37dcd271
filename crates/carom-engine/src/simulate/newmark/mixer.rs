//! Anderson's mixing: a fixed point g = F(g) from the last few pairs of g and F(g).
//!
//! With f = F(g) − g and differences ΔG, ΔF of what was seen before, the next guess is
//! g + f − (ΔG + ΔF) c, where c makes |f − ΔF c| least. Where F is linear this is the method of least
//! residuals (GMRES), whose rounds grow with the square root of the damping, not with the number of
//! elements.

use nalgebra::Vector6;

use crate::mechanics::dense::dot;
use crate::mechanics::{Wrench, wrench_from, wrench_vector};

/// How many differences are kept.
const DEPTH: usize = 8;
/// Differences are told apart down to this part of their squares.
const LEAST: f64 = 1e-13;

/// What was seen before; storage is kept from one step to the next.
#[derive(Debug, Default)]
pub(super) struct Mixer {
    /// g and f as they were, six numbers a body.
    guess: Vec<f64>,
    off: Vec<f64>,
    started: bool,
    /// Differences, the newest last: the first `kept` places are in use.
    guesses: Vec<Vec<f64>>,
    offs: Vec<Vec<f64>>,
    kept: usize,
    fit: Fit,
}

impl Mixer {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.started = false;
        self.kept = 0;
    }

    /// The next guess from a guess and what was found with it.
    pub fn mix(&mut self, guess: &mut [Wrench], found: &[Wrench]) {
        let n = 6 * guess.len();
        if self.guess.len() != n {
            (self.guess, self.off) = (vec![0.0; n], vec![0.0; n]);
            (self.guesses, self.offs) = (vec![vec![0.0; n]; DEPTH], vec![vec![0.0; n]; DEPTH]);
            self.clear();
        }
        if self.started {
            if self.kept == DEPTH {
                self.guesses.rotate_left(1);
                self.offs.rotate_left(1);
            } else {
                self.kept += 1;
            }
        }
        // What was is subtracted from what is, in the place of the newest.
        let newest = self.kept.saturating_sub(1);
        for (k, (g, f)) in guess.iter().zip(found).enumerate() {
            let (now, then) = (numbers(g), numbers(f));
            for i in 0..6 {
                let at = 6 * k + i;
                let off = then[i] - now[i];
                if self.started {
                    self.guesses[newest][at] = now[i] - self.guess[at];
                    self.offs[newest][at] = off - self.off[at];
                }
                (self.guess[at], self.off[at]) = (now[i], off);
            }
        }
        self.started = true;
        let c = self.fit.solve(&self.offs[..self.kept], &self.off);
        for (k, w) in guess.iter_mut().enumerate() {
            let mut next = Vector6::zeros();
            for i in 0..6 {
                let at = 6 * k + i;
                let differences = self.guesses[..self.kept].iter().zip(&self.offs).zip(c);
                let taken: f64 = differences.map(|((g, f), c)| c * (g[at] + f[at])).sum();
                next[i] = self.guess[at] + self.off[at] - taken;
            }
            *w = wrench_from(&next);
        }
    }
}

fn numbers(w: &Wrench) -> [f64; 6] {
    wrench_vector(w).into()
}

/// Storage of a fit by least squares.
#[derive(Debug, Default)]
struct Fit {
    /// Orthonormal columns, and which of the given ones each came from.
    basis: Vec<Vec<f64>>,
    from: [usize; DEPTH],
    c: [f64; DEPTH],
}

impl Fit {
    /// c with |b − A c| least, by Gram and Schmidt on the columns of A, the newest first; columns that
    /// add nothing get zero.
    fn solve(&mut self, columns: &[Vec<f64>], b: &[f64]) -> &[f64] {
        let n = columns.len();
        self.basis.resize_with(DEPTH, Vec::new);
        // Upper triangle: column k of A = Σ r[i][k] basis[i].
        let mut r = [[0.0; DEPTH]; DEPTH];
        let mut rank = 0;
        for k in (0..n).rev() {
            let (known, rest) = self.basis.split_at_mut(rank);
            let column = &mut rest[0];
            column.clone_from(&columns[k]);
            let size = dot(column, column);
            for (i, q) in known.iter().enumerate() {
                let part = dot(q, column);
                r[i][k] = part;
                column.iter_mut().zip(q).for_each(|(c, q)| *c -= part * q);
            }
            let left = dot(column, column);
            if left > LEAST * size {
                let length = left.sqrt();
                r[rank][k] = length;
                column.iter_mut().for_each(|c| *c /= length);
                self.from[rank] = k;
                rank += 1;
            }
        }
        self.c.fill(0.0);
        for i in (0..rank).rev() {
            let known: f64 = (self.from[i + 1..rank].iter())
                .map(|l| r[i][*l] * self.c[*l])
                .sum();
            let k = self.from[i];
            self.c[k] = (dot(&self.basis[i], b) - known) / r[i][k];
        }
        &self.c[..n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_maps_that_do_not_contract_are_solved() {
        // F(g) = b − D g with D diagonal, up to 5: plain iteration would blow up.
        let d = |k: usize| 0.05 * k as f64;
        let b = |k: usize| (k as f64).cos();
        let mut guess = vec![crate::mechanics::NO_WRENCH; 16];
        let mut mixer = Mixer::default();
        for _ in 0..60 {
            let g: Vec<f64> = guess.iter().flat_map(numbers).collect();
            let f: Vec<f64> = (0..96).map(|k| b(k) - d(k) * g[k]).collect();
            let found: Vec<Wrench> = (f.chunks_exact(6))
                .map(|x| wrench_from(&Vector6::from_column_slice(x)))
                .collect();
            mixer.mix(&mut guess, &found);
        }
        for (k, g) in guess.iter().flat_map(numbers).enumerate() {
            assert!((g - b(k) / (1.0 + d(k))).abs() < 1e-9, "{k}: {g}");
        }
    }
}
