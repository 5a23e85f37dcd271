//! Finite elements: meshes of linear tetrahedra or plane-strain triangles, and what one element does.
//!
//! An elastic body is no new kind of body. Its nodes are particles of the model (or points of rigid
//! bodies, or of the world, where it is glued or held), its elements are forces between them, and
//! contact acts on the elements at its surface. This part knows meshes and elements; the model puts
//! them together as a [`Solid`](crate::model::Solid), `mechanics` sums the elements up.
//!
//! | file | holds |
//! | --- | --- |
//! | `mesh` | nodes and cells, checked; surface, volumes |
//! | `generate` | meshes of boxes, prisms, cylinders, balls, bodies of revolution |
//! | `gmsh` | meshes from files |
//! | `subdivide` | simplices cut into smaller ones |
//! | `element` | deformation gradient, energy, forces, stiffness of an element (thesis 3.3.4) |
//! | `neo_hookean` | the material |

mod element;
mod generate;
mod gmsh;
mod mesh;
mod neo_hookean;
mod subdivide;

pub use element::{Corners, Element};
pub use generate::{
    ball, cuboid, cylinder, disc, polygon, prism, rectangle, revolved, revolved_shell,
};
pub use gmsh::read_gmsh;
pub use mesh::{Mesh, MeshError};
pub use neo_hookean::{Damping, NeoHookean, von_mises};
