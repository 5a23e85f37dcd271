//! Optimal control: discrete mechanics and optimal control of constrained systems (DMOCC).
//!
//! A [`Problem`] asks for controls that bring a model from one state to another while a cost is
//! least and bodies do not overlap. It is transcribed on the discrete mechanics of the simulator
//! (thesis (4.21)): what the optimiser plans, [`replay`] runs.
//!
//! | file | holds |
//! | --- | --- |
//! | `problem`, `formula`, `poly`, `push` | phases, states, conditions, terms; expressions; polynomials and directions |
//! | `chart`, `steps` | nodes q_k = F_d(u_k, q̄_k), inertia and forces of a step |
//! | `layout`, `path`, `dynamics` | unknowns, the motion at their present values, its balance |
//! | `family`, `corner`, `rows`, `quantity`, `cost` | families of rows and what is minimised, with exact derivatives |
//! | `receding` | problems that begin elsewhere |
//! | `recur`, `recurring`, `opening`, `hanging`, `ends`, `parameter` | periodic boundaries, starts, velocities of single bodies at the ends, and of all that moves with them, numbers to be found |
//! | `closures`, `draft`, `assemble`, `idle`, `independent`, `build`, `transcription` | from a problem to a program |
//! | `avoid` | which gaps are rows, planes between bodies, check between the nodes |
//! | `nlp`, `scale`, `program` | sparse programs, natural sizes, scaling |
//! | `pounce`, `near`, `kkt`, `curvature` | the solver, Newton's method near a solution, their linear systems, the way down from a saddle |
//! | `layers` | two layers: smooth segments within, collision states and times without |
//! | `status`, `rank`, `foresee`, `assess` | how a search ended; what nothing drives; what cannot be |
//! | `guess`, `begin`, `reach`, `detour`, `explore`, `warm` | guesses, inverse kinematics, ways round and through obstacles, warm starts |
//! | `search`, `saddles`, `cornered`, `slower`, `found`, `finish`, `plan`, `solve`, `replay` | from a guess to a plan and back through the simulator |
//!
//! ```
//! use std::sync::Arc;
//! use carom::model::{BodySpec, Frame, ModelBuilder};
//! use carom::optimise::*;
//! use nalgebra::{Matrix3, Vector3};
//! // A body of 2 kg goes one metre in one second, from rest to rest.
//! let mut builder = ModelBuilder::new();
//! let body = builder.body(BodySpec::rigid("body").mass(2.0).inertia(Matrix3::identity()));
//! builder.wrench("thruster", body, Vector3::zeros(), Frame::Inertial, vec![]);
//! let model = Arc::new(builder.build().unwrap());
//! let phase = Phase { steps: 20, step: 0.05, ..Phase::default() };
//! let problem = Problem {
//!     minimise: vec![Term::Effort { weights: vec![1.0; 6] }],
//!     start: Boundary {
//!         conditions: vec![
//!             Condition::at(body, &Vector3::zeros()),
//!             Condition::Orientation { body, directors: Matrix3::identity() },
//!         ],
//!         motions: vec![Motion::rest(body)],
//!     },
//!     goal: Boundary {
//!         conditions: vec![Condition::at(body, &Vector3::x())],
//!         motions: vec![Motion::rest(body)],
//!     },
//!     ..Problem::new(Arc::clone(&model), vec![phase])
//! };
//! let guess = Guess::through(&problem, &[Way::start(&model, 0)]).unwrap();
//! let plan = solve(&problem, &guess, &Settings::default(), &InteriorPoint, None).unwrap();
//! assert_eq!(plan.status, Status::Solved);
//! assert!((plan.objective - 48.0).abs() < 0.2); // 12 m² d² / T³ as h → 0
//! let replay = replay(&problem, &plan, |_, _| {}).unwrap();
//! assert!(replay.error < 1e-10);
//! ```

mod assemble;
mod assess;
mod astray;
mod avoid;
mod ball;
mod begin;
mod blocks;
mod build;
mod chart;
mod closed;
mod closures;
mod coarser;
mod contact_point;
mod corner;
mod cornered;
mod cost;
mod crossing;
#[cfg(feature = "optimise")]
mod curvature;
mod detour;
mod draft;
mod dynamics;
mod elsewhere;
mod ends;
mod error;
mod explore;
mod face;
mod family;
mod feature;
mod finish;
mod flat;
mod foresee;
mod formula;
mod found;
mod given;
mod guess;
mod hanging;
mod hold;
mod idle;
mod impact;
mod independent;
#[cfg(feature = "optimise")]
mod kkt;
mod layers;
mod layout;
mod meeting;
#[cfg(feature = "optimise")]
mod near;
mod nearest;
mod nlp;
mod opening;
mod parameter;
mod path;
mod penalty;
mod plan;
mod poly;
#[cfg(feature = "optimise")]
mod pounce;
mod problem;
mod program;
mod push;
mod quantity;
mod random;
mod rank;
mod reach;
mod receding;
mod recur;
mod recurring;
mod rehearse;
mod replay;
mod rows;
mod rubbing;
mod saddles;
mod scale;
mod search;
mod sensitivity;
mod sequence;
mod slower;
mod solve;
mod spots;
mod status;
mod steps;
#[cfg(test)]
mod tests;
mod transcription;
mod validate;
mod warm;
mod way;
mod wheels;

pub use detour::{GuessOverlap, guess_overlaps};
pub use error::OptimiseError;
pub use foresee::foresee;
pub use formula::{Formula, NamedPoint, control_names};
pub use guess::{Guess, Place, Way};
pub use layers::OuterLayer;
pub(crate) use layout::node_times;
pub use meeting::{Closed, Impact, Meeting, Penalty, Sequences, Touch, Transition};
pub use nlp::{
    Descent, Iteration, Leaf, Multipliers, Nlp, NlpSolver, Pattern, Response, Solution,
    SolverSettings, SolverStatus, Watch,
};
pub use parameter::Parameter;
pub(crate) use parameter::add_up;
pub use plan::{
    Candidate, HeldContact, Observer, Plan, PlannedContact, Progress, Settings, Violation,
};
pub use poly::Poly;
#[cfg(feature = "optimise")]
pub use pounce::InteriorPoint;
pub(crate) use problem::connected;
pub use problem::{
    Avoid, Boundary, Condition, GapRows, Make, Motion, Phase, Problem, Remake, Scheme, Term,
    Travel, Via,
};
pub use recur::Recurrence;
pub use replay::{Replay, replay};
pub use sensitivity::{NoDerivative, Sensitivity, sensitivity};
pub use solve::solve;
pub use status::{Optimality, Status};
pub use warm::Warm;
