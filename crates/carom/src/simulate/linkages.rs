//! Steps of linkages in generalised coordinates: p + D₁L_d(q, q⁺, h) + f⁻ = 0 for q⁺.

use super::{SimulateError, State};
use crate::mechanics::dense;
use crate::mechanics::linkage::Discrete;
use crate::model::Model;

/// Storage: increments of all coordinates and what they gave.
#[derive(Debug)]
pub(super) struct LinkageStepper {
    delta: Vec<f64>,
    /// D₂L_d, to become p⁺.
    end: Vec<f64>,
    /// E_d of all linkages in the last step.
    pub energy: f64,
    ld: Discrete,
    residual: Vec<f64>,
}

impl LinkageStepper {
    pub fn new(model: &Model) -> Self {
        Self {
            delta: vec![0.0; model.coordinates],
            end: vec![0.0; model.coordinates],
            energy: 0.0,
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
