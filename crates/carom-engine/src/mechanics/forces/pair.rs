//! What acts along the line x between two points: forces of potentials V(|x|), impulses of dampers, and how
//! both change with the line. Derivatives of V are asked of its law.

use nalgebra::{Matrix3, Vector3};

use crate::mechanics::numbers::{Real, dot, times};
use crate::model::PairLaw;

/// A pair potential at a line.
#[derive(Clone, Copy, Debug)]
pub struct PairForce {
    /// V.
    pub value: f64,
    /// −∂V/∂x: the force on the first point.
    pub force: Vector3<f64>,
    /// ∂²V/∂x².
    pub stiffness: Matrix3<f64>,
}

/// A potential where the line from the second point to the first is x.
#[inline]
pub fn pair_force(law: &PairLaw, x: &Vector3<f64>) -> PairForce {
    let r = x.norm();
    let [value, dv, ddv] = law.at(r);
    if r == 0.0 {
        return PairForce {
            value,
            force: Vector3::zeros(),
            stiffness: Matrix3::identity() * ddv,
        };
    }
    let n = x / r;
    let along = n * n.transpose();
    PairForce {
        value,
        force: n * -dv,
        stiffness: along * ddv + (Matrix3::identity() - along) * (dv / r),
    }
}

/// ∂²(F(x) · ξ)/∂x² of its force F.
pub fn pair_curvature(law: &PairLaw, x: &Vector3<f64>, xi: &Vector3<f64>) -> Matrix3<f64> {
    let r = x.norm();
    if r == 0.0 {
        return Matrix3::zeros();
    }
    let [_, v1, v2] = law.at(r);
    // F = −φ x with φ = V′/r, b = φ′/r, c = (φ″ − b)/r².
    let b = (v2 - v1 / r) / (r * r);
    let c = ((law.third(r) - 2.0 * b * r) / r - b) / (r * r);
    let cross = xi * x.transpose();
    let s = x.dot(xi);
    -((cross + cross.transpose() + Matrix3::identity() * s) * b + x * x.transpose() * (s * c))
}

/// Impulse −c n nᵀΔ on the first end of a damper whose line, along n, changes by Δ in a step.
#[inline]
pub fn damper_impulse<T: Real>(c: f64, line: &Vector3<T>, moved: &Vector3<T>) -> Vector3<T> {
    let square = dot(line, line);
    if square.value() == 0.0 {
        return times(line, T::of(0.0));
    }
    let r = square.sqrt();
    let n = line.map(|x| x / r);
    times(&n, dot(&n, moved).scale(-c))
}

/// How it changes where the line does by a δ and its change Δ by b δ, per δ.
#[inline]
pub fn damper_slope(
    c: f64,
    line: &Vector3<f64>,
    moved: &Vector3<f64>,
    [a, b]: [f64; 2],
) -> Matrix3<f64> {
    let r = line.norm();
    if r == 0.0 {
        return Matrix3::zeros();
    }
    let n = line / r;
    let along = n * n.transpose();
    // ∂(n nᵀΔ) = (nᵀΔ I + n Δᵀ) ∂n + n nᵀ ∂Δ, ∂n = (I − n nᵀ)/r ∂x.
    let turn = (Matrix3::identity() - along) * (a / r);
    let swung = (Matrix3::identity() * n.dot(moved) + n * moved.transpose()) * turn;
    (along * b + swung) * -c
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanics::numbers::Dual;

    #[test]
    fn slopes_and_curvature_by_differences() {
        let (x, xi) = (Vector3::new(0.3, -0.5, 0.8), Vector3::new(-0.2, 0.9, 0.4));
        let moved = Vector3::new(0.05, 0.1, -0.2);
        let e = 1e-5;
        for law in [
            PairLaw::Spring {
                stiffness: 3.0,
                rest_length: 0.7,
            },
            PairLaw::Coulomb { strength: 0.4 },
        ] {
            let bend = pair_curvature(&law, &x, &xi);
            for k in 0..3 {
                let step = Vector3::ith(k, e);
                let [up, down] = [x + step, x - step].map(|x| pair_force(&law, &x));
                let slope = (up.force - down.force) / (-2.0 * e);
                let column = pair_force(&law, &x).stiffness.column(k).into_owned();
                assert!((slope - column).norm() < 1e-8);
                let slope = (up.stiffness - down.stiffness) * xi / (-2.0 * e);
                assert!((slope - bend.column(k)).norm() < 1e-8);
            }
        }
        for weights in [[0.5, -1.0], [0.5, 1.0], [0.3, 1.0]] {
            let slope = damper_slope(0.8, &x, &moved, weights);
            for k in 0..3 {
                let seeded = |v: &Vector3<f64>, s: f64| {
                    Vector3::from_fn(|i, _| Dual {
                        v: v[i],
                        d: if i == k { s } else { 0.0 },
                    })
                };
                let [a, b] = weights;
                let did = damper_impulse(0.8, &seeded(&x, a), &seeded(&moved, b));
                let column = did.map(|v| v.d);
                assert!((slope.column(k) - column).norm() < 1e-14);
            }
        }
    }
}
