//! The gap of two bare point sets, with everything there is to know about it; checks its input.

use nalgebra::Vector3;
use thiserror::Error;

use super::{Feature, Gap, OptimalSet, Posed, Side, Status, gap, mean_direction, optimal_set};
use crate::{Pose, Vertices, distance};

/// Largest magnitude of a coordinate: differences must stay finite.
const LARGEST: f64 = 1e300;

/// Why a gap query was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GapError {
    /// A point set without points.
    #[error("point set {set} is empty: a body needs at least one point")]
    Empty {
        /// `a` or `b`.
        set: char,
    },
    /// A coordinate that is not a usable number.
    #[error("point {index} of set {set} is [{}, {}, {}]: coordinates must be finite and at most 1e300 in size", point[0], point[1], point[2])]
    Coordinate {
        /// `a` or `b`.
        set: char,
        /// Index of the point in its set.
        index: usize,
        /// The offending point.
        point: [f64; 3],
    },
    /// A planar query with points or a direction outside the plane z = 0.
    #[error("{what} has a z component: a planar query lives in z = 0")]
    NotPlanar {
        /// What leaves the plane.
        what: &'static str,
    },
    /// A direction that is none.
    #[error("beta is [{}, {}, {}]: the direction must be finite and not zero", beta[0], beta[1], beta[2])]
    Direction {
        /// The offending direction.
        beta: [f64; 3],
    },
    /// A half-space without a normal.
    #[error("half-space with normal [{}, {}, {}] and offset {offset}: the normal must be finite and not zero, the offset finite", normal.x, normal.y, normal.z)]
    HalfSpace {
        /// The offending normal.
        normal: Vector3<f64>,
        /// Its offset.
        offset: f64,
    },
}

/// Everything about the gap of two point sets: see [`gap_of_points`].
#[derive(Clone, Debug)]
pub struct PointGap {
    /// Bounded or not. If unbounded, only `beta` and `distance` mean something.
    pub status: Status,
    /// Signed gap along β; infinite if unbounded.
    pub gap: f64,
    /// Unit direction from b to a that was used.
    pub beta: Vector3<f64>,
    /// Shortest optimal α.
    pub alpha: Vector3<f64>,
    /// Symmetric weights of the points of a.
    pub weights_a: Vec<f64>,
    /// Symmetric weights of the points of b.
    pub weights_b: Vec<f64>,
    /// Contact point on a.
    pub point_a: Vector3<f64>,
    /// Contact point on b.
    pub point_b: Vector3<f64>,
    /// What touches on a and on b.
    pub features: [Feature; 2],
    /// Euclidean distance, or minus the penetration depth.
    pub distance: f64,
    /// The vertex of a and of b closest to the other body.
    pub closest: [u32; 2],
    /// The complete optimal set; lengths in its `contact` are in units of `scale`.
    pub set: Option<OptimalSet>,
    /// The power of two by which coordinates were divided for the computation.
    pub scale: f64,
}

/// The gap of the convex hulls of two point sets along `beta` (from b to a, any length), by default
/// from vertex mean to vertex mean (thesis (2.69)).
///
/// Points may repeat and need not be extreme. `planar` makes a query in the plane z = 0.
///
/// ```
/// use carom_gap::gap::{Status, gap_of_points};
/// use nalgebra::Vector3;
/// let triangle = [Vector3::zeros(), Vector3::x(), Vector3::y()];
/// let point = [Vector3::new(0.25, 0.25, 2.0)];
/// let g = gap_of_points(&point, &triangle, false, Some(Vector3::z())).unwrap();
/// assert_eq!(g.status, Status::Bounded);
/// assert_eq!(g.gap, 2.0);
/// assert_eq!(g.distance, 2.0);
/// ```
pub fn gap_of_points(
    a: &[Vector3<f64>],
    b: &[Vector3<f64>],
    planar: bool,
    beta: Option<Vector3<f64>>,
) -> Result<PointGap, GapError> {
    let mut largest = 0.0_f64;
    for (set, points) in [('a', a), ('b', b)] {
        if points.is_empty() {
            return Err(GapError::Empty { set });
        }
        for (index, p) in points.iter().enumerate() {
            if !p.iter().all(|c| c.abs() <= LARGEST) {
                return Err(GapError::Coordinate {
                    set,
                    index,
                    point: (*p).into(),
                });
            }
            if planar && p.z != 0.0 {
                return Err(GapError::NotPlanar { what: "a point" });
            }
            largest = largest.max(p.amax());
        }
    }

    // Coordinates of order one, by an exact power of two, and each set around its own centre.
    let scale = power_of_two(largest);
    let shrink =
        |points: &[Vector3<f64>]| points.iter().map(|p| divide(p, scale)).collect::<Vec<_>>();
    let (a, b) = (shrink(a), shrink(b));
    let beta = match beta {
        None => mean_direction(&a, &b, planar),
        Some(d) => unit(&d, planar)?,
    };
    let (vertices_a, pose_a) = centred(&a, planar);
    let (vertices_b, pose_b) = centred(&b, planar);
    let (posed_a, posed_b) = (
        Posed::new(&vertices_a, &pose_a),
        Posed::new(&vertices_b, &pose_b),
    );

    let solution = gap(posed_a, posed_b, beta, &mut None);
    let set = optimal_set(&solution, posed_a, posed_b);
    let start = solution.contact.alpha;
    let distance = distance(&vertices_a, &pose_a, &vertices_b, &pose_b, &start).value;
    Ok(assemble(solution, set, distance * scale, scale))
}

fn assemble(solution: Gap, set: Option<OptimalSet>, distance: f64, scale: f64) -> PointGap {
    let contact = set.as_ref().map_or(solution.contact, |s| s.contact);
    let weights = |k: usize| set.as_ref().map_or(Vec::new(), |s| s.weights[k].clone());
    PointGap {
        status: solution.status,
        gap: contact.gap * scale,
        beta: contact.beta,
        alpha: contact.alpha,
        weights_a: weights(0),
        weights_b: weights(1),
        point_a: contact.point_a * scale,
        point_b: contact.point_b * scale,
        features: set.as_ref().map_or(solution.features(), |s| s.features),
        distance,
        closest: [Side::A, Side::B].map(|side| solution.closest_vertex(side)),
        set,
        scale,
    }
}

/// The power of two just above `value`; one for zero.
fn power_of_two(value: f64) -> f64 {
    if value == 0.0 {
        return 1.0;
    }
    // Down to the smallest normal number; below that coordinates are zero for all purposes.
    value.log2().ceil().clamp(-1022.0, 1023.0).exp2()
}

/// p / scale, in two steps so that the reciprocal of a tiny scale does not overflow.
fn divide(p: &Vector3<f64>, scale: f64) -> Vector3<f64> {
    p.map(|c| c / scale)
}

/// `d` as a unit vector, whatever its size.
fn unit(d: &Vector3<f64>, planar: bool) -> Result<Vector3<f64>, GapError> {
    let size = d.amax();
    if size == 0.0 || !d.iter().all(|c| c.is_finite()) {
        return Err(GapError::Direction { beta: (*d).into() });
    }
    if planar && d.z != 0.0 {
        return Err(GapError::NotPlanar { what: "beta" });
    }
    Ok((d / size).normalize())
}

/// A point set around its mean, rounded to a thousandth of its size: coordinates with few digits
/// then stay exact.
fn centred(points: &[Vector3<f64>], planar: bool) -> (Vertices, Pose) {
    let mean = points.iter().sum::<Vector3<f64>>() / points.len() as f64;
    let size = points.iter().map(|p| (p - mean).amax()).fold(0.0, f64::max);
    let grid = power_of_two(size) / 1024.0;
    let centre = mean.map(|c| {
        let rounded = (c / grid).round() * grid;
        if size > 0.0 && rounded.is_finite() {
            rounded
        } else {
            c
        }
    });
    let local: Vec<_> = points.iter().map(|p| p - centre).collect();
    let vertices = if planar {
        Vertices::planar(&local)
    } else {
        Vertices::new(&local)
    };
    (vertices, Pose::translation(centre.x, centre.y, centre.z))
}
