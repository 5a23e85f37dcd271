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

use super::release::Loads;
use super::resting::Resting;
use super::strike::{Closed, Strike};
use super::touching::{Contact, path};
use super::{Collisions, Setup, TOUCH};
use crate::contact::{Collider, ContactPoint, Key, Pair, centre_point, crossed_edges};
use crate::model::{Hold, Law};
use crate::simulate::state::{PointImpulse, Standing};
use crate::simulate::{ContactKind, State};

/// Points of a patch that hold on their own are this far apart, in body sizes.
const APART: f64 = 1e-4;

/// What a point of a held contact gave at the end of the step before a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub key: Key,
    /// The point, in the frame of the first body.
    pub place: Vector3<f64>,
    pub normal: f64,
}

impl Given {
    pub fn at_end(i: &PointImpulse) -> Self {
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
    pub strike: Strike,
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
}
