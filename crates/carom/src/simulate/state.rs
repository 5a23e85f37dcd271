//! The state of a simulation: everything needed to go on, bit for bit.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::SimulateError;
use super::velocity::VelocitySolver;
use crate::mechanics::{Covector, Twist, inertia, linkage, momentum, twists, wrench_from};
use crate::model::{BodyKind, Model};

/// Time, configuration and momentum (q, p), with the guess for the next Newton step.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Time.
    pub time: f64,
    /// Pose of every body (directors of particles are the identity).
    pub poses: Vec<Pose>,
    /// Momentum p ∈ T*Q of every body.
    pub momenta: Vec<Covector>,
    /// Coordinates of all linkages.
    pub coordinates: Vec<f64>,
    /// Their momenta.
    pub coordinate_momenta: Vec<f64>,
    /// What each position lost to rounding so far: steps add to it, so that a million equal steps
    /// end where one long step would.
    pub carry: Vec<Vector3<f64>>,
    /// What the last step left of the balance Pᵀ(q)[p + D₁L_d + f⁻], a few units of round-off: the
    /// next step makes up for it, so that momentum does not wander.
    pub unbalanced: Vec<f64>,
    /// Joint velocities and rates of coordinates: the guess for the next step.
    pub guess: Vec<f64>,
}

impl State {
    /// The start of a model. Velocities that its joints do not allow are an error.
    pub fn start(model: &Model) -> Result<Self, SimulateError> {
        let poses: Vec<Pose> = model.bodies().iter().map(|b| b.start).collect();
        let given: Vec<Twist> = model
            .bodies()
            .iter()
            .map(|b| match b.kind {
                BodyKind::Static => Twist::default(),
                BodyKind::Particle { .. } => Twist {
                    v: b.velocity,
                    w: Default::default(),
                },
                BodyKind::Rigid { .. } => Twist {
                    v: b.velocity,
                    w: b.angular_velocity,
                },
            })
            .collect();
        let mut wrenches: Vec<_> = model
            .bodies()
            .iter()
            .zip(poses.iter().zip(&given))
            .map(|(b, (pose, t))| wrench_from(&(inertia(&b.kind, pose) * t.vector())))
            .collect();
        let mut nu = vec![0.0; model.tree_freedom];
        VelocitySolver::new(model).solve(model, &poses, &mut wrenches, &mut nu);
        let fitted = twists(model, &poses, &nu);
        for (body, (fit, want)) in model.bodies().iter().zip(fitted.iter().zip(&given)) {
            let particle = matches!(body.kind, BodyKind::Particle { .. });
            let spin = if particle {
                0.0
            } else {
                (fit.w - want.w).norm()
            };
            let off = (fit.v - want.v).norm() + spin;
            if body.kind != BodyKind::Static && off > 1e-6 * (1.0 + want.v.norm() + want.w.norm()) {
                return Err(SimulateError::Velocity {
                    body: body.name.clone(),
                    off,
                });
            }
        }
        let mut coordinates = Vec::new();
        let mut rates = Vec::new();
        let mut coordinate_momenta = Vec::new();
        for l in model.linkages() {
            let q: Vec<f64> = l.spec.coordinates.iter().map(|c| c.start).collect();
            let v: Vec<f64> = l.spec.coordinates.iter().map(|c| c.rate).collect();
            let mut mass = Vec::new();
            linkage::mass_matrix(l, &q, &mut linkage::End::default(), &mut mass);
            let rows = mass.chunks_exact(v.len());
            let p = rows.map(|row| row.iter().zip(&v).map(|(m, v)| m * v).sum::<f64>());
            coordinate_momenta.extend(p);
            coordinates.extend(q);
            rates.extend(v);
        }
        let mut state = Self {
            time: 0.0,
            poses,
            momenta: vec![Covector::default(); model.bodies().len()],
            carry: vec![Vector3::zeros(); model.bodies().len()],
            unbalanced: vec![0.0; model.tree_freedom],
            coordinates,
            coordinate_momenta,
            guess: nu.into_iter().chain(rates).collect(),
        };
        state.set_velocities(model, &fitted);
        Ok(state)
    }

    /// Sets p = M q̇ for twists the joints allow.
    pub fn set_velocities(&mut self, model: &Model, twists: &[Twist]) {
        for (k, body) in model.bodies().iter().enumerate() {
            self.momenta[k] = momentum(&body.kind, &self.poses[k], &twists[k]);
        }
    }
}
