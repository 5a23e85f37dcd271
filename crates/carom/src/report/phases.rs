//! Phases of a plan: when they are, what is closed in them, what happens between them, what closed contacts give.

use carom_engine::inner::node_times;

use super::curves::plot;
use super::document::{PhaseView, Plot, Table};
use crate::record::verdict::readable;
use crate::record::{PhaseSummary, PlanSummary};

/// Phases as they are marked in plots; nothing where there is one only.
pub(super) fn views(summary: &PlanSummary) -> Vec<PhaseView> {
    let phases = summary.phases.iter().enumerate();
    let view = |(number, p): (usize, &PhaseSummary)| PhaseView {
        name: format!("phase {}, σ {}", number + 1, readable(p.time_scale)),
        span: p.span,
    };
    match summary.phases.len() {
        0 | 1 => Vec::new(),
        _ => phases.map(view).collect(),
    }
}

/// Phases, planned contacts beside the replay's, and sequences of contacts that were tried.
pub(super) fn tables(summary: &PlanSummary) -> Vec<Table> {
    let mut tables = Vec::new();
    if summary.phases.len() > 1 {
        let row = |(number, p): (usize, &PhaseSummary)| {
            vec![
                (number + 1).to_string(),
                format!("{} … {}", readable(p.span[0]), readable(p.span[1])),
                p.steps.to_string(),
                readable(p.time_scale),
                or_dash(p.closed.join(", ")),
                or_dash(p.ends.join(", ")),
            ]
        };
        tables.push(Table {
            title: "Phases".into(),
            note: "σ stretches the time steps of a phase; the plan chooses it within its bounds."
                .into(),
            columns: columns(&["phase", "time in s", "steps", "σ", "closed", "at its end"]),
            rows: summary.phases.iter().enumerate().map(row).collect(),
        });
    }
    if !summary.planned_contacts.is_empty() {
        let off = match summary.contact_time_error_max {
            Some(off) => format!(
                "The replay meets the planned contacts within {} s of these times.",
                readable(off)
            ),
            None => "The replay misses a planned contact.".into(),
        };
        let contacts = summary.planned_contacts.iter();
        tables.push(Table {
            title: "Planned contacts".into(),
            note: off,
            columns: columns(&["time in s", "node", "what happens", "who", "impulse in N s"]),
            rows: contacts
                .map(|c| {
                    vec![
                        format!("{:.6}", c.time),
                        c.node.to_string(),
                        c.kind.clone(),
                        c.what.clone(),
                        readable(c.impulse),
                    ]
                })
                .collect(),
        });
    }
    if !summary.sequences.is_empty() {
        let number = |v: Option<f64>| v.map_or("–".into(), readable);
        let ways = summary.sequences.iter();
        tables.push(Table {
            title: "Sequences of contacts".into(),
            note: "Best first; the coarse objective is that of few steps without avoidance.".into(),
            columns: columns(&["contacts", "coarse objective", "objective", "outcome"]),
            rows: ways
                .map(|w| {
                    let who = match w.contacts.is_empty() {
                        true => "none".into(),
                        false => w.contacts.join(", then "),
                    };
                    vec![
                        who,
                        number(w.objective_coarse),
                        number(w.objective),
                        w.outcome.clone(),
                    ]
                })
                .collect(),
        });
    }
    tables
}

/// Forces of closed contacts: impulses about the nodes over the time that belongs to a node.
pub(super) fn forces(summary: &PlanSummary, steps: &[f64]) -> Vec<Plot> {
    if summary.held_contacts.is_empty() {
        return Vec::new();
    }
    let time = node_times(steps.iter().copied());
    // Half of the step before a node and half of that after it, while the contact is closed.
    let share = |node: usize, [first, last]: [usize; 2]| {
        let before = if node > first { steps[node - 1] } else { 0.0 };
        let after = if node < last { steps[node] } else { 0.0 };
        0.5 * (before + after)
    };
    let mut series = Vec::new();
    for held in &summary.held_contacts {
        let parts = [
            ("normal", &held.normal_impulses),
            ("across", &held.tangential_impulses),
        ];
        for (direction, impulses) in parts {
            if impulses.iter().all(|i| *i == 0.0) {
                continue;
            }
            let mut values = vec![f64::NAN; time.len()];
            for (k, impulse) in impulses.iter().enumerate() {
                let node = held.nodes[0] + k;
                if let Some(value) = values.get_mut(node) {
                    *value = impulse / share(node, held.nodes);
                }
            }
            series.push((format!("{}, {direction}", held.what), values));
        }
    }
    vec![plot("Forces of closed contacts", "N", &time, series)]
}

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| n.to_string()).collect()
}

fn or_dash(text: String) -> String {
    match text.is_empty() {
        true => "–".into(),
        false => text,
    }
}
