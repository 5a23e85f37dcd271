//! G(q) P(q) = 0, retractions that keep g = 0, and the papers' formulas for pairs and chains.

use crate::common::*;
use carom::Pose;
use carom::mechanics::{exp_minus_identity, hat, log, null_space};
use carom::model::{BodySpec, JointKind, JointSpec, Model, ModelBuilder};
use nalgebra::{DMatrix, Matrix3, Vector3};
use rand::RngExt;

#[test]
fn null_space_of_every_joint() {
    let mut rng = random(1);
    for kind in KINDS {
        for hung in [false, true] {
            let model = branched(kind, hung, &mut rng);
            let poses = somewhere(&model, &mut rng);
            let (g, jacobian) = constraints(&model, &poses);
            let p = null_space(&model, &poses);
            assert!(g.amax() < 1e-13, "{kind:?} {hung} {:.1e}", g.amax());
            let product = (&jacobian * &p).amax();
            assert!(product < 1e-13, "{kind:?} {hung} {product:.1e}");
            // range P is all of ker G.
            let n = p.nrows();
            assert_eq!(p.rank(1e-9), p.ncols(), "{kind:?}");
            assert_eq!(jacobian.rank(1e-9) + p.ncols(), n, "{kind:?} {hung}");
        }
    }
}

#[test]
fn retraction_keeps_the_constraints() {
    let mut rng = random(2);
    for kind in KINDS {
        for hung in [false, true] {
            let model = branched(kind, hung, &mut rng);
            let (_, n) = offsets(&model);
            let mut poses = start(&model);
            for _ in 0..20 {
                let u: Vec<f64> = (0..n).map(|_| rng.random_range(-1.2..1.2)).collect();
                poses = retract(&model, &poses, &u).1;
            }
            let (g, _) = constraints(&model, &poses);
            assert!(g.amax() < 1e-12, "{kind:?} {hung} {:.1e}", g.amax());
        }
    }
}

/// Bodies in a chain with these joints; returns the model.
fn chain(kinds: &[JointKind], seed: u64) -> Model {
    let mut rng = random(seed);
    let mut b = ModelBuilder::new();
    let mut last = None;
    for k in 0..=kinds.len() {
        let pose = Pose::new(random_vector(&mut rng, 1.0), random_vector(&mut rng, 1.0));
        let spec = BodySpec::rigid(format!("{k}")).mass(1.0);
        let body = b.body(spec.inertia(inertia(0.1, 0.2, 0.25)).pose(pose));
        if k > 0 {
            let axis = random_vector(&mut rng, 1.0);
            let at = random_vector(&mut rng, 1.0);
            b.joint(
                JointSpec::new(format!("{k}"), kinds[k - 1], axis).at(at),
                last,
                Some(body),
            );
        }
        last = Some(body);
    }
    b.build().unwrap()
}

/// P_int of thesis 3.2.4.
fn p_int(pose: &Pose) -> DMatrix<f64> {
    let mut p = DMatrix::zeros(12, 6);
    p.view_mut((0, 0), (3, 3)).fill_with_identity();
    for i in 0..3 {
        let d = -hat(&pose.directors.column(i).into_owned());
        p.view_mut((3 + 3 * i, 3), (3, 3)).copy_from(&d);
    }
    p
}

/// Twist rows of all bodies (6 each) to redundant velocities.
fn with_p_int(poses: &[Pose], twists: &DMatrix<f64>) -> DMatrix<f64> {
    let mut p = DMatrix::zeros(12 * poses.len(), twists.ncols());
    for (k, pose) in poses.iter().enumerate() {
        let block = p_int(pose) * twists.rows(6 * k, 6);
        p.rows_mut(12 * k, 12).copy_from(&block);
    }
    p
}

/// Difference of the orthogonal projectors on two ranges.
fn apart(a: &DMatrix<f64>, b: &DMatrix<f64>) -> f64 {
    let projector = |m: &DMatrix<f64>| {
        let q = m.clone().qr().q();
        &q * q.transpose()
    };
    (projector(a) - projector(b)).amax()
}

/// Joint points as seen from both bodies and the axis, in inertial axes: ϱ¹, ϱ², n¹.
fn arms(model: &Model, poses: &[Pose], j: usize) -> [Vector3<f64>; 3] {
    let joint = &model.joints()[j];
    let parent = &poses[joint.parent.unwrap().index()];
    let child = &poses[joint.child.index()];
    [
        parent.directors * joint.anchor_parent,
        child.directors * joint.anchor_child,
        parent.directors * joint.axis,
    ]
}

fn set(m: &mut DMatrix<f64>, row: usize, column: usize, block: &Matrix3<f64>) {
    m.view_mut((row, column), (3, 3)).copy_from(block);
}

fn set_column(m: &mut DMatrix<f64>, row: usize, column: usize, v: &Vector3<f64>) {
    m.view_mut((row, column), (3, 1)).copy_from(v);
}

#[test]
fn spherical_pair_is_the_papers() {
    let model = chain(&[JointKind::Spherical], 3);
    let poses = somewhere(&model, &mut random(4));
    let [r1, r2, _] = arms(&model, &poses, 1);
    let id = Matrix3::identity();
    // (3.28): ν = (φ̇¹, ω¹, ω²) with the absolute ω² of the second body.
    let mut t = DMatrix::zeros(12, 9);
    set(&mut t, 0, 0, &id);
    set(&mut t, 3, 3, &id);
    set(&mut t, 6, 0, &id);
    set(&mut t, 6, 3, &-hat(&r1));
    set(&mut t, 6, 6, &hat(&r2));
    set(&mut t, 9, 6, &id);
    let paper = with_p_int(&poses, &t);
    assert!(apart(&paper, &null_space(&model, &poses)) < 1e-13);

    // (3.26): the second rotation is absolute, ours is relative: exp(u²) = exp(u¹) exp(u).
    let u = [0.1, -0.2, 0.3, 0.4, 0.5, -0.6, 0.3, -0.7, 0.2];
    let next = retract(&model, &poses, &u).1;
    let full = |u: &Vector3<f64>| exp_minus_identity(u) + id;
    let (shift, u1) = (
        Vector3::new(u[0], u[1], u[2]),
        Vector3::new(u[3], u[4], u[5]),
    );
    let turn = full(&u1);
    let u2 = log(&(turn * full(&Vector3::new(u[6], u[7], u[8]))));
    let phi = poses[0].position + shift + turn * r1 - full(&u2) * r2;
    assert!((next[1].position - phi).norm() < 1e-14);
    assert!((next[1].directors - full(&u2) * poses[1].directors).norm() < 1e-14);
}

/// (3.33), twist of the second body of a revolute pair per (φ̇¹, ω¹, θ̇²): θ̇² is the absolute rate
/// n·ω², ours counts from the first body.
fn revolute_rows(t: &mut DMatrix<f64>, row: usize, [r1, r2, n]: [Vector3<f64>; 3]) {
    let nn = n * n.transpose();
    set(t, row, 0, &Matrix3::identity());
    set(t, row, 3, &(hat(&(r2 - r1)) - hat(&r2) * nn));
    set_column(t, row, 6, &r2.cross(&n));
    set(t, row + 3, 3, &(Matrix3::identity() - nn));
    set_column(t, row + 3, 6, &n);
}

#[test]
fn revolute_pair_is_the_papers() {
    let model = chain(&[JointKind::Revolute], 5);
    let poses = somewhere(&model, &mut random(6));
    let [r1, r2, n] = arms(&model, &poses, 1);
    let mut t = DMatrix::zeros(12, 7);
    set(&mut t, 0, 0, &Matrix3::identity());
    set(&mut t, 3, 3, &Matrix3::identity());
    revolute_rows(&mut t, 6, [r1, r2, n]);
    let paper = with_p_int(&poses, &t);
    assert!(apart(&paper, &null_space(&model, &poses)) < 1e-13);

    // (3.30), with exp(u¹) before the directors too, as (A.13) has it, and u_φ¹ not projected:
    // d² turns by exp(u¹) exp(−N u¹) exp(θ n), so θ = n·u¹ + our angle.
    let u = [0.1, -0.2, 0.3, 0.4, 0.5, -0.6, 0.9];
    let next = retract(&model, &poses, &u).1;
    let full = |u: &Vector3<f64>| exp_minus_identity(u) + Matrix3::identity();
    let (shift, u1) = (
        Vector3::new(u[0], u[1], u[2]),
        Vector3::new(u[3], u[4], u[5]),
    );
    let theta = n.dot(&u1) + u[6];
    let inner = full(&(n * -n.dot(&u1))) * full(&(n * theta));
    let phi = poses[0].position + shift + full(&u1) * (r1 - inner * r2);
    assert!((next[1].position - phi).norm() < 1e-14);
    assert!((next[1].directors - full(&u1) * inner * poses[1].directors).norm() < 1e-14);
}

/// (A.8), derived again from (3.27), (3.31) and (3.32). As printed, (A.5b) to (A.7b) have the wrong
/// sign before ϱ₁²N¹¹, ϱ₂²I¹¹ and ϱ₃⁴N³³ (compare (3.33)), I³³ is I − n³⊗n³, and the ω¹ column of
/// the last body is A₂³, not A₃⁴. `sign` = 1 is right, −1 as printed.
fn manipulator(model: &Model, poses: &[Pose], sign: f64) -> DMatrix<f64> {
    let [r11, r12, n1] = arms(model, poses, 1);
    let [r22, r23, _] = arms(model, poses, 2);
    let [r33, r34, n3] = arms(model, poses, 3);
    let id = Matrix3::identity();
    let (nn1, nn3) = (n1 * n1.transpose(), n3 * n3.transpose());
    let (i1, i3) = (id - nn1, id - nn3);
    let a12 = -(hat(&(r11 - r12)) + hat(&r12) * nn1 * sign);
    let a23 = a12 - hat(&r22) * i1 * sign;
    let a34 = -(hat(&(r33 - r34)) + hat(&r34) * nn3 * sign - hat(&r23));
    let mut t = DMatrix::zeros(24, 11);
    set(&mut t, 0, 0, &id);
    set(&mut t, 3, 3, &id);
    // Body 2: revolute.
    set(&mut t, 6, 0, &id);
    set(&mut t, 6, 3, &a12);
    set_column(&mut t, 6, 6, &r12.cross(&n1));
    set(&mut t, 9, 3, &i1);
    set_column(&mut t, 9, 6, &n1);
    // Body 3: spherical, absolute ω³.
    set(&mut t, 12, 0, &id);
    set(&mut t, 12, 3, &a23);
    set_column(&mut t, 12, 6, &(r12 - r22).cross(&n1));
    set(&mut t, 12, 7, &hat(&r23));
    set(&mut t, 15, 7, &id);
    // Body 4: revolute.
    set(&mut t, 18, 0, &id);
    set(&mut t, 18, 3, &a23);
    set_column(&mut t, 18, 6, &(r12 - r22).cross(&n1));
    set(&mut t, 18, 7, &a34);
    set_column(&mut t, 18, 10, &r34.cross(&n3));
    set(&mut t, 21, 7, &i3);
    set_column(&mut t, 21, 10, &n3);
    with_p_int(poses, &t)
}

#[test]
fn manipulator_chain_is_the_appendixs() {
    let kinds = [
        JointKind::Revolute,
        JointKind::Spherical,
        JointKind::Revolute,
    ];
    let model = chain(&kinds, 7);
    let poses = somewhere(&model, &mut random(8));
    let (_, jacobian) = constraints(&model, &poses);
    let ours = null_space(&model, &poses);
    assert_eq!((ours.nrows(), ours.ncols()), (48, 11));
    let paper = manipulator(&model, &poses, 1.0);
    assert!((&jacobian * &paper).amax() < 1e-13);
    assert!(apart(&paper, &ours) < 1e-12, "{}", apart(&paper, &ours));
    // The printed signs leave the constraints.
    assert!((&jacobian * manipulator(&model, &poses, -1.0)).amax() > 1e-2);
}
