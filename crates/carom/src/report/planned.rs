//! Motions that were planned, not simulated: configurations at nodes, controls that hold during
//! the step from one node to the next.

use carom_engine::inner::node_times;
use carom_gap::Pose;

use super::curves::{control_plots, plot};
use super::document::{Motion, Plot, Scale};
use super::events::EventLog;
use super::gaps::Gaps;
use super::motion::{Snapshot, motion};
use crate::model::Model;
use crate::scenario::Scenario;

/// A planned motion: n + 1 nodes and n steps.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// Poses of all bodies at every node.
    pub poses: &'a [Vec<Pose>],
    /// Coordinates of all linkages at every node; empty where there are none.
    pub coordinates: &'a [Vec<f64>],
    /// Controls of every step.
    pub controls: &'a [Vec<f64>],
    /// Length of every step in s.
    pub steps: &'a [f64],
}

/// The motion of a plan or of the guess it began with: controls, gaps and time steps as curves.
pub fn planned(name: &str, scenario: &Scenario, model: &Model, plan: &Planned) -> Motion {
    let time = node_times(plan.steps.iter().copied());
    let nodes = time.len().min(plan.poses.len());
    let states: Vec<Snapshot> = (0..nodes)
        .map(|k| Snapshot {
            time: time[k],
            poses: &plan.poses[k],
            coordinates: plan.coordinates.get(k).map_or(&[], Vec::as_slice),
        })
        .collect();
    let mut motion = motion(name, scenario, model, &states);
    motion.plots = stairs(model, plan, &time);
    let mut gaps = Gaps::new(model, nodes);
    states.iter().for_each(|s| gaps.push(s.time, s.poses));
    motion.plots.extend(gaps.plot(&EventLog::default()));
    if !plan.steps.is_empty() {
        let held = held(plan.steps.to_vec());
        motion.plots.push(Plot {
            scale: Scale::Steps,
            ..plot("Time step", "s", &time, vec![("step".into(), held)])
        });
    }
    motion
}

/// Controls over time: constant in a step.
fn stairs(model: &Model, plan: &Planned, time: &[f64]) -> Vec<Plot> {
    let steps = plan.steps.len().min(plan.controls.len());
    let component = |c: usize| {
        let values = plan.controls[..steps].iter().map(|tau| tau.get(c).copied());
        held(values.map(|v| v.unwrap_or(f64::NAN)).collect())
    };
    if steps == 0 {
        return Vec::new();
    }
    let curves: Vec<Vec<f64>> = (0..model.controls()).map(component).collect();
    let mut plots = control_plots(model, &time[..=steps], &curves);
    plots.iter_mut().for_each(|p| p.scale = Scale::Steps);
    plots
}

/// Values of steps at their starts; the last one also at the end.
fn held(mut values: Vec<f64>) -> Vec<f64> {
    values.extend(values.last().copied());
    values
}
