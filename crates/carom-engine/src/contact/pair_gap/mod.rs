//! Gap and gradient of a pair at a configuration.
//!
//! The gradient is given as what it does to the bodies: wrenches about their origins (thesis
//! (3.48)), or a single joint velocity or coordinate for a limit. Impacts act at the symmetric
//! solution of the SSH LP, so that aligned faces feel no torque.

mod bearings;
mod bodies;
mod patch;

use std::sync::OnceLock;

use carom_gap::gap::{Basis, Feature, Gap, Posed, centre_direction, gap, room};
use carom_gap::round::{Solid, above, nearest};
use carom_gap::{Distance, Pose, Vertices, distance};
use nalgebra::Vector3;

use super::pairs::{Collider, Pair};
use super::room::Room;
use crate::mechanics::{Wrench, each_coordinate};
use crate::model::{BodyId, Model};
use bodies::{bodies, parts};

pub use bearings::{Bearing, bearings};
pub(crate) use bodies::crossed_edges;
pub use patch::Patch;
pub(in crate::contact) use patch::Side as PatchSide;

/// A configuration: poses of the bodies and coordinates of the linkages.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// Pose of every body.
    pub poses: &'a [Pose],
    /// Coordinates of all linkages.
    pub coordinates: &'a [f64],
}

/// Gap of a pair with its gradient.
#[derive(Clone, Copy, Debug)]
pub struct GapRow {
    /// Signed gap: positive when separated.
    pub gap: f64,
    /// What a unit multiplier does to the bodies.
    pub wrenches: [Option<(BodyId, Wrench)>; 2],
    /// A degree of freedom (joints first, then linkage coordinates) whose rate the gap follows.
    pub freedom: Option<(usize, f64)>,
    /// Contact point in the world.
    pub point: Vector3<f64>,
    /// Unit normal from the second to the first; zero for limits.
    pub normal: Vector3<f64>,
    /// |∂gap/∂x|: impulse per unit multiplier.
    pub steepness: f64,
    /// The parts of two polytopes that touch; `None` for beads, walls and limits.
    pub features: [Option<Feature>; 2],
}

impl GapRow {
    fn empty(gap: f64) -> Self {
        Self {
            gap,
            wrenches: [None; 2],
            freedom: None,
            point: Vector3::zeros(),
            normal: Vector3::zeros(),
            steepness: 1.0,
            features: [None; 2],
        }
    }
}

/// The gap alone; `warm` is the last basis of the pair.
pub fn gap_of(model: &Model, pair: &Pair, at: &Path, warm: &mut Option<Basis>) -> f64 {
    match pair {
        Pair::Bodies(a, b) => {
            let [pa, pb] = pair.poses(at.poses);
            gap_between(model, a, b, pa, pb, warm).0
        }
        _ => evaluate(model, pair, at, warm).gap,
    }
}

/// Gap and |∂gap/∂x| of two colliders at given poses.
pub fn gap_between(
    model: &Model,
    a: &Collider,
    b: &Collider,
    pa: &Pose,
    pb: &Pose,
    warm: &mut Option<Basis>,
) -> (f64, f64) {
    match (*a, *b) {
        _ if is_round(model, a) || is_round(model, b) => {
            let found = distance_between(model, [a, b], [pa, pb]);
            (found.map_or(f64::INFINITY, |d| d.value), 1.0)
        }
        (Collider::Part { .. }, Collider::Part { .. }) => {
            let (va, vb) = (part(model, a), part(model, b));
            let beta = direction(va, pa, vb, pb);
            let g = gap(Posed::new(va, pa), Posed::new(vb, pb), beta, warm);
            (g.contact.gap, g.contact.alpha.norm())
        }
        (Collider::Part { .. }, Collider::Wall { index }) => {
            let wall = &model.contact().walls[index].half_space;
            let g = wall.gap(Posed::new(part(model, a), pa), 0);
            (g.contact.gap, 1.0)
        }
        (Collider::Bead { body }, Collider::Wall { index }) => {
            let wall = &model.contact().walls[index].half_space;
            let height = pa.position.dot(wall.normal()) - wall.offset();
            (height - model.body(body).radius, 1.0)
        }
        (Collider::Bead { body: x }, Collider::Bead { body: y }) => {
            let apart = (pa.position - pb.position).norm();
            (apart - model.body(x).radius - model.body(y).radius, 1.0)
        }
        (Collider::Bead { body }, Collider::Part { .. }) => (
            ball(pa, part(model, b), pb).value - model.body(body).radius,
            1.0,
        ),
        (Collider::Part { .. }, Collider::Bead { .. }) => gap_between(model, b, a, pb, pa, warm),
        (Collider::Wall { .. }, _) => (f64::INFINITY, 1.0),
    }
}

/// Whether the SSH LP gives the gap of two colliders.
fn are_polytopes(model: &Model, a: &Collider, b: &Collider) -> bool {
    let flat = |c: &Collider| matches!(c, Collider::Part { .. }) && !is_round(model, c);
    flat(a) && flat(b)
}

/// How far two polytopes are apart at least, by the plane of their last basis.
pub fn room_between(
    model: &Model,
    a: &Collider,
    b: &Collider,
    [pa, pb]: [&Pose; 2],
    basis: Option<Basis>,
) -> Room {
    match basis {
        Some(basis) if are_polytopes(model, a, b) => {
            let (va, vb) = (part(model, a), part(model, b));
            let beta = direction(va, pa, vb, pb);
            let found = room(Posed::new(va, pa), Posed::new(vb, pb), beta, &basis);
            found.map_or(Room::UNKNOWN, |(width, normal)| Room::across(width, normal))
        }
        _ => Room::UNKNOWN,
    }
}

/// Gap of two colliders, and how far they are apart at least; what is below `enough` is looked at
/// more closely.
pub fn clearance(
    model: &Model,
    a: &Collider,
    b: &Collider,
    pa: &Pose,
    pb: &Pose,
    warm: &mut Option<Basis>,
    enough: f64,
) -> (f64, f64) {
    let (gap, steepness) = gap_between(model, a, b, pa, pb, warm);
    let apart = gap / steepness;
    if gap > 0.0
        && apart < enough
        && !is_round(model, a)
        && !is_round(model, b)
        && let (Collider::Part { .. }, Collider::Part { .. }) = (a, b)
    {
        let (va, vb) = (part(model, a), part(model, b));
        let towards = pa.point(va.mean()) - pb.point(vb.mean());
        return (gap, apart.max(distance(va, pa, vb, pb, &towards).value));
    }
    (gap, apart)
}

/// A point, which beads are but for their radius.
fn point() -> &'static Vertices {
    static POINT: OnceLock<Vertices> = OnceLock::new();
    POINT.get_or_init(|| Vertices::new(&[Vector3::zeros()]))
}

/// Distance of a ball's centre from a polytope.
fn ball(at: &Pose, v: &Vertices, pose: &Pose) -> Distance {
    let here = Pose {
        position: at.position,
        ..Pose::identity()
    };
    let away = at.position - pose.point(v.mean());
    distance(point(), &here, v, pose, &away)
}

/// Gap and gradient, symmetric in degenerate cases.
pub fn evaluate(model: &Model, pair: &Pair, at: &Path, warm: &mut Option<Basis>) -> GapRow {
    match *pair {
        Pair::Bodies(a, b) => bodies(model, &a, &b, at, warm),
        // Elements have their own gaps.
        Pair::Elastic(_) => GapRow::empty(f64::INFINITY),
        Pair::JointLimit {
            joint,
            coordinate,
            bound,
            sign,
        } => {
            let value = each_coordinate(&model.joints()[joint], at.poses).nth(coordinate);
            let value = value.expect("a limit is one of a coordinate");
            let mut row = GapRow::empty(sign * (value - bound));
            row.freedom = Some((model.offsets[joint] + coordinate, sign));
            row
        }
        Pair::CoordinateLimit {
            coordinate,
            bound,
            sign,
        } => {
            let mut row = GapRow::empty(sign * (at.coordinates[coordinate] - bound));
            row.freedom = Some((model.tree_freedom + coordinate, sign));
            row
        }
    }
}

/// A pair as it is seen from a configuration.
#[derive(Clone, Copy, Debug)]
pub struct Glance {
    /// Its gap.
    pub gap: f64,
    /// The room between its sides.
    pub room: Room,
    /// The gap with its gradient, of pairs that are near.
    pub row: Option<GapRow>,
}

impl Glance {
    /// Of a pair with this gap and gradient.
    fn new(row: GapRow, limit: f64) -> Self {
        let far = row.gap > limit;
        Self {
            gap: row.gap,
            room: Room::any_way(row.gap / row.steepness),
            row: (!far).then_some(row),
        }
    }
}

/// The gap, and what [`evaluate`] gives unless the gap exceeds `limit`.
pub fn evaluate_within(
    model: &Model,
    pair: &Pair,
    at: &Path,
    warm: &mut Option<Basis>,
    limit: f64,
) -> Glance {
    if let Pair::Bodies(a, b) = pair
        && are_polytopes(model, a, b)
    {
        return parts(model, a, b, at, warm, limit);
    }
    Glance::new(evaluate(model, pair, at, warm), limit)
}

pub(crate) fn part<'a>(model: &'a Model, c: &Collider) -> &'a Vertices {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            &shape.expect("a part collider has a shape").vertices()[*part]
        }
        _ => unreachable!("only parts have vertices"),
    }
}

/// A part as collision queries see it; none of anything else.
pub(super) fn solid<'a>(model: &'a Model, c: &Collider) -> Option<Solid<'a>> {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            shape.map(|s| s.solid(*part))
        }
        _ => None,
    }
}

/// Whether a collider is a part with curved sides.
pub(crate) fn is_round(model: &Model, c: &Collider) -> bool {
    matches!(solid(model, c), Some(Solid::Round(_)))
}

/// Euclidean distance of the surfaces of two colliders; none of two walls, or where a wall is first.
pub fn distance_between(
    model: &Model,
    [a, b]: [&Collider; 2],
    [pa, pb]: [&Pose; 2],
) -> Option<Distance> {
    let bead = |c: &Collider| match c {
        Collider::Bead { body } => Some(model.body(*body).radius),
        _ => None,
    };
    // A bead is a point with a radius; it does not turn.
    let core = |c: &Collider| solid(model, c).or(bead(c).map(|_| Solid::Hull(point())));
    let mut found = match b {
        Collider::Wall { index } => above(core(a)?, pa, &model.contact().walls[*index].half_space),
        _ => nearest(core(a)?, pa, core(b)?, pb, None),
    };
    for (radius, sign) in [(bead(a), -1.0), (bead(b), 1.0)] {
        let Some(r) = radius else { continue };
        found.value -= r;
        let moved = match sign < 0.0 {
            true => &mut found.point_a,
            false => &mut found.point_b,
        };
        *moved += found.normal * (sign * r);
    }
    Some(found)
}

/// β from part centre to part centre.
fn direction(va: &Vertices, pa: &Pose, vb: &Vertices, pb: &Pose) -> Vector3<f64> {
    let planar = va.is_planar() && vb.is_planar();
    centre_direction(&pa.point(va.mean()), &pb.point(vb.mean()), planar)
}

/// β moves with the centres of the parts, `spread` apart: −gap/|Δ| (I − ββᵀ) α acts there (thesis (3.50)).
pub(super) fn turn_of_direction(
    beta: &Vector3<f64>,
    alpha: &Vector3<f64>,
    gap: f64,
    spread: f64,
) -> Vector3<f64> {
    if spread > 0.0 {
        (beta * alpha.dot(beta) - alpha) * (gap / spread)
    } else {
        Vector3::zeros()
    }
}

/// Whether all solutions mean one contact: four vertices on the two planes carry it (three in the
/// plane), each with weight, or one vertex stands within a face. Weights of the corners of a face with more than
/// three may differ then, but not the place they stand for.
pub(super) fn is_unique(g: &Gap, a: Posed, b: Posed) -> bool {
    let carriers = if a.vertices.is_planar() && b.vertices.is_planar() {
        3
    } else {
        4
    };
    let mut carry = [0; 2];
    g.carriers()
        .filter(|c| c.weight > 1e-9)
        .for_each(|c| carry[c.side as usize] += 1);
    if carry[0] + carry[1] != carriers {
        return false;
    }
    let c = &g.contact;
    let mut on_plane = [0; 2];
    for (k, side, at, sign) in [(0, a, &c.local_a, 1.0), (1, b, &c.local_b, -1.0)] {
        let n = side.pose.direction_to_body(&c.alpha) * sign;
        let lowest = n.dot(at) + 1e-10 * c.alpha.norm() * side.vertices.reach();
        let points = side.vertices.points().iter();
        on_plane[k] = points.filter(|p| n.dot(p) <= lowest).count();
    }
    let within_face = |vertex: usize| on_plane[vertex] == 1 && carry[1 - vertex] == 3;
    on_plane[0] + on_plane[1] == carriers || within_face(0) || within_face(1)
}
