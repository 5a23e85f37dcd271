//! A point inside its cone, for the interior-point method.
//!
//! Every law becomes a pair x, z of the cone x₀ ≥ |x₁| with x ∘ z = 0 in the end:
//!
//! | law | x | z |
//! | --- | --- | --- |
//! | friction μ | (μ λ_n, λ_t) | (w_n/μ + \|w_t\|, w_t) |
//! | pushes only | λ_n | w_n |
//! | impulses up to a limit | (limit, λ) | (ζ, w), ζ free |
//!
//! On the way there x ∘ z = τ e, and Newton's method with the scaling of Nesterov and Todd gives
//!
//! ```text
//! dx = τ z⁻¹ − x − W² dz,     W² = β² (2 w̄ w̄ᵀ − diag(1, −1, −1)).
//! ```

use super::laws::length;
use super::{Grip, Point};

/// A vector of the cone.
type Vector = [f64; 3];
/// A matrix over it.
type Matrix = [[f64; 3]; 3];

/// How rows become a pair of the cone.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    /// Coulomb's.
    Friction(f64),
    /// Pushes along its first row.
    Push,
    /// Its impulse has a largest length.
    Bounded,
    /// Pushes and pulls: no cone, but a stiff hold.
    Held(f64),
    /// Gives nothing.
    Idle,
}

/// What the interior-point method knows of a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    law: Law,
    rows: usize,
    /// x and z.
    force: Vector,
    rate: Vector,
    /// Of the last linearisation: dλ = given − slope dw.
    given: Vector,
    pub slope: Matrix,
    /// z minus what the rates give, and the derivative of |w_t|.
    miss: Vector,
    turn: [f64; 2],
    /// dζ of a bounded impulse: of itself, and minus that by the rates.
    slack: Vector,
    /// The step of x and z.
    force_step: Vector,
    rate_step: Vector,
}

/// How stiff a hold is, in units of 1/⟨g, M⁻¹g⟩.
const HOLD: f64 = 1e8;

impl Inside {
    /// A point at the start: impulses of the size speed/weight, rates of the size of the speed.
    pub fn new(p: &Point, weight: f64, speed: f64) -> Self {
        let law = match p.grip {
            _ if weight <= 0.0 => Law::Idle,
            Grip::Cone { friction } if p.rows == 3 && friction > 0.0 => Law::Friction(friction),
            Grip::Cone { .. } => Law::Push,
            Grip::Disc { limit } | Grip::Resists { limit } if limit > 0.0 => Law::Bounded,
            Grip::Disc { .. } | Grip::Resists { .. } => Law::Idle,
            Grip::Held => Law::Held(HOLD / weight),
        };
        let start = match (law, p.grip) {
            (Law::Bounded, Grip::Disc { limit } | Grip::Resists { limit }) => limit,
            (Law::Friction(friction), _) => friction * speed / weight,
            _ => speed / weight,
        };
        let start_rate = match law {
            Law::Friction(friction) => speed / friction,
            _ => speed,
        };
        Self {
            law,
            rows: p.rows,
            force: match law {
                Law::Held(_) | Law::Idle => [0.0; 3],
                _ => [start, 0.0, 0.0],
            },
            rate: [start_rate, 0.0, 0.0],
            given: [0.0; 3],
            slope: [[0.0; 3]; 3],
            miss: [0.0; 3],
            turn: [0.0; 2],
            slack: [0.0; 3],
            force_step: [0.0; 3],
            rate_step: [0.0; 3],
        }
    }

    /// Whether it has a cone.
    fn is_cone(&self) -> bool {
        matches!(self.law, Law::Friction(_) | Law::Push | Law::Bounded)
    }

    /// ⟨x, z⟩, if it has a cone.
    pub fn product(&self) -> Option<f64> {
        let sum = (0..3).map(|k| self.force[k] * self.rate[k]).sum();
        self.is_cone().then_some(sum)
    }

    /// The impulses of its rows.
    pub fn impulses(&self) -> Vector {
        let x = self.force;
        match self.law {
            Law::Friction(friction) => [x[0] / friction, x[1], x[2]],
            Law::Push => [x[0], 0.0, 0.0],
            Law::Bounded => [x[1], x[2], 0.0],
            Law::Held(_) => x,
            Law::Idle => [0.0; 3],
        }
    }

    /// Newton's equations at the rates w: dλ = given − slope dw, for x ∘ z = τ e.
    pub fn linearise(&mut self, w: &Vector, tau: f64) -> Vector {
        self.slope = [[0.0; 3]; 3];
        match self.law {
            Law::Idle => self.given = [0.0; 3],
            Law::Held(stiffness) => {
                for k in 0..self.rows {
                    self.slope[k][k] = stiffness;
                    self.given[k] = -stiffness * w[k];
                }
            }
            Law::Push => {
                // One component: W² = x/z.
                self.miss[0] = self.rate[0] - w[0];
                let scale = self.force[0] / self.rate[0];
                self.slope[0][0] = scale;
                self.given[0] = tau / self.rate[0] - self.force[0] + scale * self.miss[0];
            }
            Law::Friction(friction) => {
                let slides = length(w[1], w[2]);
                let to = [w[0] / friction + slides, w[1], w[2]];
                self.miss = std::array::from_fn(|k| self.rate[k] - to[k]);
                let unit = |x: f64| if slides > 0.0 { x / slides } else { 0.0 };
                self.turn = [unit(w[1]), unit(w[2])];
                let square = scaling(&self.force, &self.rate);
                let free = self.free_step(tau, &square);
                // dλ = D dx and dz = A D dw − miss, with D = diag(1/μ, 1, 1) and A = I + e₀ turnᵀ.
                let d = [1.0 / friction, 1.0, 1.0];
                for i in 0..3 {
                    self.given[i] = d[i] * free[i];
                    self.slope[i][0] = d[i] * square[i][0] * d[0];
                    for k in 1..3 {
                        let through = square[i][k] + square[i][0] * self.turn[k - 1];
                        self.slope[i][k] = d[i] * through;
                    }
                }
            }
            Law::Bounded => {
                // The first component of x stays: ζ is eliminated.
                self.miss = [0.0, self.rate[1] - w[0], 0.0];
                if self.rows == 2 {
                    self.miss[2] = self.rate[2] - w[1];
                }
                let square = scaling(&self.force, &self.rate);
                let free = self.free_step(tau, &square);
                self.slack = [free[0], square[0][1], square[0][2]].map(|s| s / square[0][0]);
                for i in 0..self.rows {
                    let ratio = square[i + 1][0] / square[0][0];
                    self.given[i] = free[i + 1] - ratio * free[0];
                    for k in 0..self.rows {
                        self.slope[i][k] = square[i + 1][k + 1] - ratio * square[0][k + 1];
                    }
                }
            }
        }
        self.given
    }

    /// τ z⁻¹ − x + W² miss: the step of x where the rates do not change.
    fn free_step(&self, tau: f64, square: &Matrix) -> Vector {
        let z = &self.rate;
        let det = determinant(z);
        let inverse = [z[0] / det, -z[1] / det, -z[2] / det];
        std::array::from_fn(|i| {
            let push: f64 = (0..3).map(|k| square[i][k] * self.miss[k]).sum();
            tau * inverse[i] - self.force[i] + push
        })
    }

    /// Takes the change of its rates, and says how far x and z may go along their steps.
    pub fn follow(&mut self, dw: &Vector) -> f64 {
        let dl: Vector = std::array::from_fn(|i| {
            let push: f64 = (0..3).map(|k| self.slope[i][k] * dw[k]).sum();
            self.given[i] - push
        });
        match self.law {
            Law::Idle => return f64::INFINITY,
            Law::Held(_) => {
                self.force_step = dl;
                return f64::INFINITY;
            }
            Law::Push => {
                self.force_step = [dl[0], 0.0, 0.0];
                self.rate_step = [dw[0] - self.miss[0], 0.0, 0.0];
            }
            Law::Friction(friction) => {
                self.force_step = [friction * dl[0], dl[1], dl[2]];
                let across = self.turn[0] * dw[1] + self.turn[1] * dw[2];
                let to = [dw[0] / friction + across, dw[1], dw[2]];
                self.rate_step = std::array::from_fn(|k| to[k] - self.miss[k]);
            }
            Law::Bounded => {
                self.force_step = [0.0, dl[0], dl[1]];
                let dw = if self.rows == 2 {
                    *dw
                } else {
                    [dw[0], 0.0, 0.0]
                };
                let slack = self.slack[0] - self.slack[1] * dw[0] - self.slack[2] * dw[1];
                self.rate_step = [slack, dw[0] - self.miss[1], dw[1] - self.miss[2]];
            }
        }
        let x = farthest(&self.force, &self.force_step);
        x.min(farthest(&self.rate, &self.rate_step))
    }

    /// Goes a part of its step.
    pub fn go(&mut self, part: f64) {
        for k in 0..3 {
            self.force[k] += part * self.force_step[k];
            self.rate[k] += part * self.rate_step[k];
        }
    }

    /// The same in trial: ⟨x, z⟩ and √(det x det z), whose ratio to τ says how central it is.
    pub fn after(&self, part: f64) -> Option<(f64, f64)> {
        if !self.is_cone() {
            return None;
        }
        let moved = |x: &Vector, step: &Vector| -> Vector {
            std::array::from_fn(|k| x[k] + part * step[k])
        };
        let x = moved(&self.force, &self.force_step);
        let z = moved(&self.rate, &self.rate_step);
        let central = determinant(&x).max(0.0) * determinant(&z).max(0.0);
        let inside = x[0] > 0.0 && z[0] > 0.0;
        let product = (0..3).map(|k| x[k] * z[k]).sum();
        Some((product, if inside { central.sqrt() } else { 0.0 }))
    }
}

/// x₀² − |x₁|².
fn determinant(x: &Vector) -> f64 {
    let across = length(x[1], x[2]);
    (x[0] - across) * (x[0] + across)
}

/// W² of Nesterov and Todd: the scaling that makes the same vector of z as its inverse makes of x.
fn scaling(x: &Vector, z: &Vector) -> Matrix {
    let (dx, dz) = (determinant(x).sqrt(), determinant(z).sqrt());
    let product: f64 = (0..3).map(|k| x[k] * z[k]).sum::<f64>() / (dx * dz);
    // w̄ = (x/√det x + (z₀, −z₁)/√det z)/(2γ), γ² = (1 + ⟨x, z⟩/√(det x det z))/2.
    let gamma = (0.5 * (1.0 + product)).sqrt();
    let mean: Vector = std::array::from_fn(|k| {
        let sign = if k == 0 { 1.0 } else { -1.0 };
        (x[k] / dx + sign * z[k] / dz) / (2.0 * gamma)
    });
    let size = dx / dz;
    let mut square = [[0.0; 3]; 3];
    for i in 0..3 {
        for k in 0..3 {
            square[i][k] = 2.0 * size * mean[i] * mean[k];
        }
        square[i][i] += if i == 0 { -size } else { size };
    }
    square
}

/// How far x may go along a step until it meets the wall of the cone.
fn farthest(x: &Vector, step: &Vector) -> f64 {
    // det(x + t step) = a t² + 2 b t + c.
    let a = step[0] * step[0] - step[1] * step[1] - step[2] * step[2];
    let b = x[0] * step[0] - x[1] * step[1] - x[2] * step[2];
    let c = determinant(x);
    let mut most = f64::INFINITY;
    if step[0] < 0.0 {
        most = -x[0] / step[0];
    }
    let under = b * b - a * c;
    if under >= 0.0 {
        let q = -(b + under.sqrt().copysign(b));
        for root in [q / a, c / q] {
            if root > 0.0 {
                most = most.min(root);
            }
        }
    }
    most
}
