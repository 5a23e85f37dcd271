//! The height of a vertex above a plane at a place.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::place::Place;
use super::planes::Plane;

/// The two bodies of a plane at a place.
pub(crate) struct Heights {
    pub(super) plane: Plane,
    pub(super) place: Place,
    pub(super) normal: Vector3<f64>,
    pub(super) offset: f64,
    /// Holder, and the other body.
    pub(super) bodies: [usize; 2],
    pub(super) poses: [Pose; 2],
}

impl Heights {
    /// φ' + D' v − φ.
    pub(super) fn across(&self, v: &Vector3<f64>) -> Vector3<f64> {
        self.poses[1].point(v) - self.poses[0].position
    }

    /// Height of a vertex.
    pub fn value(&self, v: &Vector3<f64>) -> f64 {
        let n = self.poses[0].directors * self.normal;
        n.dot(&self.across(v)) - self.offset
    }

    /// Whether it serves a row of this plane at this place.
    pub fn is_at(&self, plane: usize, place: Place) -> bool {
        self.plane.index == plane && self.place == place
    }
}
