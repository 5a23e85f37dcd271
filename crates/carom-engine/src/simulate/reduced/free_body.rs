//! The step of a body that nothing holds: translation explicit, rotation by a 3 × 3 Newton method.
//!
//! Balance of angular momentum at q: π = (1/h) axial(X Ē − Ē Xᵀ) with X = R − I and Ē = D E Dᵀ, the
//! discrete rigid body of Moser and Veselov. With the vector part s of R's unit quaternion, in body
//! axes, it is a polynomial but for s₀ = √(1 − |s|²):
//!
//! ```text
//! h Dᵀπ = 2 (s₀ J s + s × J s),   X = 2 s₀ ŝ + 2 ŝ²
//! ```
//!
//! It gives J sin(Δθ)/h: no solution beyond a quarter turn per step.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::Reduced;
use crate::mechanics::{Covector, Increment, hat, orthonormal};
use crate::model::{BodyKind, Model};
use crate::simulate::{STALLED, SimulateError, State, guard};

impl Reduced {
    /// Moves a body on its own over a step.
    pub(super) fn move_free(
        &mut self,
        model: &Model,
        state: &State,
        h: f64,
        gamma: f64,
        j: usize,
    ) -> Result<u32, SimulateError> {
        let joint = &model.joints()[j];
        let k = joint.child.index();
        let first = model.offsets[j];
        let body = &model.bodies()[k];
        let pose = &state.poses[k];
        let (mass, weight) = (body.mass(), model.forces().gravity * body.mass());
        // What the last step left of the balance, where it was a coupled one.
        let carried = Vector3::from_column_slice(&state.unbalanced[first..first + 3]);
        let shift = (self.base[k].force + carried + weight * (h * gamma)) * (h / mass);
        let mut iterations = 0;
        let mut increment = Increment::default();
        if let BodyKind::Rigid { euler_tensor, .. } = &body.kind {
            let guess = Vector3::new(
                state.guess[first + 3],
                state.guess[first + 4],
                state.guess[first + 5],
            ) * h;
            let carried = Vector3::from_column_slice(&state.unbalanced[first + 3..first + 6]);
            let momentum = self.base[k].torque + carried;
            let turned = turn(pose, euler_tensor, &momentum, h, &guess);
            if turned.residual > STALLED || turned.residual.is_nan() {
                return Err(guard::too_fast(model, state, k, h, &momentum));
            }
            self.u[first + 3..first + 6].copy_from_slice(turned.u.as_slice());
            self.residual[first + 3..first + 6].copy_from_slice(turned.rest.as_slice());
            increment = turned.increment;
            iterations = turned.iterations;
            self.next[k].directors = orthonormal(&(pose.directors + increment.directors));
        }
        increment.shift = shift;
        self.u[first..first + 3].copy_from_slice(shift.as_slice());
        self.residual[first..first + 3].fill(0.0);
        self.increments[k] = increment;
        self.next[k].position = pose.position + (shift + state.carry[k]);
        Ok(iterations)
    }
}

/// What became of the rotation.
struct Turned {
    increment: Increment,
    /// Rotation vector, good enough to guess from.
    u: Vector3<f64>,
    iterations: u32,
    /// What is left of the balance.
    rest: Vector3<f64>,
    /// Residual relative to the momentum.
    residual: f64,
}

/// |s|² of a quarter turn is one half; well beyond it there is nothing to find.
const TOO_FAR: f64 = 0.6;

/// Solves for the rotation that carries angular momentum `momentum` over a step h.
#[inline]
fn turn(
    pose: &Pose,
    euler: &Matrix3<f64>,
    momentum: &Vector3<f64>,
    h: f64,
    guess: &Vector3<f64>,
) -> Turned {
    let d = &pose.directors;
    let inertia = Matrix3::identity() * euler.trace() - euler;
    let target = d.tr_mul(momentum) * (0.5 * h);
    let scale = target.amax() + f64::MIN_POSITIVE;
    // s = u/2 sin(θ/2)/(θ/2), kept where the equation makes sense.
    let mut s = d.tr_mul(guess) * (0.5 - guess.norm_squared() / 48.0);
    let near = s.norm_squared() < 0.5;
    if !near {
        s = Vector3::zeros();
    }
    let mut best = f64::INFINITY;
    let mut iterations = 0;
    let (s0, residual) = loop {
        let s2 = s.norm_squared();
        let s0 = (1.0 - s2).max(0.0).sqrt();
        let js = inertia * s;
        let r = target - js * s0 - s.cross(&js);
        let size = r.amax();
        // To round-off; what is left is made up for in the next step.
        if size <= 4.0 * f64::EPSILON * scale
            || (size >= 0.5 * best && best <= 1e-9 * scale)
            || iterations >= 30
            || !size.is_finite()
        {
            break (s0, size);
        }
        if s2 > TOO_FAR {
            break (s0, f64::INFINITY);
        }
        best = best.min(size);
        let jacobian = inertia * s0 - js * (s.transpose() / s0) + hat(&s) * inertia - hat(&js);
        let Some(inverse) = jacobian.try_inverse() else {
            break (s0, size);
        };
        s += inverse * r;
        iterations += 1;
    };
    // X in body axes, from s: small for small rotations.
    let s2 = s.norm_squared();
    let mut x = s * s.transpose() * 2.0 + hat(&(s * (2.0 * s0)));
    for k in 0..3 {
        x[(k, k)] -= 2.0 * s2;
    }
    let directors = d * x;
    // What is left, by the motion itself: D is orthonormal only to round-off.
    let y = Covector {
        force: Vector3::zeros(),
        directors: directors * euler,
    };
    let rest = momentum - y.wrench(d).torque / h;
    Turned {
        increment: Increment {
            shift: Vector3::zeros(),
            turn: directors * d.transpose(),
            directors,
        },
        u: d * s * (2.0 + s2 / 3.0 + 0.15 * s2 * s2),
        iterations,
        rest,
        residual: residual / scale,
    }
}
