//! What the variational integrator keeps: momentum to round-off, energy without drift.

use crate::common::*;
use carom::model::{
    BodySpec, Frame, JointKind, JointSpec, LinkKind, LinkageSpec, Model, ModelBuilder, Sample,
    Signal,
};
use carom::simulate::Simulation;
use nalgebra::{Matrix3, Vector3};

/// How the energy went: means over tenths of a run.
struct Energies {
    means: [f64; 10],
    spread: f64,
    initial: f64,
}

fn energies(s: &mut Simulation, steps: usize) -> Energies {
    let tenth = steps / 10;
    let means = std::array::from_fn(|_| {
        let mut sum = 0.0;
        for _ in 0..tenth {
            s.step().unwrap();
            sum += s.ledger().energy.last;
        }
        sum / tenth as f64
    });
    let energy = &s.ledger().energy;
    Energies {
        means,
        spread: energy.spread(),
        initial: energy.initial.abs(),
    }
}

impl Energies {
    /// Change from the first tenth to the last.
    fn drift(&self) -> f64 {
        (self.means[9] - self.means[0]).abs()
    }

    /// Slope through the means over its standard error: beyond about 3 it is not chance.
    fn significance(&self) -> f64 {
        let x = |k: usize| k as f64 - 4.5;
        let mean = self.means.iter().sum::<f64>() / 10.0;
        let xx: f64 = (0..10).map(|k| x(k) * x(k)).sum();
        let slope = (0..10).map(|k| x(k) * (self.means[k] - mean)).sum::<f64>() / xx;
        let left = (0..10).map(|k| (self.means[k] - mean - slope * x(k)).powi(2));
        slope.abs() / (left.sum::<f64>() / 8.0 / xx).sqrt().max(f64::MIN_POSITIVE)
    }

    /// The change is small against the oscillation, or (chaotic motions wander within it) has no
    /// trend.
    fn stay(&self, name: &str) {
        let (drift, spread) = (self.drift(), self.spread);
        let trend = self.significance();
        println!(
            "{name:14} energy drift {drift:.1e} of spread {spread:.1e}, trend {trend:.1} sigma"
        );
        let small = drift < 0.1 * spread + 1e-12 * self.initial;
        assert!(
            small || trend < 3.0,
            "{name}: {drift:.1e} of {spread:.1e}, {trend:.1} sigma"
        );
    }
}

/// Runs a floating model and checks all it should keep.
fn keeps(name: &str, model: Model, step: f64, steps: usize) {
    let mut s = simulate(model, step);
    let energies = energies(&mut s, steps);
    let l = s.ledger();
    let linear = l.linear_momentum.max_change / l.linear_momentum.initial.norm();
    let angular = l.angular_momentum.max_change / l.angular_momentum.initial.norm();
    println!(
        "{name:14} {steps} steps: linear {linear:.1e} angular {angular:.1e} \
         violation {:.1e} residual {:.1e} newton {:.2}",
        l.constraint_violation_max,
        l.momentum_residual_max,
        l.newton_iterations as f64 / steps as f64
    );
    assert!(
        linear < 1e-11 && angular < 1e-11,
        "{name}: {linear:.1e} {angular:.1e}"
    );
    energies.stay(name);
    assert!(energies.spread < 1e-2 * energies.initial, "{name}");
    assert!(l.momentum_residual_max < 1e-11 && l.constraint_violation_max < 1e-11);
}

fn floating(kind: JointKind, steps: usize) {
    keeps(
        kind.name(),
        tied_pair(kind, false, Vector3::zeros()),
        0.01,
        steps,
    );
}

#[test]
fn floating_revolute_pair() {
    floating(JointKind::Revolute, 200_000);
}

#[test]
fn floating_spherical_pair() {
    floating(JointKind::Spherical, 1_000_000);
}

#[test]
fn floating_fixed_pair() {
    floating(JointKind::Fixed, 200_000);
}

#[test]
fn floating_prismatic_pair() {
    floating(JointKind::Prismatic, 200_000);
}

#[test]
fn floating_cylindrical_pair() {
    floating(JointKind::Cylindrical, 200_000);
}

#[test]
fn floating_planar_pair() {
    floating(JointKind::Planar, 200_000);
}

#[test]
fn floating_bodies_on_a_spring() {
    floating(JointKind::Free, 200_000);
}

#[test]
fn free_body_keeps_energy_too() {
    let mut b = ModelBuilder::new();
    b.body(
        BodySpec::rigid("body")
            .mass(1.5)
            .inertia(inertia(0.1, 0.2, 0.25))
            .velocity(v(0.01, -0.02, 0.03))
            .angular_velocity(v(0.5, 1.8, -0.4)),
    );
    let mut s = simulate(b.build().unwrap(), 0.01);
    s.run(1_000_000).unwrap();
    let l = s.ledger();
    let angular = l.angular_momentum.max_change / l.angular_momentum.initial.norm();
    let energy = l.energy.spread() / l.energy.initial;
    println!("free body: angular {angular:.1e} energy {energy:.1e}");
    assert!(angular < 1e-11 && energy < 1e-11);
    assert!(l.linear_momentum.max_change < 1e-11 * l.linear_momentum.initial.norm());
    assert!(l.energy_discrete.unwrap().spread() < 1e-11 * l.energy.initial);
}

#[test]
fn hung_pairs_keep_energy_and_the_momentum_about_the_vertical() {
    for kind in KINDS {
        let mut s = simulate(tied_pair(kind, true, v(0.0, 0.0, -5.0)), 0.005);
        let about = |s: &mut Simulation| {
            let t = s.totals();
            (t.angular - HOOK.cross(&t.linear)).z
        };
        let before = about(&mut s);
        energies(&mut s, 40_000).stay(kind.name());
        let off = (about(&mut s) - before).abs();
        println!("{:14} vertical {off:.1e}", kind.name());
        assert!(off < 1e-11, "{kind:?} {off:.1e}");
        assert!(s.ledger().constraint_violation_max < 1e-11);
    }
}

#[test]
fn beads_on_rods() {
    let mut b = ModelBuilder::new();
    let mut last = None;
    for k in 0..6 {
        let x = k as f64;
        let spec = BodySpec::particle(format!("{k}"), 0.5 + 0.2 * x);
        let speed = v(0.02, 0.3 * (x - 2.0), 0.1 * (1.7 * x).sin());
        let bead = b.body(spec.position(v(x, 0.0, 0.0)).velocity(speed));
        if last.is_some() {
            b.joint(JointSpec::rod(format!("rod {k}")), last, Some(bead));
        }
        last = Some(bead);
    }
    keeps("beads", b.build().unwrap(), 0.02, 100_000);
}

#[test]
fn springs_and_charges_between_bodies() {
    let mut b = ModelBuilder::new();
    let mut ids = Vec::new();
    for k in 0..3 {
        let x = k as f64;
        ids.push(
            b.body(
                BodySpec::rigid(format!("{k}"))
                    .mass(1.0 + x)
                    .inertia(inertia(0.1, 0.2, 0.25))
                    .position(v(1.5 * x, 0.4 * x * x, 0.0))
                    .velocity(v(0.0, 0.1 - 0.1 * x, 0.2))
                    .angular_velocity(v(0.3, 0.2 * x, -0.4)),
            ),
        );
    }
    let off = v(0.2, 0.1, -0.1);
    for [i, j] in [[0, 1], [1, 2], [0, 2]] {
        b.spring(
            format!("{i}{j}"),
            (Some(ids[i]), off),
            (Some(ids[j]), -off),
            2.0,
            1.2,
        );
    }
    b.coulomb(1.0);
    for (k, id) in ids.iter().enumerate() {
        b.charge(format!("charge {k}"), *id, off * 0.5, 0.3 + 0.1 * k as f64);
    }
    keeps("springs", b.build().unwrap(), 0.01, 50_000);
}

#[test]
fn forced_systems_change_momentum_by_their_loads() {
    for kind in KINDS {
        let (mut b, [_, second], _) = pair_builder(kind, false, Vector3::zeros());
        let at = v(0.1, -0.05, 0.2);
        let push = b.wrench("push", second, at, Frame::Inertial, vec![]);
        let wave = |f: fn(f64) -> f64| Signal::Function(std::sync::Arc::new(f));
        let signals = vec![
            wave(|t| (2.0 * t).sin()),
            wave(|t| 0.3 - t),
            Signal::Constant(0.4),
            wave(|t| 0.1 * t.cos()),
            Signal::Constant(0.05),
            Signal::Constant(-0.1),
        ];
        b.prescribe(push, signals.clone(), Sample::Mid);
        let mut s = simulate(b.build().unwrap(), 0.01);
        let mut before = s.totals();
        for _ in 0..300 {
            let (t, pose) = (s.time(), s.state().poses[second.index()]);
            let info = s.step().unwrap();
            let next = s.state().poses[second.index()];
            let after = s.totals();
            // h F, and (h/2)(x + x⁺) × F + h T about the origin.
            let value: Vec<f64> = signals.iter().map(|f| f.at(t + 0.005)).collect();
            let (force, torque) = (
                v(value[0], value[1], value[2]) * 0.01,
                v(value[3], value[4], value[5]) * 0.01,
            );
            let turned = (pose.point(&at) + next.point(&at)).cross(&force) * 0.5 + torque;
            let linear = (after.linear - before.linear - force).norm();
            let angular = (after.angular - before.angular - turned).norm();
            assert!(
                linear < 1e-12 && angular < 1e-12,
                "{kind:?} {linear:.1e} {angular:.1e}"
            );
            assert!(info.momentum_residual < 1e-12);
            before = after;
        }
    }
}

#[test]
fn a_drive_inside_changes_no_momentum() {
    for kind in [
        JointKind::Revolute,
        JointKind::Prismatic,
        JointKind::Spherical,
        JointKind::Planar,
    ] {
        let (mut b, _, joint) = pair_builder(kind, false, Vector3::zeros());
        b.drive("motor", joint.unwrap(), vec![]);
        let mut s = simulate(b.build().unwrap(), 0.01);
        let n = s.model().controls();
        for k in 0..500 {
            let tau: Vec<f64> = (0..n)
                .map(|i| 0.2 * ((k + i) as f64 * 0.05).sin())
                .collect();
            s.step_with(0.01, &tau).unwrap();
        }
        let l = s.ledger();
        assert!(l.linear_momentum.max_change < 1e-12, "{kind:?}");
        assert!(l.angular_momentum.max_change < 1e-12, "{kind:?}");
        // Work of the motor is what energy gained, at second order.
        let gained = l.energy.last - l.energy.initial;
        assert!(
            (l.work - gained).abs() < 2e-3 * gained.abs().max(0.05),
            "{kind:?} {} {gained}",
            l.work
        );
    }
}

#[test]
fn cart_and_pendulum() {
    let arm = |relative| LinkKind::Arm {
        length: 0.5,
        offset: 0.0,
        relative,
    };
    let mut b = ModelBuilder::new();
    b.gravity(v(0.0, 0.0, -10.0));
    b.linkage(LinkageSpec {
        name: "cart".into(),
        origin: Vector3::zeros(),
        plane: [Vector3::x(), Vector3::z()],
        coordinates: vec![
            coordinate("x", 0.0, 0.3),
            coordinate("a", -0.9, 0.5),
            coordinate("b", 0.2, 0.0),
        ],
        links: vec![
            link(
                "cart",
                None,
                0,
                LinkKind::Slide {
                    direction: [1.0, 0.0],
                },
            ),
            link("upper", Some(0), 1, arm(false)),
            link("lower", Some(1), 2, arm(true)),
        ],
    });
    let mut s = simulate(b.build().unwrap(), 0.005);
    let start = s.state().coordinate_momenta[0];
    energies(&mut s, 200_000).stay("cart");
    let change = s.state().coordinate_momenta[0] - start;
    println!("cart: p_x {change:.1e}");
    assert!(change.abs() < 1e-11 * start.abs());
}

#[test]
fn second_order_for_every_joint() {
    for kind in KINDS {
        for hung in [false, true] {
            let model = pair(kind, hung, v(0.0, 0.0, -2.0));
            let order = order(|h| end_of(&model, settings(h), 1.0), 0.02, 2);
            println!("{:12} hung {hung}: order {order:.3}", kind.name());
            assert!((order - 2.0).abs() < 0.05, "{kind:?} {order}");
        }
    }
}

fn settings(h: f64) -> carom::simulate::Settings {
    carom::simulate::Settings::with_step(h)
}

/// Complete elliptic integral of the first kind, by the arithmetic-geometric mean.
fn elliptic_k(modulus_squared: f64) -> f64 {
    let (mut a, mut g) = (1.0, (1.0 - modulus_squared).sqrt());
    for _ in 0..60 {
        (a, g) = (0.5 * (a + g), (a * g).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

#[test]
fn a_body_about_its_middle_axis_flips_when_euler_says() {
    let j = v(0.1, 0.2, 0.25);
    let w = v(0.02, 3.0, 0.03);
    let (twice_energy, momentum) = (
        j.component_mul(&w).dot(&w),
        j.component_mul(&w).norm_squared(),
    );
    // Euler's equations: ω₂ turns over every 2K/rate. Above the separatrix L² = 2TJ₂ the motion
    // surrounds the third axis, below it the first.
    let [a, b, c] = if momentum > twice_energy * j.y {
        [j.x, j.y, j.z]
    } else {
        [j.z, j.y, j.x]
    };
    let rate = ((c - b) * (momentum - twice_energy * a) / (a * b * c)).sqrt();
    let modulus =
        (b - a) * (twice_energy * c - momentum) / ((c - b) * (momentum - twice_energy * a));
    let half_period = 2.0 * elliptic_k(modulus) / rate;

    let flips = |h: f64| {
        let mut builder = ModelBuilder::new();
        let spec = BodySpec::rigid("wing nut").mass(1.0);
        builder.body(spec.inertia(Matrix3::from_diagonal(&j)).angular_velocity(w));
        let mut s = simulate(builder.build().unwrap(), h);
        let mut last = w.y;
        let mut times = Vec::new();
        while times.len() < 5 {
            s.step().unwrap();
            let spin = s.twists()[0].w;
            let now = s.state().poses[0].directors.column(1).dot(&spin);
            if now * last < 0.0 {
                times.push(s.time() - h * now / (now - last));
            }
            last = now;
        }
        (times[4] - times[0]) / 4.0
    };
    let errors = [0.005, 0.0025, 0.00125].map(|h| (flips(h) / half_period - 1.0).abs());
    println!("flip every {half_period:.4} s, errors {errors:?}");
    assert!(errors[2] < 1e-5 && errors[0] / errors[1] > 3.0);
}
