//! Linear systems over a tree in time linear in the number of bodies.
//!
//! Solves Sᵀ-reduced balances Pᵀ(q) W P(q⁺) ν = r, W block diagonal (6 × 6 per body), where the rows
//! are reduced at one configuration and the columns move at another. With q⁺ = q and W the inertia
//! this is the mass matrix PᵀMP; in a Newton step it is the Jacobian of the reduced scheme. Bodies
//! are eliminated from the leaves to the root (articulated bodies, not symmetric).

use carom_gap::Pose;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

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
    /// What joint velocities do to the balance of their own joint, besides the bodies.
    stiff: Vec<f64>,
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
    if k == 1 {
        inv[(0, 0)] = 1.0 / m[(0, 0)];
        return inv[(0, 0)].is_finite().then_some(inv);
    }
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

/// Xᵀ A X⁺ with X = [ I, −l̂ ; 0, T ]: child twist = X parent twist + S ν, where T = I but for the
/// child of a rod, which does not turn with its parent (T = 0).
#[inline]
fn carried_block(
    kind: JointKind,
    l: &Vector3<f64>,
    a: &Matrix6<f64>,
    l_next: &Vector3<f64>,
) -> Matrix6<f64> {
    let part = |r: usize, c: usize| a.fixed_view::<3, 3>(r, c).into_owned();
    let (l, l_next) = (hat(l), hat(l_next));
    let a11 = part(0, 0);
    let mut b12 = -(a11 * l_next);
    let mut b21 = l * a11;
    let mut b22 = l * b12;
    if kind != JointKind::Rod {
        let (a12, a21) = (part(0, 3), part(3, 0));
        b12 += a12;
        b22 += l * a12 - a21 * l_next + part(3, 3);
        b21 += a21;
    }
    blocks(&a11, &b12, &b21, &b22)
}

/// Xᵀ w: a wrench as the parent feels it.
#[inline]
fn carried_wrench(kind: JointKind, l: &Vector3<f64>, w: &Vector6<f64>) -> Vector6<f64> {
    let f = Vector3::new(w[0], w[1], w[2]);
    let mut t = l.cross(&f);
    if kind != JointKind::Rod {
        t += Vector3::new(w[3], w[4], w[5]);
    }
    Vector6::new(f.x, f.y, f.z, t.x, t.y, t.z)
}

/// X t: the parent's twist as it carries the child.
#[inline]
fn carried_twist(kind: JointKind, l: &Vector3<f64>, t: &Vector6<f64>) -> Vector6<f64> {
    let w = Vector3::new(t[3], t[4], t[5]);
    let v = Vector3::new(t[0], t[1], t[2]) + w.cross(l);
    let w = if kind == JointKind::Rod {
        Vector3::zeros()
    } else {
        w
    };
    Vector6::new(v.x, v.y, v.z, w.x, w.y, w.z)
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
            stiff: vec![0.0; model.tree_freedom],
        }
    }

    /// The same with the rotors of the joints, for mass matrices.
    pub fn with_rotors(model: &Model) -> Self {
        let mut solver = Self::new(model);
        for law in model.joint_laws().iter().filter(|l| l.joint.is_some()) {
            solver.stiff[law.freedom] = law.physics.armature;
        }
        solver
    }

    /// The block W of a body, to be set before [`solve`](Self::solve).
    pub fn block(&mut self, body: usize) -> &mut Matrix6<f64> {
        &mut self.a[body]
    }

    /// What the velocity of each freedom adds to its own row, zero unless set.
    pub fn stiff(&mut self) -> &mut [f64] {
        &mut self.stiff
    }

    /// Solves (Pᵀ(q) W P(q⁺) + diag(stiff)) ν = r for the joints listed (parents first); r becomes
    /// ν. False if singular.
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
                d[(row, row)] += self.stiff[first + row];
                rhs[row] = r[first + row] - s.dot(&self.bias[b]);
            }
            let Some(inverse) = invert(&d, k) else {
                return false;
            };
            self.inverse[j] = inverse;
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
                let p = parent.index();
                self.a[p] += carried_block(joint.kind, &left.lever, &a, &right.lever);
                self.bias[p] += carried_wrench(joint.kind, &left.lever, &bias);
            }
        }
        for &j in joints {
            let joint = &model.joints()[j];
            let b = joint.child.index();
            let k = self.left[j].freedom;
            let first = model.offsets[j];
            let carried = match joint.parent {
                None => Vector6::zeros(),
                Some(p) => carried_twist(joint.kind, &self.right[j].lever, &self.twist[p.index()]),
            };
            let mut rhs = [0.0; 6];
            rhs[..k].copy_from_slice(&r[first..first + k]);
            if joint.parent.is_some() {
                let pushed = self.a[b] * carried;
                for row in 0..k {
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
