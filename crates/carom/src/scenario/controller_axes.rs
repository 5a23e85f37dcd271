//! Coordinates that `pd`, `pid` and `computed-torque` control, with their targets and gains.

use carom_engine::inner::joint_coordinates;

use super::actuators::signals;
use super::controller_laws::Reader;
use super::fields::{Item, Read};
use super::tree::Value;
use crate::control::Axis;
use crate::model::{Signal, Target};

/// Joint of the tree and coordinate of an axis; `None` for those of linkages.
pub(super) type OfJoint = Option<(usize, usize)>;

impl Reader<'_> {
    /// Coordinates of the joints and linkages that the actuators drive, with the joint of each.
    pub(super) fn axes(&self, integral: bool) -> Read<(Vec<Axis>, Vec<OfJoint>)> {
        let (mut axes, mut joints) = (Vec::new(), Vec::new());
        let mut add = |name: String, column: String, turns, joint| {
            let rate = format!("{column}.rate");
            let found = self.columns.find(&column).zip(self.columns.find(&rate));
            let (value, rate) = found.ok_or_else(|| {
                self.fields.fault(
                    format!("`{column}` is not measured"),
                    "give the joint a name",
                )
            })?;
            joints.push(joint);
            axes.push(Axis {
                name,
                measured: [value, rate],
                turns,
                target: Signal::Constant(0.0),
                gains: [0.0; 3],
            });
            Ok::<(), Box<super::Fault>>(())
        };
        for id in self.actuators {
            match &self.model.actuators()[id.index()].target {
                Target::Joint { joint } => {
                    let Some(j) = self.model.find_joint(*joint) else {
                        return Err(self.fields.fault(
                            "acts on a joint that closes a loop",
                            "drive another joint of the loop",
                        ));
                    };
                    let joint = &self.model.joints()[j];
                    let parts = joint_coordinates(joint.kind);
                    if parts.is_empty() {
                        return Err(self.fields.fault(
                            format!("{} joints have no angle to control", joint.kind.name()),
                            "control the pose of its body, or write kind = \"expression\"",
                        ));
                    }
                    for (k, (part, unit, _)) in parts.iter().enumerate() {
                        let column = format!("joint.{}.{part}", joint.name);
                        let name = match parts.len() {
                            1 => joint.name.clone(),
                            _ => format!("{}-{part}", joint.name),
                        };
                        add(name, column, *unit == "rad", Some((j, k)))?;
                    }
                }
                Target::Coordinate {
                    linkage,
                    coordinate,
                } => {
                    let spec = &self.model.linkages()[*linkage].spec;
                    let name = &spec.coordinates[*coordinate].name;
                    add(name.clone(), format!("{}.{name}", spec.name), false, None)?;
                }
                Target::Along { .. } => {
                    return Err(self.fields.fault(
                        "acts through one direction of a body",
                        "act on the whole body, without direction or axis, or write kind = \"expression\"",
                    ));
                }
                Target::Wrench { .. } | Target::Points { .. } => {
                    return Err(self.fields.fault(
                        "pushes a body together with other things",
                        "give each body a controller of its own",
                    ));
                }
            }
        }
        self.aim_axes(&mut axes, integral)?;
        Ok((axes, joints))
    }

    /// `target` or `target_deg`, and `gains`.
    fn aim_axes(&self, axes: &mut [Axis], integral: bool) -> Read<()> {
        let n = axes.len();
        match self.fields.one_of(&["target", "target_deg"])? {
            None => {}
            Some((key, item)) => {
                let factor = if key == "target" {
                    1.0
                } else {
                    1f64.to_radians()
                };
                for (axis, signal) in axes.iter_mut().zip(signals(&item, n)?) {
                    axis.target = signal.scaled(factor);
                }
            }
        }
        let fix = "write gains = { proportional = 20, derivative = 2 }";
        let gains = self.fields.need("gains", fix)?.fields()?;
        let each = |item: Item| match &item.node.value {
            Value::List(_) => {
                let items = item.list()?;
                if items.len() != n {
                    return Err(item.fault(
                        format!("has {} gains for {n} coordinates", items.len()),
                        "write one for all, or one for each",
                    ));
                }
                items.iter().map(Item::non_negative).collect()
            }
            _ => Ok(vec![item.non_negative()?; n]),
        };
        let keys: &[(&str, usize)] = match integral {
            true => &[("proportional", 0), ("integral", 1), ("derivative", 2)],
            false => &[("proportional", 0), ("derivative", 2)],
        };
        for (key, at) in keys {
            let item = match *at {
                0 => Some(gains.need(key, fix)?),
                _ => gains.get(key),
            };
            let Some(item) = item else { continue };
            for (axis, gain) in axes.iter_mut().zip(each(item)?) {
                axis.gains[*at] = gain;
            }
        }
        gains.finish()
    }
}
