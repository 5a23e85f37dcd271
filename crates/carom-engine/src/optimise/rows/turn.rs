//! No body turns too far within a step: Σ d_I · d_I⁺ = 1 + 2 cos Δθ has a least value.
//!
//! Beyond a right angle the discrete momentum J sin Δθ/h falls again, and half turns would cost nothing.
//! Where bodies must not overlap, what turns further sweeps too much between two nodes.

use std::collections::BTreeMap;

use crate::model::BodyId;
use crate::optimise::blocks::add;
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;
use crate::optimise::scale::Sizes;

/// Largest rotation of a step in rad, and the same where bodies must not overlap.
pub(crate) const MOST_TURN: f64 = 1.4;
pub(crate) const NEAR_TURN: f64 = 0.5;

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    /// Least value of each step and body.
    least: BTreeMap<(usize, usize), f64>,
}

impl Turns {
    /// Limits the rotation of every body in every step.
    pub fn limit_all(&mut self, layout: &Layout, most: f64) {
        for step in 0..layout.grid.len() {
            for i in &layout.inertias {
                self.limit(layout, step, i.body, most);
            }
        }
    }

    /// The same for one body in one step; a limit that is there already becomes tighter.
    pub fn limit(&mut self, layout: &Layout, step: usize, body: usize, most: f64) {
        let rigid = layout.inertias.iter().any(|i| i.body == body && i.rigid);
        if rigid {
            let least = self.least.entry((step, body)).or_insert(-1.0);
            *least = least.max(1.0 + 2.0 * most.cos());
        }
    }

    pub fn is_empty(&self) -> bool {
        self.least.is_empty()
    }

    fn row(&self, row: usize) -> (usize, usize, f64) {
        let found = self.least.iter().nth(row);
        found.map_or((0, 0, 0.0), |((step, body), least)| (*step, *body, *least))
    }
}

impl Family for Turns {
    fn name(&self) -> &'static str {
        "turn"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        let least = self.least.values();
        least.map(|v| [*v, f64::INFINITY]).collect()
    }

    fn couple(&self, layout: &mut Layout) {
        for (step, body) in self.least.keys() {
            let homes = layout.homes_of(&[BodyId(*body as u32)]);
            layout.couplings.over(*step, &homes);
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for ((step, body), value) in self.least.keys().zip(g) {
            let [a, b] = [*step, step + 1].map(|k| &path.nodes()[k].poses[*body]);
            *value = a.directors.dot(&b.directors);
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for (r, (step, body)) in self.least.keys().enumerate() {
            let start = path.layout.starts[*body];
            let home = path.layout.freedoms_of([start].into_iter());
            for (node, other) in [(*step, step + 1), (step + 1, *step)] {
                let mut y = vec![0.0; path.layout.nq];
                let d = &path.nodes()[other].q[start + 3..start + 12];
                y[start + 3..start + 12].copy_from_slice(d);
                path.list_node(r, node, &home, &y, sink);
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        for ((step, body), &mu) in self.least.keys().zip(lambda) {
            let start = path.layout.starts[*body];
            for (node, other) in [(*step, step + 1), (step + 1, *step)] {
                for k in start + 3..start + 12 {
                    out.pulls[node][k] += mu * path.nodes()[other].q[k];
                }
            }
            let (home, at) = path.layout.coordinate_home[start];
            let [a, b] = [*step, step + 1]
                .map(|k| path.nodes()[k].tangent[home].rows(at + 3, 9).into_owned());
            let freedoms = &path.layout.components[home].freedoms;
            add(&mut out.next[*step], freedoms, &b.tr_mul(&a), mu);
        }
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let (step, body, least) = self.row(row);
        let name = &path.model.bodies()[body].name;
        let most = (0.5 * (least - 1.0)).clamp(-1.0, 1.0).acos();
        format!("rotation of body {name} in step {step}, at most {most:.1} rad")
    }

    fn identity(&self, row: usize) -> String {
        let (step, body, _) = self.row(row);
        format!("{step} {body}")
    }

    fn size(&self, _: &Path, sizes: &Sizes, _: usize, _: f64) -> f64 {
        sizes.angle
    }

    fn is_told(&self, _: usize) -> bool {
        true
    }
}
