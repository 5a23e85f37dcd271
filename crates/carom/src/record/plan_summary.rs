//! `summary.json` of an optimisation, in the documented order of keys.

use indexmap::IndexMap;
use serde::Serialize;

use super::provenance::Provenance;
use super::summary::{Change, End, bodies};
use super::verdict::{Line, Verdict};
#[cfg(feature = "optimise")]
use crate::optimise::Status;
use crate::optimise::{Plan, Replay};
use crate::scenario::{FORMAT, Scenario};

/// The summary of an optimisation.
#[derive(Clone, Debug, Serialize)]
pub struct PlanSummary {
    /// Version of the format.
    pub format: u64,
    /// Name of the scenario.
    pub scenario: String,
    /// Its variant, or null.
    pub variant: Option<String>,
    /// solved, acceptable, saddle, infeasible, stalled, limit, overlap, stopped, or replay failed.
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
    /// Whether bodies are kept apart by planes of whole steps, because planes of single nodes led nowhere.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub whole_steps: bool,
    /// How the outer layer ended, where collision states and times are one of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outer_layer: Option<OuterSummary>,
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
    /// Largest component of the gradient of the Lagrangian, as the problem is scaled.
    pub stationarity: Option<f64>,
    /// Largest violation of a row or a bound, as the problem is scaled.
    pub feasibility: f64,
    /// Largest product of a slack and its multiplier, as the problem is scaled.
    pub complementarity: Option<f64>,
    /// Directions along which the objective falls to second order: none at a minimum.
    pub negative_curvatures: usize,
    /// Length that the problem is measured in, in m.
    pub length_scale: f64,
    /// Largest violation of a row, in its own unit.
    pub constraint_violation_max: f64,
    /// Largest residual of the balance of momentum.
    pub momentum_residual_max: f64,
    /// Largest deviation of the simulator's replay from the plan; none where it could not be followed to the end.
    pub replay_error_max: Option<f64>,
    /// The same for single steps that begin at the plan's own nodes.
    pub replay_step_error_max: Option<f64>,
    /// How much deviations grow from a step to the end of the replay: large for unstable plants.
    pub replay_growth: Option<f64>,
    /// Whether the motion that is written is made of single steps from the plan's own nodes: the plan is right, but
    /// its plant too unstable to be driven in open loop.
    pub replay_stepwise: bool,
    /// Largest overlap of two bodies at the nodes and between them, in m.
    pub overlap_between_nodes_max: f64,
    /// Whether bodies were to stay apart.
    pub overlap_asked: bool,
    /// Time scale of every phase.
    pub time_scales: Vec<f64>,
    /// Parameters that were found, by name.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub parameters: IndexMap<String, f64>,
    /// Total time in s.
    pub time_end: f64,
    /// The phases one after the other.
    pub phases: Vec<PhaseSummary>,
    /// Times of planned contacts in s.
    pub contact_times: Vec<f64>,
    /// Planned contacts: what touches, at which node and time, with which impulse.
    pub planned_contacts: Vec<ContactSummary>,
    /// Contacts that are closed in some phases, with the impulses they give node by node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held_contacts: Vec<HeldSummary>,
    /// Largest difference of a planned contact's time to the replay's, in s; null if one is missing.
    pub contact_time_error_max: Option<f64>,
    /// Total in the replay, in N s.
    pub linear_momentum: Change,
    /// Total about the origin in the replay, in N m s.
    pub angular_momentum: Change,
    /// The worst violated rows, in words.
    pub violations: Vec<ViolationSummary>,
    /// Status and objective of all searches, best first, if there were several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<StartSummary>,
    /// Sequences of contacts that were looked at, best first, if there was a choice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequences: Vec<SequenceSummary>,
    /// Why there is no plan, as far as it is known.
    pub reasons: Vec<String>,
    /// What the guess violates, in words.
    pub violations_guess: Vec<ViolationSummary>,
    /// Gaps that hold the plan back, with their multipliers.
    pub active_gaps: Vec<ActiveGap>,
    /// Bodies at the end.
    pub bodies: IndexMap<String, End>,
    /// Whether to trust the plan, in a sentence.
    pub verdict: (Verdict, String),
    /// The ledger in words, as the terminal and the report show it.
    pub ledger: Vec<Line>,
    /// What made this summary, from what, when and where.
    pub provenance: Provenance,
}

/// A condition that is not met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ViolationSummary {
    /// Which.
    pub what: String,
    /// By how much, in its own unit.
    pub amount: f64,
}

/// The outer of two layers: collision states and times around smooth segments.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OuterSummary {
    /// Smooth segments.
    pub segments: usize,
    /// Unknowns of the outer layer.
    pub unknowns: usize,
    /// Steps of collision states and times.
    pub rounds: usize,
    /// Iterations of the search in one layer that it began from.
    pub start_iterations: usize,
    /// Segments that were solved on the way.
    pub segment_solves: usize,
    /// Iterations of all of them.
    pub segment_iterations: usize,
    /// What the conditions of optimality of the outer layer leave, as the problem is scaled; null if no number.
    pub residual: Option<f64>,
    /// Whether that is within the tolerance.
    pub converged: bool,
}

/// A phase of a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PhaseSummary {
    /// When it begins and ends, in s.
    pub span: [f64; 2],
    /// Number of its steps.
    pub steps: usize,
    /// Time scale σ that the plan found; 1 where times are fixed.
    pub time_scale: f64,
    /// Contacts that are closed during all of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closed: Vec<String>,
    /// What happens at its end by plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends: Vec<String>,
}

impl PhaseSummary {
    /// The phases of a plan; `steps` are their numbers of steps.
    #[cfg(feature = "optimise")]
    pub(crate) fn list(steps: impl Iterator<Item = usize>, plan: &Plan) -> Vec<Self> {
        let mut begin = (0, 0.0);
        steps
            .enumerate()
            .map(|(number, steps)| {
                let (first, start) = begin;
                let last = first + steps;
                let end = start + plan.steps[first..last].iter().sum::<f64>();
                begin = (last, end);
                let held = (plan.held.iter()).filter(|h| h.nodes[0] <= first && last <= h.nodes[1]);
                let ends = plan.contacts.iter().filter(|c| c.node == last);
                Self {
                    span: [start, end],
                    steps,
                    time_scale: plan.scales.get(number).copied().unwrap_or(1.0),
                    closed: held.map(|h| h.what.clone()).collect(),
                    ends: ends
                        .map(|c| format!("{}: {}", c.kind.name(), c.what))
                        .collect(),
                }
            })
            .collect()
    }
}

/// A planned contact.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactSummary {
    /// impact, stick or release.
    pub kind: String,
    /// What touches.
    pub what: String,
    /// The node it happens at.
    pub node: usize,
    /// When, in s.
    pub time: f64,
    /// Its impulse, in N s.
    pub impulse: f64,
}

/// A contact that is closed for some time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldSummary {
    /// What touches.
    pub what: String,
    /// The nodes it is closed from and to.
    pub nodes: [usize; 2],
    /// Impulse along the normal at each of these nodes, in N s.
    pub normal_impulses: Vec<f64>,
    /// Size of the impulse across it.
    pub tangential_impulses: Vec<f64>,
}

/// A sequence of contacts that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SequenceSummary {
    /// Who meets, in this order.
    pub contacts: Vec<String>,
    /// Objective on a coarse grid without avoidance; null where that has no plan.
    pub objective_coarse: Option<f64>,
    /// Objective of its plan; null where there is none.
    pub objective: Option<f64>,
    /// How it ended, or why it was left out.
    pub outcome: String,
}

/// One of several searches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartSummary {
    /// How it ended.
    pub status: String,
    /// Its objective.
    pub objective: f64,
}

/// A gap that holds the plan back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActiveGap {
    /// Between whom, when.
    pub what: String,
    /// Its multiplier: how much the objective would fall per metre of room.
    pub multiplier: f64,
}

impl PlanSummary {
    /// Sums up a plan and its replay.
    pub fn new(
        scenario: &Scenario,
        plan: &Plan,
        replay: &mut Replay,
        avoids: bool,
        wall: f64,
    ) -> Self {
        let finite = |v: f64| v.is_finite().then_some(v);
        let (step, growth) = (replay.step_error, replay.growth);
        let error = finite(replay.error).filter(|_| replay.failure.is_none());
        let contacts = replay.contact_error;
        let simulation = &mut replay.simulation;
        let o = &plan.optimality;
        let list = |violations: &[crate::optimise::Violation]| {
            violations
                .iter()
                .map(|v| ViolationSummary {
                    what: v.what.clone(),
                    amount: v.amount,
                })
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
            whole_steps: plan.whole_steps,
            outer_layer: plan.outer.map(|o| OuterSummary {
                segments: o.segments,
                unknowns: o.unknowns,
                rounds: o.rounds,
                start_iterations: o.start_iterations,
                segment_solves: o.solves,
                segment_iterations: o.iterations,
                residual: finite(o.residual),
                converged: o.converged,
            }),
            unknowns: plan.size[0],
            rows: plan.size[1],
            jacobian_entries: plan.size[2],
            wall_seconds: wall,
            wall_seconds_total: wall,
            stationarity: finite(o.stationarity),
            feasibility: o.feasibility,
            complementarity: finite(o.complementarity),
            negative_curvatures: o.negative_curvatures,
            length_scale: plan.length,
            constraint_violation_max: plan.violation,
            momentum_residual_max: plan.momentum_residual,
            replay_error_max: error,
            replay_step_error_max: finite(step),
            replay_growth: finite(growth),
            replay_stepwise: replay.stepwise,
            overlap_between_nodes_max: plan.overlap,
            overlap_asked: avoids,
            time_scales: plan.scales.clone(),
            parameters: plan.parameters.iter().cloned().collect(),
            time_end: plan.time(),
            phases: Vec::new(),
            contact_times: plan.contacts.iter().map(|c| c.time).collect(),
            planned_contacts: (plan.contacts.iter())
                .map(|c| ContactSummary {
                    kind: c.kind.name().into(),
                    what: c.what.clone(),
                    node: c.node,
                    time: c.time,
                    impulse: c.impulse,
                })
                .collect(),
            held_contacts: (plan.held.iter())
                .map(|h| HeldSummary {
                    what: h.what.clone(),
                    nodes: h.nodes,
                    normal_impulses: h.normal.clone(),
                    tangential_impulses: h.across.clone(),
                })
                .collect(),
            contact_time_error_max: finite(contacts),
            linear_momentum: (&simulation.ledger().linear_momentum).into(),
            angular_momentum: (&simulation.ledger().angular_momentum).into(),
            violations: list(&plan.worst),
            starts: (plan.starts.iter())
                .map(|(s, v)| StartSummary {
                    status: s.name().into(),
                    objective: *v,
                })
                .collect(),
            sequences: (plan.sequences.iter())
                .map(|c| SequenceSummary {
                    contacts: c.contacts.clone(),
                    objective_coarse: c.coarse,
                    objective: c.objective,
                    outcome: c.outcome.clone(),
                })
                .collect(),
            reasons: plan.reasons.clone(),
            violations_guess: list(&plan.worst_guess),
            active_gaps: active
                .map(|(what, v)| ActiveGap {
                    what: what.clone(),
                    multiplier: *v,
                })
                .collect(),
            bodies: bodies(simulation),
            verdict: (Verdict::Plain, String::new()),
            ledger: Vec::new(),
            provenance: Provenance::default(),
        }
    }

    /// Why the plan is no success, if so; enters it.
    #[cfg(feature = "optimise")]
    pub(crate) fn judge(
        &mut self,
        plan: &Plan,
        agrees: bool,
        replay: Option<&str>,
    ) -> Option<String> {
        let named = || {
            if !plan.reasons.is_empty() {
                return format!("; {}", plan.reasons.join("; "));
            }
            let what = plan.worst.iter().take(3);
            let list: Vec<_> = what
                .map(|v| format!("{} off by {:.2e}", v.what, v.amount))
                .collect();
            match list.is_empty() {
                true => String::new(),
                false => format!("; worst: {}", list.join(", ")),
            }
        };
        let told = !plan.reasons.is_empty();
        let reason = match &plan.status {
            Status::Solved | Status::Acceptable(_) => match (agrees, replay) {
                (true, _) => None,
                (false, None) if self.contact_time_error_max.is_none_or(|e| e > 1e-6) => {
                    Some(
                        "the simulator's replay touches at other times than the plan; between two nodes it goes a way \
                         of its own: more steps may help"
                            .into(),
                    )
                }
                (false, Some(why)) => Some(format!("the simulator cannot replay the plan: {why}")),
                (false, None) => {
                    let error = self.replay_error_max.unwrap_or(f64::INFINITY);
                    Some(format!(
                        "the simulator's replay leaves the plan by {error:.2e}: more steps may help"
                    ))
                }
            },
            Status::Saddle => Some(format!(
                "the plan is a saddle, not a minimum: the objective falls along {} directions; begin from a \
                 guess that is not symmetric",
                self.negative_curvatures
            )),
            Status::Infeasible if told && plan.iterations == 0 => {
                Some(format!("no motion meets all conditions{}", named()))
            }
            Status::Infeasible => Some(format!(
                "no motion near the guess meets all conditions{}: change the goal, the time or the guess",
                named()
            )),
            Status::Stalled(why) => Some(format!(
                "the solver no longer makes progress ({why}){}",
                named()
            )),
            Status::Limit(why) => Some(format!("not converged, at the limit {why}{}", named())),
            Status::Overlap => Some(format!(
                "bodies overlap by {:.2e} m between the nodes: take more steps or a margin",
                plan.overlap
            )),
            Status::Stopped => Some("stopped; the best iterate is written".into()),
        };
        if reason.is_some() && plan.status.is_usable() {
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
