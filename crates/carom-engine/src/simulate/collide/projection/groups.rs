//! Groups of bodies that overlap at the end of a step.

use super::CLEAN;
use crate::contact::{Key, MassMetric, Pair, Room, Way};
use crate::model::Law;
use crate::simulate::State;
use crate::simulate::collide::islands::Island;
use crate::simulate::collide::near::NearPair;
use crate::simulate::collide::{Collisions, Setup};

/// Overlap that steps of islands may leave, in sizes of the largest body, and what is near it, in
/// overlaps.
const LEFT: f64 = 1e-9;
const LEFT_BUFFER: f64 = 4.0;
/// A group of pairs and what they move.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// Pairs.
    pub pairs: Vec<Member>,
    /// Trees and linkages they move, with the bodies and degrees of freedom of these.
    pub owners: Vec<usize>,
    pub bodies: Vec<usize>,
    pub freedoms: Vec<usize>,
    /// Whether potential energy counts.
    pub potential_term: bool,
    /// The deepest overlap at the end of the step.
    pub overlap: f64,
    /// Whether it is solved to the end instead of swept.
    pub thorough: bool,
}

/// A pair of a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub pair: Pair,
    pub key: Key,
    /// Its gap at the end of the step if it was measured, and whether that is an overlap.
    pub gap: Option<f64>,
    pub overlapped: bool,
    /// The room between its sides at the start of the step.
    pub room: Room,
    /// What its sides belong to; `usize::MAX` for what does not move.
    pub sides: [usize; 2],
    /// Where it is in the list of all pairs.
    pub candidate: usize,
    /// Whether it holds as a joint, which it goes on to do.
    pub held: bool,
}

/// What belongs to a group besides the pairs that overlap.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// Pairs near them.
    Beside,
    /// Those, the pairs near these, and so on: what is pushed pushes on.
    Whole,
}

impl Group {
    /// Nothing is in it any more; its lists are kept.
    fn clear(&mut self) {
        let mut old = std::mem::take(self);
        old.pairs.clear();
        old.owners.clear();
        old.bodies.clear();
        old.freedoms.clear();
        *self = Self {
            pairs: old.pairs,
            owners: old.owners,
            bodies: old.bodies,
            freedoms: old.freedoms,
            ..Self::default()
        };
    }

    /// Notes bodies and degrees of freedom of what it moves.
    fn note_moved(&mut self, metric: &MassMetric) {
        for part in self.owners.iter().map(|&o| &metric.parts().all[o]) {
            self.freedoms.extend_from_slice(&part.freedoms);
            self.bodies.extend_from_slice(&part.bodies);
        }
    }
}

/// Pairs that may overlap and what groups are made of them with, in storage that is used again.
#[derive(Debug, Default)]
pub(in crate::simulate::collide) struct Overlaps {
    pub(super) found: Vec<Candidate>,
    /// How many of the pairs near each other were looked through for them, and bodies that groups move.
    looked: usize,
    pub(super) moved: Vec<bool>,
    /// How each body came in the step, and how far its points are from its origin.
    pub(super) ways: Vec<Way>,
    pub(super) reaches: Vec<f64>,
    /// Of each pair what its sides belong to, and whether it belongs to a group.
    pub(super) sides: Vec<[usize; 2]>,
    near: Vec<bool>,
    /// Overlap of each set of owners, and the place of its group.
    pub(super) overlap: Vec<f64>,
    place: Vec<usize>,
    /// Sides of pairs that joined last.
    joined: Vec<[usize; 2]>,
    /// The groups, and others that are not in use.
    pub(super) groups: Vec<Group>,
    idle: Vec<Group>,
}

impl Overlaps {
    /// There are no groups any more.
    fn put_away(&mut self) {
        self.idle.append(&mut self.groups);
    }
}

/// Makes a list one of so many of the same.
pub(super) fn fill<T: Clone>(list: &mut Vec<T>, count: usize, value: T) {
    list.clear();
    list.resize(count, value);
}

/// A pair that may overlap.
#[derive(Debug)]
pub(super) struct Candidate {
    /// Its gap, or less while it is not measured where it is.
    pub gap: f64,
    pub measured: bool,
    /// Whether it is to be measured.
    pub asked: bool,
    /// The room between its sides at the start of the step.
    pub room: Room,
    pub pair: Pair,
    pub key: Key,
    potential_term: bool,
    /// What is within this part of a group's overlap belongs to the group.
    pub buffer: f64,
    /// Whether it was pushed apart in this step: while it touches, its sides are moved together.
    pushed: bool,
    /// Whether it holds as a joint: then its gap is none.
    held: bool,
}

impl Candidate {
    /// A pair that is not measured yet.
    fn new(near: &NearPair, room: Room, potential_term: bool, buffer: f64) -> Self {
        Self {
            gap: 0.0,
            measured: false,
            asked: false,
            room,
            pair: near.pair,
            key: near.key,
            potential_term,
            buffer,
            pushed: false,
            held: false,
        }
    }
}

impl Collisions {
    /// Groups of bodies that overlap by what steps of islands left, with what is near them.
    pub(super) fn find_left_groups(&mut self, setup: &Setup, state: &State) {
        let found = &mut self.projection.overlaps.found;
        found.clear();
        let near = self.near.all.iter().filter(|n| n.takes_part);
        let islands = &self.islands;
        let holds = islands.all.iter().any(Island::holds);
        found.extend(near.map(|n| {
            let held = holds && islands.held(n.key).is_some();
            Candidate {
                measured: held,
                held,
                ..Candidate::new(n, Room::UNKNOWN, false, LEFT_BUFFER)
            }
        }));
        self.find_groups_of(setup, state, LEFT, Reach::Whole);
        let groups = self.projection.overlaps.groups.iter_mut();
        groups.for_each(|g| g.thorough = true);
    }

    /// Groups of bodies that overlap by the decomposition law, with what is near them. `again` adds the pairs
    /// that came to be near to those of the last time.
    pub(super) fn find_groups(&mut self, setup: &Setup, state: &State, again: bool) {
        let Overlaps { found, looked, .. } = &mut self.projection.overlaps;
        if !again {
            found.clear();
            *looked = 0;
        }
        let more = &self.near.all[*looked..];
        *looked = self.near.all.len();
        for n in more {
            if let Law::Decomposition {
                potential_term,
                buffer,
                ..
            } = setup.law(&self.work.surfaces.of(&n.pair))
                && !self.islands.resting_keys.contains(&n.key)
            {
                found.push(Candidate::new(n, n.room, potential_term, buffer));
            }
        }
        self.note_ways(setup, state, again);
        self.find_groups_of(setup, state, CLEAN, Reach::Beside);
    }

    /// Sorts pairs that overlap by more than a part of the largest body into groups.
    fn find_groups_of(&mut self, setup: &Setup, state: &State, clean: f64, reach: Reach) {
        let clean = -clean * self.work.size;
        let overlaps = |c: &Candidate| c.gap < clean;
        self.measure(setup, state);
        self.projection.overlaps.put_away();
        if !self.projection.overlaps.found.iter().any(overlaps) {
            return;
        }
        self.sort_overlapping(setup, clean);
        self.measure_beside(setup, state);
        let Overlaps {
            found,
            sides,
            near,
            overlap,
            place,
            joined,
            groups,
            idle,
            ..
        } = &mut self.projection.overlaps;
        let metric = &self.work.metric;
        let count = metric.parts().all.len();
        let moves = |o: &&usize| **o != usize::MAX;
        fill(near, found.len(), false);
        loop {
            joined.clear();
            for (k, (c, sides)) in found.iter().zip(&*sides).enumerate() {
                if near[k] {
                    continue;
                }
                for o in sides.iter().filter(moves) {
                    let root = self.projection.sets.root(*o);
                    near[k] |= overlap[root] > 0.0 && c.gap <= c.buffer * overlap[root];
                }
                if near[k] && sides.iter().all(|o| moves(&o)) {
                    joined.push(*sides);
                }
            }
            for &[a, b] in &*joined {
                let deepest = [a, b].map(|o| overlap[self.projection.sets.root(o)]);
                self.projection.sets.merge(a, b);
                overlap[self.projection.sets.root(a)] = deepest[0].max(deepest[1]);
            }
            if joined.is_empty() || reach == Reach::Beside {
                break;
            }
        }
        fill(place, count, usize::MAX);
        for (k, c) in found.iter_mut().enumerate() {
            if !near[k] {
                continue;
            }
            c.pushed = true;
            let Some(first) = sides[k].iter().find(moves) else {
                continue;
            };
            let root = self.projection.sets.root(*first);
            if place[root] == usize::MAX {
                place[root] = groups.len();
                let mut group = idle.pop().unwrap_or_default();
                group.clear();
                groups.push(group);
            }
            let group = &mut groups[place[root]];
            group.pairs.push(Member {
                pair: c.pair,
                key: c.key,
                gap: c.measured.then_some(c.gap),
                overlapped: overlaps(c),
                room: c.room,
                sides: sides[k],
                candidate: k,
                held: c.held,
            });
            group.potential_term |= c.potential_term;
            group.overlap = group.overlap.max(-c.gap);
            group.owners.extend(sides[k].iter().filter(moves));
        }
        for group in groups {
            group.owners.sort_unstable();
            group.owners.dedup();
            group.note_moved(metric);
        }
    }

    /// Sorts what pairs that overlap move into sets, each with its deepest overlap.
    fn sort_overlapping(&mut self, setup: &Setup, clean: f64) {
        let Overlaps {
            found,
            sides,
            overlap,
            ..
        } = &mut self.projection.overlaps;
        let metric = &self.work.metric;
        let count = metric.parts().all.len();
        self.projection.sets.reset(count);
        sides.clear();
        let owners = found
            .iter()
            .map(|c| c.pair.parts(setup.model, metric.parts()));
        sides.extend(owners);
        // Groups that push into each other in turns are one.
        let deepest = found.iter().map(|c| -c.gap).fold(0.0, f64::max);
        for (c, &[a, b]) in found.iter().zip(&*sides) {
            let overlaps = c.gap < clean;
            if (overlaps || c.pushed && c.gap <= c.buffer * deepest)
                && a != usize::MAX
                && b != usize::MAX
            {
                self.projection.sets.merge(a, b);
            }
        }
        fill(overlap, count, 0.0_f64);
        for (c, sides) in found.iter().zip(&*sides).filter(|(c, _)| c.gap < clean) {
            for o in sides.iter().filter(|o| **o != usize::MAX) {
                let root = self.projection.sets.root(*o);
                overlap[root] = overlap[root].max(-c.gap);
            }
        }
    }
}
