//! Support functions of cores in the axes of the inertial frame, relative to the body's origin; their
//! derivatives; the directions where they have kinks.

use super::Core;
use crate::{Few, Pose, Vertices};
use nalgebra::{Matrix3, Vector3};
use smallvec::smallvec;
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
        /// The semi-axes A, and A Aᵀ.
        directors: Matrix3<f64>,
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
                    directors: a,
                    square: a * a.transpose(),
                }
            }
        }
    }

    /// Unit vectors along which it is likely to be thin or flat; one where it is round about it.
    pub fn axes(&self) -> [Option<Vector3<f64>>; 3] {
        match self {
            Side::Hull { directors, .. } | Side::Ellipsoid { directors, .. } => {
                [0, 1, 2].map(|k| directors.column(k).into_owned().try_normalize(0.0))
            }
            Side::Disc { axis, .. } | Side::Cylinder { axis, .. } | Side::Cone { axis, .. } => {
                [Some(*axis), None, None]
            }
        }
    }

    /// The point furthest along `d`.
    #[inline(always)]
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
            Side::Ellipsoid { center, square, .. } => {
                let m = square * d;
                let w = m.dot(d).sqrt();
                if w > 0.0 { center + m / w } else { *center }
            }
        }
    }

    /// The support of a unit vector d, and ⟨s, J s⟩, ⟨s, J t⟩, ⟨t, J t⟩ of J = ∂(support)/∂d for two
    /// vectors across d: J is symmetric, positive semidefinite, zero along d.
    #[inline]
    pub fn bent(&self, d: &Vector3<f64>, [s, t]: [&Vector3<f64>; 2]) -> (Vector3<f64>, [f64; 3]) {
        let flat = [0.0; 3];
        // On a circle, J = (r/|p|) e eᵀ with p = d across the axis and e = axis × p/|p|.
        let circle = |axis: &Vector3<f64>, out: &Vector3<f64>, radius: f64| {
            let along = out.dot(d);
            if along < 1e-9 * radius {
                return flat;
            }
            let e = axis.cross(out);
            let (x, y, by) = (e.dot(s), e.dot(t), 1.0 / along);
            [x * x * by, x * y * by, y * y * by]
        };
        match self {
            Side::Hull { .. } => (self.support(d), flat),
            Side::Disc {
                center,
                axis,
                radius,
            } => {
                let out = rim(axis, d, *radius);
                (center + out, circle(axis, &out, *radius))
            }
            Side::Cylinder {
                center,
                axis,
                radius,
                half,
            } => {
                let out = rim(axis, d, *radius);
                let end = center + axis * half.copysign(axis.dot(d));
                (end + out, circle(axis, &out, *radius))
            }
            Side::Cone {
                base,
                axis,
                radius,
                height,
            } => {
                let out = rim(axis, d, *radius);
                if axis.dot(d) * height > out.dot(d) {
                    (base + axis * *height, flat)
                } else {
                    (base + out, circle(axis, &out, *radius))
                }
            }
            Side::Ellipsoid { center, square, .. } => {
                // J = S/w − (S d)(S d)ᵀ/w³ with w² = ⟨d, S d⟩.
                let m = square * d;
                let w = m.dot(d).sqrt();
                if w == 0.0 {
                    return (*center, flat);
                }
                let (x, y) = (m.dot(s) / w, m.dot(t) / w);
                let (us, ut) = (square * s, square * t);
                let j = [us.dot(s) - x * x, us.dot(t) - x * y, ut.dot(t) - y * y];
                (center + m / w, j.map(|j| j / w))
            }
        }
    }

    /// Kinks within `near` of a unit vector: curves, and single directions (flat ends).
    pub fn kinks(
        &self,
        d: &Vector3<f64>,
        near: f64,
        curves: &mut Few<Curve>,
        points: &mut Few<Vector3<f64>>,
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
    fn edges(&self, d: &Vector3<f64>, near: f64, curves: &mut Few<Curve>) {
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
        let mut seen: Few<usize> = smallvec![top];
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
    let along = axis.dot(d);
    let mut p = d - axis * along;
    let mut length = p.norm();
    // What is left along the axis is round-off of a large part: once more.
    if length < along.abs() {
        p -= axis * axis.dot(&p);
        length = p.norm();
    }
    if length > 1e-300 {
        p * (radius / length)
    } else {
        let other = Vector3::ith(axis.iamin(), 1.0);
        axis.cross(&other).normalize() * radius
    }
}
