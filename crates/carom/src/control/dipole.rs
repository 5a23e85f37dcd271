//! References along virtual field lines, thesis 4.5.5.
#![allow(non_snake_case)]

use nalgebra::{Matrix3, Vector3};

use super::plan_path::cubic;
use super::{Reference, Retraction};

type Vec3 = Vector3<f64>;
type Mat3 = Matrix3<f64>;

/// A reference along the field line of a dipole in the receiving craft, thesis (4.41): speed η |b|, first
/// director along the way, second as near as can be to that of the docked pose, (4.30).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VirtualDipole {
    /// Where the dipole is.
    pub center: Vec3,
    /// c₀: its direction, a unit vector.
    pub moment: Vec3,
    /// η, m/s; the speed is between η and 2η.
    pub speed: f64,
    /// φ̃₀ and R̃₀.
    pub docked: (Vec3, Mat3),
    /// Distance from the docked place at which it leaves the field line and brakes evenly, m. Without, it
    /// stops there at once, with a jump.
    pub brake: f64,
    position: Vec3,
    /// Time since it began to brake.
    braking: Option<f64>,
}

impl VirtualDipole {
    /// Begins at a place, which is not the dipole's.
    pub fn new(center: Vec3, moment: Vec3, speed: f64, docked: (Vec3, Mat3), start: Vec3) -> Self {
        Self {
            center,
            moment: moment.normalize(),
            speed,
            docked,
            brake: 0.0,
            position: start,
            braking: None,
        }
    }

    /// −b_v, whose direction is that of the motion.
    fn way(&self, at: &Vec3) -> Vec3 {
        let d = (at - self.center).normalize();
        self.moment - d * (3.0 * self.moment.dot(&d))
    }

    /// The place after a time (Runge and Kutta's fourth order).
    fn after(&self, at: &Vec3, h: f64) -> Vec3 {
        let v = |x: &Vec3| self.way(x) * self.speed;
        let k1 = v(at);
        let k2 = v(&(at + k1 * (0.5 * h)));
        let k3 = v(&(at + k2 * (0.5 * h)));
        let k4 = v(&(at + k3 * h));
        at + (k1 + (k2 + k3) * 2.0 + k4) * (h / 6.0)
    }

    /// R_d at a place.
    fn frame(&self, at: &Vec3) -> Mat3 {
        let d1 = self.way(at).normalize();
        let e2: Vec3 = self.docked.1.column(1).into();
        let a2 = (e2 - d1 * d1.dot(&e2)).normalize();
        Mat3::from_columns(&[d1, a2, d1.cross(&a2)])
    }

    /// Goes on by a time; at the docked place it stays.
    pub fn advance(&mut self, h: f64) {
        if let Some(time) = &mut self.braking {
            *time += h;
            return;
        }
        let reach = (self.docked.0 - self.center).norm() + self.brake;
        self.position = self.after(&self.position, h);
        if (self.position - self.center).norm() <= reach {
            self.braking = Some(0.0);
        }
    }

    /// Time that braking takes: even braking goes half as far as going on would.
    fn braking_time(&self) -> f64 {
        let speed = self.way(&self.position).norm() * self.speed;
        2.0 * (self.docked.0 - self.position).norm().min(2.0 * self.brake) / speed
    }

    /// Begins at another place.
    pub fn begin(&mut self, start: Vec3) {
        (self.position, self.braking) = (start, None);
    }

    /// Where it is on the field line, or left it, and the time since then.
    pub fn state(&self) -> (Vec3, Option<f64>) {
        (self.position, self.braking)
    }

    /// Goes on from what [`state`](Self::state) gave.
    pub fn restore(&mut self, position: Vec3, braking: Option<f64>) {
        (self.position, self.braking) = (position, braking);
    }

    /// Whether the docked place is reached.
    pub fn arrived(&self) -> bool {
        self.braking.is_some_and(|time| time >= self.braking_time())
    }

    /// The reference now.
    pub fn reference(&self) -> Reference {
        let docked = Reference::still(self.docked.0, self.docked.1);
        match self.braking {
            None => self.on_line(),
            Some(time) => {
                let whole = self.braking_time();
                match time < whole {
                    true => cubic(&self.on_line(), &docked, time / whole, whole),
                    false => docked,
                }
            }
        }
    }

    /// The reference on the field line.
    fn on_line(&self) -> Reference {
        // Rates along the smooth curve by central differences over a millisecond: to about 1e-6 of them.
        let h = 1e-3;
        let x = self.position;
        let ends = [-h, h].map(|h| self.after(&x, h));
        let velocity = self.way(&x) * self.speed;
        let [before, next] = ends.map(|x| self.way(&x) * self.speed);
        let R = self.frame(&x);
        let [R0, R1] = ends.map(|x| self.frame(&x));
        let log = |R: Mat3| Retraction::Exponential.inverse(&R);
        let (back, ahead) = (log(R0.tr_mul(&R)), log(R.tr_mul(&R1)));
        Reference {
            position: x,
            velocity,
            acceleration: (next - before) / (2.0 * h),
            orientation: R,
            angular_velocity: (back + ahead) / (2.0 * h),
            angular_acceleration: (ahead - back) / (h * h),
        }
    }
}
