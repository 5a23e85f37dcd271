//! Groups of bodies that overlap at the end of a step.

use carom_gap::gap::Basis;
use rayon::prelude::*;

use super::CLEAN;
use crate::contact::{Key, Pair, gap_of};
use crate::model::Law;
use crate::simulate::State;
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
#[derive(Default)]
pub(super) struct Group {
    /// Pairs, and whether they overlapped.
    pub pairs: Vec<(Pair, Key, bool)>,
    /// Trees and linkages they move.
    pub owners: Vec<usize>,
    /// Whether potential energy counts.
    pub potential_term: bool,
    /// The deepest overlap at the end of the step.
    pub overlap: f64,
    /// Whether it is solved to the end instead of swept.
    pub thorough: bool,
}

/// What belongs to a group besides the pairs that overlap.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// Pairs near them.
    Beside,
    /// Those, the pairs near these, and so on: what is pushed pushes on.
    Whole,
}

/// A pair that may overlap.
struct Candidate {
    gap: f64,
    pair: Pair,
    key: Key,
    potential_term: bool,
    /// What is within this part of a group's overlap belongs to the group.
    buffer: f64,
}

impl Collisions {
    /// Groups of bodies that overlap by what steps of islands left, with what is near them.
    pub(super) fn left_groups(&mut self, setup: &Setup, state: &State) -> Vec<Group> {
        let near = self.near.all.iter().filter(|n| n.takes_part);
        let found = near.map(|n| Candidate {
            gap: 0.0,
            pair: n.pair,
            key: n.key,
            potential_term: false,
            buffer: LEFT_BUFFER,
        });
        let found = found.collect();
        let mut groups = self.grouped(setup, state, found, LEFT, Reach::Whole);
        groups.iter_mut().for_each(|g| g.thorough = true);
        groups
    }

    /// Groups of bodies that overlap by the decomposition law, with what is near them.
    pub(super) fn groups(&mut self, setup: &Setup, state: &State) -> Vec<Group> {
        let mut found: Vec<Candidate> = Vec::new();
        for NearPair { pair, key, .. } in &self.near.all {
            if let Law::Decomposition {
                potential_term,
                buffer,
                ..
            } = setup.law(&self.work.detector.surface(pair))
                && !self.resting_keys.contains(key)
            {
                found.push(Candidate {
                    gap: 0.0,
                    pair: *pair,
                    key: *key,
                    potential_term,
                    buffer,
                });
            }
        }
        self.grouped(setup, state, found, CLEAN, Reach::Beside)
    }

    /// Pairs that overlap by more than a part of the largest body, as groups.
    fn grouped(
        &mut self,
        setup: &Setup,
        state: &State,
        mut found: Vec<Candidate>,
        clean: f64,
        reach: Reach,
    ) -> Vec<Group> {
        self.measure(setup, state, &mut found);
        let clean = -clean * self.work.size;
        let overlaps = |c: &Candidate| c.gap < clean;
        if !found.iter().any(overlaps) {
            return Vec::new();
        }
        let count = self.work.metric.owner_count(setup.model);
        self.sets.reset(count);
        let sides: Vec<[usize; 2]> = found
            .iter()
            .map(|c| self.work.metric.pair_owners(setup.model, &c.pair))
            .collect();
        let moves = |o: &&usize| **o != usize::MAX;
        for (c, [a, b]) in found.iter().zip(&sides) {
            if overlaps(c) && *a != usize::MAX && *b != usize::MAX {
                self.sets.merge(*a, *b);
            }
        }
        // Overlap of each group, then what is within the buffer of it.
        let mut overlap = vec![0.0_f64; count];
        for (c, sides) in found.iter().zip(&sides) {
            if overlaps(c) {
                for o in sides.iter().filter(moves) {
                    let root = self.sets.root(*o);
                    overlap[root] = overlap[root].max(-c.gap);
                }
            }
        }
        let mut near = vec![false; found.len()];
        loop {
            let mut joined: Vec<[usize; 2]> = Vec::new();
            for (k, (c, sides)) in found.iter().zip(&sides).enumerate() {
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
            for &[a, b] in &joined {
                let deepest = [a, b].map(|o| overlap[self.sets.root(o)]);
                self.sets.merge(a, b);
                overlap[self.sets.root(a)] = deepest[0].max(deepest[1]);
            }
            if joined.is_empty() || reach == Reach::Beside {
                break;
            }
        }
        let mut place = vec![usize::MAX; count];
        let mut out: Vec<Group> = Vec::new();
        for (k, c) in found.iter().enumerate() {
            if !near[k] {
                continue;
            }
            let Some(first) = sides[k].iter().find(moves) else {
                continue;
            };
            let root = self.sets.root(*first);
            if place[root] == usize::MAX {
                place[root] = out.len();
                out.push(Group::default());
            }
            let group = &mut out[place[root]];
            group.pairs.push((c.pair, c.key, overlaps(c)));
            group.potential_term |= c.potential_term;
            group.overlap = group.overlap.max(-c.gap);
            group.owners.extend(sides[k].iter().filter(moves));
        }
        for group in &mut out {
            group.owners.sort_unstable();
            group.owners.dedup();
        }
        out
    }

    /// Gaps of many pairs, on all cores: each is a query of its own, so that their number does not
    /// change the results.
    fn measure(&mut self, setup: &Setup, state: &State, found: &mut [Candidate]) {
        if found.len() < PARALLEL_FROM {
            for c in found {
                c.gap = gap_in(setup.model, &mut self.work.detector, &c.pair, c.key, state);
            }
            return;
        }
        let detector = &self.work.detector;
        let gaps: Vec<(f64, Option<Basis>)> = found
            .par_iter()
            .with_min_len(64)
            .map(|c| {
                let mut warm = detector.basis(c.key);
                let gap = gap_of(setup.model, &c.pair, &path(state), &mut warm);
                (gap, warm)
            })
            .collect();
        for (c, (gap, warm)) in found.iter_mut().zip(gaps) {
            c.gap = gap;
            self.work.detector.remember(c.key, warm);
        }
    }

    /// Degrees of freedom of a group.
    pub(super) fn freedoms(&self, setup: &Setup, group: &Group) -> Vec<usize> {
        let model = setup.model;
        let trees = self.work.metric.tree_count();
        let mut out = Vec::new();
        for &o in &group.owners {
            if o >= trees {
                let l = &model.linkages()[o - trees];
                let first = model.tree_freedom + l.first;
                out.extend(first..first + l.freedom());
            }
            for &j in self.work.metric.tree(o).0 {
                let first = model.offsets[j];
                out.extend(first..first + model.joint_freedom(j));
            }
        }
        out
    }

    /// Bodies of a group.
    pub(super) fn bodies(&self, group: &Group) -> Vec<usize> {
        let owners = group.owners.iter();
        owners
            .flat_map(|&o| self.work.metric.tree(o).1.iter().copied())
            .collect()
    }
}
