//! Runs scenarios into output folders: simulations and plans, from start (or checkpoint) to files and report. [`record`]
//! does the same for simulations that programs build themselves.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use carom::record::Folder;
//! use carom::run::{Observer, run};
//! use carom::scenario::Scenario;
//!
//! let text = std::fs::read_to_string("cube.toml")?;
//! let scenario = Scenario::parse("cube.toml", &text)?;
//! let mut folder = Folder::open("out/cube".as_ref(), false)?;
//! let stop = AtomicBool::new(false);
//! let mut observer = Observer { progress: &mut |p| println!("{:.3} s", p.time), stop: &stop };
//! let outcome = run(&scenario, &mut folder, false, &mut observer)?;
//! println!("{}", outcome.status.name());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "optimise")]
mod plan;
mod simulation;

#[cfg(feature = "optimise")]
pub use plan::{PlanOutcome, run_plan};
pub use simulation::{Observer, Outcome, Progress, RunError, is_complete, record, run};
