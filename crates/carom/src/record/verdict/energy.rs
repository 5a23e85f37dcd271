//! The balance of energy.
//!
//! Everything is judged against the energy at stake in the run ([`Sizes`](crate::record::Sizes)), so
//! that words mean the same for bodies of a micrometre and of a kilometre.

use serde::Serialize;

use super::super::summary::Summary;
use super::{Line, ROUND_OFF, Verdict, readable, share, signed};
use crate::simulate::Ledger;

/// A change smaller than this share of the energy is within the order of the scheme: in a short run
/// part of a swing looks like a trend.
const DRIFT: f64 = 1e-4;
/// A swing of the scheme that is still small, as a share of the energy.
const SWING: f64 = 0.05;
/// Where the mean of what is unexplained lies this far out in its range, it does not come back.
const JUMPED: f64 = 0.75;
/// Part of what loads, contacts and dampers did that may remain unexplained: their work is found to
/// second order in the step.
const UNEXPLAINED: f64 = 0.02;

/// start + loads + damping + contacts + projections + unexplained = end, in J.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct EnergyBalance {
    /// At the start.
    pub start: f64,
    /// Work of actuators and loads.
    pub loads: f64,
    /// Work of dampers, drag and dry friction in joints.
    pub damping: f64,
    /// Change by impulses at contacts and by drag there.
    pub contacts: f64,
    /// Change by closest-point projections.
    pub projections: f64,
    /// What nothing of this explains.
    pub unexplained: f64,
    /// At the end.
    pub end: f64,
    /// Range of what was unexplained, over all steps.
    pub unexplained_range: [f64; 2],
    /// Change of what was unexplained along the line of best fit: small where it swings.
    pub unexplained_trend: f64,
    /// Mean of what was unexplained, over all steps: about half of its range where it swings.
    pub unexplained_mean: f64,
}

impl EnergyBalance {
    /// Of a run so far.
    pub(crate) fn of(ledger: &Ledger) -> Self {
        Self {
            start: ledger.energy.initial,
            loads: ledger.work,
            damping: ledger.damping,
            contacts: ledger.contact_energy,
            projections: ledger.projection_energy,
            unexplained: ledger.unexplained.last,
            end: ledger.energy.last,
            unexplained_range: [ledger.unexplained.min, ledger.unexplained.max],
            unexplained_trend: ledger.trend.change(),
            unexplained_mean: ledger.trend.mean(),
        }
    }

    /// What changed the energy, in words.
    fn causes(&self, small: f64) -> Vec<(&'static str, f64)> {
        let mut causes = vec![
            ("loads", self.loads),
            ("damping", self.damping),
            ("contacts", self.contacts),
            ("projections", self.projections),
        ];
        causes.retain(|(_, part)| part.abs() > small);
        causes
    }
}

/// What is said of the energy.
pub(super) fn line(summary: &Summary) -> Line {
    let balance = &summary.energy_balance;
    let small = round_off(summary);
    let causes = balance.causes(small);
    let [low, high] = balance.unexplained_range;
    let spread = high - low;
    let at_stake = "of the energy at stake";
    let size = summary.sizes.energy;
    let swing = if size > 0.0 { spread / size } else { 0.0 };
    let part_of_spread = |value: f64| match spread > 0.0 {
        true => value.abs() / spread,
        false => 0.0,
    };
    // Near one where it wanders off, near zero where it swings.
    let trend = part_of_spread(balance.unexplained_trend);
    // Near one where it jumped early and never came back, about a half where it swings.
    let stays = part_of_spread(balance.unexplained_mean) > JUMPED;
    let parts: f64 = causes.iter().map(|(_, part)| part.abs()).sum();
    let promised = wandering(summary) * size + UNEXPLAINED * parts + small;
    let drifts = (trend > 0.5 || stays) && spread > promised;
    let verdict = match drifts {
        true => Verdict::Note,
        false if swing < SWING || spread <= promised => Verdict::Good,
        false => Verdict::Plain,
    };
    let (remark, meaning) = if causes.is_empty() {
        match () {
            () if spread == 0.0 => ("conserved exactly".into(), KEPT),
            () if spread <= small => (format!("conserved to round-off ({spread:.1e} J)"), KEPT),
            () if drifts => (
                format!(
                    "drifted by {} J ({} {at_stake})",
                    signed(balance.unexplained),
                    share(swing)
                ),
                DRIFTED,
            ),
            () if trend > 0.5 || stays => (
                format!("conserved within {} {at_stake}", share(swing)),
                KEPT,
            ),
            () => (
                format!(
                    "conserved: swings within {} {at_stake}, no drift",
                    share(swing)
                ),
                SWINGS,
            ),
        }
    } else {
        let start = match balance.start.abs() <= small {
            true => 0.0,
            false => balance.start,
        };
        let mut text = format!("{} J at the start", readable(start));
        for (cause, part) in &causes {
            text += &format!(", {cause} {} J", signed(*part));
        }
        let rest = balance.unexplained;
        text += &match rest.abs() <= small {
            true => ", nothing unexplained".into(),
            false => format!(
                ", unexplained {} J ({} {at_stake})",
                signed(rest),
                share(rest.abs() / size.max(small))
            ),
        };
        (text, if drifts { DRIFTED } else { CHANGED })
    };
    Line {
        what: "energy".into(),
        value: format!("{} J", readable(balance.end)),
        remark,
        meaning: meaning.into(),
        verdict,
    }
}

const KEPT: &str = "Nothing adds or takes energy, and none appears or disappears.";
const SWINGS: &str = "The computed energy swings a little about the true one and comes back: smaller \
                      steps make the swing smaller.";
const CHANGED: &str = "Every joule gained or lost has a known cause; what is left belongs to the \
                       length of the steps.";
const DRIFTED: &str = "Energy appears or disappears without a cause: take smaller steps.";

/// What round-off may make of the energy, in J.
pub(super) fn round_off(summary: &Summary) -> f64 {
    ROUND_OFF * summary.sizes.energy + summary.sizes.energy_round_off
}

/// Every contact starts another swing: what they leave behind adds up like a random walk.
fn wandering(summary: &Summary) -> f64 {
    DRIFT * (1.0 + (summary.contact_count as f64).sqrt())
}
