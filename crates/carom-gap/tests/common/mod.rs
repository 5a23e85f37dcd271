//! Seeded bodies and poses shared by the tests.
#![allow(dead_code)]

use carom_gap::{Pose, Vertices};
use nalgebra::{Quaternion, Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation as ParryRotation, Vector as ParryVector};
pub use rand::{RngExt, SeedableRng};
pub use rand_chacha::ChaCha8Rng;

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub fn cube(side: f64) -> Vec<Vector3<f64>> {
    let h = 0.5 * side;
    let c = |i: usize, bit: usize| if i >> bit & 1 == 1 { h } else { -h };
    (0..8)
        .map(|i| Vector3::new(c(i, 0), c(i, 1), c(i, 2)))
        .collect()
}

pub fn tetrahedron() -> Vec<Vector3<f64>> {
    [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]]
        .map(|p| Vector3::from(p) * 0.5)
        .to_vec()
}

pub fn prism(n: usize) -> Vec<Vector3<f64>> {
    (0..2 * n)
        .map(|i| {
            let t = std::f64::consts::TAU * (i % n) as f64 / n as f64;
            Vector3::new(0.6 * t.cos(), 0.6 * t.sin(), if i < n { -0.5 } else { 0.5 })
        })
        .collect()
}

pub fn random_points(rng: &mut ChaCha8Rng, count: usize) -> Vec<Vector3<f64>> {
    (0..count).map(|_| in_box(rng, 1.0)).collect()
}

pub fn in_box(rng: &mut ChaCha8Rng, half: f64) -> Vector3<f64> {
    let mut c = || rng.random_range(-half..half);
    Vector3::new(c(), c(), c())
}

pub fn unit(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    loop {
        let v = in_box(rng, 1.0);
        if v.norm() > 0.1 && v.norm() < 1.0 {
            return v.normalize();
        }
    }
}

pub fn rotation(rng: &mut ChaCha8Rng) -> UnitQuaternion<f64> {
    loop {
        let mut c = || rng.random_range(-1.0..1.0);
        let q = Quaternion::new(c(), c(), c(), c());
        if q.norm() > 0.1 && q.norm() < 1.0 {
            return UnitQuaternion::from_quaternion(q);
        }
    }
}

pub fn pose(position: Vector3<f64>, rotation: &UnitQuaternion<f64>) -> Pose {
    Pose {
        position,
        directors: Rotation3::from(*rotation).into_inner(),
    }
}

pub fn parry_vector(v: &Vector3<f64>) -> ParryVector {
    ParryVector::new(v.x, v.y, v.z)
}

/// [`pose`] in parry's types.
pub fn parry_pose(position: &Vector3<f64>, r: &UnitQuaternion<f64>) -> ParryPose {
    let mut pose = ParryPose::identity();
    pose.translation = parry_vector(position);
    pose.rotation = ParryRotation::from_xyzw(r.i, r.j, r.k, r.w);
    pose
}

/// The vertices of a posed body as bare world points.
pub fn world(vertices: &Vertices, pose: &Pose) -> Vec<[f64; 3]> {
    vertices
        .points()
        .iter()
        .map(|v| pose.point(v).into())
        .collect()
}
