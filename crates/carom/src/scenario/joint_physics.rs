//! What acts along joints and coordinates: `spring`, `damping`, `friction`, `armature`, `servo`, `couple`.

use super::actuators::signal;
use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::{Couple, JointEntry};
use crate::model::{JointPhysics, JointSpring, Servo};

/// What acts along one coordinate.
pub(crate) fn physics(fields: &Fields) -> Read<JointPhysics> {
    let number = |key| -> Read<f64> {
        let item = fields.get(key);
        item.map_or(Ok(0.0), |item: Item| item.non_negative())
    };
    Ok(JointPhysics {
        spring: fields.get("spring").map(|item| spring(&item)).transpose()?,
        damping: number("damping")?,
        friction: number("friction")?,
        armature: number("armature")?,
        servo: fields.get("servo").map(|item| servo(&item)).transpose()?,
    })
}

/// `{ stiffness = 5, rest = 0.1 }`.
fn spring(item: &Item) -> Read<JointSpring> {
    let fields = item.fields()?;
    let stiffness = fields.need("stiffness", "give it in N m/rad or N/m")?;
    let spring = JointSpring {
        stiffness: stiffness.non_negative()?,
        rest: fields.get("rest").map_or(Ok(0.0), |item| item.number())?,
    };
    fields.finish()?;
    Ok(spring)
}

/// `{ position = "sin(t)", stiffness = 50, damping = 5, limit = 10 }`, or with `velocity`.
fn servo(item: &Item) -> Read<Servo> {
    let fields = item.fields()?;
    let target = |key| -> Read<_> { fields.get(key).map(|item: Item| signal(&item)).transpose() };
    let (position, velocity) = (target("position")?, target("velocity")?);
    if position.is_none() && velocity.is_none() {
        return Err(item.fault(
            "holds nothing",
            "give position = 0.5 or velocity = 2: a number, an expression of t or a table",
        ));
    }
    let gain = |key| -> Read<Option<f64>> {
        let item = fields.get(key);
        item.map(|item: Item| item.non_negative()).transpose()
    };
    let (stiffness, damping) = (gain("stiffness")?, gain("damping")?);
    if position.is_some() && stiffness.is_none() {
        return Err(item.fault(
            "`stiffness` is missing",
            "give the gain of the position, in N m/rad or N/m",
        ));
    }
    if position.is_none() {
        if let Some(other) = fields.get("stiffness") {
            return Err(other.fault(
                "is the gain of a position, and none is given",
                "leave it out, or give position",
            ));
        }
        if damping.is_none() {
            return Err(item.fault(
                "`damping` is missing",
                "give the gain of the velocity, in N m s/rad or N s/m",
            ));
        }
    }
    let limit = fields
        .get("limit")
        .map(|item| item.positive())
        .transpose()?;
    fields.finish()?;
    Ok(Servo {
        position,
        velocity,
        stiffness: stiffness.unwrap_or(0.0),
        damping: damping.unwrap_or(0.0),
        limit: limit.unwrap_or(f64::INFINITY),
    })
}

/// `couple = { joint = "other", ratio = -2 }`: the joint is looked up when all are read.
pub(crate) fn coupling(fields: &Fields) -> Read<Option<Couple>> {
    let Some(item) = fields.get("couple") else {
        return Ok(None);
    };
    let inner = item.fields()?;
    let joint = inner.need("joint", "name the joint that it follows")?;
    let ratio = inner.need("ratio", "give its angle per angle of the other: ratio = -2")?;
    let value = ratio.number()?;
    if value == 0.0 {
        return Err(ratio.fault("is zero", "give a ratio that is not, or a fixed joint"));
    }
    let name = joint.text()?.to_string();
    inner.finish()?;
    Ok(Some(Couple {
        joint: name,
        index: 0,
        ratio: value,
        place: joint.node.place,
    }))
}

/// Finds the joints that others follow.
pub(crate) fn resolve(joints: &mut [JointEntry], faults: &mut Vec<Fault>) {
    let names: Vec<String> = joints.iter().map(|j| j.name.clone()).collect();
    for entry in joints.iter_mut() {
        let field = format!("{}.{}.couple.joint", entry.section, entry.name);
        let Some(couple) = &mut entry.couple else {
            continue;
        };
        match names.iter().position(|n| *n == couple.joint) {
            Some(k) if names[k] != entry.name => couple.index = k,
            Some(_) => faults.push(Fault::new(
                couple.place,
                field,
                "it follows itself",
                "name another joint",
            )),
            None => faults.push(Fault::new(
                couple.place,
                field,
                format!("there is no joint `{}`", couple.joint),
                suggestion(&couple.joint, names.iter().map(String::as_str)),
            )),
        }
    }
}
