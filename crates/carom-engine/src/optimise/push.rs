//! Directions in which something pushes at a node: covectors over its coordinates.
//!
//! What holds a distance pushes along its gradient. What touches at a point that moves over both bodies pushes along the
//! way of that [point](super::contact_point), which belongs to no function of the coordinates.

use nalgebra::Vector3;

use super::contact_point::ContactPoint;
use super::poly::Poly;
use crate::mechanics::hat;

/// a(q).
#[derive(Clone, Debug)]
pub(crate) enum Push {
    /// ∇g(q).
    Gradient(Poly),
    /// A direction where two bodies touch.
    Point(Box<ContactPoint>),
    /// A torque about a unit vector on a body whose directors begin at a coordinate: ½ e × d_i on each.
    Torque {
        directors: usize,
        axis: Vector3<f64>,
    },
}

impl From<Poly> for Push {
    fn from(gap: Poly) -> Self {
        Self::Gradient(gap)
    }
}

impl From<&Poly> for Push {
    fn from(gap: &Poly) -> Self {
        gap.clone().into()
    }
}

impl From<ContactPoint> for Push {
    fn from(point: ContactPoint) -> Self {
        Self::Point(Box::new(point))
    }
}

impl From<&Push> for Push {
    fn from(push: &Push) -> Self {
        push.clone()
    }
}

impl Push {
    /// What is held, if it is a function of the coordinates.
    pub fn held(&self) -> Option<&Poly> {
        match self {
            Self::Gradient(g) => Some(g),
            Self::Point(_) | Self::Torque { .. } => None,
        }
    }

    /// Coordinates that it acts on or depends on; one may come more than once.
    pub fn used(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match self {
            Self::Gradient(g) => Box::new(g.used()),
            Self::Point(p) => Box::new(p.used()),
            Self::Torque { directors, .. } => Box::new(*directors..*directors + 9),
        }
    }

    /// Calls `each` with the parts of a(q); an index may come more than once.
    pub fn vector(&self, q: &[f64], mut each: impl FnMut(usize, f64)) {
        match self {
            Self::Gradient(g) => g.gradient(q, each),
            Self::Point(p) => p.vector(q, each),
            Self::Torque { directors, axis } => {
                for i in 0..3 {
                    let at = directors + 3 * i;
                    let d = Vector3::new(q[at], q[at + 1], q[at + 2]);
                    let half = axis.cross(&d) * 0.5;
                    (0..3).for_each(|k| each(at + k, half[k]));
                }
            }
        }
    }

    /// Parts b = ∂aᵢ/∂qⱼ as (i, j, b).
    pub fn slope(&self, q: &[f64]) -> Vec<(usize, usize, f64)> {
        match self {
            Self::Gradient(g) => {
                let second = g.second(q).into_iter();
                second
                    .flat_map(|(i, j, b)| [(i, j, b), (j, i, b)])
                    .collect()
            }
            Self::Point(p) => p.slope(q),
            Self::Torque { directors, axis } => {
                let half = hat(axis) * 0.5;
                let places = (0..3).flat_map(|i| (0..9).map(move |k| (directors + 3 * i, k)));
                places
                    .map(|(at, k)| (at + k / 3, at + k % 3, half[(k / 3, k % 3)]))
                    .collect()
            }
        }
    }

    /// Second derivatives of η · a(q) with η held, as products (i, j, b): Σ b (eᵢ eⱼᵀ + eⱼ eᵢᵀ).
    pub fn bend(&self, q: &[f64], eta: &[f64]) -> Vec<(usize, usize, f64)> {
        match self {
            Self::Gradient(g) => g.bend(eta).collect(),
            Self::Point(p) => p.bend(q, eta),
            Self::Torque { .. } => Vec::new(),
        }
    }
}
