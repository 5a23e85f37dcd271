//! Triangle meshes: mass properties of the mesh itself, convex parts for contact.
//!
//! A mesh is used for contact as its hull or as a convex decomposition (exact where the solid has few planes,
//! else approximate, by cuts of voxels); its mass properties are those of the closed surface, exactly,
//! whatever parts collide.

use super::decompose::{Decompose, decompose};
use super::error::{GeometryError, positive};
use super::exact_parts::exact_parts;
use super::hull::checked_size;
use super::parts_error::distance_of_parts;
use super::surface::closed_edges;
use super::{MassProperties, Part, Polytope, Shape};
use nalgebra::Vector3;

/// Mesh coordinates have often been through f32: faces merge within this fraction of the size.
pub(super) const COARSE: f64 = 1e-6;

/// Triangles with shared corners, in metres.
///
/// ```
/// use carom_gap::geometry::{Mesh, MeshUse, Unit};
/// let obj = b"v 0 0 0\nv 30 0 0\nv 0 30 0\nv 0 0 30\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
/// let mesh = Mesh::from_obj(obj, "corner.obj", Unit::Millimeter)?;
/// assert!((mesh.mass_properties()?.volume - 0.03f64.powi(3) / 6.0).abs() < 1e-18);
/// let shape = mesh.shape(&MeshUse::Hull, 2700.0)?;
/// assert_eq!(shape.vertices()[0].len(), 4);
/// # Ok::<(), carom_gap::geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mesh {
    name: String,
    points: Vec<Vector3<f64>>,
    triangles: Vec<[u32; 3]>,
}

/// How a mesh collides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MeshUse {
    /// By its convex hull.
    Hull,
    /// By the parts of a convex decomposition, exact or approximate.
    Decompose(Decompose),
}

/// Convex parts made from a mesh.
#[derive(Clone, Debug)]
pub struct MeshParts {
    /// The parts, in the mesh's frame.
    pub parts: Vec<Polytope>,
    /// Pieces without volume that were left out.
    pub dropped: usize,
    /// Volume of all parts; how much it exceeds the mesh's tells how much was filled.
    pub volume: f64,
    /// How far the parts are from the mesh.
    pub error: PartsError,
}

/// How far convex parts are from the mesh that they stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartsError {
    /// Volume of the parts less that of the mesh, as a part of the latter; unknown for open meshes.
    pub volume: Option<f64>,
    /// How far points of the parts are outside the mesh, and points of the mesh outside the parts, at
    /// most, in m: corners, middles of edges and of faces were looked at.
    pub distance: f64,
    /// Whether the parts are the solid itself, to the rounding of its corners.
    pub exact: bool,
}

impl Mesh {
    /// A mesh from corners and triangles, counter-clockwise seen from outside.
    ///
    /// Corners that coincide are joined, triangles without three different corners are dropped.
    /// `name` appears in errors.
    ///
    /// ```
    /// use carom_gap::geometry::Mesh;
    /// use nalgebra::Vector3;
    /// let points = [Vector3::zeros(), Vector3::x(), Vector3::y()];
    /// assert!(Mesh::new("sheet", &points, &[[0, 1, 2]])?.mass_properties().is_err()); // open
    /// assert!(Mesh::new("sheet", &points, &[[0, 1, 3]]).is_err()); // no point 3
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn new(
        name: &str,
        points: &[Vector3<f64>],
        triangles: &[[u32; 3]],
    ) -> Result<Self, GeometryError> {
        let refuse = |source| Err(in_mesh(name, source));
        if points.is_empty() {
            return refuse(GeometryError::TooFewPoints {
                what: "a mesh",
                found: 0,
                needed: 3,
            });
        }
        if let Err(source) = checked_size(points) {
            return refuse(source);
        }
        for (face, triangle) in triangles.iter().enumerate() {
            let count = points.len();
            if let Some(&index) = triangle.iter().find(|&&i| i as usize >= count) {
                return refuse(GeometryError::NoSuchPoint { face, index, count });
            }
        }
        let mut mesh = Self {
            name: name.to_owned(),
            points: points.to_vec(),
            triangles: triangles.to_vec(),
        };
        mesh.weld();
        if mesh.triangles.is_empty() {
            return Err(GeometryError::Parse {
                name: mesh.name,
                reason: "holds no triangle with an area".to_owned(),
                fix: "check that it was exported as a mesh",
            });
        }
        Ok(mesh)
    }

    /// Joins corners of equal coordinates, in the order of their first appearance in a triangle.
    fn weld(&mut self) {
        let mut index_of = std::collections::HashMap::new();
        let mut points = Vec::new();
        for i in self.triangles.iter_mut().flatten() {
            let p = self.points[*i as usize];
            // −0 and 0 are the same place.
            let key = [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits());
            *i = *index_of.entry(key).or_insert_with(|| {
                points.push(p);
                points.len() as u32 - 1
            });
        }
        self.points = points;
        self.triangles
            .retain(|[a, b, c]| a != b && b != c && c != a);
    }

    /// The file or name it came from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Corners.
    pub fn points(&self) -> &[Vector3<f64>] {
        &self.points
    }

    /// Triangles as indices of corners.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The same mesh turned inside out.
    pub fn flipped(&self) -> Self {
        Self {
            triangles: self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect(),
            ..self.clone()
        }
    }

    /// Exact mass properties of the closed mesh for unit density.
    ///
    /// Open meshes, triangles turned against their neighbours and meshes that are inside out are
    /// refused.
    pub fn mass_properties(&self) -> Result<MassProperties, GeometryError> {
        closed_edges(&self.triangles).map_err(|source| in_mesh(&self.name, source))?;
        let mass = MassProperties::of_surface(&self.points, self.triangles.iter().copied());
        let size = checked_size(&self.points).map_err(|source| in_mesh(&self.name, source))?;
        let rounding = 1e-12 * size.powi(3);
        if mass.volume < -rounding {
            return Err(GeometryError::Parse {
                name: self.name.clone(),
                reason: format!(
                    "the mesh is inside out (signed volume {:.3e} m³)",
                    mass.volume
                ),
                fix: "flip its normals in the modelling program, or flip it after reading",
            });
        }
        if mass.volume <= rounding {
            return Err(GeometryError::Parse {
                name: self.name.clone(),
                reason: "the mesh encloses no volume".to_owned(),
                fix: "give mass and inertia of the body directly",
            });
        }
        Ok(mass)
    }

    /// Convex parts for contact.
    ///
    /// ```
    /// use carom_gap::geometry::{Mesh, MeshUse, Polytope};
    /// let cube = Polytope::cube(1.0)?;
    /// let triangles: Vec<_> =
    ///     cube.faces().iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
    /// let mesh = Mesh::new("cube", cube.vertices().points(), &triangles)?;
    /// assert_eq!(mesh.parts(&MeshUse::Hull)?.parts[0].faces().len(), 6);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn parts(&self, how: &MeshUse) -> Result<MeshParts, GeometryError> {
        self.parts_of(how, self.mass_properties().ok().map(|m| m.volume))
    }

    /// The same, for a mesh of known volume.
    fn parts_of(&self, how: &MeshUse, whole: Option<f64>) -> Result<MeshParts, GeometryError> {
        let mut exact = false;
        let (parts, dropped) = match how {
            MeshUse::Hull => {
                let hull = Polytope::hull_within(&self.points, COARSE)
                    .map_err(|source| in_mesh(&self.name, source))?;
                (vec![hull], 0)
            }
            MeshUse::Decompose(settings) => {
                settings.validate()?;
                let most = settings.max_parts as usize;
                match whole.and_then(|volume| exact_parts(self, most, volume)) {
                    Some(parts) => {
                        exact = true;
                        (parts, 0)
                    }
                    None => decompose(self, settings)?,
                }
            }
        };
        let volume: f64 = parts.iter().map(|p| p.mass_properties().volume).sum();
        let error = PartsError {
            volume: whole.map(|mesh| volume / mesh - 1.0),
            distance: match exact {
                true => 0.0,
                false => distance_of_parts(self, &parts, matches!(how, MeshUse::Hull)),
            },
            exact,
        };
        Ok(MeshParts {
            parts,
            dropped,
            volume,
            error,
        })
    }

    /// A body's shape: parts for contact, mass properties of the closed mesh.
    pub fn shape(&self, how: &MeshUse, density: f64) -> Result<Shape, GeometryError> {
        Ok(self.shape_with_error(how, density)?.0)
    }

    /// The same, with how far the parts are from the mesh.
    pub fn shape_with_error(
        &self,
        how: &MeshUse,
        density: f64,
    ) -> Result<(Shape, PartsError), GeometryError> {
        positive("density", density)?;
        let mass = self.mass_properties()?;
        let found = self.parts_of(how, Some(mass.volume))?;
        let mass = mass.with_density(density);
        let parts = found.parts.into_iter();
        let parts = parts.map(|p| Part::new(p, density)).collect();
        let shape = Shape::new(parts)?.with_mass_properties(mass);
        Ok((shape, found.error))
    }
}

pub(super) fn in_mesh(name: &str, source: GeometryError) -> GeometryError {
    GeometryError::InMesh {
        name: name.to_owned(),
        source: Box::new(source),
    }
}
