//! Hulls: containment, extremeness, topology, agreement with parry.

use carom_gap::geometry::{GeometryError, Polygon, Polytope};
use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

/// Point clouds of many kinds, of size about one.
fn cloud(kind: usize, rng: &mut ChaCha8Rng) -> Vec<Vector3<f64>> {
    let count = rng.random_range(5..120);
    let mut unit = |_: usize| Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
    match kind {
        // In a cube; on a sphere; in a thin plate; along a needle.
        0 => (0..count).map(unit).collect(),
        1 => (0..count).map(|k| unit(k).normalize()).collect(),
        2 => (0..count)
            .map(|k| unit(k).component_mul(&v(1.0, 1.0, 1e-6)))
            .collect(),
        3 => (0..count)
            .map(|k| unit(k).component_mul(&v(1.0, 1e-5, 1e-5)))
            .collect(),
        // On a grid: many coplanar and collinear points, many repeated.
        4 => (0..count)
            .map(|k| (unit(k) * 2.0).map(f64::round) / 2.0)
            .collect(),
        // A turned grid: coplanar up to rounding.
        5 => {
            let turn = nalgebra::Rotation3::new(v(0.3, 0.7, -0.2));
            (0..count)
                .map(|k| turn * (unit(k) * 2.0).map(f64::round) / 2.0)
                .collect()
        }
        // Far from the origin.
        6 => (0..count).map(|k| unit(k).add_scalar(1e6)).collect(),
        // Clusters, repeated up to rounding.
        _ => (0..count)
            .map(|k| (unit(k) * 3.0).map(f64::round) + unit(k) * 1e-15)
            .collect(),
    }
}

fn check(hull: &Polytope, points: &[Vector3<f64>], tolerance: f64) {
    let corners = hull.vertices().points();
    for p in points {
        assert!(
            hull.excess(p) <= tolerance,
            "a point is {:e} outside",
            hull.excess(p)
        );
    }
    // Euler; every vertex in three faces or more; edges once in each direction.
    let (v, e, f) = (corners.len(), hull.edges().len(), hull.faces().len());
    assert_eq!(v + f, e + 2);
    assert_eq!(hull.faces().iter().map(Vec::len).sum::<usize>(), 2 * e);
    for (i, p) in corners.iter().enumerate() {
        assert!(points.contains(p), "corners are given points");
        assert!(hull.vertices().neighbours(i).len() >= 3);
        // Extreme: the sum of the normals around a corner leads out of the body there.
        let around = hull.faces().iter().zip(hull.normals());
        let out: Vector3<f64> = around
            .filter(|(f, _)| f.contains(&(i as u32)))
            .map(|(_, n)| n)
            .sum();
        let beaten = corners
            .iter()
            .filter(|q| out.dot(&(*q - p)) > tolerance)
            .count();
        assert!(beaten == 0 || out.norm() < 1e-6, "a corner is not extreme");
    }
    assert!(hull.mass_properties().volume > 0.0);
    // Merged: no face lies in the plane of another.
    for (i, (face, n)) in hull.faces().iter().zip(hull.normals()).enumerate() {
        let origin = corners[face[0] as usize];
        for other in &hull.faces()[i + 1..] {
            let off = |&k: &u32| n.dot(&(corners[k as usize] - origin)).abs();
            let off = other.iter().map(off).fold(0.0, f64::max);
            assert!(off > 1e-11, "two faces in one plane ({off:e})");
        }
    }
}

#[test]
fn hulls_of_random_points() {
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut built = [0; 8];
    for round in 0..800 {
        let kind = round % 8;
        let points = cloud(kind, &mut rng);
        let hull = match Polytope::hull(&points) {
            Ok(hull) => hull,
            Err(GeometryError::Flat { .. }) => continue, // a few points of a grid
            Err(error) => panic!("{error}"),
        };
        built[kind] += 1;
        let tolerance = if kind == 6 { 1e-8 } else { 1e-9 };
        check(&hull, &points, tolerance);

        // Once more: the same body, and accepted by its faces.
        let corners = hull.vertices().points();
        let again = Polytope::hull(corners).unwrap();
        assert_eq!(again.vertices().points(), corners, "kind {kind}");
        assert_eq!(again.edges(), hull.edges(), "kind {kind}");
        let given = Polytope::from_faces(corners, hull.faces()).unwrap();
        assert_eq!(given.faces().len(), hull.faces().len());
    }
    assert!(built.iter().all(|&b| b > 80), "{built:?}");
}

#[test]
fn volume_agrees_with_parry() {
    use parry3d_f64::{math::Vector, transformation::try_convex_hull};
    let mut rng = ChaCha8Rng::seed_from_u64(22);
    for kind in [0, 1] {
        for _ in 0..50 {
            let points = cloud(kind, &mut rng);
            let theirs: Vec<_> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
            let (corners, triangles) = try_convex_hull(&theirs).unwrap();
            let volume: f64 = triangles
                .iter()
                .map(|t| {
                    let [a, b, c] = t.map(|i| corners[i as usize]);
                    a.dot(b.cross(c)) / 6.0
                })
                .sum();
            let ours = Polytope::hull(&points).unwrap();
            assert!((ours.mass_properties().volume / volume - 1.0).abs() < 1e-12);
            assert_eq!(ours.vertices().len(), corners.len());
        }
    }
}

#[test]
fn points_inside_edges_and_faces_are_dropped() {
    let mut points = Vec::new();
    for x in 0..4 {
        for y in 0..4 {
            for z in 0..4 {
                points.push(v(x.into(), y.into(), z.into()) / 3.0);
            }
        }
    }
    let turn = nalgebra::Rotation3::new(v(0.4, -1.1, 0.3));
    let turned: Vec<_> = points
        .iter()
        .map(|p| turn * p * 1e-3 + v(2.0, 1.0, 0.0))
        .collect();
    for points in [points, turned] {
        let cube = Polytope::hull(&points).unwrap();
        assert_eq!((cube.vertices().len(), cube.faces().len()), (8, 6));
        assert!(cube.faces().iter().all(|f| f.len() == 4));
    }
}

#[test]
fn thin_and_scaled_bodies() {
    for scale in [1e-40, 1e-9, 1.0, 1e9, 1e40] {
        let plate = Polytope::cuboid(scale, scale, 1e-6 * scale).unwrap();
        let volume = plate.mass_properties().volume;
        assert!((volume / (1e-6 * scale.powi(3)) - 1.0).abs() < 1e-13);
    }
    // Mixed scales, far below anything the predicate could resolve without its grid.
    let points = [
        v(0.0, 0.0, 0.0),
        v(1.0, 1e-250, 0.0),
        v(1e-200, 1.0, 0.0),
        v(0.0, -1e-280, 1.0),
        v(0.2, 0.2, 1e-300),
    ];
    assert_eq!(Polytope::hull(&points).unwrap().vertices().len(), 4);
}

#[test]
fn large_hulls_are_quick() {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let mut direction = || Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0)).normalize();
    let points: Vec<_> = (0..5000).map(|_| direction()).collect();
    assert_eq!(Polytope::hull(&points).unwrap().vertices().len(), 5000);
}

#[test]
fn polygon_hulls_contain_their_points() {
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    for round in 0..200 {
        let count = rng.random_range(4..60);
        let points: Vec<[f64; 2]> = (0..count)
            .map(|_| {
                let p: [f64; 2] = [rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0)];
                if round % 2 == 0 {
                    p
                } else {
                    p.map(|x| (x * 3.0).round() / 3.0)
                }
            })
            .collect();
        let Ok(hull) = Polygon::hull(&points) else {
            continue;
        };
        let corners: Vec<_> = hull.corners().collect();
        for (i, a) in corners.iter().enumerate() {
            let b = corners[(i + 1) % corners.len()];
            for p in &points {
                let outside = -(b - a).perp(&(nalgebra::Vector2::from(*p) - a));
                assert!(outside < 1e-9, "{outside}");
            }
        }
        let lifted: Vec<_> = corners.iter().map(|c| [c.x, c.y]).collect();
        assert_eq!(
            Polygon::from_loop(&lifted).unwrap().vertices().len(),
            corners.len()
        );
    }
}
