//! Clusters of a step in which potentials hold bodies apart.

use super::{Reduced, coupled_of};
use crate::model::{BodyId, Model};
use crate::simulate::State;
use crate::simulate::cluster::{Cluster, Kind};
use crate::simulate::sets::Sets;

impl Reduced {
    /// Bodies that potentials of contact may couple in this step are solved together.
    pub(super) fn merge_contacts(&mut self, model: &Model, state: &State, h: f64) {
        let Some(contact) = &mut self.contact else {
            return;
        };
        contact.prepare(model, &state.poses, state.reach(model, h));
        let mut place = vec![usize::MAX; model.bodies().len()];
        for (c, cluster) in self.base_clusters.iter().enumerate() {
            cluster.share.bodies.iter().for_each(|&b| place[b] = c);
        }
        let count = self.base_clusters.len();
        let mut sets = Sets::new(count);
        let mut pressed = vec![false; count];
        for pair in contact.pairs() {
            let of = |b: Option<BodyId>| b.map(|b| place[b.index()]).filter(|c| *c != usize::MAX);
            let sides = pair.map(of);
            sides.iter().flatten().for_each(|&c| pressed[c] = true);
            if let [Some(a), Some(b)] = sides {
                sets.merge(a, b);
            }
        }
        let mut merged: Vec<Cluster> = Vec::new();
        let mut index = vec![usize::MAX; count];
        for (c, cluster) in self.base_clusters.iter().enumerate() {
            let at = &mut index[sets.root(c)];
            if *at == usize::MAX {
                *at = merged.len();
                merged.push(cluster.clone());
            } else {
                let whole = &mut merged[*at];
                whole.joints.extend_from_slice(&cluster.joints);
                whole.closures.extend_from_slice(&cluster.closures);
                whole.share.extend(&cluster.share);
            }
            if pressed[c] {
                merged[*at].kind = Kind::Coupled;
            }
        }
        let same = merged.len() == self.clusters.len()
            && (merged.iter().zip(&self.clusters))
                .all(|(a, b)| a.joints == b.joints && a.kind == b.kind);
        if !same {
            self.coupled = coupled_of(model, &merged);
            self.best = vec![0.0; merged.len()];
            self.done = vec![false; merged.len()];
            self.clusters = merged;
            self.which.clear();
        }
        let all: Vec<usize> = (0..self.clusters.len()).collect();
        self.choose(&all);
    }
}
