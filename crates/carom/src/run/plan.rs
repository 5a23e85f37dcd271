//! Solves the optimal control problem of a scenario and writes its results.
//!
//! | file | holds |
//! | --- | --- |
//! | `summary.json` | status, objective, residuals, bodies at the end |
//! | `trajectory.csv`, `trajectory.npy` | the plan run by the simulator, a row per node |
//! | `controls.csv` | controls of every step, of the plan and of the guess |
//! | `guess.csv` | configurations of the guess |
//! | `iterations.csv` | objective and violation of every iteration |
//! | `plan.json` | everything exact, to begin another search with |
//! | `reactions.csv` | forces and torques of the joints |

use std::cell::RefCell;
use std::fmt::Write;
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::simulation::RunError;
use crate::model::Model;
use crate::optimise::{InteriorPoint, Plan, Progress, replay, solve};
use crate::record::verdict::{plan_ledger, plan_overall};
use crate::record::{Contacts, Folder, Frames, PlanSummary, Provenance, mesh_name, plan_tables};
use crate::report::{self, EventLog};
use crate::scenario::{PlanRequest, Scenario, plan_file};
use crate::simulate::Columns;

const FRAMES: &str = "trajectory.npy";

/// What came out of an optimisation.
#[derive(Debug)]
pub struct PlanOutcome {
    /// The plan.
    pub plan: Plan,
    /// The summary as written.
    pub summary: PlanSummary,
    /// Why the plan is no success, in one line.
    pub failure: Option<String>,
}

/// Solves a scenario's problem and writes the results into a folder. `progress` sees every
/// iteration; `stop` ends the search, and the best iterate is kept.
pub fn run_plan(
    scenario: &Scenario,
    folder: &mut Folder,
    mut progress: impl FnMut(&Progress) + 'static,
    stop: &Arc<AtomicBool>,
) -> Result<PlanOutcome, RunError> {
    let begin = Instant::now();
    let model = Arc::new(scenario.build()?);
    let request = scenario.plan(&model)?;
    for (written, path) in &scenario.meshes {
        folder.copy(path, &mesh_name(written))?;
    }
    let text = scenario.to_toml(&mesh_name);
    folder.write("scenario.toml", text.as_bytes())?;
    let stop = Arc::clone(stop);
    let log = Rc::new(RefCell::new(String::from(
        "round,iteration,objective,violation\n",
    )));
    let lines = Rc::clone(&log);
    let iterations = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&iterations);
    let observer = Rc::new(RefCell::new(move |p: &Progress| {
        let _ = writeln!(
            lines.borrow_mut(),
            "{},{},{:?},{:?}",
            p.round,
            p.iteration,
            p.objective,
            p.violation
        );
        seen.borrow_mut().push(*p);
        progress(p);
        !stop.load(Ordering::Relaxed)
    }));
    let PlanRequest {
        problem,
        guess,
        settings,
    } = &request;
    let plan = solve(problem, guess, settings, &InteriorPoint, Some(observer))
        .map_err(|error| scenario.place_plan(&error))?;
    let wall = begin.elapsed().as_secs_f64();

    let columns = Columns::new(&model);
    folder.write("columns.json", columns.to_json().as_bytes())?;
    let path = folder.claim(FRAMES)?;
    let mut frames =
        Frames::create(&path, columns.clone()).map_err(|source| folder.error(FRAMES, source))?;
    let mut row = Vec::new();
    let mut reactions =
        String::from("time,joint,force.x,force.y,force.z,torque.x,torque.y,torque.z\n");
    let mut pushed: io::Result<()> = Ok(());
    let replayed = replay(problem, &plan, |node, simulation| {
        columns.row(simulation, &mut row);
        if pushed.is_ok() {
            pushed = frames.push(&row);
        }
        if node > 0 {
            let start = simulation.time() - plan.steps[node - 1];
            list_reactions(&model, start, &simulation.joint_reactions(), &mut reactions);
        }
    })
    .map_err(|error| scenario.place_plan(&error))?;
    pushed.map_err(|source| folder.error(FRAMES, source))?;
    let agrees = replayed.agrees(plan.length);
    let csv = folder.claim("trajectory.csv")?;
    let mut write = || -> io::Result<()> {
        frames.finish()?;
        frames.write_csv(&csv)
    };
    write().map_err(|source| folder.error("trajectory.csv", source))?;
    let events = folder.claim("contacts.csv")?;
    let write = || -> io::Result<EventLog> {
        let mut contacts = Contacts::create(&events)?;
        for event in &replayed.contacts {
            contacts.push(&model, event, 0.0)?;
        }
        contacts.sync()?;
        EventLog::read_csv(&mut io::BufReader::new(std::fs::File::open(&events)?))
    };
    let touched = write().map_err(|source| folder.error("contacts.csv", source))?;
    folder.write(
        "controls.csv",
        plan_tables::controls(&model, &plan).as_bytes(),
    )?;
    folder.write(
        "guess.csv",
        plan_tables::configurations(&model, &plan).as_bytes(),
    )?;
    folder.write("iterations.csv", log.borrow().as_bytes())?;
    folder.write("plan.json", plan_file::to_json(&model, &plan).as_bytes())?;
    if model.joints().iter().any(|j| !j.name.is_empty()) {
        folder.write("reactions.csv", reactions.as_bytes())?;
    }

    let mut replayed = replayed;
    let avoids = problem.avoid.is_some();
    let mut summary = PlanSummary::new(scenario, &plan, &mut replayed, avoids, wall);
    let reason = summary.judge(&plan, agrees, replayed.failure.as_deref());
    summary.ledger = plan_ledger(&summary);
    summary.verdict = plan_overall(&summary);
    summary.provenance = Provenance::of(&text);
    let iterations = iterations.borrow();
    let page = report::plan_report(
        scenario,
        &summary,
        &plan,
        &model,
        &mut frames,
        &touched,
        &iterations,
    );
    let page = page.map_err(|source| folder.error(FRAMES, source))?;
    report::write_report(&page, folder)?;
    summary.wall_seconds_total = begin.elapsed().as_secs_f64();
    folder.write("summary.json", summary.to_json().as_bytes())?;
    Ok(PlanOutcome {
        plan,
        summary,
        failure: reason,
    })
}

fn list_reactions(
    model: &Model,
    time: f64,
    reactions: &[crate::simulate::Reaction],
    out: &mut String,
) {
    for (joint, r) in model.joints().iter().zip(reactions) {
        if !joint.name.is_empty() {
            let (f, t) = (r.mean.force, r.mean.torque);
            let numbers = [f.x, f.y, f.z, t.x, t.y, t.z].map(|v| format!("{v:?}"));
            let _ = writeln!(out, "{time:?},{},{}", joint.name, numbers.join(","));
        }
    }
}
