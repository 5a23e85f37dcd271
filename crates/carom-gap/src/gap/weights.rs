//! The nonnegative optimal weights of least norm.
//!
//! min ½|z|² s.t. A z = b, z ≥ 0, where A has four rows (two across β, one sum per body) and a
//! column per active vertex. Its dual has four unknowns only, max ⟨b,y⟩ − ½|(Aᵀy)⁺|², and
//! z = (Aᵀy)⁺: a semismooth Newton method ends after a few steps, exactly. Unlike the pseudo-inverse
//! of thesis (2.70) the weights cannot become negative.

use crate::Few;
use nalgebra::{Matrix4, SymmetricEigen, Vector4};

const ITERATIONS: usize = 100;

/// Least-norm z ≥ 0 with `columns` z = `b`, or `None` if Newton's method does not get there.
pub(super) fn least_norm(columns: &[Vector4<f64>], b: &Vector4<f64>) -> Option<Few<f64>> {
    let weights =
        |y: &Vector4<f64>| -> Few<f64> { columns.iter().map(|a| a.dot(y).max(0.0)).collect() };
    let residual = |z: &[f64]| columns.iter().zip(z).fold(*b, |r, (a, z)| r - a * *z);
    let dual = |y: &Vector4<f64>| {
        b.dot(y)
            - 0.5
                * columns
                    .iter()
                    .map(|a| a.dot(y).max(0.0).powi(2))
                    .sum::<f64>()
    };

    let mut y = inverse(&gram(columns, |_| true), 0.0) * b;
    let mut z = weights(&y);
    let mut r = residual(&z);
    for _ in 0..ITERATIONS {
        if r.amax() <= 1e-14 {
            return Some(z);
        }
        let active = gram(columns, |a| a.dot(&y) > 0.0);
        let value = dual(&y);
        // A plain Newton step first; where the active columns do not span, a damped one.
        let mut accepted = false;
        for damping in [0.0, 1e-10, 1e-6, 1e-3] {
            let step = inverse(&active, damping) * r;
            let slope = r.dot(&step);
            let mut length = 1.0;
            while slope > 0.0 && length > 1e-12 {
                let next = y + step * length;
                if dual(&next) >= value + 1e-4 * length * slope {
                    y = next;
                    accepted = true;
                    break;
                }
                // At round-off the dual value says nothing more: look at the residual.
                if residual(&weights(&next)).amax() < 0.5 * r.amax() {
                    y = next;
                    accepted = true;
                    break;
                }
                length *= 0.5;
            }
            if accepted {
                break;
            }
        }
        z = weights(&y);
        r = residual(&z);
        if !accepted {
            break;
        }
    }
    (r.amax() <= 1e-11).then_some(z)
}

/// Σ a aᵀ over the chosen columns.
fn gram(columns: &[Vector4<f64>], chosen: impl Fn(&Vector4<f64>) -> bool) -> Matrix4<f64> {
    columns
        .iter()
        .filter(|a| chosen(a))
        .fold(Matrix4::zeros(), |h, a| h + a * a.transpose())
}

/// (H + damping·|H|)⁺.
fn inverse(h: &Matrix4<f64>, damping: f64) -> Matrix4<f64> {
    // Most often the columns span all rows well.
    if damping == 0.0
        && let Some(factor) = h.cholesky()
    {
        let pivots = factor.l_dirty().diagonal();
        if pivots.min() > 1e-3 * pivots.max() {
            return factor.inverse();
        }
    }
    let eigen = SymmetricEigen::new(*h);
    let largest = eigen.eigenvalues.amax().max(f64::MIN_POSITIVE);
    let inverted = eigen.eigenvalues.map(|l| {
        let l = l + damping * largest;
        if l > 1e-12 * largest { 1.0 / l } else { 0.0 }
    });
    eigen.eigenvectors * Matrix4::from_diagonal(&inverted) * eigen.eigenvectors.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_on_two_squares() {
        let corner = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];
        let mut columns = Vec::new();
        for (x, y) in corner {
            columns.push(Vector4::new(x, y, 1.0, 0.0));
        }
        for (x, y) in corner {
            columns.push(Vector4::new(-x, -y, 0.0, 1.0));
        }
        let z = least_norm(&columns, &Vector4::new(0.0, 0.0, 1.0, 1.0)).unwrap();
        for w in z {
            assert!((w - 0.25).abs() < 1e-15, "{w}");
        }
    }

    #[test]
    fn stays_nonnegative_where_the_pseudo_inverse_would_not() {
        // A point at x = 0 below the segment's far end: columns at 0, 1 and 10 against one at 0.
        let columns = [0.0, 1.0, 10.0, 12.0]
            .map(|x| Vector4::new(x, 0.0, 1.0, 0.0))
            .into_iter()
            .chain([Vector4::new(-0.5, 0.0, 0.0, 1.0)])
            .collect::<Vec<_>>();
        let z = least_norm(&columns, &Vector4::new(0.0, 0.0, 1.0, 1.0)).unwrap();
        assert!(z.iter().all(|w| *w >= 0.0));
        let mean: f64 = [0.0, 1.0, 10.0, 12.0]
            .iter()
            .zip(&z)
            .map(|(x, w)| x * w)
            .sum();
        assert!((mean - 0.5).abs() < 1e-13);
    }
}
