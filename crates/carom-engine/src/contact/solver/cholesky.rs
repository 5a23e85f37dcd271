//! Cholesky factors of H = M + Jᵀ D J: dense ones column by column, sparse ones by faer.

use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

use crate::mechanics::SparseCholesky;

/// The sparse factor; its pattern is analysed when it changes.
pub(super) struct Sparse {
    column_starts: Vec<usize>,
    row_indices: Vec<usize>,
    factor: SparseCholesky,
}

impl Sparse {
    pub fn new(n: usize, column_starts: &[usize], row_indices: &[usize]) -> Option<Self> {
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, column_starts, None, row_indices);
        Some(Self {
            column_starts: column_starts.to_vec(),
            row_indices: row_indices.to_vec(),
            factor: SparseCholesky::new(pattern)?,
        })
    }

    /// Whether this is the pattern it was analysed for.
    pub fn knows(&self, column_starts: &[usize], row_indices: &[usize]) -> bool {
        self.column_starts == column_starts && self.row_indices == row_indices
    }

    pub fn factorise(&mut self, n: usize, values: &[f64]) -> bool {
        let (starts, rows) = (&self.column_starts, &self.row_indices);
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, starts, None, rows);
        self.factor.factorise(SparseColMatRef::new(pattern, values))
    }

    pub fn solve(&mut self, b: &mut [f64]) {
        self.factor.solve(b);
    }
}

/// Columns that are taken out of the rest together: those of a body.
const PANEL: usize = 6;

/// L of A = L Lᵀ in the lower triangle, column by column; false if A is not positive definite.
pub(super) fn cholesky(a: &mut [f64], n: usize) -> bool {
    let mut from = 0;
    while from < n {
        let to = (from + PANEL).min(n);
        for k in from..to {
            let (done, rest) = a.split_at_mut((k + 1) * n);
            let column = &mut done[k * n + k..];
            let pivot = column[0];
            if !(pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            let inverse = 1.0 / pivot.sqrt();
            column.iter_mut().for_each(|x| *x *= inverse);
            for (i, other) in rest.chunks_exact_mut(n).take(to - k - 1).enumerate() {
                let factor = column[1 + i];
                for (x, y) in other[k + 1 + i..].iter_mut().zip(&column[1 + i..]) {
                    *x -= factor * y;
                }
            }
        }
        let (done, rest) = a.split_at_mut(to * n);
        take_out(&done[from * n..], to, rest, n);
        from = to;
    }
    true
}

/// A −= L Lᵀ of some columns that end before column `first`, in the columns from there on.
fn take_out(columns: &[f64], first: usize, rest: &mut [f64], n: usize) {
    if columns.len() != PANEL * n {
        for column in columns.chunks_exact(n) {
            for (i, other) in rest.chunks_exact_mut(n).enumerate() {
                let at = first + i;
                for (x, y) in other[at..].iter_mut().zip(&column[at..]) {
                    *x -= column[at] * y;
                }
            }
        }
        return;
    }
    for (i, other) in rest.chunks_exact_mut(n).enumerate() {
        let at = first + i;
        let part = |k: usize| &columns[k * n + at..(k + 1) * n];
        let [c0, c1, c2, c3, c4, c5] = [part(0), part(1), part(2), part(3), part(4), part(5)];
        let f = [c0[0], c1[0], c2[0], c3[0], c4[0], c5[0]];
        // Bodies that do not meet leave zeros.
        if f == [0.0; PANEL] {
            continue;
        }
        let other = &mut other[at..];
        let count = other.len();
        let (c0, c1, c2) = (&c0[..count], &c1[..count], &c2[..count]);
        let (c3, c4, c5) = (&c3[..count], &c4[..count], &c5[..count]);
        for j in 0..count {
            let one = f[0] * c0[j] + f[1] * c1[j] + f[2] * c2[j];
            let two = f[3] * c3[j] + f[4] * c4[j] + f[5] * c5[j];
            other[j] -= one + two;
        }
    }
}

/// L Lᵀ x = b.
pub(super) fn substitute(l: &[f64], n: usize, b: &mut [f64]) {
    for k in 0..n {
        let column = &l[k * n + k..(k + 1) * n];
        let x = b[k] / column[0];
        b[k] = x;
        for (value, c) in b[k + 1..].iter_mut().zip(&column[1..]) {
            *value -= c * x;
        }
    }
    for k in (0..n).rev() {
        let column = &l[k * n + k..(k + 1) * n];
        let dot: f64 = column[1..]
            .iter()
            .zip(&b[k + 1..])
            .map(|(x, y)| x * y)
            .sum();
        b[k] = (b[k] - dot) / column[0];
    }
}
