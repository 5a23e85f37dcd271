//! Meetings to come within a step, the earliest first, and how often a pair hit in it.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A pair that hits again and again, slower than this part of its first hit in the step, rests.
const FADED: f64 = 1e-6;
const MANY_HITS: u32 = 20;

/// How often and how fast a pair hit in this step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hits {
    /// How often it met again where it stood, without any time between.
    pub again: u32,
    pub count: u32,
    pub first: f64,
    pub last: f64,
}

impl Hits {
    /// Whether it has hit so often and so slowly that what is left of its bounces is nothing.
    pub fn are_faded(&self) -> bool {
        self.count > MANY_HITS && self.last <= FADED * self.first
    }
}

/// A time at which a pair meets, unless one of its units is cut before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meeting {
    pub time: f64,
    /// Index in `Near::all`.
    pub near: usize,
    pub stamps: [u32; 2],
}

impl Eq for Meeting {}

impl Ord for Meeting {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the largest first: the earliest, then the first in order.
        let earlier = other.time.total_cmp(&self.time);
        earlier.then(other.near.cmp(&self.near))
    }
}

impl PartialOrd for Meeting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Meetings to come, the earliest first.
#[derive(Debug, Default)]
pub(super) struct Meetings {
    pub heap: BinaryHeap<Meeting>,
    /// How often each unit was cut: meetings of an older stamp are out of date.
    stamps: Vec<u32>,
}

impl Meetings {
    pub fn reset(&mut self, units: usize) {
        self.heap.clear();
        self.stamps.clear();
        self.stamps.resize(units, 0);
    }

    pub fn stamps_of(&self, units: [usize; 2]) -> [u32; 2] {
        units.map(|u| self.stamps.get(u).copied().unwrap_or(0))
    }

    /// A pair of some units meets.
    pub fn push(&mut self, time: f64, near: usize, units: [usize; 2]) {
        let stamps = self.stamps_of(units);
        self.heap.push(Meeting { time, near, stamps });
    }

    /// A unit was cut: what was known of its way is out of date.
    pub fn forget(&mut self, unit: usize) {
        self.stamps[unit] += 1;
    }
}
