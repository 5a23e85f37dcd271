//! Rims of round bodies that rock: where they come down is foreseen, and points of the body take the place of the one
//! that moves along it.

use carom_gap::Pose;
use carom_gap::round::Roll;
use nalgebra::Vector3;

use super::catch::BESIDE;
use super::*;
use crate::contact::Anchor;
use crate::model::{BodyId, Model};

/// Points of a round body further apart than this part of its reach are different places of it.
const ELSEWHERE: f64 = 0.25;
/// Points of a rim within this part of a body's reach push beside its lowest one.
const NEARBY: f64 = 0.5;

/// Where a rim was pushed in a trial, as a whole, and where it came down, on the body it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rim {
    entry: usize,
    mean: Vector3<f64>,
    low: Vector3<f64>,
    /// Whether the point that joined then was a foreseen one.
    foreseen: bool,
}

impl IslandStepper {
    /// Where a rim will come down if it is pushed there. It is pushed somewhere and comes down elsewhere, differently in
    /// each trial: the place at which both are one is found by the secant of two trials, along the rim.
    pub(super) fn foresee(
        &mut self,
        model: &Model,
        entry: usize,
        p: &ContactPoint,
        probe: &State,
    ) -> Option<ContactPoint> {
        // The plane turns with its frame: the rim is on the other side.
        let side = match p.roll {
            Roll::Beside(line) => line.side,
            _ => usize::from(p.frame.is_some() && p.frame == p.a.body),
        };
        // Of lines along each other it is the place along the axis.
        let local = |p: &ContactPoint| match p.roll {
            Roll::Beside(line) => line.center,
            _ => [p.a.local, p.b.local][side],
        };
        let alike = |q: &ContactPoint| match (p.roll, q.roll) {
            (Roll::Beside(x), Roll::Beside(y)) => x.side == y.side,
            _ => !moves_along(q),
        };
        let body = [p.a.body, p.b.body][side]?;
        let reach = model.body(body).reach();
        let low = local(p);
        // Points of the rim that push nearby, those that push most first, and where they push as a whole.
        let mut pushing: Vec<(f64, Vector3<f64>)> = (self.spots.iter().zip(&self.points))
            .filter(|(s, _)| s.entry == entry && alike(&s.point))
            .map(|(s, point)| (self.rows.lambda[point.first], local(&s.point)))
            .filter(|(push, x)| *push > 0.0 && (x - low).norm() <= NEARBY * reach)
            .collect();
        pushing.sort_by(|x, y| y.0.total_cmp(&x.0));
        let sum: f64 = pushing.iter().map(|x| x.0).sum();
        let mean = pushing
            .iter()
            .fold(Vector3::zeros(), |m, x| m + x.1 * (x.0 / sum));
        if pushing.is_empty() {
            return None;
        }
        let before = self.rims.iter().rev().find(|r| r.entry == entry).copied();
        self.rims.push(Rim {
            entry,
            mean,
            low,
            foreseen: false,
        });
        // Every other time the lowest point joins: between points that push it halves their distance for certain.
        let before = before.filter(|b| !b.foreseen)?;
        // The secant of low − mean over mean, along the way from here to the lowest point.
        let along = (low - mean).try_normalize(1e-12 * reach)?;
        let place = |x: &Vector3<f64>| (x - mean).dot(&along);
        let (off, off_before) = (place(&low), (before.low - before.mean).dot(&along));
        let root = off * place(&before.mean) / (off - off_before);
        let span = off.max(place(&before.mean).abs());
        // Between points that push, if there are several, and not far away at least.
        let ends = pushing.iter().map(|x| place(&x.1));
        let [first, last] = match pushing.len() {
            1 => [-2.0 * span, 2.0 * span],
            _ => ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| {
                [a.min(x), b.max(x)]
            }),
        };
        if !(first <= root && root <= last) {
            return None;
        }
        // On the curve through points of the rim close by.
        let mut nodes: Vec<(f64, Vector3<f64>)> = Vec::new();
        for x in [low, before.low]
            .into_iter()
            .chain(pushing.iter().map(|x| x.1))
        {
            let apart = |n: &(f64, Vector3<f64>)| (n.0 - place(&x)).abs() > 0.01 * span;
            if nodes.len() < 3 && nodes.iter().all(apart) {
                nodes.push((place(&x), x));
            }
        }
        let next = on_curve(&nodes, root);
        let known = |s: &Spot| s.entry == entry && (local(&s.point) - next).norm() <= 1e-8 * reach;
        if nodes.len() < 2 || self.spots.iter().any(known) {
            return None;
        }
        if let Some(rim) = self.rims.last_mut() {
            rim.foreseen = true;
        }
        Some(shifted(*p, side, next - low, probe))
    }

    /// Notes the entries whose one point came down elsewhere on a body than where it pushes: what it gives says nothing of
    /// the gap there.
    pub(super) fn note_strayed(&mut self, setup: &Setup, resting: &[Resting], probe: &State) {
        self.strayed.clear();
        for s in self.spots.iter().filter(|s| moves_along(&s.point)) {
            if self.strayed.contains(&s.entry) || s.gap >= 0.0 {
                continue;
            }
            let now = (s.point).at(setup.model, &resting[s.entry].pair, &path(probe));
            if is_elsewhere(setup.model, &s.point, &now) {
                self.strayed.push(s.entry);
            }
        }
    }

    /// Makes points that move along a round body points that stay where they are on it; whether there were any.
    pub(super) fn fix(&mut self, entry: usize, resting: &mut [Resting]) -> bool {
        let mut any = false;
        let points = resting[entry].points.iter_mut();
        let spots = self.spots.iter_mut().filter(|s| s.entry == entry);
        for p in points.chain(spots.map(|s| &mut s.point)) {
            if moves_along(p) {
                p.roll = Roll::Fixed;
                any = true;
            }
        }
        any
    }
}

/// The point at a place of the curve through points at other places, by Lagrange's polynomials.
fn on_curve(nodes: &[(f64, Vector3<f64>)], place: f64) -> Vector3<f64> {
    let weight = |k: usize| -> f64 {
        let others = (0..nodes.len()).filter(|j| *j != k);
        others
            .map(|j| (place - nodes[j].0) / (nodes[k].0 - nodes[j].0))
            .product()
    };
    (0..nodes.len()).fold(Vector3::zeros(), |x, k| x + nodes[k].1 * weight(k))
}

/// A point of a contact, moved along one of its bodies; the other side goes along in its plane.
fn shifted(mut p: ContactPoint, side: usize, moved: Vector3<f64>, probe: &State) -> ContactPoint {
    let pose = |body: BodyId| &probe.poses[body.index()];
    let [body, other] = match side {
        0 => [p.a.body, p.b.body],
        _ => [p.b.body, p.a.body],
    };
    let shift = body.map_or(moved, |b| pose(b).vector(&moved));
    let n = p.normal(&probe.poses);
    let across = shift - n * shift.dot(&n);
    let across = other.map_or(across, |b| pose(b).direction_to_body(&across));
    let (own, opposite) = match side {
        0 => (&mut p.a, &mut p.b),
        _ => (&mut p.b, &mut p.a),
    };
    own.local += moved;
    opposite.local += across;
    match &mut p.roll {
        Roll::Circle { center, .. } => *center += moved,
        Roll::Beside(line) => line.center += moved,
        _ => {}
    }
    p
}

/// A point that stays where it is on both bodies, above the plane of others of its contact; with a ball around it
/// where those have one.
pub(super) fn fixed(p: ContactPoint, others: &[ContactPoint], poses: &[Pose]) -> ContactPoint {
    let n = p.normal(poses);
    let level = |o: &&ContactPoint| (o.normal(poses) - n).norm() <= BESIDE;
    let frame = others.iter().find(level).and_then(|o| o.frame);
    let rounded = others.iter().find_map(|o| match o.roll {
        Roll::Circle {
            side,
            axis,
            radius,
            ball,
            ..
        } if radius == 0.0 && ball > 0.0 => Some((side, axis, ball)),
        _ => None,
    });
    let roll = rounded.map_or(Roll::Fixed, |(side, axis, ball)| {
        let (anchor, inward) = [(p.a, n), (p.b, -n)][side];
        let turned = |b: BodyId| poses[b.index()].direction_to_body(&inward);
        Roll::Circle {
            side,
            center: anchor.local + anchor.body.map_or(inward, turned) * ball,
            axis,
            radius: 0.0,
            ball,
        }
    });
    ContactPoint {
        frame,
        normal: frame.map_or(n, |f| poses[f.index()].directors.tr_mul(&n)),
        roll,
        ..p
    }
}

/// Whether a point moves along a rim, or along all of a round body.
pub(super) fn moves_along(p: &ContactPoint) -> bool {
    match p.roll {
        Roll::Pair => true,
        Roll::Circle { radius, .. } => radius > 0.0,
        _ => false,
    }
}

/// Whether a point is one of several along two lines.
pub(super) fn lies_along(p: &ContactPoint) -> bool {
    matches!(p.roll, Roll::Beside(_))
}

/// Whether two points are at different places of one of their bodies.
fn is_elsewhere(model: &Model, p: &ContactPoint, q: &ContactPoint) -> bool {
    let far = |a: &Anchor, b: &Anchor| {
        let reach = a.body.map_or(f64::INFINITY, |b| model.body(b).reach());
        (a.local - b.local).norm() > ELSEWHERE * reach
    };
    far(&p.a, &q.a) || far(&p.b, &q.b)
}

/// Whether the one point of a round body is found elsewhere on it than all that move along it so far.
pub(super) fn rocks(model: &Model, known: &[ContactPoint], p: &ContactPoint) -> bool {
    let elsewhere = |o: &ContactPoint| match o.roll {
        Roll::Fixed => o.freedom.is_none(),
        Roll::Circle { radius: 0.0, .. } => true,
        _ => moves_along(o) && is_elsewhere(model, o, p),
    };
    !known.is_empty() && known.iter().all(elsewhere)
}
