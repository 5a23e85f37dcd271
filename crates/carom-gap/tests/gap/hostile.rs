//! Input that should not be: an error or a sound answer, never a panic, a NaN or an endless loop.

use crate::common::*;
use carom_gap::gap::{GapError, HalfSpace, Status, gap_of_points};
use nalgebra::Vector3;

fn finite(g: &carom_gap::gap::PointGap) -> bool {
    let vectors = [g.beta, g.alpha, g.point_a, g.point_b];
    let bounded = g.status == Status::Unbounded
        || (g.gap.is_finite()
            && vectors.iter().all(|v| v.iter().all(|c| c.is_finite()))
            && g.weights_a
                .iter()
                .chain(&g.weights_b)
                .all(|w| *w >= 0.0 && *w <= 1.0 + 1e-12));
    bounded && g.distance.is_finite()
}

#[test]
fn refused_with_the_reason() {
    let p = [Vector3::zeros()];
    assert_eq!(
        gap_of_points(&[], &p, false, None).unwrap_err(),
        GapError::Empty { set: 'a' }
    );
    assert_eq!(
        gap_of_points(&p, &[], false, None).unwrap_err(),
        GapError::Empty { set: 'b' }
    );
    for bad in [f64::NAN, f64::INFINITY, -1e301] {
        let q = [Vector3::zeros(), Vector3::new(0.0, bad, 0.0)];
        let error = gap_of_points(&p, &q, false, None).unwrap_err();
        assert!(
            matches!(
                error,
                GapError::Coordinate {
                    set: 'b',
                    index: 1,
                    ..
                }
            ),
            "{error}"
        );
    }
    for beta in [
        Vector3::zeros(),
        Vector3::new(f64::NAN, 1.0, 0.0),
        Vector3::new(f64::INFINITY, 0.0, 0.0),
    ] {
        assert!(matches!(
            gap_of_points(&p, &p, false, Some(beta)),
            Err(GapError::Direction { .. })
        ));
    }
    assert!(gap_of_points(&[Vector3::z()], &p, true, None).is_err());
    assert!(gap_of_points(&p, &p, true, Some(Vector3::z())).is_err());
    assert!(HalfSpace::new(Vector3::zeros(), 0.0).is_err());
    assert!(HalfSpace::new(Vector3::z(), f64::NAN).is_err());
}

#[test]
fn odd_point_sets() {
    let o = Vector3::zeros();
    let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
    let sets: Vec<Vec<Vector3<f64>>> = vec![
        vec![o],
        vec![o; 7],
        vec![x, x, x],
        vec![o, x],
        vec![o, x, x * 2.0, x * 3.0],
        vec![o, x, y],
        vec![o, x, y, x + y, x * 0.5],
        vec![o, x, y, z],
        cube(1.0),
        [cube(1.0), cube(1.0)].concat(),
        cube(1e-8),
        vec![o, x * 1e-16, y, z],
        vec![x * 1e8, y, z, o],
    ];
    for a in &sets {
        for b in &sets {
            for beta in [None, Some(x), Some(z), Some(x + y * 1e-9)] {
                let g = gap_of_points(a, b, false, beta).unwrap();
                assert!(finite(&g), "{a:?} {b:?} {beta:?}: {g:?}");
            }
        }
    }
}

#[test]
fn all_scales() {
    let mut rng = rng(41);
    for power in [-320, -300, -200, -100, -8, 0, 8, 100, 200, 300] {
        let scale = 10f64.powi(power);
        for k in 0..20 {
            let (a, b) = (random_points(&mut rng, 6), random_points(&mut rng, 6));
            let shift = in_box(&mut rng, 2.0);
            let big = |p: &[Vector3<f64>], d: Vector3<f64>| {
                p.iter().map(|p| (p + d) * 0.2 * scale).collect::<Vec<_>>()
            };
            let g =
                gap_of_points(&big(&a, shift), &big(&b, Vector3::zeros()), false, None).unwrap();
            assert!(finite(&g), "1e{power} {k}: {g:?}");
            let one = gap_of_points(
                &big(&a, shift).iter().map(|p| p / scale).collect::<Vec<_>>(),
                &big(&b, Vector3::zeros())
                    .iter()
                    .map(|p| p / scale)
                    .collect::<Vec<_>>(),
                false,
                None,
            );
            if power > -300 {
                let (got, want) = (g.gap / scale, one.unwrap().gap);
                assert!(
                    (got - want).abs() < 1e-13 * g.alpha.norm(),
                    "1e{power}: {got} {want}"
                );
            }
        }
    }
    // Scales mixed within one query.
    let g = gap_of_points(&cube(1e300), &cube(1e-300), false, Some(Vector3::x())).unwrap();
    assert!(finite(&g));
    assert_eq!(g.gap, -0.5e300);
}

#[test]
fn coincident_centres() {
    let g = gap_of_points(&cube(1.0), &cube(1.0), false, None).unwrap();
    assert_eq!(g.beta, Vector3::z());
    assert!((g.gap + 1.0).abs() < 1e-15 && (g.distance + 1.0).abs() < 1e-15);
    let square = [
        Vector3::zeros(),
        Vector3::x(),
        Vector3::y(),
        Vector3::new(1.0, 1.0, 0.0),
    ];
    let g = gap_of_points(&square, &square, true, None).unwrap();
    assert_eq!(g.beta, Vector3::y());
    assert_eq!(g.gap, -1.0);
}

#[test]
fn random_garbage() {
    let mut rng = rng(42);
    for _ in 0..20_000 {
        let mut set = || {
            let n = rng.random_range(1..7);
            (0..n)
                .map(|_| {
                    let mut c = || match rng.random_range(0..8) {
                        0 => 0.0,
                        1 => 1.0,
                        2 => -1.0,
                        3 => 1e-16,
                        4 => 1.0 + f64::EPSILON,
                        5 => rng.random_range(-1e6..1e6),
                        6 => 10f64.powf(rng.random_range(-300.0..300.0)),
                        _ => rng.random_range(-1.0..1.0),
                    };
                    Vector3::new(c(), c(), c())
                })
                .collect::<Vec<_>>()
        };
        let (a, b) = (set(), set());
        let g = gap_of_points(&a, &b, false, None).unwrap();
        assert!(finite(&g), "{a:?} {b:?} {g:?}");
    }
}
