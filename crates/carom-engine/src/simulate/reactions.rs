//! What joints transmit: multipliers recovered from the balance of a step (thesis (3.18)).
//!
//! p + D₁L_d + f⁻ = Gᵀ(q) λ is what the constraints take away from each body. Summed over the bodies
//! that a joint carries it is the impulse this joint takes from its child.

use carom_gap::Pose;
use nalgebra::Vector3;

use crate::mechanics::{
    Covector, Row, Wrench, hand_down, joint_coordinate, joint_frame, joint_rows, row_count,
};
use crate::model::{Joint, JointKind, Model};

/// What a joint does to its child at the node where the last step began; to the parent the opposite.
///
/// The impulse is that of half a step before the node and half a step after it (a run that has just
/// started knows the second half only).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// The joint point at that node, in the world.
    pub point: Vector3<f64>,
    /// Impulse and angular impulse about the point.
    pub impulse: Wrench,
    /// Impulse divided by the step: mean force and torque.
    pub mean: Wrench,
}

impl Reaction {
    /// From a wrench on the child about its origin.
    fn new(joint: &Joint, pose: &Pose, wrench: &Wrench, h: f64) -> Self {
        let point = pose.point(&joint.anchor_child);
        let mut torque = wrench.torque + (pose.position - point).cross(&wrench.force);
        if joint.kind == JointKind::Rod {
            torque = Vector3::zeros();
        }
        let impulse = Wrench {
            force: wrench.force,
            torque,
        };
        Self {
            point,
            impulse,
            mean: Wrench {
                force: impulse.force / h,
                torque: torque / h,
            },
        }
    }
}

/// −Gᵀλ of one joint as a wrench on its child about the child's origin.
fn of_multipliers(joint: &Joint, poses: &[Pose], lambda: &[f64], rows: &mut Vec<Row>) -> Wrench {
    rows.clear();
    joint_rows(joint, poses, rows);
    let mut y = Covector::default();
    for (row, l) in rows.iter().zip(lambda) {
        y.add(&row.child, -l);
    }
    y.wrench(&poses[joint.child.index()].directors)
}

/// Reactions of joints, one after the other, from their multipliers.
pub(super) fn from_multipliers<'a>(
    joints: impl Iterator<Item = &'a Joint>,
    poses: &[Pose],
    lambda: &[f64],
    h: f64,
    out: &mut Vec<Reaction>,
) {
    let mut rows = Vec::new();
    let mut at = 0;
    for joint in joints {
        let count = row_count(joint.kind);
        let wrench = of_multipliers(joint, poses, &lambda[at..at + count], &mut rows);
        out.push(Reaction::new(
            joint,
            &poses[joint.child.index()],
            &wrench,
            h,
        ));
        at += count;
    }
}

/// Takes the impulses of loop closures off the balance of the bodies.
pub(super) fn take_off_loops(
    model: &Model,
    poses: &[Pose],
    lambda: &[f64],
    rows: &mut Vec<Row>,
    balance: &mut [Wrench],
) {
    let mut at = 0;
    for joint in model.closures() {
        rows.clear();
        joint_rows(joint, poses, rows);
        for row in rows.iter() {
            let l = lambda[at];
            at += 1;
            for (body, y) in [(joint.parent, &row.parent), (Some(joint.child), &row.child)] {
                let Some(b) = body else { continue };
                let w = y.wrench(&poses[b.index()].directors);
                let sum = &mut balance[b.index()];
                sum.force -= w.force * l;
                if !model.is_particle(b) {
                    sum.torque -= w.torque * l;
                }
            }
        }
    }
    // Gears push along their joints.
    for coupling in model.couplings() {
        let l = lambda[at];
        at += 1;
        for (j, factor) in coupling.joints.into_iter().zip([1.0, -coupling.ratio]) {
            let joint = &model.joints()[j];
            let Some(row) = joint_coordinate(joint, 0, poses) else {
                continue;
            };
            let sides = [(joint.parent, &row.parent), (Some(joint.child), &row.child)];
            for (body, y) in sides {
                let Some(b) = body else { continue };
                let w = y.wrench(&poses[b.index()].directors);
                balance[b.index()].force -= w.force * (l * factor);
                balance[b.index()].torque -= w.torque * (l * factor);
            }
        }
    }
}

/// Reactions of the joints of the tree from the balance of the bodies (used up), loops taken off.
pub(super) fn from_balance(
    model: &Model,
    poses: &[Pose],
    balance: &mut [Wrench],
    h: f64,
    out: &mut Vec<Reaction>,
) {
    let first = out.len();
    for joint in model.joints().iter().rev() {
        let frame = joint_frame(model, poses, joint);
        let w = balance[joint.child.index()];
        let taken = Wrench {
            force: -w.force,
            torque: -w.torque,
        };
        out.push(Reaction::new(joint, &poses[joint.child.index()], &taken, h));
        if let Some(p) = joint.parent {
            let passed = hand_down(joint, &frame, &w);
            balance[p.index()].force += passed.force;
            balance[p.index()].torque += passed.torque;
        }
    }
    out[first..].reverse();
}
