//! Columns of contact forces: means over the time since the frame before, impacts included, so that
//! forces times times between frames add up to what contacts gave.

use super::columns::{Column, XYZ};
use super::{PairImpulse, sum_on};
use crate::contact::{Side, colliding_sides, possible_pairs};
use crate::model::{BodyKind, Model};

/// Most pairs that have columns of their own.
const MOST_PAIRS: usize = 64;

/// What contact forces are recorded of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ForceColumns {
    /// Everything that collides, and whether it can be turned.
    sides: Vec<(Side, bool)>,
    /// Pairs that may meet, unless they are too many.
    pairs: Vec<[Side; 2]>,
}

impl ForceColumns {
    /// Of everything in a model that collides.
    pub fn new(model: &Model) -> Self {
        let turns = |side: &Side| matches!(side, Side::Body(b) if matches!(model.body(*b).kind, BodyKind::Rigid { .. }));
        let sides = colliding_sides(model).into_iter();
        Self {
            sides: sides.map(|side| (side, turns(&side))).collect(),
            pairs: possible_pairs(model, MOST_PAIRS).unwrap_or_default(),
        }
    }

    /// Names, units and meanings.
    pub fn describe(&self, model: &Model, add: &mut dyn FnMut(Column)) {
        let when = "mean since the frame before, impacts included; none at the first frame (NaN)";
        let mut push = |name: String, unit, frame, meaning: String| {
            add(Column {
                name,
                unit,
                frame,
                meaning: format!("{meaning}: {when}"),
            })
        };
        for (side, turns) in &self.sides {
            let name = side.name(model);
            for c in XYZ {
                let meaning = format!("force of all contacts on {name}, {c}");
                push(format!("{name}.contact.force.{c}"), "N", "world", meaning);
            }
            for c in XYZ.iter().filter(|_| *turns) {
                let meaning =
                    format!("torque of all contacts on {name} about its centre of mass, {c}");
                push(
                    format!("{name}.contact.torque.{c}"),
                    "N m",
                    "world",
                    meaning,
                );
            }
        }
        for pair in &self.pairs {
            let [a, b] = pair.map(|side| side.name(model));
            for c in XYZ {
                let meaning = format!("contact force of {b} on {a}, {c}");
                push(format!("contact.{a}.{b}.force.{c}"), "N", "world", meaning);
            }
            for (part, what) in [("normal", "along the normal"), ("tangential", "across it")] {
                let meaning = format!("contact force between {a} and {b} {what}");
                push(format!("contact.{a}.{b}.{part}"), "N", "", meaning);
            }
        }
    }

    /// The values from what contacts gave in a time.
    pub fn row(&self, time: f64, impulses: &[PairImpulse], row: &mut Vec<f64>) {
        let mean = |impulse: f64| match time > 0.0 {
            true => impulse / time,
            false => f64::NAN,
        };
        for (side, turns) in &self.sides {
            let sum = sum_on(impulses, *side);
            row.extend(sum.force.iter().map(|f| mean(*f)));
            if *turns {
                row.extend(sum.torque.iter().map(|t| mean(*t)));
            }
        }
        for pair in &self.pairs {
            let found = impulses.binary_search_by_key(pair, |i| i.sides);
            let values = found.map_or([0.0; 5], |k| {
                let i = &impulses[k];
                [
                    i.impulse.x,
                    i.impulse.y,
                    i.impulse.z,
                    i.normal,
                    i.tangential(),
                ]
            });
            row.extend(values.map(mean));
        }
    }
}
