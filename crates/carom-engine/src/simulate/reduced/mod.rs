//! The reduced step (thesis (3.13)): Pᵀ(q)[p + D₁L_d(q, F_d(u, q), h) + f⁻] = 0 for u, by Newton's
//! method with the exact Jacobian, to stagnation.
//!
//! All clusters iterate together; each solves its own linear system: a free body 3 × 3, a tree by
//! elimination in linear time, coupled bodies and loops densely.

mod coupled;
mod free_body;
mod merge;
mod newton;

use carom_gap::Pose;

use super::cluster::{Cluster, Kind, clusters};
use super::given::Given;
use super::{SimulateError, State, guard};
use crate::contact::{ContactPotential, Passing, Path};
use crate::mechanics::{
    Block, Covector, Increment, NO_WRENCH, Share, TreeSolver, Wrench, between, potential_forces,
    row_count,
};
use crate::model::{LawStep, Model};
use crate::simulate::task::StepTask;
use coupled::Coupled;
pub(super) use newton::PATIENCE;

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
    /// What acts along joints in the present iteration, by the number of its law.
    law_steps: Vec<(usize, LawStep)>,
    tree: TreeSolver,
    coupled: Vec<Coupled>,
    /// First multiplier of each closure.
    loop_offsets: Vec<usize>,
    /// Rows of all closures.
    loop_rows: usize,
    /// Of each cluster in a step: the least residual so far, whether it is solved,
    best: Vec<f64>,
    done: Vec<bool>,
    /// iterations since it last was that low, the residual of the iteration before,
    stale: Vec<u32>,
    before: Vec<f64>,
    /// and whether the matrix of that iteration will do once more.
    again: Vec<bool>,
    /// Relative residual that a step may leave, and what the last one left beyond round-off.
    pub allowance: f64,
    pub left: f64,
    /// See [`rounding`](super::rounding).
    rounding: f64,
    /// Bodies whose motion is given.
    given: Given,
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
            loop_rows: loops,
            best: vec![0.0; clusters.len()],
            done: vec![false; clusters.len()],
            stale: vec![0; clusters.len()],
            before: vec![f64::INFINITY; clusters.len()],
            again: vec![false; clusters.len()],
            allowance: 0.0,
            rounding: super::rounding(model),
            given: Given::new(model),
            left: 0.0,
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
            law_steps: Vec::new(),
            tree: TreeSolver::new(model),
            coupled,
        }
    }

    /// Parts of the model that nothing couples within a step.
    pub fn clusters(&self) -> &[Cluster] {
        &self.clusters
    }

    /// Chooses the clusters of the next steps.
    pub fn choose(&mut self, which: impl Iterator<Item = usize> + Clone) {
        if which.clone().eq(self.which.iter().copied()) {
            return;
        }
        self.which.clear();
        self.which.extend(which);
        self.held.clear();
        self.share.clear();
        for &c in &self.which {
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

    /// Finds the motion of a step of the clusters chosen. Returns the number of iterations.
    pub fn solve(&mut self, task: &StepTask<'_>) -> Result<u32, SimulateError> {
        let StepTask {
            model,
            state,
            h,
            gamma,
            loads,
            ..
        } = *task;
        let mut iterations = 0;
        self.left = 0.0;
        self.merge_contacts(model, state, h);
        self.move_given(model, state, h, gamma);
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
                iterations = iterations.max(self.move_free(model, state, h, gamma, j)?);
            }
        }
        if self.held.is_empty() {
            return self.guarded(task, iterations);
        }
        let found = self.newton(task).and_then(|n| self.guarded(task, n));
        let found = found.or_else(|error| {
            // With contact potentials a shorter step is the better way.
            if self.contact.is_some() {
                return Err(error);
            }
            let again = self.follow(task).and_then(|n| self.guarded(task, n));
            again.map_err(|_| error)
        });
        found.map(|n| iterations.max(n))
    }

    /// The forces of a motion found, if it is one that the scheme can bear.
    fn guarded(&mut self, task: &StepTask<'_>, iterations: u32) -> Result<u32, SimulateError> {
        let StepTask {
            model,
            state,
            h,
            gamma,
            ..
        } = *task;
        self.forces_between(model, state, gamma);
        guard::turns(model, &self.share, state, &self.increments, &self.next, h)?;
        Ok(iterations)
    }

    /// Bodies whose motion is given go where they will be.
    fn move_given(&mut self, model: &Model, state: &State, h: f64, gamma: f64) {
        let places = (&mut self.increments[..], &mut self.next[..]);
        self.given.step(model, state.time, h, places);
        self.given
            .between(&self.increments, &self.next, gamma, &mut self.middle);
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
        self.given.clear(&mut self.forces);
        potential_forces(model, &self.share, &self.middle, &mut self.forces);
        if let Some(contact) = &mut self.contact {
            let at = Path {
                poses: &self.middle,
                coordinates: &[],
            };
            contact.evaluate(model, &at);
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

    /// Energy that a contact potential gained or lost in the step just solved, relative to that of
    /// the approach.
    pub fn misfit(&mut self, model: &Model, poses: &[Pose], h: f64, whole: f64) -> f64 {
        let Some(contact) = &mut self.contact else {
            return 0.0;
        };
        let step = Passing {
            nodes: &[(poses, 0.0), (&self.middle, 1.0), (&self.next, 0.0)],
            increments: &self.increments,
            h,
            whole,
        };
        contact.misfit(model, &step)
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
            // Gears come after all closures.
            for &c in &cluster.couplings {
                out[self.loop_rows + c] = coupled.lambda[from];
                from += 1;
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
}

/// Dense storage of the clusters that need it.
fn coupled_of(model: &Model, clusters: &[Cluster]) -> Vec<Coupled> {
    let of = |c: &Cluster| match c.kind {
        Kind::Coupled => Coupled::new(model, c),
        _ => Coupled::default(),
    };
    clusters.iter().map(of).collect()
}
