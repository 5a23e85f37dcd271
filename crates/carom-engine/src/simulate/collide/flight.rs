//! The time line of a step (thesis (3.75), (3.76)): the step of an island is cut where a gap vanishes,
//! momentum jumps, and the rest of the step follows; then it is back on the regular grid.
//!
//! Islands that do not touch each other cut their own steps. Of several pairs that meet the earliest
//! goes first; those that touch at the same time and share bodies jump together. Several impacts
//! may fall into one step. Islands with many resting contacts are not cut: what meets them within
//! the step joins them and is caught at its end (see [`Collisions::is_crowded`]).

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

/// What a step is made with, where it leads to, and what it says.
pub(super) struct Flight<'a> {
    pub setup: &'a Setup<'a>,
    pub scheme: &'a mut Scheme,
    pub state: &'a mut State,
    pub events: &'a mut Vec<ContactEvent>,
    pub info: StepInfo,
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
    /// Resolves all contacts on the way from `self.line.base` to `flight.state`, the end of the free step.
    pub(super) fn fly(&mut self, flight: &mut Flight) -> Result<(), SimulateError> {
        let setup = flight.setup;
        self.islands.begin(&mut self.work.points);
        // Points of a resting body that may come down within the step take part.
        let far = self.line.base.reach(setup.model, self.line.h);
        let far = far.min(0.5 * self.work.size);
        self.line.within = far.max(WITHIN * self.work.size);
        let touching = self.look_around(flight);
        // What touches at the start, group by group; it looks ahead by itself.
        let mut groups = std::mem::take(&mut self.islands.groups);
        groups.split(&mut self.islands.sets, &touching);
        for &u in &touching {
            self.line.meetings.forget(u);
        }
        let open = std::mem::take(&mut self.line.open);
        for &Open { near: k, gap } in &open {
            let n = self.near.all[k];
            let starts = |u: &usize| touching.binary_search(u).is_ok();
            if sides(&n).any(|u| starts(&u)) {
                continue;
            }
            if let Some(t) = self.meeting(flight, k, 0.0, Some(gap))? {
                self.line.meetings.push(t, k, n.sides);
            }
        }
        self.line.open = open;
        self.work.numbers.give(touching);
        for group in groups.iter() {
            if self.goes_on(setup, flight.state, group) {
                continue;
            }
            for &u in group {
                self.take_out(flight, u)?;
            }
        }
        self.line.rough = Some(self.work.numbers.take());
        let mut islands = self.work.numbers.take();
        for group in groups.iter() {
            if self.line.cut[group[0]] {
                self.settle_at(flight, group, 0.0, &mut islands)?;
            }
        }
        self.fly_ahead(flight, &islands)?;
        for group in groups.iter() {
            if !self.line.cut[group[0]] {
                self.look_ahead(flight, group, 0.0)?;
            }
        }
        self.fly_out(flight, &islands, 0.0)?;
        self.work.numbers.give(islands);
        if let Some(rough) = self.line.rough.take() {
            for &u in &rough {
                let islands = [self.islands.of[u]];
                self.fly_out(flight, &islands, 0.0)?;
            }
            self.work.numbers.give(rough);
        }
        let mut met = 0;
        loop {
            self.follow(flight, &mut met)?;
            if !self.laws.decomposed || !self.laws.forced {
                break;
            }
            // What overlaps at the end by the decomposition law is caught.
            self.overlapping_islands(setup, flight.state, &mut groups);
            if groups.is_empty() {
                break;
            }
            self.join_all(flight, groups.iter())?;
        }
        self.islands.groups = groups;
        self.land(flight);
        Ok(())
    }

    /// Sorts the pairs that may meet into those that touch at the start of the step, whose units are merged, and
    /// those that are open; returns the units that touch or rub, to be given back.
    fn look_around(&mut self, flight: &mut Flight) -> Vec<usize> {
        let setup = flight.setup;
        let touch = TOUCH * self.work.size;
        let mut touching = self.work.numbers.take();
        self.line.open.clear();
        self.islands.sets.reset(self.units.all.len());
        for k in 0..self.near.all.len() {
            let n = self.near.all[k];
            if !n.takes_part {
                continue;
            }
            // What meets at the end of a step only need not be measured if it is clear of each other.
            let held = self.line.base.held(n.key).is_some();
            if !n.meets && !held {
                let room = self.start_room(setup, &n);
                if room.width > CLEAR * self.work.size {
                    self.near.all[k].room = room;
                    continue;
                }
            }
            let gap = self.start_gap(setup, &n.pair, n.key);
            self.near.all[k].room = Room::any_way(gap.0 / gap.1);
            flight.info.contact.overlap = flight.info.contact.overlap.max(-gap.0);
            self.judge_overlap(flight, &n.pair, -gap.0);
            if gap.0 <= touch || held {
                touching.extend(sides(&n));
                if let [a, b] = n.sides
                    && a != usize::MAX
                    && b != usize::MAX
                {
                    self.islands.sets.merge(a, b);
                }
            } else if n.meets {
                self.line.open.push(Open { near: k, gap });
            }
        }
        let rubbing = self.islands.rubbing.iter().enumerate();
        touching.extend(rubbing.filter(|(_, rubs)| **rubs).map(|(u, _)| u));
        touching.sort_unstable();
        touching.dedup();
        touching
    }

    /// The step ends: what the last parts of islands did counts, and the clock is at its end.
    fn land(&mut self, flight: &mut Flight) {
        for i in 0..self.islands.all.len() {
            if let Some(end) = self.islands.all[i].at_end.take() {
                self.islands.all[i] = *end;
            }
            let island = &mut self.islands.all[i];
            if island.units.is_empty() || !self.line.cut[island.units[0]] {
                continue;
            }
            island.enter(&mut flight.info, &mut self.told.pushes);
            flight.info.energy_discrete += island.info.energy_discrete;
            self.judge_island(flight, i, self.line.h);
        }
        let Flight { state, info, .. } = flight;
        state.time = self.line.base.time;
        state.time_carry = self.line.base.time_carry;
        state.tick(self.line.h);
        info.time = state.time;
    }

    /// Follows the meetings in their order until there is none to come.
    fn follow(&mut self, flight: &mut Flight, met: &mut u64) -> Result<(), SimulateError> {
        let setup = flight.setup;
        while let Some(next) = self.earliest() {
            *met += 1;
            let n = self.near.all[next.near];
            if *met > MOST_MEETINGS {
                return Err(SimulateError::Impacts {
                    time: self.line.origin + next.time,
                    count: *met as usize,
                    pair: n.pair.names(setup.model),
                });
            }
            let since = self.line.latest(sides(&n));
            let hits = self.line.hits.entry(n.key).or_default();
            if next.time - since <= INSTANT * self.line.h {
                hits.again += 1;
            }
            let stuck = hits.again > MOST_AGAIN;
            if stuck || self.catches(&n) {
                let islands = self.caught_with(&n);
                let beside = self.caught_beside(islands);
                self.join_all(flight, beside.iter().map(|i| &i[..]))?;
                continue;
            }
            match self.group(flight, next.near, next.time)? {
                Cut::At(group) => {
                    self.settle(flight, &group, next.time)?;
                }
                Cut::Earlier(time, near) => {
                    let first = self.near.all[near];
                    let mut islands = self.islands.of_pair(&n).to_vec();
                    islands.extend_from_slice(&self.islands.of_pair(&first));
                    islands.sort_unstable();
                    islands.dedup();
                    let stand = islands.iter().any(|&i| self.islands.all[i].stands());
                    if stand && next.time - time <= SAME * self.line.h {
                        self.join(flight, &islands)?;
                        continue;
                    }
                    self.line.meetings.push(next.time, next.near, n.sides);
                    let sides = first.sides;
                    self.line.meetings.push(time, near, sides);
                }
            }
        }
        Ok(())
    }

    /// Takes the meeting that comes first; the order never depends on anything but times and pairs.
    fn earliest(&mut self) -> Option<Meeting> {
        while let Some(next) = self.line.meetings.heap.pop() {
            let n = &self.near.all[next.near];
            if self.line.meetings.stamps_of(n.sides) == next.stamps {
                return Some(next);
            }
        }
        None
    }

    /// Flies an island from where it was cut last to a time, into `self.line.probe`.
    pub(super) fn fly_island(
        &mut self,
        flight: &mut Flight,
        island: usize,
        time: f64,
    ) -> Result<(), SimulateError> {
        let setup = flight.setup;
        let since = self.line.since[self.islands.first(island)];
        let h = time - since;
        let own = &mut self.islands.all[island];
        own.turn_to(time >= self.line.h);
        if h <= INSTANT * self.line.h || !own.stands() {
            (self.units).copy(
                setup.model,
                &own.units,
                &self.line.base,
                &mut self.line.probe,
            );
            if h <= INSTANT * self.line.h {
                own.note_free(StepInfo {
                    energy_discrete: own.info.energy_discrete,
                    ..StepInfo::default()
                });
            } else {
                self.line.probe.time = self.line.origin + since;
                let probe = &mut self.line.probe;
                let info = (flight.scheme).step_units(setup, probe, h, h, &own.units)?;
                own.note_free(info);
            }
            return Ok(());
        }
        let held = own.holds();
        own.by_rates = false;
        let info = match self.fly_resting(flight, island, h, h) {
            // Its trials led so far away that it could not be flown at all: by rates alone, as in `calm`.
            Err(failed) if !held && !self.stepper.plain => {
                self.islands.all[island].by_rates = true;
                self.stepper.plain = true;
                let flown = self.fly_resting(flight, island, h, h);
                self.stepper.plain = false;
                flown.map_err(|_| failed)?
            }
            flown => flown?,
        };
        self.islands.all[island].note_flown(info, &self.stepper);
        Ok(())
    }

    /// Flies an island with resting contacts for a while into `self.line.probe`, with controls sampled
    /// for a step of size `sampled`.
    pub(super) fn fly_resting(
        &mut self,
        flight: &mut Flight,
        island: usize,
        h: f64,
        sampled: f64,
    ) -> Result<StepInfo, SimulateError> {
        let setup = flight.setup;
        let mut units = self.work.numbers.copy(&self.islands.all[island].units);
        units.sort_unstable();
        let since = self.line.since[units[0]];
        let crowded = self.is_crowded(island);
        self.find_near_gaps(setup, &units, crowded);
        let mut resting = std::mem::take(&mut self.islands.all[island].resting);
        let caught = resting.extract_if(.., |r| r.caught);
        caught.for_each(|r| r.give_back(&mut self.work.points));
        let span = Span {
            scope: Scope {
                units: &self.units,
                which: &units,
            },
            base: &self.line.base,
            time: self.line.origin + since,
            h,
            sampled,
            near: &self.near.gaps,
            press: &self.line.press,
            whole: self.line.h,
        };
        let done = self.stepper.step(
            setup,
            flight.scheme,
            &mut self.work,
            &mut resting,
            &span,
            &mut self.line.probe,
        );
        self.work.numbers.give(units);
        self.islands.all[island].resting = resting;
        done
    }

    /// Takes a unit's share of the free step out of the account, once, and notes what forces did.
    pub(super) fn take_out(
        &mut self,
        flight: &mut Flight,
        unit: usize,
    ) -> Result<(), SimulateError> {
        let setup = flight.setup;
        if self.line.cut[unit] {
            return Ok(());
        }
        self.line.cut[unit] = true;
        self.note_press(setup, flight.state, unit);
        self.fly_island(flight, self.islands.of[unit], self.line.h)?;
        let free = &self.islands.all[self.islands.of[unit]].info;
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
            self.line.press[f] = nu[f];
        }
        self.units
            .velocities(model, metric, &which, &self.line.base, nu);
        for &f in &self.units.all[unit].freedoms {
            self.line.press[f] -= nu[f];
        }
    }

    /// Cuts everything that touches at the time a pair meets and is connected with it: their states
    /// then are in `self.line.base`. If another pair met on the way there, it comes first and nothing is
    /// cut.
    fn group(&mut self, flight: &mut Flight, near: usize, time: f64) -> Result<Cut, SimulateError> {
        let setup = flight.setup;
        let mut islands = self.islands.of_pair(&self.near.all[near]).to_vec();
        let mut done = 0;
        let mut looked: Vec<usize> = Vec::new();
        let touch = TOUCH * self.work.size;
        while done < islands.len() {
            let island = islands[done];
            self.fly_island(flight, island, time)?;
            done += 1;
            for at in 0..self.islands.all[island].units.len() {
                let unit = self.islands.all[island].units[at];
                for k in 0..self.near.of(unit).len() {
                    let n = self.near.all[self.near.of(unit)[k] as usize];
                    if !n.takes_part {
                        continue;
                    }
                    let sides = self.islands.of_pair(&n);
                    let other = sides.iter().copied().find(|i| !islands.contains(i));
                    let Some(other) = other else { continue };
                    if !looked.contains(&other) {
                        self.fly_island(flight, other, time)?;
                        looked.push(other);
                    }
                    let bases = &mut self.work.bases;
                    if gap_in(setup.model, bases, &n.pair, n.key, &self.line.probe) <= touch {
                        islands.push(other);
                    }
                }
            }
        }
        if let Some((t, k)) = self.met_before(flight, &islands, near, time)? {
            return Ok(Cut::Earlier(t, k));
        }
        let mut group: Vec<usize> = Vec::new();
        for &i in &islands {
            group.extend_from_slice(&self.islands.all[i].units);
        }
        for &u in &group {
            self.take_out(flight, u)?;
        }
        self.cut(flight, &islands, time)?;
        group.sort_unstable();
        Ok(Cut::At(group))
    }

    /// Flies islands to a time and lets them stand there, in `self.line.base`.
    pub(super) fn cut(
        &mut self,
        flight: &mut Flight,
        islands: &[usize],
        time: f64,
    ) -> Result<(), SimulateError> {
        let setup = flight.setup;
        for &i in islands {
            if time - self.line.since[self.islands.all[i].units[0]] <= INSTANT * self.line.h {
                continue;
            }
            self.fly_island(flight, i, time)?;
            self.calm(flight, i, time)?;
            self.judge_island(flight, i, time);
            (self.islands.all[i]).enter(&mut flight.info, &mut self.told.pushes);
            let island = &mut self.islands.all[i];
            island.cuts += 1;
            (island.ended, island.at_end) = (false, None);
            self.holding.note_given(&island.resting, &island.impulses);
            let units = &self.islands.all[i].units;
            self.units
                .copy(setup.model, units, &self.line.probe, &mut self.line.base);
            for &u in units {
                self.line.since[u] = time;
                self.line.meetings.forget(u);
            }
        }
        Ok(())
    }
}
