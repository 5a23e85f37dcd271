//! Systems in generalised coordinates: planar linkages of point masses, sliders and arms.
//!
//! Every link starts at the end of its parent (or at the ground) and is a slide along a direction
//! fixed in the plane, or an arm of given length at an angle. A point mass may sit at its end, so
//!
//! ```text
//! x(q) = o + Σ slides dₖ qₖ + Σ arms lₖ (cos aₖ, sin aₖ),   aₖ = offset + Σ qⱼ,
//! ```
//!
//! and the mass matrix M(q) = Σ mᵢ JᵢᵀJᵢ depends on the configuration. The cart-pendulum (a slide
//! and an arm) is the smallest example.

use nalgebra::{Vector2, Vector3};

/// A generalised coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Name, unique in its linkage.
    pub name: String,
    /// Value at the start.
    pub start: f64,
    /// Rate at the start.
    pub rate: f64,
    /// Least and largest value.
    pub limits: Option<[f64; 2]>,
}

/// What a link does.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkKind {
    /// Moves along a unit direction of the plane by the coordinate.
    Slide {
        /// Direction in the plane (normalised by the builder).
        direction: [f64; 2],
    },
    /// An arm at the angle `offset` + coordinate, counted from the first plane axis.
    Arm {
        /// Length of the arm.
        length: f64,
        /// Added to the coordinate.
        offset: f64,
        /// Whether the angle counts from the parent arm instead of the plane.
        relative: bool,
    },
}

/// A link: moves the end of its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Name, unique in its linkage.
    pub name: String,
    /// Index of the link it starts from; `None` is the ground.
    pub parent: Option<usize>,
    /// Index of the coordinate that drives it.
    pub coordinate: usize,
    /// Slide or arm.
    pub kind: LinkKind,
    /// Point mass at its end; zero for none.
    pub mass: f64,
}

/// A planar linkage, for [`ModelBuilder::linkage`](super::ModelBuilder::linkage).
#[derive(Clone, Debug, PartialEq)]
pub struct LinkageSpec {
    /// Unique name.
    pub name: String,
    /// Where the ground point is.
    pub origin: Vector3<f64>,
    /// Axes of the plane, orthonormal.
    pub plane: [Vector3<f64>; 2],
    /// Generalised coordinates.
    pub coordinates: Vec<Coordinate>,
    /// Links, parents before children.
    pub links: Vec<Link>,
}

/// A term of the position of a link's end.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// direction · q_j
    Slide {
        direction: Vector2<f64>,
        coordinate: usize,
    },
    /// length (cos a, sin a), a = offset + Σ q over `coordinates`
    Arm {
        length: f64,
        offset: f64,
        coordinates: Vec<usize>,
    },
}

/// A linkage of a model.
#[derive(Clone, Debug)]
pub struct Linkage {
    /// What it was made from.
    pub spec: LinkageSpec,
    /// Terms of the end position of every link.
    pub(crate) ends: Vec<Vec<Term>>,
    /// First of its coordinates among the generalised coordinates of the model.
    pub(crate) first: usize,
    /// Inertia of the rotors that turn with its coordinates.
    pub(crate) armature: Vec<f64>,
}

impl Linkage {
    pub(crate) fn new(spec: LinkageSpec, first: usize) -> Self {
        let mut ends: Vec<Vec<Term>> = Vec::new();
        let mut angles: Vec<(f64, Vec<usize>)> = Vec::new();
        for link in &spec.links {
            let mut terms = link.parent.map_or(Vec::new(), |p| ends[p].clone());
            let mut angle = link.parent.map_or((0.0, Vec::new()), |p| angles[p].clone());
            match &link.kind {
                LinkKind::Slide { direction } => terms.push(Term::Slide {
                    direction: Vector2::from(*direction).normalize(),
                    coordinate: link.coordinate,
                }),
                LinkKind::Arm {
                    length,
                    offset,
                    relative,
                } => {
                    if !relative {
                        angle = (0.0, Vec::new());
                    }
                    angle.0 += offset;
                    angle.1.push(link.coordinate);
                    terms.push(Term::Arm {
                        length: *length,
                        offset: angle.0,
                        coordinates: angle.1.clone(),
                    });
                }
            }
            ends.push(terms);
            angles.push(angle);
        }
        let armature = vec![0.0; spec.coordinates.len()];
        Self {
            spec,
            ends,
            first,
            armature,
        }
    }

    /// Number of coordinates.
    pub fn freedom(&self) -> usize {
        self.spec.coordinates.len()
    }
}
