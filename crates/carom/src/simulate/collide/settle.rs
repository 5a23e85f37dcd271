//! What happens when units stand cut at one instant: momentum jumps where they approach, contacts
//! that are slow come to rest, and everything flies on to the end of the step.

use super::flight::Flight;
use super::rest::{Resting, Scope};
use super::touching::gap_in;
use super::{Collisions, MOST_IMPACTS, Setup, TOUCH};
use crate::contact::Rows;
use crate::model::{EnergyCondition, JumpForm, Law};
use crate::simulate::scheme::Scheme;
use crate::simulate::{ContactEvent, SimulateError, State};

/// Rounds of jump and rest at one instant.
const MOST_ROUNDS: usize = 50;

impl Collisions {
    /// Deals with all contacts of a group of units, whose states at `time` are in `self.base`, and
    /// flies them to the end of the step, into `state`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn settle(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let model = setup.model;
        self.kit.velocities(model, &self.units, group, &self.base);
        for round in 0..MOST_ROUNDS {
            self.gather(setup, group, round);
            self.close(setup, flight, group, time, events);
            if !self.jump(setup, scheme, flight, group, time, events)? {
                break;
            }
            // Contacts that hold take up what the jump left them.
            self.hold_velocities(setup, flight, group);
        }
        self.tie(setup);
        let islands = self.fresh_islands(group);
        for &i in &islands {
            self.fly_island(setup, scheme, flight, i, flight.h)?;
            let units = self.islands[i].units.clone();
            if let Some(time) = self.let_go(setup, scheme, flight, i, events)? {
                self.settle(setup, scheme, state, flight, &units, time, events)?;
            } else {
                self.units.copy(setup.model, &units, &self.probe, state);
            }
        }
        self.look_ahead(setup, scheme, state, flight, group, time)
    }

    /// Sets up all contacts of the group.
    fn gather(&mut self, setup: &Setup, group: &[usize], round: usize) {
        self.kit.clear();
        for k in 0..self.candidates.len() {
            let (pair, key) = self.candidates[k];
            let sides = self.units.of(setup.model, &pair);
            let inside = |u: &usize| *u == usize::MAX || group.binary_search(u).is_ok();
            if !sides.iter().all(inside) || !self.takes_part(setup, &pair) {
                continue;
            }
            let gap = gap_in(setup.model, &mut self.detector, &pair, key, &self.base);
            if gap > TOUCH * self.size && self.base.held(key).is_none() {
                continue;
            }
            let surface = self.detector.surface(&pair);
            let tired =
                self.hits.get(&key).is_some_and(|n| *n > MOST_IMPACTS) || round > MOST_ROUNDS / 2;
            let mut warm = self.detector.basis(key);
            self.kit.add(
                setup,
                pair,
                key,
                surface,
                &self.base,
                &mut warm,
                self.within,
                TOUCH * self.size,
                tired,
            );
            self.detector.remember(key, warm);
        }
    }

    /// Lets momentum jump if anything approaches fast; tells whether it did.
    fn jump(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &mut Flight,
        group: &[usize],
        time: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<bool, SimulateError> {
        let kit = &self.kit;
        let impact = |c: &&super::touching::Contact| {
            let exact = matches!(setup.law(&c.surface), Law::Exact { .. });
            exact && kit.is_fast(c)
        };
        let Some(first) = kit.contacts.iter().find(impact) else {
            return Ok(false);
        };
        let Law::Exact { condition, form } = setup.law(&first.surface) else {
            return Ok(false);
        };
        let discrete = condition == EnergyCondition::Discrete;
        let before = group
            .iter()
            .map(|&u| self.island_of[u])
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .map(|i| self.islands[i].info)
            .collect::<Vec<_>>();
        let mut factor = 1.0;
        let flown = before.iter().all(|i| i.h > 0.0);
        let solve_energy = discrete && flown && flight.h - time > 0.0;
        let lossy = |c: &super::touching::Contact| c.surface.restitution != 1.0;
        if solve_energy && self.kit.contacts.iter().any(lossy) {
            return Err(SimulateError::Unsupported {
                integrator: "the exact law with the discrete energy",
                reason: "restitution below one exists with the Hamiltonian condition only".into(),
            });
        }
        let energy: f64 = before.iter().map(|i| i.energy_discrete).sum();
        self.kit.note_rates();
        if form == JumpForm::NullSpace && !self.kit.contacts.iter().any(lossy) {
            self.null_space_jump(setup.model, group, |this, multiple| {
                solve_energy.then(|| {
                    let push = |rows: &mut Rows, nu: &[f64]| {
                        for t in &this.kit.touches {
                            if !t.vertex && rows.rate(t.normal, nu) < 0.0 {
                                rows.lambda[t.normal] = multiple;
                            }
                        }
                    };
                    push(&mut this.kit.rows, &this.kit.nu);
                    let e = this.energy_after(setup, scheme, flight, group, time, 1.0);
                    this.kit.rows.lambda.fill(0.0);
                    Ok(e? - energy)
                })
            })?;
            self.kit.finish_jump(setup);
        } else {
            self.kit.finish_jump(setup);
            if solve_energy {
                factor = self.discrete_factor(setup, scheme, flight, group, time, energy)?;
            }
        }
        self.kit.apply(setup.model, &mut self.base, factor);
        if factor != 1.0 {
            self.kit
                .velocities(setup.model, &self.units, group, &self.base);
        }
        for &u in group {
            for &f in &self.units.all[u].freedoms {
                self.base.guess[f] = self.kit.nu[f];
                if f < setup.model.tree_freedom {
                    self.base.unbalanced[f] = 0.0;
                }
            }
        }
        let (count, energy) = self.kit.events(self.origin + time, factor, events);
        flight.info.contact.energy += energy;
        Ok(count > 0)
    }

    /// The factor of the jump for which the discrete energy after is that before (3.76b). Near the
    /// explicit reflection, factor one; the trivial root (no bounce) is near zero.
    fn discrete_factor(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        group: &[usize],
        time: f64,
        before: f64,
    ) -> Result<f64, SimulateError> {
        let mut energy = |this: &mut Self, factor: f64| -> Result<f64, SimulateError> {
            Ok(this.energy_after(setup, scheme, flight, group, time, factor)? - before)
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
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        group: &[usize],
        time: f64,
        factor: f64,
    ) -> Result<f64, SimulateError> {
        let model = setup.model;
        let rest = flight.h - time;
        self.units.copy(model, group, &self.base, &mut self.probe);
        self.kit.apply(model, &mut self.probe, factor);
        for &u in group {
            for &f in &self.units.all[u].freedoms {
                self.probe.guess[f] = 0.0;
            }
        }
        self.probe.time = self.origin + time;
        let info = scheme.step_units(setup, &mut self.probe, rest, rest, group)?;
        Ok(info.energy_discrete)
    }

    /// Ties units together whose contacts rest or hold.
    fn tie(&mut self, setup: &Setup) {
        self.sets.reset(self.units.all.len());
        self.rests.clear();
        for c in &self.kit.contacts {
            self.resting_keys.remove(&c.key);
            let held = self.base.held(c.key);
            let law = setup.law(&c.surface);
            let rests = match law {
                Law::Decomposition { .. } => self.kit.is_slow(c) && !self.kit.is_fast(c),
                _ => self.kit.is_slow(c),
            };
            if held.is_none() && !rests {
                continue;
            }
            let sides = self.units.of(setup.model, &c.pair);
            let mut movable = sides.iter().copied().filter(|u| *u != usize::MAX);
            let Some(first) = movable.next() else {
                continue;
            };
            if let Some(second) = movable.next() {
                self.sets.merge(first, second);
            }
            let points = c.first_point..c.first_point + c.point_count;
            let rest = match held {
                Some(s) => Resting::held(c, s),
                None => Resting {
                    pair: c.pair,
                    key: c.key,
                    friction: c.surface.friction,
                    features: c.row.features,
                    points: self.kit.points[points].to_vec(),
                    held: false,
                    slips: false,
                },
            };
            self.resting_keys.insert(c.key);
            self.rests.push((first, rest));
        }
    }

    /// New islands of the group's units; the old ones are empty from now on.
    fn fresh_islands(&mut self, group: &[usize]) -> Vec<usize> {
        for &u in group {
            let i = self.island_of[u];
            self.islands[i].units.clear();
            self.islands[i].resting.clear();
        }
        let mut out = Vec::new();
        for &u in group {
            let root = self.sets.root(u);
            // The root is a unit of the group; its own number names the island.
            self.island_of[u] = root;
            self.islands[root].units.push(u);
            if !out.contains(&root) {
                out.push(root);
            }
        }
        for (u, rest) in self.rests.drain(..) {
            let i = self.island_of[u];
            self.islands[i].resting.push(rest);
        }
        out
    }

    /// Looks for contacts of the group on the rest of the way.
    fn look_ahead(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &State,
        flight: &Flight,
        group: &[usize],
        time: f64,
    ) -> Result<(), SimulateError> {
        let model = setup.model;
        let units = &self.units;
        self.times.retain(|(_, pair, _)| {
            let sides = units.of(model, pair);
            !sides.iter().any(|u| group.binary_search(u).is_ok())
        });
        if flight.h <= time {
            return Ok(());
        }
        self.detector.candidates(
            model,
            &self.base.poses,
            &state.poses,
            TOUCH * self.size,
            &mut self.candidates,
        );
        for k in 0..self.candidates.len() {
            let (pair, key) = self.candidates[k];
            let sides = self.units.of(model, &pair);
            let changed = sides.iter().any(|u| group.binary_search(u).is_ok());
            if !changed || self.resting_keys.contains(&key) || !self.meets(setup, &pair) {
                continue;
            }
            let from = sides
                .iter()
                .filter(|u| **u != usize::MAX)
                .map(|u| self.since[*u])
                .fold(0.0, f64::max);
            if let Some(b) = self.bracket(setup, state, &pair, key, from, flight.h, None)
                && let Some(t) = self.exact_time(setup, scheme, flight, &pair, key, b)?
            {
                self.times.push((t, pair, key));
            }
        }
        Ok(())
    }

    /// What momentum jumps left to held contacts is taken up by them.
    pub(super) fn hold_velocities(&mut self, setup: &Setup, flight: &mut Flight, group: &[usize]) {
        let contacts = self.kit.contacts.iter();
        let held: Vec<Resting> = contacts
            .filter_map(|c| Some(Resting::held(c, self.base.held(c.key)?)))
            .collect();
        self.held_keys.clear();
        self.held_keys.extend(held.iter().map(|r| r.key));
        if held.is_empty() {
            return;
        }
        let scope = Scope {
            units: &self.units,
            which: group,
            size: self.size,
        };
        self.rester
            .settle(setup, &mut self.kit.metric, &held, &scope, &mut self.base);
        flight.info.contact.energy += self.rester.energy;
        self.kit
            .velocities(setup.model, &self.units, group, &self.base);
    }
}
