//! What models and runs refuse, with messages that name the culprit; loops; the order of joints.

mod common;

use carom::Pose;
use carom::model::{
    BodySpec, Coordinate, Drag, Frame, JointKind, JointSpec, Link, LinkKind, LinkageSpec, Model,
    ModelBuilder, ModelError, Sample, Signal,
};
use carom::simulate::{Integrator, Settings, SimulateError, Simulation};
use common::*;
use nalgebra::{Matrix3, Vector3};

const NAN: f64 = f64::NAN;

fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

fn brick(name: &str) -> BodySpec {
    BodySpec::rigid(name)
        .mass(1.0)
        .inertia(inertia(0.1, 0.2, 0.25))
}

fn ignore<T>(_: T) {}

/// The message of a model that must not build, which names its culprit.
fn refused(fill: impl Fn(&mut ModelBuilder), culprit: &str, reason: &str) {
    let mut b = ModelBuilder::new();
    fill(&mut b);
    let text = b.build().map(|_| ()).unwrap_err().to_string();
    assert!(text.contains(culprit), "\"{text}\" does not name {culprit}");
    assert!(text.contains(reason), "\"{text}\" does not say {reason}");
}

#[test]
fn bodies() {
    let body = |spec: BodySpec, reason: &str| {
        refused(
            |b| {
                b.body(spec.clone());
            },
            "body \"culprit\"",
            reason,
        );
    };
    body(BodySpec::rigid("culprit"), "needs a shape with density");
    body(
        BodySpec::rigid("culprit").inertia(Matrix3::identity()),
        "without mass",
    );
    body(
        BodySpec::rigid("culprit").mass(1.0),
        "needs a shape with density",
    );
    body(brick("culprit").mass(0.0), "must be positive");
    body(brick("culprit").mass(NAN), "must be positive");
    body(BodySpec::particle("culprit", -1.0), "must be positive");
    body(brick("culprit").radius(-1.0), "radius");
    body(
        brick("culprit").position(v(NAN, 0.0, 0.0)),
        "must be finite",
    );
    body(
        brick("culprit").velocity(v(0.0, f64::INFINITY, 0.0)),
        "must be finite",
    );
    body(
        brick("culprit").angular_velocity(v(0.0, NAN, 0.0)),
        "must be finite",
    );
    let squashed = Pose {
        position: Vector3::zeros(),
        directors: Matrix3::from_diagonal(&v(1.0, 0.9, 1.0)),
    };
    let mirrored = Pose {
        position: Vector3::zeros(),
        directors: Matrix3::from_diagonal(&v(1.0, -1.0, 1.0)),
    };
    body(brick("culprit").pose(squashed), "not a rotation");
    body(brick("culprit").pose(mirrored), "not a rotation");
    // No mass distribution has these inertias.
    body(
        brick("culprit").inertia(Matrix3::from_diagonal(&v(1.0, 1.0, 5.0))),
        "",
    );
    body(brick("culprit").inertia(Matrix3::zeros()), "");
    body(
        brick("culprit").inertia(Matrix3::from_diagonal(&v(1.0, 1.0, -1.0))),
        "",
    );
    body(brick("culprit").inertia(Matrix3::from_element(NAN)), "");
}

#[test]
fn names_and_nothing() {
    let twice = |b: &mut ModelBuilder| {
        b.body(brick("twin"));
        b.body(brick("twin"));
    };
    refused(twice, "two bodys named \"twin\"", "its own name");
    assert_eq!(ModelBuilder::new().build().unwrap_err(), ModelError::Empty);
    let mut b = ModelBuilder::new();
    b.body(BodySpec::fixed("wall"));
    assert_eq!(b.build().unwrap_err(), ModelError::Empty);
}

#[test]
fn joints() {
    let joint = |spec: JointSpec, reason: &str| {
        refused(
            |b| {
                let one = b.body(brick("one"));
                let two = b.body(brick("two").position(v(1.0, 0.0, 0.0)));
                b.joint(spec.clone(), Some(one), Some(two));
            },
            "joint \"culprit\"",
            reason,
        );
    };
    joint(JointSpec::revolute("culprit", Vector3::zeros()), "not zero");
    joint(JointSpec::planar("culprit", v(NAN, 0.0, 1.0)), "axis");
    joint(
        JointSpec::spherical("culprit").at(v(NAN, 0.0, 0.0)),
        "must be finite",
    );
    let apart = JointSpec::spherical("culprit").anchors(v(0.1, 0.0, 0.0), v(0.1, 0.0, 0.0));
    joint(apart, "lie 1.000e0 apart");
    let apart = JointSpec::prismatic("culprit", Vector3::z());
    joint(apart.anchors(Vector3::zeros(), Vector3::zeros()), "apart");
    joint(
        JointSpec::rod("culprit").length(2.0),
        "are 1 apart at the start, not 2",
    );
    joint(
        JointSpec::rod("culprit").anchors(v(1.0, 0.0, 0.0), Vector3::zeros()),
        "lie apart",
    );
    let hinge = || JointSpec::revolute("culprit", Vector3::y());
    joint(hinge().limits(1.0, -1.0), "must rise");
    joint(hinge().limits(NAN, 1.0), "must rise");
    joint(
        hinge().all_limits(vec![None, Some([0.0, 1.0])]),
        "2 limits given",
    );
    joint(
        JointSpec::spherical("culprit").limits(0.0, 1.0),
        "revolute joints",
    );

    refused(
        |b| {
            let one = b.body(brick("one"));
            b.joint(JointSpec::spherical("culprit"), Some(one), Some(one));
        },
        "joint \"culprit\"",
        "to itself",
    );
    refused(
        |b| {
            b.body(brick("one"));
            let [wall, floor] = ["wall", "floor"].map(|n| b.body(BodySpec::fixed(n)));
            b.joint(JointSpec::spherical("culprit"), Some(wall), Some(floor));
        },
        "joint \"culprit\"",
        "never move",
    );
    refused(
        |b| {
            let bead = b.body(BodySpec::particle("bead", 1.0));
            b.joint(JointSpec::spherical("culprit"), None, Some(bead));
        },
        "joint \"culprit\"",
        "use a rod",
    );
}

#[test]
fn forces_and_actuators() {
    let force = |fill: &dyn Fn(&mut ModelBuilder, carom::model::BodyId), culprit, reason| {
        refused(
            |b| {
                let one = b.body(brick("one"));
                fill(b, one);
            },
            culprit,
            reason,
        );
    };
    let o = Vector3::zeros();
    let spring = "spring \"culprit\"";
    force(
        &|b, i| ignore(b.spring("culprit", (Some(i), o), (None, o), NAN, 0.0)),
        spring,
        "finite",
    );
    force(
        &|b, i| ignore(b.spring("culprit", (Some(i), o), (None, o), -1.0, 0.0)),
        spring,
        "negative",
    );
    force(
        &|b, i| ignore(b.spring("culprit", (Some(i), o), (Some(i), o), 1.0, 0.0)),
        spring,
        "same body",
    );
    force(
        &|b, i| ignore(b.damper("culprit", (Some(i), o), (None, o), -1.0)),
        "damper \"culprit\"",
        "negative",
    );
    force(
        &|b, i| ignore(b.damper("culprit", (Some(i), o), (Some(i), o), 1.0)),
        "damper \"culprit\"",
        "same body",
    );
    force(
        &|b, i| ignore(b.charge("culprit", i, o, NAN)),
        "charge \"culprit\"",
        "finite",
    );
    let drag = |body, linear| Drag {
        body,
        linear,
        angular: 0.0,
    };
    force(
        &|b, i| ignore(b.drag(drag(i, -1.0))),
        "drag \"one\"",
        "negative",
    );
    force(
        &|b, _| ignore(b.gravity(v(0.0, NAN, 0.0))),
        "gravity",
        "finite",
    );

    let actuator = "actuator \"culprit\"";
    let wrench =
        |b: &mut ModelBuilder, i, bounds| b.wrench("culprit", i, o, Frame::Inertial, bounds);
    force(
        &|b, i| ignore(wrench(b, i, vec![[0.0, 1.0]])),
        actuator,
        "1 bounds for 6",
    );
    force(
        &|b, i| ignore(wrench(b, i, vec![[1.0, 0.0]; 6])),
        actuator,
        "must rise",
    );
    let load = |b: &mut ModelBuilder, i, signals: Vec<Signal>| {
        let id = wrench(b, i, vec![]);
        b.prescribe(id, signals, Sample::Mid);
    };
    force(
        &|b, i| load(b, i, vec![Signal::Constant(1.0)]),
        actuator,
        "1 values for 6",
    );
    let six = |s: Signal| vec![s; 6];
    force(
        &|b, i| load(b, i, six(Signal::Constant(NAN))),
        actuator,
        "finite",
    );
    force(
        &|b, i| load(b, i, six(Signal::Table(vec![]))),
        actuator,
        "at least one row",
    );
    let back = Signal::Table(vec![[1.0, 0.0], [0.0, 0.0]]);
    force(&|b, i| load(b, i, six(back.clone())), actuator, "must rise");
    let hole = Signal::Table(vec![[0.0, NAN]]);
    force(
        &|b, i| load(b, i, six(hole.clone())),
        actuator,
        "not finite",
    );
    let on_wall = |b: &mut ModelBuilder, _| {
        let wall = b.body(BodySpec::fixed("wall"));
        wrench(b, wall, vec![]);
    };
    force(&on_wall, actuator, "\"wall\" never moves");
    force(
        &|b, _| ignore(b.push("culprit", 0, 0, vec![])),
        actuator,
        "does not exist",
    );
    // A rod between rigid bodies closes a loop: nothing to drive.
    let on_loop = |b: &mut ModelBuilder, one| {
        let two = b.body(brick("two").position(v(1.0, 0.0, 0.0)));
        let rod = b.joint(JointSpec::rod("rod"), Some(one), Some(two));
        b.drive("culprit", rod, vec![]);
    };
    force(&on_loop, actuator, "closes a loop");
}

#[test]
fn linkages() {
    let sound = LinkageSpec {
        name: "culprit".into(),
        origin: Vector3::zeros(),
        plane: [Vector3::x(), Vector3::z()],
        coordinates: vec![Coordinate {
            name: "x".into(),
            start: 0.0,
            rate: 0.0,
            limits: None,
        }],
        links: vec![Link {
            name: "cart".into(),
            parent: None,
            coordinate: 0,
            kind: LinkKind::Slide {
                direction: [1.0, 0.0],
            },
            mass: 1.0,
        }],
    };
    let linkage = |change: &dyn Fn(&mut LinkageSpec), reason: &str| {
        let mut spec = sound.clone();
        change(&mut spec);
        refused(
            |b| {
                b.linkage(spec.clone());
            },
            "linkage \"culprit\"",
            reason,
        );
    };
    linkage(&|s| s.links.clear(), "at least one");
    linkage(&|s| s.plane[1] = Vector3::x(), "perpendicular");
    linkage(&|s| s.origin.x = NAN, "finite origin");
    linkage(
        &|s| s.coordinates[0].rate = NAN,
        "\"x\" must start at finite",
    );
    linkage(
        &|s| s.coordinates[0].limits = Some([1.0, 0.0]),
        "of coordinate \"x\" must rise",
    );
    linkage(&|s| s.links[0].parent = Some(0), "\"cart\" must come after");
    linkage(
        &|s| s.links[0].coordinate = 1,
        "\"cart\" names a coordinate",
    );
    linkage(&|s| s.links[0].mass = -1.0, "mass of link \"cart\"");
    linkage(
        &|s| {
            s.links[0].kind = LinkKind::Slide {
                direction: [0.0, 0.0],
            }
        },
        "\"cart\"",
    );
    let arm = LinkKind::Arm {
        length: 0.0,
        offset: 0.0,
        relative: false,
    };
    linkage(&|s| s.links[0].kind = arm.clone(), "positive length");
}

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

/// Four bars in the plane across y; the last joint closes the loop.
fn four_bar(redundant: bool, order: &[usize]) -> Model {
    let corners = [
        v(0.0, 0.0, 0.0),
        v(0.2, 0.0, 0.5),
        v(1.0, 0.0, 0.7),
        v(1.1, 0.0, 0.0),
    ];
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    let mut bars = Vec::new();
    for k in 0..3 {
        let (from, to) = (corners[k], corners[k + 1]);
        bars.push(b.body(brick(&format!("bar {k}")).position((from + to) / 2.0)));
    }
    let ends = [
        (None, Some(bars[0])),
        (Some(bars[0]), Some(bars[1])),
        (Some(bars[1]), Some(bars[2])),
        (Some(bars[2]), None),
    ];
    for &k in order {
        let name = format!("hinge {k}");
        // Three hinges and a ball close a plane loop once; four hinges hold it three times over.
        let spec = if k == 3 && !redundant {
            JointSpec::cylindrical(name, Vector3::y())
        } else {
            JointSpec::revolute(name, Vector3::y())
        };
        b.joint(spec.at(corners[k]), ends[k].0, ends[k].1);
    }
    b.build().unwrap()
}

#[test]
fn loops_close_to_round_off() {
    let mut ends = Vec::new();
    for redundant in [false, true] {
        let model = four_bar(redundant, &[0, 1, 2, 3]);
        assert_eq!(model.closures().len(), 1);
        let mut s = simulate(model, 0.002);
        s.run(2000).unwrap();
        let l = s.ledger();
        println!(
            "four-bar, redundant {redundant}: violation {:.1e} energy spread {:.1e} newton {:.2}",
            l.constraint_violation_max,
            l.energy.spread(),
            l.newton_iterations as f64 / l.steps as f64
        );
        assert!(
            l.constraint_violation_max < 1e-12,
            "{:.1e}",
            l.constraint_violation_max
        );
        assert!(l.energy.spread() < 2e-3 * 9.81);
        ends.push(configuration(&s));
    }
    // Redundant rows change nothing.
    assert!(
        distance(&ends[0], &ends[1]) < 1e-9,
        "{:.1e}",
        distance(&ends[0], &ends[1])
    );
    // Nor does which joint closes the loop.
    for order in [[3, 2, 1, 0], [2, 0, 3, 1]] {
        let mut s = simulate(four_bar(true, &order), 0.002);
        s.run(500).unwrap();
        let mut first = simulate(four_bar(true, &[0, 1, 2, 3]), 0.002);
        first.run(500).unwrap();
        let off = distance(&configuration(&s), &configuration(&first));
        assert!(off < 1e-9, "{order:?}: {off:.1e}");
    }
}

/// A chain of four bodies and a branch under gravity, its joints given in some order and direction.
fn shuffled(order: &[usize], flipped: u32, through_static: bool) -> Vec<f64> {
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -9.81));
    let places = [
        v(0.5, 0.0, 0.0),
        v(1.5, 0.1, 0.0),
        v(2.5, 0.0, 0.2),
        v(1.5, 1.0, 0.0),
    ];
    let ids: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(k, x)| b.body(brick(&format!("{k}")).position(*x)))
        .collect();
    let wall = b.body(BodySpec::fixed("wall").position(v(-1.0, 2.0, 0.0)));
    let world = through_static.then_some(wall);
    let axis = v(0.1, 1.0, 0.3);
    let joints = [
        (
            JointSpec::spherical("0").at(v(0.0, 0.0, 0.0)),
            world,
            Some(ids[0]),
        ),
        (
            JointSpec::revolute("1", axis).at(v(1.0, 0.0, 0.0)),
            Some(ids[0]),
            Some(ids[1]),
        ),
        (
            JointSpec::cylindrical("2", axis).at(v(2.0, 0.0, 0.0)),
            Some(ids[1]),
            Some(ids[2]),
        ),
        (
            JointSpec::planar("3", axis).at(v(1.5, 0.5, 0.0)),
            Some(ids[1]),
            Some(ids[3]),
        ),
    ];
    for &k in order {
        let (spec, a, c) = joints[k].clone();
        if flipped & (1 << k) == 0 {
            b.joint(spec, a, c);
        } else {
            b.joint(spec, c, a);
        }
    }
    let mut s = simulate(b.build().unwrap(), 0.005);
    s.run(200).unwrap();
    configuration(&s)
}

#[test]
fn the_order_and_direction_of_joints_do_not_matter() {
    let first = shuffled(&[0, 1, 2, 3], 0, false);
    for (order, flipped) in [([3, 2, 1, 0], 0), ([0, 1, 2, 3], 15), ([2, 0, 3, 1], 5)] {
        for through_static in [false, true] {
            let off = distance(&shuffled(&order, flipped, through_static), &first);
            println!("{order:?} {flipped:04b} static {through_static}: {off:.1e}");
            assert!(off < 1e-10, "{order:?} {flipped} {off:.1e}");
        }
    }
}

#[test]
fn free_joints_hold_nothing() {
    let run = |joined: bool| {
        let mut b = ModelBuilder::new();
        let one = b.body(brick("one").angular_velocity(v(0.3, 1.0, 0.2)));
        let two = b.body(
            brick("two")
                .position(v(1.0, 0.0, 0.0))
                .velocity(v(0.0, 0.1, 0.0)),
        );
        if joined {
            b.joint(
                JointSpec::new("none", JointKind::Free, Vector3::z()),
                Some(one),
                Some(two),
            );
        }
        let mut s = simulate(b.build().unwrap(), 0.01);
        s.run(100).unwrap();
        configuration(&s)
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn long_chains_build_at_once() {
    let n = 10_000;
    let mut b = ModelBuilder::new();
    let mut last = None;
    for k in 0..n {
        let x = k as f64;
        let link = b.body(brick(&format!("{k}")).position(v(x, 0.0, 0.0)));
        let hinge = JointSpec::revolute(format!("{k}"), Vector3::y());
        b.joint(hinge.at(v(x - 0.5, 0.0, 0.0)), last, Some(link));
        last = Some(link);
    }
    let clock = std::time::Instant::now();
    let model = b.build().unwrap();
    let seconds = clock.elapsed().as_secs_f64();
    println!("{n} links in {seconds:.3} s");
    assert_eq!(model.freedom(), n);
    assert!(seconds < 1.0, "{seconds}");
}
