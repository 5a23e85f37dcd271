//! Convex hull of points in space: quickhull with exact orientation tests.
//!
//! Whether a point lies beyond a facet is decided by Shewchuk's adaptive predicate, so the result
//! is the exact hull of the given floating-point numbers and no input can tie the surface in
//! knots. (parry's hull decides by tolerances: it takes plates thinner than 3e-4 of their length
//! for flat and loses volume of some nearly degenerate clouds; it is a reference in the tests.)
//!
//! "Beyond" is strict: points in the plane of a facet are not beyond it. For a point outside the
//! hull the facets it is strictly beyond form a disc (move the point a little inwards: the others
//! stay behind), no new facet is degenerate, and a point still outside after a step is beyond one
//! of the new facets, because each new plane lies between the planes of the facets it joins.

use super::error::GeometryError;
use nalgebra::Vector3;
use robust::{Coord3D, orient3d};
use std::collections::HashMap;

/// Extents below this fraction of the size count as flat.
pub(crate) const FLAT: f64 = 1e-8;

/// Lengths outside 1e-50 … 1e50 are refused: fifth powers (second moments) must fit into f64.
const SMALLEST: f64 = 1e-50;
const LARGEST: f64 = 1e50;

/// Half the diagonal of the bounding box of the points, once they are known to be finite and of
/// sensible scale.
pub(crate) fn checked_size(points: &[Vector3<f64>]) -> Result<f64, GeometryError> {
    let (mut low, mut high) = (points[0], points[0]);
    for (index, p) in points.iter().enumerate() {
        if let Some(&value) = p.iter().find(|x| !x.is_finite()) {
            return Err(GeometryError::NotFinite { index, value });
        }
        low = low.inf(p);
        high = high.sup(p);
    }
    let reach = low.amax().max(high.amax());
    if reach > LARGEST {
        return Err(GeometryError::Scale { size: reach });
    }
    let size = 0.5 * (high - low).norm();
    if size < SMALLEST && high != low {
        return Err(GeometryError::Scale {
            size: (high - low).amax(),
        });
    }
    Ok(size)
}

/// Distances below this are rounding: `relative` of the size, or the resolution of f64 where the
/// points lie far from the origin.
pub(crate) fn tolerance(points: &[Vector3<f64>], size: f64, relative: f64) -> f64 {
    let reach = points.iter().map(|p| p.amax()).fold(0.0, f64::max);
    (relative * size).max(8.0 * f64::EPSILON * reach)
}

/// The points without those that nearly repeat an earlier one (within `tolerance`).
pub(crate) fn distinct(points: &[Vector3<f64>], tolerance: f64) -> Vec<Vector3<f64>> {
    let mut kept: Vec<Vector3<f64>> = Vec::with_capacity(points.len());
    // Kept points by cells of the size of the tolerance: look into the neighbouring ones, too.
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    for p in points {
        let cell = [p.x, p.y, p.z].map(|x| (x / tolerance).floor() as i64);
        let repeated = (0..27).any(|k| {
            let near = [k % 3, k / 3 % 3, k / 9];
            let near: [i64; 3] = std::array::from_fn(|i| cell[i] + near[i] - 1);
            let there = cells.get(&near).into_iter().flatten();
            there
                .map(|&i| kept[i as usize])
                .any(|q| (p - q).norm() <= tolerance)
        });
        if !repeated {
            cells.entry(cell).or_default().push(kept.len() as u32);
            kept.push(*p);
        }
    }
    kept
}

struct Facet {
    /// Counter-clockwise seen from outside.
    corners: [u32; 3],
    /// Facet across the edge from corner k to corner k + 1.
    across: [u32; 3],
    /// Points beyond this facet, still to be taken in.
    outside: Vec<u32>,
    alive: bool,
}

/// An edge of the border between facets the new point sees and facets it does not see.
struct HorizonEdge {
    from: u32,
    to: u32,
    /// The facet that stays, and its index of the edge.
    facet: u32,
    side: usize,
}

struct Hull {
    points: Vec<Coord3D<f64>>,
    facets: Vec<Facet>,
}

/// Outward triangles of the hull of points that span space.
///
/// Fails with [`GeometryError::Flat`] where they do not (within `thin`, a length).
pub(crate) fn hull_triangles(
    points: &[Vector3<f64>],
    size: f64,
    thin: f64,
) -> Result<Vec<[u32; 3]>, GeometryError> {
    let simplex = spanning_simplex(points, size, thin)?;
    let mut hull = Hull::new(points, simplex);
    let mut next = 0;
    while next < hull.facets.len() {
        if hull.facets[next].alive && !hull.facets[next].outside.is_empty() {
            let eye = hull.furthest(next);
            hull.add(next as u32, eye);
        }
        next += 1;
    }
    Ok(hull
        .facets
        .iter()
        .filter(|f| f.alive)
        .map(|f| f.corners)
        .collect())
}

/// Four points that span space well: the two furthest apart (nearly), the one furthest from their
/// line, the one furthest from the plane of the three.
pub(crate) fn spanning_simplex(
    points: &[Vector3<f64>],
    size: f64,
    thin: f64,
) -> Result<[u32; 4], GeometryError> {
    let furthest = |measure: &dyn Fn(&Vector3<f64>) -> f64| {
        let mut best = (0, -1.0);
        for (i, p) in points.iter().enumerate() {
            let value = measure(p);
            if value > best.1 {
                best = (i, value);
            }
        }
        best
    };
    let flat = |dimension, extent| GeometryError::Flat {
        what: "polytope",
        dimension,
        extent,
        size,
        fix: "give points that span a volume, or use a point, a segment or a polygon",
    };
    let (a, _) = furthest(&|p| (p - points[0]).norm());
    let pa = points[a];
    let (b, length) = furthest(&|p| (p - pa).norm());
    if length <= thin {
        return Err(flat(0, length));
    }
    let along = (points[b] - pa) / length;
    let (c, width) = furthest(&|p| (p - pa).cross(&along).norm());
    if width <= thin {
        return Err(flat(1, width));
    }
    let normal = along.cross(&(points[c] - pa)).normalize();
    let (d, height) = furthest(&|p| (p - pa).dot(&normal).abs());
    if height <= thin {
        return Err(flat(2, height));
    }
    Ok([a as u32, b as u32, c as u32, d as u32])
}

impl Hull {
    fn new(points: &[Vector3<f64>], [a, b, c, d]: [u32; 4]) -> Self {
        // Scaled by a power of two (exact) to at most one, and cut off at multiples of 2⁻²⁰⁰, so
        // that no product of three differences underflows in the exact predicate.
        let reach = points.iter().map(|p| p.amax()).fold(0.0, f64::max);
        let scale = 2f64.powi(-(reach.log2().floor() as i32) - 1);
        let grid = 2f64.powi(-200);
        let cut = |x: f64| {
            let x = x * scale;
            if x.abs() < grid * 2f64.powi(53) {
                (x / grid).round() * grid
            } else {
                x
            }
        };
        let mut hull = Self {
            points: points
                .iter()
                .map(|p| Coord3D {
                    x: cut(p.x),
                    y: cut(p.y),
                    z: cut(p.z),
                })
                .collect(),
            facets: Vec::new(),
        };
        // The fourth point behind the first facet.
        let (b, c) = if hull.beyond([a, b, c], d) {
            (c, b)
        } else {
            (b, c)
        };
        for (corners, across) in [
            ([a, b, c], [1, 2, 3]),
            ([b, a, d], [0, 3, 2]),
            ([c, b, d], [0, 1, 3]),
            ([a, c, d], [0, 2, 1]),
        ] {
            hull.facets.push(Facet {
                corners,
                across,
                outside: Vec::new(),
                alive: true,
            });
        }
        hull.assign(0, 0..points.len() as u32);
        hull
    }

    /// Whether `p` lies strictly on the outer side of a counter-clockwise triangle.
    fn beyond(&self, corners: [u32; 3], p: u32) -> bool {
        let [a, b, c] = corners.map(|i| self.points[i as usize]);
        orient3d(a, b, c, self.points[p as usize]) < 0.0
    }

    /// Gives each point to a facet from `first` on that it is beyond; the others are inside.
    fn assign(&mut self, first: usize, points: impl Iterator<Item = u32>) {
        for p in points {
            let facet =
                (first..self.facets.len()).find(|&f| self.beyond(self.facets[f].corners, p));
            if let Some(f) = facet {
                self.facets[f].outside.push(p);
            }
        }
    }

    /// The point furthest beyond a facet (rounding only costs speed here).
    fn furthest(&self, facet: usize) -> u32 {
        let facet = &self.facets[facet];
        let [a, b, c] = facet.corners.map(|i| {
            let p = self.points[i as usize];
            Vector3::new(p.x, p.y, p.z)
        });
        let normal = (b - a).cross(&(c - a));
        let height = |&i: &u32| {
            let p = self.points[i as usize];
            (Vector3::new(p.x, p.y, p.z) - a).dot(&normal)
        };
        *facet
            .outside
            .iter()
            .max_by(|i, j| height(i).total_cmp(&height(j)))
            .expect("called on a facet with points beyond it")
    }

    /// Replaces the facets that `eye` is beyond by a cone from their border to `eye`.
    fn add(&mut self, start: u32, eye: u32) {
        // The seen facets and their border.
        let mut horizon = Vec::new();
        let mut orphans = Vec::new();
        self.facets[start as usize].alive = false;
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            orphans.append(&mut self.facets[at as usize].outside);
            let Facet {
                corners, across, ..
            } = self.facets[at as usize];
            for k in 0..3 {
                let next = across[k];
                if !self.facets[next as usize].alive {
                    continue;
                }
                if self.beyond(self.facets[next as usize].corners, eye) {
                    self.facets[next as usize].alive = false;
                    stack.push(next);
                } else {
                    let side = (0..3)
                        .find(|&s| self.facets[next as usize].corners[s] == corners[(k + 1) % 3])
                        .expect("neighbours share an edge");
                    horizon.push(HorizonEdge {
                        from: corners[k],
                        to: corners[(k + 1) % 3],
                        facet: next,
                        side,
                    });
                }
            }
        }

        // The cone; its facets are neighbours where one edge starts at the end of another.
        let first = self.facets.len() as u32;
        horizon.sort_unstable_by_key(|e| e.from);
        for (i, edge) in horizon.iter().enumerate() {
            let new = first + i as u32;
            let after = horizon
                .binary_search_by_key(&edge.to, |e| e.from)
                .expect("the border is a loop") as u32;
            self.facets[edge.facet as usize].across[edge.side] = new;
            self.facets.push(Facet {
                corners: [edge.from, edge.to, eye],
                across: [edge.facet, first + after, u32::MAX],
                outside: Vec::new(),
                alive: true,
            });
        }
        for i in 0..horizon.len() {
            let new = first + i as u32;
            let after = self.facets[new as usize].across[1];
            self.facets[after as usize].across[2] = new;
        }
        self.assign(first as usize, orphans.into_iter().filter(|&p| p != eye));
    }
}
