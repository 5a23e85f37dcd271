//! Contact: which pairs may touch, how far apart they are, when they meet, how momentum jumps.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pairs` | colliders of a model and the candidate pairs of a motion |
//! | `row` | gap and gradient of a pair: two parts, a bead, a wall, a limit |
//! | `advance` | the first time a pair meets on its way |
//! | `manifold` | the points of the patch two bodies share |
//! | `mass` | what an impulse does to the velocities: M⁻¹, tree by tree |
//! | `rows` | rows of a contact problem with their responses |
//! | `impact` | jumps: reflection in the reduced mass metric, restitution, friction, groups |
//! | `potential` | the contact potential and its drag |
//! | `rest` | resting and sliding contacts as one unilateral problem |

mod advance;
mod impact;
mod manifold;
mod mass;
mod pairs;
mod potential;
mod rest;
mod row;
mod rows;

pub use advance::{Leg, Trip};
pub use impact::{Jump, JumpRule, Touch};
pub use manifold::{Anchor, ContactPoint, Faces, body_of, centre_point};
pub use mass::{Entry, MassMetric};
pub use pairs::{Collider, Detector, Key, Pair};
pub use potential::{ContactPotential, Pressed};
pub use rest::{RestPoint, solve_rest, sweep_rest};
pub use row::{GapGradient, GapRow, Path, covectors, evaluate, gap_between, gap_of, pair_poses};
pub use rows::{Push, Rows};
