//! From `[optimise]` to a [`Problem`]: objective, avoidance, limits.

use std::sync::Arc;

use carom_engine::inner::joint_id;

use super::error::{Fault, ScenarioError, suggestion};
use super::fields::{Fields, Item, Read};
use super::optimise;
use super::scope::Scope;
use super::tree::Value;
use super::{Scenario, sections};
use crate::model::{BodyId, JointId, Model};
use crate::optimise::{
    Avoid, GapRows, Guess, NamedPoint, OptimiseError, Phase, Poly, Problem, Scheme, Settings, Term,
    Transition, Travel,
};

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

#[cfg(feature = "optimise")]
impl PlanRequest {
    /// Solves the problem from its guess by the interior-point method.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// let scenario = carom::scenario::Scenario::parse(
    ///     "cart.toml",
    ///     r#"
    ///     [body.cart]
    ///     planar = true
    ///     shape = { rectangle = [0.2, 0.1] }
    ///     mass = 2
    ///     [optimise]
    ///     minimise = [{ effort = 1.0 }]
    ///     controls.cart = "all"
    ///     goal.cart = { position = [1, 0, 0], rotation = [0, 0, 0], rest = true }
    ///     [[phase]]
    ///     steps = 40
    ///     step = 0.025
    ///     "#,
    /// )?;
    /// let model = Arc::new(scenario.build()?);
    /// let plan = scenario.plan(&model)?.solve()?;
    /// // From rest to rest over d = 1 m in T = 1 s: the integral of f² is 12 (m d)²/T³ = 48.
    /// assert!((plan.objective - 48.0).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve(&self) -> Result<crate::optimise::Plan, crate::optimise::OptimiseError> {
        let solver = crate::optimise::InteriorPoint;
        crate::optimise::solve(&self.problem, &self.guess, &self.settings, &solver, None)
    }
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
            let fix = "add [optimise] and [[phase]] sections";
            return Err(ScenarioError::plain(&self.file, "nothing to optimise", fix));
        };
        let mut reader = Reader {
            scenario: self,
            model,
            points: Vec::new(),
            free: Vec::new(),
        };
        reader.points = reader.points(&fields).map_err(fail)?;
        let free = reader.parameters(&fields).map_err(fail)?;
        reader.free = free.iter().map(|p| p.name.clone()).collect();
        let mut problem = reader.problem(&fields).map_err(fail)?;
        problem.remake = reader.remake(&free);
        problem.parameters = free;
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
        let (message, fix) = match error {
            OptimiseError::Unsupported { what, fix } | OptimiseError::Invalid { what, fix } => {
                (what.clone(), fix.clone())
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
            fix,
        };
        ScenarioError::new(&self.file, &self.sources, vec![fault])
    }
}

pub(super) struct Reader<'a> {
    pub scenario: &'a Scenario,
    pub model: &'a Arc<Model>,
    /// Points that formulas may name.
    pub points: Vec<NamedPoint>,
    /// Parameters that are found.
    pub free: Vec<String>,
}

impl Reader<'_> {
    pub fn body_named(&self, name: &str) -> Option<BodyId> {
        self.model.find_body(name)
    }

    pub fn body(&self, item: &Item) -> Read<BodyId> {
        let name = item.reference()?;
        let given = |b: &BodyId| self.model.body(*b).motion.is_some();
        if self.body_named(&name).filter(given).is_some() {
            return Err(item.fault(
                format!("the motion of `{name}` is given"),
                "plans keep clear of it, but ask nothing of it; leave it out here",
            ));
        }
        self.body_named(&name).ok_or_else(|| {
            let known = self.model.bodies().iter().map(|b| b.name.as_str());
            item.fault(
                format!("there is no body `{name}`"),
                suggestion(&name, known),
            )
        })
    }

    pub fn joint(&self, item: &Item) -> Read<JointId> {
        Ok(self.joint_named(item, &item.reference()?)?.0)
    }

    /// A joint by its name, or a coordinate of a linkage by `LINKAGE.COORDINATE`, with the value at which its
    /// joint counts from zero.
    pub fn joint_named(&self, item: &Item, name: &str) -> Read<(JointId, f64)> {
        if let Some(found) = self.scenario.linkage_joint(self.model, name) {
            return Ok(found);
        }
        let joints = &self.scenario.joints;
        let found = joints
            .iter()
            .position(|j| j.name == name && j.section == "joint");
        let found = found.ok_or_else(|| {
            let known = self.model.joints().iter().map(|j| j.name.as_str());
            let known = known.filter(|n| !n.is_empty());
            item.fault(
                format!("there is no joint `{name}`"),
                suggestion(name, known),
            )
        })?;
        Ok((joint_id(found), 0.0))
    }

    fn problem(&mut self, fields: &Fields) -> Read<Problem> {
        let phases = self.scenario.optimise.as_ref();
        let mut phases = phases.map_or(Vec::new(), |o| o.phases.clone());
        if let Some(entry) = self.scenario.root.get("phase") {
            let list = Item {
                node: &entry.node,
                path: "phase".into(),
                scope: fields.scope,
            };
            for (phase, item) in phases.iter_mut().zip(list.list()?) {
                if let Some(path) = item.fields()?.get("path") {
                    phase.path = self.conditions(&path)?;
                }
                if let Some(ends) = item.fields()?.get("ends") {
                    phase.ends = self.transition(&ends)?;
                }
                if let Some(closed) = item.fields()?.get("closed") {
                    phase.closed = self.closed(&closed)?;
                }
            }
            for (k, item) in list.list()?.iter().enumerate() {
                if let Some(ends) = item.fields()?.get("ends") {
                    self.check_end(&ends, &phases[k], phases.get(k + 1))?;
                }
            }
        }
        // Read with the model; only their keys are looked at here.
        fields.get("controls");
        let total_time = match fields.get("total_time") {
            None => None,
            Some(item) => Some(match &item.node.value {
                Value::List(_) => item.range()?,
                _ => [item.positive()?; 2],
            }),
        };
        let fix = "say what to minimise: minimise = [{ effort = 1.0 }]";
        let minimise = fields.need("minimise", fix)?;
        let terms = (minimise.list()?.iter())
            .map(|item| self.term(item))
            .collect::<Read<Vec<_>>>()?;
        let per = fields
            .get("per")
            .map(|item| self.travel(&item))
            .transpose()?;
        let start = self.start(fields)?;
        let goal = self.goal(fields)?;
        let periodic = self.periodic(fields)?;
        let path = match fields.get("path") {
            None => Vec::new(),
            Some(item) => self.conditions(&item)?,
        };
        let avoid = match fields.get("avoid") {
            Some(item) => avoid(&item)?,
            // Who meets by plan stays apart everywhere else.
            None => {
                let touches = |p: &Phase| p.ends != Transition::Smooth || !p.closed.is_empty();
                let some = phases.iter().any(touches) || fields.get("sequences").is_some();
                some.then(Avoid::default)
            }
        };
        let problem = Problem {
            total_time,
            minimise: terms,
            per,
            start,
            goal,
            periodic,
            path,
            vias: self.vias(fields)?,
            avoid,
            sequences: match fields.get("sequences") {
                Some(item) => Some(self.sequences(&item)?),
                None => None,
            },
            scheme: match fields.get("scheme") {
                Some(item) => item.choice(&[
                    ("one-layer", Scheme::OneLayer),
                    ("two-layer", Scheme::TwoLayers),
                ])?,
                None => Scheme::OneLayer,
            },
            ..Problem::new(Arc::clone(self.model), phases)
        };
        match fields.get("penalty") {
            None => Ok(problem),
            Some(item) => {
                let list = self.penalties(&item)?;
                let placed = problem.with_penalties(list);
                placed.map_err(|e| item.fault(e.to_string(), "name bodies with shapes of vertices"))
            }
        }
    }

    /// `{ effort = w, of = "NAME" }`, `{ time = w }`, `{ control_rate = w, of }`, `{ running = "…", weight }`,
    /// `{ track = { … }, weight }`, `{ final = "…" or { … }, weight }`.
    fn term(&self, item: &Item) -> Read<Term> {
        let fields = item.fields()?;
        let kinds = [
            "effort",
            "time",
            "control_rate",
            "running",
            "track",
            "final",
        ];
        let kind = fields.one_of(&kinds)?;
        let fix = "write { effort = 1.0 }, { time = 1.0 }, { control_rate = 1.0 }, { running = \"…\" }, \
                    { track = { … } } or { final = \"…\" }";
        let weighed = ["running", "track", "final"];
        let weight = match kind {
            Some((kind, _)) if weighed.contains(&kind) => {
                fields.get("weight").map(|w| w.number()).transpose()?
            }
            _ => None,
        };
        let weight = weight.unwrap_or(1.0);
        let term = match kind.ok_or_else(|| fields.fault("no term of an objective", fix))? {
            ("effort", item) => Term::Effort {
                weights: self.control_weights(&fields, &item)?,
            },
            ("control_rate", item) => Term::ControlRate {
                weights: self.control_weights(&fields, &item)?,
            },
            ("running", item) => Term::Running {
                formula: self.formula(&item)?,
                weight,
            },
            ("track", item) => self.track(&item, weight)?,
            ("final", item) if matches!(item.node.value, Value::Text(_)) => Term::End {
                formula: self.formula(&item)?,
                weight,
            },
            ("time", item) => Term::Time {
                weight: item.number()?,
            },
            (_, item) => {
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
                        let fix = "write along = [0, 0, 1] (its height), or near = [x, y, z]";
                        return Err(own.fault("of what?", fix));
                    }
                };
                own.finish()?;
                Term::Final {
                    what: format!("final position of {}", self.model.body(body).name),
                    poly: poly.times(weight),
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
        let from = fields.get("from").map(|p| p.vector()).transpose()?;
        fields.finish()?;
        Ok(Travel {
            body,
            from,
            direction,
        })
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
        if let Some(item) = fields.get("starts") {
            settings.starts = item.count(1, 1000)? as usize;
        }
        if let Some(item) = fields.get("max_rounds") {
            settings.max_rounds = item.count(1, 1000)? as usize;
        }
        Ok(settings)
    }
}

/// `true`, or `{ margin, rows, between_nodes, near }`.
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
            ("steps", GapRows::Steps),
            ("gaps", GapRows::Gaps),
            ("single", GapRows::Single),
        ])?;
    }
    if let Some(item) = fields.get("between_nodes") {
        avoid.between_nodes = item.boolean()?;
    }
    if let Some(item) = fields.get("near") {
        avoid.near = Some(item.non_negative()?);
    }
    fields.finish()?;
    Ok(Some(avoid))
}
