//! Decomposition contact response (thesis 3.5): all impacts of a step at its end.
//!
//! Bodies that overlap then form groups. Each group is moved to the closest admissible configuration
//! in the metric of the mass matrix (3.82), if wished with regard to potential energy (3.83);
//! momenta are lifted by the rotations this took (3.99), and jump where bodies approach. What the
//! projection changes is recorded.

mod closest;
mod groups;

use nalgebra::Vector3;

use super::touching::gap_in;
use super::{Collisions, Setup};
use crate::mechanics::potential;
use crate::simulate::{ContactEvent, SimulateError, State, StepInfo};
use groups::Group;

/// Overlap left by the projection, in sizes of the largest body.
const CLEAN: f64 = 1e-12;
/// Gap that counts as touching after it, in the same.
const NEAR: f64 = 1e-9;

impl Collisions {
    /// Resolves all overlaps at the end of a step.
    pub(super) fn project(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
        info: &mut StepInfo,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let groups = self.groups(setup, state);
        if groups.is_empty() {
            return Ok(());
        }
        let model = setup.model;
        let weighs = model.forces().gravity != Vector3::zeros()
            || !model.forces().pairs.is_empty()
            || !model.forces().user.is_empty();
        let before = if weighs {
            potential(model, &self.share, &state.poses)
        } else {
            0.0
        };
        for group in &groups {
            let kinetic = self.kinetic(setup, state, group);
            let angular = self.angular(setup, state, group);
            let overlap = self.closest(setup, state, group, h);
            info.contact.overlap = info.contact.overlap.max(overlap);
            info.contact.projection_energy += self.kinetic(setup, state, group) - kinetic;
            info.contact.projection_angular += self.angular(setup, state, group) - angular;
        }
        if weighs {
            let after = potential(model, &self.share, &state.poses);
            info.contact.projection_energy += after - before;
        }
        for group in &groups {
            info.contact.energy += self.reflect(setup, state, group, events);
        }
        Ok(())
    }

    /// Momentum jumps where bodies of a group touch and approach; returns the change of energy.
    fn reflect(
        &mut self,
        setup: &Setup,
        state: &mut State,
        group: &Group,
        events: &mut Vec<ContactEvent>,
    ) -> f64 {
        let model = setup.model;
        self.kit.clear();
        self.owner_velocities(setup, state, group);
        for (pair, key, overlapped) in &group.pairs {
            let gap = gap_in(model, &mut self.detector, pair, *key, state);
            // What overlapped has met in this step, even if others pushed it off.
            if gap > NEAR * self.size && !overlapped {
                continue;
            }
            let surface = self.detector.surface(pair);
            let mut warm = self.detector.basis(*key);
            let within = self.within;
            let touch = gap.max(0.0) + NEAR * self.size;
            self.kit.add(
                setup, *pair, *key, surface, state, &mut warm, within, touch, false,
            );
            self.detector.remember(*key, warm);
        }
        self.kit.resolve(setup);
        self.kit.apply(model, state, 1.0);
        for &o in &group.owners {
            for &j in self.kit.metric.tree(o).0 {
                let first = model.offsets[j];
                for f in first..first + model.joint_freedom(j) {
                    state.guess[f] = self.kit.nu[f];
                    state.unbalanced[f] = 0.0;
                }
            }
        }
        self.kit.events(state.time, 1.0, events).1
    }

    /// Velocities of a group.
    fn owner_velocities(&mut self, setup: &Setup, state: &State, group: &Group) {
        let model = setup.model;
        let trees = self.kit.metric.tree_count();
        let bodies = self.bodies(group);
        self.kit.metric.velocities(
            model,
            &state.poses,
            &bodies,
            |k| state.momentum(model, k),
            &mut self.kit.nu,
        );
        for &o in group.owners.iter().filter(|o| **o >= trees) {
            let (q, p) = (&state.coordinates, &state.coordinate_momenta);
            self.kit
                .metric
                .rates(model, o - trees, q, p, &mut self.kit.nu);
        }
    }

    /// Kinetic energy of a group.
    fn kinetic(&mut self, setup: &Setup, state: &State, group: &Group) -> f64 {
        self.owner_velocities(setup, state, group);
        let model = setup.model;
        let bodies = self.bodies(group);
        let mut sum = self
            .kit
            .metric
            .kinetic(model, &state.poses, &bodies, &self.kit.nu);
        let trees = self.kit.metric.tree_count();
        for &o in group.owners.iter().filter(|o| **o >= trees) {
            let l = &model.linkages()[o - trees];
            for k in l.first..l.first + l.freedom() {
                sum += 0.5 * state.coordinate_momenta[k] * self.kit.nu[model.tree_freedom + k];
            }
        }
        sum
    }

    /// Angular momentum of a group about the origin, from the momenta as they are.
    fn angular(&self, setup: &Setup, state: &State, group: &Group) -> Vector3<f64> {
        let mut sum = Vector3::zeros();
        for b in self.bodies(group) {
            let p = state.momentum(setup.model, b);
            sum += p.torque + state.poses[b].position.cross(&p.force);
        }
        sum
    }
}
