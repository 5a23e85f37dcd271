//! Plastic contacts (monopedal jumping, section 6.2): they close without rebound and hold as a joint
//! until they would pull; `release` says when.
//!
//! A contact holds at up to three points of its patch: a vertex by one, an edge by two, a face by three.
//! Along the normal it holds at all of them; what sticks stays at its middle, and a patch may not turn
//! about it either. What else of the two bodies comes to touch pushes only, as every other contact of
//! theirs does, until it is at rest and held, too. At an instant at which something closes or is struck,
//! all this is one problem; what would have to pull in it does not hold.

use std::collections::HashSet;

use carom_gap::Pose;
use carom_gap::gap::Feature;
use carom_gap::round::Roll;
use nalgebra::Vector3;

use super::flight::Flight;
use super::island::Scope;
use super::release::{Loads, UNFELT, lighter};
use super::resting::Resting;
use super::touching::{Contact, path};
use super::{Collisions, Setup, TOUCH};
use crate::contact::{Collider, ContactPoint, Key, Pair, centre_point, crossed_edges};
use crate::mechanics::Covector;
use crate::model::{Hold, Law};
use crate::simulate::state::{PointImpulse, Standing};
use crate::simulate::{ContactEvent, ContactKind, State};

/// Part of all impulses at an instant that counts as none.
const NONE: f64 = 1e-9;
/// Points of a patch that hold on their own are this far apart, in body sizes.
const APART: f64 = 1e-4;

/// A contact that closed: its place in the instant, and whether it did not hold at fewer points before.
#[derive(Clone, Copy, Debug)]
struct Closed {
    at: usize,
    fresh: bool,
}

/// What closes or is struck at an instant, in storage that is used again.
#[derive(Debug, Default)]
pub(super) struct Strike {
    closed: Vec<Closed>,
    /// All contacts as entries of one problem, with their places in the instant.
    entries: Vec<Resting>,
    places: Vec<usize>,
    /// Momenta before it.
    momenta: Vec<Covector>,
    coordinate_momenta: Vec<f64>,
}

impl Strike {
    /// Whether a contact closed that did not hold at all before.
    fn is_fresh(&self, at: usize) -> bool {
        self.closed.iter().any(|c| c.at == at && c.fresh)
    }
}

/// What a point of a held contact gave at the end of the step before a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub key: Key,
    /// The point, in the frame of the first body.
    pub place: Vector3<f64>,
    pub normal: f64,
}

impl Given {
    fn at_end(i: &PointImpulse) -> Self {
        Self {
            key: i.key,
            place: i.place,
            normal: i.end[0],
        }
    }
}

/// What is known of contacts that hold.
#[derive(Debug, Default)]
pub(super) struct Holding {
    /// What held points gave at their last node, and the pairs that let go in the present step.
    pub given: Vec<Given>,
    pub released: HashSet<Key>,
    /// What closes or is struck, and what presses; storage only.
    strike: Strike,
    pub loads: Loads,
    /// Whether a contact would have had to let go in the past, and the state before the last step with its size.
    pub backward: bool,
    pub previous: Option<(Box<State>, f64)>,
}

impl Holding {
    /// A step begins: takes over what held contacts gave in the step before.
    pub fn begin(&mut self, state: &State) {
        self.backward = false;
        self.released.clear();
        self.given.clear();
        let held = state
            .impulses
            .iter()
            .filter(|i| state.held(i.key).is_some());
        self.given.extend(held.map(Given::at_end));
    }

    /// Notes what held contacts gave at the end of a step, beside their held points, too.
    pub fn note_given(&mut self, resting: &[Resting], impulses: &[PointImpulse]) {
        for rest in resting.iter().filter(|r| r.held) {
            self.given.retain(|g| g.key != rest.key);
            let own = impulses.iter().filter(|i| i.key == rest.key);
            self.given.extend(own.map(Given::at_end));
        }
    }
}

/// Whether momentum jumps at a contact on the way: where decomposition projects (nothing is `forced`),
/// impacts wait for the end of the step.
pub(super) fn jumps(setup: &Setup, forced: bool, c: &Contact) -> bool {
    match setup.law(&c.surface) {
        Law::Exact { .. } | Law::Plastic { .. } => true,
        Law::Decomposition { .. } => forced,
        _ => false,
    }
}

/// Whether a contact is on a plane that stays one: a face, a wall, a limit.
fn has_plane(c: &Contact) -> bool {
    match c.pair {
        Pair::Bodies(_, Collider::Wall { .. }) => true,
        Pair::Bodies(..) => c.row.features.contains(&Some(Feature::Face)),
        _ => true,
    }
}

/// Up to three points, far from each other: the first, that of a patch which is furthest from it, the
/// furthest from their line. They hold a face; two of them hold an edge.
fn spread(
    first: ContactPoint,
    points: &[ContactPoint],
    poses: &[Pose],
    size: f64,
    out: &mut Vec<ContactPoint>,
) {
    // Across the normal: the point of a bead may be its centre.
    let n = first.normal(poses);
    let place = |p: &ContactPoint| {
        let off = p.a.place(poses) - first.a.place(poses);
        off - n * off.dot(&n)
    };
    let furthest = |off: &dyn Fn(&ContactPoint) -> f64| {
        let far = points.iter().max_by(|p, q| off(p).total_cmp(&off(q)));
        far.filter(|p| off(p) > APART * size).copied()
    };
    out.push(first);
    if let Some(second) = furthest(&|p| place(p).norm()) {
        let line = place(&second).normalize();
        out.push(second);
        out.extend(furthest(&|p| place(p).cross(&line).norm()));
    }
}

/// Those of the points of a contact that touch; its middle if none does.
pub(super) fn touching_points(
    c: &Contact,
    all: &[ContactPoint],
    poses: &[Pose],
    size: f64,
    out: &mut Vec<ContactPoint>,
) {
    let touch = TOUCH * size;
    let touches = |p: &&ContactPoint| p.freedom.is_some() || p.gap(poses) <= touch;
    out.extend(all.iter().filter(touches));
    if out.is_empty() {
        // What rolls does so about its middle as well.
        let centre = centre_point(&c.pair, &c.row, poses);
        out.push(match all.iter().any(|p| p.rolls()) {
            true => ContactPoint {
                roll: Roll::Pair,
                ..centre
            },
            false => centre,
        });
    }
}

impl Collisions {
    /// Whether a contact of the instant holds.
    pub(super) fn holds(&self) -> bool {
        let mut contacts = self.instant.contacts.iter();
        contacts.any(|c| self.line.base.held(c.key).is_some())
    }

    /// Closes plastic contacts of the instant that approach, or rest and were never let go; notes
    /// their places.
    pub(super) fn close(&mut self, setup: &Setup) {
        self.holding.strike.closed.clear();
        for (at, c) in self.instant.contacts.iter().enumerate() {
            let Law::Plastic { hold, .. } = setup.law(&c.surface) else {
                continue;
            };
            let known = self.line.base.standing.iter().find(|s| s.key == c.key);
            let let_go = known.is_some_and(|s| s.kind == ContactKind::Release);
            if (let_go && !self.instant.is_fast(c)) || self.holding.released.contains(&c.key) {
                continue;
            }
            if !self.instant.is_slow(c) && !self.instant.is_fast(c) {
                continue;
            }
            // What slips on something round or over an edge is no joint: it pushes as long as it would
            // not pull, which is the same. Nor is what rolls.
            if hold == Hold::Slip && !has_plane(c) {
                continue;
            }
            if self.points_of(c).iter().any(|p| p.rolls()) {
                continue;
            }
            // What sticks does so where it did; what slips holds where it touches now.
            let held = known.filter(|s| s.is_held());
            let first = held.filter(|_| hold != Hold::Slip).map(|s| s.points[0]);
            let first = first.unwrap_or_else(|| self.middle(setup, c));
            let (poses, size) = (&self.line.base.poses, self.work.size);
            let all = &self.instant.points[c.points()];
            let spare = &mut self.work.points;
            let [mut touching, mut points] = [spare.take(), spare.take()];
            touching_points(c, all, poses, size, &mut touching);
            spread(first, &touching, poses, size, &mut points);
            spare.give(touching);
            let count = held.map_or(0, |s| s.points.len());
            let same = count >= points.len();
            if same && (hold != Hold::Slip || first.gap(poses).abs() > TOUCH * size) {
                spare.give(points);
                continue;
            }
            let key = c.key;
            let old = (self.line.base.standing).extract_if(.., |s| s.key == key);
            old.for_each(|s| spare.give(s.points));
            self.line.base.standing.push(Standing {
                key,
                kind: ContactKind::Stick,
                points,
                hold,
            });
            if !same {
                let fresh = count == 0;
                self.holding.strike.closed.push(Closed { at, fresh });
            }
        }
    }

    /// The middle of a contact, with a normal that turns with the face it lies on, or with both edges that cross.
    fn middle(&self, setup: &Setup, c: &Contact) -> ContactPoint {
        let poses = &self.line.base.poses;
        let mut p = centre_point(&c.pair, &c.row, poses);
        // A bead does not turn: it holds at its centre, so that what turns carries it along.
        match c.pair {
            Pair::Bodies(Collider::Bead { .. }, Collider::Bead { .. }) => {}
            Pair::Bodies(Collider::Bead { body }, _) | Pair::Bodies(_, Collider::Bead { body }) => {
                p = p.moved_to(&poses[body.index()].position, poses);
            }
            _ => {}
        }
        let Some(body) = p.b.body.filter(|_| p.freedom.is_none()) else {
            return p;
        };
        let cross = c.row.features == [Some(Feature::Edge); 2];
        let edges = cross.then(|| crossed_edges(setup.model, &c.pair, &path(&self.line.base)));
        let first_is_face = c.row.features[0] == Some(Feature::Face);
        let frame = p.a.body.filter(|_| first_is_face).unwrap_or(body);
        ContactPoint {
            frame: Some(frame),
            normal: poses[frame.index()].directors.tr_mul(&p.normal),
            edges: edges.flatten(),
            ..p
        }
    }

    /// Points of the patch of a contact of the instant.
    fn points_of(&self, c: &Contact) -> &[ContactPoint] {
        &self.instant.points[c.points()]
    }

    /// Lists the contacts of the instant as entries of one problem.
    fn list_entries(&mut self, setup: &Setup, strike: &mut Strike) {
        let Strike {
            entries, places, ..
        } = strike;
        let spare = &mut self.work.points;
        entries.drain(..).for_each(|r| r.give_back(spare));
        places.clear();
        for (at, c) in self.instant.contacts.iter().enumerate() {
            let (poses, size) = (&self.line.base.poses, self.work.size);
            let all = &self.instant.points[c.points()];
            let mut points = spare.take();
            touching_points(c, all, poses, size, &mut points);
            match self.line.base.held(c.key) {
                Some(s) => {
                    let mut held = Resting::held(c, s.hold, spare.copy(&s.points), spare.take());
                    held.bound(c, all, poses, size);
                    points.retain(|p| !held.holds_at(p, poses, size));
                    let beside = Resting {
                        points,
                        ..held.beside()
                    };
                    entries.push(held);
                    places.push(at);
                    if beside.points.is_empty() {
                        beside.give_back(spare);
                        continue;
                    }
                    entries.push(beside);
                    places.push(at);
                }
                None if jumps(setup, self.laws.forced, c) => {
                    entries.push(Resting::on(c, points));
                    places.push(at);
                }
                None => spare.give(points),
            }
        }
    }

    /// Lets momentum jump where something closed or approaches, with what holds and all else that
    /// touches as one problem.
    pub(super) fn hold(&mut self, flight: &mut Flight, group: &[usize], time: f64) {
        let setup = flight.setup;
        let mut contacts = self.instant.contacts.iter();
        // What would close by next to nothing in a step does not approach.
        let still = UNFELT * self.work.size / self.line.h;
        let struck = contacts.any(|c| {
            let fast = self.instant.is_fast(c) && self.instant.approach(c) > still;
            fast && jumps(setup, self.laws.forced, c)
        });
        if self.holding.strike.closed.is_empty() && !struck {
            return;
        }
        let mut strike = std::mem::take(&mut self.holding.strike);
        strike.momenta.clone_from(&self.line.base.momenta);
        (strike.coordinate_momenta).clone_from(&self.line.base.coordinate_momenta);
        loop {
            self.list_entries(setup, &mut strike);
            let scope = Scope {
                units: &self.units,
                which: group,
            };
            self.stepper.settle(
                setup,
                &mut self.work,
                &strike.entries,
                &scope,
                &self.line.press,
                still,
                &mut self.line.base,
            );
            let Some(worst) = self.pulled(setup, &strike.entries) else {
                break;
            };
            // It cannot pull: without it once more.
            self.line.base.momenta.clone_from(&strike.momenta);
            (self.line.base.coordinate_momenta).clone_from(&strike.coordinate_momenta);
            let rest = &strike.entries[worst];
            if !strike.is_fresh(strike.places[worst]) {
                let (p, poses) = (&rest.points[0], &self.line.base.poses);
                let (place, normal) = (p.a.place(poses), p.normal(poses));
                let kind = ContactKind::Release;
                flight.events.push(ContactEvent {
                    features: rest.features,
                    ..ContactEvent::at(self.line.origin + time, kind, rest.pair, place, normal)
                });
            }
            self.open(rest.key);
        }
        let outcome = self.stepper.outcome;
        let pair = strike.entries.first().map(|r| r.pair);
        self.judge(flight, "impact", time, pair, outcome);
        flight.info.contact.energy += self.stepper.energy;
        flight.info.work += self.stepper.belts;
        flight.info.contact.at_stake += self.stepper.at_stake;
        self.told.pushes.extend_from_slice(&self.stepper.pushes);
        self.tell(&strike, time, flight.events);
        self.holding.strike = strike;
        self.instant.velocities(
            setup.model,
            &mut self.work,
            &self.units,
            group,
            &self.line.base,
        );
        self.note_jumped(setup, group);
    }

    /// The entry of the last velocity problem that holds and pulled most.
    fn pulled(&mut self, setup: &Setup, entries: &[Resting]) -> Option<usize> {
        let impulses = &self.stepper.impulses;
        let all: f64 = impulses.iter().map(|i| i.end[0].abs()).sum();
        let mut worst = None;
        let mut least = 0.0;
        for (at, held) in entries.iter().enumerate().filter(|(_, r)| r.held) {
            let unfelt = lighter(setup, &held.pair) * UNFELT * self.work.size / self.line.h;
            let own = impulses.iter().filter(|i| i.key == held.key);
            let own = own.map(|i| (i.place, i.end[0]));
            let (poses, size) = (&self.line.base.poses, self.work.size);
            let found = (self.holding.loads).pressure(entries, held.key, own, poses, size);
            if found < least - NONE * all - unfelt {
                least = found;
                worst = Some(at);
            }
        }
        worst
    }

    /// Tells of the contacts that closed or were struck, and notes what those gave that hold now.
    fn tell(&mut self, strike: &Strike, time: f64, events: &mut Vec<ContactEvent>) {
        for (at, c) in self.instant.contacts.iter().enumerate() {
            let own = |k: &usize| strike.places[*k] == at;
            let did = |k: usize| &self.stepper.info[k];
            let mut event = ContactEvent {
                features: c.row.features,
                speed_before: -self.instant.approach(c),
                ..ContactEvent::at(
                    self.line.origin + time,
                    ContactKind::Impact,
                    c.pair,
                    c.row.point,
                    c.row.normal,
                )
            };
            for k in (0..strike.entries.len()).filter(own) {
                event.impulse += did(k).impulse;
                event.normal_impulse += did(k).end;
                event.energy += did(k).energy;
            }
            let new = strike.is_fresh(at);
            if event.normal_impulse > 0.0 && (new || self.instant.is_fast(c)) {
                let along = event.impulse.dot(&c.row.normal);
                event.tangential_impulse = (event.impulse - c.row.normal * along).norm();
                events.push(event);
            }
            if new && self.line.base.held(c.key).is_some() {
                let key = c.key;
                self.holding.given.retain(|g| g.key != key);
                let given = self.stepper.impulses.iter().filter(|i| i.key == key);
                self.holding.given.extend(given.map(Given::at_end));
            }
        }
    }
}
