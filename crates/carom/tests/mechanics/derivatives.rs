//! Every derivative against central differences.

use std::sync::Arc;

use crate::common::*;
use carom::Pose;
use carom::mechanics::{
    Covector, Increment, NO_WRENCH, Share, StepFrame, Wrench, add_dampers, between, blocks_of,
    exp_minus_identity, increment_rate, joint_coordinate, joint_coordinates, null_space, potential,
    potential_forces, wrench_vector,
};
use carom::model::{BodyId, BodySpec, Drag, Model, ModelBuilder, UserPotential};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3, Vector6};
use rand::RngExt;

const EPS: f64 = 1e-5;

#[test]
fn null_space_is_the_tangent_of_the_retraction() {
    let mut rng = random(11);
    for kind in KINDS {
        let model = branched(kind, true, &mut rng);
        let poses = somewhere(&model, &mut rng);
        let p = null_space(&model, &poses);
        for k in 0..p.ncols() {
            let moved = |e: f64| {
                let mut u = vec![0.0; p.ncols()];
                u[k] = e;
                redundant(&model, &retract(&model, &poses, &u).1)
            };
            let column = (moved(EPS) - moved(-EPS)) / (2.0 * EPS);
            let off = (column - p.column(k)).amax();
            assert!(off < 1e-9, "{kind:?} column {k}: {off:.1e}");
        }
    }
}

#[test]
fn tangent_of_the_retraction_away_from_zero() {
    let mut rng = random(12);
    for kind in KINDS {
        let model = branched(kind, false, &mut rng);
        let poses = somewhere(&model, &mut rng);
        let (firsts, n) = offsets(&model);
        let u: Vec<f64> = (0..n).map(|_| rng.random_range(-0.7..0.7)).collect();
        let nu: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
        let (increments, next) = retract(&model, &poses, &u);
        // u̇ = T(u)⁻¹ ν moves q⁺ by P(q⁺) ν.
        let mut rate = nu.clone();
        for (joint, &first) in model.joints().iter().zip(&firsts) {
            let slice = &mut rate[first..];
            increment_rate(
                &model,
                &poses,
                &increments,
                &next,
                joint,
                &u[first..],
                slice,
            );
        }
        let moved = |e: f64| {
            let u: Vec<f64> = u.iter().zip(&rate).map(|(u, r)| u + e * r).collect();
            redundant(&model, &retract(&model, &poses, &u).1)
        };
        let differences = (moved(EPS) - moved(-EPS)) / (2.0 * EPS);
        let exact = null_space(&model, &next) * DVector::from_vec(nu);
        let off = (differences - exact).amax();
        assert!(off < 1e-8, "{kind:?}: {off:.1e}");
    }
}

/// Poses with coordinate `c` of body `k` changed.
fn nudged(poses: &[Pose], k: usize, c: usize, e: f64) -> Vec<Pose> {
    let mut poses = poses.to_vec();
    let mut q = poses[k].to_q();
    q[c] += e;
    poses[k] = Pose::from_q(&q);
    poses
}

#[test]
fn gradients_of_constraints() {
    let mut rng = random(13);
    for kind in KINDS {
        let model = branched(kind, true, &mut rng);
        // Any coordinates will do, also ones that violate the constraints.
        let mut poses = somewhere(&model, &mut rng);
        for pose in poses.iter_mut() {
            pose.position += random_vector(&mut rng, 0.3);
            pose.directors += hat_like(&mut rng);
        }
        let (_, jacobian) = constraints(&model, &poses);
        let mut column = 0;
        for (k, body) in model.bodies().iter().enumerate() {
            for c in 0..carom::mechanics::coordinate_count(&body.kind) {
                let g = |e: f64| constraints(&model, &nudged(&poses, k, c, e)).0;
                let differences = (g(EPS) - g(-EPS)) / (2.0 * EPS);
                let off = (differences - jacobian.column(column)).amax();
                assert!(off < 1e-9, "{kind:?} {k} {c}: {off:.1e}");
                column += 1;
            }
        }
    }
}

#[test]
fn gradients_of_joint_coordinates() {
    let mut rng = random(17);
    for kind in KINDS {
        let model = branched(kind, true, &mut rng);
        // Also where directors are not orthonormal, as halfway through a step.
        let mut poses = somewhere(&model, &mut rng);
        for pose in poses.iter_mut() {
            pose.position += random_vector(&mut rng, 0.3);
            pose.directors += hat_like(&mut rng);
        }
        let mut values = Vec::new();
        for joint in model.joints() {
            joint_coordinates(joint, &poses, &mut values);
            assert!(joint_coordinate(joint, values.len(), &poses).is_none());
            for (coordinate, value) in values.iter().enumerate() {
                let row = joint_coordinate(joint, coordinate, &poses).unwrap();
                assert_eq!(row.value, *value);
                let ends = [(Some(joint.child), &row.child), (joint.parent, &row.parent)];
                for (body, gradient) in ends {
                    let Some(body) = body else { continue };
                    let count =
                        carom::mechanics::coordinate_count(&model.bodies()[body.index()].kind);
                    for c in 0..count {
                        let g = |e: f64| {
                            let poses = nudged(&poses, body.index(), c, e);
                            joint_coordinate(joint, coordinate, &poses).unwrap().value
                        };
                        let difference = (g(EPS) - g(-EPS)) / (2.0 * EPS);
                        let exact = match c {
                            0..3 => gradient.force[c],
                            _ => gradient.directors.as_slice()[c - 3],
                        };
                        let off = (difference - exact).abs();
                        assert!(off < 1e-7 * (1.0 + exact.abs()), "{kind:?} {c}: {off:.1e}");
                    }
                }
            }
        }
    }
}

fn hat_like(rng: &mut Random) -> Matrix3<f64> {
    Matrix3::from_columns(&[
        random_vector(rng, 0.2),
        random_vector(rng, 0.2),
        random_vector(rng, 0.2),
    ])
}

/// sin of a random linear form plus a random quadratic one.
struct Wavy {
    bodies: Vec<BodyId>,
    a: DVector<f64>,
    b: DMatrix<f64>,
}

impl UserPotential for Wavy {
    fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }
    fn value(&self, q: &[f64]) -> f64 {
        let q = DVector::from_column_slice(q);
        self.a.dot(&q).sin() + 0.5 * q.dot(&(&self.b * &q))
    }
    fn gradient(&self, q: &[f64], gradient: &mut [f64]) {
        let q = DVector::from_column_slice(q);
        let g = &self.a * self.a.dot(&q).cos() + &self.b * &q;
        gradient.copy_from_slice(g.as_slice());
    }
    fn hessian(&self, q: &[f64], hessian: &mut DMatrix<f64>) {
        let q = DVector::from_column_slice(q);
        hessian.copy_from(&(&self.b - &self.a * self.a.transpose() * self.a.dot(&q).sin()));
    }
}

/// Free bodies and a bead with every kind of force between them.
fn forceful(rng: &mut Random) -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.3, -0.2, -2.0));
    let mut ids = Vec::new();
    for k in 0..3 {
        let pose = Pose::new(random_vector(rng, 1.0), random_vector(rng, 1.0));
        let spec = BodySpec::rigid(format!("{k}")).mass(1.0 + k as f64);
        ids.push(b.body(spec.inertia(inertia(0.1, 0.2, 0.25)).pose(pose)));
    }
    let bead = b.body(BodySpec::particle("bead", 0.3).position(Vector3::new(2.0, 1.0, 1.5)));
    let mut point = || random_vector(rng, 0.4);
    b.spring(
        "ab",
        (Some(ids[0]), point()),
        (Some(ids[1]), point()),
        3.0,
        0.2,
    );
    b.spring(
        "bead",
        (Some(ids[0]), point()),
        (Some(bead), Vector3::zeros()),
        2.0,
        0.7,
    );
    b.spring("world", (None, point()), (Some(ids[2]), point()), 1.5, 0.1);
    b.damper("bc", (Some(ids[1]), point()), (Some(ids[2]), point()), 0.8);
    b.damper(
        "bead damper",
        (Some(bead), Vector3::zeros()),
        (Some(ids[2]), point()),
        0.5,
    );
    b.damper(
        "world damper",
        (Some(ids[0]), point()),
        (None, point()),
        0.6,
    );
    b.drag(Drag {
        body: ids[1],
        linear: 0.7,
        angular: 0.3,
    });
    b.coulomb(1.3);
    for (k, id) in ids.iter().enumerate() {
        b.charge(format!("charge {k}"), *id, point(), 0.5 + k as f64);
    }
    b.charge("bead charge", bead, Vector3::zeros(), -0.4);
    let n = 12 + 12 + 3;
    let a = DVector::from_fn(n, |_, _| rng.random_range(-0.5..0.5));
    let m = DMatrix::from_fn(n, n, |_, _| rng.random_range(-0.3..0.3));
    let bodies = vec![ids[2], ids[0], bead];
    b.potential(Arc::new(Wavy {
        bodies,
        a,
        b: &m + m.transpose(),
    }));
    b.build().unwrap()
}

#[test]
fn forces_are_gradients_of_the_potential() {
    let mut rng = random(14);
    let model = forceful(&mut rng);
    let poses = start(&model);
    let mut forces = vec![Covector::default(); poses.len()];
    potential_forces(&model, &Share::all(&model), &poses, &mut forces);
    for (k, body) in model.bodies().iter().enumerate() {
        for c in 0..carom::mechanics::coordinate_count(&body.kind) {
            let v = |e: f64| potential(&model, &Share::all(&model), &nudged(&poses, k, c, e));
            let slope = (v(EPS) - v(-EPS)) / (2.0 * EPS);
            let force = if c < 3 {
                forces[k].force[c]
            } else {
                forces[k].directors[c - 3]
            };
            assert!(
                (slope + force).abs() < 1e-8,
                "{} {c}: {slope} {force}",
                body.name
            );
        }
    }
}

/// Motion of each body by a twist: q⁺ = (φ + v, exp(ω) D).
fn carried(poses: &[Pose], moves: &[Vector6<f64>]) -> (Vec<Increment>, Vec<Pose>) {
    let mut next = Vec::new();
    let mut increments = Vec::new();
    for (pose, m) in poses.iter().zip(moves) {
        let shift = m.fixed_rows::<3>(0).into_owned();
        let turn = exp_minus_identity(&m.fixed_rows::<3>(3).into_owned());
        let directors = turn * pose.directors;
        increments.push(Increment {
            shift,
            turn,
            directors,
        });
        next.push(Pose {
            position: pose.position + shift,
            directors: pose.directors + directors,
        });
    }
    (increments, next)
}

#[test]
fn blocks_are_derivatives_of_the_balance() {
    let mut rng = random(15);
    let model = forceful(&mut rng);
    let poses = start(&model);
    let n = poses.len();
    let mut moves: Vec<Vector6<f64>> = (0..n)
        .map(|_| Vector6::from_fn(|_, _| rng.random_range(-0.3..0.3)))
        .collect();
    moves[3].fixed_rows_mut::<3>(3).fill(0.0);
    let (increments, next) = carried(&poses, &moves);
    for gamma in [0.5, 0.3] {
        let h = 0.4;
        // h γ F(q̄) and f⁻ of dampers, as wrenches at q.
        let balance = |increments: &[Increment], next: &[Pose]| -> Vec<Wrench> {
            let mut middle = poses.clone();
            between(&Share::all(&model), &poses, next, gamma, &mut middle);
            let mut forces = vec![Covector::default(); n];
            potential_forces(&model, &Share::all(&model), &middle, &mut forces);
            let frame = StepFrame {
                poses: &poses,
                next,
                middle: &middle,
                increments,
                h,
                gamma,
            };
            let mut out = vec![NO_WRENCH; n];
            add_dampers(&model, &Share::all(&model), &frame, false, &mut out);
            for (k, w) in out.iter_mut().enumerate() {
                let more = forces[k].wrench(&poses[k].directors);
                w.force += more.force * (h * gamma);
                w.torque += more.torque * (h * gamma);
            }
            out
        };
        let mut middle = poses.clone();
        between(&Share::all(&model), &poses, &next, gamma, &mut middle);
        let frame = StepFrame {
            poses: &poses,
            next: &next,
            middle: &middle,
            increments: &increments,
            h,
            gamma,
        };
        let mut blocks = Vec::new();
        blocks_of(&model, &Share::all(&model), &frame, &mut blocks);
        for column in 0..n {
            let width = if column == 3 { 3 } else { 6 };
            for c in 0..width {
                let at = |e: f64| {
                    let mut twist = Vector6::zeros();
                    twist[c] = e;
                    let spin = exp_minus_identity(&twist.fixed_rows::<3>(3).into_owned());
                    let (mut increments, mut next) = (increments.clone(), next.clone());
                    let shift = twist.fixed_rows::<3>(0).into_owned();
                    next[column].position += shift;
                    increments[column].shift += shift;
                    let turned = spin * next[column].directors;
                    next[column].directors += turned;
                    increments[column].directors += turned;
                    balance(&increments, &next)
                };
                let (plus, minus) = (at(EPS), at(-EPS));
                for row in 0..n {
                    let slope =
                        (wrench_vector(&plus[row]) - wrench_vector(&minus[row])) / (2.0 * EPS);
                    let mut exact = Vector6::zeros();
                    for b in &blocks {
                        if b.row.index() == row && b.column.index() == column {
                            exact += b.matrix.column(c);
                        }
                    }
                    let height = if row == 3 { 3 } else { 6 };
                    let off = (slope - exact).rows(0, height).amax();
                    assert!(
                        off < 1e-8,
                        "γ {gamma}: body {row} by {column}.{c}: {off:.1e}"
                    );
                }
            }
        }
    }
}

#[test]
fn newton_converges_quadratically() {
    // Few iterations to round-off even at large steps: the Jacobian is exact.
    for kind in KINDS {
        for hung in [false, true] {
            let model = pair(kind, hung, Vector3::new(0.0, 0.0, -5.0));
            let mut s = simulate(model, 0.04);
            s.run(100).unwrap();
            let mean = s.ledger().newton_iterations as f64 / 100.0;
            println!("{:12} hung {hung}: {mean:.2} iterations", kind.name());
            assert!(mean < 7.0, "{kind:?} {mean}");
        }
    }
    let mut s = simulate(forceful(&mut random(16)), 0.02);
    s.run(100).unwrap();
    assert!(s.ledger().newton_iterations < 700);
}
