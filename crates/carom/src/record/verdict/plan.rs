//! The figures of a plan, judged.

use super::super::plan_summary::PlanSummary;
use super::{Line, Verdict, readable, tiny};
use crate::words::counted;

/// Sequences of contacts that are listed.
const LISTED: usize = 12;

/// The ledger of a plan, line by line.
pub fn plan_ledger(s: &PlanSummary) -> Vec<Line> {
    let plain = |what: &str, value: String| Line {
        what: what.into(),
        value,
        ..Line::default()
    };
    let judged = |what: &str, value: f64, most: f64, good: &str, meaning: &str| Line {
        what: what.into(),
        value: tiny(value, 2),
        remark: match value <= most {
            true => good.to_string(),
            false => format!("above {most:.0e}"),
        },
        meaning: meaning.into(),
        verdict: match value <= most {
            true => Verdict::Good,
            false => Verdict::Note,
        },
    };
    let mut lines = vec![plain("status", s.status.clone())];
    let mut objective = plain("objective", number(s.objective));
    if s.objective_guess > s.objective && s.objective > 0.0 {
        let times = s.objective_guess / s.objective;
        objective.remark = format!("the guess costs {times:.3} times as much");
    }
    objective.meaning = "What the plan minimises.".into();
    lines.push(objective);
    let guess = plain("objective of the guess", number(s.objective_guess));
    lines.push(Line {
        meaning: "The cost of the motion that the search began with.".into(),
        ..guess
    });
    let rounds = format!("{}, {}", s.iterations, s.rounds);
    lines.push(plain("iterations, rounds", rounds));
    if let Some(outer) = &s.outer_layer {
        let residual = outer.residual.unwrap_or(f64::INFINITY);
        let mut line = plain(
            "outer layer",
            format!(
                "{}, residual {}",
                counted(outer.rounds, "round"),
                tiny(residual, 2)
            ),
        );
        line.remark = format!(
            "{}: {} of collision states and times around {}, solved {} times",
            match outer.converged {
                true => "converged",
                false => "not converged",
            },
            counted(outer.unknowns, "unknown"),
            counted(outer.segments, "smooth segment"),
            outer.segment_solves,
        );
        line.meaning =
            "Collision states and times are searched for around segments that are solved to the \
                        end each time."
                .into();
        line.verdict = match outer.converged {
            true => Verdict::Good,
            false => Verdict::Note,
        };
        lines.push(line);
    }
    if s.whole_steps {
        lines.push(Line {
            remark: "single nodes have no planes of their own".into(),
            meaning:
                "Bodies stay apart by a little more than they must; more steps leave less room."
                    .into(),
            ..plain("kept apart by", "planes of whole steps".into())
        });
    }
    let size = format!("{}, {}, {}", s.unknowns, s.rows, s.jacobian_entries);
    lines.push(plain("unknowns, conditions, entries", size));
    lines.push(Line {
        meaning: "How long the planned motion takes.".into(),
        ..plain("time at the end", format!("{:.6} s", s.time_end))
    });
    if s.time_scales.len() > 1 {
        let list: Vec<String> = s.time_scales.iter().map(|v| format!("{v:.6}")).collect();
        let mut scales = plain("time scales", list.join(", "));
        scales.meaning = "By how much the steps of each phase are stretched.".into();
        lines.push(scales);
    }
    for (name, value) in &s.parameters {
        let mut line = plain(&format!("parameter {name}"), number(*value));
        line.meaning = "The value that was found together with the motion.".into();
        lines.push(line);
    }
    for contact in &s.planned_contacts {
        let kind = format!("planned {}", contact.kind);
        let mut line = plain(&kind, format!("{:.6} s", contact.time));
        let (what, impulse) = (&contact.what, number(contact.impulse));
        line.remark = match contact.kind.as_str() {
            "release" => format!("{what}, at node {}", contact.node),
            _ => format!("{what}, impulse {impulse} N s, at node {}", contact.node),
        };
        line.meaning = "Where, when and how hard the plan lets bodies meet.".into();
        lines.push(line);
    }
    for held in &s.held_contacts {
        let [from, to] = held.nodes;
        let sum: f64 = held.normal_impulses.iter().sum();
        let mut line = plain("closed contact", format!("nodes {from} to {to}"));
        let across: f64 = held.tangential_impulses.iter().sum();
        let (sum, across) = (number(sum), number(across));
        line.remark = format!(
            "{}, pushes {sum} N s in all and rubs {across} N s",
            held.what
        );
        line.meaning = "What stays in touch, for how long, and what that takes.".into();
        lines.push(line);
    }
    for (rank, way) in s.sequences.iter().enumerate().take(LISTED) {
        let contacts = match way.contacts.is_empty() {
            true => "no contact".into(),
            false => way.contacts.join(", "),
        };
        let value = way.objective.map_or("no plan".into(), number);
        let mut line = plain(&format!("sequence {}", rank + 1), value);
        let coarse = way.objective_coarse;
        let coarse = coarse.map_or(String::new(), |v| {
            format!(", {} on a coarse grid", number(v))
        });
        line.remark = format!("{contacts}: {}{coarse}", way.outcome);
        line.meaning = "Which contacts were tried, best first.".into();
        lines.push(line);
    }
    if !s.planned_contacts.is_empty() {
        lines.push(judged(
            "contact times of the replay",
            s.contact_time_error_max.unwrap_or(f64::INFINITY),
            1e-8,
            "the simulator touches when the plan does, to this many s",
            "The simulator finds the planned impacts by itself.",
        ));
    }
    // Neither is known of a guess that nothing was made of.
    lines.extend(s.stationarity.map(|value| {
        judged(
            "stationarity",
            value,
            1e-6,
            "no small change lowers the objective; relative",
            "No small change of the plan makes it better.",
        )
    }));
    lines.push(judged(
        "feasibility",
        s.feasibility,
        1e-8,
        "all conditions are met, in sizes of the problem",
        "The plan obeys the equations of motion, its start, its goal and its limits.",
    ));
    lines.extend(s.complementarity.map(|value| {
        judged(
            "complementarity",
            value,
            1e-6,
            "only limits that are reached hold the plan back; relative",
            "A limit that is not reached has no influence on the plan.",
        )
    }));
    lines.push(judged(
        "largest violated constraint",
        s.constraint_violation_max,
        1e-6,
        "all conditions are met, each in its own unit",
        "The plan obeys the equations of motion, its start, its goal and its limits.",
    ));
    lines.push(judged(
        "balance of momentum",
        s.momentum_residual_max,
        1e-10,
        "to round-off, in N s or N m s",
        "The motion follows from the controls and forces alone.",
    ));
    lines.push(match s.replay_error_max {
        error if s.replay_stepwise => {
            let led = error.map_or("not to the end".into(), |e| format!("{} m away", readable(e)));
            Line {
                remark: "an unstable plant makes this of round-off; single steps agree".into(),
                meaning: "The plan is right, but needs feedback to be followed: the motion shown is that of single \
                          steps from the plan."
                    .into(),
                ..plain("replay by the simulator", led)
            }
        }
        Some(error) => judged(
            "replay by the simulator",
            error,
            1e-6,
            "the simulator moves the same way, to this many m",
            "The controls of the plan, given to the simulator, make the planned motion.",
        ),
        None => Line {
            verdict: Verdict::Note,
            meaning: "The controls of the plan could not be followed to the end.".into(),
            ..plain("replay by the simulator", "failed".into())
        },
    });
    if s.overlap_asked {
        let mut line = judged(
            "largest overlap",
            s.overlap_between_nodes_max,
            1e-9,
            "bodies never overlap",
            "Bodies that should stay apart do, at the steps and between them.",
        );
        line.value += " m";
        lines.push(line);
    }
    if let (Some(step), Some(growth)) = (s.replay_step_error_max, s.replay_growth)
        && growth > 1e3
    {
        let text = format!("{}, round-off grows {growth:.0e} times", tiny(step, 2));
        lines.push(plain("replay step by step", text));
    }
    for v in s.violations.iter().take(5) {
        lines.push(Line {
            remark: "violated".into(),
            meaning: "A condition of the plan that it does not meet, in its own unit.".into(),
            verdict: Verdict::Note,
            ..plain(
                &format!("violated: {}", v.what),
                format!("{:.2e}", v.amount),
            )
        });
    }
    lines
}

/// Whether to trust a plan, in a sentence.
#[cfg(feature = "optimise")]
pub fn plan_overall(s: &PlanSummary) -> (Verdict, String) {
    match (&s.error, s.status.as_str()) {
        (None, "solved") if s.replay_stepwise => (
            Verdict::Good,
            "Solved; the simulator agrees step by step, and feedback is needed to follow the plan: its plant is \
             unstable."
                .into(),
        ),
        (None, "solved") => (
            Verdict::Good,
            "Solved, and the simulator's replay agrees.".into(),
        ),
        (None, status) => (
            Verdict::Note,
            format!("Usable, but only {status}: look at stationarity."),
        ),
        (Some(_), status) => (Verdict::Note, format!("Not solved: {status}.")),
    }
}

/// Nine digits, plain where that is short.
fn number(v: f64) -> String {
    if v == 0.0 {
        return "0".into();
    }
    match (1e-3..1e6).contains(&v.abs()) {
        true => format!(
            "{:.*}",
            (8 - v.abs().log10().floor() as i32).clamp(0, 11) as usize,
            v
        ),
        false => format!("{v:.8e}"),
    }
}
