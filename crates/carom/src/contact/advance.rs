//! When a pair first meets on the way from one configuration to another.
//!
//! Conservative advancement on the path of constant screw motion: planes a distance d apart cannot
//! meet before every point has moved by d. Fast thin bodies cannot pass through each other.

use carom_gap::Pose;
use carom_gap::gap::Basis;
use nalgebra::Vector3;

use super::pairs::{Collider, Pair};
use super::row::{Path, evaluate, gap_of};
use crate::mechanics::{exp_minus_identity, log};
use crate::model::Model;

/// Motion of one body over a step, for interpolation.
struct Leg {
    start: Pose,
    shift: Vector3<f64>,
    turn: Vector3<f64>,
}

impl Leg {
    fn new(from: &Pose, to: &Pose) -> Self {
        Self {
            start: *from,
            shift: to.position - from.position,
            turn: log(&(to.directors * from.directors.transpose())),
        }
    }

    fn at(&self, s: f64) -> Pose {
        let d = self.start.directors;
        Pose {
            position: self.start.position + self.shift * s,
            directors: d + exp_minus_identity(&(self.turn * s)) * d,
        }
    }

    /// No point within `reach` of the origin moves further than this over the whole leg.
    fn length(&self, reach: f64) -> f64 {
        self.shift.norm() + self.turn.norm() * reach
    }
}

/// A pair on its way: gap as a function of s ∈ [0, 1].
struct Trip<'a> {
    model: &'a Model,
    pair: &'a Pair,
    legs: Vec<(usize, Leg)>,
    poses: Vec<Pose>,
    from: Vec<f64>,
    to: Vec<f64>,
    warm: Option<Basis>,
}

impl<'a> Trip<'a> {
    fn gap(&mut self, s: f64) -> f64 {
        for (k, leg) in &self.legs {
            self.poses[*k] = leg.at(s);
        }
        let coordinates: Vec<f64> = self
            .from
            .iter()
            .zip(&self.to)
            .map(|(a, b)| a + (b - a) * s)
            .collect();
        let at = Path {
            poses: &self.poses,
            coordinates: &coordinates,
        };
        gap_of(self.model, self.pair, &at, &mut self.warm)
    }
}

/// Bodies a pair touches, with the distance of their furthest point from their origin.
fn members(model: &Model, pair: &Pair) -> Vec<(usize, f64)> {
    let of = |c: &Collider| match c {
        Collider::Part { body, part } => {
            let reach = model
                .body(*body)
                .shape
                .as_ref()
                .map_or(0.0, |s| s.vertices()[*part].reach());
            Some((body.index(), reach))
        }
        Collider::Bead { body } => Some((body.index(), 0.0)),
        Collider::Wall { .. } => None,
    };
    match pair {
        Pair::Bodies(a, b) => [of(a), of(b)].into_iter().flatten().collect(),
        Pair::JointLimit { joint, .. } => {
            let j = &model.joints()[*joint];
            let parent = j.parent.map(|p| (p.index(), 0.0));
            parent.into_iter().chain([(j.child.index(), 0.0)]).collect()
        }
        Pair::CoordinateLimit { .. } => Vec::new(),
    }
}

/// The part s ∈ [0, 1] of the way after which the gap of a pair first becomes negative, as a
/// bracket [s₀, s₁] with the gap at least zero at s₀ and negative at s₁; `None` if it stays apart.
/// `skin` is the gap that counts as touching.
pub fn first_contact(
    model: &Model,
    pair: &Pair,
    from: &Path,
    to: &Path,
    warm: Option<Basis>,
    skin: f64,
) -> Option<[f64; 2]> {
    let members = members(model, pair);
    let legs: Vec<_> = members
        .iter()
        .map(|(k, _)| (*k, Leg::new(&from.poses[*k], &to.poses[*k])))
        .collect();
    let speed: f64 = legs
        .iter()
        .zip(&members)
        .map(|((_, leg), (_, reach))| leg.length(*reach))
        .sum();
    let mut trip = Trip {
        model,
        pair,
        legs,
        poses: from.poses.to_vec(),
        from: from.coordinates.to_vec(),
        to: to.coordinates.to_vec(),
        warm,
    };
    // Limits follow one coordinate: look at a few points of the way.
    let conservative = matches!(pair, Pair::Bodies(..));
    let start = trip.gap(0.0);
    if conservative && start.is_infinite() && speed == 0.0 {
        return None;
    }
    let mut s = 0.0;
    for _ in 0..200 {
        let here = trip.gap(s);
        if here < -skin && s > 0.0 {
            return Some([0.0, s]);
        }
        if here <= skin || !conservative {
            return bracket(&mut trip, s, skin);
        }
        // Planes with normal α are gap/|α| apart.
        let apart = if here.is_finite() {
            let at = Path {
                poses: &trip.poses,
                coordinates: from.coordinates,
            };
            let steepness = evaluate(model, pair, &at, &mut trip.warm.clone()).steepness;
            here / steepness
        } else {
            0.05 * speed.max(f64::MIN_POSITIVE)
        };
        if speed <= 0.0 {
            return None;
        }
        s += apart / speed;
        if s >= 1.0 {
            return None;
        }
    }
    bracket(&mut trip, s, skin)
}

/// Looks for a negative gap beyond s in a few samples.
fn bracket(trip: &mut Trip, s: f64, skin: f64) -> Option<[f64; 2]> {
    const SAMPLES: usize = 16;
    let mut last = s;
    for k in 1..=SAMPLES {
        let next = s + (1.0 - s) * k as f64 / SAMPLES as f64;
        let g = trip.gap(next);
        if g < -skin {
            return Some([last, next]);
        }
        if g >= 0.0 {
            last = next;
        }
    }
    None
}
