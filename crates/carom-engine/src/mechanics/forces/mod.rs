//! Potentials and dampers: values, forces and second derivatives.
//!
//! Potentials act at the weighted midpoint q̄ = γ q + (1 − γ) q⁺ of the redundant coordinates
//! (thesis (3.4), γ = ½), dampers on (q⁺ − q)/h.

mod dampers;
mod influences;
mod pair;
mod potentials;
mod solid_field;
mod solids;
mod stiffness;

use carom_gap::Pose;
use nalgebra::Vector3;

use super::kinematics::Increment;
use super::share::Share;
use crate::model::Point;

pub use dampers::{add_damper_covectors, add_dampers, add_damping};
pub use influences::{Pull, add_influence_blocks, add_influences, out_of_range, pull};
pub use pair::{PairForce, damper_impulse, damper_slope, pair_curvature, pair_force};
pub use potentials::{
    potential, potential_forces, potential_forces_by, potential_hessian, potential_with,
};
pub use solid_field::SolidField;
pub use solids::{Supports, add_viscous_forces, point_velocity, solid_stiffnesses};
pub use stiffness::{Block, blocks_of, point_block, point_stiffnesses, user_stiffnesses};

/// γ q + (1 − γ) q⁺ of the bodies of a share.
pub fn between(share: &Share, poses: &[Pose], next: &[Pose], gamma: f64, out: &mut [Pose]) {
    for &k in &share.bodies {
        let (a, b, m) = (&poses[k], &next[k], &mut out[k]);
        m.position = a.position * gamma + b.position * (1.0 - gamma);
        m.directors = a.directors * gamma + b.directors * (1.0 - gamma);
    }
}

/// Which node the covectors of a step are reduced at, and where they come from.
pub struct StepFrame<'a> {
    /// Configuration at the start of the step.
    pub poses: &'a [Pose],
    /// Configuration at its end.
    pub next: &'a [Pose],
    /// Configuration between them at which potentials act.
    pub middle: &'a [Pose],
    /// Motion from start to end.
    pub increments: &'a [Increment],
    /// Step size.
    pub h: f64,
    /// Weight γ of the start in `middle`.
    pub gamma: f64,
}

/// Where a point is.
#[inline]
fn place(point: &Point, poses: &[Pose]) -> Vector3<f64> {
    point
        .body
        .map_or(point.local, |b| poses[b.index()].point(&point.local))
}
