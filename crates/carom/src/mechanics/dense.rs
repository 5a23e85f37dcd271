//! Dense linear systems in storage that is used again.

/// Solves A x = b by elimination with partial pivoting; A (row-major) is used up, b becomes x.
/// False if singular.
pub fn solve(a: &mut [f64], b: &mut [f64]) -> bool {
    let n = b.len();
    for col in 0..n {
        let mut pivot = col;
        for row in col + 1..n {
            if a[row * n + col].abs() > a[pivot * n + col].abs() {
                pivot = row;
            }
        }
        let head = a[pivot * n + col];
        if head == 0.0 || !head.is_finite() {
            return false;
        }
        if pivot != col {
            for k in 0..n {
                a.swap(pivot * n + k, col * n + k);
            }
            b.swap(pivot, col);
        }
        let (above, below) = a.split_at_mut((col + 1) * n);
        let pivot_row = &above[col * n..];
        let pivot_value = b[col];
        for (i, row) in below.chunks_exact_mut(n).enumerate() {
            let factor = row[col] / head;
            if factor != 0.0 {
                for k in col + 1..n {
                    row[k] -= factor * pivot_row[k];
                }
                b[col + 1 + i] -= factor * pivot_value;
            }
        }
    }
    for col in (0..n).rev() {
        let mut sum = b[col];
        for k in col + 1..n {
            sum -= a[col * n + k] * b[k];
        }
        b[col] = sum / a[col * n + col];
    }
    b.iter().all(|x| x.is_finite())
}

/// ⟨a, b⟩.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// L and U of a dense matrix, in storage that is used again.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    factors: Vec<f64>,
    pivots: Vec<usize>,
}

impl Lu {
    /// A zero matrix of n rows to be filled in, row by row.
    pub fn clear(&mut self, n: usize) -> &mut [f64] {
        self.pivots.clear();
        self.factors.clear();
        self.factors.resize(n * n, 0.0);
        &mut self.factors
    }

    /// Factorises what was filled in, with partial pivoting; false if it is singular.
    pub fn factorise(&mut self) -> bool {
        let n = self.factors.len().isqrt();
        let a = &mut self.factors;
        self.pivots.clear();
        for col in 0..n {
            let mut pivot = col;
            for row in col + 1..n {
                if a[row * n + col].abs() > a[pivot * n + col].abs() {
                    pivot = row;
                }
            }
            let head = a[pivot * n + col];
            if head == 0.0 || !head.is_finite() {
                self.pivots.clear();
                return false;
            }
            if pivot != col {
                for k in 0..n {
                    a.swap(pivot * n + k, col * n + k);
                }
            }
            self.pivots.push(pivot);
            let (above, below) = a.split_at_mut((col + 1) * n);
            let pivot_row = &above[col * n + col + 1..];
            for row in below.chunks_exact_mut(n) {
                let factor = row[col] / head;
                row[col] = factor;
                if factor != 0.0 {
                    for (x, y) in row[col + 1..].iter_mut().zip(pivot_row) {
                        *x -= factor * y;
                    }
                }
            }
        }
        true
    }

    /// A x = b; b becomes x.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.pivots.len();
        for (col, &pivot) in self.pivots.iter().enumerate() {
            b.swap(col, pivot);
        }
        for row in 0..n {
            let (before, rest) = b.split_at_mut(row);
            let factors = self.factors[row * n..].iter();
            rest[0] -= factors.zip(before).map(|(l, x)| l * *x).sum::<f64>();
        }
        for row in (0..n).rev() {
            let u = &self.factors[row * n + row..(row + 1) * n];
            let (head, after) = b[row..].split_at_mut(1);
            let sum: f64 = u[1..].iter().zip(after).map(|(u, x)| u * *x).sum();
            head[0] = (head[0] - sum) / u[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_solve_as_elimination_does() {
        let a = [0.0, 2.0, 1.0, 1.0, -3.0, 0.5, 4.0, 1.0, 2.0];
        let b = [1.0, 2.0, 3.0];
        let mut lu = Lu::default();
        lu.clear(3).copy_from_slice(&a);
        assert!(lu.factorise());
        let (mut x, mut y) = (b, b);
        lu.solve(&mut x);
        assert!(solve(&mut a.clone(), &mut y));
        for (x, y) in x.iter().zip(&y) {
            assert!((x - y).abs() < 1e-14, "{x} {y}");
        }
        lu.clear(2);
        assert!(!lu.factorise());
    }
}
