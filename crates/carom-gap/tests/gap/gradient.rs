//! The gradient of the gap against finite differences: central ones where the gap is smooth,
//! one-sided ones where it is not.

use crate::common::*;
use carom_gap::gap::{
    BetaRule, Gap, HalfSpace, OptimalSet, Posed, Side, centre_direction, gap, optimal_set,
};
use carom_gap::{Pose, Vertices};
use nalgebra::{Matrix4, Vector3, Vector4};

fn solve(
    a: &Vertices,
    b: &Vertices,
    qa: &[f64; 12],
    qb: &[f64; 12],
    fixed: Option<Vector3<f64>>,
) -> Gap {
    let (pa, pb) = (Pose::from_q(qa), Pose::from_q(qb));
    let beta = fixed.unwrap_or_else(|| centre_direction(&pa.position, &pb.position, false));
    gap(Posed::new(a, &pa), Posed::new(b, &pb), beta, &mut None)
}

/// Whether no basis change is near: weights and slacks well away from zero.
fn smooth(g: &Gap, set: &OptimalSet) -> bool {
    let carriers: Vec<_> = g.carriers().collect();
    carriers.len() == 4
        && carriers.iter().all(|c| c.weight > 1e-2)
        && set.weights_unique
        && g.contact.alpha.norm() < 5.0
}

#[test]
fn by_configuration() {
    let mut rng = rng(31);
    let mut compared = 0;
    let step = 1e-6;
    while compared < 300 {
        let a = Vertices::new(&random_points(&mut rng, 8));
        let b = Vertices::new(&random_points(&mut rng, 8));
        let (pa, pb) = (
            pose(in_box(&mut rng, 1.0), &rotation(&mut rng)),
            pose(in_box(&mut rng, 1.0), &rotation(&mut rng)),
        );
        let (qa, qb) = (pa.to_q(), pb.to_q());
        let beta = centre_direction(&pa.position, &pb.position, false);
        for rule in [BetaRule::Fixed, BetaRule::Centres] {
            let fixed = (rule == BetaRule::Fixed).then_some(beta);
            let g = solve(&a, &b, &qa, &qb, fixed);
            let Some(set) = optimal_set(&g, Posed::new(&a, &pa), Posed::new(&b, &pb)) else {
                continue;
            };
            if !smooth(&g, &set) {
                continue;
            }
            let [ga, gb] = g.contact.gradient(&pa, &pb, rule);
            for i in 0..24 {
                let value = |s: f64| {
                    let (mut qa, mut qb) = (qa, qb);
                    if i < 12 {
                        qa[i] += s
                    } else {
                        qb[i - 12] += s
                    }
                    solve(&a, &b, &qa, &qb, fixed)
                };
                let (up, down) = (value(step), value(-step));
                if up.basis != g.basis || down.basis != g.basis {
                    continue;
                }
                let difference = (up.contact.gap - down.contact.gap) / (2.0 * step);
                let exact = if i < 12 { ga[i] } else { gb[i - 12] };
                assert!(
                    (difference - exact).abs() < 1e-7 * (1.0 + exact.abs()),
                    "{rule:?} {i}: {difference} {exact}"
                );
                compared += 1;
            }
        }
    }
}

#[test]
fn wrench_is_the_gradient_along_rigid_motions() {
    let mut rng = rng(32);
    for _ in 0..200 {
        let a = Vertices::new(&random_points(&mut rng, 8));
        let b = Vertices::new(&random_points(&mut rng, 8));
        let (pa, pb) = (
            pose(in_box(&mut rng, 1.0), &rotation(&mut rng)),
            pose(in_box(&mut rng, 1.0), &rotation(&mut rng)),
        );
        let beta = centre_direction(&pa.position, &pb.position, false);
        let c = gap(Posed::new(&a, &pa), Posed::new(&b, &pb), beta, &mut None).contact;
        if !c.gap.is_finite() {
            continue;
        }
        let gradients = c.gradient(&pa, &pb, BetaRule::Centres);
        let wrenches = c.wrenches(&pa, &pb, BetaRule::Centres);
        for (k, pose) in [&pa, &pb].into_iter().enumerate() {
            let (v, w) = (in_box(&mut rng, 1.0), in_box(&mut rng, 1.0));
            let mut rate = v.dot(&Vector3::from_column_slice(&gradients[k][..3]));
            for director in 0..3 {
                let turn = w.cross(&pose.directors.column(director).into_owned());
                rate += turn.dot(&Vector3::from_column_slice(
                    &gradients[k][3 + 3 * director..6 + 3 * director],
                ));
            }
            let power = v.dot(&wrenches[k].force) + w.dot(&wrenches[k].torque);
            assert!((rate - power).abs() < 1e-12 * c.alpha.norm());
        }
        // No net force, no net torque: the gap does not see the frame.
        assert!((wrenches[0].force + wrenches[1].force).norm() < 1e-12 * c.alpha.norm());
        let torque = wrenches[0].torque
            + wrenches[1].torque
            + pa.position.cross(&wrenches[0].force)
            + pb.position.cross(&wrenches[1].force);
        assert!(
            torque.norm() < 1e-11 * c.alpha.norm().powi(2),
            "{:e}",
            torque.norm()
        );
    }
}

/// Corners of the set of optimal weights, by trying every four active vertices.
fn optimal_weights(set: &OptimalSet, a: Posed, b: Posed) -> Vec<Vec<(Side, usize, f64)>> {
    let beta = set.contact.beta;
    let e1 = beta.cross(&Vector3::new(0.3, 0.5, 0.81)).normalize();
    let e2 = beta.cross(&e1);
    let mut columns = Vec::new();
    for (side, posed) in [(Side::A, a), (Side::B, b)] {
        for &i in &set.active[side as usize] {
            let x = posed.pose.point(&posed.vertices.points()[i as usize]);
            let sign = if side == Side::A { 1.0 } else { -1.0 };
            let sums = if side == Side::A {
                (1.0, 0.0)
            } else {
                (0.0, 1.0)
            };
            columns.push((
                side,
                i as usize,
                Vector4::new(sign * e1.dot(&x), sign * e2.dot(&x), sums.0, sums.1),
            ));
        }
    }
    let n = columns.len();
    let mut out = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for k in j + 1..n {
                for l in k + 1..n {
                    let four = [i, j, k, l];
                    let m = Matrix4::from_columns(&four.map(|c| columns[c].2));
                    if m.determinant().abs() < 1e-9 {
                        continue;
                    }
                    let w = m.try_inverse().unwrap() * Vector4::new(0.0, 0.0, 1.0, 1.0);
                    if w.iter().all(|w| *w > -1e-10) {
                        out.push(
                            (0..4)
                                .map(|c| (columns[four[c]].0, columns[four[c]].1, w[c]))
                                .collect(),
                        );
                    }
                }
            }
        }
    }
    out
}

#[test]
fn one_sided_face_on_face() {
    // α is unique, the weights are not: the gap falls off to all sides, and its one-sided
    // derivative is the least of ⟨α, Σ w ξ − Σ v η⟩ over the optimal weights.
    let mut rng = rng(33);
    let cube = Vertices::new(&cube(1.0));
    let step = 1e-7;
    for case in 0..60 {
        let turn = if case % 2 == 0 {
            0.0
        } else {
            rng.random_range(0.1..0.7)
        };
        let pb = Pose::identity();
        let pa = Pose::new(
            Vector3::new(
                rng.random_range(-0.3..0.3),
                rng.random_range(-0.3..0.3),
                1.1,
            ),
            Vector3::z() * turn,
        );
        let beta = Vector3::z();
        let (a, b) = (Posed::new(&cube, &pa), Posed::new(&cube, &pb));
        let g = gap(a, b, beta, &mut None);
        let set = optimal_set(&g, a, b).unwrap();
        assert!(set.alpha_unique && !set.weights_unique);
        let corners = optimal_weights(&set, a, b);
        let move_a: Vec<_> = (0..8).map(|_| in_box(&mut rng, 1.0)).collect();
        let move_b: Vec<_> = (0..8).map(|_| in_box(&mut rng, 1.0)).collect();
        let moved = |v: &Vertices, m: &[Vector3<f64>], pose: &Pose, s: f64| {
            let local: Vec<_> = v
                .points()
                .iter()
                .zip(m)
                .map(|(p, d)| p + pose.direction_to_body(d) * s)
                .collect();
            Vertices::new(&local)
        };
        let one_sided = |s: f64| {
            let (va, vb) = (moved(&cube, &move_a, &pa, s), moved(&cube, &move_b, &pb, s));
            let g = gap(Posed::new(&va, &pa), Posed::new(&vb, &pb), beta, &mut None);
            (g.contact.gap - set.contact.gap) / s.abs()
        };
        let alpha = set.contact.alpha;
        let rate = |w: &[(Side, usize, f64)]| -> f64 {
            w.iter()
                .map(|&(side, i, w)| match side {
                    Side::A => w * alpha.dot(&move_a[i]),
                    Side::B => -w * alpha.dot(&move_b[i]),
                })
                .sum()
        };
        let least = corners
            .iter()
            .map(|w| rate(w))
            .fold(f64::INFINITY, f64::min);
        let most = corners
            .iter()
            .map(|w| rate(w))
            .fold(f64::NEG_INFINITY, f64::max);
        assert!(
            (one_sided(step) - least).abs() < 1e-5,
            "{} {least}",
            one_sided(step)
        );
        assert!((-one_sided(-step) - most).abs() < 1e-5);
        // The symmetric choice lies between the two one-sided derivatives.
        let mut symmetric = Vec::new();
        for side in [Side::A, Side::B] {
            symmetric.extend(
                set.weights[side as usize]
                    .iter()
                    .enumerate()
                    .map(|(i, w)| (side, i, *w)),
            );
        }
        let chosen = rate(&symmetric);
        assert!(least - 1e-9 <= chosen && chosen <= most + 1e-9);
    }
}

#[test]
fn one_sided_vertex_on_vertex() {
    // The weights are unique, α is not: the gap rises to all sides, and the gradient of the
    // shortest α lies between the two one-sided derivatives.
    let mut rng = rng(34);
    let pyramid = |up: f64| {
        Vertices::new(&[
            Vector3::zeros(),
            Vector3::new(1.0, 1.0, up),
            Vector3::new(-1.0, 1.0, up),
            Vector3::new(-1.0, -1.0, up),
            Vector3::new(1.0, -1.0, up),
        ])
    };
    let (va, vb) = (pyramid(1.0), pyramid(-1.0));
    let step = 1e-7;
    for _ in 0..60 {
        let turn = Vector3::z() * rng.random_range(-1.0..1.0);
        let (pa, pb) = (
            Pose::new(Vector3::new(0.0, 0.0, 0.1), turn),
            Pose::identity(),
        );
        let (a, b) = (Posed::new(&va, &pa), Posed::new(&vb, &pb));
        let g = gap(a, b, Vector3::z(), &mut None);
        let set = optimal_set(&g, a, b).unwrap();
        assert!(!set.alpha_unique && set.weights_unique);
        assert!((set.contact.alpha - Vector3::z()).norm() < 1e-14);
        let direction = in_box(&mut rng, 1.0);
        let one_sided = |s: f64| {
            let pose = Pose {
                position: pa.position + direction * s,
                ..pa
            };
            (gap(Posed::new(&va, &pose), b, Vector3::z(), &mut None)
                .contact
                .gap
                - g.contact.gap)
                / s.abs()
        };
        let chosen = set.contact.alpha.dot(&direction);
        assert!(-one_sided(-step) <= chosen + 1e-7 && chosen <= one_sided(step) + 1e-7);
    }
}

#[test]
fn half_space_by_configuration() {
    let mut rng = rng(35);
    let body = Vertices::new(&random_points(&mut rng, 10));
    for _ in 0..100 {
        let floor = HalfSpace::new(unit(&mut rng), rng.random_range(-1.0..1.0)).unwrap();
        let p = pose(in_box(&mut rng, 1.0), &rotation(&mut rng));
        let q = p.to_q();
        let g = floor.gap(Posed::new(&body, &p), 0);
        let gradient = g.gradient();
        for i in 0..12 {
            let value = |s: f64| {
                let mut q = q;
                q[i] += s;
                floor
                    .gap(Posed::new(&body, &Pose::from_q(&q)), 0)
                    .contact
                    .gap
            };
            let difference = (value(1e-6) - value(-1e-6)) / 2e-6;
            assert!((difference - gradient[i]).abs() < 1e-7);
        }
    }
}

#[test]
fn a_cube_flat_on_the_floor_feels_no_torque() {
    let floor = HalfSpace::new(Vector3::z() * 3.0, 0.0).unwrap();
    let v = Vertices::new(&cube(0.2));
    let p = Pose::new(Vector3::new(5.0, -3.0, 0.1), Vector3::z() * 0.4);
    let mut active = Vec::new();
    let g = floor.symmetric_gap(Posed::new(&v, &p), 0, 1e-12, &mut active);
    assert_eq!(active.len(), 4);
    assert!(g.contact.gap.abs() < 1e-16);
    assert!(g.wrench(&p).torque.norm() < 1e-16);
}
