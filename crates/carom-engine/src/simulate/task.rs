//! What every formulation is asked for.

use super::State;
use crate::mechanics::Wrench;
use crate::model::Model;

/// A step to be solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepTask<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub h: f64,
    /// Where in the step potentials are evaluated.
    pub gamma: f64,
    /// Wrenches f⁻ at q.
    pub loads: &'a [Wrench],
    /// Most iterations.
    pub limit: usize,
}
