//! `guess`: where the search begins.

use nalgebra::Vector3;

use super::fields::{Fields, Item, Read};
use super::plan::Reader;
use super::tree::Value;
use crate::mechanics::{exp_minus_identity, log};
use crate::model::{Joint, JointKind};
use crate::optimise::{Guess, OptimiseError, Place, Problem, Way};

const FIX: &str = "write \"straight\", \"start\", \"simulate\", { ways = [{ node = 10, bodies.NAME = \
                    { position = […] } }] }, { simulate = { ACTUATOR = […] } } or { plan = \"FOLDER\" }";

impl Reader<'_> {
    /// What the optimiser says of a problem while a guess is made: no matter of the guess.
    fn complaint(&self, error: &OptimiseError, fields: &Fields) -> Box<super::error::Fault> {
        match error {
            OptimiseError::Contradiction { .. } => {
                fields.fault(error.to_string(), "change start, goal, path or limits")
            }
            OptimiseError::Unsupported { what, fix } | OptimiseError::Invalid { what, fix } => {
                fields.fault(what, fix)
            }
            OptimiseError::Guess { .. } => fields.fault(error.to_string(), FIX),
        }
    }

    pub(super) fn guess(&self, fields: &Fields, problem: &Problem) -> Read<Guess> {
        let Some(item) = fields.get("guess") else {
            return Guess::straight(problem).map_err(|e| self.complaint(&e, fields));
        };
        let fail = |e: OptimiseError| match &e {
            OptimiseError::Guess { .. } => item.fault(e.to_string(), FIX),
            _ => self.complaint(&e, fields),
        };
        if let Value::Text(word) = &item.node.value {
            return match word.as_str() {
                "straight" => Guess::straight(problem).map_err(fail),
                "start" => Guess::through(problem, &[Way::start(self.model, 0)]).map_err(fail),
                "simulate" => Guess::simulate(problem, &[]).map_err(fail),
                _ => Err(item.fault(format!("`{word}` is not a guess"), FIX)),
            };
        }
        let own = item.fields()?;
        let kind = own.one_of(&["ways", "simulate", "plan"])?;
        let guess = match kind.ok_or_else(|| own.fault("no guess", FIX))? {
            ("ways", list) => {
                let mut ways = vec![Way::start(self.model, 0)];
                for item in list.list()? {
                    let way = self.way(&item, &ways[ways.len() - 1], problem)?;
                    match way.node {
                        0 => ways[0] = way,
                        _ => ways.push(way),
                    }
                }
                Guess::through(problem, &ways).map_err(|e| list.fault(e.to_string(), FIX))?
            }
            ("simulate", table) => {
                let given = table.fields()?;
                let mut tau = vec![0.0; self.model.controls()];
                for (name, entry) in given.table {
                    let item = Item {
                        node: &entry.node,
                        path: format!("{}.{name}", table.path),
                        scope: fields.scope,
                    };
                    let actuators = self.model.actuators();
                    let Some(a) = actuators.iter().find(|a| a.name == *name) else {
                        let known = actuators.iter().map(|a| a.name.as_str());
                        let fix = super::error::suggestion(name, known);
                        return Err(item.fault(format!("there is no actuator `{name}`"), fix));
                    };
                    tau[a.range()].copy_from_slice(&item.numbers(a.components())?);
                }
                Guess::simulate(problem, &[tau]).map_err(fail)?
            }
            (_, folder) => {
                let text = folder.text()?;
                let path = std::path::Path::new(text).join("plan.json");
                let read = std::fs::read_to_string(&path).map_err(|e| {
                    let message = format!("{}: {e}", path.display());
                    folder.fault(message, "name the output folder of an earlier run")
                })?;
                super::plan_file::read_plan(problem, &read).map_err(|e| {
                    folder.fault(e, "name the output folder of a run of this problem")
                })?
            }
        };
        own.finish()?;
        Ok(guess)
    }

    /// `{ node, bodies = { NAME = { position, rotation } }, joints = { NAME = value } }`; what is not
    /// named stays where the way before has it.
    fn way(&self, item: &Item, before: &Way, problem: &Problem) -> Read<Way> {
        let fields = item.fields()?;
        let steps: usize = problem.phases.iter().map(|p| p.steps).sum();
        let node = fields.need("node", "at which node? node = 10")?;
        let mut way = before.clone();
        way.node = node.count(0, steps as u64)? as usize;
        if let Some(item) = fields.get("bodies") {
            for (name, entry) in item.fields()?.table {
                let own = Item {
                    node: &entry.node,
                    path: format!("{}.{name}", item.path),
                    scope: item.scope,
                };
                self.place_body(&own, name, &mut way)?;
            }
        }
        if let Some(item) = fields.get("joints") {
            for (name, entry) in item.fields()?.table {
                let own = Item {
                    node: &entry.node,
                    path: format!("{}.{name}", item.path),
                    scope: item.scope,
                };
                self.place_joint(&own, name, &mut way)?;
            }
        }
        fields.finish()?;
        Ok(way)
    }

    fn place_body(&self, item: &Item, name: &str, way: &mut Way) -> Read<()> {
        let body = self.body_named(name);
        let joints = self.model.joints();
        let roots = [JointKind::Free, JointKind::Planar];
        let j = (joints.iter())
            .position(|j| Some(j.child) == body && j.parent.is_none() && roots.contains(&j.kind));
        let Some(j) = j else {
            let fix = "bodies of a way are free bodies and the first ones of chains; others follow from `joints`";
            return Err(item.fault(format!("`{name}` is not a free body"), fix));
        };
        let fields = item.fields()?;
        if let Place::Coordinates(values) = &mut way.places[j] {
            self.place_planar(&fields, &joints[j], values)?;
            return fields.finish();
        }
        if let Place::Free(position, rotation) = &mut way.places[j] {
            if let Some(item) = fields.get("position") {
                *position = item.vector()?;
            }
            match fields.one_of(&["rotation", "rotation_deg"])? {
                Some(("rotation", item)) => *rotation = item.turn()?,
                Some((_, item)) => *rotation = item.turn()? * 1f64.to_radians(),
                None => {}
            }
        }
        fields.finish()
    }

    /// Position and rotation of a body that moves in a plane, as coordinates of its joint.
    fn place_planar(&self, fields: &Fields, joint: &Joint, values: &mut [f64]) -> Read<()> {
        let start = &self.model.body(joint.child).start;
        let arm = start.directors * joint.anchor_child;
        // The body turns about the joint's point, which slides.
        let turned = |angle: f64| {
            (exp_minus_identity(&(joint.axis * angle)) + nalgebra::Matrix3::identity()) * arm
        };
        let slide = Vector3::from(joint.across[0]) * values[0] + joint.across[1] * values[1];
        let mut position = start.position + arm + slide - turned(values[2]);
        if let Some(item) = fields.get("position") {
            position = item.planar_vector()?;
        }
        // Rotations count from no rotation, coordinates from the model's start.
        let before = log(&start.directors).dot(&joint.axis);
        if let Some((key, item)) = fields.one_of(&["rotation", "rotation_deg"])? {
            let unit = if key == "rotation" {
                1.0
            } else {
                1f64.to_radians()
            };
            values[2] = item.turn()?.dot(&joint.axis) * unit - before;
        }
        let slide = position + turned(values[2]) - start.position - arm;
        values[0] = slide.dot(&joint.across[0]);
        values[1] = slide.dot(&joint.across[1]);
        Ok(())
    }

    fn place_joint(&self, item: &Item, name: &str, way: &mut Way) -> Read<()> {
        let joints = self.model.joints();
        let Some(j) = joints.iter().position(|j| j.name == name) else {
            let known = joints
                .iter()
                .map(|j| j.name.as_str())
                .filter(|n| !n.is_empty());
            let fix = super::error::suggestion(name, known);
            return Err(item.fault(format!("there is no joint `{name}`"), fix));
        };
        match &mut way.places[j] {
            Place::Turned(rotation) => *rotation = item.vector()?,
            Place::Coordinates(values) => match &item.node.value {
                Value::List(_) => *values = item.numbers(values.len())?,
                _ if values.len() == 1 => {
                    let zero = self.scenario.linkage_joint(self.model, name);
                    values[0] = item.number()? - zero.map_or(0.0, |(_, start)| start);
                }
                _ => {
                    let fix = format!("write a list of {}", values.len());
                    return Err(item.fault("is one value", fix));
                }
            },
            Place::Free(..) => {
                return Err(item.fault("is a free joint", "place its body under `bodies`"));
            }
        }
        Ok(())
    }
}
