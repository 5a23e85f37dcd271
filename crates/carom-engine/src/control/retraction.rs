//! Maps from rotation vectors to rotations, and their right-trivialised tangents.

use nalgebra::{Matrix3, Vector3};

use crate::mechanics::{dexp, dexp_inverse, exp_minus_identity, hat, log};

type Vec3 = Vector3<f64>;
type Mat3 = Matrix3<f64>;

/// A map ϑ from rotation vectors to rotations, whose inverse measures errors of orientation.
///
/// ```
/// use carom::control::Retraction;
/// use nalgebra::Vector3;
/// let xi = Vector3::new(0.1, -0.4, 0.2);
/// for map in [Retraction::Exponential, Retraction::Cayley] {
///     assert!((map.inverse(&map.map(&xi)) - xi).norm() < 1e-14);
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retraction {
    /// exp: the error is axis times angle.
    #[default]
    Exponential,
    /// cay ξ = (I − ξ/2)⁻¹ (I + ξ/2): the error is axis times 2 tan(angle/2).
    Cayley,
}

impl Retraction {
    /// ϑ(ξ).
    pub fn map(self, xi: &Vec3) -> Mat3 {
        match self {
            Retraction::Exponential => Mat3::identity() + exp_minus_identity(xi),
            Retraction::Cayley => {
                let x = hat(xi) * 0.5;
                let scale = 2.0 / (1.0 + 0.25 * xi.norm_squared());
                Mat3::identity() + (x + x * x) * scale
            }
        }
    }

    /// ϑ⁻¹(R). At a half turn, the cut locus, the exponential map has two answers, of which one is given, and
    /// Cayley's none: it grows beyond all bounds.
    pub fn inverse(self, r: &Mat3) -> Vec3 {
        match self {
            Retraction::Exponential => log(r),
            Retraction::Cayley => {
                // 2 sin θ times the axis over 2 (1 + cos θ), twice.
                let axial = Vec3::new(
                    r[(2, 1)] - r[(1, 2)],
                    r[(0, 2)] - r[(2, 0)],
                    r[(1, 0)] - r[(0, 1)],
                );
                axial * (2.0 / (1.0 + r.trace()))
            }
        }
    }

    /// The right-trivialised tangent dϑ_ξ: d/dt ϑ(ξ) = (dϑ_ξ ξ̇)^ ϑ(ξ), thesis (4.35), (4.37a), (4.38a).
    pub fn tangent(self, xi: &Vec3) -> Mat3 {
        match self {
            Retraction::Exponential => dexp(xi),
            Retraction::Cayley => {
                (Mat3::identity() + hat(xi) * 0.5) * (1.0 / (1.0 + 0.25 * xi.norm_squared()))
            }
        }
    }

    /// Its inverse, thesis (4.37b), (4.38b).
    pub fn tangent_inverse(self, xi: &Vec3) -> Mat3 {
        match self {
            Retraction::Exponential => dexp_inverse(xi),
            Retraction::Cayley => Mat3::identity() - hat(xi) * 0.5 + xi * xi.transpose() * 0.25,
        }
    }
}
