//! Decomposition contact response (thesis 3.5): all impacts of a step at its end.
//!
//! Bodies that overlap then form groups. Each group is moved to the closest admissible configuration
//! in the metric of the mass matrix (thesis (3.82)), if wished with regard to potential energy (3.83);
//! momenta are lifted by the rotations this took ((3.89), (3.102)), and jump where bodies approach. What the
//! projection changes is recorded.

mod closest;
mod groups;
mod measure;
mod seen;

use carom_gap::Pose;
use nalgebra::Vector3;

use super::flight::Flight;
use super::touching::Look;
use super::{Collisions, Outcome, Setup};
use crate::mechanics::{Increment, Share, joint_potential, potential};
use crate::model::Model;
use crate::sets::Sets;
use crate::simulate::State;
use closest::Search;
use groups::{Group, Overlaps};

/// Overlap left by the projection, in sizes of the largest body.
const CLEAN: f64 = 1e-12;
/// Gap that counts as touching after it, in the same.
const NEAR: f64 = 1e-9;
/// Rounds of projections: what one moves may overlap something else.
const MOST_ROUNDS: usize = 40;
/// Rounds after which all pairs of a group are solved for at once, not one after the other.
const THOROUGH_FROM: usize = 3;
/// Overlap that counts as round-off where rounds lead no further, in sizes of the largest body.
const NO_FURTHER: f64 = 1e-11;

/// Rounds of moving apart what steps of islands left.
const MOST_CLEARINGS: usize = 12;

/// What groups that overlap at the end of a step are found and moved apart with.
#[derive(Debug)]
pub(super) struct Projection {
    overlaps: Overlaps,
    search: Search,
    /// Owners of overlapping pairs that belong together.
    sets: Sets,
    /// The whole model, and storage for displacements.
    share: Share,
    increments: Vec<Increment>,
    next: Vec<Pose>,
}

impl Projection {
    /// For a model and its state.
    pub fn new(model: &Model, state: &State) -> Self {
        Self {
            overlaps: Overlaps::default(),
            search: Search::default(),
            sets: Sets::default(),
            share: Share::all(model),
            increments: vec![Increment::default(); state.poses.len()],
            next: state.poses.clone(),
        }
    }
}

impl Collisions {
    /// Resolves all overlaps at the end of a step.
    pub(super) fn project(&mut self, flight: &mut Flight) {
        let setup = flight.setup;
        for round in 0..=MOST_ROUNDS {
            self.find_groups(setup, flight.state, round > 0);
            if self.projection.overlaps.groups.is_empty() {
                break;
            }
            let mut groups = std::mem::take(&mut self.projection.overlaps.groups);
            let thorough = round >= THOROUGH_FROM;
            groups.iter_mut().for_each(|g| g.thorough |= thorough);
            if round == MOST_ROUNDS {
                let left = NO_FURTHER * self.work.size;
                for group in groups.iter().filter(|g| g.overlap > left) {
                    self.leave(flight, group, group.overlap, "projection");
                }
            } else {
                self.note_moving(setup, &groups);
                self.project_groups(flight, &groups);
                self.widen_near_groups(setup, flight.state, &groups);
            }
            self.projection.overlaps.groups = groups;
        }
    }

    /// What was moved may meet others than was thought.
    fn widen_near_groups(&mut self, setup: &Setup, state: &State, groups: &[Group]) {
        let mut units = self.work.numbers.take();
        let bodies = groups.iter().flat_map(|g| &g.bodies);
        units.extend(bodies.map(|&b| self.units.of_body(b)));
        units.sort_unstable();
        units.dedup();
        self.widen_near(setup, state, &units);
        self.work.numbers.give(units);
    }

    /// Tells of an overlap that is left.
    fn leave(&mut self, flight: &mut Flight, group: &Group, overlap: f64, what: &'static str) {
        flight.info.contact.overlap = flight.info.contact.overlap.max(overlap);
        let left = Outcome {
            residual: overlap / self.work.size,
            ..Outcome::default()
        };
        let overlapping = group.pairs.iter().find(|p| p.overlapped);
        let pair = overlapping.or(group.pairs.first()).map(|p| p.pair);
        self.judge(flight, what, self.line.h, pair, left);
    }

    /// Moves a group to the closest configuration without overlap and enters what that changed;
    /// returns the overlap that is left.
    fn move_apart(&mut self, flight: &mut Flight, group: &Group) -> f64 {
        let setup = flight.setup;
        let energy = self.group_energy(setup, flight.state, group);
        let angular = self.angular(setup, flight.state, group);
        let overlap = self.closest(setup, flight.state, group, self.line.h);
        flight.info.contact.projection_energy +=
            self.group_energy(setup, flight.state, group) - energy;
        flight.info.contact.projection_angular +=
            self.angular(setup, flight.state, group) - angular;
        overlap
    }

    /// Projects groups and lets them jump.
    fn project_groups(&mut self, flight: &mut Flight, groups: &[Group]) {
        for group in groups {
            let overlap = self.move_apart(flight, group);
            flight.info.contact.overlap = flight.info.contact.overlap.max(overlap);
            if overlap > 1e3 * CLEAN * self.work.size {
                self.leave(flight, group, overlap, "projection");
            }
            // What the projection gained is recorded, not taken back: that is the thesis' law.
            let (outcome, energy) = self.reflect(flight, group);
            self.note_seen(flight.state, group);
            let pair = group.pairs.first().map(|p| p.pair);
            self.judge(flight, "impact", self.line.h, pair, outcome);
            let by_surfaces = self.instant.belt_work();
            flight.info.work += by_surfaces;
            flight.info.contact.energy += energy - by_surfaces;
        }
    }

    /// Moves apart what the steps of islands left overlapping; momenta are kept but for the turn of
    /// the bodies. What is moved may be pushed into what it touches, so that it takes rounds.
    pub(super) fn clear(&mut self, flight: &mut Flight) {
        let setup = flight.setup;
        for round in 0..=MOST_CLEARINGS {
            self.find_left_groups(setup, flight.state);
            if self.projection.overlaps.groups.is_empty() {
                break;
            }
            let groups = std::mem::take(&mut self.projection.overlaps.groups);
            for group in &groups {
                if round == MOST_CLEARINGS {
                    self.leave(flight, group, group.overlap, "overlap");
                } else {
                    self.move_apart(flight, group);
                }
            }
            self.widen_near_groups(setup, flight.state, &groups);
            self.projection.overlaps.groups = groups;
        }
    }

    /// Kinetic and potential energy of a group.
    fn group_energy(&mut self, setup: &Setup, state: &State, group: &Group) -> f64 {
        let model = setup.model;
        let kinetic = self.kinetic(setup, state, group);
        let forces = model.forces();
        let lifted = if forces.pairs.is_empty() && forces.user.is_empty() {
            let weigh = |b: usize| {
                let mass = model.bodies()[b].mass();
                -mass * forces.gravity.dot(&state.poses[b].position)
            };
            group.bodies.iter().map(|&b| weigh(b)).sum()
        } else {
            potential(model, &self.projection.share, &state.poses)
        };
        kinetic + lifted + joint_potential(model, &self.projection.share, &state.poses)
    }

    /// Momentum jumps where bodies of a group touch and approach; returns the change of energy.
    fn reflect(&mut self, flight: &mut Flight, group: &Group) -> (Outcome, f64) {
        let setup = flight.setup;
        let model = setup.model;
        self.instant.clear();
        self.owner_velocities(setup, flight.state, group);
        for (k, m) in group.pairs.iter().enumerate() {
            // What overlapped has met in this step, even if others pushed it off.
            let limit = match m.overlapped {
                true => f64::INFINITY,
                false => NEAR * self.work.size,
            };
            let row =
                self.projection.search.seen[k].look(m, model, &mut self.work, flight.state, limit);
            let Some(&row) = row else { continue };
            let look = Look {
                within: self.line.within,
                near: row.gap.max(0.0) + NEAR * self.work.size,
                tired: false,
                press: &self.line.press,
            };
            self.instant.add_known(
                setup,
                &mut self.work,
                m.pair,
                m.key,
                row,
                flight.state,
                &look,
            );
        }
        let (outcome, _) = self.instant.resolve(setup, &mut self.work, flight.state);
        self.instant.apply(model, flight.state, 1.0);
        for &o in &group.owners {
            for &j in &self.work.metric.parts().all[o].joints {
                let first = model.offsets[j];
                for f in first..first + model.joint_freedom(j) {
                    flight.state.guess[f] = self.instant.nu[f];
                    flight.state.unbalanced[f] = 0.0;
                }
            }
        }
        let told = (&mut *flight.events, &mut self.told.pushes);
        (outcome, self.instant.events(flight.state.time, 1.0, told).1)
    }

    /// Velocities of a group.
    fn owner_velocities(&mut self, setup: &Setup, state: &State, group: &Group) {
        let model = setup.model;
        self.work.metric.velocities(
            model,
            &state.poses,
            &group.bodies,
            |k| state.momentum(model, k),
            &mut self.instant.nu,
        );
        for &o in &group.owners {
            for at in 0..self.work.metric.parts().all[o].linkages.len() {
                let linkage = self.work.metric.parts().all[o].linkages[at];
                let (q, p) = (&state.coordinates, &state.coordinate_momenta);
                let rates = &mut self.instant.nu;
                self.work.metric.rates(model, linkage, q, p, rates);
            }
        }
    }

    /// Kinetic energy of a group.
    fn kinetic(&mut self, setup: &Setup, state: &State, group: &Group) -> f64 {
        self.owner_velocities(setup, state, group);
        let model = setup.model;
        let mut sum =
            self.work
                .metric
                .kinetic(model, &state.poses, &group.bodies, &self.instant.nu);
        for &o in &group.owners {
            for &k in &self.work.metric.parts().all[o].coordinates {
                sum += 0.5 * state.coordinate_momenta[k] * self.instant.nu[model.tree_freedom + k];
            }
        }
        sum
    }

    /// Angular momentum of a group about the origin, from the momenta as they are.
    fn angular(&self, setup: &Setup, state: &State, group: &Group) -> Vector3<f64> {
        let mut sum = Vector3::zeros();
        for &b in &group.bodies {
            let p = state.momentum(setup.model, b);
            sum += p.torque + state.poses[b].position.cross(&p.force);
        }
        sum
    }
}
