//! Edges and faces that land flat: a contact of all their vertices at once.

use carom_gap::gap::{Posed, centre_direction, gap};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::ball;
use super::error::OptimiseError;
use super::face::face_along;
use super::feature::{Feature, Other};
use super::meeting::Meeting;
use crate::contact::{Collider, Pair};
use crate::model::Model;

/// Differences of heights, in sizes of the body, that count as none.
const LEVEL: f64 = 1e-6;

/// The two vertices that are farthest along a direction, if they are so alike and alone.
fn level_edge(part: &Vertices, pose: &Pose, down: &Vector3<f64>) -> Option<Vec<usize>> {
    let depths: Vec<f64> = (part.points().iter())
        .map(|p| pose.point(p).dot(down))
        .collect();
    let deepest = depths.iter().fold(f64::NEG_INFINITY, |m, d| m.max(*d));
    let level = |k: &usize| deepest - depths[*k] <= LEVEL * part.reach();
    let edge: Vec<usize> = (0..depths.len()).filter(level).collect();
    (edge.len() == 2 && !part.is_planar()).then_some(edge)
}

/// The whole face of the first body (the edge, where the guess has one level) that lands on a half-space or on a face of
/// the second one, at the poses of a guess.
pub(crate) fn find(
    model: &Model,
    meeting: &Meeting,
    poses: &[Pose],
) -> Result<Feature, OptimiseError> {
    landing(model, meeting, poses).map(|(feature, _)| feature)
}

/// Whether there is such a face, and it lies level at the guess.
pub(crate) fn is_level(model: &Model, meeting: &Meeting, poses: &[Pose]) -> bool {
    landing(model, meeting, poses).is_ok_and(|(_, level)| level)
}

/// What lands, and whether its vertices are equally deep.
fn landing(
    model: &Model,
    meeting: &Meeting,
    poses: &[Pose],
) -> Result<(Feature, bool), OptimiseError> {
    let near = Feature::find(model, meeting, poses)?;
    let lost = || OptimiseError::Unsupported {
        what: format!("{} that lands flat", near.name),
        fix: "let a body with a shape of vertices land on a half-space or a face".into(),
    };
    let (body, on, hull, face, all, down) = match *meeting {
        Meeting::Wall(body, wall) => {
            let part = near.part().ok_or_else(lost)?;
            let (vertices, _) = ball::points(model, body, part)?;
            let side = &model.contact().walls[wall];
            let down = -side.half_space.normal();
            let pose = &poses[body.index()];
            let face = match level_edge(vertices, pose, &down) {
                Some(edge) => edge,
                None => face_along(vertices, &pose.directors.tr_mul(&down)),
            };
            let one = |k: usize| Feature::vertex_on_wall(model, body, wall, part, k);
            let all: Vec<Feature> = (0..vertices.points().len()).map(one).collect();
            (body, side.name.clone(), vertices, face, all, down)
        }
        Meeting::Bodies(a, b) => {
            let Some(Pair::Bodies(Collider::Part { part: i, .. }, Collider::Part { part: j, .. })) =
                near.pair
            else {
                return Err(lost());
            };
            let shapes = [a, b].map(|id| model.body(id).shape.as_ref());
            let [Some(sa), Some(sb)] = shapes else {
                return Err(lost());
            };
            if [a, b].iter().any(|id| ball::has_round(model, *id)) {
                return Err(lost());
            }
            let (va, vb) = (&sa.vertices()[i], &sb.vertices()[j]);
            let (pa, pb) = (&poses[a.index()], &poses[b.index()]);
            let planar = va.is_planar() && vb.is_planar();
            let beta = centre_direction(&pa.point(va.mean()), &pb.point(vb.mean()), planar);
            let found = gap(Posed::new(va, pa), Posed::new(vb, pb), beta, &mut None);
            let normal = found.contact.normal();
            let face = face_along(va, &-pa.directors.tr_mul(&normal));
            let ground = face_along(vb, &pb.directors.tr_mul(&normal));
            let few = &ground[..ground.len().min(3)];
            let one = |k: usize| Feature::vertex_on_face(model, [(a, va), (b, vb)], k, few);
            let all: Option<Vec<Feature>> = (0..va.points().len()).map(one).collect();
            let all = all.ok_or_else(lost)?;
            (a, model.body(b).name.clone(), va, face, all, -normal)
        }
        Meeting::Limit { .. } => return Err(lost()),
    };
    let Some((&first, rest)) = face.split_first() else {
        return Err(lost());
    };
    let name = &model.body(body).name;
    let others = (0..all.len()).filter(|k| !face.contains(k));
    let pose = &poses[body.index()];
    let depth = |k: &usize| pose.point(&hull.points()[*k]).dot(&down);
    let level = rest
        .iter()
        .all(|k| (depth(k) - depth(&first)).abs() <= LEVEL * hull.reach());
    let feature = Feature {
        pair: near.pair,
        gap: all[first].gap.clone(),
        across: all[first].across.clone(),
        moves: None,
        crossing: None,
        beside: (rest.iter())
            .map(|&k| (all[k].gap.clone(), all[k].across.clone()))
            .collect(),
        others: others
            .map(|k| Other::vertex(hull, k, &face, all[k].gap.clone(), name))
            .collect(),
        name: format!("vertices {face:?} of {name} on {on}"),
    };
    Ok((feature, level))
}
