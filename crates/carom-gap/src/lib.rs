//! Convex collision detection as a linear program.
#![forbid(unsafe_code)]

pub mod geometry;
pub mod gap;
mod pose;
mod vertices;

pub use pose::Pose;
pub use vertices::Vertices;
