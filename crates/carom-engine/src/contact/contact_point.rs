//! Points that carry a contact, each held by the two bodies: where they are, how far apart, which way they push.

use carom_gap::Pose;
use carom_gap::round::Roll;
use nalgebra::Vector3;

use super::manifold::SLACK;
use super::pair_gap::{GapRow, Path, evaluate, gap_of};
use super::pairs::Pair;
use crate::mechanics::Wrench;
use crate::model::{BodyId, Grains, Model};

/// Sine of an angle between two edges that counts as none.
const PARALLEL: f64 = 1e-9;

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

/// The point an impact acts at.
pub fn centre_point(pair: &Pair, row: &GapRow, poses: &[Pose]) -> ContactPoint {
    let [a, b] = pair.bodies();
    single(a, b, row, poses)
}

/// A contact of one point, from its row.
pub(super) fn single(
    a: Option<BodyId>,
    b: Option<BodyId>,
    row: &GapRow,
    poses: &[Pose],
) -> ContactPoint {
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
