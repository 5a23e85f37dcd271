//! What is at the end as it was at the start, as rows.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::draft::{Draft, FREE};
use super::error::OptimiseError;
use super::problem::Problem;
use super::recur::Recurrence;
use super::rows::{RecurrenceRow, Sum};
use crate::mechanics::slides;
use crate::model::{BodyId, JointKind, Model};

fn invalid(what: String, fix: &str) -> OptimiseError {
    OptimiseError::Invalid {
        what,
        fix: fix.into(),
    }
}

/// The joint that carries a body.
fn carrier(model: &Model, body: BodyId) -> Option<usize> {
    model.joints().iter().position(|j| j.child == body)
}

/// Whether a body, and all that carries it, are turned at the end as at the start.
fn is_turned_alike(problem: &Problem, body: BodyId) -> bool {
    let model = &problem.model;
    let own = |b: BodyId| {
        let mut all = problem.periodic.iter();
        all.find(|r| r.body == b && r.like == b)
    };
    let mut next = Some(body);
    while let Some(b) = next {
        let Some(joint) = carrier(model, b).map(|j| &model.joints()[j]) else {
            return true;
        };
        let turns = !matches!(
            joint.kind,
            JointKind::Prismatic | JointKind::Fixed | JointKind::Rod
        );
        let still = |r: &Recurrence| r.rotation && r.shift.iter().all(|s| *s == [0.0; 2]);
        let free = |r: &Recurrence| r.rotation && joint.kind == JointKind::Free;
        if turns && !own(b).is_some_and(|r| still(r) || free(r)) {
            return false;
        }
        next = joint.parent;
    }
    true
}

/// Checks what is asked to repeat.
pub(crate) fn validate(problem: &Problem) -> Result<(), OptimiseError> {
    let model = &problem.model;
    let mut seen = BTreeSet::new();
    for r in &problem.periodic {
        let name = &model.body(r.body).name;
        let (Some(j), Some(l)) = (carrier(model, r.body), carrier(model, r.like)) else {
            return Err(invalid(
                format!("{name} never moves, and is asked to end as it began"),
                "name a body that moves",
            ));
        };
        let [joint, like] = [j, l].map(|j| &model.joints()[j]);
        if !seen.insert(r.body) {
            return Err(invalid(
                format!("{name} is asked twice to end as it began"),
                "name it once",
            ));
        }
        let alike = joint.kind == like.kind
            && model.is_particle(joint.child) == model.is_particle(like.child);
        if !alike {
            return Err(invalid(
                format!(
                    "{name} cannot end as {} began: their joints are of different kinds",
                    model.body(r.like).name
                ),
                "name a body that hangs on a joint of the same kind",
            ));
        }
        let count = counted(model, j);
        if !(r.shift.is_empty() || r.shift.len() == count) {
            return Err(invalid(
                format!("{name} has {count} coordinates that can be shifted"),
                "give as many, or none",
            ));
        }
        if r.shift
            .iter()
            .any(|[low, high]| low > high || low.is_nan() || high.is_nan())
        {
            return Err(invalid(
                format!("the shift of {name} has a least value above its largest"),
                "exchange them",
            ));
        }
        let hangs = matches!(joint.kind, JointKind::Spherical | JointKind::Rod);
        let parent = joint.parent.filter(|_| hangs);
        if let Some(p) = parent.filter(|p| r.like != r.body || !is_turned_alike(problem, *p)) {
            return Err(invalid(
                format!(
                    "{name} can end as it began only if {} does, on which it hangs",
                    model.body(p).name
                ),
                "require it of that body, too, with its orientation",
            ));
        }
    }
    Ok(())
}

/// Coordinates of a joint that are numbers: the position of a free body, angles and slides.
fn counted(model: &Model, j: usize) -> usize {
    match model.joints()[j].kind {
        JointKind::Free => 3,
        JointKind::Spherical | JointKind::Rod => 0,
        _ => model.joint_freedom(j),
    }
}

/// Adds the rows, and velocities at both ends as unknowns where they are to be the same.
pub(crate) fn plan_recurrences(out: &mut Draft, problem: &Problem) -> Result<(), OptimiseError> {
    if problem.periodic.is_empty() {
        return Ok(());
    }
    let model = Arc::clone(&out.path.model);
    let last = out.path.layout.grid.len();
    for r in &problem.periodic {
        // Both are there: it was checked.
        let (Some(j), Some(l)) = (carrier(&model, r.body), carrier(&model, r.like)) else {
            continue;
        };
        let name = name_of(&model, j);
        for k in 0..counted(&model, j) {
            let range = r.shift.get(k).copied().unwrap_or([0.0; 2]);
            if range == FREE {
                continue;
            }
            let (to, from) = (model.offsets[j] + k, model.offsets[l] + k);
            let constant = match model.joints()[j].kind {
                JointKind::Free => {
                    out.path.centres[last][r.body.index()].position[k]
                        - out.path.centres[0][r.like.index()].position[k]
                }
                _ => out.path.centre_value(last, to) - out.path.centre_value(0, from),
            };
            let layout = &out.path.layout;
            let terms = vec![(layout.u(last, to), 1.0), (layout.u(0, from), -1.0)];
            out.recurrences.rows.push(RecurrenceRow {
                what: name.clone(),
                sum: Sum::Unknowns(terms, constant),
                range,
            });
        }
        let sums = match model.joints()[j].kind {
            JointKind::Free | JointKind::Spherical if !model.is_particle(r.body) && r.rotation => {
                turned(out, r)
            }
            JointKind::Rod => swung(out, &model, j),
            _ => Vec::new(),
        };
        for sum in sums {
            out.recurrences.rows.push(RecurrenceRow {
                what: format!("orientation of {name}"),
                sum,
                range: [0.0; 2],
            });
        }
    }
    repeat_velocities(out, problem);
    drop_given(out)
}

fn name_of(model: &Model, j: usize) -> String {
    let joint = &model.joints()[j];
    match joint.name.is_empty() {
        true => format!("body {}", model.body(joint.child).name),
        false => format!("joint {}", joint.name),
    }
}

/// The skew part of R = R₀ᵀ R_N vanishes: dᵢ(0) · dⱼ(N) = dⱼ(0) · dᵢ(N).
fn turned(out: &Draft, r: &Recurrence) -> Vec<Sum> {
    let starts = &out.path.layout.starts;
    let (from, to) = (starts[r.like.index()], starts[r.body.index()]);
    let pair = |(i, j): (usize, usize)| {
        let products = (0..3).flat_map(|k| {
            let at = |start: usize, i: usize| start + 3 + 3 * i + k;
            [
                (at(from, i), at(to, j), 0.5),
                (at(from, j), at(to, i), -0.5),
            ]
        });
        Sum::Coordinates {
            start: Vec::new(),
            end: Vec::new(),
            products: products.collect(),
        }
    };
    [(1, 2), (2, 0), (0, 1)].map(pair).into()
}

/// A bead on a rod is beside its parent where it was, seen along two directions across the rod.
fn swung(out: &Draft, model: &Model, j: usize) -> Vec<Sum> {
    let joint = &model.joints()[j];
    let centre = &out.path.centres[0];
    let anchor = joint.parent.map_or(joint.anchor_parent, |p| {
        let pose = &centre[p.index()];
        pose.position + pose.directors * joint.anchor_parent
    });
    let along = (centre[joint.child.index()].position - anchor).normalize();
    let first = along.cross(&if along.x.abs() < 0.9 {
        nalgebra::Vector3::x()
    } else {
        nalgebra::Vector3::y()
    });
    let first = first.normalize();
    let starts = &out.path.layout.starts;
    let row = |t: nalgebra::Vector3<f64>| {
        let (mut start, mut end) = (Vec::new(), Vec::new());
        let moves = |b: &BodyId| out.path.layout.body_home[b.index()].is_some();
        for (body, sign) in [(Some(joint.child), 1.0), (joint.parent.filter(moves), -1.0)] {
            let Some(at) = body.map(|b| starts[b.index()]) else {
                continue;
            };
            start.extend((0..3).map(|k| (at + k, -sign * t[k])));
            end.extend((0..3).map(|k| (at + k, sign * t[k])));
        }
        Sum::Coordinates {
            start,
            end,
            products: Vec::new(),
        }
    };
    vec![row(first), row(along.cross(&first))]
}

/// Velocities at both ends are unknowns, and those of what repeats are the same.
fn repeat_velocities(out: &mut Draft, problem: &Problem) {
    let model = Arc::clone(&out.path.model);
    let last = out.path.layout.grid.len();
    let of = |body: BodyId, out: &Draft| out.path.layout.home_of(body);
    let given = |c: usize, out: &Draft| {
        [0, last].iter().all(|&node| {
            let mut own = (out.path.layout.motions.iter()).filter(|m| {
                let home = |b: &BodyId| of(*b, out) == Some(c);
                m.node == node && m.motion.bodies.iter().any(home)
            });
            own.clone().next().is_some() && own.all(|m| m.unknowns.iter().all(Option::is_none))
        })
    };
    let moving: Vec<_> = (problem.periodic.iter())
        .filter(|r| r.velocity)
        .filter_map(|r| Some((r, of(r.body, out)?, of(r.like, out)?)))
        // Where both are given nothing is left to ask.
        .filter(|(_, c, d)| !(c == d && given(*c, out)))
        .collect();
    if moving.is_empty() {
        return;
    }
    let homes = |which: &dyn Fn(&(&Recurrence, usize, usize)) -> usize| -> Vec<usize> {
        let set: BTreeSet<usize> = moving.iter().map(which).collect();
        out.with_loops(set).into_iter().collect()
    };
    let [from, to] = [homes(&|m| m.2), homes(&|m| m.1)];
    let start = out.add_side(0, false, from);
    let end = out.add_side(last, true, to);
    for (r, _, _) in &moving {
        let (Some(j), Some(l)) = (carrier(&model, r.body), carrier(&model, r.like)) else {
            continue;
        };
        for k in 0..model.joint_freedom(j) {
            let sides = &out.path.layout.sides;
            let (to, from) = (model.offsets[j] + k, model.offsets[l] + k);
            let (Some(to), Some(from)) = (sides[end].unknown(to), sides[start].unknown(from))
            else {
                continue;
            };
            let slides = slides(&model.joints()[j])[k];
            let word = if slides {
                "velocity"
            } else {
                "angular velocity"
            };
            out.recurrences.rows.push(RecurrenceRow {
                what: format!("{word} of {}", name_of(&model, j)),
                sum: Sum::Unknowns(vec![(to, 1.0), (from, -1.0)], 0.0),
                range: [0.0; 2],
            });
        }
    }
}

/// Leaves out rows of which everything is given; those that are not met are contradictions.
fn drop_given(out: &mut Draft) -> Result<(), OptimiseError> {
    out.path.refresh(&out.x, false);
    let mut kept = Vec::new();
    for row in std::mem::take(&mut out.recurrences.rows) {
        let fixed = |index: &usize| out.bounds[*index][0] == out.bounds[*index][1];
        if !row.unknowns(&out.path.layout).iter().all(fixed) {
            kept.push(row);
            continue;
        }
        let value = row.value(&out.path);
        let off = (row.range[0] - value).max(value - row.range[1]);
        if off > 1e-9 * (1.0 + value.abs()) {
            return Err(OptimiseError::Contradiction {
                what: format!(
                    "{} should be the same at the end as at the start, but start and goal give values {off:.6} apart",
                    row.what
                ),
            });
        }
    }
    out.recurrences.rows = kept;
    Ok(())
}
