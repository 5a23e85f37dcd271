//! Values of a transcription: nodes, objective and rows.

use std::sync::Arc;

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector, Vector3};
use rayon::prelude::*;

use super::avoid::between;
use super::avoid::gaps::{self, GapTerm};
use super::avoid::heights::Heights;
use super::layout::{EndMotion, Layout, poses_at};
use super::problem::Travel;
use super::rows::RowKind;
use super::steps::{Operator, apply, apply_rows};
use crate::model::{Model, Point};

/// What is known of a node at the present unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Redundant coordinates, and the same as poses of all bodies.
    pub q: Vec<f64>,
    pub poses: Vec<Pose>,
    /// P(q) of each component: coordinates by degrees of freedom.
    pub null: Vec<DMatrix<f64>>,
    /// B(q) P(q) of each component: controls by degrees of freedom.
    pub input: Vec<DMatrix<f64>>,
    /// ∂q/∂u of each component, and M times it.
    pub tangent: Vec<DMatrix<f64>>,
    pub heavy: Vec<DMatrix<f64>>,
}

/// Y_k: what the balance at a node adds up to before it is projected, with the parts that change
/// with the size of the step before and after it.
#[derive(Clone, Debug)]
pub(crate) struct Balance {
    pub sum: Vec<f64>,
    /// ∂Y/∂h of the step before and of the step after.
    pub by_step: [Vec<f64>; 2],
}

/// What a step adds to a balance, and its derivative by the size of the step.
#[derive(Clone, Debug)]
pub(crate) struct StepTerm {
    pub sum: Vec<f64>,
    pub slope: Vec<f64>,
}

impl StepTerm {
    fn zero(n: usize) -> Self {
        Self {
            sum: vec![0.0; n],
            slope: vec![0.0; n],
        }
    }
}

/// A problem on a grid with charts: a sparse nonlinear program.
#[derive(Clone, Debug)]
pub(crate) struct Transcription {
    pub model: Arc<Model>,
    pub layout: Layout,
    /// Centres of the charts.
    pub centres: Vec<Vec<Pose>>,
    pub per: Option<Travel>,
    pub margin: f64,
    /// Least and largest value of each unknown.
    pub bounds: Vec<[f64; 2]>,
    nodes: Vec<Node>,
    /// The unknowns the nodes belong to, and whether their tangents are known.
    at: Vec<f64>,
    has_tangents: bool,
}

impl Transcription {
    pub fn new(
        model: Arc<Model>,
        layout: Layout,
        centres: Vec<Vec<Pose>>,
        per: Option<Travel>,
        margin: f64,
        bounds: Vec<[f64; 2]>,
    ) -> Self {
        Self {
            model,
            layout,
            centres,
            per,
            margin,
            bounds,
            nodes: Vec::new(),
            at: Vec::new(),
            has_tangents: false,
        }
    }

    /// The nodes at x; with tangents where they are asked for.
    pub fn refresh(&mut self, x: &[f64], tangents: bool) {
        if self.at != x {
            let nodes = (0..self.layout.nodes()).into_par_iter();
            self.nodes = nodes.map(|k| self.node(k, x)).collect();
            self.at = x.to_vec();
            self.has_tangents = false;
        }
        if tangents && !self.has_tangents {
            let mut nodes = std::mem::take(&mut self.nodes);
            (nodes.par_iter_mut().enumerate()).for_each(|(k, node)| self.add_tangents(k, x, node));
            self.nodes = nodes;
            self.has_tangents = true;
        }
    }

    /// The nodes of the last [`refresh`](Self::refresh).
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Unknowns of a component at a node.
    pub fn local(&self, node: usize, c: usize, x: &[f64]) -> Vec<f64> {
        let freedoms = &self.layout.components[c].freedoms;
        freedoms
            .iter()
            .map(|&f| x[self.layout.u(node, f)])
            .collect()
    }

    fn node(&self, k: usize, x: &[f64]) -> Node {
        let model = &*self.model;
        let mut q = vec![0.0; self.layout.nq];
        let (mut null, mut input) = (Vec::new(), Vec::new());
        for (c, component) in self.layout.components.iter().enumerate() {
            let u = self.local(k, c, x);
            let placed = component.place(model, &self.centres[k], &u);
            component.coordinates_of(model, &placed, |l, v| q[component.coordinates[l]] = v);
            let n = u.len();
            let mut p = DMatrix::zeros(component.coordinates.len(), n);
            let mut w = DMatrix::zeros(component.controls.len(), n);
            let mut nu = vec![0.0; n];
            for f in 0..n {
                nu[f] = 1.0;
                let moving = component.moving(model, &placed, &nu);
                component.motion_of(model, &placed, &moving, |l, v| p[(l, f)] = v);
                component.rates_of(model, &placed, &moving, |l, v| w[(l, f)] = v);
                nu[f] = 0.0;
            }
            null.push(p);
            input.push(w);
        }
        Node {
            poses: poses_at(&self.centres[k], &self.layout, &q),
            q,
            null,
            input,
            tangent: Vec::new(),
            heavy: Vec::new(),
        }
    }

    fn add_tangents(&self, k: usize, x: &[f64], node: &mut Node) {
        use super::dual::Dual;
        let model = &*self.model;
        for (c, component) in self.layout.components.iter().enumerate() {
            let u = self.local(k, c, x);
            let mut t = DMatrix::zeros(component.coordinates.len(), u.len());
            for f in 0..u.len() {
                let seeded: Vec<_> = (u.iter().enumerate())
                    .map(|(i, &v)| Dual {
                        v,
                        d: f64::from(i == f),
                    })
                    .collect();
                let placed = component.place(model, &self.centres[k], &seeded);
                component.coordinates_of(model, &placed, |l, v| t[(l, f)] = v.d);
            }
            node.heavy.push(self.operate(c, Operator::Mass, &t));
            node.tangent.push(t);
        }
    }

    /// An operator on a matrix with the coordinates of a component as rows.
    pub fn operate(&self, c: usize, operator: Operator, m: &DMatrix<f64>) -> DMatrix<f64> {
        let own = (self.layout.inertias.iter())
            .filter(|i| self.layout.body_home[i.body].is_some_and(|(home, _)| home == c));
        let placed = own.map(|i| (self.layout.coordinate_home[i.start].1, i));
        apply_rows(placed, operator, m)
    }

    pub fn has_drag(&self) -> bool {
        self.layout.inertias.iter().any(|i| i.has_drag())
    }

    /// Control values of a step.
    pub fn controls<'a>(&self, step: usize, x: &'a [f64]) -> &'a [f64] {
        let first = self.layout.tau(step, 0);
        &x[first..first + self.layout.nc]
    }

    /// Vector from the second end of a pair potential to the first, at coordinates q.
    pub fn stretch(&self, ends: &[Point; 2], q: &[f64]) -> Vector3<f64> {
        let at = |p: &Point| match p.body {
            None => p.local,
            Some(b) => self.point(b.index(), &p.local, 1.0, q),
        };
        at(&ends[0]) - at(&ends[1])
    }

    /// s φ + D l of a body at coordinates q (or of their rates).
    pub fn point(&self, body: usize, l: &Vector3<f64>, s: f64, q: &[f64]) -> Vector3<f64> {
        if self.layout.body_home[body].is_none() {
            return Vector3::zeros();
        }
        let q = &q[self.layout.starts[body]..];
        let column = |k: usize| Vector3::new(q[3 * k], q[3 * k + 1], q[3 * k + 2]);
        let mut v = column(0) * s;
        if !self.model.is_particle(crate::model::BodyId(body as u32)) {
            v += column(1) * l.x + column(2) * l.y + column(3) * l.z;
        }
        v
    }

    /// Adds the covector of a force f on s φ + D l of a body.
    pub fn push(&self, body: usize, l: &Vector3<f64>, s: f64, f: &Vector3<f64>, y: &mut [f64]) {
        if self.layout.body_home[body].is_none() {
            return;
        }
        let rigid = !self.model.is_particle(crate::model::BodyId(body as u32));
        let y = &mut y[self.layout.starts[body]..];
        for k in 0..3 {
            y[k] += s * f[k];
            if rigid {
                for i in 0..3 {
                    y[3 + 3 * i + k] += l[i] * f[k];
                }
            }
        }
    }

    /// M q̇ of bodies that move with a twist, at coordinates q; `from` is the first of them.
    pub fn motion_momentum(&self, motion: &EndMotion, twist: &[f64; 6], q: &[f64]) -> Vec<f64> {
        let v = Vector3::new(twist[0], twist[1], twist[2]);
        let w = Vector3::new(twist[3], twist[4], twist[5]);
        let mut rate = vec![0.0; q.len()];
        let column = |at: usize| Vector3::new(q[at], q[at + 1], q[at + 2]);
        let first = column(self.layout.starts[motion.motion.bodies[0].index()]);
        for body in &motion.motion.bodies {
            let start = self.layout.starts[body.index()];
            let shift = v + w.cross(&(column(start) - first));
            rate[start..start + 3].copy_from_slice(shift.as_slice());
            if !self.model.is_particle(*body) {
                for i in 1..4 {
                    let d = w.cross(&column(start + 3 * i));
                    rate[start + 3 * i..start + 3 * i + 3].copy_from_slice(d.as_slice());
                }
            }
        }
        apply(&self.layout.inertias, Operator::Mass, &rate)
    }

    /// What a step adds to the balances at its start and at its end, and how that changes with its
    /// size.
    pub fn step_terms(&self, k: usize, x: &[f64]) -> [StepTerm; 2] {
        let layout = &self.layout;
        let h = layout.h(k, x);
        let (q, next) = (&self.nodes[k].q, &self.nodes[k + 1].q);
        let delta: Vec<f64> = q.iter().zip(next).map(|(a, b)| b - a).collect();
        let m = apply(&layout.inertias, Operator::Mass, &delta);
        let force = self.forces(q, next);
        let mut here = StepTerm::zero(q.len());
        let mut there = StepTerm::zero(q.len());
        // D₁L_d = −M Δ/h + (h/2) F, D₂L_d = M Δ/h + (h/2) F.
        for i in 0..q.len() {
            here.sum[i] = -m[i] / h + 0.5 * h * force[i];
            there.sum[i] = m[i] / h + 0.5 * h * force[i];
            here.slope[i] = m[i] / (h * h) + 0.5 * force[i];
            there.slope[i] = -m[i] / (h * h) + 0.5 * force[i];
        }
        if self.has_drag() {
            let c = apply(&layout.inertias, Operator::Drag, &delta);
            for (i, c) in c.iter().enumerate() {
                here.sum[i] -= 0.5 * c;
                there.sum[i] -= 0.5 * c;
            }
        }
        [here, there]
    }

    /// Y of every node.
    pub fn balances(&self, x: &[f64]) -> Vec<Balance> {
        let layout = &self.layout;
        let zero = vec![0.0; layout.nq];
        let empty = Balance {
            sum: zero.clone(),
            by_step: [zero.clone(), zero.clone()],
        };
        let mut out = vec![empty; layout.nodes()];
        let add = |y: &mut [f64], v: &[f64], factor: f64| {
            y.iter_mut().zip(v).for_each(|(y, v)| *y += factor * v);
        };
        let terms: Vec<[StepTerm; 2]> = (0..layout.grid.len())
            .into_par_iter()
            .map(|k| self.step_terms(k, x))
            .collect();
        for (k, [here, there]) in terms.into_iter().enumerate() {
            add(&mut out[k].sum, &here.sum, 1.0);
            add(&mut out[k + 1].sum, &there.sum, 1.0);
            out[k].by_step[1] = here.slope;
            out[k + 1].by_step[0] = there.slope;
        }
        for motion in &layout.motions {
            let twist = layout.twist(motion, x);
            let p = self.motion_momentum(motion, &twist, &self.nodes[motion.node].q);
            add(&mut out[motion.node].sum, &p, motion.sign);
        }
        out
    }

    /// F(q̄) of a step.
    pub fn forces(&self, q: &[f64], next: &[f64]) -> Vec<f64> {
        let mut f = vec![0.0; q.len()];
        for i in &self.layout.inertias {
            f[i.start..i.start + 3].copy_from_slice(i.weight.as_slice());
        }
        if !self.layout.pairs.is_empty() {
            let middle: Vec<f64> = q.iter().zip(next).map(|(a, b)| 0.5 * (a + b)).collect();
            for pair in &self.layout.pairs {
                let force = pair.at(&self.stretch(&pair.ends, &middle)).force;
                for (end, sign) in pair.ends.iter().zip([1.0, -1.0]) {
                    if let Some(b) = end.body {
                        self.push(b.index(), &(end.local * sign), sign, &force, &mut f);
                    }
                }
            }
        }
        f
    }

    /// (h/2) τ of the steps before and after a node, added up.
    pub fn impulses(&self, node: usize, x: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.layout.nc];
        for step in self.steps_at(node).into_iter().flatten() {
            let half = 0.5 * self.layout.h(step, x);
            let tau = self.controls(step, x);
            sum.iter_mut().zip(tau).for_each(|(s, t)| *s += half * t);
        }
        sum
    }

    /// Local part of a vector over the coordinates (or controls) of a node.
    pub fn gather(indices: &[usize], v: &[f64]) -> DVector<f64> {
        DVector::from_iterator(indices.len(), indices.iter().map(|&i| v[i]))
    }

    /// Gap of a slot at a node.
    pub fn gap(&mut self, slot: usize, node: usize) -> GapTerm {
        let slot = &mut self.layout.gaps[slot];
        gaps::evaluate_slot(&self.model, slot, &self.nodes[node].poses)
    }

    /// Gap of a slot on the way from a node to the next.
    pub fn gap_between(&mut self, slot: usize, step: usize, s: f64) -> GapTerm {
        let poses = self.way(slot, step, s);
        let slot = &mut self.layout.gaps[slot];
        gaps::evaluate_slot(&self.model, slot, &poses)
    }

    /// Poses with those of a slot's bodies at a part s of a step.
    pub fn way(&self, slot: usize, step: usize, s: f64) -> Vec<Pose> {
        let pair = &self.layout.gaps[slot].pair;
        between::poses(
            pair,
            &self.nodes[step].poses,
            &self.nodes[step + 1].poses,
            s,
        )
    }

    /// Distance travelled, and its gradient as (node, coordinate, value).
    pub fn travel(&self) -> (f64, Vec<(usize, usize, f64)>) {
        let Some(travel) = &self.per else {
            return (1.0, Vec::new());
        };
        let start = self.layout.starts[travel.body.index()];
        let last = self.layout.grid.len();
        let mut value = 0.0;
        let mut gradient = Vec::new();
        for k in 0..3 {
            let e = travel.direction[k];
            value += e * (self.nodes[last].q[start + k] - self.nodes[0].q[start + k]);
            gradient.extend([(last, start + k, e), (0, start + k, -e)]);
        }
        (value, gradient)
    }

    /// The sum that is minimised, before it is divided by a distance.
    pub fn cost(&self, x: &[f64]) -> f64 {
        let layout = &self.layout;
        let mut cost = layout.time * layout.total(x);
        for k in 0..layout.grid.len() {
            let squares = self.controls(k, x).iter().zip(&layout.effort);
            cost += layout.h(k, x) * squares.map(|(t, w)| w * t * t).sum::<f64>();
        }
        let q = &self.nodes[layout.grid.len()].q;
        cost + layout.last.iter().map(|p| p.value(q)).sum::<f64>()
    }

    /// Effort of forces that go the farthest way there is from the start in the whole time T and
    /// stop: 12 w (m d)²/T³. Single steps of a rough guess say nothing about it.
    pub fn typical_effort(&mut self, x: &[f64]) -> f64 {
        self.refresh(x, false);
        let layout = &self.layout;
        let mut largest = 0.0_f64;
        let start = &self.nodes[0];
        for node in &self.nodes[1..] {
            let way: Vec<f64> = start.q.iter().zip(&node.q).map(|(a, b)| b - a).collect();
            let heavy = apply(&layout.inertias, Operator::Mass, &way);
            for (c, component) in layout.components.iter().enumerate() {
                let p = start.null[c].tr_mul(&Self::gather(&component.coordinates, &heavy));
                largest = largest.max(p.amax());
            }
        }
        let weight = layout.effort.iter().fold(0.0_f64, |m, w| m.max(w.abs()));
        12.0 * weight * largest * largest / layout.total(x).powi(3)
    }

    /// Objective at x.
    pub fn objective(&mut self, x: &[f64]) -> f64 {
        self.refresh(x, false);
        match self.layout.ratio {
            Some(c) => x[c],
            None => self.cost(x),
        }
    }

    /// Rows at x.
    pub fn values(&mut self, x: &[f64], g: &mut [f64]) {
        self.refresh(x, false);
        let balances = self.balances(x);
        for node in 0..self.layout.nodes() {
            let impulses = self.impulses(node, x);
            for (c, component) in self.layout.components.iter().enumerate() {
                let y = Self::gather(&component.coordinates, &balances[node].sum);
                let tau = Self::gather(&component.controls, &impulses);
                let here = &self.nodes[node];
                let r = here.null[c].tr_mul(&y) + here.input[c].tr_mul(&tau);
                for (&f, value) in component.freedoms.iter().zip(r.iter()) {
                    if let Some(row) = self.layout.balance[node][f] {
                        g[row] = *value;
                    }
                }
            }
        }
        let rows = std::mem::take(&mut self.layout.rows);
        let mut heights = None::<Heights>;
        for (row, value) in rows.iter().zip(g.iter_mut()) {
            *value = match &row.kind {
                RowKind::Balance { .. } => continue,
                RowKind::Poly { node, poly, .. } => poly.value(&self.nodes[*node].q),
                RowKind::Gap { node, gap } => self.gap(*gap, *node).value,
                RowKind::Between { step, s, gap } => self.gap_between(*gap, *step, *s).value,
                RowKind::Height {
                    plane,
                    place,
                    vertex,
                    ..
                } => {
                    let here = heights.take().filter(|h| h.is_at(*plane, *place));
                    let here = here.unwrap_or_else(|| self.heights(*plane, *place, x));
                    heights.insert(here).value(vertex)
                }
                RowKind::Unit { plane } => self.layout.planes[*plane].normal(x).norm_squared(),
                RowKind::Held { plane, vertex, .. } => self.layout.planes[*plane].depth(vertex, x),
                RowKind::Barrier { node, gaps } => {
                    let below =
                        (gaps.iter()).map(|&i| (self.gap(i, *node).value - self.margin).min(0.0));
                    below.map(|b| 0.5 * b * b).sum()
                }
                RowKind::Turn { step, body } => {
                    let [a, b] = [step, &(step + 1)].map(|k| &self.nodes[*k].poses[*body]);
                    a.directors.dot(&b.directors)
                }
                RowKind::Time => self.layout.total(x),
                RowKind::Ratio => {
                    let c = self.layout.ratio.map_or(0.0, |c| x[c]);
                    self.cost(x) - c * self.travel().0
                }
            };
        }
        self.layout.rows = rows;
    }
}
