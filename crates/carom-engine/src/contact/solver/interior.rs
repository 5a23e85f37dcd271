//! The contact problem by an interior-point method on Coulomb's law itself.
//!
//! All points are kept inside their cones, and x ∘ z = τ e leads them to the law as τ falls (Acary, Armand and
//! Nguyen 2023 call it the nonsmooth interior-point method: De Saxcé's shift |w_t| is an unknown like the others, so
//! that slides whose speed hardly matters to the impulses are found as well). Every step solves
//!
//! ```text
//! (M + Jᵀ S J) dν = Jᵀ (x + given) − M (ν − ν₀),
//! ```
//!
//! S and `given` by the point alone (`cones`). τ falls only after a step that the cones let pass, and τ stays where
//! they do not: slower than what minima of convex functions allow, but it does not get stuck here. Close to the
//! solution Newton's method on the law takes over.

use super::cones::Inside;
use super::newton::Newton;
use super::{Aim, Point};
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;

/// Steps at most.
const MOST_STEPS: u32 = 120;
/// τ falls to this part after a step of this length.
const FALL: f64 = 0.2;
const PASSED: f64 = 0.9;
/// Part of the way to the wall.
const SHORT: f64 = 0.99;
/// Points are kept as central as this part of the mean.
const CENTRAL: f64 = 0.1;
/// Newton's method on the law begins at this residual, and again where ten times less is left.
const CLOSE: f64 = 1e-5;
/// Trials of a shorter step.
const MOST_CUTS: usize = 30;

/// Storage of the method.
#[derive(Debug, Default)]
pub(super) struct Interior {
    points: Vec<Inside>,
    /// Rates of the rows and M(ν − ν₀) of the interior point.
    rates: Vec<f64>,
    momentum: Vec<f64>,
    along: Vec<f64>,
    impulses: Vec<f64>,
    best: Vec<f64>,
}

impl Interior {
    /// Goes from nothing to the solution of the rows that `newton` was prepared for; `residual` judges.
    pub fn solve(
        &mut self,
        newton: &mut Newton,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Outcome {
        let mut least = residual(rows, nu);
        self.best.clone_from(&rows.lambda);
        self.begin(newton, points, rows, nu, aim.speed);
        let mut close = CLOSE;
        let mut passed = 1.0;
        let mut rounds = 0;
        while rounds < MOST_STEPS && least > aim.enough {
            rounds += 1;
            let tau = self.mean() * if passed > PASSED { FALL } else { 1.0 };
            if !self.step(newton, points, rows, tau, &mut passed) {
                break;
            }
            self.impulses.clear();
            self.impulses.resize(rows.len(), 0.0);
            for (p, inside) in points.iter().zip(&self.points) {
                let to = inside.impulses();
                self.impulses[p.first..p.first + p.rows].copy_from_slice(&to[..p.rows]);
            }
            rows.go_to(&self.impulses, nu);
            let mut left = residual(rows, nu);
            if left <= close {
                close = close.min(0.1 * left);
                rounds += newton.finish(points, rows, nu, aim.enough, &mut left, &residual);
            }
            if left < least {
                least = left;
                self.best.clone_from(&rows.lambda);
            }
            if least <= aim.good && left > 0.5 * least {
                break;
            }
        }
        rows.go_to(&self.best, nu);
        Outcome {
            rounds,
            residual: least,
            converged: least <= aim.good,
        }
    }

    /// All points in the middle of their cones, with the velocities that no impulse changes.
    fn begin(
        &mut self,
        newton: &Newton,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        speed: f64,
    ) {
        self.impulses.clear();
        self.impulses.resize(rows.len(), 0.0);
        rows.go_to(&self.impulses, nu);
        self.momentum.clear();
        self.momentum.resize(newton.factor.freedoms.len(), 0.0);
        self.rates.clear();
        self.rates.resize(rows.len(), 0.0);
        self.along.clear();
        self.along.resize(rows.len(), 0.0);
        self.points.clear();
        for p in points {
            let range = p.first..p.first + p.rows;
            let weights = range.clone().map(|row| rows.weight(row));
            let mean = weights.sum::<f64>() / p.rows as f64;
            self.points.push(Inside::new(p, mean, speed));
            for (k, row) in range.enumerate() {
                self.rates[row] = rows.rate(row, nu) + p.bias[k];
            }
        }
    }

    /// The mean of ⟨x, z⟩.
    fn mean(&self) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for product in self.points.iter().filter_map(Inside::product) {
            sum += product;
            count += 1.0;
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// One step towards x ∘ z = τ e; false if there is none. `passed` becomes the part of it that the cones let pass.
    fn step(
        &mut self,
        newton: &mut Newton,
        points: &[Point],
        rows: &Rows,
        tau: f64,
        passed: &mut f64,
    ) -> bool {
        // M + Jᵀ S J, and what is missing of the balance: Jᵀ(x + given) − M(ν − ν₀).
        newton.known = false;
        newton.factor.begin_general(&mut newton.lu);
        let factor = &newton.factor;
        let missing = &mut newton.step;
        missing.clear();
        missing.extend(self.momentum.iter().map(|m| -m));
        for (at, (p, inside)) in points.iter().zip(&mut self.points).enumerate() {
            let mut w = [0.0; 3];
            w[..p.rows].copy_from_slice(&self.rates[p.first..p.first + p.rows]);
            let given = inside.linearise(&w, tau);
            let had = inside.impulses();
            factor.add_general(at, &inside.slope, 1.0, &mut newton.lu);
            for k in 0..p.rows {
                let push = had[k] + given[k];
                if push != 0.0 {
                    for e in rows.entries(p.first + k) {
                        missing[factor.at(e.freedom)] += push * e.gradient;
                    }
                }
            }
        }
        if !newton.lu.factorise() {
            return false;
        }
        newton.lu.solve(missing);
        if missing.iter().any(|x| !x.is_finite()) {
            return false;
        }
        let mut part: f64 = 1.0;
        for (p, inside) in points.iter().zip(&mut self.points) {
            let mut dw = [0.0; 3];
            for k in 0..p.rows {
                let row = p.first + k;
                let entries = rows.entries(row).iter();
                dw[k] = entries
                    .map(|e| e.gradient * missing[factor.at(e.freedom)])
                    .sum();
                self.along[row] = dw[k];
            }
            part = part.min(SHORT * inside.follow(&dw));
        }
        for _ in 0..MOST_CUTS {
            if self.is_central(part) {
                break;
            }
            part *= 0.8;
        }
        for inside in &mut self.points {
            inside.go(part);
        }
        for (w, a) in self.rates.iter_mut().zip(&self.along) {
            *w += part * a;
        }
        newton.gradient.clear();
        newton.gradient.resize(self.momentum.len(), 0.0);
        factor.add_mass_times(missing, &mut newton.gradient);
        for (m, s) in self.momentum.iter_mut().zip(&newton.gradient) {
            *m += part * s;
        }
        *passed = part;
        true
    }

    /// Whether no point would be far closer to its walls than the mean.
    fn is_central(&self, part: f64) -> bool {
        let (mut sum, mut count) = (0.0, 0.0);
        let mut worst = f64::INFINITY;
        for (product, central) in self.points.iter().filter_map(|p| p.after(part)) {
            sum += product;
            count += 1.0;
            worst = worst.min(central);
        }
        count == 0.0 || worst > 0.0 && worst >= CENTRAL * sum / count
    }
}
