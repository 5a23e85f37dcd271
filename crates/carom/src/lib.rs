//! carom simulates and optimally controls bodies that collide, with integrators that keep what
//! physics keeps: momentum to round-off, energy without drift, bodies that do not overlap.
//!
//! | part | knows |
//! | --- | --- |
//! | [`geometry`], [`gap`] | convex bodies, mass properties, collision detection (crate `carom-gap`) |
//! | [`model`] | bodies, joints, forces, actuators |
#![forbid(unsafe_code)]

pub mod expression;
pub mod model;
pub mod scenario;

pub use carom_gap::{
    Aabb, BroadPhase, Distance, Membership, Pose, Vertices, distance, gap, geometry,
};
