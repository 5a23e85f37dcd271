//! `[controller.NAME]`: which actuators it acts through, when it samples, what is between; laws are in
//! `controller_laws`.
//!
//! A controller names an `[actuator.NAME]`, or a body, joint or coordinate, for which an actuator of the
//! controller's own name is made.

use carom_engine::inner::actuator_id;

use super::actuators::{self, ActuatorEntry, Things};
use super::error::{Fault, ScenarioError, suggestion};
use super::fields::{Fields, Item, Read};
use super::scope::Scope;
use super::sections::{named, section};
use super::tree::{Table, Value};
use super::{Scenario, controller_laws};
use crate::control::{Feedback, Inexact, Noise, Sampling};
use crate::model::{ActuatorId, Model, Sample};
use crate::simulate::Columns;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const TARGETS: &[&str] = &[
    "actuator",
    "actuators",
    "body",
    "joint",
    "joints",
    "linkage",
];

/// Calls `visit` with every plan that a controller names.
fn each_plan(root: &mut Table, visit: &mut dyn FnMut(&mut String)) {
    let controllers = root.get_mut("controller").map(|e| &mut e.node.value);
    let Some(Value::Table(controllers)) = controllers else {
        return;
    };
    for entry in controllers.values_mut() {
        let Value::Table(own) = &mut entry.node.value else {
            continue;
        };
        if let Some(Value::Table(target)) = own.get_mut("target").map(|e| &mut e.node.value)
            && let Some(Value::Text(text)) = target.get_mut("plan").map(|e| &mut e.node.value)
        {
            visit(text);
        }
        if let Some(Value::Text(text)) = own.get_mut("plan").map(|e| &mut e.node.value) {
            visit(text);
        }
    }
}

/// The file of a plan that is named by its folder or file.
pub(super) fn plan_file(folder: &Path, written: &str) -> PathBuf {
    let path = folder.join(written);
    match path.is_dir() {
        true => path.join("plan.json"),
        false => path,
    }
}

/// What a plan is called where files are copied.
fn plan_name(written: &str) -> String {
    match written.ends_with(".json") {
        true => written.into(),
        false => format!("{}.json", written.trim_end_matches(['/', '\\'])),
    }
}

/// Adds the plans that controllers name to the files of a scenario.
pub(crate) fn plans(root: &Table, folder: &Path, files: &mut Vec<(String, PathBuf)>) {
    each_plan(&mut root.clone(), &mut |written| {
        let name = plan_name(written);
        let file = plan_file(folder, written);
        if file.is_file() && !files.iter().any(|(known, _)| *known == name) {
            files.push((name, file));
        }
    });
}

/// Names them as their copies are named.
pub(crate) fn rename_plans(root: &mut Table, name: &dyn Fn(&str) -> String) {
    each_plan(root, &mut |written| *written = name(&plan_name(written)));
}

/// Makes the actuators of controllers that name what they act on themselves.
pub(crate) fn actuators(
    root: &Table,
    scope: &Scope,
    things: &Things,
    list: &mut Vec<ActuatorEntry>,
    faults: &mut Vec<Fault>,
) {
    for (name, entry, table) in named(root, "controller", faults) {
        let fields = Fields::new(table, format!("controller.{name}"), entry.key, scope);
        match own_actuators(name, &fields, things) {
            Err(fault) => faults.push(*fault),
            Ok(own) => {
                if let Some(taken) = own.iter().find(|a| list.iter().any(|l| l.name == a.name)) {
                    faults.push(*fields.fault(
                        format!("there is an actuator or load `{}` already", taken.name),
                        "name it with actuator = \"…\", or give the controller another name",
                    ));
                }
                list.extend(own);
            }
        }
    }
    if let (Some(entry), Some(_)) = (root.get("controller"), root.get("optimise")) {
        faults.push(Fault::new(
            entry.key,
            "controller",
            "controllers act in simulations, not in plans",
            "remove them, or simulate a plan with `carom track DIR`",
        ));
    }
}

fn own_actuators(name: &str, fields: &Fields, things: &Things) -> Read<Vec<ActuatorEntry>> {
    let entry = |name: String, target| ActuatorEntry {
        name,
        target,
        bounds: Vec::new(),
        signals: None,
        sample: Sample::default(),
    };
    match fields.one_of(TARGETS)? {
        Some(("actuator" | "actuators", _)) => Ok(Vec::new()),
        // All controls of the plan.
        None if fields.table.contains_key("plan") => Ok(Vec::new()),
        Some(("joints", item)) => (item.list()?.iter())
            .map(|item| {
                let (target, _) = actuators::joint_target(item, things)?;
                Ok(entry(format!("{name}-{}", item.reference()?), target))
            })
            .collect(),
        Some(_) => Ok(vec![entry(name.into(), actuators::target(fields, things)?.0)]),
        None => Err(fields.fault(
            "acts on nothing",
            "name what it acts on: actuator = \"…\", body = \"…\", joint = \"…\", joints = […], or linkage and \
             coordinate",
        )),
    }
}

impl Scenario {
    /// The controllers, for a run of the model.
    pub fn feedback(&self, model: &Arc<Model>) -> Result<Feedback, ScenarioError> {
        let fail = |faults| ScenarioError::new(&self.file, &self.sources, faults);
        let parameters = section(&self.root, "parameters").map_err(|fault| fail(vec![*fault]))?;
        let scope = Scope::new(parameters, &self.sources).map_err(fail)?;
        let mut faults = Vec::new();
        let mut feedback = Feedback::new(model);
        for (name, entry, table) in named(&self.root, "controller", &mut faults) {
            let fields = Fields::new(table, format!("controller.{name}"), entry.key, &scope);
            if let Err(fault) = self.controller(name, &fields, model, &mut feedback) {
                faults.push(*fault);
            }
        }
        match faults.is_empty() {
            true => Ok(feedback),
            false => Err(fail(faults)),
        }
    }

    /// The columns of a run: of the model, and of its controllers.
    pub fn columns(&self, model: &Arc<Model>) -> Result<Columns, ScenarioError> {
        let mut columns = Columns::of(model, self.settings.forces);
        columns.extend(self.feedback(model)?.columns());
        Ok(columns)
    }

    fn controller(
        &self,
        name: &str,
        fields: &Fields,
        model: &Arc<Model>,
        feedback: &mut Feedback,
    ) -> Read<()> {
        let actuators = self.acts_through(name, fields, model)?;
        let outputs = actuators
            .iter()
            .map(|a| model.actuators()[a.index()].components());
        let outputs: usize = outputs.sum();
        let sampling = self.sampling(fields, feedback.measurable(), outputs)?;
        let controller = controller_laws::Reader {
            scenario: self,
            fields,
            model,
            columns: feedback.measurable(),
            actuators: &actuators,
            outputs,
            every: sampling.every,
        }
        .read()?;
        fields.finish()?;
        (feedback.add(model, name, &actuators, controller, sampling)).map_err(|error| {
            let text = error.to_string();
            let (message, fix) = text.split_once(": ").unwrap_or((&text, "change it"));
            fields.fault(message, fix)
        })
    }

    fn acts_through(&self, name: &str, fields: &Fields, model: &Model) -> Read<Vec<ActuatorId>> {
        let find = |wanted: &str| {
            let at = model.actuators().iter().position(|a| a.name == wanted);
            at.map(actuator_id)
        };
        let known = |item: &Item| {
            let wanted = item.reference()?;
            find(&wanted).ok_or_else(|| {
                let names = model.actuators().iter().map(|a| a.name.as_str());
                item.fault(
                    format!("there is no actuator `{wanted}`"),
                    match model.actuators().is_empty() {
                        true => "add [actuator.NAME], or name a body or joint here".into(),
                        false => suggestion(&wanted, names),
                    },
                )
            })
        };
        // These belong to what an own actuator acts on.
        for key in ["coordinate", "frame", "point"] {
            fields.get(key);
        }
        let own = |name: &str| {
            find(name).ok_or_else(|| fields.fault("acts on nothing", "name a body or joint"))
        };
        match fields.one_of(TARGETS)? {
            Some(("actuator", item)) => Ok(vec![known(&item)?]),
            Some(("actuators", item)) => item.list()?.iter().map(known).collect(),
            Some(("joints", item)) => (item.list()?.iter())
                .map(|joint| own(&format!("{name}-{}", joint.reference()?)))
                .collect(),
            None if fields.table.contains_key("plan") => {
                let controls = model.actuators().iter().enumerate();
                let controls = controls.filter(|(_, a)| a.signals.is_none());
                Ok(controls.map(|(k, _)| actuator_id(k)).collect())
            }
            _ => Ok(vec![own(name)?]),
        }
    }

    /// `sample_time`, `delay`, `limits` and `noise`.
    fn sampling(&self, fields: &Fields, columns: &Columns, outputs: usize) -> Read<Sampling> {
        let steps = |item: Item, value: f64| {
            let step = self.settings.step;
            let steps = (value / step).round();
            match (value - steps * step).abs() <= 1e-6 * step && steps < 1e9 {
                true => Ok(steps as u64),
                false => Err(item.fault(
                    format!("{value} s is {} steps of {step} s", value / step),
                    "make it a multiple of the step of [simulate]",
                )),
            }
        };
        let every = match fields.get("sample_time") {
            None => 1,
            Some(item) => {
                let value = item.positive()?;
                steps(item, value)?
            }
        };
        let delay = match fields.get("delay") {
            None => 0,
            Some(item) => {
                let value = item.non_negative()?;
                steps(item, value)?
            }
        };
        let limits = match fields.get("limits") {
            None => Vec::new(),
            Some(item) => limits(&item, outputs)?,
        };
        let noise = match fields.get("noise") {
            None => Noise::default(),
            Some(item) => self.noise(&item, columns, outputs)?,
        };
        Ok(Sampling {
            every,
            delay,
            limits,
            noise,
        })
    }

    fn noise(&self, item: &Item, columns: &Columns, outputs: usize) -> Read<Noise> {
        let fields = item.fields()?;
        let seed = fields
            .need("seed", "random numbers need a seed, such as seed = 1")?
            .count(0, 1 << 53)?;
        let output = match fields.get("output") {
            None => Vec::new(),
            Some(item) => match &item.node.value {
                Value::List(_) => (item.list()?.iter())
                    .map(Item::non_negative)
                    .collect::<Read<Vec<_>>>()?,
                _ => vec![item.non_negative()?; outputs],
            },
        };
        let mut measured = Vec::new();
        if let Some(item) = fields.get("measured") {
            for (name, entry) in item.fields()?.table {
                let own = Item {
                    node: &entry.node,
                    path: format!("{}.{name}", item.path),
                    scope: item.scope,
                };
                measured.push((self.inexact(name, &own, columns)?, own.non_negative()?));
            }
        }
        fields.finish()?;
        Ok(Noise {
            seed,
            measured,
            output,
        })
    }

    /// A column, or `BODY.position`, `.rotation`, `.velocity`, `.angular_velocity`.
    fn inexact(&self, name: &str, item: &Item, columns: &Columns) -> Read<Inexact> {
        let of_body = |body: &str| columns.find(&format!("{body}.x"));
        let turns = |body: &str| columns.find(&format!("{body}.d1x"));
        if let Some((body, part)) = name.rsplit_once('.') {
            let found = match part {
                "position" => of_body(body).map(|k| Inexact::Columns(k, 3)),
                "velocity" => of_body(body).map(|k| Inexact::Columns(k + 3, 3)),
                "rotation" => turns(body).map(Inexact::Directors),
                "angular_velocity" => turns(body).map(|k| Inexact::Columns(k + 9, 3)),
                _ => None,
            };
            if let Some(found) = found {
                return Ok(found);
            }
            let is_director = part.len() == 3 && part.starts_with('d') && turns(body).is_some();
            if is_director {
                return Err(item.fault(
                    "directors have no noise of their own",
                    format!("write \"{body}.rotation\" with a deviation in rad"),
                ));
            }
        }
        match columns.find(name) {
            Some(k) if k > 0 => Ok(Inexact::Columns(k, 1)),
            _ => {
                let known = columns.names().iter().map(String::as_str);
                let near = suggestion(name, known);
                Err(item.fault(
                    format!("there is no quantity `{name}`"),
                    match near.len() < 120 {
                        true => near,
                        false => "name a column of columns.json, or BODY.position, BODY.rotation, BODY.velocity, \
                                  BODY.angular_velocity"
                            .into(),
                    },
                ))
            }
        }
    }
}

/// `[low, high]` for all or for each output, a largest size, or `{ force = …, torque = … }`.
fn limits(item: &Item, outputs: usize) -> Read<Vec<[f64; 2]>> {
    match &item.node.value {
        Value::List(_) => actuators::bounds(item, outputs),
        Value::Table(_) if outputs == 6 => {
            let fields = item.fields()?;
            let mut out = Vec::new();
            for key in ["force", "torque"] {
                let most = match fields.get(key) {
                    None => f64::INFINITY,
                    Some(item) => item.positive()?,
                };
                out.extend([[-most, most]; 3]);
            }
            fields.finish()?;
            Ok(out)
        }
        _ => {
            let most = item.positive()?;
            Ok(vec![[-most, most]; outputs])
        }
    }
}
