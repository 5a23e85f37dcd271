//! Forces: gravity, pair potentials between points, dampers, drag, user potentials.

use std::fmt;
use std::sync::Arc;

use nalgebra::{DMatrix, Vector3};

use super::{BodyId, Influence, Solid};

/// A point fixed in a body (body frame), or in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The body; `None` is the world.
    pub body: Option<BodyId>,
    /// Coordinates in the body frame.
    pub local: Vector3<f64>,
}

/// Potential V(r) of the distance r of two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PairLaw {
    /// ½ k (r − l)².
    Spring {
        /// Stiffness k.
        stiffness: f64,
        /// Length l without force.
        rest_length: f64,
    },
    /// c / r with c = K q₁ q₂.
    Coulomb {
        /// Coulomb constant times both charges.
        strength: f64,
    },
}

impl PairLaw {
    /// V, V′ and V″ at distance r.
    pub fn at(&self, r: f64) -> [f64; 3] {
        match self {
            PairLaw::Spring {
                stiffness,
                rest_length,
            } => {
                let stretch = r - rest_length;
                [
                    0.5 * stiffness * stretch * stretch,
                    stiffness * stretch,
                    *stiffness,
                ]
            }
            PairLaw::Coulomb { strength } => {
                let v = strength / r;
                [v, -v / r, 2.0 * v / (r * r)]
            }
        }
    }
}

impl PairLaw {
    /// V‴ at distance r.
    pub fn third(&self, r: f64) -> f64 {
        match self {
            PairLaw::Spring { .. } => 0.0,
            PairLaw::Coulomb { strength } => -6.0 * strength / r.powi(4),
        }
    }
}

/// A potential between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPotential {
    /// First point.
    pub a: Point,
    /// Second point.
    pub b: Point,
    /// Its law.
    pub law: PairLaw,
}

/// A dashpot between two points: force −c ṙ along the line that joins them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damper {
    /// First point.
    pub a: Point,
    /// Second point.
    pub b: Point,
    /// Coefficient c.
    pub coefficient: f64,
}

/// Drag of the surroundings on a body: force −c v, torque −c_θ ω.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// The body.
    pub body: BodyId,
    /// Coefficient c of the velocity of the centre of mass.
    pub linear: f64,
    /// Coefficient c_θ of the angular velocity.
    pub angular: f64,
}

/// A potential of the user's own: a function of the coordinates of some bodies.
///
/// `q` holds the coordinates of [`bodies`](Self::bodies) one after the other: twelve for a rigid
/// body, three for a particle.
pub trait UserPotential: Send + Sync {
    /// Bodies it depends on.
    fn bodies(&self) -> &[BodyId];
    /// V(q).
    fn value(&self, q: &[f64]) -> f64;
    /// ∂V/∂q.
    fn gradient(&self, q: &[f64], gradient: &mut [f64]);
    /// ∂²V/∂q², symmetric.
    fn hessian(&self, q: &[f64], hessian: &mut DMatrix<f64>);
}

/// All forces of a model.
#[derive(Clone, Default)]
pub struct Forces {
    /// Acceleration of gravity.
    pub gravity: Vector3<f64>,
    /// Springs and charges.
    pub pairs: Vec<PairPotential>,
    /// Dashpots.
    pub dampers: Vec<Damper>,
    /// Drag.
    pub drags: Vec<Drag>,
    /// Elastic bodies: elements between points.
    pub solids: Vec<Solid>,
    /// Solenoids and fields.
    pub influences: Vec<Influence>,
    /// The user's own.
    pub user: Vec<Arc<dyn UserPotential>>,
}

impl fmt::Debug for Forces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forces")
            .field("gravity", &self.gravity)
            .field("pairs", &self.pairs)
            .field("dampers", &self.dampers)
            .field("drags", &self.drags)
            .field("influences", &self.influences)
            .field("solids", &self.solids.len())
            .field("user", &self.user.len())
            .finish()
    }
}
