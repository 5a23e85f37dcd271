//! Springs, dampers, rotors and servos along joint coordinates, over a step.
//!
//! A generalised force f along the coordinate s of a joint is the covector f ∇s on its two bodies, so
//! that Pᵀ(q) f ∇s is f in the joint's own row: all formulations see the same.

use carom_gap::Pose;

use super::constraints::{Row, joint_coordinate};
use super::share::Share;
use super::vectors::{Covector, Wrench};
use crate::model::{JointLaw, LawStep, Model};

/// The coordinate of a law with its gradient.
pub fn law_coordinate(model: &Model, law: &JointLaw, poses: &[Pose]) -> Option<Row> {
    let j = law.joint?;
    joint_coordinate(&model.joints()[j], law.freedom - model.offsets[j], poses)
}

/// Energy of the springs in the joints of a share.
pub fn joint_potential(model: &Model, share: &Share, poses: &[Pose]) -> f64 {
    let laws = share.laws.iter().map(|&k| &model.joint_laws()[k]);
    let energy = |law: &JointLaw| {
        let row = law_coordinate(model, law, poses);
        row.map_or(0.0, |row| law.potential(row.value))
    };
    laws.filter(|law| law.physics.spring.is_some())
        .map(energy)
        .sum()
}

/// A law in a step between two configurations of the bodies: coordinates at both, and what it does.
pub struct LawMotion {
    /// At q.
    pub from: Row,
    /// At q⁺.
    pub to: Row,
    /// What the law does.
    pub step: LawStep,
}

/// What a law of the tree does from q to q⁺.
pub fn law_motion(
    model: &Model,
    law: &JointLaw,
    (poses, next): (&[Pose], &[Pose]),
    (time, h, gamma): (f64, f64, f64),
) -> Option<LawMotion> {
    let from = law_coordinate(model, law, poses)?;
    let to = law_coordinate(model, law, next)?;
    let delta = law.difference(to.value, from.value);
    let step = law.step(time, from.value, delta, h, gamma);
    Some(LawMotion { from, to, step })
}

/// Adds an impulse along a coordinate to the covectors of its bodies.
pub fn add_along(model: &Model, law: &JointLaw, row: &Row, impulse: f64, out: &mut [Covector]) {
    let Some(joint) = law.joint.map(|j| &model.joints()[j]) else {
        return;
    };
    out[joint.child.index()].add(&row.child, impulse);
    if let Some(p) = joint.parent {
        out[p.index()].add(&row.parent, impulse);
    }
}

/// Adds an impulse along a coordinate to the wrenches of its bodies.
pub fn add_along_wrenches(
    model: &Model,
    law: &JointLaw,
    row: &Row,
    impulse: f64,
    poses: &[Pose],
    out: &mut [Wrench],
) {
    let Some(joint) = law.joint.map(|j| &model.joints()[j]) else {
        return;
    };
    let sides = [(Some(joint.child), &row.child), (joint.parent, &row.parent)];
    for (body, y) in sides {
        let Some(b) = body else { continue };
        let w = y.wrench(&poses[b.index()].directors);
        out[b.index()].force += w.force * impulse;
        out[b.index()].torque += w.torque * impulse;
    }
}
