//! Families of rows: what each has to say of itself.
//!
//! A family owns its rows, and unknowns of its own where it needs some. It reads the motion from a
//! [`Path`] and knows no other family; nothing else knows it but the place where it is made. Rows are
//! counted from zero within a family. A new family is a file with an `impl Family`, made in
//! [`build`](super::build) (or, for rows that come and go between rounds, in [`avoid`](super::avoid)),
//! and its name in [`FAMILIES`].

use std::fmt::Debug;

use nalgebra::DMatrix;

use super::corner::{Corner, Stand};
use super::layout::Layout;
use super::nlp::Leaf;
use super::path::Path;
use super::scale::Sizes;

/// The families there are, by the first word of the identities of their rows: a test walks this list
/// and fails if the derivatives of one are not looked at.
#[cfg(test)]
pub(crate) const FAMILIES: [&str; 15] = [
    "balance",
    "condition",
    "formula",
    "gap",
    "barrier",
    "plane",
    "turn",
    "time",
    "ratio",
    "rates",
    "jump",
    "anchor",
    "cone",
    "slide",
    "recurrence",
];

/// Takes entries (row, unknown, value).
pub(crate) type Sink<'a> = dyn FnMut(usize, usize, f64) + 'a;

/// See the [module](self).
pub(crate) trait Family: Debug + Send {
    /// The first word of the identities of its rows.
    fn name(&self) -> &'static str;

    /// Least and largest value of every row.
    fn ranges(&self) -> Vec<[f64; 2]>;

    /// Whether its rows depend on masses and forces of the model, and so on parameters that are found.
    fn is_mechanics(&self) -> bool {
        false
    }

    /// Says which components its second derivatives couple.
    fn couple(&self, _layout: &mut Layout) {}

    /// Values of its rows.
    fn values(&mut self, path: &Path, g: &mut [f64]);

    /// First derivatives of its rows, always in the same order; a place may come more than once.
    fn jacobian(&mut self, path: &Path, sink: &mut Sink);

    /// Second derivatives of the sum of its rows, each times its multiplier.
    fn hessian(&mut self, path: &Path, lambda: &[f64], out: &mut Curvature);

    /// What a row is about, in words.
    fn describe(&self, path: &Path, row: usize) -> String;

    /// What tells a row from the others of its family, whatever other rows there are.
    fn identity(&self, row: usize) -> String;

    /// Identities of rows of earlier rounds that a row stands in for.
    fn ancestors(&self, _row: usize) -> Vec<String> {
        Vec::new()
    }

    /// What a row is measured in; `largest` is its largest derivative by unknowns of size one.
    fn size(&self, path: &Path, sizes: &Sizes, row: usize, largest: f64) -> f64;

    /// What its own unknowns are measured in, written to their places.
    fn unknown_sizes(&self, _path: &Path, _sizes: &Sizes, _out: &mut [f64]) {}

    /// Writes laws with a corner in one of the ways there are, with the bounds of their unknowns; rows without one stay
    /// as they are.
    fn write_corners(&mut self, _corner: &Corner, _bounds: &mut [[f64; 2]]) {}

    /// Where its laws with a corner stand.
    fn stands(&self, _path: &Path) -> Vec<Stand> {
        Vec::new()
    }

    /// Whether users are told if a row holds something back.
    fn is_told(&self, _row: usize) -> bool {
        false
    }

    /// Groups of its unknowns that meet others in few places only.
    fn leaves(&self) -> Vec<Leaf> {
        Vec::new()
    }

    /// A number that is kept to choose alike among rows that follow from each other.
    fn number(&self, _row: usize) -> Option<usize> {
        None
    }
}

/// Second derivatives as they are collected.
///
/// With η = P(q) λ, a virtual motion at each node, and w = B(q) P(q) λ, whatever depends on the chart
/// of a node alone is φ(u) = c · q(u) + Y · η(u, λ) + τ̄ · w(u, λ) with c, Y, λ, τ̄ held: its curvature
/// is added once for all families.
#[derive(Debug)]
pub(crate) struct Curvature {
    /// c of every node.
    pub pulls: Vec<Vec<f64>>,
    /// λ, Y and τ̄ of every node, as often as there are virtual motions there.
    pub virtuals: Vec<Vec<[Vec<f64>; 3]>>,
    /// By u at a node twice; by u at the next node and u at this one.
    pub node: Vec<DMatrix<f64>>,
    pub next: Vec<DMatrix<f64>>,
    /// All others, always in the same order, each pair of unknowns once.
    pub entries: Vec<(usize, usize, f64)>,
}

impl Curvature {
    pub fn new(layout: &Layout) -> Self {
        let (n, nodes) = (layout.n, layout.nodes());
        let zero = || vec![0.0; layout.nq];
        Self {
            pulls: vec![zero(); nodes],
            virtuals: vec![Vec::new(); nodes],
            node: vec![DMatrix::zeros(n, n); nodes],
            next: vec![DMatrix::zeros(n, n); nodes - 1],
            entries: Vec::new(),
        }
    }

    /// The outer product of two gradients by unknowns, and its transpose, times a factor: entries by
    /// each pair of unknowns.
    pub fn product(&mut self, a: &[(usize, f64)], b: &[(usize, f64)], factor: f64) {
        for &(i, v) in a {
            for &(j, w) in b {
                // An entry off the diagonal stands for two.
                let both = if i == j { 2.0 } else { 1.0 };
                self.entries.push((i, j, both * factor * v * w));
            }
        }
    }
}
