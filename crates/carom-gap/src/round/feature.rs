//! What of a solid is furthest along a direction: a point, a line, a polygon or a disc.

use super::nearest::Solid;
use super::{Core, Round};
use crate::distance::simplex::{Simplex, Vertex};
use crate::{Few, Pose, Vertices};
use nalgebra::Vector3;
use smallvec::smallvec;

/// Points of a circle that lies flat.
const SAMPLES: usize = 8;

/// A point of a feature: on a circle about an axis, or fixed where the radius is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// In the inertial frame.
    pub(super) place: Vector3<f64>,
    /// In the body frame.
    pub(super) center: Vector3<f64>,
    pub(super) axis: Vector3<f64>,
    pub(super) radius: f64,
}

impl Spot {
    /// A point that stays where it is on its body.
    pub(super) fn fixed(place: Vector3<f64>, pose: &Pose) -> Self {
        Self {
            place,
            center: pose.direction_to_body(&(place - pose.position)),
            axis: Vector3::z(),
            radius: 0.0,
        }
    }

    pub(super) fn between(&self, other: &Self, t: f64) -> Self {
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
pub(super) struct Feature {
    pub(super) spots: Few<Spot>,
    /// Whether it is a face whose normal is that direction.
    pub(super) flat: bool,
    /// Whether it is a disc.
    pub(super) disc: Option<(Vector3<f64>, f64)>,
}

impl Feature {
    /// The spot furthest along `d`.
    pub(super) fn furthest(&self, d: &Vector3<f64>) -> Vector3<f64> {
        let most = self.spots.iter().max_by(|x, y| {
            let along = |s: &Spot| s.place.dot(d);
            along(x).total_cmp(&along(y))
        });
        most.map_or(Vector3::zeros(), |s| s.place)
    }

    /// Its point closest to `x`, seen along its normal n.
    pub(super) fn closest(&self, x: &Vector3<f64>, n: &Vector3<f64>, size: f64) -> Vector3<f64> {
        match &self.disc {
            Some(disc) => within_disc(disc, x, n),
            None => closest(|d| [*x, self.furthest(d)], n, size)[1],
        }
    }
}

/// The point of a disc closest to `x`, seen along its normal n.
pub(super) fn within_disc(
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
pub(super) fn closest(
    mut look: impl FnMut(&Vector3<f64>) -> [Vector3<f64>; 2],
    n: &Vector3<f64>,
    size: f64,
) -> [Vector3<f64>; 2] {
    let mut pairs: Few<[Vector3<f64>; 2]> = Few::new();
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

/// What of a solid is furthest along `d`, within a tolerance; flat if it is within `level`.
pub(super) fn feature(
    solid: Solid,
    pose: &Pose,
    d: &Vector3<f64>,
    tolerance: f64,
    level: f64,
) -> Feature {
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
    let line = |spots: Few<Spot>| Feature {
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
            .unwrap_or_else(|| line(smallvec![on_circle(*center, axis, *radius)])),
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
                return line(smallvec![on_circle(top, axis, *radius)]);
            }
            let ends = [-*half, *half].map(|z| on_circle(center + axis * z, axis, *radius));
            line(ends.into_iter().collect())
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
                h if h > tolerance => line(smallvec![apex]),
                h if h < -tolerance => line(smallvec![rim]),
                _ => line(smallvec![apex, rim]),
            }
        }
        Core::Ellipsoid { .. } => {
            let place = solid.side(pose).support(d) + pose.position;
            line(smallvec![Spot {
                place,
                center: Vector3::zeros(),
                axis: Vector3::z(),
                radius: 0.0,
            }])
        }
    }
}

/// Vertices nearly furthest along `d`, as a convex polygon seen along it.
pub(super) fn hull(
    v: &Vertices,
    pose: &Pose,
    d: &Vector3<f64>,
    tolerance: f64,
    level: f64,
) -> Feature {
    let local = pose.direction_to_body(d);
    let (_, top) = v.support(&local, 0);
    let mut flat = 0;
    let mut spots: Few<Spot> = Few::new();
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
pub(super) fn outline(spots: &[Spot], d: &Vector3<f64>) -> Few<Spot> {
    let [s, t] = super::polish::across(d);
    let mut flat: Few<(f64, f64, Spot)> = spots
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
        let mut out: Few<(f64, f64, Spot)> = Few::new();
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
