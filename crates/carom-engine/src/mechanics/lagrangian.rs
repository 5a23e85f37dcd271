//! The discrete Lagrangian of the bodies and its derivatives, in redundant coordinates.
//!
//! ```text
//! L_d(q, q⁺, h) = (1/2h) (q⁺ − q)ᵀ M (q⁺ − q) − h V(q̄),   q̄ = γ q + (1 − γ) q⁺      thesis (3.4)
//! D₁L_d = −(1/h) M Δ − h γ ∇V(q̄),          D₂L_d = (1/h) M Δ − h (1 − γ) ∇V(q̄)
//! D₁D₁L_d = M/h − h γ² V″,  D₁D₂L_d = −M/h − h γ (1 − γ) V″,  D₂D₂L_d = M/h − h (1 − γ)² V″
//! ```
//!
//! The discrete Legendre transforms are p⁻ = −D₁L_d − f⁻ and p⁺ = D₂L_d + f⁺ (thesis (4.9), without multipliers).

use carom_gap::Pose;
use nalgebra::DMatrix;

use super::forces::{
    StepFrame, add_damper_covectors, between, potential, potential_forces, potential_hessian,
};
use super::kinematics::{Increment, coordinate_count};
use super::masses::{mass_matrix, mass_times};
use super::share::Share;
use super::vectors::Covector;
use crate::model::{Body, Model};

/// q⁺ − q of every body.
pub fn differences(poses: &[Pose], next: &[Pose]) -> Vec<Increment> {
    poses
        .iter()
        .zip(next)
        .map(|(a, b)| {
            let directors = b.directors - a.directors;
            Increment {
                shift: b.position - a.position,
                turn: directors * a.directors.transpose(),
                directors,
            }
        })
        .collect()
}

/// L_d and its first derivatives between two configurations.
#[derive(Clone, Debug)]
pub struct DiscreteLagrangian {
    /// L_d.
    pub value: f64,
    /// D₁L_d of every body.
    pub d1: Vec<Covector>,
    /// D₂L_d of every body.
    pub d2: Vec<Covector>,
    /// E_d = −D₃L_d.
    pub energy: f64,
}

/// Evaluates L_d, D₁L_d, D₂L_d and E_d.
///
/// ```
/// use carom::Pose;
/// use carom::mechanics::discrete_lagrangian;
/// use carom::model::{BodySpec, ModelBuilder};
/// let mut builder = ModelBuilder::new();
/// builder.body(BodySpec::particle("bead", 2.0));
/// let model = builder.build().unwrap();
/// let ld = discrete_lagrangian(&model, &[Pose::identity()], &[Pose::translation(0.1, 0.0, 0.0)], 0.1, 0.5);
/// assert!((ld.d2[0].force.x - 2.0).abs() < 1e-15); // momentum m v
/// assert!((ld.value - 0.1 * 1.0).abs() < 1e-15); // h times kinetic energy
/// ```
pub fn discrete_lagrangian(
    model: &Model,
    poses: &[Pose],
    next: &[Pose],
    h: f64,
    gamma: f64,
) -> DiscreteLagrangian {
    let share = Share::all(model);
    let mut middle = poses.to_vec();
    between(&share, poses, next, gamma, &mut middle);
    let increments = differences(poses, next);
    let [d1, d2] = slopes_at(model, &share, &increments, &middle, h, gamma);
    let v = potential(model, &share, &middle);
    // ½ Δᵀ M Δ
    let kinetic = |(body, i): (&Body, &Increment)| {
        mass_times(&body.kind, &i.shift, &i.directors).dot(&i.shift, &i.directors)
    };
    let kinetic = 0.5
        * model
            .bodies()
            .iter()
            .zip(&increments)
            .map(kinetic)
            .sum::<f64>();
    DiscreteLagrangian {
        value: kinetic / h - h * v,
        d1,
        d2,
        energy: kinetic / (h * h) + v,
    }
}

/// D₁L_d and D₂L_d of every body of a share, where the step and its middle are known.
fn slopes_at(
    model: &Model,
    share: &Share,
    increments: &[Increment],
    middle: &[Pose],
    h: f64,
    gamma: f64,
) -> [Vec<Covector>; 2] {
    let mut forces = vec![Covector::default(); middle.len()];
    potential_forces(model, share, middle, &mut forces);
    let mut out = [0, 1].map(|_| Vec::with_capacity(middle.len()));
    for (k, body) in model.bodies().iter().enumerate() {
        let i = &increments[k];
        let momentum = mass_times(&body.kind, &i.shift, &i.directors);
        for (side, sign, part) in [(0, -1.0, gamma), (1, 1.0, 1.0 - gamma)] {
            let mut slope = Covector::default();
            slope.add(&momentum, sign / h);
            slope.add(&forces[k], h * part);
            out[side].push(slope);
        }
    }
    out
}

/// D₁L_d + f⁻ and D₂L_d + f⁺ of a step at γ = ½ with what drag and dampers do in it, and D₁L_d and D₂L_d
/// alone: D₂L_d/h and D₁L_d/h are how the two change with the size of the step.
pub fn discrete_slopes(
    model: &Model,
    share: &Share,
    poses: &[Pose],
    next: &[Pose],
    h: f64,
) -> ([Vec<Covector>; 2], [Vec<Covector>; 2]) {
    let mut middle = poses.to_vec();
    between(share, poses, next, 0.5, &mut middle);
    let increments = differences(poses, next);
    let own = slopes_at(model, share, &increments, &middle, h, 0.5);
    let mut whole = own.clone();
    let frame = StepFrame {
        poses,
        next,
        middle: &middle,
        increments: &increments,
        h,
        gamma: 0.5,
    };
    for side in &mut whole {
        add_damper_covectors(model, share, &frame, side);
    }
    (whole, own)
}

/// D₁D₁L_d, D₁D₂L_d and D₂D₂L_d as dense matrices over the redundant coordinates of all bodies.
#[derive(Clone, Debug)]
pub struct SecondDerivatives {
    /// D₁D₁L_d.
    pub d11: DMatrix<f64>,
    /// D₁D₂L_d (rows q, columns q⁺).
    pub d12: DMatrix<f64>,
    /// D₂D₂L_d.
    pub d22: DMatrix<f64>,
}

/// Second derivatives of L_d.
pub fn second_derivatives(
    model: &Model,
    poses: &[Pose],
    next: &[Pose],
    h: f64,
    gamma: f64,
) -> SecondDerivatives {
    let mut middle = poses.to_vec();
    between(&Share::all(model), poses, next, gamma, &mut middle);
    let m = mass_matrix(model) / h;
    let v = potential_hessian(model, &middle) * h;
    let (a, b) = (gamma, 1.0 - gamma);
    SecondDerivatives {
        d11: &m - &v * (a * a),
        d12: -&m - &v * (a * b),
        d22: &m - &v * (b * b),
    }
}

/// Discrete Legendre transforms with forces: (p⁻, p⁺) = (−D₁L_d − f⁻, D₂L_d + f⁺).
pub fn legendre(
    ld: &DiscreteLagrangian,
    f_minus: &[Covector],
    f_plus: &[Covector],
) -> (Vec<Covector>, Vec<Covector>) {
    let minus = ld.d1.iter().zip(f_minus).map(|(d, f)| {
        let mut p = Covector::default();
        p.add(d, -1.0);
        p.add(f, -1.0);
        p
    });
    let plus = ld.d2.iter().zip(f_plus).map(|(d, f)| {
        let mut p = *d;
        p.add(f, 1.0);
        p
    });
    (minus.collect(), plus.collect())
}

/// Coordinates of all bodies, one after the other: 12 for a rigid body, 3 for a particle.
pub fn coordinates(model: &Model, poses: &[Pose]) -> Vec<f64> {
    let mut q = Vec::new();
    for (body, pose) in model.bodies().iter().zip(poses) {
        q.extend_from_slice(&pose.to_q()[..coordinate_count(&body.kind)]);
    }
    q
}

/// Covectors of all bodies, one after the other.
pub fn flatten(model: &Model, covectors: &[Covector]) -> Vec<f64> {
    let mut y = Vec::with_capacity(12 * covectors.len());
    for (body, c) in model.bodies().iter().zip(covectors) {
        let count = coordinate_count(&body.kind);
        y.extend_from_slice(&c.force.as_slice()[..count.min(3)]);
        if count == 12 {
            y.extend_from_slice(c.directors.as_slice());
        }
    }
    y
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Vector3};

    use super::*;
    use crate::model::{BodySpec, ModelBuilder};

    /// Two rigid bodies and a particle with springs, charges and gravity.
    fn model() -> Model {
        let mut b = ModelBuilder::new();
        b.gravity(Vector3::new(0.3, -0.2, -9.81)).coulomb(0.7);
        let j = Matrix3::new(0.2, 0.01, 0.0, 0.01, 0.3, 0.02, 0.0, 0.02, 0.25);
        let first = b.body(BodySpec::rigid("first").mass(1.2).inertia(j));
        let second = b.body(
            BodySpec::rigid("second")
                .mass(0.7)
                .inertia(j * 0.5)
                .position(Vector3::new(1.0, 0.2, 0.1)),
        );
        let bead = b.body(BodySpec::particle("bead", 0.4).position(Vector3::new(0.1, 1.0, -0.3)));
        b.spring(
            "s",
            (Some(first), Vector3::new(0.1, 0.2, 0.0)),
            (Some(second), Vector3::new(-0.2, 0.0, 0.1)),
            3.0,
            0.4,
        );
        b.spring(
            "w",
            (None, Vector3::new(0.0, 0.0, 1.0)),
            (Some(bead), Vector3::zeros()),
            2.0,
            0.1,
        );
        b.charge("p", first, Vector3::new(0.0, 0.1, 0.3), 1.0);
        b.charge("q", bead, Vector3::zeros(), -0.8);
        b.build().unwrap()
    }

    /// The configuration with coordinates q, whether rotations or not.
    fn poses(model: &Model, q: &[f64]) -> Vec<Pose> {
        let mut at = 0;
        let place = |body: &crate::model::Body| {
            let count = coordinate_count(&body.kind);
            let slice = &q[at..at + count];
            at += count;
            let mut pose = Pose::identity();
            pose.position = Vector3::from_column_slice(&slice[..3]);
            if count == 12 {
                pose.directors = Matrix3::from_column_slice(&slice[3..]);
            }
            pose
        };
        model.bodies().iter().map(place).collect()
    }

    #[test]
    fn derivatives_by_finite_differences() {
        let model = model();
        let start: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
        let q = coordinates(&model, &start);
        let next: Vec<f64> = q
            .iter()
            .enumerate()
            .map(|(k, c)| c + 0.05 * ((k * 7 + 3) % 11) as f64 / 11.0)
            .collect();
        for gamma in [0.5, 0.3] {
            let h = 0.1;
            let at = |q: &[f64], next: &[f64], h: f64| {
                discrete_lagrangian(&model, &poses(&model, q), &poses(&model, next), h, gamma)
            };
            let here = at(&q, &next, h);
            let second =
                second_derivatives(&model, &poses(&model, &q), &poses(&model, &next), h, gamma);
            let (d1, d2) = (flatten(&model, &here.d1), flatten(&model, &here.d2));
            let e = 1e-5;
            for k in 0..q.len() {
                let moved = |v: &[f64], s: f64| {
                    let mut v = v.to_vec();
                    v[k] += s;
                    v
                };
                let (up, down) = (at(&moved(&q, e), &next, h), at(&moved(&q, -e), &next, h));
                assert!(
                    ((up.value - down.value) / (2.0 * e) - d1[k]).abs() < 1e-7,
                    "d1 {k}"
                );
                let rows = |a: &DiscreteLagrangian, b: &DiscreteLagrangian| -> Vec<f64> {
                    flatten(&model, &a.d1)
                        .iter()
                        .zip(flatten(&model, &b.d1))
                        .map(|(a, b)| (a - b) / (2.0 * e))
                        .collect()
                };
                for (i, d) in rows(&up, &down).iter().enumerate() {
                    assert!((d - second.d11[(i, k)]).abs() < 1e-6, "d11 {i} {k}");
                }
                let (up, down) = (at(&q, &moved(&next, e), h), at(&q, &moved(&next, -e), h));
                assert!(
                    ((up.value - down.value) / (2.0 * e) - d2[k]).abs() < 1e-7,
                    "d2 {k}"
                );
                for (i, d) in rows(&up, &down).iter().enumerate() {
                    assert!((d - second.d12[(i, k)]).abs() < 1e-6, "d12 {i} {k}");
                }
                let plus: Vec<f64> = flatten(&model, &up.d2)
                    .iter()
                    .zip(flatten(&model, &down.d2))
                    .map(|(a, b)| (a - b) / (2.0 * e))
                    .collect();
                for (i, d) in plus.iter().enumerate() {
                    assert!((d - second.d22[(i, k)]).abs() < 1e-6, "d22 {i} {k}");
                }
            }
            let slope = (at(&q, &next, h + e).value - at(&q, &next, h - e).value) / (2.0 * e);
            assert!(
                (slope + here.energy).abs() < 1e-6,
                "{slope} {}",
                here.energy
            );
        }
    }
}
