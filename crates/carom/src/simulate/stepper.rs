//! One step of the variational integrator, (q, p) → (q⁺, p⁺), with everything it needs.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::error::SimulateError;
use super::ledger::{ContactInfo, StepInfo};
use super::linkages::LinkageStepper;
use super::multipliers::Multipliers;
use super::projected::Projected;
use super::reactions::{self, Reaction};
use super::reduced::Reduced;
use super::redundant::Redundant;
use super::settings::{Formulation, Integrator, Settings};
use super::state::State;
use crate::contact::ContactPotential;
use crate::mechanics::{
    Covector, Increment, NO_WRENCH, Row, Share, StepFrame, Wrench, add_actuators, add_dampers, hat,
    log, potential, reduce_joints, row_count, sample_controls,
};
use crate::model::{BodyKind, Joint, JointKind, Model};

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
    /// Where loads along coordinates go that are known already.
    spare: Vec<f64>,
    old_momenta: Vec<Covector>,
    old_poses: Vec<Pose>,
    reduced: Vec<f64>,
    joints: Vec<usize>,
    /// Wrenches of the balance at q.
    balance: Vec<Wrench>,
    /// Multipliers of the loops in the last step, as impulses.
    loops: Vec<f64>,
    rows: Vec<Row>,
    last_h: f64,
    /// Whether a joint ties something to the world.
    held: bool,
    /// The whole model, for formulations that step it as one.
    all: Share,
    /// Linkages of the present step.
    linkage_list: Vec<usize>,
    /// Whether potentials hold bodies apart: then the model is stepped as one.
    soft: bool,
    /// All units, and those of the present step.
    every_unit: Vec<usize>,
    units: Vec<usize>,
}

/// One variant per formulation.
#[derive(Debug)]
enum Solver {
    Reduced(Box<Reduced>),
    Projected(Box<Projected>),
    Multipliers(Box<Multipliers>),
}

impl Solver {
    /// The motion just solved.
    fn motion(&self) -> Motion<'_> {
        fn redundant(q: &Redundant) -> Motion<'_> {
            Motion {
                increments: &q.increments,
                next: &q.next,
                middle: &q.middle,
                forces: &q.forces,
            }
        }
        match self {
            Solver::Reduced(r) => Motion {
                increments: &r.increments,
                next: &r.next,
                middle: &r.middle,
                forces: &r.forces,
            },
            Solver::Projected(s) => redundant(&s.redundant),
            Solver::Multipliers(s) => redundant(&s.redundant),
        }
    }
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
        let contact = ContactPotential::new(model, settings.law);
        if contact.is_some() && formulation != Formulation::Reduced {
            return Err(SimulateError::Unsupported {
                integrator: "the contact potential",
                reason: "it needs the reduced formulation".into(),
            });
        }
        let soft = contact.is_some();
        let solver = match formulation {
            Formulation::Reduced => Solver::Reduced(Box::new(Reduced::new(model, contact))),
            Formulation::Projected => Solver::Projected(Box::new(Projected::new(model))),
            Formulation::Multipliers => Solver::Multipliers(Box::new(Multipliers::new(model)?)),
        };
        let tied = |j: &Joint| j.parent.is_none() && j.kind != JointKind::Free;
        let held = model.joints().iter().chain(model.closures()).any(tied);
        let loops: usize = model.closures().iter().map(|j| row_count(j.kind)).sum();
        let units = match &solver {
            Solver::Reduced(s) if !soft => s.clusters().len() + model.linkages().len(),
            _ => 1,
        };
        let every_unit: Vec<usize> = (0..units).collect();
        let mut stepper = Self {
            all: Share::all(model),
            linkage_list: Vec::new(),
            every_unit: every_unit.clone(),
            soft,
            units: Vec::new(),
            solver,
            linkages: LinkageStepper::new(model),
            gamma,
            tau: vec![0.0; model.controls()],
            start_loads: vec![NO_WRENCH; bodies],
            end_loads: vec![NO_WRENCH; bodies],
            coordinate_loads: vec![0.0; model.coordinates],
            end_coordinate_loads: vec![0.0; model.coordinates],
            spare: vec![0.0; model.coordinates],
            old_momenta: vec![Covector::default(); bodies],
            old_poses: model.bodies().iter().map(|b| b.start).collect(),
            reduced: vec![0.0; model.tree_freedom],
            joints: (0..model.joints().len()).collect(),
            balance: vec![NO_WRENCH; bodies],
            loops: vec![0.0; loops],
            rows: Vec::with_capacity(6),
            last_h: 0.0,
            held,
        };
        stepper.choose(model, &every_unit);
        Ok(stepper)
    }

    /// Bodies of every unit and the coordinates of its linkage: units can be stepped on their own.
    pub fn unit_members(&self, model: &Model) -> Vec<(Vec<usize>, Vec<usize>)> {
        match &self.solver {
            Solver::Reduced(s) if !self.soft => {
                let clusters = s.clusters().iter();
                let linkages = model.linkages().iter();
                clusters
                    .map(|c| (c.share.bodies.clone(), Vec::new()))
                    .chain(
                        linkages.map(|l| (Vec::new(), (l.first..l.first + l.freedom()).collect())),
                    )
                    .collect()
            }
            _ => vec![(self.all.bodies.clone(), (0..model.coordinates).collect())],
        }
    }

    /// Chooses the units of the next step.
    fn choose(&mut self, model: &Model, units: &[usize]) {
        if self.units == units {
            return;
        }
        self.units.clear();
        self.units.extend_from_slice(units);
        self.linkage_list.clear();
        match &mut self.solver {
            Solver::Reduced(s) if !self.soft => {
                let first = s.clusters().len();
                let split = units.iter().filter(|&&u| u >= first);
                self.linkage_list.extend(split.map(|u| u - first));
                if self.linkage_list.is_empty() {
                    s.choose(units);
                } else {
                    let bodies: Vec<usize> = units.iter().copied().filter(|&u| u < first).collect();
                    s.choose(&bodies);
                }
            }
            _ => self.linkage_list.extend(0..model.linkages().len()),
        }
    }

    /// Advances the whole state by h with the given controls.
    pub fn step(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        h: f64,
        controls: &[f64],
    ) -> Result<StepInfo, SimulateError> {
        let every = std::mem::take(&mut self.every_unit);
        let info = self.step_units(model, settings, state, h, h, controls, &every);
        self.every_unit = every;
        info
    }

    /// Advances some units by h; the rest of the state stays as it is. Controls that depend on time
    /// are sampled for a step of size `sampled`.
    #[allow(clippy::too_many_arguments)]
    pub fn step_units(
        &mut self,
        model: &Model,
        settings: &Settings,
        state: &mut State,
        h: f64,
        sampled: f64,
        controls: &[f64],
        units: &[usize],
    ) -> Result<StepInfo, SimulateError> {
        self.choose(model, units);
        sample_controls(model, state.time, sampled, controls, &mut self.tau);
        let gamma = self.gamma;
        let driven = !model.actuators().is_empty();
        let share = share_of(&self.solver, &self.all);
        // f⁻ = (h/2) Bᵀ(q) τ
        for &k in &share.bodies {
            self.start_loads[k] = NO_WRENCH;
            self.end_loads[k] = NO_WRENCH;
        }
        self.coordinate_loads.fill(0.0);
        self.end_coordinate_loads.fill(0.0);
        if driven {
            self.start_loads.fill(NO_WRENCH);
            add_actuators(
                model,
                &state.poses,
                &self.tau,
                0.5 * h,
                &mut self.start_loads,
                &mut self.coordinate_loads,
            );
            self.end_coordinate_loads
                .copy_from_slice(&self.coordinate_loads);
        }
        let loads = &self.start_loads;
        let limit = settings.max_iterations;
        let iterations = match &mut self.solver {
            Solver::Reduced(s) => s.solve(model, state, h, gamma, loads, limit)?,
            Solver::Projected(s) => s.solve(model, state, h, gamma, loads, limit)?,
            Solver::Multipliers(s) => s.solve(model, state, h, gamma, loads, limit)?,
        };
        let more = self.linkages.solve(
            model,
            &self.linkage_list,
            state,
            h,
            gamma,
            &self.coordinate_loads,
            limit,
        )?;

        let share = share_of(&self.solver, &self.all);
        let motion = self.solver.motion();
        let frame = StepFrame {
            poses: &state.poses,
            next: motion.next,
            middle: motion.middle,
            increments: motion.increments,
            h,
            gamma,
        };
        // f⁺ = (h/2) Bᵀ(q⁺) τ and what dampers do at q⁺.
        let mut work = 0.0;
        if driven {
            self.end_loads.fill(NO_WRENCH);
            add_actuators(
                model,
                motion.next,
                &self.tau,
                0.5 * h,
                &mut self.end_loads,
                &mut self.spare,
            );
            // Loads are impulses: divide by h.
            work = (work_of(model, share, &motion, &self.start_loads, &self.end_loads)
                + self
                    .linkages
                    .work(model, &self.linkage_list, &self.end_coordinate_loads))
                / h;
        }
        add_dampers(model, share, &frame, false, &mut self.start_loads);
        add_dampers(model, share, &frame, true, &mut self.end_loads);
        let mut contact = ContactInfo::default();
        let mut cushions = 0.0;
        if let Solver::Reduced(s) = &self.solver
            && let Some(soft) = s.soft()
        {
            let increments = motion.increments;
            soft.add_drag_impulses(&state.poses, increments, &mut self.start_loads);
            soft.add_drag_impulses(motion.next, increments, &mut self.end_loads);
            contact.energy = soft.drag_work(increments, h);
            cushions = soft.value().0;
        }
        let energy_discrete =
            cushions + discrete_energy(model, share, &motion, h) + self.linkages.energy;

        for &k in &share.bodies {
            self.old_momenta[k] = state.momenta[k];
            self.old_poses[k] = state.poses[k];
            let body = &model.bodies()[k];
            state.momenta[k] = end_momentum(&body.kind, &motion, &self.end_loads[k], k, h, gamma);
            let wanted = motion.increments[k].shift + state.carry[k];
            state.carry[k] = wanted - (motion.next[k].position - state.poses[k].position);
            state.poses[k] = motion.next[k];
        }
        match &self.solver {
            Solver::Reduced(s) => {
                s.rates(model, h, &mut state.guess);
                s.unbalanced(model, &mut state.unbalanced);
                s.loops(model, &mut self.loops);
            }
            Solver::Projected(s) => {
                s.redundant
                    .rates(model, &self.old_poses, h, &mut state.guess);
                state.unbalanced.fill(0.0);
                self.loops.copy_from_slice(&s.loops);
            }
            Solver::Multipliers(s) => {
                s.redundant
                    .rates(model, &self.old_poses, h, &mut state.guess);
                state.unbalanced.fill(0.0);
                self.loops.copy_from_slice(s.loops());
            }
        }
        self.last_h = h;
        let residual = self.momentum_residual(model, state, h);
        self.linkages.finish(
            model,
            &self.linkage_list,
            &self.end_coordinate_loads,
            state,
            h,
        );
        state.tick(h);
        Ok(StepInfo {
            time: state.time,
            h,
            iterations: iterations + more,
            energy_discrete,
            momentum_residual: residual,
            work,
            contact,
        })
    }

    /// What the step leaves unexplained of the change of momentum. For bodies that nothing ties to
    /// the world: |L⁺ − L − T|, linear and angular about the origin, T all impulses of potentials and
    /// loads. For others the world's reaction takes part of the balance; what must vanish is its
    /// projection Pᵀ(q)[p + D₁L_d + f⁻].
    fn momentum_residual(&mut self, model: &Model, state: &State, h: f64) -> f64 {
        if self.held {
            self.balance(model, h);
            self.reduced.fill(0.0);
            if let Solver::Reduced(s) = &self.solver {
                self.joints.clear();
                self.joints.extend(s.joints());
            }
            reduce_joints(
                model,
                &self.joints,
                &self.old_poses,
                &mut self.balance,
                &mut self.reduced,
            );
            return self.reduced.iter().fold(0.0, |m: f64, r| m.max(r.abs()));
        }
        let motion = self.solver.motion();
        let share = share_of(&self.solver, &self.all);
        let gamma = self.gamma;
        let (old, new) = (&self.old_poses, &state.poses);
        let mut linear = Vector3::zeros();
        let mut angular = Vector3::zeros();
        for &k in &share.bodies {
            let body = &model.bodies()[k];
            if body.kind == BodyKind::Static {
                continue;
            }
            // Everything at one node is a covector of that node: gather, then reduce once.
            let mut y_new = state.momenta[k];
            y_new.add(&motion.forces[k], -h * (1.0 - gamma));
            let mut y_old = self.old_momenta[k];
            y_old.add(&motion.forces[k], h * gamma);
            let nodes = [
                (&new[k], y_new, &self.end_loads[k], 1.0),
                (&old[k], y_old, &self.start_loads[k], -1.0),
            ];
            for (pose, y, load, sign) in nodes {
                let mut w = wrench_on(&body.kind, &y, pose);
                w.force -= load.force * sign;
                w.torque -= load.torque * sign;
                linear += w.force * sign;
                angular += (w.torque + pose.position.cross(&w.force)) * sign;
            }
        }
        linear.norm().max(angular.norm())
    }

    /// Wrenches p + D₁L_d + f⁻ of all bodies at q in the last step, loops taken off.
    fn balance(&mut self, model: &Model, h: f64) {
        let motion = self.solver.motion();
        for &k in &share_of(&self.solver, &self.all).bodies {
            let body = &model.bodies()[k];
            if body.kind == BodyKind::Static {
                self.balance[k] = NO_WRENCH;
                continue;
            }
            let i = &motion.increments[k];
            let mut y = self.old_momenta[k];
            y.add(&motion.forces[k], h * self.gamma);
            y.force -= i.shift * (body.mass() / h);
            if let BodyKind::Rigid { euler_tensor, .. } = &body.kind {
                y.directors -= i.directors * euler_tensor / h;
            }
            let mut w = wrench_on(&body.kind, &y, &self.old_poses[k]);
            w.force += self.start_loads[k].force;
            w.torque += self.start_loads[k].torque;
            self.balance[k] = w;
        }
        reactions::take_off_loops(
            model,
            &self.old_poses,
            &self.loops,
            &mut self.rows,
            &mut self.balance,
        );
    }

    /// Whether potentials hold bodies apart.
    pub fn is_soft(&self) -> bool {
        self.soft
    }

    /// Contact by potentials.
    pub fn contact(&mut self) -> Option<&mut ContactPotential> {
        match &mut self.solver {
            Solver::Reduced(s) => s.contact(),
            _ => None,
        }
    }

    /// Reactions of the joints of the tree, then of the closures, in the last step; empty before it.
    pub fn reactions(&mut self, model: &Model) -> Vec<Reaction> {
        let h = self.last_h;
        let mut out = Vec::new();
        if h == 0.0 {
            return out;
        }
        match &self.solver {
            Solver::Multipliers(s) => {
                let lambda = &s.lambda[s.redundant.joints_at..s.redundant.closures_at];
                let joints = model.joints().iter();
                reactions::from_multipliers(joints, &self.old_poses, lambda, h, &mut out);
            }
            _ => {
                self.balance(model, h);
                reactions::from_balance(model, &self.old_poses, &mut self.balance, h, &mut out);
            }
        }
        let closures = model.closures().iter();
        reactions::from_multipliers(closures, &self.old_poses, &self.loops, h, &mut out);
        out
    }
}

/// A covector as force and torque; particles feel no torque.
#[inline]
fn wrench_on(kind: &BodyKind, y: &Covector, pose: &Pose) -> Wrench {
    match kind {
        BodyKind::Rigid { .. } => y.wrench(&pose.directors),
        _ => Wrench {
            force: y.force,
            torque: Vector3::zeros(),
        },
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

/// Bodies and forces of the present step.
fn share_of<'a>(solver: &'a Solver, all: &'a Share) -> &'a Share {
    match solver {
        Solver::Reduced(s) => s.share(),
        _ => all,
    }
}

/// E_d = (1/2h²) Δqᵀ M Δq + V(q̄).
fn discrete_energy(model: &Model, share: &Share, motion: &Motion, h: f64) -> f64 {
    let mut sum = 0.0;
    for &k in &share.bodies {
        let i = &motion.increments[k];
        match &model.bodies()[k].kind {
            BodyKind::Rigid { mass, euler_tensor } => {
                sum +=
                    mass * i.shift.norm_squared() + (i.directors * euler_tensor).dot(&i.directors);
            }
            BodyKind::Particle { mass } => sum += mass * i.shift.norm_squared(),
            BodyKind::Static => {}
        }
    }
    0.5 * sum / (h * h) + potential(model, share, motion.middle)
}

/// Product of the loads' impulses with the motion of a step.
fn work_of(model: &Model, share: &Share, motion: &Motion, start: &[Wrench], end: &[Wrench]) -> f64 {
    let mut sum = 0.0;
    for &k in &share.bodies {
        if model.bodies()[k].kind == BodyKind::Static {
            continue;
        }
        let i = &motion.increments[k];
        let turn = log(&(i.turn + nalgebra::Matrix3::identity()));
        sum += (start[k].force + end[k].force).dot(&i.shift)
            + (start[k].torque + end[k].torque).dot(&turn);
    }
    sum
}
