//! A convex piece of a body: what collision detection and mechanics need to know of it.

use super::error::GeometryError;
use super::hull::checked_size;
use super::mass::MassProperties;
use super::surface::area_vector;
use super::{Polygon, Polytope};
use crate::round::{Round, Solid};
use crate::{Pose, Vertices};
use nalgebra::Vector3;

/// A convex set given by its vertices, with its faces and mass properties where it has any.
///
/// Polytopes and polygons convert into it. [`Convex::round`] is a body with curved sides that collides
/// as what it is; its vertices and faces are those of a polytope around it. [`Convex::sphere`], [`Convex::cylinder`]
/// and [`Convex::cone`] collide by their facets. All weigh by the exact formula.
/// Points and segments (a bead, a foot, a wire) collide and have no mass of their own.
#[derive(Clone, Debug)]
pub struct Convex {
    vertices: Vertices,
    faces: Vec<Vec<u32>>,
    mass: Option<MassProperties>,
    round: Option<Round>,
}

impl From<Polytope> for Convex {
    fn from(polytope: Polytope) -> Self {
        Self {
            faces: polytope.faces().to_vec(),
            mass: Some(*polytope.mass_properties()),
            vertices: polytope.vertices().clone(),
            round: None,
        }
    }
}

impl From<Polygon> for Convex {
    fn from(polygon: Polygon) -> Self {
        Self {
            faces: vec![(0..polygon.vertices().len() as u32).collect()],
            mass: Some(*polygon.mass_properties()),
            vertices: polygon.vertices().clone(),
            round: None,
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
            round: None,
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
                fix: "its ends must differ; use a point",
            });
        }
        Ok(Self {
            vertices: Vertices::new(&[from, to]).with_edges(&[[0, 1]]),
            faces: Vec::new(),
            mass: None,
            round: None,
        })
    }

    /// The same contact geometry with other mass properties (for unit density).
    pub(crate) fn with_mass(mut self, mass: MassProperties) -> Self {
        self.mass = Some(mass);
        self
    }

    /// A round body: it collides exactly, and its vertices and faces are those of a polytope around it
    /// for whatever needs one; `fineness` facets along a quarter turn.
    ///
    /// ```
    /// use carom_gap::{geometry::Convex, round::Round};
    /// let pill = Convex::round(Round::capsule(0.1, 0.3)?, 4)?;
    /// assert!(pill.as_round().is_some() && pill.faces().len() > 8);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn round(round: Round, fineness: usize) -> Result<Self, GeometryError> {
        let mass = round.mass_properties();
        let mut convex = Self::from(round.facets(fineness)?);
        convex.mass = mass;
        Ok(convex.colliding_as(round))
    }

    /// Colliding as a round body (in the same frame) that its vertices and faces stand for. They are
    /// moved out from its centre until they enclose it: what keeps clear of them keeps clear of it.
    pub fn colliding_as(mut self, round: Round) -> Self {
        let center = round.center();
        let solid = Solid::from(&round);
        let points = self.vertices.points();
        let mut scale: f64 = 1.0;
        let planar = self.is_planar();
        for face in &self.faces {
            let sides = if planar { face.len() } else { 1 };
            for k in 0..sides {
                let corner = points[face[k] as usize];
                let normal = match planar {
                    true => {
                        (points[face[(k + 1) % face.len()] as usize] - corner).cross(&Vector3::z())
                    }
                    false => area_vector(points, face),
                };
                let Some(n) = normal.try_normalize(0.0) else {
                    continue;
                };
                let top = solid.support(&Pose::identity(), &n);
                let (needed, there) = ((top - center).dot(&n), (corner - center).dot(&n));
                if there > 0.0 {
                    scale = scale.max(needed / there);
                }
            }
        }
        let moved: Vec<_> = (points.iter())
            .map(|x| center + (x - center) * scale)
            .collect();
        let set = match planar {
            true => Vertices::planar(&moved),
            false => Vertices::new(&moved),
        };
        self.vertices = set.with_edges(&self.vertices.edges());
        self.round = Some(round);
        self
    }

    /// The round body it collides as, if it is one.
    pub fn as_round(&self) -> Option<&Round> {
        self.round.as_ref()
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
