//! The gap of a pair as a smooth function of the coordinates, with its two derivatives.
//!
//! At a basis of the SSH LP the gap is fixed by four vertices: two planes with the common normal
//! n = e₁ × e₂ go through a vertex of each body, d apart, and
//!
//! ```text
//! gap = |b| det(e₁, e₂, d) / det(e₁, e₂, b),      b from the centre of part B to that of part A.
//! ```
//!
//! The four arrows e₁, e₂, d, b are linear in the redundant coordinates, so the derivatives by them
//! are all that is needed. They are exact as long as the basis holds; where it changes, the gap is
//! continuous and its gradient is that of one side.

use carom_gap::gap::{Basis, Posed, Side, centre_direction, gap};
use carom_gap::round::Core;
use carom_gap::{Pose, Vertices};
use nalgebra::{SMatrix, SVector, Vector3};

use crate::contact::{self, Collider, Pair, gap_of, part};
use crate::mechanics::hat;
use crate::model::{BodyId, Model};

pub(crate) type Vector12 = SVector<f64, 12>;
pub(crate) type Matrix12 = SMatrix<f64, 12, 12>;

/// A vector c + Σ (s φ + D l) over the two bodies of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrow {
    /// (s, l) of body a and of body b.
    pub parts: [(f64, Vector3<f64>); 2],
    pub constant: Vector3<f64>,
}

impl Arrow {
    pub(crate) const NONE: Self = Self {
        parts: [(0.0, Vector3::new(0.0, 0.0, 0.0)); 2],
        constant: Vector3::new(0.0, 0.0, 0.0),
    };

    /// From a point of b to a point of a.
    pub(crate) fn across(a: Vector3<f64>, b: Vector3<f64>) -> Self {
        Self {
            parts: [(1.0, a), (-1.0, -b)],
            ..Self::NONE
        }
    }

    /// A vector fixed in one of the bodies.
    pub(crate) fn within(side: Side, l: Vector3<f64>) -> Self {
        let mut out = Self::NONE;
        out.parts[side as usize].1 = l;
        out
    }

    pub(crate) fn at(&self, poses: [&Pose; 2]) -> Vector3<f64> {
        let mut v = self.constant;
        for ((s, l), pose) in self.parts.iter().zip(poses) {
            v += pose.position * *s + pose.directors * l;
        }
        v
    }
}

/// Gap of a pair with its derivatives by the arrows e₁, e₂, d, b.
#[derive(Clone, Debug)]
pub(crate) struct GapTerm {
    pub value: f64,
    pub arrows: [Arrow; 4],
    pub gradient: Vector12,
    pub hessian: Matrix12,
}

/// What a row measures of a pair.
#[derive(Clone, Debug)]
pub(crate) enum Measure {
    /// The gap of its linear program; with the last basis.
    Program(Option<Basis>),
    /// The height of a vertex above a half-space: the arrow from its edge.
    Wall { across: Arrow, vertex: usize },
    /// The distance of the centres of two balls.
    Balls { across: Arrow },
}

/// A pair of a row, and what the row measures of it.
#[derive(Clone, Debug)]
pub(crate) struct GapSlot {
    pub pair: Pair,
    pub measure: Measure,
}

impl GapSlot {
    /// As text, a part of identities.
    pub fn name(&self) -> String {
        let vertex = match self.measure {
            Measure::Wall { vertex, .. } => vertex,
            Measure::Program(_) | Measure::Balls { .. } => 0,
        };
        format!("{} {vertex}", name(&self.pair))
    }

    /// The bodies of its pair.
    pub fn bodies(&self) -> Vec<BodyId> {
        self.pair.bodies().into_iter().flatten().collect()
    }
}

/// Two colliders as numbers: kind, body (or wall) and part of each.
pub(crate) type PairNumbers = [usize; 6];

/// The colliders of a pair as numbers; those of nothing for other pairs.
pub(crate) fn numbers(pair: &Pair) -> PairNumbers {
    let of = |c: Collider| match c {
        Collider::Part { body, part } => [0, body.index(), part],
        Collider::Bead { body } => [1, body.index(), 0],
        Collider::Wall { index } => [2, index, 0],
    };
    let [[a, b, c], [d, e, f]] = (pair.colliders()).map_or([[usize::MAX; 3]; 2], |c| c.map(of));
    [a, b, c, d, e, f]
}

/// A pair of colliders as text.
pub(crate) fn name(pair: &Pair) -> String {
    numbers(pair).map(|n| n.to_string()).join(".")
}

/// Evaluates a row at the poses of all bodies.
pub(crate) fn evaluate_slot(model: &Model, slot: &mut GapSlot, poses: &[Pose]) -> GapTerm {
    let pair = slot.pair;
    match &mut slot.measure {
        Measure::Program(warm) => evaluate(model, &pair, poses, warm),
        Measure::Wall { across, .. } => {
            let normal = match pair {
                Pair::Bodies(_, Collider::Wall { index }) => {
                    *model.contact().walls[index].half_space.normal()
                }
                _ => Vector3::zeros(),
            };
            let normal = Arrow {
                constant: normal,
                ..Arrow::NONE
            };
            product(normal, *across, pair.poses(poses))
        }
        Measure::Balls { across } => distance(*across, pair.poses(poses)),
    }
}

/// Evaluates the gap of a pair at a configuration; `warm` is the last basis.
pub(crate) fn evaluate(
    model: &Model,
    pair: &Pair,
    poses: &[Pose],
    warm: &mut Option<Basis>,
) -> GapTerm {
    let Pair::Bodies(a, b) = *pair else {
        return linear(f64::INFINITY, Arrow::NONE, Vector3::zeros());
    };
    let [pa, pb] = pair.poses(poses);
    match (a, b) {
        (Collider::Part { .. }, Collider::Part { .. }) => {
            parts(part(model, &a), pa, part(model, &b), pb, warm)
        }
        (Collider::Part { .. }, Collider::Wall { index }) => {
            let wall = &model.contact().walls[index].half_space;
            let found = wall.gap(Posed::new(part(model, &a), pa), 0).contact;
            let arrow = Arrow::across(found.local_a, Vector3::zeros());
            linear(found.gap, arrow, *wall.normal())
        }
        (Collider::Bead { body }, Collider::Wall { index }) => {
            let wall = &model.contact().walls[index].half_space;
            let value = pa.position.dot(wall.normal()) - wall.offset() - model.body(body).radius;
            linear(
                value,
                Arrow::across(Vector3::zeros(), Vector3::zeros()),
                *wall.normal(),
            )
        }
        (Collider::Bead { body: x }, Collider::Bead { body: y }) => {
            let arrow = Arrow::across(Vector3::zeros(), Vector3::zeros());
            let mut term = distance(arrow, [pa, pb]);
            term.value -= model.body(x).radius + model.body(y).radius;
            term
        }
        (Collider::Bead { body: x }, Collider::Part { .. }) => {
            bead_and_part(model.body(x).radius, pa, part(model, &b), pb)
        }
        (Collider::Part { .. }, Collider::Bead { body: y }) => {
            // The same with the bodies exchanged.
            let mut term = bead_and_part(model.body(y).radius, pb, part(model, &a), pa);
            for arrow in &mut term.arrows {
                arrow.parts.swap(0, 1);
            }
            term
        }
        (Collider::Wall { .. }, _) => linear(f64::INFINITY, Arrow::NONE, Vector3::zeros()),
    }
}

/// What a part is to planes: points, and the radius of a ball swept over their hull. Spheres, capsules and
/// rounded hulls are just that; of other round bodies it is a polytope around them.
pub(crate) fn hull<'a>(model: &'a Model, collider: &Collider) -> (&'a Vertices, f64) {
    if let Collider::Part { body, part } = collider
        && let Some(shape) = model.body(*body).shape.as_ref()
        && let Some(round) = shape.round(*part)
        && let Core::Hull(points) = round.core()
    {
        return (points, round.radius());
    }
    (part(model, collider), 0.0)
}

/// The gap of two colliders. Limits of joints are bounds of unknowns, and no gaps here.
pub(crate) fn value(model: &Model, pair: &Pair, poses: &[Pose], warm: &mut Option<Basis>) -> f64 {
    let coordinates = &[];
    match pair {
        Pair::Bodies(..) => gap_of(model, pair, &contact::Path { poses, coordinates }, warm),
        _ => f64::INFINITY,
    }
}

/// The centres of two balls, as the arrow from the second to the first, and the sum of their radii; none for
/// other pairs.
pub(crate) fn balls(model: &Model, pair: &Pair) -> Option<(Arrow, f64)> {
    let Pair::Bodies(a @ Collider::Part { .. }, b @ Collider::Part { .. }) = pair else {
        return None;
    };
    let [(pa, ra), (pb, rb)] = [hull(model, a), hull(model, b)];
    match (pa.points(), pb.points()) {
        ([a], [b]) => Some((Arrow::across(*a, *b), ra + rb)),
        _ => None,
    }
}

/// Whether both sides of a pair are convex parts.
pub(crate) fn is_of_parts(pair: &Pair) -> bool {
    let parts = |c: &Collider| matches!(c, Collider::Part { .. });
    pair.colliders()
        .is_some_and(|sides| sides.iter().all(parts))
}

/// Whether planes keep a pair apart: two parts that are not both balls.
pub(crate) fn has_planes(model: &Model, pair: &Pair) -> bool {
    is_of_parts(pair) && balls(model, pair).is_none()
}

/// The centres of balls around two parts, as the arrow from the second to the first, and the sum of their radii.
pub(crate) fn balls_around(model: &Model, pair: &Pair) -> (Arrow, f64) {
    let Some([a, b]) = pair.colliders() else {
        return (Arrow::NONE, 0.0);
    };
    let [(ca, ra), (cb, rb)] = [a, b].map(|collider| {
        let (points, swept) = hull(model, &collider);
        let centre = *points.mean();
        let far = |m: f64, p: &Vector3<f64>| m.max((p - centre).norm());
        (centre, swept + points.points().iter().fold(0.0, far))
    });
    (Arrow::across(ca, cb), ra + rb)
}

/// The length of an arrow.
fn distance(arrow: Arrow, poses: [&Pose; 2]) -> GapTerm {
    let d = arrow.at(poses);
    let r = d.norm();
    let n = if r > 0.0 { d / r } else { Vector3::z() };
    let mut term = linear(r, arrow, n);
    if r > 0.0 {
        let bend = (nalgebra::Matrix3::identity() - n * n.transpose()) / r;
        term.hessian.fixed_view_mut::<3, 3>(6, 6).copy_from(&bend);
    }
    term
}

/// A gap that changes with one arrow along a direction.
fn linear(value: f64, arrow: Arrow, along: Vector3<f64>) -> GapTerm {
    let mut arrows = [Arrow::NONE; 4];
    arrows[2] = arrow;
    let mut gradient = Vector12::zeros();
    gradient.fixed_rows_mut::<3>(6).copy_from(&along);
    GapTerm {
        value,
        arrows,
        gradient,
        hessian: Matrix12::zeros(),
    }
}

/// A ball and a polytope by the Euclidean distance; the foot is taken as fixed in the polytope,
/// which leaves out part of the second derivative at edges and corners.
fn bead_and_part(radius: f64, bead: &Pose, vertices: &Vertices, pose: &Pose) -> GapTerm {
    let centre = Vertices::new(&[Vector3::zeros()]);
    let towards = bead.position - pose.point(vertices.mean());
    let d = carom_gap::distance(&centre, bead, vertices, pose, &towards);
    let foot = pose.direction_to_body(&(d.point_b - pose.position));
    linear(
        d.value - radius,
        Arrow::across(Vector3::zeros(), foot),
        d.normal,
    )
}

fn parts(va: &Vertices, pa: &Pose, vb: &Vertices, pb: &Pose, warm: &mut Option<Basis>) -> GapTerm {
    let planar = va.is_planar() && vb.is_planar();
    let beta = centre_direction(&pa.point(va.mean()), &pb.point(vb.mean()), planar);
    let g = gap(Posed::new(va, pa), Posed::new(vb, pb), beta, warm);
    let mut of = [Vec::new(), Vec::new()];
    for (side, index) in g.spanning() {
        let vertices = if side == Side::A { va } else { vb };
        of[side as usize].push(vertices.points()[index as usize]);
    }
    let mut edges = Vec::with_capacity(2);
    for (side, points) in [Side::A, Side::B].into_iter().zip(&of) {
        edges.extend((points.iter().skip(1)).map(|p| Arrow::within(side, p - points[0])));
    }
    if planar {
        edges.push(Arrow {
            constant: Vector3::z(),
            ..Arrow::NONE
        });
    }
    if let [e1, e2] = edges[..] {
        let arrows = [
            e1,
            e2,
            Arrow::across(of[0][0], of[1][0]),
            Arrow::across(*va.mean(), *vb.mean()),
        ];
        if let Some(term) = ratio(arrows, [pa, pb], g.contact.gap) {
            return term;
        }
    }
    // A basis that spans no plane: the gradient alone.
    let c = &g.contact;
    let mut term = linear(c.gap, Arrow::across(c.local_a, c.local_b), c.alpha);
    let spread = (pa.point(va.mean()) - pb.point(vb.mean())).norm();
    if spread > 0.0 && c.gap.is_finite() {
        // β moves with the centres, thesis (3.50).
        let along = (beta * c.alpha.dot(&beta) - c.alpha) * (c.gap / spread);
        term.arrows[3] = Arrow::across(*va.mean(), *vb.mean());
        term.gradient.fixed_rows_mut::<3>(9).copy_from(&along);
    }
    term
}

/// |b| N/D with N = det(e₁, e₂, d), D = det(e₁, e₂, b), and its derivatives.
fn ratio(arrows: [Arrow; 4], poses: [&Pose; 2], gap: f64) -> Option<GapTerm> {
    let [e1, e2, d, b] = arrows.map(|a| a.at(poses));
    let length = b.norm();
    let normal = e1.cross(&e2);
    let (top, bottom) = (normal.dot(&d), normal.dot(&b));
    if bottom.abs() <= 1e-9 * normal.norm() * length || length == 0.0 {
        return None;
    }
    let value = length * top / bottom;
    if (value - gap).abs() > 1e-6 * (1e-3 + gap.abs()) {
        return None;
    }
    let (gn, hn) = determinant(&e1, &e2, &d, 2);
    let (gd, hd) = determinant(&e1, &e2, &b, 3);
    let f = top / bottom;
    let gf = (gn - gd * f) / bottom;
    // ∂²(N/D) = (∂²N − f ∂²D − ∂f ∂Dᵀ − ∂D ∂fᵀ)/D
    let cross = gf * gd.transpose();
    let hf = (hn - hd * f - cross - cross.transpose()) / bottom;
    let unit = b / length;
    let mut gl = Vector12::zeros();
    gl.fixed_rows_mut::<3>(9).copy_from(&unit);
    let stretch = gl * gf.transpose();
    let mut hessian = hf * length + stretch + stretch.transpose();
    let bend = (nalgebra::Matrix3::identity() - unit * unit.transpose()) * (f / length);
    let mut block = hessian.fixed_view_mut::<3, 3>(9, 9);
    block += bend;
    Some(GapTerm {
        value: gap,
        arrows,
        gradient: gf * length + gl * f,
        hessian,
    })
}

/// First and second derivatives of det(e₁, e₂, x) by (e₁, e₂, d, b), x at place `at`.
fn determinant(
    e1: &Vector3<f64>,
    e2: &Vector3<f64>,
    x: &Vector3<f64>,
    at: usize,
) -> (Vector12, Matrix12) {
    let mut g = Vector12::zeros();
    let mut h = Matrix12::zeros();
    g.fixed_rows_mut::<3>(0).copy_from(&e2.cross(x));
    g.fixed_rows_mut::<3>(3).copy_from(&x.cross(e1));
    g.fixed_rows_mut::<3>(3 * at).copy_from(&e1.cross(e2));
    // ∂(e₂ × x)/∂e₂ = −x̂, ∂(e₂ × x)/∂x = ê₂, ∂(x × e₁)/∂x = −ê₁
    for (i, j, block) in [(0, 1, -hat(x)), (0, at, hat(e2)), (1, at, -hat(e1))] {
        h.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&block);
        h.fixed_view_mut::<3, 3>(3 * j, 3 * i)
            .copy_from(&block.transpose());
    }
    (g, h)
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

/// Heights of the points of a part above a half-space, one row each, without unknowns; and how high they
/// must be at least.
pub(crate) fn above_wall(model: &Model, pair: &Pair) -> (Vec<Arrow>, f64) {
    let Pair::Bodies(a @ Collider::Part { .. }, Collider::Wall { index }) = *pair else {
        return (Vec::new(), 0.0);
    };
    let wall = &model.contact().walls[index].half_space;
    let foot = *wall.normal() * wall.offset();
    let (points, radius) = hull(model, &a);
    let arrows = points.points().iter().map(|v| Arrow {
        parts: [(1.0, *v), (0.0, Vector3::zeros())],
        constant: -foot,
    });
    (arrows.collect(), radius)
}

/// Radius of the largest part.
pub(crate) fn largest_part(model: &Model) -> f64 {
    let shapes = model.bodies().iter().filter_map(|b| b.shape.as_ref());
    let parts = shapes.flat_map(|s| s.vertices());
    parts.map(|v| v.reach()).fold(0.0, f64::max)
}
