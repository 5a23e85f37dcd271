//! How fast bodies set out that say nothing of it: from the rates of joints, and from the bodies they hang on.

use nalgebra::Vector3;

use super::loop_rates;
use super::tree::{Edge, fault, joint_points, joints_at_bodies};
use crate::model::{Body, BodyId, BodyKind, JointKind, ModelError};

/// Part of the velocities at a joint that counts as none.
const NONE: f64 = 1e-12;

/// Gives velocities to bodies that say nothing of them (`says` is false), joint by joint from the world and from bodies
/// that do: by the rate of the joint, if it has one; none at all, if the joint allows that; otherwise as if the joint
/// were locked. [Loops](loop_rates) that this would tear open move along.
pub(super) fn set_out(
    bodies: &mut [Body],
    edges: &[Edge],
    says: &[bool],
) -> Result<(), ModelError> {
    let mut known: Vec<bool> = (bodies.iter().zip(says))
        .map(|(b, says)| *says || b.kind == BodyKind::Static)
        .collect();
    let at_body = joints_at_bodies(bodies.len(), edges);
    let mut used = vec![false; edges.len()];
    let to_world = |e: &Edge| e.ends.contains(&None);
    let mut next: Vec<usize> = (0..edges.len()).filter(|k| to_world(&edges[*k])).collect();
    next.extend(
        (0..bodies.len())
            .filter(|k| known[*k])
            .flat_map(|k| &at_body[k]),
    );
    let mut root = 0;
    loop {
        // Breadth first: every joint that leads from a body with a velocity to one without.
        let mut at = 0;
        while at < next.len() {
            let edge = &edges[next[at]];
            let is_known = |end: Option<BodyId>| end.is_none_or(|b| known[b.index()]);
            let child = match edge.ends.map(is_known) {
                [true, false] => edge.ends[1],
                [false, true] => edge.ends[0],
                _ => None,
            };
            if let Some(child) = child {
                used[next[at]] = true;
                follow(bodies, edge, child);
                known[child.index()] = true;
                next.extend_from_slice(&at_body[child.index()]);
            }
            at += 1;
        }
        // Parts that float and say nothing: their first body is at rest.
        let Some(k) = known.iter().skip(root).position(|known| !known) else {
            break;
        };
        root += k;
        known[root] = true;
        next.clone_from(&at_body[root]);
    }
    loop_rates::close(bodies, edges, says);
    let idle = |(edge, used): &(&Edge, &bool)| {
        edge.spec.rate.is_some() && !**used && !loop_rates::fits(bodies, edge)
    };
    match edges.iter().zip(&used).find(idle) {
        None => Ok(()),
        Some((edge, _)) => Err(fault(
            edge,
            "its rate follows from the velocities of its two bodies, which are given or follow from other joints",
            "leave out its rate, or a velocity",
        )),
    }
}

/// The velocities of a body that a joint leads to.
fn follow(bodies: &mut [Body], edge: &Edge, child: BodyId) {
    let second = edge.ends[1] == Some(child);
    let parent = edge.ends[usize::from(!second)].map(|b| &bodies[b.index()]);
    let (at, v, w) = parent.map_or(Default::default(), |p| {
        (p.start.position, p.velocity, p.angular_velocity)
    });
    let points = joint_points(bodies, edge);
    let anchor = points[usize::from(!second)];
    let axis = edge.axis();
    let own = &bodies[child.index()];
    let arm = own.start.position - anchor;
    // Velocity of the parent where the joint is, of which so much counts as none.
    let here = v + w.cross(&(anchor - at));
    let none = NONE * (v.norm() + w.norm() * (anchor - at).norm());
    let rod = points[1] - points[0];
    if edge.spec.rate.is_none() && rests(edge.spec.kind, (&here, none), &w, &axis, &rod) {
        return;
    }
    // The rate is that of the second body relative to the first.
    let rate = edge.spec.rate.unwrap_or(0.0) * if second { 1.0 } else { -1.0 };
    let (shift, turn) = match edge.spec.kind {
        JointKind::Prismatic => (axis * rate, Vector3::zeros()),
        _ => (Vector3::zeros(), axis * rate),
    };
    let spin = w + turn;
    let particle = matches!(own.kind, BodyKind::Particle { .. });
    let own = &mut bodies[child.index()];
    own.velocity = here + shift + spin.cross(&arm);
    own.angular_velocity = if particle { Vector3::zeros() } else { spin };
}

/// Whether a joint allows its child to rest while its parent moves with the velocity `v` at the joint, of which `none`
/// counts as none, and turns with `w`.
fn rests(
    kind: JointKind,
    (v, none): (&Vector3<f64>, f64),
    w: &Vector3<f64>,
    axis: &Vector3<f64>,
    rod: &Vector3<f64>,
) -> bool {
    let still = |v: Vector3<f64>| v.norm() <= none;
    let steady = |turn: Vector3<f64>| turn.norm() <= NONE * w.norm();
    match kind {
        JointKind::Free => true,
        JointKind::Fixed => still(*v) && steady(*w),
        JointKind::Spherical => still(*v),
        JointKind::Revolute => still(*v) && steady(w.cross(axis)),
        JointKind::Prismatic => still(v.cross(axis)) && steady(*w),
        JointKind::Cylindrical => still(v.cross(axis)) && steady(w.cross(axis)),
        JointKind::Planar => still(axis * axis.dot(v)) && steady(w.cross(axis)),
        JointKind::Rod => v.dot(rod).abs() <= none * rod.norm(),
    }
}
