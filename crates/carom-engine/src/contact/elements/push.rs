//! What elements that overlap push: forces, drag and stiffness.

use carom_gap::Pose;
use nalgebra::Matrix3;

use super::{ElementContact, Touch};
use crate::contact::element_gap::Row;
use crate::mechanics::{Covector, Increment, Twist, Wrench};
use crate::model::Point;

impl ElementContact {
    /// Rows of spots that drag, each with its part of the coefficient: that of its force.
    fn dragging(&self) -> impl Iterator<Item = (&[Row], f64)> {
        let dragged = |t: &&Touch| t.drag > 0.0 && t.answer.force > 0.0;
        self.touches.iter().filter(dragged).flat_map(|t| {
            let part = t.drag / t.answer.force;
            self.carriers(t)
                .map(move |(_, rows, force)| (rows, force * part))
        })
    }

    /// Adds −∂V_A/∂q.
    pub fn add_forces(&self, out: &mut [Covector]) {
        for (spot, force) in self.spots.list.iter().zip(&self.forces) {
            for r in self.spots.rows_of(spot) {
                if let Some(b) = r.at.body {
                    out[b.index()].add(&Covector::at_point(r.slope * *force, &r.at.local), 1.0);
                }
            }
        }
    }

    /// Adds the drag of the overlapping at given velocities; returns its power.
    pub fn add_drag(&self, poses: &[Pose], twists: &[Twist], out: &mut [Wrench]) -> f64 {
        let mut power = 0.0;
        for (rows, drag) in self.dragging() {
            let rate = rate(rows, poses, twists);
            power -= drag * rate * rate;
            add_along(rows, poses, -drag * rate, out);
        }
        power
    }

    /// Power of the drag at given velocities.
    pub fn drag_power(&self, poses: &[Pose], twists: &[Twist]) -> f64 {
        let each = self.dragging();
        each.map(|(rows, drag)| -drag * rate(rows, poses, twists).powi(2))
            .sum()
    }

    /// Adds half of the drag over a step as impulses on bodies at `poses`.
    pub fn add_drag_impulses(&self, poses: &[Pose], increments: &[Increment], out: &mut [Wrench]) {
        for (rows, drag) in self.dragging() {
            add_along(rows, poses, -0.5 * drag * moved(rows, increments), out);
        }
    }

    /// Work of the drag over a step.
    pub fn drag_work(&self, increments: &[Increment], h: f64) -> f64 {
        let each = self.dragging();
        each.map(|(rows, drag)| -drag * moved(rows, increments).powi(2) / h)
            .sum()
    }

    /// Calls `each` with two points and ∂/∂x⁺ of the impulse on the first, up to the curvature of the
    /// gaps: h γ (1 − γ) ∂λ_k/∂g_l g_k g_lᵀ and −½ drag g_k g_kᵀ.
    pub fn stiffnesses(
        &self,
        h: f64,
        gamma: f64,
        mut each: impl FnMut(&Point, &Point, &Matrix3<f64>),
    ) {
        let factor = h * gamma * (1.0 - gamma);
        for t in &self.touches {
            let dragged = t.drag / t.answer.force.max(f64::MIN_POSITIVE);
            for (k, (_, rows, force)) in self.carriers(t).enumerate() {
                let own = -(factor * t.answer.own + 0.5 * dragged * force);
                for (l, (_, others, _)) in self.carriers(t).enumerate() {
                    let part = factor * t.answer.shared + if k == l { own } else { 0.0 };
                    if part == 0.0 {
                        continue;
                    }
                    for a in rows {
                        for b in others {
                            each(&a.at, &b.at, &(a.slope * b.slope.transpose() * part));
                        }
                    }
                }
            }
        }
    }
}

/// Rate of a gap.
fn rate(rows: &[Row], poses: &[Pose], twists: &[Twist]) -> f64 {
    let each = rows.iter().filter_map(|r| Some((r, r.at.body?)));
    each.map(|(r, b)| {
        let (pose, t) = (&poses[b.index()], &twists[b.index()]);
        let v = t.v + t.w.cross(&(pose.directors * r.at.local));
        r.slope.dot(&v)
    })
    .sum()
}

/// ⟨∇gap, q⁺ − q⟩.
fn moved(rows: &[Row], increments: &[Increment]) -> f64 {
    let each = rows.iter().filter_map(|r| Some((r, r.at.body?)));
    each.map(|(r, b)| {
        let i = &increments[b.index()];
        r.slope.dot(&(i.shift + i.directors * r.at.local))
    })
    .sum()
}

/// Adds a multiple of a gap's gradient as wrenches on bodies at `poses`.
fn add_along(rows: &[Row], poses: &[Pose], factor: f64, out: &mut [Wrench]) {
    for r in rows {
        if let Some(b) = r.at.body {
            let f = r.slope * factor;
            out[b.index()].force += f;
            out[b.index()].torque += (poses[b.index()].directors * r.at.local).cross(&f);
        }
    }
}
