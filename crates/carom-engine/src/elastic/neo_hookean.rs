//! Compressible neo-Hookean material, W(F) = μ/2 (tr FᵀF − 3) − μ ln J + λ/2 (ln J)².
//!
//! In small strains it is Hooke's law with Lamé's constants λ and μ. Where an element is turned inside
//! out (J ≤ 0) there is no energy: values are NaN, which steps notice.

use nalgebra::Matrix3;

/// Lamé's constants.
///
/// ```
/// use carom::elastic::NeoHookean;
/// let rubber = NeoHookean::from_young(1e6, 0.45);
/// assert!((rubber.young() - 1e6).abs() < 1e-6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    /// λ in Pa.
    pub lambda: f64,
    /// μ, the shear modulus, in Pa.
    pub mu: f64,
}

/// Rayleigh damping, C = α M + β K in small strains.
///
/// The second part is the viscous stress S = β (λ tr Ė I + 2 μ Ė) of the rate of Green's strain, so
/// that a body that turns as a whole feels nothing of it and both momenta are kept; the first part
/// is drag of the surroundings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// α in 1/s.
    pub mass: f64,
    /// β in s.
    pub stiffness: f64,
}

impl NeoHookean {
    /// From Young's modulus and Poisson's ratio.
    pub fn from_young(young: f64, poisson: f64) -> Self {
        Self {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }

    /// Young's modulus.
    pub fn young(&self) -> f64 {
        self.mu * (3.0 * self.lambda + 2.0 * self.mu) / (self.lambda + self.mu)
    }

    /// Whether small strains always take energy: μ > 0 and 3 λ + 2 μ > 0.
    pub fn is_stable(&self) -> bool {
        let finite = self.lambda.is_finite() && self.mu.is_finite();
        finite && self.mu > 0.0 && 3.0 * self.lambda + 2.0 * self.mu > 0.0
    }

    /// W(F).
    #[inline]
    pub fn energy(&self, f: &Matrix3<f64>) -> f64 {
        self.energy_at(f, inverse_transposed(f).1.ln())
    }

    /// W(F), where ln J is known.
    #[inline]
    fn energy_at(&self, f: &Matrix3<f64>, log: f64) -> f64 {
        // tr FᵀF − 3 − 2 ln J from F − I, whose digits a stretch of one would swallow.
        let g = f - Matrix3::identity();
        let stretch = g.norm_squared() + 2.0 * g.trace();
        0.5 * self.mu * stretch - self.mu * log + 0.5 * self.lambda * log * log
    }

    /// P = ∂W/∂F = μ (F − F⁻ᵀ) + λ ln J F⁻ᵀ.
    #[inline]
    pub fn stress(&self, f: &Matrix3<f64>) -> Matrix3<f64> {
        let (inverse, j) = inverse_transposed(f);
        f * self.mu + inverse * (self.lambda * j.ln() - self.mu)
    }

    /// W and P at once: the same numbers as one by one.
    #[inline]
    pub fn energy_and_stress(&self, f: &Matrix3<f64>) -> (f64, Matrix3<f64>) {
        let (inverse, j) = inverse_transposed(f);
        let log = j.ln();
        let stress = f * self.mu + inverse * (self.lambda * log - self.mu);
        (self.energy_at(f, log), stress)
    }

    /// F⁻ᵀ and μ − λ ln J, of which [`change`](Self::change) is made.
    #[inline]
    pub(super) fn linearised(&self, f: &Matrix3<f64>) -> (Matrix3<f64>, f64) {
        let (inverse, j) = inverse_transposed(f);
        (inverse, self.mu - self.lambda * j.ln())
    }

    /// ∂P/∂F : dF = μ dF + (μ − λ ln J) F⁻ᵀ dFᵀ F⁻ᵀ + λ (F⁻ᵀ : dF) F⁻ᵀ.
    pub fn change(&self, f: &Matrix3<f64>, df: &Matrix3<f64>) -> Matrix3<f64> {
        let (inverse, rest) = self.linearised(f);
        df * self.mu
            + inverse * df.transpose() * inverse * rest
            + inverse * (self.lambda * inverse.dot(df))
    }

    /// Hooke's law: λ tr ε I + 2 μ ε.
    #[inline]
    pub fn hooke(&self, strain: &Matrix3<f64>) -> Matrix3<f64> {
        strain * (2.0 * self.mu) + Matrix3::identity() * (self.lambda * strain.trace())
    }
}

/// F⁻ᵀ = cof F / J, and J; NaN where J is not positive.
#[inline]
fn inverse_transposed(f: &Matrix3<f64>) -> (Matrix3<f64>, f64) {
    let (a, b, c) = (f.column(0), f.column(1), f.column(2));
    let columns = [b.cross(&c), c.cross(&a), a.cross(&b)];
    let j = a.dot(&columns[0]);
    let scale = if j > 0.0 { 1.0 / j } else { f64::NAN };
    (Matrix3::from_columns(&columns) * scale, j)
}

/// Von Mises' equivalent of the Cauchy stress P Fᵀ / J.
pub fn von_mises(material: &NeoHookean, f: &Matrix3<f64>) -> f64 {
    let cauchy = material.stress(f) * f.transpose() / f.determinant();
    let deviator = cauchy - Matrix3::identity() * (cauchy.trace() / 3.0);
    (1.5 * deviator.norm_squared()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheared() -> Matrix3<f64> {
        Matrix3::new(1.1, 0.2, -0.1, 0.05, 0.9, 0.3, -0.2, 0.1, 1.2)
    }

    #[test]
    fn stress_is_the_gradient_and_change_its_derivative() {
        let m = NeoHookean {
            lambda: 3.0,
            mu: 2.0,
        };
        let (f, e) = (sheared(), 1e-6);
        let mut stress = Matrix3::zeros();
        for k in 0..9 {
            let mut d = Matrix3::zeros();
            d[k] = e;
            stress[k] = (m.energy(&(f + d)) - m.energy(&(f - d))) / (2.0 * e);
            d[k] = 1.0;
            let numeric = (m.stress(&(f + d * e)) - m.stress(&(f - d * e))) / (2.0 * e);
            assert!((numeric - m.change(&f, &d)).norm() < 1e-8, "{k}");
        }
        assert!((stress - m.stress(&f)).norm() < 1e-8);
        assert_eq!(m.energy_and_stress(&f), (m.energy(&f), m.stress(&f)));
    }

    #[test]
    fn nothing_at_rest_or_turned_and_nan_inside_out() {
        let m = NeoHookean::from_young(1e5, 0.3);
        let turned = nalgebra::Rotation3::from_euler_angles(0.3, -1.0, 2.0).into_inner();
        assert!(m.energy(&turned).abs() < 1e-10 && m.stress(&turned).norm() < 1e-10);
        assert_eq!(von_mises(&m, &Matrix3::identity()), 0.0);
        let inside_out = Matrix3::from_diagonal(&nalgebra::Vector3::new(1.0, 1.0, -0.5));
        assert!(m.energy(&inside_out).is_nan() && m.stress(&inside_out)[0].is_nan());
    }

    #[test]
    fn small_strains_follow_hookes_law() {
        let m = NeoHookean::from_young(7.0, 0.25);
        let strain = Matrix3::new(1.0, 0.3, 0.0, 0.3, -0.4, 0.2, 0.0, 0.2, 0.5) * 1e-7;
        let stress = m.stress(&(Matrix3::identity() + strain));
        assert!((stress - m.hooke(&strain)).norm() < 1e-6 * stress.norm());
        // Uniaxial stress: von Mises is the stress itself.
        let pulled = Matrix3::from_diagonal(&nalgebra::Vector3::new(1.0, -0.25, -0.25)) * 1e-7;
        let mises = von_mises(&m, &(Matrix3::identity() + pulled));
        assert!((mises - 7e-7).abs() < 1e-12);
    }
}
