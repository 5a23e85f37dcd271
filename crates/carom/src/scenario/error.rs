//! What is wrong with a scenario: where, what, and the fix.
//!
//! Messages are rendered here in a few lines of our own rather than by a diagnostics crate: the
//! form is the same as for all other input (`file:line:column: field: message`), it is plain text
//! that tests can look at, and it adds nothing to the tree of dependencies.

use std::collections::HashSet;
use std::fmt;

use super::source::{Place, Sources};
use crate::words::nearest;

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where; `None` for faults of the scenario as a whole.
    pub place: Option<Place>,
    /// Path of the value, such as `body.first.shape`.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub fix: String,
}

impl Fault {
    /// A fault at a place.
    pub fn new(
        place: Place,
        field: impl Into<String>,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            place: Some(place),
            field: field.into(),
            message: message.into(),
            fix: fix.into(),
        }
    }
}

/// Why a scenario was refused: one or more faults, with the texts they point into.
#[derive(Clone, Debug)]
pub struct ScenarioError {
    /// Name of the scenario's file.
    pub file: String,
    /// The faults, in the order they were found; never empty.
    pub faults: Vec<Fault>,
    pub(crate) sources: Sources,
}

impl ScenarioError {
    pub(crate) fn new(file: &str, sources: &Sources, mut faults: Vec<Fault>) -> Self {
        // A mistake in a template would be found again in every body made from it.
        let mut told = HashSet::new();
        faults.retain(|f| f.place.is_none() || told.insert((f.place, f.message.clone())));
        Self {
            file: file.into(),
            faults,
            sources: sources.clone(),
        }
    }

    /// A fault without a place.
    pub(crate) fn plain(file: &str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        let fault = Fault {
            place: None,
            field: String::new(),
            message: message.into(),
            fix: fix.into(),
        };
        Self::new(file, &Sources::default(), vec![fault])
    }

    /// Line and column of the first fault.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.sources.line_column(self.faults.first()?.place?)
    }

    fn fault(&self, f: &mut fmt::Formatter<'_>, fault: &Fault) -> fmt::Result {
        let at = fault.place.and_then(|p| self.sources.line_column(p));
        let source = fault.place.and_then(|p| self.sources.get(p.source));
        match source {
            // An argument is named together with the file it was meant for.
            Some(source) if source.name != self.file => {
                write!(f, "{}: {}", self.file, source.name)?;
            }
            _ => write!(f, "{}", self.file)?,
        }
        if let Some((line, column)) = at {
            write!(f, ":{line}:{column}")?;
        }
        if !fault.field.is_empty() {
            write!(f, ": {}", fault.field)?;
        }
        write!(f, ": {}", fault.message)?;
        if let Some(excerpt) = fault.place.and_then(|p| self.sources.excerpt(p)) {
            write!(f, "\n{excerpt}")?;
        }
        write!(f, "\n  help: {}", fault.fix)
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for (k, fault) in self.faults.iter().take(SHOWN).enumerate() {
            if k > 0 {
                write!(f, "\nerror: ")?;
            }
            self.fault(f, fault)?;
        }
        match self.faults.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

impl std::error::Error for ScenarioError {}

/// What others call the keys of a scenario file.
const OTHER_WORDS: [(&str, &str); 28] = [
    ("anchor", "at"),
    ("anchor", "anchors"),
    ("at", "point"),
    ("at", "position"),
    ("ball", "sphere"),
    ("bodies", "between"),
    ("colour", "color"),
    ("contact", "law"),
    ("cuboid", "box"),
    ("damping", "coefficient"),
    ("dt", "step"),
    ("elasticity", "restitution"),
    ("length", "height"),
    ("length", "rest_length"),
    ("limit", "limits"),
    ("mu", "friction"),
    ("omega", "angular_velocity"),
    ("orientation", "rotation"),
    ("origin", "at"),
    ("origin", "position"),
    ("pose", "position"),
    ("range", "bounds"),
    ("range", "limits"),
    ("time", "duration"),
    ("time_step", "step"),
    ("timestep", "step"),
    ("type", "kind"),
    ("velocity", "rate"),
];

/// Keys that are looked for in other sections than theirs.
const ELSEWHERE: [(&str, &str); 6] = [
    ("duration", "[simulate]"),
    ("friction", "[contact]"),
    ("gravity", "the top of the file, before all sections"),
    ("law", "[simulate]"),
    ("restitution", "[contact]"),
    ("step", "[simulate]"),
];

/// The known word that another one stands for, or is misspelt.
fn meant<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let words = OTHER_WORDS.iter().filter(|(other, _)| *other == word);
    let mut same = words.filter_map(|(_, own)| known.iter().find(|k| *k == own).copied());
    same.next().or_else(|| nearest(word, known.iter().copied()))
}

/// What to write instead of a key that a section does not know.
pub(crate) fn key_suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match ELSEWHERE.iter().find(|(key, _)| *key == word) {
        Some((_, place)) => format!("write `{word}` in {place}"),
        None => suggestion(word, known),
    }
}

/// `did you mean …?`, or the list of what is possible.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    known.dedup();
    // A short list is a help to those who do not know the words, too.
    let list = || known.join(", ");
    match meant(word, &known) {
        Some(best) if (2..=8).contains(&known.len()) => {
            format!("did you mean `{best}`? Choose from {}", list())
        }
        Some(best) => format!("did you mean `{best}`?"),
        None if known.is_empty() => "there are none".into(),
        None if known.len() <= 40 => format!("choose from {}", list()),
        None => "check the spelling".into(),
    }
}
