//! One step of the variational integrator, (q, p) → (q⁺, p⁺), with everything it needs.

mod balance;
mod solver;

use carom_gap::Pose;

use super::error::SimulateError;
use super::given::Given;
use super::held_up::HeldUp;
use super::ledger::{ContactInfo, StepInfo};
use super::linkages::LinkageStepper;
use super::reduced::Reduced;
use super::redundant::{Multipliers, Projected};
use super::scheme::Setup;
use super::settings::{Formulation, Integrator, Settings};
use super::state::State;
use crate::contact::ContactPotential;
use crate::mechanics::{
    Covector, NO_WRENCH, Parts, Row, Share, StepFrame, Ties, Wrench, add_actuators,
    add_along_wrenches, add_dampers, add_influences, law_motion, row_count, sample_controls,
};
use crate::model::{Joint, JointKind, Model};
use crate::simulate::task::StepTask;
use solver::Solver;

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
    held_up: HeldUp,
    /// Energy that a contact potential gained or lost in the last step, relative to that of the
    /// approach.
    misfit: f64,
    /// Bodies whose motion is given, and those of the present step.
    given: Given,
    moved: Vec<usize>,
    /// All units, and those of the present step.
    every_unit: Vec<usize>,
    units: Vec<usize>,
}

impl Stepper {
    pub fn new(model: &Model, settings: &Settings) -> Result<Self, SimulateError> {
        let Integrator::Variational { formulation, gamma } = settings.integrator else {
            return Err(SimulateError::Unsupported {
                integrator: "the variational stepper",
                reason: "Newmark has its own".into(),
                fix: "use the variational integrator",
            });
        };
        let bodies = model.bodies().len();
        let contact = ContactPotential::new(model, settings.law);
        if contact.is_some() && formulation != Formulation::Reduced {
            return Err(SimulateError::Unsupported {
                integrator: "the contact potential",
                reason: "it needs the reduced formulation".into(),
                fix: "use that, or another contact law",
            });
        }
        let soft = contact.is_some();
        let solver = match formulation {
            Formulation::Reduced => Solver::Reduced(Box::new(Reduced::new(model, contact))),
            Formulation::Projected => Solver::Projected(Box::new(Projected::new(model))),
            Formulation::Multipliers => Solver::Multipliers(Box::new(Multipliers::new(model)?)),
        };
        let given = Given::new(model);
        let tied = |j: &Joint| j.parent.is_none() && j.kind != JointKind::Free;
        let held = model.joints().iter().chain(model.closures()).any(tied);
        let loops: usize = model.closures().iter().map(|j| row_count(j.kind)).sum();
        let loops = loops + model.couplings().len();
        let units = units(model, &solver, soft, &given).all.len();
        let every_unit: Vec<usize> = (0..units).collect();
        let mut stepper = Self {
            all: Share::all(model),
            linkage_list: Vec::new(),
            every_unit: every_unit.clone(),
            given,
            moved: Vec::new(),
            soft,
            held_up: HeldUp::new(model, soft),
            misfit: 0.0,
            units: Vec::new(),
            solver,
            linkages: LinkageStepper::new(model, settings.law),
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

    /// What can be stepped on its own: clusters, linkages, and bodies whose motion is given, in this order.
    pub fn units(&self, model: &Model) -> Parts {
        units(model, &self.solver, self.soft, &self.given)
    }

    /// Whether units are stepped on their own.
    pub fn steps_units(&self) -> bool {
        matches!(self.solver, Solver::Reduced(_)) && !self.soft
    }

    /// Chooses the units of the next step.
    fn choose(&mut self, model: &Model, units: &[usize]) {
        if self.units == units {
            return;
        }
        self.units.clear();
        self.units.extend_from_slice(units);
        self.linkage_list.clear();
        self.moved.clear();
        match &mut self.solver {
            Solver::Reduced(s) if !self.soft => {
                let first = s.clusters().len();
                let last = first + model.linkages().len();
                let split = units.iter().filter(|&&u| (first..last).contains(&u));
                self.linkage_list.extend(split.map(|u| u - first));
                let given = units.iter().filter(|&&u| u >= last);
                self.moved
                    .extend(given.map(|u| self.given.bodies()[u - last]));
                s.choose(units.iter().copied().filter(|&u| u < first));
            }
            _ => {
                self.linkage_list.extend(0..model.linkages().len());
                self.moved.extend_from_slice(self.given.bodies());
            }
        }
    }

    /// Advances the whole state by h.
    pub fn step(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
    ) -> Result<StepInfo, SimulateError> {
        let every = std::mem::take(&mut self.every_unit);
        let info = self.step_units(setup, state, h, h, &every);
        self.every_unit = every;
        info
    }

    /// Advances some units by h; the rest of the state stays as it is. Controls that depend on time
    /// are sampled for a step of size `sampled`.
    pub fn step_units(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
        sampled: f64,
        units: &[usize],
    ) -> Result<StepInfo, SimulateError> {
        let model = setup.model;
        self.choose(model, units);
        sample_controls(model, state.time, sampled, setup.controls, &mut self.tau);
        let gamma = self.gamma;
        let driven = !model.actuators().is_empty() || !model.forces().influences.is_empty();
        self.load(model, state, h, driven);
        let loads = &self.start_loads;
        let limit = setup.settings.max_iterations;
        let iterations = self.solver.solve(&StepTask {
            model,
            state,
            h,
            gamma,
            loads,
            limit,
        })?;
        let more = self.linkages.solve(
            model,
            &self.linkage_list,
            state,
            h,
            gamma,
            &self.coordinate_loads,
            limit,
        )?;

        let share = self.solver.share(&self.all);
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
        let (mut work, mut body_work) = (0.0, 0.0);
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
            add_influences(model, motion.next, 0.5 * h, &mut self.end_loads);
            // Loads are impulses: divide by h.
            body_work = motion.work(model, share, &self.start_loads, &self.end_loads) / h;
            let linkages = &self.linkages;
            work = body_work
                + linkages.work(model, &self.linkage_list, &self.end_coordinate_loads) / h;
        }
        add_dampers(model, share, &frame, false, &mut self.start_loads);
        add_dampers(model, share, &frame, true, &mut self.end_loads);
        let mut damping = 0.0;
        let viscous = |k: &usize| model.solids()[*k].damping.stiffness > 0.0;
        let damped = !(share.dampers.is_empty() && share.drags.is_empty());
        if damped || share.solids.iter().any(viscous) {
            // All impulses together, less those of the loads on bodies.
            let all = motion.work(model, share, &self.start_loads, &self.end_loads) / h;
            damping = all - body_work
                + self.given.work(
                    motion.increments,
                    (&self.start_loads[..], &self.end_loads[..]),
                ) / h;
        }
        // Along joints: impulses at both ends, as the solution has them.
        let mut rotors = 0.0;
        for &k in &share.laws {
            let law = &model.joint_laws()[k];
            let nodes = (&state.poses[..], motion.next);
            if let Some(m) = law_motion(model, law, nodes, (state.time, h, gamma)) {
                let [start, end] = [&mut self.start_loads, &mut self.end_loads];
                add_along_wrenches(model, law, &m.from, m.step.start, &state.poses, start);
                add_along_wrenches(model, law, &m.to, m.step.end, motion.next, end);
                work += m.step.work;
                damping += m.step.damping;
                rotors += m.step.energy;
            }
        }
        work += self.linkages.servo_work;
        damping += self.linkages.damping_work;
        let mut contact = ContactInfo::default();
        let mut cushions = rotors;
        if let Solver::Reduced(s) = &self.solver
            && let Some(soft) = s.soft()
        {
            let increments = motion.increments;
            soft.add_drag_impulses(&state.poses, increments, &mut self.start_loads);
            soft.add_drag_impulses(motion.next, increments, &mut self.end_loads);
            contact.energy = soft.drag_work(increments, h);
            cushions += soft.value().0;
        }
        let soft = match &self.solver {
            Solver::Reduced(s) => s.soft(),
            _ => None,
        };
        let supports = self.held_up.impulse(model, share, soft, &frame);
        contact.energy += self.linkages.drag_work;
        // Bodies whose motion is given do what all these forces would undo.
        let loads = (&self.start_loads[..], &self.end_loads[..]);
        work -= self.given.work(motion.increments, loads) / h;
        work -= self.given.work_of(motion.increments, motion.forces);
        let energy_discrete = cushions + motion.energy(model, share, h) + self.linkages.energy;

        for &k in &share.bodies {
            self.old_momenta[k] = state.momenta[k];
            self.old_poses[k] = state.poses[k];
            let body = &model.bodies()[k];
            state.momenta[k] = motion.momentum(&body.kind, &self.end_loads[k], k, h, gamma);
            let wanted = motion.increments[k].shift + state.carry[k];
            state.carry[k] = wanted - (motion.next[k].position - state.poses[k].position);
            state.poses[k] = motion.next[k];
        }
        self.solver
            .leave(model, &self.old_poses, h, state, &mut self.loops);
        self.last_h = h;
        let whole = setup.settings.step;
        let misfit = self.solver.misfit(model, &self.old_poses, h, whole);
        self.misfit = misfit.max(self.linkages.misfit);
        let residual = self.momentum_residual(model, state, h);
        let forces = self.forces(model, state, h);
        self.linkages.finish(
            model,
            &self.linkage_list,
            &self.end_coordinate_loads,
            state,
            h,
        );
        // Not by what time lost to rounding, which parts of a step do not share.
        let end = state.time + h;
        state.tick(h);
        state.set_given(model, end, self.moved.iter().copied());
        Ok(StepInfo {
            time: state.time,
            h,
            iterations: iterations + more,
            energy_discrete,
            momentum_residual: residual,
            work,
            damping,
            forces,
            supports,
            contact,
        })
    }

    /// Loads at the start of a step: f⁻ = (h/2) Bᵀ(q) τ.
    fn load(&mut self, model: &Model, state: &State, h: f64, driven: bool) {
        let bodies = &self.solver.share(&self.all).bodies;
        for &k in bodies.iter().chain(self.given.bodies()) {
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
            add_influences(model, &state.poses, 0.5 * h, &mut self.start_loads);
            self.end_coordinate_loads
                .copy_from_slice(&self.coordinate_loads);
        }
    }

    /// Sets the relative residual that steps with contact potentials may leave.
    pub fn allow(&mut self, residual: f64) {
        if let Solver::Reduced(s) = &mut self.solver {
            s.allowance = residual;
        }
    }

    /// What the last step left of the balance beyond round-off.
    pub fn left(&self) -> f64 {
        match &self.solver {
            Solver::Reduced(s) => s.left,
            _ => 0.0,
        }
    }

    /// Energy that a contact potential gained or lost in the last step, relative to that of the
    /// approach.
    pub fn misfit(&self) -> f64 {
        self.misfit
    }

    /// Contact by potentials.
    pub fn contact(&mut self) -> Option<&mut ContactPotential> {
        match &mut self.solver {
            Solver::Reduced(s) => s.contact(),
            _ => None,
        }
    }
}

/// What a solver steps on its own; `soft` is contact by potentials, which may couple anything.
fn units(model: &Model, solver: &Solver, soft: bool, given: &Given) -> Parts {
    match solver {
        Solver::Reduced(_) if !soft => Parts::of(model, Ties::Forces).and_given(given.bodies()),
        _ => Parts::of(model, Ties::All),
    }
}
