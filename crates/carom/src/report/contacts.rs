//! What contacts did, in words.

use super::ledger::{Line, ROUND_OFF, Verdict, readable};
use crate::record::Summary;

/// Overlap below this (in m) is round-off of touching.
const TOUCHING: f64 = 1e-9;

/// Lines of the ledger about contact; none where bodies pass through each other.
pub(super) fn contacts(summary: &Summary) -> Vec<Line> {
    let mut lines = Vec::new();
    if summary.law == "none" && summary.contact_count == 0 {
        return lines;
    }
    let mut line = |what: &str, value: String, remark: &str, verdict| {
        lines.push(Line {
            what: what.into(),
            value,
            remark: remark.into(),
            verdict,
        });
    };
    line(
        "contacts",
        summary.contact_count.to_string(),
        &format!("by the law \"{}\"", summary.law),
        Verdict::Plain,
    );
    let (remark, verdict) = match summary.overlap_max {
        0.0 => ("bodies never overlapped", Verdict::Good),
        overlap if overlap <= TOUCHING => ("touching to round-off", Verdict::Good),
        _ if summary.law == "potential" => ("bodies press into each other", Verdict::Plain),
        _ => ("bodies overlapped", Verdict::Note),
    };
    line(
        "largest overlap",
        format!("{} m", readable(summary.overlap_max)),
        remark,
        verdict,
    );
    let size = ["min", "max"].map(|key| summary.energy[key].as_f64().unwrap_or(0.0).abs());
    let size = size[0].max(size[1]);
    line(
        "energy changed by contacts",
        format!("{} J", readable(summary.contact_energy)),
        match summary.contact_energy {
            e if e.abs() <= ROUND_OFF * size => "kept to round-off",
            e if e < 0.0 => "taken away",
            _ => "added",
        },
        Verdict::Plain,
    );
    if summary.projection_energy != 0.0 {
        line(
            "energy changed by projections",
            format!("{} J", readable(summary.projection_energy)),
            "moving bodies out of each other",
            Verdict::Plain,
        );
    }
    lines
}
