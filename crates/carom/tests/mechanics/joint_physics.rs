//! Springs, damping, dry friction, rotors, servos and gears of joints, against closed forms, in every
//! formulation.

use std::f64::consts::{PI, TAU};

use carom::scenario::Scenario;
use carom::simulate::Simulation;

const FORMULATIONS: [&str; 3] = ["reduced", "projected", "multipliers"];

fn start(text: &str) -> Simulation {
    let scenario = Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let model = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(model, scenario.settings.simulator()).unwrap()
}

/// A wheel of inertia 0.2 kg m² about y on a hinge at the world, with more said of the hinge.
fn wheel(physics: &str, spin: f64, step: f64, formulation: &str) -> Simulation {
    start(&format!(
        "[body.wheel]\nmass = 1\ninertia = [0.3, 0.2, 0.3]\nangular_velocity = [0, {spin}, 0]\n\
         [joint.hinge]\nkind = \"revolute\"\nbetween = [\"world\", \"wheel\"]\naxis = [0, 1, 0]\n{physics}\n\
         [simulate]\nduration = 1\nstep = {step}\nformulation = \"{formulation}\"\n"
    ))
}

/// Angle of a body about y, unwound by hand where runs turn further than half a turn.
fn angle(run: &Simulation, body: &str) -> f64 {
    let k = run.model().find_body(body).unwrap().index();
    let d = &run.state().poses[k].directors;
    d[(0, 2)].atan2(d[(0, 0)])
}

fn spin(run: &Simulation, body: &str) -> f64 {
    let k = run.model().find_body(body).unwrap().index();
    run.twists()[k].w.y
}

fn steps(run: &mut Simulation, time: f64) {
    let n = (time / run.settings().step).round() as usize;
    run.run(n).unwrap();
}

#[test]
fn a_spring_with_a_rotor_swings_at_its_frequency() {
    // ω = √(k/(J + J_r)); second order in the step.
    let (k, j, rotor) = (5.0, 0.2, 0.05);
    let omega = f64::sqrt(k / (j + rotor));
    for formulation in FORMULATIONS {
        let mut errors = Vec::new();
        for step in [0.01, 0.005] {
            let physics = "spring = { stiffness = 5, rest = 0.4 }\narmature = 0.05";
            let mut run = wheel(physics, 0.0, step, formulation);
            let energy = run.totals().energy();
            assert!((energy - 0.5 * k * 0.16).abs() < 1e-14);
            let mut worst: f64 = 0.0;
            for _ in 0..(1.0 / step).round() as usize {
                run.step().unwrap();
                let exact = 0.4 * (1.0 - (omega * run.time()).cos());
                worst = worst.max((angle(&run, "wheel") - exact).abs());
            }
            errors.push(worst);
            // The midpoint rule keeps a quadratic energy.
            let kept = run.ledger().energy.spread() / energy;
            assert!(kept < 1e-4, "{formulation} {kept:e}");
        }
        let order = (errors[0] / errors[1]).log2();
        assert!(
            errors[1] < 1e-4 && (order - 2.0).abs() < 0.1,
            "{formulation} {errors:?}"
        );
    }
}

#[test]
fn formulations_agree() {
    let double = |formulation: &str| {
        start(&format!(
            "gravity = [0, 0, -9.81]\n\
             [body.upper]\nshape = {{ box = [0.05, 0.05, 0.4] }}\nmass = 2\nposition = [0, 0, -0.2]\n\
             [body.lower]\nshape = {{ box = [0.05, 0.05, 0.3] }}\nmass = 1\nposition = [0, 0, -0.55]\n\
             [joint.shoulder]\nkind = \"revolute\"\nbetween = [\"world\", \"upper\"]\naxis = [0, 1, 0]\nat = [0, 0, 0]\n\
             servo = {{ position = \"0.8*sin(3*t)\", velocity = \"2.4*cos(3*t)\", stiffness = 40, damping = 3, limit = 12 }}\n\
             armature = 0.03\n\
             [joint.elbow]\nkind = \"revolute\"\nbetween = [\"upper\", \"lower\"]\naxis = [0, 1, 0]\nat = [0, 0, -0.4]\n\
             spring = {{ stiffness = 3, rest = 0.5 }}\ndamping = 0.2\narmature = 0.01\nfriction = 0.3\n\
             [simulate]\nduration = 1\nstep = 0.005\nformulation = \"{formulation}\"\n"
        ))
    };
    let mut runs = FORMULATIONS.map(double);
    for _ in 0..100 {
        let ends = runs.each_mut().map(|run| {
            run.step().unwrap();
            [angle(run, "upper"), angle(run, "lower"), spin(run, "lower")]
        });
        for other in &ends[1..] {
            for (a, b) in ends[0].iter().zip(other) {
                assert!((a - b).abs() < 1e-8, "{ends:?}");
            }
        }
    }
    for run in &runs {
        // Everything is accounted for: what is left is the integrator's own error.
        let ledger = run.ledger();
        let left = ledger
            .unexplained
            .max
            .abs()
            .max(ledger.unexplained.min.abs());
        assert!(left < 5e-3 * ledger.energy_scale(), "{left}");
        assert!(ledger.momentum_residual_max < 1e-12);
    }
}

#[test]
fn damping_slows_a_wheel_exponentially() {
    for formulation in FORMULATIONS {
        let mut run = wheel("damping = 0.4", 3.0, 0.001, formulation);
        steps(&mut run, 0.5);
        let exact = 3.0 * f64::exp(-0.4 / 0.2 * 0.5);
        let got = spin(&run, "wheel");
        assert!((got - exact).abs() < 1e-5, "{formulation} {got} {exact}");
        // The work of the damper is what the wheel lost.
        let ledger = run.ledger();
        assert!(ledger.unexplained.spread() < 1e-6 * ledger.energy.initial);
    }
}

#[test]
fn dry_friction_stops_a_wheel_in_time() {
    // ω̇ = −F/J: it stops after ω₀ J/F at the angle ω₀² J/(2 F), and stays.
    for formulation in FORMULATIONS {
        let (omega, friction, j): (f64, f64, f64) = (2.0, 0.5, 0.2);
        let (stop, turned) = (omega * j / friction, omega * omega * j / (2.0 * friction));
        let mut run = wheel("friction = 0.5", omega, 0.003, formulation);
        steps(&mut run, 0.6);
        let half = 0.6 * omega - 0.5 * friction / j * 0.36;
        // Steps that turn by Δθ have the momentum J sin Δθ/h.
        assert!((angle(&run, "wheel") - half).abs() < 1e-5, "{formulation}");
        assert!((spin(&run, "wheel") - (omega - friction / j * 0.6)).abs() < 1e-9);
        steps(&mut run, 0.9);
        assert!(run.time() > stop);
        let got = angle(&run, "wheel");
        assert!((got - turned).abs() < 1e-5, "{formulation} {got} {turned}");
        let still = angle(&run, "wheel");
        steps(&mut run, 0.3);
        assert!((angle(&run, "wheel") - still).abs() < 1e-12);
        assert!(spin(&run, "wheel").abs() < 1e-12);
        let ledger = run.ledger();
        assert!(
            ledger.unexplained.spread() < 1e-4 * ledger.energy.initial,
            "{:?}",
            ledger.unexplained
        );
        assert!((ledger.damping / ledger.energy.initial + 1.0).abs() < 1e-4);
        // Nothing touches here.
        assert!(ledger.contact_energy.abs() < 1e-9 * ledger.energy.initial);
    }
}

#[test]
fn dry_friction_holds_a_pendulum_up_to_its_limit() {
    // m g l sin θ = F: held below, let go above.
    for (friction, holds) in [(1.0, true), (0.9, false)] {
        let mut run = start(&format!(
            "gravity = [0.95, 0, 0]\n[body.rod]\nmass = 2\ninertia = [0.1, 0.1, 0.1]\nposition = [0, 0, -0.5]\n\
             [joint.hinge]\nkind = \"revolute\"\nbetween = [\"world\", \"rod\"]\naxis = [0, 1, 0]\nat = [0, 0, 0]\n\
             friction = {friction}\n[simulate]\nduration = 1\nstep = 0.01\n"
        ));
        steps(&mut run, 0.5);
        let moved = angle(&run, "rod").abs();
        match holds {
            true => assert!(moved < 1e-10, "{moved:e}"),
            // (2·0.95·0.5 − 0.9)/(0.1 + 2·0.25) over half a second.
            false => assert!((moved - 0.5 * 0.05 / 0.6 * 0.25).abs() < 1e-5, "{moved}"),
        }
    }
}

#[test]
fn a_servo_arm_answers_as_a_damped_oscillator() {
    // J θ̈ = k (θ* − θ) − d θ̇: overshoot exp(−π ζ/√(1 − ζ²)), settled at θ*.
    let (j, k, d, target): (f64, f64, f64, f64) = (0.2, 20.0, 1.2, 0.7);
    let zeta = d / (2.0 * (j * k).sqrt());
    let overshoot = (-PI * zeta / (1.0 - zeta * zeta).sqrt()).exp();
    for formulation in FORMULATIONS {
        let physics = "servo = { position = 0.7, stiffness = 20, damping = 1.2 }";
        let mut run = wheel(physics, 0.0, 0.002, formulation);
        let mut highest: f64 = 0.0;
        for _ in 0..2000 {
            run.step().unwrap();
            highest = highest.max(angle(&run, "wheel"));
        }
        let got = highest / target - 1.0;
        assert!(
            (got - overshoot).abs() < 1e-3,
            "{formulation} {got} {overshoot}"
        );
        assert!((angle(&run, "wheel") - target).abs() < 1e-4);
        // The servo's work is kept apart: the ledger is closed.
        let ledger = run.ledger();
        assert!(ledger.unexplained.spread() < 1e-4 * ledger.energy_scale());
    }
}

#[test]
fn a_servo_at_its_limit_accelerates_evenly() {
    let physics = "servo = { position = 3, stiffness = 1000, damping = 1, limit = 0.4 }";
    let mut run = wheel(physics, 0.0, 0.01, "reduced");
    steps(&mut run, 0.5);
    assert!((angle(&run, "wheel") - 0.5 * 0.4 / 0.2 * 0.25).abs() < 1e-5);
    // A velocity servo reaches its speed and keeps it, turn after turn.
    let mut run = wheel(
        "servo = { velocity = 8, damping = 2 }",
        0.0,
        0.005,
        "reduced",
    );
    steps(&mut run, 3.0);
    let before = angle(&run, "wheel");
    run.step().unwrap();
    let moved = (angle(&run, "wheel") - before).rem_euclid(TAU);
    assert!((moved - 8.0 * 0.005).abs() < 1e-9, "{moved}");
    // A position servo follows a target that turns on and on.
    let physics = "servo = { position = \"5*t\", velocity = 5, stiffness = 30, damping = 3 }";
    let mut run = wheel(physics, 5.0, 0.005, "reduced");
    steps(&mut run, 2.0);
    let off = (angle(&run, "wheel") - 10.0).rem_euclid(TAU);
    assert!(off.min(TAU - off) < 1e-9, "{off}");
}

#[test]
fn a_geared_pair_shares_its_load() {
    // θ₂ = −2 θ₁ with a torque T on the first: (J₁ + 4 J₂) θ̈₁ = T.
    for formulation in FORMULATIONS {
        let mut run = start(&format!(
            "[body.large]\nmass = 1\ninertia = [0.3, 0.2, 0.3]\n\
             [body.small]\nmass = 1\ninertia = [0.1, 0.05, 0.1]\nposition = [1, 0, 0]\n\
             [joint.first]\nkind = \"revolute\"\nbetween = [\"world\", \"large\"]\naxis = [0, 1, 0]\n\
             [joint.second]\nkind = \"revolute\"\nbetween = [\"world\", \"small\"]\naxis = [0, 1, 0]\n\
             couple = {{ joint = \"first\", ratio = -2 }}\n\
             [load.motor]\njoint = \"first\"\nvalue = 0.8\n\
             [simulate]\nduration = 1\nstep = 0.01\nformulation = \"{formulation}\"\n"
        ));
        steps(&mut run, 1.0);
        let (a, v) = (0.8 / (0.2 + 4.0 * 0.05), 1.0);
        assert!((spin(&run, "large") - a * v).abs() < 1e-9, "{formulation}");
        assert!(
            (spin(&run, "small") + 2.0 * a * v).abs() < 1e-9,
            "{formulation}"
        );
        let slip = (2.0 * angle(&run, "large") + angle(&run, "small")).rem_euclid(TAU);
        assert!(slip.min(TAU - slip) < 1e-10, "{formulation} {slip}");
        let ledger = run.ledger();
        // Steps that turn by Δθ have the momentum J sin Δθ/h.
        let left = ledger.unexplained.spread();
        assert!(left < 1e-3 * ledger.energy.last, "{left}");
    }
}

#[test]
fn gears_pass_impacts_on() {
    // A ball hits an arm whose shaft drives a second wheel: angular momentum of what is geared together.
    let mut run = start(
        "[body.arm]\nshape = { box = [1, 0.1, 0.1] }\nmass = 1.2\nposition = [0, 0, 0]\n\
         [body.wheel]\nmass = 1\ninertia = [0.1, 0.05, 0.1]\nposition = [0, 2, 0]\n\
         [body.ball]\nshape = { sphere = 0.05 }\nmass = 0.5\nposition = [0.4, 0, 0.2]\nvelocity = [0, 0, -2]\n\
         [joint.shaft]\nkind = \"revolute\"\nbetween = [\"world\", \"arm\"]\naxis = [0, 1, 0]\n\
         [joint.axle]\nkind = \"revolute\"\nbetween = [\"world\", \"wheel\"]\naxis = [0, 1, 0]\n\
         couple = { joint = \"shaft\", ratio = 3 }\narmature = 0.01\n\
         [contact]\nrestitution = 1\n\
         [simulate]\nduration = 1\nstep = 0.01\n",
    );
    let energy = run.totals().energy();
    steps(&mut run, 0.2);
    // J = J_arm + 9 (J_wheel + J_r), struck at 0.4 m with e = 1.
    let j = 1.2 * (1.0 + 0.01) / 12.0 + 9.0 * 0.06;
    let (m, r, v) = (0.5, 0.4, 2.0);
    let impulse = 2.0 * v / (1.0 / m + r * r / j);
    let got = spin(&run, "arm");
    assert!(
        (got - r * impulse / j).abs() < 1e-9,
        "{got} {}",
        r * impulse / j
    );
    assert!((spin(&run, "wheel") - 3.0 * got).abs() < 1e-9);
    assert!((run.totals().energy() - energy).abs() < 1e-10 * energy);
}

#[test]
fn coordinates_of_linkages_have_the_same() {
    // A cart of 2 kg with a rotor that weighs 0.5 kg on a spring of 50 N/m: ω² = 20.
    let mut run = start(
        "[linkage.cart]\ncoordinates.x = { start = 0.1, spring = { stiffness = 50 }, armature = 0.5 }\n\
         links.cart = { slide = [1, 0], by = \"x\", mass = 2 }\n\
         [simulate]\nduration = 1\nstep = 0.001\n",
    );
    steps(&mut run, 1.0);
    let exact = 0.1 * f64::cos(20f64.sqrt());
    assert!((run.state().coordinates[0] - exact).abs() < 1e-6);
    assert!(run.ledger().energy.spread() < 1e-5 * run.ledger().energy.initial);
    // Dry friction: a = F/m until it stands.
    let mut run = start(
        "[linkage.cart]\ncoordinates.x = { rate = 1, friction = 4 }\n\
         links.cart = { slide = [1, 0], by = \"x\", mass = 2 }\n\
         [simulate]\nduration = 1\nstep = 0.007\n",
    );
    steps(&mut run, 0.98);
    assert!((run.state().coordinates[0] - 0.25).abs() < 1e-4);
    assert!(run.coordinate_rates()[0].abs() < 1e-12);
}

#[test]
fn what_makes_no_sense_is_told() {
    let fails = |physics: &str, words: &[&str]| {
        let text = format!(
            "[body.wheel]\nmass = 1\ninertia = [0.3, 0.2, 0.3]\n\
             [joint.hinge]\nkind = \"revolute\"\nbetween = [\"world\", \"wheel\"]\naxis = [0, 1, 0]\n{physics}\n\
             [simulate]\nduration = 1\nstep = 0.01\n"
        );
        let built = Scenario::parse("test.toml", &text).and_then(|s| s.build().map(|_| ()));
        let told = built.expect_err(physics).to_string();
        for word in words {
            assert!(told.contains(word), "{physics}: {told}");
        }
    };
    fails(
        "spring = { rest = 1 }",
        &["joint.hinge.spring", "stiffness"],
    );
    fails("damping = -1", &["joint.hinge.damping"]);
    fails(
        "servo = { stiffness = 1 }",
        &["joint.hinge.servo", "position"],
    );
    fails(
        "servo = { position = 1 }",
        &["joint.hinge.servo", "stiffness"],
    );
    fails(
        "servo = { velocity = 1, stiffness = 2, damping = 1 }",
        &["servo.stiffness"],
    );
    fails(
        "servo = { velocity = \"2*q\", damping = 1 }",
        &["servo.velocity", "q"],
    );
    fails(
        "couple = { joint = \"hinges\", ratio = 1 }",
        &["couple.joint", "hinge"],
    );
    fails(
        "couple = { joint = \"hinge\", ratio = 1 }",
        &["couple.joint", "itself"],
    );
    let ball = "[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[joint.j]\nkind = \"spherical\"\n\
                between = [\"world\", \"a\"]\ndamping = 1\n[simulate]\nduration = 1\nstep = 0.01\n";
    let told = Scenario::parse("test.toml", ball).unwrap().build();
    assert!(told.unwrap_err().to_string().contains("revolute"));
}

/// Wheels that touch without friction do not feel each other: joints bear all of the contact, and what is left
/// of its direction in the turns is round-off.
#[test]
fn wheels_that_touch_without_friction_turn_freely() {
    for formulation in FORMULATIONS {
        let text = format!(
            "[body.a]\nshape = {{ cylinder = {{ radius = 0.2, height = 0.05 }} }}\nmass = 2\n\
             [body.b]\nshape = {{ cylinder = {{ radius = 0.1, height = 0.05 }} }}\nmass = 1\nposition = [0.3, 0, 0]\n\
             [joint.one]\nkind = \"revolute\"\nbetween = [\"world\", \"a\"]\naxis = [0, 0, 1]\nat = [0, 0, 0]\n\
             servo = {{ velocity = 1e6, damping = 1, limit = 0.5 }}\n\
             [joint.two]\nkind = \"revolute\"\nbetween = [\"world\", \"b\"]\naxis = [0, 0, 1]\nat = [0.3, 0, 0]\n\
             [simulate]\nduration = 1\nstep = 0.005\nformulation = \"{formulation}\"\n"
        );
        let mut run = start(&text);
        for _ in 0..20 {
            run.step().unwrap_or_else(|e| panic!("{formulation}: {e}"));
        }
        // ω = τ t / (½ m r²).
        let [a, b] = [run.twists()[0].w.z, run.twists()[1].w.z];
        assert!((a - 1.25).abs() < 1e-10, "{formulation}: {a}");
        assert!(b.abs() < 1e-9, "{formulation}: {b}");
    }
}
