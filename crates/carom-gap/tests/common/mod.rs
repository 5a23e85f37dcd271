//! Seeded bodies and poses shared by the tests.
#![allow(dead_code)]

use carom_gap::geometry::{GeometryError, Polygon, Polytope};
use carom_gap::{Pose, Vertices};
use nalgebra::{Quaternion, Rotation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation as ParryRotation, Vector as ParryVector};
pub use rand::{RngExt, SeedableRng};
pub use rand_chacha::ChaCha8Rng;

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn corners(solid: Result<Polytope, GeometryError>) -> Vec<Vector3<f64>> {
    solid.unwrap().vertices().points().to_vec()
}

pub fn cube(side: f64) -> Vec<Vector3<f64>> {
    cuboid([0.5 * side; 3])
}

/// A box by its half sides, of any size; flat where one is zero.
pub fn cuboid(half: [f64; 3]) -> Vec<Vector3<f64>> {
    let half = Vector3::from(half);
    let corners = corners(Polytope::cube(2.0));
    corners.iter().map(|p| p.component_mul(&half)).collect()
}

pub fn tetrahedron() -> Vec<Vector3<f64>> {
    corners(Polytope::tetrahedron(2f64.sqrt()))
}

pub fn prism(sides: usize) -> Vec<Vector3<f64>> {
    let base = Polygon::regular(sides, 0.6).unwrap();
    corners(Polytope::prism(&base, 1.0))
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

/// Points of a body frame as bare world points.
pub fn world(points: &[Vector3<f64>], pose: &Pose) -> Vec<[f64; 3]> {
    points.iter().map(|p| pose.point(p).into()).collect()
}

/// Bare points as vectors.
pub fn vectors(points: &[[f64; 3]]) -> Vec<Vector3<f64>> {
    points.iter().map(|p| (*p).into()).collect()
}

/// The hull of points with its edge graph: a body whose support function climbs.
pub fn hull(points: &[Vector3<f64>]) -> Vertices {
    Polytope::hull(points).unwrap().vertices().clone()
}
