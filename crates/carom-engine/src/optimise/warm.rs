//! What a plan leaves behind for the next one: multipliers and rows by their meaning, and planes.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// What an earlier round found beside the motion: multipliers by the meaning of their rows, and
/// unknowns that belong to no node.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    pub rows: HashMap<String, f64>,
    /// Multipliers of the bounds of all unknowns of nodes and steps.
    pub bounds: [Vec<f64>; 2],
    /// Numbers of the conditions that were kept.
    pub conditions: Vec<usize>,
    /// Other unknowns by name, with the multipliers of their bounds.
    pub others: HashMap<String, [f64; 3]>,
}

/// Multipliers and working set at the end of a search: with them, a search that begins where another
/// ended has nothing left to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Warm {
    /// Number of steps they belong to.
    pub(crate) steps: usize,
    /// Unknowns of a node and the step after it.
    #[serde(default)]
    pub(crate) stride: usize,
    /// Multipliers by the identity of their rows.
    pub(crate) rows: Vec<(String, f64)>,
    /// Multipliers of the bounds of all unknowns of nodes and steps.
    pub(crate) bounds: [Vec<f64>; 2],
    pub(crate) conditions: Vec<usize>,
    /// Other unknowns by name, with the multipliers of their bounds.
    #[serde(default)]
    pub(crate) others: Vec<(String, [f64; 3])>,
    pub(crate) nodes: Vec<([usize; 6], usize)>,
    pub(crate) ways: Vec<([usize; 6], usize, f64)>,
    /// Room of pairs in steps beyond the least gap.
    #[serde(default)]
    pub(crate) room: Vec<([usize; 6], usize, f64)>,
    /// Steps of pairs with a plane for the whole step.
    #[serde(default)]
    pub(crate) whole: Vec<([usize; 6], usize)>,
    pub(crate) planes: Vec<StoredPlane>,
    pub(crate) split: bool,
    /// Pairs of a crowd, and its planes that are free.
    #[serde(default)]
    pub(crate) crowd: Vec<[usize; 6]>,
    #[serde(default)]
    pub(crate) holding: Vec<([usize; 6], StoredSpan)>,
}

/// Kind of place, node, part of the step.
pub(crate) type StoredSpan = (u8, usize, f64);

/// A plane of a pair: where, on which body, normal and offset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredPlane {
    pub pair: [usize; 6],
    pub span: StoredSpan,
    pub on_a: bool,
    pub normal: [f64; 3],
    pub offset: f64,
}

impl Warm {
    pub(crate) fn new([steps, stride]: [usize; 2], known: &Known) -> Self {
        let mut rows: Vec<(String, f64)> =
            known.rows.iter().map(|(k, v)| (k.clone(), *v)).collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0));
        let mut others: Vec<(String, [f64; 3])> =
            known.others.iter().map(|(k, v)| (k.clone(), *v)).collect();
        others.sort_by(|a, b| a.0.cmp(&b.0));
        Self {
            steps,
            stride,
            rows,
            bounds: known.bounds.clone(),
            conditions: known.conditions.clone(),
            others,
            ..Self::default()
        }
    }

    pub(crate) fn known(&self) -> Known {
        Known {
            rows: self.rows.iter().cloned().collect::<HashMap<_, _>>(),
            bounds: self.bounds.clone(),
            conditions: self.conditions.clone(),
            others: self.others.iter().cloned().collect(),
        }
    }

    /// Multipliers of balances, formulas and bounds `by` nodes later, those of the last node held; rows that keep
    /// bodies apart are found anew.
    pub(crate) fn shifted(&self, by: usize, steps: usize) -> Self {
        let later = |(id, value): &(String, f64)| {
            let mut words = id.split(' ');
            let family = words
                .next()
                .filter(|f| ["balance", "formula"].contains(f))?;
            let node: usize = words.next()?.parse().ok()?;
            let rest = words.next()?;
            let id = format!("{family} {} {rest}", node.checked_sub(by)?);
            Some((id, *value))
        };
        let bounds = self.bounds.each_ref().map(|all| {
            let moved = by * self.stride;
            let last = all.len().saturating_sub(self.stride);
            let place = |k: usize| match k + moved < all.len() {
                true => k + moved,
                // The same of the last node and step there is.
                false => last + (k + moved - last) % self.stride.max(1),
            };
            (0..all.len()).map(|k| all[place(k)]).collect()
        });
        Self {
            steps,
            stride: self.stride,
            rows: self.rows.iter().filter_map(later).collect(),
            bounds,
            ..Self::default()
        }
    }
}
