//! Directions in which something pushes at a node: covectors over its coordinates.
//!
//! What holds a distance pushes along its gradient. What touches at a point that moves over both bodies pushes along the
//! way of that [point](super::contact_point), which belongs to no function of the coordinates.

use super::contact_point::ContactPoint;
use super::poly::Poly;

/// a(q).
#[derive(Clone, Debug)]
pub(crate) enum Push {
    /// ∇g(q).
    Gradient(Poly),
    /// A direction where two bodies touch.
    Point(Box<ContactPoint>),
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
            Self::Point(_) => None,
        }
    }

    /// Coordinates that it acts on or depends on; one may come more than once.
    pub fn used(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        match self {
            Self::Gradient(g) => Box::new(g.used()),
            Self::Point(p) => Box::new(p.used()),
        }
    }

    /// Calls `each` with the parts of a(q); an index may come more than once.
    pub fn vector(&self, q: &[f64], each: impl FnMut(usize, f64)) {
        match self {
            Self::Gradient(g) => g.gradient(q, each),
            Self::Point(p) => p.vector(q, each),
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
        }
    }

    /// Second derivatives of η · a(q) with η held, as products (i, j, b): Σ b (eᵢ eⱼᵀ + eⱼ eᵢᵀ).
    pub fn bend(&self, q: &[f64], eta: &[f64]) -> Vec<(usize, usize, f64)> {
        match self {
            Self::Gradient(g) => g.bend(eta).collect(),
            Self::Point(p) => p.bend(q, eta),
        }
    }
}
