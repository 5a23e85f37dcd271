//! What a report holds, as plain data: the page in the browser, the figures and the glTF file are
//! all drawn from it, and it is read back from a `report.html`.

use serde::{Deserialize, Serialize};

use super::arrays::Packed;
use crate::record::{Line, Verdict};

/// Version of the data in a report.
pub const REPORT_FORMAT: u32 = 1;

/// A report: one motion, or several that belong together (a guess and its solution, a plan and its
/// replay).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Version of the format, [`REPORT_FORMAT`].
    pub format: u32,
    /// One line for people.
    pub title: String,
    /// Name of the scenario with its variant.
    pub name: String,
    /// Where the scenario comes from.
    pub source: String,
    /// done, interrupted or failed; of an optimisation its status.
    pub status: String,
    /// Why it failed.
    pub error: Option<String>,
    /// Whether to trust it, in a sentence.
    pub verdict: (Verdict, String),
    /// What was run in short: pairs of a name and a value.
    pub facts: Vec<(String, String)>,
    /// What was kept, how well.
    pub ledger: Vec<Line>,
    /// The scenario as run.
    pub scenario: String,
    /// One or several motions.
    pub motions: Vec<Motion>,
    /// What is best read in rows and columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
}

/// Rows and columns for people.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it is of.
    pub title: String,
    /// What to know of it, may be empty.
    pub note: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// A stretch of time with a name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseView {
    /// A few words.
    pub name: String,
    /// When it begins and ends, in s.
    pub span: [f64; 2],
}

/// Bodies in motion, with curves over the same time.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Motion {
    /// What tells it apart from the others of the report.
    pub name: String,
    /// Bodies and what joins them.
    pub scene: Scene,
    /// What a viewer should know, may be empty.
    pub note: String,
    /// Number of frames recorded; fewer may be kept here.
    pub recorded: u64,
    /// Time of each frame in s.
    pub time: Packed<f64>,
    /// Positions: frame by frame, slot by slot, three numbers in m.
    pub position: Packed<f32>,
    /// Orientations: unit quaternions (x, y, z, w) times 32767.
    pub rotation: Packed<i16>,
    /// Vertices of the surfaces of elastic bodies: frame by frame, surface by surface, three numbers
    /// in m.
    #[serde(default)]
    pub surface_position: Packed<f32>,
    /// What colours them: frame by frame, surface by surface, displacement, strain energy density,
    /// von Mises stress of all vertices, in parts of 32767 of the largest value.
    #[serde(default)]
    pub surface_value: Packed<i16>,
    /// Contact events in order of time.
    pub contacts: Contacts,
    /// Forces of contacts where they are recorded, means over the time up to a frame: the impulses are
    /// forces in N.
    #[serde(default)]
    pub forces: Contacts,
    /// Curves.
    pub plots: Vec<Plot>,
    /// Phases of a plan, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseView>,
}

/// What does not change during a motion.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scene {
    /// Geometry, shared by bodies that look alike.
    pub shapes: Vec<Mesh>,
    /// Bodies, and points of linkages.
    pub bodies: Vec<BodyView>,
    /// Surfaces of elastic bodies.
    #[serde(default)]
    pub surfaces: Vec<SurfaceView>,
    /// Joints, rods, springs, arms.
    pub links: Vec<Link>,
    /// Charges fixed in bodies.
    pub charges: Vec<Charge>,
    /// Half-spaces.
    pub walls: Vec<WallView>,
    /// The direction that is up on the screen.
    pub up: [f64; 3],
    /// The direction from which the motion is seen best.
    pub view: [f64; 3],
    /// Lowest and highest corner of the space that bodies take up during the motion.
    pub bounds: [[f64; 3]; 2],
}

impl Default for Scene {
    /// Nothing, with z up, seen from the front.
    fn default() -> Self {
        Self {
            shapes: Vec::new(),
            bodies: Vec::new(),
            surfaces: Vec::new(),
            links: Vec::new(),
            charges: Vec::new(),
            walls: Vec::new(),
            up: [0.0, 0.0, 1.0],
            view: [0.0, -1.0, 0.0],
            bounds: [[-1.0; 3], [1.0; 3]],
        }
    }
}

/// Convex parts as faces, in the body frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mesh {
    /// Three numbers per vertex, in m.
    pub vertices: Packed<f32>,
    /// Faces one after the other: the number of corners, then their indices, counter-clockwise
    /// from outside. Faces of two corners are segments, of one corner points.
    pub faces: Packed<u32>,
    /// Number of faces of each convex part.
    pub parts: Vec<u32>,
}

/// A body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BodyView {
    /// Name.
    pub name: String,
    /// rigid, particle, static, or point (an end of a linkage).
    pub kind: String,
    /// Index of its shape; `None` is drawn as a sphere.
    pub shape: Option<usize>,
    /// Whether the shape only stands for the inertia of a body that has none.
    pub stand_in: bool,
    /// Radius of a sphere in m; zero for a point.
    pub radius: f32,
    /// Its place in every frame; `None` for what never moves.
    pub slot: Option<usize>,
    /// Position and quaternion (x, y, z, w) of what never moves.
    pub pose: Option<[f64; 7]>,
    /// Mass in kg, where it has one.
    pub mass: Option<f64>,
    /// Colour that the scenario gives it, as `#rrggbb`.
    #[serde(default)]
    pub color: Option<String>,
}

/// How many values colour a surface.
pub const SURFACE_VALUES: usize = 3;

/// The surface of an elastic body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SurfaceView {
    /// Name of the body.
    pub name: String,
    /// Number of vertices.
    pub vertices: usize,
    /// Three vertices per triangle, counter-clockwise from outside.
    pub triangles: Packed<u32>,
    /// Largest displacement from the best rigid motion (m), strain energy density (J/m³) and von
    /// Mises stress (Pa) of the motion.
    pub largest: [f64; SURFACE_VALUES],
    /// Mass in kg.
    pub mass: f64,
    /// Colour that the scenario gives it, as `#rrggbb`.
    #[serde(default)]
    pub color: Option<String>,
}

/// A point of a body (or of the world).
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Anchor {
    /// Index of the body; `None` is the world.
    pub body: Option<usize>,
    /// Coordinates in the body frame.
    pub local: [f64; 3],
}

/// Something that joins two points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Link {
    /// Name, may be empty; of a limit what contact events call it: `hinge upper limit`.
    pub name: String,
    /// Kind of joint, or spring, damper, arm, rail, slide, limit.
    pub kind: String,
    /// From here.
    pub a: Anchor,
    /// To there.
    pub b: Anchor,
    /// Axis in the frame of `a`.
    pub axis: Option<[f64; 3]>,
    /// Of a lower limit of an angle: how far it is to the upper one about `axis`, in rad.
    #[serde(default)]
    pub sweep: Option<f64>,
}

/// A charge.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Charge {
    /// Where.
    pub at: Anchor,
    /// How much.
    pub amount: f64,
}

/// A half-space: everything below a plane.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WallView {
    /// Name.
    pub name: String,
    /// Unit normal, out of the solid.
    pub normal: [f64; 3],
    /// A point of the plane.
    pub point: [f64; 3],
}

/// Contact events, column by column.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Contacts {
    /// How many there were; only the first are kept here.
    pub total: u64,
    /// Length of a step in s: over it, the impulse of a resting contact is a force. Zero if unknown.
    #[serde(default)]
    pub step: f64,
    /// Words that `kind`, `a`, `b` and the features point into.
    pub words: Vec<String>,
    /// Time in s.
    pub time: Packed<f64>,
    /// impact, stick, slide, rest, release.
    pub kind: Packed<u32>,
    /// First of the pair.
    pub a: Packed<u32>,
    /// Second of the pair.
    pub b: Packed<u32>,
    /// Feature of the first: vertex, edge, face, bead.
    pub feature_a: Packed<u32>,
    /// Feature of the second.
    pub feature_b: Packed<u32>,
    /// Three numbers each, in m.
    pub point: Packed<f32>,
    /// Three numbers each.
    pub normal: Packed<f32>,
    /// Impulse on the first, three numbers each, in N s.
    pub impulse: Packed<f32>,
    /// Size of the impulse: in N s, at a limit of an angle in N m s.
    #[serde(default)]
    pub strength: Packed<f32>,
    /// Change of energy in J.
    pub energy: Packed<f32>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Straight lines between points.
    #[default]
    Linear,
    /// Each value holds until the next.
    Steps,
    /// The decimal logarithm of sizes.
    Log,
}

/// Curves that share an axis.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Plot {
    /// What is drawn.
    pub title: String,
    /// Unit of the values; empty for pure numbers.
    pub unit: String,
    /// A sentence below it, may be empty.
    pub note: String,
    /// How it is drawn.
    pub scale: Scale,
    /// How large the values would be if their parts did not cancel; zero if unknown. Against it
    /// round-off is told from motion.
    #[serde(default)]
    pub size: f64,
    /// What the curves are drawn over; empty for time in s.
    #[serde(default)]
    pub axis: String,
    /// Times in s, or values of that axis.
    pub time: Packed<f64>,
    /// Curves.
    pub series: Vec<Series>,
}

/// A named curve.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Series {
    /// Name.
    pub name: String,
    /// One value per time of the plot; NaN where there is none.
    pub values: Packed<f64>,
    /// Least and largest value allowed, where there is a bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[Option<f64>; 2]>,
}

impl Motion {
    /// Number of bodies that move.
    pub fn slots(&self) -> usize {
        self.scene
            .bodies
            .iter()
            .filter(|b| b.slot.is_some())
            .count()
    }

    /// Position and unit quaternion (x, y, z, w) of a body at a frame.
    pub fn pose(&self, body: usize, frame: usize) -> ([f64; 3], [f64; 4]) {
        let none = ([0.0; 3], [0.0, 0.0, 0.0, 1.0]);
        let Some(view) = self.scene.bodies.get(body) else {
            return none;
        };
        let Some(slot) = view.slot else {
            return view
                .pose
                .map_or(none, |p| ([p[0], p[1], p[2]], [p[3], p[4], p[5], p[6]]));
        };
        let at = frame * self.slots() + slot;
        let (Some(x), Some(q)) = (
            self.position.0.get(3 * at..3 * at + 3),
            self.rotation.0.get(4 * at..4 * at + 4),
        ) else {
            return none;
        };
        (
            [x[0], x[1], x[2]].map(f64::from),
            [q[0], q[1], q[2], q[3]].map(|c| f64::from(c) / 32767.0),
        )
    }
}

impl Mesh {
    /// The faces as loops of vertex indices.
    pub fn loops(&self) -> impl Iterator<Item = &[u32]> {
        let mut rest = self.faces.0.as_slice();
        std::iter::from_fn(move || {
            let (count, after) = rest.split_first()?;
            let (face, after) = after.split_at(after.len().min(*count as usize));
            rest = after;
            Some(face)
        })
    }

    /// A vertex.
    pub fn vertex(&self, index: u32) -> [f64; 3] {
        let at = 3 * index as usize;
        [0, 1, 2].map(|c| f64::from(self.vertices.0[at + c]))
    }
}
