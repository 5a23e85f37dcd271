//! The report of a plan: the plan, the guess it began with and the simulator's replay.

use std::io;

use super::document::Report;
use super::events::EventLog;
use super::ledger::{Line, Verdict};
use super::planned::{Planned, planned};
use crate::model::Model;
use crate::optimise::Plan;
use crate::record::{Frames, PlanSummary};
use crate::scenario::Scenario;

/// The report of a plan.
pub fn plan_report(
    scenario: &Scenario,
    summary: &PlanSummary,
    plan: &Plan,
    model: &Model,
    frames: &mut Frames,
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
    let (replay, _) = super::recorded(
        "replay",
        scenario,
        model,
        "none",
        frames,
        &EventLog::default(),
    )?;
    let solved = summary.status == "solved";
    Ok(Report {
        status: summary.status.clone(),
        error: summary.error.clone(),
        verdict: match solved {
            true => (
                Verdict::Good,
                "Solved, and the simulator's replay agrees.".into(),
            ),
            false => (Verdict::Note, format!("Not solved: {}.", summary.status)),
        },
        facts: vec![
            ("status".into(), summary.status.clone()),
            ("wall time".into(), format!("{:.2} s", summary.wall_seconds)),
        ],
        ledger: lines(summary)
            .into_iter()
            .map(|(what, value)| Line {
                what,
                value,
                remark: String::new(),
                verdict: Verdict::Plain,
            })
            .collect(),
        motions: vec![
            motion("plan", &plan.poses, &plan.controls),
            motion("guess", &plan.guess.poses, &plan.guess.controls),
            replay,
        ],
        ..super::about(scenario)
    })
}

/// The figures of a plan, for the page and the terminal.
pub fn lines(s: &PlanSummary) -> Vec<(String, String)> {
    let number = |v: f64| format!("{v:.8e}");
    let mut out = vec![
        ("status".into(), s.status.clone()),
        ("objective".into(), number(s.objective)),
        ("objective of the guess".into(), number(s.objective_guess)),
        (
            "iterations, rounds".into(),
            format!("{}, {}", s.iterations, s.rounds),
        ),
        (
            "unknowns, rows, entries".into(),
            format!("{}, {}, {}", s.unknowns, s.rows, s.jacobian_entries),
        ),
        ("time at the end".into(), format!("{:.6} s", s.time_end)),
        (
            "violation of rows".into(),
            format!("{:.2e}", s.constraint_violation_max),
        ),
        (
            "balance of momentum".into(),
            format!("{:.2e}", s.momentum_residual_max),
        ),
        (
            "replay by the simulator".into(),
            s.replay_error_max
                .map_or("failed".into(), |e| format!("{e:.2e}")),
        ),
        (
            "largest overlap".into(),
            format!("{:.2e} m", s.overlap_between_nodes_max),
        ),
    ];
    for v in s.violations.iter().take(5) {
        let what = v["what"].as_str().unwrap_or_default();
        let amount = v["amount"].as_f64().unwrap_or_default();
        out.push((format!("violated: {what}"), format!("{amount:.2e}")));
    }
    out
}
