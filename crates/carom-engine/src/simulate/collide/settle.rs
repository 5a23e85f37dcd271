//! What happens when units stand cut at one instant: momentum jumps where they approach, contacts
//! that are slow come to rest, and everything flies on to the end of the step.

use super::flight::Flight;
use super::hold::jumps;
use super::resting::Resting;
use super::touching::{Contact, Look, gap_in};
use super::*;
use crate::contact::Rows;
use crate::model::{EnergyCondition, JumpForm};

/// Releases and halvings within releases and halvings before a step counts as failed.
const MOST_DEPTH: u32 = 100;
/// Rounds of jump and rest at one instant.
const MOST_ROUNDS: usize = 50;

impl Collisions {
    /// Deals with all contacts of a group of units, whose states at `time` are in `self.line.base`, and
    /// flies them to the end of the step, into `flight.state`.
    pub(super) fn settle(
        &mut self,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
    ) -> Result<(), SimulateError> {
        self.line.depth += 1;
        let mut islands = self.work.numbers.take();
        self.settle_at(flight, group, time, &mut islands)?;
        self.fly_out(flight, &islands, time)?;
        self.work.numbers.give(islands);
        self.line.depth -= 1;
        Ok(())
    }

    /// Deals with all contacts of a group of units, whose states at `time` are in `self.line.base`; adds the islands
    /// they are from then on to a list.
    pub(super) fn settle_at(
        &mut self,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        islands: &mut Vec<usize>,
    ) -> Result<(), SimulateError> {
        let setup = flight.setup;
        let model = setup.model;
        // Every contact may let go once.
        if self.line.depth > MOST_DEPTH + self.near.all.len() as u32 {
            let first = self.units.all[group[0]].bodies.first();
            let name = first.map_or(String::new(), |&b| model.bodies()[b].name.clone());
            return Err(SimulateError::Impacts {
                time: self.line.origin + time,
                count: self.line.depth as usize,
                pair: [name, "what it touches".into()],
            });
        }
        self.instant
            .velocities(model, &mut self.work, &self.units, group, &self.line.base);
        for round in 0..MOST_ROUNDS {
            self.gather(setup, group, round);
            self.close(setup);
            if self.holds() {
                // All that touches and all that holds at once.
                self.strike(flight, group, time);
                break;
            }
            if !self.jump(flight, group, time)? {
                break;
            }
            if round + 1 == MOST_ROUNDS {
                let pair = self.instant.contacts.first().map(|c| c.pair);
                let outcome = Outcome {
                    rounds: MOST_ROUNDS as u32,
                    residual: 1.0,
                    converged: false,
                };
                self.judge(flight, "impact", time, pair, outcome);
            }
        }
        self.tie(setup, group);
        self.renew(group, false, islands);
        Ok(())
    }

    /// Whether units that touch at the start of the step go on as if they did not: nothing rests, and impacts wait
    /// for the projection at its end.
    pub(super) fn goes_on(&mut self, setup: &Setup, state: &State, group: &[usize]) -> bool {
        let rubs = group.iter().any(|&u| self.islands.rubbing[u]);
        if !self.laws.decomposed || self.laws.forced || rubs {
            return false;
        }
        group.iter().for_each(|&u| self.note_press(setup, state, u));
        let (work, units) = (&mut self.work, &self.units);
        self.instant
            .velocities(setup.model, work, units, group, &self.line.base);
        self.gather(setup, group, 0);
        let mut contacts = self.instant.contacts.iter();
        contacts.all(|c| {
            let decomposed = matches!(setup.law(&c.surface), Law::Decomposition { .. });
            decomposed && !self.stays(setup, c)
        })
    }

    /// Sets up all contacts of the group.
    fn gather(&mut self, setup: &Setup, group: &[usize], round: usize) {
        self.instant.clear();
        let touch = TOUCH * self.work.size;
        let pairs = self.pairs_within(group);
        for &k in &pairs {
            let n = self.near.all[k];
            let bases = &mut self.work.bases;
            let gap = gap_in(setup.model, bases, &n.pair, n.key, &self.line.base);
            if gap > touch && self.line.base.held(n.key).is_none() {
                continue;
            }
            let faded = self.line.hits.get(&n.key).is_some_and(|h| h.are_faded());
            let look = Look {
                within: self.line.within,
                near: touch,
                tired: faded || round > MOST_ROUNDS / 2,
                press: &self.line.press,
            };
            self.instant
                .add(setup, &mut self.work, n.pair, n.key, &self.line.base, &look);
        }
        self.work.numbers.give(pairs);
    }

    /// Lets momentum jump if anything approaches fast; tells whether it did.
    fn jump(
        &mut self,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
    ) -> Result<bool, SimulateError> {
        let setup = flight.setup;
        let instant = &self.instant;
        let forced = self.laws.forced;
        let impact = |c: &&Contact| jumps(setup, forced, c) && instant.is_fast(c);
        let Some(first) = instant.contacts.iter().find(impact) else {
            return Ok(false);
        };
        let first = *first;
        for c in instant.contacts.iter().filter(impact) {
            let speed = instant.approach(c);
            let hits = self.line.hits.entry(c.key).or_default();
            if hits.count == 0 {
                hits.first = speed;
            }
            hits.count += 1;
            hits.last = speed;
        }
        let (condition, form) = match setup.law(&first.surface) {
            Law::Exact { condition, form } => (condition, form),
            _ => Default::default(),
        };
        let discrete = condition == EnergyCondition::Discrete;
        let before = group
            .iter()
            .map(|&u| self.islands.of[u])
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .map(|i| self.islands.all[i].info)
            .collect::<Vec<_>>();
        let mut factor = 1.0;
        let flown = before.iter().all(|i| i.h > 0.0);
        let solve_energy = discrete && flown && self.line.h - time > 0.0;
        let lossy = |c: &Contact| c.surface.restitution != 1.0;
        if solve_energy && self.instant.contacts.iter().any(lossy) {
            return Err(SimulateError::Unsupported {
                integrator: "the exact law with the discrete energy",
                reason: "restitution below one exists with the Hamiltonian condition only".into(),
                fix: "use that condition, or restitution 1",
            });
        }
        let energy: f64 = before.iter().map(|i| i.energy_discrete).sum();
        self.instant.note_rates();
        let outcome;
        if form == JumpForm::NullSpace && !self.instant.contacts.iter().any(lossy) {
            self.null_space_jump(setup.model, group, |this, multiple| {
                solve_energy.then(|| {
                    let push = |rows: &mut Rows, nu: &[f64]| {
                        for t in &this.instant.touches {
                            if !t.vertex && rows.rate(t.normal, nu) < 0.0 {
                                rows.lambda[t.normal] = multiple;
                            }
                        }
                    };
                    push(&mut this.instant.rows, &this.instant.nu);
                    let e = this.energy_after(flight, group, time, 1.0);
                    this.instant.rows.lambda.fill(0.0);
                    Ok(e? - energy)
                })
            })?;
            (outcome, _) = self
                .instant
                .finish_jump(setup, &mut self.work, &self.line.base);
        } else {
            (outcome, _) = self
                .instant
                .finish_jump(setup, &mut self.work, &self.line.base);
            if solve_energy {
                factor = self.discrete_factor(flight, group, time, energy)?;
            }
        }
        self.judge(flight, "impact", time, Some(first.pair), outcome);
        self.instant.apply(setup.model, &mut self.line.base, factor);
        if factor != 1.0 {
            self.instant.velocities(
                setup.model,
                &mut self.work,
                &self.units,
                group,
                &self.line.base,
            );
        }
        self.note_jumped(setup, group);
        let told = (&mut *flight.events, &mut self.told.pushes);
        let (count, energy) = self.instant.events(self.line.origin + time, factor, told);
        let by_belts = self.instant.belt_work();
        flight.info.work += by_belts;
        flight.info.contact.energy += energy - by_belts;
        flight.info.contact.at_stake += self.instant.at_stake();
        Ok(count > 0)
    }

    /// What a group is after a jump is where its next step begins to look.
    pub(super) fn note_jumped(&mut self, setup: &Setup, group: &[usize]) {
        for &u in group {
            for &f in &self.units.all[u].freedoms {
                self.line.base.guess[f] = self.instant.nu[f];
                if f < setup.model.tree_freedom {
                    self.line.base.unbalanced[f] = 0.0;
                }
            }
        }
    }

    /// The factor of the jump for which the discrete energy after is that before (3.76b). Near the
    /// explicit reflection, factor one; the trivial root (no bounce) is near zero.
    fn discrete_factor(
        &mut self,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        before: f64,
    ) -> Result<f64, SimulateError> {
        let mut energy = |this: &mut Self, factor: f64| -> Result<f64, SimulateError> {
            Ok(this.energy_after(flight, group, time, factor)? - before)
        };
        let (mut a, mut b) = (1.0, 1.0 + 1e-5);
        let (mut fa, mut fb) = (energy(self, a)?, energy(self, b)?);
        for _ in 0..60 {
            if fb == fa || fb == 0.0 {
                break;
            }
            let c = b - fb * (b - a) / (fb - fa);
            if !(c > 0.5 && c < 2.0) {
                break;
            }
            let fc = energy(self, c)?;
            let done = fc.abs() >= fb.abs()
                && fb.abs() <= 1e-12 * (before.abs() + fa.abs() + f64::MIN_POSITIVE);
            if done {
                break;
            }
            (a, fa, b, fb) = (b, fb, c, fc);
        }
        Ok(b)
    }

    /// E_d of the rest of the step after a multiple of the jump in the rows.
    fn energy_after(
        &mut self,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        factor: f64,
    ) -> Result<f64, SimulateError> {
        let setup = flight.setup;
        let model = setup.model;
        let rest = self.line.h - time;
        self.units
            .copy(model, group, &self.line.base, &mut self.line.probe);
        self.instant.apply(model, &mut self.line.probe, factor);
        for &u in group {
            for &f in &self.units.all[u].freedoms {
                self.line.probe.guess[f] = 0.0;
            }
        }
        self.line.probe.time = self.line.origin + time;
        let info = flight
            .scheme
            .step_units(setup, &mut self.line.probe, rest, rest, group)?;
        Ok(info.energy_discrete)
    }

    /// Ties units together whose contacts rest or hold.
    fn tie(&mut self, setup: &Setup, group: &[usize]) {
        for &u in group {
            for r in &self.islands.all[self.islands.of[u]].resting {
                self.islands.resting_keys.remove(&r.key);
            }
        }
        self.islands.sets.reset(self.units.all.len());
        self.islands.rests.clear();
        let mut left = self.work.numbers.take();
        for at in 0..self.instant.contacts.len() {
            let c = &self.instant.contacts[at];
            self.islands.resting_keys.remove(&c.key);
            if self.stays(setup, c) {
                self.rest(setup, at);
            } else {
                left.push(at);
            }
        }
        // What opens so slowly that resting contacts may press it together again takes part.
        let any = !self.islands.rests.is_empty();
        for &at in left.iter().filter(|_| any) {
            let c = &self.instant.contacts[at];
            if -self.instant.approach(c) <= 2.0 * c.pressed {
                self.rest(setup, at);
            }
        }
        self.work.numbers.give(left);
    }

    /// Whether a contact of the instant rests or holds from now on.
    fn stays(&self, setup: &Setup, c: &Contact) -> bool {
        let hits = self.line.hits.get(&c.key);
        let faded = hits.is_some_and(|h| h.are_faded() || h.again > 0);
        // What touches without any force is not pressed: it moves on as it does.
        // What approaches and did not jump waits for the projection at the end of the step.
        let decomposed = matches!(setup.law(&c.surface), Law::Decomposition { .. });
        let waits = decomposed && self.instant.is_fast(c);
        let rests = self.instant.is_slow(c) && c.pressed > 0.0 && !waits;
        self.line.base.held(c.key).is_some() || rests || faded
    }

    /// Lets a contact of the instant rest or hold.
    fn rest(&mut self, setup: &Setup, at: usize) {
        let c = &self.instant.contacts[at];
        let pair_sides = c.pair.parts(setup.model, &self.units);
        let mut movable = pair_sides.iter().copied().filter(|u| *u != usize::MAX);
        let Some(first) = movable.next() else {
            return;
        };
        if let Some(second) = movable.next() {
            self.islands.sets.merge(first, second);
        }
        let points = &self.instant.points[c.points()];
        self.islands.resting_keys.insert(c.key);
        let Some(standing) = self.line.base.held(c.key) else {
            // What slid goes on with the friction of sliding; all else may hold.
            let slid = |s: &Standing| s.kind == ContactKind::Slide;
            let standing = self.line.base.standing.iter().find(|s| s.key == c.key);
            let mut rest = Resting::on(c, self.work.points.copy(points));
            if !standing.is_some_and(slid) {
                rest.friction = c.surface.static_friction;
                rest.grains = c.surface.static_grains;
            }
            self.islands.rests.push((first, rest));
            return;
        };
        let (poses, size) = (&self.line.base.poses, self.work.size);
        let spare = &mut self.work.points;
        let mut held = Resting::held(c, standing.hold, spare.copy(&standing.points), spare.take());
        held.bound(c, points, poses, size);
        let mut beside = Resting {
            points: spare.take(),
            ..held.beside()
        };
        let others = points.iter().filter(|p| !held.holds_at(p, poses, size));
        beside.points.extend(others);
        self.islands.rests.push((first, held));
        match beside.points.is_empty() {
            true => beside.give_back(spare),
            false => self.islands.rests.push((first, beside)),
        }
    }
}
