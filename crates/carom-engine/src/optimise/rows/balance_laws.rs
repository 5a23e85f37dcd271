//! Springs, dampers, rotors and servos along joints in the balances of momentum and their derivatives.
//!
//! The coordinate of a revolute or prismatic joint at a node is that of the centre of its chart plus u, so
//! that what acts along it stands in the joint's own row, and is linear in u: second derivatives are those
//! with the size of the step.

use nalgebra::{DMatrix, DVector};

use super::balance_curvature::{StepBlocks, Virtual};
use super::balance_slopes::BalanceBlocks;
use crate::model::{JointLaw, LawSlopes};
use crate::optimise::layout::{EndMotion, Side};
use crate::optimise::path::Path;

impl Path {
    /// What acts along joints of the tree.
    fn laws(&self) -> impl Iterator<Item = &JointLaw> {
        (self.model.joint_laws().iter()).filter(|law| law.joint.is_some())
    }

    /// Time at the start of a step, coordinate there, how far it moves, and the size of the step.
    fn along(&self, law: &JointLaw, step: usize) -> [f64; 4] {
        let time = (0..step).map(|k| self.h(k)).sum();
        let [s, next] = [step, step + 1].map(|k| self.joint_value(k, law.freedom));
        [time, s, next - s, self.h(step)]
    }

    /// Derivatives of what a law does in a step.
    fn law_slopes(&self, law: &JointLaw, step: usize) -> LawSlopes {
        let [time, s, delta, h] = self.along(law, step);
        law.slopes(time, s, delta, h)
    }

    /// Adds the impulses along joints at the start of a step (`side` 0) or at its end to the rows of the
    /// degrees of freedom.
    pub(in crate::optimise) fn add_law_side(&self, step: usize, side: usize, rows: &mut [f64]) {
        for law in self.laws() {
            let [time, s, delta, h] = self.along(law, step);
            let did = law.step(time, s, delta, h, 0.5);
            rows[law.freedom] += if side == 0 { did.start } else { did.end };
        }
    }

    /// Impulses along joints at a node, with the momentum of rotors that are given a velocity there, by
    /// degree of freedom.
    pub(in crate::optimise) fn law_impulses(&self, node: usize) -> Vec<f64> {
        let mut rows = vec![0.0; self.layout.n];
        if self.model.joint_laws().is_empty() {
            return rows;
        }
        let [before, after] = self.steps_at(node);
        before
            .into_iter()
            .for_each(|step| self.add_law_side(step, 1, &mut rows));
        after
            .into_iter()
            .for_each(|step| self.add_law_side(step, 0, &mut rows));
        for motion in self.layout.motions.iter().filter(|m| m.node == node) {
            let twist = self.layout.twist(motion, self.x());
            for law in self.laws() {
                let rotor: f64 = (0..6)
                    .map(|k| twist[k] * self.rotor_share(motion, law.freedom, k))
                    .sum();
                rows[law.freedom] += motion.sign * rotor;
            }
        }
        rows
    }

    /// Momentum along a degree of freedom of the rotor of a joint to the world, per component of the
    /// twist its body is given; joints between bodies that are given one twist do not move.
    pub(super) fn rotor_share(&self, motion: &EndMotion, freedom: usize, k: usize) -> f64 {
        let Some(law) = self.laws().find(|law| law.freedom == freedom) else {
            return 0.0;
        };
        let joint = law.joint.map(|j| &self.model.joints()[j]);
        let Some(joint) = joint.filter(|j| j.parent.is_none()) else {
            return 0.0;
        };
        if !motion.motion.bodies.contains(&joint.child) {
            return 0.0;
        }
        let turns = if law.turns { 3..6 } else { 0..3 };
        match turns.contains(&k) {
            true => law.physics.armature * joint.axis[k % 3],
            false => 0.0,
        }
    }

    /// Inertia of the rotor along a degree of freedom.
    pub(in crate::optimise) fn rotor(&self, freedom: usize) -> f64 {
        let own = self.laws().filter(|law| law.freedom == freedom);
        own.map(|law| law.physics.armature).sum()
    }

    /// First derivatives of what acts at one end of a step, by u there, at its other end, and by the size
    /// of the step.
    pub(super) fn add_law_slopes(
        &self,
        side: &Side,
        own: &mut DMatrix<f64>,
        far: &mut DMatrix<f64>,
        by_step: &mut DVector<f64>,
    ) {
        let sign = side.sign();
        for law in self.laws() {
            let (f, first) = (law.freedom, self.law_slopes(law, side.step).first);
            let [s, d, h] = first[usize::from(side.before)];
            let [here, there] = if side.before { [d, s - d] } else { [s - d, d] };
            own[(f, f)] += sign * here;
            far[(f, f)] += sign * there;
            by_step[f] += sign * h;
        }
    }

    /// First derivatives.
    pub(super) fn add_law_blocks(&self, out: &mut [BalanceBlocks]) {
        for step in 0..self.layout.grid.len() {
            for law in self.laws() {
                let (f, by) = (law.freedom, self.law_slopes(law, step).first);
                // By the coordinate at the start, which also takes from Δ, and at the end.
                let [[s0, d0, h0], [s1, d1, h1]] = by;
                out[step].here[(f, f)] += s0 - d0;
                out[step].after[(f, f)] += d0;
                out[step].by_step[1][f] += h0;
                out[step + 1].before[(f, f)] += s1 - d1;
                out[step + 1].here[(f, f)] += d1;
                out[step + 1].by_step[0][f] += h1;
            }
        }
    }

    /// Second derivatives, with the size of a step.
    pub(super) fn add_laws(&self, k: usize, ends: [&Virtual; 2], out: &mut StepBlocks) {
        for law in self.laws() {
            let second = self.law_slopes(law, k).second;
            for (v, [s, d, h]) in ends.iter().zip(second) {
                let lambda = v.lambda[law.freedom];
                out.step[0][law.freedom] += lambda * (s - d);
                out.step[1][law.freedom] += lambda * d;
                out.step_step += lambda * h;
            }
        }
    }
}
