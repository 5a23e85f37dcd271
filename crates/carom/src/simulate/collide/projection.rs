//! Decomposition contact response.

use super::{Collisions, Setup};
use crate::simulate::{ContactEvent, SimulateError, State, StepInfo};

impl Collisions {
    /// Resolves all overlaps at the end of a step.
    pub(super) fn project(
        &mut self,
        setup: &Setup,
        state: &mut State,
        time: f64,
        info: &mut StepInfo,
        events: &mut Vec<ContactEvent>,
    ) -> Result<(), SimulateError> {
        let _ = (setup, state, time, info, events);
        Ok(())
    }
}
