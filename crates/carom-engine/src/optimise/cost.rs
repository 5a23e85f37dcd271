//! The sum that is minimised: effort, time, and what is asked of the end.

use super::family::Curvature;
use super::formula::{Formula, Quantity};
use super::layout::{Layout, Scale};
use super::path::Path;
use super::poly::Poly;
use super::problem::{Problem, Term};
use super::quantity::Spot;
use super::steps::{Operator, apply};

/// Terms of a cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cost {
    /// Weights of the squared controls and of time.
    effort: Vec<f64>,
    time: f64,
    /// Polynomials of the last node.
    last: Vec<Poly>,
    /// Formulas with their weights: over time, and at the end.
    running: Vec<(f64, Formula)>,
    end: Vec<(f64, Formula)>,
}

impl Cost {
    pub fn new(problem: &Problem, layout: &Layout) -> Self {
        let mut out = Self {
            effort: vec![0.0; layout.nc],
            ..Self::default()
        };
        for term in &problem.minimise {
            match term {
                Term::Effort { weights } => {
                    let pairs = out.effort.iter_mut().zip(weights);
                    pairs.for_each(|(sum, w)| *sum += w);
                }
                Term::Time { weight } => out.time += weight,
                Term::Final { poly, .. } => out.last.push(poly.clone().collected()),
                Term::Running { formula, weight } => {
                    out.running.push((*weight, formula.clone()));
                }
                Term::End { formula, weight } => out.end.push((*weight, formula.clone())),
                Term::ControlRate { weights } => {
                    let used = weights.iter().enumerate().filter(|(_, w)| **w != 0.0);
                    let rates = used.map(|(c, w)| (*w, Formula::squared(Quantity::ControlRate(c))));
                    out.running.extend(rates);
                }
            }
        }
        out
    }

    /// Says which components it couples.
    pub fn couple(&self, layout: &mut Layout) {
        let last = layout.grid.len();
        for poly in &self.last {
            let homes = layout.homes(poly.used());
            layout.couplings.at(last, &homes);
        }
        for (_, formula) in &self.running {
            for at in (0..last).flat_map(spots) {
                formula.couple(layout, at);
            }
        }
        for (_, formula) in &self.end {
            formula.couple(layout, end_of(layout));
        }
    }

    pub fn value(&self, path: &Path) -> f64 {
        let layout = &path.layout;
        let mut cost = self.time * layout.total(path.x());
        for k in 0..layout.grid.len() {
            let squares = path.controls(k).iter().zip(&self.effort);
            cost += path.h(k) * squares.map(|(t, w)| w * t * t).sum::<f64>();
        }
        for (weight, formula) in &self.running {
            for k in 0..layout.grid.len() {
                let ends = spots(k).map(|at| formula.value(path, at));
                cost += 0.5 * weight * path.h(k) * (ends[0] + ends[1]);
            }
        }
        for (weight, formula) in &self.end {
            cost += weight * formula.value(path, end_of(layout));
        }
        let q = &path.nodes()[layout.grid.len()].q;
        cost + self.last.iter().map(|p| p.value(q)).sum::<f64>()
    }

    /// Gradient times a factor.
    pub fn gradient(&self, path: &Path, factor: f64, each: &mut dyn FnMut(usize, f64)) {
        let layout = &path.layout;
        for k in 0..layout.grid.len() {
            let h = path.h(k);
            let mut squares = self.time;
            for (t, (tau, w)) in path.controls(k).iter().zip(&self.effort).enumerate() {
                squares += w * tau * tau;
                each(layout.tau(k, t), factor * 2.0 * h * w * tau);
            }
            if let Scale::Unknown(index) = layout.scales[layout.grid[k].phase] {
                each(index, factor * layout.grid[k].base * squares);
            }
        }
        let last = layout.grid.len();
        let mut y = vec![0.0; layout.nq];
        for poly in &self.last {
            poly.gradient(&path.nodes()[last].q, |i, v| y[i] += v);
        }
        let used = self.last.iter().flat_map(Poly::used);
        let pulled = path.pull(last, &y);
        for f in layout.freedoms_of(used) {
            each(layout.u(last, f), factor * pulled[f]);
        }
        for (weight, formula) in &self.running {
            for k in 0..layout.grid.len() {
                let half = 0.5 * factor * weight;
                for at in spots(k) {
                    for (i, v) in formula.gradient(path, at) {
                        each(i, half * path.h(k) * v);
                    }
                    if let Scale::Unknown(index) = layout.scales[layout.grid[k].phase] {
                        each(index, half * layout.grid[k].base * formula.value(path, at));
                    }
                }
            }
        }
        for (weight, formula) in &self.end {
            for (i, v) in formula.gradient(path, end_of(layout)) {
                each(i, factor * weight * v);
            }
        }
    }

    /// Second derivatives times a factor.
    pub fn hessian(&self, path: &Path, factor: f64, out: &mut Curvature) {
        let layout = &path.layout;
        for step in 0..layout.grid.len() {
            let h = path.h(step);
            let tau = path.controls(step);
            for (t, w) in self.effort.iter().enumerate() {
                let place = layout.tau(step, t);
                out.entries.push((place, place, 2.0 * factor * h * w));
                if let Scale::Unknown(index) = layout.scales[layout.grid[step].phase] {
                    let base = layout.grid[step].base;
                    out.entries
                        .push((index, place, 2.0 * factor * base * w * tau[t]));
                }
            }
        }
        let last = layout.grid.len();
        let q = &path.nodes()[last].q;
        for poly in &self.last {
            let pulls = &mut out.pulls[last];
            poly.gradient(q, |i, v| pulls[i] += factor * v);
            path.add_products(last, &poly.second(q), factor, &mut out.node[last]);
        }
        for (weight, formula) in &self.running {
            for k in 0..layout.grid.len() {
                let half = 0.5 * factor * weight;
                for at in spots(k) {
                    formula.curvature(path, at, half * path.h(k), out);
                    if let Scale::Unknown(index) = layout.scales[layout.grid[k].phase] {
                        let by_scale = [(index, half * layout.grid[k].base)];
                        out.product(&by_scale, &formula.gradient(path, at), 1.0);
                    }
                }
            }
        }
        for (weight, formula) in &self.end {
            formula.curvature(path, end_of(layout), factor * weight, out);
        }
    }

    /// Effort of forces that go the farthest way there is from the start in the whole time T and
    /// stop: 12 w (m d)²/T³. Single steps of a rough guess say nothing about it.
    pub fn typical_effort(&self, path: &Path) -> f64 {
        let layout = &path.layout;
        let mut largest = 0.0_f64;
        let start = &path.nodes()[0];
        for node in &path.nodes()[1..] {
            let way: Vec<f64> = start.q.iter().zip(&node.q).map(|(a, b)| b - a).collect();
            let heavy = apply(&layout.inertias, Operator::Mass, &way);
            for (c, component) in layout.components.iter().enumerate() {
                let p = start.null[c].tr_mul(&Path::gather(&component.coordinates, &heavy));
                largest = largest.max(p.amax());
            }
        }
        let weight = self.effort.iter().fold(0.0_f64, |m, w| m.max(w.abs()));
        12.0 * weight * largest * largest / layout.total(path.x()).powi(3)
    }
}

/// Both ends of a step.
fn spots(step: usize) -> [Spot; 2] {
    [step, step + 1].map(|node| Spot { node, step })
}

/// The last node with the last step.
fn end_of(layout: &Layout) -> Spot {
    Spot {
        node: layout.grid.len(),
        step: layout.grid.len() - 1,
    }
}
