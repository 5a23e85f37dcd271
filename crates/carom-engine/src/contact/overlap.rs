//! How deep a pair overlaps, as people measure it.

use carom_gap::{Distance, distance};
use nalgebra::Vector3;

use super::pair_gap::{GapRow, Path, distance_between, evaluate, is_round, part};
use super::pairs::{Collider, Pair, body_of};
use crate::mechanics::Wrench;
use crate::model::Model;

/// A way out that is longer than the shortest by no more than this factor will do.
const DETOUR: f64 = 1.5;

/// Penetration depth in m: the shortest way out. Negative where the two sides are apart. For limits
/// it is how far the coordinate is beyond them, in its own unit.
pub fn depth(model: &Model, pair: &Pair, at: &Path) -> f64 {
    match nearest(model, pair, at) {
        Some(nearest) => -nearest.value,
        None => -evaluate(model, pair, at, &mut None).gap,
    }
}

/// The way out of an overlap. The gap of two parts is measured between their centres, which leads far
/// out of long ones; there it is the shortest way.
pub fn way_out(model: &Model, pair: &Pair, at: &Path) -> GapRow {
    let row = evaluate(model, pair, at, &mut None);
    let depth = -row.gap / row.steepness;
    let Some(nearest) = nearest(model, pair, at).filter(|d| depth > -DETOUR * d.value) else {
        return row;
    };
    let Pair::Bodies(a, b) = pair else { return row };
    let n = nearest.normal;
    let wrench = |side: &Collider, point: &Vector3<f64>, sign: f64| {
        let body = body_of(side)?;
        let arm = point - at.poses[body.index()].position;
        let (force, torque) = (n * sign, arm.cross(&n) * sign);
        Some((body, Wrench { force, torque }))
    };
    GapRow {
        gap: nearest.value,
        wrenches: [
            wrench(a, &nearest.point_a, 1.0),
            wrench(b, &nearest.point_b, -1.0),
        ],
        point: nearest.point_b,
        normal: n,
        steepness: 1.0,
        ..row
    }
}

/// Distance of two overlapping parts; `None` for others.
fn nearest(model: &Model, pair: &Pair, at: &Path) -> Option<Distance> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { .. }) = pair else {
        return None;
    };
    let (pa, pb) = (a.pose(at.poses), b.pose(at.poses));
    if is_round(model, a) || is_round(model, b) {
        return distance_between(model, [a, b], [pa, pb]).filter(|d| d.value < 0.0);
    }
    let (va, vb) = (part(model, a), part(model, b));
    let away = pa.point(va.mean()) - pb.point(vb.mean());
    let nearest = distance(va, pa, vb, pb, &away);
    (nearest.value < 0.0).then_some(nearest)
}

/// Size of what a pair is made of, in m: the reach of the larger body, one for limits.
pub fn size(model: &Model, pair: &Pair) -> f64 {
    match pair {
        Pair::Bodies(a, b) => {
            let reach = |c: &Collider| body_of(c).map_or(0.0, |b| model.body(b).reach());
            reach(a).max(reach(b))
        }
        _ => 1.0,
    }
}
