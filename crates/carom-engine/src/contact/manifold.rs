//! The patch two bodies share: points that carry a resting or sliding contact.
//!
//! A face on one side is the reference; the face of the other side that looks at it is clipped by
//! the reference's sides. Each point has its own gap to the reference plane, so that one point more
//! does no harm. Contacts without a face (edge on edge, beads) have a single point.

use carom_gap::Pose;
use carom_gap::gap::Feature;
use carom_gap::round::{PatchPoint, Roll, patch_points, patch_points_on};
use nalgebra::Vector3;
use smallvec::SmallVec;

use super::pair_gap::{
    GapRow, Path, crossed_edges, distance_between, evaluate, gap_of, is_round, part, solid,
};
use super::pairs::{Collider, Pair, body_of};
use crate::mechanics::Wrench;
use crate::model::{BodyId, Grains, Model};

/// A face is the reference when its normal is this close to that of the contact (cosine).
const ALIGNED: f64 = 1.0 - 1e-6;
/// Sine of an angle between two edges that counts as none.
const PARALLEL: f64 = 1e-9;
/// Points this far outside the reference, in body sizes, count as inside.
const SLACK: f64 = 1e-9;

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

/// A point held by a body, or by the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body.
    pub body: Option<BodyId>,
    /// In its frame.
    pub local: Vector3<f64>,
}

impl Anchor {
    /// Where it is.
    pub fn place(&self, poses: &[Pose]) -> Vector3<f64> {
        self.body
            .map_or(self.local, |b| poses[b.index()].point(&self.local))
    }

    pub(super) fn at(body: Option<BodyId>, world: &Vector3<f64>, poses: &[Pose]) -> Self {
        let local = body.map_or(*world, |b| {
            let pose = &poses[b.index()];
            pose.directors.tr_mul(&(world - pose.position))
        });
        Self { body, local }
    }
}

/// One point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Point of the first.
    pub a: Anchor,
    /// Point of the second.
    pub b: Anchor,
    /// The body the normal turns with.
    pub frame: Option<BodyId>,
    /// Unit normal from the second to the first, in that body's frame.
    pub normal: Vector3<f64>,
    /// Directions of two edges that cross, each in its body: the normal stays across both.
    pub edges: Option<[Vector3<f64>; 2]>,
    /// For limits: the degree of freedom and its sign.
    pub freedom: Option<(usize, f64)>,
    /// Of a round body: how its gap changes as the point of contact moves along the surface.
    pub roll: Roll,
}

impl ContactPoint {
    /// Whether other points of a round body take its place as that rolls.
    pub fn rolls(&self) -> bool {
        self.roll != Roll::Fixed
    }

    /// The normal in the world.
    pub fn normal(&self, poses: &[Pose]) -> Vector3<f64> {
        if let Some([e, f]) = self.edges
            && let [Some(a), Some(b)] = [self.a.body, self.b.body]
        {
            let across = (poses[a.index()].vector(&e)).cross(&poses[b.index()].vector(&f));
            if let Some(n) = across.try_normalize(PARALLEL) {
                return n;
            }
        }
        self.frame
            .map_or(self.normal, |b| poses[b.index()].vector(&self.normal))
    }

    /// Distance of the points along the normal. Where a round body has a single point, it is what the
    /// points it was found with say.
    pub fn gap(&self, poses: &[Pose]) -> f64 {
        match self.roll {
            Roll::Circle { .. } | Roll::Beside(_) => {
                let now = self.rolled(poses);
                (now.a.place(poses) - now.b.place(poses)).dot(&now.normal(poses))
            }
            _ => (self.a.place(poses) - self.b.place(poses)).dot(&self.normal(poses)),
        }
    }

    /// The same contact where it is on both bodies at other poses: on a body that rolls, other points.
    pub fn rolled(&self, poses: &[Pose]) -> Self {
        let place =
            |body: Option<BodyId>, x: &Vector3<f64>| body.map_or(*x, |b| poses[b.index()].point(x));
        let vector = |body: Option<BodyId>, x: &Vector3<f64>| {
            body.map_or(*x, |b| poses[b.index()].vector(x).normalize())
        };
        match &self.roll {
            Roll::Fixed | Roll::Pair => *self,
            Roll::Circle {
                side,
                center,
                axis,
                radius,
                ball,
                ..
            } => {
                let sides = [&self.a, &self.b];
                let body = sides[*side].body;
                // Out of the body: against the normal on the first, along it on the second.
                let n = self.normal(poses);
                let out = if *side == 0 { -n } else { n };
                let axis = vector(body, axis);
                let across = out - axis * axis.dot(&out);
                let rim = match across.try_normalize(1e-12) {
                    Some(d) => d * *radius,
                    None => Vector3::zeros(),
                };
                let low = place(body, center) + rim + out * *ball;
                let plane = sides[1 - side].place(poses);
                let foot = low - n * (low - plane).dot(&n);
                let (x, y) = if *side == 0 { (low, foot) } else { (foot, low) };
                Self {
                    a: Anchor::at(self.a.body, &x, poses),
                    b: Anchor::at(self.b.body, &y, poses),
                    ..*self
                }
            }
            Roll::Beside(beside) => {
                let bodies = [self.a.body, self.b.body];
                let now = beside.at(|s, x| place(bodies[s], x), |s, x| vector(bodies[s], x));
                let ([x, y], n) = now.unwrap_or_else(|| {
                    let n = self.normal(poses);
                    ([self.a.place(poses), self.b.place(poses)], n)
                });
                Self {
                    a: Anchor::at(self.a.body, &x, poses),
                    b: Anchor::at(self.b.body, &y, poses),
                    normal: n,
                    ..*self
                }
            }
        }
    }

    /// [`rolled`](Self::rolled) for all kinds: the single point of a pair is found anew.
    pub fn at(&self, model: &Model, pair: &Pair, at: &Path) -> Self {
        if self.roll != Roll::Pair {
            return self.rolled(at.poses);
        }
        let row = evaluate(model, pair, at, &mut None);
        Self {
            roll: Roll::Pair,
            ..centre_point(pair, &row, at.poses)
        }
    }

    /// The gap at any poses.
    pub fn gap_at(&self, model: &Model, pair: &Pair, at: &Path) -> f64 {
        match self.roll == Roll::Pair || self.freedom.is_some() {
            true => gap_of(model, pair, at, &mut None),
            false => self.gap(at.poses),
        }
    }

    /// Whether the same two edges cross at both points.
    pub fn is_same_crossing(&self, other: &Self, size: f64) -> bool {
        let (Some([e, f]), Some([g, h])) = (self.edges, other.edges) else {
            return false;
        };
        let off = |x: &Vector3<f64>, y: &Vector3<f64>| x.cross(y).norm();
        [self.a.body, self.b.body] == [other.a.body, other.b.body]
            && off(&e, &g) <= SLACK
            && off(&f, &h) <= SLACK
            && off(&e, &(other.a.local - self.a.local)) <= SLACK * size
            && off(&f, &(other.b.local - self.b.local)) <= SLACK * size
    }

    /// How far the first side of another point is off the plane of this one.
    pub fn gap_to(&self, other: &Self, poses: &[Pose]) -> f64 {
        (other.a.place(poses) - self.a.place(poses)).dot(&self.normal(poses))
    }

    /// The same contact as if made at one point of both.
    pub fn moved_to(&self, place: &Vector3<f64>, poses: &[Pose]) -> Self {
        Self {
            a: Anchor::at(self.a.body, place, poses),
            b: Anchor::at(self.b.body, place, poses),
            ..*self
        }
    }

    /// What an impulse along `direction` on the first (and against it on the second) does.
    pub fn wrenches(
        &self,
        direction: &Vector3<f64>,
        poses: &[Pose],
    ) -> [Option<(BodyId, Wrench)>; 2] {
        // Both feel it at the same place: nothing is left of it in sum.
        let place = self.a.place(poses);
        [(self.a.body, 1.0), (self.b.body, -1.0)].map(|(body, sign)| {
            let b = body?;
            let force = direction * sign;
            let torque = (place - poses[b.index()].position).cross(&force);
            Some((b, Wrench { force, torque }))
        })
    }

    /// Two unit vectors across the normal.
    pub fn tangents(&self, poses: &[Pose]) -> [Vector3<f64>; 2] {
        let n = self.normal(poses);
        let other = if n.x.abs() < 0.6 {
            Vector3::x()
        } else {
            Vector3::y()
        };
        let t = n.cross(&other).normalize();
        [t, n.cross(&t)]
    }

    /// The directions of friction: two unit vectors across the normal, or their images under the tensor
    /// of surfaces with a grain. In multiples of these Coulomb's disc is the ellipse of the tensor, and
    /// what slides is slowed down as fast as it can be.
    pub fn rubbing(&self, grains: &Grains, poses: &[Pose]) -> [Vector3<f64>; 2] {
        let across = self.tangents(poses);
        if *grains == Grains::default() {
            return across;
        }
        let n = self.normal(poses);
        let bodies = [self.a.body, self.b.body];
        let sides = [0, 1].map(|s: usize| {
            let (d, part) = grains.sides[s]?;
            let d = bodies[s].map_or(d, |b| poses[b.index()].vector(&d));
            Some((d - n * n.dot(&d), part))
        });
        across.map(|t| {
            let along = (sides.iter().flatten()).map(|(d, part)| d * (part * d.dot(&t)));
            t * grains.even + along.sum::<Vector3<f64>>()
        })
    }
}

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

/// The point an impact acts at.
pub fn centre_point(pair: &Pair, row: &GapRow, poses: &[Pose]) -> ContactPoint {
    let [a, b] = match pair {
        Pair::Bodies(a, b) => [body_of(a), body_of(b)],
        _ => [None; 2],
    };
    single(a, b, row, poses)
}

/// A contact of one point, from its row.
fn single(a: Option<BodyId>, b: Option<BodyId>, row: &GapRow, poses: &[Pose]) -> ContactPoint {
    let half = row.normal * (0.5 * row.gap / row.steepness.max(f64::MIN_POSITIVE));
    ContactPoint {
        a: Anchor::at(a, &(row.point + half), poses),
        b: Anchor::at(b, &(row.point - half), poses),
        frame: None,
        normal: row.normal,
        edges: None,
        freedom: row.freedom,
        roll: Roll::Fixed,
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
