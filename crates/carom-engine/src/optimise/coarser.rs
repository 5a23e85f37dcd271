//! Plans with contacts that are hard to find on a fine grid begin with those of a grid half as fine.

use super::error::OptimiseError;
use super::found::Found;
use super::guess::Guess;
use super::layout::{grid, node_times};
use super::problem::{Phase, Problem};
use super::search::Search;
use super::status::Status;

/// Iterations after which a search begins again from a coarser grid.
const SOON: usize = 250;

/// Least number of steps of a phase that is made coarser.
const FINE: usize = 12;

/// A search from a guess. Where contacts are planned and it does not end soon, it begins again with the plan of a grid
/// half as fine, if there is one.
pub(crate) fn run(search: &mut Search, guess: &Guess) -> Result<Found, OptimiseError> {
    let Some(coarse) = search.problem.coarser().filter(|_| search.known.is_none()) else {
        return search.run(guess);
    };
    search.most = search.spent + SOON;
    let found = search.run(guess)?;
    search.most = usize::MAX;
    if found.status.is_usable() || found.status == Status::Stopped {
        return Ok(found);
    }
    let times = node_times(
        grid(search.problem)
            .iter()
            .map(|s| s.base * guess.scales[s.phase]),
    );
    let from = guess.resampled(&coarse, &times)?;
    let mut half = search.another(&coarse, &from);
    let found = run(&mut half, &from)?;
    (search.spent, search.rounds) = (half.spent, half.rounds);
    if found.status == Status::Stopped {
        return Ok(Found {
            status: Status::Stopped,
            ..search.look(guess)?
        });
    }
    search.restart();
    if !found.status.is_usable() {
        return search.run(guess);
    }
    let times = node_times(found.steps.iter().copied());
    search.run(&found.guess().resampled(search.problem, &times)?)
}

impl Problem {
    /// The problem on a grid half as fine, if contacts are planned and there is one with the same phases.
    fn coarser(&self) -> Option<Self> {
        let fine = |p: &Phase| p.steps >= FINE;
        if !self.has_contacts() || !self.vias.is_empty() || !self.phases.iter().any(fine) {
            return None;
        }
        let mut out = self.clone();
        for phase in out.phases.iter_mut().filter(|p| fine(p)) {
            let steps = phase.steps.div_ceil(2);
            phase.step *= phase.steps as f64 / steps as f64;
            phase.steps = steps;
        }
        Some(out)
    }
}
