//! Starts that are given or to be found, and what repeats: `start`, `start.joints`, `goal.joints`, `periodic`.

use carom_engine::inner::{body_id, connected};

use super::fields::{Fields, Item, Read};
use super::optimise::{FREE, START_WORDS, ranges};
use super::plan::Reader;
use super::tree::Value;
use crate::model::{BodyId, BodyKind, JointKind};
use crate::optimise::{Boundary, Condition, Motion, Recurrence};

/// `{ position, rotation }`: how far a body may be from its start, one number or one for each axis; `"free"`
/// for anywhere.
fn near(item: &Item, body: BodyId) -> Read<Condition> {
    let free = |item: &Item| matches!(&item.node.value, Value::Text(word) if word == "free");
    let anywhere = [f64::INFINITY; 3];
    if free(item) {
        return Ok(Condition::Near {
            body,
            position: anywhere,
            rotation: anywhere,
        });
    }
    let fields = item.fields()?;
    let one = |item: &Item| match free(item) {
        true => Ok(f64::INFINITY),
        false => item.non_negative(),
    };
    let three = |key: &'static str| -> Read<[f64; 3]> {
        let Some(item) = fields.get(key) else {
            return Ok([0.0; 3]);
        };
        let list = match &item.node.value {
            Value::List(_) => item.list()?,
            _ => return Ok([one(&item)?; 3]),
        };
        let [x, y, z] = &list[..] else {
            return Err(item.fault(
                "is neither a number nor a list of three",
                "write 0.1, or [0.1, 0.1, 0]",
            ));
        };
        Ok([one(x)?, one(y)?, one(z)?])
    };
    let (position, rotation) = (three("position")?, three("rotation")?);
    fields.finish()?;
    Ok(Condition::Near {
        body,
        position,
        rotation,
    })
}

/// A number, `[least, largest]`, or `"free"`.
fn range(item: &Item) -> Read<[f64; 2]> {
    match &item.node.value {
        Value::List(_) => item.range(),
        Value::Text(word) if word == "free" => Ok(FREE),
        _ => Ok([item.number()?; 2]),
    }
}

impl Reader<'_> {
    /// Everything begins where its section puts it, with its velocity or within ranges of it; or anywhere.
    pub(super) fn start(&self, fields: &Fields) -> Read<Boundary> {
        let mut out = Boundary {
            conditions: vec![Condition::AsBuilt],
            motions: Vec::new(),
        };
        let item = fields.get("start");
        if let Some(item) = &item
            && matches!(item.node.value, Value::Text(_))
        {
            // The only word there is, "free": others were refused with the bodies.
            return Ok(Boundary::default());
        }
        let given = item.map(|item| item.fields()).transpose()?;
        let word = |key: &'static str| given.as_ref().and_then(|f| f.get(key));
        let mut free = false;
        if let Some(item) = word("free") {
            free = item.boolean()?;
        }
        if free {
            out.conditions.clear();
        }
        if let Some(item) = word("joints") {
            self.joint_states(&item, &mut out.conditions)?;
            if !free {
                // What the start holds is opened, not narrowed.
                out.conditions.iter_mut().for_each(opened);
            }
        }
        let by_joints = self.moved_by_rates(&out.conditions);
        for (k, body) in self.model.bodies().iter().enumerate() {
            if body.kind == BodyKind::Static {
                continue;
            }
            let id = body_id(k);
            let mut motion = Motion::given(id, &body.velocity, &body.angular_velocity);
            let mut moves = !free;
            if let Some(entry) = given.as_ref().and_then(|f| f.table.get(&body.name))
                && !START_WORDS.contains(&body.name.as_str())
            {
                let item = Item {
                    node: &entry.node,
                    path: format!("optimise.start.{}", body.name),
                    scope: fields.scope,
                };
                let own = item.fields()?;
                if free {
                    motion.twist = [FREE; 6];
                    self.pose(&own, id, &mut out.conditions)?;
                }
                for (key, first) in [("velocity", 0), ("angular_velocity", 3)] {
                    if let Some(item) = own.get(key) {
                        let own = self.velocity_of(id, key, &item)?;
                        motion.twist[first..first + 3].copy_from_slice(&own);
                        moves = true;
                        if by_joints.contains(&id) {
                            return Err(item.fault(
                                "the rate of a joint that moves this body is given, too",
                                "give velocities of bodies, or rates of joints",
                            ));
                        }
                    }
                }
                if let Some(item) = own.get("within") {
                    if free {
                        let fix = "leave it out, or free = true";
                        return Err(item.fault("everything is free", fix));
                    }
                    out.conditions.push(near(&item, id)?);
                }
            }
            if moves && !by_joints.contains(&id) {
                out.motions.push(motion);
            }
        }
        if let Some(item) = word("conditions") {
            out.conditions.extend(self.conditions(&item)?);
        }
        Ok(out)
    }

    /// `joints = { NAME = x }`: a number, a range, `"free"`, or `{ value, range, coordinate, rate }`.
    pub(super) fn joint_states(&self, item: &Item, out: &mut Vec<Condition>) -> Read<()> {
        for (name, entry) in item.fields()?.table {
            let own = Item {
                node: &entry.node,
                path: format!("{}.{name}", item.path),
                scope: item.scope,
            };
            // `joints.LINKAGE.COORDINATE` is a table of coordinates.
            if self.scenario.linkages.iter().any(|l| l.name == *name) {
                for (coordinate, entry) in own.fields()?.table {
                    let inner = Item {
                        node: &entry.node,
                        path: format!("{}.{coordinate}", own.path),
                        scope: item.scope,
                    };
                    self.joint_state(&inner, &format!("{name}.{coordinate}"), out)?;
                }
                continue;
            }
            self.joint_state(&own, name, out)?;
        }
        Ok(())
    }

    /// A number, a range, `"free"`, or `{ value, range, coordinate, rate }` of one joint.
    fn joint_state(&self, own: &Item, name: &str, out: &mut Vec<Condition>) -> Read<()> {
        let (joint, zero) = self.joint_named(own, name)?;
        if !matches!(own.node.value, Value::Table(_)) {
            out.push(Condition::Joint {
                joint,
                coordinate: 0,
                range: range(own)?.map(|v| v - zero),
            });
            return Ok(());
        }
        let fields = own.fields()?;
        let coordinate = fields
            .get("coordinate")
            .map(|i| i.count(0, 5))
            .transpose()?;
        let coordinate = coordinate.unwrap_or(0) as usize;
        let value = match fields.one_of(&["value", "value_deg", "range", "range_deg"])? {
            None => None,
            Some(("value", item)) => Some(range(&item)?),
            Some(("value_deg", item)) => Some(range(&item)?.map(f64::to_radians)),
            Some(("range", item)) => Some(item.range()?),
            Some((_, item)) => Some(item.range()?.map(f64::to_radians)),
        };
        let rate = fields.get("rate").map(|item| range(&item)).transpose()?;
        if value.is_none() && rate.is_none() {
            return Err(fields.fault(
                "says nothing",
                "write value = 0.5 (or \"free\"), range = […], rate = …",
            ));
        }
        out.extend(value.map(|range| Condition::Joint {
            joint,
            coordinate,
            range: range.map(|v| v - zero),
        }));
        out.extend(rate.map(|range| Condition::Rate {
            joint,
            coordinate,
            range,
        }));
        fields.finish()
    }

    /// Bodies whose velocities follow from rates of joints: all those that are connected to one.
    pub(super) fn moved_by_rates(&self, conditions: &[Condition]) -> Vec<BodyId> {
        let model = self.model;
        let driven = |c: &Condition| match c {
            Condition::Rate { joint, .. } => model.find_joint(*joint),
            _ => None,
        };
        let driven = conditions.iter().filter_map(driven);
        let driven: Vec<BodyId> = driven.map(|j| model.joints()[j].child).collect();
        let mut groups = connected(model);
        groups.retain(|bodies| bodies.iter().any(|b| driven.contains(b)));
        groups.concat()
    }

    /// `true`, or a list of `{ body, shift, rotation, velocity }` and `{ joint, like, shift, rate }`.
    pub(super) fn periodic(&self, fields: &Fields) -> Read<Vec<Recurrence>> {
        let Some(item) = fields.get("periodic") else {
            return Ok(Vec::new());
        };
        if let Value::Boolean(all) = item.node.value {
            return Ok(if all {
                Recurrence::all(self.model)
            } else {
                Vec::new()
            });
        }
        item.list()?
            .iter()
            .map(|item| self.recurrence(item))
            .collect()
    }

    fn recurrence(&self, item: &Item) -> Read<Recurrence> {
        let fix = "write { body = \"NAME\" } or { joint = \"NAME\" }";
        let fields = item.fields()?;
        let kind = fields.one_of(&["body", "joint"])?;
        let out = match kind.ok_or_else(|| fields.fault("what repeats?", fix))? {
            ("body", name) => {
                let body = self.body(&name)?;
                let joint = self.model.joints().iter().find(|j| j.child == body);
                let Some(joint) = joint else {
                    return Err(name.fault("never moves", "name a body that moves"));
                };
                let by_joint = !matches!(joint.kind, JointKind::Free | JointKind::Planar);
                if by_joint && !joint.name.is_empty() {
                    let fix = format!("write {{ joint = \"{}\" }}", joint.name);
                    return Err(name.fault("is moved by a joint", fix));
                }
                let mut out = Recurrence::of(body);
                if let Some(item) = fields.get("like") {
                    out.like = self.body(&item)?;
                }
                if let Some(item) = fields.get("shift") {
                    let shift = ranges(&item)?;
                    if joint.kind == JointKind::Planar {
                        self.planar_shift(&item, joint, shift, &mut out)?;
                    } else {
                        out.shift = shift.to_vec();
                    }
                }
                if let Some(item) = fields.get("rotation") {
                    out.rotation = item.boolean()?;
                    if joint.kind == JointKind::Planar && !out.rotation {
                        out.shift.resize(3, [0.0; 2]);
                        out.shift[2] = FREE;
                    }
                }
                if let Some(item) = fields.get("velocity") {
                    out.velocity = item.boolean()?;
                }
                out
            }
            (_, name) => {
                let body = self.carried(&name)?;
                let mut out = Recurrence::of(body);
                if let Some(item) = fields.get("like") {
                    out.like = self.carried(&item)?;
                }
                if let Some(item) = fields.get("shift") {
                    out.shift = match &item.node.value {
                        // One number or range is that of the only coordinate.
                        Value::List(list)
                            if !matches!(
                                list.first().map(|n| &n.value),
                                Some(Value::Number(_))
                            ) =>
                        {
                            item.list()?.iter().map(range).collect::<Read<Vec<_>>>()?
                        }
                        _ => vec![range(&item)?],
                    };
                }
                if let Some(item) = fields.get("rate") {
                    out.velocity = item.boolean()?;
                }
                out
            }
        };
        fields.finish()?;
        Ok(out)
    }

    /// The shift of a body in a plane, along its two directions.
    fn planar_shift(
        &self,
        item: &Item,
        joint: &crate::model::Joint,
        shift: [[f64; 2]; 3],
        out: &mut Recurrence,
    ) -> Read<()> {
        let mut all = Vec::new();
        for across in &joint.across {
            let k = across.iamax();
            if across[k].abs() < 1.0 - 1e-9 {
                return Err(item.fault(
                    "the plane of this body is not along the axes",
                    "leave shift out, or name the joint",
                ));
            }
            all.push(if across[k] > 0.0 {
                shift[k]
            } else {
                [-shift[k][1], -shift[k][0]]
            });
        }
        all.push([0.0; 2]);
        out.shift = all;
        Ok(())
    }

    /// The body that a joint of the tree carries.
    fn carried(&self, item: &Item) -> Read<BodyId> {
        let joint = self.joint(item)?;
        match self.model.find_joint(joint) {
            Some(j) => Ok(self.model.joints()[j].child),
            None => Err(item.fault(
                "closes a loop: it follows from the other joints",
                "name the others",
            )),
        }
    }
}

/// A condition on a joint as what is found at the start.
fn opened(condition: &mut Condition) {
    if let Condition::Joint {
        joint,
        coordinate,
        range,
    } = *condition
    {
        *condition = Condition::Open {
            joint,
            coordinate,
            range,
        };
    }
}
