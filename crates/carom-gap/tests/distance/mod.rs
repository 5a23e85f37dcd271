//! `distance` against the reference cases, against every candidate normal, against parry, and
//! against itself.

mod limits;
mod references;

use crate::common::*;
use crate::oracle::sat_distance;
use carom_gap::{Distance, Pose, Vertices};
use nalgebra::Vector3;

type Points = Vec<Vector3<f64>>;

fn vertices(points: &[[f64; 3]], dim: usize) -> Vertices {
    let points = vectors(points);
    if dim == 2 {
        Vertices::planar(&points)
    } else {
        Vertices::new(&points)
    }
}

/// What every answer must satisfy, whatever the bodies: finite numbers, a unit normal, witness
/// points that are `value` apart along it, and a value no better than the normal can prove.
#[track_caller]
fn check_answer(d: &Distance, a: &[[f64; 3]], b: &[[f64; 3]], tolerance: f64) {
    assert!(d.value.is_finite(), "{d:?}");
    assert!((d.normal.norm() - 1.0).abs() < 1e-14, "{d:?}");
    let along = |points: &[[f64; 3]], n: Vector3<f64>| {
        let values = points.iter().map(|&p| n.dot(&Vector3::from(p)));
        values.fold(f64::INFINITY, f64::min)
    };
    let proved = along(a, d.normal) + along(b, -d.normal);
    assert!((proved - d.value).abs() <= tolerance, "{proved} {d:?}");
    let mismatch = d.point_a - d.point_b - d.normal * d.value;
    assert!(mismatch.norm() <= tolerance, "{mismatch} {d:?}");
}

fn random_pose(rng: &mut ChaCha8Rng, reach: f64) -> Pose {
    Pose::new(in_box(rng, reach), in_box(rng, 3.0))
}

/// Tetrahedra, boxes, prisms and hulls of random points, of sizes up to about one.
fn random_body(rng: &mut ChaCha8Rng) -> Points {
    match rng.random_range(0..5) {
        0 => (0..4).map(|_| in_box(rng, 1.0)).collect(),
        1 => cuboid([0.5; 3]),
        2 => cuboid([0.9, 0.4, 0.05]),
        3 => prism(rng.random_range(3..7)),
        _ => {
            let count = rng.random_range(5..12);
            let round = rng.random_bool(0.5);
            let mut point = || {
                let v = in_box(rng, 1.0);
                if round { v.normalize() } else { v }
            };
            (0..count).map(|_| point()).collect()
        }
    }
}

/// Pairs at all distances: far, overlapping, and moved along the normal to a chosen small gap.
fn random_pair(rng: &mut ChaCha8Rng, index: usize) -> (Points, Pose, Points, Pose) {
    let (a, b) = (random_body(rng), random_body(rng));
    let (mut pose_a, pose_b) = (random_pose(rng, 1.0), random_pose(rng, 1.0));
    if index.is_multiple_of(2) {
        let (value, normal) = sat_distance(&world(&a, &pose_a), &world(&b, &pose_b), 3);
        let gaps = [
            0.0, 1e-15, 1e-13, 1e-10, 1e-7, 1e-4, -1e-15, -1e-12, -1e-8, -1e-3,
        ];
        let wanted = gaps[index / 2 % gaps.len()];
        pose_a.position += Vector3::from(normal) * (wanted - value);
    }
    (a, pose_a, b, pose_b)
}
