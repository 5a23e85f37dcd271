//! Pairs that overlap where a trial step ends: their points join the problem, those of features left
//! behind leave it.

use carom_gap::Pose;
use carom_gap::round::Roll;
use nalgebra::Vector3;

use super::super::resting::settle_on_rim;
use super::super::touching::gap_in;
use super::*;
use crate::contact::{Anchor, Collider, body_of, evaluate};
use crate::model::{BodyId, Model};

/// Up to so many additions points of features that are left behind are given up.
const FORGETFUL: usize = 8;
/// Points closer than this are one, in the same.
const BESIDE: f64 = 1e-2;
/// Points of a round body further apart than this part of its reach are different places of it.
const ELSEWHERE: f64 = 0.25;
/// Points of a rim within this part of a body's reach push beside its lowest one.
const NEARBY: f64 = 0.5;
/// Overlap that a step may leave, in body sizes.
const CLEAN: f64 = 1e-12;

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
    /// Adds the points of pairs that overlap at the end by more than the trial is `unsure` of; false
    /// if there is nothing to add.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn catch(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &mut Vec<Resting>,
        span: &Span,
        probe: &State,
        unsure: f64,
        additions: usize,
    ) -> bool {
        let model = setup.model;
        let (mut added, mut replaced) = (false, false);
        let clean = unsure.max(CLEAN * work.size);
        // After the last trial points join the problem at its end; what the trial was made with stays.
        let last = additions >= MOST_ADDITIONS;
        self.overlap = (0.0, None);
        for n in span.near {
            let (pair, key, start) = (&n.pair, &n.key, n.gap);
            if far_apart(model, pair, n.apart, span.base, probe) {
                continue;
            }
            let gap = gap_in(model, &mut work.detector, pair, *key, probe);
            let allowed = start.min(0.0) - clean;
            if gap >= allowed {
                continue;
            }
            let entry = resting.iter().position(|r| r.key == *key && !r.held);
            let held = resting.iter().position(|r| r.key == *key && r.held);
            let mut warm = work.detector.basis(*key);
            let at = path(probe);
            let row = evaluate(model, pair, &at, &mut warm);
            work.detector.remember(*key, warm);
            self.found.clear();
            work.faces
                .points(model, pair, &at, &row, -0.5 * gap, &mut self.found);
            let entry = entry.unwrap_or_else(|| {
                let surface = setup.touching(work.detector.surface(pair), &self.found);
                let caught = Resting::caught(*pair, *key, surface, row.features);
                resting.push(match held {
                    Some(k) => Resting {
                        caught: true,
                        ..resting[k].beside()
                    },
                    None => caught,
                });
                resting.len() - 1
            });
            settle_on_rim(&mut self.found);
            // A rim comes down elsewhere in every trial: all these places count.
            let along_rim = self.found.iter().any(moves_along);
            if additions < FORGETFUL && !along_rim && self.forget(entry, resting, work.size) {
                (added, replaced) = (true, true);
            }
            let floor = (start + RECOVERED * work.size * span.part()).min(0.0);
            for k in 0..self.found.len() {
                let mut p = self.found[k];
                if p.freedom.is_none() && p.gap(&probe.poses) >= allowed {
                    continue;
                }
                if held.is_some_and(|k| resting[k].holds_at(&p, &probe.poses, work.size)) {
                    continue;
                }
                // A rim that rocks comes down at several places: points of the body, each with its own gap, which
                // in the end close in on the lowest from both sides.
                let on_rim = moves_along(&p) && rocks(model, &resting[entry].points, &p);
                let mut foreseen = false;
                if on_rim {
                    p = fixed(p, &resting[entry].points, &probe.poses);
                    if let Some(next) = self.foresee(model, entry, &p, probe) {
                        (p, foreseen) = (next, true);
                    }
                    replaced |= !last && self.fix(entry, resting);
                }
                let points = &mut resting[entry].points;
                let known = |o: &ContactPoint| {
                    same_point(o, &p, work.size) || covers(o, &p, &probe.poses, work.size)
                };
                if points.iter().any(known) {
                    continue;
                }
                added = true;
                // A point close by of the same plane gives way: it was found where a trial ended
                // that was not the last.
                let near = points.iter().position(|o| beside(o, &p, work.size));
                let gives_way = !on_rim || additions < FORGETFUL && !foreseen;
                if let Some(at) = near.filter(|_| !last && gives_way) {
                    let old = std::mem::replace(&mut points[at], p);
                    self.replace(entry, &old, &p);
                    replaced = true;
                    continue;
                }
                points.push(p);
                let rest = resting[entry].clone();
                self.push(setup, work, span.base, &rest, entry, &p, floor);
                self.silence_if_borne(self.points.len() - 1);
                if let Some(spot) = self.spots.last_mut() {
                    spot.caught = true;
                }
            }
            // How much deeper than at the start.
            let deeper = start.min(0.0) - gap;
            if deeper > self.overlap.0 {
                self.overlap = (deeper, Some(*pair));
            }
        }
        if replaced {
            self.push_again(setup, work, span, resting);
        }
        added
    }

    /// Gives up points of a pair that were found where an earlier trial ended and are of other
    /// features than those found now; whether there were any.
    pub(super) fn forget(&mut self, entry: usize, resting: &mut [Resting], size: f64) -> bool {
        let found = &self.found;
        let stale = |s: &Spot| {
            s.caught
                && s.entry == entry
                && !found
                    .iter()
                    .any(|p| beside(&s.point, p, size) || same_point(&s.point, p, size))
        };
        let gone: Vec<usize> = (0..self.spots.len())
            .filter(|&k| stale(&self.spots[k]))
            .collect();
        for &k in gone.iter().rev() {
            let spot = self.spots.remove(k);
            self.points.remove(k);
            let points = &mut resting[entry].points;
            points.retain(|p| p.a.local != spot.point.a.local || p.frame != spot.point.frame);
        }
        !gone.is_empty()
    }

    /// Where a rim will come down if it is pushed there. It is pushed somewhere and comes down elsewhere, differently in
    /// each trial: the place at which both are one is found by the secant of two trials, along the rim.
    fn foresee(
        &mut self,
        model: &Model,
        entry: usize,
        p: &ContactPoint,
        probe: &State,
    ) -> Option<ContactPoint> {
        // The plane turns with its frame: the rim is on the other side.
        let side = usize::from(p.frame.is_some() && p.frame == p.a.body);
        let local = |p: &ContactPoint| [p.a.local, p.b.local][side];
        let (body, other) = [(p.a.body, p.b.body), (p.b.body, p.a.body)][side];
        let body = body?;
        let reach = model.body(body).reach();
        let low = local(p);
        // Points of the rim that push nearby, those that push most first, and where they push as a whole.
        let mut pushing: Vec<(f64, Vector3<f64>)> = (self.spots.iter().zip(&self.points))
            .filter(|(s, _)| s.entry == entry && !moves_along(&s.point))
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
        let weight = |k: usize| -> f64 {
            let others = (0..nodes.len()).filter(|j| *j != k);
            others
                .map(|j| (root - nodes[j].0) / (nodes[k].0 - nodes[j].0))
                .product()
        };
        let next = (0..nodes.len()).fold(Vector3::zeros(), |x, k| x + nodes[k].1 * weight(k));
        let known = |s: &Spot| s.entry == entry && (local(&s.point) - next).norm() <= 1e-8 * reach;
        if nodes.len() < 2 || self.spots.iter().any(known) {
            return None;
        }
        // The other side goes along in its plane.
        let moved = next - low;
        let shift = probe.poses[body.index()].vector(&moved);
        let n = p.normal(&probe.poses);
        let across = shift - n * shift.dot(&n);
        let across = other.map_or(across, |b| {
            probe.poses[b.index()].direction_to_body(&across)
        });
        let mut p = *p;
        let (own, opposite) = match side {
            0 => (&mut p.a, &mut p.b),
            _ => (&mut p.b, &mut p.a),
        };
        own.local += moved;
        opposite.local += across;
        if let Roll::Circle { center, .. } = &mut p.roll {
            *center += moved;
        }
        if let Some(rim) = self.rims.last_mut() {
            rim.foreseen = true;
        }
        Some(p)
    }

    /// Makes points that move along a round body points that stay where they are on it; whether there were any.
    fn fix(&mut self, entry: usize, resting: &mut [Resting]) -> bool {
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

    /// Puts one point in the place of another.
    pub(super) fn replace(&mut self, entry: usize, old: &ContactPoint, new: &ContactPoint) {
        let same = |s: &&mut Spot| s.entry == entry && s.point.a.local == old.a.local;
        if let Some(spot) = self.spots.iter_mut().find(same) {
            spot.point = *new;
        }
    }

    /// Makes the rows of all points anew, with the impulses they had.
    pub(super) fn push_again(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        span: &Span,
        resting: &[Resting],
    ) {
        let lambda = std::mem::take(&mut self.rows.lambda);
        let before = std::mem::take(&mut self.points);
        let spots = std::mem::take(&mut self.spots);
        self.rows.clear();
        self.turns.clear();
        self.rubs.clear();
        let Scope { units, which } = span.scope;
        for &f in which.iter().flat_map(|&u| &units.all[u].freedoms) {
            self.nu[f] = 0.0;
        }
        for (spot, old) in spots.iter().zip(&before) {
            let rest = &resting[spot.entry];
            self.push(
                setup,
                work,
                span.base,
                rest,
                spot.entry,
                &spot.point,
                spot.floor,
            );
            let at = self.spots.len() - 1;
            self.spots[at].end = spot.end;
            self.spots[at].caught = spot.caught;
            let p = self.points[at];
            for k in 0..p.rows {
                let had = lambda[old.first + k];
                if had != 0.0 {
                    self.rows.add(p.first + k, had, &mut self.nu);
                }
            }
        }
        self.silence_borne(&span.scope);
    }
}

/// A point that stays where it is on both bodies, above the plane of others of its contact; with a ball around it
/// where those have one.
fn fixed(p: ContactPoint, others: &[ContactPoint], poses: &[Pose]) -> ContactPoint {
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
fn moves_along(p: &ContactPoint) -> bool {
    match p.roll {
        Roll::Pair => true,
        Roll::Circle { radius, .. } => radius > 0.0,
        _ => false,
    }
}

/// Whether the one point of a round body is found elsewhere on it than all that move along it so far.
fn rocks(model: &Model, known: &[ContactPoint], p: &ContactPoint) -> bool {
    let far = |a: &Anchor, b: &Anchor| {
        let reach = a.body.map_or(f64::INFINITY, |b| model.body(b).reach());
        (a.local - b.local).norm() > ELSEWHERE * reach
    };
    let elsewhere = |o: &ContactPoint| match o.roll {
        Roll::Fixed => o.freedom.is_none(),
        Roll::Circle { radius: 0.0, .. } => true,
        _ => moves_along(o) && (far(&o.a, &p.a) || far(&o.b, &p.b)),
    };
    !known.is_empty() && known.iter().all(elsewhere)
}

/// Whether two points of a contact ask for the same.
fn same_point(a: &ContactPoint, b: &ContactPoint, size: f64) -> bool {
    if a.roll == Roll::Pair && b.roll == Roll::Pair {
        // The one point of a round body, wherever it is on it.
        return true;
    }
    a.frame == b.frame
        && (a.normal - b.normal).norm() <= 1e-12
        && (a.a.local - b.a.local).norm() <= 1e-9 * size
        && a.freedom == b.freedom
        // In its own plane the second point is free.
        && (a.frame.is_some() || a.b.body.is_none() || (a.b.local - b.b.local).norm() <= 1e-9 * size)
}

/// Whether a point does for another that is measured against the other body's face.
fn covers(a: &ContactPoint, b: &ContactPoint, poses: &[Pose], size: f64) -> bool {
    a.frame.is_some()
        && b.frame.is_some()
        && a.frame != b.frame
        && (a.a.place(poses) - b.a.place(poses)).norm() <= BESIDE * size
        && (a.normal(poses) - b.normal(poses)).norm() <= BESIDE
}

/// Whether two points are so close that one of them is enough.
fn beside(a: &ContactPoint, b: &ContactPoint, size: f64) -> bool {
    a.frame == b.frame
        && a.freedom.is_none()
        && b.freedom.is_none()
        && (a.a.local - b.a.local).norm() <= BESIDE * size
        && (a.normal - b.normal).norm() <= BESIDE
}

/// Whether a pair cannot have come to touch by moving as it did.
fn far_apart(model: &Model, pair: &Pair, apart: f64, base: &State, probe: &State) -> bool {
    let Pair::Bodies(a, b) = pair else {
        return false;
    };
    let moved = |c: &Collider| {
        body_of(c).map_or(0.0, |body| {
            let k = body.index();
            let (from, to) = (&base.poses[k], &probe.poses[k]);
            let shift = (to.position - from.position).norm();
            shift + (to.directors - from.directors).norm() * model.bodies()[k].reach()
        })
    };
    apart.is_finite() && apart > 1.01 * (moved(a) + moved(b))
}
