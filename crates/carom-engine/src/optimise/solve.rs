//! Solves a problem: searches, saddles that are left, several starts.

use std::time::Instant;

use rayon::prelude::*;

use super::astray;
use super::avoid::WorkingSet;
use super::coarser;
use super::cornered;
use super::elsewhere;
use super::error::OptimiseError;
use super::finish::finish;
use super::foresee;
use super::guess::Guess;
use super::nlp::NlpSolver;
use super::plan::{Observer, Plan, Settings};
use super::problem::Problem;
use super::random::seeded;
use super::replay;
use super::saddles::leave_saddles;
use super::search::Search;
use super::sequence;
use super::slower;
use super::status::Status;
use super::validate::validate;

/// Solves a problem from a guess.
///
/// What cannot be is said before anything is solved; a saddle is left along its way down, at most three
/// times.
pub fn solve(
    problem: &Problem,
    guess: &Guess,
    settings: &Settings,
    solver: &dyn NlpSolver,
    observer: Option<Observer>,
) -> Result<Plan, OptimiseError> {
    let begin = Instant::now();
    validate(problem, guess)?;
    if let Some(sequences) = &problem.sequences {
        let one = |p: &Problem, g: &Guess, s: &Settings| solve(p, g, s, solver, None);
        return sequence::search(problem, sequences, settings, &one);
    }
    if !problem.penalties.is_empty() {
        return solve_stages(problem, guess, settings, solver, observer);
    }
    if settings.starts > 1 {
        return solve_several(problem, guess, settings, solver);
    }
    let mut search = Search::new(problem, guess, settings, solver, observer);
    if let Some(warm) = (guess.known.as_ref()).filter(|w| w.steps + 1 == guess.poses.len()) {
        search.warm(warm.known(), WorkingSet::stored(&problem.model, warm));
    }
    let mut reasons = foresee::reasons(problem, guess)?;
    let searched = reasons.is_empty();
    let mut found = match reasons.is_empty() {
        true if cornered::rubs(problem) => cornered::run(&mut search, guess)?,
        true => coarser::run(&mut search, guess)?,
        // Nothing to solve: the guess is all there is.
        false => search.look(guess)?,
    };
    if searched {
        found = leave_saddles(&mut search, found)?;
        if !found.status.is_usable() && found.status != Status::Stopped {
            reasons = foresee::afterwards(problem, &found);
        }
    }
    let mut plan = finish(problem, &search, found, reasons, guess, begin);
    if elsewhere::is_lost(&plan) && searched {
        plan = land_flat(&search, plan, guess, begin)?;
        if !elsewhere::is_lost(&plan) {
            return Ok(plan);
        }
        (search.spent, search.rounds) = (plan.iterations, plan.rounds);
    }
    if !problem.has_contacts() {
        if !searched {
            return Ok(plan);
        }
        let plan = slower::slow_down(&mut search, plan, guess, begin)?;
        return elsewhere::begin_again(&search, plan, guess, begin);
    }
    if searched && !cornered::rubs(problem) {
        plan = elsewhere::let_fall(&mut search, plan, guess, begin)?;
    }
    plan = astray::part(&mut search, plan, guess, begin)?;
    if searched {
        plan = slower::slow_down(&mut search, plan, guess, begin)?;
        if plan.status.is_usable() && !replay::agrees(problem, &plan)? {
            plan = land_flat(&search, plan, guess, begin)?;
        }
    }
    Ok(plan)
}

/// The plan, or one in which whole faces land that lie level at the guess: their vertices come down together, unless
/// something turns the body, and then perhaps by whips that only its grid knows of.
fn land_flat(
    search: &Search,
    plan: Plan,
    guess: &Guess,
    begin: Instant,
) -> Result<Plan, OptimiseError> {
    let Some(flat) = elsewhere::landing_flat(search.problem(), guess) else {
        return Ok(plan);
    };
    if search.is_late() {
        return Ok(plan);
    }
    let mut rest = *search.settings;
    rest.solver.max_seconds -= begin.elapsed().as_secs_f64();
    let mut landed = solve(&flat, guess, &rest, search.solver, search.observer.clone())?;
    landed.iterations += plan.iterations;
    landed.rounds += plan.rounds;
    Ok(elsewhere::better(plan, landed, begin))
}

/// Solves the problems of a continuation, each from the plan of the one before.
fn solve_stages(
    problem: &Problem,
    guess: &Guess,
    settings: &Settings,
    solver: &dyn NlpSolver,
    observer: Option<Observer>,
) -> Result<Plan, OptimiseError> {
    let begin = Instant::now();
    let mut from = guess.clone();
    let mut first: Option<Plan> = None;
    let mut last: Option<Plan> = None;
    for stage in problem.stages()? {
        let mut plan = solve(&stage, &from, settings, solver, observer.clone())?;
        if let Some(before) = &last {
            plan.iterations += before.iterations;
            plan.rounds += before.rounds;
        }
        if plan.status == Status::Stopped {
            last = Some(plan);
            break;
        }
        if plan.status.is_usable() || last.is_none() {
            from = Guess {
                known: None,
                ..plan.to_guess()
            };
        }
        first.get_or_insert_with(|| plan.clone());
        last = Some(plan);
    }
    // There is always the problem itself.
    let mut plan = last.ok_or_else(|| OptimiseError::Guess {
        what: "nothing to solve".into(),
    })?;
    if let Some(first) = first {
        plan.objective_guess = first.objective_guess;
        plan.worst_guess = first.worst_guess;
    }
    plan.guess = guess.clone();
    plan.seconds = begin.elapsed().as_secs_f64();
    Ok(plan)
}

/// Searches from several guesses on all cores; the best plan, with how all of them ended.
fn solve_several(
    problem: &Problem,
    guess: &Guess,
    settings: &Settings,
    solver: &dyn NlpSolver,
) -> Result<Plan, OptimiseError> {
    let one = Settings {
        starts: 1,
        ..*settings
    };
    let size = guess.room();
    let guesses: Vec<Guess> = (0..settings.starts as u64)
        .map(|seed| {
            if seed == 0 {
                return guess.clone();
            }
            guess.perturbed(problem, size, seeded(seed))
        })
        .collect();
    let mut plans = (guesses.par_iter())
        .map(|guess| solve(problem, guess, &one, solver, None))
        .collect::<Result<Vec<Plan>, _>>()?;
    // Plans that can be used first, then by their objective.
    plans.sort_by(|a, b| {
        let usable = |p: &Plan| !p.status.is_usable();
        (usable(a).cmp(&usable(b))).then(a.objective.total_cmp(&b.objective))
    });
    let ranked = (plans.iter())
        .map(|p| (p.status.clone(), p.objective))
        .collect();
    let mut best = plans.swap_remove(0);
    best.starts = ranked;
    Ok(best)
}
