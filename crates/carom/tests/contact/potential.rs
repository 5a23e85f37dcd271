//! Contact by a potential: momentum kept, energy returned, overlap as deep as the stiffness says.

use crate::common::{dropped_cube, inertia, v};
use carom::gap::HalfSpace;
use carom::geometry::{Polytope, Shape};
use carom::model::{
    BodySpec, Coordinate, EnergyCondition, JointSpec, JumpForm, Law, Link, LinkKind, LinkageSpec,
    Model, ModelBuilder,
};
use carom::simulate::{ContactKind, Integrator, Settings, SimulateError, Simulation};
use nalgebra::Vector3;

fn settings(stiffness: f64, drag: f64, step: f64) -> Settings {
    Settings {
        law: Law::Potential { stiffness, drag },
        ..Settings::with_step(step)
    }
}

#[test]
fn two_tumbling_cubes_keep_momentum_and_energy() {
    let cube = Shape::single(Polytope::cube(0.2).unwrap(), 270.0).unwrap();
    for newmark in [false, true] {
        let mut b = ModelBuilder::new();
        b.body(
            BodySpec::rigid("left")
                .shape(cube.clone())
                .rotation(Vector3::new(0.3, 0.5, 0.1))
                .angular_velocity(Vector3::new(0.4, -0.3, 0.2))
                .position(Vector3::new(-0.2, 0.02, 0.0))
                .velocity(Vector3::new(0.3, 0.0, 0.0)),
        );
        b.body(
            BodySpec::rigid("right")
                .shape(cube.clone())
                .rotation(Vector3::new(-0.2, 0.1, 0.4))
                .position(Vector3::new(0.2, 0.0, 0.03))
                .velocity(Vector3::new(-0.3, 0.0, 0.0)),
        );
        let mut settings = settings(2e4, 0.0, 1e-3);
        if newmark {
            settings.integrator = Integrator::Newmark {
                beta: 0.0,
                gamma: 0.5,
            };
        }
        let mut s = Simulation::new(b.build().unwrap(), settings).unwrap();
        s.run(1000).unwrap();
        let l = s.ledger();
        assert!(l.contact_count >= 2, "{}", l.contact_count);
        assert!(l.linear_momentum.max_change < 1e-13);
        assert!(
            l.angular_momentum.max_change < 1e-12,
            "{:e}",
            l.angular_momentum.max_change
        );
        let lost = (l.energy.last / l.energy.initial - 1.0).abs();
        assert!(lost < 2e-2, "{newmark} {lost:e}");
        assert!(
            l.overlap_max > 1e-4 && l.overlap_max < 0.01,
            "{:e}",
            l.overlap_max
        );
    }
}

#[test]
fn a_dropped_cube_comes_back_unless_dragged() {
    for (drag, back) in [(0.0, true), (30.0, false)] {
        let mut s = Simulation::new(dropped_cube(0.3), settings(1e5, drag, 5e-4)).unwrap();
        s.run(4000).unwrap();
        let l = s.ledger();
        let change = l.energy.last - l.energy.initial;
        if back {
            assert!(change.abs() < 1e-2 * l.energy.initial, "{change:e}");
        } else {
            assert!(change < -0.5 * l.energy.initial * 0.2, "{change:e}");
            // The ledger closes: what is gone went into drag.
            assert!((change - l.contact_energy).abs() < 1e-2 * l.energy.initial);
        }
    }
}

/// A weight of 2 kg on a slide that runs into its limit at 1.5 m/s: as a joint of a body, as the joint
/// of a body that another one carries, and as a linkage.
fn sliders() -> Vec<(&'static str, Model)> {
    let block = |name: &str| {
        BodySpec::rigid(name)
            .mass(2.0)
            .inertia(inertia(0.1, 0.2, 0.25))
    };
    let slide = |name: &str| JointSpec::prismatic(name, Vector3::x()).limits(-0.1, 5.0);
    let mut held = ModelBuilder::new();
    let body = held.body(block("block").velocity(v(-1.5, 0.0, 0.0)));
    held.joint(slide("rail"), None, Some(body));
    // The carrier turns about the axis of the slide and does not hinder it.
    let mut carried = ModelBuilder::new();
    let spin = v(2.0, 0.0, 0.0);
    let carrier = carried.body(block("carrier").angular_velocity(spin));
    let body = carried.body(
        block("block")
            .velocity(v(-1.5, 0.0, 0.0))
            .angular_velocity(spin),
    );
    carried.joint(
        JointSpec::revolute("axle", Vector3::x()),
        None,
        Some(carrier),
    );
    carried.joint(slide("rail"), Some(carrier), Some(body));
    let mut linkage = ModelBuilder::new();
    linkage.linkage(LinkageSpec {
        name: "cart".into(),
        origin: Vector3::zeros(),
        plane: [Vector3::x(), Vector3::z()],
        coordinates: vec![Coordinate {
            name: "x".into(),
            start: 0.0,
            rate: -1.5,
            limits: Some([-0.1, 5.0]),
        }],
        links: vec![Link {
            name: "trolley".into(),
            parent: None,
            coordinate: 0,
            kind: LinkKind::Slide {
                direction: [1.0, 0.0],
            },
            mass: 2.0,
        }],
    });
    vec![
        ("joint", held.build().unwrap()),
        ("carried joint", carried.build().unwrap()),
        ("linkage", linkage.build().unwrap()),
    ]
}

#[test]
fn limits_push_back_as_springs_do() {
    for (name, model) in sliders() {
        let stiffness = 5e4;
        let mut s = Simulation::new(model, settings(stiffness, 0.0, 1e-3)).unwrap();
        // Within the limit for π √(m/C) from t = 0.1/1.5 on: 20 ms.
        s.run(150).unwrap();
        let back = match name {
            "linkage" => s.coordinate_rates()[0],
            "joint" => s.twists()[0].v.x,
            _ => s.twists()[1].v.x,
        };
        let l = s.ledger();
        let deepest = 1.5 * (2.0 / stiffness).sqrt();
        println!(
            "{name}: back {back}, overlap {} of {deepest}",
            l.overlap_max
        );
        assert!((back - 1.5).abs() < 5e-3, "{name} {back}");
        assert!((l.overlap_max / deepest - 1.0).abs() < 0.02, "{name}");
        let lost = (l.energy.last / l.energy.initial - 1.0).abs();
        assert!(lost < 5e-3, "{name} {lost}");
        let events: Vec<_> = s
            .events()
            .iter()
            .map(|e| (e.kind, e.pair.sides()))
            .collect();
        let side = if name == "linkage" {
            "coordinate"
        } else {
            "joint"
        };
        let sides = [side, "limit"];
        assert_eq!(
            events,
            [(ContactKind::Impact, sides), (ContactKind::Release, sides)]
        );
        assert!(s.events()[0].normal_impulse > 0.0);
    }
}

#[test]
fn limits_with_drag_take_energy_and_the_ledger_knows() {
    for (name, model) in sliders() {
        let mut s = Simulation::new(model, settings(5e4, 200.0, 1e-3)).unwrap();
        s.run(150).unwrap();
        let l = s.ledger();
        let change = l.energy.last - l.energy.initial;
        println!("{name}: {change} of {}", l.energy.initial);
        assert!(change < -0.5, "{name} {change}");
        assert!(
            (change - l.contact_energy).abs() < 0.02 * change.abs(),
            "{name} {change} {}",
            l.contact_energy
        );
    }
}

#[test]
fn an_arm_swings_between_its_stops() {
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    let bar = Shape::single(Polytope::cuboid(1.0, 0.05, 0.05).unwrap(), 1000.0).unwrap();
    let arm = b.body(BodySpec::rigid("arm").shape(bar).position(v(0.5, 0.0, 0.0)));
    let stop = 30_f64.to_radians();
    b.joint(
        JointSpec::revolute("hinge", Vector3::y())
            .at(Vector3::zeros())
            .limits(-stop, stop),
        None,
        Some(arm),
    );
    let mut s = Simulation::new(b.build().unwrap(), settings(1e6, 0.0, 0.005)).unwrap();
    s.run(300).unwrap();
    let l = s.ledger();
    println!("{:?} overlap {:e}", l.energy, l.overlap_max);
    assert!(l.contact_count >= 4, "{}", l.contact_count);
    // ω √(J/C) with ω² = m g sin(30°)/J at the stop and J = m/3.
    let deepest = (2.5 * 9.81 * 0.5 / 1e6_f64).sqrt();
    assert!(l.overlap_max < 1.1 * deepest, "{:e}", l.overlap_max);
    let fall = 2.5 * 9.81 * 0.25;
    assert!(l.energy.spread() < 0.05 * fall, "{:?}", l.energy);
}

/// Cubes of 0.2 m and 4 kg on each other, `apart` at the start, on a half-space or on a slab.
fn stack(count: usize, apart: f64, tilt: f64, floor: bool) -> Model {
    let cube = Shape::single(Polytope::cube(0.2).unwrap(), 500.0).unwrap();
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    if floor {
        b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    } else {
        let slab = Shape::single(Polytope::cuboid(2.0, 2.0, 0.2).unwrap(), 500.0).unwrap();
        let slab = BodySpec::fixed("slab").shape(slab);
        b.body(slab.position(v(0.0, 0.0, -0.1)));
    }
    for k in 0..count {
        let f = k as f64;
        let height = 0.1 + 0.2 * f + apart * (f + 1.0);
        b.body(
            BodySpec::rigid(format!("cube {k}"))
                .shape(cube.clone())
                .position(v(3e-3 * (1.7 * f).sin(), 2e-3 * (2.3 * f).cos(), height))
                .rotation(v((f + 0.3).sin(), (2.0 * f + 1.0).cos(), 5.0 * f.sin()) * tilt),
        );
    }
    b.build().unwrap()
}

#[test]
fn faces_on_faces_converge_and_gain_no_energy() {
    for floor in [true, false] {
        for (apart, tilt) in [(0.0, 0.0), (0.01, 0.0), (0.01, 0.01)] {
            for (count, stiffness, step) in [(2, 1e5, 0.01), (5, 1e6, 0.003), (10, 1e5, 0.001)] {
                let model = stack(count, apart, tilt, floor);
                let mut s = Simulation::new(model, settings(stiffness, 0.0, step)).unwrap();
                s.run((0.3 / step) as usize).unwrap();
                let l = s.ledger();
                // What the stack falls.
                let fall = 4.0 * 9.81 * apart * (count * (count + 1)) as f64 / 2.0;
                let gain = l.energy.max - l.energy.initial;
                println!(
                    "{floor} {apart} {tilt} {count}: gain {gain:.1e} of {fall:.1e}, newton {}",
                    l.newton_iterations / l.steps
                );
                assert!(
                    gain < 0.1 * fall + 1e-2,
                    "{floor} {apart} {tilt} {count} {gain}"
                );
            }
        }
    }
}

#[test]
fn a_dragged_stack_comes_to_rest() {
    for floor in [true, false] {
        let mut s =
            Simulation::new(stack(3, 2e-3, 0.002, floor), settings(1e6, 2e3, 0.002)).unwrap();
        s.run(500).unwrap();
        let weight = 3.0 * 4.0 * 9.81;
        let speed = s.twists().iter().map(|t| t.v.z.abs()).fold(0.0, f64::max);
        println!(
            "{floor}: speed {speed:e}, overlap {:e}",
            s.ledger().overlap_max
        );
        assert!(speed < 1e-4, "{floor} {speed}");
        // Points alike are up to a fifth stiffer than one.
        let foot = s.state().poses[usize::from(!floor)].position.z - 0.1;
        assert!(
            (0.8..1.05).contains(&(-foot * 1e6 / weight)),
            "{floor} {foot}"
        );
        let l = s.ledger();
        assert!((l.energy.last - l.energy.initial - l.contact_energy).abs() < 0.05);
    }
}

#[test]
fn what_passes_through_is_told() {
    let shot = |speed: f64, aside: f64| {
        let mut b = ModelBuilder::new();
        let plate = Shape::single(Polytope::cuboid(1.0, 1.0, 0.01).unwrap(), 1000.0).unwrap();
        let cube = Shape::single(Polytope::cube(0.1).unwrap(), 1000.0).unwrap();
        b.body(BodySpec::fixed("plate").shape(plate));
        b.body(
            BodySpec::rigid("bullet")
                .shape(cube)
                .position(v(aside, 0.0, 0.3))
                .velocity(v(0.0, 0.0, -speed)),
        );
        let mut s = Simulation::new(b.build().unwrap(), settings(1e5, 0.0, 0.01)).unwrap();
        s.run((1.0 / speed / 0.01) as usize).unwrap();
        let l = s.ledger().clone();
        assert_eq!(l.unsettled_count as usize, l.unsettled.len());
        l.unsettled
    };
    // Through the plate: within one step, and more slowly.
    for speed in [90.0, 20.0] {
        let told = shot(speed, 0.0);
        assert_eq!(told.len(), 1, "{speed}: {told:?}");
        assert_eq!(told[0].what, "passed through");
        let names = told[0].names.clone().unwrap();
        assert!(names.contains(&"plate".into()) && names.contains(&"bullet".into()));
        assert!(told[0].residual > 0.0);
    }
    // Past it, and back from it.
    assert_eq!(shot(90.0, 0.6), []);
    assert_eq!(shot(0.3, 0.0), []);
}

#[test]
fn restitution_and_friction_are_refused_with_a_fix() {
    let discrete = Law::Exact {
        condition: EnergyCondition::Discrete,
        form: JumpForm::Multiplier,
    };
    let soft = settings(1e5, 0.0, 1e-3).law;
    for (law, restitution, friction, word, fix) in [
        (soft, 0.5, 0.0, "restitution 1", "drag"),
        (soft, 1.0, 0.3, "friction 0", "law = \"exact\""),
        (discrete, 1.0, 0.5, "friction 0", "hamiltonian"),
        (discrete, 0.5, 0.0, "restitution 1", "hamiltonian"),
    ] {
        let mut b = ModelBuilder::new();
        b.contact_default(restitution, friction);
        b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
        let cube = Shape::single(Polytope::cube(0.2).unwrap(), 500.0).unwrap();
        b.body(BodySpec::rigid("cube").shape(cube));
        let settings = Settings {
            law,
            ..Settings::with_step(1e-3)
        };
        let error = Simulation::new(b.build().unwrap(), settings).unwrap_err();
        assert!(matches!(error, SimulateError::Refused { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains(word) && text.contains(fix), "{text}");
    }
}

#[test]
fn a_body_that_touches_and_flies_resumes_bit_for_bit() {
    let cube = Shape::single(Polytope::cube(0.2).unwrap(), 270.0).unwrap();
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.0, 0.0, -9.81));
    b.wall("floor", HalfSpace::new(Vector3::z(), 0.0).unwrap(), None);
    b.body(
        BodySpec::rigid("cube")
            .shape(cube)
            .rotation(Vector3::new(0.3, 0.5, 0.1))
            .velocity(Vector3::new(0.3, 0.2, 0.0))
            .position(Vector3::new(0.0, 0.0, 0.4)),
    );
    let model: Model = b.build().unwrap();
    let mut whole = Simulation::new(model.clone(), settings(1e4, 0.0, 1e-3)).unwrap();
    let (mut states, mut touches) = (Vec::new(), 0);
    for step in 0..1500 {
        whole.step().unwrap();
        if step % 100 == 99 {
            states.push(whole.snapshot());
        }
        let events = whole.take_events();
        touches += events
            .iter()
            .filter(|e| e.kind == ContactKind::Impact)
            .count();
    }
    assert!(touches > 3, "{touches}");
    for (k, state) in states.into_iter().enumerate() {
        let mut rest = Simulation::from_state(model.clone(), *whole.settings(), state).unwrap();
        rest.run(1400 - 100 * k).unwrap();
        assert_eq!(whole.state(), rest.state(), "from {k}");
    }
}
