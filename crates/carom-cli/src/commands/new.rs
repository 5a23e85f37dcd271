//! `carom new`: writes a commented scenario to begin with.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Failure, print};
use crate::input::InputError;

const DETAILS: &str = "\
Starters:
  bounce   a box falls onto a floor, bounces and comes to rest
  arm      an arm with driven joints hits a post
  plan     a cart finds its way round a post by optimal control

Examples:
  carom new bounce                  writes bounce.toml
  carom new mine --starter arm      writes mine.toml";

/// Writes a commented scenario file to begin with
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct New {
    /// Name of the file, with or without .toml; the name of a starter chooses that starter
    pub name: String,
    /// What to begin with [default: bounce]
    #[arg(long, value_enum)]
    pub starter: Option<Starter>,
}

/// What there is to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Starter {
    /// A box falls onto a floor, bounces and comes to rest
    Bounce,
    /// An arm with driven joints hits a post
    Arm,
    /// A cart finds its way round a post by optimal control
    Plan,
}

impl Starter {
    /// The scenario.
    pub fn text(self) -> &'static str {
        match self {
            Starter::Bounce => include_str!("../../starters/bounce.toml"),
            Starter::Arm => include_str!("../../starters/arm.toml"),
            Starter::Plan => include_str!("../../starters/plan.toml"),
        }
    }
}

impl New {
    /// Writes the file, unless there is one of that name.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let base = self.name.strip_suffix(".toml").unwrap_or(&self.name);
        let path = PathBuf::from(format!("{base}.toml"));
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let named = Starter::from_str(&name, false).ok();
        let starter = self.starter.or(named).unwrap_or(Starter::Bounce);
        let text = starter.text().replace("NAME.toml", &format!("{base}.toml"));
        let text = text.replace("out/NAME", &format!("out/{name}"));
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| InputError {
            file: path.display().to_string(),
            line_column: None,
            field: String::new(),
            message: match error.kind() {
                ErrorKind::AlreadyExists => "this file exists already".into(),
                _ => format!("cannot be written: {error}"),
            },
            help: "choose another name; existing files are left alone".into(),
        })?;
        match quiet {
            true => Ok(()),
            false => print(&format!(
                "wrote {path}\n  carom run {path}\n",
                path = path.display()
            )),
        }
    }
}
