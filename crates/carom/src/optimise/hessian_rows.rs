//! Second derivatives of conditions, gaps and the objective, and the list of all entries.

use nalgebra::{DMatrix, SVector};

use super::avoid::between;
use super::avoid::gaps::{self, GapTerm, Matrix12};
use super::avoid::heights::{self, Weights};
use super::evaluate::Transcription;
use super::hessian::Blocks;
use super::rows::{Row, RowKind};
use super::steps::{Operator, apply};

/// A gap with its multiplier at a node, or on the way from there to the next.
struct GapRow {
    slot: usize,
    node: usize,
    term: GapTerm,
    mu: f64,
    square: f64,
}

impl Transcription {
    /// ∂(η · M A(q) t)/∂q, times a sign. A(q) t is v + ω × (φ_b − φ₁) and ω × d_I.
    pub(super) fn add_motion_pull(
        &self,
        motion: usize,
        twist: &[f64; 6],
        eta: &[f64],
        sign: f64,
        c: &mut [f64],
    ) {
        let motion = &self.layout.motions[motion];
        let w = nalgebra::Vector3::new(twist[3], twist[4], twist[5]);
        let y = apply(&self.layout.inertias, Operator::Mass, eta);
        let first = self.layout.starts[motion.motion.bodies[0].index()];
        let mut add = |at: usize, v: nalgebra::Vector3<f64>| {
            (0..3).for_each(|k| c[at + k] += sign * v[k]);
        };
        for body in &motion.motion.bodies {
            let start = self.layout.starts[body.index()];
            let parts = if self.model.is_particle(*body) { 1 } else { 4 };
            for i in 0..parts {
                let at = start + 3 * i;
                // y · (ω × d) = d · (y × ω)
                let back = nalgebra::Vector3::new(y[at], y[at + 1], y[at + 2]).cross(&w);
                add(at, back);
                if i == 0 {
                    add(first, -back);
                }
            }
        }
    }

    /// Conditions and gaps, each times its multiplier.
    pub(super) fn add_rows(
        &mut self,
        x: &[f64],
        lambda: &[f64],
        c: &mut [Vec<f64>],
        out: &mut Blocks,
    ) {
        let rows: Vec<Row> = std::mem::take(&mut self.layout.rows);
        let mut weights = Weights::new();
        for (row, &mu) in rows.iter().zip(lambda) {
            if mu == 0.0 {
                continue;
            }
            match &row.kind {
                RowKind::Poly { node, poly, .. } => {
                    poly.gradient(&self.nodes()[*node].q, |i, v| c[*node][i] += mu * v);
                    self.add_products(*node, &poly.quadratic, mu, &mut out.node[*node]);
                }
                RowKind::Gap { node, gap } => {
                    let term = self.gap(*gap, *node);
                    let row = GapRow {
                        slot: *gap,
                        node: *node,
                        term,
                        mu,
                        square: 0.0,
                    };
                    self.add_gap(&row, c, out);
                }
                RowKind::Barrier { node, gaps } => {
                    for &gap in gaps {
                        let term = self.gap(gap, *node);
                        let below = (term.value - self.margin).min(0.0);
                        if below < 0.0 {
                            let row = GapRow {
                                slot: gap,
                                node: *node,
                                term,
                                mu: mu * below,
                                square: mu,
                            };
                            self.add_gap(&row, c, out);
                        }
                    }
                }
                RowKind::Between { step, s, gap } => {
                    let term = self.gap_between(*gap, *step, *s);
                    let row = GapRow {
                        slot: *gap,
                        node: *step,
                        term,
                        mu,
                        square: 0.0,
                    };
                    self.add_gap_between(&row, *s, c, out);
                }
                RowKind::Height {
                    plane,
                    place,
                    vertex,
                    ..
                } => heights::weigh(&mut weights, *plane, *place, vertex, mu),
                RowKind::Unit { plane } => out.unit[*plane] = 2.0 * mu,
                RowKind::Turn { step, body } => {
                    let start = self.layout.starts[*body];
                    for (node, other) in [(*step, step + 1), (step + 1, *step)] {
                        for k in start + 3..start + 12 {
                            c[node][k] += mu * self.nodes()[other].q[k];
                        }
                    }
                    let (home, at) = self.layout.coordinate_home[start];
                    let [a, b] = [*step, step + 1]
                        .map(|k| self.nodes()[k].tangent[home].rows(at + 3, 9).into_owned());
                    let freedoms = &self.layout.components[home].freedoms;
                    super::jacobian::add(&mut out.next[*step], freedoms, &b.tr_mul(&a), mu);
                }
                // Linear, or done with the objective.
                RowKind::Balance { .. } | RowKind::Held { .. } | RowKind::Time | RowKind::Ratio => {
                }
            }
        }
        self.layout.rows = rows;
        self.add_heights(x, &weights, c, out);
    }

    /// Σ b (∂qᵢ ∂qⱼᵀ + ∂qⱼ ∂qᵢᵀ) of quadratic terms.
    fn add_products(
        &self,
        node: usize,
        products: &[(usize, usize, f64)],
        factor: f64,
        out: &mut DMatrix<f64>,
    ) {
        let row = |q: usize| {
            let (c, l) = self.layout.coordinate_home[q];
            (c, self.nodes()[node].tangent[c].row(l))
        };
        for &(i, j, b) in products {
            let ((ci, ri), (cj, rj)) = (row(i), row(j));
            let (fi, fj) = (
                &self.layout.components[ci].freedoms,
                &self.layout.components[cj].freedoms,
            );
            for (a, &f) in fi.iter().enumerate() {
                for (k, &g) in fj.iter().enumerate() {
                    let v = factor * b * ri[a] * rj[k];
                    out[(f, g)] += v;
                    out[(g, f)] += v;
                }
            }
        }
    }

    /// A gap at a node times μ, and `square` times half its square's outer product.
    fn add_gap(&self, row: &GapRow, c: &mut [Vec<f64>], out: &mut Blocks) {
        let GapRow {
            slot,
            node,
            term,
            mu,
            square,
        } = row;
        let y = self.gap_covector(*slot, term);
        c[*node].iter_mut().zip(&y).for_each(|(c, y)| *c += mu * y);
        let z = self.arrow_rows(*slot, term, &self.nodes()[*node].tangent);
        let mut h = term.hessian * *mu;
        if *square != 0.0 {
            h += term.gradient * term.gradient.transpose() * *square;
        }
        self.add_outer(*slot, [&z, &z], &h, &mut out.node[*node]);
    }

    /// The arrows of a gap as rows of matrices over the degrees of freedom of its bodies.
    fn arrow_rows(&self, slot: usize, term: &GapTerm, of: &[DMatrix<f64>]) -> DMatrix<f64> {
        let members = gaps::members(&self.layout.gaps[slot].pair);
        let mut z = DMatrix::zeros(12, self.layout.n);
        for (k, arrow) in term.arrows.iter().enumerate() {
            for (body, (s, l)) in members.iter().zip(&arrow.parts) {
                if let Some(b) = body
                    && (*s != 0.0 || l.iter().any(|v| *v != 0.0))
                {
                    self.point_rows(of, b.index(), l, *s, &mut z, 3 * k);
                }
            }
        }
        z
    }

    /// to += aᵀ h b over the degrees of freedom of a pair; zeros of h are left out.
    fn add_outer(
        &self,
        slot: usize,
        [a, b]: [&DMatrix<f64>; 2],
        h: &Matrix12,
        to: &mut DMatrix<f64>,
    ) {
        let list = self.pair_freedoms(slot);
        let mut part = [0.0; 12];
        for &g in &list {
            // h b, column g.
            for (i, p) in part.iter_mut().enumerate() {
                *p = 0.0;
                for j in 0..12 {
                    *p += h[(i, j)] * b[(j, g)];
                }
            }
            for &f in &list {
                let column = a.column(f);
                to[(f, g)] += (0..12).map(|i| column[i] * part[i]).sum::<f64>();
            }
        }
    }

    /// A gap on the way from a node to the next, times μ.
    fn add_gap_between(&self, row: &GapRow, s: f64, c: &mut [Vec<f64>], out: &mut Blocks) {
        let GapRow {
            slot,
            node: step,
            term,
            mu,
            ..
        } = row;
        let (slot, step) = (*slot, *step);
        let y: Vec<f64> = self
            .gap_covector(slot, term)
            .iter()
            .map(|v| mu * v)
            .collect();
        for (side, part) in self.spread(step, s, &y).into_iter().enumerate() {
            c[step + side]
                .iter_mut()
                .zip(part)
                .for_each(|(c, v)| *c += v);
        }
        // ∂q(s)/∂u at both nodes, component by component.
        let mut ways: [Vec<DMatrix<f64>>; 2] =
            [step, step + 1].map(|k| self.nodes()[k].tangent.clone());
        for body in gaps::members(&self.layout.gaps[slot].pair)
            .into_iter()
            .flatten()
        {
            let b = body.index();
            let Some((home, at)) = self.layout.body_home[b] else {
                continue;
            };
            let [from, to] = [step, step + 1].map(|k| &self.nodes()[k].poses[b]);
            let rigid = !self.model.is_particle(body);
            let tangent = between::tangent(from, to, s);
            for (side, share) in [(0, 1.0 - s), (1, s)] {
                let plain = &self.nodes()[step + side].tangent[home];
                let way = &mut ways[side][home];
                let mut shift = way.rows_mut(at, 3);
                shift *= share;
                if rigid {
                    let part = tangent.fixed_view::<9, 9>(0, 9 * side);
                    let turned = part * plain.rows(at + 3, 9);
                    way.rows_mut(at + 3, 9).copy_from(&turned);
                }
            }
            if rigid {
                // Linear in the weights: rows at the same place share the curvature of the way.
                let start = self.layout.starts[b];
                let key = (step, b, s.to_bits());
                let sum = out.ways.entry(key).or_insert_with(SVector::zeros);
                *sum += SVector::<f64, 9>::from_column_slice(&y[start + 3..start + 12]);
            }
        }
        let z = [0, 1].map(|side| self.arrow_rows(slot, term, &ways[side]));
        let h = term.hessian * *mu;
        self.add_outer(slot, [&z[0], &z[0]], &h, &mut out.node[step]);
        self.add_outer(slot, [&z[1], &z[1]], &h, &mut out.node[step + 1]);
        self.add_outer(slot, [&z[1], &z[0]], &h, &mut out.next[step]);
    }

    /// The curvature of the ways between nodes, with the weights of all rows there.
    pub(super) fn add_ways(&self, out: &mut Blocks) {
        for ((step, body, s), weight) in std::mem::take(&mut out.ways) {
            let [from, to] = [step, step + 1].map(|k| &self.nodes()[k].poses[body]);
            if let Some((home, at)) = self.layout.body_home[body] {
                let bend = between::curvature(from, to, f64::from_bits(s), &weight);
                self.add_way_bend(step, home, at, &bend, out);
            }
        }
    }

    fn add_way_bend(
        &self,
        step: usize,
        home: usize,
        at: usize,
        bend: &nalgebra::SMatrix<f64, 18, 18>,
        out: &mut Blocks,
    ) {
        let freedoms = &self.layout.components[home].freedoms;
        let turns = [step, step + 1].map(|k| {
            let t = &self.nodes()[k].tangent[home];
            DMatrix::from(t.rows(at + 3, 9))
        });
        let part = |i: usize, j: usize| {
            let block = bend.fixed_view::<9, 9>(9 * i, 9 * j);
            turns[i].tr_mul(&(block * &turns[j]))
        };
        super::jacobian::add(&mut out.node[step], freedoms, &part(0, 0), 1.0);
        super::jacobian::add(&mut out.node[step + 1], freedoms, &part(1, 1), 1.0);
        super::jacobian::add(&mut out.next[step], freedoms, &part(1, 0), 1.0);
    }

    /// Terms of the end and the distance of a ratio.
    pub(super) fn add_cost(&self, x: &[f64], lambda: &[f64], c: &mut [Vec<f64>], out: &mut Blocks) {
        let last = self.layout.grid.len();
        for poly in &self.layout.last {
            poly.gradient(&self.nodes()[last].q, |i, v| c[last][i] += out.cost * v);
            self.add_products(last, &poly.quadratic, out.cost, &mut out.node[last]);
        }
        let ratio = self
            .layout
            .rows
            .iter()
            .position(|r| matches!(r.kind, RowKind::Ratio));
        if let (Some(index), Some(row)) = (self.layout.ratio, ratio) {
            let (_, gradient) = self.travel();
            for end in [0, last] {
                let mut y = vec![0.0; self.layout.nq];
                for (_, i, v) in gradient.iter().filter(|(at, ..)| *at == end) {
                    c[end][*i] -= lambda[row] * x[index] * v;
                    y[*i] -= lambda[row] * v;
                }
                out.ratio.push((end, self.pull(end, &y)));
            }
        }
    }

    /// Lists the entries of the lower triangle as (row, column, value), always in the same order; a
    /// place may come more than once.
    pub fn each_hessian(
        &mut self,
        x: &[f64],
        factor: f64,
        lambda: &[f64],
        sink: &mut dyn FnMut(usize, usize, f64),
    ) {
        let blocks = self.hessian_blocks(x, factor, lambda);
        let layout = &self.layout;
        for node in 0..layout.nodes() {
            for f in 0..layout.n {
                let home = layout.freedom_home[f];
                for g in layout.reach(home, layout.wide_nodes) {
                    if g <= f {
                        sink(
                            layout.u(node, f),
                            layout.u(node, g),
                            blocks.node[node][(f, g)],
                        );
                    }
                }
            }
        }
        for step in 0..layout.grid.len() {
            for f in 0..layout.n {
                let home = layout.freedom_home[f];
                for g in layout.reach(home, layout.wide_steps) {
                    sink(
                        layout.u(step + 1, f),
                        layout.u(step, g),
                        blocks.next[step][(f, g)],
                    );
                }
            }
            for component in &layout.components {
                for &t in &component.controls {
                    for &f in &component.freedoms {
                        let [start, end] = &blocks.control[step];
                        sink(layout.tau(step, t), layout.u(step, f), start[(t, f)]);
                        sink(layout.u(step + 1, f), layout.tau(step, t), end[(t, f)]);
                    }
                }
            }
            let h = layout.h(step, x);
            for t in 0..layout.nc {
                let tau = layout.tau(step, t);
                sink(tau, tau, 2.0 * blocks.cost * h * layout.effort[t]);
            }
            if let Some(index) = self.step_unknown(step) {
                let base = layout.grid[step].base;
                for f in 0..layout.n {
                    let [start, end] = &blocks.step[step];
                    sink(index, layout.u(step, f), base * start[f]);
                    sink(index, layout.u(step + 1, f), base * end[f]);
                }
                for t in 0..layout.nc {
                    let by_effort =
                        2.0 * blocks.cost * layout.effort[t] * self.controls(step, x)[t];
                    let v = blocks.step_control[step][t] + by_effort;
                    sink(index, layout.tau(step, t), base * v);
                }
                sink(index, index, base * base * blocks.step_step[step]);
            }
        }
        for (index, node, row) in &blocks.motion {
            for f in 0..layout.n {
                sink(*index, layout.u(*node, f), row[f]);
            }
        }
        for (plane, turns) in layout.planes.iter().zip(&blocks.plane) {
            let list = layout.pair_freedoms(&plane.pair);
            for (k, sides) in turns.iter().enumerate() {
                let place = plane.first + k;
                sink(place, place, blocks.unit[plane.index]);
                for (node, row) in plane.span.nodes().zip(sides) {
                    for &f in &list {
                        let value = row.get(f).copied().unwrap_or(0.0);
                        sink(plane.first + k, layout.u(node, f), value);
                    }
                }
            }
        }
        if let Some(index) = layout.ratio {
            for (node, row) in &blocks.ratio {
                for f in 0..layout.n {
                    sink(index, layout.u(*node, f), row[f]);
                }
            }
        }
    }
}
