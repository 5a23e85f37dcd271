//! The SSH linear program (thesis (2.29)), solved through its dual by a small revised simplex.
//!
//! Primal: max a₁ − a₂ s.t. ⟨α,x⟩ ≥ a₁ on A, ⟨α,y⟩ ≤ a₂ on B, ⟨β,α⟩ = 1.
//! Dual:   min t s.t. Σ wᵢxᵢ − Σ vⱼyⱼ = t β, Σw = Σv = 1, w, v ≥ 0: the smallest t with t β ∈ A − B.
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
//!
//! Pricing a column is a support query of a body. A basis whose plane supports both bodies but whose
//! weights are off is mended by dual pivots; one whose weights are fine by primal pivots; one that
//! is neither (a warm start after a large motion) is first made optimal for a line shifted to where
//! its weights are fine, then mended by dual pivots.

use nalgebra::Vector3;

use super::{Posed, Status};
use crate::{Pose, Vertices};

/// Weights down to this many units of round-off below zero are accepted as nonnegative.
const WEIGHT_TOLERANCE: f64 = 8.0 * f64::EPSILON;
/// Weights (and, in body sizes, free columns) that cannot be mended are accepted up to this.
const STUCK_TOLERANCE: f64 = 1e-11;
/// A violation of the supporting planes below this many units of round-off is accepted.
const PLANE_TOLERANCE: f64 = 8.0 * f64::EPSILON;
/// A basis is singular when D is below this part of |E₁||E₂|.
const SINGULAR: f64 = 1e-12;
/// Pivots before a solve gives up on speed and restarts cold, and before it stops.
const PIVOT_LIMIT: u32 = 200;

/// One of the two bodies of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first body, to which β points.
    A = 0,
    /// The second body.
    B = 1,
}

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

/// The line cast in world axes, with both bodies relative to the origin of b.
pub(super) struct Query<'a> {
    pub vertices: [&'a Vertices; 2],
    pub poses: [&'a Pose; 2],
    pub beta: Vector3<f64>,
    pub planar: bool,
    /// φ_a − φ_b.
    pub offset: Vector3<f64>,
    /// Size of round-off in ⟨α, x⟩ per unit of |α|₁.
    pub noise: f64,
}

/// Solution of the linear program at a basis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    pub basis: Basis,
    pub status: Status,
    pub gap: f64,
    pub alpha: Vector3<f64>,
    /// Weights of base a, base b, and of the two further columns.
    pub weights: [f64; 4],
    pub pivots: u32,
}

/// A basis with its vertices placed and its inverse.
struct Tableau {
    basis: Basis,
    base: [Vector3<f64>; 2],
    extra: [Vector3<f64>; 2],
    /// E₁, E₂.
    e: [Vector3<f64>; 2],
    /// Rows of the inverse: λₖ of a vector is its product with `rows[k]`.
    rows: [Vector3<f64>; 2],
    alpha: Vector3<f64>,
    /// Weights of base a, base b, E₁, E₂.
    weights: [f64; 4],
    singular: bool,
}

impl<'a> Query<'a> {
    #[inline]
    pub fn new(a: Posed<'a>, b: Posed<'a>, beta: Vector3<f64>) -> Self {
        Self {
            vertices: [a.vertices, b.vertices],
            poses: [a.pose, b.pose],
            beta,
            planar: a.vertices.is_planar() && b.vertices.is_planar(),
            offset: a.pose.position - b.pose.position,
            noise: PLANE_TOLERANCE * (a.vertices.reach() + b.vertices.reach()),
        }
    }

    /// Vertex `i` of a side in its body frame.
    #[inline]
    pub fn local(&self, side: Side, i: u32) -> &Vector3<f64> {
        &self.vertices[side as usize].points()[i as usize]
    }

    /// Vertex `i` of a side, relative to the origin of b.
    #[inline]
    pub fn place(&self, side: Side, i: usize) -> Vector3<f64> {
        match side {
            Side::A => self.poses[0].directors * self.vertices[0].points()[i] + self.offset,
            Side::B => self.poses[1].directors * self.vertices[1].points()[i],
        }
    }

    /// α seen from the two bodies, pointing out of them: −α for a, α for b.
    #[inline]
    fn outward(&self, alpha: &Vector3<f64>) -> [Vector3<f64>; 2] {
        [
            -self.poses[0].direction_to_body(alpha),
            self.poses[1].direction_to_body(alpha),
        ]
    }

    /// How far each body crosses the plane with normal α through its base.
    #[inline]
    fn crossings(&self, outward: &[Vector3<f64>; 2], base: &[u32; 2]) -> [f64; 2] {
        [0, 1].map(|k| {
            let vertices = self.vertices[k];
            let hint = base[k] as usize;
            vertices.highest(&outward[k], hint) - vertices.points()[hint].dot(&outward[k])
        })
    }

    #[inline]
    fn tolerance(&self, alpha: &Vector3<f64>) -> f64 {
        self.noise * (alpha.x.abs() + alpha.y.abs() + alpha.z.abs())
    }

    /// Solves the linear program, from `warm` if there is one.
    pub fn solve(&self, warm: Option<&Basis>) -> Solved {
        let mut tableau = match warm.filter(|b| self.fits(b)) {
            Some(basis) => {
                let mut t = Tableau::place(self, *basis);
                t.invert(self, &Vector3::zeros());
                if t.singular { self.cold() } else { t }
            }
            None => self.cold(),
        };
        let mut shift = None;
        let mut supporting = warm.is_none();
        for pivots in 0..PIVOT_LIMIT {
            if !supporting {
                let outward = self.outward(&tableau.alpha);
                let crossing = self.crossings(&outward, &tableau.basis.base);
                let side = if crossing[0] >= crossing[1] {
                    Side::A
                } else {
                    Side::B
                };
                if crossing[side as usize] > self.tolerance(&tableau.alpha) {
                    if shift.is_none() && tableau.worst_weight(self).is_some() {
                        shift = Some(tableau.shift_to_feasible());
                    }
                    let hint = tableau.basis.base[side as usize] as usize;
                    let (index, _) =
                        self.vertices[side as usize].support(&outward[side as usize], hint);
                    let row = tableau.leaving(self, side, index);
                    tableau.exchange(self, row, side, index, &shift.unwrap_or_default());
                    continue;
                }
                supporting = true;
                if shift.take().is_some() {
                    tableau.invert(self, &Vector3::zeros());
                }
            }
            let Some(row) = tableau.worst_weight(self) else {
                return tableau.solved(pivots);
            };
            let Some((side, index)) = self.dual_entering(&tableau, row) else {
                return self.stuck(&tableau, row, pivots);
            };
            tableau.exchange(self, row, side, index, &Vector3::zeros());
        }
        // Not seen in any test; a stale basis would be the only excuse.
        if warm.is_some() {
            self.solve(None)
        } else {
            tableau.solved(PIVOT_LIMIT)
        }
    }

    /// No vertex can take the place of column `row`: the line misses A − B, unless by round-off only.
    fn stuck(&self, t: &Tableau, row: usize, pivots: u32) -> Solved {
        let free = row >= 2 && t.basis.kind[row - 2] == Kind::Free;
        let size = if free { self.size() } else { 1.0 };
        let mut solved = t.solved(pivots);
        if t.weights[row].abs() > STUCK_TOLERANCE * size {
            let s = if t.weights[row] > 0.0 { 1.0 } else { -1.0 };
            solved.status = Status::Unbounded;
            solved.gap = f64::INFINITY;
            solved.alpha = -s * t.rate_form(row).0;
        }
        solved
    }

    /// Size of the coordinates that enter a query.
    fn size(&self) -> f64 {
        self.reach() + self.offset.amax()
    }

    /// Size of the bodies.
    #[inline]
    pub fn reach(&self) -> f64 {
        self.noise / PLANE_TOLERANCE
    }

    fn fits(&self, basis: &Basis) -> bool {
        let fit = |side: Side, i: u32| (i as usize) < self.vertices[side as usize].len();
        fit(Side::A, basis.base[0])
            && fit(Side::B, basis.base[1])
            && (0..2).all(|k| match basis.kind[k] {
                Kind::A => fit(Side::A, basis.extra[k]),
                Kind::B => fit(Side::B, basis.extra[k]),
                Kind::Free => true,
            })
    }

    /// A first basis: the supports of α = β and free directions, hence a supporting plane.
    #[inline(never)]
    fn cold(&self) -> Tableau {
        let outward = self.outward(&self.beta);
        let base = [0, 1].map(|k| self.vertices[k].support(&outward[k], 0).0 as u32);
        let basis = Basis {
            base,
            kind: [Kind::Free; 2],
            extra: [0; 2],
        };
        let mut t = Tableau::place(self, basis);
        t.invert(self, &Vector3::zeros());
        t
    }

    /// The first vertex that the plane meets when it gives up column `row` (dual ratio test).
    ///
    /// Along α(τ) = α − τ s g the slack of vertex j is its slack now minus τ s rateⱼ, with
    /// rateⱼ = κ + ⟨g, x_j − x_base⟩ on A and κ + ⟨g, y_base − y_j⟩ on B.
    fn dual_entering(&self, t: &Tableau, row: usize) -> Option<(Side, usize)> {
        let s = if t.weights[row] > 0.0 { 1.0 } else { -1.0 };
        let (g, kappa) = t.rate_form(row);
        let direction = -s * g;
        let outward = self.outward(&t.alpha);
        let turning = self.outward(&direction);
        let norm1 = direction.x.abs() + direction.y.abs() + direction.z.abs();
        let tolerance = self.tolerance(&t.alpha);
        let tiny = 1e-11 * self.reach() * norm1;
        let first = [0, 1].map(|k| {
            let vertices = self.vertices[k];
            let hint = t.basis.base[k] as usize;
            let base = &vertices.points()[hint];
            // Slack ⟨outward, base − v⟩, rate s κ + ⟨turning, v − base⟩.
            let s0 = base.dot(&outward[k]);
            let r0 = s * kappa[k] - base.dot(&turning[k]);
            if vertices.scans() {
                vertices.least_ratio((s0, &-outward[k]), (r0, &turning[k]), tolerance, tiny)
            } else {
                climb_ratio(
                    vertices,
                    hint,
                    (s0, &-outward[k]),
                    (r0, &turning[k]),
                    tolerance,
                    tiny,
                )
            }
        });
        let side = if first[0].0 <= first[1].0 {
            Side::A
        } else {
            Side::B
        };
        let (ratio, index) = first[side as usize];
        ratio.is_finite().then_some((side, index))
    }
}

/// [`Vertices::least_ratio`] for large hulls: from above, each support query names a vertex that
/// is crossed at the present ratio (Dinkelbach).
fn climb_ratio(
    vertices: &Vertices,
    hint: usize,
    (s0, s): (f64, &Vector3<f64>),
    (r0, r): (f64, &Vector3<f64>),
    tolerance: f64,
    tiny: f64,
) -> (f64, usize) {
    let ratio_of = |i: usize| {
        let v = &vertices.points()[i];
        let rate = r0 + r.dot(v);
        if rate > tiny {
            ((s0 + s.dot(v)).max(0.0) + tolerance) / rate
        } else {
            f64::INFINITY
        }
    };
    let (mut index, _) = vertices.support(r, hint);
    let mut ratio = ratio_of(index);
    while ratio.is_finite() {
        let (next, _) = vertices.support(&(ratio * r - s), index);
        let found = ratio_of(next);
        if found < ratio {
            (ratio, index) = (found, next);
        } else {
            break;
        }
    }
    (ratio, index)
}

impl Tableau {
    #[inline(always)]
    fn place(q: &Query, basis: Basis) -> Self {
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
    fn invert(&mut self, q: &Query, shift: &Vector3<f64>) {
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
    fn worst_weight(&self, q: &Query) -> Option<usize> {
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
    fn rate_form(&self, row: usize) -> (Vector3<f64>, [f64; 2]) {
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
    fn leaving(&self, q: &Query, side: Side, index: usize) -> usize {
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
    fn shift_to_feasible(&mut self) -> Vector3<f64> {
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
    fn exchange(&mut self, q: &Query, row: usize, side: Side, index: usize, shift: &Vector3<f64>) {
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

    #[inline(always)]
    fn solved(&self, pivots: u32) -> Solved {
        Solved {
            basis: self.basis,
            status: Status::Bounded,
            gap: self.alpha.dot(&(self.base[0] - self.base[1])),
            alpha: self.alpha,
            weights: self.weights,
            pivots,
        }
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
