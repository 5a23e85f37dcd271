//! Which unknown and which row is where, and what each of them means.
//!
//! Unknowns: u₀, τ₀, u₁, τ₁, …, u_N, then time scales, free velocities at the ends, and the value of
//! a ratio. Rows: the balance of momentum at every node, then conditions, gaps, time, ratio.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::chart::{Component, components, coordinate_starts};
use super::gaps::Measure;
use super::planes::Plane;
use super::poly::Poly;
use super::problem::{Motion, Problem, Term};
use super::steps::{BodyInertia, PairTerm, inertias, pair_terms};
use crate::contact::{Collider, Detector, Pair};
use crate::model::{BodyId, Model};

/// Largest rotation of a step in rad.
pub(crate) const MOST_TURN: f64 = 1.4;

/// The same where bodies must not overlap: what turns further sweeps too much between two nodes.
pub(crate) const NEAR_TURN: f64 = 0.5;

/// A step of the time grid: σ h with σ that of its phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridStep {
    pub base: f64,
    pub phase: usize,
}

/// What a row asks for.
#[derive(Clone, Debug)]
pub(crate) enum RowKind {
    /// Pᵀ(q_k)[D₂L_d + D₁L_d + f⁺ + f⁻] = 0, one component.
    Balance { node: usize, freedom: usize },
    /// A polynomial of the configuration at a node.
    Poly {
        node: usize,
        poly: Poly,
        what: String,
    },
    /// Gap of a pair at a node.
    Gap { node: usize, gap: usize },
    /// Gap of a pair between two nodes, at a part s of the step.
    Between { step: usize, s: f64, gap: usize },
    /// |ν|² of a plane.
    Unit { plane: usize },
    /// Depth of a vertex of the holder of a plane below it.
    Held {
        plane: usize,
        index: usize,
        vertex: Vector3<f64>,
    },
    /// ½ Σ min(0, gap − margin)² of some pairs at a node.
    Barrier { node: usize, gaps: Vec<usize> },
    /// Σ d_I · d_I⁺ = 1 + 2 cos Δθ of a body over a step.
    Turn { step: usize, body: usize },
    /// Total time.
    Time,
    /// objective − c · distance = 0.
    Ratio,
}

/// The two colliders of a pair.
pub(crate) type Parties = Option<(Collider, Collider)>;

/// What tells a row from all others of a problem, whatever other rows there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    Balance {
        node: usize,
        freedom: usize,
    },
    /// Number of the condition among all.
    Poly(usize),
    /// Vertex of a pair at a node.
    Gap {
        node: usize,
        pair: Parties,
        vertex: (bool, usize),
    },
    /// Vertex of a pair in a step, at a part of it (as bits).
    Between {
        step: usize,
        s: u64,
        pair: Parties,
        vertex: (bool, usize),
    },
    Unit {
        step: usize,
        pair: Parties,
    },
    Held {
        step: usize,
        pair: Parties,
        vertex: (bool, usize),
    },
    Barrier {
        node: usize,
    },
    Turn {
        step: usize,
        body: usize,
    },
    Time,
    Ratio,
}

/// A row with its least and largest value.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub kind: RowKind,
    pub range: [f64; 2],
}

/// A pair of a gap row, and what the row measures of it.
#[derive(Clone, Debug)]
pub(crate) struct GapSlot {
    pub pair: Pair,
    pub measure: Measure,
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
            gaps: Vec::new(),
            planes: Vec::new(),
            effort: vec![0.0; nc],
            time: 0.0,
            last: Vec::new(),
            wide_nodes: false,
            wide_steps: false,
            grid,
        };
        out.unknowns = out.nodes() * n + out.grid.len() * nc;
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

    /// Coordinates that a polynomial uses.
    pub fn used(poly: &Poly) -> impl Iterator<Item = usize> + '_ {
        let linear = poly.linear.iter().map(|(i, _)| *i);
        linear.chain(poly.quadratic.iter().flat_map(|(i, j, _)| [*i, *j]))
    }

    /// First coordinates of the movable bodies of a pair.
    pub fn pair_coordinates(&self, pair: &Pair) -> impl Iterator<Item = usize> + '_ {
        let bodies = super::gaps::members(pair).into_iter().flatten();
        bodies.filter_map(|b| self.body_home[b.index()].map(|_| self.starts[b.index()]))
    }

    /// See [`Identity`].
    pub fn identity(&self, row: usize) -> Identity {
        let slot = |gap: usize| {
            let GapSlot { pair, measure } = &self.gaps[gap];
            let vertex = match measure {
                Measure::Plane { plane, vertex, .. } => (self.planes[*plane].on_a(), *vertex),
                Measure::Wall { vertex, .. } => (false, *vertex),
                Measure::Program(_) => (false, 0),
            };
            (parties(pair), vertex)
        };
        match &self.rows[row].kind {
            RowKind::Balance { node, freedom } => Identity::Balance {
                node: *node,
                freedom: *freedom,
            },
            // Conditions come in the same order in every round.
            RowKind::Poly { .. } => Identity::Poly(row),
            RowKind::Gap { node, gap } => {
                let (pair, vertex) = slot(*gap);
                let node = *node;
                Identity::Gap { node, pair, vertex }
            }
            RowKind::Between { step, s, gap } => {
                let (pair, vertex) = slot(*gap);
                let (step, s) = (*step, s.to_bits());
                Identity::Between {
                    step,
                    s,
                    pair,
                    vertex,
                }
            }
            RowKind::Unit { plane } => {
                let plane = &self.planes[*plane];
                let pair = parties(&self.gaps[plane.slot].pair);
                let step = plane.step;
                Identity::Unit { step, pair }
            }
            RowKind::Held { plane, index, .. } => {
                let plane = &self.planes[*plane];
                Identity::Held {
                    step: plane.step,
                    pair: parties(&self.gaps[plane.slot].pair),
                    vertex: (plane.on_a(), *index),
                }
            }
            RowKind::Barrier { node, .. } => Identity::Barrier { node: *node },
            RowKind::Turn { step, body } => Identity::Turn {
                step: *step,
                body: *body,
            },
            RowKind::Time => Identity::Time,
            RowKind::Ratio => Identity::Ratio,
        }
    }

    /// What a row is about, in words.
    pub fn describe(&self, model: &Model, row: usize) -> String {
        match &self.rows[row].kind {
            RowKind::Balance { node, freedom } => {
                let what = freedom_name(model, *freedom);
                let last = self.grid.len();
                match *node {
                    0 => format!("start momentum of {what}"),
                    k if k == last => format!("final momentum of {what}"),
                    k => format!("balance of momentum of {what} at node {k}"),
                }
            }
            RowKind::Poly { node, what, .. } => self.at_node(*node, what),
            RowKind::Gap { node, gap } => {
                let [a, b] = Detector::names(model, &self.gaps[*gap].pair);
                self.at_node(*node, &format!("gap between {a} and {b}"))
            }
            RowKind::Between { step, gap, .. } => {
                let [a, b] = Detector::names(model, &self.gaps[*gap].pair);
                format!(
                    "gap between {a} and {b} between nodes {step} and {}",
                    step + 1
                )
            }
            RowKind::Unit { plane } | RowKind::Held { plane, .. } => {
                let plane = &self.planes[*plane];
                let [a, b] = Detector::names(model, &self.gaps[plane.slot].pair);
                format!("plane between {a} and {b} in step {}", plane.step)
            }
            RowKind::Barrier { node, .. } => self.at_node(*node, "overlap of bodies"),
            RowKind::Turn { step, body } => {
                let name = &model.bodies()[*body].name;
                let most = (0.5 * (self.rows[row].range[0] - 1.0))
                    .clamp(-1.0, 1.0)
                    .acos();
                format!("rotation of body {name} in step {step}, at most {most:.1} rad")
            }
            RowKind::Time => "total time".into(),
            RowKind::Ratio => "ratio of the objective".into(),
        }
    }

    /// Keeps every rotation of a step small enough: beyond a right angle the discrete momentum
    /// J sin Δθ/h falls again, and half turns would cost nothing.
    pub fn guard_turns(&mut self, most: f64) {
        let rigid: Vec<usize> = (self.inertias.iter())
            .filter(|i| i.rigid)
            .map(|i| i.body)
            .collect();
        for step in 0..self.grid.len() {
            self.rows.extend(rigid.iter().map(|&body| Row {
                kind: RowKind::Turn { step, body },
                range: [1.0 + 2.0 * most.cos(), f64::INFINITY],
            }));
        }
    }

    fn at_node(&self, node: usize, what: &str) -> String {
        match node {
            0 => format!("start {what}"),
            k if k == self.grid.len() => format!("final {what}"),
            k => format!("{what} at node {k}"),
        }
    }
}

fn parties(pair: &Pair) -> Parties {
    match pair {
        Pair::Bodies(a, b) => Some((*a, *b)),
        _ => None,
    }
}

/// A degree of freedom in words.
fn freedom_name(model: &Model, freedom: usize) -> String {
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
