//! Starts that are to be found: bodies near a place, joints and their rates within ranges.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::draft::{Draft, FREE};
use super::error::OptimiseError;
use super::guess::Guess;
use super::hanging::hang;
use super::layout::EndMotion;

use super::problem::{Condition, Motion, Problem, connected};
use crate::mechanics::{joint_coordinates, log, slides};
use crate::model::{BodyId, JointId, JointKind};

fn unsupported(what: String, fix: &str) -> OptimiseError {
    OptimiseError::Unsupported {
        what,
        fix: fix.into(),
    }
}

/// A body is within a box around its place, and turned by at most so much about each axis.
pub(crate) fn near(
    out: &mut Draft,
    node: usize,
    body: BodyId,
    [position, rotation]: [&[f64; 3]; 2],
) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.path.model);
    let carrier = model.joints().iter().position(|j| j.child == body);
    let name = &model.body(body).name;
    let refused = || {
        unsupported(
            format!("a start near which body {name} is, which hangs on a joint"),
            "let the coordinates of its joint be found: start.joints.NAME = [least, largest]",
        )
    };
    let j = carrier.ok_or_else(refused)?;
    let joint = &model.joints()[j];
    // What is allowed along or about a direction.
    let along = |most: &[f64; 3], e: &nalgebra::Vector3<f64>| -> f64 {
        (0..3)
            .filter(|&k| e[k].abs() > 1e-12)
            .map(|k| most[k] * e[k].abs())
            .sum()
    };
    let most: Vec<f64> = match joint.kind {
        JointKind::Free if model.is_particle(body) => position.to_vec(),
        JointKind::Free => [&position[..], rotation].concat(),
        JointKind::Spherical => rotation.to_vec(),
        JointKind::Planar if joint.parent.is_none() => {
            let [a, b] = &joint.across;
            vec![
                along(position, a),
                along(position, b),
                along(rotation, &joint.axis),
            ]
        }
        _ => return Err(refused()),
    };
    for (k, most) in most.into_iter().enumerate() {
        let index = out.path.layout.u(node, model.offsets[j] + k);
        out.bounds[index] = [-most, most];
    }
    Ok(())
}

/// A coordinate of a joint is within a range and its limits.
pub(crate) fn open(
    out: &mut Draft,
    node: usize,
    (joint, coordinate): (JointId, usize),
    range: [f64; 2],
) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.path.model);
    let mut values = Vec::new();
    let place = model.find_joint(joint);
    if let Some(j) = place {
        joint_coordinates(&model.joints()[j], &out.path.centres[node], &mut values);
    }
    let (Some(j), Some(value)) = (place, values.get(coordinate)) else {
        return Err(unsupported(
            "a start of a joint without such a coordinate".into(),
            "name a joint with coordinates that closes no loop",
        ));
    };
    let limits = model.joints()[j].limits.get(coordinate).copied().flatten();
    let limits = limits.unwrap_or(FREE);
    let both = [range[0].max(limits[0]), range[1].min(limits[1])];
    if both[0] > both[1] {
        let name = &model.joints()[j].name;
        return Err(OptimiseError::Contradiction {
            what: format!("at the start the range of joint {name} is outside its limits"),
        });
    }
    let index = out.path.layout.u(node, model.offsets[j] + coordinate);
    out.bounds[index] = both.map(|v| v - value);
    Ok(())
}

/// What is to be found at the start begins where the guess has it.
pub(crate) fn begin(out: &mut Draft, problem: &Problem, guess: &Guess) {
    if !problem.start.conditions.contains(&Condition::AsBuilt) {
        return;
    }
    let model = Arc::clone(&out.path.model);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for (j, joint) in model.joints().iter().enumerate() {
        let (from, to) = (&out.path.centres[0], &guess.poses[0]);
        let child = joint.child.index();
        let u: Vec<f64> = match joint.kind {
            JointKind::Free => {
                let moved = to[child].position - from[child].position;
                let turn = to[child].directors * from[child].directors.transpose();
                let turned = log(&turn);
                let count = model.joint_freedom(j);
                let all = moved.iter().chain(turned.iter());
                all.take(count).copied().collect()
            }
            JointKind::Spherical => {
                let identity = nalgebra::Matrix3::identity();
                let below = |poses: &[carom_gap::Pose]| {
                    joint
                        .parent
                        .map_or(identity, |p| poses[p.index()].directors)
                };
                let turned =
                    |poses: &[carom_gap::Pose]| below(poses).tr_mul(&poses[child].directors);
                let turn = log(&(turned(to) * turned(from).transpose()));
                (below(from) * turn).iter().copied().collect()
            }
            JointKind::Rod => continue,
            _ => {
                joint_coordinates(joint, from, &mut a);
                joint_coordinates(joint, to, &mut b);
                let slides = slides(joint);
                let turn = std::f64::consts::TAU;
                let moved = |k: usize| match slides[k] {
                    true => b[k] - a[k],
                    false => b[k] - a[k] - ((b[k] - a[k]) / turn).round() * turn,
                };
                (0..model.joint_freedom(j)).map(moved).collect()
            }
        };
        for (k, value) in u.into_iter().enumerate() {
            let index = out.path.layout.u(0, model.offsets[j] + k);
            if out.bounds[index][0] < out.bounds[index][1] {
                out.x[index] = value.clamp(out.bounds[index][0], out.bounds[index][1]);
            }
        }
    }
}

/// Components with those that loops tie to them: what closes a loop pushes all of them, so that no velocity at an end is
/// asked of some alone.
pub(crate) fn with_loops(out: &Draft, components: BTreeSet<usize>) -> BTreeSet<usize> {
    let home = |b: &BodyId| out.path.layout.home_of(*b);
    let groups = connected(&out.path.model);
    let groups = (groups.iter()).map(|bodies| bodies.iter().filter_map(home).collect());
    let tied = |group: &BTreeSet<usize>| !group.is_disjoint(&components);
    groups.filter(tied).flatten().collect()
}

/// Components with those that loops and closed contacts tie to them at a node: no velocity there is one of some alone.
fn held_with(out: &Draft, node: usize, components: BTreeSet<usize>) -> BTreeSet<usize> {
    let layout = &out.path.layout;
    let held = layout.held.iter().filter(|(at, ..)| *at == node);
    let held: Vec<Vec<usize>> = held.map(|(_, push, _)| layout.homes(push.used())).collect();
    let mut all = with_loops(out, components);
    loop {
        let count = all.len();
        let tied = held.iter().filter(|h| h.iter().any(|c| all.contains(c)));
        let more: Vec<usize> = tied.flatten().copied().collect();
        all.extend(more);
        all = with_loops(out, all);
        if all.len() == count {
            return all;
        }
    }
}

/// Components whose motion is given at a node while that of others is not to which something closed ties them.
fn half_given(out: &Draft, node: usize) -> BTreeSet<usize> {
    let layout = &out.path.layout;
    let held = layout.held.iter().filter(|(at, ..)| *at == node);
    let homes = held.map(|(_, push, _)| layout.homes(push.used()));
    let given = |c: &usize| layout.is_moved(*c, node);
    let half = homes.filter(|h| h.iter().any(given) && !h.iter().all(given));
    half.flatten().collect()
}

/// Takes the motions that are given at a node for some components, which are asked of the rates of their joints instead:
/// momentum is not balanced there as it is, and what holds has no reaction of its own.
fn take_motions(
    out: &mut Draft,
    node: usize,
    components: &BTreeSet<usize>,
) -> Result<Vec<Motion>, OptimiseError> {
    let layout = &mut out.path.layout;
    let homes = layout.body_home.clone();
    let own = |b: &BodyId| homes[b.index()].is_some_and(|(c, _)| components.contains(&c));
    let asked = |m: &mut EndMotion| m.node == node && m.motion.bodies.iter().any(own);
    let taken: Vec<EndMotion> = layout.motions.extract_if(.., asked).collect();
    let given = taken.iter().flat_map(|m| m.unknowns).flatten();
    let mut idle: Vec<usize> = given.collect();
    for r in layout.reactions.iter().filter(|r| r.node == node) {
        let homes = layout.homes(r.push.used());
        if !homes.iter().any(|c| layout.is_balanced(*c, node)) {
            idle.push(r.unknown);
        }
    }
    for unknown in idle {
        (out.bounds[unknown], out.x[unknown]) = ([0.0; 2], 0.0);
    }
    let model = &out.path.model;
    let one = |m: EndMotion| match m.motion.bodies[..] {
        [_] => Ok(m.motion),
        _ => Err(OptimiseError::Invalid {
            what: format!(
                "{} is to move as one with others, and a contact that is closed ties it to what is given otherwise",
                model.body(m.motion.bodies[0]).name
            ),
            fix: "give velocities of each of these bodies, or rest = true".into(),
        }),
    };
    taken.into_iter().map(one).collect()
}

/// Rates of joints that are asked for at the ends are unknowns within bounds, and so are those of bodies that carry
/// others.
pub(crate) fn bound_rates(out: &mut Draft, problem: &Problem) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.path.model);
    let last = out.path.layout.grid.len();
    for (node, end) in [(0, &problem.start), (last, &problem.goal)] {
        let mut asked = Vec::new();
        for condition in &end.conditions {
            let Condition::Rate {
                joint,
                coordinate,
                range,
            } = condition
            else {
                continue;
            };
            let place = model.find_joint(*joint);
            let Some(j) = place.filter(|j| *coordinate < model.joint_freedom(*j)) else {
                return Err(unsupported(
                    "the rate of a joint without such a coordinate".into(),
                    "name a joint with coordinates that closes no loop",
                ));
            };
            let Some(c) = out.path.layout.home_of(model.joints()[j].child) else {
                continue;
            };
            let with = with_loops(out, [c].into());
            if with.iter().any(|&c| out.path.layout.is_moved(c, node)) {
                return Err(OptimiseError::Invalid {
                    what: format!(
                        "velocities are given for bodies that joint {} connects, and its rate, too",
                        model.joints()[j].name
                    ),
                    fix: "give one of them".into(),
                });
            }
            asked.push((c, model.offsets[j] + coordinate, *range));
        }
        // The rates of a body that floats are its velocity and angular velocity.
        for motion in &end.motions {
            let Some(j) = end.carrier(&model, motion) else {
                continue;
            };
            let Some(c) = out.path.layout.home_of(motion.bodies[0]) else {
                continue;
            };
            let own = motion.twist.iter().take(model.joint_freedom(j)).enumerate();
            asked.extend(own.map(|(k, range)| (c, model.offsets[j] + k, *range)));
        }
        // Of bodies that joints connect some are given a motion only.
        let hanging = end.motions.iter().filter(|m| end.hangs(&model, m));
        let hanging: Vec<_> = (hanging)
            .filter_map(|m| Some((m, out.path.layout.home_of(m.bodies[0])?)))
            .collect();
        let homes = asked.iter().map(|a| a.0);
        let mut homes: BTreeSet<usize> = homes.chain(hanging.iter().map(|h| h.1)).collect();
        homes.extend(half_given(out, node));
        if homes.is_empty() {
            continue;
        }
        let homes = held_with(out, node, homes);
        let taken = take_motions(out, node, &homes)?;
        let side = out.add_side(node, node != 0, homes.into_iter().collect());
        for (_, freedom, range) in asked {
            if let Some(unknown) = out.path.layout.sides[side].unknown(freedom) {
                out.bounds[unknown] = range;
                out.x[unknown] = out.x[unknown].clamp(range[0], range[1]);
            }
        }
        for motion in hanging.into_iter().map(|(m, _)| m).chain(&taken) {
            hang(out, (node, side), motion)?;
        }
    }
    for via in &problem.vias {
        if via
            .conditions
            .iter()
            .any(|c| matches!(c, Condition::Rate { .. }))
        {
            return Err(unsupported(
                "the exact rate of a joint on the way".into(),
                "ask for { joint = \"NAME\", rate = most }, which holds in every step",
            ));
        }
    }
    Ok(())
}
