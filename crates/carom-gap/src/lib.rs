//! Convex collision detection as a linear program.
#![forbid(unsafe_code)]

mod distance;
pub mod geometry;
mod pose;
mod vertices;

pub use distance::{Distance, distance};
pub use pose::Pose;
pub use vertices::Vertices;
