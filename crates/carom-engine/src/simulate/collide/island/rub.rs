//! Dry friction in joints: along the coordinate of a joint, at most F h/2 at either end of a step.

use super::*;
use crate::contact::{Grip, Push};
use crate::mechanics::law_coordinate;

/// Dry friction along a degree of freedom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rub {
    /// Number of its law.
    law: usize,
    point: Point,
    /// Torque or force F.
    friction: f64,
}

impl IslandStepper {
    /// Adds the dry friction in the joints and coordinates of some units.
    pub(super) fn push_rubs(
        &mut self,
        setup: &Setup,
        work: &mut Workspace,
        scope: &Scope,
        state: &State,
    ) {
        let model = setup.model;
        for (k, law) in model.joint_laws().iter().enumerate() {
            let units = scope.which.iter().map(|&u| &scope.units.all[u]);
            let own = units.into_iter().any(|u| u.freedoms.contains(&law.freedom));
            if law.physics.friction == 0.0 || !own || self.rubs.iter().any(|r| r.law == k) {
                continue;
            }
            let push = Push {
                freedom: Some((law.freedom, 1.0)),
                ..Push::default()
            };
            let first = self.rows.push(model, &mut work.metric, &path(state), push);
            self.rubs.push(Rub {
                law: k,
                point: Point {
                    first,
                    rows: 1,
                    bias: [0.0; 3],
                    grip: Grip::Held,
                },
                friction: law.physics.friction,
            });
        }
    }

    /// Rates of these coordinates over a step to `probe`, as biases.
    pub(super) fn measure_rubs(&mut self, setup: &Setup, span: &Span, probe: &State) {
        let model = setup.model;
        for rub in &mut self.rubs {
            let law = &model.joint_laws()[rub.law];
            let at = |state: &State| match law_coordinate(model, law, &state.poses) {
                Some(row) => row.value,
                None => state.coordinates[law.freedom - model.tree_freedom],
            };
            let moved = law.difference(at(probe), at(span.base));
            rub.point.bias[0] = moved / span.h - self.rows.rate(rub.point.first, &self.nu);
        }
    }

    /// Their work at the start of a step, where `nu` is what all impulses change.
    pub(super) fn rubs_at_start(&self) -> f64 {
        let rubs = self.rubs.iter().map(|rub| {
            let row = rub.point.first;
            let mean = self.rows.rate(row, &self.start_nu) + 0.5 * self.rows.rate(row, &self.nu);
            self.rows.lambda[row] * mean
        });
        rubs.sum()
    }

    /// Their work at the end of a step, where `rates` were before all impulses.
    pub(super) fn rubs_at_end(&self) -> f64 {
        let rubs = self.rubs.iter().map(|rub| {
            let row = rub.point.first;
            let mean = 0.5 * (self.rates[row] + self.rows.rate(row, &self.nu));
            self.rows.lambda[row] * mean
        });
        rubs.sum()
    }

    /// Adds them to the points of a problem, for impulses at one end of a step of size `h`; at an
    /// instant friction gives nothing.
    pub(super) fn list_rubs(&mut self, h: f64) {
        for rub in &self.rubs {
            let limit = 0.5 * h * rub.friction;
            self.all.push(Point {
                grip: Grip::Resists { limit },
                ..rub.point
            });
        }
    }
}
