//! `target` of a controller: where a body should be.

use std::sync::Arc;

use nalgebra::Vector3;

use super::actuators::signals;
use super::controller_laws::Reader;
use super::controllers::plan_file;
use super::error::suggestion;
use super::fields::{Fields, Item, Read};
use super::plan_file::read_nodes;
use super::sections::section;
use super::shapes;
use crate::Pose;
use crate::control::{Aim, PlanPath, Sight, VirtualDipole};
use crate::model::{BodyId, Signal};

impl Reader<'_> {
    /// `target`: a pose, functions of time, a relative pose, or a field line.
    pub(super) fn aim(&self, body: BodyId) -> Read<Aim> {
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
                        .map_err(|_| item.fault("does not have three values", "write three"))
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
    pub(super) fn plan(&self, item: &Item) -> Read<PlanPath> {
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
        let far = moment.dot(&(wanted.position - center));
        if far <= 0.0 {
            return Err(fields.fault(
                "the docked place is behind the dipole",
                "turn `moment` towards it, or give another center",
            ));
        }
        let length = |key: &'static str, usual: f64| match fields.get(key) {
            None => Ok(usual),
            Some(item) => item.non_negative(),
        };
        let brake = length("brake", far)?;
        let straight = length("straight", 0.25 * far)?;
        let start = length("start", brake / speed)?;
        fields.finish()?;
        let docked = (wanted.position, wanted.directors);
        let dipole = VirtualDipole::new(center, moment, speed, docked).soft(start, brake, straight);
        Ok(Aim::Dipole {
            frame,
            dipole: Box::new(dipole),
            begun: false,
        })
    }
}
