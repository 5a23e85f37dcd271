//! The corners of the patch that two overlapping polytopes share, as the SSH LP sees them.
//!
//! Looked at along β, the patch is the intersection of two faces. Its corners are vertices of one
//! body over the face of the other and crossings of their edges: the candidates among which the gap
//! is the least. Each has a gap of its own along β and a plane α with ⟨β, α⟩ = 1 of its own.

use carom_gap::gap::Contact;
use carom_gap::{Pose, Vertices};
use nalgebra::{Vector2, Vector3};

use crate::contact::manifold::Face;

/// A patch is looked for where a face of one body is this parallel to the plane of contact (cosine).
const ALIGNED: f64 = 0.99;
/// Edges that cross at a lesser angle (sine) make no corner: those next to it carry as well.
const CROSSING: f64 = 0.05;
/// Corners nearer than this, in body sizes, are one.
const SAME: f64 = 1e-7;
/// Vertices this far outside a face, in body sizes, count as inside.
const SLACK: f64 = 1e-9;

/// A corner of a patch.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Corner {
    /// Gap along β.
    pub gap: f64,
    /// Its gradient by the place of the first body.
    pub alpha: Vector3<f64>,
    /// The points of both bodies, apart by the gap along β.
    pub points: [Vector3<f64>; 2],
    /// Where it is, seen along β.
    place: Vector2<f64>,
    /// The body whose vertex it is, if it is of one only.
    of: Option<usize>,
}

/// One of the two bodies: its faces, vertices and pose.
#[derive(Clone, Copy)]
pub(in crate::contact) struct Side<'a> {
    pub faces: &'a [Face],
    pub vertices: &'a Vertices,
    pub pose: &'a Pose,
}

/// Corners of patches, with storage that is used again.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    pub(in crate::contact) corners: Vec<Corner>,
    /// The two faces in the world, and seen along β.
    solid: [Vec<Vector3<f64>>; 2],
    flat: [Vec<Vector2<f64>>; 2],
}

impl Patch {
    /// Finds the corners whose gap is below `most`; none if no face lies on the other body.
    pub(in crate::contact) fn find(&mut self, sides: [Side; 2], contact: &Contact, most: f64) {
        self.corners.clear();
        let beta = contact.beta;
        let planar = sides.iter().all(|s| s.vertices.is_planar());
        let across = across(&beta, planar);
        let mut aligned = false;
        let mut planes = [Vector3::zeros(); 2];
        for (k, side) in sides.iter().enumerate() {
            // Outward at the contact: −α for the first, α for the second.
            let sign = if k == 0 { -1.0 } else { 1.0 };
            let outward = side.pose.direction_to_body(&contact.alpha) * sign;
            let steep = |f: &&Face| f.normal.dot(&outward);
            let best = side
                .faces
                .iter()
                .max_by(|f, g| steep(f).total_cmp(&steep(g)));
            let Some(face) = best else { return };
            aligned |= face.normal.dot(&outward) >= ALIGNED * outward.norm();
            let (solid, flat) = (&mut self.solid[k], &mut self.flat[k]);
            solid.clear();
            flat.clear();
            for v in &face.points {
                let x = side.pose.point(v);
                solid.push(x);
                flat.push(Vector2::new(x.dot(&across[0]), x.dot(&across[1])));
            }
            // The plane of the face: α = n/⟨n, β⟩.
            let normal = normal(solid, planar);
            let slope = normal.dot(&beta) * sign;
            if slope <= 1e-6 * normal.norm() {
                return;
            }
            planes[k] = normal * (sign / slope);
        }
        if !aligned {
            return;
        }
        let reach = sides.map(|s| s.vertices.reach());
        let size = reach[0].max(reach[1]);
        self.vertices(&beta, &planes, most, size);
        if !planar {
            self.crossings(&beta, most, size);
        }
    }

    /// Vertices of one face over the other.
    fn vertices(&mut self, beta: &Vector3<f64>, planes: &[Vector3<f64>; 2], most: f64, size: f64) {
        for k in 0..2 {
            let sign = if k == 0 { 1.0 } else { -1.0 };
            let alpha = planes[1 - k];
            for i in 0..self.solid[k].len() {
                let (x, place) = (self.solid[k][i], self.flat[k][i]);
                let gap = alpha.dot(&(x - self.solid[1 - k][0])) * sign;
                if gap >= most || !inside(&self.flat[1 - k], &place, SLACK * size) {
                    continue;
                }
                let foot = x - beta * (gap * sign);
                let points = if k == 0 { [x, foot] } else { [foot, x] };
                self.keep(gap, alpha, points, place, Some(k), size);
            }
        }
    }

    /// Crossings of the edges of both faces.
    fn crossings(&mut self, beta: &Vector3<f64>, most: f64, size: f64) {
        let [n, m] = [self.flat[0].len(), self.flat[1].len()];
        for i in 0..n {
            let (p, r) = edge(&self.flat[0], i);
            for j in 0..m {
                let (q, w) = edge(&self.flat[1], j);
                let sine = r.perp(&w);
                if sine.abs() <= CROSSING * r.norm() * w.norm() {
                    continue;
                }
                // p + t r = q + s w
                let (t, s) = ((q - p).perp(&w) / sine, (q - p).perp(&r) / sine);
                if !(0.0..=1.0).contains(&t) || !(0.0..=1.0).contains(&s) {
                    continue;
                }
                let ([x, along], [y, other]) = (span(&self.solid[0], i), span(&self.solid[1], j));
                let (x, y) = (x + along * t, y + other * s);
                let gap = (x - y).dot(beta);
                if gap < most {
                    let normal = along.cross(&other);
                    let alpha = normal / normal.dot(beta);
                    self.keep(gap, alpha, [x, y], p + r * t, None, size);
                }
            }
        }
    }

    /// Adds a corner unless there is one already. Vertices of both bodies on each other are one, and
    /// its plane is halfway between those of their faces, so that neither body is preferred.
    #[allow(clippy::too_many_arguments)]
    fn keep(
        &mut self,
        gap: f64,
        alpha: Vector3<f64>,
        points: [Vector3<f64>; 2],
        place: Vector2<f64>,
        of: Option<usize>,
        size: f64,
    ) {
        if !alpha.iter().all(|c| c.is_finite()) {
            return;
        }
        let near = |c: &&mut Corner| (c.place - place).norm() <= SAME * size;
        match self.corners.iter_mut().find(near) {
            None => self.corners.push(Corner {
                gap,
                alpha,
                points,
                place,
                of,
            }),
            Some(c) if (c.of, of) == (Some(0), Some(1)) => {
                c.of = None;
                c.gap = 0.5 * (c.gap + gap);
                c.alpha = (c.alpha + alpha) * 0.5;
                for (x, y) in c.points.iter_mut().zip(points) {
                    *x = (*x + y) * 0.5;
                }
            }
            Some(_) => {}
        }
    }

    /// The least gap of the corners.
    pub(in crate::contact) fn deepest(&self) -> f64 {
        let gaps = self.corners.iter().map(|c| c.gap);
        gaps.fold(f64::INFINITY, f64::min)
    }
}

/// Two unit vectors across β; in the plane the second is its normal.
fn across(beta: &Vector3<f64>, planar: bool) -> [Vector3<f64>; 2] {
    let other = match planar {
        true => Vector3::z(),
        false if beta.x.abs() < 0.6 => Vector3::x(),
        false => Vector3::y(),
    };
    let t = beta.cross(&other).normalize();
    [t, beta.cross(&t)]
}

/// A normal of a face (of an edge in the plane), not of unit length.
fn normal(points: &[Vector3<f64>], planar: bool) -> Vector3<f64> {
    if planar {
        return (points[1] - points[0]).cross(&Vector3::z());
    }
    let mut sum = Vector3::zeros();
    for k in 1..points.len().saturating_sub(1) {
        sum += (points[k] - points[0]).cross(&(points[k + 1] - points[0]));
    }
    sum
}

/// Start and vector of an edge of a polygon.
fn edge(polygon: &[Vector2<f64>], i: usize) -> (Vector2<f64>, Vector2<f64>) {
    let p = polygon[i];
    (p, polygon[(i + 1) % polygon.len()] - p)
}

fn span(polygon: &[Vector3<f64>], i: usize) -> [Vector3<f64>; 2] {
    let p = polygon[i];
    [p, polygon[(i + 1) % polygon.len()] - p]
}

/// Whether a point lies in a convex polygon of either orientation, or along a segment.
fn inside(polygon: &[Vector2<f64>], x: &Vector2<f64>, slack: f64) -> bool {
    if polygon.len() == 2 {
        let [p, q] = [polygon[0].x, polygon[1].x];
        return x.x >= p.min(q) - slack && x.x <= p.max(q) + slack;
    }
    let mut area = 0.0;
    for k in 1..polygon.len().saturating_sub(1) {
        area += (polygon[k] - polygon[0]).perp(&(polygon[k + 1] - polygon[0]));
    }
    (0..polygon.len()).all(|i| {
        let (p, r) = edge(polygon, i);
        r.perp(&(x - p)) * area.signum() >= -slack * r.norm()
    })
}
