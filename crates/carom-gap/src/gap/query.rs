//! A query of the SSH LP: placing vertices, and pricing by the support functions of the bodies.

use nalgebra::Vector3;

use super::Posed;
use super::tableau::Tableau;
use crate::{Pose, Vertices};

/// A violation of the supporting planes below this many units of round-off is accepted.
const PLANE_TOLERANCE: f64 = 8.0 * f64::EPSILON;

/// One of the two bodies of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first body, to which β points.
    A = 0,
    /// The second body.
    B = 1,
}

/// The line cast in world axes, with both bodies relative to the origin of b.
pub(super) struct Query<'a> {
    pub vertices: [&'a Vertices; 2],
    pub poses: [&'a Pose; 2],
    pub beta: Vector3<f64>,
    pub planar: bool,
    /// φ_a − φ_b.
    pub offset: Vector3<f64>,
    /// Size of round-off in ⟨α, x⟩ per unit of |α|₁.
    pub noise: f64,
}

impl<'a> Query<'a> {
    #[inline]
    pub fn new(a: Posed<'a>, b: Posed<'a>, beta: Vector3<f64>) -> Self {
        Self {
            vertices: [a.vertices, b.vertices],
            poses: [a.pose, b.pose],
            beta,
            planar: a.vertices.is_planar() && b.vertices.is_planar(),
            offset: a.pose.position - b.pose.position,
            noise: PLANE_TOLERANCE * (a.vertices.reach() + b.vertices.reach()),
        }
    }

    /// Vertex `i` of a side in its body frame.
    #[inline]
    pub fn local(&self, side: Side, i: u32) -> &Vector3<f64> {
        &self.vertices[side as usize].points()[i as usize]
    }

    /// Vertex `i` of a side, relative to the origin of b.
    #[inline]
    pub fn place(&self, side: Side, i: usize) -> Vector3<f64> {
        match side {
            Side::A => self.poses[0].directors * self.vertices[0].points()[i] + self.offset,
            Side::B => self.poses[1].directors * self.vertices[1].points()[i],
        }
    }

    /// α seen from the two bodies, pointing out of them: −α for a, α for b.
    #[inline]
    pub fn outward(&self, alpha: &Vector3<f64>) -> [Vector3<f64>; 2] {
        [
            -self.poses[0].direction_to_body(alpha),
            self.poses[1].direction_to_body(alpha),
        ]
    }

    /// How far each body crosses the plane with normal α through its base.
    #[inline]
    pub fn crossings(&self, outward: &[Vector3<f64>; 2], base: &[u32; 2]) -> [f64; 2] {
        [0, 1].map(|k| {
            let vertices = self.vertices[k];
            let hint = base[k] as usize;
            vertices.highest(&outward[k], hint) - vertices.points()[hint].dot(&outward[k])
        })
    }

    #[inline]
    pub fn tolerance(&self, alpha: &Vector3<f64>) -> f64 {
        self.noise * (alpha.x.abs() + alpha.y.abs() + alpha.z.abs())
    }

    /// Size of the coordinates that enter a query.
    pub fn size(&self) -> f64 {
        self.reach() + self.offset.amax()
    }

    /// Size of the bodies.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.noise / PLANE_TOLERANCE
    }

    /// The first vertex that the plane meets when it gives up column `row` (dual ratio test).
    ///
    /// Along α(τ) = α − τ s g the slack of vertex j is its slack now minus τ s rateⱼ, with
    /// rateⱼ = κ + ⟨g, x_j − x_base⟩ on A and κ + ⟨g, y_base − y_j⟩ on B.
    pub fn dual_entering(&self, t: &Tableau, row: usize) -> Option<(Side, usize)> {
        let s = if t.weights[row] > 0.0 { 1.0 } else { -1.0 };
        let (g, kappa) = t.rate_form(row);
        let direction = -s * g;
        let outward = self.outward(&t.alpha);
        let turning = self.outward(&direction);
        let norm1 = direction.x.abs() + direction.y.abs() + direction.z.abs();
        let tolerance = self.tolerance(&t.alpha);
        let tiny = 1e-11 * self.reach() * norm1;
        let first = [0, 1].map(|k| {
            let vertices = self.vertices[k];
            let hint = t.basis.base[k] as usize;
            let base = &vertices.points()[hint];
            // Slack ⟨outward, base − v⟩, rate s κ + ⟨turning, v − base⟩.
            let s0 = base.dot(&outward[k]);
            let r0 = s * kappa[k] - base.dot(&turning[k]);
            if vertices.scans() {
                vertices.least_ratio((s0, &-outward[k]), (r0, &turning[k]), tolerance, tiny)
            } else {
                climb_ratio(
                    vertices,
                    hint,
                    (s0, &-outward[k]),
                    (r0, &turning[k]),
                    tolerance,
                    tiny,
                )
            }
        });
        let side = if first[0].0 <= first[1].0 {
            Side::A
        } else {
            Side::B
        };
        let (ratio, index) = first[side as usize];
        ratio.is_finite().then_some((side, index))
    }
}

/// [`Vertices::least_ratio`] for large hulls: from above, each support query names a vertex that
/// is crossed at the present ratio (Dinkelbach).
fn climb_ratio(
    vertices: &Vertices,
    hint: usize,
    (s0, s): (f64, &Vector3<f64>),
    (r0, r): (f64, &Vector3<f64>),
    tolerance: f64,
    tiny: f64,
) -> (f64, usize) {
    let ratio_of = |i: usize| {
        let v = &vertices.points()[i];
        let rate = r0 + r.dot(v);
        if rate > tiny {
            ((s0 + s.dot(v)).max(0.0) + tolerance) / rate
        } else {
            f64::INFINITY
        }
    };
    let (mut index, _) = vertices.support(r, hint);
    let mut ratio = ratio_of(index);
    while ratio.is_finite() {
        let (next, _) = vertices.support(&(ratio * r - s), index);
        let found = ratio_of(next);
        if found < ratio {
            (ratio, index) = (found, next);
        } else {
            break;
        }
    }
    (ratio, index)
}
