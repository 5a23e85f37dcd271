//! Feedback: forces and torques from what is measured.
//!
//! [`Tracking`] is the law of thesis 4.5 on SO(3) × R³: errors of orientation live in the Lie algebra by a
//! [`Retraction`], so that there are as many as freedoms. [`VirtualDipole`] is the reference of thesis 4.5.5, the
//! field line of a dipole in the receiving craft. Controls reach a body through its wrench actuator and
//! [`Simulation::step_controlled`](crate::simulate::Simulation::step_controlled).

mod aim;
mod axes;
mod computed_torque;
mod controller;
mod dipole;
mod expressions;
mod feedback;
mod lqr;
mod plan_path;
mod pose;
mod retraction;
#[cfg(test)]
mod tests;
mod tracking;

pub use aim::Aim;
pub use axes::{Axis, Pid};
pub use computed_torque::ComputedTorque;
pub use controller::{Controller, Quantity, Sight, View};
pub use dipole::VirtualDipole;
pub use expressions::{Derive, Expressions, Integrated};
pub use feedback::{ControlError, Feedback, Inexact, Noise, Sampling};
pub use lqr::{Lqr, Weights};
pub use plan_path::{Nodes, PlanPath};
pub use pose::{Port, PoseController};
pub use retraction::Retraction;
pub use tracking::{Command, Motion, Reference, Tracking};
