//! Newton's method for jointed and coupled bodies.

use carom_gap::Pose;
use nalgebra::{Matrix3, Matrix6, Vector3};

use super::Reduced;
use super::coupled::DENSE_LIMIT;
use crate::mechanics::{
    StepFrame, add_dampers, along_joint, blocks, blocks_of, hand_down, increment_rate, joint_frame,
    law_coordinate, retract_joint,
};
use crate::model::{BodyKind, LawStep, Model};
use crate::simulate::cluster::Kind;
use crate::simulate::task::StepTask;
use crate::simulate::{CHORD, STALLED, SimulateError, State, furthest, guard};

/// A residual that is nothing, though it may go on falling for ever.
const NOTHING: f64 = 1e-40;

/// Iterations without progress after which a step with contact potentials is given up: points that
/// come and go in turn do so for ever.
pub(in crate::simulate) const PATIENCE: u32 = 8;

/// Parts of a step that is followed from its beginning.
const PARTS: u32 = 16;

impl Reduced {
    /// Jointed and coupled bodies, from where the last motion would take them.
    pub(super) fn newton(&mut self, task: &StepTask<'_>) -> Result<u32, SimulateError> {
        let (guess, h) = (&task.state.guess, task.h);
        self.each_held(task.model, |u, k| u[k] = guess[k] * h);
        self.iterate(task)
    }

    /// The same with growing parts of the step, each from the one before: of several solutions the
    /// one that belongs to short steps.
    pub(super) fn follow(&mut self, task: &StepTask<'_>) -> Result<u32, SimulateError> {
        self.each_held(task.model, |u, k| u[k] = 0.0);
        let mut iterations = 0;
        for part in 1..=PARTS {
            if part > 1 {
                let growth = f64::from(part) / f64::from(part - 1);
                self.each_held(task.model, |u, k| u[k] *= growth);
            }
            let h = task.h * f64::from(part) / f64::from(PARTS);
            iterations += self.iterate(&StepTask { h, ..*task })?;
        }
        Ok(iterations)
    }

    fn each_held(&mut self, model: &Model, change: impl Fn(&mut [f64], usize)) {
        for &j in &self.held {
            let first = model.offsets[j];
            (first..first + model.joint_freedom(j)).for_each(|k| change(&mut self.u, k));
        }
    }

    fn iterate(&mut self, task: &StepTask<'_>) -> Result<u32, SimulateError> {
        let StepTask {
            model,
            state,
            h,
            gamma,
            limit,
            ..
        } = *task;
        self.move_given(model, state, h, gamma);
        for &c in &self.which {
            self.coupled[c].reset();
            self.best[c] = f64::INFINITY;
            self.stale[c] = 0;
            self.before[c] = f64::INFINITY;
            self.done[c] = self.clusters[c].kind == Kind::Free;
        }
        let mut scale: f64 = 0.0;
        for iteration in 0..=limit as u32 {
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
            // Stiff elements turn round-off in places into forces.
            let rounding = match self.rounding > 0.0 {
                true => h * gamma * self.rounding * furthest(&self.middle),
                false => 0.0,
            };
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
                let settled = (STALLED * scale).max(rounding);
                let stalled = size >= 0.5 * self.best[c] && self.best[c] <= settled;
                if size <= NOTHING * scale || stalled {
                    self.done[c] = true;
                    continue;
                }
                self.stale[c] = match size < self.best[c] {
                    true => 0,
                    false => self.stale[c] + 1,
                };
                let hopeless = self.contact.is_some() && self.stale[c] > PATIENCE;
                let spent = iteration as usize == limit || hopeless;
                if spent && size <= self.allowance * scale {
                    // What is left is made up for in the next step.
                    self.left = self.left.max(size / scale);
                    self.done[c] = true;
                    continue;
                }
                if spent {
                    return Err(self.failed(model, state, c, size / scale, iteration, h));
                }
                self.best[c] = self.best[c].min(size);
                self.again[c] = self.coupled[c].has_factors() && size <= CHORD * self.before[c];
                self.before[c] = size;
                all = false;
            }
            if all {
                return Ok(iteration);
            }
            self.correct(model, state, h, gamma)?;
        }
        Ok(limit as u32)
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
        self.evaluate_laws(model, state, h, gamma);
        for &j in self.held.iter().rev() {
            let joint = &model.joints()[j];
            let frame = joint_frame(model, &state.poses, joint);
            let w = self.wrenches[joint.child.index()];
            let first = model.offsets[j];
            along_joint(&frame, &w, &mut self.residual[first..first + frame.freedom]);
            for k in first..first + frame.freedom {
                self.residual[k] += state.unbalanced[k];
            }
            if let Some((k, law)) = self.law_of(model, j) {
                self.residual[k] += law.start;
                scale = scale.max(law.start.abs());
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

    /// What acts along joints at the present u, which is how far their coordinates move.
    fn evaluate_laws(&mut self, model: &Model, state: &State, h: f64, gamma: f64) {
        self.law_steps.clear();
        for &k in &self.share.laws {
            let law = &model.joint_laws()[k];
            let s = law_coordinate(model, law, &state.poses).map_or(0.0, |row| row.value);
            let step = law.step(state.time, s, self.u[law.freedom], h, gamma);
            self.law_steps.push((k, step));
        }
    }

    /// What acts along a joint, with its degree of freedom.
    fn law_of(&self, model: &Model, joint: usize) -> Option<(usize, LawStep)> {
        let own = |(k, _): &&(usize, LawStep)| model.joint_laws()[*k].joint == Some(joint);
        let (k, step) = self.law_steps.iter().find(own)?;
        Some((model.joint_laws()[*k].freedom, *step))
    }

    fn cluster_residual(&mut self, model: &Model, state: &State, c: usize) -> f64 {
        let cluster = &self.clusters[c];
        let mut size: f64 = 0.0;
        if !(cluster.closures.is_empty() && cluster.couplings.is_empty()) {
            size = self.coupled[c].add_loops(
                model,
                cluster,
                (&state.poses, &self.next),
                &self.u,
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

    /// Blocks of the matrices of all clusters.
    fn assemble(&mut self, model: &Model, state: &State, h: f64, gamma: f64) {
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
            contact.add_blocks(model, &frame, false, &mut self.blocks);
            self.tree.stiff().fill(0.0);
            contact.add_joint_stiffness(model, h, gamma, self.tree.stiff());
        }
        for (k, law) in &self.law_steps {
            let own = &mut self.tree.stiff()[model.joint_laws()[*k].freedom];
            *own = law.slope + if self.contact.is_some() { *own } else { 0.0 };
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
    }

    /// One Newton correction of all clusters that are not done.
    fn correct(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        gamma: f64,
    ) -> Result<(), SimulateError> {
        let mut open = self.which.iter().filter(|c| !self.done[**c]);
        if !open.all(|c| self.again[*c]) {
            self.assemble(model, state, h, gamma);
        }
        let frame = StepFrame {
            poses: &state.poses,
            next: &self.next,
            middle: &self.middle,
            increments: &self.increments,
            h,
            gamma,
        };
        for at in 0..self.which.len() {
            let c = self.which[at];
            if self.done[c] {
                continue;
            }
            let cluster = &self.clusters[c];
            let unknowns = self.coupled[c].unknowns();
            // What acts at a distance only is left to the iteration where it couples too many.
            let looped = !(cluster.closures.is_empty() && cluster.couplings.is_empty());
            let tied = looped || !cluster.share.solids.is_empty();
            let together = cluster.kind == Kind::Coupled && (unknowns <= DENSE_LIMIT || tied);
            let solved = if self.again[c] {
                self.coupled[c].solve_again(&mut self.residual)
            } else if together {
                self.coupled[c].solve(
                    model,
                    cluster,
                    &mut self.tree,
                    &self.blocks,
                    &frame,
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
