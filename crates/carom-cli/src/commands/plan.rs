//! `carom run` of an optimal control problem.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::optimise::Progress;
use carom::record::Folder;
use carom::run;
use carom::scenario::Scenario;

use super::progress::Shown;
use super::{Failure, print};

/// Plans a scenario, writes the results and prints a summary.
pub(super) fn run(
    scenario: &Scenario,
    folder: &mut Folder,
    stop: &Arc<AtomicBool>,
    quiet: bool,
    json: bool,
) -> Result<(), Failure> {
    let mut shown = Shown::search(quiet);
    let progress = move |p: &Progress| {
        shown.show(p.iteration as u64, None, || {
            format!(
                "round {}, iteration {}, objective {:.6e}, violation {:.1e}",
                p.round, p.iteration, p.objective, p.violation
            )
        });
    };
    let path = folder.path().to_path_buf();
    let outcome = run::run_plan(scenario, folder, progress, stop)?;
    let s = &outcome.summary;
    let name = match &s.variant {
        Some(variant) => format!("{}:{variant}", s.scenario),
        None => s.scenario.clone(),
    };
    let mut text = format!("{name}: planned in {:.2} s\n", s.wall_seconds);
    text += &super::ledger(&s.ledger);
    text += &format!("  {}\n", s.verdict.1);
    if json {
        print(&super::as_json(s, &path))?;
    } else if !quiet {
        print(&(text + &format!("  results in {}\n", path.display())))?;
    }
    match outcome.failure {
        None => Ok(()),
        Some(reason) => Err(Failure::Plan(reason)),
    }
}
