//! Newton's method on Coulomb's law λ = proj(λ − ρ w) itself, and steps with a matrix of an earlier
//! solution.

use super::newton::{Newton, put};
use super::{Aim, Point};
use crate::contact::outcome::Outcome;
use crate::contact::rows::Rows;

/// Up to this many degrees of freedom Coulomb's law itself is solved, in so many rounds, with ρ in the
/// same units.
const POLISHED: usize = 200;
const MOST_POLISH: u32 = 10;
const POLISH_STIFFNESS: f64 = 100.0;
const MOST_POLISH_STIFFNESS: f64 = 1e7;
/// What each round of a finish must gain.
const FINISH_GAIN: f64 = 0.8;
/// Steps with the matrix of an earlier solution, and what each must gain.
const MOST_AGAIN: u32 = 6;
const AGAIN_GAIN: f64 = 0.3;

impl Newton {
    /// Newton's method on Coulomb's law itself, for islands that are small: not a minimum, so that it
    /// is only taken where it gains, but quadratic where contacts slide. Returns the rounds.
    pub(super) fn polish(
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
            if !self.linearise(points) {
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

    /// The same from close by for islands of any size, stiffer from round to round: impulses that many points share
    /// settle as fast as others then. Returns the rounds.
    pub(super) fn finish(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        enough: f64,
        left: &mut f64,
        residual: &impl Fn(&Rows, &[f64]) -> f64,
    ) -> u32 {
        let mut stiffness = POLISH_STIFFNESS;
        for round in 1..=MOST_POLISH {
            self.begin(points, rows, nu, stiffness, 1.0);
            if !self.linearise(points) {
                return round;
            }
            let before = *left;
            self.go(points, rows, nu, left, residual);
            if *left > FINISH_GAIN * before || *left <= enough {
                return round;
            }
            stiffness = (10.0 * stiffness).min(MOST_POLISH_STIFFNESS);
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
    pub fn again(
        &mut self,
        points: &[Point],
        rows: &mut Rows,
        nu: &mut [f64],
        aim: &Aim,
        residual: impl Fn(&Rows, &[f64]) -> f64,
    ) -> Outcome {
        let mut left = residual(rows, nu);
        let mut rounds = 0;
        while self.known && rounds < MOST_AGAIN && left > aim.enough {
            rounds += 1;
            self.begin(points, rows, nu, self.known_stiffness, 1.0);
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
    pub(super) fn linearise(&mut self, points: &[Point]) -> bool {
        self.factor.begin_general(&mut self.lu);
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let y = coulomb_target(&self.held, &self.rates, self.rho[at], p);
            let (_, slope) = p.coulomb_slope(&y);
            self.factor
                .add_general(at, &slope, self.rho[at], &mut self.lu);
        }
        self.known = self.lu.factorise();
        self.known_stiffness = self.stiffness;
        self.known
    }

    /// The gradient becomes M(ν − ν₀) − Jᵀ coulomb(λ̄ − ρ w).
    pub(super) fn find_gradient(&mut self, points: &[Point], rows: &Rows) {
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
    }

    /// Multipliers become coulomb(λ̄ − ρ w); ν those of the multipliers.
    pub(super) fn follow_coulomb(&self, points: &[Point], rows: &mut Rows, nu: &mut [f64]) {
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] != 0.0 {
                let y = coulomb_target(&self.held, &self.rates, self.rho[at], p);
                put(p, rows, nu, &p.coulomb(&y));
            }
        }
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
        self.find_gradient(points, rows);
        self.step.clear();
        self.step.extend(self.gradient.iter().map(|g| -g));
        self.lu.solve(&mut self.step);
        for (at, p) in points.iter().enumerate() {
            if self.rho[at] == 0.0 {
                continue;
            }
            let along = self.factor.rates(at, p, rows, &self.step);
            for k in 0..p.rows {
                self.rates[p.first + k] += along[k];
            }
        }
        self.follow_coulomb(points, rows, nu);
        let new = residual(rows, nu);
        if new <= *left {
            *left = new;
        } else {
            self.back(rows, nu);
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
