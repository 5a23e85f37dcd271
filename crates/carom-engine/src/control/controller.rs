//! What a controller is, and what it sees.

use std::fmt;

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::Motion;
use crate::mechanics::Twist;
use crate::model::{BodyId, BodyKind, Model};
use crate::simulate::{Columns, Simulation};

/// An inner quantity of a controller: a column of the record and a curve of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// Its name behind that of the controller; quantities that differ in the part after the last dot
    /// share a plot.
    pub name: String,
    /// Unit; `1` for numbers without one.
    pub unit: &'static str,
    /// What it is.
    pub meaning: String,
}

impl Quantity {
    /// A quantity of one number.
    pub fn new(name: impl Into<String>, unit: &'static str, meaning: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            unit,
            meaning: meaning.into(),
        }
    }

    /// The three components of a vector.
    pub fn vector(name: &str, unit: &'static str, meaning: &str) -> [Self; 3] {
        ["x", "y", "z"].map(|c| Self::new(format!("{name}.{c}"), unit, format!("{meaning}, {c}")))
    }
}

/// A law that makes controls of what is measured.
///
/// ```
/// use carom::control::{Controller, Feedback, Quantity, Sampling, View};
/// use carom::model::Frame;
/// use carom::prelude::*;
///
/// /// Pushes a cart back to where it came from.
/// #[derive(Debug)]
/// struct Spring(f64);
///
/// impl Controller for Spring {
///     fn quantities(&self) -> Vec<Quantity> {
///         vec![Quantity::new("error", "m", "distance from the origin")]
///     }
///     fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]) {
///         let x = now.simulation().state().poses[0].position.x;
///         inner[0] = x;
///         output[0] = -self.0 * x;
///     }
/// }
///
/// let mut builder = ModelBuilder::new();
/// let cart = BodySpec::particle("cart", 2.0).position(Vector3::x());
/// let cart = builder.body(cart);
/// let motor = builder.wrench("motor", cart, Vector3::zeros(), Frame::Inertial, vec![]);
/// let mut simulation = Simulation::new(builder.build()?, Settings::with_step(0.01))?;
/// let mut feedback = Feedback::new(simulation.model());
/// feedback.add(simulation.model(), "spring", &[motor], Box::new(Spring(8.0)), Sampling::default())?;
/// // Half a period of ω = 2 rad/s.
/// for _ in 0..157 {
///     feedback.step(&mut simulation)?;
/// }
/// assert!((simulation.state().poses[0].position.x + 1.0).abs() < 0.05);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Controller: fmt::Debug + Send {
    /// Its inner quantities, always the same.
    fn quantities(&self) -> Vec<Quantity> {
        Vec::new()
    }

    /// Called at every sample: fills in the output (zero before), one number for each component of its
    /// actuators, and the inner quantities.
    fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]);

    /// Everything it remembers from one sample to the next. A run that is resumed gets it back bit for bit.
    fn state(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes back what [`state`](Self::state) gave; false if it is not of this controller.
    fn restore(&mut self, state: &[f64]) -> bool {
        state.is_empty()
    }
}

/// What a controller sees at a sample: the simulation, and quantities of it as they are measured.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub(super) simulation: &'a Simulation,
    pub(super) columns: &'a Columns,
    pub(super) measured: &'a [f64],
    pub(super) interval: f64,
    pub(super) limits: &'a [[f64; 2]],
}

impl<'a> View<'a> {
    /// The simulation itself, without noise.
    pub fn simulation(&self) -> &'a Simulation {
        self.simulation
    }

    /// Time now.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Time from one sample to the next.
    pub fn interval(&self) -> f64 {
        self.interval
    }

    /// The quantities of [`Columns`] with noise, in their order; forces of joints are NaN.
    pub fn measured(&self) -> &'a [f64] {
        self.measured
    }

    /// A measured quantity by the name of its column.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.columns.find(name).map(|k| self.measured[k])
    }

    /// Least and largest value of each output; empty for none.
    pub fn limits(&self) -> &'a [[f64; 2]] {
        self.limits
    }
}

/// Where a body is found among measured quantities.
#[derive(Clone, Debug, PartialEq)]
pub enum Sight {
    /// It never moves.
    Still(Box<Pose>),
    /// A particle: position and velocity begin at this place.
    Particle(usize),
    /// A rigid body: position, velocity, directors and angular velocity begin at this place.
    Rigid(usize),
}

impl Sight {
    /// Finds a body of a model among the columns of its runs; `None` is the world.
    pub fn of(model: &Model, columns: &Columns, body: Option<BodyId>) -> Self {
        let Some(body) = body.map(|b| model.body(b)) else {
            return Sight::Still(Box::default());
        };
        let first = columns.find(&format!("{}.x", body.name));
        match (&body.kind, first) {
            (BodyKind::Rigid { .. }, Some(k)) => Sight::Rigid(k),
            (BodyKind::Particle { .. }, Some(k)) => Sight::Particle(k),
            _ => Sight::Still(Box::new(body.start)),
        }
    }

    /// Pose and twist as measured.
    pub fn look(&self, measured: &[f64]) -> (Pose, Twist) {
        let three = |k: usize| Vector3::new(measured[k], measured[k + 1], measured[k + 2]);
        match self {
            Sight::Still(pose) => (**pose, Twist::default()),
            Sight::Particle(k) => (
                Pose::new(three(*k), Vector3::zeros()),
                Twist {
                    v: three(k + 3),
                    w: Vector3::zeros(),
                },
            ),
            Sight::Rigid(k) => (
                Pose {
                    position: three(*k),
                    directors: Matrix3::from_column_slice(&measured[k + 6..k + 15]),
                },
                Twist {
                    v: three(k + 3),
                    w: three(k + 15),
                },
            ),
        }
    }

    /// The same as a motion, angular velocity along the axes of the body.
    pub fn motion(&self, measured: &[f64]) -> Motion {
        let (pose, twist) = self.look(measured);
        Motion {
            position: pose.position,
            velocity: twist.v,
            orientation: pose.directors,
            angular_velocity: pose.directors.tr_mul(&twist.w),
        }
    }
}
