//! Lines along each other: lying cylinders, capsules, rounded edges.
//!
//! Each of them is a circle swept along an axis, with a ball around it. Where such bodies lie along each other, a
//! circle of the one is beside the axis of the other, and keeps its own gap however both turn:
//!
//! ```text
//! gap = min over φ of  dist(c + ρ (e₁ cos φ + e₂ sin φ), axis)  −  balls  −  radius of the other
//! ```

use super::feature::Feature;
use super::nearest::Solid;
use super::patch::{PatchPoint, Roll};
use super::{Core, Round};
use crate::distance::Distance;
use crate::{Few, Pose};
use nalgebra::Vector3;

/// Lines along each other are askew if they are closer than at their ends by more than this, in body sizes.
const ASKEW: f64 = 1e-12;
/// Lines lie along each other if their directions have at least this cosine, and the normal at most this one with them.
const ALONG: f64 = 0.995;
const ACROSS: f64 = 0.1;
/// Gaps that agree to this are those of the same place, in body sizes.
const AGREES: f64 = 1e-11;
/// The point of a circle that is nearest to a line nearly along its axis is found by so many turns towards it: each
/// leaves the square of the sine between them.
const TURNS: usize = 4;

/// A circle about one axis beside another axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beside {
    /// The side the circle belongs to: 0 for a, 1 for b.
    pub side: usize,
    /// Its centre and its unit normal, in that body's frame.
    pub center: Vector3<f64>,
    /// See `center`.
    pub axis: Vector3<f64>,
    /// Its radius, and that of the ball around it.
    pub radius: f64,
    /// See `radius`.
    pub ball: f64,
    /// A point on the axis of the other side and its direction, in that body's frame.
    pub line: [Vector3<f64>; 2],
    /// Radius about it.
    pub reach: f64,
}

impl Beside {
    /// Places on a and on b that are closest, and the unit normal from b to a; none where both axes meet. Poses are given
    /// as what they make of points and of directions of a side.
    pub fn at(
        &self,
        point: impl Fn(usize, &Vector3<f64>) -> Vector3<f64>,
        direction: impl Fn(usize, &Vector3<f64>) -> Vector3<f64>,
    ) -> Option<([Vector3<f64>; 2], Vector3<f64>)> {
        let (own, other) = (self.side, 1 - self.side);
        let (c, u) = (point(own, &self.center), direction(own, &self.axis));
        let [y, v] = [point(other, &self.line[0]), direction(other, &self.line[1])];
        let (rim, foot) = nearest_on_circle(c, u, self.radius, y, v);
        // From the axis to the circle.
        let out = (rim - foot).try_normalize(1e-300)?;
        let (on_own, on_other) = (rim - out * self.ball, foot + out * self.reach);
        Some(match own {
            0 => ([on_own, on_other], out),
            _ => ([on_other, on_own], -out),
        })
    }

    /// The point of the contact it makes now.
    fn now(self, poses: [&Pose; 2]) -> Option<PatchPoint> {
        let ([point_a, point_b], normal) =
            self.at(|s, x| poses[s].point(x), |s, x| poses[s].vector(x))?;
        Some(PatchPoint {
            point_a,
            point_b,
            normal,
            reference: None,
            roll: Roll::Beside(self),
        })
    }
}

/// The point of a circle nearest to a line nearly along its axis, and the point of the line nearest to that.
fn nearest_on_circle(
    center: Vector3<f64>,
    axis: Vector3<f64>,
    radius: f64,
    on_line: Vector3<f64>,
    along: Vector3<f64>,
) -> (Vector3<f64>, Vector3<f64>) {
    let foot_of = |x: Vector3<f64>| on_line + along * (x - on_line).dot(&along);
    let (mut rim, mut foot) = (center, foot_of(center));
    if radius > 0.0 {
        for _ in 0..TURNS {
            let off = foot - center;
            let Some(out) = (off - axis * axis.dot(&off)).try_normalize(1e-300) else {
                break;
            };
            rim = center + out * radius;
            foot = foot_of(rim);
        }
    }
    (rim, foot)
}

/// Two lines along each other: the ends of what they share, and where they are closest if that is between these.
pub(super) fn along_lines(
    features: &[Feature; 2],
    poses: [&Pose; 2],
    balls: [f64; 2],
    within: f64,
    size: f64,
    out: &mut Few<PatchPoint>,
) {
    let [fa, fb] = features;
    let ([p, q], [r, s]) = (&fa.spots[..], &fb.spots[..]) else {
        return;
    };
    if fa.disc.is_some() || fb.disc.is_some() || p.radius != q.radius || r.radius != s.radius {
        return;
    }
    let d = q.place - p.place;
    let length = d.norm();
    let u = d / length;
    let along = |x: &Vector3<f64>| (x - p.place).dot(&u) / length;
    let (tr, ts) = (along(&r.place), along(&s.place));
    if (ts - tr).abs() < 1e-9 {
        return;
    }
    let (low, high) = (tr.min(ts).max(0.0), tr.max(ts).min(1.0));
    if (high - low) * length <= 1e-6 * size {
        return;
    }
    // Across the axis of a.
    let axes = [
        (q.center - p.center).normalize(),
        (s.center - r.center).normalize(),
    ];
    let axis = poses[0].vector(&axes[0]);
    let across = |t: f64| {
        let (x, y) = (p.between(q, t), r.between(s, (t - tr) / (ts - tr)));
        let off = poses[0].point(&x.center) - poses[1].point(&y.center);
        (x, y, off - axis * axis.dot(&off))
    };
    // Lines that are askew are closest between their ends: where |o + s e| is least.
    let (o, o_high) = (across(low).2, across(high).2);
    let e = o_high - o;
    let part = -o.dot(&e) / e.norm_squared();
    let least = o.norm().min(o_high.norm()) - ASKEW * size;
    let middle = (part > 0.0 && part < 1.0 && (o + e * part).norm() < least)
        .then_some(low + (high - low) * part);
    for t in middle.into_iter().chain([low, high]) {
        let (x, y, _) = across(t);
        // Where b ends it is b's circle that counts.
        let side = usize::from(t > 0.0 && t < 1.0 && (t == tr || t == ts));
        let (own, other) = [(x, r), (y, p)][side];
        let beside = Beside {
            side,
            center: own.center,
            axis: axes[side],
            radius: own.radius,
            ball: balls[side],
            line: [other.center, axes[1 - side]],
            reach: other.radius + balls[1 - side],
        };
        out.extend(beside.now(poses).filter(|p| p.gap() <= within));
    }
}

/// A body that is a circle swept along an axis, with a ball around it, in its own frame.
struct Swept {
    center: Vector3<f64>,
    axis: Vector3<f64>,
    /// Half its length.
    half: f64,
    radius: f64,
    ball: f64,
}

impl Swept {
    fn of(solid: Solid) -> Option<Self> {
        let Solid::Round(Round { core, radius: ball }) = solid else {
            return None;
        };
        match core {
            Core::Cylinder {
                center,
                axis,
                radius,
                half,
            } => Some(Self {
                center: *center,
                axis: *axis,
                half: *half,
                radius: *radius,
                ball: *ball,
            }),
            Core::Hull(v) => match v.points() {
                [x, y] => Some(Self {
                    center: (x + y) * 0.5,
                    axis: (y - x).normalize(),
                    half: 0.5 * (y - x).norm(),
                    radius: 0.0,
                    ball: *ball,
                }),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The one point at which two bodies touch that lie nearly along each other: the end of one of them, or where they are
/// closest in between.
pub(super) fn at_one_place(
    solids: [Solid; 2],
    poses: [&Pose; 2],
    found: &Distance,
    size: f64,
) -> Option<PatchPoint> {
    let bodies = [Swept::of(solids[0])?, Swept::of(solids[1])?];
    let along = [0, 1].map(|s: usize| poses[s].vector(&bodies[s].axis));
    let lies = along[0].dot(&along[1]).abs() >= ALONG
        && along.iter().all(|u| u.dot(&found.normal).abs() <= ACROSS);
    if !lies {
        return None;
    }
    let places = [found.point_a, found.point_b];
    let offs = [0, 1].map(|s: usize| {
        let Swept { center, half, .. } = bodies[s];
        let off = (places[s] - poses[s].point(&center)).dot(&along[s]);
        (off.clamp(-half, half), off.abs() >= half - 1e-6 * size)
    });
    let side = usize::from(!offs[0].1 && offs[1].1);
    let (own, other) = (&bodies[side], &bodies[1 - side]);
    let off = match offs[side] {
        (off, true) => own.half.copysign(off),
        (off, false) => off,
    };
    let beside = Beside {
        side,
        center: own.center + own.axis * off,
        axis: own.axis,
        radius: own.radius,
        ball: own.ball,
        line: [other.center, other.axis],
        reach: other.radius + other.ball,
    };
    let point = beside.now(poses)?;
    ((point.gap() - found.value).abs() <= AGREES * size).then_some(point)
}
