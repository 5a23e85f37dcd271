//! The gallery's scenarios, embedded so that `carom run NAME` works anywhere, and how the argument
//! of `run` finds its scenario.

use std::path::{Path, PathBuf};

use carom::scenario::{Document, Options, Scenario, ScenarioError};
use carom::words::nearest;

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
                let near = nearest(base, GALLERY.iter().map(|(name, _)| *name));
                Err(InputError {
                    file: argument.into(),
                    line_column: None,
                    field: String::new(),
                    message: "there is no example of this name".into(),
                    help: match near {
                        Some(name) => format!("did you mean `{name}`?"),
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

    /// Takes its text apart. A file that names another scenario as `scenario = "…"` (an example, or a file
    /// beside it, with a variant after a colon) is laid over that one.
    pub fn document(&self, set: &[String]) -> Result<Document, crate::commands::Failure> {
        let options = Options {
            variant: self.variant.clone(),
            set: set.to_vec(),
            ..Options::default()
        };
        match &self.place {
            Place::Example(name, text) => {
                let options = Options {
                    name: Some((*name).into()),
                    ..options
                };
                let file = format!("{name}.toml");
                Ok(Document::parse(&file, text, &options, None)?)
            }
            Place::File(path) => {
                let base = match Document::base(path) {
                    None => None,
                    Some(name) => {
                        let folder = path.parent().unwrap_or(Path::new(""));
                        let beside = match Self::find(&name)? {
                            Self {
                                place: Place::File(file),
                                variant,
                            } => Self {
                                place: Place::File(folder.join(file)),
                                variant,
                            },
                            example => example,
                        };
                        if beside.place == self.place {
                            return Err(crate::commands::Failure::Input(InputError {
                                file: name,
                                line_column: None,
                                field: "scenario".into(),
                                message: "the file builds on itself".into(),
                                help: "name another scenario, or remove this line".into(),
                            }));
                        }
                        Some(beside.plain_document()?)
                    }
                };
                Ok(Document::read(path, &options, base)?)
            }
        }
    }

    /// The same for a scenario that builds on no other.
    fn plain_document(&self) -> Result<Document, ScenarioError> {
        let mut options = Options {
            variant: self.variant.clone(),
            ..Options::default()
        };
        match &self.place {
            Place::File(path) => Document::read(path, &options, None),
            Place::Example(name, text) => {
                options.name = Some((*name).into());
                Document::parse(&format!("{name}.toml"), text, &options, None)
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
