//! Velocities that are asked at the ends of the rates of joints: as unknowns there, of all that loops and closed contacts
//! tie together, since what holds pushes all of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::draft::Draft;
use super::error::OptimiseError;
use super::hanging::hang;
use super::layout::EndMotion;
use super::problem::{Condition, Motion, Problem};
use crate::model::BodyId;

fn unsupported(what: &str, fix: &str) -> OptimiseError {
    OptimiseError::Unsupported {
        what: what.into(),
        fix: fix.into(),
    }
}

/// The components that each of the things holds which do at a node.
fn held_at(out: &Draft, node: usize) -> Vec<Vec<usize>> {
    let layout = &out.path.layout;
    let held = layout.held.iter().filter(|(at, ..)| *at == node);
    held.map(|(_, push, _)| layout.homes(push.used())).collect()
}

/// Components with those that loops and closed contacts tie to them at a node: no velocity there is one of some alone.
fn held_with(out: &Draft, node: usize, components: BTreeSet<usize>) -> BTreeSet<usize> {
    let held = held_at(out, node);
    let mut all = out.with_loops(components);
    loop {
        let count = all.len();
        let tied = held.iter().filter(|h| h.iter().any(|c| all.contains(c)));
        let more: Vec<usize> = tied.flatten().copied().collect();
        all.extend(more);
        all = out.with_loops(all);
        if all.len() == count {
            return all;
        }
    }
}

/// Components whose motion is given at a node while that of others is not to which something closed ties them.
fn half_given(out: &Draft, node: usize) -> BTreeSet<usize> {
    let given = |c: &usize| out.path.layout.is_moved(*c, node);
    let held = held_at(out, node).into_iter();
    let half = held.filter(|h| h.iter().any(given) && !h.iter().all(given));
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
                    "the rate of a joint without such a coordinate",
                    "name a joint with coordinates that closes no loop",
                ));
            };
            let Some(c) = out.path.layout.home_of(model.joints()[j].child) else {
                continue;
            };
            let with = out.with_loops([c].into());
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
                "the exact rate of a joint on the way",
                "ask for { joint = \"NAME\", rate = most }, which holds in every step",
            ));
        }
    }
    Ok(())
}
