//! The optimal normals: a convex region {δ : slackᵢ + ⟨nᵢ, δ⟩ ≥ 0} in the plane across β.
//!
//! α = α₀ + δ₁e₁ + δ₂e₂ is optimal when no vertex crosses its plane. α₀ is optimal, so δ = 0 is
//! always inside. The region is a polygon (vertex on vertex), a segment or a point.

use crate::Few;
use nalgebra::{Matrix2, Vector2};
use smallvec::smallvec;

/// Beyond this the region counts as unbounded.
const FAR: f64 = 1e9;

/// A half-plane slack + ⟨normal, δ⟩ ≥ 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfPlane {
    pub slack: f64,
    pub normal: Vector2<f64>,
}

/// Corners of the region, in order; corners beyond `FAR` stand for directions to infinity.
pub(super) fn corners(half_planes: &[HalfPlane]) -> Few<Vector2<f64>> {
    let sides = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(|(x, y)| HalfPlane {
        slack: FAR,
        normal: Vector2::new(x, y),
    });
    let mut edges: Few<HalfPlane> = sides.into_iter().collect();
    // Each corner with the edge that starts there.
    let mut polygon: Few<(Vector2<f64>, usize)> = smallvec![
        (Vector2::new(-FAR, FAR), 0),
        (Vector2::new(-FAR, -FAR), 1),
        (Vector2::new(FAR, -FAR), 2),
        (Vector2::new(FAR, FAR), 3),
    ];
    for half_plane in half_planes {
        let height = |p: &Vector2<f64>| half_plane.slack + half_plane.normal.dot(p);
        if polygon.iter().all(|(p, _)| height(p) >= 0.0) {
            continue;
        }
        let id = edges.len();
        edges.push(*half_plane);
        let mut clipped = Few::new();
        for (i, (p, edge)) in polygon.iter().enumerate() {
            let (q, _) = &polygon[(i + 1) % polygon.len()];
            let (hp, hq) = (height(p), height(q));
            if hp >= 0.0 {
                clipped.push((*p, *edge));
            }
            if (hp >= 0.0) != (hq >= 0.0) {
                let between = p + (q - p) * (hp / (hp - hq));
                let corner = crossing(&edges[*edge], half_plane).unwrap_or(between);
                clipped.push((corner, if hp >= 0.0 { id } else { *edge }));
            }
        }
        if clipped.is_empty() {
            // Only by round-off: δ = 0 is inside.
            return smallvec![Vector2::zeros()];
        }
        polygon = clipped;
    }
    polygon.into_iter().map(|(p, _)| p).collect()
}

/// The point of the polygon with the given corners that is closest to `target`.
pub(super) fn nearest(corners: &[Vector2<f64>], target: &Vector2<f64>) -> Vector2<f64> {
    let n = corners.len();
    let edge = |i: usize| (corners[i], corners[(i + 1) % n] - corners[i]);
    let outside = |i: usize| {
        let (p, d) = edge(i);
        // Corners run counter-clockwise.
        d.perp(&(target - p)) < 0.0
    };
    if n > 2 && !(0..n).any(outside) {
        return *target;
    }
    (0..n)
        .map(|i| {
            let (p, d) = edge(i);
            let length = d.norm_squared();
            let t = if length > 0.0 {
                ((target - p).dot(&d) / length).clamp(0.0, 1.0)
            } else {
                0.0
            };
            p + d * t
        })
        .min_by(|p, q| {
            (p - target)
                .norm_squared()
                .total_cmp(&(q - target).norm_squared())
        })
        .unwrap_or_default()
}

/// Interval of κ for which δ = κ t stays inside; contains zero.
pub(super) fn interval(half_planes: &[HalfPlane], t: &Vector2<f64>) -> [f64; 2] {
    let mut range = [f64::NEG_INFINITY, f64::INFINITY];
    for h in half_planes {
        let rate = h.normal.dot(t);
        let bound = -h.slack / rate;
        if rate > 0.0 {
            range[0] = range[0].max(bound);
        } else if rate < 0.0 {
            range[1] = range[1].min(bound);
        }
    }
    range
}

/// Whether a coordinate stands for infinity.
pub(super) fn is_far(value: f64) -> bool {
    value.abs() > 0.5 * FAR
}

/// Intersection of two boundary lines, unless nearly parallel.
fn crossing(a: &HalfPlane, b: &HalfPlane) -> Option<Vector2<f64>> {
    let m = Matrix2::from_rows(&[a.normal.transpose(), b.normal.transpose()]);
    let d = m.determinant();
    (d.abs() > 1e-12 * a.normal.norm() * b.normal.norm())
        .then(|| {
            m.try_inverse()
                .map(|inverse| -(inverse * Vector2::new(a.slack, b.slack)))
        })
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_square_and_its_nearest_point() {
        let h = |slack, x, y| HalfPlane {
            slack,
            normal: Vector2::new(x, y),
        };
        let square = corners(&[
            h(0.0, 1.0, 0.0),
            h(1.0, -1.0, 0.0),
            h(0.0, 0.0, 1.0),
            h(1.0, 0.0, -1.0),
        ]);
        assert_eq!(square.len(), 4);
        assert_eq!(
            nearest(&square, &Vector2::new(0.3, 0.4)),
            Vector2::new(0.3, 0.4)
        );
        assert_eq!(
            nearest(&square, &Vector2::new(-2.0, 0.4)),
            Vector2::new(0.0, 0.4)
        );
        assert_eq!(
            nearest(&square, &Vector2::new(3.0, 4.0)),
            Vector2::new(1.0, 1.0)
        );
    }
}
