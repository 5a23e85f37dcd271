//! Anderson's mixing: a fixed point g = F(g) from the last few pairs of g and F(g).
//!
//! With f = F(g) − g and differences ΔG, ΔF of what was seen before, the next guess is
//! g + f − (ΔG + ΔF) c, where c makes |f − ΔF c| least. Where F is linear this is the method of least
//! residuals (GMRES), whose rounds grow with the square root of the damping, not with the number of
//! elements.

use crate::mechanics::{Wrench, wrench_from, wrench_vector};

/// How many differences are kept.
const DEPTH: usize = 8;
/// Differences are told apart down to this part of their squares.
const LEAST: f64 = 1e-13;

/// What was seen before.
#[derive(Debug, Default)]
pub(super) struct Mixer {
    /// g, f and their differences, the newest last; six numbers a body.
    guess: Vec<f64>,
    off: Vec<f64>,
    guesses: Vec<Vec<f64>>,
    offs: Vec<Vec<f64>>,
    started: bool,
}

impl Mixer {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.started = false;
        self.guesses.clear();
        self.offs.clear();
    }

    /// The next guess from a guess and what was found with it.
    pub fn mix(&mut self, guess: &mut [Wrench], found: &[Wrench]) {
        let now: Vec<f64> = guess.iter().flat_map(numbers).collect();
        let off: Vec<f64> = (found.iter().flat_map(numbers).zip(&now))
            .map(|(f, g)| f - g)
            .collect();
        if self.started {
            if self.offs.len() == DEPTH {
                self.guesses.remove(0);
                self.offs.remove(0);
            }
            self.guesses.push(difference(&now, &self.guess));
            self.offs.push(difference(&off, &self.off));
        }
        let c = least_squares(&self.offs, &off);
        let mut next: Vec<f64> = now.iter().zip(&off).map(|(g, f)| g + f).collect();
        for ((dg, df), c) in self.guesses.iter().zip(&self.offs).zip(&c) {
            for ((x, g), f) in next.iter_mut().zip(dg).zip(df) {
                *x -= c * (g + f);
            }
        }
        for (w, x) in guess.iter_mut().zip(next.chunks_exact(6)) {
            *w = wrench_from(&nalgebra::Vector6::from_column_slice(x));
        }
        (self.guess, self.off, self.started) = (now, off, true);
    }
}

fn numbers(w: &Wrench) -> [f64; 6] {
    wrench_vector(w).into()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// c with |b − A c| least, by Gram and Schmidt on the columns of A, the newest first; columns that add
/// nothing get zero.
fn least_squares(columns: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let n = columns.len();
    let mut basis: Vec<(usize, Vec<f64>)> = Vec::new();
    // Upper triangle: column k of A = Σ r[i][k] basis[i].
    let mut r = vec![vec![0.0; n]; n];
    for k in (0..n).rev() {
        let mut column = columns[k].clone();
        let size = dot(&column, &column);
        for (i, (_, q)) in basis.iter().enumerate() {
            let part = dot(q, &column);
            r[i][k] = part;
            column.iter_mut().zip(q).for_each(|(c, q)| *c -= part * q);
        }
        let left = dot(&column, &column);
        if left > LEAST * size {
            let length = left.sqrt();
            r[basis.len()][k] = length;
            column.iter_mut().for_each(|c| *c /= length);
            basis.push((k, column));
        }
    }
    let mut c = vec![0.0; n];
    for i in (0..basis.len()).rev() {
        let (k, q) = &basis[i];
        let known: f64 = (basis[i + 1..].iter()).map(|(l, _)| r[i][*l] * c[*l]).sum();
        c[*k] = (dot(q, b) - known) / r[i][*k];
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector6;

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
