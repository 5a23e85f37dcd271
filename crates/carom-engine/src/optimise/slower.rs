//! Plans whose bodies turn far within a step, and which the simulator does not make so: on coarse grids the discrete
//! equations have solutions that belong to no motion, and searches are drawn to them. They begin again with rows that
//! keep rotations smaller.

use std::time::Instant;

use super::astray;
use super::cornered;
use super::error::OptimiseError;
use super::finish::finish;
use super::foresee::{self, FAST_TURN};
use super::guess::Guess;
use super::plan::Plan;
use super::problem::Problem;
use super::replay;
use super::saddles::leave_saddles;
use super::search::Search;
use super::status::Status;

/// Largest rotations within a step, in rad, from search to search.
const LIMITS: [f64; 5] = [1.0, 0.7, 0.5, 0.35, 0.25];

/// Rotation within a step, in rad, from which on the simulator may go another way.
const TURN: f64 = 0.3;

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
    let (turn, _) = foresee::fastest_turn(&plan.poses);
    // Where there is no plan at all, the smallest limits have never led to one.
    let tried = if plan.status.is_usable() { 5 } else { 3 };
    for most in LIMITS.into_iter().take(tried).filter(|m| *m < turn) {
        if matches!(plan.status, Status::Stopped) || search.is_late() {
            break;
        }
        search.slow_down(most);
        let found = match cornered::rubs(problem) {
            true => cornered::run(search, guess)?,
            false => search.run(guess)?,
        };
        let found = leave_saddles(search, found)?;
        let reasons = match found.status.is_usable() {
            true => Vec::new(),
            false => foresee::afterwards(problem, &found),
        };
        let mut next = finish(problem, search, found, reasons, guess, begin);
        if problem.has_contacts() {
            next = astray::part(search, next, guess, begin)?;
        }
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

/// Whether bodies turn so far within a step that it is no plan, or one that the simulator does not follow: single steps
/// may agree while the whole does not, as there is more than one way to go on from a node.
fn is_wild(problem: &Problem, plan: &Plan) -> Result<bool, OptimiseError> {
    let (turn, _) = foresee::fastest_turn(&plan.poses);
    Ok(match &plan.status {
        Status::Stopped => false,
        status if status.is_usable() => turn > TURN && !replay::agrees(problem, plan)?,
        _ => turn > FAST_TURN,
    })
}
