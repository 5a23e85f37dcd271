//! What touches where two bodies meet by plan: a gap as a polynomial of the coordinates, held by the
//! feature that the gap's linear program names.
//!
//! A vertex above a face is n · (x − y), n and y fixed in the body of the face; two edges are
//! det(e_a, e_b, d) over its size where it is set up.

use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::contact_point::{ContactPoint, Surfaces, tangents};
use super::crossing::{Crossing, Edge};
use super::error::OptimiseError;
use super::face::normal_to;
use super::poly::Poly;
use super::push::Push;
use crate::contact::{Collider, Pair};
use crate::model::{BodyId, JointKind, Model};

/// How two bodies touch.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    /// The two colliders; none for the limit of a joint.
    pub pair: Option<Pair>,
    /// The gap.
    pub gap: Poly,
    /// Where it touches, in the plane of the wall or the face; none where two edges cross, for limits, and for what is
    /// round.
    pub across: Option<[Poly; 2]>,
    /// Directions where it touches, if that point moves over both bodies.
    pub moves: Option<[ContactPoint; 3]>,
    /// Where on both of them two edges cross.
    pub crossing: Option<Box<Crossing>>,
    /// Gaps and places of further vertices, where an edge or a face lands flat.
    pub beside: Vec<(Poly, Option<[Poly; 2]>)>,
    /// What must not be negative while this is what touches: heights of all other vertices.
    pub others: Vec<Other>,
    /// In words.
    pub name: String,
}

/// A point that touches.
pub(crate) struct Point {
    pub gap: Poly,
    /// Push along the normal, a unit vector where the gap is closed.
    pub normal: Push,
    /// Pushes along which it rubs.
    pub across: Option<[Push; 2]>,
}

/// A vertex beside what touches.
#[derive(Clone, Debug)]
pub(crate) struct Other {
    /// Its height over the plane of contact.
    pub height: Poly,
    /// In words.
    pub name: String,
    /// Whether an edge joins it to what touches. Where all these are above the plane, a convex body is.
    pub next: bool,
}

impl Other {
    /// Vertex `k` of a part of which others touch.
    pub fn vertex(part: &Vertices, k: usize, touching: &[usize], height: Poly, of: &str) -> Self {
        let joins = |i: &usize| {
            let list = part.neighbours(*i);
            list.is_empty() || list.contains(&(k as u32))
        };
        Self {
            height,
            name: format!("vertex {k} of {of}"),
            next: touching.iter().any(joins),
        }
    }
}

pub(super) fn fault(what: String) -> OptimiseError {
    OptimiseError::Guess { what }
}

impl Feature {
    /// All points that touch.
    pub fn points(&self) -> Vec<Point> {
        let fixed = |gap: &Poly, ways: &Option<[Poly; 2]>| Point {
            gap: gap.clone(),
            normal: gap.into(),
            across: ways.clone().map(|ways| ways.map(Push::from)),
        };
        let mut first = fixed(&self.gap, &self.across);
        if let Some([normal, s, t]) = self.moves {
            first.across = Some([s, t].map(Push::from));
            if normal.has_own_normal() {
                first.normal = normal.into();
            }
        }
        let beside = self.beside.iter().map(|(gap, ways)| fixed(gap, ways));
        [first].into_iter().chain(beside).collect()
    }

    /// The part of the first body that touches.
    pub fn part(&self) -> Option<usize> {
        match self.pair {
            Some(Pair::Bodies(Collider::Part { part, .. }, _)) => Some(part),
            _ => None,
        }
    }

    /// A vertex of the first body on a face of the second, given by three of its vertices.
    pub fn vertex_on_face(
        model: &Model,
        bodies: [(BodyId, &Vertices); 2],
        vertex: usize,
        face: &[usize],
    ) -> Option<Self> {
        on_face(model, bodies, vertex, face)
    }

    /// sin(α − limit) of a hinge, or the way to the limit of a slide.
    pub(super) fn at_limit(
        model: &Model,
        place: usize,
        coordinate: usize,
        upper: bool,
    ) -> Result<Self, OptimiseError> {
        let joint = &model.joints()[place];
        let limits = joint.limits.get(coordinate).copied().flatten();
        let Some(limits) = limits else {
            return Err(OptimiseError::Invalid {
                what: format!("joint {} has no limit to hit", joint.name),
                fix: "give it limits = [least, largest]".into(),
            });
        };
        let (limit, sign) = if upper {
            (limits[1], -1.0)
        } else {
            (limits[0], 1.0)
        };
        let turned = |v: &Vector3<f64>| match joint.parent {
            Some(p) => Poly::arrow(model, p, v),
            None => Poly::vector(v),
        };
        let [t1, t2] = &joint.across;
        let gap = match joint.kind {
            JointKind::Revolute => {
                let inner = joint.relative.tr_mul(t1);
                let ahead = t2 * limit.cos() - t1 * limit.sin();
                Poly::dot(&Poly::arrow(model, joint.child, &inner), &turned(&ahead))
            }
            JointKind::Prismatic => {
                let to = Poly::point(model, joint.child, &joint.anchor_child);
                let from = match joint.parent {
                    Some(p) => Poly::point(model, p, &joint.anchor_parent),
                    None => Poly::vector(&joint.anchor_parent),
                };
                let way = Poly::dot(&Poly::difference(&to, &from), &turned(&joint.axis));
                way.plus(&Poly::constant(-limit))
            }
            _ => {
                return Err(OptimiseError::Unsupported {
                    what: format!("a planned impact at the limit of joint {}", joint.name),
                    fix: "plan impacts at limits of revolute and prismatic joints".into(),
                });
            }
        };
        let word = if upper { "upper" } else { "lower" };
        Ok(Self {
            pair: None,
            gap: gap.times(sign).collected(),
            across: None,
            moves: None,
            crossing: None,
            beside: Vec::new(),
            others: Vec::new(),
            name: format!("the {word} limit of joint {}", joint.name),
        })
    }
}

/// A vertex of the first body on a face (or an edge of a flat one) of the second.
pub(super) fn on_face(
    model: &Model,
    [(a, va), (b, vb)]: [(BodyId, &Vertices); 2],
    vertex: usize,
    face: &[usize],
) -> Option<Feature> {
    let p = vb.points();
    let base = p[face[0]];
    let normal = match face {
        [_, i, j] => normal_to(&(p[*i] - base), Some(&(p[*j] - base)))?,
        [_, i] => normal_to(&(p[*i] - base), None)?,
        _ => return None,
    };
    // The body lies below its face.
    let below = (vb.mean() - base).dot(&normal);
    let normal = normal * -below.signum();
    let n = Poly::arrow(model, b, &normal);
    let foot = Poly::point(model, b, &base);
    let over = |k: usize| Poly::difference(&Poly::point(model, a, &va.points()[k]), &foot);
    let others = (0..va.points().len()).filter(|k| *k != vertex);
    let d = over(vertex);
    let [name_a, name_b] = [a, b].map(|id| &model.body(id).name);
    // All of the face, whichever three of its vertices the program found.
    let flat = |k: &usize| (p[*k] - base).dot(&normal).abs() <= 1e-9 * vb.reach();
    let list: Vec<usize> = (0..p.len()).filter(flat).collect();
    Some(Feature {
        pair: None,
        gap: Poly::dot(&n, &d).collected(),
        across: Some(
            tangents(&normal).map(|t| Poly::dot(&Poly::arrow(model, b, &t), &d).collected()),
        ),
        moves: None,
        crossing: None,
        beside: Vec::new(),
        others: others
            .map(|k| {
                let height = Poly::dot(&n, &over(k)).collected();
                Other::vertex(va, k, &[vertex], height, name_a)
            })
            .collect(),
        name: format!("vertex {vertex} of {name_a} on the face of {name_b} with vertices {list:?}"),
    })
}

/// An edge of each body.
pub(super) fn on_edge(
    model: &Model,
    [(a, va), (b, vb)]: [(BodyId, &Vertices); 2],
    poses: [&Pose; 2],
    of: &[Vec<usize>; 2],
) -> Option<Feature> {
    let (pa, pb) = (va.points(), vb.points());
    let (ea, eb) = (pa[of[0][1]] - pa[of[0][0]], pb[of[1][1]] - pb[of[1][0]]);
    let normal = (poses[0].directors * ea).cross(&(poses[1].directors * eb));
    let size = normal.norm();
    if size <= 1e-9 * ea.norm() * eb.norm() {
        return None;
    }
    let apart = poses[0].point(va.mean()) - poses[1].point(vb.mean());
    let factor = normal.dot(&apart).signum() / size;
    let n = Poly::cross(&Poly::arrow(model, a, &ea), &Poly::arrow(model, b, &eb));
    let (xa, xb) = (
        Poly::point(model, a, &pa[of[0][0]]),
        Poly::point(model, b, &pb[of[1][0]]),
    );
    let above = |x: &[Poly; 3], from: &[Poly; 3], f: f64| {
        Poly::dot(&n, &Poly::difference(x, from))
            .times(f * factor)
            .collected()
    };
    let [name_a, name_b] = [a, b].map(|id| &model.body(id).name);
    let mut others = Vec::new();
    for k in (0..pa.len()).filter(|k| !of[0].contains(k)) {
        let height = above(&Poly::point(model, a, &pa[k]), &xb, 1.0);
        others.push(Other::vertex(va, k, &of[0], height, name_a));
    }
    for k in (0..pb.len()).filter(|k| !of[1].contains(k)) {
        let height = above(&Poly::point(model, b, &pb[k]), &xa, -1.0);
        others.push(Other::vertex(vb, k, &of[1], height, name_b));
    }
    let sorted = of.clone().map(|mut list| {
        list.sort_unstable();
        list
    });
    let surfaces = Surfaces::Edges {
        from: [pa[of[0][0]], pb[of[1][0]]],
        along: [ea, eb],
        ahead: factor > 0.0,
    };
    let edge = |body: BodyId, pose, points: &[Vector3<f64>], of: &[usize]| Edge {
        body,
        pose,
        ends: [points[of[0]], points[of[1]]],
    };
    let edges = [edge(a, poses[0], pa, &of[0]), edge(b, poses[1], pb, &of[1])];
    Some(Feature {
        pair: None,
        gap: above(&xa, &xb, 1.0),
        across: None,
        moves: Some(ContactPoint::frame(model, [Some(a), Some(b)], surfaces)),
        crossing: Some(Box::new(Crossing::new(model, edges))),
        beside: Vec::new(),
        others,
        name: format!(
            "edge {:?} of {name_a} on edge {:?} of {name_b}",
            sorted[0], sorted[1]
        ),
    })
}
