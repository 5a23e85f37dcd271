//! The SSH linear program (thesis (2.29)), solved through its dual by a small revised simplex.
//!
//! Primal: max a₁ − a₂ s.t. ⟨α,x⟩ ≥ a₁ on A, ⟨α,y⟩ ≤ a₂ on B, ⟨β,α⟩ = 1.
//! Dual:   min t s.t. Σ wᵢxᵢ − Σ vⱼyⱼ = t β, Σw = Σv = 1, w, v ≥ 0: the smallest t with t β ∈ A − B.
//!
//! A basis ([`tableau`](super::tableau)) is a vertex of each body and two further columns; pricing a
//! column is a support query of a body ([`query`](super::query)).
//!
//! A basis whose plane supports both bodies but whose weights are off is fixed by dual pivots; one
//! whose weights are fine by primal pivots; one that is neither (a warm start after a large motion)
//! is first made optimal for a line shifted to where its weights are fine, then fixed by dual
//! pivots.

use nalgebra::Vector3;

use super::Status;
use super::query::{Query, Side};
use super::tableau::{Basis, Kind, STUCK_TOLERANCE, Tableau};

/// Pivots before a solve gives up on speed and restarts cold, and before it stops.
const PIVOT_LIMIT: u32 = 200;

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

impl Query<'_> {
    /// Solves the linear program, from `warm` if there is one.
    pub fn solve(&self, warm: Option<&Basis>) -> Solved {
        let mut tableau = match warm.filter(|b| b.fits(self)) {
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

    /// Room between the bodies across the plane of a basis, and its unit normal; not positive where it does not
    /// separate them, none if the basis has no plane here.
    pub fn room(&self, basis: &Basis) -> Option<(f64, Vector3<f64>)> {
        if !basis.fits(self) {
            return None;
        }
        let mut t = Tableau::place(self, *basis);
        t.invert(self, &Vector3::zeros());
        if t.singular {
            return None;
        }
        let outward = self.outward(&t.alpha);
        let [a, b] = self.crossings(&outward, &t.basis.base);
        let size = t.alpha.norm();
        let width = (t.alpha.dot(&(t.base[0] - t.base[1])) - a - b) / size;
        Some((width, t.alpha / size))
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
}

impl Tableau {
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
