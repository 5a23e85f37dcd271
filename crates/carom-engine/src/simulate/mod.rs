//! Forward dynamics: the variational integrator, its formulations, and the ledger of a run.
//!
//! A step solves Pᵀ(q)[p + D₁L_d(q, F_d(u, q), h) + f⁻] = 0 for the increments u, moves to
//! q⁺ = F_d(u, q) and takes p⁺ = D₂L_d + f⁺ (thesis (3.13)). Two other formulations of the same
//! scheme keep redundant coordinates, with multipliers (thesis (3.8)) or with them projected out (3.10).
//! Newmark's family is there for free bodies, particles and bodies in a plane.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `simulation` | a run: steps, controllers, events |
//! | `scheme` | the integrators behind one step |
//! | `stepper` | one variational step |
//! | `reduced`, `redundant` | its formulations |
//! | `linkages` | steps in generalised coordinates |
//! | `newmark` | the second integrator |
//! | `collide` | steps through collisions |
//! | `cluster` | parts of a model that nothing couples within a step, and how they are solved |
//! | `columns` | quantities of a run that have a name: what is recorded and measured |
//! | `given` | bodies whose motion is given, in a step |
//! | `start` | what overlaps before the first step, and moving it apart |
//! | `state`, `ledger`, `event`, `impulses`, `reactions` | what a run is, keeps and tells |
//! | `settings`, `error`, `guard`, `judge` | what it obeys and refuses |

mod cluster;
mod collide;
mod columns;
mod elastic;
mod error;
mod event;
mod force_columns;
mod given;
mod guard;
mod held_up;
mod impulses;
mod judge;
mod ledger;
mod linkages;
mod newmark;
mod node_columns;
mod reactions;
mod reduced;
mod redundant;
mod scheme;
mod sensor_columns;
mod settings;
mod simulation;
mod sparse;
mod sparse_lu;
mod start;
mod state;
mod stepper;
mod task;

pub use columns::{Column, Columns};
pub(crate) use columns::{components, coordinates};
pub use elastic::stable_step;
pub use error::SimulateError;
pub use event::{ContactEvent, ContactKind};
pub(crate) use impulses::sum_on;
pub use impulses::{PairImpulse, contact_impulse_on};
pub use ledger::{ContactInfo, Drift, Impulse, Ledger, Range, StepInfo, Totals, Trend};
pub use reactions::Reaction;
#[doc(hidden)]
pub use redundant::newton_matrices;
pub use settings::{Formulation, Integrator, Settings};
pub use simulation::{Simulation, kinetic_energy};
pub use start::{Overlap, overlaps, separate};
pub use state::{PointImpulse, Standing, State};

use crate::model::{Model, Solid};
use carom_gap::Pose;

/// A factorised matrix is used for one more correction where the last one left less than this part of the
/// residual: substitution costs little beside a new matrix. Factors are not kept from one step to the next,
/// so that a step depends on nothing but the state.
const CHORD: f64 = 0.1;

/// A Newton method that stalls below this relative residual has converged.
const STALLED: f64 = 1e-9;

/// What round-off leaves of the forces of elastic bodies, per distance from the origin.
fn rounding(model: &Model) -> f64 {
    let each = model.solids().iter().map(Solid::rounding);
    each.fold(0.0, f64::max)
}

/// Distance of the furthest body from the origin, along an axis.
fn furthest(poses: &[Pose]) -> f64 {
    let each = poses.iter().map(|p| p.position.amax());
    each.fold(0.0, f64::max)
}
