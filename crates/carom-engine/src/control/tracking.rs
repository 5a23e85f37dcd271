//! The tracking law of thesis 4.5.
#![allow(non_snake_case)]

use nalgebra::{Matrix3, Vector3};

use super::Retraction;

type Vec3 = Vector3<f64>;
type Mat3 = Matrix3<f64>;

/// Where a body should be and how it should move there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// φ_d, v_d and its rate, world axes.
    pub position: Vec3,
    /// m/s.
    pub velocity: Vec3,
    /// m/s².
    pub acceleration: Vec3,
    /// R_d: its columns are the directors.
    pub orientation: Mat3,
    /// ω_d along the axes of R_d, rad/s.
    pub angular_velocity: Vec3,
    /// Its rate along the same axes, rad/s².
    pub angular_acceleration: Vec3,
}

/// Where a body is and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// φ, world axes.
    pub position: Vec3,
    /// v, world axes.
    pub velocity: Vec3,
    /// R: its columns are the directors.
    pub orientation: Mat3,
    /// ω along the axes of the body.
    pub angular_velocity: Vec3,
}

/// Errors, Lyapunov function, force and torque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// f_d in world axes, N.
    pub force: Vec3,
    /// τ_d in body axes, N m.
    pub torque: Vec3,
    /// e_φ, e_v, e_R, e_ω, thesis (4.31) to (4.34).
    pub errors: [Vec3; 4],
    /// V = ½ e_ω · J e_ω + ½ M e_v · e_v + ½ k_φ e_φ · e_φ + ½ k_R e_R · e_R.
    pub lyapunov: f64,
}

/// The law of thesis (4.40) for a body with full actuation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tracking {
    /// M, kg.
    pub mass: f64,
    /// J about the centre of mass, body axes, kg m².
    pub inertia: Mat3,
    /// k_φ, N/m.
    pub position_gain: f64,
    /// k_v, N s/m.
    pub velocity_gain: f64,
    /// k_R, N m.
    pub orientation_gain: f64,
    /// k_ω, N m s.
    pub angular_velocity_gain: f64,
    /// How errors of orientation are measured.
    pub retraction: Retraction,
}

impl Tracking {
    /// What to apply now. `external` are known forces (world axes) and torques (body axes) besides, which
    /// are made up for.
    pub fn command(&self, now: &Motion, wanted: &Reference, external: [Vec3; 2]) -> Command {
        let (J, w) = (&self.inertia, &now.angular_velocity);
        // R_e = Rᵀ R_d; Ad_{R_e} ω_d is ω_d along the axes of the body.
        let R_e = now.orientation.tr_mul(&wanted.orientation);
        let w_d = R_e * wanted.angular_velocity;
        let e_x = now.position - wanted.position;
        let e_v = now.velocity - wanted.velocity;
        let e_R = self.retraction.inverse(&R_e);
        let e_w = w - w_d;
        // d/dt (R_e ω_d) = R_e ω̇_d − ω × R_e ω_d.
        let rate = R_e * wanted.angular_acceleration - w.cross(&w_d);
        // Γ makes up for what Cayley's map stretches.
        let gamma = match self.retraction {
            Retraction::Exponential => Vec3::zeros(),
            Retraction::Cayley => e_R * (0.25 * self.orientation_gain * e_R.norm_squared()),
        };
        // thesis (4.40a)
        let torque = e_R * self.orientation_gain
            - e_w * self.angular_velocity_gain
            - (J * w).cross(w)
            - external[1]
            + gamma
            + J * rate;
        // thesis (4.40b)
        let force = -e_x * self.position_gain - e_v * self.velocity_gain - external[0]
            + wanted.acceleration * self.mass;
        let errors = [e_x, e_v, e_R, e_w];
        let [position, orientation] = self.lyapunov(&errors);
        Command {
            force,
            torque,
            errors,
            lyapunov: position + orientation,
        }
    }

    /// The two parts of V: of position and velocity, of orientation and angular velocity.
    pub fn lyapunov(&self, errors: &[Vec3; 4]) -> [f64; 2] {
        let [e_x, e_v, e_R, e_w] = errors;
        [
            0.5 * (self.mass * e_v.norm_squared() + self.position_gain * e_x.norm_squared()),
            0.5 * (e_w.dot(&(self.inertia * e_w)) + self.orientation_gain * e_R.norm_squared()),
        ]
    }
}
