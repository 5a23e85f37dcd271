//! Sweeps over the points: each made right in turn, with the others as they are.

use super::laws::shorten;
use super::{Grip, Point, Scale};
use crate::contact::rows::Rows;

/// One sweep, forwards or backwards; returns the largest change of a rate.
pub(super) fn sweep(
    points: &[Point],
    scales: &[Scale],
    rows: &mut Rows,
    nu: &mut [f64],
    backwards: bool,
) -> f64 {
    let count = points.len();
    let mut largest: f64 = 0.0;
    for at in 0..count {
        let k = if backwards { count - 1 - at } else { at };
        largest = largest.max(relax(&points[k], &scales[k], rows, nu));
    }
    largest
}

/// λ ← proj(λ − ρ w), the normal first, then across with the new normal.
#[inline]
fn relax(p: &Point, s: &Scale, rows: &mut Rows, nu: &mut [f64]) -> f64 {
    let step = |rows: &Rows, nu: &[f64], k: usize, rho: f64| {
        let row = p.first + k;
        rows.lambda[row] - rho * (rows.rate(row, nu) + p.bias[k])
    };
    let mut moved: f64 = 0.0;
    let mut put = |rows: &mut Rows, nu: &mut [f64], k: usize, value: f64| {
        let row = p.first + k;
        let change = value - rows.lambda[row];
        if change != 0.0 {
            rows.add(row, change, nu);
            moved = moved.max(change.abs() * rows.weight(row));
        }
    };
    match p.grip {
        Grip::Cone { friction } => {
            if s.rho[0] == 0.0 {
                return 0.0;
            }
            let normal = step(rows, nu, 0, s.rho[0]).max(0.0);
            put(rows, nu, 0, normal);
            if p.rows == 3 && s.rho[1] > 0.0 {
                let y = [1, 2].map(|k| step(rows, nu, k, s.rho[1]));
                let [a, b] = shorten(y, friction * normal);
                put(rows, nu, 1, a);
                put(rows, nu, 2, b);
            }
        }
        Grip::Disc { limit } => {
            if s.rho[1] > 0.0 {
                let y = [0, 1].map(|k| step(rows, nu, k, s.rho[1]));
                let [a, b] = shorten(y, limit);
                put(rows, nu, 0, a);
                put(rows, nu, 1, b);
            }
        }
        Grip::Held => {
            for k in 0..p.rows {
                let weight = rows.weight(p.first + k);
                if weight > 0.0 {
                    let y = step(rows, nu, k, 1.0 / weight);
                    put(rows, nu, k, y);
                }
            }
        }
        Grip::Resists { limit } => {
            if s.rho[0] > 0.0 {
                let y = step(rows, nu, 0, s.rho[0]);
                put(rows, nu, 0, y.clamp(-limit, limit));
            }
        }
    }
    moved
}
