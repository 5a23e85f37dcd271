//! References for the tests, written for certainty instead of speed and sharing no code with the
//! library. Use it with `mod oracle;` at the root of a test program.
//!
//! | function | answers | how |
//! | --- | --- | --- |
//! | [`exact_gap`] | smallest t with t β ∈ A − B | simplex in integer arithmetic, no rounding at all |
//! | [`exact_overlap`] | apart, touching or overlapping | the same |
//! | [`lp_gap`] | as `exact_gap`, in floating point | the crate `microlp` |
//! | [`sat_distance`] | Euclidean gap or minus the penetration depth | every candidate normal |
//! | [`cases`] | the reference cases of `tests/data` | computed elsewhere |
//!
//! Points are world coordinates; planar points have z = 0.
#![allow(dead_code, unused_imports)]

mod cases;
mod exact;
mod lp;
mod sat;

pub use cases::{Case, cases};
pub use exact::{ExactGap, exact_gap, exact_overlap};
pub use lp::lp_gap;
pub use sat::sat_distance;
