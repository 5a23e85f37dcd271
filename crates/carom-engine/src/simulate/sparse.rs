//! Linear systems put together entry by entry; sparse ones, whose pattern rarely changes.

use faer::sparse::{Pair, SparseColMat, SymbolicSparseColMat};

use super::sparse_lu::SparseLu;
use crate::mechanics::{SparseCholesky, dense};

/// Relative to the largest entry, what mirror images may differ by in a symmetric matrix.
const SYMMETRIC: f64 = 1e-11;

/// A square system: entries in any order, several at one place add up.
#[derive(Debug, Default)]
pub(super) struct SparseSystem {
    places: Vec<Pair<usize, usize>>,
    values: Vec<f64>,
    /// How many entries are as they were in the system before.
    same: usize,
    solver: Option<Solver>,
}

/// A matrix whose pattern is analysed, with its factors: those of Cholesky where it is symmetric and
/// definite, as that of elastic bodies is, else L U.
#[derive(Debug)]
struct Solver {
    matrix: SparseColMat<usize, f64>,
    /// Where each entry goes among the values.
    slots: Vec<usize>,
    /// The mirror image of each value; empty where the pattern is not symmetric.
    mirror: Vec<usize>,
    cholesky: Option<SparseCholesky>,
    lu: Option<SparseLu>,
    factors: Option<Factors>,
}

#[derive(Clone, Copy, Debug)]
enum Factors {
    /// L Lᵀ of the matrix times this sign.
    Definite(f64),
    General,
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
        solver.gather(&self.values);
        solver.factorise();
        solver.substitute(b)
    }

    /// The same with the matrix of the last solution; false if there is none.
    pub fn solve_again(&mut self, b: &mut [f64]) -> bool {
        self.solver.as_mut().is_some_and(|s| s.substitute(b))
    }

    /// Forgets the last matrix, so that what follows does not depend on it.
    pub fn forget(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.factors = None;
        }
    }

    fn has_factors(&self) -> bool {
        self.solver.as_ref().is_some_and(|s| s.factors.is_some())
    }
}

impl Solver {
    /// Analyses a pattern; `None` if it is too large.
    fn new(size: usize, places: &[Pair<usize, usize>]) -> Option<Self> {
        let made = SymbolicSparseColMat::try_new_from_indices(size, size, places);
        let (pattern, _) = made.ok()?;
        let (starts, rows) = (pattern.col_ptr(), pattern.row_idx());
        let slot = |row: usize, col: usize| {
            let first = starts[col];
            let found = rows[first..starts[col + 1]].binary_search(&row);
            found.ok().map(|k| first + k)
        };
        let slots = places.iter().map(|p| slot(p.row, p.col));
        let slots = slots.collect::<Option<Vec<usize>>>()?;
        let columns = (0..size).flat_map(|c| (starts[c]..starts[c + 1]).map(move |k| (c, k)));
        let mirror = columns.map(|(col, k)| slot(col, rows[k]));
        let mirror = mirror.collect::<Option<Vec<usize>>>().unwrap_or_default();
        let values = vec![0.0; rows.len()];
        Some(Self {
            matrix: SparseColMat::new(pattern, values),
            slots,
            mirror,
            cholesky: None,
            lu: None,
            factors: None,
        })
    }

    /// Sums up the entries at each place.
    fn gather(&mut self, entries: &[f64]) {
        let values = self.matrix.val_mut();
        values.fill(0.0);
        for (slot, entry) in self.slots.iter().zip(entries) {
            values[*slot] += entry;
        }
    }

    /// The sign of the diagonal of a symmetric matrix, where it has one.
    fn sign(&self) -> Option<f64> {
        let values = self.matrix.val();
        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let pairs = || values.iter().zip(&self.mirror).enumerate();
        let diagonal = || {
            pairs()
                .filter(|(k, (_, m))| *k == **m)
                .map(|(_, (v, _))| *v)
        };
        let even = |(_, (v, m)): (_, (&f64, &usize))| (v - values[*m]).abs() <= SYMMETRIC * largest;
        if self.mirror.is_empty() || !pairs().all(even) {
            return None;
        }
        let sign = diagonal().next()?.signum();
        diagonal().all(|d| d * sign > 0.0).then_some(sign)
    }

    fn factorise(&mut self) {
        self.factors = self.definite().or_else(|| {
            if self.lu.is_none() {
                self.lu =
                    SparseLu::with_supernodes(self.matrix.symbolic().to_owned().ok().as_ref()?);
            }
            let lu = self.lu.as_mut()?;
            lu.factorise(self.matrix.as_ref())
                .then_some(Factors::General)
        });
    }

    /// Cholesky's factors; the matrix is left as it was.
    fn definite(&mut self) -> Option<Factors> {
        let sign = self.sign()?;
        if self.cholesky.is_none() {
            self.cholesky = SparseCholesky::new(self.matrix.symbolic());
        }
        let cholesky = self.cholesky.as_mut()?;
        let turn = |matrix: &mut SparseColMat<usize, f64>| {
            if sign < 0.0 {
                matrix.val_mut().iter_mut().for_each(|v| *v = -*v);
            }
        };
        turn(&mut self.matrix);
        let done = cholesky.factorise(self.matrix.as_ref());
        turn(&mut self.matrix);
        done.then_some(Factors::Definite(sign))
    }

    /// A x = b with the last factors; false if there are none, or x is not finite.
    fn substitute(&mut self, b: &mut [f64]) -> bool {
        match (self.factors, &mut self.cholesky, &mut self.lu) {
            (Some(Factors::Definite(sign)), Some(cholesky), _) => {
                cholesky.solve(b);
                b.iter_mut().for_each(|x| *x *= sign);
                b.iter().all(|x| x.is_finite())
            }
            (Some(Factors::General), _, Some(lu)) => lu.substitute(b),
            _ => false,
        }
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

    /// Whether the factors of the last solution are kept.
    pub fn has_factors(&self) -> bool {
        match self {
            Matrix::Dense { .. } => false,
            Matrix::Sparse(s) => s.has_factors(),
        }
    }

    /// A x = b with the factors of the last solution; false if there are none.
    pub fn solve_again(&mut self, rhs: &mut [f64]) -> bool {
        match self {
            Matrix::Dense { .. } => false,
            Matrix::Sparse(s) => s.solve_again(rhs),
        }
    }

    /// Forgets these factors, so that a step does not depend on the one before.
    pub fn forget(&mut self) {
        if let Matrix::Sparse(s) = self {
            s.forget();
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

    /// A chain of springs between walls, times a sign, with one entry off the mirror.
    fn chain(sign: f64, skew: f64) -> SparseSystem {
        let mut system = SparseSystem::default();
        for k in 0..30 {
            system.add(k, k, sign * 2.5);
            if k > 0 {
                system.add(k - 1, k, -sign);
                system.add(k, k - 1, -sign + if k == 7 { skew } else { 0.0 });
            }
        }
        system
    }

    #[test]
    fn definite_matrices_get_cholesky_factors_and_all_the_same_solution() {
        let apply = |x: &[f64], sign: f64, skew: f64| -> Vec<f64> {
            let at = |k: usize| x.get(k).copied().unwrap_or(0.0);
            let row = |k: usize| {
                let left = if k > 0 { at(k - 1) } else { 0.0 };
                let more = if k == 7 { skew * left } else { 0.0 };
                sign * (2.5 * at(k) - left - at(k + 1)) + more
            };
            (0..30).map(row).collect()
        };
        let x: Vec<f64> = (0..30).map(|k| f64::from(k).cos()).collect();
        for (sign, skew, definite) in [(1.0, 0.0, true), (-1.0, 0.0, true), (1.0, 0.3, false)] {
            let mut system = chain(sign, skew);
            let mut b = apply(&x, sign, skew);
            assert!(system.solve(&mut b));
            let factors = system.solver.as_ref().and_then(|s| s.factors);
            assert_eq!(matches!(factors, Some(Factors::Definite(_))), definite);
            let close = |b: &[f64], factor: f64| {
                (b.iter().zip(&x)).all(|(b, x)| (b - factor * x).abs() < 1e-13)
            };
            assert!(close(&b, 1.0), "{sign} {skew}");
            // Once more with the factors kept, and no more when they are forgotten.
            let mut b: Vec<f64> = apply(&x, sign, skew).iter().map(|b| 2.0 * b).collect();
            assert!(system.solve_again(&mut b) && close(&b, 2.0));
            system.forget();
            assert!(!system.solve_again(&mut b));
        }
        // Symmetric and indefinite: a saddle.
        let mut system = SparseSystem::default();
        for (row, column, value) in [(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)] {
            system.add(row, column, value);
        }
        let mut b = [5.0, 4.0];
        assert!(system.solve(&mut b));
        assert!((b[0] - 1.0).abs() < 1e-14 && (b[1] - 2.0).abs() < 1e-14);
    }
}
