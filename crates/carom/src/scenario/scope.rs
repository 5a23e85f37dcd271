//! Names that expressions may use: parameters, and within a group the variables of its members.

use indexmap::IndexMap;

use super::error::{Fault, suggestion};
use super::source::{Place, Sources};
use super::tree::{Node, Table, Value};
use crate::expression::{Expression, ExpressionError};

/// Values of names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    parameters: IndexMap<String, f64>,
    /// Variables of a group's member or of one repetition, such as `i`.
    locals: Vec<(&'static str, f64)>,
    /// Which member of a group is being read, for random numbers.
    pub member: u64,
    pub sources: Sources,
}

impl Scope {
    /// Evaluates the parameters, which may refer to each other.
    pub fn new(table: Option<&Table>, sources: &Sources) -> Result<Self, Vec<Fault>> {
        let mut scope = Self {
            sources: sources.clone(),
            ..Self::default()
        };
        let Some(table) = table else {
            return Ok(scope);
        };
        let mut faults = Vec::new();
        let mut open = Vec::new();
        for (name, entry) in table {
            let field = format!("parameters.{name}");
            let sound = name.chars().all(|c| c.is_alphanumeric() || c == '_')
                && name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            if !sound || RESERVED.contains(&name.as_str()) {
                faults.push(Fault::new(
                    entry.key,
                    field,
                    format!("`{name}` cannot be the name of a parameter"),
                    "use letters, digits and _, beginning with a letter, and none of pi, e, t, i, \
                     n, x, y, z, angle",
                ));
                continue;
            }
            match scope.parse(&entry.node, &field) {
                Ok(expression) => open.push((name, field, &entry.node, expression)),
                Err(fault) => faults.push(*fault),
            }
        }
        // Evaluate what can be until nothing more can: the rest is unknown names or cycles.
        loop {
            let before = open.len();
            let mut rest = Vec::new();
            for (name, field, node, expression) in open {
                match scope.eval(&expression) {
                    Ok(value) => {
                        scope.parameters.insert(name.clone(), value);
                    }
                    Err(error) if error.unknown.is_some() => {
                        rest.push((name, field, node, expression));
                    }
                    Err(error) => faults.push(*scope.expression_fault(node, &field, &error)),
                }
            }
            open = rest;
            if open.len() == before || open.is_empty() {
                break;
            }
        }
        for (name, field, node, expression) in &open {
            let waits = |n: &&str| table.contains_key(*n) && !scope.parameters.contains_key(*n);
            if expression
                .variables()
                .all(|v| waits(&v) || scope.value(v).is_some())
            {
                let others: Vec<_> = expression.variables().filter(|v| waits(v)).collect();
                faults.push(Fault::new(
                    node.place,
                    field,
                    format!("`{name}` depends on itself through {}", others.join(", ")),
                    "give one of them a number",
                ));
            } else if let Err(error) = scope.eval(expression) {
                faults.push(*scope.expression_fault(node, field, &error));
            }
        }
        match faults.is_empty() {
            true => Ok(scope),
            false => Err(faults),
        }
    }

    /// The same names and more.
    pub fn with(&self, locals: &[(&'static str, f64)], member: u64) -> Self {
        let mut scope = self.clone();
        scope.locals.extend_from_slice(locals);
        scope.member = member;
        scope
    }

    pub fn parameters(&self) -> &IndexMap<String, f64> {
        &self.parameters
    }

    /// The value of a name; inner names hide outer ones.
    pub fn value(&self, name: &str) -> Option<f64> {
        let local = self.locals.iter().rev().find(|(n, _)| *n == name);
        local
            .map(|(_, value)| *value)
            .or_else(|| self.parameters.get(name).copied())
    }

    pub fn eval(&self, expression: &Expression) -> Result<f64, ExpressionError> {
        expression.eval(&|name| self.value(name))
    }

    /// A number or the text of an expression.
    pub fn parse(&self, node: &Node, field: &str) -> Result<Expression, Box<Fault>> {
        let text = match &node.value {
            Value::Integer(integer) => integer.to_string(),
            Value::Number(number) if number.is_finite() => format!("{number:?}"),
            Value::Number(number) => {
                return Err(Box::new(Fault::new(
                    node.place,
                    field,
                    format!("{number} is not a finite number"),
                    "write a finite number",
                )));
            }
            Value::Text(text) => text.clone(),
            _ => {
                return Err(Box::new(Fault::new(
                    node.place,
                    field,
                    format!("{} where a number is wanted", node.kind()),
                    "write a number, or an expression in quotes such as \"0.2*sqrt(2)\"",
                )));
            }
        };
        Expression::parse(&text).map_err(|error| self.expression_fault(node, field, &error))
    }

    /// An error in an expression that may use parameters and local names.
    pub fn expression_fault(
        &self,
        node: &Node,
        field: &str,
        error: &ExpressionError,
    ) -> Box<Fault> {
        let fix = match &error.unknown {
            Some(name) => {
                let locals = self.locals.iter().map(|(n, _)| *n);
                let known = self.parameters.keys().map(String::as_str).chain(locals);
                let known: Vec<_> = known.collect();
                match known.is_empty() {
                    true => "give it a value under [parameters]".into(),
                    false => format!(
                        "{} Parameters are given under [parameters]",
                        capital(&suggestion(name, known))
                    ),
                }
            }
            None => error.fix.clone(),
        };
        self.located(node, field, error, fix)
    }

    /// An error in an expression, at its place in the file, with what to do about it.
    pub fn located(
        &self,
        node: &Node,
        field: &str,
        error: &ExpressionError,
        fix: String,
    ) -> Box<Fault> {
        let mut place = node.place;
        if let (Value::Text(text), Some(written)) = (&node.value, self.sources.slice(node.place)) {
            // Point into the quotes where the text stands there as it is.
            if written.get(1..1 + text.len()) == Some(text) {
                let skipped = text.chars().take(error.column - 1).map(char::len_utf8);
                place = Place {
                    start: place.start + 1 + skipped.sum::<usize>() as u32,
                    ..place
                };
                place.end = match &error.unknown {
                    Some(name) => place.start + name.len() as u32,
                    None => place.start + 1,
                };
            }
        }
        Box::new(Fault::new(place, field, error.message.clone(), fix))
    }
}

fn capital(text: &str) -> String {
    let ends = text.ends_with(['?', '.']);
    let text = format!("{text}{}", if ends { "" } else { "." });
    text[..1].to_uppercase() + &text[1..]
}

/// Names with a meaning of their own.
const RESERVED: &[&str] = &["pi", "e", "t", "i", "n", "x", "y", "z", "angle"];
