//! What must hold for every pair: swap symmetry, invariance under rigid motion, agreement of cold
//! and warm starts, of climbing and scanning, and with a second LP solver and exact arithmetic.

use crate::common::*;
use crate::oracle::{exact_gap, lp_gap};
use carom_gap::gap::{Basis, BetaRule, Posed, Status, centre_direction, gap, optimal_set};
use carom_gap::{Pose, Vertices};
use nalgebra::Vector3;

struct Pair {
    a: Vertices,
    b: Vertices,
    pose_a: Pose,
    pose_b: Pose,
    beta: Vector3<f64>,
}

fn pairs(seed: u64, count: usize) -> Vec<Pair> {
    let mut rng = rng(seed);
    (0..count)
        .map(|_| {
            let mut body = || match rng.random_range(0..5) {
                0 => Vertices::new(&cube(1.0)),
                1 => Vertices::new(&tetrahedron()),
                2 => Vertices::new(&prism(6)),
                _ => {
                    let n = rng.random_range(4..16);
                    Vertices::new(&random_points(&mut rng, n))
                }
            };
            let (a, b) = (body(), body());
            let pose_a = pose(in_box(&mut rng, 1.5), &rotation(&mut rng));
            let pose_b = pose(in_box(&mut rng, 1.5), &rotation(&mut rng));
            let beta = centre_direction(&pose_a.point(a.mean()), &pose_b.point(b.mean()), false);
            Pair {
                a,
                b,
                pose_a,
                pose_b,
                beta,
            }
        })
        .collect()
}

impl Pair {
    fn a(&self) -> Posed<'_> {
        Posed::new(&self.a, &self.pose_a)
    }
    fn b(&self) -> Posed<'_> {
        Posed::new(&self.b, &self.pose_b)
    }
}

#[test]
fn swapping_the_bodies_turns_beta() {
    for p in pairs(21, 5000) {
        let g = gap(p.a(), p.b(), p.beta, &mut None).contact;
        let s = gap(p.b(), p.a(), -p.beta, &mut None).contact;
        let scale = g.alpha.norm();
        assert!((g.gap - s.gap).abs() < 1e-13 * scale);
        assert!((g.point_a - s.point_b).norm() < 1e-10 * scale * scale);
    }
}

#[test]
fn moving_both_bodies_alike_changes_nothing() {
    let mut rng = rng(22);
    for p in pairs(23, 5000) {
        let motion = pose(in_box(&mut rng, 10.0), &rotation(&mut rng));
        let (pa, pb) = (motion.compose(&p.pose_a), motion.compose(&p.pose_b));
        let g = gap(p.a(), p.b(), p.beta, &mut None).contact;
        let m = gap(
            Posed::new(&p.a, &pa),
            Posed::new(&p.b, &pb),
            motion.vector(&p.beta),
            &mut None,
        )
        .contact;
        assert!((g.gap - m.gap).abs() < 1e-13 * g.alpha.norm() * 10.0);
        assert!((motion.vector(&g.alpha) - m.alpha).norm() < 1e-9 * g.alpha.norm().powi(2));
    }
}

#[test]
fn far_from_the_origin_is_as_good_as_near() {
    for p in pairs(24, 1000) {
        let far = Vector3::new(1e6, -2e6, 3e5);
        // Positions that the shift does not round.
        let snap = |v: Vector3<f64>| v.map(|c| (c * 1024.0).round() / 1024.0);
        let near = [&p.pose_a, &p.pose_b].map(|q| Pose {
            position: snap(q.position),
            ..*q
        });
        let moved = near.map(|q| Pose {
            position: q.position + far,
            ..q
        });
        let g = gap(
            Posed::new(&p.a, &near[0]),
            Posed::new(&p.b, &near[1]),
            p.beta,
            &mut None,
        );
        let m = gap(
            Posed::new(&p.a, &moved[0]),
            Posed::new(&p.b, &moved[1]),
            p.beta,
            &mut None,
        );
        assert_eq!(g.status, m.status);
        if g.status == Status::Bounded {
            assert_eq!(g.contact.gap, m.contact.gap);
        }
    }
}

#[test]
fn gap_is_exact() {
    let mut worst: f64 = 0.0;
    for p in pairs(25, 400) {
        let (x, y) = (
            world(p.a.points(), &p.pose_a),
            world(p.b.points(), &p.pose_b),
        );
        let points = |p: &[[f64; 3]]| Vertices::new(&vectors(p));
        let here = Pose::identity();
        let g = gap(
            Posed::new(&points(&x), &here),
            Posed::new(&points(&y), &here),
            p.beta,
            &mut None,
        )
        .contact;
        // β is unit only to round-off; the oracle counts in lengths of β.
        let exact = exact_gap(&x, &y, p.beta.into()).value().unwrap();
        worst = worst.max((g.gap - exact).abs() / g.alpha.norm());
    }
    assert!(worst < 1e-14, "{worst:e}");
}

#[test]
fn a_second_lp_solver_agrees() {
    for p in pairs(26, 500) {
        let g = gap(p.a(), p.b(), p.beta, &mut None).contact;
        let other = lp_gap(
            &world(p.a.points(), &p.pose_a),
            &world(p.b.points(), &p.pose_b),
            p.beta.into(),
        )
        .unwrap();
        assert!(
            (g.gap - other).abs() < 1e-8 * g.alpha.norm(),
            "{} {other}",
            g.gap
        );
    }
}

#[test]
fn warm_starts_from_anywhere_end_where_cold_ones_do() {
    let mut warm = None;
    for p in pairs(27, 5000) {
        let cold = gap(p.a(), p.b(), p.beta, &mut None);
        let w = gap(p.a(), p.b(), p.beta, &mut warm);
        assert!((cold.contact.gap - w.contact.gap).abs() < 1e-13 * cold.contact.alpha.norm());
    }
}

#[test]
fn climbing_a_large_hull_finds_what_scanning_does() {
    let mut rng = rng(28);
    let points: Vec<_> = (0..162).map(|_| unit(&mut rng)).collect();
    let climb = hull(&points);
    let scan = Vertices::new(climb.points());
    let mut warm = None;
    for _ in 0..2000 {
        let (pa, pb) = (
            pose(in_box(&mut rng, 1.2), &rotation(&mut rng)),
            Pose::identity(),
        );
        let beta = centre_direction(&pa.position, &pb.position, false);
        let solve = |body: &Vertices, warm: &mut Option<Basis>| {
            gap(Posed::new(body, &pa), Posed::new(body, &pb), beta, warm).contact
        };
        let s = solve(&scan, &mut None);
        let c = solve(&climb, &mut None);
        let w = solve(&climb, &mut warm);
        assert!((s.gap - c.gap).abs() < 1e-13 && (s.gap - w.gap).abs() < 1e-13);
    }
}

#[test]
fn symmetric_weights_are_weights() {
    for p in pairs(29, 1000) {
        let g = gap(p.a(), p.b(), p.beta, &mut None);
        let set = optimal_set(&g, p.a(), p.b()).unwrap();
        for w in &set.weights {
            assert!(w.iter().all(|w| *w >= 0.0));
            assert!((w.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        }
        let c = &set.contact;
        let value = (c.point_a - c.point_b).dot(&c.beta);
        assert!(
            (value - c.gap).abs() < 1e-12 * c.alpha.norm(),
            "primal {} dual {value}",
            c.gap
        );
    }
}

#[test]
fn stacked_cubes_share_their_patch_evenly() {
    let v = Vertices::new(&cube(0.2));
    for turn in [0.0, 0.3, 1.0] {
        for height in [0.2, 0.25, 0.19] {
            let axis = Vector3::new(0.2, -0.4, 0.7).normalize();
            let frame = Pose::new(Vector3::new(1.0, 2.0, 3.0), axis * turn);
            let (pb, pa) = (frame, frame.compose(&Pose::translation(0.0, 0.0, height)));
            let beta = centre_direction(&pa.position, &pb.position, false);
            let (a, b) = (Posed::new(&v, &pa), Posed::new(&v, &pb));
            let set = optimal_set(&gap(a, b, beta, &mut None), a, b).unwrap();
            for k in 0..2 {
                assert_eq!(set.active[k].len(), 4);
                for &i in &set.active[k] {
                    assert!((set.weights[k][i as usize] - 0.25).abs() < 1e-14);
                }
            }
            for w in set.contact.wrenches(&pa, &pb, BetaRule::Centres) {
                assert!(w.torque.norm() < 1e-14, "{:e}", w.torque.norm());
            }
        }
    }
}
