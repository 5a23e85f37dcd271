//! Plans as files, exact: to begin a search with, or to follow.

use carom_engine::inner::{self, node_times};
use serde_json::Value;
#[cfg(feature = "optimise")]
use serde_json::json;

use crate::Pose;
use crate::control::Nodes;
use crate::mechanics::twists;
use crate::model::Model;
#[cfg(feature = "optimise")]
use crate::optimise::Plan;
use crate::optimise::{Guess, Problem, control_names};

/// Everything a search can begin with.
#[cfg(feature = "optimise")]
pub(crate) fn to_json(model: &Model, plan: &Plan) -> String {
    let nodes: Vec<Vec<[f64; 12]>> = (plan.poses.iter())
        .map(|poses| poses.iter().map(Pose::to_q).collect())
        .collect();
    let value = json!({
        "format": super::FORMAT,
        "time_scales": plan.scales,
        "parameters": plan.parameters.iter().cloned().collect::<indexmap::IndexMap<_, _>>(),
        "steps": plan.steps,
        "configurations": nodes,
        "rates": plan.rates,
        "control_names": control_names(model),
        "controls": plan.controls,
        "multipliers": plan.warm,
    });
    format!("{value}\n")
}

/// Reads what [`run_plan`](crate::run::run_plan) wrote as `plan.json`, as a guess for a problem.
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
    // Parameters that were found, as far as this problem finds them, too.
    guess.parameters = (problem.parameters.iter())
        .map(|p| value["parameters"][&p.name].as_f64().unwrap_or(p.value))
        .collect();
    if own == steps {
        // Absent in plans of earlier versions.
        guess.known = serde_json::from_value(value["multipliers"].clone()).ok();
        return Ok(guess);
    }
    let times = node_times(numbers(&value["steps"])?);
    guess.resampled(problem, &times).map_err(|e| e.to_string())
}

/// Reads `plan.json` as a motion to follow. Controls are those of the same names; others are zero.
pub fn read_nodes(model: &Model, text: &str) -> Result<Nodes, String> {
    #[derive(serde::Deserialize)]
    struct File {
        steps: Vec<f64>,
        configurations: Vec<Vec<Vec<f64>>>,
        #[serde(default)]
        rates: Vec<Vec<f64>>,
        #[serde(default)]
        control_names: Vec<String>,
        controls: Vec<Vec<f64>>,
    }
    let file: File = serde_json::from_str(text).map_err(|e| format!("not a plan: {e}"))?;
    let count = file.steps.len() + 1;
    if file.rates.len() != count || file.control_names.is_empty() {
        return Err("it was written by an earlier version, without velocities".into());
    }
    let wanted = model.bodies().len();
    let has = file.configurations.first().map_or(0, Vec::len);
    if has != wanted {
        return Err(format!("it has {has} bodies, this scenario {wanted}"));
    }
    let freedom = inner::tree_freedom(model);
    let fits = file.configurations.len() == count
        && count > 1
        && file.controls.len() + 1 == count
        && file.steps.iter().all(|h| *h > 0.0)
        && (file.configurations.iter())
            .all(|c| c.len() == wanted && c.iter().all(|q| q.len() == 12))
        && (file.controls.iter()).all(|c| c.len() == file.control_names.len());
    if !fits || !model.linkages().is_empty() {
        return Err("not a plan of bodies and joints: lists of other lengths".into());
    }
    if file.rates.iter().any(|r| r.len() != freedom) {
        return Err(format!(
            "it has {} degrees of freedom, this scenario {freedom}: joints differ",
            file.rates[0].len()
        ));
    }
    let times = node_times(file.steps.iter().copied());
    let pose = |q: &Vec<f64>| {
        let mut all = [0.0; 12];
        all.copy_from_slice(q);
        Pose::from_q(&all)
    };
    let poses: Vec<Vec<Pose>> = (file.configurations.iter())
        .map(|c| c.iter().map(pose).collect())
        .collect();
    let twists = (poses.iter().zip(&file.rates))
        .map(|(poses, rates)| twists(model, poses, rates))
        .collect();
    let places: Vec<Option<usize>> = (control_names(model).iter())
        .map(|name| file.control_names.iter().position(|n| n == name))
        .collect();
    let controls = (file.controls.iter())
        .map(|tau| places.iter().map(|p| p.map_or(0.0, |p| tau[p])).collect())
        .collect();
    Ok(Nodes {
        times,
        poses,
        rates: file.rates,
        twists,
        controls,
    })
}
