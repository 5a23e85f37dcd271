//! When plastic contacts let go (monopedal jumping, section 6.2).
//!
//! The multiplier of a node is what the contact gave at the end of the step before it and at the
//! start of the step after it. If it changes sign in a step, the step is shortened until the
//! multiplier is zero (12). Where that would take a step backwards in time (the force grew in steps
//! too coarse), the step before is made again on a finer grid: halved at its end again and again, or
//! cut into 2, 3, 4, … equal parts.
//!
//! A contact with several points pulls when no pushes at them could do the same: when the centre of
//! pressure leaves their hull. What let go does not hold again in the same step.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::flight::Flight;
use super::hold::Given;
use super::near::sides;
use super::resting::Resting;
use super::root::root;
use super::touching::gap_in;
use super::{Collisions, Setup, TOUCH};
use crate::contact::{Anchor, Key, Pair, body_of};
use crate::model::Release;
use crate::simulate::state::PointImpulse;
use crate::simulate::{ContactEvent, ContactKind, SimulateError};

/// Refinements of a step before its release is taken as it is.
const MOST_REFINEMENTS: usize = 40;
/// Parts of what is left of a step that are too short to look at.
const SHORTEST: f64 = 1e-9;
/// Steps of the search for a release, in the same, within which pressures may be round-off.
const BLURRED: f64 = 1e-4;
/// Points nearer to each other than this are one, in body sizes.
const APART: f64 = 1e-9;
/// Part of what a contact gave before a node and gives after it: a sum that small is none. Both are
/// alike where it rests.
const VANISHED: f64 = 1e-8;
/// Impulses that move bodies by less than this in a step are none, in body sizes.
pub(super) const UNFELT: f64 = 1e-12;

impl Collisions {
    /// Looks whether a held contact of an island pulled on its way to the end of the step. If so,
    /// everything is cut where it lets go, in `self.line.base`; returns that time.
    pub(super) fn let_go(
        &mut self,
        flight: &mut Flight,
        island: usize,
    ) -> Result<Option<f64>, SimulateError> {
        let setup = flight.setup;
        let since = self.line.since[self.islands.first(island)];
        let rest = self.line.h - since;
        let Some((at, pulled)) = self.pulling(setup, island, rest) else {
            return Ok(None);
        };
        let key = self.islands.all[island].resting[at].key;
        let given = self.pressure_of(island, key, false);
        let mut time = since;
        // A step that is next to nothing says nothing but round-off.
        let least = SHORTEST * rest;
        let mut lasts = given > 0.0 || pulled >= 0.0;
        if pulled < 0.0 && lasts {
            self.fly_resting(flight, island, least, rest)?;
            lasts = self.pressure_of(island, key, true) > 0.0;
        }
        if lasts {
            // The step for which the multiplier of its first node vanishes; the controls stay those
            // of the whole step.
            let narrow = |_| 1e-13 * rest;
            let b = if pulled >= 0.0 {
                rest
            } else {
                let blurred = BLURRED * rest;
                root(
                    [least, given],
                    [rest, pulled],
                    1e-13 * given,
                    narrow,
                    blurred,
                    |h| {
                        self.fly_resting(flight, island, h, rest)?;
                        Ok(self.pressure_of(island, key, true))
                    },
                )?
            };
            time = since + b;
            let met = self.met_before_time(flight, island, time)?;
            if !met.is_empty() {
                // That comes first: what happens there decides.
                self.fly_island(flight, island, self.line.h)?;
                return Ok(None);
            }
            // From the node where it lets go on it gives nothing: the balance there is one without it.
            self.stepper.letting_go = Some(key);
            let info = self.fly_resting(flight, island, b, rest);
            self.stepper.letting_go = None;
            let info = info?;
            flight.info.add_forces(&info, 1.0);
            flight.info.iterations += info.iterations;
            flight.info.contact.energy += self.stepper.energy;
            flight.info.contact.at_stake += self.stepper.at_stake;
            self.told.pushes.extend_from_slice(&self.stepper.pushes);
            let pair = self.islands.all[island].resting[at].pair;
            let outcome = self.stepper.outcome;
            self.judge(flight, "hold", time, Some(pair), outcome);
            let units = self.islands.all[island].units.clone();
            self.units
                .copy(setup.model, &units, &self.line.probe, &mut self.line.base);
            units.iter().for_each(|&u| self.line.since[u] = time);
            let resting = &self.islands.all[island].resting;
            self.holding.note_given(resting, &self.stepper.impulses);
        } else if given <= 0.0 {
            self.holding.backward = true;
        }
        let rest = &self.islands.all[island].resting[at];
        let (p, poses) = (&rest.points[0], &self.line.base.poses);
        flight.events.push(ContactEvent {
            features: rest.features,
            ..ContactEvent::at(
                self.line.origin + time,
                ContactKind::Release,
                rest.pair,
                p.a.place(poses),
                p.normal(poses),
            )
        });
        self.open(key);
        Ok(Some(time))
    }

    /// Islands that an island overlaps at a time, because it met them on its way there; itself among them where its own
    /// bodies met and its steps do not catch them.
    pub(super) fn met_before_time(
        &mut self,
        flight: &mut Flight,
        island: usize,
        time: f64,
    ) -> Result<Vec<usize>, SimulateError> {
        let setup = flight.setup;
        let units = self.islands.all[island].units.clone();
        self.fly_island(flight, island, time)?;
        let crowded = self.is_crowded(island);
        let (mut flown, mut met) = (vec![island], Vec::new());
        for u in units {
            for k in 0..self.near.of(u).len() {
                let n = self.near.all[self.near.of(u)[k] as usize];
                let caught = n.takes_part && self.laws.forced;
                if !(n.meets || caught) || self.islands.resting_keys.contains(&n.key) {
                    continue;
                }
                let islands = self.islands.of_pair(&n);
                if crowded && islands.iter().all(|i| *i == island) {
                    continue;
                }
                // What was cut later than that has left this time behind.
                if sides(&n).any(|u| self.line.since[u] > time) {
                    continue;
                }
                for &i in islands.iter() {
                    if !flown.contains(&i) {
                        self.fly_island(flight, i, time)?;
                        flown.push(i);
                    }
                }
                let bases = &mut self.work.bases;
                let gap = gap_in(setup.model, bases, &n.pair, n.key, &self.line.probe);
                if gap < -TOUCH * self.work.size {
                    let other = islands.iter().find(|i| **i != island);
                    met.push(*other.unwrap_or(&island));
                }
            }
        }
        met.sort_unstable();
        met.dedup();
        Ok(met)
    }

    /// A held contact lets go.
    pub(super) fn open(&mut self, key: Key) {
        if let Some(s) = self.line.base.standing.iter_mut().find(|s| s.key == key) {
            s.kind = ContactKind::Release;
            s.points.clear();
        }
        self.holding.given.retain(|g| g.key != key);
        self.holding.released.insert(key);
    }

    /// A held contact that pulls most at the node where its island started, in a step of size `h`
    /// from there: its place among the island's, and its pressure.
    fn pulling(&mut self, setup: &Setup, island: usize, h: f64) -> Option<(usize, f64)> {
        let i = &self.islands.all[island];
        let mut worst = None;
        let mut least = 0.0;
        for (at, rest) in i.resting.iter().enumerate().filter(|(_, r)| r.held) {
            let loads = both(&self.holding.given, &i.impulses, rest.key);
            let (poses, size) = (&self.line.base.poses, self.work.size);
            let sum = (self.holding.loads).pressure(&i.resting, rest.key, loads, poses, size);
            let own = i.impulses.iter().filter(|p| p.key == rest.key);
            let given = self.holding.given.iter().filter(|g| g.key == rest.key);
            let pushes = own.map(|p| p.start[0]).chain(given.map(|g| g.normal));
            let size: f64 = pushes.clone().map(f64::abs).sum();
            let total: f64 = pushes.sum();
            let unfelt = lighter(setup, &rest.pair) * UNFELT * self.work.size / h;
            if sum < least - 1e-12 * size - unfelt {
                least = sum;
                worst = Some((at, sum));
            } else if worst.is_none() && total.abs() <= VANISHED * size && size > unfelt {
                // It vanishes at this very node: the contact lets go where the step ends.
                worst = Some((at, 0.0));
            }
        }
        worst
    }

    /// The pressure of a pair of an island at a node: what its points gave before it and, if it was just `flown`, at
    /// the start of the step after it.
    fn pressure_of(&mut self, island: usize, key: Key, flown: bool) -> f64 {
        let after = if flown {
            &self.stepper.impulses[..]
        } else {
            &[]
        };
        let loads = both(&self.holding.given, after, key);
        let resting = &self.islands.all[island].resting;
        (self.holding.loads).pressure(resting, key, loads, &self.line.base.poses, self.work.size)
    }

    /// A step that may have to go back: see the module.
    pub(super) fn step_refined(
        &mut self,
        flight: &mut Flight,
        h: f64,
        mode: Release,
    ) -> Result<(), SimulateError> {
        let saved = match self.line.saved.take() {
            Some(mut saved) => {
                saved.as_mut().clone_from(flight.state);
                saved
            }
            None => Box::new(flight.state.clone()),
        };
        let from = flight.events.len();
        self.step_once(flight, h)?;
        let previous = self.holding.previous.take();
        if let Some((previous, last)) = previous.as_ref().filter(|_| self.holding.backward) {
            let plain = (flight.state.clone(), flight.info);
            let told = (flight.events[from..].to_vec(), self.told.pushes.clone());
            let mut settled = false;
            for n in 1..=MOST_REFINEMENTS {
                flight.state.clone_from(previous);
                flight.events.truncate(from);
                let mut forward = true;
                for part in parts(mode, n) {
                    self.step_once(flight, part * last)?;
                    forward &= !self.holding.backward;
                }
                self.told.pushes.clear();
                self.step_once(flight, h)?;
                if forward && !self.holding.backward {
                    settled = true;
                    break;
                }
            }
            if settled {
                // Parts of a step add up to it but for round-off: stay on the grid.
                flight.state.time = plain.0.time;
                flight.state.time_carry = plain.0.time_carry;
                flight.info.time = flight.state.time;
            } else {
                (*flight.state, flight.info) = plain;
                flight.events.truncate(from);
                flight.events.extend(told.0);
                self.told.pushes = told.1;
            }
        }
        self.line.saved = previous.map(|(state, _)| state);
        self.holding.previous = Some((saved, h));
        Ok(())
    }
}

/// Impulses of a pair, and the points they act at; storage only.
#[derive(Debug, Default)]
pub(super) struct Loads {
    hull: Vec<Vector3<f64>>,
    loads: Vec<(Vector3<f64>, f64)>,
}

impl Loads {
    /// The pressure of a pair by normal impulses at places in the frame of its first body; `size` is that of the
    /// largest body.
    pub fn pressure(
        &mut self,
        resting: &[Resting],
        key: Key,
        impulses: impl Iterator<Item = (Vector3<f64>, f64)>,
        poses: &[Pose],
        size: f64,
    ) -> f64 {
        let mut own = resting.iter().filter(|r| r.key == key && r.held);
        let Some((rest, p)) = own.find_map(|r| Some((r, r.points.first()?))) else {
            return 0.0;
        };
        let hull = rest.points.iter().chain(&rest.outline);
        self.hull.clear();
        self.hull.extend(hull.map(|p| p.a.place(poses)));
        let body = p.a.body;
        let at = |local| Anchor { body, local }.place(poses);
        self.loads.clear();
        self.loads.extend(impulses.map(|(x, l)| (at(x), l)));
        pressure(&self.hull, &self.loads, &p.normal(poses), APART * size)
    }
}

/// What the points of a pair gave before a node and at the start of the step after it, with their places.
fn both(
    given: &[Given],
    after: &[PointImpulse],
    key: Key,
) -> impl Iterator<Item = (Vector3<f64>, f64)> {
    let given = given.iter().filter(move |g| g.key == key);
    let after = after.iter().filter(move |i| i.key == key);
    let given = given.map(|g| (g.place, g.normal));
    given.chain(after.map(|i| (i.place, i.start[0])))
}

/// Mass of the lighter of two bodies.
pub(super) fn lighter(setup: &Setup, pair: &Pair) -> f64 {
    let Pair::Bodies(a, b) = pair else {
        return 0.0;
    };
    let mass = |c| body_of(c).map_or(f64::INFINITY, |b| setup.model.body(b).mass());
    let least = mass(a).min(mass(b));
    if least.is_finite() { least } else { 0.0 }
}

/// How firmly normal impulses press on points of a plane: their least moment about the lines that
/// bound the hull of the points, each by the width of the hull from there. Negative where only pulling
/// at these points could do the same; the sum of the impulses where they are no more than `apart` from
/// each other.
fn pressure(
    hull: &[Vector3<f64>],
    loads: &[(Vector3<f64>, f64)],
    normal: &Vector3<f64>,
    apart: f64,
) -> f64 {
    let total: f64 = loads.iter().map(|s| s.1).sum();
    let across = |x: Vector3<f64>| x - normal * x.dot(normal);
    let wide = hull.iter().map(|x| across(x - hull[0]).norm());
    let wide = wide.fold(0.0, f64::max);
    if wide <= apart {
        return total;
    }
    let near = 1e-6 * wide;
    let mut least = f64::INFINITY;
    // Distances of all points from a line, if they are all on one side of it.
    let mut bound = |from: &Vector3<f64>, inward: &Vector3<f64>| {
        let mut width = 0.0_f64;
        for x in hull {
            let d = (x - from).dot(inward);
            if d < -near {
                return;
            }
            width = width.max(d);
        }
        if width > near {
            let moment: f64 = loads.iter().map(|(x, l)| l * (x - from).dot(inward)).sum();
            least = least.min(moment / width);
        }
    };
    for x in hull {
        for y in hull {
            let along = across(y - x);
            if along.norm() > near {
                let along = along.normalize();
                bound(x, &normal.cross(&along));
                bound(x, &along);
            }
        }
    }
    if least.is_finite() { least } else { total }
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
