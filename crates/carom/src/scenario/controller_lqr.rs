//! `kind = "lqr"`: linear-quadratic feedback around a plan.

use carom_engine::inner::body_id;

use super::controller_laws::Reader;
use super::fields::Read;
use crate::control::{Controller, Lqr, Sight, Weights};

impl Reader<'_> {
    /// Linear-quadratic feedback around a plan.
    pub(super) fn lqr(&self) -> Read<Box<dyn Controller>> {
        let item = self
            .fields
            .need("plan", "name the folder of a plan: plan = \"out/NAME\"")?;
        let path = self.plan(&item)?;
        if self.outputs == 0 {
            return Err(self
                .fields
                .fault("there is nothing to act with", "add [actuator.NAME]"));
        }
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let mut outputs = Vec::new();
        for id in self.actuators {
            let actuator = &self.model.actuators()[id.index()];
            let bound = |k: usize| actuator.bounds.get(k).copied().unwrap_or(free);
            outputs.extend(actuator.range().enumerate().map(|(k, at)| (at, bound(k))));
        }
        // A centimetre, and the largest control of the plan, cost one.
        let sizes = path.0.controls.iter().flatten().map(|v| v.abs());
        let largest = sizes.fold(1e-9, f64::max);
        let time = path.end();
        let mut weights = Weights {
            position: 1e4,
            velocity: 1e4 * (time / 20.0).powi(2),
            control: 1.0 / (largest * largest),
            end: time,
        };
        if let Some(item) = self.fields.get("weights") {
            let own = item.fields()?;
            if let Some(item) = own.get("position") {
                weights.position = item.positive()?;
            }
            if let Some(item) = own.get("velocity") {
                weights.velocity = item.non_negative()?;
            }
            if let Some(item) = own.get("control") {
                weights.control = item.positive()?;
            }
            if let Some(item) = own.get("end") {
                weights.end = item.non_negative()?;
            }
            own.finish()?;
        }
        let bodies = 0..self.model.bodies().len();
        let sights = bodies
            .map(|b| Sight::of(self.model, self.columns, Some(body_id(b))))
            .collect();
        let settings = self.scenario.settings.simulator();
        let law = Lqr::new(
            self.model, settings, self.every, path, &outputs, &weights, sights,
        );
        let law =
            law.map_err(|error| item.fault(format!("gives no gains: {error}"), "change weights"))?;
        Ok(Box::new(law))
    }
}
