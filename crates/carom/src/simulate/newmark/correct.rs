//! Newton's method on the forces at the end of a step.

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::Newmark;
use super::node::add;
use crate::mechanics::{StepFrame, Twist, blocks_of, dense, inertia, wrench_from, wrench_vector};
use crate::model::{BodyId, Model};
use crate::simulate::cluster::Kind;

/// Up to this many unknowns stiffness is part of the Newton matrix; beyond it fixed-point
/// iterations must do.
const DENSE_LIMIT: usize = 600;

impl Newmark {
    /// One Newton correction of f⁺: (M − βh² ∂f/∂q − γh ∂f/∂q̇) a = f(q⁺, q̇⁺) − f⁺, then f⁺ += M a.
    pub(super) fn correct(&mut self, model: &Model, h: f64) {
        // The blocks of a step hold −w h̃ V″ with w = ¼, and half of every damper: with
        // h̃ = 2 β h/γ the sum needed is 2 γ h times them. Where γ = 0 any small one will do.
        let gamma = self.gamma.max(1e-3);
        let frame = StepFrame {
            poses: &self.end.poses,
            next: &self.end.poses,
            middle: &self.end.poses,
            increments: &self.still,
            h: 2.0 * self.beta * h / gamma,
            gamma: 0.5,
        };
        blocks_of(model, &self.field.share, &frame, &mut self.blocks);
        if let Some(contact) = &self.field.contact {
            contact.add_blocks(model, &frame, true, &mut self.blocks);
        }
        for c in 0..self.clusters.len() {
            let joints = self.clusters[c].joints.iter();
            let bodies: Vec<usize> = joints.map(|j| model.joints()[*j].child.index()).collect();
            let free = self.clusters[c].kind == Kind::Free;
            if free || !self.correct_together(model, &bodies, h, gamma) {
                for &k in &bodies {
                    self.guess[k] = self.end.forces[k];
                }
            }
        }
    }

    /// The correction of bodies that act on each other, dense; false if they are too many or their
    /// matrix is singular.
    fn correct_together(&mut self, model: &Model, bodies: &[usize], h: f64, gamma: f64) -> bool {
        let columns: Vec<Vec<Twist>> = bodies.iter().map(|k| self.movers[*k].columns()).collect();
        let firsts: Vec<usize> = columns
            .iter()
            .scan(0, |at, c| {
                *at += c.len();
                Some(*at - c.len())
            })
            .collect();
        let n: usize = columns.iter().map(Vec::len).sum();
        if n > DENSE_LIMIT {
            return false;
        }
        let mut matrix = vec![0.0; n * n];
        let mut rhs = vec![0.0; n];
        let mut enter = |row: usize, column: usize, block: &Matrix6<f64>| {
            for (j, c) in columns[column].iter().enumerate() {
                let pushed = block * c.vector();
                for (i, r) in columns[row].iter().enumerate() {
                    matrix[(firsts[row] + i) * n + firsts[column] + j] += r.vector().dot(&pushed);
                }
            }
        };
        for (at, &k) in bodies.iter().enumerate() {
            let pose = &self.end.poses[k];
            let mut own = inertia(&model.bodies()[k].kind, pose);
            // Torques of forces that keep their direction: ∂(Σ dᵢ × yᵢ) = (D Yᵀ − tr I) ω.
            let a = pose.directors * self.field.potential[k].directors.transpose();
            let turned = (a - Matrix3::identity() * a.trace()) * (self.beta * h * h);
            for i in 0..3 {
                for j in 0..3 {
                    own[(3 + i, 3 + j)] -= turned[(i, j)];
                }
            }
            enter(at, at, &own);
            let off = wrench_vector(&self.end.forces[k]) - wrench_vector(&self.guess[k]);
            for (i, c) in columns[at].iter().enumerate() {
                rhs[firsts[at] + i] = c.vector().dot(&off);
            }
        }
        let place = |body: BodyId| bodies.iter().position(|k| *k == body.index());
        for b in &self.blocks {
            if let (Some(row), Some(column)) = (place(b.row), place(b.column)) {
                enter(row, column, &(b.matrix * (-2.0 * gamma * h)));
            }
        }
        if !dense::solve(&mut matrix, &mut rhs) {
            return false;
        }
        for (at, &k) in bodies.iter().enumerate() {
            let mut twist = Vector6::zeros();
            for (i, c) in columns[at].iter().enumerate() {
                twist += c.vector() * rhs[firsts[at] + i];
            }
            let change = inertia(&model.bodies()[k].kind, &self.end.poses[k]) * twist;
            let change = self.movers[k].felt(&wrench_from(&change));
            self.guess[k] = add(&self.guess[k], &change, 1.0);
        }
        true
    }
}
