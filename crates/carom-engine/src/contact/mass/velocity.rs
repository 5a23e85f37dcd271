//! Velocities of momenta, and their energy.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::{MassMetric, turned};
use crate::mechanics::{Twist, Wrench, carry, dense, inertia, joint_frame, linkage, reduce_joints};
use crate::model::{BodyKind, Model};

impl MassMetric {
    /// Velocity and spin of a body that no joint touches.
    pub fn twist_alone(
        &self,
        poses: &[Pose],
        body: usize,
        momentum: impl Fn(usize) -> Wrench,
    ) -> Option<(Vector3<f64>, Vector3<f64>)> {
        let a = self.alone[body].as_ref()?;
        let p = momentum(body);
        let inverse = a.inverse_inertia.as_ref();
        let w = inverse.map_or(Vector3::zeros(), |i| turned(i, &poses[body], &p.torque));
        Some((p.force * a.inverse_mass, w))
    }

    /// Velocities of the trees of some bodies from their momenta (as wrenches).
    pub fn velocities(
        &mut self,
        model: &Model,
        poses: &[Pose],
        bodies: &[usize],
        momentum: impl Fn(usize) -> Wrench,
        nu: &mut [f64],
    ) {
        self.seen.clear();
        for &k in bodies {
            if let Some(a) = self.alone[k] {
                let p = momentum(k);
                let v = p.force * a.inverse_mass;
                nu[a.first..a.first + 3].copy_from_slice(v.as_slice());
                if let Some(inverse) = &a.inverse_inertia {
                    let w = turned(inverse, &poses[k], &p.torque);
                    nu[a.first + 3..a.first + 6].copy_from_slice(w.as_slice());
                }
                continue;
            }
            let tree = self.parts.of_body(k);
            if tree == usize::MAX || self.seen.contains(&tree) {
                continue;
            }
            self.seen.push(tree);
            self.clear(model, tree);
            let t = &self.parts.all[tree];
            for &b in &t.bodies {
                self.wrenches[b] = momentum(b);
            }
            let (wrenches, values) = (&mut self.wrenches, &mut self.values);
            reduce_joints(model, &t.joints, poses, wrenches, values);
            self.solve_tree(model, poses, tree);
            for &j in &self.parts.all[tree].joints {
                let range = model.offsets[j]..model.offsets[j] + model.joint_freedom(j);
                nu[range.clone()].copy_from_slice(&self.values[range]);
            }
        }
    }

    /// ½ Σ νᵀ M ν of the trees of some bodies, from their velocities.
    pub fn kinetic(&mut self, model: &Model, poses: &[Pose], bodies: &[usize], nu: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.seen.clear();
        for &k in bodies {
            let tree = self.parts.of_body(k);
            if tree == usize::MAX || self.seen.contains(&tree) {
                continue;
            }
            if let Some(a) = self.alone[k] {
                let v = &nu[a.first..a.first + 3];
                sum += 0.5 * v.iter().map(|v| v * v).sum::<f64>() / a.inverse_mass;
                if let BodyKind::Rigid { euler_tensor, .. } = &model.bodies()[k].kind {
                    let w = Vector3::from_column_slice(&nu[a.first + 3..a.first + 6]);
                    let w = poses[k].directors.tr_mul(&w);
                    sum += 0.5
                        * (w.norm_squared() * euler_tensor.trace() - w.dot(&(euler_tensor * w)));
                }
                continue;
            }
            let twists = &mut self.twists;
            if self.seen.is_empty() {
                twists.clear();
                twists.resize(model.bodies().len(), Twist::default());
            }
            self.seen.push(tree);
            for &j in &self.parts.all[tree].joints {
                let joint = &model.joints()[j];
                let frame = joint_frame(model, poses, joint);
                let parent = joint.parent.map_or(Twist::default(), |p| twists[p.index()]);
                let first = model.offsets[j];
                let b = joint.child.index();
                let mut twist = carry(&frame, &parent, &nu[first..first + frame.freedom]);
                if model.is_particle(joint.child) {
                    twist.w = Vector3::zeros();
                }
                twists[b] = twist;
                let t = twist.vector();
                sum += 0.5 * t.dot(&(inertia(&model.bodies()[b].kind, &poses[b]) * t));
            }
            for law in model.joint_laws() {
                let own = law
                    .joint
                    .is_some_and(|j| self.parts.all[tree].joints.contains(&j));
                if own {
                    sum += 0.5 * law.physics.armature * nu[law.freedom] * nu[law.freedom];
                }
            }
        }
        sum
    }

    /// Rates of a linkage's coordinates from their momenta.
    pub fn rates(
        &mut self,
        model: &Model,
        at: usize,
        coordinates: &[f64],
        momenta: &[f64],
        nu: &mut [f64],
    ) {
        let l = &model.linkages()[at];
        let range = l.first..l.first + l.freedom();
        linkage::mass_matrix(
            l,
            &coordinates[range.clone()],
            &mut self.end,
            &mut self.mass,
        );
        let rates =
            &mut nu[model.tree_freedom + l.first..model.tree_freedom + l.first + l.freedom()];
        rates.copy_from_slice(&momenta[range]);
        dense::solve(&mut self.mass, rates);
    }
}
