//! The report of a plan: the plan with what its replay by the simulator shows, and the guess it
//! began with. A replay that leaves the plan is shown beside it.

use std::io;

use super::curves::plot;
use super::document::{Plot, Report, Scale};
use super::events::EventLog;
use super::phases;
use super::planned::{Planned, planned};
use crate::model::Model;
use crate::optimise::{Plan, Progress};
use crate::record::{Frames, PlanSummary};
use crate::scenario::Scenario;

/// The report of a plan.
pub fn plan_report(
    scenario: &Scenario,
    summary: &PlanSummary,
    plan: &Plan,
    model: &Model,
    frames: &mut Frames,
    events: &EventLog,
    iterations: &[Progress],
) -> io::Result<Report> {
    let motion = |name: &str, poses: &[Vec<carom_gap::Pose>], controls: &[Vec<f64>]| {
        let plan = Planned {
            poses,
            coordinates: &[],
            controls,
            steps: &plan.steps,
        };
        planned(name, scenario, model, &plan)
    };
    let mut replay = super::recorded("replay", scenario, model, "none", 0.0, frames, events)?;
    let mut motions = vec![
        motion("plan", &plan.poses, &plan.controls),
        motion("guess", &plan.guess.poses, &plan.guess.controls),
    ];
    // Both are seen from the same side, as large.
    let [low, high] = motions[1].scene.bounds;
    let both = &mut motions[0].scene.bounds;
    for c in 0..3 {
        both[0][c] = both[0][c].min(low[c]);
        both[1][c] = both[1][c].max(high[c]);
    }
    motions[1].scene.bounds = motions[0].scene.bounds;
    motions[1].scene.view = motions[0].scene.view;
    let solved = summary.status == "solved";
    // What the replay knows besides the plan: controls, gaps and steps it has from the plan itself.
    let new = [
        "Energy",
        "Linear",
        "Angular",
        "Residuals",
        "Joint",
        "Forces in joints",
        "Torques in joints",
    ];
    (replay.plots).retain(|plot| new.iter().any(|title| plot.title.starts_with(title)));
    match solved {
        true => motions[0].plots.append(&mut replay.plots),
        false => motions.push(replay),
    }
    motions[0].contacts = events.columns();
    motions[0].phases = phases::views(summary);
    motions[0]
        .plots
        .extend(phases::forces(summary, &plan.steps));
    motions[0].plots.extend(convergence(iterations));
    let told = ["status", "iterations", "unknowns"];
    Ok(Report {
        status: summary.status.clone(),
        error: summary.error.clone(),
        verdict: summary.verdict.clone(),
        facts: vec![
            ("status".into(), summary.status.clone()),
            ("wall time".into(), format!("{:.2} s", summary.wall_seconds)),
            ("iterations".into(), summary.iterations.to_string()),
            ("rounds".into(), summary.rounds.to_string()),
            ("unknowns".into(), summary.unknowns.to_string()),
            ("conditions".into(), summary.rows.to_string()),
        ]
        .into_iter()
        .chain(super::provenance(&summary.provenance).map(|(k, v)| (k.to_string(), v)))
        .collect(),
        // What the facts say already is left out.
        ledger: (summary.ledger.iter())
            .filter(|line| !told.iter().any(|t| line.what.starts_with(t)))
            .cloned()
            .collect(),
        motions,
        tables: phases::tables(summary),
        ..super::about(scenario)
    })
}

/// How the search went: what it pays for the plan and what is violated, iteration by iteration.
fn convergence(iterations: &[Progress]) -> Vec<Plot> {
    if iterations.len() < 2 {
        return Vec::new();
    }
    let mut rounds: Vec<String> = Vec::new();
    for pair in iterations.windows(2) {
        if pair[1].round != pair[0].round {
            rounds.push(pair[1].iteration.to_string());
        }
    }
    let note = match rounds.is_empty() {
        true => String::new(),
        false => format!("Further rounds begin at iteration {}.", rounds.join(", ")),
    };
    // Rounds begin again where the one before stood: the last word on an iteration counts.
    let mut kept: Vec<&Progress> = Vec::new();
    for p in iterations {
        while kept
            .last()
            .is_some_and(|last| last.iteration >= p.iteration)
        {
            kept.pop();
        }
        kept.push(p);
    }
    let over: Vec<f64> = kept.iter().map(|p| p.iteration as f64).collect();
    let curve = |title: &str, name: &str, scale, value: &dyn Fn(&Progress) -> f64| Plot {
        axis: "iteration".into(),
        scale,
        note: note.clone(),
        ..plot(
            title,
            "",
            &over,
            vec![(name.into(), kept.iter().map(|p| value(p)).collect())],
        )
    };
    vec![
        curve("Convergence: objective", "objective", Scale::Linear, &|p| {
            p.objective
        }),
        curve(
            "Convergence: largest violated constraint, scaled",
            "largest violated constraint",
            Scale::Log,
            // The floor of what can be told from zero.
            &|p| p.violation.max(1e-17),
        ),
    ]
}
