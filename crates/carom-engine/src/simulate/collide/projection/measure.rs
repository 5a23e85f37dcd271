//! Gaps of the pairs that may overlap at the end of a step: of as few as groups can be told by.

use carom_gap::gap::Basis;
use rayon::prelude::*;

use super::groups::{Group, Overlaps, fill};
use crate::contact::{Collider, Pair, Way, body_of, gap_of};
use crate::simulate::State;
use crate::simulate::collide::flight::CLEAR;
use crate::simulate::collide::touching::{gap_in, path};
use crate::simulate::collide::{Collisions, Setup};

/// From this many pairs on they are looked at on all cores.
const PARALLEL_FROM: usize = 256;

impl Collisions {
    /// Notes how bodies came in the step, `again` of those that groups moved.
    pub(super) fn note_ways(&mut self, setup: &Setup, state: &State, again: bool) {
        let Overlaps {
            moved,
            ways,
            reaches,
            ..
        } = &mut self.projection.overlaps;
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
        let Overlaps { found, moved, .. } = &mut self.projection.overlaps;
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
    pub(super) fn note_seen(&mut self, state: &State, group: &Group) {
        for (m, seen) in group.pairs.iter().zip(&self.projection.search.seen) {
            if let Some(gap) = seen.gap_at(&m.pair, state) {
                let c = &mut self.projection.overlaps.found[m.candidate];
                (c.gap, c.measured) = (gap, true);
            }
        }
    }

    /// Gaps of the pairs that may be in the buffer of a set, but for those within one: these belong to it anyhow.
    pub(super) fn measure_beside(&mut self, setup: &Setup, state: &State) {
        let Overlaps {
            found,
            sides,
            overlap,
            ..
        } = &mut self.projection.overlaps;
        let clear = CLEAR * self.work.size;
        for (c, &[a, b]) in found.iter_mut().zip(&*sides) {
            if c.measured {
                continue;
            }
            let [x, y] = [a, b].map(|o| {
                if o == usize::MAX {
                    o
                } else {
                    self.projection.sets.root(o)
                }
            });
            let deepest = [x, y].into_iter().filter(|o| *o != usize::MAX);
            let deepest = deepest.map(|o| overlap[o]).fold(0.0, f64::max);
            c.asked = x != y && c.gap <= clear + c.buffer * deepest;
        }
        self.measure_asked(setup, state);
    }

    /// Gaps of the pairs that are not known, but for those that are certainly apart.
    pub(super) fn measure(&mut self, setup: &Setup, state: &State) {
        let Overlaps { found, ways, .. } = &mut self.projection.overlaps;
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
    }

    /// Gaps of the pairs that are asked for, of many on all cores: each is a query of its own, so that their
    /// number does not change the results.
    fn measure_asked(&mut self, setup: &Setup, state: &State) {
        let found = &mut self.projection.overlaps.found;
        let unknown = found.iter().filter(|c| c.asked).count();
        if unknown < PARALLEL_FROM || rayon::current_num_threads() == 1 {
            for c in found.iter_mut().filter(|c| c.asked) {
                (c.measured, c.asked) = (true, false);
                c.gap = gap_in(setup.model, &mut self.work.bases, &c.pair, c.key, state);
            }
            return;
        }
        let bases = &self.work.bases;
        let gaps: Vec<(f64, Option<Basis>)> = found
            .par_iter()
            .with_min_len(64)
            .map(|c| {
                if !c.asked {
                    return (c.gap, None);
                }
                let mut warm = bases.of(c.key);
                let gap = gap_of(setup.model, &c.pair, &path(state), &mut warm);
                (gap, warm)
            })
            .collect();
        for (c, (gap, warm)) in found.iter_mut().zip(gaps) {
            c.gap = gap;
            c.measured |= c.asked;
            c.asked = false;
            self.work.bases.remember(c.key, warm);
        }
    }
}
