//! What sticks stays where it closed: g(q_k) − s = 0 at all nodes of a contact that is closed, with the
//! place s an unknown that all of them share. Where edges cross, [two places](crate::optimise::crossing) are factors
//! of polynomials: g(q_k) + Σ s p(q_k) = 0.

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
    /// All p, with the unknowns s.
    pub places: Vec<(Poly, usize)>,
}

impl AnchorRow {
    /// g and all p, each with its factor 1 or s.
    fn terms(&self, x: &[f64]) -> impl Iterator<Item = (&Poly, f64)> {
        let places = self.places.iter().map(|(p, unknown)| (p, x[*unknown]));
        [(&self.poly, 1.0)].into_iter().chain(places)
    }

    /// Coordinates it depends on.
    fn used(&self) -> impl Iterator<Item = usize> + '_ {
        let places = self.places.iter().flat_map(|(p, _)| p.used());
        self.poly.used().chain(places)
    }
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
            let homes = layout.homes(row.used());
            layout.couplings.at(row.node, &homes);
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for (row, value) in self.rows.iter().zip(g) {
            let q = &path.nodes()[row.node].q;
            *value = row.terms(path.x()).map(|(p, s)| s * p.value(q)).sum();
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (r, row) in self.rows.iter().enumerate() {
            let q = &path.nodes()[row.node].q;
            let mut y = vec![0.0; path.layout.nq];
            for (p, s) in row.terms(path.x()) {
                p.gradient(q, |i, v| y[i] += s * v);
            }
            let list = path.layout.freedoms_of(row.used());
            path.list_node(r, row.node, &list, &y, sink);
            for (p, unknown) in &row.places {
                sink(r, *unknown, p.value(q));
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        for (row, &mu) in self.rows.iter().zip(lambda) {
            let (node, q) = (row.node, &path.nodes()[row.node].q);
            for (p, s) in row.terms(path.x()) {
                let pulls = &mut out.pulls[node];
                p.gradient(q, |i, v| pulls[i] += mu * s * v);
                path.add_products(node, &p.second(q), mu * s, &mut out.node[node]);
            }
            // By s and u: ∇p.
            for (p, unknown) in &row.places {
                let mut y = vec![0.0; path.layout.nq];
                p.gradient(q, |i, v| y[i] += mu * v);
                let slope = path.pull(node, &y);
                for f in path.layout.freedoms_of(p.used()) {
                    out.entries
                        .push((*unknown, path.layout.u(node, f), slope[f]));
                }
            }
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
        for (_, unknown) in self.rows.iter().flat_map(|row| &row.places) {
            out[*unknown] = sizes.near_one(sizes.length);
        }
    }
}
