//! Controllers of poses.

use carom::record::Checkpoint;

use super::{CRAFT, Run};

#[test]
fn tracking_holds_against_gravity_through_any_actuator() {
    let gains = "gains = { position = 3, velocity = 4, orientation = 0.2, angular_velocity = 0.1 }";
    let mut ends = Vec::new();
    for (on, retraction) in [
        ("body = \"craft\"", "exponential"),
        ("actuator = \"jets\"", "exponential"),
        ("body = \"craft\"", "cayley"),
    ] {
        let mut run = Run::new(&format!(
            "{CRAFT}\n[actuator.jets]\nbody = \"craft\"\nframe = \"body\"\npoint = [0.1, 0, 0.2]\n\
             [controller.c]\nkind = \"tracking\"\n{on}\n{gains}\nretraction = \"{retraction}\"\n\
             target = {{ relative = \"dock\" }}\n"
        ));
        let mut last = run.get("controller.c.lyapunov");
        let first = last;
        for _ in 0..100 {
            run.steps(100);
            let v = run.get("controller.c.lyapunov");
            assert!(
                v <= last * (1.0 + 1e-3) + 1e-9,
                "{on} {retraction}: {last} to {v}"
            );
            last = v;
        }
        assert!(last < 1e-6 * first, "{last} {first}");
        let left = ["x", "y", "z"].map(|c| run.get(&format!("controller.c.position_error.{c}")));
        assert!(left.iter().all(|e| e.abs() < 1e-5), "{left:?}");
        assert!((run.get("craft.d1x") + 1.0).abs() < 1e-6);
        ends.push([run.get("craft.x"), run.get("craft.z"), run.get("craft.d2z")]);
    }
    // Axes and point of the actuator change nothing but round-off and what is held over a step.
    assert!(
        ends[0]
            .iter()
            .zip(ends[1])
            .all(|(a, b)| (a - b).abs() < 1e-6)
    );
}

#[test]
fn a_target_may_move_with_time_and_with_a_body() {
    // A circle with a spin: tracking follows to what the hold leaves.
    let mut run = Run::new(&format!(
        "{CRAFT}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\n\
         gains = {{ position = 12, velocity = 8, orientation = 0.4, angular_velocity = 0.1 }}\n\
         target = {{ position = [\"0.3*cos(t)\", \"0.3*sin(t)\", 0.1], rotation = [0, 0, \"2 + t\"] }}\n"
    ));
    run.steps(6000);
    let t = run.simulation.time();
    assert!((run.get("craft.x") - 0.3 * t.cos()).abs() < 1e-3);
    assert!((run.get("craft.y") - 0.3 * t.sin()).abs() < 1e-3);
    assert!((run.get("craft.d1x") - (2.0 + t).cos()).abs() < 2e-3);
    assert!((run.get("craft.wz") - 1.0).abs() < 2e-3);
    // Another body that drifts and turns.
    let text = CRAFT.replace(
        "[body.port]\nkind = \"static\"",
        "[body.port]\nmass = 1000\ninertia = [100, 100, 100]\nvelocity = [0.1, 0, 0]\nangular_velocity = [0, 0, 0.2]",
    );
    let text = text.replace("gravity = [0, 0, -1]\n", "");
    let mut run = Run::new(&format!(
        "{text}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\n\
         gains = {{ position = 12, velocity = 8, orientation = 0.4, angular_velocity = 0.1 }}\n\
         target = {{ relative = \"dock\" }}\n"
    ));
    run.steps(6000);
    let t = run.simulation.time();
    assert!((run.get("craft.x") - (0.1 * t + 0.124 * (0.2 * t).cos())).abs() < 1e-3);
    assert!((run.get("craft.y") - 0.124 * (0.2 * t).sin()).abs() < 1e-3);
}

#[test]
fn what_controllers_remember_is_saved_bit_for_bit() {
    let text = format!(
        "{CRAFT}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\ndelay = 0.003\nsample_time = 0.002\n\
         gains = {{ position = 3, velocity = 6, orientation = 0.2, angular_velocity = 0.1 }}\n\
         target = {{ dipole = {{ relative = \"dock\", speed = 0.05 }} }}\n\
         noise = {{ seed = 3, output = 0.01, measured = {{ \"craft.position\" = 1e-3, \"craft.rotation\" = 1e-2 }} }}\n\
         [controller.i]\nkind = \"pid\"\nbody = \"craft\"\n\
         gains = {{ position = 1, velocity = 1, position_integral = 0.5, orientation_integral = 0.01, orientation = 0.1 }}\n\
         target = {{ relative = \"dock\" }}\nlimits = {{ force = 0.3 }}\n\
         [controller.f]\nkind = \"expression\"\nbody = \"craft\"\n\
         states.slow = {{ rate = \"5*(craft.vx - slow)\", start = 0.1 }}\nforce = [\"-slow\", 0, 0]\n"
    );
    let mut whole = Run::new(&text);
    whole.steps(601);
    let checkpoint = Checkpoint {
        scenario: 1,
        frames: 0,
        contacts: Default::default(),
        wall_seconds: 0.0,
        state: whole.simulation.snapshot(),
        ledger: whole.simulation.ledger().clone(),
        feedback: whole.feedback.state(),
        pressed: (0.0, Vec::new()),
    };
    whole.steps(400);
    let mut resumed = Run::new(&text);
    let start = resumed.simulation.state().clone();
    let read = Checkpoint::from_bytes(&checkpoint.to_bytes(), 1, &start).unwrap();
    resumed.simulation.restore(read.state, read.ledger);
    assert!(resumed.feedback.restore(&read.feedback));
    resumed.steps(400);
    let bits = |row: Vec<f64>| row.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(whole.row()), bits(resumed.row()));
    // What belongs to other controllers is refused.
    assert!(!Run::new(CRAFT).feedback.restore(&read.feedback));
    assert!(!resumed.feedback.restore(&read.feedback[1..]));
}

#[test]
fn the_way_to_the_dock_has_no_jumps() {
    // Setting out, along the field line, braking, and standing still, the Lyapunov function of both retractions never
    // rises by more than the hold over a step makes of it.
    for retraction in ["exponential", "cayley"] {
        let mut run = Run::new(&format!(
            "{}\n[controller.c]\nkind = \"tracking\"\nbody = \"craft\"\nretraction = \"{retraction}\"\n\
             gains = {{ position = 1.2, velocity = 9.6, orientation = 1, angular_velocity = 0.3 }}\n\
             target = {{ dipole = {{ relative = \"dock\", speed = 0.05 }} }}\n",
            CRAFT.replace("gravity = [0, 0, -1]\n", "")
        ));
        let first = run.get("controller.c.lyapunov");
        let mut last = first;
        for step in 0..9000 {
            run.steps(1);
            let v = run.get("controller.c.lyapunov");
            assert!(
                v <= last + 1e-9 * first,
                "{retraction} step {step}: {last} to {v}"
            );
            last = v;
        }
        assert!(last < 1e-9 * first, "{last} {first}");
        for (c, docked) in [("x", 0.124), ("y", 0.0), ("z", 0.0)] {
            let x = run.get(&format!("craft.{c}"));
            assert!((x - docked).abs() < 1e-3, "{c}: {x}");
        }
        assert!((run.get("craft.d1x") + 1.0).abs() < 1e-6);
    }
}
