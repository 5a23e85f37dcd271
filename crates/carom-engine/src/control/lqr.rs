//! Time-varying linear-quadratic feedback around a plan.
//!
//! Deviations from the plan are x = (δq, δν): coordinates and velocities of the tree's joints. The simulator's
//! own steps over one sample, differenced at every node of the plan, are x⁺ = A x + B u; the gains that minimise
//! Σ (xᵀQx + uᵀRu) T + xᵀQ_f x follow backwards from its end (Riccati),
//!
//! ```text
//! K = (R T + BᵀSB)⁻¹ BᵀSA,   S ← Q T + AᵀS (A − B K),
//! ```
//!
//! and the controls are τ = τ_plan − K x. xᵀSx, the cost that is still to come, never rises in the linear system.
//! After its end the last node is held at rest, by controls under which nothing moves there as far as they can, and by
//! the gains of the same recursion there, followed until they change no more. Loops and gears tie deviations to each
//! other: those that would open them are left out.
#![allow(non_snake_case)]

use std::sync::Arc;

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector, Vector6};

use super::controller::{Controller, Quantity, Sight, View};
use super::plan_path::PlanPath;
use crate::mechanics::{Twist, VelocitySolver, inertia, log, retract, twists};
use crate::model::{BodyKind, Model};
use crate::simulate::{Settings, SimulateError, Simulation, State};

/// Steps of the differences, in m or rad and m/s or rad/s; of controls, in their largest size in the plan.
const DIFFERENCE: f64 = 1e-5;

/// Samples after which gains that hold the end are taken as they are, and by how much they may still change.
const HORIZON: usize = 20_000;
const SETTLED: f64 = 1e-12;

/// What deviations cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of coordinates, per m² or rad².
    pub position: f64,
    /// Of velocities, per (m/s)² or (rad/s)².
    pub velocity: f64,
    /// Of controls, per N² or (N m)².
    pub control: f64,
    /// Of the end, in multiples of both of the first, s.
    pub end: f64,
}

/// Linear-quadratic feedback around a plan.
#[derive(Debug)]
pub struct Lqr {
    path: PlanPath,
    sights: Vec<Sight>,
    /// Places of the outputs among the controls.
    outputs: Vec<usize>,
    /// K and S at every step of the plan, and at its end.
    gains: Vec<(DMatrix<f64>, DMatrix<f64>)>,
    /// What holds the end of the plan against gravity and the like.
    hold: Vec<f64>,
}

impl Lqr {
    /// Finds the gains. `settings` are those of the run; contact is left out. `every` steps make a sample,
    /// `outputs` are the places of the controls it may use, with their bounds: those that are held at one
    /// value are left alone.
    pub fn new(
        model: &Arc<Model>,
        settings: Settings,
        every: u64,
        path: PlanPath,
        outputs: &[(usize, [f64; 2])],
        weights: &Weights,
        sights: Vec<Sight>,
    ) -> Result<Self, SimulateError> {
        let plant = Plant {
            model,
            settings: Settings {
                law: crate::model::Law::None,
                ..settings
            },
            every,
            outputs,
            sizes: (0..model.controls())
                .map(|k| {
                    path.0
                        .controls
                        .iter()
                        .fold(0.0, |m: f64, tau| m.max(tau[k].abs()))
                })
                .collect(),
        };
        let n = model.tree_freedom;
        let sample = settings.step * every as f64;
        let Q = DMatrix::from_diagonal(&DVector::from_fn(2 * n, |k, _| match k < n {
            true => weights.position,
            false => weights.velocity,
        }));
        let R = DMatrix::identity(outputs.len(), outputs.len()) * (weights.control * sample);
        let weigh = |S: DMatrix<f64>, A: &DMatrix<f64>, B: &DMatrix<f64>| {
            let BtS = B.tr_mul(&S);
            // R is positive: the sum has a factor unless numbers ran away.
            let factor = (&R + &BtS * B).cholesky();
            let factor = factor.ok_or(SimulateError::Setting {
                setting: "weights",
                value: weights.control,
                reason: "give no gains along this plan",
                fix: "make the weight of controls larger",
            })?;
            let K = factor.solve(&(&BtS * A));
            let S = &Q * sample + A.tr_mul(&S) * (A - B * &K);
            Ok((K, (&S + S.transpose()) * 0.5))
        };
        // What holds the end, and its gains.
        let steps = path.0.controls.len();
        let (hold, (A, B)) = plant.hold(&path)?;
        let mut S = &Q * weights.end;
        let mut K = DMatrix::zeros(outputs.len(), 2 * n);
        for _ in 0..HORIZON {
            let (gain, next) = weigh(S.clone(), &A, &B)?;
            let settled = (&next - &S).amax() <= SETTLED * next.amax();
            (K, S) = (gain, next);
            if settled {
                break;
            }
        }
        let mut gains = vec![(K, S.clone())];
        // Where the end counts, so does what holding it takes.
        S = match weights.end > 0.0 {
            true => S + &Q * weights.end,
            false => DMatrix::zeros(2 * n, 2 * n),
        };
        for k in (0..steps).rev() {
            let (A, B) = plant.linear(&Node::of(&path, k), &path.0.controls[k])?;
            let long = path.0.times[k + 1] - path.0.times[k];
            let mut K = DMatrix::zeros(outputs.len(), 2 * n);
            for _ in 0..((long / sample).round() as usize).max(1) {
                (K, S) = weigh(S, &A, &B)?;
            }
            gains.push((K, S.clone()));
        }
        gains.reverse();
        Ok(Self {
            path,
            sights,
            outputs: outputs.iter().map(|(at, _)| *at).collect(),
            gains,
            hold,
        })
    }

    /// Deviation from the plan now.
    fn deviation(&self, now: &View) -> DVector<f64> {
        let model = now.simulation().model();
        let (mut poses, mut moving) = (Vec::new(), Vec::new());
        let (mut wanted, mut wanted_moving) = (Vec::new(), Vec::new());
        for (k, sight) in self.sights.iter().enumerate() {
            let (pose, twist) = sight.look(now.measured());
            let r = self.path.reference(k, now.time());
            poses.push(pose);
            moving.push(twist);
            wanted.push(Pose {
                position: r.position,
                directors: r.orientation,
            });
            wanted_moving.push(Twist {
                v: r.velocity,
                w: r.orientation * r.angular_velocity,
            });
        }
        difference(model, (&wanted, &wanted_moving), (&poses, &moving))
    }
}

impl Controller for Lqr {
    fn quantities(&self) -> Vec<Quantity> {
        vec![
            Quantity::new(
                "deviation",
                "m or rad",
                "norm of the deviation of coordinates",
            ),
            Quantity::new(
                "deviation_rate",
                "m/s or rad/s",
                "norm of the deviation of velocities",
            ),
            Quantity::new(
                "lyapunov",
                "1",
                "cost of the deviation that is still to come",
            ),
        ]
    }

    fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]) {
        let x = self.deviation(now);
        let (at, planned) = match self.path.step(now.time()) {
            Some((k, _)) => (k, &self.path.0.controls[k]),
            None => (self.gains.len() - 1, &self.hold),
        };
        let (K, S) = &self.gains[at];
        let u = K * &x;
        for (k, value) in output.iter_mut().enumerate() {
            *value = planned[self.outputs[k]] - u[k];
        }
        let n = x.len() / 2;
        inner[0] = x.rows(0, n).norm();
        inner[1] = x.rows(n, n).norm();
        inner[2] = x.dot(&(S * &x));
    }
}

/// Where and how fast a model is.
struct Node<'a> {
    poses: &'a [Pose],
    rates: &'a [f64],
    time: f64,
}

impl<'a> Node<'a> {
    fn of(path: &'a PlanPath, k: usize) -> Self {
        Self {
            poses: &path.0.poses[k],
            rates: &path.0.rates[k],
            time: path.0.times[k],
        }
    }
}

/// The simulator around a plan.
struct Plant<'a> {
    model: &'a Arc<Model>,
    settings: Settings,
    every: u64,
    outputs: &'a [(usize, [f64; 2])],
    /// Sizes that controls have in the plan.
    sizes: Vec<f64>,
}

type End = (Vec<Pose>, Vec<Twist>);

/// A and B.
type Linear = (DMatrix<f64>, DMatrix<f64>);

impl Plant<'_> {
    /// Where one sample leads from a node that is moved by u, with velocities and controls changed.
    fn sample(&self, at: &Node, u: &[f64], nu: &[f64], tau: &[f64]) -> Result<End, SimulateError> {
        let model = self.model;
        let mut state = State::start(model)?;
        let poses = retract(model, at.poses, u);
        state.poses.copy_from_slice(&poses);
        let rates: Vec<f64> = at.rates.iter().zip(nu).map(|(a, b)| a + b).collect();
        state.set_velocities(model, &twists(model, &poses, &rates));
        state.time = at.time;
        let mut run = Simulation::from_state(Arc::clone(model), self.settings, state)?;
        for _ in 0..self.every {
            run.step_with(self.settings.step, tau)?;
        }
        Ok((run.state().poses.clone(), run.twists().to_vec()))
    }

    /// A and B at a node, by central differences.
    fn linear(&self, at: &Node, tau: &[f64]) -> Result<Linear, SimulateError> {
        let model = self.model;
        let n = model.tree_freedom;
        let still = vec![0.0; n];
        let base = self.sample(at, &still, &still, tau)?;
        let half = |low: End, high: End| {
            let [a, b] = [low, high].map(|e| difference(model, (&base.0, &base.1), (&e.0, &e.1)));
            b - a
        };
        // Deviations that keep loops and gears closed.
        let mut closing = VelocitySolver::new(model);
        let mut allowed = |j: usize| {
            let mut unit = still.clone();
            unit[j] = 1.0;
            if !(model.closures().is_empty() && model.couplings().is_empty()) {
                closing.close(model, at.poses, &mut unit);
            }
            unit
        };
        let mut A = DMatrix::zeros(2 * n, 2 * n);
        let h = DIFFERENCE;
        for j in 0..n {
            let way = allowed(j);
            let by = |h: f64| -> Vec<f64> { way.iter().map(|w| w * h).collect() };
            let low = self.sample(at, &by(-h), &still, tau)?;
            let high = self.sample(at, &by(h), &still, tau)?;
            A.set_column(j, &(half(low, high) / (2.0 * h)));
            let low = self.sample(at, &still, &by(-h), tau)?;
            let high = self.sample(at, &still, &by(h), tau)?;
            A.set_column(n + j, &(half(low, high) / (2.0 * h)));
        }
        let mut B = DMatrix::zeros(2 * n, self.outputs.len());
        for (j, (place, bounds)) in self.outputs.iter().enumerate() {
            if bounds[0] == bounds[1] {
                continue;
            }
            let h = DIFFERENCE * self.sizes[*place].max(1e-3) * 1e2;
            let by = |h: f64| {
                let mut tau = tau.to_vec();
                tau[*place] += h;
                self.sample(at, &still, &still, &tau)
            };
            B.set_column(j, &(half(by(-h)?, by(h)?) / (2.0 * h)));
        }
        Ok((A, B))
    }

    /// Controls of least norm under which the last node stays at rest, as far as they can see to it, with A and B there.
    fn hold(&self, path: &PlanPath) -> Result<(Vec<f64>, Linear), SimulateError> {
        let n = self.model.tree_freedom;
        let still = vec![0.0; n];
        let at = Node {
            rates: &still,
            ..Node::of(path, path.0.controls.len())
        };
        let twists = vec![Twist::default(); at.poses.len()];
        let mut tau = vec![0.0; self.model.controls()];
        let (mut A, mut B) = self.linear(&at, &tau)?;
        // What a sample from rest makes of velocities is linear in the controls but for a little.
        for _ in 0..2 {
            let end = self.sample(&at, &still, &still, &tau)?;
            let moved = difference(self.model, (at.poses, &twists), (&end.0, &end.1));
            let speed = B.rows(n, n).into_owned();
            let Ok(change) = speed.svd(true, true).solve(&-moved.rows(n, n), 1e-9) else {
                break;
            };
            for ((place, _), change) in self.outputs.iter().zip(change.iter()) {
                tau[*place] += change;
            }
            (A, B) = self.linear(&at, &tau)?;
        }
        Ok((tau, (A, B)))
    }
}

/// Deviation of poses and twists from wanted ones, in joint coordinates: those of the joints' motion that is nearest
/// in the mass metric, exact to first order.
fn difference(
    model: &Model,
    wanted: (&[Pose], &[Twist]),
    now: (&[Pose], &[Twist]),
) -> DVector<f64> {
    let n = model.tree_freedom;
    let moves = |k: usize| model.bodies()[k].kind != BodyKind::Static;
    let count = model.bodies().len();
    let masses: Vec<_> = (0..count)
        .map(|k| inertia(&model.bodies()[k].kind, &wanted.0[k]))
        .collect();
    let mut unit = vec![0.0; n];
    let columns: Vec<Vec<Twist>> = (0..n)
        .map(|j| {
            unit[j] = 1.0;
            let moving = twists(model, wanted.0, &unit);
            unit[j] = 0.0;
            moving
        })
        .collect();
    let weighted: Vec<Vec<Vector6<f64>>> = (columns.iter())
        .map(|c| (0..count).map(|k| masses[k] * c[k].vector()).collect())
        .collect();
    let bodies = || (0..count).filter(|k| moves(*k));
    let M = DMatrix::from_fn(n, n, |i, j| {
        let each = bodies().map(|k| columns[i][k].vector().dot(&weighted[j][k]));
        each.sum::<f64>()
    });
    let shift = |k: usize| {
        let (a, b) = (&wanted.0[k], &now.0[k]);
        Twist {
            v: b.position - a.position,
            w: log(&(b.directors * a.directors.transpose())),
        }
    };
    let rate = |k: usize| Twist {
        v: now.1[k].v - wanted.1[k].v,
        w: now.1[k].w - wanted.1[k].w,
    };
    let along = |y: &dyn Fn(usize) -> Twist| {
        DVector::from_fn(n, |j, _| {
            let each = bodies().map(|k| weighted[j][k].dot(&y(k).vector()));
            each.sum::<f64>()
        })
    };
    let (q, v) = (along(&shift), along(&rate));
    let mut out = DVector::zeros(2 * n);
    if let Some(factor) = M.cholesky() {
        out.rows_mut(0, n).copy_from(&factor.solve(&q));
        out.rows_mut(n, n).copy_from(&factor.solve(&v));
    }
    out
}
