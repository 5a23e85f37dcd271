//! `summary.json`: the run in short, in the documented order of keys.

use nalgebra::{Matrix3, Vector3};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::run::Status;
use crate::contact::Unsettled;
use crate::mechanics::Twist;
use crate::model::{BodyKind, Solid};
use crate::scenario::{FORMAT, Scenario};
use crate::simulate::{Drift, Range, Simulation, State};

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
    /// Law and values of every pair of materials that can meet.
    pub contact_values: Vec<ContactValues>,
    /// What the user should have known before the first step.
    pub warnings: Vec<String>,
    /// How far bodies that overlapped at the start were moved at most, in m; null if none were.
    pub separated: Option<f64>,
    /// Steps made.
    pub steps: u64,
    /// Step size in s.
    pub step: f64,
    /// Longest stable step in s, where elastic bodies limit explicit steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stable_step: Option<f64>,
    /// Time at the end in s.
    pub time_end: f64,
    /// Wall time of the simulation in s.
    pub wall_seconds: f64,
    /// Wall time from start to the last file written in s.
    pub wall_seconds_total: f64,
    /// H_d from the projected momentum, in J.
    pub energy: Value,
    /// Its kinetic part, in J.
    pub kinetic: Value,
    /// Its potential part, in J.
    pub potential: Value,
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
    /// Worst relative residual of the contact problems solved.
    pub contact_residual_max: f64,
    /// Contact problems that did not reach their tolerance.
    pub unsettled_count: u64,
    /// The first hundred of them.
    pub unsettled: Vec<Value>,
    /// Contacts that closed within a step and were caught at its end.
    pub caught_count: u64,
    /// Newton iterations of all steps.
    pub newton_iterations: u64,
    /// Number of contact events.
    pub contact_count: u64,
    /// The first thousand of them.
    pub contacts: Vec<Value>,
    /// Bodies and linkages at the end.
    pub bodies: Map<String, Value>,
    /// What numbers of the run are judged against.
    #[serde(skip)]
    pub sizes: Sizes,
}

/// What ran between two materials.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactValues {
    /// The two materials.
    pub between: [String; 2],
    /// Contact law.
    pub law: &'static str,
    /// Restitution.
    pub restitution: f64,
    /// Friction.
    pub friction: f64,
    /// Approach slower than this ended in rest, in m/s.
    pub rest_speed: f64,
}

/// How large things are in a run: small and large numbers are so relative to these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// Reach of the largest body, in m; one where nothing has a shape.
    pub length: f64,
    /// Largest kinetic energy, range of the potential energy and work of loads together, in J.
    pub energy: f64,
    /// What round-off makes of the energy, in J.
    pub energy_round_off: f64,
    /// √(2 m T) of all mass and the largest kinetic energy, and what gravity gives it in a step, in
    /// N s.
    pub momentum: f64,
}

impl Sizes {
    /// Those of a simulation so far.
    fn of(simulation: &Simulation) -> Self {
        let (model, ledger) = (simulation.model(), simulation.ledger());
        let reaches = model.bodies().iter().map(|body| body.reach());
        let elastic = model.solids().iter().map(|s| s.size());
        let length = reaches.chain(elastic).fold(0.0, f64::max);
        let largest = |range: &Range| range.max.abs().max(range.min.abs());
        let bodies = model.bodies().iter().filter(|b| b.kind != BodyKind::Static);
        let links = model.linkages().iter().flat_map(|l| &l.spec.links);
        let mass = bodies.map(|b| b.mass()).sum::<f64>() + links.map(|l| l.mass).sum::<f64>();
        let fall = mass * model.forces().gravity.norm() * simulation.settings().step;
        Self {
            length: if length > 0.0 { length } else { 1.0 },
            energy: ledger.energy_scale() + ledger.work.abs(),
            energy_round_off: 64.0
                * f64::EPSILON
                * largest(&ledger.energy).max(largest(&ledger.potential)),
            momentum: (2.0 * mass * ledger.kinetic.max).sqrt() + fall,
        }
    }
}

impl Summary {
    /// Sums up a simulation; its contact events and what happened at the start are for the caller to
    /// add.
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
            contact_values: (scenario.meetings(simulation.model()).into_iter())
                .map(|meeting| ContactValues {
                    between: meeting.materials,
                    law: meeting.law.name(),
                    restitution: meeting.restitution,
                    friction: meeting.friction,
                    rest_speed: meeting.rest_speed,
                })
                .collect(),
            warnings: Vec::new(),
            separated: None,
            steps: ledger.steps,
            step: scenario.settings.step,
            stable_step: simulation.stable_step(),
            time_end: simulation.time(),
            wall_seconds: wall,
            wall_seconds_total: wall,
            energy: range(&ledger.energy),
            kinetic: range(&ledger.kinetic),
            potential: range(&ledger.potential),
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
            contact_residual_max: ledger.contact_residual_max,
            unsettled_count: ledger.unsettled_count,
            unsettled: ledger.unsettled.iter().map(unsettled).collect(),
            caught_count: ledger.caught_count,
            newton_iterations: ledger.newton_iterations,
            contact_count: ledger.contact_count,
            contacts: Vec::new(),
            bodies,
            sizes: Sizes::of(simulation),
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

fn unsettled(instant: &Unsettled) -> Value {
    json!({
        "time": instant.time,
        "what": instant.what,
        "pair": instant.names,
        "residual": instant.residual,
    })
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

/// An elastic body as a whole.
fn elastic(solid: &Solid, state: &State, twists: &[Twist]) -> Value {
    let (mut mass, mut first, mut momentum) = (0.0, Vector3::zeros(), Vector3::zeros());
    let places = (0..solid.points.len() as u32).map(|n| solid.place(n, &state.poses));
    let places: Vec<Vector3<f64>> = places.collect();
    let velocity = |k: usize| {
        let p = &solid.points[k];
        p.body.map_or(Vector3::zeros(), |b| {
            let (t, pose) = (&twists[b.index()], &state.poses[b.index()]);
            t.v + t.w.cross(&(pose.directors * p.local))
        })
    };
    for (k, m) in solid.masses.iter().enumerate() {
        mass += m;
        first += places[k] * *m;
        momentum += velocity(k) * *m;
    }
    let centre = first / mass;
    // J ω = L of all nodes about the centre of mass.
    let (mut inertia, mut spin) = (Matrix3::zeros(), Vector3::zeros());
    for (k, m) in solid.masses.iter().enumerate() {
        let r = places[k] - centre;
        inertia += (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * *m;
        spin += r.cross(&(velocity(k) * *m));
    }
    let spin = inertia.try_inverse().map_or(Vector3::zeros(), |j| j * spin);
    json!({
        "position": centre.as_slice(),
        "velocity": (momentum / mass).as_slice(),
        "angular_velocity": spin.as_slice(),
        "nodes": solid.points.len(),
        "elements": solid.elements.len(),
        "mass": mass,
        "volume": solid.volume(&state.poses),
        "strain_energy": solid.energy(&state.poses),
    })
}

pub(super) fn bodies(simulation: &mut Simulation) -> Map<String, Value> {
    let twists = simulation.twists().to_vec();
    let rates = simulation.coordinate_rates().to_vec();
    let (model, state) = (simulation.model(), simulation.state());
    let mut bodies = Map::new();
    for (k, (body, (pose, twist))) in
        (model.bodies().iter().zip(state.poses.iter().zip(&twists))).enumerate()
    {
        // Nodes are summed up.
        if model.solid_of(k).is_some() {
            continue;
        }
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
    for solid in model.solids() {
        bodies.insert(solid.name.clone(), elastic(solid, state, &twists));
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
