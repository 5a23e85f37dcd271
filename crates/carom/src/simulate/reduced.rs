//! The reduced step (thesis (3.13)): Pᵀ(q)[p + D₁L_d(q, F_d(u, q), h) + f⁻] = 0 for u, by Newton's
//! method with the exact Jacobian, to stagnation.
//!
//! All clusters iterate together; each solves its own linear system: a free body 3 × 3, a tree by
//! elimination in linear time, coupled bodies and loops densely.

use carom_gap::Pose;
use nalgebra::{Matrix3, Matrix6, Vector3};

use super::cluster::{Cluster, Kind, clusters};
use super::coupled::Coupled;
use super::{STALLED, SimulateError, State, free_body, guard};
use crate::contact::ContactPotential;
use crate::mechanics::{
    Block, Covector, Increment, NO_WRENCH, Share, StepFrame, TreeSolver, Wrench, add_dampers,
    along_joint, between, blocks, blocks_of, hand_down, increment_rate, joint_frame, orthonormal,
    potential_forces, retract_joint, row_count,
};
use crate::model::{BodyId, BodyKind, Model};

/// Up to this many unknowns coupled clusters are solved densely; beyond it the coupling is left to
/// the iteration.
const DENSE_LIMIT: usize = 600;

/// Unknowns and storage of the reduced scheme.
#[derive(Debug)]
pub(super) struct Reduced {
    /// Contact by potentials, and the clusters without it.
    contact: Option<ContactPotential>,
    base_clusters: Vec<Cluster>,
    clusters: Vec<Cluster>,
    /// The clusters of the present step, the joints of all of them but the free ones (parents
    /// first), their bodies and forces.
    which: Vec<usize>,
    held: Vec<usize>,
    share: Share,
    u: Vec<f64>,
    residual: Vec<f64>,
    /// Momentum and loads at q, before the motion is known.
    base: Vec<Wrench>,
    wrenches: Vec<Wrench>,
    /// Sizes of the forces and torques that make up each wrench.
    sizes: Vec<[f64; 2]>,
    pub increments: Vec<Increment>,
    pub next: Vec<Pose>,
    pub middle: Vec<Pose>,
    pub forces: Vec<Covector>,
    blocks: Vec<Block>,
    tree: TreeSolver,
    coupled: Vec<Coupled>,
    /// First multiplier of each closure.
    loop_offsets: Vec<usize>,
    /// Of each cluster in a step: the least residual so far, and whether it is solved.
    best: Vec<f64>,
    done: Vec<bool>,
}

impl Reduced {
    pub fn new(model: &Model, contact: Option<ContactPotential>) -> Self {
        let clusters = clusters(model);
        let bodies = model.bodies().len();
        let coupled = coupled_of(model, &clusters);
        let mut loops = 0;
        let loop_offsets = model
            .closures()
            .iter()
            .map(|joint| {
                loops += row_count(joint.kind);
                loops - row_count(joint.kind)
            })
            .collect();
        Self {
            best: vec![0.0; clusters.len()],
            done: vec![false; clusters.len()],
            loop_offsets,
            contact,
            base_clusters: clusters.clone(),
            clusters,
            which: Vec::new(),
            held: Vec::new(),
            share: Share::default(),
            u: vec![0.0; model.tree_freedom],
            residual: vec![0.0; model.tree_freedom],
            base: vec![NO_WRENCH; bodies],
            wrenches: vec![NO_WRENCH; bodies],
            sizes: vec![[0.0; 2]; bodies],
            increments: vec![Increment::default(); bodies],
            next: model.bodies().iter().map(|b| b.start).collect(),
            middle: model.bodies().iter().map(|b| b.start).collect(),
            forces: vec![Covector::default(); bodies],
            blocks: Vec::new(),
            tree: TreeSolver::new(model),
            coupled,
        }
    }

    /// Parts of the model that nothing couples within a step.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// Chooses the clusters of the next steps.
    pub fn choose(&mut self, which: &[usize]) {
        if self.which == which {
            return;
        }
        self.which.clear();
        self.which.extend_from_slice(which);
        self.held.clear();
        self.share.clear();
        for &c in which {
            let cluster = &self.clusters[c];
            self.share.extend(&cluster.share);
            if cluster.kind != Kind::Free {
                self.held.extend_from_slice(&cluster.joints);
            }
        }
    }

    /// Bodies and forces of the clusters chosen.
    pub fn share(&self) -> &Share {
        &self.share
    }

    /// Joints of the clusters chosen.
    pub fn joints(&self) -> impl Iterator<Item = usize> + '_ {
        let joints = self.which.iter().map(|&c| &self.clusters[c].joints);
        joints.flatten().copied()
    }

    /// Finds the motion of a step of the clusters chosen; `loads` are the wrenches f⁻ at q. Returns
    /// the number of iterations.
    pub fn solve(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        gamma: f64,
        loads: &[Wrench],
        max_iterations: usize,
    ) -> Result<u32, SimulateError> {
        let mut iterations = 0;
        self.merge_contacts(model, state, h);
        for &k in &self.share.bodies {
            let mut w = state.momentum(model, k);
            w.force += loads[k].force;
            w.torque += loads[k].torque;
            self.base[k] = w;
        }
        for at in 0..self.which.len() {
            let cluster = &self.clusters[self.which[at]];
            if cluster.kind == Kind::Free {
                let j = cluster.joints[0];
                iterations = iterations.max(self.free(model, state, h, gamma, j)?);
            }
        }
        if !self.held.is_empty() {
            iterations = iterations.max(self.newton(model, state, h, gamma, max_iterations)?);
        }
        self.forces_between(model, state, gamma);
        guard::turns(model, &self.share, state, &self.increments, &self.next, h)?;
        Ok(iterations)
    }

    /// Forces of the potentials between q and q⁺.
    fn forces_between(&mut self, model: &Model, state: &State, gamma: f64) {
        between(
            &self.share,
            &state.poses,
            &self.next,
            gamma,
            &mut self.middle,
        );
        potential_forces(model, &self.share, &self.middle, &mut self.forces);
        if let Some(contact) = &mut self.contact {
            contact.evaluate(model, &self.middle);
            contact.add_forces(&mut self.forces);
        }
    }

    /// Contact by potentials.
    pub fn contact(&mut self) -> Option<&mut ContactPotential> {
        self.contact.as_mut()
    }

    /// Contact by potentials, to look at.
    pub fn soft(&self) -> Option<&ContactPotential> {
        self.contact.as_ref()
    }

    /// Bodies that potentials of contact may couple in this step are solved together.
    fn merge_contacts(&mut self, model: &Model, state: &State, h: f64) {
        let Some(contact) = &mut self.contact else {
            return;
        };
        contact.prepare(model, &state.poses, reach(model, state, h));
        let mut place = vec![usize::MAX; model.bodies().len()];
        for (c, cluster) in self.base_clusters.iter().enumerate() {
            cluster.share.bodies.iter().for_each(|&b| place[b] = c);
        }
        let mut root: Vec<usize> = (0..self.base_clusters.len()).collect();
        let mut pressed = vec![false; root.len()];
        for pair in contact.pairs() {
            let of = |b: Option<BodyId>| b.map(|b| place[b.index()]).filter(|c| *c != usize::MAX);
            let sides = pair.map(of);
            sides.iter().flatten().for_each(|&c| pressed[c] = true);
            if let [Some(a), Some(b)] = sides {
                let (a, b) = (root[a], root[b]);
                let (low, high) = (a.min(b), a.max(b));
                root.iter_mut()
                    .filter(|r| **r == high)
                    .for_each(|r| *r = low);
            }
        }
        let mut merged: Vec<Cluster> = Vec::new();
        let mut index = vec![usize::MAX; root.len()];
        for (c, cluster) in self.base_clusters.iter().enumerate() {
            if index[root[c]] == usize::MAX {
                index[root[c]] = merged.len();
                merged.push(cluster.clone());
            } else {
                let whole = &mut merged[index[root[c]]];
                whole.joints.extend_from_slice(&cluster.joints);
                whole.closures.extend_from_slice(&cluster.closures);
                whole.share.extend(&cluster.share);
            }
            if pressed[c] {
                merged[index[root[c]]].kind = Kind::Coupled;
            }
        }
        let same = merged.len() == self.clusters.len()
            && (merged.iter().zip(&self.clusters))
                .all(|(a, b)| a.joints == b.joints && a.kind == b.kind);
        if !same {
            self.coupled = coupled_of(model, &merged);
            self.best = vec![0.0; merged.len()];
            self.done = vec![false; merged.len()];
            self.clusters = merged;
            self.which.clear();
        }
        let all: Vec<usize> = (0..self.clusters.len()).collect();
        self.choose(&all);
    }

    /// Velocities u/h of the step just solved.
    pub fn rates(&self, model: &Model, h: f64, guess: &mut [f64]) {
        for j in self.joints() {
            let first = model.offsets[j];
            for k in first..first + model.joint_freedom(j) {
                guess[k] = self.u[k] / h;
            }
        }
    }

    /// Multipliers of the closures of the model, one after the other.
    pub fn loops(&self, model: &Model, out: &mut [f64]) {
        for &c in &self.which {
            let (cluster, coupled) = (&self.clusters[c], &self.coupled[c]);
            let mut from = 0;
            for &c in &cluster.closures {
                let count = row_count(model.closures()[c].kind);
                let at = self.loop_offsets[c];
                out[at..at + count].copy_from_slice(&coupled.lambda[from..from + count]);
                from += count;
            }
        }
    }

    /// What is left of the balance.
    pub fn unbalanced(&self, model: &Model, out: &mut [f64]) {
        for j in self.joints() {
            let range = model.offsets[j]..model.offsets[j] + model.joint_freedom(j);
            out[range.clone()].copy_from_slice(&self.residual[range]);
        }
    }

    /// A body on its own.
    fn free(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        gamma: f64,
        j: usize,
    ) -> Result<u32, SimulateError> {
        let joint = &model.joints()[j];
        let k = joint.child.index();
        let first = model.offsets[j];
        let body = &model.bodies()[k];
        let pose = &state.poses[k];
        let (mass, weight) = (body.mass(), model.forces().gravity * body.mass());
        let shift = (self.base[k].force + weight * (h * gamma)) * (h / mass);
        let mut iterations = 0;
        let mut increment = Increment::default();
        if let BodyKind::Rigid { euler_tensor, .. } = &body.kind {
            let guess = Vector3::new(
                state.guess[first + 3],
                state.guess[first + 4],
                state.guess[first + 5],
            ) * h;
            let carried = Vector3::from_column_slice(&state.unbalanced[first + 3..first + 6]);
            let momentum = self.base[k].torque + carried;
            let turned = free_body::turn(pose, euler_tensor, &momentum, h, &guess);
            if turned.residual > STALLED || turned.residual.is_nan() {
                return Err(too_fast(model, state, k, h, &momentum));
            }
            self.u[first + 3..first + 6].copy_from_slice(turned.u.as_slice());
            self.residual[first + 3..first + 6].copy_from_slice(turned.rest.as_slice());
            increment = turned.increment;
            iterations = turned.iterations;
            self.next[k].directors = orthonormal(&(pose.directors + increment.directors));
        }
        increment.shift = shift;
        self.u[first..first + 3].copy_from_slice(shift.as_slice());
        self.increments[k] = increment;
        self.next[k].position = pose.position + (shift + state.carry[k]);
        Ok(iterations)
    }

    /// Jointed and coupled bodies.
    fn newton(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        gamma: f64,
        max_iterations: usize,
    ) -> Result<u32, SimulateError> {
        for &j in &self.held {
            let first = model.offsets[j];
            for k in first..first + model.joint_freedom(j) {
                self.u[k] = state.guess[k] * h;
            }
        }
        for &c in &self.which {
            self.coupled[c].reset();
            self.best[c] = f64::INFINITY;
            self.done[c] = self.clusters[c].kind == Kind::Free;
        }
        let mut scale: f64 = 0.0;
        for iteration in 0..=max_iterations as u32 {
            for &j in &self.held {
                let joint = &model.joints()[j];
                let first = model.offsets[j];
                let u = &self.u[first..first + model.joint_freedom(j)];
                let carry = &state.carry[joint.child.index()];
                retract_joint(
                    model,
                    &state.poses,
                    &mut self.increments,
                    &mut self.next,
                    joint,
                    u,
                    carry,
                );
            }
            self.forces_between(model, state, gamma);
            // The largest terms met: from rest all of them vanish at the solution.
            scale = scale.max(self.balance(model, state, h, gamma));
            let mut all = true;
            for at in 0..self.which.len() {
                let c = self.which[at];
                if self.done[c] {
                    continue;
                }
                let size = self.cluster_residual(model, state, c);
                let scale = scale + f64::MIN_POSITIVE;
                if !size.is_finite() {
                    return Err(SimulateError::NotFinite {
                        time: state.time,
                        body: self.name(model, c),
                    });
                }
                if size == 0.0 || (size >= 0.5 * self.best[c] && self.best[c] <= STALLED * scale) {
                    self.done[c] = true;
                    continue;
                }
                if iteration as usize == max_iterations {
                    return Err(self.failed(model, state, c, size / scale, iteration, h));
                }
                self.best[c] = self.best[c].min(size);
                all = false;
            }
            if all {
                return Ok(iteration);
            }
            self.correct(model, state, h, gamma)?;
        }
        Ok(max_iterations as u32)
    }

    /// r = Pᵀ(q)[p + D₁L_d + f⁻]; returns the size of the terms that balance.
    fn balance(&mut self, model: &Model, state: &State, h: f64, gamma: f64) -> f64 {
        let mut scale: f64 = 0.0;
        for &j in &self.held {
            let k = model.joints()[j].child.index();
            let body = &model.bodies()[k];
            let i = &self.increments[k];
            // D₁L_d = −(1/h) M Δq + h γ F(q̄)
            let mut y = self.forces[k];
            y.force = y.force * (h * gamma) - i.shift * (body.mass() / h);
            y.directors *= h * gamma;
            if let BodyKind::Rigid { euler_tensor, .. } = &body.kind {
                y.directors -= i.directors * euler_tensor / h;
            }
            let mut w = y.wrench(&state.poses[k].directors);
            if !matches!(body.kind, BodyKind::Rigid { .. }) {
                w.torque = Vector3::zeros();
            }
            let base = &self.base[k];
            self.sizes[k] = [
                base.force.amax() + w.force.amax(),
                base.torque.amax() + w.torque.amax(),
            ];
            w.force += base.force;
            w.torque += base.torque;
            self.wrenches[k] = w;
        }
        let frame = StepFrame {
            poses: &state.poses,
            next: &self.next,
            middle: &self.middle,
            increments: &self.increments,
            h,
            gamma,
        };
        add_dampers(model, &self.share, &frame, false, &mut self.wrenches);
        if let Some(contact) = &self.contact {
            contact.add_drag_impulses(&state.poses, &self.increments, &mut self.wrenches);
        }
        for &j in self.held.iter().rev() {
            let joint = &model.joints()[j];
            let frame = joint_frame(model, &state.poses, joint);
            let w = self.wrenches[joint.child.index()];
            let first = model.offsets[j];
            along_joint(&frame, &w, &mut self.residual[first..first + frame.freedom]);
            for k in first..first + frame.freedom {
                self.residual[k] += state.unbalanced[k];
            }
            // Whatever a joint carries adds to its round-off.
            let [force, torque] = self.sizes[joint.child.index()];
            let lever = frame.lever.amax();
            scale = scale.max(torque + force * lever.max(1.0));
            if let Some(p) = joint.parent {
                let passed = hand_down(joint, &frame, &w);
                self.wrenches[p.index()].force += passed.force;
                self.wrenches[p.index()].torque += passed.torque;
                self.sizes[p.index()][0] += force;
                self.sizes[p.index()][1] += torque + force * lever;
            }
        }
        scale
    }

    fn cluster_residual(&mut self, model: &Model, state: &State, c: usize) -> f64 {
        let cluster = &self.clusters[c];
        let mut size: f64 = 0.0;
        if !cluster.closures.is_empty() {
            size = self.coupled[c].add_loops(
                model,
                cluster,
                &state.poses,
                &self.next,
                &mut self.residual,
            );
        }
        for &j in &cluster.joints {
            let first = model.offsets[j];
            for r in &self.residual[first..first + model.joint_freedom(j)] {
                size = if r.is_nan() {
                    f64::NAN
                } else {
                    size.max(r.abs())
                };
            }
        }
        size
    }

    /// One Newton correction of all clusters that are not done.
    fn correct(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        gamma: f64,
    ) -> Result<(), SimulateError> {
        let frame = StepFrame {
            poses: &state.poses,
            next: &self.next,
            middle: &self.middle,
            increments: &self.increments,
            h,
            gamma,
        };
        blocks_of(model, &self.share, &frame, &mut self.blocks);
        if let Some(contact) = &self.contact {
            contact.add_blocks(model, &frame, &mut self.blocks);
        }
        for &j in &self.held {
            let k = model.joints()[j].child.index();
            *self.tree.block(k) =
                inertial_block(&model.bodies()[k].kind, &state.poses[k], &self.next[k], h);
        }
        // What a body does to itself goes to its own block; coupled clusters take the rest.
        for b in self.blocks.iter().filter(|b| b.row == b.column) {
            *self.tree.block(b.row.index()) += b.matrix;
        }
        for at in 0..self.which.len() {
            let c = self.which[at];
            if self.done[c] {
                continue;
            }
            let cluster = &self.clusters[c];
            let unknowns = self.coupled[c].unknowns();
            let dense = cluster.kind == Kind::Coupled
                && (unknowns <= DENSE_LIMIT || !cluster.closures.is_empty());
            let solved = if dense {
                self.coupled[c].solve(
                    model,
                    cluster,
                    &mut self.tree,
                    &self.blocks,
                    &state.poses,
                    &self.next,
                    &mut self.residual,
                )
            } else {
                self.tree.solve(
                    model,
                    &cluster.joints,
                    &state.poses,
                    &self.next,
                    &mut self.residual,
                )
            };
            if !solved {
                return Err(SimulateError::Singular {
                    time: state.time,
                    body: self.name(model, c),
                });
            }
            for &j in &cluster.joints {
                let joint = &model.joints()[j];
                let first = model.offsets[j];
                let range = first..first + model.joint_freedom(j);
                let nu = &mut self.residual[range.clone()];
                nu.iter_mut().for_each(|v| *v = -*v);
                increment_rate(
                    model,
                    &state.poses,
                    &self.increments,
                    &self.next,
                    joint,
                    &self.u[range.clone()],
                    nu,
                );
                for (u, d) in self.u[range].iter_mut().zip(nu.iter()) {
                    *u += d;
                }
            }
        }
        Ok(())
    }

    fn name(&self, model: &Model, c: usize) -> String {
        let j = self.clusters[c].joints[0];
        model.bodies()[model.joints()[j].child.index()].name.clone()
    }

    fn failed(
        &self,
        model: &Model,
        state: &State,
        c: usize,
        residual: f64,
        iterations: u32,
        h: f64,
    ) -> SimulateError {
        let bodies = self.clusters[c].joints.iter();
        let bodies = bodies.map(|&j| model.joints()[j].child.index());
        let error = SimulateError::NotConverged {
            time: state.time,
            body: self.name(model, c),
            residual,
            iterations: iterations as usize,
        };
        guard::failed(model, state, bodies, &self.increments, h, error)
    }
}

/// How far a point of any body may move within a step, generously.
pub(super) fn reach(model: &Model, state: &State, h: f64) -> f64 {
    let bodies = model.bodies().iter().enumerate();
    let speeds = bodies.map(|(k, body)| match &body.kind {
        BodyKind::Static => 0.0,
        BodyKind::Particle { mass } => state.momenta[k].force.norm() / mass,
        BodyKind::Rigid { mass, euler_tensor } => {
            let p = state.momentum(model, k);
            let inertia = Matrix3::identity() * euler_tensor.trace() - euler_tensor;
            let least = inertia.diagonal().min().max(f64::MIN_POSITIVE);
            p.force.norm() / mass + p.torque.norm() / least * body.reach()
        }
    });
    let fastest = speeds.fold(0.0, f64::max);
    2.0 * h * (fastest + h * model.forces().gravity.norm()) + 1e-9
}

/// Dense storage of the clusters that need it.
fn coupled_of(model: &Model, clusters: &[Cluster]) -> Vec<Coupled> {
    let of = |c: &Cluster| match c.kind {
        Kind::Coupled => Coupled::new(model, c),
        _ => Coupled::default(),
    };
    clusters.iter().map(of).collect()
}

fn too_fast(
    model: &Model,
    state: &State,
    k: usize,
    h: f64,
    momentum: &Vector3<f64>,
) -> SimulateError {
    let rate = match &model.bodies()[k].kind {
        BodyKind::Rigid { euler_tensor, .. } if momentum.iter().all(|c| c.is_finite()) => {
            let inertia = Matrix3::identity() * euler_tensor.trace() - euler_tensor;
            momentum.norm() / inertia.symmetric_eigenvalues().min()
        }
        _ => {
            return SimulateError::NotFinite {
                time: state.time,
                body: model.bodies()[k].name.clone(),
            };
        }
    };
    SimulateError::TurnsTooFar {
        time: state.time,
        body: model.bodies()[k].name.clone(),
        degrees: (rate * h).to_degrees(),
        step: 0.5 / rate,
    }
}

/// ∂(D₁L_d)/∂q⁺ of the kinetic energy: wrench at q per twist at q⁺,
/// −(1/h) [ m I, 0 ; 0, tr(A) I − Aᵀ ] with A = D E D⁺ᵀ.
fn inertial_block(kind: &BodyKind, pose: &Pose, next: &Pose, h: f64) -> Matrix6<f64> {
    let zero = Matrix3::zeros();
    let id = Matrix3::identity();
    match kind {
        BodyKind::Rigid { mass, euler_tensor } => {
            let a = pose.directors * euler_tensor * next.directors.transpose();
            let spin = (id * a.trace() - a.transpose()) * (-1.0 / h);
            blocks(&(id * (-mass / h)), &zero, &zero, &spin)
        }
        BodyKind::Particle { mass } => blocks(&(id * (-mass / h)), &zero, &zero, &zero),
        BodyKind::Static => Matrix6::zeros(),
    }
}
