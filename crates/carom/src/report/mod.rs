//! What people look at: the report of a run, its motion as glTF, figures for papers.
//!
//! A [`Report`] is plain data: bodies and their poses, contact events, curves, the ledger. It is
//! made once from a run ([`simulation`]), written as `report.html` ([`page`]), read back from there
//! ([`read`]), and drawn as a glTF file ([`glb()`]) or a figure ([`figure`]).
//!
//! | file | holds |
//! | --- | --- |
//! | `document` | the data; `arrays` packs numbers; `colours` are the same everywhere |
//! | `scene`, `surfaces`, `limits`, `linkages`, `motion`, `planned`, `phases`, `curves`, `measured`, `gaps`, `forces`, `events` | from a model and its frames to the data |
//! | `html`, `glb`, `figure/` | from the data to files |

mod arrays;
mod colours;
mod curves;
mod document;
mod events;
pub mod figure;
mod forces;
mod gaps;
mod glb;
mod html;
mod limits;
mod linkages;
mod measured;
mod motion;
mod phases;
mod plan;
mod planned;
mod scene;
mod surfaces;

use std::io;

pub use crate::record::{Line, Verdict, ledger};
pub use arrays::{Element, Packed};
pub use curves::plot;
pub use document::{
    Anchor, BodyView, Charge, Contacts, Link, Mesh, Motion, PhaseView, Plot, REPORT_FORMAT, Report,
    Scale, Scene, Series, SurfaceView, Table, WallView,
};
pub use events::{ContactEvent, EventLog};
pub use glb::glb;
pub use html::{ReadError, page, read, read_all};
pub use motion::{Snapshot, motion};
pub use plan::plan_report;
pub use planned::{Planned, planned};

use crate::model::{JointPhysics, Model};
use crate::record::verdict::{contact_facts, shortest};
use crate::record::{Folder, FolderError, Frames, Provenance, Summary};
use crate::scenario::Scenario;

/// The motion of recorded frames with its curves. Loads, dampers and projections gave or took `known` J in all.
pub fn recorded(
    name: &str,
    scenario: &Scenario,
    model: &Model,
    law: &str,
    known: f64,
    frames: &mut Frames,
    events: &EventLog,
) -> io::Result<Motion> {
    let scene = scene::scene(model, scenario);
    let vertices: usize = scene.surfaces.iter().map(|s| s.vertices).sum();
    let slots = vertices + scene.bodies.iter().filter(|b| b.slot.is_some()).count();
    let every = motion::stride(frames.rows(), slots);
    let kept = motion::kept(frames.rows(), every);
    let step = scenario.settings.step;
    let mut collector = motion::Collector::new(name, model, scene, kept);
    let mut curves = curves::Curves::default();
    // Gaps say something only where bodies can meet.
    let meets = law != "none" || !model.contact().walls.is_empty();
    let mut gaps = meets.then(|| gaps::Gaps::new(model, kept));
    motion::each_frame(model, frames, every, &mut |frame| {
        collector.push(&frame);
        curves.push(model, &frame);
        if let Some(gaps) = &mut gaps {
            gaps.push(frame.time, &frame.poses);
        }
    })?;
    let cuts = (law == "exact" || law == "plastic").then_some(events);
    let mut motion = collector.finish(frames.rows());
    // Energy that something takes or gives is no residual.
    let struck: f64 = events.events.iter().map(|event| event.energy.abs()).sum();
    let forces = model.forces();
    let acts = |l: &JointPhysics| l.damping > 0.0 || l.friction > 0.0 || l.servo.is_some();
    let changed = !model.actuators().is_empty()
        || !forces.dampers.is_empty()
        || !forces.drags.is_empty()
        || model.joint_laws().iter().any(|law| acts(&law.physics));
    let keeps_energy = !changed && curves.is_small(known.abs() + struck);
    let columns = frames.columns();
    let signals = &columns.list()[columns.controllers()..];
    motion.plots = curves.plots(model, step, cuts, keeps_energy, signals);
    if let Some(plot) = gaps.and_then(|gaps| gaps.plot(events)) {
        motion.plots.insert(3, plot);
    }
    motion
        .plots
        .extend(forces::plots(frames, every, curves.reach())?);
    // Measures are sound, or the run would not have begun.
    if let Ok(measures) = scenario.measures(frames.columns().names()) {
        let known = measured::plots(&measures, frames, every)?;
        motion.plots.splice(0..0, known);
    }
    limits::bound(model, &mut motion.plots);
    motion.contacts = events.columns();
    motion.contacts.step = step;
    Ok(motion)
}

/// The report of a simulation.
pub fn simulation(
    scenario: &Scenario,
    model: &Model,
    summary: &Summary,
    frames: &mut Frames,
    events: &EventLog,
) -> io::Result<Report> {
    let balance = &summary.energy_balance;
    let known = [balance.loads, balance.damping, balance.projections];
    let known = known.iter().map(|part| part.abs()).sum();
    let motion = recorded("", scenario, model, summary.law, known, frames, events)?;
    Ok(Report {
        status: summary.status.into(),
        error: summary.error.clone(),
        verdict: summary.verdict.clone(),
        facts: facts(summary, frames.rows()),
        ledger: summary.ledger.clone(),
        motions: vec![motion],
        ..about(scenario)
    })
}

/// A report that knows its scenario and nothing else yet.
pub fn about(scenario: &Scenario) -> Report {
    let meta = &scenario.meta;
    Report {
        format: REPORT_FORMAT,
        title: match meta.title.is_empty() {
            true => meta.name.clone(),
            false => meta.title.clone(),
        },
        name: match &meta.variant {
            Some(variant) => format!("{}:{variant}", meta.name),
            None => meta.name.clone(),
        },
        source: meta.source.clone(),
        scenario: match scenario.is_written() {
            true => scenario.to_toml(&|written| written.to_string()),
            false => String::new(),
        },
        ..Report::default()
    }
}

/// A run in short.
fn facts(summary: &Summary, rows: u64) -> Vec<(String, String)> {
    let mut facts = vec![
        ("status", summary.status.to_string()),
        ("contact law", summary.law.to_string()),
        ("steps", format!("{} of {} s", summary.steps, summary.step)),
        (
            "simulated time",
            format!("{} s", shortest(summary.time_end)),
        ),
        ("wall time", format!("{} s", shortest(summary.wall_seconds))),
        ("frames recorded", rows.to_string()),
    ];
    if summary.contact_count > 0 {
        facts.push(("contact events", summary.contact_count.to_string()));
    }
    facts.extend(contact_facts(summary));
    facts.extend(provenance(&summary.provenance));
    let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
    known.map(|(k, v)| (k.to_string(), v)).collect()
}

/// What made a run, as facts of the report.
fn provenance(p: &Provenance) -> [(&'static str, String); 4] {
    [
        ("version", p.version.clone()),
        ("date", p.date.clone()),
        ("machine", p.machine.clone()),
        ("scenario hash", p.scenario_hash.clone()),
    ]
}

/// Writes `report.html` and `motion.glb` of a finished simulation into its folder; contact events
/// are those of `contacts.csv` there. Returns the report.
pub fn write(
    scenario: &Scenario,
    model: &Model,
    summary: &Summary,
    frames: &mut Frames,
    folder: &mut Folder,
) -> Result<Report, FolderError> {
    let io = |folder: &Folder, source| FolderError::Io {
        path: folder.path().into(),
        source,
    };
    let events = match std::fs::File::open(folder.path().join("contacts.csv")) {
        Ok(file) => EventLog::read_csv(&mut io::BufReader::new(file)),
        Err(_) => Ok(EventLog::default()),
    };
    let report = events.and_then(|events| simulation(scenario, model, summary, frames, &events));
    let mut report = report.map_err(|source| io(folder, source))?;
    let contacts = folder.path().join("contacts.csv");
    if let ([motion], true) = (&mut report.motions[..], contacts.is_file()) {
        motion.forces = events::read_forces(&contacts).map_err(|source| io(folder, source))?;
    }
    write_report(&report, folder)?;
    Ok(report)
}

/// Writes a report and its motion into a folder.
pub fn write_report(report: &Report, folder: &mut Folder) -> Result<(), FolderError> {
    let html = page(std::slice::from_ref(report));
    folder.write("report.html", html.as_bytes())?;
    folder.write("motion.glb", &glb(report))
}
