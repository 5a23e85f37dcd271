//! The balance of momentum at every node: Pᵀ(q_k)[D₂L_d + D₁L_d + f⁺ + f⁻ + Σ μ ∇g] = 0 (thesis (4.21)),
//! at the ends with the motion that is given there.

use nalgebra::DVector;

use super::balance_slopes::BalanceBlocks;
use crate::model::Model;
use crate::optimise::blocks::{dot, pick};
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::{Layout, Scale};
use crate::optimise::path::Path;
use crate::optimise::scale::{self, Sizes};

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Balance {
    /// Node and degree of freedom of every row.
    rows: Vec<(usize, usize)>,
    /// Row of each degree of freedom at each node.
    places: Vec<Vec<Option<usize>>>,
}

impl Balance {
    pub fn new(layout: &Layout) -> Self {
        let mut out = Self {
            rows: Vec::new(),
            places: vec![vec![None; layout.n]; layout.nodes()],
        };
        for node in 0..layout.nodes() {
            for (c, component) in layout.components.iter().enumerate() {
                if layout.is_balanced(c, node) {
                    for &f in &component.freedoms {
                        out.places[node][f] = Some(out.rows.len());
                        out.rows.push((node, f));
                    }
                }
            }
        }
        out
    }

    /// Node and degree of freedom of every row.
    pub fn freedoms(&self) -> &[(usize, usize)] {
        &self.rows
    }

    /// Without the rows of idle freedoms.
    pub fn without(mut self, idle: &[bool]) -> Self {
        self.rows.retain(|&(_, f)| !idle[f]);
        self.places
            .iter_mut()
            .for_each(|node| node.iter_mut().for_each(|place| *place = None));
        for (row, &(node, f)) in self.rows.iter().enumerate() {
            self.places[node][f] = Some(row);
        }
        self
    }

    fn list(&self, path: &Path, blocks: &[BalanceBlocks], sink: &mut Sink) {
        let layout = &path.layout;
        for node in 0..layout.nodes() {
            let steps = path.steps_at(node);
            let block = &blocks[node];
            for (c, component) in layout.components.iter().enumerate() {
                let near = layout.reach(&layout.balance_couplings, node, c);
                let beyond = steps.map(|step| {
                    step.map(|step| layout.reach_over(&layout.balance_couplings, step, c))
                });
                for (l, &f) in component.freedoms.iter().enumerate() {
                    let Some(row) = self.places[node][f] else {
                        continue;
                    };
                    for &g in &near {
                        sink(row, layout.u(node, g), block.here[(f, g)]);
                    }
                    for (side, step) in steps.iter().enumerate() {
                        let Some(step) = *step else { continue };
                        let (other, far) = match side {
                            0 => (step, &block.before),
                            _ => (node + 1, &block.after),
                        };
                        for &g in beyond[side].iter().flatten() {
                            sink(row, layout.u(other, g), far[(f, g)]);
                        }
                        for (t, &control) in component.controls.iter().enumerate() {
                            let w = path.nodes()[node].input[c][(t, l)];
                            sink(row, layout.tau(step, control), 0.5 * path.h(step) * w);
                        }
                        if let Scale::Unknown(index) = layout.scales[layout.grid[step].phase] {
                            sink(row, index, block.by_step[side][f] * layout.grid[step].base);
                        }
                    }
                    self.list_motions(path, row, [node, c, l], sink);
                }
            }
        }
        self.list_reactions(path, sink);
    }

    /// Entries of a row by the free velocities at its node.
    fn list_motions(&self, path: &Path, row: usize, [node, c, l]: [usize; 3], sink: &mut Sink) {
        for (m, motion) in path.layout.motions.iter().enumerate() {
            if motion.node != node {
                continue;
            }
            for (k, unknown) in motion.unknowns.iter().enumerate() {
                if let Some(index) = unknown {
                    let component = &path.layout.components[c];
                    let p = Path::gather(&component.coordinates, &path.unit_momentum(m, k));
                    let column: DVector<f64> = path.nodes()[node].null[c].column(l).into();
                    let rotor = path.rotor_share(motion, component.freedoms[l], k);
                    sink(row, *index, motion.sign * (column.dot(&p) + rotor));
                }
            }
        }
    }

    /// Entries by the multipliers of reactions: Pᵀ a.
    pub fn list_reactions(&self, path: &Path, sink: &mut Sink) {
        for r in &path.layout.reactions {
            let here = &path.nodes()[r.node];
            let mut y = vec![0.0; path.layout.nq];
            r.push.vector(&here.q, |i, v| y[i] += v);
            for c in path.layout.homes(r.push.used()) {
                let component = &path.layout.components[c];
                let pulled = here.null[c].tr_mul(&Path::gather(&component.coordinates, &y));
                for (&f, v) in component.freedoms.iter().zip(pulled.iter()) {
                    if let Some(row) = self.places[r.node][f] {
                        sink(row, r.unknown, *v);
                    }
                }
            }
        }
    }
}

impl Family for Balance {
    fn name(&self) -> &'static str {
        "balance"
    }

    fn is_mechanics(&self) -> bool {
        true
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        vec![[0.0; 2]; self.rows.len()]
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        let balances = path.balances();
        for (node, balance) in balances.iter().enumerate() {
            let impulses = path.impulses(node);
            let laws = path.law_impulses(node);
            for (c, component) in path.layout.components.iter().enumerate() {
                let y = pick(&component.coordinates, &balance.sum);
                let tau = pick(&component.controls, &impulses);
                let here = &path.nodes()[node];
                for (l, &f) in component.freedoms.iter().enumerate() {
                    if let Some(row) = self.places[node][f] {
                        g[row] = dot(l, &here.null[c], &y) + dot(l, &here.input[c], &tau) + laws[f];
                    }
                }
            }
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        self.list(path, &path.balance_blocks(), sink);
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        let of = |place: &Option<usize>| place.map_or(0.0, |row| lambda[row]);
        let multipliers: Vec<Vec<f64>> = (self.places.iter())
            .map(|node| node.iter().map(of).collect())
            .collect();
        path.add_balance_curvature(&multipliers, out);
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let (node, freedom) = self.rows[row];
        let what = freedom_name(&path.model, freedom);
        match node {
            0 => format!("start momentum of {what}"),
            k if k == path.layout.grid.len() => format!("final momentum of {what}"),
            k => format!("balance of momentum of {what} at node {k}"),
        }
    }

    fn identity(&self, row: usize) -> String {
        let (node, freedom) = self.rows[row];
        format!("{node} {freedom}")
    }

    fn size(&self, _: &Path, _: &Sizes, _: usize, largest: f64) -> f64 {
        largest
    }

    fn unknown_sizes(&self, path: &Path, sizes: &Sizes, out: &mut [f64]) {
        for r in &path.layout.reactions {
            out[r.unknown] = scale::impulse_size(path, &r.push, sizes);
        }
    }
}

/// A degree of freedom in words.
pub(crate) fn freedom_name(model: &Model, freedom: usize) -> String {
    let j = model.offsets.partition_point(|&o| o <= freedom) - 1;
    // Joints without freedom share their offset with the next one.
    let joint = &model.joints()[j];
    let name = &model.body(joint.child).name;
    let k = freedom - model.offsets[j];
    let axis = ["x", "y", "z"];
    match joint.kind {
        crate::model::JointKind::Free if k < 3 => format!("body {name} along {}", axis[k]),
        crate::model::JointKind::Free => format!("body {name} about {}", axis[k - 3]),
        _ => format!("joint {} (body {name})", joint.name),
    }
}
