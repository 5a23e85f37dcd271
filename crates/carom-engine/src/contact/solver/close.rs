//! Newton's method on Coulomb's law from close by, for islands of any size.
//!
//! Points give way a little to *changes* of their impulses:
//!
//! ```text
//! λ = coulomb(λ̄ − ρ w),     M (ν − ν₀) = Jᵀ λ,     w = J ν + bias.
//! ```
//!
//! ρ is finite, so that of all impulses that do the same those nearest to λ̄ are found, and rows that contradict each
//! other by little do not send load from point to point for nothing. λ̄ follows λ from one stage to the next (a
//! proximal point method): where a stage changes nothing any more Coulomb's law itself holds. Where stages at the
//! largest ρ gain nothing, though each is solved, the rows contradict each other and no method does better.

use super::newton::{Newton, put};
use super::polish::coulomb_target;
use super::{Aim, Point};
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;

/// ρ of the first stage in units of 1/⟨g, M⁻¹g⟩, how it grows, and where it stays.
const FIRST: f64 = 1e3;
const GROWTH: f64 = 30.0;
const LARGEST: f64 = 1e5;
/// From this ρ on a stage that gains less than a half says that rows contradict each other.
const STIFF: f64 = 1e4;
const GAIN: f64 = 0.5;
/// Stages, and those that fail, at most.
const MOST_STAGES: usize = 10;
const MOST_FAILED: usize = 3;
/// Steps of a stage, and halvings of a step.
const MOST_STEPS: u32 = 12;
const MOST_CUTS: usize = 10;
/// Momentum that counts as balanced, and what does where it falls no more, as a part of what points need.
const BALANCED: f64 = 1e-11;
const NEARLY_BALANCED: f64 = 1e-9;

/// What the method reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub outcome: Outcome,
    /// Whether every stage was solved, and none came any closer: the rows contradict each other.
    pub contradicts: bool,
}

impl Newton {
    /// Goes from the multipliers in the rows that it was prepared for to the nearest solution; `residual` judges. What
    /// is not better than the start is taken back.
    pub(super) fn close(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Closing {
        let mut left = residual(rows, nu);
        let (mut rounds, mut failed, mut contradicts) = (0, 0, false);
        let mut stiffness = FIRST;
        // The momentum that all points need to change their rates by `speed`.
        let needs = points.iter().map(|p| p.response(rows)).filter(|r| *r > 0.0);
        let scale = aim.speed * needs.map(|r| 1.0 / r).sum::<f64>().sqrt();
        for _ in 0..MOST_STAGES {
            if left <= aim.enough {
                break;
            }
            self.begin(points, rows, nu, stiffness, 1.0);
            let (steps, balanced) = self.descend(points, rows, scale);
            rounds += steps;
            for (at, p) in points.iter().enumerate() {
                if self.rho[at] != 0.0 {
                    let y = coulomb_target(&self.held, &self.rates, self.rho[at], p);
                    put(p, rows, nu, &p.coulomb(&y));
                }
            }
            let new = residual(rows, nu);
            let gained = new <= GAIN * left;
            if !balanced && !gained {
                // Too stiff for where it is.
                self.back(rows, nu);
                failed += 1;
                if failed == MOST_FAILED {
                    break;
                }
                stiffness *= 0.1;
                continue;
            }
            if new <= left {
                left = new;
            } else {
                self.back(rows, nu);
            }
            if stiffness >= STIFF && !gained {
                contradicts = balanced && left > aim.enough;
                break;
            }
            stiffness = (GROWTH * stiffness).min(LARGEST);
        }
        Closing {
            outcome: Outcome {
                rounds,
                residual: left,
                converged: left <= aim.good,
            },
            contradicts,
        }
    }

    /// Newton's method with shortened steps on the balance of momentum; how many steps it took, and whether it holds
    /// to a small part of `scale`.
    fn descend(&mut self, points: &[Point], rows: &Rows, scale: f64) -> (u32, bool) {
        let mut off = self.imbalance(points, rows);
        for steps in 0..MOST_STEPS {
            if off <= BALANCED * scale {
                return (steps, true);
            }
            if !self.linearise(points) {
                return (steps, false);
            }
            self.step.clear();
            self.step.extend(self.gradient.iter().map(|g| -g));
            self.lu.solve(&mut self.step);
            if self.step.iter().any(|x| !x.is_finite()) {
                self.known = false;
                return (steps, false);
            }
            self.pushed.fill(0.0);
            self.factor.add_mass_times(&self.step, &mut self.pushed);
            for (at, p) in points.iter().enumerate() {
                if self.rho[at] != 0.0 {
                    let along = self.factor.rates(at, p, rows, &self.step);
                    self.along[p.first..p.first + p.rows].copy_from_slice(&along[..p.rows]);
                }
            }
            // The whole step, or less of it where that leaves more than there was.
            let (mut part, mut best) = (1.0, (off, 0.0));
            self.go_along(1.0);
            for _ in 0..MOST_CUTS {
                let new = self.imbalance(points, rows);
                if new < best.0 {
                    best = (new, part);
                }
                if new <= (1.0 - 1e-4 * part) * off {
                    break;
                }
                part *= 0.5;
                self.go_along(-part);
            }
            self.go_along(best.1 - part);
            let new = self.imbalance(points, rows);
            if new > GAIN * off && new <= NEARLY_BALANCED * scale {
                return (steps + 1, true);
            }
            if best.1 == 0.0 {
                return (steps + 1, false);
            }
            off = new;
        }
        (MOST_STEPS, off <= NEARLY_BALANCED * scale)
    }

    /// ν moves on by part of the step.
    fn go_along(&mut self, part: f64) {
        if part == 0.0 {
            return;
        }
        for (m, s) in self.momentum.iter_mut().zip(&self.pushed) {
            *m += part * s;
        }
        for (w, a) in self.rates.iter_mut().zip(&self.along) {
            *w += part * a;
        }
    }

    /// The gradient becomes M(ν − ν₀) − Jᵀ coulomb(λ̄ − ρ w); its size, measured by the masses.
    fn imbalance(&mut self, points: &[Point], rows: &Rows) -> f64 {
        self.gradient.copy_from_slice(&self.momentum);
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let y = coulomb_target(&self.held, &self.rates, self.rho[at], p);
            let to = p.coulomb(&y);
            if to != [0.0; 3] {
                let pulled = to.map(|x| -x);
                self.factor
                    .add_push(at, p, rows, &pulled, &mut self.gradient);
            }
        }
        self.factor.size_of(&self.gradient)
    }
}
