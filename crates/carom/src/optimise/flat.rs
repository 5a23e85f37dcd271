//! Edges and faces that land flat: a contact of all their vertices at once.

use carom_gap::gap::{Posed, centre_direction, gap};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

use super::ball;
use super::error::OptimiseError;
use super::feature::{Feature, Other};
use super::meeting::Meeting;
use crate::contact::Collider;
use crate::model::Model;

/// The face of a convex part (the edge of a flat one) that looks most along a direction: its vertices.
pub(crate) fn face_along(part: &Vertices, direction: &Vector3<f64>) -> Vec<usize> {
    let p = part.points();
    let flat = 1e-9 * part.reach();
    let mut best: (f64, Vec<usize>) = (f64::NEG_INFINITY, Vec::new());
    let mut look = |normal: Vector3<f64>, base: &Vector3<f64>| {
        if normal.norm() <= 1e-12 {
            return;
        }
        let normal = normal.normalize();
        let heights: Vec<f64> = p.iter().map(|x| (x - base).dot(&normal)).collect();
        for sign in [1.0, -1.0] {
            let along = sign * normal.dot(direction);
            if along > best.0 + 1e-12 && heights.iter().all(|h| sign * h <= flat) {
                let own = (0..p.len()).filter(|k| heights[*k].abs() <= flat);
                best = (along, own.collect());
            }
        }
    };
    for i in 0..p.len() {
        for j in i + 1..p.len() {
            if part.is_planar() {
                look((p[j] - p[i]).cross(&Vector3::z()), &p[i]);
                continue;
            }
            for k in j + 1..p.len() {
                look((p[j] - p[i]).cross(&(p[k] - p[i])), &p[i]);
            }
        }
    }
    best.1
}

/// The direction, out of a convex part, of a face given by its vertices.
pub(crate) fn outward(part: &Vertices, face: &[usize]) -> Option<Vector3<f64>> {
    let p = part.points();
    let [i, j, rest @ ..] = face else { return None };
    let along = p[*j] - p[*i];
    let normal = match rest.first() {
        Some(k) => along.cross(&(p[*k] - p[*i])),
        None => along.cross(&Vector3::z()),
    };
    let out = (p[*i] - part.mean()).dot(&normal).signum();
    (normal.norm() > 1e-12).then(|| normal.normalize() * out)
}

/// Sides of a face: a vertex of each, and the direction from it into the face.
pub(crate) fn outline(
    part: &Vertices,
    face: &[usize],
    normal: &Vector3<f64>,
) -> Vec<(usize, Vector3<f64>)> {
    let p = part.points();
    let flat = 1e-9 * part.reach();
    let mut out = Vec::new();
    for &i in face {
        for &j in face.iter().filter(|j| **j != i) {
            // A flat part has an edge for a face, which ends at its two vertices.
            let inward = match part.is_planar() {
                true => p[j] - p[i],
                false => normal.cross(&(p[j] - p[i])),
            };
            let depth = |k: &usize| (p[*k] - p[i]).dot(&inward);
            if inward.norm() > 0.0 && face.iter().all(|k| depth(k) >= -flat * inward.norm()) {
                out.push((i, inward.normalize()));
            }
        }
    }
    out
}

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

/// The whole face of the first body (the edge, where the guess has one level) that lands on a half-space or on a face of the second one, at the poses
/// of a guess.
pub(crate) fn find(
    model: &Model,
    meeting: &Meeting,
    poses: &[Pose],
) -> Result<Feature, OptimiseError> {
    let near = Feature::find(model, meeting, poses)?;
    let lost = || OptimiseError::Unsupported {
        what: format!("{} that lands flat", near.name),
        fix: "let a body with a shape of vertices land on a half-space or a face".into(),
    };
    let (body, on, hull, face, all) = match *meeting {
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
            (body, side.name.clone(), vertices, face, all)
        }
        Meeting::Bodies(a, b) => {
            let Some((Collider::Part { part: i, .. }, Collider::Part { part: j, .. })) = near.pair
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
            (a, model.body(b).name.clone(), va, face, all)
        }
        Meeting::Limit { .. } => return Err(lost()),
    };
    let Some((&first, rest)) = face.split_first() else {
        return Err(lost());
    };
    let name = &model.body(body).name;
    let others = (0..all.len()).filter(|k| !face.contains(k));
    Ok(Feature {
        pair: near.pair,
        gap: all[first].gap.clone(),
        across: all[first].across.clone(),
        rolls: None,
        beside: (rest.iter())
            .map(|&k| (all[k].gap.clone(), all[k].across.clone()))
            .collect(),
        others: others
            .map(|k| Other::vertex(hull, k, &face, all[k].gap.clone(), name))
            .collect(),
        name: format!("vertices {face:?} of {name} on {on}"),
    })
}
