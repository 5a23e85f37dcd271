//! Linkages in plans: links as bodies, coordinates as joints.
//!
//! Plans live on charts of joints. A slide is a prismatic joint and an arm a revolute one, each with the point
//! mass of its link at the end of it; the joint `LINKAGE.COORDINATE` is counted from the coordinate's start.

use carom_engine::inner;
use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use super::Scenario;
use super::error::{Fault, ScenarioError};
use super::sections::place_of;
use crate::mechanics::exp_minus_identity;
use crate::model::{
    BodyId, BodyKind, BodySpec, JointId, JointPhysics, JointSpec, LinkKind, LinkageSpec, Model,
    ModelBuilder, Signal,
};

/// Where the end of a link is at the start and how it moves.
#[derive(Clone, Copy)]
struct LinkEnd {
    at: Vector3<f64>,
    velocity: Vector3<f64>,
    /// Angle of the arm from the first axis of the plane, and its rate; none of slides on the ground.
    turn: Option<[f64; 2]>,
}

/// Ends of all links at the start.
fn ends(spec: &LinkageSpec) -> Vec<LinkEnd> {
    let [e1, e2] = &spec.plane;
    let mut out: Vec<LinkEnd> = Vec::new();
    for link in &spec.links {
        let c = &spec.coordinates[link.coordinate];
        let mut end = link.parent.map_or(
            LinkEnd {
                at: spec.origin,
                velocity: Vector3::zeros(),
                turn: None,
            },
            |p| out[p],
        );
        match &link.kind {
            LinkKind::Slide { direction } => {
                let along = (e1 * direction[0] + e2 * direction[1]).normalize();
                end.at += along * c.start;
                end.velocity += along * c.rate;
            }
            LinkKind::Arm {
                length,
                offset,
                relative,
            } => {
                let [below, rate] = end.turn.filter(|_| *relative).unwrap_or([0.0; 2]);
                let (angle, rate) = (below + offset + c.start, rate + c.rate);
                end.at += (e1 * angle.cos() + e2 * angle.sin()) * *length;
                end.velocity += (e2 * angle.cos() - e1 * angle.sin()) * (*length * rate);
                end.turn = Some([angle, rate]);
            }
        }
        out.push(end);
    }
    out
}

/// What acts along a coordinate, counted from its start.
fn from_start(physics: &JointPhysics, start: f64) -> JointPhysics {
    let mut out = physics.clone();
    if let Some(spring) = &mut out.spring {
        spring.rest -= start;
    }
    if let Some(servo) = &mut out.servo
        && let Some(Signal::Constant(target)) = &mut servo.position
    {
        *target -= start;
    }
    out
}

impl Scenario {
    /// Complains of linkages that are no chain of joints.
    pub(super) fn check_linkages(&self) -> Result<(), ScenarioError> {
        for (l, spec) in self.linkages.iter().enumerate() {
            let wrong = |message: String, fix: &str| {
                let place = place_of(&self.root, "linkage", &spec.name);
                let fault = Fault {
                    place,
                    field: format!("linkage.{}", spec.name),
                    message,
                    fix: fix.into(),
                };
                Err(ScenarioError::new(&self.file, &self.sources, vec![fault]))
            };
            let is_arm = |k: usize| matches!(spec.links[k].kind, LinkKind::Arm { .. });
            // Whether a link stands on an arm, directly or through slides.
            let on_arm = |mut k: usize| {
                while let Some(p) = spec.links[k].parent {
                    if is_arm(p) {
                        return true;
                    }
                    k = p;
                }
                false
            };
            for (k, link) in spec.links.iter().enumerate() {
                let name = &link.name;
                let before = spec.links[..k].iter();
                if before.clone().any(|o| o.coordinate == link.coordinate) {
                    return wrong(
                        format!("in a plan two links cannot follow one coordinate, as {name} does"),
                        "give each link a coordinate of its own",
                    );
                }
                let turns_with = matches!(link.kind, LinkKind::Arm { relative: true, .. });
                if on_arm(k) && !turns_with {
                    return match is_arm(k) {
                        true => wrong(
                            format!(
                                "in a plan the arm {name} must count its angle from the arm it stands on"
                            ),
                            "write relative = true, and start and goal accordingly",
                        ),
                        false => wrong(
                            format!("in a plan the slide {name} cannot stand on an arm"),
                            "model it by bodies and joints",
                        ),
                    };
                }
                let physics = self.coordinate_physics.iter();
                let mut own = physics.filter(|(i, c, _)| *i == l && *c == link.coordinate);
                let timed = own.any(|(_, _, p)| {
                    let target = p.servo.as_ref().and_then(|s| s.position.as_ref());
                    target.is_some_and(|t| !matches!(t, Signal::Constant(_)))
                });
                if timed && spec.coordinates[link.coordinate].start != 0.0 {
                    return wrong(
                        format!(
                            "in a plan the servo of {name} follows a target over time from a start other than 0"
                        ),
                        "let the coordinate start at 0",
                    );
                }
            }
        }
        Ok(())
    }

    /// Adds linkages as bodies and joints; the joints of their coordinates.
    pub(super) fn add_linkages(&self, builder: &mut ModelBuilder) -> Vec<Vec<Option<JointId>>> {
        let mut out = Vec::new();
        for (l, spec) in self.linkages.iter().enumerate() {
            let [e1, e2] = &spec.plane;
            let normal = e1.cross(e2);
            let ends = ends(spec);
            let mut joints = vec![None; spec.coordinates.len()];
            let mut bodies: Vec<BodyId> = Vec::new();
            for (link, end) in spec.links.iter().zip(&ends) {
                let [angle, rate] = end.turn.unwrap_or([0.0; 2]);
                let pose = Pose {
                    position: end.at,
                    directors: exp_minus_identity(&(normal * angle)) + Matrix3::identity(),
                };
                // Its mass is set once the model is built: point masses have no inertia of their own.
                let body = BodySpec::rigid(format!("{}.{}", spec.name, link.name))
                    .mass(1.0)
                    .inertia(Matrix3::identity())
                    .pose(pose)
                    .velocity(end.velocity)
                    .angular_velocity(normal * rate);
                let body = builder.body(body);
                let parent = link.parent.map(|p| bodies[p]);
                let below = link.parent.map_or(spec.origin, |p| ends[p].at);
                bodies.push(body);
                let c = &spec.coordinates[link.coordinate];
                let name = format!("{}.{}", spec.name, c.name);
                let mut joint = match &link.kind {
                    LinkKind::Slide { direction } => {
                        JointSpec::prismatic(name, e1 * direction[0] + e2 * direction[1]).at(end.at)
                    }
                    LinkKind::Arm { .. } => JointSpec::revolute(name, normal).at(below),
                };
                if let Some([low, high]) = c.limits {
                    joint = joint.limits(low - c.start, high - c.start);
                }
                let physics = self.coordinate_physics.iter();
                let own = physics.filter(|(i, k, _)| *i == l && *k == link.coordinate);
                for (_, _, physics) in own {
                    joint = joint.physics(from_start(physics, c.start));
                }
                joints[link.coordinate] = Some(builder.joint(joint, parent, Some(body)));
            }
            out.push(joints);
        }
        out
    }

    /// Sets the point masses of links that were added as bodies.
    pub(super) fn set_link_masses(&self, model: &mut Model) {
        for spec in &self.linkages {
            for link in &spec.links {
                let name = format!("{}.{}", spec.name, link.name);
                if let Some(body) = model.find_body(&name) {
                    let kind = BodyKind::Rigid {
                        mass: link.mass,
                        euler_tensor: Matrix3::zeros(),
                    };
                    inner::set_kind(model, body, kind);
                }
            }
        }
    }

    /// The joint of a coordinate `LINKAGE.COORDINATE` in a plan, and the coordinate's start.
    pub(super) fn linkage_joint(&self, model: &Model, name: &str) -> Option<(JointId, f64)> {
        let (linkage, coordinate) = name.split_once('.')?;
        let spec = self.linkages.iter().find(|l| l.name == linkage)?;
        let c = spec.coordinates.iter().find(|c| c.name == coordinate)?;
        let joint = model.joints().iter().find(|j| j.name == name)?;
        Some((inner::handle(joint)?, c.start))
    }
}
