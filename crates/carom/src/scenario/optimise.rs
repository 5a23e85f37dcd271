//! `[optimise]` and `[[phase]]`, as far as they shape the model: time grid, controls, start poses.
//! The rest is read once there is a model, in `plan`.

use nalgebra::Vector3;

use super::actuators::{ActuatorEntry, FRAMES, Target};
use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::joints::Names;
use super::scope::Scope;
use super::sections::section;
use super::shapes;
use super::tree::{Table, Value};
use super::{BodyEntry, settings};
use crate::model::{Body, Frame, Sample};
use crate::optimise::{Phase, Transition};

/// Most steps of all phases.
const MOST_STEPS: u64 = 20_000;

/// What is known of an optimal control problem before the model is built.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimise {
    /// Phases.
    pub phases: Vec<Phase>,
}

/// The phases, if the scenario is an optimal control problem.
pub(crate) fn read(root: &Table, scope: &Scope) -> Read<Option<Optimise>> {
    let Some(_) = section(root, "optimise")? else {
        return match root.get("phase") {
            None => Ok(None),
            Some(entry) => Err(Box::new(Fault::new(
                entry.key,
                "phase",
                "phases without an [optimise] section",
                "add [optimise] with goal and minimise, or remove [[phase]]",
            ))),
        };
    };
    if let Some(entry) = root.get("simulate") {
        return Err(Box::new(Fault::new(
            entry.key,
            "simulate",
            "[simulate] and [optimise] exclude each other",
            "keep one of them; a plan is simulated with its own controls in any case",
        )));
    }
    let fix = "add [[phase]] with steps = 30 and step = 0.01 (s)";
    let Some(entry) = root.get("phase") else {
        let place = root.get("optimise").map(|e| e.key).unwrap_or_default();
        return Err(Box::new(Fault::new(
            place,
            "optimise",
            "there is no [[phase]]",
            fix,
        )));
    };
    let item = Item {
        node: &entry.node,
        path: "phase".into(),
        scope,
    };
    let items = item.list()?;
    if items.is_empty() {
        return Err(item.fault("there is no phase", fix));
    }
    let phases = items.iter().map(phase).collect::<Read<Vec<_>>>()?;
    if phases.iter().map(|p| p.steps as u64).sum::<u64>() > MOST_STEPS {
        return Err(item.fault("too many steps", format!("at most {MOST_STEPS} in all")));
    }
    Ok(Some(Optimise { phases }))
}

fn phase(item: &Item) -> Read<Phase> {
    let fields = item.fields()?;
    let steps = fields
        .need("steps", "how many steps: steps = 30")?
        .count(1, MOST_STEPS)?;
    let step = fields
        .need("step", "give the step size in s: step = 0.01")?
        .positive()?;
    let time_scale = match fields.get("time_scale") {
        None => [1.0; 2],
        Some(item) => match &item.node.value {
            Value::List(_) => {
                let range = item.range()?;
                if range[0] <= 0.0 {
                    return Err(item.fault("reaches zero", "time scales are greater than zero"));
                }
                range
            }
            _ => [item.positive()?; 2],
        },
    };
    // Its conditions and what happens at its end are read with the model.
    fields.get("path");
    fields.get("ends");
    fields.get("closed");
    fields.finish()?;
    Ok(Phase {
        steps: steps as usize,
        step,
        time_scale,
        closed: Vec::new(),
        ends: Transition::Smooth,
        path: Vec::new(),
    })
}

/// Settings of the simulation that replays a plan.
pub(crate) fn replay_settings(
    optimise: &Optimise,
    scope: &Scope,
) -> Read<Option<settings::Settings>> {
    let number = |value: f64| super::tree::Entry {
        key: Default::default(),
        node: super::tree::Node {
            value: Value::Number(value),
            place: Default::default(),
        },
    };
    let steps: usize = optimise.phases.iter().map(|p| p.steps).sum();
    let mut simulate = Table::new();
    simulate.insert("step".into(), number(optimise.phases[0].step));
    simulate.insert("steps".into(), number(steps as f64));
    let mut root = Table::new();
    root.insert(
        "simulate".into(),
        super::tree::Entry {
            key: Default::default(),
            node: super::tree::Node {
                value: Value::Table(simulate),
                place: Default::default(),
            },
        },
    );
    settings::read(&root, scope)
}

/// The table of `[optimise]`.
pub(crate) fn fields<'a>(root: &'a Table, scope: &'a Scope) -> Read<Option<Fields<'a>>> {
    let Some(table) = section(root, "optimise")? else {
        return Ok(None);
    };
    let place = root.get("optimise").map(|e| e.key).unwrap_or_default();
    Ok(Some(Fields::new(table, "optimise", place, scope)))
}

/// No bounds.
pub(crate) const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// Words of `start` that are not bodies.
pub(crate) const START_WORDS: [&str; 3] = ["free", "joints", "conditions"];

/// `start.BODY`: poses and velocities in place of those of the body's own section.
pub(crate) fn move_starts(root: &Table, scope: &Scope, bodies: &mut [BodyEntry]) -> Read<()> {
    let Some(fields) = fields(root, scope)? else {
        return Ok(());
    };
    let Some(item) = fields.get("start") else {
        return Ok(());
    };
    if let Value::Text(word) = &item.node.value {
        return match word.as_str() {
            "free" => Ok(()),
            _ => Err(item.fault(
                format!("`{word}` is not a start"),
                "write \"free\", or what is given: start.BODY = { position = […] }",
            )),
        };
    }
    let start = item.fields()?;
    for (name, entry) in start.table {
        // What is not about one body is read with the model.
        if START_WORDS.contains(&name.as_str()) {
            continue;
        }
        let path = format!("optimise.start.{name}");
        let known = bodies.iter().position(|b| b.name == *name);
        let Some(index) = known else {
            let names = bodies.iter().map(|b| b.name.as_str());
            return Err(Box::new(Fault::new(
                entry.key,
                path,
                format!("there is no body `{name}`"),
                suggestion(name, names.chain(START_WORDS)),
            )));
        };
        let item = Item {
            node: &entry.node,
            path,
            scope,
        };
        let own = item.fields()?;
        let spec = &mut bodies[index].spec;
        let mut pose = *spec.start();
        let given = |key: &str| own.table.contains_key(key);
        let planar = spec.is_planar();
        let moved = shapes::pose(&own, planar)?;
        if given("position") {
            pose.position = moved.position;
        }
        if given("rotation") || given("rotation_deg") {
            pose.directors = moved.directors;
        }
        let mut new = spec.clone().pose(pose);
        if let Some(item) = own.get("velocity") {
            let third = planar.then_some([0.0; 2]);
            new = new.velocity(middle(ranges_beside(&item, third)?));
        }
        if let Some(item) = own.get("angular_velocity") {
            new = new.angular_velocity(middle(spins(planar, &item)?));
        }
        // How far it may be from there is read with the model.
        own.get("within");
        own.finish()?;
        *spec = new;
    }
    Ok(())
}

/// Three components: numbers, ranges `[least, largest]`, or `"free"`.
pub(crate) fn ranges(item: &Item) -> Read<[[f64; 2]; 3]> {
    ranges_beside(item, None)
}

/// The same of a body, where two components in its plane do if it is planar; the third is then as given here.
pub(crate) fn ranges_of(body: &Body, item: &Item, third: [f64; 2]) -> Read<[[f64; 2]; 3]> {
    ranges_beside(item, body.planar.then_some(third))
}

/// Those of a spin; of a planar body one number or `"free"` is about z.
pub(crate) fn spins(planar: bool, item: &Item) -> Read<[[f64; 2]; 3]> {
    match &item.node.value {
        _ if !planar => ranges(item),
        Value::List(_) => ranges(item),
        Value::Text(text) if text == "free" => Ok([[0.0; 2], [0.0; 2], FREE]),
        _ => Ok([[0.0; 2], [0.0; 2], [item.number()?; 2]]),
    }
}

fn ranges_beside(item: &Item, third: Option<[f64; 2]>) -> Read<[[f64; 2]; 3]> {
    let items = item.list()?;
    if items.len() != 3 && (items.len() != 2 || third.is_none()) {
        return Err(item.fault(
            format!("has {} components", items.len()),
            "write three: numbers, [least, largest], or \"free\"",
        ));
    }
    let one = |item: &Item| match &item.node.value {
        Value::List(_) => item.range(),
        Value::Text(text) if text == "free" => Ok(FREE),
        _ => Ok([item.number()?; 2]),
    };
    let last = match (items.get(2), third) {
        (Some(item), _) => one(item)?,
        (None, third) => third.unwrap_or(FREE),
    };
    Ok([one(&items[0])?, one(&items[1])?, last])
}

/// The middle of ranges: where a velocity that is to be found begins.
fn middle(ranges: [[f64; 2]; 3]) -> Vector3<f64> {
    let of = |[low, high]: [f64; 2]| match (low.is_finite(), high.is_finite()) {
        (true, true) => 0.5 * (low + high),
        (true, false) => low,
        (false, true) => high,
        (false, false) => 0.0,
    };
    Vector3::new(of(ranges[0]), of(ranges[1]), of(ranges[2]))
}

/// `controls.BODY`: force and torque on a body, in short.
pub(crate) fn controls(
    root: &Table,
    scope: &Scope,
    names: &Names,
    actuators: &mut Vec<ActuatorEntry>,
) -> Read<()> {
    let Some(fields) = fields(root, scope)? else {
        return Ok(());
    };
    let Some(item) = fields.get("controls") else {
        return Ok(());
    };
    let list = item.fields()?;
    for (name, entry) in list.table {
        let path = format!("optimise.controls.{name}");
        let body = names.find(name).ok_or_else(|| {
            let fix = names.suggest(name);
            Box::new(Fault::new(
                entry.key,
                &path,
                format!("there is no body `{name}`"),
                fix,
            ))
        })?;
        let item = Item {
            node: &entry.node,
            path,
            scope,
        };
        let mut frame = Frame::Inertial;
        let bounds = match &item.node.value {
            Value::Text(text) if text == "all" => Vec::new(),
            Value::Table(_) => {
                let own = item.fields()?;
                let mut bounds = three(&own, "force")?;
                bounds.extend(three(&own, "torque")?);
                if let Some(item) = own.get("frame") {
                    frame = item.choice(&FRAMES)?;
                }
                own.finish()?;
                bounds
            }
            _ => {
                return Err(item.fault(
                    "not a control",
                    "write \"all\", or { force = { each = 1.0 }, torque = \"free\" }",
                ));
            }
        };
        actuators.push(ActuatorEntry {
            name: name.clone(),
            target: Target::Wrench {
                body,
                point: names.center(body),
                frame,
            },
            bounds,
            signals: None,
            sample: Sample::default(),
        });
    }
    Ok(())
}

/// Bounds of three components: `{ each = x }`, `"free"`, ranges, or nothing for zero.
fn three(fields: &Fields, key: &'static str) -> Read<Vec<[f64; 2]>> {
    let Some(item) = fields.get(key) else {
        return Ok(vec![[0.0; 2]; 3]);
    };
    match &item.node.value {
        Value::Text(text) if text == "free" => Ok(vec![[f64::NEG_INFINITY, f64::INFINITY]; 3]),
        Value::Table(_) => {
            let own = item.fields()?;
            let each = own
                .need("each", "give the largest value of each component")?
                .positive()?;
            own.finish()?;
            Ok(vec![[-each, each]; 3])
        }
        _ => Ok(ranges(&item)?.to_vec()),
    }
}
