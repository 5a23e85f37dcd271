//! Numbers that carry derivatives, and what vectors of them need.
//!
//! `Dual<f64>` is a value with one directional derivative, `Dual<Dual<f64>>` one with a mixed second
//! derivative. What is generic over [`Real`] is written once: simulations call it with `f64`, plans also
//! with numbers that carry derivatives. Vectors and matrices are nalgebra's; products with matrices are
//! formed here, as nalgebra's own multiply by ones, which costs numbers with derivatives twice the time.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use nalgebra::{Matrix3, Vector3};

/// A real number, with or without derivatives.
pub trait Real:
    Copy
    + Debug
    + PartialEq
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// A constant.
    fn of(value: f64) -> Self;
    /// The number without its derivatives.
    fn value(self) -> f64;
    /// Its square root.
    fn sqrt(self) -> Self;
    /// Its sine.
    fn sin(self) -> Self;
    /// Its cosine.
    fn cos(self) -> Self;
    /// The angle of the point (x, self).
    fn atan2(self, x: Self) -> Self;
    /// Its product with a constant.
    fn scale(self, factor: f64) -> Self;
    /// What a constant divides it into.
    fn over(self, divisor: f64) -> Self;
}

impl Real for f64 {
    #[inline]
    fn of(value: f64) -> Self {
        value
    }
    #[inline]
    fn value(self) -> f64 {
        self
    }
    #[inline]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline]
    fn sin(self) -> Self {
        f64::sin(self)
    }
    #[inline]
    fn cos(self) -> Self {
        f64::cos(self)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    #[inline]
    fn scale(self, factor: f64) -> Self {
        self * factor
    }
    #[inline]
    fn over(self, divisor: f64) -> Self {
        self / divisor
    }
}

/// v + ε d with ε² = 0.
///
/// ```
/// use carom::mechanics::{Dual, Real};
/// let x = Dual { v: 3.0, d: 1.0 };
/// assert_eq!((x * x).d, 6.0);
/// assert!((x.sin().d - 3.0_f64.cos()).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T> {
    /// The value.
    pub v: T,
    /// The derivative.
    pub d: T,
}

/// A value with two first derivatives and their mixed second one.
pub type Second = Dual<Dual<f64>>;

impl Dual<f64> {
    /// Variables of which one moves.
    pub fn seeded(values: &[f64], moving: usize) -> Vec<Self> {
        let seed = |(k, &v): (usize, &f64)| Self {
            v,
            d: f64::from(k == moving),
        };
        values.iter().enumerate().map(seed).collect()
    }
}

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

    /// Variables of which one moves with the first direction, and one with the second.
    pub fn seeded_twice(values: &[f64], first: usize, second: usize) -> Vec<Self> {
        let seed =
            |(k, &v): (usize, &f64)| Self::seed(v, f64::from(k == first), f64::from(k == second));
        values.iter().enumerate().map(seed).collect()
    }

    /// The mixed second derivative.
    pub fn mixed(self) -> f64 {
        self.d.d
    }
}

impl<T: Real> Add for Dual<T> {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self {
            v: self.v + o.v,
            d: self.d + o.d,
        }
    }
}

impl<T: Real> Sub for Dual<T> {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self {
            v: self.v - o.v,
            d: self.d - o.d,
        }
    }
}

impl<T: Real> Mul for Dual<T> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        Self {
            v: self.v * o.v,
            d: self.v * o.d + self.d * o.v,
        }
    }
}

impl<T: Real> Div for Dual<T> {
    type Output = Self;
    #[inline]
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
    #[inline]
    fn neg(self) -> Self {
        Self {
            v: -self.v,
            d: -self.d,
        }
    }
}

impl<T: Real> AddAssign for Dual<T> {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl<T: Real> SubAssign for Dual<T> {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl<T: Real> MulAssign for Dual<T> {
    #[inline]
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
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
    fn atan2(self, x: Self) -> Self {
        let square = self.v * self.v + x.v * x.v;
        Self {
            v: self.v.atan2(x.v),
            d: (self.d * x.v - x.d * self.v) / square,
        }
    }
    #[inline]
    fn scale(self, factor: f64) -> Self {
        Self {
            v: self.v.scale(factor),
            d: self.d.scale(factor),
        }
    }
    #[inline]
    fn over(self, divisor: f64) -> Self {
        Self {
            v: self.v.over(divisor),
            d: self.d.over(divisor),
        }
    }
}

/// A constant vector.
#[inline]
pub(crate) fn vector<T: Real>(v: &Vector3<f64>) -> Vector3<T> {
    v.map(T::of)
}

/// A constant matrix.
#[inline]
pub(crate) fn matrix<T: Real>(m: &Matrix3<f64>) -> Matrix3<T> {
    m.map(T::of)
}

/// a · b.
#[inline]
pub(crate) fn dot<T: Real>(a: &Vector3<T>, b: &Vector3<T>) -> T {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// v s.
#[inline]
pub(crate) fn times<T: Real>(v: &Vector3<T>, s: T) -> Vector3<T> {
    v.map(|x| x * s)
}

/// v s of a constant v.
#[inline]
pub(crate) fn along<T: Real>(v: &Vector3<f64>, s: T) -> Vector3<T> {
    v.map(|x| s.scale(x))
}

/// M v.
#[inline]
pub(crate) fn apply<T: Real>(m: &Matrix3<T>, v: &Vector3<T>) -> Vector3<T> {
    Vector3::from_fn(|i, _| m[(i, 0)] * v.x + m[(i, 1)] * v.y + m[(i, 2)] * v.z)
}

/// M v of a constant v.
#[inline]
pub(crate) fn apply_to<T: Real>(m: &Matrix3<T>, v: &Vector3<f64>) -> Vector3<T> {
    Vector3::from_fn(|i, _| m[(i, 0)].scale(v.x) + m[(i, 1)].scale(v.y) + m[(i, 2)].scale(v.z))
}

/// M v of a constant M.
#[inline]
pub(crate) fn apply_fixed<T: Real>(m: &Matrix3<f64>, v: &Vector3<T>) -> Vector3<T> {
    Vector3::from_fn(|i, _| v.x.scale(m[(i, 0)]) + v.y.scale(m[(i, 1)]) + v.z.scale(m[(i, 2)]))
}

/// Mᵀ v.
#[inline]
pub(crate) fn apply_back<T: Real>(m: &Matrix3<T>, v: &Vector3<T>) -> Vector3<T> {
    Vector3::from_fn(|j, _| m[(0, j)] * v.x + m[(1, j)] * v.y + m[(2, j)] * v.z)
}

/// A B.
#[inline]
pub(crate) fn product<T: Real>(a: &Matrix3<T>, b: &Matrix3<T>) -> Matrix3<T> {
    Matrix3::from_fn(|i, j| a[(i, 0)] * b[(0, j)] + a[(i, 1)] * b[(1, j)] + a[(i, 2)] * b[(2, j)])
}

/// A Bᵀ.
#[inline]
pub(crate) fn product_transposed<T: Real>(a: &Matrix3<T>, b: &Matrix3<T>) -> Matrix3<T> {
    Matrix3::from_fn(|i, j| a[(i, 0)] * b[(j, 0)] + a[(i, 1)] * b[(j, 1)] + a[(i, 2)] * b[(j, 2)])
}

/// A B of a constant B.
#[inline]
pub(crate) fn product_to<T: Real>(a: &Matrix3<T>, b: &Matrix3<f64>) -> Matrix3<T> {
    Matrix3::from_fn(|i, j| {
        a[(i, 0)].scale(b[(0, j)]) + a[(i, 1)].scale(b[(1, j)]) + a[(i, 2)].scale(b[(2, j)])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_derivatives_of_a_product() {
        let (x, y) = (Second::seed(0.3, 1.0, 0.0), Second::seed(0.7, 0.0, 1.0));
        let f = (x * y).sin() / (x + y).sqrt() + x.atan2(y * y);
        let value = |x: f64, y: f64| (x * y).sin() / (x + y).sqrt() + x.atan2(y * y);
        let e = 1e-4;
        let by_differences =
            (value(0.3 + e, 0.7 + e) - value(0.3 + e, 0.7 - e) - value(0.3 - e, 0.7 + e)
                + value(0.3 - e, 0.7 - e))
                / (4.0 * e * e);
        assert!((f.mixed() - by_differences).abs() < 1e-6);
    }
}
