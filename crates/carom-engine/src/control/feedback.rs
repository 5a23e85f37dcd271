//! Controllers at work: samples, hold, limits, delay, noise.

use std::collections::VecDeque;

use nalgebra::{Matrix3, Vector3};

use super::controller::{Controller, View};
use crate::mechanics::{exp_minus_identity, orthonormal};
use crate::model::{ActuatorId, Model};
use crate::random::Stream;
use crate::simulate::{Column, Columns, SimulateError, Simulation, StepInfo, components};

/// When a controller looks, when it acts, and what is between.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// Steps from one sample to the next; outputs are held between.
    pub every: u64,
    /// Steps from a sample until its output acts.
    pub delay: u64,
    /// Least and largest value of each output; empty for the bounds of the actuators.
    pub limits: Vec<[f64; 2]>,
    /// What is added to measurements and outputs.
    pub noise: Noise,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            every: 1,
            delay: 0,
            limits: Vec::new(),
            noise: Noise::default(),
        }
    }
}

/// Normally distributed noise. Numbers depend on the seed, the controller and the step alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Noise {
    /// Which noise.
    pub seed: u64,
    /// What is measured inexactly, with its deviation.
    pub measured: Vec<(Inexact, f64)>,
    /// Deviation of each output; empty for none.
    pub output: Vec<f64>,
}

/// A measured quantity with noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inexact {
    /// So many columns from this one on, each on its own.
    Columns(usize, usize),
    /// Directors that begin at this column: turned about a random axis.
    Directors(usize),
}

/// Why a controller cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlError {
    /// An actuator whose values are prescribed.
    #[error("\"{0}\" is a load, whose values are prescribed: name an actuator")]
    Load(String),
    /// As many limits or deviations as there are outputs, or none.
    #[error("{given} {what} for {wanted} outputs: give one for each")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many were given.
        given: usize,
        /// How many there are.
        wanted: usize,
    },
    /// A name that is taken.
    #[error("there is a controller \"{0}\" already: choose another name")]
    Taken(String),
}

#[derive(Debug)]
struct Channel {
    name: String,
    controller: Box<dyn Controller>,
    sampling: Sampling,
    /// Places of the outputs among the controls of the model.
    outputs: Vec<usize>,
    columns: Vec<Column>,
    inner: Vec<f64>,
    /// What acts now.
    held: Vec<f64>,
    /// What will act, with the step from which on.
    waiting: VecDeque<(u64, Vec<f64>)>,
}

/// The controllers of a run.
#[derive(Debug)]
pub struct Feedback {
    columns: Columns,
    channels: Vec<Channel>,
    controls: Vec<f64>,
    measured: Vec<f64>,
    noisy: Vec<f64>,
    /// Steps made when controllers were last asked.
    sampled: Option<u64>,
}

impl Feedback {
    /// No controllers yet.
    pub fn new(model: &Model) -> Self {
        Self {
            columns: Columns::new(model),
            channels: Vec::new(),
            controls: vec![0.0; model.controls()],
            measured: Vec::new(),
            noisy: Vec::new(),
            sampled: None,
        }
    }

    /// Whether nothing is controlled.
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    /// The quantities that controllers measure.
    pub fn measurable(&self) -> &Columns {
        &self.columns
    }

    /// Adds a controller that acts through some actuators. Controllers of one actuator add up.
    pub fn add(
        &mut self,
        model: &Model,
        name: &str,
        actuators: &[ActuatorId],
        controller: Box<dyn Controller>,
        sampling: Sampling,
    ) -> Result<(), ControlError> {
        if self.channels.iter().any(|c| c.name == name) {
            return Err(ControlError::Taken(name.into()));
        }
        let (mut outputs, mut limits, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for quantity in controller.quantities() {
            columns.push(Column {
                name: format!("controller.{name}.{}", quantity.name),
                unit: quantity.unit,
                frame: "",
                meaning: format!(
                    "{} of controller {name}, at its last sample",
                    quantity.meaning
                ),
            });
        }
        for id in actuators {
            let actuator = &model.actuators()[id.index()];
            if actuator.signals.is_some() {
                return Err(ControlError::Load(actuator.name.clone()));
            }
            outputs.extend(actuator.range());
            let free = [f64::NEG_INFINITY, f64::INFINITY];
            let bounds = (0..actuator.components()).map(|k| actuator.bounds.get(k));
            limits.extend(bounds.map(|b| b.copied().unwrap_or(free)));
            let own = match actuators.len() {
                1 => String::new(),
                _ => format!(".{}", actuator.name),
            };
            for (part, unit, frame) in components(actuator) {
                let part = if part.is_empty() { ".output" } else { &part };
                columns.push(Column {
                    name: format!("controller.{name}{own}{part}"),
                    unit,
                    frame,
                    meaning: format!("output of controller {name}, which acts from the frame on"),
                });
            }
        }
        let mut sampling = sampling;
        let wanted = outputs.len();
        let counts = [
            ("limits", sampling.limits.len()),
            ("deviations", sampling.noise.output.len()),
        ];
        if let Some((what, given)) = counts.into_iter().find(|(_, n)| *n != 0 && *n != wanted) {
            return Err(ControlError::Count {
                what,
                given,
                wanted,
            });
        }
        // What the actuator bears and what the controller may ask for.
        if sampling.limits.is_empty() {
            sampling.limits = limits;
        } else {
            for (own, of) in sampling.limits.iter_mut().zip(&limits) {
                *own = [own[0].max(of[0]), own[1].min(of[1])];
            }
        }
        self.channels.push(Channel {
            name: name.into(),
            inner: vec![0.0; columns.len() - wanted],
            held: vec![0.0; wanted],
            waiting: VecDeque::new(),
            controller,
            sampling,
            outputs,
            columns,
        });
        Ok(())
    }

    /// Columns for inner quantities and outputs of all controllers.
    pub fn columns(&self) -> impl Iterator<Item = Column> + '_ {
        self.channels.iter().flat_map(|c| c.columns.iter().cloned())
    }

    /// Adds the values of [`columns`](Self::columns) to a row.
    pub fn row(&self, row: &mut Vec<f64>) {
        for channel in &self.channels {
            row.extend(&channel.inner);
            row.extend(&channel.held);
        }
    }

    /// Asks the controllers that are due; once in a step, however often it is called. A run records frames
    /// after this, so that errors are those of the frame.
    pub fn sample(&mut self, simulation: &Simulation) -> Result<(), SimulateError> {
        let now = simulation.ledger().steps;
        if self.sampled == Some(now) || self.channels.is_empty() {
            return Ok(());
        }
        self.sampled = Some(now);
        let step = simulation.settings().step;
        if (self.channels.iter()).any(|c| now.is_multiple_of(c.sampling.every)) {
            self.columns.measure(simulation, &mut self.measured);
        }
        for channel in &mut self.channels {
            let sampling = &channel.sampling;
            if now.is_multiple_of(sampling.every) {
                let mut noise = Stream::new(sampling.noise.seed, now, &channel.name);
                let measured = match sampling.noise.measured.is_empty() {
                    true => &self.measured,
                    false => {
                        self.noisy.clone_from(&self.measured);
                        sampling.noise.blur(&mut noise, &mut self.noisy);
                        &self.noisy
                    }
                };
                let view = View {
                    simulation,
                    columns: &self.columns,
                    measured,
                    interval: step * sampling.every as f64,
                    limits: &sampling.limits,
                };
                let mut output = vec![0.0; channel.held.len()];
                (channel.controller).command(&view, &mut output, &mut channel.inner);
                for (k, value) in output.iter_mut().enumerate() {
                    if let Some(deviation) = sampling.noise.output.get(k) {
                        *value += deviation * noise.normal();
                    }
                    if !value.is_finite() {
                        return Err(SimulateError::Controller {
                            time: simulation.time(),
                            name: channel.name.clone(),
                            output: channel.columns[channel.inner.len() + k].name.clone(),
                            value: *value,
                        });
                    }
                    let [low, high] = sampling.limits[k];
                    *value = value.max(low).min(high);
                }
                channel.waiting.push_back((now + sampling.delay, output));
            }
            while channel.waiting.front().is_some_and(|(due, _)| *due <= now) {
                if let Some((_, output)) = channel.waiting.pop_front() {
                    channel.held = output;
                }
            }
        }
        self.controls.fill(0.0);
        for channel in &self.channels {
            for (at, value) in channel.outputs.iter().zip(&channel.held) {
                self.controls[*at] += value;
            }
        }
        Ok(())
    }

    /// One step of a simulation under control.
    pub fn step(&mut self, simulation: &mut Simulation) -> Result<StepInfo, SimulateError> {
        if self.channels.is_empty() {
            return simulation.step();
        }
        self.sample(simulation)?;
        simulation.step_with(simulation.settings().step, &self.controls)
    }

    /// Everything controllers remember, as exact bits.
    pub fn state(&self) -> Vec<u64> {
        let mut out = Vec::new();
        let mut list = |numbers: &[f64]| {
            out.push(numbers.len() as u64);
            out.extend(numbers.iter().map(|n| n.to_bits()));
        };
        list(&self.controls);
        for channel in &self.channels {
            list(&channel.controller.state());
            list(&channel.inner);
            list(&channel.held);
            list(&[channel.waiting.len() as f64]);
            for (due, output) in &channel.waiting {
                list(&[*due as f64]);
                list(output);
            }
        }
        out.push(self.sampled.unwrap_or(u64::MAX));
        out
    }

    /// Takes back what [`state`](Self::state) gave; false if it is not of these controllers.
    pub fn restore(&mut self, state: &[u64]) -> bool {
        let mut rest = state;
        self.take(&mut rest).is_some() && rest.is_empty()
    }

    fn take(&mut self, rest: &mut &[u64]) -> Option<()> {
        fn list(rest: &mut &[u64]) -> Option<Vec<f64>> {
            let (count, tail) = rest.split_first()?;
            let numbers = tail.get(..*count as usize)?;
            *rest = &tail[numbers.len()..];
            Some(numbers.iter().map(|w| f64::from_bits(*w)).collect())
        }
        let same = |new: Vec<f64>, old: &mut Vec<f64>| {
            let fits = new.len() == old.len();
            *old = new;
            fits.then_some(())
        };
        same(list(rest)?, &mut self.controls)?;
        for channel in &mut self.channels {
            let own = list(rest)?;
            channel.controller.restore(&own).then_some(())?;
            same(list(rest)?, &mut channel.inner)?;
            same(list(rest)?, &mut channel.held)?;
            let waiting = *list(rest)?.first()? as usize;
            channel.waiting.clear();
            for _ in 0..waiting {
                let due = *list(rest)?.first()? as u64;
                channel.waiting.push_back((due, list(rest)?));
            }
        }
        let (sampled, tail) = rest.split_first()?;
        self.sampled = (*sampled != u64::MAX).then_some(*sampled);
        *rest = tail;
        Some(())
    }
}

impl Noise {
    /// Adds noise to measured quantities.
    fn blur(&self, stream: &mut Stream, measured: &mut [f64]) {
        for (what, deviation) in &self.measured {
            match *what {
                Inexact::Columns(first, count) => {
                    for value in &mut measured[first..first + count] {
                        *value += deviation * stream.normal();
                    }
                }
                Inexact::Directors(first) => {
                    let turn = Vector3::from_fn(|_, _| deviation * stream.normal());
                    let turn = exp_minus_identity(&turn) + Matrix3::identity();
                    let seen = &mut measured[first..first + 9];
                    let turned = orthonormal(&(turn * Matrix3::from_column_slice(seen)));
                    seen.copy_from_slice(turned.as_slice());
                }
            }
        }
    }
}
