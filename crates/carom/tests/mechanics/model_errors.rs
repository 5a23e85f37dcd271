//! What models refuse, with messages that name the culprit.

use crate::common::*;
use carom::Pose;
use carom::model::{
    BodyId, BodySpec, Coordinate, Drag, Frame, JointSpec, Link, LinkKind, LinkageSpec,
    ModelBuilder, ModelError, Sample, Signal,
};
use nalgebra::{Matrix3, Vector3};

const NAN: f64 = f64::NAN;

fn ignore<T>(_: T) {}

/// The message of a model that must not build, which names its culprit.
fn refused(fill: impl Fn(&mut ModelBuilder), culprit: &str, reason: &str) {
    let mut b = ModelBuilder::new();
    fill(&mut b);
    let error = b.build().map(|_| ()).unwrap_err();
    if let ModelError::Body { fix, .. }
    | ModelError::Joint { fix, .. }
    | ModelError::Linkage { fix, .. }
    | ModelError::Force { fix, .. } = &error
    {
        assert!(!fix.is_empty(), "{error}: without a fix");
    }
    let text = error.to_string();
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

/// A force on a body that must not build.
fn refused_force(fill: &dyn Fn(&mut ModelBuilder, BodyId), culprit: &str, reason: &str) {
    refused(
        |b| {
            let one = b.body(brick("one"));
            fill(b, one);
        },
        culprit,
        reason,
    );
}

#[test]
fn forces() {
    let o = Vector3::zeros();
    let spring = "spring \"culprit\"";
    refused_force(
        &|b, i| ignore(b.spring("culprit", (Some(i), o), (None, o), NAN, 0.0)),
        spring,
        "finite",
    );
    refused_force(
        &|b, i| ignore(b.spring("culprit", (Some(i), o), (None, o), -1.0, 0.0)),
        spring,
        "negative",
    );
    refused_force(
        &|b, i| ignore(b.spring("culprit", (Some(i), o), (Some(i), o), 1.0, 0.0)),
        spring,
        "same body",
    );
    refused_force(
        &|b, i| ignore(b.damper("culprit", (Some(i), o), (None, o), -1.0)),
        "damper \"culprit\"",
        "negative",
    );
    refused_force(
        &|b, i| ignore(b.damper("culprit", (Some(i), o), (Some(i), o), 1.0)),
        "damper \"culprit\"",
        "same body",
    );
    refused_force(
        &|b, i| ignore(b.charge("culprit", i, o, NAN)),
        "charge \"culprit\"",
        "finite",
    );
    let drag = |body, linear| Drag {
        body,
        linear,
        angular: 0.0,
    };
    refused_force(
        &|b, i| ignore(b.drag(drag(i, -1.0))),
        "drag \"one\"",
        "negative",
    );
    refused_force(
        &|b, _| ignore(b.gravity(v(0.0, NAN, 0.0))),
        "gravity",
        "finite",
    );
}

#[test]
fn actuators() {
    let actuator = "actuator \"culprit\"";
    let wrench = |b: &mut ModelBuilder, i, bounds| {
        b.wrench("culprit", i, Vector3::zeros(), Frame::Inertial, bounds)
    };
    refused_force(
        &|b, i| ignore(wrench(b, i, vec![[0.0, 1.0]])),
        actuator,
        "1 bounds for 6",
    );
    refused_force(
        &|b, i| ignore(wrench(b, i, vec![[1.0, 0.0]; 6])),
        actuator,
        "must rise",
    );
    let load = |b: &mut ModelBuilder, i, signals: Vec<Signal>| {
        let id = wrench(b, i, vec![]);
        b.prescribe(id, signals, Sample::Mid);
    };
    refused_force(
        &|b, i| load(b, i, vec![Signal::Constant(1.0)]),
        actuator,
        "1 value for 6 components",
    );
    let six = |s: Signal| vec![s; 6];
    refused_force(
        &|b, i| load(b, i, six(Signal::Constant(NAN))),
        actuator,
        "finite",
    );
    refused_force(
        &|b, i| load(b, i, six(Signal::Table(vec![]))),
        actuator,
        "at least one row",
    );
    let back = Signal::Table(vec![[1.0, 0.0], [0.0, 0.0]]);
    refused_force(&|b, i| load(b, i, six(back.clone())), actuator, "must rise");
    let hole = Signal::Table(vec![[0.0, NAN]]);
    refused_force(
        &|b, i| load(b, i, six(hole.clone())),
        actuator,
        "not finite",
    );
    let on_wall = |b: &mut ModelBuilder, _| {
        let wall = b.body(BodySpec::fixed("wall"));
        wrench(b, wall, vec![]);
    };
    refused_force(&on_wall, actuator, "\"wall\" never moves");
    refused_force(
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
    refused_force(&on_loop, actuator, "closes a loop");
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
