//! Numbers that carry derivatives, and vectors of them.
//!
//! `Dual<f64>` is a value with one directional derivative, `Dual<Dual<f64>>` one with a mixed second
//! derivative. Only the chart of a node ([`chart`](super::chart)) and the way between two nodes are
//! differentiated like this; everything else is polynomial and done by hand.

use std::ops::{Add, Div, Mul, Neg, Sub};

use nalgebra::Matrix3;

/// A real number, with or without derivatives.
pub(crate) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant.
    fn of(value: f64) -> Self;
    /// The number without its derivatives.
    fn value(self) -> f64;
    fn sqrt(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn asin(self) -> Self;

    fn scale(self, factor: f64) -> Self {
        self * Self::of(factor)
    }
}

impl Real for f64 {
    fn of(value: f64) -> Self {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn sin(self) -> Self {
        f64::sin(self)
    }
    fn cos(self) -> Self {
        f64::cos(self)
    }
    fn asin(self) -> Self {
        f64::asin(self)
    }
    fn scale(self, factor: f64) -> Self {
        self * factor
    }
}

/// v + ε d with ε² = 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dual<T> {
    pub v: T,
    pub d: T,
}

/// A value with two first derivatives and their mixed second one.
pub(crate) type Second = Dual<Dual<f64>>;

impl Second {
    /// A variable that moves with the first direction by `first` and with the second by `second`.
    pub fn seed(value: f64, first: f64, second: f64) -> Self {
        Dual {
            v: Dual {
                v: value,
                d: second,
            },
            d: Dual { v: first, d: 0.0 },
        }
    }

    /// The mixed second derivative.
    pub fn mixed(self) -> f64 {
        self.d.d
    }
}

impl<T: Real> Add for Dual<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self {
            v: self.v + o.v,
            d: self.d + o.d,
        }
    }
}

impl<T: Real> Sub for Dual<T> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self {
            v: self.v - o.v,
            d: self.d - o.d,
        }
    }
}

impl<T: Real> Mul for Dual<T> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self {
            v: self.v * o.v,
            d: self.v * o.d + self.d * o.v,
        }
    }
}

impl<T: Real> Div for Dual<T> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let v = self.v / o.v;
        Self {
            v,
            d: (self.d - v * o.d) / o.v,
        }
    }
}

impl<T: Real> Neg for Dual<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            v: -self.v,
            d: -self.d,
        }
    }
}

impl<T: Real> Real for Dual<T> {
    fn of(value: f64) -> Self {
        Self {
            v: T::of(value),
            d: T::of(0.0),
        }
    }
    fn value(self) -> f64 {
        self.v.value()
    }
    fn sqrt(self) -> Self {
        let v = self.v.sqrt();
        Self {
            v,
            d: self.d / (v + v),
        }
    }
    fn sin(self) -> Self {
        Self {
            v: self.v.sin(),
            d: self.d * self.v.cos(),
        }
    }
    fn cos(self) -> Self {
        Self {
            v: self.v.cos(),
            d: -(self.d * self.v.sin()),
        }
    }
    fn asin(self) -> Self {
        Self {
            v: self.v.asin(),
            d: self.d / (T::of(1.0) - self.v * self.v).sqrt(),
        }
    }
    fn scale(self, factor: f64) -> Self {
        Self {
            v: self.v.scale(factor),
            d: self.d.scale(factor),
        }
    }
}

/// A vector in space.
#[derive(Clone, Copy, Debug)]
pub(crate) struct V3<T>(pub [T; 3]);

impl<T: Real> V3<T> {
    pub fn of(v: &nalgebra::Vector3<f64>) -> Self {
        Self([T::of(v.x), T::of(v.y), T::of(v.z)])
    }
    pub fn zero() -> Self {
        Self([T::of(0.0); 3])
    }
    pub fn dot(&self, o: &Self) -> T {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }
    pub fn cross(&self, o: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }
    pub fn times(&self, s: T) -> Self {
        Self(self.0.map(|x| x * s))
    }
}

impl<T: Real> Add for V3<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self([0, 1, 2].map(|k| self.0[k] + o.0[k]))
    }
}

impl<T: Real> Sub for V3<T> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self([0, 1, 2].map(|k| self.0[k] - o.0[k]))
    }
}

/// A 3 × 3 matrix by its columns: directors, rotations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct M3<T>(pub [V3<T>; 3]);

impl<T: Real> M3<T> {
    pub fn of(m: &nalgebra::Matrix3<f64>) -> Self {
        Self([0, 1, 2].map(|k| V3::of(&m.column(k).into_owned())))
    }
    pub fn identity() -> Self {
        Self::of(&nalgebra::Matrix3::identity())
    }
    /// M v.
    pub fn apply(&self, v: &V3<T>) -> V3<T> {
        let [a, b, c] = &self.0;
        a.times(v.0[0]) + b.times(v.0[1]) + c.times(v.0[2])
    }
    /// M v for a constant v.
    pub fn apply_to(&self, v: &nalgebra::Vector3<f64>) -> V3<T> {
        let [a, b, c] = &self.0;
        V3([0, 1, 2].map(|k| a.0[k].scale(v.x) + b.0[k].scale(v.y) + c.0[k].scale(v.z)))
    }
    /// M N.
    pub fn times(&self, o: &Self) -> Self {
        Self([0, 1, 2].map(|k| self.apply(&o.0[k])))
    }
    /// M Nᵀ.
    pub fn times_transposed(&self, o: &Self) -> Self {
        let o = &o.0;
        Self([0, 1, 2].map(|j| {
            let row = V3([o[0].0[j], o[1].0[j], o[2].0[j]]);
            self.apply(&row)
        }))
    }
}

/// exp(û), by series where the angle is small.
pub(crate) fn exp<T: Real>(u: &V3<T>) -> M3<T> {
    let t2 = u.dot(u);
    let one = T::of(1.0);
    let (a, b) = if t2.value() < 0.01 {
        let nested = |steps: &[f64]| {
            let mut sum = one;
            for c in steps.iter().rev() {
                sum = one - (t2 * sum).scale(1.0 / c);
            }
            sum
        };
        (
            nested(&[6.0, 20.0, 42.0, 72.0, 110.0]),
            nested(&[12.0, 30.0, 56.0, 90.0, 132.0]).scale(0.5),
        )
    } else {
        let t = t2.sqrt();
        (t.sin() / t, (one - t.cos()) / t2)
    };
    // I + a û + b û², û² = u uᵀ − |u|² I
    let [x, y, z] = u.0;
    let diagonal = one - b * t2;
    let (xy, xz, yz) = (b * x * y, b * x * z, b * y * z);
    M3([
        V3([diagonal + b * x * x, xy + a * z, xz - a * y]),
        V3([xy - a * z, diagonal + b * y * y, yz + a * x]),
        V3([xz + a * y, yz - a * x, diagonal + b * z * z]),
    ])
}

/// Rotation vector of a rotation by less than π/2.
pub(crate) fn short_log<T: Real>(r: &M3<T>) -> V3<T> {
    let m = &r.0;
    // sin θ n is the axial part.
    let axial = V3([
        (m[1].0[2] - m[2].0[1]).scale(0.5),
        (m[2].0[0] - m[0].0[2]).scale(0.5),
        (m[0].0[1] - m[1].0[0]).scale(0.5),
    ]);
    let s2 = axial.dot(&axial);
    let factor = if s2.value() < 1e-4 {
        // asin(s)/s = 1 + s²/6 + 3 s⁴/40 + 15 s⁶/336 + 105 s⁸/3456 + …
        let mut sum = T::of(105.0 / 3456.0);
        for c in [15.0 / 336.0, 3.0 / 40.0, 1.0 / 6.0, 1.0] {
            sum = sum * s2 + T::of(c);
        }
        sum
    } else {
        let s = s2.sqrt();
        s.asin() / s
    };
    axial.times(factor)
}

/// Rotation vector of a rotation, |u| ≤ π, to round-off for small ones, too.
pub(crate) fn rotation_vector(m: &Matrix3<f64>) -> nalgebra::Vector3<f64> {
    match m.trace() > 1.5 {
        true => nalgebra::Vector3::from(short_log(&M3::<f64>::of(m)).0),
        // Through a quaternion: sound at π, too.
        false => {
            let rotation = nalgebra::Rotation3::from_matrix_unchecked(*m);
            nalgebra::UnitQuaternion::from_rotation_matrix(&rotation).scaled_axis()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanics::exp_minus_identity;
    use nalgebra::Vector3;

    #[test]
    fn exponential_and_logarithm_are_those_of_mechanics() {
        for size in [0.0, 1e-6, 0.05, 0.2, 1.2, 3.0, std::f64::consts::PI] {
            let u = Vector3::new(0.3, -0.5, 0.8).normalize() * size;
            let r = exp(&V3::<f64>::of(&u));
            let m = Matrix3::from_fn(|i, j| r.0[j].0[i]);
            let wanted = exp_minus_identity(&u) + Matrix3::identity();
            assert!((m - wanted).norm() < 1e-15, "{size}");
            let back = rotation_vector(&m);
            let mirrored = if size > 3.1 { (back + u).norm() } else { 1.0 };
            assert!((back - u).norm().min(mirrored) < 1e-14, "{size}");
        }
    }

    #[test]
    fn second_derivatives_of_a_product() {
        let (x, y) = (Second::seed(0.3, 1.0, 0.0), Second::seed(0.7, 0.0, 1.0));
        let f = (x * y).sin() / (x + y).sqrt();
        let value = |x: f64, y: f64| (x * y).sin() / (x + y).sqrt();
        let e = 1e-4;
        let by_differences =
            (value(0.3 + e, 0.7 + e) - value(0.3 + e, 0.7 - e) - value(0.3 - e, 0.7 + e)
                + value(0.3 - e, 0.7 - e))
                / (4.0 * e * e);
        assert!((f.mixed() - by_differences).abs() < 1e-6);
    }
}
