//! The report of a plan: the plan with what its replay by the simulator shows, and the guess it
//! began with. A replay that leaves the plan is shown beside it.

use std::io;

use super::document::Report;
use super::events::EventLog;
use super::ledger::{Line, Verdict, tiny};
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
    let none = EventLog::default();
    let (mut replay, _) = super::recorded("replay", scenario, model, "none", frames, &none)?;
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
    let new = ["Energy", "Linear", "Angular", "Residuals"];
    (replay.plots).retain(|plot| new.iter().any(|title| plot.title.starts_with(title)));
    match solved {
        true => motions[0].plots.append(&mut replay.plots),
        false => motions.push(replay),
    }
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
            ("iterations".into(), summary.iterations.to_string()),
            ("rounds".into(), summary.rounds.to_string()),
            ("unknowns".into(), summary.unknowns.to_string()),
            ("conditions".into(), summary.rows.to_string()),
        ],
        ledger: ledger(summary),
        motions,
        ..super::about(scenario)
    })
}

/// The figures of a plan, judged.
fn ledger(s: &PlanSummary) -> Vec<Line> {
    let judged = |value: f64, most: f64, good: &str| match value <= most {
        true => (good.to_string(), Verdict::Good),
        false => (format!("above {most:.0e}"), Verdict::Note),
    };
    let remark = |what: &str| match what {
        "objective" if s.objective_guess > s.objective && s.objective > 0.0 => {
            let times = s.objective_guess / s.objective;
            (
                format!("the guess costs {times:.3} times as much"),
                Verdict::Plain,
            )
        }
        "stationarity" => judged(s.stationarity, 1e-6, "nothing falls to first order"),
        "feasibility" => judged(
            s.feasibility,
            1e-8,
            "all conditions are met, in sizes of the problem",
        ),
        "complementarity" => judged(
            s.complementarity,
            1e-6,
            "what holds presses, and nothing else",
        ),
        "violation of rows" => judged(s.constraint_violation_max, 1e-6, "all conditions are met"),
        "balance of momentum" => judged(s.momentum_residual_max, 1e-10, "to round-off"),
        "replay by the simulator" => judged(
            s.replay_error_max.unwrap_or(f64::INFINITY),
            1e-6,
            "the simulator moves the same way",
        ),
        "largest overlap" => judged(s.overlap_between_nodes_max, 1e-9, "bodies never overlap"),
        _ => (String::new(), Verdict::Plain),
    };
    let told = |what: &str| {
        ["status", "iterations", "unknowns"]
            .iter()
            .any(|t| what.starts_with(t))
    };
    let lines = lines(s).into_iter().filter(|(what, _)| !told(what));
    lines
        .map(|(what, value)| {
            let (remark, verdict) = remark(&what);
            Line {
                what,
                value,
                remark,
                verdict,
            }
        })
        .collect()
}

/// The figures of a plan, for the page and the terminal.
pub fn lines(s: &PlanSummary) -> Vec<(String, String)> {
    // Nine digits, plain where that is short.
    let number = |v: f64| match (1e-3..1e6).contains(&v.abs()) {
        true => format!(
            "{:.*}",
            (8 - v.abs().log10().floor() as i32).clamp(0, 11) as usize,
            v
        ),
        false => format!("{v:.8e}"),
    };
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
        ("stationarity".into(), tiny(s.stationarity, 2)),
        ("feasibility".into(), tiny(s.feasibility, 2)),
        ("complementarity".into(), tiny(s.complementarity, 2)),
        (
            "violation of rows".into(),
            tiny(s.constraint_violation_max, 2),
        ),
        (
            "balance of momentum".into(),
            tiny(s.momentum_residual_max, 2),
        ),
        (
            "replay by the simulator".into(),
            s.replay_error_max.map_or("failed".into(), |e| tiny(e, 2)),
        ),
    ];
    if s.overlap_asked {
        let depth = tiny(s.overlap_between_nodes_max, 2);
        out.push(("largest overlap".into(), format!("{depth} m")));
    }
    if let (Some(step), Some(growth)) = (s.replay_step_error_max, s.replay_growth)
        && growth > 1e3
    {
        let text = format!("{}, round-off grows {growth:.0e} times", tiny(step, 2));
        out.push(("replay step by step".into(), text));
    }
    for v in s.violations.iter().take(5) {
        let what = v["what"].as_str().unwrap_or_default();
        let amount = v["amount"].as_f64().unwrap_or_default();
        out.push((format!("violated: {what}"), format!("{amount:.2e}")));
    }
    out
}
