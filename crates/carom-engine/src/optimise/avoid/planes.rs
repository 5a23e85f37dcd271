//! Planes between two parts as unknowns: the linear program of the gap inside the nonlinear one.
//!
//! The gap of two parts is positive exactly if some plane has all vertices of one on one side and
//! all vertices of the other on the other side (the dual of the SSH LP). The optimiser looks for
//! that plane together with the motion: first one for each step, so that nothing slips through between
//! two nodes; then one for each node, and for places between nodes that need one, since a plane for
//! both ends of a step leaves some room. It is held in one of the two bodies, the *holder*, with
//!
//! ```text
//! |ν|² = 1                      for its normal ν in the holder's frame,
//! o − ν · v ≥ 0                 for the vertices v of the holder, with its offset o,
//! D ν · (x − φ) − o ≥ margin    for the vertices x of the other part, where the plane serves.
//! ```
//!
//! Spheres, capsules and rounded hulls are points with a ball around each: its radius stands on the right
//! of their rows, and they are seen exactly.
//!
//! Rows are linear in the plane and bilinear in the poses: smooth where the gap itself has kinks.

use carom_gap::gap::{Posed, Side, centre_direction, gap};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::between;
use super::gaps::hull;
use super::hinge::Hinge;
use super::place::Place;
use crate::contact::{Collider, Pair, distance_between, part};
use crate::model::{BodyId, BodyKind, Model};

/// A plane with the places of its unknowns ν and o.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    holder: Side,
    /// Its own place among the planes.
    pub index: usize,
    /// ν₁, followed by ν₂, ν₃ and o.
    pub first: usize,
    /// Where it separates them.
    pub span: Span,
    pub pair: Pair,
}

/// Where a plane serves: at both ends of a step and on the way, or at one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Span {
    Step(usize),
    At(Place),
}

/// A span that can be looked up: kind, node, part of the step as bits.
pub(crate) type SpanKey = (u8, usize, u64);
/// The kind of whole steps.
pub(crate) const WHOLE_STEP: u8 = 0;

impl Span {
    pub fn key(self) -> SpanKey {
        match self {
            Span::Step(step) => (WHOLE_STEP, step, 0),
            Span::At(Place::Node(node)) => (1, node, 0),
            Span::At(Place::Way { step, s }) => (2, step, s.to_bits()),
        }
    }

    /// As text, a part of identities.
    pub fn name(self) -> String {
        match self {
            Span::Step(step) => format!("s{step}"),
            Span::At(Place::Node(node)) => format!("n{node}"),
            Span::At(Place::Way { step, s }) => format!("w{step}:{:x}", s.to_bits()),
        }
    }

    /// Spans whose planes this one takes the place of.
    pub fn ancestors(self) -> Vec<Self> {
        match self {
            Span::Step(_) => Vec::new(),
            Span::At(Place::Node(0)) => vec![Span::Step(0)],
            Span::At(Place::Node(node)) => vec![Span::Step(node - 1), Span::Step(node)],
            Span::At(Place::Way { step, .. }) => vec![Span::Step(step)],
        }
    }

    /// Nodes that its rows depend on.
    pub fn nodes(self) -> std::ops::Range<usize> {
        match self {
            Span::Step(step) => step..step + 2,
            Span::At(place) => place.nodes(),
        }
    }
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

    /// The two bodies.
    pub fn bodies(&self) -> Vec<BodyId> {
        self.pair.bodies().into_iter().flatten().collect()
    }

    /// ν.
    pub fn normal(&self, x: &[f64]) -> Vector3<f64> {
        Vector3::from_column_slice(&x[self.first..self.first + 3])
    }

    /// o.
    pub fn offset(&self, x: &[f64]) -> f64 {
        x[self.first + 3]
    }

    /// Depth of a vertex of the holder below the plane, o − ν · v.
    pub fn depth(&self, vertex: &Vector3<f64>, x: &[f64]) -> f64 {
        self.offset(x) - self.normal(x).dot(vertex)
    }
}

/// A plane of an earlier round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kept {
    pub holder: Side,
    pub normal: Vector3<f64>,
    pub offset: f64,
}

/// A plane that separates a pair as well as one can.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    holder: Side,
    /// ν.
    pub normal: Vector3<f64>,
    /// Height of the holder's highest vertex.
    top: f64,
    pub offset: f64,
    /// Vertices of the holder that the other body shares.
    pub shared: Vec<(usize, Vector3<f64>)>,
    /// The other vertices of the holder, and of the other part.
    pub below: Vec<(usize, Vector3<f64>)>,
    pub above: Vec<(usize, Vector3<f64>)>,
    /// Radii of the balls around vertices of the holder, and of the other part.
    pub radii: [f64; 2],
}

/// The plane that separates two parts best at a configuration; none for other pairs.
pub(crate) fn find_at(
    model: &Model,
    pair: &Pair,
    poses: &[Pose],
    hinge: Option<&Hinge>,
) -> Option<Found> {
    let mut found = at(model, pair, poses, hinge)?;
    found.offset = 0.5 * (found.top + found.least_height(pair.poses(poses)));
    Some(found)
}

/// The plane that separates two parts best at both ends of a step, of those that do so somewhere on the way, and, if
/// `swept`, for the hull of both ends; none for other pairs.
pub(crate) fn find(
    model: &Model,
    pair: &Pair,
    [from, to]: [&[Pose]; 2],
    hinge: Option<&Hinge>,
    swept: bool,
) -> Option<Found> {
    let ways = [0.5, 0.0, 1.0].map(|s| between::poses(pair, from, to, s));
    let mut all = Vec::new();
    for way in &ways {
        all.push(at(model, pair, way, hinge)?);
    }
    if swept {
        all.extend(over(model, pair, [from, to], hinge));
    }
    let mut best: Option<(f64, Found)> = None;
    for mut found in all {
        let least = [from, to].map(|ends| found.least_height(pair.poses(ends)));
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
        let [holder, other] = match self.holder {
            Side::A => poses,
            Side::B => [poses[1], poses[0]],
        };
        let normal = holder.directors * self.normal;
        let above = self.above.iter();
        let heights = above.map(|(_, v)| normal.dot(&(other.point(v) - holder.position)));
        heights.fold(f64::INFINITY, f64::min) - self.radii[1]
    }

    /// Lets the plane touch its holder.
    pub fn lie_on_holder(&mut self) {
        self.offset = self.top;
    }

    /// The plane of a pair in a step, with its place and its unknowns from `first` on.
    pub fn plane(&self, [index, first]: [usize; 2], pair: Pair, span: Span) -> Plane {
        Plane {
            holder: self.holder,
            index,
            first,
            span,
            pair,
        }
    }
}

/// A plane of an earlier round.
pub(crate) fn again(
    model: &Model,
    pair: &Pair,
    kept: &Kept,
    hinge: Option<&Hinge>,
) -> Option<Found> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { .. }) = *pair else {
        return None;
    };
    let parts = hulls(model, [&a, &b], hinge);
    let mut found = held(kept.holder, parts, kept.normal, hinge);
    found.offset = kept.offset;
    Some(found)
}

/// The plane of the linear program of two parts at a configuration.
fn at(model: &Model, pair: &Pair, poses: &[Pose], hinge: Option<&Hinge>) -> Option<Found> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { body, .. }) = *pair else {
        return None;
    };
    let [pa, pb] = pair.bodies().map(|m| m.map(|id| &poses[id.index()]));
    let (pa, pb, va, vb) = (pa?, pb?, part(model, &a), part(model, &b));
    let hulls = hulls(model, [&a, &b], hinge);
    let fixed = model.body(body).kind == BodyKind::Static;
    if hulls.iter().any(|(_, radius)| *radius > 0.0)
        && let Some(found) = distance_between(model, [&a, &b], [pa, pb])
    {
        // What is not round holds the plane: its face may be the one.
        return Some(match hulls[0].1 == 0.0 && !fixed {
            true => held(Side::A, hulls, -pa.direction_to_body(&found.normal), hinge),
            false => held(Side::B, hulls, pb.direction_to_body(&found.normal), hinge),
        });
    }
    let planar = va.is_planar() && vb.is_planar();
    let beta = centre_direction(&pa.point(va.mean()), &pb.point(vb.mean()), planar);
    let g = gap(Posed::new(va, pa), Posed::new(vb, pb), beta, &mut None);
    let normal = g.contact.normal();
    let on_a = g.spanning().filter(|(side, _)| *side == Side::A).count();
    // A face holds its plane; of two edges, the body that does not move or the second.
    Some(if on_a >= 3 && !fixed {
        held(Side::A, hulls, -pa.direction_to_body(&normal), hinge)
    } else {
        held(Side::B, hulls, pb.direction_to_body(&normal), hinge)
    })
}

/// The planes of the linear programs of one part and the hull of the other at both ends of a step, as the first sees it.
fn over(model: &Model, pair: &Pair, ends: [&[Pose]; 2], hinge: Option<&Hinge>) -> Vec<Found> {
    let (Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { body, .. }), None) =
        (*pair, hinge)
    else {
        return Vec::new();
    };
    let hulls = hulls(model, [&a, &b], hinge);
    let fixed = model.body(body).kind == BodyKind::Static;
    let sides: &[Side] = if fixed {
        &[Side::B]
    } else {
        &[Side::A, Side::B]
    };
    let plane = |side: &Side| {
        let (own, other) = match side {
            Side::A => (hulls[0].0, hulls[1].0),
            Side::B => (hulls[1].0, hulls[0].0),
        };
        let points: Vec<_> = (ends.iter())
            .flat_map(|poses| {
                let [pa, pb] = pair.poses(poses);
                let (holder, moved) = match side {
                    Side::A => (pa, pb),
                    Side::B => (pb, pa),
                };
                let seen = holder.inverse().compose(moved);
                other.points().iter().map(move |v| seen.point(v))
            })
            .collect();
        let planar = own.is_planar() && other.is_planar();
        let swept = match planar {
            true => Vertices::planar(&points),
            false => Vertices::new(&points),
        };
        let still = Pose::identity();
        let beta = centre_direction(swept.mean(), own.mean(), planar);
        let g = gap(
            Posed::new(&swept, &still),
            Posed::new(own, &still),
            beta,
            &mut None,
        );
        held(*side, hulls, g.contact.normal(), hinge)
    };
    sides.iter().map(plane).collect()
}

/// Points of two parts with their radii; vertices of polytopes where a joint holds them together.
fn hulls<'a>(
    model: &'a Model,
    pair: [&Collider; 2],
    hinge: Option<&Hinge>,
) -> [(&'a Vertices, f64); 2] {
    pair.map(|c| match hinge {
        None => hull(model, c),
        Some(_) => (part(model, c), 0.0),
    })
}

/// A plane that touches the part of its holder; its normal ν in the holder's frame.
fn held(
    holder: Side,
    [a, b]: [(&Vertices, f64); 2],
    normal: Vector3<f64>,
    hinge: Option<&Hinge>,
) -> Found {
    let ((own, other), far) = match holder {
        Side::A => ((a, b), Side::B),
        Side::B => ((b, a), Side::A),
    };
    let radii = [own.1, other.1];
    let (own, other) = (own.0, other.0);
    let top = normal.dot(&own.points()[own.support(&normal, 0).0]) + radii[0];
    let list = |v: &Vertices, side: Side, shared: bool| {
        let all = v.points().iter().copied().enumerate();
        let common = |v: &Vector3<f64>| hinge.is_some_and(|h| h.holds(side, v));
        all.filter(|(_, v)| common(v) == shared).collect()
    };
    Found {
        holder,
        normal,
        top,
        offset: top,
        shared: list(own, holder, true),
        below: list(own, holder, false),
        above: list(other, far, false),
        radii,
    }
}
