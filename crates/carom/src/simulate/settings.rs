//! Settings of a simulation.

use super::SimulateError;

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
    /// Newton iterations before a step counts as failed.
    pub max_iterations: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            step: 0.01,
            integrator: Integrator::default(),
            max_iterations: 50,
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

    /// Checks every field.
    pub fn validate(&self) -> Result<(), SimulateError> {
        let bad = |setting, value, reason| {
            Err(SimulateError::Setting {
                setting,
                value,
                reason,
            })
        };
        if !(self.step > 0.0 && self.step.is_finite()) {
            return bad("step", self.step, "must be positive and finite");
        }
        if self.max_iterations == 0 {
            return bad("max_iterations", 0.0, "must be at least one");
        }
        match self.integrator {
            Integrator::Variational { gamma, .. } if !(0.0..=1.0).contains(&gamma) => {
                bad("gamma", gamma, "must lie between 0 and 1")
            }
            Integrator::Newmark { beta, .. } if !(0.0..=0.5).contains(&beta) => {
                bad("beta", beta, "must lie between 0 and 1/2")
            }
            Integrator::Newmark { gamma, .. } if !(0.0..=1.0).contains(&gamma) => {
                bad("gamma", gamma, "must lie between 0 and 1")
            }
            _ => Ok(()),
        }
    }
}
