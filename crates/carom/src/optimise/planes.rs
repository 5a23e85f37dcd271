//! Planes between two parts as unknowns: the linear program of the gap inside the nonlinear one.
//!
//! The gap of two parts is positive exactly if some plane has all vertices of one on one side and
//! all vertices of the other on the other side (the dual of the SSH LP). The optimiser looks for
//! that plane together with the motion, one for each step, so that nothing slips through between two
//! nodes. It is held in one of the two bodies, the *holder*, with
//!
//! ```text
//! |ν|² = 1                      for its normal ν in the holder's frame,
//! o − ν · v ≥ 0                 for the vertices v of the holder, with its offset o,
//! D ν · (x − φ) − o ≥ margin    for the vertices x of the other part, at both ends of the step.
//! ```
//!
//! Rows are linear in the plane and bilinear in the poses: smooth where the gap itself has kinks.

use carom_gap::gap::{Posed, Side, centre_direction, gap};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::between;
use super::gaps::{Arrow, GapTerm, Matrix12, Vector12, members, pair_poses, part};
use crate::contact::{Collider, Pair};
use crate::model::{BodyKind, Model};

/// Which vertices of two parts get rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All of them.
    All,
    /// Those near the plane: the others reach it only after the body has turned far, and what is
    /// missed is found by the check afterwards.
    Near,
}

impl Reach {
    /// Part of a body's height up to which its vertices are looked at.
    fn part(self) -> f64 {
        match self {
            Reach::All => 1.0,
            Reach::Near => 0.6,
        }
    }
}

/// A plane with the places of its unknowns ν and o.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    holder: Side,
    /// Its own place among the planes.
    pub index: usize,
    /// ν₁, followed by ν₂, ν₃ and o.
    pub first: usize,
    /// Its step.
    pub step: usize,
    /// A gap slot of its pair.
    pub slot: usize,
}

impl Plane {
    /// Whether the first body of the pair holds it.
    pub fn on_a(&self) -> bool {
        self.holder == Side::A
    }

    /// The plane at x, to begin another round with.
    pub fn kept(&self, x: &[f64]) -> Kept {
        let normal = self.normal(x);
        Kept {
            holder: self.holder,
            offset: self.offset(x) / normal.norm(),
            normal: normal.normalize(),
        }
    }

    /// ν.
    pub fn normal(&self, x: &[f64]) -> Vector3<f64> {
        Vector3::from_column_slice(&x[self.first..self.first + 3])
    }

    /// o.
    pub fn offset(&self, x: &[f64]) -> f64 {
        x[self.first + 3]
    }

    /// Height of a vertex of the other part above the plane.
    pub fn height(&self, across: &Arrow, poses: [&Pose; 2], x: &[f64]) -> GapTerm {
        let normal = Arrow::within(self.holder, self.normal(x));
        let mut term = product(normal, *across, poses);
        term.value -= self.offset(x);
        term
    }

    /// The derivatives of that height by ν, as functions of the poses.
    pub fn turns(&self, across: &Arrow, poses: [&Pose; 2]) -> [GapTerm; 3] {
        [0, 1, 2].map(|k| {
            let axis = Arrow::within(self.holder, Vector3::ith(k, 1.0));
            product(axis, *across, poses)
        })
    }

    /// Depth of a vertex of the holder below the plane, o − ν · v.
    pub fn depth(&self, vertex: &Vector3<f64>, x: &[f64]) -> f64 {
        self.offset(x) - self.normal(x).dot(vertex)
    }
}

/// A plane of an earlier round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    holder: Side,
    normal: Vector3<f64>,
    offset: f64,
}

/// A plane that separates a pair as well as one can, with the vertices near it.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    holder: Side,
    /// ν.
    pub normal: Vector3<f64>,
    /// Height of the holder's highest vertex.
    top: f64,
    pub offset: f64,
    /// Vertices of the holder.
    pub below: Vec<(usize, Vector3<f64>)>,
    /// From the origin of the holder to vertices of the other part.
    pub above: Vec<(usize, Arrow)>,
}

/// The plane that separates two parts best at both ends of a step, of those that do so somewhere
/// on the way; none for other pairs.
pub(crate) fn find(
    model: &Model,
    pair: &Pair,
    [from, to]: [&[Pose]; 2],
    reach: Reach,
) -> Option<Found> {
    let ways = [0.5, 0.0, 1.0].map(|s| between::poses(pair, from, to, s));
    let mut best: Option<(f64, Found)> = None;
    for way in &ways {
        let mut found = at(model, pair, way, reach)?;
        let least = [from, to].map(|ends| found.least_height(pair_poses(pair, ends)));
        let (low, high) = (found.top, least[0].min(least[1]));
        found.offset = 0.5 * (low + high);
        if best.as_ref().is_none_or(|(room, _)| high - low > *room) {
            best = Some((high - low, found));
        }
    }
    best.map(|(_, found)| found)
}

impl Found {
    /// Height of the lowest vertex of the other part over the holder's origin.
    fn least_height(&self, poses: [&Pose; 2]) -> f64 {
        let normal = Arrow::within(self.holder, self.normal).at(poses);
        let heights = self
            .above
            .iter()
            .map(|(_, across)| normal.dot(&across.at(poses)));
        heights.fold(f64::INFINITY, f64::min)
    }

    /// The plane with its place, its unknowns from `first` on, and a slot of its pair.
    pub fn plane(&self, [index, first, slot]: [usize; 3], step: usize) -> Plane {
        Plane {
            holder: self.holder,
            index,
            first,
            step,
            slot,
        }
    }
}

/// A plane of an earlier round with the vertices near it at a configuration.
pub(crate) fn again(
    model: &Model,
    pair: &Pair,
    kept: &Kept,
    poses: &[Pose],
    reach: Reach,
) -> Option<Found> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { .. }) = *pair else {
        return None;
    };
    let [pa, pb] = pair_poses(pair, poses);
    let (va, vb) = (part(model, &a), part(model, &b));
    let mut found = match kept.holder {
        Side::A => held(
            Side::A,
            (va, pa),
            (vb, pb),
            &(pa.directors * kept.normal),
            reach,
        ),
        Side::B => held(
            Side::B,
            (vb, pb),
            (va, pa),
            &(pb.directors * kept.normal),
            reach,
        ),
    };
    found.offset = kept.offset;
    Some(found)
}

/// The plane of the linear program of two parts at a configuration.
fn at(model: &Model, pair: &Pair, poses: &[Pose], reach: Reach) -> Option<Found> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { body, .. }) = *pair else {
        return None;
    };
    let [pa, pb] = members(pair).map(|m| m.map(|id| &poses[id.index()]));
    let (pa, pb, va, vb) = (pa?, pb?, part(model, &a), part(model, &b));
    let planar = va.is_planar() && vb.is_planar();
    let beta = centre_direction(&pa.point(va.mean()), &pb.point(vb.mean()), planar);
    let g = gap(Posed::new(va, pa), Posed::new(vb, pb), beta, &mut None);
    let normal = g.contact.normal();
    let on_a = g.spanning().filter(|(side, _)| *side == Side::A).count();
    // A face holds its plane; of two edges, the body that does not move or the second.
    let fixed = model.body(body).kind == BodyKind::Static;
    Some(if on_a >= 3 && !fixed {
        held(Side::A, (va, pa), (vb, pb), &-normal, reach)
    } else {
        held(Side::B, (vb, pb), (va, pa), &normal, reach)
    })
}

fn held(
    holder: Side,
    (own, pose): (&Vertices, &Pose),
    (other, far): (&Vertices, &Pose),
    normal: &Vector3<f64>,
    reach: Reach,
) -> Found {
    let local = pose.direction_to_body(normal);
    let seen = far.direction_to_body(normal);
    let top = own.points()[own.support(&local, 0).0];
    let across = |v: &Vector3<f64>| match holder {
        Side::A => Arrow::back(Vector3::zeros(), *v),
        Side::B => Arrow::across(*v, Vector3::zeros()),
    };
    Found {
        holder,
        normal: local,
        top: local.dot(&top),
        offset: local.dot(&top),
        below: lower(own.points(), &-local, reach)
            .map(|(k, v)| (k, *v))
            .collect(),
        above: lower(other.points(), &seen, reach)
            .map(|(k, v)| (k, across(v)))
            .collect(),
    }
}

/// The vertices in the lower part of a body.
fn lower<'a>(
    points: &'a [Vector3<f64>],
    up: &Vector3<f64>,
    reach: Reach,
) -> impl Iterator<Item = (usize, &'a Vector3<f64>)> {
    let heights = points.iter().map(|p| p.dot(up));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), h| {
        (a.min(h), b.max(h))
    });
    let most = low + reach.part() * (high - low) + 1e-12;
    let up = *up;
    points
        .iter()
        .enumerate()
        .filter(move |(_, p)| p.dot(&up) <= most)
}

/// n · d with its derivatives by both arrows.
pub(crate) fn product(normal: Arrow, across: Arrow, poses: [&Pose; 2]) -> GapTerm {
    let (n, d) = (normal.at(poses), across.at(poses));
    let mut gradient = Vector12::zeros();
    gradient.fixed_rows_mut::<3>(0).copy_from(&d);
    gradient.fixed_rows_mut::<3>(6).copy_from(&n);
    let mut hessian = Matrix12::zeros();
    for k in 0..3 {
        hessian[(k, 6 + k)] = 1.0;
        hessian[(6 + k, k)] = 1.0;
    }
    GapTerm {
        value: n.dot(&d),
        arrows: [normal, Arrow::NONE, across, Arrow::NONE],
        gradient,
        hessian,
    }
}

/// Heights of the vertices of a part above a half-space: one row each, without unknowns.
pub(crate) fn above_wall(model: &Model, pair: &Pair) -> Vec<Arrow> {
    let Pair::Bodies(a @ Collider::Part { .. }, Collider::Wall { index }) = *pair else {
        return Vec::new();
    };
    let wall = &model.contact().walls[index].half_space;
    let foot = *wall.normal() * wall.offset();
    (part(model, &a).points().iter())
        .map(|v| Arrow {
            parts: [(1.0, *v), (0.0, Vector3::zeros())],
            constant: -foot,
        })
        .collect()
}
