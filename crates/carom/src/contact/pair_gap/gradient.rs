//! The gradient of a gap in redundant coordinates.

use carom_gap::Pose;
use carom_gap::gap::{Basis, Posed, Status, gap, symmetric_contact};
use nalgebra::Vector3;

use super::{Path, direction, evaluate, is_unique, pair_poses, part, turn_of_direction};
use crate::contact::pairs::{Collider, Pair};
use crate::mechanics::{Covector, Wrench};
use crate::model::{BodyId, Model};

/// A gap with its gradient in redundant coordinates.
#[derive(Clone, Copy, Debug)]
pub struct GapGradient {
    /// Signed gap.
    pub gap: f64,
    /// ∂gap/∂q of the bodies.
    pub gradient: [Option<(BodyId, Covector)>; 2],
    /// Contact point in the world.
    pub point: Vector3<f64>,
    /// Unit normal from the second to the first.
    pub normal: Vector3<f64>,
}

/// Gap and gradient at a configuration whose directors need not be orthonormal.
pub fn covectors(model: &Model, pair: &Pair, at: &Path, warm: &mut Option<Basis>) -> GapGradient {
    if let Pair::Bodies(a, b) = pair
        && let (Collider::Part { body: ba, .. }, Collider::Part { body: bb, .. }) = (a, b)
    {
        let (va, vb) = (part(model, a), part(model, b));
        let [pa, pb] = pair_poses(model, a, b, at.poses);
        let beta = direction(va, pa, vb, pb);
        let (x, y) = (Posed::new(va, pa), Posed::new(vb, pb));
        let g = gap(x, y, beta, warm);
        let mut c = g.contact;
        let apart = |gap: f64| GapGradient {
            gap,
            gradient: [None; 2],
            point: c.point_a,
            normal: Vector3::zeros(),
        };
        // Far from touching nothing is asked but the gap.
        if g.status == Status::Unbounded || c.gap > 0.0 {
            return apart(c.gap);
        }
        if !is_unique(&g, x, y)
            && let Some((symmetric, _)) = symmetric_contact(&g, x, y)
        {
            c = symmetric;
        }
        let spread = (pa.point(va.mean()) - pb.point(vb.mean())).norm();
        let along = turn_of_direction(&beta, &c.alpha, c.gap, spread);
        let side = |local: &Vector3<f64>, mean: &Vector3<f64>, sign: f64| {
            let mut y = Covector::at_point(c.alpha * sign, local);
            y.add(&Covector::at_point(along * sign, mean), 1.0);
            y
        };
        return GapGradient {
            gap: c.gap,
            gradient: [
                Some((*ba, side(&c.local_a, va.mean(), 1.0))),
                Some((*bb, side(&c.local_b, vb.mean(), -1.0))),
            ],
            point: (c.point_a + c.point_b) * 0.5,
            normal: c.normal(),
        };
    }
    let row = evaluate(model, pair, at, warm);
    let gradient = row.wrenches.map(|side| {
        let (body, w) = side?;
        let pose = &at.poses[body.index()];
        Some((body, at_place(&w, &row.point, pose)))
    });
    GapGradient {
        gap: row.gap,
        gradient,
        point: row.point,
        normal: row.normal,
    }
}

/// A wrench that is a force at a point, as a covector; a pure torque as ½ τ × d.
fn at_place(w: &Wrench, point: &Vector3<f64>, pose: &Pose) -> Covector {
    if w.force == Vector3::zeros() {
        return Covector::from_wrench(w, &pose.directors);
    }
    let inverse = pose.directors.try_inverse();
    let local = inverse.map_or(Vector3::zeros(), |m| m * (point - pose.position));
    Covector::at_point(w.force, &local)
}
