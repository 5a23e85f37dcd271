//! Polytopes, hulls, convex parts, mass properties.
//!
//! | type | is |
//! | --- | --- |
//! | [`Polytope`], [`Polygon`] | convex bodies with volume or area, exact to the last digit |
//! | [`Convex`] | what a part of a body is: those two, round solids, points, segments |
//! | [`Shape`] | convex [`Part`]s placed in a body frame |
//! | [`MassProperties`] | volume, mass, centre, inertia, Euler tensor |
//! | [`Aabb`] | box along the inertial axes around a posed body |
//! | [`Mesh`] | triangles from STL or OBJ, as a hull or convex parts |
//!
//! Lengths are in metres, densities in kg/m³ (kg/m² in the plane). Whatever is given is checked;
//! a [`GeometryError`] names the culprit and the fix.

mod aabb;
mod convex;
mod cuts;
mod decompose;
mod error;
mod exact_parts;
mod hull;
mod mass;
mod mesh;
mod mesh_files;
mod parts_error;
mod polygon;
mod polytope;
mod shape;
mod solids;
mod surface;
mod voxel_hull;

pub(crate) use error::{count as in_range, positive as positive_size};
pub(crate) use hull::checked_size;
pub(crate) use surface::area_vector;

pub use aabb::Aabb;
pub use convex::Convex;
pub use decompose::Decompose;
pub use error::GeometryError;
pub use mass::MassProperties;
pub use mesh::{Mesh, MeshParts, MeshUse, PartsError};
pub use mesh_files::Unit;
pub use polygon::Polygon;
pub use polytope::Polytope;
pub use shape::{Part, Shape};
