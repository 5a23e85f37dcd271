//! Boxes with sides along the inertial axes.

use crate::{Pose, Vertices};
use nalgebra::Vector3;

/// A box with sides along the inertial axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lower corner.
    pub min: Vector3<f64>,
    /// Upper corner.
    pub max: Vector3<f64>,
}

impl Aabb {
    /// The box around a body at a pose.
    ///
    /// ```
    /// use carom_gap::{Aabb, Pose, Vertices};
    /// use nalgebra::Vector3;
    /// let rod = Vertices::new(&[-Vector3::x(), Vector3::x()]);
    /// let around = Aabb::of(&rod, &Pose::planar(5.0, 0.0, std::f64::consts::FRAC_PI_2));
    /// assert!((around.max - Vector3::new(5.0, 1.0, 0.0)).norm() < 1e-15);
    /// ```
    pub fn of(vertices: &Vertices, pose: &Pose) -> Self {
        let (mut min, mut max) = (pose.position, pose.position);
        for axis in 0..3 {
            let direction = pose.directors.row(axis).transpose();
            let (low, high) = vertices.extent(&direction);
            max[axis] += high;
            min[axis] += low;
            // A pose that is not a number may be anywhere.
            if max[axis].is_nan() || min[axis].is_nan() || min[axis] > max[axis] {
                (min[axis], max[axis]) = (f64::NEG_INFINITY, f64::INFINITY);
            }
        }
        Self { min, max }
    }

    /// The box moved out by `margin` on all sides.
    pub fn expanded(&self, margin: f64) -> Self {
        Self {
            min: self.min.add_scalar(-margin),
            max: self.max.add_scalar(margin),
        }
    }

    /// The box around both.
    pub fn merged(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// Whether the boxes share a point; true if a coordinate is not a number.
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| !(self.min[k] > other.max[k] || other.min[k] > self.max[k]))
    }

    /// Whether `other` lies within this box.
    pub fn contains(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.min[k] && other.max[k] <= self.max[k])
    }
}
