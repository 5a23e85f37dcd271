//! Plans as tables for people.

use std::fmt::Write;

use crate::model::{BodyKind, Model};
use crate::optimise::{Plan, control_names};

/// Controls of every step: of the plan, then of the guess.
pub(crate) fn controls(model: &Model, plan: &Plan) -> String {
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
pub(crate) fn configurations(model: &Model, plan: &Plan) -> String {
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
