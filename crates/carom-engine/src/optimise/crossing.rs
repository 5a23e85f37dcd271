//! Where edges of two bodies cross: places along both of them.
//!
//! With points x, y and unit vectors e, f of the edges of the first and the second body, they meet s from x and r from y,
//!
//! ```text
//! t · (x + s e − y − r f) = 0
//! ```
//!
//! for two directions t of the second body across the normal. s and r are no polynomials of the coordinates; as unknowns
//! beside them they make all of it one.

use carom_gap::Pose;
use nalgebra::{Matrix2, Vector2, Vector3};

use super::poly::Poly;
use crate::model::{BodyId, Model};

/// One of the two edges.
pub(crate) struct Edge<'a> {
    pub body: BodyId,
    pub pose: &'a Pose,
    /// Its ends, in the body.
    pub ends: [Vector3<f64>; 2],
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Crossing {
    /// t · (x − y), t · e and −t · f of both directions.
    pub rows: [[Poly; 3]; 2],
    /// How long both edges are.
    pub lengths: [f64; 2],
}

impl Crossing {
    /// Of two edges that are not parallel where they are; the first direction is along the edge of the first body.
    pub fn new(model: &Model, [a, b]: [Edge; 2]) -> Self {
        let along = |edge: &Edge| (edge.ends[1] - edge.ends[0]).normalize();
        let [e, f] = [along(&a), along(&b)];
        let first = b.pose.directors.tr_mul(&(a.pose.directors * e));
        let across = [first, first.cross(&f).cross(&first).normalize()];
        let apart = Poly::difference(
            &Poly::point(model, a.body, &a.ends[0]),
            &Poly::point(model, b.body, &b.ends[0]),
        );
        let rows = across.map(|t| {
            let t = Poly::arrow(model, b.body, &t);
            let part = |v: &[Poly; 3], sign: f64| Poly::dot(&t, v).times(sign).collected();
            [
                part(&apart, 1.0),
                part(&Poly::arrow(model, a.body, &e), 1.0),
                part(&Poly::arrow(model, b.body, &f), -1.0),
            ]
        });
        Self {
            rows,
            lengths: [a, b].map(|edge| (edge.ends[1] - edge.ends[0]).norm()),
        }
    }

    /// s and r, within both edges.
    pub fn places(&self, q: &[f64]) -> [f64; 2] {
        let [[g, a, b], [h, c, d]] = self
            .rows
            .each_ref()
            .map(|row| row.each_ref().map(|p| p.value(q)));
        let solved = Matrix2::new(a, b, c, d).lu().solve(&Vector2::new(-g, -h));
        let [s, r] = solved.map_or([0.0; 2], |v| [v.x, v.y]);
        [s.clamp(0.0, self.lengths[0]), r.clamp(0.0, self.lengths[1])]
    }
}
