//! A normal to round-off, from one that is nearly right.
//!
//! f(n) is smooth but for kinks: curves ⟨n, u⟩ = c on the sphere where an edge is the support, and
//! single normals of flat ends. Its maximum lies between the kinks, on a curve, or where curves cross.
//! All of these near the given normal are tried; each f(n) is a lower bound, so that the largest wins.

use super::search::Cores;
use super::support::Curve;
use crate::Few;
use nalgebra::Vector3;

/// Newton steps.
const MOST_STEPS: usize = 12;

/// Kinks near a normal, with storage that is used again.
#[derive(Default)]
pub(super) struct Kinks {
    curves: Few<Curve>,
    points: Few<Vector3<f64>>,
}

impl Cores<'_> {
    /// The best normal near `n`, f there, and whether it is more than `n` itself.
    pub fn polish(
        &self,
        n: &Vector3<f64>,
        near: f64,
        kinks: &mut Kinks,
    ) -> (f64, Vector3<f64>, bool) {
        kinks.curves.clear();
        kinks.points.clear();
        self.b.kinks(n, near, &mut kinks.curves, &mut kinks.points);
        let (curves, points) = (kinks.curves.len(), kinks.points.len());
        self.a
            .kinks(&-n, near, &mut kinks.curves, &mut kinks.points);
        for (_, c) in &mut kinks.curves[curves..] {
            *c = -*c;
        }
        for p in &mut kinks.points[points..] {
            *p = -*p;
        }
        // What is tried first stands unless another is better by more than round-off.
        let mut best = (f64::NEG_INFINITY, *n);
        let slack = 4.0 * f64::EPSILON * self.size;
        let mut offer = |candidate: Option<Vector3<f64>>| {
            if let Some(c) = candidate.filter(|c| c.iter().all(|x| x.is_finite())) {
                let f = self.value(&c);
                if f > best.0 + slack {
                    best = (f, c);
                }
            }
        };
        for p in &kinks.points {
            offer(Some(*p));
        }
        for (k, first) in kinks.curves.iter().enumerate() {
            for second in &kinks.curves[..k] {
                offer(crossing(first, second, n));
            }
        }
        for curve in &kinks.curves {
            offer(self.along(curve, n));
        }
        offer(self.between(n, &kinks.curves));
        let itself = self.value(n);
        match itself > best.0 + slack {
            true => (itself, *n, false),
            false => (best.0, best.1, true),
        }
    }

    /// Newton's method on the sphere, away from kinks.
    fn between(&self, n: &Vector3<f64>, curves: &[Curve]) -> Option<Vector3<f64>> {
        let start = n;
        let mut n = *n;
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            // P w = 0, with the Hessian −P (J_a + J_b) P − ⟨w, n⟩ P.
            let [s, t] = across(&n);
            let (w, [ss, st, tt]) = self.bent(&n, [&s, &t]);
            let (x, y, f) = (s.dot(&w), t.dot(&w), w.dot(&n));
            let (ss, tt) = (ss + f, tt + f);
            let det = ss * tt - st * st;
            if !(det > 0.0 && ss + tt > 0.0) {
                return None;
            }
            let step = s * ((tt * x - st * y) / det) + t * ((ss * y - st * x) / det);
            let size = step.norm();
            if !size.is_finite() {
                return None;
            }
            n = (n + step * (0.2 / size).min(1.0)).normalize();
            // Over a kink f is another function.
            let over = |(u, c): &Curve| (n.dot(u) - c) * (start.dot(u) - c) < 0.0;
            if curves.iter().any(over) {
                return None;
            }
            if settled(size, &mut last) {
                break;
            }
        }
        Some(n)
    }

    /// Newton's method along a curve ⟨n, u⟩ = c.
    fn along(&self, (u, c): &Curve, n: &Vector3<f64>) -> Option<Vector3<f64>> {
        let radius = (1.0 - c * c).sqrt();
        let place = |n: &Vector3<f64>| {
            let out = n - u * u.dot(n);
            let out = out - u * u.dot(&out);
            let length = out.norm();
            (length > 0.0).then(|| out / length)
        };
        let mut out = place(n)?;
        let mut last = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            // n = c u + ρ e,  n′ = ρ t,  n″ = −ρ e.
            let n = u * *c + out * radius;
            let t = u.cross(&out);
            let (w, [curved, ..]) = self.bent(&n, [&t, &t]);
            let slope = w.dot(&t) * radius;
            let bend = -w.dot(&out) * radius - curved * radius * radius;
            if bend >= 0.0 {
                return None;
            }
            let step = (-slope / bend).clamp(-0.2, 0.2);
            out = place(&(out + t * step))?;
            if settled(step.abs(), &mut last) {
                break;
            }
        }
        Some((u * *c + out * radius).normalize())
    }
}

/// Whether Newton's method needs no further step, or is on the wrong side of a kink and gets nowhere.
fn settled(step: f64, last: &mut f64) -> bool {
    let slow = step > 0.5 * *last && step < 0.2;
    *last = step;
    // What is left is the square of the step.
    step < 1e-9 || slow
}

/// Where two curves cross, near `n`.
fn crossing((u, c): &Curve, (v, d): &Curve, n: &Vector3<f64>) -> Option<Vector3<f64>> {
    let cross = u.cross(v);
    let square = cross.norm_squared();
    if square < 1e-24 {
        return None;
    }
    let side = cross * n.dot(&cross).signum();
    if *c == 0.0 && *d == 0.0 {
        return Some(side / square.sqrt());
    }
    // n = α u + β v + γ u × v.
    let uv = u.dot(v);
    let (alpha, beta) = ((c - d * uv) / square, (d - c * uv) / square);
    let flat = u * alpha + v * beta;
    let rest = (1.0 - flat.norm_squared()) / square;
    (rest >= 0.0).then(|| (flat + side * rest.sqrt()).normalize())
}

/// Two unit vectors across a unit vector.
pub(super) fn across(n: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let t = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
    [t, n.cross(&t)]
}
