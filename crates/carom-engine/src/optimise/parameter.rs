//! Numbers of a model that a plan finds: masses, inertias, stiffnesses, lengths without force, damping.
//!
//! What a parameter changes is linear in it, and so is every balance of momentum in each of these numbers:
//! differences of balances of two models are exact derivatives.

use super::error::OptimiseError;
use crate::model::{BodyId, BodyKind, Model, PairLaw};

/// A number that is found together with the motion.
///
/// ```
/// use carom::model::{BodySpec, ModelBuilder};
/// use carom::optimise::Parameter;
/// let mut builder = ModelBuilder::new();
/// let body = builder.body(BodySpec::particle("load", 2.0));
/// let model = builder.build().unwrap();
/// let mass = Parameter::mass(&model, body, [1.0, 5.0]);
/// assert_eq!(mass.value, 2.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name, in formulas and results.
    pub name: String,
    /// Its value in the problem's model: where the search begins.
    pub value: f64,
    /// Least and largest value.
    pub range: [f64; 2],
    /// Places among the numbers of a model that it changes, and their derivatives by it.
    slopes: Vec<(usize, f64)>,
}

impl Parameter {
    /// The mass of a body; its inertia changes in proportion.
    pub fn mass(model: &Model, body: BodyId, range: [f64; 2]) -> Self {
        let value = match model.body(body).kind {
            BodyKind::Rigid { mass, .. } | BodyKind::Particle { mass } => mass,
            BodyKind::Static => 1.0,
        };
        let mut other = model.clone();
        match &mut other.bodies[body.index()].kind {
            BodyKind::Rigid { mass, euler_tensor } => {
                *mass *= 2.0;
                *euler_tensor *= 2.0;
            }
            BodyKind::Particle { mass } => *mass *= 2.0,
            BodyKind::Static => {}
        }
        let name = format!("mass of {}", model.body(body).name);
        Self::of_difference(name, value, range, [model, &other], value)
    }

    /// What two models differ in, the second one made with `value + change`.
    fn of_difference(
        name: String,
        value: f64,
        range: [f64; 2],
        [model, other]: [&Model; 2],
        change: f64,
    ) -> Self {
        let pairs = numbers(model).into_iter().zip(numbers(other)).enumerate();
        let slopes = pairs.map(|(k, (a, b))| (k, (b - a) / change));
        Self {
            name,
            value,
            range,
            slopes: slopes.filter(|(_, slope)| *slope != 0.0).collect(),
        }
    }

    /// A parameter by three models that were made with three values of it; says what is wrong if they
    /// differ by more than numbers that are linear in it.
    ///
    /// ```
    /// use carom::model::{Model, ModelBuilder, BodySpec};
    /// use carom::optimise::Parameter;
    /// use nalgebra::Vector3;
    /// let model = |stiffness: f64| -> Model {
    ///     let mut builder = ModelBuilder::new();
    ///     let body = builder.body(BodySpec::particle("load", 2.0));
    ///     builder.spring("s", (Some(body), Vector3::zeros()), (None, Vector3::x()), stiffness, 0.5);
    ///     builder.build().unwrap()
    /// };
    /// let made = [3.0, 4.0, 5.0].map(|k| (k, model(k)));
    /// assert!(Parameter::of_models("k", [1.0, 9.0], &made).is_ok());
    /// ```
    pub fn of_models(
        name: &str,
        range: [f64; 2],
        made: &[(f64, Model); 3],
    ) -> Result<Self, OptimiseError> {
        let [(value, model), (second, other), (third, check)] = made;
        let refuse = |what: &str| {
            OptimiseError::Unsupported {
            what: format!("the free parameter {name}, {what}"),
            fix: "let it give a mass, inertia, stiffness, rest length, damping or drag, in proportion \
                  or plus a number"
                .into(),
        }
        };
        let counts = [model, other, check].map(|m| numbers(m).len());
        if counts[0] != counts[1] || counts[0] != counts[2] {
            return Err(refuse("which changes what there is"));
        }
        let change = second - value;
        let out = Self::of_difference(name.into(), *value, range, [model, other], change);
        let mut guessed = numbers(model);
        out.slopes
            .iter()
            .for_each(|(k, slope)| guessed[*k] += slope * (third - value));
        let found = numbers(check);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (a.abs() + b.abs());
        if !guessed.iter().zip(&found).all(near) {
            return Err(refuse("in which something is not linear"));
        }
        if out.slopes.is_empty() {
            return Err(refuse("which changes nothing that plans know"));
        }
        Ok(out)
    }
}

/// Whether a model that was made with values of all parameters at once is what the parameters make of the one
/// they belong to: it is not where they multiply each other.
pub(crate) fn add_up(
    model: &Model,
    parameters: &[Parameter],
    values: &[f64],
    made: &Model,
) -> bool {
    let own = numbers(&with_values(model, parameters, values));
    let found = numbers(made);
    let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (a.abs() + b.abs());
    own.len() == found.len() && own.iter().zip(&found).all(near)
}

/// Numbers of a model that parameters may change.
fn numbers(model: &Model) -> Vec<f64> {
    let mut model = model.clone();
    let mut out = Vec::new();
    each(&mut model, |x| out.push(*x));
    out
}

/// Visits them, always in the same order.
fn each(model: &mut Model, mut visit: impl FnMut(&mut f64)) {
    for body in &mut model.bodies {
        match &mut body.kind {
            BodyKind::Rigid { mass, euler_tensor } => {
                visit(mass);
                euler_tensor.iter_mut().for_each(&mut visit);
            }
            BodyKind::Particle { mass } => visit(mass),
            BodyKind::Static => {}
        }
    }
    for pair in &mut model.forces.pairs {
        match &mut pair.law {
            PairLaw::Spring {
                stiffness,
                rest_length,
            } => {
                visit(stiffness);
                visit(rest_length);
            }
            PairLaw::Coulomb { strength } => visit(strength),
        }
    }
    let dampers = model.forces.dampers.iter_mut();
    dampers.for_each(|d| visit(&mut d.coefficient));
    for drag in &mut model.forces.drags {
        visit(&mut drag.linear);
        visit(&mut drag.angular);
    }
    for law in &mut model.joint_laws {
        let physics = &mut law.physics;
        if let Some(spring) = &mut physics.spring {
            visit(&mut spring.stiffness);
            visit(&mut spring.rest);
        }
        visit(&mut physics.damping);
        visit(&mut physics.armature);
    }
}

/// A model with parameters at other values than it was made with.
pub(crate) fn with_values(model: &Model, parameters: &[Parameter], values: &[f64]) -> Model {
    let mut out = model.clone();
    let mut all = numbers(model);
    for (p, value) in parameters.iter().zip(values) {
        for (k, slope) in &p.slopes {
            all[*k] += slope * (value - p.value);
        }
    }
    let mut next = all.into_iter();
    each(&mut out, |x| *x = next.next().unwrap_or(*x));
    out
}
