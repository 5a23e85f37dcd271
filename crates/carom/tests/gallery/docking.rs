//! Two CubeSats: without control they pass, with feedback they dock.

use crate::gallery::run_in;

#[test]
fn without_control_the_craft_passes_by() {
    let run = run_in("docking-free", "docking:free", &["simulate.duration=4"]);
    assert!(run.contacts.is_empty());
    assert!(run.summary["measures"]["distance_end"].as_f64().unwrap() > 0.3);
}

#[test]
fn feedback_docks_with_either_retraction() {
    for retraction in ["exponential", "cayley"] {
        let set = format!("controller.dock.retraction={retraction}");
        let set = [set.as_str(), "simulate.record={every=1}"];
        let run = run_in(&format!("docking-{retraction}"), "docking:feedback", &set);
        let measure = |name: &str| run.summary["measures"][name].as_f64().unwrap();
        // Within 1 mm and 1 degree for good, at about the printed 6.2 s; far nearer in the end.
        assert!(
            (5.0..7.0).contains(&measure("docked")),
            "{}",
            measure("docked")
        );
        assert!(measure("distance_end") < 1e-6 && measure("angle_end") < 1e-6);
        assert_eq!(run.summary["success"], true);
        // While nothing touches, the Lyapunov function never rises by more than the hold over a step makes of it.
        let touched = run.contacts.first().map(|c| run.frame(c.time) - 1);
        let last = touched.unwrap_or(run.column("time").len() - 1);
        assert!(run.column("time")[last] > 5.0);
        let total = run.column("controller.dock.lyapunov")[0];
        for name in ["lyapunov", "lyapunov_position", "lyapunov_orientation"] {
            let v = run.column(&format!("controller.dock.{name}"));
            let rises = (0..last).map(|k| v[k + 1] - v[k]);
            let largest = rises.fold(0.0, f64::max);
            assert!(largest < 1e-9 * total, "{retraction}, {name}: {largest}");
        }
    }
}

#[test]
fn cones_and_cups_bring_the_printed_reference_into_line() {
    // It starts and stops with a jump and meets the dock askew: the ports touch, and lead the craft into the mount.
    let printed =
        "controller.dock.target.dipole={ relative = \"dock\", speed = 0.05, start = 0, brake = 0 }";
    let run = run_in("docking-printed", "docking:feedback", &[printed]);
    let measure = |name: &str| run.summary["measures"][name].as_f64().unwrap();
    assert!(!run.contacts.is_empty());
    assert!(measure("distance_end") < 1e-3 && measure("angle_end") < 1.0);
    assert!((4.0..7.0).contains(&measure("docked")));
}
