//! Models shared by the tests: a pair of asymmetric bodies for every kind of joint.
#![allow(dead_code)]

use carom::Pose;
use carom::model::{BodySpec, JointKind, JointSpec, Model, ModelBuilder};
use carom::simulate::{Settings, Simulation};
use nalgebra::{Matrix3, Vector3};

/// An asymmetric inertia that is not along the body axes.
pub fn inertia(a: f64, b: f64, c: f64) -> Matrix3<f64> {
    let r = Pose::new(Vector3::zeros(), Vector3::new(0.3, -0.4, 0.5)).directors;
    r * Matrix3::from_diagonal(&Vector3::new(a, b, c)) * r.transpose()
}

pub const KINDS: [JointKind; 7] = [
    JointKind::Free,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Spherical,
    JointKind::Planar,
    JointKind::Fixed,
];

/// Two bodies joined, floating or hung to the world, that turn and slide.
pub fn pair(kind: JointKind, hung: bool, gravity: Vector3<f64>) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(gravity);
    let axis = Vector3::new(0.2, 1.0, -0.3).normalize();
    let at = Vector3::new(0.4, 0.1, -0.2);
    // A rigid motion of both, plus a motion the joint allows for the second.
    let (v, w) = (Vector3::new(0.1, -0.2, 0.3), Vector3::new(0.5, 0.8, -0.4));
    let (x1, x2) = (Vector3::zeros(), Vector3::new(0.9, 0.2, -0.1));
    let (mut v1, mut w1) = (v, w);
    if hung {
        // A spherical joint at the first body's far end.
        (v1, w1) = (w.cross(&(x1 - Vector3::new(-0.5, 0.0, 0.0))), w);
    }
    let rigid = |x: &Vector3<f64>| v1 + w1.cross(&(x - x1));
    let (mut v2, mut w2) = (rigid(&x2), w1);
    let (rate, slide) = (0.7, 0.25);
    match kind {
        JointKind::Free => (v2, w2) = (Vector3::new(-0.1, 0.3, 0.2), Vector3::new(-0.6, 0.3, 0.9)),
        JointKind::Revolute => {
            w2 += axis * rate;
            v2 += (axis * rate).cross(&(x2 - at));
        }
        JointKind::Prismatic => v2 += axis * slide,
        JointKind::Cylindrical => {
            w2 += axis * rate;
            v2 += (axis * rate).cross(&(x2 - at)) + axis * slide;
        }
        JointKind::Spherical => {
            let spin = Vector3::new(0.3, -0.5, 0.4);
            w2 += spin;
            v2 += spin.cross(&(x2 - at));
        }
        JointKind::Planar => {
            w2 += axis * rate;
            let across = axis.cross(&Vector3::x()).normalize();
            v2 += (axis * rate).cross(&(x2 - at)) + across * slide;
        }
        JointKind::Fixed | JointKind::Rod => {}
    }
    let a = builder.body(
        BodySpec::rigid("a")
            .mass(1.5)
            .inertia(inertia(0.1, 0.2, 0.25))
            .position(x1)
            .velocity(v1)
            .angular_velocity(w1),
    );
    let b = builder.body(
        BodySpec::rigid("b")
            .mass(0.8)
            .inertia(inertia(0.07, 0.05, 0.09))
            .pose(Pose::new(x2, Vector3::new(0.2, 0.1, 0.4)))
            .velocity(v2)
            .angular_velocity(w2),
    );
    if hung {
        builder.joint(
            JointSpec::spherical("hook").at(Vector3::new(-0.5, 0.0, 0.0)),
            None,
            Some(a),
        );
    }
    if kind != JointKind::Free {
        builder.joint(JointSpec::new("joint", kind, axis).at(at), Some(a), Some(b));
    }
    builder.build().unwrap()
}

pub fn simulate(model: Model, step: f64) -> Simulation {
    Simulation::new(model, Settings::with_step(step)).unwrap()
}

/// Measured order of convergence: slope of log error against log step.
pub fn slope(steps: &[f64], errors: &[f64]) -> f64 {
    let n = steps.len() as f64;
    let x: Vec<f64> = steps.iter().map(|h| h.ln()).collect();
    let y: Vec<f64> = errors.iter().map(|e| e.ln()).collect();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let top: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    top / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}
