//! Newton's method on the conditions of optimality, from a start with multipliers near a solution.
//!
//! An interior-point method that begins near a solution first has to leave all limits, and comes back to them step by
//! step. Here slacks and multipliers of limits may have either sign on the way, so that a step may change which limits
//! hold: s ≥ 0, z ≥ 0, s z = μ is [one equation](point::Limit). The solution is that of the interior-point method at the
//! barrier parameter that it ends with, but for planes that nothing presses on, which stay where they are. Linear systems are
//! of the same form. Far from a solution it leads nowhere; the interior-point method then begins at the start once more.

mod point;
mod system;

use std::time::Instant;

use pounce_linsol::SparseSymLinearSolverInterface;

use super::nlp::{
    Iteration, Leaf, Multipliers, Nlp, Solution, SolverSettings, SolverStatus, Watch,
};
use point::{Both, Frame, Point};
use system::System;

/// Iterations at most, and those after which less has to be left than at first.
const MOST: usize = 20;
const PATIENCE: usize = 9;

/// Stiffness that holds unknowns of leaves where nothing else does, at most the residual; that of all others.
const HELD: f64 = 1e-5;
const LEAST_HELD: f64 = 1e-9;

/// What everything is held by where there is a way down, by what that grows, and what ends it.
const STIFF: f64 = 1e-6;
const STIFFER: f64 = 100.0;
const STIFFEST: f64 = 1e5;

/// Halvings of a step at most, and part of its length by which it has to make the residual smaller.
const HALVINGS: i32 = 3;
const FALLS: f64 = 1e-2;

/// Barrier parameter to end with at least, and residual that counts as none.
const LEAST_BARRIER: f64 = 1e-12;
const NOTHING: f64 = 1e-12;

/// Stiffness of a slack at least.
const SOFT: f64 = 1e-18;

/// See the [module](self); the number of iterations made where it does not lead to a solution.
pub(super) fn solve(
    program: &mut dyn Nlp,
    settings: &SolverSettings,
    watch: Option<Watch>,
    solver: &mut dyn SparseSymLinearSolverInterface,
) -> Result<Solution, usize> {
    let warm = program.multipliers().cloned().ok_or(0_usize)?;
    let frame = Frame::new(program);
    let leaves = program.leaves();
    let mut system = System::new(program);
    if !system.begin(solver) {
        return Err(0);
    }
    let mu = settings.least_barrier.max(LEAST_BARRIER);
    let mut in_leaf = vec![false; frame.bounds.len()];
    let of_leaves = leaves.iter().flat_map(|l| &l.unknowns);
    of_leaves.for_each(|&k| in_leaf[k] = true);
    let mut at = Point::start(program, &frame, &warm, mu);
    let norms = Norms::new(&leaves, &frame, &at.x);
    let most = MOST.min(settings.max_iterations);
    let begin = Instant::now();
    let mut first = f64::INFINITY;
    for iteration in 0..=most {
        let smoothing = at.smoothing(&frame, mu);
        let left = at.residual(&frame, mu, &smoothing);
        if let Some(watch) = &watch {
            let seen = Iteration {
                number: iteration,
                objective: program.objective(&at.x),
                violation: left.equalities,
            };
            if !(watch.borrow_mut())(&seen) {
                return Ok(at.into_solution(SolverStatus::Stopped, iteration));
            }
        }
        if is_solved(&left, settings) {
            return Ok(at.into_solution(SolverStatus::Solved, iteration));
        }
        if iteration == 0 {
            first = left.size;
        }
        let lost = iteration >= PATIENCE && left.size > first;
        let late = begin.elapsed().as_secs_f64() > settings.max_seconds;
        if iteration == most || lost || late {
            return Err(iteration);
        }
        let mut hessian = vec![0.0; program.hessian_pattern().rows.len()];
        program.hessian(&at.x, 1.0, &at.lambda, &mut hessian);
        system.derive(&hessian, &at.jacobian);
        let bounds = (0..at.x.len()).map(|k| at.bound(&frame, k, mu));
        let bounds: Vec<Both> = bounds.collect();
        let rows = smoothing.iter().enumerate();
        let rows: Vec<Both> = rows.map(|(r, &mu)| at.range(&frame, r, mu)).collect();
        let slacks: Vec<f64> = rows.iter().map(|r| r.stiffness().max(SOFT)).collect();
        // Where the objective falls to second order, everything is held more.
        let held = HELD.min(left.size).max(LEAST_HELD);
        let mut more = 0.0;
        loop {
            let own = |k: usize| f64::max(if in_leaf[k] { held } else { LEAST_HELD }, more);
            let free = (0..at.x.len()).filter(|&k| frame.is_free(k));
            let stiffness = free.map(|k| own(k) + bounds[k].stiffness());
            let stiffness: Vec<f64> = stiffness.collect();
            if system.factorise(solver, &stiffness, &slacks) {
                break;
            }
            more = f64::max(STIFFER * more, STIFF);
            if more > STIFFEST {
                return Err(iteration);
            }
        }
        let rhs = right_hand_side(&at, &frame, &system, (&bounds, &rows), &slacks);
        let d = system.solve(solver, &rhs).ok_or(iteration)?;
        let step = Step {
            d: &d,
            slopes: slopes(program, &at, &system, &d),
            bounds: &bounds,
            rows: &rows,
        };
        let mut best: Option<(f64, Point)> = None;
        for halving in 0..=HALVINGS {
            let length = 0.5_f64.powi(halving);
            let mut next = step.taken(&at, &frame, &system, length);
            norms.restore(&mut next.x);
            next.evaluate(program);
            let size = next.residual(&frame, mu, &smoothing).size;
            if best.as_ref().is_none_or(|b| size < b.0) {
                best = Some((size, next));
            }
            if size < (1.0 - FALLS * length) * left.size {
                break;
            }
        }
        let (size, next) = best.ok_or(iteration)?;
        if !size.is_finite() {
            return Err(iteration);
        }
        at = next;
    }
    Err(most)
}

/// Whether what is left is little enough.
fn is_solved(left: &point::Residual, settings: &SolverSettings) -> bool {
    if !settings.exact {
        return left.largest() <= settings.tolerance.max(NOTHING);
    }
    left.equalities <= (1e-3 * settings.tolerance).max(NOTHING)
        && left.slope <= settings.flat * settings.tolerance
        && left.limits <= settings.tolerance
}

impl Point {
    fn into_solution(self, status: SolverStatus, iterations: usize) -> Solution {
        Solution {
            status,
            x: self.x,
            multipliers: Multipliers {
                rows: self.lambda,
                bounds: self.w,
            },
            iterations,
        }
    }
}

/// The right-hand side of Newton's equations, limits taken out.
fn right_hand_side(
    at: &Point,
    frame: &Frame,
    system: &System,
    (bounds, rows): (&[Both], &[Both]),
    slacks: &[f64],
) -> Vec<f64> {
    let mut out = vec![0.0; system.size];
    for (k, bound) in bounds.iter().enumerate() {
        if let Some(n) = system.unknowns[k] {
            out[n] = -at.slope[k] - bound.shift();
        }
    }
    for (r, row) in rows.iter().enumerate() {
        out[system.multipliers[r]] = match frame.is_equality(r) {
            true => frame.ranges[r][0] - at.values[r],
            // dλ = Σ dg + shift.
            false => -row.shift() / slacks[r],
        };
    }
    out
}

/// What the rows change by along a step.
fn slopes(program: &dyn Nlp, at: &Point, system: &System, d: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; at.values.len()];
    let pattern = program.jacobian_pattern();
    for ((&r, &c), v) in pattern.rows.iter().zip(&pattern.columns).zip(&at.jacobian) {
        if let Some(n) = system.unknowns[c] {
            out[r] += v * d[n];
        }
    }
    out
}

/// A step of Newton's method.
struct Step<'a> {
    d: &'a [f64],
    /// What the rows change by.
    slopes: Vec<f64>,
    bounds: &'a [Both],
    rows: &'a [Both],
}

impl Step<'_> {
    /// The point after a part of it, not evaluated yet.
    fn taken(&self, at: &Point, frame: &Frame, system: &System, length: f64) -> Point {
        let mut next = at.clone();
        for (k, bound) in self.bounds.iter().enumerate() {
            if let Some(n) = system.unknowns[k] {
                next.x[k] += length * self.d[n];
                for side in 0..2 {
                    next.w[side][k] += length * bound.change(side, self.d[n]);
                }
            }
        }
        for (r, row) in self.rows.iter().enumerate() {
            let total = self.d[system.multipliers[r]];
            if frame.is_equality(r) {
                next.lambda[r] += length * total;
                continue;
            }
            // The softer limit follows the row, the other one what was solved for: where a row presses hard, its slack
            // has no digits left.
            let softer = usize::from(row.0[1].stiffness < row.0[0].stiffness);
            let own = row.change(softer, self.slopes[r]);
            let other = if softer == 0 {
                total + own
            } else {
                own - total
            };
            next.z[softer][r] += length * own;
            next.z[1 - softer][r] += length * other;
            next.lambda[r] = next.z[1][r] - next.z[0][r];
        }
        next
    }
}

/// Planes, whose normals keep their length along a step.
struct Norms {
    planes: Vec<([usize; 4], f64)>,
}

impl Norms {
    fn new(leaves: &[Leaf], frame: &Frame, x: &[f64]) -> Self {
        let own = |leaf: &Leaf| {
            let all: [usize; 4] = leaf.unknowns.clone().try_into().ok()?;
            let norm = all[..3].iter().map(|&k| x[k] * x[k]).sum::<f64>().sqrt();
            (all.iter().all(|&k| frame.is_free(k)) && norm > 0.0).then_some((all, norm))
        };
        Self {
            planes: leaves.iter().filter_map(own).collect(),
        }
    }

    fn restore(&self, x: &mut [f64]) {
        for (all, size) in &self.planes {
            let norm = all[..3].iter().map(|&k| x[k] * x[k]).sum::<f64>().sqrt();
            if norm > 0.0 {
                all.iter().for_each(|&k| x[k] *= size / norm);
            }
        }
    }
}
