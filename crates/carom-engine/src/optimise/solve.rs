//! Solves a problem: searches, saddles that are left, several starts.

use std::time::Instant;

use carom_gap::Pose;
use rayon::prelude::*;

use super::astray;
use super::avoid::WorkingSet;
use super::coarser;
use super::cornered;
use super::error::OptimiseError;
use super::finish::finish;
use super::foresee;
use super::found::Found;
use super::guess::Guess;
use super::nlp::NlpSolver;
use super::plan::{Observer, Plan, Settings};
use super::problem::Problem;
use super::random::random;
use super::search::Search;
use super::sequence;
use super::status::Status;
use super::validate::validate;

/// How often a saddle is left at most, and how far a step from it goes, in sizes of the unknowns.
const MOST_SADDLES: usize = 3;
const STEP_DOWN: f64 = 0.25;

/// Difference of objectives, relative, that counts as none: products of slacks and multipliers leave as much.
const FLAT: f64 = 1e-7;

/// Largest distance of a body in two plans.
fn farthest(a: &Found, b: &Found) -> f64 {
    let nodes = a.poses.iter().flatten().zip(b.poses.iter().flatten());
    let apart = nodes.map(|(a, b)| (a.position - b.position).norm());
    apart.fold(0.0, f64::max)
}

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
    let mut found = match reasons.is_empty() {
        true if cornered::rubs(problem) => cornered::run(&mut search, guess)?,
        true => coarser::run(&mut search, guess)?,
        // Nothing to solve: the guess is all there is.
        false => search.look(guess)?,
    };
    if reasons.is_empty() {
        found = leave_saddles(&mut search, found, solver)?;
        if !found.status.is_usable() && found.status != Status::Stopped {
            reasons = foresee::afterwards(problem, &found);
        }
    }
    let mut plan = finish(problem, &search, found, reasons, guess, begin);
    if problem.has_contacts() {
        plan = astray::part(&mut search, plan, guess, begin)?;
    }
    Ok(plan)
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

/// Follows negative curvature from saddles to a minimum.
fn leave_saddles(
    search: &mut Search,
    mut found: Found,
    solver: &dyn NlpSolver,
) -> Result<Found, OptimiseError> {
    for _ in 0..MOST_SADDLES {
        if !found.status.is_usable() {
            return Ok(found);
        }
        let Some((count, down)) = found.descent(solver, STEP_DOWN) else {
            return Ok(found);
        };
        found.optimality.negative_curvatures = count;
        let (known, working) = (search.known.clone(), search.working.clone());
        search.restart();
        let other = search.run(&down)?;
        let better = other.status.is_usable()
            && other.objective < found.objective - 1e-9 * found.objective.abs();
        // Another plan beside it that costs the same: the way is flat, not down.
        let same = (other.objective - found.objective).abs() <= FLAT * found.objective.abs();
        if !better
            && other.status.is_usable()
            && same
            && farthest(&found, &other) > search.size().length * 1e-3
        {
            (search.known, search.working) = (known, working);
            found.optimality.negative_curvatures = 0;
            return Ok(found);
        }
        if !better {
            let stopped = other.status == Status::Stopped;
            (search.known, search.working) = (known, working);
            found.status = if stopped {
                Status::Stopped
            } else {
                Status::Saddle
            };
            return Ok(found);
        }
        let (objective, worst) = (
            found.objective_start,
            std::mem::take(&mut found.worst_start),
        );
        found = other;
        (found.objective_start, found.worst_start) = (objective, worst);
    }
    if let Some((count, _)) = found.descent(solver, STEP_DOWN) {
        found.optimality.negative_curvatures = count;
        found.status = Status::Saddle;
    }
    Ok(found)
}

/// How far the guesses of further searches are moved, in rad and in parts of the farthest way.
const MOVED: f64 = 0.15;

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
    let way = |a: &Pose, b: &Pose| (b.position - a.position).norm();
    let ends = guess.poses[0]
        .iter()
        .zip(&guess.poses[guess.poses.len() - 1]);
    let farthest = ends.map(|(a, b)| way(a, b)).fold(0.0, f64::max);
    let size = MOVED
        * if farthest > 0.0 {
            farthest.min(1.0)
        } else {
            1.0
        };
    let guesses: Vec<Guess> = (0..settings.starts as u64)
        .map(|seed| {
            if seed == 0 {
                return guess.clone();
            }
            let random = random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            guess.perturbed(problem, size, random)
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
