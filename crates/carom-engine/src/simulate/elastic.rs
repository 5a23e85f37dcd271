//! What elastic bodies ask of a run: steps that are short enough, contact by potentials.
//!
//! Newmark's scheme with β < γ/2 is stable for vibrations up to ω h = 1/√(γ/2 − β), and no vibration
//! of an elastic body is faster than that of its stiffest element on its own.

use super::{Integrator, Settings, SimulateError};
use crate::model::{Law, Model};

/// The longest stable step of a model's elastic bodies at rest, with the name of the one that sets
/// it; `None` without elastic bodies, or where every step is stable.
pub fn stable_step(model: &Model, integrator: &Integrator) -> Option<(f64, String)> {
    let Integrator::Newmark { beta, gamma } = *integrator else {
        return None;
    };
    let reserve = 0.5 * gamma - beta;
    if reserve <= 0.0 {
        return None;
    }
    let each = model.solids().iter().map(|s| (s.stiffest(), &s.name));
    let (squared, name) = each.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some((1.0 / (squared * reserve).sqrt(), name.clone()))
}

/// Refuses steps that are too long.
pub(super) fn check(model: &Model, settings: &Settings) -> Result<Option<f64>, SimulateError> {
    let found = stable_step(model, &settings.integrator);
    match found {
        Some((stable, body)) if settings.step > stable => Err(SimulateError::Unstable {
            step: settings.step,
            stable,
            body,
        }),
        found => Ok(found.map(|(step, _)| step)),
    }
}

/// Elastic bodies touch by potentials, or not at all.
pub(super) fn check_laws(model: &Model, law: Law) -> Result<(), SimulateError> {
    let rules = model.contact();
    let others = model.bodies().iter().filter(|b| b.shape.is_some());
    let others = others.map(|b| b.material.as_deref());
    let walls = rules.walls.iter().map(|w| w.material.as_deref());
    let solids = model.solids().iter().map(|s| s.contact_material.as_deref());
    let all: Vec<Option<&str>> = others.chain(walls).chain(solids).collect();
    for solid in model.solids() {
        // Alone it meets nothing but itself.
        if all.len() < 2 && !solid.meets_itself {
            continue;
        }
        for other in &all {
            let own = rules.between(solid.contact_material.as_deref(), *other);
            let own = own.law.unwrap_or(law);
            if !matches!(own, Law::None | Law::Potential { .. }) {
                return Err(SimulateError::Unsupported {
                    integrator: "this contact law",
                    reason: format!("the elastic body \"{}\" touches by potentials", solid.name),
                    fix: "take law = \"potential\" with a stiffness, for all or in a [surface.NAME] of its material",
                });
            }
        }
    }
    Ok(())
}

/// A failure of an elastic body, by its name and element.
pub(super) fn blame(
    model: &Model,
    poses: &[carom_gap::Pose],
    error: SimulateError,
) -> SimulateError {
    let SimulateError::NotFinite { time, body } = &error else {
        return error;
    };
    let node = model.find_body(body).map(|b| b.index());
    let solid = node.and_then(|k| model.solid_of(k));
    let finite = |k: &usize| poses[*k].position.iter().all(|c| c.is_finite());
    let of = |s: usize| {
        let solid = &model.solids()[s];
        let sound = solid.particles.clone().all(|k| finite(&k));
        (sound.then(|| solid.inverted(poses)).flatten(), solid)
    };
    let turned = solid.into_iter().chain(0..model.solids().len()).map(of);
    let mut turned = turned.filter_map(|(element, solid)| Some((element?, solid)));
    match (turned.next(), solid) {
        (Some((element, solid)), _) => SimulateError::Inverted {
            time: *time,
            body: solid.name.clone(),
            element,
        },
        (None, Some(s)) => SimulateError::NotFinite {
            time: *time,
            body: model.solids()[s].name.clone(),
        },
        _ => error,
    }
}
