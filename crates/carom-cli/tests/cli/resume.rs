//! Runs that are killed or stopped and resumed end with the same numbers, bit for bit.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Random, carom, folder, text};

/// Runs of about a second: a free body, joints with a linkage, a load and controllers besides, and collisions.
const MIXED: &str = r#"
gravity = [0, 0, -9.81]
[group.link]
shape = { box = [0.1, 0.02, 0.02] }
density = 1000
layout = { line = { count = 3, from = [0.05, 0, 0], step = [0.1, 0, 0] } }
[joint.top]
kind = "revolute"
between = ["world", "link-1"]
at = [0, 0, 0]
axis = [0, 1, 0]
[joint.next]
repeat = 2
kind = "spherical"
between = ["link-{i + 1}", "link-{i + 2}"]
at = ["0.1*(i + 1)", 0, 0]
[controller.top]
kind = "pid"
joint = "top"
target = "0.3*sin(t)"
gains = { proportional = 0.2, integral = 0.1, derivative = 0.01 }
sample_time = 2e-3
delay = 1.5e-3
limits = 0.5
noise = { seed = 7, output = 0.01, measured = { "joint.top.angle" = 0.01, "link-1.rotation" = 0.02 } }
[controller.cart]
kind = "expression"
linkage = "cart"
coordinate = "x"
states.filtered = { rate = "20*(cart.x.rate - filtered)" }
output = "-0.5*filtered - 0.1*cart.x"
[load.gust]
body = "link-3"
force = [0, "0.1*sin(3*t)", 0]
[linkage.cart]
coordinates.x = { start = 0, rate = 0.5 }
coordinates.a = { start = "pi/4", rate = 0.1 }
links.cart = { slide = [1, 0], by = "x", mass = 1 }
links.arm = { from = "cart", arm = 0.5, by = "a", mass = 1 }
[simulate]
steps = 40000
step = 5e-4
record = { every = 7 }
checkpoint = { steps = 500 }
"#;
const FREE: &str = r#"
[body.block]
mass = 6
inertia = [5, 4, 3]
angular_velocity = [0.01, 1, 0.01]
[simulate]
steps = 300000
step = 0.01
checkpoint = { steps = 1000 }
"#;

/// A cube and beads that bounce in a box for ever.
const COLLIDING: &str = r#"
gravity = [0, 0, -9.81]
[group.cube]
shape = { cube = 0.2 }
density = 270
layout = { line = { count = 1, from = [-0.4, 0, 0.5], step = [0.8, 0, 0] } }
velocity = { random = { seed = 1, deviation = 1 } }
angular_velocity = { random = { seed = 2, deviation = 3 } }
[group.bead]
kind = "particle"
mass = 0.5
radius = 0.05
layout = { line = { count = 2, from = [-0.3, 0.5, 0.8], step = [0.6, 0, 0] } }
velocity = { random = { seed = 3, deviation = 1 } }
[halfspace.floor]
normal = [0, 0, 1]
[halfspace.left]
normal = [1, 0, 0]
point = [-1, 0, 0]
[halfspace.right]
normal = [-1, 0, 0]
point = [1, 0, 0]
[halfspace.front]
normal = [0, 1, 0]
point = [0, -1, 0]
[halfspace.back]
normal = [0, -1, 0]
point = [0, 1, 0]
[simulate]
steps = 20000
step = 1e-3
law = "exact"
record = { every = 11 }
checkpoint = { steps = 300 }
"#;

/// Elastic bodies that bounce on a shaken bench and a floor, damped, with drag.
const ELASTIC: &str = r#"
gravity = [0, 0, -9.81]
[body.bench]
elastic = { box = [0.3, 0.1, 0.05], cells = [6, 2, 1], lambda = 2e5, mu = 1e5, damping = { mass = 1, stiffness = 1e-4 } }
density = 1000
position = [0, 0, 0.2]
[nodes.left]
body = "bench"
plane = { point = [-0.15, 0, 0], normal = [1, 0, 0] }
motion = { displacement = [0, 0, "5e-3*sin(30*t)"] }
[nodes.right]
body = "bench"
plane = { point = [0.15, 0, 0], normal = [1, 0, 0] }
hold = true
[body.ball]
elastic = { ball = 0.04, layers = 1, lambda = 2e4, mu = 1e4, damping = { stiffness = 1e-4 } }
density = 1000
position = [0.01, 0, 0.28]
velocity = [0.5, 0.1, 0]
[body.cube]
shape = { cube = 0.04 }
density = 500
position = [-0.05, 0.01, 0.26]
angular_velocity = [1, 2, 3]
[halfspace.floor]
normal = [0, 0, 1]
[simulate]
steps = 3000
step = 2e-4
integrator = "newmark"
law = "potential"
stiffness = 5000
drag = 0.5
record = { every = 7 }
checkpoint = { steps = 100 }
"#;

fn start(file: &Path, out: &Path, resume: bool) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(["run", text(file), "--out", text(out)]);
    if resume {
        command.arg("--resume");
    }
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.spawn().expect("the binary runs")
}

/// The summary without wall times.
fn numbers(out: &Path) -> String {
    let text = fs::read_to_string(out.join("summary.json")).unwrap();
    let lines = text
        .lines()
        .filter(|line| !line.contains("\"wall_seconds") && !line.contains("\"date\""));
    lines.collect::<Vec<_>>().join("\n")
}

/// Kills and resumes a run until it is done; compares it with one that was left alone.
fn kill_and_resume(name: &str, scenario: &str) {
    let place = folder(&format!("killed-{name}"));
    let mut random = Random(17);
    let file = place.join(format!("{name}.toml"));
    fs::write(&file, scenario).unwrap();
    let whole = place.join(format!("{name}-whole"));
    let begin = Instant::now();
    assert!(start(&file, &whole, false).wait().unwrap().success());
    let mut length = begin.elapsed();
    let broken = place.join(format!("{name}-broken"));
    let mut kills = 0;
    for _ in 0..40 {
        let mut run = start(&file, &broken, kills > 0);
        // Some kills come at once, most somewhere along the way.
        let share = random.below(1000) as f64 / 1000.0;
        std::thread::sleep(length.mul_f64(0.5 * share));
        match run.try_wait().unwrap() {
            Some(status) => {
                assert!(status.success());
                if kills > 0 {
                    break;
                }
                // Other work made the run that was left alone a long one: once more, and sooner.
                fs::remove_dir_all(&broken).unwrap();
                length /= 2;
            }
            None => {
                run.kill().unwrap();
                run.wait().unwrap();
                kills += 1;
            }
        }
    }
    assert!(kills > 0, "{name}: never killed");
    let last = carom(&["run", text(&file), "--out", text(&broken), "--resume"]);
    assert!(
        last.status.success(),
        "{}",
        String::from_utf8_lossy(&last.stderr)
    );
    assert!(numbers(&whole) == numbers(&broken), "{name}: summary.json");
    for file in ["trajectory.csv", "trajectory.npy", "contacts.csv"] {
        let read = |out: &Path| fs::read(out.join(file)).unwrap();
        assert!(read(&whole) == read(&broken), "{name}: {file}");
    }
    let contacts = fs::read_to_string(whole.join("contacts.csv")).unwrap();
    assert_eq!(
        contacts.lines().count() > 100,
        name.starts_with("colliding")
    );
    let touched = scenario.contains("law = \"potential\"");
    assert!(
        !touched || contacts.lines().count() > 3,
        "{name}: no contact"
    );
}

#[test]
fn killed_at_random_moments_and_resumed() {
    for (name, scenario) in [("mixed", MIXED), ("free", FREE), ("colliding", COLLIDING)] {
        kill_and_resume(name, scenario);
    }
}

#[test]
fn elastic_bodies_that_touch_resume_the_same() {
    kill_and_resume("elastic", ELASTIC);
    // Implicit steps and variational ones, too, longer and fewer.
    let longer = ELASTIC
        .replace("step = 2e-4", "step = 1e-3")
        .replace("steps = 3000", "steps = 300")
        .replace("{ steps = 100 }", "{ steps = 10 }");
    let newmark = "integrator = \"newmark\"";
    kill_and_resume(
        "implicit",
        &longer.replace(newmark, "integrator = \"newmark\"\nbeta = 0.25"),
    );
    kill_and_resume("variational", &longer.replace(newmark, ""));
}

#[test]
fn polyhedra_that_hit_each_other_resume_the_same() {
    kill_and_resume(
        "colliding-cubes",
        &COLLIDING.replace("count = 1", "count = 2"),
    );
}

#[test]
#[cfg(unix)]
fn interrupted_leaves_a_valid_result_that_can_be_resumed() {
    let place = folder("interrupted");
    let file = place.join("free.toml");
    fs::write(&file, FREE).unwrap();
    let (whole, stopped) = (place.join("whole"), place.join("stopped"));
    assert!(start(&file, &whole, false).wait().unwrap().success());
    let mut run = start(&file, &stopped, false);
    // Wait until it is on its way, then interrupt.
    let begin = Instant::now();
    while !stopped.join("checkpoint.bin").exists() && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let kill = Command::new("kill")
        .args(["-INT", &run.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let status = run.wait().unwrap();
    if status.code() == Some(1) {
        assert!(numbers(&stopped).contains("\"status\": \"interrupted\""));
        for file in [
            "trajectory.csv",
            "report.html",
            "scenario.toml",
            "checkpoint.bin",
        ] {
            assert!(stopped.join(file).is_file(), "{file}");
        }
    } else {
        assert!(status.success(), "it may have been done already");
    }
    assert!(start(&file, &stopped, true).wait().unwrap().success());
    assert_eq!(numbers(&whole), numbers(&stopped));
    assert!(!stopped.join("checkpoint.bin").exists());
}

#[test]
fn a_checkpoint_of_another_scenario_is_refused() {
    let place = folder("other");
    let file = place.join("free.toml");
    fs::write(&file, FREE).unwrap();
    let out = place.join("out");
    let mut run = start(&file, &out, false);
    let begin = Instant::now();
    while !out.join("checkpoint.bin").exists() && begin.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let set = "simulate.step=0.005";
    let other = carom(&[
        "run",
        text(&file),
        "--out",
        text(&out),
        "--resume",
        "--set",
        set,
    ]);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("another scenario"));
    // A damaged one, too.
    let path = out.join("checkpoint.bin");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).unwrap();
    let damaged = carom(&["run", text(&file), "--out", text(&out), "--resume"]);
    assert_eq!(damaged.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("damaged"));
}
