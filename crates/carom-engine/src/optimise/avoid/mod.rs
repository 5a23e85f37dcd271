//! Which gaps are rows: the working set.
//!
//! The broad phase chooses the pairs near each other along the guess; after solving, all pairs are
//! looked at, at the nodes and between them, and what is violated becomes a row, until the plan is
//! clean (thesis 4.3).

mod arrange;
pub(crate) mod between;
pub(crate) mod check;
mod crowd;
mod gap_rows;
pub(crate) mod gaps;
mod height;
mod heights;
pub(crate) mod hinge;
mod one_way;
mod place;
mod plane_rows;
mod planes;
mod stages;
mod timed;
mod working;

pub(crate) use stages::FromWhere;
pub(crate) use working::WorkingSet;
