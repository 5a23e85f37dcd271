//! What touches where a round body meets by plan: balls, and points with a ball around each.
//!
//! Spheres, capsules and rounded hulls are points with a radius, on half-spaces like vertices that are higher up.
//! Between bodies a ball (a bead or a sphere) meets another one, or a face:
//!
//! ```text
//! (|d|² − R²)/2R,   R the sum of both radii,        n · (x − y) − r.
//! ```

use carom_gap::round::Core;
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::avoid::gaps;
use super::contact_point::{ContactPoint, Surfaces};
use super::error::OptimiseError;
use super::face;
use super::feature::{Feature, Other};
use super::poly::Poly;
use crate::contact::{Collider, Pair, is_round};
use crate::model::{BodyId, Model};

/// A ball: a bead, or a body that is one sphere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    body: BodyId,
    centre: Vector3<f64>,
    radius: f64,
    collider: Collider,
}

impl Ball {
    /// The ball that a body is, if it is one.
    pub fn of(model: &Model, body: BodyId) -> Option<Self> {
        if model.is_particle(body) {
            return Some(Self {
                body,
                centre: Vector3::zeros(),
                radius: model.body(body).radius,
                collider: Collider::Bead { body },
            });
        }
        let collider = Collider::Part { body, part: 0 };
        let parts = model.body(body).shape.as_ref()?.vertices().len();
        match gaps::hull(model, &collider) {
            (points, radius) if parts == 1 && radius > 0.0 && points.points().len() == 1 => {
                Some(Self {
                    body,
                    centre: points.points()[0],
                    radius,
                    collider,
                })
            }
            _ => None,
        }
    }

    fn place(&self, model: &Model) -> [Poly; 3] {
        match model.is_particle(self.body) {
            true => Poly::position(model, self.body),
            false => Poly::point(model, self.body, &self.centre),
        }
    }
}

/// Points of a part with the radius of the ball around each; says which round bodies are none.
pub(crate) fn points(
    model: &Model,
    body: BodyId,
    part: usize,
) -> Result<(&Vertices, f64), OptimiseError> {
    let shape = model.body(body).shape.as_ref();
    if let Some(round) = shape.and_then(|s| s.round(part))
        && !matches!(round.core(), Core::Hull(_))
    {
        return Err(OptimiseError::Unsupported {
            what: format!(
                "a planned contact of {}, whose rims and curved sides meet nothing at a point of their own",
                model.body(body).name
            ),
            fix: "plan contacts of polytopes, spheres, capsules and rounded hulls".into(),
        });
    }
    Ok(gaps::hull(model, &Collider::Part { body, part }))
}

/// Whether a part of a body is round.
pub(crate) fn has_round(model: &Model, body: BodyId) -> bool {
    let parts = (model.body(body).shape.as_ref()).map_or(0, |s| s.vertices().len());
    (0..parts).any(|part| is_round(model, &Collider::Part { body, part }))
}

/// Two balls.
pub(crate) fn on_ball(model: &Model, [a, b]: [&Ball; 2], poses: &[Pose]) -> Feature {
    // (|d|² − R²)/2R has the rate of the distance where it is R.
    let reach = a.radius + b.radius;
    let d = Poly::difference(&a.place(model), &b.place(model));
    let gap = Poly::dot(&d, &d).plus(&Poly::constant(-reach * reach));
    let [name_a, name_b] = [a, b].map(|ball| &model.body(ball.body).name);
    let [x, y] = [a, b].map(|ball| poses[ball.body.index()].point(&ball.centre));
    let surfaces = Surfaces::Balls {
        centres: [a.centre, b.centre],
        radii: [a.radius, b.radius],
        apart: (x - y).try_normalize(0.0).unwrap_or_else(Vector3::x),
    };
    let bodies = [a, b].map(|ball| Some(ball.body));
    Feature {
        pair: Some(Pair::Bodies(a.collider, b.collider)),
        gap: gap.times(0.5 / reach).collected(),
        across: None,
        moves: Some(ContactPoint::frame(model, bodies, surfaces)),
        crossing: None,
        beside: Vec::new(),
        others: Vec::new(),
        name: format!("{name_a} on {name_b}"),
    }
}

/// A ball on the face of a polytope that it is nearest to; its place stays above that face.
pub(crate) fn on_face(
    model: &Model,
    ball: &Ball,
    other: BodyId,
    poses: &[Pose],
) -> Result<Feature, OptimiseError> {
    let [name, other_name] = [ball.body, other].map(|id| &model.body(id).name);
    let lost = || OptimiseError::Unsupported {
        what: format!("a planned contact of {name} and {other_name}"),
        fix: "let a ball meet a half-space, a face of a polytope or another ball".into(),
    };
    if has_round(model, other) {
        return Err(lost());
    }
    let parts = (model.body(other).shape.as_ref()).map_or(&[][..], |s| s.vertices());
    let (x, pose) = (&poses[ball.body.index()], &poses[other.index()]);
    let here = pose.direction_to_body(&(x.point(&ball.centre) - pose.position));
    let near = |part: usize| {
        let pair = Pair::Bodies(ball.collider, Collider::Part { body: other, part });
        gaps::value(model, &pair, poses, &mut None)
    };
    let part = (0..parts.len()).min_by(|i, j| near(*i).total_cmp(&near(*j)));
    let part = part.ok_or_else(lost)?;
    let v = &parts[part];
    // The face whose plane lies farthest below the ball.
    let found = carom_gap::distance(
        &Vertices::new(&[here]),
        &Pose::identity(),
        v,
        &Pose::identity(),
        &(here - v.mean()),
    );
    let face = face::face_along(v, &found.normal);
    let normal = face::outward(v, &face).ok_or_else(lost)?;
    let p = v.points();
    let d =
        |foot: usize| Poly::difference(&ball.place(model), &Poly::point(model, other, &p[foot]));
    let above = |along: &Vector3<f64>, foot: usize| {
        Poly::dot(&Poly::arrow(model, other, along), &d(foot)).collected()
    };
    let mut others = Vec::new();
    for (from, inward) in face::outline(v, &face, &normal) {
        let height = above(&inward, from);
        others.push(Other {
            height,
            name: format!("the side at vertex {from} of {other_name}"),
            next: true,
        });
    }
    let foot = *face.first().ok_or_else(lost)?;
    let surfaces = Surfaces::OnPlane {
        centre: ball.centre,
        radius: ball.radius,
        normal,
    };
    let bodies = [Some(ball.body), Some(other)];
    Ok(Feature {
        pair: Some(Pair::Bodies(
            ball.collider,
            Collider::Part { body: other, part },
        )),
        gap: above(&normal, foot)
            .plus(&Poly::constant(-ball.radius))
            .collected(),
        across: None,
        moves: Some(ContactPoint::frame(model, bodies, surfaces)),
        crossing: None,
        beside: Vec::new(),
        others,
        name: format!("{name} on the face of {other_name} with vertices {face:?}"),
    })
}
