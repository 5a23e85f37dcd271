//! From a problem and a guess to a transcription: the families of rows that every round has.

use std::sync::Arc;

use super::assemble::assemble;
use super::cost::Cost;
use super::draft::Draft;
use super::error::OptimiseError;
use super::guess::Guess;
use super::idle::idle;
use super::independent::drop_dependent;
use super::problem::Problem;
use super::rows::{Balance, Rates, Ratio, TotalTime};
use super::transcription::Transcription;

/// The transcription around a guess, without gap rows, and where to start. Of conditions that follow
/// from each other those numbered in `first` are kept.
pub(crate) fn transcribe(
    problem: &Problem,
    guess: &Guess,
    first: &[usize],
) -> Result<(Transcription, Vec<f64>), OptimiseError> {
    let mut draft = assemble(problem, guess)?;
    let idle = idle(problem, &mut draft);
    let layout = &draft.path.layout;
    for f in (0..layout.n).filter(|&f| idle[f]) {
        for index in (0..layout.nodes()).map(|node| layout.u(node, f)) {
            draft.bounds[index] = [draft.x[index]; 2];
        }
    }
    drop_dependent(&mut draft, first)?;
    let Draft {
        mut path,
        mut bounds,
        conditions,
        formulas,
        jumps,
        anchors,
        cones,
        slides,
        recurrences,
        mut x,
    } = draft;
    let cost = Arc::new(Cost::new(problem, &path.layout));
    let ratio = problem.per.map(|travel| Ratio {
        cost: Arc::clone(&cost),
        travel,
        unknown: path.layout.unknown(),
    });
    if let Some(ratio) = &ratio {
        path.refresh(&x, false);
        let distance = ratio.distance(&path);
        let apart = distance.abs() > 1e-9;
        x.push(cost.value(&path) / if apart { distance } else { 1.0 });
        bounds.push([f64::NEG_INFINITY, f64::INFINITY]);
    }
    let balance = Balance::new(&path.layout).without(&idle);
    let minimised = ratio.as_ref().map(|r| r.unknown);
    let mut out = Transcription::new(path, bounds, cost, minimised);
    // The list of families that every round has.
    out.add(balance);
    out.add(conditions);
    if !formulas.rows.is_empty() {
        out.add(formulas);
    }
    if !out.path.layout.sides.is_empty() {
        let rates = Rates::new(&out.path.layout);
        out.add(rates);
    }
    if !jumps.rows.is_empty() {
        out.add(jumps);
    }
    if !recurrences.rows.is_empty() {
        out.add(recurrences);
    }
    if !anchors.rows.is_empty() {
        out.add(anchors);
    }
    if !cones.rows.is_empty() {
        out.add(cones);
    }
    if !slides.rows.is_empty() {
        out.add(slides);
    }
    if let Some(range) = problem.total_time {
        out.add(TotalTime { range });
    }
    if let Some(ratio) = ratio {
        out.add(ratio);
    }
    Ok((out, x))
}
