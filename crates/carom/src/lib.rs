//! carom simulates and optimally controls bodies that collide.
//!
//! So far it holds convex collision detection, the crate [`carom_gap`], re-exported here whole.
#![forbid(unsafe_code)]

pub mod expression;

pub use carom_gap::{
    Aabb, BroadPhase, Distance, Membership, Pose, Vertices, distance, gap, geometry,
};
