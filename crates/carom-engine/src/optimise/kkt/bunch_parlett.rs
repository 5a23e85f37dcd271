//! Small dense symmetric indefinite systems: P A Pᵀ = L D Lᵀ with complete pivoting (Bunch and Parlett).

use nalgebra::DMatrix;

/// Growth of entries is least with this bound between pivots of one and of two.
const ALPHA: f64 = 0.640_388_203_202_207_6;

/// A factorised symmetric matrix.
#[derive(Clone, Debug)]
pub(crate) struct Factors {
    /// Unit lower triangle below D.
    lower: DMatrix<f64>,
    order: Vec<usize>,
    /// Whether a pivot of two begins here.
    double: Vec<bool>,
    /// Number of negative eigenvalues.
    pub negative: usize,
}

impl Factors {
    /// None if the matrix is singular.
    pub fn new(mut a: DMatrix<f64>) -> Option<Self> {
        let n = a.nrows();
        let mut order: Vec<usize> = (0..n).collect();
        let mut double = vec![false; n];
        let mut negative = 0;
        let mut k = 0;
        while k < n {
            let (mut on, mut off) = ((0.0, k), (0.0, (k, k)));
            for i in k..n {
                if a[(i, i)].abs() > on.0 {
                    on = (a[(i, i)].abs(), i);
                }
                for j in k..i {
                    if a[(i, j)].abs() > off.0 {
                        off = (a[(i, j)].abs(), (i, j));
                    }
                }
            }
            if !(on.0.max(off.0) > 0.0 && on.0.max(off.0).is_finite()) {
                return None;
            }
            if on.0 >= ALPHA * off.0 {
                exchange(&mut a, &mut order, k, on.1);
                let pivot = a[(k, k)];
                negative += usize::from(pivot < 0.0);
                for i in k + 1..n {
                    let l = a[(i, k)] / pivot;
                    for j in k + 1..=i {
                        a[(i, j)] -= l * a[(j, k)];
                    }
                }
                for i in k + 1..n {
                    a[(i, k)] /= pivot;
                }
                mirror(&mut a, k + 1);
                k += 1;
            } else {
                // The smaller index first: the other one stays in its place.
                let (i, j) = off.1;
                exchange(&mut a, &mut order, k, j);
                exchange(&mut a, &mut order, k + 1, i);
                double[k] = true;
                let (p, q, r) = (a[(k, k)], a[(k + 1, k)], a[(k + 1, k + 1)]);
                let det = p * r - q * q;
                negative += match det < 0.0 {
                    true => 1,
                    false => 2 * usize::from(p < 0.0),
                };
                let mut rows = Vec::with_capacity(n - k);
                for i in k + 2..n {
                    let (x, y) = (a[(i, k)], a[(i, k + 1)]);
                    rows.push([(r * x - q * y) / det, (p * y - q * x) / det]);
                }
                for i in k + 2..n {
                    let [l, m] = rows[i - k - 2];
                    for j in k + 2..=i {
                        a[(i, j)] -= l * a[(j, k)] + m * a[(j, k + 1)];
                    }
                }
                for i in k + 2..n {
                    let [l, m] = rows[i - k - 2];
                    a[(i, k)] = l;
                    a[(i, k + 1)] = m;
                }
                mirror(&mut a, k + 2);
                k += 2;
            }
        }
        Some(Self {
            lower: a,
            order,
            double,
            negative,
        })
    }

    /// Overwrites b with A⁻¹ b.
    pub fn solve(&self, b: &mut [f64]) {
        let (a, n) = (&self.lower, b.len());
        let mut y: Vec<f64> = self.order.iter().map(|&i| b[i]).collect();
        let starts: Vec<usize> = (0..n).filter(|&k| k == 0 || !self.double[k - 1]).collect();
        for &k in &starts {
            let width = 1 + usize::from(self.double[k]);
            for i in k + width..n {
                for c in k..k + width {
                    y[i] -= a[(i, c)] * y[c];
                }
            }
        }
        for &k in &starts {
            if self.double[k] {
                let (p, q, r) = (a[(k, k)], a[(k + 1, k)], a[(k + 1, k + 1)]);
                let det = p * r - q * q;
                let (u, v) = (y[k], y[k + 1]);
                (y[k], y[k + 1]) = ((r * u - q * v) / det, (p * v - q * u) / det);
            } else {
                y[k] /= a[(k, k)];
            }
        }
        for &k in starts.iter().rev() {
            let width = 1 + usize::from(self.double[k]);
            for c in k..k + width {
                y[c] -= (k + width..n).map(|i| a[(i, c)] * y[i]).sum::<f64>();
            }
        }
        for (&i, v) in self.order.iter().zip(&y) {
            b[i] = *v;
        }
    }
}

/// Exchanges two rows and columns.
fn exchange(a: &mut DMatrix<f64>, order: &mut [usize], i: usize, j: usize) {
    a.swap_rows(i, j);
    a.swap_columns(i, j);
    order.swap(i, j);
}

/// Copies the lower triangle from `k` on to the upper one.
fn mirror(a: &mut DMatrix<f64>, k: usize) {
    for i in k..a.nrows() {
        for j in k..i {
            a[(j, i)] = a[(i, j)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_indefinite_systems_and_counts_eigenvalues() {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / (1_u64 << 30) as f64 - 1.0
        };
        for n in [1, 2, 3, 5, 8] {
            for round in 0..50 {
                let mut a = DMatrix::from_fn(n, n, |_, _| next());
                a = &a + a.transpose();
                if round % 2 == 0 {
                    // Saddle points have zeros on the diagonal.
                    (0..n).for_each(|k| a[(k, k)] = 0.0);
                }
                let values = a.clone().symmetric_eigenvalues();
                if values.iter().any(|v| v.abs() < 1e-3) {
                    continue;
                }
                let x: Vec<f64> = (0..n).map(|_| next()).collect();
                let mut b = (&a * nalgebra::DVector::from_vec(x.clone()))
                    .as_slice()
                    .to_vec();
                let factors = Factors::new(a).unwrap();
                factors.solve(&mut b);
                let error = b
                    .iter()
                    .zip(&x)
                    .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
                assert!(error < 1e-9, "{n}: {error}");
                let negative = values.iter().filter(|v| **v < 0.0).count();
                assert_eq!(factors.negative, negative);
            }
        }
    }

    #[test]
    fn singular_matrices_are_told() {
        assert!(Factors::new(DMatrix::zeros(3, 3)).is_none());
    }
}
