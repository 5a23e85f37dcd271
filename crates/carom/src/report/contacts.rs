//! What contacts did, in words.

use serde_json::Value;

use super::energy::round_off;
use super::ledger::{Line, Verdict, readable, tiny};
use crate::record::{ContactValues, Summary};

/// Overlap below this is round-off of touching, in sizes of the largest body.
const TOUCHING: f64 = 1e-9;

/// Lines of the ledger about contact; none where bodies pass through each other.
pub(super) fn contacts(summary: &Summary) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for warning in &summary.warnings {
        lines.push(line("overlap at the start", "", warning, Verdict::Note));
    }
    if let Some(moved) = summary.separated {
        lines.push(line(
            "moved apart at the start",
            format!("{} m", readable(moved)),
            "bodies that overlapped, velocities kept",
            Verdict::Plain,
        ));
    }
    if summary.law == "none" && summary.contact_count == 0 {
        return lines;
    }
    lines.push(line(
        "contacts",
        summary.contact_count.to_string(),
        &law(summary),
        Verdict::Plain,
    ));
    lines.push(overlap(summary));
    lines.extend(settled(summary));
    let energy = summary.contact_energy;
    lines.push(line(
        "energy changed by contacts",
        format!("{} J", readable(energy)),
        match energy {
            e if e.abs() <= round_off(summary) => "kept to round-off",
            e if e < 0.0 => "taken away",
            _ => "added",
        },
        Verdict::Plain,
    ));
    if summary.projection_energy != 0.0 {
        lines.push(line(
            "energy changed by projections",
            format!("{} J", readable(summary.projection_energy)),
            "moving bodies out of each other",
            Verdict::Plain,
        ));
    }
    lines
}

/// Restitution, friction and rest speed that ran, as facts of the report.
pub(super) fn values(summary: &Summary) -> Vec<(&'static str, String)> {
    let met = bouncing(summary);
    if met.is_empty() {
        return Vec::new();
    }
    vec![
        ("restitution", span(met.iter().map(|m| m.restitution))),
        ("friction", span(met.iter().map(|m| m.friction))),
        (
            "rest speed",
            format!("{} m/s", span(met.iter().map(|m| m.rest_speed))),
        ),
    ]
}

/// Pairs of materials whose law knows restitution.
fn bouncing(summary: &Summary) -> Vec<&ContactValues> {
    let knows = |m: &&ContactValues| ["exact", "decomposition"].contains(&m.law);
    summary.contact_values.iter().filter(knows).collect()
}

/// The law that ran, with its values.
fn law(summary: &Summary) -> String {
    let mut text = format!("by the law \"{}\"", summary.law);
    for other in summary
        .contact_values
        .iter()
        .filter(|m| m.law != summary.law)
    {
        let [a, b] = &other.between;
        text += &format!(", \"{}\" between {a} and {b}", other.law);
    }
    let met = bouncing(summary);
    if !met.is_empty() {
        text += &format!(
            "; restitution {}, friction {}",
            span(met.iter().map(|m| m.restitution)),
            span(met.iter().map(|m| m.friction)),
        );
        if met.iter().any(|m| m.rest_speed > 0.0) {
            let speeds = span(met.iter().map(|m| m.rest_speed));
            text += &format!(", at rest below {speeds} m/s");
        }
    }
    text
}

/// One value, or the least and the largest.
fn span(values: impl Iterator<Item = f64> + Clone) -> String {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    let short = |value: f64| super::shortest(value);
    match low == high {
        true => short(low),
        false => format!("{} to {}", short(low), short(high)),
    }
}

fn overlap(summary: &Summary) -> Line {
    let (remark, verdict) = match summary.overlap_max {
        0.0 => ("bodies never overlapped", Verdict::Good),
        overlap if overlap <= TOUCHING * summary.sizes.length => {
            ("touching to round-off", Verdict::Good)
        }
        _ if summary.law == "potential" => ("bodies press into each other", Verdict::Plain),
        _ => ("bodies overlapped", Verdict::Note),
    };
    let value = format!("{} m", readable(summary.overlap_max));
    line("largest overlap", value, remark, verdict)
}

/// How well contact was solved.
fn settled(summary: &Summary) -> Vec<Line> {
    let mut lines = Vec::new();
    let count = summary.unsettled_count;
    if count > 0 {
        let instants = if count == 1 { "instant" } else { "instants" };
        lines.push(line(
            "unsettled contacts",
            format!("{count} {instants}"),
            &first_unsettled(&summary.unsettled),
            Verdict::Note,
        ));
    } else if summary.contact_count > 0 {
        lines.push(line(
            "contact solved to",
            tiny(summary.contact_residual_max, 1),
            "at every step",
            Verdict::Good,
        ));
    }
    if summary.caught_count > 0 {
        lines.push(line(
            "contacts caught late",
            summary.caught_count.to_string(),
            "they closed within a step and were caught at its end",
            Verdict::Plain,
        ));
    }
    lines
}

/// What did not settle, and where it began.
fn first_unsettled(list: &[Value]) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let mut whats: Vec<String> = Vec::new();
    for what in list.iter().map(|instant| word(&instant["what"])) {
        if !whats.contains(&what) {
            whats.push(what);
        }
    }
    let Some(first) = list.first() else {
        return String::new();
    };
    let time = first["time"].as_f64().unwrap_or(f64::NAN);
    let mut text = format!("{}; first at t = {} s", whats.join(", "), readable(time));
    if let [a, b] = first["pair"].as_array().map_or(&[][..], Vec::as_slice) {
        text += &format!(", between {} and {}", word(a), word(b));
    }
    text
}

fn line(what: &str, value: impl Into<String>, remark: &str, verdict: Verdict) -> Line {
    Line {
        what: what.into(),
        value: value.into(),
        remark: remark.into(),
        verdict,
    }
}
