//! Newmark's family: order, what it keeps, planar bodies, and what it refuses.

use crate::common::*;
use carom::model::{
    BodySpec, Drag, Frame, JointKind, JointSpec, Model, ModelBuilder, Sample, Signal,
};
use carom::simulate::{Integrator, Settings, SimulateError, Simulation};
use nalgebra::Vector3;

fn newmark(beta: f64, gamma: f64, step: f64) -> Settings {
    Settings {
        integrator: Integrator::Newmark { beta, gamma },
        ..Settings::with_step(step)
    }
}

/// A particle on a spring and a damper, under gravity and drag.
fn particle() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -3.0));
    let spec = BodySpec::particle("bead", 0.7).position(v(0.6, 0.0, 0.1));
    let bead = b.body(spec.velocity(v(0.0, 0.8, 0.2)));
    b.spring(
        "spring",
        (Some(bead), v(0.0, 0.0, 0.0)),
        (None, v(0.0, 0.0, 0.0)),
        9.0,
        0.4,
    );
    b.damper(
        "damper",
        (Some(bead), v(0.0, 0.0, 0.0)),
        (None, v(0.0, 0.0, 1.0)),
        0.3,
    );
    b.drag(Drag {
        body: bead,
        linear: 0.2,
        angular: 0.0,
    });
    b.build().unwrap()
}

/// Two tumbling bodies, joined by springs at points off their centres, one of them pushed.
fn tumblers() -> Model {
    let mut b = ModelBuilder::new();
    let one = b.body(
        BodySpec::rigid("one")
            .mass(1.2)
            .inertia(inertia(0.1, 0.2, 0.25))
            .angular_velocity(v(0.4, 1.5, -0.6)),
    );
    let two = b.body(
        BodySpec::rigid("two")
            .mass(0.8)
            .inertia(inertia(0.07, 0.05, 0.09))
            .position(v(1.0, 0.1, 0.0))
            .velocity(v(0.0, 0.3, 0.1))
            .angular_velocity(v(-0.8, 0.3, 0.5)),
    );
    b.spring(
        "near",
        (Some(one), v(0.3, 0.0, 0.1)),
        (Some(two), v(-0.3, 0.1, 0.0)),
        4.0,
        0.3,
    );
    b.damper(
        "dashpot",
        (Some(one), v(0.0, 0.2, 0.1)),
        (Some(two), v(0.0, 0.1, 0.3)),
        0.2,
    );
    b.drag(Drag {
        body: two,
        linear: 0.1,
        angular: 0.02,
    });
    let push = b.wrench("push", one, v(0.1, 0.0, 0.0), Frame::Body, vec![]);
    let signal = |f: fn(f64) -> f64| Signal::Function(std::sync::Arc::new(f));
    b.prescribe(
        push,
        vec![
            signal(|t| (3.0 * t).sin()),
            Signal::Constant(0.2),
            Signal::Constant(0.0),
            signal(|t| 0.1 * t),
            Signal::Constant(0.0),
            Signal::Constant(-0.05),
        ],
        Sample::Mid,
    );
    b.build().unwrap()
}

/// An asymmetric body that nothing acts on.
fn free_body() -> Model {
    let mut b = ModelBuilder::new();
    b.body(
        BodySpec::rigid("body")
            .mass(1.0)
            .inertia(inertia(0.1, 0.2, 0.25))
            .velocity(v(0.1, 0.2, -0.1))
            .angular_velocity(v(0.3, 2.0, -0.4)),
    );
    b.build().unwrap()
}

/// A body in the plane, pulled by a spring off its centre, under gravity that leaves the plane.
fn planar_body() -> Model {
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, -2.0, -5.0));
    let plate = b.body(
        BodySpec::rigid("plate")
            .mass(0.9)
            .inertia(inertia(0.1, 0.2, 0.25))
            .position(v(0.4, 0.1, 0.3))
            .velocity(v(0.1, 0.5, 0.0))
            .angular_velocity(v(0.0, 0.0, 1.3))
            .planar(),
    );
    b.spring(
        "spring",
        (Some(plate), v(0.2, 0.1, 0.0)),
        (None, v(0.0, 0.0, 0.3)),
        6.0,
        0.2,
    );
    b.build().unwrap()
}

#[test]
fn second_order_where_gamma_is_a_half() {
    let models = [
        ("particle", particle()),
        ("tumblers", tumblers()),
        ("free body", free_body()),
        ("planar body", planar_body()),
    ];
    for (name, model) in models {
        for beta in [0.0, 1.0 / 6.0, 0.25, 0.5] {
            let order = order(|h| end_of(&model, newmark(beta, 0.5, h), 1.2), 0.01, 2);
            println!("{name} beta {beta:.2}: order {order:.3}");
            assert!((order - 2.0).abs() < 0.05, "{name} {beta} {order}");
        }
    }
}

#[test]
fn first_order_elsewhere() {
    for (beta, gamma) in [(0.0, 0.0), (0.0, 1.0), (0.5, 0.8)] {
        for model in [particle(), tumblers()] {
            let order = order(|h| end_of(&model, newmark(beta, gamma, h), 0.5), 0.0025, 1);
            println!("beta {beta} gamma {gamma}: order {order:.3}");
            assert!((order - 1.0).abs() < 0.05, "{beta} {gamma} {order}");
        }
    }
}

#[test]
fn a_free_body_keeps_its_momentum_and_does_not_gain_energy() {
    for beta in [0.0, 0.25] {
        let mut s = Simulation::new(free_body(), newmark(beta, 0.5, 0.02)).unwrap();
        let mut parts = Vec::new();
        for _ in 0..10 {
            let mut sum = 0.0;
            for _ in 0..20_000 {
                s.step().unwrap();
                sum += s.totals().energy();
            }
            parts.push(sum / 20_000.0);
        }
        let l = s.ledger();
        let (drift, spread) = ((parts[9] - parts[0]).abs(), l.energy.spread());
        let angular = l.angular_momentum.max_change / l.angular_momentum.initial.norm();
        println!("beta {beta}: angular {angular:.1e} drift {drift:.1e} spread {spread:.1e}");
        assert!(angular < 1e-11);
        assert!(l.linear_momentum.max_change < 1e-12);
        assert!(l.momentum_residual_max < 1e-13);
        assert!(spread < 1e-3 * l.energy.initial && drift < 0.02 * spread);
    }
}

#[test]
fn a_spring_gains_no_energy_and_angular_momentum_stays() {
    let mut b = ModelBuilder::new();
    let one = b.body(
        BodySpec::particle("one", 1.0)
            .position(v(0.3, 0.0, 0.0))
            .velocity(v(0.0, 0.4, 0.0)),
    );
    let two = b.body(BodySpec::particle("two", 2.0).position(v(1.0, 0.0, 0.0)));
    b.spring(
        "spring",
        (Some(one), v(0.0, 0.0, 0.0)),
        (Some(two), v(0.0, 0.0, 0.0)),
        5.0,
        0.8,
    );
    let mut s = Simulation::new(b.build().unwrap(), newmark(0.0, 0.5, 0.01)).unwrap();
    s.run(100_000).unwrap();
    let l = s.ledger();
    let angular = l.angular_momentum.max_change / l.angular_momentum.initial.norm();
    println!(
        "angular {angular:.1e} residual {:.1e} energy {:?}",
        l.momentum_residual_max, l.energy
    );
    assert!(angular < 1e-11);
    assert!(l.momentum_residual_max < 1e-13);
    assert!(l.energy.spread() < 1e-4 * l.energy.initial);
}

#[test]
fn the_plane_is_kept_and_the_motion_is_that_of_the_variational_scheme() {
    let model = planar_body();
    let mut s = Simulation::new(model.clone(), newmark(0.0, 0.5, 0.01)).unwrap();
    s.run(10_000).unwrap();
    let pose = &s.state().poses[0];
    assert_eq!(pose.position.z, 0.3);
    assert!((pose.directors.column(2) - Vector3::z()).norm() < 1e-12);
    assert!(s.ledger().momentum_residual_max < 1e-13);
    let fine = 1e-4;
    let ours = end_of(&model, newmark(0.0, 0.5, fine), 1.0);
    let other = end_of(&model, Settings::with_step(fine), 1.0);
    assert!(
        distance(&ours, &other) < 1e-6,
        "{}",
        distance(&ours, &other)
    );
}

#[test]
fn implicit_steps_bear_stiff_springs() {
    let mut b = ModelBuilder::new();
    let one = b.body(
        BodySpec::rigid("one")
            .mass(1.0)
            .inertia(inertia(0.1, 0.2, 0.25))
            .position(v(1.0, 0.0, 0.0)),
    );
    // ω h = 30 for the stretch.
    b.spring(
        "stiff",
        (Some(one), v(0.1, 0.0, 0.05)),
        (None, v(0.0, 0.0, 0.0)),
        9e6,
        1.1,
    );
    b.damper(
        "dashpot",
        (Some(one), v(0.1, 0.0, 0.05)),
        (None, v(0.0, 0.0, 0.0)),
        1e4,
    );
    b.gravity(v(0.0, 0.0, -1.0));
    let model = b.build().unwrap();
    let mut s = Simulation::new(model.clone(), newmark(0.25, 0.5, 0.01)).unwrap();
    s.run(1000).unwrap();
    let l = s.ledger();
    println!("newton {:.1} per step", l.newton_iterations as f64 / 1000.0);
    assert!(s.state().poses[0].position.norm() < 1.5);
    let mut s = Simulation::new(model, newmark(0.0, 0.5, 0.01)).unwrap();
    assert!(s.run(1000).is_err());
}

#[test]
fn resumes_bit_for_bit_and_hands_over_to_the_variational_scheme() {
    let model = tumblers();
    let settings = newmark(0.25, 0.5, 0.01);
    let mut whole = Simulation::new(model.clone(), settings).unwrap();
    whole.run(50).unwrap();
    let saved = (whole.state().clone(), whole.ledger().clone());
    whole.run(50).unwrap();
    let mut second = Simulation::new(model.clone(), settings).unwrap();
    second.restore(saved.0.clone(), saved.1);
    second.run(50).unwrap();
    assert_eq!(whole.state(), second.state());
    assert_eq!(whole.ledger(), second.ledger());
    // The start of a variational run, without a jump in energy.
    let energy = whole.totals().energy();
    let mut on =
        Simulation::from_state(model, Settings::with_step(0.01), whole.state().clone()).unwrap();
    assert!((on.totals().energy() - energy).abs() < 1e-12);
    on.run(10).unwrap();
}

#[test]
fn work_of_a_load_is_the_energy_gained() {
    let mut b = ModelBuilder::new();
    let body = b.body(
        BodySpec::rigid("body")
            .mass(2.0)
            .inertia(inertia(0.1, 0.2, 0.25)),
    );
    let push = b.wrench("push", body, v(0.0, 0.0, 0.0), Frame::Inertial, vec![]);
    let values = [1.0, 0.5, 0.0, 0.0, 0.0, 0.0].map(Signal::Constant);
    b.prescribe(push, values.to_vec(), Sample::Mid);
    let mut s = Simulation::new(b.build().unwrap(), newmark(0.0, 0.5, 0.01)).unwrap();
    s.run(100).unwrap();
    let l = s.ledger();
    assert!((l.work - (l.energy.last - l.energy.initial)).abs() < 1e-13);
}

#[test]
fn refuses_what_it_cannot_hold_and_names_it() {
    let model = pair(JointKind::Revolute, false, Vector3::zeros());
    let e = Simulation::new(model, newmark(0.0, 0.5, 0.01)).unwrap_err();
    assert!(matches!(e, SimulateError::Unsupported { .. }));
    let text = e.to_string();
    assert!(
        text.contains("\"joint\"") && text.contains("revolute"),
        "{text}"
    );

    // Loops, too.
    let mut b = ModelBuilder::new();
    let spec = |n: &str, x: f64| {
        BodySpec::rigid(n)
            .mass(1.0)
            .inertia(inertia(0.1, 0.2, 0.25))
            .position(v(x, 0.0, 0.0))
    };
    let one = b.body(spec("one", 0.0));
    let two = b.body(spec("two", 1.0));
    b.joint(JointSpec::rod("tie"), Some(one), Some(two));
    let e = Simulation::new(b.build().unwrap(), newmark(0.0, 0.5, 0.01)).unwrap_err();
    assert!(e.to_string().contains("\"tie\""), "{e}");

    // A body that spins too fast for the step.
    let mut b = ModelBuilder::new();
    b.body(spec("spinner", 0.0).angular_velocity(v(0.0, 0.0, 400.0)));
    let mut s = Simulation::new(b.build().unwrap(), newmark(0.0, 0.5, 0.01)).unwrap();
    match s.step().unwrap_err() {
        SimulateError::TurnsTooFar { body, step, .. } => {
            assert_eq!(body, "spinner");
            let mut b = ModelBuilder::new();
            b.body(spec("spinner", 0.0).angular_velocity(v(0.0, 0.0, 400.0)));
            let mut s = Simulation::new(b.build().unwrap(), newmark(0.0, 0.5, step)).unwrap();
            s.run(10).unwrap();
        }
        other => panic!("{other}"),
    }
}

#[test]
fn stacked_cubes_converge_on_a_contact_potential() {
    use carom::gap::HalfSpace;
    use carom::geometry::{Polytope, Shape};
    use carom::model::Law;
    for (stiffness, drag, step) in [(1e5, 0.0, 0.003), (1e6, 2e3, 0.003), (1e7, 6e3, 0.01)] {
        let cube = Shape::single(Polytope::cube(0.2).unwrap(), 500.0).unwrap();
        let mut b = ModelBuilder::new();
        b.gravity(v(0.0, 0.0, -9.81));
        b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
        for k in 0..5 {
            let f = f64::from(k);
            let spec = BodySpec::rigid(format!("cube {k}")).shape(cube.clone());
            b.body(spec.position(v(2e-3 * f.sin(), 1e-3 * f.cos(), 0.1 + 0.201 * f)));
        }
        let settings = Settings {
            law: Law::Potential { stiffness, drag },
            ..newmark(0.25, 0.5, step)
        };
        let mut s = Simulation::new(b.build().unwrap(), settings).unwrap();
        s.run((0.3 / step) as usize).unwrap();
        let l = s.ledger();
        println!(
            "{stiffness:e} {drag}: {:?} newton {}",
            l.energy,
            l.newton_iterations / l.steps
        );
        let fall = 4.0 * 9.81 * 0.001 * 10.0;
        assert!(
            l.energy.max - l.energy.initial < 0.2 * fall,
            "{:?}",
            l.energy
        );
    }
}
