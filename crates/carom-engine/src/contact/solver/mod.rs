//! The contact problem of an island at one instant, solved.
//!
//! Unknown are the impulses λ at all points of all patches, limits and holds. With the rates
//! w = J ν + bias and ν = ν₀ + M⁻¹Jᵀλ, every point obeys Signorini's and Coulomb's laws
//!
//! ```text
//! λ_n ≥ 0,  w_n ≥ 0,  λ_n w_n = 0,     |λ_t| ≤ μ λ_n,  λ_t against w_t wherever it slides.
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `mod` | points and their laws, the residual, the order of methods |
//! | `sweep` | block Gauss–Seidel sweeps in velocity space: cheap, good from a warm start |
//! | `mixing` | sweeps that remember: Anderson mixing of what the last ones did |
//! | `newton` | proximal augmented Lagrangian with a semismooth Newton method: certain |
//! | `interior` | interior-point method on Coulomb's law: for what the others do not solve |
//! | `even` | of the many impulses that do the same, the smallest |
//! | `cones` | a point inside its cone |
//! | `stay` | rest, where Coulomb's law allows rest and motion |
//! | `close` | Newton's method on Coulomb's law from close by: points give way to changes of their impulses |
//! | `polish` | Newton's method on Coulomb's law itself: quadratic near the solution, for small islands |
//! | `laws` | what Coulomb's law, or the cone, makes of an impulse, with derivatives |
//! | `factor` | M + Jᵀ D J by bodies |
//! | `arm` | rows of points on free bodies |
//! | `block_lu` | general matrices over the same blocks, and their L and U |
//! | `limb` | rows of points on trees and linkages |
//! | `cholesky` | its Cholesky factor: dense when small, sparse when large |
//!
//! Sweeps come first, mixed from what the last ones did. Where they stall, the augmented Lagrangian takes over: for a
//! fixed shift s = μ|w_t| of the normal rates (De Saxcé's bipotential) the problem is the minimum of a convex function
//! of the velocities, which Newton's method finds from anywhere; the shift and the multipliers are updated from one
//! minimum to the next. Where the shift goes on wandering, as in heaps of which parts slide at speeds that hardly
//! matter to the impulses, the interior-point method follows the shift as an unknown. Large islands, and all that move
//! but the smallest, go from sweeps to Coulomb's law itself, in stages of rising stiffness (`close`); where all points push
//! without friction there is no shift, and the chain of minima ends at the solution. No matrix over pairs of
//! contacts is ever formed. Patches have more points than a rigid body needs: of the many impulses that do the same the
//! smallest are taken where points stick and islands are small, ones near the start elsewhere.
//!
//! Rows that contradict each other, by no more than the curvature of the ways they stand for, have no solution, or one of
//! impulses without bounds. Where a caller finds such, points may *give*: w + c λ takes the place of w.

mod arm;
mod block_lu;
mod cholesky;
mod close;
mod cones;
mod even;
mod factor;
mod interior;
mod laws;
mod limb;
mod mixing;
mod newton;
mod polish;
mod stay;
mod sweep;

use super::mass::MassMetric;
use super::outcome::Outcome;
use super::pair_gap::Path;
use super::rows::Rows;
use crate::model::Model;
use interior::Interior;
use mixing::{Mixing, Patience};
use newton::Newton;
use smallvec::SmallVec;
use sweep::{Course, Stencils};

/// The impulses a point can give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grip {
    /// Pushes only; friction within Coulomb's cone where it has rows across.
    Cone {
        /// Friction μ.
        friction: f64,
    },
    /// Dry friction of a known limit along two directions.
    Disc {
        /// The largest impulse.
        limit: f64,
    },
    /// Pushes and pulls along all its rows.
    Held,
    /// Resists either way along one row.
    Resists {
        /// The largest impulse.
        limit: f64,
    },
}

/// A point of a contact problem: up to three rows that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// First of its rows; the normal where there is one, then those across.
    pub first: usize,
    /// Number of rows.
    pub rows: usize,
    /// Rates of the rows without any impulse, beyond those of ν.
    pub bias: [f64; 3],
    /// What it can give.
    pub grip: Grip,
}

/// Residual of impacts, which decide how a symmetric scene goes on.
pub const ALL_DIGITS: f64 = 1e-14;
/// Residual at which nothing is left to gain.
pub const ROUND_OFF: f64 = 1e-12;
/// Part of an impulse that its residual is measured by where it outweighs the rates.
const SMALL: f64 = 1e-3;
/// Residual that counts as solved.
pub const SOLVED: f64 = 1e-8;
/// Pairs of sweeps in which the residual must fall to a part: where Newton's method costs little, where sweeps
/// cost little beside it, and where points push so many degrees of freedom that sweeps cost much.
const FEW: Pace = Pace {
    pairs: 8,
    part: 0.1,
};
const MANY: Pace = Pace {
    pairs: 40,
    part: 0.1,
};
const WIDE: Pace = Pace {
    pairs: 4,
    part: 0.3,
};
/// Pairs of sweeps at most.
const MOST_PAIRS: usize = 1000;
/// Problems of more points than this are many; mean number of degrees of freedom of a wide point.
const MANY_POINTS: usize = 80;
const WIDE_POINT: usize = 20;
/// Residual from which on many points do not begin again from nothing.
const ON_THE_WAY: f64 = 1e-3;
/// Islands of more degrees of freedom than this are solved in fewer, stiffer rounds.
pub const LARGE_ISLAND: usize = 60;
/// Residual from which on the solution is close, and how many degrees of freedom, and points, islands that move have at
/// least to be solved from there.
const NEAR: f64 = 1e-3;
const CLOSE_FREEDOMS: usize = 13;
const CLOSE_POINTS: usize = 8;
/// Islands of up to this many degrees of freedom are solved from inside their cones if all else fails.
const INSIDE: usize = 1200;
/// Islands of up to this many degrees of freedom, with at least so many points that rub, may be loose.
const LOOSE_ISLAND: usize = 12;
const LOOSE: usize = 4;
/// Impulses that alone would move their point so many times faster than the problem does are huge.
pub const HUGE: f64 = 1e3;
/// A problem whose residual is at most so many times that of one that was not solved is that one.
const AGAIN: f64 = 3.0;
/// Turns of sweeps and Newton's method.
const MOST_TURNS: usize = 4;

/// What is known of a point for the whole of a solve.
#[derive(Clone, Copy, Debug, Default)]
struct Scale {
    /// 1/⟨g, M⁻¹g⟩ of the normal, and of the stiffest direction across.
    rho: [f64; 2],
    /// Rate c by which it gives way to an impulse of 1.
    give: f64,
}

/// How fast sweeps must get on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pace {
    pairs: usize,
    part: f64,
}

/// Where the rows of a problem live.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    /// The model.
    pub model: &'a Model,
    /// Its configuration.
    pub at: Path<'a>,
}

/// How well a problem is to be solved.
#[derive(Clone, Copy, Debug)]
pub struct Aim {
    /// Size of the rates.
    pub speed: f64,
    /// The residual it may stop at.
    pub enough: f64,
    /// The residual that counts as solved.
    pub good: f64,
    /// The residual by which rows may contradict each other, where no method comes any closer.
    pub slack: f64,
    /// How much every point gives way, in units of its own response to an impulse.
    pub give: f64,
    /// Whether nothing moved before: what can stay does.
    pub calm: bool,
}

/// Storage of the solver.
#[derive(Debug, Default)]
pub struct Solver {
    scales: Vec<Scale>,
    stencils: Stencils,
    mixing: Mixing,
    newton: Newton,
    interior: Interior,
    /// Whether Newton's method did not get on with the last problem of many points.
    stubborn: bool,
    /// Whether something had to move in the last problem that began at rest.
    restless: bool,
    /// Number of points and residual of the last problem that no method solved.
    unsolved: Option<(usize, f64)>,
    best: Vec<f64>,
}

impl Solver {
    /// Forgets what it knows of earlier problems: solutions depend on their own step only.
    pub fn forget(&mut self) {
        self.newton.forget();
        self.stubborn = false;
        self.restless = false;
        self.unsolved = None;
    }

    /// Solves for the multipliers of the rows, which may hold a guess; `nu` holds the velocities of
    /// that guess and those of the solution afterwards.
    pub fn solve(
        &mut self,
        stage: &Stage,
        metric: &mut MassMetric,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
    ) -> Outcome {
        let &Aim {
            speed,
            enough,
            good,
            slack,
            give,
            calm,
        } = aim;
        self.measure(points, rows, give);
        self.newton.give = give;
        let mut rounds = 0;
        let mut left = self.residual(points, rows, nu, speed);
        // What no method solved none will solve a little later, from where they ended.
        let again =
            |&(count, residual): &(usize, f64)| count == points.len() && left <= AGAIN * residual;
        if left > good.max(slack) && give == 0.0 && self.unsolved.as_ref().is_some_and(again) {
            return Outcome {
                residual: left,
                ..Outcome::default()
            };
        }
        // Other trials of the same step differ by little.
        let mut prepared = false;
        let mut newton = std::mem::take(&mut self.newton);
        if left > enough && newton.may_know(points) {
            let judge = |rows: &Rows, nu: &[f64]| self.residual(points, rows, nu, speed);
            newton.prepare(stage, metric, points, rows);
            prepared = true;
            let again = newton.again(points, rows, nu, aim, judge);
            rounds += again.rounds;
            left = again.residual;
        }
        // Large islands, and all that move but the smallest, are solved from close by, if the start is.
        let pushes = |p: &Point| p.rows == 1 && matches!(p.grip, Grip::Cone { .. });
        let convex = points.iter().all(pushes);
        let least_close = match calm {
            _ if convex => usize::MAX,
            true => LARGE_ISLAND + 1,
            false => CLOSE_FREEDOMS,
        };
        let (mut contradicts, mut closed) = (false, false);
        if left > enough && left <= NEAR && points.len() >= CLOSE_POINTS && give == 0.0 {
            if !prepared {
                newton.prepare(stage, metric, points, rows);
                prepared = true;
            }
            if newton.factor.freedoms.len() >= least_close {
                let judge = |rows: &Rows, nu: &[f64]| self.residual(points, rows, nu, speed);
                let closing = newton.close(points, rows, nu, aim, judge);
                rounds += closing.outcome.rounds;
                left = closing.outcome.residual;
                (contradicts, closed) = (closing.contradicts, true);
            }
        }
        self.newton = newton;
        self.best.clear();
        self.best.extend_from_slice(&rows.lambda);
        let mut least = left;
        let pace = pace(points, rows);
        let many = pace == MANY;
        let loose = (left > enough || rounds > 0) && is_loose(points, rows);
        for turn in 0..MOST_TURNS {
            // Of small islands that need not be so, unless little is left.
            let large = self.newton.factor.freedoms.len() > LARGE_ISLAND;
            if contradicts && (large || least <= slack) {
                break;
            }
            // Newton's method is tried first, until it fails.
            let pace = if many && !self.stubborn { FEW } else { pace };
            if turn == 1 && least > good.max(if many { ON_THE_WAY } else { 0.0 }) {
                // The guess led into a corner: from nothing.
                rows.let_go(nu);
                left = self.residual(points, rows, nu, speed);
            }
            // Sweeps go from point to point: where impulses are not unique the first ones would take more.
            if left > enough && !(turn == 0 && loose) {
                let mut mixing = std::mem::take(&mut self.mixing);
                let judge = |rows: &Rows, nu: &[f64]| self.residual(points, rows, nu, speed);
                let patience = Patience {
                    enough,
                    good,
                    pairs: pace.pairs,
                    part: pace.part,
                    most: MOST_PAIRS,
                };
                let done = mixing.run(&self.course(points), rows, nu, &patience, judge);
                self.mixing = mixing;
                rounds += done.rounds;
                left = done.residual;
            }
            if left < least {
                least = left;
                self.best.copy_from_slice(&rows.lambda);
            }
            if left <= enough || self.stubborn && many && left <= good {
                break;
            }
            let before = least;
            let mut newton = std::mem::take(&mut self.newton);
            if !prepared {
                newton.prepare(stage, metric, points, rows);
                prepared = true;
            }
            let size = newton.factor.freedoms.len();
            let first = turn == 0 && size >= least_close;
            let judge = |rows: &Rows, nu: &[f64]| self.residual(points, rows, nu, speed);
            if give != 0.0 || !first || closed && size <= LARGE_ISLAND {
                // Where points push without friction the chain of minima ends for certain.
                let few = many && !convex;
                let done = newton.solve(points, rows, nu, aim, few, judge);
                rounds += done.rounds;
                left = self.residual(points, rows, nu, speed);
            }
            // From close by; the others where nothing else came there.
            let small = size < least_close;
            let wanting = left > if small { good } else { enough };
            if wanting && !convex && (left <= NEAR || first) && give == 0.0 {
                let closing = newton.close(points, rows, nu, aim, judge);
                rounds += closing.outcome.rounds;
                left = closing.outcome.residual;
                (contradicts, closed) = (closing.contradicts, true);
            }
            self.newton = newton;
            if left < least {
                least = left;
                self.best.copy_from_slice(&rows.lambda);
            }
            self.stubborn |= many && left > enough;
            if left <= enough || least <= good && (many || least > 0.1 * before) {
                break;
            }
        }
        if left > least {
            // The best is kept, whatever came after it.
            rows.go_to(&self.best, nu);
        }
        if calm && !self.restless && give == 0.0 && stay::moves(points, rows, nu, speed) {
            let mut newton = std::mem::take(&mut self.newton);
            if !prepared {
                newton.prepare(stage, metric, points, rows);
                prepared = true;
            }
            self.best.copy_from_slice(&rows.lambda);
            rows.let_go(nu);
            let judge = |rows: &Rows, nu: &[f64]| self.residual(points, rows, nu, speed);
            let still = newton.stay(points, rows, nu, aim, judge);
            self.newton = newton;
            rounds += still.rounds;
            self.restless = !still.converged;
            match still.converged {
                true => least = still.residual,
                false => rows.go_to(&self.best, nu),
            }
        }
        // From inside the cones, but not for steps that are looked at again.
        let size = self.newton.factor.freedoms.len();
        let hopeless = contradicts && size > LARGE_ISLAND;
        let last = enough <= good && size <= INSIDE && give == 0.0 && !hopeless;
        if least > good.max(slack) && last {
            let mut newton = std::mem::take(&mut self.newton);
            let mut interior = std::mem::take(&mut self.interior);
            let judge = |rows: &Rows, nu: &[f64]| self.residual(points, rows, nu, speed);
            let done = interior.solve(&mut newton, points, rows, nu, aim, judge);
            (self.newton, self.interior) = (newton, interior);
            rounds += done.rounds;
            least = done.residual;
            self.unsolved = (least > good.max(slack)).then_some((points.len(), least));
        }
        if loose && rounds > 0 && least <= good && give == 0.0 {
            let mut newton = std::mem::take(&mut self.newton);
            if !prepared {
                newton.prepare(stage, metric, points, rows);
            }
            self.best.copy_from_slice(&rows.lambda);
            let changed = newton.even_out(points, rows, nu, speed);
            self.newton = newton;
            if changed {
                let even = self.residual(points, rows, nu, speed);
                match even <= least.max(enough) {
                    true => least = even,
                    false => rows.go_to(&self.best, nu),
                }
            }
        }
        Outcome {
            rounds,
            residual: least,
            converged: least <= good.max(slack),
        }
    }

    /// The residual of the impulses in the rows.
    pub fn judge(&mut self, points: &[Point], rows: &Rows, nu: &[f64], speed: f64) -> f64 {
        self.measure(points, rows, 0.0);
        self.residual(points, rows, nu, speed)
    }

    /// Sweeps until rates change by less than `enough`; a rough solution, for steps that are
    /// looked at again.
    pub fn sweep(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        enough: f64,
        most: usize,
    ) -> Outcome {
        self.measure(points, rows, 0.0);
        let mut change = f64::INFINITY;
        for k in 0..most {
            change = self.course(points).sweep(rows, nu, k % 2 == 1);
            if change <= enough {
                return Outcome {
                    rounds: k as u32 + 1,
                    residual: change,
                    converged: true,
                };
            }
        }
        Outcome {
            rounds: most as u32,
            residual: change,
            converged: false,
        }
    }

    /// What sweeps go over.
    fn course<'a>(&'a self, points: &'a [Point]) -> Course<'a> {
        Course {
            points,
            scales: &self.scales,
            stencils: &self.stencils,
        }
    }

    /// Scales and rows of all points.
    fn measure(&mut self, points: &[Point], rows: &Rows, give: f64) {
        self.stencils.set(points, rows);
        self.scales.clear();
        self.scales.extend(points.iter().map(|p| {
            let inverse = |w: f64| if w > 0.0 { 1.0 / w } else { 0.0 };
            let across = |first: usize| {
                // The larger eigenvalue of the 2 × 2 block across.
                let (a, d) = (rows.weight(first), rows.weight(first + 1));
                let b = rows.coupling(first, first + 1);
                0.5 * (a + d) + (0.25 * (a - d) * (a - d) + b * b).sqrt()
            };
            Scale {
                rho: match p.grip {
                    Grip::Disc { .. } => [0.0, inverse(across(p.first))],
                    _ if p.rows == 3 => {
                        [inverse(rows.weight(p.first)), inverse(across(p.first + 1))]
                    }
                    _ if p.rows == 2 => [p.first, p.first + 1].map(|r| inverse(rows.weight(r))),
                    _ => [inverse(rows.weight(p.first)), 0.0],
                },
                give: give * p.response(rows),
            }
        }));
    }

    /// The largest difference between the impulses of a point and what its law makes of them
    /// (Alart and Curnier 1991), λ − proj(λ − ρ w), relative to ρ times `speed`, and to a small part
    /// of them where they are so large that round-off says no more.
    fn residual(&self, points: &[Point], rows: &Rows, nu: &[f64], speed: f64) -> f64 {
        let mut largest: f64 = 0.0;
        for (at, (p, s)) in points.iter().zip(&self.scales).enumerate() {
            let (lambda, w) = match self.stencils.of(at) {
                Some(stencil) => stencil.values(p, rows, nu),
                None => p.values(rows, nu),
            };
            let mut y = [0.0; 3];
            for k in 0..p.rows {
                y[k] = lambda[k] - p.rho(s, k) * (w[k] + s.give * lambda[k]);
            }
            let to = p.coulomb(&y);
            let mut off: f64 = 0.0;
            let mut size: f64 = 0.0;
            for k in 0..p.rows {
                let rho = p.rho(s, k);
                if rho > 0.0 {
                    off += (lambda[k] - to[k]) * (lambda[k] - to[k]);
                    size = size.max(SMALL * lambda[k].abs() + rho * speed);
                }
            }
            if size > 0.0 {
                largest = largest.max(off.sqrt() / size);
            }
        }
        if largest.is_finite() {
            largest
        } else {
            f64::INFINITY
        }
    }
}

/// Whether a small problem has far more rows than degrees of freedom, some of them across: impulses that rub and are not
/// unique.
fn is_loose(points: &[Point], rows: &Rows) -> bool {
    if points.iter().filter(|p| p.rows == 3).count() < LOOSE {
        return false;
    }
    let mut pushed = SmallVec::<[usize; LOOSE_ISLAND]>::new();
    for p in points {
        for e in (p.first..p.first + p.rows).flat_map(|row| rows.entries(row)) {
            if pushed.contains(&e.freedom) {
                continue;
            }
            if pushed.len() == LOOSE_ISLAND {
                return false;
            }
            pushed.push(e.freedom);
        }
    }
    // One patch of four points has two rows for each degree of freedom of its body, and no choice that matters.
    points.iter().map(|p| p.rows).sum::<usize>() > 2 * pushed.len()
}

/// How fast sweeps must get on to be worth their time.
fn pace(points: &[Point], rows: &Rows) -> Pace {
    let pushed: usize = points.iter().map(|p| rows.entries(p.first).len()).sum();
    if pushed > WIDE_POINT * points.len() {
        WIDE
    } else if points.len() > MANY_POINTS {
        MANY
    } else {
        FEW
    }
}

impl Point {
    /// ρ of one of its rows.
    #[inline]
    fn rho(&self, s: &Scale, k: usize) -> f64 {
        match self.grip {
            Grip::Disc { .. } => s.rho[1],
            _ => s.rho[k.min(1)],
        }
    }

    /// The mean of ⟨g, M⁻¹g⟩ over the rows that respond at all.
    fn response(&self, rows: &Rows) -> f64 {
        let weights = (self.first..self.first + self.rows).map(|row| rows.weight(row));
        let (mut sum, mut count) = (0.0, 0.0);
        for weight in weights.filter(|w| *w > 0.0) {
            (sum, count) = (sum + weight, count + 1.0);
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// The rate that its normal impulse alone gives it.
    pub fn alone(&self, rows: &Rows) -> f64 {
        rows.lambda[self.first] * rows.weight(self.first)
    }

    /// Impulses and rates.
    #[inline]
    fn values(&self, rows: &Rows, nu: &[f64]) -> ([f64; 3], [f64; 3]) {
        let (mut lambda, mut w) = ([0.0; 3], [0.0; 3]);
        for k in 0..self.rows {
            lambda[k] = rows.lambda[self.first + k];
            w[k] = rows.rate(self.first + k, nu) + self.bias[k];
        }
        (lambda, w)
    }
}

#[cfg(test)]
mod tests;
