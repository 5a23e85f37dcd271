//! Impacts by Poisson's law on all points of all patches at once.
//!
//! Compression: the impulses λ_c that leave nothing approaching, without rebound (`solver`).
//! Expansion: every contact that was struck gives e λ_c once more along its normals, with friction
//! again within its cone. What rebounds into another contact strikes it, and both follow again: with
//! e = 1 this is the method of reflections, which comes to an end without losing energy. One contact without
//! friction rebounds at −e times its speed, as by Newton's law; several at once, patches and friction
//! come out symmetric where the scene is, and nothing depends on an order.
//!
//! Poisson's law can gain energy where friction reverses the sliding. The expansion is then taken in
//! part only, θ < 1, so that the kinetic energy after is at most that before. Friction cones are
//! convex: every θ stays within them. The impulses depend continuously on e and μ.

use super::mass::MassMetric;
use super::outcome::Outcome;
use super::rows::Rows;
use super::solver::{ALL_DIGITS, Aim, Grip, Point, ROUND_OFF, SOLVED, Solver, Stage};

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

/// What a jump may leave or take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leeway {
    /// Energy that contacts took out just before and may give back.
    pub spent: f64,
    /// Rates below this need no digits of their own.
    pub speed: f64,
    /// Residual it may stop at, if that is more than round-off.
    pub enough: f64,
    /// Rates that count as none where the solver comes no further.
    pub rate: f64,
    /// Whether nothing moved before: what can stay does.
    pub calm: bool,
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

/// Rounds of compression and expansion; the last one is without expansion.
const MOST_EXPANSIONS: usize = 400;
/// Approach slower than this part of the fastest is none.
const STILL: f64 = 1e-11;

/// Storage of jumps.
#[derive(Debug, Default)]
pub struct Poisson {
    before: Vec<f64>,
    compressed: Vec<f64>,
    middle: Vec<f64>,
    strokes: Vec<[f64; 3]>,
    points: Vec<Point>,
    total: Vec<f64>,
}

impl Poisson {
    /// Lets velocities jump. Multipliers (a guess of the compression at first) go into the rows.
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
        leeway: &Leeway,
    ) -> Jumped {
        solver.forget();
        let count = rows.len();
        self.before.clear();
        self.before.extend((0..count).map(|r| rows.rate(r, nu)));
        let seen = (0..count).map(|r| (self.before[r] + rows.drift(r)).abs());
        let speed = seen.fold(leeway.speed, f64::max);
        for row in 0..count {
            let guess = std::mem::take(&mut rows.lambda[row]);
            if guess != 0.0 {
                rows.add(row, guess, nu);
            }
        }
        let rubs = points.iter().any(|p| p.rows == 3);
        let aim = Aim {
            slack: 0.0,
            give: 0.0,
            calm: leeway.calm,
            speed,
            enough: leeway.enough.max(if rubs { ROUND_OFF } else { ALL_DIGITS }),
            good: SOLVED.max(leeway.rate / speed),
        };
        self.total.clear();
        self.total.resize(count, 0.0);
        let mut done = Jumped {
            outcome: Outcome {
                converged: true,
                ..Outcome::default()
            },
            energy: 0.0,
            part: 1.0,
        };
        for round in 0..=MOST_EXPANSIONS {
            let compressed = solver.solve(stage, metric, points, rows, nu, &aim);
            done.outcome = done.outcome.and(compressed);
            // ½ Σ λ (w⁻ + w): the energy compression took, seen from bodies whose motion is given.
            let lost = 0.5
                * (0..count)
                    .map(|r| {
                        let rate = self.before[r] + rows.rate(r, nu) + 2.0 * rows.drift(r);
                        rows.lambda[r] * rate
                    })
                    .sum::<f64>();
            done.energy += lost;
            self.compressed.clear();
            self.compressed.extend_from_slice(&rows.lambda);
            for (total, own) in self.total.iter_mut().zip(&self.compressed) {
                *total += own;
            }
            let first = round == 0;
            if round == MOST_EXPANSIONS || !self.strike(points, bounces, rows, first) {
                break;
            }
            let room = leeway.spent - done.energy;
            rows.lambda.fill(0.0);
            self.push_out(points, bounces, rows, nu, first);
            if !self.points.is_empty() {
                let rubbed = solver.solve(stage, metric, &self.points, rows, nu, &aim);
                done.outcome = done.outcome.and(rubbed);
            }
            let (part, energy) = self.take_part(rows, nu, room);
            done.part = done.part.min(part);
            done.energy += energy;
            rows.lambda.fill(0.0);
            // What rebounds into another contact strikes it in turn.
            self.before.clear();
            self.before.extend((0..count).map(|r| rows.rate(r, nu)));
            let still = STILL * speed;
            let approaches = points.iter().any(|p| {
                let w = self.before[p.first] + p.bias[0];
                match p.grip {
                    Grip::Cone { .. } => w < -still,
                    _ => w.abs() > still,
                }
            });
            if !approaches {
                break;
            }
        }
        rows.lambda.copy_from_slice(&self.total);
        done.energy += rows.given_work();
        done
    }

    /// The expansion: e λ_c is given along the normals; friction within μ e λ_c, and what keeps held
    /// points held, is left to be found, in `self.points`.
    fn push_out(
        &mut self,
        points: &[Point],
        bounces: &[Bounce],
        rows: &mut Rows,
        nu: &mut [f64],
        first: bool,
    ) {
        let count = self.compressed.len();
        self.middle.clear();
        self.middle.extend((0..count).map(|r| rows.rate(r, nu)));
        self.points.clear();
        for (p, b) in points.iter().zip(bounces) {
            let given = self.given(p, b, first);
            if given > 0.0 {
                rows.add(p.first, given, nu);
            }
            match p.grip {
                Grip::Cone { friction } if p.rows == 3 && given > 0.0 => self.points.push(Point {
                    first: p.first + 1,
                    rows: 2,
                    // Surfaces that move do so in the expansion, too.
                    bias: [p.bias[1], p.bias[2], 0.0],
                    grip: Grip::Disc {
                        limit: friction * given,
                    },
                }),
                Grip::Cone { .. } => {}
                _ => self.points.push(*p),
            }
        }
    }

    /// Takes so much of the expansion in the rows that it gains no more than `room`; returns the
    /// part and the gain.
    fn take_part(&mut self, rows: &mut Rows, nu: &mut [f64], room: f64) -> (f64, f64) {
        // T(θ) − T(0) = θ Σ λ w₁ + ½ θ² Σ λ (w₂ − w₁) ≤ room.
        let (mut slope, mut curve) = (0.0, 0.0);
        for (r, before) in self.middle.iter().enumerate() {
            let w = rows.rate(r, nu);
            slope += rows.lambda[r] * (before + rows.drift(r));
            curve += rows.lambda[r] * (w - before);
        }
        let part = if slope + 0.5 * curve <= room {
            1.0
        } else if room <= 0.0 {
            0.0
        } else {
            // The root of ½ c θ² + s θ = room, in the form that does not cancel.
            let root = (slope * slope + 2.0 * curve * room).max(0.0).sqrt();
            (2.0 * room / (slope + root)).clamp(0.0, 1.0)
        };
        for r in 0..self.middle.len() {
            let lambda = rows.lambda[r];
            if part < 1.0 && lambda != 0.0 {
                rows.add(r, (part - 1.0) * lambda, nu);
            }
            self.total[r] += part * lambda;
        }
        (part, part * slope + 0.5 * part * part * curve)
    }

    /// Impulse of the expansion along the normal of a point: e λ_c.
    fn given(&self, p: &Point, b: &Bounce, first: bool) -> f64 {
        let before = if first { b.given } else { 0.0 };
        self.strokes[b.contact][2] * (self.compressed[p.first].max(0.0) + before)
    }

    /// Which contacts were struck so that they rebound; false if none.
    fn strike(&mut self, points: &[Point], bounces: &[Bounce], rows: &Rows, first: bool) -> bool {
        let contacts = bounces.iter().map(|b| b.contact + 1).max().unwrap_or(0);
        // Of each contact: fastest approach, impulse as a speed, restitution in force.
        self.strokes.clear();
        self.strokes.resize(contacts, [0.0; 3]);
        for (p, b) in points.iter().zip(bounces) {
            let stroke = &mut self.strokes[b.contact];
            let (approach, given) = if first {
                (b.approach, b.given)
            } else {
                (0.0, 0.0)
            };
            let before = self.before[p.first] + rows.drift(p.first);
            stroke[0] = stroke[0].max(-before).max(approach);
            stroke[1] += (self.compressed[p.first].max(0.0) + given) * rows.weight(p.first);
        }
        for b in bounces {
            let stroke = &mut self.strokes[b.contact];
            let struck = stroke[0].max(stroke[1]) > b.rest_speed;
            stroke[2] = if struck { b.restitution } else { 0.0 };
        }
        let mut all = points.iter().zip(bounces);
        all.any(|(p, b)| self.given(p, b, first) > 0.0)
    }
}
