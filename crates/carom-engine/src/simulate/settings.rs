//! Settings of a simulation.

use super::SimulateError;
use crate::contact::JumpRule;
use crate::model::{Law, Model};

/// Bounces slower than this part of what forces give in a step are too many to follow.
const LEAST_REST: f64 = 0.01;

/// What is wrong with settings below zero.
const NEGATIVE: &str = "must be finite and not negative";
/// What to do about a weight that is none.
const HALF: &str = "1/2 is of second order";

/// Formulations of the variational scheme: the same motion, other unknowns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Formulation {
    /// Increments u with the null-space matrix: smallest, well conditioned (thesis (3.13)).
    #[default]
    Reduced,
    /// Redundant coordinates, multipliers projected out (thesis (3.10)); dense.
    Projected,
    /// Redundant coordinates and multipliers (thesis (3.8)); sparse.
    Multipliers,
}

/// Time integrators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// The variational integrator.
    Variational {
        /// Its formulation.
        formulation: Formulation,
        /// Weight γ of the start of a step in the potential's midpoint (thesis (3.4)), ½ by default.
        gamma: f64,
    },
    /// Newmark's family (thesis (3.3)) for free bodies; rotation after Krysl and Endres.
    Newmark {
        /// β ∈ [0, ½]; 0 is explicit.
        beta: f64,
        /// γ ∈ [0, 1]; ½ is second order.
        gamma: f64,
    },
}

impl Default for Integrator {
    fn default() -> Self {
        Integrator::Variational {
            formulation: Formulation::Reduced,
            gamma: 0.5,
        }
    }
}

/// How to simulate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Step size in seconds.
    pub step: f64,
    /// Time integrator.
    pub integrator: Integrator,
    /// Contact law, but for pairs of materials that have their own.
    pub law: Law,
    /// How simultaneous impacts are resolved.
    pub rule: JumpRule,
    /// Approach slower than this ends in rest, in m/s; see [`rest_speed`](Self::rest_speed).
    pub rest_speed: Option<f64>,
    /// Newton iterations before a step counts as failed.
    pub max_iterations: usize,
    /// Contact problems that may miss their tolerance before a run has failed; `None` for any number.
    pub max_unsettled: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step: 0.01,
            integrator: Integrator::default(),
            law: Law::None,
            rule: JumpRule::default(),
            rest_speed: None,
            max_iterations: 50,
            max_unsettled: None,
        }
    }
}

impl Settings {
    /// Default settings with a step size.
    pub fn with_step(step: f64) -> Self {
        Self {
            step,
            ..Self::default()
        }
    }

    /// The speed of approach below which a contact comes to rest, where forces change its rate by
    /// `pressed` in one step: up to 2 of that, so that what is pressed rests whatever presses it.
    /// Near e = 1, where bounces hardly fade, it is less: 20 (1 − e) and a hundredth. A speed that is
    /// set counts as it is, but never less than that hundredth.
    pub fn rest_speed(&self, restitution: f64, pressed: f64) -> f64 {
        let least = LEAST_REST * pressed;
        match self.rest_speed {
            Some(speed) => speed.max(least),
            None => (20.0 * (1.0 - restitution) * pressed + least).min(2.0 * pressed),
        }
    }

    /// Checks that the laws can do what the materials of a model ask of them.
    pub(super) fn check_surfaces(&self, model: &Model) -> Result<(), SimulateError> {
        let Some((materials, refusal)) = model.refusal(self.law) else {
            return Ok(());
        };
        let [a, b] = materials.map(|name| name.unwrap_or("default"));
        let [key, word] = refusal.choice;
        Err(SimulateError::Refused {
            choice: format!("{key} = \"{word}\""),
            property: refusal.property,
            needs: refusal.needs,
            value: refusal.value,
            materials: [a.into(), b.into()],
            fix: refusal.fix,
        })
    }

    /// Checks every field.
    pub fn validate(&self) -> Result<(), SimulateError> {
        let bad = |setting, value, reason, fix| {
            Err(SimulateError::Setting {
                setting,
                value,
                reason,
                fix,
            })
        };
        if !(self.step > 0.0 && self.step.is_finite()) {
            return bad(
                "step",
                self.step,
                "must be positive and finite",
                "give a step in s",
            );
        }
        if let Some(speed) = self.rest_speed
            && !(speed >= 0.0 && speed.is_finite())
        {
            return bad(
                "rest_speed",
                speed,
                NEGATIVE,
                "give a speed in m/s, or none",
            );
        }
        match self.law {
            Law::Potential { stiffness, .. } if !(stiffness > 0.0 && stiffness.is_finite()) => {
                return bad(
                    "stiffness",
                    stiffness,
                    "must be positive and finite",
                    "give the stiffness of the potential",
                );
            }
            Law::Potential { drag, .. } if !(drag >= 0.0 && drag.is_finite()) => {
                return bad("drag", drag, NEGATIVE, "give zero or more");
            }
            Law::Decomposition { buffer, .. } if !(buffer >= 0.0 && buffer.is_finite()) => {
                return bad("buffer", buffer, NEGATIVE, "give zero or more");
            }
            _ => {}
        }
        if self.max_iterations == 0 {
            return bad(
                "max_iterations",
                0.0,
                "allows no iteration",
                "give at least one",
            );
        }
        match self.integrator {
            Integrator::Variational { gamma, .. } if !(0.0..=1.0).contains(&gamma) => {
                bad("gamma", gamma, "must lie between 0 and 1", HALF)
            }
            Integrator::Newmark { beta, .. } if !(0.0..=0.5).contains(&beta) => bad(
                "beta",
                beta,
                "must lie between 0 and 1/2",
                "1/4 makes implicit steps, 0 explicit ones",
            ),
            Integrator::Newmark { gamma, .. } if !(0.0..=1.0).contains(&gamma) => {
                bad("gamma", gamma, "must lie between 0 and 1", HALF)
            }
            _ => Ok(()),
        }
    }
}
