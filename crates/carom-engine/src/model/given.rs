//! Motions that are given: shakers, turntables, moving walls.

use std::fmt;
use std::sync::Arc;

use carom_gap::Pose;
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};

/// A number over time, with its rate.
#[derive(Clone)]
pub enum Course {
    /// Always the same.
    Constant(f64),
    /// Piecewise linear through (t, value), constant beyond the ends.
    Table(Vec<[f64; 2]>),
    /// Any function of time: value, rate and its rate.
    Function(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>),
}

impl Course {
    /// Value, rate and its rate at time t; at a corner of a table the rate is that after it.
    pub fn at(&self, t: f64) -> [f64; 3] {
        match self {
            Course::Constant(v) => [*v, 0.0, 0.0],
            Course::Function(f) => f(t),
            Course::Table(rows) => {
                let k = rows.partition_point(|r| r[0] <= t);
                match (k.checked_sub(1).map(|i| rows[i]), rows.get(k)) {
                    (Some([t0, v0]), Some([t1, v1])) => {
                        let rate = (v1 - v0) / (t1 - t0);
                        [v0 + rate * (t - t0), rate, 0.0]
                    }
                    (Some([_, v]), None) => [v, 0.0, 0.0],
                    (None, Some([_, v])) => [*v, 0.0, 0.0],
                    (None, None) => [0.0; 3],
                }
            }
        }
    }
}

impl fmt::Debug for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Course::Constant(v) => write!(f, "Constant({v})"),
            Course::Table(rows) => write!(f, "Table({} rows)", rows.len()),
            Course::Function(_) => f.write_str("Function"),
        }
    }
}

/// The motion of a body over time: it turns about an axis through a point and is displaced, both from
/// where it starts.
///
/// ```
/// use std::sync::Arc;
/// use carom::model::{BodySpec, Course, GivenMotion};
/// // A table that shakes 5 mm up and down at 20 rad/s.
/// let shake = GivenMotion {
///     displacement: [
///         Course::Constant(0.0),
///         Course::Constant(0.0),
///         Course::Function(Arc::new(|t| {
///             let (sin, cos) = (20.0 * t).sin_cos();
///             [0.005 * sin, 0.1 * cos, -2.0 * sin]
///         })),
///     ],
///     ..GivenMotion::default()
/// };
/// let table = BodySpec::fixed("table").motion(shake);
/// ```
#[derive(Clone, Debug)]
pub struct GivenMotion {
    /// Displacement along x, y and z in m.
    pub displacement: [Course; 3],
    /// Axis of the turn, world.
    pub axis: Vector3<f64>,
    /// Angle of the turn in rad.
    pub angle: Course,
    /// A point of the axis at the start, world; the body's position if not given.
    pub center: Option<Vector3<f64>>,
}

impl Default for GivenMotion {
    fn default() -> Self {
        Self {
            displacement: std::array::from_fn(|_| Course::Constant(0.0)),
            axis: Vector3::z(),
            angle: Course::Constant(0.0),
            center: None,
        }
    }
}

impl GivenMotion {
    /// Pose, velocity of the origin and angular velocity at a time, from the pose at the start.
    pub fn at(&self, start: &Pose, t: f64) -> (Pose, [Vector3<f64>; 2]) {
        let moved = self.displacement.each_ref().map(|course| course.at(t));
        let d = Vector3::from(moved.map(|[value, ..]| value));
        let rate = Vector3::from(moved.map(|[_, rate, _]| rate));
        let [angle, turn, _] = self.angle.at(t);
        let axis = Unit::new_normalize(self.axis);
        let r = Rotation3::from_axis_angle(&axis, angle);
        let center = self.center.unwrap_or(start.position);
        // x = c + R (x₀ − c) + d, so that ẋ = ḋ + ω × R (x₀ − c).
        let arm = r * (start.position - center);
        let w = axis.into_inner() * turn;
        let pose = Pose {
            position: center + arm + d,
            directors: r.matrix() * start.directors,
        };
        (pose, [rate + w.cross(&arm), w])
    }

    /// First and second derivatives of position and directors at a time.
    pub fn rates(&self, start: &Pose, t: f64) -> [Pose; 2] {
        let (pose, [v, w]) = self.at(start, t);
        let moved = self.displacement.each_ref().map(|course| course.at(t));
        let push = Vector3::from(moved.map(|[.., bend]| bend));
        let [_, _, bend] = self.angle.at(t);
        let spun = Unit::new_normalize(self.axis).into_inner() * bend;
        let d = Vector3::from(moved.map(|[value, ..]| value));
        let arm = pose.position - d - self.center.unwrap_or(start.position);
        // ẍ = d̈ + α × r + ω × (ω × r), and the same of the directors.
        let turned = |r: &Vector3<f64>| spun.cross(r) + w.cross(&w.cross(r));
        let columns = |f: &dyn Fn(&Vector3<f64>) -> Vector3<f64>| {
            Matrix3::from_columns(&[0, 1, 2].map(|k| f(&pose.directors.column(k).into_owned())))
        };
        [
            Pose {
                position: v,
                directors: columns(&|d| w.cross(d)),
            },
            Pose {
                position: push + turned(&arm),
                directors: columns(&|d| turned(d)),
            },
        ]
    }

    /// Whether all it says at the start is finite.
    pub(crate) fn is_sound(&self, start: &Pose) -> bool {
        let (pose, [v, w]) = self.at(start, 0.0);
        let axis = self.axis.norm();
        axis.is_finite()
            && axis > 0.0
            && pose
                .to_q()
                .iter()
                .chain(v.iter())
                .chain(w.iter())
                .all(|c| c.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocities_are_rates_of_poses() {
        let wave = |a: f64, w: f64| {
            Course::Function(Arc::new(move |t: f64| {
                let (sin, cos) = (w * t).sin_cos();
                [a * sin, a * w * cos, -a * w * w * sin]
            }))
        };
        let motion = GivenMotion {
            displacement: [
                wave(0.3, 2.0),
                Course::Table(vec![[0.0, 1.0], [2.0, 5.0]]),
                Course::Constant(0.5),
            ],
            axis: Vector3::new(1.0, 2.0, -1.0),
            angle: wave(2.0, 0.7),
            center: Some(Vector3::new(0.2, -0.4, 1.0)),
        };
        let start = Pose::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.3, 0.1, -0.5));
        let (t, e) = (0.8, 1e-5);
        let (pose, [v, w]) = motion.at(&start, t);
        let (ahead, behind) = (motion.at(&start, t + e).0, motion.at(&start, t - e).0);
        let rate = (ahead.position - behind.position) / (2.0 * e);
        assert!((rate - v).norm() < 1e-9);
        let turned = (ahead.directors - behind.directors) / (2.0 * e);
        let wanted = nalgebra::Matrix3::from_columns(&[0, 1, 2].map(|k| {
            let d: Vector3<f64> = pose.directors.column(k).into();
            w.cross(&d)
        }));
        assert!((turned - wanted).norm() < 1e-8);
        let [_, bend] = motion.rates(&start, t);
        let (up, down) = (
            motion.rates(&start, t + e)[0],
            motion.rates(&start, t - e)[0],
        );
        let position = (up.position - down.position) / (2.0 * e);
        let directors = (up.directors - down.directors) / (2.0 * e);
        assert!((position - bend.position).norm() < 1e-8);
        assert!((directors - bend.directors).norm() < 1e-8);
    }
}
