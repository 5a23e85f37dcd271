//! Impacts between phases: gap = 0, the impulse as an unknown, and the simulator's own jump as rows.

use std::collections::BTreeSet;

use super::closures;
use super::draft::Draft;
use super::error::OptimiseError;
use super::feature::Feature;
use super::flat;
use super::guess::Guess;
use super::layout::PlannedTouch;
use super::meeting::{Impact, Meeting, Touch, Transition};
use super::poly::Poly;
use super::problem::{Condition, Problem, Scheme};
use super::rows::jump::{JumpRow, pushed};
use super::rubbing::{Spot, Struck, response, rub};
use crate::mechanics::dense::dot;
use crate::model::{BodyId, Model, Touching};

/// Impacts with the nodes they happen at.
pub(crate) fn impacts(problem: &Problem) -> Vec<(usize, &[Impact])> {
    let mut node = 0;
    let mut out = Vec::new();
    for phase in &problem.phases {
        node += phase.steps;
        if let Transition::Impact(list) = &phase.ends {
            out.push((node, list.as_slice()));
        }
    }
    out
}

/// What the materials of two bodies that meet say; nothing for limits of joints.
pub(crate) fn touching(model: &Model, between: &Meeting) -> Option<Touching> {
    let rules = model.contact();
    let of = |b: BodyId| model.body(b).material.as_deref();
    match *between {
        Meeting::Bodies(a, b) => Some(rules.between(of(a), of(b))),
        Meeting::Wall(a, w) => Some(rules.between(of(a), rules.walls[w].material.as_deref())),
        Meeting::Limit { .. } => None,
    }
}

/// What touches at every impact of a motion.
pub(crate) fn features(
    problem: &Problem,
    poses: &[Vec<carom_gap::Pose>],
) -> Result<Vec<Feature>, OptimiseError> {
    let mut out = Vec::new();
    for (node, list) in impacts(problem) {
        for impact in list {
            let find = match impact.flat {
                true => flat::find,
                false => Feature::find,
            };
            out.push(find(&problem.model, &impact.between, &poses[node])?);
        }
    }
    Ok(out)
}

/// What touches at every impact and where contacts close, in words.
pub(crate) fn names(problem: &Problem, poses: &[Vec<carom_gap::Pose>]) -> Vec<String> {
    let found = features(problem, poses).unwrap_or_default();
    let closed = super::closed::features(problem, poses).unwrap_or_default();
    let all = found.into_iter().chain(closed);
    all.map(|f| f.name).collect()
}

/// Joints that stand at their limits where they hit them.
pub(crate) fn limits(problem: &Problem) -> Vec<(usize, Condition)> {
    let mut out = Vec::new();
    for (node, list) in impacts(problem) {
        for impact in list {
            let Meeting::Limit {
                joint,
                coordinate,
                upper,
            } = impact.between
            else {
                continue;
            };
            let place = problem.model.find_joint(joint);
            let limits = place.map(|p| &problem.model.joints()[p].limits);
            if let Some(Some(l)) = limits.and_then(|l| l.get(coordinate)) {
                let range = [l[usize::from(upper)]; 2];
                let condition = Condition::Joint {
                    joint,
                    coordinate,
                    range,
                };
                out.push((node, condition));
            }
        }
    }
    out
}

/// Adds unknowns and rows of all impacts, with the features of the guess.
pub(crate) fn plan_impacts(
    out: &mut Draft,
    problem: &Problem,
    guess: &Guess,
) -> Result<(), OptimiseError> {
    let mut found = features(problem, &guess.poses)?.into_iter();
    for (node, list) in impacts(problem) {
        let own: Vec<(&Impact, Feature)> = list.iter().zip(found.by_ref()).collect();
        let homes: BTreeSet<usize> = match problem.scheme {
            Scheme::OneLayer => {
                let met = own.iter().flat_map(|(_, f)| f.gap.used());
                out.with_loops(out.path.layout.homes(met).into_iter().collect())
            }
            // The state of everything there is.
            Scheme::TwoLayers => (0..out.path.layout.components.len()).collect(),
        };
        let homes: Vec<usize> = homes.into_iter().collect();
        let sides = [true, false];
        let [before, after] = sides.map(|before| out.add_side(node, before, homes.clone()));
        let mut struck = Vec::new();
        for (impact, feature) in &own {
            let friction = touching(&problem.model, &impact.between).map_or(0.0, |t| t.friction);
            // Without a rebound it would rest, and rub, for what is left of the step.
            let depth = match friction > 0.0 && impact.restitution == 0.0 {
                true => 0.0,
                false => met(problem),
            };
            let spots = hold(out, node, feature, [problem.beside, depth]);
            if friction > 0.0 && spots.iter().any(|s| s.point.across.is_none()) {
                return Err(OptimiseError::Unsupported {
                    what: format!("friction at the planned impact of {}", feature.name),
                    fix: "leave friction out, or plan it for bodies that meet each other or a half-space"
                        .into(),
                });
            }
            begin(out, [before, after], &spots, impact.restitution);
            struck.push(Struck {
                name: feature.name.clone(),
                spots,
                friction,
                restitution: impact.restitution,
            });
        }
        // Points that all rebound alike, and do not rub, leave as fast as Newton's law says.
        let alike = |s: &Struck| s.friction == 0.0 && s.restitution == struck[0].restitution;
        if !struck.iter().all(alike) {
            rub(out, [before, after], &struck);
            continue;
        }
        for contact in &struck {
            for spot in contact.spots.iter().filter(|s| s.kept) {
                out.jumps.rows.push(JumpRow {
                    node,
                    what: format!("restitution of {}", spot.name),
                    push: spot.point.normal.clone(),
                    sides: vec![(after, 1.0), (before, contact.restitution)],
                    products: Vec::new(),
                    range: [0.0; 2],
                });
            }
        }
    }
    Ok(())
}

/// Overlap of those who meet at the node where they do, in sizes of the largest body, where the replay has left a plan
/// beside its contacts: less than the simulator takes for touching, and more than it takes for none. It finds them in the
/// step that ends there, and makes the next one with the momentum after the impact only: that before it may turn a body
/// too far for that step.
const MET: f64 = 4e-12;

/// The same in m; none as long as vertices beside contacts need not be kept away.
pub(crate) fn met(problem: &Problem) -> f64 {
    if problem.beside == 0.0 {
        return 0.0;
    }
    let sizes = problem.model.bodies().iter().map(|b| b.reach());
    MET * sizes.fold(0.0, f64::max)
}

/// Gaps close at a node, to a depth, with an impulse each; nothing else touches: vertices beside them keep a height.
fn hold(out: &mut Draft, node: usize, feature: &Feature, [height, depth]: [f64; 2]) -> Vec<Spot> {
    let what = format!("gap of {}", feature.name);
    let points = feature.points();
    let gaps: Vec<Poly> = points.iter().map(|p| p.gap.clone()).collect();
    let kept = match gaps.len() {
        1 => vec![0],
        _ => closures::independent(&mut out.path, &gaps),
    };
    for &k in &kept {
        let row = (gaps[k].clone(), [-depth; 2]);
        out.conditions.add(node, &what, &[row]);
    }
    out.touch(node, feature, height, false);
    let mut spots = Vec::new();
    for (k, point) in points.into_iter().enumerate() {
        let impulse = out.react(node, "impulse", &point.normal, [0.0, f64::INFINITY], 0.0);
        let name = match feature.beside.is_empty() {
            true => feature.name.clone(),
            false => format!("point {k} of {}", feature.name),
        };
        spots.push(Spot {
            name,
            point,
            kept: kept.contains(&k),
            impulse,
        });
    }
    out.path.layout.impacts.push(PlannedTouch {
        node,
        kind: Touch::Impact,
        what: feature.name.clone(),
        impulses: spots.iter().map(|s| s.impulse).collect(),
    });
    spots
}

/// Velocities of the guess, and the impulse that its approach asks for.
fn begin(out: &mut Draft, [before, after]: [usize; 2], spots: &[Spot], e: f64) {
    out.path.refresh(&out.x, false);
    for s in [before, after] {
        let side = out.path.layout.sides[s].clone();
        let rates = out.path.side_rates(&side);
        for (k, &f) in side.freedoms.iter().enumerate() {
            out.x[side.first + k] = rates[f];
        }
    }
    let path = &out.path;
    let side = &path.layout.sides[before];
    let rates = path.side_rates(side);
    let mut values = Vec::new();
    for spot in spots {
        let push = pushed(path, side.node, &spot.point.normal);
        let approach = dot(&push, &rates);
        let mobility = dot(&push, &response(path, side, &push));
        if approach < 0.0 && mobility > 0.0 {
            let impulse = -(1.0 + e) * approach / mobility;
            values.push((spot.impulse, impulse / spots.len() as f64));
        }
    }
    for (unknown, value) in values {
        out.x[unknown] = value;
    }
}
