//! The gallery's scenarios, embedded so that `carom run NAME` works anywhere, and how the argument
//! of `run` finds its scenario.

use std::path::{Path, PathBuf};

use carom::scenario::{Options, Scenario, ScenarioError};

use crate::input::InputError;

/// Name and text of each example, in alphabetical order.
pub const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// Where a scenario comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// A file, or an example of the gallery.
    pub place: Place,
    /// The variant asked for.
    pub variant: Option<String>,
}

/// A file, or an example of the gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Path of a file.
    File(PathBuf),
    /// Name and text of an example.
    Example(&'static str, &'static str),
}

impl Target {
    /// Finds what `NAME[:VARIANT]` or `FILE[:VARIANT]` means. Files are known by their ending or
    /// by a slash; everything else is the name of an example.
    pub fn find(argument: &str) -> Result<Self, InputError> {
        let is_file = |text: &str| text.ends_with(".toml") || text.contains(['/', '\\']);
        let (base, variant) = match argument.rsplit_once(':') {
            Some((base, variant))
                if !Path::new(argument).exists() && !variant.contains(['/', '\\']) =>
            {
                (base, Some(variant.to_string()))
            }
            _ => (argument, None),
        };
        if is_file(base) || Path::new(argument).is_file() {
            return Ok(Self {
                place: Place::File(base.into()),
                variant,
            });
        }
        match GALLERY.iter().find(|(name, _)| *name == base) {
            Some((name, text)) => Ok(Self {
                place: Place::Example(name, text),
                variant,
            }),
            None => {
                let nearest = GALLERY
                    .iter()
                    .map(|(name, _)| (strsim::damerau_levenshtein(base, name), *name))
                    .min()
                    .filter(|(distance, _)| *distance <= 1 + base.chars().count() / 3);
                Err(InputError {
                    file: argument.into(),
                    line_column: None,
                    field: String::new(),
                    message: "there is no example of this name".into(),
                    help: match nearest {
                        Some((_, name)) => format!("did you mean `{name}`?"),
                        None => "`carom list` shows them; files end in .toml".into(),
                    },
                })
            }
        }
    }

    /// Reads it, with `--set` values applied.
    pub fn read(&self, set: &[String]) -> Result<Scenario, ScenarioError> {
        let mut options = Options {
            variant: self.variant.clone(),
            set: set.to_vec(),
            ..Options::default()
        };
        match &self.place {
            Place::File(path) => Scenario::read(path, &options),
            Place::Example(name, text) => {
                options.name = Some((*name).into());
                Scenario::parse_with(&format!("{name}.toml"), text, &options)
            }
        }
    }

    /// The usual output folder: `out/NAME` or `out/NAME-VARIANT`.
    pub fn folder(&self) -> PathBuf {
        let name = match &self.place {
            Place::Example(name, _) => (*name).to_string(),
            Place::File(path) => path.file_stem().map_or("scenario".into(), |stem| {
                stem.to_string_lossy().into_owned()
            }),
        };
        let name = match &self.variant {
            Some(variant) => format!("{name}-{variant}"),
            None => name,
        };
        Path::new("out").join(name)
    }
}
