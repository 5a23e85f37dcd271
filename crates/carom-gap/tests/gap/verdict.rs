//! Overlap or not: a million seeded pairs against parry's GJK; where the bodies all but touch, and
//! the two may differ, exact arithmetic has the last word.

use std::cmp::Ordering;

use crate::common::*;
use crate::oracle::{exact_gap, exact_overlap};
use carom_gap::gap::{Posed, centre_direction, gap, gap_of_points};
use carom_gap::{Pose, Vertices};
use parry3d_f64::query::intersection_test;
use parry3d_f64::shape::ConvexPolyhedron;

/// Within this gap GJK's own tolerances count.
const BAND: f64 = 1e-7;

struct Body {
    ours: Vertices,
    theirs: ConvexPolyhedron,
}

fn bodies(rng: &mut ChaCha8Rng) -> Vec<Body> {
    let mut sets = vec![tetrahedron(), cube(1.0), prism(6), prism(8)];
    for count in [5, 6, 8, 10, 14, 20, 30, 40] {
        sets.push(random_points(rng, count));
    }
    sets.iter()
        .map(|points| {
            let cloud: Vec<_> = points.iter().map(parry_vector).collect();
            Body {
                ours: Vertices::new(points),
                theirs: ConvexPolyhedron::from_convex_hull(&cloud).unwrap(),
            }
        })
        .collect()
}

#[test]
fn a_million_pairs_agree_with_parry() {
    let mut rng = rng(11);
    let bodies = bodies(&mut rng);
    let (mut overlapping, mut in_band, mut differing, mut settled) = (0, 0, 0, 0);
    for k in 0..1_000_000 {
        let (a, b) = (
            &bodies[rng.random_range(0..bodies.len())],
            &bodies[rng.random_range(0..bodies.len())],
        );
        let (ra, rb) = (rotation(&mut rng), rotation(&mut rng));
        let pose_b = pose(in_box(&mut rng, 1.0), &rb);
        let mut pose_a = pose(pose_b.position + in_box(&mut rng, 1.5), &ra);
        let solve = |pose_a: &Pose| {
            let beta = centre_direction(
                &pose_a.point(a.ours.mean()),
                &pose_b.point(b.ours.mean()),
                false,
            );
            gap(
                Posed::new(&a.ours, pose_a),
                Posed::new(&b.ours, &pose_b),
                beta,
                &mut None,
            )
        };
        let mut g = solve(&pose_a);
        if k % 100 == 0 {
            // Bring the pair to touching but for a hair: moving along β changes the gap by as much.
            let hair = 10f64.powf(rng.random_range(-15.0..-7.5))
                * if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            pose_a.position += g.contact.beta * (hair - g.contact.gap);
            g = solve(&pose_a);
        }
        let ours = g.contact.gap < 0.0;
        overlapping += usize::from(ours);
        let theirs = intersection_test(
            &parry_pose(&pose_a.position, &ra),
            &a.theirs,
            &parry_pose(&pose_b.position, &rb),
            &b.theirs,
        )
        .unwrap()
        .intersecting;
        if g.contact.gap.abs() > BAND {
            assert_eq!(ours, theirs, "pair {k}: gap {}", g.contact.gap);
            continue;
        }
        in_band += 1;
        if ours != theirs {
            // The world points as they were rounded, asked again of both exact arithmetic and us.
            let (x, y) = (
                world(a.ours.points(), &pose_a),
                world(b.ours.points(), &pose_b),
            );
            let beta = g.contact.beta;
            let exact = exact_gap(&x, &y, beta.into());
            let points = |p: &[[f64; 3]]| Vertices::new(&vectors(p));
            let here = Pose::identity();
            let again = gap(
                Posed::new(&points(&x), &here),
                Posed::new(&points(&y), &here),
                beta,
                &mut None,
            );
            let value = exact.value().unwrap();
            assert!(
                (again.contact.gap - value).abs() < 1e-14 * again.contact.alpha.norm(),
                "pair {k}"
            );
            if value.abs() > 1e-14 * again.contact.alpha.norm() {
                assert_eq!(exact.sign() == Ordering::Less, ours, "pair {k}: {value:e}");
                settled += 1;
            }
            differing += 1;
        }
    }
    assert!(
        overlapping > 200_000 && overlapping < 800_000,
        "{overlapping}"
    );
    assert!(in_band >= 5_000, "{in_band}");
    println!("{overlapping} overlapping, {in_band} within {BAND:e} of touching");
    println!("parry differs in {differing}, exact arithmetic agrees with us in {settled} of them,");
    println!("the others touch but for round-off");
}

#[test]
fn verdict_is_that_of_exact_arithmetic() {
    let mut rng = rng(12);
    for k in 0..300 {
        let n = rng.random_range(4..12);
        let x: Vec<[f64; 3]> = random_points(&mut rng, n)
            .iter()
            .map(|p| (*p).into())
            .collect();
        let shift = in_box(&mut rng, 1.5);
        let y: Vec<[f64; 3]> = random_points(&mut rng, n)
            .iter()
            .map(|p| (p + shift).into())
            .collect();
        let g = gap_of_points(&vectors(&x), &vectors(&y), false, None).unwrap();
        let ours = g.gap.partial_cmp(&0.0).unwrap();
        assert_eq!(ours, exact_overlap(&x, &y), "case {k}: {}", g.gap);
    }
}
