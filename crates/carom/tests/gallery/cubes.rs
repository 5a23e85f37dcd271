//! What the gallery's free polyhedra must show, read from the record of their runs: the cradles,
//! the plastic collisions, the falling cube and the falling polyhedra.

use crate::gallery::{Record, data, difference, norm, numbers, run, run_in};
use serde_json::Value;

const CRADLES: [(&str, &str); 2] = [("cradle-1", "case1"), ("cradle-2", "case2_pairwise")];
const EDGE: f64 = 0.2 * std::f64::consts::SQRT_2;

fn cubes() -> [String; 5] {
    std::array::from_fn(|k| format!("cube-{}", k + 1))
}

fn speeds(record: &Record) -> Vec<f64> {
    let speed = |name: &String| record.body(name, "velocity")[0];
    cubes().iter().map(speed).collect()
}

fn spin(record: &Record) -> f64 {
    let spin = |name: &String| norm(&record.body(name, "angular_velocity"));
    cubes().iter().map(spin).fold(0.0, f64::max)
}

/// Where the cubes of the reference are at a time after its last event.
fn places(reference: &Value, time: f64) -> Vec<f64> {
    let last = reference["events"].as_array().unwrap().last().unwrap();
    let (x, v) = (numbers(&last["x"]), numbers(&reference["v_final"]));
    let since = time - last["t"].as_f64().unwrap();
    x.iter().zip(&v).map(|(x, v)| x + v * since).collect()
}

#[test]
fn cradles_pass_the_motion_on_exactly() {
    let reference = data(include_str!("../data/cradle.json"));
    for (name, case) in CRADLES {
        for example in [name.to_string(), format!("{name}:exact")] {
            let record = run(&example, &[]);
            let want = &reference[case];
            let mut contacts = record.contacts.iter();
            for event in want["events"].as_array().unwrap() {
                for pair in event["contacts"].as_array().unwrap() {
                    let c = contacts.next().unwrap();
                    assert!(
                        (c.time - event["t"].as_f64().unwrap()).abs() < 1e-9,
                        "{c:?}"
                    );
                    // Those of one instant come in any order.
                    let among = event["contacts"].as_array().unwrap().iter().any(|p| {
                        let [a, b] = [&p[0], &p[1]].map(|k| format!("cube-{k}"));
                        c.is_between(&a, &b)
                    });
                    assert!(among, "{c:?} {pair}");
                }
            }
            assert!(contacts.next().is_none(), "{example}");
            assert!(difference(&speeds(&record), &numbers(&want["v_final"])) < 1e-9);
            assert!(spin(&record) < 1e-12);
            assert!(record.range("energy").spread() < 1e-12);
            assert!(record.momentum_change("linear_momentum") < 1e-12);
            assert_eq!(record.number("overlap_max"), 0.0);
        }
    }
}

#[test]
fn cradles_pass_the_motion_on_by_decomposition() {
    let reference = data(include_str!("../data/cradle.json"));
    for (name, case) in CRADLES {
        let record = run(&format!("{name}:decomposition"), &[]);
        let want = &reference[case];
        let v = numbers(&want["v_final"]);
        assert!(
            difference(&speeds(&record), &v) < 1e-9,
            "{:?}",
            speeds(&record)
        );
        assert!(spin(&record) < 1e-12);
        // Within what a cube travels in one step for each impact it had to wait for.
        let place = |name: &String| record.body(name, "position")[0];
        let at: Vec<f64> = cubes().iter().map(place).collect();
        let one_step = 0.015 * 0.105;
        let apart = difference(&at, &places(want, record.number("time_end")));
        assert!(apart < one_step, "{name} {apart:e}");
        assert!(record.range("energy").spread() < 1e-9);
    }
}

#[test]
fn cradles_pass_the_motion_on_by_potential() {
    for (name, _) in CRADLES {
        let record = run(&format!("{name}:potential"), &[]);
        let overlap = record.number("overlap_max");
        assert!(overlap > 0.0 && overlap < 0.05 * EDGE, "{overlap}");
        let energy = record.range("energy");
        assert!(
            (energy.last / energy.initial - 1.0).abs() < 0.02,
            "{energy:?}"
        );
        assert!(record.momentum_change("linear_momentum") < 1e-12);
        assert!(spin(&record) < 1e-12);
        // The last cube alone moves, but for a little; the outer two leave.
        let v = speeds(&record);
        assert!((v[4] - 0.105).abs() < 0.02 * 0.105, "{v:?}");
        assert!(v[2].abs() < 0.02 * 0.105, "{v:?}");
    }
}

#[test]
fn plastic_cubes_go_on_together() {
    for (example, speed) in [("plastic-one", 0.25), ("plastic-two", 0.0)] {
        let record = run(example, &[]);
        for body in ["left", "right"] {
            let v = record.body(body, "velocity");
            assert!(
                difference(&v, &[speed, 0.0, 0.0]) < 1e-12,
                "{example} {v:?}"
            );
            assert!(norm(&record.body(body, "angular_velocity")) < 1e-12);
        }
        let [left, right] = ["left", "right"].map(|b| record.body(b, "position")[0]);
        assert!((right - left - EDGE).abs() < 1e-9, "{example}");
        assert!(record.momentum_change("linear_momentum") < 1e-12);
    }
}

#[test]
fn falling_cube_bounces_on_time() {
    let reference = data(include_str!("../data/falling_cube.json"));
    for (variant, key) in [
        ("exact-hamiltonian", "vi_h0.001_H"),
        ("exact", "vi_h0.001_Ed"),
    ] {
        let record = run(&format!("falling-cube:{variant}"), &[]);
        let want = reference[key].as_array().unwrap();
        assert_eq!(record.contacts.len(), want.len());
        for (c, w) in record.contacts.iter().zip(want) {
            assert!((c.time - w["t"].as_f64().unwrap()).abs() < 1e-9, "{c:?}");
            let after = w["v_plus"].as_f64().unwrap();
            assert!((c.speed_after - after).abs() < 1e-9, "{c:?}");
        }
        // The highest point that the energy after a jump leads back to.
        let (weight, energy) = (2.16 * 9.81, record.range("energy"));
        let apex = [energy.min / weight, energy.max / weight];
        if variant == "exact-hamiltonian" {
            assert!(apex.iter().all(|z| (z - 0.8).abs() < 1e-9), "{apex:?}");
        }
        assert!(norm(&record.body("cube", "angular_velocity")) < 1e-12);
    }
}

#[test]
fn tilted_cube_tumbles_without_loss() {
    let record = run("falling-cube:tilted", &[]);
    assert!(record.contacts.len() >= 10);
    record.assert_elastic_jumps(1e-9);
    let energy = record.range("energy");
    assert!(energy.spread() < 1e-10 * energy.initial, "{energy:?}");
    assert!(norm(&record.body("cube", "angular_velocity")) > 0.1);
    assert_upright_spin_kept(&record, 1e-10);
}

/// Without friction the vertical angular momentum stays what it is.
fn assert_upright_spin_kept(record: &Record, tolerance: f64) {
    let vertical = record.column("angular_momentum.z");
    let change = vertical.iter().map(|l| (l - vertical[0]).abs());
    let change = change.fold(0.0, f64::max);
    assert!(change < tolerance, "{change:e}");
}

#[test]
fn falling_cube_keeps_account_of_projections() {
    let reference = data(include_str!("../data/falling_cube.json"));
    let times = numbers(&reference["impacts"]);
    for variant in ["decomposition", "decomposition-potential"] {
        let record = run(&format!("falling-cube:{variant}"), &[]);
        // The impacts of a step happen at its end; moving up adds energy, so they come later.
        assert!(record.contacts.len() >= times.len());
        assert!(record.contacts[0].time - times[0] < 0.001);
        for (c, t) in record.contacts.iter().zip(&times) {
            assert!((c.time / t - 1.0).abs() < 0.02, "{variant} {c:?} {t}");
        }
        let energy = record.range("energy");
        let moved = record.number("projection_energy");
        assert!(
            (energy.last - energy.initial - moved).abs() < 1e-10,
            "{variant}"
        );
        assert!(moved.abs() > 1e-6, "{moved}");
    }
}

#[test]
fn frictional_cube_comes_to_rest_exactly() {
    assert_comes_to_rest("falling-cube:frictional-exact");
}

#[test]
fn frictional_cube_comes_to_rest_by_decomposition() {
    assert_comes_to_rest("falling-cube:frictional");
}

/// Within the first five seconds the cube lies still on a face and stays where it is for ten more.
fn assert_comes_to_rest(example: &str) {
    let record = run(example, &[]);
    let still = record.frame(5.0);
    for column in ["x", "y", "z"] {
        let place = record.column(&format!("cube.{column}"));
        let creep = place[still..].iter().map(|x| (x - place[still]).abs());
        let creep = creep.fold(0.0, f64::max);
        assert!(creep < 1e-6, "{example} {column} {creep:e}");
    }
    let kinetic = record.column("kinetic");
    let most = kinetic[still..].iter().copied().fold(0.0, f64::max);
    assert!(most < 1e-8, "{example} {most:e}");
    // On a face.
    assert!((record.body("cube", "position")[2] - 0.1).abs() < 1e-6);
    assert!(record.range("energy").last < record.range("energy").initial);
}

#[test]
fn polyhedra_fall_without_loss() {
    for example in ["falling-polyhedra", "falling-polyhedra:exact-hamiltonian"] {
        let record = run(example, &[]);
        assert_eq!(record.number("time_end"), 2.0);
        assert_tumbled(&record);
        record.assert_elastic_jumps(1e-9);
        let energy = record.range("energy");
        assert!(energy.deviation() < 1e-10 * energy.initial, "{energy:?}");
        assert!(record.number("overlap_max") <= 1e-9);
        assert_upright_spin_kept(&record, 1e-10);
    }
}

#[test]
fn polyhedra_keep_the_energy_of_steps() {
    let record = run("falling-polyhedra:exact", &[]);
    assert_eq!(record.number("time_end"), 2.0);
    assert_tumbled(&record);
    let energy = record.range("energy");
    assert!(energy.deviation() < 1e-4 * energy.initial, "{energy:?}");
    assert!(record.number("overlap_max") <= 1e-9);
    assert_upright_spin_kept(&record, 1e-10);
    // No systematic drift: it goes up and down.
    let history = record.column("energy");
    let changes = history.windows(2).map(|w| w[1] - w[0]);
    let (up, down): (Vec<f64>, Vec<f64>) = changes
        .filter(|c| c.abs() > 1e-6 * energy.initial)
        .partition(|c| *c > 0.0);
    assert!(
        !up.is_empty() && !down.is_empty(),
        "{} {}",
        up.len(),
        down.len()
    );
}

/// Every body hit the floor and some hit each other.
fn assert_tumbled(record: &Record) {
    let bodies = record.summary["bodies"].as_object().unwrap();
    for name in bodies.keys() {
        let hit = record.contacts.iter().any(|c| c.is_between(name, "floor"));
        assert!(hit, "{name} never hit the floor");
    }
    let others = record
        .contacts
        .iter()
        .filter(|c| !c.pair.contains(&"floor".into()));
    assert!(others.count() > 0);
}

#[test]
fn polyhedra_fall_by_decomposition() {
    let record = run("falling-polyhedra:decomposition", &[]);
    assert_eq!(record.number("time_end"), 2.0);
    assert_tumbled(&record);
    let energy = record.range("energy");
    let moved = record.number("projection_energy");
    let lost = record.number("contact_energy");
    let unexplained = energy.last - energy.initial - moved - lost;
    assert!(unexplained.abs() < 1e-9 * energy.initial, "{unexplained:e}");
}

#[test]
fn polyhedra_fall_by_potential() {
    let record = run_in("polyhedra-potential", "falling-polyhedra:potential", &[]);
    assert_eq!(record.number("time_end"), 2.0);
    // Of the prism, 0.4 m high, which is thirty times as heavy as the others.
    assert!(record.number("overlap_max") < 0.05 * 0.4);
    assert_tumbled(&record);
    assert_upright_spin_kept(&record, 1e-10);
}
