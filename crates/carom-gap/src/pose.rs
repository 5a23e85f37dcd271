//! Rigid poses in director form: `x = φ + d₁v₁ + d₂v₂ + d₃v₃` (thesis (3.42)).

use nalgebra::{Matrix3, Rotation3, Vector3};

/// Where a body is: the position φ of its origin and its directors d₁, d₂, d₃ as columns.
///
/// The directors are expected to be orthonormal; every query treats them as a plain linear map,
/// so the small drift of an integrator does no harm.
///
/// ```
/// use carom_gap::Pose;
/// use nalgebra::Vector3;
/// let pose = Pose::new(Vector3::new(1.0, 0.0, 0.0), Vector3::z() * std::f64::consts::FRAC_PI_2);
/// let corner = pose.point(&Vector3::new(1.0, 0.0, 0.0));
/// assert!((corner - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position φ of the body's origin.
    pub position: Vector3<f64>,
    /// Directors d₁, d₂, d₃ as columns: the rotation matrix.
    pub directors: Matrix3<f64>,
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

impl Pose {
    /// The pose at the origin with the inertial axes as directors.
    pub fn identity() -> Self {
        Self {
            position: Vector3::zeros(),
            directors: Matrix3::identity(),
        }
    }

    /// A pose from a position and a rotation vector (axis times angle, exponential map).
    pub fn new(position: Vector3<f64>, rotation_vector: Vector3<f64>) -> Self {
        Self {
            position,
            directors: Rotation3::new(rotation_vector).into_inner(),
        }
    }

    /// A pure translation.
    pub fn translation(x: f64, y: f64, z: f64) -> Self {
        Self {
            position: Vector3::new(x, y, z),
            directors: Matrix3::identity(),
        }
    }

    /// A planar pose: position in the plane z = 0 and the angle about e_z.
    pub fn planar(x: f64, y: f64, angle: f64) -> Self {
        Self::new(Vector3::new(x, y, 0.0), Vector3::z() * angle)
    }

    /// The configuration q = (φ, d₁, d₂, d₃) ∈ R¹² as a pose.
    pub fn from_q(q: &[f64; 12]) -> Self {
        Self {
            position: Vector3::from_column_slice(&q[..3]),
            directors: Matrix3::from_column_slice(&q[3..]),
        }
    }

    /// The configuration q = (φ, d₁, d₂, d₃) ∈ R¹² of this pose.
    pub fn to_q(&self) -> [f64; 12] {
        let mut q = [0.0; 12];
        q[..3].copy_from_slice(self.position.as_slice());
        q[3..].copy_from_slice(self.directors.as_slice());
        q
    }

    /// A point of the body frame in the inertial frame.
    #[inline]
    pub fn point(&self, v: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.directors * v
    }

    /// A vector of the body frame in the inertial frame.
    #[inline]
    pub fn vector(&self, v: &Vector3<f64>) -> Vector3<f64> {
        self.directors * v
    }

    /// `Dᵀ d`: an inertial direction seen from the body frame.
    #[inline]
    pub fn direction_to_body(&self, d: &Vector3<f64>) -> Vector3<f64> {
        self.directors.tr_mul(d)
    }

    /// `self ∘ inner`: the pose of something posed at `inner` within this frame.
    pub fn compose(&self, inner: &Pose) -> Pose {
        Pose {
            position: self.point(&inner.position),
            directors: self.directors * inner.directors,
        }
    }

    /// The pose that undoes this one (directors orthonormal).
    pub fn inverse(&self) -> Pose {
        let directors = self.directors.transpose();
        Pose {
            position: -(directors * self.position),
            directors,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q_round_trip_and_inverse() {
        let pose = Pose::new(Vector3::new(0.3, -1.0, 2.0), Vector3::new(0.4, 0.5, -2.0));
        assert_eq!(Pose::from_q(&pose.to_q()), pose);
        let back = pose.compose(&pose.inverse());
        assert!((back.directors - Matrix3::identity()).norm() < 1e-15);
        assert!(back.position.norm() < 1e-15);
    }
}
