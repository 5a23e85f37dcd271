//! Ways to a guess: a path through way-poses with inverse dynamics (thesis (4.22)), the straight way to
//! the goal, a forward simulation.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::assemble::assemble;
use super::detour::{self, guess_overlaps};
use super::draft::Draft;
use super::error::OptimiseError;
use super::guess::{Guess, Way, at};
use super::hold::holding;
use super::idle::idle_around;
use super::layout::grid;
use super::path::Path;
use super::problem::Problem;
use super::validate::validate_model;
use crate::simulate::{Settings, Simulation};

/// Iterations that close loops.
const CLOSINGS: usize = 40;

/// How readily what the goal gives makes way for loops that close, over what it leaves open.
const GIVEN: f64 = 1e-4;

impl Guess {
    /// A path through way-poses, at constant speed between them, with the controls that drive the
    /// bodies along it. The first way is at node 0; after the last one nothing moves.
    pub fn through(problem: &Problem, ways: &[Way]) -> Result<Self, OptimiseError> {
        validate_model(&problem.model)?;
        let nodes = grid(problem).len() + 1;
        let fault = |what: &str| OptimiseError::Guess { what: what.into() };
        let rising = ways.windows(2).all(|w| w[0].node < w[1].node);
        let inside = ways.iter().all(|w| w.node < nodes);
        if ways.is_empty() || ways[0].node != 0 || !rising || !inside {
            return Err(fault(
                "its way-poses must begin at node 0 and rise to the last node",
            ));
        }
        let model = &problem.model;
        let poses = (0..nodes)
            .map(|k| {
                let after = ways.partition_point(|w| w.node <= k);
                let from = &ways[after - 1];
                match ways.get(after) {
                    None => at(model, from, from, 0.0),
                    Some(to) => {
                        let s = (k - from.node) as f64 / (to.node - from.node) as f64;
                        at(model, from, to, s)
                    }
                }
            })
            .collect();
        let mut guess = Self::of_poses(problem, poses);
        guess.close_loops(problem)?;
        guess.drive(problem)?;
        Ok(guess)
    }

    /// From the model's start straight to what the goal says (in joint coordinates, which inverse
    /// kinematics finds), everything else at rest. Bodies go round what stands in their way.
    pub fn straight(problem: &Problem) -> Result<Self, OptimiseError> {
        validate_model(&problem.model)?;
        let mut start = Way::start(&problem.model, 0);
        for condition in &problem.start.conditions {
            super::reach::lead(&problem.model, condition, &mut start);
        }
        let end = super::reach::goal(problem, &start)?;
        let straight = Self::through(problem, &[start.clone(), end.clone()])?;
        // Nothing leads round where nothing can move to.
        let idle = match problem.avoid.is_some() {
            true => idle_around(problem, &straight)?,
            false => Vec::new(),
        };
        let mut bends = detour::around(problem, &straight.poses, [&start, &end], &idle);
        if bends.is_empty() {
            bends.extend(detour::roundabout(problem, [&start, &end], &idle));
        }
        if bends.is_empty() {
            bends.extend(detour::via(problem, [&start, &end]));
        }
        let by = |bends: Vec<Way>| {
            let ways = [start.clone()].into_iter().chain(bends);
            Self::through(problem, &ways.chain([end.clone()]).collect::<Vec<_>>())
        };
        let bent = match bends.is_empty() {
            true => straight,
            false => by(bends)?,
        };
        // What no single way-pose leads past is felt out.
        if guess_overlaps(problem, &bent).is_empty() {
            return Ok(bent);
        }
        super::explore::explore(problem, [&start, &end], &idle).map_or(Ok(bent), by)
    }

    /// What the simulator makes of given controls (one set for all steps, or one per step).
    pub fn simulate(problem: &Problem, controls: &[Vec<f64>]) -> Result<Self, OptimiseError> {
        let fault = |e: &dyn std::fmt::Display| OptimiseError::Guess {
            what: format!("the simulation failed: {e}"),
        };
        validate_model(&problem.model)?;
        if problem.has_contacts() {
            return super::rehearse::simulate(problem, controls);
        }
        let grid = grid(problem);
        let mut guess = Self::of_poses(problem, vec![Vec::new(); grid.len() + 1]);
        let settings = Settings::with_step(grid[0].base);
        let mut simulation =
            Simulation::new(Arc::clone(&problem.model), settings).map_err(|e| fault(&e))?;
        guess.poses[0] = simulation.state().poses.clone();
        for (k, step) in grid.iter().enumerate() {
            let tau = controls.get(k).or(controls.last());
            if let Some(tau) = tau {
                guess.controls[k].clone_from(tau);
            }
            let h = step.base * guess.scales[step.phase];
            let done = simulation.step_with(h, &guess.controls[k]);
            done.map_err(|e| fault(&e))?;
            guess.poses[k + 1] = simulation.state().poses.clone();
        }
        Ok(guess)
    }

    /// Moves every configuration to one that closes all loops. Each begins moved as the one before it was, so that a
    /// linkage that can be put together in two ways does not leap from one to the other; what the goal gives hardly
    /// gives way.
    fn close_loops(&mut self, problem: &Problem) -> Result<(), OptimiseError> {
        if problem.model.closures().is_empty() {
            return Ok(());
        }
        let Draft {
            mut path,
            bounds,
            mut x,
            ..
        } = assemble(problem, self)?;
        path.refresh(&x, true);
        let (n, last) = (path.layout.n, path.layout.nodes() - 1);
        let moves = |node: usize, f: usize| {
            let [low, high] = bounds[path.layout.u(node, f)];
            low < high
        };
        // How readily each freedom gives way.
        let gives = |f: usize| if moves(last, f) { 1.0 } else { GIVEN };
        let ease: Vec<f64> = (0..n).map(gives).collect();
        for node in 0..=last {
            for f in (0..n).filter(|_| node > 0) {
                let index = path.layout.u(node, f);
                let before = x[path.layout.u(node - 1, f)];
                x[index] = before.clamp(bounds[index][0], bounds[index][1]);
            }
            close(&mut path, &mut x, node, &bounds, &ease);
        }
        self.poses = path.nodes().iter().map(|n| n.poses.clone()).collect();
        Ok(())
    }

    /// Sets the controls by inverse dynamics: the forces that balance each inner node, or come closest
    /// to it, averaged over each step. (Solving (4.22) for one step after the other keeps the balance
    /// exactly, but every change of velocity then makes the controls alternate to the end.)
    pub fn drive(&mut self, problem: &Problem) -> Result<(), OptimiseError> {
        let Draft {
            path: mut t,
            bounds,
            x,
            ..
        } = assemble(problem, self)?;
        t.refresh(&x, false);
        let steps = t.layout.grid.len();
        if t.layout.nc == 0 || steps < 2 {
            return Ok(());
        }
        let balances = t.balances();
        // Where little is driven, forces that come closest to a balance may be far from it: what holds it up is better
        // then, and none where nothing does.
        let weak: Vec<bool> = (0..t.layout.components.len())
            .map(|c| super::rank::is_underactuated(&t, &bounds, c))
            .collect();
        let mut forces = vec![DVector::zeros(t.layout.nc); steps + 1];
        for k in 1..steps {
            let mean = 0.5 * (t.h(k - 1) + t.h(k));
            forces[k] = node_force(&t, k, &balances[k].sum) / mean;
        }
        // What jumps at an impact is no force of the controls, nor is what holds a contact.
        for (k, _) in super::impact::impacts(problem) {
            forces[k] = forces[k - 1].clone();
        }
        for span in super::closed::spans(problem) {
            (span.from..=span.to).for_each(|k| forces[k].fill(0.0));
        }
        // Nothing is known of the ends: the momentum there need not be that of the path.
        forces[0] = forces[1].clone();
        forces[steps] = forces[steps - 1].clone();
        let held =
            |c: usize| weak[c].then(|| (0..=steps).map(|k| holding(&t, &bounds, c, k)).collect());
        let held: Vec<Option<Vec<Option<Vec<f64>>>>> =
            (0..t.layout.components.len()).map(held).collect();
        for (k, tau) in self.controls.iter_mut().enumerate() {
            let mean = (&forces[k] + &forces[k + 1]) * 0.5;
            tau.copy_from_slice(mean.as_slice());
            for (component, held) in t.layout.components.iter().zip(&held) {
                let Some(held) = held else { continue };
                let at = |node: usize, l: usize| held[node].as_ref().map_or(0.0, |h| h[l]);
                for (l, &c) in component.controls.iter().enumerate() {
                    tau[c] = 0.5 * (at(k, l) + at(k + 1, l));
                }
            }
        }
        Ok(())
    }
}

/// Closes all loops at a node by Newton's method, each step the shortest one where freedoms give way with `ease`.
fn close(path: &mut Path, x: &mut [f64], node: usize, bounds: &[[f64; 2]], ease: &[f64]) {
    let held: Vec<_> = (path.layout.held.iter())
        .filter(|(at, _, _)| *at == node)
        .filter_map(|(_, push, _)| push.held().cloned())
        .collect();
    let n = path.layout.n;
    for _ in 0..CLOSINGS {
        path.refresh_node(x, node);
        let q = &path.nodes()[node].q;
        let mut g = DVector::zeros(held.len());
        let mut j = DMatrix::zeros(held.len(), n);
        for (k, poly) in held.iter().enumerate() {
            g[k] = poly.value(q);
            let mut y = vec![0.0; path.layout.nq];
            poly.gradient(q, |i, v| y[i] += v);
            for (f, v) in path.pull(node, &y).into_iter().enumerate() {
                let [low, high] = bounds[path.layout.u(node, f)];
                j[(k, f)] = if low < high { v } else { 0.0 };
            }
        }
        if g.amax() < 1e-12 {
            return;
        }
        // The shortest way to g + J u = 0, a little damped.
        let weighted = DMatrix::from_fn(held.len(), n, |k, f| j[(k, f)] * ease[f]);
        let mut inner = &weighted * j.transpose();
        let size = inner.trace().max(f64::MIN_POSITIVE);
        (0..held.len()).for_each(|k| inner[(k, k)] += 1e-12 * size);
        let Some(lambda) = inner.cholesky().map(|c| c.solve(&g)) else {
            return;
        };
        for (f, v) in weighted.tr_mul(&lambda).iter().enumerate() {
            let index = path.layout.u(node, f);
            x[index] = (x[index] - v.clamp(-0.3, 0.3)).clamp(bounds[index][0], bounds[index][1]);
        }
    }
    path.refresh_node(x, node);
}

/// W of a node over all degrees of freedom (rows) and controls (columns), loads left out.
fn input_map(t: &Path, node: usize) -> DMatrix<f64> {
    let mut out = DMatrix::zeros(t.layout.n, t.layout.nc);
    for (c, component) in t.layout.components.iter().enumerate() {
        for (l, &control) in component.controls.iter().enumerate() {
            for (j, &f) in component.freedoms.iter().enumerate() {
                out[(f, control)] = t.nodes()[node].input[c][(l, j)];
            }
        }
    }
    for a in t.model.actuators().iter().filter(|a| a.signals.is_some()) {
        a.range().for_each(|k| out.column_mut(k).fill(0.0));
    }
    out
}

/// Rotations of the singular value decomposition at most.
const MOST_ROTATIONS: usize = 10_000;

/// The impulse of the controls that balances a node, of least norm.
fn node_force(t: &Path, node: usize, sum: &[f64]) -> DVector<f64> {
    let mut wanted = DVector::zeros(t.layout.n);
    for (c, component) in t.layout.components.iter().enumerate() {
        let y = Path::gather(&component.coordinates, sum);
        let r = t.nodes()[node].null[c].tr_mul(&y);
        for (&f, v) in component.freedoms.iter().zip(r.iter()) {
            wanted[f] = -v;
        }
    }
    for (wanted, law) in wanted.iter_mut().zip(t.law_impulses(node)) {
        *wanted -= law;
    }
    let map = input_map(t, node);
    // What is not a number would keep the decomposition going for ever.
    let finite = map.iter().chain(wanted.iter()).all(|x| x.is_finite());
    let parts = finite.then(|| map.try_svd(true, true, f64::EPSILON, MOST_ROTATIONS));
    let solved = parts.flatten().and_then(|s| s.solve(&wanted, 1e-9).ok());
    solved.unwrap_or_else(|| DVector::zeros(t.layout.nc))
}
