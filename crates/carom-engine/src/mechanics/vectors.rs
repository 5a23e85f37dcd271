//! Twists, wrenches and covectors of one body.

use carom_gap::Pose;
pub use carom_gap::gap::Wrench;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::numbers::{Real, vector};

/// Velocity of a body: of its origin, and angular, in inertial axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<T = f64> {
    /// Velocity of the origin.
    pub v: Vector3<T>,
    /// Spatial angular velocity.
    pub w: Vector3<T>,
}

impl Default for Twist {
    fn default() -> Self {
        Self::still()
    }
}

impl<T: Real> Twist<T> {
    /// No motion.
    #[inline]
    pub fn still() -> Self {
        let zero = vector(&Vector3::zeros());
        Self { v: zero, w: zero }
    }
}

impl Twist {
    /// (v, w) as one vector.
    #[inline]
    pub fn vector(&self) -> Vector6<f64> {
        Vector6::new(self.v.x, self.v.y, self.v.z, self.w.x, self.w.y, self.w.z)
    }

    /// From (v, w) as one vector.
    #[inline]
    pub fn from_vector(t: &Vector6<f64>) -> Self {
        Self {
            v: t.fixed_rows::<3>(0).into(),
            w: t.fixed_rows::<3>(3).into(),
        }
    }
}

/// (force, torque) as one vector.
#[inline]
pub fn wrench_vector(w: &Wrench) -> Vector6<f64> {
    let (f, t) = (&w.force, &w.torque);
    Vector6::new(f.x, f.y, f.z, t.x, t.y, t.z)
}

/// (force, torque) from one vector.
#[inline]
pub fn wrench_from(w: &Vector6<f64>) -> Wrench {
    Wrench {
        force: w.fixed_rows::<3>(0).into(),
        torque: w.fixed_rows::<3>(3).into(),
    }
}

/// A wrench of nothing.
pub const NO_WRENCH: Wrench = Wrench {
    force: Vector3::new(0.0, 0.0, 0.0),
    torque: Vector3::new(0.0, 0.0, 0.0),
};

/// An element of T*Q of one body: dual to (φ̇, ḋ₁, ḋ₂, ḋ₃). Momenta p and generalised forces are
/// of this kind. Particles use the first three components only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covector {
    /// Dual to φ̇.
    pub force: Vector3<f64>,
    /// Columns dual to ḋ₁, ḋ₂, ḋ₃.
    pub directors: Matrix3<f64>,
}

impl Default for Covector {
    fn default() -> Self {
        Self {
            force: Vector3::zeros(),
            directors: Matrix3::zeros(),
        }
    }
}

impl Covector {
    /// A force at the point φ + D ρ: (f, ρ₁f, ρ₂f, ρ₃f), see thesis (3.44).
    #[inline]
    pub fn at_point(force: Vector3<f64>, local: &Vector3<f64>) -> Self {
        Self {
            directors: force * local.transpose(),
            force,
        }
    }

    /// A wrench about the origin: a torque τ enters the directors as ½ τ × d_I each.
    #[inline]
    pub fn from_wrench(wrench: &Wrench, directors: &Matrix3<f64>) -> Self {
        Self {
            force: wrench.force,
            directors: super::so3::hat(&wrench.torque) * directors * 0.5,
        }
    }

    /// P_intᵀ y: force and torque Σ d_i × y_i at the given directors.
    #[inline]
    pub fn wrench(&self, directors: &Matrix3<f64>) -> Wrench {
        // Σ d_i × y_i is the axial vector of Y Dᵀ − D Yᵀ.
        let m = self.directors * directors.transpose();
        Wrench {
            force: self.force,
            torque: Vector3::new(
                m[(2, 1)] - m[(1, 2)],
                m[(0, 2)] - m[(2, 0)],
                m[(1, 0)] - m[(0, 1)],
            ),
        }
    }

    /// Product with a change (δφ, δD).
    #[inline]
    pub fn dot(&self, shift: &Vector3<f64>, directors: &Matrix3<f64>) -> f64 {
        self.force.dot(shift) + self.directors.dot(directors)
    }

    /// self + other · factor
    #[inline]
    pub fn add(&mut self, other: &Covector, factor: f64) {
        self.force += other.force * factor;
        self.directors += other.directors * factor;
    }
}

/// [ a  b ; c  d ] of 3 × 3 blocks.
#[inline]
pub fn blocks(
    a: &Matrix3<f64>,
    b: &Matrix3<f64>,
    c: &Matrix3<f64>,
    d: &Matrix3<f64>,
) -> Matrix6<f64> {
    let mut m = Matrix6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(a);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(b);
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(c);
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(d);
    m
}

/// The pose of a particle or body as seen by points fixed in it.
#[inline]
pub(crate) fn arm(pose: &Pose, local: &Vector3<f64>) -> Vector3<f64> {
    pose.directors * local
}
