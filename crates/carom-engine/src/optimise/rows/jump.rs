//! Laws of impact: rates of gaps after and before.
//!
//! With velocities ν⁻ and ν⁺ as unknowns ([`rates`](super::rates)) the rate of a gap is ∇g(q) · P(q) ν, and
//! restitution is ∇g · P (ν⁺ + e ν⁻) = 0. What is let go does not approach: ∇g · P ν ≥ 0.

use crate::optimise::blocks::add;
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;
use crate::optimise::push::Push;
use crate::optimise::scale::Sizes;

/// Σ w a(q) · P(q) ν + Σ c x_i x_j at a node, within a range.
#[derive(Clone, Debug)]
pub(crate) struct JumpRow {
    pub node: usize,
    pub what: String,
    pub push: Push,
    /// Sides of the layout with their weights.
    pub sides: Vec<(usize, f64)>,
    /// Products of unknowns that are added, with their factors.
    pub products: Vec<(usize, usize, f64)>,
    /// Least and largest value.
    pub range: [f64; 2],
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Jumps {
    pub rows: Vec<JumpRow>,
}

impl JumpRow {
    /// Its gradient by the degrees of freedom of its node and by velocities there.
    pub fn slope(&self, path: &Path, rates: &[f64]) -> [Vec<f64>; 2] {
        let moving = path.virtual_motion(self.node, rates);
        [
            path.pulled_slope(self.node, &self.push, &moving),
            pushed(path, self.node, &self.push),
        ]
    }

    /// Σ w ν over sides.
    fn rates(&self, path: &Path) -> Vec<f64> {
        let mut out = vec![0.0; path.layout.n];
        for &(s, w) in &self.sides {
            let rates = path.rates(&path.layout.sides[s]);
            out.iter_mut().zip(rates).for_each(|(o, v)| *o += w * v);
        }
        out
    }
}

/// Pᵀ a over all degrees of freedom.
pub(crate) fn pushed(path: &Path, node: usize, push: &Push) -> Vec<f64> {
    let here = &path.nodes()[node];
    let mut y = vec![0.0; path.layout.nq];
    push.vector(&here.q, |i, v| y[i] += v);
    let mut out = vec![0.0; path.layout.n];
    for (component, p) in path.layout.components.iter().zip(&here.null) {
        let pulled = p.tr_mul(&Path::gather(&component.coordinates, &y));
        for (&f, v) in component.freedoms.iter().zip(pulled.iter()) {
            out[f] = *v;
        }
    }
    out
}

impl Family for Jumps {
    fn name(&self) -> &'static str {
        "jump"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        self.rows.iter().map(|r| r.range).collect()
    }

    fn couple(&self, layout: &mut Layout) {
        for row in &self.rows {
            let homes = layout.homes(row.push.used());
            layout.couplings.at(row.node, &homes);
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for (row, value) in self.rows.iter().zip(g) {
            let push = pushed(path, row.node, &row.push);
            let rate: f64 = push.iter().zip(row.rates(path)).map(|(a, b)| a * b).sum();
            let x = path.x();
            let products = row.products.iter().map(|(i, j, c)| c * x[*i] * x[*j]);
            *value = rate + products.sum::<f64>();
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (r, row) in self.rows.iter().enumerate() {
            let [slope, push] = row.slope(path, &row.rates(path));
            for f in path.layout.freedoms_of(row.push.used()) {
                sink(r, path.layout.u(row.node, f), slope[f]);
            }
            for &(s, w) in &row.sides {
                let side = &path.layout.sides[s];
                for (k, &f) in side.freedoms.iter().enumerate() {
                    sink(r, side.first + k, w * push[f]);
                }
            }
            for &(i, j, c) in &row.products {
                sink(r, i, c * path.x()[j]);
                sink(r, j, c * path.x()[i]);
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        let none = vec![0.0; path.layout.nc];
        for (row, &mu) in self.rows.iter().zip(lambda) {
            let rates = row.rates(path);
            let moving = path.virtual_motion(row.node, &rates);
            path.add_pulled(row.node, &row.push, mu, &moving, out);
            let here = &path.nodes()[row.node];
            let mut y = vec![0.0; path.layout.nq];
            row.push.vector(&here.q, |i, v| y[i] += mu * v);
            // By ν and u: ∂(Pᵀa)/∂u.
            let own = row.push.slope(&here.q);
            let mut slope = path.products(&own, [&here.null, &here.tangent]) * mu;
            for (c, component) in path.layout.components.iter().enumerate() {
                let bend = path.bend(row.node, c, &y, &none);
                add(&mut slope, &component.freedoms, &bend, 1.0);
            }
            out.virtuals[row.node].push([rates, y, none.clone()]);
            let list = path.layout.freedoms_of(row.push.used());
            for &(s, w) in &row.sides {
                let side = &path.layout.sides[s];
                for (k, f) in side.freedoms.iter().enumerate() {
                    for g in &list {
                        let at = path.layout.u(row.node, *g);
                        out.entries.push((side.first + k, at, w * slope[(*f, *g)]));
                    }
                }
            }
            for &(i, j, c) in &row.products {
                out.entries.push((i, j, mu * c));
            }
        }
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let row = &self.rows[row];
        path.layout.at_node(row.node, &row.what)
    }

    fn identity(&self, row: usize) -> String {
        format!("{} {}", self.rows[row].node, row)
    }

    fn size(&self, _: &Path, _: &Sizes, _: usize, largest: f64) -> f64 {
        largest
    }
}
