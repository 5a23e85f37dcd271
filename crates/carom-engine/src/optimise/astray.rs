//! Plans whose replay leaves them: what touches in the simulator only is kept farther away.
//!
//! Between two nodes the simulator goes a way of its own, and rebounds where the plan passes by. Vertices beside a
//! planned contact push as soon as they touch, in the simulator and not in the plan. Both are kept away by a little,
//! and by more each time the replay leaves the plan again. Those who meet are then found before their node
//! ([`met`](super::impact::met)).

use std::time::Instant;

use super::avoid::gaps;
use super::closed;
use super::error::OptimiseError;
use super::finish::finish;
use super::guess::Guess;
use super::impact;
use super::meeting::Meeting;
use super::plan::Plan;
use super::problem::Problem;
use super::replay::{self, Stray};
use super::search::Search;
use crate::contact::Pair;

/// How often a plan that the replay leaves is searched for again.
const MOST: usize = 10;

/// Iterations of a search that goes on with the multipliers of the last one, before it begins without them.
const WARM: usize = 150;

/// Height of vertices beside planned contacts where they are kept away, in sizes of the largest part, and by what it
/// grows each time.
const BESIDE: f64 = 2e-4;
const HIGHER: f64 = 8.0;

/// Searches again, with more room, as long as the replay leaves the plan at something that room may help.
pub(crate) fn part(
    search: &mut Search,
    mut plan: Plan,
    guess: &Guess,
    begin: Instant,
) -> Result<Plan, OptimiseError> {
    let mut problem = search.problem.clone();
    for _ in 0..MOST {
        if !plan.status.is_usable() {
            break;
        }
        let Some(stray) = replay::stray(&problem, &plan)? else {
            break;
        };
        let Some(room) = Room::against(&problem, &stray) else {
            break;
        };
        let nodes = plan.poses.len();
        (room.apart.into_iter()).for_each(|pair| search.working.part(pair, nodes));
        let first = problem.beside == 0.0;
        if room.beside {
            let least = BESIDE * gaps::largest_part(&problem.model);
            problem.beside = (HIGHER * problem.beside).max(least);
        }
        let mut other = match again(search, &problem, (&plan, guess), begin) {
            // There is no such room: the plan is what there is.
            Err(OptimiseError::Contradiction { .. }) => break,
            other => other?,
        };
        // Beside a planned contact there may be no room to keep; the first time those who meet are moved as well.
        let same = (other.objective - plan.objective).abs() <= 1e-12 * plan.objective.abs();
        if !other.status.is_usable() || (same && room.apart.is_none() && !first) {
            break;
        }
        other.objective_guess = plan.objective_guess;
        other.worst_guess = std::mem::take(&mut plan.worst_guess);
        plan = other;
    }
    Ok(plan)
}

/// The plan of a problem near another plan: from its multipliers, and without them where that leads nowhere.
fn again(
    search: &mut Search,
    problem: &Problem,
    (plan, guess): (&Plan, &Guess),
    begin: Instant,
) -> Result<Plan, OptimiseError> {
    let from = Guess {
        known: None,
        ..plan.to_guess()
    };
    let mut next = search.another(problem, &from);
    next.working = search.working.clone();
    next.guard = search.guard;
    if let Some(known) = &search.known {
        next.warm(known.clone(), search.working.clone());
        next.most = search.spent + WARM;
    }
    let mut found = next.run(&from)?;
    if !found.status.is_usable() && next.most < usize::MAX {
        next.most = usize::MAX;
        next.working = search.working.clone();
        next.restart();
        found = next.run(&from)?;
    }
    (search.spent, search.rounds) = (next.spent, next.rounds);
    if found.status.is_usable() {
        (search.known, search.working) = (next.known.clone(), next.working.clone());
    }
    Ok(finish(problem, &next, found, Vec::new(), guess, begin))
}

/// Where room is needed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Room {
    /// Between two that meet.
    apart: Option<Pair>,
    /// Below vertices beside planned contacts.
    beside: bool,
}

impl Room {
    /// What may help where a replay leaves its plan.
    fn against(problem: &Problem, stray: &Stray) -> Option<Self> {
        let spans = planned(problem);
        match *stray {
            Stray::Meets(pair, step) => {
                let own = |meeting: &Meeting| meeting.is_of(&problem.model, &pair);
                let mut own = spans.iter().filter(|(m, _)| own(m)).map(|(_, at)| at);
                // Steps that begin and end with their contact have no gap to widen.
                let held = own.clone().any(|[from, to]| *from <= step && step < *to);
                let beside = own.any(|[from, to]| *from <= step + 1 && step <= *to);
                let apart = (problem.avoid.is_some() && !held).then_some(pair);
                (beside || apart.is_some()).then_some(Self { apart, beside })
            }
            Stray::Leaves(node) => {
                let near = |[from, to]: [usize; 2]| from <= node && node <= to + 1;
                let beside = spans.iter().any(|(_, at)| near(*at));
                let apart = None;
                beside.then_some(Self { apart, beside })
            }
        }
    }
}

/// Contacts that are planned, with the first and the last node of each.
fn planned(problem: &Problem) -> Vec<(Meeting, [usize; 2])> {
    let impacts = impact::impacts(problem).into_iter();
    let impacts = impacts.flat_map(|(at, list)| list.iter().map(move |i| (i.between, [at; 2])));
    let closed = closed::spans(problem).into_iter();
    let closed = closed.map(|s| (s.closed.between, [s.from, s.to]));
    impacts.chain(closed).collect()
}
