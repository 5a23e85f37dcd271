//! Gap and gradient of a pair at a configuration.
//!
//! The gradient is given as what it does to the bodies: wrenches about their origins (thesis
//! (3.48)), or a single joint velocity or coordinate for a limit. Impacts act at the symmetric
//! solution of the SSH LP, so that aligned faces feel no torque.

use carom_gap::gap::{
    Basis, Feature, Gap, Posed, Status, centre_direction, gap, symmetric_contact,
};
use carom_gap::{Distance, Pose, Vertices, distance};
use nalgebra::Vector3;

use super::pairs::{Collider, Pair};
use crate::mechanics::{Covector, Wrench, joint_coordinates};
use crate::model::{BodyId, Model};

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
            let (pa, pb) = (pose(model, a, at.poses), pose(model, b, at.poses));
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

/// Distance of a ball's centre from a polytope.
fn ball(at: &Pose, v: &Vertices, pose: &Pose) -> Distance {
    let centre = Vertices::new(&[Vector3::zeros()]);
    let here = Pose {
        position: at.position,
        ..Pose::identity()
    };
    let away = at.position - pose.point(v.mean());
    distance(&centre, &here, v, pose, &away)
}

/// Gap and gradient, symmetric in degenerate cases.
pub fn evaluate(model: &Model, pair: &Pair, at: &Path, warm: &mut Option<Basis>) -> GapRow {
    match *pair {
        Pair::Bodies(a, b) => bodies(model, &a, &b, at, warm),
        Pair::JointLimit {
            joint,
            coordinate,
            bound,
            sign,
        } => {
            let mut values = Vec::new();
            joint_coordinates(&model.joints()[joint], at.poses, &mut values);
            let mut row = GapRow::empty(sign * (values[coordinate] - bound));
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

pub(super) fn part<'a>(model: &'a Model, c: &Collider) -> &'a Vertices {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            &shape.expect("a part collider has a shape").vertices()[*part]
        }
        _ => unreachable!("only parts have vertices"),
    }
}

pub(super) fn pose<'a>(model: &'a Model, c: &Collider, poses: &'a [Pose]) -> &'a Pose {
    match c {
        Collider::Part { body, .. } | Collider::Bead { body } => &poses[body.index()],
        Collider::Wall { .. } => &model.bodies()[0].start,
    }
}

/// Poses of the two sides of a pair.
pub fn pair_poses<'a>(
    model: &'a Model,
    a: &Collider,
    b: &Collider,
    poses: &'a [Pose],
) -> [&'a Pose; 2] {
    [pose(model, a, poses), pose(model, b, poses)]
}

/// β from part centre to part centre.
fn direction(va: &Vertices, pa: &Pose, vb: &Vertices, pb: &Pose) -> Vector3<f64> {
    let planar = va.is_planar() && vb.is_planar();
    centre_direction(&pa.point(va.mean()), &pb.point(vb.mean()), planar)
}

fn bodies(
    model: &Model,
    a: &Collider,
    b: &Collider,
    at: &Path,
    warm: &mut Option<Basis>,
) -> GapRow {
    match (*a, *b) {
        (Collider::Part { body: ba, .. }, Collider::Part { body: bb, .. }) => {
            let (va, pa, vb, pb) = (
                part(model, a),
                pose(model, a, at.poses),
                part(model, b),
                pose(model, b, at.poses),
            );
            let beta = direction(va, pa, vb, pb);
            let (x, y) = (Posed::new(va, pa), Posed::new(vb, pb));
            let g = gap(x, y, beta, warm);
            if g.status == Status::Unbounded {
                return GapRow::empty(f64::INFINITY);
            }
            let mut features = g.features();
            let mut c = g.contact;
            if !is_unique(&g, x, y)
                && let Some(symmetric) = symmetric_contact(&g, x, y)
            {
                (c, features) = symmetric;
            }
            // β moves with the centres of the parts: −gap/|Δ| (I − ββᵀ) α acts there (3.50).
            let (ca, cb) = (pa.vector(va.mean()), pb.vector(vb.mean()));
            let spread = (pa.position + ca - pb.position - cb).norm();
            let along = if spread > 0.0 {
                (beta * c.alpha.dot(&beta) - c.alpha) * (c.gap / spread)
            } else {
                Vector3::zeros()
            };
            let (ra, rb) = (pa.vector(&c.local_a), pb.vector(&c.local_b));
            let wrench = |arm: Vector3<f64>, centre: Vector3<f64>, sign: f64| Wrench {
                force: (c.alpha + along) * sign,
                torque: (arm.cross(&c.alpha) + centre.cross(&along)) * sign,
            };
            GapRow {
                gap: c.gap,
                wrenches: [
                    Some((ba, wrench(ra, ca, 1.0))),
                    Some((bb, wrench(rb, cb, -1.0))),
                ],
                freedom: None,
                point: (c.point_a + c.point_b) * 0.5,
                normal: c.normal(),
                steepness: c.alpha.norm(),
                features: features.map(Some),
            }
        }
        (Collider::Part { body, .. }, Collider::Wall { index }) => {
            let p = pose(model, a, at.poses);
            let wall = &model.contact().walls[index].half_space;
            let v = part(model, a);
            let mut active = Vec::new();
            let g = wall.symmetric_gap(Posed::new(v, p), 0, 1e-12 * v.reach(), &mut active);
            GapRow {
                gap: g.contact.gap,
                wrenches: [Some((body, g.wrench(p))), None],
                freedom: None,
                point: g.contact.point_b,
                normal: *wall.normal(),
                steepness: 1.0,
                features: [
                    Some(match active.len() {
                        1 => Feature::Vertex,
                        2 => Feature::Edge,
                        _ => Feature::Face,
                    }),
                    None,
                ],
            }
        }
        (Collider::Bead { body }, Collider::Wall { index }) => {
            let x = at.poses[body.index()].position;
            let wall = &model.contact().walls[index].half_space;
            let n = *wall.normal();
            let r = model.body(body).radius;
            GapRow {
                gap: x.dot(&n) - wall.offset() - r,
                wrenches: [
                    Some((
                        body,
                        Wrench {
                            force: n,
                            torque: Vector3::zeros(),
                        },
                    )),
                    None,
                ],
                freedom: None,
                point: x - n * r,
                normal: n,
                steepness: 1.0,
                features: [None; 2],
            }
        }
        (Collider::Bead { body: ba }, Collider::Bead { body: bb }) => {
            let (xa, xb) = (at.poses[ba.index()].position, at.poses[bb.index()].position);
            let (ra, rb) = (model.body(ba).radius, model.body(bb).radius);
            let d = xa - xb;
            let n = centre_direction(&xa, &xb, false);
            let push = |sign: f64| Wrench {
                force: n * sign,
                torque: Vector3::zeros(),
            };
            GapRow {
                gap: d.norm() - ra - rb,
                wrenches: [Some((ba, push(1.0))), Some((bb, push(-1.0)))],
                freedom: None,
                point: xb + n * rb,
                normal: n,
                steepness: 1.0,
                features: [None; 2],
            }
        }
        (Collider::Bead { body: ba }, Collider::Part { body: bb, .. }) => {
            // A ball and a polytope: Euclidean distance of its centre.
            let (vb, pb) = (part(model, b), pose(model, b, at.poses));
            let d = ball(&at.poses[ba.index()], vb, pb);
            let n = d.normal;
            let arm = d.point_b - pb.position;
            GapRow {
                gap: d.value - model.body(ba).radius,
                wrenches: [
                    Some((
                        ba,
                        Wrench {
                            force: n,
                            torque: Vector3::zeros(),
                        },
                    )),
                    Some((
                        bb,
                        Wrench {
                            force: -n,
                            torque: -arm.cross(&n),
                        },
                    )),
                ],
                freedom: None,
                point: d.point_b,
                normal: n,
                steepness: 1.0,
                features: [None; 2],
            }
        }
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
        let along = if spread > 0.0 {
            (beta * c.alpha.dot(&beta) - c.alpha) * (c.gap / spread)
        } else {
            Vector3::zeros()
        };
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

/// Whether a solution is the only one: four vertices on the two planes carry it (three in the
/// plane), each with weight.
fn is_unique(g: &Gap, a: Posed, b: Posed) -> bool {
    let carriers = if a.vertices.is_planar() && b.vertices.is_planar() {
        3
    } else {
        4
    };
    if g.carriers().filter(|c| c.weight > 1e-9).count() != carriers {
        return false;
    }
    let c = &g.contact;
    let mut on_plane = 0;
    for (side, at, sign) in [(a, &c.local_a, 1.0), (b, &c.local_b, -1.0)] {
        let n = side.pose.direction_to_body(&c.alpha) * sign;
        let lowest = n.dot(at) + 1e-10 * c.alpha.norm() * side.vertices.reach();
        let points = side.vertices.points().iter();
        on_plane += points.filter(|p| n.dot(p) <= lowest).count();
    }
    on_plane == carriers
}
