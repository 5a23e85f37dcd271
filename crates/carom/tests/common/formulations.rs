//! The formulations of the variational integrator, and models to compare them on.

use std::sync::Arc;

use carom::model::{BodyId, BodySpec, JointSpec, Model, ModelBuilder};
use carom::simulate::{Formulation, Integrator, Settings, Simulation};
use nalgebra::Vector3;

use super::inertia;

pub const FORMULATIONS: [Formulation; 3] = [
    Formulation::Reduced,
    Formulation::Projected,
    Formulation::Multipliers,
];

/// A run by one of them.
pub fn start(model: &Arc<Model>, formulation: Formulation, step: f64) -> Simulation {
    let settings = Settings {
        integrator: Integrator::Variational {
            formulation,
            gamma: 0.5,
        },
        ..Settings::with_step(step)
    };
    Simulation::new(model.clone(), settings).unwrap()
}

pub fn gravity() -> Vector3<f64> {
    Vector3::new(0.1, -0.2, -2.0)
}

/// Beads on rods, hung to the world.
pub fn beads(n: usize) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81));
    let mut last = None;
    for k in 0..n {
        let at = Vector3::new(0.1 * (k + 1) as f64, 0.0, 0.02 * (k % 2) as f64);
        let bead = builder.body(BodySpec::particle(format!("bead {k}"), 0.1).position(at));
        builder.joint(JointSpec::rod(format!("rod {k}")), last, Some(bead));
        last = Some(bead);
    }
    builder.build().unwrap()
}

/// Three bars and the ground.
pub fn four_bar() -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -2.0));
    let bar = |name: &str, p: Vector3<f64>, q: Vector3<f64>| {
        let along = q - p;
        BodySpec::rigid(name)
            .mass(0.5)
            .inertia(inertia(0.02, 0.03, 0.04))
            .position(p + along * 0.5)
    };
    let points = [
        Vector3::new(0.0, 0.0, 0.0),
        Vector3::new(0.1, 0.0, 0.4),
        Vector3::new(0.8, 0.0, 0.6),
        Vector3::new(0.9, 0.0, 0.0),
    ];
    let bars: Vec<BodyId> = (0..3)
        .map(|k| builder.body(bar(&format!("bar {k}"), points[k], points[k + 1])))
        .collect();
    let hinge = |k: usize| JointSpec::revolute(format!("hinge {k}"), Vector3::y()).at(points[k]);
    builder.joint(hinge(0), None, Some(bars[0]));
    builder.joint(hinge(1), Some(bars[0]), Some(bars[1]));
    builder.joint(hinge(2), Some(bars[1]), Some(bars[2]));
    builder.joint(hinge(3), Some(bars[2]), None);
    builder.build().unwrap()
}
