//! Blocks over the degrees of freedom of a component, added to those of its node, without matrices of their own.

use nalgebra::{DMatrix, DVectorView};
use smallvec::SmallVec;

/// Adds a block over some degrees of freedom.
pub(crate) fn add(to: &mut DMatrix<f64>, freedoms: &[usize], block: &DMatrix<f64>, factor: f64) {
    for (i, &f) in freedoms.iter().enumerate() {
        for (j, &g) in freedoms.iter().enumerate() {
            to[(f, g)] += factor * block[(i, j)];
        }
    }
}

/// Adds Aᵀ B over some degrees of freedom, times each of some factors; columns of A that are nothing are passed over.
pub(crate) fn add_product(
    to: &mut DMatrix<f64>,
    freedoms: &[usize],
    [a, b]: [&DMatrix<f64>; 2],
    factors: &[f64],
) {
    for (x, &f) in a.column_iter().zip(freedoms) {
        if x.iter().all(|v| *v == 0.0) {
            continue;
        }
        for (y, &g) in b.column_iter().zip(freedoms) {
            let product = x.dot(&y);
            factors.iter().for_each(|v| to[(f, g)] += v * product);
        }
    }
}

/// Adds Aᵀ B + Bᵀ A over some degrees of freedom, times a factor.
pub(crate) fn add_both_ways(
    to: &mut DMatrix<f64>,
    freedoms: &[usize],
    [a, b]: [&DMatrix<f64>; 2],
    factor: f64,
) {
    for (i, &f) in freedoms.iter().enumerate() {
        for (j, &g) in freedoms[..=i].iter().enumerate() {
            let both = a.column(i).dot(&b.column(j)) + a.column(j).dot(&b.column(i));
            to[(f, g)] += factor * both;
            if i != j {
                to[(g, f)] += factor * both;
            }
        }
    }
}

/// Adds Aᵀ B + Cᵀ D over some degrees of freedom, times a factor.
pub(crate) fn add_products(
    to: &mut DMatrix<f64>,
    freedoms: &[usize],
    [a, b]: [&DMatrix<f64>; 2],
    [c, d]: [&DMatrix<f64>; 2],
    factor: f64,
) {
    for (i, &f) in freedoms.iter().enumerate() {
        for (j, &g) in freedoms.iter().enumerate() {
            let sum = a.column(i).dot(&b.column(j)) + c.column(i).dot(&d.column(j));
            to[(f, g)] += factor * sum;
        }
    }
}

/// Those of some numbers that have given places.
pub(crate) fn pick(places: &[usize], numbers: &[f64]) -> SmallVec<[f64; 24]> {
    places.iter().map(|&k| numbers[k]).collect()
}

/// The scalar product of a column with numbers.
pub(crate) fn dot(column: usize, of: &DMatrix<f64>, numbers: &[f64]) -> f64 {
    let numbers = DVectorView::from_slice(numbers, numbers.len());
    of.column(column).dot(&numbers)
}
