//! Round bodies roll: against closed forms.

use carom::scenario::Scenario;
use carom::simulate::Simulation;
use nalgebra::Vector3;

use super::shared::{G, start};

/// A body on a floor, or on a slope of some angle, friction 0.5.
fn on_floor(body: &str, angle: f64, e: f64, step: f64, law: &str) -> Simulation {
    let (sin, cos) = angle.sin_cos();
    start(&format!(
        "gravity = [{}, 0, {}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n{body}\n\
         [contact]\nrestitution = {e}\nfriction = 0.5\n\
         [simulate]\nduration = 1\nstep = {step}\nlaw = \"{law}\"\n",
        G * sin,
        -G * cos,
    ))
}

fn velocity(simulation: &mut Simulation) -> Vector3<f64> {
    simulation.twists()[0].v
}

const ROLLING: [(&str, &str); 3] = [
    ("sphere = 0.05", "0, 0, 0"),
    ("cylinder = { radius = 0.05, height = 0.2 }", "90, 0, 0"),
    ("capsule = { radius = 0.05, height = 0.2 }", "90, 0, 0"),
];

#[test]
fn what_rolls_keeps_its_speed() {
    for (shape, turned) in ROLLING {
        for law in ["exact", "decomposition"] {
            let body = format!(
                "[body.b]\nshape = {{ {shape} }}\ndensity = 1000\nposition = [0, 0, 0.05]\n\
                 rotation_deg = [{turned}]\nvelocity = [0.5, 0, 0]\nangular_velocity = [0, 10, 0]\n"
            );
            let mut run = on_floor(&body, 0.0, 0.0, 0.005, law);
            run.run(2000).unwrap();
            let v = velocity(&mut run);
            assert!((v - Vector3::x() * 0.5).norm() < 1e-9, "{shape}: {v}");
            let spin = run.twists()[0].w;
            assert!(
                (spin - Vector3::y() * 10.0).norm() < 1e-8,
                "{shape}: {spin}"
            );
            assert!(
                (run.state().poses[0].position.x - 5.0).abs() < 1e-9,
                "{shape}"
            );
            assert_eq!(run.ledger().unsettled_count, 0);
        }
    }
}

#[test]
fn down_a_slope_without_slipping() {
    // a = g sin α / (1 + J/(m r²)): exact at the nodes of any step size, gravity being constant.
    for (shape, turned, inertia) in [
        (ROLLING[0].0, ROLLING[0].1, 0.4),
        (ROLLING[1].0, ROLLING[1].1, 0.5),
    ] {
        let body = format!(
            "[body.b]\nshape = {{ {shape} }}\ndensity = 1000\nposition = [0, 0, 0.05]\nrotation_deg = [{turned}]\n"
        );
        let mut run = on_floor(&body, 0.2, 0.0, 0.002, "exact");
        run.run(200).unwrap();
        let wanted = 0.4 * G * 0.2f64.sin() / (1.0 + inertia);
        let v = velocity(&mut run);
        assert!(
            (v.x - wanted).abs() < 2e-4 * wanted,
            "{shape}: {} for {wanted}",
            v.x
        );
        let slip = v.x - 0.05 * run.twists()[0].w.y;
        assert!(slip.abs() < 1e-9, "{slip}");
    }
}

#[test]
fn a_sliding_ball_comes_to_roll_at_five_sevenths() {
    let body = "[body.b]\nshape = { sphere = 0.05 }\ndensity = 1000\nposition = [0, 0, 0.05]\nvelocity = [0.7, 0, 0]\n";
    let mut run = on_floor(body, 0.0, 0.0, 0.002, "exact");
    run.run(100).unwrap();
    let v = velocity(&mut run);
    assert!((v.x - 0.5).abs() < 1e-9, "{}", v.x);
}

#[test]
fn a_bouncing_ball_with_spin_takes_the_impulse_of_friction() {
    // Falling without spin at a slant: friction sticks, so v → 5/7 v; e = 1 keeps the height.
    let body = "[body.b]\nshape = { sphere = 0.05 }\ndensity = 1000\nposition = [0, 0, 0.1]\nvelocity = [0.2, 0, -2]\n";
    let mut run = on_floor(body, 0.0, 1.0, 0.001, "exact");
    run.run(50).unwrap();
    let v = velocity(&mut run);
    assert!((v.x - 0.2 * 5.0 / 7.0).abs() < 1e-12, "{}", v.x);
    assert!(v.z > 0.0);
}

#[test]
fn a_rocking_egg_keeps_its_energy_to_second_order() {
    let body = "[body.b]\nshape = { ellipsoid = [0.05, 0.05, 0.08] }\ndensity = 1000\n\
                position = [0, 0, 0.0551]\nrotation_deg = [75, 0, 0]\n";
    let mut swings = Vec::new();
    for step in [0.004, 0.002] {
        let mut run = on_floor(body, 0.0, 0.0, step, "exact");
        run.run((0.2 / step) as usize).unwrap();
        let start = run.totals().energy();
        let mut most: f64 = 0.0;
        for _ in 0..(1.0 / step) as usize {
            run.step().unwrap();
            most = most.max((run.totals().energy() - start).abs());
        }
        assert_eq!(run.ledger().unsettled_count, 0);
        swings.push(most);
    }
    let order = (swings[0] / swings[1]).log2();
    assert!(order > 1.6, "{swings:?}");
}

#[test]
fn cylinders_stand_lie_and_stack() {
    let body = "[group.c]\nshape = { cylinder = { radius = 0.05, height = 0.1 } }\ndensity = 1000\n\
                layout = { line = { count = 3, from = [0, 0, 0.051], step = [0.01, 0, 0.101] } }\n";
    let mut run = on_floor(body, 0.0, 0.0, 0.002, "exact");
    run.run(300).unwrap();
    for (k, pose) in run.state().poses.clone().iter().enumerate() {
        let height = 0.05 + 0.1 * k as f64;
        assert!(
            (pose.position.z - height).abs() < 1e-9,
            "{k}: {}",
            pose.position.z
        );
        assert!((pose.directors[(2, 2)] - 1.0).abs() < 1e-9);
    }
    assert!(velocity(&mut run).norm() < 1e-9);
    assert_eq!(run.ledger().unsettled_count, 0);
}

#[test]
fn a_coin_rolls_in_a_circle() {
    // A disc that rolls upright and leans over by a little: steady rolling of a thin disc at lean θ from
    // the vertical on a circle of radius R (contact): with ω along its own axis and Ω the precession,
    // (m r² + J₃) Ω ω₃ cos θ' … is checked by conservation here: energy to second order in the step.
    let body = "[body.b]\nshape = { disc = { radius = 0.05 } }\ndensity = 10\n\
                position = [0, 0, 0.049240387650610395]\nrotation_deg = [80, 0, 0]\n\
                velocity = [0.5, 0, 0]\nangular_velocity = [0, 9.848077530122081, 1.7364817766693033]\n";
    let mut drifts = Vec::new();
    for step in [0.002, 0.001] {
        let mut run = on_floor(body, 0.0, 0.0, step, "exact");
        run.run(1).unwrap();
        let start = run.totals().energy();
        run.run((0.5 / step) as usize).unwrap();
        drifts.push((run.totals().energy() / start - 1.0).abs());
    }
    assert!(drifts[1] < 1e-4, "{drifts:?}");
}

#[test]
fn facets_are_there_for_those_who_ask() {
    let text = |shape: &str| {
        format!(
            "[body.b]\nshape = {{ {shape} }}\ndensity = 1\n[simulate]\nduration = 1\nstep = 0.1\n"
        )
    };
    let shape = |s: &str| {
        let scenario = Scenario::parse("test.toml", &text(s)).unwrap();
        scenario.build().unwrap().bodies()[0].shape.clone().unwrap()
    };
    assert!(
        shape("sphere = { radius = 1, facets = 4 }")
            .round(0)
            .is_none()
    );
    assert!(shape("sphere = 1").round(0).is_some());
    assert!(
        shape("cylinder = { radius = 1, height = 1, facets = 8 }")
            .round(0)
            .is_none()
    );
    assert!(shape("box = [1, 1, 1], radius = 0.1").round(0).is_some());
    // What stands for a round body in plans encloses it.
    let can = shape("cylinder = { radius = 1, height = 1, sides = 8 }");
    let reach = can.vertices()[0]
        .points()
        .iter()
        .map(|p| p.xy().norm())
        .fold(f64::INFINITY, f64::min);
    assert!(
        reach >= 1.0 / (std::f64::consts::PI / 8.0).cos() - 1e-12,
        "{reach}"
    );
}

#[test]
fn rolling_friction_slows_down_and_holds() {
    let text = |slope: f64, start: &str| {
        let (sin, cos) = slope.sin_cos();
        format!(
            "gravity = [{}, 0, {}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
             [body.b]\nshape = {{ sphere = 0.05 }}\ndensity = 1000\nposition = [0, 0, 0.05]\n{start}\n\
             [contact]\nrestitution = 0\nfriction = 0.5\nrolling_friction = 0.002\ntorsional_friction = 0.001\n\
             [simulate]\nduration = 1\nstep = 0.002\nlaw = \"exact\"\n",
            G * sin,
            -G * cos,
        )
    };
    // m v′ = −F and J ω′ = F r − δ N: v′ = −δ g / (r (1 + 2/5)).
    let mut run = start(&text(
        0.0,
        "velocity = [0.5, 0, 0]\nangular_velocity = [0, 10, 0]",
    ));
    run.run(200).unwrap();
    let wanted = 0.5 - 0.4 * 0.002 * G / (0.05 * 1.4);
    let v = velocity(&mut run);
    assert!((v.x - wanted).abs() < 2e-4, "{} for {wanted}", v.x);
    run.run(800).unwrap();
    assert!(velocity(&mut run).norm() < 1e-9);
    // J ω′ = −δ N about the vertical.
    let mut run = start(&text(0.0, "angular_velocity = [0, 0, 10]"));
    run.run(100).unwrap();
    let wanted = 10.0 - 0.2 * 0.001 * G / (0.4 * 0.05 * 0.05);
    let spin = run.twists()[0].w;
    assert!(
        (spin.z - wanted).abs() < 1e-3 * 10.0,
        "{} for {wanted}",
        spin.z
    );
    // On a slope below δ/r it stays.
    let mut run = start(&text(0.03, ""));
    run.run(500).unwrap();
    let x = run.state().poses[0].position.x;
    assert!(x.abs() < 1e-6, "{x}");
}

#[test]
fn a_belt_takes_a_box_along_and_pays_for_it() {
    let text = "gravity = [0, 0, -9.81]\n[halfspace.belt]\nnormal = [0, 0, 1]\nbelt = { velocity = [0.6, 0, 0] }\n\
                [body.b]\nshape = { cube = 0.1 }\ndensity = 1000\nposition = [0, 0, 0.05]\n\
                [contact]\nrestitution = 0\nfriction = 0.3\n\
                [simulate]\nduration = 1\nstep = 0.002\nlaw = \"exact\"\n";
    let mut run = start(text);
    // v = μ g t while it slides.
    run.run(50).unwrap();
    let v = velocity(&mut run).x;
    assert!((v - 0.3 * G * 0.1).abs() < 1e-9, "{v}");
    run.run(200).unwrap();
    let v = velocity(&mut run).x;
    assert!((v - 0.6).abs() < 1e-9, "{v}");
    // The belt gives m v²; half of it is kinetic energy, half was rubbed away.
    let work = run.ledger().work;
    assert!((work - 0.36).abs() < 2e-3, "{work}");
    let lost = run.ledger().contact_energy;
    assert!((lost + 0.18).abs() < 2e-3, "{lost}");
    assert_eq!(run.ledger().unsettled_count, 0);
}

#[test]
fn a_turntable_carries_what_friction_holds() {
    // At rest on the table at first, thrown off only where ω² r > μ g; near the axis it is carried round.
    let text = "gravity = [0, 0, -9.81]\n[halfspace.table]\nnormal = [0, 0, 1]\nbelt = { angular_velocity = [0, 0, 2] }\n\
                [body.b]\nshape = { cylinder = { radius = 0.03, height = 0.02 } }\ndensity = 1000\n\
                position = [0.1, 0, 0.01]\nvelocity = [0, 0.2, 0]\nangular_velocity = [0, 0, 2]\n\
                [contact]\nrestitution = 0\nfriction = 0.3\n\
                [simulate]\nduration = 1\nstep = 0.001\nlaw = \"exact\"\n";
    let mut run = start(text);
    run.run(1000).unwrap();
    let x = run.state().poses[0].position;
    assert!((x.xy().norm() - 0.1).abs() < 1e-4, "{x}");
    let angle = x.y.atan2(x.x);
    assert!((angle - 2.0).abs() < 1e-3, "{angle}");
}

#[test]
fn what_sticks_plastically_still_rolls() {
    for (shape, turned) in ROLLING {
        for (hold, friction) in [("stick", 0.0), ("patch", 0.1)] {
            let mut run = start(&format!(
                "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n[body.b]\nshape = {{ {shape} }}\n\
                 density = 1000\nposition = [0, 0, 0.06]\nrotation_deg = [{turned}]\nvelocity = [0.7, 0, 0]\n\
                 [contact]\nfriction = {friction}\n[simulate]\nduration = 1\nstep = 0.002\nlaw = \"plastic\"\nhold = \"{hold}\"\n"
            ));
            run.run(500).unwrap();
            let (v, w) = (velocity(&mut run), run.twists()[0].w);
            // It sticks where it lands: all of its slip becomes roll.
            let model = run.model();
            let inertia = match shape.starts_with("sphere") {
                true => 0.4,
                false => {
                    let m = model.bodies()[0]
                        .shape
                        .as_ref()
                        .unwrap()
                        .mass_properties()
                        .unwrap();
                    m.inertia[(2, 2)] / (m.mass * 0.05 * 0.05)
                }
            };
            let wanted = 0.7 / (1.0 + inertia);
            assert!(
                (v.x - wanted).abs() < 1e-6,
                "{shape} {hold}: {} {wanted}",
                v.x
            );
            assert!((v.x - 0.05 * w.y).abs() < 1e-9, "{shape} {hold}");
            assert!((run.state().poses[0].position.z - 0.05).abs() < 1e-9);
        }
    }
}
