//! Null space and retraction of a tree of bodies, as recursions over its joints.
//!
//! The twist of a child is that of its parent carried over plus the joint's own motion,
//!
//! ```text
//! v_c = v_p + ω_p × lever + Σ S_v ν,    ω_c = ω_p + Σ S_ω ν,
//! ```
//!
//! so that q̇ = P(q) ν with range P = ker G; thesis (3.28), (3.33) and (A.8) are special cases. The
//! retraction q⁺ = F_d(u, q) moves along the same recursion by finite rotations, thesis (3.24),
//! (3.26), (3.30). Its tangent is P(q⁺) T(u) with T block diagonal.

use carom_gap::Pose;
use nalgebra::{DMatrix, Matrix3, SMatrix, Vector3};

use super::so3::{dexp_inverse, exp_minus_identity};
use super::vectors::{Covector, Twist, Wrench};
use crate::model::{BodyKind, Joint, JointKind, Model};

/// What a joint lets its child do, at a configuration.
#[derive(Clone, Copy, Debug)]
pub struct JointFrame {
    /// Arm from the parent's origin with which its rotation carries the child.
    pub lever: Vector3<f64>,
    /// Twists of the child per unit of each joint velocity.
    pub columns: [Twist; 6],
    /// Number of columns.
    pub freedom: usize,
}

/// A finite motion of a body: q⁺ − q formed from the increments, not from positions.
#[derive(Clone, Copy, Debug)]
pub struct Increment {
    /// Δφ.
    pub shift: Vector3<f64>,
    /// R − I with D⁺ = R D.
    pub turn: Matrix3<f64>,
    /// ΔD = (R − I) D.
    pub directors: Matrix3<f64>,
}

impl Default for Increment {
    fn default() -> Self {
        Self {
            shift: Vector3::zeros(),
            turn: Matrix3::zeros(),
            directors: Matrix3::zeros(),
        }
    }
}

const WORLD: Pose = Pose {
    position: Vector3::new(0.0, 0.0, 0.0),
    directors: Matrix3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
};

/// Pose of the parent of a joint.
#[inline]
pub(crate) fn parent_pose<'a>(joint: &Joint, poses: &'a [Pose]) -> &'a Pose {
    joint.parent.map_or(&WORLD, |p| &poses[p.index()])
}

/// Two unit vectors perpendicular to the unit vector r and to each other.
#[inline]
fn across(r: &Vector3<f64>) -> [Vector3<f64>; 2] {
    // Branchless frame (Duff et al. 2017), smooth but at r = −e_z.
    let sign = 1.0_f64.copysign(r.z);
    let a = -1.0 / (sign + r.z);
    let b = r.x * r.y * a;
    [
        Vector3::new(1.0 + sign * r.x * r.x * a, sign * b, -sign * r.x),
        Vector3::new(b, sign + r.y * r.y * a, -r.y),
    ]
}

/// Vector of a rod and the unit vectors across it.
#[inline]
fn rod(joint: &Joint, poses: &[Pose]) -> (Vector3<f64>, [Vector3<f64>; 2]) {
    let r =
        poses[joint.child.index()].position - parent_pose(joint, poses).point(&joint.anchor_parent);
    (r, across(&(r / joint.length)))
}

/// Columns of P that belong to a joint.
pub fn joint_frame(model: &Model, poses: &[Pose], joint: &Joint) -> JointFrame {
    let parent = parent_pose(joint, poses);
    let child = &poses[joint.child.index()];
    let mut columns = [Twist::default(); 6];
    let mut freedom = 0;
    let mut push = |v: Vector3<f64>, w: Vector3<f64>| {
        columns[freedom] = Twist { v, w };
        freedom += 1;
    };
    let zero = Vector3::zeros();
    let units = [Vector3::x(), Vector3::y(), Vector3::z()];
    let arm = child.directors * joint.anchor_child;
    let axis = parent.directors * joint.axis;
    match joint.kind {
        JointKind::Free => {
            units.iter().for_each(|e| push(*e, zero));
            if !model.is_particle(joint.child) {
                units.iter().for_each(|e| push(zero, *e));
            }
        }
        // ω × (−arm) = arm × ω, as in thesis (3.33).
        JointKind::Revolute => push(arm.cross(&axis), axis),
        JointKind::Prismatic => push(axis, zero),
        JointKind::Cylindrical => {
            push(axis, zero);
            push(arm.cross(&axis), axis);
        }
        JointKind::Spherical => units.iter().for_each(|e| push(arm.cross(e), *e)),
        JointKind::Planar => {
            joint
                .across
                .iter()
                .for_each(|t| push(parent.directors * t, zero));
            push(arm.cross(&axis), axis);
        }
        JointKind::Fixed => {}
        JointKind::Rod => {
            let (r, ts) = rod(joint, poses);
            ts.iter().for_each(|t| push(t.cross(&r), zero));
        }
    }
    let lever = match joint.kind {
        JointKind::Rod => parent.directors * joint.anchor_parent,
        _ => child.position - parent.position,
    };
    JointFrame {
        lever,
        columns,
        freedom,
    }
}

/// F_d(u, q) for one joint whose parent has moved already: the child's increment and new pose.
///
/// `carry` holds what the child's position lost to rounding so far (zero if nothing keeps count).
pub fn retract_joint(
    model: &Model,
    poses: &[Pose],
    increments: &mut [Increment],
    next: &mut [Pose],
    joint: &Joint,
    u: &[f64],
    carry: &Vector3<f64>,
) {
    let parent = parent_pose(joint, poses);
    let before = joint
        .parent
        .map_or(Increment::default(), |p| increments[p.index()]);
    let child = poses[joint.child.index()];
    let axis = parent.directors * joint.axis;
    let arm = child.directors * joint.anchor_child;
    // R_c − I = (R_p − I) + (X − I) + (R_p − I)(X − I)
    let turned = |x: Matrix3<f64>| before.turn + x + before.turn * x;
    let about_axis = |angle: f64| turned(exp_minus_identity(&(axis * angle)));
    let carried = |v: &Vector3<f64>| v + before.turn * v;
    let lever = child.position - parent.position;
    // Turning about the joint point carries the child's origin by −(R_c − I) arm.
    let about_joint = |turn: &Matrix3<f64>| before.shift + before.turn * (lever + arm) - turn * arm;

    let (turn, shift) = match joint.kind {
        JointKind::Free if model.is_particle(joint.child) => {
            (Matrix3::zeros(), Vector3::new(u[0], u[1], u[2]))
        }
        JointKind::Free => (
            exp_minus_identity(&Vector3::new(u[3], u[4], u[5])),
            Vector3::new(u[0], u[1], u[2]),
        ),
        JointKind::Revolute => {
            let turn = about_axis(u[0]);
            (turn, about_joint(&turn))
        }
        JointKind::Prismatic => (
            before.turn,
            about_joint(&before.turn) + carried(&axis) * u[0],
        ),
        JointKind::Cylindrical => {
            let turn = about_axis(u[1]);
            (turn, about_joint(&turn) + carried(&axis) * u[0])
        }
        JointKind::Spherical => {
            let turn = turned(exp_minus_identity(&Vector3::new(u[0], u[1], u[2])));
            (turn, about_joint(&turn))
        }
        JointKind::Planar => {
            let turn = about_axis(u[2]);
            let slide = parent.directors * (joint.across[0] * u[0] + joint.across[1] * u[1]);
            (turn, about_joint(&turn) + carried(&slide))
        }
        JointKind::Fixed => (before.turn, about_joint(&before.turn)),
        JointKind::Rod => {
            let (r, [t1, t2]) = rod(joint, poses);
            let anchor = parent.directors * joint.anchor_parent;
            let swing = exp_minus_identity(&(t1 * u[0] + t2 * u[1])) * r;
            (
                Matrix3::zeros(),
                before.shift + before.turn * anchor + swing,
            )
        }
    };
    let directors = turn * child.directors;
    increments[joint.child.index()] = Increment {
        shift,
        turn,
        directors,
    };
    let moved = orthonormal(&(child.directors + directors));
    // Where the joint fixes the position, take it from the joint: closed to round-off for ever.
    let position = match joint.kind {
        JointKind::Revolute | JointKind::Spherical => {
            let q = joint.parent.map_or(&WORLD, |p| &next[p.index()]);
            q.position + q.directors * joint.anchor_parent - moved * joint.anchor_child
        }
        _ => child.position + (shift + carry),
    };
    next[joint.child.index()] = Pose {
        position,
        directors: moved,
    };
}

/// F_d(u, q) of all joints.
pub fn retract(model: &Model, poses: &[Pose], u: &[f64]) -> Vec<Pose> {
    let mut next = poses.to_vec();
    let mut increments = vec![Increment::default(); poses.len()];
    for (j, joint) in model.joints().iter().enumerate() {
        let first = model.offsets[j];
        let own = &u[first..first + model.joint_freedom(j)];
        let none = Vector3::zeros();
        retract_joint(model, poses, &mut increments, &mut next, joint, own, &none);
    }
    next
}

/// One Newton step towards the nearest rotation: takes away the round-off of a product.
#[inline]
pub fn orthonormal(d: &Matrix3<f64>) -> Matrix3<f64> {
    let drift = d.tr_mul(d) - Matrix3::identity();
    d - d * drift * 0.5
}

/// u from the motion of the joint at q⁺: T(u)⁻¹ ν (see the module header).
pub fn increment_rate(
    model: &Model,
    poses: &[Pose],
    increments: &[Increment],
    next: &[Pose],
    joint: &Joint,
    u: &[f64],
    nu: &mut [f64],
) {
    match joint.kind {
        JointKind::Free if !model.is_particle(joint.child) => {
            let rate =
                dexp_inverse(&Vector3::new(u[3], u[4], u[5])) * Vector3::new(nu[3], nu[4], nu[5]);
            nu[3..6].copy_from_slice(rate.as_slice());
        }
        JointKind::Spherical => {
            // ω_rel⁺ = R_p dexp(u) u̇
            let w = Vector3::new(nu[0], nu[1], nu[2]);
            let back = joint.parent.map_or(w, |p| {
                let r = increments[p.index()].turn;
                w + r.tr_mul(&w)
            });
            let rate = dexp_inverse(&Vector3::new(u[0], u[1], u[2])) * back;
            nu[..3].copy_from_slice(rate.as_slice());
        }
        JointKind::Rod => {
            // B⁺ν lies across r⁺; its part along r⁺ is free: choose it so that B u̇ fits.
            let (_, [t1, t2]) = rod(joint, poses);
            let (_, [s1, s2]) = rod(joint, next);
            let d = super::so3::dexp(&(t1 * u[0] + t2 * u[1]));
            let (d1, d2) = (d * t1, d * t2);
            let m = nalgebra::Matrix2::new(s1.dot(&d1), s1.dot(&d2), s2.dot(&d1), s2.dot(&d2));
            if let Some(inverse) = m.try_inverse() {
                let rate = inverse * nalgebra::Vector2::new(nu[0], nu[1]);
                nu[..2].copy_from_slice(rate.as_slice());
            }
        }
        _ => {}
    }
}

/// The twist of a child from that of its parent and its joint velocities.
#[inline]
pub fn carry(frame: &JointFrame, parent: &Twist, nu: &[f64]) -> Twist {
    let mut t = Twist {
        v: parent.v + parent.w.cross(&frame.lever),
        w: parent.w,
    };
    for (column, rate) in frame.columns[..frame.freedom].iter().zip(nu) {
        t.v += column.v * *rate;
        t.w += column.w * *rate;
    }
    t
}

/// Sᵀ w: what a wrench about the child's origin does along the joint velocities.
#[inline]
pub fn along_joint(frame: &JointFrame, wrench: &Wrench, out: &mut [f64]) {
    for (column, value) in frame.columns[..frame.freedom].iter().zip(out) {
        *value = column.v.dot(&wrench.force) + column.w.dot(&wrench.torque);
    }
}

/// A wrench about the child's origin as the parent feels it. The child of a rod passes no torque.
#[inline]
pub fn hand_down(joint: &Joint, frame: &JointFrame, wrench: &Wrench) -> Wrench {
    let own = if joint.kind == JointKind::Rod {
        Vector3::zeros()
    } else {
        wrench.torque
    };
    Wrench {
        force: wrench.force,
        torque: own + frame.lever.cross(&wrench.force),
    }
}

/// Twists of all bodies, P(q) ν.
pub fn twists(model: &Model, poses: &[Pose], nu: &[f64]) -> Vec<Twist> {
    let mut out = vec![Twist::default(); model.bodies().len()];
    for (j, joint) in model.joints().iter().enumerate() {
        let frame = joint_frame(model, poses, joint);
        let parent = joint.parent.map_or(Twist::default(), |p| out[p.index()]);
        let first = model.offsets[j];
        out[joint.child.index()] = carry(&frame, &parent, &nu[first..first + frame.freedom]);
    }
    out
}

/// Pᵀ(q) y from the wrenches of all bodies (which are used up).
pub fn reduce(model: &Model, poses: &[Pose], wrenches: &mut [Wrench], out: &mut [f64]) {
    for j in (0..model.joints().len()).rev() {
        reduce_joint(model, j, poses, wrenches, out);
    }
}

/// Pᵀ(q) y of some joints (parents first) that nothing connects with the others.
pub fn reduce_joints(
    model: &Model,
    joints: &[usize],
    poses: &[Pose],
    wrenches: &mut [Wrench],
    out: &mut [f64],
) {
    for &j in joints.iter().rev() {
        reduce_joint(model, j, poses, wrenches, out);
    }
}

#[inline]
fn reduce_joint(model: &Model, j: usize, poses: &[Pose], wrenches: &mut [Wrench], out: &mut [f64]) {
    let joint = &model.joints()[j];
    let frame = joint_frame(model, poses, joint);
    let wrench = wrenches[joint.child.index()];
    let first = model.offsets[j];
    along_joint(&frame, &wrench, &mut out[first..first + frame.freedom]);
    if let Some(parent) = joint.parent {
        let passed = hand_down(joint, &frame, &wrench);
        let w = &mut wrenches[parent.index()];
        w.force += passed.force;
        w.torque += passed.torque;
    }
}

/// Number of redundant coordinates of a body: 12, 3 or none.
pub fn coordinate_count(kind: &BodyKind) -> usize {
    match kind {
        BodyKind::Rigid { .. } => 12,
        BodyKind::Particle { .. } => 3,
        BodyKind::Static => 0,
    }
}

/// The null-space matrix P(q) of the tree in redundant coordinates, thesis (3.11): rows are the
/// coordinates of the bodies in their order, columns the joint velocities.
pub fn null_space(model: &Model, poses: &[Pose]) -> DMatrix<f64> {
    let rows: usize = model
        .bodies()
        .iter()
        .map(|b| coordinate_count(&b.kind))
        .sum();
    let mut p = DMatrix::zeros(rows, model.tree_freedom);
    let mut nu = vec![0.0; model.tree_freedom];
    for k in 0..model.tree_freedom {
        nu[k] = 1.0;
        let twists = twists(model, poses, &nu);
        let mut row = 0;
        for (body, (twist, pose)) in model.bodies().iter().zip(twists.iter().zip(poses)) {
            match coordinate_count(&body.kind) {
                0 => continue,
                3 => p.fixed_view_mut::<3, 1>(row, k).copy_from(&twist.v),
                _ => {
                    p.fixed_view_mut::<3, 1>(row, k).copy_from(&twist.v);
                    for d in 0..3 {
                        let rate: SMatrix<f64, 3, 1> = twist.w.cross(&pose.directors.column(d));
                        p.fixed_view_mut::<3, 1>(row + 3 + 3 * d, k)
                            .copy_from(&rate);
                    }
                }
            }
            row += coordinate_count(&body.kind);
        }
        nu[k] = 0.0;
    }
    p
}

/// M q̇ of a body that moves with a twist.
pub fn momentum(kind: &BodyKind, pose: &Pose, twist: &Twist) -> Covector {
    match kind {
        BodyKind::Rigid { mass, euler_tensor } => Covector {
            force: twist.v * *mass,
            directors: super::so3::hat(&twist.w) * pose.directors * euler_tensor,
        },
        BodyKind::Particle { mass } => Covector {
            force: twist.v * *mass,
            directors: Matrix3::zeros(),
        },
        BodyKind::Static => Covector::default(),
    }
}
