//! The time line of a step (thesis (3.75), (3.76)): the step of an island is cut where a gap vanishes,
//! momentum jumps, and the rest of the step follows; then it is back on the regular grid.
//!
//! Islands that do not touch each other cut their own steps. Of several pairs that meet the earliest
//! goes first; those that touch at the same time and share bodies jump together. Several impacts
//! may fall into one step. Islands with many resting contacts are not cut: what meets them within
//! the step joins them and is caught at its end (see [`Collisions::is_crowded`]).

use super::groups::Sides;
use super::hold::note_given;
use super::island::{Scope, Span};
use super::meetings::Meeting;
use super::near::sides;
use super::touching::gap_in;
use super::*;
use crate::contact::Room;

/// Parts of a step shorter than this part of it are not flown.
pub(super) const INSTANT: f64 = 1e-14;
/// Where contacts rest, two meetings closer than this part of a step have no order: the way of an island may jump
/// there, and each is found before the other. They are caught together.
const SAME: f64 = 1e-9;
/// Room between bodies that need not be measured, in sizes of the largest.
pub(super) const CLEAR: f64 = 1e-6;
/// A step of an island that does not settle is halved, down to this part of the step.
pub(super) const FINEST: f64 = 1.0 / 64.0;
/// Meetings in one step beyond which something is wrong.
const MOST_MEETINGS: u64 = 2_000_000;
/// A pair that meets again where it stood, without any time between, is caught after so many times.
const MOST_AGAIN: u32 = 8;

/// What a flight needs to know all along.
pub(super) struct Flight<'a> {
    /// Size of the step.
    pub h: f64,
    pub info: &'a mut StepInfo,
    /// Units whose share of the free step has been taken out of the account.
    pub cut: Vec<bool>,
    /// How deep settling is within settling.
    pub depth: u32,
    /// While islands are still made at the start of the step: a unit of each that does not settle to its end. What
    /// these meet on the way is known once all islands are there.
    pub rough: Option<Vec<usize>>,
}

/// What came of trying to cut.
pub(super) enum Cut {
    /// These units stand cut.
    At(Vec<usize>),
    /// This pair meets first.
    Earlier(f64, usize),
}

/// A pair that is apart at the start of a step: its index, gap and steepness.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    near: usize,
    gap: (f64, f64),
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
        self.hits.clear();
        self.resting_keys.clear();
        let touch = TOUCH * self.work.size;
        let mut touching = self.work.numbers.take();
        let mut open = std::mem::take(&mut self.open);
        open.clear();
        self.sets.reset(self.units.all.len());
        for k in 0..self.near.all.len() {
            let n = self.near.all[k];
            if !n.takes_part {
                continue;
            }
            // What meets at the end of a step only need not be measured if it is clear of each other.
            let held = self.base.held(n.key).is_some();
            if !n.meets && !held {
                let room = self.start_room(setup, &n);
                if room.width > CLEAR * self.work.size {
                    self.near.all[k].room = room;
                    continue;
                }
            }
            let gap = self.start_gap(setup, &n.pair, n.key);
            self.near.all[k].room = Room::any_way(gap.0 / gap.1);
            info.contact.overlap = info.contact.overlap.max(-gap.0);
            self.judge_overlap(setup, info, &n.pair, -gap.0);
            if gap.0 <= touch || held {
                touching.extend(sides(&n));
                if let [a, b] = n.sides
                    && a != usize::MAX
                    && b != usize::MAX
                {
                    self.sets.merge(a, b);
                }
            } else if n.meets {
                open.push(Open { near: k, gap });
            }
        }
        let rubbing = (0..self.rubbing.len()).filter(|&u| self.rubbing[u]);
        touching.extend(rubbing);
        touching.sort_unstable();
        touching.dedup();
        // Every unit is an island of its own, until contacts tie some together.
        let count = self.units.all.len();
        self.islands.resize_with(count, Island::default);
        for (u, island) in self.islands.iter_mut().enumerate() {
            island.clear(&mut self.work.points);
            island.units.push(u);
            self.island_of[u] = u;
        }
        self.meetings.reset(count);
        // Points of a resting body that may come down within the step take part.
        let far = self.base.reach(setup.model, h).min(0.5 * self.work.size);
        self.within = far.max(WITHIN * self.work.size);
        let mut cut = std::mem::take(&mut self.cut);
        cut.clear();
        cut.resize(count, false);
        let mut flight = Flight {
            h,
            info,
            cut,
            depth: 0,
            rough: Some(self.work.numbers.take()),
        };
        // What touches at the start, group by group; it looks ahead by itself.
        let mut groups = std::mem::take(&mut self.groups);
        groups.split(&mut self.sets, &touching);
        for &u in &touching {
            self.meetings.forget(u);
        }
        for &Open { near: k, gap } in &open {
            let n = self.near.all[k];
            let starts = |u: &usize| touching.binary_search(u).is_ok();
            if sides(&n).any(|u| starts(&u)) {
                continue;
            }
            if let Some(t) = self.meeting(setup, scheme, state, &flight, k, 0.0, Some(gap))? {
                self.meetings.push(t, k, n.sides);
            }
        }
        self.open = open;
        self.work.numbers.give(touching);
        for group in groups.iter() {
            if self.goes_on(setup, state, group) {
                continue;
            }
            for &u in group {
                self.take_out(setup, scheme, state, &mut flight, u)?;
            }
        }
        for group in groups.iter() {
            if flight.cut[group[0]] {
                self.settle(setup, scheme, state, &mut flight, group, 0.0, events)?;
            } else {
                self.look_ahead(setup, scheme, state, &flight, group, 0.0)?;
            }
        }
        if let Some(rough) = flight.rough.take() {
            for &u in &rough {
                let islands = [self.island_of[u]];
                self.fly_out(setup, scheme, state, &mut flight, &islands, 0.0, events)?;
            }
            self.work.numbers.give(rough);
        }
        let mut met = 0;
        loop {
            self.follow(setup, scheme, state, &mut flight, &mut met, events)?;
            if !self.decomposed || !self.forced {
                break;
            }
            // What overlaps at the end by the decomposition law is caught.
            self.overlapping_islands(setup, state, &mut groups);
            if groups.is_empty() {
                break;
            }
            for islands in groups.iter() {
                self.join(setup, scheme, state, &mut flight, islands, events)?;
            }
        }
        self.groups = groups;
        for i in 0..self.islands.len() {
            if let Some(end) = self.islands[i].at_end.take() {
                self.islands[i] = *end;
            }
            if self.islands[i].units.is_empty() || !flight.cut[self.islands[i].units[0]] {
                continue;
            }
            enter(flight.info, &mut self.islands[i], &mut self.pushes);
            flight.info.energy_discrete += self.islands[i].info.energy_discrete;
            self.judge_island(setup, flight.info, i, flight.h);
        }
        state.time = self.base.time;
        state.time_carry = self.base.time_carry;
        state.tick(h);
        flight.info.time = state.time;
        self.cut = flight.cut;
        Ok(())
    }

    /// Follows the meetings in their order until there is none to come.
    fn follow(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &mut State,
        flight: &mut Flight,
        met: &mut u64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        while let Some(next) = self.earliest() {
            *met += 1;
            let n = self.near.all[next.near];
            if *met > MOST_MEETINGS {
                return Err(SimulateError::Impacts {
                    time: self.origin + next.time,
                    count: *met as usize,
                    pair: n.pair.names(setup.model),
                });
            }
            let since = sides(&n).map(|u| self.since[u]).fold(0.0, f64::max);
            let hits = self.hits.entry(n.key).or_default();
            if next.time - since <= INSTANT * flight.h {
                hits.again += 1;
            }
            let stuck = hits.again > MOST_AGAIN;
            if stuck || self.catches(&n) {
                let islands = self.caught_with(&n);
                self.join(setup, scheme, state, flight, &islands, events)?;
                continue;
            }
            match self.group(setup, scheme, state, flight, next.near, next.time)? {
                Cut::At(group) => {
                    self.settle(setup, scheme, state, flight, &group, next.time, events)?;
                }
                Cut::Earlier(time, near) => {
                    let first = self.near.all[near];
                    let mut islands = self.islands_of(&n).to_vec();
                    islands.extend_from_slice(&self.islands_of(&first));
                    islands.sort_unstable();
                    islands.dedup();
                    let stand = islands.iter().any(|&i| self.islands[i].stands());
                    if stand && next.time - time <= SAME * flight.h {
                        self.join(setup, scheme, state, flight, &islands, events)?;
                        continue;
                    }
                    self.meetings.push(next.time, next.near, n.sides);
                    let sides = first.sides;
                    self.meetings.push(time, near, sides);
                }
            }
        }
        Ok(())
    }

    /// Takes the meeting that comes first; the order never depends on anything but times and pairs.
    fn earliest(&mut self) -> Option<Meeting> {
        while let Some(next) = self.meetings.heap.pop() {
            let n = &self.near.all[next.near];
            if self.meetings.stamps_of(n.sides) == next.stamps {
                return Some(next);
            }
        }
        None
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
        self.islands[island].turn_to(time >= flight.h);
        if h <= INSTANT * flight.h {
            let units = &self.islands[island].units;
            self.units
                .copy(setup.model, units, &self.base, &mut self.probe);
            let last = self.islands[island].info.energy_discrete;
            let island = &mut self.islands[island];
            island.info = StepInfo {
                energy_discrete: last,
                ..StepInfo::default()
            };
            island.rest_energy = 0.0;
            island.at_stake = Stake::default();
            island.pushes.clear();
            return Ok(());
        }
        if !self.islands[island].stands() {
            let units = &self.islands[island].units;
            self.units
                .copy(setup.model, units, &self.base, &mut self.probe);
            self.probe.time = self.origin + since;
            let info = scheme.step_units(setup, &mut self.probe, h, h, units)?;
            let island = &mut self.islands[island];
            island.info = info;
            island.rest_energy = 0.0;
            island.at_stake = Stake::default();
            island.pushes.clear();
            return Ok(());
        }
        let held = self.islands[island].holds();
        self.islands[island].by_rates = false;
        let info = match self.fly_resting(setup, scheme, island, h, h) {
            // Its trials led so far away that it could not be flown at all: by rates alone, as in `calm`.
            Err(failed) if !held && !self.stepper.plain => {
                self.islands[island].by_rates = true;
                self.stepper.plain = true;
                let flown = self.fly_resting(setup, scheme, island, h, h);
                self.stepper.plain = false;
                flown.map_err(|_| failed)?
            }
            flown => flown?,
        };
        let stepper = &self.stepper;
        let island = &mut self.islands[island];
        island.info = info;
        island.rest_energy = stepper.energy;
        island.at_stake = stepper.at_stake;
        island.gain = stepper.gain;
        island.rest_info.clone_from(&stepper.info);
        island.pushes.clone_from(&stepper.pushes);
        island.impulses.clone_from(&stepper.impulses);
        island.outcome = stepper.outcome;
        island.overlap = stepper.overlap;
        Ok(())
    }

    /// Flies an island with resting contacts for a while into `self.probe`, with controls sampled
    /// for a step of size `sampled`.
    pub(super) fn fly_resting(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        island: usize,
        h: f64,
        sampled: f64,
    ) -> Result<StepInfo, SimulateError> {
        let mut units = self.work.numbers.copy(&self.islands[island].units);
        units.sort_unstable();
        let since = self.since[units[0]];
        let crowded = self.is_crowded(island);
        self.find_near_gaps(setup, &units, crowded);
        let mut resting = std::mem::take(&mut self.islands[island].resting);
        let caught = resting.extract_if(.., |r| r.caught);
        caught.for_each(|r| r.give_back(&mut self.work.points));
        let span = Span {
            scope: Scope {
                units: &self.units,
                which: &units,
            },
            base: &self.base,
            time: self.origin + since,
            h,
            sampled,
            near: &self.near_gaps,
            press: &self.press,
            whole: self.whole,
        };
        let done = self.stepper.step(
            setup,
            scheme,
            &mut self.work,
            &mut resting,
            &span,
            &mut self.probe,
        );
        self.work.numbers.give(units);
        self.islands[island].resting = resting;
        done
    }

    /// Islands of the two sides of a pair.
    pub(super) fn islands_of(&self, n: &near::NearPair) -> Sides {
        Sides::new(sides(n).map(|u| self.island_of[u]))
    }

    /// Takes a unit's share of the free step out of the account, once, and notes what forces did.
    pub(super) fn take_out(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &State,
        flight: &mut Flight,
        unit: usize,
    ) -> Result<(), SimulateError> {
        if flight.cut[unit] {
            return Ok(());
        }
        flight.cut[unit] = true;
        self.note_press(setup, state, unit);
        self.fly_island(setup, scheme, flight, self.island_of[unit], flight.h)?;
        let free = &self.islands[self.island_of[unit]].info;
        flight.info.energy_discrete -= free.energy_discrete;
        flight.info.add_forces(free, -1.0);
        Ok(())
    }

    /// Notes how forces change the velocities of a unit in the free step.
    pub(super) fn note_press(&mut self, setup: &Setup, state: &State, unit: usize) {
        let which = [unit];
        let (model, metric) = (setup.model, &mut self.work.metric);
        let nu = &mut self.instant.nu;
        self.units.velocities(model, metric, &which, state, nu);
        for &f in &self.units.all[unit].freedoms {
            self.press[f] = nu[f];
        }
        self.units.velocities(model, metric, &which, &self.base, nu);
        for &f in &self.units.all[unit].freedoms {
            self.press[f] -= nu[f];
        }
    }

    /// Cuts everything that touches at the time a pair meets and is connected with it: their states
    /// then are in `self.base`. If another pair met on the way there, it comes first and nothing is
    /// cut.
    fn group(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        state: &State,
        flight: &mut Flight,
        near: usize,
        time: f64,
    ) -> Result<Cut, SimulateError> {
        let mut islands = self.islands_of(&self.near.all[near]).to_vec();
        let mut done = 0;
        let mut looked: Vec<usize> = Vec::new();
        let touch = TOUCH * self.work.size;
        while done < islands.len() {
            let island = islands[done];
            self.fly_island(setup, scheme, flight, island, time)?;
            done += 1;
            for at in 0..self.islands[island].units.len() {
                let unit = self.islands[island].units[at];
                for k in 0..self.near.of(unit).len() {
                    let n = self.near.all[self.near.of(unit)[k] as usize];
                    if !n.takes_part {
                        continue;
                    }
                    let sides = self.islands_of(&n);
                    let other = sides.iter().copied().find(|i| !islands.contains(i));
                    let Some(other) = other else { continue };
                    if !looked.contains(&other) {
                        self.fly_island(setup, scheme, flight, other, time)?;
                        looked.push(other);
                    }
                    let detector = &mut self.work.detector;
                    if gap_in(setup.model, detector, &n.pair, n.key, &self.probe) <= touch {
                        islands.push(other);
                    }
                }
            }
        }
        if let Some((t, k)) = self.met_before(setup, scheme, flight, &islands, near, time)? {
            return Ok(Cut::Earlier(t, k));
        }
        let mut group: Vec<usize> = Vec::new();
        for &i in &islands {
            group.extend_from_slice(&self.islands[i].units);
        }
        for &u in &group {
            self.take_out(setup, scheme, state, flight, u)?;
        }
        self.cut(setup, scheme, flight, &islands, time)?;
        group.sort_unstable();
        Ok(Cut::At(group))
    }

    /// Flies islands to a time and lets them stand there, in `self.base`.
    pub(super) fn cut(
        &mut self,
        setup: &Setup,
        scheme: &mut Scheme,
        flight: &mut Flight,
        islands: &[usize],
        time: f64,
    ) -> Result<(), SimulateError> {
        for &i in islands {
            if time - self.since[self.islands[i].units[0]] <= INSTANT * flight.h {
                continue;
            }
            self.fly_island(setup, scheme, flight, i, time)?;
            self.calm(setup, scheme, flight, i, time)?;
            self.judge_island(setup, flight.info, i, time);
            enter(flight.info, &mut self.islands[i], &mut self.pushes);
            let island = &mut self.islands[i];
            island.cuts += 1;
            (island.ended, island.at_end) = (false, None);
            note_given(&mut self.given, &island.resting, &island.impulses);
            let units = &self.islands[i].units;
            self.units
                .copy(setup.model, units, &self.probe, &mut self.base);
            for &u in units {
                self.since[u] = time;
                self.meetings.forget(u);
            }
        }
        Ok(())
    }
}

/// Enters what an island did in the part of the step just flown.
pub(super) fn enter(info: &mut StepInfo, island: &mut Island, pushes: &mut Vec<PairImpulse>) {
    pushes.append(&mut island.pushes);
    info.add_forces(&island.info, 1.0);
    info.iterations += island.info.iterations;
    info.momentum_residual = info.momentum_residual.max(island.info.momentum_residual);
    info.contact.energy += island.rest_energy;
    info.contact.at_stake += island.at_stake;
}
