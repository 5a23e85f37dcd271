//! Islands that are not cut: what meets them within the step joins them and is caught at its end.

use std::collections::HashSet;

use smallvec::SmallVec;

use super::groups::Groups;
use super::island::NearGap;
use super::meetings::Meeting;
use super::near::sides;
use super::touching::gap_in;
use super::*;

/// An island of resting contacts with more degrees of freedom than this is not cut, and a smaller
/// one not more often than that in a step.
const CUT_FREEDOMS: usize = 12;
const CUT_TIMES: u32 = 2;

impl Collisions {
    /// Whether an island is not cut any more: it has resting contacts, and either more degrees of
    /// freedom than are cut together or as many cuts in this step as an island gets.
    pub(super) fn is_crowded(&self, island: usize) -> bool {
        let i = &self.islands.all[island];
        let freedoms = || -> usize {
            let units = i.units.iter();
            units.map(|&u| self.units.all[u].freedoms.len()).sum()
        };
        i.catching || i.stands() && (i.cuts >= CUT_TIMES || freedoms() > CUT_FREEDOMS)
    }

    /// Whether a pair that comes to touch is caught at the end of the step.
    pub(super) fn catches(&self, n: &near::NearPair) -> bool {
        let rests = |i: usize| self.islands.all[i].stands();
        sides(n).any(|u| {
            let i = self.islands.of[u];
            self.is_crowded(i) || (!n.meets && rests(i))
        })
    }

    /// Islands of a pair that is caught, and of all pairs to come that one of them catches: they are
    /// flown once for all of them.
    pub(super) fn caught_with(&self, n: &near::NearPair) -> Vec<usize> {
        let mut islands = self.islands.of_pair(n).to_vec();
        let since = |i: usize| self.line.since[self.islands.first(i)];
        let time = (self.line).latest(islands.iter().map(|&i| self.islands.first(i)));
        loop {
            let known = islands.len();
            for meeting in &self.line.meetings.heap {
                let other = &self.near.all[meeting.near];
                let valid = self.line.meetings.stamps_of(other.sides) == meeting.stamps;
                if !valid || !self.catches(other) {
                    continue;
                }
                let of = self.islands.of_pair(other);
                if of.iter().any(|i| islands.contains(i)) && of.iter().all(|&i| since(i) <= time) {
                    islands.extend_from_slice(&of);
                    islands.sort_unstable();
                    islands.dedup();
                }
            }
            if islands.len() == known {
                return islands;
            }
        }
    }

    /// Islands that are caught with what comes first, and those of pairs to come that are caught beside them: they
    /// share none, so that they can fly beside each other. What is to be cut comes before all that meets later.
    pub(super) fn caught_beside(&self, first: Vec<usize>) -> Vec<Vec<usize>> {
        let meetings = &self.line.meetings;
        let valid = |m: &&Meeting| meetings.stamps_of(self.near.all[m.near].sides) == m.stamps;
        let mut others: Vec<&Meeting> = meetings.heap.iter().filter(valid).collect();
        others.sort_by(|a, b| b.cmp(a));
        let mut taken: HashSet<usize> = first.iter().copied().collect();
        let mut all = vec![first];
        for m in others {
            let n = &self.near.all[m.near];
            if !self.catches(n) {
                break;
            }
            if self.islands.of_pair(n).iter().any(|i| taken.contains(i)) {
                continue;
            }
            let islands = self.caught_with(n);
            if islands.iter().all(|i| !taken.contains(i)) {
                taken.extend(&islands);
                all.push(islands);
            }
        }
        all
    }

    /// Lists the pairs within some units that are caught if they come to touch, with their gaps at the start:
    /// those that rest, and all where nothing is cut.
    pub(super) fn find_near_gaps(&mut self, setup: &Setup, units: &[usize], crowded: bool) {
        self.near.gaps.clear();
        let pairs = self.pairs_within(units);
        for &k in &pairs {
            let n = self.near.all[k];
            if !crowded && n.meets && !self.islands.resting_keys.contains(&n.key) {
                continue;
            }
            let (gap, steepness) = self.start_gap(setup, &n.pair, n.key);
            self.near.gaps.push(NearGap {
                pair: n.pair,
                key: n.key,
                gap,
                apart: gap / steepness,
            });
        }
        self.work.numbers.give(pairs);
    }

    /// Islands with pairs that overlap at the end of the step by the decomposition law, group by
    /// group.
    pub(super) fn overlapping_islands(
        &mut self,
        setup: &Setup,
        state: &State,
        groups: &mut Groups,
    ) {
        let clean = -SKIN * self.work.size;
        let mut found = self.work.numbers.take();
        self.islands.sets.reset(self.units.all.len());
        for k in 0..self.near.all.len() {
            let n = self.near.all[k];
            if n.meets || !n.takes_part {
                continue;
            }
            let islands = self.islands.of_pair(&n);
            // What stands has looked after its own pairs.
            if let [i] = islands[..]
                && self.islands.all[i].stands()
            {
                continue;
            }
            let bases = &mut self.work.bases;
            if gap_in(setup.model, bases, &n.pair, n.key, state) < clean {
                found.extend_from_slice(&islands);
                if let [a, b] = islands[..] {
                    self.islands.sets.merge(a, b);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        groups.split(&mut self.islands.sets, &found);
        self.work.numbers.give(found);
    }

    /// Lets pairs of some islands that come to touch be caught: they become one from the latest of
    /// their last cuts on, which flies to the end of the step.
    pub(super) fn join(
        &mut self,
        flight: &mut Flight,
        islands: &[usize],
    ) -> Result<(), SimulateError> {
        self.join_all(flight, [islands].into_iter())
    }

    /// The same of several lists of islands that share none.
    pub(super) fn join_all<'a>(
        &mut self,
        flight: &mut Flight,
        all: impl Iterator<Item = &'a [usize]>,
    ) -> Result<(), SimulateError> {
        let mut joined = self.work.numbers.take();
        let mut times = SmallVec::<[f64; 8]>::new();
        for islands in all {
            times.push(self.tie_together(flight, islands, &mut joined)?);
        }
        self.fly_ahead(flight, &joined)?;
        for (&island, &time) in joined.iter().zip(&times) {
            self.fly_out(flight, &[island], time)?;
        }
        self.work.numbers.give(joined);
        Ok(())
    }

    /// Lets islands become one, which is added to a list; from when on.
    pub(super) fn tie_together(
        &mut self,
        flight: &mut Flight,
        islands: &[usize],
        joined: &mut Vec<usize>,
    ) -> Result<f64, SimulateError> {
        let time = (self.line).latest(islands.iter().map(|&i| self.islands.first(i)));
        let mut group = self.work.numbers.take();
        for &i in islands {
            group.extend_from_slice(&self.islands.all[i].units);
        }
        for &u in &group {
            self.take_out(flight, u)?;
        }
        self.cut(flight, islands, time)?;
        group.sort_unstable();
        flight.info.contact.caught += 1;
        self.islands.sets.reset(self.units.all.len());
        group
            .iter()
            .for_each(|&u| self.islands.sets.merge(group[0], u));
        self.islands.rests.clear();
        for &i in islands {
            let unit = self.islands.all[i].units[0];
            let resting = self.islands.all[i].resting.drain(..);
            self.islands.rests.extend(resting.map(|r| (unit, r)));
        }
        self.renew(&group, true, joined);
        self.work.numbers.give(group);
        Ok(time)
    }
}
