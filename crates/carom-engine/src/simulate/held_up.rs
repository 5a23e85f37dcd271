//! What holds bodies up that joints do not: nodes of elastic bodies that are held, contact by potentials.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::ledger::Impulse;
use crate::contact::ContactPotential;
use crate::mechanics::{
    Covector, NO_WRENCH, Share, StepFrame, Supports, Twist, Wrench, point_velocity,
};
use crate::model::{BodyKind, Model};

/// The nodes that are held, and storage.
#[derive(Debug)]
pub(super) struct HeldUp {
    supports: Supports,
    /// What contact and its drag do to every body.
    pressed: Vec<Covector>,
    rubbed: Vec<Wrench>,
}

impl HeldUp {
    /// Of a model with or without contact by potentials.
    pub fn new(model: &Model, soft: bool) -> Self {
        let bodies = if soft { model.bodies().len() } else { 0 };
        Self {
            supports: Supports::all(model),
            pressed: vec![Covector::default(); bodies],
            rubbed: vec![NO_WRENCH; bodies],
        }
    }

    /// Impulses over a step of the variational integrator; contact must have been evaluated between its ends.
    pub fn impulse(
        &mut self,
        model: &Model,
        share: &Share,
        soft: Option<&ContactPotential>,
        frame: &StepFrame,
    ) -> Impulse {
        let of_nodes = self.supports.impulse(model, frame.middle, frame.h, |p| {
            p.body.map_or(Vector3::zeros(), |b| {
                let i = &frame.increments[b.index()];
                i.shift + i.directors * p.local
            })
        });
        let mut sum = Impulse {
            linear: of_nodes.force,
            angular: of_nodes.torque,
        };
        let Some(soft) = soft else {
            return sum;
        };
        self.pressed.fill(Covector::default());
        soft.add_forces(&mut self.pressed);
        let ends = [(frame.poses, frame.gamma), (frame.next, 1.0 - frame.gamma)];
        for (poses, part) in ends {
            // Half of the drag acts at either end.
            self.rubbed.fill(NO_WRENCH);
            soft.add_drag_impulses(poses, frame.increments, &mut self.rubbed);
            for &k in &share.bodies {
                let pressed = self.felt(model, k, &poses[k]);
                let force = pressed.force * (frame.h * part) + self.rubbed[k].force;
                let torque = pressed.torque * (frame.h * part) + self.rubbed[k].torque;
                if model.bodies()[k].kind != BodyKind::Static {
                    sum.linear += force;
                    sum.angular += torque + poses[k].position.cross(&force);
                }
            }
        }
        sum
    }

    /// Forces at a configuration, where contact must have been evaluated: `each` is called with a body and
    /// what contact does to it. Returns what held nodes do, about the origin.
    pub fn forces(
        &mut self,
        model: &Model,
        soft: Option<&ContactPotential>,
        (poses, twists): (&[Pose], &[Twist]),
        mut each: impl FnMut(usize, &Wrench),
    ) -> Wrench {
        if let Some(soft) = soft {
            self.pressed.fill(Covector::default());
            soft.add_forces(&mut self.pressed);
            self.rubbed.fill(NO_WRENCH);
            soft.add_drag(poses, twists, &mut self.rubbed);
            for (k, pose) in poses.iter().enumerate() {
                let mut w = self.felt(model, k, pose);
                w.force += self.rubbed[k].force;
                w.torque += self.rubbed[k].torque;
                each(k, &w);
            }
        }
        let velocity = |p: &_| point_velocity(p, poses, twists);
        self.supports.impulse(model, poses, 1.0, velocity)
    }

    /// What presses on a body; particles feel no torque.
    fn felt(&self, model: &Model, k: usize, pose: &Pose) -> Wrench {
        match model.bodies()[k].kind {
            BodyKind::Rigid { .. } => self.pressed[k].wrench(&pose.directors),
            _ => Wrench {
                force: self.pressed[k].force,
                torque: Vector3::zeros(),
            },
        }
    }
}
