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
