//! The patch two bodies share: points that carry a resting or sliding contact.
//!
//! A face on one side is the reference; the face of the other side that looks at it is clipped by
//! the reference's sides. Each point has its own gap to the reference plane, so that one point more
//! does no harm. Contacts without a face (edge on edge, beads) have a single point.

use carom_gap::gap::Feature;
use carom_gap::round::{PatchPoint, Roll, patch_points, patch_points_on};
use nalgebra::Vector3;
use smallvec::SmallVec;

use super::contact_point::{Anchor, ContactPoint, single};
use super::pair_gap::{GapRow, Path, crossed_edges, distance_between, is_round, part, solid};
use super::pairs::{Collider, Pair, body_of};
use crate::model::{BodyId, Model};

/// A face is the reference when its normal is this close to that of the contact (cosine).
const ALIGNED: f64 = 1.0 - 1e-6;
/// Points this far outside the reference, in body sizes, count as inside.
pub(super) const SLACK: f64 = 1e-9;

/// Corners of a polygon, which are mostly few.
type Polygon = SmallVec<[Vector3<f64>; 16]>;

/// A face of a convex part, in the body frame.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub normal: Vector3<f64>,
    pub points: Vec<Vector3<f64>>,
}

/// Faces of all parts of all bodies.
#[derive(Clone, Debug)]
pub struct Faces(Vec<Vec<Vec<Face>>>);

impl Faces {
    /// Faces of a model's bodies.
    pub fn new(model: &Model) -> Self {
        let of = |body: &crate::model::Body| {
            let Some(shape) = &body.shape else {
                return Vec::new();
            };
            let parts = shape.parts().iter().zip(shape.vertices());
            parts
                .map(|(part, vertices)| {
                    let points = vertices.points();
                    let loops = part.convex.faces();
                    if vertices.is_planar() {
                        return edges(loops, points);
                    }
                    loops.iter().map(|l| face(l, points)).collect()
                })
                .collect()
        };
        Self(model.bodies().iter().map(of).collect())
    }

    /// Faces of a part; none of anything else.
    pub(super) fn of(&self, c: &Collider) -> &[Face] {
        match c {
            Collider::Part { body, part } => &self.0[body.index()][*part],
            _ => &[],
        }
    }

    /// Points of a contact whose gap and normal are in `row`; those further apart than `within` are
    /// left out.
    pub fn points(
        &self,
        model: &Model,
        pair: &Pair,
        at: &Path,
        row: &GapRow,
        within: f64,
        out: &mut Vec<ContactPoint>,
    ) {
        let poses = at.poses;
        let Pair::Bodies(a, b) = pair else {
            out.push(single(None, None, row, poses));
            return;
        };
        let (body_a, body_b) = (body_of(a), body_of(b));
        let from = out.len();
        match (a, b) {
            _ if is_round(model, a) || is_round(model, b) => {
                round(model, [a, b], at, within, out);
                if out.len() == from {
                    out.push(ContactPoint {
                        roll: Roll::Pair,
                        ..single(body_a, body_b, row, poses)
                    });
                }
            }
            (Collider::Part { body, .. }, Collider::Wall { index }) => {
                let wall = &model.contact().walls[*index].half_space;
                let n = *wall.normal();
                let pose = &poses[body.index()];
                for v in part(model, a).points() {
                    let x = pose.point(v);
                    let gap = x.dot(&n) - wall.offset();
                    if gap <= within {
                        out.push(ContactPoint {
                            a: Anchor {
                                body: body_a,
                                local: *v,
                            },
                            b: Anchor {
                                body: None,
                                local: x - n * gap,
                            },
                            frame: None,
                            normal: n,
                            edges: None,
                            freedom: None,
                            roll: Roll::Fixed,
                        });
                    }
                }
            }
            (Collider::Part { .. }, Collider::Part { .. }) => {
                self.patch(model, [a, b], [body_a, body_b], at, row, within, out);
            }
            _ => {}
        }
        if out.len() == from {
            // Where edges cross, their distance counts, wherever along them they meet.
            let cross = row.features == [Some(Feature::Edge); 2];
            let edges = cross.then(|| crossed_edges(model, pair, at)).flatten();
            out.push(ContactPoint {
                edges,
                ..single(body_a, body_b, row, poses)
            });
            if edges.is_some() {
                self.leaning([a, b], at, row, within, out);
            }
        }
    }

    /// The shared patch of two parts by clipping.
    #[allow(clippy::too_many_arguments)]
    fn patch(
        &self,
        model: &Model,
        sides: [&Collider; 2],
        bodies: [Option<BodyId>; 2],
        at: &Path,
        row: &GapRow,
        within: f64,
        out: &mut Vec<ContactPoint>,
    ) {
        let [Some(ba), Some(bb)] = bodies else { return };
        let poses = [&at.poses[ba.index()], &at.poses[bb.index()]];
        // Outward at the contact: −n for the first, n for the second.
        let outward = [-row.normal, row.normal];
        let best = [0, 1].map(|s: usize| {
            let local = poses[s].direction_to_body(&outward[s]);
            let faces = self.of(sides[s]).iter().enumerate();
            faces
                .map(|(k, f)| (k, f.normal.dot(&local)))
                .max_by(|x, y| x.1.total_cmp(&y.1))
        });
        let cosine = |s: usize| best[s].map_or(-1.0, |(_, c)| c);
        // The second unless the first is clearly better: order must not depend on round-off.
        let reference = if cosine(0) > cosine(1) + 1e-9 { 0 } else { 1 };
        let incident = 1 - reference;
        let Some((k, c)) = best[reference] else {
            return;
        };
        if c < ALIGNED {
            return;
        }
        let face = &self.of(sides[reference])[k];
        let vr = part(model, sides[reference]);
        let vi = part(model, sides[incident]);
        let size = vr.reach().max(vi.reach());
        let n = poses[reference].vector(&face.normal);
        let loops = &face.points;
        // What looks at the reference: a face, or all of a segment or point.
        let looking: &[Vector3<f64>] = match best[incident] {
            Some((k, _)) => {
                let down = poses[incident].direction_to_body(&-n);
                let faces = self.of(sides[incident]);
                let facing = faces
                    .iter()
                    .enumerate()
                    .max_by(|x, y| x.1.normal.dot(&down).total_cmp(&y.1.normal.dot(&down)))
                    .map_or(k, |(k, _)| k);
                &faces[facing].points
            }
            None => vi.points(),
        };
        let mut polygon: Polygon = looking.iter().map(|x| poses[incident].point(x)).collect();
        let corners: Polygon = loops.iter().map(|x| poses[reference].point(x)).collect();
        if corners.len() == 2 {
            let along = corners[1] - corners[0];
            clip(&mut polygon, &corners[0], &-along, SLACK * size);
            clip(&mut polygon, &corners[1], &along, SLACK * size);
        } else {
            for (k, p) in corners.iter().enumerate() {
                let next = &corners[(k + 1) % corners.len()];
                clip(&mut polygon, p, &(next - p).cross(&n), SLACK * size);
            }
        }
        let frame = bodies[reference];
        let sign = if reference == 1 { 1.0 } else { -1.0 };
        let from = out.len();
        for x in &polygon {
            let gap = (x - corners[0]).dot(&n);
            let doubled = out[from..].iter().any(|p| {
                let anchor = if reference == 1 { &p.a } else { &p.b };
                (anchor.place(at.poses) - x).norm() <= 1e-7 * size
            });
            if gap > within || doubled {
                continue;
            }
            let on_plane = x - n * gap;
            let (xa, xb) = if reference == 1 {
                (*x, on_plane)
            } else {
                (on_plane, *x)
            };
            out.push(ContactPoint {
                a: Anchor::at(bodies[0], &xa, at.poses),
                b: Anchor::at(bodies[1], &xb, at.poses),
                frame,
                normal: face.normal * sign,
                edges: None,
                freedom: None,
                roll: Roll::Fixed,
            });
        }
    }
}

/// The points of two colliders one of which is round.
fn round(
    model: &Model,
    [a, b]: [&Collider; 2],
    at: &Path,
    within: f64,
    out: &mut Vec<ContactPoint>,
) {
    let [pa, pb] = [a, b].map(|c| c.pose(at.poses));
    let (Some(x), Some(found)) = (solid(model, a), distance_between(model, [a, b], [pa, pb]))
    else {
        return;
    };
    let bodies = [body_of(a), body_of(b)];
    let held = |p: PatchPoint| {
        // The normal turns with the side that is flat.
        let frame = p.reference.and_then(|side| bodies[side]);
        let frame = frame.filter(|_| matches!(p.roll, Roll::Fixed | Roll::Circle { .. }));
        ContactPoint {
            a: Anchor::at(bodies[0], &p.point_a, at.poses),
            b: Anchor::at(bodies[1], &p.point_b, at.poses),
            frame,
            normal: frame.map_or(p.normal, |f| {
                at.poses[f.index()].direction_to_body(&p.normal)
            }),
            edges: None,
            freedom: None,
            roll: p.roll,
        }
    };
    match (solid(model, b), b) {
        (Some(y), _) => out.extend(patch_points(x, pa, y, pb, &found, within).map(held)),
        (None, Collider::Wall { index }) => {
            let wall = &model.contact().walls[*index].half_space;
            out.extend(patch_points_on(x, pa, wall, &found, within).map(held));
        }
        _ => {}
    }
}

fn face(indices: &[u32], points: &[Vector3<f64>]) -> Face {
    let points: Vec<Vector3<f64>> = indices.iter().map(|&i| points[i as usize]).collect();
    // Newell's normal.
    let mut normal = Vector3::zeros();
    for (k, p) in points.iter().enumerate() {
        let next = points[(k + 1) % points.len()];
        normal += (p - points[0]).cross(&(next - points[0]));
    }
    Face {
        normal: normal.normalize(),
        points,
    }
}

/// Edges of a planar polygon (counter-clockwise) as its faces.
fn edges(loops: &[Vec<u32>], points: &[Vector3<f64>]) -> Vec<Face> {
    let mut out = Vec::new();
    for l in loops {
        for (k, &i) in l.iter().enumerate() {
            let (p, q) = (points[i as usize], points[l[(k + 1) % l.len()] as usize]);
            out.push(Face {
                normal: (q - p).cross(&Vector3::z()).normalize(),
                points: vec![p, q],
            });
        }
    }
    out
}

/// Leaves of a convex polygon (or segment, or point) what lies on the inner side of a plane.
fn clip(polygon: &mut Polygon, at: &Vector3<f64>, outward: &Vector3<f64>, slack: f64) {
    let length = outward.norm();
    if length == 0.0 || polygon.is_empty() {
        return;
    }
    let height = |x: &Vector3<f64>| (x - at).dot(outward) / length;
    let count = polygon.len();
    let mut kept = Polygon::new();
    // A segment has one side, not two.
    let sides = if count == 2 { 1 } else { count };
    for k in 0..count {
        let p = polygon[k];
        let hp = height(&p);
        if hp <= slack {
            kept.push(p);
        }
        if k < sides && count > 1 {
            let q = polygon[(k + 1) % count];
            let hq = height(&q);
            if (hp <= slack) != (hq <= slack) {
                kept.push(p + (q - p) * ((hp - slack) / (hp - hq)).clamp(0.0, 1.0));
            }
        }
    }
    *polygon = kept;
}
