//! Variants and `--set key=value`: what changes before a scenario is read.

use super::error::{Fault, suggestion};
use super::source::{Place, Sources};
use super::tree::{self, Entry, Node, Table, Value};

/// Sections and keys of a scenario.
pub(crate) const SECTIONS: &[&str] = &[
    "format",
    "name",
    "applied",
    "title",
    "source",
    "gravity",
    "parameters",
    "template",
    "body",
    "group",
    "nodes",
    "halfspace",
    "material",
    "contact",
    "surface",
    "joint",
    "rod",
    "linkage",
    "spring",
    "damper",
    "drag",
    "charge",
    "magnet",
    "solenoid",
    "field",
    "forces",
    "actuator",
    "load",
    "controller",
    "relative",
    "measure",
    "success",
    "sweep",
    "simulate",
    "optimise",
    "phase",
    "variant",
];

/// Most parts of a dotted key.
const MOST_PARTS: usize = 16;

/// Names of the variants.
pub(crate) fn variants(root: &Table) -> Vec<String> {
    let table = root.get("variant").and_then(|entry| entry.node.table());
    table.map_or(Vec::new(), |table| table.keys().cloned().collect())
}

/// Applies the chosen variant and removes all of them.
pub(crate) fn apply_variant(root: &mut Table, name: Option<&str>) -> Result<(), Box<Fault>> {
    let entry = root.shift_remove("variant");
    let Some(name) = name else {
        return Ok(());
    };
    let table = entry.as_ref().and_then(|e| e.node.table());
    let known = || table.into_iter().flat_map(|t| t.keys().map(String::as_str));
    let Some(variant) = table.and_then(|t| t.get(name)) else {
        return Err(Box::new(Fault {
            place: entry.as_ref().map(|e| e.key),
            field: "variant".into(),
            message: format!("there is no variant `{name}`"),
            fix: match known().next() {
                None => "this scenario has no variants".into(),
                Some(_) => suggestion(name, known()),
            },
        }));
    };
    let path = format!("variant.{name}");
    let Value::Table(over) = &variant.node.value else {
        return Err(Box::new(Fault::new(
            variant.node.place,
            path,
            format!("{} where a section is wanted", variant.node.kind()),
            "write [variant.NAME] above the values that differ",
        )));
    };
    let mut over = over.clone();
    // What the variant leaves out.
    if let Some(without) = over.shift_remove("without") {
        let Value::List(items) = &without.node.value else {
            return Err(Box::new(Fault::new(
                without.node.place,
                format!("{path}.without"),
                "not a list",
                "write without = [\"spring.left\"]",
            )));
        };
        for item in items {
            let gone = matches!(&item.value, Value::Text(key) if tree::remove(root, key));
            if !gone {
                return Err(Box::new(Fault::new(
                    item.place,
                    format!("{path}.without"),
                    "names nothing in this scenario",
                    "write section and name, such as \"spring.left\"",
                )));
            }
        }
    }
    tree::merge(root, &over);
    Ok(())
}

/// Applies one `key=value`.
pub(crate) fn apply_set(
    root: &mut Table,
    argument: &str,
    sources: &mut Sources,
) -> Result<(), Box<Fault>> {
    let source = sources.add("--set", argument);
    let place = |start: usize, end: usize| Place {
        source,
        start: start as u32,
        end: end as u32,
    };
    let all = place(0, argument.len());
    let Some((key, text)) = argument.split_once('=') else {
        return Err(Box::new(Fault::new(
            all,
            "",
            "no `=` in it",
            "write --set key=value, such as --set simulate.step=0.001",
        )));
    };
    let path: Vec<&str> = key.trim().split('.').map(str::trim).collect();
    if path.iter().any(|part| part.is_empty()) || path.len() > MOST_PARTS {
        return Err(Box::new(Fault::new(
            place(0, key.len()),
            "",
            format!("`{key}` is not a key"),
            "write a parameter's name, or a dotted key such as simulate.step",
        )));
    }
    // The value as TOML, or else as a text: an expression or a word.
    let value_at = key.len() + 1;
    let padded = format!("{}v={}", " ".repeat(value_at.saturating_sub(2)), text);
    let parsed = tree::parse(&padded, source).ok();
    let node = match parsed.and_then(|mut table| table.shift_remove("v")) {
        Some(entry) if value_at >= 2 => entry.node,
        _ => Node {
            value: Value::Text(text.trim().into()),
            place: place(value_at, argument.len()),
        },
    };
    let parameters = root.get("parameters").and_then(|e| e.node.table());
    let names = || {
        parameters
            .into_iter()
            .flat_map(|t| t.keys().map(String::as_str))
    };
    let mut path = path;
    if path.len() == 1 && (names().any(|n| n == path[0]) || !SECTIONS.contains(&path[0])) {
        if !names().any(|n| n == path[0]) {
            return Err(Box::new(Fault::new(
                place(0, key.len()),
                "",
                format!("there is no parameter `{}`", path[0]),
                suggestion(path[0], names().chain(["simulate.step"])),
            )));
        }
        path.insert(0, "parameters");
    }
    let key_place = place(0, key.len());
    let over = (path.iter().rev()).fold(node, |node, part| Node {
        place: node.place,
        value: Value::Table(Table::from_iter([(
            part.to_string(),
            Entry {
                key: key_place,
                node,
            },
        )])),
    });
    if let Value::Table(over) = &over.value {
        tree::merge(root, over);
    }
    Ok(())
}
