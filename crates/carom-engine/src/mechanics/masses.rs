//! Mass and drag in redundant coordinates: M = blkdiag(m I, E ⊗ I) (thesis (3.23)), C = blkdiag(c I, ½ c_ω I),
//! linear maps of changes (δφ, δD), velocities and differences alike.

use carom_gap::Pose;
use nalgebra::{DMatrix, Matrix3, Vector3};

use super::kinematics::coordinate_starts;
use super::so3::hat;
use super::vectors::{Covector, Twist};
use crate::model::{BodyKind, Drag, Model};

/// M Δ of one body.
#[inline]
pub fn mass_times(kind: &BodyKind, shift: &Vector3<f64>, directors: &Matrix3<f64>) -> Covector {
    match kind {
        BodyKind::Rigid { mass, euler_tensor } => Covector {
            force: shift * *mass,
            directors: directors * euler_tensor,
        },
        BodyKind::Particle { mass } => Covector {
            force: shift * *mass,
            directors: Matrix3::zeros(),
        },
        BodyKind::Static => Covector::default(),
    }
}

/// C Δ of drag on a body.
#[inline]
pub fn drag_times(drag: &Drag, shift: &Vector3<f64>, directors: &Matrix3<f64>) -> Covector {
    Covector {
        force: shift * drag.linear,
        directors: directors * (0.5 * drag.angular),
    }
}

/// M q̇ of a body that moves with a twist.
pub fn momentum(kind: &BodyKind, pose: &Pose, twist: &Twist) -> Covector {
    mass_times(kind, &twist.v, &(hat(&twist.w) * pose.directors))
}

/// Mass matrix of all bodies.
pub fn mass_matrix(model: &Model) -> DMatrix<f64> {
    let starts = coordinate_starts(model);
    let n = starts[model.bodies().len()];
    let mut m = DMatrix::zeros(n, n);
    for (body, &at) in model.bodies().iter().zip(&starts) {
        if body.kind == BodyKind::Static {
            continue;
        }
        for k in 0..3 {
            m[(at + k, at + k)] = body.mass();
        }
        if let BodyKind::Rigid { euler_tensor, .. } = &body.kind {
            for i in 0..3 {
                for j in 0..3 {
                    for k in 0..3 {
                        m[(at + 3 + 3 * i + k, at + 3 + 3 * j + k)] = euler_tensor[(i, j)];
                    }
                }
            }
        }
    }
    m
}
