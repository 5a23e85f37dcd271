//! `[relative.NAME]`, `[measure]` and `[success]`: what is measured on a run, as expressions of its
//! recorded frames.
//!
//! `[relative.NAME]` names the pose of one body as seen from another, from which `NAME.distance`,
//! `NAME.angle`, `NAME.speed`, `NAME.turn_rate` and `NAME.x` … follow. A measure makes one number of an
//! expression of columns and such quantities over all frames; `success.that` is an expression of measures,
//! of what the ledger says, and of the last frame.

use nalgebra::{Matrix3, Vector3};

use super::error::{Fault, ScenarioError, suggestion};
use super::fields::{Fields, Item, Read};
use super::scope::Scope;
use super::sections::{named, section};
use super::tree::Value;
use super::{Scenario, shapes};
use crate::Pose;
use crate::expression::Compiled;

/// Quantities of a relative pose, after its name.
const PARTS: [&str; 7] = ["distance", "angle", "speed", "turn_rate", "x", "y", "z"];
/// What the ledger says of a run.
pub(crate) const OF_LEDGER: [&str; 4] = ["duration", "steps", "contacts", "overlap_max"];

/// How one number is made of an expression's values over the frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// At the last frame.
    End,
    /// At the first frame.
    Start,
    /// The least.
    Least,
    /// The largest.
    Largest,
    /// The mean over time (trapezoidal rule).
    Mean,
    /// The integral over time (trapezoidal rule).
    Integral,
    /// The time from which on the expression is not zero, for at least so many seconds; NaN if never.
    First(f64),
    /// The longest time for which the expression is not zero.
    Held,
    /// The mean time between two moments at which the expression rises through zero; NaN before the second.
    Period,
}

/// A measured quantity.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// How its values become one.
    pub kind: Kind,
    /// Of columns and relative quantities.
    pub expression: Compiled,
    /// What it is known to be, from a formula or a table.
    pub known: Option<f64>,
    /// Relative deviation from that which is fine.
    pub within: Option<f64>,
}

/// Where one body of a relative pose is found.
#[derive(Clone, Debug)]
enum Side {
    /// Position, velocity, directors and angular velocity begin at this column.
    Moving(usize),
    /// It never moves.
    Fixed(Box<Pose>),
}

/// The pose of a body as another sees it, less the pose it is wanted at.
#[derive(Clone, Debug)]
pub struct Relative {
    /// Its name.
    pub name: String,
    sides: [Side; 2],
    wanted: Pose,
}

/// Everything that is measured on a run.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Measures in the order of the file.
    pub list: Vec<Measure>,
    /// Relative poses that their expressions use.
    pub relatives: Vec<Relative>,
    /// Whether the run is a success: of measures, ledger, and the last frame.
    pub success: Option<Compiled>,
}

impl Relative {
    /// Distance (m), angle (rad), speed (m/s), turn rate (rad/s), then the offset along the axes of the
    /// first body, from a frame.
    pub fn values(&self, frame: &[f64]) -> [f64; 7] {
        let three = |k: usize| Vector3::new(frame[k], frame[k + 1], frame[k + 2]);
        let of = |side: &Side| match side {
            Side::Fixed(pose) => (
                pose.position,
                Vector3::zeros(),
                pose.directors,
                Vector3::zeros(),
            ),
            Side::Moving(k) => {
                let d = Matrix3::from_column_slice(&frame[k + 6..k + 15]);
                (three(*k), three(k + 3), d, three(k + 15))
            }
        };
        let [(x1, v1, d1, w1), (x2, v2, d2, w2)] = [of(&self.sides[0]), of(&self.sides[1])];
        let offset = d1.tr_mul(&(x2 - x1)) - self.wanted.position;
        // The turn that is left: R = D₁ᵀ D₂ R_wantedᵀ, its angle from sine and cosine.
        let r = d1.tr_mul(&d2) * self.wanted.directors.transpose();
        let axis = Vector3::new(
            r[(2, 1)] - r[(1, 2)],
            r[(0, 2)] - r[(2, 0)],
            r[(1, 0)] - r[(0, 1)],
        );
        let angle = axis.norm().atan2(r.trace() - 1.0);
        let speed = (v2 - v1 - w1.cross(&(x2 - x1))).norm();
        let turn = (w2 - w1).norm();
        [
            offset.norm(),
            angle,
            speed,
            turn,
            offset.x,
            offset.y,
            offset.z,
        ]
    }
}

impl Measures {
    /// What expressions of measures name: the columns of a frame, then its relative quantities.
    pub fn quantities(&self, frame: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend_from_slice(frame);
        out.extend(self.relatives.iter().flat_map(|r| r.values(frame)));
    }
}

impl Scenario {
    /// What is measured on a run whose frames have the given columns.
    pub fn measures(&self, columns: &[String]) -> Result<Measures, ScenarioError> {
        let fail = |fault: Box<Fault>| ScenarioError::new(&self.file, &self.sources, vec![*fault]);
        let parameters = section(&self.root, "parameters").map_err(fail)?;
        let scope = Scope::new(parameters, &self.sources)
            .map_err(|faults| ScenarioError::new(&self.file, &self.sources, faults))?;
        let relatives = self
            .relatives(&scope, columns)
            .map_err(|faults| ScenarioError::new(&self.file, &self.sources, faults))?;
        self.read_measures(&scope, columns, relatives).map_err(fail)
    }

    /// The sections `[relative.NAME]`.
    pub(super) fn relatives(
        &self,
        scope: &Scope,
        columns: &[String],
    ) -> Result<Vec<Relative>, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut relatives = Vec::new();
        for (name, entry, table) in named(&self.root, "relative", &mut faults) {
            let fields = Fields::new(table, format!("relative.{name}"), entry.key, scope);
            match self.relative(name, &fields, columns) {
                Ok(relative) => relatives.push(relative),
                Err(fault) => faults.push(*fault),
            }
        }
        match faults.is_empty() {
            true => Ok(relatives),
            false => Err(faults),
        }
    }

    fn relative(&self, name: &str, fields: &Fields, columns: &[String]) -> Read<Relative> {
        let between = fields.need("between", "name two bodies: between = [\"a\", \"b\"]")?;
        let items = between.list()?;
        let [a, b] = items.as_slice() else {
            return Err(between.fault("is not a pair", "write between = [\"a\", \"b\"]"));
        };
        let sides = [self.side(a, columns)?, self.side(b, columns)?];
        let wanted = shapes::pose(fields, false)?;
        fields.finish()?;
        Ok(Relative {
            name: name.into(),
            sides,
            wanted,
        })
    }

    fn side(&self, item: &Item, columns: &[String]) -> Read<Side> {
        let name = item.reference()?;
        if name == "world" {
            return Ok(Side::Fixed(Box::default()));
        }
        let first = format!("{name}.x");
        let turns = format!("{name}.d1x");
        let body = self.bodies.iter().find(|b| b.name == name);
        match (columns.iter().position(|c| *c == first), body) {
            (Some(_), Some(_)) if !columns.contains(&turns) => {
                Err(item.fault("is a particle", "name a rigid body: particles do not turn"))
            }
            (Some(k), Some(_)) => Ok(Side::Moving(k)),
            (None, Some(body)) => Ok(Side::Fixed(Box::new(*body.spec.start()))),
            (_, None) => {
                let known = self.bodies.iter().map(|b| b.name.as_str());
                Err(item.fault(
                    format!("there is no body `{name}`"),
                    suggestion(&name, known),
                ))
            }
        }
    }

    fn read_measures(
        &self,
        scope: &Scope,
        columns: &[String],
        relatives: Vec<Relative>,
    ) -> Read<Measures> {
        let names = quantities(columns, &relatives);
        let mut list = Vec::new();
        if let Some(table) = section(&self.root, "measure")? {
            for (name, entry) in table {
                let path = format!("measure.{name}");
                let item = Item {
                    node: &entry.node,
                    path,
                    scope,
                };
                if names.iter().chain([&"time".to_string()]).any(|n| n == name)
                    || scope.value(name).is_some()
                    || OF_LEDGER.contains(&name.as_str())
                    || ["run", "success", "status", "reason"].contains(&name.as_str())
                {
                    return Err(item.fault("the name is taken", "give the measure another name"));
                }
                list.push(measure(name, &item, &names)?);
            }
        }
        let success = match section(&self.root, "success")? {
            None => None,
            Some(table) => {
                let place = self.root.get("success").map(|e| e.key).unwrap_or_default();
                let fields = Fields::new(table, "success", place, scope);
                let fix =
                    "say what a success is: that = \"closest < 0.001\", an expression of measures";
                let item = fields.need("that", fix)?;
                fields.finish()?;
                let of_ledger = OF_LEDGER.iter().map(|n| (*n).to_string());
                let mut known: Vec<String> =
                    list.iter().map(|m: &Measure| m.name.clone()).collect();
                known.extend(of_ledger);
                known.extend(names);
                Some(compiled(&item, &known)?)
            }
        };
        Ok(Measures {
            list,
            relatives,
            success,
        })
    }
}

/// Names of the quantities of a frame: columns and relative poses. `t` is the time, here as elsewhere.
pub(super) fn quantities(columns: &[String], relatives: &[Relative]) -> Vec<String> {
    let parts =
        (relatives.iter()).flat_map(|r| PARTS.iter().map(move |part| format!("{}.{part}", r.name)));
    let mut names: Vec<String> = columns.iter().cloned().chain(parts).collect();
    names[0] = "t".into();
    names
}

fn measure(name: &str, item: &Item, names: &[String]) -> Read<Measure> {
    const KINDS: &[&str] = &[
        "end", "start", "least", "largest", "mean", "integral", "first", "held", "period",
    ];
    let (mut known, mut within) = (None, None);
    let (kind, expression) = match &item.node.value {
        Value::Table(_) => {
            let fields = item.fields()?;
            let fix = "write an expression, or { largest = \"…\" }; also end, start, least, mean, integral, \
                        first (a time), held (how long) and period";
            let chosen = fields.one_of(KINDS)?;
            let (kind, value) = chosen.ok_or_else(|| item.fault("measures nothing", fix))?;
            let lasting = match kind {
                "first" => fields
                    .get("for")
                    .map(|item| item.non_negative())
                    .transpose()?,
                _ => None,
            };
            known = fields.get("known").map(|i| i.number()).transpose()?;
            if let Some(item) = fields.get("within") {
                within = Some(item.positive()?);
                if known.is_none() {
                    let fix =
                        "say what it should be: known = …, a number or an expression of parameters";
                    return Err(item.fault("has nothing to compare with", fix));
                }
            }
            fields.finish()?;
            let kind = match kind {
                "end" => Kind::End,
                "start" => Kind::Start,
                "least" => Kind::Least,
                "largest" => Kind::Largest,
                "mean" => Kind::Mean,
                "integral" => Kind::Integral,
                "first" => Kind::First(lasting.unwrap_or(0.0)),
                "period" => Kind::Period,
                _ => Kind::Held,
            };
            (kind, compiled(&value, names)?)
        }
        _ => (Kind::End, compiled(item, names)?),
    };
    Ok(Measure {
        name: name.into(),
        kind,
        expression,
        known,
        within,
    })
}

/// An expression of the named numbers and of parameters.
pub(super) fn compiled(item: &Item, names: &[String]) -> Read<Compiled> {
    let expression = item.scope.parse(item.node, &item.path)?;
    let bound = expression.bind(&|name| match name {
        "t" | "time" => None,
        other => item.scope.value(other),
    });
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    bound.compile(&names).map_err(|error| {
        let fix = match &error.unknown {
            Some(unknown) => {
                let parameters = item.scope.parameters().keys().map(String::as_str);
                let near = suggestion(unknown, names.iter().copied().chain(parameters));
                match near.len() < 120 {
                    true => near,
                    false => "use a column of columns.json, a parameter, or NAME.distance of \
                              [relative.NAME]"
                        .into(),
                }
            }
            None => error.fix.clone(),
        };
        item.scope.located(item.node, &item.path, &error, fix)
    })
}
