//! Rest in scenes that users tried: what is pressed, held or seated stays where it is.

use crate::scenes::{G, ROLLING, assert_near, run};
use carom::mechanics::joint_coordinates;

#[test]
fn an_elastic_box_put_on_the_floor_rests() {
    let run = run("min_box_on_floor_friction", &[]);
    run.assert_stays(1e-9);
    run.assert_slow(1e-9);
    run.assert_apart(1e-9);
}

#[test]
fn two_elastic_boxes_put_on_the_floor_rest() {
    let run = run("min_two_boxes_friction", &[]);
    run.assert_stays(1e-9);
    run.assert_slow(1e-9);
    run.assert_apart(1e-9);
}

#[test]
fn a_load_presses_a_cube_to_rest_without_gravity() {
    let run = run("press_0_5_0.1_0", &[]);
    assert_near(run.position("b").z, 0.1, 1e-9);
    run.assert_slow(1e-9);
    run.assert_apart(1e-9);
    run.assert_no_gain(1e-9);
    // F s went in, and nothing is left.
    assert_near(run.ledger.work, 5.0 * 0.05, 1e-4);
    assert_near(run.ledger.contact_energy, -5.0 * 0.05, 1e-4);
}

#[test]
fn a_spring_presses_a_bead_to_rest() {
    let run = run("springpress", &[]);
    assert_near(run.position("b").x, 0.05, 1e-9);
    run.assert_slow(1e-9);
    run.assert_apart(1e-9);
    // The spring's energy swings by O(h²) where it is integrated.
    run.assert_no_gain(1e-3);
    assert!(run.ledger.energy.max <= run.ledger.energy.initial * (1.0 + 1e-3));
}

#[test]
fn a_motor_drives_an_arm_onto_its_limit() {
    let run = run("motor_on_limit", &[]);
    let mut angle = Vec::new();
    for f in &run.frames {
        joint_coordinates(&run.model.joints()[0], &f.poses, &mut angle);
        assert!(
            angle[0] < 30.0_f64.to_radians() + 1e-9,
            "{} at {}",
            angle[0],
            f.time
        );
    }
    assert_near(angle[0], 30.0_f64.to_radians(), 1e-9);
    assert!(run.spin("arm").norm() < 1e-9);
    run.assert_no_gain(1e-6);
}

#[test]
fn a_box_sticks_to_an_incline_below_the_friction_angle() {
    let run = run("slowincline_35", &["simulate.steps=150"]);
    run.assert_stays(1e-9);
    run.assert_slow(1e-9);
    run.assert_apart(1e-9);
}

#[test]
fn a_box_slips_out_of_a_weak_gripper() {
    let run = run("gripperslip_0.3_8_0", &[]);
    // The fingers hold 2 μ 8 N = 4.8 N, the box weighs 4.905 N: it stays on the floor while they
    // slide up along it, until they leave it at the height of 0.05 m.
    let (lift, friction) = (2.9 * (9.81 + 1.0), 2.0 * 0.3 * 8.0);
    let up = (lift - friction) / 2.4 - G;
    let (box_, carrier) = (run.index("box"), run.index("carrier"));
    for f in run.frames.iter().filter(|f| f.time < 0.47) {
        let moved = (f.poses[box_].position - run.start().poses[box_].position).norm();
        assert!(
            moved < 1e-9,
            "the box moved by {moved:e} m at t = {}",
            f.time
        );
        let way = f.poses[carrier].position.z - 0.3;
        let t = (f.time - 0.2).max(0.0);
        assert!(
            (way - 0.5 * up * t * t).abs() < 1e-4,
            "{way} at t = {}",
            f.time
        );
    }
    run.assert_apart(1e-9);
}

#[test]
fn a_box_carries_a_million_times_its_mass() {
    let run = run("massratio_1_1000000.0_0.5", &[]);
    run.assert_stays(1e-9);
    run.assert_slow(1e-9);
    run.assert_apart(1e-9);
}

#[test]
fn the_decomposition_law_lets_a_bouncing_cube_come_to_rest() {
    // Bounces end after t₀ (1 + e)/(1 − e) = 8.6 s.
    let run = run("decbounce_0.9_0.01", &[]);
    assert_near(run.position("b").z, 0.1, 1e-9);
    run.assert_slow(1e-9);
    run.assert_apart(1e-9);
    let z = |t: f64| run.at(t).poses[0].position.z;
    assert!(z(15.0) - 0.1 < 1e-3, "still hops at 15 s: {}", z(15.0));
    assert!(run.ledger.energy.max <= run.ledger.energy.initial * (1.0 + 1e-12));
}

#[test]
fn a_peg_seats_in_its_hole() {
    let run = run("peg_exact_0_0.3", &[]);
    run.assert_apart(1e-9);
    run.assert_no_gain(ROLLING);
    assert_near(run.position("peg").z, 0.005, 1e-6);
    let (v, w) = (run.velocity("peg"), run.spin("peg"));
    // It may go on sliding and turning on the floor, without friction.
    assert!(v.z.abs() < 1e-6 && w.xy().norm() < 1e-6, "{v} {w}");
}

#[test]
fn an_arm_driven_into_a_wall_stays_before_it() {
    let run = run("arm", &[]);
    assert!(
        run.events
            .iter()
            .any(|e| e.pair.names(&run.model).contains(&"wall".to_string()))
    );
    run.assert_apart(1e-9);
    // Energy is what loads put in less what contacts take, to the order of the scheme.
    let scale = run.energy_scale();
    for f in &run.frames {
        let own = f.totals.energy() - f.work - run.ledger.energy.initial;
        assert!(own < 0.01 * scale, "{own} J at t = {}", f.time);
    }
    assert!(run.ledger.contact_energy <= 1e-9 * scale);
    assert!(run.ledger.work > 0.0);
}
