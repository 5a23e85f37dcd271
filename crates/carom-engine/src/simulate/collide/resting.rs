//! Contacts of an island that rest, slide or hold during a step.

use carom_gap::Pose;
use carom_gap::gap::Feature;
use carom_gap::round::Roll;
use nalgebra::Vector3;
use smallvec::SmallVec;

use super::hold::touching_points;
use super::spare::Spare;
use super::touching::Contact;
use crate::contact::{ContactPoint, Key, Pair};
use crate::model::{Grains, Hold, Touching};

/// Points this close to a held one are that one, in body sizes.
const HELD: f64 = 1e-6;

/// A pair that rests or holds during a step.
#[derive(Clone, Debug)]
pub struct Resting {
    pub pair: Pair,
    pub key: Key,
    pub friction: f64,
    /// How friction depends on the direction.
    pub grains: Grains,
    pub restitution: f64,
    /// Rolling and torsional friction in m.
    pub rolling: f64,
    pub torsional: f64,
    /// What touches on each side.
    pub features: [Option<Feature>; 2],
    /// Its points where the step begins, then those that came down.
    pub points: Vec<ContactPoint>,
    /// Whether it holds as a joint.
    pub held: bool,
    /// As which joint it holds.
    pub hold: Hold,
    /// Of a held contact: where its patch touches.
    pub outline: Vec<ContactPoint>,
    /// Whether it closed within the step.
    pub caught: bool,
    /// Whether it is what a held contact touches at beside the points it holds at.
    pub beside: bool,
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
    /// Change of energy by the impulses at the end.
    pub energy: f64,
}

impl Resting {
    /// A contact that holds as a joint.
    pub fn held(
        c: &Contact,
        hold: Hold,
        points: Vec<ContactPoint>,
        outline: Vec<ContactPoint>,
    ) -> Self {
        Self {
            held: true,
            hold,
            outline,
            restitution: 0.0,
            ..Self::with(c, points)
        }
    }

    /// What a held contact touches at beside the points it holds at, without points yet: it pushes
    /// only, and rubs unless the contact may slip.
    pub fn beside(&self) -> Self {
        Self {
            points: Vec::new(),
            held: false,
            restitution: 0.0,
            friction: match self.hold {
                Hold::Slip => 0.0,
                Hold::Stick | Hold::Patch => self.friction,
            },
            beside: true,
            outline: Vec::new(),
            ..*self
        }
    }

    /// Directions across the normal in which it rubs or holds at one of its points. What sticks does
    /// so at its first point; a patch that may not turn about it holds at the second across the line
    /// to the first, too. That takes all freedom, and no more.
    pub fn across(
        &self,
        p: &ContactPoint,
        poses: &[Pose],
    ) -> impl Iterator<Item = Vector3<f64>> + use<> {
        let mut directions = [None; 2];
        let place = self.points.iter().position(|o| self.held && o == p);
        let both = match place {
            _ if p.freedom.is_some() => false,
            None => self.friction > 0.0,
            Some(k) => k == 0 && self.hold != Hold::Slip,
        };
        if both {
            directions = match place {
                Some(_) => p.tangents(poses),
                None => p.rubbing(&self.grains, poses),
            }
            .map(Some);
        } else if place == Some(1) && self.hold == Hold::Patch {
            let line = p.a.place(poses) - self.points[0].a.place(poses);
            directions[0] = Some(p.normal(poses).cross(&line).normalize());
        }
        directions.into_iter().flatten()
    }

    /// Whether it holds at a point: on the point, the line or the plane that it holds.
    pub fn holds_at(&self, p: &ContactPoint, poses: &[Pose], size: f64) -> bool {
        let Some(first) = self.points.first() else {
            return false;
        };
        // Where along the normal a point lies does not matter: that of a bead is its centre.
        let n = first.normal(poses);
        let off = |p: &ContactPoint| {
            let off = p.a.place(poses) - first.a.place(poses);
            off - n * off.dot(&n)
        };
        self.held
            && match &self.points[..] {
                [] => false,
                [_] => off(p).norm() <= HELD * size,
                [_, q] => off(p).cross(&off(q).normalize()).norm() <= HELD * size,
                [_, _, _, ..] => first.gap_to(p, poses).abs() <= HELD * size,
            }
    }

    /// Bounds where a held contact presses by all of its points at which it touches or holds. What it holds may have
    /// strayed from the plane by what steps are solved to.
    pub fn bound(&mut self, c: &Contact, all: &[ContactPoint], poses: &[Pose], size: f64) {
        let mut outline = std::mem::take(&mut self.outline);
        touching_points(c, all, poses, size, &mut outline);
        let strayed = |p: &&ContactPoint| {
            p.gap(poses) <= HELD * size && self.holds_at(p, poses, size) && !outline.contains(p)
        };
        let strayed: SmallVec<[ContactPoint; 4]> = all.iter().filter(strayed).copied().collect();
        outline.extend(strayed);
        self.outline = outline;
    }

    /// A contact that rests or slides.
    pub fn on(c: &Contact, mut points: Vec<ContactPoint>) -> Self {
        settle_on_rim(&mut points);
        Self::with(c, points)
    }

    /// A contact with these points.
    fn with(c: &Contact, points: Vec<ContactPoint>) -> Self {
        Self {
            points,
            caught: false,
            ..Self::caught(c.pair, c.key, c.surface, c.row.features)
        }
    }

    /// Gives back its lists.
    pub fn give_back(self, spare: &mut Spare<ContactPoint>) {
        spare.give(self.points);
        spare.give(self.outline);
    }

    /// A contact that closes within the step, without points yet.
    pub fn caught(pair: Pair, key: Key, surface: Touching, features: [Option<Feature>; 2]) -> Self {
        Self {
            pair,
            key,
            friction: surface.friction,
            grains: surface.grains,
            restitution: surface.restitution,
            rolling: surface.rolling,
            torsional: surface.torsional,
            features,
            points: Vec::new(),
            held: false,
            hold: Hold::default(),
            outline: Vec::new(),
            caught: true,
            beside: false,
        }
    }
}

/// Where a round end touches at several points, all of them stay where they are on it: the lowest of a rim that rocks
/// may be anywhere on it after a step, and the others carry, too.
pub fn settle_on_rim(points: &mut [ContactPoint]) {
    if points.len() > 2 {
        for p in points {
            if matches!(p.roll, Roll::Circle { radius, .. } if radius > 0.0) {
                p.roll = Roll::Fixed;
            }
        }
    }
}
