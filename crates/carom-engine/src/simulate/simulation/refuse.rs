//! What runs are refused for before they begin.

use crate::contact::JumpRule;
use crate::model::{EnergyCondition, JumpForm, Law, Model};
use crate::simulate::{Settings, SimulateError};

/// All laws of a model: those of its surfaces, and the one of all others.
fn laws(model: &Model, law: Law) -> impl Iterator<Item = Law> {
    let surfaces = model.contact().surfaces.iter().filter_map(|s| s.law);
    surfaces.chain([law])
}

/// Bodies whose motion is given are not known to the papers' own jumps.
pub(super) fn check_given(model: &Model, settings: &Settings) -> Result<(), SimulateError> {
    let Some(body) = model.bodies().iter().find(|b| b.motion.is_some()) else {
        return Ok(());
    };
    let refuse = |integrator, fix| {
        Err(SimulateError::Unsupported {
            integrator,
            reason: format!("the motion of \"{}\" is given", body.name),
            fix,
        })
    };
    let papers = |l: &Law| {
        matches!(l, Law::Exact { condition, form }
            if *condition == EnergyCondition::Discrete || *form == JumpForm::NullSpace)
    };
    if settings.rule != JumpRule::Poisson || laws(model, settings.law).any(|l| papers(&l)) {
        return refuse("this jump", "use simultaneous = \"poisson\"");
    }
    Ok(())
}

/// Dry friction in joints is solved with the impulses of contacts, which contact potentials know not.
pub(super) fn check_friction(model: &Model, law: Law) -> Result<(), SimulateError> {
    let mut dry = (model.joint_laws().iter()).filter(|l| l.physics.friction > 0.0);
    let soft = laws(model, law).any(|l| matches!(l, Law::Potential { .. }));
    match dry.next().filter(|_| soft) {
        None => Ok(()),
        Some(law) => Err(SimulateError::Unsupported {
            integrator: "the contact potential",
            reason: format!("joint \"{}\" has dry friction", law.name),
            fix: "use the law exact, decomposition or plastic, or leave the friction out",
        }),
    }
}

/// What holds a belt would have to be carried along with it.
pub(super) fn check_belts(model: &Model, law: Law) -> Result<(), SimulateError> {
    let bodies = model.bodies().iter().filter(|b| b.belt.is_some());
    let walls = model.contact().walls.iter().filter(|w| w.belt.is_some());
    let names = bodies.map(|b| &b.name).chain(walls.map(|w| &w.name));
    let holds = laws(model, law).any(|l| matches!(l, Law::Plastic { .. }));
    match names.into_iter().next().filter(|_| holds) {
        None => Ok(()),
        Some(name) => Err(SimulateError::Unsupported {
            integrator: "the plastic law",
            reason: format!("\"{name}\" has a belt"),
            fix: "use the law exact or decomposition, or leave the belt out",
        }),
    }
}
