//! What carries an overlap: the points a contact potential presses on, with the gradients of their
//! gaps in redundant coordinates.
//!
//! Where faces overlap, the gap is the least of those of several points, and its gradient jumps from
//! one to the next. All points that are nearly as deep as the deepest are given here.

use carom_gap::Pose;
use carom_gap::gap::{Basis, Contact, Posed, Status, gap, symmetric_contact};
use nalgebra::Vector3;

use super::patch::{Patch, Side};
use super::{Path, direction, evaluate, is_round, is_unique, part, turn_of_direction};
use crate::contact::manifold::Faces;
use crate::contact::pairs::{Collider, Pair};
use crate::mechanics::{Covector, Wrench, joint_coordinate};
use crate::model::{BodyId, Model};

/// A point that carries an overlap.
#[derive(Clone, Copy, Debug)]
pub struct Bearing {
    /// Its gap, negative.
    pub gap: f64,
    /// ∂gap/∂q of the bodies.
    pub gradient: [Option<(BodyId, Covector)>; 2],
    /// Where it is in the world.
    pub point: Vector3<f64>,
    /// Unit normal from the second to the first; zero for limits.
    pub normal: Vector3<f64>,
}

/// Gap of a pair at a configuration whose directors need not be orthonormal. Where it is negative,
/// `out` gets all points at least `share` (0 to 1) as deep as the deepest; limits of linkage
/// coordinates have no body and get none.
#[allow(clippy::too_many_arguments)]
pub fn bearings(
    model: &Model,
    faces: &Faces,
    pair: &Pair,
    at: &Path,
    share: f64,
    warm: &mut Option<Basis>,
    patch: &mut Patch,
    out: &mut Vec<Bearing>,
) -> f64 {
    match pair {
        Pair::Bodies(a, b) if is_round(model, a) || is_round(model, b) => {
            round(model, faces, pair, at, share, out)
        }
        Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { .. }) => {
            parts(model, faces, [a, b], at, share, warm, patch, out)
        }
        Pair::Bodies(a @ Collider::Part { body, .. }, Collider::Wall { index }) => {
            let wall = &model.contact().walls[*index].half_space;
            let pose = &at.poses[body.index()];
            let n = *wall.normal();
            let height = |v: &Vector3<f64>| pose.point(v).dot(&n) - wall.offset();
            let vertices = part(model, a).points();
            let least = vertices.iter().map(height).fold(f64::INFINITY, f64::min);
            let deep = |v: &&Vector3<f64>| height(v) <= share * least;
            for v in vertices.iter().filter(deep).filter(|_| least < 0.0) {
                let gap = height(v);
                out.push(Bearing {
                    gap,
                    gradient: [Some((*body, Covector::at_point(n, v))), None],
                    point: pose.point(v) - n * gap,
                    normal: n,
                });
            }
            least
        }
        Pair::JointLimit {
            joint,
            coordinate,
            bound,
            sign,
        } => {
            let joint = &model.joints()[*joint];
            let Some(row) = joint_coordinate(joint, *coordinate, at.poses) else {
                return f64::INFINITY;
            };
            let gap = sign * (row.value - bound);
            if gap < 0.0 {
                let signed = |y: &Covector| {
                    let mut out = Covector::default();
                    out.add(y, *sign);
                    out
                };
                out.push(Bearing {
                    gap,
                    gradient: [
                        Some((joint.child, signed(&row.child))),
                        joint.parent.map(|p| (p, signed(&row.parent))),
                    ],
                    point: Vector3::zeros(),
                    normal: Vector3::zeros(),
                });
            }
            gap
        }
        Pair::Elastic(_) => f64::INFINITY,
        Pair::CoordinateLimit {
            coordinate,
            bound,
            sign,
        } => {
            let value = at.coordinates.get(*coordinate);
            value.map_or(f64::INFINITY, |q| sign * (q - bound))
        }
        Pair::Bodies(..) => {
            let row = evaluate(model, pair, at, warm);
            let gradient = row.wrenches.map(|side| {
                let (body, w) = side?;
                let pose = &at.poses[body.index()];
                Some((body, at_place(model, body, &w, &row.point, pose)))
            });
            if row.gap < 0.0 {
                out.push(Bearing {
                    gap: row.gap,
                    gradient,
                    point: row.point,
                    normal: row.normal,
                });
            }
            row.gap
        }
    }
}

/// Two colliders one of which is round.
fn round(
    model: &Model,
    faces: &Faces,
    pair: &Pair,
    at: &Path,
    share: f64,
    out: &mut Vec<Bearing>,
) -> f64 {
    let row = evaluate(model, pair, at, &mut None);
    if row.gap >= 0.0 {
        return row.gap;
    }
    let mut points = Vec::new();
    faces.points(model, pair, at, &row, share * row.gap, &mut points);
    for p in &points {
        let normal = p.normal(at.poses);
        let place = p.b.place(at.poses);
        let side = |body: Option<BodyId>, sign: f64| {
            let body = body?;
            let w = Wrench {
                force: normal * sign,
                torque: Vector3::zeros(),
            };
            Some((
                body,
                at_place(model, body, &w, &place, &at.poses[body.index()]),
            ))
        };
        out.push(Bearing {
            gap: p.gap(at.poses),
            gradient: [side(p.a.body, 1.0), side(p.b.body, -1.0)],
            point: place,
            normal,
        });
    }
    row.gap
}

/// Two polytopes, by the SSH LP and the patch they share.
#[allow(clippy::too_many_arguments)]
fn parts(
    model: &Model,
    faces: &Faces,
    [a, b]: [&Collider; 2],
    at: &Path,
    share: f64,
    warm: &mut Option<Basis>,
    patch: &mut Patch,
    out: &mut Vec<Bearing>,
) -> f64 {
    let (va, vb) = (part(model, a), part(model, b));
    let [pa, pb] = [a, b].map(|c| c.pose(at.poses));
    let beta = direction(va, pa, vb, pb);
    let (x, y) = (Posed::new(va, pa), Posed::new(vb, pb));
    let g = gap(x, y, beta, warm);
    let least = g.contact.gap;
    if g.status == Status::Unbounded || least >= 0.0 {
        return least;
    }
    let spread = (pa.point(va.mean()) - pb.point(vb.mean())).norm();
    let (Collider::Part { body: ba, .. }, Collider::Part { body: bb, .. }) = (a, b) else {
        return least;
    };
    // ∂gap/∂q: α at the points of contact, and β turns with the centres (thesis (3.50)).
    let bearing = |c: &Contact| {
        let along = turn_of_direction(&beta, &c.alpha, c.gap, spread);
        let side = |local: &Vector3<f64>, mean: &Vector3<f64>, sign: f64| {
            let mut y = Covector::at_point(c.alpha * sign, local);
            y.add(&Covector::at_point(along * sign, mean), 1.0);
            y
        };
        Bearing {
            gap: c.gap,
            gradient: [
                Some((*ba, side(&c.local_a, va.mean(), 1.0))),
                Some((*bb, side(&c.local_b, vb.mean(), -1.0))),
            ],
            point: (c.point_a + c.point_b) * 0.5,
            normal: c.normal(),
        }
    };
    let sides = [(a, va, pa), (b, vb, pb)].map(|(c, vertices, pose)| Side {
        faces: faces.of(c),
        vertices,
        pose,
    });
    patch.find(sides, &g.contact, share * least);
    // Corners that edges make at a small angle are left out: nothing is lost if others are as deep.
    let enough = patch.deepest() <= least * (0.8 + 0.2 * share);
    if patch.corners.len() >= 2 {
        for corner in &patch.corners {
            let [point_a, point_b] = corner.points;
            out.push(bearing(&Contact {
                gap: corner.gap,
                beta,
                alpha: corner.alpha,
                point_a,
                point_b,
                local_a: in_body(pa, &point_a),
                local_b: in_body(pb, &point_b),
            }));
        }
        if enough {
            return least;
        }
    }
    let mut c = g.contact;
    if patch.corners.len() < 2
        && !is_unique(&g, x, y)
        && let Some((symmetric, _)) = symmetric_contact(&g, x, y)
    {
        c = symmetric;
    }
    out.push(bearing(&c));
    least
}

/// A point of the world in the frame of a body, whose directors need not be orthonormal.
fn in_body(pose: &Pose, point: &Vector3<f64>) -> Vector3<f64> {
    let inverse = pose.directors.try_inverse();
    inverse.map_or(Vector3::zeros(), |m| m * (point - pose.position))
}

/// A wrench that is a force at a point, as a covector; particles have no directors.
fn at_place(
    model: &Model,
    body: BodyId,
    w: &Wrench,
    point: &Vector3<f64>,
    pose: &Pose,
) -> Covector {
    if model.is_particle(body) {
        return Covector {
            force: w.force,
            ..Covector::default()
        };
    }
    Covector::at_point(w.force, &in_body(pose, point))
}
