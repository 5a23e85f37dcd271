//! The forces Newmark's scheme evaluates at both ends of a step.

use carom_gap::Pose;

use super::mover::Mover;
use super::node::{Node, add};
use crate::contact::{ContactPotential, Path};
use crate::mechanics::{
    Covector, NO_WRENCH, Share, SolidField, Wrench, add_actuators, add_damping, add_influences,
    add_viscous_forces, potential_forces_by,
};
use crate::model::{Law, Model, Solid};
use crate::simulate::given::Given;
use crate::simulate::held_up::HeldUp;

/// All forces of a model.
#[derive(Debug)]
pub(super) struct Field {
    pub share: Share,
    /// Contact by potentials.
    pub contact: Option<ContactPotential>,
    /// Controls and loads of the present step.
    pub tau: Vec<f64>,
    /// −∂V/∂q where it was evaluated last.
    pub potential: Vec<Covector>,
    /// The same without contact, the energy of elastic bodies, and where that was.
    bare: Vec<Covector>,
    elastic: f64,
    seen: Vec<Pose>,
    elements: SolidField,
    /// Bodies whose motion is given.
    pub given: Given,
    held_up: HeldUp,
}

impl Field {
    pub fn new(model: &Model, law: Law) -> Self {
        let contact = ContactPotential::new(model, law);
        Self {
            share: Share::all(model),
            held_up: HeldUp::new(model, contact.is_some()),
            contact,
            tau: vec![0.0; model.controls()],
            potential: vec![Covector::default(); model.bodies().len()],
            bare: vec![Covector::default(); model.bodies().len()],
            elastic: 0.0,
            seen: Vec::new(),
            elements: SolidField::new(model),
            given: Given::new(model),
        }
    }

    /// What held nodes and contact do to the bodies at a node, about the origin; the contact must have been
    /// evaluated there.
    pub fn held_up(&mut self, model: &Model, movers: &[Mover], node: &Node) -> Wrench {
        let at = (&node.poses[..], &node.twists[..]);
        let mut sum = NO_WRENCH;
        let contact = self.contact.as_ref();
        let of_nodes = self.held_up.forces(model, contact, at, |k, w| {
            let felt = movers[k].felt(w);
            sum = add(&sum, &movers[k].about_origin(&node.poses[k], &felt), 1.0);
        });
        add(&sum, &of_nodes, 1.0)
    }

    /// Energy of elastic bodies, if it is known at these poses.
    pub fn elastic_energy(&self, poses: &[Pose]) -> Option<f64> {
        (self.seen == poses).then_some(self.elastic)
    }

    /// Whether any force depends on velocities.
    pub fn is_damped(&self, model: &Model) -> bool {
        let forces = model.forces();
        let viscous = |s: &Solid| s.damping.stiffness > 0.0;
        !(forces.dampers.is_empty() && forces.drags.is_empty())
            || forces.solids.iter().any(viscous)
            || self.contact.as_ref().is_some_and(|c| c.is_damped())
    }

    /// Forces on all bodies at the configuration of a node and its velocities.
    pub fn evaluate(&mut self, model: &Model, movers: &[Mover], node: &mut Node) {
        self.evaluate_still(model, movers, node);
        self.evaluate_moving(model, movers, node);
    }

    /// Forces that do not depend on velocities.
    fn evaluate_still(&mut self, model: &Model, movers: &[Mover], node: &mut Node) {
        let Node {
            poses,
            still,
            loads,
            ..
        } = node;
        // A step begins where the last one ended.
        if self.seen != *poses {
            let (share, elements) = (&self.share, &mut self.elements);
            self.elastic = potential_forces_by(elements, model, share, poses, &mut self.bare);
            self.seen.clone_from(poses);
        }
        self.potential.copy_from_slice(&self.bare);
        if let Some(contact) = &mut self.contact {
            let at = Path {
                poses,
                coordinates: &[],
            };
            contact.evaluate(model, &at);
            contact.add_forces(&mut self.potential);
        }
        loads.fill(NO_WRENCH);
        add_actuators(model, poses, &self.tau, 1.0, loads, &mut []);
        add_influences(model, poses, 1.0, loads);
        for (k, mover) in movers.iter().enumerate() {
            loads[k] = mover.felt(&loads[k]);
            still[k] = add(
                &self.potential[k].wrench(&poses[k].directors),
                &loads[k],
                1.0,
            );
        }
    }

    /// All forces, where those that do not depend on velocities are known.
    pub fn evaluate_moving(&self, model: &Model, movers: &[Mover], node: &mut Node) {
        let Node {
            poses,
            twists,
            still,
            forces,
            taken,
            drag_power,
            damping_power,
            ..
        } = node;
        *damping_power = 0.0;
        forces.copy_from_slice(still);
        *damping_power += add_damping(model, poses, twists, forces);
        *damping_power += add_viscous_forces(model, &self.share, poses, twists, forces);
        if let Some(contact) = &self.contact {
            contact.add_drag(poses, twists, forces);
            *drag_power = contact.drag_power(poses, twists);
        }
        for (&k, taken) in self.given.bodies().iter().zip(taken) {
            *taken = forces[k];
        }
        for (w, mover) in forces.iter_mut().zip(movers) {
            *w = mover.felt(w);
        }
    }
}
