//! Impacts by Poisson's law on all points of all patches at once.
//!
//! Compression: the impulses λ_c that leave nothing approaching, without rebound (`solver`).
//! Expansion: every contact that was struck gives e λ_c once more along its normals, with friction
//! again within its cone, and whatever would then still approach is held off. One contact without
//! friction rebounds at −e times its speed, as by Newton's law; several at once, patches and friction
//! come out symmetric where the scene is, and nothing depends on an order.
//!
//! Poisson's law can gain energy where friction reverses the sliding. The expansion is then taken in
//! part only, θ < 1, so that the kinetic energy after is at most that before. Compression and any part
//! of the expansion leave nothing approaching and stay within the friction cones, which are convex:
//! so does every θ between. The impulses depend continuously on e and μ.

use super::mass::MassMetric;
use super::outcome::Outcome;
use super::rows::Rows;
use super::solver::{Grip, Point, ROUND_OFF, Solver, Stage};

/// How a point rebounds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounce {
    /// Contact it belongs to: its points are struck together.
    pub contact: usize,
    /// Restitution e.
    pub restitution: f64,
    /// Strokes weaker than this (a speed) do not rebound.
    pub rest_speed: f64,
    /// Speed of approach before, if it was taken up already.
    pub approach: f64,
    /// Normal impulse that took it up.
    pub given: f64,
}

/// What a jump did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jumped {
    /// What the solver reached.
    pub outcome: Outcome,
    /// Change of kinetic energy.
    pub energy: f64,
    /// Part of the expansion that was taken.
    pub part: f64,
}

/// Storage of jumps.
#[derive(Debug, Default)]
pub struct Poisson {
    before: Vec<f64>,
    compressed: Vec<f64>,
    middle: Vec<f64>,
    strokes: Vec<[f64; 3]>,
    points: Vec<Point>,
    doubled: Vec<(usize, usize)>,
}

impl Poisson {
    /// Lets velocities jump. `points` have no bias; multipliers go into the rows. `spent` is energy
    /// that contacts took out just before and may give back.
    #[allow(clippy::too_many_arguments)]
    pub fn jump(
        &mut self,
        solver: &mut Solver,
        stage: &Stage,
        metric: &mut MassMetric,
        points: &[Point],
        bounces: &[Bounce],
        rows: &mut Rows,
        nu: &mut [f64],
        spent: f64,
    ) -> Jumped {
        let count = rows.len();
        self.before.clear();
        self.before.extend((0..count).map(|r| rows.rate(r, nu)));
        let speed = self.before.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let guess = rows.lambda.iter().any(|l| *l != 0.0);
        if guess {
            for row in 0..count {
                let lambda = rows.lambda[row];
                rows.lambda[row] = 0.0;
                rows.add(row, lambda, nu);
            }
        }
        let mut outcome = solver.solve(stage, metric, points, rows, nu, speed, ROUND_OFF);
        // ½ Σ λ (w⁻ + w): the energy compression took.
        let lost = 0.5
            * (0..count)
                .map(|r| rows.lambda[r] * (self.before[r] + rows.rate(r, nu)))
                .sum::<f64>();
        let mut done = Jumped {
            outcome,
            energy: lost,
            part: 1.0,
        };
        self.compressed.clear();
        self.compressed.extend_from_slice(&rows.lambda);
        if !self.expand(points, bounces, rows) {
            return done;
        }
        self.middle.clear();
        self.middle.extend((0..count).map(|r| rows.rate(r, nu)));
        // The expansion's own impulses: e λ_c is given, the rest is found.
        rows.lambda.fill(0.0);
        for (p, b) in points.iter().zip(bounces) {
            let given = self.given(p, b);
            if given > 0.0 {
                rows.add(p.first, given, nu);
                rows.lambda[p.first] = 0.0;
            }
        }
        let found = solver.solve(stage, metric, &self.points, rows, nu, speed, ROUND_OFF);
        outcome = outcome.and(found);
        done.outcome = outcome;
        // Total impulses of the expansion.
        for (p, b) in points.iter().zip(bounces) {
            rows.lambda[p.first] += self.given(p, b);
        }
        for &(first, again) in &self.doubled {
            for k in 0..2 {
                rows.lambda[first + k] += rows.lambda[again + k];
            }
        }
        rows.truncate(count);
        // T(θ) − T⁻ = lost + θ Σ λ w₁ + ½ θ² Σ λ (w₂ − w₁) ≤ spent.
        let (mut slope, mut curve) = (0.0, 0.0);
        for r in 0..count {
            let w = rows.rate(r, nu);
            slope += rows.lambda[r] * self.middle[r];
            curve += rows.lambda[r] * (w - self.middle[r]);
        }
        let room = spent - lost;
        let part = if slope + 0.5 * curve <= room {
            1.0
        } else if room <= 0.0 {
            0.0
        } else {
            // The root of ½ c θ² + s θ = room, in the form that does not cancel.
            let root = (slope * slope + 2.0 * curve * room).max(0.0).sqrt();
            (2.0 * room / (slope + root)).clamp(0.0, 1.0)
        };
        if part < 1.0 {
            for r in 0..count {
                let back = (part - 1.0) * rows.lambda[r];
                rows.add(r, back, nu);
            }
        }
        for r in 0..count {
            rows.lambda[r] += self.compressed[r];
        }
        done.part = part;
        done.energy = lost + part * slope + 0.5 * part * part * curve;
        done
    }

    /// Impulse of the expansion along the normal of a point: e λ_c.
    fn given(&self, p: &Point, b: &Bounce) -> f64 {
        self.strokes[b.contact][2] * (self.compressed[p.first].max(0.0) + b.given)
    }

    /// Sets the expansion up; false if nothing rebounds.
    fn expand(&mut self, points: &[Point], bounces: &[Bounce], rows: &mut Rows) -> bool {
        let contacts = bounces.iter().map(|b| b.contact + 1).max().unwrap_or(0);
        // Of each contact: fastest approach, impulse as a speed, restitution in force.
        self.strokes.clear();
        self.strokes.resize(contacts, [0.0; 3]);
        for (p, b) in points.iter().zip(bounces) {
            let stroke = &mut self.strokes[b.contact];
            stroke[0] = stroke[0].max(-self.before[p.first]).max(b.approach);
            stroke[1] += (rows.lambda[p.first].max(0.0) + b.given) * rows.weight(p.first);
        }
        let mut any = false;
        for (p, b) in points.iter().zip(bounces) {
            let stroke = &mut self.strokes[b.contact];
            let impulse = rows.lambda[p.first].max(0.0) + b.given;
            let struck = stroke[0].max(stroke[1]) > b.rest_speed;
            stroke[2] = if struck { b.restitution } else { 0.0 };
            any |= stroke[2] > 0.0 && impulse > 0.0;
        }
        if !any {
            return false;
        }
        self.points.clear();
        self.points.extend_from_slice(points);
        self.doubled.clear();
        for (p, b) in points.iter().zip(bounces) {
            let given = self.given(p, b);
            if let Grip::Cone { friction } = p.grip
                && p.rows == 3
                && given > 0.0
            {
                // Friction of the impulse that is given, beside that of the one that is found.
                let again = rows.push_again(p.first + 1);
                rows.push_again(p.first + 2);
                self.doubled.push((p.first + 1, again));
                self.points.push(Point {
                    first: again,
                    rows: 2,
                    bias: [0.0; 3],
                    grip: Grip::Disc {
                        limit: friction * given,
                    },
                });
            }
        }
        true
    }
}
