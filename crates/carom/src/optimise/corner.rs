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
    /// Rows by their identity that stick or slide; those that are not named are sharp.
    Sides(BTreeMap<String, Side>),
}

/// A side of the corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    Sticks,
    Slides,
}

/// Where a contact stands at its corner.
#[derive(Clone, Debug)]
pub(crate) struct Stand {
    /// The identity of its row.
    pub row: String,
    /// κ.
    pub slip: f64,
    /// s.
    pub room: f64,
}
