//! Resting and sliding contacts of an island as one unilateral problem with friction cones.
//!
//! For each point: normal rate w_n ≥ 0, impulse λ_n ≥ 0, one of them zero; |λ_t| ≤ μ λ_n, against
//! the sliding that is left. Solved point by point (projected Gauss–Seidel), forwards and backwards,
//! to stagnation.

use super::impact::slide;
use super::rows::Rows;

/// A point that rests or slides.
#[derive(Clone, Copy, Debug)]
pub struct RestPoint {
    /// Row of its normal; the two rows after it are across.
    pub normal: usize,
    /// Whether there are rows across.
    pub tangents: bool,
    /// Friction μ.
    pub friction: f64,
    /// Rates of the rows without any impulse: normal and across.
    pub bias: [f64; 3],
    /// Whether it holds: then it pulls too, and nothing slides.
    pub held: bool,
}

/// Sweeps before it is given up.
const MOST_SWEEPS: usize = 4000;

/// Solves for the multipliers of the rows (which may hold a guess already); `nu` must hold M⁻¹ of
/// the guess. Returns the largest change of a rate in the last sweep.
pub fn solve_rest(points: &[RestPoint], rows: &mut Rows, nu: &mut [f64], scale: f64) -> f64 {
    let mut change = 0.0;
    for sweep in 0..MOST_SWEEPS {
        change = 0.0_f64;
        for at in 0..points.len() {
            let p = &points[if sweep % 2 == 0 {
                at
            } else {
                points.len() - 1 - at
            }];
            change = change.max(relax(p, rows, nu));
        }
        if change <= 1e-14 * scale {
            break;
        }
    }
    change
}

/// Makes one point right with the others as they are; returns the change of its rates.
fn relax(p: &RestPoint, rows: &mut Rows, nu: &mut [f64]) -> f64 {
    let n = p.normal;
    let weight = rows.weight(n);
    if weight <= 0.0 {
        return 0.0;
    }
    let rate = rows.rate(n, nu) + p.bias[0];
    let mut next = rows.lambda[n] - rate / weight;
    if !p.held {
        next = next.max(0.0);
    }
    let step = next - rows.lambda[n];
    rows.add(n, step, nu);
    let mut change = (step * weight).abs();
    if p.tangents && (p.friction > 0.0 || p.held) {
        let had = [rows.lambda[n + 1], rows.lambda[n + 2]];
        let limit = if p.held {
            f64::INFINITY
        } else {
            p.friction * next
        };
        let now = slide(n + 1, rows, nu, had, limit, [p.bias[1], p.bias[2]]);
        for k in 0..2 {
            change = change.max(((now[k] - had[k]) * rows.weight(n + 1 + k)).abs());
        }
    }
    change
}
