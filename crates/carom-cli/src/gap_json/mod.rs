//! Gap queries in JSON: text in, text out.
//!
//! Values are taken apart one level at a time as [`RawValue`] slices of the user's text. Every
//! error can therefore point at its line and column, nesting costs no stack, and numbers are
//! parsed by the standard library, correctly rounded.

mod reader;
mod writer;

use serde_json::value::RawValue;

use crate::input::{InputError, Source};
use carom::gap::{GapError, gap_of_points};
use reader::{Kind, Query, Reader, kind};
use writer::{Answer, write};

/// Answers one query with an object, a list of queries with a list in the same order.
///
/// ```
/// use carom_cli::{gap_json, input::Source};
/// let query = r#"{"a": [[0, 2], [1, 3], [-1, 3]], "b": [[0, 0.5], [1, -1], [-1, -1]]}"#;
/// let answer = gap_json::answer(&Source::new("query", query.into())?)?;
/// assert!(answer.contains(r#""gap": 1.5"#));
/// # Ok::<(), carom_cli::input::InputError>(())
/// ```
pub fn answer(source: &Source) -> Result<String, InputError> {
    let text = source.text();
    let root: &RawValue = serde_json::from_str(text).map_err(|e| source.syntax_error(&e))?;
    let reader = Reader { source };
    match kind(root) {
        Kind::Object => {
            let answer = reader.query(root, "")?.answer(source, "")?;
            Ok(write(&answer, "\n  ") + "\n")
        }
        Kind::List => {
            let mut lines = Vec::new();
            for (i, raw) in reader.list(root)?.into_iter().enumerate() {
                let place = format!("cases[{i}]");
                let answer = reader.query(raw, &place)?.answer(source, &place)?;
                lines.push(write(&answer, " "));
            }
            Ok(match lines.len() {
                0 => "[]\n".into(),
                _ => format!("[\n{}\n]\n", lines.join(",\n")),
            })
        }
        other => Err(source.error(
            root.get(),
            "",
            format!("a query was expected, found {other}"),
            "give one object {\"a\": [...], \"b\": [...]} or a list of such objects",
        )),
    }
}

impl<'a> Query<'a> {
    fn answer(self, source: &Source, place: &str) -> Result<Answer<'a>, InputError> {
        let planar = self.dimension == 2;
        let solved = gap_of_points(&self.a, &self.b, planar, self.beta);
        let result = solved.map_err(|error: GapError| {
            source.error(
                self.raw.get(),
                place,
                error.to_string(),
                "check the coordinates of this query",
            )
        })?;
        Ok(Answer {
            labels: self.labels,
            dimension: self.dimension,
            result,
        })
    }
}
