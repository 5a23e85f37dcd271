//! Gaps of pairs as rows, at nodes and between them, and one row for all gaps of a node (thesis 4.3).

use nalgebra::{DMatrix, SVector};
use rayon::prelude::*;

use super::between::{self, Ways};
use super::gaps::{self, GapSlot, GapTerm, Matrix12};
use super::place::{Place, gap_name};
use crate::optimise::family::{Curvature, Family, Sink};
use crate::optimise::layout::Layout;
use crate::optimise::path::Path;
use crate::optimise::scale::Sizes;

/// A gap at a place with its least value.
#[derive(Clone, Debug)]
pub(crate) struct GapRow {
    pub slot: GapSlot,
    pub place: Place,
    pub least: f64,
}

impl GapRow {
    fn term(&mut self, path: &Path) -> GapTerm {
        match self.place {
            Place::Node(node) => {
                gaps::evaluate_slot(&path.model, &mut self.slot, &path.nodes()[node].poses)
            }
            Place::Way { step, s } => {
                let [from, to] = [step, step + 1].map(|k| &path.nodes()[k].poses);
                let poses = between::poses(&self.slot.pair, from, to, s);
                gaps::evaluate_slot(&path.model, &mut self.slot, &poses)
            }
        }
    }
}

/// Gaps, one row each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    pub rows: Vec<GapRow>,
}

impl Gaps {
    fn terms(&mut self, path: &Path) -> Vec<GapTerm> {
        self.rows.par_iter_mut().map(|r| r.term(path)).collect()
    }
}

impl Family for Gaps {
    fn name(&self) -> &'static str {
        "gap"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        self.rows.iter().map(|r| [r.least, f64::INFINITY]).collect()
    }

    fn couple(&self, layout: &mut Layout) {
        for row in &self.rows {
            let homes = layout.homes_of(&row.slot.bodies());
            match row.place {
                Place::Node(node) => layout.couplings.at(node, &homes),
                Place::Way { step, s } => {
                    layout.couplings.over(step, &homes);
                    layout.look_between(step, &row.slot.bodies(), s);
                }
            }
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        let rows = self.rows.par_iter_mut().zip(g);
        rows.for_each(|(row, value)| *value = row.term(path).value);
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        let terms = self.terms(path);
        for (r, (row, term)) in self.rows.iter().zip(&terms).enumerate() {
            let list = path.layout.freedoms_of_bodies(&row.slot.bodies());
            let y = covector(path, &row.slot, term);
            match row.place {
                Place::Node(node) => path.list_node(r, node, &list, &y, sink),
                Place::Way { step, s } => {
                    for (side, y) in between::spread(path, step, s, &y).iter().enumerate() {
                        path.list_node(r, step + side, &list, y, sink);
                    }
                }
            }
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        let terms = self.terms(path);
        let mut ways = Ways::new();
        for ((row, term), &mu) in self.rows.iter().zip(&terms).zip(lambda) {
            match row.place {
                Place::Node(node) => add_gap(path, (&row.slot, term), node, [mu, 0.0], out),
                Place::Way { step, s } => {
                    add_gap_between(path, (&row.slot, term), (step, s), mu, &mut ways, out);
                }
            }
        }
        between::add_ways(path, ways, out);
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        let row = &self.rows[row];
        gap_name(path, &row.slot.pair, row.place)
    }

    fn identity(&self, row: usize) -> String {
        let row = &self.rows[row];
        let (node, s) = row.place.key();
        format!("{node} {:x} {}", s.unwrap_or(0), row.slot.name())
    }

    fn size(&self, _: &Path, sizes: &Sizes, _: usize, _: f64) -> f64 {
        sizes.length
    }

    fn is_told(&self, _: usize) -> bool {
        true
    }
}

/// ½ Σ min(0, gap − margin)² of some pairs at a node, one row for each node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Barriers {
    /// The nodes with their pairs.
    pub rows: Vec<(usize, Vec<GapSlot>)>,
    pub margin: f64,
    /// The largest value.
    pub most: f64,
}

impl Barriers {
    /// The gaps of a row, with how far each is below the margin.
    fn terms(&mut self, path: &Path, row: usize) -> Vec<(GapTerm, f64)> {
        let (node, slots) = &mut self.rows[row];
        let poses = &path.nodes()[*node].poses;
        let margin = self.margin;
        let term = |slot: &mut GapSlot| {
            let term = gaps::evaluate_slot(&path.model, slot, poses);
            let below = (term.value - margin).min(0.0);
            (term, below)
        };
        slots.iter_mut().map(term).collect()
    }
}

impl Family for Barriers {
    fn name(&self) -> &'static str {
        "barrier"
    }

    fn ranges(&self) -> Vec<[f64; 2]> {
        vec![[f64::NEG_INFINITY, self.most]; self.rows.len()]
    }

    fn couple(&self, layout: &mut Layout) {
        for (node, slots) in &self.rows {
            let bodies: Vec<_> = slots.iter().flat_map(|s| s.bodies()).collect();
            let homes = layout.homes_of(&bodies);
            layout.couplings.at(*node, &homes);
        }
    }

    fn values(&mut self, path: &Path, g: &mut [f64]) {
        for (row, value) in g.iter_mut().enumerate() {
            let terms = self.terms(path, row);
            *value = terms.iter().map(|(_, below)| 0.5 * below * below).sum();
        }
    }

    fn jacobian(&mut self, path: &Path, sink: &mut Sink) {
        for row in 0..self.rows.len() {
            let terms = self.terms(path, row);
            let (node, slots) = &self.rows[row];
            let bodies: Vec<_> = slots.iter().flat_map(|s| s.bodies()).collect();
            let list = path.layout.freedoms_of_bodies(&bodies);
            let mut y = vec![0.0; path.layout.nq];
            for (slot, (term, below)) in slots.iter().zip(&terms) {
                let part = covector(path, slot, term);
                y.iter_mut().zip(part).for_each(|(y, v)| *y += below * v);
            }
            path.list_node(row, *node, &list, &y, sink);
        }
    }

    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature) {
        for (row, &mu) in lambda.iter().enumerate() {
            let terms = self.terms(path, row);
            let (node, slots) = &self.rows[row];
            for (slot, (term, below)) in slots.iter().zip(&terms) {
                if *below < 0.0 {
                    add_gap(path, (slot, term), *node, [mu * below, mu], out);
                }
            }
        }
    }

    fn describe(&self, path: &Path, row: usize) -> String {
        path.layout.at_node(self.rows[row].0, "overlap of bodies")
    }

    fn identity(&self, row: usize) -> String {
        self.rows[row].0.to_string()
    }

    fn size(&self, _: &Path, sizes: &Sizes, _: usize, _: f64) -> f64 {
        sizes.length * sizes.length
    }

    fn is_told(&self, _: usize) -> bool {
        true
    }
}

/// Gradient of a gap by the coordinates of both bodies.
fn covector(path: &Path, slot: &GapSlot, term: &GapTerm) -> Vec<f64> {
    let mut y = vec![0.0; path.layout.nq];
    let members = slot.pair.bodies();
    for (k, arrow) in term.arrows.iter().enumerate() {
        let along = term.gradient.fixed_rows::<3>(3 * k).into_owned();
        for (body, (s, l)) in members.iter().zip(&arrow.parts) {
            if let Some(b) = body {
                path.push(b.index(), l, *s, &along, &mut y);
            }
        }
    }
    y
}

/// A gap at a node times μ, and `square` times half its square's outer product.
fn add_gap(
    path: &Path,
    (slot, term): (&GapSlot, &GapTerm),
    node: usize,
    [mu, square]: [f64; 2],
    out: &mut Curvature,
) {
    let y = covector(path, slot, term);
    let pulls = out.pulls[node].iter_mut();
    pulls.zip(&y).for_each(|(c, y)| *c += mu * y);
    let z = arrow_rows(path, slot, term, &path.nodes()[node].tangent);
    let h = term.hessian * mu + term.gradient * term.gradient.transpose() * square;
    add_outer(path, slot, [&z, &z], &h, &mut out.node[node]);
}

/// The arrows of a gap as rows of matrices over the degrees of freedom of its bodies.
fn arrow_rows(path: &Path, slot: &GapSlot, term: &GapTerm, of: &[DMatrix<f64>]) -> DMatrix<f64> {
    let members = slot.pair.bodies();
    let mut z = DMatrix::zeros(12, path.layout.n);
    for (k, arrow) in term.arrows.iter().enumerate() {
        for (body, (s, l)) in members.iter().zip(&arrow.parts) {
            if let Some(b) = body
                && (*s != 0.0 || l.iter().any(|v| *v != 0.0))
            {
                path.point_rows(of, b.index(), l, *s, &mut z, 3 * k);
            }
        }
    }
    z
}

/// to += aᵀ h b over the degrees of freedom of a pair; zeros of h are left out.
fn add_outer(
    path: &Path,
    slot: &GapSlot,
    [a, b]: [&DMatrix<f64>; 2],
    h: &Matrix12,
    to: &mut DMatrix<f64>,
) {
    let list = path.layout.freedoms_of_bodies(&slot.bodies());
    let mut part = [0.0; 12];
    for &g in &list {
        // h b, column g.
        for (i, p) in part.iter_mut().enumerate() {
            *p = (0..12).map(|j| h[(i, j)] * b[(j, g)]).sum();
        }
        for &f in &list {
            let column = a.column(f);
            to[(f, g)] += (0..12).map(|i| column[i] * part[i]).sum::<f64>();
        }
    }
}

/// A gap on the way from a node to the next, times μ.
fn add_gap_between(
    path: &Path,
    (slot, term): (&GapSlot, &GapTerm),
    (step, s): (usize, f64),
    mu: f64,
    ways: &mut Ways,
    out: &mut Curvature,
) {
    let y = covector(path, slot, term)
        .iter()
        .map(|v| mu * v)
        .collect::<Vec<_>>();
    for (side, part) in between::spread(path, step, s, &y).into_iter().enumerate() {
        let pulls = out.pulls[step + side].iter_mut();
        pulls.zip(part).for_each(|(c, v)| *c += v);
    }
    // ∂q(s)/∂u at both nodes, component by component.
    let none = vec![DMatrix::zeros(0, 0); path.layout.components.len()];
    let mut tangents: [Vec<DMatrix<f64>>; 2] = [none.clone(), none];
    for body in slot.bodies() {
        let b = body.index();
        let Some((home, at)) = path.layout.body_home[b] else {
            continue;
        };
        let rigid = !path.model.is_particle(body);
        let tangent = path.way_tangent(step, b, s);
        for (side, share) in [(0, 1.0 - s), (1, s)] {
            let plain = &path.nodes()[step + side].tangent[home];
            let way = &mut tangents[side][home];
            if way.is_empty() {
                way.clone_from(plain);
            }
            let mut shift = way.rows_mut(at, 3);
            shift *= share;
            if rigid {
                let part = tangent.fixed_view::<9, 9>(0, 9 * side);
                let turned = part * plain.rows(at + 3, 9);
                way.rows_mut(at + 3, 9).copy_from(&turned);
            }
        }
        if rigid {
            let start = path.layout.starts[b];
            let sum = ways
                .entry((step, b, s.to_bits()))
                .or_insert_with(SVector::zeros);
            *sum += SVector::<f64, 9>::from_column_slice(&y[start + 3..start + 12]);
        }
    }
    let z = [0, 1].map(|side| arrow_rows(path, slot, term, &tangents[side]));
    let h = term.hessian * mu;
    add_outer(path, slot, [&z[0], &z[0]], &h, &mut out.node[step]);
    add_outer(path, slot, [&z[1], &z[1]], &h, &mut out.node[step + 1]);
    add_outer(path, slot, [&z[1], &z[0]], &h, &mut out.next[step]);
}
