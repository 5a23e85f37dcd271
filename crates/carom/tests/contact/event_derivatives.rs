//! Derivatives through exact impacts against finite differences of the simulator.

use std::sync::Arc;

use carom::Pose;
use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::mechanics::{exp_minus_identity, log};
use carom::model::{BodySpec, Frame, Law, Material, Model, ModelBuilder};
use carom::optimise::{NoDerivative, Sensitivity, sensitivity};
use carom::simulate::{Settings, Simulation};
use nalgebra::{DVector, Matrix3, Vector3};

fn settings() -> Settings {
    Settings {
        law: Law::EXACT,
        rest_speed: Some(0.0),
        ..Settings::with_step(0.01)
    }
}

fn floor(b: &mut ModelBuilder, restitution: f64) {
    b.gravity(Vector3::new(0.0, 0.0, -9.81));
    b.material(Material {
        restitution,
        ..Material::elastic("bouncy")
    });
    let side = HalfSpace::new(Vector3::z(), 0.0).unwrap();
    b.wall("floor", side, Some("bouncy".into()));
}

/// A ball of radius 0.1 at a height, falling.
fn ball(height: f64, restitution: f64, mass: f64) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    floor(&mut b, restitution);
    let at = Vector3::new(0.0, 0.0, height);
    let ball = BodySpec::particle("ball", mass).radius(0.1).position(at);
    b.body(ball.material("bouncy"));
    Arc::new(b.build().unwrap())
}

fn end(
    model: &Arc<Model>,
    steps: &[f64],
    controls: &[Vec<f64>],
) -> (Pose, Vector3<f64>, Vector3<f64>) {
    let mut s = Simulation::new(Arc::clone(model), settings()).unwrap();
    for (h, tau) in steps.iter().zip(controls) {
        s.step_with(*h, tau).unwrap();
    }
    let twist = s.twists()[0];
    (s.state().poses[0], twist.v, twist.w)
}

fn near(a: f64, b: f64, size: f64) {
    assert!((a - b).abs() <= 1e-6 * size, "{a} and {b}, of size {size}");
}

#[test]
fn a_bouncing_ball_by_its_height() {
    let steps = vec![0.01; 100];
    let none = vec![vec![]; 100];
    let of = |h: f64, e: f64| end(&ball(h, e, 2.0), &steps, &none);
    let s: Sensitivity = sensitivity(&ball(1.0, 0.8, 2.0), settings(), &steps, &none).unwrap();
    assert!(!s.impacts.is_empty());
    let d = 1e-6;
    let (up, down) = (of(1.0 + d, 0.8), of(1.0 - d, 0.8));
    near(
        s.by_start[(2, 2)],
        (up.0.position.z - down.0.position.z) / (2.0 * d),
        1.0,
    );
    near(s.by_start[(5, 2)], (up.1.z - down.1.z) / (2.0 * d), 10.0);
    let (up, down) = (of(1.0, 0.8 + d), of(1.0, 0.8 - d));
    let by_e: f64 = s.by_restitution.iter().map(|v| v[2]).sum();
    near(by_e, (up.0.position.z - down.0.position.z) / (2.0 * d), 1.0);
    // The fall does not depend on the mass.
    assert!(s.by_mass[0].norm() < 1e-9);
}

/// A tilted cube that tumbles, pushed by controls.
fn cube(change: &DVector<f64>, mass: f64) -> Arc<Model> {
    let mut b = ModelBuilder::new();
    floor(&mut b, 0.7);
    let shape = Shape::single(Polytope::cuboid(0.2, 0.3, 0.25).unwrap(), 270.0 * mass).unwrap();
    let v = |k: usize| Vector3::new(change[k], change[k + 1], change[k + 2]);
    let turn = |r: &Vector3<f64>| exp_minus_identity(r) + Matrix3::identity();
    let pose = Pose {
        position: Vector3::new(0.1, 0.2, 0.6) + v(0),
        directors: turn(&v(3)) * turn(&Vector3::new(0.4, 0.3, 0.2)),
    };
    let spec = BodySpec::rigid("cube")
        .shape(shape)
        .pose(pose)
        .material("bouncy");
    let spec = spec
        .velocity(Vector3::new(0.3, -0.2, -0.5) + v(6))
        .angular_velocity(Vector3::new(0.5, -1.0, 0.7) + v(9));
    let body = b.body(spec);
    b.wrench(
        "push",
        body,
        Vector3::new(0.02, 0.0, 0.01),
        Frame::Body,
        vec![],
    );
    Arc::new(b.build().unwrap())
}

fn difference(
    a: &(Pose, Vector3<f64>, Vector3<f64>),
    b: &(Pose, Vector3<f64>, Vector3<f64>),
) -> DVector<f64> {
    let turn = log(&(a.0.directors * b.0.directors.transpose()));
    let parts = [a.0.position - b.0.position, turn, a.1 - b.1, a.2 - b.2];
    DVector::from_iterator(12, parts.iter().flat_map(|v| v.iter().copied()))
}

#[test]
fn a_tumbling_cube_by_everything() {
    let count = 45;
    let steps = vec![0.01; count];
    let controls: Vec<Vec<f64>> = (0..count)
        .map(|k| {
            (0..6)
                .map(|c| 0.05 * ((k + 2 * c) as f64 * 0.3).sin())
                .collect()
        })
        .collect();
    let zero = DVector::zeros(12);
    let s = sensitivity(&cube(&zero, 1.0), settings(), &steps, &controls).unwrap();
    assert!(!s.impacts.is_empty());
    let size = s.by_start.amax();
    let d = 1e-6;
    for k in 0..12 {
        let at = |sign: f64| {
            let mut change = zero.clone();
            change[k] = sign * d;
            end(&cube(&change, 1.0), &steps, &controls)
        };
        let slope = difference(&at(1.0), &at(-1.0)) / (2.0 * d);
        for r in 0..12 {
            near(s.by_start[(r, k)], slope[r], size);
        }
    }
    for (step, c) in [(3, 2), (30, 4), (44, 0)] {
        let at = |sign: f64| {
            let mut other = controls.clone();
            other[step][c] += sign * 1e-4;
            end(&cube(&zero, 1.0), &steps, &other)
        };
        let slope = difference(&at(1.0), &at(-1.0)) / 2e-4;
        for r in 0..12 {
            near(
                s.by_controls[step][(r, c)],
                slope[r],
                s.by_controls[step].amax(),
            );
        }
    }
    let at = |factor: f64| end(&cube(&zero, factor), &steps, &controls);
    let slope = difference(&at(1.0 + d), &at(1.0 - d)) / (2.0 * d);
    for r in 0..12 {
        near(s.by_mass[0][r], slope[r], 1.0);
    }
}

#[test]
fn impacts_at_once_are_told() {
    let mut b = ModelBuilder::new();
    floor(&mut b, 1.0);
    for (name, x) in [("a", 0.0), ("b", 1.0)] {
        let at = Vector3::new(x, 0.0, 1.0);
        let ball = BodySpec::particle(name, 1.0).radius(0.1).position(at);
        b.body(ball.material("bouncy"));
    }
    let model = Arc::new(b.build().unwrap());
    let steps = vec![0.01; 60];
    let error = sensitivity(&model, settings(), &steps, &vec![vec![]; 60]).unwrap_err();
    assert!(matches!(error, NoDerivative::AtOnce { .. }), "{error}");
}

#[test]
fn contacts_that_last_are_told() {
    let steps = vec![0.01; 80];
    let error =
        sensitivity(&ball(0.3, 0.0, 1.0), settings(), &steps, &vec![vec![]; 80]).unwrap_err();
    assert!(matches!(error, NoDerivative::Lasting { .. }), "{error}");
}
