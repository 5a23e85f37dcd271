//! Exact collision times (thesis (3.75), (3.76)): the step is cut where the gap vanishes, momentum
//! jumps, and the rest of the step follows; then the run is back on its regular grid.
//!
//! Several impacts may fall into one step, one after the other or at once. The energy condition at
//! an impact is on the projected Hamiltonian (3.73), an explicit reflection, or on the discrete
//! energy of the two parts of the step (3.76b), for which the size of the jump is solved for; of its
//! two roots the one that reflects is taken.

use carom_gap::gap::Basis;
use nalgebra::Vector3;

use super::error::SimulateError;
use super::event::{ContactEvent, ContactKind};
use super::ledger::StepInfo;
use super::settings::Settings;
use super::simulation::Scheme;
use super::state::State;
use super::velocity::VelocitySolver;
use crate::contact::{
    Detector, GapRow, Impulse, JumpRule, Pair, Path, Reflector, evaluate, first_contact, gap_of,
};
use crate::mechanics::{Covector, NO_WRENCH, Wrench, hat, joint_frame};
use crate::model::{BodyKind, EnergyCondition, Model};

/// Gap that counts as touching, relative to the size of the bodies.
const SKIN: f64 = 1e-12;
/// Impacts within one step before it is given up.
const MOST_IMPACTS: usize = 10_000;

/// The exact law: detector, reflector and storage.
#[derive(Debug)]
pub(super) struct Exact {
    detector: Detector,
    reflector: Reflector,
    velocity: VelocitySolver,
    condition: EnergyCondition,
    rule: JumpRule,
    candidates: Vec<(Pair, (u32, u32))>,
    size: f64,
    wrenches: Vec<Wrench>,
}

/// A contact at the moment of impact.
struct Touch {
    pair: Pair,
    row: GapRow,
    gradient: Vec<f64>,
    restitution: f64,
}

impl Exact {
    pub fn new(model: &Model, condition: EnergyCondition, rule: JumpRule) -> Self {
        let reach = |b: &crate::model::Body| {
            let parts = b.shape.as_ref().map_or(0.0, |s| {
                s.vertices().iter().map(|v| v.reach()).fold(0.0, f64::max)
            });
            parts.max(b.radius)
        };
        let size = model.bodies().iter().map(reach).fold(0.0, f64::max);
        Self {
            detector: Detector::new(model),
            reflector: Reflector::new(model),
            velocity: VelocitySolver::new(model),
            condition,
            rule,
            candidates: Vec::new(),
            size: if size > 0.0 { size } else { 1.0 },
            wrenches: vec![NO_WRENCH; model.bodies().len()],
        }
    }

    /// Advances the state by h through all impacts on the way.
    #[allow(clippy::too_many_arguments)]
    pub fn step(
        &mut self,
        model: &Model,
        settings: &Settings,
        stepper: &mut Scheme,
        state: &mut State,
        h: f64,
        controls: &[f64],
        events: &mut Vec<ContactEvent>,
    ) -> Result<StepInfo, SimulateError> {
        let end = state.time + h;
        let skin = SKIN * self.size;
        let mut remaining = h;
        let mut iterations = 0;
        let mut residual: f64 = 0.0;
        let mut work = 0.0;
        let mut hits = 0;
        loop {
            let mut trial = state.clone();
            let mut info = stepper.step(model, settings, &mut trial, remaining, controls)?;
            iterations += info.iterations;
            let Some((key, bracket)) = self.earliest(model, state, &trial, skin) else {
                *state = trial;
                state.time = end;
                info.time = end;
                info.h = h;
                info.iterations = iterations;
                info.momentum_residual = info.momentum_residual.max(residual);
                info.work += work;
                return Ok(info);
            };
            hits += 1;
            if hits > MOST_IMPACTS {
                return Err(SimulateError::Impacts {
                    time: state.time,
                    count: hits,
                });
            }
            // Cut where the gap of that pair vanishes.
            let (at_contact, cut) = self.cut(
                model,
                settings,
                stepper,
                state,
                controls,
                remaining,
                key,
                bracket,
                &mut iterations,
            )?;
            residual = residual.max(cut.momentum_residual);
            work += cut.work;
            *state = at_contact;
            remaining = end - state.time;
            let rest = (remaining > 0.0).then_some(remaining);
            self.impact(
                model,
                settings,
                stepper,
                state,
                rest,
                controls,
                cut.energy_discrete,
                key,
                skin,
                events,
            )?;
            let Some(rest) = rest else {
                return Ok(StepInfo {
                    time: end,
                    h,
                    iterations,
                    momentum_residual: residual,
                    work,
                    ..cut
                });
            };
            remaining = rest;
        }
    }

    /// The pair that meets first on the way to the trial state, with a bracket of the part of the way.
    fn earliest(
        &mut self,
        model: &Model,
        state: &State,
        trial: &State,
        skin: f64,
    ) -> Option<(usize, [f64; 2])> {
        // A turning body bulges out of the boxes at its ends by less than its reach times θ²/8.
        let bulge = 0.35 * self.size;
        let turned = state
            .poses
            .iter()
            .zip(&trial.poses)
            .any(|(a, b)| a.directors != b.directors);
        self.detector.candidates(
            model,
            &state.poses,
            &trial.poses,
            if turned { bulge } else { skin },
            &mut self.candidates,
        );
        let (from, to) = (path(state), path(trial));
        let met: Vec<(usize, [f64; 2])> = (self.candidates.iter().enumerate())
            .filter_map(|(k, (pair, key))| {
                let warm = self.detector.basis(*key);
                Some((k, first_contact(model, pair, &from, &to, warm, skin)?))
            })
            .collect();
        let starts_first =
            |a: &[f64; 2], b: &[f64; 2]| a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
        let (mut k, mut bracket) = *met.first()?;
        for &(other, found) in &met[1..] {
            if starts_first(&found, &bracket) {
                (k, bracket) = (other, found);
            }
        }
        // Another may be certain to have met before this one: its bracket ends earlier.
        for &(other, found) in &met {
            if found[1] < bracket[1] {
                (k, bracket) = (other, found);
            }
        }
        Some((k, bracket))
    }

    /// The state at which the gap of a candidate vanishes, and what its part of the step did.
    #[allow(clippy::too_many_arguments)]
    fn cut(
        &mut self,
        model: &Model,
        settings: &Settings,
        stepper: &mut Scheme,
        state: &State,
        controls: &[f64],
        remaining: f64,
        k: usize,
        bracket: [f64; 2],
        iterations: &mut u32,
    ) -> Result<(State, StepInfo), SimulateError> {
        let (pair, key) = self.candidates[k];
        let mut warm: Option<Basis> = self.detector.basis(key);
        let mut at =
            |part: f64, iterations: &mut u32| -> Result<(f64, State, StepInfo), SimulateError> {
                let mut s = state.clone();
                let info = stepper.step(model, settings, &mut s, part * remaining, controls)?;
                *iterations += info.iterations;
                let g = gap_of(model, &pair, &path(&s), &mut warm);
                Ok((g, s, info))
            };
        let [mut a, mut b] = bracket;
        let mut fa = if a > 0.0 {
            at(a, iterations)?.0
        } else {
            f64::MAX
        };
        while fa < 0.0 && a > 1e-12 {
            b = a;
            a *= 0.5;
            fa = at(a, iterations)?.0;
        }
        let (mut fb, mut best, mut info) = at(b, iterations)?;
        while fb > 0.0 && b < 1.0 {
            (a, fa) = (b, fb);
            b = (b + 0.25 * (1.0 - b) + 1e-3).min(1.0);
            (fb, best, info) = at(b, iterations)?;
        }
        if a == 0.0 {
            a = 1e-9 * b;
            fa = at(a, iterations)?.0;
            if fa <= 0.0 {
                // Touching and approaching at the start already.
                let (_, s, i) = at(a, iterations)?;
                self.detector.remember(key, warm);
                return Ok((s, i));
            }
        }
        // Illinois: regula falsi that cannot stall.
        let tiny = 2.0 * f64::EPSILON * self.size;
        for _ in 0..100 {
            if fb.abs() <= tiny || (b - a).abs() <= f64::EPSILON * b.abs() {
                break;
            }
            let c = b - fb * (b - a) / (fb - fa);
            let c = if c > a.min(b) && c < a.max(b) {
                c
            } else {
                0.5 * (a + b)
            };
            let (fc, s, i) = at(c, iterations)?;
            if (fc > 0.0) != (fb > 0.0) {
                (a, fa) = (b, fb);
            } else {
                fa *= 0.5;
            }
            (b, fb, best, info) = (c, fc, s, i);
        }
        self.detector.remember(key, warm);
        Ok((best, info))
    }

    /// Joint velocities and rates of coordinates from the momenta.
    fn velocities(&mut self, model: &Model, state: &State) -> Vec<f64> {
        for (k, w) in self.wrenches.iter_mut().enumerate() {
            *w = state.momentum(model, k);
        }
        let mut nu = vec![0.0; model.freedom()];
        self.velocity.solve(
            model,
            &state.poses,
            &mut self.wrenches,
            &mut nu[..model.tree_freedom],
        );
        let mut momenta = vec![0.0; model.tree_freedom];
        momenta.extend_from_slice(&state.coordinate_momenta);
        let rates = self
            .reflector
            .divide(model, &state.poses, &state.coordinates, &momenta);
        nu[model.tree_freedom..].copy_from_slice(&rates[model.tree_freedom..]);
        nu
    }

    /// The jump of momentum at the present state.
    #[allow(clippy::too_many_arguments)]
    fn impact(
        &mut self,
        model: &Model,
        settings: &Settings,
        stepper: &mut Scheme,
        state: &mut State,
        rest: Option<f64>,
        controls: &[f64],
        energy_before: f64,
        hit: usize,
        skin: f64,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let before = self.velocities(model, state);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let mut touches = Vec::new();
        let here = path(state);
        for k in 0..self.candidates.len() {
            let (pair, key) = self.candidates[k];
            let mut warm = self.detector.basis(key);
            let together = k == hit || gap_of(model, &pair, &here, &mut warm) <= 1e3 * skin;
            if together {
                let row = evaluate(model, &pair, &here, &mut warm);
                let gradient = self.reflector.reduce(model, &state.poses, &row);
                if k == hit || dot(&gradient, &before) < 0.0 {
                    let restitution = Detector::surface(model, &pair).restitution;
                    touches.push(Touch {
                        pair,
                        row,
                        gradient,
                        restitution,
                    });
                }
            }
        }
        let rows: Vec<(Vec<f64>, f64)> = touches
            .iter()
            .map(|t| (t.gradient.clone(), t.restitution))
            .collect();
        let mut after = before.clone();
        let impulses = self.reflector.resolve(
            model,
            &state.poses,
            &state.coordinates,
            &rows,
            &mut after,
            self.rule,
        );
        let mut scale = 1.0;
        if let (EnergyCondition::Discrete, Some(rest)) = (self.condition, rest) {
            if touches.iter().any(|t| t.restitution != 1.0) {
                return Err(SimulateError::Unsupported {
                    integrator: "the exact law with the discrete energy",
                    reason: "restitution below one exists with the Hamiltonian condition only"
                        .into(),
                });
            }
            scale = self.discrete_scale(
                model,
                settings,
                stepper,
                state,
                rest,
                controls,
                energy_before,
                &touches,
                &impulses,
            )?;
        }
        apply(model, state, &touches, &impulses, scale);
        let after = if scale == 1.0 {
            after
        } else {
            self.velocities(model, state)
        };
        for (t, i) in touches
            .iter()
            .zip(&impulses)
            .filter(|(_, i)| i.lambda != 0.0)
        {
            events.push(ContactEvent {
                time: state.time,
                kind: ContactKind::Impact,
                pair: t.pair,
                features: [None; 2],
                point: t.row.point,
                normal: t.row.normal,
                impulse: t.row.normal * (i.lambda * scale * t.row.steepness),
                normal_impulse: i.lambda * scale * t.row.steepness,
                tangential_impulse: 0.0,
                energy: 0.0,
                speed_before: dot(&t.gradient, &before),
                speed_after: dot(&t.gradient, &after),
            });
        }
        state.guess.copy_from_slice(&after);
        state.unbalanced.fill(0.0);
        Ok(())
    }

    /// The factor of the jump for which the discrete energy after is that before (3.76b).
    #[allow(clippy::too_many_arguments)]
    fn discrete_scale(
        &mut self,
        model: &Model,
        settings: &Settings,
        stepper: &mut Scheme,
        state: &State,
        rest: f64,
        controls: &[f64],
        before: f64,
        touches: &[Touch],
        impulses: &[Impulse],
    ) -> Result<f64, SimulateError> {
        let mut energy = |factor: f64| -> Result<f64, SimulateError> {
            let mut s = state.clone();
            apply(model, &mut s, touches, impulses, factor);
            s.guess.fill(0.0);
            Ok(stepper
                .step(model, settings, &mut s, rest, controls)?
                .energy_discrete
                - before)
        };
        // Near the explicit reflection, factor one; the trivial root is near zero.
        let (mut a, mut b) = (1.0, 1.0 + 1e-5);
        let (mut fa, mut fb) = (energy(a)?, energy(b)?);
        for _ in 0..60 {
            if fb == fa || fb == 0.0 {
                break;
            }
            let c = b - fb * (b - a) / (fb - fa);
            if !(c > 0.5 && c < 2.0) {
                break;
            }
            let fc = energy(c)?;
            let done = fc.abs() >= fb.abs()
                && fb.abs() <= 1e-12 * (before.abs() + fa.abs() + f64::MIN_POSITIVE);
            if done {
                break;
            }
            (a, fa, b, fb) = (b, fb, c, fc);
        }
        Ok(b)
    }
}

fn path(state: &State) -> Path<'_> {
    Path {
        poses: &state.poses,
        coordinates: &state.coordinates,
    }
}

/// p += factor · λ ∇gap.
fn apply(model: &Model, state: &mut State, touches: &[Touch], impulses: &[Impulse], factor: f64) {
    for (t, i) in touches.iter().zip(impulses) {
        let lambda = i.lambda * factor;
        if lambda == 0.0 {
            continue;
        }
        for (body, w) in t.row.wrenches.iter().flatten() {
            let k = body.index();
            let p = match model.body(*body).kind {
                BodyKind::Rigid { .. } => Covector {
                    force: w.force,
                    directors: hat(&w.torque) * state.poses[k].directors * 0.5,
                },
                BodyKind::Particle { .. } => Covector {
                    force: w.force,
                    ..Covector::default()
                },
                BodyKind::Static => continue,
            };
            state.momenta[k].add(&p, lambda);
        }
        match t.row.freedom {
            Some((k, sign)) if k >= model.tree_freedom => {
                state.coordinate_momenta[k - model.tree_freedom] += lambda * sign
            }
            Some((k, sign)) => push_joint(model, state, k, lambda * sign),
            None => {}
        }
    }
}

/// Adds an impulse along one degree of freedom of a joint: equal and opposite on child and parent.
fn push_joint(model: &Model, state: &mut State, freedom: usize, impulse: f64) {
    let Some(j) = model.offsets.iter().rposition(|&o| o <= freedom) else {
        return;
    };
    let joint = &model.joints()[j];
    let frame = joint_frame(model, &state.poses, joint);
    let column = frame.columns[freedom - model.offsets[j]];
    let turning = column.w != Vector3::zeros();
    let at = state.poses[joint.child.index()].point(&joint.anchor_child);
    for (body, sign) in [(Some(joint.child), 1.0), (joint.parent, -1.0)] {
        let Some(b) = body else { continue };
        let k = b.index();
        let force = if turning { Vector3::zeros() } else { column.v };
        let torque = if turning {
            column.w
        } else {
            (at - state.poses[k].position).cross(&column.v)
        };
        let p = Covector {
            force,
            directors: hat(&torque) * state.poses[k].directors * 0.5,
        };
        state.momenta[k].add(&p, impulse * sign);
    }
}
