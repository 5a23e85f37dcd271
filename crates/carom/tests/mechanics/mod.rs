//! Mechanics and integrators: structure, conservation, order, joints, and models that are refused.

mod actuators;
mod conservation;
mod departure;
mod derivatives;
mod formulations;
mod joint_physics;
mod joint_trees;
mod model_errors;
mod newmark;
mod null_space;
mod planar;
mod reactions;
mod reference_ode;
mod run_errors;
mod state;
