//! Closest points of points and segments, in closed form.

use nalgebra::Vector3;

/// The point of the segment from `p` to `q` closest to `x`.
#[inline]
pub(super) fn on_segment(p: &Vector3<f64>, q: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
    let e = q - p;
    let ee = e.norm_squared();
    let t = (x - p).dot(&e);
    if t <= 0.0 || ee == 0.0 {
        *p
    } else if t >= ee {
        *q
    } else if 2.0 * t <= ee {
        p + e * (t / ee)
    } else {
        // From the nearer end.
        q - e * ((q - x).dot(&e) / ee)
    }
}

/// Closest points of two segments.
#[inline]
pub(super) fn of_segments(
    [p, q]: [&Vector3<f64>; 2],
    [r, s]: [&Vector3<f64>; 2],
) -> [Vector3<f64>; 2] {
    let (d, e, w) = (q - p, s - r, p - r);
    let (dd, ee, de) = (d.norm_squared(), e.norm_squared(), d.dot(&e));
    let cross = d.cross(&e);
    let square = cross.norm_squared();
    let mut best = {
        // The ends: one of them is closest, or both insides are.
        let x = on_segment(r, s, p);
        let mut best = [*p, x];
        let mut least = (p - x).norm_squared();
        let mut offer = |a: Vector3<f64>, b: Vector3<f64>| {
            let apart = (a - b).norm_squared();
            if apart < least {
                (least, best) = (apart, [a, b]);
            }
        };
        offer(*q, on_segment(r, s, q));
        offer(on_segment(p, q, r), *r);
        offer(on_segment(p, q, s), *s);
        best
    };
    // Inside both: along the common perpendicular.
    if square > 1e-24 * dd * ee {
        let t = (de * e.dot(&w) - ee * d.dot(&w)) / square;
        let u = (dd * e.dot(&w) - de * d.dot(&w)) / square;
        if (0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u) {
            let (a, b) = (p + d * t, r + e * u);
            if (a - b).norm_squared() <= (best[0] - best[1]).norm_squared() {
                best = [a, b];
            }
        }
    }
    best
}
