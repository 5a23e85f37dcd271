//! What happened at a contact, for the record.

use carom_gap::gap::Feature;
use nalgebra::Vector3;

use crate::contact::Pair;
use crate::model::Model;

/// Kinds of contact events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactKind {
    /// Bodies met and momentum jumped.
    Impact,
    /// A resting contact holds by friction, or a plastic one closed and holds.
    Stick,
    /// A resting contact slides.
    Slide,
    /// A contact came to rest: it carries force from now on.
    Rest,
    /// A resting or held contact opened.
    Release,
}

impl ContactKind {
    /// Name in files.
    pub fn name(self) -> &'static str {
        match self {
            ContactKind::Impact => "impact",
            ContactKind::Stick => "stick",
            ContactKind::Slide => "slide",
            ContactKind::Rest => "rest",
            ContactKind::Release => "release",
        }
    }
}

/// A contact event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    /// When.
    pub time: f64,
    /// What happened.
    pub kind: ContactKind,
    /// Who.
    pub pair: Pair,
    /// The parts of the two bodies that touch; `None` for beads, walls and limits.
    pub features: [Option<Feature>; 2],
    /// Where.
    pub point: Vector3<f64>,
    /// Unit normal from the second to the first; zero for limits.
    pub normal: Vector3<f64>,
    /// Impulse on the first, in N s; zero for limits.
    pub impulse: Vector3<f64>,
    /// Its part along the normal (on the limited coordinate for limits).
    pub normal_impulse: f64,
    /// Length of its part across the normal.
    pub tangential_impulse: f64,
    /// Rate of the gap before.
    pub speed_before: f64,
    /// Rate of the gap after.
    pub speed_after: f64,
    /// Change of kinetic energy by this contact, in J.
    pub energy: f64,
}

impl ContactEvent {
    /// An event without impulse, speeds and energy.
    pub(super) fn at(
        time: f64,
        kind: ContactKind,
        pair: Pair,
        point: Vector3<f64>,
        normal: Vector3<f64>,
    ) -> Self {
        Self {
            time,
            kind,
            pair,
            features: [None; 2],
            point,
            normal,
            impulse: Vector3::zeros(),
            normal_impulse: 0.0,
            tangential_impulse: 0.0,
            speed_before: 0.0,
            speed_after: 0.0,
            energy: 0.0,
        }
    }

    /// Names of the two sides.
    pub fn names(&self, model: &Model) -> [String; 2] {
        self.pair.names(model)
    }

    /// The event in a line, with names: `t = 0.285 s: impact of cube on floor, 1.2 N s`.
    pub fn describe(&self, model: &Model) -> String {
        let [a, b] = self.names(model);
        let (kind, time) = (self.kind.name(), self.time);
        let impulse = self.normal_impulse.hypot(self.tangential_impulse);
        match self.kind {
            ContactKind::Release => format!("t = {time:.6} s: {a} leaves {b}"),
            _ => format!("t = {time:.6} s: {kind} of {a} on {b}, {impulse:.4e} N s"),
        }
    }

    /// What touches on each side: vertex, edge, face, bead, wall or limit.
    pub fn feature_names(&self) -> [&'static str; 2] {
        let sides = self.pair.sides();
        std::array::from_fn(|k| match self.features[k] {
            Some(Feature::Vertex) => "vertex",
            Some(Feature::Edge) => "edge",
            Some(Feature::Face) => "face",
            None => sides[k],
        })
    }
}
