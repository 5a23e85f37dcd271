//! Euclidean distance and penetration depth of two posed convex bodies.
//!
//! Both are questions about where the origin lies relative to A − B (thesis 2.7, the QCLP):
//! outside, the distance is the norm of the closest point of A − B; inside, the depth is the
//! smallest distance from the origin to a facet. In either case
//! `point_a − point_b = value · normal`.
//!
//! - *Apart*: Gilbert, Johnson and Keerthi's active-set method ([`simplex`]). The search direction
//!   is made orthogonal to the current feature, so that the lower bound it yields is good to
//!   round-off even for bodies that almost touch, and the method stops when upper and lower bound
//!   agree.
//! - *Overlapping*, and the rare case where round-off keeps the bounds apart: a polytope inside
//!   A − B grows towards the facet nearest to the origin (expanding polytope). Vertices of A − B
//!   are rounded to a grid of 2⁻⁵³ of the bodies' size and all decisions about the polytope are
//!   made in integers ([`hull`] in space, [`polygon`] in the plane), so its topology cannot break,
//!   every step adds a new vertex, and the value is good to the grid.
//!
//! Everything is done relative to body b and scaled by a power of two to size one. Two planar sets
//! meet in the plane. Where A − B is flat and holds the origin, the value is 0 and the normal is
//! perpendicular to it.

mod grid;
mod hull;
mod polygon;
pub(crate) mod simplex;

use crate::{Pose, Vertices};
use nalgebra::Vector3;
use simplex::{Simplex, Vertex};

/// Bodies closer than this, relative to their size, are left to the exact part.
const TOUCH: f64 = 4.0 * f64::EPSILON;
/// Upper and lower bound of a distance agree.
const AGREE: f64 = 4.0 * f64::EPSILON;
/// Steps of the active-set method, more than any body needs that is not handled exactly anyway.
const MAX_STEPS: usize = 256;

/// How far apart two bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Euclidean gap, or minus the penetration depth.
    pub value: f64,
    /// Unit vector from b to a: moving a along it separates the bodies.
    pub normal: Vector3<f64>,
    /// Witness point on a (inertial frame).
    pub point_a: Vector3<f64>,
    /// Witness point on b: `point_a − value · normal` to round-off.
    pub point_b: Vector3<f64>,
}

/// Distance (positive) or penetration depth (negative) of two posed bodies, to round-off.
///
/// `start` is a first guess of the separating direction from b to a, such as α of the SSH LP; it
/// changes the time needed, and the choice where several answers are equally good.
///
/// ```
/// use carom_gap::{Pose, Vertices, distance};
/// use nalgebra::Vector3;
/// let corners: Vec<_> = (0..8)
///     .map(|i| Vector3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64))
///     .collect();
/// let cube = Vertices::new(&corners);
/// let apart = distance(
///     &cube, &Pose::translation(4.0, 5.0, 0.5),
///     &cube, &Pose::identity(),
///     &Vector3::x(),
/// );
/// assert_eq!(apart.value, 5.0);
/// assert_eq!(apart.normal, Vector3::new(0.6, 0.8, 0.0));
/// let overlapping = distance(
///     &cube, &Pose::translation(0.75, 0.5, 0.5),
///     &cube, &Pose::identity(),
///     &Vector3::x(),
/// );
/// assert_eq!(overlapping.value, -0.25);
/// assert_eq!(overlapping.normal, Vector3::x());
/// ```
pub fn distance(
    a: &Vertices,
    pose_a: &Pose,
    b: &Vertices,
    pose_b: &Pose,
    start: &Vector3<f64>,
) -> Distance {
    let difference = Difference::new(a, pose_a, b, pose_b);
    let start = difference.guess(start);
    let (verdict, found) = separate(&difference, &start);
    let found = match verdict {
        Verdict::Apart => found,
        Verdict::Meet | Verdict::Unsure => {
            let exact = if difference.planar {
                polygon::expand(&difference, &found.simplex)
            } else {
                hull::expand(&difference, &found.simplex)
            };
            match (exact, verdict) {
                (Ok(exact), _) => exact,
                // A − B is flat.
                (Err(flat), Verdict::Meet) => Found {
                    value: 0.0,
                    normal: flat.perpendicular(&start, difference.planar),
                    simplex: found.simplex,
                },
                (Err(_), _) => found,
            }
        }
    };
    let (point_a, point_b) = difference.witnesses(&found.simplex);
    Distance {
        value: found.value / difference.scale,
        normal: found.normal,
        point_a,
        point_b,
    }
}

/// An answer in the scaled frame: the value, the normal, and the vertices of A − B with the
/// weights that give the witness points.
struct Found {
    value: f64,
    normal: Vector3<f64>,
    simplex: Simplex,
}

/// The directions a flat A − B lacks.
enum Flat {
    /// A − B is a point.
    Point,
    /// A − B is a segment along this vector.
    Line(Vector3<f64>),
    /// A − B lies in the plane with this normal.
    Plane(Vector3<f64>),
}

impl Flat {
    /// A unit vector perpendicular to the flat set, on the side of `start`.
    fn perpendicular(&self, start: &Vector3<f64>, planar: bool) -> Vector3<f64> {
        let normal = match self {
            Flat::Point => return *start,
            Flat::Line(e) if planar => Vector3::new(e.y, -e.x, 0.0),
            Flat::Line(e) => {
                let n = start - e * (start.dot(e) / e.norm_squared());
                if n.norm_squared() > 1e-6 {
                    n
                } else {
                    e.cross(&Vector3::ith(e.iamin(), 1.0))
                }
            }
            Flat::Plane(n) => *n,
        };
        let normal = if normal.dot(start) < 0.0 {
            -normal
        } else {
            normal
        };
        // Twice: the first result may be far from orthogonal where start is almost along the line.
        match self {
            Flat::Line(e) => (normal - e * (normal.dot(e) / e.norm_squared())).normalize(),
            _ => normal.normalize(),
        }
    }
}

/// A − B as a support function, scaled to size one, relative to the position of b.
struct Difference<'a> {
    a: &'a Vertices,
    b: &'a Vertices,
    pose_a: &'a Pose,
    pose_b: &'a Pose,
    /// φ_a − φ_b, scaled.
    offset: Vector3<f64>,
    /// A power of two.
    scale: f64,
    planar: bool,
}

impl<'a> Difference<'a> {
    fn new(a: &'a Vertices, pose_a: &'a Pose, b: &'a Vertices, pose_b: &'a Pose) -> Self {
        // Halves, because the difference of two finite numbers need not be finite.
        let half = pose_a.position * 0.5 - pose_b.position * 0.5;
        let half_size = half.amax().max(0.5 * size(a)).max(0.5 * size(b));
        let scale = 0.5 * inverse_power_of_two(half_size);
        Self {
            a,
            b,
            pose_a,
            pose_b,
            offset: half * scale * 2.0,
            scale,
            planar: a.is_planar() && b.is_planar(),
        }
    }

    /// The unit vector along `start`, or a direction from b to a where `start` is no direction.
    fn guess(&self, start: &Vector3<f64>) -> Vector3<f64> {
        let flatten = |d: Vector3<f64>| {
            if self.planar {
                Vector3::new(d.x, d.y, 0.0)
            } else {
                d
            }
        };
        let start = flatten(*start);
        let largest = start.amax();
        if largest > 0.0 && start.iter().all(|c| c.is_finite()) {
            return (start / largest).normalize();
        }
        // Between the first vertices: any direction will do.
        let between = flatten(self.vertex(0, 0).point);
        if between.norm_squared() > 1e-12 {
            between.normalize()
        } else {
            Vector3::x()
        }
    }

    /// The difference of vertex `i` of a and vertex `j` of b.
    fn vertex(&self, i: usize, j: usize) -> Vertex {
        let x = self.pose_a.vector(&(self.a.points()[i] * self.scale));
        let y = self.pose_b.vector(&(self.b.points()[j] * self.scale));
        let mut point = x - y + self.offset;
        if self.planar {
            point.z = 0.0;
        }
        Vertex { point, a: i, b: j }
    }

    /// The vertex of A − B furthest along the unit vector `d`; `near` is where to start looking.
    fn support(&self, d: &Vector3<f64>, near: &Vertex) -> Vertex {
        let d = d * self.scale;
        let (i, _) = (self.a).support(&self.pose_a.direction_to_body(&d), near.a);
        let (j, _) = (self.b).support(&-self.pose_b.direction_to_body(&d), near.b);
        self.vertex(i, j)
    }

    /// The points of a and b with the simplex's weights, in the inertial frame.
    fn witnesses(&self, simplex: &Simplex) -> (Vector3<f64>, Vector3<f64>) {
        let (mut x, mut y) = (Vector3::zeros(), Vector3::zeros());
        for (vertex, weight) in simplex.iter() {
            x += self.a.points()[vertex.a] * weight;
            y += self.b.points()[vertex.b] * weight;
        }
        (self.pose_a.point(&x), self.pose_b.point(&y))
    }
}

/// A bound on the coordinates of a body, within a small factor.
fn size(body: &Vertices) -> f64 {
    let size = body.mean().amax() + body.radius();
    if size > 1e-120 && size < 1e120 {
        size
    } else {
        // The squares in `radius` may have over- or underflowed.
        body.points().iter().map(|p| p.amax()).fold(0.0, f64::max)
    }
}

/// 2⁻ᵉ with 2ᵉ⁻¹ ≤ x < 2ᵉ, where that is a number.
fn inverse_power_of_two(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let e = ((x.to_bits() >> 52) & 0x7ff) as i64 - 1022;
    match -e {
        e if e > 1023 => f64::from_bits(2046 << 52),
        e if e >= -1022 => f64::from_bits(((e + 1023) as u64) << 52),
        e => f64::from_bits(1 << (e + 1074)),
    }
}

enum Verdict {
    /// Upper and lower bound of the distance agree.
    Apart,
    /// The origin is in A − B, or within round-off of it.
    Meet,
    /// Round-off stops the search before the bounds agree.
    Unsure,
}

/// The closest point of A − B to the origin by Gilbert, Johnson and Keerthi's method.
fn separate(difference: &Difference, start: &Vector3<f64>) -> (Verdict, Found) {
    let near = Vertex::default();
    let mut simplex = Simplex::new(difference.support(&-start, &near));
    let mut v = simplex.reduce();
    let mut found = Found {
        value: 0.0,
        normal: *start,
        simplex,
    };
    for _ in 0..MAX_STEPS {
        if simplex.is_full() || v.norm() <= TOUCH {
            found.simplex = simplex;
            return (Verdict::Meet, found);
        }
        // Upper bound: the plane through the current feature.
        let normal = simplex.normal(&v);
        let value = simplex.along(&normal);
        found = Found {
            value,
            normal,
            simplex,
        };
        if value <= TOUCH {
            return (Verdict::Meet, found);
        }
        // Lower bound: the vertex of A − B furthest towards the origin.
        let w = difference.support(&-normal, simplex.last());
        if value - normal.dot(&w.point) <= AGREE {
            return (Verdict::Apart, found);
        }
        if !simplex.push(w) {
            return (Verdict::Unsure, found);
        }
        let closer = simplex.reduce();
        if closer.norm_squared() < v.norm_squared() {
            v = closer;
        } else {
            return (Verdict::Unsure, found);
        }
    }
    (Verdict::Unsure, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(round: i32, flat: bool) -> Vec<Vector3<f64>> {
        let point = |i: i32| {
            let t = f64::from(round * 31 + i * 7);
            let z = if flat { 0.0 } else { (1.3 * t).sin() };
            Vector3::new((2.1 * t).sin(), (1.7 * t).cos(), z)
        };
        (0..9).map(point).collect()
    }

    /// The exact part must also stand alone, for what the active-set method gives up on.
    #[test]
    fn expansion_finds_distances_too() {
        for round in 0..200 {
            let pose = Pose::planar(1.6 + 0.01 * f64::from(round), 1.5, 0.3 * f64::from(round));
            let origin = Pose::identity();
            for planar in [false, true] {
                let [a, b] = [round, 999 - round].map(|r| body(r, planar));
                let new = if planar {
                    Vertices::planar
                } else {
                    Vertices::new
                };
                let (a, b) = (new(&a), new(&b));
                let difference = Difference::new(&a, &pose, &b, &origin);
                let start = difference.guess(&Vector3::y());
                let (verdict, found) = separate(&difference, &start);
                if !matches!(verdict, Verdict::Apart) {
                    continue;
                }
                let seed = Simplex::new(difference.vertex(0, 0));
                let expand = if planar {
                    polygon::expand
                } else {
                    hull::expand
                };
                let Ok(exact) = expand(&difference, &seed) else {
                    panic!("not flat");
                };
                assert!((exact.value - found.value).abs() <= 2.0 * AGREE, "{round}");
                assert!((exact.normal - found.normal).norm() < 1e-13, "{round}");
            }
        }
    }

    #[test]
    fn scales_are_powers_of_two() {
        for x in [5e-324, 1e-310, 1e-300, 0.1, 0.5, 1.0, 3.0, 1e300, f64::MAX] {
            let scaled = x * inverse_power_of_two(x);
            assert!((0.5..1.0).contains(&scaled) || x < 2e-308, "{x} {scaled}");
            assert!(scaled > 0.0 && scaled < 1.0);
        }
        assert_eq!(inverse_power_of_two(0.0), 1.0);
    }
}
