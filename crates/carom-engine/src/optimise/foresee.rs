//! What cannot be, said before anything is solved, and why nothing was found, said afterwards.

use carom_gap::Pose;

use super::assemble::assemble;
use super::avoid::check;
use super::draft::Draft;
use super::error::OptimiseError;
use super::found::Found;
use super::guess::Guess;
use super::idle::out_of_reach;
use super::problem::{Condition, Problem, Term};
use super::validate::validate;
use super::wheels;
use crate::contact::{Detector, Pair};
use crate::model::{Frame, JointKind, Model, Target};
use crate::words::told;

/// How many pairs are named.
const NAMED: usize = 3;

/// Reasons why a problem has no solution, as far as they can be told without solving it: bodies that
/// overlap at poses that are given, and bounds that are too small for the way. Empty if there are none.
///
/// ```
/// use carom::optimise::foresee;
/// use carom::scenario::Scenario;
/// use std::sync::Arc;
/// let text = r#"
///     [body.p]
///     kind = "particle"
///     mass = 1
///     [optimise]
///     minimise = [{ effort = 1.0 }]
///     controls.p = { force = { each = 1 } }
///     goal.p = { position = [10, 0, 0], rest = true }
///     [[phase]]
///     steps = 50
///     step = 0.02
/// "#;
/// let scenario = Scenario::parse("far.toml", text).unwrap();
/// let model = Arc::new(scenario.build().unwrap());
/// let request = scenario.plan(&model).unwrap();
/// let reasons = foresee(&request.problem, &request.guess).unwrap();
/// assert!(reasons[0].contains("bounds"));
/// ```
pub fn foresee(problem: &Problem, guess: &Guess) -> Result<Vec<String>, OptimiseError> {
    validate(problem, guess)?;
    reasons(problem, guess)
}

pub(crate) fn reasons(problem: &Problem, guess: &Guess) -> Result<Vec<String>, OptimiseError> {
    let mut draft = assemble(problem, guess)?;
    draft.path.refresh(&draft.x, false);
    let mut out = overlaps_at_ends(problem, &draft);
    out.extend(too_weak(problem, &draft));
    out.extend(wheels::too_few_steps(problem, &draft));
    out.extend(out_of_reach(problem, guess)?);
    Ok(out)
}

/// Bodies that overlap where their poses are given.
fn overlaps_at_ends(problem: &Problem, draft: &Draft) -> Vec<String> {
    let mut out = Vec::new();
    if problem.avoid.is_none() {
        return out;
    }
    let model = &*problem.model;
    let (t, bounds) = (&draft.path, &draft.bounds);
    let last = t.layout.grid.len();
    for (node, where_) in [(0, "at the start"), (last, "at the goal")] {
        let poses = &t.nodes()[node].poses;
        for (pair, depth) in check::overlaps(model, poses) {
            let bodies: Vec<_> = pair.bodies().into_iter().flatten().collect();
            let given = (t.layout.freedoms_of_bodies(&bodies).iter()).all(|&f| {
                let [low, high] = bounds[t.layout.u(node, f)];
                low == high
            });
            if given {
                let [a, b] = Detector::names(model, &pair);
                out.push(format!(
                    "{where_} {a} overlaps {b} by {depth:.3} m, and both poses are given: move one of them"
                ));
            }
        }
    }
    out
}

/// Free bodies whose bounded forces cannot take them where they should be in the time there is: with
/// an acceleration in [a, b], a body gets farthest by b first and a then.
fn too_weak(problem: &Problem, draft: &Draft) -> Vec<String> {
    let mut out = Vec::new();
    let model = &*problem.model;
    let forces = model.forces();
    if !forces.pairs.is_empty() || !forces.drags.is_empty() {
        return out;
    }
    // Lighter bodies may do.
    if !problem.parameters.is_empty() {
        return out;
    }
    // Contacts that are planned or looked for push, too.
    if problem.has_contacts() || !problem.penalties.is_empty() {
        return out;
    }
    let fixed = problem
        .phases
        .iter()
        .all(|p| p.time_scale[0] == p.time_scale[1]);
    if !fixed {
        return out;
    }
    let (t, bounds) = (&draft.path, &draft.bounds);
    let time = t.layout.total(&draft.x);
    let last = t.layout.grid.len();
    for component in &t.layout.components {
        let root = component.joints[0];
        let joint = &model.joints()[root];
        if component.joints.len() > 1 || joint.kind != JointKind::Free {
            continue;
        }
        let body = joint.child.index();
        let Some(inertia) = t.layout.inertias.iter().find(|i| i.body == body) else {
            continue;
        };
        // What potentials may give is not known.
        let mut potentials = model.forces().user.iter().flat_map(|u| u.bodies());
        if potentials.any(|b| *b == joint.child) {
            continue;
        }
        let mass = inertia.mass();
        let speed = |node: usize, k: usize| {
            let own = t.layout.motions.iter().find(|m| {
                m.node == node && m.motion.bodies.len() == 1 && m.motion.bodies[0] == joint.child
            })?;
            let [low, high] = own.motion.twist[k];
            (low == high).then_some(low)
        };
        for k in 0..3 {
            let given = [0, last].map(|node| {
                let [low, high] = bounds[t.layout.u(node, model.offsets[root] + k)];
                (low == high).then(|| t.nodes()[node].poses[body].position[k])
            });
            let ([Some(from), Some(to)], Some(v0), Some(v1)) = (given, speed(0, k), speed(last, k))
            else {
                continue;
            };
            let [low, high] = force_range(model, body, k);
            let weight = inertia.weight[k];
            let [a, b] = [low, high].map(|f| (f + weight) / mass);
            if !(a.is_finite() && b.is_finite()) {
                continue;
            }
            let gain = v1 - v0;
            let axis = ["x", "y", "z"][k];
            let name = &model.body(joint.child).name;
            let slack = 1e-6 * (gain.abs() + (a.abs() + b.abs()) * time) + 1e-300;
            if gain > b * time + slack || gain < a * time - slack {
                out.push(format!(
                    "bounds are too small: force on {name} along {axis} within [{low}, {high}] N \
                     changes its velocity by {:.3} to {:.3} m/s in {} s, {gain:.3} are needed: \
                     widen the bounds or give more time",
                    a * time,
                    b * time,
                    told(time)
                ));
                continue;
            }
            if a == b {
                continue;
            }
            let first = ((gain - a * time) / (b - a)).clamp(0.0, time);
            let rest = time - first;
            let most =
                v0 * time + 0.5 * b * first * first + b * first * rest + 0.5 * a * rest * rest;
            let (first, rest) = (rest, first);
            let least =
                v0 * time + 0.5 * a * first * first + a * first * rest + 0.5 * b * rest * rest;
            let way = to - from;
            // The discrete way differs by the order of a step.
            let room = 2.0 / last as f64 * (most - least).abs() + slack * time;
            if way > most + room || way < least - room {
                out.push(format!(
                    "bounds are too small: force on {name} along {axis} within [{low}, {high}] N moves \
                     its {mass} kg by {least:.3} to {most:.3} m in {} s, {way:.3} m are needed: widen \
                     the bounds or give more time",
                    told(time)
                ));
            }
        }
    }
    out
}

/// Least and largest force on a body along an axis.
fn force_range(model: &Model, body: usize, k: usize) -> [f64; 2] {
    let mut range = [0.0; 2];
    for a in model.actuators() {
        let (of, frame) = match &a.target {
            Target::Wrench { body, frame, .. } | Target::Along { body, frame, .. } => (body, frame),
            _ => continue,
        };
        if of.index() != body {
            continue;
        }
        if a.signals.is_some() || a.bounds.is_empty() {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let bounds = &a.bounds;
        let most = |b: &[f64; 2]| b[0].abs().max(b[1].abs());
        let own = match (&a.target, frame) {
            // What points nowhere along the axis gives nothing, without bounds as well.
            (Target::Along { unit, .. }, Frame::Inertial) if unit[0][k] == 0.0 => [0.0; 2],
            (Target::Along { unit, .. }, Frame::Inertial) => {
                let [x, y] = bounds[0].map(|b| b * unit[0][k]);
                [x.min(y), x.max(y)]
            }
            (Target::Along { unit, .. }, Frame::Body) if unit[0].norm() == 0.0 => [0.0; 2],
            (Target::Along { unit, .. }, Frame::Body) => {
                let norm = most(&bounds[0]) * unit[0].norm();
                [-norm, norm]
            }
            (_, Frame::Inertial) => bounds[k],
            (_, Frame::Body) => {
                let squares = bounds.iter().take(3).map(|b| most(b).powi(2));
                let norm = squares.sum::<f64>().sqrt();
                [-norm, norm]
            }
        };
        range[0] += own[0];
        range[1] += own[1];
    }
    range
}

/// Rotation within a step, in rad, beyond which a grid is coarse.
pub(crate) const FAST_TURN: f64 = 0.8;

/// Part of the largest push of a closed contact that is none.
const IDLE: f64 = 1e-6;

/// The largest rotation of a body within a step, and which body it is.
pub(crate) fn fastest_turn(poses: &[Vec<Pose>]) -> (f64, usize) {
    let mut out = (0.0, 0);
    for ends in poses.windows(2) {
        for (k, (a, b)) in ends[0].iter().zip(&ends[1]).enumerate() {
            let cosine = 0.5 * (a.directors.dot(&b.directors) - 1.0);
            let turn = cosine.clamp(-1.0, 1.0).acos();
            if turn > out.0 {
                out = (turn, k);
            }
        }
    }
    out
}

/// What stands in the way at the point where a search ended.
pub(crate) fn afterwards(problem: &Problem, found: &Found) -> Vec<String> {
    let mut out = found.at_bounds.clone();
    if !out.is_empty() {
        out.push("wider bounds or more time may help".into());
    }
    let (turn, body) = fastest_turn(&found.poses);
    if turn > FAST_TURN {
        let name = &problem.model.bodies()[body].name;
        out.push(format!(
            "{name} turns by {turn:.2} rad within a step, which is coarse: more steps, a limit of its angular velocity \
             (goal or path) or a guess with less spin may help"
        ));
    }
    for contact in &found.held {
        let most = contact.normal.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let idle = |(_, push): &(usize, &f64)| **push <= IDLE * most;
        let mut idle = contact
            .normal
            .iter()
            .enumerate()
            .filter(idle)
            .map(|(k, _)| contact.nodes[0] + k);
        if let Some(first) = idle.next() {
            let last = idle.next_back().unwrap_or(first);
            out.push(format!(
                "{} does not push where it is closed (nodes {first} to {last}), and no contact pulls: let it open before, \
                 or let something else slow down what it pushes",
                contact.what
            ));
        }
    }
    let costs = problem.minimise.iter().filter_map(|term| match term {
        Term::Running { formula, .. } | Term::End { formula, .. } => Some(formula),
        _ => None,
    });
    let conditions = problem.path.iter().filter_map(|c| match c {
        Condition::Formula { formula, .. } => Some(formula),
        _ => None,
    });
    let corners = costs.chain(conditions);
    let mut corners = corners.filter_map(|f| Some((f.text(), f.function.corner()?)));
    out.extend(corners.next().map(|(text, name)| {
        format!(
            "{text} has a corner at {name}(…), where a search may find no end: two controls that push one way each in \
             place of abs(x), or squares in place of hypot, have none"
        )
    }));
    if let Some(avoid) = &problem.avoid {
        let check = check::check(problem, &found.poses, avoid, &found.met());
        let mut list: Vec<(Pair, usize, f64)> = check.at_nodes.clone();
        list.sort_by(|a, b| b.2.total_cmp(&a.2));
        let mut seen: Vec<Pair> = Vec::new();
        for (pair, node, below) in list {
            if seen.contains(&pair) || seen.len() == NAMED || below < 1e-9 {
                continue;
            }
            seen.push(pair);
            let [a, b] = Detector::names(&problem.model, &pair);
            let time: f64 = found.steps[..node].iter().sum();
            out.push(format!(
                "{a} and {b} miss their distance by {below:.2e} m at {time:.3} s (node {node})"
            ));
        }
        if !seen.is_empty() {
            out.push("a guess that goes round them may help".into());
        }
    }
    out
}
