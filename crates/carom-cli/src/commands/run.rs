//! `carom run`: simulates or plans a scenario and writes the results.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carom::record::{Folder, Status};
use carom::run::{self, Observer, Outcome};
use carom::scenario::Scenario;
use carom::words::counted;
use clap::Args;

use super::progress::Shown;
use super::{Failure, plan, print, warn, warn_of_guess};
use crate::gallery::Target;

const DETAILS: &str = "\
Results go to DIR: summary.json (the end and the ledger), trajectory.csv and trajectory.npy (the
recorded frames), contacts.csv, report.html (open it in a browser), motion.glb (for 3D programs) and
scenario.toml (what was run, complete). Files of that name that carom did not write are left alone: the
run is refused. Other files in DIR do not matter.

A scenario with [optimise] is planned: the plan is replayed by the simulator, and controls.csv,
guess.csv and plan.json are written as well. Ctrl-C keeps the last iterate.

Ctrl-C stops a simulation after the present step, writes what there is and ends with status 1; --resume goes on
from there, or from the last checkpoint of a run that was killed, and ends with the same numbers as
a run that was never stopped.

Examples:
  carom run tumbling
  carom run cart-pendulum:wild --out wild
  carom run mine.toml --set length=0.3 --set simulate.step=0.001";

/// Simulates or plans an example or a scenario file and writes the results
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Run {
    /// Example with its variant after a colon, or a scenario file
    #[arg(value_name = "NAME[:VARIANT]|FILE")]
    pub scenario: String,
    /// Folder for the results [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Overrides a parameter or any key, such as --set simulate.step=0.001
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Continues from the last checkpoint in DIR; from the start if there is none
    #[arg(long)]
    pub resume: bool,
    /// Prints the summary as JSON, with the ledger in words and the folder
    #[arg(long)]
    pub json: bool,
}

impl Run {
    /// Reads the scenario, runs it, writes the results and prints a summary.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let target = Target::find(&self.scenario)?;
        let scenario = target.read(&self.set)?;
        // Nothing is written before the scenario is known to be sound.
        let model = Arc::new(scenario.build()?);
        if scenario.optimise.is_none() {
            let start = scenario.start(&model)?;
            scenario.measures(scenario.columns(&model)?.names())?;
            if !quiet {
                warn(&scenario.notes());
                warn(&start.warnings);
            }
        } else if !quiet {
            let request = scenario.plan(&model)?;
            warn_of_guess(&request.problem, &request.guess);
        }
        let path = self.out.clone().unwrap_or_else(|| target.folder());
        if scenario.optimise.is_some() {
            let mut folder = Folder::open(&path, self.resume)?;
            if finished(&scenario, &folder, self.resume, quiet || self.json)? {
                return Ok(());
            }
            return plan::run(&scenario, &mut folder, &stop_signal(), quiet, self.json);
        }
        simulate(&scenario, &path, self.resume, quiet, self.json)
    }
}

/// Whether a run that is to be resumed is finished already; says so.
fn finished(
    scenario: &Scenario,
    folder: &Folder,
    resume: bool,
    silent: bool,
) -> Result<bool, Failure> {
    let done = resume && run::is_complete(scenario, folder);
    if done && !silent {
        print(&format!(
            "{} holds the finished run\n",
            folder.path().display()
        ))?;
    }
    Ok(done)
}

/// Simulates a scenario, writes the results into a folder and prints a summary.
pub(super) fn simulate(
    scenario: &Scenario,
    path: &Path,
    resume: bool,
    quiet: bool,
    json: bool,
) -> Result<(), Failure> {
    let mut folder = Folder::open(path, resume)?;
    if finished(scenario, &folder, resume, quiet || json)? {
        return Ok(());
    }
    let stop = stop_signal();
    let mut shown = Shown::steps(scenario.settings.steps, quiet);
    let mut observer = Observer {
        progress: &mut |p| {
            let done = p.steps as f64 / p.of.max(1) as f64;
            shown.show(p.steps, Some(done), || {
                format!("t = {:.3} s, {} contacts", p.time, p.contacts)
            });
        },
        stop: &stop,
    };
    let outcome = run::run(scenario, &mut folder, resume, &mut observer)?;
    shown.finish();
    if json {
        print(&super::as_json(&outcome.summary, path))?;
    } else if !quiet {
        print(&describe(&outcome, path))?;
    }
    match outcome.status {
        Status::Done => Ok(()),
        Status::Interrupted => Err(Failure::Interrupted {
            steps: outcome.summary.steps,
            of: scenario.settings.steps,
        }),
        Status::Failed(error) => Err(Failure::Run(error)),
    }
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the process at once.
pub(super) fn stop_signal() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // A handler can be set once per process; without one Ctrl-C still ends the run.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    stop
}

fn describe(outcome: &Outcome, path: &std::path::Path) -> String {
    let s = &outcome.summary;
    let name = match &s.variant {
        Some(variant) => format!("{}:{variant}", s.scenario),
        None => s.scenario.clone(),
    };
    let mut text = format!(
        "{name}: {} of {} s to t = {:.6} s in {:.2} s, {}\n",
        counted(s.steps, "step"),
        s.step,
        s.time_end,
        s.wall_seconds,
        counted(outcome.frames, "frame")
    );
    if let Some(step) = outcome.resumed_from {
        text += &format!("  resumed from step {step}\n");
    }
    for mesh in &s.meshes {
        text += &format!("  mesh {}\n", mesh.text);
    }
    text += &super::ledger(&s.ledger);
    let (_, verdict) = &s.verdict;
    text + &format!("  {verdict}\n  results in {}\n", path.display())
}
