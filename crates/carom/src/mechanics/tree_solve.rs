//! Linear systems over a tree in time linear in the number of bodies.
//!
//! Solves Sᵀ-reduced balances Pᵀ(q) W P(q⁺) ν = r, W block diagonal (6 × 6 per body), where the rows
//! are reduced at one configuration and the columns move at another. With q⁺ = q and W the inertia
//! this is the mass matrix PᵀMP; in a Newton step it is the Jacobian of the reduced scheme. Bodies
//! are eliminated from the leaves to the root (articulated bodies, not symmetric).

use carom_gap::Pose;
use nalgebra::{Matrix3, Matrix6, Vector6};

use super::kinematics::{JointFrame, joint_frame};
use super::so3::hat;
use super::vectors::blocks;
use crate::model::{BodyKind, JointKind, Model};

/// Storage of the elimination, one entry per body or joint.
#[derive(Clone, Debug, Default)]
pub struct TreeSolver {
    left: Vec<JointFrame>,
    right: Vec<JointFrame>,
    /// W, then the articulated W.
    a: Vec<Matrix6<f64>>,
    bias: Vec<Vector6<f64>>,
    inverse: Vec<Matrix6<f64>>,
    twist: Vec<Vector6<f64>>,
    columns: Vec<[Vector6<f64>; 6]>,
}

/// Inertia of a body as a map from twists to momenta (force, torque about its origin).
pub fn inertia(kind: &BodyKind, pose: &Pose) -> Matrix6<f64> {
    let zero = Matrix3::zeros();
    match kind {
        BodyKind::Rigid { mass, euler_tensor } => {
            let e = pose.directors * euler_tensor * pose.directors.transpose();
            let j = Matrix3::identity() * e.trace() - e;
            blocks(&(Matrix3::identity() * *mass), &zero, &zero, &j)
        }
        BodyKind::Particle { mass } => blocks(&(Matrix3::identity() * *mass), &zero, &zero, &zero),
        BodyKind::Static => Matrix6::zeros(),
    }
}

/// Inverse of the leading k × k block; `None` if singular.
fn invert(m: &Matrix6<f64>, k: usize) -> Option<Matrix6<f64>> {
    let mut a = *m;
    let mut inv = Matrix6::identity();
    for col in 0..k {
        let pivot = (col..k).max_by(|i, j| a[(*i, col)].abs().total_cmp(&a[(*j, col)].abs()))?;
        if a[(pivot, col)] == 0.0 || !a[(pivot, col)].is_finite() {
            return None;
        }
        a.swap_rows(pivot, col);
        inv.swap_rows(pivot, col);
        let scale = 1.0 / a[(col, col)];
        for c in 0..k {
            a[(col, c)] *= scale;
            inv[(col, c)] *= scale;
        }
        for row in 0..k {
            if row != col {
                let f = a[(row, col)];
                for c in 0..k {
                    a[(row, c)] -= f * a[(col, c)];
                    inv[(row, c)] -= f * inv[(col, c)];
                }
            }
        }
    }
    Some(inv)
}

/// X with child twist = X parent twist + S ν; the child of a rod does not turn with its parent.
fn carry_matrix(kind: JointKind, frame: &JointFrame) -> Matrix6<f64> {
    let id = Matrix3::identity();
    let turn = if kind == JointKind::Rod {
        Matrix3::zeros()
    } else {
        id
    };
    blocks(&id, &-hat(&frame.lever), &Matrix3::zeros(), &turn)
}

impl TreeSolver {
    /// Storage for a model.
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies().len();
        let empty = JointFrame {
            lever: Default::default(),
            columns: Default::default(),
            freedom: 0,
        };
        Self {
            left: vec![empty; model.joints().len()],
            right: vec![empty; model.joints().len()],
            a: vec![Matrix6::zeros(); bodies],
            bias: vec![Vector6::zeros(); bodies],
            inverse: vec![Matrix6::zeros(); model.joints().len()],
            twist: vec![Vector6::zeros(); bodies],
            columns: vec![[Vector6::zeros(); 6]; model.joints().len()],
        }
    }

    /// The block W of a body, to be set before [`solve`](Self::solve).
    pub fn block(&mut self, body: usize) -> &mut Matrix6<f64> {
        &mut self.a[body]
    }

    /// Solves Pᵀ(q) W P(q⁺) ν = r for the joints listed (parents first); r becomes ν. False if
    /// singular.
    pub fn solve(
        &mut self,
        model: &Model,
        joints: &[usize],
        poses: &[Pose],
        next: &[Pose],
        r: &mut [f64],
    ) -> bool {
        for &j in joints {
            let joint = &model.joints()[j];
            self.left[j] = joint_frame(model, poses, joint);
            self.right[j] = joint_frame(model, next, joint);
            self.bias[joint.child.index()] = Vector6::zeros();
        }
        for &j in joints.iter().rev() {
            let joint = &model.joints()[j];
            let b = joint.child.index();
            let (left, right) = (&self.left[j], &self.right[j]);
            let k = left.freedom;
            let first = model.offsets[j];
            // A S⁺ and D = Sᵀ A S⁺.
            let mut columns = [Vector6::zeros(); 6];
            for c in 0..k {
                columns[c] = self.a[b] * right.columns[c].vector();
            }
            let mut d = Matrix6::zeros();
            let mut rhs = [0.0; 6];
            for row in 0..k {
                let s = left.columns[row].vector();
                for c in 0..k {
                    d[(row, c)] = s.dot(&columns[c]);
                }
                rhs[row] = r[first + row] - s.dot(&self.bias[b]);
            }
            let Some(inverse) = invert(&d, k) else {
                return false;
            };
            self.inverse[j] = inverse;
            self.columns[j] = columns;
            r[first..first + k].copy_from_slice(&rhs[..k]);
            if let Some(parent) = joint.parent {
                // Articulated: A − A S⁺ D⁻¹ Sᵀ A, bias + A S⁺ D⁻¹ (r − Sᵀ bias).
                let mut a = self.a[b];
                let mut bias = self.bias[b];
                for c in 0..k {
                    let mut share = 0.0;
                    let mut row_vector = Vector6::zeros();
                    for row in 0..k {
                        share += inverse[(c, row)] * rhs[row];
                        row_vector += left.columns[row].vector() * inverse[(c, row)];
                    }
                    bias += columns[c] * share;
                    let st_a = self.a[b].tr_mul(&row_vector);
                    a -= columns[c] * st_a.transpose();
                }
                let x = carry_matrix(joint.kind, left);
                let x_next = carry_matrix(joint.kind, right);
                let p = parent.index();
                self.a[p] += x.tr_mul(&a) * x_next;
                self.bias[p] += x.tr_mul(&bias);
            }
        }
        for &j in joints {
            let joint = &model.joints()[j];
            let b = joint.child.index();
            let k = self.left[j].freedom;
            let first = model.offsets[j];
            let carried = match joint.parent {
                None => Vector6::zeros(),
                Some(p) => carry_matrix(joint.kind, &self.right[j]) * self.twist[p.index()],
            };
            let pushed = self.a[b] * carried;
            let mut rhs = [0.0; 6];
            for row in 0..k {
                rhs[row] = r[first + row];
                if joint.parent.is_some() {
                    rhs[row] -= self.left[j].columns[row].vector().dot(&pushed);
                }
            }
            let mut twist = carried;
            for c in 0..k {
                let mut nu = 0.0;
                for row in 0..k {
                    nu += self.inverse[j][(c, row)] * rhs[row];
                }
                r[first + c] = nu;
                twist += self.right[j].columns[c].vector() * nu;
            }
            self.twist[b] = twist;
        }
        true
    }
}
