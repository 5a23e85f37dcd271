//! Gaps over time: how far apart the surfaces of bodies are, from recorded frames.
//!
//! The value is the Euclidean distance, minus the depth where bodies overlap. Neighbours across a
//! joint do not count, nor pairs that the scenario excludes.

use std::collections::{HashMap, HashSet};

use carom_engine::inner;
use carom_gap::geometry::Shape;
use carom_gap::round::{Solid, above, nearest};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::curves;
use super::document::Plot;
use super::events::EventLog;
use crate::model::{BodyKind, Model};

/// Frames that gaps are computed at, at most.
const MOST_FRAMES: usize = 400;
/// Pairs with a curve of their own, at most.
const MOST_PAIRS: usize = 5;

/// Something with a surface.
struct Collider<'a> {
    body: usize,
    /// None for particles: they are points.
    shape: Option<&'a Shape>,
    /// Radius of a bead around its only vertex.
    radius: f64,
    /// Everything is within this distance of the body's origin.
    reach: f64,
    /// Balls around the parts: middle in the body's axes, and radius.
    balls: Vec<(Vector3<f64>, f64)>,
    moves: bool,
}

/// Balls around the parts of a shape; one that is a point for particles.
fn balls(shape: Option<&Shape>) -> Vec<(Vector3<f64>, f64)> {
    let Some(shape) = shape else {
        return vec![(Vector3::zeros(), 0.0)];
    };
    let around = |part: usize| {
        let b = shape.aabb(part, &Pose::identity());
        ((b.min + b.max) * 0.5, (b.max - b.min).norm() * 0.5)
    };
    (0..shape.parts().len()).map(around).collect()
}

/// A pair: two colliders, or a collider and a wall.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Pair {
    Bodies(usize, usize),
    Wall(usize, usize),
}

pub(super) struct Gaps<'a> {
    model: &'a Model,
    colliders: Vec<Collider<'a>>,
    point: Vertices,
    /// Pairs of bodies that never meet.
    apart: HashSet<(usize, usize)>,
    /// Bodies and walls that never collide.
    apart_from_walls: HashSet<(usize, usize)>,
    every: usize,
    /// Frames expected, and seen so far.
    expected: usize,
    seen: usize,
    frames: Vec<(f64, Vec<Pose>)>,
}

impl<'a> Gaps<'a> {
    /// Prepares for so many frames.
    pub fn new(model: &'a Model, frames: usize) -> Self {
        let colliders = model.bodies().iter().enumerate().filter_map(|(k, body)| {
            // Elastic bodies have no gap of their own here.
            if inner::solid_of(model, k).is_some() {
                return None;
            }
            let shape = match (&body.shape, &body.kind) {
                (Some(shape), _) => Some(shape),
                (None, BodyKind::Particle { .. }) => None,
                _ => return None,
            };
            Some(Collider {
                body: k,
                shape,
                radius: body.radius,
                reach: body.reach(),
                balls: balls(shape),
                moves: body.moves(),
            })
        });
        let mut apart = HashSet::new();
        for joint in model.joints().iter().chain(model.closures()) {
            if let (Some(parent), false) = (joint.parent, joint.collide) {
                apart.insert(ordered(parent.index(), joint.child.index()));
            }
        }
        let rules = model.contact();
        for [a, b] in rules.excluded.iter().chain(&rules.fastened) {
            apart.insert(ordered(a.index(), b.index()));
        }
        Self {
            colliders: colliders.collect(),
            point: Vertices::new(&[Vector3::zeros()]),
            model,
            apart,
            apart_from_walls: (rules.excluded_walls.iter())
                .map(|(body, wall)| (body.index(), *wall))
                .collect(),
            every: frames.div_ceil(MOST_FRAMES).max(1),
            expected: frames,
            seen: 0,
            frames: Vec::new(),
        }
    }

    /// Adds a frame; some are passed over, the last is not.
    pub fn push(&mut self, time: f64, poses: &[Pose]) {
        self.seen += 1;
        if (self.seen - 1).is_multiple_of(self.every) || self.seen >= self.expected {
            self.frames.push((time, poses.to_vec()));
        }
    }

    /// The smallest gap of all, and the gaps of the pairs that come closest or touch most often.
    pub fn plot(&self, events: &EventLog) -> Option<Plot> {
        let mut closest: HashMap<Pair, f64> = HashMap::new();
        let (mut time, mut smallest) = (Vec::new(), Vec::new());
        for (t, poses) in &self.frames {
            let Some((gap, pair)) = self.smallest(poses) else {
                continue;
            };
            time.push(*t);
            smallest.push(gap);
            let least = closest.entry(pair).or_insert(f64::INFINITY);
            *least = least.min(gap);
        }
        if time.is_empty() {
            return None;
        }
        let mut counts: HashMap<Pair, usize> = HashMap::new();
        for event in &events.events {
            if let Some(pair) = self.find(&event.a, &event.b) {
                *counts.entry(pair).or_default() += 1;
                closest.entry(pair).or_insert(0.0);
            }
        }
        let mut pairs: Vec<(Pair, f64)> = closest.into_iter().collect();
        pairs.sort_by(|(p, x), (q, y)| {
            let count = |pair| counts.get(pair).copied().unwrap_or(0);
            let by_count = count(q).cmp(&count(p));
            by_count.then(x.total_cmp(y)).then(p.cmp(q))
        });
        // One pair is the smallest of all.
        if let [(only, _)] = pairs.as_slice() {
            let series = vec![(self.name(*only), smallest)];
            return Some(self.drawn(&time, series));
        }
        let mut series = vec![("smallest of all".to_string(), smallest)];
        for (pair, _) in pairs.iter().take(MOST_PAIRS) {
            let gap = |(_, poses): &(f64, Vec<Pose>)| self.gap(*pair, poses);
            let values = self.frames.iter().map(gap).collect();
            series.push((self.name(*pair), values));
        }
        Some(self.drawn(&time, series))
    }

    fn drawn(&self, time: &[f64], series: Vec<(String, Vec<f64>)>) -> Plot {
        let mut plot = curves::plot("Gaps", "m", time, series);
        plot.note = "Distance of surfaces, negative where they overlap.".into();
        plot
    }

    fn pair(&self, i: usize, j: usize) -> Option<Pair> {
        let (a, b) = (&self.colliders[i], &self.colliders[j]);
        let meet = (a.moves || b.moves) && !self.apart.contains(&ordered(a.body, b.body));
        meet.then_some(Pair::Bodies(i.min(j), i.max(j)))
    }

    fn apart_from_wall(&self, body: usize, wall: usize) -> bool {
        self.apart_from_walls.contains(&(body, wall))
    }

    fn find(&self, a: &str, b: &str) -> Option<Pair> {
        let body = |name: &str| {
            let named = |c: &Collider| self.model.bodies()[c.body].name == name;
            self.colliders.iter().position(named)
        };
        let wall = |name: &str| {
            self.model
                .contact()
                .walls
                .iter()
                .position(|w| w.name == name)
        };
        match (body(a), body(b)) {
            (Some(i), Some(j)) => self.pair(i, j),
            (Some(i), None) => wall(b).map(|w| Pair::Wall(i, w)),
            (None, Some(i)) => wall(a).map(|w| Pair::Wall(i, w)),
            _ => None,
        }
    }

    fn name(&self, pair: Pair) -> String {
        let body = |k: usize| &self.model.bodies()[self.colliders[k].body].name;
        match pair {
            Pair::Bodies(i, j) => format!("{} – {}", body(i), body(j)),
            Pair::Wall(i, w) => format!("{} – {}", body(i), self.model.contact().walls[w].name),
        }
    }

    /// The parts of a collider.
    fn solids<'b>(&'b self, c: &'b Collider) -> impl Iterator<Item = Solid<'b>> {
        let parts = c.shape.map_or(0, |s| s.parts().len());
        let own = (0..parts).filter_map(move |k| c.shape.map(|s| s.solid(k)));
        let point = c.shape.is_none().then_some(Solid::Hull(&self.point));
        own.chain(point)
    }

    /// A part of a collider, as [`balls`] counts them.
    fn solid<'b>(&'b self, c: &'b Collider, part: usize) -> Solid<'b> {
        c.shape.map_or(Solid::Hull(&self.point), |s| s.solid(part))
    }

    fn gap(&self, pair: Pair, poses: &[Pose]) -> f64 {
        match pair {
            Pair::Wall(i, w) => {
                let a = &self.colliders[i];
                let wall = &self.model.contact().walls[w].half_space;
                let pose = &poses[a.body];
                let heights = self.solids(a).map(|x| above(x, pose, wall).value);
                heights.fold(f64::INFINITY, f64::min) - a.radius
            }
            Pair::Bodies(i, j) => {
                let (a, b) = (&self.colliders[i], &self.colliders[j]);
                let (x, y) = (&poses[a.body], &poses[b.body]);
                // Parts whose balls are nearest come first; balls further apart than that need no look.
                let place = |c: &Collider, pose: &Pose| -> Vec<(Vector3<f64>, f64)> {
                    let balls = c.balls.iter();
                    balls.map(|(at, r)| (pose.point(at), *r)).collect()
                };
                let (balls, others) = (place(a, x), place(b, y));
                let apart = |p: usize, q: usize| {
                    (balls[p].0 - others[q].0).norm() - balls[p].1 - others[q].1
                };
                let all = || (0..balls.len()).flat_map(|p| (0..others.len()).map(move |q| (p, q)));
                let first = all().min_by(|m, n| apart(m.0, m.1).total_cmp(&apart(n.0, n.1)));
                let mut least = f64::INFINITY;
                for (p, q) in first.into_iter().chain(all()) {
                    // Written so that what is not a number is looked at.
                    let far = apart(p, q) >= least;
                    if !far {
                        let [p, q] = [self.solid(a, p), self.solid(b, q)];
                        least = least.min(nearest(p, x, q, y, None).value);
                    }
                }
                least - a.radius - b.radius
            }
        }
    }

    /// The smallest gap of all pairs: bounding spheres first, sorted along x.
    fn smallest(&self, poses: &[Pose]) -> Option<(f64, Pair)> {
        let mut best: Option<(f64, Pair)> = None;
        let mut consider = |bound: f64, pair: Pair| {
            if best.is_none_or(|(least, _)| bound < least) {
                let gap = self.gap(pair, poses);
                if best.is_none_or(|(least, _)| gap < least) {
                    best = Some((gap, pair));
                }
            }
            best.map_or(f64::INFINITY, |(least, _)| least)
        };
        let at = |k: usize| poses[self.colliders[k].body].position;
        let mut least = f64::INFINITY;
        for (w, wall) in self.model.contact().walls.iter().enumerate() {
            for (k, c) in self.colliders.iter().enumerate() {
                if !c.moves || self.apart_from_wall(c.body, w) {
                    continue;
                }
                let height = wall.half_space.normal().dot(&at(k)) - wall.half_space.offset();
                least = consider(height - c.reach, Pair::Wall(k, w));
            }
        }
        let mut order: Vec<usize> = (0..self.colliders.len()).collect();
        let left = |k: usize| at(k).x - self.colliders[k].reach;
        order.sort_by(|a, b| left(*a).total_cmp(&left(*b)));
        for (n, &i) in order.iter().enumerate() {
            for &j in &order[n + 1..] {
                let right = at(i).x + self.colliders[i].reach;
                if left(j) - right > least.max(0.0) {
                    break;
                }
                let reach = self.colliders[i].reach + self.colliders[j].reach;
                if let Some(pair) = self.pair(i, j) {
                    least = consider((at(i) - at(j)).norm() - reach, pair);
                }
            }
        }
        best
    }
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}
