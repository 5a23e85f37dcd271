//! All optimal solutions of the SSH LP, and the symmetric one among them (thesis 2.7.5).
//!
//! Face on face, many weights are optimal; vertex on vertex, many normals. Contact should then
//! follow the symmetry of the bodies: among the optimal weights the nonnegative ones of least norm,
//! among the optimal normals α the shortest. Aligned cubes get equal weights on the shared patch,
//! hence no torque.

use nalgebra::{Vector2, Vector3, Vector4};

use super::planar_region::{self, HalfPlane};
use super::query::Query;
use super::tableau::any_perpendicular;
use super::tiny_lp::Tableau;
use super::{Contact, Feature, Gap, Posed, Side, Status, weights};
use crate::Few;

/// A vertex this close to its supporting plane, in body sizes, counts as on it.
const ON_PLANE: f64 = 1e-12;
/// Weights and ranges above this count as positive.
const POSITIVE: f64 = 1e-9;

/// Every optimal solution of one query: see [`optimal_set`](optimal_set()).
#[derive(Clone, Debug)]
pub struct OptimalSet {
    /// Gap, shortest α and the contact points of the symmetric weights.
    pub contact: Contact,
    /// Weights of all vertices of a and of b: nonnegative, of least norm, each body's sum one.
    pub weights: [Vec<f64>; 2],
    /// Least and largest weight of every vertex over all optimal solutions.
    pub weight_ranges: [Vec<[f64; 2]>; 2],
    /// Vertices that carry weight in some optimal solution.
    pub active: [Vec<u32>; 2],
    /// Least and largest component of the optimal α (infinite where unbounded).
    pub alpha_range: [[f64; 2]; 3],
    /// What touches on each body: the dimension of its active vertices.
    pub features: [Feature; 2],
    /// Whether only one choice of weights is optimal.
    pub weights_unique: bool,
    /// Whether only one α is optimal.
    pub alpha_unique: bool,
}

/// The complete optimal set around a bounded solution of [`gap`](super::gap()) of the same bodies at
/// the same poses; `None` if it was unbounded.
///
/// ```
/// use carom_gap::{Pose, Vertices, gap::{Posed, gap, optimal_set}};
/// use nalgebra::Vector3;
/// let square = Vertices::planar(&[
///     Vector3::new(0.0, 0.0, 0.0), Vector3::new(1.0, 0.0, 0.0),
///     Vector3::new(1.0, 1.0, 0.0), Vector3::new(0.0, 1.0, 0.0),
/// ]);
/// let (pose_a, pose_b) = (Pose::translation(0.0, 1.25, 0.0), Pose::identity());
/// let (a, b) = (Posed::new(&square, &pose_a), Posed::new(&square, &pose_b));
/// let set = optimal_set(&gap(a, b, Vector3::y(), &mut None), a, b).unwrap();
/// assert_eq!(set.weights[0], [0.5, 0.5, 0.0, 0.0]);
/// assert!(!set.weights_unique && set.alpha_unique);
/// ```
pub fn optimal_set(gap: &Gap, a: Posed, b: Posed) -> Option<OptimalSet> {
    if gap.status == Status::Unbounded {
        return None;
    }
    let query = Query::new(a, b, gap.contact.beta);
    let frame = Frame::new(&query, gap);
    let (candidates, columns, all) = frame.symmetric_weights(a, b);
    let b_row = SUMS;

    let mut ranges = [0, 1].map(|k: usize| all[k].iter().map(|w| [*w, *w]).collect::<Vec<_>>());
    if let Some(mut tableau) = Tableau::feasible(&columns, &b_row) {
        for (j, &(side, i)) in candidates.iter().enumerate() {
            let [least, most] = tableau.range(j);
            let w = all[side as usize][i];
            ranges[side as usize][i] = [least.min(w), most.max(w)];
        }
    }
    let active = [0, 1].map(|k: usize| {
        (0..all[k].len() as u32)
            .filter(|&i| ranges[k][i as usize][1] > POSITIVE)
            .collect::<Few<_>>()
    });
    let weights_unique = ranges
        .iter()
        .flatten()
        .all(|[least, most]| most - least <= POSITIVE);

    let normals = frame.optimal_normals(&active);
    Some(OptimalSet {
        contact: frame.contact(a, b, &all, normals.shortest),
        features: [0, 1].map(|k: usize| feature(query.vertices[k].points(), &active[k])),
        weights: all.map(Few::into_vec),
        weight_ranges: ranges,
        active: active.map(Few::into_vec),
        alpha_range: normals.range,
        weights_unique,
        alpha_unique: normals.unique,
    })
}

/// The symmetric solution alone: contact with the shortest α and the least weights, and what touches
/// on each body. The same choice as [`optimal_set`](optimal_set()), without the ranges; `None` if
/// the solution was unbounded.
pub fn symmetric_contact(gap: &Gap, a: Posed, b: Posed) -> Option<(Contact, [Feature; 2])> {
    if gap.status == Status::Unbounded {
        return None;
    }
    let query = Query::new(a, b, gap.contact.beta);
    let frame = Frame::new(&query, gap);
    let (_, _, all) = frame.symmetric_weights(a, b);
    let active = [0, 1].map(|k: usize| {
        let carry = |i: &u32| all[k][*i as usize] > POSITIVE;
        (0..all[k].len() as u32).filter(carry).collect::<Few<_>>()
    });
    if active.iter().any(|a| a.is_empty()) {
        return Some((gap.contact, gap.features()));
    }
    let normals = frame.optimal_normals(&active);
    Some((
        frame.contact(a, b, &all, normals.shortest),
        [0, 1].map(|k: usize| feature(query.vertices[k].points(), &active[k])),
    ))
}

/// Right-hand side of the dual program: no offset across β, weights of each body sum to one.
const SUMS: Vector4<f64> = Vector4::new(0.0, 0.0, 1.0, 1.0);

/// Vertices an optimal solution may use, their columns, and weights of all vertices.
type Weights = (Few<(Side, usize)>, Few<Vector4<f64>>, [Few<f64>; 2]);

/// Coordinates around the contact point, across β.
struct Frame<'a> {
    query: &'a Query<'a>,
    gap: &'a Gap,
    across: [Vector3<f64>; 2],
    /// Contact points relative to the origin of b.
    points: [Vector3<f64>; 2],
    size: f64,
    on_plane: f64,
}

/// The optimal α.
struct Normals {
    shortest: Vector3<f64>,
    range: [[f64; 2]; 3],
    unique: bool,
}

impl<'a> Frame<'a> {
    fn new(query: &'a Query<'a>, gap: &'a Gap) -> Self {
        let beta = &query.beta;
        let e1 = if query.planar {
            Vector3::new(-beta.y, beta.x, 0.0)
        } else {
            any_perpendicular(beta)
        };
        let c = &gap.contact;
        let size = query
            .vertices
            .iter()
            .map(|v| v.radius())
            .fold(0.0, f64::max);
        Self {
            query,
            gap,
            across: [e1, beta.cross(&e1)],
            points: [
                query.poses[0].vector(&c.local_a) + query.offset,
                query.poses[1].vector(&c.local_b),
            ],
            size: if size > 0.0 { size } else { 1.0 },
            on_plane: ON_PLANE * c.alpha.norm() * query.reach(),
        }
    }

    /// Nonnegative weights of least norm.
    fn symmetric_weights(&self, a: Posed, b: Posed) -> Weights {
        // Vertices on the supporting planes: the only ones an optimal solution can use.
        let mut candidates: Few<(Side, usize)> = Few::new();
        for side in [Side::A, Side::B] {
            let count = self.query.vertices[side as usize].len();
            candidates.extend(
                (0..count)
                    .filter(|&i| self.slack(side, i) <= self.on_plane)
                    .map(|i| (side, i)),
            );
        }
        let columns: Few<Vector4<f64>> = candidates
            .iter()
            .map(|&(side, i)| self.column(side, i))
            .collect();
        let mut all = [a.vertices.len(), b.vertices.len()].map(|n| Few::from_elem(0.0, n));
        match weights::least_norm(&columns, &SUMS) {
            Some(z) => candidates
                .iter()
                .zip(z)
                .for_each(|(&(side, i), z)| all[side as usize][i] = z),
            None => self
                .gap
                .carriers()
                .for_each(|c| all[c.side as usize][c.index as usize] = c.weight),
        }
        for w in &mut all {
            let sum: f64 = w.iter().sum();
            w.iter_mut().for_each(|w| *w /= sum);
        }
        (candidates, columns, all)
    }

    /// The contact of given weights and α.
    fn contact(&self, a: Posed, b: Posed, all: &[Few<f64>; 2], alpha: Vector3<f64>) -> Contact {
        let local = [0, 1].map(|k: usize| {
            all[k]
                .iter()
                .zip(self.query.vertices[k].points())
                .fold(Vector3::zeros(), |sum, (w, v)| sum + v * *w)
        });
        Contact {
            alpha,
            point_a: a.pose.point(&local[0]),
            point_b: b.pose.point(&local[1]),
            local_a: local[0],
            local_b: local[1],
            ..self.gap.contact
        }
    }

    /// How far vertex `i` lies off its supporting plane.
    fn slack(&self, side: Side, i: usize) -> f64 {
        let base = self.gap.basis.base[side as usize];
        let d = self.query.poses[side as usize].direction_to_body(&self.gap.contact.alpha);
        let off = (self.query.local(side, i as u32) - self.query.local(side, base)).dot(&d);
        if side == Side::A { off } else { -off }
    }

    /// Column of the dual program: coordinates across β in body sizes, and the body it belongs to.
    fn column(&self, side: Side, i: usize) -> Vector4<f64> {
        let d = (self.query.place(side, i) - self.points[side as usize]) / self.size;
        let (u, v) = (d.dot(&self.across[0]), d.dot(&self.across[1]));
        match side {
            Side::A => Vector4::new(u, v, 1.0, 0.0),
            Side::B => Vector4::new(-u, -v, 0.0, 1.0),
        }
    }

    /// All optimal α, given the active vertices (which lie on the planes of every optimal α).
    fn optimal_normals(&self, active: &[Few<u32>; 2]) -> Normals {
        let alpha = self.gap.contact.alpha;
        let point = Normals {
            shortest: alpha,
            range: [0, 1, 2].map(|k: usize| [alpha[k]; 2]),
            unique: true,
        };
        let flat = |v: &Vector3<f64>| Vector2::new(v.dot(&self.across[0]), v.dot(&self.across[1]));

        // Directions in which α cannot turn: along active edges, and out of the plane in 2D.
        let mut fixed: Few<Vector2<f64>> = Few::new();
        if self.query.planar {
            fixed.push(Vector2::new(0.0, 1.0));
        }
        for side in [Side::A, Side::B] {
            let list = &active[side as usize];
            let first = self.query.place(side, list[0] as usize);
            for &i in &list[1..] {
                let d = flat(&(self.query.place(side, i as usize) - first)) / self.size;
                if d.norm() > POSITIVE {
                    fixed.push(d.normalize());
                }
            }
        }
        let Some(longest) = fixed.first().copied() else {
            return self.region(&self.half_planes(active));
        };
        if fixed.iter().any(|d| d.perp(&longest).abs() > POSITIVE) {
            return point;
        }

        // One direction is left.
        let t = Vector2::new(-longest.y, longest.x);
        let [low, high] = planar_region::interval(&self.half_planes(active), &t);
        let turn = self.across[0] * t.x + self.across[1] * t.y;
        let best = (-alpha.dot(&turn)).clamp(low.min(0.0), high.max(0.0));
        self.normals(&[low, high].map(|k| turn * k), &(turn * best), high - low)
    }

    /// Slack of every vertex that is not active, as a function of the turn of α.
    fn half_planes(&self, active: &[Few<u32>; 2]) -> Few<HalfPlane> {
        let mut out = Few::new();
        for side in [Side::A, Side::B] {
            let k = side as usize;
            let base = self.query.place(side, active[k][0] as usize);
            let sign = if side == Side::A { 1.0 } else { -1.0 };
            for i in 0..self.query.vertices[k].len() {
                let d = (self.query.place(side, i) - base) * sign;
                let normal = Vector2::new(d.dot(&self.across[0]), d.dot(&self.across[1]));
                if !active[k].contains(&(i as u32)) && normal.norm() > ON_PLANE * self.size {
                    let slack = d.dot(&self.gap.contact.alpha).max(0.0);
                    out.push(HalfPlane { slack, normal });
                }
            }
        }
        out
    }

    /// Vertex on vertex: a polygon of normals.
    fn region(&self, half_planes: &[HalfPlane]) -> Normals {
        let alpha = self.gap.contact.alpha;
        let corners = planar_region::corners(half_planes);
        let target = -Vector2::new(alpha.dot(&self.across[0]), alpha.dot(&self.across[1]));
        let lift = |d: &Vector2<f64>| self.across[0] * d.x + self.across[1] * d.y;
        let nearest = lift(&planar_region::nearest(&corners, &target));
        let turns: Few<_> = corners.iter().map(lift).collect();
        let extent = turns.iter().map(|t| t.norm()).fold(0.0, f64::max);
        self.normals(&turns, &nearest, extent)
    }

    /// Collects α over the given turns.
    fn normals(&self, turns: &[Vector3<f64>], best: &Vector3<f64>, extent: f64) -> Normals {
        let alpha = self.gap.contact.alpha;
        let mut range = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
        for turn in turns {
            for k in 0..3 {
                let value = match turn[k] {
                    t if planar_region::is_far(t) => t.signum() * f64::INFINITY,
                    t if t.is_nan() => alpha[k],
                    t => alpha[k] + t,
                };
                range[k] = [range[k][0].min(value), range[k][1].max(value)];
            }
        }
        Normals {
            shortest: alpha + best,
            range,
            unique: extent <= POSITIVE,
        }
    }
}

/// The dimension spanned by some vertices: vertex, edge or face.
fn feature(points: &[Vector3<f64>], active: &[u32]) -> Feature {
    let Some(&first) = active.first() else {
        return Feature::Vertex;
    };
    let base = points[first as usize];
    let differences = || active.iter().map(|&i| points[i as usize] - base);
    let far = differences().fold(Vector3::zeros(), |far: Vector3<f64>, d| {
        if d.norm_squared() > far.norm_squared() {
            d
        } else {
            far
        }
    });
    let size = far.norm_squared();
    if size <= 0.0 || size.is_nan() {
        return Feature::Vertex;
    }
    match differences().any(|d| d.cross(&far).norm() > 1e-7 * size) {
        true => Feature::Face,
        false => Feature::Edge,
    }
}
