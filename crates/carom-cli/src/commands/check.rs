//! `carom check`: validates a scenario and says what it holds.

use std::sync::Arc;

use carom::model::{BodyKind, Model};
use carom::scenario::Scenario;
use carom::simulate::{Simulation, State, stable_step};
use clap::Args;

use super::{Failure, print, warn};
use crate::gallery::Target;

/// Checks a scenario without running it and says what is in it
#[derive(Debug, Args)]
pub struct Check {
    /// Scenario file, or name of an example, with its variant after a colon
    #[arg(value_name = "FILE|NAME[:VARIANT]")]
    pub scenario: String,
    /// Overrides a parameter or any key, such as --set simulate.step=0.001
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Prints what is in it as JSON
    #[arg(long)]
    pub json: bool,
}

impl Check {
    /// Reads the scenario, builds its model and prints what is in it.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let target = Target::find(&self.scenario)?;
        let scenario = target.read(&self.set)?;
        let model = Arc::new(scenario.build()?);
        scenario.measures(scenario.columns(&model)?.names())?;
        scenario.sweep()?;
        let text = match (self.json, quiet) {
            (true, _) => facts_as_json(&scenario, &model),
            (false, true) => String::new(),
            (false, false) => describe(&scenario, &model),
        };
        if !quiet {
            warn(&scenario.notes());
        }
        // Start and settings are checked by the simulator.
        let start = sound_start(&scenario, &model, quiet)?;
        let simulation = Simulation::from_state(model, scenario.settings.simulator(), start)
            .map_err(|error| scenario.place(&error))?;
        if scenario.optimise.is_none() {
            let turns = simulation.check_turns();
            turns.map_err(|error| scenario.place(&error))?;
        }
        if scenario.optimise.is_some() {
            let request = scenario.plan(&Arc::new(scenario.build()?))?;
            if !quiet {
                super::warn_of_guess(&request.problem, &request.guess);
            }
            let reasons = carom::optimise::foresee(&request.problem, &request.guess);
            let reasons = reasons.map_err(|error| scenario.place_plan(&error))?;
            if !reasons.is_empty() {
                print(&text)?;
                return Err(Failure::Plan(reasons.join("; ")));
            }
        }
        // Variants are part of the file: a broken one is a fault of it.
        if target.variant.is_none() {
            for variant in &scenario.meta.variants {
                let mut other = target.clone();
                other.variant = Some(variant.clone());
                let other = other.read(&self.set)?;
                let model = Arc::new(other.build()?);
                sound_start(&other, &model, quiet)?;
                other.columns(&model)?;
            }
        }
        print(&text)
    }
}

/// The start of a scenario, with what its user should know of it. A plan has a start of its own.
fn sound_start(scenario: &Scenario, model: &Model, quiet: bool) -> Result<State, Failure> {
    if scenario.optimise.is_some() {
        return Ok(State::start(model).map_err(|error| scenario.place(&error))?);
    }
    let start = scenario.start(model)?;
    if !quiet {
        warn(&start.warnings);
    }
    Ok(start.state)
}

/// What a scenario holds, a line each.
fn describe(scenario: &Scenario, model: &Model) -> String {
    let mut text = format!("{}: {}\n", scenario.meta.name, scenario.meta.title);
    for (what, value) in facts(scenario, model) {
        text += &format!("  {what:<14}{value}\n");
    }
    text
}

/// The same for programs.
fn facts_as_json(scenario: &Scenario, model: &Model) -> String {
    let settings = &scenario.settings;
    let names = model.bodies().iter().map(|b| b.name.as_str());
    let joints = model.joints().iter().map(|j| j.name.as_str());
    let actuators = model.actuators().iter().map(|a| a.name.as_str());
    let value = serde_json::json!({
        "name": scenario.meta.name,
        "title": scenario.meta.title,
        "source": scenario.meta.source,
        "variant": scenario.meta.variant,
        "variants": scenario.meta.variants,
        "kind": match scenario.optimise { Some(_) => "optimise", None => "simulate" },
        "bodies": names.collect::<Vec<_>>(),
        "joints": joints.filter(|n| !n.is_empty()).collect::<Vec<_>>(),
        "closures": model.closures().len(),
        "linkages": model.linkages().iter().map(|l| l.spec.name.as_str()).collect::<Vec<_>>(),
        "actuators": actuators.collect::<Vec<_>>(),
        "freedom": model.freedom(),
        "steps": settings.steps,
        "step": settings.step,
        "law": settings.law.name(),
    });
    serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"
}

/// A number of things, in words.
fn count(n: usize, one: &str, many: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        _ => format!("{n} {many}"),
    }
}

fn facts(scenario: &Scenario, model: &Model) -> Vec<(&'static str, String)> {
    let of_kind =
        |kind: fn(&BodyKind) -> bool| model.bodies().iter().filter(|b| kind(&b.kind)).count();
    let rigid = of_kind(|k| matches!(k, BodyKind::Rigid { .. }));
    let particles = of_kind(|k| matches!(k, BodyKind::Particle { .. }));
    let fixed = of_kind(|k| matches!(k, BodyKind::Static));
    let mut lines = Vec::new();
    if !scenario.meta.source.is_empty() {
        lines.push(("source", scenario.meta.source.clone()));
    }
    // Nodes of elastic bodies are particles of the model, not of the user.
    let nodes: usize = model.solids().iter().map(|s| s.particles.len()).sum();
    let particles = count(particles - nodes, "particle", "particles");
    let elastic = match model.solids().len() {
        0 => String::new(),
        n => format!(", {n} elastic"),
    };
    lines.push((
        "bodies",
        format!("{rigid} rigid, {particles}, {fixed} static{elastic}"),
    ));
    if !model.solids().is_empty() {
        let nodes: usize = model.solids().iter().map(|s| s.points.len()).sum();
        let elements: usize = model.solids().iter().map(|s| s.elements.len()).sum();
        let nodes = count(nodes, "node", "nodes");
        let elements = count(elements, "element", "elements");
        lines.push(("elastic", format!("{nodes}, {elements}")));
    }
    let integrator = &scenario.settings.simulator().integrator;
    if let Some((step, body)) = stable_step(model, integrator) {
        lines.push(("stable step", format!("{step:.3e} s, by {body}")));
    }
    if !model.linkages().is_empty() {
        let names = model.linkages().iter().map(|l| l.spec.name.as_str());
        lines.push(("linkages", names.collect::<Vec<_>>().join(", ")));
    }
    for mesh in &scenario.mesh_facts {
        lines.push(("mesh", mesh.to_string()));
    }
    let closures = match model.closures().len() {
        0 => String::new(),
        1 => ", one of them closes a loop".into(),
        n => format!(", {n} of them close loops"),
    };
    lines.push(("joints", format!("{}{closures}", scenario.joints.len())));
    lines.push((
        "freedom",
        count(model.freedom(), "coordinate", "coordinates")
            + match model.closures().is_empty() {
                true => "",
                false => " of the tree, before loops are closed",
            },
    ));
    lines.push((
        "forces",
        match scenario.forces.len() {
            0 => "none but gravity and loads".into(),
            1 => "1 spring, damper, drag, charge, solenoid or field".into(),
            n => format!("{n} springs, dampers, drags, charges, solenoids and fields"),
        },
    ));
    lines.push((
        "actuators",
        count(
            model.actuators().len(),
            "actuator or load",
            "actuators and loads",
        ),
    ));
    let contact = model.contact();
    lines.push((
        "contact",
        [
            count(contact.walls.len(), "half-space", "half-spaces"),
            count(contact.materials.len(), "material", "materials"),
            count(contact.surfaces.len(), "surface", "surfaces"),
        ]
        .join(", "),
    ));
    let settings = &scenario.settings;
    lines.push((
        match scenario.optimise {
            Some(_) => "optimise",
            None => "simulate",
        },
        format!(
            "{} of {} s, contact law {}",
            count(settings.steps as usize, "step", "steps"),
            settings.step,
            settings.law.name()
        ),
    ));
    for meeting in scenario.meetings(model) {
        lines.push(("contact by", meeting.to_string()));
    }
    if !scenario.meta.variants.is_empty() {
        lines.push(("variants", scenario.meta.variants.join(", ")));
    }
    lines
}
