//! Dampers and drag over a step.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::pair::{damper_impulse, damper_slope};
use super::{StepFrame, place, solids};
use crate::mechanics::masses::drag_times;
use crate::mechanics::share::Share;
use crate::mechanics::vectors::{Covector, Twist, Wrench, arm};
use crate::model::{Damper, Model, Point};

/// Line between a damper's ends in the middle of a step, and how it changes over it.
fn damper_line(d: &Damper, frame: &StepFrame) -> [Vector3<f64>; 2] {
    let line = place(&d.a, frame.middle) - place(&d.b, frame.middle);
    let moved = |p: &Point| {
        p.body.map_or(Vector3::zeros(), |b| {
            let i = &frame.increments[b.index()];
            i.shift + i.directors * p.local
        })
    };
    [line, moved(&d.a) - moved(&d.b)]
}

/// Force on a over the step, times h.
fn impulse(d: &Damper, frame: &StepFrame) -> Vector3<f64> {
    let [line, moved] = damper_line(d, frame);
    damper_impulse(d.coefficient, &line, &moved)
}

/// ∂(½ impulse)/∂x⁺ of the damper's end a.
#[inline]
pub(super) fn damper_derivative(d: &Damper, frame: &StepFrame) -> Matrix3<f64> {
    let [line, moved] = damper_line(d, frame);
    damper_slope(d.coefficient, &line, &moved, [1.0 - frame.gamma, 1.0]) * 0.5
}

/// Adds what dampers and drag do in a step to the wrenches, at q (`at_end` false: f⁻) or q⁺ (f⁺).
pub fn add_dampers(
    model: &Model,
    share: &Share,
    frame: &StepFrame,
    at_end: bool,
    wrenches: &mut [Wrench],
) {
    let forces = model.forces();
    let poses = if at_end { frame.next } else { frame.poses };
    for &k in &share.dampers {
        let d = &forces.dampers[k];
        let half = impulse(d, frame) * 0.5;
        for (p, sign) in [(&d.a, 1.0), (&d.b, -1.0)] {
            if let Some(b) = p.body {
                let w = &mut wrenches[b.index()];
                let f = half * sign;
                w.force += f;
                w.torque += arm(&poses[b.index()], &p.local).cross(&f);
            }
        }
    }
    solids::damper_impulses(model, share, frame, |p, f| {
        if let Some(b) = p.body {
            let w = &mut wrenches[b.index()];
            w.force += f;
            w.torque += arm(&poses[b.index()], &p.local).cross(f);
        }
    });
    for &k in &share.drags {
        let drag = &forces.drags[k];
        let b = drag.body.index();
        let i = &frame.increments[b];
        let add = drag_times(drag, &i.shift, &i.directors).wrench(&poses[b].directors);
        wrenches[b].force -= add.force * 0.5;
        wrenches[b].torque -= add.torque * 0.5;
    }
}

/// Adds the same to the balance in redundant coordinates, where it does not depend on the node.
pub fn add_damper_covectors(model: &Model, share: &Share, frame: &StepFrame, out: &mut [Covector]) {
    let forces = model.forces();
    for d in &forces.dampers {
        let half = impulse(d, frame) * 0.5;
        for (p, sign) in [(&d.a, 1.0), (&d.b, -1.0)] {
            if let Some(b) = p.body {
                out[b.index()].add(&Covector::at_point(half, &p.local), sign);
            }
        }
    }
    solids::damper_impulses(model, share, frame, |p, f| {
        if let Some(b) = p.body {
            out[b.index()].add(&Covector::at_point(*f, &p.local), 1.0);
        }
    });
    for drag in &forces.drags {
        let i = &frame.increments[drag.body.index()];
        out[drag.body.index()].add(&drag_times(drag, &i.shift, &i.directors), -0.5);
    }
}

/// Adds the forces of all dampers and of drag at given velocities; returns their power.
pub fn add_damping(model: &Model, poses: &[Pose], twists: &[Twist], out: &mut [Wrench]) -> f64 {
    let place = |p: &Point| match p.body {
        None => (p.local, Vector3::zeros(), Vector3::zeros()),
        Some(b) => {
            let (pose, twist) = (&poses[b.index()], &twists[b.index()]);
            let arm = pose.directors * p.local;
            (pose.position + arm, twist.v + twist.w.cross(&arm), arm)
        }
    };
    let mut power = 0.0;
    for d in &model.forces().dampers {
        let ((xa, va, arm_a), (xb, vb, arm_b)) = (place(&d.a), place(&d.b));
        let Some(n) = (xa - xb).try_normalize(0.0) else {
            continue;
        };
        // −c ṙ along the line
        let rate = n.dot(&(va - vb));
        let force = n * (-d.coefficient * rate);
        power -= d.coefficient * rate * rate;
        for (body, arm, sign) in [(d.a.body, arm_a, 1.0), (d.b.body, arm_b, -1.0)] {
            if let Some(b) = body {
                let w = &mut out[b.index()];
                w.force += force * sign;
                w.torque += arm.cross(&force) * sign;
            }
        }
    }
    for drag in &model.forces().drags {
        let b = drag.body.index();
        out[b].force -= twists[b].v * drag.linear;
        out[b].torque -= twists[b].w * drag.angular;
        power -=
            drag.linear * twists[b].v.norm_squared() + drag.angular * twists[b].w.norm_squared();
    }
    power
}
