//! Directions in which something pushes at a node: covectors over its coordinates.
//!
//! What holds a distance pushes along its gradient. A ball that rubs pushes along the way of its lowest point, which
//! belongs to no function of the coordinates: it may roll to another place and back by another way.

use super::poly::Poly;

/// a(q) = ∇g(q) + Σ pᵢ(q) eᵢ.
#[derive(Clone, Debug, Default)]
pub(crate) struct Push {
    /// g.
    pub along: Poly,
    /// (i, pᵢ), what is no gradient.
    pub rolling: Vec<(usize, Poly)>,
}

impl From<Poly> for Push {
    fn from(along: Poly) -> Self {
        Self {
            along,
            rolling: Vec::new(),
        }
    }
}

impl From<&Poly> for Push {
    fn from(along: &Poly) -> Self {
        along.clone().into()
    }
}

impl From<&Push> for Push {
    fn from(push: &Push) -> Self {
        push.clone()
    }
}

impl Push {
    /// Coordinates that it acts on or depends on.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        let rolling = self.rolling.iter();
        self.along
            .used()
            .chain(rolling.flat_map(|(i, p)| [*i].into_iter().chain(p.used())))
    }

    /// Calls `each` with the parts of a(q); an index may come more than once.
    pub fn vector(&self, q: &[f64], mut each: impl FnMut(usize, f64)) {
        self.along.gradient(q, &mut each);
        self.rolling.iter().for_each(|(i, p)| each(*i, p.value(q)));
    }

    /// Parts b = ∂aᵢ/∂qⱼ as (i, j, b).
    pub fn slope(&self, q: &[f64]) -> Vec<(usize, usize, f64)> {
        let second = self.along.second(q).into_iter();
        let mut out: Vec<_> = second
            .flat_map(|(i, j, b)| [(i, j, b), (j, i, b)])
            .collect();
        for (i, p) in &self.rolling {
            p.gradient(q, |j, b| out.push((*i, j, b)));
        }
        out
    }

    /// Second derivatives of η · a(q) with η held, as products (i, j, b): Σ b (eᵢ eⱼᵀ + eⱼ eᵢᵀ).
    pub fn bend(&self, q: &[f64], eta: &[f64]) -> Vec<(usize, usize, f64)> {
        let mut out: Vec<_> = self.along.bend(eta).collect();
        for (i, p) in &self.rolling {
            let own = p.second(q).into_iter();
            out.extend(own.map(|(j, k, b)| (j, k, eta[*i] * b)));
        }
        out
    }
}
