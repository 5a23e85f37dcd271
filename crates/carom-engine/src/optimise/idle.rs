//! Freedoms that stay as they are whatever the controls do: a drone that only pitches keeps its vertical plane.
//!
//! Their balances hold by themselves wherever everything else goes, and follow from those at the start. They are fixed
//! and have no rows: nothing is then dependent, and no search leaves for where nothing leads.

use super::assemble::assemble;
use super::draft::Draft;
use super::error::OptimiseError;
use super::family::Family;
use super::guess::Guess;
use super::path::Path;
use super::problem::{Problem, Scheme};
use super::random::random;
use super::rows::{Balance, freedom_name};
use super::steps::Operator;
use crate::model::Model;

/// How far everything else is moved, in rad, lengths and units of controls.
const ASIDE: f64 = 0.2;

/// Balances, in parts of what moving their own freedom aside would change, that count as none; the same for controls, in
/// parts of what they do elsewhere.
const NOTHING: f64 = 1e-11;

/// Distance from the start, in m and rad, that counts as none.
const NEAR: f64 = 1e-9;

/// Places that are looked at before a freedom counts as idle.
const LOOKS: usize = 3;

/// Which freedoms are idle around a guess. They are where the guess has them.
pub(crate) fn idle(problem: &Problem, draft: &mut Draft) -> Vec<bool> {
    let layout = &draft.path.layout;
    let known = !may_push(problem)
        && layout.reactions.is_empty()
        && layout.sides.is_empty()
        && layout.parameters.is_empty()
        && (layout.motions.iter()).all(|m| m.unknowns.iter().all(Option::is_none));
    let mut idle = vec![false; layout.n];
    for (c, component) in layout.components.iter().enumerate() {
        for &f in &component.freedoms {
            let [low, high] = draft.bounds[layout.u(0, f)];
            idle[f] = known && layout.is_balanced(c, 0) && low == high;
        }
    }
    let mut random = random(0x9E37_79B9_7F4A_7C15);
    let mut looks = 0;
    while looks < LOOKS && idle.contains(&true) {
        looks = match drop_moved(draft, &mut idle, &mut random) {
            true => 0,
            false => looks + 1,
        };
    }
    draft.path.refresh(&draft.x, false);
    idle
}

/// Whether there is what pushes in some places only, or what moves on its own: contacts, fields, what users wrote.
fn may_push(problem: &Problem) -> bool {
    let forces = problem.model.forces();
    problem.scheme != Scheme::OneLayer
        || problem.has_contacts()
        || !problem.penalties.is_empty()
        || !forces.influences.is_empty()
        || !forces.user.is_empty()
        || !forces.solids.is_empty()
}

/// Why what is asked of idle freedoms cannot be: nothing moves them from where they start.
pub(crate) fn out_of_reach(problem: &Problem, guess: &Guess) -> Result<Vec<String>, OptimiseError> {
    let model = &*problem.model;
    let staying = vec![guess.poses[0].clone(); guess.poses.len()];
    let mut draft = assemble(problem, &Guess::of_poses(problem, staying))?;
    let asked = draft.bounds.clone();
    let layout = &draft.path.layout;
    let (n, nodes) = (layout.n, layout.nodes());
    let at: Vec<Vec<usize>> = (0..n)
        .map(|f| (0..nodes).map(|k| layout.u(k, f)).collect())
        .collect();
    let far = |k: usize| asked[k][0].max(-asked[k][1]);
    // A guess that begins elsewhere says nothing of the start.
    if at.iter().any(|own| far(own[0]) > NEAR) {
        return Ok(Vec::new());
    }
    at.iter().flatten().for_each(|&k| draft.x[k] = 0.0);
    let idle = idle(problem, &mut draft);
    let mut out = Vec::new();
    for f in (0..n).filter(|&f| idle[f]) {
        let Some(node) = (0..nodes).find(|&node| far(at[f][node]) > NEAR) else {
            continue;
        };
        out.push(told(model, f, [node, nodes - 1], far(at[f][node])));
    }
    Ok(out)
}

/// What is asked of an idle freedom, in words.
fn told(model: &Model, f: usize, [node, last]: [usize; 2], far: f64) -> String {
    let place = match node == last {
        true => "the goal".to_string(),
        false => format!("node {node}"),
    };
    format!(
        "nothing moves {}, but {place} asks for {far:.3} from its start: add a control, or leave it free there",
        freedom_name(model, f)
    )
}

/// The same before anything is put together.
pub(crate) fn idle_around(problem: &Problem, guess: &Guess) -> Result<Vec<bool>, OptimiseError> {
    Ok(idle(problem, &mut assemble(problem, guess)?))
}

/// What every freedom's momentum changes by where it moves aside within a step, M_ff a/h.
fn momenta(path: &Path) -> Vec<f64> {
    let layout = &path.layout;
    let steps = (0..layout.grid.len()).map(|step| path.h(step));
    let least = steps.fold(f64::INFINITY, f64::min);
    let mut out = vec![0.0_f64; layout.n];
    for node in [0, layout.grid.len() / 2, layout.grid.len()] {
        for (c, component) in layout.components.iter().enumerate() {
            let null = &path.nodes()[node].null[c];
            let heavy = path.operate(c, Operator::Mass, null);
            for (l, &f) in component.freedoms.iter().enumerate() {
                let mass = null.column(l).dot(&heavy.column(l));
                out[f] = out[f].max(mass * ASIDE / least);
            }
        }
    }
    out
}

/// Takes out what moves once all but the idle freedoms are moved at random; whether there was any.
fn drop_moved(draft: &mut Draft, idle: &mut [bool], random: &mut impl FnMut() -> f64) -> bool {
    let layout = &draft.path.layout;
    let (n, nodes) = (layout.n, layout.nodes());
    let mut x = draft.x.clone();
    let kept: Vec<usize> = (0..nodes)
        .flat_map(|k| (0..n).map(move |f| (k, f)))
        .filter(|&(_, f)| idle[f])
        .map(|(k, f)| layout.u(k, f))
        .collect();
    for (k, value) in x.iter_mut().enumerate() {
        let [low, high] = draft.bounds[k];
        let aside = ASIDE * random();
        if low < high {
            *value = (*value + aside).clamp(low, high);
        }
    }
    kept.iter().for_each(|&k| x[k] = draft.x[k]);
    let before: Vec<bool> = idle.to_vec();
    draft.path.refresh(&x, false);
    let path = &draft.path;
    let mut balance = Balance::new(&path.layout);
    let mut rows = vec![0.0; balance.ranges().len()];
    balance.values(path, &mut rows);
    let momenta = momenta(path);
    for (&(_, f), value) in balance.freedoms().iter().zip(&rows) {
        idle[f] &= value.abs() <= NOTHING * momenta[f];
    }
    // Controls count however small they are beside the rest.
    for (c, component) in path.layout.components.iter().enumerate() {
        for (t, &control) in component.controls.iter().enumerate() {
            let works = |step: usize| draft.bounds[path.layout.tau(step, control)] != [0.0; 2];
            if !(0..nodes - 1).any(works) {
                continue;
            }
            for node in path.nodes() {
                let column = node.input[c].row(t);
                let most = column.amax();
                for (&f, w) in component.freedoms.iter().zip(column.iter()) {
                    idle[f] &= w.abs() <= NOTHING * most;
                }
            }
        }
    }
    before != idle
}
