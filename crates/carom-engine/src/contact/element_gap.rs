//! The gap of an element and another thing, and what carries their overlap.
//!
//! Elements meet by the SSH gap along the line of their means (thesis (2.69) and 3.3.4). Its gradient
//! is the plane's normal α shared out to the corners by the weights of the linear program, which are
//! the coordinates of the contact point in the element, and β turns with the means (thesis (3.50)):
//!
//! ```text
//! ∂gap/∂x_i = w_i α + a/n on the first, −(v_j α + a/m) on the second,  a = gap/|Δ| (β ⟨α, β⟩ − α),
//! ```
//!
//! which sums to zero with and without arms: both momenta are kept to round-off. Where faces at the
//! surface lie on each other, all corners of the patch they share that are nearly as deep as the deepest
//! carry, as between rigid bodies: see [`cushion`](super::cushion).

use carom_gap::gap::{Contact, Posed, Status, centre_direction, gap, symmetric_contact};
use carom_gap::{Aabb, Pose, Vertices};
use nalgebra::{Matrix3, Vector3};

use super::cushion::{Carries, SHARE};
use super::manifold::{Face, Faces};
use super::pair_gap::{Patch, PatchSide, is_unique, turn_of_direction};
use super::pairs::Collider;
use crate::model::{BodyId, Model, Point};

/// Something that meets elements, or one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thing {
    /// An element of a solid, and where its faces begin and end in the surface of that.
    Element {
        solid: usize,
        element: usize,
        faces: [usize; 2],
    },
    /// A convex part of a body.
    Part { body: usize, part: usize },
}

impl Thing {
    /// Box around it.
    pub fn bounds(&self, model: &Model, poses: &[Pose]) -> Aabb {
        match self {
            Thing::Part { body, part } => {
                let shape = model.bodies()[*body].shape.as_ref();
                let shape = shape.expect("a part has a shape");
                Aabb::of(&shape.vertices()[*part], &poses[*body])
            }
            Thing::Element { solid, element, .. } => {
                let solid = &model.solids()[*solid];
                let x = solid.corners(&solid.elements[*element], poses);
                Aabb {
                    min: x[0].inf(&x[1]).inf(&x[2]).inf(&x[3]),
                    max: x[0].sup(&x[1]).sup(&x[2]).sup(&x[3]),
                }
            }
        }
    }

    /// Whether two elements of one solid have a node in common.
    pub fn is_beside(&self, model: &Model, other: &Thing) -> bool {
        match (self, other) {
            (
                Thing::Element { solid, element, .. },
                Thing::Element {
                    solid: other,
                    element: second,
                    ..
                },
            ) if solid == other => {
                let elements = &model.solids()[*solid].elements;
                let (x, y) = (&elements[*element], &elements[*second]);
                x.nodes.iter().any(|n| y.nodes.contains(n))
            }
            _ => false,
        }
    }
}

/// ∂gap/∂x at a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub at: Point,
    pub slope: Vector3<f64>,
}

/// A spot that carries an overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub gap: f64,
    /// Where it is, and the unit normal from the second to the first.
    pub point: Vector3<f64>,
    pub normal: Vector3<f64>,
    /// Rows of its gradient: first and number.
    rows: [usize; 2],
}

impl Carries for Spot {
    fn gap(&self) -> f64 {
        self.gap
    }
}

/// Spots and the rows of their gradients.
#[derive(Debug, Default)]
pub(super) struct Spots {
    pub list: Vec<Spot>,
    rows: Vec<Row>,
}

impl Spots {
    pub fn clear(&mut self) {
        self.list.clear();
        self.rows.clear();
    }

    pub fn rows_of(&self, spot: &Spot) -> &[Row] {
        &self.rows[spot.rows[0]..][..spot.rows[1]]
    }

    pub fn push(
        &mut self,
        gap: f64,
        point: Vector3<f64>,
        normal: Vector3<f64>,
        rows: impl IntoIterator<Item = Row>,
    ) {
        let first = self.rows.len();
        self.rows.extend(rows);
        self.list.push(Spot {
            gap,
            point,
            normal,
            rows: [first, self.rows.len() - first],
        });
    }
}

/// Storage of gaps of elements.
#[derive(Debug)]
pub(super) struct ElementGap {
    /// Vertex sets of the elements of a pair: tetrahedra, then triangles.
    simplices: [[Vertices; 2]; 2],
    /// Their faces at the surface.
    faces: [[Face; 4]; 2],
    patch: Patch,
}

impl Default for ElementGap {
    fn default() -> Self {
        let four = Vertices::new(&[Vector3::zeros(); 4]);
        let three = Vertices::planar(&[Vector3::zeros(); 3]);
        Self {
            simplices: [[four.clone(), four], [three.clone(), three]],
            faces: std::array::from_fn(|_| {
                std::array::from_fn(|_| Face {
                    normal: Vector3::zeros(),
                    points: Vec::with_capacity(3),
                })
            }),
            patch: Patch::default(),
        }
    }
}

impl ElementGap {
    /// Gap of two things; where it is negative, the spots that may carry it are added.
    pub fn evaluate(
        &mut self,
        model: &Model,
        faces: &Faces,
        poses: &[Pose],
        things: [Thing; 2],
        out: &mut Spots,
    ) -> f64 {
        let flat = things.iter().any(|thing| match thing {
            Thing::Element { solid, .. } => model.solids()[*solid].is_planar(),
            Thing::Part { .. } => false,
        });
        let mut places = [Pose::identity(), Pose::identity()];
        let sets = &mut self.simplices[usize::from(flat)];
        for ((thing, place), set) in things.iter().zip(&mut places).zip(sets.iter_mut()) {
            match thing {
                Thing::Part { body, .. } => *place = poses[*body],
                Thing::Element { solid, element, .. } => {
                    let solid = &model.solids()[*solid];
                    let e = &solid.elements[*element];
                    let mut x = solid.corners(e, poses);
                    let n = e.corners();
                    let centre = x[..n].iter().sum::<Vector3<f64>>() / n as f64;
                    place.position = centre;
                    x.iter_mut().for_each(|x| *x -= centre);
                    set.move_points(&x[..n]);
                }
            }
        }
        let sets = &self.simplices[usize::from(flat)];
        let vertices = |k: usize| match &things[k] {
            Thing::Part { body, part } => {
                let shape = model.bodies()[*body].shape.as_ref();
                &shape.expect("a part has a shape").vertices()[*part]
            }
            Thing::Element { .. } => &sets[k],
        };
        let (va, vb) = (vertices(0), vertices(1));
        let means = [places[0].point(va.mean()), places[1].point(vb.mean())];
        let beta = centre_direction(&means[0], &means[1], flat);
        let (a, b) = (Posed::new(va, &places[0]), Posed::new(vb, &places[1]));
        let g = gap(a, b, beta, &mut None);
        let least = g.contact.gap;
        if g.status == Status::Unbounded || least >= 0.0 {
            return least.max(0.0);
        }
        let spread = (means[0] - means[1]).norm();
        let mut keep = |c: &Contact| {
            let along = turn_of_direction(&beta, &c.alpha, c.gap, spread);
            let sides = [(0, 1.0), (1, -1.0)];
            let rows = sides
                .into_iter()
                .flat_map(|(k, sign)| rows(model, &things[k], &sets[k], c, k, along * sign, sign));
            let point = (c.point_a + c.point_b) * 0.5;
            out.push(c.gap, point, c.normal(), rows);
        };
        let mut counts = [0; 2];
        for (k, thing) in things.iter().enumerate() {
            counts[k] = outer_faces(model, thing, &sets[k], &mut self.faces[k]);
        }
        let side = |k: usize, vertices| PatchSide {
            faces: match &things[k] {
                Thing::Part { body, part } => faces.of(&Collider::Part {
                    body: BodyId(*body as u32),
                    part: *part,
                }),
                Thing::Element { .. } => &self.faces[k][..counts[k]],
            },
            vertices,
            pose: &places[k],
        };
        let patch = &mut self.patch;
        patch.find([side(0, va), side(1, vb)], &g.contact, SHARE * least);
        // Corners that edges make at a small angle are left out: nothing is lost if others are as deep.
        let enough = patch.deepest() <= least * (0.8 + 0.2 * SHARE);
        if patch.corners.len() >= 2 || enough {
            for corner in &patch.corners {
                let [point_a, point_b] = corner.points;
                keep(&Contact {
                    gap: corner.gap,
                    beta,
                    alpha: corner.alpha,
                    point_a,
                    point_b,
                    local_a: in_frame(&places[0], &point_a),
                    local_b: in_frame(&places[1], &point_b),
                });
            }
            if enough {
                return patch.deepest().min(least);
            }
        }
        let alone = patch.corners.len() < 2;
        let contact = match alone && !is_unique(&g, a, b) {
            true => symmetric_contact(&g, a, b).map_or(g.contact, |(c, _)| c),
            false => g.contact,
        };
        keep(&contact);
        least
    }
}

/// A point of the world in a frame whose directors need not be orthonormal.
fn in_frame(pose: &Pose, point: &Vector3<f64>) -> Vector3<f64> {
    let off = point - pose.position;
    if pose.directors == Matrix3::identity() {
        return off;
    }
    let inverse = pose.directors.try_inverse();
    inverse.map_or(Vector3::zeros(), |m| m * off)
}

/// The faces of an element at the surface of its body, in the frame of its vertices; returns how many.
fn outer_faces(model: &Model, thing: &Thing, set: &Vertices, out: &mut [Face]) -> usize {
    let Thing::Element {
        solid,
        element,
        faces,
    } = thing
    else {
        return 0;
    };
    let solid = &model.solids()[*solid];
    let nodes = &solid.elements[*element].nodes;
    let corners = if solid.is_planar() { 2 } else { 3 };
    let of = &solid.surface[faces[0]..faces[1]];
    for ((face, _), out) in of.iter().zip(out) {
        out.points.clear();
        for node in &face[..corners] {
            let at = nodes.iter().position(|n| n == node).unwrap_or(0);
            out.points.push(set.points()[at]);
        }
        let along = out.points[1] - out.points[0];
        let normal = match corners {
            2 => along.cross(&Vector3::z()),
            _ => along.cross(&(out.points[2] - out.points[0])),
        };
        out.normal = normal.try_normalize(0.0).unwrap_or_default();
    }
    of.len()
}

/// ∂gap/∂x of one side, shared out to the points it is made of.
fn rows(
    model: &Model,
    thing: &Thing,
    set: &Vertices,
    contact: &Contact,
    side: usize,
    along: Vector3<f64>,
    sign: f64,
) -> impl Iterator<Item = Row> + use<> {
    let local = [&contact.local_a, &contact.local_b][side];
    let mut out = [Row {
        at: Point {
            body: None,
            local: Vector3::zeros(),
        },
        slope: Vector3::zeros(),
    }; 4];
    let count = match thing {
        // What never moves needs none.
        Thing::Part { body, .. } if !model.bodies()[*body].moves() => 0,
        Thing::Part { body, part } => {
            let shape = model.bodies()[*body].shape.as_ref();
            let mean = *shape.expect("a part has a shape").vertices()[*part].mean();
            let body = Some(BodyId(*body as u32));
            let slopes = [(*local, contact.alpha * sign), (mean, along)];
            for (row, (local, slope)) in out.iter_mut().zip(slopes) {
                *row = Row {
                    at: Point { body, local },
                    slope,
                };
            }
            2
        }
        Thing::Element { solid, element, .. } => {
            let solid = &model.solids()[*solid];
            let e = &solid.elements[*element];
            let n = e.corners();
            let weights = weights(set.points(), local);
            for (k, row) in out.iter_mut().enumerate().take(n) {
                *row = Row {
                    at: solid.points[e.nodes[k] as usize],
                    slope: contact.alpha * (sign * weights[k]) + along / n as f64,
                };
            }
            n
        }
    };
    out.into_iter().take(count)
}

/// Coordinates of a point in a simplex: they sum to one, and give the point.
fn weights(x: &[Vector3<f64>], point: &Vector3<f64>) -> [f64; 4] {
    let rest = point - x[0];
    let edges = match x.len() {
        4 => Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]),
        _ => Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], Vector3::z()]),
    };
    let w = edges
        .try_inverse()
        .map_or(Vector3::repeat(0.25), |m| m * rest);
    [
        1.0 - w.x - w.y - if x.len() == 4 { w.z } else { 0.0 },
        w.x,
        w.y,
        w.z,
    ]
}
