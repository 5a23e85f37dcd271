//! Newton's method on the forces at the end of a step.

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::Newmark;
use super::node::add;
use crate::mechanics::{
    StepFrame, Twist, add_influence_blocks, blocks_of, inertia, point_block, solid_stiffnesses,
    wrench_from, wrench_vector,
};
use crate::model::Model;
use crate::simulate::cluster::{Cluster, Kind, merged};
use crate::simulate::sparse::Matrix;

/// Up to this many unknowns stiffness is part of the Newton matrix where there are no elastic bodies;
/// beyond it fixed-point iterations must do.
const DENSE_LIMIT: usize = 600;

impl Newmark {
    /// One Newton correction of f⁺: (M − βh² ∂f/∂q − γh ∂f/∂q̇) a = f(q⁺, q̇⁺) − f⁺, then f⁺ += M a. The
    /// sparse matrix of the correction before is used `again` if it is there.
    pub(super) fn correct(&mut self, model: &Model, h: f64, again: bool) {
        let again = again && self.sparse.has_factors();
        let needs_none = |c: &Cluster| !c.share.solids.is_empty() || c.kind == Kind::Free;
        if !(again && self.clusters.iter().all(needs_none)) {
            self.assemble(model, h);
        }
        // Everything around elastic bodies is one sparse system, the rest dense ones.
        let mut elastic = Vec::new();
        for c in 0..self.clusters.len() {
            let joints = self.clusters[c].joints.iter();
            let bodies = joints.map(|j| model.joints()[*j].child.index());
            if !self.clusters[c].share.solids.is_empty() {
                elastic.extend(bodies);
                continue;
            }
            let bodies: Vec<usize> = bodies.collect();
            let columns = self.columns(&bodies);
            let n: usize = columns.iter().map(Vec::len).sum();
            let free = self.clusters[c].kind == Kind::Free || n > DENSE_LIMIT;
            let mut dense = Matrix::dense(if free { 0 } else { n });
            if free || !self.correct_together(model, &bodies, &columns, (h, false), &mut dense) {
                self.leave(&bodies);
            }
        }
        if !elastic.is_empty() {
            let columns = self.columns(&elastic);
            let mut sparse = std::mem::take(&mut self.sparse);
            if !self.correct_together(model, &elastic, &columns, (h, again), &mut sparse) {
                self.leave(&elastic);
            }
            self.sparse = sparse;
        }
    }

    /// Takes the forces found as the next guess.
    fn leave(&mut self, bodies: &[usize]) {
        for &k in bodies {
            self.guess[k] = self.end.forces[k];
        }
    }

    /// Unit twists of bodies.
    fn columns(&self, bodies: &[usize]) -> Vec<Vec<Twist>> {
        bodies.iter().map(|k| self.movers[*k].columns()).collect()
    }

    /// The frame in which blocks are made: they hold −w h̃ V″ with w = ¼, and half of every damper, so that
    /// with h̃ = 2 β h/γ the sum needed is 2 γ h times them.
    fn frame(&self, h: f64) -> StepFrame<'_> {
        let poses = &self.end.poses;
        StepFrame {
            poses,
            next: poses,
            middle: poses,
            increments: &self.still,
            h: 2.0 * self.beta * h / self.weight(),
            gamma: 0.5,
        }
    }

    /// γ; where it is zero any small one will do.
    fn weight(&self) -> f64 {
        self.gamma.max(1e-3)
    }

    /// Blocks of the matrix, but for those of elements; and who is tied to whom.
    fn assemble(&mut self, model: &Model, h: f64) {
        let mut blocks = std::mem::take(&mut self.blocks);
        let frame = self.frame(h);
        blocks_of(model, &self.field.share, &frame, &mut blocks);
        add_influence_blocks(model, &frame, &mut blocks);
        if let Some(contact) = &self.field.contact {
            contact.add_blocks(model, &frame, true, &mut blocks);
        }
        self.blocks = blocks;
        // Steps that need no matrix need not know who is tied to whom.
        if let Some(contact) = &self.field.contact
            && !self.merged
        {
            let pairs = contact.pairs(model);
            self.clusters = merged(&self.base_clusters, model.bodies().len(), pairs);
            self.merged = true;
        }
    }

    /// The correction of bodies that act on each other, with a new matrix or that of the correction before
    /// `again`; false if it is singular.
    fn correct_together(
        &mut self,
        model: &Model,
        bodies: &[usize],
        columns: &[Vec<Twist>],
        (h, again): (f64, bool),
        matrix: &mut Matrix,
    ) -> bool {
        let firsts: Vec<usize> = columns
            .iter()
            .scan(0, |at, c| {
                *at += c.len();
                Some(*at - c.len())
            })
            .collect();
        let n: usize = columns.iter().map(Vec::len).sum();
        let mut rhs = vec![0.0; n];
        for (at, &k) in bodies.iter().enumerate() {
            let off = wrench_vector(&self.end.forces[k]) - wrench_vector(&self.guess[k]);
            for (i, c) in columns[at].iter().enumerate() {
                rhs[firsts[at] + i] = c.vector().dot(&off);
            }
        }
        let solved = if again {
            matrix.solve_again(&mut rhs)
        } else {
            self.places.clear();
            self.places.resize(model.bodies().len(), usize::MAX);
            for (at, &k) in bodies.iter().enumerate() {
                self.places[k] = at;
            }
            self.fill(model, bodies, (columns, &firsts), h, matrix);
            matrix.solve(&mut rhs)
        };
        if !solved {
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

    /// M − βh² ∂f/∂q − γh ∂f/∂q̇ of bodies with the given unit twists, whose unknowns begin at `firsts`.
    fn fill(
        &self,
        model: &Model,
        bodies: &[usize],
        (columns, firsts): (&[Vec<Twist>], &[usize]),
        h: f64,
        matrix: &mut Matrix,
    ) {
        matrix.clear();
        let enter = |matrix: &mut Matrix, row: usize, column: usize, block: &Matrix6<f64>| {
            for (j, c) in columns[column].iter().enumerate() {
                let pushed = block * c.vector();
                for (i, r) in columns[row].iter().enumerate() {
                    matrix.add(firsts[row] + i, firsts[column] + j, r.vector().dot(&pushed));
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
            enter(matrix, at, at, &own);
        }
        let factor = -2.0 * self.weight() * h;
        for b in &self.blocks {
            let (row, column) = (self.places[b.row.index()], self.places[b.column.index()]);
            if row != usize::MAX && column != usize::MAX {
                enter(matrix, row, column, &(b.matrix * factor));
            }
        }
        if let Matrix::Dense { .. } = matrix {
            return;
        }
        let poses = &self.end.poses;
        solid_stiffnesses(model, &self.field.share, &self.frame(h), |a, b, k| {
            let (Some(p), Some(q)) = (a.body, b.body) else {
                return;
            };
            let (row, column) = (self.places[p.index()], self.places[q.index()]);
            if model.is_particle(p) && model.is_particle(q) {
                for i in 0..3 {
                    for j in 0..3 {
                        matrix.add(firsts[row] + i, firsts[column] + j, k[(i, j)] * factor);
                    }
                }
                return;
            }
            let [r, r_next] = [(a, p), (b, q)].map(|(x, b)| poses[b.index()].directors * x.local);
            enter(
                matrix,
                row,
                column,
                &point_block(&r, &(k * factor), &r_next),
            );
        });
    }
}
