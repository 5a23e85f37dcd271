//! Contact: which pairs may touch, how far apart they are, when they meet, how momentum jumps.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pairs` | what collides, and pairs of it |
//! | `exclusions` | which pairs never collide |
//! | `surfaces` | what happens between the materials of a pair |
//! | `bases` | where the gap solver starts for each pair |
//! | `detector` | the candidate pairs of a motion |
//! | `pair_gap` | gap and gradient of a pair: two parts, a bead, a wall, a limit |
//! | `advance` | the first time a pair meets on its way |
//! | `contact_point` | a point that carries a contact, held by two bodies |
//! | `manifold` | the points of the patch two bodies share |
//! | `leaning` | the places at which two faces that lean against each other may touch |
//! | `outcome` | what an iterative method reached |
//! | `overlap` | how deep a pair overlaps, as people measure it |
//! | `mass` | what an impulse does to the velocities: M⁻¹, tree by tree |
//! | `rows` | rows of a contact problem with their responses |
//! | `borne` | rows that others bear already |
//! | `impact` | the papers' jumps: reflection along gaps, one by one or along their sum |
//! | `elements` | contact of the elements of elastic bodies |
//! | `element_gap` | the gap of an element and another thing |
//! | `potential` | the contact potential and its drag |
//! | `apart` | pairs that are certainly apart |
//! | `cushion` | the potential of one overlap that several points carry |
//! | `resolution` | how well a step resolves contact potentials |
//! | `soft_limits` | limits of linkage coordinates under the contact potential |
//! | `passage` | bodies that a contact potential let pass through each other |
//! | `solver` | the contact problem: Signorini and Coulomb at all points of an island |
//! | `poisson` | impacts by Poisson's law, which never gain energy |

mod advance;
mod apart;
mod bases;
mod borne;
mod contact_point;
mod cushion;
mod detector;
mod element_gap;
mod elements;
mod exclusions;
mod impact;
mod leaning;
mod manifold;
mod mass;
mod outcome;
mod overlap;
mod pair_gap;
mod pairs;
mod passage;
mod poisson;
mod potential;
mod resolution;
mod room;
mod rows;
mod soft_limits;
mod solver;
mod surfaces;

pub use advance::{Leg, Trip};
pub use bases::Bases;
pub use borne::Borne;
pub use contact_point::{Anchor, ContactPoint, centre_point};
pub use detector::Detector;
pub use exclusions::Exclusions;
pub use impact::{Jump, JumpRule, Touch};
pub use manifold::Faces;
pub use mass::{Entry, MassMetric};
pub use outcome::{Outcome, Unsettled};
pub use overlap::{depth, size, way_out};
pub use pair_gap::{
    Bearing, GapRow, Glance, Patch, Path, bearings, clearance, distance_between, evaluate,
    evaluate_within, gap_between, gap_of, room_between,
};
pub(crate) use pair_gap::{crossed_edges, is_round, part};
pub use pairs::{
    Collider, Key, Pair, Side, body_of, colliders_of, collides, colliding_sides, possible_pairs,
};
pub use passage::Widths;
pub use poisson::{Bounce, Jumped, Leeway, Poisson};
pub use potential::{ContactPotential, Pressed};
pub use resolution::Passing;
pub use room::{Room, Way, reach_of};
pub use rows::{Push, Rows, Stake};
pub use soft_limits::SoftLimit;
pub use solver::{Aim, Grip, HUGE, LARGE_ISLAND, Point, ROUND_OFF, SOLVED, Solver, Stage};
pub use surfaces::Surfaces;
