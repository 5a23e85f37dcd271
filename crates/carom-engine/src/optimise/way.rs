//! The way of a body between two nodes: position straight, orientation by a constant rotation.

use carom_gap::Pose;
use nalgebra::{Matrix3, SMatrix, SVector};

use super::dual::{Dual, M3, Real, Second, V3, exp, short_log};

/// The pose of a body at a part s of the way.
pub(crate) fn pose(from: &Pose, to: &Pose, s: f64) -> Pose {
    let d = M3::<f64>::of(&from.directors);
    let way = directors(&d, &M3::of(&to.directors), s);
    Pose {
        position: from.position * (1.0 - s) + to.position * s,
        directors: Matrix3::from_fn(|i, j| way.0[j].0[i]),
    }
}

/// exp(s log(D⁺Dᵀ)) D.
fn directors<T: Real>(from: &M3<T>, to: &M3<T>, s: f64) -> M3<T> {
    let turn = short_log(&to.times_transposed(from));
    exp(&turn.times(T::of(s))).times(from)
}

/// ∂D(s)/∂(D, D⁺): rows are the nine director coordinates on the way, columns those at both nodes.
pub(crate) fn tangent(from: &Pose, to: &Pose, s: f64) -> SMatrix<f64, 9, 18> {
    let mut out = SMatrix::zeros();
    for f in 0..18 {
        let seeded = |m: &Matrix3<f64>, first: usize| {
            M3([0, 1, 2].map(|j| {
                V3([0, 1, 2].map(|i| Dual {
                    v: m[(i, j)],
                    d: f64::from(first + 3 * j + i == f),
                }))
            }))
        };
        let way = directors(&seeded(&from.directors, 0), &seeded(&to.directors, 9), s);
        for l in 0..9 {
            out[(l, f)] = way.0[l / 3].0[l % 3].d;
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
                M3([0, 1, 2].map(|j| {
                    V3([0, 1, 2].map(|i| {
                        let at = first + 3 * j + i;
                        Second::seed(m[(i, j)], f64::from(at == f), f64::from(at == g))
                    }))
                }))
            };
            let way = directors(&seeded(&from.directors, 0), &seeded(&to.directors, 9), s);
            let sum = (0..9).map(|l| c[l] * way.0[l / 3].0[l % 3].mixed()).sum();
            out[(f, g)] = sum;
            out[(g, f)] = sum;
        }
    }
    out
}
