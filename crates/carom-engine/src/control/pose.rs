//! Controllers of the pose of one body: PD, PID, and the tracking law of thesis 4.5.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::aim::Aim;
use super::controller::{Controller, Quantity, Sight, View};
use super::{Motion, Tracking};
use crate::mechanics::{Covector, Share, potential_forces};
use crate::model::{Actuator, BodyId, BodyKind, Frame, Model, Target};

type Vec3 = Vector3<f64>;

/// How forces and torques on a body are told to its actuator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Port {
    frame: Frame,
    point: Vec3,
}

impl Port {
    /// The body that an actuator pushes, and how; `None` for actuators of joints and coordinates.
    pub fn of(actuator: &Actuator) -> Option<(BodyId, Self)> {
        match &actuator.target {
            Target::Wrench { body, point, frame } => Some((
                *body,
                Self {
                    frame: *frame,
                    point: *point,
                },
            )),
            _ => None,
        }
    }

    /// Components of a force at the centre of mass and a torque, both in world axes.
    pub fn tell(&self, pose: &Pose, force: Vec3, torque: Vec3, output: &mut [f64]) {
        let arm = pose.directors * self.point;
        let (mut f, mut t) = (force, torque - arm.cross(&force));
        if self.frame == Frame::Body {
            (f, t) = (pose.directors.tr_mul(&f), pose.directors.tr_mul(&t));
        }
        output[..3].copy_from_slice(f.as_slice());
        output[3..6].copy_from_slice(t.as_slice());
    }
}

/// A controller of a body's pose.
#[derive(Debug)]
pub struct PoseController {
    law: Tracking,
    /// Gains of the integrals of the errors of position and orientation.
    integral_gains: [f64; 2],
    integrals: [Vec3; 2],
    aim: Aim,
    sight: Sight,
    port: Port,
    body: BodyId,
    /// Whether it makes up for potentials.
    compensates: bool,
    share: Share,
    potential: Vec<Covector>,
}

impl PoseController {
    /// The law of thesis (4.40) for a body: feedback and what the reference needs. The mass and inertia of the
    /// law are set to those of the body. Gravity, springs and charges are made up for.
    pub fn tracking(
        model: &Model,
        body: BodyId,
        port: Port,
        law: Tracking,
        aim: Aim,
        sight: Sight,
    ) -> Self {
        let inertia = match &model.body(body).kind {
            // J = tr(E) I − E
            BodyKind::Rigid {
                euler_tensor: e, ..
            } => Matrix3::identity() * e.trace() - e,
            _ => Matrix3::zeros(),
        };
        Self {
            law: Tracking {
                mass: model.body(body).mass(),
                inertia,
                ..law
            },
            integral_gains: [0.0; 2],
            integrals: [Vec3::zeros(); 2],
            aim,
            sight,
            port,
            body,
            compensates: true,
            share: Share::all(model),
            potential: vec![Covector::default(); model.bodies().len()],
        }
    }

    /// PID: feedback alone. Of the law only gains and retraction count.
    pub fn pid(
        model: &Model,
        body: BodyId,
        port: Port,
        law: Tracking,
        integral_gains: [f64; 2],
        aim: Aim,
        sight: Sight,
    ) -> Self {
        let mut own = Self::tracking(model, body, port, law, aim, sight);
        // Without inertia the law is feedback alone.
        (own.law.mass, own.law.inertia) = (0.0, Matrix3::zeros());
        own.integral_gains = integral_gains;
        own.compensates = false;
        own
    }

    /// Says whether gravity, springs and charges are made up for.
    pub fn compensate(mut self, yes: bool) -> Self {
        self.compensates = yes;
        self
    }

    fn is_tracking(&self) -> bool {
        self.law.mass > 0.0
    }

    /// Known forces (world axes) and torques (body axes).
    fn external(&mut self, view: &View, now: &Motion) -> [Vec3; 2] {
        if !self.compensates {
            return [Vec3::zeros(); 2];
        }
        let simulation = view.simulation();
        let poses = &simulation.state().poses;
        potential_forces(simulation.model(), &self.share, poses, &mut self.potential);
        let w = self.potential[self.body.index()].wrench(&now.orientation);
        [w.force, now.orientation.tr_mul(&w.torque)]
    }
}

impl Controller for PoseController {
    fn quantities(&self) -> Vec<Quantity> {
        let mut list = Vec::new();
        for (name, unit, meaning) in [
            ("position_error", "m", "position less the reference"),
            (
                "velocity_error",
                "m/s",
                "velocity less that of the reference",
            ),
            (
                "orientation_error",
                "rad",
                "turn from the body to the reference, body axes",
            ),
            (
                "angular_velocity_error",
                "rad/s",
                "angular velocity less that of the reference, body axes",
            ),
        ] {
            list.extend(Quantity::vector(name, unit, meaning));
        }
        if self.integral_gains != [0.0; 2] {
            list.extend(Quantity::vector(
                "position_integral",
                "m s",
                "integral of the error",
            ));
            list.extend(Quantity::vector(
                "orientation_integral",
                "rad s",
                "integral of the error",
            ));
        }
        if self.is_tracking() {
            list.extend([
                Quantity::new("lyapunov", "J", "Lyapunov function of thesis 4.5.4"),
                Quantity::new(
                    "lyapunov_position",
                    "J",
                    "its part of position and velocity",
                ),
                Quantity::new(
                    "lyapunov_orientation",
                    "J",
                    "its part of orientation and spin",
                ),
            ]);
        }
        list
    }

    fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]) {
        let motion = self.sight.motion(now.measured());
        let wanted = self.aim.reference(now, &motion);
        let external = self.external(now, &motion);
        let command = self.law.command(&motion, &wanted, external);
        let [e_x, _, e_r, _] = command.errors;
        let force = command.force - self.integrals[0] * self.integral_gains[0];
        let torque = command.torque + self.integrals[1] * self.integral_gains[1];
        let pose = Pose {
            position: motion.position,
            directors: motion.orientation,
        };
        self.port
            .tell(&pose, force, motion.orientation * torque, output);
        // Errors are not summed up while the actuator is at its limits.
        let within = |range: std::ops::Range<usize>| {
            (output[range.clone()].iter().zip(&now.limits()[range]))
                .all(|(v, [low, high])| low <= v && v <= high)
        };
        for (k, error) in [e_x, e_r].into_iter().enumerate() {
            if self.integral_gains[k] > 0.0 && within(3 * k..3 * k + 3) {
                self.integrals[k] += error * now.interval();
            }
        }
        self.aim.advance(now.interval());
        let mut values = inner.iter_mut();
        let mut put = |numbers: &[f64]| {
            for (value, slot) in numbers.iter().zip(values.by_ref()) {
                *slot = *value;
            }
        };
        command.errors.iter().for_each(|e| put(e.as_slice()));
        if self.integral_gains != [0.0; 2] {
            self.integrals.iter().for_each(|e| put(e.as_slice()));
        }
        if self.is_tracking() {
            let [position, orientation] = self.law.lyapunov(&command.errors);
            put(&[position + orientation, position, orientation]);
        }
    }

    fn state(&self) -> Vec<f64> {
        let mut out: Vec<f64> = self
            .integrals
            .iter()
            .flat_map(|v| [v.x, v.y, v.z])
            .collect();
        out.extend(self.aim.state());
        out
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        let Some((integrals, rest)) = state.split_at_checked(6) else {
            return false;
        };
        for (own, new) in self.integrals.iter_mut().zip(integrals.chunks(3)) {
            own.copy_from_slice(new);
        }
        self.aim.restore(rest)
    }
}
