//! Groups of bodies that overlap at the end of a step.

use carom_gap::gap::Basis;
use rayon::prelude::*;

use super::CLEAN;
use crate::contact::{Collider, Key, MassMetric, Pair, Room, Way, body_of, gap_of};
use crate::model::{Law, Model};
use crate::simulate::State;
use crate::simulate::collide::flight::CLEAR;
use crate::simulate::collide::near::NearPair;
use crate::simulate::collide::touching::{gap_in, path};
use crate::simulate::collide::{Collisions, Setup};

/// Overlap that steps of islands may leave, in sizes of the largest body, and what is near it, in
/// overlaps.
const LEFT: f64 = 1e-9;
const LEFT_BUFFER: f64 = 4.0;
/// From this many pairs on they are looked at on all cores.
const PARALLEL_FROM: usize = 256;

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
    /// Its gap at the end of the step, and whether that is an overlap.
    pub gap: f64,
    pub overlapped: bool,
    /// What its sides belong to; `usize::MAX` for what does not move.
    pub sides: [usize; 2],
    /// Where it is in the list of all pairs.
    candidate: usize,
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
    fn note_moved(&mut self, model: &Model, metric: &MassMetric) {
        let trees = metric.tree_count();
        for &o in &self.owners {
            if o >= trees {
                let l = &model.linkages()[o - trees];
                let first = model.tree_freedom + l.first;
                self.freedoms.extend(first..first + l.freedom());
            }
            let (joints, bodies) = metric.tree(o);
            for &j in joints {
                let first = model.offsets[j];
                self.freedoms.extend(first..first + model.joint_freedom(j));
            }
            self.bodies.extend_from_slice(bodies);
        }
    }
}

/// Pairs that may overlap and what groups are made of them with, in storage that is used again.
#[derive(Debug, Default)]
pub(in crate::simulate::collide) struct Overlaps {
    found: Vec<Candidate>,
    /// How many of the pairs near each other were looked through for them, and bodies that groups move.
    looked: usize,
    moved: Vec<bool>,
    /// How each body came in the step, and how far its points are from its origin.
    ways: Vec<Way>,
    reaches: Vec<f64>,
    /// Of each pair what its sides belong to, and whether it belongs to a group.
    sides: Vec<[usize; 2]>,
    near: Vec<bool>,
    /// Overlap of each set of owners, and the place of its group.
    overlap: Vec<f64>,
    place: Vec<usize>,
    /// Sides of pairs that joined last.
    joined: Vec<[usize; 2]>,
    /// The groups, and others that are not in use.
    pub(super) groups: Vec<Group>,
    idle: Vec<Group>,
}

/// Makes a list one of so many of the same.
fn fill<T: Clone>(list: &mut Vec<T>, count: usize, value: T) {
    list.clear();
    list.resize(count, value);
}

/// A pair that may overlap.
#[derive(Debug)]
struct Candidate {
    /// Its gap, or less while it is not measured where it is.
    gap: f64,
    measured: bool,
    /// Whether it is to be measured.
    asked: bool,
    /// The room between its sides at the start of the step.
    room: Room,
    pair: Pair,
    key: Key,
    potential_term: bool,
    /// What is within this part of a group's overlap belongs to the group.
    buffer: f64,
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
        }
    }
}

impl Collisions {
    /// Groups of bodies that overlap by what steps of islands left, with what is near them.
    pub(super) fn find_left_groups(&mut self, setup: &Setup, state: &State) {
        let found = &mut self.overlaps.found;
        found.clear();
        let near = self.near.all.iter().filter(|n| n.takes_part);
        found.extend(near.map(|n| Candidate::new(n, Room::UNKNOWN, false, LEFT_BUFFER)));
        self.find_groups_of(setup, state, LEFT, Reach::Whole);
        let groups = self.overlaps.groups.iter_mut();
        groups.for_each(|g| g.thorough = true);
    }

    /// Groups of bodies that overlap by the decomposition law, with what is near them. `again` adds the pairs
    /// that came to be near to those of the last time.
    pub(super) fn find_groups(&mut self, setup: &Setup, state: &State, again: bool) {
        let Overlaps { found, looked, .. } = &mut self.overlaps;
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
            } = setup.law(&self.work.detector.surface(&n.pair))
                && !self.resting_keys.contains(&n.key)
            {
                found.push(Candidate::new(n, n.room, potential_term, buffer));
            }
        }
        self.note_ways(setup, state, again);
        self.find_groups_of(setup, state, CLEAN, Reach::Beside);
    }

    /// Notes how bodies came in the step, `again` of those that groups moved.
    fn note_ways(&mut self, setup: &Setup, state: &State, again: bool) {
        let Overlaps {
            moved,
            ways,
            reaches,
            ..
        } = &mut self.overlaps;
        let bodies = setup.model.bodies();
        if reaches.len() != bodies.len() {
            reaches.clear();
            reaches.extend(bodies.iter().map(|b| b.reach()));
        }
        ways.resize(bodies.len(), Way::default());
        for (b, way) in ways.iter_mut().enumerate() {
            if !again || moved[b] {
                *way = Way::between(&self.near.start[b], &state.poses[b], reaches[b]);
            }
        }
    }

    /// Notes that groups are about to be moved: their pairs, and those beside them, are to be measured again.
    pub(super) fn note_moving(&mut self, setup: &Setup, groups: &[Group]) {
        let Overlaps { found, moved, .. } = &mut self.overlaps;
        fill(moved, setup.model.bodies().len(), false);
        let bodies = groups.iter().flat_map(|g| &g.bodies);
        bodies.for_each(|&b| moved[b] = true);
        let moves = |c: &Collider| body_of(c).is_some_and(|b| moved[b.index()]);
        for c in found {
            c.measured &= match &c.pair {
                Pair::Bodies(a, b) => !moves(a) && !moves(b),
                _ => false,
            };
        }
    }

    /// Takes over what is known of the pairs of a group where they are now.
    pub(super) fn note_seen(&mut self, setup: &Setup, state: &State, group: &Group) {
        for (m, seen) in group.pairs.iter().zip(&self.search.seen) {
            if let Some(gap) = seen.gap_at(setup.model, &m.pair, state) {
                let c = &mut self.overlaps.found[m.candidate];
                (c.gap, c.measured) = (gap, true);
            }
        }
    }

    /// Sorts pairs that overlap by more than a part of the largest body into groups.
    fn find_groups_of(&mut self, setup: &Setup, state: &State, clean: f64, reach: Reach) {
        self.measure(setup, state);
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
        } = &mut self.overlaps;
        idle.append(groups);
        let clean = -clean * self.work.size;
        let overlaps = |c: &Candidate| c.gap < clean;
        if !found.iter().any(overlaps) {
            return;
        }
        let metric = &self.work.metric;
        let count = metric.owner_count(setup.model);
        self.sets.reset(count);
        sides.clear();
        let owners = found
            .iter()
            .map(|c| metric.pair_owners(setup.model, &c.pair));
        sides.extend(owners);
        let moves = |o: &&usize| **o != usize::MAX;
        for (c, [a, b]) in found.iter().zip(&*sides) {
            if overlaps(c) && *a != usize::MAX && *b != usize::MAX {
                self.sets.merge(*a, *b);
            }
        }
        // Overlap of each group, then what is within the buffer of it.
        fill(overlap, count, 0.0_f64);
        for (c, sides) in found.iter().zip(&*sides) {
            if overlaps(c) {
                for o in sides.iter().filter(moves) {
                    let root = self.sets.root(*o);
                    overlap[root] = overlap[root].max(-c.gap);
                }
            }
        }
        fill(near, found.len(), false);
        loop {
            joined.clear();
            for (k, (c, sides)) in found.iter().zip(&*sides).enumerate() {
                if near[k] {
                    continue;
                }
                for o in sides.iter().filter(moves) {
                    let root = self.sets.root(*o);
                    near[k] |= overlap[root] > 0.0 && c.gap <= c.buffer * overlap[root];
                }
                if near[k] && sides.iter().all(|o| moves(&o)) {
                    joined.push(*sides);
                }
            }
            for &[a, b] in &*joined {
                let deepest = [a, b].map(|o| overlap[self.sets.root(o)]);
                self.sets.merge(a, b);
                overlap[self.sets.root(a)] = deepest[0].max(deepest[1]);
            }
            if joined.is_empty() || reach == Reach::Beside {
                break;
            }
        }
        fill(place, count, usize::MAX);
        for (k, c) in found.iter().enumerate() {
            if !near[k] {
                continue;
            }
            let Some(first) = sides[k].iter().find(moves) else {
                continue;
            };
            let root = self.sets.root(*first);
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
                gap: c.gap,
                overlapped: overlaps(c),
                sides: sides[k],
                candidate: k,
            });
            group.potential_term |= c.potential_term;
            group.overlap = group.overlap.max(-c.gap);
            group.owners.extend(sides[k].iter().filter(moves));
        }
        for group in groups {
            group.owners.sort_unstable();
            group.owners.dedup();
            group.note_moved(setup.model, metric);
        }
    }

    /// Gaps of the pairs that are not known, but for those that are so far apart that they belong to no group.
    fn measure(&mut self, setup: &Setup, state: &State) {
        let Overlaps { found, ways, .. } = &mut self.overlaps;
        let still = Way::default();
        let way = |c: &Collider| body_of(c).map_or(&still, |b| &ways[b.index()]);
        let clear = CLEAR * self.work.size;
        for c in found.iter_mut().filter(|c| !c.measured) {
            c.gap = match &c.pair {
                Pair::Bodies(a, b) if c.room.width > 0.0 => c.room.after([way(a), way(b)]),
                _ => f64::NEG_INFINITY,
            };
            // Written so that what is not a number is measured.
            let far = c.gap > clear;
            c.asked = !far;
        }
        self.measure_asked(setup, state);
        // The gap along any direction is no less than the distance.
        let found = &mut self.overlaps.found;
        let measured = found.iter().filter(|c| c.measured);
        let deepest = measured.map(|c| -c.gap).fold(0.0, f64::max);
        for c in found.iter_mut() {
            c.asked = !c.measured && c.gap <= clear + c.buffer * deepest;
        }
        self.measure_asked(setup, state);
    }

    /// Gaps of the pairs that are asked for, of many on all cores: each is a query of its own, so that their
    /// number does not change the results.
    fn measure_asked(&mut self, setup: &Setup, state: &State) {
        let found = &mut self.overlaps.found;
        let unknown = found.iter().filter(|c| c.asked).count();
        if unknown < PARALLEL_FROM || rayon::current_num_threads() == 1 {
            for c in found.iter_mut().filter(|c| c.asked) {
                (c.measured, c.asked) = (true, false);
                c.gap = gap_in(setup.model, &mut self.work.detector, &c.pair, c.key, state);
            }
            return;
        }
        let detector = &self.work.detector;
        let gaps: Vec<(f64, Option<Basis>)> = found
            .par_iter()
            .with_min_len(64)
            .map(|c| {
                if !c.asked {
                    return (c.gap, None);
                }
                let mut warm = detector.basis(c.key);
                let gap = gap_of(setup.model, &c.pair, &path(state), &mut warm);
                (gap, warm)
            })
            .collect();
        for (c, (gap, warm)) in found.iter_mut().zip(gaps) {
            c.gap = gap;
            c.measured |= c.asked;
            c.asked = false;
            self.work.detector.remember(c.key, warm);
        }
    }
}
