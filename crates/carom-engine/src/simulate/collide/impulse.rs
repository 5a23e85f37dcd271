//! Impulses of contacts that act on a state, and the work of surfaces that move.

use nalgebra::Vector3;

use crate::contact::{Point, Rows};
use crate::mechanics::{Covector, hat, joint_frame};
use crate::model::{BodyKind, Model};
use crate::simulate::State;

/// Work of surfaces that move, at points of a problem whose biases hold their velocities and those of
/// bodies whose motion is given.
pub fn work_of_belts(points: &[Point], rows: &Rows) -> f64 {
    let belts = points.iter().map(|p| {
        let mut belt = *p;
        for k in 0..p.rows {
            belt.bias[k] -= rows.drift(p.first + k);
        }
        work_of_belt(&belt, rows)
    });
    belts.sum()
}

/// Work of the surface that moves at a point: what friction gives beyond what it takes.
pub fn work_of_belt(p: &Point, rows: &Rows) -> f64 {
    match p.rows {
        3 => -(1..3)
            .map(|k| p.bias[k] * rows.lambda[p.first + k])
            .sum::<f64>(),
        _ => 0.0,
    }
}

/// p += factor · λ ∇gap for all rows.
pub fn apply(model: &Model, state: &mut State, rows: &Rows, factor: f64) {
    for row in 0..rows.len() {
        let lambda = rows.lambda[row] * factor;
        if lambda == 0.0 {
            continue;
        }
        let push = rows.pushed(row);
        match push.freedom {
            Some((k, sign)) if k >= model.tree_freedom => {
                state.coordinate_momenta[k - model.tree_freedom] += lambda * sign;
            }
            Some((k, sign)) => push_joint(model, state, k, lambda * sign),
            None => {}
        }
        for (body, w) in push.wrenches.iter().flatten() {
            let k = body.index();
            let p = match model.body(*body).kind {
                BodyKind::Rigid { .. } => Covector {
                    force: w.force,
                    directors: hat(&w.torque) * state.poses[k].directors * 0.5,
                },
                BodyKind::Particle { .. } => Covector {
                    force: w.force,
                    ..Covector::default()
                },
                BodyKind::Static => continue,
            };
            state.momenta[k].add(&p, lambda);
        }
    }
}

/// Adds an impulse along one degree of freedom of a joint: equal and opposite on child and parent.
fn push_joint(model: &Model, state: &mut State, freedom: usize, impulse: f64) {
    let j = model.offsets.partition_point(|&o| o <= freedom) - 1;
    let joint = &model.joints()[j];
    let frame = joint_frame(model, &state.poses, joint);
    let column = frame.columns[freedom - model.offsets[j]];
    let turning = column.w != Vector3::zeros();
    let at = state.poses[joint.child.index()].point(&joint.anchor_child);
    for (body, sign) in [(Some(joint.child), 1.0), (joint.parent, -1.0)] {
        let Some(b) = body else { continue };
        let k = b.index();
        let force = if turning { Vector3::zeros() } else { column.v };
        let torque = if turning {
            column.w
        } else {
            (at - state.poses[k].position).cross(&column.v)
        };
        let p = Covector {
            force,
            directors: hat(&torque) * state.poses[k].directors * 0.5,
        };
        state.momenta[k].add(&p, impulse * sign);
    }
}
