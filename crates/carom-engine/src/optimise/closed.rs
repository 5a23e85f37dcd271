//! Contacts that are closed in phases: joints at what touches, whose impulses push and never pull.
//!
//! From the node where it closes to the one where it is let go, the gaps of a contact are zero and, where it
//! sticks, its place is the same; a reaction holds each. Nothing holds at the node where it is let go, and
//! along the normal nothing did at the one before ("Monopedal jumping" (12)): that is what times the release.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector, Vector3};

use super::draft::{Draft, FREE};
use super::error::OptimiseError;
use super::family::Family;
use super::feature::Feature;
use super::flat;
use super::guess::Guess;
use super::impact;
use super::layout::{ClosedContact, PlannedTouch};
use super::meeting::{Closed, Meeting, Touch};
use super::problem::Problem;
use super::push::Push;
use super::rows::jump::JumpRow;
use super::rows::{AnchorRow, Balance, ConeRow};
use super::spots::{Spot, spots};
use crate::model::Hold;

/// A contact that is closed from one node to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub closed: Closed,
    pub from: usize,
    pub to: usize,
    /// Whether it closes on the way, and is let go on the way.
    pub closes: bool,
    pub released: bool,
}

/// Contacts that are closed, over as many phases as they are.
pub(crate) fn spans(problem: &Problem) -> Vec<Span> {
    let last: usize = problem.phases.iter().map(|p| p.steps).sum();
    let mut out: Vec<Span> = Vec::new();
    let mut from = 0;
    for phase in &problem.phases {
        let to = from + phase.steps;
        for closed in &phase.closed {
            let same = |s: &&mut Span| s.closed == *closed && s.to == from;
            match out.iter_mut().find(same) {
                Some(span) => span.to = to,
                None => out.push(Span {
                    closed: *closed,
                    from,
                    to,
                    closes: from > 0,
                    released: false,
                }),
            }
        }
        from = to;
    }
    out.iter_mut().for_each(|s| s.released = s.to < last);
    out
}

/// What happens where a phase ends, besides impacts: who closes and who is let go.
pub(crate) fn changes(problem: &Problem, phase: usize) -> Vec<(Meeting, Touch)> {
    let node: usize = problem.phases[..=phase].iter().map(|p| p.steps).sum();
    let mut out = Vec::new();
    for span in spans(problem) {
        if span.closes && span.from == node {
            out.push((span.closed.between, Touch::Stick));
        }
        if span.released && span.to == node {
            out.push((span.closed.between, Touch::Release));
        }
    }
    out
}

/// What touches where contacts close in a motion.
pub(crate) fn features(
    problem: &Problem,
    poses: &[Vec<carom_gap::Pose>],
) -> Result<Vec<Feature>, OptimiseError> {
    let find = |span: &Span| {
        let here = &poses[span.from];
        match span.closed.hold {
            Hold::Patch => flat::find(&problem.model, &span.closed.between, here),
            _ => Feature::find(&problem.model, &span.closed.between, here),
        }
    };
    spans(problem).iter().map(find).collect()
}

/// Adds unknowns and rows of all contacts that are closed, with the features of the guess.
pub(crate) fn plan_closed(
    out: &mut Draft,
    problem: &Problem,
    guess: &Guess,
) -> Result<(), OptimiseError> {
    let mut opened = Vec::new();
    for (span, feature) in spans(problem).iter().zip(features(problem, &guess.poses)?) {
        let sticks = span.closed.hold != Hold::Slip;
        if sticks && feature.across.is_none() && feature.crossing.is_none() {
            return Err(OptimiseError::Unsupported {
                what: format!("{} that sticks", feature.name),
                fix: "what is round rolls where it sticks: plan an impact with friction, or write hold = \"slip\""
                    .into(),
            });
        }
        let spots = spots(out, (span.from, sticks), &feature);
        close(out, span, (&feature, problem), &spots);
        if span.released {
            opened.push((span.to, feature.name, spots));
        }
    }
    for (node, name, spots) in opened {
        let_go(out, node, &name, &spots);
    }
    lean(out);
    Ok(())
}

/// Least push of a contact that holds, in parts of the largest one of the guess.
const LEAST_PUSH: f64 = 1e-5;

/// Part of the weight from which on a guess counts as leaning on a contact.
const LEANS: f64 = 1e-3;

/// Reactions begin as what the motion of the guess asks of them: least squares of the balances of their node. Where
/// it leans on nothing (controls carry it) they stay as they were.
fn lean(out: &mut Draft) {
    out.path.refresh(&out.x, false);
    let mut balance = Balance::new(&out.path.layout);
    let mut left = vec![0.0; balance.ranges().len()];
    balance.values(&out.path, &mut left);
    let mut entries: BTreeMap<usize, Vec<(usize, f64)>> = BTreeMap::new();
    balance.list_reactions(&out.path, &mut |row, unknown, v| {
        entries.entry(unknown).or_default().push((row, v));
    });
    for node in 0..out.path.layout.nodes() {
        let of = |list: &[(usize, usize)]| -> Vec<usize> {
            let own = list.iter().filter(|(at, _)| *at == node);
            own.map(|(_, unknown)| *unknown).collect()
        };
        let closed = out.path.layout.closed.iter();
        let [pushes, rubs] = closed.fold([Vec::new(), Vec::new()], |[mut n, mut t], c| {
            n.extend(of(&c.normal));
            t.extend(of(&c.across));
            [n, t]
        });
        let all: Vec<usize> = pushes.iter().chain(&rubs).copied().collect();
        if all.is_empty() {
            continue;
        }
        let column = |unknown: &usize| entries.get(unknown).map_or(&[][..], |c| c);
        // AᵀA δ = −Aᵀ r, with a little damping where columns follow from others.
        let dot = |a: &[(usize, f64)], b: &[(usize, f64)]| -> f64 {
            let same = |(r, v): &(usize, f64)| {
                let own = b.iter().filter(|(s, _)| s == r);
                own.map(|(_, w)| v * w).sum::<f64>()
            };
            a.iter().map(same).sum()
        };
        let size = all.len();
        let mut normal = DMatrix::from_fn(size, size, |i, j| dot(column(&all[i]), column(&all[j])));
        let damping = 1e-9 * normal.diagonal().amax();
        (0..size).for_each(|k| normal[(k, k)] += damping);
        let against = DVector::from_fn(size, |i, _| {
            let own = column(&all[i]).iter();
            -own.map(|(r, v)| v * left[*r]).sum::<f64>()
        });
        let Some(change) = normal.cholesky().map(|c| c.solve(&against)) else {
            continue;
        };
        let fitted = |k: usize| out.x[all[k]] + change[k];
        let pushed: f64 = (0..pushes.len()).map(fitted).sum();
        let before: f64 = pushes.iter().map(|k| out.x[*k]).sum();
        if pushed < LEANS * before {
            continue;
        }
        for (k, &unknown) in all.iter().enumerate() {
            let [low, high] = out.bounds[unknown];
            out.x[unknown] = (out.x[unknown] + change[k]).clamp(low, high);
        }
    }
    // What does not push is let go by the simulator: a little is asked for wherever it holds.
    for contact in out.path.layout.closed.clone() {
        let largest = (contact.normal.iter()).fold(0.0_f64, |m, (_, k)| m.max(out.x[*k]));
        for (_, unknown) in contact.normal {
            let [low, high] = out.bounds[unknown];
            if low < high {
                let least = low.max(LEAST_PUSH * largest);
                out.bounds[unknown] = [least, high];
                out.x[unknown] = out.x[unknown].max(least);
            }
        }
    }
}

/// Rows of a contact at all its nodes; vertices beside it keep a height.
fn close(out: &mut Draft, span: &Span, (feature, problem): (&Feature, &Problem), spots: &[Spot]) {
    let name = &feature.name;
    let mut contact = ClosedContact {
        what: name.clone(),
        from: span.from,
        to: span.to,
        normal: Vec::new(),
        across: Vec::new(),
    };
    let load = load(out, feature) / spots.len() as f64;
    for node in span.from..=span.to {
        // Nothing holds where it is let go; one node before, nothing pushes.
        let open = span.released && node == span.to;
        let last = span.released && node + 1 == span.to;
        let push = if last { [0.0; 2] } else { [0.0, f64::INFINITY] };
        let rub = if last && span.closed.friction.is_some() {
            [0.0; 2]
        } else {
            FREE
        };
        out.touch(node, feature, problem.beside, true);
        for (number, spot) in spots.iter().enumerate() {
            if spot.kept {
                let what = format!("gap of {name}");
                let depth = match span.closes && node == span.from {
                    true => impact::met(problem),
                    false => 0.0,
                };
                let row = (spot.gap.clone(), [-depth; 2]);
                out.conditions.add(node, &what, &[row]);
            }
            for (k, own) in spot.across.iter().enumerate() {
                if own.kept || node == span.from {
                    out.anchors.rows.push(AnchorRow {
                        node,
                        what: format!("place {number} {k} of {name}"),
                        poly: own.poly.clone(),
                        places: own.places.clone(),
                    });
                }
            }
            let held = || spot.across.iter().filter(|a| a.kept);
            let homes = out.path.layout.homes(spot.gap.used());
            let balanced = homes.iter().any(|&c| out.path.layout.is_balanced(c, node));
            if open {
                continue;
            }
            if spot.kept {
                let normal = (node, spot.normal.clone(), [0.0, f64::INFINITY]);
                out.path.layout.held.push(normal);
            }
            for own in held() {
                let push = match &own.push {
                    Push::Gradient(_) => own.here(&out.x).into(),
                    Push::Point(_) | Push::Torque { .. } => own.push.clone(),
                };
                out.path.layout.held.push((node, push, FREE));
            }
            if !balanced {
                continue;
            }
            let step = node.min(out.path.layout.grid.len() - 1);
            let value = if last {
                0.0
            } else {
                load * out.path.layout.h(step, &out.x)
            };
            let normal = out.react(node, "push", &spot.normal, push, value);
            contact.normal.push((node, normal));
            let across: Vec<usize> = held()
                .map(|own| out.react(node, "rub", &own.push, rub, 0.0))
                .collect();
            contact.across.extend(across.iter().map(|k| (node, *k)));
            if let Some(friction) = span.closed.friction.filter(|_| !last && !across.is_empty()) {
                out.cones.rows.push(ConeRow {
                    node,
                    what: format!("friction {number} of {name}"),
                    friction,
                    normal,
                    across,
                });
            }
        }
    }
    let at = |node: usize| {
        let own = contact.normal.iter().filter(|(k, _)| *k == node);
        own.map(|(_, unknown)| *unknown).collect()
    };
    let touch = |node: usize, kind: Touch| PlannedTouch {
        node,
        kind,
        what: name.clone(),
        impulses: at(node),
    };
    if span.closes {
        out.path.layout.impacts.push(touch(span.from, Touch::Stick));
    }
    if span.released {
        out.path.layout.impacts.push(touch(span.to, Touch::Release));
    }
    out.path.layout.closed.push(contact);
}

/// What is let go does not approach then: ∇g · P ν ≥ 0 with the velocities of the step that ends there. Otherwise it
/// would come down again at once, and the simulator would push.
fn let_go(out: &mut Draft, node: usize, name: &str, spots: &[Spot]) {
    let used = spots.iter().flat_map(|s| s.gap.used());
    let homes = out.path.layout.homes(used);
    let side = out.add_side(node, true, homes);
    for spot in spots.iter().filter(|s| s.kept) {
        out.jumps.rows.push(JumpRow {
            node,
            what: format!("release of {name}"),
            push: spot.gap.clone().into(),
            sides: vec![(side, 1.0)],
            products: Vec::new(),
            range: [0.0, f64::INFINITY],
        });
    }
}

/// The weight of everything that a contact may have to carry, in N.
fn load(out: &Draft, feature: &Feature) -> f64 {
    let layout = &out.path.layout;
    let homes = layout.homes(feature.gap.used());
    let gravity: Vector3<f64> = out.path.model.forces().gravity;
    let own = layout.inertias.iter().filter(|i| {
        let home = layout.body_home[i.body];
        home.is_some_and(|(c, _)| homes.contains(&c))
    });
    own.map(|i| i.mass()).sum::<f64>() * gravity.norm()
}
