//! What is told of a step: what did not settle, what contacts gave, what stood before.

use super::Setup;
use crate::contact::{Outcome, Pair, Unsettled};
use crate::simulate::state::Standing;
use crate::simulate::{PairImpulse, StepInfo};

/// What is told of a step.
#[derive(Debug)]
pub(in crate::simulate) struct Told {
    /// What did not settle in the present step, and whether it is to say who.
    pub unsettled: Vec<Unsettled>,
    pub names_unsettled: bool,
    /// What contacts gave in it, piece by piece.
    pub pushes: Vec<PairImpulse>,
    /// What stood before it.
    pub(super) stood: Vec<Standing>,
}

impl Default for Told {
    fn default() -> Self {
        Self {
            unsettled: Vec::new(),
            names_unsettled: true,
            pushes: Vec::new(),
            stood: Vec::new(),
        }
    }
}

impl Told {
    /// Nothing is told of the present step yet.
    pub(super) fn begin(&mut self) {
        self.unsettled.clear();
        self.pushes.clear();
    }

    /// Notes what a contact problem at a time reached.
    pub(super) fn judge(
        &mut self,
        setup: &Setup,
        info: &mut StepInfo,
        (what, time): (&'static str, f64),
        pair: Option<Pair>,
        outcome: Outcome,
    ) {
        info.contact.residual = info.contact.residual.max(outcome.residual);
        if !outcome.converged {
            let named = pair.filter(|_| self.names_unsettled);
            self.unsettled.push(Unsettled {
                time,
                what,
                names: named.map(|p| p.names(setup.model)),
                residual: outcome.residual,
            });
        }
    }
}
