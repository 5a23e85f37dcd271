//! How impulses change velocities: M⁻¹ of the reduced mass matrix, tree by tree.

mod block;
mod response;
mod velocity;

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::pairs::{Pair, body_of};
use crate::mechanics::{
    NO_WRENCH, Row, TreeSolver, Twist, VelocitySolver, Wrench, inertia, linkage,
};
use crate::model::{BodyId, BodyKind, JointKind, Model};

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

/// Bodies connected by joints: an impulse on one moves all.
#[derive(Clone, Debug, Default)]
struct Tree {
    joints: Vec<usize>,
    bodies: Vec<usize>,
    looped: bool,
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
    trees: Vec<Tree>,
    tree_of: Vec<usize>,
    /// Owner of every degree of freedom.
    owner_of: Vec<usize>,
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
        let mut tree_of = vec![usize::MAX; n];
        let mut trees: Vec<Tree> = Vec::new();
        for (j, joint) in model.joints().iter().enumerate() {
            let parent = joint.parent.map(|p| tree_of[p.index()]);
            let tree = match parent {
                Some(t) if t != usize::MAX => t,
                _ => {
                    trees.push(Tree::default());
                    trees.len() - 1
                }
            };
            tree_of[joint.child.index()] = tree;
            trees[tree].joints.push(j);
            trees[tree].bodies.push(joint.child.index());
        }
        // Loops and gears connect trees.
        let loops = model.closures().iter();
        let loops = loops.map(|joint| [Some(joint.child), joint.parent]);
        let geared = |j: usize| Some(model.joints()[j].child);
        let gears = model.couplings().iter().map(|c| c.joints.map(geared));
        for [child, parent] in loops.chain(gears) {
            let Some(child) = child.map(|b| tree_of[b.index()]) else {
                continue;
            };
            trees[child].looped = true;
            let Some(parent) = parent.map(|p| tree_of[p.index()]) else {
                continue;
            };
            if parent == usize::MAX || parent == child {
                continue;
            }
            let moved = std::mem::take(&mut trees[child]);
            moved.bodies.iter().for_each(|&b| tree_of[b] = parent);
            trees[parent].joints.extend(moved.joints);
            trees[parent].joints.sort_unstable();
            trees[parent].bodies.extend(moved.bodies);
            trees[parent].looped = true;
        }
        let mut alone = vec![None; n];
        for tree in trees.iter().filter(|t| t.joints.len() == 1 && !t.looped) {
            let joint = &model.joints()[tree.joints[0]];
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
            if joint.kind == JointKind::Free {
                alone[joint.child.index()] = Some(Alone {
                    first: model.offsets[tree.joints[0]],
                    inverse_mass: 1.0 / body.mass(),
                    inverse_inertia,
                });
            }
        }
        let mut owner_of = vec![0; model.freedom()];
        for (owner, tree) in trees.iter().enumerate() {
            for &j in &tree.joints {
                let first = model.offsets[j];
                owner_of[first..first + model.joint_freedom(j)].fill(owner);
            }
        }
        for (at, l) in model.linkages().iter().enumerate() {
            let first = model.tree_freedom + l.first;
            owner_of[first..first + l.freedom()].fill(trees.len() + at);
        }
        Self {
            trees,
            owner_of,
            tree_of,
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
        model: &Model,
        wrenches: &[Option<(BodyId, Wrench)>; 2],
        freedom: Option<(usize, f64)>,
    ) -> [usize; 2] {
        if let Some((k, _)) = freedom {
            if k >= model.tree_freedom {
                let at = model.linkage_of(k - model.tree_freedom);
                return [self.trees.len() + at, usize::MAX];
            }
            return [self.tree_of_freedom(model, k), usize::MAX];
        }
        wrenches.map(|w| w.map_or(usize::MAX, |(b, _)| self.tree_of[b.index()]))
    }

    /// Number of owners there are.
    pub fn owner_count(&self, model: &Model) -> usize {
        self.trees.len() + model.linkages().len()
    }

    /// Owners of the two sides of a pair.
    pub fn pair_owners(&self, model: &Model, pair: &Pair) -> [usize; 2] {
        match pair {
            Pair::Bodies(a, b) => {
                [a, b].map(|c| body_of(c).map_or(usize::MAX, |b| self.tree_of[b.index()]))
            }
            // Potentials know no impulses.
            Pair::Elastic(_) => [usize::MAX; 2],
            Pair::JointLimit { joint, .. } => {
                let child = model.joints()[*joint].child;
                [self.tree_of[child.index()], usize::MAX]
            }
            Pair::CoordinateLimit { coordinate, .. } => {
                let k = model.tree_freedom + coordinate;
                self.owners(model, &[None; 2], Some((k, 1.0)))
            }
        }
    }

    /// Joints and bodies of an owner; none for a linkage.
    pub fn tree(&self, owner: usize) -> (&[usize], &[usize]) {
        self.trees
            .get(owner)
            .map_or((&[], &[]), |t| (&t.joints[..], &t.bodies[..]))
    }

    /// Number of trees; owners from there on are linkages.
    pub fn tree_count(&self) -> usize {
        self.trees.len()
    }

    /// Makes room for a push on a tree.
    fn clear(&mut self, model: &Model, tree: usize) {
        for &b in &self.trees[tree].bodies {
            self.wrenches[b] = NO_WRENCH;
        }
        for &j in &self.trees[tree].joints {
            let first = model.offsets[j];
            self.values[first..first + model.joint_freedom(j)].fill(0.0);
        }
    }

    /// M⁻¹ of a tree: `values` become velocities.
    fn solve_tree(&mut self, model: &Model, poses: &[Pose], tree: usize) {
        let tree = &self.trees[tree];
        for &b in &tree.bodies {
            *self.solver.block(b) = inertia(&model.bodies()[b].kind, &poses[b]);
        }
        self.solver
            .solve(model, &tree.joints, poses, poses, &mut self.values);
        if tree.looped {
            let tree_values = &mut self.values[..model.tree_freedom];
            self.loops.close(model, poses, tree_values);
        }
    }

    /// The tree a degree of freedom of a joint belongs to.
    fn tree_of_freedom(&self, model: &Model, freedom: usize) -> usize {
        let j = model.offsets.partition_point(|&o| o <= freedom) - 1;
        self.tree_of[model.joints()[j].child.index()]
    }
}

/// D J⁻¹ Dᵀ t.
#[inline]
fn turned(inverse: &Matrix3<f64>, pose: &Pose, torque: &Vector3<f64>) -> Vector3<f64> {
    let d = &pose.directors;
    d * (inverse * d.tr_mul(torque))
}
