//! Sweeps: tables that do not depend on threads, kills or shards; failed runs as rows; single runs again.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{carom, folder};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A cube thrown at a wall: some runs reach it, the one of negative density is refused.
const THROWN: &str = r#"
title = "Thrown cubes"
[parameters]
speed = 1
density = 1000
[body.cube]
shape = { cube = 0.1 }
density = "density"
position = [0, 0, 0]
velocity = ["speed", 0, 0]
angular_velocity = [1, 2, 3]
[halfspace.wall]
normal = [-1, 0, 0]
point = [1, 0, 0]
[relative.goal]
between = ["world", "cube"]
position = [0.5, 0, 0]
[measure]
reach = { largest = "cube.x" }
passed = { first = "goal.distance < 0.05", for = 0.02 }
turned = { integral = "hypot(cube.wx, cube.wy, cube.wz)" }
spin = { mean = "cube.wz" }
[success]
that = "passed < 0.6 and contacts >= 0"
[simulate]
duration = 1.0
step = 0.005
record = { every = 2 }
[sweep]
samples = 10
spread = "latin-hypercube"
seed = 3
vary.density = [1000, -1, 500]
vary.speed = { from = 0.2, to = 2 }
"#;

fn write(name: &str, content: &str) -> (std::path::PathBuf, String) {
    let place = folder(name);
    let file = place.join("thrown.toml");
    fs::write(&file, content).unwrap();
    let file = file.display().to_string();
    (place, file)
}

fn sweep(file: &str, out: &Path, more: &[&str]) {
    let out = out.display().to_string();
    let arguments = [&["sweep", file, "--out", &out, "--quiet"], more].concat();
    let output = carom(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
}

fn table(out: &Path) -> String {
    fs::read_to_string(out.join("sweep.csv")).unwrap()
}

#[test]
fn the_table_depends_neither_on_threads_nor_on_shards() {
    let (place, file) = write("sweep-shards", THROWN);
    let [one, two, parts] = ["one", "two", "parts"].map(|name| place.join(name));
    sweep(&file, &one, &["--threads", "1"]);
    sweep(&file, &two, &["--threads", "2"]);
    sweep(&file, &parts, &["--shard", "1/2"]);
    let out = parts.display().to_string();
    let early = carom(&["sweep", &file, "--out", &out, "--merge"]);
    assert_eq!(early.status.code(), Some(2));
    assert!(text(&early.stderr).contains("15 of 30 runs are missing"));
    sweep(&file, &parts, &["--shard", "2/2"]);
    // The folder alone says which sweep it is.
    let merged = carom(&["sweep", &out, "--merge", "--quiet"]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    let whole = table(&one);
    assert_eq!(whole, table(&two));
    assert_eq!(whole, table(&parts));
    for name in ["sweep.parquet", "sweep.html"] {
        let [a, b] = [&one, &two].map(|out| fs::read(out.join(name)).unwrap());
        assert!(a.len() > 500 && (name == "sweep.html" || a == b), "{name}");
    }
}

#[test]
fn rows_say_what_happened_and_why() {
    let (place, file) = write("sweep-rows", THROWN);
    let out = place.join("out");
    sweep(&file, &out, &[]);
    let table = table(&out);
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(names[..4], ["run", "density", "speed", "reach"]);
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 30);
    let at = |row: &str, name: &str| -> String {
        let k = names.iter().position(|n| *n == name).unwrap();
        row.split(',').nth(k).unwrap().into()
    };
    let number = |row: &str, name: &str| at(row, name).parse::<f64>().unwrap_or(f64::NAN);
    for (k, row) in rows.iter().enumerate() {
        assert_eq!(at(row, "run"), k.to_string());
        if at(row, "density") == "-1" {
            assert_eq!(at(row, "status"), "refused");
            assert!(row.contains("greater than zero"), "{row}");
            continue;
        }
        assert_eq!(at(row, "status"), "done");
        let speed = number(row, "speed");
        // Straight until the wall: at most 1 m less half a diagonal.
        let reach = speed.min(1.0);
        assert!(number(row, "reach") <= reach + 1e-9 && number(row, "reach") > 0.85 * reach);
        // It is within 5 cm of x = 0.5 from x = 0.45 on, for 0.1/speed seconds.
        let first = number(row, "passed");
        match 0.45 / speed {
            t if t < 0.97 => assert!((first - t).abs() < 0.011, "{row}"),
            t if t > 1.0 => assert!(first.is_nan(), "{row}"),
            _ => {}
        }
        assert_eq!(at(row, "success") == "1", first < 0.6, "{row}");
        if number(row, "contacts") == 0.0 {
            // A cube's angular velocity stays: ∫|ω| dt = √14, mean of ω_z = 3.
            assert!((number(row, "turned") - 14f64.sqrt()).abs() < 1e-6);
            assert!((number(row, "spin") - 3.0).abs() < 1e-6);
        }
    }
    // Both densities fly alike from the same samples.
    assert_eq!(at(rows[3], "speed"), at(rows[23], "speed"));
}

#[test]
fn a_killed_sweep_goes_on_to_the_same_table() {
    // Runs of some hundredths of a second.
    let slow = THROWN
        .replace("duration = 1.0", "duration = 20")
        .replace("samples = 10", "samples = 30");
    let (place, file) = write("sweep-killed", &slow);
    let whole = place.join("whole");
    sweep(&file, &whole, &[]);
    let out = place.join("out");
    let lines = || fs::read(out.join("rows.csv")).map_or(0, |b| b.split(|b| *b == b'\n').count());
    let mut resumed = false;
    for wanted in [4, 20] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args([
                "sweep",
                &file,
                "--out",
                &out.display().to_string(),
                "--quiet",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begin = Instant::now();
        while lines() < wanted
            && begin.elapsed() < Duration::from_secs(30)
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        child.wait().unwrap();
        // A line that was being written when the process died.
        let rows = out.join("rows.csv");
        if let Ok(mut bytes) = fs::read(&rows) {
            bytes.truncate(bytes.len().saturating_sub(3));
            resumed |= bytes.iter().filter(|b| **b == b'\n').count() > 1;
            if bytes.contains(&b'\n') {
                fs::write(&rows, bytes).unwrap();
            }
        }
    }
    sweep(&file, &out, &["--resume"]);
    assert!(resumed, "no kill found a row; make the runs shorter");
    assert_eq!(table(&whole), table(&out));
}

/// Runs that are done, refused, and fail on their way, in shards that are killed and go on: the same bytes.
#[test]
fn killed_shards_with_failed_runs_merge_to_the_whole() {
    let failing = THROWN
        .replace("density = 1000\n", "density = 1000\nwz = 3\n")
        .replace("{ cube = 0.1 }", "{ box = [0.1, 0.08, 0.12] }")
        .replace("[1, 2, 3]", "[1, 2, \"wz\"]")
        .replace("duration = 1.0", "duration = 5")
        .replace("samples = 10", "samples = 6")
        .replace("vary.speed", "vary.wz = [3, 1e5]\nvary.speed");
    let (place, file) = write("sweep-failing", &failing);
    let [whole, parts] = ["whole", "parts"].map(|name| place.join(name));
    sweep(&file, &whole, &["--threads", "2"]);
    let wanted = table(&whole);
    for status in ["done", "refused", "failed"] {
        assert!(wanted.contains(status), "no run is {status}:\n{wanted}");
    }
    let out = parts.display().to_string();
    for shard in ["1/2", "2/2"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["sweep", &file, "--out", &out, "--quiet", "--shard", shard])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Dead at some moment of the sweep, or after it.
        std::thread::sleep(Duration::from_millis(60));
        let _ = child.kill();
        child.wait().unwrap();
        sweep(&file, &parts, &["--shard", shard, "--resume"]);
    }
    let merged = carom(&["sweep", &out, "--merge", "--quiet"]);
    assert!(merged.status.success(), "{}", text(&merged.stderr));
    assert_eq!(wanted, table(&parts));
}

#[test]
fn a_single_run_is_the_same_again() {
    let (place, file) = write("sweep-single", THROWN);
    let out = place.join("out");
    sweep(&file, &out, &[]);
    sweep(&file, &out, &["--run", "7"]);
    let summary = fs::read_to_string(out.join("runs/7/summary.json")).unwrap();
    let table = table(&out);
    let names: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let row: Vec<&str> = table.lines().nth(8).unwrap().split(',').collect();
    for measure in ["reach", "turned", "spin"] {
        let k = names.iter().position(|n| *n == measure).unwrap();
        // Compared as text: readers of JSON may round.
        let told = format!("\"{measure}\": {}", row[k]);
        assert!(summary.contains(&told), "{told}");
    }
    assert!(out.join("runs/7/report.html").is_file());
    let page = fs::read_to_string(out.join("sweep.html")).unwrap();
    assert!(page.contains("\"kept\":[7]"));
}

#[test]
fn what_is_wrong_with_a_sweep_is_said_before_the_first_run() {
    let cases = [
        (
            THROWN.replace("vary.speed", "vary.sped"),
            "there is no parameter `sped`",
        ),
        (
            THROWN.replace("cube.x\"", "cube.q\""),
            "unknown name `cube.q`",
        ),
        (THROWN.replace("samples = 10\n", ""), "`samples` is missing"),
        (
            THROWN.replace("samples = 10\n", "samples = 10\nsuccess = \"passed < 1\"\n"),
            "[success] with that",
        ),
        (
            THROWN.replace("[\"world\", \"cube\"]", "[\"world\", \"tube\"]"),
            "there is no body `tube`",
        ),
        (
            THROWN.split("[sweep]").next().unwrap().into(),
            "there is no [sweep] section",
        ),
        (
            THROWN.replace("passed <", "pased <"),
            "unknown name `pased`",
        ),
    ];
    for (content, message) in cases {
        let (place, file) = write("sweep-wrong", &content);
        let out = place.join("out").display().to_string();
        let output = carom(&["sweep", &file, "--out", &out]);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(
            text(&output.stderr).contains(message),
            "{}",
            text(&output.stderr)
        );
        assert!(!place.join("out").exists(), "{message}");
    }
}

#[test]
fn a_sweep_file_may_build_on_another_scenario() {
    let (place, _) = write("sweep-base", THROWN.split("[sweep]").next().unwrap());
    let file = place.join("study.toml");
    fs::write(
        &file,
        "scenario = \"thrown.toml\"\n[sweep]\nvary.speed = { from = 1, to = 2, count = 3 }\n",
    )
    .unwrap();
    let out = place.join("out");
    sweep(&file.display().to_string(), &out, &[]);
    let speeds: Vec<String> = (table(&out).lines().skip(1))
        .map(|row| row.split(',').nth(1).unwrap().to_string())
        .collect();
    assert_eq!(speeds, ["1.0", "1.5", "2.0"]);
}

#[test]
fn some_starts_dock_and_some_jam() {
    let place = folder("sweep-docking");
    for (name, docks) in [("docking-plane", true), ("docking-plane:jam", false)] {
        let out = place.join(name.replace(':', "-"));
        let out = out.display().to_string();
        let output = carom(&[
            "run",
            name,
            "--out",
            &out,
            "--json",
            "--set",
            "simulate.duration=8",
        ]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["success"], docks, "{name}");
        let distance = summary["measures"]["distance_end"].as_f64().unwrap();
        // Docked to the clearance of the ports, or held up at the rims of the cups.
        match docks {
            true => assert!(distance < 2e-4, "{distance}"),
            false => assert!(distance > 0.005, "{distance}"),
        }
    }
}
