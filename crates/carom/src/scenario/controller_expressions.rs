//! `kind = "expression"`: outputs written as expressions of what is measured.

use std::sync::Arc;

use super::controller_laws::Reader;
use super::fields::{Item, Read};
use super::measure::{self, Relative};
use super::tree::Value;
use crate::control::{Controller, Expressions, Integrated};
use crate::expression::Compiled;
use crate::words::counted;

impl Reader<'_> {
    pub(super) fn expressions(&self) -> Read<Box<dyn Controller>> {
        let scope = self.fields.scope;
        let relatives = (self.scenario.relatives(scope, self.columns.names()))
            .map_err(|mut faults| Box::new(faults.remove(0)))?;
        let mut names = measure::quantities(self.columns.names(), &relatives);
        let taken = |name: &str, item: &Item, names: &[String]| {
            let bad = names.iter().any(|n| n == name)
                || scope.value(name).is_some()
                || ["t", "time", "pi", "e"].contains(&name)
                || !name.chars().all(|c| c.is_alphanumeric() || c == '_');
            match bad {
                true => Err(item.fault(
                    format!("`{name}` cannot be its name"),
                    "use letters, digits and _, and a name that nothing else has",
                )),
                false => Ok(()),
            }
        };
        let (mut states, mut named) = (Vec::new(), Vec::new());
        for (name, item) in self.entries("states")? {
            taken(&name, &item, &names)?;
            names.push(name.clone());
            states.push((name, item));
        }
        for (name, item) in self.entries("quantities")? {
            taken(&name, &item, &names)?;
            named.push((name.clone(), self.compiled(&item, &names)?));
            names.push(name);
        }
        let states = (states.into_iter())
            .map(|(name, item)| {
                let fields = item.fields()?;
                let rate = fields.need("rate", "write { rate = \"…\", start = 0 }")?;
                let start = fields.get("start").map(|s| s.number()).transpose()?;
                fields.finish()?;
                Ok(Integrated {
                    rate: self.compiled(&rate, &names)?,
                    value: start.unwrap_or(0.0),
                    name,
                })
            })
            .collect::<Read<Vec<_>>>()?;
        let outputs = self.outputs(&names)?;
        let derive = move |row: &[f64], out: &mut Vec<f64>| {
            relatives
                .iter()
                .for_each(|r: &Relative| out.extend(r.values(row)));
        };
        Ok(Box::new(Expressions {
            derive: Arc::new(derive),
            states,
            named,
            outputs,
        }))
    }

    /// The entries of an inner table.
    fn entries(&self, key: &'static str) -> Read<Vec<(String, Item<'_>)>> {
        let Some(item) = self.fields.get(key) else {
            return Ok(Vec::new());
        };
        let table = item.fields()?.table;
        Ok((table.iter())
            .map(|(name, entry)| {
                let own = Item {
                    node: &entry.node,
                    path: format!("{}.{name}", item.path),
                    scope: item.scope,
                };
                (name.clone(), own)
            })
            .collect())
    }

    /// `output`, one expression for each; on a body also `force` and `torque`.
    fn outputs(&self, names: &[String]) -> Read<Vec<Compiled>> {
        let list = |item: &Item, n: usize| -> Read<Vec<Compiled>> {
            let items = match &item.node.value {
                Value::List(_) => item.list()?,
                _ => vec![item.clone()],
            };
            if items.len() != n {
                return Err(item.fault(
                    format!("has {} for {n} outputs", counted(items.len(), "expression")),
                    "write one for each",
                ));
            }
            items.iter().map(|i| self.compiled(i, names)).collect()
        };
        let on_body = self.outputs == 6 && self.actuators.len() == 1;
        if on_body && !self.fields.table.contains_key("output") {
            let mut all = Vec::new();
            for key in ["force", "torque"] {
                match self.fields.get(key) {
                    Some(item) => all.extend(list(&item, 3)?),
                    None => all.extend(vec![Compiled::constant(0.0); 3]),
                }
            }
            let given = ["force", "torque"].map(|key| self.fields.table.contains_key(key));
            if given == [false; 2] {
                return Err(self.fields.fault(
                    "does nothing",
                    "give force = […] and torque = […], three expressions each",
                ));
            }
            return Ok(all);
        }
        let item = self.fields.need(
            "output",
            "write output = \"…\", an expression of measured quantities",
        )?;
        list(&item, self.outputs)
    }

    /// An expression of measured quantities.
    fn compiled(&self, item: &Item, names: &[String]) -> Read<Compiled> {
        let expression = item.scope.parse(item.node, &item.path)?;
        let held = |name: &&str| {
            let part = name.strip_prefix("joint.").and_then(|n| n.rsplit_once('.'));
            let (of, _) = part.unwrap_or_default();
            of.ends_with(".force") || of.ends_with(".torque")
        };
        if let Some(name) = expression.variables().find(held) {
            return Err(item.fault(
                format!("`{name}` is not measured"),
                "forces of joints are known after a step only; use positions, angles and rates",
            ));
        }
        measure::compiled(item, names)
    }
}
