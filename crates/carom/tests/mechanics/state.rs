//! Save, restore and go on; other grids; feedback; the same bits every time.

use crate::common::*;
use carom::mechanics::joint_coordinates;
use carom::model::{BodySpec, Frame, JointKind, JointSpec, Model, ModelBuilder, Sample, Signal};
use carom::simulate::{Settings, Simulation};
use nalgebra::Vector3;

/// Two jointed bodies under gravity with a load that depends on time.
fn loaded() -> Model {
    let (mut b, [_, second], joint) =
        pair_builder(JointKind::Cylindrical, true, Vector3::new(0.0, 0.0, -4.0));
    let push = b.wrench("push", second, Vector3::zeros(), Frame::Body, vec![]);
    let wave = Signal::Function(std::sync::Arc::new(|t: f64| (5.0 * t).sin()));
    b.prescribe(push, vec![wave; 6], Sample::Mid);
    b.drive("motor", joint.unwrap(), vec![]);
    b.build().unwrap()
}

#[test]
fn restored_runs_go_on_bit_for_bit() {
    for kind in KINDS {
        let model = tied_pair(kind, true, Vector3::new(0.0, 0.0, -3.0));
        let mut whole = simulate(model.clone(), 0.01);
        whole.run(100).unwrap();
        let (state, ledger) = (whole.state().clone(), whole.ledger().clone());
        whole.run(100).unwrap();
        // The same simulation taken back, a new one restored, and one started from the state.
        let end = (whole.state().clone(), whole.ledger().clone());
        whole.restore(state.clone(), ledger.clone());
        whole.run(100).unwrap();
        assert_eq!(
            (whole.state(), whole.ledger()),
            (&end.0, &end.1),
            "{kind:?}"
        );
        let mut fresh = simulate(model.clone(), 0.01);
        fresh.restore(state.clone(), ledger);
        fresh.run(100).unwrap();
        assert_eq!(
            (fresh.state(), fresh.ledger()),
            (&end.0, &end.1),
            "{kind:?}"
        );
        let mut other = Simulation::from_state(model, Settings::with_step(0.01), state).unwrap();
        other.run(100).unwrap();
        assert_eq!(other.state(), &end.0, "{kind:?}");
        assert_eq!(other.ledger().steps, 100);
    }
}

#[test]
fn loads_and_controls_go_on_too() {
    let model = loaded();
    let controls = |k: usize| {
        let mut tau = vec![0.0; 8];
        tau[7] = 0.1 * k as f64;
        tau
    };
    let mut whole = simulate(model.clone(), 0.01);
    let mut saved = None;
    for k in 0..60 {
        if k == 31 {
            saved = Some(whole.state().clone());
        }
        whole.step_with(0.01, &controls(k)).unwrap();
    }
    let mut second =
        Simulation::from_state(model, Settings::with_step(0.01), saved.unwrap()).unwrap();
    for k in 31..60 {
        second.step_with(0.01, &controls(k)).unwrap();
    }
    assert_eq!(whole.state(), second.state());
}

#[test]
fn equal_runs_give_equal_bits() {
    let run = || {
        let mut s = simulate(loaded(), 0.01);
        s.run(200).unwrap();
        (s.state().clone(), s.ledger().clone())
    };
    assert_eq!(run(), run());
}

#[test]
fn non_uniform_grids() {
    // Steps between h/2 and 3h/2 that end at one second: still second order.
    let end = |n: usize| {
        let weights: Vec<f64> = (0..n)
            .map(|k| 1.0 + 0.5 * (4.0 * std::f64::consts::PI * k as f64 / n as f64).sin())
            .collect();
        let total: f64 = weights.iter().sum();
        let mut s = simulate(
            pair(JointKind::Spherical, true, Vector3::new(0.0, 0.0, -4.0)),
            0.01,
        );
        for w in weights {
            s.step_with(w / total, &[]).unwrap();
        }
        assert!((s.time() - 1.0).abs() < 1e-12);
        configuration(&s)
    };
    let model = pair(JointKind::Spherical, true, Vector3::new(0.0, 0.0, -4.0));
    let exact = end_of(&model, Settings::with_step(1.0 / 20_000.0), 1.0);
    let errors = [50, 100, 200].map(|n| distance(&end(n), &exact));
    let order = slope(&[4.0, 2.0, 1.0], &errors);
    println!("non-uniform: {errors:?} order {order:.3}");
    assert!((order - 2.0).abs() < 0.05);
}

#[test]
fn a_controller_holds_a_joint() {
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.0, 0.0, -9.81));
    let arm = b.body(
        BodySpec::rigid("arm")
            .mass(1.0)
            .inertia(inertia(0.1, 0.2, 0.25))
            .position(Vector3::new(0.5, 0.0, 0.0)),
    );
    let hinge = JointSpec::revolute("shoulder", Vector3::y()).at(Vector3::zeros());
    let joint = b.joint(hinge, None, Some(arm));
    b.drive("motor", joint, vec![]);
    let mut s = simulate(b.build().unwrap(), 0.005);
    let (wanted, mut last, mut integral) = (0.4, 0.0, 0.0);
    let mut angle = Vec::new();
    for _ in 0..4000 {
        s.step_controlled(&mut |s, tau| {
            joint_coordinates(&s.model().joints()[0], &s.state().poses, &mut angle);
            let rate = (angle[0] - last) / s.settings().step;
            last = angle[0];
            integral += (wanted - angle[0]) * s.settings().step;
            tau[0] = 40.0 * (wanted - angle[0]) - 8.0 * rate + 30.0 * integral;
        })
        .unwrap();
    }
    joint_coordinates(&s.model().joints()[0], &s.state().poses, &mut angle);
    assert!((angle[0] - wanted).abs() < 1e-4, "{}", angle[0]);
}

#[test]
fn steps_as_an_iterator_end_with_the_error() {
    let mut s = simulate(loaded(), 0.01);
    let times: Vec<f64> = s.steps().take(3).map(|info| info.unwrap().time).collect();
    assert_eq!(times.len(), 3);
    let mut b = ModelBuilder::new();
    b.body(
        BodySpec::rigid("spinner")
            .mass(1.0)
            .inertia(inertia(0.1, 0.2, 0.25))
            .angular_velocity(Vector3::z() * 1e4),
    );
    let mut s = simulate(b.build().unwrap(), 0.01);
    let results: Vec<_> = s.steps().collect();
    assert!(results.len() == 1 && results[0].is_err());
}
