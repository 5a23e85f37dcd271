//! Expressions of named quantities of a motion: conditions and costs of the user's own.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use super::poly::Poly;
use crate::expression::{Compiled, Expression, ExpressionError};
use crate::mechanics::{coordinate_starts, joint_coordinates};
use crate::model::{BodyId, BodyKind, Model, Target};
use crate::words::nearest;

/// An expression of quantities of a motion, with exact derivatives.
///
/// | name | quantity |
/// | --- | --- |
/// | `BODY.x`, `.y`, `.z` | position of the centre of mass |
/// | `BODY.vx` … | its velocity over the step |
/// | `BODY.d1x` … `BODY.d3z` | directors |
/// | `BODY.rx` … | rotation vector, up to half a turn |
/// | `BODY.wx` … | angular velocity over the step, in inertial axes |
/// | `POINT.x` …, `POINT.vx` … | the same of named points of bodies |
/// | `JOINT.q`, `JOINT.rate` | joint coordinate from the model's start, and its rate over the step; `q2`, `rate2` … of joints with several |
/// | `CONTROL`, `CONTROL.rate` | a control as `controls.csv` names it, and how fast it changes |
/// | `t` | time |
///
/// ```
/// use carom::model::{BodySpec, ModelBuilder};
/// use carom::optimise::Formula;
/// let mut b = ModelBuilder::new();
/// b.body(BodySpec::particle("p", 1.0));
/// let model = b.build().unwrap();
/// let speed = Formula::new(&model, "hypot(p.vx, p.vy)", &[]).unwrap();
/// assert_eq!(speed.text(), "hypot(p.vx, p.vy)");
/// assert!(Formula::new(&model, "p.q", &[]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    pub(crate) function: Compiled,
    pub(crate) inputs: Vec<Quantity>,
}

/// A point of a body, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPoint {
    /// Its name in formulas.
    pub name: String,
    /// The body.
    pub body: BodyId,
    /// Coordinates in the body's frame, from its centre of mass.
    pub local: Vector3<f64>,
}

impl Formula {
    /// Parses an expression of the quantities of a model and of named points.
    pub fn new(model: &Model, text: &str, points: &[NamedPoint]) -> Result<Self, ExpressionError> {
        Self::of(model, &Expression::parse(text)?, points)
    }

    /// An expression that is parsed already, parameters bound.
    pub fn of(
        model: &Model,
        expression: &Expression,
        points: &[NamedPoint],
    ) -> Result<Self, ExpressionError> {
        Self::with_parameters(model, expression, points, &[])
    }

    /// The same, where the problem's [`parameters`](super::Problem::parameters) may be named.
    pub fn with_parameters(
        model: &Model,
        expression: &Expression,
        points: &[NamedPoint],
        parameters: &[String],
    ) -> Result<Self, ExpressionError> {
        let mut known = quantities(model, points);
        for (k, name) in parameters.iter().enumerate() {
            known.insert(name.clone(), Quantity::Parameter(k));
        }
        let names: Vec<&str> = expression.variables().collect();
        let function = expression.compile(&names)?;
        let inputs = names.iter().map(|name| known.get(*name).cloned());
        let inputs = inputs.collect::<Option<Vec<_>>>();
        let Some(inputs) = inputs else {
            let all: Vec<&str> = known.keys().map(String::as_str).collect();
            // Compiling with what there is names the culprit and its place.
            let mut error = match expression.compile(&all) {
                Err(error) => error,
                Ok(_) => return Self::with_parameters(model, expression, points, parameters),
            };
            let name = error.unknown.clone().unwrap_or_default();
            error.fix = fix(&name, &all);
            return Err(error);
        };
        Ok(Self {
            text: expression.text().into(),
            function,
            inputs,
        })
    }

    /// The square of a quantity.
    pub(crate) fn squared(quantity: Quantity) -> Self {
        let x = Expression::parse("x^2").and_then(|e| e.compile(&["x"]));
        Self {
            text: "the square of a quantity".into(),
            function: x.expect("x^2 is an expression"),
            inputs: vec![quantity],
        }
    }

    /// The expression.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is about velocities or controls, which belong to steps.
    pub(crate) fn is_of_step(&self) -> bool {
        self.inputs.iter().any(Quantity::is_of_step)
    }
}

/// A number of the motion.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Quantity {
    /// A parameter of the problem that is found.
    Parameter(usize),
    /// A polynomial of the configuration.
    Place(Poly),
    /// Its rate over the step.
    Rate(Poly),
    /// A component of the rotation vector of a body whose directors begin at a coordinate.
    Turned {
        directors: usize,
        axis: usize,
    },
    /// A component of the angular velocity sin Δθ/h of a body whose directors begin at a coordinate.
    Spin {
        directors: usize,
        axis: usize,
    },
    /// A coordinate of a joint, by its degree of freedom, and its rate over the step.
    Joint(usize),
    JointRate(usize),
    /// A control in the step, and how fast it has changed since the step before.
    Control(usize),
    ControlRate(usize),
    /// Time at the node.
    Time,
}

impl Quantity {
    /// Whether it belongs to a step rather than to a node.
    pub fn is_of_step(&self) -> bool {
        !matches!(
            self,
            Quantity::Place(_) | Quantity::Turned { .. } | Quantity::Joint(_) | Quantity::Time
        )
    }
}

fn fix(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(best) => format!("did you mean `{best}`?"),
        None => {
            "quantities are BODY.x, .vx, .d1x, .rx, .wx, JOINT.q, JOINT.rate, CONTROL, CONTROL.rate, t; \
              parameters may be used, too"
                .into()
        }
    }
}

/// All quantities of a model by name.
fn quantities(model: &Model, points: &[NamedPoint]) -> BTreeMap<String, Quantity> {
    let mut out = BTreeMap::new();
    out.insert("t".to_string(), Quantity::Time);
    let axes = ["x", "y", "z"];
    let mut place = |name: &str, at: [Poly; 3]| {
        for (axis, poly) in axes.iter().zip(at) {
            let poly = poly.collected();
            out.insert(format!("{name}.v{axis}"), Quantity::Rate(poly.clone()));
            out.insert(format!("{name}.{axis}"), Quantity::Place(poly));
        }
    };
    for (k, body) in model.bodies().iter().enumerate() {
        place(&body.name, Poly::position(model, BodyId(k as u32)));
    }
    for point in points {
        place(&point.name, Poly::point(model, point.body, &point.local));
    }
    let starts = coordinate_starts(model);
    for (k, body) in model.bodies().iter().enumerate() {
        if !matches!(body.kind, BodyKind::Rigid { .. }) {
            continue;
        }
        for i in 0..3 {
            for (axis, poly) in axes.iter().zip(Poly::director(model, BodyId(k as u32), i)) {
                let name = format!("{}.d{}{axis}", body.name, i + 1);
                out.insert(name, Quantity::Place(poly));
            }
            let spin = Quantity::Spin {
                directors: starts[k] + 3,
                axis: i,
            };
            out.insert(format!("{}.w{}", body.name, axes[i]), spin);
            let turned = Quantity::Turned {
                directors: starts[k] + 3,
                axis: i,
            };
            out.insert(format!("{}.r{}", body.name, axes[i]), turned);
        }
    }
    let poses: Vec<_> = model.bodies().iter().map(|b| b.start).collect();
    let mut values = Vec::new();
    for (j, joint) in model.joints().iter().enumerate() {
        joint_coordinates(joint, &poses, &mut values);
        for k in 0..if joint.name.is_empty() {
            0
        } else {
            values.len()
        } {
            let number = if k == 0 {
                String::new()
            } else {
                (k + 1).to_string()
            };
            let freedom = model.offsets[j] + k;
            let name = &joint.name;
            out.insert(format!("{name}.q{number}"), Quantity::Joint(freedom));
            out.insert(format!("{name}.rate{number}"), Quantity::JointRate(freedom));
        }
    }
    for (c, name) in control_names(model).into_iter().enumerate() {
        out.insert(format!("{name}.rate"), Quantity::ControlRate(c));
        out.insert(name, Quantity::Control(c));
    }
    out
}

/// Names of the control components: `ACTUATOR`, or `ACTUATOR.fx` … of forces and torques on bodies.
pub fn control_names(model: &Model) -> Vec<String> {
    let wrench = ["fx", "fy", "fz", "tx", "ty", "tz"];
    let mut names = Vec::new();
    for a in model.actuators() {
        let body = matches!(a.target, Target::Wrench { .. });
        for k in 0..a.components() {
            names.push(match (body, a.components()) {
                (true, _) => format!("{}.{}", a.name, wrench[k]),
                (false, 1) => a.name.clone(),
                (false, _) => format!("{}.{}", a.name, k + 1),
            });
        }
    }
    names
}
