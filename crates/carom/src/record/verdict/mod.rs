//! The ledger in words: what was kept, how well, and what explains the rest.
//!
//! Terminal, `summary.json` and report show the same lines. Energy and momentum are balances,
//! start + loads + damping + contacts + projections + unexplained = end, and what is unexplained is
//! judged by what the integrator can promise: momentum to round-off; energy to round-off where nothing
//! but rotation acts, otherwise a swing of second order in the step that does not grow with time.

mod contacts;
mod energy;
mod momentum;
mod plan;

use serde::{Deserialize, Serialize};

pub use energy::EnergyBalance;
pub(super) use momentum::balances;
pub use momentum::{Fixed, MomentumBalance};
pub use plan::plan_ledger;
#[cfg(feature = "optimise")]
pub use plan::plan_overall;

use super::summary::{Known, Summary};
pub(crate) use contacts::values as contact_facts;

/// Whether a line of the ledger is as it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Kept, or accounted for.
    Good,
    /// A statement without judgement.
    #[default]
    Plain,
    /// Worth a look.
    Note,
}

/// A line of the ledger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// What it is about.
    pub what: String,
    /// The number, with its unit.
    pub value: String,
    /// What it says.
    pub remark: String,
    /// What that means, in a sentence for people who see it for the first time; may be empty.
    #[serde(default)]
    pub meaning: String,
    /// How it is.
    pub verdict: Verdict,
}

/// Relative to the size of a quantity, below this it is conserved to round-off.
const ROUND_OFF: f64 = 1e-11;
/// Limit of the violation of constraints, in sizes of the largest body.
const CLOSED: f64 = 1e-9;
/// Size below which round-off of the directors counts, in m.
const SMALLEST: f64 = 1e-4;

/// The ledger of a run, line by line.
pub fn ledger(summary: &Summary) -> Vec<Line> {
    let sizes = &summary.sizes;
    let mut lines = vec![energy::line(summary)];
    lines.extend(momentum::lines(summary));
    lines.push(below(
        "constraint violation",
        summary.constraint_violation_max,
        "m",
        CLOSED * sizes.length.max(SMALLEST),
        "Joints hold their parts together this well.",
    ));
    lines.extend(contacts::contacts(summary));
    lines.extend(measures(summary));
    lines.extend(summary.stable_step.map(|stable| Line {
        what: "longest stable step".into(),
        value: format!("{} s", readable(stable)),
        remark: format!("steps are {:.0} % of it", 100.0 * summary.step / stable),
        meaning: "Longer explicit steps would blow up the vibrations of elastic bodies.".into(),
        verdict: Verdict::Plain,
    }));
    let per_step = summary.newton_iterations as f64 / summary.steps.max(1) as f64;
    lines.push(Line {
        what: "Newton iterations".into(),
        value: summary.newton_iterations.to_string(),
        remark: format!("{per_step:.2} per step"),
        meaning: "How much work the equations of motion took.".into(),
        verdict: Verdict::Plain,
    });
    lines
}

/// What the scenario measures, so that runs are compared by it.
fn measures(summary: &Summary) -> Vec<Line> {
    let line = |what: String, value: String, meaning: &str| Line {
        what,
        value,
        meaning: meaning.into(),
        ..Line::default()
    };
    let mut lines: Vec<Line> = (summary.measures.iter())
        .map(|(name, value)| {
            let (remark, verdict) = match summary.known.get(name) {
                Some(known) => compared(*value, known),
                None => (String::new(), Verdict::Plain),
            };
            Line {
                remark,
                verdict,
                ..line(
                    format!("measured: {name}"),
                    value.map_or("never".into(), readable),
                    "Asked for under [measure] in the scenario.",
                )
            }
        })
        .collect();
    if let Some(success) = summary.success {
        let word = if success { "yes" } else { "no" };
        let meaning = "Whether `success.that` of the scenario holds.";
        lines.push(line("success".into(), word.into(), meaning));
    }
    lines
}

/// A measure beside what it is known to be.
fn compared(value: Option<f64>, known: &Known) -> (String, Verdict) {
    let deviation = value.map(|v| known.deviation(v));
    let far = match deviation.filter(|d| d.is_finite()) {
        None => String::new(),
        Some(0.0) => ", the same".into(),
        Some(d) => {
            let side = if d > 0.0 { "above" } else { "below" };
            let percent = 100.0 * d.abs();
            match percent >= 0.05 {
                true => format!(", {percent:.1} % {side} it"),
                false => format!(", {} of it {side}", tiny(d.abs(), 1)),
            }
        }
    };
    let verdict = match (known.within, deviation) {
        (None, _) => Verdict::Plain,
        (Some(within), Some(d)) if d.abs() <= within => Verdict::Good,
        _ => Verdict::Note,
    };
    (format!("known: {}{far}", readable(known.value)), verdict)
}

/// Whether to trust a run, in a sentence.
pub fn overall(summary: &Summary, lines: &[Line]) -> (Verdict, String) {
    if let Some(error) = &summary.error {
        return (Verdict::Note, format!("The run failed: {error}"));
    }
    let notes: Vec<&str> = (lines.iter())
        .filter(|line| line.verdict == Verdict::Note)
        .map(|line| line.what.as_str())
        .collect();
    if !notes.is_empty() {
        return (Verdict::Note, format!("Look at {}.", notes.join(", ")));
    }
    let text = match summary.status {
        "interrupted" => "Interrupted; so far everything that should be conserved is conserved.",
        _ => "Everything that should be conserved is conserved, and every change is accounted for.",
    };
    (Verdict::Good, text.into())
}

/// A number that must stay below a limit.
fn below(what: &str, value: f64, unit: &str, limit: f64, meaning: &str) -> Line {
    let (remark, verdict) = match value <= limit {
        true => ("to round-off".into(), Verdict::Good),
        false => (format!("above {limit:.0e} {unit}"), Verdict::Note),
    };
    Line {
        what: what.into(),
        value: format!("{} {unit}", tiny(value, 2)),
        remark,
        meaning: meaning.into(),
        verdict,
    }
}

/// A number as people write it: plain where that is short, with an exponent where it is not.
pub(crate) fn readable(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if (1e-3..1e6).contains(&size) {
        let decimals = (5 - size.log10().floor() as i32).clamp(0, 8) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.4e}")
    }
}

/// The same with a sign.
fn signed(value: f64) -> String {
    match value > 0.0 {
        true => format!("+{}", readable(value)),
        false => readable(value),
    }
}

/// A small number with an exponent; nothing is written as 0.
pub(crate) fn tiny(value: f64, digits: usize) -> String {
    match value == 0.0 {
        true => "0".into(),
        false => format!("{value:.digits$e}"),
    }
}

/// A part of a whole.
fn share(relative: f64) -> String {
    if (1e-3..100.0).contains(&relative) {
        format!("{:.2} %", 100.0 * relative)
    } else {
        format!("{relative:.1e}")
    }
}

/// Four digits, without trailing zeros.
pub(crate) fn shortest(value: f64) -> String {
    let rounded = format!("{value:.3e}").parse::<f64>().unwrap_or(value);
    rounded.to_string()
}
