//! Elastic bodies: nodes that are particles, and the elements between them.

use std::ops::Range;

use carom_gap::Pose;
use nalgebra::Vector3;

use super::{BodyId, Point};
use crate::elastic::{Corners, Damping, Element, Mesh, NeoHookean};

/// What holds a node of an elastic body; nodes that nothing holds are particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It stays where it starts.
    Still,
    /// It is glued to a rigid body, whose mass it adds to, or to a static one, with which it moves if the
    /// motion of that is given.
    Glued(BodyId),
}

/// An elastic body, for [`ModelBuilder::solid`](super::ModelBuilder::solid).
///
/// ```
/// use carom::elastic::{NeoHookean, cuboid};
/// use carom::model::{ModelBuilder, SolidSpec};
/// let mesh = cuboid([1.0, 0.1, 0.1], [20, 2, 2]).unwrap();
/// let root = mesh.nodes_where(|x| x.x < -0.499);
/// let steel = NeoHookean::from_young(2e11, 0.3);
/// let beam = SolidSpec::new("beam", mesh, 7850.0, steel).hold(&root);
/// let mut builder = ModelBuilder::new();
/// builder.solid(beam);
/// let model = builder.build().unwrap();
/// assert_eq!(model.freedom(), 3 * 20 * 9);
/// ```
#[derive(Clone, Debug)]
pub struct SolidSpec {
    pub(crate) name: String,
    pub(crate) mesh: Mesh,
    pub(crate) density: f64,
    pub(crate) material: NeoHookean,
    pub(crate) damping: Damping,
    pub(crate) pose: Pose,
    pub(crate) velocity: Vector3<f64>,
    pub(crate) angular_velocity: Vector3<f64>,
    pub(crate) surface: Option<String>,
    pub(crate) meets_itself: bool,
    pub(crate) held: Vec<(usize, Held)>,
    pub(crate) sets: Vec<NodeSet>,
}

/// Nodes of an elastic body under a name, for the record of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSet {
    /// Its name.
    pub name: String,
    /// Numbers of the nodes, from 0.
    pub nodes: Vec<u32>,
}

impl NodeSet {
    /// Whether it has nodes, and all of them exist.
    pub(crate) fn fits(&self, count: usize) -> bool {
        !self.nodes.is_empty() && self.nodes.iter().all(|n| (*n as usize) < count)
    }
}

impl SolidSpec {
    /// A body at rest where its mesh is drawn; density in kg/m³.
    pub fn new(name: impl Into<String>, mesh: Mesh, density: f64, material: NeoHookean) -> Self {
        Self {
            name: name.into(),
            mesh,
            density,
            material,
            damping: Damping::default(),
            pose: Pose::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
            surface: None,
            meets_itself: false,
            held: Vec::new(),
            sets: Vec::new(),
        }
    }

    /// Names nodes: a run records where they are on the mean, and the force of what holds them.
    pub fn name_nodes(mut self, name: impl Into<String>, nodes: &[usize]) -> Self {
        self.sets.push(NodeSet {
            name: name.into(),
            nodes: nodes.iter().map(|n| *n as u32).collect(),
        });
        self
    }

    /// Rayleigh damping.
    pub fn damping(mut self, damping: Damping) -> Self {
        self.damping = damping;
        self
    }

    /// Where the frame of its mesh starts.
    pub fn pose(mut self, pose: Pose) -> Self {
        self.pose = pose;
        self
    }

    /// Where it starts.
    pub fn start(&self) -> &Pose {
        &self.pose
    }

    /// Its mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// What it is made of.
    pub fn material(&self) -> NeoHookean {
        self.material
    }

    /// Name of the material of its surface.
    pub fn surface_name(&self) -> Option<String> {
        self.surface.clone()
    }

    /// Whether its elements collide with each other.
    pub fn touches_itself(&self) -> bool {
        self.meets_itself
    }

    /// Velocity of its centre of mass.
    pub fn velocity(mut self, velocity: Vector3<f64>) -> Self {
        self.velocity = velocity;
        self
    }

    /// Spatial angular velocity about its centre of mass.
    pub fn angular_velocity(mut self, angular_velocity: Vector3<f64>) -> Self {
        self.angular_velocity = angular_velocity;
        self
    }

    /// Name of the material of its surface, for contact.
    pub fn surface(mut self, material: impl Into<String>) -> Self {
        self.surface = Some(material.into());
        self
    }

    /// Whether its elements collide with each other, too.
    pub fn meets_itself(mut self, does: bool) -> Self {
        self.meets_itself = does;
        self
    }

    /// Holds nodes where they start.
    pub fn hold(mut self, nodes: &[usize]) -> Self {
        self.held.extend(nodes.iter().map(|n| (*n, Held::Still)));
        self
    }

    /// Glues nodes to a body, which must start where they are: a rigid one, or a static one whose motion
    /// is given.
    pub fn glue(mut self, nodes: &[usize], body: BodyId) -> Self {
        let glued = nodes.iter().map(|n| (*n, Held::Glued(body)));
        self.held.extend(glued);
        self
    }
}

/// An elastic body of a model: elements are forces between points.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Unique name.
    pub name: String,
    /// Where every node is fixed: in a particle of its own, in a rigid body, in the world.
    pub points: Vec<Point>,
    /// Elements at rest.
    pub elements: Vec<Element>,
    /// Triangles at the surface (of a planar body: edges) with their elements.
    pub surface: Vec<([u32; 3], usize)>,
    /// Nodes at rest, in the frame the mesh was drawn in.
    pub rest: Vec<Vector3<f64>>,
    /// Mass of every node.
    pub masses: Vec<f64>,
    /// Density in kg/m³.
    pub density: f64,
    /// What it is made of.
    pub material: NeoHookean,
    /// Its damping.
    pub damping: Damping,
    /// Name of the material of its surface, for contact.
    pub contact_material: Option<String>,
    /// Whether its elements collide with each other, too.
    pub meets_itself: bool,
    /// Its particles among the bodies of the model.
    pub particles: Range<usize>,
    /// Nodes under a name.
    pub sets: Vec<NodeSet>,
}

impl Solid {
    /// Whether it lives in a plane.
    pub fn is_planar(&self) -> bool {
        self.elements.first().is_some_and(Element::is_planar)
    }

    /// Where a node is.
    #[inline]
    pub fn place(&self, node: u32, poses: &[Pose]) -> Vector3<f64> {
        let p = &self.points[node as usize];
        match p.body {
            Some(b) => {
                let pose = &poses[b.index()];
                if p.local == Vector3::zeros() {
                    pose.position
                } else {
                    pose.point(&p.local)
                }
            }
            None => p.local,
        }
    }

    /// Where the corners of an element are.
    #[inline]
    pub fn corners(&self, element: &Element, poses: &[Pose]) -> Corners {
        element.nodes.map(|n| self.place(n, poses))
    }

    /// The largest ω² of any element at rest, which none of the body exceeds.
    pub fn stiffest(&self) -> f64 {
        let each = self.elements.iter();
        each.map(|e| e.stiffest(&self.material, self.density))
            .fold(0.0, f64::max)
    }

    /// What round-off in the places of nodes leaves of the forces on them, per distance from the
    /// origin: m ω² ε of the stiffest element at the heaviest node.
    pub fn rounding(&self) -> f64 {
        let heaviest = self.masses.iter().copied().fold(0.0, f64::max);
        f64::EPSILON * heaviest * self.stiffest()
    }

    /// The first element that is turned inside out, from 1.
    pub fn inverted(&self, poses: &[Pose]) -> Option<usize> {
        let sound = |e: &Element| e.deformation(&self.corners(e, poses)).determinant() > 0.0;
        let found = self.elements.iter().position(|e| !sound(e));
        found.map(|k| k + 1)
    }

    /// Energy of its elements.
    pub fn energy(&self, poses: &[Pose]) -> f64 {
        let each = self.elements.iter();
        each.map(|e| e.energy(&self.material, &self.corners(e, poses)))
            .sum()
    }

    /// Half of the longest side of the box around it at rest.
    pub fn size(&self) -> f64 {
        let first = self.rest[0];
        let all = self.rest.iter();
        let (low, high) = all.fold((first, first), |(l, h), x| (l.inf(x), h.sup(x)));
        0.5 * (high - low).amax()
    }

    /// Volume now.
    pub fn volume(&self, poses: &[Pose]) -> f64 {
        let each = self.elements.iter();
        each.map(|e| e.volume * e.deformation(&self.corners(e, poses)).determinant())
            .sum()
    }
}
