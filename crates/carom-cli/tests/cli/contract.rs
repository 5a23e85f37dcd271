//! The shape of what `carom list`, `run` and `check` give: keys, types, files, exit statuses.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use crate::common::{carom, folder, text};
use serde_json::Value;

const NUMBERS: &[&str] = &[
    "format",
    "contact_count",
    "steps",
    "step",
    "time_end",
    "wall_seconds",
    "wall_seconds_total",
    "momentum_residual_max",
    "constraint_violation_max",
    "overlap_max",
    "contact_energy",
    "projection_energy",
    "contact_residual_max",
    "unsettled_count",
    "caught_count",
    "newton_iterations",
];
const TABLES: &[&str] = &[
    "energy",
    "kinetic",
    "potential",
    "energy_discrete",
    "linear_momentum",
    "angular_momentum",
    "bodies",
];
const FILES: &[&str] = &[
    "summary.json",
    "trajectory.csv",
    "trajectory.npy",
    "contacts.csv",
    "report.html",
    "motion.glb",
    "scenario.toml",
];

fn summary(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("summary.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn every_example_runs_and_runs_again_from_what_it_wrote() {
    let list = carom(&["list", "--json"]);
    assert!(list.status.success());
    let list: Value = serde_json::from_slice(&list.stdout).unwrap();
    let entries = list.as_array().unwrap();
    assert!(entries.len() >= 7);
    let mut names = Vec::new();
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        assert!(!entry["title"].as_str().unwrap().is_empty(), "{name}");
        assert!(entry["source"].is_string(), "{name}");
        names.push(name.to_string());
        // Variants of plans are left to tests of their own: they take long.
        if !plans(name) {
            let variants = entry["variants"].as_array().unwrap().iter();
            names.extend(variants.map(|v| format!("{name}:{}", v.as_str().unwrap())));
        }
    }
    // The tests of plans solve these, which take half a minute each.
    names.retain(|name| !["knot-burr", "manipulator"].contains(&name.as_str()));
    let root = folder("contract");
    let names = Mutex::new(names.into_iter());
    let next = || names.lock().unwrap().next();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(name) = next() {
                    match plans(&name) {
                        true => a_plan_runs(&root, &name),
                        false => a_simulation_runs_twice(&root, &name),
                    }
                }
            });
        }
    });
}

/// Whether an example is a plan.
fn plans(name: &str) -> bool {
    let check = String::from_utf8(carom(&["check", name]).stdout).unwrap();
    check.contains("\n  optimise")
}

/// Sixty steps, and the same from the complete scenario that they wrote.
fn a_simulation_runs_twice(root: &Path, name: &str) {
    let place = root.join(name.replace(':', "-"));
    let run = carom(&[
        "run",
        name,
        "--out",
        text(&place),
        "--set",
        "simulate.steps=60",
        "--set",
        "simulate.record.every=1",
    ]);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name}: {errors}");
    shape(&place, name);
    let again = place.with_extension("again");
    let file = place.join("scenario.toml");
    let run = carom(&["run", text(&file), "--out", text(&again)]);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name}: {errors}");
    let [first, second] = [&place, &again].map(|folder| without_times(summary(folder)));
    assert_eq!(first, second, "{name}");
}

/// Plans have steps of their own.
fn a_plan_runs(root: &Path, name: &str) {
    let place = root.join(name.replace(':', "-"));
    let run = carom(&["run", name, "--out", text(&place)]);
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{name}: {errors}");
    for file in FILES {
        assert!(place.join(file).is_file(), "{name}: no {file}");
    }
    let s = summary(&place);
    for key in ["objective", "replay_error_max", "constraint_violation_max"] {
        assert!(s[key].is_number(), "{name}: {key} is {}", s[key]);
    }
}

fn without_times(mut summary: Value) -> Value {
    let map = summary.as_object_mut().unwrap();
    map.retain(|key, _| !key.starts_with("wall") && key != "provenance");
    summary
}

fn shape(folder: &Path, name: &str) {
    for file in FILES {
        assert!(folder.join(file).is_file(), "{name}: no {file}");
    }
    let s = summary(folder);
    for key in NUMBERS {
        assert!(s[key].is_number(), "{name}: {key} is {}", s[key]);
    }
    for key in TABLES {
        assert!(s[key].is_object(), "{name}: {key}");
    }
    assert!(s["scenario"].is_string() && s["law"].is_string());
    for key in ["contact_values", "unsettled", "warnings"] {
        assert!(s[key].is_array(), "{name}: {key}");
    }
    contacts(folder, &s, name);
    assert_eq!(s["status"], "done");
    assert_eq!(s["steps"], 60);
    for key in ["energy", "energy_discrete"] {
        for part in ["initial", "final", "min", "max"] {
            assert!(s[key][part].is_number(), "{name}: {key}.{part}");
        }
    }
    for (body, value) in s["bodies"].as_object().unwrap() {
        if value.get("coordinates").is_some() {
            assert!(value["rates"].is_array(), "{name}.{body}");
        } else {
            assert_eq!(
                value["position"].as_array().unwrap().len(),
                3,
                "{name}.{body}"
            );
            assert_eq!(
                value["velocity"].as_array().unwrap().len(),
                3,
                "{name}.{body}"
            );
        }
        if let Some(directors) = value.get("directors") {
            assert_eq!(directors.as_array().unwrap().len(), 3);
            assert!(value["angular_velocity"].is_array());
        }
    }
    // One header and as many numbers in each row; both forms hold the same rows.
    let csv = fs::read_to_string(folder.join("trajectory.csv")).unwrap();
    let mut lines = csv.lines();
    let columns = lines.next().unwrap().split(',').count();
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|n| n.parse().unwrap()).collect())
        .collect();
    assert!(rows.iter().all(|row| row.len() == columns));
    assert_eq!(rows.len(), 61, "{name}: 60 steps and the start");
    let npy = fs::read(folder.join("trajectory.npy")).unwrap();
    assert_eq!(&npy[..6], b"\x93NUMPY");
    let header = u32::from_le_bytes(npy[8..12].try_into().unwrap()) as usize;
    assert_eq!((12 + header) % 64, 0);
    let numbers: Vec<f64> = (npy[12 + header..].chunks_exact(8))
        .map(|b| f64::from_le_bytes(b.try_into().unwrap()))
        .collect();
    // Not-a-number stands where there is no value.
    let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    let rows = rows.concat();
    assert_eq!(numbers.len(), rows.len());
    assert!(numbers.iter().zip(&rows).all(same), "{name}");
}

/// The summary holds the first thousand rows of `contacts.csv`.
fn contacts(folder: &Path, summary: &Value, name: &str) {
    let csv = fs::read_to_string(folder.join("contacts.csv")).unwrap();
    let mut lines = csv.lines();
    let header: Vec<_> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[..4], ["time", "kind", "a", "b"]);
    let rows: Vec<Vec<_>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(summary["contact_count"], rows.len(), "{name}");
    let listed = summary["contacts"].as_array().unwrap();
    assert_eq!(listed.len(), rows.len().min(1000), "{name}");
    for (event, row) in listed.iter().zip(&rows) {
        assert_eq!(row.len(), header.len(), "{name}");
        let cell = |column: &str| row[header.iter().position(|c| *c == column).unwrap()];
        // The test's own JSON reader rounds the last bit.
        let same = |value: &Value, column: &str| {
            let (a, b) = (
                value.as_f64().unwrap(),
                cell(column).parse::<f64>().unwrap(),
            );
            assert!(
                (a - b).abs() <= 4.0 * f64::EPSILON * b.abs(),
                "{name}: {column}"
            );
        };
        assert_eq!(event["kind"], cell("kind"));
        assert_eq!(event["pair"][0], cell("a"));
        assert_eq!(event["pair"][1], cell("b"));
        assert_eq!(event["features"][0], cell("feature_a"));
        assert_eq!(event["features"][1], cell("feature_b"));
        for key in [
            "time",
            "impulse_normal",
            "impulse_tangent",
            "speed_before",
            "speed_after",
            "energy",
        ] {
            same(&event[key], key);
        }
        for key in ["impulse", "point", "normal"] {
            for (k, axis) in ["x", "y", "z"].iter().enumerate() {
                same(&event[key][k], &format!("{key}.{axis}"));
            }
        }
    }
}

#[test]
fn all_contacts_are_recorded_and_the_first_thousand_summed_up() {
    let place = folder("contacts");
    let file = place.join("bounce.toml");
    // A bead between two walls and a cart between its limits, 400 impacts a second each.
    let scenario = "[body.bead]\nkind = \"particle\"\nmass = 2\nradius = 0.1\nvelocity = [400, 0, 0]\n\
        [halfspace.left]\nnormal = [1, 0, 0]\npoint = [-0.6, 0, 0]\n\
        [halfspace.right]\nnormal = [-1, 0, 0]\npoint = [0.6, 0, 0]\n\
        [linkage.cart]\norigin = [0, 5, 0]\n\
        coordinates.x = { start = 0.25, rate = 400, limits = [-0.5, 0.5] }\n\
        links.cart = { slide = [1, 0], by = \"x\", mass = 1 }\n\
        [simulate]\nduration = 2\nstep = 0.01\nlaw = \"exact\"\n";
    fs::write(&file, scenario).unwrap();
    let out = place.join("out");
    let run = carom(&["run", text(&file), "--out", text(&out)]);
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let s = summary(&out);
    assert_eq!(s["law"], "exact");
    assert_eq!(s["contact_count"], 1600);
    contacts(&out, &s, "bounce");
    assert!(
        printed.contains("contacts                         1600"),
        "{printed}"
    );
    assert!(printed.contains("by the law \"exact\""), "{printed}");
    let first = s["contacts"].as_array().unwrap();
    let of = |a: &str| first.iter().find(|e| e["pair"][0] == a).unwrap().clone();
    let bead = of("bead");
    assert_eq!(bead["pair"][1], "right");
    assert_eq!(bead["kind"], "impact");
    assert!((bead["time"].as_f64().unwrap() - 0.5 / 400.0).abs() < 1e-12);
    assert!((bead["impulse"][0].as_f64().unwrap() + 1600.0).abs() < 1e-9);
    assert!((bead["impulse_normal"].as_f64().unwrap() - 1600.0).abs() < 1e-9);
    assert_eq!(bead["features"], serde_json::json!(["bead", "wall"]));
    let cart = of("cart.x");
    assert_eq!(cart["pair"][1], "upper limit");
    assert!((cart["time"].as_f64().unwrap() - 0.25 / 400.0).abs() < 1e-12);
    assert!((cart["impulse_normal"].as_f64().unwrap() - 800.0).abs() < 1e-9);
    assert_eq!(cart["features"], serde_json::json!(["coordinate", "limit"]));
}

#[test]
fn bad_input_is_status_2_and_names_the_file() {
    let place = folder("bad-input");
    for (k, content) in [
        "",
        "nonsense",
        "[body.a]\nshape = { box = [1, 1] }\n",
        "[body.a]\nmas = 3\n",
    ]
    .iter()
    .enumerate()
    {
        let file = place.join(format!("{k}.toml"));
        fs::write(&file, content).unwrap();
        for command in ["run", "check"] {
            let run = carom(&[command, text(&file)]);
            assert_eq!(run.status.code(), Some(2));
            assert!(String::from_utf8_lossy(&run.stderr).contains(&format!("{k}.toml")));
        }
    }
    for arguments in [
        &["run", "no-such-example"][..],
        &["run", "missing.toml"],
        &["run", "tumbling:no-such-variant"],
        &["run", "tumbling", "--set", "nothing"],
        &["check", "missing.toml"],
    ] {
        assert_eq!(carom(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn foreign_files_are_left_alone() {
    let place = folder("foreign");
    let steps = "simulate.steps=3";
    let run = |to: &Path| carom(&["run", "bead-chain", "--out", text(to), "--set", steps]);
    let ours = place.join("ours");
    assert!(run(&ours).status.success());
    assert!(
        run(&ours).status.success(),
        "a folder of carom's may be written again"
    );
    // Other files do not matter and are left alone.
    fs::write(ours.join("notes.txt"), "mine").unwrap();
    assert!(run(&ours).status.success());
    assert_eq!(fs::read_to_string(ours.join("notes.txt")).unwrap(), "mine");
    // A file that would be overwritten stops the run before it starts.
    let theirs = place.join("theirs");
    for name in ["summary.json", "report.html", "scenario.toml"] {
        let _ = fs::remove_dir_all(&theirs);
        fs::create_dir_all(&theirs).unwrap();
        fs::write(theirs.join(name), "mine").unwrap();
        let refused = run(&theirs);
        assert_eq!(refused.status.code(), Some(2));
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(error.contains(name) && error.contains("--out"), "{error}");
        assert_eq!(fs::read_to_string(theirs.join(name)).unwrap(), "mine");
        assert_eq!(fs::read_dir(&theirs).unwrap().count(), 1);
    }
}

#[test]
fn a_run_that_fails_is_status_1_and_written() {
    let place = folder("failing");
    let file = place.join("fast.toml");
    let scenario = "[body.a]\nmass = 1\ninertia = [3, 2, 1]\nangular_velocity = [1, 400, 0]\n\
                    [simulate]\nsteps = 10\nstep = 0.01\n";
    fs::write(&file, scenario).unwrap();
    let out = place.join("out");
    let run = carom(&["run", text(&file), "--out", text(&out)]);
    assert_eq!(
        run.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(
        told.contains("error: the run failed: body \"a\" turns by")
            && told.contains("\n  help: take a step below"),
        "{told}"
    );
    let s = summary(&out);
    assert_eq!(s["status"], "failed");
    assert!(s["error"].as_str().unwrap().contains(": take a step below"));
    assert!(out.join("trajectory.csv").is_file());
}

#[test]
fn a_run_that_fails_on_the_way_says_when_and_keeps_what_was_before() {
    let place = folder("failing-later");
    let file = place.join("spun.toml");
    let scenario = "[body.top]\nmass = 1\ninertia = [1, 1, 1]\n\
                    [load.motor]\nbody = \"top\"\ntorque = [0, 0, 400]\n\
                    [simulate]\nsteps = 100\nstep = 0.01\nrecord = { every = 7 }\n";
    fs::write(&file, scenario).unwrap();
    let out = place.join("out");
    let run = carom(&["run", text(&file), "--out", text(&out)]);
    assert_eq!(run.status.code(), Some(1));
    let s = summary(&out);
    let time = s["time_end"].as_f64().unwrap();
    let error = s["error"].as_str().unwrap();
    assert!(
        time > 0.1 && error.contains(&format!("step from t = {time} s")),
        "{error}"
    );
    let csv = fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let last = csv.lines().last().unwrap().split(',').next().unwrap();
    assert_eq!(last.parse::<f64>().unwrap(), time);
}

#[test]
fn bodies_that_overlap_at_the_start_are_bad_input() {
    let place = folder("overlap");
    let file = place.join("pair.toml");
    let scenario = "[body.left]\nshape = { cube = 0.2 }\ndensity = 1000\n\
                    [body.right]\nshape = { cube = 0.2 }\ndensity = 1000\nposition = [0.15, 0.02, 0.01]\n\
                    velocity = [-0.1, 0, 0]\n[simulate]\nduration = 0.1\nstep = 0.01\n";
    for law in ["exact", "plastic", "decomposition"] {
        fs::write(&file, format!("{scenario}law = \"{law}\"\n")).unwrap();
        let out = place.join(law);
        for arguments in [
            &["check", text(&file)][..],
            &["run", text(&file), "--out", text(&out)],
        ] {
            let refused = carom(arguments);
            let message = String::from_utf8_lossy(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{message}");
            for words in [
                "pair.toml:1",
                "\"left\" and \"right\" overlap by 5.000e-2 m",
                "separate = true",
            ] {
                assert!(message.contains(words), "{message}");
            }
        }
        assert!(!out.exists(), "nothing is written");
        let set = "simulate.separate=true";
        let run = carom(&["run", text(&file), "--out", text(&out), "--set", set]);
        let printed = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{law}: {printed}");
        assert!(printed.contains("moved apart at the start"), "{printed}");
        assert!(summary(&out)["separated"].as_f64().unwrap() > 0.02);
    }
    fs::write(
        &file,
        format!("{scenario}law = \"potential\"\nstiffness = 1e4\n"),
    )
    .unwrap();
    let out = place.join("potential");
    let run = carom(&["run", text(&file), "--out", text(&out)]);
    let warned = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && warned.contains("warning: \"left\" and \"right\""),
        "{warned}"
    );
    assert!(summary(&out)["warnings"][0].is_string());
}

#[test]
fn a_file_without_a_law_says_what_ran() {
    let place = folder("no-law");
    let file = place.join("drop.toml");
    let scenario = "gravity = [0, 0, -9.81]\n[halfspace.floor]\nnormal = [0, 0, 1]\n\
                    [body.a]\nshape = { cube = 0.1 }\ndensity = 100\nposition = [0, 0, 0.5]\n\
                    [contact]\nfriction = 0.4\n[simulate]\nduration = 0.5\nstep = 0.01\n";
    fs::write(&file, scenario).unwrap();
    let check = carom(&["check", text(&file)]);
    let described = String::from_utf8_lossy(&check.stdout);
    assert!(
        described.contains("exact, restitution 0, friction 0.4"),
        "{described}"
    );
    let out = place.join("out");
    let run = carom(&["run", text(&file), "--out", text(&out)]);
    let printed = String::from_utf8_lossy(&run.stdout);
    assert!(
        printed.contains("by the law \"exact\"; restitution 0, friction 0.4, at rest below"),
        "{printed}"
    );
    let s = summary(&out);
    assert_eq!(s["law"], "exact");
    assert_eq!(s["contact_values"][0]["restitution"], 0.0);
    assert!(s["bodies"]["a"]["position"][2].as_f64().unwrap() > 0.0499);
}
