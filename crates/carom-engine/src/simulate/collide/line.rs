//! The time line of a step: where every unit was cut last, and what comes.

use std::collections::HashMap;

use super::WITHIN;
use super::flight::Open;
use super::meetings::{Hits, Meetings};
use crate::contact::Key;
use crate::model::Model;
use crate::simulate::State;

/// The time line of a step.
#[derive(Debug)]
pub(super) struct TimeLine {
    /// Time of the start of the step: within it times count from there, so that they stay fine
    /// however long a run is.
    pub origin: f64,
    /// Size of the step.
    pub h: f64,
    /// Every unit where and when it last was cut (at the start of the step if it was not).
    pub base: State,
    pub since: Vec<f64>,
    /// Where flights end that are tried.
    pub probe: State,
    /// Units whose share of the free step has been taken out of the account, and how forces change their velocities
    /// in it.
    pub cut: Vec<bool>,
    pub press: Vec<f64>,
    /// Pairs that are apart at the start, those that meet, the earliest first, and how often pairs hit.
    pub open: Vec<Open>,
    pub meetings: Meetings,
    pub hits: HashMap<Key, Hits>,
    /// Points of a patch may be this far off.
    pub within: f64,
    /// How deep settling is within settling, and flights that looked for a part that settles.
    pub depth: u32,
    pub tries: u32,
    /// While islands are still made at the start of the step: a unit of each that does not settle to its end. What
    /// these meet on the way is known once all islands are there.
    pub rough: Option<Vec<usize>>,
    /// The state before the step.
    pub saved: Option<Box<State>>,
}

impl TimeLine {
    /// Of a model with so many units whose largest body is of some size.
    pub fn new(model: &Model, state: &State, units: usize, size: f64) -> Self {
        Self {
            origin: 0.0,
            h: 0.0,
            base: state.clone(),
            since: vec![0.0; units],
            probe: state.clone(),
            cut: Vec::new(),
            press: vec![0.0; model.freedom()],
            open: Vec::new(),
            meetings: Meetings::default(),
            hits: HashMap::new(),
            within: WITHIN * size,
            depth: 0,
            tries: 0,
            rough: None,
            saved: None,
        }
    }

    /// A step begins.
    pub fn begin(&mut self, state: &State, h: f64) {
        self.origin = state.time;
        self.h = h;
        self.base.clone_from(state);
        self.since.fill(0.0);
        self.cut.clear();
        self.cut.resize(self.since.len(), false);
        self.hits.clear();
        self.meetings.reset(self.since.len());
        (self.depth, self.tries) = (0, 0);
    }

    /// When the latest of some units was cut.
    pub fn latest(&self, units: impl Iterator<Item = usize>) -> f64 {
        units.map(|u| self.since[u]).fold(0.0, f64::max)
    }
}
