//! `[simulate]`: how long, how fine, with which integrator, and what is kept.

use std::time::Duration;

use super::fields::{Fields, Item, Read};
use super::law;
use super::scope::Scope;
use super::sections::section;
use super::tree::{Table, Value};
use crate::contact::JumpRule;
use crate::model::Law;
use crate::simulate::{self, Formulation, Integrator};

/// Largest number of steps of a run.
const MOST_STEPS: u64 = 100_000_000_000;
/// About how many frames are kept where the file does not say.
const USUAL_FRAMES: u64 = 2_000;
/// About how many numbers are kept then: with many bodies there are fewer frames.
const USUAL_NUMBERS: u64 = 4_000_000;

/// Settings of a simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Contact law.
    pub law: Law,
    /// How simultaneous impacts are resolved.
    pub simultaneous: JumpRule,
    /// Approach slower than this ends in rest, in m/s; the simulator's own choice if not given.
    pub rest_speed: Option<f64>,
    /// Step size h in s.
    pub step: f64,
    /// Number of steps.
    pub steps: u64,
    /// The duration that was asked for, in s, where it is no whole number of steps.
    pub asked: Option<f64>,
    /// Integrator.
    pub integrator: Integrator,
    /// Most Newton iterations per step; the simulator's own choice if not given.
    pub max_iterations: Option<usize>,
    /// A frame is recorded every so many steps; chosen by the size of a frame if not given.
    pub record: Option<u64>,
    /// Whether contact forces are recorded at every frame.
    pub forces: bool,
    /// When checkpoints are written.
    pub checkpoint: Checkpoints,
    /// Whether bodies that overlap at the start are moved apart before the first step.
    pub separate: bool,
    /// Contact problems that may miss their tolerance before the run fails; any number if not given.
    pub max_unsettled: Option<u64>,
}

/// When checkpoints are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Checkpoints {
    /// Never.
    Never,
    /// Every so many seconds of wall time.
    Seconds(f64),
    /// Every so many steps.
    Steps(u64),
}

impl Settings {
    /// How many steps a frame is recorded after, for frames of so many numbers.
    pub fn record_every(&self, columns: usize) -> u64 {
        let usual = (USUAL_NUMBERS / columns.max(1) as u64).clamp(20, USUAL_FRAMES);
        self.record.unwrap_or(self.steps.div_ceil(usual))
    }

    /// Whether a checkpoint is due after so many steps, so long after the last one (`None` where
    /// the clock was not looked at).
    pub fn checkpoint_due(&self, steps: u64, since: Option<Duration>) -> bool {
        match self.checkpoint {
            Checkpoints::Never => false,
            Checkpoints::Steps(every) => steps.is_multiple_of(every),
            Checkpoints::Seconds(every) => since.is_some_and(|t| t.as_secs_f64() >= every),
        }
    }

    /// The simulator's settings.
    pub fn simulator(&self) -> simulate::Settings {
        let mut settings = simulate::Settings::with_step(self.step);
        settings.integrator = self.integrator;
        settings.law = self.law;
        settings.rule = self.simultaneous;
        settings.rest_speed = self.rest_speed;
        settings.max_unsettled = self.max_unsettled;
        if let Some(most) = self.max_iterations {
            settings.max_iterations = most;
        }
        settings
    }
}

/// Reads the section.
pub(crate) fn read(root: &Table, scope: &Scope) -> Read<Option<Settings>> {
    let Some(table) = section(root, "simulate")? else {
        return Ok(None);
    };
    let place = root.get("simulate").map(|e| e.key).unwrap_or_default();
    let fields = Fields::new(table, "simulate", place, scope);
    let step = fields
        .need("step", "give the step size in s: step = 0.01")?
        .positive()?;
    let fix = "say how long: duration = 10.0 (s), or steps = 1000";
    let mut asked = None;
    let steps = match fields.one_of(&["duration", "steps"])? {
        Some(("duration", item)) => {
            let duration = item.positive()?;
            let count = duration / step;
            // A duration of 4.0 in steps of 0.01 is 400 steps, whatever round-off makes of it.
            let near = (count - count.round()).abs() < 1e-6 * count.max(1.0);
            let count = if near { count.round() } else { count.ceil() };
            asked = (!near).then_some(duration);
            if count > MOST_STEPS as f64 {
                return Err(item.fault(
                    format!("takes {count:e} steps"),
                    format!("at most {MOST_STEPS} steps are run; take a larger step"),
                ));
            }
            (count as u64).max(1)
        }
        Some((_, item)) => item.count(1, MOST_STEPS)?,
        None => return Err(fields.fault("the duration is missing", fix)),
    };
    let law = law::law(&fields)?;
    let simultaneous = law::simultaneous(&fields)?;
    let rest_speed = fields.get("rest_speed");
    let rest_speed = rest_speed.map(|item| item.non_negative()).transpose()?;
    let integrator = integrator(&fields)?;
    let max_iterations = fields.get("max_iterations");
    let max_iterations = max_iterations
        .map(|item| item.count(1, 10_000))
        .transpose()?;
    let frames = fields.get("record");
    let record = frames.map(|item| record_every(&item, step)).transpose()?;
    let forces = fields.get("forces");
    let forces = forces.map_or(Ok(false), |item| item.boolean())?;
    let saves = fields.get("checkpoint");
    let checkpoint = saves.map(|item| checkpoints(&item)).transpose()?;
    let separate = fields.get("separate");
    let separate = separate.map_or(Ok(false), |item| item.boolean())?;
    let most = fields.get("max_unsettled");
    let max_unsettled = most.map(|item| item.count(0, MOST_STEPS)).transpose()?;
    fields.finish()?;
    Ok(Some(Settings {
        law: law.unwrap_or_default(),
        simultaneous,
        rest_speed,
        step,
        steps,
        asked,
        integrator,
        max_iterations: max_iterations.map(|n| n as usize),
        record,
        forces,
        checkpoint: checkpoint.unwrap_or(Checkpoints::Seconds(10.0)),
        separate,
        max_unsettled,
    }))
}

fn integrator(fields: &Fields) -> Read<Integrator> {
    let formulations = [
        ("reduced", Formulation::Reduced),
        ("projected", Formulation::Projected),
        ("multipliers", Formulation::Multipliers),
    ];
    let newmark = match fields.get("integrator") {
        None => false,
        Some(item) => item.choice(&[("variational", false), ("newmark", true)])?,
    };
    if newmark {
        let number = |key, usual| -> Read<f64> {
            let item = fields.get(key);
            item.map_or(Ok(usual), |item: Item| item.non_negative())
        };
        return Ok(Integrator::Newmark {
            beta: number("beta", 0.0)?,
            gamma: number("gamma", 0.5)?,
        });
    }
    let formulation = fields.get("formulation");
    let formulation = formulation
        .map(|item| item.choice(&formulations))
        .transpose()?;
    let gamma = fields.get("gamma");
    let gamma = gamma.map(|item: Item| unit_range(&item)).transpose()?;
    Ok(Integrator::Variational {
        formulation: formulation.unwrap_or_default(),
        gamma: gamma.unwrap_or(0.5),
    })
}

/// `{ every = n }` steps, or `{ rate = hz }`.
fn record_every(item: &Item, step: f64) -> Read<u64> {
    let fields = item.fields()?;
    let chosen = fields.one_of(&["every", "rate"])?;
    fields.finish()?;
    match chosen {
        Some(("every", item)) => item.count(1, MOST_STEPS),
        Some((_, item)) => {
            let rate = item.positive()?;
            Ok(((1.0 / (rate * step)).round() as u64).max(1))
        }
        None => Err(item.fault("records nothing", "write every = n (steps) or rate = hz")),
    }
}

/// Seconds, or `{ seconds = s }`, or `{ steps = n }`; 0 for none.
fn checkpoints(item: &Item) -> Read<Checkpoints> {
    let seconds = |item: &Item| -> Read<Checkpoints> {
        Ok(match item.non_negative()? {
            0.0 => Checkpoints::Never,
            seconds => Checkpoints::Seconds(seconds),
        })
    };
    if !matches!(item.node.value, Value::Table(_)) {
        return seconds(item);
    }
    let fields = item.fields()?;
    let chosen = fields.one_of(&["seconds", "steps"])?;
    fields.finish()?;
    match chosen {
        Some(("steps", item)) => item.count(1, MOST_STEPS).map(Checkpoints::Steps),
        Some((_, item)) => seconds(&item),
        None => Err(item.fault("says nothing", "write seconds = s, or steps = n")),
    }
}

fn unit_range(item: &Item) -> Read<f64> {
    let value = item.number()?;
    match (0.0..=1.0).contains(&value) {
        true => Ok(value),
        false => Err(item.fault(format!("is {value}"), "it goes from 0 to 1")),
    }
}
