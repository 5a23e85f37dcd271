//! Pairs that one joint moves: a base that turns on a table, a carriage on its rail.
//!
//! Where a body can only turn about, or slide along, an axis fixed in the world, its gap to what stands still is a
//! function of one number. Pairs that keep their margin all the way need no rows; and rows of a gap that never
//! changes would leave their planes no room at all, which no interior-point method bears.

use std::f64::consts::PI;

use carom_gap::Pose;
use nalgebra::{Rotation3, Vector3};

use super::gaps;
use crate::contact::Pair;
use crate::model::{BodyId, Joint, JointKind, Model};

/// Places of the way that are looked at.
const LOOKS: usize = 128;
/// Gaps that differ by less, in sizes of the largest part, are the same.
const SAME: f64 = 1e-9;

/// Whether a pair keeps `margin` wherever its joint leads it. The poses are those of any moment.
pub(super) fn stays_apart(model: &Model, pair: &Pair, poses: &[Pose], margin: f64) -> bool {
    let sides = pair.bodies();
    let moves = |b: &BodyId| model.body(*b).moves();
    let moving: Vec<BodyId> = sides.into_iter().flatten().filter(moves).collect();
    let [body] = moving[..] else {
        return false;
    };
    let Some(way) = Way::of(model, body) else {
        return false;
    };
    let mut here = poses.to_vec();
    let mut warm = None;
    let (mut least, mut largest) = (f64::INFINITY, f64::NEG_INFINITY);
    for k in 0..=LOOKS {
        here[body.index()] = way.pose(&poses[body.index()], k as f64 / LOOKS as f64);
        let gap = gaps::value(model, pair, &here, &mut warm);
        (least, largest) = (least.min(gap), largest.max(gap));
    }
    let round_off = SAME * gaps::largest_part(model);
    let constant = largest - least <= round_off && least >= margin - round_off;
    // Between two places the gap falls by no more than half of what lies between them.
    let shape = model.bodies()[body.index()].shape.as_ref();
    let parts = shape.into_iter().flat_map(|s| s.vertices());
    let reach = parts.map(|v| v.reach()).fold(0.0, f64::max);
    constant || least - way.between(&poses[body.index()], reach) >= margin
}

/// All the places that a joint to the world lets a body have.
struct Way {
    /// A point of the axis and its direction.
    anchor: Vector3<f64>,
    axis: Vector3<f64>,
    /// How far it slides either way; turns are whole.
    slide: Option<f64>,
}

impl Way {
    fn of(model: &Model, body: BodyId) -> Option<Self> {
        let own = |j: &&Joint| j.child == body && j.parent.is_none();
        let joint = model.joints().iter().find(own)?;
        let slide = match joint.kind {
            JointKind::Revolute => None,
            JointKind::Prismatic => {
                let [low, high] = joint.limits.first().copied().flatten()?;
                Some(high - low)
            }
            _ => return None,
        };
        Some(Self {
            anchor: joint.anchor_parent,
            axis: joint.axis,
            slide,
        })
    }

    /// The pose at a part s of the way.
    fn pose(&self, from: &Pose, s: f64) -> Pose {
        match self.slide {
            Some(most) => Pose {
                position: from.position + self.axis * (2.0 * s - 1.0) * most,
                ..*from
            },
            None => {
                let turn = Rotation3::new(self.axis * (2.0 * PI * s)).into_inner();
                Pose {
                    position: self.anchor + turn * (from.position - self.anchor),
                    directors: turn * from.directors,
                }
            }
        }
    }

    /// How far any point of a body moves in half of what lies between two places.
    fn between(&self, from: &Pose, reach: f64) -> f64 {
        let half = 0.5 / LOOKS as f64;
        match self.slide {
            Some(most) => 2.0 * most * half,
            None => {
                let away = from.position - self.anchor;
                let arm = (away - self.axis * self.axis.dot(&away)).norm();
                2.0 * PI * half * (arm + reach)
            }
        }
    }
}
