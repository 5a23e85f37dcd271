//! carom simulates and optimally controls bodies that collide, with integrators that keep what
//! physics keeps: momentum to round-off, energy without drift, bodies that do not overlap.
//!
//! | part | knows |
//! | --- | --- |
//! | [`geometry`], [`gap`] | convex bodies, mass properties, collision detection (crate `carom-gap`) |
//! | [`model`] | bodies, joints, forces, actuators |
//! | [`mechanics`], [`simulate`] | the variational integrator and the ledger of a run |
//! | [`scenario`], [`record`], [`report`] | scenario files, running them, what comes out |
//! | [`control`] | feedback laws and their references |
//! | [`sweep`] | many runs of one scenario with other values, and their table |
//! | [`expression`] | arithmetic in text |
#![forbid(unsafe_code)]

pub mod contact;
pub mod control;
pub mod expression;
pub mod mechanics;
pub mod model;
pub mod optimise;
pub mod record;
pub mod report;
pub mod scenario;
pub mod simulate;
pub mod sweep;

pub use carom_gap::{
    Aabb, BroadPhase, Distance, Membership, Pose, Vertices, distance, gap, geometry,
};
