//! How an optimisation ended, and what says so.

use super::nlp::{Multipliers, Nlp};

/// How an optimisation ended. Feasibility, stationarity, complementarity and the curvature at the end
/// decide the word ([`Optimality`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// At a minimum: all conditions of optimality hold at the last, tight round.
    Solved,
    /// All conditions are met, and those of optimality nearly.
    Acceptable(String),
    /// All conditions are met and nothing changes to first order, but the objective falls to second.
    Saddle,
    /// No point near the guess meets all conditions.
    Infeasible,
    /// The solver no longer makes progress.
    Stalled(String),
    /// A limit of iterations, rounds or time was reached.
    Limit(String),
    /// Bodies overlap between the nodes after the last round.
    Overlap,
    /// The user stopped it.
    Stopped,
}

impl Status {
    /// As written in summaries.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Acceptable(_) => "acceptable",
            Status::Saddle => "saddle",
            Status::Infeasible => "infeasible",
            Status::Stalled(_) => "stalled",
            Status::Limit(_) => "limit",
            Status::Overlap => "overlap",
            Status::Stopped => "stopped",
        }
    }

    /// Whether the plan can be used as it is.
    pub fn is_usable(&self) -> bool {
        matches!(self, Status::Solved | Status::Acceptable(_))
    }
}

/// What the conditions of optimality leave, as the problem is scaled: numbers of order one are as large
/// as the problem itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Optimality {
    /// Largest component of ∇f + Jᵀλ − z_l + z_u, over the mean multiplier where that is large; infinite where nothing was
    /// solved.
    pub stationarity: f64,
    /// Largest violation of a row or a bound.
    pub feasibility: f64,
    /// Largest product of a slack and its multiplier, over the mean multiplier where that is large; infinite where nothing
    /// was solved.
    pub complementarity: f64,
    /// Directions along which the objective falls to second order.
    pub negative_curvatures: usize,
}

/// Multipliers above this mean value count as large.
const LARGE: f64 = 100.0;

/// What the conditions of optimality leave at a point.
pub(crate) fn optimality(program: &mut dyn Nlp, x: &[f64], m: &Multipliers) -> Optimality {
    let (bounds, ranges) = (program.bounds(), program.ranges());
    let pattern = program.jacobian_pattern().clone();
    let mut entries = vec![0.0; pattern.rows.len()];
    program.jacobian(x, &mut entries);
    let mut gradient = vec![0.0; x.len()];
    program.gradient(x, &mut gradient);
    let mut values = vec![0.0; ranges.len()];
    program.values(x, &mut values);
    for ((r, c), v) in pattern.rows.iter().zip(&pattern.columns).zip(&entries) {
        gradient[*c] += m.rows.get(*r).unwrap_or(&0.0) * v;
    }
    let off = |v: f64, [low, high]: [f64; 2]| (low - v).max(v - high).max(0.0);
    let mut out = Optimality::default();
    let (mut sum, mut count) = (0.0, 0);
    for (k, b) in bounds.iter().enumerate() {
        out.feasibility = out.feasibility.max(off(x[k], *b));
        if b[0] == b[1] {
            continue;
        }
        let z = [0, 1].map(|side| m.bounds[side].get(k).copied().unwrap_or(0.0));
        out.stationarity = out.stationarity.max((gradient[k] - z[0] + z[1]).abs());
        for (z, slack) in z.into_iter().zip([x[k] - b[0], b[1] - x[k]]) {
            if slack.is_finite() {
                out.complementarity = out.complementarity.max((z * slack).abs());
                (sum, count) = (sum + z.abs(), count + 1);
            }
        }
    }
    // Where nothing was solved there are no multipliers.
    let rows = m.rows.iter().chain(std::iter::repeat(&0.0));
    for ((lambda, v), range) in rows.zip(&values).zip(&ranges) {
        out.feasibility = out.feasibility.max(off(*v, *range));
        (sum, count) = (sum + lambda.abs(), count + 1);
        if range[0] < range[1] {
            // λ < 0 pushes up from the least value, λ > 0 down from the largest.
            let slack = if *lambda < 0.0 {
                v - range[0]
            } else {
                range[1] - v
            };
            if slack.is_finite() {
                out.complementarity = out.complementarity.max((lambda * slack).abs());
            }
        }
    }
    let mean = sum / f64::from(count.max(1));
    let over = (mean / LARGE).max(1.0);
    out.stationarity /= over;
    out.complementarity /= over;
    out
}
