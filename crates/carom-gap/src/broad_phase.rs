//! Broad phase: which of many parts are near enough to be worth a gap query.
//!
//! Boxes around the parts live in a bounding volume hierarchy (parry's) with some slack, so that
//! small motions leave the tree alone. What is reported does not depend on the slack or on the
//! history: **exactly the pairs whose boxes come within `margin` of each other along every axis**,
//! sorted, and half-spaces with the boxes that reach within `margin` of them. Never reported:
//! parts of one body, pairs of bodies that were excluded (jointed neighbours), and pairs whose
//! groups do not match. Boxes without bounds, and boxes that are not numbers (a run that
//! diverges), are compared one by one and never missed.

mod wide;

use crate::Aabb;
use nalgebra::Vector3;
use parry3d_f64::bounding_volume::Aabb as TreeBox;
use parry3d_f64::math::Vector as TreeVector;
use parry3d_f64::partitioning::{Bvh, BvhWorkspace};
use std::collections::HashSet;
use wide::Wide;

/// Boxes that reach further are kept out of the tree: their volumes would overflow.
const TREE_REACH: f64 = 1e90;

/// Slack of the boxes in the tree, as a fraction of their largest side.
const SLACK: f64 = 0.1;

/// Whose part it is and what it may meet.
///
/// Two parts may meet if each one's `groups` share a bit with the other one's `mask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The body the part belongs to; parts of one body never pair.
    pub body: u32,
    /// The groups it is in, as bits.
    pub groups: u32,
    /// The groups it may meet, as bits.
    pub mask: u32,
}

impl Membership {
    /// A part of `body` in all groups, free to meet all groups.
    pub fn of_body(body: u32) -> Self {
        Self {
            body,
            groups: u32::MAX,
            mask: u32::MAX,
        }
    }

    fn may_meet(&self, other: &Self) -> bool {
        self.body != other.body && self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}

#[derive(Clone, Copy, Debug)]
enum Region {
    /// A part: its box, the box moved out by half the margin, and the box in the tree (if there).
    Part {
        tight: Aabb,
        reach: Aabb,
        in_tree: Option<Aabb>,
    },
    /// Everything with ⟨normal, x⟩ ≤ offset, normal of unit length.
    HalfSpace { normal: Vector3<f64>, offset: f64 },
}

#[derive(Clone, Copy, Debug)]
struct Proxy {
    membership: Membership,
    region: Region,
}

/// Candidate pairs among many moving parts.
///
/// ```
/// use carom_gap::{Aabb, BroadPhase, Membership};
/// use nalgebra::Vector3;
/// let unit = |x: f64| Aabb { min: Vector3::new(x, 0.0, 0.0), max: Vector3::new(x + 1.0, 1.0, 1.0) };
/// let mut broad = BroadPhase::new(0.1);
/// let a = broad.insert(Membership::of_body(0), &unit(0.0));
/// let b = broad.insert(Membership::of_body(1), &unit(1.05));
/// let floor = broad.insert_half_space(Membership::of_body(2), Vector3::z(), 0.0);
/// let mut pairs = Vec::new();
/// broad.pairs(&mut pairs);
/// assert_eq!(pairs, [(a, b), (a, floor), (b, floor)]);
/// broad.update(b, &unit(3.0));
/// broad.exclude(0, 2);
/// broad.pairs(&mut pairs);
/// assert_eq!(pairs, [(b, floor)]);
/// ```
#[derive(Clone)]
pub struct BroadPhase {
    margin: f64,
    proxies: Vec<Option<Proxy>>,
    free: Vec<u32>,
    excluded: HashSet<(u32, u32)>,
    /// Ids of half-spaces and of boxes the tree cannot hold, sorted.
    loose: Vec<u32>,
    tree: Bvh,
    workspace: BvhWorkspace,
    /// Pairs of parts that may meet whose boxes in the tree overlap.
    wide: Wide,
    /// Which ids pairs are asked of.
    chosen: Vec<bool>,
}

impl BroadPhase {
    /// An empty broad phase that reports boxes within `margin` of each other.
    ///
    /// # Panics
    /// If `margin` is negative or not finite.
    pub fn new(margin: f64) -> Self {
        assert!(
            margin >= 0.0 && margin.is_finite(),
            "the margin of a broad phase is a length"
        );
        Self {
            margin,
            proxies: Vec::new(),
            free: Vec::new(),
            excluded: HashSet::new(),
            loose: Vec::new(),
            tree: Bvh::new(),
            workspace: BvhWorkspace::default(),
            wide: Wide::default(),
            chosen: Vec::new(),
        }
    }

    /// Adds a part by its box; the id is free to be given again once removed.
    pub fn insert(&mut self, membership: Membership, aabb: &Aabb) -> u32 {
        let region = Region::Part {
            tight: *aabb,
            reach: *aabb,
            in_tree: None,
        };
        let id = self.add(Proxy { membership, region });
        self.update(id, aabb);
        id
    }

    /// Adds the half-space ⟨normal, x⟩ ≤ offset; the normal need not be of unit length.
    pub fn insert_half_space(
        &mut self,
        membership: Membership,
        normal: Vector3<f64>,
        offset: f64,
    ) -> u32 {
        let id = self.add(Proxy {
            membership,
            region: half_space(normal, offset),
        });
        self.set_loose(id, true);
        id
    }

    /// Gives a part its new box.
    ///
    /// # Panics
    /// If `id` is not a part's.
    pub fn update(&mut self, id: u32, aabb: &Aabb) {
        let reach = aabb.expanded(0.5 * self.margin);
        let Region::Part { in_tree, .. } = self.proxy(id).region else {
            panic!("{id} is a half-space: use update_half_space");
        };
        let new_in_tree = if !fits_tree(&reach) {
            None
        } else if let Some(old) = in_tree.filter(|old| old.contains(&reach)) {
            Some(old)
        } else {
            Some(reach.expanded(self.margin + SLACK * (aabb.max - aabb.min).amax()))
        };
        if new_in_tree != in_tree {
            match &new_in_tree {
                Some(new) => self.tree.insert(tree_box(new), id),
                None => self.tree.remove(id),
            }
            self.wide.note(id);
        }
        self.set_loose(id, new_in_tree.is_none());
        self.proxy_mut(id).region = Region::Part {
            tight: *aabb,
            reach,
            in_tree: new_in_tree,
        };
    }

    /// Moves a half-space.
    ///
    /// # Panics
    /// If `id` is not a half-space's.
    pub fn update_half_space(&mut self, id: u32, normal: Vector3<f64>, offset: f64) {
        let proxy = self.proxy_mut(id);
        assert!(
            matches!(proxy.region, Region::HalfSpace { .. }),
            "{id} is a part: use update"
        );
        proxy.region = half_space(normal, offset);
    }

    /// Takes a part or half-space out.
    ///
    /// # Panics
    /// If there is none with this id.
    pub fn remove(&mut self, id: u32) {
        if let Region::Part {
            in_tree: Some(_), ..
        } = self.proxy(id).region
        {
            self.tree.remove(id);
            self.wide.note(id);
        }
        self.set_loose(id, false);
        self.proxies[id as usize] = None;
        self.free.push(id);
    }

    /// No pairs between these two bodies from now on.
    pub fn exclude(&mut self, body_a: u32, body_b: u32) {
        self.excluded.insert(sorted(body_a, body_b));
    }

    /// Pairs between these two bodies again.
    pub fn include(&mut self, body_a: u32, body_b: u32) {
        self.excluded.remove(&sorted(body_a, body_b));
    }

    /// Whose part `id` is.
    ///
    /// # Panics
    /// If there is none with this id.
    pub fn membership(&self, id: u32) -> Membership {
        self.proxy(id).membership
    }

    /// Number of parts and half-spaces.
    pub fn len(&self) -> usize {
        self.proxies.len() - self.free.len()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes all candidate pairs into `pairs`, smaller id first, sorted; the buffer is reused.
    pub fn pairs(&mut self, pairs: &mut Vec<(u32, u32)>) {
        self.list(pairs, |_| true);
    }

    /// The same of some parts and half-spaces only: the pairs that one of them belongs to.
    ///
    /// # Panics
    /// If there is none with one of these ids.
    pub fn pairs_of(&mut self, ids: &[u32], pairs: &mut Vec<(u32, u32)>) {
        let mut chosen = std::mem::take(&mut self.chosen);
        chosen.clear();
        chosen.resize(self.proxies.len(), false);
        ids.iter().for_each(|id| chosen[*id as usize] = true);
        self.list(pairs, |id| chosen[id as usize]);
        self.chosen = chosen;
    }

    fn list(&mut self, pairs: &mut Vec<(u32, u32)>, chosen: impl Fn(u32) -> bool) {
        pairs.clear();
        if self.wide.is_stale() {
            self.tree.refit(&mut self.workspace);
            self.tree.optimize_incremental(&mut self.workspace);
            let mut wide = std::mem::take(&mut self.wide);
            let mut workspace = std::mem::take(&mut self.workspace);
            let may_meet = |a: u32, b: u32| self.membership(a).may_meet(&self.membership(b));
            let in_tree = |id: u32| self.in_tree(id);
            wide.update(&self.tree, &mut workspace, self.len(), in_tree, may_meet);
            (self.wide, self.workspace) = (wide, workspace);
        }
        let is_pair = |a: u32, b: u32| (chosen(a) || chosen(b)) && self.is_pair(a, b);
        pairs.extend(self.wide.pairs().iter().filter(|(a, b)| is_pair(*a, *b)));
        let in_order = pairs.len();

        // Loose ones against everything; among themselves once.
        for &a in &self.loose {
            for b in 0..self.proxies.len() as u32 {
                let once = b < a || self.loose.binary_search(&b).is_err();
                if once && a != b && self.proxies[b as usize].is_some() && is_pair(a, b) {
                    pairs.push(sorted(a, b));
                }
            }
        }
        if pairs.len() > in_order {
            pairs.sort_unstable();
        }
    }

    /// The box of a part in the tree.
    fn in_tree(&self, id: u32) -> Option<TreeBox> {
        match self.proxies[id as usize].as_ref()?.region {
            Region::Part { in_tree, .. } => in_tree.as_ref().map(tree_box),
            Region::HalfSpace { .. } => None,
        }
    }

    fn is_pair(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.proxy(a), self.proxy(b));
        let near = match (&a.region, &b.region) {
            (Region::Part { reach: a, .. }, Region::Part { reach: b, .. }) => a.overlaps(b),
            (Region::HalfSpace { normal, offset }, Region::Part { tight, .. })
            | (Region::Part { tight, .. }, Region::HalfSpace { normal, offset }) => {
                // Written so that what is not a number counts as near.
                let separated = lowest(tight, normal) - offset > self.margin;
                !separated
            }
            (Region::HalfSpace { .. }, Region::HalfSpace { .. }) => false,
        };
        let excluded = || {
            let bodies = sorted(a.membership.body, b.membership.body);
            self.excluded.contains(&bodies)
        };
        near && a.membership.may_meet(&b.membership) && (self.excluded.is_empty() || !excluded())
    }

    fn add(&mut self, proxy: Proxy) -> u32 {
        if let Some(id) = self.free.pop() {
            self.proxies[id as usize] = Some(proxy);
            id
        } else {
            self.proxies.push(Some(proxy));
            self.proxies.len() as u32 - 1
        }
    }

    fn set_loose(&mut self, id: u32, loose: bool) {
        match (self.loose.binary_search(&id), loose) {
            (Err(at), true) => self.loose.insert(at, id),
            (Ok(at), false) => {
                self.loose.remove(at);
            }
            _ => {}
        }
    }

    fn proxy(&self, id: u32) -> &Proxy {
        self.proxies
            .get(id as usize)
            .and_then(Option::as_ref)
            .unwrap_or_else(|| panic!("no part with id {id} in the broad phase"))
    }

    fn proxy_mut(&mut self, id: u32) -> &mut Proxy {
        self.proxies
            .get_mut(id as usize)
            .and_then(Option::as_mut)
            .unwrap_or_else(|| panic!("no part with id {id} in the broad phase"))
    }
}

fn half_space(normal: Vector3<f64>, offset: f64) -> Region {
    let length = normal.norm();
    Region::HalfSpace {
        normal: normal / length,
        offset: offset / length,
    }
}

/// Smallest ⟨normal, x⟩ in a box.
fn lowest(aabb: &Aabb, normal: &Vector3<f64>) -> f64 {
    (0..3)
        .filter(|&k| normal[k] != 0.0)
        .map(|k| {
            normal[k]
                * if normal[k] > 0.0 {
                    aabb.min[k]
                } else {
                    aabb.max[k]
                }
        })
        .sum()
}

fn sorted(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// Whether the tree can hold a box.
fn fits_tree(aabb: &Aabb) -> bool {
    (0..3).all(|k| aabb.min[k] >= -TREE_REACH && aabb.max[k] <= TREE_REACH)
}

/// The border to parry's types.
fn tree_box(aabb: &Aabb) -> TreeBox {
    let vector = |v: &Vector3<f64>| TreeVector::new(v.x, v.y, v.z);
    TreeBox::new(vector(&aabb.min), vector(&aabb.max))
}
