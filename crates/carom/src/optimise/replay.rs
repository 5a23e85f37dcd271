//! What a plan is worth: violated rows, momentum, and the plan run by the simulator.

use std::sync::Arc;

use nalgebra::{DMatrix, Vector3};

use super::error::OptimiseError;
use super::evaluate::Transcription;
use super::guess::Guess;
use super::nlp::Nlp;
use super::problem::Problem;
use super::program::Program;
use super::solve::{Plan, Violation};
use super::steps::Operator;
use crate::model::JointKind;
use crate::simulate::{Settings, Simulation};

/// How many of the worst rows are named.
const NAMED: usize = 8;

/// Largest violation of rows and bounds, as the program is scaled and in their own units, at given
/// (scaled) unknowns or at the start; and the worst rows in words, in their own units.
pub(crate) fn violations(program: &mut Program, x: Option<&[f64]>) -> ([f64; 2], Vec<Violation>) {
    let x = match x {
        Some(x) => program.unscaled(x),
        None => program.unscaled(&program.start()),
    };
    let t = &mut program.transcription;
    let mut g = vec![0.0; t.layout.rows.len()];
    t.values(&x, &mut g);
    let off = |v: f64, [low, high]: [f64; 2]| (low - v).max(v - high).max(0.0);
    let mut list: Vec<(f64, f64, usize)> = (g.iter().zip(&t.layout.rows).zip(&program.row_scales))
        .enumerate()
        .map(|(k, ((v, row), s))| (off(*v, row.range) * s, off(*v, row.range), k))
        .collect();
    let mut largest = [0.0_f64; 2];
    for (scaled, plain, _) in &list {
        largest = [largest[0].max(*scaled), largest[1].max(*plain)];
    }
    for ((v, b), d) in x.iter().zip(&t.bounds).zip(&program.unknown_sizes) {
        let plain = off(*v, *b);
        largest = [largest[0].max(plain / d), largest[1].max(plain)];
    }
    list.sort_by(|a, b| b.0.total_cmp(&a.0));
    let named = list.iter().take(NAMED).filter(|l| l.0 > 1e-8);
    let worst = named
        .map(|(_, amount, row)| Violation {
            what: t.layout.describe(&t.model, *row),
            amount: *amount,
        })
        .collect();
    (largest, worst)
}

/// Controls that stand at their bounds, in words: which, and in how many steps.
pub(crate) fn at_bounds(t: &Transcription, x: &[f64]) -> Vec<String> {
    let steps = t.layout.grid.len();
    let mut out = Vec::new();
    for a in t.model.actuators().iter().filter(|a| a.signals.is_none()) {
        for (k, c) in a.range().enumerate() {
            let Some([low, high]) = a.bounds.get(k).copied() else {
                continue;
            };
            let near = 1e-3 * (high - low);
            let at = |bound: f64| {
                let stands = |s: &usize| (x[t.layout.tau(*s, c)] - bound).abs() <= near;
                (0..steps).filter(stands).count()
            };
            if low < high && high - low < f64::INFINITY && 2 * (at(low) + at(high)) > steps {
                out.push(format!(
                    "component {} of {} is at its bounds [{low}, {high}] in {} of {steps} steps",
                    k + 1,
                    a.name,
                    at(low) + at(high)
                ));
            }
        }
    }
    out
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

/// Joint velocities at every node: those of the momentum −D₁L_d − f⁻ of the step that begins there
/// (thesis (4.23)), at the last node D₂L_d + f⁺ of the step that ends there.
pub(crate) fn rates(t: &mut Transcription, x: &[f64]) -> Vec<Vec<f64>> {
    t.refresh(x, false);
    let last = t.layout.grid.len();
    let of = |node: usize| {
        let mut nu = vec![0.0; t.layout.n];
        let (step, side, sign) = match node < last {
            true => (node, 0, -1.0),
            false => (last - 1, 1, 1.0),
        };
        let sum = &t.step_terms(step, x)[side].sum;
        let half = 0.5 * t.layout.h(step, x);
        let impulses: Vec<f64> = t.controls(step, x).iter().map(|v| half * v).collect();
        for (c, component) in t.layout.components.iter().enumerate() {
            let here = &t.nodes()[node];
            let p = &here.null[c];
            let y = Transcription::gather(&component.coordinates, sum);
            let tau = Transcription::gather(&component.controls, &impulses);
            let momentum = (p.tr_mul(&y) + here.input[c].tr_mul(&tau)) * sign;
            let mass: DMatrix<f64> = p.tr_mul(&t.operate(c, Operator::Mass, p));
            if let Some(rates) = mass.lu().solve(&momentum) {
                for (&f, v) in component.freedoms.iter().zip(rates.iter()) {
                    nu[f] = *v;
                }
            }
        }
        nu
    };
    (0..=last).map(of).collect()
}

/// A plan run by the simulator with its controls on its grid.
#[derive(Debug)]
pub struct Replay {
    /// The simulation at the end.
    pub simulation: Simulation,
    /// Largest deviation of a position (m) or director from the plan.
    pub error: f64,
    /// The same where every step begins at the plan's own node: what a step adds.
    pub step_error: f64,
    /// How much deviations have grown from one step to the end: large for unstable plants, whose
    /// open-loop replay says nothing about the plan.
    pub growth: f64,
    /// Why it stopped early, if it did.
    pub failure: Option<String>,
}

impl Replay {
    /// Whether the plan is what the simulator does: as a whole, or step by step where round-off grows.
    /// `length` is that of the problem in m.
    pub fn agrees(&self, length: f64) -> bool {
        let length = length.max(f64::MIN_POSITIVE);
        self.error <= WHOLE * length.min(1.0)
            || (self.step_error <= STEPWISE * length.min(1.0) && self.growth > UNSTABLE)
    }
}

/// Deviations that count as none: of the whole replay, of single steps; and growth beyond which the
/// plant counts as unstable.
const WHOLE: f64 = 1e-6;
const STEPWISE: f64 = 1e-10;
const UNSTABLE: f64 = 1e3;

fn deviation(simulation: &Simulation, poses: &[carom_gap::Pose]) -> f64 {
    let mut error = 0.0_f64;
    for (a, b) in simulation.state().poses.iter().zip(poses) {
        error = error.max((a.position - b.position).norm());
        error = error.max((a.directors - b.directors).abs().max());
    }
    error
}

fn begin(problem: &Problem, plan: &Plan, node: usize) -> Result<Simulation, OptimiseError> {
    let state = Guess::state(&problem.model, &plan.poses[node], &plan.rates[node])?;
    let settings = Settings::with_step(plan.steps.first().copied().unwrap_or(1.0));
    Simulation::from_state(Arc::clone(&problem.model), settings, state).map_err(|e| {
        OptimiseError::Guess {
            what: format!("the start cannot be simulated: {e}"),
        }
    })
}

/// Replays a plan; `each` sees the simulation at every node, the start included.
pub fn replay(
    problem: &Problem,
    plan: &Plan,
    mut each: impl FnMut(usize, &mut Simulation),
) -> Result<Replay, OptimiseError> {
    let mut simulation = begin(problem, plan, 0)?;
    let mut error = 0.0_f64;
    let mut failure = None;
    let (mut step_error, mut first) = (0.0_f64, 0.0_f64);
    each(0, &mut simulation);
    for (k, (h, tau)) in plan.steps.iter().zip(&plan.controls).enumerate() {
        // The same step from the plan's own node.
        let mut own = begin(problem, plan, k)?;
        let alone = match own.step_with(*h, tau) {
            Ok(_) => deviation(&own, &plan.poses[k + 1]),
            Err(_) => f64::INFINITY,
        };
        step_error = step_error.max(alone);
        first = first.max(alone.min(1.0)).max(f64::EPSILON);
        if failure.is_none() {
            match simulation.step_with(*h, tau) {
                Ok(_) => {
                    error = error.max(deviation(&simulation, &plan.poses[k + 1]));
                    each(k + 1, &mut simulation);
                }
                Err(e) => {
                    failure = Some(format!("step {k}: {e}"));
                    error = f64::INFINITY;
                }
            }
        }
    }
    Ok(Replay {
        simulation,
        error,
        step_error,
        growth: error / first,
        failure,
    })
}
