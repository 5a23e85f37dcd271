//! What there is: bodies, joints, linkages, forces, actuators. Validated when built, then immutable.
//!
//! A [`Model`] knows nothing of how it is integrated. Make one with [`ModelBuilder`]:
//!
//! ```
//! use carom::geometry::{Polytope, Shape};
//! use carom::model::{BodySpec, JointSpec, ModelBuilder};
//! use nalgebra::Vector3;
//! let mut builder = ModelBuilder::new();
//! builder.gravity(Vector3::new(0.0, 0.0, -9.81));
//! let rod = Shape::single(Polytope::cuboid(0.02, 0.02, 0.5).unwrap(), 1000.0).unwrap();
//! let upper = builder.body(BodySpec::rigid("upper").shape(rod.clone()).position(Vector3::new(0.0, 0.0, -0.25)));
//! let lower = builder.body(BodySpec::rigid("lower").shape(rod).position(Vector3::new(0.0, 0.0, -0.75)));
//! builder.joint(JointSpec::revolute("shoulder", Vector3::y()).at(Vector3::zeros()), None, Some(upper));
//! builder.joint(JointSpec::revolute("elbow", Vector3::y()).at(Vector3::new(0.0, 0.0, -0.5)), Some(upper), Some(lower));
//! let model = builder.build().unwrap();
//! assert_eq!(model.freedom(), 2);
//! ```

mod actuator;
mod body;
mod builder;
mod contact;
mod error;
mod force;
mod given;
mod influence;
mod joint;
mod joint_law;
mod law;
mod linkage;
mod meetings;
mod solid;

pub use actuator::{Actuator, ActuatorId, Frame, Sample, Signal, Target};
pub(crate) use body::Role;
pub use body::{Body, BodyId, BodyKind, BodySpec};
pub use builder::{MagnetSeat, ModelBuilder};
pub use contact::{
    Belt, Combine, ContactRules, Grain, Grains, Material, Party, Surface, Touching, Wall,
};
pub use error::ModelError;
pub use force::{Damper, Drag, Forces, PairLaw, PairPotential, Point, UserPotential};
pub use given::{Course, GivenMotion};
pub use influence::{
    Field, Influence, Mount, SOLENOID_ANGLE, SOLENOID_DISTANCE, Solenoids, TABLE_B1,
    solenoid_formula,
};
pub use joint::{Joint, JointId, JointKind, JointSpec};
pub use joint_law::{Coupling, JointLaw, JointPhysics, JointSpring, LawSlopes, LawStep, Servo};
pub use law::{EnergyCondition, Hold, JumpForm, Law, Refusal, Release};
pub(crate) use linkage::Term as LinkTerm;
pub use linkage::{Coordinate, Link, LinkKind, Linkage, LinkageSpec};
pub use meetings::Materials;
pub use solid::{Held, NodeSet, Solid, SolidSpec};

/// A mechanical system: see the [module](self).
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) bodies: Vec<Body>,
    /// One joint per movable body, parents first.
    pub(crate) joints: Vec<Joint>,
    /// Place in `joints` of every joint of the user's; `usize::MAX` if it closes a loop.
    place_of_joint: Vec<usize>,
    /// First degree of freedom of each joint.
    pub(crate) offsets: Vec<usize>,
    /// Joints that close loops.
    pub(crate) closures: Vec<Joint>,
    pub(crate) linkages: Vec<Linkage>,
    /// What acts along joint coordinates, and gears.
    pub(crate) joint_laws: Vec<JointLaw>,
    pub(crate) couplings: Vec<Coupling>,
    pub(crate) forces: Forces,
    pub(crate) actuators: Vec<Actuator>,
    pub(crate) contact: ContactRules,
    /// Degrees of freedom of the joints.
    pub(crate) tree_freedom: usize,
    /// Number of coordinates of all linkages.
    pub(crate) coordinates: usize,
    pub(crate) controls: usize,
}

impl Model {
    /// All bodies, in the order they were added.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// One body.
    pub fn body(&self, id: BodyId) -> &Body {
        &self.bodies[id.index()]
    }

    /// The body of that name.
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        let index = self.bodies.iter().position(|b| b.name == name)?;
        Some(BodyId(index as u32))
    }

    /// Joints of the tree, one per movable body, parents first.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Place among the [`joints`](Self::joints) of the tree; `None` for a joint that closes a loop.
    pub fn find_joint(&self, id: JointId) -> Option<usize> {
        let place = self.place_of_joint.get(id.index()).copied();
        place.filter(|j| *j != usize::MAX)
    }

    /// Joints that close loops.
    pub fn closures(&self) -> &[Joint] {
        &self.closures
    }

    /// Linkages in generalised coordinates.
    pub fn linkages(&self) -> &[Linkage] {
        &self.linkages
    }

    /// What acts along joint coordinates and coordinates of linkages.
    pub fn joint_laws(&self) -> &[JointLaw] {
        &self.joint_laws
    }

    /// Joints that move together.
    pub fn couplings(&self) -> &[Coupling] {
        &self.couplings
    }

    /// Forces.
    pub fn forces(&self) -> &Forces {
        &self.forces
    }

    /// Actuators and loads.
    pub fn actuators(&self) -> &[Actuator] {
        &self.actuators
    }

    /// What collides with what, and how.
    pub fn contact(&self) -> &ContactRules {
        &self.contact
    }

    /// Degrees of freedom of the tree and the linkages; loops take some of them away.
    pub fn freedom(&self) -> usize {
        self.tree_freedom + self.coordinates
    }

    /// Number of control components of all actuators.
    pub fn controls(&self) -> usize {
        self.controls
    }

    /// Degrees of freedom of joint `j`.
    pub(crate) fn joint_freedom(&self, j: usize) -> usize {
        let end = self
            .offsets
            .get(j + 1)
            .copied()
            .unwrap_or(self.tree_freedom);
        end - self.offsets[j]
    }

    /// The linkage a coordinate belongs to.
    pub(crate) fn linkage_of(&self, coordinate: usize) -> usize {
        self.linkages.partition_point(|l| l.first <= coordinate) - 1
    }

    /// Elastic bodies.
    pub fn solids(&self) -> &[Solid] {
        &self.forces.solids
    }

    /// The elastic body a particle is a node of.
    pub(crate) fn solid_of(&self, body: usize) -> Option<usize> {
        let solids = &self.forces.solids;
        // Nodes come after all other bodies, solid by solid.
        let k = solids.partition_point(|s| s.particles.end <= body);
        solids
            .get(k)
            .filter(|s| s.particles.contains(&body))
            .map(|_| k)
    }

    pub(crate) fn is_particle(&self, body: BodyId) -> bool {
        matches!(self.bodies[body.index()].kind, BodyKind::Particle { .. })
    }
}
