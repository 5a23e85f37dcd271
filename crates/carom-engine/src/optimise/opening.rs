//! Starts that are to be found: bodies near a place, joints and their rates within ranges.

use std::sync::Arc;

use super::draft::{Draft, FREE};
use super::error::OptimiseError;
use super::guess::Guess;
use super::problem::{Condition, Problem};
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
