//! The points that share a contact of round bodies, and how they follow a motion.
//!
//! What is furthest along the normal on each side is a point, a line (a lying cylinder) or flat (its
//! end). A flat side is the reference: the other side's points over it carry the contact, each with its
//! own gap above its plane. Two lines along each other have two points, and three if they are askew. Everything else has one.

use super::along::{Beside, along_lines, at_one_place};
use super::area::shared_area;
use super::clip::clip_to;
use super::feature::{Feature, Spot, closest, feature, within_disc};
use super::nearest::Solid;
use crate::distance::Distance;
use crate::gap::HalfSpace;
use crate::{Few, Pose};
use nalgebra::Vector3;

/// A flat side is level with the contact to this, in body sizes.
pub(super) const LEVEL: f64 = 1e-9;

/// How the gap of a point changes as the bodies move on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Roll {
    /// Material points against a plane that turns with the reference.
    Fixed,
    /// The only point: its gap is that of the pair.
    Pair,
    /// A circle with a ball swept over it, above a plane that turns with the other side.
    Circle {
        /// The side it belongs to: 0 for a, 1 for b.
        side: usize,
        /// Its centre in that body's frame.
        center: Vector3<f64>,
        /// Its unit normal, in the same.
        axis: Vector3<f64>,
        /// Its radius; zero for a point.
        radius: f64,
        /// Radius of the ball.
        ball: f64,
    },
    /// Lines along each other: a circle of one beside the axis of the other.
    Beside(Beside),
}

/// A point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchPoint {
    /// Place on a.
    pub point_a: Vector3<f64>,
    /// Place on b.
    pub point_b: Vector3<f64>,
    /// Unit normal from b to a.
    pub normal: Vector3<f64>,
    /// The side whose plane is the reference, if one is flat: 0 for a, 1 for b.
    pub reference: Option<usize>,
    /// How its gap changes.
    pub roll: Roll,
}

impl PatchPoint {
    /// Distance of its two places along the normal.
    pub fn gap(&self) -> f64 {
        (self.point_a - self.point_b).dot(&self.normal)
    }
}

/// The points a solid shares with what it lies on, as far as they are not more than `within` apart.
/// `found` is the answer of [`nearest`](super::nearest).
pub fn patch(
    a: Solid,
    pose_a: &Pose,
    b: Solid,
    pose_b: &Pose,
    found: &Distance,
    within: f64,
    out: &mut Vec<PatchPoint>,
) {
    out.extend(patch_points(a, pose_a, b, pose_b, found, within));
}

/// The same points, one by one.
pub fn patch_points(
    a: Solid,
    pose_a: &Pose,
    b: Solid,
    pose_b: &Pose,
    found: &Distance,
    within: f64,
) -> impl Iterator<Item = PatchPoint> + use<> {
    let n = found.normal;
    let size = a.reach().max(b.reach());
    let tolerance = within.max(LEVEL * size);
    let features = [
        feature(a, pose_a, &-n, tolerance, LEVEL * size),
        feature(b, pose_b, &n, tolerance, LEVEL * size),
    ];
    let mut out = Few::new();
    let poses = [pose_a, pose_b];
    let balls = [a.radius(), b.radius()];
    let [fa, fb] = &features;
    if fa.spots.len() > 1 && fb.spots.len() > 1 {
        let reference = match (fa.flat, fb.flat) {
            // Circles are cut to polygons rather than the other way round.
            (true, true) if fb.disc.is_some() && fa.disc.is_none() => Some(0),
            (_, true) => Some(1),
            (true, false) => Some(0),
            (false, false) => None,
        };
        match reference {
            Some(r) => on_face(&features, r, poses, balls, &n, within, size, &mut out),
            None => along_lines(&features, poses, balls, within, size, &mut out),
        }
    }
    if out.len() < 2 {
        out.clear();
        let along = at_one_place([a, b], poses, found, size);
        out.push(along.unwrap_or_else(|| single(found, [fa.flat, fb.flat])));
    }
    out.into_iter()
}

/// Points of two cores that are closest: of what is furthest along the normal on either side, those
/// that lie over each other; and how far they miss each other seen along the normal. No miss proves that
/// the normal is right.
pub(super) fn shared(
    solids: [Solid; 2],
    poses: [&Pose; 2],
    value: f64,
    n: &Vector3<f64>,
) -> ([Vector3<f64>; 2], f64) {
    let miss = |x: &Vector3<f64>, y: &Vector3<f64>| {
        let off = x - y;
        (off - n * n.dot(&off)).norm()
    };
    let size = solids[0].reach().max(solids[1].reach());
    let level = LEVEL * size;
    let fa = feature(solids[0], poses[0], &-n, level, level);
    let fb = feature(solids[1], poses[1], n, level, level);
    if let ([x], [y]) = (&fa.spots[..], &fb.spots[..]) {
        return ([x.place, y.place], miss(&x.place, &y.place));
    }
    let sum = match (fa.disc, fb.disc) {
        // A disc is a ball seen along n: from its centre to the other.
        (Some(disc), _) => {
            let y = fb.closest(&disc.0, n, size);
            [within_disc(&disc, &y, n), y]
        }
        (None, Some(disc)) => {
            let x = fa.closest(&disc.0, n, size);
            [x, within_disc(&disc, &x, n)]
        }
        (None, None) => closest(|d| [fa.furthest(&-d), fb.furthest(d)], n, size),
    };
    // Features may be level to `level` only: their gap is the value, at the mean of both.
    let middle = (sum[0] + sum[1]) * 0.5;
    let off = (sum[0] - sum[1]).dot(n) - value;
    let half = n * (0.5 * value);
    let points = match off.abs() <= 10.0 * level {
        true => [middle + half, middle - half],
        false => sum,
    };
    (points, miss(&sum[0], &sum[1]))
}

/// The same above a half-space.
pub fn patch_on(
    a: Solid,
    pose: &Pose,
    ground: &HalfSpace,
    found: &Distance,
    within: f64,
    out: &mut Vec<PatchPoint>,
) {
    out.extend(patch_points_on(a, pose, ground, found, within));
}

/// The same points, one by one.
pub fn patch_points_on(
    a: Solid,
    pose: &Pose,
    ground: &HalfSpace,
    found: &Distance,
    within: f64,
) -> impl Iterator<Item = PatchPoint> + use<> {
    let n = *ground.normal();
    let size = a.reach();
    let ball = a.radius();
    let feature = feature(a, pose, &-n, within.max(LEVEL * size), LEVEL * size);
    let mut out = Few::new();
    if feature.spots.len() > 1 {
        for spot in &feature.spots {
            let point_a = spot.place - n * ball;
            let gap = point_a.dot(&n) - ground.offset();
            if gap <= within {
                out.push(PatchPoint {
                    point_a,
                    point_b: point_a - n * gap,
                    normal: n,
                    reference: Some(1),
                    roll: rolling(spot, 0, ball),
                });
            }
        }
    }
    if out.len() < 2 {
        out.clear();
        out.push(single(found, [false, true]));
    }
    out.into_iter()
}

/// A contact of one point.
fn single(found: &Distance, flat: [bool; 2]) -> PatchPoint {
    PatchPoint {
        point_a: found.point_a,
        point_b: found.point_b,
        normal: found.normal,
        reference: match flat {
            [_, true] => Some(1),
            [true, false] => Some(0),
            [false, false] => None,
        },
        roll: Roll::Pair,
    }
}

fn rolling(spot: &Spot, side: usize, ball: f64) -> Roll {
    if spot.radius == 0.0 && ball == 0.0 {
        return Roll::Fixed;
    }
    Roll::Circle {
        side,
        center: spot.center,
        axis: spot.axis,
        radius: spot.radius,
        ball,
    }
}

/// The other side's points over a flat one.
#[allow(clippy::too_many_arguments)]
fn on_face(
    features: &[Feature; 2],
    reference: usize,
    poses: [&Pose; 2],
    balls: [f64; 2],
    n: &Vector3<f64>,
    within: f64,
    size: f64,
    out: &mut Few<PatchPoint>,
) {
    let incident = 1 - reference;
    let face = &features[reference];
    let mut spots = features[incident].spots.clone();
    let round = face.disc.is_some() || features[incident].disc.is_some();
    match round && spots.len() > 2 {
        true => spots = shared_area(&features[incident], poses[incident], face, n, size),
        false => clip_to(&mut spots, face, n, size),
    }
    // Outward from the reference.
    let up = if reference == 1 { *n } else { -n };
    let plane = face.spots[0].place.dot(&up) + balls[reference];
    for spot in &spots {
        let low = spot.place - up * balls[incident];
        let gap = low.dot(&up) - plane;
        let on_plane = low - up * gap;
        let (point_a, point_b) = match reference {
            1 => (low, on_plane),
            _ => (on_plane, low),
        };
        let known = |p: &PatchPoint| (p.point_a - point_a).norm() <= 1e-7 * size;
        if gap > within || out.iter().any(known) {
            continue;
        }
        out.push(PatchPoint {
            point_a,
            point_b,
            normal: *n,
            reference: Some(reference),
            roll: rolling(spot, incident, balls[incident]),
        });
    }
}
