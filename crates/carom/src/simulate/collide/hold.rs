//! Plastic contacts (monopedal jumping, section 6.2): they close without rebound and hold as a joint
//! until they would pull; the time of release is that at which the multiplier of the node vanishes.
//!
//! The multiplier of a node is what the contact gave at the end of the step before it and at the
//! start of the step after it. If it changes sign in a step, the step is shortened until the
//! multiplier is zero (12). Where that would take a step backwards in time (the force grew in steps
//! too coarse), the step before is made again on a finer grid: halved at its end again and again, or
//! cut into 2, 3, 4, … equal parts.

use super::flight::Flight;
use super::root::root;
use super::{Collisions, Setup};
use crate::contact::{Key, centre_point};
use crate::model::{Hold, Law, Release};
use crate::simulate::ledger::StepInfo;
use crate::simulate::scheme::Scheme;
use crate::simulate::state::Standing;
use crate::simulate::{ContactEvent, ContactKind, SimulateError, State};

/// Refinements of a step before its release is taken as it is.
const MOST_REFINEMENTS: usize = 40;

impl Collisions {
    /// Closes plastic contacts of the group that approach, or rest and were never let go.
    pub(super) fn close(
        &mut self,
        setup: &Setup,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        events: &mut Vec<ContactEvent>,
    ) {
        let mut closed: Vec<usize> = Vec::new();
        for (at, c) in self.instant.contacts.iter().enumerate() {
            let Law::Plastic { hold, .. } = setup.law(&c.surface) else {
                continue;
            };
            let known = self.base.standing.iter().find(|s| s.key == c.key);
            let let_go = known.is_some_and(|s| s.kind == ContactKind::Release);
            if known.is_some_and(Standing::is_held) || (let_go && !self.instant.is_fast(c)) {
                continue;
            }
            if !self.instant.is_slow(c) && !self.instant.is_fast(c) {
                continue;
            }
            let points = match hold {
                Hold::Patch => {
                    self.instant.points[c.first_point..c.first_point + c.point_count].to_vec()
                }
                Hold::Stick | Hold::Slip => {
                    vec![centre_point(&c.pair, &c.row, &self.base.poses)]
                }
            };
            let key = c.key;
            self.base.standing.retain(|s| s.key != key);
            self.base.standing.push(Standing {
                key,
                kind: ContactKind::Impact,
                points,
                slips: hold == Hold::Slip,
                impulse: 0.0,
            });
            closed.push(at);
        }
        if closed.is_empty() {
            return;
        }
        self.hold_velocities(setup, flight, group);
        for at in closed {
            let c = &self.instant.contacts[at];
            let held = self.held_keys.iter().position(|k| *k == c.key);
            let did = held.map_or(Default::default(), |k| self.stepper.info[k]);
            if let Some(s) = self.base.standing.iter_mut().find(|s| s.key == c.key) {
                s.impulse = did.end;
                s.kind = ContactKind::Stick;
            }
            if did.end > 0.0 {
                let across = did.impulse - c.row.normal * did.impulse.dot(&c.row.normal);
                events.push(ContactEvent {
                    time: self.origin + time,
                    kind: ContactKind::Impact,
                    pair: c.pair,
                    features: c.row.features,
                    point: c.row.point,
                    normal: c.row.normal,
                    impulse: did.impulse,
                    normal_impulse: did.end,
                    tangential_impulse: across.norm(),
                    speed_before: -self.instant.approach(c),
                    speed_after: 0.0,
                    energy: self.stepper.energy,
                });
            }
        }
    }

    /// Looks whether a held contact of an island pulled on its way to the end of the step. If so,
    /// everything is cut where it lets go, in `self.base`; returns that time.
    pub(super) fn let_go(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &mut Flight,
        island: usize,
        events: &mut Vec<ContactEvent>,
    ) -> Result<Option<f64>, SimulateError> {
        let since = self.since[self.islands[island].units[0]];
        let rest = flight.h - since;
        let Some((at, key, given)) = self.pulling(island) else {
            return Ok(None);
        };
        let mut time = since;
        if given > 0.0 {
            // The step for which the multiplier of its first node vanishes; the controls stay those
            // of the whole step.
            let pulled = given + self.islands[island].rest_info[at].start;
            let narrow = |_| 1e-15 * rest;
            let b = root([0.0, given], [rest, pulled], 1e-15 * given, narrow, |h| {
                self.fly_resting(setup, scheme, island, h, rest)?;
                Ok(given + self.stepper.info[at].start)
            })?;
            let info = self.fly_resting(setup, scheme, island, b, rest)?;
            time = since + b;
            flight.info.work += info.work;
            flight.info.iterations += info.iterations;
            flight.info.contact.energy += self.stepper.energy;
            let units = self.islands[island].units.clone();
            self.units
                .copy(setup.model, &units, &self.probe, &mut self.base);
            units.iter().for_each(|&u| self.since[u] = time);
            for (rest, did) in self.islands[island].resting.iter().zip(&self.stepper.info) {
                if let Some(s) = self.base.standing.iter_mut().find(|s| s.key == rest.key) {
                    s.impulse = did.end;
                }
            }
        } else {
            self.backward = true;
        }
        let rest = &self.islands[island].resting[at];
        let (p, poses) = (&rest.points[0], &self.base.poses);
        events.push(ContactEvent {
            features: rest.features,
            ..ContactEvent::at(
                self.origin + time,
                ContactKind::Release,
                rest.pair,
                p.a.place(poses),
                p.normal(poses),
            )
        });
        if let Some(s) = self.base.standing.iter_mut().find(|s| s.key == key) {
            s.kind = ContactKind::Release;
            s.points.clear();
        }
        Ok(Some(time))
    }

    /// A held contact that pulls most at the node where its island started: its place among the
    /// island's, its key, and what it gave there before.
    fn pulling(&self, island: usize) -> Option<(usize, Key, f64)> {
        let i = &self.islands[island];
        let mut worst = None;
        let mut least = 0.0;
        for (at, (rest, did)) in i.resting.iter().zip(&i.rest_info).enumerate() {
            if !rest.held {
                continue;
            }
            let standing = self.base.standing.iter().find(|s| s.key == rest.key);
            let given = standing.map_or(0.0, |s| s.impulse);
            let sum = given + did.start;
            let size = given.abs() + did.start.abs();
            if sum < least - 1e-12 * size {
                least = sum;
                worst = Some((at, rest.key, given));
            }
        }
        worst
    }

    /// A step that may have to go back: see the module.
    pub(super) fn step_refined(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        h: f64,
        mode: Release,
        events: &mut Vec<ContactEvent>,
    ) -> Result<StepInfo, SimulateError> {
        let saved = state.clone();
        let from = events.len();
        let mut info = self.step_once(setup, scheme, state, h, events)?;
        if let Some((previous, last)) = self.previous.take().filter(|_| self.backward) {
            let plain = (state.clone(), info, events[from..].to_vec());
            let mut settled = false;
            for n in 1..=MOST_REFINEMENTS {
                *state = previous.clone();
                events.truncate(from);
                let mut forward = true;
                for part in parts(mode, n) {
                    self.step_once(setup, scheme, state, part * last, events)?;
                    forward &= !self.backward;
                }
                info = self.step_once(setup, scheme, state, h, events)?;
                if forward && !self.backward {
                    settled = true;
                    break;
                }
            }
            if settled {
                // Parts of a step add up to it but for round-off: stay on the grid.
                state.time = plain.0.time;
                state.time_carry = plain.0.time_carry;
                info.time = state.time;
            } else {
                *state = plain.0;
                info = plain.1;
                events.truncate(from);
                events.extend(plain.2);
            }
        }
        self.previous = Some((saved, h));
        Ok(info)
    }
}

/// Parts of a step in its n-th refinement.
fn parts(mode: Release, n: usize) -> Vec<f64> {
    match mode {
        Release::Subintervals => vec![1.0 / (n + 1) as f64; n + 1],
        // Halved at its end n times: ½, ¼, …, 2⁻ⁿ, 2⁻ⁿ.
        Release::Plain | Release::Bisection => {
            let halves = (1..=n).map(|k| 0.5_f64.powi(k as i32));
            halves.chain([0.5_f64.powi(n as i32)]).collect()
        }
    }
}
