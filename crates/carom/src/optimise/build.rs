//! From a problem and a guess to a transcription: bounds, conditions, rows of full rank.

use std::collections::HashMap;
use std::sync::Arc;

use nalgebra::DVector;

use super::dual::rotation_vector;
use super::error::OptimiseError;
use super::evaluate::Transcription;
use super::guess::Guess;
use super::layout::{GridStep, Layout, Scale};
use super::poly::Poly;
use super::problem::{Condition, Problem};
use super::random::random;
use super::rows::{Row, RowKind};
use crate::mechanics::{joint_coordinates, sample_controls};
use crate::model::{BodyId, Joint, JointKind, Model};

/// The time grid of a problem.
pub(crate) fn grid(problem: &Problem) -> Vec<GridStep> {
    let phases = problem.phases.iter().enumerate();
    phases
        .flat_map(|(phase, p)| {
            let step = GridStep {
                base: p.step,
                phase,
            };
            vec![step; p.steps]
        })
        .collect()
}

/// The transcription around a guess, without gap rows, and where to start. Of conditions that follow
/// from each other those numbered in `first` are kept.
pub(crate) fn transcribe(
    problem: &Problem,
    grid: Vec<GridStep>,
    guess: &Guess,
    first: &[usize],
) -> Result<(Transcription, Vec<f64>), OptimiseError> {
    let (mut out, mut x) = assemble(problem, grid, guess)?;
    drop_dependent(&mut out, &x, first)?;
    if let Some(c) = out.layout.ratio {
        out.refresh(&x, false);
        let distance = out.travel().0;
        x[c] = out.cost(&x) / if distance.abs() > 1e-9 { distance } else { 1.0 };
    }
    Ok((out, x))
}

/// The same with all conditions there are.
pub(crate) fn assemble(
    problem: &Problem,
    grid: Vec<GridStep>,
    guess: &Guess,
) -> Result<(Transcription, Vec<f64>), OptimiseError> {
    let model = &problem.model;
    let layout = Layout::new(problem, grid);
    let mut x = vec![0.0; layout.unknowns];
    let mut bounds = vec![[f64::NEG_INFINITY, f64::INFINITY]; layout.unknowns];
    for (phase, scale) in layout.scales.iter().enumerate() {
        if let Scale::Unknown(index) = scale {
            bounds[*index] = problem.phases[phase].time_scale;
            x[*index] = guess.scales[phase].clamp(bounds[*index][0], bounds[*index][1]);
        }
    }
    for motion in &layout.motions {
        for (k, unknown) in motion.unknowns.iter().enumerate() {
            if let Some(index) = unknown {
                bounds[*index] = motion.motion.twist[k];
            }
        }
    }
    bound_controls(model, &layout, guess, &mut bounds, &mut x)?;
    let margin = problem.avoid.as_ref().map_or(0.0, |a| a.margin);
    let mut centres = guess.poses.clone();
    let last = layout.grid.len();
    for (node, end) in [(0, &problem.start), (last, &problem.goal)] {
        if end.conditions.contains(&Condition::AsBuilt) {
            centres[node] = model.bodies().iter().map(|b| b.start).collect();
        }
    }
    let mut out = Transcription::new(
        Arc::clone(model),
        layout,
        centres,
        problem.per,
        margin,
        bounds,
    );
    for node in 0..=last {
        let mut asked = Asked::default();
        limit_joints(&mut out, node, &mut asked)?;
        let conditions = match node {
            0 => &problem.start.conditions,
            k if k == last => &problem.goal.conditions,
            _ => &problem.path,
        };
        for condition in conditions {
            impose(&mut out, node, condition, &mut asked)?;
        }
    }
    out.layout.wide_nodes |= couples(&out);
    for (value, [low, high]) in x.iter_mut().zip(&out.bounds) {
        *value = value.clamp(*low, *high);
    }
    start_motions(&mut out, &mut x);
    Ok((out, x))
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
fn limit_joints(
    out: &mut Transcription,
    node: usize,
    asked: &mut Asked,
) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.model);
    let mut values = Vec::new();
    for (j, joint) in model.joints().iter().enumerate() {
        joint_coordinates(joint, &out.centres[node], &mut values);
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

/// Narrows the bounds of a degree of freedom at a node; nothing left is a contradiction.
fn narrow(
    out: &mut Transcription,
    node: usize,
    freedom: usize,
    [low, high]: [f64; 2],
    asked: &mut Asked,
    what: &str,
) -> Result<(), OptimiseError> {
    let last = out.layout.grid.len();
    let b = &mut out.bounds[out.layout.u(node, freedom)];
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
fn free_root(model: &Model, body: BodyId) -> Option<(usize, &Joint)> {
    let mut joints = model.joints().iter().enumerate();
    joints.find(|(_, j)| j.child == body && j.kind == JointKind::Free)
}

fn impose(
    out: &mut Transcription,
    node: usize,
    condition: &Condition,
    asked: &mut Asked,
) -> Result<(), OptimiseError> {
    let model = Arc::clone(&out.model);
    let name = |b: BodyId| model.body(b).name.clone();
    match condition {
        Condition::AsBuilt => {
            for freedom in 0..out.layout.n {
                let index = out.layout.u(node, freedom);
                out.bounds[index] = [0.0; 2];
            }
        }
        Condition::Position { body, range } => match free_root(&model, *body) {
            Some((j, _)) => {
                let centre = out.centres[node][body.index()].position;
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
                add_rows(out, node, &what, rows.collect());
            }
        },
        Condition::Orientation { body, directors } => match free_root(&model, *body) {
            Some((j, _)) if !model.is_particle(*body) => {
                let centre = out.centres[node][body.index()].directors;
                let turn = rotation_vector(&(directors * centre.transpose()));
                let what = format!("orientation of body {}", name(*body));
                for k in 0..3 {
                    let freedom = model.offsets[j] + 3 + k;
                    narrow(out, node, freedom, [turn[k]; 2], asked, &what)?;
                }
            }
            _ => {
                let turned = Poly::turned_from(&model, *body, directors);
                let what = format!("orientation of body {}", name(*body));
                add_rows(out, node, &what, turned.map(|p| (p, [0.0; 2])).to_vec());
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
                joint_coordinates(&model.joints()[j], &out.centres[node], &mut values);
            }
            let (Some(j), Some(value)) = (found, values.get(*coordinate)) else {
                return Err(OptimiseError::Unsupported {
                    what: "a condition on a joint without such a coordinate".into(),
                    mend: "use a relative pose for spherical joints and loops".into(),
                });
            };
            let freedom = model.offsets[j] + coordinate;
            let what = format!("the value of joint {}", model.joints()[j].name);
            narrow(out, node, freedom, range.map(|v| v - value), asked, &what)?;
        }
        Condition::Polynomials { what, rows } => add_rows(out, node, what, rows.clone()),
    }
    Ok(())
}

fn add_rows(out: &mut Transcription, node: usize, what: &str, rows: Vec<(Poly, [f64; 2])>) {
    for (poly, range) in rows {
        if range == [f64::NEG_INFINITY, f64::INFINITY] {
            continue;
        }
        out.layout.rows.push(Row {
            kind: RowKind::Poly {
                number: out.layout.rows.len(),
                node,
                poly: poly.collected(),
                what: what.into(),
            },
            range,
        });
    }
}

/// Whether a condition couples components.
fn couples(out: &Transcription) -> bool {
    let far = |poly: &Poly| {
        let mut homes = Layout::used(poly).map(|q| out.layout.coordinate_home[q].0);
        let first = homes.next();
        homes.any(|h| Some(h) != first)
    };
    let rows = (out.layout.rows.iter()).any(|r| match &r.kind {
        RowKind::Poly { poly, .. } => far(poly),
        _ => false,
    });
    rows || out.layout.last.iter().any(far)
}

/// Free velocities at the ends start from the guess.
fn start_motions(out: &mut Transcription, x: &mut [f64]) {
    let last = out.layout.grid.len();
    for motion in out.layout.motions.clone() {
        let (a, b) = if motion.node == 0 {
            (0, 1)
        } else {
            (last - 1, last)
        };
        let h = out.layout.h(a, x);
        let body = motion.motion.bodies[0].index();
        let (from, to) = (&out.centres[a][body], &out.centres[b][body]);
        let v = (to.position - from.position) / h;
        let w = rotation_vector(&(to.directors * from.directors.transpose())) / h;
        for (k, unknown) in motion.unknowns.iter().enumerate() {
            if let Some(index) = unknown {
                let value = if k < 3 { v[k] } else { w[k - 3] };
                x[*index] = value.clamp(out.bounds[*index][0], out.bounds[*index][1]);
            }
        }
    }
}

/// How far nodes are moved to see whether conditions depend on each other, in rad and lengths: at a
/// stretched pose they may, by chance.
const ASIDE: f64 = 1e-2;

/// Leaves out equations that follow from others around the guess. Two that say the same of different
/// values are a contradiction.
fn drop_dependent(
    out: &mut Transcription,
    x: &[f64],
    first: &[usize],
) -> Result<(), OptimiseError> {
    if !(out.layout.rows.iter()).any(|r| matches!(r.kind, RowKind::Poly { .. })) {
        return Ok(());
    }
    let mut moved = x.to_vec();
    let mut random = random(0x9E37_79B9_7F4A_7C15);
    for node in 0..out.layout.nodes() {
        for f in 0..out.layout.n {
            let aside = random();
            let index = out.layout.u(node, f);
            let [low, high] = out.bounds[index];
            if low < high {
                moved[index] += ASIDE * aside;
            }
        }
    }
    let at_guess = dependent(out, x, first)?;
    let aside = dependent(out, &moved, first)?;
    // Rows that are met and depend on others at the guess only would still be one too many there.
    out.refresh(x, false);
    let met = |row: &Row| match &row.kind {
        RowKind::Poly { node, poly, .. } => {
            let value = poly.value(&out.nodes()[*node].q);
            let off = (row.range[0] - value).max(value - row.range[1]);
            off <= 1e-9 * (1.0 + value.abs())
        }
        _ => false,
    };
    let keep: Vec<bool> = (out.layout.rows.iter().enumerate())
        .map(|(k, row)| !(at_guess[k] && (aside[k] || met(row))))
        .collect();
    // Balances come first and stay: their places do not move.
    let mut k = 0;
    out.layout.rows.retain(|_| {
        k += 1;
        keep[k - 1]
    });
    Ok(())
}

/// Which conditions follow from others at the unknowns x.
fn dependent(
    out: &mut Transcription,
    x: &[f64],
    first: &[usize],
) -> Result<Vec<bool>, OptimiseError> {
    out.refresh(x, true);
    let mut keep = vec![true; out.layout.rows.len()];
    // Of each node: unit gradients of the equations that are kept, and which rows they are.
    let mut bases: Vec<Vec<(DVector<f64>, usize)>> = vec![Vec::new(); out.layout.nodes()];
    let mut order: Vec<_> = out.layout.rows.iter().enumerate().collect();
    order.sort_by_key(|(_, row)| match &row.kind {
        RowKind::Poly { number, .. } => !first.contains(number),
        _ => false,
    });
    for (k, row) in order {
        let RowKind::Poly {
            node, poly, what, ..
        } = &row.kind
        else {
            continue;
        };
        let q = &out.nodes()[*node].q;
        let mut y = vec![0.0; out.layout.nq];
        poly.gradient(q, |i, v| y[i] += v);
        let mut g = DVector::from_vec(out.pull(*node, &y));
        for f in 0..out.layout.n {
            let [low, high] = out.bounds[out.layout.u(*node, f)];
            if low == high {
                g[f] = 0.0;
            }
        }
        let size = g.norm();
        let whole = DVector::from_column_slice(&y).norm();
        let value = poly.value(q);
        let off = (row.range[0] - value).max(value - row.range[1]).max(0.0);
        if size <= 1e-9 * whole {
            // Nothing that may move changes it.
            if off > 1e-6 * (1.0 + value.abs()) {
                return Err(OptimiseError::Contradiction {
                    what: format!(
                        "{what} is off by {off:.2e}, but nothing that may move changes it"
                    ),
                });
            }
            keep[k] = false;
            continue;
        }
        if row.range[0] != row.range[1] {
            continue;
        }
        for (e, _) in &bases[*node] {
            let share = e.dot(&g);
            g.axpy(-share, e, 1.0);
        }
        if g.norm() > 1e-7 * size {
            bases[*node].push((g.normalize(), k));
            continue;
        }
        keep[k] = false;
        // The same row twice, with two values?
        for (_, other) in &bases[*node] {
            let other = &out.layout.rows[*other];
            if let RowKind::Poly {
                poly: p, what: w, ..
            } = &other.kind
                && p.linear == poly.linear
                && p.quadratic == poly.quadratic
                && p.constant == poly.constant
                && (other.range[0] - row.range[0]).abs() > 1e-9 * (1.0 + row.range[0].abs())
            {
                return Err(OptimiseError::Contradiction {
                    what: format!(
                        "{what} and {w} ask for {} and {} of the same",
                        row.range[0], other.range[0]
                    ),
                });
            }
        }
    }
    Ok(keep.into_iter().map(|k| !k).collect())
}
