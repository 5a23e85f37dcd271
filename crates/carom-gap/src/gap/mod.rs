//! The signed gap of two convex bodies as a linear program (the SSH LP, thesis (2.29)).
//!
//! ```text
//! gap = max a₁ − a₂   s.t.  ⟨α,x⟩ ≥ a₁ on A,  ⟨α,y⟩ ≤ a₂ on B,  ⟨β,α⟩ = 1
//!     = min t          s.t.  t β ∈ A − B
//! ```
//!
//! Positive when separated, zero at touching, negative when overlapping: a distance along the
//! direction β (from b to a), not the Euclidean one (that is [`distance`](crate::distance)). The
//! program is unbounded when the line along β misses A − B, which means separated; with β through
//! interior points of both bodies that cannot happen.
//!
//! | call | gives |
//! | --- | --- |
//! | [`gap`] | one optimal solution, fast, warm started |
//! | [`room`] | how far they are apart at least, faster |
//! | [`optimal_set`](optimal_set()) | all optimal solutions: active vertices, ranges, the symmetric choice |
//! | [`Contact::gradient`], [`Contact::wrenches`] | derivative by the poses, q ∈ R¹² or force and torque |
//! | [`vertex_gradient`] | subgradient by the vertices |
//! | [`HalfSpace`] | the same for floors and walls |
//! | [`gap_of_points`] | all of it for two bare point sets |

mod direction;
mod gradient;
mod half_space;
mod optimal_set;
mod planar_region;
mod points;
mod query;
mod simplex;
mod tableau;
mod tiny_lp;
mod weights;

use std::fmt;

use nalgebra::Vector3;

use crate::{Pose, Vertices};
pub use direction::{centre_direction, mean_direction};
pub use gradient::{BetaRule, Contact, Wrench, vertex_gradient};
pub use half_space::{HalfSpace, HalfSpaceGap};
pub use optimal_set::{OptimalSet, optimal_set, symmetric_contact};
pub use points::{GapError, PointGap, gap_of_points};
use query::Query;
pub use query::Side;
pub use tableau::Basis;
use tableau::Kind;

/// A convex body at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    /// Its vertices in the body frame.
    pub vertices: &'a Vertices,
    /// Where the body frame is.
    pub pose: &'a Pose,
}

impl<'a> Posed<'a> {
    /// `vertices` at `pose`.
    #[inline]
    pub fn new(vertices: &'a Vertices, pose: &'a Pose) -> Self {
        Self { vertices, pose }
    }
}

/// How the linear program ended. Both are answers, not errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The line along β meets A − B: the gap is finite.
    Bounded,
    /// The line misses A − B: the bodies are separated, whatever their distance along β.
    Unbounded,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Bounded => "bounded",
            Status::Unbounded => "unbounded",
        })
    }
}

/// The part of a body that carries a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A single vertex.
    Vertex,
    /// An edge.
    Edge,
    /// A face.
    Face,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Vertex => "vertex",
            Feature::Edge => "edge",
            Feature::Face => "face",
        })
    }
}

/// A vertex that carries an optimal solution, with its weight (dual variable).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carrier {
    /// The body it belongs to.
    pub side: Side,
    /// Its index in the body's [`Vertices`].
    pub index: u32,
    /// Its weight: nonnegative, the weights of one body sum to one.
    pub weight: f64,
}

/// One optimal solution of the SSH LP: see [`gap`].
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Bounded or not.
    pub status: Status,
    /// Gap, α, β and contact points. If unbounded, the gap is infinite, α a separating direction
    /// perpendicular to β, and the points are of no meaning.
    pub contact: Contact,
    /// The vertices that carry the solution: the warm start of the next query.
    pub basis: Basis,
    /// Simplex pivots made.
    pub pivots: u32,
    weights: [f64; 4],
}

/// The signed gap of two posed convex bodies along the unit direction `beta` (from b to a).
///
/// `warm` holds the basis of the last query of this pair, or `None`; it is updated. In coherent
/// motion a warm query costs one support query of each body and rarely a pivot. Nothing is
/// allocated. Two planar sets make a two-dimensional query (`beta` in the plane).
///
/// `beta` must be a finite unit vector and the poses finite; otherwise the answer means nothing
/// (it still comes back). [`gap_of_points`] checks its input.
///
/// ```
/// use carom_gap::{Pose, Vertices, gap::{Posed, gap}};
/// use nalgebra::Vector3;
/// let cube: Vec<_> = (0..8)
///     .map(|i| Vector3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64))
///     .collect();
/// let cube = Vertices::new(&cube);
/// let (a, b) = (Pose::translation(0.0, 0.2, 1.5), Pose::identity());
/// let mut warm = None;
/// let g = gap(Posed::new(&cube, &a), Posed::new(&cube, &b), Vector3::z(), &mut warm);
/// assert_eq!(g.contact.gap, 0.5);
/// ```
#[inline]
pub fn gap(a: Posed, b: Posed, beta: Vector3<f64>, warm: &mut Option<Basis>) -> Gap {
    let query = Query::new(a, b, beta);
    let s = query.solve(warm.as_ref());
    *warm = Some(s.basis);
    // Contact points: weighted vertices, in the body frames and in the world.
    let mut local = [
        query.local(Side::A, s.basis.base[0]) * s.weights[0],
        query.local(Side::B, s.basis.base[1]) * s.weights[1],
    ];
    for k in 0..2 {
        match s.basis.kind[k] {
            Kind::A => local[0] += query.local(Side::A, s.basis.extra[k]) * s.weights[2 + k],
            Kind::B => local[1] += query.local(Side::B, s.basis.extra[k]) * s.weights[2 + k],
            Kind::Free => {}
        }
    }
    Gap {
        status: s.status,
        contact: Contact {
            gap: s.gap,
            beta,
            alpha: s.alpha,
            point_a: a.pose.point(&local[0]),
            point_b: b.pose.point(&local[1]),
            local_a: local[0],
            local_b: local[1],
        },
        basis: s.basis,
        pivots: s.pivots,
        weights: s.weights,
    }
}

/// How far two posed bodies are apart at least: the room between them across the plane of a basis, that of
/// an earlier query, and the unit normal of the plane, towards the first. Not positive where this plane does not
/// separate them; none if the basis has no plane here.
///
/// ```
/// use carom_gap::{Pose, Vertices, gap::{Posed, gap, room}};
/// use nalgebra::Vector3;
/// let rod = Vertices::new(&[Vector3::zeros(), Vector3::z()]);
/// let (a, b) = (Pose::translation(0.0, 0.0, 1.5), Pose::identity());
/// let mut warm = None;
/// gap(Posed::new(&rod, &a), Posed::new(&rod, &b), Vector3::z(), &mut warm);
/// let further = Pose::translation(0.0, 0.0, 1.75);
/// let (x, y) = (Posed::new(&rod, &further), Posed::new(&rod, &b));
/// let (width, normal) = room(x, y, Vector3::z(), &warm.unwrap()).unwrap();
/// assert_eq!(width, 0.75);
/// assert_eq!(normal, Vector3::z());
/// ```
#[inline]
pub fn room(a: Posed, b: Posed, beta: Vector3<f64>, basis: &Basis) -> Option<(f64, Vector3<f64>)> {
    Query::new(a, b, beta).room(basis)
}

impl Gap {
    /// The vertices that carry this solution, with positive weights.
    pub fn carriers(&self) -> impl Iterator<Item = Carrier> + '_ {
        let b = &self.basis;
        let slots = [
            (Kind::A, b.base[0]),
            (Kind::B, b.base[1]),
            (b.kind[0], b.extra[0]),
            (b.kind[1], b.extra[1]),
        ];
        slots
            .into_iter()
            .zip(self.weights)
            .filter_map(|((kind, index), weight)| {
                let side = match kind {
                    Kind::A => Side::A,
                    Kind::B => Side::B,
                    Kind::Free => return None,
                };
                (weight > 0.0).then_some(Carrier {
                    side,
                    index,
                    weight,
                })
            })
    }

    /// The vertices of the basis, those of weight zero included. As long as the basis stays, the gap
    /// is the smooth function of these vertices in which they span two parallel planes.
    pub fn spanning(&self) -> impl Iterator<Item = (Side, u32)> + '_ {
        let b = &self.basis;
        let extra = b.kind.iter().zip(b.extra).filter_map(|(kind, index)| {
            let side = match kind {
                Kind::A => Side::A,
                Kind::B => Side::B,
                Kind::Free => return None,
            };
            Some((side, index))
        });
        [(Side::A, b.base[0]), (Side::B, b.base[1])]
            .into_iter()
            .chain(extra)
    }

    /// What touches on each body, by the number of vertices that carry this solution.
    ///
    /// In degenerate cases (face on face) the complete [`OptimalSet`] tells more.
    pub fn features(&self) -> [Feature; 2] {
        [Side::A, Side::B].map(
            |side| match self.carriers().filter(|c| c.side == side).count() {
                0 | 1 => Feature::Vertex,
                2 => Feature::Edge,
                _ => Feature::Face,
            },
        )
    }

    /// The vertex of a body that is closest to the other: the one of largest weight (thesis 2.8.1).
    pub fn closest_vertex(&self, side: Side) -> u32 {
        self.carriers()
            .filter(|c| c.side == side)
            .max_by(|a, b| a.weight.total_cmp(&b.weight))
            .map_or(self.basis.base[side as usize], |c| c.index)
    }
}
