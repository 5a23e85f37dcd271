//! Points around the area that a disc shares with a disc or a polygon, seen along a normal.
//!
//! Its corners (corners within the disc, crossings of circles and edges) and points of its arcs: what lies on
//! an arc is further out than any corner, and a body that tips over a rim tips about it.

use super::feature::{Feature, Spot};
use super::patch::LEVEL;
use crate::{Few, Pose};
use nalgebra::{Vector2, Vector3};
use std::f64::consts::{FRAC_PI_4, TAU};

/// What of an outline is seen: a circle or a convex polygon.
#[expect(
    clippy::large_enum_variant,
    reason = "there are two at a time, and a box each would be an allocation at every contact"
)]
enum Outline {
    Circle(Vector2<f64>, f64),
    Polygon(Few<Vector2<f64>>),
}

impl Outline {
    fn new(feature: &Feature, see: impl Fn(&Vector3<f64>) -> Vector2<f64>) -> Self {
        match &feature.disc {
            Some((center, radius)) => Outline::Circle(see(center), *radius),
            None => Outline::Polygon(feature.spots.iter().map(|s| see(&s.place)).collect()),
        }
    }

    fn holds(&self, x: &Vector2<f64>, slack: f64) -> bool {
        match self {
            Outline::Circle(center, radius) => (x - center).norm() <= radius + slack,
            Outline::Polygon(corners) => {
                let doubled: f64 = sides(corners).map(|(p, q)| p.perp(q)).sum();
                sides(corners).all(|(p, q)| {
                    let e = q - p;
                    let length = e.norm();
                    length == 0.0 || e.perp(&(x - p)) * doubled.signum() / length >= -slack
                })
            }
        }
    }

    /// Where it crosses a circle.
    fn crossings(&self, center: &Vector2<f64>, radius: f64) -> Few<Vector2<f64>> {
        match self {
            Outline::Circle(other, r) => {
                let apart = other - center;
                let d = apart.norm();
                if d >= radius + r || d <= (radius - r).abs() {
                    return Few::new();
                }
                let x = (d * d + radius * radius - r * r) / (2.0 * d);
                let y = (radius * radius - x * x).max(0.0).sqrt();
                let u = apart / d;
                let v = Vector2::new(-u.y, u.x);
                [y, -y].iter().map(|y| center + u * x + v * *y).collect()
            }
            Outline::Polygon(corners) => {
                let mut out = Few::new();
                for (p, q) in sides(corners) {
                    // |w + t d|² = r².
                    let (w, d) = (p - center, q - p);
                    let (a, b) = (d.norm_squared(), w.dot(&d));
                    let root = b * b - a * (w.norm_squared() - radius * radius);
                    if root <= 0.0 || a == 0.0 {
                        continue;
                    }
                    let at = [-1.0, 1.0].map(|sign| (-b + sign * root.sqrt()) / a);
                    out.extend(
                        at.iter()
                            .filter(|t| (0.0..=1.0).contains(*t))
                            .map(|t| p + d * *t),
                    );
                }
                out
            }
        }
    }

    /// Points of its own within another: corners, or points of arcs; all round if nothing is cut off.
    fn within(&self, other: &Outline, slack: f64, out: &mut Few<Vector2<f64>>) {
        let (center, radius) = match self {
            Outline::Circle(center, radius) => (center, *radius),
            Outline::Polygon(corners) => {
                out.extend(corners.iter().copied().filter(|x| other.holds(x, slack)));
                return;
            }
        };
        let at = |angle: f64| center + Vector2::new(angle.cos(), angle.sin()) * radius;
        let mut cuts: Few<f64> = (other.crossings(center, radius).iter())
            .map(|x| (x.y - center.y).atan2(x.x - center.x))
            .collect();
        cuts.sort_by(f64::total_cmp);
        if cuts.is_empty() {
            cuts.push(0.0);
        }
        for (k, from) in cuts.iter().enumerate() {
            let to = cuts.get(k + 1).copied().unwrap_or(cuts[0] + TAU);
            let span = to - from;
            if !other.holds(&at(from + 0.5 * span), slack) {
                continue;
            }
            let pieces = (span / FRAC_PI_4).ceil().max(2.0);
            out.extend((0..=pieces as usize).map(|k| at(from + span * k as f64 / pieces)));
        }
    }
}

fn sides(corners: &[Vector2<f64>]) -> impl Iterator<Item = (&Vector2<f64>, &Vector2<f64>)> {
    corners.iter().zip(corners.iter().cycle().skip(1))
}

/// Points of the incident feature around what it shares with the face, seen along n. Its own are taken as they
/// are, others as material points of its body.
pub(super) fn shared_area(
    incident: &Feature,
    pose: &Pose,
    face: &Feature,
    n: &Vector3<f64>,
    size: f64,
) -> Few<Spot> {
    let slack = LEVEL * size;
    let [s, t] = super::polish::across(n);
    let origin = incident.spots[0].place;
    let see = |x: &Vector3<f64>| {
        let off = x - origin;
        Vector2::new(off.dot(&s), off.dot(&t))
    };
    let (own, other) = (Outline::new(incident, see), Outline::new(face, see));
    let mut seen = Few::new();
    own.within(&other, slack, &mut seen);
    other.within(&own, slack, &mut seen);
    // The plane of the incident feature may be a little tilted.
    let spots = &incident.spots;
    let across =
        (spots[spots.len() / 3].place - origin).cross(&(spots[2 * spots.len() / 3].place - origin));
    let up = across
        .try_normalize(0.0)
        .filter(|m| m.dot(n).abs() > 0.5)
        .unwrap_or(*n);
    let lift = |x: &Vector2<f64>| {
        let flat = s * x.x + t * x.y;
        origin + flat - n * (flat.dot(&up) / n.dot(&up))
    };
    // Apart from each other by a part of what is shared.
    let reach = seen
        .iter()
        .flat_map(|x| seen.iter().map(move |y| (x - y).norm()));
    let apart = (1e-3 * reach.fold(0.0, f64::max)).max(slack);
    let mut out: Few<Spot> = (spots.iter().copied())
        .filter(|spot| other.holds(&see(&spot.place), slack))
        .collect();
    for x in &seen {
        let place = lift(x);
        if out.iter().all(|s| (s.place - place).norm() > apart) {
            out.push(Spot::fixed(place, pose));
        }
    }
    out
}
