//! `[joint.NAME]` and `[rod.NAME]`, and how ends of joints, rods and springs are named.

use nalgebra::Vector3;

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::joint_physics;
use super::scope::Scope;
use super::sections::repeated;
use super::tree::{Table, Value};
use super::{BodyEntry, JointEntry, SolidEntry};
use crate::model::{JointKind, JointSpec};

/// A point of a body, or of the world (no body), in the frame the body's shape is drawn in.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Position of the body among the scenario's.
    pub body: Option<usize>,
    /// The point.
    pub point: Vector3<f64>,
}

/// The bodies by name.
pub(crate) struct Names<'a> {
    bodies: &'a [BodyEntry],
    solids: &'a [SolidEntry],
    index: std::collections::HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    pub fn new(bodies: &'a [BodyEntry], solids: &'a [SolidEntry]) -> Self {
        let index = bodies.iter().enumerate().map(|(k, b)| (b.name.as_str(), k));
        Self {
            bodies,
            solids,
            index: index.collect(),
        }
    }

    /// A body by the name that `item` holds.
    pub fn body(&self, item: &Item) -> Read<usize> {
        let name = item.reference()?;
        self.index.get(name.as_str()).copied().ok_or_else(|| {
            if self.solids.iter().any(|s| s.name == name) {
                return item.fault(
                    format!("`{name}` is elastic"),
                    "name a rigid body here, and glue nodes of the elastic one to it: [nodes.NAME] with glue = \"…\" (loads act on nodes = \"NAME\", too)",
                );
            }
            let known = self.bodies.iter().map(|b| b.name.as_str());
            item.fault(
                format!("there is no body `{name}`"),
                suggestion(&name, known),
            )
        })
    }

    /// A body by its name alone.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// What to write in place of a name that does not exist.
    pub fn suggest(&self, name: &str) -> String {
        suggestion(name, self.bodies.iter().map(|b| b.name.as_str()))
    }

    /// A body, or `"world"`.
    fn body_or_world(&self, item: &Item) -> Read<Option<usize>> {
        match item.text()? {
            "world" => Ok(None),
            _ => self.body(item).map(Some),
        }
    }

    /// `"name"` (its centre), `{ body = "name", point = […] }`, or a point of the world.
    pub fn end(&self, item: &Item) -> Read<End> {
        match &item.node.value {
            Value::List(_) => Ok(End {
                body: None,
                point: item.vector()?,
            }),
            Value::Table(_) => {
                let fields = item.fields()?;
                let body = fields.need("body", "name a body")?;
                let body = self.body_or_world(&body)?;
                let point = fields.need("point", "give a point of the body")?.vector()?;
                fields.finish()?;
                Ok(End { body, point })
            }
            _ => {
                let body = self.body_or_world(item)?;
                if body.is_none() {
                    return Err(item.fault(
                        "where in the world?",
                        "write the point itself, [x, y, z], in place of \"world\"",
                    ));
                }
                Ok(End {
                    body,
                    point: body.map_or(Vector3::zeros(), |b| self.bodies[b].center),
                })
            }
        }
    }

    /// The centre of mass of a body in the frame its shape is drawn in.
    pub fn center(&self, body: usize) -> Vector3<f64> {
        self.bodies[body].center
    }

    /// Two ends under `between`.
    pub fn ends(&self, fields: &Fields) -> Read<[End; 2]> {
        let item = fields.need("between", BETWEEN)?;
        let ends = pair(&item)?;
        let (a, b) = (self.end(&ends[0])?, self.end(&ends[1])?);
        if a.body == b.body {
            return Err(item.fault(
                "both ends are on the same body",
                "name two different bodies",
            ));
        }
        Ok([a, b])
    }
}

const BETWEEN: &str = "name the two ends: between = [\"a\", \"b\"]";

fn pair<'a>(item: &Item<'a>) -> Read<[Item<'a>; 2]> {
    let items = item.list()?;
    let count = items.len();
    <[Item; 2]>::try_from(items).map_err(|_| item.fault(format!("has {count} entries"), BETWEEN))
}

const KINDS: [(&str, JointKind); 7] = [
    ("free", JointKind::Free),
    ("revolute", JointKind::Revolute),
    ("prismatic", JointKind::Prismatic),
    ("cylindrical", JointKind::Cylindrical),
    ("spherical", JointKind::Spherical),
    ("planar", JointKind::Planar),
    ("fixed", JointKind::Fixed),
];

/// Joints and rods.
pub(crate) fn read(
    root: &Table,
    scope: &Scope,
    names: &Names,
    faults: &mut Vec<Fault>,
) -> Vec<JointEntry> {
    let mut joints = repeated(root, "joint", scope, faults, |name, f| {
        joint(name, f, names)
    });
    joints.extend(repeated(root, "rod", scope, faults, |name, f| {
        rod(name, f, names)
    }));
    joint_physics::resolve(&mut joints, faults);
    joints
}

fn joint(name: &str, fields: &Fields, names: &Names) -> Read<JointEntry> {
    let kinds = "choose kind = free, revolute, prismatic, cylindrical, spherical, planar or fixed";
    let kind = fields.need("kind", kinds)?.choice(&KINDS)?;
    let item = fields.need("between", BETWEEN)?;
    let ends = pair(&item)?;
    let bodies = [
        names.body_or_world(&ends[0])?,
        names.body_or_world(&ends[1])?,
    ];
    if bodies[0] == bodies[1] {
        return Err(item.fault(
            "both ends are the same",
            "name two different bodies, or \"world\"",
        ));
    }
    let wants_axis = matches!(
        kind,
        JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical | JointKind::Planar
    );
    let axis = match wants_axis {
        true => fields
            .need("axis", "give its direction at the start: axis = [0, 1, 0]")?
            .direction()?,
        false => Vector3::z(),
    };
    let mut spec = JointSpec::new(name, kind, axis);
    match fields.one_of(&["at", "anchors"])? {
        Some(("at", item)) => spec = spec.at(item.vector()?),
        Some((_, item)) => {
            let points = pair(&item)?;
            spec = spec.anchors(points[0].vector()?, points[1].vector()?);
        }
        None => {}
    }
    if let Some((key, item)) = fields.one_of(&["limits", "limits_deg"])? {
        let [low, high] = item.range()?;
        let unit = unit(key, &item, kind, "write limits in metres")?;
        spec = spec.limits(low * unit, high * unit);
    }
    if let Some((key, item)) = fields.one_of(&["rate", "rate_deg"])? {
        if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
            return Err(item.fault(
                "is that of a joint with several coordinates, or none",
                "give velocities to its bodies, or rates to revolute and prismatic joints",
            ));
        }
        let unit = unit(key, &item, kind, "write rate in m/s")?;
        spec = spec.rate(item.number()? * unit);
    }
    if let Some(item) = fields.get("collide")
        && item.boolean()?
    {
        spec = spec.collide();
    }
    spec = spec.physics(joint_physics::physics(fields)?);
    let couple = joint_physics::coupling(fields)?;
    Ok(JointEntry {
        name: name.into(),
        section: "joint",
        spec,
        bodies,
        couple,
    })
}

/// The unit of a key of a joint, which may be in degrees, or not where the joint slides.
fn unit(key: &str, item: &Item, kind: JointKind, fix: &str) -> Read<f64> {
    match key.ends_with("_deg") {
        true if kind == JointKind::Prismatic => Err(item.fault("degrees on a sliding joint", fix)),
        true => Ok(1f64.to_radians()),
        false => Ok(1.0),
    }
}

fn rod(name: &str, fields: &Fields, names: &Names) -> Read<JointEntry> {
    let [a, b] = names.ends(fields)?;
    let mut spec = JointSpec::rod(name).anchors(a.point, b.point);
    if let Some(item) = fields.get("length") {
        spec = spec.length(item.positive()?);
    }
    Ok(JointEntry {
        name: name.into(),
        section: "rod",
        spec,
        bodies: [a.body, b.body],
        couple: None,
    })
}
