//! A convex piece of a body: what collision detection and mechanics need to know of it.

use super::error::GeometryError;
use super::hull::checked_size;
use super::mass::MassProperties;
use super::{Polygon, Polytope};
use crate::Vertices;
use nalgebra::Vector3;

/// A convex set given by its vertices, with its faces and mass properties where it has any.
///
/// Polytopes and polygons convert into it. Round solids ([`Convex::sphere`],
/// [`Convex::cylinder`], [`Convex::cone`]) collide by their facets and weigh by the exact formula.
/// Points and segments (a bead, a foot, a wire) collide and have no mass of their own.
#[derive(Clone, Debug)]
pub struct Convex {
    vertices: Vertices,
    faces: Vec<Vec<u32>>,
    mass: Option<MassProperties>,
}

impl From<Polytope> for Convex {
    fn from(polytope: Polytope) -> Self {
        Self {
            faces: polytope.faces().to_vec(),
            mass: Some(*polytope.mass_properties()),
            vertices: polytope.vertices().clone(),
        }
    }
}

impl From<Polygon> for Convex {
    fn from(polygon: Polygon) -> Self {
        Self {
            faces: vec![(0..polygon.vertices().len() as u32).collect()],
            mass: Some(*polygon.mass_properties()),
            vertices: polygon.vertices().clone(),
        }
    }
}

impl Convex {
    /// A single point.
    ///
    /// ```
    /// use carom_gap::geometry::Convex;
    /// use nalgebra::Vector3;
    /// let bead = Convex::point(Vector3::zeros())?;
    /// assert!(bead.mass_properties().is_none());
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn point(at: Vector3<f64>) -> Result<Self, GeometryError> {
        checked_size(&[at])?;
        Ok(Self {
            vertices: Vertices::new(&[at]),
            faces: Vec::new(),
            mass: None,
        })
    }

    /// The segment between two points that differ.
    ///
    /// ```
    /// use carom_gap::geometry::Convex;
    /// use nalgebra::Vector3;
    /// assert_eq!(Convex::segment(Vector3::zeros(), Vector3::x())?.vertices().len(), 2);
    /// assert!(Convex::segment(Vector3::x(), Vector3::x()).is_err());
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn segment(from: Vector3<f64>, to: Vector3<f64>) -> Result<Self, GeometryError> {
        let size = checked_size(&[from, to])?;
        if size <= 8.0 * f64::EPSILON * from.amax().max(to.amax()) {
            return Err(GeometryError::Flat {
                what: "segment",
                dimension: 0,
                extent: size,
                size,
                mend: "its ends must differ; use a point",
            });
        }
        Ok(Self {
            vertices: Vertices::new(&[from, to]).with_edges(&[[0, 1]]),
            faces: Vec::new(),
            mass: None,
        })
    }

    /// The same contact geometry with other mass properties (for unit density).
    pub(crate) fn with_mass(mut self, mass: MassProperties) -> Self {
        self.mass = Some(mass);
        self
    }

    /// Vertices in the part's own frame.
    pub fn vertices(&self) -> &Vertices {
        &self.vertices
    }

    /// Faces as loops of vertex indices, counter-clockwise seen from outside (a polygon: one loop,
    /// seen from +z). Empty for points and segments.
    pub fn faces(&self) -> &[Vec<u32>] {
        &self.faces
    }

    /// Mass properties for unit density; `None` for points and segments.
    pub fn mass_properties(&self) -> Option<&MassProperties> {
        self.mass.as_ref()
    }

    /// Whether it lives in the plane z = 0 (polygons).
    pub fn is_planar(&self) -> bool {
        self.vertices.is_planar()
    }
}
