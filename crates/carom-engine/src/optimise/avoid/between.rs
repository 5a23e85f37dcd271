//! The way between two nodes: position straight, orientation by a constant rotation.

use std::collections::BTreeMap;

use carom_gap::Pose;
use nalgebra::{DMatrix, Matrix3, SMatrix, SVector};

use super::gaps;
use crate::contact::Pair;
use crate::mechanics::numbers::{product, product_transposed};
use crate::mechanics::{Dual, Real, Second, exp_minus_identity, log};
use crate::optimise::family::Curvature;
use crate::optimise::path::{Path, add};

/// The pose of a body at a part s of the way.
pub(crate) fn pose(from: &Pose, to: &Pose, s: f64) -> Pose {
    Pose {
        position: from.position * (1.0 - s) + to.position * s,
        directors: directors(&from.directors, &to.directors, s),
    }
}

/// Poses with those of a pair at a part s of the way, the others at its start.
pub(crate) fn poses(pair: &Pair, from: &[Pose], to: &[Pose], s: f64) -> Vec<Pose> {
    let mut poses = from.to_vec();
    for body in gaps::members(pair).into_iter().flatten() {
        let b = body.index();
        poses[b] = pose(&from[b], &to[b], s);
    }
    poses
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

/// A covector at a part s of a step as covectors at its two nodes.
pub(crate) fn spread(path: &Path, step: usize, s: f64, y: &[f64]) -> [Vec<f64>; 2] {
    let mut out = [vec![0.0; y.len()], vec![0.0; y.len()]];
    for i in &path.layout.inertias {
        let at = i.start;
        for k in 0..3 {
            out[0][at + k] = (1.0 - s) * y[at + k];
            out[1][at + k] = s * y[at + k];
        }
        if i.rigid && y[at + 3..at + 12].iter().any(|v| *v != 0.0) {
            let [from, to] = [step, step + 1].map(|k| &path.nodes()[k].poses[i.body]);
            let c = nalgebra::SVector::<f64, 9>::from_column_slice(&y[at + 3..at + 12]);
            let back = tangent(from, to, s).tr_mul(&c);
            for k in 0..9 {
                out[0][at + 3 + k] = back[k];
                out[1][at + 3 + k] = back[9 + k];
            }
        }
    }
    out
}

/// Weights of the directors on the way in a step, of a body, at a part of it (as bits): rows at the same
/// place share the curvature of the way.
pub(crate) type Ways = BTreeMap<(usize, usize, u64), SVector<f64, 9>>;

/// Adds the curvature of the ways between nodes.
pub(crate) fn add_ways(path: &Path, ways: Ways, out: &mut Curvature) {
    for ((step, body, s), weight) in ways {
        let Some((home, at)) = path.layout.body_home[body] else {
            continue;
        };
        let [from, to] = [step, step + 1].map(|k| &path.nodes()[k].poses[body]);
        let bend = curvature(from, to, f64::from_bits(s), &weight);
        let freedoms = &path.layout.components[home].freedoms;
        let turns = [step, step + 1].map(|k| {
            let t = &path.nodes()[k].tangent[home];
            DMatrix::from(t.rows(at + 3, 9))
        });
        let part = |i: usize, j: usize| {
            let block = bend.fixed_view::<9, 9>(9 * i, 9 * j);
            turns[i].tr_mul(&(block * &turns[j]))
        };
        add(&mut out.node[step], freedoms, &part(0, 0), 1.0);
        add(&mut out.node[step + 1], freedoms, &part(1, 1), 1.0);
        add(&mut out.next[step], freedoms, &part(1, 0), 1.0);
    }
}
