//! Scenario files: one TOML format for everything, read with errors that point into the file.
//!
//! A file is read in three stages: text → tree of values that know their place → variant and
//! `--set` applied → typed [`Scenario`] → [`Scenario::build`] makes the model. The format is
//! described field by field in `docs/scenario.md`.
//!
//! ```
//! use carom::scenario::Scenario;
//! let text = r#"
//! title = "A falling brick"
//! gravity = [0, 0, -9.81]
//! [body.brick]
//! shape = { box = [0.2, 0.1, 0.05] }
//! density = 2000
//! [simulate]
//! duration = 1.0
//! step = 0.01
//! "#;
//! let scenario = Scenario::parse("brick.toml", text)?;
//! assert_eq!(scenario.settings.steps, 100);
//! let model = scenario.build()?;
//! assert_eq!(model.freedom(), 6);
//! # Ok::<(), carom::scenario::ScenarioError>(())
//! ```

mod actuators;
mod bodies;
mod build;
mod contact;
#[cfg(test)]
mod contact_tests;
mod controller_axes;
mod controller_expressions;
mod controller_laws;
mod controller_lqr;
mod controller_targets;
mod controllers;
mod csv;
mod defaults;
mod elastic;
mod error;
mod fields;
mod first_guesses;
mod forces;
mod given;
mod joint_physics;
mod joints;
mod law;
mod layout;
mod linkage_joints;
mod linkages;
mod magnets;
mod measure;
mod optimise;
mod overrides;
mod plan;
mod plan_contact;
pub(crate) mod plan_file;
mod plan_formula;
mod plan_guess;
mod plan_parameters;
mod plan_start;
mod plan_states;
mod programmed;
mod read;
mod scope;
mod sections;
mod settings;
mod shapes;
mod source;
mod start;
mod surfaces;
mod sweep;
mod syntax;
#[cfg(test)]
mod tests;
mod track;
mod tree;
mod write;

use std::path::PathBuf;

use indexmap::IndexMap;
use nalgebra::Vector3;

pub use actuators::{ActuatorEntry, Target};
pub(crate) use contact::DEFAULT_MATERIAL;
pub use contact::{Contact, Thing};
pub use elastic::{HeldBy, NodeSet, SolidEntry};
pub use error::{Fault, ScenarioError};
pub use forces::{Constants, Force, ForceEntry};
pub use joints::End;
pub use magnets::Seat;
pub(crate) use measure::OF_LEDGER;
pub use measure::{Kind, Measure, Measures, Relative};
pub use optimise::Optimise;
pub use plan::PlanRequest;
pub use read::{Document, Meta, Options};
pub use settings::{Checkpoints, Settings};
pub use shapes::MeshFact;
pub use source::{Place, Source, Sources};
pub use start::Start;
pub use surfaces::{Meeting, SurfaceEntry};
pub(crate) use sweep::SOBOL_DIMENSIONS;
pub use sweep::{Axis, Range, Spread, SweepSpec};

use crate::model::{BodySpec, JointKind, JointPhysics, JointSpec, LinkageSpec};

/// Version of the format.
pub const FORMAT: u64 = 1;

/// A body as read, groups expanded.
#[derive(Clone, Debug)]
pub struct BodyEntry {
    /// Unique name.
    pub name: String,
    /// What the model gets.
    pub spec: BodySpec,
    /// Centre of mass in the frame the shape is drawn in.
    pub center: Vector3<f64>,
    /// Name of its material.
    pub material: Option<String>,
    /// Colour in pictures, as `#rrggbb`; chosen by its place in the file if not given.
    pub color: Option<String>,
    pub(crate) collides_with: Option<contact::Mask>,
    pub(crate) place: Place,
}

/// A joint or rod as read.
#[derive(Clone, Debug)]
pub struct JointEntry {
    /// Name in its section.
    pub name: String,
    /// `joint` or `rod`.
    pub section: &'static str,
    /// What the model gets.
    pub spec: JointSpec,
    /// Positions of the two bodies among the scenario's; `None` is the world.
    pub bodies: [Option<usize>; 2],
    /// The joint it follows, and the ratio.
    pub couple: Option<Couple>,
}

/// A joint that another one follows.
#[derive(Clone, Debug)]
pub struct Couple {
    /// Its name, and its place among the scenario's joints.
    pub joint: String,
    /// See `joint`.
    pub index: usize,
    /// θ of the one that follows over θ of this.
    pub ratio: f64,
    pub(crate) place: Place,
}

impl JointEntry {
    /// Number of joint coordinates.
    fn freedom(&self) -> usize {
        self.kind().freedom(false)
    }

    /// Its kind.
    pub fn kind(&self) -> JointKind {
        self.spec.kind()
    }
}

/// Everything below a plane.
#[derive(Clone, Debug)]
pub struct HalfSpace {
    /// Unique name.
    pub name: String,
    /// Unit normal, out of the half-space.
    pub normal: Vector3<f64>,
    /// A point of the plane.
    pub point: Vector3<f64>,
    /// What the model gets.
    pub solid: crate::gap::HalfSpace,
    /// Name of its material.
    pub material: Option<String>,
    /// How its surface moves.
    pub belt: Option<crate::model::Belt>,
    pub(crate) collides_with: Option<contact::Mask>,
    pub(crate) place: Place,
}

/// A scenario as it is to be run: variant and `--set` applied, expressions evaluated.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Name, title, source, variants.
    pub meta: Meta,
    /// Values of the parameters.
    pub parameters: IndexMap<String, f64>,
    /// Bodies, groups expanded.
    pub bodies: Vec<BodyEntry>,
    /// Elastic bodies, groups expanded.
    pub solids: Vec<SolidEntry>,
    /// Sets of their nodes.
    pub node_sets: Vec<NodeSet>,
    /// Half-spaces.
    pub half_spaces: Vec<HalfSpace>,
    /// Joints and rods.
    pub joints: Vec<JointEntry>,
    /// Systems in generalised coordinates.
    pub linkages: Vec<LinkageSpec>,
    /// What acts along coordinates of linkages: linkage, coordinate, what.
    pub coordinate_physics: Vec<(usize, usize, JointPhysics)>,
    /// Gravity and the like.
    pub constants: Constants,
    /// Springs, dampers, drag, charges.
    pub forces: Vec<ForceEntry>,
    /// Actuators and loads.
    pub actuators: Vec<ActuatorEntry>,
    /// Materials, surfaces and pairs that do not collide.
    pub contact: Contact,
    /// How it is simulated; for an optimal control problem, how its plan is replayed.
    pub settings: Settings,
    /// The optimal control problem, if it is one.
    pub optimise: Option<Optimise>,
    /// Mesh files as written in the file and as found.
    pub meshes: Vec<(String, PathBuf)>,
    /// What was made of mesh files for contact.
    pub mesh_facts: Vec<MeshFact>,
    /// Folder that files it names are relative to.
    pub(crate) folder: PathBuf,
    pub(crate) file: String,
    pub(crate) sources: Sources,
    pub(crate) root: tree::Table,
}
