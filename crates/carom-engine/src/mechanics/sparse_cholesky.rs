//! Sparse Cholesky factors whose pattern is analysed once.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// The factor of a symmetric matrix, with its storage.
pub(crate) struct SparseCholesky {
    symbolic: SymbolicCholesky<usize>,
    factor: Vec<f64>,
    stack: MemBuffer,
}

impl SparseCholesky {
    /// Analyses a pattern, of which the lower triangle counts; `None` if it is too large.
    pub fn new(pattern: SymbolicSparseColMatRef<'_, usize>) -> Option<Self> {
        let params = CholeskySymbolicParams::default();
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params)
                .ok()?;
        let need = StackReq::or(
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        Some(Self {
            factor: vec![0.0; symbolic.len_val()],
            stack: MemBuffer::try_new(need).ok()?,
            symbolic,
        })
    }

    /// A = L Lᵀ; false if A is not positive definite.
    pub fn factorise(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> bool {
        let done = self.symbolic.factorize_numeric_llt(
            &mut self.factor,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut self.stack),
            Default::default(),
        );
        done.is_ok()
    }

    /// A x = b with the last factor; b becomes x.
    pub fn solve(&mut self, b: &mut [f64]) {
        let n = b.len();
        let x = MatMut::from_column_major_slice_mut(b, n, 1);
        LltRef::<usize, f64>::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            x,
            Par::Seq,
            MemStack::new(&mut self.stack),
        );
    }
}

impl std::fmt::Debug for SparseCholesky {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SparseCholesky")
    }
}
