//! Units: parts of the model that fly on their own between contacts.
//!
//! They are the [`Parts`] that the integrator steps apart, and bodies whose motion is given. Contacts tie them to
//! [islands](super::islands).

use crate::contact::MassMetric;
use crate::mechanics::Parts;
use crate::model::Model;
use crate::simulate::State;

impl Parts {
    /// Velocities of some units from their momenta.
    pub fn velocities(
        &self,
        model: &Model,
        metric: &mut MassMetric,
        which: &[usize],
        state: &State,
        nu: &mut [f64],
    ) {
        for &u in which {
            let unit = &self.all[u];
            let momentum = |k| state.momentum(model, k);
            metric.velocities(model, &state.poses, &unit.bodies, momentum, nu);
            for &l in &unit.linkages {
                let (q, p) = (&state.coordinates, &state.coordinate_momenta);
                metric.rates(model, l, q, p, nu);
            }
        }
    }

    /// Copies some units from one state to another.
    pub fn copy(&self, model: &Model, units: &[usize], from: &State, to: &mut State) {
        for &u in units {
            let unit = &self.all[u];
            for &b in &unit.bodies {
                to.poses[b] = from.poses[b];
                to.momenta[b] = from.momenta[b];
                to.carry[b] = from.carry[b];
            }
            for &c in &unit.coordinates {
                to.coordinates[c] = from.coordinates[c];
                to.coordinate_momenta[c] = from.coordinate_momenta[c];
            }
            for &f in &unit.freedoms {
                to.guess[f] = from.guess[f];
                if f < model.tree_freedom {
                    to.unbalanced[f] = from.unbalanced[f];
                }
            }
        }
    }
}
