//! The step of a body that nothing holds: translation explicit, rotation by a 3 × 3 Newton method.
//!
//! Balance of angular momentum at q: π = (1/h) axial(X Ē − Ē Xᵀ) with X = exp(û) − I and
//! Ē = D E Dᵀ, the discrete rigid body of Moser and Veselov. It gives J sin(Δθ)/h: no solution
//! beyond a quarter turn per step.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use crate::mechanics::{Increment, dexp_inverse, exp_minus_identity};

/// What became of the rotation.
pub(super) struct Turned {
    pub increment: Increment,
    pub u: Vector3<f64>,
    pub iterations: u32,
    /// Residual relative to the momentum.
    pub residual: f64,
}

/// Solves for the rotation that carries angular momentum `momentum` over a step h.
#[inline]
pub(super) fn turn(
    pose: &Pose,
    euler: &Matrix3<f64>,
    momentum: &Vector3<f64>,
    h: f64,
    guess: &Vector3<f64>,
) -> Turned {
    let d = &pose.directors;
    let e = d * euler * d.transpose();
    let target = momentum * h;
    let scale = target.amax() + f64::MIN_POSITIVE;
    let mut u = *guess;
    let mut x = exp_minus_identity(&u);
    let mut best = f64::INFINITY;
    let mut iterations = 0;
    let residual = loop {
        // axial(X Ē − (X Ē)ᵀ)
        let m = x * e;
        let got = Vector3::new(
            m[(2, 1)] - m[(1, 2)],
            m[(0, 2)] - m[(2, 0)],
            m[(1, 0)] - m[(0, 1)],
        );
        let r = target - got;
        let size = r.amax();
        // To stagnation: momentum is kept only as well as this equation is solved.
        if size == 0.0
            || (size >= 0.5 * best && best <= 1e-9 * scale)
            || iterations >= 30
            || !size.is_finite()
        {
            break size.min(best);
        }
        best = size;
        // d got = (tr(A) I − Aᵀ) dexp δu, A = Ē Rᵀ
        let a = e + e * x.transpose();
        let jacobian = Matrix3::identity() * a.trace() - a.transpose();
        let Some(inverse) = jacobian.try_inverse() else {
            break size;
        };
        u += dexp_inverse(&u) * (inverse * r);
        x = exp_minus_identity(&u);
        iterations += 1;
    };
    Turned {
        increment: Increment {
            shift: Vector3::zeros(),
            turn: x,
            directors: x * d,
        },
        u,
        iterations,
        residual: residual / scale,
    }
}
