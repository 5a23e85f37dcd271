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
mod version;

use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Examples:
  carom list                                  what there is to run
  carom run falling-polyhedra                 simulate an example; results in out/falling-polyhedra
  carom view out/falling-polyhedra            look at it in a browser
  carom show falling-polyhedra                the scenario file of an example
  carom new mine --starter arm                a commented file of your own, mine.toml
  carom run mine.toml --set length=0.3        simulate a file of your own
  carom track out/satellites                   follow a plan by feedback, also when disturbed
  carom figure out/falling-polyhedra           figures for a paper
  carom check mine.toml                       is it sound, and what does it hold?
  carom gap gallery/gap/stacked-cubes.json    how far apart are these bodies?
  carom gap - < queries.json                  the same, from a pipe

Exit status: 0 done, 1 the computation failed, 2 bad input.";

/// Simulates and plans the motion of bodies that collide
#[derive(Debug, Parser)]
#[command(name = "carom", after_help = EXAMPLES, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Prints nothing but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Prints the version; with --verbose, facts about build and machine
    #[arg(long, short = 'V')]
    pub version: bool,
    /// With --version: facts about build and machine, for bug reports
    #[arg(long, requires = "version")]
    pub verbose: bool,
}

impl Arguments {
    /// Does what they ask for; results go to standard output.
    pub fn run(&self) -> Result<(), commands::Failure> {
        match &self.command {
            _ if self.version => commands::print(&version::text(self.verbose)),
            Some(command) => command.run(self.quiet),
            None => {
                let help = <Self as clap::CommandFactory>::command().render_help();
                commands::print(&help.to_string())
            }
        }
    }
}

/// What carom can be asked to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(commands::list::List),
    Show(commands::show::Show),
    New(commands::new::New),
    Check(commands::check::Check),
    Run(commands::run::Run),
    Track(commands::track::Track),
    Sweep(commands::sweep::Sweep),
    View(commands::view::View),
    Figure(commands::figure::Figure),
    Export(commands::export::Export),
    Gap(commands::gap::Gap),
    Completions(commands::completions::Completions),
}

impl Command {
    /// Runs the command; results go to standard output. With `quiet`, only what was asked for is
    /// printed, and errors.
    pub fn run(&self, quiet: bool) -> Result<(), commands::Failure> {
        match self {
            Command::List(list) => list.run(),
            Command::Show(show) => show.run(),
            Command::New(new) => new.run(quiet),
            Command::Check(check) => check.run(quiet),
            Command::Run(run) => run.run(quiet),
            Command::Track(track) => track.run(quiet),
            Command::Sweep(sweep) => sweep.run(quiet),
            Command::View(view) => view.run(),
            Command::Figure(figure) => figure.run(quiet),
            Command::Export(export) => export.run(quiet),
            Command::Gap(gap) => gap.run(),
            Command::Completions(completions) => completions.run(),
        }
    }
}
