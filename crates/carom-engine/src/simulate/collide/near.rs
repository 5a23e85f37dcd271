//! Pairs that may meet in a step, and who is near whom.

use super::island::NearGap;
use super::touching::path;
use super::*;
use crate::contact::{Room, gap_between, gap_of, room_between};
use carom_gap::Pose;
use std::collections::HashSet;

/// A pair that may meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPair {
    pub pair: Pair,
    pub key: Key,
    /// Units of its sides; `usize::MAX` for what does not move.
    pub sides: [usize; 2],
    /// Whether it takes part in the flight at all: it may meet exactly, or rest.
    pub takes_part: bool,
    /// Whether the time it meets is found.
    pub meets: bool,
    /// The room between its sides at the start of the step.
    pub room: Room,
}

/// The pairs of a step.
#[derive(Debug, Default)]
pub(super) struct Near {
    pub all: Vec<NearPair>,
    /// Gaps of pairs within the island that flies.
    pub gaps: Vec<NearGap>,
    /// Poses at the start of the step.
    pub start: Vec<Pose>,
    found: Vec<(Pair, Key)>,
    /// How many of them were found first, in the order of their keys, and the keys of those added later.
    first: usize,
    added: HashSet<Key>,
    /// Pairs of each unit: where they start in `of`.
    starts: Vec<usize>,
    of: Vec<u32>,
    /// Where the next pair of each unit goes.
    next: Vec<usize>,
}

impl Near {
    /// Pairs of a unit, as indices.
    pub fn of(&self, unit: usize) -> &[u32] {
        &self.of[self.starts[unit]..self.starts[unit + 1]]
    }

    /// Sorts the pairs by their units.
    fn index(&mut self, units: usize) {
        self.starts.clear();
        self.starts.resize(units + 1, 0);
        for n in &self.all {
            for u in sides(n) {
                self.starts[u + 1] += 1;
            }
        }
        for u in 0..units {
            self.starts[u + 1] += self.starts[u];
        }
        self.of.clear();
        self.of.resize(self.starts[units], 0);
        self.next.clone_from(&self.starts);
        for (k, n) in self.all.iter().enumerate() {
            for u in sides(n) {
                self.of[self.next[u]] = k as u32;
                self.next[u] += 1;
            }
        }
    }
}

/// Units of a pair that move, each once.
pub(super) fn sides(n: &NearPair) -> impl Iterator<Item = usize> + use<> {
    let [a, b] = n.sides;
    let second = (b != a).then_some(b);
    let all = [Some(a), second].into_iter().flatten();
    all.filter(|u| *u != usize::MAX)
}

impl Collisions {
    /// Finds the pairs that may meet on the way from `self.line.base` to `state`.
    pub(super) fn find_near(&mut self, setup: &Setup, state: &State) {
        self.detector.candidates_around(
            setup.model,
            &self.line.base.poses,
            &state.poses,
            TOUCH * self.work.size,
            self.laws.spread,
            &mut self.near.found,
        );
        self.near.start.clone_from(&self.line.base.poses);
        self.near.all.clear();
        self.near.first = 0;
        self.near.added.clear();
        self.list_near(setup, false);
        self.near.first = self.near.all.len();
    }

    /// Finds what some units may meet on ways other than was thought; tells whether that is more.
    pub(super) fn widen_near(&mut self, setup: &Setup, state: &State, group: &[usize]) -> bool {
        let known = self.near.all.len();
        let units = &self.units;
        let bodies = group
            .iter()
            .flat_map(|&u| units.all[u].bodies.iter().copied());
        let wider = self.detector.widen(
            setup.model,
            bodies,
            &self.line.base.poses,
            &state.poses,
            TOUCH * self.work.size,
            &mut self.near.found,
        );
        if wider {
            self.list_near(setup, true);
        }
        self.near.all.len() > known
    }

    /// Adds the pairs that were found and not known.
    fn list_near(&mut self, setup: &Setup, again: bool) {
        // Both what is found and what was found first are in the order of their keys.
        let mut at = 0;
        let listed = self.near.all.len();
        for k in 0..self.near.found.len() {
            let (pair, key) = self.near.found[k];
            let first = &self.near.all[..self.near.first];
            while at < first.len() && first[at].key < key {
                at += 1;
            }
            let known = first.get(at).is_some_and(|n| n.key == key);
            if known || again && !self.near.added.insert(key) {
                continue;
            }
            let law = setup.law(&self.work.surfaces.of(&pair));
            let meets = matches!(law, Law::Exact { .. } | Law::Plastic { .. });
            self.near.all.push(NearPair {
                pair,
                key,
                sides: pair.parts(setup.model, &self.units),
                takes_part: meets || matches!(law, Law::Decomposition { .. }),
                meets,
                room: Room::UNKNOWN,
            });
        }
        if !again || self.near.all.len() > listed {
            self.near.index(self.units.all.len());
        }
    }

    /// The room between the sides of a pair in `self.line.base`, by the plane that separated it last.
    pub(super) fn start_room(&self, setup: &Setup, n: &NearPair) -> Room {
        let Pair::Bodies(a, b) = &n.pair else {
            return Room::UNKNOWN;
        };
        let poses = [a, b].map(|c| c.pose(&self.line.base.poses));
        room_between(setup.model, a, b, poses, self.work.bases.of(n.key))
    }

    /// Gap of a pair and its steepness in `self.line.base`.
    pub(super) fn start_gap(&mut self, setup: &Setup, pair: &Pair, key: Key) -> (f64, f64) {
        let mut warm = self.work.bases.of(key);
        let gap = match pair {
            Pair::Bodies(a, b) => {
                let [pa, pb] = [a, b].map(|c| c.pose(&self.line.base.poses));
                gap_between(setup.model, a, b, pa, pb, &mut warm)
            }
            _ => (
                gap_of(setup.model, pair, &path(&self.line.base), &mut warm),
                1.0,
            ),
        };
        self.work.bases.remember(key, warm);
        gap
    }

    /// Pairs whose sides all belong to some units (sorted), as indices, each once; the list is to be given back.
    pub(super) fn pairs_within(&mut self, group: &[usize]) -> Vec<usize> {
        let mut out = self.work.numbers.take();
        let inside = |u: usize| u == usize::MAX || group.binary_search(&u).is_ok();
        for &u in group {
            for &k in self.near.of(u) {
                let n = &self.near.all[k as usize];
                let first = sides(n).next() == Some(u);
                if n.takes_part && first && n.sides.iter().all(|s| inside(*s)) {
                    out.push(k as usize);
                }
            }
        }
        out.sort_unstable();
        out
    }
}
