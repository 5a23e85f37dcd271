//! Which unknown and which row is where.
//!
//! Unknowns: u₀, τ₀, u₁, τ₁, …, u_N, then time scales, free velocities at the ends, and the value of
//! a ratio. Rows: the balance of momentum at every node, then conditions, gaps, time, ratio.

use std::collections::HashMap;

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::avoid::planes::Plane;
use super::chart::{Component, components, coordinate_starts};
use super::poly::Poly;
use super::problem::{Motion, Problem, Term};
use super::rows::{GapSlot, Row, RowKind};
use super::steps::{BodyInertia, PairTerm, inertias, pair_terms};
use crate::contact::Pair;
use crate::model::BodyId;

/// A step of the time grid: σ h with σ that of its phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridStep {
    pub base: f64,
    pub phase: usize,
}

/// Time scale of a phase: an unknown or a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    Fixed(f64),
    Unknown(usize),
}

/// A motion prescribed at an end.
#[derive(Clone, Debug)]
pub(crate) struct EndMotion {
    pub node: usize,
    /// +1 at the start, −1 at the end: how it enters the balance.
    pub sign: f64,
    pub motion: Motion,
    /// The unknown of each component that is not given.
    pub unknowns: [Option<usize>; 6],
}

/// Sizes and places of everything.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub components: Vec<Component>,
    /// Component of each degree of freedom.
    pub freedom_home: Vec<usize>,
    /// Component of each coordinate and its place there.
    pub coordinate_home: Vec<(usize, usize)>,
    /// Component of each body and its first coordinate there.
    pub body_home: Vec<Option<(usize, usize)>>,
    /// First coordinate of each body.
    pub starts: Vec<usize>,
    pub inertias: Vec<BodyInertia>,
    pub pairs: Vec<PairTerm>,
    /// Degrees of freedom, coordinates and controls of a node.
    pub n: usize,
    pub nq: usize,
    pub nc: usize,
    pub grid: Vec<GridStep>,
    pub scales: Vec<Scale>,
    pub motions: Vec<EndMotion>,
    pub ratio: Option<usize>,
    /// Number of unknowns.
    pub unknowns: usize,
    pub rows: Vec<Row>,
    /// Row of the balance of each degree of freedom at each node.
    pub balance: Vec<Vec<Option<usize>>>,
    /// Row that limits the rotation of a body in a step.
    pub turns: HashMap<(usize, usize), usize>,
    pub gaps: Vec<GapSlot>,
    /// Planes between parts, with unknowns of their own.
    pub planes: Vec<Plane>,
    /// Weights of the squared controls, of time, and polynomials of the end.
    pub effort: Vec<f64>,
    pub time: f64,
    pub last: Vec<Poly>,
    /// Whether second derivatives couple all bodies at a node, and at neighbouring nodes.
    pub wide_nodes: bool,
    pub wide_steps: bool,
}

impl Layout {
    /// Unknowns and balance rows of a problem on a grid; conditions and gaps are added later.
    pub fn new(problem: &Problem, grid: Vec<GridStep>) -> Self {
        let model = &*problem.model;
        let components = components(model);
        let starts = coordinate_starts(model);
        let nq = components.iter().map(|c| c.coordinates.len()).sum();
        let (n, nc) = (model.tree_freedom, model.controls());
        let mut freedom_home = vec![0; n];
        let mut coordinate_home = vec![(0, 0); nq];
        let mut body_home = vec![None; model.bodies().len()];
        for (c, component) in components.iter().enumerate() {
            component.freedoms.iter().for_each(|&f| freedom_home[f] = c);
            for (l, &q) in component.coordinates.iter().enumerate() {
                coordinate_home[q] = (c, l);
            }
            for &j in &component.joints {
                let b = model.joints()[j].child.index();
                body_home[b] = Some((c, coordinate_home[starts[b]].1));
            }
        }
        let mut out = Self {
            inertias: inertias(model, &starts),
            pairs: pair_terms(model),
            components,
            freedom_home,
            coordinate_home,
            body_home,
            starts,
            n,
            nq,
            nc,
            scales: Vec::new(),
            motions: Vec::new(),
            ratio: None,
            unknowns: 0,
            rows: Vec::new(),
            balance: vec![vec![None; n]; grid.len() + 1],
            turns: HashMap::new(),
            gaps: Vec::new(),
            planes: Vec::new(),
            effort: vec![0.0; nc],
            time: 0.0,
            last: Vec::new(),
            wide_nodes: false,
            wide_steps: false,
            grid,
        };
        out.unknowns = out.node_unknowns();
        for phase in &problem.phases {
            let [low, high] = phase.time_scale;
            let scale = match low == high {
                true => Scale::Fixed(low),
                false => Scale::Unknown(out.unknown()),
            };
            out.scales.push(scale);
        }
        let last = out.grid.len();
        for (node, sign, end) in [(0, 1.0, &problem.start), (last, -1.0, &problem.goal)] {
            for motion in &end.motions {
                let unknowns = motion.twist.map(|[low, high]| {
                    let free = low != high;
                    free.then(|| out.unknown())
                });
                out.motions.push(EndMotion {
                    node,
                    sign,
                    motion: motion.clone(),
                    unknowns,
                });
            }
        }
        out.ratio = problem.per.map(|_| out.unknown());
        for term in &problem.minimise {
            match term {
                Term::Effort { weights } => {
                    let pairs = out.effort.iter_mut().zip(weights);
                    pairs.for_each(|(sum, w)| *sum += w);
                }
                Term::Time { weight } => out.time += weight,
                Term::Final { poly, .. } => out.last.push(poly.clone().collected()),
            }
        }
        out.wide_steps = !out.pairs.is_empty();
        out.wide_nodes = out.wide_steps || out.motions.iter().any(|m| m.motion.bodies.len() > 1);
        out.add_balances();
        if let Some(range) = problem.total_time {
            out.rows.push(Row {
                kind: RowKind::Time,
                range,
            });
        }
        if out.ratio.is_some() {
            out.rows.push(Row {
                kind: RowKind::Ratio,
                range: [0.0; 2],
            });
        }
        out
    }

    /// Number of unknowns of nodes and steps.
    pub fn node_unknowns(&self) -> usize {
        self.nodes() * self.n + self.grid.len() * self.nc
    }

    pub fn unknown(&mut self) -> usize {
        self.unknowns += 1;
        self.unknowns - 1
    }

    /// One balance per degree of freedom and node; at the ends where a motion is given.
    fn add_balances(&mut self) {
        let last = self.grid.len();
        for node in 0..=last {
            for c in 0..self.components.len() {
                let inner = node > 0 && node < last;
                if !inner && !self.is_moved(c, node) {
                    continue;
                }
                for k in 0..self.components[c].freedoms.len() {
                    let freedom = self.components[c].freedoms[k];
                    self.balance[node][freedom] = Some(self.rows.len());
                    self.rows.push(Row {
                        kind: RowKind::Balance { node, freedom },
                        range: [0.0; 2],
                    });
                }
            }
        }
    }

    /// Whether a motion is given for the bodies of a component at an end.
    fn is_moved(&self, c: usize, node: usize) -> bool {
        let own = |b: &BodyId| self.body_home[b.index()].is_some_and(|(home, _)| home == c);
        (self.motions.iter()).any(|m| m.node == node && m.motion.bodies.iter().any(own))
    }

    pub fn nodes(&self) -> usize {
        self.grid.len() + 1
    }

    /// Unknown of a degree of freedom at a node.
    pub fn u(&self, node: usize, freedom: usize) -> usize {
        node * (self.n + self.nc) + freedom
    }

    /// Unknown of a control in a step.
    pub fn tau(&self, step: usize, control: usize) -> usize {
        step * (self.n + self.nc) + self.n + control
    }

    /// σ of a phase.
    pub fn scale(&self, phase: usize, x: &[f64]) -> f64 {
        match self.scales[phase] {
            Scale::Fixed(value) => value,
            Scale::Unknown(index) => x[index],
        }
    }

    /// Size of a step.
    pub fn h(&self, step: usize, x: &[f64]) -> f64 {
        let GridStep { base, phase } = self.grid[step];
        base * self.scale(phase, x)
    }

    /// Total time.
    pub fn total(&self, x: &[f64]) -> f64 {
        (0..self.grid.len()).map(|k| self.h(k, x)).sum()
    }

    /// Twist of a motion.
    pub fn twist(&self, motion: &EndMotion, x: &[f64]) -> [f64; 6] {
        [0, 1, 2, 3, 4, 5].map(|k| match motion.unknowns[k] {
            Some(index) => x[index],
            None => motion.motion.twist[k][0],
        })
    }

    /// Degrees of freedom that the second derivatives (or the balance at a neighbouring node, with
    /// `wide`) of component c reach.
    pub fn reach(&self, c: usize, wide: bool) -> Vec<usize> {
        match wide {
            true => (0..self.n).collect(),
            false => self.components[c].freedoms.clone(),
        }
    }

    /// Degrees of freedom of the components of some coordinates.
    pub fn freedoms_of(&self, coordinates: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut homes: Vec<usize> = coordinates.map(|q| self.coordinate_home[q].0).collect();
        homes.sort_unstable();
        homes.dedup();
        homes
            .iter()
            .flat_map(|&c| self.components[c].freedoms.clone())
            .collect()
    }

    /// Whether a coordinate is one of a position, not of a director.
    pub fn is_position(&self, coordinate: usize) -> bool {
        let at = self.inertias.iter().rev().find(|i| i.start <= coordinate);
        at.is_some_and(|i| coordinate < i.start + 3)
    }

    /// Coordinates that a polynomial uses.
    pub fn used(poly: &Poly) -> impl Iterator<Item = usize> + '_ {
        let linear = poly.linear.iter().map(|(i, _)| *i);
        linear.chain(poly.quadratic.iter().flat_map(|(i, j, _)| [*i, *j]))
    }

    /// First coordinates of the movable bodies of a pair.
    pub fn pair_coordinates(&self, pair: &Pair) -> impl Iterator<Item = usize> + '_ {
        let bodies = super::avoid::gaps::members(pair).into_iter().flatten();
        bodies.filter_map(|b| self.body_home[b.index()].map(|_| self.starts[b.index()]))
    }

    /// Degrees of freedom that move the bodies of a pair.
    pub fn pair_freedoms(&self, pair: &Pair) -> Vec<usize> {
        self.freedoms_of(self.pair_coordinates(pair))
    }
}

/// Poses of all bodies at coordinates q; `centre` holds those that never move.
pub(crate) fn poses_at(centre: &[Pose], layout: &Layout, q: &[f64]) -> Vec<Pose> {
    let mut poses = centre.to_vec();
    for inertia in &layout.inertias {
        let pose = &mut poses[inertia.body];
        let at = &q[inertia.start..];
        pose.position = Vector3::from_column_slice(&at[..3]);
        if inertia.rigid {
            pose.directors = Matrix3::from_column_slice(&at[3..12]);
        }
    }
    poses
}
