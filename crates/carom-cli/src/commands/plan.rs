//! `carom run` of an optimal control problem.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use carom::optimise::Progress;
use carom::record::{self, Folder};
use carom::report;
use carom::scenario::Scenario;
use indicatif::{ProgressBar, ProgressStyle};

use super::{Failure, print};

/// Plans a scenario, writes the results and prints a summary.
pub(super) fn run(
    scenario: &Scenario,
    folder: &mut Folder,
    stop: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let bar = spinner();
    let shown = bar.clone();
    let progress = move |p: &Progress| {
        if let Some(bar) = &shown {
            bar.set_message(format!(
                "round {}, iteration {}, objective {:.6e}, violation {:.1e}",
                p.round, p.iteration, p.objective, p.violation
            ));
        }
    };
    let path = folder.path().to_path_buf();
    let outcome = record::run_plan(scenario, folder, progress, stop)?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let s = &outcome.summary;
    let name = match &s.variant {
        Some(variant) => format!("{}:{variant}", s.scenario),
        None => s.scenario.clone(),
    };
    let mut text = format!("{name}: planned in {:.2} s\n", s.wall_seconds);
    for (what, value) in report::plan_lines(s) {
        text += &format!("  {what:<33} {value}\n");
    }
    print(&(text + &format!("  results in {}\n", path.display())))?;
    match outcome.failure {
        None => Ok(()),
        Some(reason) => Err(Failure::Plan(reason)),
    }
}

fn spinner() -> Option<ProgressBar> {
    if !std::io::stderr().is_terminal() {
        return None;
    }
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    Some(
        match ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        },
    )
}
