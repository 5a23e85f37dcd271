//! Discrete mechanics: pure functions of a model and its configurations. No contact, no files.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `numbers` | numbers that carry derivatives |
//! | `so3` | exponential map of rotations and its tangent |
//! | `vectors` | twists, wrenches, covectors |
//! | `kinematics` | null space P(q), retraction F_d(u, q), Pᵀ |
//! | `constraints` | g(q) and G(q) of rigid bodies, joints and loops |
//! | `forces` | potentials, dampers, and how they change with the end of a step |
//! | `joint_laws` | springs, dampers, rotors and servos along joint coordinates |
//! | `actuators` | controls and loads of a step, the input map |
//! | `masses` | mass and drag in redundant coordinates |
//! | `lagrangian` | L_d of the bodies, its derivatives, the Legendre transforms |
//! | `linkage` | discrete Lagrangian with configuration-dependent mass |
//! | `parts` | parts of a model that nothing couples: one partition for each kind of coupling |
//! | `share` | the part of a model that a step works on |
//! | `tree_solve` | linear systems over a tree in linear time |
//! | `velocity` | joint velocities of momenta, loops included |
//! | `dense` | small dense systems |
//! | `sparse_cholesky` | sparse symmetric ones, whose pattern is analysed once |

mod actuators;
mod constraints;
pub(crate) mod dense;
mod forces;
mod joint_laws;
mod kinematics;
mod lagrangian;
pub(crate) mod linkage;
mod masses;
pub(crate) mod numbers;
mod parts;
mod share;
mod so3;
mod sparse_cholesky;
mod tree_solve;
mod vectors;
mod velocity;

pub(crate) use actuators::slides;
pub use actuators::{actuator_wrenches, add_actuators, input_map, sample_controls};
pub(crate) use constraints::{Constraint, each_constraint};
pub use constraints::{
    Row, body_rows, each_coordinate, joint_coordinate, joint_coordinate_rate, joint_coordinates,
    joint_rows, row_count, violation,
};
pub use forces::{
    Block, PairForce, Pull, SolidField, StepFrame, Supports, add_damper_covectors, add_dampers,
    add_damping, add_influence_blocks, add_influences, add_viscous_forces, between, blocks_of,
    damper_impulse, damper_slope, out_of_range, pair_curvature, pair_force, point_block,
    point_stiffnesses, point_velocity, potential, potential_forces, potential_forces_by,
    potential_hessian, potential_with, pull, solid_stiffnesses, user_stiffnesses,
};
pub use joint_laws::{add_along, add_along_wrenches, joint_potential, law_coordinate, law_motion};
pub(crate) use kinematics::parent_pose;
pub use kinematics::{
    Increment, JointFrame, Place, along_joint, carry, coordinate_count, coordinate_starts,
    hand_down, increment_rate, joint_frame, joint_frame_at, joint_increment, null_space,
    orthonormal, rates, reduce, reduce_joints, retract, retract_joint, twists,
};
pub use lagrangian::{
    DiscreteLagrangian, SecondDerivatives, coordinates, differences, discrete_lagrangian,
    discrete_slopes, flatten, legendre, second_derivatives,
};
pub use masses::{drag_times, mass_matrix, mass_times, momentum};
pub use numbers::{Dual, Real, Second};
pub(crate) use parts::{Part, Parts, Ties};
pub use share::Share;
pub use so3::{dexp, dexp_inverse, exp_minus_identity, hat, log, turned};
pub(crate) use sparse_cholesky::SparseCholesky;
pub use tree_solve::{TreeSolver, inertia};
pub use vectors::{Covector, NO_WRENCH, Twist, Wrench, blocks, wrench_from, wrench_vector};
pub use velocity::VelocitySolver;
