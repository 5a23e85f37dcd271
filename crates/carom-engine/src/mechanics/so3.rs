//! Rotations: the exponential map and its tangent, exact for small angles.

use nalgebra::{Matrix3, Vector3};

use super::numbers::{Real, dot, times};

/// û with û v = u × v.
#[inline]
pub fn hat(u: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -u.z, u.y, u.z, 0.0, -u.x, -u.y, u.x, 0.0)
}

/// Where θ² is small enough for series: the next terms are below 1e-17 of the sum.
const SMALL: f64 = 0.0025;

/// Coefficients sin θ/θ and (1 − cos θ)/θ², by θ².
#[inline]
fn coefficients<T: Real>(t2: T) -> [T; 2] {
    let one = T::of(1.0);
    if t2.value() < SMALL {
        // 1 − θ²/c₁ (1 − θ²/c₂ (…))
        let nested = |c: [f64; 4]| {
            let mut sum = one;
            for c in c.iter().rev() {
                sum = one - t2.over(*c) * sum;
            }
            sum
        };
        let a = nested([6.0, 20.0, 42.0, 72.0]);
        let b = nested([12.0, 30.0, 56.0, 90.0]).scale(0.5);
        [a, b]
    } else {
        let t = t2.sqrt();
        let half = t.scale(0.5).sin();
        [t.sin() / t, (half * half).scale(2.0) / t2]
    }
}

/// Coefficient (θ − sin θ)/θ³, by θ².
#[inline]
fn third_coefficient(t2: f64) -> f64 {
    if t2 < SMALL {
        (1.0 - t2 / 20.0 * (1.0 - t2 / 42.0 * (1.0 - t2 / 72.0 * (1.0 - t2 / 110.0)))) / 6.0
    } else {
        let t = t2.sqrt();
        (t - t.sin()) / (t * t2)
    }
}

/// exp(û) − I, without the cancellation of forming exp(û) first.
///
/// ```
/// use carom::mechanics::exp_minus_identity;
/// use nalgebra::{Matrix3, Vector3};
/// let r = exp_minus_identity(&(Vector3::z() * std::f64::consts::FRAC_PI_2)) + Matrix3::identity();
/// assert!((r * Vector3::x() - Vector3::y()).norm() < 1e-15);
/// ```
#[inline]
pub fn exp_minus_identity<T: Real>(u: &Vector3<T>) -> Matrix3<T> {
    let t2 = dot(u, u);
    let [a, b] = coefficients(t2);
    // a û + b û², û² = u uᵀ − |u|² I
    let [x, y, z] = [u.x, u.y, u.z];
    let [xx, yy, zz] = [x * x, y * y, z * z].map(|v| v * b - b * t2);
    let [xy, xz, yz] = [x * y, x * z, y * z].map(|v| v * b);
    let [ax, ay, az] = [x, y, z].map(|v| v * a);
    Matrix3::new(
        xx,
        xy - az,
        xz + ay, //
        xy + az,
        yy,
        yz - ax, //
        xz - ay,
        yz + ax,
        zz,
    )
}

/// dexp: the spatial angular velocity of exp(û) is dexp(u) u̇.
#[inline]
pub fn dexp(u: &Vector3<f64>) -> Matrix3<f64> {
    let t2 = u.norm_squared();
    let ([_, b], c) = (coefficients(t2), third_coefficient(t2));
    let h = hat(u);
    Matrix3::identity() + h * b + h * h * c
}

/// Inverse of [`dexp`].
#[inline]
pub fn dexp_inverse(u: &Vector3<f64>) -> Matrix3<f64> {
    let t2 = u.norm_squared();
    // (1 − (θ/2) cot(θ/2)) / θ²
    let c = if t2 < SMALL {
        (1.0 + t2 / 60.0 * (1.0 + t2 / 42.0 * (1.0 + t2 / 40.0))) / 12.0
    } else {
        let half = 0.5 * t2.sqrt();
        (1.0 - half / half.tan()) / t2
    };
    let h = hat(u);
    Matrix3::identity() - h * 0.5 + h * h * c
}

/// |ΔD|/√2 = 2 sin(θ/2) between two orientations that differ by a rotation by θ: the angle, where it is small.
pub fn turned(from: &Matrix3<f64>, to: &Matrix3<f64>) -> f64 {
    (to - from).norm() / std::f64::consts::SQRT_2
}

/// Rotation vector of a rotation matrix, |u| ≤ π.
pub fn log<T: Real>(r: &Matrix3<T>) -> Vector3<T> {
    // sin θ times the axis, and cos θ.
    let v = Vector3::new(
        (r[(2, 1)] - r[(1, 2)]).scale(0.5),
        (r[(0, 2)] - r[(2, 0)]).scale(0.5),
        (r[(1, 0)] - r[(0, 1)]).scale(0.5),
    );
    let square = dot(&v, &v);
    let one = T::of(1.0);
    let cosine = (r[(0, 0)] + r[(1, 1)] + r[(2, 2)] - one).scale(0.5);
    if cosine.value() > -0.9 && square.value() <= 1e-8 {
        // θ/sin θ = 1 + s²/6 + 3 s⁴/40 + …
        return times(&v, one + square.over(6.0) + (square * square).scale(0.075));
    }
    let sine = square.sqrt();
    if cosine.value() > -0.9 {
        return times(&v, sine.atan2(cosine) / sine);
    }
    // Near a half turn the axis is the longest column of (R + Rᵀ)/2 − cos θ I ∝ axis axisᵀ.
    let column = |k: usize| {
        let mut out = Vector3::from_fn(|i, _| (r[(i, k)] + r[(k, i)]).scale(0.5));
        out[k] -= cosine;
        out
    };
    let mut axis = column(0);
    for c in [column(1), column(2)] {
        if dot(&c, &c).value() > dot(&axis, &axis).value() {
            axis = c;
        }
    }
    let axis = times(&axis, one / dot(&axis, &axis).sqrt());
    let sign = if dot(&axis, &v).value() < 0.0 {
        -1.0
    } else {
        1.0
    };
    times(&axis, sine.atan2(cosine).scale(sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Vector3<f64>> {
        let axis = Vector3::new(0.3, -0.5, 0.8).normalize();
        [
            1e-9, 1e-6, 1e-4, 0.01, 0.0499, 0.0501, 0.3, 1.0, 2.6, 2.8, 3.0,
        ]
        .map(|t| axis * t)
        .to_vec()
    }

    #[test]
    fn exponential_is_nalgebras() {
        for u in samples() {
            let reference = nalgebra::Rotation3::new(u).into_inner();
            let ours = exp_minus_identity(&u) + Matrix3::identity();
            assert!((ours - reference).norm() < 1e-15, "{u:?}");
        }
    }

    #[test]
    fn logarithm_undoes_the_exponential() {
        for u in samples() {
            for axis in [u, Vector3::new(u.x, 0.0, 0.0), Vector3::new(0.0, -u.y, u.z)] {
                let r = exp_minus_identity(&axis) + Matrix3::identity();
                let size = axis.norm();
                assert!(
                    (log(&r) - axis).norm() <= 4e-15 * size.max(1e-4),
                    "{axis:?}"
                );
            }
        }
        let half = Vector3::new(0.6, 0.0, 0.8) * std::f64::consts::PI;
        let r = exp_minus_identity(&half) + Matrix3::identity();
        assert!((log(&r).norm() - std::f64::consts::PI).abs() < 1e-15);
        assert!(log(&r).cross(&half).norm() < 1e-14);
    }

    #[test]
    fn tangent_by_finite_differences_and_its_inverse() {
        let v = Vector3::new(0.2, 0.7, -0.4);
        for u in samples() {
            let step = 1e-5;
            let plus = exp_minus_identity(&(u + v * step));
            let minus = exp_minus_identity(&(u - v * step));
            let r = exp_minus_identity(&u) + Matrix3::identity();
            let spin = (plus - minus) / (2.0 * step) * r.transpose();
            assert!((spin - hat(&(dexp(&u) * v))).norm() < 1e-9, "{u:?}");
            assert!((dexp(&u) * dexp_inverse(&u) - Matrix3::identity()).norm() < 1e-14);
        }
    }
}
