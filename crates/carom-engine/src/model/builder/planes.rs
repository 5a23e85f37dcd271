//! Bodies that move in planes z = const: their joints keep most of them there, the others get one of their own.

use nalgebra::Vector3;

use super::tree::{Edge, joints_at_bodies};
use crate::model::body::Role;
use crate::model::{BodyId, BodySpec, JointKind, JointSpec};

/// Sine of an angle that counts as none.
const ALIGNED: f64 = 1e-12;

/// Whether what is on one side of a joint moves in planes z = const if the other side does.
fn keeps_planes(edge: &Edge) -> bool {
    let up = edge.axis().z.abs();
    let across = edge.axis().xy().norm();
    match edge.spec.kind {
        JointKind::Fixed => true,
        JointKind::Revolute | JointKind::Planar => across <= ALIGNED,
        JointKind::Prismatic => up <= ALIGNED,
        _ => false,
    }
}

/// Adds a joint to the plane for one body of every group of planar bodies that its joints do not keep in planes already.
/// One for each of them would make loops of chains of hinges.
pub(super) fn add_planes(bodies: &[BodySpec], edges: &mut Vec<Edge>) {
    let keeping: Vec<Edge> = edges.iter().filter(|e| keeps_planes(e)).cloned().collect();
    let at_body = joints_at_bodies(bodies.len(), &keeping);
    let is_static = |b: BodyId| bodies[b.index()].role == Role::Static;
    let mut kept: Vec<bool> = bodies.iter().map(|b| b.role == Role::Static).collect();
    // Those that are kept, and may keep others.
    let mut keepers: Vec<BodyId> = Vec::new();
    let mut keep = |edge: &Edge, keepers: &mut Vec<BodyId>| {
        for body in edge.ends.into_iter().flatten() {
            if !std::mem::replace(&mut kept[body.index()], true) {
                keepers.push(body);
            }
        }
    };
    let at_world = |e: &&Edge| e.ends.iter().any(|end| end.is_none_or(is_static));
    for edge in keeping.iter().filter(at_world) {
        keep(edge, &mut keepers);
    }
    let planar = |(_, spec): &(usize, &BodySpec)| spec.planar && spec.role == Role::Rigid;
    for (k, spec) in bodies.iter().enumerate().filter(planar) {
        while let Some(from) = keepers.pop() {
            for &joint in &at_body[from.index()] {
                keep(&keeping[joint], &mut keepers);
            }
        }
        let own = Edge {
            spec: JointSpec::planar(format!("{} in the plane", spec.name), Vector3::z()),
            ends: [None, Some(BodyId(k as u32))],
            id: None,
        };
        keep(&own, &mut keepers);
        // All others were looked at: what it keeps is itself, if anything.
        if !keepers.is_empty() {
            edges.push(own);
        }
    }
}
