//! `summary.json`: the run in short, in the documented order of keys.

mod ends;
mod sizes;

use indexmap::IndexMap;
use serde::Serialize;

pub use ends::End;
pub(super) use ends::bodies;
pub use sizes::Sizes;

use super::contacts::RecordedContact;
use super::provenance::Provenance;
use super::verdict::{EnergyBalance, Fixed, Line, MomentumBalance, Verdict, balances};
use crate::contact::Unsettled;
use crate::scenario::{FORMAT, MeshFact, Scenario};
use crate::simulate::{Drift, Range, SimulateError, Simulation};

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// All steps were made.
    Done,
    /// The user stopped it; it can be resumed.
    Interrupted,
    /// A step failed; what was computed is written.
    Failed(SimulateError),
}

impl Status {
    /// As written in the summary.
    pub fn name(&self) -> &'static str {
        match self {
            Status::Done => "done",
            Status::Interrupted => "interrupted",
            Status::Failed(_) => "failed",
        }
    }
}

/// What was made of a mesh file for contact.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshSummary {
    /// The file as written.
    pub file: String,
    /// Number of convex parts.
    pub parts: usize,
    /// Whether they are the solid itself.
    pub exact: bool,
    /// How far parts and mesh are from each other at most, in m.
    pub distance: f64,
    /// Volume of the parts less that of the mesh, as a part of the latter.
    pub volume_error: Option<f64>,
    /// The same in words.
    #[serde(skip)]
    pub text: String,
}

impl MeshSummary {
    fn of(fact: &MeshFact) -> Self {
        Self {
            file: fact.file.clone(),
            parts: fact.parts,
            exact: fact.error.exact,
            distance: fact.error.distance,
            volume_error: fact.error.volume,
            text: fact.to_string(),
        }
    }
}

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
    /// What was made of mesh files for contact.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<MeshSummary>,
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
    pub energy: Span,
    /// Its kinetic part, in J.
    pub kinetic: Span,
    /// Its potential part, in J.
    pub potential: Span,
    /// E_d, in J.
    pub energy_discrete: Span,
    /// Total, in N s.
    pub linear_momentum: Change,
    /// Total about the origin, in N m s.
    pub angular_momentum: Change,
    /// start + loads + damping + contacts + projections + unexplained = end, in J.
    pub energy_balance: EnergyBalance,
    /// start + forces + supports + projections + unexplained = end, in N s.
    pub linear_momentum_balance: MomentumBalance,
    /// The same about the origin, in N m s.
    pub angular_momentum_balance: MomentumBalance,
    /// Whether to trust the run, in a sentence.
    pub verdict: (Verdict, String),
    /// The ledger in words, as the terminal and the report show it.
    pub ledger: Vec<Line>,
    /// Largest change of momentum in a step that no known load explains, in N s or N m s.
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
    pub unsettled: Vec<UnsettledInstant>,
    /// Contacts that closed within a step and were caught at its end.
    pub caught_count: u64,
    /// Newton iterations of all steps.
    pub newton_iterations: u64,
    /// Number of contact events.
    pub contact_count: u64,
    /// The first thousand of them.
    pub contacts: Vec<RecordedContact>,
    /// Bodies and linkages at the end.
    pub bodies: IndexMap<String, End>,
    /// What the scenario measures; null for what never happened.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub measures: IndexMap<String, Option<f64>>,
    /// What of it is known, and the relative deviation that is fine.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub known: IndexMap<String, Known>,
    /// Whether the run is a success, where the scenario says what that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
    /// What made this summary, from what, when and where.
    pub provenance: Provenance,
    /// What numbers of the run are judged against.
    #[serde(skip)]
    pub sizes: Sizes,
    /// What in the world can take momentum.
    #[serde(skip)]
    pub fixed: Fixed,
}

/// What a measure is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Known {
    /// Its value.
    pub value: f64,
    /// Relative deviation from it that is fine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
}

impl Known {
    /// Relative deviation of a value; infinite from zero.
    pub fn deviation(&self, value: f64) -> f64 {
        match value == self.value {
            true => 0.0,
            false => (value - self.value) / self.value.abs(),
        }
    }
}

/// First, last, least and largest value of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Span {
    /// At the start.
    pub initial: f64,
    /// At the end.
    #[serde(rename = "final")]
    pub last: f64,
    /// Least.
    pub min: f64,
    /// Largest.
    pub max: f64,
}

impl From<&Range> for Span {
    fn from(range: &Range) -> Self {
        Self {
            initial: range.initial,
            last: range.last,
            min: range.min,
            max: range.max,
        }
    }
}

/// First and last value of a vector and its largest change from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Change {
    /// At the start.
    pub initial: [f64; 3],
    /// At the end.
    #[serde(rename = "final")]
    pub last: [f64; 3],
    /// Largest length of the change from the start.
    pub max_change: f64,
}

impl From<&Drift> for Change {
    fn from(drift: &Drift) -> Self {
        Self {
            initial: drift.initial.into(),
            last: drift.last.into(),
            max_change: drift.max_change,
        }
    }
}

/// A contact problem that did not reach its tolerance.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct UnsettledInstant {
    /// When, in s.
    pub time: f64,
    /// What was solved for.
    pub what: String,
    /// Between whom, if it is about one pair.
    pub pair: Option<[String; 2]>,
    /// Relative residual that is left.
    pub residual: f64,
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
    /// Friction; the largest where it depends on the direction.
    pub friction: f64,
    /// The least friction of all directions, where it is less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_least: Option<f64>,
    /// Approach slower than this ended in rest, in m/s.
    pub rest_speed: f64,
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
        let fixed = Fixed::of(simulation.model());
        let [linear, angular] = balances(ledger, fixed);
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
                    friction_least: (meeting.friction_least != meeting.friction)
                        .then_some(meeting.friction_least),
                    rest_speed: meeting.rest_speed,
                })
                .collect(),
            meshes: scenario.mesh_facts.iter().map(MeshSummary::of).collect(),
            warnings: Vec::new(),
            separated: None,
            steps: ledger.steps,
            step: scenario.settings.step,
            stable_step: simulation.stable_step(),
            time_end: simulation.time(),
            wall_seconds: wall,
            wall_seconds_total: wall,
            energy: (&ledger.energy).into(),
            kinetic: (&ledger.kinetic).into(),
            potential: (&ledger.potential).into(),
            energy_discrete: (&discrete).into(),
            linear_momentum: (&ledger.linear_momentum).into(),
            angular_momentum: (&ledger.angular_momentum).into(),
            energy_balance: EnergyBalance::of(ledger),
            linear_momentum_balance: linear,
            angular_momentum_balance: angular,
            verdict: (Verdict::Plain, String::new()),
            ledger: Vec::new(),
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
            measures: IndexMap::new(),
            known: IndexMap::new(),
            success: None,
            provenance: Provenance::default(),
            sizes: Sizes::of(simulation),
            fixed,
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

fn unsettled(instant: &Unsettled) -> UnsettledInstant {
    UnsettledInstant {
        time: instant.time,
        what: instant.what.into(),
        pair: instant.names.clone(),
        residual: instant.residual,
    }
}
