//! What closes or is struck at an instant, as one problem with all that holds and touches.
//!
//! What would have to pull in it does not hold. Which contacts these are is found in few problems: those that pull in one
//! push only in the next, everywhere at once, but of those that share a body only the one that pulls most, since others
//! may pull because of it.

use std::collections::HashSet;

use super::flight::Flight;
use super::hold::{Given, jumps, touching_points};
use super::island::Scope;
use super::release::{UNFELT, lighter};
use super::resting::Resting;
use super::{Collisions, Setup};
use crate::contact::{Key, Pair, body_of};
use crate::mechanics::Covector;
use crate::model::BodyId;
use crate::simulate::{ContactEvent, ContactKind};

/// Part of all impulses at an instant that counts as none.
const NONE: f64 = 1e-9;

/// A contact that closed: its place in the instant, and whether it did not hold at fewer points before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    pub at: usize,
    pub fresh: bool,
}

/// What closes or is struck at an instant, in storage that is used again.
#[derive(Debug, Default)]
pub(super) struct Strike {
    pub closed: Vec<Closed>,
    /// All contacts as entries of one problem, with their places in the instant.
    entries: Vec<Resting>,
    places: Vec<usize>,
    /// Contacts that would have to pull, and entries that pulled in the last problem, with how hard.
    loose: HashSet<Key>,
    pulls: Vec<(usize, f64)>,
    /// Momenta before it, of bodies and of coordinates.
    momenta: Vec<Covector>,
    coordinate_momenta: Vec<f64>,
}

impl Strike {
    /// Whether a contact closed that did not hold at all before.
    fn is_fresh(&self, at: usize) -> bool {
        self.closed.iter().any(|c| c.at == at && c.fresh)
    }
}

impl Collisions {
    /// Lists the contacts of the instant as entries of one problem.
    fn list_entries(&mut self, setup: &Setup, strike: &mut Strike) {
        let Strike {
            entries,
            places,
            loose,
            ..
        } = strike;
        let spare = &mut self.work.points;
        entries.drain(..).for_each(|r| r.give_back(spare));
        places.clear();
        for (at, c) in self.instant.contacts.iter().enumerate() {
            let (poses, size) = (&self.line.base.poses, self.work.size);
            let all = &self.instant.points[c.points()];
            let mut points = spare.take();
            touching_points(c, all, poses, size, &mut points);
            let held = self.line.base.held(c.key);
            match held.filter(|_| !loose.contains(&c.key)) {
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
    pub(super) fn strike(&mut self, flight: &mut Flight, group: &[usize], time: f64) {
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
        strike.loose.clear();
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
            if !self.loosen(setup, &mut strike) {
                break;
            }
            self.line.base.momenta.clone_from(&strike.momenta);
            (self.line.base.coordinate_momenta).clone_from(&strike.coordinate_momenta);
        }
        self.let_loose(flight, &strike, time);
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

    /// What pulled in the last problem becomes loose, but for what shares a body with something that pulled more: that
    /// may do so because of it. Whether there was any.
    fn loosen(&mut self, setup: &Setup, strike: &mut Strike) -> bool {
        let impulses = &self.stepper.impulses;
        let all: f64 = impulses.iter().map(|i| i.end[0].abs()).sum();
        strike.pulls.clear();
        for (at, rest) in strike.entries.iter().enumerate().filter(|(_, r)| r.held) {
            let unfelt = lighter(setup, &rest.pair) * UNFELT * self.work.size / self.line.h;
            let own = impulses.iter().filter(|i| i.key == rest.key);
            let own = own.map(|i| (i.place, i.end[0]));
            let (poses, size) = (&self.line.base.poses, self.work.size);
            let loads = &mut self.holding.loads;
            let pressure = loads.pressure(&strike.entries, rest.key, own, poses, size);
            if pressure < -NONE * all - unfelt {
                strike.pulls.push((at, pressure));
            }
        }
        for &(at, pressure) in &strike.pulls {
            let rest = &strike.entries[at];
            let yields = |&(other, more): &(usize, f64)| {
                more < pressure && share_a_body(setup, &rest.pair, &strike.entries[other].pair)
            };
            if !strike.pulls.iter().any(yields) {
                strike.loose.insert(rest.key);
            }
        }
        !strike.pulls.is_empty()
    }

    /// Opens what is loose, and tells of what held before.
    fn let_loose(&mut self, flight: &mut Flight, strike: &Strike, time: f64) {
        for at in 0..self.instant.contacts.len() {
            let c = self.instant.contacts[at];
            if !strike.loose.contains(&c.key) {
                continue;
            }
            let held = self.line.base.held(c.key).filter(|_| !strike.is_fresh(at));
            if let Some(p) = held.and_then(|s| s.points.first()) {
                let poses = &self.line.base.poses;
                let (place, normal) = (p.a.place(poses), p.normal(poses));
                let kind = ContactKind::Release;
                flight.events.push(ContactEvent {
                    features: c.row.features,
                    ..ContactEvent::at(self.line.origin + time, kind, c.pair, place, normal)
                });
            }
            self.open(c.key);
        }
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

/// Whether two pairs have a body in common that can move.
fn share_a_body(setup: &Setup, a: &Pair, b: &Pair) -> bool {
    let bodies = |pair: &Pair| match pair {
        Pair::Bodies(a, b) => [body_of(a), body_of(b)],
        _ => [None; 2],
    };
    let moves = |body: BodyId| setup.model.body(body).mass().is_finite();
    let [own, others] = [a, b].map(bodies);
    let mut own = own.iter().flatten().filter(|body| moves(**body));
    own.any(|body| others.contains(&Some(*body)))
}
