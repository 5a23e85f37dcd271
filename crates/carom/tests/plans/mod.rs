//! Reads the plans that tests solve.
#![allow(dead_code)]

mod avoidance;
mod boundaries;
mod cases;
mod closed;
mod contacts;
mod features;
mod friction;
mod guesses;
mod idle;
mod joint_physics;
mod landing;
mod loops;
mod others;
mod plane;
mod solved;
mod thrusters;

use std::path::Path;
use std::sync::Arc;

use carom::optimise::Plan;
use carom::scenario::{Options, PlanRequest, Scenario};

/// What a file asks, with some of its values set.
pub fn read(file: &Path, set: &[&str]) -> PlanRequest {
    let options = Options {
        set: set.iter().map(|s| s.to_string()).collect(),
        ..Options::default()
    };
    request(&Scenario::read(file, &options).unwrap())
}

/// What an example of the gallery asks, with its variant after a colon.
pub fn gallery(name: &str, set: &[&str]) -> PlanRequest {
    let (name, variant) = match name.split_once(':') {
        Some((name, variant)) => (name, Some(variant.to_string())),
        None => (name, None),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery");
    let options = Options {
        variant,
        set: set.iter().map(|s| s.to_string()).collect(),
        ..Options::default()
    };
    request(&Scenario::read(&folder.join(format!("{name}.toml")), &options).unwrap())
}

/// What a scenario asks.
pub fn request(scenario: &Scenario) -> PlanRequest {
    let model = Arc::new(scenario.build().unwrap());
    scenario.plan(&model).unwrap()
}

/// Solves it, well or not.
pub fn plan(request: &PlanRequest) -> Plan {
    request.solve().unwrap()
}

pub fn close(a: f64, b: f64, relative: f64) -> bool {
    (a - b).abs() <= relative * b.abs()
}
