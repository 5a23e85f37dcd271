//! What the gallery's elastic bodies and magnets must show, read from the record of their runs.

use crate::gallery::{Record, end_of, run, run_in};
use carom::record::Status;

/// Mean place of the nodes of an elastic body along an axis, in a frame.
fn mean(record: &Record, body: &str, axis: &str, frame: usize) -> f64 {
    let columns = record.nodes(body, axis);
    columns.iter().map(|c| c[frame]).sum::<f64>() / columns.len() as f64
}

#[test]
fn cubes_collide_and_part_symmetrically() {
    let record = run("elastic-cubes", &[]);
    let energy = record.range("energy");
    assert!(energy.deviation() < 0.01 * energy.initial, "{energy:?}");
    for key in ["linear_momentum", "angular_momentum"] {
        assert!(record.momentum_change(key) < 1e-10, "{key}");
    }
    assert!(record.contacts.len() > 100);
    // Every node of a cube stays the mirror image of one of the cube opposite, in x, y and z: to round-off while
    // they collide, and within a hundredth of a side when they have parted, since round-off grows by contact.
    let last = record.column("time").len() - 1;
    let cubes: Vec<String> = [("middle", 4), ("inner", 6), ("outer", 4), ("end", 2)]
        .iter()
        .flat_map(|(name, count)| (1..=*count).map(move |k| format!("{name}-{k}")))
        .collect();
    let places = |frame: usize| -> Vec<[f64; 3]> {
        let of = |cube: &String| {
            let axes = ["x", "y", "z"].map(|axis| record.nodes(cube, axis));
            let at = |n: usize| axes.each_ref().map(|axis| axis[n][frame]);
            (0..axes[0].len()).map(at).collect::<Vec<_>>()
        };
        cubes.iter().flat_map(of).collect()
    };
    let (start, half, end) = (places(0), places(last / 2), places(last));
    let off = |a: &[f64; 3], b: &[f64; 3], axis: usize| {
        let each = (0..3).map(|k| a[k] - if k == axis { -b[k] } else { b[k] });
        each.fold(0.0, |most: f64, d| most.max(d.abs()))
    };
    for axis in 0..3 {
        for (k, a) in start.iter().enumerate() {
            let image = start.iter().position(|b| off(a, b, axis) < 1e-9);
            let image = image.expect("it starts symmetric");
            for (places, allowed) in [(&half, 1e-9), (&end, 1e-3)] {
                let lost = off(&places[k], &places[image], axis);
                assert!(lost < allowed, "axis {axis}, {a:?}: {lost:e}");
            }
        }
    }
    let outwards = |frame: usize| mean(&record, "middle-4", "vx", frame);
    assert!(outwards(0) < -0.3 && outwards(last) > 0.1);
}

#[test]
fn satellites_latch_and_stay_latched() {
    let record = run("elastic-latch", &[]);
    let apart: Vec<f64> = (record.column("right.x").iter())
        .zip(record.column("left.x"))
        .map(|(r, l)| r - l)
        .collect();
    let time = record.column("time");
    // 2 % of the length of a pin, for the last 0.1 s.
    let end = time[time.len() - 1];
    let latched = apart[apart.len() - 1];
    assert!(apart[0] > latched + 0.04);
    for (t, apart) in time.iter().zip(&apart) {
        assert!(
            *t < end - 0.1 || (apart - latched).abs() < 0.02 * 0.055,
            "{t}: {apart}"
        );
    }
}

#[test]
fn a_cantilever_swings_and_hangs_as_beams_do() {
    let record = run("elastic-cantilever", &[]);
    let measured = |name: &str| record.summary["measures"][name].as_f64().unwrap();
    let known = |name: &str| record.summary["known"][name]["value"].as_f64().unwrap();
    // Euler and Bernoulli's end deflection, and the period of their beam.
    assert!((known("deflection") - 0.015).abs() < 1e-12);
    assert!((known("period") - 0.197_645).abs() < 1e-5);
    let off = measured("deflection") / known("deflection") - 1.0;
    assert!((-0.05..0.0).contains(&off), "{off}");
    let off = measured("period") / known("period") - 1.0;
    assert!(off.abs() < 0.03, "{off}");
    // Terminal and report tell both.
    let lines = record.summary["ledger"].as_array().unwrap().iter();
    let told = lines.filter(|line| {
        let remark = line["remark"].as_str().unwrap();
        line["verdict"] == "good" && remark.starts_with("known: ") && remark.ends_with("it")
    });
    assert_eq!(told.count(), 2);
    // Held nodes carry all nodes but themselves, and are supports in the balance.
    let last = record.column("time").len() - 1;
    let (force, weight) = (
        record.column("nodes.root.force.z")[last],
        4.905 * 119.0 / 120.0,
    );
    assert!((force / weight - 1.0).abs() < 0.01, "{force} {weight}");
    let supports = record.summary["linear_momentum_balance"]["supports"][2]
        .as_f64()
        .unwrap();
    assert!((supports / (2.0 * weight) - 1.0).abs() < 0.01, "{supports}");
}

#[test]
fn a_cantilever_of_finer_elements_comes_to_the_beam_with_second_order() {
    // Timoshenko's beam, that is Euler and Bernoulli's and its shear with κ = 5/6.
    let known = 0.015 * (1.0 + 4.0 * 2.6 / (5.0 / 6.0) * 0.01 / 12.0);
    let stiffer = |cells: usize| {
        // Long steps of a scheme that forgets what it does not resolve end at rest.
        let finer = format!("parameters.cells={cells}");
        let scheme = [
            "simulate.integrator=newmark",
            "simulate.beta=0.5",
            "simulate.gamma=1",
        ];
        let settings = [
            &finer,
            "simulate.step=0.05",
            scheme[0],
            scheme[1],
            scheme[2],
        ];
        let folder = format!("cantilever-{cells}");
        let record = run_in(&folder, "elastic-cantilever", &settings);
        known / record.summary["measures"]["deflection"].as_f64().unwrap() - 1.0
    };
    let (coarse, fine) = (stiffer(4), stiffer(6));
    let order = (coarse / fine).ln() / 1.5f64.ln();
    assert!((1.8..2.2).contains(&order), "{coarse} {fine}: {order}");
    assert!(fine < 0.06, "{fine}");
}

#[test]
fn a_rubber_ball_throws_a_cube_up() {
    let record = run("rubber-ball", &[]);
    let (start, cube) = (mean(&record, "ball", "z", 0), record.column("cube.z"));
    let least = cube.iter().copied().fold(f64::MAX, f64::min);
    let after = cube.iter().skip_while(|z| **z > least);
    let highest = after.copied().fold(f64::MIN, f64::max);
    assert!(
        highest > least + 0.03 && highest < cube[0],
        "{least} {highest}"
    );
    // Damped, so below where it came from.
    let last = record.column("time").len() - 1;
    assert!(mean(&record, "ball", "z", last) < start);
    assert!(record.number("overlap_max") < 0.002);
}

#[test]
fn solenoids_attract_within_the_range_of_their_formula() {
    // Newmark's scheme with beta = 1/4 keeps the angular momentum to its own order only.
    for (variant, angular) in [("magnets", 1e-15), ("magnets:newmark", 1e-11)] {
        let record = run(variant, &[]);
        assert!(record.momentum_change("linear_momentum") < 1e-14);
        assert!(record.momentum_change("angular_momentum") < angular);
    }
    let status = end_of(
        "magnets-too-near",
        "magnets",
        &["body.second.velocity=[-0.3,0]"],
    );
    let Status::Failed(error) = status else {
        panic!("{status:?}");
    };
    assert!(error.to_string().contains("out of its range"), "{error}");
}
