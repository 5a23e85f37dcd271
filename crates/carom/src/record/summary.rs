//! `summary.json`: the run in short, in the documented order of keys.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::run::Status;
use crate::model::BodyKind;
use crate::scenario::{FORMAT, Scenario};
use crate::simulate::{Drift, Range, Simulation};

/// The summary of a simulation.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Version of the format.
    pub format: u64,
    /// Name of the scenario.
    pub scenario: String,
    /// Its variant, or null.
    pub variant: Option<String>,
    /// done, interrupted or failed.
    pub status: &'static str,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Contact law.
    pub law: &'static str,
    /// Steps made.
    pub steps: u64,
    /// Step size in s.
    pub step: f64,
    /// Time at the end in s.
    pub time_end: f64,
    /// Wall time of the simulation in s.
    pub wall_seconds: f64,
    /// Wall time from start to the last file written in s.
    pub wall_seconds_total: f64,
    /// H_d from the projected momentum, in J.
    pub energy: Value,
    /// E_d, in J.
    pub energy_discrete: Value,
    /// Total, in N s.
    pub linear_momentum: Value,
    /// Total about the origin, in N m s.
    pub angular_momentum: Value,
    /// Largest change of momentum that no known load explains.
    pub momentum_residual_max: f64,
    /// Work of actuators and loads, in J.
    pub work: f64,
    /// Largest violation of a constraint.
    pub constraint_violation_max: f64,
    /// Largest overlap of two bodies in m.
    pub overlap_max: f64,
    /// Energy that impulses at contacts and drag there added, in J; negative where they took it.
    pub contact_energy: f64,
    /// Energy that closest-point projections added, in J.
    pub projection_energy: f64,
    /// Angular momentum that closest-point projections added, in N m s.
    pub projection_angular_momentum: [f64; 3],
    /// Newton iterations of all steps.
    pub newton_iterations: u64,
    /// Number of contact events.
    pub contact_count: u64,
    /// The first thousand of them.
    pub contacts: Vec<Value>,
    /// Bodies and linkages at the end.
    pub bodies: Map<String, Value>,
}

impl Summary {
    /// Sums up a simulation; its contact events are for the caller to add.
    pub fn new(
        scenario: &Scenario,
        simulation: &mut Simulation,
        status: &Status,
        wall: f64,
    ) -> Self {
        let bodies = bodies(simulation);
        let ledger = simulation.ledger();
        let discrete = ledger.energy_discrete.unwrap_or(ledger.energy);
        Self {
            format: FORMAT,
            scenario: scenario.meta.name.clone(),
            variant: scenario.meta.variant.clone(),
            status: status.name(),
            error: match status {
                Status::Failed(error) => Some(error.to_string()),
                _ => None,
            },
            law: scenario.settings.law.name(),
            steps: ledger.steps,
            step: scenario.settings.step,
            time_end: simulation.time(),
            wall_seconds: wall,
            wall_seconds_total: wall,
            energy: range(&ledger.energy),
            energy_discrete: range(&discrete),
            linear_momentum: drift(&ledger.linear_momentum),
            angular_momentum: drift(&ledger.angular_momentum),
            momentum_residual_max: ledger.momentum_residual_max,
            work: ledger.work,
            constraint_violation_max: ledger.constraint_violation_max,
            overlap_max: ledger.overlap_max,
            contact_energy: ledger.contact_energy,
            projection_energy: ledger.projection_energy,
            projection_angular_momentum: ledger.projection_angular.into(),
            newton_iterations: ledger.newton_iterations,
            contact_count: ledger.contact_count,
            contacts: Vec::new(),
            bodies,
        }
    }

    /// As JSON. Numbers are the shortest that read back the same; what is not finite is null.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.map_or_else(
            |error| format!("{{\"error\": \"{error}\"}}\n"),
            |t| t + "\n",
        )
    }
}

fn range(range: &Range) -> Value {
    json!({
        "initial": range.initial,
        "final": range.last,
        "min": range.min,
        "max": range.max,
    })
}

pub(super) fn drift(drift: &Drift) -> Value {
    json!({
        "initial": drift.initial.as_slice(),
        "final": drift.last.as_slice(),
        "max_change": drift.max_change,
    })
}

pub(super) fn bodies(simulation: &mut Simulation) -> Map<String, Value> {
    let twists = simulation.twists().to_vec();
    let rates = simulation.coordinate_rates().to_vec();
    let (model, state) = (simulation.model(), simulation.state());
    let mut bodies = Map::new();
    for (body, (pose, twist)) in model.bodies().iter().zip(state.poses.iter().zip(&twists)) {
        let mut value = Map::new();
        value.insert("position".into(), json!(pose.position.as_slice()));
        value.insert("velocity".into(), json!(twist.v.as_slice()));
        if !matches!(body.kind, BodyKind::Particle { .. }) {
            let directors: Vec<_> = (pose.directors.column_iter())
                .map(|d| d.iter().copied().collect::<Vec<f64>>())
                .collect();
            value.insert("directors".into(), json!(directors));
            value.insert("angular_velocity".into(), json!(twist.w.as_slice()));
        }
        bodies.insert(body.name.clone(), Value::Object(value));
    }
    let mut first = 0;
    for linkage in model.linkages() {
        let end = first + linkage.freedom();
        let names: Vec<_> = (linkage.spec.coordinates.iter()).map(|c| &c.name).collect();
        bodies.insert(
            linkage.spec.name.clone(),
            json!({
                "names": names,
                "coordinates": &state.coordinates[first..end],
                "rates": &rates[first..end],
            }),
        );
        first = end;
    }
    bodies
}
