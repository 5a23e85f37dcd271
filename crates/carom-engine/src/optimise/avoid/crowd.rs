//! Crowds: many bodies whose straight ways would meet.
//!
//! A plane for every pair and step is too much to begin with: most of them never matter, and from far away they are
//! turned to and fro. A crowd finds its ways in three stages instead:
//!
//! 1. as **balls** around its bodies, one row for each pair, node and middle of a step;
//! 2. between **given** planes, found at the ways of the round before: their rows are linear where bodies only shift;
//! 3. between **free** planes that are found together with the motion, as those of any other pair. Where one holds
//!    something back, its pair is kept apart between the nodes, too. Balls stay where they hold nothing back.
//!
//! Balls that went through each other begin once more without multipliers. Other rounds go on from those of the round before,
//! as far as what they belong to still presses, at the barrier parameter it ended with, which falls as overlaps vanish; the
//! first one between free planes begins at a higher one.

use std::collections::HashSet;

use carom_gap::Pose;

use super::between;
use super::gap_rows::GapRow;
use super::gaps::{self, GapSlot, Key, Measure, PairNumbers, has_planes, numbers};
use super::place::Place;
use super::planes::SpanKey;
use crate::contact::Pair;
use crate::model::Model;
use crate::optimise::path::Path;
use crate::optimise::warm::{StoredSpan, Warm};

/// Pairs that would meet from which on their bodies are a crowd.
const CROWD: usize = 10;

/// Distance of balls, in sums of their radii, up to which they have rows: first, and once there are planes between those
/// that are close.
const IN_REACH: f64 = 3.0;
const BESIDE: f64 = 2.5;

/// Part of their distance at the ends of their ways that bodies keep as balls.
const AT_ENDS: f64 = 0.9;

/// How the ways of a crowd are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stage {
    /// With the number of rounds.
    Balls(usize),
    Given,
    Free,
}

/// The pairs of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    pub(super) pairs: HashSet<Key>,
    /// Pairs kept apart as balls at a node and half-way to the next.
    pub(super) balls: HashSet<(Key, usize)>,
    /// Planes that held something back, and whether some did for the first time.
    pub(super) holding: HashSet<(Key, SpanKey)>,
    pub(super) more_hold: bool,
    pub(super) stage: Stage,
}

impl Default for Stage {
    fn default() -> Self {
        Stage::Balls(1)
    }
}

impl Crowd {
    /// The crowd among pairs that would meet; empty if there are few of them.
    pub fn among(model: &Model, meeting: &HashSet<Key>, nodes: usize) -> Self {
        let planes = meeting.iter().filter(|key| has_planes(model, key));
        let pairs: HashSet<Key> = planes.copied().collect();
        if pairs.len() < CROWD {
            return Self::default();
        }
        let rows = pairs.iter().flat_map(|key| (0..nodes).map(|k| (*key, k)));
        Self {
            balls: rows.collect(),
            pairs,
            ..Self::default()
        }
    }

    /// Its pairs and its free planes, for another search.
    pub fn store(&self) -> (Vec<PairNumbers>, Vec<(PairNumbers, StoredSpan)>) {
        let mut pairs: Vec<PairNumbers> = self.pairs.iter().map(numbers).collect();
        pairs.sort_unstable();
        let mut holding: Vec<_> = (self.holding.iter())
            .map(|(key, (kind, node, s))| (numbers(key), (*kind, *node, f64::from_bits(*s))))
            .collect();
        holding.sort_by_key(|(pair, (kind, node, s))| (*pair, *kind, *node, s.to_bits()));
        (pairs, holding)
    }

    /// Goes on where another search ended: its ways are found.
    pub fn stored(warm: &Warm, pair: impl Fn(&PairNumbers) -> Option<Key>) -> Self {
        Self {
            pairs: warm.crowd.iter().filter_map(&pair).collect(),
            holding: (warm.holding.iter())
                .filter_map(|(n, (kind, node, s))| Some((pair(n)?, (*kind, *node, s.to_bits()))))
                .collect(),
            stage: Stage::Free,
            ..Self::default()
        }
    }

    pub fn contains(&self, key: &Key) -> bool {
        self.pairs.contains(key)
    }

    /// Whether the planes of a pair are given.
    pub fn gives(&self, key: &Key) -> bool {
        self.contains(key) && self.is_given()
    }

    /// Notes that a plane holds something back.
    pub fn hold(&mut self, key: Key, span: SpanKey) {
        if self.contains(&key) {
            self.more_hold |= self.holding.insert((key, span));
        }
    }

    pub fn is_given(&self) -> bool {
        self.stage == Stage::Given
    }

    /// Rows of balls in reach of each other, with their pairs.
    pub fn rows(&self, path: &Path, margin: f64) -> Vec<(Key, GapRow)> {
        let (model, centres) = (&*path.model, &path.centres);
        let last = path.layout.grid.len();
        let reach = match self.stage {
            Stage::Balls(_) => IN_REACH,
            _ => BESIDE,
        };
        let mut rows = Vec::new();
        for &(key, node) in self.balls.iter().filter(|(_, node)| *node <= last) {
            if nearest(model, &key, centres, node) > span(model, margin, &key, reach) {
                continue;
            }
            let way = Place::Way { step: node, s: 0.5 };
            let places = [Some(Place::Node(node)), (node < last).then_some(way)];
            let row = |place: Place| GapRow {
                slot: GapSlot {
                    pair: Pair::Bodies(key.0, key.1),
                    measure: Measure::Balls {
                        across: gaps::balls_around(model, &key).0,
                    },
                },
                place,
                least: least(model, margin, &key, centres),
            };
            rows.extend(places.into_iter().flatten().map(|place| (key, row(place))));
        }
        rows
    }
}

/// How near the centres of the balls around a pair come at a node and half-way to those beside it.
pub(super) fn nearest(model: &Model, key: &Key, path: &[Vec<Pose>], node: usize) -> f64 {
    let pair = Pair::Bodies(key.0, key.1);
    let half = |ends: &[Vec<Pose>]| {
        let way = between::poses(&pair, &ends[0], &ends[1], 0.5);
        distance(model, key, &way)
    };
    let first = node.saturating_sub(1);
    let halves = path[first..].windows(2).take(node + 1 - first).map(half);
    halves.fold(distance(model, key, &path[node]), f64::min)
}

/// Distance of the centres of the balls around a pair.
fn distance(model: &Model, key: &Key, poses: &[Pose]) -> f64 {
    let (across, _) = gaps::balls_around(model, key);
    let pair = Pair::Bodies(key.0, key.1);
    across.at(gaps::pair_poses(&pair, poses)).norm()
}

/// How far centres are apart whose balls are this near, in sums of their radii.
pub(super) fn span(model: &Model, margin: f64, key: &Key, near: f64) -> f64 {
    margin + near * gaps::balls_around(model, key).1
}

/// Least distance of the centres: balls stay apart, or nearly as far as they are at the ends of the way.
pub(super) fn least(model: &Model, margin: f64, key: &Key, path: &[Vec<Pose>]) -> f64 {
    let ends = path.first().into_iter().chain(path.last());
    let ends = ends.map(|poses| AT_ENDS * distance(model, key, poses));
    ends.fold(span(model, margin, key, 1.0), f64::min)
}
