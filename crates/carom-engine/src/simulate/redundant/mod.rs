//! The balance of a step and its constraints in redundant coordinates, twelve per rigid body and
//! three per particle: what the projected and the multiplier formulation share.
//!
//! ```text
//! r(Δ) = p + D₁L_d(q, q + Δ, h) + f⁻,    g(q + Δ),    K = ∂r/∂q⁺
//! ```
//!
//! The unknown is Δ = q⁺ − q, so that momentum does not feel the rounding of positions. Constraints
//! are orthonormal directors, then the joints of the tree, then loop closures.

mod multipliers;
mod newton;
mod projected;
mod stiffness;

use std::f64::consts::{PI, TAU};

use carom_gap::Pose;
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::given::Given;
use super::{SimulateError, State, guard};
use crate::mechanics::{
    Covector, Increment, Row, Share, StepFrame, Twist, Wrench, add_along, add_damper_covectors,
    between, body_rows, coordinate_count, dense, joint_coordinate, joint_frame, joint_rows,
    law_motion, log, orthonormal, potential_forces, retract_joint, row_count,
};
use crate::model::{BodyKind, JointKind, Model};

pub(super) use multipliers::Multipliers;
#[doc(hidden)]
pub use multipliers::newton_matrices;
pub(super) use projected::Projected;

/// Whose coordinates a constraint ties.
#[derive(Clone, Copy, Debug)]
struct Ends {
    parent: Option<usize>,
    child: usize,
}

/// Unknowns and storage.
#[derive(Debug)]
pub(super) struct Redundant {
    share: Share,
    /// First coordinate of each body.
    first: Vec<usize>,
    /// Number of coordinates of each body.
    count: Vec<usize>,
    n: usize,
    /// One per constraint.
    ends: Vec<Ends>,
    /// Of gears, which come last among the constraints: the second joint, times the ratio.
    geared: Vec<Ends>,
    geared_rows: Vec<Row>,
    geared_rows_next: Vec<Row>,
    /// First constraint of the joints of the tree, and of the closures.
    pub joints_at: usize,
    pub closures_at: usize,
    base: Vec<Covector>,
    balance: Vec<Covector>,
    /// r.
    residual: Vec<f64>,
    /// Size of the largest terms of r met in this step, to judge what is left of it.
    scale: f64,
    /// Rows of G at q, and g with rows of G at q⁺.
    rows: Vec<Row>,
    rows_next: Vec<Row>,
    pub increments: Vec<Increment>,
    pub next: Vec<Pose>,
    pub middle: Vec<Pose>,
    pub forces: Vec<Covector>,
    /// Bodies whose motion is given.
    given: Given,
}

/// Component c of a covector: force, then directors one after the other.
#[inline]
fn component(y: &Covector, c: usize) -> f64 {
    if c < 3 {
        y.force[c]
    } else {
        y.directors.as_slice()[c - 3]
    }
}

/// All constraints at a configuration.
fn all_rows(model: &Model, poses: &[Pose], out: &mut Vec<Row>) {
    out.clear();
    for (body, pose) in model.bodies().iter().zip(poses) {
        if matches!(body.kind, BodyKind::Rigid { .. }) {
            out.extend(body_rows(pose));
        }
    }
    for joint in model.joints().iter().chain(model.closures()) {
        joint_rows(joint, poses, out);
    }
}

/// Rows of gears, θ₁ − ratio θ₂ = 0 with angles counted from `from`: the first joint's row with the
/// value, the second's apart.
fn gear_rows(
    model: &Model,
    from: &[Pose],
    poses: &[Pose],
    (first, second): (&mut Vec<Row>, &mut Vec<Row>),
) {
    second.clear();
    for coupling in model.couplings() {
        let [a, b] = coupling.joints.map(|j| {
            let joint = &model.joints()[j];
            let row = joint_coordinate(joint, 0, poses);
            let start = joint_coordinate(joint, 0, from).map_or(0.0, |row| row.value);
            let moved = row.map_or(0.0, |row| row.value - start);
            let turns = joint.kind == JointKind::Revolute && moved.abs() > PI;
            let moved = if turns {
                moved - TAU * (moved / TAU).round()
            } else {
                moved
            };
            let none = Row {
                value: 0.0,
                parent: Covector::default(),
                child: Covector::default(),
            };
            Row {
                value: moved,
                ..row.unwrap_or(none)
            }
        });
        let ratio = coupling.ratio;
        first.push(Row {
            value: a.value - ratio * b.value,
            ..a
        });
        let mut other = Row {
            value: 0.0,
            parent: Covector::default(),
            child: Covector::default(),
        };
        other.parent.add(&b.parent, -ratio);
        other.child.add(&b.child, -ratio);
        second.push(other);
    }
}

impl Redundant {
    pub fn new(model: &Model) -> Self {
        let bodies = model.bodies().len();
        let poses: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
        let count: Vec<usize> = model
            .bodies()
            .iter()
            .map(|b| coordinate_count(&b.kind))
            .collect();
        let mut n = 0;
        let mut first = Vec::new();
        for c in &count {
            first.push(n);
            n += c;
        }
        let mut ends = Vec::new();
        for (k, body) in model.bodies().iter().enumerate() {
            if matches!(body.kind, BodyKind::Rigid { .. }) {
                ends.extend(
                    [Ends {
                        parent: None,
                        child: k,
                    }; 6],
                );
            }
        }
        let joints_at = ends.len();
        let mut closures_at = joints_at;
        for (j, joint) in model.joints().iter().chain(model.closures()).enumerate() {
            if j == model.joints().len() {
                closures_at = ends.len();
            }
            let pair = Ends {
                parent: joint.parent.map(|p| p.index()),
                child: joint.child.index(),
            };
            ends.extend(std::iter::repeat_n(pair, row_count(joint.kind)));
        }
        if model.closures().is_empty() {
            closures_at = ends.len();
        }
        let mut geared = Vec::new();
        for coupling in model.couplings() {
            let [a, b] = coupling.joints.map(|j| {
                let joint = &model.joints()[j];
                Ends {
                    parent: joint.parent.map(|p| p.index()),
                    child: joint.child.index(),
                }
            });
            ends.push(a);
            geared.push(b);
        }
        Self {
            share: Share::all(model),
            first,
            count,
            n,
            joints_at,
            closures_at,
            base: vec![Covector::default(); bodies],
            balance: vec![Covector::default(); bodies],
            residual: vec![0.0; n],
            scale: 0.0,
            rows: Vec::with_capacity(ends.len()),
            rows_next: Vec::with_capacity(ends.len()),
            ends,
            geared,
            geared_rows: Vec::new(),
            geared_rows_next: Vec::new(),
            increments: vec![Increment::default(); bodies],
            next: poses.clone(),
            middle: poses,
            forces: vec![Covector::default(); bodies],
            given: Given::new(model),
        }
    }

    /// Number of coordinates of a body.
    #[inline]
    pub fn count(&self, body: usize) -> usize {
        self.count[body]
    }

    /// Number of constraints.
    pub fn m(&self) -> usize {
        self.ends.len()
    }

    /// Before a step: what is known at q, and a first Δ along the joint velocities.
    pub fn start(&mut self, model: &Model, state: &State, h: f64, loads: &[Wrench]) {
        for (k, body) in model.bodies().iter().enumerate() {
            self.base[k] = Covector::default();
            if body.kind != BodyKind::Static {
                self.base[k] = state.momenta[k];
                self.base[k].add(
                    &Covector::from_wrench(&loads[k], &state.poses[k].directors),
                    1.0,
                );
            }
        }
        let places = (&mut self.increments[..], &mut self.next[..]);
        self.given.step(model, state.time, h, places);
        self.scale = f64::MIN_POSITIVE;
        all_rows(model, &state.poses, &mut self.rows);
        let gears = (&mut self.rows, &mut self.geared_rows);
        gear_rows(model, &state.poses, &state.poses, gears);
        self.geared_rows_next.clone_from(&self.geared_rows);
        let mut u = [0.0; 6];
        for (j, joint) in model.joints().iter().enumerate() {
            let first = model.offsets[j];
            let freedom = model.joint_freedom(j);
            for (u, g) in u.iter_mut().zip(&state.guess[first..first + freedom]) {
                *u = g * h;
            }
            retract_joint(
                model,
                &state.poses,
                &mut self.increments,
                &mut self.next,
                joint,
                &u[..freedom],
                &state.carry[joint.child.index()],
            );
        }
        self.place(state);
    }

    /// q⁺ = q + Δ.
    fn place(&mut self, state: &State) {
        for (k, pose) in state.poses.iter().enumerate() {
            if self.count[k] > 0 {
                let i = &self.increments[k];
                self.next[k].position = pose.position + (i.shift + state.carry[k]);
                self.next[k].directors = pose.directors + i.directors;
            }
        }
    }

    /// Δ −= δ.
    pub fn correct(&mut self, state: &State, delta: &[f64]) {
        for (k, i) in self.increments.iter_mut().enumerate() {
            let d = &delta[self.first[k]..self.first[k] + self.count[k]];
            if !d.is_empty() {
                i.shift -= Vector3::from_column_slice(&d[..3]);
            }
            if d.len() == 12 {
                i.directors -= Matrix3::from_column_slice(&d[3..]);
            }
        }
        self.place(state);
    }

    fn frame<'a>(&'a self, state: &'a State, h: f64, gamma: f64) -> StepFrame<'a> {
        StepFrame {
            poses: &state.poses,
            next: &self.next,
            middle: &self.middle,
            increments: &self.increments,
            h,
            gamma,
        }
    }

    /// r and g at the present Δ; `self.scale` rises to the size of the terms of r.
    pub fn evaluate(&mut self, model: &Model, state: &State, h: f64, gamma: f64) {
        between(
            &self.share,
            &state.poses,
            &self.next,
            gamma,
            &mut self.middle,
        );
        potential_forces(model, &self.share, &self.middle, &mut self.forces);
        let mut scale = self.scale;
        for (k, body) in model.bodies().iter().enumerate() {
            // D₁L_d = −(1/h) M Δq + h γ F(q̄)
            let i = &self.increments[k];
            let mut y = self.base[k];
            match &body.kind {
                BodyKind::Rigid { mass, euler_tensor } => {
                    y.force -= i.shift * (mass / h);
                    y.directors -= i.directors * euler_tensor / h;
                }
                BodyKind::Particle { mass } => y.force -= i.shift * (mass / h),
                BodyKind::Static => continue,
            }
            let (base, force) = (&self.base[k], &self.forces[k]);
            scale = scale
                .max(base.force.amax() + y.force.amax() + force.force.amax() * h)
                .max(base.directors.amax() + y.directors.amax() + force.directors.amax() * h);
            y.add(force, h * gamma);
            self.balance[k] = y;
        }
        let mut balance = std::mem::take(&mut self.balance);
        add_damper_covectors(
            model,
            &self.share,
            &self.frame(state, h, gamma),
            &mut balance,
        );
        for &k in &self.share.laws {
            let law = &model.joint_laws()[k];
            let nodes = (&state.poses[..], &self.next[..]);
            if let Some(m) = law_motion(model, law, nodes, (state.time, h, gamma)) {
                add_along(model, law, &m.from, m.step.start, &mut balance);
                scale = scale.max(m.step.start.abs());
            }
        }
        self.balance = balance;
        for (k, y) in self.balance.iter().enumerate() {
            for c in 0..self.count[k] {
                self.residual[self.first[k] + c] = component(y, c);
            }
        }
        let mut rows = std::mem::take(&mut self.rows_next);
        all_rows(model, &self.next, &mut rows);
        let gears = (&mut rows, &mut self.geared_rows_next);
        gear_rows(model, &state.poses, &self.next, gears);
        self.rows_next = rows;
        self.scale = scale;
    }

    /// The second joint of every gear: its constraint, ends, and rows at q and q⁺.
    fn second(&self) -> impl Iterator<Item = (usize, Ends, &Row, &Row)> {
        let first = self.ends.len() - self.geared.len();
        let rows = self.geared_rows.iter().zip(&self.geared_rows_next);
        let gears = self.geared.iter().zip(rows).enumerate();
        gears.map(move |(k, (ends, (row, next)))| (first + k, *ends, row, next))
    }

    /// r −= Gᵀ(q) λ.
    pub fn add_multipliers(&mut self, lambda: &[f64]) {
        let first = self.ends.len() - self.geared.len();
        let rows = self.rows.iter().zip(&self.ends);
        let second = self.geared_rows.iter().zip(&self.geared);
        let all = rows.zip(lambda).chain(second.zip(&lambda[first..]));
        for ((row, &Ends { parent, child }), l) in all {
            for (body, y) in [(Some(child), &row.child), (parent, &row.parent)] {
                let Some(k) = body else { continue };
                for c in 0..self.count[k] {
                    self.residual[self.first[k] + c] -= component(y, c) * l;
                }
            }
        }
    }

    /// G as a dense matrix.
    fn constraint_matrix(&self, rows: &[Row]) -> DMatrix<f64> {
        let mut out = DMatrix::zeros(rows.len(), self.n);
        for (i, (row, Ends { parent, child })) in rows.iter().zip(&self.ends).enumerate() {
            for (body, y) in [(Some(*child), &row.child), (*parent, &row.parent)] {
                let Some(k) = body else { continue };
                for c in 0..self.count[k] {
                    out[(i, self.first[k] + c)] += component(y, c);
                }
            }
        }
        let here = std::ptr::eq(rows, &self.rows[..]);
        for (i, Ends { parent, child }, row, next) in self.second() {
            let row = if here { row } else { next };
            for (body, y) in [(Some(child), &row.child), (parent, &row.parent)] {
                let Some(k) = body else { continue };
                for c in 0..self.count[k] {
                    out[(i, self.first[k] + c)] += component(y, c);
                }
            }
        }
        out
    }

    /// After the last iteration: rotations from Δ, directors orthonormal to round-off.
    pub fn finish(&mut self, model: &Model, state: &State, h: f64) -> Result<(), SimulateError> {
        for (k, pose) in state.poses.iter().enumerate() {
            if self.count[k] == 12 {
                let i = &mut self.increments[k];
                i.turn = i.directors * pose.directors.transpose();
                self.next[k].directors = orthonormal(&self.next[k].directors);
            }
        }
        guard::turns(model, &self.share, state, &self.increments, &self.next, h)
    }

    /// Joint velocities of the step: the least-squares fit of each joint's columns to the motion of
    /// its child relative to its parent, good enough to guess from.
    pub fn rates(&self, model: &Model, poses: &[Pose], h: f64, guess: &mut [f64]) {
        let motion = |k: usize| Twist {
            v: self.increments[k].shift / h,
            w: log(&(self.increments[k].turn + Matrix3::identity())) / h,
        };
        for (j, joint) in model.joints().iter().enumerate() {
            let frame = joint_frame(model, poses, joint);
            let f = frame.freedom;
            let mut rest = motion(joint.child.index());
            if let Some(p) = joint.parent {
                let parent = motion(p.index());
                rest.v -= parent.v + parent.w.cross(&frame.lever);
                rest.w -= parent.w;
            }
            if model.is_particle(joint.child) {
                rest.w = Vector3::zeros();
            }
            let rest = rest.vector();
            let mut gram = [0.0; 36];
            let mut nu = [0.0; 6];
            for a in 0..f {
                let s = frame.columns[a].vector();
                nu[a] = s.dot(&rest);
                for b in 0..f {
                    gram[a * f + b] = s.dot(&frame.columns[b].vector());
                }
            }
            if dense::solve(&mut gram[..f * f], &mut nu[..f]) {
                let first = model.offsets[j];
                guess[first..first + f].copy_from_slice(&nu[..f]);
            }
        }
    }
}
