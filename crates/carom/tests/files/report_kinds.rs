//! Reports of systems that are more than bodies with faces: linkages, point feet, rods, plans.
#![cfg(feature = "optimise")]

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::record::Folder;
use carom::report::{self, Plot, Report, Verdict};
use carom::run::{self, Observer};
use carom::scenario::{Options, Scenario};

/// Runs an example of the gallery and reads its report back.
fn example(name: &str, variant: Option<&str>) -> Report {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../gallery/{name}.toml"));
    let options = Options {
        variant: variant.map(str::to_string),
        ..Options::default()
    };
    let scenario = Scenario::read(&file, &options).unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report-kinds-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    let mut folder = Folder::open(&path, false).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    if scenario.optimise.is_some() {
        run::run_plan(&scenario, &mut folder, |_| {}, &stop).unwrap();
    } else {
        let mut observer = Observer {
            progress: &mut |_| {},
            stop: &stop,
        };
        run::run(&scenario, &mut folder, false, &mut observer).unwrap();
    }
    report::read(&path).unwrap()
}

fn plot<'a>(report: &'a Report, title: &str) -> Option<&'a Plot> {
    let mut plots = report.motions[0].plots.iter();
    plots.find(|plot| plot.title == title)
}

#[test]
fn a_linkage_shows_its_cart_its_rail_and_its_limits() {
    let report = example("cart-pendulum", Some("wild"));
    let scene = &report.motions[0].scene;
    let kinds: Vec<&str> = scene.links.iter().map(|l| l.kind.as_str()).collect();
    let expected = ["rail", "limit", "limit", "arm", "limit", "limit"];
    assert_eq!(kinds, expected);
    // Limits carry the names that contact events have for them.
    assert_eq!(scene.links[4].name, "system.alpha lower limit");
    assert!(scene.bodies[0].shape.is_some() && scene.bodies[1].radius > 0.0);
    // A hit of a limit has a strength without a direction.
    let contacts = &report.motions[0].contacts;
    assert!(contacts.impulse.0.iter().all(|c| *c == 0.0));
    assert!(contacts.strength.0.iter().all(|s| *s > 1.0));
    // Eleven hits let the energy wander; that is no drift.
    assert_eq!(report.verdict.0, Verdict::Good, "{:?}", report.ledger);
}

#[test]
fn a_body_that_is_only_a_foot_gets_a_stand_in() {
    let report = example("jumper-release", None);
    let scene = &report.motions[0].scene;
    let calf = scene.bodies.iter().find(|b| b.name == "calf").unwrap();
    assert!(calf.stand_in);
    let mesh = &scene.shapes[calf.shape.unwrap()];
    assert_eq!(mesh.loops().filter(|face| face.len() > 2).count(), 6);
    assert_eq!(mesh.loops().filter(|face| face.len() == 1).count(), 1);
    // What loads do to the energy is no residual.
    let residuals = plot(&report, "Residuals").unwrap();
    assert!(residuals.series.iter().all(|s| !s.name.contains("energy")));
}

#[test]
fn momentum_that_cancels_is_kept_and_knows_its_size() {
    let report = example("metronome", None);
    let kept = |what: &str| {
        let line = report.ledger.iter().find(|line| line.what == what);
        line.unwrap().verdict
    };
    assert_eq!(kept("angular momentum"), Verdict::Good);
    let momentum = plot(&report, "Linear momentum").unwrap();
    let largest = (momentum.series.iter())
        .flat_map(|s| &s.values.0)
        .fold(0.0, |m: f64, v| m.max(v.abs()));
    assert!(momentum.size > 1.0 && largest < 1e-9 * momentum.size);
    // Curves of gaps go on to the end.
    let gaps = plot(&report, "Gaps").unwrap();
    assert_eq!(gaps.time.0.last(), report.motions[0].time.0.last());
}

#[test]
fn rods_are_in_the_gltf_file() {
    let report = example("bead-chain", Some("quick"));
    let glb = report::glb(&report);
    let text = String::from_utf8_lossy(&glb);
    assert_eq!(text.matches("\"scale\"").count(), 4 + 2 * 3);
    assert!(text.contains("steel"));
}

#[test]
fn a_plan_stands_beside_its_guess_and_is_judged() {
    let report = example("rotors", None);
    let names: Vec<&str> = report.motions.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["plan", "guess"]);
    assert_eq!(report.motions[0].scene.view, report.motions[1].scene.view);
    assert!(plot(&report, "Energy").is_some() && plot(&report, "Residuals").is_some());
    let judged = |what: &str| {
        let line = report.ledger.iter().find(|line| line.what == what);
        line.unwrap().verdict
    };
    for what in [
        "largest violated constraint",
        "replay by the simulator",
        "stationarity",
        "feasibility",
        "complementarity",
    ] {
        assert_eq!(judged(what), Verdict::Good, "{what}");
    }
    // No one asked the bodies to stay apart: nothing is said of it.
    assert!(report.ledger.iter().all(|l| l.what != "largest overlap"));
    // The replay has its steps from the plan, whatever the scenario says of steps.
    let steps = plot(&report, "Time step").unwrap();
    assert!(
        steps.series[0]
            .values
            .0
            .iter()
            .all(|h| (h - 0.1).abs() < 1e-12)
    );
}
