//! Which gaps are rows, and whether the bodies stay apart.
//!
//! The broad phase chooses the pairs near each other along the guess; after solving, all pairs are
//! looked at, at the nodes and between them, and what is violated becomes a row, until the plan is
//! clean (thesis 4.3).

use std::collections::HashSet;
use std::ops::Range;

use carom_gap::Pose;

use super::between;
use super::evaluate::Transcription;
use super::gaps;
use super::guess::Guess;
use super::layout::{GapSlot, Row, RowKind};
use super::problem::{Avoid, GapRows, Problem};
use crate::contact::{Collider, Detector, Pair};
use crate::model::Model;

type Key = (Collider, Collider);

/// Samples of a step that are looked at for overlap.
const SAMPLES: usize = 16;

/// ½ δ² of the deepest overlap δ that the single row of a node lets pass.
const BARRIER: f64 = 0.5e-16;

/// Rows for gaps.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorkingSet {
    at_nodes: HashSet<(Key, usize)>,
    on_the_way: Vec<(Key, usize, f64)>,
}

/// What a look at all pairs found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Check {
    /// Largest overlap anywhere.
    pub overlap: f64,
    /// Pairs below the margin at nodes: by how much.
    at_nodes: Vec<(Key, usize, f64)>,
    /// Pairs that overlap between nodes: where and how deep.
    on_the_way: Vec<(Key, usize, f64, f64)>,
}

impl Check {
    /// By how much the margin is missed at the nodes, or how deep bodies overlap between them.
    pub fn missed(&self) -> f64 {
        let at_nodes = self.at_nodes.iter().map(|n| n.2);
        let on_the_way = self.on_the_way.iter().map(|w| w.3);
        at_nodes.chain(on_the_way).fold(0.0, f64::max)
    }
}

fn key(pair: &Pair) -> Option<Key> {
    match pair {
        Pair::Bodies(a, b) => Some((*a, *b)),
        _ => None,
    }
}

impl WorkingSet {
    /// Pairs near each other at the nodes of a guess.
    pub fn new(problem: &Problem, guess: &Guess) -> Self {
        let mut out = Self::default();
        let (Some(_), model) = (&problem.avoid, &*problem.model) else {
            return out;
        };
        let shapes = model.bodies().iter().filter_map(|b| b.shape.as_ref());
        let parts = shapes.flat_map(|s| s.vertices());
        let reach = 0.25 * parts.map(|v| v.reach()).fold(0.0, f64::max);
        let mut detector = Detector::new(model);
        let mut found = Vec::new();
        for (node, poses) in guess.poses.iter().enumerate() {
            detector.candidates(model, poses, poses, reach, &mut found);
            let keys = found.iter().filter_map(|(pair, _)| key(pair));
            out.at_nodes.extend(keys.map(|k| (k, node)));
        }
        out
    }

    /// Adds what a check found; says whether there is anything new at the nodes, and between them.
    pub fn grow(&mut self, check: &Check, tolerance: f64) -> [bool; 2] {
        let mut grown = false;
        let mut between = false;
        for (key, node, below) in &check.at_nodes {
            if *below > tolerance {
                grown |= self.at_nodes.insert((*key, *node));
            }
        }
        for (key, step, s, depth) in &check.on_the_way {
            let known =
                |(k, at, t): &(Key, usize, f64)| k == key && at == step && (s - t).abs() < 0.002;
            if *depth > tolerance && !self.on_the_way.iter().any(known) {
                self.on_the_way.push((*key, *step, *s));
                between = true;
            }
        }
        [grown, between]
    }

    /// Adds pairs near each other half-way between the nodes of a guess.
    #[cfg(test)]
    pub fn look_between(&mut self, guess: &Guess) {
        let nodes: Vec<_> = self.at_nodes.iter().copied().collect();
        let last = guess.poses.len() - 1;
        for (key, node) in nodes.into_iter().filter(|(_, node)| *node < last) {
            self.on_the_way.push((key, node, 0.3 + 0.1 * node as f64));
        }
    }

    /// Adds the rows to a transcription.
    pub fn add_rows(&self, problem: &Problem, t: &mut Transcription) {
        let Some(avoid) = &problem.avoid else {
            return;
        };
        let mut list: Vec<_> = self.at_nodes.iter().copied().collect();
        list.sort_by_key(|(key, node)| (*node, order(key)));
        let mut barriers: Vec<Vec<usize>> = vec![Vec::new(); t.layout.nodes()];
        for ((a, b), node) in list {
            let pair = Pair::Bodies(a, b);
            if node >= t.layout.nodes() || !moves(t, &pair, node) {
                continue;
            }
            let slots = add_slots(t, pair, &t.centres[node].clone(), avoid.rows);
            match avoid.rows {
                GapRows::Single => barriers[node].extend(slots),
                _ => t.layout.rows.extend(slots.map(|gap| Row {
                    kind: RowKind::Gap { node, gap },
                    range: [avoid.margin, f64::INFINITY],
                })),
            }
        }
        for (node, gaps) in barriers.into_iter().enumerate() {
            if !gaps.is_empty() {
                t.layout.wide_nodes = true;
                t.layout.rows.push(Row {
                    kind: RowKind::Barrier { node, gaps },
                    range: [f64::NEG_INFINITY, BARRIER],
                });
            }
        }
        for &((a, b), step, s) in &self.on_the_way {
            let pair = Pair::Bodies(a, b);
            if moves(t, &pair, step) || moves(t, &pair, step + 1) {
                let way = way(&pair, &t.centres[step], &t.centres[step + 1], s);
                let slots = add_slots(t, pair, &way, avoid.rows);
                t.layout.wide_steps = true;
                t.layout.wide_nodes = true;
                t.layout.rows.extend(slots.map(|gap| Row {
                    kind: RowKind::Between { step, s, gap },
                    range: [0.0, f64::INFINITY],
                }));
            }
        }
    }
}

/// Poses of a pair at a part s of a step, others at its start.
fn way(pair: &Pair, from: &[Pose], to: &[Pose], s: f64) -> Vec<Pose> {
    let mut poses = from.to_vec();
    for body in gaps::members(pair).into_iter().flatten() {
        let b = body.index();
        poses[b] = between::pose(&from[b], &to[b], s);
    }
    poses
}

/// A fixed order of pairs: the rows of a problem are always the same.
fn order(key: &Key) -> [usize; 4] {
    let of = |c: &Collider| match c {
        Collider::Part { body, part } => [body.index(), *part],
        Collider::Bead { body } => [body.index(), 0],
        Collider::Wall { index } => [usize::MAX, *index],
    };
    let ([a, b], [c, d]) = (of(&key.0), of(&key.1));
    [a, b, c, d]
}

/// Slots of a pair: one for its gap, or one for each vertex over a plane that separates it at the
/// given poses.
fn add_slots(t: &mut Transcription, pair: Pair, poses: &[Pose], rows: GapRows) -> Range<usize> {
    let homes = gaps::members(&pair).map(|b| b.and_then(|b| t.layout.body_home[b.index()]));
    if let [Some((a, _)), Some((b, _))] = homes {
        t.layout.wide_nodes |= a != b;
    }
    let first = t.layout.gaps.len();
    if rows == GapRows::Planes {
        let planes = gaps::separations(&t.model, &pair, poses);
        t.layout
            .gaps
            .extend(planes.into_iter().map(|plane| GapSlot {
                pair,
                plane: Some(plane),
                warm: None,
            }));
    }
    if t.layout.gaps.len() == first {
        t.layout.gaps.push(GapSlot {
            pair,
            plane: None,
            warm: None,
        });
    }
    first..t.layout.gaps.len()
}

/// Whether a pose of the pair is not fixed at a node: a row there would have no gradient.
fn moves(t: &Transcription, pair: &Pair, node: usize) -> bool {
    let list = t.layout.freedoms_of(t.layout.pair_coordinates(pair));
    list.iter().any(|&f| {
        let [low, high] = t.bounds[t.layout.u(node, f)];
        low != high
    })
}

/// Looks at all pairs at the nodes and between them.
pub(crate) fn check(problem: &Problem, poses: &[Vec<Pose>], avoid: &Avoid) -> Check {
    let model = &*problem.model;
    let mut detector = Detector::new(model);
    let mut found = Vec::new();
    let mut out = Check::default();
    for (node, here) in poses.iter().enumerate() {
        detector.candidates(model, here, here, avoid.margin, &mut found);
        for (pair, _) in &found {
            let Some(key) = key(pair) else { continue };
            let gap = gaps::evaluate(model, pair, here, &mut None).value;
            out.overlap = out.overlap.max(-gap);
            if gap < avoid.margin {
                out.at_nodes.push((key, node, avoid.margin - gap));
            }
        }
    }
    if avoid.between_nodes {
        for (step, ends) in poses.windows(2).enumerate() {
            let bulge = bulge(model, &ends[0], &ends[1]);
            detector.candidates(model, &ends[0], &ends[1], bulge, &mut found);
            for (pair, _) in &found {
                let Some(key) = key(pair) else { continue };
                let (s, gap) = deepest(model, pair, &ends[0], &ends[1]);
                out.overlap = out.overlap.max(-gap);
                if gap < 0.0 && s > 0.0 && s < 1.0 {
                    out.on_the_way.push((key, step, s, -gap));
                }
            }
        }
    }
    out
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

/// The part of a step with the least gap of a pair, and the gap.
fn deepest(model: &Model, pair: &Pair, from: &[Pose], to: &[Pose]) -> (f64, f64) {
    let mut warm = None;
    let mut at = |s: f64| gaps::evaluate(model, pair, &way(pair, from, to, s), &mut warm).value;
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
