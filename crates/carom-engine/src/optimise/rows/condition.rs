//! Polynomials of the configuration at a node that lie in ranges: states at the ends, conditions on the
//! way, joints that close loops.

use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;
use crate::optimise::poly::Poly;
use crate::optimise::scale::{self, Sizes};

/// A row of a condition.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// What tells it from all other conditions.
    pub number: usize,
    pub node: usize,
    pub poly: Poly,
    pub what: String,
    pub range: [f64; 2],
    /// Whether users are told if it holds something back.
    pub told: bool,
}

impl Asked {
    /// Value, and how far it is out of its range.
    pub fn value(&self, path: &Path) -> (f64, f64) {
        let value = self.poly.value(&path.nodes()[self.node].q);
        let off = (self.range[0] - value).max(value - self.range[1]).max(0.0);
        (value, off)
    }

    /// Gradient by the coordinates of its node.
    pub fn gradient(&self, path: &Path) -> Vec<f64> {
        let mut y = vec![0.0; path.layout.nq];
        (self.poly).gradient(&path.nodes()[self.node].q, |i, v| y[i] += v);
        y
    }
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    pub rows: Vec<Asked>,
}

impl Conditions {
    /// Adds polynomials with their ranges; those without bounds are left out.
    pub fn add(&mut self, node: usize, what: &str, rows: &[(Poly, [f64; 2])]) {
        for (poly, range) in rows {
            if *range != [f64::NEG_INFINITY, f64::INFINITY] {
                self.rows.push(Asked {
                    number: self.rows.len(),
                    node,
                    poly: poly.clone().collected(),
                    what: what.into(),
                    range: *range,
                    told: false,
                });
            }
        }
    }
}

impl Family for Conditions {
    fn name(&self) -> &'static str {
        "condition"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        self.rows.iter().map(|r| r.range).collect()
    }

    fn couple(&self, layout: &mut Layout) {
        for row in &self.rows {
            let homes = layout.homes(row.poly.used());
            layout.couplings.at(row.node, &homes);
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for (row, value) in self.rows.iter().zip(g) {
            *value = row.value(path).0;
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (r, row) in self.rows.iter().enumerate() {
            let list = path.layout.freedoms_of(row.poly.used());
            path.list_node(r, row.node, &list, &row.gradient(path), sink);
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
        self.rows[row].number.to_string()
    }

    fn size(&self, path: &Path, sizes: &Sizes, row: usize, _: f64) -> f64 {
        let row = &self.rows[row];
        // Its gradient may vanish where it begins.
        scale::poly_size(path, &row.poly, &path.nodes()[row.node].q, sizes)
    }

    fn is_told(&self, row: usize) -> bool {
        self.rows[row].told
    }

    fn number(&self, row: usize) -> Option<usize> {
        Some(self.rows[row].number)
    }
}
