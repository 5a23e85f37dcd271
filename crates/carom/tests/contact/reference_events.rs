//! Exact collision times against reference events computed elsewhere (`tests/data`).

use crate::common::dropped_cube;
use carom::gap::HalfSpace;
use carom::geometry::{Polygon, Polytope, Shape};
use carom::model::{
    BodySpec, Coordinate, EnergyCondition, JointSpec, JumpForm, Law, Link, LinkKind, LinkageSpec,
    Model, ModelBuilder,
};
use carom::simulate::{ContactEvent, Settings, Simulation};
use nalgebra::Vector3;
use serde_json::Value;

fn exact(condition: EnergyCondition, step: f64) -> Settings {
    Settings {
        law: Law::Exact {
            condition,
            form: JumpForm::Multiplier,
        },
        ..Settings::with_step(step)
    }
}

fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn run(model: Model, settings: Settings, duration: f64) -> (Simulation, Vec<ContactEvent>) {
    let mut s = Simulation::new(model, settings).unwrap();
    let steps = (duration / settings.step).round() as usize;
    s.run(steps).unwrap();
    let events = s.take_events();
    (s, events)
}

#[test]
fn falling_cube_bounces() {
    let reference = data(include_str!("../data/falling_cube.json"));
    for (condition, key) in [
        (EnergyCondition::Hamiltonian, "vi_h0.001_H"),
        (EnergyCondition::Discrete, "vi_h0.001_Ed"),
    ] {
        let (s, events) = run(dropped_cube(0.8), exact(condition, 0.001), 4.0);
        if condition == EnergyCondition::Hamiltonian {
            assert!(s.ledger().energy.spread() < 1e-11);
        }
        let want = reference[key].as_array().unwrap();
        for (e, w) in events.iter().zip(want) {
            assert!((e.time - w["t"].as_f64().unwrap()).abs() < 1e-9);
            assert!((e.speed_after - w["v_plus"].as_f64().unwrap()).abs() < 1e-9);
        }
        assert!(events.len() >= 5);
    }
}

fn cradle(gap: f64, two: bool) -> Model {
    let l = 0.2 * 2f64.sqrt();
    let mut b = ModelBuilder::new();
    let cube = Shape::single(Polytope::cube(l).unwrap(), 270.0).unwrap();
    let mut x = 0.0;
    for k in 0..5 {
        let v = match k {
            0 => 0.105,
            4 if two => -0.105,
            _ => 0.0,
        };
        b.body(
            BodySpec::rigid(format!("cube-{}", k + 1))
                .shape(cube.clone())
                .position(Vector3::new(x, 0.0, 0.0))
                .velocity(Vector3::new(v, 0.0, 0.0)),
        );
        let last = if two && k == 3 { 0.5 * l } else { gap * l };
        x += l + if k == 0 { 0.5 * l } else { last };
    }
    b.build().unwrap()
}

#[test]
fn cradles_pass_the_motion_on() {
    let reference = data(include_str!("../data/cradle.json"));
    for (case, gap, two) in [("case1", 0.1, false), ("case2_pairwise", 0.01, true)] {
        for condition in [EnergyCondition::Hamiltonian, EnergyCondition::Discrete] {
            let (s, events) = run(cradle(gap, two), exact(condition, 0.01), 4.0);
            let want = reference[case]["events"].as_array().unwrap();
            let times: Vec<f64> = want
                .iter()
                .flat_map(|e| {
                    let n = e["contacts"].as_array().unwrap().len();
                    vec![e["t"].as_f64().unwrap(); n]
                })
                .collect();
            assert_eq!(events.len(), times.len(), "{case}");
            for (e, t) in events.iter().zip(&times) {
                assert!((e.time - t).abs() < 1e-9, "{case} {:?} {}", e.pair, e.time);
            }
            let v: Vec<f64> = s.twists().iter().map(|t| t.v.x).collect();
            let spin = s.twists().iter().map(|t| t.w.norm()).fold(0.0, f64::max);
            let final_v: Vec<f64> = reference[case]["v_final"]
                .as_array()
                .unwrap()
                .iter()
                .map(|x| x.as_f64().unwrap())
                .collect();
            assert!(spin < 1e-12, "{spin:e}");
            for (got, want) in v.iter().zip(&final_v) {
                assert!((got - want).abs() < 1e-9, "{case} {v:?}");
            }
        }
    }
}

fn cart(alpha: [f64; 2], x: [f64; 2]) -> Model {
    let pi = std::f64::consts::PI;
    let mut b = ModelBuilder::new();
    b.gravity(Vector3::new(0.0, -10.0, 0.0));
    b.linkage(LinkageSpec {
        name: "cart".into(),
        origin: Vector3::zeros(),
        plane: [Vector3::x(), Vector3::y()],
        coordinates: vec![
            Coordinate {
                name: "alpha".into(),
                start: alpha[0],
                rate: alpha[1],
                limits: Some([0.1 * pi, 0.9 * pi]),
            },
            Coordinate {
                name: "x".into(),
                start: x[0],
                rate: x[1],
                limits: Some([-1.0, 1.0]),
            },
        ],
        links: vec![
            Link {
                name: "cart".into(),
                parent: None,
                coordinate: 1,
                kind: LinkKind::Slide {
                    direction: [1.0, 0.0],
                },
                mass: 1.0,
            },
            Link {
                name: "bob".into(),
                parent: Some(0),
                coordinate: 0,
                kind: LinkKind::Arm {
                    length: 0.5,
                    offset: 0.0,
                    relative: false,
                },
                mass: 1.0,
            },
        ],
    });
    b.build().unwrap()
}

#[test]
fn cart_pendulum_hits_its_limiters() {
    let reference = data(include_str!("../data/cart_pendulum.json"));
    let first = reference
        .as_object()
        .unwrap()
        .iter()
        .find(|(k, _)| k.starts_with("S1"))
        .unwrap()
        .1;
    for (condition, key) in [
        (EnergyCondition::Discrete, "vi_Ed"),
        (EnergyCondition::Hamiltonian, "vi_H"),
    ] {
        let (_, events) = run(
            cart([std::f64::consts::FRAC_PI_4, 0.0], [0.0, 0.0]),
            exact(condition, 2e-3),
            2.0,
        );
        let want = first[key].as_array().unwrap();
        for (e, w) in events.iter().zip(want) {
            assert!((e.time - w["t"].as_f64().unwrap()).abs() < 1e-9);
        }
        assert!(events.len() >= 4.min(want.len()));
    }
}

#[test]
fn the_contact_null_space_gives_the_same_jumps() {
    for condition in [EnergyCondition::Hamiltonian, EnergyCondition::Discrete] {
        for model in [bead_chain(), dropped_cube(0.8), cradle(0.01, true)] {
            let mut settings = exact(condition, 0.01);
            let (_, multiplier) = run(model.clone(), settings, 4.0);
            settings.law = Law::Exact {
                condition,
                form: JumpForm::NullSpace,
            };
            let (_, null_space) = run(model, settings, 4.0);
            assert_eq!(multiplier.len(), null_space.len());
            for (a, b) in multiplier.iter().zip(&null_space) {
                assert!((a.time - b.time).abs() < 1e-10, "{a:?} {b:?}");
                let size = a.normal_impulse.abs();
                assert!((a.normal_impulse - b.normal_impulse).abs() < 1e-9 * size);
            }
        }
    }
}

#[test]
fn metronome_ticks() {
    let all = data(include_str!("../data/metronome.json"));
    let reference = all.as_object().unwrap().values().next().unwrap();
    let side = 0.2 * 3f64.sqrt();
    let model = || {
        let mut b = ModelBuilder::new();
        let prism = Shape::single(
            Polytope::prism(&Polygon::regular_with_side(8, side).unwrap(), 0.4).unwrap(),
            270.0,
        )
        .unwrap();
        // The joint lies 0.05 beyond each end face; each body turns about it.
        let up = b.body(
            BodySpec::rigid("up")
                .shape(prism.clone())
                .rotation(Vector3::z() * std::f64::consts::PI / 8.0)
                .position(Vector3::new(0.0, 0.0, 0.25))
                .angular_velocity(Vector3::new(0.0, 1.0, 0.0))
                .velocity(Vector3::new(0.25, 0.0, 0.0)),
        );
        let down = b.body(
            BodySpec::rigid("down")
                .shape(prism)
                .rotation(Vector3::z() * std::f64::consts::PI / 8.0)
                .position(Vector3::new(0.0, 0.0, -0.25))
                .angular_velocity(Vector3::new(0.0, -1.0, 0.0))
                .velocity(Vector3::new(0.25, 0.0, 0.0)),
        );
        b.joint(
            JointSpec::spherical("joint").at(Vector3::zeros()).collide(),
            Some(up),
            Some(down),
        );
        b.build().unwrap()
    };
    for (condition, key) in [
        (EnergyCondition::Hamiltonian, "vi_H"),
        (EnergyCondition::Discrete, "vi_Ed"),
    ] {
        let (s, events) = run(model(), exact(condition, 0.015), 2.4);
        let want: Vec<f64> = reference[key]["times"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t.as_f64().unwrap())
            .collect();
        assert!(events.len() >= want.len());
        for (e, t) in events.iter().zip(&want) {
            assert!((e.time - t).abs() < 1e-8, "{key} {} {t}", e.time);
        }
        let l = s.ledger();
        assert!(l.angular_momentum.max_change < 1e-12);
        if condition == EnergyCondition::Hamiltonian {
            assert!(l.energy.spread() < 1e-5);
        }
    }
}

fn bead_chain() -> Model {
    let mut b = ModelBuilder::new();
    let c = 1.0 / (2.0 * 2f64.sqrt());
    let x = [[-3.0 * c, -c], [-c, c], [c, -c], [3.0 * c, c]];
    let beads: Vec<_> = (0..4)
        .map(|k| {
            let v = if k == 0 {
                Vector3::new(-0.1, 0.1, -0.1)
            } else {
                Vector3::zeros()
            };
            b.body(
                BodySpec::particle(format!("bead-{}", k + 1), 1.0)
                    .radius(0.1)
                    .position(Vector3::new(x[k][0], x[k][1], 0.0))
                    .velocity(v),
            )
        })
        .collect();
    for k in 0..3 {
        b.joint(
            JointSpec::rod(format!("rod-{}", k + 1)),
            Some(beads[k]),
            Some(beads[k + 1]),
        );
    }
    for (axis, half) in [
        (Vector3::x(), 4.0),
        (Vector3::y(), 5.0),
        (Vector3::z(), 7.0),
    ] {
        for sign in [1.0, -1.0] {
            b.wall(
                format!("wall {:?} {sign}", axis.as_slice()),
                HalfSpace::new(axis * sign, -half).unwrap(),
                None,
            );
        }
    }
    b.build().unwrap()
}

#[test]
fn bead_chain_collides_on_time() {
    let reference = data(include_str!("../data/bead_chain.json"));
    let want = reference["events"].as_array().unwrap();
    let (s, events) = run(bead_chain(), exact(EnergyCondition::Discrete, 0.1), 420.0);
    assert!(events.len() >= 10);
    for (e, w) in events.iter().zip(want).take(10) {
        let t: f64 = w["t"].as_str().unwrap().parse().unwrap();
        assert!((e.time - t).abs() < 1e-6, "{:?} {} {t}", e.pair, e.time);
    }
    let energy = s.ledger().energy_discrete.unwrap();
    assert!(energy.spread() < 1e-3 * energy.initial);
}
