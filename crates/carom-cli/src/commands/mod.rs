//! One file per command, and what they share: failures and writing to standard output.

pub mod check;
pub mod completions;
pub mod export;
pub mod figure;
pub mod gap;
pub mod list;
pub mod new;
mod plan;
mod progress;
pub mod run;
pub mod show;
pub mod sweep;
pub mod track;
pub mod view;

use std::io::{self, ErrorKind, Write};

use carom::optimise::{self, Guess, Problem};
use carom::record::{ExportError, FolderError};
use carom::report::ReadError;
use carom::run::RunError;
use carom::scenario::ScenarioError;
use carom::simulate::SimulateError;
use clap::builder::styling::AnsiColor;

use crate::input::InputError;

/// Why a command did not finish.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The user's input is at fault.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The scenario is at fault.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The output folder or the checkpoint cannot be used.
    #[error(transparent)]
    Folder(RunError),
    /// A step failed; what was computed is written.
    #[error("the run failed: {}\n  help: {}", .0.reason(), .0.fix())]
    Run(SimulateError),
    /// A plan was not found; the last iterate is written.
    #[error("no plan: {0}")]
    Plan(String),
    /// The user stopped the run.
    #[error("stopped after {steps} of {of} steps; go on with --resume")]
    Interrupted {
        /// Steps made.
        steps: u64,
        /// Steps to make.
        of: u64,
    },
    /// The user stopped the sweep.
    #[error("stopped after {runs} of {of} runs; the same command goes on")]
    SweepInterrupted {
        /// Runs made.
        runs: u64,
        /// Runs to make.
        of: u64,
    },
    /// The rows of a sweep cannot be used.
    #[error("{path}: {reason}\n  help: {help}")]
    Sweep {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
        /// What to do.
        help: &'static str,
    },
    /// There is no report to show.
    #[error(transparent)]
    Report(#[from] ReadError),
    /// There are no frames to export.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The port is taken or not allowed.
    #[error(
        "cannot listen on port {port}: {source}\n  help: choose another --port, or none for a free one"
    )]
    Listen {
        /// The port asked for.
        port: u16,
        /// What the system said.
        source: io::Error,
    },
    /// Results could not be written.
    #[error("cannot write the results: {0}")]
    Output(#[source] io::Error),
}

impl Failure {
    /// The status the process ends with.
    pub fn exit_status(&self) -> u8 {
        match self {
            Failure::Input(_)
            | Failure::Scenario(_)
            | Failure::Report(_)
            | Failure::Export(_)
            | Failure::Sweep { .. } => 2,
            // A folder that is not ours or a checkpoint of another scenario: the user's choice.
            Failure::Folder(RunError::Folder(FolderError::Io { .. })) => 1,
            Failure::Folder(_) => 2,
            Failure::Run(_)
            | Failure::Plan(_)
            | Failure::Interrupted { .. }
            | Failure::SweepInterrupted { .. }
            | Failure::Listen { .. }
            | Failure::Output(_) => 1,
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scenario(error) => Failure::Scenario(error),
            other => Failure::Folder(other),
        }
    }
}

impl From<FolderError> for Failure {
    fn from(error: FolderError) -> Self {
        Failure::Folder(RunError::Folder(error))
    }
}

/// Tells the user what to know before a run, on standard error.
fn warn(warnings: &[String]) {
    let yellow = AnsiColor::Yellow.on_default().bold();
    for warning in warnings {
        let _ = writeln!(anstream::stderr(), "{yellow}warning:{yellow:#} {warning}");
    }
}

/// Writes `text` to standard output. A reader that went away (`carom … | head`) is no failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// A summary as JSON, with the folder it was written to.
fn as_json(summary: &impl serde::Serialize, folder: &std::path::Path) -> String {
    let mut value = serde_json::to_value(summary).unwrap_or_default();
    value["folder"] = folder.display().to_string().into();
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// The ledger as lines of three columns.
fn ledger(lines: &[carom::record::Line]) -> String {
    let line = |l: &carom::record::Line| {
        let text = format!("  {:<31}  {:<22}  {}", l.what, l.value, l.remark);
        text.trim_end().to_string() + "\n"
    };
    lines.iter().map(line).collect()
}

/// A length to two digits.
fn rounded(length: f64) -> f64 {
    format!("{length:.1e}").parse().unwrap_or(length)
}

/// Tells the user that a guess leads through what the plan avoids, before the plan is searched for.
fn warn_of_guess(problem: &Problem, guess: &Guess) {
    let overlaps = optimise::guess_overlaps(problem, guess);
    let shown = overlaps.iter().take(3).map(|o| {
        let ([a, b], [first, last]) = (&o.names, o.nodes);
        let nodes = match first == last {
            true => format!("at node {first}"),
            false => format!("from node {first} to {last}"),
        };
        format!(
            "the guess leads {a} through {b} {nodes} (by {} m at node {}); if no plan is found, give it a \
             way-point: guess = {{ ways = [{{ node = {}, bodies.{a} = {{ position = [x, y, z] }} }}] }} under \
             [optimise], or joints.NAME = angle in place of bodies",
            rounded(o.depth),
            o.worst,
            o.worst
        )
    });
    warn(&shown.collect::<Vec<_>>());
}
