//! Steps of linkages in generalised coordinates: p + D₁L_d(q, q⁺, h) + f⁻ = 0 for q⁺.
//!
//! Limits that a potential keeps are part of L_d, their drag of the forces.

use super::{SimulateError, State};
use crate::contact::SoftLimit;
use crate::mechanics::dense;
use crate::mechanics::linkage::Discrete;
use crate::model::{JointLaw, Law, Model};

/// Storage: increments of all coordinates and what they gave.
#[derive(Debug)]
pub(super) struct LinkageStepper {
    delta: Vec<f64>,
    /// D₂L_d, to become p⁺.
    end: Vec<f64>,
    /// E_d of all linkages in the last step.
    pub energy: f64,
    /// Work of the drag of limits in it.
    pub drag_work: f64,
    /// Work of damping and of the servos in it.
    pub damping_work: f64,
    pub servo_work: f64,
    /// Energy that a limit gained or lost in it, relative to the kinetic energy of its coordinate.
    pub misfit: f64,
    limits: Vec<SoftLimit>,
    ld: Discrete,
    residual: Vec<f64>,
}

impl LinkageStepper {
    pub fn new(model: &Model, law: Law) -> Self {
        Self {
            delta: vec![0.0; model.coordinates],
            end: vec![0.0; model.coordinates],
            energy: 0.0,
            drag_work: 0.0,
            damping_work: 0.0,
            servo_work: 0.0,
            misfit: 0.0,
            limits: SoftLimit::all(model, law),
            ld: Discrete::default(),
            residual: Vec::new(),
        }
    }

    /// Solves some linkages; `loads` are f⁻.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        model: &Model,
        which: &[usize],
        state: &State,
        h: f64,
        gamma: f64,
        loads: &[f64],
        max_iterations: usize,
    ) -> Result<u32, SimulateError> {
        self.energy = 0.0;
        self.drag_work = 0.0;
        self.damping_work = 0.0;
        self.servo_work = 0.0;
        self.misfit = 0.0;
        let mut most = 0;
        for &at in which {
            let l = &model.linkages()[at];
            let range = l.first..l.first + l.freedom();
            let q = &state.coordinates[range.clone()];
            let delta = &mut self.delta[range.clone()];
            for (d, rate) in delta
                .iter_mut()
                .zip(&state.guess[model.tree_freedom + l.first..])
            {
                *d = rate * h;
            }
            let mut best = f64::INFINITY;
            let mut iterations = 0;
            loop {
                let (ld, r) = (&mut self.ld, &mut self.residual);
                ld.set(l, &model.forces().gravity, q, delta, h, gamma);
                let within = |s: &&SoftLimit| range.contains(&s.coordinate);
                for limit in self.limits.iter().filter(within) {
                    add_limit(limit, limit.coordinate - l.first, q, delta, h, gamma, ld);
                }
                for law in laws_within(model, &range) {
                    let k = law.freedom - model.tree_freedom - l.first;
                    add_law(law, k, (state.time, h, gamma), q, delta, ld);
                }
                r.clear();
                r.extend_from_slice(&ld.d1);
                let largest = |r: &[f64]| r.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
                let mut scale = ld.scale;
                for (k, at) in range.clone().enumerate() {
                    let known = state.coordinate_momenta[at] + loads[at];
                    r[k] += known;
                    scale = scale.max(known.abs());
                }
                let size = largest(r);
                if !r.iter().all(|v| v.is_finite()) {
                    return Err(SimulateError::NotFinite {
                        time: state.time,
                        body: l.spec.name.clone(),
                    });
                }
                if size == 0.0 || (size >= 0.5 * best && best <= 1e-9 * scale) {
                    break;
                }
                if iterations >= max_iterations {
                    return Err(SimulateError::NotConverged {
                        time: state.time,
                        body: l.spec.name.clone(),
                        residual: size / scale,
                        iterations,
                    });
                }
                best = best.min(size);
                if !dense::solve(&mut ld.d12, r) {
                    return Err(SimulateError::Singular {
                        time: state.time,
                        body: l.spec.name.clone(),
                    });
                }
                for (d, c) in delta.iter_mut().zip(r.iter()) {
                    *d -= c;
                }
                iterations += 1;
            }
            self.energy += self.ld.energy;
            self.drag_work += self.ld.drag_work;
            self.damping_work += self.ld.damping_work;
            self.servo_work += self.ld.servo_work;
            for limit in self.limits.iter().filter(|s| range.contains(&s.coordinate)) {
                let k = limit.coordinate - l.first;
                let (start, moved) = (q[k], delta[k]);
                // V(q⁺) − V(q) − ⟨∇V(q̄), Δ⟩ with V = ½ C beyond².
                let [v0, v, v1] = [0.0, 1.0 - gamma, 1.0].map(|s| limit.beyond(start + s * moved));
                let gain =
                    0.5 * limit.stiffness * (v1 * v1 - v0 * v0) + limit.stiffness * v * moved;
                let kinetic = 0.5 * self.ld.inertia(k) * (moved / h).powi(2);
                self.misfit = self.misfit.max(gain.abs() / kinetic.max(f64::MIN_POSITIVE));
            }
            for (k, at) in range.clone().enumerate() {
                self.end[at] = self.ld.d2[k];
            }
            most = most.max(iterations as u32);
        }
        Ok(most)
    }

    /// Product of the impulses f⁻ + f⁺ with the motion of the step; a generalised force does not
    /// depend on q, so both are alike.
    pub fn work(&self, model: &Model, which: &[usize], loads: &[f64]) -> f64 {
        let mut sum = 0.0;
        for &at in which {
            let l = &model.linkages()[at];
            for k in l.first..l.first + l.freedom() {
                sum += 2.0 * loads[k] * self.delta[k];
            }
        }
        sum
    }

    /// Moves the state to the end of the step; `loads` are f⁺.
    pub fn finish(
        &mut self,
        model: &Model,
        which: &[usize],
        loads: &[f64],
        state: &mut State,
        h: f64,
    ) {
        for &at in which {
            let l = &model.linkages()[at];
            for k in l.first..l.first + l.freedom() {
                state.coordinates[k] += self.delta[k];
                state.coordinate_momenta[k] = self.end[k] + loads[k];
                state.guess[model.tree_freedom + k] = self.delta[k] / h;
            }
        }
    }
}

/// What acts along coordinates of a range.
fn laws_within<'a>(
    model: &'a Model,
    range: &'a std::ops::Range<usize>,
) -> impl Iterator<Item = &'a JointLaw> {
    model
        .joint_laws()
        .iter()
        .filter(|law| law.joint.is_none() && range.contains(&(law.freedom - model.tree_freedom)))
}

/// Adds a spring, damper and servo on coordinate k; rotors are part of the mass matrix.
fn add_law(
    law: &JointLaw,
    k: usize,
    (time, h, gamma): (f64, f64, f64),
    q: &[f64],
    delta: &[f64],
    ld: &mut Discrete,
) {
    let step = law.without_rotor(time, q[k], delta[k], h, gamma);
    ld.d1[k] += step.start;
    ld.d2[k] += step.end;
    ld.d12[k * q.len() + k] += step.slope;
    ld.energy += step.energy;
    ld.scale += step.start.abs();
    ld.damping_work += step.damping;
    ld.servo_work += step.work;
}

/// Adds to L_d the potential −½ h C min(0, gap(q̄))² of a limit on coordinate k and its derivatives,
/// and to these half of the drag −c Δ while q̄ is beyond it, at either end of the step.
fn add_limit(
    limit: &SoftLimit,
    k: usize,
    q: &[f64],
    delta: &[f64],
    h: f64,
    gamma: f64,
    ld: &mut Discrete,
) {
    let beyond = limit.beyond(q[k] + (1.0 - gamma) * delta[k]);
    if beyond == 0.0 {
        return;
    }
    let force = limit.stiffness * beyond;
    let drag = 0.5 * limit.drag * delta[k];
    ld.d1[k] += h * gamma * force - drag;
    ld.d2[k] += h * (1.0 - gamma) * force - drag;
    let stiff = h * gamma * (1.0 - gamma) * limit.stiffness + 0.5 * limit.drag;
    let diagonal = k * q.len() + k;
    ld.d12[diagonal] -= stiff;
    ld.energy += 0.5 * force * beyond;
    ld.scale += h * force.abs() + drag.abs();
    ld.drag_work -= limit.drag * delta[k] * delta[k] / h;
}
