//! Islands: units tied together by contacts that rest or hold.

use std::collections::HashSet;

use super::groups::{Groups, Sides};
use super::island::IslandStepper;
use super::near::{NearPair, sides};
use super::resting::{RestInfo, Resting};
use super::spare::Spare;
use crate::contact::{ContactPoint, Key, Outcome, Pair, Stake};
use crate::mechanics::Parts;
use crate::model::{JointLaw, Model};
use crate::sets::Sets;
use crate::simulate::state::PointImpulse;
use crate::simulate::{PairImpulse, StepInfo};

/// Units tied together by contacts that rest or hold; they fly as one.
#[derive(Clone, Debug, Default)]
pub(super) struct Island {
    pub units: Vec<usize>,
    pub resting: Vec<Resting>,
    /// Whether what comes to touch within it is caught, though nothing rests yet.
    pub catching: bool,
    /// Whether dry friction acts in its joints.
    pub rubs: bool,
    /// Cuts of it in this step.
    pub cuts: u32,
    /// E_d and so on of its last part of the step.
    pub info: StepInfo,
    /// What its resting contacts did in it, the impulses of their points, and the energy it cost.
    pub rest_info: Vec<RestInfo>,
    pub pushes: Vec<PairImpulse>,
    pub impulses: Vec<PointImpulse>,
    pub rest_energy: f64,
    pub at_stake: Stake,
    /// Energy its contacts gained, as a part of what it had and forces brought.
    pub gain: f64,
    /// Whether its last flight was made by rates alone, since it failed otherwise.
    pub by_rates: bool,
    pub outcome: Outcome,
    /// Overlap its last part left.
    pub overlap: (f64, Option<Pair>),
    /// Whether its last flight led to the end of the step, and what it was there if it was looked at
    /// on its way again.
    pub ended: bool,
    pub at_end: Option<Box<Island>>,
    /// Whether it was flown to the end of the step ahead of its turn.
    pub ahead: bool,
}

/// All islands of a step.
#[derive(Debug, Default)]
pub(super) struct Islands {
    /// Each under the number of one of its units; those of the others are empty.
    pub all: Vec<Island>,
    /// The island of each unit.
    pub of: Vec<usize>,
    /// Units with dry friction in their joints.
    pub rubbing: Vec<bool>,
    /// Pairs that rest or hold in the present step, and those of the islands being made, with a unit of each.
    pub resting_keys: HashSet<Key>,
    pub rests: Vec<(usize, Resting)>,
    /// What belongs together, and groups of units or islands.
    pub sets: Sets,
    pub groups: Groups,
}

impl Island {
    /// Nothing is in it or known of it any more; its lists are kept.
    pub fn clear(&mut self, spare: &mut Spare<ContactPoint>) {
        self.clear_resting(spare);
        let mut old = std::mem::take(self);
        old.units.clear();
        old.rest_info.clear();
        old.pushes.clear();
        old.impulses.clear();
        *self = Self {
            units: old.units,
            resting: old.resting,
            rest_info: old.rest_info,
            pushes: old.pushes,
            impulses: old.impulses,
            ..Self::default()
        };
    }

    /// Nothing rests in it any more.
    pub fn clear_resting(&mut self, spare: &mut Spare<ContactPoint>) {
        self.resting.drain(..).for_each(|r| r.give_back(spare));
    }

    /// Whether its contacts are part of its steps.
    pub fn stands(&self) -> bool {
        self.catching || self.rubs || !self.resting.is_empty()
    }

    /// Whether one of its contacts is held.
    pub fn holds(&self) -> bool {
        self.resting.iter().any(|r| r.held)
    }

    /// Notes that it is about to be flown, to the end of the step or not: what it was at the end is
    /// kept when it is only looked at on its way.
    pub fn turn_to(&mut self, end: bool) {
        if self.ended && !end && self.stands() {
            self.at_end = Some(Box::new(self.clone()));
        }
        if end {
            self.at_end = None;
        }
        self.ended = end;
    }

    /// Notes a flight without contacts that are part of it.
    pub fn note_free(&mut self, info: StepInfo) {
        self.info = info;
        self.rest_energy = 0.0;
        self.at_stake = Stake::default();
        self.pushes.clear();
    }

    /// Notes a flight with its contacts.
    pub fn note_flown(&mut self, info: StepInfo, by: &IslandStepper) {
        self.info = info;
        self.rest_energy = by.energy;
        self.at_stake = by.at_stake;
        self.gain = by.gain;
        self.rest_info.clone_from(&by.info);
        self.pushes.clone_from(&by.pushes);
        self.impulses.clone_from(&by.impulses);
        self.outcome = by.outcome;
        self.overlap = by.overlap;
    }

    /// Enters what it did in the part of the step just flown.
    pub fn enter(&mut self, info: &mut StepInfo, pushes: &mut Vec<PairImpulse>) {
        pushes.append(&mut self.pushes);
        info.add_forces(&self.info, 1.0);
        info.iterations += self.info.iterations;
        info.momentum_residual = info.momentum_residual.max(self.info.momentum_residual);
        info.contact.energy += self.rest_energy;
        info.contact.at_stake += self.at_stake;
    }
}

impl Islands {
    /// Of a model that consists of some units.
    pub fn new(model: &Model, units: &Parts) -> Self {
        let dry = |l: &&JointLaw| l.physics.friction > 0.0;
        let dry: Vec<usize> = (model.joint_laws().iter().filter(dry))
            .map(|l| l.freedom)
            .collect();
        let units = units.all.iter();
        let rubbing = units.map(|u| dry.iter().any(|f| u.freedoms.contains(f)));
        Self {
            rubbing: rubbing.collect(),
            ..Self::default()
        }
    }

    /// Every unit is an island of its own, until contacts tie some together.
    pub fn begin(&mut self, spare: &mut Spare<ContactPoint>) {
        let count = self.rubbing.len();
        self.resting_keys.clear();
        self.all.resize_with(count, Island::default);
        self.of.clear();
        self.of.extend(0..count);
        for (u, island) in self.all.iter_mut().enumerate() {
            island.clear(spare);
            island.units.push(u);
        }
    }

    /// The contact of a pair that holds as a joint.
    pub fn held(&self, key: Key) -> Option<&Resting> {
        let mut resting = self.all.iter().flat_map(|i| &i.resting);
        resting.find(|r| r.held && r.key == key)
    }

    /// Islands of the two sides of a pair.
    pub fn of_pair(&self, n: &NearPair) -> Sides {
        Sides::new(sides(n).map(|u| self.of[u]))
    }

    /// The first unit of an island: all of them were cut when it was.
    pub fn first(&self, island: usize) -> usize {
        self.all[island].units[0]
    }

    /// New islands of a group's units by the sets they belong to and the contacts in `rests`, into `out`; the old ones
    /// are empty from now on.
    pub fn renew(
        &mut self,
        group: &[usize],
        catching: bool,
        spare: &mut Spare<ContactPoint>,
        out: &mut Vec<usize>,
    ) {
        let mut most = 0;
        for &u in group {
            let old = &mut self.all[self.of[u]];
            most = most.max(old.cuts);
            old.units.clear();
            old.clear_resting(spare);
            old.impulses.clear();
            (old.rubs, old.ahead) = (false, false);
            (old.ended, old.at_end) = (false, None);
        }
        for &u in group {
            let root = self.sets.root(u);
            // The root is a unit of the group; its own number names the island.
            self.of[u] = root;
            let island = &mut self.all[root];
            island.units.push(u);
            island.cuts = most;
            island.catching = catching;
            island.rubs |= self.rubbing[u];
            if island.units.len() == 1 {
                out.push(root);
            }
        }
        for (u, rest) in self.rests.drain(..) {
            self.all[self.of[u]].resting.push(rest);
        }
    }
}
