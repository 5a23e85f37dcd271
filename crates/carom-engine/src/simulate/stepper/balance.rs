//! What a step left of the balance of momentum, and what joints took of it.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::Stepper;
use super::solver::Solver;
use crate::mechanics::{Covector, NO_WRENCH, Wrench, reduce_joints};
use crate::model::{BodyKind, Model};
use crate::simulate::State;
use crate::simulate::ledger::Impulse;
use crate::simulate::reactions::{self, Reaction};

impl Stepper {
    /// What the step leaves unexplained of the change of momentum. For bodies that nothing ties to
    /// the world: |L⁺ − L − T|, linear and angular about the origin, T all impulses of potentials and
    /// loads. For others the world's reaction takes part of the balance; what must vanish is its
    /// projection Pᵀ(q)[p + D₁L_d + f⁻].
    pub(super) fn momentum_residual(&mut self, model: &Model, state: &State, h: f64) -> f64 {
        if self.held {
            self.balance(model, h);
            self.reduced.fill(0.0);
            if let Solver::Reduced(s) = &self.solver {
                self.joints.clear();
                self.joints.extend(s.joints());
            }
            reduce_joints(
                model,
                &self.joints,
                &self.old_poses,
                &mut self.balance,
                &mut self.reduced,
            );
            return self.reduced.iter().fold(0.0, |m: f64, r| m.max(r.abs()));
        }
        let motion = self.solver.motion();
        let share = self.solver.share(&self.all);
        let gamma = self.gamma;
        let (old, new) = (&self.old_poses, &state.poses);
        let mut linear = Vector3::zeros();
        let mut angular = Vector3::zeros();
        for &k in &share.bodies {
            let body = &model.bodies()[k];
            if body.kind == BodyKind::Static {
                continue;
            }
            // Everything at one node is a covector of that node: gather, then reduce once.
            let mut y_new = state.momenta[k];
            y_new.add(&motion.forces[k], -h * (1.0 - gamma));
            let mut y_old = self.old_momenta[k];
            y_old.add(&motion.forces[k], h * gamma);
            let nodes = [
                (&new[k], y_new, &self.end_loads[k], 1.0),
                (&old[k], y_old, &self.start_loads[k], -1.0),
            ];
            for (pose, y, load, sign) in nodes {
                let mut w = wrench_on(&body.kind, &y, pose);
                w.force -= load.force * sign;
                w.torque -= load.torque * sign;
                linear += w.force * sign;
                angular += (w.torque + pose.position.cross(&w.force)) * sign;
            }
        }
        linear.norm().max(angular.norm())
    }

    /// Impulse of all potentials and loads on the bodies in the last step: h f, shared by its two ends.
    pub(super) fn forces(&self, model: &Model, state: &State, h: f64) -> Impulse {
        let motion = self.solver.motion();
        let mut sum = Impulse::default();
        for &k in &self.solver.share(&self.all).bodies {
            let kind = &model.bodies()[k].kind;
            if *kind == BodyKind::Static {
                continue;
            }
            let ends = [
                (&self.old_poses[k], &self.start_loads[k], self.gamma),
                (&state.poses[k], &self.end_loads[k], 1.0 - self.gamma),
            ];
            for (pose, load, part) in ends {
                let w = wrench_on(kind, &motion.forces[k], pose);
                let force = w.force * (h * part) + load.force;
                let torque = w.torque * (h * part) + load.torque;
                sum.linear += force;
                sum.angular += torque + pose.position.cross(&force);
            }
        }
        sum
    }

    /// Wrenches p + D₁L_d + f⁻ of all bodies at q in the last step, loops taken off.
    fn balance(&mut self, model: &Model, h: f64) {
        let motion = self.solver.motion();
        for &k in &self.solver.share(&self.all).bodies {
            let body = &model.bodies()[k];
            if body.kind == BodyKind::Static {
                self.balance[k] = NO_WRENCH;
                continue;
            }
            let i = &motion.increments[k];
            let mut y = self.old_momenta[k];
            y.add(&motion.forces[k], h * self.gamma);
            y.force -= i.shift * (body.mass() / h);
            if let BodyKind::Rigid { euler_tensor, .. } = &body.kind {
                y.directors -= i.directors * euler_tensor / h;
            }
            let mut w = wrench_on(&body.kind, &y, &self.old_poses[k]);
            w.force += self.start_loads[k].force;
            w.torque += self.start_loads[k].torque;
            self.balance[k] = w;
        }
        reactions::take_off_loops(
            model,
            &self.old_poses,
            &self.loops,
            &mut self.rows,
            &mut self.balance,
        );
    }

    /// Reactions of the joints of the tree, then of the closures, in the last step; empty before it.
    pub fn reactions(&mut self, model: &Model) -> Vec<Reaction> {
        let h = self.last_h;
        let mut out = Vec::new();
        if h == 0.0 {
            return out;
        }
        match &self.solver {
            Solver::Multipliers(s) => {
                let lambda = &s.lambda[s.redundant.joints_at..s.redundant.closures_at];
                let joints = model.joints().iter();
                reactions::from_multipliers(joints, &self.old_poses, lambda, h, &mut out);
            }
            _ => {
                self.balance(model, h);
                reactions::from_balance(model, &self.old_poses, &mut self.balance, h, &mut out);
            }
        }
        let closures = model.closures().iter();
        reactions::from_multipliers(closures, &self.old_poses, &self.loops, h, &mut out);
        out
    }
}

/// A covector as force and torque; particles feel no torque.
#[inline]
fn wrench_on(kind: &BodyKind, y: &Covector, pose: &Pose) -> Wrench {
    match kind {
        BodyKind::Rigid { .. } => y.wrench(&pose.directors),
        _ => Wrench {
            force: y.force,
            torque: Vector3::zeros(),
        },
    }
}
