//! Bodies that a contact potential let pass through each other.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::manifold::Faces;
use super::pair_gap::{Path, gap_between, gap_of, part};
use super::pairs::{Collider, Pair};
use super::potential::ContactPotential;
use crate::model::Model;

/// The least width of every part of every body, across its faces; infinite where it has none.
#[derive(Clone, Debug)]
pub struct Widths(Vec<Vec<f64>>);

impl Widths {
    /// Of all bodies of a model.
    pub fn new(model: &Model) -> Self {
        let faces = Faces::new(model);
        let bodies = model.bodies().iter().enumerate();
        let of = |(k, body): (usize, &crate::model::Body)| {
            let parts = body.shape.as_ref().map_or(0, |s| s.vertices().len());
            let id = crate::model::BodyId(k as u32);
            let width = |part_index: usize| {
                let c = Collider::Part {
                    body: id,
                    part: part_index,
                };
                let points = part(model, &c).points();
                let across = |n: &Vector3<f64>| {
                    let heights = points.iter().map(|v| v.dot(n));
                    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |m, h| {
                        (m.0.min(h), m.1.max(h))
                    });
                    high - low
                };
                let widths = faces.of(&c).iter().map(|f| across(&f.normal));
                widths.fold(f64::INFINITY, f64::min)
            };
            (0..parts).map(width).collect()
        };
        Self(bodies.map(of).collect())
    }

    fn of(&self, model: &Model, c: &Collider) -> f64 {
        match c {
            Collider::Part { body, part } => self.0[body.index()][*part],
            Collider::Bead { body } => 2.0 * model.body(*body).radius,
            Collider::Wall { .. } => f64::INFINITY,
        }
    }
}

impl ContactPotential {
    /// Pairs that passed through each other on the way between two configurations, where the gaps
    /// were evaluated at the second: they came to overlap by more than half of the thinner one, or
    /// changed sides. With the overlap on the way.
    pub fn passed(
        &self,
        model: &Model,
        widths: &Widths,
        before: &Path,
        after: &Path,
        mut found: impl FnMut(&Pair, f64),
    ) {
        for (pair, gap) in self.gaps(before.poses, after.poses) {
            let Pair::Bodies(a, b) = pair else { continue };
            let deep = 0.5 * widths.of(model, a).min(widths.of(model, b));
            if gap < -deep {
                if gap_of(model, pair, before, &mut None) >= -deep {
                    found(pair, -gap);
                }
                continue;
            }
            let Some([from, to]) = centres(model, a, b, before.poses, after.poses) else {
                continue;
            };
            if from.dot(&to) >= 0.0 {
                continue;
            }
            // Where the centres came nearest, if they went straight.
            let way = to - from;
            let at = -from.dot(&way) / way.norm_squared();
            let [pa, pb] = [a, b].map(|c| halfway(c, before.poses, after.poses, at));
            let gap = gap_between(model, a, b, &pa, &pb, &mut None).0;
            if gap < 0.0 {
                found(pair, -gap);
            }
        }
    }
}

/// From the centre of the second to that of the first, before and after; `None` for walls.
fn centres(
    model: &Model,
    a: &Collider,
    b: &Collider,
    before: &[Pose],
    after: &[Pose],
) -> Option<[Vector3<f64>; 2]> {
    let centre = |c: &Collider, poses: &[Pose]| match c {
        Collider::Part { body, .. } => Some(poses[body.index()].point(part(model, c).mean())),
        Collider::Bead { body } => Some(poses[body.index()].position),
        Collider::Wall { .. } => None,
    };
    let apart = |poses: &[Pose]| Some(centre(a, poses)? - centre(b, poses)?);
    Some([apart(before)?, apart(after)?])
}

/// A pose on the way.
fn halfway(c: &Collider, before: &[Pose], after: &[Pose], at: f64) -> Pose {
    let Some(body) = super::body_of(c) else {
        return Pose::identity();
    };
    let (p, q) = (&before[body.index()], &after[body.index()]);
    Pose {
        position: p.position * (1.0 - at) + q.position * at,
        directors: q.directors,
    }
}
