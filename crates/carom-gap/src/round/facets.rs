//! Facets of round bodies: a polytope inside with its vertices on the surface, to draw them by.

use super::{Core, Round};
use crate::Pose;
use crate::geometry::{GeometryError, Polytope};
use nalgebra::Vector3;
use std::f64::consts::TAU;

impl Round {
    /// A polytope whose vertices lie on the surface, with `fineness` facets along a quarter turn.
    /// Discs without thickness get a little of it.
    pub fn facets(&self, fineness: usize) -> Result<Polytope, GeometryError> {
        crate::geometry::in_range("fineness", fineness, 1, 64)?;
        let mut points = Vec::new();
        let circle = |center: Vector3<f64>, axis: &Vector3<f64>, radius: f64| {
            let x = axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize();
            let y = axis.cross(&x);
            let count = 4 * fineness.max(3);
            (0..count).map(move |k| {
                let (sin, cos) = (TAU * k as f64 / count as f64).sin_cos();
                center + (x * cos + y * sin) * radius
            })
        };
        match &self.core {
            Core::Hull(v) => points.extend(v.points()),
            Core::Disc {
                center,
                axis,
                radius,
            } if self.radius == 0.0 => {
                for z in [-1e-3, 1e-3] {
                    points.extend(circle(center + axis * (z * radius), axis, *radius));
                }
            }
            Core::Disc {
                center,
                axis,
                radius,
            } => points.extend(circle(*center, axis, *radius)),
            Core::Cylinder {
                center,
                axis,
                radius,
                half,
            } => {
                for z in [-half, *half] {
                    points.extend(circle(center + axis * z, axis, *radius));
                }
            }
            Core::Cone {
                base,
                axis,
                radius,
                height,
            } => {
                points.extend(circle(*base, axis, *radius));
                points.push(base + axis * *height);
            }
            Core::Ellipsoid { center, axes } => {
                let unit = directions(fineness);
                points.extend(unit.iter().map(|d| center + axes * d));
            }
        }
        if self.radius > 0.0 {
            // Points of the ball at every corner, where they are on the surface.
            let pose = Pose::identity();
            let side = super::support::Side::of_core(&self.core, &pose);
            let corners = std::mem::take(&mut points);
            let size = self.reach();
            for d in directions(fineness) {
                let top = side.support(&d).dot(&d);
                let high = |x: &&Vector3<f64>| x.dot(&d) >= top - 1e-3 * size;
                points.extend(corners.iter().filter(high).map(|x| x + d * self.radius));
            }
        }
        Polytope::hull(&points)
    }
}

/// Unit vectors: the corners of an octahedron whose edges are divided, moved out to the sphere.
pub(crate) fn directions(divisions: usize) -> Vec<Vector3<f64>> {
    let n = divisions as i32;
    let mut out = Vec::new();
    for x in -n..=n {
        for y in -(n - x.abs())..=(n - x.abs()) {
            let z = n - x.abs() - y.abs();
            let p = Vector3::new(f64::from(x), f64::from(y), f64::from(z)).normalize();
            out.push(p);
            if z > 0 {
                out.push(Vector3::new(p.x, p.y, -p.z));
            }
        }
    }
    out
}
