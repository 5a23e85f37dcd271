//! Hessian of the Lagrangian f + λᵀg, exact.
//!
//! With η_k = P(q_k) λ_k the balances add up to Σ S over the steps ([`steps`](super::steps)) and the
//! work Σ w_k · (h/2)(τ_{k−1} + τ_k) of the controls. Both are bilinear in quantities of single
//! nodes, so that second derivatives are products of the first derivatives J = ∂q/∂u,
//! E = ∂η/∂u and, at each node, the curvature of
//!
//! ```text
//! φ(u) = c · q(u) + Y · η(u, λ) + τ̄ · w(u, λ)
//! ```
//!
//! with c, Y, τ̄ held. All other rows are small functions of q and add to c.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, SVector};
use rayon::prelude::*;

use super::dual::{Dual, Real, Second};
use super::evaluate::{Balance, Transcription};
use super::jacobian::add;
use super::layout::Scale;
use super::rows::RowKind;
use super::steps::{Operator, apply};

/// What second derivatives are made of.
pub(crate) struct Blocks {
    /// By u at a node twice; by u at the next node and u at this one.
    pub node: Vec<DMatrix<f64>>,
    pub next: Vec<DMatrix<f64>>,
    /// By the controls of a step and u at its start, and at its end.
    pub control: Vec<[DMatrix<f64>; 2]>,
    /// By the size of a step and u at its start, at its end, and the controls; twice by the size.
    pub step: Vec<[DVector<f64>; 2]>,
    pub step_control: Vec<DVector<f64>>,
    pub step_step: Vec<f64>,
    /// By free velocities and u at their node.
    pub motion: Vec<(usize, usize, DVector<f64>)>,
    /// By the normal of each plane and u at both ends of its step; twice by the normal.
    pub plane: Vec<[[Vec<f64>; 2]; 3]>,
    pub unit: Vec<f64>,
    /// Weights of the directors on the way in a step, of a body, at a part of it (as bits).
    pub ways: BTreeMap<(usize, usize, u64), SVector<f64, 9>>,
    /// By the ratio and u at a node.
    pub ratio: Vec<(usize, Vec<f64>)>,
    /// Factor of the cost: that of the objective, or the multiplier of the ratio row.
    pub cost: f64,
}

/// First derivatives of η and w at a node, with their values.
pub(super) struct Virtual {
    /// η over all coordinates, w over all controls.
    pub eta: Vec<f64>,
    pub rates: Vec<f64>,
    /// ∂η/∂u, M ∂η/∂u, ∂w/∂u of each component.
    pub slope: Vec<DMatrix<f64>>,
    pub rate_slope: Vec<DMatrix<f64>>,
}

impl Transcription {
    /// Second derivatives of factor · f + λᵀg.
    pub fn hessian_blocks(&mut self, x: &[f64], factor: f64, lambda: &[f64]) -> Blocks {
        self.refresh(x, true);
        let layout = &self.layout;
        let (n, nc, nodes, steps) = (layout.n, layout.nc, layout.nodes(), layout.grid.len());
        let ratio_row = layout
            .rows
            .iter()
            .position(|r| matches!(r.kind, RowKind::Ratio));
        let mut blocks = Blocks {
            node: vec![DMatrix::zeros(n, n); nodes],
            next: vec![DMatrix::zeros(n, n); steps],
            control: vec![[DMatrix::zeros(nc, n), DMatrix::zeros(nc, n)]; steps],
            step: vec![[DVector::zeros(n), DVector::zeros(n)]; steps],
            step_control: vec![DVector::zeros(nc); steps],
            step_step: vec![0.0; steps],
            motion: Vec::new(),
            plane: vec![Default::default(); layout.planes.len()],
            unit: vec![0.0; layout.planes.len()],
            ways: BTreeMap::new(),
            ratio: Vec::new(),
            cost: ratio_row.map_or(factor, |r| lambda[r]),
        };
        let this = &*self;
        let virtuals: Vec<_> = (0..nodes)
            .into_par_iter()
            .map(|k| this.virtual_motion(k, x, lambda))
            .collect();
        let balances = self.balances(x);
        // c of every node.
        let mut pulls = vec![vec![0.0; layout.nq]; nodes];
        self.add_steps(x, &virtuals, &mut pulls, &mut blocks);
        self.add_pairs(x, &virtuals, &mut pulls, &mut blocks);
        self.add_controls(x, &virtuals, &mut blocks);
        self.add_motions(x, &virtuals, &mut pulls, &mut blocks);
        self.add_rows(x, lambda, &mut pulls, &mut blocks);
        self.add_ways(&mut blocks);
        self.add_cost(x, lambda, &mut pulls, &mut blocks);
        let this = &*self;
        (blocks.node.par_iter_mut().enumerate()).for_each(|(node, block)| {
            this.add_curvature(node, x, lambda, &pulls[node], &balances[node], block);
        });
        blocks
    }

    /// Multipliers of the balance at a node, of one component.
    fn multipliers(&self, node: usize, c: usize, lambda: &[f64]) -> Vec<f64> {
        let freedoms = self.layout.components[c].freedoms.iter();
        freedoms
            .map(|&f| self.layout.balance[node][f].map_or(0.0, |row| lambda[row]))
            .collect()
    }

    fn virtual_motion(&self, node: usize, x: &[f64], lambda: &[f64]) -> Virtual {
        let model = &*self.model;
        let mut out = Virtual {
            eta: vec![0.0; self.layout.nq],
            rates: vec![0.0; self.layout.nc],
            slope: Vec::new(),
            rate_slope: Vec::new(),
        };
        for (c, component) in self.layout.components.iter().enumerate() {
            let u = self.local(node, c, x);
            let nu = self.multipliers(node, c, lambda);
            let here = &self.nodes()[node];
            let direction = DVector::from_column_slice(&nu);
            let eta = &here.null[c] * &direction;
            let rates = &here.input[c] * &direction;
            for (&q, v) in component.coordinates.iter().zip(eta.iter()) {
                out.eta[q] = *v;
            }
            for (&t, v) in component.controls.iter().zip(rates.iter()) {
                out.rates[t] = *v;
            }
            let mut slope = DMatrix::zeros(component.coordinates.len(), u.len());
            let mut rate_slope = DMatrix::zeros(component.controls.len(), u.len());
            for j in (0..u.len()).filter(|&j| !component.shifts[j]) {
                let seeded: Vec<_> = (u.iter().enumerate())
                    .map(|(i, &v)| Dual {
                        v,
                        d: f64::from(i == j),
                    })
                    .collect();
                let placed = component.place(model, &self.centres[node], &seeded);
                let moving = component.moving(model, &placed, &nu);
                component.motion_of(model, &placed, &moving, |l, v| slope[(l, j)] = v.d);
                component.rates_of(model, &placed, &moving, |l, v| rate_slope[(l, j)] = v.d);
            }
            out.slope.push(slope);
            out.rate_slope.push(rate_slope);
        }
        out
    }

    /// Inertia and drag: see the header of [`steps`](super::steps).
    fn add_steps(&self, x: &[f64], virtuals: &[Virtual], c: &mut [Vec<f64>], out: &mut Blocks) {
        let layout = &self.layout;
        let mass = |v: &[f64]| apply(&layout.inertias, Operator::Mass, v);
        let drag = self.has_drag();
        for k in 0..layout.grid.len() {
            let h = layout.h(k, x);
            let (a, b) = (&self.nodes()[k], &self.nodes()[k + 1]);
            let (va, vb) = (&virtuals[k], &virtuals[k + 1]);
            let difference = |a: &[f64], b: &[f64]| -> Vec<f64> {
                a.iter().zip(b).map(|(a, b)| b - a).collect()
            };
            let delta = mass(&difference(&a.q, &b.q));
            let spread = mass(&difference(&va.eta, &vb.eta));
            for (q, v) in spread.iter().enumerate() {
                c[k][q] -= v / h;
                c[k + 1][q] += v / h;
            }
            if drag {
                let sum: Vec<f64> = va.eta.iter().zip(&vb.eta).map(|(a, b)| a + b).collect();
                let d = apply(&layout.inertias, Operator::Drag, &sum);
                for (q, v) in d.iter().enumerate() {
                    c[k][q] += 0.5 * v;
                    c[k + 1][q] -= 0.5 * v;
                }
            }
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let eta = difference(&va.eta, &vb.eta);
            out.step_step[k] += 2.0 * dot(&eta, &delta) / (h * h * h);
            let weight = self.weights();
            for (i, component) in layout.components.iter().enumerate() {
                let f = &component.freedoms;
                let [ea, eb] = [&va.slope[i], &vb.slope[i]];
                let own = ea.tr_mul(&a.heavy[i]);
                add(&mut out.node[k], f, &(&own + own.transpose()), 1.0 / h);
                let own = eb.tr_mul(&b.heavy[i]);
                add(&mut out.node[k + 1], f, &(&own + own.transpose()), 1.0 / h);
                let cross = eb.tr_mul(&a.heavy[i]) + b.heavy[i].tr_mul(ea);
                add(&mut out.next[k], f, &cross, -1.0 / h);
                if drag {
                    let light = |t: &DMatrix<f64>| self.operate(i, Operator::Drag, t) * 0.5;
                    let (da, db) = (light(&a.tangent[i]), light(&b.tangent[i]));
                    let own = ea.tr_mul(&da);
                    add(&mut out.node[k], f, &(&own + own.transpose()), 1.0);
                    let own = eb.tr_mul(&db);
                    add(&mut out.node[k + 1], f, &(&own + own.transpose()), -1.0);
                    let cross = eb.tr_mul(&da) - db.tr_mul(ea);
                    add(&mut out.next[k], f, &cross, 1.0);
                }
                // ∂²S/∂h∂u
                let local = |v: &[f64]| Self::gather(&component.coordinates, v);
                let (delta, spread) = (local(&delta) / (h * h), local(&spread) / (h * h));
                let half = local(&weight) * 0.5;
                let by_a = a.tangent[i].tr_mul(&spread) + ea.tr_mul(&(&delta + &half));
                let by_b = -b.tangent[i].tr_mul(&spread) + eb.tr_mul(&(half - delta));
                for (l, &f) in component.freedoms.iter().enumerate() {
                    out.step[k][0][f] += by_a[l];
                    out.step[k][1][f] += by_b[l];
                }
            }
        }
    }

    /// Constant forces over the coordinates of a node.
    fn weights(&self) -> Vec<f64> {
        let mut f = vec![0.0; self.layout.nq];
        for i in &self.layout.inertias {
            f[i.start..i.start + 3].copy_from_slice(i.weight.as_slice());
        }
        f
    }

    /// (h/2)(η + η⁺) · F(q̄) of pair potentials.
    fn add_pairs(&self, x: &[f64], virtuals: &[Virtual], c: &mut [Vec<f64>], out: &mut Blocks) {
        for k in 0..self.layout.grid.len() {
            let h = self.layout.h(k, x);
            let (a, b) = (&self.nodes()[k], &self.nodes()[k + 1]);
            let (va, vb) = (&virtuals[k], &virtuals[k + 1]);
            let middle: Vec<f64> = a.q.iter().zip(&b.q).map(|(a, b)| 0.5 * (a + b)).collect();
            let sum: Vec<f64> = va.eta.iter().zip(&vb.eta).map(|(a, b)| a + b).collect();
            for pair in &self.layout.pairs {
                let force = pair.at(&self.stretch(&pair.ends, &middle));
                // World ends do not move: the virtual stretch has no constant part.
                let free = pair.ends.map(|mut p| {
                    if p.body.is_none() {
                        p.local.fill(0.0);
                    }
                    p
                });
                let xi = self.stretch(&free, &sum);
                let pulled = force.slope * xi;
                for (end, sign) in pair.ends.iter().zip([1.0, -1.0]) {
                    if let Some(body) = end.body {
                        let f = pulled * (0.25 * h);
                        for node in [k, k + 1] {
                            self.push(body.index(), &(end.local * sign), sign, &f, &mut c[node]);
                        }
                    }
                }
                let bend = force.curvature(&xi) * (0.125 * h);
                let slope = force.slope * (0.25 * h);
                let rows = |m: &[DMatrix<f64>]| self.stretch_rows(m, &pair.ends);
                let (ta, tb) = (rows(&a.tangent), rows(&b.tangent));
                let (ea, eb) = (rows(&va.slope), rows(&vb.slope));
                let own = |e: &DMatrix<f64>, t: &DMatrix<f64>| {
                    let cross = e.tr_mul(&(slope * t));
                    &cross + cross.transpose() + t.tr_mul(&(bend * t))
                };
                out.node[k] += own(&ea, &ta);
                out.node[k + 1] += own(&eb, &tb);
                out.next[k] += eb.tr_mul(&(slope * &ta))
                    + tb.tr_mul(&(slope.transpose() * &ea))
                    + tb.tr_mul(&(bend * &ta));
                // ∂/∂h
                out.step[k][0] += ta.tr_mul(&(pulled * 0.25)) + ea.tr_mul(&(force.force * 0.5));
                out.step[k][1] += tb.tr_mul(&(pulled * 0.25)) + eb.tr_mul(&(force.force * 0.5));
            }
        }
    }

    fn add_controls(&self, x: &[f64], virtuals: &[Virtual], out: &mut Blocks) {
        for k in 0..self.layout.grid.len() {
            let half = 0.5 * self.layout.h(k, x);
            let tau = self.controls(k, x);
            for (side, v) in [&virtuals[k], &virtuals[k + 1]].into_iter().enumerate() {
                for (i, component) in self.layout.components.iter().enumerate() {
                    for (l, &t) in component.controls.iter().enumerate() {
                        for (j, &f) in component.freedoms.iter().enumerate() {
                            let slope = v.rate_slope[i][(l, j)];
                            out.control[k][side][(t, f)] += half * slope;
                            out.step[k][side][f] += 0.5 * tau[t] * slope;
                        }
                    }
                }
                for t in 0..self.layout.nc {
                    out.step_control[k][t] += 0.5 * v.rates[t];
                }
            }
        }
    }

    fn add_motions(&self, x: &[f64], virtuals: &[Virtual], c: &mut [Vec<f64>], out: &mut Blocks) {
        for (m, motion) in self.layout.motions.iter().enumerate() {
            let v = &virtuals[motion.node];
            let slope = self.wide(&v.slope);
            let tangent = self.motion_tangent(m, x);
            let cross = slope.tr_mul(&tangent) * motion.sign;
            out.node[motion.node] += &cross + cross.transpose();
            // η · M A(q) t is linear in q: its gradient by q, coordinate by coordinate.
            let twist = self.layout.twist(motion, x);
            self.add_motion_pull(m, &twist, &v.eta, motion.sign, &mut c[motion.node]);
            for (k, unknown) in motion.unknowns.iter().enumerate() {
                let Some(index) = unknown else { continue };
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let p = DVector::from_vec(self.unit_momentum(m, k));
                let mut by_q = vec![0.0; self.layout.nq];
                self.add_motion_pull(m, &unit, &v.eta, motion.sign, &mut by_q);
                let pulled = DVector::from_vec(self.pull(motion.node, &by_q));
                let row = slope.tr_mul(&p) * motion.sign + pulled;
                out.motion.push((*index, motion.node, row));
            }
        }
    }

    /// Curvature of φ at a node.
    fn add_curvature(
        &self,
        node: usize,
        x: &[f64],
        lambda: &[f64],
        c: &[f64],
        balance: &Balance,
        out: &mut DMatrix<f64>,
    ) {
        let model = &*self.model;
        let impulses = self.impulses(node, x);
        for (k, component) in self.layout.components.iter().enumerate() {
            let u = self.local(node, k, x);
            let nu = self.multipliers(node, k, lambda);
            for i in (0..u.len()).filter(|&i| !component.shifts[i]) {
                for j in (0..=i).filter(|&j| !component.shifts[j]) {
                    let seeded: Vec<Second> = (u.iter().enumerate())
                        .map(|(l, &v)| Second::seed(v, f64::from(l == i), f64::from(l == j)))
                        .collect();
                    let placed = component.place(model, &self.centres[node], &seeded);
                    let moving = component.moving(model, &placed, &nu);
                    let mut phi = Second::of(0.0);
                    component.coordinates_of(model, &placed, |l, v| {
                        phi = phi + v.scale(c[component.coordinates[l]]);
                    });
                    component.motion_of(model, &placed, &moving, |l, v| {
                        phi = phi + v.scale(balance.sum[component.coordinates[l]]);
                    });
                    component.rates_of(model, &placed, &moving, |l, v| {
                        phi = phi + v.scale(impulses[component.controls[l]]);
                    });
                    let (f, g) = (component.freedoms[i], component.freedoms[j]);
                    out[(f, g)] += phi.mixed();
                    if f != g {
                        out[(g, f)] += phi.mixed();
                    }
                }
            }
        }
    }

    /// Whether the size of a step is an unknown.
    pub(super) fn step_unknown(&self, step: usize) -> Option<usize> {
        match self.layout.scales[self.layout.grid[step].phase] {
            Scale::Unknown(index) => Some(index),
            Scale::Fixed(_) => None,
        }
    }
}
