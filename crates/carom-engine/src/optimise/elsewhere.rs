//! Searches that lead nowhere begin again elsewhere.
//!
//! A straight way may be the one place from which nothing leads on: a rover that must not slip cannot follow it sideways
//! at all, and every way round it is as good as its mirror image. Guesses moved by seeded random numbers are no better
//! than the first, but for that.

use std::time::Instant;

use super::error::OptimiseError;
use super::finish::finish;
use super::flat;
use super::guess::Guess;
use super::meeting::Transition;
use super::plan::Plan;
use super::problem::Problem;
use super::random::seeded;
use super::saddles::leave_saddles;
use super::search::Search;
use super::status::Status;

/// Searches from moved guesses at most, and iterations of each.
const SEARCHES: u64 = 2;
const FEW: usize = 300;

/// Whether there is no plan, and none that was stopped.
pub(crate) fn is_lost(plan: &Plan) -> bool {
    !plan.status.is_usable() && plan.status != Status::Stopped
}

/// The plan, or where it is none that of a search from the motion the simulator makes without controls: bodies that are to
/// land later, and whose straight way stays on the ground, come off it there.
pub(crate) fn let_fall(
    search: &mut Search,
    plan: Plan,
    guess: &Guess,
    begin: Instant,
) -> Result<Plan, OptimiseError> {
    let problem = search.problem();
    if !is_lost(&plan) || guess.known.is_some() || search.is_late() {
        return Ok(plan);
    }
    // What the simulator cannot make is no guess.
    let Ok(fallen) = Guess::simulate(problem, &[]) else {
        return Ok(plan);
    };
    let mut other = search.another(problem, &fallen);
    other.limit(FEW);
    let found = other.run(&fallen)?;
    let found = leave_saddles(&mut other, found)?;
    (search.spent, search.rounds) = (other.spent, other.rounds);
    let reached = finish(problem, &other, found, Vec::new(), guess, begin);
    if reached.status.is_usable() {
        (search.known, search.working) = (other.known, other.working);
    }
    Ok(better(plan, reached, begin))
}

/// The problem in which what meets by a face that lies level at the guess meets by the whole of it; none if nothing does.
pub(crate) fn landing_flat(problem: &Problem, guess: &Guess) -> Option<Problem> {
    let mut out = problem.clone();
    let mut node = 0;
    let mut found = false;
    for phase in &mut out.phases {
        node += phase.steps;
        let Transition::Impact(list) = &mut phase.ends else {
            continue;
        };
        for impact in list.iter_mut().filter(|i| !i.flat) {
            impact.flat = flat::is_level(&problem.model, &impact.between, &guess.poses[node]);
            found |= impact.flat;
        }
    }
    found.then_some(out)
}

/// The first plan, or another one where that leads somewhere, with what both took.
pub(crate) fn better(mut first: Plan, reached: Plan, begin: Instant) -> Plan {
    (first.iterations, first.rounds) = (reached.iterations, reached.rounds);
    if reached.status.is_usable() {
        let before = first;
        first = reached;
        first.objective_guess = before.objective_guess;
        first.worst_guess = before.worst_guess;
    } else if reached.status == Status::Stopped {
        first.status = Status::Stopped;
    }
    first.seconds = begin.elapsed().as_secs_f64();
    first
}

/// The plan, or that of another search where it is none. Where bodies are kept apart, other ways lead past each
/// other otherwise: what is to be tried there is said instead.
pub(crate) fn begin_again(
    search: &Search,
    mut plan: Plan,
    guess: &Guess,
    begin: Instant,
) -> Result<Plan, OptimiseError> {
    let problem = search.problem();
    if guess.known.is_some() || problem.avoid.is_some() {
        return Ok(plan);
    }
    let size = guess.room();
    for seed in 1..=SEARCHES {
        if !is_lost(&plan) || search.is_late() {
            break;
        }
        let moved = guess.perturbed(problem, size, seeded(seed));
        let mut other = search.another(problem, &moved);
        (other.spent, other.rounds) = (plan.iterations, plan.rounds);
        other.limit(FEW);
        let found = other.run(&moved)?;
        let found = leave_saddles(&mut other, found)?;
        let reached = finish(problem, &other, found, Vec::new(), guess, begin);
        plan = better(plan, reached, begin);
    }
    plan.seconds = begin.elapsed().as_secs_f64();
    Ok(plan)
}
