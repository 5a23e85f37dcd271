//! Pairs whose boxes in the tree overlap, kept from one query to the next.

use parry3d_f64::bounding_volume::Aabb as TreeBox;
use parry3d_f64::partitioning::{Bvh, BvhWorkspace};

use super::sorted;

/// Boxes of the tree are looked at one by one where fewer than one of this many changed.
const FEW: usize = 3;

/// The pairs, and what changed since they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Wide {
    /// Sorted, smaller id first.
    pairs: Vec<(u32, u32)>,
    /// Ids whose boxes changed, and whether each is one.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// New pairs, and storage to merge them into the old ones.
    fresh: Vec<(u32, u32)>,
    merged: Vec<(u32, u32)>,
}

impl Wide {
    /// The pairs as they were found last.
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// Notes that a part has another box in the tree, or none any more.
    pub fn note(&mut self, id: u32) {
        let at = id as usize;
        if self.is_changed.len() <= at {
            self.is_changed.resize(at + 1, false);
        }
        if !self.is_changed[at] {
            self.is_changed[at] = true;
            self.changed.push(id);
        }
    }

    /// Whether a box changed since the pairs were found.
    pub fn is_stale(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Finds the pairs anew: those of boxes that changed, or all of `count` parts if these are many.
    pub fn update(
        &mut self,
        tree: &Bvh,
        workspace: &mut BvhWorkspace,
        count: usize,
        in_tree: impl Fn(u32) -> Option<TreeBox>,
        may_meet: impl Fn(u32, u32) -> bool,
    ) {
        let Self {
            pairs,
            changed,
            is_changed,
            fresh,
            merged,
        } = self;
        fresh.clear();
        if FEW * changed.len() < count {
            let kept = |id: u32| !is_changed.get(id as usize).is_some_and(|c| *c);
            pairs.retain(|(a, b)| kept(*a) && kept(*b));
            for &a in &*changed {
                let Some(around) = in_tree(a) else {
                    continue;
                };
                // Pairs of two that changed count once.
                let others = tree.intersect_aabb(&around);
                let others = others.filter(|b| kept(*b) || a < *b);
                let others = others.filter(|b| may_meet(a, *b));
                fresh.extend(others.map(|b| sorted(a, b)));
            }
        } else {
            pairs.clear();
            tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
                if may_meet(a, b) {
                    fresh.push(sorted(a, b));
                }
            });
        }
        fresh.sort_unstable();
        merge(pairs, fresh, merged);
        std::mem::swap(pairs, merged);
        for id in changed.drain(..) {
            is_changed[id as usize] = false;
        }
    }
}

/// Two sorted lists as one.
fn merge(a: &[(u32, u32)], b: &[(u32, u32)], out: &mut Vec<(u32, u32)>) {
    out.clear();
    let mut rest = a;
    for pair in b {
        let before = rest.partition_point(|p| p < pair);
        out.extend_from_slice(&rest[..before]);
        out.push(*pair);
        rest = &rest[before..];
    }
    out.extend_from_slice(rest);
}
