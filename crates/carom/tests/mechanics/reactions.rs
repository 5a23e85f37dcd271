//! What joints transmit, the same by every formulation.

use std::sync::Arc;

use crate::common::formulations::{FORMULATIONS, beads, four_bar, gravity, start};
use crate::common::{KINDS, inertia, pair};
use carom::model::{BodySpec, JointSpec, Model, ModelBuilder};
use nalgebra::Vector3;

#[test]
fn pendulum_at_rest_hangs_by_its_weight() {
    let mut builder = ModelBuilder::new();
    builder.gravity(Vector3::new(0.0, 0.0, -9.81));
    let a = builder.body(
        BodySpec::rigid("a")
            .mass(2.0)
            .inertia(inertia(0.1, 0.2, 0.25))
            .position(Vector3::new(0.0, 0.0, -0.5)),
    );
    let b = builder.body(BodySpec::particle("b", 0.5).position(Vector3::new(0.0, 0.0, -1.5)));
    builder.joint(
        JointSpec::revolute("hinge", Vector3::y()).at(Vector3::zeros()),
        None,
        Some(a),
    );
    builder.joint(JointSpec::rod("rod"), Some(a), Some(b));
    let model = Arc::new(builder.build().unwrap());
    for formulation in FORMULATIONS {
        let mut run = start(&model, formulation, 0.01);
        assert!(run.joint_reactions().is_empty());
        run.run(3).unwrap();
        let [hinge, rod] = run.joint_reactions()[..] else {
            panic!("two joints")
        };
        let up = Vector3::z() * 9.81;
        assert!((hinge.mean.force - up * 2.5).norm() < 1e-10, "{hinge:?}");
        assert!(hinge.mean.torque.norm() < 1e-10);
        assert!(hinge.point.norm() < 1e-12);
        assert!((rod.mean.force - up * 0.5).norm() < 1e-10);
    }
}

#[test]
fn reactions_agree_with_multipliers() {
    let mut models: Vec<(String, Model)> = KINDS
        .iter()
        .map(|k| (k.name().to_string(), pair(*k, true, gravity())))
        .collect();
    models.push(("beads".into(), beads(4)));
    for (name, model) in models {
        let model = Arc::new(model);
        let mut runs = FORMULATIONS.map(|f| start(&model, f, 0.01));
        for _ in 0..20 {
            let [a, b, c] = runs.each_mut().map(|r| {
                r.step().unwrap();
                r.joint_reactions()
            });
            for other in [b, c] {
                for (x, y) in a.iter().zip(&other) {
                    let force = (x.mean.force - y.mean.force).norm();
                    let torque = (x.mean.torque - y.mean.torque).norm();
                    assert!(force < 1e-9 && torque < 1e-9, "{name} {force:e} {torque:e}");
                }
            }
        }
    }
}

#[test]
fn loop_reactions_carry_the_weight() {
    // Both supports of a four-bar at one instant: their sum is weight plus what accelerates it.
    let model = Arc::new(four_bar());
    let mut supports = FORMULATIONS.map(|f| {
        let mut run = start(&model, f, 0.01);
        run.run(10).unwrap();
        let before: Vector3<f64> = run.totals().linear;
        run.step().unwrap();
        let after: Vector3<f64> = run.totals().linear;
        let reactions = run.joint_reactions();
        let ground = |j: usize| {
            let joint = model
                .joints()
                .iter()
                .chain(model.closures())
                .nth(j)
                .unwrap();
            joint.parent.is_none()
        };
        let sum: Vector3<f64> = (0..reactions.len())
            .filter(|j| ground(*j))
            .map(|j| reactions[j].mean.force)
            .sum();
        let weight = Vector3::new(0.0, 0.0, -2.0) * 1.5;
        ((after - before) / 0.01 - weight, sum)
    });
    for (wanted, sum) in &mut supports {
        // The reaction belongs to the node, the change of momentum to the step: O(h) apart.
        assert!(
            (*wanted - *sum).norm() < 0.05 * wanted.norm(),
            "{wanted} {sum}"
        );
    }
    assert!((supports[0].1 - supports[1].1).norm() < 1e-6);
    assert!((supports[0].1 - supports[2].1).norm() < 1e-6);
}
