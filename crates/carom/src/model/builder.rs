//! Builds and validates a [`Model`].

use std::collections::HashSet;
use std::sync::Arc;

use carom_gap::gap::HalfSpace;
use carom_gap::geometry::MassProperties;
use nalgebra::{Matrix3, Vector3};

use super::body::{Role, kind_of};
use super::tree::{self, Edge};
use super::{
    Actuator, ActuatorId, Body, BodyId, BodyKind, BodySpec, Combine, ContactRules, Damper, Drag,
    Forces, Frame, JointId, JointSpec, LinkKind, Linkage, LinkageSpec, Material, Model, ModelError,
    PairLaw, PairPotential, Point, Sample, Signal, Target, UserPotential, Wall,
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

    /// Material of everything that names none, and how two materials combine.
    pub fn contact_default(
        &mut self,
        restitution: f64,
        friction: f64,
        combine: Combine,
    ) -> &mut Self {
        self.contact.default = Material {
            name: "default".into(),
            restitution,
            friction,
        };
        self.contact.combine = combine;
        self
    }

    /// Two bodies that never collide.
    pub fn exclude(&mut self, a: BodyId, b: BodyId) -> &mut Self {
        self.contact.excluded.push([a, b]);
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

fn finite(v: &Vector3<f64>) -> bool {
    v.iter().all(|c| c.is_finite())
}

fn check_signal(signal: &Signal) -> Result<(), String> {
    match signal {
        Signal::Constant(v) if !v.is_finite() => Err("a value is not finite".into()),
        Signal::Table(rows) if rows.is_empty() => Err("a table needs at least one row".into()),
        Signal::Table(rows) if rows.iter().flatten().any(|v| !v.is_finite()) => {
            Err("a table holds a number that is not finite".into())
        }
        Signal::Table(rows) if rows.windows(2).any(|w| w[0][0] >= w[1][0]) => {
            Err("the times of a table must rise".into())
        }
        _ => Ok(()),
    }
}

fn make_body(spec: &BodySpec) -> Result<Body, ModelError> {
    let fault = |reason: String| ModelError::Body {
        body: spec.name.clone(),
        reason,
    };
    let q = spec.pose.to_q();
    if !(q.iter().all(|c| c.is_finite())
        && finite(&spec.velocity)
        && finite(&spec.angular_velocity))
    {
        return Err(fault(
            "position, rotation and velocities must be finite".into(),
        ));
    }
    let drift = spec.pose.directors.tr_mul(&spec.pose.directors) - Matrix3::identity();
    if drift.norm() > 1e-6 || spec.pose.directors.determinant() < 0.0 {
        return Err(fault(
            "its directors are not a rotation: they must be orthonormal and right-handed".into(),
        ));
    }
    if let Some(mass) = spec.mass.filter(|m| !(*m > 0.0 && m.is_finite())) {
        return Err(fault(format!("mass {mass} must be positive and finite")));
    }
    if !(spec.radius >= 0.0 && spec.radius.is_finite()) {
        return Err(fault(format!(
            "radius {} must be finite and not negative",
            spec.radius
        )));
    }
    // The body frame has its origin at the centre of mass.
    let drawn_center = match spec.shape.as_ref().and_then(|s| s.mass_properties()) {
        Some(m) if spec.role == Role::Rigid => m.center,
        _ => Vector3::zeros(),
    };
    let shape = match &spec.shape {
        Some(shape) if drawn_center != Vector3::zeros() => {
            Some(shape.recentred().map_err(|e| fault(e.to_string()))?)
        }
        other => other.clone(),
    };
    let kind = match spec.role {
        Role::Static => BodyKind::Static,
        Role::Particle => BodyKind::Particle {
            mass: spec
                .mass
                .ok_or_else(|| fault("a particle needs a mass".into()))?,
        },
        Role::Rigid => {
            let of_shape = shape.as_ref().and_then(|s| s.mass_properties());
            let given = match (spec.mass, spec.inertia, of_shape) {
                (Some(m), Some(j), _) => MassProperties::given(m, Vector3::zeros(), j)
                    .map_err(|e| fault(e.to_string()))?,
                (Some(m), None, Some(s)) => s.scaled(m / s.mass),
                (None, None, Some(s)) => *s,
                (None, Some(_), _) => {
                    return Err(fault("inertia is given without mass: give both".into()));
                }
                (_, None, None) => {
                    return Err(fault(
                        "a rigid body needs a shape with density, or mass and inertia".into(),
                    ));
                }
            };
            if !(given.mass > 0.0
                && given.mass.is_finite()
                && given.inertia.iter().all(|c| c.is_finite()))
            {
                return Err(fault(format!(
                    "mass {} and inertia must be positive and finite: check the density",
                    given.mass
                )));
            }
            if given.inertia.symmetric_eigenvalues().min() <= 0.0 {
                return Err(fault("its inertia must be positive about every axis; for a point mass use a particle".into()));
            }
            kind_of(&given)
        }
    };
    Ok(Body {
        name: spec.name.clone(),
        kind,
        shape,
        radius: spec.radius,
        start: spec.pose,
        velocity: spec.velocity,
        angular_velocity: spec.angular_velocity,
        material: spec.material.clone(),
        drawn_center,
    })
}

fn check_linkage(spec: &LinkageSpec) -> Result<(), ModelError> {
    let fault = |reason: String| ModelError::Linkage {
        linkage: spec.name.clone(),
        reason,
    };
    if spec.coordinates.is_empty() || spec.links.is_empty() {
        return Err(fault("needs at least one coordinate and one link".into()));
    }
    let [e1, e2] = &spec.plane;
    let orthonormal =
        (e1.norm() - 1.0).abs() < 1e-9 && (e2.norm() - 1.0).abs() < 1e-9 && e1.dot(e2).abs() < 1e-9;
    if !(orthonormal && finite(&spec.origin)) {
        return Err(fault(
            "the plane needs two perpendicular unit vectors and a finite origin".into(),
        ));
    }
    for c in &spec.coordinates {
        if !(c.start.is_finite() && c.rate.is_finite()) {
            return Err(fault(format!(
                "coordinate \"{}\" must start at finite values",
                c.name
            )));
        }
        if let Some([low, high]) = c
            .limits
            .filter(|l| l[0].is_nan() || l[1].is_nan() || l[0] >= l[1])
        {
            return Err(fault(format!(
                "limits [{low}, {high}] of coordinate \"{}\" must rise",
                c.name
            )));
        }
    }
    for (k, link) in spec.links.iter().enumerate() {
        if link.parent.is_some_and(|p| p >= k) {
            return Err(fault(format!(
                "link \"{}\" must come after its parent",
                link.name
            )));
        }
        if link.coordinate >= spec.coordinates.len() {
            return Err(fault(format!(
                "link \"{}\" names a coordinate that does not exist",
                link.name
            )));
        }
        if !(link.mass >= 0.0 && link.mass.is_finite()) {
            return Err(fault(format!(
                "the mass of link \"{}\" must be finite and not negative",
                link.name
            )));
        }
        let sound = match &link.kind {
            LinkKind::Slide { direction: [x, y] } => {
                x.is_finite() && y.is_finite() && (*x != 0.0 || *y != 0.0)
            }
            LinkKind::Arm { length, offset, .. } => {
                *length > 0.0 && length.is_finite() && offset.is_finite()
            }
        };
        if !sound {
            return Err(fault(format!(
                "link \"{}\" needs a direction that is not zero, or a positive length",
                link.name
            )));
        }
    }
    Ok(())
}
