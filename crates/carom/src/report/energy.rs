//! The energy in words: kept, or changed by what.
//!
//! Everything is judged against the energy at stake in the run ([`Sizes`](crate::record::Sizes)), so
//! that words mean the same for bodies of a micrometre and of a kilometre.

use serde_json::Value;

use super::ledger::{Evidence, Line, ROUND_OFF, Verdict, readable, share};
use crate::record::Summary;

/// A change smaller than this share of the energy is within the order of the scheme: in a short run
/// part of a swing looks like a trend.
const DRIFT: f64 = 1e-4;
/// A swing of the scheme that is still small, as a share of the energy.
const SWING: f64 = 0.05;
/// Part of a change that may remain unexplained.
const UNEXPLAINED: f64 = 0.02;

/// What is said of the energy.
pub(super) fn energy(summary: &Summary, evidence: Option<&Evidence>) -> Line {
    let change = Change::of(summary);
    let (remark, verdict) = match evidence {
        _ if change.spread == 0.0 => ("kept exactly".into(), Verdict::Good),
        _ if change.spread <= round_off(summary) => (
            format!("kept to round-off ({:.1e})", change.spread),
            Verdict::Good,
        ),
        Some(evidence) => change.judge(summary, evidence),
        None => (
            format!("varies by {}", readable(change.spread)),
            Verdict::Plain,
        ),
    };
    Line {
        what: "energy".into(),
        value: format!("{} J", readable(change.last)),
        remark,
        verdict,
    }
}

/// What round-off may make of the energy, in J.
pub(super) fn round_off(summary: &Summary) -> f64 {
    ROUND_OFF * summary.sizes.energy + summary.sizes.energy_round_off
}

/// How the energy changed.
struct Change {
    last: f64,
    /// Last minus first.
    total: f64,
    /// Largest minus least.
    spread: f64,
}

impl Change {
    fn of(summary: &Summary) -> Self {
        let number = |key: &str| summary.energy.get(key).and_then(Value::as_f64);
        let [initial, last, min, max] =
            ["initial", "final", "min", "max"].map(|key| number(key).unwrap_or(f64::NAN));
        Self {
            last,
            total: last - initial,
            spread: max - min,
        }
    }

    /// Says whether it was kept, changed by what acts on it, or drifted.
    fn judge(&self, summary: &Summary, evidence: &Evidence) -> (String, Verdict) {
        let small = round_off(summary);
        let size = summary.sizes.energy;
        let mut causes: Vec<(&str, f64)> = [
            ("loads", summary.work),
            ("contact", summary.contact_energy),
            ("projections", summary.projection_energy),
        ]
        .into_iter()
        .filter(|(_, part)| part.abs() > small)
        .collect();
        let known: f64 = causes.iter().map(|(_, part)| part).sum();
        let mut rest = self.total - known;
        if evidence.dissipative && rest.abs() > small {
            causes.push(("dampers and drag", rest));
            rest = 0.0;
        }
        if causes.is_empty() {
            return self.without_cause(summary, evidence);
        }
        let parts: f64 = causes.iter().map(|(_, part)| part.abs()).sum();
        let tolerance = match evidence.driven {
            true => SWING * size,
            false => UNEXPLAINED * parts + wandering(summary) * size,
        };
        let explained = rest.abs() <= tolerance;
        let by = format!("changed by {} J", readable(self.total));
        if let ([(cause, _)], true) = (causes.as_slice(), explained) {
            return (format!("{by}, by {cause}"), Verdict::Plain);
        }
        let mut said: Vec<String> = (causes.iter())
            .map(|(cause, part)| format!("{cause} {} J", readable(*part)))
            .collect();
        if !explained || rest.abs() > UNEXPLAINED * parts {
            said.push(format!("the integrator {} J", readable(rest)));
        }
        let verdict = match explained {
            true => Verdict::Plain,
            false => Verdict::Note,
        };
        (format!("{by}: {}", said.join(", ")), verdict)
    }

    /// Nothing acts on the energy: it swings, or drifts.
    fn without_cause(&self, summary: &Summary, evidence: &Evidence) -> (String, Verdict) {
        let swing = match summary.sizes.energy {
            size if size > 0.0 => self.spread / size,
            _ => 0.0,
        };
        if evidence.trend > 0.5 && swing > wandering(summary) {
            let by = format!("drifted by {} J ({})", readable(self.total), share(swing));
            (by, Verdict::Note)
        } else if evidence.trend > 0.5 {
            (format!("kept within {}", share(swing)), Verdict::Good)
        } else {
            let verdict = match swing < SWING {
                true => Verdict::Good,
                false => Verdict::Plain,
            };
            let text = format!("kept: swings within {}, no drift", share(swing));
            (text, verdict)
        }
    }
}

/// Every contact starts another swing: what they leave behind adds up like a random walk.
fn wandering(summary: &Summary) -> f64 {
    DRIFT * (1.0 + (summary.contact_count as f64).sqrt())
}
