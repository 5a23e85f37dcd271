//! Formulas of plans: named points, expressions as costs and conditions, tracking, via-points.

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::plan::Reader;
use super::tree::Value;
use crate::optimise::{Condition, Formula, NamedPoint, Term, Via, control_names};

/// How far a time may be from its node, in steps: steps of a third of a second are written with a few digits.
const NODE: f64 = 1e-3;

impl Reader<'_> {
    /// `points.NAME = { body, at }`: points of bodies that formulas may name.
    pub(super) fn points(&self, fields: &Fields) -> Read<Vec<NamedPoint>> {
        let Some(item) = fields.get("points") else {
            return Ok(Vec::new());
        };
        let mut out = Vec::new();
        for (name, entry) in item.fields()?.table {
            let own = Item {
                node: &entry.node,
                path: format!("{}.{name}", item.path),
                scope: item.scope,
            };
            if self.body_named(name).is_some() {
                return Err(own.fault("a body has this name, too", "give the point another name"));
            }
            let fields = own.fields()?;
            let body = self.body(&fields.need("body", "name the body the point belongs to")?)?;
            let at = fields.need("at", "give the point in the frame of the body's shape")?;
            let local = self.model.body(body).local(&at.vector()?);
            fields.finish()?;
            out.push(NamedPoint {
                name: name.clone(),
                body,
                local,
            });
        }
        Ok(out)
    }

    /// An expression of quantities and parameters.
    pub(super) fn formula(&self, item: &Item) -> Read<Formula> {
        let expression = item.scope.parse(item.node, &item.path)?;
        self.bound(item, expression)
    }

    /// The value of a parameter, unless it is found.
    fn value(&self, item: &Item, name: &str) -> Option<f64> {
        let free = self.free.iter().any(|f| f == name);
        item.scope.value(name).filter(|_| !free)
    }

    fn bound(&self, item: &Item, expression: crate::expression::Expression) -> Read<Formula> {
        let bound = expression.bind(&|name| self.value(item, name));
        Formula::with_parameters(self.model, &bound, &self.points, &self.free).map_err(|error| {
            let fix = error.fix.clone();
            item.scope.located(item.node, &item.path, &error, fix)
        })
    }

    /// A formula from text that was put together; faults are those of the item it came from.
    fn composed(&self, item: &Item, text: &str) -> Read<Formula> {
        let parsed = crate::expression::Expression::parse(text);
        let parsed = parsed.map_err(|e| item.fault(e.message, e.fix))?;
        let bound = parsed.bind(&|name| self.value(item, name));
        Formula::with_parameters(self.model, &bound, &self.points, &self.free)
            .map_err(|e| item.fault(e.message, e.fix))
    }

    /// `{ track = { body | point | joint, … }, weight }`: squared distances to what is given over time.
    pub(super) fn track(&self, item: &Item, weight: f64) -> Read<Term> {
        let fields = item.fields()?;
        let fix = "write { body = \"…\", position = […] }, { point = \"…\", position = […] } or \
                    { joint = \"…\", value = … }; numbers or expressions of t";
        let kind = fields.one_of(&["body", "point", "joint", "control"])?;
        let (kind, name) = kind.ok_or_else(|| fields.fault("tracks nothing", fix))?;
        let named = name.reference()?;
        let wanted = |item: &Item| -> Read<String> {
            match &item.node.value {
                Value::Text(text) => Ok(text.clone()),
                _ => Ok(format!("{:?}", item.number()?)),
            }
        };
        let mut squares = Vec::new();
        let mut square = |quantity: String, to: String| {
            squares.push(format!("({quantity} - ({to}))^2"));
        };
        let lists: &[(&'static str, &str)] = match kind {
            "joint" | "control" => &[],
            "body" => &[
                ("position", ""),
                ("velocity", "v"),
                ("angular_velocity", "w"),
            ],
            _ => &[("position", ""), ("velocity", "v")],
        };
        for (key, letter) in lists {
            let Some(item) = fields.get(key) else {
                continue;
            };
            let items = item.list()?;
            if items.len() != 3 {
                let fix = "write three: numbers, expressions of t, or \"free\"";
                return Err(item.fault(format!("has {} components", items.len()), fix));
            }
            for (axis, item) in ["x", "y", "z"].iter().zip(&items) {
                if !matches!(&item.node.value, Value::Text(t) if t == "free") {
                    square(format!("{named}.{letter}{axis}"), wanted(item)?);
                }
            }
        }
        if kind == "joint" {
            for (key, suffix) in [("value", "q"), ("rate", "rate")] {
                if let Some(item) = fields.get(key) {
                    square(format!("{named}.{suffix}"), wanted(&item)?);
                }
            }
        }
        if kind == "control"
            && let Some(item) = fields.get("value")
        {
            square(named.clone(), wanted(&item)?);
        }
        if squares.is_empty() {
            return Err(fields.fault("tracks nothing", fix));
        }
        fields.finish()?;
        let formula = self.composed(item, &squares.join(" + "))?;
        Ok(Term::Running { formula, weight })
    }

    /// Weights of the controls of one actuator, or of all.
    pub(super) fn control_weights(&self, fields: &Fields, item: &Item) -> Read<Vec<f64>> {
        let weight = item.number()?;
        let of = fields.get("of").map(|item| item.reference()).transpose()?;
        let mut weights = vec![0.0; self.model.controls()];
        let mut known = false;
        for a in self.model.actuators() {
            let named = of.as_ref().is_none_or(|name| *name == a.name);
            known |= named;
            if named && a.signals.is_none() {
                a.range().for_each(|k| weights[k] = weight);
            }
        }
        if !known {
            let names = self.model.actuators().iter().map(|a| a.name.as_str());
            let fix = suggestion(of.as_deref().unwrap_or(""), names);
            return Err(item.fault("there is no such actuator", fix));
        }
        Ok(weights)
    }

    /// Ranges of three components of a body's or point's velocity, or of a body's rotation vector, one condition each.
    pub(super) fn velocities(&self, item: &Item, name: &str, letter: &str) -> Read<Vec<Condition>> {
        let mut out = Vec::new();
        for (axis, range) in ["x", "y", "z"].iter().zip(super::optimise::ranges(item)?) {
            if range != [f64::NEG_INFINITY, f64::INFINITY] {
                let formula = self.composed(item, &format!("{name}.{letter}{axis}"))?;
                out.push(Condition::formula(formula, range));
            }
        }
        Ok(out)
    }

    /// The rate of a joint coordinate or of a control lies in a range.
    pub(super) fn rate(&self, item: &Item, quantity: &str) -> Read<Condition> {
        let range = match &item.node.value {
            Value::List(_) => item.range()?,
            _ => {
                let most = item.non_negative()?;
                [-most, most]
            }
        };
        let formula = self.composed(item, quantity)?;
        Ok(Condition::formula(formula, range))
    }

    /// The full names of the components of an actuator, or of one of them.
    pub(super) fn controls_named(&self, item: &Item) -> Read<Vec<String>> {
        let name = item.reference()?;
        let all = control_names(self.model);
        let own: Vec<String> = (all.iter())
            .filter(|n| **n == name || n.starts_with(&format!("{name}.")))
            .cloned()
            .collect();
        match own.is_empty() {
            false => Ok(own),
            true => Err(item.fault(
                format!("there is no control `{name}`"),
                suggestion(&name, all.iter().map(String::as_str)),
            )),
        }
    }

    /// `via = [{ node | time | phase, conditions, BODY = { position, rotation } }]`.
    pub(super) fn vias(&self, fields: &Fields) -> Read<Vec<Via>> {
        let Some(item) = fields.get("via") else {
            return Ok(Vec::new());
        };
        let phases = self.scenario.optimise.as_ref();
        let phases = phases.map_or(&[][..], |o| &o.phases);
        let steps: usize = phases.iter().map(|p| p.steps).sum();
        let mut out = Vec::new();
        for item in item.list()? {
            let own = item.fields()?;
            let fix = "say when: node = 10, time = 0.5, or phase = 1 (the end of the first phase)";
            let when = own.one_of(&["node", "time", "phase"])?;
            let node = match when.ok_or_else(|| own.fault("no time is given", fix))? {
                ("node", item) => item.count(0, steps as u64)? as usize,
                ("phase", item) => {
                    let count = item.count(1, phases.len() as u64)? as usize;
                    phases[..count].iter().map(|p| p.steps).sum()
                }
                (_, item) => self.node_at(&item, phases)?,
            };
            let mut conditions = match own.get("conditions") {
                None => Vec::new(),
                Some(item) => self.conditions(&item)?,
            };
            for (name, entry) in own.table {
                if ["node", "time", "phase", "conditions"].contains(&name.as_str()) {
                    continue;
                }
                let path = format!("{}.{name}", item.path);
                let Some(body) = self.body_named(name) else {
                    let known = self.model.bodies().iter().map(|b| b.name.as_str());
                    let fix = suggestion(name, known.chain(["conditions"]));
                    let message = format!("there is no body `{name}`");
                    return Err(Box::new(Fault::new(entry.key, path, message, fix)));
                };
                let at = Item {
                    node: &entry.node,
                    path,
                    scope: item.scope,
                };
                let pose = at.fields()?;
                self.pose(&pose, body, &mut conditions)?;
                for (key, letter) in [("velocity", "v"), ("angular_velocity", "w")] {
                    if let Some(item) = pose.get(key) {
                        conditions.extend(self.velocities(&item, name, letter)?);
                    }
                }
                pose.finish()?;
            }
            if conditions.is_empty() {
                let fix = "name a body with its pose, or give conditions = […]";
                return Err(own.fault("asks for nothing", fix));
            }
            out.push(Via { node, conditions });
        }
        Ok(out)
    }

    /// The node at a time; times of phases that may be stretched are not known.
    fn node_at(&self, item: &Item, phases: &[crate::optimise::Phase]) -> Read<usize> {
        let time = item.non_negative()?;
        let (mut end, mut node) = (0.0, 0);
        for phase in phases {
            let [low, high] = phase.time_scale;
            if low != high {
                let fix = "name a node or the end of a phase: node = 10, or phase = 1";
                return Err(item.fault("the time scale is free here", fix));
            }
            let h = phase.step * low;
            let length = h * phase.steps as f64;
            if time <= end + length + NODE * h {
                let steps = (time - end) / h;
                if (steps - steps.round()).abs() > NODE {
                    let near = end + steps.round() * h;
                    return Err(item.fault(
                        format!("{time} s is not a node"),
                        format!("nodes are {h} s apart; the nearest is at {near}"),
                    ));
                }
                return Ok(node + steps.round() as usize);
            }
            end += length;
            node += phase.steps;
        }
        Err(item.fault(
            format!("{time} s is after the end"),
            format!("the plan ends at {end} s"),
        ))
    }
}
