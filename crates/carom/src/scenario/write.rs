//! Writes a tree back as TOML.

use std::fmt::Write;

use super::tree::{Node, Table, Value};

/// Lists longer than this many characters are broken after each item.
const WIDTH: usize = 96;
/// Sections whose members are bodies.
const BODIES: [&str; 2] = ["body", "group"];

/// The document as text: plain values first, then `[section]` and `[section.name]` blocks.
pub(crate) fn document(table: &Table) -> String {
    let mut out = String::new();
    for (name, entry) in table {
        if entry.node.table().is_none() {
            line(&mut out, name, &entry.node);
        }
    }
    let mut bodies_written = false;
    for (name, entry) in table {
        let Some(section) = entry.node.table() else {
            continue;
        };
        if BODIES.contains(&name.as_str()) {
            if !std::mem::replace(&mut bodies_written, true) {
                bodies(&mut out, table);
            }
            continue;
        }
        let nested = !section.is_empty() && section.values().all(|e| e.node.table().is_some());
        if !nested {
            block(&mut out, &key(name), section);
            continue;
        }
        for (inner, entry) in section {
            if let Some(body) = entry.node.table() {
                block(&mut out, &format!("{}.{}", key(name), key(inner)), body);
            }
        }
    }
    out
}

/// Bodies and groups in the order of the file, which is the order of the model's bodies.
fn bodies(out: &mut String, table: &Table) {
    let mut all = Vec::new();
    for section in BODIES {
        let Some(named) = table.get(section).and_then(|entry| entry.node.table()) else {
            continue;
        };
        for (name, entry) in named {
            all.extend(entry.node.table().map(|t| (section, name, entry.key, t)));
        }
    }
    all.sort_by_key(|(_, _, place, _)| (place.source, place.start));
    for (section, name, _, body) in all {
        block(out, &format!("{section}.{}", key(name)), body);
    }
}

fn block(out: &mut String, header: &str, table: &Table) {
    let _ = writeln!(out, "\n[{header}]");
    for (name, entry) in table {
        line(out, name, &entry.node);
    }
}

fn line(out: &mut String, name: &str, node: &Node) {
    let _ = writeln!(out, "{} = {}", key(name), value(node, 1));
}

/// A value on one line.
pub(crate) fn inline(node: &Node) -> String {
    value(node, 1).replace('\n', " ")
}

fn value(node: &Node, depth: usize) -> String {
    match &node.value {
        Value::Boolean(boolean) => boolean.to_string(),
        Value::Integer(integer) => integer.to_string(),
        Value::Number(number) if number.is_nan() => "nan".into(),
        // The shortest form that reads back as the same number.
        Value::Number(number) => format!("{number:?}"),
        Value::Text(text) => quoted(text),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|item| value(item, depth + 1)).collect();
            let flat = items.join(", ");
            if flat.len() <= WIDTH {
                return format!("[{flat}]");
            }
            let indent = "  ".repeat(depth);
            let lines: String = (items.iter())
                .map(|item| format!("\n{indent}{item},"))
                .collect();
            format!("[{lines}\n{}]", "  ".repeat(depth - 1))
        }
        Value::Table(table) => {
            let entries: Vec<_> = (table.iter())
                .map(|(name, entry)| format!("{} = {}", key(name), value(&entry.node, depth)))
                .collect();
            match entries.is_empty() {
                true => "{}".into(),
                false => format!("{{ {} }}", entries.join(", ")),
            }
        }
    }
}

fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !name.is_empty() && name.chars().all(bare) {
        true => name.into(),
        false => quoted(name),
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
