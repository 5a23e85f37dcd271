//! States at the ends and conditions on the way: `start`, `goal`, `path`.

use carom_engine::inner::body_id;
use nalgebra::{Matrix3, Vector3};

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::optimise::{FREE, ranges, ranges_of, spins};
use super::plan::Reader;
use super::tree::{Node, Value};
use crate::mechanics::exp_minus_identity;
use crate::model::{BodyId, BodyKind};
use crate::optimise::{Boundary, Condition, Motion};

/// Words of `goal` that are not bodies.
const WORDS: [&str; 4] = ["rest", "together", "conditions", "joints"];

impl Reader<'_> {
    pub(super) fn goal(&self, fields: &Fields) -> Read<Boundary> {
        let mut out = Boundary::default();
        let fix = "say where to: goal.NAME = { position = [x, y, z] }";
        let elsewhere = fields.table.contains_key("periodic") || is_drawn(fields)?;
        let goal = match (fields.get("goal"), elsewhere) {
            // What ends as it began needs no other goal, nor does what costs lead somewhere.
            (None, true) => return Ok(out),
            (Some(goal), _) => goal.fields()?,
            (None, false) => fields.need("goal", fix)?.fields()?,
        };
        let mut rest = false;
        if let Some(item) = goal.get("rest") {
            rest = item.boolean()?;
        }
        if let Some(item) = goal.get("conditions") {
            out.conditions = self.conditions(&item)?;
        }
        if let Some(item) = goal.get("joints") {
            self.joint_states(&item, &mut out.conditions)?;
        }
        let mut moved: Vec<BodyId> = Vec::new();
        if let Some(item) = goal.get("together") {
            let bodies = (item.list()?.iter())
                .map(|item| self.body(item))
                .collect::<Read<Vec<_>>>()?;
            if bodies.len() < 2 {
                return Err(
                    item.fault("names fewer than two bodies", "name those that move as one")
                );
            }
            moved.extend(&bodies);
            out.motions.push(Motion::together(bodies));
        }
        for (name, entry) in goal.table {
            if WORDS.contains(&name.as_str()) {
                continue;
            }
            let path = format!("optimise.goal.{name}");
            let Some(body) = self.body_named(name) else {
                let known = self.model.bodies().iter().map(|b| b.name.as_str());
                let fix = suggestion(name, known.chain(WORDS));
                let message = format!("there is no body `{name}`");
                return Err(Box::new(Fault::new(entry.key, path, message, fix)));
            };
            let item = Item {
                node: &entry.node,
                path,
                scope: fields.scope,
            };
            if let Some(motion) = self.goal_of(&item, body, &mut out.conditions)? {
                moved.push(body);
                out.motions.push(motion);
            }
        }
        let by_joints = self.moved_by_rates(&out.conditions);
        if rest {
            for (k, body) in self.model.bodies().iter().enumerate() {
                let id = body_id(k);
                let known = moved.contains(&id) || by_joints.contains(&id);
                if body.kind != BodyKind::Static && !known {
                    out.motions.push(Motion::rest(id));
                }
            }
        }
        Ok(out)
    }

    /// `velocity` or `angular_velocity` of a body.
    pub(super) fn velocity_of(&self, body: BodyId, key: &str, item: &Item) -> Read<[[f64; 2]; 3]> {
        let body = self.model.body(body);
        match key {
            "velocity" => ranges_of(body, item, [0.0; 2]),
            _ => spins(body.planar, item),
        }
    }

    /// `goal.BODY`: conditions on its pose, and its motion.
    fn goal_of(
        &self,
        item: &Item,
        body: BodyId,
        conditions: &mut Vec<Condition>,
    ) -> Read<Option<Motion>> {
        let fields = item.fields()?;
        self.pose(&fields, body, conditions)?;
        let rest = fields.get("rest").map(|item| item.boolean()).transpose()?;
        let mut motion = Motion::rest(body);
        let mut given = rest == Some(true);
        for (key, first) in [("velocity", 0), ("angular_velocity", 3)] {
            match fields.get(key) {
                Some(item) => {
                    let own = self.velocity_of(body, key, &item)?;
                    motion.twist[first..first + 3].copy_from_slice(&own);
                    given = true;
                }
                None if rest != Some(true) => {
                    motion.twist[first..first + 3].fill([f64::NEG_INFINITY, f64::INFINITY]);
                }
                None => {}
            }
        }
        fields.finish()?;
        Ok(given.then_some(motion))
    }

    /// `position`, `rotation` of a body, or of a tool fixed in it: `tool = { at, rotation }`.
    pub(super) fn pose(
        &self,
        fields: &Fields,
        body: BodyId,
        conditions: &mut Vec<Condition>,
    ) -> Read<()> {
        let (mut at, mut frame) = (None, Matrix3::identity());
        if let Some(item) = fields.get("tool") {
            let tool = item.fields()?;
            if let Some(item) = tool.get("at") {
                at = Some(self.model.body(body).local(&item.vector()?));
            }
            frame = rotation(&tool)?.unwrap_or(frame);
            tool.finish()?;
        }
        if let Some(item) = fields.get("position") {
            let range = ranges_of(self.model.body(body), &item, FREE)?;
            conditions.push(match at {
                None => Condition::Position { body, range },
                Some(local) => Condition::point(self.model, body, &local, range),
            });
        }
        if let Some(item) = fields.get("rotation").filter(|item| has_ranges(item)) {
            if at.is_some() || frame != Matrix3::identity() {
                return Err(item.fault(
                    "ranges of a tool's rotation",
                    "give numbers, or ask for directions of the body under conditions",
                ));
            }
            conditions.extend(self.velocities(&item, &self.model.body(body).name, "r")?);
            return Ok(());
        }
        if let Some(directors) = rotation(fields)? {
            // The tool's frame is D R; D R = wanted.
            conditions.push(Condition::Orientation {
                body,
                directors: directors * frame.transpose(),
            });
        }
        Ok(())
    }

    /// A list of conditions.
    pub(super) fn conditions(&self, item: &Item) -> Read<Vec<Condition>> {
        let mut out = Vec::new();
        for item in item.list()? {
            self.condition(&item, &mut out)?;
        }
        Ok(out)
    }

    fn condition(&self, item: &Item, out: &mut Vec<Condition>) -> Read<()> {
        let fields = item.fields()?;
        const KINDS: [&str; 11] = [
            "position",
            "orientation",
            "point",
            "joint",
            "direction",
            "between",
            "relative",
            "velocity",
            "angular_velocity",
            "control",
            "expression",
        ];
        let kind = fields.one_of(&KINDS)?;
        let fix = format!("write one of {}", KINDS.join(", "));
        let model = self.model;
        let condition = match kind.ok_or_else(|| fields.fault("no condition", &fix))? {
            ("expression", item) => {
                let formula = self.formula(&item)?;
                let range = match fields.one_of(&["value", "range"])? {
                    Some(("value", item)) => [item.number()?; 2],
                    Some((_, item)) => item.range()?,
                    None => least_and_most(&fields, "expression")?,
                };
                Condition::formula(formula, range)
            }
            ("point", item) => {
                let body = self.body(&fields.need("of", "name the body: of = \"…\"")?)?;
                let at = fields.need("at", "give the point in the frame of the body's shape")?;
                let local = model.body(body).local(&at.vector()?);
                Condition::point(model, body, &local, ranges(&item)?)
            }
            (key @ ("velocity" | "angular_velocity"), item) => {
                let body = self.body(&fields.need("of", "name the body: of = \"…\"")?)?;
                let letter = if key == "velocity" { "v" } else { "w" };
                out.extend(self.velocities(&item, &model.body(body).name, letter)?);
                return fields.finish();
            }
            ("control", item) => {
                let rate = fields.need("rate", "give the largest rate, or [least, largest]")?;
                for name in self.controls_named(&item)? {
                    out.push(self.rate(&rate, &format!("{name}.rate"))?);
                }
                return fields.finish();
            }
            ("joint", item) if fields.table.contains_key("rate") => {
                self.joint(&item)?;
                let rate = fields.need("rate", "give the largest rate, or [least, largest]")?;
                let coordinate = fields
                    .get("coordinate")
                    .map(|i| i.count(0, 5))
                    .transpose()?;
                let number = match coordinate {
                    None | Some(0) => String::new(),
                    Some(k) => (k + 1).to_string(),
                };
                self.rate(&rate, &format!("{}.rate{number}", item.reference()?))?
            }
            ("position", item) => {
                let body = self.body(&fields.need("of", "name the body: of = \"…\"")?)?;
                let range = ranges_of(model.body(body), &item, FREE)?;
                Condition::Position { body, range }
            }
            ("orientation", item) if has_ranges(&item) => {
                let body = self.body(&fields.need("of", "name the body: of = \"…\"")?)?;
                out.extend(self.velocities(&item, &model.body(body).name, "r")?);
                return fields.finish();
            }
            ("orientation", item) => Condition::Orientation {
                body: self.body(&fields.need("of", "name the body: of = \"…\"")?)?,
                directors: matrix(&item.turn()?),
            },
            ("joint", item) => {
                let (joint, zero) = self.joint_named(&item, &item.reference()?)?;
                let coordinate = fields
                    .get("coordinate")
                    .map(|i| i.count(0, 5))
                    .transpose()?;
                Condition::Joint {
                    joint,
                    coordinate: coordinate.unwrap_or(0) as usize,
                    range: value_or_range(&fields)?.map(|v| v - zero),
                }
            }
            ("direction", item) => {
                let (body, director) = self.director(&item)?;
                let along = fields.need("along", "give the direction: along = [0, 0, 1]")?;
                let range = least_and_most(&fields, "direction")?;
                Condition::direction(model, body, director, &along.direction()?, range)
            }
            ("between", item) => {
                let items = item.list()?;
                let [a, b] = &items[..] else {
                    return Err(item.fault("not two directors", "write [[\"a\", 1], [\"b\", 3]]"));
                };
                let (a, b) = (self.director(a)?, self.director(b)?);
                Condition::between(model, a, b, least_and_most(&fields, "direction")?)
            }
            (_, item) => {
                let items = item.list()?;
                let [b, a] = &items[..] else {
                    return Err(item.fault("not two bodies", "write [\"which\", \"relative to\"]"));
                };
                let (b, a) = (self.body(b)?, self.body(a)?);
                let place = fields.get("at").map(|item| item.vector()).transpose()?;
                let turn = rotation(&fields)?;
                if place.is_none() && turn.is_none() {
                    return Err(
                        fields.fault("asks for nothing", "give at = […], rotation = […], or both")
                    );
                }
                Condition::relative(model, a, b, place.as_ref(), turn.as_ref())
            }
        };
        out.push(condition);
        fields.finish()
    }

    /// `["BODY", 1]`: a director by its number.
    fn director(&self, item: &Item) -> Read<(BodyId, usize)> {
        let items = item.list()?;
        let [body, number] = &items[..] else {
            return Err(item.fault(
                "not a director",
                "write [\"BODY\", 1] for its first director",
            ));
        };
        Ok((self.body(body)?, number.count(1, 3)? as usize - 1))
    }
}

/// Whether costs lead the bodies somewhere.
fn is_drawn(fields: &Fields) -> Read<bool> {
    let Some(item) = fields.get("minimise") else {
        return Ok(false);
    };
    let leads = |item: &Item| -> Read<bool> {
        let table = item.fields()?.table;
        Ok(["final", "running", "track"]
            .iter()
            .any(|key| table.contains_key(*key)))
    };
    for item in item.list()? {
        if leads(&item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether some components are not given as one number.
fn has_ranges(item: &Item) -> bool {
    let free = |node: &Node| match &node.value {
        Value::List(_) => true,
        Value::Text(text) => text == "free",
        _ => false,
    };
    matches!(&item.node.value, Value::List(items) if items.iter().any(free))
}

fn matrix(rotation: &Vector3<f64>) -> Matrix3<f64> {
    exp_minus_identity(rotation) + Matrix3::identity()
}

/// `rotation` or `rotation_deg` as directors.
fn rotation(fields: &Fields) -> Read<Option<Matrix3<f64>>> {
    Ok(match fields.one_of(&["rotation", "rotation_deg"])? {
        None => None,
        Some(("rotation", item)) => Some(matrix(&item.turn()?)),
        Some((_, item)) => Some(matrix(&(item.turn()? * 1f64.to_radians()))),
    })
}

/// `value = x` or `range = [least, largest]`.
pub(super) fn value_or_range(fields: &Fields) -> Read<[f64; 2]> {
    let fix = "write value = 0.5, or range = [least, largest]";
    match fields.one_of(&["value", "value_deg", "range", "range_deg"])? {
        Some(("value", item)) => Ok([item.number()?; 2]),
        Some(("value_deg", item)) => Ok([item.number()?.to_radians(); 2]),
        Some(("range", item)) => item.range(),
        Some((_, item)) => Ok(item.range()?.map(f64::to_radians)),
        None => Err(fields.fault("which value?", fix)),
    }
}

/// `least` and `most`; exact alignment of directions where neither is given.
fn least_and_most(fields: &Fields, what: &str) -> Read<[f64; 2]> {
    let number =
        |key| -> Read<Option<f64>> { fields.get(key).map(|item: Item| item.number()).transpose() };
    let (least, most) = (number("least")?, number("most")?);
    if least.is_none() && most.is_none() {
        return match what {
            "direction" => Ok([1.0; 2]),
            _ => Err(fields.fault(
                "no bounds",
                "write value = 0, range = […], least = … or most = …",
            )),
        };
    }
    let range = [
        least.unwrap_or(f64::NEG_INFINITY),
        most.unwrap_or(f64::INFINITY),
    ];
    match range[0] <= range[1] {
        true => Ok(range),
        false => Err(fields.fault("least is above most", "exchange them")),
    }
}
