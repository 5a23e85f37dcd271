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
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::numbers::{
    Real, along, apply, apply_fixed, apply_to, matrix, product, product_to, times, vector,
};
use super::so3::{dexp_inverse, exp_minus_identity};
use super::vectors::{Twist, Wrench};
use crate::model::{BodyKind, Joint, JointKind, Model};

/// Where a body is, in numbers of any kind.
pub trait Place<T> {
    /// Its origin.
    fn position(&self) -> &Vector3<T>;
    /// Its directors.
    fn directors(&self) -> &Matrix3<T>;
}

impl Place<f64> for Pose {
    #[inline]
    fn position(&self) -> &Vector3<f64> {
        &self.position
    }
    #[inline]
    fn directors(&self) -> &Matrix3<f64> {
        &self.directors
    }
}

/// What a joint lets its child do, at a configuration.
#[derive(Clone, Copy, Debug)]
pub struct JointFrame<T = f64> {
    /// Arm from the parent's origin with which its rotation carries the child.
    pub lever: Vector3<T>,
    /// Twists of the child per unit of each joint velocity.
    pub columns: [Twist<T>; 6],
    /// Number of columns.
    pub freedom: usize,
}

/// A finite motion of a body: q⁺ − q formed from the increments, not from positions.
#[derive(Clone, Copy, Debug)]
pub struct Increment<T = f64> {
    /// Δφ.
    pub shift: Vector3<T>,
    /// R − I with D⁺ = R D.
    pub turn: Matrix3<T>,
    /// ΔD = (R − I) D.
    pub directors: Matrix3<T>,
}

impl Default for Increment {
    fn default() -> Self {
        Self::none()
    }
}

impl<T: Real> Increment<T> {
    /// No motion.
    #[inline]
    pub fn none() -> Self {
        let zero = matrix(&Matrix3::zeros());
        Self {
            shift: vector(&Vector3::zeros()),
            turn: zero,
            directors: zero,
        }
    }
}

/// The pose of the world.
pub(crate) const WORLD: Pose = Pose {
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
fn across<T: Real>(r: &Vector3<T>) -> [Vector3<T>; 2] {
    // Branchless frame (Duff et al. 2017), smooth but at r = −e_z.
    let one = T::of(1.0);
    let sign = 1.0_f64.copysign(r.z.value());
    let a = -one / (T::of(sign) + r.z);
    let b = r.x * r.y * a;
    let tilt = r.x.scale(sign);
    [
        Vector3::new(one + tilt * r.x * a, b.scale(sign), -tilt),
        Vector3::new(b, T::of(sign) + r.y * r.y * a, -r.y),
    ]
}

/// Vector of a rod and the unit vectors across it.
#[inline]
fn rod<T: Real, P: Place<T>>(
    joint: &Joint,
    parent: &P,
    child: &P,
) -> (Vector3<T>, [Vector3<T>; 2]) {
    let anchor = parent.position() + apply_to(parent.directors(), &joint.anchor_parent);
    let r = child.position() - anchor;
    (r, across(&r.map(|x| x.over(joint.length))))
}

/// Columns of P that belong to a joint.
#[inline]
pub fn joint_frame(model: &Model, poses: &[Pose], joint: &Joint) -> JointFrame {
    let parent = parent_pose(joint, poses);
    joint_frame_at(model, joint, parent, &poses[joint.child.index()])
}

/// The same for two places in numbers of any kind.
#[inline]
pub fn joint_frame_at<T: Real, P: Place<T>>(
    model: &Model,
    joint: &Joint,
    parent: &P,
    child: &P,
) -> JointFrame<T> {
    let zero = vector(&Vector3::zeros());
    let mut columns = [Twist { v: zero, w: zero }; 6];
    let mut freedom = 0;
    let mut push = |v: Vector3<T>, w: Vector3<T>| {
        columns[freedom] = Twist { v, w };
        freedom += 1;
    };
    let units = || [Vector3::x(), Vector3::y(), Vector3::z()].map(|e| vector(&e));
    let arm = || apply_to(child.directors(), &joint.anchor_child);
    let axis = || apply_to(parent.directors(), &joint.axis);
    match joint.kind {
        JointKind::Free => {
            units().iter().for_each(|e| push(*e, zero));
            if !model.is_particle(joint.child) {
                units().iter().for_each(|e| push(zero, *e));
            }
        }
        // ω × (−arm) = arm × ω, as in thesis (3.33).
        JointKind::Revolute => {
            let axis = axis();
            push(arm().cross(&axis), axis);
        }
        JointKind::Prismatic => push(axis(), zero),
        JointKind::Cylindrical => {
            let axis = axis();
            push(axis, zero);
            push(arm().cross(&axis), axis);
        }
        JointKind::Spherical => {
            let arm = arm();
            units().iter().for_each(|e| push(arm.cross(e), *e));
        }
        JointKind::Planar => {
            let axis = axis();
            joint
                .across
                .iter()
                .for_each(|t| push(apply_to(parent.directors(), t), zero));
            push(arm().cross(&axis), axis);
        }
        JointKind::Fixed => {}
        JointKind::Rod => {
            let (r, ts) = rod(joint, parent, child);
            ts.iter().for_each(|t| push(t.cross(&r), zero));
        }
    }
    let lever = match joint.kind {
        JointKind::Rod => apply_to(parent.directors(), &joint.anchor_parent),
        _ => child.position() - parent.position(),
    };
    JointFrame {
        lever,
        columns,
        freedom,
    }
}

/// How far a child moves by its joint's u, where its parent has moved `before`: F_d(u, q) − q.
#[inline]
pub fn joint_increment<T: Real>(
    model: &Model,
    joint: &Joint,
    parent: &Pose,
    child: &Pose,
    before: Option<&Increment<T>>,
    u: &[T],
) -> Increment<T> {
    let axis = parent.directors * joint.axis;
    let arm = child.directors * joint.anchor_child;
    let three = |k: usize| Vector3::new(u[k], u[k + 1], u[k + 2]);
    // R_c − I = (R_p − I) + (X − I) + (R_p − I)(X − I)
    let turned = |x: Matrix3<T>| match before {
        Some(b) => b.turn + x + product(&b.turn, &x),
        None => x,
    };
    let about_axis = |angle: T| turned(exp_minus_identity(&along(&axis, angle)));
    let lever = child.position - parent.position;
    // Turning about the joint point carries the child's origin by −(R_c − I) arm.
    let carried = |v: &Vector3<f64>| match before {
        Some(b) => b.shift + apply_to(&b.turn, v),
        None => vector(&Vector3::zeros()),
    };
    let about_joint = |turn: &Matrix3<T>| carried(&(lever + arm)) - apply_to(turn, &arm);
    let turned_vector = |v: Vector3<T>| match before {
        Some(b) => v + apply(&b.turn, &v),
        None => v,
    };
    let slide = |s: T| times(&turned_vector(vector(&axis)), s);
    let same = || before.map_or(matrix(&Matrix3::zeros()), |b| b.turn);

    let (turn, shift) = match joint.kind {
        JointKind::Free if model.is_particle(joint.child) => (matrix(&Matrix3::zeros()), three(0)),
        JointKind::Free => (exp_minus_identity(&three(3)), three(0)),
        JointKind::Revolute => {
            let turn = about_axis(u[0]);
            (turn, about_joint(&turn))
        }
        JointKind::Prismatic => {
            let turn = same();
            (turn, about_joint(&turn) + slide(u[0]))
        }
        JointKind::Cylindrical => {
            let turn = about_axis(u[1]);
            (turn, about_joint(&turn) + slide(u[0]))
        }
        JointKind::Spherical => {
            let turn = turned(exp_minus_identity(&three(0)));
            (turn, about_joint(&turn))
        }
        JointKind::Planar => {
            let turn = about_axis(u[2]);
            let [a, b] = joint.across;
            let slide = apply_fixed(&parent.directors, &(along(&a, u[0]) + along(&b, u[1])));
            (turn, about_joint(&turn) + turned_vector(slide))
        }
        JointKind::Fixed => {
            let turn = same();
            (turn, about_joint(&turn))
        }
        JointKind::Rod => {
            let (r, [t1, t2]) = rod(joint, parent, child);
            let anchor = parent.directors * joint.anchor_parent;
            let lean = along(&t1, u[0]) + along(&t2, u[1]);
            let swing = apply_to(&exp_minus_identity(&lean), &r);
            (matrix(&Matrix3::zeros()), carried(&anchor) + swing)
        }
    };
    Increment {
        shift,
        turn,
        directors: product_to(&turn, &child.directors),
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
    let before = joint.parent.map(|p| increments[p.index()]);
    let child = poses[joint.child.index()];
    let parent = parent_pose(joint, poses);
    let moved = joint_increment(model, joint, parent, &child, before.as_ref(), u);
    increments[joint.child.index()] = moved;
    let directors = orthonormal(&(child.directors + moved.directors));
    // Where the joint fixes the position, take it from the joint: closed to round-off for ever.
    let position = match joint.kind {
        JointKind::Revolute | JointKind::Spherical => {
            let q = joint.parent.map_or(&WORLD, |p| &next[p.index()]);
            q.position + q.directors * joint.anchor_parent - directors * joint.anchor_child
        }
        _ => child.position + (moved.shift + carry),
    };
    next[joint.child.index()] = Pose {
        position,
        directors,
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
            let across = |poses: &[Pose]| {
                rod(
                    joint,
                    parent_pose(joint, poses),
                    &poses[joint.child.index()],
                )
                .1
            };
            let ([t1, t2], [s1, s2]) = (across(poses), across(next));
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
pub fn carry<T: Real>(frame: &JointFrame<T>, parent: &Twist<T>, nu: &[f64]) -> Twist<T> {
    let mut t = Twist {
        v: parent.v + parent.w.cross(&frame.lever),
        w: parent.w,
    };
    for (column, rate) in frame.columns[..frame.freedom].iter().zip(nu) {
        t.v += column.v.map(|x| x.scale(*rate));
        t.w += column.w.map(|x| x.scale(*rate));
    }
    t
}

/// What a body and its directors do as it moves with a twist: (φ̇, ω × d₁, ω × d₂, ω × d₃).
#[inline]
pub fn rates<T: Real>(twist: &Twist<T>, directors: &Matrix3<T>) -> [Vector3<T>; 4] {
    let turned = |i: usize| twist.w.cross(&directors.column(i));
    [twist.v, turned(0), turned(1), turned(2)]
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

/// First redundant coordinate of every body (static bodies have none), and at the end the number of all.
pub fn coordinate_starts(model: &Model) -> Vec<usize> {
    let mut out = vec![0];
    for body in model.bodies() {
        out.push(out[out.len() - 1] + coordinate_count(&body.kind));
    }
    out
}

/// The null-space matrix P(q) of the tree in redundant coordinates, thesis (3.11): rows are the
/// coordinates of the bodies in their order, columns the joint velocities.
pub fn null_space(model: &Model, poses: &[Pose]) -> DMatrix<f64> {
    let rows = coordinate_starts(model)[model.bodies().len()];
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
                    for (d, rate) in rates(twist, &pose.directors).iter().enumerate() {
                        p.fixed_view_mut::<3, 1>(row + 3 * d, k).copy_from(rate);
                    }
                }
            }
            row += coordinate_count(&body.kind);
        }
        nu[k] = 0.0;
    }
    p
}
