//! A TOML document as a tree whose every value knows its place, and how trees are merged.

use indexmap::IndexMap;
use toml::de::{DeTable, DeValue};

use super::error::Fault;
use super::source::Place;

/// Any value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    List(Vec<Node>),
    Table(Table),
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Value,
    pub place: Place,
}

/// A key's place and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: Place,
    pub node: Node,
}

/// Entries in the order of the file.
pub(crate) type Table = IndexMap<String, Entry>;

/// Keys that exclude each other: a value that overrides one of them removes the others.
const EXCLUSIVE: &[&[&str]] = &[
    &["duration", "steps"],
    &["rotation", "rotation_deg"],
    &["at", "anchors"],
    &["limits", "limits_deg"],
    &["rate", "rate_deg"],
    &["shape", "parts"],
];

/// Tables that name one of several choices: they are replaced, not merged.
const CHOICES: &[&str] = &[
    "shape",
    "layout",
    "record",
    "value",
    "force",
    "torque",
    "velocity",
    "angular_velocity",
    "position",
    "rotation",
    "rotation_deg",
    "guess",
];

impl Node {
    /// What kind of value it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Boolean(_) => "true or false",
            Value::Integer(_) | Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// Parses a TOML text, the source of number `source`.
pub(crate) fn parse(text: &str, source: u32) -> Result<Table, Box<Fault>> {
    let place = |span: std::ops::Range<usize>| Place {
        source,
        start: span.start as u32,
        end: span.end as u32,
    };
    let document = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        let start = at.start.min(text.len());
        let message = error.message().replace('\n', ", ");
        let (span, message, help) = super::syntax::explain(text, start, &message);
        let end = span.end.max(at.end.clamp(span.start, text.len()));
        let end = if span.start == start { end } else { span.end };
        Box::new(Fault::new(
            place(span.start..end),
            "",
            format!("not valid TOML: {message}"),
            help,
        ))
    })?;
    table(document.get_ref(), source)
}

fn table(table: &DeTable<'_>, source: u32) -> Result<Table, Box<Fault>> {
    let mut entries = Table::with_capacity(table.len());
    for (key, value) in table {
        let span = key.span();
        let key_place = Place {
            source,
            start: span.start as u32,
            end: span.end as u32,
        };
        let node = node(value, source, key.get_ref())?;
        entries.insert(
            key.get_ref().to_string(),
            Entry {
                key: key_place,
                node,
            },
        );
    }
    Ok(entries)
}

fn node(value: &toml::Spanned<DeValue<'_>>, source: u32, key: &str) -> Result<Node, Box<Fault>> {
    let span = value.span();
    let place = Place {
        source,
        start: span.start as u32,
        end: span.end as u32,
    };
    let fault = |message: &str, fix: &str| Box::new(Fault::new(place, key, message, fix));
    let value = match value.get_ref() {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Boolean(boolean) => Value::Boolean(*boolean),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map(Value::Integer)
            .map_err(|_| fault("the integer is too large", "write it as 1e20"))?,
        DeValue::Float(float) => (float.as_str().parse().map(Value::Number))
            .map_err(|_| fault("not a number", "write numbers like 1.5e-3"))?,
        DeValue::Datetime(_) => {
            return Err(fault(
                "a date is not expected here",
                "write seconds as a number",
            ));
        }
        DeValue::Array(items) => Value::List(
            (items.iter())
                .map(|item| node(item, source, key))
                .collect::<Result<_, _>>()?,
        ),
        DeValue::Table(entries) => Value::Table(table(entries, source)?),
    };
    Ok(Node { value, place })
}

/// Puts `over` on top of `base`: tables merge, everything else is replaced.
pub(crate) fn merge(base: &mut Table, over: &Table) {
    super::law::replaced(base, over);
    for (key, entry) in over {
        for set in EXCLUSIVE.iter().filter(|set| set.contains(&key.as_str())) {
            base.retain(|k, _| k == key || !set.contains(&k.as_str()));
        }
        match base.get_mut(key) {
            Some(Entry {
                node:
                    Node {
                        value: Value::Table(below),
                        ..
                    },
                ..
            }) if !CHOICES.contains(&key.as_str()) && entry.node.table().is_some() => {
                if let Value::Table(above) = &entry.node.value {
                    merge(below, above);
                }
            }
            _ => {
                base.insert(key.clone(), entry.clone());
            }
        }
    }
}

/// The entry `a.b.c`.
pub(crate) fn find<'a>(table: &'a Table, path: &str) -> Option<&'a Entry> {
    match path.split_once('.') {
        None => table.get(path),
        Some((first, rest)) => find(table.get(first)?.node.table()?, rest),
    }
}

/// Removes `a.b.c`; says whether it was there.
pub(crate) fn remove(table: &mut Table, path: &str) -> bool {
    match path.split_once('.') {
        None => table.shift_remove(path).is_some(),
        Some((first, rest)) => match table.get_mut(first).map(|entry| &mut entry.node.value) {
            Some(Value::Table(inner)) => remove(inner, rest),
            _ => false,
        },
    }
}
