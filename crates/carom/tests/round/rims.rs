//! Cans and coins that stand on round ends: they tip over their rims, rock on them and come to rest, under all laws.

use carom::simulate::Simulation;
use nalgebra::Vector3;

use super::shared::{G, start};

/// A can of radius 0.1 and height 0.4 that weighs 5 kg, on a floor.
fn can(body: &str, rest: &str, law: &str) -> Simulation {
    start(&format!(
        "gravity = [0, 0, -{G}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n[body.can]\n\
         shape = {{ cylinder = {{ radius = 0.1, height = 0.4 }} }}\nmass = 5\nposition = [0, 0, 0.2]\n{body}\n{rest}\n\
         [contact]\nfriction = 0.8\nrestitution = 0\n[simulate]\nduration = 1\nstep = 0.002\nlaw = \"{law}\"\n"
    ))
}

/// How far the axis of a body leans.
fn lean(run: &Simulation, body: usize) -> f64 {
    let axis = run.state().poses[body].directors.column(2).into_owned();
    axis.cross(&Vector3::z()).norm().atan2(axis.z)
}

#[test]
fn a_can_tips_where_its_weight_leaves_the_rim() {
    // A force F at half the height tips it over a rim of radius r where F h/2 > m g r, whatever its direction.
    let limit = 5.0 * G * 0.1 / 0.2;
    for law in ["exact", "decomposition"] {
        for angle in [0.0_f64, 10.0, 22.5, 31.0, 45.0, 170.0] {
            let (sin, cos) = angle.to_radians().sin_cos();
            for (part, tips) in [(0.99, false), (1.01, true)] {
                let push = format!(
                    "[load.push]\nbody = \"can\"\nforce = [{:?}, {:?}, 0]\n",
                    part * limit * cos,
                    part * limit * sin
                );
                let mut run = can("", &push, law);
                run.run(150).unwrap();
                assert_eq!(run.ledger().unsettled_count, 0, "{law} {angle} {part}");
                assert_eq!(lean(&run, 0) > 1e-3, tips, "{law} {angle} {part}");
                assert!(tips || lean(&run, 0) < 1e-9, "{law} {angle} {part}");
            }
        }
    }
}

#[test]
fn a_can_tips_as_far_as_its_energy_lifts_it() {
    // About a point of the rim J = m (r²/4 + h²/12 + r² + h²/4); it leans until ½ J ω² has lifted its centre.
    let (r, h, spin) = (0.1, 0.4, 1.2);
    let inertia = 5.0 * (r * r / 4.0 + h * h / 12.0 + r * r + h * h / 4.0);
    let lifted = 0.5 * inertia * spin * spin / (5.0 * G);
    let height = |lean: f64| r * lean.sin() + 0.5 * h * lean.cos() - 0.5 * h;
    // The root below the top of the way.
    let (mut low, mut high) = (0.0, (2.0 * r / h).atan());
    assert!(height(high) > lifted);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if height(middle) < lifted {
            low = middle;
        } else {
            high = middle;
        }
    }
    for angle in [0.0_f64, 17.0, 22.5] {
        // It turns about the point of the rim in front: v = ω × (centre − rim).
        let (sin, cos) = angle.to_radians().sin_cos();
        let (front, axis) = (Vector3::new(cos, sin, 0.0), Vector3::new(-sin, cos, 0.0));
        let v = (axis * spin).cross(&(Vector3::z() * (0.5 * h) - front * r));
        let body = format!(
            "velocity = [{:?}, {:?}, {:?}]\nangular_velocity = [{:?}, {:?}, 0]",
            v.x,
            v.y,
            v.z,
            axis.x * spin,
            axis.y * spin
        );
        let mut run = can(&body, "", "exact");
        let mut most: f64 = 0.0;
        for _ in 0..100 {
            run.step().unwrap();
            most = most.max(lean(&run, 0));
        }
        assert_eq!(run.ledger().unsettled_count, 0, "{angle}");
        assert!((most - low).abs() < 2e-3 * low, "{angle}: {most} {low}");
    }
}

#[test]
fn a_can_that_was_struck_rocks_on_its_rim_and_comes_to_rest() {
    for law in ["exact", "decomposition", "plastic"] {
        for (turn, spin) in [
            (17.0, Vector3::new(-1.2, 2.5, 0.7)),
            (0.0, Vector3::new(1.0, 1.5, 0.0)),
            (40.0, Vector3::new(-2.0, -0.4, 3.0)),
        ] {
            let body = format!(
                "rotation_deg = [0, 0, {turn:?}]\nvelocity = [0.3, 0.2, 0]\n\
                 angular_velocity = [{:?}, {:?}, {:?}]",
                spin.x, spin.y, spin.z
            );
            let mut run = can(&body, "", law);
            run.run(1500).unwrap();
            let ledger = run.ledger();
            // Instants at which it passes through the upright may miss the tolerance of all digits: up to 4, and 12 under
            // the plastic law, if the spin is changed by a thousandth.
            assert!(
                ledger.unsettled_count <= if law == "plastic" { 15 } else { 5 },
                "{law} {turn}: {:?}",
                ledger.unsettled
            );
            assert!(run.twists()[0].v.norm() < 1e-9, "{law} {turn}");
            assert!(lean(&run, 0) < 1e-9, "{law} {turn}");
            assert!(
                ledger.overlap_max < 1e-9,
                "{law} {turn}: {}",
                ledger.overlap_max
            );
        }
    }
}

#[test]
fn a_turntable_that_speeds_up_tips_a_tall_can_outwards() {
    // On a table that turns at ω = c t a can at distance R tips where m ω² R h/2 > m g r (and c R is small beside it).
    let (c, far, r, h): (f64, f64, f64, f64) = (0.6, 0.5, 0.05, 0.4);
    for law in ["exact", "decomposition"] {
        let mut run = start(&format!(
            "gravity = [0, 0, -{G}]\n[body.table]\nkind = \"static\"\n\
             shape = {{ cylinder = {{ radius = 0.8, height = 0.1 }} }}\nposition = [0, 0, -0.05]\n\
             motion = {{ rotation = {{ axis = [0, 0, 1], angle = \"{}*t^2\" }} }}\n\
             [body.can]\nshape = {{ cylinder = {{ radius = {r}, height = {h} }} }}\nmass = 2\n\
             position = [{far}, 0, {}]\n[contact]\nfriction = 0.8\nrestitution = 0\n\
             [simulate]\nduration = 5\nstep = 0.002\nlaw = \"{law}\"\n",
            0.5 * c,
            0.5 * h
        ));
        // (ω² R)² + (c R)² = (2 g r/h)².
        let along = ((2.0 * G * r / h).powi(2) - (c * far).powi(2)).sqrt();
        let wanted = (along / far).sqrt() / c;
        let mut tipped = None;
        while run.time() < 1.02 * wanted {
            run.step().unwrap();
            if tipped.is_none() && lean(&run, 1) > 1e-6 {
                tipped = Some(run.time());
            }
        }
        assert!(run.ledger().unsettled_count <= 3, "{law}");
        let tipped = tipped.expect("it tips");
        assert!(
            (tipped - wanted).abs() < 0.01 * wanted,
            "{law}: {tipped} {wanted}"
        );
    }
}

#[test]
fn a_pile_of_capsules_that_stick_gains_no_energy() {
    for seed in [3, 11, 12] {
        let mut run = start(&format!(
            "gravity = [0, 0, -{G}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n[group.pill]\n\
             shape = {{ capsule = {{ radius = 0.03, height = 0.08 }} }}\ndensity = 1000\n\
             layout = {{ grid = {{ count = [2, 2, 3], from = [0, 0, 0.1], step = [0.2, 0.2, 0.2] }} }}\n\
             rotation = {{ random = {{ seed = {seed}, radius = 1 }} }}\n\
             velocity = {{ random = {{ seed = {}, deviation = 0.3 }} }}\n[contact]\nfriction = 0.5\n\
             [simulate]\nduration = 1\nstep = 0.002\nlaw = \"plastic\"\n",
            seed + 10
        ));
        for _ in 0..500 {
            let info = run.step().unwrap();
            assert!(
                info.contact.energy < 1e-3,
                "{seed}: {}",
                info.contact.energy
            );
        }
        assert!(
            run.ledger().unsettled_count <= 1,
            "{seed}: {:?}",
            run.ledger().unsettled
        );
        assert!(run.ledger().energy.last < 0.5 * run.ledger().energy.initial);
    }
}

/// Discs and cones that fall into a narrow box, one after the other.
#[test]
fn poured_discs_and_cones_come_down() {
    let walls = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(|[x, y]| {
        let (px, py) = (-0.25 * f64::from(x), -0.25 * f64::from(y));
        format!(
            "[halfspace.wall_{}]\nnormal = [{x}, {y}, 0]\npoint = [{px}, {py}, 0]\n",
            x + 2 * y + 2
        )
    });
    let places = [
        ([0.025, 0.048, 0.2], [143, 170, 133]),
        ([0.084, -0.094, 0.5], [84, 170, 117]),
        ([0.08, -0.077, 0.8], [84, 44, 98]),
        ([0.015, -0.097, 1.1], [39, 50, 165]),
        ([0.053, -0.068, 1.4], [143, 25, 111]),
        ([-0.075, -0.1, 1.7], [157, 38, 39]),
    ];
    for (shape, restitution) in [
        ("disc = { radius = 0.12, thickness = 0.03 }", 0.3),
        ("cone = { radius = 0.1, height = 0.2 }", 0.0),
    ] {
        let bodies: String = (places.iter().enumerate())
            .map(|(k, (place, turned))| {
                format!(
                    "[body.b{k}]\nshape = {{ {shape} }}\ndensity = 1000\nposition = {place:?}\n\
                     rotation_deg = {turned:?}\n"
                )
            })
            .collect();
        let mut run = start(&format!(
            "gravity = [0, 0, -{G}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n{}{bodies}[contact]\n\
             restitution = {restitution}\nfriction = 0.4\n[simulate]\nduration = 1.5\nstep = 0.005\n",
            walls.concat()
        ));
        run.run(300).unwrap();
        let ledger = run.ledger();
        assert!(
            ledger.contact_energy < 0.0 && ledger.overlap_max < 1e-6,
            "{shape}: {}",
            ledger.overlap_max
        );
        assert!(ledger.energy.last < 0.3 * ledger.energy.initial, "{shape}");
    }
}

#[test]
fn a_can_that_slides_off_a_turntable_is_not_lifted() {
    // Where its base leaves the rim of the table there are two ways out, up and off the edge.
    for friction in [0.3, 0.5] {
        let mut run = start(&format!(
            "gravity = [0, 0, -{G}]\n[body.table]\nkind = \"static\"\n\
             shape = {{ cylinder = {{ radius = 0.5, height = 0.02 }} }}\nposition = [0, 0, -0.01]\n\
             motion = {{ rotation = {{ axis = [0, 0, 1], angle = \"2*t^2\" }} }}\n\
             [body.can]\nshape = {{ cylinder = {{ radius = 0.033, height = 0.115 }} }}\ndensity = 1000\n\
             position = [0.3, 0, 0.0575]\n[contact]\nfriction = {friction}\nrestitution = 0.2\n\
             [simulate]\nduration = 2\nstep = 0.005\n"
        ));
        run.run(400).unwrap();
        assert!(run.state().poses[1].position.z < -0.1);
        let lifted = run.ledger().projection_energy;
        assert!(lifted.abs() < 1e-6, "{friction} {lifted}");
    }
}

/// Two cylinders, or two cones, that fall onto each other in a narrow box: the place at which they touch goes from one
/// end to the other within a step.
#[test]
fn round_bodies_that_slap_down_onto_each_other_are_solved() {
    let walls = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(|[x, y]| {
        let (px, py) = (-0.09 * f64::from(x), -0.09 * f64::from(y));
        let name = x + 2 * y + 2;
        format!("[halfspace.wall_{name}]\nnormal = [{x}, {y}, 0]\npoint = [{px}, {py}, 0]\n")
    });
    let mut unsettled = 0;
    for (shape, seeds) in [
        (
            "cylinder = { radius = 0.04, height = 0.1 }",
            [3, 21, 22, 23, 27, 34],
        ),
        (
            "cone = { radius = 0.05, height = 0.08 }",
            [1, 2, 3, 4, 5, 6],
        ),
    ] {
        for seed in seeds {
            let mut run = start(&format!(
                "gravity = [0, 0, -{G}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n{}[group.p]\nshape = {{ {shape} }}\n\
                 density = 500\nlayout = {{ line = {{ count = 2, from = [0, 0, 0.15], step = [0, 0, 0.15] }} }}\n\
                 rotation = {{ random = {{ seed = {seed}, radius = 3 }} }}\n[contact]\nrestitution = 0.3\n\
                 friction = 0.4\n[simulate]\nduration = 0.6\nstep = 0.005\nlaw = \"exact\"\n",
                walls.concat()
            ));
            run.run(120).unwrap();
            let ledger = run.ledger();
            unsettled += ledger.unsettled_count;
            assert!(
                ledger.overlap_max < 1e-9,
                "{shape} {seed}: {}",
                ledger.overlap_max
            );
            assert!(ledger.energy.last < ledger.energy.initial, "{shape} {seed}");
        }
    }
    assert!(unsettled <= 6, "{unsettled} unsettled instants");
}

/// Logs of which two lie on the floor and a third comes down between them: what they roll and rub leaves them askew by
/// less than a thousandth, so that they touch at one place of their whole lengths, which may be anywhere.
#[test]
fn logs_that_lie_askew_on_each_other_carry() {
    let mut text = format!(
        "gravity = [0, 0, -{G}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
         [contact]\nfriction = 0.5\nrestitution = 0.1\n[simulate]\nduration = 1\nstep = 0.005\n"
    );
    for (k, [x, z]) in [[-0.1, 0.105], [0.11, 0.105], [0.0, 0.315]]
        .iter()
        .enumerate()
    {
        text += &format!(
            "[body.log{k}]\nshape = {{ cylinder = {{ radius = 0.1, height = 0.8 }} }}\ndensity = 500\n\
             position = [{x}, {}, {z}]\nrotation_deg = [90, 0, 0]\n",
            0.01 * k as f64
        );
    }
    let mut run = start(&text);
    run.run(200).unwrap();
    let ledger = run.ledger();
    // 18 and more while circles and axes told of different places; changes of rounding make it one to three.
    assert!(ledger.unsettled_count <= 6, "{:?}", ledger.unsettled);
    assert!(ledger.overlap_max < 2e-9, "{}", ledger.overlap_max);
    assert!(ledger.energy.last < ledger.energy.initial);
}
