//! Bounds and conditions of a problem around a guess.

use std::collections::HashMap;
use std::sync::Arc;

use super::closed::plan_closed;
use super::closures;
use super::draft::{Draft, FREE};
use super::ends;
use super::error::OptimiseError;
use super::given;
use super::guess::Guess;
use super::impact::{self, plan_impacts};
use super::layout::{Layout, Scale, grid};
use super::opening;
use super::parameter::with_values;
use super::path::Path;
use super::poly::Poly;
use super::problem::{Condition, Problem};
use super::quantity::Spot;
use super::recurring::plan_recurrences;
use super::rows::{Anchors, Conditions, Cones, FormulaRow, Formulas, Jumps, Recurrences, Slides};
use crate::mechanics::{joint_coordinates, log, sample_controls};
use crate::model::{BodyId, Joint, JointKind, Model};

/// Part of its range that a joint keeps from its limits where plans have contacts, of a radian or a metre at most.
const LIMIT_ROOM: f64 = 1e-6;

/// Bounds and conditions of a problem around a guess.
pub(crate) fn assemble(problem: &Problem, guess: &Guess) -> Result<Draft, OptimiseError> {
    let model = &problem.model;
    let layout = Layout::new(problem, grid(problem));
    let mut x = vec![0.0; layout.unknowns];
    let mut bounds = vec![[f64::NEG_INFINITY, f64::INFINITY]; layout.unknowns];
    for (phase, scale) in layout.scales.iter().enumerate() {
        if let Scale::Unknown(index) = scale {
            bounds[*index] = problem.phases[phase].time_scale;
            x[*index] = guess.scales[phase].clamp(bounds[*index][0], bounds[*index][1]);
        }
    }
    let mut found = Vec::new();
    for ((k, p), &index) in (problem.parameters.iter().enumerate()).zip(&layout.parameters) {
        bounds[index] = p.range;
        let value = guess.parameters.get(k).copied().unwrap_or(p.value);
        x[index] = value.clamp(p.range[0], p.range[1]);
        found.push(x[index]);
    }
    for motion in &layout.motions {
        for (k, unknown) in motion.unknowns.iter().enumerate() {
            if let Some(index) = unknown {
                bounds[*index] = motion.motion.twist[k];
            }
        }
    }
    bound_controls(model, &layout, guess, &mut bounds, &mut x)?;
    let mut centres = guess.poses.clone();
    let last = layout.grid.len();
    for (node, end) in [(0, &problem.start), (last, &problem.goal)] {
        if end.conditions.contains(&Condition::AsBuilt) {
            let built = with_values(model, &problem.parameters, &found);
            centres[node] = built.bodies().iter().map(|b| b.start).collect();
        }
    }
    given::place(problem, &guess.scales, &mut centres);
    let mut out = Draft {
        path: Path::new(Arc::clone(model), layout, centres)
            .finding(&problem.parameters, found.clone()),
        bounds,
        conditions: Conditions::default(),
        formulas: Formulas::default(),
        jumps: Jumps::default(),
        anchors: Anchors::default(),
        cones: Cones::default(),
        slides: Slides::default(),
        recurrences: Recurrences::default(),
        x,
    };
    close_loops(&mut out);
    plan_impacts(&mut out, problem, guess)?;
    plan_closed(&mut out, problem, guess)?;
    let limits = impact::limits(problem);
    for node in 0..=last {
        let mut asked = Asked::default();
        limit_joints(&mut out, node, &mut asked)?;
        for condition in conditions_at(problem, node) {
            impose(&mut out, node, condition, &mut asked)?;
        }
        for (_, condition) in limits.iter().filter(|l| l.0 == node) {
            impose(&mut out, node, condition, &mut asked)?;
        }
    }
    if problem.has_contacts() {
        keep_from_limits(&mut out);
    }
    opening::begin(&mut out, problem, guess);
    for (value, [low, high]) in out.x.iter_mut().zip(&out.bounds) {
        *value = value.clamp(*low, *high);
    }
    start_motions(&mut out);
    ends::bound_rates(&mut out, problem)?;
    plan_recurrences(&mut out, problem)?;
    Ok(out)
}

/// What is asked at a node: of the ends, on the way, in its phase, and of the node alone.
fn conditions_at(problem: &Problem, node: usize) -> Vec<&Condition> {
    let steps: Vec<usize> = problem.phases.iter().map(|p| p.steps).collect();
    let last: usize = steps.iter().sum();
    let mut out: Vec<&Condition> = Vec::new();
    // Velocities and controls belong to the step that begins at a node: the first one has one, too.
    let of_step =
        |c: &&Condition| matches!(c, Condition::Formula { formula, .. } if formula.is_of_step());
    let mut end = 0;
    let phase = steps.iter().position(|n| {
        end += n;
        node <= end
    });
    let own = phase.map_or(&[][..], |p| &problem.phases[p].path);
    let on_the_way = problem.path.iter().chain(own);
    match node {
        0 => {
            out.extend(&problem.start.conditions);
            out.extend(on_the_way.filter(of_step));
        }
        k if k == last => out.extend(&problem.goal.conditions),
        _ => out.extend(on_the_way),
    }
    let vias = problem.vias.iter().filter(|v| v.node == node);
    out.extend(vias.flat_map(|v| &v.conditions));
    out
}

/// Joints that close loops: their constraints are conditions at every node, with a reaction wherever
/// momentum is balanced.
fn close_loops(out: &mut Draft) {
    let model = Arc::clone(&out.path.model);
    let mut all = Vec::new();
    for joint in model.closures() {
        let polys = closures::constraints(&model, joint).into_iter();
        all.extend(polys.map(|poly| (joint.name.clone(), poly)));
    }
    if all.is_empty() {
        return;
    }
    let polys: Vec<Poly> = all.iter().map(|(_, poly)| poly.clone()).collect();
    let kept = closures::independent(&mut out.path, &polys);
    for node in 0..out.path.layout.nodes() {
        for &k in &kept {
            let (name, poly) = &all[k];
            out.hold(node, &format!("closure of joint {name}"), poly, FREE);
        }
    }
}

/// Who asked for the bounds of a degree of freedom at a node.
#[derive(Default)]
struct Asked(HashMap<usize, Vec<String>>);

/// Bounds of actuators; loads are fixed at their values.
fn bound_controls(
    model: &Model,
    layout: &Layout,
    guess: &Guess,
    bounds: &mut [[f64; 2]],
    x: &mut [f64],
) -> Result<(), OptimiseError> {
    let mut time = 0.0;
    for step in 0..layout.grid.len() {
        let h = layout.h(step, x);
        let mut tau = guess.controls[step].clone();
        sample_controls(model, time, h, &guess.controls[step], &mut tau);
        for a in model.actuators() {
            for (k, t) in a.range().enumerate() {
                let index = layout.tau(step, t);
                x[index] = tau[t];
                bounds[index] = match (&a.signals, a.bounds.get(k)) {
                    (Some(_), _) => [tau[t]; 2],
                    (None, Some(b)) => *b,
                    (None, None) => [f64::NEG_INFINITY, f64::INFINITY],
                };
            }
        }
        time += h;
    }
    Ok(())
}

/// Joint limits of the model: the increments of such joints add to their coordinates.
fn limit_joints(out: &mut Draft, node: usize, asked: &mut Asked) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.path.model);
    let mut values = Vec::new();
    for (j, joint) in model.joints().iter().enumerate() {
        joint_coordinates(joint, &out.path.centres[node], &mut values);
        for (k, value) in values.iter().enumerate() {
            if let Some(Some([low, high])) = joint.limits.get(k) {
                let range = [low - value, high - value];
                let what = format!("the limits of joint {}", joint.name);
                narrow(out, node, model.offsets[j] + k, range, asked, &what)?;
            }
        }
    }
    Ok(())
}

/// Keeps joints a little from limits that they are not to hit: the simulator lets them rebound from one that they only
/// just reach.
fn keep_from_limits(out: &mut Draft) {
    let model = Arc::clone(&out.path.model);
    let mut values = Vec::new();
    for node in 1..out.path.layout.nodes() {
        for (j, joint) in model.joints().iter().enumerate() {
            joint_coordinates(joint, &out.path.centres[node], &mut values);
            for (k, value) in values.iter().enumerate() {
                let Some(Some([low, high])) = joint.limits.get(k) else {
                    continue;
                };
                let room = LIMIT_ROOM * (high - low).min(1.0);
                let b = &mut out.bounds[out.path.layout.u(node, model.offsets[j] + k)];
                if b[1] - b[0] > 2.0 * room {
                    *b = [b[0].max(low - value + room), b[1].min(high - value - room)];
                }
            }
        }
    }
}

/// Narrows the bounds of a degree of freedom at a node; nothing left is a contradiction.
fn narrow(
    out: &mut Draft,
    node: usize,
    freedom: usize,
    [low, high]: [f64; 2],
    asked: &mut Asked,
    what: &str,
) -> Result<(), OptimiseError> {
    let last = out.path.layout.grid.len();
    let b = &mut out.bounds[out.path.layout.u(node, freedom)];
    // The ends of a range may be a limit: round-off must not make them miss each other.
    let near = |a: f64, b: f64| {
        let size = a.abs().max(b.abs());
        size.is_finite() && (a - b).abs() <= 1e-14 + 1e-9 * size
    };
    let mut new = [b[0].max(low), b[1].min(high)];
    if new[0] > new[1] && near(new[0], new[1]) {
        new = if low == high { [low; 2] } else { [new[1]; 2] };
    } else if low == high && near(low, b[0]) {
        new = [b[0]; 2];
    } else if low == high && near(low, b[1]) {
        new = [b[1]; 2];
    }
    let others = asked.0.entry(freedom).or_default();
    if new[0] > new[1] {
        let apart = new[0] - new[1];
        let place = match node {
            0 => "at the start".into(),
            k if k == last => "at the goal".into(),
            k => format!("at node {k}"),
        };
        let others = match others.is_empty() {
            true => "the model".into(),
            false => others.join(" and "),
        };
        return Err(OptimiseError::Contradiction {
            what: format!("{place} {what} and {others} ask for values {apart:.6} apart"),
        });
    }
    *b = new;
    if low.is_finite() || high.is_finite() {
        others.push(what.into());
    }
    Ok(())
}

/// The joint that makes a body the free root of its component.
pub(crate) fn free_root(model: &Model, body: BodyId) -> Option<(usize, &Joint)> {
    let mut joints = model.joints().iter().enumerate();
    joints.find(|(_, j)| j.child == body && j.kind == JointKind::Free)
}

fn impose(
    out: &mut Draft,
    node: usize,
    condition: &Condition,
    asked: &mut Asked,
) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.path.model);
    let name = |b: BodyId| model.body(b).name.clone();
    match condition {
        Condition::AsBuilt => {
            for freedom in 0..out.path.layout.n {
                let index = out.path.layout.u(node, freedom);
                out.bounds[index] = [0.0; 2];
            }
        }
        Condition::Near {
            body,
            position,
            rotation,
        } => opening::near(out, node, *body, [position, rotation])?,
        Condition::Open {
            joint,
            coordinate,
            range,
        } => opening::open(out, node, (*joint, *coordinate), *range)?,
        // Velocities are bounded once everything else is known.
        Condition::Rate { .. } => {}
        Condition::Position { body, range } => match free_root(&model, *body) {
            Some((j, _)) => {
                let centre = out.path.centres[node][body.index()].position;
                for (k, r) in range.iter().enumerate() {
                    let axis = ["x", "y", "z"][k];
                    let at = if r[0] == r[1] {
                        format!("{}", r[0])
                    } else {
                        format!("{r:?}")
                    };
                    let what = format!("position {axis} = {at} of body {}", name(*body));
                    let r = r.map(|v| v - centre[k]);
                    narrow(out, node, model.offsets[j] + k, r, asked, &what)?;
                }
            }
            None => {
                let rows = Poly::position(&model, *body).into_iter().zip(*range);
                let what = format!("position of body {}", name(*body));
                out.conditions.add(node, &what, &rows.collect::<Vec<_>>());
            }
        },
        Condition::Orientation { body, directors } => match free_root(&model, *body) {
            Some((j, _)) if !model.is_particle(*body) => {
                let centre = out.path.centres[node][body.index()].directors;
                let turn = log(&(directors * centre.transpose()));
                let what = format!("orientation of body {}", name(*body));
                for k in 0..3 {
                    let freedom = model.offsets[j] + 3 + k;
                    narrow(out, node, freedom, [turn[k]; 2], asked, &what)?;
                }
            }
            _ => {
                let rows = Poly::oriented(&model, *body, directors);
                let what = format!("orientation of body {}", name(*body));
                out.conditions.add(node, &what, &rows);
            }
        },
        Condition::Joint {
            joint,
            coordinate,
            range,
        } => {
            let found = model.joints().iter().position(|j| j.id == Some(*joint));
            let mut values = Vec::new();
            if let Some(j) = found {
                joint_coordinates(&model.joints()[j], &out.path.centres[node], &mut values);
            }
            let (Some(j), Some(value)) = (found, values.get(*coordinate)) else {
                return Err(OptimiseError::Unsupported {
                    what: "a condition on a joint without such a coordinate".into(),
                    fix: "use a relative pose for spherical joints and loops".into(),
                });
            };
            let freedom = model.offsets[j] + coordinate;
            let what = format!("the value of joint {}", model.joints()[j].name);
            narrow(out, node, freedom, range.map(|v| v - value), asked, &what)?;
        }
        Condition::Polynomials { what, rows } => out.conditions.add(node, what, rows),
        Condition::Formula { formula, range } => {
            let last = out.path.layout.grid.len();
            let before = out.formulas.rows.iter().filter(|r| r.at.node == node);
            let number = before.count();
            out.formulas.rows.push(FormulaRow {
                formula: formula.clone(),
                at: Spot {
                    node,
                    step: node.min(last - 1),
                },
                range: *range,
                number,
            });
        }
    }
    Ok(())
}

/// Free velocities at the ends start from the guess.
fn start_motions(out: &mut Draft) {
    let last = out.path.layout.grid.len();
    for motion in out.path.layout.motions.clone() {
        let (a, b) = if motion.node == 0 {
            (0, 1)
        } else {
            (last - 1, last)
        };
        let h = out.path.layout.h(a, &out.x);
        let body = motion.motion.bodies[0].index();
        let (from, to) = (&out.path.centres[a][body], &out.path.centres[b][body]);
        let v = (to.position - from.position) / h;
        let w = log(&(to.directors * from.directors.transpose())) / h;
        for (k, unknown) in motion.unknowns.iter().enumerate() {
            if let Some(index) = unknown {
                let value = if k < 3 { v[k] } else { w[k - 3] };
                out.x[*index] = value.clamp(out.bounds[*index][0], out.bounds[*index][1]);
            }
        }
    }
}
