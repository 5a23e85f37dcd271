//! Bodies: rigid, particles, static.

use carom_gap::Pose;
use carom_gap::geometry::{MassProperties, Shape};
use nalgebra::{Matrix3, Vector3};

use super::{Belt, GivenMotion};

/// Handle of a body in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(crate) u32);

impl BodyId {
    /// Position in [`Model::bodies`](super::Model::bodies).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a body enters the equations of motion.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyKind {
    /// Twelve coordinates q = (φ, d₁, d₂, d₃); mass matrix blkdiag(m I, E ⊗ I).
    Rigid {
        /// Mass m.
        mass: f64,
        /// Euler tensor E about the centre of mass, body axes.
        euler_tensor: Matrix3<f64>,
    },
    /// Three coordinates.
    Particle {
        /// Mass m.
        mass: f64,
    },
    /// Never moves.
    Static,
}

/// A body of a model. Its frame has its origin at the centre of mass.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// Rigid, particle or static.
    pub kind: BodyKind,
    /// Collision shape, in the body frame.
    pub shape: Option<Shape>,
    /// Radius of a particle for contact; zero for a point.
    pub radius: f64,
    /// Where it starts.
    pub start: Pose,
    /// Velocity of the centre of mass at the start.
    pub velocity: Vector3<f64>,
    /// Spatial angular velocity at the start.
    pub angular_velocity: Vector3<f64>,
    /// Name of its material.
    pub material: Option<String>,
    /// Names of the materials of its parts, where they have their own; see [`Body::material_of`].
    pub part_materials: Vec<Option<String>>,
    /// Whether it moves in its plane z = const only, and turns about z.
    pub planar: bool,
    /// How the surface of a static body moves.
    pub belt: Option<Belt>,
    /// Whether it is a region that touches nothing, and is recorded with what is in it.
    pub sensor: bool,
    /// How a static body moves as a whole, where that is given.
    pub motion: Option<GivenMotion>,
    /// Centre of mass in the frame the shape was drawn in: subtracted from local points.
    pub(crate) drawn_center: Vector3<f64>,
}

impl Body {
    /// Mass; infinite for static bodies.
    pub fn mass(&self) -> f64 {
        match &self.kind {
            BodyKind::Rigid { mass, .. } | BodyKind::Particle { mass } => *mass,
            BodyKind::Static => f64::INFINITY,
        }
    }

    /// Whether it ever moves, by forces or as it is given.
    pub fn moves(&self) -> bool {
        self.kind != BodyKind::Static || self.motion.is_some()
    }

    /// Whether it has an orientation that changes.
    pub fn turns(&self) -> bool {
        matches!(self.kind, BodyKind::Rigid { .. }) || self.motion.is_some()
    }

    /// Pose, velocity and angular velocity at a time, where they are given.
    pub fn given(&self, time: f64) -> Option<(Pose, [Vector3<f64>; 2])> {
        let motion = self.motion.as_ref()?;
        Some(motion.at(&self.start, time))
    }

    /// Distance of its furthest point from its origin.
    pub fn reach(&self) -> f64 {
        let parts = self.shape.iter().flat_map(|s| s.vertices());
        parts.map(|v| v.reach()).fold(self.radius, f64::max)
    }

    /// Whether some of its parts have curved sides.
    pub fn is_round(&self) -> bool {
        let shape = self.shape.iter();
        shape
            .flat_map(|s| (0..s.parts().len()).map(move |k| s.round(k)))
            .any(|round| round.is_some())
    }

    /// Name of the material of one of its parts.
    pub fn material_of(&self, part: usize) -> Option<&str> {
        let own = self.part_materials.get(part).and_then(|m| m.as_deref());
        own.or(self.material.as_deref())
    }

    /// Names of all its materials.
    pub fn materials(&self) -> impl Iterator<Item = Option<&str>> {
        let count = self.shape.as_ref().map_or(1, |s| s.parts().len().max(1));
        (0..count).map(|part| self.material_of(part))
    }

    /// A point given in the frame the shape was drawn in, in the body frame.
    pub fn local(&self, drawn: &Vector3<f64>) -> Vector3<f64> {
        drawn - self.drawn_center
    }
}

/// What a body is made of, for [`ModelBuilder::body`](super::ModelBuilder::body).
///
/// ```
/// use carom::geometry::{Polytope, Shape};
/// use carom::model::BodySpec;
/// use nalgebra::Vector3;
/// let cube = Shape::single(Polytope::cube(0.2).unwrap(), 270.0).unwrap();
/// let spec = BodySpec::rigid("cube").shape(cube).position(Vector3::new(0.0, 0.0, 0.8));
/// ```
#[derive(Clone, Debug)]
pub struct BodySpec {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) shape: Option<Shape>,
    pub(crate) mass: Option<f64>,
    pub(crate) inertia: Option<Matrix3<f64>>,
    pub(crate) radius: f64,
    pub(crate) pose: Pose,
    pub(crate) velocity: Vector3<f64>,
    pub(crate) angular_velocity: Vector3<f64>,
    /// Whether one of the two was given.
    pub(crate) says_velocity: bool,
    pub(crate) planar: bool,
    pub(crate) material: Option<String>,
    pub(crate) part_materials: Vec<Option<String>>,
    pub(crate) belt: Option<Belt>,
    pub(crate) motion: Option<GivenMotion>,
    pub(crate) sensor: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Rigid,
    Particle,
    Static,
}

impl BodySpec {
    fn new(name: impl Into<String>, role: Role) -> Self {
        Self {
            name: name.into(),
            role,
            shape: None,
            mass: None,
            inertia: None,
            radius: 0.0,
            pose: Pose::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            says_velocity: false,
            planar: false,
            material: None,
            part_materials: Vec::new(),
            belt: None,
            motion: None,
            sensor: false,
        }
    }

    /// A rigid body: give it a shape with density, or a mass and inertia, or both (then mass and
    /// inertia are those given, the shape is for contact).
    pub fn rigid(name: impl Into<String>) -> Self {
        Self::new(name, Role::Rigid)
    }

    /// A particle.
    pub fn particle(name: impl Into<String>, mass: f64) -> Self {
        Self {
            mass: Some(mass),
            ..Self::new(name, Role::Particle)
        }
    }

    /// A body that never moves: an obstacle or a place to hang things on.
    pub fn fixed(name: impl Into<String>) -> Self {
        Self::new(name, Role::Static)
    }

    /// A region that touches nothing: what is in it is recorded.
    pub fn sensor(name: impl Into<String>) -> Self {
        Self {
            sensor: true,
            ..Self::new(name, Role::Static)
        }
    }

    /// Collision shape and, through its density, mass properties.
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// Mass in place of the shape's.
    pub fn mass(mut self, mass: f64) -> Self {
        self.mass = Some(mass);
        self
    }

    /// Inertia J about the centre of mass in body axes, in place of the shape's.
    pub fn inertia(mut self, inertia: Matrix3<f64>) -> Self {
        self.inertia = Some(inertia);
        self
    }

    /// Radius of a particle for contact.
    pub fn radius(mut self, radius: f64) -> Self {
        self.radius = radius;
        self
    }

    /// Position of the centre of mass.
    pub fn position(mut self, position: Vector3<f64>) -> Self {
        self.pose.position = position;
        self
    }

    /// Orientation by a rotation vector.
    pub fn rotation(mut self, rotation_vector: Vector3<f64>) -> Self {
        self.pose = Pose::new(self.pose.position, rotation_vector);
        self
    }

    /// Position and orientation.
    pub fn pose(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Velocity of the centre of mass. A body of which neither this nor the angular velocity is said rests, if its joints
    /// allow that; otherwise it sets out as its joints have it.
    pub fn velocity(mut self, velocity: Vector3<f64>) -> Self {
        self.velocity = velocity;
        self.says_velocity = true;
        self
    }

    /// Spatial angular velocity.
    pub fn angular_velocity(mut self, angular_velocity: Vector3<f64>) -> Self {
        self.angular_velocity = angular_velocity;
        self.says_velocity = true;
        self
    }

    /// A planar body: it moves in the plane through its start parallel to e_x and e_y and turns
    /// about e_z (a planar joint to the world).
    pub fn planar(mut self) -> Self {
        self.planar = true;
        self
    }

    /// Whether it is one.
    pub fn is_planar(&self) -> bool {
        self.planar
    }

    /// Lets the surface of a static body move.
    pub fn belt(mut self, belt: Belt) -> Self {
        self.belt = Some(belt);
        self
    }

    /// Lets a static body move as it is given.
    pub fn motion(mut self, motion: GivenMotion) -> Self {
        self.motion = Some(motion);
        self
    }

    /// Where it starts.
    pub fn start(&self) -> &Pose {
        &self.pose
    }

    /// Name of its material.
    pub fn material(mut self, name: impl Into<String>) -> Self {
        self.material = Some(name.into());
        self
    }

    /// Names of the materials of its parts, in their order; those without one are of the body's.
    pub fn part_materials(mut self, names: Vec<Option<String>>) -> Self {
        self.part_materials = names;
        self
    }
}

/// Euler tensor of given mass properties.
pub(crate) fn kind_of(properties: &MassProperties) -> BodyKind {
    BodyKind::Rigid {
        mass: properties.mass,
        euler_tensor: properties.euler_tensor,
    }
}
