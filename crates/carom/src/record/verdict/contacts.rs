//! What contacts did, in words.

use super::super::summary::{ContactValues, Summary, UnsettledInstant};
use super::{Line, Verdict, readable, shortest, tiny};

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
    lines
}

/// Restitution, friction and rest speed that ran, as facts of the report.
pub(crate) fn values(summary: &Summary) -> Vec<(&'static str, String)> {
    let met = bouncing(summary);
    if met.is_empty() {
        return Vec::new();
    }
    vec![
        ("restitution", span(met.iter().map(|m| m.restitution))),
        ("friction", span(frictions(&met))),
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
            span(frictions(&met)),
        );
        if met.iter().any(|m| m.rest_speed > 0.0) {
            let speeds = span(met.iter().map(|m| m.rest_speed));
            text += &format!(", at rest below {speeds} m/s");
        }
    }
    text
}

/// Frictions of all pairs, in all directions.
fn frictions<'a>(met: &'a [&ContactValues]) -> impl Iterator<Item = f64> + Clone + 'a {
    met.iter()
        .flat_map(|m| [m.friction_least.unwrap_or(m.friction), m.friction])
}

/// One value, or the least and the largest.
fn span(values: impl Iterator<Item = f64> + Clone) -> String {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    let short = |value: f64| shortest(value);
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
            "relative, at every step",
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
fn first_unsettled(list: &[UnsettledInstant]) -> String {
    let mut whats: Vec<&str> = Vec::new();
    for instant in list {
        if !whats.contains(&instant.what.as_str()) {
            whats.push(&instant.what);
        }
    }
    let Some(first) = list.first() else {
        return String::new();
    };
    let time = readable(first.time);
    let mut text = format!("{}; first at t = {time} s", whats.join(", "));
    if let Some([a, b]) = &first.pair {
        text += &format!(", between {a} and {b}");
    }
    text
}

fn line(what: &str, value: impl Into<String>, remark: &str, verdict: Verdict) -> Line {
    Line {
        what: what.into(),
        value: value.into(),
        remark: remark.into(),
        meaning: meaning(what).into(),
        verdict,
    }
}

/// What a line means.
fn meaning(what: &str) -> &'static str {
    match what {
        "contacts" => "How often bodies met, came to rest, slid, or let go.",
        "largest overlap" => "How far bodies reached into each other at worst.",
        "unsettled contacts" => "Here the contact forces were not found as exactly as asked for.",
        "contact solved to" => {
            "The laws of contact and friction hold this well, relative to the impulses."
        }
        "contacts caught late" => "Smaller steps find these contacts at their own times.",
        _ => "",
    }
}
