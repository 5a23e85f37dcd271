//! Tables from files: `{ csv = "shake.csv", t = "time", value = ["x", "y"] }` becomes the table
//! `{ t = […], value = […] }` wherever it stands, so that what was run is complete in itself.

use std::path::Path;

use super::error::{Fault, suggestion};
use super::fields::{Read, join};
use super::source::Place;
use super::tree::{Entry, Node, Table, Value};

/// Most numbers read from one file.
const MOST: usize = 2_000_000;

/// Puts the numbers of files in the place of their names.
pub(super) fn expand(root: &mut Table, folder: &Path) -> Read<()> {
    tables(root, "", folder)
}

fn tables(table: &mut Table, path: &str, folder: &Path) -> Read<()> {
    if table.contains_key("csv") {
        return read(table, path, folder);
    }
    for (key, entry) in table {
        let path = join(path, key);
        within(&mut entry.node, &path, folder)?;
    }
    Ok(())
}

fn within(node: &mut Node, path: &str, folder: &Path) -> Read<()> {
    match &mut node.value {
        Value::Table(inner) => tables(inner, path, folder),
        Value::List(items) => (items.iter_mut().enumerate())
            .try_for_each(|(k, item)| within(item, &format!("{path}[{k}]"), folder)),
        _ => Ok(()),
    }
}

/// Reads the file that a table names, and leaves its numbers in the table.
fn read(table: &mut Table, path: &str, folder: &Path) -> Read<()> {
    let fault = |key: &str, message: String, fix: &str| {
        let place = table.get(key).map(|e| e.node.place).unwrap_or_default();
        Box::new(Fault::new(place, join(path, key), message, fix))
    };
    let text = |entry: Option<&Entry>| match entry.map(|e| &e.node.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let form = "write { csv = \"shake.csv\", t = \"time\", value = [\"x\", \"y\", \"z\"] }, names of columns";
    if let Some((key, _)) =
        (table.iter()).find(|(k, _)| !["csv", "t", "value"].contains(&k.as_str()))
    {
        return Err(fault(key, format!("unknown key `{key}`"), form));
    }
    let file =
        text(table.get("csv")).ok_or_else(|| fault("csv", "is not a file name".into(), form))?;
    let time = match table.get("t") {
        None => None,
        given => Some(text(given).ok_or_else(|| fault("t", "is not a column name".into(), form))?),
    };
    let values: Vec<String> = match table.get("value").map(|e| &e.node.value) {
        Some(Value::Text(name)) => vec![name.clone()],
        Some(Value::List(items)) => {
            let names = items.iter().map(|item| match &item.value {
                Value::Text(name) => Ok(name.clone()),
                _ => Err(fault(
                    "value",
                    "holds something that is not a name".into(),
                    form,
                )),
            });
            names.collect::<Read<_>>()?
        }
        Some(_) => return Err(fault("value", "names no column".into(), form)),
        None => Vec::new(),
    };
    let listed = matches!(
        table.get("value").map(|e| &e.node.value),
        Some(Value::List(_))
    );
    let content = std::fs::read_to_string(folder.join(&file)).map_err(|error| {
        let fix = "the path is relative to the scenario file";
        fault("csv", format!("`{file}` cannot be read: {error}"), fix)
    })?;
    let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
    let mut lines = (content.lines().enumerate())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let Some((_, header)) = lines.next() else {
        let fix = "its first line names the columns";
        return Err(fault("csv", format!("`{file}` is empty"), fix));
    };
    let cells = |line: &str| -> Vec<String> {
        let cells = line.split([',', ';']);
        cells.map(|c| c.trim().trim_matches('"').into()).collect()
    };
    let header = cells(header);
    let column = |key: &str, name: &str| {
        (header.iter().position(|h| h == name)).ok_or_else(|| {
            let fix = suggestion(name, header.iter().map(String::as_str));
            fault(key, format!("`{file}` has no column `{name}`"), &fix)
        })
    };
    // Without names: the first column is time, all others are values.
    let time = time.map_or(Ok(0), |name| column("t", &name))?;
    let chosen: Vec<usize> = match values.is_empty() {
        true => (0..header.len()).filter(|k| *k != time).collect(),
        false => (values.iter().map(|name| column("value", name))).collect::<Read<_>>()?,
    };
    let place = table["csv"].node.place;
    let number = |value: f64| Node {
        value: Value::Number(value),
        place,
    };
    let (mut times, mut rows) = (Vec::new(), Vec::new());
    for (at, line) in lines {
        let cells = cells(line);
        let value = |k: usize| -> Read<f64> {
            let cell = cells.get(k).map_or("", String::as_str);
            let parsed = cell.parse::<f64>().ok().filter(|x| x.is_finite());
            parsed.ok_or_else(|| {
                let message = format!("line {} of `{file}`: `{cell}` is no number", at + 1);
                fault(
                    "csv",
                    message,
                    "every row has a number in each of the columns",
                )
            })
        };
        times.push(number(value(time)?));
        let row = (chosen.iter().map(|k| value(*k))).collect::<Read<Vec<f64>>>()?;
        rows.push(match (listed || row.len() > 1, row.as_slice()) {
            (false, [one]) => number(*one),
            _ => Node {
                value: Value::List(row.into_iter().map(number).collect()),
                place,
            },
        });
        if times.len() * (1 + chosen.len()) > MOST {
            let message = format!("`{file}` has more than {MOST} numbers");
            return Err(fault(
                "csv",
                message,
                "leave rows out; between them the table is linear",
            ));
        }
    }
    let list = |items: Vec<Node>| Entry {
        key: Place::default(),
        node: Node {
            value: Value::List(items),
            place,
        },
    };
    table.clear();
    table.insert("t".into(), list(times));
    table.insert("value".into(), list(rows));
    Ok(())
}
