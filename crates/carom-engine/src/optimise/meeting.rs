//! What touches by plan: impacts between phases, contacts that are closed in them, contacts by potentials, and those to
//! choose from.

use crate::contact::{Pair, Side};
use crate::model::{BodyId, Hold, JointId, Model};

/// What happens between two phases.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Transition {
    /// Momentum goes on, but for what closes as the next phase begins.
    #[default]
    Smooth,
    /// Bodies meet, at once, and rebound by the simulator's law.
    Impact(Vec<Impact>),
}

/// Two that meet by plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Who meets.
    pub between: Meeting,
    /// Restitution e.
    pub restitution: f64,
    /// Whether a whole face of the first lands at once, all its vertices together.
    pub flat: bool,
}

/// A contact that is closed throughout a phase: a joint at what touches where it closes. Where on the
/// surface that is, is found with everything else.
///
/// It pushes and never pulls: its impulses along the normal are not negative, and where it is let go the
/// last one is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closed {
    /// Who touches.
    pub between: Meeting,
    /// As which joint it holds.
    pub hold: Hold,
    /// Friction that must be enough for it to hold; none for a joint that holds whatever that takes.
    pub friction: Option<f64>,
}

/// Who meets in a planned contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meeting {
    /// Two bodies.
    Bodies(BodyId, BodyId),
    /// A body and a half-space of the model, by its index.
    Wall(BodyId, usize),
    /// A coordinate of a joint and its limit.
    Limit {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
        /// Whether it is the upper limit.
        upper: bool,
    },
}

impl Meeting {
    /// The bodies that meet: none where a joint comes to its limit.
    pub(crate) fn bodies(&self) -> Vec<BodyId> {
        match *self {
            Self::Bodies(a, b) => vec![a, b],
            Self::Wall(a, _) => vec![a],
            Self::Limit { .. } => Vec::new(),
        }
    }

    /// Whether a pair is one of those who meet, whichever is named first.
    pub(crate) fn is_of(&self, model: &Model, pair: &Pair) -> bool {
        let sides = match *self {
            Self::Bodies(a, b) => [Side::Body(a), Side::Body(b)],
            Self::Wall(a, wall) => [Side::Body(a), Side::Wall(wall)],
            Self::Limit {
                joint, coordinate, ..
            } => {
                let place = model.find_joint(joint);
                return matches!(*pair, Pair::JointLimit { joint: j, coordinate: c, .. }
                    if place == Some(j) && coordinate == c);
            }
        };
        let [a, b] = pair.who();
        sides == [a, b] || sides == [b, a]
    }
}

/// What happens at a planned contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Bodies meet and rebound.
    Impact,
    /// They meet and hold.
    Stick,
    /// They let go.
    Release,
}

impl Touch {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Touch::Impact => "impact",
            Touch::Stick => "stick",
            Touch::Release => "release",
        }
    }
}

/// Contacts that a plan may use, and how many of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequences {
    /// The contacts to choose from.
    pub contacts: Vec<Impact>,
    /// Most impacts of a plan.
    pub most: usize,
    /// Steps of each phase of the coarse grid.
    pub coarse_steps: usize,
}

/// A contact by a potential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// Who touches. A body on a half-space does so with all its vertices, two bodies with the feature
    /// that is nearest at the start.
    pub between: Meeting,
    /// C in N/m.
    pub stiffness: f64,
    /// The length d in m that the search begins with.
    pub smoothing: f64,
}
