//! Places on the way between two nodes: poses of pairs there, and derivatives by those at both nodes.

use std::collections::BTreeMap;

use carom_gap::Pose;
use nalgebra::SVector;
use rayon::prelude::*;

use crate::contact::Pair;
use crate::optimise::blocks::add;
use crate::optimise::family::Curvature;
use crate::optimise::path::Path;
use crate::optimise::way;

/// Poses with those of a pair at a part s of the way, the others at its start.
pub(crate) fn poses(pair: &Pair, from: &[Pose], to: &[Pose], s: f64) -> Vec<Pose> {
    let mut poses = from.to_vec();
    for body in pair.bodies().into_iter().flatten() {
        let b = body.index();
        poses[b] = way::pose(&from[b], &to[b], s);
    }
    poses
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
            let c = nalgebra::SVector::<f64, 9>::from_column_slice(&y[at + 3..at + 12]);
            let back = path.way_tangent(step, i.body, s).tr_mul(&c);
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
    let bends: Vec<_> = (ways.into_par_iter())
        .filter_map(|((step, body, s), weight)| {
            let (home, at) = path.layout.body_home[body]?;
            let [from, to] = [step, step + 1].map(|k| &path.nodes()[k].poses[body]);
            let bend = way::curvature_by_turns([from, to], f64::from_bits(s), &weight);
            let turns = [(step, from), (step + 1, to)].map(|(k, pose)| {
                let changes = &path.nodes()[k].tangent[home];
                way::turns_of(pose, &changes.rows(at + 3, 9).as_view())
            });
            let part = |i: usize, j: usize| {
                let block = bend.fixed_view::<3, 3>(3 * i, 3 * j);
                turns[i].tr_mul(&(block * &turns[j]))
            };
            Some((step, home, [part(0, 0), part(1, 1), part(1, 0)]))
        })
        .collect();
    for (step, home, [first, second, across]) in bends {
        let freedoms = &path.layout.components[home].freedoms;
        add(&mut out.node[step], freedoms, &first, 1.0);
        add(&mut out.node[step + 1], freedoms, &second, 1.0);
        add(&mut out.next[step], freedoms, &across, 1.0);
    }
}
