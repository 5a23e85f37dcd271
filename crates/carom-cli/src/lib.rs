//! The command line of carom as a library: what `carom` does, without the process around it.
//!
//! The binary only parses arguments and turns [`commands::Failure`] into a message and an exit
//! status. Everything that reads a user's text is a plain function here, so that tests and fuzz
//! targets call it directly.
//!
//! Exit status: 0 done, 1 the computation failed, 2 bad input.

pub mod commands;
pub mod gallery;
pub mod gap_json;
pub mod input;
pub mod serve;

use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  carom list                                  what there is to run
  carom run double-pendulum                   simulate an example; results in out/double-pendulum
  carom run mine.toml --set length=0.3        simulate a file of your own
  carom view out/double-pendulum              look at it in a browser
  carom figure out/double-pendulum            figures for a paper
  carom check mine.toml                       is it sound, and what does it hold?
  carom gap gallery/gap/stacked-cubes.json    how far apart are these bodies?
  carom gap - < queries.json                  the same, from a pipe

Exit status: 0 done, 1 the computation failed, 2 bad input.";

/// Simulates bodies that move and collide
#[derive(Debug, Parser)]
#[command(name = "carom", version, after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

/// What carom can be asked to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(commands::list::List),
    Run(commands::run::Run),
    Check(commands::check::Check),
    Gap(commands::gap::Gap),
    View(commands::view::View),
    Figure(commands::figure::Figure),
}

impl Command {
    /// Runs the command; results go to standard output.
    pub fn run(&self) -> Result<(), commands::Failure> {
        match self {
            Command::List(list) => list.run(),
            Command::Run(run) => run.run(),
            Command::Check(check) => check.run(),
            Command::Gap(gap) => gap.run(),
            Command::View(view) => view.run(),
            Command::Figure(figure) => figure.run(),
        }
    }
}
