//! Sweeps: one scenario run many times with other values, and what was measured as a table.
//!
//! ```
//! use carom::scenario::{Document, Options};
//! use carom::sweep::Sweep;
//! let text = r#"
//! [parameters]
//! speed = 1
//! [body.ball]
//! shape = { box = [0.1, 0.1, 0.1] }
//! density = 1000
//! velocity = ["speed", 0, 0]
//! [simulate]
//! duration = 1.0
//! step = 0.1
//! [measure]
//! reach = { largest = "ball.x" }
//! [success]
//! that = "reach > 1.5"
//! [sweep]
//! vary.speed = [1, 2]
//! "#;
//! let document = Document::parse("ball.toml", text, &Options::default(), None)?;
//! let sweep = Sweep::new(document)?;
//! let rows: Vec<_> = (0..sweep.runs()).map(|run| sweep.row(run)).collect();
//! assert_eq!([rows[0].success, rows[1].success], [Some(false), Some(true)]);
//! # Ok::<(), carom::scenario::ScenarioError>(())
//! ```

mod journal;
mod measured;
mod page;
mod run;
mod sample;
mod table;

pub use journal::{Journal, JournalError};
pub use measured::{Measured, measured};
pub use page::page;
pub use run::{Progress, advance};
pub use table::{Table, interval};

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use crate::record::mesh_name;
use crate::scenario::{Axis, Document, Scenario, ScenarioError, SweepSpec};
use sample::Sampler;

/// A scenario and how it is varied.
#[derive(Clone, Debug)]
pub struct Sweep {
    document: Document,
    spec: SweepSpec,
    sampler: Sampler,
    base: Scenario,
    measures: Vec<String>,
}

/// What came out of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the run, from 0.
    pub run: u64,
    /// The varied values, as `--set` takes them.
    pub values: Vec<String>,
    /// What was measured; NaN for what is not known.
    pub measures: Vec<f64>,
    /// Whether the run is a success, where the scenario says what that is.
    pub success: Option<bool>,
    /// `done`, `failed` (a step failed) or `refused` (the scenario is not sound with these values).
    pub status: &'static str,
    /// Why it is not done.
    pub reason: String,
    /// Duration, steps, contacts and largest overlap.
    pub ledger: [f64; 4],
}

impl Sweep {
    /// Checks that the scenario is sound, that measures can be measured, and that what is varied exists.
    pub fn new(document: Document) -> Result<Self, ScenarioError> {
        let base = document.scenario(&[])?;
        let file = &base.file;
        let Some(spec) = base.sweep()? else {
            return Err(ScenarioError::plain(
                file,
                "there is no [sweep] section",
                "say what is varied: [sweep] with vary.NAME = [1, 2, 3]",
            ));
        };
        if base.optimise.is_some() {
            return Err(ScenarioError::plain(
                file,
                "a sweep runs simulations, and this is a plan",
                "give a scenario with [simulate]",
            ));
        }
        let model = std::sync::Arc::new(base.build()?);
        let columns = base.columns(&model)?;
        let measures = base.measures(columns.names())?;
        let measures = measures.list.iter().map(|m| m.name.clone()).collect();
        let sampler = Sampler::new(&spec);
        let sweep = Self {
            document,
            spec,
            sampler,
            base,
            measures,
        };
        // Keys that do not exist make every run fail: say so before the first one.
        let last = sweep.runs() - 1;
        let mut tried = [0, last / 2, last].map(|run| sweep.scenario(run).err());
        match tried.iter().all(Option::is_some) {
            true => tried[0].take().map_or(Ok(sweep), Err),
            false => Ok(sweep),
        }
    }

    /// Number of runs.
    pub fn runs(&self) -> u64 {
        let grid = self.spec.axes.iter().map(|(_, axis)| match axis {
            Axis::Values(values) => values.len() as u64,
            Axis::Samples(_) => 1,
        });
        grid.product::<u64>() * self.spec.samples
    }

    /// The scenario whose values are varied.
    pub fn base(&self) -> &Scenario {
        &self.base
    }

    /// The sweep as a file of its own: variant and overrides applied, mesh files in `meshes/`.
    pub fn to_toml(&self) -> String {
        self.base.to_toml(&mesh_name)
    }

    /// Mesh files as found, with the names that [`to_toml`](Self::to_toml) gives them.
    pub fn meshes(&self) -> Vec<(PathBuf, String)> {
        let meshes = self.base.meshes.iter();
        meshes
            .map(|(written, path)| (path.clone(), mesh_name(written)))
            .collect()
    }

    /// What is varied.
    pub fn spec(&self) -> &SweepSpec {
        &self.spec
    }

    /// Names of the measures.
    pub fn measures(&self) -> &[String] {
        &self.measures
    }

    /// The values of a run, in the order of the axes. The last axis changes fastest, samples faster still;
    /// every point of the grid has the same samples.
    pub fn values(&self, run: u64) -> Vec<String> {
        let mut values = vec![String::new(); self.spec.axes.len()];
        let (sample, mut rest) = (run % self.spec.samples, run / self.spec.samples);
        let point = self.sampler.point(sample);
        let mut sampled = point.len();
        for (value, (_, axis)) in values.iter_mut().zip(&self.spec.axes).rev() {
            *value = match axis {
                Axis::Values(list) => {
                    let k = rest % list.len() as u64;
                    rest /= list.len() as u64;
                    list[k as usize].clone()
                }
                Axis::Samples(range) => {
                    sampled -= 1;
                    format!("{:?}", range.at(point[sampled]))
                }
            };
        }
        values
    }

    /// The scenario of a run.
    pub fn scenario(&self, run: u64) -> Result<Scenario, ScenarioError> {
        let set: Vec<String> = (self.spec.axes.iter().zip(self.values(run)))
            .map(|((key, _), value)| format!("{key}={value}"))
            .collect();
        self.document.scenario(&set)
    }

    /// Makes a run and measures it.
    pub fn row(&self, run: u64) -> Row {
        let never = AtomicBool::new(false);
        self.row_unless(run, &never).unwrap_or_else(|| {
            unreachable!("a run that nothing stops comes to an end");
        })
    }

    /// Makes a run and measures it; nothing if it is stopped on the way.
    pub fn row_unless(&self, run: u64, stop: &AtomicBool) -> Option<Row> {
        let mut row = Row {
            run,
            values: self.values(run),
            measures: vec![f64::NAN; self.measures.len()],
            success: None,
            status: "refused",
            reason: String::new(),
            ledger: [f64::NAN; 4],
        };
        // A fault of ours in one run must not end the others.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            measured(&self.scenario(run)?, stop)
        }));
        match result {
            Ok(Ok(None)) => return None,
            Ok(Ok(Some(measured))) => {
                (row.status, row.reason) = match measured.failure {
                    None => ("done", String::new()),
                    Some(error) => ("failed", error.to_string()),
                };
                row.measures = measured.values;
                // A run that failed is no success, whatever it had reached.
                row.success = measured.success.map(|s| s && row.status == "done");
                row.ledger = measured.ledger;
            }
            Ok(Err(error)) => row.reason = error.to_string(),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                row.status = "failed";
                row.reason = format!("internal fault: {}", text.unwrap_or("unknown"));
            }
        }
        Some(row)
    }
}
