//! What can be wrong with given geometry: each message names the culprit and the fix.

use std::path::PathBuf;

/// Why a geometric object was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// Fewer points than the object needs.
    #[error("{what} needs at least {needed} points, found {found}: give more points")]
    TooFewPoints {
        /// The object to be built.
        what: &'static str,
        /// Points given.
        found: usize,
        /// Points needed.
        needed: usize,
    },
    /// A coordinate is NaN or infinite.
    #[error("point {index} has the coordinate {value}: every coordinate must be a finite number")]
    NotFinite {
        /// Index of the point.
        index: usize,
        /// The offending coordinate.
        value: f64,
    },
    /// The points span less than the dimension of the object.
    #[error(
        "{what}: the points {} (extent {extent:.1e} across a size of {size:.1e}): {fix}",
        ["coincide", "lie on a line", "lie in a plane"][(*dimension).min(2)]
    )]
    Flat {
        /// The object to be built.
        what: &'static str,
        /// Dimension the points do span.
        dimension: usize,
        /// Extent found across the missing dimension.
        extent: f64,
        /// Largest extent of the points.
        size: f64,
        /// What to do about it.
        fix: &'static str,
    },
    /// Lengths whose moments leave the range of f64.
    #[error(
        "coordinates reach {size:.1e}, outside 1e-50 to 1e50: volumes and moments would leave the range of f64, choose other units"
    )]
    Scale {
        /// Largest coordinate or extent.
        size: f64,
    },
    /// A face with fewer than three vertices.
    #[error("face {face} has {found} vertices: a face is a loop of at least three")]
    ShortFace {
        /// Index of the face.
        face: usize,
        /// Its number of vertices.
        found: usize,
    },
    /// A face names a point that does not exist.
    #[error("face {face} names point {index}, but there are {count} points (counted from 0)")]
    NoSuchPoint {
        /// Index of the face.
        face: usize,
        /// The index out of range.
        index: u32,
        /// Number of points.
        count: usize,
    },
    /// A face visits a vertex twice.
    #[error("face {face} visits point {index} twice: list each vertex of the loop once")]
    RepeatedVertex {
        /// Index of the face.
        face: usize,
        /// The repeated index.
        index: u32,
    },
    /// A point that belongs to no face.
    #[error("point {index} belongs to no face: remove it, or take the hull of the points instead")]
    UnusedPoint {
        /// Index of the point.
        index: usize,
    },
    /// An edge with a face on one side only.
    #[error(
        "the surface is open at edge {} – {} of face {face}: add the missing face",
        edge[0],
        edge[1]
    )]
    OpenEdge {
        /// Index of the face.
        face: usize,
        /// The edge as this face runs through it.
        edge: [u32; 2],
    },
    /// Two faces run through an edge in the same direction.
    #[error(
        "faces {other} and {face} both run through edge {} → {}: one of them is turned inside out (or there twice), reverse its loop",
        edge[0],
        edge[1]
    )]
    FlippedFace {
        /// Index of the face found second.
        face: usize,
        /// Index of the face found first.
        other: usize,
        /// The directed edge both have.
        edge: [u32; 2],
    },
    /// The faces do not form one sphere-like surface.
    #[error(
        "the faces form no single closed surface (vertices − edges + faces = {euler}, should be 2): give each convex part on its own"
    )]
    NotOneSurface {
        /// Euler's number found.
        euler: isize,
    },
    /// All faces point inwards.
    #[error(
        "the faces are inside out (signed volume {volume:.3e}): list every loop counter-clockwise seen from outside"
    )]
    InsideOut {
        /// Signed volume.
        volume: f64,
    },
    /// The vertices of a face are not in a plane.
    #[error(
        "face {face} is not plane: point {point} is {by:.1e} off, give more digits or split it into triangles"
    )]
    BentFace {
        /// Index of the face.
        face: usize,
        /// The point furthest off.
        point: u32,
        /// Its distance from the plane.
        by: f64,
    },
    /// A face without area.
    #[error("face {face} has no area: remove it")]
    ThinFace {
        /// Index of the face.
        face: usize,
    },
    /// A point lies beyond a face.
    #[error(
        "not convex at face {face}: point {point} lies {by:.1e} beyond its plane, split the body into convex parts or take the hull"
    )]
    NotConvex {
        /// Index of the face.
        face: usize,
        /// The point beyond it.
        point: u32,
        /// How far beyond.
        by: f64,
    },
    /// A polygon's loop runs clockwise.
    #[error("the polygon runs clockwise (signed area {area:.3e}): reverse the order of its points")]
    Clockwise {
        /// Signed area.
        area: f64,
    },
    /// A polygon's loop turns the wrong way, or winds around more than once.
    #[error(
        "the polygon is not convex at point {index}: split it into convex parts or take the hull"
    )]
    NotConvexAt {
        /// Index of the point.
        index: usize,
    },
    /// A length that must be positive and finite.
    #[error("{what} is {value}: it must be positive and finite")]
    NotPositive {
        /// Which quantity.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A radius on a planar shape.
    #[error("a radius rounds bodies in space, not polygons: use a circle, or leave it out")]
    PlanarRound,
    /// A count out of its range.
    #[error("{what} is {value}: choose a number from {least} to {most}")]
    Count {
        /// Which count.
        what: &'static str,
        /// Its value.
        value: usize,
        /// Least allowed.
        least: usize,
        /// Most allowed.
        most: usize,
    },
    /// An inertia no body can have.
    #[error("{reason}: check the inertia (about the centre of mass, in body axes)")]
    Inertia {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A shape without parts.
    #[error("a shape needs at least one convex part")]
    NoParts,
    /// Two- and three-dimensional parts in one shape.
    #[error("part {part} is spatial, others are planar: use parts of one dimension")]
    MixedDimensions {
        /// Index of the spatial part.
        part: usize,
    },
    /// A planar part whose pose leaves the plane.
    #[error(
        "part {part} leaves the plane z = 0: turn planar parts about z and move them in x and y only"
    )]
    OutOfPlane {
        /// Index of the part.
        part: usize,
    },
    /// Nothing in a shape has mass.
    #[error("no part of the shape has a volume: give mass and inertia of the body directly")]
    NoMass,
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file's contents are not what they should be.
    #[error("{name}: {reason}")]
    Parse {
        /// File or source of the bytes.
        name: String,
        /// What is wrong, and the fix.
        reason: String,
    },
    /// A unit of length that is not known.
    #[error("unknown unit {unit:?}: use m, dm, cm, mm, um, km, in, ft or a scale factor")]
    UnknownUnit {
        /// The word given.
        unit: String,
    },
    /// The approximate convex decomposition gave no usable part.
    #[error(
        "{name}: the convex decomposition failed ({reason}): raise `resolution`, or use the hull"
    )]
    Decomposition {
        /// The mesh.
        name: String,
        /// What happened.
        reason: String,
    },
    /// An error with the mesh it occurred in.
    #[error("{name}: {source}")]
    InMesh {
        /// File or source of the bytes.
        name: String,
        /// What is wrong (faces are the mesh's triangles).
        source: Box<GeometryError>,
    },
}

/// `value`, if it is positive and finite.
pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, GeometryError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(GeometryError::NotPositive { what, value })
    }
}

/// `value`, if it lies in `least..=most`.
pub(crate) fn count(
    what: &'static str,
    value: usize,
    least: usize,
    most: usize,
) -> Result<usize, GeometryError> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(GeometryError::Count {
            what,
            value,
            least,
            most,
        })
    }
}
