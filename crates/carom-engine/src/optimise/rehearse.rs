//! The simulator with planned impacts: its model with the restitutions of the plan, and a forward
//! simulation as a guess, whose collisions propose when the phases end.

use std::sync::Arc;

use super::closed::{changes, spans};
use super::error::OptimiseError;
use super::guess::Guess;
use super::impact::impacts;
use super::meeting::{Meeting, Touch, Transition};
use super::problem::Problem;
use crate::model::{Law, Material, Model, Release, Surface};
use crate::simulate::{ContactEvent, ContactKind, Settings, Simulation};

/// Settings of a simulation that runs a plan: exact impacts where some are planned.
pub(crate) fn settings(problem: &Problem, step: f64) -> Settings {
    let law = match problem.has_contacts() {
        false => Law::None,
        true => Law::EXACT,
    };
    Settings {
        law,
        rest_speed: (law != Law::None).then_some(0.0),
        ..Settings::with_step(step)
    }
}

/// The model with the restitutions of the planned impacts, and joints where contacts close.
pub(crate) fn model(problem: &Problem) -> Arc<Model> {
    let mut said: Vec<(Meeting, f64, Option<Law>)> = (impacts(problem).into_iter())
        .flat_map(|(_, list)| list.iter().map(|i| (i.between, i.restitution, None)))
        .collect();
    for span in spans(problem) {
        let law = Law::Plastic {
            hold: span.closed.hold,
            release: Release::Plain,
        };
        said.push((span.closed.between, 0.0, Some(law)));
    }
    if said.is_empty() {
        return Arc::clone(&problem.model);
    }
    let mut out = Model::clone(&problem.model);
    let rules = problem.model.contact();
    // A material for every body and wall of its own, and what happens between any two of them.
    let bodies = problem.model.bodies().iter().map(|b| b.material.clone());
    let walls = rules.walls.iter().map(|w| w.material.clone());
    let before: Vec<Option<String>> = bodies.chain(walls).collect();
    let first_wall = problem.model.bodies().len();
    let name = |k: usize| format!("{k}");
    out.contact.materials = (before.iter().enumerate())
        .map(|(k, m)| Material {
            name: name(k),
            ..rules.material(m.as_deref()).clone()
        })
        .collect();
    for (k, b) in out.bodies.iter_mut().enumerate() {
        b.material = Some(name(k));
        b.part_materials.clear();
    }
    for (k, w) in out.contact.walls.iter_mut().enumerate() {
        w.material = Some(name(first_wall + k));
    }
    out.contact.surfaces.clear();
    for (i, a) in before.iter().enumerate() {
        for (j, b) in before.iter().enumerate().take(i + 1) {
            let mut touching = rules.between(a.as_deref(), b.as_deref());
            for (meeting, e, law) in &said {
                let met = match meeting {
                    Meeting::Bodies(x, y) => Some([x.index(), y.index()]),
                    Meeting::Wall(x, wall) => Some([x.index(), first_wall + wall]),
                    Meeting::Limit { .. } => None,
                };
                if met.is_some_and(|m| m == [i, j] || m == [j, i]) {
                    touching.restitution = *e;
                    touching.law = law.or(touching.law);
                }
            }
            out.contact.surfaces.push(Surface {
                materials: [name(i), name(j)],
                restitution: Some(touching.restitution),
                friction: Some(touching.friction),
                law: touching.law,
            });
        }
    }
    for (meeting, e, _) in said {
        if let Meeting::Limit { .. } = meeting {
            out.contact.default.restitution = e;
        }
    }
    Arc::new(out)
}

/// What the simulator calls it.
pub(crate) fn kind(touch: Touch) -> ContactKind {
    match touch {
        Touch::Impact | Touch::Stick => ContactKind::Impact,
        Touch::Release => ContactKind::Release,
    }
}

/// What a phase waits for: impacts, contacts that close, contacts that are let go.
fn awaited(problem: &Problem, phase: usize) -> Vec<(Meeting, Touch)> {
    let mut out = changes(problem, phase);
    if let Transition::Impact(list) = &problem.phases[phase].ends {
        out.extend(list.iter().map(|i| (i.between, Touch::Impact)));
    }
    out
}

/// Whether an event is a meeting that was planned.
pub(crate) fn is_meant(
    model: &Model,
    meeting: &Meeting,
    touch: Touch,
    event: &ContactEvent,
) -> bool {
    event.kind == kind(touch) && meeting.is_of(model, &event.pair)
}

/// A forward simulation with contacts as a guess: every phase that ends in an impact, or where a
/// contact closes or is let go, lasts as long as the simulation takes to get there, within the bounds of its time scale.
pub(crate) fn simulate(problem: &Problem, controls: &[Vec<f64>]) -> Result<Guess, OptimiseError> {
    let fault = |e: &dyn std::fmt::Display| OptimiseError::Guess {
        what: format!("the simulation failed: {e}"),
    };
    let steps: usize = problem.phases.iter().map(|p| p.steps).sum();
    let mut guess = Guess::of_poses(problem, vec![Vec::new(); steps + 1]);
    let model = model(problem);
    let settings = settings(problem, problem.phases[0].step);
    let mut simulation = Simulation::new(Arc::clone(&model), settings).map_err(|e| fault(&e))?;
    guess.poses[0].clone_from(&simulation.state().poses);
    let mut node = 0;
    let mut spent = 0.0;
    for (p, phase) in problem.phases.iter().enumerate() {
        let tau = |k: usize| controls.get(k).or(controls.last());
        let [low, high] = phase.time_scale;
        let length = phase.steps as f64 * phase.step;
        let mut scale = 1.0_f64.clamp(low, high);
        let list = awaited(problem, p);
        if !list.is_empty() {
            // How long until that happens?
            let state = simulation.snapshot();
            let begin = state.time;
            let mut ahead = Simulation::from_state(Arc::clone(&model), settings, state)
                .map_err(|e| fault(&e))?;
            let zero = vec![0.0; model.controls()];
            let mut seen = 0;
            'ahead: while ahead.time() - begin < high * length {
                let k =
                    node + (((ahead.time() - begin) / phase.step) as usize).min(phase.steps - 1);
                if ahead
                    .step_with(phase.step, tau(k).unwrap_or(&zero))
                    .is_err()
                {
                    break;
                }
                for event in &ahead.events()[seen..] {
                    if list
                        .iter()
                        .any(|(who, what)| is_meant(&model, who, *what, event))
                    {
                        let time = event.time - begin;
                        if time > 1e-9 * length {
                            scale = (time / length).clamp(low, high);
                            break 'ahead;
                        }
                    }
                }
                seen = ahead.events().len();
            }
        } else if let (true, Some([least, most])) =
            (p + 1 == problem.phases.len(), problem.total_time)
        {
            // What is left of the whole.
            let left = [least - spent, most - spent].map(|t| t / length);
            scale = scale.clamp(left[0].min(left[1]), left[1].max(left[0]));
            scale = scale.clamp(low, high);
        }
        guess.scales[p] = scale;
        spent += scale * length;
        for _ in 0..phase.steps {
            if let Some(tau) = tau(node) {
                guess.controls[node].clone_from(tau);
            }
            let done = simulation.step_with(scale * phase.step, &guess.controls[node]);
            done.map_err(|e| fault(&e))?;
            node += 1;
            guess.poses[node].clone_from(&simulation.state().poses);
        }
    }
    Ok(guess)
}
