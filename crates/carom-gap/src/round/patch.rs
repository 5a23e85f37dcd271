//! The points that share a contact of round bodies, and how they follow a motion.
//!
//! What is furthest along the normal on each side is a point, a line (a lying cylinder) or flat (its
//! end). A flat side is the reference: the other side's points over it carry the contact, each with its
//! own gap above its plane. Two lines along each other have two points. Everything else has one.

use super::nearest::Solid;
use super::{Core, Round};
use crate::distance::Distance;
use crate::distance::simplex::{Simplex, Vertex};
use crate::gap::HalfSpace;
use crate::{Pose, Vertices};
use nalgebra::Vector3;

/// A flat side is level with the contact to this, in body sizes.
const LEVEL: f64 = 1e-9;
/// Points of a circle that lies flat.
const SAMPLES: usize = 8;

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
    /// Two lines along each other: the distance of a point from an axis, less the radii.
    Axes {
        /// A point on the axis of a, and one of b, in their frames.
        centers: [Vector3<f64>; 2],
        /// Unit vector along the axis of a, in its frame.
        axis: Vector3<f64>,
        /// Radii about both axes.
        radii: [f64; 2],
    },
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

/// A point of a feature: on a circle about an axis, or fixed where the radius is zero.
#[derive(Clone, Copy, Debug)]
struct Spot {
    /// In the inertial frame.
    place: Vector3<f64>,
    /// In the body frame.
    center: Vector3<f64>,
    axis: Vector3<f64>,
    radius: f64,
}

impl Spot {
    /// A point that stays where it is on its body.
    fn fixed(place: Vector3<f64>, pose: &Pose) -> Self {
        Self {
            place,
            center: pose.direction_to_body(&(place - pose.position)),
            axis: Vector3::z(),
            radius: 0.0,
        }
    }

    fn between(&self, other: &Self, t: f64) -> Self {
        let mix = |x: &Vector3<f64>, y: &Vector3<f64>| x + (y - x) * t;
        Self {
            place: mix(&self.place, &other.place),
            center: mix(&self.center, &other.center),
            axis: self.axis,
            radius: self.radius + (other.radius - self.radius) * t,
        }
    }
}

/// What is furthest along a direction.
struct Feature {
    spots: Vec<Spot>,
    /// Whether it is a face whose normal is that direction.
    flat: bool,
    /// Whether it is a disc.
    disc: Option<(Vector3<f64>, f64)>,
}

impl Feature {
    /// The spot furthest along `d`.
    fn furthest(&self, d: &Vector3<f64>) -> Vector3<f64> {
        let most = self.spots.iter().max_by(|x, y| {
            let along = |s: &Spot| s.place.dot(d);
            along(x).total_cmp(&along(y))
        });
        most.map_or(Vector3::zeros(), |s| s.place)
    }

    /// Its point closest to `x`, seen along its normal n.
    fn closest(&self, x: &Vector3<f64>, n: &Vector3<f64>, size: f64) -> Vector3<f64> {
        match &self.disc {
            Some(disc) => within_disc(disc, x, n),
            None => closest(|d| [*x, self.furthest(d)], n, size)[1],
        }
    }
}

/// The point of a disc closest to `x`, seen along its normal n.
fn within_disc(
    (center, radius): &(Vector3<f64>, f64),
    x: &Vector3<f64>,
    n: &Vector3<f64>,
) -> Vector3<f64> {
    let off = x - center;
    let off = off - n * n.dot(&off);
    let length = off.norm();
    if length > *radius {
        center + off * (radius / length)
    } else {
        center + off
    }
}

/// Points of two flat polygons that are closest seen along n, by pairs of their points furthest
/// against and along a direction.
fn closest(
    mut look: impl FnMut(&Vector3<f64>) -> [Vector3<f64>; 2],
    n: &Vector3<f64>,
    size: f64,
) -> [Vector3<f64>; 2] {
    let mut pairs: Vec<[Vector3<f64>; 2]> = Vec::new();
    let mut vertex = |d: &Vector3<f64>| {
        let pair = look(d);
        let off = pair[0] - pair[1];
        pairs.push(pair);
        Vertex {
            point: off - n * n.dot(&off),
            a: pairs.len() - 1,
            b: pairs.len() - 1,
        }
    };
    let [t, _] = super::polish::across(n);
    let mut simplex = Simplex::new(vertex(&t));
    let mut v = simplex.reduce();
    for _ in 0..40 {
        let length = v.norm();
        if length <= 1e-16 * size || simplex.is_full() {
            break;
        }
        let towards = v / length;
        let w = vertex(&towards);
        if length - towards.dot(&w.point) <= 1e-15 * size {
            break;
        }
        simplex.push(w);
        let closer = simplex.reduce();
        if closer.norm_squared() >= v.norm_squared() {
            break;
        }
        v = closer;
    }
    let mut sum = [Vector3::zeros(); 2];
    for (vertex, weight) in simplex.iter() {
        for (s, x) in sum.iter_mut().zip(&pairs[vertex.a]) {
            *s += x * weight;
        }
    }
    sum
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
    let n = found.normal;
    let size = a.reach().max(b.reach());
    let tolerance = within.max(LEVEL * size);
    let features = [
        feature(a, pose_a, &-n, tolerance, LEVEL * size),
        feature(b, pose_b, &n, tolerance, LEVEL * size),
    ];
    let from = out.len();
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
            Some(r) => on_face(&features, r, poses, balls, &n, within, size, out),
            None => along_lines(&features, poses, balls, within, size, out),
        }
    }
    if out.len() < from + 2 {
        out.truncate(from);
        out.push(single(found, [fa.flat, fb.flat]));
    }
}

/// Points of two cores that are closest: of what is furthest along the normal on either side, those
/// that lie over each other.
pub(super) fn shared(
    solids: [Solid; 2],
    poses: [&Pose; 2],
    value: f64,
    n: &Vector3<f64>,
) -> [Vector3<f64>; 2] {
    let size = solids[0].reach().max(solids[1].reach());
    let level = LEVEL * size;
    let fa = feature(solids[0], poses[0], &-n, level, level);
    let fb = feature(solids[1], poses[1], n, level, level);
    if let ([x], [y]) = (&fa.spots[..], &fb.spots[..]) {
        return [x.place, y.place];
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
    match off.abs() <= 10.0 * level {
        true => [middle + half, middle - half],
        false => sum,
    }
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
    let n = *ground.normal();
    let size = a.reach();
    let ball = a.radius();
    let feature = feature(a, pose, &-n, within.max(LEVEL * size), LEVEL * size);
    let from = out.len();
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
    if out.len() < from + 2 {
        out.truncate(from);
        out.push(single(found, [false, true]));
    }
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
    out: &mut Vec<PatchPoint>,
) {
    let incident = 1 - reference;
    let face = &features[reference];
    let mut spots = features[incident].spots.clone();
    match (&face.disc, &features[incident].disc) {
        (Some((center, radius)), Some(other)) => {
            let other = (&other.0, other.1);
            spots = discs(
                &spots,
                poses[incident],
                (center, *radius),
                other,
                face,
                n,
                size,
            );
        }
        _ => clip_to(&mut spots, face, n, size),
    }
    // Outward from the reference.
    let up = if reference == 1 { *n } else { -n };
    let plane = face.spots[0].place.dot(&up) + balls[reference];
    let from = out.len();
    for spot in &spots {
        let low = spot.place - up * balls[incident];
        let gap = low.dot(&up) - plane;
        let on_plane = low - up * gap;
        let (point_a, point_b) = match reference {
            1 => (low, on_plane),
            _ => (on_plane, low),
        };
        let known = |p: &PatchPoint| (p.point_a - point_a).norm() <= 1e-7 * size;
        if gap > within || out[from..].iter().any(known) {
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

/// Two lines along each other: the ends of what they share.
fn along_lines(
    features: &[Feature; 2],
    poses: [&Pose; 2],
    balls: [f64; 2],
    within: f64,
    size: f64,
    out: &mut Vec<PatchPoint>,
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
    for t in [low, high] {
        let (x, y) = (p.between(q, t), r.between(s, (t - tr) / (ts - tr)));
        let centers = [poses[0].point(&x.center), poses[1].point(&y.center)];
        // Across the axis of a.
        let axis = (poses[0].point(&q.center) - poses[0].point(&p.center)).normalize();
        let off = centers[0] - centers[1];
        let off = off - axis * axis.dot(&off);
        let (ra, rb) = (x.radius + balls[0], y.radius + balls[1]);
        let apart = off.norm();
        let gap = apart - ra - rb;
        if gap > within || apart == 0.0 {
            continue;
        }
        let normal = off / apart;
        let point_b = centers[1] + normal * rb;
        out.push(PatchPoint {
            point_a: point_b + normal * gap,
            point_b,
            normal,
            reference: None,
            roll: Roll::Axes {
                centers: [x.center, y.center],
                axis: poses[0].direction_to_body(&axis),
                radii: [ra, rb],
            },
        });
    }
}

/// Points of two discs on each other: of either within the other, and where their rims cross.
fn discs(
    spots: &[Spot],
    pose: &Pose,
    (center, radius): (&Vector3<f64>, f64),
    (other, other_radius): (&Vector3<f64>, f64),
    face: &Feature,
    n: &Vector3<f64>,
    size: f64,
) -> Vec<Spot> {
    let flat = |x: Vector3<f64>| x - n * n.dot(&x);
    let slack = LEVEL * size;
    let within = |x: &Vector3<f64>, c: &Vector3<f64>, r: f64| flat(x - c).norm() <= r + slack;
    let own = spots.iter().copied();
    let mut out: Vec<Spot> = own.filter(|s| within(&s.place, center, radius)).collect();
    // Points of the incident disc's plane, unless one of its own is there.
    let mut add = |place: Vector3<f64>| {
        let place = place - n * (place - other).dot(n);
        if out.iter().all(|s| (s.place - place).norm() > 1e-3 * size) {
            out.push(Spot::fixed(place, pose));
        }
    };
    for s in &face.spots {
        if within(&s.place, other, other_radius) {
            add(s.place);
        }
    }
    let apart = flat(other - center);
    let d = apart.norm();
    if d > slack && d < radius + other_radius && d > (radius - other_radius).abs() {
        let x = (d * d + radius * radius - other_radius * other_radius) / (2.0 * d);
        let y = (radius * radius - x * x).max(0.0).sqrt();
        let u = apart / d;
        let v = n.cross(&u);
        add(center + u * x + v * y);
        add(center + u * x - v * y);
    }
    out
}

/// Clips points (a polygon, a segment) by the sides of a face, seen along n.
fn clip_to(spots: &mut Vec<Spot>, face: &Feature, n: &Vector3<f64>, size: f64) {
    let corners = &face.spots;
    let slack = LEVEL * size;
    if let (Some((center, radius)), [p, q]) = (&face.disc, &spots[..]) {
        *spots = chord(p, q, center, *radius, n);
        return;
    }
    if corners.len() == 2 {
        let along = corners[1].place - corners[0].place;
        clip(spots, &corners[0].place, &-along, slack);
        clip(spots, &corners[1].place, &along, slack);
        return;
    }
    let mut turn = 0.0;
    for k in 1..corners.len() - 1 {
        let (e, f) = (
            corners[k].place - corners[0].place,
            corners[k + 1].place - corners[0].place,
        );
        turn += e.cross(&f).dot(n);
    }
    for k in 0..corners.len() {
        let (p, q) = (&corners[k].place, &corners[(k + 1) % corners.len()].place);
        clip(spots, p, &((q - p).cross(n) * turn.signum()), slack);
    }
}

/// What of a line lies within a circle, seen along n.
fn chord(p: &Spot, q: &Spot, center: &Vector3<f64>, radius: f64, n: &Vector3<f64>) -> Vec<Spot> {
    let flat = |x: Vector3<f64>| x - n * n.dot(&x);
    let (w, d) = (flat(p.place - center), flat(q.place - p.place));
    // |w + t d|² = r².
    let (a, b, c) = (
        d.norm_squared(),
        w.dot(&d),
        w.norm_squared() - radius * radius,
    );
    let root = b * b - a * c;
    if root <= 0.0 {
        return Vec::new();
    }
    let ends = [-1.0, 1.0].map(|sign| ((-b + sign * root.sqrt()) / a).clamp(0.0, 1.0));
    if ends[1] <= ends[0] {
        return Vec::new();
    }
    ends.map(|t| p.between(q, t)).to_vec()
}

fn clip(spots: &mut Vec<Spot>, at: &Vector3<f64>, outward: &Vector3<f64>, slack: f64) {
    let length = outward.norm();
    if length == 0.0 || spots.is_empty() {
        return;
    }
    let height = |s: &Spot| (s.place - at).dot(outward) / length;
    let count = spots.len();
    let sides = match count {
        1 => 0,
        2 => 1,
        n => n,
    };
    let mut kept = Vec::with_capacity(count + 2);
    for k in 0..count {
        let p = spots[k];
        let hp = height(&p);
        if hp <= slack {
            kept.push(p);
        }
        if k < sides {
            let q = spots[(k + 1) % count];
            let hq = height(&q);
            if (hp <= slack) != (hq <= slack) {
                kept.push(p.between(&q, (hp / (hp - hq)).clamp(0.0, 1.0)));
            }
        }
    }
    *spots = kept;
}

/// What of a solid is furthest along `d`, within a tolerance; flat if it is within `level`.
fn feature(solid: Solid, pose: &Pose, d: &Vector3<f64>, tolerance: f64, level: f64) -> Feature {
    let core = match solid {
        Solid::Hull(v) => return hull(v, pose, d, tolerance, level),
        Solid::Round(Round { core, .. }) => core,
    };
    let point = |x: Vector3<f64>| Spot {
        place: pose.point(&x),
        center: x,
        axis: Vector3::z(),
        radius: 0.0,
    };
    let local = pose.direction_to_body(d);
    let on_circle = |center: Vector3<f64>, axis: &Vector3<f64>, radius: f64| {
        let p = local - axis * axis.dot(&local);
        let place = match p.try_normalize(1e-300) {
            Some(out) => center + out * radius,
            None => center,
        };
        Spot {
            place: pose.point(&place),
            center,
            axis: *axis,
            radius,
        }
    };
    let line = |spots: Vec<Spot>| Feature {
        spots,
        flat: false,
        disc: None,
    };
    // A disc that lies flat: points all round, the lowest first where there is one.
    let end = |center: Vector3<f64>, axis: &Vector3<f64>, radius: f64| {
        let p = local - axis * axis.dot(&local);
        let tilt = p.norm();
        if 2.0 * radius * tilt > tolerance {
            return None;
        }
        let tilted = 2.0 * radius * tilt > level;
        let first = match tilted {
            true => p / tilt,
            false => axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize(),
        };
        let second = axis.cross(&first);
        let spots = (0..SAMPLES).map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / SAMPLES as f64).sin_cos();
            match k {
                0 if tilted => on_circle(center, axis, radius),
                _ => point(center + (first * cos + second * sin) * radius),
            }
        });
        Some(Feature {
            spots: spots.collect(),
            flat: !tilted,
            disc: Some((pose.point(&center), radius)),
        })
    };
    match core {
        Core::Hull(v) => hull(v, pose, d, tolerance, level),
        Core::Disc {
            center,
            axis,
            radius,
        } => end(*center, axis, *radius)
            .unwrap_or_else(|| line(vec![on_circle(*center, axis, *radius)])),
        Core::Cylinder {
            center,
            axis,
            radius,
            half,
        } => {
            let along = axis.dot(&local);
            let top = center + axis * half.copysign(along);
            if let Some(flat) = end(top, axis, *radius).filter(|_| along.abs() > 0.5) {
                return flat;
            }
            if 2.0 * half * along.abs() > tolerance {
                return line(vec![on_circle(top, axis, *radius)]);
            }
            let ends = [-*half, *half].map(|z| on_circle(center + axis * z, axis, *radius));
            line(ends.to_vec())
        }
        Core::Cone {
            base,
            axis,
            radius,
            height,
        } => {
            let along = axis.dot(&local);
            if let Some(flat) = end(*base, axis, *radius).filter(|_| along < -0.5) {
                return flat;
            }
            let (apex, rim) = (
                point(base + axis * *height),
                on_circle(*base, axis, *radius),
            );
            let higher = (apex.place - rim.place).dot(d);
            match higher {
                h if h > tolerance => line(vec![apex]),
                h if h < -tolerance => line(vec![rim]),
                _ => line(vec![apex, rim]),
            }
        }
        Core::Ellipsoid { .. } => {
            let place = solid.side(pose).support(d) + pose.position;
            line(vec![Spot {
                place,
                center: Vector3::zeros(),
                axis: Vector3::z(),
                radius: 0.0,
            }])
        }
    }
}

/// Vertices nearly furthest along `d`, as a convex polygon seen along it.
fn hull(v: &Vertices, pose: &Pose, d: &Vector3<f64>, tolerance: f64, level: f64) -> Feature {
    let local = pose.direction_to_body(d);
    let (_, top) = v.support(&local, 0);
    let mut flat = 0;
    let mut spots: Vec<Spot> = Vec::new();
    for x in v.points() {
        let below = top - x.dot(&local);
        if below <= tolerance {
            flat += usize::from(below <= level);
            spots.push(Spot {
                place: pose.point(x),
                center: *x,
                axis: Vector3::z(),
                radius: 0.0,
            });
        }
    }
    let planar = v.is_planar();
    let enough = if planar { 2 } else { 3 };
    let mut flat = flat >= enough;
    if spots.len() > 2 {
        spots = outline(&spots, d);
        flat &= spots.len() >= enough;
    }
    Feature {
        spots,
        flat,
        disc: None,
    }
}

/// The convex polygon around points seen along `d` (Andrew's monotone chain).
fn outline(spots: &[Spot], d: &Vector3<f64>) -> Vec<Spot> {
    let [s, t] = super::polish::across(d);
    let mut flat: Vec<(f64, f64, Spot)> = spots
        .iter()
        .map(|x| (x.place.dot(&s), x.place.dot(&t), *x))
        .collect();
    flat.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
    let size = spots
        .iter()
        .map(|x| (x.place - spots[0].place).norm())
        .fold(0.0, f64::max);
    let slack = 1e-12 * size * size;
    let turn = |o: &(f64, f64, Spot), a: &(f64, f64, Spot), b: &(f64, f64, Spot)| {
        (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0)
    };
    let chain = |points: &mut dyn Iterator<Item = (f64, f64, Spot)>| {
        let mut out: Vec<(f64, f64, Spot)> = Vec::new();
        for p in points {
            while out.len() >= 2 && turn(&out[out.len() - 2], &out[out.len() - 1], &p) <= slack {
                out.pop();
            }
            out.push(p);
        }
        out.pop();
        out
    };
    let mut lower = chain(&mut flat.iter().copied());
    lower.extend(chain(&mut flat.iter().rev().copied()));
    lower.into_iter().map(|p| p.2).collect()
}
