//! What can be wrong with given geometry: each error names the culprit and the fix.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// Why a geometric object was refused. The fields name the part at fault; [`reason`](Self::reason)
/// says what is wrong with it and [`fix`](Self::fix) what to do. Printed, an error says both.
#[derive(Debug)]
#[non_exhaustive]
pub enum GeometryError {
    /// Fewer points than the object needs.
    TooFewPoints {
        /// The object to be built.
        what: &'static str,
        /// Points given.
        found: usize,
        /// Points needed.
        needed: usize,
    },
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// Index of the point.
        index: usize,
        /// The offending coordinate.
        value: f64,
    },
    /// The points span less than the dimension of the object.
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
    Scale {
        /// Largest coordinate or extent.
        size: f64,
    },
    /// A face with fewer than three vertices.
    ShortFace {
        /// Index of the face.
        face: usize,
        /// Its number of vertices.
        found: usize,
    },
    /// A face names a point that does not exist.
    NoSuchPoint {
        /// Index of the face.
        face: usize,
        /// The index out of range.
        index: u32,
        /// Number of points.
        count: usize,
    },
    /// A face visits a vertex twice.
    RepeatedVertex {
        /// Index of the face.
        face: usize,
        /// The repeated index.
        index: u32,
    },
    /// A point that belongs to no face.
    UnusedPoint {
        /// Index of the point.
        index: usize,
    },
    /// An edge with a face on one side only.
    OpenEdge {
        /// Index of the face.
        face: usize,
        /// The edge as this face runs through it.
        edge: [u32; 2],
    },
    /// Two faces run through an edge in the same direction.
    FlippedFace {
        /// Index of the face found second.
        face: usize,
        /// Index of the face found first.
        other: usize,
        /// The directed edge both have.
        edge: [u32; 2],
    },
    /// The faces do not form one sphere-like surface.
    NotOneSurface {
        /// Euler's number found.
        euler: isize,
    },
    /// All faces point inwards.
    InsideOut {
        /// Signed volume.
        volume: f64,
    },
    /// The vertices of a face are not in a plane.
    BentFace {
        /// Index of the face.
        face: usize,
        /// The point furthest off.
        point: u32,
        /// Its distance from the plane.
        by: f64,
    },
    /// A face without area.
    ThinFace {
        /// Index of the face.
        face: usize,
    },
    /// A point lies beyond a face.
    NotConvex {
        /// Index of the face.
        face: usize,
        /// The point beyond it.
        point: u32,
        /// How far beyond.
        by: f64,
    },
    /// A polygon's loop runs clockwise.
    Clockwise {
        /// Signed area.
        area: f64,
    },
    /// A polygon's loop turns the wrong way, or winds around more than once.
    NotConvexAt {
        /// Index of the point.
        index: usize,
    },
    /// A length that must be positive and finite.
    NotPositive {
        /// Which quantity.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A radius on a planar shape.
    PlanarRound,
    /// A count out of its range.
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
    Inertia {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A shape without parts.
    NoParts,
    /// Two- and three-dimensional parts in one shape.
    MixedDimensions {
        /// Index of the spatial part.
        part: usize,
    },
    /// A planar part whose pose leaves the plane.
    OutOfPlane {
        /// Index of the part.
        part: usize,
    },
    /// Nothing in a shape has mass.
    NoMass,
    /// A file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file's contents are not what they should be.
    Parse {
        /// File or source of the bytes.
        name: String,
        /// What is wrong.
        reason: String,
        /// How to fix it.
        fix: &'static str,
    },
    /// A unit of length that is not known.
    UnknownUnit {
        /// The word given.
        unit: String,
    },
    /// The approximate convex decomposition gave no usable part.
    Decomposition {
        /// The mesh.
        name: String,
        /// What happened.
        reason: String,
    },
    /// An error with the mesh it occurred in.
    InMesh {
        /// File or source of the bytes.
        name: String,
        /// What is wrong (faces are the mesh's triangles).
        source: Box<GeometryError>,
    },
}

impl fmt::Display for GeometryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason(), self.fix())
    }
}

impl std::error::Error for GeometryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            Self::InMesh { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl GeometryError {
    /// What is wrong, with the part at fault.
    pub fn reason(&self) -> String {
        match self {
            Self::TooFewPoints {
                what,
                found,
                needed,
            } => format!("{what} needs at least {needed} points, found {found}"),
            Self::NotFinite { index, value } => {
                format!("point {index} has the coordinate {value}")
            }
            Self::Flat {
                what,
                dimension,
                extent,
                size,
                ..
            } => {
                let how = ["coincide", "lie on a line", "lie in a plane"][(*dimension).min(2)];
                format!(
                    "{what}: the points {how} (extent {extent:.1e} across a size of {size:.1e})"
                )
            }
            Self::Scale { size } => format!(
                "coordinates reach {size:.1e}, outside 1e-50 to 1e50, where volumes and moments leave the \
                 range of f64"
            ),
            Self::ShortFace { face, found } => format!("face {face} has {found} vertices"),
            Self::NoSuchPoint { face, index, count } => {
                format!("face {face} names point {index}, but there are {count} points")
            }
            Self::RepeatedVertex { face, index } => {
                format!("face {face} visits point {index} twice")
            }
            Self::UnusedPoint { index } => format!("point {index} belongs to no face"),
            Self::OpenEdge { face, edge: [i, j] } => {
                format!("the surface is open at edge {i} – {j} of face {face}")
            }
            Self::FlippedFace {
                face,
                other,
                edge: [i, j],
            } => format!(
                "faces {other} and {face} both run through edge {i} → {j}, so that one of them is turned \
                 inside out (or there twice)"
            ),
            Self::NotOneSurface { euler } => format!(
                "the faces form no single closed surface (vertices − edges + faces = {euler}, should be 2)"
            ),
            Self::InsideOut { volume } => {
                format!("the faces are inside out (signed volume {volume:.3e})")
            }
            Self::BentFace { face, point, by } => {
                format!("face {face} is not plane, point {point} is {by:.1e} off")
            }
            Self::ThinFace { face } => format!("face {face} has no area"),
            Self::NotConvex { face, point, by } => {
                format!("not convex at face {face}, point {point} lies {by:.1e} beyond its plane")
            }
            Self::Clockwise { area } => {
                format!("the polygon runs clockwise (signed area {area:.3e})")
            }
            Self::NotConvexAt { index } => {
                format!("the polygon is not convex at point {index}")
            }
            Self::NotPositive { what, value } => format!("{what} is {value}"),
            Self::PlanarRound => "a radius rounds bodies in space, not polygons".into(),
            Self::Count { what, value, .. } => format!("{what} is {value}"),
            Self::Inertia { reason } => (*reason).into(),
            Self::NoParts => "the shape has no parts".into(),
            Self::MixedDimensions { part } => format!("part {part} is spatial, others are planar"),
            Self::OutOfPlane { part } => format!("part {part} leaves the plane z = 0"),
            Self::NoMass => "no part of the shape has a volume".into(),
            Self::Read { path, source } => format!("cannot read {}: {source}", path.display()),
            Self::Parse { name, reason, .. } => format!("{name}: {reason}"),
            Self::UnknownUnit { unit } => format!("unknown unit {unit:?}"),
            Self::Decomposition { name, reason } => {
                format!("{name}: the convex decomposition failed ({reason})")
            }
            Self::InMesh { name, source } => format!("{name}: {}", source.reason()),
        }
    }

    /// How to fix it.
    pub fn fix(&self) -> Cow<'static, str> {
        let fix = match self {
            Self::Count { least, most, .. } => {
                return format!("choose a number from {least} to {most}").into();
            }
            Self::InMesh { source, .. } => return source.fix(),
            Self::Flat { fix, .. } | Self::Parse { fix, .. } => fix,
            Self::TooFewPoints { .. } => "give more points",
            Self::NotFinite { .. } => "every coordinate must be a finite number",
            Self::Scale { .. } => "choose other units",
            Self::ShortFace { .. } => "a face is a loop of at least three",
            Self::NoSuchPoint { .. } => "name one of them, counted from 0",
            Self::RepeatedVertex { .. } => "list each vertex of the loop once",
            Self::UnusedPoint { .. } => "remove it, or take the hull of the points instead",
            Self::OpenEdge { .. } => "add the missing face",
            Self::FlippedFace { .. } => "reverse its loop",
            Self::NotOneSurface { .. } => "give each convex part on its own",
            Self::InsideOut { .. } => "list every loop counter-clockwise seen from outside",
            Self::BentFace { .. } => "give more digits or split it into triangles",
            Self::ThinFace { .. } => "remove it",
            Self::NotConvex { .. } => "split the body into convex parts or take the hull",
            Self::Clockwise { .. } => "reverse the order of its points",
            Self::NotConvexAt { .. } => "split it into convex parts or take the hull",
            Self::NotPositive { .. } => "it must be positive and finite",
            Self::PlanarRound => "use a circle, or leave it out",
            Self::Inertia { .. } => "check the inertia (about the centre of mass, in body axes)",
            Self::NoParts => "give at least one convex part",
            Self::MixedDimensions { .. } => "use parts of one dimension",
            Self::OutOfPlane { .. } => "turn planar parts about z and move them in x and y only",
            Self::NoMass => "give mass and inertia of the body directly",
            Self::Read { .. } => "check the path and its permissions",
            Self::UnknownUnit { .. } => "use m, dm, cm, mm, um, km, in, ft or a scale factor",
            Self::Decomposition { .. } => "raise `resolution`, or use the hull",
        };
        fix.into()
    }
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
