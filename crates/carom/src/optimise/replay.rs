//! A plan run by the simulator.

use std::sync::Arc;

use super::error::OptimiseError;
use super::guess::Guess;
use super::plan::Plan;
use super::problem::Problem;
use super::rehearse;
use crate::contact::{Collider, Pair};
use crate::model::Model;
use crate::simulate::{ContactEvent, ContactKind, Settings, Simulation};

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
    /// Everything that touched on the way.
    pub contacts: Vec<ContactEvent>,
    /// Largest difference of a planned contact's time to that of the nearest event of its kind, in s.
    pub contact_error: f64,
    /// Why it stopped early, if it did.
    pub failure: Option<String>,
}

impl Replay {
    /// Whether the plan is what the simulator does: as a whole, or step by step where round-off grows.
    /// `length` is that of the problem in m.
    pub fn agrees(&self, length: f64) -> bool {
        let length = length.max(f64::MIN_POSITIVE);
        if self.contact_error > ON_TIME {
            return false;
        }
        self.error <= WHOLE * length.min(1.0)
            || (self.step_error <= STEPWISE * length.min(1.0) && self.growth > UNSTABLE)
    }
}

/// Deviations that count as none: of the whole replay, of single steps; and growth beyond which the
/// plant counts as unstable.
const WHOLE: f64 = 1e-6;
const STEPWISE: f64 = 1e-10;
const UNSTABLE: f64 = 1e3;

/// Difference of contact times that counts as none, in s.
const ON_TIME: f64 = 1e-6;

fn deviation(simulation: &Simulation, poses: &[carom_gap::Pose]) -> f64 {
    let mut error = 0.0_f64;
    for (a, b) in simulation.state().poses.iter().zip(poses) {
        error = error.max((a.position - b.position).norm());
        error = error.max((a.directors - b.directors).abs().max());
    }
    error
}

fn begin(
    model: &Arc<Model>,
    settings: Settings,
    plan: &Plan,
    node: usize,
) -> Result<Simulation, OptimiseError> {
    let state = Guess::state(model, &plan.poses[node], &plan.rates[node])?;
    Simulation::from_state(Arc::clone(model), settings, state).map_err(|e| OptimiseError::Guess {
        what: format!("the start cannot be simulated: {e}"),
    })
}

/// The first two that meet in the replay of a plan although they do not by plan.
pub(crate) fn unplanned(
    problem: &Problem,
    plan: &Plan,
) -> Result<Option<(Collider, Collider)>, OptimiseError> {
    let model = rehearse::model(problem);
    let settings = rehearse::settings(problem, plan.steps.first().copied().unwrap_or(1.0));
    let mut simulation = begin(&model, settings, plan, 0)?;
    let planned = |event: &ContactEvent| {
        let mut own = plan.contacts.iter();
        own.any(|c| (c.time - event.time).abs() <= ON_TIME)
    };
    let mut seen = 0;
    for (h, tau) in plan.steps.iter().zip(&plan.controls) {
        if simulation.step_with(*h, tau).is_err() {
            break;
        }
        let fresh = simulation.events()[seen..].iter();
        let mut impacts = fresh.filter(|e| e.kind == ContactKind::Impact && !planned(e));
        if let Some(first) = impacts.next() {
            return Ok(match first.pair {
                Pair::Bodies(a, b) => Some((a, b)),
                _ => None,
            });
        }
        seen = simulation.events().len();
    }
    Ok(None)
}

/// Replays a plan; `each` sees the simulation at every node, the start included.
pub fn replay(
    problem: &Problem,
    plan: &Plan,
    mut each: impl FnMut(usize, &mut Simulation),
) -> Result<Replay, OptimiseError> {
    let values: Vec<f64> = plan.parameters.iter().map(|p| p.1).collect();
    let problem = &problem.chosen(plan).at_parameters(&values);
    let model = rehearse::model(problem);
    let settings = rehearse::settings(problem, plan.steps.first().copied().unwrap_or(1.0));
    let mut simulation = begin(&model, settings, plan, 0)?;
    let mut error = 0.0_f64;
    let mut failure = None;
    let (mut step_error, mut first) = (0.0_f64, 0.0_f64);
    each(0, &mut simulation);
    for (k, (h, tau)) in plan.steps.iter().zip(&plan.controls).enumerate() {
        // The same step from the plan's own node.
        let mut own = begin(&model, settings, plan, k)?;
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
    let contacts = simulation.events().to_vec();
    let mut contact_error = 0.0_f64;
    for planned in &plan.contacts {
        let kind = rehearse::kind(planned.kind);
        let alike = contacts.iter().filter(|c| c.kind == kind);
        let apart = alike.map(|c| (c.time - planned.time).abs());
        contact_error = contact_error.max(apart.fold(f64::INFINITY, f64::min));
    }
    Ok(Replay {
        simulation,
        contacts,
        contact_error,
        error,
        step_error,
        growth: error / first,
        failure,
    })
}
