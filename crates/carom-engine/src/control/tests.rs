//! Retractions against differences; Lyapunov functions of closed loops.
#![allow(non_snake_case)]

use nalgebra::{Matrix3, Vector3};

use super::*;

type Vec3 = Vector3<f64>;
type Mat3 = Matrix3<f64>;

/// Twice the axial vector.
fn axial(R: &Mat3) -> Vec3 {
    Vec3::new(
        R[(2, 1)] - R[(1, 2)],
        R[(0, 2)] - R[(2, 0)],
        R[(1, 0)] - R[(0, 1)],
    )
}

const BOTH: [Retraction; 2] = [Retraction::Exponential, Retraction::Cayley];

/// Uniform numbers in [−1, 1) (SplitMix64).
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next()) * size
    }
}

#[test]
fn retractions_are_rotations_and_invert() {
    let mut random = Random(1);
    for _ in 0..1000 {
        for map in BOTH {
            let xi = random.vector(1.8);
            let R = map.map(&xi);
            assert!((R.tr_mul(&R) - Mat3::identity()).norm() < 1e-14);
            assert!((map.inverse(&R) - xi).norm() < 1e-12, "{map:?} {xi}");
            let product = map.tangent(&xi) * map.tangent_inverse(&xi);
            assert!((product - Mat3::identity()).norm() < 1e-12, "{map:?} {xi}");
        }
    }
    // Half a turn about an axis has a logarithm.
    let half =
        Retraction::Exponential.map(&(Vec3::new(1.0, 2.0, 2.0) / 3.0 * std::f64::consts::PI));
    let angle = Retraction::Exponential.inverse(&half).norm();
    assert!((angle - std::f64::consts::PI).abs() < 1e-7);
    assert_eq!(
        Retraction::Exponential.inverse(&Mat3::identity()),
        Vec3::zeros()
    );
}

#[test]
fn tangents_agree_with_differences() {
    let mut random = Random(2);
    for _ in 0..200 {
        for map in BOTH {
            for size in [1.5, 1e-5] {
                let (xi, rate) = (random.vector(size), random.vector(1.0));
                let h = 1e-6;
                let [a, b] = [-h, h].map(|h| map.map(&(xi + rate * h)));
                let spin = axial(&((b - a) / (2.0 * h) * map.map(&xi).transpose())) * 0.5;
                let told = map.tangent(&xi) * rate;
                assert!((spin - told).norm() < 1e-8, "{map:?} {size}");
            }
        }
    }
}

/// The closed loop (4.28) with its derivatives: x, v, R, ω.
fn slope(law: &Tracking, m: &Motion, wanted: &Reference) -> (Vec3, Vec3, Vec3) {
    let c = law.command(m, wanted, [Vec3::zeros(); 2]);
    let J = law.inertia;
    let w = m.angular_velocity;
    let spin = J.try_inverse().unwrap() * ((J * w).cross(&w) + c.torque);
    (m.velocity, c.force / law.mass, spin)
}

/// One step of the fourth-order method on the group: stages by the exponential map, its tangent inverse
/// on rates (left-trivialised, hence the sign).
fn advance(law: &Tracking, m: &Motion, h: f64, wanted: &dyn Fn(f64) -> Reference) -> Motion {
    let exp = Retraction::Exponential;
    let stage = |k: &(Vec3, Vec3, Vec3, Vec3), h: f64| Motion {
        position: m.position + k.0 * h,
        velocity: m.velocity + k.1 * h,
        orientation: m.orientation * exp.map(&(k.2 * h)),
        angular_velocity: m.angular_velocity + k.3 * h,
    };
    let rate = |k: &(Vec3, Vec3, Vec3, Vec3), t: f64| {
        let s = stage(k, t);
        let (x, v, w) = slope(law, &s, &wanted(t));
        (
            x,
            v,
            exp.tangent_inverse(&(-k.2 * t)) * s.angular_velocity,
            w,
        )
    };
    let zero = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    let k1 = rate(&zero, 0.0);
    let k2 = rate(&k1, 0.5 * h);
    let k3 = rate(&k2, 0.5 * h);
    let k4 = rate(&k3, h);
    let sum = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (a + (b + c) * 2.0 + d) / 6.0;
    let k = (
        sum(k1.0, k2.0, k3.0, k4.0),
        sum(k1.1, k2.1, k3.1, k4.1),
        sum(k1.2, k2.2, k3.2, k4.2),
        sum(k1.3, k2.3, k3.3, k4.3),
    );
    stage(&k, h)
}

fn law(retraction: Retraction) -> Tracking {
    Tracking {
        mass: 1.2,
        inertia: Mat3::from_diagonal(&Vec3::new(0.01, 0.01, 0.002)),
        position_gain: 1.0,
        velocity_gain: 2.0,
        orientation_gain: 0.02,
        angular_velocity_gain: 0.02,
        retraction,
    }
}

/// The dock of the CubeSats.
const DOCKED: f64 = 0.124;

fn dipole() -> VirtualDipole {
    let docked = (
        Vec3::new(DOCKED, 0.0, 0.0),
        Mat3::from_diagonal(&Vec3::new(-1.0, -1.0, 1.0)),
    );
    VirtualDipole::new(Vec3::zeros(), Vec3::x(), 0.05, docked)
}

/// Nowhere along a closed loop does V rise by more than round-off and the integrator leave of it.
fn assert_never_rises(
    law: &Tracking,
    start: Motion,
    dipole: VirtualDipole,
    h: f64,
    steps: usize,
) -> [f64; 2] {
    let (mut m, mut now) = (start, dipole);
    let value = |m: &Motion, at: &VirtualDipole| {
        law.command(m, &at.reference(), [Vec3::zeros(); 2]).lyapunov
    };
    let first = value(&m, &now);
    let mut last = first;
    for step in 0..steps {
        m = advance(law, &m, h, &|t: f64| now.after(t));
        now.advance(h);
        let v = value(&m, &now);
        assert!(
            v <= last * (1.0 + 1e-9) + 1e-9 * first,
            "{:?} step {step}: {last} to {v}",
            law.retraction
        );
        last = v;
    }
    [first, last]
}

#[test]
fn lyapunov_functions_never_rise_from_a_thousand_random_states() {
    let mut random = Random(3);
    for k in 0..1000 {
        for retraction in BOTH {
            let law = law(retraction);
            // Errors of up to 150 degrees: away from the cut locus.
            let axis = random.vector(1.0).normalize();
            let angle = 0.5 * (random.next() + 1.0) * 150f64.to_radians();
            let turn = Retraction::Exponential.map(&(axis * angle));
            let mut way = dipole();
            if k % 2 == 0 {
                way = way.soft(1.0, 0.1, 0.03);
            }
            way.begin(
                Vec3::new(0.5, 0.0, 0.0) + random.vector(0.1),
                random.vector(0.1),
            );
            let start = way.reference();
            let m = Motion {
                position: start.position + random.vector(0.2),
                velocity: random.vector(0.1),
                orientation: start.orientation * turn,
                angular_velocity: random.vector(0.5),
            };
            let [first, last] = assert_never_rises(&law, m, way, 2e-3, 60);
            assert!(last < first, "{retraction:?} {k}");
        }
    }
}

#[test]
fn lyapunov_functions_never_rise_on_the_whole_way_to_the_dock() {
    let mut random = Random(4);
    for retraction in BOTH {
        for _ in 0..4 {
            // The printed gains.
            let law = Tracking {
                position_gain: 1.2,
                velocity_gain: 9.6,
                orientation_gain: 1.0,
                angular_velocity_gain: 0.3,
                ..law(retraction)
            };
            let mut way = dipole().soft(2.0, 0.12, 0.03);
            let start = Vec3::new(0.45, 0.0, 0.0) + random.vector(0.05);
            let velocity = random.vector(0.01);
            way.begin(start, velocity);
            let turn = Retraction::Exponential.map(&random.vector(0.8));
            let m = Motion {
                position: start,
                velocity,
                orientation: way.reference().orientation * turn,
                angular_velocity: random.vector(0.01),
            };
            let [first, last] = assert_never_rises(&law, m, way, 2e-3, 4000);
            assert!(last < 1e-8 * first, "{first} {last}");
        }
    }
}

/// Values of a reference agree with differences of it; returns how far it got.
fn assert_smooth(way: &VirtualDipole, h: f64, tolerance: f64) {
    let [a, b, c] = [-h, 0.0, h].map(|t| way.after(t));
    let v = (c.position - a.position) / (2.0 * h);
    assert!((v - b.velocity).norm() < tolerance, "{v} {}", b.velocity);
    let v = (c.velocity - a.velocity) / (2.0 * h);
    assert!(
        (v - b.acceleration).norm() < tolerance,
        "{v} {}",
        b.acceleration
    );
    let turn = |a: &Reference, c: &Reference| {
        Retraction::Exponential.inverse(&a.orientation.tr_mul(&c.orientation))
    };
    let spin = turn(&a, &c) / (2.0 * h);
    assert!((spin - b.angular_velocity).norm() < tolerance);
    let spin = (c.angular_velocity - a.angular_velocity) / (2.0 * h);
    assert!((spin - b.angular_acceleration).norm() < 1e3 * tolerance);
    assert!((b.orientation.determinant() - 1.0).abs() < 1e-12);
}

#[test]
fn field_lines_are_those_of_the_printed_formula() {
    let mut way = dipole();
    for start in [
        Vec3::new(0.45, -0.03, 0.01),
        Vec3::new(0.4, 0.3, 0.0),
        Vec3::new(0.5, 0.0, 0.0),
        Vec3::new(-0.2, 0.1, 0.3),
    ] {
        way.begin(start, Vec3::zeros());
        assert!((way.reference().position - start).norm() < 1e-14);
        while way.duration() > 0.5 && way.state().2 < way.duration() - 0.1 {
            let r = way.reference();
            // v = −η b_v, thesis (4.41), and its first director looks along it.
            let d = r.position.normalize();
            let v = (Vec3::x() - d * (3.0 * d.x)) * 0.05;
            assert!((r.velocity - v).norm() < 1e-13, "{} {v}", r.velocity);
            assert!((r.orientation.column(0) - v.normalize()).norm() < 1e-9);
            assert_smooth(&way, 1e-4, 1e-6);
            way.advance(0.3);
        }
    }
}

#[test]
fn a_soft_way_begins_with_the_body_and_ends_at_the_dock() {
    let mut random = Random(5);
    for _ in 0..50 {
        let mut way = dipole().soft(2.0, 0.12, 0.03);
        let start = Vec3::new(0.45, 0.0, 0.0) + random.vector(0.1);
        let velocity = random.vector(0.02);
        way.begin(start, velocity);
        let r = way.reference();
        assert!((r.position - start).norm() < 1e-14);
        assert!((r.velocity - velocity).norm() < 1e-14);
        assert!((3.0..9.0).contains(&way.duration()), "{}", way.duration());
        while !way.arrived() {
            assert_smooth(&way, 1e-4, 1e-5);
            let r = way.reference();
            assert!(r.velocity.norm() < 0.15);
            // The last part is straight and in line.
            if r.position.x < DOCKED + 0.03 {
                assert!(r.position.yz().norm() < 1e-12);
                assert!((r.orientation - dipole().reference().orientation).norm() < 1e-12);
            }
            way.advance(0.05);
        }
        assert_eq!(way.reference(), dipole().reference());
    }
    // From where no line leads to the dock it goes straight, and no faster.
    let mut way = dipole().soft(2.0, 0.12, 0.03);
    for start in [Vec3::new(-0.5, 0.0, 0.0), Vec3::new(0.05, 0.3, 0.0)] {
        way.begin(start, Vec3::zeros());
        assert_eq!(way.reference().position, start);
        while !way.arrived() {
            assert_smooth(&way, 1e-4, 1e-5);
            assert!(way.reference().velocity.norm() < 0.1 + 1e-12);
            way.advance(0.1);
        }
    }
}
