//! The texts a scenario is read from (the file, `--set` arguments) and places in them.

use std::sync::Arc;

/// A stretch of one of the texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Which text.
    pub source: u32,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// A text and the name messages give it.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, or `--set`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// All texts of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Arc<Source>>);

impl Sources {
    /// Adds a text; returns its number.
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        self.0.push(Arc::new(Source {
            name: name.into(),
            text: text.into(),
        }));
        self.0.len() as u32 - 1
    }

    /// The text of that number.
    pub fn get(&self, source: u32) -> Option<&Source> {
        self.0.get(source as usize).map(Arc::as_ref)
    }

    /// The characters at a place.
    pub fn slice(&self, place: Place) -> Option<&str> {
        let text = &self.get(place.source)?.text;
        text.get(place.start as usize..place.end as usize)
    }

    /// Line and column of a place, both counted from one.
    pub fn line_column(&self, place: Place) -> Option<(usize, usize)> {
        let text = &self.get(place.source)?.text;
        let before = text.get(..place.start as usize)?;
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Some((
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        ))
    }

    /// The line a place begins on, with a line of carets below it.
    pub fn excerpt(&self, place: Place) -> Option<String> {
        const WIDTH: usize = 96;
        let text = &self.get(place.source)?.text;
        let (line, column) = self.line_column(place)?;
        let characters: Vec<char> = text.split('\n').nth(line - 1)?.chars().collect();
        let length = text
            .get(place.start as usize..place.end as usize)?
            .chars()
            .take_while(|c| *c != '\n')
            .count();
        // Long lines are cut around the culprit.
        let first = (column - 1).saturating_sub(WIDTH / 2);
        let first = if characters.len() <= WIDTH { 0 } else { first };
        let shown: String = characters
            .iter()
            .skip(first)
            .take(WIDTH)
            .map(|c| if c.is_control() { ' ' } else { *c })
            .collect();
        let indent = column - 1 - first;
        let carets = length.clamp(1, WIDTH.saturating_sub(indent).max(1));
        let number = line.to_string();
        Some(format!(
            "  {number} | {}\n  {} | {}{}",
            shown.trim_end(),
            " ".repeat(number.len()),
            " ".repeat(indent),
            "^".repeat(carets)
        ))
    }
}
