//! Drives a simulation from start (or checkpoint) to end and writes its results.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::control::Feedback;
use crate::record::{
    Accumulator, Checkpoint, CheckpointError, Contacts, Folder, FolderError, Frames, Known,
    Provenance, Status, Summary, mesh_name, verdict,
};
use crate::report;
use crate::scenario::{Scenario, ScenarioError, Start};
use crate::simulate::{Columns, Simulation, State};

const CHECKPOINT: &str = "checkpoint.bin";
const FRAMES: &str = "trajectory.npy";
const CONTACTS: &str = "contacts.csv";
/// Contact events that the summary holds.
const SUMMARY_CONTACTS: usize = 1_000;

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Steps made.
    pub steps: u64,
    /// Steps to make.
    pub of: u64,
    /// Time in the simulation, in s.
    pub time: f64,
    /// Contact events so far.
    pub contacts: u64,
}

/// What may watch and stop a run.
pub struct Observer<'a> {
    /// Called about ten times a second.
    pub progress: &'a mut dyn FnMut(Progress),
    /// Set to stop after the present step.
    pub stop: &'a AtomicBool,
}

/// Why a run did not start, or its results could not be written.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scenario cannot be run.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// The output folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The checkpoint cannot be used.
    #[error("{path}: {source}")]
    Checkpoint {
        /// The folder.
        path: String,
        /// Why.
        source: CheckpointError,
    },
}

/// What came out.
#[derive(Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The summary as written.
    pub summary: Summary,
    /// Frames recorded.
    pub frames: u64,
    /// The step it was resumed from.
    pub resumed_from: Option<u64>,
}

/// Runs a scenario and writes its results into a folder. With `resume`, goes on from the last
/// checkpoint there, if any.
pub fn run(
    scenario: &Scenario,
    folder: &mut Folder,
    resume: bool,
    observer: &mut Observer,
) -> Result<Outcome, RunError> {
    let begin = Instant::now();
    let model = Arc::new(scenario.build()?);
    let Start {
        state: start,
        warnings,
        separated,
    } = scenario.start(&model)?;
    let text = scenario.to_toml(&mesh_name);
    let fingerprint = Checkpoint::fingerprint(&text);
    let checkpoint = match resume && folder.has(CHECKPOINT) {
        true => Some(read_checkpoint(folder, fingerprint, &start)?),
        false => None,
    };
    let resumed_from = checkpoint.as_ref().map(|c| c.ledger.steps);
    let feedback = scenario.feedback(&model)?;
    let simulation = Simulation::from_state(model, scenario.settings.simulator(), start);
    let mut simulation = simulation.map_err(|error| scenario.place(&error))?;
    let parts = (&mut simulation, feedback);
    let mut run = Run::new(scenario, parts, folder, fingerprint, checkpoint)?;
    run.write_scenario(&text)?;
    let status = run.advance(observer)?;
    let mut summary = run.summary(&status)?;
    (summary.warnings, summary.separated) = (warnings, separated);
    summary.provenance = Provenance::of(&text);
    run.conclude(begin, status, summary, resumed_from)
}

/// Makes steps of a simulation that a program built itself, from where it is, and writes frames, contacts, summary and
/// report into the folder `out`. A step that fails ends the record: [`Outcome::status`] says so, and what was computed is
/// written. Actuators do what their values say, or nothing. Events go to `contacts.csv`; those of steps made before are
/// dropped, while the ledger counts from where the simulation began.
///
/// ```
/// use carom::prelude::*;
/// use carom::run::record;
///
/// let mut builder = ModelBuilder::new();
/// builder.gravity(Vector3::new(0.0, 0.0, -9.81));
/// let cube = Shape::single(Polytope::cuboid(0.2, 0.2, 0.2)?, 500.0)?;
/// builder.body(BodySpec::rigid("cube").shape(cube));
/// let mut simulation = Simulation::new(builder.build()?, Settings::with_step(0.01))?;
/// # let out = std::env::temp_dir().join("carom-record-example");
/// let outcome = record(&mut simulation, "falling cube", 100, &out)?;
/// assert!(out.join("report.html").exists() && outcome.summary.steps == 100);
/// # std::fs::remove_dir_all(out)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn record(
    simulation: &mut Simulation,
    name: &str,
    steps: u64,
    out: &Path,
) -> Result<Outcome, RunError> {
    let begin = Instant::now();
    let mut folder = Folder::open(out, false)?;
    simulation.take_events();
    let scenario = Scenario::programmed(name, simulation, steps);
    let feedback = Feedback::new(&Arc::new(simulation.model().clone()));
    let mut run = Run::new(&scenario, (simulation, feedback), &mut folder, 0, None)?;
    run.write_columns()?;
    let stop = AtomicBool::new(false);
    let status = run.advance(&mut Observer {
        progress: &mut |_| {},
        stop: &stop,
    })?;
    let mut summary = run.summary(&status)?;
    summary.provenance = Provenance {
        // There is no text to take it of.
        scenario_hash: String::new(),
        ..Provenance::of("")
    };
    run.conclude(begin, status, summary, None)
}

/// Whether a folder holds the finished run of this very scenario.
pub fn is_complete(scenario: &Scenario, folder: &Folder) -> bool {
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let summary: serde_json::Value =
        serde_json::from_str(&read("summary.json")).unwrap_or_default();
    summary["status"] == Status::Done.name()
        && read("scenario.toml") == scenario.to_toml(&mesh_name)
}

fn read_checkpoint(
    folder: &Folder,
    fingerprint: u64,
    start: &State,
) -> Result<Checkpoint, RunError> {
    let bytes = std::fs::read(folder.path().join(CHECKPOINT));
    let bytes = bytes.map_err(|source| folder.error(CHECKPOINT, source))?;
    Checkpoint::from_bytes(&bytes, fingerprint, start).map_err(|source| RunError::Checkpoint {
        path: folder.path().display().to_string(),
        source,
    })
}

struct Run<'a> {
    scenario: &'a Scenario,
    simulation: &'a mut Simulation,
    feedback: Feedback,
    folder: &'a mut Folder,
    frames: Frames,
    contacts: Contacts,
    columns: Columns,
    row: Vec<f64>,
    fingerprint: u64,
    begin: Instant,
    /// Wall time of the runs before this one was resumed.
    wall_before: f64,
}

impl<'a> Run<'a> {
    fn new(
        scenario: &'a Scenario,
        (simulation, mut feedback): (&'a mut Simulation, Feedback),
        folder: &'a mut Folder,
        fingerprint: u64,
        checkpoint: Option<Checkpoint>,
    ) -> Result<Self, RunError> {
        let mut columns = Columns::of(simulation.model(), scenario.settings.forces);
        columns.extend(feedback.columns());
        let path = folder.claim(FRAMES)?;
        let events = folder.claim(CONTACTS)?;
        let (frames, contacts, wall_before) = match checkpoint {
            None => (
                Frames::create(&path, columns.clone()),
                Contacts::create(&events),
                0.0,
            ),
            Some(checkpoint) => {
                let frames = Frames::reopen(&path, columns.clone(), checkpoint.frames);
                let contacts = Contacts::reopen(&events, checkpoint.contacts);
                simulation.restore(checkpoint.state, checkpoint.ledger);
                if !feedback.restore(&checkpoint.feedback) {
                    return Err(RunError::Checkpoint {
                        path: folder.path().display().to_string(),
                        source: CheckpointError::Damaged,
                    });
                }
                let (since, impulses) = checkpoint.pressed;
                simulation.restore_contact_impulses(since, impulses);
                (frames, contacts, checkpoint.wall_seconds)
            }
        };
        let frames = frames.map_err(|source| folder.error(FRAMES, source))?;
        let contacts = contacts.map_err(|source| folder.error(CONTACTS, source))?;
        Ok(Self {
            scenario,
            simulation,
            feedback,
            folder,
            frames,
            contacts,
            row: Vec::with_capacity(columns.names().len()),
            columns,
            fingerprint,
            begin: Instant::now(),
            wall_before,
        })
    }

    fn write_scenario(&mut self, text: &str) -> Result<(), RunError> {
        for (written, path) in &self.scenario.meshes {
            self.folder.copy(path, &mesh_name(written))?;
        }
        self.folder.write("scenario.toml", text.as_bytes())?;
        self.write_columns()
    }

    fn write_columns(&mut self) -> Result<(), RunError> {
        let columns = self.columns.to_json();
        self.folder.write("columns.json", columns.as_bytes())?;
        Ok(())
    }

    fn record(&mut self) -> Result<(), FolderError> {
        let (time, impulses) = self.columns.row(self.simulation, &mut self.row);
        self.feedback.row(&mut self.row);
        let pushed = self.frames.push(&self.row);
        pushed.map_err(|source| self.folder.error(FRAMES, source))?;
        if self.scenario.settings.forces && time > 0.0 {
            let (model, now) = (self.simulation.model(), self.simulation.time());
            for impulse in &impulses {
                let pushed = self.contacts.push_force(model, now, time, impulse);
                pushed.map_err(|source| self.folder.error(CONTACTS, source))?;
            }
        }
        Ok(())
    }

    /// Moves the events of the last step to their file.
    fn record_contacts(&mut self) -> Result<(), FolderError> {
        if self.simulation.events().is_empty() {
            return Ok(());
        }
        for event in self.simulation.take_events() {
            let step = self.scenario.settings.step;
            let pushed = self.contacts.push(self.simulation.model(), &event, step);
            pushed.map_err(|source| self.folder.error(CONTACTS, source))?;
        }
        Ok(())
    }

    fn wall(&self) -> f64 {
        self.wall_before + self.begin.elapsed().as_secs_f64()
    }

    fn checkpoint(&mut self) -> Result<(), FolderError> {
        // These first: a checkpoint must never count what is not on the disk.
        let synced = self.frames.sync();
        synced.map_err(|source| self.folder.error(FRAMES, source))?;
        let synced = self.contacts.sync();
        synced.map_err(|source| self.folder.error(CONTACTS, source))?;
        let checkpoint = Checkpoint {
            scenario: self.fingerprint,
            frames: self.frames.rows(),
            contacts: self.contacts.length(),
            wall_seconds: self.wall(),
            state: self.simulation.snapshot(),
            ledger: self.simulation.ledger().clone(),
            feedback: self.feedback.state(),
            pressed: (
                self.simulation.contact_impulses_since(),
                self.simulation.contact_impulses().to_vec(),
            ),
        };
        self.folder.write(CHECKPOINT, &checkpoint.to_bytes())
    }

    fn advance(&mut self, observer: &mut Observer) -> Result<Status, RunError> {
        const SHOW_EVERY: Duration = Duration::from_millis(100);
        let settings = &self.scenario.settings;
        let (every, of) = (
            settings.record_every(self.columns.names().len()),
            settings.steps,
        );
        // Controllers look before a frame is recorded: their errors are those of the frame.
        if let Err(error) = self.feedback.sample(self.simulation) {
            return Ok(Status::Failed(error));
        }
        if self.frames.rows() == 0 {
            self.record()?;
        }
        // Steps of small systems are so short that the clock is looked at now and then only.
        let glance = if self.columns.names().len() > 200 {
            1
        } else {
            16
        };
        let mut shown = Instant::now();
        let mut saved = Instant::now();
        loop {
            let steps = self.simulation.ledger().steps;
            if steps >= of {
                return Ok(Status::Done);
            }
            if observer.stop.load(Ordering::Relaxed) {
                self.checkpoint()?;
                return Ok(Status::Interrupted);
            }
            let made = self.feedback.step(self.simulation);
            let made = made.and_then(|_| self.feedback.sample(self.simulation));
            if let Err(error) = made {
                // A failed step leaves the state before it: the last one there is.
                let unseen = self.simulation.ledger().steps > steps;
                if unseen || !steps.is_multiple_of(every) {
                    self.record()?;
                }
                return Ok(Status::Failed(error));
            }
            let steps = steps + 1;
            self.record_contacts()?;
            // The last state is always a frame.
            if steps.is_multiple_of(every) || steps == of {
                self.record()?;
            }
            let now = steps.is_multiple_of(glance).then(Instant::now);
            if settings.checkpoint_due(steps, now.map(|now| now - saved)) && steps < of {
                self.checkpoint()?;
                saved = Instant::now();
            }
            if let Some(now) = now.filter(|now| *now - shown > SHOW_EVERY) {
                shown = now;
                (observer.progress)(Progress {
                    steps,
                    of,
                    time: self.simulation.time(),
                    contacts: self.contacts.length().events,
                });
            }
        }
    }

    /// Sums up the run.
    fn summary(&mut self, status: &Status) -> Result<Summary, RunError> {
        let wall = self.wall();
        let mut summary = Summary::new(self.scenario, self.simulation, status, wall);
        let first = self.contacts.first(SUMMARY_CONTACTS);
        summary.contacts = first.map_err(|source| self.folder.error(CONTACTS, source))?;
        summary.contact_count = self.contacts.length().events;
        self.measure(&mut summary, status)?;
        Ok(summary)
    }

    /// Enters what the scenario measures, from the recorded frames: a resumed run gives the same.
    fn measure(&mut self, summary: &mut Summary, status: &Status) -> Result<(), RunError> {
        let measures = self.scenario.measures(self.columns.names())?;
        if measures.list.is_empty() && measures.success.is_none() {
            return Ok(());
        }
        let names: Vec<String> = measures.list.iter().map(|m| m.name.clone()).collect();
        let known = measures.list.iter().filter_map(|m| {
            let (value, within) = (m.known?, m.within);
            Some((m.name.clone(), Known { value, within }))
        });
        summary.known = known.collect();
        let mut accumulator = Accumulator::new(measures);
        let read = self.frames.read(&mut |frame| {
            accumulator.push(frame);
            Ok(())
        });
        read.map_err(|source| self.folder.error(FRAMES, source))?;
        let ledger = Accumulator::ledger(self.simulation);
        let (values, success) = accumulator.finish(ledger);
        let known = |value: f64| (!value.is_nan()).then_some(value);
        summary.measures = (names.into_iter())
            .zip(values.into_iter().map(known))
            .collect();
        summary.success = success.map(|s| s && *status == Status::Done);
        Ok(())
    }

    /// Judges the run and writes what is left to write.
    fn conclude(
        mut self,
        begin: Instant,
        status: Status,
        mut summary: Summary,
        resumed_from: Option<u64>,
    ) -> Result<Outcome, RunError> {
        summary.ledger = verdict::ledger(&summary);
        summary.verdict = verdict::overall(&summary, &summary.ledger);
        self.finish(&status, &summary)?;
        summary.wall_seconds_total = begin.elapsed().as_secs_f64() + self.wall_before;
        self.folder
            .write("summary.json", summary.to_json().as_bytes())?;
        Ok(Outcome {
            status,
            frames: self.frames.rows(),
            summary,
            resumed_from,
        })
    }

    /// Writes everything but the summary.
    fn finish(&mut self, status: &Status, summary: &Summary) -> Result<(), RunError> {
        let csv = self.folder.claim("trajectory.csv")?;
        let mut write = || -> io::Result<()> {
            self.frames.finish()?;
            self.frames.write_csv(&csv)
        };
        write().map_err(|source| self.folder.error("trajectory.csv", source))?;
        let model = self.simulation.model().clone();
        report::write(
            self.scenario,
            &model,
            summary,
            &mut self.frames,
            self.folder,
        )?;
        if *status != Status::Interrupted {
            self.folder.remove(CHECKPOINT)?;
        }
        Ok(())
    }
}
