//! From a model to what can be seen of it.

use std::collections::HashMap;

use carom_engine::inner;
use carom_gap::Pose;
use carom_gap::geometry::Shape;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::arrays::Packed;
use super::document::{Anchor, BodyView, Charge, Link, Mesh, Scene, WallView};
use super::surfaces::Surface;
use super::{limits, linkages};
use crate::model::{Body, BodyKind, Joint, JointKind, Model, PairLaw, Point};
use crate::scenario::{Force, Scenario};

/// Bodies, links, walls of a model; charges are known to the scenario only.
pub(super) fn scene(model: &Model, scenario: &Scenario) -> Scene {
    let mut shapes = Shapes::default();
    let mut slot = 0;
    let mut next_slot = || {
        slot += 1;
        Some(slot - 1)
    };
    let mut bodies: Vec<BodyView> = Vec::new();
    for (k, body) in model.bodies().iter().enumerate() {
        // Nodes are seen as surfaces.
        if inner::solid_of(model, k).is_some() {
            continue;
        }
        let still = !body.moves();
        let shape = body.shape.as_ref().map(mesh_of);
        let (mesh, stand_in) = match (shape, &body.kind) {
            (Some(mesh), _) if mesh.loops().any(|face| face.len() > 2) => (Some(mesh), false),
            // Points and segments alone would hardly be seen.
            (mesh, BodyKind::Rigid { mass, euler_tensor }) => {
                let stand_in = inertia_box(*mass, euler_tensor);
                (Some(joined(stand_in, mesh.as_ref())), true)
            }
            (mesh, _) => (mesh, false),
        };
        let entry = scenario.bodies.iter().find(|entry| entry.name == body.name);
        bodies.push(BodyView {
            name: body.name.clone(),
            kind: kind(body).into(),
            shape: mesh.map(|mesh| shapes.index(mesh)),
            stand_in,
            radius: body.radius as f32,
            slot: if still { None } else { next_slot() },
            pose: still.then(|| seven(&body.start)),
            mass: Some(body.mass()).filter(|m| m.is_finite()),
            color: entry.and_then(|entry| entry.color.clone()),
        });
    }
    let mut links = joints(model);
    for linkage in model.linkages() {
        linkages::add(
            linkage,
            &mut bodies,
            &mut links,
            &mut shapes,
            &mut next_slot,
        );
    }
    Scene {
        shapes: shapes.meshes,
        surfaces: (Surface::all(model).into_iter())
            .map(|(mut view, _)| {
                let entry = scenario.solids.iter().find(|entry| entry.name == view.name);
                view.color = entry.and_then(|entry| entry.color.clone());
                view
            })
            .collect(),
        links,
        charges: charges(model, scenario),
        walls: (scenario.half_spaces.iter())
            .map(|wall| WallView {
                name: wall.name.clone(),
                normal: wall.normal.into(),
                point: wall.point.into(),
            })
            .collect(),
        up: up(model),
        view: [0.0, -1.0, 0.0],
        bounds: [[0.0; 3]; 2],
        bodies,
    }
}

fn kind(body: &Body) -> &'static str {
    match body.kind {
        BodyKind::Rigid { .. } => "rigid",
        BodyKind::Particle { .. } => "particle",
        BodyKind::Static => "static",
    }
}

/// Up is against gravity, if there is any.
fn up(model: &Model) -> [f64; 3] {
    let gravity = model.forces().gravity;
    match gravity.norm() > 0.0 {
        true => (-gravity.normalize()).into(),
        false => [0.0, 0.0, 1.0],
    }
}

/// Position and quaternion (x, y, z, w).
fn seven(pose: &Pose) -> [f64; 7] {
    let (x, q) = (pose.position, quaternion(&pose.directors));
    [x[0], x[1], x[2], q[0], q[1], q[2], q[3]]
}

/// The unit quaternion (x, y, z, w) of directors.
pub(super) fn quaternion(directors: &Matrix3<f64>) -> [f64; 4] {
    let rotation = Rotation3::from_matrix_unchecked(*directors);
    let q = UnitQuaternion::from_rotation_matrix(&rotation);
    [q.i, q.j, q.k, q.w]
}

pub(super) fn world(point: Vector3<f64>) -> Anchor {
    Anchor {
        body: None,
        local: point.into(),
    }
}

pub(super) fn plain(name: &str, kind: &str, a: Anchor, b: Anchor) -> Link {
    Link {
        name: name.into(),
        kind: kind.into(),
        a,
        b,
        axis: None,
        sweep: None,
    }
}

/// Joints, rods, springs and dampers.
fn joints(model: &Model) -> Vec<Link> {
    let mut links = Vec::new();
    let joint = |joint: &Joint| Link {
        axis: matches!(
            joint.kind,
            JointKind::Revolute | JointKind::Cylindrical | JointKind::Prismatic
        )
        .then(|| joint.axis.into()),
        ..plain(
            &joint.name,
            joint.kind.name(),
            Anchor {
                body: joint.parent.map(|b| b.index()),
                local: joint.anchor_parent.into(),
            },
            Anchor {
                body: Some(joint.child.index()),
                local: joint.anchor_child.into(),
            },
        )
    };
    // Free bodies have no joint to show, planar ones only the plane they move in.
    let shown = |j: &&Joint| {
        j.kind != JointKind::Free && !(j.kind == JointKind::Planar && j.parent.is_none())
    };
    let all = model.joints().iter().chain(model.closures());
    links.extend(all.filter(shown).map(joint));
    links.extend(
        model
            .joints()
            .iter()
            .flat_map(|j| limits::of_joint(model, j)),
    );
    let anchor = |point: &Point| Anchor {
        body: point.body.map(|b| b.index()),
        local: point.local.into(),
    };
    for pair in &model.forces().pairs {
        if let PairLaw::Spring { .. } = pair.law {
            links.push(plain("", "spring", anchor(&pair.a), anchor(&pair.b)));
        }
    }
    for damper in &model.forces().dampers {
        links.push(plain("", "damper", anchor(&damper.a), anchor(&damper.b)));
    }
    links
}

fn charges(model: &Model, scenario: &Scenario) -> Vec<Charge> {
    let mut charges = Vec::new();
    for entry in &scenario.forces {
        if let Force::Charge { at, charge } = &entry.force {
            let body = at.body.and_then(|k| model.bodies().get(k));
            charges.push(Charge {
                at: Anchor {
                    body: at.body,
                    local: body.map_or(at.point, |b| b.local(&at.point)).into(),
                },
                amount: *charge,
            });
        }
    }
    charges
}

/// Shapes without repetition.
#[derive(Default)]
pub(super) struct Shapes {
    meshes: Vec<Mesh>,
    known: HashMap<Vec<u32>, usize>,
}

impl Shapes {
    pub fn index(&mut self, mesh: Mesh) -> usize {
        let mut key: Vec<u32> = mesh.vertices.0.iter().map(|x| x.to_bits()).collect();
        key.extend(&mesh.faces.0);
        key.extend(&mesh.parts);
        *self.known.entry(key).or_insert_with(|| {
            self.meshes.push(mesh);
            self.meshes.len() - 1
        })
    }
}

/// Facets along a quarter turn of round bodies as they are drawn.
const FINE: usize = 9;

/// The faces of all convex parts in the body frame.
fn mesh_of(shape: &Shape) -> Mesh {
    let mut mesh = Mesh::default();
    for (k, (part, placed)) in shape.parts().iter().zip(shape.vertices()).enumerate() {
        // Round parts by facets so fine that their edges are not drawn.
        let round = shape.round(k).filter(|_| !placed.is_planar());
        if let Some(Ok(fine)) = round.map(|r| r.facets(FINE)) {
            push_faces(&mut mesh, fine.vertices().points(), fine.faces());
            continue;
        }
        let first = (mesh.vertices.0.len() / 3) as u32;
        for v in placed.points() {
            mesh.vertices.0.extend(v.iter().map(|c| *c as f32));
        }
        let count = match part.convex.faces() {
            // Points and segments are faces of one and two corners.
            [] => {
                let corners = placed.len() as u32;
                mesh.faces.0.push(corners);
                mesh.faces.0.extend((0..corners).map(|k| first + k));
                1
            }
            faces => {
                for face in faces {
                    mesh.faces.0.push(face.len() as u32);
                    mesh.faces.0.extend(face.iter().map(|k| first + k));
                }
                faces.len() as u32
            }
        };
        mesh.parts.push(count);
    }
    mesh
}

/// Adds a part.
fn push_faces(mesh: &mut Mesh, points: &[Vector3<f64>], faces: &[Vec<u32>]) {
    let first = (mesh.vertices.0.len() / 3) as u32;
    let numbers = points.iter().flat_map(|v| v.iter().map(|c| *c as f32));
    mesh.vertices.0.extend(numbers.collect::<Vec<_>>());
    for face in faces {
        mesh.faces.0.push(face.len() as u32);
        mesh.faces.0.extend(face.iter().map(|k| first + k));
    }
    mesh.parts.push(faces.len() as u32);
}

/// A mesh with the parts of another one.
fn joined(mut mesh: Mesh, other: Option<&Mesh>) -> Mesh {
    let first = (mesh.vertices.0.len() / 3) as u32;
    let Some(other) = other else {
        return mesh;
    };
    mesh.vertices.0.extend(&other.vertices.0);
    for face in other.loops() {
        mesh.faces.0.push(face.len() as u32);
        mesh.faces.0.extend(face.iter().map(|k| first + k));
    }
    mesh.parts.extend(&other.parts);
    mesh
}

/// A box with the inertia of a body that has no shape: E_ii = m a_i²/12 along its principal axes.
fn inertia_box(mass: f64, euler_tensor: &Matrix3<f64>) -> Mesh {
    let eigen = euler_tensor.symmetric_eigen();
    let half = eigen
        .eigenvalues
        .map(|e| 0.5 * (12.0 * e.max(0.0) / mass.max(f64::MIN_POSITIVE)).sqrt());
    // A body without extent along an axis still has two sides.
    let least = 0.02 * half.amax().max(1e-9);
    let half = half.map(|a| a.max(least));
    let mut axes = eigen.eigenvectors;
    if axes.determinant() < 0.0 {
        axes.set_column(2, &-axes.column(2).into_owned());
    }
    cuboid(&axes, &half)
}

/// A box with given axes and half the lengths of its edges.
pub(super) fn cuboid(axes: &Matrix3<f64>, half: &Vector3<f64>) -> Mesh {
    let corner = |k: usize, c: usize| if k >> c & 1 == 1 { half[c] } else { -half[c] };
    let vertices = (0..8).flat_map(|k| {
        let v = axes * Vector3::new(corner(k, 0), corner(k, 1), corner(k, 2));
        [v.x as f32, v.y as f32, v.z as f32]
    });
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    Mesh {
        vertices: Packed(vertices.collect()),
        faces: Packed(
            faces
                .iter()
                .flat_map(|f| [4, f[0], f[1], f[2], f[3]])
                .collect(),
        ),
        parts: vec![6],
    }
}
