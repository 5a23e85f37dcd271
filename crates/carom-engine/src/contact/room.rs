//! How far apart a pair certainly is, and what the ways of its sides leave of that.

use carom_gap::Pose;
use nalgebra::Vector3;

use super::pairs::Collider;
use crate::model::Model;

/// How a body came from one pose to another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Way {
    /// Shift of its origin.
    shift: Vector3<f64>,
    /// How far its points came by turning, at most.
    turn: f64,
}

impl Way {
    /// Of a body whose points are up to `reach` from its origin.
    pub fn between(from: &Pose, to: &Pose, reach: f64) -> Self {
        // A body that turns by θ has |ΔD|² = 8 sin²(θ/2); its points come 2 sin(θ/2) of their reach.
        let turned = (to.directors - from.directors).norm_squared();
        Self {
            shift: to.position - from.position,
            turn: reach * (0.5 * turned).sqrt(),
        }
    }

    /// How far points of the body came, at most.
    pub fn length(&self) -> f64 {
        self.shift.norm() + self.turn
    }
}

/// Room between the two sides of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// How far they are apart at least.
    pub width: f64,
    /// Unit normal, towards the first side, of a slab of that width between them, if one is known.
    normal: Option<Vector3<f64>>,
}

impl Room {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self::any_way(f64::NEG_INFINITY);

    /// A distance.
    pub const fn any_way(width: f64) -> Self {
        Self {
            width,
            normal: None,
        }
    }

    /// A slab.
    pub fn across(width: f64, normal: Vector3<f64>) -> Self {
        Self {
            width,
            normal: Some(normal),
        }
    }

    /// How far the sides are apart at least after they went some ways.
    pub fn after(&self, [a, b]: [&Way; 2]) -> f64 {
        let closed = match &self.normal {
            Some(n) => n.dot(&(b.shift - a.shift)),
            None => a.shift.norm() + b.shift.norm(),
        };
        self.width - closed - a.turn - b.turn
    }
}

/// How far points of a collider are from the origin of its body; those of beads do not turn.
pub fn reach_of(model: &Model, c: &Collider) -> f64 {
    match c {
        Collider::Part { body, part } => {
            let shape = model.body(*body).shape.as_ref();
            shape.map_or(0.0, |s| s.vertices()[*part].reach())
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(x: f64, turn: f64) -> Way {
        Way {
            shift: Vector3::new(x, 3.0, 0.0),
            turn,
        }
    }

    #[test]
    fn what_moves_along_a_slab_does_not_close_it() {
        let room = Room::across(1.0, Vector3::x());
        assert_eq!(room.after([&way(0.25, 0.0), &way(0.5, 0.0)]), 0.75);
        assert_eq!(room.after([&way(0.5, 0.125), &way(0.25, 0.25)]), 0.875);
    }

    #[test]
    fn any_motion_may_close_a_distance() {
        let room = Room::any_way(10.0);
        assert_eq!(room.after([&way(4.0, 0.0), &way(-4.0, 0.5)]), -0.5);
    }

    #[test]
    fn points_of_a_body_come_no_further_than_its_way() {
        let from = Pose::identity();
        let mut to = Pose::translation(0.1, 0.0, 0.0);
        to.directors = *nalgebra::Rotation3::new(Vector3::new(0.3, -0.2, 0.5)).matrix();
        let point = Vector3::new(0.5, 0.7, -0.1);
        let length = Way::between(&from, &to, point.norm()).length();
        assert!((to.point(&point) - from.point(&point)).norm() <= length);
    }
}
