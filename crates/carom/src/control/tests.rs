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
            let dipole = VirtualDipole::new(
                Vec3::zeros(),
                Vec3::x(),
                0.05,
                (
                    Vec3::new(0.124, 0.0, 0.0),
                    Mat3::from_diagonal(&Vec3::new(-1.0, -1.0, 1.0)),
                ),
                Vec3::new(0.5, 0.0, 0.0) + random.vector(0.1),
            );
            let start = dipole.reference();
            let mut m = Motion {
                position: start.position + random.vector(0.2),
                velocity: random.vector(0.1),
                orientation: start.orientation * turn,
                angular_velocity: random.vector(0.5),
            };
            let h = 1e-3;
            let mut now = dipole;
            let value = |m: &Motion, at: &VirtualDipole| {
                law.command(m, &at.reference(), [Vec3::zeros(); 2]).lyapunov
            };
            let mut last = value(&m, &now);
            let first = last;
            for _ in 0..100 {
                let wanted = |t: f64| {
                    let mut at = now;
                    at.advance(t);
                    at.reference()
                };
                m = advance(&law, &m, h, &wanted);
                now.advance(h);
                let v = value(&m, &now);
                assert!(
                    v <= last * (1.0 + 1e-6) + 1e-10,
                    "{retraction:?} {k}: {last} to {v}"
                );
                last = v;
            }
            assert!(last < first);
        }
    }
}

#[test]
fn the_dipole_leads_to_the_dock() {
    let docked = (
        Vec3::new(0.124, 0.0, 0.0),
        Mat3::from_diagonal(&Vec3::new(-1.0, -1.0, 1.0)),
    );
    let start = Vec3::new(0.45, -0.03, 0.01);
    let mut dipole = VirtualDipole::new(Vec3::zeros(), Vec3::x(), 0.05, docked, start);
    let mut time = 0.0;
    while !dipole.arrived() && time < 60.0 {
        let r = dipole.reference();
        let speed = r.velocity.norm();
        assert!((0.05..=0.1 + 1e-12).contains(&speed));
        assert!((r.orientation.determinant() - 1.0).abs() < 1e-12);
        // The first director looks where it goes.
        assert!((r.orientation.column(0) - r.velocity / speed).norm() < 1e-12);
        dipole.advance(1e-2);
        // Rates are those of the frames.
        let next = dipole.reference();
        let spun = Retraction::Exponential.inverse(&r.orientation.tr_mul(&next.orientation)) / 1e-2;
        let mean = (r.angular_velocity + next.angular_velocity) * 0.5;
        assert!(
            dipole.arrived() || (spun - mean).norm() < 1e-4,
            "{spun} {mean}"
        );
        time += 1e-2;
    }
    assert!(dipole.arrived() && time < 10.0, "{time}");
}
