//! Against the reference cases, every candidate normal, exact arithmetic and parry; and the answers
//! that must not change under rigid motion and swap.

use super::*;
use crate::oracle::{cases, exact_overlap};
use carom_gap::distance;
use parry3d_f64::{math, query, shape::ConvexPolyhedron};
use std::cmp::Ordering;

#[test]
fn reference_cases() {
    for case in cases() {
        let (a, b) = (vertices(&case.a, case.dim), vertices(&case.b, case.dim));
        let identity = Pose::identity();
        let d = distance(&a, &identity, &b, &identity, &case.beta.into());
        let size = case.size().max(1.0);
        let error = (d.value - case.distance).abs() / size;
        assert!(error <= 1e-15, "case {}: {} {d:?}", case.id, case.distance);
        check_answer(&d, &case.a, &case.b, 1e-14 * size);
    }
}

#[test]
fn all_normals_of_random_pairs() {
    let mut rng = rng(2);
    for index in 0..3000 {
        let (a, pose_a, b, pose_b) = random_pair(&mut rng, index);
        let (wa, wb) = (world(&a, &pose_a), world(&b, &pose_b));
        let (expected, _) = sat_distance(&wa, &wb, 3);
        let start = in_box(&mut rng, 1.0);
        let d = distance(
            &Vertices::new(&a),
            &pose_a,
            &Vertices::new(&b),
            &pose_b,
            &start,
        );
        let error = (d.value - expected).abs();
        assert!(error <= 4e-15, "pair {index}: {expected} {d:?}");
        check_answer(&d, &wa, &wb, 1e-14);
    }
}

#[test]
fn all_normals_of_random_planar_pairs() {
    let mut rng = rng(3);
    for index in 0..3000 {
        let mut body = || -> Points {
            let count = rng.random_range(1..9);
            let mut point = || in_box(&mut rng, 1.0).xy().push(0.0);
            (0..count).map(|_| point()).collect()
        };
        let (a, b) = (body(), body());
        let mut pose = || {
            let p = in_box(&mut rng, 1.0) * 1.2;
            Pose::planar(p.x, p.y, 3.0 * p.z)
        };
        let (mut pose_a, pose_b) = (pose(), pose());
        if index % 3 == 0 {
            let (value, normal) = sat_distance(&world(&a, &pose_a), &world(&b, &pose_b), 2);
            let wanted = [0.0, 1e-13, 1e-9, 1e-5, -1e-13, -1e-6][index / 3 % 6];
            pose_a.position += Vector3::from(normal) * (wanted - value);
        }
        let (wa, wb) = (world(&a, &pose_a), world(&b, &pose_b));
        let (expected, _) = sat_distance(&wa, &wb, 2);
        let start = in_box(&mut rng, 1.0);
        let (a, b) = (Vertices::planar(&a), Vertices::planar(&b));
        let d = distance(&a, &pose_a, &b, &pose_b, &start);
        let error = (d.value - expected).abs();
        assert!(error <= 4e-15, "pair {index}: {expected} {d:?}");
        assert_eq!(d.normal.z, 0.0);
        check_answer(&d, &wa, &wb, 1e-14);
    }
}

/// The sign agrees with exact arithmetic on the same world coordinates, but for round-off.
#[test]
fn verdict_is_exact_but_for_round_off() {
    let mut rng = rng(4);
    for index in 0..300 {
        let (a, pose_a, b, pose_b) = random_pair(&mut rng, index);
        let (wa, wb) = (world(&a, &pose_a), world(&b, &pose_b));
        let (a, b) = (vertices(&wa, 3), vertices(&wb, 3));
        let identity = Pose::identity();
        let d = distance(&a, &identity, &b, &identity, &Vector3::x());
        let agrees = match exact_overlap(&wa, &wb) {
            Ordering::Greater => d.value > -1e-15,
            Ordering::Equal => d.value.abs() < 1e-15,
            Ordering::Less => d.value < 1e-15,
        };
        assert!(agrees, "pair {index}: {d:?}");
    }
}

/// Parry's penetration depth has a loose tolerance: where it differs
/// from ours, every candidate normal is tried to see that ours is right. Distances are compared as
/// they are.
#[test]
fn parry_on_random_pairs() {
    let mut rng = rng(5);
    let mut compared = [0; 2];
    for index in 0..1000 {
        let (a, b) = (random_body(&mut rng), random_body(&mut rng));
        let rotations = [in_box(&mut rng, 1.0) * 3.0, in_box(&mut rng, 1.0) * 3.0];
        let positions = [in_box(&mut rng, 1.0), in_box(&mut rng, 1.0)];
        let hull = |points: &Points| {
            let points: Vec<_> = points.iter().map(parry_vector).collect();
            ConvexPolyhedron::from_convex_hull(&points)
        };
        let (Some(hull_a), Some(hull_b)) = (hull(&a), hull(&b)) else {
            continue;
        };
        let pose = |i: usize| Pose::new(positions[i], rotations[i]);
        let parry =
            |i: usize| math::Pose::new(parry_vector(&positions[i]), parry_vector(&rotations[i]));
        let (a, b) = (Vertices::new(&a), Vertices::new(&b));
        let d = distance(&a, &pose(0), &b, &pose(1), &(positions[0] - positions[1]));
        if d.value > 0.0 {
            let theirs = query::distance(&parry(0), &hull_a, &parry(1), &hull_b).unwrap();
            let error = (theirs.distance - d.value).abs();
            assert!(error < 1e-8, "pair {index}: {theirs:?} {d:?}");
            compared[0] += 1;
        } else {
            let theirs = query::contact(&parry(0), &hull_a, &parry(1), &hull_b, 0.0).unwrap();
            let theirs = theirs.map_or(0.0, |contact| contact.dist);
            let excess = theirs - d.value;
            if excess.abs() > 1e-8 {
                let (wa, wb) = (world(a.points(), &pose(0)), world(b.points(), &pose(1)));
                let (expected, _) = sat_distance(&wa, &wb, 3);
                let error = (d.value - expected).abs();
                assert!(error < 4e-15, "pair {index}: {theirs} {expected} {d:?}");
            }
            compared[1] += 1;
        }
    }
    assert!(compared[0] > 200 && compared[1] > 200, "{compared:?}");
}

#[test]
fn rigid_motion_and_swap() {
    let mut rng = rng(6);
    for index in 0..2000 {
        let (a, pose_a, b, pose_b) = random_pair(&mut rng, index);
        let (a, b) = (Vertices::new(&a), Vertices::new(&b));
        let start = in_box(&mut rng, 1.0);
        let d = distance(&a, &pose_a, &b, &pose_b, &start);
        let swapped = distance(&b, &pose_b, &a, &pose_a, &-start);
        assert!((swapped.value - d.value).abs() < 2e-15, "pair {index}");
        let motion = random_pose(&mut rng, 1.0);
        let moved = distance(
            &a,
            &motion.compose(&pose_a),
            &b,
            &motion.compose(&pose_b),
            &motion.vector(&start),
        );
        assert!((moved.value - d.value).abs() < 4e-15, "pair {index}");
    }
}
