//! Fronts of many unknowns: pivots are found among the columns of a panel, and what these leave of all columns behind it
//! is one product of matrices. Rows that a panel does not meet are left out of the product.

use nalgebra::{DMatrix, DMatrixViewMut};

use super::front::{Front, Pivot};

/// Columns among which pivots are found.
const PANEL: usize = 32;

/// Least size of a pivot over the entries of its column. Effort weighs little beside momentum: as pivots, controls leave a
/// large definite block of multipliers, where nothing was.
const SOUND: f64 = 1e-6;

/// Columns of the product that are computed at once: what it has above the diagonal is not needed.
const STRIP: usize = 48;

impl Front {
    /// As [`Front::eliminate`], panel by panel.
    pub(super) fn eliminate_by_panels(&mut self, count: usize, all: bool) -> Option<()> {
        let mut width = PANEL;
        while self.done() < count {
            let first = self.done();
            let end = count.min(first + width);
            self.eliminate_among(end, SOUND, all && end == count)?;
            if self.done() > first {
                self.update([first, end]);
                width = PANEL + end - self.done();
            } else if end < count {
                width *= 2;
            } else {
                return Some(());
            }
        }
        Some(())
    }

    /// A ← A − L D Lᵀ behind a panel, where L are the columns that were eliminated in it.
    fn update(&mut self, [first, end]: [usize; 2]) {
        let (m, done) = (self.size, self.done());
        let count = done - first;
        let panel = &self.a[first * m..done * m];
        let mut meets = vec![false; m - end];
        for column in panel.chunks(m) {
            let rows = meets.iter_mut().zip(&column[end..]);
            rows.for_each(|(meets, v)| *meets |= *v != 0.0);
        }
        let rows: Vec<usize> = (end..m).filter(|row| meets[row - end]).collect();
        let mut lower = DMatrix::zeros(rows.len(), count);
        for (mut to, from) in lower.column_iter_mut().zip(panel.chunks(m)) {
            to.iter_mut()
                .zip(&rows)
                .for_each(|(v, &row)| *v = from[row]);
        }
        // L D
        let mut product = lower.clone();
        for (k, pivot) in self.pivots[first..done].iter().enumerate() {
            match *pivot {
                Pivot::One(inverse) => product.column_mut(k).unscale_mut(inverse),
                Pivot::Two([x, y, z]) => {
                    let det = x * z - y * y;
                    let (a, b) = (lower.column(k), lower.column(k + 1));
                    product.set_column(k, &((a * z - b * y) / det));
                    product.set_column(k + 1, &((b * x - a * y) / det));
                }
                Pivot::Second => {}
            }
        }
        let upper = product.transpose();
        for from in (0..rows.len()).step_by(STRIP) {
            let to = rows.len().min(from + STRIP);
            let (lower, upper) = (lower.rows_range(from..), upper.columns_range(from..to));
            if rows.len() == m - end {
                let strip = &mut self.a[(end + from) * m..(end + to) * m];
                let mut strip = DMatrixViewMut::from_slice(strip, m, to - from);
                (strip.rows_range_mut(end + from..)).gemm(-1.0, &lower, &upper, 1.0);
                continue;
            }
            let product = lower * upper;
            for (j, column) in product.column_iter().enumerate() {
                let target = &mut self.a[rows[from + j] * m..(rows[from + j] + 1) * m];
                let below = rows[from + j..].iter().zip(column.iter().skip(j));
                below.for_each(|(&row, v)| target[row] -= v);
            }
        }
    }
}
