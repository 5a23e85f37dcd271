//! What runs refuse, with messages that name the culprit.

use crate::common::*;
use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::model::{
    BodySpec, Frame, JointKind, JointSpec, Law, Model, ModelBuilder, Sample, Signal,
};
use carom::simulate::{Integrator, Settings, SimulateError, Simulation};
use nalgebra::Vector3;

const NAN: f64 = f64::NAN;

#[test]
fn settings_and_controls() {
    let model = pair(JointKind::Revolute, false, Vector3::zeros());
    let bad = |settings: Settings, name: &str| {
        let e = Simulation::new(model.clone(), settings)
            .map(|_| ())
            .unwrap_err();
        assert!(e.to_string().contains(name), "{e}");
    };
    let good = Settings::default();
    for step in [0.0, -1.0, NAN, f64::INFINITY] {
        bad(Settings::with_step(step), "step");
    }
    bad(
        Settings {
            max_iterations: 0,
            ..good
        },
        "max_iterations",
    );
    let newmark = |beta, gamma| Settings {
        integrator: Integrator::Newmark { beta, gamma },
        ..good
    };
    bad(newmark(0.6, 0.5), "beta");
    bad(newmark(0.0, -0.1), "gamma");
    bad(newmark(NAN, 0.5), "beta");
    let Integrator::Variational { formulation, .. } = good.integrator else {
        unreachable!()
    };
    let gamma = 1.5;
    bad(
        Settings {
            integrator: Integrator::Variational { formulation, gamma },
            ..good
        },
        "gamma",
    );

    let mut s = Simulation::new(model, good).unwrap();
    let wrong = s.step_with(0.01, &[1.0]).unwrap_err();
    assert_eq!(
        wrong,
        SimulateError::Controls {
            given: 1,
            wanted: 0
        }
    );
    for h in [0.0, -0.1, NAN] {
        assert!(matches!(
            s.step_with(h, &[]),
            Err(SimulateError::Setting {
                setting: "step",
                ..
            })
        ));
    }
}

#[test]
fn errors_tell_what_is_wrong_from_what_to_do() {
    let mut simulation = simulate(spinner(170.0, false), 0.01);
    let turns = simulation.step().unwrap_err();
    let setting = Settings::with_step(0.0).validate().unwrap_err();
    let controls = simulation.step_with(0.001, &[1.0]).unwrap_err();
    for (error, part, fix) in [
        (turns, "body \"spinner\" turns by", "take a step below"),
        (
            setting,
            "step = 0 must be positive and finite",
            "give a step in s",
        ),
        (
            controls,
            "1 control given, but the model has 0",
            "give one value for each",
        ),
    ] {
        assert!(error.reason().contains(part), "{error}");
        assert!(error.fix().starts_with(fix), "{error}");
        assert_eq!(
            error.to_string(),
            format!("{}: {}", error.reason(), error.fix())
        );
    }
}

#[test]
fn velocities_the_joints_forbid() {
    let mut b = ModelBuilder::new();
    let body = b.body(brick("pendulum").velocity(v(0.0, 0.0, 1.0)));
    b.joint(
        JointSpec::spherical("hook").at(v(0.0, 0.0, 1.0)),
        None,
        Some(body),
    );
    let e = Simulation::new(b.build().unwrap(), Settings::default())
        .map(|_| ())
        .unwrap_err();
    assert!(
        matches!(&e, SimulateError::Velocity { body, .. } if body == "pendulum"),
        "{e}"
    );
}

/// A body that spins at `rate`, free or about a hinge.
fn spinner(rate: f64, hinged: bool) -> Model {
    let mut b = ModelBuilder::new();
    b.body(brick("bystander").position(v(3.0, 0.0, 0.0)));
    let body = b.body(brick("spinner").angular_velocity(v(0.0, 0.0, rate)));
    if hinged {
        b.joint(JointSpec::revolute("hinge", Vector3::z()), None, Some(body));
    }
    b.build().unwrap()
}

#[test]
fn too_large_a_turn_names_the_body_and_a_step_that_does() {
    for hinged in [false, true] {
        // Up to a quarter turn it works, beyond it says what to do.
        for (turn, works) in [
            (0.9, true),
            (1.7, false),
            (2.5, false),
            (7.0, false),
            (50.0, false),
        ] {
            let h = 0.01;
            let mut s = simulate(spinner(turn / h, hinged), h);
            match s.step() {
                Ok(_) => assert!(works, "hinged {hinged}: turned by {turn} in a step"),
                Err(SimulateError::TurnsTooFar {
                    body,
                    step,
                    degrees,
                    ..
                }) => {
                    assert!(!works && body == "spinner", "{body} {turn} {degrees}");
                    assert!(step > 0.0 && step < h && degrees > 57.0);
                    let mut s = simulate(spinner(turn / h, hinged), step);
                    s.run(20)
                        .unwrap_or_else(|e| panic!("hinged {hinged}, turn {turn}: {e}"));
                }
                Err(other) => panic!("hinged {hinged}, turn {turn}: {other}"),
            }
        }
    }
}

#[test]
fn numbers_that_are_not_finite() {
    for hinged in [false, true] {
        let mut b = ModelBuilder::new();
        let body = b.body(brick("victim"));
        if hinged {
            b.joint(JointSpec::revolute("hinge", Vector3::z()), None, Some(body));
        }
        b.wrench("push", body, Vector3::zeros(), Frame::Inertial, vec![]);
        let mut s = simulate(b.build().unwrap(), 0.01);
        for bad in [NAN, f64::INFINITY] {
            let before = s.state().clone();
            let e = s
                .step_with(0.01, &[bad, bad, bad, bad, bad, bad])
                .unwrap_err();
            assert!(
                matches!(&e, SimulateError::NotFinite { body, .. } if body == "victim"),
                "hinged {hinged}: {e}"
            );
            // A failed step leaves the state as it was.
            assert_eq!(s.state(), &before);
        }
        s.run(3).unwrap();
    }
}

/// A cube falls onto a floor; beside it a top is spun up, from 0.302 s on so hard that it turns too far in the finest
/// part of a step.
fn spun_up() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    b.contact_default(0.5, 0.3);
    let cube = Shape::single(Polytope::cube(0.2).unwrap(), 300.0).unwrap();
    let falling = BodySpec::rigid("cube").shape(cube.clone());
    b.body(
        falling
            .position(v(0.0, 0.0, 0.3))
            .rotation(v(0.2, 0.1, 0.0)),
    );
    let top = b.body(
        BodySpec::rigid("top")
            .shape(cube)
            .position(v(2.0, 0.0, 9.0)),
    );
    let motor = b.wrench("motor", top, Vector3::zeros(), Frame::Body, vec![]);
    let torque = Signal::Function(std::sync::Arc::new(
        |t: f64| if t < 0.302 { 4.0 } else { 1e7 },
    ));
    let nothing = Signal::Function(std::sync::Arc::new(|_: f64| 0.0));
    let mut signals = vec![nothing; 6];
    signals[5] = torque;
    b.prescribe(motor, signals, Sample::Mid);
    b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    b.build().unwrap()
}

#[test]
fn a_step_that_fails_changes_nothing_and_says_when() {
    for law in [Law::EXACT, Law::DECOMPOSITION, Law::PLASTIC, Law::None] {
        let settings = Settings {
            law,
            ..Settings::with_step(0.01)
        };
        let mut s = Simulation::new(spun_up(), settings).unwrap();
        let (mut before, error) = loop {
            let before = (s.state().clone(), s.events().to_vec(), s.ledger().clone());
            if let Err(error) = s.step() {
                break (before, error);
            }
        };
        assert!(before.0.time > 0.2, "{law:?}");
        assert_eq!(before.1.is_empty(), law == Law::None, "{law:?}");
        match &error {
            SimulateError::TurnsTooFar { time, body, .. } => {
                assert_eq!((*time, body.as_str()), (before.0.time, "top"), "{law:?}");
            }
            other => panic!("{law:?}: {other}"),
        }
        for _ in 0..2 {
            assert_eq!(s.state(), &before.0, "{law:?}");
            assert_eq!(
                (s.events(), s.ledger()),
                (&before.1[..], &before.2),
                "{law:?}"
            );
            assert_eq!(s.step().unwrap_err(), error);
        }
        // A smaller step goes on from there.
        s.step_with(0.001, &[0.0; 6]).unwrap();
        before.0.time += 0.001;
        assert!((s.time() - before.0.time).abs() < 1e-12);
    }
}
