//! What cushions push: forces, drag and stiffness.

use carom_gap::Pose;
use nalgebra::{Matrix6, Vector6};

use super::{ContactPotential, Cushion};
use crate::contact::pair_gap::Bearing;
use crate::contact::pairs::Pair;
use crate::mechanics::{
    Block, Covector, Increment, StepFrame, Twist, Wrench, hat, point_block, wrench_vector,
};
use crate::model::{BodyId, BodyKind, Model};

impl ContactPotential {
    /// Points that drag, each with its part of the coefficient: that of its force.
    fn dragging(&self) -> impl Iterator<Item = (&Bearing, f64)> {
        let dragged = |c: &&Cushion| c.drag > 0.0 && c.answer.force > 0.0;
        self.cushions.iter().filter(dragged).flat_map(|c| {
            let part = c.drag / c.answer.force;
            self.carriers(c).map(move |(p, force)| (p, force * part))
        })
    }

    /// Adds −∂V_A/∂q.
    pub fn add_forces(&self, out: &mut [Covector]) {
        if let Some(elements) = &self.elements {
            elements.add_forces(out);
        }
        for (p, force) in self.points.iter().zip(&self.forces) {
            for (body, g) in p.gradient.iter().flatten() {
                out[body.index()].add(g, *force);
            }
        }
    }

    /// Adds the drag of the overlapping at given velocities.
    pub fn add_drag(&self, poses: &[Pose], twists: &[Twist], out: &mut [Wrench]) {
        if let Some(elements) = &self.elements {
            elements.add_drag(poses, twists, out);
        }
        for (p, drag) in self.dragging() {
            add_along(p, poses, -drag * rate(p, poses, twists), out);
        }
    }

    /// Power of the drag at given velocities.
    pub fn drag_power(&self, poses: &[Pose], twists: &[Twist]) -> f64 {
        let elastic = self.elements.as_ref();
        let elastic = elastic.map_or(0.0, |e| e.drag_power(poses, twists));
        let dragging = self.dragging();
        let rigid = dragging.map(|(p, drag)| -drag * rate(p, poses, twists).powi(2));
        elastic + rigid.sum::<f64>()
    }

    /// Adds half of the drag over a step as impulses on bodies at `poses`; it acts on (q⁺ − q)/h.
    pub fn add_drag_impulses(&self, poses: &[Pose], increments: &[Increment], out: &mut [Wrench]) {
        if let Some(elements) = &self.elements {
            elements.add_drag_impulses(poses, increments, out);
        }
        for (p, drag) in self.dragging() {
            add_along(p, poses, -0.5 * drag * moved(p, increments), out);
        }
    }

    /// Work of the drag over a step.
    pub fn drag_work(&self, increments: &[Increment], h: f64) -> f64 {
        let elastic = self.elements.as_ref();
        let elastic = elastic.map_or(0.0, |e| e.drag_work(increments, h));
        let dragging = self.dragging();
        let rigid = dragging.map(|(p, drag)| -drag * moved(p, increments).powi(2) / h);
        elastic + rigid.sum::<f64>()
    }

    /// Adds ∂/∂q⁺ of the forces that enter the balance at q, up to the curvature of the gaps; those
    /// of joint limits only if asked for.
    pub fn add_blocks(
        &self,
        model: &Model,
        frame: &StepFrame,
        with_limits: bool,
        out: &mut Vec<Block>,
    ) {
        if let Some(elements) = &self.elements {
            let unknown = |b: &BodyId| model.body(*b).kind != BodyKind::Static;
            elements.stiffnesses(frame.h, frame.gamma, |a, b, k| {
                let ends = (a.body.filter(unknown), b.body.filter(unknown));
                if let (Some(row), Some(column)) = ends {
                    let r = frame.poses[row.index()].directors * a.local;
                    let r_next = frame.next[column.index()].directors * b.local;
                    out.push(Block {
                        row,
                        column,
                        matrix: point_block(&r, k, &r_next),
                    });
                }
            });
        }
        let factor = frame.h * frame.gamma * (1.0 - frame.gamma);
        for c in self.cushions.iter().filter(|c| c.points[1] > 0) {
            if !with_limits && matches!(c.pair, Pair::JointLimit { .. }) {
                continue;
            }
            // Σ_k g_k (∂λ_k/∂g_l g_l)ᵀ, and half of the drag.
            let dragged = c.drag / c.answer.force.max(f64::MIN_POSITIVE);
            let side =
                |p: &Bearing, side: usize, poses: &[Pose]| -> Option<(BodyId, Vector6<f64>)> {
                    let (body, g) = p.gradient[side]?;
                    let moves = model.body(body).kind != BodyKind::Static;
                    let w = g.wrench(&poses[body.index()].directors);
                    moves.then(|| (body, wrench_vector(&w)))
                };
            for [r, s] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let mut sums = [Vector6::zeros(); 2];
                let mut matrix = Matrix6::zeros();
                let mut ends = None;
                for (p, force) in self.carriers(c) {
                    let (Some((row, left)), Some((column, right))) =
                        (side(p, r, frame.poses), side(p, s, frame.next))
                    else {
                        continue;
                    };
                    let own = factor * c.answer.own + 0.5 * dragged * force;
                    matrix -= left * (right * own).transpose();
                    sums[0] += left;
                    sums[1] += right;
                    ends = Some((row, column));
                }
                matrix += sums[0] * (sums[1] * (factor * c.answer.shared)).transpose();
                if let Some((row, column)) = ends {
                    out.push(Block {
                        row,
                        column,
                        matrix,
                    });
                }
            }
        }
    }

    /// What joint limits that act add to the row of their own freedom, as in
    /// [`add_blocks`](Self::add_blocks): the gap follows the joint's velocity.
    pub fn add_joint_stiffness(&self, model: &Model, h: f64, gamma: f64, out: &mut [f64]) {
        for c in self.cushions.iter().filter(|c| c.gap < 0.0) {
            if let Pair::JointLimit {
                joint, coordinate, ..
            } = c.pair
            {
                let stiff = h * gamma * (1.0 - gamma) * c.stiffness + 0.5 * c.drag;
                out[model.offsets[joint] + coordinate] -= stiff;
            }
        }
    }
}

/// Adds a multiple of a gap's gradient as wrenches on bodies at `poses`.
fn add_along(p: &Bearing, poses: &[Pose], factor: f64, out: &mut [Wrench]) {
    for (b, g) in p.gradient.iter().flatten() {
        let w = g.wrench(&poses[b.index()].directors);
        out[b.index()].force += w.force * factor;
        out[b.index()].torque += w.torque * factor;
    }
}

/// Rate of a gap.
fn rate(p: &Bearing, poses: &[Pose], twists: &[Twist]) -> f64 {
    let sides = p.gradient.iter().flatten();
    sides
        .map(|(b, g)| {
            let (t, d) = (&twists[b.index()], &poses[b.index()].directors);
            g.dot(&t.v, &(hat(&t.w) * d))
        })
        .sum()
}

/// ⟨∇gap, q⁺ − q⟩.
pub(in crate::contact) fn moved(p: &Bearing, increments: &[Increment]) -> f64 {
    let sides = p.gradient.iter().flatten();
    sides
        .map(|(b, g)| {
            let i = &increments[b.index()];
            g.dot(&i.shift, &i.directors)
        })
        .sum()
}
