//! The ledger in words: what was kept, how well.

use serde_json::Value;

use super::contacts::contacts;
use crate::record::Summary;

/// Whether a line of the ledger is as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Kept to round-off.
    Good,
    /// A statement without judgement.
    Plain,
    /// Worth a look.
    Note,
}

impl Verdict {
    pub(super) fn class(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Plain => "",
            Verdict::Note => "note",
        }
    }
}

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it is about.
    pub what: String,
    /// The number.
    pub value: String,
    /// What it says.
    pub remark: String,
    /// How it is.
    pub verdict: Verdict,
}

/// Relative to the size of a quantity, below this it is kept to round-off.
pub(super) const ROUND_OFF: f64 = 1e-11;

/// The ledger of a run, line by line.
pub fn ledger(summary: &Summary) -> Vec<Line> {
    let mut lines = Vec::new();
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap_or(f64::NAN);
    let energy = &summary.energy;
    let spread = number(energy, "max") - number(energy, "min");
    let size = number(energy, "max").abs().max(number(energy, "min").abs());
    lines.push(kept("energy", "J", number(energy, "final"), spread, size));
    for (what, unit, value) in [
        ("linear momentum", "N s", &summary.linear_momentum),
        ("angular momentum", "N m s", &summary.angular_momentum),
    ] {
        let norm = |key: &str| {
            let parts = value[key].as_array().map_or(&[][..], Vec::as_slice);
            let squares = parts.iter().filter_map(Value::as_f64).map(|x| x * x);
            squares.sum::<f64>().sqrt()
        };
        let size = norm("initial").max(norm("final"));
        lines.push(kept(
            what,
            unit,
            norm("final"),
            number(value, "max_change"),
            size,
        ));
    }
    let below = |what: &str, value: f64, limit: f64| Line {
        what: what.into(),
        value: format!("{value:.2e}"),
        remark: match value <= limit {
            true => "to round-off".into(),
            false => format!("above {limit:.0e}"),
        },
        verdict: match value <= limit {
            true => Verdict::Good,
            false => Verdict::Note,
        },
    };
    lines.push(below(
        "momentum not explained by loads",
        summary.momentum_residual_max,
        1e-10,
    ));
    lines.push(below(
        "constraint violation",
        summary.constraint_violation_max,
        1e-9,
    ));
    if summary.work != 0.0 {
        lines.push(Line {
            what: "work of actuators and loads".into(),
            value: format!("{} J", readable(summary.work)),
            remark: String::new(),
            verdict: Verdict::Plain,
        });
    }
    lines.extend(contacts(summary));
    let per_step = summary.newton_iterations as f64 / summary.steps.max(1) as f64;
    lines.push(Line {
        what: "Newton iterations".into(),
        value: summary.newton_iterations.to_string(),
        remark: format!("{per_step:.2} per step"),
        verdict: Verdict::Plain,
    });
    lines
}

fn kept(what: &str, unit: &str, last: f64, change: f64, size: f64) -> Line {
    let relative = if size > 0.0 { change / size } else { 0.0 };
    let (remark, verdict) = match relative <= ROUND_OFF || change < 1e-13 {
        true => (format!("kept to round-off ({change:.1e})"), Verdict::Good),
        // A share says something only of a quantity that is much larger than its change.
        false if relative > 0.1 => (format!("varies by {}", readable(change)), Verdict::Plain),
        false => (
            format!(
                "varies by {} ({} of its size)",
                readable(change),
                share(relative)
            ),
            Verdict::Plain,
        ),
    };
    Line {
        what: what.into(),
        value: format!("{} {unit}", readable(last)),
        remark,
        verdict,
    }
}

/// A number as people write it: plain where that is short, with an exponent where it is not.
pub(super) fn readable(value: f64) -> String {
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

/// A part of a whole.
fn share(relative: f64) -> String {
    if (1e-3..100.0).contains(&relative) {
        format!("{:.2} %", 100.0 * relative)
    } else {
        format!("{relative:.1e}")
    }
}
