//! Bodies that collide.
//!
//! Collision detection comes first and is here as [`gap`]: the signed gap between convex bodies as a
//! linear program, with its gradient, contact points and features. Simulation and optimal control
//! build on it.

pub use carom_gap as gap;
