//! The laws of `[controller.NAME]`: `pd`, `pid`, `computed-torque`, `tracking`, `expression`.

use std::sync::Arc;

use nalgebra::Vector3;

use super::actuators::signals;
use super::controllers::plan_file;
use super::error::{count, suggestion};
use super::fields::{Fields, Item, Read};
use super::measure::{self, Relative};
use super::plan_file::read_nodes;
use super::sections::section;
use super::tree::Value;
use super::{Scenario, shapes};
use crate::Pose;
use crate::control::{
    Aim, Axis, ComputedTorque, Controller, Expressions, Integrated, Lqr, Pid, PlanPath, Port,
    PoseController, Retraction, Sight, Tracking, VirtualDipole, Weights,
};
use crate::expression::Compiled;
use crate::model::{ActuatorId, BodyId, BodyKind, Model, Signal, Target};
use crate::simulate::{Columns, coordinates};

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Pd,
    Pid,
    ComputedTorque,
    Tracking,
    Expression,
    Lqr,
}

const KINDS: [(&str, Kind); 6] = [
    ("pd", Kind::Pd),
    ("pid", Kind::Pid),
    ("computed-torque", Kind::ComputedTorque),
    ("tracking", Kind::Tracking),
    ("expression", Kind::Expression),
    ("lqr", Kind::Lqr),
];

const RETRACTIONS: [(&str, Retraction); 2] = [
    ("exponential", Retraction::Exponential),
    ("cayley", Retraction::Cayley),
];

/// Joint of the tree and coordinate of an axis; `None` for those of linkages.
type OfJoint = Option<(usize, usize)>;

/// Reads the law of one controller.
pub(super) struct Reader<'a> {
    pub scenario: &'a Scenario,
    pub fields: &'a Fields<'a>,
    pub model: &'a Arc<Model>,
    pub columns: &'a Columns,
    pub actuators: &'a [ActuatorId],
    pub outputs: usize,
    pub every: u64,
}

impl Reader<'_> {
    pub fn read(&self) -> Read<Box<dyn Controller>> {
        let fix = "write kind = \"pd\", \"pid\", \"computed-torque\", \"tracking\", \"expression\" or \"lqr\"";
        let kind = self.fields.need("kind", fix)?.choice(&KINDS)?;
        let port = match self.actuators {
            [one] => Port::of(&self.model.actuators()[one.index()]),
            _ => None,
        };
        match (kind, port) {
            (Kind::Expression, _) => self.expressions(),
            (Kind::Lqr, _) => self.lqr(),
            (Kind::ComputedTorque, None) => self.computed_torque(),
            (Kind::ComputedTorque, Some(_)) => Err(self.fields.fault(
                "computed torque acts on joints",
                "name joints; for the pose of a body write kind = \"tracking\", which knows its inertia",
            )),
            (Kind::Tracking, None) => Err(self.fields.fault(
                "tracking acts on a body",
                "name a body, or an actuator that pushes one; for joints write kind = \"computed-torque\"",
            )),
            (Kind::Pd | Kind::Pid, None) => {
                let (axes, _) = self.axes(kind == Kind::Pid)?;
                Ok(Box::new(Pid::new(axes)))
            }
            (_, Some((body, port))) => self.pose(kind, body, port),
        }
    }

    /// Coordinates of the joints and linkages that the actuators drive, with the joint of each.
    fn axes(&self, integral: bool) -> Read<(Vec<Axis>, Vec<OfJoint>)> {
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
                    let parts = coordinates(joint.kind);
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
                Target::Wrench { .. } => {
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

    fn computed_torque(&self) -> Read<Box<dyn Controller>> {
        let (axes, joints) = self.axes(true)?;
        let joints = joints.into_iter().collect::<Option<Vec<_>>>();
        let joints = joints.ok_or_else(|| {
            self.fields.fault(
                "computed torque does not know linkages",
                "write kind = \"pd\", or describe the mechanism with bodies and joints",
            )
        })?;
        if !self.model.closures().is_empty() {
            return Err(self.fields.fault(
                "computed torque does not know closed loops",
                "write kind = \"pd\" or \"pid\"",
            ));
        }
        let outputs = (self.actuators.iter())
            .flat_map(|a| self.model.actuators()[a.index()].range())
            .collect();
        let law = ComputedTorque::new(self.model, axes, joints, outputs);
        Ok(Box::new(law))
    }

    fn pose(&self, kind: Kind, body: BodyId, port: Port) -> Read<Box<dyn Controller>> {
        let of = self.model.body(body);
        let turns = matches!(of.kind, BodyKind::Rigid { .. });
        if of.kind == BodyKind::Static {
            return Err(self.fields.fault(
                format!("`{}` never moves", of.name),
                "name a body that moves",
            ));
        }
        let fix =
            "write gains = { position = 1, velocity = 2, orientation = 1, angular_velocity = 1 }";
        let gains = self.fields.need("gains", fix)?.fields()?;
        let gain = |key: &'static str, needed: bool| match (gains.get(key), needed) {
            (Some(item), true) if kind == Kind::Tracking => item.positive(),
            (Some(item), _) => item.non_negative(),
            (None, true) => gains.need(key, fix).and_then(|item| item.positive()),
            (None, false) => Ok(0.0),
        };
        let tracks = kind == Kind::Tracking;
        let position_gain = gain("position", tracks)?;
        let velocity_gain = gain("velocity", tracks)?;
        let orientation_gain = gain("orientation", tracks && turns)?;
        let angular_velocity_gain = gain("angular_velocity", tracks && turns)?;
        let integral = match kind {
            Kind::Pid => [
                gain("position_integral", false)?,
                gain("orientation_integral", false)?,
            ],
            _ => [0.0; 2],
        };
        gains.finish()?;
        let retraction = match self.fields.get("retraction") {
            None => Retraction::default(),
            Some(item) => item.choice(&RETRACTIONS)?,
        };
        let law = Tracking {
            mass: 0.0,
            inertia: nalgebra::Matrix3::zeros(),
            position_gain,
            velocity_gain,
            orientation_gain,
            angular_velocity_gain,
            retraction,
        };
        let sight = Sight::of(self.model, self.columns, Some(body));
        let aim = self.aim(body)?;
        let controller = match kind {
            Kind::Tracking => PoseController::tracking(self.model, body, port, law, aim, sight),
            _ => PoseController::pid(self.model, body, port, law, integral, aim, sight),
        };
        let compensate = match self.fields.get("compensate") {
            None => tracks,
            Some(item) => item.boolean()?,
        };
        Ok(Box::new(controller.compensate(compensate)))
    }

    /// `target`: a pose, functions of time, a relative pose, or a field line.
    fn aim(&self, body: BodyId) -> Read<Aim> {
        let fix = "write target = { position = […], rotation_deg = […] }, { relative = \"NAME\" } or \
                    { dipole = { relative = \"NAME\", speed = 0.05 } } or { plan = \"DIR\" }";
        let item = self.fields.need("target", fix)?;
        let fields = item.fields()?;
        let aim = match fields.one_of(&["relative", "dipole", "plan"])? {
            Some(("plan", item)) => Aim::Plan {
                path: self.plan(&item)?,
                body: body.index(),
            },
            Some(("relative", item)) => {
                let (frame, wanted) = self.relative(&item, body)?;
                Aim::Relative { frame, wanted }
            }
            Some((_, item)) => self.dipole(&item, body)?,
            None => {
                let three = |item: Item| -> Read<[Signal; 3]> {
                    let list = signals(&item, 3)?;
                    list.try_into()
                        .map_err(|_| item.fault("has not three values", "write three"))
                };
                let none = || [0.0; 3].map(Signal::Constant);
                let position = fields.get("position").map(three).transpose()?;
                let rotation = match fields.one_of(&["rotation", "rotation_deg"])? {
                    None => none(),
                    Some(("rotation", item)) => three(item)?,
                    Some((_, item)) => three(item)?.map(|s| s.scaled(1f64.to_radians())),
                };
                let position = position.ok_or_else(|| fields.fault("aims at nothing", fix))?;
                Aim::Signals { position, rotation }
            }
        };
        fields.finish()?;
        Ok(aim)
    }

    /// A plan by the name of its folder or file.
    fn plan(&self, item: &Item) -> Read<PlanPath> {
        let written = item.text()?;
        let file = plan_file(&self.scenario.folder, written);
        let nodes = std::fs::read_to_string(&file)
            .map_err(|error| format!("{} cannot be read: {error}", file.display()))
            .and_then(|text| read_nodes(self.model, &text));
        let nodes = nodes.map_err(|error| {
            item.fault(
                error,
                "name the folder that `carom run` wrote a plan of this model to",
            )
        })?;
        Ok(PlanPath(Arc::new(nodes)))
    }

    /// Linear-quadratic feedback around a plan.
    fn lqr(&self) -> Read<Box<dyn Controller>> {
        let item = self
            .fields
            .need("plan", "name the folder of a plan: plan = \"out/NAME\"")?;
        let path = self.plan(&item)?;
        if !self.model.closures().is_empty() {
            return Err(self.fields.fault(
                "lqr does not know closed loops",
                "follow the plan with kind = \"pd\" or \"tracking\" on single bodies or joints",
            ));
        }
        if self.outputs == 0 {
            return Err(self
                .fields
                .fault("there is nothing to act with", "add [actuator.NAME]"));
        }
        let free = [f64::NEG_INFINITY, f64::INFINITY];
        let mut outputs = Vec::new();
        for id in self.actuators {
            let actuator = &self.model.actuators()[id.index()];
            let bound = |k: usize| actuator.bounds.get(k).copied().unwrap_or(free);
            outputs.extend(actuator.range().enumerate().map(|(k, at)| (at, bound(k))));
        }
        // A centimetre, and the largest control of the plan, cost one.
        let sizes = path.0.controls.iter().flatten().map(|v| v.abs());
        let largest = sizes.fold(1e-9, f64::max);
        let time = path.end();
        let mut weights = Weights {
            position: 1e4,
            velocity: 1e4 * (time / 20.0).powi(2),
            control: 1.0 / (largest * largest),
            end: time,
        };
        if let Some(item) = self.fields.get("weights") {
            let own = item.fields()?;
            if let Some(item) = own.get("position") {
                weights.position = item.positive()?;
            }
            if let Some(item) = own.get("velocity") {
                weights.velocity = item.non_negative()?;
            }
            if let Some(item) = own.get("control") {
                weights.control = item.positive()?;
            }
            if let Some(item) = own.get("end") {
                weights.end = item.non_negative()?;
            }
            own.finish()?;
        }
        let bodies = 0..self.model.bodies().len() as u32;
        let sights = bodies
            .map(|b| Sight::of(self.model, self.columns, Some(BodyId(b))))
            .collect();
        let settings = self.scenario.settings.simulator();
        let law = Lqr::new(
            self.model, settings, self.every, path, &outputs, &weights, sights,
        );
        let law =
            law.map_err(|error| item.fault(format!("gives no gains: {error}"), "change weights"))?;
        Ok(Box::new(law))
    }

    /// The pose of `[relative.NAME]`, of which the second body is the controlled one.
    fn relative(&self, item: &Item, body: BodyId) -> Read<(Sight, Pose)> {
        let name = item.reference()?;
        let sections = section(&self.scenario.root, "relative")?;
        let entry = sections.and_then(|table| table.get(&name));
        let table = entry.and_then(|e| e.node.table());
        let (Some(entry), Some(table)) = (entry, table) else {
            let known = sections
                .into_iter()
                .flat_map(|t| t.keys().map(String::as_str));
            let known: Vec<_> = known.collect();
            return Err(item.fault(
                format!("there is no [relative.{name}]"),
                match known.is_empty() {
                    true => "add it, with between = [\"a\", \"b\"] and position = […]".into(),
                    false => suggestion(&name, known),
                },
            ));
        };
        let fields = Fields::new(table, format!("relative.{name}"), entry.key, item.scope);
        let between = fields.need("between", "name two bodies: between = [\"a\", \"b\"]")?;
        let list = between.list()?;
        let [first, second] = list.as_slice() else {
            return Err(between.fault("is not a pair", "write between = [\"a\", \"b\"]"));
        };
        let own = &self.model.body(body).name;
        if second.reference()? != *own {
            return Err(item.fault(
                format!("[relative.{name}] is not a pose of `{own}`"),
                format!("write between = [\"…\", \"{own}\"] there"),
            ));
        }
        let seen_from = match first.reference()?.as_str() {
            "world" => None,
            other => Some(self.model.find_body(other).ok_or_else(|| {
                let known = self.model.bodies().iter().map(|b| b.name.as_str());
                first.fault(
                    format!("there is no body `{other}`"),
                    suggestion(other, known),
                )
            })?),
        };
        let wanted = shapes::pose(&fields, false)?;
        Ok((Sight::of(self.model, self.columns, seen_from), wanted))
    }

    fn dipole(&self, item: &Item, body: BodyId) -> Read<Aim> {
        let fields = item.fields()?;
        let fix = "name the docked pose: relative = \"NAME\" of [relative.NAME]";
        let (frame, wanted) = self.relative(&fields.need("relative", fix)?, body)?;
        let speed = fields
            .need("speed", "give η in m/s: the speed is between η and 2 η")?
            .positive()?;
        let center = fields.get("center").map(|c| c.vector()).transpose()?;
        let center = center.unwrap_or_default();
        let moment = match fields.get("moment") {
            Some(item) => item.direction()?,
            None => {
                let along: Vector3<f64> = wanted.position - center;
                along.try_normalize(0.0).ok_or_else(|| {
                    fields.fault(
                        "the docked place is that of the dipole",
                        "give another center",
                    )
                })?
            }
        };
        let brake = match fields.get("brake") {
            None => 0.2 * (wanted.position - center).norm(),
            Some(item) => item.non_negative()?,
        };
        fields.finish()?;
        let docked = (wanted.position, wanted.directors);
        let start = center + moment;
        let mut dipole = VirtualDipole::new(center, moment, speed, docked, start);
        dipole.brake = brake;
        Ok(Aim::Dipole {
            frame,
            dipole,
            begun: false,
        })
    }

    fn expressions(&self) -> Read<Box<dyn Controller>> {
        let scope = self.fields.scope;
        let relatives = (self.scenario.relatives(scope, self.columns.names()))
            .map_err(|mut faults| Box::new(faults.remove(0)))?;
        let mut names = measure::quantities(self.columns.names(), &relatives);
        let taken = |name: &str, item: &Item, names: &[String]| {
            let bad = names.iter().any(|n| n == name)
                || scope.value(name).is_some()
                || ["t", "time", "pi", "e"].contains(&name)
                || !name.chars().all(|c| c.is_alphanumeric() || c == '_');
            match bad {
                true => Err(item.fault(
                    format!("`{name}` cannot be its name"),
                    "use letters, digits and _, and a name that nothing else has",
                )),
                false => Ok(()),
            }
        };
        let (mut states, mut named) = (Vec::new(), Vec::new());
        for (name, item) in self.entries("states")? {
            taken(&name, &item, &names)?;
            names.push(name.clone());
            states.push((name, item));
        }
        for (name, item) in self.entries("quantities")? {
            taken(&name, &item, &names)?;
            named.push((name.clone(), self.compiled(&item, &names)?));
            names.push(name);
        }
        let states = (states.into_iter())
            .map(|(name, item)| {
                let fields = item.fields()?;
                let rate = fields.need("rate", "write { rate = \"…\", start = 0 }")?;
                let start = fields.get("start").map(|s| s.number()).transpose()?;
                fields.finish()?;
                Ok(Integrated {
                    rate: self.compiled(&rate, &names)?,
                    value: start.unwrap_or(0.0),
                    name,
                })
            })
            .collect::<Read<Vec<_>>>()?;
        let outputs = self.outputs(&names)?;
        let derive = move |row: &[f64], out: &mut Vec<f64>| {
            relatives
                .iter()
                .for_each(|r: &Relative| out.extend(r.values(row)));
        };
        Ok(Box::new(Expressions {
            derive: Arc::new(derive),
            states,
            named,
            outputs,
        }))
    }

    /// The entries of an inner table.
    fn entries(&self, key: &'static str) -> Read<Vec<(String, Item<'_>)>> {
        let Some(item) = self.fields.get(key) else {
            return Ok(Vec::new());
        };
        let table = item.fields()?.table;
        Ok((table.iter())
            .map(|(name, entry)| {
                let own = Item {
                    node: &entry.node,
                    path: format!("{}.{name}", item.path),
                    scope: item.scope,
                };
                (name.clone(), own)
            })
            .collect())
    }

    /// `output`, one expression for each; on a body also `force` and `torque`.
    fn outputs(&self, names: &[String]) -> Read<Vec<Compiled>> {
        let list = |item: &Item, n: usize| -> Read<Vec<Compiled>> {
            let items = match &item.node.value {
                Value::List(_) => item.list()?,
                _ => vec![item.clone()],
            };
            if items.len() != n {
                return Err(item.fault(
                    format!("has {} for {n} outputs", count(items.len(), "expression")),
                    "write one for each",
                ));
            }
            items.iter().map(|i| self.compiled(i, names)).collect()
        };
        let on_body = self.outputs == 6 && self.actuators.len() == 1;
        if on_body && !self.fields.table.contains_key("output") {
            let mut all = Vec::new();
            for key in ["force", "torque"] {
                match self.fields.get(key) {
                    Some(item) => all.extend(list(&item, 3)?),
                    None => all.extend(vec![Compiled::constant(0.0); 3]),
                }
            }
            let given = ["force", "torque"].map(|key| self.fields.table.contains_key(key));
            if given == [false; 2] {
                return Err(self.fields.fault(
                    "does nothing",
                    "give force = […] and torque = […], three expressions each",
                ));
            }
            return Ok(all);
        }
        let item = self.fields.need(
            "output",
            "write output = \"…\", an expression of measured quantities",
        )?;
        list(&item, self.outputs)
    }

    /// An expression of measured quantities.
    fn compiled(&self, item: &Item, names: &[String]) -> Read<Compiled> {
        let expression = item.scope.parse(item.node, &item.path)?;
        let held = |name: &&str| {
            let part = name.strip_prefix("joint.").and_then(|n| n.rsplit_once('.'));
            let (of, _) = part.unwrap_or_default();
            of.ends_with(".force") || of.ends_with(".torque")
        };
        if let Some(name) = expression.variables().find(held) {
            return Err(item.fault(
                format!("`{name}` is not measured"),
                "forces of joints are known after a step only; use positions, angles and rates",
            ));
        }
        measure::compiled(item, names)
    }
}
