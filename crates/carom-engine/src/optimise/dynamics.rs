//! The balance of momentum in redundant coordinates, before it is projected: what steps, motions at the
//! ends and reactions at nodes add to it.

use nalgebra::{DMatrix, Vector3};
use rayon::prelude::*;

use super::layout::EndMotion;
use super::path::Path;
use super::steps::{Operator, apply};

/// Y_k: what the balance at a node adds up to before it is projected, with the parts that change
/// with the size of the step before and after it.
#[derive(Clone, Debug)]
pub(crate) struct Balance {
    pub sum: Vec<f64>,
    /// ∂Y/∂h of the step before and of the step after.
    pub by_step: [Vec<f64>; 2],
}

/// What a step adds to a balance, and its derivative by the size of the step.
#[derive(Clone, Debug)]
pub(crate) struct StepTerm {
    pub sum: Vec<f64>,
    pub slope: Vec<f64>,
}

impl StepTerm {
    fn zero(n: usize) -> Self {
        Self {
            sum: vec![0.0; n],
            slope: vec![0.0; n],
        }
    }
}

impl Path {
    /// M q̇ of bodies that move with a twist, at coordinates q; `from` is the first of them.
    pub fn motion_momentum(&self, motion: &EndMotion, twist: &[f64; 6], q: &[f64]) -> Vec<f64> {
        let v = Vector3::new(twist[0], twist[1], twist[2]);
        let w = Vector3::new(twist[3], twist[4], twist[5]);
        let mut rate = vec![0.0; q.len()];
        let column = |at: usize| Vector3::new(q[at], q[at + 1], q[at + 2]);
        let first = column(self.layout.starts[motion.motion.bodies[0].index()]);
        for body in &motion.motion.bodies {
            let start = self.layout.starts[body.index()];
            let shift = v + w.cross(&(column(start) - first));
            rate[start..start + 3].copy_from_slice(shift.as_slice());
            if !self.model.is_particle(*body) {
                for i in 1..4 {
                    let d = w.cross(&column(start + 3 * i));
                    rate[start + 3 * i..start + 3 * i + 3].copy_from_slice(d.as_slice());
                }
            }
        }
        apply(&self.layout.inertias, Operator::Mass, &rate)
    }

    /// What a step adds to the balances at its start and at its end, and how that changes with its
    /// size.
    pub fn step_terms(&self, k: usize) -> [StepTerm; 2] {
        let layout = &self.layout;
        let h = self.h(k);
        let (q, next) = (&self.nodes()[k].q, &self.nodes()[k + 1].q);
        let delta: Vec<f64> = q.iter().zip(next).map(|(a, b)| b - a).collect();
        let m = apply(&layout.inertias, Operator::Mass, &delta);
        let force = self.forces(q, next);
        let mut here = StepTerm::zero(q.len());
        let mut there = StepTerm::zero(q.len());
        // D₁L_d = −M Δ/h + (h/2) F, D₂L_d = M Δ/h + (h/2) F.
        for i in 0..q.len() {
            here.sum[i] = -m[i] / h + 0.5 * h * force[i];
            there.sum[i] = m[i] / h + 0.5 * h * force[i];
            here.slope[i] = m[i] / (h * h) + 0.5 * force[i];
            there.slope[i] = -m[i] / (h * h) + 0.5 * force[i];
        }
        if self.has_drag() {
            let c = apply(&layout.inertias, Operator::Drag, &delta);
            for (i, c) in c.iter().enumerate() {
                here.sum[i] -= 0.5 * c;
                there.sum[i] -= 0.5 * c;
            }
        }
        if !self.model.forces().dampers.is_empty() {
            self.add_damper_halves(k, &mut here.sum);
            self.add_damper_halves(k, &mut there.sum);
        }
        [here, there]
    }

    /// Y of every node.
    pub fn balances(&self) -> Vec<Balance> {
        let layout = &self.layout;
        let zero = vec![0.0; layout.nq];
        let empty = Balance {
            sum: zero.clone(),
            by_step: [zero.clone(), zero.clone()],
        };
        let mut out = vec![empty; layout.nodes()];
        let add = |y: &mut [f64], v: &[f64], factor: f64| {
            y.iter_mut().zip(v).for_each(|(y, v)| *y += factor * v);
        };
        let terms: Vec<[StepTerm; 2]> = (0..layout.grid.len())
            .into_par_iter()
            .map(|k| self.step_terms(k))
            .collect();
        for (k, [here, there]) in terms.into_iter().enumerate() {
            add(&mut out[k].sum, &here.sum, 1.0);
            add(&mut out[k + 1].sum, &there.sum, 1.0);
            out[k].by_step[1] = here.slope;
            out[k + 1].by_step[0] = there.slope;
        }
        for motion in &layout.motions {
            let twist = layout.twist(motion, self.x());
            let p = self.motion_momentum(motion, &twist, &self.nodes()[motion.node].q);
            add(&mut out[motion.node].sum, &p, motion.sign);
        }
        for reaction in &layout.reactions {
            let (node, mu) = (reaction.node, self.x()[reaction.unknown]);
            let sum = &mut out[node].sum;
            (reaction.push).vector(&self.nodes()[node].q, |i, v| sum[i] += mu * v);
        }
        out
    }

    /// F(q̄) of a step.
    pub fn forces(&self, q: &[f64], next: &[f64]) -> Vec<f64> {
        let mut f = vec![0.0; q.len()];
        for i in &self.layout.inertias {
            f[i.start..i.start + 3].copy_from_slice(i.weight.as_slice());
        }
        if !self.layout.pairs.is_empty() {
            let middle: Vec<f64> = q.iter().zip(next).map(|(a, b)| 0.5 * (a + b)).collect();
            for pair in &self.layout.pairs {
                let force = pair.at(&self.stretch(&pair.ends, &middle)).force;
                for (end, sign) in pair.ends.iter().zip([1.0, -1.0]) {
                    if let Some(b) = end.body {
                        self.push(b.index(), &(end.local * sign), sign, &force, &mut f);
                    }
                }
            }
        }
        self.add_user_forces(q, next, &mut f);
        f
    }

    /// (h/2) τ of the steps before and after a node, added up.
    pub fn impulses(&self, node: usize) -> Vec<f64> {
        let mut sum = vec![0.0; self.layout.nc];
        for step in self.steps_at(node).into_iter().flatten() {
            let half = 0.5 * self.h(step);
            let tau = self.controls(step);
            sum.iter_mut().zip(tau).for_each(|(s, t)| *s += half * t);
        }
        sum
    }

    /// ∂p/∂u of a motion at an end, p = M q̇ in redundant coordinates.
    pub fn motion_tangent(&self, motion: usize) -> DMatrix<f64> {
        let motion = &self.layout.motions[motion];
        let mut twist = self.layout.twist(motion, self.x());
        twist[..3].fill(0.0);
        let mut tangent = self.wide(&self.nodes()[motion.node].tangent);
        for f in 0..self.layout.n {
            let column: Vec<f64> = tangent.column(f).iter().copied().collect();
            let p = self.motion_momentum(motion, &twist, &column);
            tangent.column_mut(f).copy_from_slice(&p);
        }
        tangent
    }

    /// ∂p/∂t of the twist component k of a motion.
    pub fn unit_momentum(&self, motion: usize, k: usize) -> Vec<f64> {
        let motion = &self.layout.motions[motion];
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        self.motion_momentum(motion, &unit, &self.nodes()[motion.node].q)
    }

    /// ∂(η · M A(q) t)/∂q, times a sign. A(q) t is v + ω × (φ_b − φ₁) and ω × d_I.
    pub fn add_motion_pull(
        &self,
        motion: usize,
        twist: &[f64; 6],
        eta: &[f64],
        sign: f64,
        c: &mut [f64],
    ) {
        let motion = &self.layout.motions[motion];
        let w = Vector3::new(twist[3], twist[4], twist[5]);
        let y = apply(&self.layout.inertias, Operator::Mass, eta);
        let first = self.layout.starts[motion.motion.bodies[0].index()];
        let mut add = |at: usize, v: Vector3<f64>| {
            (0..3).for_each(|k| c[at + k] += sign * v[k]);
        };
        for body in &motion.motion.bodies {
            let start = self.layout.starts[body.index()];
            let parts = if self.model.is_particle(*body) { 1 } else { 4 };
            for i in 0..parts {
                let at = start + 3 * i;
                // y · (ω × d) = d · (y × ω)
                let back = Vector3::new(y[at], y[at + 1], y[at + 2]).cross(&w);
                add(at, back);
                if i == 0 {
                    add(first, -back);
                }
            }
        }
    }
}
