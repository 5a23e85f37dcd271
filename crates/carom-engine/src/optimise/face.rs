//! Faces of convex parts: the one that looks along a direction, its normal and its sides.

use carom_gap::Vertices;
use nalgebra::Vector3;

/// Sine of the angle between two edges below which they span no face.
const PARALLEL: f64 = 1e-9;

/// The direction across two edges of a face, or across the one edge of a flat part in its plane; none where they span
/// nothing, whatever their size.
pub(crate) fn normal_to(edge: &Vector3<f64>, other: Option<&Vector3<f64>>) -> Option<Vector3<f64>> {
    let z = Vector3::z();
    let other = other.unwrap_or(&z);
    let normal = edge.cross(other);
    let size = normal.norm();
    (size > PARALLEL * edge.norm() * other.norm()).then(|| normal / size)
}

/// The face of a convex part (the edge of a flat one) that looks most along a direction: its vertices.
pub(crate) fn face_along(part: &Vertices, direction: &Vector3<f64>) -> Vec<usize> {
    let p = part.points();
    let flat = 1e-9 * part.reach();
    let mut best: (f64, Vec<usize>) = (f64::NEG_INFINITY, Vec::new());
    let mut look = |normal: Option<Vector3<f64>>, base: &Vector3<f64>| {
        let Some(normal) = normal else {
            return;
        };
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
                look(normal_to(&(p[j] - p[i]), None), &p[i]);
                continue;
            }
            for k in j + 1..p.len() {
                look(normal_to(&(p[j] - p[i]), Some(&(p[k] - p[i]))), &p[i]);
            }
        }
    }
    best.1
}

/// The direction, out of a convex part, of a face given by its vertices.
pub(crate) fn outward(part: &Vertices, face: &[usize]) -> Option<Vector3<f64>> {
    let p = part.points();
    let [i, j, rest @ ..] = face else { return None };
    let third = rest.first().map(|k| p[*k] - p[*i]);
    let normal = normal_to(&(p[*j] - p[*i]), third.as_ref())?;
    Some(normal * (p[*i] - part.mean()).dot(&normal).signum())
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
