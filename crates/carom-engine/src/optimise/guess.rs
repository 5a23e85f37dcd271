//! Where the search begins: configurations, controls, and what an earlier plan leaves.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::chart::Component;
use super::error::OptimiseError;
use super::given;
use super::layout;
use super::problem::Problem;
use super::warm::Warm;
use crate::mechanics::{exp_minus_identity, joint_coordinates, log, slides};
use crate::model::{JointKind, Model};
use crate::simulate::State;

/// How far the guesses of further searches are moved, in rad and in parts of the farthest way.
const MOVED: f64 = 0.15;

/// Configurations, controls and time scales to begin with.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    /// Pose of every body at every node.
    pub poses: Vec<Vec<Pose>>,
    /// Controls of every step.
    pub controls: Vec<Vec<f64>>,
    /// Time scale of every phase.
    pub scales: Vec<f64>,
    /// Values of the problem's parameters; none for those of its model.
    pub parameters: Vec<f64>,
    /// Multipliers and rows of an earlier plan.
    pub known: Option<Warm>,
}

/// The place of a joint's child at a way-pose.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// Position and rotation vector of a free body; vectors longer than π mean whole turns.
    Free(Vector3<f64>, Vector3<f64>),
    /// Rotation vector of a spherical joint from the model's start.
    Turned(Vector3<f64>),
    /// Coordinates of any other joint, counted from the model's start.
    Coordinates(Vec<f64>),
}

/// A configuration on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// The node it belongs to.
    pub node: usize,
    /// Place of every joint of the tree.
    pub places: Vec<Place>,
}

impl Way {
    /// The model's start, at a node.
    pub fn start(model: &Model, node: usize) -> Self {
        let place = |(j, joint): (usize, &crate::model::Joint)| {
            let start = &model.body(joint.child).start;
            match joint.kind {
                JointKind::Free => Place::Free(start.position, log(&start.directors)),
                JointKind::Spherical => Place::Turned(Vector3::zeros()),
                _ => Place::Coordinates(vec![0.0; model.joint_freedom(j)]),
            }
        };
        Self {
            node,
            places: model.joints().iter().enumerate().map(place).collect(),
        }
    }
}

impl Guess {
    /// Given configurations without controls.
    pub fn of_poses(problem: &Problem, poses: Vec<Vec<Pose>>) -> Self {
        let steps = poses.len() - 1;
        let scales: Vec<f64> = (problem.phases.iter())
            .map(|p| 1.0_f64.clamp(p.time_scale[0], p.time_scale[1]))
            .collect();
        let mut poses = poses;
        given::place(problem, &scales, &mut poses);
        Self {
            poses,
            controls: vec![vec![0.0; problem.model.controls()]; steps],
            scales,
            parameters: Vec::new(),
            known: None,
        }
    }

    /// The same motion on the grid of a problem, whatever grid it was made on: between its nodes
    /// positions go straight and rotations at a constant rate. `times` are those of its own nodes.
    pub fn resampled(&self, problem: &Problem, times: &[f64]) -> Result<Self, OptimiseError> {
        let fault = |what: &str| OptimiseError::Guess { what: what.into() };
        if times.len() != self.poses.len() || times.len() < 2 {
            return Err(fault("its times do not fit its nodes"));
        }
        let grid = layout::grid(problem);
        let mut out = Self::of_poses(problem, vec![Vec::new(); grid.len() + 1]);
        if self.scales.len() == out.scales.len() {
            out.scales.clone_from(&self.scales);
        }
        out.parameters.clone_from(&self.parameters);
        let steps = grid.iter().map(|s| s.base * out.scales[s.phase]);
        let at = layout::node_times(steps);
        let (end, own) = (times[times.len() - 1], at[at.len() - 1]);
        // Parts of the whole: the total time may differ.
        let part = |time: f64| {
            let time = time * end / own;
            let after = times
                .partition_point(|t| *t <= time)
                .clamp(1, times.len() - 1);
            let (a, b) = (times[after - 1], times[after]);
            (after - 1, ((time - a) / (b - a)).clamp(0.0, 1.0))
        };
        let tree = super::chart::components(&problem.model);
        for (k, time) in at.iter().enumerate() {
            let (node, s) = part(*time);
            out.poses[k] = between(
                &problem.model,
                &tree,
                [&self.poses[node], &self.poses[node + 1]],
                s,
            );
        }
        for k in 0..grid.len() {
            let (node, _) = part(0.5 * (at[k] + at[k + 1]));
            out.controls[k].clone_from(&self.controls[node]);
        }
        Ok(out)
    }

    /// The motion from node `by` on, for a receding horizon: the last state is held for as many steps.
    pub fn shifted(&self, by: usize) -> Self {
        let nodes = self.poses.len();
        let node = |k: usize| (k + by).min(nodes - 1);
        let step = |k: usize| (k + by).min(nodes - 2);
        Self {
            poses: (0..nodes).map(|k| self.poses[node(k)].clone()).collect(),
            controls: (0..nodes - 1)
                .map(|k| self.controls[step(k)].clone())
                .collect(),
            scales: self.scales.clone(),
            parameters: self.parameters.clone(),
            known: (self.known.as_ref()).map(|known| known.shifted(by, nodes - 1)),
        }
    }

    /// How far the guesses of further searches are moved, in rad and m.
    pub(crate) fn room(&self) -> f64 {
        let way = |a: &Pose, b: &Pose| (b.position - a.position).norm();
        let ends = self.poses[0].iter().zip(&self.poses[self.poses.len() - 1]);
        let farthest = ends.map(|(a, b)| way(a, b)).fold(0.0, f64::max);
        MOVED
            * if farthest > 0.0 {
                farthest.min(1.0)
            } else {
                1.0
            }
    }

    /// Moves every configuration and control by seeded random numbers, start and end excepted: to see
    /// how much a plan depends on its guess.
    pub fn perturbed(&self, problem: &Problem, size: f64, mut random: impl FnMut() -> f64) -> Self {
        let mut out = self.clone();
        let model = &problem.model;
        let components = super::chart::components(model);
        let last = self.poses.len() - 1;
        for (k, poses) in out.poses.iter_mut().enumerate() {
            if k == 0 || k == last {
                continue;
            }
            let centre = poses.clone();
            for c in &components {
                let u: Vec<f64> = c.freedoms.iter().map(|_| size * random()).collect();
                let placed = c.place(model, &centre, &u);
                for (p, &j) in placed.iter().zip(&c.joints) {
                    let pose = &mut poses[model.joints()[j].child.index()];
                    pose.position = p.position;
                    pose.directors = p.directors;
                }
            }
        }
        for tau in out.controls.iter_mut().flatten() {
            *tau *= 1.0 + size * random();
        }
        out
    }

    /// A state of the simulator at the first node, for given joint velocities.
    pub(crate) fn state(model: &Model, poses: &[Pose], nu: &[f64]) -> Result<State, OptimiseError> {
        let mut state = State::start(model).map_err(|e| OptimiseError::Guess {
            what: format!("the start: {e}"),
        })?;
        state.poses.copy_from_slice(poses);
        let twists = crate::mechanics::twists(model, poses, nu);
        state.set_velocities(model, &twists);
        state.guess[..nu.len()].copy_from_slice(nu);
        Ok(state)
    }
}

/// Poses between two configurations of a tree: joint by joint.
fn between(model: &Model, tree: &[Component], ends: [&[Pose]; 2], s: f64) -> Vec<Pose> {
    let [from, to] = ends;
    let mut poses = from.to_vec();
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for c in tree {
        let mut u = Vec::new();
        for &j in &c.joints {
            let joint = &model.joints()[j];
            let child = joint.child.index();
            let turned = |poses: &[Pose]| {
                let below = joint.parent.map_or(nalgebra::Matrix3::identity(), |p| {
                    poses[p.index()].directors
                });
                below.tr_mul(&poses[child].directors)
            };
            match joint.kind {
                JointKind::Free => {
                    u.extend(((to[child].position - from[child].position) * s).iter());
                    if !model.is_particle(joint.child) {
                        let turn = to[child].directors * from[child].directors.transpose();
                        u.extend((log(&turn) * s).iter());
                    }
                }
                JointKind::Spherical => {
                    // In the axes of the parent, turned into those of the chart.
                    let below = joint
                        .parent
                        .map_or(nalgebra::Matrix3::identity(), |p| from[p.index()].directors);
                    let turn = log(&(turned(to) * turned(from).transpose()));
                    u.extend((below * turn * s).iter());
                }
                JointKind::Rod => u.extend([0.0; 2]),
                _ => {
                    joint_coordinates(joint, from, &mut a);
                    joint_coordinates(joint, to, &mut b);
                    let turns = slides(joint);
                    for k in 0..model.joint_freedom(j) {
                        let mut d = b[k] - a[k];
                        if !turns[k] {
                            d -= (d / std::f64::consts::TAU).round() * std::f64::consts::TAU;
                        }
                        u.push(d * s);
                    }
                }
            }
        }
        for (p, &j) in c.place(model, from, &u).iter().zip(&c.joints) {
            poses[model.joints()[j].child.index()] = Pose {
                position: p.position,
                directors: p.directors,
            };
        }
    }
    poses
}

/// A configuration between two ways.
pub(crate) fn at(model: &Model, from: &Way, to: &Way, s: f64) -> Vec<Pose> {
    let start: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
    let mut poses = start.clone();
    let rotation = |r: &Vector3<f64>| exp_minus_identity(r) + nalgebra::Matrix3::identity();
    // Rotations about one axis keep their turns; others take the short way.
    let between = |a: &Vector3<f64>, b: &Vector3<f64>| {
        if a.cross(b).norm() < 1e-9 {
            return rotation(&(a + (b - a) * s));
        }
        let turn = log(&(rotation(b) * rotation(a).transpose()));
        rotation(&(turn * s)) * rotation(a)
    };
    for c in super::chart::components(model) {
        let mut u = Vec::new();
        for &j in &c.joints {
            let joint = &model.joints()[j];
            let centre = &start[joint.child.index()];
            match (&from.places[j], &to.places[j]) {
                (Place::Free(p, r), Place::Free(q, t)) => {
                    u.extend((p + (q - p) * s - centre.position).iter());
                    if !model.is_particle(joint.child) {
                        let turn = between(r, t) * centre.directors.transpose();
                        u.extend(log(&turn).iter());
                    }
                }
                (Place::Turned(r), Place::Turned(t)) => u.extend(log(&between(r, t)).iter()),
                (Place::Coordinates(p), Place::Coordinates(q)) => {
                    u.extend(p.iter().zip(q).map(|(p, q)| p + (q - p) * s));
                }
                _ => u.extend(vec![0.0; model.joint_freedom(j)]),
            }
        }
        for (p, &j) in c.place(model, &start, &u).iter().zip(&c.joints) {
            poses[model.joints()[j].child.index()] = Pose {
                position: p.position,
                directors: p.directors,
            };
        }
    }
    poses
}
