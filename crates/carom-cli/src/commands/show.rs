//! `carom show`: prints a scenario.

use clap::Args;

use super::{Failure, print};
use crate::gallery::{Place, Target};

const DETAILS: &str = "\
The text is that of the example's file, with its comments: a good start for a file of your own. With a
variant or --set, or with --complete, the scenario is printed as it would run: every default written
out, expressions evaluated.

Examples:
  carom show falling-cube > mine.toml
  carom show falling-cube:tilted";

/// Prints the scenario file of an example, with its comments
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Show {
    /// Example with its variant after a colon, or a scenario file
    #[arg(value_name = "NAME[:VARIANT]|FILE")]
    pub scenario: String,
    /// Overrides a parameter or any key, such as --set simulate.step=0.001
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Everything written out, as it would run
    #[arg(long)]
    pub complete: bool,
}

impl Show {
    /// Prints the text.
    pub fn run(&self) -> Result<(), Failure> {
        let target = Target::find(&self.scenario)?;
        let as_written = target.variant.is_none() && self.set.is_empty() && !self.complete;
        let scenario = target.read(&self.set)?;
        match &target.place {
            Place::Example(_, text) if as_written => print(text),
            Place::File(path) if as_written => {
                let source = crate::input::Source::read(&path.to_string_lossy())?;
                print(source.text())
            }
            _ => print(&scenario.to_toml(&|written| written.to_string())),
        }
    }
}
