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
        // While nothing touches, no Lyapunov function rises by more than the hold over a step makes of it.
        let touched = run.contacts[0].time;
        let last = run.frame(touched) - 1;
        for name in ["lyapunov", "lyapunov_position", "lyapunov_orientation"] {
            let v = run.column(&format!("controller.dock.{name}"));
            for k in 0..last {
                assert!(
                    v[k + 1] <= v[k] + 1e-8 * v[0],
                    "{name} at frame {k}: {} {}",
                    v[k],
                    v[k + 1]
                );
            }
        }
    }
}
