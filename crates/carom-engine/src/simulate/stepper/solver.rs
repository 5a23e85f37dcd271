//! The formulations behind one solver, and the motion they find.

use carom_gap::Pose;
use nalgebra::Matrix3;

use crate::mechanics::{Covector, Increment, Share, Wrench, hat, log, potential};
use crate::model::{BodyKind, Model};
use crate::simulate::reduced::Reduced;
use crate::simulate::redundant::{Multipliers, Projected, Redundant};
use crate::simulate::task::StepTask;
use crate::simulate::{SimulateError, State};

/// One variant per formulation.
#[derive(Debug)]
pub(super) enum Solver {
    Reduced(Box<Reduced>),
    Projected(Box<Projected>),
    Multipliers(Box<Multipliers>),
}

impl Solver {
    /// The motion just solved.
    #[inline]
    pub fn motion(&self) -> Motion<'_> {
        fn redundant(q: &Redundant) -> Motion<'_> {
            Motion {
                increments: &q.increments,
                next: &q.next,
                middle: &q.middle,
                forces: &q.forces,
            }
        }
        match self {
            Solver::Reduced(r) => Motion {
                increments: &r.increments,
                next: &r.next,
                middle: &r.middle,
                forces: &r.forces,
            },
            Solver::Projected(s) => redundant(&s.redundant),
            Solver::Multipliers(s) => redundant(&s.redundant),
        }
    }

    /// Finds the motion of a step. Returns the number of iterations.
    pub fn solve(&mut self, task: &StepTask<'_>) -> Result<u32, SimulateError> {
        match self {
            Solver::Reduced(s) => s.solve(task),
            Solver::Projected(s) => s.solve(task),
            Solver::Multipliers(s) => s.solve(task),
        }
    }

    /// Energy that a contact potential gained or lost in the motion, relative to that of the
    /// approach.
    pub fn misfit(&mut self, model: &Model, poses: &[Pose], h: f64, whole: f64) -> f64 {
        match self {
            Solver::Reduced(s) => s.misfit(model, poses, h, whole),
            _ => 0.0,
        }
    }

    /// Bodies and forces of the present step; `all` is the whole model, for formulations that step
    /// it as one.
    #[inline]
    pub fn share<'a>(&'a self, all: &'a Share) -> &'a Share {
        match self {
            Solver::Reduced(s) => s.share(),
            _ => all,
        }
    }

    /// What the motion leaves for later: the guess of the next step, what is left of the balance,
    /// and multipliers of the loops. `poses` are those the step began at.
    pub fn leave(
        &self,
        model: &Model,
        poses: &[Pose],
        h: f64,
        state: &mut State,
        loops: &mut [f64],
    ) {
        let (redundant, multipliers) = match self {
            Solver::Reduced(s) => {
                s.rates(model, h, &mut state.guess);
                s.unbalanced(model, &mut state.unbalanced);
                s.loops(model, loops);
                return;
            }
            Solver::Projected(s) => (&s.redundant, &s.loops[..]),
            Solver::Multipliers(s) => (&s.redundant, s.loops()),
        };
        redundant.rates(model, poses, h, &mut state.guess);
        state.unbalanced.fill(0.0);
        loops.copy_from_slice(multipliers);
    }
}

/// The motion a solver found: what all formulations have in common.
pub(super) struct Motion<'a> {
    pub increments: &'a [Increment],
    pub next: &'a [Pose],
    pub middle: &'a [Pose],
    pub forces: &'a [Covector],
}

impl Motion<'_> {
    /// Momentum of body k at the end: p⁺ = D₂L_d + f⁺ = (1/h) M Δq + h (1 − γ) F(q̄) + f⁺; a torque enters the directors as ½ τ × d_I.
    #[inline]
    pub fn momentum(
        &self,
        kind: &BodyKind,
        load: &Wrench,
        k: usize,
        h: f64,
        gamma: f64,
    ) -> Covector {
        let i = &self.increments[k];
        let mut p = self.forces[k];
        p.force *= h * (1.0 - gamma);
        p.directors *= h * (1.0 - gamma);
        match kind {
            BodyKind::Rigid { mass, euler_tensor } => {
                p.force += i.shift * (mass / h) + load.force;
                p.directors += i.directors * euler_tensor / h
                    + hat(&load.torque) * self.next[k].directors * 0.5;
            }
            BodyKind::Particle { mass } => p.force += i.shift * (mass / h) + load.force,
            BodyKind::Static => p = Covector::default(),
        }
        p
    }

    /// E_d = (1/2h²) Δqᵀ M Δq + V(q̄) (thesis 3.4.2, before (3.70)).
    pub fn energy(&self, model: &Model, share: &Share, h: f64) -> f64 {
        let mut sum = 0.0;
        for &k in &share.bodies {
            let i = &self.increments[k];
            match &model.bodies()[k].kind {
                BodyKind::Rigid { mass, euler_tensor } => {
                    sum += mass * i.shift.norm_squared()
                        + (i.directors * euler_tensor).dot(&i.directors);
                }
                BodyKind::Particle { mass } => sum += mass * i.shift.norm_squared(),
                BodyKind::Static => {}
            }
        }
        0.5 * sum / (h * h) + potential(model, share, self.middle)
    }

    /// Product of the loads' impulses with the motion of a step.
    pub fn work(&self, model: &Model, share: &Share, start: &[Wrench], end: &[Wrench]) -> f64 {
        let mut sum = 0.0;
        for &k in &share.bodies {
            if model.bodies()[k].kind == BodyKind::Static {
                continue;
            }
            let i = &self.increments[k];
            let turn = log(&(i.turn + Matrix3::identity()));
            sum += (start[k].force + end[k].force).dot(&i.shift)
                + (start[k].torque + end[k].torque).dot(&turn);
        }
        sum
    }
}
