//! Computed torque.
//!
//! With generalised masses M, forces f of everything else and the input map B, joint accelerations are
//! a = M⁻¹ (B τ + f) in a tree. Loops and gears hold C ν = 0: with the projection Π on velocities that do, in the metric
//! of M, and any accelerations a_c that keep them closed, a = a_c + Π (M⁻¹ (B τ + f) − a_c). S picks those of the
//! coordinates: S Π M⁻¹ B τ = v − S (a_c + Π (M⁻¹ f − a_c)). Dry friction is left to the feedback.
#![allow(non_snake_case)]

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector};

use super::aim::rate_of_rate;
use super::axes::{Axis, Errors};
use super::controller::{Controller, Quantity, View};
use crate::mechanics::{
    Covector, NO_WRENCH, Share, VelocitySolver, Wrench, add_actuators, add_damping, add_influences,
    inertia, input_map, joint_coordinate_rate, law_coordinate, potential_forces, reduce, retract,
    sample_controls, twists, wrench_from,
};
use crate::model::{BodyKind, Model};

/// Computed torque: the forces that give coordinates the accelerations q̈_d + k_d ė + k_i ∫e + k_p e, whatever
/// the mechanism does, its other freedoms included.
#[derive(Debug)]
pub struct ComputedTorque {
    errors: Errors,
    /// Joint of the model (or closure behind them) and coordinate of each axis.
    joints: Vec<(usize, usize)>,
    /// Places of the outputs among the controls.
    outputs: Vec<usize>,
    share: Share,
    /// Takes out what would open loops and gears.
    closing: VelocitySolver,
}

impl ComputedTorque {
    /// Axes are coordinates `joints` (index among the model's joints, coordinate); outputs are the controls
    /// with these places, as many as axes.
    pub fn new(
        model: &Model,
        axes: Vec<Axis>,
        joints: Vec<(usize, usize)>,
        outputs: Vec<usize>,
    ) -> Self {
        Self {
            errors: Errors::new(axes),
            joints,
            outputs,
            share: Share::all(model),
            closing: VelocitySolver::new(model),
        }
    }

    /// τ for wanted accelerations; zero where the outputs cannot give them.
    fn torque(&mut self, now: &View, wanted: &[f64]) -> Vec<f64> {
        let simulation = now.simulation();
        let (model, poses) = (simulation.model(), &simulation.state().poses);
        let (n, m) = (model.tree_freedom, wanted.len());
        let nu = simulation.joint_velocities();
        let Some(factor) = masses(model, poses).cholesky() else {
            return vec![0.0; m];
        };
        let f = generalised_forces(model, &self.share, poses, nu, now.time());
        // a = a_c + Π (M⁻¹ f − a_c)
        let a_c = self.closed_acceleration(model, poses, nu);
        let mut drift = factor.solve(&DVector::from_vec(f)) - &a_c;
        self.project(model, poses, drift.as_mut_slice());
        drift += a_c;
        let all = input_map(model, poses);
        let B = DMatrix::from_fn(n, m, |i, k| all[(i, self.outputs[k])]);
        let mut given = factor.solve(&B);
        for mut column in given.column_iter_mut() {
            let mut own: Vec<f64> = column.iter().copied().collect();
            self.project(model, poses, &mut own);
            column.copy_from_slice(&own);
        }
        // Rates of the coordinates by joint velocities.
        let mut S = DMatrix::zeros(m, n);
        let mut unit = vec![0.0; n];
        for j in 0..n {
            unit[j] = 1.0;
            let moving = twists(model, poses, &unit);
            for (a, (joint, coordinate)) in self.joints.iter().enumerate() {
                let joint = &model.joints()[*joint];
                let rate = joint_coordinate_rate(joint, *coordinate, poses, &moving);
                S[(a, j)] = rate.unwrap_or(0.0);
            }
            unit[j] = 0.0;
        }
        let v = DVector::from_column_slice(wanted) - &S * drift;
        // Where several outputs can do it (gears, loops), the smallest.
        let solved = (S * given).svd(true, true).solve(&v, 1e-9);
        solved.map_or(vec![0.0; m], |tau| tau.as_slice().to_vec())
    }

    /// Π: takes out of joint velocities or accelerations what would open loops and gears.
    fn project(&mut self, model: &Model, poses: &[Pose], nu: &mut [f64]) {
        if is_closed(model) {
            self.closing.close(model, poses, nu);
        }
    }

    /// a_c: how velocities that keep loops closed change on the way, by central differences.
    fn closed_acceleration(&mut self, model: &Model, poses: &[Pose], nu: &[f64]) -> DVector<f64> {
        if model.closures().is_empty() {
            return DVector::zeros(nu.len());
        }
        let h = difference_step(nu);
        let [before, after] = [-h, h].map(|h| {
            let u: Vec<f64> = nu.iter().map(|v| v * h).collect();
            let mut moved = nu.to_vec();
            self.project(model, &retract(model, poses, &u), &mut moved);
            DVector::from_vec(moved)
        });
        (after - before) / (2.0 * h)
    }
}

/// Whether joint velocities are tied to each other.
fn is_closed(model: &Model) -> bool {
    !(model.closures().is_empty() && model.couplings().is_empty())
}

/// A time in which joints move little.
fn difference_step(nu: &[f64]) -> f64 {
    1e-5 / nu.iter().fold(1.0, |m: f64, v| m.max(v.abs()))
}

impl Controller for ComputedTorque {
    fn quantities(&self) -> Vec<Quantity> {
        self.errors.quantities()
    }

    fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]) {
        let mut wanted = self.errors.ask(now, inner);
        for (v, axis) in wanted.iter_mut().zip(&self.errors.axes) {
            *v += rate_of_rate(&axis.target, now.time());
        }
        output.copy_from_slice(&self.torque(now, &wanted));
        self.errors.sum(now, output, inner);
    }

    fn state(&self) -> Vec<f64> {
        self.errors.integrals.clone()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.errors.restore(state)
    }
}

/// M = Pᵀ M P of the tree, with its rotors.
fn masses(model: &Model, poses: &[Pose]) -> DMatrix<f64> {
    let n = model.tree_freedom;
    let mut out = DMatrix::zeros(n, n);
    let mut unit = vec![0.0; n];
    let mut column = vec![0.0; n];
    for j in 0..n {
        unit[j] = 1.0;
        let moving = twists(model, poses, &unit);
        let mut momenta: Vec<Wrench> = (model.bodies().iter().zip(poses).zip(&moving))
            .map(|((body, pose), twist)| match body.kind {
                BodyKind::Static => NO_WRENCH,
                _ => wrench_from(&(inertia(&body.kind, pose) * twist.vector())),
            })
            .collect();
        reduce(model, poses, &mut momenta, &mut column);
        out.set_column(j, &DVector::from_column_slice(&column));
        unit[j] = 0.0;
    }
    for law in model.joint_laws().iter().filter(|l| l.joint.is_some()) {
        out[(law.freedom, law.freedom)] += law.physics.armature;
    }
    // Round-off must not spoil Cholesky's factors.
    let transposed = out.transpose();
    (out + transposed) * 0.5
}

/// Pᵀ of potentials, drag, dampers, fields and loads, and what acts along the joints, less the inertia of motion with constant joint velocities ν.
fn generalised_forces(
    model: &Model,
    share: &Share,
    poses: &[Pose],
    nu: &[f64],
    time: f64,
) -> Vec<f64> {
    let count = model.bodies().len();
    let mut potential = vec![Covector::default(); count];
    potential_forces(model, share, poses, &mut potential);
    let mut wrenches: Vec<Wrench> = (potential.iter().zip(poses))
        .map(|(y, pose)| y.wrench(&pose.directors))
        .collect();
    let mut tau = vec![0.0; model.controls()];
    let none = tau.clone();
    sample_controls(model, time, 0.0, &none, &mut tau);
    let mut coordinates = vec![0.0; model.coordinates];
    add_actuators(model, poses, &tau, 1.0, &mut wrenches, &mut coordinates);
    add_influences(model, poses, 1.0, &mut wrenches);
    // (d/dt) P ν with ν constant, by central differences along the motion.
    let moving = twists(model, poses, nu);
    let h = difference_step(nu);
    let [before, after] = [-h, h].map(|h| {
        let u: Vec<f64> = nu.iter().map(|v| v * h).collect();
        twists(model, &retract(model, poses, &u), nu)
    });
    add_damping(model, poses, &moving, &mut wrenches);
    for (k, body) in model.bodies().iter().enumerate() {
        if body.kind == BodyKind::Static {
            continue;
        }
        let mass = inertia(&body.kind, &poses[k]);
        let change = (after[k].vector() - before[k].vector()) / (2.0 * h);
        let push = wrench_from(&(mass * change));
        // ω × J ω
        let spin = wrench_from(&(mass * moving[k].vector())).torque;
        wrenches[k].force -= push.force;
        wrenches[k].torque -= push.torque + moving[k].w.cross(&spin);
    }
    let mut out = vec![0.0; model.tree_freedom];
    reduce(model, poses, &mut wrenches, &mut out);
    // Springs, dampers and servos along the joints.
    for law in model.joint_laws() {
        let Some(row) = law_coordinate(model, law, poses) else {
            continue;
        };
        let (p, rate) = (&law.physics, nu[law.freedom]);
        let spring = p.spring.map_or(0.0, |spring| {
            spring.stiffness * law.difference(row.value, spring.rest)
        });
        let (servo, _) = law.servo(time, row.value, rate);
        out[law.freedom] += servo - spring - p.damping * rate;
    }
    out
}
