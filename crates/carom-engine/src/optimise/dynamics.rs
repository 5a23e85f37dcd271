//! The balance of momentum in redundant coordinates, before it is projected: what steps, motions at the
//! ends and reactions at nodes add to it.

use nalgebra::{DMatrix, Vector3};
use rayon::prelude::*;

use super::layout::EndMotion;
use super::path::{Balance, Path};
use super::steps::{Operator, apply};
use crate::mechanics::{Covector, discrete_slopes, flatten, potential_forces};

/// What a step adds to a balance, and its derivative by the size of the step.
#[derive(Clone, Debug)]
pub(crate) struct StepTerm {
    pub sum: Vec<f64>,
    pub slope: Vec<f64>,
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
        let (a, b) = (&self.nodes()[k].poses, &self.nodes()[k + 1].poses);
        let h = self.h(k);
        let (whole, own) = discrete_slopes(&self.model, &self.layout.share, a, b, h);
        let flat = |y: &[Covector]| flatten(&self.model, y);
        let [here, there] = own.map(|side| flat(&side).iter().map(|v| v / h).collect());
        // ∂D₁L_d/∂h = D₂L_d/h and the other way round.
        let mut slopes = [there, here].into_iter();
        whole.map(|side| StepTerm {
            sum: flat(&side),
            slope: slopes.next().unwrap_or_default(),
        })
    }

    /// Y of every node.
    pub fn balances(&self) -> &[Balance] {
        self.balances.get_or_init(|| self.find_balances())
    }

    /// The same, from what the steps add to it.
    fn find_balances(&self) -> Vec<Balance> {
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
            .with_min_len(layout.grain())
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

    /// F(q) of potentials at a node.
    pub fn forces(&self, node: usize) -> Vec<f64> {
        let poses = &self.nodes()[node].poses;
        let mut out = vec![Covector::default(); poses.len()];
        potential_forces(&self.model, &self.layout.share, poses, &mut out);
        flatten(&self.model, &out)
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
