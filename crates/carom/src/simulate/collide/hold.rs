//! Plastic contacts: they close without rebound and hold as a joint until they would pull.

use super::{Collisions, Setup};
use crate::simulate::{ContactEvent, State};

impl Collisions {
    /// Closes plastic contacts of the group that approach or rest.
    pub(super) fn close(
        &mut self,
        setup: &Setup,
        state: &State,
        group: &[usize],
        time: f64,
        events: &mut Vec<ContactEvent>,
    ) {
        let _ = (setup, state, group, time, events);
    }
}
