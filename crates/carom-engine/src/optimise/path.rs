//! The motion on its grid at the present unknowns: nodes q_k = F_d(u_k, q̄_k) with P(q_k), B(q_k) P(q_k)
//! and ∂q/∂u, and the ways between quantities of a node and its unknowns.

mod joints;
mod pull;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use carom_gap::Pose;
use nalgebra::{DMatrix, SMatrix};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::layout::{Layout, poses_at};
use super::parameter::{Parameter, Stencil, with_values};
use super::steps::{Operator, apply_rows};
use super::way;
use crate::mechanics::Dual;
use crate::model::Model;
pub(crate) use joints::{displacements, join, joint_values, place_at};

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
