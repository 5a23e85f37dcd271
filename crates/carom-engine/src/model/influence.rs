//! Forces that are no gradient of a potential: solenoids by a fitted formula, fields from tables.
//!
//! They depend on where bodies are and carry their exact derivatives. Beyond the range they were
//! measured in they know nothing: a run that leaves it ends with an error.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::BodyId;

/// Where a magnet sits in its body: at a point, along the first column of its axes, in the plane of the
/// first two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    /// The body.
    pub body: BodyId,
    /// Its centre, in the body frame.
    pub local: Vector3<f64>,
    /// Its axes, in the body frame.
    pub axes: Matrix3<f64>,
}

/// Exponents of φ₁ and φ₂, then A_x, B_x, A_y, B_y, A_θ, B_θ (thesis, Table B.1).
pub const TABLE_B1: [(i32, i32, [f64; 6]); 15] = [
    (
        0,
        0,
        [
            1.0670, -1.2094e-1, 6.4039e-2, 4.7942e-3, 3.7875e-3, 2.3510e-4,
        ],
    ),
    (
        1,
        0,
        [
            3.9386e-1, 1.9773e-2, -1.3789, -4.8787e-1, -5.7298e-2, -1.6165e-3,
        ],
    ),
    (
        0,
        1,
        [-2.2751, -8.6915e-2, 1.0495, 1.2083, 1.3477e-1, 2.6519e-3],
    ),
    (
        2,
        0,
        [
            -3.5943, -1.2634e-2, -5.0010e-1, -5.8262e-2, -5.0081e-2, -3.3933e-3,
        ],
    ),
    (
        1,
        1,
        [9.5071, -1.8160e-1, 6.9851, 1.8216e-1, 1.7989e-1, 1.1954e-2],
    ),
    (
        0,
        2,
        [
            -7.8914, 4.4923e-1, 1.6582, -2.0492e-1, -2.5131e-1, -2.4009e-2,
        ],
    ),
    (
        3,
        0,
        [
            -1.5941, -7.5574e-2, -1.5941e1, 2.5680e-1, 9.5810e-2, 3.9108e-3,
        ],
    ),
    (
        2,
        1,
        [
            1.5989e1, 5.9169e-1, -3.0040, -1.3194, -3.2429e-1, -9.8745e-3,
        ],
    ),
    (
        1,
        2,
        [
            -3.0049e1, -8.7829e-1, -1.2417e1, 2.4993, 3.9376e-1, -2.1262e-2,
        ],
    ),
    (
        0,
        3,
        [
            2.0957e1, 5.5594e-2, -6.0380e1, -7.2965e-1, -2.0751e-1, 4.5830e-2,
        ],
    ),
    (
        4,
        0,
        [
            1.8429, 4.7644e-2, 8.2519e-1, 8.8162e-2, 9.7361e-2, 6.5745e-3,
        ],
    ),
    (
        3,
        1,
        [1.5481, -1.0365, -6.8201, -7.9217e-1, -3.6091e-1, -1.6871e-2],
    ),
    (
        2,
        2,
        [-1.4833e1, -1.0365, 5.4298, 1.6634, 7.8222e-1, 2.8853e-2],
    ),
    (
        1,
        3,
        [2.1632e1, 1.4074, 5.2455, -2.2440, -7.6435e-1, 9.3861e-3],
    ),
    (
        0,
        4,
        [
            -1.2404e1, -8.9385, 6.0322e1, 4.1154e-1, 3.9942e-1, -2.2715e-2,
        ],
    ),
];

/// Least and largest distance of the fit.
pub const SOLENOID_DISTANCE: [f64; 2] = [0.1, 0.55];
/// Largest angles of the fit.
pub const SOLENOID_ANGLE: f64 = PI / 5.0;

/// Two solenoids that act on each other by the fitted formula (B.1),
///
/// ```text
/// f_i = A_i(φ₁, φ₂)/ρ⁸ − B_i(φ₁, φ₂)/ρ⁴,   i = x, y, θ,   ρ = r/unit,
/// ```
///
/// force and torque on the first at its centre, in its own axes. r is the distance of the centres, φ₁ the
/// direction of the second seen from the axis of the first, φ₂ the angle from the axis of the first to
/// that of the second. The second feels the opposite force, and the torque that keeps the angular
/// momentum of both.
///
/// The fit holds for r from 0.1 to 0.55 m and angles up to π/5.
#[derive(Clone, Debug, PartialEq)]
pub struct Solenoids {
    /// Unique name.
    pub name: String,
    /// The magnets.
    pub mounts: [Mount; 2],
    /// Factor of all forces and torques.
    pub strength: f64,
    /// Length of the formula's unit of distance, in m.
    pub unit: f64,
}

/// f_x, f_y, f_θ and their derivatives by r, φ₁, φ₂ (thesis (B.1)).
///
/// ```
/// use carom::model::solenoid_formula;
/// let [f, ..] = solenoid_formula(0.5, 0.0, 0.0);
/// assert!((f[0] - (1.0670 / 0.5_f64.powi(8) + 1.2094e-1 / 0.5_f64.powi(4))).abs() < 1e-12);
/// ```
pub fn solenoid_formula(r: f64, phi_1: f64, phi_2: f64) -> [[f64; 3]; 4] {
    let mut sums = [[0.0; 6]; 3];
    for (m, n, c) in &TABLE_B1 {
        let power = |x: f64, k: i32| if k < 0 { 0.0 } else { x.powi(k) };
        let (p, q) = (power(phi_1, *m), power(phi_2, *n));
        let dp = f64::from(*m) * power(phi_1, m - 1);
        let dq = f64::from(*n) * power(phi_2, n - 1);
        for k in 0..6 {
            sums[0][k] += c[k] * p * q;
            sums[1][k] += c[k] * dp * q;
            sums[2][k] += c[k] * p * dq;
        }
    }
    let (a, b) = (r.powi(-8), r.powi(-4));
    let value = |s: &[f64; 6]| [0, 1, 2].map(|i| s[2 * i] * a - s[2 * i + 1] * b);
    let by_r = [0, 1, 2].map(|i| (-8.0 * sums[0][2 * i] * a + 4.0 * sums[0][2 * i + 1] * b) / r);
    [value(&sums[0]), by_r, value(&sums[1]), value(&sums[2])]
}

/// Force and torque on a body from a table over a grid in the plane, linear between its points: the
/// disturbances of an air table.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Unique name.
    pub name: String,
    /// The body.
    pub body: BodyId,
    /// Where the force acts and the table is looked up, in the body frame.
    pub local: Vector3<f64>,
    /// Rising x and y of the grid, in m.
    pub grid: [Vec<f64>; 2],
    /// f_x, f_y in N and torque about z in N m, row by row of equal y.
    pub values: Vec<[f64; 3]>,
}

impl Field {
    /// Values at a point of the plane and their derivatives by x and y; `None` outside the grid.
    pub fn at(&self, x: f64, y: f64) -> Option<[[f64; 3]; 3]> {
        let cell = |grid: &[f64], x: f64| {
            let last = grid.len() - 1;
            let inside = x >= grid[0] && x <= grid[last];
            inside.then(|| grid.partition_point(|g| *g <= x).clamp(1, last) - 1)
        };
        let [gx, gy] = &self.grid;
        let (i, j) = (cell(gx, x)?, cell(gy, y)?);
        let (wide, high) = (gx[i + 1] - gx[i], gy[j + 1] - gy[j]);
        let (s, t) = ((x - gx[i]) / wide, (y - gy[j]) / high);
        let value = |a: usize, b: usize| &self.values[(j + b) * gx.len() + i + a];
        let mut out = [[0.0; 3]; 3];
        for k in 0..3 {
            let (a, b, c, d) = (
                value(0, 0)[k],
                value(1, 0)[k],
                value(0, 1)[k],
                value(1, 1)[k],
            );
            let (low, top) = (a + (b - a) * s, c + (d - c) * s);
            out[0][k] = low + (top - low) * t;
            out[1][k] = ((b - a) * (1.0 - t) + (d - c) * t) / wide;
            out[2][k] = (top - low) / high;
        }
        Some(out)
    }
}

/// A force that is no gradient.
#[derive(Clone, Debug, PartialEq)]
pub enum Influence {
    /// Two solenoids.
    Solenoids(Solenoids),
    /// A field from a table.
    Field(Field),
}

impl Influence {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Influence::Solenoids(s) => &s.name,
            Influence::Field(f) => &f.name,
        }
    }

    /// The bodies it acts on.
    pub fn bodies(&self) -> [Option<BodyId>; 2] {
        match self {
            Influence::Solenoids(s) => [Some(s.mounts[0].body), Some(s.mounts[1].body)],
            Influence::Field(f) => [Some(f.body), None],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_has_its_own_gradient() {
        let e = 1e-6;
        for (r, a, b) in [(0.3, 0.1, -0.2), (0.12, -0.5, 0.6), (0.55, 0.0, 0.0)] {
            let [_, by_r, by_1, by_2] = solenoid_formula(r, a, b);
            let slope = |up: [f64; 3], down: [f64; 3], i: usize| (up[i] - down[i]) / (2.0 * e);
            for i in 0..3 {
                let of = |r, a, b| solenoid_formula(r, a, b)[0];
                let size = 1.0 + by_r.iter().map(|x| x.abs()).fold(0.0, f64::max);
                assert!((slope(of(r + e, a, b), of(r - e, a, b), i) - by_r[i]).abs() < 1e-6 * size);
                assert!((slope(of(r, a + e, b), of(r, a - e, b), i) - by_1[i]).abs() < 1e-6 * size);
                assert!((slope(of(r, a, b + e), of(r, a, b - e), i) - by_2[i]).abs() < 1e-6 * size);
            }
        }
    }
}
