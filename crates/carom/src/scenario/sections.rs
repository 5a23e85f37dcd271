//! Sections with names: `[joint.hinge]`, once or repeated.

use super::error::Fault;
use super::fields::{Fields, Read};
use super::layout::MOST;
use super::scope::Scope;
use super::source::Place;
use super::tree::{Entry, Table};

/// The table of a named section, or none.
pub(crate) fn section<'a>(root: &'a Table, name: &str) -> Result<Option<&'a Table>, Box<Fault>> {
    let Some(entry) = root.get(name) else {
        return Ok(None);
    };
    match entry.node.table() {
        Some(table) => Ok(Some(table)),
        None => Err(Box::new(Fault::new(
            entry.node.place,
            name,
            format!("{} where a section is wanted", entry.node.kind()),
            format!("write [{name}] above its keys, or [{name}.NAME] for each"),
        ))),
    }
}

/// The entries of `[section.NAME]` tables, each of which must be a table with a sound name.
pub(crate) fn named<'a>(
    root: &'a Table,
    name: &str,
    faults: &mut Vec<Fault>,
) -> Vec<(&'a str, &'a Entry, &'a Table)> {
    let table = match section(root, name) {
        Ok(table) => table,
        Err(fault) => {
            faults.push(*fault);
            None
        }
    };
    let mut out = Vec::new();
    for (key, entry) in table.into_iter().flatten() {
        let path = format!("{name}.{key}");
        let sound = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if key.is_empty() || key.len() > 80 || !key.chars().all(sound) || key == "world" {
            faults.push(Fault::new(
                entry.key,
                path,
                format!("`{key}` cannot be a name"),
                "use letters, digits, _ and -; `world` is taken",
            ));
        } else if let Some(table) = entry.node.table() {
            out.push((key.as_str(), entry, table));
        } else {
            faults.push(Fault::new(
                entry.key,
                path,
                format!("{} where a section is wanted", entry.node.kind()),
                format!("`{name}` holds sections: write [{name}.NAME] above its keys"),
            ));
        }
    }
    out
}

/// Calls `read` for a named section, once, or `repeat` times with `i` = 0, 1, … and `n`; the
/// names are then NAME-1, NAME-2, ….
pub(crate) fn repeated<T>(
    root: &Table,
    section: &str,
    scope: &Scope,
    faults: &mut Vec<Fault>,
    mut read: impl FnMut(&str, &Fields) -> Read<T>,
) -> Vec<T> {
    let mut out = Vec::new();
    for (name, entry, table) in named(root, section, faults) {
        if let Err(fault) = repeat(section, name, entry, table, scope, &mut read, &mut out) {
            faults.push(*fault);
        }
    }
    out
}

fn repeat<T>(
    section: &str,
    name: &str,
    entry: &Entry,
    table: &Table,
    scope: &Scope,
    read: &mut impl FnMut(&str, &Fields) -> Read<T>,
    out: &mut Vec<T>,
) -> Read<()> {
    let path = format!("{section}.{name}");
    let fields = Fields::new(table, &path, entry.key, scope);
    let Some(item) = fields.get("repeat") else {
        out.push(read(name, &fields)?);
        return fields.finish();
    };
    let n = item.count(1, MOST)?;
    for k in 0..n {
        let scope = scope.with(&[("i", k as f64), ("n", n as f64)], k);
        let fields = Fields::new(table, &path, entry.key, &scope);
        fields.get("repeat");
        out.push(read(&format!("{name}-{}", k + 1), &fields)?);
        fields.finish()?;
    }
    Ok(())
}

/// Where a section's header stands.
pub(crate) fn place_of(root: &Table, section: &str, name: &str) -> Option<Place> {
    let table = root.get(section)?.node.table()?;
    if let Some(entry) = table.get(name) {
        return Some(entry.key);
    }
    // A member of a group or repetition: NAME-3.
    let (base, _) = name.rsplit_once('-')?;
    table.get(base).map(|entry| entry.key)
}
