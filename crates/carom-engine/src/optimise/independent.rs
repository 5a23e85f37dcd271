//! Conditions that follow from each other: rows of full rank are what a solver needs.

use nalgebra::DVector;

use super::draft::Draft;
use super::error::OptimiseError;
use super::random::random;

/// How far nodes are moved to see whether conditions depend on each other, in rad and lengths: at a
/// stretched pose they may, by chance.
const ASIDE: f64 = 1e-2;

/// Leaves out equations that follow from others around the guess. Two that say the same of different
/// values are a contradiction.
pub(crate) fn drop_dependent(out: &mut Draft, first: &[usize]) -> Result<(), OptimiseError> {
    if out.conditions.rows.is_empty() {
        return Ok(());
    }
    let x = out.x.clone();
    let mut moved = x.clone();
    let mut random = random(0x9E37_79B9_7F4A_7C15);
    for node in 0..out.path.layout.nodes() {
        for f in 0..out.path.layout.n {
            let aside = random();
            let index = out.path.layout.u(node, f);
            let [low, high] = out.bounds[index];
            if low < high {
                moved[index] += ASIDE * aside;
            }
        }
    }
    let at_guess = dependent(out, &x, first)?;
    let aside = dependent(out, &moved, first)?;
    // Rows that are met and depend on others at the guess only would still be one too many there.
    out.path.refresh(&x, false);
    let path = &out.path;
    let mut k = 0;
    out.conditions.rows.retain(|row| {
        k += 1;
        let (value, off) = row.value(path);
        let met = off <= 1e-9 * (1.0 + value.abs());
        !(at_guess[k - 1] && (aside[k - 1] || met))
    });
    Ok(())
}

/// Which conditions follow from others at the unknowns x.
fn dependent(out: &mut Draft, x: &[f64], first: &[usize]) -> Result<Vec<bool>, OptimiseError> {
    out.path.refresh(x, true);
    let (path, rows) = (&out.path, &out.conditions.rows);
    let mut keep = vec![true; rows.len()];
    // Of each node: unit gradients of the equations that are kept, and which rows they are.
    let mut bases: Vec<Vec<(DVector<f64>, usize)>> = vec![Vec::new(); path.layout.nodes()];
    let mut order: Vec<_> = rows.iter().enumerate().collect();
    order.sort_by_key(|(_, row)| !first.contains(&row.number));
    for (k, row) in order {
        let (node, what) = (row.node, &row.what);
        let y = row.gradient(path);
        let mut g = DVector::from_vec(path.pull(node, &y));
        for f in 0..path.layout.n {
            let [low, high] = out.bounds[path.layout.u(node, f)];
            if low == high {
                g[f] = 0.0;
            }
        }
        let size = g.norm();
        let whole = DVector::from_vec(y).norm();
        let (value, off) = row.value(path);
        if size <= 1e-9 * whole {
            // Nothing that may move changes it.
            if off > 1e-6 * (1.0 + value.abs()) {
                return Err(OptimiseError::Contradiction {
                    what: format!(
                        "{what} is off by {off:.2e}, but nothing that may move changes it"
                    ),
                });
            }
            keep[k] = false;
            continue;
        }
        if row.range[0] != row.range[1] {
            continue;
        }
        for (e, _) in &bases[node] {
            let share = e.dot(&g);
            g.axpy(-share, e, 1.0);
        }
        if g.norm() > 1e-7 * size {
            bases[node].push((g.normalize(), k));
            continue;
        }
        keep[k] = false;
        // The same row twice, with two values?
        for (_, other) in &bases[node] {
            let other = &rows[*other];
            let apart = (other.range[0] - row.range[0]).abs();
            if other.poly == row.poly && apart > 1e-9 * (1.0 + row.range[0].abs()) {
                return Err(OptimiseError::Contradiction {
                    what: format!(
                        "{what} and {} ask for {} and {} of the same",
                        other.what, row.range[0], other.range[0]
                    ),
                });
            }
        }
    }
    Ok(keep.into_iter().map(|k| !k).collect())
}
