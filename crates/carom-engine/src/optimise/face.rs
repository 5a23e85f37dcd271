//! Faces of convex parts: the one that looks along a direction, its normal and its sides.

use carom_gap::Vertices;
use nalgebra::Vector3;

/// The face of a convex part (the edge of a flat one) that looks most along a direction: its vertices.
pub(crate) fn face_along(part: &Vertices, direction: &Vector3<f64>) -> Vec<usize> {
    let p = part.points();
    let flat = 1e-9 * part.reach();
    let mut best: (f64, Vec<usize>) = (f64::NEG_INFINITY, Vec::new());
    let mut look = |normal: Vector3<f64>, base: &Vector3<f64>| {
        if normal.norm() <= 1e-12 {
            return;
        }
        let normal = normal.normalize();
        let heights: Vec<f64> = p.iter().map(|x| (x - base).dot(&normal)).collect();
        for sign in [1.0, -1.0] {
            let along = sign * normal.dot(direction);
            if along > best.0 + 1e-12 && heights.iter().all(|h| sign * h <= flat) {
                let own = (0..p.len()).filter(|k| heights[*k].abs() <= flat);
                best = (along, own.collect());
            }
        }
    };
    for i in 0..p.len() {
        for j in i + 1..p.len() {
            if part.is_planar() {
                look((p[j] - p[i]).cross(&Vector3::z()), &p[i]);
                continue;
            }
            for k in j + 1..p.len() {
                look((p[j] - p[i]).cross(&(p[k] - p[i])), &p[i]);
            }
        }
    }
    best.1
}

/// The direction, out of a convex part, of a face given by its vertices.
pub(crate) fn outward(part: &Vertices, face: &[usize]) -> Option<Vector3<f64>> {
    let p = part.points();
    let [i, j, rest @ ..] = face else { return None };
    let along = p[*j] - p[*i];
    let normal = match rest.first() {
        Some(k) => along.cross(&(p[*k] - p[*i])),
        None => along.cross(&Vector3::z()),
    };
    let out = (p[*i] - part.mean()).dot(&normal).signum();
    (normal.norm() > 1e-12).then(|| normal.normalize() * out)
}

/// Sides of a face: a vertex of each, and the direction from it into the face.
pub(crate) fn outline(
    part: &Vertices,
    face: &[usize],
    normal: &Vector3<f64>,
) -> Vec<(usize, Vector3<f64>)> {
    let p = part.points();
    let flat = 1e-9 * part.reach();
    let mut out = Vec::new();
    for &i in face {
        for &j in face.iter().filter(|j| **j != i) {
            // A flat part has an edge for a face, which ends at its two vertices.
            let inward = match part.is_planar() {
                true => p[j] - p[i],
                false => normal.cross(&(p[j] - p[i])),
            };
            let depth = |k: &usize| (p[*k] - p[i]).dot(&inward);
            if inward.norm() > 0.0 && face.iter().all(|k| depth(k) >= -flat * inward.norm()) {
                out.push((i, inward.normalize()));
            }
        }
    }
    out
}
