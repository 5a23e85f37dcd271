//! Tests of the references themselves.

use crate::oracle::{ExactGap, cases, exact_gap, exact_overlap, lp_gap, sat_distance};
use num_bigint::BigInt;
use num_rational::BigRational;
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use std::cmp::Ordering;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

fn cube(centre: [f64; 3]) -> Vec<[f64; 3]> {
    let corner = |i: usize| std::array::from_fn(|k| centre[k] - 0.5 + (i >> k & 1) as f64);
    (0..8).map(corner).collect()
}

fn rational(numerator: i64, denominator: i64) -> ExactGap {
    ExactGap::Bounded(BigRational::new(
        BigInt::from(numerator),
        BigInt::from(denominator),
    ))
}

#[test]
fn cubes_by_hand() {
    let b = cube([0.0; 3]);
    let gap = |z: f64, beta| exact_gap(&cube([0.25, 0.125, z]), &b, beta);
    assert_eq!(gap(1.25, Z), rational(1, 4));
    assert_eq!(gap(1.0, Z), rational(0, 1));
    assert_eq!(gap(0.875, Z), rational(-1, 8));
    // Along the cubes' sides, and along (0, 3, 4): the plane z = 1/4 of A − B is met at t = 1/16.
    assert_eq!(gap(0.5, X), rational(-3, 4));
    assert_eq!(gap(1.25, X), ExactGap::Unbounded);
    assert_eq!(gap(1.25, [0.0, 3.0, 4.0]), rational(1, 16));
    // One unit in the last place off touching.
    assert_eq!(gap(1.0 + f64::EPSILON, Z).sign(), Ordering::Greater);
    assert_eq!(gap(1.0 - f64::EPSILON, Z).sign(), Ordering::Less);
}

#[test]
fn points_segments_and_repeated_points() {
    let origin = vec![[0.0; 3]; 3];
    assert_eq!(
        exact_gap(&[[0.0, 0.0, 2.0]], &origin, Z),
        rational(2, 1),
        "two points"
    );
    assert_eq!(exact_gap(&[X], &origin, Z), ExactGap::Unbounded);
    let segment = [[-1.0, 0.0, 3.0], [1.0, 0.0, 3.0]];
    let crossing = [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(exact_gap(&segment, &crossing, Z), rational(3, 1));
    // Extremes of the range of f64.
    assert_eq!(
        exact_gap(&[[1e-300, 0.0, 0.0]], &[[0.0; 3]], X).value(),
        Some(1e-300)
    );
    let far = exact_gap(&[[1e300, 0.0, 0.0]], &[[1e-300, 0.0, 0.0]], X);
    assert_eq!(far.value(), Some(1e300));
}

#[test]
fn overlap_verdicts() {
    let b = cube([0.0; 3]);
    let verdict = |x, y, z| exact_overlap(&cube([x, y, z]), &b);
    assert_eq!(verdict(0.5, 0.5, 0.5), Ordering::Less);
    assert_eq!(verdict(0.0, 0.0, 0.0), Ordering::Less);
    assert_eq!(verdict(0.5, 0.25, 1.0), Ordering::Equal);
    assert_eq!(verdict(1.0, 1.0, 1.0), Ordering::Equal);
    assert_eq!(verdict(1.0, 1.0, -1.0), Ordering::Equal);
    assert_eq!(verdict(1.0 + f64::EPSILON, 0.0, 0.0), Ordering::Greater);
    assert_eq!(verdict(1.0 - f64::EPSILON, 0.0, 0.0), Ordering::Less);
    // In the plane, and flat sets in space.
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let lifted = triangle.map(|p| [p[0], p[1], 1.0]);
    assert_eq!(exact_overlap(&triangle, &triangle), Ordering::Less);
    assert_eq!(exact_overlap(&lifted, &lifted), Ordering::Equal);
    assert_eq!(exact_overlap(&lifted, &triangle), Ordering::Greater);
    assert_eq!(exact_overlap(&[X], &[X]), Ordering::Equal);
}

#[test]
fn exact_gap_agrees_with_the_reference_cases() {
    for case in cases() {
        let exact = exact_gap(&case.a, &case.b, case.beta).value();
        match (exact, case.gap) {
            (Some(t), Some(gap)) => assert!(
                (t - gap).abs() <= case.gap_tolerance(),
                "case {}: {t} instead of {gap}",
                case.id
            ),
            (None, None) => {}
            other => panic!("case {}: {other:?}", case.id),
        }
    }
}

#[test]
fn lp_gap_agrees_with_the_reference_cases() {
    for case in cases() {
        match (lp_gap(&case.a, &case.b, case.beta), case.gap) {
            (Some(t), Some(gap)) => assert!(
                (t - gap).abs() <= 1e-9,
                "case {}: {t} instead of {gap}",
                case.id
            ),
            (None, None) => {}
            other => panic!("case {}: {other:?}", case.id),
        }
    }
}

#[test]
fn sat_distance_agrees_with_the_reference_cases() {
    for case in cases() {
        let (distance, _) = sat_distance(&case.a, &case.b, case.dim);
        let error = (distance - case.distance).abs();
        assert!(error <= 4e-15 * case.size().max(1.0), "case {}", case.id);
    }
}

#[test]
fn exact_gap_agrees_with_lp_gap_on_random_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut cloud = |count: usize, shift: f64| -> Vec<[f64; 3]> {
        let mut point =
            || std::array::from_fn(|k| rng.random_range(-1.0..1.0) + [0.0, 0.0, shift][k]);
        (0..count).map(|_| point()).collect()
    };
    for i in 0..200 {
        let shift = 0.02 * i as f64;
        let (a, b) = (cloud(4 + i % 5, shift), cloud(8, 0.0));
        let beta = [0.1, -0.2, 0.9];
        let (exact, lp) = (exact_gap(&a, &b, beta).value(), lp_gap(&a, &b, beta));
        match (exact, lp) {
            (Some(exact), Some(lp)) => assert!((exact - lp).abs() < 1e-9, "{exact} {lp}"),
            other => assert_eq!(other, (None, None), "pair {i}"),
        }
    }
}
