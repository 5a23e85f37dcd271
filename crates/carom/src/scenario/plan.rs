//! From `[optimise]` to a [`Problem`]: objective, boundary states, conditions, avoidance, limits.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::error::{Fault, ScenarioError, suggestion};
use super::fields::{Fields, Item, Read};
use super::optimise::{self, ranges};
use super::scope::Scope;
use super::tree::Value;
use super::{Scenario, sections};
use crate::mechanics::exp_minus_identity;
use crate::model::{BodyId, BodyKind, JointId, Model};
use crate::optimise::{
    Avoid, Boundary, Condition, GapRows, Guess, Motion, OptimiseError, Poly, Problem, Settings,
    Term, Travel,
};

/// Words of `goal` that are not bodies.
const WORDS: [&str; 3] = ["rest", "together", "conditions"];

/// What a scenario asks the optimiser.
#[derive(Clone, Debug)]
pub struct PlanRequest {
    /// The problem.
    pub problem: Problem,
    /// Where the search begins.
    pub guess: Guess,
    /// Tolerance and limits.
    pub settings: Settings,
}

impl Scenario {
    /// The optimal control problem with its guess, for a model made by [`build`](Self::build).
    pub fn plan(&self, model: &Arc<Model>) -> Result<PlanRequest, ScenarioError> {
        let fail = |fault: Box<Fault>| ScenarioError::new(&self.file, &self.sources, vec![*fault]);
        let parameters = sections::section(&self.root, "parameters").map_err(fail)?;
        let scope = Scope::new(parameters, &self.sources)
            .map_err(|faults| ScenarioError::new(&self.file, &self.sources, faults))?;
        let fields = optimise::fields(&self.root, &scope).map_err(fail)?;
        let Some(fields) = fields else {
            let mend = "add [optimise] and [[phase]] sections";
            return Err(ScenarioError::plain(
                &self.file,
                "nothing to optimise",
                mend,
            ));
        };
        let mut reader = Reader {
            scenario: self,
            model,
        };
        let problem = reader.problem(&fields).map_err(fail)?;
        let guess = reader.guess(&fields, &problem).map_err(fail)?;
        let settings = reader.settings(&fields).map_err(fail)?;
        fields.finish().map_err(fail)?;
        Ok(PlanRequest {
            problem,
            guess,
            settings,
        })
    }

    /// The optimiser's complaint, at its place in the file.
    pub fn place_plan(&self, error: &OptimiseError) -> ScenarioError {
        let place = self.root.get("optimise").map(|e| e.key);
        let (message, mend) = match error {
            OptimiseError::Unsupported { what, mend } | OptimiseError::Invalid { what, mend } => {
                (what.clone(), mend.clone())
            }
            other => (
                other.to_string(),
                "change start, goal, path or guess".into(),
            ),
        };
        let fault = Fault {
            place,
            field: "optimise".into(),
            message,
            mend,
        };
        ScenarioError::new(&self.file, &self.sources, vec![fault])
    }
}

pub(super) struct Reader<'a> {
    pub scenario: &'a Scenario,
    pub model: &'a Arc<Model>,
}

impl Reader<'_> {
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        self.model.find_body(name)
    }

    pub fn body(&self, item: &Item) -> Read<BodyId> {
        let name = item.reference()?;
        self.body_named(&name).ok_or_else(|| {
            let known = self.model.bodies().iter().map(|b| b.name.as_str());
            item.fault(
                format!("there is no body `{name}`"),
                suggestion(&name, known),
            )
        })
    }

    pub fn joint(&self, item: &Item) -> Read<JointId> {
        let name = item.reference()?;
        let joints = &self.scenario.joints;
        let found = joints
            .iter()
            .position(|j| j.name == name && j.section == "joint");
        let found = found.ok_or_else(|| {
            let known = joints.iter().map(|j| j.name.as_str());
            item.fault(
                format!("there is no joint `{name}`"),
                suggestion(&name, known),
            )
        })?;
        Ok(JointId(found as u32))
    }

    fn problem(&mut self, fields: &Fields) -> Read<Problem> {
        let phases = self.scenario.optimise.as_ref();
        let phases = phases.map_or(Vec::new(), |o| o.phases.clone());
        // Read with the model; only their keys are looked at here.
        fields.get("controls");
        let total_time = match fields.get("total_time") {
            None => None,
            Some(item) => Some(match &item.node.value {
                Value::List(_) => item.range()?,
                _ => [item.positive()?; 2],
            }),
        };
        let mend = "say what to minimise: minimise = [{ effort = 1.0 }]";
        let minimise = fields.need("minimise", mend)?;
        let terms = (minimise.list()?.iter())
            .map(|item| self.term(item))
            .collect::<Read<Vec<_>>>()?;
        let per = fields
            .get("per")
            .map(|item| self.travel(&item))
            .transpose()?;
        let start = self.start(fields)?;
        let goal = self.goal(fields)?;
        let path = match fields.get("path") {
            None => Vec::new(),
            Some(item) => self.conditions(&item)?,
        };
        let avoid = fields.get("avoid").map(|item| avoid(&item)).transpose()?;
        Ok(Problem {
            model: Arc::clone(self.model),
            phases,
            total_time,
            minimise: terms,
            per,
            start,
            goal,
            path,
            avoid: avoid.flatten(),
        })
    }

    /// `{ effort = w, of = "NAME" }`, `{ time = w }`, `{ final = { … }, weight = w }`.
    fn term(&self, item: &Item) -> Read<Term> {
        let fields = item.fields()?;
        let kind = fields.one_of(&["effort", "time", "final"])?;
        let mend =
            "write { effort = 1.0 }, { time = 1.0 } or { final = { body = \"…\", along = […] } }";
        let term = match kind.ok_or_else(|| fields.fault("no term of an objective", mend))? {
            ("effort", item) => {
                let weight = item.number()?;
                let of = fields.get("of").map(|item| item.reference()).transpose()?;
                let mut weights = vec![0.0; self.model.controls()];
                let mut known = false;
                for a in self.model.actuators() {
                    let named = of.as_ref().is_none_or(|name| *name == a.name);
                    known |= named;
                    if named && a.signals.is_none() {
                        a.range().for_each(|k| weights[k] = weight);
                    }
                }
                if !known {
                    let names = self.model.actuators().iter().map(|a| a.name.as_str());
                    let mend = suggestion(of.as_deref().unwrap_or(""), names);
                    return Err(item.fault("there is no such actuator", mend));
                }
                Term::Effort { weights }
            }
            ("time", item) => Term::Time {
                weight: item.number()?,
            },
            (_, item) => {
                let weight = fields.get("weight").map(|w| w.number()).transpose()?;
                let own = item.fields()?;
                let body = self.body(&own.need("body", "name the body")?)?;
                let x = Poly::position(self.model, body);
                let poly = match own.one_of(&["along", "near"])? {
                    Some(("along", item)) => Poly::dot(&x, &Poly::vector(&item.direction()?)),
                    Some((_, item)) => {
                        let to = item.vector()?;
                        let d = [0, 1, 2].map(|k| x[k].clone().plus(&Poly::constant(-to[k])));
                        Poly::dot(&d, &d)
                    }
                    None => {
                        let mend = "write along = [0, 0, 1] (its height), or near = [x, y, z]";
                        return Err(own.fault("of what?", mend));
                    }
                };
                own.finish()?;
                Term::Final {
                    what: format!("final position of {}", self.model.body(body).name),
                    poly: poly.times(weight.unwrap_or(1.0)),
                }
            }
        };
        fields.finish()?;
        Ok(term)
    }

    fn travel(&self, item: &Item) -> Read<Travel> {
        let fields = item.fields()?;
        let body = self.body(&fields.need("body", "name the body that travels")?)?;
        let direction = fields
            .need("along", "give the direction: along = [1, 0, 0]")?
            .direction()?;
        fields.finish()?;
        Ok(Travel { body, direction })
    }

    /// Everything begins where its section puts it, with its velocity or within ranges of it.
    fn start(&self, fields: &Fields) -> Read<Boundary> {
        let mut motions = Vec::new();
        let given = fields.get("start").map(|item| item.fields()).transpose()?;
        for (k, body) in self.model.bodies().iter().enumerate() {
            if body.kind == BodyKind::Static {
                continue;
            }
            let id = BodyId(k as u32);
            let mut motion = Motion::given(id, &body.velocity, &body.angular_velocity);
            if let Some(entry) = given.as_ref().and_then(|f| f.table.get(&body.name)) {
                let item = Item {
                    node: &entry.node,
                    path: format!("optimise.start.{}", body.name),
                    scope: fields.scope,
                };
                let own = item.fields()?;
                for (key, first) in [("velocity", 0), ("angular_velocity", 3)] {
                    if let Some(item) = own.get(key) {
                        motion.twist[first..first + 3].copy_from_slice(&ranges(&item)?);
                    }
                }
            }
            motions.push(motion);
        }
        Ok(Boundary {
            conditions: vec![Condition::AsBuilt],
            motions,
        })
    }

    fn goal(&self, fields: &Fields) -> Read<Boundary> {
        let goal = fields.need("goal", "say where to: goal.NAME = { position = [x, y, z] }")?;
        let goal = goal.fields()?;
        let mut out = Boundary::default();
        let mut rest = false;
        if let Some(item) = goal.get("rest") {
            rest = item.boolean()?;
        }
        if let Some(item) = goal.get("conditions") {
            out.conditions = self.conditions(&item)?;
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
                let mend = suggestion(name, known.chain(WORDS));
                let message = format!("there is no body `{name}`");
                return Err(Box::new(Fault::new(entry.key, path, message, mend)));
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
        if rest {
            for (k, body) in self.model.bodies().iter().enumerate() {
                let id = BodyId(k as u32);
                if body.kind != BodyKind::Static && !moved.contains(&id) {
                    out.motions.push(Motion::rest(id));
                }
            }
        }
        Ok(out)
    }

    /// `goal.BODY`: conditions on its pose, and its motion.
    fn goal_of(
        &self,
        item: &Item,
        body: BodyId,
        conditions: &mut Vec<Condition>,
    ) -> Read<Option<Motion>> {
        let fields = item.fields()?;
        if let Some(item) = fields.get("position") {
            let range = ranges(&item)?;
            conditions.push(Condition::Position { body, range });
        }
        if let Some(directors) = rotation(&fields)? {
            conditions.push(Condition::Orientation { body, directors });
        }
        let rest = fields.get("rest").map(|item| item.boolean()).transpose()?;
        let mut motion = Motion::rest(body);
        let mut given = rest == Some(true);
        for (key, first) in [("velocity", 0), ("angular_velocity", 3)] {
            match fields.get(key) {
                Some(item) => {
                    motion.twist[first..first + 3].copy_from_slice(&ranges(&item)?);
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

    /// A list of conditions.
    fn conditions(&self, item: &Item) -> Read<Vec<Condition>> {
        item.list()?
            .iter()
            .map(|item| self.condition(item))
            .collect()
    }

    fn condition(&self, item: &Item) -> Read<Condition> {
        let fields = item.fields()?;
        let kind = fields.one_of(&[
            "position",
            "orientation",
            "joint",
            "direction",
            "between",
            "relative",
        ])?;
        let mend = "write one of position, orientation, joint, direction, between, relative";
        let model = self.model;
        let condition = match kind.ok_or_else(|| fields.fault("no condition", mend))? {
            ("position", item) => Condition::Position {
                body: self.body(&fields.need("of", "name the body: of = \"…\"")?)?,
                range: ranges(&item)?,
            },
            ("orientation", item) => Condition::Orientation {
                body: self.body(&fields.need("of", "name the body: of = \"…\"")?)?,
                directors: matrix(&item.vector()?),
            },
            ("joint", item) => {
                let joint = self.joint(&item)?;
                let coordinate = fields
                    .get("coordinate")
                    .map(|i| i.count(0, 5))
                    .transpose()?;
                Condition::Joint {
                    joint,
                    coordinate: coordinate.unwrap_or(0) as usize,
                    range: value_or_range(&fields)?,
                }
            }
            ("direction", item) => {
                let (body, director) = self.director(&item)?;
                let along = fields.need("along", "give the direction: along = [0, 0, 1]")?;
                let range = least_and_most(&fields)?;
                Condition::direction(model, body, director, &along.direction()?, range)
            }
            ("between", item) => {
                let items = item.list()?;
                let [a, b] = &items[..] else {
                    return Err(item.fault("not two directors", "write [[\"a\", 1], [\"b\", 3]]"));
                };
                let (a, b) = (self.director(a)?, self.director(b)?);
                Condition::between(model, a, b, least_and_most(&fields)?)
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
        fields.finish()?;
        Ok(condition)
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

    fn settings(&self, fields: &Fields) -> Read<Settings> {
        let mut settings = Settings::default();
        if let Some(item) = fields.get("tolerance") {
            settings.solver.tolerance = item.positive()?;
        }
        if let Some(item) = fields.get("max_iterations") {
            settings.solver.max_iterations = item.count(1, 1_000_000)? as usize;
        }
        if let Some(item) = fields.get("max_seconds") {
            settings.solver.max_seconds = item.positive()?;
        }
        if let Some(item) = fields.get("max_rounds") {
            settings.max_rounds = item.count(1, 1000)? as usize;
        }
        Ok(settings)
    }
}

fn matrix(rotation: &Vector3<f64>) -> Matrix3<f64> {
    exp_minus_identity(rotation) + Matrix3::identity()
}

/// `rotation` or `rotation_deg` as directors.
fn rotation(fields: &Fields) -> Read<Option<Matrix3<f64>>> {
    Ok(match fields.one_of(&["rotation", "rotation_deg"])? {
        None => None,
        Some(("rotation", item)) => Some(matrix(&item.vector()?)),
        Some((_, item)) => Some(matrix(&(item.vector()? * 1f64.to_radians()))),
    })
}

/// `value = x` or `range = [least, largest]`.
fn value_or_range(fields: &Fields) -> Read<[f64; 2]> {
    let mend = "write value = 0.5, or range = [least, largest]";
    match fields.one_of(&["value", "value_deg", "range", "range_deg"])? {
        Some(("value", item)) => Ok([item.number()?; 2]),
        Some(("value_deg", item)) => Ok([item.number()?.to_radians(); 2]),
        Some(("range", item)) => item.range(),
        Some((_, item)) => Ok(item.range()?.map(f64::to_radians)),
        None => Err(fields.fault("which value?", mend)),
    }
}

/// `least` and `most` of a product of directions; exact alignment where neither is given.
fn least_and_most(fields: &Fields) -> Read<[f64; 2]> {
    let number =
        |key| -> Read<Option<f64>> { fields.get(key).map(|item: Item| item.number()).transpose() };
    let (least, most) = (number("least")?, number("most")?);
    if least.is_none() && most.is_none() {
        return Ok([1.0; 2]);
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

/// `true`, or `{ margin, rows, between_nodes }`.
fn avoid(item: &Item) -> Read<Option<Avoid>> {
    if let Value::Boolean(on) = item.node.value {
        return Ok(on.then(Avoid::default));
    }
    let fields = item.fields()?;
    let mut avoid = Avoid::default();
    if let Some(item) = fields.get("margin") {
        avoid.margin = item.non_negative()?;
    }
    if let Some(item) = fields.get("rows") {
        avoid.rows = item.choice(&[
            ("planes", GapRows::Planes),
            ("gaps", GapRows::Gaps),
            ("single", GapRows::Single),
        ])?;
    }
    if let Some(item) = fields.get("between_nodes") {
        avoid.between_nodes = item.boolean()?;
    }
    fields.finish()?;
    Ok(Some(avoid))
}
