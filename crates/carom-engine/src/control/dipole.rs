//! References along virtual field lines, thesis 4.5.5.
//!
//! A field line of a dipole with direction c₀ is r = sin²θ/κ in the plane of c₀ and its start, θ being the angle
//! from c₀. The printed speed −η b_v = η (c₀ − 3 d̄ (c₀ · d̄)) makes cos θ grow evenly along it: with z = cos θ,
//!
//! ```text
//! z = z₀ + η κ τ,   r = r₀ − 2 η z₀ τ − η² κ τ²,
//! ```
//!
//! at the height r z above the dipole and √κ r^{3/2} beside its axis. Two things are added to it, each of which can be
//! left out. The printed reference moves off at once, stops at once, and crosses the docked place beside the axis and
//! askew; each of these jumps is an error that the feedback has to work off. **In time** τ(t) sets out and stops
//! smoothly, and the velocity that the body has at the start fades out: there are no errors of position and velocity
//! at the start, and none later. **In space** the line is led on to the axis while it brakes, and the last part of the
//! way is straight. The first director looks along the way, (4.30), also where that stands still.
#![allow(non_snake_case)]

use nalgebra::{Matrix3, Vector3};

use super::{Reference, Retraction};

type Vec3 = Vector3<f64>;
type Mat3 = Matrix3<f64>;

/// Step of the differences that give rates of the frame, s: they are right to about 1e-6 of them.
const DIFFERENCE: f64 = 3e-4;

/// A reference along the field line of a dipole in the receiving craft, thesis (4.41): speed η |b|, first
/// director along the way, second as near as can be to that of the docked pose, (4.30).
///
/// ```
/// use carom::control::VirtualDipole;
/// use nalgebra::{Matrix3, Vector3};
/// let docked = (Vector3::x() * 0.124, Matrix3::from_diagonal(&Vector3::new(-1.0, -1.0, 1.0)));
/// let mut dipole = VirtualDipole::new(Vector3::zeros(), Vector3::x(), 0.05, docked).soft(2.0, 0.1, 0.03);
/// let start = Vector3::new(0.45, -0.03, 0.01);
/// dipole.begin(start, Vector3::zeros());
/// assert!((dipole.reference().position - start).norm() < 1e-15);
/// assert!(dipole.reference().velocity.norm() < 1e-15);
/// dipole.advance(10.0);
/// assert!(dipole.arrived() && (dipole.reference().position - docked.0).norm() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VirtualDipole {
    center: Vec3,
    /// c₀: its direction, a unit vector.
    moment: Vec3,
    /// η, m/s; the speed on the line is between η and 2η.
    speed: f64,
    /// φ̃₀ and R̃₀.
    docked: (Vec3, Mat3),
    /// The docked orientation as the frame of the way sees it at its end, (4.30).
    turned: Mat3,
    start_time: f64,
    brake: f64,
    straight: f64,
    /// Where and how fast it began.
    begin: (Vec3, Vec3),
    time: f64,
    way: Way,
}

/// The way from a start, worked out once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Way {
    /// r₀, z₀, κ and the direction from the axis to the start.
    r: f64,
    z: f64,
    kappa: f64,
    aside: Vec3,
    /// Times to set out, to go on evenly, and to brake; all zero if no line leads there.
    times: [f64; 3],
    /// Where it begins beside the line, and the time in which that fades.
    beside: Vec3,
    fade: f64,
}

/// A place on the way with two derivatives.
type Place = [Vec3; 3];

impl VirtualDipole {
    /// The printed one: it moves off and stops at once. It begins with [`begin`](Self::begin); until then it is at the
    /// docked place.
    pub fn new(center: Vec3, moment: Vec3, speed: f64, docked: (Vec3, Mat3)) -> Self {
        let mut own = Self {
            center,
            moment: moment.normalize(),
            speed,
            docked,
            turned: Mat3::identity(),
            start_time: 0.0,
            brake: 0.0,
            straight: 0.0,
            begin: (docked.0, Vec3::zeros()),
            time: 0.0,
            way: Way::default(),
        };
        own.turned = own.frame(&-own.moment).tr_mul(&docked.1);
        own
    }

    /// Lets it set out in a time, brake over a length, during which it comes on to the axis, and go straight over the
    /// last part. Without braking nothing is straight.
    pub fn soft(mut self, start_time: f64, brake: f64, straight: f64) -> Self {
        (self.start_time, self.brake, self.straight) = (start_time, brake, straight);
        self
    }

    /// Begins at a place, which is not the dipole's, with a velocity.
    pub fn begin(&mut self, start: Vec3, velocity: Vec3) {
        self.begin = (start, velocity);
        self.time = 0.0;
        self.way = self.find(start);
    }

    /// Height of the docked place above the dipole.
    fn height(&self) -> f64 {
        self.moment.dot(&(self.docked.0 - self.center))
    }

    fn find(&self, start: Vec3) -> Way {
        let eta = self.speed;
        let d = start - self.center;
        let r = d.norm();
        let z = (self.moment.dot(&d) / r).clamp(-1.0, 1.0);
        let kappa = (1.0 - z * z) / r;
        let aside = d - self.moment * self.moment.dot(&d);
        let mut way = Way {
            r,
            z,
            kappa,
            aside: aside.try_normalize(0.0).unwrap_or_default(),
            ..Way::default()
        };
        // The height rises to 0.385/κ at z = 1/√3 and falls to zero at τ = r₀/(η (1 + z₀)).
        let mut a = ((1.0 / 3f64.sqrt() - z) / (eta * kappa)).max(0.0);
        let mut b = r / (eta * (1.0 + z));
        let above = |way: &Way, tau: f64| way.height(eta, tau) - self.height();
        if !(b.is_finite() && a.is_finite() && above(&way, a) > 0.0) {
            // No line leads there: straight, no faster than lines do.
            way.beside = start - self.docked.0;
            way.fade = self.start_time.max(1.875 * way.beside.norm() / (2.0 * eta));
            return way;
        }
        for _ in 0..100 {
            let middle = 0.5 * (a + b);
            match above(&way, middle) > 0.0 {
                true => a = middle,
                false => b = middle,
            }
        }
        // Setting out and braking go half as far as going on would.
        let whole = 0.5 * (a + b);
        let end = way.z + eta * kappa * whole;
        let last = eta * (1.0 + 3.0 * end * end).sqrt();
        let (s, b) = (self.start_time, 2.0 * self.brake / last);
        let less = (2.0 * whole / (s + b)).min(1.0);
        let (s, b) = match s + b > 0.0 {
            true => (s * less, b * less),
            false => (0.0, 0.0),
        };
        way.times = [s, whole - 0.5 * (s + b), b];
        way.fade = s;
        let [first, ..] = self.place(&way, 0.0);
        way.beside = start - first;
        way
    }

    /// The place at τ with its derivatives by τ.
    fn place(&self, way: &Way, tau: f64) -> Place {
        let eta = self.speed;
        let (r, z) = way.polar(eta, tau);
        let sine = (way.kappa * r).sqrt();
        // Height above the dipole and distance from its axis.
        let height = [
            r * z,
            eta * (1.0 - 3.0 * z * z),
            -6.0 * eta * eta * way.kappa * z,
        ];
        let beside = [
            r * sine,
            -3.0 * eta * z * sine,
            -3.0 * eta * eta * sine * (way.kappa - z * z / r),
        ];
        // What is left of the distance from the axis through the docked place.
        let at = (height[0] - self.height() - self.straight) / self.brake;
        let [w, w1, w2] = match self.brake > 0.0 {
            true => smoother(at),
            false => [1.0, 0.0, 0.0],
        };
        let left = [
            w,
            w1 * height[1] / self.brake.max(f64::MIN_POSITIVE),
            match self.brake > 0.0 {
                true => w2 * (height[1] / self.brake).powi(2) + w1 * height[2] / self.brake,
                false => 0.0,
            },
        ];
        let axis = self.docked.0 - self.center - self.moment * self.height();
        let off = [
            way.aside * beside[0] - axis,
            way.aside * beside[1],
            way.aside * beside[2],
        ];
        let m = &self.moment;
        [
            self.center + axis + m * height[0] + off[0] * left[0],
            m * height[1] + off[1] * left[0] + off[0] * left[1],
            m * height[2] + off[2] * left[0] + off[1] * (2.0 * left[1]) + off[0] * left[2],
        ]
    }

    /// [d₁ | ā₂ | d₁ × ā₂] with d₁ along the way, (4.30).
    fn frame(&self, way: &Vec3) -> Mat3 {
        let d1 = way.normalize();
        let aligned = |k: usize| -> Vec3 {
            let e: Vec3 = self.docked.1.column(k).into();
            e - d1 * d1.dot(&e)
        };
        // The second director of the docked pose, unless that is the docking direction.
        let second: Vec3 = self.docked.1.column(1).into();
        let k = if second.dot(&self.moment).abs() < 0.9 {
            1
        } else {
            2
        };
        let any = || {
            d1.cross(&Vec3::z())
                .try_normalize(1e-9)
                .unwrap_or(Vec3::y())
        };
        let a2 = aligned(k).try_normalize(1e-9).unwrap_or_else(any);
        Mat3::from_columns(&[d1, a2, d1.cross(&a2)])
    }

    /// R_d at a time.
    fn orientation(&self, t: f64) -> Mat3 {
        if !self.way.is_line() {
            return self.docked.1;
        }
        let [tau, ..] = self.way.along(t);
        let [_, direction, _] = self.place(&self.way, tau);
        self.frame(&direction) * self.turned
    }

    /// Goes on by a time; at the docked place it stays.
    pub fn advance(&mut self, h: f64) {
        self.time += h;
    }

    /// Where and how fast it began, and the time since then.
    pub fn state(&self) -> (Vec3, Vec3, f64) {
        (self.begin.0, self.begin.1, self.time)
    }

    /// Goes on from what [`state`](Self::state) gave.
    pub fn restore(&mut self, start: Vec3, velocity: Vec3, time: f64) {
        self.begin(start, velocity);
        self.time = time;
    }

    /// How long it takes from its start to the docked place.
    pub fn duration(&self) -> f64 {
        let whole: f64 = self.way.times.iter().sum();
        whole.max(self.way.fade)
    }

    /// Whether the docked place is reached.
    pub fn arrived(&self) -> bool {
        self.time >= self.duration()
    }

    /// The reference now.
    pub fn reference(&self) -> Reference {
        self.after(0.0)
    }

    /// The reference after a time.
    pub fn after(&self, later: f64) -> Reference {
        let t = self.time + later;
        if t >= self.duration() {
            return Reference::still(self.docked.0, self.docked.1);
        }
        let way = &self.way;
        let [tau, rate, rate_of_rate] = way.along(t);
        let [x, x1, x2] = match way.is_line() {
            true => self.place(way, tau),
            false => [self.docked.0, Vec3::zeros(), Vec3::zeros()],
        };
        let [beside, own] = way.fading(t);
        let velocity = self.begin.1 * way.fade;
        // Rates of the frame by central differences.
        let h = DIFFERENCE;
        let R = self.orientation(t);
        let [R0, R1] = [-h, h].map(|h| self.orientation(t + h));
        let log = |R: Mat3| Retraction::Exponential.inverse(&R);
        let (back, ahead) = (log(R0.tr_mul(&R)), log(R.tr_mul(&R1)));
        Reference {
            position: x + way.beside * beside[0] + velocity * own[0],
            velocity: x1 * rate + way.beside * beside[1] + velocity * own[1],
            acceleration: x2 * (rate * rate)
                + x1 * rate_of_rate
                + way.beside * beside[2]
                + velocity * own[2],
            orientation: R,
            angular_velocity: (back + ahead) / (2.0 * h),
            angular_acceleration: (ahead - back) / (h * h),
        }
    }
}

impl Way {
    /// Whether a field line leads to the docked place.
    fn is_line(&self) -> bool {
        self.times != [0.0; 3]
    }

    /// r and z at τ.
    fn polar(&self, eta: f64, tau: f64) -> (f64, f64) {
        let r = self.r - (2.0 * self.z + eta * self.kappa * tau) * eta * tau;
        (r.max(f64::MIN_POSITIVE), self.z + eta * self.kappa * tau)
    }

    fn height(&self, eta: f64, tau: f64) -> f64 {
        let (r, z) = self.polar(eta, tau);
        r * z
    }

    /// τ at a time, with its derivatives.
    fn along(&self, t: f64) -> [f64; 3] {
        let [s, even, b] = self.times;
        let later = t - s - even;
        match (s > 0.0 && t < s, b > 0.0 && later > 0.0) {
            (true, _) => {
                let [q, q1, _] = step(t / s);
                [s * risen(t / s), q, q1 / s]
            }
            (_, true) => {
                let [q, q1, _] = step(later / b);
                let gone = (later / b).min(1.0) - risen(later / b);
                [0.5 * s + even + b * gone, 1.0 - q, -q1 / b]
            }
            _ => [t - 0.5 * s, 1.0, 0.0],
        }
    }

    /// What is left of the place beside the line, and of the first velocity times the time in which it fades, with
    /// derivatives.
    fn fading(&self, t: f64) -> [[f64; 3]; 2] {
        let f = self.fade;
        if f == 0.0 || t >= f {
            return [[0.0; 3]; 2];
        }
        let s = t / f;
        let [q, q1, q2] = step(s);
        // s (1 − s)³
        let l = 1.0 - s;
        [
            [1.0 - q, -q1 / f, -q2 / (f * f)],
            [
                s * l * l * l,
                l * l * (1.0 - 4.0 * s) / f,
                -6.0 * l * (1.0 - 2.0 * s) / (f * f),
            ],
        ]
    }
}

/// From 0 to 1 with two derivatives that vanish at both ends: 10 s³ − 15 s⁴ + 6 s⁵, and its derivatives.
fn step(s: f64) -> [f64; 3] {
    if s <= 0.0 {
        return [0.0; 3];
    }
    if s >= 1.0 {
        return [1.0, 0.0, 0.0];
    }
    let l = 1.0 - s;
    [
        s * s * s * (10.0 + s * (6.0 * s - 15.0)),
        30.0 * s * s * l * l,
        60.0 * s * l * (1.0 - 2.0 * s),
    ]
}

/// From 0 to 1 with three derivatives that vanish at both ends, so that a direction that follows its derivative is as
/// smooth as a place that follows [`step`]: 35 s⁴ − 84 s⁵ + 70 s⁶ − 20 s⁷.
fn smoother(s: f64) -> [f64; 3] {
    if s <= 0.0 {
        return [0.0; 3];
    }
    if s >= 1.0 {
        return [1.0, 0.0, 0.0];
    }
    let l = 1.0 - s;
    [
        s * s * s * s * (35.0 + s * (s * (70.0 - 20.0 * s) - 84.0)),
        140.0 * s * s * s * l * l * l,
        420.0 * s * s * l * l * (1.0 - 2.0 * s),
    ]
}

/// The integral of [`step`] from 0.
fn risen(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * s * s * (2.5 + s * (s - 3.0))
}
