//! The shape of a body: convex parts placed in the body frame.

use super::error::{GeometryError, positive};
use super::hull::checked_size;
use super::{Convex, MassProperties};
use crate::round::{Round, Solid};
use crate::{Aabb, Pose, Vertices};
use nalgebra::Vector3;

/// A convex part of a body, where it sits and what it is made of.
#[derive(Clone, Debug)]
pub struct Part {
    /// The part in its own frame.
    pub convex: Convex,
    /// Where its frame sits in the body frame.
    pub pose: Pose,
    /// Density in kg/m³ (kg/m² for planar parts); without effect for points and segments.
    pub density: f64,
}

impl Part {
    /// A part at the body's origin.
    pub fn new(convex: impl Into<Convex>, density: f64) -> Self {
        Self {
            convex: convex.into(),
            pose: Pose::identity(),
            density,
        }
    }

    /// The same part placed elsewhere.
    pub fn at(self, pose: Pose) -> Self {
        Self { pose, ..self }
    }
}

/// A body's shape: one or more convex parts, with their vertices in the body frame ready for
/// collision detection, and the mass properties of all of them together.
///
/// Parts may touch or overlap. **Where they overlap, their masses add**; give exact values with
/// [`Shape::with_mass_properties`] where that is not meant.
///
/// ```
/// use carom_gap::{Pose, geometry::{Part, Polytope, Shape}};
/// let handle = Part::new(Polytope::cuboid(0.3, 0.03, 0.03)?, 700.0);
/// let head = Part::new(Polytope::cuboid(0.04, 0.04, 0.12)?, 7850.0)
///     .at(Pose::translation(0.17, 0.0, 0.0));
/// let hammer = Shape::new(vec![handle, head])?.recentred()?;
/// assert!(hammer.mass_properties().unwrap().center.norm() < 1e-15);
/// assert_eq!(hammer.vertices().len(), 2);
/// # Ok::<(), carom_gap::geometry::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    parts: Vec<Part>,
    vertices: Vec<Vertices>,
    rounds: Vec<Option<Round>>,
    mass: Option<MassProperties>,
}

impl Shape {
    /// A shape of one or more parts, all planar or all spatial. Points and segments go with both.
    pub fn new(parts: Vec<Part>) -> Result<Self, GeometryError> {
        if parts.is_empty() {
            return Err(GeometryError::NoParts);
        }
        let mut masses = Vec::new();
        for part in &parts {
            if let Some(unit) = part.convex.mass_properties() {
                let density = positive("density", part.density)?;
                masses.push(unit.with_density(density).transformed(&part.pose));
            }
        }
        let rounds = place(&parts)?;
        Ok(Self {
            vertices: bake(&parts, &rounds)?,
            parts,
            rounds,
            mass: MassProperties::combine(&masses),
        })
    }

    /// A shape of one part at the origin.
    pub fn single(convex: impl Into<Convex>, density: f64) -> Result<Self, GeometryError> {
        Self::new(vec![Part::new(convex, density)])
    }

    /// The same parts with given mass properties (body frame) in place of the computed ones.
    pub fn with_mass_properties(self, mass: MassProperties) -> Self {
        Self {
            mass: Some(mass),
            ..self
        }
    }

    /// The same shape with its centre of mass at the origin of the body frame, axes unturned.
    pub fn recentred(&self) -> Result<Self, GeometryError> {
        let mass = self.mass.ok_or(GeometryError::NoMass)?;
        let parts: Vec<_> = self
            .parts
            .iter()
            .map(|part| Part {
                pose: Pose {
                    position: part.pose.position - mass.center,
                    ..part.pose
                },
                ..part.clone()
            })
            .collect();
        let mass = MassProperties {
            center: Vector3::zeros(),
            ..mass
        };
        let rounds = place(&parts)?;
        Ok(Self {
            vertices: bake(&parts, &rounds)?,
            parts,
            rounds,
            mass: Some(mass),
        })
    }

    /// The parts.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A part as collision queries see it, in the body frame.
    pub fn solid(&self, part: usize) -> Solid<'_> {
        match &self.rounds[part] {
            Some(round) => round.into(),
            None => (&self.vertices[part]).into(),
        }
    }

    /// The round body a part is, in the body frame.
    pub fn round(&self, part: usize) -> Option<&Round> {
        self.rounds[part].as_ref()
    }

    /// Box around a part of the posed body.
    pub fn aabb(&self, part: usize, pose: &Pose) -> Aabb {
        match &self.rounds[part] {
            Some(round) => round.aabb(pose),
            None => Aabb::of(&self.vertices[part], pose),
        }
    }

    /// The vertices of each part in the body frame; of round parts those of a polytope around them.
    pub fn vertices(&self) -> &[Vertices] {
        &self.vertices
    }

    /// Mass properties of all parts together, in the body frame; `None` where no part has volume.
    pub fn mass_properties(&self) -> Option<&MassProperties> {
        self.mass.as_ref()
    }

    /// Whether the shape lives in the plane z = 0.
    pub fn is_planar(&self) -> bool {
        self.vertices[0].is_planar()
    }
}

/// Round parts in the body frame.
fn place(parts: &[Part]) -> Result<Vec<Option<Round>>, GeometryError> {
    let placed = |part: &Part| {
        let round = part.convex.as_round();
        round.map(|r| r.transformed(&part.pose)).transpose()
    };
    parts.iter().map(placed).collect()
}

/// Each part's vertices in the body frame, with their edge graph.
fn bake(parts: &[Part], rounds: &[Option<Round>]) -> Result<Vec<Vertices>, GeometryError> {
    // Points and segments take the dimension of the others.
    let bodies = || parts.iter().filter(|p| p.convex.vertices().len() > 2);
    let planar = bodies().any(|p| p.convex.is_planar());
    let bake_one = |(index, part): (usize, &Part)| {
        let own = part.convex.vertices();
        if planar && own.len() > 2 && !own.is_planar() {
            return Err(GeometryError::MixedDimensions { part: index });
        }
        let mut points: Vec<_> = own.points().iter().map(|v| part.pose.point(v)).collect();
        checked_size(&points)?;
        if planar {
            let extent = points.iter().map(|p| p.amax()).fold(0.0, f64::max);
            if points.iter().any(|p| p.z.abs() > 1e-12 * extent) {
                return Err(GeometryError::OutOfPlane { part: index });
            }
            points.iter_mut().for_each(|p| p.z = 0.0);
        }
        let set = if planar {
            Vertices::planar(&points)
        } else {
            Vertices::new(&points)
        };
        let edges: Vec<_> = (0..own.len() as u32)
            .flat_map(|i| own.neighbours(i as usize).iter().map(move |&j| [i, j]))
            .collect();
        let set = if edges.is_empty() {
            set
        } else {
            set.with_edges(&edges)
        };
        // Facets do not reach as far as what they stand for.
        Ok(match &rounds[index] {
            Some(round) => set.reaching(round.reach()),
            None => set,
        })
    };
    parts.iter().enumerate().map(bake_one).collect()
}
