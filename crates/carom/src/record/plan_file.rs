//! Plans as files: exact ones to go on from, and tables for people.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::Pose;
use crate::model::{BodyKind, Model};
use crate::optimise::{Guess, Plan, Problem, control_names};

/// Everything a search can begin with.
#[cfg(feature = "optimise")]
pub(super) fn to_json(plan: &Plan) -> String {
    let nodes: Vec<Vec<[f64; 12]>> = (plan.poses.iter())
        .map(|poses| poses.iter().map(Pose::to_q).collect())
        .collect();
    let value = json!({
        "format": crate::scenario::FORMAT,
        "time_scales": plan.scales,
        "steps": plan.steps,
        "configurations": nodes,
        "controls": plan.controls,
        "multipliers": plan.warm,
    });
    format!("{value}\n")
}

/// Reads what [`run_plan`](super::run_plan) wrote as `plan.json`, as a guess for a problem.
pub fn read_plan(problem: &Problem, text: &str) -> Result<Guess, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("not a plan: {e}"))?;
    let list = |value: &Value| -> Result<Vec<Value>, String> {
        value
            .as_array()
            .cloned()
            .ok_or_else(|| "not a plan: a list is missing".into())
    };
    let numbers = |value: &Value| -> Result<Vec<f64>, String> {
        let items = list(value)?;
        let read = items.iter().map(Value::as_f64);
        read.collect::<Option<_>>()
            .ok_or_else(|| "not a plan: a number is missing".into())
    };
    let mut poses = Vec::new();
    for node in list(&value["configurations"])? {
        let mut here = Vec::new();
        for body in list(&node)? {
            let q = numbers(&body)?;
            let q: [f64; 12] = q
                .try_into()
                .map_err(|_| "not a plan: a pose has 12 numbers")?;
            here.push(Pose::from_q(&q));
        }
        if here.len() != problem.model.bodies().len() {
            return Err(format!(
                "it has {} bodies, this problem {}",
                here.len(),
                problem.model.bodies().len()
            ));
        }
        poses.push(here);
    }
    if poses.len() < 2 {
        return Err("it has fewer than two nodes".into());
    }
    let own = poses.len() - 1;
    let steps: usize = problem.phases.iter().map(|p| p.steps).sum();
    let controls = list(&value["controls"])?;
    let controls = controls
        .iter()
        .map(numbers)
        .collect::<Result<Vec<_>, _>>()?;
    if controls.iter().any(|c| c.len() != problem.model.controls()) || controls.len() != own {
        return Err("its controls are not those of this problem".into());
    }
    let mut guess = Guess::of_poses(problem, poses);
    guess.controls = controls;
    let scales = numbers(&value["time_scales"])?;
    if scales.len() == guess.scales.len() {
        guess.scales = scales;
    }
    if own == steps {
        // Absent in plans of earlier versions.
        guess.known = serde_json::from_value(value["multipliers"].clone()).ok();
        return Ok(guess);
    }
    let mut times = vec![0.0];
    for h in numbers(&value["steps"])? {
        times.push(times[times.len() - 1] + h);
    }
    guess.resampled(problem, &times).map_err(|e| e.to_string())
}

/// Controls of every step: of the plan, then of the guess.
#[cfg(feature = "optimise")]
pub(super) fn controls(model: &Model, plan: &Plan) -> String {
    let names = control_names(model);
    let mut out = String::from("time,step");
    for prefix in ["", "guess."] {
        for name in &names {
            let _ = write!(out, ",{prefix}{name}");
        }
    }
    out.push('\n');
    let mut time = 0.0;
    for (k, h) in plan.steps.iter().enumerate() {
        let _ = write!(out, "{time:?},{h:?}");
        for v in plan.controls[k].iter().chain(&plan.guess.controls[k]) {
            let _ = write!(out, ",{v:?}");
        }
        out.push('\n');
        time += h;
    }
    out
}

/// Configurations of the guess, a row per node.
#[cfg(feature = "optimise")]
pub(super) fn configurations(model: &Model, plan: &Plan) -> String {
    let mut out = String::from("node");
    let movable = |kind: &BodyKind| *kind != BodyKind::Static;
    for body in model.bodies().iter().filter(|b| movable(&b.kind)) {
        for c in [
            "x", "y", "z", "d1x", "d1y", "d1z", "d2x", "d2y", "d2z", "d3x", "d3y", "d3z",
        ] {
            let _ = write!(out, ",{}.{c}", body.name);
        }
    }
    out.push('\n');
    for (node, poses) in plan.guess.poses.iter().enumerate() {
        let _ = write!(out, "{node}");
        for (body, pose) in model.bodies().iter().zip(poses) {
            if movable(&body.kind) {
                pose.to_q().iter().for_each(|v| {
                    let _ = write!(out, ",{v:?}");
                });
            }
        }
        out.push('\n');
    }
    out
}
