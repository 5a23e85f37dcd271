//! The motion on its grid at the present unknowns: nodes q_k = F_d(u_k, q̄_k) with P(q_k), B(q_k) P(q_k)
//! and ∂q/∂u, and the ways between quantities of a node and its unknowns.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector, SMatrix, Vector3};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::layout::{Layout, poses_at};
use super::parameter::{Parameter, Stencil, with_values};
use super::steps::{Operator, apply_rows};
use super::way;
use crate::mechanics::{Dual, joint_coordinates, parent_pose, slides};
use crate::model::{Joint, JointKind, Model, Point};

/// What is known of a node at the present unknowns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// Redundant coordinates, and the same as poses of all bodies.
    pub q: Vec<f64>,
    pub poses: Vec<Pose>,
    /// P(q) of each component: coordinates by degrees of freedom.
    pub null: Vec<DMatrix<f64>>,
    /// B(q) P(q) of each component: controls by degrees of freedom.
    pub input: Vec<DMatrix<f64>>,
    /// ∂q/∂u of each component, and M times it: of the present unknowns once they are asked for.
    pub tangent: Vec<DMatrix<f64>>,
    pub heavy: Vec<DMatrix<f64>>,
    /// ∂P/∂u over ∂(B P)/∂u of each component: coordinates, then controls, by n columns for each of n unknowns.
    bent: Vec<DMatrix<f64>>,
}

/// Y_k: what the balance at a node adds up to before it is projected, with the parts that change
/// with the size of the step before and after it.
#[derive(Clone, Debug)]
pub(crate) struct Balance {
    pub sum: Vec<f64>,
    /// ∂Y/∂h of the step before and of the step after.
    pub by_step: [Vec<f64>; 2],
}

/// Numbers of the model that are unknowns.
#[derive(Clone, Debug)]
struct Free {
    built: Arc<Model>,
    parameters: Vec<Parameter>,
    /// The values of the present model.
    values: Vec<f64>,
}

/// How a parameter is looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aside {
    pub stencil: Stencil,
    /// Whether it changes where things are.
    pub moves: bool,
    /// Width of its range.
    pub width: f64,
}

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub model: Arc<Model>,
    pub layout: Layout,
    /// Centres of the charts.
    pub centres: Vec<Vec<Pose>>,
    /// Joint coordinates of the centres by degree of freedom, whole turns counted.
    joint_values: Vec<Vec<f64>>,
    nodes: Vec<Node>,
    /// Numbers of the model that are found, with the model as it was built.
    free: Option<Free>,
    /// The unknowns the nodes belong to, and whether their tangents are known.
    at: Vec<f64>,
    has_tangents: bool,
    /// The balances there, once they are asked for.
    pub(super) balances: OnceLock<Vec<Balance>>,
    /// Derivatives of the ways between nodes where rows look, known with the tangents.
    ways: HashMap<(usize, usize, u64), WayTangent>,
}

/// ∂D(s)/∂(D, D⁺), see [`way`](super::way).
type WayTangent = SMatrix<f64, 9, 18>;

impl Path {
    pub fn new(model: Arc<Model>, layout: Layout, centres: Vec<Vec<Pose>>) -> Self {
        Self {
            joint_values: joint_values(&model, &centres),
            model,
            layout,
            centres,
            nodes: Vec::new(),
            free: None,
            at: Vec::new(),
            has_tangents: false,
            balances: OnceLock::new(),
            ways: HashMap::new(),
        }
    }

    /// With numbers of the model as unknowns, and the values that the centres belong to.
    pub fn finding(mut self, parameters: &[Parameter], values: Vec<f64>) -> Self {
        if parameters.is_empty() {
            return self;
        }
        let built = Arc::clone(&self.model);
        let model = with_values(&built, parameters, &values);
        self.layout.follow(&model);
        self.model = Arc::new(model);
        self.free = Some(Free {
            built,
            parameters: parameters.to_vec(),
            values,
        });
        self
    }

    /// The model at the present unknowns.
    fn follow_parameters(&mut self) {
        let Some(free) = &mut self.free else {
            return;
        };
        let values: Vec<f64> = self.layout.parameters.iter().map(|&k| self.at[k]).collect();
        if values != free.values {
            let model = with_values(&free.built, &free.parameters, &values);
            free.values = values;
            self.layout.follow(&model);
            if free.parameters.iter().any(Parameter::moves) {
                for poses in &mut self.centres {
                    let moved = displacements(&self.model, poses);
                    join(&model, &moved, poses);
                }
            }
            self.model = Arc::new(model);
        }
    }

    /// The motion at the same unknowns with a model whose parameters are others: what is asked is by how much.
    pub fn with_model(&self, changes: &[(usize, f64)]) -> Self {
        let mut out = self.clone();
        let mut x = self.at.clone();
        for &(k, change) in changes {
            x[self.layout.parameters[k]] += change;
        }
        out.refresh(&x, true);
        out.at.clone_from(&self.at);
        out
    }

    /// Values of the parameters of the present model.
    pub fn parameter_values(&self) -> Vec<f64> {
        self.free.as_ref().map_or(Vec::new(), |f| f.values.clone())
    }

    /// How derivatives by the parameters are put together, and whether they change where things are.
    pub fn stencils(&self) -> Vec<Aside> {
        let of = |p: &Parameter| Aside {
            stencil: p.stencil(),
            moves: p.moves(),
            width: p.range[1] - p.range[0],
        };
        let all = |f: &Free| f.parameters.iter().map(of).collect();
        self.free.as_ref().map_or(Vec::new(), all)
    }

    /// The nodes at x; with tangents where they are asked for.
    pub fn refresh(&mut self, x: &[f64], tangents: bool) {
        if self.at != x {
            self.at = x.to_vec();
            self.follow_parameters();
            let mut nodes = std::mem::take(&mut self.nodes);
            nodes.resize_with(self.layout.nodes(), Node::default);
            let each = nodes.par_iter_mut().with_min_len(self.layout.grain());
            (each.enumerate()).for_each(|(k, node)| self.place_node(k, node));
            self.nodes = nodes;
            self.has_tangents = false;
            self.balances = OnceLock::new();
            self.ways.clear();
        }
        if tangents && !self.has_tangents {
            let mut nodes = std::mem::take(&mut self.nodes);
            let each = nodes.par_iter_mut().with_min_len(self.layout.grain());
            (each.enumerate()).for_each(|(k, node)| self.add_tangents(k, node));
            self.nodes = nodes;
            let ways = self.layout.ways.par_iter();
            self.ways = ways
                .map(|&(step, body, s)| {
                    let found = self.tangent_between(step, body, f64::from_bits(s));
                    ((step, body, s), found)
                })
                .collect();
            self.has_tangents = true;
        }
    }

    /// One node at x, where the unknowns of no other changed, with tangents.
    pub fn refresh_node(&mut self, x: &[f64], k: usize) {
        self.at.copy_from_slice(x);
        let mut node = std::mem::take(&mut self.nodes[k]);
        self.place_node(k, &mut node);
        self.add_tangents(k, &mut node);
        self.nodes[k] = node;
        self.balances = OnceLock::new();
        self.ways.clear();
    }

    /// ∂D(s)/∂(D, D⁺) of a body on its way in a step.
    pub fn way_tangent(&self, step: usize, body: usize, s: f64) -> WayTangent {
        let known = self.ways.get(&(step, body, s.to_bits())).copied();
        known.unwrap_or_else(|| self.tangent_between(step, body, s))
    }

    fn tangent_between(&self, step: usize, body: usize, s: f64) -> WayTangent {
        let [from, to] = [step, step + 1].map(|k| &self.nodes[k].poses[body]);
        way::tangent(from, to, s)
    }

    /// The nodes of the last [`refresh`](Self::refresh).
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The unknowns that the nodes belong to.
    pub fn x(&self) -> &[f64] {
        &self.at
    }

    /// A joint coordinate of the centre of a chart, whole turns counted.
    pub fn centre_value(&self, node: usize, freedom: usize) -> f64 {
        self.joint_values[node][freedom]
    }

    /// A joint coordinate from the model's start, whole turns counted.
    pub fn joint_value(&self, node: usize, freedom: usize) -> f64 {
        self.joint_values[node][freedom] + self.at[self.layout.u(node, freedom)]
    }

    /// Size of a step.
    pub fn h(&self, step: usize) -> f64 {
        self.layout.h(step, &self.at)
    }

    /// Steps that end and begin at a node.
    pub fn steps_at(&self, node: usize) -> [Option<usize>; 2] {
        [
            node.checked_sub(1),
            (node < self.layout.grid.len()).then_some(node),
        ]
    }

    /// Unknowns of a component at a node.
    pub fn local(&self, node: usize, c: usize) -> SmallVec<[f64; 6]> {
        let freedoms = &self.layout.components[c].freedoms;
        freedoms
            .iter()
            .map(|&f| self.at[self.layout.u(node, f)])
            .collect()
    }

    /// A node at the present unknowns, in the memory of the node as it was.
    fn place_node(&self, k: usize, node: &mut Node) {
        let model = &*self.model;
        let components = &self.layout.components;
        node.q.resize(self.layout.nq, 0.0);
        node.null.resize_with(components.len(), empty);
        node.input.resize_with(components.len(), empty);
        for (c, component) in components.iter().enumerate() {
            let u = self.local(k, c);
            let chart = component.chart(model, &self.centres[k], &u);
            let q = &mut node.q;
            component.coordinates_of(model, &chart.placed, |l, v| q[component.coordinates[l]] = v);
            let n = u.len();
            let p = sized(&mut node.null[c], component.coordinates.len(), n);
            let w = sized(&mut node.input[c], component.controls.len(), n);
            w.fill(0.0);
            for f in 0..n {
                let moving = chart.moving_along(f);
                chart.motion(&moving, |l, v| p[(l, f)] = v);
                chart.rates(&moving, |l, v| w[(l, f)] += v);
            }
        }
        poses_at(&self.centres[k], &self.layout, &node.q, &mut node.poses);
        place_at(model, self.layout.time(k, &self.at), &mut node.poses);
    }

    fn add_tangents(&self, k: usize, node: &mut Node) {
        let components = self.layout.components.len();
        node.tangent.resize_with(components, empty);
        node.heavy.resize_with(components, empty);
        node.bent.resize_with(components, empty);
        for c in 0..components {
            self.find_slopes(k, c, &mut node.tangent[c], &mut node.bent[c]);
            node.heavy[c] = self.operate(c, Operator::Mass, &node.tangent[c]);
        }
    }

    /// ∂q/∂u of a component at a node, and ∂P/∂u over ∂(B P)/∂u.
    fn find_slopes(&self, k: usize, c: usize, tangent: &mut DMatrix<f64>, bent: &mut DMatrix<f64>) {
        let (model, component) = (&*self.model, &self.layout.components[c]);
        let mut u: SmallVec<[Dual<f64>; 6]> = (self.local(k, c).iter())
            .map(|&v| Dual { v, d: 0.0 })
            .collect();
        let (n, nq, nc) = (
            u.len(),
            component.coordinates.len(),
            component.controls.len(),
        );
        let tangent = sized(tangent, nq, n);
        let bent = sized(bent, nq + nc, n * n);
        bent.fill(0.0);
        for j in 0..n {
            u.iter_mut()
                .enumerate()
                .for_each(|(i, u)| u.d = f64::from(i == j));
            if component.shifts[j] {
                let placed = component.place(model, &self.centres[k], &u);
                component.coordinates_of(model, &placed, |l, v| tangent[(l, j)] = v.d);
                continue;
            }
            let chart = component.chart(model, &self.centres[k], &u);
            component.coordinates_of(model, &chart.placed, |l, v| tangent[(l, j)] = v.d);
            for i in 0..n {
                let moving = chart.moving_along(i);
                let mut column = bent.column_mut(j * n + i);
                // Shifts are the same wherever a component is.
                if !component.shifts[i] {
                    chart.motion(&moving, |l, v| column[l] = v.d);
                }
                chart.rates(&moving, |l, v| column[nq + l] += v.d);
            }
        }
    }

    /// ∂P/∂u over ∂(B P)/∂u of a component at a node.
    pub fn bent(&self, node: usize, c: usize) -> Cow<'_, DMatrix<f64>> {
        match self.nodes[node].bent.get(c) {
            Some(known) if self.has_tangents => Cow::Borrowed(known),
            _ => {
                let [mut tangent, mut bent] = [empty(), empty()];
                self.find_slopes(node, c, &mut tangent, &mut bent);
                Cow::Owned(bent)
            }
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
    pub fn controls(&self, step: usize) -> &[f64] {
        let first = self.layout.tau(step, 0);
        &self.at[first..first + self.layout.nc]
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

    /// Local part of a vector over the coordinates (or controls) of a node.
    pub fn gather(indices: &[usize], v: &[f64]) -> DVector<f64> {
        DVector::from_iterator(indices.len(), indices.iter().map(|&i| v[i]))
    }

    /// The covector y over the coordinates of a node as derivatives by u.
    pub fn pull(&self, node: usize, y: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; self.layout.n];
        for (c, component) in self.layout.components.iter().enumerate() {
            let local = Self::gather(&component.coordinates, y);
            if local.iter().all(|v| *v == 0.0) {
                continue;
            }
            let pulled = self.nodes()[node].tangent[c].tr_mul(&local);
            for (&f, v) in component.freedoms.iter().zip(pulled.iter()) {
                out[f] = *v;
            }
        }
        out
    }

    /// Rows of s φ + D l of a body in matrices with the coordinates of the components as rows, added
    /// to a matrix with three rows and the degrees of freedom of the node as columns.
    pub fn point_rows(
        &self,
        of: &[DMatrix<f64>],
        body: usize,
        l: &Vector3<f64>,
        s: f64,
        out: &mut DMatrix<f64>,
        first: usize,
    ) {
        let Some((c, at)) = self.layout.body_home[body] else {
            return;
        };
        let rigid = !self.model.is_particle(crate::model::BodyId(body as u32));
        let m = &of[c];
        for (j, &f) in self.layout.components[c].freedoms.iter().enumerate() {
            for k in 0..3 {
                let mut v = s * m[(at + k, j)];
                if rigid {
                    v += (0..3)
                        .map(|i| l[i] * m[(at + 3 + 3 * i + k, j)])
                        .sum::<f64>();
                }
                out[(first + k, f)] += v;
            }
        }
    }

    /// The same of the vector between the ends of a pair potential.
    pub fn stretch_rows(&self, of: &[DMatrix<f64>], ends: &[Point; 2]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(3, self.layout.n);
        for (end, sign) in ends.iter().zip([1.0, -1.0]) {
            if let Some(b) = end.body {
                self.point_rows(of, b.index(), &(end.local * sign), sign, &mut out, 0);
            }
        }
        out
    }

    /// A matrix with the coordinates of a node as rows and its degrees of freedom as columns.
    pub fn wide(&self, of: &[DMatrix<f64>]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.layout.nq, self.layout.n);
        for (component, m) in self.layout.components.iter().zip(of) {
            for (j, &f) in component.freedoms.iter().enumerate() {
                for (i, &q) in component.coordinates.iter().enumerate() {
                    out[(q, f)] = m[(i, j)];
                }
            }
        }
        out
    }

    /// Σ b (∂qᵢ ∂qⱼᵀ + ∂qⱼ ∂qᵢᵀ) of quadratic terms.
    pub fn add_products(
        &self,
        node: usize,
        products: &[(usize, usize, f64)],
        factor: f64,
        out: &mut DMatrix<f64>,
    ) {
        let row = |q: usize| {
            let (c, l) = self.layout.coordinate_home[q];
            (c, self.nodes()[node].tangent[c].row(l))
        };
        for &(i, j, b) in products {
            let ((ci, ri), (cj, rj)) = (row(i), row(j));
            let (fi, fj) = (
                &self.layout.components[ci].freedoms,
                &self.layout.components[cj].freedoms,
            );
            for (a, &f) in fi.iter().enumerate() {
                for (k, &g) in fj.iter().enumerate() {
                    let v = factor * b * ri[a] * rj[k];
                    out[(f, g)] += v;
                    out[(g, f)] += v;
                }
            }
        }
    }

    /// A row whose gradient by the coordinates of a node is y.
    pub fn list_node(
        &self,
        row: usize,
        node: usize,
        list: &[usize],
        y: &[f64],
        sink: &mut dyn FnMut(usize, usize, f64),
    ) {
        let values = self.pull(node, y);
        for &f in list {
            sink(row, self.layout.u(node, f), values[f]);
        }
    }
}

fn empty() -> DMatrix<f64> {
    DMatrix::zeros(0, 0)
}

/// A matrix of the right size, with whatever it held.
fn sized(m: &mut DMatrix<f64>, rows: usize, columns: usize) -> &mut DMatrix<f64> {
    if m.shape() != (rows, columns) {
        *m = DMatrix::zeros(rows, columns);
    }
    m
}

/// Joint coordinates of configurations by degree of freedom, each angle next to the one before; zero
/// where a joint has none.
pub(crate) fn joint_values(model: &Model, poses: &[Vec<Pose>]) -> Vec<Vec<f64>> {
    let mut out: Vec<Vec<f64>> = Vec::with_capacity(poses.len());
    let mut values = Vec::new();
    for here in poses {
        let mut all = vec![0.0; model.tree_freedom];
        for (j, joint) in model.joints().iter().enumerate() {
            joint_coordinates(joint, here, &mut values);
            let slides = slides(joint);
            for (k, value) in values.iter().enumerate() {
                let f = model.offsets[j] + k;
                all[f] = *value;
                if let (Some(before), false) = (out.last(), slides[k]) {
                    let turn = std::f64::consts::TAU;
                    all[f] += ((before[f] - value) / turn).round() * turn;
                }
            }
        }
        out.push(all);
    }
    out
}

/// Puts bodies whose motion is given where they are at a time.
pub(crate) fn place_at(model: &Model, time: f64, poses: &mut [Pose]) {
    for (body, pose) in model.bodies().iter().zip(poses) {
        if let Some((given, _)) = body.given(time) {
            *pose = given;
        }
    }
}

/// How far the joint point of each child is from that of its parent, in the parent's frame; zero where a joint keeps
/// them together. Of rods it is the direction from one to the other.
pub(crate) fn displacements(model: &Model, poses: &[Pose]) -> Vec<Vector3<f64>> {
    let of = |joint: &Joint| {
        let parent = parent_pose(joint, poses);
        let child = poses[joint.child.index()].point(&joint.anchor_child);
        let apart = child - parent.point(&joint.anchor_parent);
        match joint.kind {
            JointKind::Revolute | JointKind::Spherical | JointKind::Fixed => Vector3::zeros(),
            JointKind::Rod => apart / joint.length,
            _ => parent.directors.tr_mul(&apart),
        }
    };
    model.joints().iter().map(of).collect()
}

/// Puts bodies where their joints have them, orientations as they are. Bodies without a joint stay.
pub(crate) fn join(model: &Model, displacements: &[Vector3<f64>], poses: &mut [Pose]) {
    for (joint, apart) in model.joints().iter().zip(displacements) {
        let parent = *parent_pose(joint, poses);
        let apart = match joint.kind {
            JointKind::Free => continue,
            JointKind::Rod => apart * joint.length,
            _ => parent.directors * apart,
        };
        let child = &mut poses[joint.child.index()];
        let from = parent.point(&joint.anchor_parent) + apart;
        child.position = from - child.directors * joint.anchor_child;
    }
}
