//! `parameters` under `[optimise]`: numbers of the file that the plan finds.

use std::collections::BTreeSet;

use carom_engine::inner::add_up;

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::plan::Reader;
use super::source::Place;
use super::tree::{Node, Table, Value};
use crate::expression::Expression;
use crate::model::Model;
use crate::optimise::{OptimiseError, Parameter, Remake};

/// Sections and keys whose numbers may be found.
const MAY_BE_FREE: [(&[&str], &[&str]); 6] = [
    (
        &["body", "template", "group"],
        &["mass", "density", "inertia", "position"],
    ),
    (
        &["spring"],
        &["stiffness", "rest_length", "between", "point"],
    ),
    (&["damper"], &["coefficient", "between", "point"]),
    (&["drag"], &["linear", "angular"]),
    (
        &["joint"],
        &["stiffness", "rest", "damping", "armature", "at", "length"],
    ),
    (&["actuator"], &["at", "point"]),
];

/// Texts that are no expressions.
const WORDS: [&str; 6] = ["title", "source", "name", "applied", "format", "variant"];

const FIX: &str = "free parameters may give masses, inertias, densities, stiffnesses, rest lengths, \
                   damping, drag, shapes and places of bodies that joints connect, and stand in expressions \
                   of costs and conditions";

/// Models beyond the first three that numbers which are no straight lines are told by.
const MORE: usize = 4;

/// A place where a name is used: its path, with the place in the file.
struct Use {
    path: Vec<String>,
    place: Place,
    /// Which of the names.
    name: String,
}

fn uses(node: &Node, path: &mut Vec<String>, names: &BTreeSet<String>, out: &mut Vec<Use>) {
    match &node.value {
        Value::Text(text) => {
            let Ok(expression) = Expression::parse(text) else {
                return;
            };
            let name = expression.variables().find(|v| names.contains(*v));
            out.extend(name.map(|name| Use {
                path: path.clone(),
                place: node.place,
                name: name.into(),
            }));
        }
        Value::List(items) => items.iter().for_each(|item| uses(item, path, names, out)),
        Value::Table(table) => uses_in(table, path, names, out),
        _ => {}
    }
}

fn uses_in(table: &Table, path: &mut Vec<String>, names: &BTreeSet<String>, out: &mut Vec<Use>) {
    for (key, entry) in table {
        path.push(key.clone());
        uses(&entry.node, path, names, out);
        path.pop();
    }
}

impl Use {
    /// Whether a free parameter may stand here.
    fn is_sound(&self, free: &[String]) -> bool {
        let section = self.path.first().map_or("", String::as_str);
        let key = self.path.last().map_or("", String::as_str);
        if WORDS.contains(&section) || section == "parameters" {
            return true;
        }
        let given = |(sections, keys): &(&[&str], &[&str])| {
            sections.contains(&section) && keys.contains(&key)
        };
        let bodies = ["body", "template", "group"].contains(&section);
        if MAY_BE_FREE.iter().any(given) || bodies && self.path.iter().any(|p| p == "shape") {
            return true;
        }
        // What depends on a free parameter is a number in formulas, which would not follow it.
        let plans = ["optimise", "phase"].contains(&section);
        plans && self.is_formula() && free.contains(&self.name)
    }

    /// Whether it stands in a formula: costs, and expressions in conditions.
    fn is_formula(&self) -> bool {
        let has = |key: &str| self.path.iter().any(|p| p == key);
        let costs = has("minimise") && (has("running") || has("final") || has("track"));
        costs || self.path.last().is_some_and(|k| k == "expression")
    }
}

impl Reader<'_> {
    /// `parameters = { NAME = [least, largest] }`.
    pub(super) fn parameters(&self, fields: &Fields) -> Read<Vec<Parameter>> {
        let Some(item) = fields.get("parameters") else {
            return Ok(Vec::new());
        };
        let table = item.fields()?.table;
        let free: Vec<String> = table.keys().cloned().collect();
        let mut out = Vec::new();
        for (name, entry) in table {
            let own = Item {
                node: &entry.node,
                path: format!("{}.{name}", item.path),
                scope: item.scope,
            };
            let known = &self.scenario.parameters;
            let Some(value) = known.get(name).copied() else {
                let known: Vec<&str> = known.keys().map(String::as_str).collect();
                let fix = match known.is_empty() {
                    true => {
                        "give it a value under [parameters], and use it for a mass or stiffness"
                            .into()
                    }
                    false => suggestion(name, known),
                };
                return Err(own.fault(format!("there is no parameter `{name}`"), fix));
            };
            let range = own.range()?;
            if !(range[0] <= value && value <= range[1]) {
                let fix = format!("begin within it: change {name} under [parameters]");
                return Err(own.fault(
                    format!("{name} begins at {value}, outside of this range"),
                    fix,
                ));
            }
            self.check_uses(name, &free)?;
            out.push(self.free_parameter(&own, name, value, range)?);
        }
        self.check_products(&item, &out)?;
        Ok(out)
    }

    /// How the model is made with other values of what is found.
    pub(super) fn remake(&self, parameters: &[Parameter]) -> Option<Remake> {
        let names: Vec<String> = parameters.iter().map(|p| p.name.clone()).collect();
        let scenario = self.scenario.clone();
        let make = move |values: &[f64]| {
            let mut own = scenario.clone();
            for (name, value) in names.iter().zip(values) {
                own = own.with_parameter(name, *value).ok()?;
            }
            own.build().ok()
        };
        (parameters.iter())
            .any(Parameter::reshapes)
            .then(|| Remake(std::sync::Arc::new(make)))
    }

    /// Complains of parameters that multiply each other: each is found as what it adds.
    fn check_products(&self, item: &Item, parameters: &[Parameter]) -> Read<()> {
        if parameters.len() < 2 {
            return Ok(());
        }
        // The end of each range that is farther from where it begins.
        let far = |p: &Parameter| match p.range[1] - p.value > p.value - p.range[0] {
            true => p.range[1],
            false => p.range[0],
        };
        let values: Vec<f64> = parameters.iter().map(far).collect();
        let mut scenario = self.scenario.clone();
        for (p, value) in parameters.iter().zip(&values) {
            scenario = (scenario.with_parameter(&p.name, *value))
                .map_err(|e| item.fault(format!("at the ends of the ranges: {e}"), FIX))?;
        }
        let made = scenario.build();
        let made = made.map_err(|e| item.fault(format!("at the ends of the ranges: {e}"), FIX))?;
        match add_up(self.model, parameters, &values, &made) {
            true => Ok(()),
            false => Err(item.fault(
                "parameters that are found multiply each other",
                "let each number of the model depend on one of them, or on their sum",
            )),
        }
    }

    /// Complains of places where the value of a parameter would not follow what is found.
    fn check_uses(&self, name: &str, free: &[String]) -> Read<()> {
        let root = &self.scenario.root;
        let mut names = BTreeSet::from([name.to_string()]);
        if let Some(Value::Table(all)) = root.get("parameters").map(|e| &e.node.value) {
            // Parameters that depend on it, directly or through others.
            loop {
                let mut found = Vec::new();
                uses_in(all, &mut Vec::new(), &names, &mut found);
                let before = names.len();
                names.extend(found.into_iter().filter_map(|u| u.path.first().cloned()));
                if names.len() == before {
                    break;
                }
            }
        }
        let mut found = Vec::new();
        uses_in(root, &mut Vec::new(), &names, &mut found);
        match found.iter().find(|u| !u.is_sound(free)) {
            None => Ok(()),
            Some(wrong) => {
                let path = wrong.path.join(".");
                let message = match wrong.name == name {
                    true => format!("`{name}` is to be found, and cannot be used here"),
                    false => format!(
                        "`{}` follows from `{name}`, which is to be found",
                        wrong.name
                    ),
                };
                Err(Box::new(Fault::new(wrong.place, path, message, FIX)))
            }
        }
    }

    /// What the parameter changes, by models with other values.
    fn free_parameter(
        &self,
        item: &Item,
        name: &str,
        value: f64,
        range: [f64; 2],
    ) -> Read<Parameter> {
        let middle = 0.5 * (range[0] + range[1]);
        let others: Vec<f64> = [range[1], range[0], middle]
            .into_iter()
            .filter(|v| *v != value)
            .collect();
        let made = |value: f64| -> Read<(f64, Model)> {
            let changed = self.scenario.with_parameter(name, value);
            let built = changed.and_then(|s| s.build());
            match built {
                Ok(model) => Ok((value, model)),
                Err(error) => Err(item.fault(
                    format!("with {name} = {value} there is no model: {error}"),
                    "choose a range in which there is one",
                )),
            }
        };
        let mut models = vec![
            (value, Model::clone(self.model)),
            made(others[0])?,
            made(others[1])?,
        ];
        let straight = Parameter::of_models(name, range, &models);
        if let Ok(parameter) = straight {
            return Ok(parameter);
        }
        // Lengths stand in moments of inertia by powers: more models tell which.
        for k in 0..MORE {
            let part = (k as f64 + 0.5) / MORE as f64;
            models.push(made(range[0] + part * (range[1] - range[0]))?);
        }
        Parameter::of_models(name, range, &models).map_err(|e| match e {
            OptimiseError::Unsupported { what, fix } => item.fault(what, fix),
            other => item.fault(other.to_string(), FIX),
        })
    }
}
