//! `distance` against the reference cases, against every candidate normal, against parry, and
//! against itself.

mod oracle;

use carom_gap::{Distance, Pose, Vertices, distance};
use nalgebra::Vector3;
use oracle::{cases, exact_overlap, sat_distance};
use parry3d_f64::{math, query, shape::ConvexPolyhedron};
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use std::cmp::Ordering;

type Points = Vec<Vector3<f64>>;

fn vertices(points: &[[f64; 3]], dim: usize) -> Vertices {
    let points: Points = points.iter().map(|&p| p.into()).collect();
    if dim == 2 {
        Vertices::planar(&points)
    } else {
        Vertices::new(&points)
    }
}

/// World coordinates.
fn world(points: &[Vector3<f64>], pose: &Pose) -> Vec<[f64; 3]> {
    points.iter().map(|p| pose.point(p).into()).collect()
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

fn random_vector(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0))
}

fn random_pose(rng: &mut ChaCha8Rng, reach: f64) -> Pose {
    Pose::new(random_vector(rng) * reach, random_vector(rng) * 3.0)
}

fn cube(half: [f64; 3]) -> Points {
    let corner = |i: usize| Vector3::from_fn(|k, _| half[k] * [-1.0, 1.0][i >> k & 1]);
    (0..8).map(corner).collect()
}

fn prism(sides: usize) -> Points {
    let point = |i: usize| {
        let angle = std::f64::consts::TAU * (i / 2) as f64 / sides as f64;
        Vector3::new(angle.cos(), angle.sin(), [-0.4, 0.4][i % 2])
    };
    (0..2 * sides).map(point).collect()
}

/// Tetrahedra, boxes, prisms and hulls of random points, of sizes up to about one.
fn random_body(rng: &mut ChaCha8Rng) -> Points {
    match rng.random_range(0..5) {
        0 => (0..4).map(|_| random_vector(rng)).collect(),
        1 => cube([0.5; 3]),
        2 => cube([0.9, 0.4, 0.05]),
        3 => prism(rng.random_range(3..7)),
        _ => {
            let count = rng.random_range(5..12);
            let round = rng.random_bool(0.5);
            let mut point = || {
                let v = random_vector(rng);
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

#[test]
fn reference_cases() {
    let mut worst: f64 = 0.0;
    for case in cases() {
        let (a, b) = (vertices(&case.a, case.dim), vertices(&case.b, case.dim));
        let identity = Pose::identity();
        let d = distance(&a, &identity, &b, &identity, &case.beta.into());
        let size = case.size().max(1.0);
        let error = (d.value - case.distance).abs() / size;
        worst = worst.max(error);
        assert!(error <= 1e-15, "case {}: {} {d:?}", case.id, case.distance);
        check_answer(&d, &case.a, &case.b, 1e-14 * size);
    }
    println!("largest error: {worst:e}");
}

#[test]
fn all_normals_of_random_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut worst: f64 = 0.0;
    for index in 0..3000 {
        let (a, pose_a, b, pose_b) = random_pair(&mut rng, index);
        let (wa, wb) = (world(&a, &pose_a), world(&b, &pose_b));
        let (expected, _) = sat_distance(&wa, &wb, 3);
        let start = random_vector(&mut rng);
        let d = distance(
            &Vertices::new(&a),
            &pose_a,
            &Vertices::new(&b),
            &pose_b,
            &start,
        );
        let error = (d.value - expected).abs();
        worst = worst.max(error);
        assert!(error <= 4e-15, "pair {index}: {expected} {d:?}");
        check_answer(&d, &wa, &wb, 1e-14);
    }
    println!("largest error: {worst:e}");
}

#[test]
fn all_normals_of_random_planar_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut worst: f64 = 0.0;
    for index in 0..3000 {
        let mut body = || -> Points {
            let count = rng.random_range(1..9);
            let mut point = || random_vector(&mut rng).xy().push(0.0);
            (0..count).map(|_| point()).collect()
        };
        let (a, b) = (body(), body());
        let mut pose = || {
            let p = random_vector(&mut rng) * 1.2;
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
        let start = random_vector(&mut rng);
        let (a, b) = (Vertices::planar(&a), Vertices::planar(&b));
        let d = distance(&a, &pose_a, &b, &pose_b, &start);
        let error = (d.value - expected).abs();
        worst = worst.max(error);
        assert!(error <= 4e-15, "pair {index}: {expected} {d:?}");
        assert_eq!(d.normal.z, 0.0);
        check_answer(&d, &wa, &wb, 1e-14);
    }
    println!("largest error: {worst:e}");
}

/// The sign agrees with exact arithmetic on the same world coordinates, but for round-off.
#[test]
fn verdict_is_exact_but_for_round_off() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
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
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let glam = |p: &Vector3<f64>| math::Vector::new(p.x, p.y, p.z);
    let (mut compared, mut differing) = ([0; 2], 0);
    for index in 0..1000 {
        let (a, b) = (random_body(&mut rng), random_body(&mut rng));
        let rotations = [random_vector(&mut rng) * 3.0, random_vector(&mut rng) * 3.0];
        let positions = [random_vector(&mut rng), random_vector(&mut rng)];
        let hull = |points: &Points| {
            let points: Vec<_> = points.iter().map(glam).collect();
            ConvexPolyhedron::from_convex_hull(&points)
        };
        let (Some(hull_a), Some(hull_b)) = (hull(&a), hull(&b)) else {
            continue;
        };
        let pose = |i: usize| Pose::new(positions[i], rotations[i]);
        let parry = |i: usize| math::Pose::new(glam(&positions[i]), glam(&rotations[i]));
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
                differing += 1;
            }
            compared[1] += 1;
        }
    }
    assert!(compared[0] > 200 && compared[1] > 200, "{compared:?}");
    println!("{compared:?} compared, {differing} depths differ");
}

#[test]
fn rigid_motion_and_swap() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for index in 0..2000 {
        let (a, pose_a, b, pose_b) = random_pair(&mut rng, index);
        let (a, b) = (Vertices::new(&a), Vertices::new(&b));
        let start = random_vector(&mut rng);
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

/// Far from the origin only the positions' own rounding is left, which the shifts below avoid.
#[test]
fn far_from_the_origin() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let shift = Vector3::new(2f64.powi(40), -(2f64.powi(41)), 2f64.powi(39));
    for index in 0..300 {
        let (a, mut pose_a, b, mut pose_b) = random_pair(&mut rng, index);
        let (a, b) = (Vertices::new(&a), Vertices::new(&b));
        for pose in [&mut pose_a, &mut pose_b] {
            pose.position = (pose.position * 256.0).map(f64::round) / 256.0;
        }
        let near = distance(&a, &pose_a, &b, &pose_b, &Vector3::x());
        pose_a.position += shift;
        pose_b.position += shift;
        let far = distance(&a, &pose_a, &b, &pose_b, &Vector3::x());
        assert_eq!((far.value, far.normal), (near.value, near.normal));
    }
}

#[test]
fn scales_with_powers_of_two() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for index in 0..300 {
        let (a, pose_a, b, pose_b) = random_pair(&mut rng, index);
        let scaled = |exponent: i32| {
            let s = 2f64.powi(exponent);
            let body = |points: &Points| {
                let points: Points = points.iter().map(|p| p * s).collect();
                Vertices::new(&points)
            };
            let pose = |pose: &Pose| Pose {
                position: pose.position * s,
                ..*pose
            };
            let d = distance(
                &body(&a),
                &pose(&pose_a),
                &body(&b),
                &pose(&pose_b),
                &(Vector3::y() * s),
            );
            (d.value / s, d.normal)
        };
        // The bounds that choose the scale may differ by rounding where squares under- or overflow.
        let (value, _) = scaled(0);
        for exponent in [-950, -100, 3, 100, 950] {
            let (other, _) = scaled(exponent);
            assert!((other - value).abs() < 2e-15, "pair {index}: {exponent}");
        }
    }
}

/// Small bodies far apart, and bodies of very different sizes.
#[test]
fn mixed_sizes() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for index in 0..1000 {
        let (a, pose_a, b, pose_b) = random_pair(&mut rng, 1);
        let shrink = 10f64.powi(-(index % 12));
        let a: Points = a.iter().map(|p| p * shrink).collect();
        let b: Points = if index % 2 == 0 {
            b.iter().map(|p| p * shrink).collect()
        } else {
            b
        };
        let (wa, wb) = (world(&a, &pose_a), world(&b, &pose_b));
        let d = distance(
            &Vertices::new(&a),
            &pose_a,
            &Vertices::new(&b),
            &pose_b,
            &Vector3::x(),
        );
        let (expected, _) = sat_distance(&wa, &wb, 3);
        // The reference loses small faces far away; it can only be too small then.
        assert!(
            d.value >= expected - 4e-15,
            "pair {index}: {expected} {d:?}"
        );
        check_answer(&d, &wa, &wb, 1e-14);
    }
}

/// Many vertices on a sphere, with and without an edge graph.
#[test]
fn large_hulls() {
    let mut rng = ChaCha8Rng::seed_from_u64(10);
    for round in 0..20 {
        let mut ball = || -> (Points, Vertices) {
            let points: Points = (0..160)
                .map(|_| random_vector(&mut rng).normalize())
                .collect();
            let glam: Vec<_> = points
                .iter()
                .map(|p| math::Vector::new(p.x, p.y, p.z))
                .collect();
            let (hull, faces) = parry3d_f64::transformation::convex_hull(&glam);
            let points: Points = hull.iter().map(|p| Vector3::new(p.x, p.y, p.z)).collect();
            let edges: Vec<_> = faces
                .iter()
                .flat_map(|&[i, j, k]| [[i, j], [j, k], [k, i]])
                .collect();
            (points.clone(), Vertices::new(&points).with_edges(&edges))
        };
        let ((pa, a), (pb, b)) = (ball(), ball());
        let pose_a = Pose::translation(0.12 * f64::from(round), 0.1, 0.2);
        let d = distance(&a, &pose_a, &b, &Pose::identity(), &Vector3::x());
        check_answer(
            &d,
            &world(&pa, &pose_a),
            &world(&pb, &Pose::identity()),
            1e-14,
        );
        let scanned = distance(
            &Vertices::new(&pa),
            &pose_a,
            &Vertices::new(&pb),
            &Pose::identity(),
            &Vector3::z(),
        );
        assert!((d.value - scanned.value).abs() < 1e-15);
    }
}

#[test]
fn hostile_bodies() {
    let point = |x, y, z| vec![Vector3::new(x, y, z)];
    let square = cube([0.5, 0.5, 0.0]);
    let repeated = [cube([0.5; 3]), cube([0.5; 3])].concat();
    let line: Points = (0..5)
        .map(|i| Vector3::new(f64::from(i), 0.0, 0.0))
        .collect();
    // Points inside and on faces and edges of a cube.
    let mut cluttered = cube([0.5; 3]);
    cluttered.extend(cube([0.5, 0.5, 0.25]));
    cluttered.extend(cube([0.5, 0.25, 0.25]));
    cluttered.extend(cube([0.0; 3]));
    let needle = vec![
        Vector3::zeros(),
        Vector3::new(1.0, 0.0, 0.0),
        Vector3::new(1.0, 1e-15, 0.0),
        Vector3::new(0.5, 0.0, 1e-15),
    ];
    let bodies = [
        point(0.0, 0.0, 0.0),
        point(0.5, 0.0, 0.0),
        vec![Vector3::new(0.1, 0.2, 0.3); 7],
        line,
        square,
        repeated,
        cluttered,
        needle,
        prism(6),
        cube([1e-9, 1.0, 1.0]),
    ];
    let poses = [
        Pose::identity(),
        Pose::translation(0.5, 0.0, 0.0),
        Pose::translation(0.0, 0.0, 1.0),
        Pose::translation(1.0, 1.0, 1.0),
        Pose::new(Vector3::new(0.0, 0.0, 0.5), Vector3::new(0.3, -0.7, 0.2)),
        Pose::translation(1e17, 0.0, 0.0),
        Pose::translation(1e-17, 1e-17, 0.0),
    ];
    let starts = [
        Vector3::x(),
        Vector3::zeros(),
        Vector3::new(f64::NAN, 0.0, 1.0),
        Vector3::new(0.0, f64::INFINITY, 0.0),
        Vector3::new(1e300, -1e300, 1e-300),
        Vector3::new(0.0, 0.0, -5e-324),
    ];
    for (i, a) in bodies.iter().enumerate() {
        for (j, b) in bodies.iter().enumerate() {
            for (k, pose) in poses.iter().enumerate() {
                let (wa, wb) = (world(a, pose), world(b, &Pose::identity()));
                let size = wa.iter().flatten().fold(1.0, |m: f64, c| m.max(c.abs()));
                let (expected, _) = sat_distance(&wa, &wb, 3);
                for start in &starts {
                    let d = distance(
                        &Vertices::new(a),
                        pose,
                        &Vertices::new(b),
                        &Pose::identity(),
                        start,
                    );
                    let error = (d.value - expected).abs();
                    let at = format!("bodies {i} {j}, pose {k}: {expected} {d:?}");
                    assert!(error <= 4e-15 * size, "{at}");
                    check_answer(&d, &wa, &wb, 1e-14 * size);
                }
            }
        }
    }
}

#[test]
fn flat_sets_overlap_by_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let square = Vertices::new(&cube([0.5, 0.5, 0.0]));
    let segment = Vertices::new(&cube([0.5, 0.0, 0.0]));
    let point = Vertices::new(&[Vector3::zeros()]);
    for _ in 0..50 {
        let pose = random_pose(&mut rng, 1.0);
        let within = pose.compose(&Pose::planar(0.3, 0.2, 0.4));
        let axis: Vector3<f64> = pose.directors.column(2).into();
        let start = random_vector(&mut rng);
        for (a, b) in [(&square, &square), (&square, &segment), (&point, &square)] {
            let d = distance(a, &within, b, &pose, &start);
            assert_eq!(d.value, 0.0);
            assert!((d.normal.dot(&axis).abs() - 1.0).abs() < 1e-12, "{d:?}");
            assert!(d.normal.dot(&start) >= 0.0);
            assert!((d.point_a - d.point_b).norm() < 1e-14);
        }
        // A point on a segment, a point on a point.
        let d = distance(&point, &pose, &segment, &pose, &start);
        let along: Vector3<f64> = pose.directors.column(0).into();
        assert_eq!(d.value, 0.0);
        assert!(d.normal.dot(&along).abs() < 1e-12, "{d:?}");
        let d = distance(&point, &pose, &point, &pose, &start);
        assert_eq!(d.value, 0.0);
        assert!((d.normal - start.normalize()).norm() < 1e-15);
    }
    // In the plane, segments that cross.
    let segment = Vertices::planar(&cube([0.5, 0.0, 0.0]));
    let upright = Pose::planar(0.0, 0.0, 0.5);
    let d = distance(&segment, &upright, &segment, &upright, &Vector3::y());
    assert_eq!((d.value, d.normal.z), (0.0, 0.0));
    assert!(d.normal.dot(&upright.directors.column(0)).abs() < 1e-15);
}

#[test]
fn sizes_at_the_ends_of_the_range() {
    for (size, tolerance) in [
        (1e-300, 1e-14),
        (1e-250, 1e-14),
        (1e250, 1e-14),
        (1e300, 1e-14),
        (5e307, 1e-9),
    ] {
        let body = Vertices::new(&cube([0.5 * size; 3]));
        for (z, expected) in [(3.0, 2.0), (1.0, 0.0), (0.75, -0.25), (0.0, -1.0)] {
            let pose = Pose::translation(0.0, 0.0, z * size);
            let d = distance(&body, &pose, &body, &Pose::identity(), &Vector3::z());
            assert!(
                (d.value / size - expected).abs() < tolerance,
                "{size} {d:?}"
            );
            assert!((d.normal.norm() - 1.0).abs() < 1e-14);
        }
    }
    // Nothing can be right here, but everything ends.
    for size in [1e-320, f64::MAX] {
        let body = Vertices::new(&cube([size; 3]));
        let pose = Pose::translation(size, -size, size);
        let d = distance(&body, &pose, &body, &pose.inverse(), &Vector3::z());
        assert!(!d.value.is_nan() && (d.normal.norm() - 1.0).abs() < 1e-14);
    }
    // Neither does what is not a number stop anything.
    let body = Vertices::new(&cube([0.5; 3]));
    for bad in [f64::NAN, f64::INFINITY] {
        let pose = Pose::translation(bad, 0.0, 0.0);
        distance(&body, &pose, &body, &Pose::identity(), &Vector3::z());
        distance(&body, &pose, &body, &pose, &Vector3::z());
    }
}
