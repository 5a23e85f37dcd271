//! The gap of polytopes: references, certificates, gradients, invariants, hostile input.

#[path = "../common/mod.rs"]
mod common;
#[path = "../oracle/mod.rs"]
mod oracle;

mod broad_phase;
mod certificates;
mod gradient;
mod hostile;
mod invariants;
mod reference_cases;
mod references;
mod verdict;
