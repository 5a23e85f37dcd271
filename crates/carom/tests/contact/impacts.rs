//! Impacts of scenes that users tried: patches, symmetric scenes, many impacts in a step.

use crate::scenes::{G, ROLLING, Run, assert_near, run};
use nalgebra::Vector3;

#[test]
fn a_cube_that_lands_flat_bounces_flat() {
    // The spin of 1e-14 rad/s must not choose a corner.
    let run = run("flat_1e-14_0.5_exact", &[]);
    let fall = 0.3_f64;
    let meets = (2.0 * fall / G).sqrt();
    let rises = 0.5 * G * meets - G * (run.end().time - meets);
    assert_near(run.velocity("b").z, rises, 1e-9);
    assert!(run.spin("b").norm() < 1e-9, "{}", run.spin("b"));
    assert!(run.velocity("b").xy().norm() < 1e-9);
    run.assert_apart(1e-9);
    run.assert_no_gain(1e-12);
}

#[test]
fn a_cube_on_a_ledge_stops_where_its_centre_is_supported() {
    for name in ["ledge_0.09", "ledge_0.04"] {
        let run = run(name, &[]);
        assert!(run.spin("b").norm() < 1e-9, "{name}: {}", run.spin("b"));
        run.assert_slow(1e-9);
        assert_near(run.position("b").z, 0.1, 1e-9);
        run.assert_apart(1e-9);
        run.assert_no_gain(1e-12);
    }
}

#[test]
fn a_cube_past_the_end_of_a_ledge_turns_about_its_edge() {
    // e = 0 and the centre beyond the ledge by d: the edge is where it turns, ω = v d/(k² + r²).
    let run = run("ledge_0.09", &["body.b.position=[0.12, 0, 0.15]"]);
    let d = 0.02;
    let (fall, k2) = (0.05, 0.2 * 0.2 / 6.0);
    let speed = (2.0_f64 * G * fall).sqrt();
    // Without friction only the vertical velocity at the edge is stopped.
    let wanted = speed * d / (k2 + d * d);
    let first = run
        .frames
        .iter()
        .find(|f| f.twists[run.index("b")].w.norm() > 1e-6);
    let found = first.expect("it turns").twists[run.index("b")].w.y;
    // Up to a step of gravity turns it further.
    let more = 0.01 * G * d / (k2 + d * d);
    assert!(
        found > wanted - 1e-9 && found < wanted + 1.1 * more,
        "{found} {wanted} {more}"
    );
    run.assert_apart(1e-9);
    run.assert_no_gain(ROLLING);
}

#[test]
fn a_box_on_its_edge_stays_in_its_mirror_plane() {
    let run = run("symedge_0.7_5_exact", &[]);
    for f in &run.frames {
        let b = run.index("b");
        let aside = [
            f.poses[b].position.y,
            f.twists[b].v.y,
            f.twists[b].w.x,
            f.twists[b].w.z,
        ];
        assert!(
            aside.iter().all(|x| x.abs() < 1e-7),
            "t = {}: {aside:?}",
            f.time
        );
    }
    run.assert_apart(1e-9);
    run.assert_no_gain(ROLLING);
}

#[test]
fn a_break_is_mirror_symmetric() {
    let run = run("break_exact_sum_0", &[]);
    let pairs = [
        ("cue", "cue"),
        ("b0", "b0"),
        ("b1", "b2"),
        ("b3", "b5"),
        ("b4", "b4"),
        ("b6", "b9"),
        ("b7", "b8"),
        ("b10", "b14"),
        ("b11", "b13"),
        ("b12", "b12"),
    ];
    for (a, b) in pairs {
        let (u, v) = (run.velocity(a), run.velocity(b));
        let off = u - Vector3::new(v.x, -v.y, v.z);
        assert!(off.norm() < 1e-9, "{a} {b}: {u} {v}");
        assert!(u.z.abs() < 1e-9, "{a}: {u}");
    }
    run.assert_energy_kept(1e-9);
    assert!(run.ledger.linear_momentum.max_change < 1e-12);
    run.assert_apart(1e-9);
}

#[test]
fn balls_and_a_wall_count_the_digits_of_pi() {
    let run = run("galperin_1000000_particle_0.01", &[]);
    assert_eq!(run.impacts().count(), 3141);
    run.assert_energy_kept(1e-9);
    run.assert_apart(1e-9);
    let (big, small) = (run.velocity("big"), run.velocity("small"));
    assert!(small.x >= 0.0 && big.x > small.x, "{big} {small}");
    // Of (√M V, √m v) a wall changes the sign of the second, and balls reflect it at a line at the
    // angle θ = atan √(m/M): after 1571 impacts of the balls it has turned by 2 · 1571 θ.
    let turned = 2.0 * 1571.0 * 1e-3_f64.atan();
    assert_near(big.x, -turned.cos(), 1e-9);
    assert_near(small.x, -1e3 * turned.sin(), 1e-6);
}

#[test]
fn a_quick_rod_hits_a_needle() {
    // At twelve phases of a step, ten degrees a step.
    let quick = 17.453292519943293_f64;
    for phase in 0..12 {
        let turn = -(phase as f64) * 10.0 / 12.0;
        let set = format!("body.rod.rotation_deg=[0, 0, {turn}]");
        let run = run("tunnel_rod_needle_10deg", &[&set]);
        assert!(run.impacts().count() >= 1, "misses at {turn} degrees");
        // The rod's face meets the nearest corner of the needle, at this arm from its middle.
        let corner = Vector3::new(
            0.13852040304211094 + 0.0005,
            0.42738946832795494 - 0.0005,
            0.0,
        );
        let arm2 = corner.norm_squared() - 0.005 * 0.005;
        let k = arm2 * 12.0 / (1.0 + 1e-4);
        assert_near(run.spin("rod").z / quick, (1.0 - k) / (1.0 + k), 1e-6);
        assert!(run.spin("rod").xy().norm() < 1e-9 * quick);
        run.assert_energy_kept(1e-9);
        run.assert_apart(1e-9);
    }
}

#[test]
fn ten_cubes_in_a_row_collapse() {
    let run = run("collapse1d_0.5_10_cube", &[]);
    assert!(run.ledger.linear_momentum.max_change < 1e-11);
    let cubes: Vec<(f64, f64)> = (0..10)
        .map(|k| format!("p{k}"))
        .map(|b| (run.position(&b).x, run.velocity(&b).x))
        .collect();
    for (k, pair) in cubes.windows(2).enumerate() {
        let [(x, v), (y, w)] = pair else {
            unreachable!()
        };
        let gap = y - x - 0.1;
        assert!(gap > -1e-9, "p{k}: gap {gap:e}");
        assert!(
            gap > 1e-6 || w - v > -1e-9,
            "p{k}: touch and approach at {:e}",
            w - v
        );
    }
    for k in 0..10 {
        let body = format!("p{k}");
        let aside = run.velocity(&body).yz().norm() + run.spin(&body).norm();
        assert!(aside < 1e-3, "{body} leaves the line: {aside:e}");
    }
    run.assert_apart(1e-9);
    run.assert_no_gain(1e-12);
    // The faster half of the energy is gone.
    assert!(run.kinetic() < 0.5 * run.kinetic_max());
}

/// Energy that the rod has lost in its impact.
fn rod(e: f64, mu: f64) -> (f64, Run) {
    let (e, mu) = (
        format!("contact.restitution={e}"),
        format!("contact.friction={mu}"),
    );
    let run = run("rod2d_1_0.1_20", &[&e, &mu]);
    assert!(run.impacts().count() >= 1);
    (run.ledger.energy.initial - run.ledger.energy.last, run)
}

#[test]
fn an_elastic_impact_with_friction_loses_what_friction_takes() {
    let (lost, run) = rod(1.0, 0.1);
    run.assert_no_gain(1e-12);
    run.assert_apart(1e-9);
    // Slip is 0.4 m/s at most, and the normal impulse below 2/(1/m_n) = 2/3.7455.
    let most = 0.1 * 0.4 * 2.0 / 3.7455;
    assert!(
        lost > -1e-12 && lost < most,
        "loses {lost} J, friction at most {most}"
    );
}

#[test]
fn impacts_of_a_rod_are_continuous_in_restitution_and_friction() {
    let sweep = |values: &dyn Fn(f64) -> (f64, f64)| {
        let n = 100;
        let lost: Vec<f64> = (0..=n)
            .map(|k| {
                let (e, mu) = values(f64::from(k) / f64::from(n));
                let (lost, run) = rod(e, mu);
                assert!(
                    run.energy_gain() < 1e-12,
                    "e = {e}, mu = {mu}: {:e}",
                    run.energy_gain()
                );
                lost
            })
            .collect();
        let jump = |w: &[f64]| (w[1] - w[0]).abs();
        lost.windows(2).map(jump).fold(0.0, f64::max)
    };
    // A hundredth of the range changes the 0.58 J by little.
    let restitution = sweep(&|x| (x, 0.1));
    assert!(restitution < 0.006, "jumps by {restitution} J along e");
    let friction = sweep(&|x| (1.0, x));
    assert!(friction < 0.006, "jumps by {friction} J along mu");
}
