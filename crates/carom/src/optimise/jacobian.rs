//! Gradient of the objective and Jacobian of the rows.
//!
//! Entries are listed by one function, in one order, for pattern and values alike. The Jacobian is
//! block-tridiagonal in the nodes; time scales and the ratio add columns and rows of their own.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::avoid::between;
use super::avoid::gaps::{self, GapTerm};
use super::avoid::heights::Slopes;
use super::dual::Dual;
use super::evaluate::Transcription;
use super::layout::Scale;
use super::rows::RowKind;
use super::steps::Operator;

/// Derivatives of the balance at a node by u at the node before, here, and after it, and by the
/// sizes of the steps before and after.
#[derive(Clone, Debug)]
pub(crate) struct BalanceBlocks {
    pub before: DMatrix<f64>,
    pub here: DMatrix<f64>,
    pub after: DMatrix<f64>,
    pub by_step: [DVector<f64>; 2],
}

impl Transcription {
    /// The covector y over the coordinates of a node as derivatives by u.
    pub fn pull(&self, node: usize, y: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.layout.n];
        for (c, component) in self.layout.components.iter().enumerate() {
            let local = Self::gather(&component.coordinates, y);
            if local.iter().all(|v| *v == 0.0) {
                continue;
            }
            let pulled = self.nodes()[node].tangent[c].tr_mul(&local);
            for (&f, v) in component.freedoms.iter().zip(pulled.iter()) {
                out[f] = *v;
            }
        }
        out
    }

    /// Gradient of a gap by the coordinates of both bodies.
    pub fn gap_covector(&self, slot: usize, term: &GapTerm) -> Vec<f64> {
        let mut y = vec![0.0; self.layout.nq];
        let members = gaps::members(&self.layout.gaps[slot].pair);
        for (k, arrow) in term.arrows.iter().enumerate() {
            let along = term.gradient.fixed_rows::<3>(3 * k).into_owned();
            for (body, (s, l)) in members.iter().zip(&arrow.parts) {
                if let Some(b) = body {
                    self.push(b.index(), l, *s, &along, &mut y);
                }
            }
        }
        y
    }

    /// A covector at a part s of a step as covectors at its two nodes.
    pub fn spread(&self, step: usize, s: f64, y: &[f64]) -> [Vec<f64>; 2] {
        let mut out = [vec![0.0; y.len()], vec![0.0; y.len()]];
        for i in &self.layout.inertias {
            let at = i.start;
            for k in 0..3 {
                out[0][at + k] = (1.0 - s) * y[at + k];
                out[1][at + k] = s * y[at + k];
            }
            if i.rigid && y[at + 3..at + 12].iter().any(|v| *v != 0.0) {
                let [from, to] = [step, step + 1].map(|k| &self.nodes()[k].poses[i.body]);
                let c = nalgebra::SVector::<f64, 9>::from_column_slice(&y[at + 3..at + 12]);
                let back = between::tangent(from, to, s).tr_mul(&c);
                for k in 0..9 {
                    out[0][at + 3 + k] = back[k];
                    out[1][at + 3 + k] = back[9 + k];
                }
            }
        }
        out
    }

    /// Derivatives of all balances.
    pub fn balance_blocks(&mut self, x: &[f64]) -> Vec<BalanceBlocks> {
        self.refresh(x, true);
        let (n, nodes) = (self.layout.n, self.layout.nodes());
        let empty = BalanceBlocks {
            before: DMatrix::zeros(n, n),
            here: DMatrix::zeros(n, n),
            after: DMatrix::zeros(n, n),
            by_step: [DVector::zeros(n), DVector::zeros(n)],
        };
        let balances = self.balances(x);
        let drag = self.has_drag();
        let this = &*self;
        let block = |node: usize| {
            let mut blocks = empty.clone();
            let impulses = this.impulses(node, x);
            let [before, after] = this.steps_at(node);
            for (c, component) in this.layout.components.iter().enumerate() {
                let here = &this.nodes()[node];
                let p = &here.null[c];
                let bend = this.bend(node, c, x, &balances[node].sum, &impulses);
                add(&mut blocks.here, &component.freedoms, &bend, 1.0);
                for (step, side) in [(before, 0), (after, 1)] {
                    let Some(step) = step else { continue };
                    let h = this.layout.h(step, x);
                    let other = if side == 0 { node - 1 } else { node + 1 };
                    let own = p.tr_mul(&here.heavy[c]);
                    let cross = p.tr_mul(&this.nodes()[other].heavy[c]);
                    let far = if side == 0 {
                        &mut blocks.before
                    } else {
                        &mut blocks.after
                    };
                    add(far, &component.freedoms, &cross, -1.0 / h);
                    if drag {
                        let sign = if side == 0 { 0.5 } else { -0.5 };
                        let of = |k: usize| {
                            let t = &this.nodes()[k].tangent[c];
                            p.tr_mul(&this.operate(c, Operator::Drag, t))
                        };
                        add(far, &component.freedoms, &of(other), sign);
                        add(&mut blocks.here, &component.freedoms, &of(node), -sign);
                    }
                    add(&mut blocks.here, &component.freedoms, &own, 1.0 / h);
                    // ∂/∂h
                    let y = Self::gather(&component.coordinates, &balances[node].by_step[side]);
                    let tau = Self::gather(&component.controls, this.controls(step, x));
                    let slope = p.tr_mul(&y) + here.input[c].tr_mul(&tau) * 0.5;
                    for (&f, v) in component.freedoms.iter().zip(slope.iter()) {
                        blocks.by_step[side][f] += v;
                    }
                }
            }
            blocks
        };
        let mut out: Vec<BalanceBlocks> = (0..nodes).into_par_iter().map(block).collect();
        self.add_pair_blocks(x, &mut out);
        self.add_motion_blocks(x, &mut out);
        out
    }

    /// Steps that end and begin at a node.
    pub fn steps_at(&self, node: usize) -> [Option<usize>; 2] {
        [
            node.checked_sub(1),
            (node < self.layout.grid.len()).then_some(node),
        ]
    }

    /// ∂/∂u of P(q(u))ᵀ y + W(u)ᵀ τ with y and τ held.
    fn bend(&self, node: usize, c: usize, x: &[f64], y: &[f64], impulses: &[f64]) -> DMatrix<f64> {
        let model = &*self.model;
        let component = &self.layout.components[c];
        let u = self.local(node, c, x);
        let n = u.len();
        let mut out = DMatrix::zeros(n, n);
        let mut nu = vec![0.0; n];
        for j in (0..n).filter(|&j| !component.shifts[j]) {
            let seeded: Vec<_> = (u.iter().enumerate())
                .map(|(i, &v)| Dual {
                    v,
                    d: f64::from(i == j),
                })
                .collect();
            let placed = component.place(model, &self.centres[node], &seeded);
            for i in 0..n {
                nu[i] = 1.0;
                let moving = component.moving(model, &placed, &nu);
                let mut sum = 0.0;
                component.motion_of(model, &placed, &moving, |l, v| {
                    sum += y[component.coordinates[l]] * v.d;
                });
                component.rates_of(model, &placed, &moving, |l, v| {
                    sum += impulses[component.controls[l]] * v.d;
                });
                out[(i, j)] = sum;
                nu[i] = 0.0;
            }
        }
        out
    }

    /// Gradient of the objective.
    pub fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        g.fill(0.0);
        match self.layout.ratio {
            Some(c) => g[c] = 1.0,
            None => self.cost_gradient(x, 1.0, &mut |i, v| g[i] += v),
        }
    }

    /// Gradient of the cost times a factor.
    fn cost_gradient(&mut self, x: &[f64], factor: f64, each: &mut dyn FnMut(usize, f64)) {
        self.refresh(x, true);
        let layout = &self.layout;
        for k in 0..layout.grid.len() {
            let h = layout.h(k, x);
            let mut squares = layout.time;
            for (t, (tau, w)) in self.controls(k, x).iter().zip(&layout.effort).enumerate() {
                squares += w * tau * tau;
                each(layout.tau(k, t), factor * 2.0 * h * w * tau);
            }
            if let Scale::Unknown(index) = layout.scales[layout.grid[k].phase] {
                each(index, factor * layout.grid[k].base * squares);
            }
        }
        let last = layout.grid.len();
        let mut y = vec![0.0; layout.nq];
        for poly in &layout.last {
            poly.gradient(&self.nodes()[last].q, |i, v| y[i] += v);
        }
        for (f, v) in self.pull(last, &y).into_iter().enumerate() {
            each(self.layout.u(last, f), factor * v);
        }
    }

    /// Lists the entries of the Jacobian at x as (row, unknown, value), always in the same order; a
    /// place may come more than once.
    pub fn each_jacobian(&mut self, x: &[f64], sink: &mut dyn FnMut(usize, usize, f64)) {
        let blocks = self.balance_blocks(x);
        self.list_balances(x, &blocks, sink);
        let rows = std::mem::take(&mut self.layout.rows);
        let mut slopes = None::<Slopes>;
        for (r, row) in rows.iter().enumerate() {
            match &row.kind {
                RowKind::Balance { .. } => {}
                RowKind::Poly { node, poly, .. } => {
                    let list = self.layout.freedoms_of(super::layout::Layout::used(poly));
                    let mut y = vec![0.0; self.layout.nq];
                    poly.gradient(&self.nodes()[*node].q, |i, v| y[i] += v);
                    self.list_node(r, *node, &list, &y, sink);
                }
                RowKind::Gap { node, gap } => {
                    let list = self.pair_freedoms(*gap);
                    let term = self.gap(*gap, *node);
                    let y = self.gap_covector(*gap, &term);
                    self.list_node(r, *node, &list, &y, sink);
                }
                RowKind::Height {
                    plane,
                    place,
                    vertex,
                    ..
                } => {
                    let here = slopes.take().filter(|s| s.heights.is_at(*plane, *place));
                    let here = here.unwrap_or_else(|| self.slopes(*plane, *place, x));
                    slopes.insert(here).list(self, r, vertex, sink);
                }
                RowKind::Unit { plane } => {
                    let plane = &self.layout.planes[*plane];
                    for (k, v) in plane.normal(x).iter().enumerate() {
                        sink(r, plane.first + k, 2.0 * v);
                    }
                }
                RowKind::Held { plane, vertex, .. } => {
                    let plane = &self.layout.planes[*plane];
                    for k in 0..3 {
                        sink(r, plane.first + k, -vertex[k]);
                    }
                    sink(r, plane.first + 3, 1.0);
                }
                RowKind::Between { step, s, gap } => {
                    let list = self.pair_freedoms(*gap);
                    let term = self.gap_between(*gap, *step, *s);
                    let ends = self.spread(*step, *s, &self.gap_covector(*gap, &term));
                    for (side, y) in ends.iter().enumerate() {
                        self.list_node(r, step + side, &list, y, sink);
                    }
                }
                RowKind::Barrier { node, gaps } => {
                    let list: Vec<usize> = (0..self.layout.n).collect();
                    let mut y = vec![0.0; self.layout.nq];
                    for &gap in gaps {
                        let term = self.gap(gap, *node);
                        let below = (term.value - self.margin).min(0.0);
                        let part = self.gap_covector(gap, &term);
                        y.iter_mut().zip(part).for_each(|(y, v)| *y += below * v);
                    }
                    self.list_node(r, *node, &list, &y, sink);
                }
                RowKind::Turn { step, body } => {
                    let start = self.layout.starts[*body];
                    let home = self.layout.freedoms_of([start].into_iter());
                    for (node, other) in [(*step, step + 1), (step + 1, *step)] {
                        let mut y = vec![0.0; self.layout.nq];
                        let d = &self.nodes()[other].q[start + 3..start + 12];
                        y[start + 3..start + 12].copy_from_slice(d);
                        self.list_node(r, node, &home, &y, sink);
                    }
                }
                RowKind::Time => {
                    for p in 0..self.layout.scales.len() {
                        if let Scale::Unknown(index) = self.layout.scales[p] {
                            let own = self.layout.grid.iter().filter(|s| s.phase == p);
                            sink(r, index, own.map(|s| s.base).sum());
                        }
                    }
                }
                RowKind::Ratio => self.list_ratio(r, x, sink),
            }
        }
        self.layout.rows = rows;
    }

    /// Degrees of freedom that a gap depends on at a node.
    pub fn pair_freedoms(&self, gap: usize) -> Vec<usize> {
        self.layout.pair_freedoms(&self.layout.gaps[gap].pair)
    }

    /// A row whose gradient by the coordinates of a node is y.
    fn list_node(
        &self,
        row: usize,
        node: usize,
        list: &[usize],
        y: &[f64],
        sink: &mut dyn FnMut(usize, usize, f64),
    ) {
        let values = self.pull(node, y);
        for &f in list {
            sink(row, self.layout.u(node, f), values[f]);
        }
    }

    fn list_balances(
        &self,
        x: &[f64],
        blocks: &[BalanceBlocks],
        sink: &mut dyn FnMut(usize, usize, f64),
    ) {
        let layout = &self.layout;
        for node in 0..layout.nodes() {
            let steps = self.steps_at(node);
            let block = &blocks[node];
            let wide_here =
                layout.wide_steps || (layout.wide_nodes && steps.iter().any(Option::is_none));
            for (c, component) in layout.components.iter().enumerate() {
                let (far, near) = (
                    layout.reach(c, layout.wide_steps),
                    layout.reach(c, wide_here),
                );
                for (l, &f) in component.freedoms.iter().enumerate() {
                    let Some(row) = layout.balance[node][f] else {
                        continue;
                    };
                    for &g in &near {
                        sink(row, layout.u(node, g), block.here[(f, g)]);
                    }
                    for (side, step) in steps.iter().enumerate() {
                        let Some(step) = *step else { continue };
                        let other = if side == 0 { node - 1 } else { node + 1 };
                        for &g in &far {
                            let far = if side == 0 {
                                &block.before
                            } else {
                                &block.after
                            };
                            sink(row, layout.u(other, g), far[(f, g)]);
                        }
                        for (t, &control) in component.controls.iter().enumerate() {
                            let w = self.nodes()[node].input[c][(t, l)];
                            sink(row, layout.tau(step, control), 0.5 * layout.h(step, x) * w);
                        }
                        if let Scale::Unknown(index) = layout.scales[layout.grid[step].phase] {
                            sink(row, index, block.by_step[side][f] * layout.grid[step].base);
                        }
                    }
                    self.list_motion_unknowns(row, node, c, l, sink);
                }
            }
        }
    }

    fn list_ratio(&mut self, row: usize, x: &[f64], sink: &mut dyn FnMut(usize, usize, f64)) {
        self.cost_gradient(x, 1.0, &mut |i, v| sink(row, i, v));
        let Some(c) = self.layout.ratio else { return };
        let (distance, gradient) = self.travel();
        for end in [0, self.layout.grid.len()] {
            let mut y = vec![0.0; self.layout.nq];
            for (_, i, v) in gradient.iter().filter(|(at, ..)| *at == end) {
                y[*i] += v;
            }
            for (f, v) in self.pull(end, &y).into_iter().enumerate() {
                sink(row, self.layout.u(end, f), -x[c] * v);
            }
        }
        sink(row, c, -distance);
    }
}

/// Adds a block over some degrees of freedom.
pub(crate) fn add(to: &mut DMatrix<f64>, freedoms: &[usize], block: &DMatrix<f64>, factor: f64) {
    for (i, &f) in freedoms.iter().enumerate() {
        for (j, &g) in freedoms.iter().enumerate() {
            to[(f, g)] += factor * block[(i, j)];
        }
    }
}
