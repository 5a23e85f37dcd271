//! Which contacts to use: a search over sequences of impacts.
//!
//! Sequences are enumerated, shortest first. Each is planned on a coarse grid without avoidance, a cheap
//! relaxation: where that has no plan the sequence is dropped. The others are planned in full, the cheapest
//! first, until what is left costs more on its coarse grid than the best plan so far by more than the
//! grid explains.

use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;

use super::error::OptimiseError;
use super::feature::Feature;
use super::guess::{Guess, Place, Way};
use super::layout::node_times;
use super::meeting::{Impact, Meeting, Sequences, Transition};
use super::plan::{Candidate, Plan, Settings};
use super::problem::{Phase, Problem};
use super::reach;
use super::status::Status;
use crate::mechanics::{coordinate_count, coordinate_starts};
use crate::model::{BodyId, Model};

/// How a problem is solved from a guess.
type Solve<'a> = &'a (dyn Fn(&Problem, &Guess, &Settings) -> Result<Plan, OptimiseError> + Sync);

/// Coarse costs beyond this many times the best plan's are not planned in full: what the coarse grid may
/// overestimate.
const WORSE: f64 = 2.0;
/// Least time scale of the phases of a sequence, in equal parts of the whole.
const SHORTEST: f64 = 0.05;
/// Most sequences that are looked at.
const MOST: usize = 5000;
/// Iterations on a coarse grid.
const COARSE_ITERATIONS: usize = 200;

impl Problem {
    /// The problem with the impacts of a sequence, on the grid of its only phase or a coarse one.
    fn through(&self, sequences: &Sequences, order: &[usize], coarse: bool) -> Self {
        let whole = &self.phases[0];
        let parts = order.len() + 1;
        let steps = match coarse {
            true => sequences.coarse_steps,
            false => whole.steps.div_ceil(parts).max(2),
        };
        let step = whole.step * whole.steps as f64 / (parts * steps) as f64;
        let longest = whole.time_scale[1].max(1.0) * parts as f64;
        let phases = (0..parts).map(|k| Phase {
            steps,
            step,
            time_scale: match parts {
                1 => whole.time_scale,
                _ => [SHORTEST, longest],
            },
            ends: match order.get(k) {
                Some(&c) => Transition::Impact(vec![sequences.contacts[c]]),
                None => Transition::Smooth,
            },
            ..whole.clone()
        });
        let length = whole.step * whole.steps as f64;
        Self {
            phases: phases.collect(),
            sequences: None,
            total_time: self
                .total_time
                .or(Some(whole.time_scale.map(|s| s * length))),
            avoid: if coarse { None } else { self.avoid.clone() },
            ..self.clone()
        }
    }

    /// The problem that a plan belongs to: with the contacts it chose, if there was a choice.
    pub fn chosen(&self, plan: &Plan) -> Self {
        match (&self.sequences, plan.sequences.first()) {
            (Some(sequences), Some(best)) => self.through(sequences, &best.sequence, false),
            _ => self.clone(),
        }
    }
}

/// All sequences, shortest first.
fn all(choices: usize, most: usize) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new()];
    let mut first = 0;
    for _ in 0..most {
        let end = out.len();
        for k in first..end {
            for c in 0..choices {
                let mut longer: Vec<usize> = out[k].clone();
                longer.push(c);
                out.push(longer);
            }
        }
        first = end;
    }
    out.truncate(MOST);
    out
}

/// Who meets, in words.
fn name(model: &Model, meeting: &Meeting) -> String {
    let body = |b: BodyId| model.body(b).name.clone();
    match *meeting {
        Meeting::Bodies(a, b) => format!("{} on {}", body(a), body(b)),
        Meeting::Wall(a, w) => format!("{} on {}", body(a), model.contact().walls[w].name),
        Meeting::Limit { joint, upper, .. } => {
            let place = model.find_joint(joint);
            let name = place.map_or("", |p| model.joints()[p].name.as_str());
            format!("{} limit of {name}", if upper { "upper" } else { "lower" })
        }
    }
}

/// A way from start to goal that touches where a sequence asks for it: the body that meets is moved to
/// what it meets along its normal.
fn guess(problem: &Problem, order: &[Impact]) -> Result<Guess, OptimiseError> {
    let model = &problem.model;
    let start = Way::start(model, 0);
    let mut end = reach::goal(problem, &start)?;
    let steps = problem.phases[0].steps;
    end.node = steps * (order.len() + 1);
    let straight = Guess::through(problem, &[start.clone(), end.clone()])?;
    let mut ways = vec![start.clone()];
    for (k, impact) in order.iter().enumerate() {
        let node = steps * (k + 1);
        let poses = &straight.poses[node];
        let mut way = way_at(
            model,
            node,
            [&start, &end],
            (k + 1) as f64 / (order.len() + 1) as f64,
        );
        if let Meeting::Wall(body, _) | Meeting::Bodies(body, _) = impact.between {
            let feature = Feature::find(model, &impact.between, poses)?;
            let q: Vec<f64> = (model.bodies().iter().zip(poses))
                .flat_map(|(b, p)| p.to_q().into_iter().take(coordinate_count(&b.kind)))
                .collect();
            let first = coordinate_starts(model)[body.index()];
            let mut normal = nalgebra::Vector3::zeros();
            feature.gap.gradient(&q, |i, v| {
                if (first..first + 3).contains(&i) {
                    normal[i - first] += v;
                }
            });
            let gap = feature.gap.value(&q);
            let joint = model.joints().iter().position(|j| j.child == body);
            if let Some(Place::Free(position, _)) = joint.map(|j| &mut way.places[j]) {
                *position -= normal * gap;
            }
        }
        ways.push(way);
    }
    ways.push(end);
    Guess::through(problem, &ways)
}

/// A way between two, joint by joint.
fn way_at(model: &Model, node: usize, [from, to]: [&Way; 2], s: f64) -> Way {
    let mut out = from.clone();
    out.node = node;
    let places = (from.places.iter().zip(&to.places)).zip(&mut out.places);
    for ((a, b), place) in places.take(model.joints().len()) {
        *place = match (a, b) {
            (Place::Free(p, r), Place::Free(x, y)) => Place::Free(p.lerp(x, s), r.lerp(y, s)),
            (Place::Turned(r), Place::Turned(y)) => Place::Turned(r.lerp(y, s)),
            (Place::Coordinates(u), Place::Coordinates(v)) => {
                let mean = |(a, b): (&f64, &f64)| a + s * (b - a);
                Place::Coordinates(u.iter().zip(v).map(mean).collect())
            }
            (a, _) => a.clone(),
        };
    }
    out
}

/// Plans a sequence on a grid; from another plan of it if there is one.
fn attempt(
    problem: &Problem,
    order: &[Impact],
    from: Option<&Plan>,
    settings: &Settings,
    solve: Solve,
) -> Result<Plan, OptimiseError> {
    if let Some(coarse) = from {
        let times = node_times(coarse.steps.iter().copied());
        let begin = Guess {
            known: None,
            ..coarse.to_guess()
        };
        let plan = solve(problem, &begin.resampled(problem, &times)?, settings)?;
        if plan.status.is_usable() {
            return Ok(plan);
        }
    }
    solve(problem, &guess(problem, order)?, settings)
}

/// Finds the sequence of contacts with the best plan.
pub(crate) fn search(
    problem: &Problem,
    sequences: &Sequences,
    settings: &Settings,
    solve: Solve,
) -> Result<Plan, OptimiseError> {
    let begin = Instant::now();
    if problem.phases.len() != 1 || sequences.contacts.is_empty() || sequences.coarse_steps < 2 {
        return Err(OptimiseError::Invalid {
            what: "a search over contacts needs one phase, contacts to choose from and coarse_steps".into(),
            fix: "write one [[phase]] for the whole motion and sequences = { contacts = [...], most = 3 }".into(),
        });
    }
    let model = Arc::clone(&problem.model);
    let orders = all(sequences.contacts.len(), sequences.most);
    let mut quick = *settings;
    quick.starts = 1;
    quick.solver.max_iterations = quick.solver.max_iterations.min(COARSE_ITERATIONS);
    let impacts =
        |order: &[usize]| -> Vec<Impact> { order.iter().map(|&c| sequences.contacts[c]).collect() };
    // The relaxations, side by side.
    let mut found: Vec<(Candidate, Option<Plan>)> = (orders.par_iter())
        .map(|order| {
            let coarse = problem.through(sequences, order, true);
            let own = impacts(order);
            let plan = attempt(&coarse, &own, None, &quick, solve);
            let mut candidate = Candidate {
                contacts: own.iter().map(|i| name(&model, &i.between)).collect(),
                sequence: order.clone(),
                coarse: None,
                objective: None,
                outcome: String::new(),
            };
            match plan {
                Ok(plan) if plan.status.is_usable() || plan.status == Status::Saddle => {
                    candidate.coarse = Some(plan.objective);
                    (candidate, Some(plan))
                }
                Ok(plan) => {
                    candidate.outcome =
                        format!("no plan on the coarse grid: {}", plan.status.name());
                    (candidate, None)
                }
                Err(e) => {
                    candidate.outcome = format!("no plan on the coarse grid: {e}");
                    (candidate, None)
                }
            }
        })
        .collect();
    let cost = |c: &Candidate| c.coarse.unwrap_or(f64::INFINITY);
    found.sort_by(|a, b| cost(&a.0).total_cmp(&cost(&b.0)));
    let mut best: Option<(f64, Plan)> = None;
    let mut fallback: Option<Plan> = None;
    for (candidate, coarse) in &mut found {
        let Some(coarse) = coarse else { continue };
        if best
            .as_ref()
            .is_some_and(|(b, _)| cost(candidate) > WORSE * b)
        {
            candidate.outcome = "left out: too costly on the coarse grid".into();
            continue;
        }
        let whole = problem.through(sequences, &candidate.sequence, false);
        let one = Settings {
            starts: 1,
            ..*settings
        };
        let own = impacts(&candidate.sequence);
        let plan = attempt(&whole, &own, Some(coarse), &one, solve)?;
        candidate.outcome = plan.status.name().into();
        if plan.status.is_usable() {
            candidate.objective = Some(plan.objective);
            if best.as_ref().is_none_or(|(b, _)| plan.objective < *b) {
                best = Some((plan.objective, plan));
            }
        } else {
            fallback.get_or_insert(plan);
        }
    }
    let value = |c: &Candidate| c.objective.unwrap_or(f64::INFINITY);
    let mut table: Vec<Candidate> = found.into_iter().map(|(c, _)| c).collect();
    table.sort_by(|a, b| (value(a).total_cmp(&value(b))).then(cost(a).total_cmp(&cost(b))));
    let plan = match best {
        Some((_, plan)) => Some(plan),
        None => fallback,
    };
    let mut plan = match plan {
        Some(plan) => plan,
        None => {
            // Nothing may be touched, and no plan either: why, says the plan without contacts.
            let free = problem.through(sequences, &[], false);
            let mut plan = solve(&free, &guess(&free, &[])?, settings)?;
            if plan.status.is_usable() {
                plan.status = Status::Infeasible;
            }
            table.retain(|c| !c.sequence.is_empty());
            plan
        }
    };
    plan.sequences = table;
    plan.seconds = begin.elapsed().as_secs_f64();
    Ok(plan)
}
