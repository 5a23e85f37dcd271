//! What is wrong with a text that is no TOML: parsers stop where they can go on no longer, which is often
//! a line below the fault.

use std::ops::Range;

const FORM: &str = "write `key = value` lines below `[section.name]` headers; text goes in \"quotes\", \
                    lists in [brackets]";

/// Where the fault is, what it is and what to do about it, for an error that the parser found at a place.
pub(super) fn explain(text: &str, at: usize, message: &str) -> (Range<usize>, String, String) {
    if message.contains("duplicate key") {
        return twice(text, at);
    }
    let line = text[..at].rfind('\n').map_or(0, |n| n + 1);
    if let Some(open) = unclosed(&text[..at]).filter(|open| *open < line) {
        let (bracket, close) = match &text[open..=open] {
            "{" => ("{", "}"),
            _ => ("[", "]"),
        };
        let message = format!("`{bracket}` is not closed");
        let help =
            format!("write the missing `{close}`, or the missing comma, before the next line");
        return (open..open + 1, message, help);
    }
    // `key =` and nothing more.
    let whole = text[line..].lines().next().unwrap_or_default();
    let bare = whole.split('#').next().unwrap_or_default().trim_end();
    if let Some(key) = bare
        .strip_suffix('=')
        .filter(|key| !key.contains(['=', '"', '[', '{']))
    {
        let end = line + bare.len();
        let message = format!("`{}` has no value", key.trim());
        let help = "write a value after the =, or take the line out";
        return (end - 1..end, message, help.into());
    }
    (at..at, message.into(), FORM.into())
}

/// The last bracket or brace that is open at the end of a text; those of headers do not count.
fn unclosed(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut quote: Option<char> = None;
    let mut comment = false;
    let mut escaped = false;
    for (k, c) in text.char_indices() {
        match (quote, c) {
            (_, '\n') => {
                comment = false;
                quote = None;
            }
            _ if comment => {}
            (Some('"'), _) if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => comment = true,
            (None, '[' | '{') => open.push(k),
            (None, ']' | '}') => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// A key that was given before.
fn twice(text: &str, at: usize) -> (Range<usize>, String, String) {
    let line_of = |k: usize| text[..k].matches('\n').count() + 1;
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let line = text[start..].lines().next().unwrap_or_default().trim();
    let key = line.split('=').next().unwrap_or_default().trim();
    let mut before = 0;
    let mut first = None;
    for other in text[..start].split_inclusive('\n') {
        if other.split('=').next().unwrap_or_default().trim() == key {
            first = Some(line_of(before));
        }
        before += other.len();
    }
    let message = match first {
        Some(line) => format!("`{key}` is given twice, first in line {line}"),
        None => format!("`{key}` is given twice"),
    };
    let help = "take one of them out, or give it another name";
    (at..at, message, help.into())
}

#[cfg(test)]
mod tests {
    use crate::scenario::Scenario;

    #[test]
    fn the_fault_is_told_where_it_is() {
        for (text, place, words) in [
            (
                "[body.a]\nshape = { cube = 0.2\nmass = 1\n",
                ":2:9:",
                "`{` is not closed",
            ),
            (
                "[body.a]\nposition = [0, 0 # here\nmass = 1\n",
                ":2:12:",
                "`[` is not closed",
            ),
            (
                "[body.a]\ndensity = \nmass = 1\n",
                ":2:9:",
                "`density` has no value",
            ),
            (
                "[body.a]\nmass = 1\n\n[body.a]\n",
                ":4:",
                "`[body.a]` is given twice, first in line 1",
            ),
            (
                "[body.a]\nmass = 1\nmass = 2\n",
                ":3:",
                "`mass` is given twice, first in line 2",
            ),
            ("title = \"a [b\n", ":1:", "basic string"),
            ("[body.a\nmass = 1\n", ":1:", "unclosed table"),
            (
                "[body.a]\nname = \"a [\" # {\nmass 1\n",
                ":3:",
                "not valid TOML",
            ),
        ] {
            let error = Scenario::parse("x.toml", text).unwrap_err().to_string();
            assert!(
                error.contains(place) && error.contains(words),
                "{text}{error}"
            );
        }
    }
}
