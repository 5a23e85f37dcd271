//! Convex polygons in the plane z = 0.

use super::error::GeometryError;
use super::hull::{FLAT, checked_size, tolerance};
use super::mass::MassProperties;
use crate::Vertices;
use nalgebra::{Vector2, Vector3};
use robust::{Coord, orient2d};

/// Points within this fraction of the size of a line lie on it.
const LINE: f64 = 1e-10;

/// A convex polygon with area, counter-clockwise, in the plane z = 0.
///
/// Only corners are kept. Mass properties are exact; their volume is the area.
#[derive(Clone, Debug)]
pub struct Polygon {
    vertices: Vertices,
    mass: MassProperties,
}

impl Polygon {
    /// A polygon from its corners in counter-clockwise order.
    ///
    /// Repeated points and points inside an edge are dropped; clockwise loops, loops with an
    /// inward corner and loops that wind around more than once are refused.
    ///
    /// ```
    /// use carom_gap::geometry::{GeometryError, Polygon};
    /// let triangle = Polygon::from_loop(&[[0.0, 0.0], [3.0, 0.0], [0.0, 4.0]])?;
    /// assert!((triangle.mass_properties().volume - 6.0).abs() < 1e-14);
    /// let refused = Polygon::from_loop(&[[0.0, 0.0], [0.0, 4.0], [3.0, 0.0]]);
    /// assert!(matches!(refused, Err(GeometryError::Clockwise { .. })));
    /// # Ok::<(), GeometryError>(())
    /// ```
    pub fn from_loop(points: &[[f64; 2]]) -> Result<Self, GeometryError> {
        let (lifted, size, tolerance) = prepare(points)?;
        let area = MassProperties::of_loop(&lifted).volume;
        if area < -FLAT * size * size {
            return Err(GeometryError::Clockwise { area });
        }

        // Consecutive points that coincide count once.
        let mut corners: Vec<usize> = Vec::with_capacity(lifted.len());
        for (i, p) in lifted.iter().enumerate() {
            let last = corners.last().map(|&l| lifted[l]);
            if last.is_none_or(|l| (p - l).norm() > tolerance) {
                corners.push(i);
            }
        }
        while corners.len() > 1
            && (lifted[corners[0]] - lifted[corners[corners.len() - 1]]).norm() <= tolerance
        {
            corners.pop();
        }

        // Every corner turns left, and all turns add up to one round.
        let count = corners.len();
        let mut kept = Vec::with_capacity(count);
        let mut turned = 0.0;
        for k in 0..count {
            let index = corners[k];
            let before = lifted[index] - lifted[corners[(k + count - 1) % count]];
            let after = lifted[corners[(k + 1) % count]] - lifted[index];
            let cross = before.x * after.y - before.y * after.x;
            let dot = before.dot(&after);
            let height = cross / before.norm().max(after.norm());
            turned += cross.atan2(dot);
            if height > tolerance {
                kept.push(lifted[index]);
            } else if height < -tolerance || dot < 0.0 {
                return Err(GeometryError::NotConvexAt { index });
            }
            if turned > 1.5 * std::f64::consts::TAU {
                return Err(GeometryError::NotConvexAt { index });
            }
        }
        if turned > 1.25 * std::f64::consts::TAU {
            let index = corners[count - 1];
            return Err(GeometryError::NotConvexAt { index });
        }
        Ok(Self::assemble(&kept))
    }

    /// The convex hull of points that span the plane.
    ///
    /// ```
    /// use carom_gap::geometry::Polygon;
    /// let square = Polygon::hull(&[[0.0, 0.0], [1.0, 1.0], [0.5, 0.4], [1.0, 0.0], [0.0, 1.0]])?;
    /// assert_eq!(square.vertices().len(), 4);
    /// # Ok::<(), carom_gap::geometry::GeometryError>(())
    /// ```
    pub fn hull(points: &[[f64; 2]]) -> Result<Self, GeometryError> {
        prepare(points)?;
        let mut sorted = points.to_vec();
        sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        sorted.dedup();
        // Monotone chain with the exact predicate: lower border, then upper border.
        let mut chain: Vec<[f64; 2]> = Vec::with_capacity(sorted.len() + 1);
        let upper = sorted.iter().rev().skip(1);
        let mut fixed = 1;
        for (k, &p) in sorted.iter().chain(upper).enumerate() {
            if k == sorted.len() {
                fixed = chain.len();
            }
            while chain.len() > fixed && !left(chain[chain.len() - 2], chain[chain.len() - 1], p) {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        Self::from_loop(&chain)
    }

    fn assemble(corners: &[Vector3<f64>]) -> Self {
        let count = corners.len() as u32;
        let edges: Vec<_> = (0..count).map(|i| [i, (i + 1) % count]).collect();
        Self {
            vertices: Vertices::planar(corners).with_edges(&edges),
            mass: MassProperties::of_loop(corners),
        }
    }

    /// The corners, counter-clockwise, as a planar set.
    pub fn vertices(&self) -> &Vertices {
        &self.vertices
    }

    /// The corners, counter-clockwise, as points of the plane.
    pub fn corners(&self) -> impl Iterator<Item = Vector2<f64>> + '_ {
        self.vertices.points().iter().map(|p| p.xy())
    }

    /// Exact mass properties for unit density per area.
    pub fn mass_properties(&self) -> &MassProperties {
        &self.mass
    }
}

/// Points lifted to z = 0, their size and the tolerance; refused where they do not span the plane.
fn prepare(points: &[[f64; 2]]) -> Result<(Vec<Vector3<f64>>, f64, f64), GeometryError> {
    if points.len() < 3 {
        return Err(GeometryError::TooFewPoints {
            what: "a polygon",
            found: points.len(),
            needed: 3,
        });
    }
    let lifted: Vec<_> = points
        .iter()
        .map(|p| Vector3::new(p[0], p[1], 0.0))
        .collect();
    let size = checked_size(&lifted)?;
    let tolerance = tolerance(&lifted, size, LINE);
    let thin = (FLAT * size).max(10.0 * tolerance);
    let flat = |dimension, extent| GeometryError::Flat {
        what: "polygon",
        dimension,
        extent,
        size,
        fix: "give points that span an area, or use a point or a segment",
    };

    // The two points furthest apart (nearly), and the largest distance from their line.
    let far = |from: &Vector3<f64>| {
        let distance = |p: &&Vector3<f64>| (**p - from).norm();
        *lifted
            .iter()
            .max_by(|p, q| distance(p).total_cmp(&distance(q)))
            .expect("at least three points")
    };
    let a = far(&lifted[0]);
    let b = far(&a);
    let length = (b - a).norm();
    if length <= thin {
        return Err(flat(0, length));
    }
    let along = (b - a) / length;
    let width = lifted
        .iter()
        .map(|p| (p - a).cross(&along).norm())
        .fold(0.0, f64::max);
    if width <= thin {
        return Err(flat(1, width));
    }
    Ok((lifted, size, tolerance))
}

/// Whether c lies strictly to the left of the line from a to b.
fn left(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p[0], y: p[1] });
    orient2d(a, b, c) > 0.0
}
