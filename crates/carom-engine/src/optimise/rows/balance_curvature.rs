//! Second derivatives of the balances of momentum, each times its multiplier.
//!
//! With η_k = P(q_k) λ_k the balances add up to Σ S over the steps ([`steps`](crate::optimise::steps)) and
//! the work Σ w_k · (h/2)(τ_{k−1} + τ_k) of the controls. Both are bilinear in quantities of single nodes,
//! so that second derivatives are products of the first derivatives J = ∂q/∂u, E = ∂η/∂u, and the
//! curvature of the chart of each node.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use crate::mechanics::{pair_curvature, pair_force};
use crate::optimise::blocks::{add, add_both_ways, add_products, dot, pick};
use crate::optimise::family::Curvature;
use crate::optimise::layout::Scale;
use crate::optimise::path::Path;
use crate::optimise::push::Push;
use crate::optimise::steps::{Operator, apply, difference};

/// Second derivatives of what a step adds that are by unknowns beside u.
pub(super) struct StepBlocks {
    /// By the controls and u at the start of the step, and at its end.
    control: [DMatrix<f64>; 2],
    /// By the size of the step and u at its start, at its end, and the controls; twice by the size.
    pub step: [DVector<f64>; 2],
    step_control: DVector<f64>,
    pub step_step: f64,
}

/// First derivatives of η and w at a node, with their values.
pub(super) struct Virtual {
    /// λ of all degrees of freedom.
    pub lambda: Vec<f64>,
    /// η over all coordinates, w over all controls.
    pub eta: Vec<f64>,
    pub rates: Vec<f64>,
    /// ∂η/∂u, M ∂η/∂u, ∂w/∂u of each component.
    pub slope: Vec<DMatrix<f64>>,
    pub rate_slope: Vec<DMatrix<f64>>,
}

impl Path {
    /// Adds the second derivatives of all balances; `lambda` are the multipliers of the degrees of
    /// freedom at every node.
    pub(super) fn add_balance_curvature(&self, lambda: &[Vec<f64>], all: &mut Curvature) {
        let nodes = self.layout.nodes();
        let virtuals: Vec<_> = (0..nodes)
            .into_par_iter()
            .with_min_len(self.layout.grain())
            .map(|k| self.virtual_motion(k, &lambda[k]))
            .collect();
        for (k, ends) in virtuals.windows(2).enumerate() {
            self.add_step_curvature(k, [&ends[0], &ends[1]], all);
        }
        self.add_motions(&virtuals, all);
        for r in &self.layout.reactions {
            let mu = self.x()[r.unknown];
            let slope = self.add_pulled(r.node, &r.push, mu, &virtuals[r.node], all);
            let list = self.layout.freedoms_of(r.push.used());
            let entries = list
                .iter()
                .map(|&f| (r.unknown, self.layout.u(r.node, f), slope[f]));
            all.entries.extend(entries);
        }
        for (k, balance) in self.balances().iter().enumerate() {
            all.virtuals[k].push([lambda[k].clone(), balance.sum.clone(), self.impulses(k)]);
        }
    }

    /// Adds the second derivatives of what a step adds to the balances at its ends, but for the
    /// curvature of their charts with what is balanced held.
    pub(super) fn add_step_curvature(&self, k: usize, ends: [&Virtual; 2], all: &mut Curvature) {
        let (n, nc) = (self.layout.n, self.layout.nc);
        let mut out = StepBlocks {
            control: [DMatrix::zeros(nc, n), DMatrix::zeros(nc, n)],
            step: [DVector::zeros(n), DVector::zeros(n)],
            step_control: DVector::zeros(nc),
            step_step: 0.0,
        };
        self.add_inertia(k, ends, all, &mut out);
        self.add_pairs(k, ends, all, &mut out);
        self.add_dampers(k, ends, all);
        self.add_users(k, ends, all, &mut out);
        self.add_controls(k, ends, &mut out);
        self.add_laws(k, ends, &mut out);
        self.list_step(k, &out, all);
    }

    pub(super) fn virtual_motion(&self, node: usize, lambda: &[f64]) -> Virtual {
        let mut out = Virtual {
            lambda: lambda.to_vec(),
            eta: vec![0.0; self.layout.nq],
            rates: vec![0.0; self.layout.nc],
            slope: Vec::new(),
            rate_slope: Vec::new(),
        };
        for (c, component) in self.layout.components.iter().enumerate() {
            let nu: Vec<f64> = component.freedoms.iter().map(|&f| lambda[f]).collect();
            let here = &self.nodes()[node];
            for (f, nu) in nu.iter().enumerate() {
                let moved = here.null[c].column(f);
                for (&q, v) in component.coordinates.iter().zip(moved.iter()) {
                    out.eta[q] += v * nu;
                }
                let driven = here.input[c].column(f);
                for (&t, v) in component.controls.iter().zip(driven.iter()) {
                    out.rates[t] += v * nu;
                }
            }
            let (n, nq) = (nu.len(), component.coordinates.len());
            let nc = component.controls.len();
            let bent = self.bent(node, c);
            let mut slope = DMatrix::zeros(nq, n);
            let mut rate_slope = DMatrix::zeros(nc, n);
            for j in (0..n).filter(|&j| !component.shifts[j]) {
                for (i, nu) in nu.iter().enumerate() {
                    let column = bent.column(j * n + i);
                    let (moved, driven) = column.as_slice().split_at(nq);
                    let own = slope.column_mut(j).into_iter().zip(moved);
                    own.for_each(|(to, v)| *to += nu * v);
                    let own = rate_slope.column_mut(j).into_iter().zip(driven);
                    own.for_each(|(to, v)| *to += nu * v);
                }
            }
            out.slope.push(slope);
            out.rate_slope.push(rate_slope);
        }
        out
    }

    /// Inertia and drag: see the header of [`steps`](crate::optimise::steps).
    fn add_inertia(
        &self,
        k: usize,
        [va, vb]: [&Virtual; 2],
        all: &mut Curvature,
        out: &mut StepBlocks,
    ) {
        let layout = &self.layout;
        let drag = self.has_drag();
        let h = self.h(k);
        let (a, b) = (&self.nodes()[k], &self.nodes()[k + 1]);
        let mass = |a: &[f64], b: &[f64]| difference(&layout.inertias, Operator::Mass, a, b);
        let (delta, spread) = (mass(&a.q, &b.q), mass(&va.eta, &vb.eta));
        for (q, v) in spread.iter().enumerate() {
            all.pulls[k][q] -= v / h;
            all.pulls[k + 1][q] += v / h;
        }
        if drag {
            let sum: Vec<f64> = va.eta.iter().zip(&vb.eta).map(|(a, b)| a + b).collect();
            let d = apply(&layout.inertias, Operator::Drag, &sum);
            for (q, v) in d.iter().enumerate() {
                all.pulls[k][q] += 0.5 * v;
                all.pulls[k + 1][q] -= 0.5 * v;
            }
        }
        let moved = va.eta.iter().zip(&vb.eta).zip(&delta);
        let work: f64 = moved.map(|((a, b), d)| (b - a) * d).sum();
        out.step_step += 2.0 * work / (h * h * h);
        let weight = self.weights();
        for (i, component) in layout.components.iter().enumerate() {
            let f = &component.freedoms;
            let [ea, eb] = [&va.slope[i], &vb.slope[i]];
            let [ha, hb] = [&a.heavy[i], &b.heavy[i]];
            add_both_ways(&mut all.node[k], f, [ea, ha], 1.0 / h);
            add_both_ways(&mut all.node[k + 1], f, [eb, hb], 1.0 / h);
            add_products(&mut all.next[k], f, [eb, ha], [hb, ea], -1.0 / h);
            if drag {
                let light = |t: &DMatrix<f64>| self.operate(i, Operator::Drag, t) * 0.5;
                let (da, db) = (light(&a.tangent[i]), light(&b.tangent[i]));
                add_both_ways(&mut all.node[k], f, [ea, &da], 1.0);
                add_both_ways(&mut all.node[k + 1], f, [eb, &db], -1.0);
                let cross = eb.tr_mul(&da) - db.tr_mul(ea);
                add(&mut all.next[k], f, &cross, 1.0);
            }
            // ∂²S/∂h∂u
            let own = |v: &[f64], divisor: f64| {
                let mut own = pick(&component.coordinates, v);
                own.iter_mut().for_each(|v| *v /= divisor);
                own
            };
            let spread = own(&spread, h * h);
            let (mut first, mut last) = (own(&delta, h * h), own(&weight, 2.0));
            for (first, last) in first.iter_mut().zip(&mut last) {
                (*first, *last) = (*first + *last, *last - *first);
            }
            for (l, &f) in component.freedoms.iter().enumerate() {
                let at = |of: &DMatrix<f64>, numbers: &[f64]| dot(l, of, numbers);
                out.step[0][f] += at(&a.tangent[i], &spread) + at(ea, &first);
                out.step[1][f] += at(eb, &last) - at(&b.tangent[i], &spread);
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
    fn add_pairs(
        &self,
        k: usize,
        [va, vb]: [&Virtual; 2],
        all: &mut Curvature,
        out: &mut StepBlocks,
    ) {
        let pairs = &self.model.forces().pairs;
        if !pairs.is_empty() {
            let h = self.h(k);
            let (a, b) = (&self.nodes()[k], &self.nodes()[k + 1]);
            let middle: Vec<f64> = a.q.iter().zip(&b.q).map(|(a, b)| 0.5 * (a + b)).collect();
            let sum: Vec<f64> = va.eta.iter().zip(&vb.eta).map(|(a, b)| a + b).collect();
            for pair in pairs {
                let ends = [pair.a, pair.b];
                let line = self.stretch(&ends, &middle);
                let force = pair_force(&pair.law, &line);
                // World ends do not move: the virtual stretch has no constant part.
                let free = ends.map(|mut p| {
                    if p.body.is_none() {
                        p.local.fill(0.0);
                    }
                    p
                });
                let xi = self.stretch(&free, &sum);
                let pulled = force.stiffness * -xi;
                for (end, sign) in ends.iter().zip([1.0, -1.0]) {
                    if let Some(body) = end.body {
                        let f = pulled * (0.25 * h);
                        for node in [k, k + 1] {
                            self.push(
                                body.index(),
                                &(end.local * sign),
                                sign,
                                &f,
                                &mut all.pulls[node],
                            );
                        }
                    }
                }
                let bend = pair_curvature(&pair.law, &line, &xi) * (0.125 * h);
                let slope = force.stiffness * (-0.25 * h);
                let rows = |m: &[DMatrix<f64>]| self.stretch_rows(m, &ends);
                let (ta, tb) = (rows(&a.tangent), rows(&b.tangent));
                let (ea, eb) = (rows(&va.slope), rows(&vb.slope));
                let own = |e: &DMatrix<f64>, t: &DMatrix<f64>| {
                    let cross = e.tr_mul(&(slope * t));
                    &cross + cross.transpose() + t.tr_mul(&(bend * t))
                };
                all.node[k] += own(&ea, &ta);
                all.node[k + 1] += own(&eb, &tb);
                all.next[k] += eb.tr_mul(&(slope * &ta))
                    + tb.tr_mul(&(slope.transpose() * &ea))
                    + tb.tr_mul(&(bend * &ta));
                // ∂/∂h
                out.step[0] += ta.tr_mul(&(pulled * 0.25)) + ea.tr_mul(&(force.force * 0.5));
                out.step[1] += tb.tr_mul(&(pulled * 0.25)) + eb.tr_mul(&(force.force * 0.5));
            }
        }
    }

    fn add_controls(&self, k: usize, ends: [&Virtual; 2], out: &mut StepBlocks) {
        let half = 0.5 * self.h(k);
        let tau = self.controls(k);
        for (side, v) in ends.into_iter().enumerate() {
            for (i, component) in self.layout.components.iter().enumerate() {
                for (l, &t) in component.controls.iter().enumerate() {
                    for (j, &f) in component.freedoms.iter().enumerate() {
                        let slope = v.rate_slope[i][(l, j)];
                        out.control[side][(t, f)] += half * slope;
                        out.step[side][f] += 0.5 * tau[t] * slope;
                    }
                }
            }
            for t in 0..self.layout.nc {
                out.step_control[t] += 0.5 * v.rates[t];
            }
        }
    }

    fn add_motions(&self, virtuals: &[Virtual], all: &mut Curvature) {
        for (m, motion) in self.layout.motions.iter().enumerate() {
            let v = &virtuals[motion.node];
            let slope = self.wide(&v.slope);
            let tangent = self.motion_tangent(m);
            let cross = slope.tr_mul(&tangent) * motion.sign;
            all.node[motion.node] += &cross + cross.transpose();
            // η · M A(q) t is linear in q: its gradient by q, coordinate by coordinate.
            let twist = self.layout.twist(motion, self.x());
            self.add_motion_pull(m, &twist, &v.eta, motion.sign, &mut all.pulls[motion.node]);
            for (k, unknown) in motion.unknowns.iter().enumerate() {
                let Some(index) = unknown else { continue };
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let p = DVector::from_vec(self.unit_momentum(m, k));
                let mut by_q = vec![0.0; self.layout.nq];
                self.add_motion_pull(m, &unit, &v.eta, motion.sign, &mut by_q);
                let pulled = DVector::from_vec(self.pull(motion.node, &by_q));
                let row = slope.tr_mul(&p) * motion.sign + pulled;
                let list = self.layout.freedoms_of_bodies(&motion.motion.bodies);
                let entries = list
                    .iter()
                    .map(|&f| (*index, self.layout.u(motion.node, f), row[f]));
                all.entries.extend(entries);
            }
        }
    }

    /// Adds the second derivatives of μ η · a(q) by u, but for the curvature of P(q) with its factor
    /// held; returns those by μ and u.
    pub(super) fn add_pulled(
        &self,
        node: usize,
        push: &Push,
        mu: f64,
        v: &Virtual,
        all: &mut Curvature,
    ) -> Vec<f64> {
        let here = &self.nodes()[node];
        let slope = push.slope(&here.q);
        // ηᵀ ∂a/∂q
        let mut bent = vec![0.0; self.layout.nq];
        for &(i, j, b) in &slope {
            bent[j] += b * v.eta[i];
        }
        let pulls = all.pulls[node].iter_mut();
        pulls.zip(&bent).for_each(|(c, b)| *c += mu * b);
        let cross = self.products(&slope, [&v.slope, &here.tangent]);
        all.node[node] += (&cross + cross.transpose()) * mu;
        let third = push.bend(&here.q, &v.eta);
        self.add_products(node, &third, mu, &mut all.node[node]);
        self.pulled_slope(node, push, v)
    }

    /// ∂(η · a)/∂u = a · E + ηᵀ ∂a/∂q J.
    pub(super) fn pulled_slope(&self, node: usize, push: &Push, v: &Virtual) -> Vec<f64> {
        let q = &self.nodes()[node].q;
        let mut bent = vec![0.0; self.layout.nq];
        for (i, j, b) in push.slope(q) {
            bent[j] += b * v.eta[i];
        }
        let mut whole = vec![0.0; self.layout.nq];
        push.vector(q, |i, a| whole[i] += a);
        let by_motion = self.wide(&v.slope).tr_mul(&DVector::from_vec(whole));
        let mut out = self.pull(node, &bent);
        out.iter_mut()
            .zip(by_motion.iter())
            .for_each(|(o, m)| *o += m);
        out
    }

    /// Lists what stands by controls and size of a step.
    fn list_step(&self, step: usize, out: &StepBlocks, all: &mut Curvature) {
        let layout = &self.layout;
        let entries = &mut all.entries;
        for component in &layout.components {
            for &t in &component.controls {
                for &f in &component.freedoms {
                    let [start, end] = &out.control;
                    entries.push((layout.tau(step, t), layout.u(step, f), start[(t, f)]));
                    entries.push((layout.u(step + 1, f), layout.tau(step, t), end[(t, f)]));
                }
            }
        }
        let phase = layout.grid[step].phase;
        if let Scale::Unknown(index) = layout.scales[phase] {
            let base = layout.grid[step].base;
            for f in 0..layout.n {
                let [start, end] = &out.step;
                entries.push((index, layout.u(step, f), base * start[f]));
                entries.push((index, layout.u(step + 1, f), base * end[f]));
            }
            for t in 0..layout.nc {
                entries.push((index, layout.tau(step, t), base * out.step_control[t]));
            }
            entries.push((index, index, base * base * out.step_step));
        }
    }
}
