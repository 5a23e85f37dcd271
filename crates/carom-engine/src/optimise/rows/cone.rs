//! Friction is enough: the impulse of a contact lies in its cone, (μ λ_n)² − |λ_t|² ≥ 0 with λ_n ≥ 0 by
//! its bounds.

use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::path::Path;
use crate::optimise::scale::Sizes;

/// The impulse of a point at a node.
#[derive(Clone, Debug)]
pub(crate) struct ConeRow {
    pub node: usize,
    pub what: String,
    pub friction: f64,
    /// Unknowns of the impulse along the normal and across it.
    pub normal: usize,
    pub across: Vec<usize>,
}

impl ConeRow {
    /// Unknowns with their factors in the quadratic form.
    fn parts(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let across = self.across.iter().map(|k| (*k, -1.0));
        [(self.normal, self.friction * self.friction)]
            .into_iter()
            .chain(across)
    }
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Cones {
    pub rows: Vec<ConeRow>,
}

impl Family for Cones {
    fn name(&self) -> &'static str {
        "cone"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        vec![[0.0, f64::INFINITY]; self.rows.len()]
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        let x = path.x();
        for (row, value) in self.rows.iter().zip(g) {
            *value = row.parts().map(|(k, w)| w * x[k] * x[k]).sum();
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (r, row) in self.rows.iter().enumerate() {
            for (k, w) in row.parts() {
                sink(r, k, 2.0 * w * path.x()[k]);
            }
        }
    }

    fn hessian(&mut self, _: &Path, lambda: &[f64], out: &mut Curvature) {
        for (row, &mu) in self.rows.iter().zip(lambda) {
            for (k, w) in row.parts() {
                out.entries.push((k, k, 2.0 * w * mu));
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

    fn size(&self, _: &Path, _: &Sizes, _: usize, largest: f64) -> f64 {
        // Where there is no impulse yet it has no slope.
        if largest > 0.0 { largest } else { 1.0 }
    }

    fn is_told(&self, _: usize) -> bool {
        true
    }
}
