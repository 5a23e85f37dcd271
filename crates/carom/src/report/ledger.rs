//! The ledger in words: what was kept, how well.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::contacts::contacts;
use super::energy::energy;
use crate::model::Model;
use crate::record::Summary;

/// Whether a line of the ledger is as it should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Kept.
    Good,
    /// A statement without judgement.
    #[default]
    Plain,
    /// Worth a look.
    Note,
}

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// What tells a change that belongs to the motion from one that does not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// How much of the range of the energy lies between its first and its last values: near one
    /// where it wanders off, near zero where it swings.
    pub trend: f64,
    /// Whether something takes energy out: dampers, drag.
    pub dissipative: bool,
    /// Whether loads put energy in.
    pub driven: bool,
    /// Whether something outside acts on the bodies: gravity, loads, joints to the world.
    pub external: bool,
    /// How large linear and angular momentum would be if those of the bodies did not cancel.
    pub momentum: [f64; 2],
}

impl Evidence {
    /// What the model says, the energy over time and the size of momentum.
    pub fn of(model: &Model, time: &[f64], energy: &[f64], momentum: [f64; 2]) -> Self {
        let forces = model.forces();
        let held = |parent: Option<crate::model::BodyId>, kind: crate::model::JointKind| {
            parent.is_none() && kind != crate::model::JointKind::Free
        };
        let mut joints = model.joints().iter().chain(model.closures());
        let dissipative = !forces.dampers.is_empty() || !forces.drags.is_empty();
        let driven = !model.actuators().is_empty();
        Self {
            trend: trend(time, energy),
            momentum,
            dissipative,
            driven,
            external: driven
                || !forces.drags.is_empty()
                || forces.gravity.norm() > 0.0
                || !model.linkages().is_empty()
                || joints.any(|j| held(j.parent, j.kind)),
        }
    }
}

/// Difference of the means of the first and the last fifth, relative to the whole range.
fn trend(time: &[f64], values: &[f64]) -> f64 {
    let fifth = time.len().min(values.len()) / 5;
    if fifth == 0 {
        return 0.0;
    }
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (low, high) = (values.iter()).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| {
        (a.min(*v), b.max(*v))
    });
    let change = mean(&values[values.len() - fifth..]) - mean(&values[..fifth]);
    if high > low {
        change.abs() / (high - low)
    } else {
        0.0
    }
}

/// Whether to trust a run, in a sentence.
pub(super) fn overall(summary: &Summary, lines: &[Line]) -> (Verdict, String) {
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
    let good = lines.iter().filter(|l| l.verdict == Verdict::Good).count();
    let text = match summary.status {
        "interrupted" => "Interrupted; so far everything that should be kept is kept.",
        _ if good > 0 => "Everything that should be kept is kept.",
        _ => "Nothing looks wrong.",
    };
    (Verdict::Good, text.into())
}

/// The ledger of a run, line by line.
pub fn ledger(summary: &Summary) -> Vec<Line> {
    ledger_with(summary, None)
}

/// The ledger, judged by what is known of the motion.
pub(super) fn ledger_with(summary: &Summary, evidence: Option<&Evidence>) -> Vec<Line> {
    let mut lines = Vec::new();
    let number = |value: &Value, key: &str| value[key].as_f64().unwrap_or(f64::NAN);
    lines.push(energy(summary, evidence));
    let sizes = &summary.sizes;
    let [linear, angular] = match evidence {
        Some(evidence) => evidence.momentum,
        None => [sizes.momentum, sizes.momentum * sizes.length],
    };
    let unexplained = EXPLAINED * sizes.momentum.max(linear).max(angular) + LEAST_EXPLAINED;
    for (what, unit, value, whole) in [
        ("linear momentum", "N s", &summary.linear_momentum, linear),
        (
            "angular momentum",
            "N m s",
            &summary.angular_momentum,
            angular,
        ),
    ] {
        let norm = |key: &str| {
            let parts = value[key].as_array().map_or(&[][..], Vec::as_slice);
            let squares = parts.iter().filter_map(Value::as_f64).map(|x| x * x);
            squares.sum::<f64>().sqrt()
        };
        let size = norm("initial").max(norm("final")).max(whole);
        let change = number(value, "max_change");
        let mut line = kept(what, unit, norm("final"), change, size);
        if let Some(evidence) = evidence.filter(|_| line.verdict != Verdict::Good) {
            let explained = summary.momentum_residual_max <= unexplained;
            judge_momentum(&mut line, summary, evidence, change, explained);
        }
        lines.push(line);
    }
    let below = |what: &str, value: f64, limit: f64| Line {
        what: what.into(),
        value: tiny(value, 2),
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
        unexplained,
    ));
    lines.push(below(
        "constraint violation",
        summary.constraint_violation_max,
        CLOSED * sizes.length.max(SMALLEST),
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

/// Limit of what loads and contacts must explain of a change of momentum, in sizes of it.
const EXPLAINED: f64 = 1e-10;
/// The same where nothing moves, in N s.
const LEAST_EXPLAINED: f64 = 1e-13;

/// Limit of the violation of constraints, in sizes of the largest body.
const CLOSED: f64 = 1e-9;
/// Size below which round-off of the directors counts, in m.
const SMALLEST: f64 = 1e-4;

/// Says of a momentum whether what acts from outside explains its change.
fn judge_momentum(
    line: &mut Line,
    summary: &Summary,
    evidence: &Evidence,
    change: f64,
    explained: bool,
) {
    let by = match (evidence.external, summary.contact_count > 0) {
        (true, true) => "loads and contact",
        (true, false) => "loads",
        (false, _) => "contact",
    };
    (line.remark, line.verdict) =
        match explained && (evidence.external || summary.contact_count > 0) {
            true => (
                format!("changed by {by}, all of it accounted for"),
                Verdict::Plain,
            ),
            false => (format!("drifted by {}", readable(change)), Verdict::Note),
        };
}

fn kept(what: &str, unit: &str, last: f64, change: f64, size: f64) -> Line {
    let relative = if size > 0.0 { change / size } else { 0.0 };
    let (remark, verdict) = match relative <= ROUND_OFF {
        true if change == 0.0 => ("kept exactly".into(), Verdict::Good),
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

/// A small number with an exponent; nothing is written as 0.
pub(super) fn tiny(value: f64, digits: usize) -> String {
    match value == 0.0 {
        true => "0".into(),
        false => format!("{value:.digits$e}"),
    }
}

/// A part of a whole.
pub(super) fn share(relative: f64) -> String {
    if (1e-3..100.0).contains(&relative) {
        format!("{:.2} %", 100.0 * relative)
    } else {
        format!("{relative:.1e}")
    }
}
