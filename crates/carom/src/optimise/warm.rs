//! What a plan leaves behind for the next one: multipliers and rows by their meaning, and planes.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::avoid::WorkingSet;
use super::program::Known;

/// Two colliders as numbers: kind, body (or wall) and part of each.
pub(crate) type PairNumbers = [usize; 6];

/// Multipliers and working set at the end of a search: with them, a search that begins where another
/// ended has nothing left to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Warm {
    /// Number of steps they belong to.
    pub(crate) steps: usize,
    /// Multipliers by the identity of their rows.
    pub(crate) rows: Vec<(String, f64)>,
    /// Multipliers of the bounds of unknowns that no plane owns.
    pub(crate) bounds: [Vec<f64>; 2],
    pub(crate) conditions: Vec<usize>,
    pub(crate) ends: Vec<f64>,
    pub(crate) nodes: Vec<(PairNumbers, usize)>,
    pub(crate) ways: Vec<(PairNumbers, usize, f64)>,
    pub(crate) planes: Vec<StoredPlane>,
    pub(crate) split: bool,
}

/// A plane of a pair: where, on which body, normal and offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredPlane {
    pub pair: PairNumbers,
    /// Kind of place, node, part of the step.
    pub span: (u8, usize, f64),
    pub on_a: bool,
    pub normal: [f64; 3],
    pub offset: f64,
}

impl Warm {
    pub(crate) fn new(steps: usize, known: &Known, working: &WorkingSet) -> Self {
        let mut rows: Vec<(String, f64)> =
            known.rows.iter().map(|(k, v)| (k.clone(), *v)).collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        let mut out = Self {
            steps,
            rows,
            bounds: known.bounds.clone(),
            conditions: known.conditions.clone(),
            ends: known.ends.clone(),
            ..Self::default()
        };
        working.store(&mut out);
        out
    }

    pub(crate) fn known(&self) -> Known {
        Known {
            rows: self.rows.iter().cloned().collect::<HashMap<_, _>>(),
            bounds: self.bounds.clone(),
            conditions: self.conditions.clone(),
            ends: self.ends.clone(),
        }
    }

    /// Multipliers of balances `by` nodes later; rows that keep bodies apart are found anew.
    pub(crate) fn shifted(&self, by: usize, steps: usize) -> Self {
        let balance = |(id, value): &(String, f64)| {
            let mut words = id.split(' ');
            if words.next() != Some("balance") {
                return None;
            }
            let node: usize = words.next()?.parse().ok()?;
            let freedom = words.next()?;
            Some((
                format!("balance {} {freedom}", node.checked_sub(by)?),
                *value,
            ))
        };
        Self {
            steps,
            rows: self.rows.iter().filter_map(balance).collect(),
            ..Self::default()
        }
    }
}
