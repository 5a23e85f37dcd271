//! The SSH LP in exact arithmetic.
//!
//! Every f64 is a rational number, so the dual LP
//!
//! ```text
//! min t   s.t.   Σ wᵢ xᵢ − Σ vⱼ yⱼ = t β,   Σ w = 1,   Σ v = 1,   w, v ≥ 0
//! ```
//!
//! has an exact answer. With β_k ≠ 0 the row k gives t, and the other rows become
//! Σ wᵢ (β_k x_i − β_j x_k) − … = 0: four rows in standard form. Points and β are scaled by
//! powers of two to integers and a two-phase tableau simplex with Bland's rule runs on them; the
//! pivots are fraction-free (all entries share one denominator, the last pivot, and every
//! division is exact).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

/// The exact optimum of the SSH LP.
#[derive(Clone, Debug, PartialEq)]
pub enum ExactGap {
    /// The smallest t with t β ∈ A − B.
    Bounded(BigRational),
    /// The line along β misses A − B: the LP is unbounded, the bodies are apart.
    Unbounded,
}

impl ExactGap {
    /// The gap rounded to f64; `None` if unbounded.
    pub fn value(&self) -> Option<f64> {
        match self {
            ExactGap::Bounded(t) => t.to_f64(),
            ExactGap::Unbounded => None,
        }
    }

    /// `Greater`: apart, `Equal`: gap exactly zero, `Less`: overlapping.
    pub fn sign(&self) -> Ordering {
        match self {
            ExactGap::Bounded(t) => t.cmp(&BigRational::zero()),
            ExactGap::Unbounded => Ordering::Greater,
        }
    }
}

/// The exact gap along `beta`, in units of |β| (`beta` need not be unit, but must not be zero).
/// For planar bodies all z are 0.
pub fn exact_gap(a: &[[f64; 3]], b: &[[f64; 3]], beta: [f64; 3]) -> ExactGap {
    let e = exponent(a.iter().chain(b));
    let e_beta = exponent([beta].iter());
    let scale = |p: &[f64; 3], e| p.map(|c| integer(c, e));
    let (x, y): (Vec<_>, Vec<_>) = (
        a.iter().map(|p| scale(p, e)).collect(),
        b.iter().map(|p| scale(p, e)).collect(),
    );
    let beta_int = scale(&beta, e_beta);
    let k = (0..3)
        .max_by(|&i, &j| beta[i].abs().total_cmp(&beta[j].abs()))
        .unwrap();
    assert!(!beta_int[k].is_zero(), "beta must not be zero");

    // The columns of w, then of v (negated).
    let columns = || x.iter().map(|p| (p, 1)).chain(y.iter().map(|p| (p, -1)));
    let mut rows: Vec<Vec<BigInt>> = Vec::new();
    for j in (0..3).filter(|&j| j != k) {
        // Σ wᵢ (β_k x_ij − β_j x_ik) − Σ v (…) = 0.
        let mut row: Vec<BigInt> = columns()
            .map(|(p, sign)| (&beta_int[k] * &p[j] - &beta_int[j] * &p[k]) * sign)
            .collect();
        row.push(BigInt::zero());
        rows.push(row);
    }
    for body in [1, -1] {
        // Σ w = 1, Σ v = 1.
        let mut row: Vec<BigInt> = columns()
            .map(|(_, sign)| BigInt::from(i32::from(sign == body)))
            .collect();
        row.push(BigInt::one());
        rows.push(row);
    }
    // |β_k| t = sign(β_k) (Σ w x_k − Σ v y_k).
    let cost: Vec<BigInt> = columns()
        .map(|(p, sign)| &p[k] * beta_int[k].signum() * sign)
        .collect();

    match minimise(rows, cost) {
        None => ExactGap::Unbounded,
        Some(t) => {
            let shift = power_of_two(e - e_beta);
            ExactGap::Bounded(t * shift / BigRational::from(beta_int[k].abs()))
        }
    }
}

/// `Greater`: apart. `Less`: interiors meet (0 is inside A − B). `Equal`: touching (0 is on the
/// boundary of A − B, which is all of A − B where that is flat). In the plane when all z are 0.
pub fn exact_overlap(a: &[[f64; 3]], b: &[[f64; 3]]) -> Ordering {
    let planar = a.iter().chain(b).all(|p| p[2] == 0.0);
    // Directions that positively span the space: 0 is inside A − B if and only if some −t β is in
    // it for each of them, t > 0.
    let directions: &[[f64; 3]] = if planar {
        &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, -1.0, 0.0]]
    } else {
        &[
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [-1.0, -1.0, -1.0],
        ]
    };
    let mut verdict = Ordering::Less;
    for beta in directions {
        let low = exact_gap(a, b, *beta);
        let high = exact_gap(a, b, beta.map(|c| -c));
        let (ExactGap::Bounded(low), ExactGap::Bounded(high)) = (low, high) else {
            return Ordering::Greater;
        };
        // A − B holds t β exactly for low ≤ t ≤ −high.
        if low.is_positive() || high.is_positive() {
            return Ordering::Greater;
        }
        if low.is_zero() {
            verdict = Ordering::Equal;
        }
    }
    verdict
}

/// The largest e such that all coordinates are integer multiples of 2^e.
fn exponent<'a>(points: impl Iterator<Item = &'a [f64; 3]>) -> i64 {
    let exponents = points.flatten().filter(|c| **c != 0.0).map(|c| {
        let (mantissa, e, _) = num_traits::Float::integer_decode(*c);
        i64::from(e) + i64::from(mantissa.trailing_zeros())
    });
    exponents.min().unwrap_or(0)
}

/// c / 2^e as an integer.
fn integer(c: f64, e: i64) -> BigInt {
    if c == 0.0 {
        return BigInt::zero();
    }
    let (mantissa, exponent, sign) = num_traits::Float::integer_decode(c);
    let shift = i64::from(exponent) - e;
    let magnitude = if shift >= 0 {
        BigInt::from(mantissa) << shift
    } else {
        BigInt::from(mantissa) >> -shift
    };
    magnitude * i32::from(sign)
}

fn power_of_two(e: i64) -> BigRational {
    let power = BigRational::from(BigInt::one() << e.unsigned_abs());
    if e < 0 { power.recip() } else { power }
}

/// min ⟨cost, z⟩ s.t. rows z = right-hand sides (last entries, ≥ 0), z ≥ 0, where the feasible set
/// is bounded. `None` if infeasible.
fn minimise(mut rows: Vec<Vec<BigInt>>, cost: Vec<BigInt>) -> Option<BigRational> {
    let n = cost.len();
    // One artificial variable per row, numbered from n and never stored: it cannot come back.
    let mut basis: Vec<usize> = (n..n + rows.len()).collect();
    let mut denominator = BigInt::one();
    // Two objective rows follow the constraints: the sum of the artificials, and the cost.
    let m = rows.len();
    let artificial = (0..=n).map(|j| -rows.iter().map(|r| &r[j]).sum::<BigInt>());
    let artificial: Vec<BigInt> = artificial.collect();
    rows.push(artificial);
    rows.push(cost.into_iter().chain([BigInt::zero()]).collect());

    // Phase one.
    descend(&mut rows, &mut basis, &mut denominator, m);
    if !rows[m][n].is_zero() {
        return None;
    }
    // Artificials left in the basis are zero: swap them for real variables, or drop the row where
    // it is redundant.
    for i in (0..m).rev().filter(|&i| basis[i] >= n).collect::<Vec<_>>() {
        if let Some(j) = (0..n).find(|&j| !rows[i][j].is_zero()) {
            if rows[i][j].is_negative() {
                rows[i].iter_mut().for_each(|c| *c = -&*c);
            }
            pivot(&mut rows, &mut denominator, i, j);
            basis[i] = j;
        } else {
            rows.remove(i);
            basis.remove(i);
        }
    }
    rows.remove(basis.len());

    // Phase two.
    let m = basis.len();
    descend(&mut rows, &mut basis, &mut denominator, m);
    Some(BigRational::new(-&rows[m][n], denominator))
}

/// Simplex steps by Bland's rule until row `objective` has no negative entry.
fn descend(
    rows: &mut [Vec<BigInt>],
    basis: &mut [usize],
    denominator: &mut BigInt,
    objective: usize,
) {
    let n = rows[objective].len() - 1;
    while let Some(j) = (0..n).find(|&j| rows[objective][j].is_negative()) {
        let leaving = (0..basis.len())
            .filter(|&i| rows[i][j].is_positive())
            .min_by(|&i, &k| {
                let left = &rows[i][n] * &rows[k][j];
                let right = &rows[k][n] * &rows[i][j];
                left.cmp(&right).then(basis[i].cmp(&basis[k]))
            })
            .expect("the feasible set is bounded");
        pivot(rows, denominator, leaving, j);
        basis[leaving] = j;
    }
}

/// Fraction-free pivot on the positive entry (r, s).
fn pivot(rows: &mut [Vec<BigInt>], denominator: &mut BigInt, r: usize, s: usize) {
    let pivot_row = rows[r].clone();
    for (i, row) in rows.iter_mut().enumerate() {
        if i == r {
            continue;
        }
        let factor = row[s].clone();
        for (c, p) in row.iter_mut().zip(&pivot_row) {
            *c = (&*c * &pivot_row[s] - &factor * p) / &*denominator;
        }
    }
    *denominator = pivot_row[s].clone();
}
