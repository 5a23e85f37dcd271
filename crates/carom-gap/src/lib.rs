//! Convex collision detection as a linear program.
#![forbid(unsafe_code)]

mod broad_phase;
pub mod geometry;
mod pose;
mod vertices;

pub use broad_phase::{BroadPhase, Membership};
pub use geometry::Aabb;
pub use pose::Pose;
pub use vertices::Vertices;
