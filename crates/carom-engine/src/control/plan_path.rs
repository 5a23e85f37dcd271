//! The motion of a plan as a reference: nodes, controls, and what is between the nodes.

use std::sync::Arc;

use carom_gap::Pose;
use nalgebra::Vector3;

use super::{Reference, Retraction};
use crate::mechanics::Twist;

type Vec3 = Vector3<f64>;

/// Nodes of a plan with their times, poses and twists, and controls of the steps between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Nodes {
    /// Times, one more than steps.
    pub times: Vec<f64>,
    /// Poses of all bodies at every node.
    pub poses: Vec<Vec<Pose>>,
    /// Velocities of the tree's joints at every node.
    pub rates: Vec<Vec<f64>>,
    /// Twists of all bodies at every node.
    pub twists: Vec<Vec<Twist>>,
    /// Controls of every step.
    pub controls: Vec<Vec<f64>>,
}

/// A plan as a function of time: cubic between nodes, at rest after its end.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanPath(pub Arc<Nodes>);

impl PlanPath {
    /// The step at a time, and where in it, from 0 to 1; `None` after the end.
    pub fn step(&self, t: f64) -> Option<(usize, f64)> {
        let times = &self.0.times;
        // Times are sums of steps: a hair early is on time.
        let slack = 1e-9 * (times[1] - times[0]);
        let k = times.partition_point(|s| *s <= t + slack);
        let k = k.max(1) - 1;
        if k + 1 >= times.len() {
            return None;
        }
        let part = (t - times[k]) / (times[k + 1] - times[k]);
        Some((k, part.clamp(0.0, 1.0)))
    }

    /// When it ends.
    pub fn end(&self) -> f64 {
        self.0.times[self.0.times.len() - 1]
    }

    /// Where a body should be at a time.
    pub fn reference(&self, body: usize, t: f64) -> Reference {
        let nodes = &*self.0;
        let Some((k, s)) = self.step(t) else {
            let last = &nodes.poses[nodes.poses.len() - 1][body];
            return Reference::still(last.position, last.directors);
        };
        let h = nodes.times[k + 1] - nodes.times[k];
        let [a, b] = [k, k + 1].map(|k| {
            let (pose, twist) = (&nodes.poses[k][body], &nodes.twists[k][body]);
            Reference {
                velocity: twist.v,
                angular_velocity: pose.directors.tr_mul(&twist.w),
                ..Reference::still(pose.position, pose.directors)
            }
        });
        cubic(&a, &b, s, h)
    }
}

/// Part s of a motion that takes the time h from one reference to another: cubic in positions, and in turns from
/// the first, R = R_a exp(θ); ω along the axes of R is T(−θ) θ̇.
fn cubic(a: &Reference, b: &Reference, s: f64, h: f64) -> Reference {
    let (position, velocity, acceleration) =
        hermite([a.position, a.velocity], [b.position, b.velocity], s, h);
    let exp = Retraction::Exponential;
    let turn = exp.inverse(&a.orientation.tr_mul(&b.orientation));
    let end = exp.tangent_inverse(&-turn) * b.angular_velocity;
    let (theta, rate, rate_of_rate) =
        hermite([Vec3::zeros(), a.angular_velocity], [turn, end], s, h);
    // T(−θ) changes on the way: by differences of its own.
    let d = 1e-4;
    let change =
        (exp.tangent(&-(theta + rate * d)) - exp.tangent(&-(theta - rate * d))) / (2.0 * d);
    Reference {
        position,
        velocity,
        acceleration,
        orientation: a.orientation * exp.map(&theta),
        angular_velocity: exp.tangent(&-theta) * rate,
        angular_acceleration: exp.tangent(&-theta) * rate_of_rate + change * rate,
    }
}

/// Value, rate and its rate of the cubic through two values with rates, at part s of a step h.
fn hermite(a: [Vec3; 2], b: [Vec3; 2], s: f64, h: f64) -> (Vec3, Vec3, Vec3) {
    let [x0, v0] = [a[0], a[1] * h];
    let [x1, v1] = [b[0], b[1] * h];
    let c2 = (x1 - x0) * 3.0 - v0 * 2.0 - v1;
    let c3 = (x0 - x1) * 2.0 + v0 + v1;
    (
        x0 + (v0 + (c2 + c3 * s) * s) * s,
        (v0 + (c2 * 2.0 + c3 * (3.0 * s)) * s) / h,
        (c2 * 2.0 + c3 * (6.0 * s)) / (h * h),
    )
}
