//! Two CubeSats: without control they pass, with feedback they dock.

mod gallery;

use gallery::run_in;

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
        // Within 1 mm and 1 degree, at about the printed 6.2 s, and for good.
        assert!(measure("distance_end") < 1e-3 && measure("angle_end") < 1.0);
        assert!(
            (4.0..7.0).contains(&measure("docked")),
            "{}",
            measure("docked")
        );
        assert_eq!(run.summary["success"], true);
        // While nothing touches, Lyapunov functions rise once, when the reference stops at the docked pose, and
        // else by no more than the hold over a step makes of them.
        let touched = run.contacts.first().map(|c| run.frame(c.time) - 1);
        let last = touched.unwrap_or(run.column("time").len() - 1);
        for name in ["lyapunov", "lyapunov_position", "lyapunov_orientation"] {
            let v = run.column(&format!("controller.dock.{name}"));
            let rises = (0..last).filter(|k| v[k + 1] > v[*k] + 1e-8 * v[0]);
            assert_eq!(rises.count(), 1, "{retraction}, {name}");
        }
    }
}
