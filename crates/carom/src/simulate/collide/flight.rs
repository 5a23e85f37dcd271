//! Exact collision times (thesis (3.75), (3.76)): the step of an island is cut where a gap vanishes,
//! momentum jumps, and the rest of the step follows; then it is back on the regular grid.
//!
//! Islands that do not touch each other cut their own steps. Of several pairs that meet the earliest
//! goes first; those that touch at the same time and share bodies jump together. Several impacts
//! may fall into one step.

use super::rest::{Scope, Span};
use super::touching::gap_in;
use super::{Collisions, Island, MOST_IMPACTS, Setup, TOUCH, WITHIN};
use crate::contact::{Key, Pair};
use crate::simulate::scheme::Scheme;
use crate::simulate::{ContactEvent, SimulateError, State, StepInfo};

/// Parts of a step shorter than this part of it are not flown.
pub(super) const INSTANT: f64 = 1e-14;

/// What a flight needs to know all along.
pub(super) struct Flight<'a> {
    /// Size of the step.
    pub h: f64,
    pub info: &'a mut StepInfo,
    /// Units whose share of the free step has been taken out of the account.
    pub cut: Vec<bool>,
}

/// What came of trying to cut.
pub(super) enum Cut {
    /// These units stand cut.
    At(Vec<usize>),
    /// This pair meets first.
    Earlier((f64, Pair, Key)),
}

impl Collisions {
    /// Resolves all contacts on the way from `self.base` to `state`, which is the end of the free
    /// step of size `h`.
    pub(super) fn fly(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        h: f64,
        info: &mut StepInfo,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        self.brackets.clear();
        self.hits.clear();
        self.resting_keys.clear();
        let mut touching: Vec<usize> = Vec::new();
        for k in 0..self.candidates.len() {
            let (pair, key) = self.candidates[k];
            if !self.takes_part(setup, &pair) {
                continue;
            }
            let gap = self.start_gap(setup, &pair, key);
            info.contact.overlap = info.contact.overlap.max(-gap.0);
            if gap.0 <= TOUCH * self.size || self.base.held(key).is_some() {
                touching.extend(self.units.of(setup.model, &pair));
            } else if self.meets(setup, &pair)
                && let Some(b) = self.bracket(setup, state, &pair, key, 0.0, h, Some(gap))
            {
                self.brackets.push((b, pair, key));
            }
        }
        touching.retain(|&u| u != usize::MAX);
        if touching.is_empty() && self.brackets.is_empty() {
            return Ok(());
        }
        touching.sort_unstable();
        touching.dedup();
        // Points of a resting body that may come down within the step take part.
        let far = self.base.reach(setup.model, h).min(0.5 * self.size);
        self.within = far.max(WITHIN * self.size);
        // From here on every unit is an island of its own, until contacts tie some together.
        self.islands.clear();
        self.islands.resize(self.units.all.len(), Island::default());
        for (u, island) in self.islands.iter_mut().enumerate() {
            island.units.push(u);
            self.island_of[u] = u;
        }
        let mut flight = Flight {
            h,
            info,
            cut: vec![false; self.units.all.len()],
        };
        self.times.clear();
        for k in 0..self.brackets.len() {
            let (bracket, pair, key) = self.brackets[k];
            let met = self.exact_time(setup, scheme, &flight, &pair, key, bracket)?;
            self.times.extend(met.map(|t| (t, pair, key)));
        }
        if !touching.is_empty() {
            for &u in &touching {
                self.take_out(setup, scheme, &mut flight, u)?;
            }
            self.settle(setup, scheme, state, &mut flight, &touching, 0.0, events)?;
        }
        while let Some((time, pair, key)) = self.earliest() {
            let hits = self.hits.entry(key).or_insert(0);
            *hits += 1;
            if *hits > 2 * MOST_IMPACTS {
                // Neither impact nor rest could part them: they are parting already.
                continue;
            }
            match self.group(setup, scheme, &mut flight, &pair, time)? {
                Cut::At(group) => {
                    self.settle(setup, scheme, state, &mut flight, &group, time, events)?;
                }
                Cut::Earlier(met) => {
                    self.times.push((time, pair, key));
                    self.times.push(met);
                }
            }
        }
        for (u, island) in self.islands.iter().enumerate() {
            if flight.cut[u] && !island.units.is_empty() {
                enter(flight.info, island);
                flight.info.energy_discrete += island.info.energy_discrete;
            }
        }
        state.time = self.base.time;
        state.time_carry = self.base.time_carry;
        state.tick(h);
        flight.info.time = state.time;
        Ok(())
    }

    /// Takes the pair that meets first; the order never depends on anything but times and keys.
    fn earliest(&mut self) -> Option<(f64, Pair, Key)> {
        let first = (0..self.times.len()).min_by(|&a, &b| {
            let (a, b) = (&self.times[a], &self.times[b]);
            a.0.total_cmp(&b.0).then(a.2.cmp(&b.2))
        })?;
        Some(self.times.swap_remove(first))
    }

    /// Flies an island from where it was cut last to a time, into `self.probe`.
    pub(super) fn fly_island(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &Flight,
        island: usize,
        time: f64,
    ) -> Result<(), SimulateError> {
        let since = self.since[self.islands[island].units[0]];
        let h = time - since;
        let units = &self.islands[island].units;
        if h <= INSTANT * flight.h {
            self.units
                .copy(setup.model, units, &self.base, &mut self.probe);
            let last = self.islands[island].info.energy_discrete;
            let island = &mut self.islands[island];
            island.info = StepInfo {
                energy_discrete: last,
                ..StepInfo::default()
            };
            island.rest_energy = 0.0;
            return Ok(());
        }
        let info = if self.islands[island].resting.is_empty() {
            self.units
                .copy(setup.model, units, &self.base, &mut self.probe);
            self.probe.time = self.origin + since;
            scheme.step_units(setup, &mut self.probe, h, h, units)?
        } else {
            let span = Span {
                scope: Scope {
                    units: &self.units,
                    which: units,
                    size: self.size,
                },
                base: &self.base,
                time: self.origin + since,
                h,
                sampled: h,
            };
            self.rester.step(
                setup,
                scheme,
                &mut self.kit.metric,
                &self.islands[island].resting,
                &span,
                &mut self.probe,
            )?
        };
        let island = &mut self.islands[island];
        island.info = info;
        island.rest_energy = 0.0;
        if !island.resting.is_empty() {
            island.rest_energy = self.rester.energy;
            island.rest_info.clone_from(&self.rester.info);
        }
        Ok(())
    }

    /// Islands of the two sides of a pair.
    pub(super) fn islands_of(&self, setup: &Setup, pair: &Pair) -> Vec<usize> {
        let units = self.units.of(setup.model, pair);
        let mut out: Vec<usize> = units
            .iter()
            .filter(|u| **u != usize::MAX)
            .map(|u| self.island_of[*u])
            .collect();
        out.dedup();
        out
    }

    /// Takes a unit's share of the free step out of the account, once.
    fn take_out(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &mut Flight,
        unit: usize,
    ) -> Result<(), SimulateError> {
        if flight.cut[unit] {
            return Ok(());
        }
        flight.cut[unit] = true;
        self.fly_island(setup, scheme, flight, self.island_of[unit], flight.h)?;
        let free = &self.islands[self.island_of[unit]].info;
        flight.info.energy_discrete -= free.energy_discrete;
        flight.info.work -= free.work;
        Ok(())
    }

    /// Cuts everything that touches at the time a pair meets and is connected with it: their states
    /// then are in `self.base`. Paths between nodes bulge from those the contacts were looked for
    /// on: if another pair met on the way there, it comes first and nothing is cut.
    fn group(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &mut Flight,
        pair: &Pair,
        time: f64,
    ) -> Result<Cut, SimulateError> {
        let mut islands = self.islands_of(setup, pair);
        let mut done = 0;
        let mut looked: Vec<usize> = Vec::new();
        while done < islands.len() {
            self.fly_island(setup, scheme, flight, islands[done], time)?;
            done += 1;
            for k in 0..self.candidates.len() {
                let (other, key) = self.candidates[k];
                if !self.takes_part(setup, &other) {
                    continue;
                }
                let sides = self.islands_of(setup, &other);
                let [Some(&x), Some(&y)] = [sides.first(), sides.get(1)] else {
                    continue;
                };
                let new = match (islands[..done].contains(&x), islands.contains(&y)) {
                    (true, false) => y,
                    _ => match (islands[..done].contains(&y), islands.contains(&x)) {
                        (true, false) => x,
                        _ => continue,
                    },
                };
                if !looked.contains(&new) {
                    self.fly_island(setup, scheme, flight, new, time)?;
                    looked.push(new);
                }
                let probe = &self.probe;
                let gap = gap_in(setup.model, &mut self.detector, &other, key, probe);
                if gap <= TOUCH * self.size {
                    islands.push(new);
                }
            }
        }
        if let Some(met) = self.met_before(setup, scheme, flight, &islands, pair, time)? {
            return Ok(Cut::Earlier(met));
        }
        let mut group: Vec<usize> = Vec::new();
        for &i in &islands {
            group.extend_from_slice(&self.islands[i].units);
        }
        for &u in &group {
            self.take_out(setup, scheme, flight, u)?;
        }
        for &i in &islands {
            self.fly_island(setup, scheme, flight, i, time)?;
            enter(flight.info, &self.islands[i]);
            let island = &self.islands[i];
            for (rest, did) in island.resting.iter().zip(&island.rest_info) {
                if let Some(s) = self.base.standing.iter_mut().find(|s| s.key == rest.key) {
                    s.impulse = did.end;
                }
            }
        }
        self.units
            .copy(setup.model, &group, &self.probe, &mut self.base);
        group.iter().for_each(|&u| self.since[u] = time);
        group.sort_unstable();
        Ok(Cut::At(group))
    }
}

/// Enters what an island did in the part of the step just flown.
fn enter(info: &mut StepInfo, island: &Island) {
    info.work += island.info.work;
    info.iterations += island.info.iterations;
    info.momentum_residual = info.momentum_residual.max(island.info.momentum_residual);
    info.contact.energy += island.rest_energy;
}
