//! Mass properties of round bodies, for unit density.
//!
//! Solids of revolution are integrated along their profile, whose pieces are straight or arcs: ten
//! digits more than needed with Gauss's rule on each. A rounded hull is its hull, a prism on every
//! face, a wedge of a cylinder along every edge and a part of a ball at every vertex.

#![allow(non_snake_case)]

use super::{Core, Round};
use crate::geometry::{GeometryError, MassProperties, Polytope};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

impl Round {
    /// Mass properties for unit density; of flat discs per area. Rounded ellipsoids have none here.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        let r = self.radius;
        match &self.core {
            Core::Hull(v) => match v.points() {
                [center] => {
                    let volume = 4.0 / 3.0 * PI * r.powi(3);
                    let E = Matrix3::identity() * (volume * r * r / 5.0);
                    Some(MassProperties::from_euler_tensor(
                        volume, volume, *center, E,
                    ))
                }
                [p, q] => {
                    let half = 0.5 * (q - p).norm();
                    let lower = [[-half - r, 0.0], [-half, r]];
                    let upper = [[half, r], [half + r, 0.0]];
                    let profile = [
                        Piece::Arc(-half, 0.0, r, -PI / 2.0, 0.0),
                        Piece::Line(lower[1], upper[0]),
                        Piece::Arc(half, 0.0, r, 0.0, PI / 2.0),
                    ];
                    Some(revolved(&profile, &((p + q) * 0.5), &(q - p).normalize()))
                }
                points => rounded_hull(&Polytope::hull(points).ok()?, r).ok(),
            },
            Core::Disc {
                center,
                axis,
                radius,
            } if r == 0.0 => {
                let area = PI * radius * radius;
                let across = Matrix3::identity() - axis * axis.transpose();
                let E = across * (area * radius * radius / 4.0);
                Some(MassProperties::from_euler_tensor(area, area, *center, E))
            }
            Core::Disc {
                center,
                axis,
                radius,
            } => {
                let profile = [Piece::Arc(0.0, *radius, r, -PI / 2.0, PI / 2.0)];
                Some(revolved(&profile, center, axis))
            }
            Core::Cylinder {
                center,
                axis,
                radius,
                half,
            } => {
                let (low, high) = (-half, *half);
                let mut profile = vec![Piece::Line([low, radius + r], [high, radius + r])];
                if r > 0.0 {
                    profile.push(Piece::Arc(low, *radius, r, -PI / 2.0, 0.0));
                    profile.push(Piece::Arc(high, *radius, r, 0.0, PI / 2.0));
                }
                Some(revolved(&profile, center, axis))
            }
            Core::Cone {
                base,
                axis,
                radius,
                height,
            } => {
                // Outward along the side: (radius, height) turned.
                let slope = radius.atan2(*height);
                let (along, out) = (r * slope.sin(), r * slope.cos());
                let mut profile = vec![Piece::Line([along, radius + out], [height + along, out])];
                if r > 0.0 {
                    profile.push(Piece::Arc(0.0, *radius, r, -PI / 2.0, slope));
                    profile.push(Piece::Arc(*height, 0.0, r, slope, PI / 2.0));
                }
                Some(revolved(&profile, base, axis))
            }
            Core::Ellipsoid { center, axes } if r == 0.0 => {
                let volume = 4.0 / 3.0 * PI * axes.determinant().abs();
                let E = axes * axes.transpose() * (volume / 5.0);
                Some(MassProperties::from_euler_tensor(
                    volume, volume, *center, E,
                ))
            }
            Core::Ellipsoid { .. } => None,
        }
    }
}

/// A piece of a profile ρ(z): a line, or an arc about (z, ρ) from one angle to another, the angle
/// measured from the ρ axis towards the z axis.
enum Piece {
    Line([f64; 2], [f64; 2]),
    Arc(f64, f64, f64, f64, f64),
}

/// The solid a profile makes about an axis; z counts from `origin`.
fn revolved(profile: &[Piece], origin: &Vector3<f64>, axis: &Vector3<f64>) -> MassProperties {
    let (nodes, weights) = gauss();
    // ∫ π ρ² (1, z, z²) dz and ∫ π ρ⁴/4 dz.
    let mut sums = [0.0; 4];
    for piece in profile {
        for (t, w) in nodes.iter().zip(&weights) {
            let s = 0.5 * (t + 1.0);
            let (z, rho, dz) = match piece {
                Piece::Line([z0, p0], [z1, p1]) => {
                    (z0 + (z1 - z0) * s, p0 + (p1 - p0) * s, z1 - z0)
                }
                Piece::Arc(z, rho, r, from, to) => {
                    let (sin, cos) = (from + (to - from) * s).sin_cos();
                    (z + r * sin, rho + r * cos, r * cos * (to - from))
                }
            };
            let area = PI * rho * rho * dz * 0.5 * w;
            sums[0] += area;
            sums[1] += area * z;
            sums[2] += area * z * z;
            sums[3] += area * rho * rho * 0.25;
        }
    }
    let [volume, first, second, across] = sums;
    let mean = first / volume;
    let along = axis * axis.transpose();
    let E = along * (second - volume * mean * mean) + (Matrix3::identity() - along) * across;
    MassProperties::from_euler_tensor(volume, volume, origin + axis * mean, E)
}

/// All points within r of a polytope.
fn rounded_hull(hull: &Polytope, r: f64) -> Result<MassProperties, GeometryError> {
    let points = hull.vertices().points();
    let corner = |i: u32| points[i as usize];
    let normals: Vec<Vector3<f64>> = hull.faces().iter().map(|f| newell(f, points)).collect();
    let mut parts = vec![*hull.mass_properties()];
    let (nodes, weights) = gauss();
    let mut moments = Moments::default();
    let mut seats: Vec<Vec<Vector3<f64>>> = vec![Vec::new(); points.len()];
    for (f, face) in hull.faces().iter().enumerate() {
        // The prism on the face.
        let n = normals[f];
        let both = face.iter().map(|&i| corner(i));
        let lifted = face.iter().map(|&i| corner(i) + n * r);
        let prism = Polytope::hull(&both.chain(lifted).collect::<Vec<_>>())?;
        parts.push(*prism.mass_properties());
        for (k, &i) in face.iter().enumerate() {
            seats[i as usize].push(n);
            // The wedge along an edge, once: where this face has it from i to a larger j.
            let j = face[(k + 1) % face.len()];
            if i > j {
                continue;
            }
            let other = hull
                .faces()
                .iter()
                .position(|g| (0..g.len()).any(|m| g[m] == j && g[(m + 1) % g.len()] == i));
            let Some(g) = other else { continue };
            let e = corner(j) - corner(i);
            let m = normals[g];
            let angle = n.cross(&m).norm().atan2(n.dot(&m));
            let side = (m - n * n.dot(&m)).normalize();
            // ∫ over length, angle and radius; polynomials in the first and the last.
            for (s, ws) in nodes.iter().zip(&weights) {
                let theta = 0.5 * (s + 1.0) * angle;
                let out = n * theta.cos() + side * theta.sin();
                for (t, wt) in nodes.iter().zip(&weights) {
                    let rho = 0.5 * (t + 1.0) * r;
                    let area = 0.25 * ws * wt * angle * r * rho;
                    let at = corner(i) + out * rho;
                    moments.add_line(&at, &e, area * e.norm());
                }
            }
        }
    }
    for (v, seat) in seats.iter().enumerate() {
        moments.add_sector(&points[v], seat, r, (&nodes, &weights));
    }
    parts.push(moments.properties());
    MassProperties::combine(&parts).ok_or(GeometryError::NoMass)
}

/// Sums of mass, mass times place, and mass times place times place.
#[derive(Default)]
struct Moments {
    mass: f64,
    first: Vector3<f64>,
    second: Matrix3<f64>,
}

impl Moments {
    fn add(&mut self, x: &Vector3<f64>, mass: f64) {
        self.mass += mass;
        self.first += x * mass;
        self.second += x * x.transpose() * mass;
    }

    /// A mass spread evenly from `x` to `x + e`.
    fn add_line(&mut self, x: &Vector3<f64>, e: &Vector3<f64>, mass: f64) {
        self.add(&(x + e * 0.5), mass);
        self.second += e * e.transpose() * (mass / 12.0);
    }

    /// The part of a ball about `at` whose directions are between normals.
    fn add_sector(
        &mut self,
        at: &Vector3<f64>,
        normals: &[Vector3<f64>],
        r: f64,
        (nodes, weights): (&[f64], &[f64]),
    ) {
        let middle = normals.iter().sum::<Vector3<f64>>().normalize();
        let [s, t] = super::polish::across(&middle);
        let mut round: Vec<Vector3<f64>> = normals.to_vec();
        let angle = |n: &Vector3<f64>| n.dot(&t).atan2(n.dot(&s));
        round.sort_by(|x, y| angle(x).total_cmp(&angle(y)));
        for k in 0..round.len() {
            let (a, b, c) = (middle, round[k], round[(k + 1) % round.len()]);
            let triple = a.dot(&b.cross(&c));
            // Directions of the flat triangle: dΩ = ⟨a, b × c⟩ / |x|³ du dv; x on it by (u, v).
            for (p, wp) in nodes.iter().zip(weights) {
                let u = 0.5 * (p + 1.0);
                for (q, wq) in nodes.iter().zip(weights) {
                    let v = 0.5 * (q + 1.0);
                    let x = a * (1.0 - u) + (b * (1.0 - v) + c * v) * u;
                    let length = x.norm();
                    let angle = triple * u * 0.25 * wp * wq / length.powi(3);
                    let d = x / length;
                    // ∫ρ² dρ, ∫ρ³ dρ, ∫ρ⁴ dρ about the vertex.
                    let (m, f, w) = (r.powi(3) / 3.0, r.powi(4) / 4.0, r.powi(5) / 5.0);
                    self.mass += angle * m;
                    self.first += (at * m + d * f) * angle;
                    let mixed = at * d.transpose() + d * at.transpose();
                    let own = d * d.transpose() * w;
                    self.second += (at * at.transpose() * m + mixed * f + own) * angle;
                }
            }
        }
    }

    fn properties(&self) -> MassProperties {
        let center = self.first / self.mass;
        let E = self.second - center * center.transpose() * self.mass;
        MassProperties::from_euler_tensor(self.mass, self.mass, center, E)
    }
}

fn newell(face: &[u32], points: &[Vector3<f64>]) -> Vector3<f64> {
    crate::geometry::area_vector(points, face).normalize()
}

/// Nodes and weights of Gauss and Legendre on [−1, 1], of order 20.
fn gauss() -> ([f64; 20], [f64; 20]) {
    const N: usize = 20;
    let mut nodes = [0.0; N];
    let mut weights = [0.0; N];
    for k in 0..N {
        let mut x = (PI * (k as f64 + 0.75) / (N as f64 + 0.5)).cos();
        let mut slope = 0.0;
        for _ in 0..100 {
            // P_N and its derivative by the recurrence.
            let (mut p, mut last) = (1.0, 0.0);
            for j in 0..N {
                let next = ((2 * j + 1) as f64 * x * p - j as f64 * last) / (j + 1) as f64;
                (last, p) = (p, next);
            }
            slope = N as f64 * (x * p - last) / (x * x - 1.0);
            let step = p / slope;
            x -= step;
            if step.abs() < 1e-16 {
                break;
            }
        }
        nodes[k] = x;
        weights[k] = 2.0 / ((1.0 - x * x) * slope * slope);
    }
    (nodes, weights)
}
