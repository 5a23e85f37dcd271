//! `shape = { box = [a, b, c] }` and its relatives.

use std::path::{Path, PathBuf};

use carom_gap::Pose;
use carom_gap::geometry::{
    Convex, Decompose, GeometryError, Mesh, MeshUse, Part, PartsError, Polygon, Polytope, Shape,
    Unit,
};
use carom_gap::round::Round;
use nalgebra::Vector3;

use super::contact::material_name;
use super::fields::{Fields, Item, Read};
use super::tree::Value;

/// Where mesh files are looked for, and which were read.
#[derive(Debug, Default)]
pub(crate) struct Meshes {
    /// Folder of the scenario file.
    folder: PathBuf,
    /// Files as written in the scenario and as found.
    pub used: Vec<(String, PathBuf)>,
    /// Shapes made, with what was asked for: members of a group share them.
    made: Vec<(String, Shape)>,
    /// What was made of each file.
    pub decomposed: Vec<MeshFact>,
}

/// What was made of a mesh file for contact.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshFact {
    /// The file as written.
    pub file: String,
    /// Number of convex parts.
    pub parts: usize,
    /// How far they are from the mesh.
    pub error: PartsError,
}

impl std::fmt::Display for MeshFact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, parts, error } = self;
        let parts = crate::words::counted(*parts, "convex part");
        if error.exact {
            return write!(f, "{file} as {parts}, exactly");
        }
        write!(f, "{file} as {parts}, up to {:.3e} m off", error.distance)?;
        match error.volume {
            Some(volume) => write!(f, ", volume {:+.2} %", 100.0 * volume),
            None => Ok(()),
        }
    }
}

impl Meshes {
    /// For a scenario in this folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.into(),
            ..Self::default()
        }
    }

    /// Where a file is.
    pub fn find(&self, written: &str) -> PathBuf {
        self.folder.join(Path::new(written))
    }

    /// Notes that a file was read.
    pub fn note(&mut self, written: &str, path: &Path) {
        if !self.used.iter().any(|(w, _)| w == written) {
            self.used.push((written.into(), path.into()));
        }
    }
}

const KINDS: &[&str] = &[
    "box",
    "cube",
    "prism",
    "pyramid",
    "tetrahedron",
    "octahedron",
    "dodecahedron",
    "icosahedron",
    "simplex",
    "sphere",
    "capsule",
    "cylinder",
    "cone",
    "disc",
    "ellipsoid",
    "hull",
    "point",
    "segment",
    "mesh",
    "polygon",
    "rectangle",
    "regular",
    "circle",
];

/// Those in the plane z = 0, where two numbers are a place.
const IN_PLANE: [&str; 4] = ["polygon", "rectangle", "regular", "circle"];

/// Facets along a quarter turn of what stands for a round body in drawings and plans.
const FINENESS: usize = 4;

/// A shape, and the materials that its parts name; none if no part does.
type Shaped = (Shape, Vec<Option<String>>);

/// The parts of a body: one shape, or a list of placed ones.
pub(crate) fn shape(fields: &Fields, density: f64, meshes: &mut Meshes) -> Read<Option<Shaped>> {
    let Some((key, item)) = fields.one_of(&["shape", "parts"])? else {
        return Ok(None);
    };
    // A mesh on its own weighs by its surface, exactly, whatever its parts are.
    if let Some(entry) = item.node.table().and_then(|t| t.get("mesh"))
        && key == "shape"
    {
        let fields = item.fields()?;
        fields.one_of(KINDS)?;
        fields.finish()?;
        let value = Item {
            node: &entry.node,
            path: format!("{}.mesh", item.path),
            scope: item.scope,
        };
        return mesh(&value, density, meshes).map(|shape| Some((shape, Vec::new())));
    }
    let mut materials = Vec::new();
    let parts = match key {
        "shape" => parts_of(&item, density, meshes)?,
        _ => {
            let mut parts = Vec::new();
            for entry in item.list()? {
                let part = entry.fields()?;
                let density = match part.get("density") {
                    Some(own) => own.positive()?,
                    None => density,
                };
                let shape = part.need("shape", "each part is { shape = { … }, position = […] }")?;
                let kinds = shape.node.table();
                let flat = kinds.is_some_and(|t| IN_PLANE.iter().any(|k| t.contains_key(*k)));
                let pose = pose(&part, flat)?;
                let material = material_name(&part)?;
                part.finish()?;
                let inner = parts_of(&shape, density, meshes)?;
                materials.extend(inner.iter().map(|_| material.clone()));
                parts.extend(inner.into_iter().map(|inner| {
                    let placed = pose.compose(&inner.pose);
                    inner.at(placed)
                }));
            }
            parts
        }
    };
    if materials.iter().all(Option::is_none) {
        materials.clear();
    }
    let shape = Shape::new(parts).map_err(|error| geometry_fault(&item, &error))?;
    Ok(Some((shape, materials)))
}

/// `position` and `rotation` or `rotation_deg`.
pub(crate) fn pose(fields: &Fields, planar: bool) -> Read<Pose> {
    let vector = |item: Item| match planar {
        true => item.planar_vector(),
        false => item.vector(),
    };
    let position = fields.get("position").map(vector).transpose()?;
    let rotation = match fields.one_of(&["rotation", "rotation_deg"])? {
        None => Vector3::zeros(),
        Some((key, item)) => {
            let v = item.turn()?;
            let radians = if key == "rotation" {
                1.0
            } else {
                1f64.to_radians()
            };
            if key == "rotation" && v.norm() > 4.0 * std::f64::consts::PI {
                return Err(item.fault(
                    format!("turns by {:.1} rad, more than twice around", v.norm()),
                    "rotation is in radians; write rotation_deg for degrees",
                ));
            }
            v * radians
        }
    };
    Ok(Pose::new(position.unwrap_or_default(), rotation))
}

fn geometry_fault(item: &Item, error: &GeometryError) -> Box<super::error::Fault> {
    item.fault(error.reason(), error.fix())
}

fn parts_of(item: &Item, density: f64, meshes: &mut Meshes) -> Read<Vec<Part>> {
    let fields = item.fields()?;
    let kind = fields.one_of(KINDS)?;
    let ball = fields.get("radius").map(|r| r.positive()).transpose()?;
    fields.finish()?;
    let (kind, value) = kind.ok_or_else(|| {
        item.fault(
            "names no shape",
            format!("write one of {}", KINDS.join(", ")),
        )
    })?;
    if kind == "mesh" {
        return Ok(mesh(&value, density, meshes)?.parts().to_vec());
    }
    let mut convex = convex(kind, &value)?.map_err(|error| geometry_fault(&value, &error))?;
    if let Some(radius) = ball {
        convex = swept(convex, radius).map_err(|error| geometry_fault(item, &error))?;
    }
    Ok(vec![Part::new(convex, density)])
}

type Made = Result<Convex, GeometryError>;

/// The outer result is for what was written, the inner for what it means.
fn convex(kind: &str, value: &Item) -> Read<Made> {
    let solid = |polytope: Result<Polytope, GeometryError>| polytope.map(Convex::from);
    let flat = |polygon: Result<Polygon, GeometryError>| polygon.map(Convex::from);
    Ok(match kind {
        "box" => {
            let v = value.numbers(3)?;
            solid(Polytope::cuboid(v[0], v[1], v[2]))
        }
        "cube" => solid(Polytope::cube(value.number()?)),
        "tetrahedron" => solid(Polytope::tetrahedron(value.number()?)),
        "octahedron" => solid(Polytope::octahedron(value.number()?)),
        "dodecahedron" => solid(Polytope::dodecahedron(value.number()?)),
        "icosahedron" => solid(Polytope::icosahedron(value.number()?)),
        "prism" | "pyramid" => {
            let fields = value.fields()?;
            let base = base(&fields)?;
            let height = fields
                .need("height", "give the height in metres")?
                .number()?;
            fields.finish()?;
            solid(base.and_then(|base| match kind {
                "prism" => Polytope::prism(&base, height),
                _ => Polytope::pyramid(&base, height),
            }))
        }
        "simplex" => {
            let points = points(value)?;
            match <[Vector3<f64>; 4]>::try_from(points) {
                Ok(points) => solid(Polytope::simplex(&points)),
                Err(points) => {
                    return Err(value.fault(
                        format!("has {}", crate::words::counted(points.len(), "point")),
                        "a simplex has four points",
                    ));
                }
            }
        }
        "hull" => solid(Polytope::hull(&points(value)?)),
        "point" => Convex::point(value.planar_vector()?),
        "segment" => match points(value)?.as_slice() {
            [from, to] => Convex::segment(*from, *to),
            others => {
                return Err(value.fault(
                    format!("has {}", crate::words::counted(others.len(), "point")),
                    "a segment has two points",
                ));
            }
        },
        "polygon" => {
            let corners: Vec<_> = points(value)?.iter().map(|p| [p.x, p.y]).collect();
            flat(Polygon::from_loop(&corners))
        }
        "rectangle" => {
            let v = value.numbers(2)?;
            flat(Polygon::rectangle(v[0], v[1]))
        }
        "regular" => {
            let fields = value.fields()?;
            let polygon = base(&fields)?;
            fields.finish()?;
            flat(polygon)
        }
        _ => round(kind, value)?,
    })
}

/// A body with a ball swept over it: its edges and corners are round.
fn swept(convex: Convex, radius: f64) -> Made {
    let round = match convex.as_round() {
        Some(round) => round.clone().rounded(radius)?,
        None if convex.is_planar() => {
            return Err(GeometryError::PlanarRound);
        }
        None => Round::swept(convex.vertices().clone(), radius)?,
    };
    Convex::round(round, FINENESS)
}

/// Bodies with curved sides, exact unless `facets` asks for a polytope in their place.
fn round(kind: &str, value: &Item) -> Read<Made> {
    let table = matches!(value.node.value, Value::Table(_));
    match kind {
        "sphere" if !table => {
            let radius = value.number()?;
            return Ok(ball(radius, FINENESS));
        }
        "circle" if !table => return Ok(circle(value.number()?, 24, None)),
        "disc" if !table => return Ok(disc(value.number()?, 0.0)),
        "ellipsoid" if !table => {
            let v = value.numbers(3)?;
            return Ok(Round::ellipsoid(v[0], v[1], v[2]).and_then(|r| Convex::round(r, 6)));
        }
        _ => {}
    }
    let fields = value.fields()?;
    let number = |key: &'static str, hint: &str| fields.need(key, hint)?.number();
    let count = |key: &'static str, most: u64| {
        let item = fields.get(key);
        item.map(|item| item.count(1, most).map(|n| n as usize))
            .transpose()
    };
    let metres = "give the radius in metres";
    let tall = "give the height in metres";
    let made = match kind {
        "sphere" => {
            let radius = number("radius", metres)?;
            let (facets, fine) = (count("facets", 64)?, count("divisions", 64)?);
            match facets {
                Some(n) => Convex::sphere(radius, n),
                None => ball(radius, fine.unwrap_or(FINENESS)),
            }
        }
        "circle" => {
            let radius = number("radius", metres)?;
            let (facets, sides) = (count("facets", 512)?, count("sides", 512)?);
            circle(radius, sides.unwrap_or(24), facets)
        }
        "capsule" => {
            let (radius, height) = (number("radius", metres)?, number("height", tall)?);
            let fine = count("divisions", 64)?.unwrap_or(FINENESS);
            Round::capsule(radius, height).and_then(|r| Convex::round(r, fine))
        }
        "disc" => {
            let radius = number("radius", metres)?;
            let thickness = fields
                .get("thickness")
                .map(|t| t.non_negative())
                .transpose()?;
            disc(radius, thickness.unwrap_or(0.0))
        }
        "ellipsoid" => {
            let v = fields
                .need("axes", "give three semi-axes in metres")?
                .numbers(3)?;
            let fine = count("divisions", 64)?.unwrap_or(6);
            Round::ellipsoid(v[0], v[1], v[2]).and_then(|r| Convex::round(r, fine))
        }
        _ => {
            let (radius, height) = (number("radius", metres)?, number("height", tall)?);
            let (facets, sides) = (count("facets", 512)?, count("sides", 512)?);
            let n = facets.or(sides).unwrap_or(24);
            let (polytope, exact) = match kind {
                "cylinder" => (
                    Convex::cylinder(radius, height, n),
                    Round::cylinder(radius, height),
                ),
                _ => (Convex::cone(radius, height, n), Round::cone(radius, height)),
            };
            match facets {
                Some(_) => polytope,
                None => exact.and_then(|round| Ok(polytope?.colliding_as(round))),
            }
        }
    };
    fields.finish()?;
    Ok(made)
}

fn ball(radius: f64, divisions: usize) -> Made {
    let round = Round::sphere(radius)?;
    Ok(Convex::sphere(radius, divisions)?.colliding_as(round))
}

fn disc(radius: f64, thickness: f64) -> Made {
    Round::disc(radius, thickness).and_then(|round| Convex::round(round, 6))
}

/// A circle in the plane, exact unless `facets` says otherwise.
fn circle(radius: f64, sides: usize, facets: Option<usize>) -> Made {
    Convex::circle(radius, facets.unwrap_or(sides)).and_then(|polygon| match facets {
        Some(_) => Ok(polygon),
        None => Ok(polygon.colliding_as(Round::circle(radius)?)),
    })
}

/// `base = [a, b]`, or `sides` with `side` or `radius`.
fn base(fields: &Fields) -> Read<Result<Polygon, GeometryError>> {
    if let Some(base) = fields.get("base") {
        let v = base.numbers(2)?;
        return Ok(Polygon::rectangle(v[0], v[1]));
    }
    let sides = fields
        .need(
            "sides",
            "give sides = n with side or radius, or base = [a, b]",
        )?
        .count(3, 512)? as usize;
    match fields.one_of(&["side", "radius"])? {
        Some(("side", item)) => Ok(Polygon::regular_with_side(sides, item.number()?)),
        Some((_, item)) => Ok(Polygon::regular(sides, item.number()?)),
        None => Err(fields.fault(
            "`side` or `radius` is missing",
            "give the length of a side, or the radius through the corners, in metres",
        )),
    }
}

fn points(value: &Item) -> Read<Vec<Vector3<f64>>> {
    const MOST: usize = 100_000;
    let items = value.list()?;
    if items.len() > MOST {
        return Err(value.fault(
            format!("has {}", crate::words::counted(items.len(), "point")),
            format!("at most {MOST} points are read; use a mesh file"),
        ));
    }
    items.iter().map(Item::planar_vector).collect()
}

fn mesh(value: &Item, density: f64, meshes: &mut Meshes) -> Read<Shape> {
    let fields = value.fields()?;
    let file = fields.need("file", "name an STL or OBJ file")?;
    let unit = match fields.get("units") {
        Some(item) => (item.text()?.parse::<Unit>()).map_err(|e| geometry_fault(&item, &e))?,
        None => Unit::Meter,
    };
    let usage = match fields.get("use") {
        Some(item) => item.choice(&[("hull", false), ("decompose", true)])?,
        None => false,
    };
    let mut how = Decompose::default();
    let settings = ["resolution", "max_parts", "concavity"].map(|key| fields.get(key));
    if let (false, Some(item)) = (usage, settings.iter().flatten().next()) {
        return Err(item.fault(
            "belongs to a decomposition",
            "write use = \"decompose\" beside it, or leave it out",
        ));
    }
    let [resolution, max_parts, concavity] = settings;
    if let Some(item) = resolution {
        how.resolution = item.count(8, 400)? as u32;
    }
    if let Some(item) = max_parts {
        how.max_parts = item.count(4, 1024)? as u32;
    }
    if let Some(item) = concavity {
        how.concavity = item.number()?;
        how.validate().map_err(|e| geometry_fault(&item, &e))?;
    }
    fields.finish()?;
    let written = file.text()?;
    let key = format!("{written} {unit:?} {usage} {how:?} {density:?}");
    if let Some((_, shape)) = meshes.made.iter().find(|(k, _)| *k == key) {
        return Ok(shape.clone());
    }
    let path = meshes.find(written);
    let read = Mesh::read(&path, unit).map_err(|error| {
        let fix = match &error {
            GeometryError::Read { .. } => {
                "the path is relative to the scenario file; STL and OBJ are read".into()
            }
            other => other.fix(),
        };
        file.fault(error.reason(), fix)
    })?;
    meshes.note(written, &path);
    let how = match usage {
        true => MeshUse::Decompose(how),
        false => MeshUse::Hull,
    };
    let made = read.shape_with_error(&how, density);
    let (shape, error) = made.map_err(|error| geometry_fault(value, &error))?;
    meshes.decomposed.push(MeshFact {
        file: written.into(),
        parts: shape.parts().len(),
        error,
    });
    meshes.made.push((key, shape.clone()));
    Ok(shape)
}
