//! Contacts of an island that rest, slide or hold during a step.

use carom_gap::gap::Feature;
use nalgebra::Vector3;

use super::touching::Contact;
use crate::contact::{ContactPoint, Key, Pair};
use crate::model::Touching;
use crate::simulate::state::Standing;

/// A pair that rests or holds during a step.
#[derive(Clone, Debug)]
pub struct Resting {
    pub pair: Pair,
    pub key: Key,
    pub friction: f64,
    pub restitution: f64,
    /// What touches on each side.
    pub features: [Option<Feature>; 2],
    /// Its points where the step begins, then those that came down.
    pub points: Vec<ContactPoint>,
    /// Whether it holds as a joint.
    pub held: bool,
    /// Whether a held point may slip.
    pub slips: bool,
    /// Whether it closed within the step.
    pub caught: bool,
}

/// What a resting pair did in a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct RestInfo {
    /// Normal impulses at the start and at the end.
    pub start: f64,
    pub end: f64,
    /// Whether it slid.
    pub slid: bool,
    /// Whether it still touches at the end.
    pub touches: bool,
    /// Impulse on the first of the pair.
    pub impulse: Vector3<f64>,
}

impl Resting {
    /// A contact that holds as a joint.
    pub fn held(c: &Contact, standing: &Standing) -> Self {
        Self {
            points: standing.points.clone(),
            held: true,
            slips: standing.slips,
            ..Self::on(c, &[])
        }
    }

    /// A contact that rests or slides.
    pub fn on(c: &Contact, points: &[ContactPoint]) -> Self {
        Self {
            points: points.to_vec(),
            caught: false,
            ..Self::caught(c.pair, c.key, c.surface, c.row.features)
        }
    }

    /// A contact that closes within the step, without points yet.
    pub fn caught(pair: Pair, key: Key, surface: Touching, features: [Option<Feature>; 2]) -> Self {
        Self {
            pair,
            key,
            friction: surface.friction,
            restitution: surface.restitution,
            features,
            points: Vec::new(),
            held: false,
            slips: false,
            caught: true,
        }
    }
}
