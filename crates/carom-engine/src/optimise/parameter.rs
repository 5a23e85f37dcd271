//! Numbers of a model that a plan finds: masses, inertias, stiffnesses, lengths without force, damping, and lengths of
//! links: where joints, springs and actuators hold.
//!
//! What a parameter changes is a polynomial of it. Masses, stiffnesses and the like are mostly linear, and so is
//! every balance of momentum in each of these numbers: differences of balances of two models are exact derivatives.
//! Where lengths change, whatever depends on the configuration changes with them: derivatives are differences of
//! sixth order of all rows, exact for polynomials up to degree six.

use nalgebra::Vector3;

use super::error::OptimiseError;
use crate::model::{BodyId, BodyKind, JointKind, Model, PairLaw, Target};

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
    /// Whether it changes where points are, and whether it changes shapes.
    places: bool,
    reshapes: bool,
    /// Values that models were made with, its own first, and the numbers that it changes with what they are in these
    /// models.
    knots: Vec<f64>,
    changes: Vec<(usize, Vec<f64>)>,
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
        Self::through(name, range, &[(value, model), (2.0 * value, &other)])
    }

    /// What changes the numbers of models as the polynomials through some models do.
    fn through(name: String, range: [f64; 2], made: &[(f64, &Model)]) -> Self {
        let all: Vec<_> = made.iter().map(|(_, model)| numbers(model)).collect();
        let shapes = made.iter().map(|(_, model)| {
            let all = model.bodies.iter().map(|b| format!("{:?}", b.shape));
            all.collect::<Vec<String>>()
        });
        let shapes: Vec<_> = shapes.collect();
        let mut changes = Vec::new();
        let mut places = false;
        for (k, (first, place)) in all[0].iter().enumerate() {
            let values: Vec<f64> = all.iter().map(|n| n[k].0).collect();
            if values.iter().any(|v| v != first) {
                changes.push((k, values));
                places |= place;
            }
        }
        Self {
            name,
            value: made[0].0,
            range,
            places,
            reshapes: shapes.windows(2).any(|s| s[0] != s[1]),
            knots: made.iter().map(|(value, _)| *value).collect(),
            changes,
        }
    }

    /// A parameter by models that were made with different values of it, three or more: every number must be a
    /// polynomial of it through all of them but the last, which checks that. With three models that is a number
    /// in proportion to it, or plus one.
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
        made: &[(f64, Model)],
    ) -> Result<Self, OptimiseError> {
        let refuse = |what: &str| {
            OptimiseError::Unsupported {
            what: format!("the free parameter {name}, {what}"),
            fix: "let it give a mass, inertia, stiffness, length of a link, rest length, damping or drag, in \
                  proportion to it, plus a number, or by a power of up to five"
                .into(),
        }
        };
        let [first, .., (last, check)] = made else {
            return Err(refuse("of which too few models are known"));
        };
        let same = |what: fn(&Model) -> Vec<f64>| {
            let own = what(&first.1);
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * (1.0 + a.abs());
            made.iter()
                .map(|(_, m)| what(m))
                .all(|other| other.len() == own.len() && own.iter().zip(&other).all(near))
        };
        if !same(|m| vec![numbers(m).len() as f64]) {
            return Err(refuse("which changes what there is"));
        }
        if !same(held) {
            return Err(refuse(
                "which changes where a body without a joint starts, how bodies set out, an axis, or a loop",
            ));
        }
        let known: Vec<_> = made[..made.len() - 1]
            .iter()
            .map(|(v, m)| (*v, m))
            .collect();
        let out = Self::through(name.into(), range, &known);
        let guessed = with_values(&first.1, std::slice::from_ref(&out), &[*last]);
        let near = |((a, _), (b, _)): (&(f64, bool), &(f64, bool))| {
            (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 1e-12
        };
        if !numbers(&guessed).iter().zip(&numbers(check)).all(near) {
            return Err(refuse("of which something is no polynomial"));
        }
        if out.changes.is_empty() {
            return Err(refuse("which changes nothing that plans know"));
        }
        Ok(out)
    }

    /// Whether it changes shapes of bodies.
    pub fn reshapes(&self) -> bool {
        self.reshapes
    }

    /// Whether it changes where things are, and not only how heavy or stiff they are.
    pub(crate) fn moves(&self) -> bool {
        self.places || self.knots.len() > 2
    }

    /// What derivatives by it are put together from.
    pub(crate) fn stencil(&self) -> Stencil {
        let width = self.range[1] - self.range[0];
        match self.moves() {
            // Numbers are linear, and mechanics is at most quadratic in them: exact.
            false => Stencil {
                step: width,
                first: &[(1.0, 0.5), (-1.0, -0.5)],
                second: &[(1.0, 1.0), (0.0, -2.0), (-1.0, 1.0)],
            },
            // Exact for polynomials of degree six and seven.
            true => Stencil {
                step: 0.02 * width,
                first: &[
                    (1.0, 0.75),
                    (-1.0, -0.75),
                    (2.0, -0.15),
                    (-2.0, 0.15),
                    (3.0, 1.0 / 60.0),
                    (-3.0, -1.0 / 60.0),
                ],
                second: &[
                    (0.0, -49.0 / 18.0),
                    (1.0, 1.5),
                    (-1.0, 1.5),
                    (2.0, -0.15),
                    (-2.0, -0.15),
                    (3.0, 1.0 / 90.0),
                    (-3.0, 1.0 / 90.0),
                ],
            },
        }
    }

    /// Shares of the models it was made by at a value: Lagrange's polynomials.
    fn shares(&self, value: f64) -> Vec<f64> {
        let share = |i: usize| {
            let others = self.knots.iter().enumerate().filter(|(j, _)| *j != i);
            let factor = |(_, x): (usize, &f64)| (value - x) / (self.knots[i] - x);
            others.map(factor).product()
        };
        (0..self.knots.len()).map(share).collect()
    }
}

/// Where a function of a parameter is looked at for its derivatives: steps aside with their weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stencil {
    pub step: f64,
    /// Of the first derivative, to be divided by the step.
    pub first: &'static [(f64, f64)],
    /// Of the second one, to be divided by its square.
    pub second: &'static [(f64, f64)],
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
    let near = |((a, _), (b, _)): (&(f64, bool), &(f64, bool))| {
        (a - b).abs() <= 1e-9 * (a.abs() + b.abs()) + 1e-12
    };
    own.len() == found.len() && own.iter().zip(&found).all(near)
}

/// What parameters may not change: where free bodies start, how bodies set out and are turned, where they were drawn,
/// axes of joints, their limits, and loops.
fn held(model: &Model) -> Vec<f64> {
    let mut out = Vec::new();
    for body in &model.bodies {
        out.extend(body.start.directors.iter());
        out.extend(body.velocity.iter());
        out.extend(body.angular_velocity.iter());
        out.extend(body.drawn_center.iter());
        if body.kind == BodyKind::Static {
            out.extend(body.start.position.iter());
        }
    }
    for joint in &model.joints {
        out.extend(joint.axis.iter());
        out.extend(joint.relative.iter());
        out.extend(joint.limits.iter().flatten().flatten());
        if joint.kind == JointKind::Free {
            out.extend(model.body(joint.child).start.position.iter());
        }
    }
    for joint in &model.closures {
        out.extend(joint.axis.iter());
        out.extend(joint.anchor_parent.iter());
        out.extend(joint.anchor_child.iter());
        out.push(joint.length);
    }
    out
}

/// Numbers of a model that parameters may change, and whether they say where something is.
fn numbers(model: &Model) -> Vec<(f64, bool)> {
    let mut model = model.clone();
    let mut out = Vec::new();
    each(&mut model, |x, place| out.push((*x, place)));
    out
}

/// Visits them, always in the same order.
fn each(model: &mut Model, mut visit: impl FnMut(&mut f64, bool)) {
    each_place(model, |v| v.iter_mut().for_each(|x| visit(x, true)));
    for joint in &mut model.joints {
        visit(&mut joint.length, true);
    }
    let mut number = |x: &mut f64| visit(x, false);
    for body in &mut model.bodies {
        match &mut body.kind {
            BodyKind::Rigid { mass, euler_tensor } => {
                number(mass);
                euler_tensor.iter_mut().for_each(&mut number);
            }
            BodyKind::Particle { mass } => number(mass),
            BodyKind::Static => {}
        }
    }
    for pair in &mut model.forces.pairs {
        match &mut pair.law {
            PairLaw::Spring {
                stiffness,
                rest_length,
            } => {
                number(stiffness);
                number(rest_length);
            }
            PairLaw::Coulomb { strength } => number(strength),
        }
    }
    let dampers = model.forces.dampers.iter_mut();
    dampers.for_each(|d| number(&mut d.coefficient));
    for drag in &mut model.forces.drags {
        number(&mut drag.linear);
        number(&mut drag.angular);
    }
    for law in &mut model.joint_laws {
        let physics = &mut law.physics;
        if let Some(spring) = &mut physics.spring {
            number(&mut spring.stiffness);
            number(&mut spring.rest);
        }
        number(&mut physics.damping);
        number(&mut physics.armature);
    }
}

/// Visits places: of joints in their bodies, where bodies on joints start, ends of springs and dampers, points that are
/// pushed.
fn each_place(model: &mut Model, mut visit: impl FnMut(&mut Vector3<f64>)) {
    for joint in &mut model.joints {
        visit(&mut joint.anchor_parent);
        visit(&mut joint.anchor_child);
        visit(&mut model.bodies[joint.child.index()].start.position);
    }
    for pair in &mut model.forces.pairs {
        visit(&mut pair.a.local);
        visit(&mut pair.b.local);
    }
    for damper in &mut model.forces.dampers {
        visit(&mut damper.a.local);
        visit(&mut damper.b.local);
    }
    for actuator in &mut model.actuators {
        match &mut actuator.target {
            Target::Wrench { point, .. } | Target::Along { point, .. } => visit(point),
            _ => {}
        }
    }
}

/// A model with parameters at other values than it was made with.
pub(crate) fn with_values(model: &Model, parameters: &[Parameter], values: &[f64]) -> Model {
    let mut out = model.clone();
    let mut all: Vec<f64> = numbers(model).into_iter().map(|n| n.0).collect();
    for (p, value) in parameters.iter().zip(values) {
        let shares = p.shares(*value);
        for (k, known) in &p.changes {
            // Shares add up to one: what is added is exactly nothing at the parameter's own value.
            let moved = shares.iter().zip(known).map(|(s, v)| s * (v - known[0]));
            all[*k] += moved.sum::<f64>();
        }
    }
    let mut next = all.into_iter();
    each(&mut out, |x, _| *x = next.next().unwrap_or(*x));
    out
}
