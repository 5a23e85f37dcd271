//! Actuators: controls and loads of a step, and the input map Bᵀ(q).

use carom_gap::Pose;
use nalgebra::{DMatrix, Vector3};

use super::kinematics::{JointFrame, Place, WORLD, joint_frame, reduce};
use super::numbers::{Real, along, apply, apply_to, times, vector};
use super::vectors::{NO_WRENCH, Wrench};
use crate::model::{Actuator, BodyId, Frame, Joint, JointKind, Model, Sample, Target};

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
        if let Target::Coordinate {
            linkage,
            coordinate,
        } = &a.target
        {
            coordinates[model.linkages()[*linkage].first + coordinate] += t[0] * factor;
            continue;
        }
        let place = |b: Option<BodyId>| b.map_or(&WORLD, |b| &poses[b.index()]);
        let frame = |j: usize| joint_frame(model, poses, &model.joints()[j]);
        actuator_wrenches(model, a, t, place, frame, |body, force, torque| {
            let w = &mut wrenches[body.index()];
            w.force += force * factor;
            w.torque += torque * factor;
        });
    }
}

/// Bᵀ(q) τ of one actuator: the wrenches on bodies, about their origins, of its control values, in numbers of
/// any kind. Nothing for coordinates of linkages. `frame` gives what a joint of the tree lets its child do.
#[inline]
pub fn actuator_wrenches<'a, T: Real, P: Place<T> + 'a>(
    model: &Model,
    actuator: &Actuator,
    tau: &[T],
    place: impl Fn(Option<BodyId>) -> &'a P,
    frame: impl Fn(usize) -> JointFrame<T>,
    mut each: impl FnMut(BodyId, Vector3<T>, Vector3<T>),
) {
    // A force at a point of a body and a torque, in the axes of a frame.
    let mut at_point = |body: BodyId, point: &Vector3<f64>, frame, force, torque| {
        let directors = place(Some(body)).directors();
        let still = vector(&Vector3::zeros());
        let turned = |v: Vector3<T>| match frame {
            Frame::Body if v != still => apply(directors, &v),
            _ => v,
        };
        let (force, torque) = (turned(force), turned(torque));
        let torque = match *point == Vector3::zeros() {
            true => torque,
            false => torque + apply_to(directors, point).cross(&force),
        };
        each(body, force, torque);
    };
    match &actuator.target {
        Target::Wrench { body, point, frame } => {
            let force = Vector3::new(tau[0], tau[1], tau[2]);
            let torque = Vector3::new(tau[3], tau[4], tau[5]);
            at_point(*body, point, *frame, force, torque);
        }
        Target::Along {
            body,
            point,
            frame,
            unit,
        } => {
            let [force, torque] = unit.map(|u| along(&u, tau[0]));
            at_point(*body, point, *frame, force, torque);
        }
        Target::Points { points } => {
            let force = Vector3::new(tau[0], tau[1], tau[2]);
            let zero = vector(&Vector3::zeros());
            for (body, point, part) in points {
                let share = force.map(|x| x.scale(*part));
                at_point(*body, point, Frame::Inertial, share, zero);
            }
        }
        Target::Joint { joint } => {
            let Some(j) = model.find_joint(*joint) else {
                return;
            };
            let joint = &model.joints()[j];
            let (force, torque) = joint_wrench(joint, &frame(j), tau);
            let child = place(Some(joint.child));
            let still = vector(&Vector3::zeros());
            let at = child.position() + apply_to(child.directors(), &joint.anchor_child);
            for (body, sign) in [(Some(joint.child), 1.0), (joint.parent, -1.0)] {
                if let Some(b) = body {
                    let arm = at - place(body).position();
                    let torque = match force == still {
                        true => torque,
                        false => torque + arm.cross(&force),
                    };
                    each(
                        b,
                        force.map(|x| x.scale(sign)),
                        torque.map(|x| x.scale(sign)),
                    );
                }
            }
        }
        Target::Coordinate { .. } => {}
    }
}

/// Whether each coordinate of a joint slides (a force drives it) or turns (a torque does).
pub(crate) fn slides(joint: &Joint) -> [bool; 6] {
    match joint.kind {
        JointKind::Free => [true, true, true, false, false, false],
        JointKind::Prismatic | JointKind::Rod => [true; 6],
        JointKind::Cylindrical => [true, false, false, false, false, false],
        JointKind::Planar => [true, true, false, false, false, false],
        JointKind::Revolute | JointKind::Spherical | JointKind::Fixed => [false; 6],
    }
}

/// Force and torque, at the joint point, that drive a joint's coordinates by τ (thesis (A.1), (A.2)).
fn joint_wrench<T: Real>(
    joint: &Joint,
    frame: &JointFrame<T>,
    tau: &[T],
) -> (Vector3<T>, Vector3<T>) {
    // Spherical joints have no axis to turn round with the bodies exchanged.
    let sign = if joint.reversed && joint.kind == JointKind::Spherical {
        -1.0
    } else {
        1.0
    };
    let zero = vector(&Vector3::zeros());
    let (mut force, mut torque) = (zero, zero);
    let columns = frame.columns[..frame.freedom].iter().zip(tau);
    for ((column, t), slides) in columns.zip(slides(joint)) {
        let t = t.scale(sign);
        match slides {
            true => force += times(&column.v, t),
            false => torque += times(&column.w, t),
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
