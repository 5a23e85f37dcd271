//! A plan run by the simulator.

use std::sync::Arc;

use super::error::OptimiseError;
use super::guess::Guess;
use super::plan::Plan;
use super::problem::Problem;
use super::rehearse;
use crate::contact::Pair;
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
    /// How much a nudge at the start grows on the way: large for unstable plants, whose open-loop replay
    /// says nothing about the plan. Measured where the replay deviates; 1 where it does not.
    pub growth: f64,
    /// How far the nudge, as small as what a step adds, leads away from the replay.
    pub nudged: f64,
    /// Whether the motion that is shown is made of single steps from the plan's own nodes: the plan is right, but its
    /// plant too unstable to be driven in open loop.
    pub stepwise: bool,
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
        self.contact_error <= ON_TIME && (self.is_followed(length) || self.is_amplified(length))
    }

    /// Whether the simulator follows the plan from its start to its end.
    fn is_followed(&self, length: f64) -> bool {
        self.failure.is_none() && self.error <= WHOLE * small(length)
    }

    /// Whether the plant has led the replay away, and made it of round-off: no single step adds as much, and a nudge
    /// leads as far. A replay that fails before it is away fails for another reason.
    fn is_amplified(&self, length: f64) -> bool {
        let away = self.error > WHOLE * small(length);
        away && self.step_error <= STEPWISE * small(length) && self.error <= LIKE * self.nudged
    }
}

/// The length that deviations are measured in: directors have the length 1.
fn small(length: f64) -> f64 {
    length.clamp(f64::MIN_POSITIVE, 1.0)
}

/// Deviations that count as none: of the whole replay, of single steps.
const WHOLE: f64 = 1e-6;
const STEPWISE: f64 = 1e-10;
/// The least nudge, in lengths of the problem, and how much farther than by it a replay may be led.
const NUDGE: f64 = 1e-12;
const LIKE: f64 = 10.0;

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

/// How far a nudge of the start leads away from a replay, of which `nodes` has the poses, and what the first step
/// made of it.
fn nudge(
    model: &Arc<Model>,
    settings: Settings,
    plan: &Plan,
    nodes: &[Vec<carom_gap::Pose>],
    size: f64,
) -> Result<[f64; 2], OptimiseError> {
    let Some(h) = plan.steps.first() else {
        return Ok([0.0; 2]);
    };
    let other_ways = |(k, rate): (usize, &f64)| match k % 2 {
        0 => rate + size / h,
        _ => rate - size / h,
    };
    let rates: Vec<f64> = plan.rates[0].iter().enumerate().map(other_ways).collect();
    let mut simulation = start(model, settings, &[], &plan.poses[0], &rates)?;
    let (mut first, mut most) = (0.0, 0.0_f64);
    for (k, (h, tau)) in plan.steps.iter().zip(&plan.controls).enumerate() {
        let Some(poses) = nodes.get(k + 1) else {
            break;
        };
        if simulation.step_with(*h, tau).is_err() {
            break;
        }
        most = most.max(deviation(&simulation, poses));
        if k == 0 {
            first = most;
        }
    }
    Ok([most, first])
}

/// The simulator at a node of the plan.
fn begin(
    model: &Arc<Model>,
    settings: Settings,
    plan: &Plan,
    node: usize,
) -> Result<Simulation, OptimiseError> {
    let past = &plan.steps[..node];
    start(model, settings, past, &plan.poses[node], &plan.rates[node])
}

/// The simulator after the `past` steps.
fn start(
    model: &Arc<Model>,
    settings: Settings,
    past: &[f64],
    poses: &[carom_gap::Pose],
    rates: &[f64],
) -> Result<Simulation, OptimiseError> {
    let mut state = Guess::state(model, poses, rates)?;
    past.iter().for_each(|h| state.tick(*h));
    Simulation::from_state(Arc::clone(model), settings, state).map_err(|e| OptimiseError::Guess {
        what: format!("the start cannot be simulated: {e}"),
    })
}

/// How a replay leaves its plan.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stray {
    /// Two meet that do not by plan, in a step.
    Meets(Pair, usize),
    /// Something else, first seen at a node.
    Leaves(usize),
}

/// Where the replay of a plan first leaves it.
pub(crate) fn stray(problem: &Problem, plan: &Plan) -> Result<Option<Stray>, OptimiseError> {
    let model = rehearse::model(problem);
    let settings = rehearse::settings(problem, plan.steps.first().copied().unwrap_or(1.0));
    let mut simulation = begin(&model, settings, plan, 0)?;
    let planned = |event: &ContactEvent| {
        let mut own = plan.contacts.iter();
        own.any(|c| (c.time - event.time).abs() <= ON_TIME)
    };
    let least = WHOLE * small(plan.length);
    let mut seen = 0;
    for (k, (h, tau)) in plan.steps.iter().zip(&plan.controls).enumerate() {
        if simulation.step_with(*h, tau).is_err() {
            return Ok(Some(Stray::Leaves(k + 1)));
        }
        let fresh = simulation.events()[seen..].iter();
        let mut impacts = fresh.filter(|e| e.kind == ContactKind::Impact && !planned(e));
        if let Some(pair @ Pair::Bodies(..)) = impacts.next().map(|first| first.pair) {
            return Ok(Some(Stray::Meets(pair, k)));
        }
        if deviation(&simulation, &plan.poses[k + 1]) > least {
            return Ok(Some(Stray::Leaves(k + 1)));
        }
        seen = simulation.events().len();
    }
    Ok(None)
}

/// Replays a plan; `each` sees the simulation at every node, the start included, and that of single steps from the
/// plan's own nodes where the plant is too unstable to be driven in open loop.
pub fn replay(
    problem: &Problem,
    plan: &Plan,
    each: impl FnMut(usize, &mut Simulation),
) -> Result<Replay, OptimiseError> {
    let values: Vec<f64> = plan.parameters.iter().map(|p| p.1).collect();
    let problem = &problem.chosen(plan).at_parameters(&values);
    let model = rehearse::model(problem);
    let settings = rehearse::settings(problem, plan.steps.first().copied().unwrap_or(1.0));
    let Whole {
        simulation,
        nodes,
        error,
        failure,
    } = as_a_whole(&model, settings, plan, |_, _| {})?;
    let (step_error, own_contacts) = step_by_step(&model, settings, plan, |_, _| {})?;

    // Where the whole deviates and no step does, the plant may have made it of round-off.
    let small = small(plan.length);
    let (mut nudged, mut growth) = (0.0, 1.0);
    if error > WHOLE * small && step_error <= STEPWISE * small {
        let size = step_error.max(NUDGE * small);
        let [most, first] = nudge(&model, settings, plan, &nodes, size)?;
        (nudged, growth) = (most, most / first.max(f64::EPSILON * small));
    }
    let mut replay = Replay {
        contacts: simulation.events().to_vec(),
        simulation,
        contact_error: 0.0,
        error,
        step_error,
        growth,
        nudged,
        stepwise: false,
        failure,
    };
    // Only now is it known which motion is the plan's: it is made once more for whoever looks on.
    replay.stepwise = replay.is_amplified(plan.length);
    if replay.stepwise {
        replay.contacts = own_contacts;
        step_by_step(&model, settings, plan, each)?;
    } else {
        as_a_whole(&model, settings, plan, each)?;
    }
    for planned in &plan.contacts {
        let kind = rehearse::kind(planned.kind);
        let alike = replay.contacts.iter().filter(|c| c.kind == kind);
        let apart = alike.map(|c| (c.time - planned.time).abs());
        let nearest = apart.fold(f64::INFINITY, f64::min);
        replay.contact_error = replay.contact_error.max(nearest);
    }
    Ok(replay)
}

/// A plan driven in open loop.
struct Whole {
    simulation: Simulation,
    /// Poses at the nodes it came to.
    nodes: Vec<Vec<carom_gap::Pose>>,
    error: f64,
    failure: Option<String>,
}

/// Drives the controls of a plan from its start to its end, or to where that fails.
fn as_a_whole(
    model: &Arc<Model>,
    settings: Settings,
    plan: &Plan,
    mut each: impl FnMut(usize, &mut Simulation),
) -> Result<Whole, OptimiseError> {
    let mut simulation = begin(model, settings, plan, 0)?;
    let mut nodes = vec![simulation.state().poses.clone()];
    let (mut error, mut failure) = (0.0_f64, None);
    each(0, &mut simulation);
    for (k, (h, tau)) in plan.steps.iter().zip(&plan.controls).enumerate() {
        if let Err(e) = simulation.step_with(*h, tau) {
            failure = Some(format!("step {k}: {e}"));
            break;
        }
        error = error.max(deviation(&simulation, &plan.poses[k + 1]));
        nodes.push(simulation.state().poses.clone());
        each(k + 1, &mut simulation);
    }
    Ok(Whole {
        simulation,
        nodes,
        error,
        failure,
    })
}

/// Whether the simulator makes of a plan what it says, as a whole, or step by step where the plant is unstable.
pub(crate) fn agrees(problem: &Problem, plan: &Plan) -> Result<bool, OptimiseError> {
    Ok(replay(problem, plan, |_, _| {})?.agrees(plan.length))
}

/// Makes every step from the plan's own node; returns the largest deviation at the end of one, and what touched.
fn step_by_step(
    model: &Arc<Model>,
    settings: Settings,
    plan: &Plan,
    mut each: impl FnMut(usize, &mut Simulation),
) -> Result<(f64, Vec<ContactEvent>), OptimiseError> {
    let mut error = 0.0_f64;
    let mut contacts = Vec::new();
    each(0, &mut begin(model, settings, plan, 0)?);
    for (k, (h, tau)) in plan.steps.iter().zip(&plan.controls).enumerate() {
        let mut own = begin(model, settings, plan, k)?;
        error = error.max(match own.step_with(*h, tau) {
            Ok(_) => deviation(&own, &plan.poses[k + 1]),
            Err(_) => f64::INFINITY,
        });
        contacts.extend_from_slice(own.events());
        each(k + 1, &mut own);
    }
    Ok((error, contacts))
}
