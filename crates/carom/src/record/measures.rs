//! From frames to measures, one frame at a time: while a run is made, or from recorded frames.

use crate::scenario::{Kind, Measures};
use crate::simulate::Simulation;

/// Makes numbers of frames, one frame at a time.
#[derive(Clone, Debug)]
pub struct Accumulator {
    measures: Measures,
    so_far: Vec<SoFar>,
    /// The last frame and what is computed from it.
    values: Vec<f64>,
    time: Option<f64>,
}

/// How far a measure is.
#[derive(Clone, Copy, Debug)]
struct SoFar {
    value: f64,
    last: f64,
    /// Time since which a condition holds.
    since: f64,
    begun: f64,
    /// How often it rose through zero: first at `begun`, last at `since`.
    count: u32,
}

impl Accumulator {
    /// Before the first frame.
    pub fn new(measures: Measures) -> Self {
        let start = SoFar {
            value: f64::NAN,
            last: f64::NAN,
            since: f64::NAN,
            begun: f64::NAN,
            count: 0,
        };
        Self {
            so_far: vec![start; measures.list.len()],
            values: Vec::new(),
            time: None,
            measures,
        }
    }

    /// What measures may say of the ledger: duration, steps, contacts and largest overlap.
    pub fn ledger(simulation: &Simulation) -> [f64; 4] {
        let ledger = simulation.ledger();
        [
            simulation.time(),
            ledger.steps as f64,
            ledger.contact_count as f64,
            ledger.overlap_max,
        ]
    }

    /// Takes a frame in: the columns of the run, time first.
    pub fn push(&mut self, frame: &[f64]) {
        self.measures.quantities(frame, &mut self.values);
        let t = frame[0];
        for (measure, so_far) in self.measures.list.iter().zip(&mut self.so_far) {
            let now = measure.expression.eval(&self.values);
            so_far.take(measure.kind, self.time, t, now);
        }
        self.time = Some(t);
    }

    /// The measures, and whether the run is a success.
    pub fn finish(&self, ledger: [f64; 4]) -> (Vec<f64>, Option<bool>) {
        let span = |s: &SoFar| self.time.unwrap_or(0.0) - s.begun;
        let values: Vec<f64> = (self.measures.list.iter().zip(&self.so_far))
            .map(|(m, s)| match m.kind {
                Kind::Mean if span(s) > 0.0 => s.value / span(s),
                Kind::Mean => s.last,
                _ => s.value,
            })
            .collect();
        let success = self.measures.success.as_ref().map(|expression| {
            let mut known = values.clone();
            known.extend(ledger);
            known.extend(&self.values);
            let value = expression.eval(&known);
            value != 0.0 && !value.is_nan()
        });
        (values, success)
    }
}

impl SoFar {
    fn take(&mut self, kind: Kind, before: Option<f64>, t: f64, now: f64) {
        let holds = now != 0.0 && !now.is_nan();
        if before.is_none() {
            self.begun = t;
            self.value = match kind {
                Kind::Mean | Kind::Integral | Kind::Held => 0.0,
                Kind::First(_) | Kind::Period => f64::NAN,
                _ => now,
            };
        }
        match kind {
            Kind::End => self.value = now,
            Kind::Start => {}
            Kind::Least => self.value = self.value.min(now),
            Kind::Largest => self.value = self.value.max(now),
            // Trapezoidal rule between frames.
            Kind::Mean | Kind::Integral => {
                if let Some(before) = before {
                    self.value += 0.5 * (self.last + now) * (t - before);
                }
            }
            Kind::Period => {
                if let Some(before) = before.filter(|_| self.last < 0.0 && now >= 0.0) {
                    // Linear between frames.
                    let risen = before - self.last * (t - before) / (now - self.last);
                    match self.count {
                        0 => self.begun = risen,
                        n => self.value = (risen - self.begun) / f64::from(n),
                    }
                    self.since = risen;
                    self.count += 1;
                }
            }
            Kind::First(_) | Kind::Held if !holds => self.since = f64::NAN,
            Kind::First(lasting) => {
                if self.since.is_nan() {
                    self.since = t;
                }
                // Times are sums of steps: a hair less is as long.
                if self.value.is_nan() && t - self.since >= lasting * (1.0 - 1e-9) {
                    self.value = self.since;
                }
            }
            Kind::Held => {
                if self.since.is_nan() {
                    self.since = t;
                }
                self.value = self.value.max(t - self.since);
            }
        }
        self.last = now;
    }
}
