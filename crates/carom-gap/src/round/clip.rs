//! Points of a feature cut off by the sides of another, seen along a normal.

use super::feature::{Feature, Spot};
use super::patch::LEVEL;
use crate::Few;
use nalgebra::Vector3;

/// Clips points (a polygon, a segment) by the sides of a face, seen along n.
pub(super) fn clip_to(spots: &mut Few<Spot>, face: &Feature, n: &Vector3<f64>, size: f64) {
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
pub(super) fn chord(
    p: &Spot,
    q: &Spot,
    center: &Vector3<f64>,
    radius: f64,
    n: &Vector3<f64>,
) -> Few<Spot> {
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
        return Few::new();
    }
    let ends = [-1.0, 1.0].map(|sign| ((-b + sign * root.sqrt()) / a).clamp(0.0, 1.0));
    if ends[1] <= ends[0] {
        return Few::new();
    }
    ends.iter().map(|t| p.between(q, *t)).collect()
}

pub(super) fn clip(spots: &mut Few<Spot>, at: &Vector3<f64>, outward: &Vector3<f64>, slack: f64) {
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
    let mut kept = Few::new();
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
