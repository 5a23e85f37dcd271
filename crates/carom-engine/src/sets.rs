//! Sets that merge.

/// A partition of the numbers below n: the one union-find of this crate, for [parts](crate::mechanics::Parts) of models
/// and for what is grouped in a step.
#[derive(Debug, Default)]
pub(crate) struct Sets(Vec<usize>);

impl Sets {
    pub fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    /// Every number on its own.
    pub fn reset(&mut self, n: usize) {
        self.0.clear();
        self.0.extend(0..n);
    }

    /// The least number of a set stands for it.
    pub fn root(&mut self, mut k: usize) -> usize {
        while self.0[k] != k {
            self.0[k] = self.0[self.0[k]];
            k = self.0[k];
        }
        k
    }

    /// The smaller root stays, so that the order of merging does not matter.
    pub fn merge(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
