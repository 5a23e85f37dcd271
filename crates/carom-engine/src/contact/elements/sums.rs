//! What touches between two bodies, summed up.

use nalgebra::Vector3;

use super::ElementContact;
use crate::contact::element_gap::{Row, Spot};
use crate::model::Party;

/// What touches between two bodies, summed up.
#[derive(Clone, Copy, Debug)]
pub struct Pressing {
    /// The two bodies, by their place among the parties.
    pub key: [usize; 2],
    /// Least gap.
    pub gap: f64,
    /// Force on the first.
    pub force: Vector3<f64>,
    /// Where, weighted by force.
    pub point: Vector3<f64>,
    /// Sum of the forces' sizes.
    weight: f64,
}

impl ElementContact {
    /// Sums up what overlaps, body by body, in the order of the bodies.
    pub fn sum_up(&mut self) {
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        for t in &self.touches {
            // Neighbours in the list mostly belong to the same bodies.
            let known = sums.iter().rposition(|p: &Pressing| p.key == t.parties);
            let at = known.unwrap_or_else(|| {
                sums.push(Pressing {
                    key: t.parties,
                    gap: 0.0,
                    force: Vector3::zeros(),
                    point: Vector3::zeros(),
                    weight: 0.0,
                });
                sums.len() - 1
            });
            let own = &mut sums[at];
            own.gap = own.gap.min(t.gap);
            for (spot, rows, force) in self.carriers(t) {
                own.force += spot.normal * (steepness(rows, spot) * force);
                own.point += spot.point * force;
                own.weight += force;
            }
        }
        for p in &mut sums {
            p.point /= p.weight;
        }
        sums.sort_unstable_by_key(|p| p.key);
        self.sums = sums;
    }

    /// What overlaps, as it was summed up last.
    pub fn pressing(&self) -> &[Pressing] {
        &self.sums
    }

    /// The two bodies of a pair.
    pub fn parties(&self, key: [usize; 2]) -> Option<[Party; 2]> {
        Some([*self.parties.get(key[0])?, *self.parties.get(key[1])?])
    }
}

/// |∂gap/∂x| of the first side.
fn steepness(rows: &[Row], spot: &Spot) -> f64 {
    let along = rows.iter().map(|r| r.slope.dot(&spot.normal).max(0.0));
    along.sum()
}
