//! What the crate `carom` asks of this one beyond what programs may use.
//!
//! Scenario files, records and reports look at parts of models that stay out of the public interface. They do so through
//! these functions, which `carom` does not re-export.

use nalgebra::Vector3;

use crate::model::{
    ActuatorId, BodyId, BodyKind, BodySpec, Joint, JointId, JointKind, JointSpec, Model, Role,
};
use crate::optimise::Parameter;

pub use crate::mechanics::linkage::{End, each_end};

/// The body at a place in [`Model::bodies`].
pub fn body_id(place: usize) -> BodyId {
    BodyId(place as u32)
}

/// The joint at a place in the order in which joints were added.
pub fn joint_id(place: usize) -> JointId {
    JointId(place as u32)
}

/// The actuator at a place in [`Model::actuators`].
pub fn actuator_id(place: usize) -> ActuatorId {
    ActuatorId(place as u32)
}

/// The handle that a joint got from the builder; `None` for joints which it added itself.
pub fn handle(joint: &Joint) -> Option<JointId> {
    joint.id
}

/// Bodies that joints connect, loops and gears included.
pub fn connected(model: &Model) -> Vec<Vec<BodyId>> {
    crate::optimise::connected(model)
}

/// The elastic body a particle is a node of.
pub fn solid_of(model: &Model, body: usize) -> Option<usize> {
    model.solid_of(body)
}

/// Degrees of freedom of the joints.
pub fn tree_freedom(model: &Model) -> usize {
    model.tree_freedom
}

/// Number of coordinates of all linkages.
pub fn linkage_coordinates(model: &Model) -> usize {
    model.coordinates
}

/// Makes a body of a built model one of another kind.
pub fn set_kind(model: &mut Model, body: BodyId, kind: BodyKind) {
    model.bodies[body.index()].kind = kind;
}

/// Velocity and angular velocity that a body is to start with.
pub fn velocities(spec: &BodySpec) -> [Vector3<f64>; 2] {
    [spec.velocity, spec.angular_velocity]
}

/// Materials of the parts of a body to be.
pub fn part_materials(spec: &BodySpec) -> &[Option<String>] {
    &spec.part_materials
}

/// Whether a body to be has a shape, or is a particle.
pub fn collides(spec: &BodySpec) -> bool {
    spec.shape.is_some() || spec.role == Role::Particle
}

/// Whether a body to be is not static.
pub fn moves(spec: &BodySpec) -> bool {
    spec.role != Role::Static
}

/// Whether a body to be is a particle without radius.
pub fn is_point(spec: &BodySpec) -> bool {
    spec.role == Role::Particle && spec.radius == 0.0
}

/// Least and largest value of each coordinate of a joint to be.
pub fn limits(spec: &JointSpec) -> &[Option<[f64; 2]>] {
    &spec.limits
}

/// Whether the bodies of a joint to be may collide.
pub fn may_collide(spec: &JointSpec) -> bool {
    spec.collide
}

/// Name, unit and unit of the rate of every coordinate of a joint.
pub fn joint_coordinates(kind: JointKind) -> &'static [(&'static str, &'static str, &'static str)] {
    crate::simulate::coordinates(kind)
}

/// Times of the nodes that steps lead to, from zero on.
pub fn node_times(steps: impl IntoIterator<Item = f64>) -> Vec<f64> {
    crate::optimise::node_times(steps)
}

/// Whether a model that was made with values of all parameters at once is what the parameters make of the one
/// they belong to: it is not where they multiply each other.
pub fn add_up(model: &Model, parameters: &[Parameter], values: &[f64], made: &Model) -> bool {
    crate::optimise::add_up(model, parameters, values, made)
}
