//! `carom track`: a plan is a reference that a disturbed simulation follows.

use std::fs;

use crate::common::{carom, folder, text};

fn column(out: &std::path::Path, name: &str) -> Vec<f64> {
    let table = fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let k = names.iter().position(|n| *n == name).unwrap();
    lines
        .map(|l| l.split(',').nth(k).unwrap().parse().unwrap())
        .collect()
}

#[test]
fn a_plan_is_followed_also_when_disturbed() {
    let place = folder("track");
    let plan = place.join("plan");
    // Without avoidance it is found at once, and comes in along the axis as well.
    let quick = [
        "run",
        "docking:optimal",
        "--set",
        "optimise.avoid=false",
        "--out",
        text(&plan),
        "--quiet",
    ];
    let run = carom(&quick);
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let follow = |name: &str, set: &[&str]| {
        let out = place.join(name);
        let mut arguments = vec!["track", text(&plan), "--out", text(&out), "--quiet"];
        set.iter().for_each(|s| arguments.extend(["--set", s]));
        let run = carom(&arguments);
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
        out
    };
    // Undisturbed, it is the plan.
    let same = follow("same", &[]);
    let deviation = column(&same, "controller.track.deviation");
    assert!(deviation.iter().all(|d| *d < 1e-9), "{deviation:?}");
    // Disturbed, it comes back, with finer steps and noise too.
    for (name, set) in [
        ("pushed", vec!["body.male.velocity=[0.02, -0.02, 0.01]"]),
        (
            "noisy",
            vec![
                "body.male.position=[0.46, -0.02, 0.0]",
                "simulate.step=0.02",
                "simulate.steps=285",
                "controller.track.noise={ seed = 1, measured = { \"male.position\" = 1e-4 } }",
            ],
        ),
    ] {
        let out = follow(name, &set);
        let deviation = column(&out, "controller.track.deviation");
        let largest = deviation.iter().copied().fold(0.0, f64::max);
        let last = deviation[deviation.len() - 1];
        assert!(largest > 3e-3, "{name}: {largest}");
        assert!(
            last < 1e-3 && last < 0.1 * largest,
            "{name}: {last} {largest}"
        );
        // What was run is complete.
        let check = carom(&["check", text(&out.join("scenario.toml"))]);
        assert!(
            check.status.success(),
            "{}",
            String::from_utf8_lossy(&check.stderr)
        );
    }
    // A folder that holds no plan is refused.
    let wrong = carom(&["track", text(&same)]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("does not hold a plan"));
}
