//! Points on an integer grid, where orientations are exact.
//!
//! The scaled coordinates of A − B stay below 8, so that grid coordinates stay below 2⁵⁶, their
//! differences below 2⁵⁷, cross products below 2¹¹⁵ (i128), and a triple product below 2¹⁷⁴,
//! which is held in two parts.

use nalgebra::Vector3;

/// Grid points per unit length.
const POINTS_PER_UNIT: f64 = (1u64 << 53) as f64;
/// The width of the grid: differences of this size are round-off of the input.
pub(super) const WIDTH: f64 = 1.0 / POINTS_PER_UNIT;
/// A set thinner than this is flat.
pub(super) const THIN: f64 = 8.0 * WIDTH;

const LIMIT: f64 = (1u64 << 56) as f64;

pub(super) type Point = [i64; 3];

/// The grid point nearest to `p`.
pub(super) fn snap(p: &Vector3<f64>) -> Point {
    std::array::from_fn(|k| (p[k] * POINTS_PER_UNIT).round().clamp(-LIMIT, LIMIT) as i64)
}

pub(super) fn sub(p: &Point, q: &Point) -> Point {
    std::array::from_fn(|k| p[k] - q[k])
}

/// p × q.
pub(super) fn cross(p: &Point, q: &Point) -> [i128; 3] {
    let product = |i: usize, j: usize| i128::from(p[i]) * i128::from(q[j]);
    [
        product(1, 2) - product(2, 1),
        product(2, 0) - product(0, 2),
        product(0, 1) - product(1, 0),
    ]
}

/// ⟨n, p⟩: its sign is exact, its value rounded.
pub(super) fn dot(n: &[i128; 3], p: &Point) -> f64 {
    // n = high 2⁶⁴ + low with 0 ≤ low < 2⁶⁴.
    let (mut high, mut low) = (0i128, 0i128);
    for k in 0..3 {
        high += (n[k] >> 64) * i128::from(p[k]);
        low += (n[k] & i128::from(u64::MAX)) * i128::from(p[k]);
    }
    high += low >> 64;
    low &= i128::from(u64::MAX);
    // Parts of opposite sign would cancel; the sum is exact where the high part is small.
    if (-1..=0).contains(&high) {
        ((high << 64) + low) as f64
    } else {
        high as f64 * (1u128 << 64) as f64 + low as f64
    }
}

/// A cross product as a vector of floating-point numbers.
pub(super) fn to_f64(n: &[i128; 3]) -> Vector3<f64> {
    Vector3::new(n[0] as f64, n[1] as f64, n[2] as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_exact() {
        let big = (1 << 56) - 1;
        let (p, q) = ([big, 1 - big, big], [big - 1, -big, big - 2]);
        let n = cross(&p, &q);
        assert_eq!((dot(&n, &p), dot(&n, &q)), (0.0, 0.0));
        // The smallest steps off the plane.
        for k in 0..3 {
            for step in [-1, 1] {
                let mut r = p;
                r[k] += step;
                let expected = n[k] as f64 * step as f64;
                assert_eq!(dot(&n, &r), expected);
            }
        }
    }
}
