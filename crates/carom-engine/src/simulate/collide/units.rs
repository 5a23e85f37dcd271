//! Parts of a model that fly on their own between contacts.

use crate::contact::{MassMetric, Pair, body_of};
use crate::model::Model;
use crate::simulate::State;

/// One part: bodies, coordinates of linkages, degrees of freedom.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    pub bodies: Vec<usize>,
    pub coordinates: Vec<usize>,
    pub freedoms: Vec<usize>,
    /// Linkages it consists of.
    pub linkages: Vec<usize>,
}

/// All parts, and which one each body and coordinate belongs to.
#[derive(Debug)]
pub struct Units {
    pub all: Vec<Unit>,
    of_body: Vec<usize>,
    of_coordinate: Vec<usize>,
}

impl Units {
    pub fn new(model: &Model, members: Vec<(Vec<usize>, Vec<usize>)>) -> Self {
        let mut of_body = vec![usize::MAX; model.bodies().len()];
        let mut of_coordinate = vec![usize::MAX; model.coordinates];
        let mut all: Vec<Unit> = Vec::new();
        for (u, (bodies, coordinates)) in members.into_iter().enumerate() {
            let movable = |b: &usize| model.bodies()[*b].moves();
            let bodies: Vec<usize> = bodies.into_iter().filter(movable).collect();
            bodies.iter().for_each(|&b| of_body[b] = u);
            coordinates.iter().for_each(|&c| of_coordinate[c] = u);
            let tail = coordinates.iter().map(|c| model.tree_freedom + c);
            let linkages = coordinates
                .iter()
                .map(|&c| (c, model.linkage_of(c)))
                .filter(|&(c, l)| model.linkages()[l].first == c)
                .map(|(_, l)| l)
                .collect();
            all.push(Unit {
                freedoms: tail.collect(),
                bodies,
                coordinates,
                linkages,
            });
        }
        for (j, joint) in model.joints().iter().enumerate() {
            let u = of_body[joint.child.index()];
            if u != usize::MAX {
                let first = model.offsets[j];
                let range = first..first + model.joint_freedom(j);
                all[u].freedoms.extend(range);
            }
        }
        Self {
            all,
            of_body,
            of_coordinate,
        }
    }

    /// Unit of a body that moves.
    pub fn of_body(&self, body: usize) -> usize {
        self.of_body[body]
    }

    /// Units of the two sides of a pair; `usize::MAX` for what does not move.
    pub fn of(&self, model: &Model, pair: &Pair) -> [usize; 2] {
        match pair {
            Pair::Bodies(a, b) => {
                [a, b].map(|c| body_of(c).map_or(usize::MAX, |b| self.of_body[b.index()]))
            }
            Pair::Elastic(_) => [usize::MAX; 2],
            Pair::JointLimit { joint, .. } => [
                self.of_body[model.joints()[*joint].child.index()],
                usize::MAX,
            ],
            Pair::CoordinateLimit { coordinate, .. } => {
                [self.of_coordinate[*coordinate], usize::MAX]
            }
        }
    }

    /// Velocities of some units from their momenta.
    pub fn velocities(
        &self,
        model: &Model,
        metric: &mut MassMetric,
        which: &[usize],
        state: &State,
        nu: &mut [f64],
    ) {
        for &u in which {
            let unit = &self.all[u];
            let momentum = |k| state.momentum(model, k);
            metric.velocities(model, &state.poses, &unit.bodies, momentum, nu);
            for &l in &unit.linkages {
                let (q, p) = (&state.coordinates, &state.coordinate_momenta);
                metric.rates(model, l, q, p, nu);
            }
        }
    }

    /// Copies some units from one state to another.
    pub fn copy(&self, model: &Model, units: &[usize], from: &State, to: &mut State) {
        for &u in units {
            let unit = &self.all[u];
            for &b in &unit.bodies {
                to.poses[b] = from.poses[b];
                to.momenta[b] = from.momenta[b];
                to.carry[b] = from.carry[b];
            }
            for &c in &unit.coordinates {
                to.coordinates[c] = from.coordinates[c];
                to.coordinate_momenta[c] = from.coordinate_momenta[c];
            }
            for &f in &unit.freedoms {
                to.guess[f] = from.guess[f];
                if f < model.tree_freedom {
                    to.unbalanced[f] = from.unbalanced[f];
                }
            }
        }
    }
}
