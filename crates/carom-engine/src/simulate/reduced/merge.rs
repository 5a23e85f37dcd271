//! Clusters of a step in which potentials hold bodies apart.

use super::{Reduced, coupled_of};
use crate::model::Model;
use crate::simulate::State;
use crate::simulate::cluster::merged;

impl Reduced {
    /// Bodies that potentials of contact may couple in this step are solved together.
    pub(super) fn merge_contacts(&mut self, model: &Model, state: &State, h: f64) {
        let Some(contact) = &mut self.contact else {
            return;
        };
        let reach = state.reach(model, h);
        contact.prepare(model, &state.poses, &state.poses, reach);
        let merged = merged(
            &self.base_clusters,
            model.bodies().len(),
            contact.pairs(model),
        );
        let same = merged.len() == self.clusters.len()
            && (merged.iter().zip(&self.clusters))
                .all(|(a, b)| a.joints == b.joints && a.kind == b.kind);
        if !same {
            self.coupled = coupled_of(model, &merged);
            self.best = vec![0.0; merged.len()];
            self.done = vec![false; merged.len()];
            self.stale = vec![0; merged.len()];
            self.before = vec![f64::INFINITY; merged.len()];
            self.again = vec![false; merged.len()];
            self.clusters = merged;
            self.which.clear();
        }
        self.choose(0..self.clusters.len());
    }
}
