//! Velocities from momenta: ν = (PᵀMP)⁻¹ Pᵀp (thesis (3.20)), with loops kept closed.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::dense;
use super::{NO_WRENCH, Parts, Row, Ties, TreeSolver, Wrench, inertia, joint_rows, reduce_joints};
use crate::model::{BodyKind, Model};

/// Storage for velocity solves.
#[derive(Clone, Debug)]
pub struct VelocitySolver {
    tree: TreeSolver,
    /// Bodies on their own: v = p/m and ω = J⁻¹L.
    alone: Vec<Alone>,
    /// All other joints, parents first.
    joints: Vec<usize>,
    loops: Loops,
}

/// A free body that no joint touches.
#[derive(Clone, Copy, Debug)]
struct Alone {
    body: usize,
    first: usize,
    mass: f64,
    /// J⁻¹ in body axes; `None` for a particle.
    inverse_inertia: Option<Matrix3<f64>>,
}

/// Storage for loops: C = G P row by row, M⁻¹Cᵀ, C M⁻¹ Cᵀ.
#[derive(Clone, Debug, Default)]
struct Loops {
    wrenches: Vec<Wrench>,
    rows: Vec<Row>,
    c: Vec<f64>,
    inverse_mass_ct: Vec<f64>,
    gram: Vec<f64>,
    factor: Vec<f64>,
    open: Vec<f64>,
    lambda: Vec<f64>,
    rest: Vec<f64>,
}

impl VelocitySolver {
    /// Storage for a model.
    pub fn new(model: &Model) -> Self {
        let parts = Parts::of(model, Ties::Impulses);
        let mut alone = Vec::new();
        let mut joints = Vec::new();
        for (j, joint) in model.joints().iter().enumerate() {
            let body = joint.child.index();
            let inverse_inertia = match &model.bodies()[body].kind {
                BodyKind::Rigid { euler_tensor, .. } => {
                    let inertia = Matrix3::identity() * euler_tensor.trace() - euler_tensor;
                    Some(inertia.try_inverse())
                }
                _ => None,
            };
            let part = &parts.all[parts.of_body(body)];
            match (part.free_joint(model), inverse_inertia) {
                (None, _) | (_, Some(None)) => joints.push(j),
                (Some(_), inverse) => alone.push(Alone {
                    body,
                    first: model.offsets[j],
                    mass: model.bodies()[body].mass(),
                    inverse_inertia: inverse.flatten(),
                }),
            }
        }
        Self {
            tree: TreeSolver::with_rotors(model),
            alone,
            joints,
            loops: Loops::default(),
        }
    }

    /// Joint velocities of the momenta given as wrenches about the bodies' origins (used up).
    pub fn solve(&mut self, model: &Model, poses: &[Pose], momenta: &mut [Wrench], nu: &mut [f64]) {
        for a in &self.alone {
            let v = momenta[a.body].force / a.mass;
            nu[a.first..a.first + 3].copy_from_slice(v.as_slice());
            if let Some(inverse) = &a.inverse_inertia {
                let d = &poses[a.body].directors;
                let w: Vector3<f64> = d * (inverse * d.tr_mul(&momenta[a.body].torque));
                nu[a.first + 3..a.first + 6].copy_from_slice(w.as_slice());
            }
        }
        if !self.joints.is_empty() {
            reduce_joints(model, &self.joints, poses, momenta, nu);
            self.divide(model, poses, nu);
        }
        if !(model.closures().is_empty() && model.couplings().is_empty()) {
            self.close(model, poses, nu);
        }
    }

    /// π → (PᵀMP)⁻¹ π of the tree.
    fn divide(&mut self, model: &Model, poses: &[Pose], nu: &mut [f64]) {
        for &j in &self.joints {
            let k = model.joints()[j].child.index();
            *self.tree.block(k) = inertia(&model.bodies()[k].kind, &poses[k]);
        }
        self.tree.solve(model, &self.joints, poses, poses, nu);
    }

    /// Takes out the part of ν that would open a loop, in the metric of the mass matrix:
    /// ν − M⁻¹Cᵀ (C M⁻¹ Cᵀ)⁻¹ C ν with C = G P.
    pub fn close(&mut self, model: &Model, poses: &[Pose], nu: &mut [f64]) {
        let n = nu.len();
        let mut loops = std::mem::take(&mut self.loops);
        loops.c.clear();
        loops.wrenches.resize(model.bodies().len(), NO_WRENCH);
        for joint in model.closures() {
            loops.rows.clear();
            joint_rows(joint, poses, &mut loops.rows);
            for row in &loops.rows {
                loops.wrenches.fill(NO_WRENCH);
                if let Some(p) = joint.parent {
                    loops.wrenches[p.index()] = row.parent.wrench(&poses[p.index()].directors);
                }
                let c = joint.child.index();
                loops.wrenches[c] = row.child.wrench(&poses[c].directors);
                let at = loops.c.len();
                loops.c.resize(at + n, 0.0);
                let out = &mut loops.c[at..];
                reduce_joints(model, &self.joints, poses, &mut loops.wrenches, out);
            }
        }
        // Gears: θ₁ − ratio θ₂.
        for coupling in model.couplings() {
            let at = loops.c.len();
            loops.c.resize(at + n, 0.0);
            let [a, b] = coupling.freedoms;
            loops.c[at + a] += 1.0;
            loops.c[at + b] -= coupling.ratio;
        }
        let m = loops.c.len() / n;
        loops.inverse_mass_ct.clear();
        loops.inverse_mass_ct.extend_from_slice(&loops.c);
        for column in loops.inverse_mass_ct.chunks_exact_mut(n) {
            self.divide(model, poses, column);
        }
        loops.correct(m, n, nu);
        self.loops = loops;
    }
}

impl Loops {
    /// ν −= M⁻¹Cᵀ λ with (C M⁻¹ Cᵀ) λ = C ν. Rows may say the same thing twice: a little compliance,
    /// taken back by refinement, picks one of the solutions.
    fn correct(&mut self, m: usize, n: usize, nu: &mut [f64]) {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        self.gram.clear();
        self.open.clear();
        for row in self.c.chunks_exact(n) {
            self.open.push(dot(row, nu));
            for column in self.inverse_mass_ct.chunks_exact(n) {
                self.gram.push(dot(row, column));
            }
        }
        let largest = (0..m)
            .map(|k| self.gram[k * m + k].abs())
            .fold(f64::MIN_POSITIVE, f64::max);
        self.lambda.clear();
        self.lambda.resize(m, 0.0);
        for _ in 0..3 {
            self.factor.clear();
            self.factor.extend_from_slice(&self.gram);
            self.rest.clear();
            for k in 0..m {
                self.factor[k * m + k] += 1e-10 * largest;
                let row = &self.gram[k * m..(k + 1) * m];
                self.rest.push(self.open[k] - dot(row, &self.lambda));
            }
            if !dense::solve(&mut self.factor, &mut self.rest) {
                return;
            }
            for (l, d) in self.lambda.iter_mut().zip(&self.rest) {
                *l += d;
            }
        }
        for (l, column) in self.lambda.iter().zip(self.inverse_mass_ct.chunks_exact(n)) {
            for (v, c) in nu.iter_mut().zip(column) {
                *v -= l * c;
            }
        }
    }
}
