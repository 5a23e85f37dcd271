//! What sticks stays where it closed: g(q_k) − s = 0 at all nodes of a contact that is closed, with the
//! place s an unknown that all of them share.

use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;
use crate::optimise::poly::Poly;
use crate::optimise::scale::{self, Sizes};

/// A coordinate of what sticks, at a node.
#[derive(Clone, Debug)]
pub(crate) struct AnchorRow {
    pub node: usize,
    pub what: String,
    /// g.
    pub poly: Poly,
    /// The place of s.
    pub unknown: usize,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchors {
    pub rows: Vec<AnchorRow>,
}

impl Family for Anchors {
    fn name(&self) -> &'static str {
        "anchor"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2]; self.rows.len()]
    }

    fn couple(&self, layout: &mut Layout) {
        for row in &self.rows {
            let homes = layout.homes(row.poly.used());
            layout.couplings.at(row.node, &homes);
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for (row, value) in self.rows.iter().zip(g) {
            *value = row.poly.value(&path.nodes()[row.node].q) - path.x()[row.unknown];
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (r, row) in self.rows.iter().enumerate() {
            let list = path.layout.freedoms_of(row.poly.used());
            let mut y = vec![0.0; path.layout.nq];
            (row.poly).gradient(&path.nodes()[row.node].q, |i, v| y[i] += v);
            path.list_node(r, row.node, &list, &y, sink);
            sink(r, row.unknown, -1.0);
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        for (row, &mu) in self.rows.iter().zip(lambda) {
            let (node, q) = (row.node, &path.nodes()[row.node].q);
            let pulls = &mut out.pulls[node];
            row.poly.gradient(q, |i, v| pulls[i] += mu * v);
            path.add_products(node, &row.poly.second(q), mu, &mut out.node[node]);
        }
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let row = &self.rows[row];
        path.layout.at_node(row.node, &row.what)
    }

    fn identity(&self, row: usize) -> String {
        let own = &self.rows[row];
        format!("{} {}", own.node, own.what)
    }

    fn size(&self, path: &Path, sizes: &Sizes, row: usize, _: f64) -> f64 {
        let row = &self.rows[row];
        scale::poly_size(path, &row.poly, &path.nodes()[row.node].q, sizes)
    }

    fn unknown_sizes(&self, _: &Path, sizes: &Sizes, out: &mut [f64]) {
        for row in &self.rows {
            out[row.unknown] = sizes.near_one(sizes.length);
        }
    }
}
