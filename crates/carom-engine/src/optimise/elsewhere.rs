//! Searches that lead nowhere from a guess that is not the user's own begin again elsewhere.
//!
//! A straight way may be the one place from which nothing leads on: a rover that must not slip cannot follow it sideways
//! at all, and every way round it is as good as its mirror image. Guesses moved by seeded random numbers are no better
//! than the first, but for that.

use std::time::Instant;

use super::error::OptimiseError;
use super::finish::finish;
use super::guess::Guess;
use super::plan::Plan;
use super::random::seeded;
use super::saddles::leave_saddles;
use super::search::Search;
use super::status::Status;

/// Searches from moved guesses at most, and iterations of each.
const SEARCHES: u64 = 2;
const FEW: usize = 300;

/// The plan, or that of another search where it is none. Where bodies are kept apart, other ways lead past each
/// other otherwise: what is to be tried there is said instead.
pub(crate) fn begin_again(
    search: &Search,
    mut plan: Plan,
    guess: &Guess,
    begin: Instant,
) -> Result<Plan, OptimiseError> {
    let problem = search.problem();
    let lost = |plan: &Plan| !plan.status.is_usable() && plan.status != Status::Stopped;
    if guess.known.is_some() || problem.avoid.is_some() {
        return Ok(plan);
    }
    let size = guess.room();
    for seed in 1..=SEARCHES {
        if !lost(&plan) || search.is_late() {
            break;
        }
        let moved = guess.perturbed(problem, size, seeded(seed));
        let mut other = search.another(problem, &moved);
        (other.spent, other.rounds) = (plan.iterations, plan.rounds);
        other.limit(FEW);
        let found = other.run(&moved)?;
        let found = leave_saddles(&mut other, found)?;
        let reached = finish(problem, &other, found, Vec::new(), guess, begin);
        let stopped = reached.status == Status::Stopped;
        (plan.iterations, plan.rounds) = (reached.iterations, reached.rounds);
        if !lost(&reached) && !stopped {
            let first = plan;
            plan = reached;
            plan.objective_guess = first.objective_guess;
            plan.worst_guess = first.worst_guess;
        } else if stopped {
            plan.status = Status::Stopped;
        }
    }
    plan.seconds = begin.elapsed().as_secs_f64();
    Ok(plan)
}
