//! The integrators, behind one step.

use super::ledger::StepInfo;
use super::newmark::Newmark;
use super::stepper::Stepper;
use super::{Integrator, Settings, SimulateError, State};
use crate::contact::{ContactPotential, JumpRule};
use crate::model::{EnergyCondition, JumpForm, Law, Model, Touching};

/// What a step is made with.
#[derive(Clone, Copy)]
pub(super) struct Setup<'a> {
    pub model: &'a Model,
    pub settings: &'a Settings,
    pub controls: &'a [f64],
}

impl Setup<'_> {
    /// The law of a pair.
    pub fn law(&self, surface: &Touching) -> Law {
        surface.law.unwrap_or(self.settings.law)
    }

    /// Whether impacts follow one of the papers' rules: asked for, or needed by another choice.
    pub fn uses_papers_rule(&self) -> bool {
        let papers = |law: &Law| {
            matches!(law, Law::Exact { condition, form }
                if *condition == EnergyCondition::Discrete || *form == JumpForm::NullSpace)
        };
        let surfaces = self.model.contact().surfaces.iter();
        self.settings.rule != JumpRule::Poisson
            || papers(&self.settings.law)
            || surfaces.filter_map(|s| s.law.as_ref()).any(papers)
    }

    /// The speed of approach below which a contact comes to rest: see
    /// [`Settings::rest_speed`]. `pressed` is the change of its rate by forces in a step.
    pub fn rest_speed(&self, restitution: f64, pressed: f64) -> f64 {
        self.settings.rest_speed(restitution, pressed)
    }
}

/// The integrators, behind one step.
#[derive(Debug)]
pub(super) enum Scheme {
    Variational(Box<Stepper>),
    Newmark(Box<Newmark>),
}

impl Scheme {
    pub(super) fn new(model: &Model, settings: &Settings) -> Result<Self, SimulateError> {
        Ok(match settings.integrator {
            Integrator::Variational { .. } => {
                Scheme::Variational(Box::new(Stepper::new(model, settings)?))
            }
            Integrator::Newmark { beta, gamma } => {
                Scheme::Newmark(Box::new(Newmark::new(model, beta, gamma, settings.law)?))
            }
        })
    }

    /// Advances the state by h with the given controls.
    pub(super) fn step(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
    ) -> Result<StepInfo, SimulateError> {
        match self {
            Scheme::Variational(s) if !s.is_soft() => s.step(setup, state, h),
            Scheme::Variational(s) => soft_step(s, setup, state, h, 0),
            Scheme::Newmark(s) => s.step(setup, state, h),
        }
    }

    /// Advances some units by h; controls that depend on time are sampled for a step of size
    /// `sampled`.
    pub(super) fn step_units(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
        sampled: f64,
        units: &[usize],
    ) -> Result<StepInfo, SimulateError> {
        match self {
            Scheme::Variational(s) => s.step_units(setup, state, h, sampled, units),
            Scheme::Newmark(s) => s.step(setup, state, h),
        }
    }

    /// Contact by potentials.
    pub(super) fn contact(&mut self) -> Option<&mut ContactPotential> {
        match self {
            Scheme::Variational(s) => s.contact(),
            Scheme::Newmark(s) => s.contact(),
        }
    }

    /// Bodies of every unit that can be stepped on its own, and coordinates of linkages.
    pub(super) fn unit_members(&self, model: &Model) -> Vec<(Vec<usize>, Vec<usize>)> {
        match self {
            Scheme::Variational(s) => s.unit_members(model),
            Scheme::Newmark(_) => vec![(
                (0..model.bodies().len()).collect(),
                (0..model.coordinates).collect(),
            )],
        }
    }
}

/// Halvings of a step in which a contact potential does not let Newton's method settle.
const MOST_HALVINGS: u32 = 6;

/// A step with contact potentials. Their gradients jump where another vertex comes first; a step
/// that does not converge for that is made in two halves.
fn soft_step(
    stepper: &mut Stepper,
    setup: &Setup,
    state: &mut State,
    h: f64,
    depth: u32,
) -> Result<StepInfo, SimulateError> {
    let saved = state.clone();
    match stepper.step(setup, state, h) {
        Err(SimulateError::NotConverged { .. }) if depth < MOST_HALVINGS => {
            *state = saved;
            let half = 0.5 * h;
            let first = soft_step(stepper, setup, state, half, depth + 1)?;
            let mut info = soft_step(stepper, setup, state, half, depth + 1)?;
            info.h = h;
            info.iterations += first.iterations;
            info.work += first.work;
            info.contact.energy += first.contact.energy;
            info.momentum_residual = info.momentum_residual.max(first.momentum_residual);
            Ok(info)
        }
        done => done,
    }
}
