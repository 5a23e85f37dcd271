//! Sparse LU with a pattern that is analysed once.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::lu::{
    LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu,
};
use faer::sparse::{SparseColMat, SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par};

/// A factorisation whose pattern is analysed once, with its storage.
pub(super) struct SparseLu {
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    stack: MemBuffer,
}

impl SparseLu {
    /// For chains and trees: blocks are small and many, no gain from gathering columns.
    pub fn new(pattern: &SymbolicSparseColMat<usize>) -> Option<Self> {
        Self::with(pattern, SupernodalThreshold::FORCE_SIMPLICIAL)
    }

    /// For meshes, whose factors fill in: columns are gathered where that pays.
    pub fn with_supernodes(pattern: &SymbolicSparseColMat<usize>) -> Option<Self> {
        Self::with(pattern, SupernodalThreshold::AUTO)
    }

    fn with(pattern: &SymbolicSparseColMat<usize>, threshold: SupernodalThreshold) -> Option<Self> {
        let params = LuSymbolicParams {
            supernodal_flop_ratio_threshold: threshold,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_lu(pattern.as_ref(), params).ok()?;
        let need = StackReq::or(
            symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        );
        Some(Self {
            symbolic,
            numeric: NumericLu::new(),
            stack: MemBuffer::try_new(need).ok()?,
        })
    }

    /// A = L U with the pattern analysed; false if singular.
    pub fn factorise(&mut self, matrix: SparseColMatRef<'_, usize, f64>) -> bool {
        let stack = MemStack::new(&mut self.stack);
        let (numeric, params) = (&mut self.numeric, Default::default());
        let done = (self.symbolic).factorize_numeric_lu(numeric, matrix, Par::Seq, stack, params);
        done.is_ok()
    }

    /// A x = b with the last factors; b becomes x. False if that is not finite.
    pub fn substitute(&mut self, b: &mut [f64]) -> bool {
        let n = b.len();
        let x = MatMut::from_column_major_slice_mut(b, n, 1);
        LuRef::new_unchecked(&self.symbolic, &self.numeric).solve_in_place_with_conj(
            Conj::No,
            x,
            Par::Seq,
            MemStack::new(&mut self.stack),
        );
        b.iter().all(|x| x.is_finite())
    }

    /// A x = b; b becomes x. False if singular.
    pub fn solve(&mut self, matrix: &SparseColMat<usize, f64>, b: &mut [f64]) -> bool {
        self.factorise(matrix.as_ref()) && self.substitute(b)
    }
}

impl std::fmt::Debug for SparseLu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SparseLu")
    }
}
