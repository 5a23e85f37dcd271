//! Ways round obstacles for straight guesses.
//!
//! A straight way through the middle of an obstacle is a saddle of ways round it, and a search that
//! begins there finds odd ways out, such as turning on the spot. The path of a free body that passes
//! through something that stands still is bent beside it instead: of some directions across the path,
//! the one with the least way aside. Bodies that meet each other go round each other.

use nalgebra::{Rotation3, Unit, Vector3};

use super::avoid::{check, gaps};
use super::guess::{Guess, Place, Way};
use super::problem::Problem;
use super::random::random;
use crate::contact::{Detector, Pair};
use crate::mechanics::slides;
use crate::model::{BodyKind, JointKind, Model};

use carom_gap::Pose;

/// Bodies that a guess leads through each other though the plan keeps them apart.
#[derive(Clone, Debug, PartialEq)]
pub struct GuessOverlap {
    /// The two.
    pub names: [String; 2],
    /// First and last node at which they overlap.
    pub nodes: [usize; 2],
    /// The node at which they overlap most.
    pub worst: usize,
    /// How deep there, in m.
    pub depth: f64,
}

/// Overlap that is more than a touch, in sizes of the largest part.
const THROUGH: f64 = 1e-3;

/// Where a guess leads through what the plan avoids: not wrong, but a search may not find its way out.
pub fn guess_overlaps(problem: &Problem, guess: &Guess) -> Vec<GuessOverlap> {
    let mut out: Vec<GuessOverlap> = Vec::new();
    if problem.avoid.is_none() {
        return out;
    }
    for (node, poses) in guess.poses.iter().enumerate() {
        let through = THROUGH * gaps::largest_part(&problem.model);
        let deep = check::overlaps(&problem.model, poses).into_iter();
        for (pair, depth) in deep.filter(|(_, depth)| *depth > through) {
            let names = Detector::names(&problem.model, &pair);
            match out.iter_mut().find(|o| o.names == names) {
                None => out.push(GuessOverlap {
                    names,
                    nodes: [node, node],
                    worst: node,
                    depth,
                }),
                Some(known) => {
                    known.nodes[1] = node;
                    if depth > known.depth {
                        (known.worst, known.depth) = (node, depth);
                    }
                }
            }
        }
    }
    out
}

/// Directions across the path that are tried.
const DIRECTIONS: usize = 8;

/// How far beyond touching a path is bent, in parts of the way aside.
const BEYOND: f64 = 0.1;

/// Halvings of the way aside.
const HALVINGS: usize = 20;

/// The joint and the body of a component that is a single free body, or one in a plane.
fn lone(model: &Model, body: usize) -> Option<usize> {
    let joints = model.joints();
    let own = joints.iter().position(|j| j.child.index() == body)?;
    let parent = joints[own].child;
    let free = matches!(joints[own].kind, JointKind::Free | JointKind::Planar);
    let carries = joints.iter().any(|j| j.parent == Some(parent));
    (free && joints[own].parent.is_none() && !carries).then_some(own)
}

/// Ways between the first and the last one that lead round what stands in between; none by `idle` freedoms, which
/// nothing moves.
pub(crate) fn around(
    problem: &Problem,
    poses: &[Vec<Pose>],
    ways: [&Way; 2],
    idle: &[bool],
) -> Vec<Way> {
    let Some(avoid) = &problem.avoid else {
        return Vec::new();
    };
    let model = &*problem.model;
    let last = poses.len() - 1;
    let mut detector = Detector::new(model);
    let mut found = Vec::new();
    // Of each moving body: pairs with what stands still that it passes through, and the nodes.
    let mut hits: Vec<(usize, Pair, usize, usize)> = Vec::new();
    for (node, here) in poses.iter().enumerate() {
        detector.candidates(model, here, here, 0.0, &mut found);
        for (pair, _) in &found {
            let members = pair.bodies();
            let moves = |b: &crate::model::BodyId| model.body(*b).kind != BodyKind::Static;
            let mut movers = members.into_iter().flatten().filter(moves);
            let (Some(body), None) = (movers.next(), movers.next()) else {
                continue;
            };
            if gaps::value(model, pair, here, &mut None) >= avoid.margin {
                continue;
            }
            let body = body.index();
            match hits.iter_mut().find(|h| h.0 == body && h.1 == *pair) {
                Some(hit) => hit.3 = node,
                None => hits.push((body, *pair, node, node)),
            }
        }
    }
    let mut out: Vec<Way> = Vec::new();
    let mut done: Vec<usize> = Vec::new();
    for (body, pair, first, end) in hits {
        // Ends that are inside already are no matter of the way; one detour for each body.
        if first == 0 || end == last || done.contains(&body) {
            continue;
        }
        let Some(joint) = lone(model, body) else {
            continue;
        };
        let path = poses[last][body].position - poses[0][body].position;
        let Some(along) = Unit::try_new(path, 1e-9) else {
            continue;
        };
        let Some(shift) = aside(
            problem,
            poses,
            &pair,
            [body, joint],
            &along,
            [first, end],
            idle,
        ) else {
            continue;
        };
        done.push(body);
        let node = (first + end) / 2;
        let part = node as f64 / last as f64;
        if !out.iter().any(|w| w.node == node) {
            out.push(between(ways, part, node));
            out.sort_by_key(|w| w.node);
        }
        // All ways at or after a bend keep what other bodies do there.
        for way in out.iter_mut().filter(|w| w.node == node) {
            bend(model, joint, &shift, way);
        }
    }
    out
}

/// Whether a body without a parent may be shifted in a direction: none of it lies along idle freedoms.
fn is_driven(model: &Model, joint: usize, direction: &Vector3<f64>, idle: &[bool]) -> bool {
    let known = &model.joints()[joint];
    let axes = match known.kind {
        JointKind::Planar => vec![known.across[0], known.across[1]],
        _ => vec![Vector3::x(), Vector3::y(), Vector3::z()],
    };
    let first = model.offsets[joint];
    let mut lies = axes.iter().enumerate().filter(|(k, _)| idle[first + k]);
    lies.all(|(_, axis)| direction.dot(axis).abs() <= 1e-6 * direction.norm())
}

/// The least shift of a body's path across it that clears a pair.
fn aside(
    problem: &Problem,
    poses: &[Vec<Pose>],
    pair: &Pair,
    [body, joint]: [usize; 2],
    along: &Unit<Vector3<f64>>,
    [first, end]: [usize; 2],
    idle: &[bool],
) -> Option<Vector3<f64>> {
    let model = &*problem.model;
    let margin = problem.avoid.as_ref().map_or(0.0, |a| a.margin);
    let plane = &model.joints()[joint];
    let helper = if along.x.abs() < 0.9 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let across = match plane.kind {
        JointKind::Planar => plane.axis.cross(along),
        _ => helper.cross(along),
    };
    let across = across.try_normalize(1e-9)?;
    let clear = |shift: &Vector3<f64>| {
        (first..=end).all(|node| {
            let mut here = poses[node].clone();
            here[body].position += shift;
            gaps::value(model, pair, &here, &mut None) >= margin
        })
    };
    let size = (poses[end][body].position - poses[first][body].position).norm();
    let reach = 4.0 * (size + gaps::largest_part(model));
    let mut best: Option<(f64, Vector3<f64>)> = None;
    for k in 0..DIRECTIONS {
        let angle = std::f64::consts::TAU * k as f64 / DIRECTIONS as f64;
        let direction = Rotation3::from_axis_angle(along, angle) * across;
        // A body in a plane goes left or right.
        if plane.kind == JointKind::Planar && direction.dot(&plane.axis).abs() > 1e-6 {
            continue;
        }
        if !is_driven(model, joint, &direction, idle) || !clear(&(direction * reach)) {
            continue;
        }
        let (mut low, mut high) = (0.0, reach);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            match clear(&(direction * middle)) {
                true => high = middle,
                false => low = middle,
            }
        }
        // Ties go to the first direction.
        if best.as_ref().is_none_or(|b| high < b.0 * (1.0 - 1e-6)) {
            best = Some((high, direction * high * (1.0 + BEYOND)));
        }
    }
    best.map(|b| b.1)
}

/// A way between two.
pub(super) fn between([from, to]: [&Way; 2], s: f64, node: usize) -> Way {
    let mix = |a: &Vector3<f64>, b: &Vector3<f64>| a + (b - a) * s;
    let place = |(a, b): (&Place, &Place)| match (a, b) {
        (Place::Free(p, r), Place::Free(q, t)) => Place::Free(mix(p, q), mix(r, t)),
        (Place::Turned(r), Place::Turned(t)) => Place::Turned(mix(r, t)),
        (Place::Coordinates(p), Place::Coordinates(q)) => {
            Place::Coordinates(p.iter().zip(q).map(|(p, q)| p + (q - p) * s).collect())
        }
        (other, _) => other.clone(),
    };
    Way {
        node,
        places: from.places.iter().zip(&to.places).map(place).collect(),
    }
}

/// Moves a body at a way.
fn bend(model: &Model, joint: usize, shift: &Vector3<f64>, way: &mut Way) {
    let known = &model.joints()[joint];
    match &mut way.places[joint] {
        Place::Free(position, _) => *position += shift,
        Place::Coordinates(values) if known.kind == JointKind::Planar => {
            values[0] += shift.dot(&known.across[0]);
            values[1] += shift.dot(&known.across[1]);
        }
        _ => {}
    }
}

/// Widths of a roundabout that are tried, in halves of a body's way.
const WIDTHS: [f64; 7] = [0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0];

/// A way-pose half-way for bodies that meet each other: all of them turn aside to the same hand, as on a
/// roundabout, about the axis and by the width that leave least overlap. None where nothing meets.
pub(crate) fn roundabout(problem: &Problem, [from, to]: [&Way; 2], idle: &[bool]) -> Option<Way> {
    problem.avoid.as_ref()?;
    let model = &*problem.model;
    let last = to.node;
    let ends = [from, to].map(|w| super::guess::at(model, w, w, 0.0));
    let movers: Vec<(usize, Vector3<f64>)> = (0..model.bodies().len())
        .filter_map(|b| {
            let way = ends[1][b].position - ends[0][b].position;
            Some((lone(model, b)?, way)).filter(|_| way.norm() > 1e-9)
        })
        .collect();
    if movers.len() < 2 || last < 2 {
        return None;
    }
    let along = |a: &Way, b: &Way| -> f64 {
        let looks = (0..=LOOKS).map(|k| k as f64 / LOOKS as f64);
        looks
            .map(|s| depth(model, &super::guess::at(model, a, b, s)))
            .sum()
    };
    let straight = along(from, to);
    if straight == 0.0 {
        return None;
    }
    let mut best: Option<(f64, Way)> = None;
    for width in WIDTHS {
        for up in [Vector3::z(), Vector3::x(), Vector3::y()] {
            for hand in [1.0, -1.0] {
                let mut way = between([from, to], 0.5, last / 2);
                for (joint, path) in &movers {
                    let known = &model.joints()[*joint];
                    let planar = known.kind == JointKind::Planar;
                    let up = if planar { known.axis } else { up };
                    let shift = up.cross(path) * (0.5 * hand * width);
                    if !is_driven(model, *joint, &shift, idle) {
                        continue;
                    }
                    bend(model, *joint, &shift, &mut way);
                }
                let hits = along(from, &way) + along(&way, to);
                if best.as_ref().is_none_or(|b| hits < b.0) {
                    best = Some((hits, way));
                }
            }
        }
        if best.as_ref().is_some_and(|b| b.0 == 0.0) {
            break;
        }
    }
    best.filter(|b| b.0 < straight).map(|b| b.1)
}

/// How deep bodies overlap in all.
fn depth(model: &Model, poses: &[Pose]) -> f64 {
    let found = check::overlaps(model, poses);
    found.iter().map(|(_, depth)| depth).sum()
}

/// Configurations on the way that are tried for chains.
const TRIED: usize = 240;

/// Places of each half of a way that are looked at.
const LOOKS: usize = 8;

/// How far joints are moved aside at most, in rad and sizes of the largest part.
const ASIDE: f64 = 1.6;

/// A way-pose half-way for chains whose straight way passes through something: of seeded random ones,
/// the shortest that leaves nothing overlapping, or the one that leaves least.
pub(crate) fn via(problem: &Problem, [from, to]: [&Way; 2]) -> Option<Way> {
    problem.avoid.as_ref()?;
    let model = &*problem.model;
    let chains = from.places.iter().enumerate().any(|(j, place)| {
        matches!(place, Place::Coordinates(v) if !v.is_empty())
            && model.joints()[j].kind != JointKind::Planar
    });
    let last = to.node;
    if !chains || last < 2 {
        return None;
    }
    let along = |a: &Way, b: &Way| -> f64 {
        let looks = (0..=LOOKS).map(|k| k as f64 / LOOKS as f64);
        looks
            .map(|s| depth(model, &super::guess::at(model, a, b, s)))
            .sum()
    };
    if along(from, to) == 0.0 {
        return None;
    }
    let mut random = random(0x2545_F491_4F6C_DD1D);
    let size = gaps::largest_part(model);
    let mut best: Option<([f64; 2], Way)> = None;
    for k in 0..TRIED {
        let mut way = between([from, to], 0.5, last / 2);
        let mut aside = 0.0;
        let most = ASIDE * (k + 1) as f64 / TRIED as f64;
        for (j, place) in way.places.iter_mut().enumerate() {
            let Place::Coordinates(values) = place else {
                continue;
            };
            let joint = &model.joints()[j];
            let slides = slides(joint);
            for (c, value) in values.iter_mut().enumerate() {
                let shift = most * random() * if slides[c] { size } else { 1.0 };
                let old = *value;
                *value += shift;
                if let Some(Some([low, high])) = joint.limits.get(c) {
                    *value = value.clamp(*low, *high);
                }
                aside += (*value - old).powi(2);
            }
        }
        let hits = along(from, &way) + along(&way, to);
        let score = [hits, aside];
        if best
            .as_ref()
            .is_none_or(|(b, _)| (score[0], score[1]) < (b[0], b[1]))
        {
            best = Some((score, way));
        }
    }
    best.map(|b| b.1)
}
