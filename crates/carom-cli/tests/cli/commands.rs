//! Small commands and options: show, new, completions, version, --quiet, --json.

use std::fs;
use std::process::Command;

use crate::common::{carom, folder, text};
use carom_cli::gallery::GALLERY;
use serde_json::Value;

fn printed(arguments: &[&str]) -> String {
    let run = carom(arguments);
    let error = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success(), "{arguments:?}: {error}");
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn show_prints_the_commented_file_and_what_a_variant_runs() {
    for (name, file) in GALLERY {
        assert_eq!(printed(&["show", name]), *file);
    }
    let complete = printed(&["show", "falling-cube:frictional"]);
    assert!(complete.contains("friction = 0.8"), "{complete}");
    // What is printed can be run.
    let place = folder("show");
    let file = place.join("shown.toml");
    fs::write(&file, complete).unwrap();
    printed(&["check", text(&file)]);
    assert_eq!(carom(&["show", "falling-cubes"]).status.code(), Some(2));
}

#[test]
fn new_writes_starters_that_run_and_overwrites_nothing() {
    let place = folder("new");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        let output = command.args(arguments).current_dir(&place).output();
        output.expect("the binary runs")
    };
    for name in ["bounce", "arm", "plan"] {
        assert!(run(&["new", name]).status.success());
        let file = fs::read_to_string(place.join(format!("{name}.toml"))).unwrap();
        assert!(file.contains(&format!("carom run {name}.toml")), "{file}");
        let check = run(&["check", &format!("{name}.toml")]);
        let error = String::from_utf8_lossy(&check.stderr).into_owned();
        assert!(check.status.success() && error.is_empty(), "{error}");
        assert_eq!(run(&["new", name]).status.code(), Some(2));
    }
    assert!(run(&["new", "mine", "--starter", "arm"]).status.success());
    let mine = fs::read_to_string(place.join("mine.toml")).unwrap();
    assert!(mine.contains("carom view out/mine"), "{mine}");
    for name in ["bounce", "arm"] {
        let steps = ["--set", "simulate.steps=50"];
        let run = run(&[&["run", &format!("{name}.toml")], &steps[..]].concat());
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        assert!(!said.contains("Look at"), "{said}");
    }
    assert!(run(&["run", "plan.toml"]).status.success());
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        for command in [
            "list", "show", "new", "check", "run", "view", "figure", "gap",
        ] {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
}

#[test]
fn the_version_tells_more_when_asked() {
    let short = printed(&["--version"]);
    assert_eq!(short, format!("carom {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(printed(&["-V"]), short);
    let long = printed(&["--version", "--verbose"]);
    for fact in ["compiler", "rustc", "target, profile", "cores", "browser"] {
        assert!(long.contains(fact), "{fact}: {long}");
    }
}

#[test]
fn quiet_prints_nothing_and_json_is_the_summary() {
    let place = folder("quiet");
    let out = place.join("out");
    let run = [
        "run",
        "bead-chain",
        "--out",
        text(&out),
        "--set",
        "simulate.steps=3",
    ];
    assert_eq!(printed(&[&run[..], &["--quiet"]].concat()), "");
    let json: Value = serde_json::from_str(&printed(&[&run[..], &["--json"]].concat())).unwrap();
    let summary = fs::read_to_string(out.join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(json["folder"], text(&out));
    assert_eq!(json["energy"], summary["energy"]);
    assert_eq!(json["steps"], 3);
    let check: Value = serde_json::from_str(&printed(&["check", "four-bar", "--json"])).unwrap();
    assert_eq!(check["closures"], 1);
    assert!(check["bodies"].as_array().unwrap().len() >= 3);
    assert_eq!(printed(&["check", "four-bar", "-q"]), "");
    // Errors are printed all the same.
    let bad = carom(&["run", "no-such-example", "--quiet"]);
    assert!(String::from_utf8_lossy(&bad.stderr).starts_with("error: "));
}

#[test]
fn errors_have_colours_where_they_are_shown() {
    let run = |force: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
        command
            .args(["run", "no-such-example"])
            .env_remove("NO_COLOR");
        if force {
            command.env("CLICOLOR_FORCE", "1");
        }
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    assert!(!run(false).contains('\u{1b}'));
    assert!(run(true).contains("\u{1b}[31m"), "{:?}", run(true));
}

/// A pendulum with a motor at its hinge, from rest at the side.
const PENDULUM: &str = "gravity = [0, 0, -10]\n[body.bob]\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n\
    position = [1, 0, 0]\n[joint.hinge]\nkind = \"revolute\"\nbetween = [\"world\", \"bob\"]\n\
    at = [0, 0, 0]\naxis = [0, 1, 0]\n[load.motor]\njoint = \"hinge\"\nvalue = \"3*t\"\n\
    [simulate]\nduration = 0.5\nstep = 0.001\nrecord = { every = 10 }\n";

#[test]
fn joints_and_loads_are_columns_that_are_explained() {
    let place = folder("columns");
    let (file, out) = (place.join("pendulum.toml"), place.join("out"));
    fs::write(&file, PENDULUM).unwrap();
    printed(&["run", text(&file), "--out", text(&out)]);
    let columns = fs::read_to_string(out.join("columns.json")).unwrap();
    let columns: Value = serde_json::from_str(&columns).unwrap();
    let csv = fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let told = columns.as_array().unwrap();
    assert_eq!(told.len(), names.len());
    for (column, name) in told.iter().zip(&names) {
        assert_eq!(column["name"], *name);
        assert!(!column["meaning"].as_str().unwrap().is_empty());
        assert!(!column["unit"].as_str().unwrap().is_empty());
    }
    let column = |name: &str| -> Vec<f64> {
        let at = names.iter().position(|n| *n == name);
        let at = at.unwrap_or_else(|| panic!("no {name} in {names:?}"));
        let cell = |line: &str| line.split(',').nth(at).unwrap().parse().unwrap();
        csv.lines().skip(1).map(cell).collect()
    };
    let (time, angle) = (column("time"), column("joint.hinge.angle"));
    let (rate, motor) = (column("joint.hinge.angle.rate"), column("load.motor"));
    for k in 0..time.len() {
        assert!((motor[k] - 3.0 * time[k]).abs() < 1e-12);
        // The bob is where the angle says: it turns from x towards −z.
        assert!((column("bob.x")[k] - angle[k].cos()).abs() < 1e-9);
        assert!((column("bob.z")[k] + angle[k].sin()).abs() < 1e-9);
    }
    // Rates are derivatives of the angles, to second order.
    for k in 1..time.len() - 1 {
        let slope = (angle[k + 1] - angle[k - 1]) / (time[k + 1] - time[k - 1]);
        assert!((slope - rate[k]).abs() < 1e-3, "{slope} {}", rate[k]);
    }
    // The hinge pulls the bob inwards: m (g·x̂-part + ω² r) along the rod, here −x' = −cos, sin.
    let force = [column("joint.hinge.force.x"), column("joint.hinge.force.z")];
    assert!(force[0][0].is_nan());
    for k in 2..time.len() {
        let (c, s) = (angle[k].cos(), angle[k].sin());
        let pull = -force[0][k] * c + force[1][k] * s;
        let wanted = 2.0 * (rate[k] * rate[k] + 10.0 * s);
        // The force is that of the step before the frame.
        assert!(
            (pull - wanted).abs() < 0.1 + 0.02 * wanted,
            "{k}: {pull} {wanted}"
        );
    }
}

#[test]
fn frames_are_exported_long_and_as_parquet() {
    let place = folder("export");
    let out = place.join("out");
    let steps = ["--set", "simulate.steps=20"];
    let run = ["run", "falling-polyhedra", "--out", text(&out)];
    printed(&[&run[..], &steps[..]].concat());
    printed(&["export", text(&out), "--long", "--format", "csv"]);
    let long = fs::read_to_string(out.join("bodies.csv")).unwrap();
    let wide = fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let frames = wide.lines().count() - 1;
    let mut lines = long.lines();
    assert!(lines.next().unwrap().starts_with("body,time,x,y,z,vx"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len() % frames, 0);
    let bodies = rows.len() / frames;
    assert!(bodies >= 7);
    let names: Vec<&str> = wide.lines().next().unwrap().split(',').collect();
    let last: Vec<&str> = wide.lines().last().unwrap().split(',').collect();
    let row = &rows[rows.len() - 1];
    let at = names
        .iter()
        .position(|n| *n == format!("{}.z", row[0]))
        .unwrap();
    assert_eq!(row[4], last[at]);
    for long in [false, true] {
        let more: &[&str] = if long { &["--long"] } else { &[] };
        let said = printed(&[&["export", text(&out)], more].concat());
        let bytes = fs::read(said.trim()).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
        assert!(bytes.len() > 8 * frames * 18 * bodies);
    }
    assert_eq!(carom(&["export", text(&place)]).status.code(), Some(2));
}

#[test]
fn a_duration_that_does_not_fit_and_a_guess_through_an_obstacle_are_told() {
    let place = folder("told");
    let check = |name: &str, content: &str| {
        let file = place.join(name);
        fs::write(&file, content).unwrap();
        let run = carom(&["check", text(&file)]);
        assert!(run.status.success());
        String::from_utf8(run.stderr).unwrap()
    };
    let body = "[body.a]\nmass = 1\ninertia = [1, 1, 1]\n[simulate]\nduration = 1\n";
    let said = check("fits.toml", &format!("{body}step = 0.05\n"));
    assert_eq!(said, "");
    let said = check("odd.toml", &format!("{body}step = 0.03\n"));
    assert!(
        said.contains("34 steps") && said.contains("t = 1.02 s"),
        "{said}"
    );
    let plan = "[body.cart]\nplanar = true\nshape = { rectangle = [0.4, 0.2] }\ndensity = 10\n\
        [body.post]\nkind = \"static\"\nplanar = true\nshape = { rectangle = [0.2, 0.4] }\nposition = [1, 0]\n\
        [optimise]\nminimise = [{ effort = 1 }]\ncontrols.cart = { force = { each = 5 }, torque = { each = 1 } }\n\
        goal.cart = { position = [2, 0, 0], rest = true }\navoid = true\n\
        guess = { ways = [{ node = 10, bodies.cart = { position = [2, 0] } }] }\n\
        [[phase]]\nsteps = 10\nstep = 0.2\n";
    let said = check("through.toml", plan);
    for words in [
        "cart through post",
        "from node",
        "node = 5",
        "bodies.cart = { position",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}

#[test]
fn errors_point_at_their_line_list_the_choices_and_count_rightly() {
    let place = folder("lines");
    let say = |name: &str, content: &str| {
        let file = place.join(name);
        fs::write(&file, content).unwrap();
        let run = carom(&["check", text(&file)]);
        assert!(!run.status.success(), "{name}");
        String::from_utf8(run.stderr).unwrap()
    };
    let body = "[body.a]\nmass = 1\ninertia = [1, 1, 1]\n";
    let has = |said: &str, words: &[&str]| {
        for words in words {
            assert!(said.contains(words), "{words}: {said}");
        }
    };
    // A body that turns too fast for its steps is told before a run.
    let said = say(
        "turns.toml",
        &format!("{body}angular_velocity = [0, 0, 1000]\n[simulate]\nsteps = 1\nstep = 0.01\n"),
    );
    has(
        &said,
        &[
            "turns.toml:1:7",
            "turns by 573 degrees",
            "take a step below",
        ],
    );
    // A material that is missing is told where it is written.
    let said = say(
        "material.toml",
        &format!("{body}material = \"rubber\"\n[simulate]\nsteps = 1\nstep = 0.01\n"),
    );
    has(
        &said,
        &[
            "material.toml:4:12",
            "no material `rubber`",
            "[material.rubber]",
        ],
    );
    let said = say(
        "law.toml",
        &format!("{body}[simulate]\nsteps = 1\nstep = 0.01\nlaw = \"soft\"\n"),
    );
    let laws = "decomposition, exact, none, plastic, potential";
    has(&said, &["law.toml:7:7", "`soft`", laws]);
    // What is not closed is told where it opens, not where the file ends.
    let said = say("brace.toml", "[body.a]\nshape = { cube = 0.2\nmass = 1\n");
    has(&said, &["brace.toml:2:9", "`{` is not closed"]);
    let said = say("twice.toml", "[body.a]\nmass = 1\nmass = 2\n");
    has(&said, &["twice.toml:3:1", "first in line 2"]);
    let said = say(
        "cells.toml",
        "[body.a]\nelastic = { box = [1, 1, 1], cells = [2], E = 1e5, nu = 0.3 }\ndensity = 1\n",
    );
    has(&said, &["1 number\n"]);
    // One step is a step.
    let file = place.join("one.toml");
    fs::write(&file, format!("{body}[simulate]\nsteps = 1\nstep = 0.01\n")).unwrap();
    let out = place.join("one");
    let said = printed(&["run", text(&file), "--out", text(&out)]);
    has(&said, &["one: 1 step of 0.01 s", "2 frames"]);
}
