//! From where a search ended to a plan.

use std::time::Instant;

use super::avoid::check;
use super::found::Found;
use super::guess::Guess;
use super::plan::Plan;
use super::problem::{Avoid, Problem};
use super::search::Search;
use super::warm::Warm;

/// The plan of what a search found.
pub(crate) fn finish(
    problem: &Problem,
    search: &Search,
    found: Found,
    reasons: Vec<String>,
    guess: &Guess,
    begin: Instant,
) -> Plan {
    let overlap = found.overlap.unwrap_or_else(|| {
        let all = Avoid::default();
        check::check(problem, &found.poses, &all, &found.met()).overlap
    });
    let steps = found.steps.len();
    let warm = match &search.known {
        Some(known) => {
            let stride = found.stride();
            let mut warm = Warm::new([steps, stride], known);
            search.working.store(&mut warm);
            warm
        }
        None => Warm::default(),
    };
    Plan {
        status: found.status,
        poses: found.poses,
        contacts: found.contacts,
        held: found.held,
        controls: found.controls,
        steps: found.steps,
        scales: found.scales,
        parameters: (problem.parameters.iter())
            .map(|p| p.name.clone())
            .zip(found.parameters)
            .collect(),
        rates: found.rates,
        objective: found.objective,
        objective_guess: found.objective_start,
        iterations: search.spent,
        rounds: search.rounds,
        outer: found.outer,
        whole_steps: found.whole_steps,
        size: found.size,
        optimality: found.optimality,
        violation: found.violation,
        worst: found.worst,
        worst_guess: found.worst_start,
        momentum_residual: found.momentum_residual,
        overlap,
        active: found.active,
        reasons,
        length: search.size().length,
        starts: Vec::new(),
        sequences: Vec::new(),
        warm,
        guess: guess.clone(),
        seconds: begin.elapsed().as_secs_f64(),
    }
}
