//! What a plan is worth: violated rows, momentum, and the plan run by the simulator.

use std::sync::Arc;

use nalgebra::{DMatrix, Vector3};

use super::error::OptimiseError;
use super::evaluate::Transcription;
use super::guess::Guess;
use super::problem::Problem;
use super::solve::{Plan, Violation};
use super::steps::{Operator, apply_rows};
use crate::model::JointKind;
use crate::simulate::{Settings, Simulation};

/// How many of the worst rows are named.
const NAMED: usize = 8;

/// Largest violation of rows and bounds, and the worst ones in words.
pub(crate) fn violations(t: &mut Transcription, x: &[f64]) -> (f64, Vec<Violation>) {
    let mut g = vec![0.0; t.layout.rows.len()];
    t.values(x, &mut g);
    let off = |v: f64, [low, high]: [f64; 2]| (low - v).max(v - high).max(0.0);
    let mut list: Vec<(f64, usize)> = (g.iter().zip(&t.layout.rows))
        .enumerate()
        .map(|(k, (v, row))| (off(*v, row.range), k))
        .collect();
    let bounds = x.iter().zip(&t.bounds).map(|(v, b)| off(*v, *b));
    let worst_bound = bounds.fold(0.0, f64::max);
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    let largest = list.first().map_or(0.0, |l| l.0).max(worst_bound);
    let named = list.iter().take(NAMED).filter(|(amount, _)| *amount > 1e-8);
    let worst = named
        .map(|(amount, row)| Violation {
            what: t.layout.describe(&t.model, *row),
            amount: *amount,
        })
        .collect();
    (largest, worst)
}

/// Largest residual of the balances of momentum, and of their sums L_{k+1} − L_k − T_k over bodies
/// that nothing ties to the world (thesis (4.12)).
pub(crate) fn momentum_residual(t: &mut Transcription, x: &[f64]) -> f64 {
    let mut g = vec![0.0; t.layout.rows.len()];
    t.values(x, &mut g);
    let mut worst = 0.0_f64;
    for node in 0..t.layout.nodes() {
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for component in &t.layout.components {
            let r: Vec<f64> = (component.freedoms.iter())
                .map(|&f| t.layout.balance[node][f].map_or(0.0, |row| g[row]))
                .collect();
            worst = r.iter().fold(worst, |w, v| w.max(v.abs()));
            let root = &t.model.joints()[component.joints[0]];
            if root.kind == JointKind::Free {
                let p = Vector3::new(r[0], r[1], r[2]);
                linear += p;
                angular += t.nodes()[node].poses[root.child.index()].position.cross(&p);
                if let [_, _, _, a, b, c, ..] = r[..] {
                    angular += Vector3::new(a, b, c);
                }
            }
        }
        worst = worst.max(linear.norm()).max(angular.norm());
    }
    worst
}

/// Joint velocities at the start: those of the momentum −D₁L_d − f⁻ (thesis (4.23)).
pub(crate) fn start_rates(t: &mut Transcription, x: &[f64]) -> Vec<f64> {
    t.refresh(x, false);
    let mut nu = vec![0.0; t.layout.n];
    let impulses = t.impulses(0, x);
    let mut sums = t.balances(x)[0].sum.clone();
    // The balance at the start without the momentum that is prescribed there.
    for motion in t.layout.motions.iter().filter(|m| m.node == 0) {
        let twist = t.layout.twist(motion, x);
        let p = t.motion_momentum(motion, &twist, &t.nodes()[0].q);
        sums.iter_mut().zip(p).for_each(|(s, p)| *s -= p);
    }
    for (c, component) in t.layout.components.iter().enumerate() {
        let p = &t.nodes()[0].null[c];
        let y = Transcription::gather(&component.coordinates, &sums);
        let tau = Transcription::gather(&component.controls, &impulses);
        let momentum = -(p.tr_mul(&y) + t.nodes()[0].input[c].tr_mul(&tau));
        let own = (t.layout.inertias.iter())
            .filter(|i| t.layout.body_home[i.body].is_some_and(|(home, _)| home == c));
        let placed = own.map(|i| (t.layout.coordinate_home[i.start].1, i));
        let mass: DMatrix<f64> = p.tr_mul(&apply_rows(placed, Operator::Mass, p));
        if let Some(rates) = mass.lu().solve(&momentum) {
            for (&f, v) in component.freedoms.iter().zip(rates.iter()) {
                nu[f] = *v;
            }
        }
    }
    nu
}

/// A plan run by the simulator with its controls on its grid.
#[derive(Debug)]
pub struct Replay {
    /// The simulation at the end.
    pub simulation: Simulation,
    /// Largest deviation of a position (m) or director from the plan.
    pub error: f64,
    /// Why it stopped early, if it did.
    pub failure: Option<String>,
}

/// Replays a plan; `each` sees the simulation at every node, the start included.
pub fn replay(
    problem: &Problem,
    plan: &Plan,
    mut each: impl FnMut(usize, &mut Simulation),
) -> Result<Replay, OptimiseError> {
    let state = Guess::state(&problem.model, &plan.poses[0], &plan.start_rates)?;
    let settings = Settings::with_step(plan.steps.first().copied().unwrap_or(1.0));
    let mut simulation = Simulation::from_state(Arc::clone(&problem.model), settings, state)
        .map_err(|e| OptimiseError::Guess {
            what: format!("the start cannot be simulated: {e}"),
        })?;
    let mut error = 0.0_f64;
    let mut failure = None;
    each(0, &mut simulation);
    for (k, (h, tau)) in plan.steps.iter().zip(&plan.controls).enumerate() {
        if let Err(e) = simulation.step_with(*h, tau) {
            failure = Some(format!("step {k}: {e}"));
            error = f64::INFINITY;
            break;
        }
        for (a, b) in simulation.state().poses.iter().zip(&plan.poses[k + 1]) {
            error = error.max((a.position - b.position).norm());
            error = error.max((a.directors - b.directors).abs().max());
        }
        each(k + 1, &mut simulation);
    }
    Ok(Replay {
        simulation,
        error,
        failure,
    })
}
