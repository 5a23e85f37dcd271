//! Crowds: many bodies whose straight ways would meet.
//!
//! A plane for every pair and step is too much to begin with: most of them never matter, and from far away they are
//! turned to and fro. A crowd finds its ways in three stages instead:
//!
//! 1. as **balls** around its bodies, one row for each pair, node and middle of a step;
//! 2. between **given** planes, found anew at the ways of the round before: their rows are linear where bodies only
//!    shift, and a few short rounds end near the solution;
//! 3. between **free** planes that are found together with the motion, as those of any other pair. Balls stay where
//!    they hold nothing back.

use std::collections::HashSet;

use carom_gap::Pose;

use super::arrange::has_planes;
use super::between;
use super::gap_rows::GapRow;
use super::gaps::{self, GapSlot, Key, Measure};
use super::place::Place;
use super::working::WorkingSet;
use crate::contact::Pair;
use crate::model::Model;
use crate::optimise::path::Path;
use crate::optimise::problem::Problem;

/// Pairs that would meet from which on their bodies are a crowd.
const CROWD: usize = 10;

/// Distance of balls, in sums of their radii, up to which a pair gets planes.
const CLOSE: f64 = 1.5;

/// The same once planes are free: balls that hold something back give way.
const HELD: f64 = 1.001;

/// The same for rows of balls: first, and once there are planes between those that are close.
const IN_REACH: f64 = 5.0;
const BESIDE: f64 = 2.5;

/// Balls nearer than this went through each other where they had no rows.
const APART: f64 = 0.999;

/// Part of their distance at the ends of their ways that bodies keep as balls.
const AT_ENDS: f64 = 0.9;

/// Rounds as balls, at most.
const MOST_BALLS: usize = 3;

/// Rounds with given planes, at most, and what each must gain of the objective.
const MOST_GIVEN: usize = 6;
const GAIN: f64 = 1e-3;

/// How the ways of a crowd are found.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    /// With the number of rounds.
    Balls(usize),
    /// With the number of rounds and the objective of the last one.
    Given(usize, f64),
    Free,
}

/// The pairs of a crowd.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    pairs: HashSet<Key>,
    /// Pairs kept apart as balls at a node and half-way to the next.
    balls: HashSet<(Key, usize)>,
    stage: Stage,
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
            stage: Stage::default(),
        }
    }

    pub fn contains(&self, key: &Key) -> bool {
        self.pairs.contains(key)
    }

    /// Whether the planes of a pair are given.
    pub fn gives(&self, key: &Key) -> bool {
        self.is_given() && self.contains(key)
    }

    fn is_given(&self) -> bool {
        matches!(self.stage, Stage::Given(..))
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

impl WorkingSet {
    /// Whether there is a crowd.
    pub fn has_crowd(&self) -> bool {
        !self.crowd.pairs.is_empty()
    }

    /// Whether the ways of a crowd are still looked for.
    pub fn seeks(&self) -> bool {
        self.has_crowd() && self.crowd.stage != Stage::Free
    }

    /// Whether its planes are given.
    pub fn gives(&self) -> bool {
        self.crowd.is_given()
    }

    /// The next stage of a crowd, or more of its planes, after a round that was solved with this objective; says
    /// whether anything is new.
    pub fn advance(&mut self, problem: &Problem, path: &[Vec<Pose>], objective: f64) -> bool {
        let margin = problem.avoid.as_ref().map_or(0.0, |a| a.margin);
        let model = &*problem.model;
        let close = match self.crowd.stage {
            Stage::Free => HELD,
            _ => CLOSE,
        };
        let apart = |(key, node): &(Key, usize)| nearest(model, key, path, *node);
        let open = |row: &(Key, usize)| apart(row) < APART * least(model, margin, &row.0, path);
        if let Stage::Balls(rounds @ ..MOST_BALLS) = self.crowd.stage
            && self.crowd.balls.iter().any(open)
        {
            self.crowd.stage = Stage::Balls(rounds + 1);
            return true;
        }
        let near = |row: &(Key, usize)| apart(row) < span(model, margin, &row.0, close);
        let before = self.at_nodes.len();
        self.at_nodes.extend(self.crowd.balls.extract_if(near));
        let more = self.at_nodes.len() > before;
        self.crowd.stage = match self.crowd.stage {
            _ if !self.has_crowd() => return false,
            Stage::Balls(_) => Stage::Given(0, f64::INFINITY),
            Stage::Given(rounds, last)
                if rounds < MOST_GIVEN && last - objective > GAIN * objective.abs() =>
            {
                Stage::Given(rounds + 1, objective)
            }
            Stage::Given(..) => {
                self.free_planes();
                return true;
            }
            Stage::Free => return more,
        };
        true
    }

    /// Where a stage leads nowhere: planes everywhere, from the guess on, or free ones, from here on. None if there is
    /// no crowd.
    pub fn give_up_stage(&mut self, nodes: usize) -> Option<FromWhere> {
        if !self.seeks() {
            return None;
        }
        if self.gives() {
            self.free_planes();
            return Some(FromWhere::Here);
        }
        let pairs = std::mem::take(&mut self.crowd).pairs;
        let rows = pairs
            .into_iter()
            .flat_map(|key| (0..nodes).map(move |k| (key, k)));
        self.at_nodes.extend(rows);
        Some(FromWhere::Guess)
    }

    fn free_planes(&mut self) {
        self.crowd.stage = Stage::Free;
        self.forget();
    }
}

/// Where the next round begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FromWhere {
    Guess,
    Here,
}

/// How near the centres of the balls around a pair come at a node and half-way to those beside it.
fn nearest(model: &Model, key: &Key, path: &[Vec<Pose>], node: usize) -> f64 {
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
fn span(model: &Model, margin: f64, key: &Key, near: f64) -> f64 {
    margin + near * gaps::balls_around(model, key).1
}

/// Least distance of the centres: balls stay apart, or nearly as far as they are at the ends of the way.
fn least(model: &Model, margin: f64, key: &Key, path: &[Vec<Pose>]) -> f64 {
    let ends = path.first().into_iter().chain(path.last());
    let ends = ends.map(|poses| AT_ENDS * distance(model, key, poses));
    ends.fold(span(model, margin, key, 1.0), f64::min)
}
