//! carom simulates and optimally controls bodies that collide, with integrators that conserve what
//! physics conserves: momentum to round-off, energy without drift, bodies that do not overlap.
//!
//! | module | holds |
//! | --- | --- |
//! | [`prelude`] | what most programs need, in one `use` |
//! | [`geometry`], [`gap`], [`distance()`] | convex bodies, mass properties, collision detection (crate `carom-gap`) |
//! | [`model`] | bodies, joints, forces, actuators, materials: checked when built, then immutable |
//! | [`mechanics`] | null space, constraints, discrete Lagrangian: pure functions of a model and a configuration |
//! | [`contact`] | pairs, first contact, impacts, resting contact, contact potentials |
//! | [`simulate`] | the variational integrator, steps through collisions, the ledger of a run |
//! | [`optimise`] | optimal control: problems, guesses, plans, their replay |
//! | [`scenario`] | scenario files |
//! | [`record`] | what a run leaves: frames, contacts, checkpoints, summaries, tables |
//! | [`report`] | what people look at: reports, figures, glTF |
//! | [`run`] | runs scenarios, and simulations of programs, into output folders |
//! | [`control`] | feedback laws and their references |
//! | [`sweep`] | many runs of one scenario with different values, and their table |
//! | [`words`] | counts in words |
//! | [`expression`] | arithmetic in text |
//!
//! A cube falls onto a floor and bounces:
//!
//! ```
//! use carom::prelude::*;
//!
//! let cube = Shape::single(Polytope::cuboid(0.2, 0.2, 0.2)?, 500.0)?;
//! let mut builder = ModelBuilder::new();
//! builder.gravity(Vector3::new(0.0, 0.0, -9.81));
//! builder.body(BodySpec::rigid("cube").shape(cube).position(Vector3::z() * 0.5));
//! builder.wall("floor", HalfSpace::new(Vector3::z(), 0.0)?, None);
//! builder.contact_default(0.5, 0.3);
//! let settings = Settings { law: Law::exact(), ..Settings::with_step(0.001) };
//! let mut simulation = Simulation::new(builder.build()?, settings)?;
//! simulation.run(1000)?;
//! for event in simulation.events() {
//!     println!("{}", event.describe(simulation.model()));
//! }
//! assert!(simulation.state().poses[0].position.z > 0.0999);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The programs under `examples/` show a simulation, a controller, a plan and a gap query; most users need no
//! Rust at all but the program `carom` and a [scenario file](scenario).
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod record;
pub mod report;
pub mod run;
pub mod scenario;
pub mod sweep;

pub mod prelude;

/// The programs of README and docs are tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/view.md")]
    struct View;
    #[doc = include_str!("../../../docs/tasks/controller.md")]
    struct Controller;
}

pub use nalgebra;

#[doc(inline)]
pub use carom_engine::{
    contact, control, elastic, expression, mechanics, model, optimise, simulate, words,
};
pub use carom_gap::{
    Aabb, BroadPhase, Distance, Membership, Pose, Vertices, distance, gap, geometry,
};
