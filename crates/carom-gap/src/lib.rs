//! Convex collision detection as a linear program: signed gap, subgradient, contact features,
//! exact at touching.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`gap`] | the SSH LP: signed gap along a direction, normal, weights, contact points, gradients |
//! | [`distance()`] | Euclidean distance or penetration depth |
//! | [`geometry`] | polytopes, hulls, meshes, non-convex shapes by convex parts, mass properties |
//! | [`round`] | spheres, capsules, cylinders, cones, ellipsoids, rounded hulls: exact gap, patch, first contact |
//! | [`BroadPhase`] | candidate pairs among many bodies |
//! | [`Vertices`], [`Pose`] | what a query is asked about |
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod broad_phase;
mod distance;
pub mod gap;
pub mod geometry;
mod pose;
pub mod round;
mod vertices;

pub use broad_phase::{BroadPhase, Membership};
pub use distance::{Distance, distance};
pub use geometry::Aabb;
pub use pose::Pose;
pub use vertices::Vertices;

/// A list that is mostly short: up to so many elements need no memory of their own.
type Few<T> = smallvec::SmallVec<[T; 16]>;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
