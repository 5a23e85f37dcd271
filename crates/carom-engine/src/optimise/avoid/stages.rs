//! The stages in which a [crowd](super::crowd) finds its ways, from round to round.

use carom_gap::Pose;

use super::crowd::{Stage, least, nearest, span};
use super::gaps::numbers;
use super::planes::WHOLE_STEP;
use super::working::{PLACES, WorkingSet};
use crate::contact::Pair;
use crate::optimise::problem::Problem;

/// Distance of balls, in sums of their radii, up to which a pair gets planes.
const CLOSE: f64 = 1.5;

/// The same once planes are free: balls that hold something back give way.
const HELD: f64 = 1.001;

/// Balls nearer than this went through each other where they had no rows.
const APART: f64 = 0.999;

/// Rounds as balls, at most.
const MOST_BALLS: usize = 3;

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

    /// Whether a crowd is looked at as balls, without any planes.
    pub fn has_balls_only(&self) -> bool {
        matches!(self.crowd.stage, Stage::Balls(_)) && self.has_crowd()
    }

    /// Whether the planes of a crowd are free for the first time.
    pub fn frees_planes(&self) -> bool {
        self.has_crowd() && self.crowd.stage == Stage::Free && self.kept.is_empty()
    }

    /// The next stage of a crowd, or more of its planes, after a round that was solved; says whether anything is
    /// new.
    pub fn advance(&mut self, problem: &Problem, path: &[Vec<Pose>]) -> bool {
        let margin = problem.avoid.as_ref().map_or(0.0, |a| a.margin);
        let model = &*problem.model;
        let close = match self.crowd.stage {
            Stage::Free => HELD,
            _ => CLOSE,
        };
        let apart = |(pair, node): &(Pair, usize)| nearest(model, pair, path, *node);
        let open = |row: &(Pair, usize)| apart(row) < APART * least(model, margin, &row.0, path);
        if let Stage::Balls(rounds @ ..MOST_BALLS) = self.crowd.stage
            && self.crowd.balls.iter().any(open)
        {
            self.crowd.stage = Stage::Balls(rounds + 1);
            return true;
        }
        let near = |row: &(Pair, usize)| apart(row) < span(model, margin, &row.0, close);
        let before = self.at_nodes.len();
        self.at_nodes.extend(self.crowd.balls.extract_if(near));
        let more = self.at_nodes.len() > before;
        self.crowd.stage = match self.crowd.stage {
            _ if !self.has_crowd() => return false,
            Stage::Balls(_) => Stage::Given,
            Stage::Given => {
                self.free_planes();
                return true;
            }
            Stage::Free => {
                self.look_beside_planes();
                return more | std::mem::take(&mut self.crowd.more_hold);
            }
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
            .flat_map(|pair| (0..nodes).map(move |k| (pair, k)));
        self.at_nodes.extend(rows);
        Some(FromWhere::Guess)
    }

    /// Keeps pairs apart between the nodes as well where planes hold something back: waiting for each overlap there to be
    /// found would take a round each.
    fn look_beside_planes(&mut self) {
        let whole = self.crowd.holding.iter();
        let whole = whole.filter(|(_, span)| span.0 == WHOLE_STEP);
        let mut steps: Vec<(Pair, usize)> = whole.map(|(pair, span)| (*pair, span.1)).collect();
        // In a fixed order: the rows of a problem are always the same.
        steps.sort_by_key(|(pair, step)| (numbers(pair), *step));
        for (pair, step) in steps {
            let own = |w: &(Pair, usize, f64)| w.0 == pair && w.1 == step;
            if !self.on_the_way.iter().any(own) {
                (self.on_the_way).extend(PLACES.map(|s| (pair, step, s)));
            }
        }
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
