//! A basis of the SSH LP and its algebra.
//!
//! A basis is one base vertex of each body and two further columns E₁, E₂, so that
//!
//! ```text
//! t β = p + λ₁E₁ + λ₂E₂,    p = x_base − y_base,    E = x_k − x_base  or  E = y_base − y_k,
//! D = ⟨E₁×E₂, β⟩,  α = E₁×E₂ / D,  λ₁ = −⟨p, E₂×β⟩ / D,  λ₂ = −⟨p, β×E₁⟩ / D,  t = ⟨α, p⟩.
//! ```
//!
//! The λ are the weights of the further vertices, one minus their sum on a body the weight of its
//! base. A column may also be `Free`, a fixed direction whose λ must vanish: the normal of the plane
//! in two-dimensional queries, the directions a cold start has no vertex for yet, and what remains
//! open for flat bodies.

use nalgebra::Vector3;

use super::query::{Query, Side};

/// Weights down to this many units of round-off below zero are accepted as nonnegative.
const WEIGHT_TOLERANCE: f64 = 8.0 * f64::EPSILON;
/// Weights (and, in body sizes, free columns) that cannot be fixed are accepted up to this.
pub(super) const STUCK_TOLERANCE: f64 = 1e-11;
/// A basis is singular when D is below this part of |E₁||E₂|.
const SINGULAR: f64 = 1e-12;

/// What a further column of a basis is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    A,
    B,
    Free,
}

/// The combinatorial part of a solution: which vertices carry it. Kept between queries, it is the
/// warm start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    pub(super) base: [u32; 2],
    pub(super) kind: [Kind; 2],
    pub(super) extra: [u32; 2],
}

/// A basis with its vertices placed and its inverse.
pub(super) struct Tableau {
    pub basis: Basis,
    pub base: [Vector3<f64>; 2],
    extra: [Vector3<f64>; 2],
    /// E₁, E₂.
    e: [Vector3<f64>; 2],
    /// Rows of the inverse: λₖ of a vector is its product with `rows[k]`.
    rows: [Vector3<f64>; 2],
    pub alpha: Vector3<f64>,
    /// Weights of base a, base b, E₁, E₂.
    pub weights: [f64; 4],
    pub singular: bool,
}

impl Basis {
    /// As numbers, to be stored: base of a, base of b, then kind and vertex of the two others.
    pub fn to_words(&self) -> [u32; 6] {
        let kind = self.kind.map(|k| k as u32);
        let [a, b] = self.base;
        [a, b, kind[0], self.extra[0], kind[1], self.extra[1]]
    }

    /// From numbers; `None` if they are no basis.
    pub fn from_words(words: [u32; 6]) -> Option<Self> {
        let kind = |word| match word {
            0 => Some(Kind::A),
            1 => Some(Kind::B),
            2 => Some(Kind::Free),
            _ => None,
        };
        Some(Self {
            base: [words[0], words[1]],
            kind: [kind(words[2])?, kind(words[4])?],
            extra: [words[3], words[5]],
        })
    }

    /// Whether its vertices exist in the bodies of a query.
    pub(super) fn fits(&self, q: &Query) -> bool {
        let fit = |side: Side, i: u32| (i as usize) < q.vertices[side as usize].len();
        fit(Side::A, self.base[0])
            && fit(Side::B, self.base[1])
            && (0..2).all(|k| match self.kind[k] {
                Kind::A => fit(Side::A, self.extra[k]),
                Kind::B => fit(Side::B, self.extra[k]),
                Kind::Free => true,
            })
    }
}

impl Tableau {
    #[inline(always)]
    pub fn place(q: &Query, basis: Basis) -> Self {
        let base = [
            q.place(Side::A, basis.base[0] as usize),
            q.place(Side::B, basis.base[1] as usize),
        ];
        let extra = [0, 1].map(|k| match basis.kind[k] {
            Kind::A => q.place(Side::A, basis.extra[k] as usize),
            Kind::B => q.place(Side::B, basis.extra[k] as usize),
            Kind::Free => Vector3::zeros(),
        });
        Self {
            basis,
            base,
            extra,
            e: free_columns(q, &basis, &base, &extra),
            rows: [Vector3::zeros(); 2],
            alpha: q.beta,
            weights: [1.0, 1.0, 0.0, 0.0],
            singular: false,
        }
    }

    /// Recomputes columns, inverse, α and the weights on the line through `shift`.
    #[inline(always)]
    pub fn invert(&mut self, q: &Query, shift: &Vector3<f64>) {
        let beta = &q.beta;
        for k in 0..2 {
            match self.basis.kind[k] {
                Kind::A => self.e[k] = self.extra[k] - self.base[0],
                Kind::B => self.e[k] = self.base[1] - self.extra[k],
                Kind::Free => {}
            }
        }
        let p = self.base[0] - self.base[1] - shift;
        let [e1, e2] = self.e;
        let r1 = e2.cross(beta);
        let r2 = beta.cross(&e1);
        let n = e1.cross(&e2);
        let d = e1.dot(&r1);
        let regular = d * d > (SINGULAR * SINGULAR) * e1.norm_squared() * e2.norm_squared();
        if !regular {
            self.singular = true;
            return;
        }
        let inverse = 1.0 / d;
        self.rows = [r1 * inverse, r2 * inverse];
        self.alpha = n * inverse;
        let l = [-p.dot(&self.rows[0]), -p.dot(&self.rows[1])];
        self.set_weights(l);
    }

    /// The row that is most infeasible: a negative weight, or a free column that carries weight.
    #[inline(always)]
    pub fn worst_weight(&self, q: &Query) -> Option<usize> {
        let w = &self.weights;
        let free = self.basis.kind[0] == Kind::Free || self.basis.kind[1] == Kind::Free;
        if !free && w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0 && w[3] >= 0.0 {
            return None;
        }
        // Round-off of λ = −⟨p, row⟩.
        let p = q.size();
        let noise = [2, 3].map(|r| WEIGHT_TOLERANCE * (1.0 + p * self.rows[r - 2].abs().sum()));
        let mut worst = 0.0;
        let mut row = None;
        for r in 0..4 {
            let (below, noise) = if r < 2 {
                (-w[r], noise[0] + noise[1])
            } else if self.basis.kind[r - 2] == Kind::Free {
                (w[r].abs(), noise[r - 2])
            } else {
                (-w[r], noise[r - 2])
            };
            if below > noise && below > worst {
                worst = below;
                row = Some(r);
            }
        }
        row
    }

    /// Rate of weight `row` when vertex j enters: κ + ⟨g, x_j − x_base⟩ on A, κ + ⟨g, y_base − y_j⟩ on B.
    pub fn rate_form(&self, row: usize) -> (Vector3<f64>, [f64; 2]) {
        if row >= 2 {
            return (self.rows[row - 2], [0.0, 0.0]);
        }
        let kind = if row == 0 { Kind::A } else { Kind::B };
        let mut g = Vector3::zeros();
        for k in 0..2 {
            if self.basis.kind[k] == kind {
                g -= self.rows[k];
            }
        }
        let mut kappa = [0.0; 2];
        kappa[row] = 1.0;
        (g, kappa)
    }

    /// Primal ratio test: the row whose weight first vanishes when vertex `index` enters.
    pub fn leaving(&self, q: &Query, side: Side, index: usize) -> usize {
        let v = q.place(side, index);
        let delta = match side {
            Side::A => v - self.base[0],
            Side::B => self.base[1] - v,
        };
        let mu = [delta.dot(&self.rows[0]), delta.dot(&self.rows[1])];
        // The rates of the entering body sum to one: some row always leaves.
        let mut rates = [0.0, 0.0, mu[0], mu[1]];
        rates[side as usize] = 1.0;
        let mut row = side as usize;
        let mut best = f64::INFINITY;
        for k in 0..2 {
            match self.basis.kind[k] {
                Kind::A => rates[0] -= mu[k],
                Kind::B => rates[1] -= mu[k],
                // A free column must stay empty: it leaves at once if it would not.
                Kind::Free if mu[k].abs() > STUCK_TOLERANCE * q.size() => return 2 + k,
                Kind::Free => rates[2 + k] = 0.0,
            }
        }
        for r in 0..4 {
            if rates[r] > 1e-11 {
                let ratio = (self.weights[r].max(0.0) + WEIGHT_TOLERANCE) / rates[r];
                if ratio < best {
                    best = ratio;
                    row = r;
                }
            }
        }
        row
    }

    /// Moves the line so that the present basis has nonnegative weights on it.
    pub fn shift_to_feasible(&mut self) -> Vector3<f64> {
        let kind = self.basis.kind;
        let mut l = [0, 1].map(|k| match kind[k] {
            Kind::Free => 0.0,
            _ => self.weights[2 + k].clamp(0.0, 1.0),
        });
        let sum = l[0] + l[1];
        if kind[0] == kind[1] && sum > 1.0 {
            l = [l[0] / sum, l[1] / sum];
        }
        self.set_weights(l);
        self.base[0] - self.base[1] + self.e[0] * l[0] + self.e[1] * l[1]
    }

    /// Weights of the bases from those of the further columns.
    #[inline(always)]
    fn set_weights(&mut self, l: [f64; 2]) {
        let mut w = [1.0, 1.0, l[0], l[1]];
        for k in 0..2 {
            match self.basis.kind[k] {
                Kind::A => w[0] -= l[k],
                Kind::B => w[1] -= l[k],
                Kind::Free => {}
            }
        }
        self.weights = w;
    }

    /// Exchanges the column of `row` for vertex `index` of `side`.
    pub fn exchange(
        &mut self,
        q: &Query,
        row: usize,
        side: Side,
        index: usize,
        shift: &Vector3<f64>,
    ) {
        self.replace(q, row, side, index);
        self.invert(q, shift);
    }

    fn replace(&mut self, q: &Query, row: usize, side: Side, index: usize) {
        let v = q.place(side, index);
        let kind = if side == Side::A { Kind::A } else { Kind::B };
        if row < 2 && row == side as usize {
            self.base[row] = v;
            self.basis.base[row] = index as u32;
            return;
        }
        let mut slot = row.wrapping_sub(2);
        if row < 2 {
            // The base of the other body leaves: another vertex of that body becomes its base.
            let own = if row == 0 { Kind::A } else { Kind::B };
            slot = if self.basis.kind[0] == own { 0 } else { 1 };
            self.base[row] = self.extra[slot];
            self.basis.base[row] = self.basis.extra[slot];
        }
        self.extra[slot] = v;
        self.basis.extra[slot] = index as u32;
        self.basis.kind[slot] = kind;
    }
}

/// Directions of the free columns: perpendicular to β, the first along p, the second to the first.
fn free_columns(
    q: &Query,
    basis: &Basis,
    base: &[Vector3<f64>; 2],
    extra: &[Vector3<f64>; 2],
) -> [Vector3<f64>; 2] {
    let beta = &q.beta;
    let perpendicular = |across: &Vector3<f64>| {
        let across = across - beta * across.dot(beta);
        let length = across.norm();
        if length > 1e-150 {
            across / length
        } else {
            any_perpendicular(beta)
        }
    };
    let e1 = if q.planar {
        Vector3::new(-beta.y, beta.x, 0.0)
    } else {
        match basis.kind {
            [Kind::Free, Kind::Free] => perpendicular(&(base[0] - base[1])),
            [Kind::A, Kind::Free] => perpendicular(&(extra[0] - base[0])),
            [Kind::B, Kind::Free] => perpendicular(&(extra[0] - base[1])),
            _ => return [Vector3::zeros(); 2],
        }
    };
    [e1, beta.cross(&e1)]
}

/// A unit vector perpendicular to the unit vector `n`.
pub(super) fn any_perpendicular(n: &Vector3<f64>) -> Vector3<f64> {
    let axis = n.iamin();
    let mut e = Vector3::zeros();
    e[axis] = 1.0;
    n.cross(&e).normalize()
}
