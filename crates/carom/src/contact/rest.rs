//! Resting and sliding contacts of an island as one unilateral problem with friction cones.
//!
//! For each point: normal rate w_n ≥ 0, impulse λ_n ≥ 0, one of them zero; |λ_t| ≤ μ λ_n, against
//! the sliding that is left. Sweeps over the points (projected Gauss–Seidel) come near the solution,
//! a semismooth Newton method on the projections (Alart and Curnier 1991) makes it exact,
//!
//! ```text
//! λ_n = max(0, λ_n − ρ w_n),   λ_t = λ_t − ρ w_t, shortened to μ max(0, λ_n − ρ w_n).
//! ```
//!
//! Patches have more points than a rigid body needs: of the many solutions one near the sweeps is
//! taken.

use super::impact::slide;
use super::rows::Rows;
use crate::mechanics::dense;

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
    /// For a row that resists either way: the most it resists with.
    pub resists: Option<f64>,
}

/// Sweeps before the first Newton method, and rounds of both.
const SWEEPS: usize = 10;
const ROUNDS: usize = 40;
/// Newton steps in one round.
const STEPS: usize = 30;
/// Up to this many rows Newton's method is used; beyond it sweeps must do.
const DENSE_LIMIT: usize = 600;
/// Compliance of a row relative to its mobility, taken back as the iteration settles.
const SOFT: f64 = 1e-10;

/// Solves for the multipliers of the rows (which may hold a guess already); `nu` must hold M⁻¹ of
/// the guess. `scale` is the size of the rates.
pub fn solve_rest(points: &[RestPoint], rows: &mut Rows, nu: &mut [f64], scale: f64) {
    for round in 0..ROUNDS {
        let sweeps = SWEEPS << round.min(6);
        if sweep_rest(points, rows, nu, 1e-14 * scale, sweeps)
            || rows.len() <= DENSE_LIMIT && newton(points, rows, nu)
        {
            return;
        }
    }
}

/// Sweeps over the points, forwards and backwards, until rates change by less than `enough`; false
/// if that takes more than `most` sweeps.
pub fn sweep_rest(
    points: &[RestPoint],
    rows: &mut Rows,
    nu: &mut [f64],
    enough: f64,
    most: usize,
) -> bool {
    for sweep in 0..most {
        let mut change = 0.0_f64;
        for at in 0..points.len() {
            let back = points.len() - 1 - at;
            let p = &points[if sweep % 2 == 0 { at } else { back }];
            change = change.max(relax(p, rows, nu));
        }
        if change <= enough {
            return true;
        }
    }
    false
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
    if let Some(most) = p.resists {
        next = next.clamp(-most, most);
    } else if !p.held {
        next = next.max(0.0);
    }
    let step = next - rows.lambda[n];
    rows.add(n, step, nu);
    let mut change = (step * weight).abs();
    if p.grips() {
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

impl RestPoint {
    /// Whether it resists sliding.
    fn grips(&self) -> bool {
        self.tangents && (self.friction > 0.0 || self.held)
    }
}

/// Newton's method from the multipliers as they are. False (and the best point kept) if it does not
/// settle.
fn newton(points: &[RestPoint], rows: &mut Rows, nu: &mut [f64]) -> bool {
    let m = rows.len();
    let mobility = mobility(rows, nu.len());
    let mut rest = vec![0.0; m];
    let mut size = residual(points, rows, nu, &mut rest);
    for _ in 0..STEPS {
        let largest = rows.lambda.iter().fold(0.0_f64, |m, l| m.max(l.abs()));
        if size <= 1e-13 * largest || size == 0.0 {
            return true;
        }
        let mut jacobian = vec![0.0; m * m];
        for p in points {
            differentiate(p, rows, nu, &mobility, &mut jacobian);
        }
        let mut step: Vec<f64> = rest.iter().map(|r| -r).collect();
        if !dense::solve(&mut jacobian, &mut step) {
            return false;
        }
        let mut taken = 0.0;
        let mut part = 1.0;
        let mut trial = vec![0.0; m];
        loop {
            shift(rows, nu, &step, part - taken);
            taken = part;
            let new = residual(points, rows, nu, &mut trial);
            if new < (1.0 - 1e-3 * part) * size || new <= 1e-13 * largest {
                size = new;
                std::mem::swap(&mut rest, &mut trial);
                break;
            }
            if part < 1e-3 {
                // No descent: sweeps go on from where it was.
                shift(rows, nu, &step, -taken);
                return size <= 1e-10 * largest;
            }
            part *= 0.5;
        }
    }
    false
}

/// λ += part · step.
fn shift(rows: &mut Rows, nu: &mut [f64], step: &[f64], part: f64) {
    for (row, s) in step.iter().enumerate() {
        if *s != 0.0 {
            rows.add(row, s * part, nu);
        }
    }
}

/// W: rate of each row per impulse along each.
fn mobility(rows: &Rows, freedom: usize) -> Vec<f64> {
    let m = rows.len();
    let mut out = vec![0.0; m * m];
    let mut push = vec![0.0; freedom];
    for j in 0..m {
        let entries = rows.entries(j);
        entries.iter().for_each(|e| push[e.freedom] += e.response);
        for i in 0..m {
            out[i * m + j] = rows.rate(i, &push);
        }
        entries.iter().for_each(|e| push[e.freedom] = 0.0);
    }
    out
}

/// How a point stands, seen from its impulses and rates.
struct Standing {
    /// ρ of the normal row and of those across.
    rho: [f64; 2],
    rates: [f64; 3],
    /// λ_n − ρ w_n.
    normal: f64,
    /// λ_t − ρ w_t and its length.
    across: [f64; 2],
    length: f64,
    /// Largest friction.
    limit: f64,
}

impl Standing {
    fn new(p: &RestPoint, rows: &Rows, nu: &[f64]) -> Self {
        let n = p.normal;
        let rate = |k: usize| rows.rate(n + k, nu) + p.bias[k];
        let inverse = |w: f64| if w > 0.0 { 1.0 / w } else { 0.0 };
        let mut s = Self {
            rho: [inverse(rows.weight(n)), 0.0],
            rates: [rate(0), 0.0, 0.0],
            normal: 0.0,
            across: [0.0; 2],
            length: 0.0,
            limit: 0.0,
        };
        s.normal = rows.lambda[n] - s.rho[0] * s.rates[0];
        if p.grips() {
            s.rho[1] = inverse(rows.weight(n + 1).max(rows.weight(n + 2)));
            for k in 0..2 {
                s.rates[1 + k] = rate(1 + k);
                s.across[k] = rows.lambda[n + 1 + k] - s.rho[1] * s.rates[1 + k];
            }
            s.length = s.across[0].hypot(s.across[1]);
            s.limit = if p.held {
                f64::INFINITY
            } else {
                p.friction * s.normal.max(0.0)
            };
        }
        s
    }
}

/// λ minus its projection, in units of impulse; returns the largest.
fn residual(points: &[RestPoint], rows: &Rows, nu: &[f64], out: &mut [f64]) -> f64 {
    let mut largest: f64 = 0.0;
    for p in points {
        let s = Standing::new(p, rows, nu);
        let n = p.normal;
        out[n] = if s.normal > 0.0 || p.held {
            s.rho[0] * s.rates[0]
        } else {
            rows.lambda[n]
        };
        largest = largest.max(out[n].abs());
        if !p.tangents {
            continue;
        }
        for k in 0..2 {
            out[n + 1 + k] = if !p.grips() {
                rows.lambda[n + 1 + k]
            } else if s.length <= s.limit {
                s.rho[1] * s.rates[1 + k]
            } else {
                rows.lambda[n + 1 + k] - s.limit * s.across[k] / s.length
            };
            largest = largest.max(out[n + 1 + k].abs());
        }
    }
    largest
}

/// Rows of the generalised Jacobian of a point's residual.
fn differentiate(p: &RestPoint, rows: &Rows, nu: &[f64], mobility: &[f64], out: &mut [f64]) {
    let m = rows.len();
    let s = Standing::new(p, rows, nu);
    let n = p.normal;
    let carries = s.normal > 0.0 || p.held;
    if carries {
        for j in 0..m {
            out[n * m + j] = s.rho[0] * mobility[n * m + j];
        }
        out[n * m + n] += SOFT;
    } else {
        out[n * m + n] = 1.0;
    }
    if !p.tangents {
        return;
    }
    if !p.grips() {
        out[(n + 1) * m + n + 1] = 1.0;
        out[(n + 2) * m + n + 2] = 1.0;
        return;
    }
    let unit = if s.length > 0.0 {
        s.across.map(|a| a / s.length)
    } else {
        [0.0; 2]
    };
    for k in 0..2 {
        let row = n + 1 + k;
        if s.length <= s.limit {
            for j in 0..m {
                out[row * m + j] = s.rho[1] * mobility[row * m + j];
            }
            out[row * m + row] += SOFT;
            // A direction without mobility carries nothing.
            if rows.weight(row) <= 0.0 {
                out[row * m + row] = 1.0;
            }
            continue;
        }
        // λ_t − r ŷ with r = μ (λ_n − ρ w_n) and y = λ_t − ρ w_t.
        let ratio = s.limit / s.length;
        out[row * m + row] += 1.0;
        for l in 0..2 {
            let share = f64::from(u8::from(k == l)) - unit[k] * unit[l];
            let column = n + 1 + l;
            out[row * m + column] -= ratio * share;
            for j in 0..m {
                out[row * m + j] += ratio * share * s.rho[1] * mobility[column * m + j];
            }
        }
        if carries && !p.held {
            let slope = p.friction * unit[k];
            out[row * m + n] -= slope;
            for j in 0..m {
                out[row * m + j] += slope * s.rho[0] * mobility[n * m + j];
            }
        }
    }
}
