//! Laws with a corner, as Coulomb's between sticking (κ = 0, s ≥ 0) and sliding (κ ≥ 0, s = 0), and the ways they are
//! written: see [`slide`](super::rows::slide).

use std::collections::BTreeMap;

/// ε: products κ s of this squared count as none.
pub(crate) const SHARP: f64 = 1e-7;

/// How the corner between sticking and sliding is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Corner {
    /// Rounded off over a width ε.
    Round(f64),
    /// Groups of points that stick or slide; those that are not named are sharp.
    Sides(BTreeMap<String, Side>),
}

/// A side of the corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    Sticks,
    Slides,
}

/// Where a point, or all points of a group, stand at their corner.
#[derive(Clone, Debug)]
pub(crate) struct Stand {
    /// Points of one contact in one stage, which stick or slide together where sides are taken.
    pub group: String,
    /// κ.
    pub slip: f64,
    /// s.
    pub room: f64,
}
