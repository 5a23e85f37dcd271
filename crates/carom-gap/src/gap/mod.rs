//! The SSH linear program.
mod simplex;

use nalgebra::Vector3;

use crate::{Pose, Vertices};
pub use simplex::Basis;
use simplex::{Kind, Query};

/// A convex body at a pose.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    pub vertices: &'a Vertices,
    pub pose: &'a Pose,
}

/// Outcome.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    pub bounded: bool,
    pub gap: f64,
    pub beta: Vector3<f64>,
    pub alpha: Vector3<f64>,
    pub weights: [f64; 4],
    pub basis: Basis,
    pub point_a: Vector3<f64>,
    pub point_b: Vector3<f64>,
    pub pivots: u32,
    pub supports: u32,
}

#[inline]
pub fn gap(a: Posed, b: Posed, beta: Vector3<f64>, warm: &mut Option<Basis>) -> Gap {
    let query = Query::new((a.vertices, a.pose), (b.vertices, b.pose), beta);
    let s = query.solve(warm.as_ref());
    *warm = Some(s.basis);
    let mut pa = s.base[0] * s.weights[0];
    let mut pb = s.base[1] * s.weights[1];
    for k in 0..2 {
        match s.basis.kind[k] {
            Kind::A => pa += s.extra[k] * s.weights[2 + k],
            Kind::B => pb += s.extra[k] * s.weights[2 + k],
            Kind::Free => {}
        }
    }
    Gap {
        bounded: s.bounded,
        gap: s.gap,
        beta,
        alpha: s.alpha,
        weights: s.weights,
        basis: s.basis,
        point_a: pa + b.pose.position,
        point_b: pb + b.pose.position,
        pivots: s.pivots,
        supports: query.supports.get(),
    }
}
