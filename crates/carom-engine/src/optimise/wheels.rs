//! Reaction wheels that would have to turn too far within a step: told before anything is solved.
//!
//! Where nothing but wheels works on a body that starts at rest, its angular momentum I ω = −Σ J_k a_k θ̇_k stays that of
//! the wheels. Within a step a wheel gives at most J/h, as its discrete momentum is J sin Δθ/h: a body that turns by
//! Θ in N steps needs λ_min(I) Θ ≤ N max |Σ ± J_k a_k|, whatever way it takes and however long.

use nalgebra::{Matrix3, Vector3};

use super::chart::Component;
use super::draft::Draft;
use super::problem::Problem;
use crate::mechanics::log;
use crate::model::{BodyId, BodyKind, JointKind, Model, Target};

/// Part of what is needed that wheels must be able to give: the body's own momentum is that of a sine, too.
const ENOUGH: f64 = 0.8;

/// Rotation of a body within a step, in rad, up to which that part allows for it.
const SLOW: f64 = 0.5;

/// Rotation of wheels within a step on average, in rad, with which plans are found easily.
const EASY: f64 = 0.5;

/// Wheels whose signs are all tried, at most.
const MOST: usize = 12;

/// Relative size of what counts as round: angles are given by a few digits, and the bound has more room than that.
const ROUND: f64 = 1e-3;

/// A wheel: its name, axis in the frame of the body, and moment of inertia.
struct Wheel<'a> {
    name: &'a str,
    axis: Vector3<f64>,
    inertia: f64,
}

/// Bodies that wheels cannot turn as far as they should within the steps there are.
pub(crate) fn too_few_steps(problem: &Problem, draft: &Draft) -> Vec<String> {
    let model = &*problem.model;
    let f = model.forces();
    let alone = f.pairs.is_empty()
        && f.dampers.is_empty()
        && f.drags.is_empty()
        && f.solids.is_empty()
        && f.influences.is_empty()
        && f.user.is_empty();
    if !alone
        || problem.has_contacts()
        || !problem.penalties.is_empty()
        || !problem.parameters.is_empty()
        || !model.closures().is_empty()
    {
        return Vec::new();
    }
    let components = draft.path.layout.components.iter();
    components
        .filter_map(|c| too_far(problem, draft, c))
        .collect()
}

fn too_far(problem: &Problem, draft: &Draft, component: &Component) -> Option<String> {
    let model = &*problem.model;
    let root = component.joints[0];
    let base = model.joints()[root].child;
    let (wheels, inertia) = wheels(model, component)?;
    let starts_at_rest = component.joints.iter().all(|&j| {
        let child = model.joints()[j].child;
        let motions = &problem.start.motions;
        let own = motions.iter().find(|m| m.bodies[..] == [child]);
        own.is_some_and(|m| m.twist == [[0.0; 2]; 6])
    });
    let acts = |b: &BodyId| {
        component
            .joints
            .iter()
            .any(|&j| model.joints()[j].child == *b)
    };
    let pushed = model.actuators().iter().any(|a| match &a.target {
        Target::Wrench { body, .. } | Target::Along { body, .. } => acts(body),
        Target::Points { points } => points.iter().any(|(body, _, _)| acts(body)),
        Target::Joint { .. } | Target::Coordinate { .. } => false,
    });
    let (t, bounds) = (&draft.path, &draft.bounds);
    let steps = t.layout.grid.len();
    let given = [0, steps].iter().all(|&node| {
        (3..6).all(|k| {
            let [low, high] = bounds[t.layout.u(node, model.offsets[root] + k)];
            low == high
        })
    });
    if wheels.is_empty() || wheels.len() > MOST || pushed || !starts_at_rest || !given {
        return None;
    }
    let directors = |node: usize| t.nodes()[node].poses[base.index()].directors;
    let turn = log(&(directors(0).transpose() * directors(steps)));
    let angle = turn.norm();
    // All signs of all wheels, but for that of the first.
    let reach = |signs: usize| {
        let with = |(k, w): (usize, &Wheel)| {
            let sign = if signs >> k & 1 == 1 { -1.0 } else { 1.0 };
            w.axis * (sign * w.inertia)
        };
        let sum: Vector3<f64> = wheels.iter().enumerate().map(with).sum();
        sum.norm()
    };
    let most = (0..1usize << (wheels.len() - 1))
        .map(reach)
        .fold(0.0, f64::max);
    let least = inertia.symmetric_eigenvalues().min();
    if angle > SLOW * steps as f64 || steps as f64 * most >= ENOUGH * least * angle {
        return None;
    }
    // What the straight way asks of the wheels, by the least rotations.
    let needed = inertia * turn;
    let map = nalgebra::DMatrix::from_fn(3, wheels.len(), |i, k| {
        wheels[k].inertia * wheels[k].axis[i]
    });
    let size = map.amax();
    let turns = map.svd(true, true).solve(&needed, 1e-9 * size).ok()?;
    let (k, far) = turns
        .iter()
        .map(|x| x.abs())
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let name = &model.body(base).name;
    let wheel = wheels[k].name;
    let enough = (far / EASY).ceil();
    Some(format!(
        "{steps} steps are too few: to turn {name} by {angle:.3} rad the wheel {wheel} has to turn by about {far:.0} rad, \
         {:.2} rad within each step, where less than a right angle is possible: take about {enough:.0} shorter steps, or \
         wheels of more inertia than {:.3e} kg m²",
        far / steps as f64,
        wheels[k].inertia
    ))
}

/// The wheels of a body that is free, all else on it held fast to it, and the inertia of all about their common centre of
/// mass, in the frame of the body; none where a body on it is no wheel.
fn wheels<'a>(model: &'a Model, component: &Component) -> Option<(Vec<Wheel<'a>>, Matrix3<f64>)> {
    let root = &model.joints()[component.joints[0]];
    if root.kind != JointKind::Free {
        return None;
    }
    let base = root.child;
    let mut parts = vec![(Vector3::zeros(), tensor(model, base)?)];
    let mut out = Vec::new();
    for &j in &component.joints[1..] {
        let joint = &model.joints()[j];
        let own = tensor(model, joint.child)?;
        let (mass, inertia) = own;
        let axis = joint.relative.tr_mul(&joint.axis);
        let moment = (axis.transpose() * inertia * axis)[0];
        let arm = joint.anchor_child.cross(&axis).norm();
        // Symmetric about its axis: nothing changes when it turns.
        let across = axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize();
        let other = (across.transpose() * inertia * across)[0];
        let round =
            inertia - Matrix3::identity() * other - axis * axis.transpose() * (moment - other);
        let wheel = joint.kind == JointKind::Revolute
            && joint.parent == Some(base)
            && arm * arm * mass <= ROUND * moment
            && round.amax() <= ROUND * moment;
        if !wheel {
            return None;
        }
        let at = joint.anchor_parent - joint.relative * joint.anchor_child;
        let turned = joint.relative * inertia * joint.relative.transpose();
        parts.push((at, (mass, turned)));
        out.push(Wheel {
            name: &model.body(joint.child).name,
            axis: joint.axis,
            inertia: moment,
        });
    }
    let mass: f64 = parts.iter().map(|(_, (m, _))| m).sum();
    let centre: Vector3<f64> = parts.iter().map(|(x, (m, _))| x * *m).sum::<Vector3<f64>>() / mass;
    let shifted = |(x, (m, own)): &(Vector3<f64>, (f64, Matrix3<f64>))| {
        let r = x - centre;
        own + (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * *m
    };
    Some((out, parts.iter().map(shifted).sum()))
}

/// Mass and inertia tensor of a rigid body about its centre of mass, in its frame.
fn tensor(model: &Model, body: BodyId) -> Option<(f64, Matrix3<f64>)> {
    match &model.body(body).kind {
        BodyKind::Rigid { mass, euler_tensor } => Some((
            *mass,
            Matrix3::identity() * euler_tensor.trace() - euler_tensor,
        )),
        _ => None,
    }
}
