//! What most programs need: `use carom::prelude::*;`.
//!
//! Vectors and matrices are nalgebra's; the whole crate is [`carom::nalgebra`](crate::nalgebra).

pub use crate::gap::HalfSpace;
pub use crate::geometry::{Polytope, Shape};
#[doc(no_inline)]
pub use crate::model::{BodySpec, JointSpec, Law, Material, Model, ModelBuilder};
pub use crate::scenario::Scenario;
#[doc(no_inline)]
pub use crate::simulate::{ContactEvent, Settings, Simulation, State, StepInfo};
pub use crate::{Pose, Vertices};
pub use nalgebra::{Matrix3, UnitQuaternion, Vector3};
