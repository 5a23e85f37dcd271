//! From [`Scenario`] to the model, with the builder's complaints put at their place in the file.

use nalgebra::Vector3;

use super::error::{Fault, ScenarioError};
use super::joints::End;
use super::sections::place_of;
use super::{Force, HeldBy, Scenario, Target, Thing};
use crate::model::{
    BodyId, BodySpec, Drag, Field, JointId, Model, ModelBuilder, ModelError, Party,
};
use crate::simulate::SimulateError;

impl Scenario {
    /// Makes the model.
    pub fn build(&self) -> Result<Model, ScenarioError> {
        let plans = self.optimise.is_some();
        if plans {
            self.check_linkages()?;
        }
        let mut model = (self.builder().build()).map_err(|error| self.model_error(&error))?;
        if plans {
            self.set_link_masses(&mut model);
        }
        self.check_surfaces(&model)?;
        Ok(model)
    }

    fn builder(&self) -> ModelBuilder {
        let mut builder = ModelBuilder::new();
        builder.gravity(self.constants.gravity);
        builder.coulomb(self.constants.coulomb);
        let ids: Vec<BodyId> = (self.bodies.iter())
            .map(|body| builder.body(body.spec.clone()))
            .collect();
        for (k, entry) in self.solids.iter().enumerate() {
            let mut spec = entry.spec.clone();
            for set in self.node_sets.iter().filter(|set| set.solid == k) {
                spec = spec.name_nodes(&set.name, &set.nodes);
                spec = match &set.held {
                    HeldBy::Nothing => spec,
                    HeldBy::World => spec.hold(&set.nodes),
                    HeldBy::Body(body) => spec.glue(&set.nodes, ids[*body]),
                    HeldBy::Motion(motion, middle) => {
                        let carrier = BodySpec::fixed(&set.name).position(*middle);
                        let carrier = builder.body(carrier.motion(motion.clone()));
                        spec.glue(&set.nodes, carrier)
                    }
                };
            }
            builder.solid(spec);
        }
        let id = |body: Option<usize>| body.map(|b| ids[b]);
        let joints: Vec<_> = (self.joints.iter())
            .map(|joint| {
                builder.joint(joint.spec.clone(), id(joint.bodies[0]), id(joint.bodies[1]))
            })
            .collect();
        // Plans know bodies and joints.
        let mut coordinate_joints = Vec::new();
        if self.optimise.is_some() {
            coordinate_joints = self.add_linkages(&mut builder);
        } else {
            for linkage in &self.linkages {
                builder.linkage(linkage.clone());
            }
            for (linkage, coordinate, physics) in &self.coordinate_physics {
                builder.coordinate_physics(*linkage, *coordinate, physics.clone());
            }
        }
        let joint_of = |linkage: usize, coordinate: usize| {
            let joints: Option<&Vec<Option<JointId>>> = coordinate_joints.get(linkage);
            joints.and_then(|l| l[coordinate])
        };
        for (k, joint) in self.joints.iter().enumerate() {
            if let Some(couple) = &joint.couple {
                builder.couple(joints[k], joints[couple.index], couple.ratio);
            }
        }
        self.contact_rules(&mut builder, &ids);
        let end = |end: &End| (id(end.body), end.point);
        for entry in &self.forces {
            let name = &entry.name;
            match &entry.force {
                Force::Spring {
                    ends,
                    stiffness,
                    rest_length,
                } => {
                    let start = (self.world(&ends[0]) - self.world(&ends[1])).norm();
                    let rest = rest_length.unwrap_or(start);
                    builder.spring(name, end(&ends[0]), end(&ends[1]), *stiffness, rest);
                }
                Force::Damper { ends, coefficient } => {
                    builder.damper(name, end(&ends[0]), end(&ends[1]), *coefficient);
                }
                Force::Drag {
                    body,
                    linear,
                    angular,
                } => {
                    builder.drag(Drag {
                        body: ids[*body],
                        linear: *linear,
                        angular: *angular,
                    });
                }
                Force::Solenoids {
                    seats,
                    strength,
                    unit,
                } => {
                    let mounts =
                        seats.map(|(b, point, axis, normal)| (ids[b], point, axis, normal));
                    builder.solenoids(name, mounts, *strength, *unit);
                }
                Force::Field { at, grid, values } => {
                    if let Some(body) = id(at.body) {
                        builder.field(Field {
                            name: name.clone(),
                            body,
                            local: at.point,
                            grid: grid.clone(),
                            values: values.clone(),
                        });
                    }
                }
                Force::Charge { at, charge } => {
                    if let Some(body) = id(at.body) {
                        builder.charge(name, body, at.point, *charge);
                    }
                }
            }
        }
        for entry in &self.actuators {
            let bounds = entry.bounds.clone();
            let actuator = match &entry.target {
                Target::Nodes { set } => {
                    let set = &self.node_sets[*set];
                    if let Some([x, y, z, ..]) = entry.signals.as_deref() {
                        let force = [x.clone(), y.clone(), z.clone()];
                        let nodes = set.nodes.clone();
                        builder.load_nodes(&entry.name, set.solid, nodes, force, entry.sample);
                    }
                    continue;
                }
                Target::Wrench { body, point, frame } => {
                    builder.wrench(&entry.name, ids[*body], *point, *frame, bounds)
                }
                Target::Along {
                    body,
                    point,
                    frame,
                    unit,
                } => builder.along(&entry.name, ids[*body], *point, *frame, *unit, bounds),
                Target::Joint { joint } => builder.drive(&entry.name, joints[*joint], bounds),
                Target::Coordinate {
                    linkage,
                    coordinate,
                } => match joint_of(*linkage, *coordinate) {
                    Some(joint) => builder.drive(&entry.name, joint, bounds),
                    None => builder.push(&entry.name, *linkage, *coordinate, bounds),
                },
            };
            if let Some(signals) = &entry.signals {
                builder.prescribe(actuator, signals.clone(), entry.sample);
            }
        }
        builder
    }

    /// Half-spaces, materials and what does not collide.
    fn contact_rules(&self, builder: &mut ModelBuilder, ids: &[BodyId]) {
        let contact = &self.contact;
        let default = &contact.default;
        builder.contact_default(default.restitution, default.friction);
        builder.contact_turning(default.rolling, default.torsional);
        builder.contact_static(default.static_friction);
        builder.contact_grain(default.grain);
        builder.combine(contact.combine_restitution, contact.combine_friction);
        for material in &contact.materials {
            builder.material(material.clone());
        }
        for entry in &contact.surfaces {
            builder.surface(entry.surface.clone());
        }
        for wall in &self.half_spaces {
            builder.wall(&wall.name, wall.solid, wall.material.clone());
            if let Some(belt) = wall.belt {
                builder.wall_belt(belt);
            }
        }
        for [a, b] in &contact.exclude {
            builder.exclude(ids[*a], ids[*b]);
        }
        let party = |thing: &Thing| match thing {
            Thing::Body(b) => Party::Body(ids[*b]),
            Thing::Solid(s) => Party::Solid(*s),
            Thing::HalfSpace(w) => Party::Wall(*w),
        };
        for [a, b] in &contact.exclude_solids {
            builder.exclude_solid(party(a), party(b));
        }
        for [body, wall] in &contact.exclude_walls {
            builder.exclude_wall(ids[*body], *wall);
        }
    }

    /// Where an end is at the start.
    fn world(&self, end: &End) -> Vector3<f64> {
        match end.body {
            None => end.point,
            Some(body) => {
                let entry = &self.bodies[body];
                entry.spec.start().point(&(end.point - entry.center))
            }
        }
    }

    /// The builder's complaint, at the section it is about.
    fn model_error(&self, error: &ModelError) -> ScenarioError {
        let (sections, name): (&[&str], &str) = match error {
            ModelError::Duplicate { what, name } => (sections(what), name),
            ModelError::Body { body, .. } => (&["body", "group", "nodes"], body),
            ModelError::Joint { joint, .. } => (&["joint", "rod"], joint),
            ModelError::Linkage { linkage, .. } => (&["linkage"], linkage),
            // The builder names a surface by its materials.
            ModelError::Force { what, name, .. } => match name.split_once(", ") {
                Some((a, b)) if *what == "surface" => {
                    let entry = self.surface_of(a, b);
                    (&["surface"], entry.map_or(name, |entry| &entry.name))
                }
                _ => (sections(what), name),
            },
            ModelError::Empty => (&[], ""),
        };
        let found = (sections.iter())
            .find_map(|section| Some((section, place_of(&self.root, section, name)?)));
        let text = error.to_string();
        let (message, fix) = match error {
            // The whole message names the culprit, which the field says already.
            ModelError::Body { reason, fix, .. }
            | ModelError::Joint { reason, fix, .. }
            | ModelError::Linkage { reason, fix, .. }
            | ModelError::Force { reason, fix, .. }
                if found.is_some() =>
            {
                (reason.as_str(), fix.as_str())
            }
            _ => (text.split_once(": ")).unwrap_or((&text, "change this section")),
        };
        let fault = Fault {
            place: found.map(|(_, place)| place),
            field: found.map_or(String::new(), |(section, _)| format!("{section}.{name}")),
            message: message.into(),
            fix: fix.into(),
        };
        ScenarioError::new(&self.file, &self.sources, vec![fault])
    }
}

impl Scenario {
    /// The simulator's complaint about the start or the settings, at its place in the file.
    pub fn place(&self, error: &SimulateError) -> ScenarioError {
        let (field, place) = match error {
            SimulateError::Velocity { body, .. } | SimulateError::TurnsTooFar { body, .. } => {
                let place = ["body", "group"]
                    .iter()
                    .find_map(|s| place_of(&self.root, s, body));
                (format!("body.{body}"), place)
            }
            _ => {
                let place = (self.root.get("simulate").or(self.root.get("optimise")))
                    .map(|entry| entry.key);
                ("simulate".into(), place)
            }
        };
        let fault = Fault {
            place,
            field,
            message: error.reason(),
            fix: error.fix().into_owned(),
        };
        ScenarioError::new(&self.file, &self.sources, vec![fault])
    }
}

/// Sections that hold what the builder calls `what`.
fn sections(what: &str) -> &'static [&'static str] {
    match what {
        "body" => &["body", "group"],
        "joint" => &["joint", "rod"],
        "linkage" => &["linkage"],
        "spring" => &["spring"],
        "damper" => &["damper"],
        "drag" => &["drag"],
        "charge" => &["charge", "magnet"],
        "solenoid" => &["solenoid"],
        "field" => &["field"],
        "wall" => &["halfspace"],
        "material" => &["material"],
        _ => &["actuator", "load", "controller"],
    }
}
