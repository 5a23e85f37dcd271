//! The contact problem as a chain of convex minima.
//!
//! For multipliers λ̄ and shifts s held, the velocities minimise
//!
//! ```text
//! φ(ν) = ½ |ν − ν₀|²_M + Σ 1/(2ρ) |proj_K(λ̄ − ρ (w + s n))|²,     w = J ν + bias,
//! ```
//!
//! the augmented Lagrangian of "ν near ν₀ with w + s n in the dual cone". φ is convex with a
//! continuous gradient, piecewise smooth: Newton's method with a line search on the slope finds its
//! minimum from anywhere. Points that give way by c λ have ρ/(1 + ρc) in place of ρ and λ̄/(1 + ρc) in place of λ̄. Then λ̄ ← proj_K(…) and s ← μ|w_t| (De Saxcé: with that shift the cone's law
//! is Coulomb's), and again. Large ρ makes few rounds; redundant contacts do no harm, because H =
//! M + Jᵀ D J is positive definite whatever J is.

use super::block_lu::BlockLu;
use super::factor::Factor;
use super::laws::{length, project, projected};
use super::{Aim, Grip, HUGE, LARGE_ISLAND, Point, Stage};
use crate::contact::mass::MassMetric;
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;
use crate::mechanics::dense::dot;

/// Rounds of multipliers and shifts.
const MOST_ROUNDS: u32 = 40;
/// The same where there are many points: sweeps go on from what they gain.
const FEW_ROUNDS: u32 = 4;
/// Newton steps of one minimum.
const MOST_STEPS: usize = 40;
/// ρ in units of 1/⟨g, M⁻¹g⟩: at first, at most.
const FIRST_STIFFNESS: f64 = 30.0;
const START_STIFFNESS: f64 = 3.0;
const NEAR_STIFFNESS: f64 = 1e5;
const MOST_STIFFNESS: f64 = 1e10;
/// From this residual on only a few rounds more are spent.
const GOOD: f64 = 1e-9;
const ALL: f64 = 1e-13;
const SMALL_ISLAND: usize = 24;
/// A decrement of this part of the impulses' energy is round-off, at least.
pub(super) const ENOUGH: f64 = 1e-29;
/// A decrement of this part that does not fall any more is round-off too.
const NOISE: f64 = 1e-21;

/// Storage of the method.
#[derive(Debug, Default)]
pub(super) struct Newton {
    pub(super) factor: Factor,
    /// How much points give way, in units of their own response.
    pub(super) give: f64,
    /// Multipliers where a round began.
    start: Vec<f64>,
    /// Multipliers, shifts and ρ held in a round.
    pub(super) held: Vec<f64>,
    shift: Vec<f64>,
    /// The best multipliers of a method that goes on from others.
    pub(super) best: Vec<f64>,
    /// ρ in units of 1/⟨g, M⁻¹g⟩, now and where the last matrix of Coulomb's law was made.
    pub(super) stiffness: f64,
    pub(super) known_stiffness: f64,
    pub(super) rho: Vec<f64>,
    /// Rates of the rows at ν and along the step.
    pub(super) rates: Vec<f64>,
    pub(super) along: Vec<f64>,
    /// M(ν − ν₀), the gradient and the step, over the island's freedoms.
    pub(super) momentum: Vec<f64>,
    pub(super) gradient: Vec<f64>,
    pub(super) step: Vec<f64>,
    pub(super) pushed: Vec<f64>,
    /// proj_K(y) of all rows.
    projected: Vec<f64>,
    /// The last matrix of Coulomb's law, and whether there is one of the rows that are set up.
    pub(super) lu: BlockLu,
    pub(super) known: bool,
}

impl Newton {
    /// Takes the rows of a problem; a matrix of an earlier one is kept if they are the same.
    pub fn prepare(
        &mut self,
        stage: &Stage,
        metric: &mut MassMetric,
        points: &[Point],
        rows: &Rows,
    ) {
        self.factor.set_up(stage, metric, points, rows);
        self.known &= self.factor.same;
    }

    /// Goes from the multipliers in the rows that it was prepared for towards the solution, in few rounds
    /// where there are `many` points; `residual` judges.
    pub fn solve(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        many: bool,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Outcome {
        let &Aim { enough, good, .. } = aim;
        let most = if many { FEW_ROUNDS } else { MOST_ROUNDS };
        let mut left = residual(rows, nu);
        // Near the solution nothing is in the way of a stiff start; on the way there large islands
        // save rounds by it.
        let large = self.factor.freedoms.len() > LARGE_ISLAND;
        // Small islands are solved to the last digit, and larger ones where light bodies carry heavy ones: what is
        // nothing beside the weight of these moves those.
        let laden = (points.iter()).any(|p| p.alone(rows).abs() > HUGE * aim.speed);
        let few = if laden { LARGE_ISLAND } else { SMALL_ISLAND };
        let small = self.factor.freedoms.len() <= few;
        let near = left < 1e-6;
        let start = if large || near {
            START_STIFFNESS / left
        } else {
            0.0
        };
        let mut stiffness = start.clamp(FIRST_STIFFNESS, NEAR_STIFFNESS);
        let (mut poor, mut failed) = (0, 0);
        let mut rounds = 0;
        // Shifts that go back and forth are taken in part.
        let mut relax = 1.0;
        self.shift.clear();
        let mut after = 0;
        while rounds < most && left > enough {
            if left < 0.1 && rounds != 1 {
                rounds += self.polish(points, rows, nu, enough, &mut left, &residual);
                if left <= enough {
                    break;
                }
            }
            if left <= if small { ALL } else { GOOD } {
                after += 1;
                if after > 2 {
                    break;
                }
            }
            rounds += 1;
            self.begin(
                points,
                rows,
                nu,
                stiffness,
                if rounds == 1 { 1.0 } else { relax },
            );
            let least = (1e-4 * enough).powi(2).max(ENOUGH);
            let (steps, minimal) = self.minimise(points, rows, least);
            self.end(points, rows, nu);
            let new = residual(rows, nu);
            if !(new <= 2.0 * left || minimal && new <= 1e-2) {
                // Too stiff for where it is: back, and softer.
                self.back(rows, nu);
                stiffness = (stiffness * 0.02).max(1.0);
                failed += 1;
                if failed > 5 {
                    break;
                }
                continue;
            }
            if new > 0.5 * left && rounds > 3 {
                poor += 1;
                relax = if relax > 0.3 { 0.6 * relax } else { 1.0 };
            }
            let before = left;
            left = new;
            if minimal && steps <= 6 && (new > 0.1 * before || stiffness < 1e5) {
                let faster = if steps <= 2 { 30.0 } else { 8.0 };
                stiffness = (stiffness * faster).min(MOST_STIFFNESS);
            }
            // Round-off, or no way on.
            if poor > 8 || (poor > 1 && left <= good) {
                break;
            }
        }
        Outcome {
            rounds,
            residual: left,
            converged: left <= good,
        }
    }

    /// Forgets the shifts: the cone's law in place of Coulomb's.
    pub(super) fn without_shift(&mut self) {
        self.shift.clear();
    }

    /// Multipliers as they were when the round began.
    pub(super) fn back(&self, rows: &mut Rows, nu: &mut [f64]) {
        rows.go_to(&self.start, nu);
    }

    /// Takes multipliers, shifts and velocities as they are.
    pub(super) fn begin(
        &mut self,
        points: &[Point],
        rows: &Rows,
        nu: &[f64],
        stiffness: f64,
        relax: f64,
    ) {
        self.stiffness = stiffness;
        self.start.clear();
        self.start.extend_from_slice(&rows.lambda);
        self.held.clear();
        self.held.extend_from_slice(&rows.lambda);
        self.projected.clear();
        self.projected.resize(rows.len(), 0.0);
        self.rates.clear();
        self.rates.resize(rows.len(), 0.0);
        self.along.clear();
        self.along.resize(rows.len(), 0.0);
        let n = self.factor.freedoms.len();
        for list in [&mut self.momentum, &mut self.gradient, &mut self.pushed] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.rho.clear();
        self.shift.resize(points.len(), 0.0);
        for (at, p) in points.iter().enumerate() {
            let response = p.response(rows);
            // 1/(1 + ρc), with ρ = stiffness/response and c = give · response.
            let soft = 1.0 / (1.0 + stiffness * self.give);
            let mut had = [0.0; 3];
            for k in 0..p.rows {
                let row = p.first + k;
                had[k] = rows.lambda[row];
                self.rates[row] = rows.rate(row, nu) + p.bias[k];
                self.held[row] *= soft;
            }
            self.factor.add_push(at, p, rows, &had, &mut self.momentum);
            self.rho.push(if response > 0.0 {
                stiffness * soft / response
            } else {
                0.0
            });
            if let Grip::Cone { friction } = p.grip
                && p.rows == 3
            {
                let wanted = friction * length(self.rates[p.first + 1], self.rates[p.first + 2]);
                self.shift[at] += relax * (wanted - self.shift[at]);
            }
        }
    }

    /// y = λ̄ − ρ (w + t·along + s n) of a point.
    #[inline]
    fn target(&self, at: usize, p: &Point, t: f64) -> [f64; 3] {
        let rho = self.rho[at];
        let mut y = [0.0; 3];
        for k in 0..p.rows {
            let row = p.first + k;
            let shift = if k == 0 { self.shift[at] } else { 0.0 };
            y[k] = self.held[row] - rho * (self.rates[row] + t * self.along[row] + shift);
        }
        y
    }

    /// Newton's method on φ; how many steps it took, and whether it came to the minimum.
    pub(super) fn minimise(&mut self, points: &[Point], rows: &Rows, enough: f64) -> (usize, bool) {
        let mut last = f64::INFINITY;
        for steps in 0..MOST_STEPS {
            // ∇φ = M(ν − ν₀) − Jᵀ proj(y), H = M + Jᵀ ρ ∂proj J.
            self.factor.reset();
            self.gradient.copy_from_slice(&self.momentum);
            let mut energy = 0.0;
            for (at, p) in points.iter().enumerate() {
                if self.rho[at] == 0.0 {
                    continue;
                }
                let y = self.target(at, p, 0.0);
                let (to, slope) = project(p, &y);
                for k in 0..p.rows {
                    let row = p.first + k;
                    self.projected[row] = to[k];
                    energy += to[k] * to[k] * rows.weight(row);
                }
                if to != [0.0; 3] {
                    let pulled = to.map(|x| -x);
                    self.factor
                        .add_push(at, p, rows, &pulled, &mut self.gradient);
                }
                if let Some(slope) = slope {
                    self.factor.add(at, &slope, self.rho[at]);
                }
            }
            if !self.factor.factorise() {
                return (steps, false);
            }
            self.step.clear();
            self.step.extend(self.gradient.iter().map(|g| -g));
            self.factor.solve(&mut self.step);
            let decrement: f64 = -dot(&self.gradient, &self.step);
            if !decrement.is_finite() {
                return (steps, false);
            }
            let round_off = decrement <= NOISE * energy && decrement > 0.5 * last;
            if decrement <= enough * energy || decrement <= 0.0 || round_off {
                return (steps, true);
            }
            last = last.min(decrement);
            for (at, p) in points.iter().enumerate() {
                if self.rho[at] == 0.0 {
                    continue;
                }
                let along = self.factor.rates(at, p, rows, &self.step);
                self.along[p.first..p.first + p.rows].copy_from_slice(&along[..p.rows]);
            }
            self.pushed.fill(0.0);
            self.factor.add_mass_times(&self.step, &mut self.pushed);
            let t = self.search(points, decrement);
            for (m, s) in self.momentum.iter_mut().zip(&self.pushed) {
                *m += t * s;
            }
            for (w, a) in self.rates.iter_mut().zip(&self.along) {
                *w += t * a;
            }
        }
        (MOST_STEPS, false)
    }

    /// The length of the step: where the slope of φ along it has all but gone.
    fn search(&self, points: &[Point], decrement: f64) -> f64 {
        let start = dot(&self.momentum, &self.step);
        let curve = dot(&self.pushed, &self.step);
        let slope = |t: f64| {
            let mut sum = start + t * curve;
            for (at, p) in points.iter().enumerate() {
                if self.rho[at] == 0.0 {
                    continue;
                }
                let y = self.target(at, p, t);
                let to = projected(p, &y);
                for k in 0..p.rows {
                    sum -= to[k] * self.along[p.first + k];
                }
            }
            sum
        };
        let enough = 0.2 * decrement;
        let mut high = 1.0;
        let mut at_high = slope(high);
        if at_high <= enough {
            return 1.0;
        }
        let (mut low, mut at_low) = (0.0, -decrement);
        for _ in 0..20 {
            let mut t = low - at_low * (high - low) / (at_high - at_low);
            let margin = 0.05 * (high - low);
            t = t.clamp(low + margin, high - margin);
            let s = slope(t);
            if s.abs() <= enough {
                return t;
            }
            if s > 0.0 {
                (high, at_high) = (t, s);
            } else {
                (low, at_low) = (t, s);
            }
        }
        if low > 0.0 { low } else { high }
    }

    /// Multipliers become what the minimum gives; ν those of the multipliers.
    pub(super) fn end(&mut self, points: &[Point], rows: &mut Rows, nu: &mut [f64]) {
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let y = self.target(at, p, 0.0);
            put(p, rows, nu, &projected(p, &y));
        }
    }
}

/// Gives a point new impulses.
pub(super) fn put(p: &Point, rows: &mut Rows, nu: &mut [f64], to: &[f64; 3]) {
    for k in 0..p.rows {
        let row = p.first + k;
        let change = to[k] - rows.lambda[row];
        if change != 0.0 && change.is_finite() {
            rows.add(row, change, nu);
        }
    }
}
