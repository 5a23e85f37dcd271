//! Support functions of cores in the axes of the inertial frame, relative to the body's origin; their
//! derivatives; the directions where they have kinks.

use super::Core;
use crate::{Pose, Vertices};
use nalgebra::{Matrix3, Vector3};
use std::cell::Cell;

/// Edges of a hull that are looked at around one direction.
const MOST_CURVES: usize = 10;

/// A core in inertial axes, its body's origin at zero.
pub(super) enum Side<'a> {
    Hull {
        vertices: &'a Vertices,
        directors: Matrix3<f64>,
        /// Where the last support was: the next is near.
        last: Cell<usize>,
    },
    Disc {
        center: Vector3<f64>,
        axis: Vector3<f64>,
        radius: f64,
    },
    Cylinder {
        center: Vector3<f64>,
        axis: Vector3<f64>,
        radius: f64,
        half: f64,
    },
    Cone {
        base: Vector3<f64>,
        axis: Vector3<f64>,
        radius: f64,
        height: f64,
    },
    Ellipsoid {
        center: Vector3<f64>,
        /// A Aᵀ of the semi-axes A.
        square: Matrix3<f64>,
    },
}

/// Directions d with ⟨d, u⟩ = c on which a support function has a kink: an edge is the support.
pub(super) type Curve = (Vector3<f64>, f64);

impl<'a> Side<'a> {
    pub fn of_vertices(vertices: &'a Vertices, pose: &Pose) -> Self {
        Side::Hull {
            vertices,
            directors: pose.directors,
            last: Cell::new(0),
        }
    }

    pub fn of_core(core: &'a Core, pose: &Pose) -> Self {
        let turn = |x: &Vector3<f64>| pose.vector(x);
        // Directors of an integrator need not be quite orthonormal.
        let unit = |x: &Vector3<f64>| pose.vector(x).normalize();
        match core {
            Core::Hull(v) => Self::of_vertices(v, pose),
            Core::Disc {
                center,
                axis,
                radius,
            } => Side::Disc {
                center: turn(center),
                axis: unit(axis),
                radius: *radius,
            },
            Core::Cylinder {
                center,
                axis,
                radius,
                half,
            } => Side::Cylinder {
                center: turn(center),
                axis: unit(axis),
                radius: *radius,
                half: *half,
            },
            Core::Cone {
                base,
                axis,
                radius,
                height,
            } => Side::Cone {
                base: turn(base),
                axis: unit(axis),
                radius: *radius,
                height: *height,
            },
            Core::Ellipsoid { center, axes } => {
                let a = pose.directors * axes;
                Side::Ellipsoid {
                    center: turn(center),
                    square: a * a.transpose(),
                }
            }
        }
    }

    /// The point furthest along `d`.
    #[inline]
    pub fn support(&self, d: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Side::Hull {
                vertices,
                directors,
                last,
            } => {
                let (i, _) = vertices.support(&directors.tr_mul(d), last.get());
                last.set(i);
                directors * vertices.points()[i]
            }
            Side::Disc {
                center,
                axis,
                radius,
            } => center + rim(axis, d, *radius),
            Side::Cylinder {
                center,
                axis,
                radius,
                half,
            } => {
                let end = half.copysign(axis.dot(d));
                center + axis * end + rim(axis, d, *radius)
            }
            Side::Cone {
                base,
                axis,
                radius,
                height,
            } => {
                let out = rim(axis, d, *radius);
                if axis.dot(d) * height > out.dot(d) {
                    base + axis * *height
                } else {
                    base + out
                }
            }
            Side::Ellipsoid { center, square } => {
                let m = square * d;
                let w = m.dot(d).sqrt();
                if w > 0.0 { center + m / w } else { *center }
            }
        }
    }

    /// ∂(support)/∂d at a unit vector: symmetric, positive semidefinite, zero along d.
    pub fn jacobian(&self, d: &Vector3<f64>) -> Matrix3<f64> {
        let circle = |axis: &Vector3<f64>, radius: f64| {
            let p = d - axis * axis.dot(d);
            let length = p.norm();
            if length < 1e-9 {
                return Matrix3::zeros();
            }
            let t = axis.cross(&(p / length));
            t * t.transpose() * (radius / length)
        };
        match self {
            Side::Hull { .. } => Matrix3::zeros(),
            Side::Disc { axis, radius, .. } | Side::Cylinder { axis, radius, .. } => {
                circle(axis, *radius)
            }
            Side::Cone {
                axis,
                radius,
                height,
                ..
            } => {
                if axis.dot(d) * height > rim(axis, d, *radius).dot(d) {
                    Matrix3::zeros()
                } else {
                    circle(axis, *radius)
                }
            }
            Side::Ellipsoid { square, .. } => {
                let m = square * d;
                let w = m.dot(d).sqrt();
                square / w - m * m.transpose() / (w * w * w)
            }
        }
    }

    /// Kinks within `near` of a unit vector: curves, and single directions (flat ends).
    pub fn kinks(
        &self,
        d: &Vector3<f64>,
        near: f64,
        curves: &mut Vec<Curve>,
        points: &mut Vec<Vector3<f64>>,
    ) {
        let mut end = |axis: Vector3<f64>| {
            if (d - axis).norm() <= near {
                points.push(axis);
            }
        };
        match self {
            Side::Hull { .. } => self.edges(d, near, curves),
            Side::Disc { axis, .. } => {
                end(*axis);
                end(-axis);
            }
            Side::Cylinder { axis, .. } => {
                end(*axis);
                end(-axis);
                if d.dot(axis).abs() <= near {
                    curves.push((*axis, 0.0));
                }
            }
            Side::Cone {
                axis,
                radius,
                height,
                ..
            } => {
                end(-axis);
                let c = radius / radius.hypot(*height);
                if (d.dot(axis) - c).abs() <= near {
                    curves.push((*axis, c));
                }
            }
            Side::Ellipsoid { .. } => {}
        }
    }

    /// Edges of a hull between vertices that are nearly furthest along `d`.
    fn edges(&self, d: &Vector3<f64>, near: f64, curves: &mut Vec<Curve>) {
        let Side::Hull {
            vertices,
            directors,
            ..
        } = self
        else {
            return;
        };
        let points = vertices.points();
        if points.len() < 2 {
            return;
        }
        let local = directors.tr_mul(d);
        let (top, height) = vertices.support(&local, 0);
        let allowed = height - 2.0 * near * vertices.radius();
        let high = |i: usize| points[i].dot(&local) >= allowed;
        let from = curves.len();
        let mut add = |i: usize, j: usize| {
            let e = points[j] - points[i];
            let length = e.norm();
            if length > 0.0 && curves.len() < from + MOST_CURVES {
                let e = e / length;
                if e.dot(&local).abs() <= near {
                    curves.push((directors * e, 0.0));
                }
            }
        };
        if vertices.neighbours(top).is_empty() {
            for j in (0..points.len()).filter(|&j| j != top && high(j)) {
                add(top, j);
            }
            return;
        }
        // Over the edges of vertices that are high, from the highest.
        let mut seen = vec![top];
        let mut at = 0;
        while at < seen.len() && seen.len() <= 2 * MOST_CURVES {
            let i = seen[at];
            at += 1;
            for &j in vertices.neighbours(i) {
                let j = j as usize;
                if !high(j) {
                    continue;
                }
                if let Some(k) = seen.iter().position(|s| *s == j) {
                    if k < at {
                        continue;
                    }
                } else {
                    seen.push(j);
                }
                add(i, j);
            }
        }
    }
}

/// The point of a circle about the origin furthest along `d`.
#[inline]
fn rim(axis: &Vector3<f64>, d: &Vector3<f64>, radius: f64) -> Vector3<f64> {
    // Twice: what is left along the axis after the first is round-off of a large part.
    let p = d - axis * axis.dot(d);
    let p = p - axis * axis.dot(&p);
    let length = p.norm();
    if length > 1e-300 {
        p * (radius / length)
    } else {
        let other = Vector3::ith(axis.iamin(), 1.0);
        axis.cross(&other).normalize() * radius
    }
}
