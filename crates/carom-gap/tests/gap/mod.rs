//! The gap of polytopes: references, certificates, gradients, invariants, hostile input.

mod broad_phase;
mod certificates;
mod gradient;
mod hostile;
mod invariants;
mod reference_cases;
mod references;
mod verdict;
