//! A cost per distance travelled: cost − c · distance = 0, c an unknown that is minimised.

use std::sync::Arc;

use crate::optimise::cost::Cost;
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::path::Path;
use crate::optimise::problem::Travel;
use crate::optimise::scale::Sizes;

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Ratio {
    pub cost: Arc<Cost>,
    pub travel: Travel,
    /// The place of c.
    pub unknown: usize,
}

impl Ratio {
    /// Distance travelled.
    pub fn distance(&self, path: &Path) -> f64 {
        let start = path.layout.starts[self.travel.body.index()];
        let ends = [0, path.layout.grid.len()].map(|k| &path.nodes()[k].q);
        let e = &self.travel.direction;
        let from = |k: usize| (self.travel.from).map_or(ends[0][start + k], |p| p[k]);
        (0..3).map(|k| e[k] * (ends[1][start + k] - from(k))).sum()
    }

    /// Its gradient by the coordinates at both ends, times a factor.
    fn slopes(&self, path: &Path, factor: f64) -> [(usize, Vec<f64>); 2] {
        let start = path.layout.starts[self.travel.body.index()];
        let moves = if self.travel.from.is_none() {
            -factor
        } else {
            0.0
        };
        [(0, moves), (path.layout.grid.len(), factor)].map(|(node, factor)| {
            let mut y = vec![0.0; path.layout.nq];
            (0..3).for_each(|k| y[start + k] = factor * self.travel.direction[k]);
            (node, y)
        })
    }

    /// Degrees of freedom that move its body.
    fn freedoms(&self, path: &Path) -> Vec<usize> {
        path.layout.freedoms_of_bodies(&[self.travel.body])
    }
}

impl Family for Ratio {
    fn name(&self) -> &'static str {
        "ratio"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2]]
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        g[0] = self.cost.value(path) - path.x()[self.unknown] * self.distance(path);
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        self.cost.gradient(path, 1.0, &mut |i, v| sink(0, i, v));
        let list = self.freedoms(path);
        for (node, y) in self.slopes(path, -path.x()[self.unknown]) {
            path.list_node(0, node, &list, &y, sink);
        }
        sink(0, self.unknown, -self.distance(path));
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        self.cost.hessian(path, lambda[0], out);
        for (node, y) in self.slopes(path, -lambda[0] * path.x()[self.unknown]) {
            out.pulls[node].iter_mut().zip(y).for_each(|(c, v)| *c += v);
        }
        for (node, y) in self.slopes(path, -lambda[0]) {
            let pulled = path.pull(node, &y);
            let list = self.freedoms(path);
            let entries = list
                .iter()
                .map(|&f| (self.unknown, path.layout.u(node, f), pulled[f]));
            out.entries.extend(entries);
        }
    }

    fn describe(&self, _: &Path, _: usize) -> String {
        "ratio of the objective".into()
    }

    fn identity(&self, _: usize) -> String {
        String::new()
    }

    fn size(&self, _: &Path, _: &Sizes, _: usize, largest: f64) -> f64 {
        largest
    }

    fn unknown_sizes(&self, path: &Path, sizes: &Sizes, out: &mut [f64]) {
        out[self.unknown] = sizes.near_one(path.x()[self.unknown].abs());
    }
}
