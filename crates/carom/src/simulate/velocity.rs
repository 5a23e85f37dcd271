//! Velocities from momenta: ν = (PᵀMP)⁻¹ Pᵀp, with loops kept closed.

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector};

use crate::mechanics::{Row, TreeSolver, Wrench, inertia, joint_rows, reduce};
use crate::model::Model;

/// Storage for velocity solves.
#[derive(Clone, Debug)]
pub struct VelocitySolver {
    tree: TreeSolver,
    joints: Vec<usize>,
    scratch: Vec<Wrench>,
}

impl VelocitySolver {
    /// Storage for a model.
    pub fn new(model: &Model) -> Self {
        Self {
            tree: TreeSolver::new(model),
            joints: (0..model.joints().len()).collect(),
            scratch: Vec::new(),
        }
    }

    /// Joint velocities of the momenta given as wrenches about the bodies' origins (used up).
    pub fn solve(&mut self, model: &Model, poses: &[Pose], momenta: &mut [Wrench], nu: &mut [f64]) {
        reduce(model, poses, momenta, nu);
        self.divide(model, poses, nu);
        if !model.closures().is_empty() {
            self.keep_loops(model, poses, nu);
        }
    }

    /// π → (PᵀMP)⁻¹ π of the tree.
    fn divide(&mut self, model: &Model, poses: &[Pose], nu: &mut [f64]) {
        for (k, body) in model.bodies().iter().enumerate() {
            *self.tree.block(k) = inertia(&body.kind, &poses[k]);
        }
        self.tree.solve(model, &self.joints, poses, poses, nu);
    }

    /// Takes out the part of ν that would open a loop, in the metric of the mass matrix:
    /// ν − M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ C ν with C = G P.
    fn keep_loops(&mut self, model: &Model, poses: &[Pose], nu: &mut [f64]) {
        let rows = loop_rows(model, poses, &mut self.scratch);
        let n = nu.len();
        let mut inverse_mass_ct = DMatrix::zeros(n, rows.len());
        for (c, row) in rows.iter().enumerate() {
            let mut column = row.clone();
            self.divide(model, poses, &mut column);
            inverse_mass_ct.set_column(c, &DVector::from_vec(column));
        }
        let c = DMatrix::from_fn(rows.len(), n, |i, j| rows[i][j]);
        let open = &c * DVector::from_column_slice(nu);
        let gram = &c * &inverse_mass_ct;
        // Loops may hold redundant rows: least squares.
        let Ok(lambda) = gram.svd(true, true).solve(&open, 1e-12) else {
            return;
        };
        let correction = inverse_mass_ct * lambda;
        for (v, d) in nu.iter_mut().zip(correction.iter()) {
            *v -= d;
        }
    }
}

/// Rows of C = G P for all loop closures.
pub(super) fn loop_rows(model: &Model, poses: &[Pose], scratch: &mut Vec<Wrench>) -> Vec<Vec<f64>> {
    let mut out = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    for joint in model.closures() {
        rows.clear();
        joint_rows(joint, poses, &mut rows);
        for row in &rows {
            scratch.clear();
            scratch.resize(model.bodies().len(), crate::mechanics::NO_WRENCH);
            if let Some(p) = joint.parent {
                scratch[p.index()] = row.parent.wrench(&poses[p.index()].directors);
            }
            let c = joint.child.index();
            scratch[c] = row.child.wrench(&poses[c].directors);
            let mut reduced = vec![0.0; model.tree_freedom];
            reduce(model, poses, scratch, &mut reduced);
            out.push(reduced);
        }
    }
    out
}
