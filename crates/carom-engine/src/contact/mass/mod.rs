//! How impulses change velocities: M⁻¹ of the reduced mass matrix PᵀMP (thesis (3.20)), tree by tree.

mod block;
mod response;
mod velocity;

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use crate::mechanics::{
    NO_WRENCH, Parts, Row, Ties, TreeSolver, Twist, VelocitySolver, Wrench, inertia, linkage,
};
use crate::model::{BodyId, BodyKind, Model};

/// A degree of freedom an impulse reaches: g = Pᵀ∇gap and what it does, M⁻¹g.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Degree of freedom: joints first, then coordinates of linkages.
    pub freedom: usize,
    /// g.
    pub gradient: f64,
    /// M⁻¹ g.
    pub response: f64,
}

/// A body that no joint touches.
#[derive(Clone, Copy, Debug)]
struct Alone {
    first: usize,
    inverse_mass: f64,
    /// J⁻¹ in body axes; `None` for a particle.
    inverse_inertia: Option<Matrix3<f64>>,
}

/// M⁻¹ of a model.
#[derive(Debug)]
pub struct MassMetric {
    /// Trees and linkages, which own what belongs to them: an impulse on one body of a tree moves all.
    parts: Parts,
    alone: Vec<Option<Alone>>,
    solver: TreeSolver,
    loops: VelocitySolver,
    wrenches: Vec<Wrench>,
    values: Vec<f64>,
    end: linkage::End,
    mass: Vec<f64>,
    seen: Vec<usize>,
    twists: Vec<Twist>,
    closing: Vec<Row>,
    response: Vec<f64>,
}

impl MassMetric {
    /// Storage for a model.
    pub fn new(model: &Model) -> Self {
        let n = model.bodies().len();
        let parts = Parts::of(model, Ties::Impulses);
        let mut alone = vec![None; n];
        for j in parts.trees().filter_map(|tree| tree.free_joint(model)) {
            let joint = &model.joints()[j];
            let body = &model.bodies()[joint.child.index()];
            let inverse_inertia = match &body.kind {
                BodyKind::Rigid { euler_tensor, .. } => {
                    let inertia = Matrix3::identity() * euler_tensor.trace() - euler_tensor;
                    match inertia.try_inverse() {
                        Some(inverse) => Some(inverse),
                        None => continue,
                    }
                }
                _ => None,
            };
            alone[joint.child.index()] = Some(Alone {
                first: model.offsets[j],
                inverse_mass: 1.0 / body.mass(),
                inverse_inertia,
            });
        }
        Self {
            parts,
            alone,
            solver: TreeSolver::with_rotors(model),
            loops: VelocitySolver::new(model),
            wrenches: vec![NO_WRENCH; n],
            values: vec![0.0; model.freedom()],
            end: linkage::End::default(),
            mass: Vec::new(),
            seen: Vec::new(),
            twists: Vec::new(),
            closing: Vec::new(),
            response: Vec::new(),
        }
    }

    /// What the sides of a push belong to: impulses on one are felt by everything of the same.
    pub fn owners(
        &self,
        wrenches: &[Option<(BodyId, Wrench)>; 2],
        freedom: Option<(usize, f64)>,
    ) -> [usize; 2] {
        if let Some((k, _)) = freedom {
            return [self.parts.of_freedom(k), usize::MAX];
        }
        wrenches.map(|w| w.map_or(usize::MAX, |(b, _)| self.parts.of_body(b.index())))
    }

    /// The owners: parts of the model that an impulse on one of its bodies moves.
    pub(crate) fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Makes room for a push on a tree.
    fn clear(&mut self, model: &Model, tree: usize) {
        for &b in &self.parts.all[tree].bodies {
            self.wrenches[b] = NO_WRENCH;
        }
        for &j in &self.parts.all[tree].joints {
            let first = model.offsets[j];
            self.values[first..first + model.joint_freedom(j)].fill(0.0);
        }
    }

    /// M⁻¹ of a tree: `values` become velocities.
    fn solve_tree(&mut self, model: &Model, poses: &[Pose], tree: usize) {
        let tree = &self.parts.all[tree];
        for &b in &tree.bodies {
            *self.solver.block(b) = inertia(&model.bodies()[b].kind, &poses[b]);
        }
        self.solver
            .solve(model, &tree.joints, poses, poses, &mut self.values);
        if tree.is_looped() {
            let tree_values = &mut self.values[..model.tree_freedom];
            self.loops.close(model, poses, tree_values);
        }
    }
}

/// D J⁻¹ Dᵀ t.
#[inline]
fn turned(inverse: &Matrix3<f64>, pose: &Pose, torque: &Vector3<f64>) -> Vector3<f64> {
    let d = &pose.directors;
    d * (inverse * d.tr_mul(torque))
}
