//! Scenarios that do what their titles say, with verdicts that agree: written from the documentation alone.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::{carom, folder, text};

/// Runs a file of the library's test data and returns what was printed, the summary, and the folder.
fn run(file: &str) -> (String, Value, PathBuf) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../carom/tests/data");
    let file = data.join(file);
    let name = file.file_stem().unwrap().to_string_lossy().into_owned();
    let out = folder(&format!("titles-{name}"));
    let output = carom(&["run", text(&file), "--out", text(&out)]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let summary = fs::read_to_string(out.join("summary.json")).unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    (printed, serde_json::from_str(&summary).unwrap(), out)
}

/// Columns of a table of numbers and words.
fn columns(out: &Path, file: &str, names: &[&str]) -> Vec<Vec<String>> {
    let table = fs::read_to_string(out.join(file)).unwrap();
    let mut lines = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let heads = lines.next().unwrap();
    let place = |name: &&str| heads.iter().position(|head| head == name).unwrap();
    let places: Vec<usize> = names.iter().map(place).collect();
    lines
        .map(|cells| places.iter().map(|k| cells[*k].to_string()).collect())
        .collect()
}

/// The places of a body, frame by frame.
fn path(out: &Path, names: &[&str]) -> Vec<Vec<f64>> {
    let rows = columns(out, "trajectory.csv", names);
    let number = |cell: &String| cell.parse().unwrap();
    (rows.iter().map(|row| row.iter().map(number).collect())).collect()
}

/// The other sides of all impacts of a body, in the order of their times.
fn struck(out: &Path, body: &str) -> Vec<String> {
    let rows = columns(out, "contacts.csv", &["kind", "a", "b"]);
    let impacts = rows.into_iter().filter(|row| row[0] == "impact");
    impacts
        .filter_map(|row| match (row[1] == body, row[2] == body) {
            (true, _) => Some(row[2].clone()),
            (_, true) => Some(row[1].clone()),
            _ => None,
        })
        .collect()
}

#[test]
fn a_ball_rolls_down_three_steps() {
    let (printed, summary, out) = run("contact/steps.toml");
    assert_eq!(struck(&out, "ball"), ["step-2", "step-3", "floor"]);
    let frames = path(&out, &["ball.x", "ball.z", "ball.vx", "ball.vz", "ball.wy"]);
    let last = frames.last().unwrap();
    // It lies on the floor, beyond the last step, and rolls.
    assert!(last[0] > 0.75 && (last[1] - 0.05).abs() < 1e-9, "{last:?}");
    assert!(
        last[3].abs() < 1e-9 && (last[2] - 0.05 * last[4]).abs() < 1e-9,
        "{last:?}"
    );
    // Nothing drives it: what it had is what it has and what contacts took.
    let balance = &summary["energy_balance"];
    assert!(balance["contacts"].as_f64().unwrap() < -1.0, "{balance}");
    assert!(printed.contains("nothing unexplained"), "{printed}");
    assert_eq!(summary["verdict"][0], "good");
}

#[test]
fn an_arm_is_swung_into_a_wall_by_its_torques() {
    let (printed, summary, out) = run("contact/arm.toml");
    let hits = columns(&out, "contacts.csv", &["kind", "b"]);
    let hits = hits
        .iter()
        .filter(|row| row[0] == "impact" && row[1] == "wall");
    assert!(hits.count() > 3);
    // Loads drive it and contacts take; neither is called the cause of all.
    let balance = &summary["energy_balance"];
    let part = |name: &str| balance[name].as_f64().unwrap();
    assert!(
        part("loads") > 50.0 && part("contacts") < -50.0,
        "{balance}"
    );
    let energy = printed
        .lines()
        .find(|line| line.trim().starts_with("energy "))
        .unwrap();
    assert!(
        energy.contains("loads +") && energy.contains("contacts -"),
        "{energy}"
    );
    let sum: f64 = [
        "start",
        "loads",
        "damping",
        "contacts",
        "projections",
        "unexplained",
    ]
    .iter()
    .map(|name| part(name))
    .sum();
    assert!((sum - part("end")).abs() < 1e-9, "{balance}");
    assert_eq!(summary["verdict"][0], "good");
}

#[test]
fn a_cart_is_driven_around_a_post() {
    let (printed, summary, out) = run("plans/cart.toml");
    assert_eq!(summary["status"], "solved");
    let frames = path(&out, &["cart.x", "cart.y"]);
    let last = frames.last().unwrap();
    assert!(
        (last[0] - 2.0).abs() < 1e-6 && last[1].abs() < 1e-6,
        "{last:?}"
    );
    // Past the post, at (1, 0), there is room for half of its width and of the cart's.
    let beside = frames.iter().filter(|at| (at[0] - 1.0).abs() < 0.15);
    assert!(beside.clone().count() > 0 && beside.into_iter().all(|at| at[1].abs() > 0.35));
    assert!(
        printed.contains("Solved, and the simulator's replay agrees."),
        "{printed}"
    );
    assert!(printed.contains("bodies never overlap"), "{printed}");
}
