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
//! minimum from anywhere. Then λ̄ ← proj_K(…) and s ← μ|w_t| (De Saxcé: with that shift the cone's law
//! is Coulomb's), and again. Large ρ makes few rounds; redundant contacts do no harm, because H =
//! M + Jᵀ D J is positive definite whatever J is.

use super::factor::Factor;
use super::{Aim, Grip, Point, Stage, length};
use crate::contact::mass::MassMetric;
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;
use crate::mechanics::dense::Lu;

/// Rounds of multipliers and shifts.
const MOST_ROUNDS: u32 = 40;
/// Newton steps of one minimum.
const MOST_STEPS: usize = 40;
/// ρ in units of 1/⟨g, M⁻¹g⟩: at first, at most.
const FIRST_STIFFNESS: f64 = 30.0;
const START_STIFFNESS: f64 = 3.0;
const NEAR_STIFFNESS: f64 = 1e5;
const MOST_STIFFNESS: f64 = 1e10;
/// Up to this many degrees of freedom Coulomb's law itself is solved, in so many rounds, with ρ in the
/// same units.
const POLISHED: usize = 200;
const MOST_POLISH: u32 = 10;
const POLISH_STIFFNESS: f64 = 100.0;
/// Steps with the matrix of an earlier solution, and what each must gain.
const MOST_AGAIN: u32 = 6;
const AGAIN_GAIN: f64 = 0.3;
/// From this residual on only a few rounds more are spent.
const GOOD: f64 = 1e-9;
const ALL: f64 = 1e-13;
const SMALL_ISLAND: usize = 24;
const LARGE_ISLAND: usize = 60;
/// A decrement of this part of the impulses' energy is round-off, at least.
const ENOUGH: f64 = 1e-29;
/// A decrement of this part that does not fall any more is round-off too.
const NOISE: f64 = 1e-21;

/// Storage of the method.
#[derive(Debug, Default)]
pub(super) struct Newton {
    factor: Factor,
    /// Multipliers, shifts and ρ held in a round.
    held: Vec<f64>,
    shift: Vec<f64>,
    rho: Vec<f64>,
    /// Rates of the rows at ν and along the step.
    rates: Vec<f64>,
    along: Vec<f64>,
    /// M(ν − ν₀), the gradient and the step, over the island's freedoms.
    momentum: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    pushed: Vec<f64>,
    /// proj_K(y) of all rows.
    projected: Vec<f64>,
    /// The last matrix of Coulomb's law, and whether there is one of the rows that are set up.
    lu: Lu,
    known: bool,
}

impl Newton {
    /// Goes from the multipliers in the rows towards the solution; `residual` judges.
    #[allow(clippy::too_many_arguments)]
    pub fn solve(
        &mut self,
        stage: &Stage,
        metric: &mut MassMetric,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Outcome {
        let &Aim { enough, good, .. } = aim;
        self.factor.set_up(stage, metric, points, rows);
        self.known &= self.factor.same;
        let mut left = residual(rows, nu);
        // Near the solution nothing is in the way of a stiff start; on the way there large islands
        // save rounds by it.
        let large = self.factor.freedoms.len() > LARGE_ISLAND;
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
        while rounds < MOST_ROUNDS && left > enough {
            if left < 0.1 && rounds != 1 {
                rounds += self.polish(points, rows, nu, enough, &mut left, &residual);
                if left <= enough {
                    break;
                }
            }
            // Small islands are solved to the last digit.
            let small = self.factor.freedoms.len() <= SMALL_ISLAND;
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

    /// Newton's method on Coulomb's law itself, for islands that are small: not a minimum, so that it
    /// is only taken where it gains, but quadratic where contacts slide. Returns the rounds.
    #[allow(clippy::too_many_arguments)]
    fn polish(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        enough: f64,
        left: &mut f64,
        residual: &impl Fn(&Rows, &[f64]) -> f64,
    ) -> u32 {
        let n = self.factor.freedoms.len();
        if n > POLISHED {
            return 0;
        }
        for round in 1..=MOST_POLISH {
            self.begin(points, rows, nu, POLISH_STIFFNESS, 1.0);
            if !self.linearise(points, rows) {
                return round;
            }
            let before = *left;
            self.go(points, rows, nu, left, residual);
            if *left > 0.5 * before || *left <= enough {
                return round;
            }
        }
        MOST_POLISH
    }

    /// Forgets the matrix of the last time.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Whether there may be a matrix for these points from the last time.
    pub fn may_know(&self, points: &[Point]) -> bool {
        self.known && self.rho.len() == points.len()
    }

    /// The same with the matrix of the last time, for rows that have not changed since; whether it
    /// came to what is enough.
    #[allow(clippy::too_many_arguments)]
    pub fn again(
        &mut self,
        stage: &Stage,
        metric: &mut MassMetric,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Outcome {
        let mut left = residual(rows, nu);
        self.factor.set_up(stage, metric, points, rows);
        self.known &= self.factor.same;
        let mut rounds = 0;
        while self.known && rounds < MOST_AGAIN && left > aim.enough {
            rounds += 1;
            self.begin(points, rows, nu, POLISH_STIFFNESS, 1.0);
            let before = left;
            self.go(points, rows, nu, &mut left, &residual);
            if left > AGAIN_GAIN * before {
                break;
            }
        }
        Outcome {
            rounds,
            residual: left,
            converged: left <= aim.enough,
        }
    }

    /// The matrix M + Jᵀ ρ ∂proj J of Coulomb's law where it stands, factorised.
    fn linearise(&mut self, points: &[Point], rows: &Rows) -> bool {
        let matrix = self.lu.clear(self.factor.freedoms.len());
        self.factor.copy_mass(matrix);
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let y = coulomb_target(&self.held, &self.rates, self.rho[at], p);
            let (_, slope) = p.coulomb_slope(&y);
            self.factor
                .add_full(at, p, rows, &slope, self.rho[at], matrix);
        }
        self.known = self.lu.factorise();
        self.known
    }

    /// A step of Newton's method with the matrix there is; taken back if it gains nothing.
    fn go(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        left: &mut f64,
        residual: &impl Fn(&Rows, &[f64]) -> f64,
    ) {
        // M(ν − ν₀) − Jᵀ proj(y).
        self.gradient.copy_from_slice(&self.momentum);
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let y = coulomb_target(&self.held, &self.rates, self.rho[at], p);
            let to = p.coulomb(&y);
            for k in 0..p.rows {
                if to[k] != 0.0 {
                    for e in rows.entries(p.first + k) {
                        self.gradient[self.factor.at(e.freedom)] -= to[k] * e.gradient;
                    }
                }
            }
        }
        self.step.clear();
        self.step.extend(self.gradient.iter().map(|g| -g));
        self.lu.solve(&mut self.step);
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            for row in p.first..p.first + p.rows {
                let entries = rows.entries(row).iter();
                self.rates[row] += entries
                    .map(|e| e.gradient * self.step[self.factor.at(e.freedom)])
                    .sum::<f64>();
            }
        }
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] != 0.0 {
                let y = coulomb_target(&self.held, &self.rates, self.rho[at], p);
                put(p, rows, nu, &p.coulomb(&y));
            }
        }
        let new = residual(rows, nu);
        if new <= *left {
            *left = new;
        } else {
            self.back(rows, nu);
        }
    }

    /// Multipliers as they were when the round began.
    fn back(&self, rows: &mut Rows, nu: &mut [f64]) {
        for row in 0..rows.len() {
            let back = self.held[row] - rows.lambda[row];
            if back != 0.0 {
                rows.add(row, back, nu);
            }
        }
    }

    /// Takes multipliers, shifts and velocities as they are.
    fn begin(&mut self, points: &[Point], rows: &Rows, nu: &[f64], stiffness: f64, relax: f64) {
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
            let mut mean = 0.0;
            let mut count = 0.0;
            for k in 0..p.rows {
                let row = p.first + k;
                self.rates[row] = rows.rate(row, nu) + p.bias[k];
                let weight = rows.weight(row);
                if weight > 0.0 {
                    mean += weight;
                    count += 1.0;
                }
                for e in rows.entries(row) {
                    self.momentum[self.factor.at(e.freedom)] += rows.lambda[row] * e.gradient;
                }
            }
            self.rho.push(if count > 0.0 {
                stiffness * count / mean
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
    fn minimise(&mut self, points: &[Point], rows: &Rows, enough: f64) -> (usize, bool) {
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
                    if to[k] != 0.0 {
                        for e in rows.entries(row) {
                            self.gradient[self.factor.at(e.freedom)] -= to[k] * e.gradient;
                        }
                    }
                }
                if let Some(slope) = slope {
                    self.factor.add(at, p, rows, &slope, self.rho[at]);
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
                for row in p.first..p.first + p.rows {
                    let entries = rows.entries(row).iter();
                    self.along[row] = entries
                        .map(|e| e.gradient * self.step[self.factor.at(e.freedom)])
                        .sum();
                }
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
                let (to, _) = project(p, &y);
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
    fn end(&mut self, points: &[Point], rows: &mut Rows, nu: &mut [f64]) {
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let y = self.target(at, p, 0.0);
            let (to, _) = project(p, &y);
            put(p, rows, nu, &to);
        }
    }
}

/// y = λ̄ − ρ w of a point, without shift.
#[inline]
fn coulomb_target(held: &[f64], rates: &[f64], rho: f64, p: &Point) -> [f64; 3] {
    let mut y = [0.0; 3];
    for k in 0..p.rows {
        let row = p.first + k;
        y[k] = held[row] - rho * rates[row];
    }
    y
}

/// Gives a point new impulses.
fn put(p: &Point, rows: &mut Rows, nu: &mut [f64], to: &[f64; 3]) {
    for k in 0..p.rows {
        let row = p.first + k;
        let change = to[k] - rows.lambda[row];
        if change != 0.0 && change.is_finite() {
            rows.add(row, change, nu);
        }
    }
}

/// The projection on the set of impulses of a point, and its derivative where that is not zero.
#[inline]
fn project(p: &Point, y: &[f64; 3]) -> ([f64; 3], Option<[[f64; 3]; 3]>) {
    let mut slope = [[0.0; 3]; 3];
    match p.grip {
        Grip::Held => {
            (0..p.rows).for_each(|k| slope[k][k] = 1.0);
            (*y, Some(slope))
        }
        Grip::Resists { limit } => {
            slope[0][0] = 1.0;
            let inside = y[0].abs() < limit;
            (
                [y[0].clamp(-limit, limit), 0.0, 0.0],
                inside.then_some(slope),
            )
        }
        Grip::Cone { friction } if p.rows == 3 => cone(friction, y),
        Grip::Cone { .. } => {
            slope[0][0] = 1.0;
            ([y[0].max(0.0), 0.0, 0.0], (y[0] > 0.0).then_some(slope))
        }
        Grip::Disc { limit } => {
            let length = length(y[0], y[1]);
            if length <= limit {
                (slope[0][0], slope[1][1]) = (1.0, 1.0);
                return ([y[0], y[1], 0.0], Some(slope));
            }
            let part = limit / length;
            let u = [y[0] / length, y[1] / length];
            for k in 0..2 {
                for l in 0..2 {
                    slope[k][l] = part * (f64::from(u8::from(k == l)) - u[k] * u[l]);
                }
            }
            ([y[0] * part, y[1] * part, 0.0], Some(slope))
        }
    }
}

/// The projection on the cone |t| ≤ μ n.
#[inline]
fn cone(friction: f64, y: &[f64; 3]) -> ([f64; 3], Option<[[f64; 3]; 3]>) {
    let mut slope = [[0.0; 3]; 3];
    let length = length(y[1], y[2]);
    if length <= friction * y[0] {
        (0..3).for_each(|k| slope[k][k] = 1.0);
        return (*y, Some(slope));
    }
    if friction * length <= -y[0] {
        return ([0.0; 3], None);
    }
    // On the mantle: n = (y_n + μ|y_t|)/(1 + μ²), t = μ n y_t/|y_t|.
    let inverse = 1.0 / (1.0 + friction * friction);
    let normal = (y[0] + friction * length) * inverse;
    let u = [y[1] / length, y[2] / length];
    let ratio = friction * normal / length;
    slope[0][0] = inverse;
    for k in 0..2 {
        slope[0][1 + k] = friction * u[k] * inverse;
        slope[1 + k][0] = slope[0][1 + k];
        for l in 0..2 {
            let along = friction * friction * u[k] * u[l] * inverse;
            let across = ratio * (f64::from(u8::from(k == l)) - u[k] * u[l]);
            slope[1 + k][1 + l] = along + across;
        }
    }
    let across = friction * normal;
    ([normal, across * u[0], across * u[1]], Some(slope))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
