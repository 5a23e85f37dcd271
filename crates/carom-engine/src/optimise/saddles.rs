//! Saddles: where the objective falls to second order, a search goes on from a step down.

use super::error::OptimiseError;
use super::found::Found;
use super::search::Search;
use super::status::Status;

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

/// Follows negative curvature from saddles to a minimum.
pub(crate) fn leave_saddles(search: &mut Search, mut found: Found) -> Result<Found, OptimiseError> {
    let solver = search.solver();
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
