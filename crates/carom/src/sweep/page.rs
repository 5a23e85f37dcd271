//! `sweep.html`: one self-contained page that draws the table.

use super::Table;
use serde_json::json;

const PAGE: &str = include_str!("page.html");

/// The page of a sweep. `kept` are runs whose folders are kept as `runs/NUMBER`; `again` is the command that
/// makes a run again, with `RUN` in place of its number.
pub fn page(title: &str, table: &Table, kept: &[u64], again: &str) -> String {
    let numbers: Vec<bool> = (0..table.names.len())
        .map(|k| {
            let mut cells = table.rows.iter().map(|r| r[k].as_str());
            cells.all(|c| c.is_empty() || c.parse::<f64>().is_ok())
        })
        .collect();
    let rows: Vec<Vec<serde_json::Value>> = (table.rows.iter())
        .map(|row| {
            let cell = |(k, cell): (usize, &String)| match (numbers[k], cell.parse::<f64>()) {
                _ if cell.is_empty() => serde_json::Value::Null,
                (true, Ok(number)) => json!(number),
                _ => json!(cell),
            };
            row.iter().enumerate().map(cell).collect()
        })
        .collect();
    let data = json!({
        "title": title,
        "names": table.names,
        "axes": table.axes,
        "measures": table.measures,
        "rows": rows,
        "kept": kept,
        "again": again,
    });
    // `<` does not occur in the data, so that no name can end the element.
    let data = data.to_string().replace('<', "\\u003c");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    PAGE.replacen("{{title}}", &title, 1)
        .replacen("{{data}}", &data, 1)
}
