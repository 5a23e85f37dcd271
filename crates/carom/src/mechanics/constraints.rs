//! Constraints g(q) = 0 in redundant coordinates and their Jacobian G(q), row by row.
//!
//! All of them are products of vectors that are affine in q: points φ + Dρ and directions D n, hence
//! exact derivatives are plain: thesis (3.21), (3.25), (3.29).

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::kinematics::parent_pose;
use super::vectors::Covector;
use crate::model::{Joint, JointKind};

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

/// ⟨x_c − x_p, D_p a⟩ for the joint points x, with its gradients.
fn offset_row(joint: &Joint, p: &Pose, c: &Pose, a: &Vector3<f64>) -> Row {
    let d = c.point(&joint.anchor_child) - p.point(&joint.anchor_parent);
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
    let p = parent_pose(joint, poses);
    let c = &poses[joint.child.index()];
    let [t1, t2] = &joint.across;
    let n = &joint.axis;
    let axis_kept = |out: &mut Vec<Row>| {
        out.push(direction_row(p, c, n, &in_child(joint, t1)));
        out.push(direction_row(p, c, n, &in_child(joint, t2)));
    };
    let orientation_kept = |out: &mut Vec<Row>| {
        out.push(direction_row(p, c, t1, &in_child(joint, t2)));
        out.push(direction_row(p, c, t2, &in_child(joint, n)));
        out.push(direction_row(p, c, n, &in_child(joint, t1)));
    };
    let points_meet = |out: &mut Vec<Row>| {
        let d = c.point(&joint.anchor_child) - p.point(&joint.anchor_parent);
        for k in 0..3 {
            let mut e = Vector3::zeros();
            e[k] = 1.0;
            out.push(Row {
                value: d[k],
                parent: Covector::at_point(-e, &joint.anchor_parent),
                child: Covector::at_point(e, &joint.anchor_child),
            });
        }
    };
    match joint.kind {
        JointKind::Free => {}
        JointKind::Spherical => points_meet(out),
        JointKind::Revolute => {
            points_meet(out);
            axis_kept(out);
        }
        JointKind::Fixed => {
            points_meet(out);
            orientation_kept(out);
        }
        JointKind::Prismatic => {
            out.push(offset_row(joint, p, c, t1));
            out.push(offset_row(joint, p, c, t2));
            orientation_kept(out);
        }
        JointKind::Cylindrical => {
            out.push(offset_row(joint, p, c, t1));
            out.push(offset_row(joint, p, c, t2));
            axis_kept(out);
        }
        JointKind::Planar => {
            out.push(offset_row(joint, p, c, n));
            axis_kept(out);
        }
        JointKind::Rod => {
            let r = c.point(&joint.anchor_child) - p.point(&joint.anchor_parent);
            out.push(Row {
                value: 0.5 * (r.norm_squared() - joint.length * joint.length),
                parent: Covector::at_point(-r, &joint.anchor_parent),
                child: Covector::at_point(r, &joint.anchor_child),
            });
        }
    }
}

/// Angles and displacements of a joint from its start: what joint limits bound. Empty for joints
/// without such coordinates (free, spherical, fixed, rod).
pub fn joint_coordinates(joint: &Joint, poses: &[Pose], out: &mut Vec<f64>) {
    out.clear();
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
    match joint.kind {
        JointKind::Revolute => out.push(angle()),
        JointKind::Prismatic => out.push(slide(&joint.axis)),
        JointKind::Cylindrical => out.extend([slide(&joint.axis), angle()]),
        JointKind::Planar => out.extend([slide(t1), slide(t2), angle()]),
        JointKind::Free | JointKind::Spherical | JointKind::Fixed | JointKind::Rod => {}
    }
}
