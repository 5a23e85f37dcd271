//! At the limits: far away, tiny and huge, large hulls, flat and repeated points.

use super::*;
use carom_gap::distance;

/// Far from the origin only the positions' own rounding is left, which the shifts below avoid.
#[test]
fn far_from_the_origin() {
    let mut rng = rng(7);
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
    let mut rng = rng(8);
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
    let mut rng = rng(9);
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
    let mut rng = rng(10);
    for round in 0..20 {
        let mut ball = || {
            let points: Points = (0..160).map(|_| unit(&mut rng)).collect();
            hull(&points)
        };
        let (a, b) = (ball(), ball());
        let pose_a = Pose::translation(0.12 * f64::from(round), 0.1, 0.2);
        let d = distance(&a, &pose_a, &b, &Pose::identity(), &Vector3::x());
        check_answer(
            &d,
            &world(a.points(), &pose_a),
            &world(b.points(), &Pose::identity()),
            1e-14,
        );
        let scanned = distance(
            &Vertices::new(a.points()),
            &pose_a,
            &Vertices::new(b.points()),
            &Pose::identity(),
            &Vector3::z(),
        );
        assert!((d.value - scanned.value).abs() < 1e-15);
    }
}

#[test]
fn hostile_bodies() {
    let point = |x, y, z| vec![Vector3::new(x, y, z)];
    let square = cuboid([0.5, 0.5, 0.0]);
    let repeated = [cuboid([0.5; 3]), cuboid([0.5; 3])].concat();
    let line: Points = (0..5)
        .map(|i| Vector3::new(f64::from(i), 0.0, 0.0))
        .collect();
    // Points inside and on faces and edges of a cube.
    let mut cluttered = cuboid([0.5; 3]);
    cluttered.extend(cuboid([0.5, 0.5, 0.25]));
    cluttered.extend(cuboid([0.5, 0.25, 0.25]));
    cluttered.extend(cuboid([0.0; 3]));
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
        cuboid([1e-9, 1.0, 1.0]),
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
    let mut rng = rng(11);
    let square = Vertices::new(&cuboid([0.5, 0.5, 0.0]));
    let segment = Vertices::new(&cuboid([0.5, 0.0, 0.0]));
    let point = Vertices::new(&[Vector3::zeros()]);
    for _ in 0..50 {
        let pose = random_pose(&mut rng, 1.0);
        let within = pose.compose(&Pose::planar(0.3, 0.2, 0.4));
        let axis: Vector3<f64> = pose.directors.column(2).into();
        let start = in_box(&mut rng, 1.0);
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
    let segment = Vertices::planar(&cuboid([0.5, 0.0, 0.0]));
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
        let body = Vertices::new(&cuboid([0.5 * size; 3]));
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
        let body = Vertices::new(&cuboid([size; 3]));
        let pose = Pose::translation(size, -size, size);
        let d = distance(&body, &pose, &body, &pose.inverse(), &Vector3::z());
        assert!(!d.value.is_nan() && (d.normal.norm() - 1.0).abs() < 1e-14);
    }
    // Neither does what is not a number stop anything.
    let body = Vertices::new(&cuboid([0.5; 3]));
    for bad in [f64::NAN, f64::INFINITY] {
        let pose = Pose::translation(bad, 0.0, 0.0);
        distance(&body, &pose, &body, &Pose::identity(), &Vector3::z());
        distance(&body, &pose, &body, &pose, &Vector3::z());
    }
}
