//! One step of the variational integrator, (q, p) → (q⁺, p⁺), with everything it needs.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::error::SimulateError;
use super::ledger::StepInfo;
use super::linkages::LinkageStepper;
use super::reduced::Reduced;
use super::settings::{Formulation, Integrator, Settings};
use super::state::State;
use crate::mechanics::{
    Covector, Increment, NO_WRENCH, StepFrame, Wrench, add_actuators, add_dampers, hat, log,
    potential, reduce, sample_controls,
};
use crate::model::{BodyKind, JointKind, Model};

/// Storage and solver of the variational integrator.
#[derive(Debug)]
pub(super) struct Stepper {
    solver: Solver,
    linkages: LinkageStepper,
    gamma: f64,
    tau: Vec<f64>,
    start_loads: Vec<Wrench>,
    end_loads: Vec<Wrench>,
    coordinate_loads: Vec<f64>,
    end_coordinate_loads: Vec<f64>,
    old_momenta: Vec<Covector>,
    old_poses: Vec<Pose>,
    reduced: Vec<f64>,
}

/// One variant per formulation.
#[derive(Debug)]
enum Solver {
    Reduced(Reduced),
}

/// The motion a solver found: what all formulations have in common.
pub(super) struct Motion<'a> {
    pub increments: &'a [Increment],
    pub next: &'a [Pose],
    pub middle: &'a [Pose],
    pub forces: &'a [Covector],
}

impl Stepper {
    pub fn new(model: &Model, settings: &Settings) -> Result<Self, SimulateError> {
        let Integrator::Variational { formulation, gamma } = settings.integrator else {
            return Err(SimulateError::Unsupported {
                integrator: "the variational stepper",
                reason: "Newmark has its own".into(),
            });
        };
        let bodies = model.bodies().len();
        let solver = match formulation {
            Formulation::Reduced => Solver::Reduced(Reduced::new(model)),
            Formulation::Projected | Formulation::Multipliers => {
                return Err(SimulateError::Unsupported {
                    integrator: "this formulation",
                    reason: "it is not available".into(),
                });
            }
        };
        Ok(Self {
            solver,
            linkages: LinkageStepper::new(model),
            gamma,
            tau: vec![0.0; model.controls()],
            start_loads: vec![NO_WRENCH; bodies],
            end_loads: vec![NO_WRENCH; bodies],
            coordinate_loads: vec![0.0; model.coordinates],
            end_coordinate_loads: vec![0.0; model.coordinates],
            old_momenta: vec![Covector::default(); bodies],
            old_poses: model.bodies().iter().map(|b| b.start).collect(),
            reduced: vec![0.0; model.tree_freedom],
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
        let gamma = self.gamma;
        // f⁻ = (h/2) Bᵀ(q) τ
        self.start_loads.fill(NO_WRENCH);
        self.coordinate_loads.fill(0.0);
        add_actuators(
            model,
            &state.poses,
            &self.tau,
            0.5 * h,
            &mut self.start_loads,
            &mut self.coordinate_loads,
        );
        let loads = &self.start_loads;
        let limit = settings.max_iterations;
        let iterations = match &mut self.solver {
            Solver::Reduced(r) => r.solve(model, state, h, gamma, loads, limit)?.iterations,
        };
        let more = self
            .linkages
            .solve(model, state, h, gamma, &self.coordinate_loads, limit)?;

        let motion = match &self.solver {
            Solver::Reduced(r) => Motion {
                increments: &r.increments,
                next: &r.next,
                middle: &r.middle,
                forces: &r.forces,
            },
        };
        let frame = StepFrame {
            poses: &state.poses,
            next: motion.next,
            middle: motion.middle,
            increments: motion.increments,
            h,
            gamma,
        };
        // f⁺ = (h/2) Bᵀ(q⁺) τ and what dampers do at q⁺.
        self.end_loads.fill(NO_WRENCH);
        add_actuators(
            model,
            motion.next,
            &self.tau,
            0.5 * h,
            &mut self.end_loads,
            &mut self.end_coordinate_loads,
        );
        // Loads are impulses: divide by h.
        let work = (work(model, &motion, &self.start_loads, &self.end_loads)
            + self.linkages.work(&self.coordinate_loads))
            / h;
        add_dampers(model, &frame, false, &mut self.start_loads);
        add_dampers(model, &frame, true, &mut self.end_loads);
        let energy_discrete = discrete_energy(model, &motion, h) + self.linkages.energy;

        self.old_momenta.copy_from_slice(&state.momenta);
        self.old_poses.copy_from_slice(&state.poses);
        for (k, body) in model.bodies().iter().enumerate() {
            state.momenta[k] = end_momentum(&body.kind, &motion, &self.end_loads[k], k, h, gamma);
            let wanted = motion.increments[k].shift + state.carry[k];
            state.carry[k] = wanted - (motion.next[k].position - state.poses[k].position);
        }
        state.poses.copy_from_slice(motion.next);
        let residual = self.momentum_residual(model, state, h);
        match &self.solver {
            Solver::Reduced(r) => {
                r.rates(h, &mut state.guess);
                state.unbalanced.copy_from_slice(r.unbalanced());
            }
        }
        self.linkages.finish(model, state, h);
        state.time += h;
        Ok(StepInfo {
            time: state.time,
            h,
            iterations: iterations + more,
            energy_discrete,
            momentum_residual: residual,
            work,
        })
    }

    /// What the step leaves unexplained of the change of momentum. For bodies that nothing ties to
    /// the world: |L⁺ − L − T|, linear and angular about the origin, T all impulses of potentials and
    /// loads. For others the world's reaction takes part of the balance; what must vanish is its
    /// projection Pᵀ(q)[p + D₁L_d + f⁻].
    fn momentum_residual(&mut self, model: &Model, state: &State, h: f64) -> f64 {
        let Solver::Reduced(solver) = &self.solver;
        if !model.closures().is_empty() {
            return 0.0;
        }
        let gamma = self.gamma;
        let tied = |j: &crate::model::Joint| j.parent.is_none() && j.kind != JointKind::Free;
        let held = model.joints().iter().any(tied);
        let (old, new) = (&self.old_poses, &state.poses);
        let mut linear = Vector3::zeros();
        let mut angular = Vector3::zeros();
        for (k, body) in model.bodies().iter().enumerate() {
            let wrench = |y: &Covector, pose: &Pose| match body.kind {
                BodyKind::Rigid { .. } => y.wrench(&pose.directors),
                _ => Wrench {
                    force: y.force,
                    torque: Vector3::zeros(),
                },
            };
            if body.kind == BodyKind::Static {
                continue;
            }
            if held {
                let mut y = self.old_momenta[k];
                y.add(&solver.forces[k], h * gamma);
                let i = &solver.increments[k];
                y.force -= i.shift * (body.mass() / h);
                if let BodyKind::Rigid { euler_tensor, .. } = &body.kind {
                    y.directors -= i.directors * euler_tensor / h;
                }
                let w = wrench(&y, &old[k]);
                self.start_loads[k].force += w.force;
                self.start_loads[k].torque += w.torque;
                continue;
            }
            let mut add = |pose: &Pose, w: &Wrench, sign: f64| {
                linear += w.force * sign;
                angular += (w.torque + pose.position.cross(&w.force)) * sign;
            };
            add(&new[k], &wrench(&state.momenta[k], &new[k]), 1.0);
            add(&old[k], &wrench(&self.old_momenta[k], &old[k]), -1.0);
            add(&old[k], &wrench(&solver.forces[k], &old[k]), -h * gamma);
            add(
                &new[k],
                &wrench(&solver.forces[k], &new[k]),
                -h * (1.0 - gamma),
            );
            add(&old[k], &self.start_loads[k], -1.0);
            add(&new[k], &self.end_loads[k], -1.0);
        }
        if held {
            reduce(model, old, &mut self.start_loads, &mut self.reduced);
            return self.reduced.iter().fold(0.0, |m: f64, r| m.max(r.abs()));
        }
        linear.norm().max(angular.norm())
    }
}

/// p⁺ = D₂L_d + f⁺ = (1/h) M Δq + h (1 − γ) F(q̄) + f⁺; a torque enters the directors as ½ τ × d_I.
fn end_momentum(
    kind: &BodyKind,
    motion: &Motion,
    load: &Wrench,
    k: usize,
    h: f64,
    gamma: f64,
) -> Covector {
    let i = &motion.increments[k];
    let mut p = motion.forces[k];
    p.force *= h * (1.0 - gamma);
    p.directors *= h * (1.0 - gamma);
    match kind {
        BodyKind::Rigid { mass, euler_tensor } => {
            p.force += i.shift * (mass / h) + load.force;
            p.directors +=
                i.directors * euler_tensor / h + hat(&load.torque) * motion.next[k].directors * 0.5;
        }
        BodyKind::Particle { mass } => p.force += i.shift * (mass / h) + load.force,
        BodyKind::Static => p = Covector::default(),
    }
    p
}

/// E_d = (1/2h²) Δqᵀ M Δq + V(q̄).
fn discrete_energy(model: &Model, motion: &Motion, h: f64) -> f64 {
    let mut sum = 0.0;
    for (k, body) in model.bodies().iter().enumerate() {
        let i = &motion.increments[k];
        match &body.kind {
            BodyKind::Rigid { mass, euler_tensor } => {
                sum +=
                    mass * i.shift.norm_squared() + (i.directors * euler_tensor).dot(&i.directors);
            }
            BodyKind::Particle { mass } => sum += mass * i.shift.norm_squared(),
            BodyKind::Static => {}
        }
    }
    0.5 * sum / (h * h) + potential(model, motion.middle)
}

/// Product of the loads' impulses with the motion of a step.
fn work(model: &Model, motion: &Motion, start: &[Wrench], end: &[Wrench]) -> f64 {
    if model.actuators().is_empty() {
        return 0.0;
    }
    let mut sum = 0.0;
    for (k, body) in model.bodies().iter().enumerate() {
        if body.kind == BodyKind::Static {
            continue;
        }
        let i = &motion.increments[k];
        let turn = log(&(i.turn + nalgebra::Matrix3::identity()));
        sum += (start[k].force + end[k].force).dot(&i.shift)
            + (start[k].torque + end[k].torque).dot(&turn);
    }
    sum
}
