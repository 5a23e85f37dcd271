//! What an optimal control problem is made of.
//!
//! A [`Problem`] is a chain of phases of one model (thesis (4.21)): a time grid whose steps may be
//! stretched, states at both ends, conditions on the way, and terms to minimise. Quantities are SI,
//! vectors inertial.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use super::formula::Formula;
use super::meeting::{Closed, Penalty, Sequences, Transition};
use super::parameter::{Parameter, with_values};
use super::poly::Poly;
use super::recur::Recurrence;
use crate::mechanics::{Parts, Ties};
use crate::model::{BodyId, Joint, JointId, JointKind, Model};

/// An optimal control problem; see the [module](super) for an example.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The system. Actuators without prescribed values are the controls, within their bounds.
    pub model: Arc<Model>,
    /// Phases, one after the other.
    pub phases: Vec<Phase>,
    /// Least and largest total time; equal for a fixed one.
    pub total_time: Option<[f64; 2]>,
    /// Terms whose sum is minimised.
    pub minimise: Vec<Term>,
    /// Minimise the sum per distance travelled: a cost of transport.
    pub per: Option<Travel>,
    /// State at the start.
    pub start: Boundary,
    /// State at the end.
    pub goal: Boundary,
    /// What is at the end as it was at the start.
    pub periodic: Vec<Recurrence>,
    /// Numbers of the model that are found, too.
    pub parameters: Vec<Parameter>,
    /// How the model is made with other values of them, if they change its shapes.
    pub remake: Option<Remake>,
    /// Conditions at every node between start and end.
    pub path: Vec<Condition>,
    /// Conditions at single nodes on the way.
    pub vias: Vec<Via>,
    /// Bodies that must not overlap.
    pub avoid: Option<Avoid>,
    /// Contacts by potentials, the last of the forces of the model: set by
    /// [`with_penalties`](Self::with_penalties).
    pub penalties: Vec<Penalty>,
    /// Contacts to choose from: the only phase is cut where they happen.
    pub sequences: Option<Sequences>,
    /// How collision states and times are searched for.
    pub scheme: Scheme,
    /// Height, in m, that vertices beside a planned contact keep over the face it is on. Zero lets them touch,
    /// too; a search whose replay leaves the plan there tries larger ones.
    pub beside: f64,
}

/// A model from values of all parameters, if there is one.
pub type Make = dyn Fn(&[f64]) -> Option<Model> + Send + Sync;

/// Makes a model from values of all parameters.
#[derive(Clone)]
pub struct Remake(pub Arc<Make>);

impl std::fmt::Debug for Remake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Remake")
    }
}

/// How the states and times of planned impacts are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Together with everything else, in one program.
    #[default]
    OneLayer,
    /// By a layer of their own, around smooth segments between them that are solved to the end each time.
    TwoLayers,
}

impl Problem {
    /// A problem of a model on phases, that asks for nothing yet.
    pub fn new(model: Arc<Model>, phases: Vec<Phase>) -> Self {
        Self {
            model,
            phases,
            total_time: None,
            minimise: Vec::new(),
            per: None,
            start: Boundary::default(),
            goal: Boundary::default(),
            periodic: Vec::new(),
            parameters: Vec::new(),
            remake: None,
            path: Vec::new(),
            vias: Vec::new(),
            avoid: None,
            penalties: Vec::new(),
            sequences: None,
            scheme: Scheme::OneLayer,
            beside: 0.0,
        }
    }

    /// The problem with its parameters at given values, and none of them free.
    pub fn at_parameters(&self, values: &[f64]) -> Self {
        if self.parameters.is_empty() || values.len() != self.parameters.len() {
            return self.clone();
        }
        let remake = self.remake.as_ref().filter(|_| self.penalties.is_empty());
        let made = remake.and_then(|make| (make.0)(values));
        let model = made.unwrap_or_else(|| with_values(&self.model, &self.parameters, values));
        Self {
            model: Arc::new(model),
            parameters: Vec::new(),
            ..self.clone()
        }
    }

    /// Whether anything touches by plan.
    pub fn has_contacts(&self) -> bool {
        let touches = |p: &Phase| p.ends != Transition::Smooth || !p.closed.is_empty();
        self.sequences.is_some() || self.phases.iter().any(touches)
    }
}

/// Conditions at a node on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Via {
    /// The node: 0 is the start, the number of all steps the end.
    pub node: usize,
    /// What holds there.
    pub conditions: Vec<Condition>,
}

/// A part of the time grid: N steps of size σ h.
///
/// ```
/// use carom::optimise::Phase;
/// let phase = Phase { steps: 20, step: 0.05, ..Phase::default() };
/// assert_eq!(phase.time_scale, [1.0, 1.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// Number of steps N.
    pub steps: usize,
    /// Base step h in s.
    pub step: f64,
    /// Least and largest time scale σ; equal for a fixed one.
    pub time_scale: [f64; 2],
    /// Contacts that are closed in it. What the next phase closes besides sticks at its end, what the next
    /// phase does not close is released there.
    pub closed: Vec<Closed>,
    /// What happens at its end, if another phase follows.
    pub ends: Transition,
    /// Conditions at its nodes, the first one and the ends of the whole excepted.
    pub path: Vec<Condition>,
}

impl Default for Phase {
    fn default() -> Self {
        Self {
            steps: 1,
            step: 1.0,
            time_scale: [1.0; 2],
            closed: Vec::new(),
            ends: Transition::Smooth,
            path: Vec::new(),
        }
    }
}

/// A term of the objective.
#[derive(Clone, Debug)]
pub enum Term {
    /// Σ σh Σ_c w_c τ_c² over all steps and control components.
    Effort {
        /// w_c of every control component of the model.
        weights: Vec<f64>,
    },
    /// Weight times the total time.
    Time {
        /// The weight.
        weight: f64,
    },
    /// A polynomial of the configuration at the end.
    Final {
        /// What it is about, for messages.
        what: String,
        /// The polynomial.
        poly: Poly,
    },
    /// Weight times the integral of a formula over time, by the trapezoidal rule on every step.
    Running {
        /// The formula.
        formula: Formula,
        /// The weight.
        weight: f64,
    },
    /// Weight times a formula at the end; velocities and controls are those of the last step.
    End {
        /// The formula.
        formula: Formula,
        /// The weight.
        weight: f64,
    },
    /// Σ σh Σ_c w_c (Δτ_c/σh)²: how fast controls change from step to step.
    ControlRate {
        /// w_c of every control component of the model.
        weights: Vec<f64>,
    },
}

/// Distance of a body at the end, along a direction: from where it started, or from a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Travel {
    /// The body.
    pub body: BodyId,
    /// Where the distance is measured from; none for where the body started.
    pub from: Option<Vector3<f64>>,
    /// Unit direction.
    pub direction: Vector3<f64>,
}

/// State at an end of the manoeuvre.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    /// Conditions on the configuration.
    pub conditions: Vec<Condition>,
    /// Conditions on momentum. What no motion is given for moves as it pleases, within its joints.
    pub motions: Vec<Motion>,
}

impl Boundary {
    /// Whether a motion is that of a body on joints and does not follow from the model: given for some only of the bodies
    /// that joints connect, in ranges, or another one than at the start and than rest. It is asked of the rates of the
    /// joints then, so that it is one that they allow.
    pub(crate) fn hangs(&self, model: &Model, motion: &Motion) -> bool {
        let [body] = motion.bodies[..] else {
            return false;
        };
        let given = |b: BodyId| self.motions.iter().any(|m| m.bodies.contains(&b));
        let Some(own) = connected(model).into_iter().find(|c| c.contains(&body)) else {
            return false;
        };
        let floats = |j: &Joint| j.child == body && j.kind == JointKind::Free;
        if own.len() == 1 && model.joints().iter().any(floats) {
            return false;
        }
        let plain = |b: &BodyId| {
            self.motions
                .iter()
                .filter(|m| m.bodies.contains(b))
                .all(|m| m.is_plain(model))
        };
        let whole = own.iter().all(|b| given(*b) && plain(b));
        !whole && self.carrier(model, motion).is_none()
    }

    /// Whether a motion says how whole groups of bodies move that joints connect.
    pub(crate) fn is_whole(&self, model: &Model, motion: &Motion) -> bool {
        self.carrier(model, motion).is_none() && !self.hangs(model, motion)
    }

    /// The joint of a body that floats and carries others, if its motion is given and theirs is not: they move by their
    /// joints as they please, and the motion is that of its own joint.
    pub(crate) fn carrier(&self, model: &Model, motion: &Motion) -> Option<usize> {
        let [body] = motion.bodies[..] else {
            return None;
        };
        let floats = |j: &Joint| j.child == body && j.parent.is_none() && j.kind == JointKind::Free;
        let j = model.joints().iter().position(floats)?;
        let own = connected(model).into_iter().find(|c| c.contains(&body))?;
        let others = self.motions.iter().filter(|m| *m != motion);
        let moved = others.flat_map(|m| &m.bodies).any(|b| own.contains(b));
        (own.len() > 1 && !moved).then_some(j)
    }
}

/// Bodies that joints connect, those that close loops and gears included: their velocities follow from each other's.
pub(crate) fn connected(model: &Model) -> Vec<Vec<BodyId>> {
    let parts = Parts::of(model, Ties::Impulses);
    let bodies = |bodies: &Vec<usize>| bodies.iter().map(|b| BodyId(*b as u32)).collect();
    parts.trees().map(|part| bodies(&part.bodies)).collect()
}

/// How a body moves at an end, or how several move as one (thesis (4.17)).
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The bodies; with more than one, they move as one rigid body.
    pub bodies: Vec<BodyId>,
    /// Least and largest velocity of the first body and angular velocity, in inertial axes. Equal
    /// where they are given, infinite where they are free.
    pub twist: [[f64; 2]; 6],
}

impl Motion {
    /// Whether joints allow it in any case: several bodies as one, rest, or how its body starts in the model.
    fn is_plain(&self, model: &Model) -> bool {
        let [body] = self.bodies[..] else {
            return true;
        };
        let own = model.body(body);
        let built = own.velocity.iter().chain(own.angular_velocity.iter());
        let rest = self.twist.iter().all(|range| *range == [0.0; 2]);
        rest || self
            .twist
            .iter()
            .zip(built)
            .all(|(range, v)| *range == [*v; 2])
    }

    /// A body with a given velocity and angular velocity.
    pub fn given(body: BodyId, velocity: &Vector3<f64>, angular: &Vector3<f64>) -> Self {
        let value = |k: usize| if k < 3 { velocity[k] } else { angular[k - 3] };
        Self {
            bodies: vec![body],
            twist: [0, 1, 2, 3, 4, 5].map(|k| [value(k); 2]),
        }
    }

    /// A body at rest.
    pub fn rest(body: BodyId) -> Self {
        Self::given(body, &Vector3::zeros(), &Vector3::zeros())
    }

    /// Bodies at rest relative to each other.
    pub fn together(bodies: Vec<BodyId>) -> Self {
        Self {
            bodies,
            twist: [[f64::NEG_INFINITY, f64::INFINITY]; 6],
        }
    }
}

/// A condition on the configuration at a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// All bodies are where the model puts them.
    AsBuilt,
    /// A body is near where the model puts it, whatever else is as built: a start to be found. It is free,
    /// moves in a plane, or hangs on a spherical joint.
    Near {
        /// The body.
        body: BodyId,
        /// How far it may be moved along each axis, in m.
        position: [f64; 3],
        /// How far it may be turned: components of a rotation vector in inertial axes, in rad.
        rotation: [f64; 3],
    },
    /// A coordinate of a joint lies in a range, whatever else is as built: a start to be found.
    Open {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
        /// Least and largest value, counted from the model's start.
        range: [f64; 2],
    },
    /// The rate of a joint at an end lies in a range. Bodies that are connected to it move as their joints
    /// do: no [`Motion`] is given for them, and joints that nothing is said of are free.
    Rate {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
        /// Least and largest rate.
        range: [f64; 2],
    },
    /// The centre of mass lies in a box; equal bounds fix a component.
    Position {
        /// The body.
        body: BodyId,
        /// Least and largest value of each component.
        range: [[f64; 2]; 3],
    },
    /// A body has an orientation.
    Orientation {
        /// The body.
        body: BodyId,
        /// Its directors as columns.
        directors: Matrix3<f64>,
    },
    /// A coordinate of a joint, counted from the model's start, lies in a range.
    Joint {
        /// The joint.
        joint: JointId,
        /// Which of its coordinates.
        coordinate: usize,
        /// Least and largest value.
        range: [f64; 2],
    },
    /// Polynomials of the configuration lie in ranges.
    Polynomials {
        /// What they are about, for messages.
        what: String,
        /// The polynomials with least and largest value.
        rows: Vec<(Poly, [f64; 2])>,
    },
    /// A formula lies in a range. What is about velocities or controls holds in every step.
    Formula {
        /// The formula.
        formula: Formula,
        /// Least and largest value.
        range: [f64; 2],
    },
}

impl Condition {
    /// A body is at a place.
    pub fn at(body: BodyId, position: &Vector3<f64>) -> Self {
        Self::Position {
            body,
            range: [0, 1, 2].map(|k| [position[k]; 2]),
        }
    }

    /// A point of a body lies in a box: the place of a tool.
    pub fn point(model: &Model, body: BodyId, local: &Vector3<f64>, range: [[f64; 2]; 3]) -> Self {
        let rows = Poly::point(model, body, local).into_iter().zip(range);
        Self::Polynomials {
            what: format!("point of body {}", model.body(body).name),
            rows: rows.collect(),
        }
    }

    /// A formula lies in a range.
    pub fn formula(formula: Formula, range: [f64; 2]) -> Self {
        Self::Formula { formula, range }
    }

    /// Body `b` has a pose in the frame of body `a`.
    pub fn relative(
        model: &Model,
        a: BodyId,
        b: BodyId,
        position: Option<&Vector3<f64>>,
        rotation: Option<&Matrix3<f64>>,
    ) -> Self {
        let mut rows = Vec::new();
        if let Some(p) = position {
            let seen = Poly::seen_from(model, a, b);
            rows.extend((0..3).map(|k| (seen[k].clone(), [p[k]; 2])));
        }
        if let Some(r) = rotation {
            rows.extend(Poly::oriented_relative(model, a, b, r));
        }
        let (a, b) = (&model.body(a).name, &model.body(b).name);
        Self::Polynomials {
            what: format!("pose of {b} relative to {a}"),
            rows,
        }
    }

    /// ⟨d_i, e⟩ of a body lies in a range. Exact alignment is asked for by the two perpendicular
    /// components.
    pub fn direction(
        model: &Model,
        body: BodyId,
        director: usize,
        along: &Vector3<f64>,
        range: [f64; 2],
    ) -> Self {
        let d = Poly::director(model, body, director);
        let e = along.normalize();
        let onto = |v: &Vector3<f64>| Poly::dot(&d, &Poly::vector(v));
        let name = &model.body(body).name;
        let rows = if range[0] >= 1.0 {
            let t = e.cross(&if e.x.abs() < 0.9 {
                Vector3::x()
            } else {
                Vector3::y()
            });
            let t = t.normalize();
            // Not the other way round.
            let along = (onto(&e), [0.0, f64::INFINITY]);
            vec![(onto(&t), [0.0; 2]), (onto(&e.cross(&t)), [0.0; 2]), along]
        } else {
            vec![(onto(&e), range)]
        };
        Self::Polynomials {
            what: format!("direction of d{} of {name}", director + 1),
            rows,
        }
    }

    /// ⟨d_i, d_j⟩ of directors of two bodies lies in a range.
    pub fn between(model: &Model, a: (BodyId, usize), b: (BodyId, usize), range: [f64; 2]) -> Self {
        let (p, q) = (
            Poly::director(model, a.0, a.1),
            Poly::director(model, b.0, b.1),
        );
        let (name_a, name_b) = (&model.body(a.0).name, &model.body(b.0).name);
        Self::Polynomials {
            what: format!("d{} of {name_a} to d{} of {name_b}", a.1 + 1, b.1 + 1),
            rows: vec![(Poly::dot(&p, &q), range)],
        }
    }
}

/// Collision avoidance.
#[derive(Clone, Debug, PartialEq)]
pub struct Avoid {
    /// Least gap at the nodes in m (thesis 4.3: ε).
    pub margin: f64,
    /// What the rows are.
    pub rows: GapRows,
    /// Whether bodies are looked after between the nodes, too.
    pub between_nodes: bool,
    /// Distance along the guess below which a pair gets rows from the start, m; half the size of the largest part if
    /// not given. Others get them when they are found to overlap.
    pub near: Option<f64>,
}

/// How pairs of parts are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GapRows {
    /// Vertices of one part above a plane held in the other, one at each node and wherever bodies would
    /// overlap between nodes: smooth, and no farther apart than asked.
    #[default]
    Planes,
    /// The same with one plane for both ends of each step, which leaves room of the order of a step:
    /// nothing can slip through between two nodes.
    Steps,
    /// The gap of the linear program itself: one row per pair, with kinks.
    Gaps,
    /// One row V_A ≤ 0 per node for all pairs (thesis 4.3).
    Single,
}

impl GapRows {
    /// Whether parts are kept apart by planes.
    pub(crate) fn has_planes(self) -> bool {
        matches!(self, GapRows::Planes | GapRows::Steps)
    }
}

impl Default for Avoid {
    fn default() -> Self {
        Self {
            margin: 0.0,
            rows: GapRows::default(),
            between_nodes: true,
            near: None,
        }
    }
}
