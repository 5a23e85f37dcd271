//! Expressions of the user's own that lie in ranges, at nodes or over steps.

use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::formula::Formula;
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;
use crate::optimise::quantity::Spot;
use crate::optimise::scale::Sizes;

/// A formula on a spot, with its range.
#[derive(Clone, Debug)]
pub(crate) struct FormulaRow {
    pub formula: Formula,
    pub at: Spot,
    pub range: [f64; 2],
    /// Its number among those of its node.
    pub number: usize,
}

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Formulas {
    pub rows: Vec<FormulaRow>,
}

impl Family for Formulas {
    fn name(&self) -> &'static str {
        "formula"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        self.rows.iter().map(|r| r.range).collect()
    }

    fn couple(&self, layout: &mut Layout) {
        self.rows
            .iter()
            .for_each(|r| r.formula.couple(layout, r.at));
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for (row, value) in self.rows.iter().zip(g) {
            *value = row.formula.value(path, row.at);
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (r, row) in self.rows.iter().enumerate() {
            for (k, v) in row.formula.gradient(path, row.at) {
                sink(r, k, v);
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        for (row, &mu) in self.rows.iter().zip(lambda) {
            row.formula.curvature(path, row.at, mu, out);
        }
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let row = &self.rows[row];
        path.layout.at_node(row.at.node, row.formula.text())
    }

    fn identity(&self, row: usize) -> String {
        let row = &self.rows[row];
        format!("{} {}", row.at.node, row.number)
    }

    fn size(&self, _: &Path, sizes: &Sizes, _: usize, largest: f64) -> f64 {
        sizes.near_one(largest)
    }

    fn is_told(&self, _: usize) -> bool {
        true
    }
}
