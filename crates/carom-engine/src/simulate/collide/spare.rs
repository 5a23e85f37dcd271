//! Lists that are not in use: steps fill them again instead of asking for memory.

/// Lists of one kind, empty, to be taken and given back.
#[derive(Debug)]
pub(super) struct Spare<T>(Vec<Vec<T>>);

impl<T> Default for Spare<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Spare<T> {
    /// An empty list.
    pub fn take(&mut self) -> Vec<T> {
        self.0.pop().unwrap_or_default()
    }

    /// A list of these.
    pub fn copy(&mut self, of: &[T]) -> Vec<T> {
        let mut list = self.take();
        list.extend_from_slice(of);
        list
    }

    /// Takes a list back. One that has no memory is of no use.
    pub fn give(&mut self, mut list: Vec<T>) {
        if list.capacity() > 0 {
            list.clear();
            self.0.push(list);
        }
    }
}
