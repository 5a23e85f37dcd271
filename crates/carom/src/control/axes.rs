//! Controllers of coordinates of joints and linkages: PD, PID, computed torque.
#![allow(non_snake_case)]

use nalgebra::{DMatrix, DVector};

use super::aim::{rate, rate_of_rate};
use super::controller::{Controller, Quantity, View};
use crate::mechanics::{
    Covector, NO_WRENCH, Share, Wrench, add_actuators, inertia, input_map, joint_coordinate_rate,
    potential_forces, reduce, retract, sample_controls, twists, wrench_from,
};
use crate::model::{BodyKind, Model, Signal};

/// A coordinate that is to follow a function of time.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its name, for columns where there are several.
    pub name: String,
    /// Places of the coordinate and its rate among measured quantities.
    pub measured: [usize; 2],
    /// Whether it is an angle: errors are taken the shorter way round.
    pub turns: bool,
    /// Where it should be.
    pub target: Signal,
    /// Gains of error, of its integral, and of its rate.
    pub gains: [f64; 3],
}

/// Errors of some axes, with their integrals.
#[derive(Clone, Debug)]
struct Errors {
    axes: Vec<Axis>,
    integrals: Vec<f64>,
    integrates: bool,
}

impl Errors {
    fn new(axes: Vec<Axis>) -> Self {
        Self {
            integrals: vec![0.0; axes.len()],
            integrates: axes.iter().any(|a| a.gains[1] > 0.0),
            axes,
        }
    }

    fn quantities(&self) -> Vec<Quantity> {
        let mut list = Vec::new();
        let kinds = [
            ("error", "m or rad", "target less the coordinate"),
            ("error_rate", "m/s or rad/s", "rate of the error"),
            ("integral", "m s or rad s", "integral of the error"),
        ];
        for (what, unit, meaning) in &kinds[..2 + usize::from(self.integrates)] {
            for axis in &self.axes {
                let name = match self.axes.len() {
                    1 => what.to_string(),
                    _ => format!("{what}.{}", axis.name),
                };
                list.push(Quantity::new(
                    name,
                    unit,
                    format!("{meaning} {}", axis.name),
                ));
            }
        }
        list
    }

    /// What P, I and D ask for, axis by axis, and the inner quantities.
    fn ask(&self, now: &View, inner: &mut [f64]) -> Vec<f64> {
        let (t, n) = (now.time(), self.axes.len());
        let asked = self.axes.iter().enumerate().map(|(k, axis)| {
            let [value, speed] = axis.measured.map(|m| now.measured()[m]);
            let mut error = axis.target.at(t) - value;
            if axis.turns {
                error = error.sin().atan2(error.cos());
            }
            let error_rate = rate(&axis.target, t) - speed;
            inner[k] = error;
            inner[n + k] = error_rate;
            let [p, i, d] = axis.gains;
            p * error + i * self.integrals[k] + d * error_rate
        });
        let asked = asked.collect();
        if self.integrates {
            inner[2 * n..].copy_from_slice(&self.integrals);
        }
        asked
    }

    /// Sums up errors, but not while an output is at its limit.
    fn sum(&mut self, now: &View, output: &[f64], inner: &[f64]) {
        if !self.integrates {
            return;
        }
        for (k, integral) in self.integrals.iter_mut().enumerate() {
            let [low, high] = now.limits()[k];
            if low <= output[k] && output[k] <= high {
                *integral += inner[k] * now.interval();
            }
        }
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let fits = state.len() == self.integrals.len();
        self.integrals = state.to_vec();
        fits
    }
}

/// PID (or PD) of coordinates, one output for each.
#[derive(Clone, Debug)]
pub struct Pid(Errors);

impl Pid {
    /// As many outputs as axes, in their order.
    pub fn new(axes: Vec<Axis>) -> Self {
        Self(Errors::new(axes))
    }
}

impl Controller for Pid {
    fn quantities(&self) -> Vec<Quantity> {
        self.0.quantities()
    }

    fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]) {
        output.copy_from_slice(&self.0.ask(now, inner));
        self.0.sum(now, output, inner);
    }

    fn state(&self) -> Vec<f64> {
        self.0.integrals.clone()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.0.restore(state)
    }
}

/// Computed torque: the forces that give coordinates the accelerations q̈_d + k_d ė + k_i ∫e + k_p e, whatever
/// the mechanism does, its other freedoms included.
///
/// With generalised masses M, forces f of everything else and the input map B, accelerations are
/// M⁻¹ (B τ + f); S picks those of the coordinates: S M⁻¹ B τ = v − S M⁻¹ f.
#[derive(Debug)]
pub struct ComputedTorque {
    errors: Errors,
    /// Joint of the model (or closure behind them) and coordinate of each axis.
    joints: Vec<(usize, usize)>,
    /// Places of the outputs among the controls.
    outputs: Vec<usize>,
    share: Share,
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
        }
    }

    /// τ for wanted accelerations; zero where the outputs cannot give them.
    fn torque(&self, now: &View, wanted: &[f64]) -> Vec<f64> {
        let simulation = now.simulation();
        let (model, poses) = (simulation.model(), &simulation.state().poses);
        let (n, m) = (model.tree_freedom, wanted.len());
        let nu = simulation.joint_velocities();
        let M = masses(model, poses);
        let f = DVector::from_vec(generalised_forces(
            model,
            &self.share,
            poses,
            nu,
            now.time(),
        ));
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
        let all = input_map(model, poses);
        let B = DMatrix::from_fn(n, m, |i, k| all[(i, self.outputs[k])]);
        let Some(factor) = M.cholesky() else {
            return vec![0.0; m];
        };
        let A = &S * factor.solve(&B);
        let v = DVector::from_column_slice(wanted) - S * factor.solve(&f);
        let solved = A.lu().solve(&v);
        solved.map_or(vec![0.0; m], |tau| tau.as_slice().to_vec())
    }
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

/// M = Pᵀ M P of the tree.
fn masses(model: &Model, poses: &[carom_gap::Pose]) -> DMatrix<f64> {
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
    // Round-off must not spoil Cholesky's factors.
    let transposed = out.transpose();
    (out + transposed) * 0.5
}

/// Pᵀ of potentials, drag and loads, less the inertia of motion with constant joint velocities ν.
fn generalised_forces(
    model: &Model,
    share: &Share,
    poses: &[carom_gap::Pose],
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
    // (d/dt) P ν with ν constant, by central differences along the motion.
    let moving = twists(model, poses, nu);
    let fastest = nu.iter().fold(1.0, |m: f64, v| m.max(v.abs()));
    let h = 1e-5 / fastest;
    let [before, after] = [-h, h].map(|h| {
        let u: Vec<f64> = nu.iter().map(|v| v * h).collect();
        twists(model, &retract(model, poses, &u), nu)
    });
    for drag in &model.forces().drags {
        let k = drag.body.index();
        wrenches[k].force -= moving[k].v * drag.linear;
        wrenches[k].torque -= moving[k].w * drag.angular;
    }
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
    out
}
