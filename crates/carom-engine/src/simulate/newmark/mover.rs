//! Bodies as Newmark's scheme sees them: what they may do, and how momentum moves them.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use crate::mechanics::{NO_WRENCH, Twist, Wrench, dexp, exp_minus_identity, hat};
use crate::model::{Body, BodyKind, JointKind, Model};
use crate::simulate::{STALLED, SimulateError};

/// What a body may do.
#[derive(Clone, Copy, Debug)]
pub(super) enum Motion {
    Static,
    Particle,
    Free,
    /// Slides across the unit vector n and turns about it.
    Planar(Vector3<f64>),
}

/// A body as the scheme sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub motion: Motion,
    pub mass: f64,
    /// J and its inverse, body axes.
    inertia: Matrix3<f64>,
    inverse: Matrix3<f64>,
}

impl Mover {
    /// All bodies of a model, and the first degree of freedom that turns each; joints the scheme
    /// cannot hold are an error.
    pub fn all(model: &Model) -> Result<(Vec<Self>, Vec<usize>), SimulateError> {
        let mut movers: Vec<Self> = model.bodies().iter().map(Self::free).collect();
        let mut spins = vec![0; movers.len()];
        for (j, joint) in model.joints().iter().enumerate() {
            let slides = if joint.kind == JointKind::Planar {
                2
            } else {
                3
            };
            spins[joint.child.index()] = model.offsets[j] + slides;
            match (joint.kind, joint.parent) {
                (JointKind::Free, _) => {}
                (JointKind::Planar, None) => {
                    movers[joint.child.index()].motion = Motion::Planar(joint.axis);
                }
                (kind, _) => {
                    return Err(unsupported(format!(
                        "joint \"{}\" is {}, and Newmark moves free bodies and bodies in a plane only",
                        joint.name,
                        kind.name()
                    )));
                }
            }
        }
        if let Some(law) = model.joint_laws().first() {
            return Err(unsupported(format!(
                "springs, dampers, friction, rotors and servos act along \"{}\"",
                law.name
            )));
        }
        if let Some(joint) = model.closures().first() {
            return Err(unsupported(format!(
                "joint \"{}\" closes a loop",
                joint.name
            )));
        }
        if let Some(linkage) = model.linkages().first() {
            return Err(unsupported(format!(
                "linkage \"{}\" is in generalised coordinates",
                linkage.spec.name
            )));
        }
        Ok((movers, spins))
    }

    /// A body that nothing holds.
    fn free(body: &Body) -> Self {
        let (motion, inertia) = match &body.kind {
            BodyKind::Static => (Motion::Static, Matrix3::identity()),
            BodyKind::Particle { .. } => (Motion::Particle, Matrix3::identity()),
            BodyKind::Rigid { euler_tensor, .. } => (
                Motion::Free,
                Matrix3::identity() * euler_tensor.trace() - euler_tensor,
            ),
        };
        Self {
            motion,
            mass: body.mass(),
            inertia,
            inverse: inertia.try_inverse().unwrap_or_else(Matrix3::zeros),
        }
    }

    /// Leaves of a wrench what the world does not take up.
    pub fn felt(&self, w: &Wrench) -> Wrench {
        let zero = Vector3::zeros();
        match &self.motion {
            Motion::Static => NO_WRENCH,
            Motion::Particle => Wrench {
                force: w.force,
                torque: zero,
            },
            Motion::Free => *w,
            Motion::Planar(n) => Wrench {
                force: w.force - n * n.dot(&w.force),
                torque: n * n.dot(&w.torque),
            },
        }
    }

    /// A wrench at the centre of mass as one about the origin, as far as the world does not take it up.
    pub fn about_origin(&self, pose: &Pose, w: &Wrench) -> Wrench {
        let mut moved = Wrench {
            force: w.force,
            torque: w.torque + pose.position.cross(&w.force),
        };
        if matches!(self.motion, Motion::Planar(_)) {
            moved.torque = self.felt(&moved).torque;
        }
        moved
    }

    /// Velocities of a momentum.
    pub fn twist(&self, pose: &Pose, p: &Wrench) -> Twist {
        let w = match &self.motion {
            Motion::Static => return Twist::default(),
            Motion::Particle => Vector3::zeros(),
            Motion::Free => pose.directors * (self.inverse * pose.directors.tr_mul(&p.torque)),
            Motion::Planar(n) => {
                let axis = pose.directors.tr_mul(n);
                n * (n.dot(&p.torque) / axis.dot(&(self.inertia * axis)))
            }
        };
        Twist {
            v: p.force / self.mass,
            w,
        }
    }

    /// Ψ of a step: J Ψ = h exp(−Ψ̂/2) Π′ by Newton's method, to stagnation; `None` if it fails.
    pub fn turn(&self, pose: &Pose, torque: &Vector3<f64>, h: f64) -> Option<Vector3<f64>> {
        let target = pose.directors.tr_mul(torque) * h;
        match &self.motion {
            Motion::Static | Motion::Particle => return Some(Vector3::zeros()),
            Motion::Planar(n) => {
                let axis = pose.directors.tr_mul(n);
                return Some(axis * (axis.dot(&target) / axis.dot(&(self.inertia * axis))));
            }
            Motion::Free => {}
        }
        let scale = target.amax() + f64::MIN_POSITIVE;
        let mut psi = self.inverse * target;
        let mut best = f64::INFINITY;
        for _ in 0..50 {
            let half = psi * -0.5;
            let m = target + exp_minus_identity(&half) * target;
            let r = self.inertia * psi - m;
            let size = r.amax();
            if size == 0.0 || (size >= 0.5 * best && best <= STALLED * scale) {
                return Some(psi);
            }
            best = best.min(size);
            let jacobian = self.inertia - hat(&m) * dexp(&half) * 0.5;
            psi -= jacobian.try_inverse()? * r;
        }
        None
    }

    /// Unit twists the body may have.
    pub fn columns(&self) -> Vec<Twist> {
        let zero = Vector3::zeros();
        let units = [Vector3::x(), Vector3::y(), Vector3::z()];
        let slides = units.map(|v| Twist { v, w: zero });
        let spins = units.map(|w| Twist { v: zero, w });
        match &self.motion {
            Motion::Static => Vec::new(),
            Motion::Particle => slides.to_vec(),
            Motion::Free => [slides, spins].concat(),
            Motion::Planar(n) => {
                let side = n.cross(&units[n.iamin()]).normalize();
                vec![
                    Twist { v: side, w: zero },
                    Twist {
                        v: n.cross(&side),
                        w: zero,
                    },
                    Twist { v: zero, w: *n },
                ]
            }
        }
    }
}

fn unsupported(reason: String) -> SimulateError {
    SimulateError::Unsupported {
        integrator: "Newmark",
        reason,
        fix: "use the variational integrator",
    }
}
