//! Configurations as their joints see them: coordinates, how far joints are open, and bodies put where they belong.

use carom_gap::Pose;
use nalgebra::Vector3;

use crate::mechanics::{joint_coordinates, parent_pose, slides};
use crate::model::{Joint, JointKind, Model};

/// Joint coordinates of configurations by degree of freedom, each angle next to the one before; zero
/// where a joint has none.
pub(crate) fn joint_values(model: &Model, poses: &[Vec<Pose>]) -> Vec<Vec<f64>> {
    let mut out: Vec<Vec<f64>> = Vec::with_capacity(poses.len());
    let mut values = Vec::new();
    for here in poses {
        let mut all = vec![0.0; model.tree_freedom];
        for (j, joint) in model.joints().iter().enumerate() {
            joint_coordinates(joint, here, &mut values);
            let slides = slides(joint);
            for (k, value) in values.iter().enumerate() {
                let f = model.offsets[j] + k;
                all[f] = *value;
                if let (Some(before), false) = (out.last(), slides[k]) {
                    let turn = std::f64::consts::TAU;
                    all[f] += ((before[f] - value) / turn).round() * turn;
                }
            }
        }
        out.push(all);
    }
    out
}

/// Puts bodies whose motion is given where they are at a time.
pub(crate) fn place_at(model: &Model, time: f64, poses: &mut [Pose]) {
    for (body, pose) in model.bodies().iter().zip(poses) {
        if let Some((given, _)) = body.given(time) {
            *pose = given;
        }
    }
}

/// How far the joint point of each child is from that of its parent, in the parent's frame; zero where a joint keeps
/// them together. Of rods it is the direction from one to the other.
pub(crate) fn displacements(model: &Model, poses: &[Pose]) -> Vec<Vector3<f64>> {
    let of = |joint: &Joint| {
        let parent = parent_pose(joint, poses);
        let child = poses[joint.child.index()].point(&joint.anchor_child);
        let apart = child - parent.point(&joint.anchor_parent);
        match joint.kind {
            JointKind::Revolute | JointKind::Spherical | JointKind::Fixed => Vector3::zeros(),
            JointKind::Rod => apart / joint.length,
            _ => parent.directors.tr_mul(&apart),
        }
    };
    model.joints().iter().map(of).collect()
}

/// Puts bodies where their joints have them, orientations as they are. Bodies without a joint stay.
pub(crate) fn join(model: &Model, displacements: &[Vector3<f64>], poses: &mut [Pose]) {
    for (joint, apart) in model.joints().iter().zip(displacements) {
        let parent = *parent_pose(joint, poses);
        let apart = match joint.kind {
            JointKind::Free => continue,
            JointKind::Rod => apart * joint.length,
            _ => parent.directors * apart,
        };
        let child = &mut poses[joint.child.index()];
        let from = parent.point(&joint.anchor_parent) + apart;
        child.position = from - child.directors * joint.anchor_child;
    }
}
