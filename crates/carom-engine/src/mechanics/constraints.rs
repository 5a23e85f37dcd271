//! Constraints g(q) = 0 in redundant coordinates and their Jacobian G(q), row by row.
//!
//! All of them are products of vectors that are affine in q: points φ + Dρ and directions D n, hence
//! exact derivatives are plain: thesis (3.21), (3.25), (3.29).

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::kinematics::parent_pose;
use super::vectors::{Covector, Twist};
use crate::model::{BodyKind, Joint, JointKind, Model};

/// One constraint: its value and its gradient by the parent and the child.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// g.
    pub value: f64,
    /// ∂g/∂q of the parent (unused if the parent is the world).
    pub parent: Covector,
    /// ∂g/∂q of the child.
    pub child: Covector,
}

/// Orthonormality of the directors of a rigid body, thesis (3.21): six rows, gradients in `child`.
pub fn body_rows(pose: &Pose) -> [Row; 6] {
    let d = &pose.directors;
    let column = |i: usize| d.column(i).into_owned();
    let mut rows = [Row {
        value: 0.0,
        parent: Covector::default(),
        child: Covector::default(),
    }; 6];
    for (row, (i, j)) in rows
        .iter_mut()
        .zip([(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)])
    {
        let mut gradient = Matrix3::zeros();
        if i == j {
            row.value = 0.5 * (column(i).norm_squared() - 1.0);
            gradient.set_column(i, &column(i));
        } else {
            row.value = column(i).dot(&column(j));
            gradient.set_column(i, &column(j));
            gradient.set_column(j, &column(i));
        }
        row.child.directors = gradient;
    }
    rows
}

/// Frame of a joint in its child: the parent's vectors as the child carried them at the start.
fn in_child(joint: &Joint, v: &Vector3<f64>) -> Vector3<f64> {
    joint.relative.tr_mul(v)
}

/// ⟨D_p a, D_c b⟩ with its gradients.
fn direction_row(p: &Pose, c: &Pose, a: &Vector3<f64>, b: &Vector3<f64>) -> Row {
    let (x, y) = (p.directors * a, c.directors * b);
    Row {
        value: x.dot(&y),
        parent: Covector {
            force: Vector3::zeros(),
            directors: y * a.transpose(),
        },
        child: Covector {
            force: Vector3::zeros(),
            directors: x * b.transpose(),
        },
    }
}

/// ⟨d, D_p a⟩ for the way d between the joint points, with its gradients.
fn offset_row(joint: &Joint, p: &Pose, d: &Vector3<f64>, a: &Vector3<f64>) -> Row {
    let x = p.directors * a;
    let mut parent = Covector::at_point(-x, &joint.anchor_parent);
    parent.directors += d * a.transpose();
    Row {
        value: d.dot(&x),
        parent,
        child: Covector::at_point(x, &joint.anchor_child),
    }
}

/// Number of rows of [`joint_rows`].
pub fn row_count(kind: JointKind) -> usize {
    match kind {
        JointKind::Free => 0,
        JointKind::Rod => 1,
        JointKind::Spherical | JointKind::Planar => 3,
        JointKind::Cylindrical => 4,
        JointKind::Revolute | JointKind::Prismatic => 5,
        JointKind::Fixed => 6,
    }
}

/// Constraints of a joint in redundant coordinates; none for a free one.
pub fn joint_rows(joint: &Joint, poses: &[Pose], out: &mut Vec<Row>) {
    each_row(joint, poses, |row| out.push(row));
}

/// Largest violation of a constraint: directors, joints, loops.
pub fn violation(model: &Model, poses: &[Pose]) -> f64 {
    let mut worst: f64 = 0.0;
    for (body, pose) in model.bodies().iter().zip(poses) {
        if matches!(body.kind, BodyKind::Rigid { .. }) {
            let drift = pose.directors.tr_mul(&pose.directors);
            for k in 0..3 {
                worst = worst.max(0.5 * (drift[(k, k)] - 1.0).abs());
                worst = worst.max(drift[(k, (k + 1) % 3)].abs());
            }
        }
    }
    for joint in model.joints().iter().chain(model.closures()) {
        if joint.kind != JointKind::Free {
            each_row(joint, poses, |row| worst = worst.max(row.value.abs()));
        }
    }
    worst
}

/// A constraint of a joint, by vectors fixed in its parent and its child.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Constraint {
    /// The way from the joint point of the parent to that of the child vanishes along this axis of space.
    Meet(usize),
    /// A direction of the parent stays perpendicular to one of the child.
    Across(Vector3<f64>, Vector3<f64>),
    /// The way between the joint points has no part along a direction of the parent.
    Offset(Vector3<f64>),
    /// The way between the joint points keeps its length.
    Length(f64),
}

/// The constraints of a joint in their order; inlined, so that callers pay only for what they use.
#[inline(always)]
pub(crate) fn each_constraint(joint: &Joint, mut each: impl FnMut(Constraint)) {
    let [t1, t2] = joint.across;
    let n = joint.axis;
    let across = |a: Vector3<f64>, b: &Vector3<f64>| Constraint::Across(a, in_child(joint, b));
    let (axis_kept, orientation_kept) = match joint.kind {
        JointKind::Revolute | JointKind::Cylindrical | JointKind::Planar => (true, false),
        JointKind::Fixed | JointKind::Prismatic => (false, true),
        JointKind::Free | JointKind::Spherical | JointKind::Rod => (false, false),
    };
    match joint.kind {
        JointKind::Free => {}
        JointKind::Spherical | JointKind::Revolute | JointKind::Fixed => {
            (0..3).for_each(|k| each(Constraint::Meet(k)));
        }
        JointKind::Prismatic | JointKind::Cylindrical => {
            each(Constraint::Offset(t1));
            each(Constraint::Offset(t2));
        }
        JointKind::Planar => each(Constraint::Offset(n)),
        JointKind::Rod => each(Constraint::Length(joint.length)),
    }
    if axis_kept {
        each(across(n, &t1));
        each(across(n, &t2));
    }
    if orientation_kept {
        each(across(t1, &t2));
        each(across(t2, &n));
        each(across(n, &t1));
    }
}

/// Rows one by one; inlined, so that callers pay only for what they use.
#[inline(always)]
fn each_row(joint: &Joint, poses: &[Pose], mut each: impl FnMut(Row)) {
    let p = parent_pose(joint, poses);
    let c = &poses[joint.child.index()];
    let apart = c.point(&joint.anchor_child) - p.point(&joint.anchor_parent);
    each_constraint(joint, |constraint| {
        each(match constraint {
            Constraint::Meet(k) => {
                let e = Vector3::ith(k, 1.0);
                Row {
                    value: apart[k],
                    parent: Covector::at_point(-e, &joint.anchor_parent),
                    child: Covector::at_point(e, &joint.anchor_child),
                }
            }
            Constraint::Across(a, b) => direction_row(p, c, &a, &b),
            Constraint::Offset(a) => offset_row(joint, p, &apart, &a),
            Constraint::Length(length) => Row {
                value: 0.5 * (apart.norm_squared() - length * length),
                parent: Covector::at_point(-apart, &joint.anchor_parent),
                child: Covector::at_point(apart, &joint.anchor_child),
            },
        });
    });
}

/// Angles and displacements of a joint from its start: what joint limits bound. Empty for joints
/// without such coordinates (free, spherical, fixed, rod).
pub fn joint_coordinates(joint: &Joint, poses: &[Pose], out: &mut Vec<f64>) {
    out.clear();
    out.extend(each_coordinate(joint, poses));
}

/// The same, one by one.
pub fn each_coordinate(joint: &Joint, poses: &[Pose]) -> impl Iterator<Item = f64> + use<> {
    let p = parent_pose(joint, poses);
    let c = &poses[joint.child.index()];
    let [t1, t2] = &joint.across;
    let slide = |a: &Vector3<f64>| {
        let d = c.point(&joint.anchor_child) - p.point(&joint.anchor_parent);
        d.dot(&(p.directors * a))
    };
    let angle = || {
        let x = c.directors * in_child(joint, t1);
        let (u, v) = (p.directors * t1, p.directors * joint.axis.cross(t1));
        x.dot(&v).atan2(x.dot(&u))
    };
    let values = match joint.kind {
        JointKind::Revolute => [Some(angle()), None, None],
        JointKind::Prismatic => [Some(slide(&joint.axis)), None, None],
        JointKind::Cylindrical => [Some(slide(&joint.axis)), Some(angle()), None],
        JointKind::Planar => [slide(t1), slide(t2), angle()].map(Some),
        JointKind::Free | JointKind::Spherical | JointKind::Fixed | JointKind::Rod => [None; 3],
    };
    values.into_iter().flatten()
}

/// Rate of one coordinate of [`joint_coordinates`] when bodies move with these twists; `None` if the joint
/// has no such coordinate.
pub fn joint_coordinate_rate(
    joint: &Joint,
    coordinate: usize,
    poses: &[Pose],
    twists: &[Twist],
) -> Option<f64> {
    let row = joint_coordinate(joint, coordinate, poses)?;
    // ⟨∂g/∂q, q̇⟩ with ḋ = ω × d.
    let along = |y: &Covector, k: usize| {
        let w = y.wrench(&poses[k].directors);
        w.force.dot(&twists[k].v) + w.torque.dot(&twists[k].w)
    };
    let parent = joint.parent.map_or(0.0, |b| along(&row.parent, b.index()));
    Some(parent + along(&row.child, joint.child.index()))
}

/// One coordinate of [`joint_coordinates`] with its gradient by parent and child, exact also where
/// directors are not orthonormal; `None` if the joint has no such coordinate.
pub fn joint_coordinate(joint: &Joint, coordinate: usize, poses: &[Pose]) -> Option<Row> {
    let p = parent_pose(joint, poses);
    let c = &poses[joint.child.index()];
    let [t1, t2] = &joint.across;
    let slides: &[&Vector3<f64>] = match joint.kind {
        JointKind::Revolute => &[],
        JointKind::Prismatic | JointKind::Cylindrical => &[&joint.axis],
        JointKind::Planar => &[t1, t2],
        JointKind::Free | JointKind::Spherical | JointKind::Fixed | JointKind::Rod => return None,
    };
    if let Some(along) = slides.get(coordinate) {
        let apart = c.point(&joint.anchor_child) - p.point(&joint.anchor_parent);
        return Some(offset_row(joint, p, &apart, along));
    }
    if coordinate > slides.len() || joint.kind == JointKind::Prismatic {
        return None;
    }
    // θ = atan2(s, r) with s = ⟨D_p (n × t₁), x⟩, r = ⟨D_p t₁, x⟩: dθ = (r ds − s dr)/(r² + s²).
    let x = in_child(joint, t1);
    let s = direction_row(p, c, &joint.axis.cross(t1), &x);
    let r = direction_row(p, c, t1, &x);
    let square = (s.value * s.value + r.value * r.value).max(f64::MIN_POSITIVE);
    let blend = |ds: &Covector, dr: &Covector| {
        let mut y = Covector::default();
        y.add(ds, r.value / square);
        y.add(dr, -s.value / square);
        y
    };
    Some(Row {
        value: s.value.atan2(r.value),
        parent: blend(&s.parent, &r.parent),
        child: blend(&s.child, &r.child),
    })
}
