//! A problem on a grid with charts as a sparse nonlinear program: a motion, a cost and families of rows,
//! none of which is known here by more than its trait.
//!
//! Entries of the derivatives are listed by one function, in one order, for pattern and values alike.
//! The Jacobian is block-tridiagonal in the nodes but for unknowns that belong to no node.

use std::sync::Arc;

use nalgebra::DMatrix;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::corner::{Corner, Stand};
use super::cost::Cost;
use super::family::{Curvature, Family, Sink};
use super::nlp::Leaf;
use super::path::Path;
use super::scale::{self, Sizes};
use crate::mechanics::Second;

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct Transcription {
    pub path: Path,
    /// Least and largest value of each unknown.
    pub bounds: Vec<[f64; 2]>,
    cost: Arc<Cost>,
    /// The unknown that is minimised in place of the cost.
    pub ratio: Option<usize>,
    families: Vec<Box<dyn Family>>,
    /// First row of each family, and the number of all rows.
    firsts: Vec<usize>,
}

impl Transcription {
    pub fn new(
        mut path: Path,
        bounds: Vec<[f64; 2]>,
        cost: Arc<Cost>,
        ratio: Option<usize>,
    ) -> Self {
        cost.couple(&mut path.layout);
        Self {
            path,
            bounds,
            cost,
            ratio,
            families: Vec::new(),
            firsts: vec![0],
        }
    }

    /// Adds a family of rows.
    pub fn add(&mut self, family: impl Family + 'static) {
        family.couple(&mut self.path.layout);
        let count = family.ranges().len();
        self.firsts.push(self.rows() + count);
        self.families.push(Box::new(family));
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.firsts[self.families.len()]
    }

    /// Least and largest value of every row.
    pub fn ranges(&self) -> Vec<[f64; 2]> {
        self.families.iter().flat_map(|f| f.ranges()).collect()
    }

    /// Writes laws with corners in one of the ways there are.
    pub fn write_corners(&mut self, corner: &Corner) {
        for family in &mut self.families {
            family.write_corners(corner, &mut self.bounds);
        }
    }

    /// Where laws with corners stand at unknowns x.
    pub fn stands(&mut self, x: &[f64]) -> Vec<Stand> {
        self.path.refresh(x, false);
        self.families
            .iter()
            .flat_map(|f| f.stands(&self.path))
            .collect()
    }

    /// The families with the first row of each.
    fn families(&self) -> impl Iterator<Item = (usize, &dyn Family)> {
        let firsts = self.firsts.iter().copied();
        firsts.zip(self.families.iter().map(|f| &**f))
    }

    /// The family of a row, and its number there.
    fn family(&self, row: usize) -> (&dyn Family, usize) {
        let k = self.firsts.partition_point(|f| *f <= row) - 1;
        (&*self.families[k], row - self.firsts[k])
    }

    /// The nodes at x; with tangents where they are asked for.
    pub fn refresh(&mut self, x: &[f64], tangents: bool) {
        self.path.refresh(x, tangents);
    }

    /// Objective at x.
    pub fn objective(&mut self, x: &[f64]) -> f64 {
        self.refresh(x, false);
        match self.ratio {
            Some(c) => x[c],
            None => self.cost.value(&self.path),
        }
    }

    /// The sum that is minimised, before it is divided by a distance, at least what the way stands for.
    pub fn typical_cost(&mut self, x: &[f64]) -> f64 {
        let value = self.objective(x).abs();
        value.max(self.cost.typical_effort(&self.path))
    }

    /// Gradient of the objective.
    pub fn gradient(&mut self, x: &[f64], g: &mut [f64]) {
        g.fill(0.0);
        self.refresh(x, true);
        match self.ratio {
            Some(c) => g[c] = 1.0,
            None => {
                self.cost.gradient(&self.path, 1.0, &mut |i, v| g[i] += v);
                self.parameter_gradient(g);
            }
        }
    }

    /// Rows at x.
    pub fn values(&mut self, x: &[f64], g: &mut [f64]) {
        self.refresh(x, false);
        for (k, family) in self.families.iter_mut().enumerate() {
            family.values(&self.path, &mut g[self.firsts[k]..self.firsts[k + 1]]);
        }
    }

    /// Lists the entries of the Jacobian at x as (row, unknown, value), always in the same order; a
    /// place may come more than once.
    pub fn each_jacobian(&mut self, x: &[f64], sink: &mut Sink) {
        self.refresh(x, true);
        for (k, family) in self.families.iter_mut().enumerate() {
            let first = self.firsts[k];
            family.jacobian(&self.path, &mut |r, c, v| sink(first + r, c, v));
        }
        self.parameter_slopes(sink);
    }

    /// Families that parameters of the model change: mechanics, and all where they change where things are.
    fn follows(&self, family: usize, moves: bool) -> bool {
        moves || self.families[family].is_mechanics()
    }

    /// Values of rows that follow the model of a path.
    fn followed_values(&mut self, path: &Path, moves: bool) -> Vec<f64> {
        let mut out = vec![0.0; self.rows()];
        for k in 0..self.families.len() {
            if self.follows(k, moves) {
                let own = self.firsts[k]..self.firsts[k + 1];
                self.families[k].values(path, &mut out[own]);
            }
        }
        out
    }

    /// The cost that follows the model of a path.
    fn followed_cost(&self, path: &Path, moves: bool) -> f64 {
        match moves && self.ratio.is_none() {
            true => self.cost.value(path),
            false => 0.0,
        }
    }

    /// Gradient of factor · f + λᵀg, of what follows the model of a path.
    fn followed_pull(
        &mut self,
        path: &Path,
        (factor, lambda): (f64, &[f64]),
        moves: bool,
        touched: &mut [bool],
    ) -> Vec<f64> {
        let mut out = vec![0.0; touched.len()];
        if moves && self.ratio.is_none() {
            self.cost.gradient(path, factor, &mut |c, v| {
                out[c] += v;
                touched[c] = true;
            });
        }
        for k in 0..self.families.len() {
            if self.follows(k, moves) {
                let first = self.firsts[k];
                self.families[k].jacobian(path, &mut |r, c, v| {
                    out[c] += lambda[first + r] * v;
                    touched[c] = true;
                });
            }
        }
        out
    }

    /// First derivatives by parameters, through the model alone: see [`parameter`](super::parameter).
    fn parameter_slopes(&mut self, sink: &mut Sink) {
        for (k, own) in self.path.stencils().into_iter().enumerate() {
            let column = self.path.layout.parameters[k];
            let mut slope = vec![0.0; self.rows()];
            for &(aside, weight) in own.stencil.first {
                let path = self.path.with_model(&[(k, aside * own.stencil.step)]);
                let values = self.followed_values(&path, own.moves);
                let parts = slope.iter_mut().zip(values);
                parts.for_each(|(s, v)| *s += weight * v / own.stencil.step);
            }
            for f in 0..self.families.len() {
                if self.follows(f, own.moves) {
                    (self.firsts[f]..self.firsts[f + 1]).for_each(|r| sink(r, column, slope[r]));
                }
            }
        }
    }

    /// Derivatives of the cost by parameters, through the model alone.
    fn parameter_gradient(&mut self, g: &mut [f64]) {
        for (k, own) in self.path.stencils().into_iter().enumerate() {
            for &(aside, weight) in own.stencil.first.iter().filter(|_| own.moves) {
                let path = self.path.with_model(&[(k, aside * own.stencil.step)]);
                let value = self.followed_cost(&path, own.moves);
                g[self.path.layout.parameters[k]] += weight * value / own.stencil.step;
            }
        }
    }

    /// Second derivatives by parameters and all unknowns.
    fn parameter_curvature(&mut self, x: &[f64], factor: f64, lambda: &[f64], sink: &mut Sink) {
        let all = self.path.stencils();
        let columns = self.path.layout.parameters.clone();
        let sum = |t: &mut Self, changes: &[(usize, f64)], moves: bool| -> f64 {
            let path = t.path.with_model(changes);
            let values = t.followed_values(&path, moves);
            let rows = values.iter().zip(lambda).map(|(v, l)| v * l).sum::<f64>();
            rows + factor * t.followed_cost(&path, moves)
        };
        for (k, own) in all.iter().enumerate() {
            let (step, moves, column) = (own.stencil.step, own.moves, columns[k]);
            let mut touched = vec![false; x.len()];
            let mut slope = vec![0.0; x.len()];
            for &(aside, weight) in own.stencil.first {
                let path = self.path.with_model(&[(k, aside * step)]);
                let pull = self.followed_pull(&path, (factor, lambda), moves, &mut touched);
                let parts = slope.iter_mut().zip(pull);
                parts.for_each(|(s, v)| *s += weight * v / step);
            }
            for c in (0..x.len()).filter(|&c| touched[c]) {
                // Formulas that name the parameter change with it and with the model: both ways round.
                let both = if c == column { 2.0 } else { 1.0 };
                sink(column, c, both * slope[c]);
            }
            let mut curved = 0.0;
            for &(aside, weight) in own.stencil.second {
                curved += weight * sum(self, &[(k, aside * step)], moves);
            }
            sink(column, column, curved / (step * step));
            for (l, other) in all.iter().enumerate().take(k) {
                let mut mixed = 0.0;
                for &(a, v) in own.stencil.first {
                    for &(b, w) in other.stencil.first {
                        let changes = [(k, a * step), (l, b * other.stencil.step)];
                        mixed += v * w * sum(self, &changes, moves || other.moves);
                    }
                }
                sink(column, columns[l], mixed / (step * other.stencil.step));
            }
        }
    }

    /// Lists second derivatives of factor · f + λᵀg as (row, column, value), each pair of unknowns in
    /// one order only, always in the same order; a place may come more than once.
    pub fn each_hessian(&mut self, x: &[f64], factor: f64, lambda: &[f64], sink: &mut Sink) {
        self.refresh(x, true);
        let mut all = Curvature::new(&self.path.layout);
        if self.ratio.is_none() {
            self.cost.hessian(&self.path, factor, &mut all);
        }
        for (k, family) in self.families.iter_mut().enumerate() {
            let own = &lambda[self.firsts[k]..self.firsts[k + 1]];
            family.hessian(&self.path, own, &mut all);
        }
        let (path, pulls, virtuals) = (&self.path, &all.pulls, &all.virtuals);
        let blocks = all.node.par_iter_mut().with_min_len(path.layout.grain());
        (blocks.enumerate()).for_each(|(node, block)| {
            let (mut pull, zero) = (&pulls[node], vec![0.0; path.layout.nq]);
            for virtual_motion in &virtuals[node] {
                add_curvature(path, node, pull, virtual_motion, block);
                pull = &zero;
            }
        });
        let layout = &self.path.layout;
        for node in 0..layout.nodes() {
            for (c, component) in layout.components.iter().enumerate() {
                let reach = layout.reach(&layout.couplings, node, c);
                for &f in &component.freedoms {
                    for &g in reach.iter().filter(|g| **g <= f) {
                        let (a, b) = (layout.u(node, f), layout.u(node, g));
                        sink(a, b, all.node[node][(f, g)]);
                    }
                }
            }
        }
        for step in 0..layout.grid.len() {
            for (c, component) in layout.components.iter().enumerate() {
                let reach = layout.reach_over(&layout.couplings, step, c);
                for &f in &component.freedoms {
                    for &g in &reach {
                        let (a, b) = (layout.u(step + 1, f), layout.u(step, g));
                        sink(a, b, all.next[step][(f, g)]);
                    }
                }
            }
        }
        for (a, b, v) in all.entries {
            sink(a, b, v);
        }
        self.parameter_curvature(x, factor, lambda, sink);
    }

    /// What a row is about, in words.
    pub fn describe(&self, row: usize) -> String {
        let (family, own) = self.family(row);
        family.describe(&self.path, own)
    }

    /// What tells a row from all others of a problem, whatever other rows there are.
    pub fn identity(&self, row: usize) -> String {
        let (family, own) = self.family(row);
        format!("{} {}", family.name(), family.identity(own))
    }

    /// Identities of rows of earlier rounds that a row stands in for.
    pub fn ancestors(&self, row: usize) -> Vec<String> {
        let (family, own) = self.family(row);
        let before = family.ancestors(own).into_iter();
        before.map(|id| format!("{} {id}", family.name())).collect()
    }

    /// Whether users are told if a row holds something back.
    pub fn is_told(&self, row: usize) -> bool {
        let (family, own) = self.family(row);
        family.is_told(own)
    }

    /// The family of a row by its name.
    #[cfg(test)]
    pub fn family_of(&self, row: usize) -> &'static str {
        self.family(row).0.name()
    }

    /// Numbers of the rows that have one.
    pub fn numbers(&self) -> Vec<usize> {
        let own = |row: usize| {
            let (family, own) = self.family(row);
            family.number(own)
        };
        (0..self.rows()).filter_map(own).collect()
    }

    /// What each row is measured in; `largest` are their largest derivatives by unknowns so measured.
    pub fn row_sizes(&self, sizes: &Sizes, largest: &[f64]) -> Vec<f64> {
        let size = |row: usize| {
            let (family, own) = self.family(row);
            family.size(&self.path, sizes, own, largest[row])
        };
        (0..self.rows()).map(size).collect()
    }

    /// What each unknown is measured in.
    pub fn unknown_sizes(&mut self, x: &[f64], sizes: &Sizes) -> Vec<f64> {
        self.refresh(x, false);
        let mut out = scale::unknowns(&self.path, &self.bounds, sizes);
        for (&k, own) in (self.path.layout.parameters.iter()).zip(self.path.stencils()) {
            out[k] = x[k].abs().max(0.1 * own.width);
        }
        for family in &self.families {
            family.unknown_sizes(&self.path, sizes, &mut out);
        }
        out
    }

    /// Unknowns of no node that have names of their own, with their places.
    pub fn named(&self) -> Vec<(String, usize)> {
        let mut out = self.path.layout.named();
        out.extend(self.ratio.map(|index| ("ratio".into(), index)));
        out
    }

    /// Groups of unknowns that meet the others in few places only.
    pub fn leaves(&self) -> Vec<Leaf> {
        let mut out = Vec::new();
        for (first, family) in self.families() {
            for mut leaf in family.leaves() {
                leaf.equalities.iter_mut().for_each(|r| *r += first);
                out.push(leaf);
            }
        }
        out
    }
}

/// Curvature of φ(u) = c · q(u) + Y · η(u, λ) + τ̄ · w(u, λ) at a node.
fn add_curvature(
    path: &Path,
    node: usize,
    c: &[f64],
    [lambda, y, tau]: &[Vec<f64>; 3],
    out: &mut DMatrix<f64>,
) {
    let model = &*path.model;
    for (k, component) in path.layout.components.iter().enumerate() {
        let u = path.local(node, k);
        let nu: SmallVec<[f64; 6]> = component.freedoms.iter().map(|&f| lambda[f]).collect();
        for i in (0..u.len()).filter(|&i| !component.shifts[i]) {
            for j in (0..=i).filter(|&j| !component.shifts[j]) {
                let seed =
                    |(l, &v): (usize, &f64)| Second::seed(v, f64::from(l == i), f64::from(l == j));
                let seeded: SmallVec<[Second; 6]> = u.iter().enumerate().map(seed).collect();
                let chart = component.chart(model, &path.centres[node], &seeded);
                let moving = chart.moving(&nu);
                let mut phi = 0.0;
                component.coordinates_of(model, &chart.placed, |l, v| {
                    phi += v.mixed() * c[component.coordinates[l]];
                });
                chart.motion(&moving, |l, v| {
                    phi += v.mixed() * y[component.coordinates[l]]
                });
                chart.rates(&moving, |l, v| {
                    phi += v.mixed() * tau[component.controls[l]]
                });
                let (f, g) = (component.freedoms[i], component.freedoms[j]);
                out[(f, g)] += phi;
                if f != g {
                    out[(g, f)] += phi;
                }
            }
        }
    }
}
