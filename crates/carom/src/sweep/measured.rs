//! A run without files: frames go to measures and are forgotten.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::control::Feedback;
use crate::record::Accumulator;
use crate::scenario::{Scenario, ScenarioError};
use crate::simulate::{Columns, SimulateError, Simulation};

/// What was measured on a run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// A number for each measure; NaN for what never happened.
    pub values: Vec<f64>,
    /// Whether it is a success, where the scenario says what that is.
    pub success: Option<bool>,
    /// Why a step failed; what was measured is up to there.
    pub failure: Option<SimulateError>,
    /// Duration, steps, contacts and largest overlap.
    pub ledger: [f64; 4],
}

/// Makes a run and measures it; nothing if it is stopped on the way. Frames are those that
/// [`run`](crate::run::run) records.
pub fn measured(scenario: &Scenario, stop: &AtomicBool) -> Result<Option<Measured>, ScenarioError> {
    let model = Arc::new(scenario.build()?);
    let start = scenario.start(&model)?.state;
    let mut feedback = scenario.feedback(&model)?;
    let mut columns = Columns::of(&model, scenario.settings.forces);
    columns.extend(feedback.columns());
    let mut accumulator = Accumulator::new(scenario.measures(columns.names())?);
    let settings = scenario.settings.simulator();
    let mut simulation =
        Simulation::from_state(model, settings, start).map_err(|error| scenario.place(&error))?;
    let every = scenario.settings.record_every(columns.len());
    let mut row = Vec::with_capacity(columns.len());
    let mut failure = None;
    let mut record = |feedback: &Feedback, simulation: &mut Simulation| {
        columns.row(simulation, &mut row);
        feedback.row(&mut row);
        accumulator.push(&row);
    };
    let mut begun = feedback.sample(&simulation);
    record(&feedback, &mut simulation);
    for step in 1..=scenario.settings.steps {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let made = (std::mem::replace(&mut begun, Ok(())))
            .and_then(|()| feedback.step(&mut simulation))
            .and_then(|_| feedback.sample(&simulation));
        simulation.take_events();
        let ends = step == scenario.settings.steps;
        match made {
            Err(error) => {
                if !(step - 1).is_multiple_of(every) {
                    record(&feedback, &mut simulation);
                }
                failure = Some(error);
                break;
            }
            Ok(()) if step.is_multiple_of(every) || ends => {
                record(&feedback, &mut simulation);
            }
            Ok(()) => {}
        }
    }
    let facts = Accumulator::ledger(&simulation);
    let (values, success) = accumulator.finish(facts);
    Ok(Some(Measured {
        values,
        success,
        failure,
        ledger: facts,
    }))
}
