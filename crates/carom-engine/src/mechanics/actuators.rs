//! Actuators: controls and loads of a step, and the input map Bᵀ(q).

use carom_gap::Pose;
use nalgebra::{DMatrix, Vector3};

use super::kinematics::{joint_frame, reduce};
use super::vectors::{NO_WRENCH, Wrench, arm};
use crate::model::{Frame, Joint, JointKind, Model, Sample, Target};

/// Controls τ of the step from `time` to `time` + h: the given ones, and loads sampled in time.
pub fn sample_controls(model: &Model, time: f64, h: f64, given: &[f64], tau: &mut [f64]) {
    tau.copy_from_slice(given);
    for a in model.actuators() {
        if let Some(signals) = &a.signals {
            let t = match a.sample {
                Sample::Left => time,
                Sample::Mid => time + 0.5 * h,
                Sample::Right => time + h,
            };
            for (value, signal) in tau[a.range()].iter_mut().zip(signals) {
                *value = signal.at(t);
            }
        }
    }
}

/// Adds Bᵀ(q) τ · factor to the wrenches of the bodies and the forces on linkage coordinates.
pub fn add_actuators(
    model: &Model,
    poses: &[Pose],
    tau: &[f64],
    factor: f64,
    wrenches: &mut [Wrench],
    coordinates: &mut [f64],
) {
    for a in model.actuators() {
        let t = &tau[a.range()];
        match &a.target {
            Target::Wrench { body, point, frame } => {
                let force = Vector3::new(t[0], t[1], t[2]) * factor;
                let torque = Vector3::new(t[3], t[4], t[5]) * factor;
                let w = &mut wrenches[body.index()];
                add_wrench(&poses[body.index()], point, *frame, force, torque, w);
            }
            Target::Along {
                body,
                point,
                frame,
                unit,
            } => {
                let [force, torque] = unit.map(|u| u * (t[0] * factor));
                let w = &mut wrenches[body.index()];
                add_wrench(&poses[body.index()], point, *frame, force, torque, w);
            }
            Target::Points { points } => {
                let force = Vector3::new(t[0], t[1], t[2]) * factor;
                for (body, point, part) in points {
                    let w = &mut wrenches[body.index()];
                    w.force += force * *part;
                    w.torque += arm(&poses[body.index()], point).cross(&force) * *part;
                }
            }
            Target::Joint { joint } => {
                let Some(j) = model.find_joint(*joint) else {
                    continue;
                };
                let joint = &model.joints()[j];
                let (force, torque) = joint_wrench(model, poses, joint, t);
                let at = poses[joint.child.index()].point(&joint.anchor_child);
                for (body, sign) in [(Some(joint.child), factor), (joint.parent, -factor)] {
                    if let Some(b) = body {
                        let w = &mut wrenches[b.index()];
                        w.force += force * sign;
                        w.torque +=
                            (torque + (at - poses[b.index()].position).cross(&force)) * sign;
                    }
                }
            }
            Target::Coordinate {
                linkage,
                coordinate,
            } => {
                coordinates[model.linkages()[*linkage].first + coordinate] += t[0] * factor;
            }
        }
    }
}

/// Adds a force at a point of a body and a torque, in the axes of a frame, to its wrench.
fn add_wrench(
    pose: &Pose,
    point: &Vector3<f64>,
    frame: Frame,
    mut force: Vector3<f64>,
    mut torque: Vector3<f64>,
    to: &mut Wrench,
) {
    if frame == Frame::Body {
        (force, torque) = (pose.directors * force, pose.directors * torque);
    }
    to.force += force;
    to.torque += torque + arm(pose, point).cross(&force);
}

/// Force and torque, at the joint point, that drive a joint's coordinates by τ (thesis (A.1), (A.2)).
fn joint_wrench(
    model: &Model,
    poses: &[Pose],
    joint: &Joint,
    tau: &[f64],
) -> (Vector3<f64>, Vector3<f64>) {
    let frame = joint_frame(model, poses, joint);
    // Spherical joints have no axis to turn round with the bodies exchanged.
    let sign = if joint.reversed && joint.kind == JointKind::Spherical {
        -1.0
    } else {
        1.0
    };
    let mut force = Vector3::zeros();
    let mut torque = Vector3::zeros();
    for (column, t) in frame.columns[..frame.freedom].iter().zip(tau) {
        if column.w == Vector3::zeros() {
            force += column.v * (*t * sign);
        } else {
            torque += column.w * (*t * sign);
        }
    }
    (force, torque)
}

/// The input map: column k is the generalised force Bᵀ(q) e_k on the joint velocities of the tree,
/// then on the coordinates of the linkages, of the k-th control.
pub fn input_map(model: &Model, poses: &[Pose]) -> DMatrix<f64> {
    let n = model.controls();
    let mut out = DMatrix::zeros(model.freedom(), n);
    let mut tau = vec![0.0; n];
    for k in 0..n {
        tau[k] = 1.0;
        let mut wrenches = vec![NO_WRENCH; model.bodies().len()];
        let mut coordinates = vec![0.0; model.coordinates];
        add_actuators(model, poses, &tau, 1.0, &mut wrenches, &mut coordinates);
        let mut reduced = vec![0.0; model.tree_freedom];
        reduce(model, poses, &mut wrenches, &mut reduced);
        for (i, v) in reduced.iter().chain(&coordinates).enumerate() {
            out[(i, k)] = *v;
        }
        tau[k] = 0.0;
    }
    out
}
