//! Contact: which pairs may touch, how far apart they are, when they meet, how momentum jumps.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `pairs` | colliders of a model and the candidate pairs of a motion |
//! | `row` | gap and gradient of a pair: two parts, a bead, a wall, a limit |
//! | `advance` | the first time a pair meets on the way from one configuration to another |
//! | `jump` | reflection of momentum in the reduced mass metric |

mod advance;
mod jump;
mod pairs;
mod row;

pub use advance::first_contact;
pub use jump::{Impulse, JumpRule, Reflector};
pub use pairs::{Collider, Detector, Pair};
pub use row::{GapRow, Path, evaluate, gap_of};
