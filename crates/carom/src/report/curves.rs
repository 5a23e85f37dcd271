//! The curves of a simulation: energy, momentum, controls, steps, residuals.

use super::arrays::Packed;
use super::document::{Plot, Scale, Series};
use super::events::EventLog;
use super::motion::Frame;
use crate::mechanics::violation;
use crate::model::{BodyKind, Model, Target};
use crate::simulate::Column;

/// Time is cut into so many pieces; of each the least and largest value of every curve are kept.
const PIECES: usize = 500;
/// Below this a deviation is drawn on the floor of a logarithmic plot.
const LEAST: f64 = 1e-17;
/// Most curves of controls.
const MOST_CONTROLS: usize = 24;

/// Collects curves frame by frame.
#[derive(Default)]
pub(super) struct Curves {
    time: Vec<f64>,
    energy: Vec<f64>,
    kinetic: Vec<f64>,
    potential: Vec<f64>,
    linear: [Vec<f64>; 3],
    angular: [Vec<f64>; 3],
    violation: Vec<f64>,
    /// How far from the origin bodies get.
    reach: f64,
    controls: Vec<Vec<f64>>,
    /// Quantities of controllers.
    signals: Vec<Vec<f64>>,
}

impl Curves {
    /// Adds a frame.
    pub fn push(&mut self, model: &Model, frame: &Frame) {
        self.time.push(frame.time);
        self.energy.push(frame.energy);
        self.kinetic.push(frame.kinetic);
        self.potential.push(frame.potential);
        for c in 0..3 {
            self.linear[c].push(frame.linear[c]);
            self.angular[c].push(frame.angular[c]);
        }
        self.violation.push(violation(model, &frame.poses));
        let far = frame.poses.iter().map(|pose| pose.position.norm());
        self.reach = far.fold(self.reach, f64::max);
        let count = model.controls().min(MOST_CONTROLS);
        self.controls.resize(count, Vec::new());
        self.signals.resize(frame.signals.len(), Vec::new());
        for (curves, values) in [
            (&mut self.controls, &frame.controls),
            (&mut self.signals, &frame.signals),
        ] {
            for (curve, value) in curves.iter_mut().zip(values) {
                curve.push(*value);
            }
        }
    }

    /// Bounds of linear and angular momentum if nothing cancels: Σ m |v| and its moment.
    pub fn momentum(&self, model: &Model) -> [f64; 2] {
        let linear = (2.0 * total_mass(model) * largest(&self.kinetic)).sqrt();
        [linear, linear * self.reach]
    }

    /// How far from the origin bodies get, in m.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Whether an amount is nothing against the energy of the motion.
    pub fn is_small(&self, amount: f64) -> bool {
        amount <= 1e-6 * largest(&self.energy).max(largest(&self.kinetic))
    }

    /// All plots. The time between two steps is `step` but where an impact cuts it.
    pub fn plots(
        &self,
        model: &Model,
        step: f64,
        cuts: Option<&EventLog>,
        keeps_energy: bool,
        signals: &[Column],
    ) -> Vec<Plot> {
        let [linear, angular] = self.momentum(model);
        let xyz = |v: &[Vec<f64>; 3]| {
            let named = ["x", "y", "z"].iter().zip(v);
            named.map(|(n, v)| (n.to_string(), v.clone())).collect()
        };
        let mut plots = vec![
            self.plot(
                "Energy",
                "J",
                vec![
                    ("total".into(), self.energy.clone()),
                    ("kinetic".into(), self.kinetic.clone()),
                    ("potential".into(), self.potential.clone()),
                ],
            ),
            Plot {
                size: linear,
                ..self.plot("Linear momentum", "N s", xyz(&self.linear))
            },
            Plot {
                size: angular,
                ..self.plot(
                    "Angular momentum about the origin",
                    "N m s",
                    xyz(&self.angular),
                )
            },
        ];
        plots.extend(control_plots(model, &self.time, &self.controls));
        plots.extend(self.signal_plots(signals));
        plots.push(self.deviation(keeps_energy));
        plots.push(time_steps(self.time.first(), self.time.last(), step, cuts));
        plots.retain(|plot| !plot.series.is_empty());
        plots
    }

    fn plot(&self, title: &str, unit: &str, series: Vec<(String, Vec<f64>)>) -> Plot {
        plot(title, unit, &self.time, series)
    }

    /// Quantities of controllers: a plot for each vector, and for all numbers of one unit.
    fn signal_plots(&self, columns: &[Column]) -> Vec<Plot> {
        type Curve = (String, Vec<f64>);
        let mut groups: Vec<(String, &str, Vec<Curve>)> = Vec::new();
        for (column, curve) in columns.iter().zip(&self.signals) {
            let name = column.name.strip_prefix("controller.");
            let (controller, what) = name.and_then(|n| n.split_once('.')).unwrap_or_default();
            let (title, series) = match what.rsplit_once('.') {
                Some((vector, part)) => (format!("{controller}: {vector}"), part.to_string()),
                None => (format!("{controller}, {}", column.unit), what.to_string()),
            };
            let title = title.replace('_', " ");
            match groups.iter_mut().find(|(known, ..)| *known == title) {
                Some((_, _, list)) => list.push((series, curve.clone())),
                None => groups.push((title, column.unit, vec![(series, curve.clone())])),
            }
        }
        (groups.into_iter())
            .map(|(title, unit, series)| self.plot(&format!("Controller {title}"), unit, series))
            .collect()
    }

    /// How far what should be kept is from where it started.
    fn deviation(&self, keeps_energy: bool) -> Plot {
        let mut series = Vec::new();
        let scale = largest(&self.energy).max(largest(&self.kinetic));
        let mut push = |name: &str, values: Vec<f64>| {
            let values: Vec<f64> = values.iter().map(|v| v.abs().max(LEAST)).collect();
            series.push((name.to_string(), values));
        };
        let first = self.energy.first().copied().unwrap_or(0.0);
        if scale > 0.0 && keeps_energy {
            let relative = self.energy.iter().map(|e| (e - first) / scale);
            push("energy, relative", relative.collect());
        }
        for (name, parts) in [("linear", &self.linear), ("angular", &self.angular)] {
            let norm = |k: usize, from: f64| {
                let squares = parts.iter().map(|p| p[k] - from * p[0]).map(|d| d * d);
                squares.sum::<f64>().sqrt()
            };
            let n = self.time.len();
            let scale = (0..n).fold(0.0, |m: f64, k| m.max(norm(k, 0.0)));
            let changes: Vec<f64> = (0..n).map(|k| norm(k, 1.0)).collect();
            // What loads or walls change is not a deviation.
            if scale > 0.0 && largest(&changes) < 1e-3 * scale {
                push(
                    &format!("{name} momentum, relative"),
                    changes.iter().map(|c| c / scale).collect(),
                );
            }
        }
        push("constraint violation", self.violation.clone());
        Plot {
            scale: Scale::Log,
            note: "Change since the start of what is conserved, at the recorded frames.".into(),
            ..plot("Residuals", "", &self.time, series)
        }
    }
}

/// The largest size of values.
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// Of bodies and of the ends of linkages.
fn total_mass(model: &Model) -> f64 {
    let bodies = model.bodies().iter().filter(|b| b.kind != BodyKind::Static);
    let links = model.linkages().iter().flat_map(|l| &l.spec.links);
    bodies.map(|b| b.mass()).sum::<f64>() + links.map(|l| l.mass).sum::<f64>()
}

/// Part of the largest of all controls that is round-off.
const ROUND_OFF: f64 = 1e-13;

/// Loads and controls, forces and torques apart: a curve per component of the control vector.
pub(super) fn control_plots(model: &Model, time: &[f64], controls: &[Vec<f64>]) -> Vec<Plot> {
    let (mut forces, mut torques, mut general) = (Vec::new(), Vec::new(), Vec::new());
    let nothing = ROUND_OFF * controls.iter().map(|c| largest(c)).fold(0.0, f64::max);
    for actuator in model.actuators() {
        for (k, index) in actuator.range().enumerate() {
            let Some(curve) = controls.get(index) else {
                continue;
            };
            let bounds = actuator.bounds.get(k).and_then(limits);
            // A wrench has six components of which most are often zero throughout, but for round-off.
            if actuator.components() > 1 && largest(curve) <= nothing {
                continue;
            }
            let axis = ["x", "y", "z"][k % 3];
            match &actuator.target {
                Target::Wrench { .. } | Target::Points { .. } if k < 3 => {
                    forces.push((format!("{} {axis}", actuator.name), curve.clone(), bounds));
                }
                Target::Along { unit, .. } if unit[0].norm() > 0.0 => {
                    forces.push((actuator.name.clone(), curve.clone(), bounds));
                }
                Target::Along { .. } => {
                    torques.push((actuator.name.clone(), curve.clone(), bounds));
                }
                Target::Wrench { .. } => {
                    torques.push((format!("{} {axis}", actuator.name), curve.clone(), bounds));
                }
                _ => {
                    let name = match actuator.components() {
                        1 => actuator.name.clone(),
                        _ => format!("{} {}", actuator.name, k + 1),
                    };
                    general.push((name, curve.clone(), bounds));
                }
            }
        }
    }
    let mut plots = vec![
        bounded("Controls and loads: forces", "N", time, forces),
        bounded("Controls and loads: torques", "N m", time, torques),
        bounded("Controls and loads on joints", "N or N m", time, general),
    ];
    plots.retain(|plot| !plot.series.is_empty());
    plots
}

/// Least and largest value, where there is a bound.
type Bounds = Option<[Option<f64>; 2]>;

/// Bounds of a control that say something.
fn limits(bounds: &[f64; 2]) -> Bounds {
    let finite = bounds.map(|b| Some(b).filter(|b| b.is_finite()));
    finite.iter().any(Option::is_some).then_some(finite)
}

/// A plot of curves that keep to bounds.
fn bounded(title: &str, unit: &str, time: &[f64], list: Vec<(String, Vec<f64>, Bounds)>) -> Plot {
    let bounds: Vec<Bounds> = list.iter().map(|(.., bounds)| *bounds).collect();
    let curves = list.into_iter().map(|(name, curve, _)| (name, curve));
    let mut plot = plot(title, unit, time, curves.collect());
    for (series, bounds) in plot.series.iter_mut().zip(bounds) {
        series.bounds = bounds;
    }
    plot
}

/// A plot of curves over time, thinned out so that no peak is lost.
pub fn plot(title: &str, unit: &str, time: &[f64], series: Vec<(String, Vec<f64>)>) -> Plot {
    let kept = thin(time.len(), &series);
    let take = |v: &[f64]| Packed(kept.iter().map(|k| v[*k]).collect());
    Plot {
        title: title.into(),
        unit: unit.into(),
        time: take(time),
        series: (series.iter())
            .map(|(name, values)| Series {
                name: name.clone(),
                values: take(values),
                ..Series::default()
            })
            .collect(),
        ..Plot::default()
    }
}

/// Which of `n` points to keep: the first, the last, and the extremes of every piece.
fn thin(n: usize, series: &[(String, Vec<f64>)]) -> Vec<usize> {
    let length = n.div_ceil(PIECES);
    if length <= 2 {
        return (0..n).collect();
    }
    let mut kept = vec![0, n - 1];
    for from in (0..n).step_by(length) {
        let piece = from..(from + length).min(n);
        for (_, values) in series {
            let by = |a: &usize, b: &usize| values[*a].total_cmp(&values[*b]);
            kept.extend(piece.clone().min_by(by));
            kept.extend(piece.clone().max_by(by));
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// The length of steps: constant, but cut where an impact is solved for.
fn time_steps(first: Option<&f64>, last: Option<&f64>, step: f64, cuts: Option<&EventLog>) -> Plot {
    let (Some(first), Some(last)) = (first, last) else {
        return Plot::default();
    };
    let (mut time, mut length) = (vec![*first], vec![step]);
    let impacts = cuts.map_or(&[][..], |log| &log.events);
    let mut times = impacts.iter().map(|e| e.time).peekable();
    while let Some(t) = times.next().filter(|_| time.len() < 8 * PIECES) {
        // From the grid to the impact, maybe to more impacts, and back to the grid.
        let before = ((t - first) / step + 1e-9).floor() * step + first;
        let mut marks = vec![before, t];
        while let Some(more) = times.next_if(|more| *more < before + step) {
            marks.push(more);
        }
        marks.push(before + step);
        marks.dedup_by(|b, a| *b - *a <= 1e-9 * step);
        for pair in marks.windows(2) {
            if time.last().is_some_and(|t| pair[0] > *t) || time.len() == 1 {
                time.push(pair[0]);
                length.push(pair[1] - pair[0]);
            }
        }
        if let Some(end) = marks.last() {
            time.push(*end);
            length.push(step);
        }
    }
    time.push(last.max(*time.last().unwrap_or(last)));
    length.push(step);
    let plot = plot("Time step", "s", &time, vec![("step".into(), length)]);
    Plot {
        scale: Scale::Steps,
        note: match cuts {
            Some(_) => "Steps are cut at impacts and then return to the regular grid.".into(),
            None => "All steps have the same length.".into(),
        },
        ..plot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ContactEvent;

    #[test]
    fn thinning_keeps_a_single_peak() {
        let n = 100_000;
        let mut values = vec![0.0; n];
        values[77_777] = 1.0;
        values[3] = f64::NAN;
        let time: Vec<f64> = (0..n).map(|k| k as f64).collect();
        let plot = plot("a", "b", &time, vec![("c".into(), values)]);
        assert!(plot.time.0.len() < 4 * PIECES);
        assert!(plot.series[0].values.0.contains(&1.0));
        assert_eq!(plot.time.0.last(), Some(&99_999.0));
    }

    #[test]
    fn steps_are_cut_at_impacts() {
        let event = |time| ContactEvent {
            time,
            ..ContactEvent::default()
        };
        let log = EventLog::new(vec![event(0.25), event(0.28), event(0.5)]);
        let plot = time_steps(Some(&0.0), Some(&1.0), 0.1, Some(&log));
        let total: f64 = 0.05 + 0.03 + 0.02;
        let cut = &plot.series[0].values.0[1..4];
        assert!((cut.iter().sum::<f64>() - total).abs() < 1e-12, "{plot:?}");
        assert!(plot.time.0.is_sorted());
    }

    #[test]
    fn round_off_of_a_wrench_has_no_curve() {
        let text = "[body.a]\nshape = { cube = 1 }\nmass = 1\n[optimise]\nminimise = [{ effort = 1 }]\n\
                    controls.a = \"all\"\ngoal.a = { rest = true }\n[[phase]]\nsteps = 2\nstep = 0.1\n";
        let scenario = crate::scenario::Scenario::parse("test.toml", text).unwrap();
        let model = scenario.build().unwrap();
        let wrench = [2.0, 1e-14, 0.0, 3e-17, 0.1, 0.0];
        let plots = control_plots(&model, &[0.0, 0.1], &wrench.map(|v| vec![v; 2]));
        let names: Vec<Vec<&str>> = (plots.iter())
            .map(|p| p.series.iter().map(|s| s.name.as_str()).collect())
            .collect();
        assert_eq!(names, [["a x"], ["a y"]]);
    }
}
