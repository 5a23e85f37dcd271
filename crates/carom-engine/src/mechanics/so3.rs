//! Rotations: the exponential map and its tangent, exact for small angles.

use nalgebra::{Matrix3, Vector3};

/// û with û v = u × v.
#[inline]
pub fn hat(u: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::new(0.0, -u.z, u.y, u.z, 0.0, -u.x, -u.y, u.x, 0.0)
}

/// Coefficients sin θ/θ, (1 − cos θ)/θ², (θ − sin θ)/θ³ of θ = |u|.
#[inline]
fn coefficients(u: &Vector3<f64>) -> [f64; 3] {
    let t2 = u.norm_squared();
    if t2 < 0.0025 {
        // Series to full precision: the next terms are below 1e-17 of the sum.
        let a = 1.0 - t2 / 6.0 * (1.0 - t2 / 20.0 * (1.0 - t2 / 42.0 * (1.0 - t2 / 72.0)));
        let b = 0.5 * (1.0 - t2 / 12.0 * (1.0 - t2 / 30.0 * (1.0 - t2 / 56.0 * (1.0 - t2 / 90.0))));
        let c =
            (1.0 - t2 / 20.0 * (1.0 - t2 / 42.0 * (1.0 - t2 / 72.0 * (1.0 - t2 / 110.0)))) / 6.0;
        [a, b, c]
    } else {
        let t = t2.sqrt();
        let (sin, cos) = t.sin_cos();
        let half = (0.5 * t).sin();
        let _ = cos;
        [sin / t, 2.0 * half * half / t2, (t - sin) / (t * t2)]
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
pub fn exp_minus_identity(u: &Vector3<f64>) -> Matrix3<f64> {
    let [a, b, _] = coefficients(u);
    // û² = u uᵀ − |u|² I
    let t2 = u.norm_squared();
    let mut m = u * u.transpose() * b;
    for k in 0..3 {
        m[(k, k)] -= b * t2;
    }
    m + hat(u) * a
}

/// dexp: the spatial angular velocity of exp(û) is dexp(u) u̇.
#[inline]
pub fn dexp(u: &Vector3<f64>) -> Matrix3<f64> {
    let [_, b, c] = coefficients(u);
    let h = hat(u);
    Matrix3::identity() + h * b + h * h * c
}

/// Inverse of [`dexp`].
#[inline]
pub fn dexp_inverse(u: &Vector3<f64>) -> Matrix3<f64> {
    let t2 = u.norm_squared();
    // (1 − (θ/2) cot(θ/2)) / θ²
    let c = if t2 < 0.0025 {
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
pub fn log(r: &Matrix3<f64>) -> Vector3<f64> {
    // sin θ times the axis, and cos θ.
    let v = Vector3::new(
        r[(2, 1)] - r[(1, 2)],
        r[(0, 2)] - r[(2, 0)],
        r[(1, 0)] - r[(0, 1)],
    ) * 0.5;
    let (sine, cosine) = (v.norm(), 0.5 * (r.trace() - 1.0));
    if cosine > -0.9 {
        return match sine > 1e-4 {
            true => v * (sine.atan2(cosine) / sine),
            false => v * (1.0 + sine * sine / 6.0),
        };
    }
    // Near a half turn the axis is the longest column of (R + Rᵀ)/2 − cos θ I ∝ axis axisᵀ.
    let dyad = (r + r.transpose()) * 0.5 - Matrix3::identity() * cosine;
    let columns = [0, 1, 2].map(|k: usize| dyad.column(k).into_owned());
    let mut axis = columns[0];
    for c in &columns[1..] {
        if c.norm() > axis.norm() {
            axis = *c;
        }
    }
    let axis = axis.normalize();
    let sign = if axis.dot(&v) < 0.0 { -1.0 } else { 1.0 };
    axis * (sign * sine.atan2(cosine))
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
