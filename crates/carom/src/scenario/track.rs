//! From a plan's folder to the scenario of a simulation that follows it.

use std::path::Path;

use super::actuators::Target;
use super::error::ScenarioError;
use super::plan_file::read_nodes;
use super::read::{Document, Options};
use super::source::Place;
use super::tree::{Entry, Node, Table, Value};
use super::{ActuatorEntry, Scenario};
use crate::control::Nodes;
use crate::model::Frame;

/// The controller's name.
const NAME: &str = "track";

impl Scenario {
    /// The simulation of a plan's model under a controller that follows the plan, which is in a folder that
    /// [`run_plan`](crate::run::run_plan) wrote; `set` may disturb it. It begins as the plan does, lasts as
    /// long, and takes the plan's own steps where they are all alike.
    pub fn track(folder: &Path, set: &[String]) -> Result<Self, ScenarioError> {
        let file = folder.join("scenario.toml");
        let document = Document::read(&file, &Options::default(), None)?;
        let plan = document.scenario(&[])?;
        let name = file.display().to_string();
        if plan.optimise.is_none() {
            return Err(ScenarioError::plain(
                &name,
                "does not hold a plan",
                "give the folder of a plan: `carom run` of a scenario with [optimise] writes it",
            ));
        }
        let model = plan.build()?;
        let file = folder.join("plan.json");
        let nodes = std::fs::read_to_string(&file)
            .map_err(|error| error.to_string())
            .and_then(|text| read_nodes(&model, &text))
            .map_err(|error| {
                ScenarioError::plain(
                    &file.display().to_string(),
                    error,
                    "run the plan again with `carom run`",
                )
            })?;
        let document = document.map(|root| follow(root, &plan, &nodes));
        document.scenario(set)
    }
}

fn entry(value: Value) -> Entry {
    Entry {
        key: Place::default(),
        node: node(value),
    }
}

fn node(value: Value) -> Node {
    Node {
        value,
        place: Place::default(),
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    Value::List(values.into_iter().map(|v| node(Value::Number(v))).collect())
}

fn table(entries: Vec<(&str, Value)>) -> Value {
    let entries = entries.into_iter().map(|(k, v)| (k.into(), entry(v)));
    Value::Table(Table::from_iter(entries))
}

/// The table of a section, made if it is not there.
fn inner<'a>(root: &'a mut Table, name: &str) -> &'a mut Table {
    let section = root
        .entry(name.into())
        .or_insert_with(|| entry(Value::Table(Table::new())));
    if !matches!(section.node.value, Value::Table(_)) {
        section.node.value = Value::Table(Table::new());
    }
    match &mut section.node.value {
        Value::Table(table) => table,
        _ => unreachable!("it was made a table"),
    }
}

/// A simulation in place of the plan.
fn follow(root: &mut Table, plan: &Scenario, nodes: &Nodes) {
    let optimise = root.shift_remove("optimise");
    root.shift_remove("phase");
    let start = (optimise.as_ref())
        .and_then(|e| e.node.table())
        .and_then(|t| t.get("start"))
        .and_then(|e| e.node.table());
    for (k, body) in plan.bodies.iter().enumerate() {
        let bodies = inner(root, "body");
        let Some(Value::Table(own)) = bodies.get_mut(&body.name).map(|e| &mut e.node.value) else {
            continue;
        };
        // Where the plan begins.
        let moved = start
            .and_then(|s| s.get(&body.name))
            .and_then(|e| e.node.table());
        for key in ["position", "rotation", "rotation_deg"] {
            if let Some(value) = moved.and_then(|m| m.get(key)) {
                if key != "position" {
                    own.shift_remove("rotation");
                    own.shift_remove("rotation_deg");
                }
                own.insert(key.into(), value.clone());
            }
        }
        // How it moves there: velocities may have been found with the plan.
        let twist = &nodes.twists[0][k];
        for (key, value) in [("velocity", twist.v), ("angular_velocity", twist.w)] {
            if own.contains_key(key) || value.norm() > 0.0 {
                own.insert(key.into(), entry(numbers(value.iter().copied())));
            }
        }
    }
    for actuator in &plan.actuators {
        let actuators = inner(root, "actuator");
        if actuator.signals.is_none() && !actuators.contains_key(&actuator.name) {
            let own = entry(control(plan, actuator));
            actuators.insert(actuator.name.clone(), own);
        }
    }
    let steps = nodes.times.windows(2).map(|w| w[1] - w[0]);
    let least = steps.fold(f64::INFINITY, f64::min);
    let end = nodes.times[nodes.times.len() - 1];
    let count = (end / least - 1e-6).ceil();
    let simulate = table(vec![
        ("step", Value::Number(least)),
        ("steps", Value::Number(count)),
    ]);
    root.insert("simulate".into(), entry(simulate));
    let controller = table(vec![("kind", text("lqr")), ("plan", text("plan.json"))]);
    inner(root, "controller").insert(NAME.into(), entry(controller));
    root.insert(
        "name".into(),
        entry(text(&format!("{}-{NAME}", plan.meta.name))),
    );
}

/// A control of `[optimise]` as a section of its own.
fn control(plan: &Scenario, actuator: &ActuatorEntry) -> Value {
    let mut own = Vec::new();
    if let Target::Wrench { body, frame, .. } = &actuator.target {
        own.push(("body", text(&plan.bodies[*body].name)));
        if *frame == Frame::Body {
            own.push(("frame", text("body")));
        }
    }
    if !actuator.bounds.is_empty() {
        let pairs = actuator.bounds.iter().map(|[low, high]| {
            node(match low.is_finite() && high.is_finite() {
                true => numbers([*low, *high]),
                false => text("free"),
            })
        });
        own.push(("bounds", Value::List(pairs.collect())));
    }
    table(own)
}
