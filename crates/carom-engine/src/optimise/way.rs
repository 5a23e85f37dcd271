//! The way of a body between two nodes: position straight, orientation by a constant rotation.

use carom_gap::Pose;
use nalgebra::{DMatrixView, Matrix3, Matrix3xX, SMatrix, SVector, Vector3};

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
    let unit = |at: usize| Matrix3::from_fn(|i, j| f64::from(3 * j + i == at));
    let seeds: [[Matrix3<f64>; 2]; 18] = std::array::from_fn(|f| match f {
        0..9 => [unit(f), Matrix3::zeros()],
        _ => [Matrix3::zeros(), unit(f - 9)],
    });
    curvature_along(&seeds, [from, to], s, c)
}

/// The same by turns of the body at both ends, about axes at rest.
pub(crate) fn curvature_by_turns(
    [from, to]: [&Pose; 2],
    s: f64,
    c: &SVector<f64, 9>,
) -> SMatrix<f64, 6, 6> {
    let turn = |pose: &Pose, axis: usize| Vector3::ith(axis, 1.0).cross_matrix() * pose.directors;
    let seeds: [[Matrix3<f64>; 2]; 6] = std::array::from_fn(|f| match f {
        0..3 => [turn(from, f), Matrix3::zeros()],
        _ => [Matrix3::zeros(), turn(to, f - 3)],
    });
    curvature_along(&seeds, [from, to], s, c)
}

/// The turns ω that belong to changes of the directors of a body, δD = ω × D, column by column.
pub(crate) fn turns_of(pose: &Pose, changes: &DMatrixView<f64>) -> Matrix3xX<f64> {
    let mut out = Matrix3xX::zeros(changes.ncols());
    for (mut turn, change) in out.column_iter_mut().zip(changes.column_iter()) {
        for k in 0..3 {
            turn += pose
                .directors
                .column(k)
                .cross(&change.fixed_rows::<3>(3 * k))
                * 0.5;
        }
    }
    out
}

/// c · ∂²D(s) along pairs of directions of change of (D, D⁺).
fn curvature_along<const N: usize>(
    seeds: &[[Matrix3<f64>; 2]; N],
    ends: [&Pose; 2],
    s: f64,
    c: &SVector<f64, 9>,
) -> SMatrix<f64, N, N> {
    let mut out = SMatrix::zeros();
    for f in 0..N {
        for g in 0..=f {
            let [a, b] = [0, 1].map(|end| {
                let (first, second) = (&seeds[f][end], &seeds[g][end]);
                let value = &ends[end].directors;
                Matrix3::from_fn(|i, j| Second::seed(value[(i, j)], first[(i, j)], second[(i, j)]))
            });
            let way = directors(&a, &b, s);
            let sum = (0..9).map(|l| c[l] * way[l].mixed()).sum();
            out[(f, g)] = sum;
            out[(g, f)] = sum;
        }
    }
    out
}
