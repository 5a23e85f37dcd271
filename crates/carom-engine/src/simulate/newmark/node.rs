//! The ends of a step of Newmark's scheme.

use carom_gap::Pose;

use crate::mechanics::{NO_WRENCH, Twist, Wrench, wrench_vector};
use crate::model::Model;

/// Configuration and forces at one end of a step.
#[derive(Debug)]
pub(super) struct Node {
    pub poses: Vec<Pose>,
    pub twists: Vec<Twist>,
    /// Linear and angular momentum, the latter about the centre of mass.
    pub momenta: Vec<Wrench>,
    /// All forces, those that do not depend on velocities, and those of controls and loads.
    pub forces: Vec<Wrench>,
    pub still: Vec<Wrench>,
    pub loads: Vec<Wrench>,
    /// Forces on the bodies whose motion is given, one by one.
    pub taken: Vec<Wrench>,
    /// The part of all forces that comes from nodes that are held and from contact, about the origin.
    pub held_up: Wrench,
    /// Power of the drag of contacts.
    pub drag_power: f64,
    /// Power of dampers and drag.
    pub damping_power: f64,
}

impl Node {
    pub fn new(model: &Model, given: usize) -> Self {
        let n = model.bodies().len();
        Self {
            poses: model.bodies().iter().map(|b| b.start).collect(),
            twists: vec![Twist::default(); n],
            momenta: vec![NO_WRENCH; n],
            forces: vec![NO_WRENCH; n],
            still: vec![NO_WRENCH; n],
            loads: vec![NO_WRENCH; n],
            taken: vec![NO_WRENCH; given],
            held_up: NO_WRENCH,
            drag_power: 0.0,
            damping_power: 0.0,
        }
    }

    /// Size of the momentum of a body.
    pub fn momentum_size(&self, k: usize) -> f64 {
        wrench_vector(&self.momenta[k]).amax()
    }
}

/// a (1 − w) + b w.
pub(super) fn blend(a: &Wrench, b: &Wrench, w: f64) -> Wrench {
    Wrench {
        force: a.force * (1.0 - w) + b.force * w,
        torque: a.torque * (1.0 - w) + b.torque * w,
    }
}

/// a + b · factor.
pub(super) fn add(a: &Wrench, b: &Wrench, factor: f64) -> Wrench {
    Wrench {
        force: a.force + b.force * factor,
        torque: a.torque + b.torque * factor,
    }
}
