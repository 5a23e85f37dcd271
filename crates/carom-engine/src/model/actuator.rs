//! Actuators: where controls τ enter, and loads that are prescribed functions of time.
//!
//! f⁻ = (h/2) Bᵀ(q) τ and f⁺ = (h/2) Bᵀ(q⁺) τ with τ constant in a step.

use std::fmt;
use std::sync::Arc;

use nalgebra::Vector3;

use super::{BodyId, JointId};

/// Handle of an actuator in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActuatorId(pub(crate) u32);

impl ActuatorId {
    /// Position in [`Model::actuators`](super::Model::actuators).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The axes in which a wrench is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frame {
    /// World axes.
    #[default]
    Inertial,
    /// Body axes.
    Body,
}

/// What an actuator acts on.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Force (3) and torque (3) on a body at a point of it.
    Wrench {
        /// The body.
        body: BodyId,
        /// Where the force acts, body frame.
        point: Vector3<f64>,
        /// Axes of the components.
        frame: Frame,
    },
    /// One value along a wrench that is fixed in its axes: a thruster, a rotor, a torque about an axis.
    Along {
        /// The body.
        body: BodyId,
        /// Where the force acts, body frame.
        point: Vector3<f64>,
        /// Axes of force and torque.
        frame: Frame,
        /// Force and torque for a value of one.
        unit: [Vector3<f64>; 2],
    },
    /// Force or torque along every coordinate of a joint, on the child and back on the parent.
    Joint {
        /// The joint.
        joint: JointId,
    },
    /// A force (3) in world axes, spread over points of bodies: nodes of an elastic body. Its resultant acts at
    /// the mean of the points by their parts.
    Points {
        /// Bodies, points in their frames, and parts of the force; less than one together where nodes
        /// that are held take some of it.
        points: Vec<(BodyId, Vector3<f64>, f64)>,
    },
    /// Generalised force on a coordinate of a linkage.
    Coordinate {
        /// Index of the linkage.
        linkage: usize,
        /// Index of its coordinate.
        coordinate: usize,
    },
}

/// A function of time.
#[derive(Clone)]
pub enum Signal {
    /// Always the same.
    Constant(f64),
    /// Piecewise linear through (t, value), constant beyond the ends.
    Table(Vec<[f64; 2]>),
    /// Any function.
    Function(Arc<dyn Fn(f64) -> f64 + Send + Sync>),
}

impl Signal {
    /// The same, times a number.
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            Signal::Constant(v) => Signal::Constant(v * factor),
            Signal::Table(rows) => {
                Signal::Table(rows.iter().map(|[t, v]| [*t, v * factor]).collect())
            }
            Signal::Function(f) => {
                let f = f.clone();
                Signal::Function(Arc::new(move |t| factor * f(t)))
            }
        }
    }

    /// Value at time t.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(v) => *v,
            Signal::Function(f) => f(t),
            Signal::Table(rows) => {
                let k = rows.partition_point(|r| r[0] <= t);
                match (k.checked_sub(1).map(|i| rows[i]), rows.get(k)) {
                    (Some([t0, v0]), Some([t1, v1])) => v0 + (v1 - v0) * (t - t0) / (t1 - t0),
                    (Some([_, v]), None) => v,
                    (None, Some([_, v])) => *v,
                    (None, None) => 0.0,
                }
            }
        }
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Signal::Constant(v) => write!(f, "Constant({v})"),
            Signal::Table(rows) => write!(f, "Table({} rows)", rows.len()),
            Signal::Function(_) => f.write_str("Function"),
        }
    }
}

/// When a load is sampled for a step from t to t + h.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sample {
    /// t.
    Left,
    /// t + h/2: second order.
    #[default]
    Mid,
    /// t + h.
    Right,
}

/// An actuator of a model.
#[derive(Clone, Debug)]
pub struct Actuator {
    /// Unique name.
    pub name: String,
    /// What it acts on.
    pub target: Target,
    /// Least and largest value of each component.
    pub bounds: Vec<[f64; 2]>,
    /// Prescribed values (a load), one signal per component; `None` for a control.
    pub signals: Option<Vec<Signal>>,
    /// When signals are sampled.
    pub sample: Sample,
    /// First of its components among the controls of the model.
    pub(crate) first: usize,
    pub(crate) components: usize,
}

impl Actuator {
    /// Number of components.
    pub fn components(&self) -> usize {
        self.components
    }

    /// The range of its components in the control vector of the model.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.components
    }
}
