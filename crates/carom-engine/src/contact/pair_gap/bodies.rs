//! Gap and gradient of two colliders.

use carom_gap::gap::{
    Basis, Feature, Posed, Side, Status, centre_direction, gap, symmetric_contact,
};
use carom_gap::round::{PatchPoint, patch_points, patch_points_on};
use nalgebra::Vector3;
use smallvec::SmallVec;

use super::{
    GapRow, Glance, Path, ball, direction, distance_between, is_round, is_unique, part, solid,
    turn_of_direction,
};
use crate::contact::pairs::{Collider, Pair, body_of};
use crate::contact::room::Room;
use crate::mechanics::Wrench;
use crate::model::{BodyId, Model};

/// Gap and gradient of two colliders; a wall is always second.
pub(super) fn bodies(
    model: &Model,
    a: &Collider,
    b: &Collider,
    at: &Path,
    warm: &mut Option<Basis>,
) -> GapRow {
    match (*a, *b) {
        _ if is_round(model, a) || is_round(model, b) => round(model, [a, b], at),
        (Collider::Part { .. }, Collider::Part { .. }) => {
            let seen = parts(model, a, b, at, warm, f64::INFINITY);
            seen.row.unwrap_or_else(|| GapRow::empty(seen.gap))
        }
        (Collider::Part { .. }, Collider::Wall { index }) => part_and_wall(model, a, index, at),
        (Collider::Bead { body }, Collider::Wall { index }) => {
            bead_and_wall(model, body, index, at)
        }
        (Collider::Bead { body: x }, Collider::Bead { body: y }) => beads(model, [x, y], at),
        (Collider::Bead { body }, Collider::Part { .. }) => bead_and_part(model, body, b, at),
        (Collider::Part { .. }, Collider::Bead { .. }) => {
            let mut row = bodies(model, b, a, at, warm);
            row.wrenches.swap(0, 1);
            row.normal = -row.normal;
            row.features.swap(0, 1);
            row
        }
        (Collider::Wall { .. }, _) => unreachable!("a wall is always second"),
    }
}

/// Two colliders one of which is round: Euclidean distance. Of a line or a flat end that touches, the
/// middle is the point of contact.
fn round(model: &Model, [a, b]: [&Collider; 2], at: &Path) -> GapRow {
    let poses = [a, b].map(|c| c.pose(at.poses));
    let Some(found) = distance_between(model, [a, b], poses) else {
        return GapRow::empty(f64::INFINITY);
    };
    let n = found.normal;
    let (mut sum, mut count) = (Vector3::zeros(), 0.0);
    let mut add = |p: PatchPoint| {
        sum += p.point_b;
        count += 1.0;
    };
    if let Some(x) = solid(model, a) {
        let within = found.value + 1e-10 * x.reach();
        match (solid(model, b), b) {
            (Some(y), _) => {
                patch_points(x, poses[0], y, poses[1], &found, within).for_each(&mut add);
            }
            (None, Collider::Wall { index }) => {
                let wall = &model.contact().walls[*index].half_space;
                patch_points_on(x, poses[0], wall, &found, within).for_each(&mut add);
            }
            _ => {}
        }
    }
    let mean = match count > 0.0 {
        true => sum / count,
        false => found.point_b,
    };
    let wrench = |c: &Collider, place: Vector3<f64>, sign: f64| {
        let body = body_of(c)?;
        let force = n * sign;
        let torque = match c {
            Collider::Bead { .. } => Vector3::zeros(),
            _ => (place - at.poses[body.index()].position).cross(&force),
        };
        Some((body, Wrench { force, torque }))
    };
    GapRow {
        gap: found.value,
        wrenches: [
            wrench(a, mean + n * found.value, 1.0),
            wrench(b, mean, -1.0),
        ],
        point: mean + n * (0.5 * found.value),
        normal: n,
        ..GapRow::empty(0.0)
    }
}

/// Unit vectors along the edges of two polytopes that cross where they are nearest, each in its body, with the normal
/// from the second to the first along their product.
pub(crate) fn crossed_edges(model: &Model, pair: &Pair, at: &Path) -> Option<[Vector3<f64>; 2]> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { .. }) = pair else {
        return None;
    };
    let hulls = [part(model, a), part(model, b)];
    let poses = [a, b].map(|c| c.pose(at.poses));
    let beta = direction(hulls[0], poses[0], hulls[1], poses[1]);
    let [x, y] = [0, 1].map(|k| Posed::new(hulls[k], poses[k]));
    let found = gap(x, y, beta, &mut None);
    let along = |k: usize, side: Side| {
        let own = found.spanning().filter(|(of, _)| *of == side);
        let ends: SmallVec<[usize; 3]> = own.map(|(_, index)| index as usize).collect();
        let [from, to] = ends[..] else { return None };
        let points = hulls[k].points();
        Some((points[to] - points[from]).normalize())
    };
    let [e, f] = [along(0, Side::A)?, along(1, Side::B)?];
    let across = poses[0].vector(&e).cross(&poses[1].vector(&f));
    Some([e * across.dot(&found.contact.normal()).signum(), f])
}

/// Two polytopes, by the SSH LP; the gap alone if it exceeds `limit`.
pub(super) fn parts(
    model: &Model,
    a: &Collider,
    b: &Collider,
    at: &Path,
    warm: &mut Option<Basis>,
    limit: f64,
) -> Glance {
    let (va, vb) = (part(model, a), part(model, b));
    let [pa, pb] = [a, b].map(|c| c.pose(at.poses));
    let beta = direction(va, pa, vb, pb);
    let (x, y) = (Posed::new(va, pa), Posed::new(vb, pb));
    let g = gap(x, y, beta, warm);
    let mut seen = Glance {
        gap: g.contact.gap,
        room: Room::UNKNOWN,
        row: None,
    };
    if g.status == Status::Unbounded {
        seen.gap = f64::INFINITY;
        return seen;
    }
    let size = g.contact.alpha.norm();
    seen.room = Room::across(seen.gap / size, g.contact.alpha / size);
    if seen.gap > limit {
        return seen;
    }
    let mut features = g.features();
    let mut c = g.contact;
    if !is_unique(&g, x, y)
        && let Some(symmetric) = symmetric_contact(&g, x, y)
    {
        (c, features) = symmetric;
    }
    let (ca, cb) = (pa.vector(va.mean()), pb.vector(vb.mean()));
    let spread = (pa.position + ca - pb.position - cb).norm();
    let along = turn_of_direction(&beta, &c.alpha, c.gap, spread);
    let (ra, rb) = (pa.vector(&c.local_a), pb.vector(&c.local_b));
    let wrench = |arm: Vector3<f64>, centre: Vector3<f64>, sign: f64| Wrench {
        force: (c.alpha + along) * sign,
        torque: (arm.cross(&c.alpha) + centre.cross(&along)) * sign,
    };
    seen.gap = c.gap;
    seen.row = Some(GapRow {
        gap: c.gap,
        wrenches: [
            body_of(a).map(|body| (body, wrench(ra, ca, 1.0))),
            body_of(b).map(|body| (body, wrench(rb, cb, -1.0))),
        ],
        freedom: None,
        point: (c.point_a + c.point_b) * 0.5,
        normal: c.normal(),
        steepness: c.alpha.norm(),
        features: features.map(Some),
    });
    seen
}

/// The lowest points of a polytope above a wall.
fn part_and_wall(model: &Model, a: &Collider, wall: usize, at: &Path) -> GapRow {
    let p = a.pose(at.poses);
    let wall = &model.contact().walls[wall].half_space;
    let v = part(model, a);
    let mut lowest = 0;
    let g = wall.symmetric_gap_with(Posed::new(v, p), 0, 1e-10 * v.reach(), |_| lowest += 1);
    let feature = match lowest {
        1 => Feature::Vertex,
        2 => Feature::Edge,
        _ => Feature::Face,
    };
    GapRow {
        gap: g.contact.gap,
        wrenches: [body_of(a).map(|body| (body, g.wrench(p))), None],
        point: g.contact.point_b,
        normal: *wall.normal(),
        features: [Some(feature), None],
        ..GapRow::empty(0.0)
    }
}

fn bead_and_wall(model: &Model, body: BodyId, wall: usize, at: &Path) -> GapRow {
    let x = at.poses[body.index()].position;
    let wall = &model.contact().walls[wall].half_space;
    let n = *wall.normal();
    let r = model.body(body).radius;
    GapRow {
        gap: x.dot(&n) - wall.offset() - r,
        wrenches: [Some((body, force_only(n))), None],
        point: x - n * r,
        normal: n,
        ..GapRow::empty(0.0)
    }
}

fn beads(model: &Model, bodies: [BodyId; 2], at: &Path) -> GapRow {
    let [xa, xb] = bodies.map(|b| at.poses[b.index()].position);
    let [ra, rb] = bodies.map(|b| model.body(b).radius);
    let n = centre_direction(&xa, &xb, false);
    let [ba, bb] = bodies;
    GapRow {
        gap: (xa - xb).norm() - ra - rb,
        wrenches: [Some((ba, force_only(n))), Some((bb, force_only(-n)))],
        point: xb + n * rb,
        normal: n,
        ..GapRow::empty(0.0)
    }
}

/// A ball and a polytope: Euclidean distance of its centre.
fn bead_and_part(model: &Model, bead: BodyId, b: &Collider, at: &Path) -> GapRow {
    let (vb, pb) = (part(model, b), b.pose(at.poses));
    let d = ball(&at.poses[bead.index()], vb, pb);
    let n = d.normal;
    let arm = d.point_b - pb.position;
    let back = Wrench {
        force: -n,
        torque: -arm.cross(&n),
    };
    GapRow {
        gap: d.value - model.body(bead).radius,
        wrenches: [
            Some((bead, force_only(n))),
            body_of(b).map(|body| (body, back)),
        ],
        point: d.point_b,
        normal: n,
        ..GapRow::empty(0.0)
    }
}

fn force_only(force: Vector3<f64>) -> Wrench {
    Wrench {
        force,
        torque: Vector3::zeros(),
    }
}
