//! What a joint keeps common to the parts of two bodies: a point, or the points of an axis.
//!
//! Bodies that share a vertex touch there always. The plane between them goes through it, and no row
//! asks whether they are apart at that place.

use carom_gap::gap::Side;
use nalgebra::Vector3;

use crate::contact::Pair;
use crate::model::{JointKind, Model};

/// Distance, in m, up to which a vertex lies on a joint.
const ON: f64 = 1e-9;

/// The common points of two bodies, in the frame of each.
#[derive(Clone, Debug)]
pub(crate) struct Hinge {
    points: [Vector3<f64>; 2],
    /// Zero if there is a single point.
    axes: [Vector3<f64>; 2],
}

impl Hinge {
    /// The hinge of a pair, if a revolute or spherical joint holds its bodies.
    pub fn of(model: &Model, pair: &Pair) -> Option<Self> {
        let [a, b] = pair.bodies();
        let (a, b) = (a?, b?);
        let joint = model.joints().iter().find(|j| {
            let ends = (j.parent, j.child);
            ends == (Some(a), b) || ends == (Some(b), a)
        })?;
        let axis = match joint.kind {
            JointKind::Spherical => Vector3::zeros(),
            JointKind::Revolute => joint.axis,
            _ => return None,
        };
        let mut out = Self {
            points: [joint.anchor_parent, joint.anchor_child],
            axes: [axis, joint.relative.tr_mul(&axis)],
        };
        if joint.child == a {
            out.points.reverse();
            out.axes.reverse();
        }
        Some(out)
    }

    /// The margin of a pair: none if its bodies touch always.
    pub fn margin(hinge: Option<&Self>, margin: f64) -> f64 {
        if hinge.is_some() { 0.0 } else { margin }
    }

    /// Whether a vertex of one of the bodies is common to both.
    pub fn holds(&self, side: Side, vertex: &Vector3<f64>) -> bool {
        let (point, axis) = (self.points[side as usize], self.axes[side as usize]);
        let away = vertex - point;
        (away - axis * axis.dot(&away)).norm() <= ON
    }
}
