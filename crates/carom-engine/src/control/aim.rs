//! Where a controlled body should be: fixed, moving with time, seen from another body, along a field line.
#![allow(non_snake_case)]

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::controller::{Sight, View};
use super::plan_path::PlanPath;
use super::{Motion, Reference, Retraction, VirtualDipole};
use crate::mechanics::Twist;
use crate::model::Signal;

type Vec3 = Vector3<f64>;

/// Steps of differences of given functions of time, in s: for rates, and for rates of rates.
const RATE: f64 = 1e-5;
const RATE_OF_RATE: f64 = 1e-3;

/// A reference that a controller follows.
#[derive(Clone, Debug)]
pub enum Aim {
    /// Functions of time in world axes: position and rotation vector.
    Signals {
        /// Of the centre of mass.
        position: [Signal; 3],
        /// Axis times angle.
        rotation: [Signal; 3],
    },
    /// A pose as a body sees it, which may move.
    Relative {
        /// The body that sees it.
        frame: Sight,
        /// The pose in its axes, from its centre of mass.
        wanted: Pose,
    },
    /// Along the field line of a dipole that a body carries, from where the controlled body is first.
    Dipole {
        /// The body that carries the dipole.
        frame: Sight,
        /// The dipole in its axes; it begins at the first sample.
        dipole: Box<VirtualDipole>,
        /// Whether it has begun.
        begun: bool,
    },
    /// The motion of a body in a plan.
    Plan {
        /// The plan.
        path: PlanPath,
        /// Which body.
        body: usize,
    },
}

/// Derivative of a given function of time.
pub(super) fn rate(signal: &Signal, t: f64) -> f64 {
    match signal {
        Signal::Constant(_) => 0.0,
        _ => (signal.at(t + RATE) - signal.at(t - RATE)) / (2.0 * RATE),
    }
}

/// Its second derivative.
pub(super) fn rate_of_rate(signal: &Signal, t: f64) -> f64 {
    let h = RATE_OF_RATE;
    match signal {
        Signal::Constant(_) => 0.0,
        _ => (signal.at(t + h) - 2.0 * signal.at(t) + signal.at(t - h)) / (h * h),
    }
}

impl Aim {
    /// The reference now, of a body that is at `now`. Its accelerations are those halfway to the next sample: what
    /// they ask for is held until then, and so gives velocities to second order.
    pub fn reference(&mut self, view: &View, now: &Motion) -> Reference {
        let wanted = self.after(view, now, 0.0);
        let halfway = self.after(view, now, 0.5 * view.interval());
        Reference {
            acceleration: halfway.acceleration,
            angular_acceleration: halfway.angular_acceleration,
            ..wanted
        }
    }

    /// The reference after a time.
    fn after(&mut self, view: &View, now: &Motion, later: f64) -> Reference {
        let time = view.time() + later;
        match self {
            Aim::Signals { position, rotation } => signals(position, rotation, time),
            Aim::Relative { frame, wanted } => {
                let (pose, twist) = frame.look(view.measured());
                let still = Reference::still(wanted.position, wanted.directors);
                still.carried(&pose, &twist)
            }
            Aim::Dipole {
                frame,
                dipole,
                begun,
            } => {
                let (pose, twist) = frame.look(view.measured());
                if !*begun {
                    let arm = now.position - pose.position;
                    let moving = now.velocity - twist.v - twist.w.cross(&arm);
                    let [arm, moving] = [arm, moving].map(|x| pose.directors.tr_mul(&x));
                    dipole.begin(arm, moving);
                    *begun = true;
                }
                dipole.after(later).carried(&pose, &twist)
            }
            Aim::Plan { path, body } => path.reference(*body, time),
        }
    }

    /// Goes on to the next sample.
    pub fn advance(&mut self, interval: f64) {
        if let Aim::Dipole { dipole, .. } = self {
            dipole.advance(interval);
        }
    }

    /// What it remembers.
    pub fn state(&self) -> Vec<f64> {
        match self {
            Aim::Dipole { dipole, begun, .. } => {
                let (x, v, time) = dipole.state();
                let begun = f64::from(u8::from(*begun));
                vec![begun, x.x, x.y, x.z, v.x, v.y, v.z, time]
            }
            _ => Vec::new(),
        }
    }

    /// Takes it back.
    pub fn restore(&mut self, state: &[f64]) -> bool {
        match (self, state) {
            (Aim::Dipole { dipole, begun, .. }, [b, start @ .., time]) if start.len() == 6 => {
                *begun = *b != 0.0;
                let [x, v] = [&start[..3], &start[3..]].map(Vec3::from_column_slice);
                dipole.restore(x, v, *time);
                true
            }
            (Aim::Dipole { .. }, _) => false,
            (_, state) => state.is_empty(),
        }
    }
}

fn signals(position: &[Signal; 3], rotation: &[Signal; 3], t: f64) -> Reference {
    let three = |s: &[Signal; 3], f: fn(&Signal, f64) -> f64| Vec3::from_fn(|k, _| f(&s[k], t));
    let exp = Retraction::Exponential;
    let R = |t: f64| exp.map(&Vec3::from_fn(|k, _| rotation[k].at(t)));
    let turns = (rotation.iter()).any(|s| !matches!(s, Signal::Constant(_)));
    let spin = |t: f64, h: f64| exp.inverse(&R(t - h).tr_mul(&R(t + h))) / (2.0 * h);
    Reference {
        position: three(position, Signal::at),
        velocity: three(position, rate),
        acceleration: three(position, rate_of_rate),
        orientation: R(t),
        angular_velocity: match turns {
            true => spin(t, RATE),
            false => Vec3::zeros(),
        },
        angular_acceleration: match turns {
            true => {
                let h = RATE_OF_RATE;
                (spin(t + h, RATE) - spin(t - h, RATE)) / (2.0 * h)
            }
            false => Vec3::zeros(),
        },
    }
}

impl Reference {
    /// A pose at rest.
    pub fn still(position: Vec3, orientation: Matrix3<f64>) -> Self {
        Self {
            position,
            velocity: Vec3::zeros(),
            acceleration: Vec3::zeros(),
            orientation,
            angular_velocity: Vec3::zeros(),
            angular_acceleration: Vec3::zeros(),
        }
    }

    /// A reference in the axes of a body that moves steadily, as the world sees it.
    fn carried(&self, frame: &Pose, twist: &Twist) -> Self {
        let (R, w) = (&frame.directors, &twist.w);
        let (x, v) = (R * self.position, R * self.velocity);
        let orientation = R * self.orientation;
        let w_b = orientation.tr_mul(w);
        Self {
            position: frame.position + x,
            velocity: twist.v + w.cross(&x) + v,
            // Centripetal and Coriolis' terms.
            acceleration: R * self.acceleration + w.cross(&(w.cross(&x) + v * 2.0)),
            orientation,
            angular_velocity: self.angular_velocity + w_b,
            angular_acceleration: self.angular_acceleration - self.angular_velocity.cross(&w_b),
        }
    }
}
