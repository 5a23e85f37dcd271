//! Actuators: checked, and given their place among the controls.

use super::ModelBuilder;
use crate::model::{Actuator, BodyKind, Model, ModelError, Signal, Target};
use crate::words::counted;

impl ModelBuilder {
    /// The actuators of a model whose bodies and joints stand.
    pub(super) fn make_actuators(&self, model: &Model) -> Result<Vec<Actuator>, ModelError> {
        let mut first = 0;
        let mut out = Vec::new();
        for a in &self.actuators {
            let name = a.name.clone();
            let fault = |reason: &str, fix: &str| ModelError::force("actuator", &name, reason, fix);
            let mut a = a.clone();
            a.components = match &mut a.target {
                Target::Wrench { body, point, .. } | Target::Along { body, point, .. } => {
                    let b = &model.bodies[body.index()];
                    if b.kind == BodyKind::Static {
                        let reason = format!("body \"{}\" never moves", b.name);
                        return Err(fault(&reason, "name a body that moves"));
                    }
                    *point = b.local(point);
                    if matches!(a.target, Target::Wrench { .. }) {
                        6
                    } else {
                        1
                    }
                }
                Target::Joint { joint } => {
                    let known = model.find_joint(*joint);
                    known
                        .map(|j| model.joints[j].kind.freedom(false))
                        .ok_or_else(|| {
                            let fix = "drive one of the tree, or put a wrench on a body";
                            fault("drives a joint that closes a loop", fix)
                        })?
                }
                Target::Points { .. } => 3,
                Target::Coordinate {
                    linkage,
                    coordinate,
                } => {
                    let known = model
                        .linkages
                        .get(*linkage)
                        .and_then(|l| l.spec.coordinates.get(*coordinate));
                    known.map(|_| 1).ok_or_else(|| {
                        let reason = "names a coordinate that does not exist";
                        fault(reason, "name one of the linkage")
                    })?
                }
            };
            if !(a.bounds.is_empty() || a.bounds.len() == a.components) {
                let reason = format!("{} bounds for {} components", a.bounds.len(), a.components);
                return Err(fault(&reason, "give one [least, largest] for each"));
            }
            if a.bounds
                .iter()
                .any(|b| b[0].is_nan() || b[1].is_nan() || b[0] > b[1])
            {
                return Err(fault("bounds must rise", "give [least, largest]"));
            }
            if a.bounds.is_empty() {
                a.bounds = vec![[f64::NEG_INFINITY, f64::INFINITY]; a.components];
            }
            if let Some(signals) = &a.signals {
                if signals.len() != a.components {
                    let given = counted(signals.len(), "value");
                    let reason = format!("{given} for {}", counted(a.components, "component"));
                    return Err(fault(&reason, "give one for each"));
                }
                for signal in signals {
                    check_signal(signal).map_err(|(reason, fix)| fault(reason, fix))?;
                }
            }
            a.first = first;
            first += a.components;
            out.push(a);
        }
        Ok(out)
    }
}

/// What is wrong with a signal, and how to fix it.
fn check_signal(signal: &Signal) -> Result<(), (&'static str, &'static str)> {
    match signal {
        Signal::Constant(v) if !v.is_finite() => {
            Err(("a value is not finite", "give a finite number"))
        }
        Signal::Table(rows) if rows.is_empty() => {
            Err(("a table needs at least one row", "give times and values"))
        }
        Signal::Table(rows) if rows.iter().flatten().any(|v| !v.is_finite()) => Err((
            "a table holds a number that is not finite",
            "give finite numbers",
        )),
        Signal::Table(rows) if rows.windows(2).any(|w| w[0][0] >= w[1][0]) => Err((
            "the times of a table must rise",
            "sort its rows by time, each time once",
        )),
        _ => Ok(()),
    }
}
