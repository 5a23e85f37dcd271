//! Gaps over time: how far apart the surfaces of bodies are, from recorded frames.
//!
//! The value is the Euclidean distance, minus the depth where bodies overlap. Neighbours across a
//! joint do not count, nor pairs that the scenario excludes.

use std::collections::HashMap;

use carom_engine::inner;
use carom_gap::Pose;
use nalgebra::Vector3;

use super::curves;
use super::document::Plot;
use super::events::EventLog;
use crate::contact::{Collider, Exclusions, Side, colliders_of, collides, distance_between};
use crate::model::{BodyId, Model};

/// Frames that gaps are computed at, at most.
const MOST_FRAMES: usize = 400;
/// Pairs with a curve of their own, at most.
const MOST_PAIRS: usize = 5;

/// A body with a surface.
struct Surface {
    body: BodyId,
    /// Everything is within this distance of the body's origin.
    reach: f64,
    /// Its colliders, with balls around them: middle in the body's axes, and radius.
    colliders: Vec<Ball>,
    moves: bool,
}

/// A collider and a ball around it.
type Ball = (Collider, Vector3<f64>, f64);

/// The colliders of a body.
fn balls(model: &Model, body: BodyId) -> Vec<Ball> {
    let around = |c: Collider| match (c, &model.body(body).shape) {
        (Collider::Part { part, .. }, Some(shape)) => {
            let b = shape.aabb(part, &Pose::identity());
            (c, (b.min + b.max) * 0.5, (b.max - b.min).norm() * 0.5)
        }
        _ => (c, Vector3::zeros(), model.body(body).radius),
    };
    colliders_of(model, body).map(around).collect()
}

/// Two bodies, or a body and a wall.
type Sides = [Side; 2];

pub(super) struct Gaps<'a> {
    model: &'a Model,
    surfaces: Vec<Surface>,
    /// Where each body is among them.
    place: Vec<Option<usize>>,
    exclusions: Exclusions,
    every: usize,
    /// Frames expected, and seen so far.
    expected: usize,
    seen: usize,
    frames: Vec<(f64, Vec<Pose>)>,
}

impl<'a> Gaps<'a> {
    /// Prepares for so many frames.
    pub fn new(model: &'a Model, frames: usize) -> Self {
        // Sensors have none, nor elastic bodies here.
        let ids = (0..model.bodies().len()).map(inner::body_id);
        let surfaces: Vec<Surface> = (ids.filter(|b| collides(model, *b)))
            .map(|body| Surface {
                body,
                reach: model.body(body).reach(),
                colliders: balls(model, body),
                moves: model.body(body).moves(),
            })
            .collect();
        let mut place = vec![None; model.bodies().len()];
        for (k, s) in surfaces.iter().enumerate() {
            place[s.body.index()] = Some(k);
        }
        Self {
            surfaces,
            place,
            model,
            exclusions: Exclusions::new(model),
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
        let mut closest: HashMap<Sides, f64> = HashMap::new();
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
        let mut counts: HashMap<Sides, usize> = HashMap::new();
        for event in &events.events {
            if let Some(pair) = self.find(&event.a, &event.b) {
                *counts.entry(pair).or_default() += 1;
                closest.entry(pair).or_insert(0.0);
            }
        }
        let mut pairs: Vec<(Sides, f64)> = closest.into_iter().collect();
        pairs.sort_by(|(p, x), (q, y)| {
            let count = |pair| counts.get(pair).copied().unwrap_or(0);
            let by_count = count(q).cmp(&count(p));
            let at_wall = |sides: &Sides| matches!(sides[1], Side::Wall(_));
            let in_order = at_wall(p).cmp(&at_wall(q)).then(p.cmp(q));
            by_count.then(x.total_cmp(y)).then(in_order)
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

    fn pair(&self, i: usize, j: usize) -> Option<Sides> {
        let (a, b) = (&self.surfaces[i.min(j)], &self.surfaces[i.max(j)]);
        let sides = [a, b].map(|s| Side::Body(s.body));
        let meet = (a.moves || b.moves) && !self.exclusions.keep_apart(sides[0], sides[1]);
        meet.then_some(sides)
    }

    fn find(&self, a: &str, b: &str) -> Option<Sides> {
        let body = |name: &str| {
            let named = |s: &Surface| self.model.body(s.body).name == name;
            self.surfaces.iter().position(named)
        };
        let wall = |name: &str| {
            let walls = &self.model.contact().walls;
            walls.iter().position(|w| w.name == name).map(Side::Wall)
        };
        let with = |i: usize, wall: Side| [Side::Body(self.surfaces[i].body), wall];
        match (body(a), body(b)) {
            (Some(i), Some(j)) => self.pair(i, j),
            (Some(i), None) => wall(b).map(|w| with(i, w)),
            (None, Some(i)) => wall(a).map(|w| with(i, w)),
            _ => None,
        }
    }

    fn name(&self, sides: Sides) -> String {
        sides.map(|side| side.name(self.model)).join(" – ")
    }

    fn surface(&self, side: Side) -> Option<&Surface> {
        match side {
            Side::Body(b) => self.place[b.index()].map(|k| &self.surfaces[k]),
            _ => None,
        }
    }

    /// Distance of two colliders.
    fn between(&self, colliders: [&Collider; 2], poses: &[Pose]) -> f64 {
        let own = colliders.map(|c| c.pose(poses));
        let found = distance_between(self.model, colliders, own);
        found.map_or(f64::INFINITY, |d| d.value)
    }

    fn gap(&self, [a, b]: Sides, poses: &[Pose]) -> f64 {
        let Some(first) = self.surface(a) else {
            return f64::INFINITY;
        };
        if let Side::Wall(index) = b {
            let wall = Collider::Wall { index };
            let heights = first.colliders.iter();
            let heights = heights.map(|(c, ..)| self.between([c, &wall], poses));
            return heights.fold(f64::INFINITY, f64::min);
        }
        let Some(second) = self.surface(b) else {
            return f64::INFINITY;
        };
        // Parts whose balls are nearest come first; balls further apart than that need no look.
        let place = |s: &Surface| -> Vec<(Vector3<f64>, f64)> {
            let pose = &poses[s.body.index()];
            let balls = s.colliders.iter();
            balls.map(|(_, at, r)| (pose.point(at), *r)).collect()
        };
        let (balls, others) = (place(first), place(second));
        let apart =
            |p: usize, q: usize| (balls[p].0 - others[q].0).norm() - balls[p].1 - others[q].1;
        let all = || (0..balls.len()).flat_map(|p| (0..others.len()).map(move |q| (p, q)));
        let nearest = all().min_by(|m, n| apart(m.0, m.1).total_cmp(&apart(n.0, n.1)));
        let mut least = f64::INFINITY;
        for (p, q) in nearest.into_iter().chain(all()) {
            // Written so that what is not a number is looked at.
            let far = apart(p, q) >= least;
            if !far {
                let colliders = [&first.colliders[p].0, &second.colliders[q].0];
                least = least.min(self.between(colliders, poses));
            }
        }
        least
    }

    /// The smallest gap of all pairs: bounding spheres first, sorted along x.
    fn smallest(&self, poses: &[Pose]) -> Option<(f64, Sides)> {
        let mut best: Option<(f64, Sides)> = None;
        let mut consider = |bound: f64, pair: Sides| {
            if best.is_none_or(|(least, _)| bound < least) {
                let gap = self.gap(pair, poses);
                if best.is_none_or(|(least, _)| gap < least) {
                    best = Some((gap, pair));
                }
            }
            best.map_or(f64::INFINITY, |(least, _)| least)
        };
        let at = |k: usize| poses[self.surfaces[k].body.index()].position;
        let mut least = f64::INFINITY;
        for (w, wall) in self.model.contact().walls.iter().enumerate() {
            for (k, c) in self.surfaces.iter().enumerate() {
                let sides = [Side::Body(c.body), Side::Wall(w)];
                if !c.moves || self.exclusions.keep_apart(sides[0], sides[1]) {
                    continue;
                }
                let height = wall.half_space.normal().dot(&at(k)) - wall.half_space.offset();
                least = consider(height - c.reach, sides);
            }
        }
        let mut order: Vec<usize> = (0..self.surfaces.len()).collect();
        let left = |k: usize| at(k).x - self.surfaces[k].reach;
        order.sort_by(|a, b| left(*a).total_cmp(&left(*b)));
        for (n, &i) in order.iter().enumerate() {
            for &j in &order[n + 1..] {
                let right = at(i).x + self.surfaces[i].reach;
                if left(j) - right > least.max(0.0) {
                    break;
                }
                let reach = self.surfaces[i].reach + self.surfaces[j].reach;
                if let Some(pair) = self.pair(i, j) {
                    least = consider((at(i) - at(j)).norm() - reach, pair);
                }
            }
        }
        best
    }
}
