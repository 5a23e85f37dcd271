//! The way of a body between two nodes: position straight, orientation by a constant rotation.

use carom_gap::Pose;
use nalgebra::{Matrix3, SMatrix, SVector};

use crate::mechanics::numbers::{product, product_transposed};
use crate::mechanics::{Dual, Real, Second, exp_minus_identity, log};

/// The pose of a body at a part s of the way.
pub(crate) fn pose(from: &Pose, to: &Pose, s: f64) -> Pose {
    Pose {
        position: from.position * (1.0 - s) + to.position * s,
        directors: directors(&from.directors, &to.directors, s),
    }
}

/// exp(s log(D⁺Dᵀ)) D.
fn directors<T: Real>(from: &Matrix3<T>, to: &Matrix3<T>, s: f64) -> Matrix3<T> {
    let turn = log(&product_transposed(to, from)).map(|x| x.scale(s));
    from + product(&exp_minus_identity(&turn), from)
}

/// ∂D(s)/∂(D, D⁺): rows are the nine director coordinates on the way, columns those at both nodes.
pub(crate) fn tangent(from: &Pose, to: &Pose, s: f64) -> SMatrix<f64, 9, 18> {
    let mut out = SMatrix::zeros();
    for f in 0..18 {
        let seeded = |m: &Matrix3<f64>, first: usize| {
            Matrix3::from_fn(|i, j| Dual {
                v: m[(i, j)],
                d: f64::from(first + 3 * j + i == f),
            })
        };
        let way = directors(&seeded(&from.directors, 0), &seeded(&to.directors, 9), s);
        for l in 0..9 {
            out[(l, f)] = way[l].d;
        }
    }
    out
}

/// c · ∂²D(s)/∂(D, D⁺)².
pub(crate) fn curvature(
    from: &Pose,
    to: &Pose,
    s: f64,
    c: &SVector<f64, 9>,
) -> SMatrix<f64, 18, 18> {
    let mut out = SMatrix::zeros();
    for f in 0..18 {
        for g in 0..=f {
            let seeded = |m: &Matrix3<f64>, first: usize| {
                Matrix3::from_fn(|i, j| {
                    let at = first + 3 * j + i;
                    Second::seed(m[(i, j)], f64::from(at == f), f64::from(at == g))
                })
            };
            let way = directors(&seeded(&from.directors, 0), &seeded(&to.directors, 9), s);
            let sum = (0..9).map(|l| c[l] * way[l].mixed()).sum();
            out[(f, g)] = sum;
            out[(g, f)] = sum;
        }
    }
    out
}
