//! First derivatives of the balances of momentum, block by block.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use crate::optimise::blocks::{add, add_product, dot, pick};
use crate::optimise::path::Path;
use crate::optimise::steps::Operator;

/// Derivatives of the balance at a node by u at the node before, here, and after it, and by the
/// sizes of the steps before and after.
#[derive(Clone, Debug)]
pub(crate) struct BalanceBlocks {
    pub before: DMatrix<f64>,
    pub here: DMatrix<f64>,
    pub after: DMatrix<f64>,
    pub by_step: [DVector<f64>; 2],
}

impl Path {
    /// Derivatives of all balances.
    pub fn balance_blocks(&self) -> Vec<BalanceBlocks> {
        let (n, nodes) = (self.layout.n, self.layout.nodes());
        let empty = BalanceBlocks {
            before: DMatrix::zeros(n, n),
            here: DMatrix::zeros(n, n),
            after: DMatrix::zeros(n, n),
            by_step: [DVector::zeros(n), DVector::zeros(n)],
        };
        let balances = self.balances();
        let drag = self.has_drag();
        let block = |node: usize| {
            let mut blocks = empty.clone();
            let impulses = self.impulses(node);
            let [before, after] = self.steps_at(node);
            for (c, component) in self.layout.components.iter().enumerate() {
                let here = &self.nodes()[node];
                let p = &here.null[c];
                let bend = self.bend(node, c, &balances[node].sum, &impulses);
                add(&mut blocks.here, &component.freedoms, &bend, 1.0);
                // Momenta of both steps.
                let parts: Vec<f64> = [before, after]
                    .into_iter()
                    .flatten()
                    .map(|k| 1.0 / self.h(k))
                    .collect();
                let own = [p, &here.heavy[c]];
                add_product(&mut blocks.here, &component.freedoms, own, &parts);
                for (step, side) in [(before, 0), (after, 1)] {
                    let Some(step) = step else { continue };
                    let h = self.h(step);
                    let other = if side == 0 { node - 1 } else { node + 1 };
                    let far = if side == 0 {
                        &mut blocks.before
                    } else {
                        &mut blocks.after
                    };
                    let cross = [p, &self.nodes()[other].heavy[c]];
                    add_product(far, &component.freedoms, cross, &[-1.0 / h]);
                    if drag {
                        let sign = if side == 0 { 0.5 } else { -0.5 };
                        let of = |k: usize| {
                            let t = &self.nodes()[k].tangent[c];
                            p.tr_mul(&self.operate(c, Operator::Drag, t))
                        };
                        add(far, &component.freedoms, &of(other), sign);
                        add(&mut blocks.here, &component.freedoms, &of(node), -sign);
                    }
                    // ∂/∂h
                    let y = pick(&component.coordinates, &balances[node].by_step[side]);
                    let tau = pick(&component.controls, self.controls(step));
                    for (l, &f) in component.freedoms.iter().enumerate() {
                        let driven = dot(l, &here.input[c], &tau);
                        blocks.by_step[side][f] += dot(l, p, &y) + 0.5 * driven;
                    }
                }
            }
            blocks
        };
        let mut out: Vec<BalanceBlocks> = (0..nodes)
            .into_par_iter()
            .with_min_len(self.layout.grain())
            .map(block)
            .collect();
        self.add_force_blocks(&mut out);
        self.add_law_blocks(&mut out);
        self.add_motion_blocks(&mut out);
        self.add_reaction_blocks(&mut out);
        out
    }

    /// ∂/∂u of P(q(u))ᵀ y + W(u)ᵀ τ with y and τ held.
    pub(super) fn bend(&self, node: usize, c: usize, y: &[f64], impulses: &[f64]) -> DMatrix<f64> {
        let component = &self.layout.components[c];
        let n = component.freedoms.len();
        let bent = self.bent(node, c);
        let mut all = pick(&component.coordinates, y);
        all.extend(pick(&component.controls, impulses));
        let mut out = DMatrix::zeros(n, n);
        for (to, column) in out.as_mut_slice().iter_mut().zip(bent.column_iter()) {
            *to = column.iter().zip(&all).map(|(v, y)| y * v).sum();
        }
        out
    }

    fn add_motion_blocks(&self, out: &mut [BalanceBlocks]) {
        for (k, motion) in self.layout.motions.iter().enumerate() {
            if self.layout.twist(motion, self.x())[3..]
                .iter()
                .all(|w| *w == 0.0)
            {
                continue;
            }
            let null = self.wide(&self.nodes()[motion.node].null);
            out[motion.node].here += null.tr_mul(&self.motion_tangent(k)) * motion.sign;
        }
    }

    /// μ Pᵀ ∂a/∂q of reactions; the derivatives of P are among those of all that is balanced.
    fn add_reaction_blocks(&self, out: &mut [BalanceBlocks]) {
        for r in &self.layout.reactions {
            let mu = self.x()[r.unknown];
            let here = &self.nodes()[r.node];
            let slope = r.push.slope(&here.q);
            let block = self.products(&slope, [&here.null, &here.tangent]);
            out[r.node].here += block * mu;
        }
    }

    /// Σ b Aᵢᵀ Bⱼ of rows of two matrices over the coordinates of a node.
    pub fn products(
        &self,
        products: &[(usize, usize, f64)],
        [a, b]: [&[DMatrix<f64>]; 2],
    ) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.layout.n, self.layout.n);
        for &(i, j, v) in products {
            let ((ci, li), (cj, lj)) = (
                self.layout.coordinate_home[i],
                self.layout.coordinate_home[j],
            );
            for (k, &f) in self.layout.components[ci].freedoms.iter().enumerate() {
                for (l, &g) in self.layout.components[cj].freedoms.iter().enumerate() {
                    out[(f, g)] += v * a[ci][(li, k)] * b[cj][(lj, l)];
                }
            }
        }
        out
    }
}
