//! What the gallery's jointed systems must show, read from the record of their runs: the bead
//! chain, the metronome, the jumpers, the cart with its pendulum.

use crate::gallery::{Record, data, difference, mean, norm, numbers, run, run_in};

#[test]
fn bead_chain_collides_on_time() {
    let reference = data(include_str!("../data/bead_chain.json"));
    let record = run_in("bead-chain-first", "bead-chain", &["simulate.duration=395"]);
    let walls = [
        ("-x", "left"),
        ("+x", "right"),
        ("-y", "front"),
        ("+y", "back"),
        ("-z", "floor"),
        ("+z", "ceiling"),
    ];
    assert_eq!(record.contacts.len(), 10);
    for (c, w) in record
        .contacts
        .iter()
        .zip(reference["events"].as_array().unwrap())
    {
        let t: f64 = w["t"].as_str().unwrap().parse().unwrap();
        assert!((c.time - t).abs() < 1e-6, "{c:?} {t}");
        // "bead1-wall+y" or "bead1-bead3".
        let (a, b) = w["type"].as_str().unwrap().split_once('-').unwrap();
        let bead = |s: &str| s.replace("bead", "bead-");
        let b = match b.strip_prefix("wall") {
            Some(side) => walls.iter().find(|(s, _)| *s == side).unwrap().1.into(),
            None => bead(b),
        };
        assert!(c.is_between(&bead(a), &b), "{c:?} {w}");
    }
}

#[test]
fn beads_hit_twice_within_one_step() {
    let reference = data(include_str!("../data/bead_chain_quick.json"));
    let record = run("bead-chain:quick", &[]);
    let events = reference["events"].as_array().unwrap();
    assert_eq!(record.contacts.len(), events.len());
    for (c, w) in record.contacts.iter().zip(events) {
        assert!((c.time - w["t"].as_f64().unwrap()).abs() < 1e-6, "{c:?}");
        assert!(c.time < 0.1);
    }
    assert!(record.contacts[0].is_between("bead-1", "left"));
    assert!(record.contacts[1].is_between("bead-1", "bead-3"));
    // Back on the regular grid, where the reference is.
    for node in reference["nodes"].as_array().unwrap() {
        let frame = record.frame(node["t"].as_f64().unwrap());
        let at: Vec<f64> = (1..=4)
            .flat_map(|k| ["x", "y", "z"].map(|axis| format!("bead-{k}.{axis}")))
            .map(|column| record.column(&column)[frame])
            .collect();
        assert!(difference(&at, &numbers(&node["q"])) < 1e-6);
    }
}

#[test]
fn bead_chain_keeps_energy_through_a_thousand_collisions() {
    let record = run("bead-chain", &[]);
    assert!(record.contacts.len() >= 1000, "{}", record.contacts.len());
    assert_beads_keep_energy(&record);
}

fn assert_beads_keep_energy(record: &Record) {
    // Both energies stay within two thousandths, without a trend: the mean of the second half is
    // where that of the first was, within the wandering.
    let energy = record.range("energy");
    assert!(energy.deviation() < 2e-3 * energy.initial, "{energy:?}");
    let discrete = record.range("energy_discrete");
    assert!(
        discrete.deviation() < 2e-3 * discrete.initial,
        "{discrete:?}"
    );
    let history = record.column("energy");
    let (first, second) = history.split_at(history.len() / 2);
    assert!((mean(second) - mean(first)).abs() < 0.5 * energy.spread());
    // Jumps of momentum: along the normal, and all of the change is explained by them.
    assert!(record.number("momentum_residual_max") < 1e-10);
    for c in &record.contacts {
        let off: Vec<f64> = (0..3)
            .map(|k| c.impulse[k] - c.impulse_normal * c.normal[k])
            .collect();
        assert!(norm(&off) < 1e-10 && c.speed_after > 0.0, "{c:?}");
    }
    assert!(record.number("overlap_max") < 1e-10);
    assert!(record.number("constraint_violation_max") < 1e-12);
}

#[test]
fn metronome_ticks_exactly() {
    let all = data(include_str!("../data/metronome.json"));
    let reference = all.as_object().unwrap().values().next().unwrap();
    for (variant, key) in [("exact-hamiltonian", "vi_H"), ("exact", "vi_Ed")] {
        let record = run(&format!("metronome:{variant}"), &[]);
        let times: Vec<f64> = record.contacts.iter().map(|c| c.time).collect();
        let want = numbers(&reference[key]["times"]);
        assert!(difference(&times, &want) < 1e-8, "{times:?}");
        let period = (times[9] - times[0]) / 9.0;
        let exact = reference["period_exact"].as_f64().unwrap();
        assert!((period / exact - 1.0).abs() < 3e-4, "{period}");
        assert!(record.momentum_change("angular_momentum") < 1e-12);
        assert!(record.momentum_change("linear_momentum") < 1e-12);
        assert!(record.number("overlap_max") < 1e-9);
        let (energy, discrete) = (record.range("energy"), record.range("energy_discrete"));
        match variant {
            "exact" => assert!(discrete.spread() < 6e-4 * discrete.initial, "{discrete:?}"),
            _ => assert!(energy.spread() < 1e-5 * energy.initial, "{energy:?}"),
        }
    }
}

#[test]
fn plain_metronome_is_the_exact_one() {
    let [a, b] = ["metronome", "metronome:exact-hamiltonian"].map(|n| run_in(n, n, &[]));
    assert_eq!(a.summary["bodies"], b.summary["bodies"]);
}

#[test]
fn metronome_ticks_by_decomposition() {
    let all = data(include_str!("../data/metronome.json"));
    let reference = all.as_object().unwrap().values().next().unwrap();
    let record = run("metronome:decomposition", &[]);
    let times: Vec<f64> = record.contacts.iter().map(|c| c.time).collect();
    let period = (times[9] - times[0]) / 9.0;
    let exact = reference["period_exact"].as_f64().unwrap();
    // Impacts wait for the end of their step.
    assert!((period - exact).abs() < 0.015, "{period}");
    let moved = numbers(&record.summary["projection_angular_momentum"]);
    let [start, end] = record.momentum("angular_momentum");
    let change: Vec<f64> = (0..3).map(|k| end[k] - start[k] - moved[k]).collect();
    assert!(norm(&change) < 1e-12, "{change:?}");
}

#[test]
fn metronome_ticks_by_potential() {
    for (variant, tolerance) in [("potential", 0.02), ("potential-fine", 1e-3)] {
        let record = run(&format!("metronome:{variant}"), &[]);
        assert!(record.number("overlap_max") < 0.05 * 0.4);
        assert!(record.momentum_change("angular_momentum") < 1e-12);
        let energy = record.range("energy");
        assert!(
            (energy.last / energy.initial - 1.0).abs() < tolerance,
            "{energy:?}"
        );
    }
}

#[test]
fn elastic_jumper_bounces_830_times() {
    let reference = data(include_str!("../data/jumper.json"));
    let weight_times_drop = (28.2055 + 6.86 + 3.28) * 9.81 * 0.285;
    // The finest step, 1e-3, is run for a tenth of the time.
    for (example, step, set) in [
        ("jumper-elastic", 0.01, &[][..]),
        ("jumper-elastic:fine", 0.005, &[][..]),
        (
            "jumper-elastic:finest",
            0.001,
            &["simulate.duration=40"][..],
        ),
    ] {
        let record = run(example, set);
        let want = (reference["discrete"].as_array().unwrap().iter())
            .find(|w| w["h"] == step)
            .unwrap();
        let contacts = want["contacts"].as_u64().unwrap() as usize;
        assert_eq!(
            record.contacts.len(),
            if set.is_empty() {
                contacts
            } else {
                contacts / 10
            }
        );
        let deviation = record.range("energy").deviation() / weight_times_drop;
        let most = 2.0 * want["max_rel_energy_dev"].as_f64().unwrap();
        assert!(deviation < most, "{example} {deviation:e}");
        // Exactly upright all the time.
        for axis in ["x", "y"] {
            assert!(
                record
                    .column(&format!("calf.{axis}"))
                    .iter()
                    .all(|x| *x == 0.0)
            );
        }
    }
}

#[test]
fn jumper_lets_go_on_time() {
    let reference = data(include_str!("../data/jumper_release.json"));
    let plain = &reference["h0.015_right(offset kept)"];
    for (example, want) in [
        ("jumper-release", plain),
        ("jumper-release:plain", plain),
        (
            "jumper-release:bisection",
            &reference["h0.0075_bisection"]["result"],
        ),
        (
            "jumper-release:subintervals",
            &reference["h0.0075_p"]["result"],
        ),
    ] {
        let record = run(example, &[]);
        let releases = record.of_kind("release");
        assert_eq!(releases.len(), 1, "{example}");
        let want = want["t_release"].as_f64().unwrap();
        assert!(
            (releases[0].time - want).abs() < 1e-9,
            "{example} {:?}",
            releases[0]
        );
        // It stands until then and flies afterwards.
        let foot = record.column("calf.z");
        let times = record.column("time");
        for (t, z) in times.iter().zip(&foot) {
            assert!((z - 0.215).abs() < 1e-12 || *t > want, "{example} {t} {z}");
        }
        assert!(*foot.last().unwrap() > 0.2151);
    }
}

#[test]
fn cart_hits_its_limiters_on_time() {
    let all = data(include_str!("../data/cart_pendulum.json"));
    let reference = all.as_object().unwrap().values().next().unwrap();
    for (example, key) in [
        ("cart-pendulum", "vi_Ed"),
        ("cart-pendulum:rest", "vi_Ed"),
        ("cart-pendulum:rest-hamiltonian", "vi_H"),
    ] {
        let record = run(example, &[]);
        let want = reference[key].as_array().unwrap();
        assert_eq!(record.contacts.len(), want.len());
        for (c, w) in record.contacts.iter().zip(want) {
            assert!((c.time - w["t"].as_f64().unwrap()).abs() < 1e-9, "{c:?}");
            assert_eq!(c.pair, ["system.alpha", "lower limit"]);
            let [before, after] = ["qd_minus", "qd_plus"].map(|k| numbers(&w[k])[0]);
            assert!((c.speed_before - before).abs() < 1e-9, "{c:?}");
            assert!((c.speed_after - after).abs() < 1e-9, "{c:?}");
        }
    }
}

#[test]
fn cart_stays_between_its_limiters() {
    let (least, largest) = (0.1 * std::f64::consts::PI, 0.9 * std::f64::consts::PI);
    for variant in ["wild", "double-hit", "corner", "resting"] {
        let record = run(&format!("cart-pendulum:{variant}"), &[]);
        let inside = |column: &str, low: f64, high: f64| {
            (record.column(column).iter()).all(|q| *q > low - 1e-12 && *q < high + 1e-12)
        };
        assert!(inside("system.alpha", least, largest), "{variant}");
        assert!(inside("system.x", -1.0, 1.0), "{variant}");
        assert!(record.number("overlap_max") < 1e-12, "{variant}");
        if variant != "resting" {
            let energy = record.range("energy");
            assert!(
                energy.deviation() < 3e-4 * energy.initial,
                "{variant} {energy:?}"
            );
        }
    }
}

#[test]
fn cart_hits_two_limiters_within_one_step() {
    let record = run_in("cart-double", "cart-pendulum:double-hit", &[]);
    let [first, second] = [&record.contacts[0], &record.contacts[1]];
    assert_eq!(first.pair[0], "system.alpha");
    assert_eq!(second.pair[0], "system.x");
    assert!(first.time < second.time && second.time < 2e-3);
}

#[test]
fn cart_hits_two_limiters_at_once() {
    let record = run_in("cart-corner", "cart-pendulum:corner", &[]);
    let hits: Vec<_> = record.contacts.iter().take(2).collect();
    assert!(hits[1].time - hits[0].time < 1e-12, "{hits:?}");
    assert_ne!(hits[0].pair, hits[1].pair);
    // Both leave, and together they keep the energy.
    let exchanged: f64 = hits.iter().map(|c| c.energy).sum();
    assert!(exchanged.abs() < 1e-12, "{hits:?}");
    assert!(hits.iter().all(|c| c.speed_after > 0.0), "{hits:?}");
}

#[test]
fn cart_comes_to_rest_on_a_limiter() {
    let record = run_in("cart-resting", "cart-pendulum:resting", &[]);
    // Bounces, each at half the speed of the one before, then lies still on the limiter.
    let bounces = record.of_kind("impact");
    assert!(bounces.len() >= 4);
    for c in &bounces {
        assert!((c.speed_after + 0.5 * c.speed_before).abs() < 1e-9, "{c:?}");
    }
    let last = bounces.last().unwrap().time;
    assert!(last < 1.0);
    let rest = record.frame(last + 0.05);
    let limit = 0.1 * std::f64::consts::PI;
    let alpha = record.column("system.alpha");
    assert!(alpha[rest..].iter().all(|a| (a - limit).abs() < 1e-12));
    let rate = record.column("system.alpha.rate");
    assert!(rate[rest..].iter().all(|r| r.abs() < 1e-9));
}
