//! Where rows that keep bodies apart look: at nodes and between them.

use crate::contact::{Detector, Pair};
use crate::optimise::path::Path;

/// A node, or a part of the step that begins there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    Node(usize),
    Way { step: usize, s: f64 },
}

impl Place {
    /// The first node it depends on.
    pub fn first(self) -> usize {
        match self {
            Place::Node(node) | Place::Way { step: node, .. } => node,
        }
    }

    /// Nodes it depends on.
    pub fn nodes(self) -> std::ops::Range<usize> {
        match self {
            Place::Node(node) => node..node + 1,
            Place::Way { step, .. } => step..step + 2,
        }
    }

    /// See [`PlaceKey`].
    pub fn key(self) -> PlaceKey {
        match self {
            Place::Node(node) => (node, None),
            Place::Way { step, s } => (step, Some(s.to_bits())),
        }
    }

    pub fn of_key((node, s): PlaceKey) -> Self {
        match s {
            None => Place::Node(node),
            Some(s) => Place::Way {
                step: node,
                s: f64::from_bits(s),
            },
        }
    }
}

/// A place that can be sorted: its node, and the part of the step as bits.
pub(crate) type PlaceKey = (usize, Option<u64>);

/// The gap of a pair at a place, in words.
pub(crate) fn gap_name(path: &Path, pair: &Pair, place: Place) -> String {
    let [a, b] = Detector::names(&path.model, pair);
    match place {
        Place::Node(node) => (path.layout).at_node(node, &format!("gap between {a} and {b}")),
        Place::Way { step, .. } => {
            let next = step + 1;
            format!("gap between {a} and {b} between nodes {step} and {next}")
        }
    }
}
