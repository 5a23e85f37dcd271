//! Who belongs together: groups of units or islands, and the islands of a pair.

use crate::sets::Sets;

/// Numbers in groups, in storage that is used again.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Members group by group, and where each group ends.
    members: Vec<usize>,
    ends: Vec<usize>,
}

impl Groups {
    /// Sorts numbers into groups by the sets they belong to; all members of sets that were merged are among them.
    pub fn split(&mut self, sets: &mut Sets, numbers: &[usize]) {
        self.members.clear();
        self.members.extend_from_slice(numbers);
        self.members.sort_unstable_by_key(|&u| (sets.root(u), u));
        self.ends.clear();
        for k in 1..=self.members.len() {
            let next = self.members.get(k).map(|&u| sets.root(u));
            if next != Some(sets.root(self.members[k - 1])) {
                self.ends.push(k);
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges.map(|(start, end)| &self.members[start..*end])
    }
}

/// The islands of the sides of a pair: one, or two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    islands: [usize; 2],
    count: usize,
}

impl Sides {
    /// Of these islands, each once.
    pub fn new(islands: impl Iterator<Item = usize>) -> Self {
        let mut out = Self {
            islands: [usize::MAX; 2],
            count: 0,
        };
        for i in islands {
            if !out.contains(&i) {
                out.islands[out.count] = i;
                out.count += 1;
            }
        }
        out
    }
}

impl std::ops::Deref for Sides {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.islands[..self.count]
    }
}
