//! Convex polytopes in space: hulls of points, or given by vertices and faces.

use super::error::GeometryError;
use super::hull::{FLAT, checked_size, distinct, hull_triangles, spanning_simplex, tolerance};
use super::mass::MassProperties;
use super::surface::{area_vector, closed_edges, fan, merge};
use crate::Vertices;
use nalgebra::Vector3;

/// Points within this fraction of the size of a plane lie on it.
const PLANE: f64 = 1e-10;

/// A convex body with volume, bounded by polygons.
///
/// Only corners are kept as vertices, in the order of the given points; coplanar triangles are
/// merged into one face. Faces are loops of vertex indices, counter-clockwise seen from outside.
#[derive(Clone, Debug)]
pub struct Polytope {
    vertices: Vertices,
    faces: Vec<Vec<u32>>,
    edges: Vec<[u32; 2]>,
    normals: Vec<Vector3<f64>>,
    mass: MassProperties,
}

impl Polytope {
    /// The convex hull of points that span space.
    ///
    /// Inner points and points that repeat another (within 1e-10 of the extent) are dropped. Points that span less than space (within 1e-8 of
    /// their extent) are refused, as are coordinates that are not finite or reach beyond
    /// 1e-50 … 1e50.
    ///
    /// ```
    /// use carom_gap::geometry::Polytope;
    /// use nalgebra::Vector3;
    /// let mut points = vec![Vector3::new(0.5, 0.5, 0.5)]; // inside
    /// for i in 0..8 {
    ///     points.push(Vector3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64));
    /// }
    /// let cube = Polytope::hull(&points)?;
    /// assert_eq!((cube.vertices().len(), cube.edges().len(), cube.faces().len()), (8, 12, 6));
    /// assert!((cube.mass_properties().volume - 1.0).abs() < 1e-15);
    /// assert!(Polytope::hull(&points[..3]).is_err());
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn hull(points: &[Vector3<f64>]) -> Result<Self, GeometryError> {
        Self::hull_within(points, PLANE)
    }

    /// The convex hull, with faces that merge what lies within `relative` times the extent of a
    /// plane: 1e-10 for exact data, 1e-6 for coordinates that have been through f32. Dropped
    /// vertices may stick out by that much.
    ///
    /// ```
    /// use carom_gap::geometry::Polytope;
    /// use nalgebra::Vector3;
    /// let mut points = Polytope::cube(1.0)?.vertices().points().to_vec();
    /// points.push(Vector3::new(0.0, 0.0, 0.5 + 1e-7)); // a bump of rounding
    /// assert_eq!(Polytope::hull(&points)?.vertices().len(), 9);
    /// assert_eq!(Polytope::hull_within(&points, 1e-6)?.vertices().len(), 8);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn hull_within(points: &[Vector3<f64>], relative: f64) -> Result<Self, GeometryError> {
        let size = checked_body(points)?;
        let tolerance = tolerance(points, size, relative);
        let thin = (FLAT * size).max(10.0 * tolerance);
        let points = if tolerance > 0.0 {
            distinct(points, tolerance)
        } else {
            points.to_vec()
        };
        let triangles = hull_triangles(&points, size, thin)?;
        Ok(Self::assemble(&points, &triangles, tolerance))
    }

    /// A polytope given by points and faces.
    ///
    /// Refused, with the face at fault: loops that are too short, bent or without area, open
    /// surfaces, faces turned inside out, bodies that are not convex. Coplanar faces are merged,
    /// points inside an edge or a face are dropped.
    ///
    /// ```
    /// use carom_gap::geometry::{GeometryError, Polytope};
    /// use nalgebra::Vector3;
    /// let points = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
    /// let good = [vec![0, 2, 1], vec![0, 1, 3], vec![0, 3, 2], vec![1, 2, 3]];
    /// assert!((Polytope::from_faces(&points, &good)?.mass_properties().volume - 1.0 / 6.0).abs() < 1e-15);
    /// let inverted = good.map(|f| f.into_iter().rev().collect::<Vec<_>>());
    /// let refused = Polytope::from_faces(&points, &inverted);
    /// assert!(matches!(refused, Err(GeometryError::InsideOut { .. })));
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn from_faces<F: AsRef<[u32]>>(
        points: &[Vector3<f64>],
        faces: &[F],
    ) -> Result<Self, GeometryError> {
        let size = checked_body(points)?;
        let tolerance = tolerance(points, size, PLANE);
        check_topology(points.len(), faces)?;

        // Orientation, before convexity: an inverted body should hear so.
        let loops: Vec<Vec<u32>> = faces.iter().map(|f| f.as_ref().to_vec()).collect();
        let volume = MassProperties::of_surface(points, fan(&loops)).volume;
        if volume < -FLAT * size.powi(3) {
            return Err(GeometryError::InsideOut { volume });
        }
        check_convexity(points, &loops, size, tolerance)?;

        spanning_simplex(points, size, (FLAT * size).max(10.0 * tolerance))?;

        let triangles: Vec<_> = fan(&loops).collect();
        Ok(Self::assemble(points, &triangles, tolerance))
    }

    fn assemble(points: &[Vector3<f64>], triangles: &[[u32; 3]], tolerance: f64) -> Self {
        let merged = merge(points, triangles, tolerance);
        let corners: Vec<_> = merged.corners.iter().map(|&i| points[i as usize]).collect();
        let mut edges = Vec::new();
        for face in &merged.loops {
            for k in 0..face.len() {
                let (i, j) = (face[k], face[(k + 1) % face.len()]);
                if i < j {
                    edges.push([i, j]);
                }
            }
        }
        edges.sort_unstable();
        let normals = merged
            .loops
            .iter()
            .map(|face| area_vector(&corners, face).normalize())
            .collect();
        Self {
            mass: MassProperties::of_surface(&corners, fan(&merged.loops)),
            vertices: Vertices::new(&corners).with_edges(&edges),
            faces: merged.loops,
            edges,
            normals,
        }
    }

    /// The corners, with their edge graph.
    pub fn vertices(&self) -> &Vertices {
        &self.vertices
    }

    /// Faces as loops of vertex indices, counter-clockwise seen from outside.
    pub fn faces(&self) -> &[Vec<u32>] {
        &self.faces
    }

    /// Edges, each once with its smaller index first, sorted.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Outward unit normals of the faces.
    pub fn normals(&self) -> &[Vector3<f64>] {
        &self.normals
    }

    /// Exact mass properties for unit density.
    pub fn mass_properties(&self) -> &MassProperties {
        &self.mass
    }

    /// How far a point lies outside the body's face planes: the largest signed distance, negative
    /// inside.
    ///
    /// ```
    /// use carom_gap::geometry::Polytope;
    /// use nalgebra::Vector3;
    /// let cube = Polytope::cube(2.0)?;
    /// assert!((cube.excess(&Vector3::new(0.25, 0.0, 0.0)) + 0.75).abs() < 1e-15);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn excess(&self, point: &Vector3<f64>) -> f64 {
        let corners = self.vertices.points();
        self.faces
            .iter()
            .zip(&self.normals)
            .map(|(face, n)| n.dot(&(point - corners[face[0] as usize])))
            .fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Indices, loops, closedness, consistent orientation, one sphere.
fn check_topology<F: AsRef<[u32]>>(count: usize, faces: &[F]) -> Result<(), GeometryError> {
    let mut used = vec![false; count];
    for (face, corners) in faces.iter().enumerate() {
        let corners = corners.as_ref();
        if corners.len() < 3 {
            let found = corners.len();
            return Err(GeometryError::ShortFace { face, found });
        }
        for (k, &index) in corners.iter().enumerate() {
            if index as usize >= count {
                return Err(GeometryError::NoSuchPoint { face, index, count });
            }
            if corners[..k].contains(&index) {
                return Err(GeometryError::RepeatedVertex { face, index });
            }
            used[index as usize] = true;
        }
    }
    let edges = closed_edges(faces)?.len() / 2;
    if let Some(index) = used.iter().position(|u| !u) {
        return Err(GeometryError::UnusedPoint { index });
    }
    match (count + faces.len()) as isize - edges as isize {
        2 => Ok(()),
        euler => Err(GeometryError::NotOneSurface { euler }),
    }
}

/// Every face plane, and no point beyond one.
fn check_convexity(
    points: &[Vector3<f64>],
    faces: &[Vec<u32>],
    size: f64,
    tolerance: f64,
) -> Result<(), GeometryError> {
    for (face, corners) in faces.iter().enumerate() {
        let area = area_vector(points, corners);
        if area.norm() <= tolerance * size {
            return Err(GeometryError::ThinFace { face });
        }
        let normal = area.normalize();
        let mean = corners
            .iter()
            .map(|&i| points[i as usize])
            .sum::<Vector3<f64>>()
            / corners.len() as f64;
        let height = |i: u32| (points[i as usize] - mean).dot(&normal);
        let off = |i: &u32| height(*i).abs();
        if let Some(&point) = corners.iter().max_by(|i, j| off(i).total_cmp(&off(j)))
            && off(&point) > tolerance
        {
            let by = off(&point);
            return Err(GeometryError::BentFace { face, point, by });
        }
        let top = (0..points.len() as u32).max_by(|&i, &j| height(i).total_cmp(&height(j)));
        if let Some(point) = top
            && height(point) > tolerance
        {
            let by = height(point);
            return Err(GeometryError::NotConvex { face, point, by });
        }
    }
    Ok(())
}

/// The size of points that are enough, finite and neither too large nor too small for a body.
fn checked_body(points: &[Vector3<f64>]) -> Result<f64, GeometryError> {
    if points.len() < 4 {
        return Err(GeometryError::TooFewPoints {
            what: "a polytope",
            found: points.len(),
            needed: 4,
        });
    }
    checked_size(points)
}
