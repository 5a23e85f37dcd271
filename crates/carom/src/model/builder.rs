//! Builds and validates a [`Model`].

use std::collections::HashSet;
use std::sync::Arc;

use carom_gap::gap::HalfSpace;
use nalgebra::Vector3;

use super::body::Role;
use super::check::{check_linkage, check_signal, finite, make_body};
use super::tree::{self, Edge};
use super::{
    Actuator, ActuatorId, BodyId, BodyKind, BodySpec, Combine, ContactRules, Damper, Drag, Forces,
    Frame, JointId, JointSpec, Linkage, LinkageSpec, Material, Model, ModelError, PairLaw,
    PairPotential, Point, Sample, Signal, Surface, Target, UserPotential, Wall,
};

/// Two points, each on a body or on the world, in the frame its shape was drawn in.
type Ends = [(Option<BodyId>, Vector3<f64>); 2];

/// Collects the parts of a model; [`build`](Self::build) checks them. See the
/// [module](super) for an example.
#[derive(Clone, Debug, Default)]
pub struct ModelBuilder {
    bodies: Vec<BodySpec>,
    edges: Vec<Edge>,
    linkages: Vec<LinkageSpec>,
    forces: Forces,
    actuators: Vec<Actuator>,
    charges: Vec<(String, BodyId, Vector3<f64>, f64)>,
    coulomb: f64,
    contact: ContactRules,
    names: Vec<(&'static str, String)>,
    pairs: Vec<(&'static str, String, Ends, PairLaw)>,
    dampers: Vec<(String, Ends, f64)>,
}

impl ModelBuilder {
    /// An empty model.
    pub fn new() -> Self {
        Self::default()
    }

    /// Acceleration of gravity.
    pub fn gravity(&mut self, gravity: Vector3<f64>) -> &mut Self {
        self.forces.gravity = gravity;
        self
    }

    /// Adds a body.
    pub fn body(&mut self, spec: BodySpec) -> BodyId {
        self.names.push(("body", spec.name.clone()));
        self.bodies.push(spec);
        BodyId(self.bodies.len() as u32 - 1)
    }

    /// Joins two bodies; `None` is the world. Joint coordinates describe the motion of the second
    /// relative to the first. Joints beyond a tree close loops.
    pub fn joint(
        &mut self,
        spec: JointSpec,
        first: Option<BodyId>,
        second: Option<BodyId>,
    ) -> JointId {
        let id = JointId(self.edges.len() as u32);
        self.names.push(("joint", spec.name.clone()));
        self.edges.push(Edge {
            spec,
            ends: [first, second],
            id: Some(id),
        });
        id
    }

    /// Adds a linkage in generalised coordinates; returns its index.
    pub fn linkage(&mut self, spec: LinkageSpec) -> usize {
        self.names.push(("linkage", spec.name.clone()));
        self.linkages.push(spec);
        self.linkages.len() - 1
    }

    /// A linear spring between two points, each in the frame its body's shape was drawn in.
    pub fn spring(
        &mut self,
        name: impl Into<String>,
        a: (Option<BodyId>, Vector3<f64>),
        b: (Option<BodyId>, Vector3<f64>),
        stiffness: f64,
        rest_length: f64,
    ) -> &mut Self {
        let law = PairLaw::Spring {
            stiffness,
            rest_length,
        };
        self.pairs.push(("spring", name.into(), [a, b], law));
        self
    }

    /// A dashpot between two points, each in the frame its body's shape was drawn in.
    pub fn damper(
        &mut self,
        name: impl Into<String>,
        a: (Option<BodyId>, Vector3<f64>),
        b: (Option<BodyId>, Vector3<f64>),
        coefficient: f64,
    ) -> &mut Self {
        self.dampers.push((name.into(), [a, b], coefficient));
        self
    }

    /// Drag on a body.
    pub fn drag(&mut self, drag: Drag) -> &mut Self {
        self.forces.drags.push(drag);
        self
    }

    /// Coulomb constant K of all charges.
    pub fn coulomb(&mut self, constant: f64) -> &mut Self {
        self.coulomb = constant;
        self
    }

    /// A charge fixed in a body; charges of different bodies act on each other.
    pub fn charge(
        &mut self,
        name: impl Into<String>,
        body: BodyId,
        point: Vector3<f64>,
        charge: f64,
    ) -> &mut Self {
        self.charges.push((name.into(), body, point, charge));
        self
    }

    /// A potential of the user's own.
    pub fn potential(&mut self, potential: Arc<dyn UserPotential>) -> &mut Self {
        self.forces.user.push(potential);
        self
    }

    /// Force and torque on a body: components (fx, fy, fz, tx, ty, tz). `point` is in the frame the
    /// body's shape was drawn in; bounds are per component, empty for none.
    pub fn wrench(
        &mut self,
        name: impl Into<String>,
        body: BodyId,
        point: Vector3<f64>,
        frame: Frame,
        bounds: Vec<[f64; 2]>,
    ) -> ActuatorId {
        self.actuator(name.into(), Target::Wrench { body, point, frame }, bounds)
    }

    /// Torque or force along the coordinates of a joint.
    pub fn drive(
        &mut self,
        name: impl Into<String>,
        joint: JointId,
        bounds: Vec<[f64; 2]>,
    ) -> ActuatorId {
        self.actuator(name.into(), Target::Joint { joint }, bounds)
    }

    /// Generalised force on a coordinate of a linkage.
    pub fn push(
        &mut self,
        name: impl Into<String>,
        linkage: usize,
        coordinate: usize,
        bounds: Vec<[f64; 2]>,
    ) -> ActuatorId {
        self.actuator(
            name.into(),
            Target::Coordinate {
                linkage,
                coordinate,
            },
            bounds,
        )
    }

    fn actuator(&mut self, name: String, target: Target, bounds: Vec<[f64; 2]>) -> ActuatorId {
        self.names.push(("actuator", name.clone()));
        self.actuators.push(Actuator {
            name,
            target,
            bounds,
            signals: None,
            sample: Sample::Mid,
            first: 0,
            components: 0,
        });
        ActuatorId(self.actuators.len() as u32 - 1)
    }

    /// Prescribes the values of an actuator as functions of time: a load.
    pub fn prescribe(
        &mut self,
        actuator: ActuatorId,
        signals: Vec<Signal>,
        sample: Sample,
    ) -> &mut Self {
        let a = &mut self.actuators[actuator.index()];
        a.signals = Some(signals);
        a.sample = sample;
        self
    }

    /// A floor or wall: the half-space ⟨normal, x⟩ ≤ offset is solid.
    pub fn wall(
        &mut self,
        name: impl Into<String>,
        half_space: HalfSpace,
        material: Option<String>,
    ) -> &mut Self {
        let name = name.into();
        self.names.push(("wall", name.clone()));
        self.contact.walls.push(Wall {
            name,
            half_space,
            material,
        });
        self
    }

    /// A named material.
    pub fn material(&mut self, material: Material) -> &mut Self {
        self.names.push(("material", material.name.clone()));
        self.contact.materials.push(material);
        self
    }

    /// Restitution and friction of everything that names no material.
    pub fn contact_default(&mut self, restitution: f64, friction: f64) -> &mut Self {
        self.contact.default = Material {
            name: "default".into(),
            restitution,
            friction,
        };
        self
    }

    /// How the values of two materials combine.
    pub fn combine(&mut self, restitution: Combine, friction: Combine) -> &mut Self {
        self.contact.combine_restitution = restitution;
        self.contact.combine_friction = friction;
        self
    }

    /// What happens between two materials, whatever their own values combine to.
    pub fn surface(&mut self, surface: Surface) -> &mut Self {
        self.contact.surfaces.push(surface);
        self
    }

    /// Two bodies that never collide.
    pub fn exclude(&mut self, a: BodyId, b: BodyId) -> &mut Self {
        self.contact.excluded.push([a, b]);
        self
    }

    /// A body that never collides with a wall (walls count from 0 in the order they were made).
    pub fn exclude_wall(&mut self, body: BodyId, wall: usize) -> &mut Self {
        self.contact.excluded_walls.push((body, wall));
        self
    }

    /// Checks everything and makes the model.
    pub fn build(&self) -> Result<Model, ModelError> {
        let mut seen = HashSet::new();
        for (what, name) in &self.names {
            if !seen.insert((*what, name.as_str())) {
                return Err(ModelError::Duplicate {
                    what,
                    name: name.clone(),
                });
            }
        }
        let bodies = self
            .bodies
            .iter()
            .map(make_body)
            .collect::<Result<Vec<_>, _>>()?;
        let mut edges = self.edges.clone();
        for (k, spec) in self
            .bodies
            .iter()
            .enumerate()
            .filter(|(_, s)| s.planar && s.role == Role::Rigid)
        {
            edges.push(Edge {
                spec: JointSpec::planar(format!("{} in the plane", spec.name), Vector3::z()),
                ends: [None, Some(BodyId(k as u32))],
                id: None,
            });
        }
        let (joints, closures) = tree::grow(&bodies, &edges)?;
        if joints.is_empty() && self.linkages.is_empty() {
            return Err(ModelError::Empty);
        }
        let mut offsets = Vec::new();
        let mut tree_freedom = 0;
        for joint in &joints {
            offsets.push(tree_freedom);
            let particle = matches!(bodies[joint.child.index()].kind, BodyKind::Particle { .. });
            tree_freedom += joint.kind.freedom(particle);
        }
        let mut linkages = Vec::new();
        let mut coordinates = 0;
        for spec in &self.linkages {
            check_linkage(spec)?;
            linkages.push(Linkage::new(spec.clone(), coordinates));
            coordinates += spec.coordinates.len();
        }
        let mut model = Model {
            bodies,
            joints,
            offsets,
            closures,
            linkages,
            forces: Forces::default(),
            actuators: Vec::new(),
            contact: self.make_contact()?,
            tree_freedom,
            coordinates,
            controls: 0,
        };
        model.forces = self.make_forces(&model)?;
        model.actuators = self.make_actuators(&model)?;
        model.controls = model.actuators.iter().map(|a| a.components).sum();
        Ok(model)
    }

    fn make_contact(&self) -> Result<ContactRules, ModelError> {
        let rules = &self.contact;
        for m in rules.materials.iter().chain([&rules.default]) {
            let sound =
                (0.0..=1.0).contains(&m.restitution) && m.friction >= 0.0 && m.friction.is_finite();
            if !sound {
                return Err(ModelError::Force {
                    what: "material",
                    name: m.name.clone(),
                    reason: format!(
                        "restitution {} must lie in [0, 1], friction {} must not be negative",
                        m.restitution, m.friction
                    ),
                });
            }
        }
        let known = |name: &Option<String>| {
            name.as_ref()
                .is_none_or(|n| rules.materials.iter().any(|m| m.name == *n))
        };
        for (what, name, material) in self
            .bodies
            .iter()
            .map(|b| ("body", &b.name, &b.material))
            .chain(rules.walls.iter().map(|w| ("wall", &w.name, &w.material)))
        {
            if !known(material) {
                return Err(ModelError::Force {
                    what,
                    name: name.clone(),
                    reason: format!(
                        "names the material \"{}\", which does not exist",
                        material.as_deref().unwrap_or("")
                    ),
                });
            }
        }
        for s in &rules.surfaces {
            let [a, b] = &s.materials;
            let fault = |reason: String| ModelError::Force {
                what: "surface",
                name: format!("{a}, {b}"),
                reason,
            };
            for name in [a, b] {
                if *name != rules.default.name && !known(&Some(name.clone())) {
                    return Err(fault(format!(
                        "names the material \"{name}\", which does not exist"
                    )));
                }
            }
            let sound = s.restitution.is_none_or(|e| (0.0..=1.0).contains(&e))
                && s.friction.is_none_or(|mu| mu >= 0.0 && mu.is_finite());
            if !sound {
                return Err(fault(
                    "restitution must lie in [0, 1], friction must not be negative".into(),
                ));
            }
        }
        Ok(rules.clone())
    }

    fn make_forces(&self, model: &Model) -> Result<Forces, ModelError> {
        let fault = |what, name: &str, reason: &str| ModelError::Force {
            what,
            name: name.into(),
            reason: reason.into(),
        };
        let mut forces = self.forces.clone();
        if !finite(&forces.gravity) {
            return Err(fault("force", "gravity", "must be finite"));
        }
        let point = |(body, drawn): &(Option<BodyId>, Vector3<f64>)| match body
            .map(|b| &model.bodies[b.index()])
        {
            None => Point {
                body: None,
                local: *drawn,
            },
            Some(b) if b.kind == BodyKind::Static => Point {
                body: None,
                local: b.start.point(&b.local(drawn)),
            },
            Some(b) => Point {
                body: *body,
                local: b.local(drawn),
            },
        };
        for (what, name, ends, law) in &self.pairs {
            let (a, b) = (point(&ends[0]), point(&ends[1]));
            let PairLaw::Spring {
                stiffness,
                rest_length,
            } = law
            else {
                continue;
            };
            if !(stiffness.is_finite()
                && rest_length.is_finite()
                && finite(&a.local)
                && finite(&b.local))
            {
                return Err(fault(
                    what,
                    name,
                    "stiffness, rest length and points must be finite",
                ));
            }
            if *stiffness < 0.0 || *rest_length < 0.0 {
                return Err(fault(
                    what,
                    name,
                    "stiffness and rest length must not be negative",
                ));
            }
            if a.body == b.body {
                return Err(fault(
                    what,
                    name,
                    "both ends are on the same body: name two different ones",
                ));
            }
            forces.pairs.push(PairPotential { a, b, law: *law });
        }
        for (name, ends, coefficient) in &self.dampers {
            let (a, b) = (point(&ends[0]), point(&ends[1]));
            if !(*coefficient >= 0.0
                && coefficient.is_finite()
                && finite(&a.local)
                && finite(&b.local))
            {
                return Err(fault(
                    "damper",
                    name,
                    "the coefficient must be finite and not negative",
                ));
            }
            if a.body == b.body {
                return Err(fault(
                    "damper",
                    name,
                    "both ends are on the same body: name two different ones",
                ));
            }
            forces.dampers.push(Damper {
                a,
                b,
                coefficient: *coefficient,
            });
        }
        for drag in &forces.drags {
            let body = &model.bodies[drag.body.index()];
            let sound = |c: f64| c >= 0.0 && c.is_finite();
            if !(sound(drag.linear) && sound(drag.angular)) || body.kind == BodyKind::Static {
                return Err(fault(
                    "drag",
                    &body.name,
                    "coefficients must be finite and not negative, on a body that moves",
                ));
            }
        }
        for (i, (name, body, drawn, charge)) in self.charges.iter().enumerate() {
            if !(finite(drawn) && charge.is_finite()) {
                return Err(fault("charge", name, "charge and point must be finite"));
            }
            for (_, other, other_drawn, other_charge) in &self.charges[..i] {
                let (a, b) = (
                    point(&(Some(*other), *other_drawn)),
                    point(&(Some(*body), *drawn)),
                );
                let strength = self.coulomb * charge * other_charge;
                if a.body != b.body && strength != 0.0 {
                    forces.pairs.push(PairPotential {
                        a,
                        b,
                        law: PairLaw::Coulomb { strength },
                    });
                }
            }
        }
        Ok(forces)
    }

    fn make_actuators(&self, model: &Model) -> Result<Vec<Actuator>, ModelError> {
        let mut first = 0;
        let mut out = Vec::new();
        for a in &self.actuators {
            let fault = |reason: String| ModelError::Force {
                what: "actuator",
                name: a.name.clone(),
                reason,
            };
            let mut a = a.clone();
            a.components = match &mut a.target {
                Target::Wrench { body, point, .. } => {
                    let b = &model.bodies[body.index()];
                    if b.kind == BodyKind::Static {
                        return Err(fault(format!("body \"{}\" never moves", b.name)));
                    }
                    *point = b.local(point);
                    6
                }
                Target::Joint { joint } => {
                    let known = model.joints.iter().find(|j| j.id == Some(*joint));
                    known.map(|j| j.kind.freedom(false)).ok_or_else(|| {
                        fault("drives a joint that closes a loop: drive one of the tree, or put a wrench on a body".into())
                    })?
                }
                Target::Coordinate {
                    linkage,
                    coordinate,
                } => {
                    let known = model
                        .linkages
                        .get(*linkage)
                        .and_then(|l| l.spec.coordinates.get(*coordinate));
                    known
                        .map(|_| 1)
                        .ok_or_else(|| fault("names a coordinate that does not exist".into()))?
                }
            };
            if !(a.bounds.is_empty() || a.bounds.len() == a.components) {
                return Err(fault(format!(
                    "{} bounds for {} components",
                    a.bounds.len(),
                    a.components
                )));
            }
            if a.bounds
                .iter()
                .any(|b| b[0].is_nan() || b[1].is_nan() || b[0] > b[1])
            {
                return Err(fault("bounds must rise".into()));
            }
            if a.bounds.is_empty() {
                a.bounds = vec![[f64::NEG_INFINITY, f64::INFINITY]; a.components];
            }
            if let Some(signals) = &a.signals {
                if signals.len() != a.components {
                    return Err(fault(format!(
                        "{} values for {} components",
                        signals.len(),
                        a.components
                    )));
                }
                for signal in signals {
                    check_signal(signal).map_err(&fault)?;
                }
            }
            a.first = first;
            first += a.components;
            out.push(a);
        }
        Ok(out)
    }
}
