//! Builds and validates a [`Model`].

mod actuators;
mod bodies;
mod contact;
mod departure;
mod forces;
mod joint_laws;
mod linkages;
mod loop_rates;
mod planes;
mod solids;
mod tree;

use std::collections::HashSet;
use std::sync::Arc;

use carom_gap::gap::HalfSpace;
use nalgebra::Vector3;

use super::{
    Actuator, ActuatorId, Belt, Body, BodyId, BodyKind, BodySpec, Combine, ContactRules, Drag,
    Field, Forces, Frame, Grain, JointId, JointPhysics, JointSpec, Linkage, LinkageSpec, Material,
    Model, ModelError, PairLaw, Party, Sample, Signal, SolidSpec, Surface, Target, UserPotential,
    Wall,
};
use tree::Edge;

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
    solids: Vec<SolidSpec>,
    node_loads: Vec<NodeLoad>,
    solenoids: Vec<SolenoidSpec>,
    fields: Vec<Field>,
    coordinate_physics: Vec<(usize, usize, JointPhysics)>,
    /// A joint, the one it follows, the ratio.
    couplings: Vec<(JointId, JointId, f64)>,
}

/// Name, mounts, strength and unit of two solenoids.
type SolenoidSpec = (String, [MagnetSeat; 2], f64, f64);

/// A body, and centre, axis and normal of a magnet in the frame its shape was drawn in.
pub type MagnetSeat = (BodyId, Vector3<f64>, Vector3<f64>, Vector3<f64>);

/// A load on nodes.
#[derive(Clone, Debug)]
struct NodeLoad {
    name: String,
    solid: usize,
    nodes: Vec<usize>,
    force: [Signal; 3],
    sample: Sample,
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

    /// Adds an elastic body; returns its index among [`Model::solids`].
    pub fn solid(&mut self, spec: SolidSpec) -> usize {
        self.names.push(("body", spec.name.clone()));
        self.solids.push(spec);
        self.solids.len() - 1
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

    /// What acts along a coordinate of a linkage.
    pub fn coordinate_physics(
        &mut self,
        linkage: usize,
        coordinate: usize,
        physics: JointPhysics,
    ) -> &mut Self {
        self.coordinate_physics.push((linkage, coordinate, physics));
        self
    }

    /// Lets a joint follow another: θ = ratio · θ of the other, both counted from the start (gears; a
    /// rack and its pinion, in m/rad).
    pub fn couple(&mut self, joint: JointId, to: JointId, ratio: f64) -> &mut Self {
        self.couplings.push((joint, to, ratio));
        self
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

    /// Two solenoids, each in a body: centre, axis and a normal of the plane they act in, in the frame
    /// the body's shape was drawn in. `strength` is a factor of the fitted formula, `unit` the length
    /// of its unit of distance in m.
    pub fn solenoids(
        &mut self,
        name: impl Into<String>,
        mounts: [MagnetSeat; 2],
        strength: f64,
        unit: f64,
    ) -> &mut Self {
        self.solenoids.push((name.into(), mounts, strength, unit));
        self
    }

    /// A field from a table; its point is in the frame the body's shape was drawn in.
    pub fn field(&mut self, field: Field) -> &mut Self {
        self.fields.push(field);
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

    /// A force on a body along one direction (`unit[0]`), with a torque (`unit[1]`) that goes with it: a thruster, a
    /// rotor; or a torque alone. One component, which multiplies both. `point` is in the frame the body's shape was
    /// drawn in.
    ///
    /// ```
    /// # use carom::prelude::*;
    /// # use carom::model::Frame;
    /// let mut builder = ModelBuilder::new();
    /// let cube = Shape::single(Polytope::cuboid(0.4, 0.4, 0.1)?, 100.0)?;
    /// let body = builder.body(BodySpec::rigid("drone").shape(cube));
    /// // A rotor that pushes up to 5 N upwards and is turned back by 0.02 N m for each.
    /// let unit = [Vector3::z(), 0.02 * Vector3::z()];
    /// builder.along("rotor", body, Vector3::new(0.4, 0.0, 0.0), Frame::Body, unit, vec![[0.0, 5.0]]);
    /// assert_eq!(builder.build()?.actuators()[0].components(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn along(
        &mut self,
        name: impl Into<String>,
        body: BodyId,
        point: Vector3<f64>,
        frame: Frame,
        unit: [Vector3<f64>; 2],
        bounds: Vec<[f64; 2]>,
    ) -> ActuatorId {
        let target = Target::Along {
            body,
            point,
            frame,
            unit,
        };
        self.actuator(name.into(), target, bounds)
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
            belt: None,
        });
        self
    }

    /// Friction of what sticks, for what has no material.
    pub fn contact_static(&mut self, friction: Option<f64>) -> &mut Self {
        self.contact.default.static_friction = friction;
        self
    }

    /// Grain of everything that names no material.
    pub fn contact_grain(&mut self, grain: Option<Grain>) -> &mut Self {
        self.contact.default.grain = grain;
        self
    }

    /// Lets the surface of the wall added last move.
    pub fn wall_belt(&mut self, belt: Belt) -> &mut Self {
        if let Some(wall) = self.contact.walls.last_mut() {
            wall.belt = Some(belt);
        }
        self
    }

    /// Rolling and torsional friction of everything that names no material, in m.
    pub fn contact_turning(&mut self, rolling: f64, torsional: f64) -> &mut Self {
        (self.contact.default.rolling, self.contact.default.torsional) = (rolling, torsional);
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
            ..Material::elastic("default")
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

    /// Two bodies that never collide, one of them elastic.
    pub fn exclude_solid(&mut self, a: Party, b: Party) -> &mut Self {
        self.contact.excluded_solids.push([a, b]);
        self
    }

    /// A load spread over nodes of an elastic body: force in world axes, by the area of the surface
    /// around each node (by mass inside the body).
    pub fn load_nodes(
        &mut self,
        name: impl Into<String>,
        solid: usize,
        nodes: Vec<usize>,
        force: [Signal; 3],
        sample: Sample,
    ) -> &mut Self {
        self.node_loads.push(NodeLoad {
            name: name.into(),
            solid,
            nodes,
            force,
            sample,
        });
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
        let mut bodies = self
            .bodies
            .iter()
            .map(bodies::make_body)
            .collect::<Result<Vec<_>, _>>()?;
        let solids = self.make_solids(&mut bodies)?;
        let mut edges = self.edges.clone();
        planes::add_planes(&self.bodies, &mut edges);
        let (joints, closures) = tree::grow(&bodies, &edges)?;
        let mut says: Vec<bool> = self.bodies.iter().map(|b| b.says_velocity).collect();
        says.resize(bodies.len(), true);
        departure::set_out(&mut bodies, &self.edges, &says)?;
        let mut contact = self.make_contact()?;
        contact.fastened = tree::fastened(&bodies, &edges);
        exclude_sensors(&bodies, solids.len(), &mut contact);
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
        let mut place_of_joint = vec![usize::MAX; self.edges.len()];
        for (j, joint) in joints.iter().enumerate() {
            if let Some(id) = joint.id {
                place_of_joint[id.index()] = j;
            }
        }
        let mut linkages = Vec::new();
        let mut coordinates = 0;
        for spec in &self.linkages {
            linkages::check_linkage(spec)?;
            linkages.push(Linkage::new(spec.clone(), coordinates));
            coordinates += spec.coordinates.len();
        }
        let mut model = Model {
            bodies,
            joints,
            place_of_joint,
            offsets,
            closures,
            linkages,
            joint_laws: Vec::new(),
            couplings: Vec::new(),
            forces: Forces::default(),
            actuators: Vec::new(),
            contact,
            tree_freedom,
            coordinates,
            controls: 0,
        };
        self.add_joint_laws(&mut model)?;
        model.forces = self.make_forces(&model)?;
        for solid in &solids {
            let drag = solid.damping.mass;
            let nodes = solid.particles.clone().filter(|_| drag > 0.0);
            model.forces.drags.extend(nodes.map(|k| Drag {
                body: BodyId(k as u32),
                linear: drag * model.bodies[k].mass(),
                angular: 0.0,
            }));
        }
        model.forces.solids = solids;
        model.actuators = self.make_actuators(&model)?;
        self.add_node_loads(&mut model);
        model.controls = model.actuators.iter().map(|a| a.components).sum();
        Ok(model)
    }
}

/// Sensors touch nothing.
fn exclude_sensors(bodies: &[Body], solids: usize, contact: &mut ContactRules) {
    let ids = || (0..bodies.len()).map(|k| BodyId(k as u32));
    for sensor in ids().filter(|b| bodies[b.index()].sensor) {
        let others = ids().filter(|b| !bodies[b.index()].sensor);
        contact.excluded.extend(others.map(|b| [b, sensor]));
        let solids = (0..solids).map(|s| [Party::Body(sensor), Party::Solid(s)]);
        contact.excluded_solids.extend(solids);
    }
}

/// Whether all components are.
fn finite(v: &Vector3<f64>) -> bool {
    v.iter().all(|c| c.is_finite())
}
