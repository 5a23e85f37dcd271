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
#![allow(non_snake_case)]

use std::sync::Arc;

use carom_gap::Pose;
use nalgebra::{DMatrix, DVector, Vector6};

use super::controller::{Controller, Quantity, Sight, View};
use super::plan_path::PlanPath;
use crate::mechanics::{
    Covector, NO_WRENCH, Share, Twist, inertia, input_map, log, potential_forces, reduce, retract,
    twists,
};
use crate::model::{BodyKind, Model};
use crate::simulate::{Settings, SimulateError, Simulation, State};

/// Steps of the differences, in m or rad and m/s or rad/s; of controls, in their largest size in the plan.
const DIFFERENCE: f64 = 1e-5;

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
        };
        let n = model.tree_freedom;
        let sample = settings.step * every as f64;
        let Q = DMatrix::from_diagonal(&DVector::from_fn(2 * n, |k, _| match k < n {
            true => weights.position,
            false => weights.velocity,
        }));
        let R = DMatrix::identity(outputs.len(), outputs.len()) * (weights.control * sample);
        let mut S = &Q * weights.end;
        let steps = path.0.controls.len();
        let mut gains = Vec::with_capacity(steps + 1);
        for k in (0..steps).rev() {
            let (A, B) = plant.linear(&path, k)?;
            let long = path.0.times[k + 1] - path.0.times[k];
            let mut K = DMatrix::zeros(outputs.len(), 2 * n);
            for _ in 0..((long / sample).round() as usize).max(1) {
                let BtS = B.tr_mul(&S);
                let G = &R + &BtS * &B;
                // R is positive: the sum has a factor unless numbers ran away.
                let Some(factor) = G.cholesky() else {
                    return Err(SimulateError::Setting {
                        setting: "weights",
                        value: weights.control,
                        reason: "give no gains along this plan: make the weight of controls larger",
                    });
                };
                K = factor.solve(&(&BtS * &A));
                S = &Q * sample + A.tr_mul(&S) * (&A - &B * &K);
                S = (&S + S.transpose()) * 0.5;
            }
            gains.push((K, S.clone()));
        }
        gains.reverse();
        // After the end the last gains hold the last node.
        gains.push((gains[steps - 1].0.clone(), &Q * weights.end));
        let hold = plant.hold(&path)?;
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

/// The simulator around a plan.
struct Plant<'a> {
    model: &'a Arc<Model>,
    settings: Settings,
    every: u64,
    outputs: &'a [(usize, [f64; 2])],
}

impl Plant<'_> {
    /// Where one sample leads from a node that is moved by u, with velocities and controls changed.
    fn sample(
        &self,
        path: &PlanPath,
        node: usize,
        u: &[f64],
        nu: &[f64],
        tau: &[f64],
    ) -> Result<(Vec<Pose>, Vec<Twist>), SimulateError> {
        let model = self.model;
        let mut state = State::start(model)?;
        let poses = retract(model, &path.0.poses[node], u);
        state.poses.copy_from_slice(&poses);
        let rates: Vec<f64> = (path.0.rates[node].iter().zip(nu))
            .map(|(a, b)| a + b)
            .collect();
        state.set_velocities(model, &twists(model, &poses, &rates));
        state.time = path.0.times[node];
        let mut run = Simulation::from_state(Arc::clone(model), self.settings, state)?;
        for _ in 0..self.every {
            run.step_with(self.settings.step, tau)?;
        }
        Ok((run.state().poses.clone(), run.twists().to_vec()))
    }

    /// A and B at a node, by central differences.
    fn linear(
        &self,
        path: &PlanPath,
        node: usize,
    ) -> Result<(DMatrix<f64>, DMatrix<f64>), SimulateError> {
        let n = self.model.tree_freedom;
        let still = vec![0.0; n];
        let tau = &path.0.controls[node];
        let base = self.sample(path, node, &still, &still, tau)?;
        let from_base = |end: &(Vec<Pose>, Vec<Twist>)| {
            difference(self.model, (&base.0, &base.1), (&end.0, &end.1))
        };
        let mut A = DMatrix::zeros(2 * n, 2 * n);
        let h = DIFFERENCE;
        for j in 0..2 * n {
            let mut ends = [-h, h].into_iter().map(|h| {
                let (mut u, mut nu) = (still.clone(), still.clone());
                match j < n {
                    true => u[j] = h,
                    false => nu[j - n] = h,
                }
                self.sample(path, node, &u, &nu, tau).map(|e| from_base(&e))
            });
            if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                A.set_column(j, &((b? - a?) / (2.0 * h)));
            }
        }
        let mut B = DMatrix::zeros(2 * n, self.outputs.len());
        for (j, (at, bounds)) in self.outputs.iter().enumerate() {
            if bounds[0] == bounds[1] {
                continue;
            }
            let largest = path.0.controls.iter().map(|tau| tau[*at].abs());
            let h = DIFFERENCE * largest.fold(1e-3, f64::max) * 1e2;
            let mut ends = [-h, h].into_iter().map(|h| {
                let mut tau = tau.clone();
                tau[*at] += h;
                self.sample(path, node, &still, &still, &tau)
                    .map(|e| from_base(&e))
            });
            if let (Some(a), Some(b)) = (ends.next(), ends.next()) {
                B.set_column(j, &((b? - a?) / (2.0 * h)));
            }
        }
        Ok((A, B))
    }

    /// Controls of least norm that balance potentials at the end of the plan, as far as they can.
    fn hold(&self, path: &PlanPath) -> Result<Vec<f64>, SimulateError> {
        let model = self.model;
        let poses = &path.0.poses[path.0.poses.len() - 1];
        let mut potential = vec![Covector::default(); poses.len()];
        potential_forces(model, &Share::all(model), poses, &mut potential);
        let mut wrenches = vec![NO_WRENCH; poses.len()];
        for (w, (y, pose)) in wrenches.iter_mut().zip(potential.iter().zip(poses)) {
            *w = y.wrench(&pose.directors);
        }
        let mut f = vec![0.0; model.tree_freedom];
        reduce(model, poses, &mut wrenches, &mut f);
        let all = input_map(model, poses);
        let free: Vec<usize> = (self.outputs.iter())
            .filter(|(_, b)| b[0] < b[1])
            .map(|(at, _)| *at)
            .collect();
        let B = DMatrix::from_fn(f.len(), free.len(), |i, k| all[(i, free[k])]);
        let mut out = vec![0.0; model.controls()];
        if let Ok(tau) = B.svd(true, true).solve(&-DVector::from_vec(f), 1e-9) {
            for (at, value) in free.iter().zip(tau.iter()) {
                out[*at] = *value;
            }
        }
        Ok(out)
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
