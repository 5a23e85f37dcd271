//! Three formulations, one scheme: the same motion from other unknowns.

use std::sync::Arc;

use crate::common::formulations::{FORMULATIONS, beads, four_bar, gravity, start};
use crate::common::{KINDS, inertia, pair, slope};
use carom::Pose;
use carom::model::{
    BodyId, BodySpec, Drag, Frame, JointKind, JointSpec, Model, ModelBuilder, Sample, Signal,
    UserPotential,
};
use carom::simulate::{Simulation, State, newton_matrices};
use nalgebra::{DMatrix, Vector3};

/// Runs all formulations side by side: coordinates equal to 1e-10, momentum and joints to round-off.
fn compare(name: &str, model: Model, step: f64, steps: usize) {
    let model = Arc::new(model);
    let mut runs = FORMULATIONS.map(|f| start(&model, f, step));
    let mut worst: f64 = 0.0;
    for _ in 0..steps {
        for run in &mut runs {
            run.step().unwrap();
        }
        let [first, others @ ..] = &runs;
        for other in others {
            for (a, b) in first.state().poses.iter().zip(&other.state().poses) {
                for (x, y) in a.to_q().iter().zip(b.to_q()) {
                    worst = worst.max((x - y).abs());
                }
            }
        }
    }
    // Relative to momentum at its arm: some of these bodies fall far.
    let residuals = runs.each_ref().map(|r| {
        let l = r.ledger();
        let reach = r.state().poses.iter().map(|p| p.position.norm());
        let momentum = l
            .linear_momentum
            .last
            .norm()
            .max(l.linear_momentum.max_change);
        let size = l.angular_momentum.max_change + momentum * (1.0 + reach.fold(0.0, f64::max));
        l.momentum_residual_max / (1.0 + size)
    });
    let residual = residuals.iter().fold(0.0_f64, |m, r| m.max(*r));
    let violation = runs
        .iter()
        .map(|r| r.ledger().constraint_violation_max)
        .fold(0.0, f64::max);
    let newton = runs
        .each_ref()
        .map(|r| r.ledger().newton_iterations as f64 / steps as f64);
    println!(
        "{name:28} differ by {worst:.1e}, momentum residuals {:.1e} {:.1e} {:.1e}, violation {violation:.1e}, newton {newton:.2?}",
        residuals[0], residuals[1], residuals[2]
    );
    assert!(worst < 1e-10, "{name}: {worst:e}");
    assert!(residual < 1e-12, "{name}: {residual:e}");
    assert!(violation < 1e-12, "{name}: {violation:e}");
}

#[test]
fn every_joint() {
    for kind in KINDS {
        for hung in [false, true] {
            let name = format!("{} hung {hung}", kind.name());
            compare(&name, pair(kind, hung, gravity()), 0.01, 1000);
        }
    }
}

fn rigid(name: &str, x: [f64; 3]) -> BodySpec {
    BodySpec::rigid(name)
        .mass(0.7)
        .inertia(inertia(0.02, 0.03, 0.04))
        .pose(Pose::new(Vector3::from(x), Vector3::new(0.1, 0.3, -0.2)))
}

/// V = 0.3 |φ|⁴ − 0.5 d₃ₓ φₓ.
struct Well {
    bodies: Vec<BodyId>,
}

impl UserPotential for Well {
    fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }
    fn value(&self, q: &[f64]) -> f64 {
        let r2: f64 = q[..3].iter().map(|x| x * x).sum();
        0.3 * r2 * r2 - 0.5 * q[9] * q[0]
    }
    fn gradient(&self, q: &[f64], gradient: &mut [f64]) {
        let r2: f64 = q[..3].iter().map(|x| x * x).sum();
        gradient.fill(0.0);
        for k in 0..3 {
            gradient[k] = 1.2 * r2 * q[k];
        }
        gradient[0] -= 0.5 * q[9];
        gradient[9] -= 0.5 * q[0];
    }
    fn hessian(&self, q: &[f64], hessian: &mut DMatrix<f64>) {
        let r2: f64 = q[..3].iter().map(|x| x * x).sum();
        hessian.fill(0.0);
        for i in 0..3 {
            for j in 0..3 {
                hessian[(i, j)] = 2.4 * q[i] * q[j];
            }
            hessian[(i, i)] += 1.2 * r2;
        }
        hessian[(0, 9)] -= 0.5;
        hessian[(9, 0)] -= 0.5;
    }
}

#[test]
fn springs_dampers_drag_charges_and_user_potentials() {
    let (x, y) = (Vector3::new(0.1, 0.05, -0.1), Vector3::new(-0.1, 0.1, 0.0));
    let two = |builder: &mut ModelBuilder| {
        let a = builder
            .body(rigid("a", [0.0, 0.0, 0.0]).angular_velocity(Vector3::new(0.5, -0.2, 0.3)));
        let b = builder.body(rigid("b", [0.6, 0.2, 0.1]).velocity(Vector3::new(0.0, 0.3, 0.1)));
        (a, b)
    };
    let mut builder = ModelBuilder::new();
    let (a, b) = two(&mut builder);
    builder.spring("between", (Some(a), x), (Some(b), y), 5.0, 0.3);
    builder.spring(
        "to the world",
        (Some(b), x),
        (None, Vector3::new(0.0, 0.5, 1.0)),
        3.0,
        0.2,
    );
    compare("springs", builder.build().unwrap(), 0.01, 1000);

    builder.damper("between", (Some(a), y), (Some(b), x), 0.2);
    builder.drag(Drag {
        body: a,
        linear: 0.1,
        angular: 0.02,
    });
    compare(
        "springs, damper, drag",
        builder.build().unwrap(),
        0.01,
        1000,
    );

    let mut builder = ModelBuilder::new();
    let (a, b) = two(&mut builder);
    builder.coulomb(0.05);
    builder.charge("one", a, x, 1.0);
    builder.charge("two", a, y, -0.5);
    builder.charge("three", b, x, 1.0);
    builder.charge("four", b, y, 1.0);
    compare("charges", builder.build().unwrap(), 0.01, 1000);

    let mut builder = ModelBuilder::new();
    let a = builder.body(rigid("a", [0.0, 0.0, 0.0]));
    let b = builder.body(rigid("b", [0.6, 0.2, 0.1]));
    builder.potential(Arc::new(Well { bodies: vec![a] }));
    builder.gravity(gravity());
    builder.joint(
        JointSpec::spherical("ball").at(Vector3::new(0.3, 0.1, 0.0)),
        Some(a),
        Some(b),
    );
    compare("user potential", builder.build().unwrap(), 0.01, 1000);
}

#[test]
fn bead_chain_on_a_body() {
    compare("bead chain", beads(3), 0.0025, 1000);
    let mut builder = ModelBuilder::new();
    builder.gravity(gravity());
    let a = builder.body(rigid("a", [0.0, 0.0, 0.0]));
    builder.joint(
        JointSpec::revolute("hinge", Vector3::y()).at(Vector3::new(-0.2, 0.0, 0.0)),
        None,
        Some(a),
    );
    let one = builder.body(BodySpec::particle("one", 0.2).position(Vector3::new(0.3, 0.1, 0.0)));
    let two = builder.body(BodySpec::particle("two", 0.3).position(Vector3::new(0.6, 0.1, 0.1)));
    builder.joint(
        JointSpec::rod("first").anchors(Vector3::new(0.1, 0.0, 0.0), Vector3::zeros()),
        Some(a),
        Some(one),
    );
    builder.joint(JointSpec::rod("second"), Some(one), Some(two));
    compare("body with beads", builder.build().unwrap(), 0.01, 1000);
}

#[test]
fn four_bar_loop() {
    compare("four-bar loop", four_bar(), 0.01, 1000);
}

#[test]
fn actuated_bodies() {
    let mut builder = ModelBuilder::new();
    let a = builder.body(rigid("a", [0.0, 0.0, 0.0]));
    let b = builder.body(rigid("b", [0.5, 0.0, 0.1]));
    let hinge = builder.joint(
        JointSpec::revolute("hinge", Vector3::new(0.2, 1.0, 0.1)).at(Vector3::new(0.25, 0.0, 0.0)),
        Some(a),
        Some(b),
    );
    let push = builder.wrench(
        "push",
        a,
        Vector3::new(0.1, 0.0, 0.2),
        Frame::Body,
        Vec::new(),
    );
    let drive = builder.drive("drive", hinge, Vec::new());
    let wave = |f: f64, a: f64| Signal::Function(Arc::new(move |t: f64| a * (f * t).sin()));
    builder.prescribe(
        push,
        vec![
            wave(1.0, 0.2),
            wave(2.0, 0.1),
            Signal::Constant(0.05),
            wave(3.0, 0.02),
            Signal::Constant(0.0),
            wave(0.7, -0.03),
        ],
        Sample::Mid,
    );
    builder.prescribe(drive, vec![wave(4.0, 0.1)], Sample::Mid);
    compare("actuated", builder.build().unwrap(), 0.01, 1000);
}

#[test]
fn resumes_bit_for_bit() {
    let model = Arc::new(pair(JointKind::Revolute, true, gravity()));
    for formulation in FORMULATIONS {
        let mut whole = start(&model, formulation, 0.01);
        whole.run(50).unwrap();
        let settings = *whole.settings();
        let middle = whole.state().clone();
        let mut rest = Simulation::from_state(model.clone(), settings, middle).unwrap();
        whole.run(50).unwrap();
        rest.run(50).unwrap();
        assert_eq!(whole.state(), rest.state());
    }
}

/// Largest over least singular value.
fn condition(m: &DMatrix<f64>) -> f64 {
    let s = m.singular_values();
    s.max() / s.min()
}

#[test]
fn condition_numbers() {
    let model = pair(JointKind::Revolute, true, gravity());
    let state = State::start(&model).unwrap();
    let steps = [1e-1, 1e-2, 1e-3, 1e-4];
    let mut reduced = Vec::new();
    let mut multipliers = Vec::new();
    println!("{:>8} {:>12} {:>12}", "h", "reduced", "multipliers");
    for h in steps {
        let (r, m) = newton_matrices(&model, &state, h);
        reduced.push(condition(&(r * h)));
        multipliers.push(condition(&m));
        println!(
            "{h:8.0e} {:12.4e} {:12.4e}",
            reduced[reduced.len() - 1],
            multipliers[multipliers.len() - 1]
        );
    }
    let (flat, steep) = (slope(&steps, &reduced), slope(&steps, &multipliers));
    println!("slopes {flat:.3} {steep:.3}");
    assert!(flat.abs() < 0.05, "{flat}");
    assert!((steep + 3.0).abs() < 0.1, "{steep}");
    assert!(reduced.iter().all(|c| *c < 2.0 * reduced[3]));
}
