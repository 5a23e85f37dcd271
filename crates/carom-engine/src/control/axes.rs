//! Controllers of coordinates of joints and linkages: PD and PID.

use super::aim::rate;
use super::controller::{Controller, Quantity, View};
use crate::model::Signal;

/// A coordinate that is to follow a function of time.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its name, for columns where there are several.
    pub name: String,
    /// Places of the coordinate and its rate among measured quantities.
    pub measured: [usize; 2],
    /// Whether it is an angle: errors are taken the shorter way round.
    pub turns: bool,
    /// Where it should be.
    pub target: Signal,
    /// Gains of error, of its integral, and of its rate.
    pub gains: [f64; 3],
}

/// Errors of some axes, with their integrals.
#[derive(Clone, Debug)]
pub(super) struct Errors {
    pub axes: Vec<Axis>,
    pub integrals: Vec<f64>,
    integrates: bool,
}

impl Errors {
    pub fn new(axes: Vec<Axis>) -> Self {
        Self {
            integrals: vec![0.0; axes.len()],
            integrates: axes.iter().any(|a| a.gains[1] > 0.0),
            axes,
        }
    }

    pub fn quantities(&self) -> Vec<Quantity> {
        let mut list = Vec::new();
        let kinds = [
            ("error", "m or rad", "target less the coordinate"),
            ("error_rate", "m/s or rad/s", "rate of the error"),
            ("integral", "m s or rad s", "integral of the error"),
        ];
        for (what, unit, meaning) in &kinds[..2 + usize::from(self.integrates)] {
            for axis in &self.axes {
                let name = match self.axes.len() {
                    1 => what.to_string(),
                    _ => format!("{what}.{}", axis.name),
                };
                list.push(Quantity::new(
                    name,
                    unit,
                    format!("{meaning} {}", axis.name),
                ));
            }
        }
        list
    }

    /// What P, I and D ask for, axis by axis, and the inner quantities.
    pub fn ask(&self, now: &View, inner: &mut [f64]) -> Vec<f64> {
        let (t, n) = (now.time(), self.axes.len());
        let asked = self.axes.iter().enumerate().map(|(k, axis)| {
            let [value, speed] = axis.measured.map(|m| now.measured()[m]);
            let mut error = axis.target.at(t) - value;
            if axis.turns {
                error = error.sin().atan2(error.cos());
            }
            let error_rate = rate(&axis.target, t) - speed;
            inner[k] = error;
            inner[n + k] = error_rate;
            let [p, i, d] = axis.gains;
            p * error + i * self.integrals[k] + d * error_rate
        });
        let asked = asked.collect();
        if self.integrates {
            inner[2 * n..].copy_from_slice(&self.integrals);
        }
        asked
    }

    /// Sums up errors, but not while an output is at its limit.
    pub fn sum(&mut self, now: &View, output: &[f64], inner: &[f64]) {
        if !self.integrates {
            return;
        }
        for (k, integral) in self.integrals.iter_mut().enumerate() {
            let [low, high] = now.limits()[k];
            if low <= output[k] && output[k] <= high {
                *integral += inner[k] * now.interval();
            }
        }
    }

    pub fn restore(&mut self, state: &[f64]) -> bool {
        let fits = state.len() == self.integrals.len();
        self.integrals = state.to_vec();
        fits
    }
}

/// PID (or PD) of coordinates, one output for each.
#[derive(Clone, Debug)]
pub struct Pid(Errors);

impl Pid {
    /// As many outputs as axes, in their order.
    pub fn new(axes: Vec<Axis>) -> Self {
        Self(Errors::new(axes))
    }
}

impl Controller for Pid {
    fn quantities(&self) -> Vec<Quantity> {
        self.0.quantities()
    }

    fn command(&mut self, now: &View, output: &mut [f64], inner: &mut [f64]) {
        output.copy_from_slice(&self.0.ask(now, inner));
        self.0.sum(now, output, inner);
    }

    fn state(&self) -> Vec<f64> {
        self.0.integrals.clone()
    }

    fn restore(&mut self, state: &[f64]) -> bool {
        self.0.restore(state)
    }
}
