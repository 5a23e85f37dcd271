//! Joints: how a body may move relative to its parent.

use nalgebra::{Matrix3, Vector3};

use super::{BodyId, JointPhysics};

/// Handle of a joint in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JointId(pub(crate) u32);

impl JointId {
    /// Position in the order joints were added to the builder.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Kinds of joints, with the number of degrees of freedom they leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// 6: no joint at all (3 for a particle).
    Free,
    /// 1: turn about the axis.
    Revolute,
    /// 1: slide along the axis.
    Prismatic,
    /// 2: slide along and turn about the axis.
    Cylindrical,
    /// 3: turn about a point.
    Spherical,
    /// 3: slide in the plane perpendicular to the axis and turn about the axis.
    Planar,
    /// 0: rigidly attached.
    Fixed,
    /// 2: a massless rod from a point of the parent to a particle.
    Rod,
}

impl JointKind {
    /// Lower-case name as written in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            JointKind::Free => "free",
            JointKind::Revolute => "revolute",
            JointKind::Prismatic => "prismatic",
            JointKind::Cylindrical => "cylindrical",
            JointKind::Spherical => "spherical",
            JointKind::Planar => "planar",
            JointKind::Fixed => "fixed",
            JointKind::Rod => "rod",
        }
    }

    /// Degrees of freedom of a child that is a particle or a rigid body.
    pub fn freedom(self, particle: bool) -> usize {
        match self {
            JointKind::Free if particle => 3,
            JointKind::Free => 6,
            JointKind::Revolute | JointKind::Prismatic => 1,
            JointKind::Cylindrical | JointKind::Rod => 2,
            JointKind::Spherical | JointKind::Planar => 3,
            JointKind::Fixed => 0,
        }
    }

    pub(crate) fn needs_axis(self) -> bool {
        matches!(
            self,
            JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar
        )
    }
}

/// A joint of a model. Vectors of the parent are in its body frame, or in the world if it is the
/// world or a static body.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name, empty for the free joints the builder adds.
    pub name: String,
    /// Kind.
    pub kind: JointKind,
    /// Parent body; `None` is the world.
    pub parent: Option<BodyId>,
    /// Child body.
    pub child: BodyId,
    /// Joint point in the parent frame.
    pub anchor_parent: Vector3<f64>,
    /// Joint point in the child frame.
    pub anchor_child: Vector3<f64>,
    /// Unit axis in the parent frame.
    pub axis: Vector3<f64>,
    /// Two unit vectors that make a right-handed frame with the axis, parent frame.
    pub across: [Vector3<f64>; 2],
    /// Orientation of the child in the parent frame at the start.
    pub relative: Matrix3<f64>,
    /// Length of a rod.
    pub length: f64,
    /// Least and largest value of each joint coordinate that is limited.
    pub limits: Vec<Option<[f64; 2]>>,
    /// Whether parent and child may collide.
    pub collide: bool,
    /// Handle given by the builder; `None` for joints it added.
    pub(crate) id: Option<JointId>,
    /// Whether the builder exchanged the two bodies: joint coordinates change sign.
    pub(crate) reversed: bool,
}

/// What joint to add, for [`ModelBuilder::joint`](super::ModelBuilder::joint).
///
/// ```
/// use carom::model::JointSpec;
/// use nalgebra::Vector3;
/// let hinge = JointSpec::revolute("hinge", Vector3::y()).at(Vector3::new(0.0, 0.0, 1.0));
/// ```
#[derive(Clone, Debug)]
pub struct JointSpec {
    pub(crate) name: String,
    pub(crate) kind: JointKind,
    pub(crate) axis: Vector3<f64>,
    pub(crate) place: Place,
    pub(crate) length: Option<f64>,
    pub(crate) limits: Vec<Option<[f64; 2]>>,
    pub(crate) collide: bool,
    pub(crate) physics: JointPhysics,
    pub(crate) rate: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// At the origin of the second body.
    Default,
    /// A world point at the start.
    World(Vector3<f64>),
    /// A point of each body in the frame its shape was drawn in.
    Local([Vector3<f64>; 2]),
}

impl JointSpec {
    /// A joint of any kind; `axis` is a world direction at the start (ignored where not needed).
    pub fn new(name: impl Into<String>, kind: JointKind, axis: Vector3<f64>) -> Self {
        Self {
            name: name.into(),
            kind,
            axis,
            place: Place::Default,
            length: None,
            limits: Vec::new(),
            collide: false,
            physics: JointPhysics::default(),
            rate: None,
        }
    }

    /// How fast the coordinate of a revolute or prismatic joint changes at the start, in rad/s or m/s: of the body it
    /// leads to, and of all beyond it that say nothing of their velocities.
    pub fn rate(mut self, rate: f64) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Springs, damping, dry friction, a rotor and a servo along its coordinate: for revolute and
    /// prismatic joints that close no loop.
    pub fn physics(mut self, physics: JointPhysics) -> Self {
        self.physics = physics;
        self
    }

    /// Its kind.
    pub fn kind(&self) -> JointKind {
        self.kind
    }

    /// Turns about `axis`.
    pub fn revolute(name: impl Into<String>, axis: Vector3<f64>) -> Self {
        Self::new(name, JointKind::Revolute, axis)
    }

    /// Slides along `axis`.
    pub fn prismatic(name: impl Into<String>, axis: Vector3<f64>) -> Self {
        Self::new(name, JointKind::Prismatic, axis)
    }

    /// Slides along and turns about `axis`.
    pub fn cylindrical(name: impl Into<String>, axis: Vector3<f64>) -> Self {
        Self::new(name, JointKind::Cylindrical, axis)
    }

    /// Turns about a point.
    pub fn spherical(name: impl Into<String>) -> Self {
        Self::new(name, JointKind::Spherical, Vector3::z())
    }

    /// Slides in the plane perpendicular to `normal`, turns about it.
    pub fn planar(name: impl Into<String>, normal: Vector3<f64>) -> Self {
        Self::new(name, JointKind::Planar, normal)
    }

    /// Rigidly attached.
    pub fn fixed(name: impl Into<String>) -> Self {
        Self::new(name, JointKind::Fixed, Vector3::z())
    }

    /// A massless rod; its length is the distance at the start.
    pub fn rod(name: impl Into<String>) -> Self {
        Self::new(name, JointKind::Rod, Vector3::z())
    }

    /// Where the joint is: a world point at the start.
    pub fn at(mut self, point: Vector3<f64>) -> Self {
        self.place = Place::World(point);
        self
    }

    /// Where the joint is on each body, in the frame its shape was drawn in (world coordinates on
    /// the world); for all joints but sliding ones and rods the two must coincide at the start.
    pub fn anchors(mut self, first: Vector3<f64>, second: Vector3<f64>) -> Self {
        self.place = Place::Local([first, second]);
        self
    }

    /// Length a rod must have at the start.
    pub fn length(mut self, length: f64) -> Self {
        self.length = Some(length);
        self
    }

    /// Limits the first joint coordinate (angle or displacement from the start).
    pub fn limits(mut self, least: f64, most: f64) -> Self {
        self.limits = vec![Some([least, most])];
        self
    }

    /// Limits every joint coordinate, `None` for no limit.
    pub fn all_limits(mut self, limits: Vec<Option<[f64; 2]>>) -> Self {
        self.limits = limits;
        self
    }

    /// Lets the two bodies collide with each other.
    pub fn collide(mut self) -> Self {
        self.collide = true;
        self
    }
}
