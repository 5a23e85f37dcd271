//! Gap and gradient of a pair at a configuration.
//!
//! The gradient is given as what it does to the bodies: wrenches about their origins (thesis
//! (3.48)), or a single joint velocity or coordinate for a limit. Impacts act at the symmetric
//! solution of the SSH LP, so that aligned faces feel no torque.

use carom_gap::gap::{Basis, Posed, Status, centre_direction, gap, optimal_set};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::pairs::{Collider, Pair};
use crate::mechanics::{Wrench, joint_coordinates};
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
        }
    }
}

/// The gap alone; `warm` is the last basis of the pair.
pub fn gap_of(model: &Model, pair: &Pair, at: &Path, warm: &mut Option<Basis>) -> f64 {
    match *pair {
        Pair::Bodies(a, b) => match (a, b) {
            (Collider::Part { .. }, Collider::Part { .. }) => {
                let (va, pa, vb, pb) = (
                    part(model, &a),
                    pose(model, &a, at.poses),
                    part(model, &b),
                    pose(model, &b, at.poses),
                );
                let beta = direction(va, pa, vb, pb);
                let g = gap(Posed::new(va, pa), Posed::new(vb, pb), beta, warm);
                g.contact.gap
            }
            (Collider::Part { .. }, Collider::Wall { index }) => {
                let wall = &model.contact().walls[index].half_space;
                wall.gap(Posed::new(part(model, &a), pose(model, &a, at.poses)), 0)
                    .contact
                    .gap
            }
            _ => evaluate(model, pair, at, warm).gap,
        },
        _ => evaluate(model, pair, at, warm).gap,
    }
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

fn part<'a>(model: &'a Model, c: &Collider) -> &'a Vertices {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            &shape.expect("a part collider has a shape").vertices()[*part]
        }
        _ => unreachable!("only parts have vertices"),
    }
}

fn pose<'a>(model: &'a Model, c: &Collider, poses: &'a [Pose]) -> &'a Pose {
    match c {
        Collider::Part { body, .. } | Collider::Bead { body } => &poses[body.index()],
        Collider::Wall { .. } => &model.bodies()[0].start,
    }
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
            let c = optimal_set(&g, x, y).map_or(g.contact, |s| s.contact);
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
            }
        }
        (Collider::Bead { body: ba }, Collider::Part { body: bb, .. }) => {
            // A ball and a polytope: Euclidean distance of its centre.
            let (vb, pb) = (part(model, b), pose(model, b, at.poses));
            let xa = at.poses[ba.index()].position;
            let centre = Vertices::new(&[Vector3::zeros()]);
            let here = Pose {
                position: xa,
                ..Pose::identity()
            };
            let d = carom_gap::distance(&centre, &here, vb, pb, &(xa - pb.point(vb.mean())));
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
            }
        }
        (Collider::Part { .. }, Collider::Bead { .. }) => {
            let mut row = bodies(model, b, a, at, warm);
            row.wrenches.swap(0, 1);
            row.normal = -row.normal;
            row
        }
        (Collider::Wall { .. }, _) => unreachable!("a wall is always second"),
    }
}
