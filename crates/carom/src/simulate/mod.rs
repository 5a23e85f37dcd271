//! Forward dynamics: the variational integrator, its formulations, and the ledger of a run.
//!
//! A step solves Pᵀ(q)[p + D₁L_d(q, F_d(u, q), h) + f⁻] = 0 for the increments u, moves to
//! q⁺ = F_d(u, q) and takes p⁺ = D₂L_d + f⁺ (thesis (3.13)). Newmark's family is there for free
//! bodies, particles and bodies in a plane.

mod cluster;
mod coupled;
mod dense;
mod error;
mod free_body;
mod ledger;
mod linkages;
mod newmark;
mod reduced;
mod settings;
mod simulation;
mod state;
mod stepper;
mod velocity;

pub use error::SimulateError;
pub use ledger::{Drift, Ledger, Range, StepInfo, Totals};
pub use settings::{Formulation, Integrator, Settings};
pub use simulation::{Simulation, kinetic_energy};
pub use state::State;
