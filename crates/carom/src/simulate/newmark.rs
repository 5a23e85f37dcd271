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
//! out gyroscopic terms. Controls and loads are constant over a step. Nothing but (q, p) is kept from
//! one step to the next.

use carom_gap::Pose;
use nalgebra::{Matrix3, Matrix6, Vector3};

use super::cluster::{Cluster, Kind, clusters};
use super::error::SimulateError;
use super::ledger::{ContactInfo, StepInfo};
use super::reduced::reach;
use super::settings::Settings;
use super::state::State;
use crate::contact::ContactPotential;
use crate::mechanics::dense;
use crate::mechanics::{
    Block, Covector, Increment, NO_WRENCH, Share, StepFrame, Twist, Wrench, add_actuators,
    blocks_of, dexp, exp_minus_identity, hat, inertia, joint_frame, momentum, orthonormal,
    potential, potential_forces, sample_controls, wrench_from, wrench_vector,
};
use crate::model::{BodyKind, JointKind, Law, Model, Point};

/// Up to this many unknowns stiffness is part of the Newton matrix; beyond it fixed-point
/// iterations must do.
const DENSE_LIMIT: usize = 600;
/// An iteration that stalls below this relative residual has converged.
const STALLED: f64 = 1e-9;

/// What a body may do.
#[derive(Clone, Copy, Debug)]
enum Motion {
    Static,
    Particle,
    Free,
    /// Slides across the unit vector n and turns about it.
    Planar(Vector3<f64>),
}

/// A body as the scheme sees it.
#[derive(Clone, Copy, Debug)]
struct Mover {
    motion: Motion,
    mass: f64,
    /// J and its inverse, body axes.
    inertia: Matrix3<f64>,
    inverse: Matrix3<f64>,
}

/// Configuration and forces at one end of a step.
#[derive(Debug)]
struct Node {
    poses: Vec<Pose>,
    twists: Vec<Twist>,
    /// Linear and angular momentum, the latter about the centre of mass.
    momenta: Vec<Wrench>,
    /// All forces, and those of controls and loads among them.
    forces: Vec<Wrench>,
    loads: Vec<Wrench>,
    /// Power of the drag of contacts.
    drag_power: f64,
}

/// Storage of the scheme.
#[derive(Debug)]
pub(super) struct Newmark {
    beta: f64,
    gamma: f64,
    movers: Vec<Mover>,
    /// First degree of freedom that turns each body.
    spins: Vec<usize>,
    clusters: Vec<Cluster>,
    share: Share,
    /// Contact by potentials.
    pub contact: Option<ContactPotential>,
    /// Whether any force depends on velocities.
    damped: bool,
    start: Node,
    end: Node,
    /// f⁺ as guessed, corrected by the iteration.
    guess: Vec<Wrench>,
    shifts: Vec<Vector3<f64>>,
    turns: Vec<Vector3<f64>>,
    tau: Vec<f64>,
    potential: Vec<Covector>,
    still: Vec<Increment>,
    blocks: Vec<Block>,
}

impl Node {
    fn new(model: &Model) -> Self {
        let n = model.bodies().len();
        Self {
            poses: model.bodies().iter().map(|b| b.start).collect(),
            twists: vec![Twist::default(); n],
            momenta: vec![NO_WRENCH; n],
            forces: vec![NO_WRENCH; n],
            loads: vec![NO_WRENCH; n],
            drag_power: 0.0,
        }
    }
}

impl Mover {
    /// Leaves of a wrench what the world does not take up.
    fn felt(&self, w: &Wrench) -> Wrench {
        let zero = Vector3::zeros();
        match &self.motion {
            Motion::Static => NO_WRENCH,
            Motion::Particle => Wrench {
                force: w.force,
                torque: zero,
            },
            Motion::Free => *w,
            Motion::Planar(n) => Wrench {
                force: w.force - n * n.dot(&w.force),
                torque: n * n.dot(&w.torque),
            },
        }
    }

    /// Velocities of a momentum.
    fn twist(&self, pose: &Pose, p: &Wrench) -> Twist {
        let w = match &self.motion {
            Motion::Static => return Twist::default(),
            Motion::Particle => Vector3::zeros(),
            Motion::Free => pose.directors * (self.inverse * pose.directors.tr_mul(&p.torque)),
            Motion::Planar(n) => {
                let axis = pose.directors.tr_mul(n);
                n * (n.dot(&p.torque) / axis.dot(&(self.inertia * axis)))
            }
        };
        Twist {
            v: p.force / self.mass,
            w,
        }
    }

    /// Ψ of a step: J Ψ = h exp(−Ψ̂/2) Π′ by Newton's method, to stagnation; `None` if it fails.
    fn turn(&self, pose: &Pose, torque: &Vector3<f64>, h: f64) -> Option<Vector3<f64>> {
        let target = pose.directors.tr_mul(torque) * h;
        match &self.motion {
            Motion::Static | Motion::Particle => return Some(Vector3::zeros()),
            Motion::Planar(n) => {
                let axis = pose.directors.tr_mul(n);
                return Some(axis * (axis.dot(&target) / axis.dot(&(self.inertia * axis))));
            }
            Motion::Free => {}
        }
        let scale = target.amax() + f64::MIN_POSITIVE;
        let mut psi = self.inverse * target;
        let mut best = f64::INFINITY;
        for _ in 0..50 {
            let half = psi * -0.5;
            let m = target + exp_minus_identity(&half) * target;
            let r = self.inertia * psi - m;
            let size = r.amax();
            if size == 0.0 || (size >= 0.5 * best && best <= STALLED * scale) {
                return Some(psi);
            }
            best = best.min(size);
            let jacobian = self.inertia - hat(&m) * dexp(&half) * 0.5;
            psi -= jacobian.try_inverse()? * r;
        }
        None
    }

    /// Unit twists the body may have.
    fn columns(&self) -> Vec<Twist> {
        let zero = Vector3::zeros();
        let units = [Vector3::x(), Vector3::y(), Vector3::z()];
        let slides = units.map(|v| Twist { v, w: zero });
        let spins = units.map(|w| Twist { v: zero, w });
        match &self.motion {
            Motion::Static => Vec::new(),
            Motion::Particle => slides.to_vec(),
            Motion::Free => [slides, spins].concat(),
            Motion::Planar(n) => {
                let side = n.cross(&units[n.iamin()]).normalize();
                vec![
                    Twist { v: side, w: zero },
                    Twist {
                        v: n.cross(&side),
                        w: zero,
                    },
                    Twist { v: zero, w: *n },
                ]
            }
        }
    }
}

impl Newmark {
    /// Storage for a model; joints the scheme cannot hold are an error.
    pub fn new(model: &Model, beta: f64, gamma: f64, law: Law) -> Result<Self, SimulateError> {
        let unsupported = |reason: String| SimulateError::Unsupported {
            integrator: "Newmark",
            reason: format!("{reason}; use the variational integrator"),
        };
        let mut movers: Vec<Mover> = model
            .bodies()
            .iter()
            .map(|body| {
                let (motion, inertia) = match &body.kind {
                    BodyKind::Static => (Motion::Static, Matrix3::identity()),
                    BodyKind::Particle { .. } => (Motion::Particle, Matrix3::identity()),
                    BodyKind::Rigid { euler_tensor, .. } => (
                        Motion::Free,
                        Matrix3::identity() * euler_tensor.trace() - euler_tensor,
                    ),
                };
                Mover {
                    motion,
                    mass: body.mass(),
                    inertia,
                    inverse: inertia.try_inverse().unwrap_or_else(Matrix3::zeros),
                }
            })
            .collect();
        let mut spins = vec![0; movers.len()];
        for (j, joint) in model.joints().iter().enumerate() {
            let slides = if joint.kind == JointKind::Planar {
                2
            } else {
                3
            };
            spins[joint.child.index()] = model.offsets[j] + slides;
            match (joint.kind, joint.parent) {
                (JointKind::Free, _) => {}
                (JointKind::Planar, None) => {
                    movers[joint.child.index()].motion = Motion::Planar(joint.axis);
                }
                (kind, _) => {
                    return Err(unsupported(format!(
                        "joint \"{}\" is {} and it moves free bodies and bodies in a plane only",
                        joint.name,
                        kind.name()
                    )));
                }
            }
        }
        if let Some(joint) = model.closures().first() {
            return Err(unsupported(format!(
                "joint \"{}\" closes a loop",
                joint.name
            )));
        }
        if let Some(linkage) = model.linkages().first() {
            return Err(unsupported(format!(
                "linkage \"{}\" is in generalised coordinates",
                linkage.spec.name
            )));
        }
        let n = model.bodies().len();
        let forces = model.forces();
        let damped = !(forces.dampers.is_empty() && forces.drags.is_empty());
        let contact = ContactPotential::new(model, law);
        Ok(Self {
            beta,
            gamma,
            movers,
            spins,
            clusters: clusters(model),
            share: Share::all(model),
            damped: damped || contact.as_ref().is_some_and(|c| c.is_damped()),
            contact,
            start: Node::new(model),
            end: Node::new(model),
            guess: vec![NO_WRENCH; n],
            shifts: vec![Vector3::zeros(); n],
            turns: vec![Vector3::zeros(); n],
            tau: vec![0.0; model.controls()],
            potential: vec![Covector::default(); n],
            still: vec![Increment::default(); n],
            blocks: Vec::new(),
        })
    }

    /// Advances the state by h with the given controls.
    pub fn step(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        h: f64,
        controls: &[f64],
    ) -> Result<StepInfo, SimulateError> {
        sample_controls(model, state.time, h, controls, &mut self.tau);
        self.start.poses.copy_from_slice(&state.poses);
        if let Some(contact) = &mut self.contact {
            contact.prepare(model, &state.poses, reach(model, state, h));
        }
        for (k, mover) in self.movers.iter().enumerate() {
            let pose = &state.poses[k];
            let mut p = state.momenta[k].wrench(&pose.directors);
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
        evaluate(
            model,
            &self.share,
            &mut self.contact,
            &self.movers,
            &self.tau,
            &mut self.potential,
            &mut self.start,
        );
        self.guess.copy_from_slice(&self.start.forces);
        let iterations = self.solve(model, settings, state, h)?;
        let info = self.balance(model, h, iterations);
        self.finish(model, state, h);
        Ok(StepInfo {
            time: state.time,
            ..info
        })
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
        self.place(model, state, h)?;
        if !implicit {
            evaluate(
                model,
                &self.share,
                &mut self.contact,
                &self.movers,
                &self.tau,
                &mut self.potential,
                &mut self.end,
            );
            self.guess.copy_from_slice(&self.end.forces);
            self.push(h);
            return Ok(0);
        }
        loop {
            self.push(h);
            evaluate(
                model,
                &self.share,
                &mut self.contact,
                &self.movers,
                &self.tau,
                &mut self.potential,
                &mut self.end,
            );
            let mut size: f64 = 0.0;
            let mut worst = 0;
            for (k, (new, old)) in self.end.forces.iter().zip(&self.guess).enumerate() {
                let off = wrench_vector(new) - wrench_vector(old);
                let finite = off.iter().all(|c| c.is_finite());
                let off = if finite { off.amax() } else { f64::INFINITY };
                if off > size {
                    (size, worst) = (off, k);
                }
                scale = scale.max(wrench_vector(new).amax() + self.start.momenta_size(k) / h);
            }
            let name = || model.bodies()[worst].name.clone();
            if !size.is_finite() {
                return Err(SimulateError::NotFinite {
                    time: state.time,
                    body: name(),
                });
            }
            if size == 0.0 || (size >= 0.5 * best && best <= STALLED * scale) {
                return Ok(iterations);
            }
            if iterations as usize >= settings.max_iterations {
                return Err(SimulateError::NotConverged {
                    time: state.time,
                    body: name(),
                    residual: size / scale,
                    iterations: iterations as usize,
                });
            }
            best = best.min(size);
            self.correct(model, h);
            if beta > 0.0 {
                self.place(model, state, h)?;
            }
            iterations += 1;
        }
    }

    /// x⁺ and D⁺ from p′.
    fn place(&mut self, model: &Model, state: &State, h: f64) -> Result<(), SimulateError> {
        for (k, mover) in self.movers.iter().enumerate() {
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

    /// p⁺ = p + h [(1 − γ) f + γ f⁺] and the velocities it gives.
    fn push(&mut self, h: f64) {
        for (k, mover) in self.movers.iter().enumerate() {
            let impulse = blend(&self.start.forces[k], &self.guess[k], self.gamma);
            self.end.momenta[k] = add(&self.start.momenta[k], &impulse, h);
            self.end.twists[k] = mover.twist(&self.end.poses[k], &self.end.momenta[k]);
        }
    }

    /// One Newton correction of f⁺: (M − βh² ∂f/∂q − γh ∂f/∂q̇) a = f(q⁺, q̇⁺) − f⁺, then f⁺ += M a.
    fn correct(&mut self, model: &Model, h: f64) {
        // The blocks of a step hold −w h̃ V″ with w = ¼, and half of every damper: with
        // h̃ = 2 β h/γ the sum needed is 2 γ h times them. Where γ = 0 any small one will do.
        let gamma = self.gamma.max(1e-3);
        let frame = StepFrame {
            poses: &self.end.poses,
            next: &self.end.poses,
            middle: &self.end.poses,
            increments: &self.still,
            h: 2.0 * self.beta * h / gamma,
            gamma: 0.5,
        };
        blocks_of(model, &self.share, &frame, &mut self.blocks);
        for cluster in &self.clusters {
            let bodies: Vec<usize> = cluster
                .joints
                .iter()
                .map(|j| model.joints()[*j].child.index())
                .collect();
            let columns: Vec<Vec<Twist>> =
                bodies.iter().map(|k| self.movers[*k].columns()).collect();
            let firsts: Vec<usize> = columns
                .iter()
                .scan(0, |at, c| {
                    *at += c.len();
                    Some(*at - c.len())
                })
                .collect();
            let n: usize = columns.iter().map(Vec::len).sum();
            let off = |k: usize| wrench_vector(&self.end.forces[k]) - wrench_vector(&self.guess[k]);
            if cluster.kind == Kind::Free || n > DENSE_LIMIT {
                for &k in &bodies {
                    self.guess[k] = self.end.forces[k];
                }
                continue;
            }
            let mut matrix = vec![0.0; n * n];
            let mut rhs = vec![0.0; n];
            let mut enter = |row: usize, column: usize, block: &Matrix6<f64>| {
                for (j, c) in columns[column].iter().enumerate() {
                    let pushed = block * c.vector();
                    for (i, r) in columns[row].iter().enumerate() {
                        matrix[(firsts[row] + i) * n + firsts[column] + j] +=
                            r.vector().dot(&pushed);
                    }
                }
            };
            for (at, &k) in bodies.iter().enumerate() {
                let pose = &self.end.poses[k];
                let mut own = inertia(&model.bodies()[k].kind, pose);
                // Torques of forces that keep their direction: ∂(Σ dᵢ × yᵢ) = (D Yᵀ − tr I) ω.
                let a = pose.directors * self.potential[k].directors.transpose();
                let turned = (a - Matrix3::identity() * a.trace()) * (self.beta * h * h);
                for i in 0..3 {
                    for j in 0..3 {
                        own[(3 + i, 3 + j)] -= turned[(i, j)];
                    }
                }
                enter(at, at, &own);
                for (i, c) in columns[at].iter().enumerate() {
                    rhs[firsts[at] + i] = c.vector().dot(&off(k));
                }
            }
            for b in &self.blocks {
                let place =
                    |body: crate::model::BodyId| bodies.iter().position(|k| *k == body.index());
                if let (Some(row), Some(column)) = (place(b.row), place(b.column)) {
                    enter(row, column, &(b.matrix * (-2.0 * gamma * h)));
                }
            }
            let solved = dense::solve(&mut matrix, &mut rhs);
            for (at, &k) in bodies.iter().enumerate() {
                if !solved {
                    self.guess[k] = self.end.forces[k];
                    continue;
                }
                let mut twist = nalgebra::Vector6::zeros();
                for (i, c) in columns[at].iter().enumerate() {
                    twist += c.vector() * rhs[firsts[at] + i];
                }
                let change = inertia(&model.bodies()[k].kind, &self.end.poses[k]) * twist;
                let change = self.movers[k].felt(&wrench_from(&change));
                self.guess[k] = add(&self.guess[k], &change, 1.0);
            }
        }
    }

    /// Energy, work and what the step leaves of the balance of momentum; the time is not set.
    fn balance(&self, model: &Model, h: f64, iterations: u32) -> StepInfo {
        let (start, end) = (&self.start, &self.end);
        let mut energy = potential(model, &self.share, &end.poses)
            + self.contact.as_ref().map_or(0.0, |c| c.value().0);
        let mut work = 0.0;
        let mut linear = Vector3::zeros();
        let mut angular = Vector3::zeros();
        for (k, mover) in self.movers.iter().enumerate() {
            energy += 0.5 * wrench_vector(&end.momenta[k]).dot(&end.twists[k].vector());
            work += 0.5 * (start.loads[k].force + end.loads[k].force).dot(&self.shifts[k])
                + 0.5 * (start.loads[k].torque + end.loads[k].torque).dot(&self.turns[k]);
            let mut enter = |pose: &Pose, w: &Wrench, sign: f64| {
                linear += w.force * sign;
                let about_origin = Wrench {
                    force: w.force,
                    torque: w.torque + pose.position.cross(&w.force),
                };
                if !matches!(mover.motion, Motion::Planar(_)) {
                    angular += about_origin.torque * sign;
                } else {
                    angular += mover.felt(&about_origin).torque * sign;
                }
            };
            enter(&end.poses[k], &end.momenta[k], 1.0);
            enter(&start.poses[k], &start.momenta[k], -1.0);
            enter(&start.poses[k], &start.forces[k], -h * (1.0 - self.gamma));
            enter(&end.poses[k], &end.forces[k], -h * self.gamma);
        }
        StepInfo {
            time: 0.0,
            h,
            iterations,
            energy_discrete: energy,
            momentum_residual: linear.norm().max(angular.norm()),
            work,
            contact: ContactInfo {
                energy: h
                    * ((1.0 - self.gamma) * self.start.drag_power
                        + self.gamma * self.end.drag_power),
                ..ContactInfo::default()
            },
        }
    }

    /// Moves the state to the end of the step.
    fn finish(&self, model: &Model, state: &mut State, h: f64) {
        state.unbalanced.fill(0.0);
        for (k, body) in model.bodies().iter().enumerate() {
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

impl Node {
    fn momenta_size(&self, k: usize) -> f64 {
        wrench_vector(&self.momenta[k]).amax()
    }
}

/// a (1 − w) + b w.
fn blend(a: &Wrench, b: &Wrench, w: f64) -> Wrench {
    Wrench {
        force: a.force * (1.0 - w) + b.force * w,
        torque: a.torque * (1.0 - w) + b.torque * w,
    }
}

/// a + b · factor.
fn add(a: &Wrench, b: &Wrench, factor: f64) -> Wrench {
    Wrench {
        force: a.force + b.force * factor,
        torque: a.torque + b.torque * factor,
    }
}

/// Forces on all bodies at a configuration and its velocities; `potential` becomes −∂V/∂q.
fn evaluate(
    model: &Model,
    share: &Share,
    contact: &mut Option<ContactPotential>,
    movers: &[Mover],
    tau: &[f64],
    potential: &mut [Covector],
    node: &mut Node,
) {
    let Node {
        poses,
        twists,
        forces,
        loads,
        drag_power,
        ..
    } = node;
    potential_forces(model, share, poses, potential);
    if let Some(contact) = contact {
        contact.evaluate(model, poses);
        contact.add_forces(potential);
    }
    loads.fill(NO_WRENCH);
    add_actuators(model, poses, tau, 1.0, loads, &mut []);
    for (k, mover) in movers.iter().enumerate() {
        loads[k] = mover.felt(&loads[k]);
        forces[k] = add(&potential[k].wrench(&poses[k].directors), &loads[k], 1.0);
    }
    let place = |p: &Point| match p.body {
        None => (p.local, Vector3::zeros(), Vector3::zeros()),
        Some(b) => {
            let (pose, twist) = (&poses[b.index()], &twists[b.index()]);
            let arm = pose.directors * p.local;
            (pose.position + arm, twist.v + twist.w.cross(&arm), arm)
        }
    };
    for d in &model.forces().dampers {
        let ((xa, va, arm_a), (xb, vb, arm_b)) = (place(&d.a), place(&d.b));
        let Some(n) = (xa - xb).try_normalize(0.0) else {
            continue;
        };
        // −c ṙ along the line
        let force = n * (-d.coefficient * n.dot(&(va - vb)));
        for (body, arm, sign) in [(d.a.body, arm_a, 1.0), (d.b.body, arm_b, -1.0)] {
            if let Some(b) = body {
                let w = &mut forces[b.index()];
                w.force += force * sign;
                w.torque += arm.cross(&force) * sign;
            }
        }
    }
    for drag in &model.forces().drags {
        let b = drag.body.index();
        forces[b].force -= twists[b].v * drag.linear;
        forces[b].torque -= twists[b].w * drag.angular;
    }
    if let Some(contact) = contact {
        contact.add_drag(poses, twists, forces);
        *drag_power = contact.drag_power(poses, twists);
    }
    for (w, mover) in forces.iter_mut().zip(movers) {
        *w = mover.felt(w);
    }
}
