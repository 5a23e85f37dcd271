//! A user's text, and errors that point into it.

use std::fmt;
use std::io::{self, Read};

/// Text to be read, with the name messages give it.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// Text that is already in memory.
    ///
    /// ```
    /// use carom_cli::input::Source;
    /// let source = Source::new("queries.json", "[]".as_bytes().to_vec())?;
    /// assert_eq!(source.text(), "[]");
    /// # Ok::<(), carom_cli::input::InputError>(())
    /// ```
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<Self, InputError> {
        let text = String::from_utf8(bytes).map_err(|error| InputError {
            file: name.into(),
            line_column: None,
            field: String::new(),
            message: format!("not UTF-8 text (byte {})", error.utf8_error().valid_up_to()),
            help: "save the file as UTF-8".into(),
        })?;
        Ok(Self {
            name: name.into(),
            text,
        })
    }

    /// The contents of a file, or of standard input for `-`.
    pub fn read(path: &str) -> Result<Self, InputError> {
        let name = if path == "-" { "<stdin>" } else { path };
        let mut bytes = Vec::new();
        let outcome = match path {
            "-" => io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes),
            _ => std::fs::read(path),
        };
        let bytes = outcome.map_err(|error| InputError {
            file: name.into(),
            line_column: None,
            field: String::new(),
            message: format!("cannot be read: {error}"),
            help: "check the path and its permissions, or use - for standard input".into(),
        })?;
        Self::new(name, bytes)
    }

    /// The text, without a byte order mark.
    pub fn text(&self) -> &str {
        self.text.strip_prefix('\u{feff}').unwrap_or(&self.text)
    }

    /// An error at a part of [`Source::text`], or about all of it where `part` is none of its.
    pub(crate) fn error(
        &self,
        part: &str,
        field: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> InputError {
        // The part is borrowed from the text, so its address tells where it stands.
        let start = (part.as_ptr() as usize).wrapping_sub(self.text().as_ptr() as usize);
        InputError {
            file: self.name.clone(),
            line_column: self.text().get(..start).map(|before| {
                let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
                (
                    before.matches('\n').count() + 1,
                    before[line_start..].chars().count() + 1,
                )
            }),
            field: field.into(),
            message: message.into(),
            help: help.into(),
        }
    }

    /// What the JSON parser found wrong.
    pub(crate) fn syntax_error(&self, error: &serde_json::Error) -> InputError {
        if self.text().trim().is_empty() {
            return InputError {
                file: self.name.clone(),
                line_column: None,
                field: String::new(),
                message: "not valid JSON: there is no text".into(),
                help: "give one query or a list of queries; --help describes them".into(),
            };
        }
        InputError {
            file: self.name.clone(),
            line_column: Some((error.line(), error.column())),
            field: String::new(),
            message: format!("not valid JSON: {}", parser_message(error)),
            help: if error.is_eof() {
                "the text ends too early: look for a missing bracket, brace or quote".into()
            } else {
                "JSON wants \"double quotes\" around keys, commas between items and none after \
                 the last, and finite decimal numbers (no NaN, no Infinity)"
                    .into()
            },
        }
    }
}

/// The parser's words without its " at line … column …": our messages begin with the place.
pub(crate) fn parser_message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).into()
}

/// Bad input: where it is, what is wrong with it and how to help it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct InputError {
    /// File name, or `<stdin>`.
    pub file: String,
    /// Line and column, both counted from one, where there is a place to point at.
    pub line_column: Option<(usize, usize)>,
    /// Path to the value, such as `cases[3].a[2]`; empty where no value is concerned.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.line_column {
            write!(f, ":{line}:{column}")?;
        }
        if !self.field.is_empty() {
            write!(f, ": {}", self.field)?;
        }
        write!(f, ": {}\n  help: {}", self.message, self.help)
    }
}
