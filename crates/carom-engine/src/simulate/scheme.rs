//! The integrators, behind one step.

use carom_gap::Pose;

use super::ledger::StepInfo;
use super::newmark::Newmark;
use super::stepper::Stepper;
use super::{Integrator, Settings, SimulateError, State};
use crate::contact::{ContactPoint, ContactPotential, JumpRule};
use crate::mechanics::{Parts, Ties};
use crate::model::{EnergyCondition, Hold, JumpForm, Law, Model, Touching};

/// Friction of what rolls and is to stick. Much more jams bodies between others, where nothing that touches may
/// slip and yet something must.
const STICKING: f64 = 2.0;

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

    /// What happens between the materials of a pair by its law: plastic contacts do not rebound, and
    /// do not rub where they slip.
    /// What sticks to something round rolls on it with much friction: that is no joint.
    pub fn touching(&self, mut surface: Touching, points: &[ContactPoint]) -> Touching {
        if let Law::Plastic { hold, .. } = self.law(&surface) {
            surface.restitution = 0.0;
            if hold == Hold::Slip {
                surface.friction = 0.0;
                surface.static_friction = 0.0;
            } else if points.iter().any(|p| p.rolls()) {
                surface.friction = surface.friction.max(STICKING);
                surface.static_friction = surface.static_friction.max(STICKING);
                (surface.grains, surface.static_grains) = Default::default();
            }
        }
        surface
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
pub(super) struct Scheme {
    pub stepping: Stepping,
    /// States to go back to, by how often a step was halved; storage only.
    saved: Vec<State>,
}

/// One of the integrators.
#[derive(Debug)]
pub(super) enum Stepping {
    Variational(Box<Stepper>),
    Newmark(Box<Newmark>),
}

impl Scheme {
    pub(super) fn new(model: &Model, settings: &Settings) -> Result<Self, SimulateError> {
        let stepping = match settings.integrator {
            Integrator::Variational { .. } => {
                Stepping::Variational(Box::new(Stepper::new(model, settings)?))
            }
            Integrator::Newmark { beta, gamma } => {
                Stepping::Newmark(Box::new(Newmark::new(model, beta, gamma, settings.law)?))
            }
        };
        Ok(Self {
            stepping,
            saved: Vec::new(),
        })
    }

    /// Advances the state by h with the given controls.
    pub(super) fn step(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
    ) -> Result<StepInfo, SimulateError> {
        match self.contact() {
            Some(_) => {
                let done = soft_step(self, setup, state, h, 0);
                self.gate_drag(0);
                done
            }
            None => self.whole_step(setup, state, h),
        }
    }

    /// Keeps a state to go back to.
    fn save(&mut self, state: &State, depth: usize) {
        match self.saved.get_mut(depth) {
            Some(saved) => saved.clone_from(state),
            None => self.saved.push(state.clone()),
        }
    }

    /// A step as it is.
    fn whole_step(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
    ) -> Result<StepInfo, SimulateError> {
        match &mut self.stepping {
            Stepping::Variational(s) => s.step(setup, state, h),
            Stepping::Newmark(s) => s.step(setup, state, h),
        }
    }

    /// A step that may leave a little to the next one, which is told.
    fn last_resort(
        &mut self,
        setup: &Setup,
        state: &mut State,
        h: f64,
    ) -> Result<StepInfo, SimulateError> {
        self.allow(ALLOWANCE);
        let done = self.whole_step(setup, state, h);
        self.allow(0.0);
        let mut info = done?;
        let left = match &self.stepping {
            Stepping::Variational(s) => s.left(),
            Stepping::Newmark(s) => s.left(),
        };
        if left > 0.0 {
            info.contact.residual = left;
            info.contact.unsettled = 1;
        }
        Ok(info)
    }

    /// In parts of a step that were halved often, drag acts on what overlaps at their start only.
    fn gate_drag(&mut self, depth: u32) {
        if let Some(contact) = self.contact() {
            contact.gate_drag(depth >= GATED);
        }
    }

    fn allow(&mut self, residual: f64) {
        match &mut self.stepping {
            Stepping::Variational(s) => s.allow(residual),
            Stepping::Newmark(s) => s.allow(residual),
        }
    }

    /// Energy that a contact potential gained or lost in the last step, relative to that of the
    /// approach.
    fn misfit(&self) -> f64 {
        match &self.stepping {
            Stepping::Variational(s) => s.misfit(),
            Stepping::Newmark(s) => s.misfit(),
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
        match &mut self.stepping {
            Stepping::Variational(s) => s.step_units(setup, state, h, sampled, units),
            Stepping::Newmark(s) => s.step(setup, state, h),
        }
    }

    /// Energy of elastic bodies, if the last step knows it at these poses.
    pub(super) fn elastic_energy(&self, poses: &[Pose]) -> Option<f64> {
        match &self.stepping {
            Stepping::Variational(_) => None,
            Stepping::Newmark(s) => s.elastic_energy(poses),
        }
    }

    /// Contact by potentials.
    pub(super) fn contact(&mut self) -> Option<&mut ContactPotential> {
        match &mut self.stepping {
            Stepping::Variational(s) => s.contact(),
            Stepping::Newmark(s) => s.contact(),
        }
    }

    /// What can be stepped on its own.
    pub(super) fn units(&self, model: &Model) -> Parts {
        match &self.stepping {
            Stepping::Variational(s) => s.units(model),
            Stepping::Newmark(_) => Parts::of(model, Ties::All),
        }
    }
}

/// Halvings of a step that does not do justice to contact potentials.
const MOST_HALVINGS: u32 = 7;
/// Halvings after which drag acts only on what overlaps at the start of the part.
const GATED: u32 = 3;
/// Part of the energy of an approach that a step may gain or lose by running into or out of an
/// overlap.
const MISFIT: f64 = 0.02;
/// Part of the balance that the shortest of steps may leave to the next one.
const ALLOWANCE: f64 = 1e-2;

/// A step with contact potentials, made in two halves if it does not converge or is too long for
/// them.
fn soft_step(
    scheme: &mut Scheme,
    setup: &Setup,
    state: &mut State,
    h: f64,
    depth: u32,
) -> Result<StepInfo, SimulateError> {
    scheme.gate_drag(depth);
    if depth == MOST_HALVINGS {
        return scheme.last_resort(setup, state, h);
    }
    scheme.save(state, depth as usize);
    match scheme.whole_step(setup, state, h) {
        Ok(_) if scheme.misfit() > MISFIT => {}
        Err(SimulateError::NotConverged { .. } | SimulateError::TurnsTooFar { .. }) => {}
        done => return done,
    }
    state.clone_from(&scheme.saved[depth as usize]);
    let half = 0.5 * h;
    let first = soft_step(scheme, setup, state, half, depth + 1)?;
    let mut info = soft_step(scheme, setup, state, half, depth + 1)?;
    info.h = h;
    info.iterations += first.iterations;
    info.add_forces(&first, 1.0);
    info.contact.energy += first.contact.energy;
    info.momentum_residual = info.momentum_residual.max(first.momentum_residual);
    info.contact.residual = info.contact.residual.max(first.contact.residual);
    info.contact.unsettled += first.contact.unsettled;
    Ok(info)
}
