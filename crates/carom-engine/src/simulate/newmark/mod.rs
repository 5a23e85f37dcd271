//! Newmark's family of schemes (thesis (3.3)) for bodies that nothing holds, or held in a plane.
//!
//! Written in momenta, with f the forces at the start of a step and f⁺ at its end,
//!
//! ```text
//! x⁺ = x + (h/m) p′,    p′ = p + (h/2) [(1 − 2β) f + 2β f⁺],
//! p⁺ = p + h [(1 − γ) f + γ f⁺].
//! ```
//!
//! Rotation after Krysl and Endres (2005) and Krysl (2005): the same two lines for the angular
//! momentum L about the centre of mass and the torques t in inertial axes, and a rotation R with
//! the inertia taken halfway, which is a 3 × 3 equation of each body on its own,
//!
//! ```text
//! D⁺ = D exp(Ψ̂),   J Ψ = h exp(−Ψ̂/2) Π′,   Π′ = Dᵀ (L + (h/2) [(1 − 2β) t + 2β t⁺]),
//! L⁺ = L + h [(1 − γ) t + γ t⁺],
//! ```
//!
//! J in body axes. Without torque L is kept to round-off; with γ = ½ the scheme is of second order
//! and runs backwards along its own steps, so energy does not drift. β = 0 is explicit; β > 0 and
//! forces that depend on velocities are solved by Newton's method on f⁺ with a Jacobian that leaves
//! out gyroscopic terms. Where β = 0 and bodies are elastic, damping is solved by Anderson's mixing of
//! f⁺ instead, which needs no matrix. Controls and loads are constant over a step. Nothing but (q, p) is kept from
//! one step to the next.

mod correct;
mod field;
mod mixer;
mod mover;
mod node;

use carom_gap::Pose;
use nalgebra::Vector3;

use super::cluster::{Cluster, clusters};
use super::error::SimulateError;
use super::ledger::{ContactInfo, Impulse, StepInfo};
use super::reduced::PATIENCE;
use super::scheme::Setup;
use super::settings::Settings;
use super::sparse::Matrix;
use super::state::State;
use super::{CHORD, STALLED, furthest, rounding};
use crate::contact::{ContactPotential, Passing};
use crate::mechanics::{
    Block, Increment, NO_WRENCH, Twist, Wrench, differences, exp_minus_identity, joint_frame, log,
    momentum, orthonormal, potential, potential_with, sample_controls, wrench_vector,
};
use crate::model::{Law, Model};
use field::Field;
use mixer::Mixer;
use mover::{Motion, Mover};
use node::{Node, add, blend};

/// A residual that is nothing, though it may go on falling for ever.
const NOTHING: f64 = 1e-20;

/// The same of mixed forces, which keep momenta whatever is left.
const MIXED: f64 = 1e-13;

/// Forces mixed before a matrix is factorised.
const MOST_MIXED: u32 = 60;

/// How often a correction is halved that turns elements inside out.
const RETREATS: u32 = 20;

/// Storage of the scheme.
#[derive(Debug)]
pub(super) struct Newmark {
    beta: f64,
    gamma: f64,
    movers: Vec<Mover>,
    /// First degree of freedom that turns each body.
    spins: Vec<usize>,
    /// Bodies that act on each other, without and with contact.
    base_clusters: Vec<Cluster>,
    clusters: Vec<Cluster>,
    /// Whether these are of the present step.
    merged: bool,
    field: Field,
    /// Whether any force depends on velocities.
    damped: bool,
    /// See [`misfit`](Self::misfit).
    misfit: f64,
    /// Relative residual that a step may leave, and what the last one left beyond round-off.
    allowance: f64,
    left: f64,
    start: Node,
    end: Node,
    /// f⁺ as guessed, corrected by the iteration, and before the last correction.
    guess: Vec<Wrench>,
    last: Vec<Wrench>,
    shifts: Vec<Vector3<f64>>,
    turns: Vec<Vector3<f64>>,
    still: Vec<Increment>,
    blocks: Vec<Block>,
    /// The system of everything around elastic bodies, and places of bodies in a system.
    sparse: Matrix,
    places: Vec<usize>,
    /// See [`rounding`](super::rounding).
    rounding: f64,
    mixer: Mixer,
}

impl Newmark {
    /// Storage for a model; joints the scheme cannot hold are an error.
    pub fn new(model: &Model, beta: f64, gamma: f64, law: Law) -> Result<Self, SimulateError> {
        let (movers, spins) = Mover::all(model)?;
        let n = model.bodies().len();
        let mut field = Field::new(model, law);
        let damped = field.is_damped(model);
        if let Some(contact) = &mut field.contact
            && beta == 0.0
            && !damped
        {
            contact.leave_out_apart(model);
        }
        Ok(Self {
            beta,
            gamma,
            movers,
            spins,
            base_clusters: clusters(model),
            clusters: clusters(model),
            merged: true,
            damped,
            misfit: 0.0,
            allowance: 0.0,
            left: 0.0,
            start: Node::new(model, field.given.bodies().len()),
            end: Node::new(model, field.given.bodies().len()),
            field,
            guess: vec![NO_WRENCH; n],
            last: vec![NO_WRENCH; n],
            shifts: vec![Vector3::zeros(); n],
            turns: vec![Vector3::zeros(); n],
            still: vec![Increment::default(); n],
            blocks: Vec::new(),
            sparse: Matrix::default(),
            places: Vec::new(),
            rounding: rounding(model),
            mixer: Mixer::default(),
        })
    }

    /// Energy of elastic bodies, if it is known at these poses.
    pub fn elastic_energy(&self, poses: &[Pose]) -> Option<f64> {
        self.field.elastic_energy(poses)
    }

    /// Contact by potentials.
    pub fn contact(&mut self) -> Option<&mut ContactPotential> {
        self.field.contact.as_mut()
    }

    /// Advances the state by h.
    pub fn step(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
    ) -> Result<StepInfo, SimulateError> {
        let model = setup.model;
        sample_controls(model, state.time, h, setup.controls, &mut self.field.tau);
        self.start.poses.copy_from_slice(&state.poses);
        if let Some(contact) = &mut self.field.contact {
            let reach = state.reach(model, h);
            contact.prepare(model, &state.poses, &state.poses, reach);
            self.merged = false;
        }
        for (k, mover) in self.movers.iter().enumerate() {
            let pose = &state.poses[k];
            let mut p = state.momentum(model, k);
            // What the last step could not say in directors.
            match (&mover.motion, self.spins[k]) {
                (Motion::Free, at) => {
                    p.torque += Vector3::from_column_slice(&state.unbalanced[at..at + 3]);
                }
                (Motion::Planar(n), at) => p.torque += n * state.unbalanced[at],
                _ => {}
            }
            self.start.momenta[k] = mover.felt(&p);
            self.start.twists[k] = mover.twist(pose, &self.start.momenta[k]);
        }
        for &k in self.field.given.bodies() {
            self.start.twists[k] = state.given_twist(model, k);
        }
        self.field.evaluate(model, &self.movers, &mut self.start);
        self.start.held_up = self.field.held_up(model, &self.movers, &self.start);
        self.guess.copy_from_slice(&self.start.forces);
        if self.beta > 0.0 {
            // Elastic bodies move on as they do: forces of the start would carry stiff ones far off.
            let back = -(1.0 - 2.0 * self.beta) / (2.0 * self.beta);
            for k in model.solids().iter().flat_map(|s| s.particles.clone()) {
                self.guess[k].force = self.start.forces[k].force * back;
            }
        }
        let iterations = self.solve(model, setup.settings, state, h)?;
        self.end.held_up = self.field.held_up(model, &self.movers, &self.end);
        let info = self.balance(model, h, iterations);
        self.weigh(model, h, setup.settings.step);
        self.finish(model, state, h);
        Ok(StepInfo {
            time: state.time,
            ..info
        })
    }

    /// Energy that a contact potential gained or lost in the last step, relative to that of the
    /// approach.
    pub fn misfit(&self) -> f64 {
        self.misfit
    }

    /// Sets the relative residual that steps may leave.
    pub fn allow(&mut self, residual: f64) {
        self.allowance = residual;
    }

    /// What the last step left beyond round-off.
    pub fn left(&self) -> f64 {
        self.left
    }

    /// Finds the misfit of implicit steps; explicit ones are short enough, or fail.
    fn weigh(&mut self, model: &Model, h: f64, whole: f64) {
        self.misfit = 0.0;
        if let Some(contact) = &mut self.field.contact
            && self.beta > 0.0
        {
            let (start, end) = (&self.start.poses, &self.end.poses);
            let step = Passing {
                nodes: &[(start, 1.0 - self.gamma), (end, self.gamma)],
                increments: &differences(start, end),
                h,
                whole,
            };
            self.misfit = contact.misfit(model, &step);
        }
    }

    /// Finds f⁺ with everything at the end of the step.
    fn solve(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &State,
        h: f64,
    ) -> Result<u32, SimulateError> {
        let beta = self.beta;
        let implicit = beta > 0.0 || self.damped;
        let mut best = f64::INFINITY;
        let mut scale = f64::MIN_POSITIVE;
        let mut iterations = 0;
        let mut stale = 0;
        let mut retreats = 0;
        // Elastic bodies of explicit steps are damped without a matrix, if that will do.
        let mut mixed = 0;
        let most_mixed = match beta == 0.0 && !model.solids().is_empty() {
            true => MOST_MIXED,
            false => 0,
        };
        self.mixer.clear();
        self.sparse.forget();
        let mut before = f64::INFINITY;
        self.left = 0.0;
        self.place(model, state, h)?;
        if !implicit {
            self.field.evaluate(model, &self.movers, &mut self.end);
            self.guess.copy_from_slice(&self.end.forces);
            self.push(h);
            return Ok(0);
        }
        loop {
            self.push(h);
            if beta > 0.0 || mixed + iterations == 0 {
                self.field.evaluate(model, &self.movers, &mut self.end);
            } else {
                // Explicit steps end where they end; only velocities have changed.
                self.field
                    .evaluate_moving(model, &self.movers, &mut self.end);
            }
            let mut size: f64 = 0.0;
            let mut worst = 0;
            for (k, (new, old)) in self.end.forces.iter().zip(&self.guess).enumerate() {
                let off = wrench_vector(new) - wrench_vector(old);
                let finite = off.iter().all(|c| c.is_finite());
                let off = if finite { off.amax() } else { f64::INFINITY };
                if off > size {
                    (size, worst) = (off, k);
                }
                scale = scale.max(wrench_vector(new).amax() + self.start.momentum_size(k) / h);
            }
            let name = || model.bodies()[worst].name.clone();
            // A correction that turned elements inside out was too long.
            if !size.is_finite() && iterations > 0 && retreats < RETREATS {
                retreats += 1;
                for (g, last) in self.guess.iter_mut().zip(&self.last) {
                    *g = blend(g, last, 0.5);
                }
                if beta > 0.0 {
                    self.place(model, state, h)?;
                }
                continue;
            }
            if !size.is_finite() {
                return Err(SimulateError::NotFinite {
                    time: state.time,
                    body: name(),
                });
            }
            let settled = (STALLED * scale).max(self.rounding * furthest(&self.end.poses));
            let enough = if mixed > 0 { MIXED } else { NOTHING };
            if size <= enough * scale || (size >= 0.5 * best && best <= settled) {
                return Ok(iterations);
            }
            stale = if size < best { 0 } else { stale + 1 };
            let hopeless = beta > 0.0 && self.field.contact.is_some() && stale > PATIENCE;
            let spent = iterations as usize >= settings.max_iterations || hopeless;
            if spent && size <= self.allowance * scale {
                self.left = size / scale;
                return Ok(iterations);
            }
            if spent {
                return Err(SimulateError::NotConverged {
                    time: state.time,
                    body: name(),
                    residual: size / scale,
                    iterations: iterations as usize,
                });
            }
            best = best.min(size);
            retreats = 0;
            if mixed < most_mixed {
                self.mixer.mix(&mut self.guess, &self.end.forces);
                mixed += 1;
                continue;
            }
            self.last.copy_from_slice(&self.guess);
            self.correct(model, h, size <= CHORD * before);
            before = size;
            if beta > 0.0 {
                self.place(model, state, h)?;
            }
            iterations += 1;
        }
    }

    /// x⁺ and D⁺ from p′, or as they are given.
    fn place(&mut self, model: &Model, state: &State, h: f64) -> Result<(), SimulateError> {
        for k in 0..self.movers.len() {
            if let Motion::Static = self.movers[k].motion {
                self.place_static(model, state, h, k);
                continue;
            }
            let mover = &self.movers[k];
            let p = &self.start.momenta[k];
            let impulse = blend(&self.start.forces[k], &self.guess[k], 2.0 * self.beta);
            let middle = add(p, &impulse, 0.5 * h);
            let pose = &state.poses[k];
            let body = &model.bodies()[k];
            if !wrench_vector(&middle).iter().all(|c| c.is_finite()) {
                return Err(SimulateError::NotFinite {
                    time: state.time,
                    body: body.name.clone(),
                });
            }
            let too_far = |angle: f64| SimulateError::TurnsTooFar {
                time: state.time,
                body: body.name.clone(),
                degrees: angle.to_degrees(),
                step: 0.5 * h * std::f64::consts::FRAC_PI_2 / angle,
            };
            let rough = mover.twist(pose, &middle).w.norm() * h;
            let psi = mover
                .turn(pose, &middle.torque, h)
                .ok_or_else(|| too_far(rough))?;
            if psi.norm() > std::f64::consts::FRAC_PI_2 {
                return Err(too_far(psi.norm()));
            }
            self.shifts[k] = middle.force * (h / mover.mass);
            self.turns[k] = pose.directors * psi;
            let moved = pose.directors + pose.directors * exp_minus_identity(&psi);
            self.end.poses[k] = Pose {
                position: pose.position + (self.shifts[k] + state.carry[k]),
                directors: orthonormal(&moved),
            };
        }
        Ok(())
    }

    /// A body that no force moves, where its motion is given.
    fn place_static(&mut self, model: &Model, state: &State, h: f64, k: usize) {
        let pose = &state.poses[k];
        let given = model.bodies()[k].given(state.time + h);
        let (next, twist) = match given {
            Some((next, [v, w])) => (next, Twist { v, w }),
            None => (*pose, Twist::default()),
        };
        self.shifts[k] = next.position - pose.position;
        self.turns[k] = log(&(next.directors * pose.directors.transpose()));
        self.end.poses[k] = next;
        self.end.twists[k] = twist;
    }

    /// p⁺ = p + h [(1 − γ) f + γ f⁺] and the velocities it gives.
    fn push(&mut self, h: f64) {
        for (k, mover) in self.movers.iter().enumerate() {
            if let Motion::Static = mover.motion {
                continue;
            }
            let impulse = blend(&self.start.forces[k], &self.guess[k], self.gamma);
            self.end.momenta[k] = add(&self.start.momenta[k], &impulse, h);
            self.end.twists[k] = mover.twist(&self.end.poses[k], &self.end.momenta[k]);
        }
    }

    /// Energy, work and what the step leaves of the balance of momentum; the time is not set.
    fn balance(&self, model: &Model, h: f64, iterations: u32) -> StepInfo {
        let (start, end) = (&self.start, &self.end);
        let share = &self.field.share;
        let known = self.field.elastic_energy(&end.poses);
        let mut energy = known.map_or_else(
            || potential(model, share, &end.poses),
            |elastic| potential_with(model, share, &end.poses, elastic),
        ) + self.field.contact.as_ref().map_or(0.0, |c| c.value().0);
        let mut work = 0.0;
        let (mut rest, mut forces) = (Impulse::default(), Impulse::default());
        for (k, mover) in self.movers.iter().enumerate() {
            energy += 0.5 * wrench_vector(&end.momenta[k]).dot(&end.twists[k].vector());
            work += 0.5 * (start.loads[k].force + end.loads[k].force).dot(&self.shifts[k])
                + 0.5 * (start.loads[k].torque + end.loads[k].torque).dot(&self.turns[k]);
            let about_origin = |pose: &Pose, w: &Wrench, sign: f64| {
                impulse(&mover.about_origin(pose, w)).scaled(sign)
            };
            rest += about_origin(&end.poses[k], &end.momenta[k], 1.0);
            rest += about_origin(&start.poses[k], &start.momenta[k], -1.0);
            forces += about_origin(&start.poses[k], &start.forces[k], h * (1.0 - self.gamma));
            forces += about_origin(&end.poses[k], &end.forces[k], h * self.gamma);
        }
        // Bodies whose motion is given do what the forces on them would undo.
        let ends = start.taken.iter().zip(&end.taken);
        for (&k, (from, to)) in self.field.given.bodies().iter().zip(ends) {
            work -= 0.5 * (from.force + to.force).dot(&self.shifts[k])
                + 0.5 * (from.torque + to.torque).dot(&self.turns[k]);
        }
        let mut supports = impulse(&start.held_up).scaled(h * (1.0 - self.gamma));
        supports += impulse(&end.held_up).scaled(h * self.gamma);
        let mean = |a: f64, b: f64| h * ((1.0 - self.gamma) * a + self.gamma * b);
        let (linear, angular) = (rest.linear - forces.linear, rest.angular - forces.angular);
        StepInfo {
            time: 0.0,
            h,
            iterations,
            energy_discrete: energy,
            momentum_residual: linear.norm().max(angular.norm()),
            work,
            damping: mean(start.damping_power, end.damping_power),
            forces,
            supports,
            contact: ContactInfo {
                energy: mean(start.drag_power, end.drag_power),
                ..ContactInfo::default()
            },
        }
    }

    /// Moves the state to the end of the step.
    fn finish(&self, model: &Model, state: &mut State, h: f64) {
        state.unbalanced.fill(0.0);
        for (k, body) in model.bodies().iter().enumerate() {
            if let Motion::Static = self.movers[k].motion {
                continue;
            }
            let wanted = self.shifts[k] + state.carry[k];
            state.carry[k] = wanted - (self.end.poses[k].position - state.poses[k].position);
            // p = M q̇, and what rounding took of the angular momentum.
            let pose = &self.end.poses[k];
            let mut p = momentum(&body.kind, pose, &self.end.twists[k]);
            p.force = self.end.momenta[k].force;
            let lost = self.end.momenta[k].torque - p.wrench(&pose.directors).torque;
            let at = self.spins[k];
            match &self.movers[k].motion {
                Motion::Free => state.unbalanced[at..at + 3].copy_from_slice(lost.as_slice()),
                Motion::Planar(n) => state.unbalanced[at] = n.dot(&lost),
                Motion::Static | Motion::Particle => {}
            }
            state.momenta[k] = p;
        }
        let given = self.field.given.bodies().iter().copied();
        state.set_given(model, state.time + h, given);
        state.poses.copy_from_slice(&self.end.poses);
        for (j, joint) in model.joints().iter().enumerate() {
            // Joint velocities: the twist less what the turn about the joint makes of the slide.
            let frame = joint_frame(model, &state.poses, joint);
            let twist = &self.end.twists[joint.child.index()];
            let arm = state.poses[joint.child.index()].directors * joint.anchor_child;
            let v = twist.v - arm.cross(&twist.w);
            let first = model.offsets[j];
            for (rate, c) in state.guess[first..]
                .iter_mut()
                .zip(&frame.columns[..frame.freedom])
            {
                *rate = if c.w == Vector3::zeros() {
                    c.v.dot(&v)
                } else {
                    c.w.dot(&twist.w)
                };
            }
        }
        state.tick(h);
    }
}

/// A force and a torque about the origin over a unit of time.
fn impulse(w: &Wrench) -> Impulse {
    Impulse {
        linear: w.force,
        angular: w.torque,
    }
}
