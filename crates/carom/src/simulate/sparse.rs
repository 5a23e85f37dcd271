//! Linear systems put together entry by entry; sparse ones, whose pattern rarely changes.

use faer::sparse::{Argsort, Pair, SparseColMat, SymbolicSparseColMat};

use super::sparse_lu::SparseLu;
use crate::mechanics::dense;

/// A square system: entries in any order, several at one place add up.
#[derive(Debug, Default)]
pub(super) struct SparseSystem {
    places: Vec<Pair<usize, usize>>,
    values: Vec<f64>,
    /// How many entries are as they were in the system before.
    same: usize,
    solver: Option<Solver>,
}

#[derive(Debug)]
struct Solver {
    pattern: SymbolicSparseColMat<usize>,
    order: Argsort<usize>,
    lu: SparseLu,
}

impl SparseSystem {
    /// Forgets the values; places are kept to compare.
    pub fn clear(&mut self) {
        self.values.clear();
        self.same = 0;
    }

    /// Adds a value.
    #[inline]
    pub fn add(&mut self, row: usize, col: usize, value: f64) {
        let k = self.values.len();
        self.values.push(value);
        match self.places.get_mut(k) {
            Some(place) if place.row == row && place.col == col => self.same += 1,
            Some(place) => *place = Pair { row, col },
            None => self.places.push(Pair { row, col }),
        }
    }

    /// A x = b; b becomes x. False if singular.
    pub fn solve(&mut self, b: &mut [f64]) -> bool {
        let entries = self.values.len();
        if self.same != entries || self.places.len() != entries || self.solver.is_none() {
            self.places.truncate(entries);
            self.solver = Solver::new(b.len(), &self.places);
        }
        let Some(solver) = &mut self.solver else {
            return false;
        };
        let pattern = solver.pattern.clone();
        SparseColMat::new_from_argsort(pattern, &solver.order, &self.values)
            .is_ok_and(|matrix| solver.lu.solve(&matrix, b))
    }
}

impl Solver {
    /// Analyses a pattern; `None` if it is singular or too large.
    fn new(size: usize, places: &[Pair<usize, usize>]) -> Option<Self> {
        let (pattern, order) =
            SymbolicSparseColMat::try_new_from_indices(size, size, places).ok()?;
        let lu = SparseLu::with_supernodes(&pattern)?;
        Some(Self { pattern, order, lu })
    }
}

/// The matrix of a system: entries at one place add up.
#[derive(Debug)]
pub(super) enum Matrix {
    Dense { entries: Vec<f64>, n: usize },
    Sparse(Box<SparseSystem>),
}

impl Default for Matrix {
    fn default() -> Self {
        Matrix::Sparse(Box::default())
    }
}

impl Matrix {
    /// A dense one of n rows.
    pub fn dense(n: usize) -> Self {
        Matrix::Dense {
            entries: vec![0.0; n * n],
            n,
        }
    }

    /// All entries zero.
    pub fn clear(&mut self) {
        match self {
            Matrix::Dense { entries, .. } => entries.fill(0.0),
            Matrix::Sparse(s) => s.clear(),
        }
    }

    /// Adds a value.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        match self {
            Matrix::Dense { entries, n } => entries[row * *n + column] += value,
            Matrix::Sparse(s) => s.add(row, column, value),
        }
    }

    /// A x = b; b becomes x. False if singular.
    pub fn solve(&mut self, rhs: &mut [f64]) -> bool {
        match self {
            Matrix::Dense { entries, .. } => dense::solve(entries, rhs),
            Matrix::Sparse(s) => s.solve(rhs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_may_change_between_solves() {
        let mut system = SparseSystem::default();
        for (round, off) in [0.0, 1.0, 1.0, 0.0].into_iter().enumerate() {
            system.clear();
            for k in 0..40 {
                system.add(k, k, 2.0 + round as f64);
                system.add(k, k, 1.0);
                if off != 0.0 && k > 0 {
                    system.add(k - 1, k, off);
                }
            }
            let x: Vec<f64> = (0..40).map(|k| f64::from(k).sin()).collect();
            let mut b: Vec<f64> = (0..40)
                .map(|k| (3.0 + round as f64) * x[k] + off * x.get(k + 1).unwrap_or(&0.0))
                .collect();
            assert!(system.solve(&mut b));
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-13));
        }
        system.clear();
        assert!(!system.solve(&mut [1.0]));
    }
}
