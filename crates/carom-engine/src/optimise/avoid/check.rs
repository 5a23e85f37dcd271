//! Whether bodies stay apart: all pairs at the nodes and on the way between them.

use carom_gap::Pose;

use super::between;
use super::gaps::{self, largest_part};
use super::hinge::Hinge;
use crate::contact::{Collider, Detector, Pair, part};
use crate::mechanics::turned;
use crate::model::Model;
use crate::optimise::problem::{Avoid, Problem};

/// Samples of a step that are looked at for overlap.
const SAMPLES: usize = 16;

/// What a look at all pairs found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Check {
    /// Number of nodes.
    pub nodes: usize,
    /// Largest overlap anywhere.
    pub overlap: f64,
    /// Pairs below the margin at nodes: by how much.
    pub at_nodes: Vec<(Pair, usize, f64)>,
    /// Pairs that overlap between nodes.
    pub on_the_way: Vec<Between>,
}

/// A pair that overlaps between two nodes.
#[derive(Clone, Debug)]
pub(crate) struct Between {
    pub pair: Pair,
    pub step: usize,
    /// Where it is deepest, and how deep.
    pub s: f64,
    pub depth: f64,
    /// How far the two turn in the step, in rad.
    pub turn: f64,
}

impl Check {
    /// By how much the margin is missed at the nodes, or how deep bodies overlap between them.
    pub fn missed(&self) -> f64 {
        let at_nodes = self.at_nodes.iter().map(|n| n.2);
        let on_the_way = self.on_the_way.iter().map(|w| w.depth);
        at_nodes.chain(on_the_way).fold(0.0, f64::max)
    }
}

/// Looks at all pairs at the nodes and between them.
/// Pairs `met` touch by plan at a node: steps beside it are left to the replay.
pub(crate) fn check(
    problem: &Problem,
    poses: &[Vec<Pose>],
    avoid: &Avoid,
    met: &[(Pair, usize)],
) -> Check {
    let model = &*problem.model;
    let mut detector = Detector::new(model);
    let mut found = Vec::new();
    let mut out = Check {
        nodes: poses.len(),
        ..Check::default()
    };
    for (node, here) in poses.iter().enumerate() {
        detector.candidates(model, here, here, avoid.margin, &mut found);
        for (pair, _) in found.iter().filter(|f| f.0.colliders().is_some()) {
            let gap = gaps::value(model, pair, here, &mut None);
            out.overlap = out.overlap.max(-gap);
            let margin = Hinge::margin(Hinge::of(model, pair).as_ref(), avoid.margin);
            if gap < margin && !met.contains(&(*pair, node)) {
                out.at_nodes.push((*pair, node, margin - gap));
            }
        }
    }
    if avoid.between_nodes {
        for (step, ends) in poses.windows(2).enumerate() {
            let bulge = bulge(model, &ends[0], &ends[1]);
            detector.candidates(model, &ends[0], &ends[1], bulge, &mut found);
            for (pair, _) in found.iter().filter(|f| f.0.colliders().is_some()) {
                let meets = |node: usize| met.contains(&(*pair, node));
                let at = [meets(step), meets(step + 1)];
                if at.contains(&true) {
                    let own = beside_touch(model, pair, [&ends[0], &ends[1]], at);
                    out.on_the_way.extend(own.map(|(s, depth)| Between {
                        pair: *pair,
                        step,
                        s,
                        depth,
                        turn: turn(pair, &ends[0], &ends[1]),
                    }));
                    continue;
                }
                // The way of each body on its own would tear their joint.
                if Hinge::of(model, pair).is_some() {
                    continue;
                }
                let (s, gap) = deepest(model, pair, &ends[0], &ends[1]);
                out.overlap = out.overlap.max(-gap);
                if gap < 0.0 && s > 0.0 && s < 1.0 {
                    out.on_the_way.push(Between {
                        pair: *pair,
                        step,
                        s,
                        depth: -gap,
                        turn: turn(pair, &ends[0], &ends[1]),
                    });
                }
            }
        }
    }
    out
}

/// How far two bodies turn in a step, in rad.
pub(super) fn turn(pair: &Pair, from: &[Pose], to: &[Pose]) -> f64 {
    let ends = pair.poses(from).into_iter().zip(pair.poses(to));
    let angles = ends.map(|(a, b)| turned(&a.directors, &b.directors));
    angles.sum()
}

/// How far a turning body leaves the box around its two poses.
fn bulge(model: &Model, from: &[Pose], to: &[Pose]) -> f64 {
    let mut worst = 0.0_f64;
    for (k, body) in model.bodies().iter().enumerate() {
        let reach = body.shape.as_ref().map_or(0.0, |s| {
            s.vertices().iter().map(|v| v.reach()).fold(0.0, f64::max)
        });
        let turn = (to[k].directors - from[k].directors).norm();
        worst = worst.max(0.25 * turn * turn * reach);
    }
    worst
}

/// Points of a part that touch a half-space at a pose: the lowest, and all that are as low.
pub(super) fn lowest(model: &Model, pair: &Pair, poses: &[Pose]) -> Vec<usize> {
    let heights = heights(model, pair, poses);
    let least = heights.iter().fold(f64::INFINITY, |m, h| m.min(*h));
    let level = DEEP * largest_part(model);
    let low = heights
        .iter()
        .enumerate()
        .filter(|(_, h)| **h <= least + level);
    low.map(|(k, _)| k).collect()
}

/// Heights of the points of a part above a half-space; none for other pairs.
fn heights(model: &Model, pair: &Pair, poses: &[Pose]) -> Vec<f64> {
    let (arrows, radius) = gaps::above_wall(model, pair);
    let Pair::Bodies(_, Collider::Wall { index }) = pair else {
        return Vec::new();
    };
    let normal = model.contact().walls[*index].half_space.normal();
    let own = pair.poses(poses);
    let height = |a: &gaps::Arrow| a.at(own).dot(normal) - radius;
    arrows.iter().map(height).collect()
}

/// Where in a step beside a planned contact with a half-space points are deepest in it that do not touch by plan.
fn beside_touch(
    model: &Model,
    pair: &Pair,
    ends: [&[Pose]; 2],
    meets: [bool; 2],
) -> Option<(f64, f64)> {
    let touching: Vec<usize> = (ends.iter().zip(meets))
        .filter(|(_, meets)| *meets)
        .flat_map(|(poses, _)| lowest(model, pair, poses))
        .collect();
    let mut deepest: Option<(f64, f64)> = None;
    for k in 1..SAMPLES {
        let s = k as f64 / SAMPLES as f64;
        let here = between::poses(pair, ends[0], ends[1], s);
        for (point, height) in heights(model, pair, &here).into_iter().enumerate() {
            let deeper = deepest.is_none_or(|(_, depth)| -height > depth);
            if height < 0.0 && deeper && !touching.contains(&point) {
                deepest = Some((s, -height));
            }
        }
    }
    deepest
}

/// The part of a step with the least gap of a pair, and the gap.
fn deepest(model: &Model, pair: &Pair, from: &[Pose], to: &[Pose]) -> (f64, f64) {
    let mut warm = None;
    let mut at = |s: f64| gaps::value(model, pair, &between::poses(pair, from, to, s), &mut warm);
    let mut best = (0.0, f64::INFINITY);
    for k in 0..=SAMPLES {
        let s = k as f64 / SAMPLES as f64;
        let gap = at(s);
        if gap < best.1 {
            best = (s, gap);
        }
    }
    // Golden section around the deepest sample.
    let width = 1.0 / SAMPLES as f64;
    let (mut low, mut high) = ((best.0 - width).max(0.0), (best.0 + width).min(1.0));
    for _ in 0..24 {
        let (a, b) = (high - 0.618 * (high - low), low + 0.618 * (high - low));
        let (ga, gb) = (at(a), at(b));
        for (s, gap) in [(a, ga), (b, gb)] {
            if gap < best.1 {
                best = (s, gap);
            }
        }
        if ga < gb { high = b } else { low = a }
    }
    best
}

/// Overlap that counts where poses are given, in reaches of the largest part.
const DEEP: f64 = 1e-6;

/// Pairs that overlap at a configuration, and how deep.
pub(crate) fn overlaps(model: &Model, poses: &[Pose]) -> Vec<(Pair, f64)> {
    overlaps_by(&mut Detector::new(model), model, poses)
}

/// The same with a detector of the model, where many configurations are looked at.
pub(crate) fn overlaps_by(
    detector: &mut Detector,
    model: &Model,
    poses: &[Pose],
) -> Vec<(Pair, f64)> {
    let mut found = Vec::new();
    detector.candidates(model, poses, poses, 0.0, &mut found);
    let mut out: Vec<(Pair, f64)> = Vec::new();
    for (pair, _) in &found {
        if pair.colliders().is_none() || Hinge::of(model, pair).is_some() {
            continue;
        }
        let gap = gaps::value(model, pair, poses, &mut None);
        let least = DEEP * largest_part(model);
        if gap < -least {
            let depth = depth(model, pair, poses).unwrap_or(-gap);
            if depth > least {
                out.push((*pair, depth));
            }
        }
    }
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    out
}

/// Penetration depth of two parts.
fn depth(model: &Model, pair: &Pair, poses: &[Pose]) -> Option<f64> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { .. }) = pair else {
        return None;
    };
    let [pa, pb] = pair.poses(poses);
    let (va, vb) = (part(model, a), part(model, b));
    let towards = pa.point(va.mean()) - pb.point(vb.mean());
    let found = carom_gap::distance(va, pa, vb, pb, &towards);
    Some(-found.value)
}

#[cfg(test)]
mod tests {
    use super::super::WorkingSet;
    use super::*;
    use crate::model::BodyId;
    use crate::optimise::problem::GapRows;

    #[test]
    fn what_hops_past_each_other_is_kept_from_it_in_the_steps_beside() {
        let part = |body| Collider::Part {
            body: BodyId(body),
            part: 0,
        };
        let pair = Pair::Bodies(part(0), part(1));
        let steps = |turn: f64, step: usize| -> Vec<usize> {
            let mut working = WorkingSet::default();
            working.at_nodes.extend((0..11).map(|k| (pair, k)));
            let check = Check {
                nodes: 11,
                on_the_way: vec![Between {
                    pair,
                    step,
                    s: 0.5,
                    depth: 1e-3,
                    turn,
                }],
                ..Check::default()
            };
            assert_eq!(working.grow(&check, 0.0, GapRows::Steps), [false, true]);
            let mut steps: Vec<usize> = working.on_the_way.iter().map(|w| w.1).collect();
            steps.sort_unstable();
            steps.dedup();
            steps
        };
        assert_eq!(steps(0.2, 5), [5]);
        assert_eq!(steps(0.8, 5), [3, 4, 5, 6, 7]);
        // There are ten steps.
        assert_eq!(steps(0.8, 0), [0, 1, 2]);
        assert_eq!(steps(0.8, 9), [7, 8, 9]);
    }
}
