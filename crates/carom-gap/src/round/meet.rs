//! The first time two solids meet on their ways.
//!
//! Conservative advancement: as long as two solids are a distance d apart, they cannot meet before
//! their points have moved by d towards each other. The time is then a root of the gap.

use super::nearest::{Solid, nearest};
use crate::{Distance, Pose};
use nalgebra::{Rotation3, Vector3};

/// Steps of the advancement, and of the root.
const MOST_STEPS: usize = 10_000;

/// A motion from one pose to another in unit time: the origin goes straight, the body turns evenly
/// about a fixed axis.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    start: Pose,
    shift: Vector3<f64>,
    turn: Vector3<f64>,
}

impl Way {
    /// From a pose, moving by `shift` and turning by the rotation vector `turn` (inertial axes).
    pub fn new(start: Pose, shift: Vector3<f64>, turn: Vector3<f64>) -> Self {
        Self { start, shift, turn }
    }

    /// A body that stays.
    pub fn still(pose: Pose) -> Self {
        Self::new(pose, Vector3::zeros(), Vector3::zeros())
    }

    /// The pose at a time between 0 and 1.
    pub fn at(&self, time: f64) -> Pose {
        Pose {
            position: self.start.position + self.shift * time,
            directors: Rotation3::new(self.turn * time).into_inner() * self.start.directors,
        }
    }
}

/// The first time in [0, 1] at which two solids that are apart meet, with their contact then; `None`
/// if they stay apart. Solids that overlap at the start meet at 0.
///
/// ```
/// use carom_gap::{Pose, round::{Round, Way, first_contact}};
/// use nalgebra::Vector3;
/// let ball = Round::sphere(0.5)?;
/// let falling = Way::new(Pose::translation(0.0, 0.0, 3.0), Vector3::z() * -4.0, Vector3::y());
/// let lying = Way::still(Pose::identity());
/// let (time, contact) = first_contact((&ball).into(), &falling, (&ball).into(), &lying).unwrap();
/// assert!((time - 0.5).abs() < 1e-15 && contact.value.abs() < 1e-14);
/// # Ok::<(), carom_gap::geometry::GeometryError>(())
/// ```
pub fn first_contact(a: Solid, way_a: &Way, b: Solid, way_b: &Way) -> Option<(f64, Distance)> {
    let size = a.reach().max(b.reach());
    let look = |time: f64, start: Option<&Vector3<f64>>| {
        nearest(a, &way_a.at(time), b, &way_b.at(time), start)
    };
    // Points of a turning body are no faster than its reach times its turn.
    let spin = a.reach() * way_a.turn.norm() + b.reach() * way_b.turn.norm();
    let drift = way_a.shift - way_b.shift;
    let mut time = 0.0;
    let mut found = look(0.0, None);
    for _ in 0..MOST_STEPS {
        if found.value <= 1e-14 * size {
            return Some((time, found));
        }
        // The plane between them holds until points have come so far along its normal.
        let along = spin - drift.dot(&found.normal);
        if along <= 0.0 || time + found.value / along > 1.0 {
            return None;
        }
        let safe = time + found.value / along;
        let next = look(safe, Some(&found.normal));
        // Near contact the gap falls evenly: a secant, taken where it stays short of contact.
        let slope = (found.value - next.value) / (safe - time);
        let ahead = safe + 0.999_999 * next.value / slope;
        if slope > 0.0 && ahead > safe && ahead <= 1.0 && next.value < 1e-3 * size {
            let beyond = look(ahead, Some(&next.normal));
            if beyond.value >= 0.0 && beyond.value < 1e-3 * next.value {
                (time, found) = (ahead, beyond);
                continue;
            }
        }
        if safe == time {
            return Some((time, found));
        }
        (time, found) = (safe, next);
    }
    Some((time, found))
}
