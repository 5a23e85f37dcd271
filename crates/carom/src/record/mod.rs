//! What a run leaves in its folder, written and read back.
//!
//! | file | holds |
//! | --- | --- |
//! | `summary.json` | the end state, the ledger and the settings in short |
//! | `trajectory.csv`, `trajectory.npy` | the recorded frames, see [`Columns`] |
//! | `columns.json` | what their columns are: names, units, frames, meaning |
//! | `contacts.csv` | all contact events |
//! | `scenario.toml` | what was run, complete: running it again gives the same |
//! | `report.html` | motion, curves, contacts and ledger, for people |
//! | `motion.glb` | the motion as glTF |
//! | `checkpoint.bin` | while a run is unfinished: where to go on, bit for bit |
//! | `.carom` | names of the files above; other files are never touched |
//!
//! A run that is stopped (or killed) can be resumed: the checkpoint holds the exact state and
//! ledger and how many frames and contact events belong to it; what is beyond them is cut off.

mod checkpoint;
mod contacts;
mod export;
mod folder;
mod frames;
mod measures;
mod plan_summary;
#[cfg(feature = "optimise")]
pub(crate) mod plan_tables;
mod provenance;
mod summary;
pub(crate) mod verdict;
mod words;

#[doc(no_inline)]
pub use crate::simulate::{Column, Columns};
pub use checkpoint::{Checkpoint, CheckpointError};
pub(crate) use contacts::FORCE;
pub use contacts::{Contacts, ContactsLength, RecordedContact};
pub use export::{ExportError, Table, parquet};
pub(crate) use folder::mesh_name;
pub use folder::{Folder, FolderError};
pub use frames::Frames;
pub use measures::Accumulator;
pub use plan_summary::{ActiveGap, PhaseSummary, PlanSummary, StartSummary, ViolationSummary};
pub use provenance::Provenance;
pub use summary::{
    Change, ContactValues, End, Known, Sizes, Span, Status, Summary, UnsettledInstant,
};
pub use verdict::{EnergyBalance, Fixed, Line, MomentumBalance, Verdict, ledger, plan_ledger};
