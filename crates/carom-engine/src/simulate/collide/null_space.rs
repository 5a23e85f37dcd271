//! The jump of an impact with the contact force eliminated by the contact null space
//! ("Variational collision integrators", (14)–(15)).
//!
//! With g = Pᵀ∇g_c summed over the contacts that meet, P_c spans what is perpendicular to g. The
//! reduced momentum π after the impact solves
//!
//! ```text
//! P_cᵀ (π − π⁺) = 0          (15a)
//! E(π) = E before            (15b)
//! ```
//!
//! by Newton's method; the multiplier of the contact force follows afterwards. Of the two roots the
//! one that reflects is taken.

use nalgebra::{DMatrix, DVector};

use super::Collisions;
use crate::contact::{Rows, Touch};
use crate::mechanics::{NO_WRENCH, Parts, Wrench, reduce};
use crate::model::Model;
use crate::simulate::{SimulateError, State};

/// The momentum and the gradient of an impact over the degrees of freedom of a group.
struct Impact {
    /// g and M⁻¹g.
    gradient: DVector<f64>,
    response: DVector<f64>,
    /// π⁺ and ν⁺.
    momentum: DVector<f64>,
    velocity: DVector<f64>,
}

impl Collisions {
    /// Solves (15) for the contacts that approach; `energy` gives E − E before for a multiple of
    /// the contact force, or `None` where E is the Hamiltonian. Multipliers go into the rows.
    pub(super) fn null_space_jump(
        &mut self,
        model: &Model,
        group: &[usize],
        mut energy: impl FnMut(&mut Self, f64) -> Option<Result<f64, SimulateError>>,
    ) -> Result<(), SimulateError> {
        let meeting: Vec<Touch> = (self.instant.touches.iter())
            .filter(|t| !t.vertex && self.instant.rows.rate(t.normal, &self.instant.nu) < 0.0)
            .copied()
            .collect();
        if meeting.is_empty() {
            return Ok(());
        }
        let impact = Impact::new(
            model,
            &self.units,
            group,
            &self.line.base,
            &self.instant.rows,
            &self.instant.nu,
            &meeting,
        );
        let basis = perpendicular(&impact.gradient);
        let size = impact.gradient.norm();
        let unit = &impact.gradient / size;
        let closing = impact.gradient.dot(&impact.velocity);
        let weight = impact.gradient.dot(&impact.response);
        // Past the trivial root's half: Newton's method then goes to the reflecting one.
        let mut pi = &impact.momentum + &impact.gradient * (-1.6 * closing / weight);
        let scale = impact.momentum.dot(&impact.velocity).abs() + closing * closing / weight;
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..60 {
            let off = &pi - &impact.momentum;
            let across = basis.tr_mul(&off);
            let multiple = off.dot(&impact.gradient) / (size * size);
            let velocity = &impact.velocity + &impact.response * multiple;
            let (rest, slope) = match energy(self, multiple) {
                None => {
                    let start = impact.momentum.dot(&impact.velocity);
                    let now = (&impact.momentum + &impact.gradient * multiple).dot(&velocity);
                    (0.5 * (now - start), unit.dot(&velocity))
                }
                Some(e) => {
                    let e = e?;
                    let secant = last.filter(|l| l.0 != multiple);
                    let slope = secant.map_or(unit.dot(&velocity), |(m, f)| {
                        (e - f) / (multiple - m) / size
                    });
                    last = Some((multiple, e));
                    (e, slope)
                }
            };
            let settled = rest.abs() <= 4.0 * f64::EPSILON * scale && across.amax() <= 1e-14 * size;
            if settled || slope == 0.0 {
                break;
            }
            // Newton's step: P_cᵀ δ = −P_cᵀ(π − π⁺) and ⟨∂E/∂π, δ⟩ = −(E − E before).
            let sideways = &basis * &across;
            let along = -(rest - velocity.dot(&sideways)) / slope;
            let step = unit.clone() * along - sideways;
            if step.norm() <= f64::EPSILON * impact.momentum.norm() {
                break;
            }
            pi += step;
        }
        // The contact force, after the fact.
        let multiple = (&pi - &impact.momentum).dot(&impact.gradient) / (size * size);
        let before: Vec<f64> = (meeting.iter())
            .map(|t| self.instant.rows.rate(t.normal, &self.instant.nu))
            .collect();
        for t in &meeting {
            self.instant
                .rows
                .add(t.normal, multiple, &mut self.instant.nu);
        }
        for (t, v) in meeting.iter().zip(before) {
            let after = self.instant.rows.rate(t.normal, &self.instant.nu);
            let touch = self
                .instant
                .touches
                .iter_mut()
                .find(|o| o.normal == t.normal);
            if let Some(touch) = touch {
                touch.energy += 0.5 * multiple * (v + after);
            }
        }
        Ok(())
    }
}

impl Impact {
    fn new(
        model: &Model,
        units: &Parts,
        group: &[usize],
        state: &State,
        rows: &Rows,
        nu: &[f64],
        meeting: &[Touch],
    ) -> Self {
        let freedoms: Vec<usize> = (group.iter())
            .flat_map(|&u| units.all[u].freedoms.iter().copied())
            .collect();
        let n = freedoms.len();
        let mut place = vec![usize::MAX; model.freedom()];
        freedoms.iter().enumerate().for_each(|(k, &f)| place[f] = k);
        let (mut gradient, mut response) = (DVector::zeros(n), DVector::zeros(n));
        for t in meeting {
            for e in rows.entries(t.normal) {
                gradient[place[e.freedom]] += e.gradient;
                response[place[e.freedom]] += e.response;
            }
        }
        let mut wrenches: Vec<Wrench> = vec![NO_WRENCH; model.bodies().len()];
        for &u in group {
            for &b in &units.all[u].bodies {
                wrenches[b] = state.momentum(model, b);
            }
        }
        let mut all = vec![0.0; model.freedom()];
        let tree = &mut all[..model.tree_freedom];
        reduce(model, &state.poses, &mut wrenches, tree);
        all[model.tree_freedom..].copy_from_slice(&state.coordinate_momenta);
        Self {
            gradient,
            response,
            momentum: DVector::from_fn(n, |k, _| all[freedoms[k]]),
            velocity: DVector::from_fn(n, |k, _| nu[freedoms[k]]),
        }
    }
}

/// An orthonormal basis P_c of what is perpendicular to g: Householder's reflection that takes g to
/// an axis, without that axis.
fn perpendicular(g: &DVector<f64>) -> DMatrix<f64> {
    let n = g.len();
    let mut v = g.clone();
    v[0] += g.norm().copysign(g[0]);
    let factor = 2.0 / v.norm_squared();
    DMatrix::from_fn(n, n - 1, |i, j| {
        let diagonal = f64::from(u8::from(i == j + 1));
        diagonal - factor * v[i] * v[j + 1]
    })
}
