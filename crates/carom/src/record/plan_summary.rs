//! `summary.json` of an optimisation, in the documented order of keys.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::summary::{bodies, drift};
use crate::optimise::{Plan, Status};
use crate::scenario::{FORMAT, Scenario};
use crate::simulate::Simulation;

/// Deviation of the replay from the plan above which the plan is not to be trusted.
const REPLAY_TOLERANCE: f64 = 1e-6;

/// The summary of an optimisation.
#[derive(Clone, Debug, Serialize)]
pub struct PlanSummary {
    /// Version of the format.
    pub format: u64,
    /// Name of the scenario.
    pub scenario: String,
    /// Its variant, or null.
    pub variant: Option<String>,
    /// solved, infeasible, not converged, overlap, stopped, or replay failed.
    pub status: String,
    /// Why it is not solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Objective of the plan.
    pub objective: f64,
    /// Objective of the guess.
    pub objective_guess: f64,
    /// Iterations of all rounds.
    pub iterations: usize,
    /// Rounds with a growing working set.
    pub rounds: usize,
    /// Unknowns, rows and entries of the Jacobian.
    pub unknowns: usize,
    /// Rows of the last round.
    pub rows: usize,
    /// Entries of the Jacobian of the last round.
    pub jacobian_entries: usize,
    /// Wall time of transcription and solve in s.
    pub wall_seconds: f64,
    /// Wall time from start to the last file written in s.
    pub wall_seconds_total: f64,
    /// Largest violation of a row.
    pub constraint_violation_max: f64,
    /// Largest residual of the balance of momentum.
    pub momentum_residual_max: f64,
    /// Largest deviation of the simulator's replay from the plan.
    pub replay_error_max: Option<f64>,
    /// Largest overlap of two bodies at the nodes and between them, in m.
    pub overlap_between_nodes_max: f64,
    /// Time scale of every phase.
    pub time_scales: Vec<f64>,
    /// Total time in s.
    pub time_end: f64,
    /// Times of planned contacts in s.
    pub contact_times: Vec<f64>,
    /// Total in the replay, in N s.
    pub linear_momentum: Value,
    /// Total about the origin in the replay, in N m s.
    pub angular_momentum: Value,
    /// The worst violated rows, in words.
    pub violations: Vec<Value>,
    /// What the guess violates, in words.
    pub violations_guess: Vec<Value>,
    /// Gaps that hold the plan back, with their multipliers.
    pub active_gaps: Vec<Value>,
    /// Bodies at the end.
    pub bodies: Map<String, Value>,
}

impl PlanSummary {
    /// Sums up a plan and its replay.
    pub fn new(
        scenario: &Scenario,
        plan: &Plan,
        simulation: &mut Simulation,
        replay_error: f64,
        wall: f64,
    ) -> Self {
        let list = |violations: &[crate::optimise::Violation]| {
            violations
                .iter()
                .map(|v| json!({ "what": v.what, "amount": v.amount }))
                .collect()
        };
        let active = plan.active.iter().take(100);
        Self {
            format: FORMAT,
            scenario: scenario.meta.name.clone(),
            variant: scenario.meta.variant.clone(),
            status: plan.status.name().into(),
            error: None,
            objective: plan.objective,
            objective_guess: plan.objective_guess,
            iterations: plan.iterations,
            rounds: plan.rounds,
            unknowns: plan.size[0],
            rows: plan.size[1],
            jacobian_entries: plan.size[2],
            wall_seconds: wall,
            wall_seconds_total: wall,
            constraint_violation_max: plan.violation,
            momentum_residual_max: plan.momentum_residual,
            replay_error_max: replay_error.is_finite().then_some(replay_error),
            overlap_between_nodes_max: plan.overlap,
            time_scales: plan.scales.clone(),
            time_end: plan.time(),
            contact_times: Vec::new(),
            linear_momentum: drift(&simulation.ledger().linear_momentum),
            angular_momentum: drift(&simulation.ledger().angular_momentum),
            violations: list(&plan.worst),
            violations_guess: list(&plan.worst_guess),
            active_gaps: active
                .map(|(what, v)| json!({ "what": what, "multiplier": v }))
                .collect(),
            bodies: bodies(simulation),
        }
    }

    /// Why the plan is no success, if so; enters it.
    pub(super) fn verdict(&mut self, plan: &Plan, replay: Option<&str>) -> Option<String> {
        let named = || {
            let what = plan.worst.iter().take(3);
            let list: Vec<_> = what
                .map(|v| format!("{} off by {:.2e}", v.what, v.amount))
                .collect();
            match list.is_empty() {
                true => String::new(),
                false => format!("; worst: {}", list.join(", ")),
            }
        };
        let reason = match &plan.status {
            Status::Solved => match (replay, self.replay_error_max) {
                (Some(why), _) => Some(format!("the simulator cannot replay the plan: {why}")),
                (None, Some(error)) if error <= REPLAY_TOLERANCE => None,
                (None, error) => {
                    let error = error.unwrap_or(f64::INFINITY);
                    Some(format!(
                        "the simulator's replay leaves the plan by {error:.2e}"
                    ))
                }
            },
            Status::Infeasible => Some(format!(
                "no motion near the guess meets all conditions{}: change the goal, the time or the guess",
                named()
            )),
            Status::NotConverged(why) => Some(format!("not converged, {why}{}", named())),
            Status::Overlap => Some(format!(
                "bodies overlap by {:.2e} m between the nodes: take more steps or a margin",
                plan.overlap
            )),
            Status::Stopped => Some("stopped; the last iterate is written".into()),
        };
        if reason.is_some() && plan.status == Status::Solved {
            self.status = "replay failed".into();
        }
        self.error.clone_from(&reason);
        reason
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
