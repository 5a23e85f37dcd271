//! How deep bodies overlap, by Euclidean distances of all pairs: none of the contact solver's gaps,
//! broad phase or bookkeeping is used.

use std::collections::HashSet;

use carom::model::{BodyKind, Model};
use carom::{Pose, Vertices, distance};
use nalgebra::Vector3;

/// The deepest overlap of two bodies that may collide, or of a body and a wall, and who they are.
/// None if nothing overlaps.
pub fn deepest(model: &Model, poses: &[Pose]) -> Option<(f64, String)> {
    let bodies = model.bodies();
    let apart = never_meet(model);
    let walls_apart = &model.contact().excluded_walls;
    let solids: Vec<Vec<Solid>> = (0..bodies.len()).map(|k| solids(model, k)).collect();
    let mut deepest: Option<(f64, String)> = None;
    let mut see = |gap: f64, a: &str, b: &str| {
        if gap < -deepest.as_ref().map_or(0.0, |(depth, _)| *depth) {
            deepest = Some((-gap, format!("{a} and {b}")));
        }
    };
    for (i, a) in bodies.iter().enumerate() {
        let moves = a.kind != BodyKind::Static;
        for (w, wall) in model.contact().walls.iter().enumerate() {
            let excluded = walls_apart
                .iter()
                .any(|(body, wall)| body.index() == i && *wall == w);
            if moves && !excluded {
                for s in &solids[i] {
                    let (n, offset) = (wall.half_space.normal(), wall.half_space.offset());
                    see(s.above(&poses[i], n, offset), &a.name, &wall.name);
                }
            }
        }
        for (j, b) in bodies.iter().enumerate().skip(i + 1) {
            let still = !moves && b.kind == BodyKind::Static;
            if still || apart.contains(&(i, j)) {
                continue;
            }
            let between = poses[j].position - poses[i].position;
            if between.norm() > a.reach() + b.reach() {
                continue;
            }
            for s in &solids[i] {
                for t in &solids[j] {
                    see(s.gap(&poses[i], t, &poses[j]), &a.name, &b.name);
                }
            }
        }
    }
    deepest
}

/// Pairs of bodies that joints or the user keep from colliding.
fn never_meet(model: &Model) -> HashSet<(usize, usize)> {
    let joints = model.joints().iter().chain(model.closures());
    let joined = joints
        .filter(|j| !j.collide)
        .filter_map(|j| Some((j.parent?.index(), j.child.index())));
    let excluded = model.contact().excluded.iter();
    let excluded = excluded.map(|[a, b]| (a.index(), b.index()));
    let order = |(a, b): (usize, usize)| (a.min(b), a.max(b));
    joined.chain(excluded).map(order).collect()
}

/// Points with a radius around them.
struct Solid {
    points: Vertices,
    radius: f64,
}

fn solids(model: &Model, body: usize) -> Vec<Solid> {
    let body = &model.bodies()[body];
    match (&body.kind, &body.shape) {
        (BodyKind::Particle { .. }, _) => vec![Solid {
            points: Vertices::new(&[Vector3::zeros()]),
            radius: body.radius,
        }],
        (_, Some(shape)) => {
            let parts = shape.vertices().iter();
            let solid = |points: &Vertices| Solid {
                points: points.clone(),
                radius: 0.0,
            };
            parts.map(solid).collect()
        }
        _ => Vec::new(),
    }
}

impl Solid {
    fn above(&self, pose: &Pose, normal: &Vector3<f64>, offset: f64) -> f64 {
        let heights = self.points.points().iter();
        let heights = heights.map(|p| pose.point(p).dot(normal) - offset);
        heights.fold(f64::INFINITY, f64::min) - self.radius
    }

    fn gap(&self, pose: &Pose, other: &Solid, other_pose: &Pose) -> f64 {
        let start = pose.point(self.points.mean()) - other_pose.point(other.points.mean());
        let apart = match (self.points.len(), other.points.len()) {
            (1, 1) => start.norm(),
            _ => distance(&self.points, pose, &other.points, other_pose, &start).value,
        };
        apart - self.radius - other.radius
    }
}
