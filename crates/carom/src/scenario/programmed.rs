//! Scenarios of simulations that programs make themselves: what summaries and reports ask for, without a file.

use carom_engine::simulate::Simulation;

use super::settings::{Checkpoints, Settings};
use super::{Constants, Contact, HalfSpace, Meta, Scenario};

impl Scenario {
    /// The name, the walls and the settings of a simulation that makes `steps` more steps.
    pub(crate) fn programmed(name: &str, simulation: &Simulation, steps: u64) -> Self {
        let (model, given) = (simulation.model(), simulation.settings());
        let walls = model.contact().walls.iter();
        let half_spaces = walls.map(|wall| HalfSpace {
            name: wall.name.clone(),
            normal: *wall.half_space.normal(),
            point: wall.half_space.normal() * wall.half_space.offset(),
            solid: wall.half_space,
            material: wall.material.clone(),
            belt: wall.belt,
            collides_with: None,
            place: Default::default(),
        });
        Self {
            meta: Meta {
                name: name.into(),
                ..Meta::default()
            },
            parameters: Default::default(),
            bodies: Vec::new(),
            solids: Vec::new(),
            node_sets: Vec::new(),
            half_spaces: half_spaces.collect(),
            joints: Vec::new(),
            linkages: Vec::new(),
            coordinate_physics: Vec::new(),
            constants: Constants::default(),
            forces: Vec::new(),
            actuators: Vec::new(),
            contact: Contact::default(),
            settings: Settings {
                law: given.law,
                simultaneous: given.rule,
                rest_speed: given.rest_speed,
                step: given.step,
                steps: simulation.ledger().steps + steps,
                asked: None,
                integrator: given.integrator,
                max_iterations: Some(given.max_iterations),
                record: None,
                forces: false,
                checkpoint: Checkpoints::Never,
                separate: false,
                max_unsettled: given.max_unsettled,
            },
            optimise: None,
            meshes: Vec::new(),
            mesh_facts: Vec::new(),
            folder: Default::default(),
            file: String::new(),
            sources: Default::default(),
            root: Default::default(),
        }
    }

    /// Whether there is a text of it.
    pub(crate) fn is_written(&self) -> bool {
        !self.root.is_empty()
    }
}
