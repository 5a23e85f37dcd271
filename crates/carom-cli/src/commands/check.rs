//! `carom check`: validates a scenario and says what it holds.

use carom::model::{BodyKind, Model};
use carom::scenario::Scenario;
use carom::simulate::{Simulation, State};
use clap::Args;

use super::{Failure, print, warn};
use crate::gallery::Target;

/// Validates a scenario and says what it holds
#[derive(Debug, Args)]
pub struct Check {
    /// Scenario file, or name of an example, with its variant after a colon
    #[arg(value_name = "FILE|NAME[:VARIANT]")]
    pub scenario: String,
    /// Overrides a parameter or any key, such as --set simulate.step=0.001
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

impl Check {
    /// Reads the scenario, builds its model and prints what is in it.
    pub fn run(&self) -> Result<(), Failure> {
        let target = Target::find(&self.scenario)?;
        let scenario = target.read(&self.set)?;
        let model = scenario.build()?;
        let text = describe(&scenario, &model);
        // Start and settings are checked by the simulator.
        let start = sound_start(&scenario, &model)?;
        Simulation::from_state(model, scenario.settings.simulator(), start)
            .map_err(|error| scenario.place(&error))?;
        if scenario.optimise.is_some() {
            let request = scenario.plan(&std::sync::Arc::new(scenario.build()?))?;
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
                sound_start(&other, &other.build()?)?;
            }
        }
        print(&text)
    }
}

/// The start of a scenario, with what its user should know of it. A plan has a start of its own.
fn sound_start(scenario: &Scenario, model: &Model) -> Result<State, Failure> {
    if scenario.optimise.is_some() {
        return Ok(State::start(model).map_err(|error| scenario.place(&error))?);
    }
    let start = scenario.start(model)?;
    warn(&start.warnings);
    Ok(start.state)
}

fn describe(scenario: &Scenario, model: &Model) -> String {
    let count =
        |kind: fn(&BodyKind) -> bool| model.bodies().iter().filter(|b| kind(&b.kind)).count();
    let rigid = count(|k| matches!(k, BodyKind::Rigid { .. }));
    let particles = count(|k| matches!(k, BodyKind::Particle { .. }));
    let fixed = count(|k| matches!(k, BodyKind::Static));
    let mut text = format!("{}: {}\n", scenario.meta.name, scenario.meta.title);
    let mut line = |what: &str, value: String| text += &format!("  {what:<14}{value}\n");
    if !scenario.meta.source.is_empty() {
        line("source", scenario.meta.source.clone());
    }
    line(
        "bodies",
        format!("{rigid} rigid, {particles} particles, {fixed} static"),
    );
    if !model.linkages().is_empty() {
        let names: Vec<_> = model
            .linkages()
            .iter()
            .map(|l| l.spec.name.as_str())
            .collect();
        line("linkages", names.join(", "));
    }
    line(
        "joints",
        format!(
            "{} given, {} of them close loops",
            scenario.joints.len(),
            model.closures().len()
        ),
    );
    line(
        "freedom",
        format!("{} of the tree, before loops", model.freedom()),
    );
    line(
        "forces",
        format!(
            "{} springs, dampers, drags and charges",
            scenario.forces.len()
        ),
    );
    line(
        "actuators",
        format!("{} and loads", model.actuators().len()),
    );
    let contact = model.contact();
    line(
        "contact",
        format!(
            "{} half-spaces, {} materials, {} surfaces",
            contact.walls.len(),
            contact.materials.len(),
            contact.surfaces.len()
        ),
    );
    let settings = &scenario.settings;
    line(
        match scenario.optimise {
            Some(_) => "optimise",
            None => "simulate",
        },
        format!(
            "{} steps of {} s, contact law {}",
            settings.steps,
            settings.step,
            settings.law.name()
        ),
    );
    for meeting in scenario.meetings(model) {
        line("they meet by", meeting.to_string());
    }
    if !scenario.meta.variants.is_empty() {
        line("variants", scenario.meta.variants.join(", "));
    }
    text
}
