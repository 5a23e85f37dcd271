//! What a problem cannot drive, and rows that depend on each other.
//!
//! A freedom that no control works on keeps its own balance at every node. With poses and momentum
//! given at both ends there are then more balances than unknowns, and some follow from the others: a
//! drone that flips in a plane does not roll, whatever is asked of it. The solver bears such rows once
//! it knows of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::nlp::Nlp;
use super::path::Path;
use super::transcription::Transcription;

/// Whether some freedoms are driven by no control of their own.
pub(crate) fn lacks_drive(t: &mut Transcription, x: &[f64]) -> bool {
    t.refresh(x, false);
    (0..t.path.layout.components.len()).any(|c| is_underactuated(&t.path, &t.bounds, c))
}

/// Whether the controls of a component span fewer directions than it moves in.
pub(crate) fn is_underactuated(t: &Path, bounds: &[[f64; 2]], c: usize) -> bool {
    let component = &t.layout.components[c];
    let n = component.freedoms.len();
    let free: Vec<usize> = (component.controls.iter().enumerate())
        .filter(|(_, control)| {
            let [low, high] = bounds[t.layout.tau(0, **control)];
            low != high
        })
        .map(|(k, _)| k)
        .collect();
    if free.len() < n {
        return n > 0;
    }
    let middle = &t.nodes()[t.layout.grid.len() / 2].input[c];
    let own = middle.select_rows(&free);
    let values = own.singular_values();
    let largest = values.max();
    values.iter().filter(|v| **v > 1e-9 * largest).count() < n
}

/// Relative size of what is left of a row that follows from others.
const NOTHING: f64 = 1e-11;

/// Most entries that elimination may bring.
const MOST: usize = 20_000_000;

/// Whether equalities depend on each other at the start: by elimination, row by row, with the largest
/// entry as pivot.
pub(crate) fn has_dependent_rows(program: &mut dyn Nlp) -> bool {
    let x = program.start();
    let pattern = program.jacobian_pattern().clone();
    let mut entries = vec![0.0; pattern.rows.len()];
    program.jacobian(&x, &mut entries);
    let free: Vec<bool> = program.bounds().iter().map(|b| b[0] != b[1]).collect();
    let equal: Vec<bool> = program.ranges().iter().map(|r| r[0] == r[1]).collect();
    let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); equal.len()];
    for ((&r, &c), &v) in pattern.rows.iter().zip(&pattern.columns).zip(&entries) {
        if equal[r] && free[c] && v != 0.0 {
            rows[r].push((c, v));
        }
    }
    let mut pivot_of: Vec<Option<usize>> = vec![None; x.len()];
    // Rows that are done, each divided by its pivot: column of the pivot, and the others.
    let mut done: Vec<(usize, Vec<(usize, f64)>)> = Vec::new();
    let mut work = vec![0.0; x.len()];
    let mut cost = 0;
    for row in rows.into_iter().filter(|r| !r.is_empty()) {
        let size = row.iter().fold(0.0_f64, |m, (_, v)| m.max(v.abs()));
        let mut touched: Vec<usize> = Vec::new();
        let mut due = BinaryHeap::new();
        let add = |c: usize,
                   v: f64,
                   work: &mut Vec<f64>,
                   due: &mut BinaryHeap<_>,
                   touched: &mut Vec<usize>| {
            if work[c] == 0.0 {
                touched.push(c);
                if let Some(p) = pivot_of[c] {
                    due.push(Reverse(p));
                }
            }
            work[c] += v;
            if work[c] == 0.0 {
                work[c] = f64::MIN_POSITIVE;
            }
        };
        for (c, v) in &row {
            add(*c, *v, &mut work, &mut due, &mut touched);
        }
        let mut last = usize::MAX;
        while let Some(Reverse(p)) = due.pop() {
            if p == last {
                continue;
            }
            last = p;
            let (column, others) = &done[p];
            let factor = work[*column];
            work[*column] = 0.0;
            cost += others.len();
            for (c, v) in others {
                add(*c, -factor * v, &mut work, &mut due, &mut touched);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        let left: Vec<(usize, f64)> = (touched.iter())
            .filter(|&&c| pivot_of[c].is_none())
            .map(|&c| (c, work[c]))
            .collect();
        touched.iter().for_each(|&c| work[c] = 0.0);
        let largest = left.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
        match largest {
            Some(&(column, pivot)) if pivot.abs() > NOTHING * size => {
                pivot_of[column] = Some(done.len());
                let others = left.into_iter().filter(|(c, _)| *c != column);
                done.push((column, others.map(|(c, v)| (c, v / pivot)).collect()));
            }
            _ => return true,
        }
        if cost > MOST {
            return false;
        }
    }
    false
}
