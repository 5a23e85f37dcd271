//! The scenes that users tried, with other numbers: what holds of one must hold of its neighbours.
//!
//! A sweep runs all its cases and lists those that fail.

use std::panic::catch_unwind;

use crate::scenes::{G, ROLLING, assert_near, run, run_text};

/// A case: how it is called in the list of failures, and what it asks.
type Case = (String, Box<dyn Fn() + std::panic::RefUnwindSafe>);

/// Runs all cases, and fails with a list of those that failed.
fn sweep(cases: Vec<Case>) {
    let count = cases.len();
    let mut failed = Vec::new();
    for (name, case) in cases {
        if let Err(payload) = catch_unwind(&case) {
            let said = payload.downcast_ref::<String>().cloned();
            let said = said.or(payload.downcast_ref::<&str>().map(|s| s.to_string()));
            failed.push(format!("{name}: {}", said.unwrap_or_default()));
        }
    }
    let list = failed.join("\n");
    assert!(
        failed.is_empty(),
        "{} of {count} fail:\n{list}",
        failed.len()
    );
}

fn case(name: String, ask: impl Fn() + std::panic::RefUnwindSafe + 'static) -> Case {
    (name, Box::new(ask))
}

#[test]
fn cubes_land_on_ledges() {
    let mut cases = Vec::new();
    for offset in [0.0, 0.01, 0.05, 0.07, 0.099] {
        // How an impact that is not central bounces is for the law to say.
        let restitutions: &[f64] = if offset == 0.0 {
            &[0.0, 0.5, 1.0]
        } else {
            &[0.0]
        };
        for &e in restitutions {
            cases.push(case(format!("offset {offset}, e = {e}"), move || {
                let at = format!("body.b.position=[{offset}, 0, 0.15]");
                let e_text = format!("contact.restitution={e}");
                let run = run("ledge_0.09", &[&at, &e_text]);
                let meets = (2.0 * 0.05 / G).sqrt();
                let rises = if e == 0.0 {
                    0.0
                } else {
                    e * G * meets - G * (run.end().time - meets)
                };
                assert_near(run.velocity("b").z, rises, 1e-9);
                assert!(run.spin("b").norm() < 1e-9, "{}", run.spin("b"));
                run.assert_apart(1e-9);
            }));
        }
    }
    sweep(cases);
}

#[test]
fn cubes_land_flat() {
    let mut cases = Vec::new();
    for spin in [
        "0, 0, 0",
        "1e-14, 0, 0",
        "7e-15, -1e-14, 3e-15",
        "1e-13, 1e-13, 0",
    ] {
        for e in [0.0, 0.3, 0.9, 1.0] {
            for mu in [0.0, 0.5] {
                cases.push(case(
                    format!("spin {spin}, e = {e}, mu = {mu}"),
                    move || {
                        let spin = format!("body.b.angular_velocity=[{spin}]");
                        let e_text = format!("contact.restitution={e}");
                        let mu = format!("contact.friction={mu}");
                        let run = run("flat_1e-14_0.5_exact", &[&spin, &e_text, &mu]);
                        let meets = (2.0 * 0.3 / G).sqrt();
                        let rises = if e == 0.0 {
                            0.0
                        } else {
                            e * G * meets - G * (run.end().time - meets)
                        };
                        assert_near(run.velocity("b").z, rises, 1e-9);
                        assert!(run.spin("b").norm() < 1e-9, "{}", run.spin("b"));
                        run.assert_apart(1e-9);
                    },
                ));
            }
        }
    }
    sweep(cases);
}

#[test]
fn loads_press_cubes_to_rest() {
    let mut cases = Vec::new();
    for force in [0.1, 5.0, 1e3] {
        for e in [0.0, 0.1, 0.7] {
            for law in ["exact", "decomposition"] {
                cases.push(case(format!("{force} N, e = {e}, {law}"), move || {
                    // Three times as long as bounces last.
                    let fall = (2.0_f64 * 0.05 / force).sqrt();
                    let duration = 3.0 * fall * (1.0 + e) / (1.0 - e);
                    let set = [
                        format!("load.f.force=[0, 0, -{force}]"),
                        format!("contact.restitution={e}"),
                        format!("simulate.law={law}"),
                        format!("simulate.duration={duration:?}"),
                        format!("simulate.step={:?}", duration / 400.0),
                    ];
                    let set: Vec<&str> = set.iter().map(String::as_str).collect();
                    let run = run("press_0_5_0.1_0", &set);
                    assert_near(run.position("b").z, 0.1, 1e-9);
                    run.assert_slow(1e-9 * force.max(1.0));
                    run.assert_apart(1e-9);
                }));
            }
        }
    }
    sweep(cases);
}

#[test]
fn stacks_rest() {
    let mut cases = Vec::new();
    for count in [1, 2, 4, 8] {
        for (e, mu) in [(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (1.0, 0.0), (1.0, 0.5)] {
            for law in ["exact", "decomposition"] {
                cases.push(case(format!("{count} boxes, e = {e}, mu = {mu}, {law}"), move || {
                    let text = format!(
                        "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
                         [group.b]\nshape = {{ box = [0.2, 0.15, 0.1] }}\ndensity = 1000\n\
                         layout = {{ line = {{ count = {count}, from = [0, 0, 0.05], step = [0.01, 0, 0.1] }} }}\n\
                         position = [\"x - 0.02*floor(i/2)\", \"y\", \"z\"]\n\
                         [contact]\nrestitution = {e:?}\nfriction = {mu:?}\n\
                         [simulate]\nduration = 1\nstep = 0.01\nlaw = \"{law}\"\n"
                    );
                    let run = run_text("stack", &text);
                    run.assert_stays(1e-9);
                    run.assert_slow(1e-9);
                    run.assert_apart(1e-9);
                }));
            }
        }
    }
    sweep(cases);
}

#[test]
fn mass_ratios_rest() {
    let mut cases = Vec::new();
    for ratio in [1e-6, 1e-3, 1.0, 1e2, 1e4, 1e6] {
        for mu in [0.0, 0.5] {
            // Without friction nothing but round-off holds a light box beneath a weight, which squeezes it out: after a
            // second by nanometres with a weight of 10⁴, by metres with one of 10⁶.
            if mu == 0.0 && ratio > 1e4 {
                continue;
            }
            let still: f64 = if mu == 0.0 { 1e-12 * ratio } else { 0.0 };
            cases.push(case(format!("ratio {ratio}, mu = {mu}"), move || {
                let set = [
                    format!("body.top.mass={ratio:?}"),
                    format!("contact.friction={mu}"),
                    "simulate.duration=1".into(),
                ];
                let set: Vec<&str> = set.iter().map(String::as_str).collect();
                let run = run("massratio_1_1000000.0_0.5", &set);
                run.assert_stays(still.max(1e-9));
                run.assert_slow(still.max(1e-9));
                run.assert_apart(1e-9);
            }));
        }
    }
    sweep(cases);
}

#[test]
fn boxes_stick_to_inclines() {
    let mut cases = Vec::new();
    for degrees in [1.0_f64, 15.0, 30.0, 44.0] {
        for margin in [1.001, 1.1, 2.0] {
            for turn in [0.0, 0.3, 0.785] {
                cases.push(case(
                    format!("{degrees} degrees, {margin}, {turn}"),
                    move || {
                        let mu = margin * degrees.to_radians().tan();
                        let (s, c) = degrees.to_radians().sin_cos();
                        let text = format!(
                            "gravity = [{:?}, 0, {:?}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
                         [body.b]\nshape = {{ box = [0.27, 0.49, 0.09] }}\ndensity = 1000\n\
                         position = [0, 0, 0.045]\nrotation = [0, 0, {turn:?}]\n\
                         [contact]\nrestitution = 0\nfriction = {mu:?}\n\
                         [simulate]\nduration = 1\nstep = 0.01\nlaw = \"exact\"\n",
                            G * s,
                            -G * c
                        );
                        let run = run_text("incline", &text);
                        run.assert_stays(1e-9);
                        run.assert_slow(1e-9);
                    },
                ));
            }
        }
    }
    sweep(cases);
}

#[test]
fn dropped_cubes_settle() {
    let mut cases = Vec::new();
    for offset in [0.0, 0.02, 0.07] {
        for e in [0.0, 0.5, 0.8] {
            for mu in [0.0, 0.5] {
                cases.push(case(format!("offset {offset}, e = {e}, mu = {mu}"), move || {
                    let set = [
                        format!("group.b.layout={{line={{count=2,from=[0,0,0.12],step=[{offset:?},0,0.22]}}}}"),
                        format!("contact.restitution={e}"),
                        format!("contact.friction={mu}"),
                    ];
                    let set: Vec<&str> = set.iter().map(String::as_str).collect();
                    let run = run("drop2_0.02_0.5_0_exact", &set);
                    run.assert_apart(1e-9);
                    run.assert_no_gain(ROLLING);
                    // Without friction cubes slide on along the floor, and turn about its normal.
                    let sliding = if mu == 0.0 { run.sliding() } else { 0.0 };
                    let left = run.kinetic() - sliding;
                    assert!(left < 0.02 * run.energy_scale(), "{left:e} J left");
                }));
            }
        }
    }
    sweep(cases);
}

#[test]
fn poured_beads_settle_from_any_seed() {
    let mut cases = Vec::new();
    for count in [2, 5, 9] {
        for seed in 1..=4 {
            cases.push(case(format!("{count} beads, seed {seed}"), move || {
                let high = 0.2 + 0.04 * f64::from(count);
                let layout = format!(
                    "group.p.layout={{random={{count={count},seed={seed},from=[-0.14,-0.14,0.1],to=[0.14,0.14,{high:?}],apart=0.105}}}}"
                );
                let run = run("pourmin_12_5", &[&layout]);
                run.assert_apart(1e-9);
                run.assert_no_gain(ROLLING);
                assert!(run.kinetic() < 0.02 * run.energy_scale(), "{:e} J left", run.kinetic());
            }));
        }
    }
    sweep(cases);
}

#[test]
fn bounces_end_under_the_decomposition_law() {
    let mut cases = Vec::new();
    for e in [0.0, 0.3, 0.7, 0.9] {
        for step in [0.002, 0.01, 0.02] {
            cases.push(case(format!("e = {e}, h = {step}"), move || {
                let fall = (2.0_f64 / G).sqrt();
                let duration = 2.0 * fall * (1.0 + e) / (1.0 - e) + 0.5;
                let set = [
                    format!("contact.restitution={e}"),
                    format!("simulate.step={step}"),
                    format!("simulate.duration={duration:?}"),
                ];
                let set: Vec<&str> = set.iter().map(String::as_str).collect();
                let run = run("decbounce_0.9_0.01", &set);
                assert_near(run.position("b").z, 0.1, 1e-9);
                run.assert_slow(1e-9);
                run.assert_apart(1e-9);
            }));
        }
    }
    sweep(cases);
}

#[test]
fn turning_rods_hit_needles() {
    // From slow to forty degrees a step.
    let mut cases = Vec::new();
    for degrees in [2.0_f64, 5.0, 20.0, 40.0] {
        for phase in 0..5 {
            cases.push(case(
                format!("{degrees} degrees a step, phase {phase}"),
                move || {
                    let quick = degrees.to_radians() / 0.01;
                    let turn = -f64::from(phase) * degrees / 5.0;
                    // Half a turn, whatever the scheme adds to a step.
                    let steps = (170.0 / degrees) as usize;
                    let set = [
                        format!("body.rod.rotation_deg=[0, 0, {turn:?}]"),
                        format!("body.rod.angular_velocity=[0, 0, {quick:?}]"),
                        format!("simulate.duration={:?}", 0.01 * steps as f64),
                    ];
                    let set: Vec<&str> = set.iter().map(String::as_str).collect();
                    let run = run("tunnel_rod_needle_10deg", &set);
                    assert!(run.impacts().count() >= 1, "misses");
                    assert!(run.spin("rod").z < 0.0, "{}", run.spin("rod"));
                    run.assert_energy_kept(1e-9);
                    run.assert_apart(1e-9);
                },
            ));
        }
    }
    sweep(cases);
}
