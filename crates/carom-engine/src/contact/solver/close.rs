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

use super::newton::Newton;
use super::{Aim, Grip, Point};
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;

/// ρ of the first stage in units of 1/⟨g, M⁻¹g⟩ up to these residuals, the largest first.
const STARTS: [(f64, f64); 2] = [(3e-2, 3.0), (1e-3, 30.0)];
const FIRST: f64 = 1e3;
/// Where ρ stays: where points only push and rub, rates of 1e-7 of the largest still move load by as much as there is;
/// what is held bears any load, so that rows which contradict each other are pressed for nothing. How it grows after
/// stages of few, of more and of many steps, as after few where a stage gains nothing, and how it falls after one that
/// fails.
const LARGEST: f64 = 1e7;
const LARGEST_HELD: f64 = 1e5;
const GROWTH: [(u32, f64); 3] = [(4, 5.0), (6, 2.5), (u32::MAX, 1.5)];
const FALL: [f64; 2] = [0.05, 0.4];
/// A stage that gains less gains nothing, where ρ is this large; so many of them in turn, the last at the largest ρ, say
/// that rows contradict each other.
const GAIN: f64 = 0.5;
const STIFF: f64 = 1e3;
const MOST_IDLE: u32 = 2;
/// Stages, and those that fail, at most.
const MOST_STAGES: usize = 40;
const MOST_FAILED: usize = 12;
/// Steps of a stage, and halvings of a step.
const MOST_STEPS: u32 = 12;
const MOST_CUTS: usize = 10;
/// Momentum that counts as balanced, as a part of what points need: of the residual, at the least, and where it falls no
/// more.
const BALANCED: f64 = 1e-3;
const BALANCED_LEAST: f64 = 1e-11;
const NEARLY_BALANCED: f64 = 1e-9;

/// What the method reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub outcome: Outcome,
    /// Whether stages were solved, and none came any closer: the rows contradict each other.
    pub contradicts: bool,
}

impl Newton {
    /// Goes from the multipliers in the rows that it was prepared for to the nearest solution; `residual` judges. The
    /// best there was is kept.
    pub(super) fn close(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Closing {
        let mut left = residual(rows, nu);
        let mut least = left;
        let mut best = std::mem::take(&mut self.best);
        best.clone_from(&rows.lambda);
        let (mut rounds, mut failed, mut idle, mut contradicts) = (0, 0, 0, false);
        let held = points.iter().any(|p| p.grip == Grip::Held);
        let largest = if held { LARGEST_HELD } else { LARGEST };
        let start = STARTS.iter().find(|(from, _)| left > *from);
        let mut stiffness = start.map_or(FIRST, |(_, stiffness)| *stiffness);
        let mut solved = 0.1 * stiffness;
        // The momentum that all points need to change their rates by `speed`.
        let needs = points.iter().map(|p| p.response(rows)).filter(|r| *r > 0.0);
        let scale = aim.speed * needs.map(|r| 1.0 / r).sum::<f64>().sqrt();
        for _ in 0..MOST_STAGES {
            if left <= aim.enough {
                break;
            }
            self.begin(points, rows, nu, stiffness, 1.0);
            let enough = (BALANCED * left.min(1.0)).max(BALANCED_LEAST) * scale;
            let (steps, off) = self.descend(points, rows, enough, NEARLY_BALANCED * scale);
            rounds += steps;
            self.follow_coulomb(points, rows, nu);
            let new = residual(rows, nu);
            let balanced = off <= (10.0 * enough).max(NEARLY_BALANCED * scale);
            if !(balanced || new <= 0.9 * left) {
                // Too stiff for where it is: back, and half way to what could be solved.
                self.back(rows, nu);
                failed += 1;
                if failed > MOST_FAILED {
                    break;
                }
                let between = (stiffness * solved).sqrt();
                stiffness = between.clamp(FALL[0] * stiffness, FALL[1] * stiffness);
                continue;
            }
            solved = stiffness;
            left = new;
            idle = if new > GAIN * least && stiffness >= STIFF {
                idle + 1
            } else {
                0
            };
            if new < least {
                least = new;
                best.clone_from(&rows.lambda);
            }
            if idle >= MOST_IDLE && stiffness >= largest {
                contradicts = least > aim.enough;
                break;
            }
            let growth = match idle {
                0 => GROWTH.iter().find(|(most, _)| steps <= *most),
                _ => GROWTH.first(),
            };
            stiffness = (growth.map_or(1.0, |(_, growth)| *growth) * stiffness).min(largest);
        }
        if left > least {
            rows.go_to(&best, nu);
        }
        self.best = best;
        Closing {
            outcome: Outcome {
                rounds,
                residual: least,
                converged: least <= aim.good,
            },
            contradicts,
        }
    }

    /// Newton's method with shortened steps on the balance of momentum, until no more than `enough` is missing, or than
    /// `nearly` where it gets no further; how many steps it took, and what is missing.
    fn descend(&mut self, points: &[Point], rows: &Rows, enough: f64, nearly: f64) -> (u32, f64) {
        let mut off = self.imbalance(points, rows);
        for steps in 0..MOST_STEPS {
            if off <= enough || !self.linearise(points) {
                return (steps, off);
            }
            self.step.clear();
            self.step.extend(self.gradient.iter().map(|g| -g));
            self.lu.solve(&mut self.step);
            if self.step.iter().any(|x| !x.is_finite()) {
                self.known = false;
                return (steps, off);
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
            for cut in 0..=MOST_CUTS {
                let new = self.imbalance(points, rows);
                if new < best.0 {
                    best = (new, part);
                }
                if new <= (1.0 - 1e-4 * part) * off || cut == MOST_CUTS {
                    break;
                }
                self.go_along(-0.5 * part);
                part *= 0.5;
            }
            if best.1 != part {
                self.go_along(best.1 - part);
                self.imbalance(points, rows);
            }
            let stands = best.0 > GAIN * off && best.0 <= nearly;
            off = best.0;
            if stands || best.1 == 0.0 {
                return (steps + 1, off);
            }
        }
        (MOST_STEPS, off)
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

    /// The size of the gradient of Coulomb's law, measured by the masses.
    fn imbalance(&mut self, points: &[Point], rows: &Rows) -> f64 {
        self.find_gradient(points, rows);
        self.factor.size_of(&self.gradient)
    }
}
