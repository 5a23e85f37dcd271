//! Pairs that overlap where a trial step ends: their points join the problem, those of features left
//! behind leave it.

use carom_gap::Pose;
use carom_gap::round::Roll;
use nalgebra::Vector3;

use super::super::resting::settle_on_rim;
use super::super::touching::gap_in;
use super::rim::{fixed, lies_along, moves_along, rocks};
use super::*;
use crate::contact::{Collider, body_of, evaluate, is_round};
use crate::model::Model;

/// Up to so many additions points of features that are left behind are given up.
const FORGETFUL: usize = 8;
/// Points closer than this are one, in the same.
pub(super) const BESIDE: f64 = 1e-2;
/// What is further apart than this where a trial ends does not come down beside what overlaps, in the same.
const NEAR: f64 = 0.5;
/// Impulses go from a point to another that is no further away, in the same.
const HANDED: f64 = 0.1;
/// Overlap that a step may leave, in body sizes.
const CLEAN: f64 = 1e-12;
/// The same of lines along each other that move: they sink in between any two of their points.
const CLEAN_LINES: f64 = 2e-11;

/// What is known of a pair that overlaps where a trial ends.
struct Place {
    /// Its contact, and the one held there, among those at rest.
    entry: usize,
    held: Option<usize>,
    /// Whether any contact is held.
    holds: bool,
    gap: f64,
    /// The gap points may have, and the one they have at the start.
    allowed: f64,
    floor: f64,
    /// Whether no trial follows, and whether points may give way to others.
    last: bool,
    forgetful: bool,
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
        let holds = resting.iter().any(|r| r.held);
        for n in span.near {
            let (pair, key, start) = (&n.pair, &n.key, n.gap);
            if far_apart(model, pair, n.apart, span.base, probe) {
                continue;
            }
            let gap = gap_in(model, &mut work.bases, pair, *key, probe);
            let entry = resting.iter().position(|r| r.key == *key && !r.held);
            let strayed = entry.is_some_and(|e| self.strayed.contains(&e));
            let lines = entry.is_some_and(|e| resting[e].points.iter().any(lies_along));
            let allowed = match () {
                () if strayed => CLEAN * work.size,
                () if lines && !self.calm => clean.max(CLEAN_LINES * work.size),
                () => clean,
            };
            let allowed = start.min(0.0) - allowed;
            if gap >= allowed {
                continue;
            }
            let held = resting.iter().position(|r| r.key == *key && r.held);
            let mut warm = work.bases.of(*key);
            let at = path(probe);
            let row = evaluate(model, pair, &at, &mut warm);
            work.bases.remember(*key, warm);
            self.found.clear();
            // Round bodies have their own places; of others all that come near as bodies give way to each other.
            let round =
                matches!(pair, Pair::Bodies(a, b) if is_round(model, a) || is_round(model, b));
            let within = match round {
                true => -0.5 * gap,
                false => NEAR * work.size,
            };
            work.faces
                .points(model, pair, &at, &row, within, &mut self.found);
            let entry = entry.unwrap_or_else(|| {
                let surface = setup.touching(work.surfaces.of(pair), &self.found);
                let caught = Resting::caught(*pair, *key, surface, row.features);
                let points = work.points.take();
                resting.push(match held {
                    Some(k) => Resting {
                        caught: true,
                        points,
                        ..resting[k].beside()
                    },
                    None => Resting { points, ..caught },
                });
                resting.len() - 1
            });
            settle_on_rim(&mut self.found);
            // What rolls about its axis is pushed where it is at the start, as its other points are.
            for p in self.found.iter_mut().filter(|p| lies_along(p)) {
                *p = p.rolled(&span.base.poses);
            }
            // A rim comes down elsewhere in every trial: all these places count.
            let along_rim = self.found.iter().any(|p| moves_along(p) || lies_along(p));
            if additions < FORGETFUL && !along_rim && self.forget(entry, resting, work.size) {
                (added, replaced) = (true, true);
            }
            let place = Place {
                entry,
                held,
                holds,
                gap,
                allowed,
                floor: (start + RECOVERED * work.size * span.part()).min(0.0),
                last,
                forgetful: additions < FORGETFUL,
            };
            // What overlaps first, then what may come down beside it.
            let (joins, gives_way) = self.join(setup, work, resting, span, probe, &place, false);
            (added, replaced) = (added || joins, replaced || gives_way);
            if joins && !last && !round {
                replaced |= self.join(setup, work, resting, span, probe, &place, true).1;
            }
            // How much deeper than at the start.
            let deeper = start.min(0.0) - gap;
            if deeper > self.overlap.0 {
                self.overlap = (deeper, Some(*pair));
            }
        }
        if replaced {
            self.push_again(setup, work, span, resting);
            self.hand_over(work.size);
        }
        self.left_over.clear();
        added
    }

    /// Adds points of a pair that were found: those that overlap by more than is allowed, or those beside them that
    /// are no further apart than these are deep; whether there were any, and whether others gave way.
    #[allow(clippy::too_many_arguments)]
    fn join(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        resting: &mut [Resting],
        span: &Span,
        probe: &State,
        place: &Place,
        beside_it: bool,
    ) -> (bool, bool) {
        let (model, size) = (setup.model, work.size);
        let Place { entry, allowed, .. } = *place;
        let (mut added, mut replaced) = (false, false);
        for k in 0..self.found.len() {
            let mut p = self.found[k];
            let apart = match p.freedom {
                None => p.gap(&probe.poses),
                Some(_) => place.gap,
            };
            if (apart < allowed) == beside_it || beside_it && apart > -place.gap {
                continue;
            }
            let held = place.held.map(|k| &resting[k]);
            if held.is_some_and(|r| r.holds_at(&p, &probe.poses, size)) {
                continue;
            }
            // A rim that rocks comes down at several places: points of the body, each with its own gap, which
            // in the end close in on the lowest from both sides.
            let lies = lies_along(&p) && resting[entry].points.iter().any(lies_along);
            let on_rim = lies || moves_along(&p) && rocks(model, &resting[entry].points, &p);
            let mut foreseen = false;
            if on_rim {
                if !lies {
                    p = fixed(p, &resting[entry].points, &probe.poses);
                }
                if let Some(next) = self.foresee(model, entry, &p, probe) {
                    p = if lies {
                        next.rolled(&span.base.poses)
                    } else {
                        next
                    };
                    foreseen = true;
                }
                replaced |= !lies && !place.last && self.fix(entry, resting);
            }
            let points = &mut resting[entry].points;
            // One that covers it sinks in with it; beside held points two of nearly the same direction would
            // contradict what is held.
            let sinks =
                |o: &ContactPoint| place.holds || beside_it || o.gap(&probe.poses) < allowed;
            let known = |o: &ContactPoint| {
                same_point(o, &p, size)
                    || covers(o, &p, &probe.poses, size) && sinks(o)
                    || beside_it && beside(o, &p, size)
            };
            if points.iter().any(known) {
                continue;
            }
            added = true;
            // A point close by of the same plane gives way: it was found where a trial ended
            // that was not the last.
            let near = points.iter().position(|o| beside(o, &p, size));
            let gives_way = lies || !on_rim || place.forgetful && !foreseen;
            if let Some(at) = near.filter(|_| !place.last && gives_way) {
                let old = std::mem::replace(&mut points[at], p);
                self.replace(entry, &old, &p);
                replaced = true;
                continue;
            }
            points.push(p);
            self.push(
                setup,
                work,
                span.base,
                &resting[entry],
                entry,
                &p,
                place.floor,
            );
            self.silence_if_borne(self.points.len() - 1);
            if let Some(spot) = self.spots.last_mut() {
                spot.caught = true;
            }
        }
        (added, replaced)
    }

    /// Gives up points of a pair that were found where an earlier trial ended and are of other
    /// features than those found now; whether there were any.
    pub(super) fn forget(&mut self, entry: usize, resting: &mut [Resting], size: f64) -> bool {
        let found = &self.found;
        let is =
            |old: &ContactPoint, p: &ContactPoint| beside(old, p, size) || same_point(old, p, size);
        // What comes back after it was given up is needed beside what was found in its place.
        let comes_back =
            |(of, old): &(usize, ContactPoint)| *of == entry && found.iter().any(|p| is(old, p));
        if self.gone.iter().any(comes_back) {
            return false;
        }
        let stale =
            |s: &Spot| s.caught && s.entry == entry && !found.iter().any(|p| is(&s.point, p));
        let gone: Vec<usize> = (0..self.spots.len())
            .filter(|&k| stale(&self.spots[k]))
            .collect();
        for &k in gone.iter().rev() {
            let spot = self.spots.remove(k);
            let had = self.points[k];
            let impulse = (had.first..had.first + had.rows)
                .map(|row| self.rows.direction(row) * self.rows.lambda[row])
                .sum::<Vector3<f64>>();
            self.left_over.push((entry, spot.point.a.local, impulse));
            self.gone.push((entry, spot.point));
            self.points.remove(k);
            let points = &mut resting[entry].points;
            points.retain(|p| p.a.local != spot.point.a.local || p.frame != spot.point.frame);
        }
        !gone.is_empty()
    }

    /// Impulses of points that were given up go to the nearest of their pair, as guesses.
    fn hand_over(&mut self, size: f64) {
        for (entry, place, impulse) in &self.left_over {
            let own = self.spots.iter().zip(&self.points);
            let near = own.filter(|(s, _)| s.entry == *entry && s.caught);
            let nearest = near
                .map(|(s, p)| ((s.point.a.local - place).norm(), p))
                .min_by(|x, y| x.0.total_cmp(&y.0));
            let Some((_, p)) = nearest.filter(|(far, _)| *far <= HANDED * size) else {
                continue;
            };
            for row in p.first..p.first + p.rows {
                if self.rows.weight(row) > 0.0 {
                    let along = self.rows.direction(row).dot(impulse);
                    self.rows.add(row, along, &mut self.nu);
                }
            }
        }
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
        let mut past = std::mem::take(&mut self.past);
        std::mem::swap(&mut self.rows.lambda, &mut past.lambda);
        std::mem::swap(&mut self.points, &mut past.points);
        std::mem::swap(&mut self.spots, &mut past.spots);
        self.points.clear();
        self.spots.clear();
        self.rows.clear();
        self.turns.clear();
        self.rubs.clear();
        let Scope { units, which } = span.scope;
        for &f in which.iter().flat_map(|&u| &units.all[u].freedoms) {
            self.nu[f] = 0.0;
        }
        for (spot, old) in past.spots.iter().zip(&past.points) {
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
                let had = past.lambda[old.first + k];
                if had != 0.0 {
                    self.rows.add(p.first + k, had, &mut self.nu);
                }
            }
        }
        self.past = past;
        self.silence_borne(&span.scope);
    }
}

/// Whether two points of a contact ask for the same.
fn same_point(a: &ContactPoint, b: &ContactPoint, size: f64) -> bool {
    if a.roll == Roll::Pair && b.roll == Roll::Pair {
        // The one point of a round body, wherever it is on it.
        return true;
    }
    if a.is_same_crossing(b, size) {
        return true;
    }
    if let (Roll::Beside(x), Roll::Beside(y)) = (a.roll, b.roll) {
        return x.side == y.side && (x.center - y.center).norm() <= 1e-9 * size;
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
