//! Small commands and options: show, new, completions, version, --quiet, --json.

mod common;

use std::fs;
use std::process::Command;

use carom_cli::gallery::GALLERY;
use common::{carom, folder, text};
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
