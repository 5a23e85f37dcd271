//! How impulses change velocities: M⁻¹ of the reduced mass matrix, tree by tree.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::manifold::body_of;
use super::pairs::Pair;
use crate::mechanics::{
    NO_WRENCH, TreeSolver, Twist, VelocitySolver, Wrench, carry, dense, inertia, joint_frame,
    linkage, reduce_joints,
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
    alone: Vec<Option<Alone>>,
    solver: TreeSolver,
    loops: VelocitySolver,
    wrenches: Vec<Wrench>,
    values: Vec<f64>,
    end: linkage::End,
    mass: Vec<f64>,
    seen: Vec<usize>,
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
        // Loops connect trees.
        for joint in model.closures() {
            let child = tree_of[joint.child.index()];
            trees[child].looped = true;
            let Some(parent) = joint.parent.map(|p| tree_of[p.index()]) else {
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
        Self {
            trees,
            tree_of,
            alone,
            solver: TreeSolver::new(model),
            loops: VelocitySolver::new(model),
            wrenches: vec![NO_WRENCH; n],
            values: vec![0.0; model.freedom()],
            end: linkage::End::default(),
            mass: Vec::new(),
            seen: Vec::new(),
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
                let at = model
                    .linkages()
                    .iter()
                    .rposition(|l| l.first <= k - model.tree_freedom);
                return [self.trees.len() + at.unwrap_or(0), usize::MAX];
            }
            let j = model.offsets.partition_point(|&o| o <= k) - 1;
            return [self.tree_of[model.joints()[j].child.index()], usize::MAX];
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

    /// Appends what a unit multiplier of ∇gap does, given as wrenches on bodies or as the rate of
    /// one degree of freedom. Returns ⟨g, M⁻¹g⟩.
    pub fn response(
        &mut self,
        model: &Model,
        poses: &[Pose],
        coordinates: &[f64],
        wrenches: &[Option<(BodyId, Wrench)>; 2],
        freedom: Option<(usize, f64)>,
        out: &mut Vec<Entry>,
    ) -> f64 {
        let from = out.len();
        match freedom {
            Some((k, sign)) if k >= model.tree_freedom => {
                self.linkage_response(model, coordinates, k - model.tree_freedom, sign, out);
            }
            Some((k, sign)) => {
                let j = model.offsets.partition_point(|&o| o <= k) - 1;
                let tree = self.tree_of[model.joints()[j].child.index()];
                self.clear(model, tree);
                self.values[k] = sign;
                self.tree_response(model, poses, tree, Some((k, sign)), out);
            }
            None => {
                self.seen.clear();
                for (body, w) in wrenches.iter().flatten() {
                    let k = body.index();
                    if let Some(a) = self.alone[k] {
                        push_alone(&a, &poses[k], w, out);
                        continue;
                    }
                    let tree = self.tree_of[k];
                    if tree == usize::MAX || self.seen.contains(&tree) {
                        continue;
                    }
                    self.seen.push(tree);
                    self.clear(model, tree);
                    for (other, w) in wrenches.iter().flatten() {
                        if self.tree_of[other.index()] == tree {
                            let sum = &mut self.wrenches[other.index()];
                            sum.force += w.force;
                            sum.torque += w.torque;
                        }
                    }
                    self.tree_response(model, poses, tree, None, out);
                }
            }
        }
        out[from..].iter().map(|e| e.gradient * e.response).sum()
    }

    fn clear(&mut self, model: &Model, tree: usize) {
        for &b in &self.trees[tree].bodies {
            self.wrenches[b] = NO_WRENCH;
        }
        for &j in &self.trees[tree].joints {
            let first = model.offsets[j];
            self.values[first..first + model.joint_freedom(j)].fill(0.0);
        }
    }

    /// Solves one tree for the wrenches set, or for a unit of one degree of freedom.
    fn tree_response(
        &mut self,
        model: &Model,
        poses: &[Pose],
        tree: usize,
        freedom: Option<(usize, f64)>,
        out: &mut Vec<Entry>,
    ) {
        let tree = &self.trees[tree];
        if freedom.is_none() {
            reduce_joints(
                model,
                &tree.joints,
                poses,
                &mut self.wrenches,
                &mut self.values,
            );
        }
        let from = out.len();
        for &j in &tree.joints {
            let first = model.offsets[j];
            for k in first..first + model.joint_freedom(j) {
                out.push(Entry {
                    freedom: k,
                    gradient: self.values[k],
                    response: 0.0,
                });
            }
        }
        for &b in &tree.bodies {
            *self.solver.block(b) = inertia(&model.bodies()[b].kind, &poses[b]);
        }
        self.solver
            .solve(model, &tree.joints, poses, poses, &mut self.values);
        if tree.looped {
            let tree_values = &mut self.values[..model.tree_freedom];
            self.loops.close(model, poses, tree_values);
        }
        for e in &mut out[from..] {
            e.response = self.values[e.freedom];
        }
    }

    fn linkage_response(
        &mut self,
        model: &Model,
        coordinates: &[f64],
        coordinate: usize,
        sign: f64,
        out: &mut Vec<Entry>,
    ) {
        let Some(l) = model
            .linkages()
            .iter()
            .rev()
            .find(|l| l.first <= coordinate)
        else {
            return;
        };
        let range = l.first..l.first + l.freedom();
        linkage::mass_matrix(
            l,
            &coordinates[range.clone()],
            &mut self.end,
            &mut self.mass,
        );
        let mut g = vec![0.0; l.freedom()];
        g[coordinate - l.first] = sign;
        let mut response = g.clone();
        if !dense::solve(&mut self.mass, &mut response) {
            return;
        }
        for (k, (gradient, response)) in g.into_iter().zip(response).enumerate() {
            out.push(Entry {
                freedom: model.tree_freedom + l.first + k,
                gradient,
                response,
            });
        }
    }

    /// Velocities of the trees of some bodies from their momenta (as wrenches).
    pub fn velocities(
        &mut self,
        model: &Model,
        poses: &[Pose],
        bodies: &[usize],
        momentum: impl Fn(usize) -> Wrench,
        nu: &mut [f64],
    ) {
        self.seen.clear();
        for &k in bodies {
            if let Some(a) = self.alone[k] {
                let p = momentum(k);
                let v = p.force * a.inverse_mass;
                nu[a.first..a.first + 3].copy_from_slice(v.as_slice());
                if let Some(inverse) = &a.inverse_inertia {
                    let w = turned(inverse, &poses[k], &p.torque);
                    nu[a.first + 3..a.first + 6].copy_from_slice(w.as_slice());
                }
                continue;
            }
            let tree = self.tree_of[k];
            if tree == usize::MAX || self.seen.contains(&tree) {
                continue;
            }
            self.seen.push(tree);
            self.clear(model, tree);
            let t = &self.trees[tree];
            for &b in &t.bodies {
                self.wrenches[b] = momentum(b);
                *self.solver.block(b) = inertia(&model.bodies()[b].kind, &poses[b]);
            }
            reduce_joints(
                model,
                &t.joints,
                poses,
                &mut self.wrenches,
                &mut self.values,
            );
            self.solver
                .solve(model, &t.joints, poses, poses, &mut self.values);
            if t.looped {
                let tree_values = &mut self.values[..model.tree_freedom];
                self.loops.close(model, poses, tree_values);
            }
            for &j in &t.joints {
                let range = model.offsets[j]..model.offsets[j] + model.joint_freedom(j);
                nu[range.clone()].copy_from_slice(&self.values[range]);
            }
        }
    }

    /// ½ Σ νᵀ M ν of the trees of some bodies, from their velocities.
    pub fn kinetic(&self, model: &Model, poses: &[Pose], bodies: &[usize], nu: &[f64]) -> f64 {
        let mut twists: Vec<Twist> = Vec::new();
        let mut sum = 0.0;
        let mut seen: Vec<usize> = Vec::new();
        for &k in bodies {
            let tree = self.tree_of[k];
            if tree == usize::MAX || seen.contains(&tree) {
                continue;
            }
            if let Some(a) = self.alone[k] {
                let v = &nu[a.first..a.first + 3];
                sum += 0.5 * v.iter().map(|v| v * v).sum::<f64>() / a.inverse_mass;
                if let BodyKind::Rigid { euler_tensor, .. } = &model.bodies()[k].kind {
                    let w = Vector3::from_column_slice(&nu[a.first + 3..a.first + 6]);
                    let w = poses[k].directors.tr_mul(&w);
                    sum += 0.5
                        * (w.norm_squared() * euler_tensor.trace() - w.dot(&(euler_tensor * w)));
                }
                continue;
            }
            twists.resize(model.bodies().len(), Twist::default());
            seen.push(tree);
            for &j in &self.trees[tree].joints {
                let joint = &model.joints()[j];
                let frame = joint_frame(model, poses, joint);
                let parent = joint.parent.map_or(Twist::default(), |p| twists[p.index()]);
                let first = model.offsets[j];
                let b = joint.child.index();
                let mut twist = carry(&frame, &parent, &nu[first..first + frame.freedom]);
                if model.is_particle(joint.child) {
                    twist.w = Vector3::zeros();
                }
                twists[b] = twist;
                let t = twist.vector();
                sum += 0.5 * t.dot(&(inertia(&model.bodies()[b].kind, &poses[b]) * t));
            }
        }
        sum
    }

    /// Rates of a linkage's coordinates from their momenta.
    pub fn rates(
        &mut self,
        model: &Model,
        at: usize,
        coordinates: &[f64],
        momenta: &[f64],
        nu: &mut [f64],
    ) {
        let l = &model.linkages()[at];
        let range = l.first..l.first + l.freedom();
        linkage::mass_matrix(
            l,
            &coordinates[range.clone()],
            &mut self.end,
            &mut self.mass,
        );
        let rates =
            &mut nu[model.tree_freedom + l.first..model.tree_freedom + l.first + l.freedom()];
        rates.copy_from_slice(&momenta[range]);
        dense::solve(&mut self.mass, rates);
    }
}

/// D J⁻¹ Dᵀ t.
#[inline]
fn turned(inverse: &Matrix3<f64>, pose: &Pose, torque: &Vector3<f64>) -> Vector3<f64> {
    let d = &pose.directors;
    d * (inverse * d.tr_mul(torque))
}

#[inline]
fn push_alone(a: &Alone, pose: &Pose, w: &Wrench, out: &mut Vec<Entry>) {
    for k in 0..3 {
        out.push(Entry {
            freedom: a.first + k,
            gradient: w.force[k],
            response: w.force[k] * a.inverse_mass,
        });
    }
    if let Some(inverse) = &a.inverse_inertia {
        let response = turned(inverse, pose, &w.torque);
        for k in 0..3 {
            out.push(Entry {
                freedom: a.first + 3 + k,
                gradient: w.torque[k],
                response: response[k],
            });
        }
    }
}
