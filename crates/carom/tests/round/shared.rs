//! What tests of round bodies share: how a scene starts, and coins by their equations of motion.

use carom::scenario::Scenario;
use carom::simulate::Simulation;
use nalgebra::{Matrix3, Rotation3, Vector3};

pub const G: f64 = 9.81;

/// Sets up the run of a scenario text.
pub fn start(text: &str) -> Simulation {
    let scenario = Scenario::parse("test.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let model = scenario.build().unwrap_or_else(|e| panic!("{e}"));
    Simulation::new(model, scenario.settings.simulator()).unwrap_or_else(|e| panic!("{e}"))
}

/// A vector as scenario files have it.
pub fn list(v: Vector3<f64>) -> String {
    format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z)
}

/// A coin of radius a and half thickness b (none: a thin disc) that rolls on its lower rim without slipping.
///
/// With r from its centre to the contact: v = −ω × r and
/// (J + m (r² − r rᵀ)) ω̇ = −ω × J ω + m r × (g z − ω × ṙ).
pub struct Coin {
    a: f64,
    b: f64,
    pub frame: Matrix3<f64>,
    pub spin: Vector3<f64>,
    pub centre: Vector3<f64>,
}

impl Coin {
    /// Inertia across the axis and about it, per mass.
    pub fn inertia(&self) -> [f64; 2] {
        let (a, b) = (self.a, self.b);
        [0.25 * a * a + b * b / 3.0, 0.5 * a * a]
    }

    /// From the centre to the lowest point of the rim, where the axis n leans.
    pub fn arm(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let up = Vector3::z() - n * n.z;
        -up.normalize() * self.a - n * self.b
    }

    /// ω̇ and the velocity of the centre.
    pub fn rates(&self, frame: &Matrix3<f64>, w: &Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
        let z = Vector3::z();
        let n = frame.column(2).into_owned();
        let r = self.arm(&n);
        let tilt = w.cross(&n);
        let up = z - n * n.z;
        let out = -up.normalize();
        let change = -(tilt * n.z + n * tilt.z);
        let turned = (change - out * out.dot(&change)) / -up.norm();
        let moved = turned * self.a - tilt * self.b;
        let [across, about] = self.inertia();
        let inertia = Matrix3::identity() * across + n * n.transpose() * (about - across);
        let all = inertia + Matrix3::identity() * r.norm_squared() - r * r.transpose();
        let torque = r.cross(&(z * G - w.cross(&moved))) - w.cross(&(inertia * w));
        (all.try_inverse().unwrap() * torque, -w.cross(&r))
    }

    /// One step of the classical Runge–Kutta method.
    pub fn step(&mut self, h: f64) {
        let turned = |by: Vector3<f64>| Rotation3::new(by).into_inner() * self.frame;
        let w = self.spin;
        let (k1, v1) = self.rates(&self.frame, &w);
        let w2 = w + k1 * (0.5 * h);
        let (k2, v2) = self.rates(&turned(w * (0.5 * h)), &w2);
        let w3 = w + k2 * (0.5 * h);
        let (k3, v3) = self.rates(&turned(w2 * (0.5 * h)), &w3);
        let w4 = w + k3 * h;
        let (k4, v4) = self.rates(&turned(w3 * h), &w4);
        self.frame = turned((w + w2 * 2.0 + w3 * 2.0 + w4) * (h / 6.0));
        self.spin += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
        self.centre += (v1 + v2 * 2.0 + v3 * 2.0 + v4) * (h / 6.0);
    }

    /// The same coin as a scene.
    pub fn scene(&self, lean: f64, h: f64) -> Simulation {
        let (_, velocity) = self.rates(&self.frame, &self.spin);
        start(&format!(
            "gravity = [0, 0, -{G}]\n[halfspace.floor]\nnormal = [0, 0, 1]\n[body.coin]\n\
             shape = {{ cylinder = {{ radius = {:?}, height = {:?} }} }}\nmass = 0.1\n\
             position = {}\nrotation = [0, {lean:?}, 0]\nangular_velocity = {}\nvelocity = {}\n\
             [contact]\nrestitution = 0\nfriction = 2\n[simulate]\nduration = 1\nstep = {h:?}\n",
            self.a,
            2.0 * self.b,
            list(self.centre),
            list(self.spin),
            list(velocity),
        ))
    }

    /// A coin that stands on its rim at the origin, its axis leaned about y.
    pub fn new(a: f64, b: f64, lean: f64, spin: Vector3<f64>) -> Self {
        let frame = Rotation3::new(Vector3::y() * lean).into_inner();
        let mut coin = Self {
            a,
            b,
            frame,
            spin,
            centre: Vector3::zeros(),
        };
        coin.centre = -coin.arm(&frame.column(2).into_owned());
        coin
    }
}
