//! Plans whose bodies turn far within a step, and which the simulator does not make so: on coarse grids the discrete
//! equations have solutions that belong to no motion, and searches are drawn to them. They begin again with rows that
//! keep rotations smaller.

use std::time::Instant;

use super::error::OptimiseError;
use super::finish::finish;
use super::foresee::{self, FAST_TURN};
use super::guess::Guess;
use super::plan::Plan;
use super::problem::Problem;
use super::replay::steps_agree;
use super::saddles::leave_saddles;
use super::search::Search;
use super::status::Status;

/// Largest rotations within a step, in rad, from search to search.
const LIMITS: [f64; 3] = [1.0, 0.7, 0.5];

/// The plan, or that of a slower motion where it is none that the simulator makes.
pub(crate) fn slow_down(
    search: &mut Search,
    mut plan: Plan,
    guess: &Guess,
    begin: Instant,
) -> Result<Plan, OptimiseError> {
    let problem = search.problem();
    if !is_wild(problem, &plan)? {
        return Ok(plan);
    }
    for most in LIMITS {
        if matches!(plan.status, Status::Stopped) || search.is_late() {
            break;
        }
        search.slow_down(most);
        let found = search.run(guess)?;
        let found = leave_saddles(search, found)?;
        let reasons = match found.status.is_usable() {
            true => Vec::new(),
            false => foresee::afterwards(problem, &found),
        };
        let mut next = finish(problem, search, found, reasons, guess, begin);
        if next.status.is_usable() && !is_wild(problem, &next)? {
            next.objective_guess = plan.objective_guess;
            next.worst_guess = plan.worst_guess;
            return Ok(next);
        }
        plan.iterations = next.iterations;
        plan.rounds = next.rounds;
        if matches!(next.status, Status::Stopped) {
            break;
        }
    }
    plan.seconds = begin.elapsed().as_secs_f64();
    Ok(plan)
}

/// Whether bodies turn so far within a step that it is no plan, or one whose steps the simulator makes otherwise.
fn is_wild(problem: &Problem, plan: &Plan) -> Result<bool, OptimiseError> {
    let (turn, _) = foresee::fastest_turn(&plan.poses);
    if turn <= FAST_TURN || matches!(plan.status, Status::Stopped) {
        return Ok(false);
    }
    Ok(!plan.status.is_usable() || !steps_agree(problem, plan)?)
}
