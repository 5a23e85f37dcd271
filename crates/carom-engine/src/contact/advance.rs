//! When a pair first meets on its way.
//!
//! Conservative advancement on paths of constant screw motion: planes a distance d apart cannot meet
//! before points have moved by d towards each other. Fast thin bodies cannot pass through each other.

use carom_gap::Pose;
use carom_gap::gap::Basis;
use nalgebra::Vector3;

use super::pair_gap::gap_between;
use super::pairs::{Collider, Pair};
use crate::mechanics::{exp_minus_identity, log};
use crate::model::Model;

/// Motion of one body from one time to another.
#[derive(Clone, Copy, Debug)]
pub struct Leg {
    start: Pose,
    shift: Vector3<f64>,
    turn: Vector3<f64>,
    from: f64,
    span: f64,
}

impl Leg {
    /// From a pose at a time to another at a later time.
    pub fn new(start: &Pose, from: f64, end: &Pose, to: f64) -> Self {
        let still = start.directors == end.directors;
        Self {
            start: *start,
            shift: end.position - start.position,
            turn: if still {
                Vector3::zeros()
            } else {
                log(&(end.directors * start.directors.transpose()))
            },
            from,
            span: to - from,
        }
    }

    /// A body that stays where it is.
    pub fn still(pose: &Pose) -> Self {
        Self::new(pose, 0.0, pose, 1.0)
    }

    /// Where the body is at a time.
    pub fn at(&self, time: f64) -> Pose {
        let s = if self.span > 0.0 {
            (time - self.from) / self.span
        } else {
            1.0
        };
        let d = self.start.directors;
        Pose {
            position: self.start.position + self.shift * s,
            directors: if self.turn == Vector3::zeros() {
                d
            } else {
                d + exp_minus_identity(&(self.turn * s)) * d
            },
        }
    }

    /// Velocity of the origin, and how much faster than it a point within `reach` may be.
    fn speed(&self, reach: f64) -> (Vector3<f64>, f64) {
        let span = self.span.max(f64::MIN_POSITIVE);
        (self.shift / span, self.turn.norm() * reach / span)
    }
}

/// Two colliders on their ways.
pub struct Trip<'a> {
    model: &'a Model,
    sides: [&'a Collider; 2],
    legs: [Leg; 2],
    /// Largest speed of approach of any two of their points.
    speed: f64,
    /// Size of the smaller of the two.
    size: f64,
    warm: Option<Basis>,
}

impl<'a> Trip<'a> {
    /// A pair of colliders whose bodies move along legs; walls and static bodies stay.
    pub fn new(
        model: &'a Model,
        pair: &'a Pair,
        poses: &[Pose],
        leg: impl Fn(usize) -> Leg,
        warm: Option<Basis>,
    ) -> Option<Self> {
        let Pair::Bodies(a, b) = pair else {
            return None;
        };
        let of = |c: &Collider| match c {
            Collider::Part { body, .. } | Collider::Bead { body }
                if model.body(*body).mass().is_finite() =>
            {
                leg(body.index())
            }
            _ => Leg::still(c.pose(poses)),
        };
        let reach = |c: &Collider| match c {
            Collider::Part { body, part } => model
                .body(*body)
                .shape
                .as_ref()
                .map_or(0.0, |s| s.vertices()[*part].reach()),
            _ => 0.0,
        };
        let size = |c: &Collider| match c {
            Collider::Bead { body } => model.body(*body).radius,
            _ => reach(c),
        };
        let legs = [of(a), of(b)];
        let (va, sa) = legs[0].speed(reach(a));
        let (vb, sb) = legs[1].speed(reach(b));
        Some(Self {
            model,
            sides: [a, b],
            legs,
            speed: (va - vb).norm() + sa + sb,
            size: match (size(a), size(b)) {
                (x, y) if x > 0.0 && y > 0.0 => x.min(y),
                (x, y) => x.max(y),
            },
            warm,
        })
    }

    /// Gap and |∂gap/∂x| at a time.
    fn gap(&mut self, time: f64) -> (f64, f64) {
        let (pa, pb) = (self.legs[0].at(time), self.legs[1].at(time));
        gap_between(
            self.model,
            self.sides[0],
            self.sides[1],
            &pa,
            &pb,
            &mut self.warm,
        )
    }

    /// A bracket [t₀, t₁] with the gap at least zero at t₀ and below −skin at t₁, the first one
    /// after `from`; `None` if they stay apart until `to`. `start` is the gap at `from` where known.
    pub fn first_contact(
        &mut self,
        from: f64,
        to: f64,
        skin: f64,
        start: Option<(f64, f64)>,
    ) -> Option<[f64; 2]> {
        let (mut gap, mut steepness) = start.unwrap_or_else(|| self.gap(from));
        let span = to - from;
        if span <= 0.0 || self.speed * span == 0.0 {
            return None;
        }
        // From touching on the distance says nothing: time goes on in parts that double, so small at
        // first that nothing thin is missed.
        let least = span / 64.0;
        let small = (1e-6 * self.size / self.speed).min(least);
        let mut part = small;
        let mut time = from;
        for _ in 0..600 {
            let free = if gap.is_finite() {
                gap / (steepness * self.speed)
            } else {
                least
            };
            let touching = gap <= skin;
            if !touching && time + free >= to {
                return None;
            }
            let next = time
                + if touching {
                    part
                } else {
                    free.max(1e-9 * span)
                };
            part = if touching {
                (2.0 * part).min(least)
            } else {
                small
            };
            if next >= to {
                let (end, _) = self.gap(to);
                return (end < -skin).then_some([time, to]);
            }
            let (g, s) = self.gap(next);
            if g < -skin {
                return Some([time, next]);
            }
            (time, gap, steepness) = (next, g, s);
        }
        let (end, _) = self.gap(to);
        (end < -skin).then_some([time, to])
    }
}
