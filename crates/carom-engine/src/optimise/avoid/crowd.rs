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
use super::gaps::{self, GapSlot, Measure, PairNumbers, has_planes, numbers};
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
    pub(super) pairs: HashSet<Pair>,
    /// Pairs kept apart as balls at a node and half-way to the next.
    pub(super) balls: HashSet<(Pair, usize)>,
    /// Planes that held something back, and whether some did for the first time.
    pub(super) holding: HashSet<(Pair, SpanKey)>,
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
    pub fn among(model: &Model, meeting: &HashSet<Pair>, nodes: usize) -> Self {
        let planes = meeting.iter().filter(|pair| has_planes(model, pair));
        let pairs: HashSet<Pair> = planes.copied().collect();
        if pairs.len() < CROWD {
            return Self::default();
        }
        let rows = pairs.iter().flat_map(|pair| (0..nodes).map(|k| (*pair, k)));
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
            .map(|(pair, (kind, node, s))| (numbers(pair), (*kind, *node, f64::from_bits(*s))))
            .collect();
        holding.sort_by_key(|(pair, (kind, node, s))| (*pair, *kind, *node, s.to_bits()));
        (pairs, holding)
    }

    /// Goes on where another search ended: its ways are found.
    pub fn stored(warm: &Warm, pair: impl Fn(&PairNumbers) -> Option<Pair>) -> Self {
        Self {
            pairs: warm.crowd.iter().filter_map(&pair).collect(),
            holding: (warm.holding.iter())
                .filter_map(|(n, (kind, node, s))| Some((pair(n)?, (*kind, *node, s.to_bits()))))
                .collect(),
            stage: Stage::Free,
            ..Self::default()
        }
    }

    pub fn contains(&self, pair: &Pair) -> bool {
        self.pairs.contains(pair)
    }

    /// Whether the planes of a pair are given.
    pub fn gives(&self, pair: &Pair) -> bool {
        self.contains(pair) && self.is_given()
    }

    /// Notes that a plane holds something back.
    pub fn hold(&mut self, pair: Pair, span: SpanKey) {
        if self.contains(&pair) {
            self.more_hold |= self.holding.insert((pair, span));
        }
    }

    pub fn is_given(&self) -> bool {
        self.stage == Stage::Given
    }

    /// Rows of balls in reach of each other, with their pairs.
    pub fn rows(&self, path: &Path, margin: f64) -> Vec<(Pair, GapRow)> {
        let (model, centres) = (&*path.model, &path.centres);
        let last = path.layout.grid.len();
        let reach = match self.stage {
            Stage::Balls(_) => IN_REACH,
            _ => BESIDE,
        };
        let mut rows = Vec::new();
        for &(pair, node) in self.balls.iter().filter(|(_, node)| *node <= last) {
            if nearest(model, &pair, centres, node) > span(model, margin, &pair, reach) {
                continue;
            }
            let way = Place::Way { step: node, s: 0.5 };
            let places = [Some(Place::Node(node)), (node < last).then_some(way)];
            let row = |place: Place| GapRow {
                slot: GapSlot {
                    pair,
                    measure: Measure::Balls {
                        across: gaps::balls_around(model, &pair).0,
                    },
                },
                place,
                least: least(model, margin, &pair, centres),
            };
            rows.extend(places.into_iter().flatten().map(|place| (pair, row(place))));
        }
        rows
    }
}

/// How near the centres of the balls around a pair come at a node and half-way to those beside it.
pub(super) fn nearest(model: &Model, pair: &Pair, path: &[Vec<Pose>], node: usize) -> f64 {
    let half = |ends: &[Vec<Pose>]| {
        let way = between::poses(pair, &ends[0], &ends[1], 0.5);
        distance(model, pair, &way)
    };
    let first = node.saturating_sub(1);
    let halves = path[first..].windows(2).take(node + 1 - first).map(half);
    halves.fold(distance(model, pair, &path[node]), f64::min)
}

/// Distance of the centres of the balls around a pair.
fn distance(model: &Model, pair: &Pair, poses: &[Pose]) -> f64 {
    let (across, _) = gaps::balls_around(model, pair);
    across.at(pair.poses(poses)).norm()
}

/// How far centres are apart whose balls are this near, in sums of their radii.
pub(super) fn span(model: &Model, margin: f64, pair: &Pair, near: f64) -> f64 {
    margin + near * gaps::balls_around(model, pair).1
}

/// Least distance of the centres: balls stay apart, or nearly as far as they are at the ends of the way.
pub(super) fn least(model: &Model, margin: f64, pair: &Pair, path: &[Vec<Pose>]) -> f64 {
    let ends = path.first().into_iter().chain(path.last());
    let ends = ends.map(|poses| AT_ENDS * distance(model, pair, poses));
    ends.fold(span(model, margin, pair, 1.0), f64::min)
}
