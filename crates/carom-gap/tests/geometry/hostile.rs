//! Hostile input: always an error that names the fault, never a panic.

use carom_gap::geometry::{Convex, GeometryError, Polygon, Polytope};
use nalgebra::Vector3;

fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

type Check = fn(&GeometryError) -> bool;

#[test]
fn hostile_points_are_refused_with_the_reason() {
    let nan = f64::NAN;
    let tetra = [
        v(0.0, 0.0, 0.0),
        v(1.0, 0.0, 0.0),
        v(0.0, 1.0, 0.0),
        v(0.0, 0.0, 1.0),
    ];
    let with = |p: Vector3<f64>| tetra.iter().copied().chain([p]).collect::<Vec<_>>();
    let scaled = |s: f64| tetra.map(|p| p * s).to_vec();
    let line = (0..9)
        .map(|k| v(1.0, 2.0, 3.0) * f64::from(k) * 0.1)
        .collect();
    let plane = (0..30)
        .map(|k: i32| v((k % 6).into(), (k / 6).into(), (k % 6 + k / 6).into()) * 0.1)
        .collect();
    let flat: Check = |e| matches!(e, GeometryError::Flat { .. });
    let few: Check = |e| matches!(e, GeometryError::TooFewPoints { .. });
    let infinite: Check = |e| matches!(e, GeometryError::NotFinite { index: 4, .. });
    let scale: Check = |e| matches!(e, GeometryError::Scale { .. });
    let table: Vec<(&str, Vec<Vector3<f64>>, Check)> = vec![
        ("nothing", vec![], few),
        ("one point", vec![v(1.0, 2.0, 3.0)], few),
        ("one point often", vec![v(1.0, 2.0, 3.0); 50], flat),
        ("zeros", vec![Vector3::zeros(); 50], flat),
        ("line", line, flat),
        ("plane", plane, flat),
        (
            "nearly plane",
            with(v(0.0, 0.0, 1.0))
                .iter()
                .map(|p| v(p.x, p.y, p.z * 1e-12))
                .collect(),
            flat,
        ),
        ("not a number", with(v(nan, 0.0, 0.0)), infinite),
        ("infinite", with(v(0.0, f64::INFINITY, 0.0)), infinite),
        (
            "minus infinite",
            with(v(0.0, 0.0, f64::NEG_INFINITY)),
            infinite,
        ),
        ("1e300", scaled(1e300), scale),
        ("largest", scaled(f64::MAX), scale),
        ("1e-300", scaled(1e-300), scale),
        ("smallest", scaled(5e-324), scale),
        (
            "far cluster",
            tetra.map(|p| p * 1e-9 + v(1.0, 1.0, 1.0) * 1e8).to_vec(),
            flat,
        ),
    ];
    for (name, points, expected) in table {
        let error = Polytope::hull(&points).expect_err(name);
        assert!(expected(&error), "{name}: {error}");
        assert!(error.to_string().contains(':'), "{name}: {error}");
    }
    // Fine after all: repeated corners.
    let doubled: Vec<_> = tetra.iter().chain(&tetra).copied().collect();
    assert_eq!(Polytope::hull(&doubled).unwrap().vertices().len(), 4);
}

#[test]
fn hostile_faces_are_refused_with_the_culprit() {
    let cube = Polytope::cube(2.0).unwrap();
    let points = cube.vertices().points().to_vec();
    let good = cube.faces().to_vec();
    let refuse = |points: &[Vector3<f64>], faces: &[Vec<u32>]| {
        Polytope::from_faces(points, faces).expect_err("must be refused")
    };

    let mut faces = good.clone();
    faces.iter_mut().for_each(|f| f.reverse());
    assert!(
        matches!(refuse(&points, &faces), GeometryError::InsideOut { volume } if volume < -7.9)
    );

    let mut faces = good.clone();
    faces[3].reverse();
    let error = refuse(&points, &faces);
    let GeometryError::FlippedFace { face, other, .. } = error else {
        panic!("{error}");
    };
    assert!(face == 3 || other == 3);

    let mut faces = good.clone();
    faces.pop();
    assert!(matches!(
        refuse(&points, &faces),
        GeometryError::OpenEdge { .. }
    ));

    let mut faces = good.clone();
    faces[2][1] = 8;
    assert!(matches!(
        refuse(&points, &faces),
        GeometryError::NoSuchPoint {
            face: 2,
            index: 8,
            count: 8
        }
    ));

    let mut faces = good.clone();
    faces[4] = vec![0, 1];
    assert!(matches!(
        refuse(&points, &faces),
        GeometryError::ShortFace { face: 4, found: 2 }
    ));

    let mut faces = good.clone();
    faces[1][0] = faces[1][2];
    assert!(matches!(
        refuse(&points, &faces),
        GeometryError::RepeatedVertex { face: 1, .. }
    ));

    let mut more = points.clone();
    more.push(v(0.0, 0.0, 0.0));
    assert!(matches!(
        refuse(&more, &good),
        GeometryError::UnusedPoint { index: 8 }
    ));

    // A corner pulled off: its faces are bent.
    let mut bent = points.clone();
    bent[0] *= 1.01;
    assert!(matches!(
        refuse(&bent, &good),
        GeometryError::BentFace { .. }
    ));

    // A cube with a dented face: the four triangles to a point inside.
    let mut dented = points.clone();
    dented.push(
        good[0]
            .iter()
            .map(|&i| points[i as usize])
            .sum::<Vector3<f64>>()
            / 8.0,
    );
    let mut faces = good[1..].to_vec();
    for k in 0..4 {
        faces.push(vec![good[0][k], good[0][(k + 1) % 4], 8]);
    }
    let error = refuse(&dented, &faces);
    assert!(
        matches!(error, GeometryError::NotConvex { face: 5.., .. }),
        "{error}"
    );
    // The same with the point in the face is a cube again.
    dented[8] *= 2.0;
    assert_eq!(
        Polytope::from_faces(&dented, &faces).unwrap().faces().len(),
        6
    );

    // Two cubes in one.
    let both: Vec<_> = points
        .iter()
        .copied()
        .chain(points.iter().map(|p| p + v(5.0, 0.0, 0.0)))
        .collect();
    let faces: Vec<_> = good
        .iter()
        .cloned()
        .chain(good.iter().map(|f| f.iter().map(|i| i + 8).collect()))
        .collect();
    assert!(matches!(
        refuse(&both, &faces),
        GeometryError::NotOneSurface { euler: 4 }
    ));

    let mut broken = points.clone();
    broken[5].x = f64::NAN;
    assert!(matches!(
        refuse(&broken, &good),
        GeometryError::NotFinite { index: 5, .. }
    ));
    assert!(matches!(
        refuse(&points, &[]),
        GeometryError::UnusedPoint { .. }
    ));
    let flat: Vec<_> = points.iter().map(|p| v(p.x, p.y, p.z * 1e-12)).collect();
    Polytope::from_faces(&flat, &good).expect_err("flat");
}

#[test]
fn hostile_polygons_are_refused_with_the_reason() {
    let refuse = |points: &[[f64; 2]]| Polygon::from_loop(points).expect_err("must be refused");
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let reversed: Vec<_> = square.iter().rev().copied().collect();
    assert!(matches!(refuse(&reversed), GeometryError::Clockwise { .. }));
    let dart = [[0.0, 0.0], [1.0, 0.0], [0.2, 0.2], [0.0, 1.0]];
    assert!(matches!(
        refuse(&dart),
        GeometryError::NotConvexAt { index: 2 }
    ));
    let bowtie = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
    refuse(&bowtie);
    let star: Vec<_> = (0..5)
        .map(|k| (f64::from(2 * k) * std::f64::consts::TAU / 5.0).sin_cos())
        .map(|(s, c)| [c, s])
        .collect();
    assert!(matches!(refuse(&star), GeometryError::NotConvexAt { .. }));
    let spike = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]];
    assert!(matches!(
        refuse(&spike),
        GeometryError::NotConvexAt { index: 2 }
    ));
    assert!(matches!(refuse(&[]), GeometryError::TooFewPoints { .. }));
    assert!(matches!(
        refuse(&[[1.0, 1.0]; 5]),
        GeometryError::Flat { dimension: 0, .. }
    ));
    assert!(matches!(
        refuse(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]),
        GeometryError::Flat { dimension: 1, .. }
    ));
    assert!(matches!(
        refuse(&[[0.0, 0.0], [f64::NAN, 1.0], [2.0, 2.0]]),
        GeometryError::NotFinite { index: 1, .. }
    ));
    assert!(matches!(
        refuse(&square.map(|p| p.map(|x| x * 1e300))),
        GeometryError::Scale { .. }
    ));
    assert!(matches!(
        refuse(&square.map(|p| p.map(|x| x * 1e-300))),
        GeometryError::Scale { .. }
    ));
    // Repeated points and points inside edges are no fault.
    let loose = [
        [0.0, 0.0],
        [0.5, 0.0],
        [1.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [0.0, 1.0],
        [0.0, 0.5],
        [0.0, 0.0],
    ];
    assert_eq!(Polygon::from_loop(&loose).unwrap().vertices().len(), 4);
}

#[test]
fn lengths_and_counts_are_checked() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300, 1e-300] {
        assert!(Polytope::cuboid(1.0, bad, 1.0).is_err());
        assert!(Polytope::cube(bad).is_err());
        assert!(Polytope::icosahedron(bad).is_err());
        assert!(Convex::sphere(bad, 4).is_err());
        assert!(Convex::cylinder(bad, bad, 8).is_err());
        assert!(Convex::cone(1.0, bad, 8).is_err());
        assert!(Polygon::rectangle(bad, bad).is_err());
        assert!(Polygon::regular(5, bad).is_err());
    }
    for sides in [0, 2, usize::MAX] {
        assert!(Polygon::regular(sides, 1.0).is_err());
        assert!(Convex::cylinder(1.0, 1.0, sides).is_err());
    }
    assert!(Convex::sphere(1.0, 0).is_err() && Convex::sphere(1.0, 1000).is_err());
    assert_eq!(Convex::sphere(1.0, 1).unwrap().faces().len(), 8);
    assert!(Convex::cylinder(1.0, 1.0, 4096).is_ok());
    assert!(Convex::point(v(f64::NAN, 0.0, 0.0)).is_err());
    assert!(Convex::segment(v(0.0, 0.0, 0.0), v(0.0, 0.0, f64::INFINITY)).is_err());
}
