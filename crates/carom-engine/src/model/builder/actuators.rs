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
            let fault = |reason: String| ModelError::Force {
                what: "actuator",
                name: a.name.clone(),
                reason,
            };
            let mut a = a.clone();
            a.components = match &mut a.target {
                Target::Wrench { body, point, .. } | Target::Along { body, point, .. } => {
                    let b = &model.bodies[body.index()];
                    if b.kind == BodyKind::Static {
                        return Err(fault(format!("body \"{}\" never moves", b.name)));
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
                    known.map(|j| model.joints[j].kind.freedom(false)).ok_or_else(|| {
                        fault("drives a joint that closes a loop: drive one of the tree, or put a wrench on a body".into())
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
                    known
                        .map(|_| 1)
                        .ok_or_else(|| fault("names a coordinate that does not exist".into()))?
                }
            };
            if !(a.bounds.is_empty() || a.bounds.len() == a.components) {
                return Err(fault(format!(
                    "{} bounds for {} components",
                    a.bounds.len(),
                    a.components
                )));
            }
            if a.bounds
                .iter()
                .any(|b| b[0].is_nan() || b[1].is_nan() || b[0] > b[1])
            {
                return Err(fault("bounds must rise".into()));
            }
            if a.bounds.is_empty() {
                a.bounds = vec![[f64::NEG_INFINITY, f64::INFINITY]; a.components];
            }
            if let Some(signals) = &a.signals {
                if signals.len() != a.components {
                    return Err(fault(format!(
                        "{} for {}",
                        counted(signals.len(), "value"),
                        counted(a.components, "component")
                    )));
                }
                for signal in signals {
                    check_signal(signal).map_err(&fault)?;
                }
            }
            a.first = first;
            first += a.components;
            out.push(a);
        }
        Ok(out)
    }
}

fn check_signal(signal: &Signal) -> Result<(), String> {
    match signal {
        Signal::Constant(v) if !v.is_finite() => Err("a value is not finite".into()),
        Signal::Table(rows) if rows.is_empty() => Err("a table needs at least one row".into()),
        Signal::Table(rows) if rows.iter().flatten().any(|v| !v.is_finite()) => {
            Err("a table holds a number that is not finite".into())
        }
        Signal::Table(rows) if rows.windows(2).any(|w| w[0][0] >= w[1][0]) => {
            Err("the times of a table must rise".into())
        }
        _ => Ok(()),
    }
}
