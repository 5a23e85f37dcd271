//! From joints as given to a tree: parents first, loops closed by what is left over.

use carom_gap::Pose;
use nalgebra::{Matrix3, Vector3};

use crate::model::joint::Place;
use crate::model::{Body, BodyId, BodyKind, Joint, JointId, JointKind, JointSpec, ModelError};
use crate::words::counted;

/// How far two anchors may lie apart at the start, relative to the size of their coordinates.
const CLOSED: f64 = 1e-9;

/// A joint as the user gave it.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub spec: JointSpec,
    pub ends: [Option<BodyId>; 2],
    pub id: Option<JointId>,
}

impl Edge {
    /// Direction of its axis; zero for a joint without one.
    pub fn axis(&self) -> Vector3<f64> {
        match self.spec.kind.needs_axis() {
            true => self.spec.axis.normalize(),
            false => Vector3::zeros(),
        }
    }
}

/// The joints at every one of `count` bodies, in the order given.
pub(super) fn joints_at_bodies(count: usize, edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut at_body = vec![Vec::new(); count];
    for (k, edge) in edges.iter().enumerate() {
        for body in edge.ends.iter().flatten() {
            at_body[body.index()].push(k);
        }
    }
    at_body
}

/// Tree joints in order, and closures.
pub(super) fn grow(
    bodies: &[Body],
    edges: &[Edge],
) -> Result<(Vec<Joint>, Vec<Joint>), ModelError> {
    for edge in edges {
        check(bodies, edge)?;
    }
    let anchored =
        |end: Option<BodyId>| end.is_none_or(|b| bodies[b.index()].kind == BodyKind::Static);
    let mut reached: Vec<bool> = bodies.iter().map(|b| b.kind == BodyKind::Static).collect();
    let mut used = vec![false; edges.len()];
    let mut tree = Vec::new();
    // Joints at the world (and at what never moves), and at every body, in the order given.
    let to_world = |k: &usize| edges[*k].ends.iter().any(|end| anchored(*end));
    let at_world: Vec<usize> = (0..edges.len()).filter(to_world).collect();
    let at_body = joints_at_bodies(bodies.len(), edges);

    // Breadth first from the world, then from the first body of every part that floats.
    let mut frontier: Vec<Option<BodyId>> = vec![None];
    let mut next_root = 0;
    loop {
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for &from in &frontier {
                for &k in from.map_or(&at_world, |b| &at_body[b.index()]) {
                    if used[k] {
                        continue;
                    }
                    let edge = &edges[k];
                    let touches = |end: Option<BodyId>| match from {
                        None => anchored(end),
                        Some(_) => end == from,
                    };
                    let (child, reversed) = match edge.ends {
                        [a, Some(b)] if touches(a) && !reached[b.index()] => (b, false),
                        [Some(a), b] if touches(b) && !reached[a.index()] => (a, true),
                        _ => continue,
                    };
                    // A rod can lead to a particle only; to a rigid body it is a loop closure.
                    let particle = matches!(bodies[child.index()].kind, BodyKind::Particle { .. });
                    if edge.spec.kind == JointKind::Rod && !particle {
                        continue;
                    }
                    used[k] = true;
                    reached[child.index()] = true;
                    tree.push(resolve(bodies, edge, reversed)?);
                    next.push(Some(child));
                }
            }
            frontier = next;
        }
        match reached.iter().skip(next_root).position(|r| !r) {
            None => break,
            Some(k) => {
                next_root += k;
                reached[next_root] = true;
                let root = BodyId(next_root as u32);
                tree.push(free(root));
                frontier.push(Some(root));
            }
        }
    }
    let mut closures = Vec::new();
    for (k, edge) in edges.iter().enumerate() {
        if !used[k] {
            if edge.ends.iter().all(|e| anchored(*e)) {
                let fix = "one of its bodies must be rigid or a particle";
                return Err(fault(edge, "joins two things that never move", fix));
            }
            if edge.spec.kind == JointKind::Free {
                continue;
            }
            if edge.spec.limits.iter().any(Option::is_some) {
                let reason = "it closes a loop, and limits cannot act along such a joint";
                let fix =
                    "write it before the other joints of the loop, so that another one closes it";
                return Err(fault(edge, reason, fix));
            }
            closures.push(resolve(bodies, edge, anchored(edge.ends[1]))?);
        }
    }
    Ok((tree, closures))
}

/// Pairs of bodies of which one is static, joined so that they do not collide. In the model such a
/// joint is one to the world.
pub(super) fn fastened(bodies: &[Body], edges: &[Edge]) -> Vec<[BodyId; 2]> {
    let is_static = |b: BodyId| bodies[b.index()].kind == BodyKind::Static;
    let joined = edges.iter().filter(|edge| !edge.spec.collide);
    joined
        .filter_map(|edge| match edge.ends {
            [Some(a), Some(b)] if is_static(a) || is_static(b) => Some([a, b]),
            _ => None,
        })
        .collect()
}

pub(super) fn fault(edge: &Edge, reason: impl Into<String>, fix: &str) -> ModelError {
    ModelError::joint(&edge.spec.name, reason, fix)
}

fn check(bodies: &[Body], edge: &Edge) -> Result<(), ModelError> {
    let spec = &edge.spec;
    if edge.ends[0] == edge.ends[1] {
        let fix = "name two different bodies";
        return Err(fault(edge, "joins a body to itself", fix));
    }
    let given = |b: &&BodyId| bodies[b.index()].motion.is_some();
    if let Some(body) = edge.ends.iter().flatten().find(given) {
        let name = &bodies[body.index()].name;
        let reason = format!("the motion of {name} is given, and joints cannot hold such bodies");
        return Err(fault(edge, reason, "drive it by a joint with a servo"));
    }
    let finite = |v: &Vector3<f64>| v.iter().all(|c| c.is_finite());
    if spec.kind.needs_axis() && !(finite(&spec.axis) && spec.axis.norm() > 0.0) {
        let reason = format!(
            "a {} joint needs an axis that is not zero",
            spec.kind.name()
        );
        return Err(fault(edge, reason, "give its direction"));
    }
    let placed = match &spec.place {
        Place::Default => true,
        Place::World(p) => finite(p),
        Place::Local([p, q]) => finite(p) && finite(q),
    };
    if !placed {
        let fix = "give finite coordinates";
        return Err(fault(edge, "the joint point must be finite", fix));
    }
    let particle = |end: &Option<BodyId>| {
        end.is_some_and(|b| matches!(bodies[b.index()].kind, BodyKind::Particle { .. }))
    };
    if spec.kind != JointKind::Rod && edge.ends.iter().any(particle) {
        let reason = format!("a {} joint cannot hold a particle", spec.kind.name());
        return Err(fault(edge, reason, "use a rod, or a rigid body"));
    }
    for limit in spec.limits.iter().flatten() {
        if limit[0].is_nan() || limit[1].is_nan() || limit[0] >= limit[1] {
            let reason = format!("limits [{}, {}] must rise", limit[0], limit[1]);
            return Err(fault(edge, reason, "give [least, largest]"));
        }
    }
    let turns_or_slides = matches!(spec.kind, JointKind::Revolute | JointKind::Prismatic);
    if spec
        .rate
        .is_some_and(|rate| !(turns_or_slides && rate.is_finite()))
    {
        let reason = "a rate is a finite number, and that of a revolute or prismatic joint";
        return Err(fault(edge, reason, "give velocities to bodies on others"));
    }
    if spec.limits.len() > spec.kind.freedom(false) {
        return Err(fault(
            edge,
            format!(
                "{} given, but a {} joint has {}",
                counted(spec.limits.len(), "limit"),
                spec.kind.name(),
                counted(spec.kind.freedom(false), "coordinate")
            ),
            "give one pair for each, or none",
        ));
    }
    if spec.kind == JointKind::Spherical && spec.limits.iter().any(Option::is_some) {
        let reason = "a spherical joint has no single angles to limit";
        return Err(fault(edge, reason, "use revolute joints"));
    }
    Ok(())
}

/// The frame of an end: its body frame, or the world for what never moves.
struct End {
    body: Option<BodyId>,
    pose: Pose,
    /// Centre of mass in the frame points are given in.
    drawn_center: Vector3<f64>,
    start: Pose,
}

fn end(bodies: &[Body], id: Option<BodyId>) -> End {
    match id.map(|b| &bodies[b.index()]) {
        None => End {
            body: None,
            pose: Pose::identity(),
            drawn_center: Vector3::zeros(),
            start: Pose::identity(),
        },
        Some(b) if b.kind == BodyKind::Static => End {
            body: None,
            pose: Pose::identity(),
            drawn_center: b.drawn_center,
            start: b.start,
        },
        Some(b) => End {
            body: id,
            pose: b.start,
            drawn_center: b.drawn_center,
            start: b.start,
        },
    }
}

/// World positions of the joint point on each end, at the start.
pub(super) fn joint_points(bodies: &[Body], edge: &Edge) -> [Vector3<f64>; 2] {
    points_of(&edge.spec, &edge.ends.map(|id| end(bodies, id)))
}

fn points_of(spec: &JointSpec, ends: &[End; 2]) -> [Vector3<f64>; 2] {
    match &spec.place {
        Place::World(p) if spec.kind != JointKind::Rod => [*p, *p],
        Place::World(p) => {
            // A rod to the world ends there; between bodies `at` says nothing.
            let at = |e: &End| {
                if e.body.is_none() {
                    *p
                } else {
                    e.start.position
                }
            };
            [at(&ends[0]), at(&ends[1])]
        }
        Place::Local(points) => {
            [0, 1].map(|k: usize| ends[k].start.point(&(points[k] - ends[k].drawn_center)))
        }
        Place::Default if spec.kind == JointKind::Rod => {
            [0, 1].map(|k: usize| ends[k].start.position)
        }
        Place::Default => {
            let p = if ends[1].body.is_some() {
                ends[1].start.position
            } else {
                ends[0].start.position
            };
            [p, p]
        }
    }
}

/// A joint with its frames, from the start poses.
fn resolve(bodies: &[Body], edge: &Edge, reversed: bool) -> Result<Joint, ModelError> {
    let spec = &edge.spec;
    let ends = [end(bodies, edge.ends[0]), end(bodies, edge.ends[1])];
    let world = points_of(spec, &ends);
    let axis_world = if spec.kind.needs_axis() {
        spec.axis.normalize()
    } else {
        Vector3::z()
    };
    closes(edge, &world, &axis_world)?;

    let (p, c) = if reversed { (1, 0) } else { (0, 1) };
    let Some(child) = ends[c].body else {
        let fix = "join a body that moves";
        return Err(fault(edge, "its second body never moves", fix));
    };
    let sign = if reversed { -1.0 } else { 1.0 };
    let local =
        |k: usize, x: &Vector3<f64>| ends[k].pose.direction_to_body(&(x - ends[k].pose.position));
    let axis = ends[p].pose.direction_to_body(&(axis_world * sign));
    let first = perpendicular(&axis_world);
    let across =
        [first, axis_world.cross(&first)].map(|t| ends[p].pose.direction_to_body(&(t * sign)));
    let length = (world[1] - world[0]).norm();
    if spec.kind == JointKind::Rod {
        if length <= 0.0 {
            let fix = "give two different points";
            return Err(fault(edge, "a rod needs two ends that lie apart", fix));
        }
        if let Some(wanted) = spec
            .length
            .filter(|l| (l - length).abs() > CLOSED * (1.0 + length))
        {
            let reason = format!("its ends are {length} apart at the start, not {wanted}");
            return Err(fault(edge, reason, "correct the positions or the length"));
        }
    }
    let freedom = spec.kind.freedom(false);
    let mut limits = spec.limits.clone();
    limits.resize(freedom, None);
    // A free joint holds nothing: its coordinates are those of the child alone.
    if spec.kind == JointKind::Free {
        return Ok(Joint {
            name: spec.name.clone(),
            id: edge.id,
            ..free(child)
        });
    }
    Ok(Joint {
        name: spec.name.clone(),
        kind: spec.kind,
        parent: ends[p].body,
        child,
        anchor_parent: local(p, &world[p]),
        anchor_child: local(c, &world[c]),
        axis,
        across,
        relative: ends[p].pose.directors.tr_mul(&ends[c].pose.directors),
        length,
        limits,
        collide: spec.collide,
        id: edge.id,
        reversed,
    })
}

/// The two joint points must meet, but for where the joint slides.
fn closes(edge: &Edge, world: &[Vector3<f64>; 2], axis: &Vector3<f64>) -> Result<(), ModelError> {
    let d = world[1] - world[0];
    let along = axis * axis.dot(&d);
    let open = match edge.spec.kind {
        JointKind::Rod => 0.0,
        JointKind::Prismatic | JointKind::Cylindrical => (d - along).norm(),
        JointKind::Planar => along.norm(),
        _ => d.norm(),
    };
    let size = 1.0 + world[0].norm() + world[1].norm();
    if open > CLOSED * size {
        let reason = format!("its two anchors lie {open:.3e} apart at the start");
        let fix = "correct an anchor or a position, or give one world point with `at`";
        return Err(fault(edge, reason, fix));
    }
    Ok(())
}

/// The free joint of a body that nothing holds.
fn free(child: BodyId) -> Joint {
    Joint {
        name: String::new(),
        kind: JointKind::Free,
        parent: None,
        child,
        anchor_parent: Vector3::zeros(),
        anchor_child: Vector3::zeros(),
        axis: Vector3::z(),
        across: [Vector3::x(), Vector3::y()],
        relative: Matrix3::identity(),
        length: 0.0,
        limits: Vec::new(),
        collide: true,
        id: None,
        reversed: false,
    }
}

fn perpendicular(n: &Vector3<f64>) -> Vector3<f64> {
    // World axes where possible: a planar joint in e_z slides along e_x and e_y.
    let mut e = Vector3::x();
    if n.x.abs() > 0.9 {
        e = Vector3::y();
    }
    (e - n * n.dot(&e)).normalize()
}
