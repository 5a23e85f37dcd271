//! Inverse kinematics: a configuration that meets the conditions of the goal, for guesses.
//!
//! Conditions on free bodies and joints are met at once. What is left (places of tools, directions,
//! poses of bodies within chains) is a small nonlinear least-squares problem in the degrees of freedom,
//! solved by Levenberg and Marquardt's method. At a stretched pose its gradient may vanish: further
//! starts, moved by seeded random numbers, see to that. Of several solutions the nearest is taken.

use std::f64::consts::TAU;
use std::sync::Arc;

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector, Vector3};

use super::assemble::assemble;
use super::avoid::check;
use super::draft::Draft;
use super::error::OptimiseError;
use super::guess::{Guess, Place, Way, at};
use super::problem::{Condition, Phase, Problem};
use super::random::random;
use super::recur::Recurrence;
use super::rows::Asked;
use super::scale::{self, Sizes};
use crate::mechanics::{exp_minus_identity, joint_coordinates, log, slides};
use crate::model::{JointKind, Model};

/// Starts that are tried.
const STARTS: usize = 24;

/// How far starts are moved, in rad and m: the nearest ones first.
const MOVED: [f64; 3] = [1e-3, 0.7, 1.8];

/// Places of the way that are looked at for overlap.
const PLACES: usize = 8;

/// Iterations from each start.
const ITERATIONS: usize = 100;

/// Sum of squares that counts as met, relative to the first.
const MET: f64 = 1e-20;

/// The way-pose at the last node that the goal asks for, as near to `start` as it goes.
pub(crate) fn goal(problem: &Problem, start: &Way) -> Result<Way, OptimiseError> {
    let model = &problem.model;
    let mut end = start.clone();
    end.node = problem.phases.iter().map(|p| p.steps).sum();
    for r in &problem.periodic {
        repeat(model, r, start, &mut end);
    }
    for condition in &problem.goal.conditions {
        lead(model, condition, &mut end);
    }
    let mut alone = Problem::new(Arc::clone(model), vec![Phase::default()]);
    alone.goal.conditions.clone_from(&problem.goal.conditions);
    let poses = at(model, &end, &end, 0.0);
    let guess = Guess::of_poses(&alone, vec![poses.clone(), poses]);
    let mut t = assemble(&alone, &guess)?;
    let first = Reach::new(&t);
    let hits = |poses: &[Pose]| match problem.avoid {
        Some(_) => check::overlaps(model, poses)
            .iter()
            .map(|(_, depth)| depth)
            .sum(),
        None => 0.0,
    };
    if let Some(u) = first.solve(&mut t, &hits) {
        move_way(&t, &u, &mut end);
    }
    Ok(end)
}

/// The least-squares problem at the second node.
struct Reach {
    x: Vec<f64>,
    /// Degrees of freedom that may move, and the rows.
    free: Vec<usize>,
    rows: Vec<Asked>,
    /// What degrees of freedom and rows are measured in.
    units: Vec<f64>,
    sizes: Vec<f64>,
}

impl Reach {
    fn new(t: &Draft) -> Self {
        let moves = |f: &usize| {
            let [low, high] = t.bounds[t.path.layout.u(1, *f)];
            low < high
        };
        let rows = t.conditions.rows.iter();
        let rows: Vec<Asked> = rows.filter(|r| r.node == 1).cloned().collect();
        let sizes = lengths(t, &rows);
        let q = &t.path.nodes()[1].q;
        Self {
            free: (0..t.path.layout.n).filter(moves).collect(),
            units: scale::freedom_sizes(&t.path, &sizes),
            sizes: (rows.iter())
                .map(|r| scale::poly_size(&t.path, &r.poly, q, &sizes))
                .collect(),
            rows,
            x: t.x.clone(),
        }
    }

    /// How far the rows are from their ranges.
    fn residual(&self, t: &mut Draft, x: &[f64]) -> DVector<f64> {
        t.path.refresh(x, true);
        let off = |(row, size): (&Asked, &f64)| {
            let value = row.value(&t.path).0;
            (value - value.clamp(row.range[0], row.range[1])) / size
        };
        let rows = self.rows.iter().zip(&self.sizes);
        DVector::from_iterator(self.rows.len(), rows.map(off))
    }

    fn slopes(&self, t: &Draft) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(self.rows.len(), self.free.len());
        for (k, row) in self.rows.iter().enumerate() {
            let pulled = t.path.pull(1, &row.gradient(&t.path));
            for (j, &f) in self.free.iter().enumerate() {
                out[(k, j)] = pulled[f] * self.units[f] / self.sizes[k];
            }
        }
        out
    }

    /// The increments of all degrees of freedom, if they change anything.
    fn solve(&self, t: &mut Draft, hits: &dyn Fn(&[Pose]) -> f64) -> Option<Vec<f64>> {
        let all = |x: &[f64], t: &Draft| -> Vec<f64> {
            (0..t.path.layout.n)
                .map(|f| x[t.path.layout.u(1, f)])
                .collect()
        };
        let begin = self.residual(t, &self.x).norm_squared();
        if begin == 0.0 || self.free.is_empty() {
            let u = all(&self.x, t);
            return u.iter().any(|v| *v != 0.0).then_some(u);
        }
        let mut random = random(0x2545_F491_4F6C_DD1D);
        // Best: least residual; among those that are met, least overlap on the way, then least motion.
        let mut best: Option<(f64, [f64; 2], Vec<f64>)> = None;
        for start in 0..STARTS {
            let mut x = self.x.clone();
            for &f in &self.free {
                let index = t.path.layout.u(1, f);
                let size = self.units[f] * MOVED[start * MOVED.len() / STARTS];
                let [low, high] = t.bounds[index];
                x[index] = (x[index] + size * random()).clamp(low, high);
            }
            let left = self.descend(t, &mut x);
            self.unwind(t, &mut x);
            let u = all(&x, t);
            let met = |left: f64| left <= MET * begin;
            let moved = u.iter().zip(&self.units).map(|(v, unit)| v / unit);
            let mut way = [0.0, moved.map(|v| v * v).sum()];
            if met(left) {
                way[0] = hits(&t.path.nodes()[1].poses);
                for k in 1..PLACES {
                    let part = k as f64 / PLACES as f64;
                    let mut on: Vec<f64> = self.x.clone();
                    for (f, v) in u.iter().enumerate() {
                        on[t.path.layout.u(1, f)] = part * v;
                    }
                    t.path.refresh(&on, false);
                    way[0] += hits(&t.path.nodes()[1].poses) / PLACES as f64;
                }
                t.path.refresh(&x, true);
            }
            let better = best
                .as_ref()
                .is_none_or(|(l, w, _)| match (met(left), met(*l)) {
                    (true, true) => (way[0], way[1]) < (w[0], w[1]),
                    (a, b) if a != b => a,
                    _ => left < *l,
                });
            if better {
                best = Some((left, way, u));
            }
        }
        let u = best.map(|b| b.2)?;
        let mut x = self.x.clone();
        for (f, v) in u.iter().enumerate() {
            x[t.path.layout.u(1, f)] = *v;
        }
        t.path.refresh(&x, true);
        Some(u)
    }

    /// Takes whole turns back: long steps may have gone round, and a joint that turned by more than half a turn is as
    /// near the other way.
    fn unwind(&self, t: &mut Draft, x: &mut [f64]) {
        let model = Arc::clone(&t.path.model);
        let mut values = Vec::new();
        for (j, joint) in model.joints().iter().enumerate() {
            joint_coordinates(joint, &t.path.centres[1], &mut values);
            let slides = slides(joint);
            for k in (0..values.len()).filter(|&k| !slides[k]) {
                let index = t.path.layout.u(1, model.offsets[j] + k);
                let nearer = x[index] - (x[index] / TAU).round() * TAU;
                let [low, high] = t.bounds[index];
                if low <= nearer && nearer <= high {
                    x[index] = nearer;
                }
            }
        }
        t.path.refresh(x, true);
    }

    /// Levenberg and Marquardt's method from x; the sum of squares that is left.
    fn descend(&self, t: &mut Draft, x: &mut [f64]) -> f64 {
        let mut r = self.residual(t, x);
        let mut damping = 1e-3;
        for _ in 0..ITERATIONS {
            if r.norm_squared() == 0.0 {
                break;
            }
            let j = self.slopes(t);
            let mut normal = j.tr_mul(&j);
            let size = normal.diagonal().max().max(f64::MIN_POSITIVE);
            for k in 0..self.free.len() {
                normal[(k, k)] += damping * size;
            }
            let Some(step) = normal.cholesky().map(|c| c.solve(&j.tr_mul(&r))) else {
                damping *= 10.0;
                continue;
            };
            let mut next = x.to_vec();
            for (k, &f) in self.free.iter().enumerate() {
                let index = t.path.layout.u(1, f);
                let [low, high] = t.bounds[index];
                next[index] =
                    (x[index] - self.units[f] * step[k].clamp(-0.5, 0.5)).clamp(low, high);
            }
            let new = self.residual(t, &next);
            if new.norm_squared() < r.norm_squared() {
                x.copy_from_slice(&next);
                r = new;
                damping = (damping * 0.2).max(1e-15);
            } else {
                damping *= 5.0;
                if damping > 1e12 {
                    break;
                }
                t.path.refresh(x, true);
            }
        }
        r.norm_squared()
    }
}

/// Lengths of a least-squares problem: the largest body, the farthest of two from each other, and what is missing.
fn lengths(t: &Draft, rows: &[Asked]) -> Sizes {
    let (layout, poses) = (&t.path.layout, &t.path.nodes()[1].poses);
    let bodies = || layout.inertias.iter().map(|i| i.body);
    let reach = bodies()
        .filter_map(|b| t.path.model.bodies()[b].shape.as_ref())
        .flat_map(|shape| shape.vertices().iter().map(|v| v.reach()));
    let reach = reach.fold(0.0, f64::max);
    let first = bodies()
        .next()
        .map_or(Vector3::zeros(), |b| poses[b].position);
    let apart = bodies().map(|b| (poses[b].position - first).norm());
    let is_length = |r: &&Asked| r.poly.used().any(|i| layout.is_position(i));
    let missing = (rows.iter().filter(is_length)).map(|r| r.value(&t.path).1);
    let length = apart.chain(missing).fold(reach, f64::max);
    Sizes {
        length: Sizes::ONE.near_one(length),
        reach: length,
        ..Sizes::ONE
    }
}

/// Adds increments to a way-pose.
fn move_way(t: &Draft, u: &[f64], way: &mut Way) {
    let model = &*t.path.model;
    let rotation = |r: &Vector3<f64>| exp_minus_identity(r) + nalgebra::Matrix3::identity();
    let three = |k: usize| Vector3::new(u[k], u[k + 1], u[k + 2]);
    let placed = &t.path.nodes()[1].poses;
    for (j, joint) in model.joints().iter().enumerate() {
        let first = model.offsets[j];
        match &mut way.places[j] {
            Place::Free(position, turn) => {
                *position += three(first);
                if !model.is_particle(joint.child) && three(first + 3).norm() > 0.0 {
                    *turn = log(&(rotation(&three(first + 3)) * rotation(turn)));
                }
            }
            Place::Turned(turn) => {
                let turned = |b: crate::model::BodyId| {
                    placed[b.index()].directors * model.body(b).start.directors.transpose()
                };
                let below = joint.parent.map_or(nalgebra::Matrix3::identity(), turned);
                *turn = log(&below.tr_mul(&turned(joint.child)));
            }
            Place::Coordinates(values) => {
                for (k, v) in values.iter_mut().enumerate() {
                    *v += u[first + k];
                }
            }
        }
    }
}

/// Moves a way to where a body is that ends as it or another one began.
fn repeat(model: &Model, r: &Recurrence, start: &Way, end: &mut Way) {
    let of = |body| model.joints().iter().position(|j| j.child == body);
    let (Some(j), Some(l)) = (of(r.body), of(r.like)) else {
        return;
    };
    let clamped = |k: usize, from: f64, to: f64| {
        let [low, high] = r.shift.get(k).copied().unwrap_or([0.0; 2]);
        to.clamp(from + low, from + high)
    };
    match (&start.places[l], &mut end.places[j]) {
        (Place::Free(from, turn), Place::Free(to, end)) => {
            (0..3).for_each(|k| to[k] = clamped(k, from[k], to[k]));
            if r.rotation {
                *end = *turn;
            }
        }
        (Place::Coordinates(from), Place::Coordinates(to)) => {
            for (k, (to, from)) in to.iter_mut().zip(from).enumerate() {
                *to = clamped(k, *from, *to);
            }
        }
        _ => {}
    }
}

/// Moves a way to what a condition says, where that is a matter of one joint.
pub(crate) fn lead(model: &Model, condition: &Condition, way: &mut Way) {
    let free = |body| {
        let mut joints = model.joints().iter();
        joints.position(|j| j.child == body && j.kind == JointKind::Free)
    };
    match condition {
        Condition::Position { body, range } => {
            if let Some(j) = free(*body)
                && let Place::Free(position, _) = &mut way.places[j]
            {
                for k in 0..3 {
                    position[k] = position[k].clamp(range[k][0], range[k][1]);
                }
            }
        }
        Condition::Orientation { body, directors } => {
            if let Some(j) = free(*body)
                && let Place::Free(_, rotation) = &mut way.places[j]
            {
                *rotation = log(directors);
            }
        }
        Condition::Joint {
            joint,
            coordinate,
            range,
        }
        | Condition::Open {
            joint,
            coordinate,
            range,
        } => {
            let j = model.joints().iter().position(|j| j.id == Some(*joint));
            if let Some(j) = j
                && let Place::Coordinates(values) = &mut way.places[j]
                && let Some(value) = values.get_mut(*coordinate)
            {
                *value = value.clamp(range[0], range[1]);
            }
        }
        Condition::AsBuilt
        | Condition::Near { .. }
        | Condition::Rate { .. }
        | Condition::Polynomials { .. }
        | Condition::Formula { .. } => {}
    }
}
