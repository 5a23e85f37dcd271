//! Which unknown is where, and what depends on what.
//!
//! Unknowns: u₀, τ₀, u₁, τ₁, …, u_N, then time scales, free velocities at the ends, and whatever parts
//! of the problem ask for besides: multipliers of reactions at some nodes, planes, the value of a ratio.

use std::collections::BTreeSet;

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::chart::{Component, components};
use super::meeting::Touch;
use super::problem::{Motion, Problem};
use super::push::Push;
use super::steps::{BodyInertia, inertias};
use crate::contact::Pair;
use crate::mechanics::{Share, coordinate_starts};
use crate::model::{BodyId, Point};

/// Degrees of freedom of the nodes of a task at most, where there is more than one.
const TASK: usize = 64;

/// A step of the time grid: σ h with σ that of its phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GridStep {
    pub base: f64,
    pub phase: usize,
}

/// Times of the nodes that steps lead to, from zero on.
pub(crate) fn node_times(steps: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut times = vec![0.0];
    for h in steps {
        times.push(times[times.len() - 1] + h);
    }
    times
}

/// The time grid of a problem.
pub(crate) fn grid(problem: &Problem) -> Vec<GridStep> {
    let phases = problem.phases.iter().enumerate();
    phases
        .flat_map(|(phase, p)| {
            let step = GridStep {
                base: p.step,
                phase,
            };
            vec![step; p.steps]
        })
        .collect()
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

/// An impulse μ a(q) on the balance at one node, μ an unknown: what holds a closed joint together, or
/// what bodies exchange where they meet. The row g(q) = 0 that belongs to it, if a = ∇g, is a condition.
#[derive(Clone, Debug)]
pub(crate) struct Reaction {
    pub node: usize,
    /// a.
    pub push: Push,
    /// The place of μ.
    pub unknown: usize,
    /// What tells it from all others of its node, in words.
    pub what: String,
}

/// Velocities at a node, before or after what happens there, as unknowns.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub node: usize,
    /// Whether they are those before: of the step that ends at the node.
    pub before: bool,
    pub step: usize,
    /// Components that have them, and all their degrees of freedom.
    pub components: Vec<usize>,
    pub freedoms: Vec<usize>,
    /// The place of the first of them.
    pub first: usize,
    /// What pushes there besides, with the place of its impulse between the node and the velocities.
    pub pushes: Vec<(Push, usize)>,
}

impl Side {
    /// The place of the velocity of a degree of freedom.
    pub fn unknown(&self, freedom: usize) -> Option<usize> {
        let k = self.freedoms.iter().position(|f| *f == freedom)?;
        Some(self.first + k)
    }

    /// How what the step adds to the balance at the node enters: −1 before, +1 after.
    pub fn sign(&self) -> f64 {
        if self.before { -1.0 } else { 1.0 }
    }

    /// The node at the other end of the step.
    pub fn other(&self) -> usize {
        if self.before {
            self.step
        } else {
            self.step + 1
        }
    }
}

/// Something that happens at a contact by plan, and the unknowns of its impulses along the normals.
#[derive(Clone, Debug)]
pub(crate) struct PlannedTouch {
    pub node: usize,
    pub kind: Touch,
    pub what: String,
    pub impulses: Vec<usize>,
}

/// A contact that is closed from one node to another.
#[derive(Clone, Debug)]
pub(crate) struct ClosedContact {
    pub what: String,
    pub from: usize,
    pub to: usize,
    /// Node and unknown of impulses along the normals, and across them.
    pub normal: Vec<(usize, usize)>,
    pub across: Vec<(usize, usize)>,
}

/// Which components stand in products with each other, at each node and over each step.
#[derive(Clone, Debug)]
pub(crate) struct Couplings {
    nodes: Vec<BTreeSet<(usize, usize)>>,
    steps: Vec<BTreeSet<(usize, usize)>>,
}

impl Couplings {
    fn new(steps: usize) -> Self {
        Self {
            nodes: vec![BTreeSet::new(); steps + 1],
            steps: vec![BTreeSet::new(); steps],
        }
    }

    fn add(set: &mut BTreeSet<(usize, usize)>, list: &[usize]) {
        for &a in list {
            set.extend(list.iter().filter(|b| **b != a).map(|&b| (a, b)));
        }
    }

    /// Components that depend on each other at a node.
    pub fn at(&mut self, node: usize, list: &[usize]) {
        Self::add(&mut self.nodes[node], list);
    }

    /// Components that depend on each other within a step, at both of its ends, too.
    pub fn over(&mut self, step: usize, list: &[usize]) {
        Self::add(&mut self.steps[step], list);
        Self::add(&mut self.nodes[step], list);
        Self::add(&mut self.nodes[step + 1], list);
    }
}

/// Sizes and places of everything.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub components: Vec<Component>,
    /// Component of each coordinate and its place there.
    pub coordinate_home: Vec<(usize, usize)>,
    /// Component of each body and its first coordinate there.
    pub body_home: Vec<Option<(usize, usize)>>,
    /// First coordinate of each body.
    pub starts: Vec<usize>,
    pub inertias: Vec<BodyInertia>,
    /// All of the model.
    pub share: Share,
    /// Degrees of freedom, coordinates and controls of a node.
    pub n: usize,
    pub nq: usize,
    pub nc: usize,
    pub grid: Vec<GridStep>,
    pub scales: Vec<Scale>,
    /// Places of the numbers of the model that are found.
    pub parameters: Vec<usize>,
    pub motions: Vec<EndMotion>,
    pub reactions: Vec<Reaction>,
    /// Velocities that are unknowns, and pairs that meet by plan at nodes.
    pub sides: Vec<Side>,
    pub met: Vec<(Pair, usize)>,
    /// Planned contacts, and contacts that are closed with the reactions of their nodes.
    pub impacts: Vec<PlannedTouch>,
    pub closed: Vec<ClosedContact>,
    /// Places where contacts stick, by name.
    pub places: Vec<(String, usize)>,
    /// Constraints that hold at nodes and before and after them, with the range of their impulses:
    /// velocities obey them, too.
    pub held: Vec<(usize, Push, [f64; 2])>,
    /// Number of unknowns.
    pub unknowns: usize,
    /// What second derivatives couple, and what the balances of momentum couple.
    pub couplings: Couplings,
    pub balance_couplings: Couplings,
    /// Steps, bodies on their way in them, and parts of the way (as bits) where rows look.
    pub ways: BTreeSet<(usize, usize, u64)>,
}

impl Layout {
    /// The unknowns that every problem has on a grid.
    pub fn new(problem: &Problem, grid: Vec<GridStep>) -> Self {
        let model = &*problem.model;
        let components = components(model);
        let starts = coordinate_starts(model);
        let nq = components.iter().map(|c| c.coordinates.len()).sum();
        let (n, nc) = (model.tree_freedom, model.controls());
        let mut coordinate_home = vec![(0, 0); nq];
        let mut body_home = vec![None; model.bodies().len()];
        for (c, component) in components.iter().enumerate() {
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
            share: Share::all(model),
            components,
            coordinate_home,
            body_home,
            starts,
            n,
            nq,
            nc,
            scales: Vec::new(),
            parameters: Vec::new(),
            motions: Vec::new(),
            reactions: Vec::new(),
            sides: Vec::new(),
            met: Vec::new(),
            impacts: Vec::new(),
            closed: Vec::new(),
            places: Vec::new(),
            held: Vec::new(),
            unknowns: 0,
            couplings: Couplings::new(grid.len()),
            balance_couplings: Couplings::new(grid.len()),
            ways: BTreeSet::new(),
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
        out.parameters = problem.parameters.iter().map(|_| out.unknown()).collect();
        let last = out.grid.len();
        for (node, sign, end) in [(0, 1.0, &problem.start), (last, -1.0, &problem.goal)] {
            let whole = |m: &&Motion| end.is_whole(model, m);
            for motion in end.motions.iter().filter(whole) {
                let unknowns = motion.twist.map(|[low, high]| {
                    let free = low != high;
                    free.then(|| out.unknown())
                });
                let homes = out.homes_of(&motion.bodies);
                out.couple_balance(node, &homes);
                out.motions.push(EndMotion {
                    node,
                    sign,
                    motion: motion.clone(),
                    unknowns,
                });
            }
        }
        let forces = model.forces();
        let pairs = forces.pairs.iter().map(|p| [p.a, p.b]);
        let dampers = forces.dampers.iter().map(|d| [d.a, d.b]);
        let ends = |ends: [Point; 2]| ends.iter().filter_map(|p| p.body).collect();
        let mut groups: Vec<Vec<BodyId>> = pairs.chain(dampers).map(ends).collect();
        groups.extend(forces.user.iter().map(|u| u.bodies().to_vec()));
        for bodies in groups {
            let homes = out.homes_of(&bodies);
            for step in 0..last {
                out.couplings.over(step, &homes);
                out.balance_couplings.over(step, &homes);
            }
        }
        out
    }

    /// Takes masses and laws of another model of the same bodies.
    pub fn follow(&mut self, model: &crate::model::Model) {
        self.inertias = inertias(model, &self.starts);
    }

    /// Two colliders touch by plan at a node, whichever is named first.
    pub fn meet(&mut self, pair: Pair, node: usize) {
        self.met.extend([(pair, node), (pair.exchanged(), node)]);
    }

    /// Rows look at bodies on their way in a step.
    pub fn look_between(&mut self, step: usize, bodies: &[BodyId], s: f64) {
        let own = bodies.iter().map(|b| (step, b.index(), s.to_bits()));
        self.ways.extend(own);
    }

    /// Components of some bodies, each once.
    pub fn homes_of(&self, bodies: &[BodyId]) -> Vec<usize> {
        let homes = bodies.iter().filter_map(|b| self.body_home[b.index()]);
        let set: BTreeSet<usize> = homes.map(|(c, _)| c).collect();
        set.into_iter().collect()
    }

    /// The balances of these components depend on each other at a node.
    pub fn couple_balance(&mut self, node: usize, homes: &[usize]) {
        self.couplings.at(node, homes);
        self.balance_couplings.at(node, homes);
    }

    /// Adds a reaction at a node with an unknown of its own.
    pub fn add_reaction(&mut self, node: usize, push: Push, what: String) {
        let homes = self.homes(push.used());
        self.couple_balance(node, &homes);
        let unknown = self.unknown();
        self.reactions.push(Reaction {
            node,
            push,
            unknown,
            what,
        });
    }

    /// Adds velocities of some components before or after a node as unknowns; says which side it is.
    pub fn add_side(&mut self, node: usize, before: bool, components: Vec<usize>) -> usize {
        let own = components
            .iter()
            .flat_map(|&c| &self.components[c].freedoms);
        let freedoms: Vec<usize> = own.copied().collect();
        let first = self.unknowns;
        self.unknowns += freedoms.len();
        self.sides.push(Side {
            node,
            before,
            step: if before { node - 1 } else { node },
            components,
            freedoms,
            first,
            pushes: Vec::new(),
        });
        self.sides.len() - 1
    }

    /// Number of unknowns of nodes and steps.
    pub fn node_unknowns(&self) -> usize {
        self.nodes() * self.n + self.grid.len() * self.nc
    }

    /// Node of each unknown, for controls that at which their step begins; none for those that belong to no node.
    pub fn nodes_of_unknowns(&self) -> Vec<Option<u32>> {
        let of_node = self.n + self.nc;
        let node = |k: usize| (k < self.node_unknowns()).then(|| (k / of_node) as u32);
        (0..self.unknowns).map(node).collect()
    }

    pub fn unknown(&mut self) -> usize {
        self.unknowns += 1;
        self.unknowns - 1
    }

    /// Unknowns of no node by name: time scales, free velocities, reactions.
    pub fn named(&self) -> Vec<(String, usize)> {
        let mut out = Vec::new();
        for (phase, scale) in self.scales.iter().enumerate() {
            if let Scale::Unknown(index) = scale {
                out.push((format!("scale {phase}"), *index));
            }
        }
        for (k, index) in self.parameters.iter().enumerate() {
            out.push((format!("parameter {k}"), *index));
        }
        for motion in &self.motions {
            let body = motion.motion.bodies[0].index();
            for (k, unknown) in motion.unknowns.iter().enumerate() {
                if let Some(index) = unknown {
                    out.push((format!("motion {} {body} {k}", motion.node), *index));
                }
            }
        }
        for r in &self.reactions {
            out.push((format!("reaction {} {}", r.node, r.what), r.unknown));
        }
        out.extend(self.places.iter().cloned());
        for (s, side) in self.sides.iter().enumerate() {
            // Velocities between those before and after come second.
            let alike = |o: &&Side| o.node == side.node && o.before == side.before;
            let place = match self.sides[..s].iter().filter(alike).count() {
                0 => format!("{} {}", side.node, side.before),
                k => format!("{} {} {k}", side.node, side.before),
            };
            for (k, f) in side.freedoms.iter().enumerate() {
                out.push((format!("rate {place} {f}"), side.first + k));
            }
            for (k, (_, unknown)) in side.pushes.iter().enumerate() {
                out.push((format!("push {place} {k}"), *unknown));
            }
        }
        out
    }

    /// The component of a body.
    pub fn home_of(&self, body: BodyId) -> Option<usize> {
        self.body_home[body.index()].map(|(home, _)| home)
    }

    /// Whether the momentum of a component is balanced at a node: at the ends where a motion is given.
    pub fn is_balanced(&self, c: usize, node: usize) -> bool {
        let inner = node > 0 && node < self.grid.len();
        inner || self.is_moved(c, node)
    }

    /// Whether a motion is given for the bodies of a component at an end.
    pub fn is_moved(&self, c: usize, node: usize) -> bool {
        let own = |b: &BodyId| self.home_of(*b) == Some(c);
        (self.motions.iter()).any(|m| m.node == node && m.motion.bodies.iter().any(own))
    }

    pub fn nodes(&self) -> usize {
        self.grid.len() + 1
    }

    /// Nodes that are worth a task of their own: where little moves, tasks take longer to hand out than to do.
    pub fn grain(&self) -> usize {
        (TASK / self.n.max(1)).max(1)
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

    /// Degrees of freedom that stand in products with those of component c at a node.
    pub fn reach(&self, couplings: &Couplings, node: usize, c: usize) -> Vec<usize> {
        self.reached(&couplings.nodes[node], c)
    }

    /// The same over a step.
    pub fn reach_over(&self, couplings: &Couplings, step: usize, c: usize) -> Vec<usize> {
        self.reached(&couplings.steps[step], c)
    }

    fn reached(&self, set: &BTreeSet<(usize, usize)>, c: usize) -> Vec<usize> {
        let mut homes: Vec<usize> = set.range((c, 0)..(c + 1, 0)).map(|p| p.1).collect();
        homes.push(c);
        homes.sort_unstable();
        let own = homes.iter().flat_map(|&h| &self.components[h].freedoms);
        own.copied().collect()
    }

    /// Components of some coordinates, each once.
    pub fn homes(&self, coordinates: impl Iterator<Item = usize>) -> Vec<usize> {
        let set: BTreeSet<usize> = coordinates.map(|q| self.coordinate_home[q].0).collect();
        set.into_iter().collect()
    }

    /// Degrees of freedom of the components of some coordinates.
    pub fn freedoms_of(&self, coordinates: impl Iterator<Item = usize>) -> Vec<usize> {
        let homes = self.homes(coordinates);
        let own = homes.iter().flat_map(|&c| &self.components[c].freedoms);
        own.copied().collect()
    }

    /// Whether a coordinate is one of a position, not of a director.
    pub fn is_position(&self, coordinate: usize) -> bool {
        let at = self.inertias.iter().rev().find(|i| i.start <= coordinate);
        at.is_some_and(|i| coordinate < i.start + 3)
    }

    /// Degrees of freedom that move some bodies.
    pub fn freedoms_of_bodies(&self, bodies: &[BodyId]) -> Vec<usize> {
        let own = self.homes_of(bodies).into_iter();
        own.flat_map(|c| self.components[c].freedoms.clone())
            .collect()
    }

    /// A node in words: "start", "final", or with its number.
    pub fn at_node(&self, node: usize, what: &str) -> String {
        match node {
            0 => format!("start {what}"),
            k if k == self.grid.len() => format!("final {what}"),
            k => format!("{what} at node {k}"),
        }
    }
}

/// Poses of all bodies at coordinates q; `centre` holds those that never move.
pub(crate) fn poses_at(centre: &[Pose], layout: &Layout, q: &[f64], poses: &mut Vec<Pose>) {
    poses.clear();
    poses.extend_from_slice(centre);
    for inertia in &layout.inertias {
        let pose = &mut poses[inertia.body];
        let at = &q[inertia.start..];
        pose.position = Vector3::from_column_slice(&at[..3]);
        if inertia.rigid {
            pose.directors = Matrix3::from_column_slice(&at[3..12]);
        }
    }
}
