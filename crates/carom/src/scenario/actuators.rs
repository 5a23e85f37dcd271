//! `[actuator.NAME]` and `[load.NAME]`: what pushes and turns, and how it changes with time.

use std::sync::Arc;

use nalgebra::Vector3;

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::joints::Names;
use super::scope::Scope;
use super::sections::repeated;
use super::tree::{Table, Value};
use super::{JointEntry, NodeSet};
use crate::model::{Frame, LinkageSpec, Sample, Signal};
use crate::words::counted;

/// What an actuator acts on, by position among the scenario's things.
#[derive(Clone, Debug)]
pub enum Target {
    /// Force and torque on a body.
    Wrench {
        /// Which body.
        body: usize,
        /// Where the force acts, in the frame the shape is drawn in.
        point: Vector3<f64>,
        /// Axes of the components.
        frame: Frame,
    },
    /// One value along a force and a torque on a body.
    Along {
        /// Which body.
        body: usize,
        /// Where the force acts, in the frame the shape is drawn in.
        point: Vector3<f64>,
        /// Axes of force and torque.
        frame: Frame,
        /// Force and torque for a value of one.
        unit: [Vector3<f64>; 2],
    },
    /// Force spread over a set of nodes.
    Nodes {
        /// Which set.
        set: usize,
    },
    /// Along the coordinates of a joint.
    Joint {
        /// Which joint.
        joint: usize,
    },
    /// On a coordinate of a linkage.
    Coordinate {
        /// Which linkage.
        linkage: usize,
        /// Which of its coordinates.
        coordinate: usize,
    },
}

/// An actuator or load with its name.
#[derive(Clone, Debug)]
pub struct ActuatorEntry {
    /// Name in its section.
    pub name: String,
    /// What it acts on.
    pub target: Target,
    /// Least and largest value of each component; empty for none.
    pub bounds: Vec<[f64; 2]>,
    /// Prescribed values.
    pub signals: Option<Vec<Signal>>,
    /// When they are sampled.
    pub sample: Sample,
}

const SAMPLES: [(&str, Sample); 3] = [
    ("mid", Sample::Mid),
    ("left", Sample::Left),
    ("right", Sample::Right),
];
pub(super) const FRAMES: [(&str, Frame); 2] =
    [("inertial", Frame::Inertial), ("body", Frame::Body)];

/// What actuators may act on.
pub(crate) struct Things<'a> {
    pub names: &'a Names<'a>,
    pub joints: &'a [JointEntry],
    pub linkages: &'a [LinkageSpec],
    pub node_sets: &'a [NodeSet],
}

/// Actuators and loads.
pub(crate) fn read(
    root: &Table,
    scope: &Scope,
    things: &Things,
    faults: &mut Vec<Fault>,
) -> Vec<ActuatorEntry> {
    let mut out = repeated(root, "actuator", scope, faults, |name, f| {
        actuator(name, f, things)
    });
    out.extend(repeated(root, "load", scope, faults, |name, f| {
        let load = actuator(name, f, things)?;
        match load.signals {
            Some(_) => Ok(load),
            None => Err(f.fault(
                "has no value",
                "give force and torque (on a body) or value (on a joint or coordinate)",
            )),
        }
    }));
    out
}

/// What an actuator acts on, and how many components it has.
pub(super) fn target(fields: &Fields, things: &Things) -> Read<(Target, usize)> {
    let on = fields.one_of(&["body", "joint", "linkage", "nodes"])?;
    let fix = "name what it acts on: body = \"…\", joint = \"…\", nodes = \"…\", or linkage and coordinate";
    let target = match on.ok_or_else(|| fields.fault("acts on nothing", fix))? {
        ("body", item) => {
            let body = things.names.body(&item)?;
            let point = fields.get("point").map(|item| item.vector()).transpose()?;
            let frame = fields
                .get("frame")
                .map(|item| item.choice(&FRAMES))
                .transpose()?;
            let point = point.unwrap_or_else(|| things.names.center(body));
            match unit(fields)? {
                // What is mounted on a body turns with it.
                Some(unit) => {
                    let target = Target::Along {
                        body,
                        point,
                        frame: frame.unwrap_or(Frame::Body),
                        unit,
                    };
                    (target, 1)
                }
                None => {
                    let target = Target::Wrench {
                        body,
                        point,
                        frame: frame.unwrap_or_default(),
                    };
                    (target, 6)
                }
            }
        }
        ("nodes", item) => {
            let wanted = item.reference()?;
            let set = things.node_sets.iter().position(|s| s.name == wanted);
            let set = set.ok_or_else(|| {
                let known = things.node_sets.iter().map(|s| s.name.as_str());
                item.fault(
                    format!("there is no node set `{wanted}`"),
                    suggestion(&wanted, known),
                )
            })?;
            (Target::Nodes { set }, 3)
        }
        ("joint", item) => joint_target(&item, things)?,
        (_, item) => {
            let wanted = item.reference()?;
            let linkage = things.linkages.iter().position(|l| l.name == wanted);
            let linkage = linkage.ok_or_else(|| {
                let known = things.linkages.iter().map(|l| l.name.as_str());
                item.fault(
                    format!("there is no linkage `{wanted}`"),
                    suggestion(&wanted, known),
                )
            })?;
            let item = fields.need("coordinate", "name the coordinate of the linkage")?;
            let wanted = item.text()?;
            let coordinates = &things.linkages[linkage].coordinates;
            let coordinate = coordinates.iter().position(|c| c.name == wanted);
            let coordinate = coordinate.ok_or_else(|| {
                let known = coordinates.iter().map(|c| c.name.as_str());
                item.fault(
                    format!("there is no coordinate `{wanted}`"),
                    suggestion(wanted, known),
                )
            })?;
            let target = Target::Coordinate {
                linkage,
                coordinate,
            };
            (target, 1)
        }
    };
    Ok(target)
}

/// Force and torque for a value of one: along `direction`, with `torque_per_force` about it, or a torque about `axis`.
fn unit(fields: &Fields) -> Read<Option<[Vector3<f64>; 2]>> {
    Ok(match fields.one_of(&["direction", "axis"])? {
        None => None,
        Some(("direction", item)) => {
            let along = item.direction()?;
            let turns = fields.get("torque_per_force");
            let turns = turns.map_or(Ok(0.0), |item| item.number())?;
            Some([along, along * turns])
        }
        Some((_, item)) => Some([Vector3::zeros(), item.direction()?]),
    })
}

/// All coordinates of a joint.
pub(super) fn joint_target(item: &Item, things: &Things) -> Read<(Target, usize)> {
    let wanted = item.reference()?;
    let joint = things
        .joints
        .iter()
        .position(|j| j.name == wanted && j.section == "joint");
    let joint = joint.ok_or_else(|| {
        let known = things.joints.iter().map(|j| j.name.as_str());
        item.fault(
            format!("there is no joint `{wanted}`"),
            suggestion(&wanted, known),
        )
    })?;
    Ok((Target::Joint { joint }, things.joints[joint].freedom()))
}

fn actuator(name: &str, fields: &Fields, things: &Things) -> Read<ActuatorEntry> {
    let (target, components) = target(fields, things)?;
    let bounds = match fields.get("bounds") {
        None => Vec::new(),
        Some(item) => bounds(&item, components)?,
    };
    let signals = match target {
        Target::Wrench { .. } => wrench(fields)?,
        Target::Nodes { .. } => {
            let force = fields.need("force", "give the force on all nodes together, in N")?;
            Some(signals(&force, 3)?)
        }
        _ => (fields.get("value"))
            .map(|item| signals(&item, components))
            .transpose()?,
    };
    let sample = fields
        .get("sample")
        .map(|item| item.choice(&SAMPLES))
        .transpose()?;
    Ok(ActuatorEntry {
        name: name.into(),
        target,
        bounds,
        signals,
        sample: sample.unwrap_or_default(),
    })
}

/// `[low, high]` for all components, or one such pair or `"free"` each.
pub(super) fn bounds(item: &Item, components: usize) -> Read<Vec<[f64; 2]>> {
    let items = item.list()?;
    let nested = |i: &Item| matches!(&i.node.value, Value::List(_) | Value::Text(_));
    let one = |item: &Item| match &item.node.value {
        Value::Text(text) if text == "free" => Ok([f64::NEG_INFINITY, f64::INFINITY]),
        // A component that is held at one value.
        Value::List(_) if item.numbers(2).is_ok_and(|v| v[0] == v[1]) => {
            Ok([item.numbers(2)?[0]; 2])
        }
        _ => item.range(),
    };
    let pairs = items.iter().any(|i| matches!(i.node.value, Value::List(_)));
    if !(pairs && items.iter().all(nested)) {
        return Ok(vec![item.range()?; components]);
    }
    if items.len() != components {
        return Err(item.fault(
            format!("{} bounds for {components} components", items.len()),
            "write one [least, largest] for all, or one for each",
        ));
    }
    items.iter().map(one).collect()
}

/// `force` and `torque`, each three components.
fn wrench(fields: &Fields) -> Read<Option<Vec<Signal>>> {
    let three = |key| -> Read<Option<Vec<Signal>>> {
        fields
            .get(key)
            .map(|item: Item| signals(&item, 3))
            .transpose()
    };
    let (force, torque) = (three("force")?, three("torque")?);
    if force.is_none() && torque.is_none() {
        return Ok(None);
    }
    let none = || vec![Signal::Constant(0.0); 3];
    let mut all = force.unwrap_or_else(none);
    all.extend(torque.unwrap_or_else(none));
    Ok(Some(all))
}

/// One signal per component: a list of numbers or expressions of t, one of them alone where there
/// is one component, or a table `{ t = […], value = […] }`.
pub(super) fn signals(item: &Item, components: usize) -> Read<Vec<Signal>> {
    match &item.node.value {
        Value::Table(_) => table(item, components),
        Value::List(_) => {
            let items = item.list()?;
            if items.len() != components {
                return Err(item.fault(
                    format!("has {}", crate::words::counted(items.len(), "value")),
                    format!("write {components}: numbers or expressions of t"),
                ));
            }
            items.iter().map(signal).collect()
        }
        _ if components == 1 => Ok(vec![signal(item)?]),
        _ => Err(item.fault("is one value", format!("write a list of {components}"))),
    }
}

pub(super) fn signal(item: &Item) -> Read<Signal> {
    if matches!(item.node.value, Value::Table(_)) {
        return Ok(table(item, 1)?.remove(0));
    }
    let fault = |error| item.scope.expression_fault(item.node, &item.path, &error);
    let expression = item.scope.parse(item.node, &item.path)?;
    if !expression.variables().any(|v| v == "t") {
        return item.number().map(Signal::Constant);
    }
    let bound = expression.bind(&|name| item.scope.value(name));
    let compiled = bound.compile(&["t"]).map_err(fault)?;
    Ok(Signal::Function(Arc::new(move |t| compiled.eval(&[t]))))
}

/// Values at times, linear between them.
fn table(item: &Item, components: usize) -> Read<Vec<Signal>> {
    Ok(tables(item, components)?
        .into_iter()
        .map(Signal::Table)
        .collect())
}

/// Times and values of each component.
pub(super) fn tables(item: &Item, components: usize) -> Read<Vec<Vec<[f64; 2]>>> {
    let fields = item.fields()?;
    let times = fields.need("t", "write { t = [0, 1], value = [0, 5] }")?;
    let values = fields.need("value", "write { t = [0, 1], value = [0, 5] }")?;
    fields.finish()?;
    let t = (times.list()?.iter())
        .map(Item::number)
        .collect::<Read<Vec<_>>>()?;
    if t.is_empty() || t.windows(2).any(|w| w[0] >= w[1]) {
        return Err(times.fault("the times do not rise", "write rising times, at least one"));
    }
    let rows = values.list()?;
    if rows.len() != t.len() {
        return Err(values.fault(
            format!(
                "has {} for {}",
                counted(rows.len(), "value"),
                counted(t.len(), "time")
            ),
            "write as many values as times",
        ));
    }
    let mut tables = vec![Vec::with_capacity(t.len()); components];
    for (t, row) in t.iter().zip(&rows) {
        let row = match components == 1 && !matches!(row.node.value, Value::List(_)) {
            true => vec![row.number()?],
            false => row.numbers(components)?,
        };
        for (table, value) in tables.iter_mut().zip(row) {
            table.push([*t, value]);
        }
    }
    Ok(tables)
}
