//! `[body.NAME] elastic = { … }` and `[nodes.NAME]`: elastic bodies, and sets of their nodes.

use std::path::Path;

use nalgebra::Vector3;

use super::bodies::colour;
use super::contact;
use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::given;
use super::joints::Names;
use super::scope::Scope;
use super::sections::repeated;
use super::shapes::{self, Meshes};
use super::source::Place;
use super::tree::Table;
use crate::elastic::{
    Damping, Mesh, MeshError, NeoHookean, ball, cuboid, cylinder, disc, polygon, prism, read_gmsh,
    rectangle, revolved, revolved_shell,
};
use crate::model::{GivenMotion, SolidSpec};
use crate::words::counted;

/// An elastic body as read, groups expanded.
#[derive(Clone, Debug)]
pub struct SolidEntry {
    /// Unique name.
    pub name: String,
    /// What the model gets, but for what node sets hold.
    pub spec: SolidSpec,
    /// Colour in pictures, as `#rrggbb`; chosen by its place in the file if not given.
    pub color: Option<String>,
    pub(crate) place: Place,
}

/// What a set of nodes is held by.
#[derive(Clone, Debug)]
pub enum HeldBy {
    /// Nothing: it is there for loads.
    Nothing,
    /// The world.
    World,
    /// A body, by its position among the scenario's.
    Body(usize),
    /// Nothing but a motion that is given, about a point of the world.
    Motion(GivenMotion, Vector3<f64>),
}

/// A set of nodes of an elastic body.
#[derive(Clone, Debug)]
pub struct NodeSet {
    /// Unique name.
    pub name: String,
    /// Position of the elastic body among the scenario's.
    pub solid: usize,
    /// Numbers of the nodes, from 0.
    pub nodes: Vec<usize>,
    /// What holds them.
    pub held: HeldBy,
}

/// Everything that may be said of an elastic body.
const KEYS: &[&str] = &[
    "elastic",
    "density",
    "position",
    "rotation",
    "rotation_deg",
    "velocity",
    "angular_velocity",
    "material",
    "color",
];

const SHAPES: &[&str] = &[
    "box",
    "rectangle",
    "disc",
    "polygon",
    "cylinder",
    "prism",
    "ball",
    "revolve",
    "mesh",
];

/// Most cells along an edge.
const MOST: u64 = 100_000;

/// Reads an elastic body.
pub(crate) fn body(
    name: &str,
    table: &Table,
    place: Place,
    path: String,
    scope: &Scope,
    meshes: &mut Meshes,
) -> Read<SolidEntry> {
    let fields = Fields::new(table, path, place, scope);
    fields.only(KEYS)?;
    let item = fields.need("elastic", "say what it is: elastic = { … }")?;
    let density = fields.need("density", "an elastic body needs a density in kg/m³")?;
    let density = density.positive()?;
    let own = item.fields()?;
    let mesh = mesh(&own, &item, meshes)?;
    let material = material(&own)?;
    let damping = own.get("damping").map(|d| damping(&d)).transpose()?;
    let itself = own.get("self_contact").map(|i| i.boolean()).transpose()?;
    own.finish()?;
    let planar = mesh.is_planar();
    let pose = shapes::pose(&fields, planar)?;
    let vector = |item: Item| match planar {
        true => item.planar_vector(),
        false => item.vector(),
    };
    let velocity = fields.get("velocity").map(vector).transpose()?;
    let spin = fields.get("angular_velocity");
    let spin = spin.map(|item| match planar {
        true => item.turn(),
        false => item.vector(),
    });
    let mut spec = SolidSpec::new(name, mesh, density, material)
        .damping(damping.unwrap_or_default())
        .pose(pose)
        .meets_itself(itself.unwrap_or(false))
        .velocity(velocity.unwrap_or_default())
        .angular_velocity(spin.transpose()?.unwrap_or_default());
    if let Some(surface) = contact::material_name(&fields)? {
        spec = spec.surface(surface);
    }
    let color = fields.get("color").map(|item| colour(&item)).transpose()?;
    fields.finish()?;
    Ok(SolidEntry {
        name: name.into(),
        spec,
        color,
        place,
    })
}

/// `E` and `nu`, or `lambda` and `mu`.
fn material(fields: &Fields) -> Read<NeoHookean> {
    let number = |key| fields.get(key).map(|item: Item| item.number()).transpose();
    let given = [
        number("E")?,
        number("nu")?,
        number("lambda")?,
        number("mu")?,
    ];
    let material = match given {
        [Some(young), Some(poisson), None, None] => {
            if !(young > 0.0 && poisson > -1.0 && poisson < 0.5) {
                let item = fields.need("E", "")?;
                return Err(item.fault(
                    format!("E = {young} with nu = {poisson} is not a material"),
                    "E must be positive, nu between -1 and 1/2 (0.49 for rubber)",
                ));
            }
            NeoHookean::from_young(young, poisson)
        }
        [None, None, Some(lambda), Some(mu)] => NeoHookean { lambda, mu },
        _ => {
            return Err(fields.fault(
                "its stiffness is not known",
                "give E (Young's modulus in Pa) and nu (Poisson's ratio), or lambda and mu in Pa",
            ));
        }
    };
    match material.is_stable() {
        true => Ok(material),
        false => Err(fields.fault(
            format!(
                "lambda = {} with mu = {} is not a stable material",
                material.lambda, material.mu
            ),
            "mu and 3 lambda + 2 mu must be positive",
        )),
    }
}

fn damping(item: &Item) -> Read<Damping> {
    let fields = item.fields()?;
    let number = |key| -> Read<f64> {
        let item = fields.get(key);
        item.map_or(Ok(0.0), |item: Item| item.non_negative())
    };
    let damping = Damping {
        mass: number("mass")?,
        stiffness: number("stiffness")?,
    };
    fields.finish()?;
    Ok(damping)
}

/// The mesh that is asked for.
fn mesh(fields: &Fields, item: &Item, meshes: &mut Meshes) -> Read<Mesh> {
    let fix = "say what it looks like: box = [a, b, c] with cells = [i, j, k], ball = r with layers = n, \
                cylinder, prism, revolve, rectangle, disc, polygon, or mesh = { file = \"body.msh\" }";
    let (kind, shape) = fields
        .one_of(SHAPES)?
        .ok_or_else(|| fields.fault("it has no shape", fix))?;
    let size = fields.get("size").map(|i| i.positive()).transpose()?;
    let count = |key: &'static str, length: f64| -> Read<usize> {
        match (fields.get(key), size) {
            (Some(item), _) => item.count(1, MOST).map(|n| n as usize),
            (None, Some(size)) => Ok(((length / size).ceil() as usize).max(1)),
            (None, None) => Err(fields.fault(
                format!("`{key}` is missing"),
                format!(
                    "say how fine its mesh is: {key} = …, or size = the length of an edge in m"
                ),
            )),
        }
    };
    let cells =
        |lengths: &[f64]| -> Read<Vec<usize>> {
            match (fields.get("cells"), size) {
            (Some(item), _) => {
                let items = item.list()?;
                if items.len() != lengths.len() {
                    return Err(item.fault(
                        counted(items.len(), "number"),
                        format!("give the number of cells along each of {} sides", lengths.len()),
                    ));
                }
                let each = items.iter();
                each.map(|i| i.count(1, MOST).map(|n| n as usize)).collect()
            }
            (None, Some(size)) => {
                let each = lengths.iter().map(|l| ((l / size).ceil() as usize).max(1));
                Ok(each.collect())
            }
            (None, None) => Err(fields.fault(
                "`cells` is missing",
                "say how fine its mesh is: cells = [i, j, k], or size = the length of an edge in m",
            )),
        }
        };
    let thickness = || -> Read<f64> {
        let item = fields.get("thickness");
        item.map_or(Ok(1.0), |item| item.positive())
    };
    let made = match kind {
        "box" => {
            let l = shape.numbers(3)?;
            let n = cells(&l)?;
            cuboid([l[0], l[1], l[2]], [n[0], n[1], n[2]])
        }
        "rectangle" => {
            let l = shape.numbers(2)?;
            let n = cells(&l)?;
            rectangle([l[0], l[1]], [n[0], n[1]], thickness()?)
        }
        "disc" => {
            let r = shape.positive()?;
            disc(r, count("rings", r)?, thickness()?)
        }
        "polygon" => {
            let corners = points(&shape)?;
            polygon(&corners, count("rings", reach(&corners))?, thickness()?)
        }
        "ball" => {
            let r = shape.positive()?;
            ball(r, count("layers", r)?)
        }
        "cylinder" => {
            let of = shape.fields()?;
            let radius = of.need("radius", "give it in m")?.positive()?;
            let height = of.need("height", "give it in m")?.positive()?;
            of.finish()?;
            let (rings, layers) = (count("rings", radius)?, count("layers", height)?);
            cylinder(radius, height, rings, layers)
        }
        "prism" => {
            let of = shape.fields()?;
            let corners = of.need("corners", "list them: [[x, y], …]")?;
            let corners = points(&corners)?;
            let height = of.need("height", "give it in m")?.positive()?;
            of.finish()?;
            let rings = count("rings", reach(&corners))?;
            prism(&corners, height, rings, count("layers", height)?)
        }
        "revolve" => revolve(&shape)?,
        _ => {
            let of = shape.fields()?;
            let file = of.need("file", "name the file: mesh = { file = \"body.msh\" }")?;
            let scale = of.get("scale").map(|i| i.positive()).transpose()?;
            let written = file.text()?;
            of.finish()?;
            if !written.ends_with(".msh") {
                return Err(file.fault(
                    format!("`{written}` is not a Gmsh file"),
                    "an elastic body needs tetrahedra: mesh the surface with Gmsh and name the .msh file",
                ));
            }
            let found = meshes.find(written);
            let bytes = std::fs::read(&found).map_err(|error| {
                file.fault(
                    format!("cannot read {}: {error}", found.display()),
                    "name a .msh file next to the scenario",
                )
            })?;
            meshes.note(written, &found);
            let made = gmsh(&bytes, &found, scale.unwrap_or(1.0), thickness()?);
            let made = made.map_err(|m| file.fault(m, "save it from Gmsh as version 4.1"))?;
            return made.map_err(|error| {
                file.fault(format!("{written}: {error}"), "repair the mesh in Gmsh")
            });
        }
    };
    made.map_err(|error| {
        let text = error.to_string();
        let (message, fix) = text.split_once(": ").unwrap_or((&text, "change the mesh"));
        item.fault(message, fix)
    })
}

/// A Gmsh file, scaled.
fn gmsh(
    bytes: &[u8],
    path: &Path,
    scale: f64,
    thickness: f64,
) -> Result<Result<Mesh, MeshError>, String> {
    let mesh = read_gmsh(bytes, thickness).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(mesh.and_then(|mesh| match scale == 1.0 {
        true => Ok(mesh),
        false => mesh.mapped(|x| x * scale),
    }))
}

fn revolve(item: &Item) -> Read<Result<Mesh, MeshError>> {
    let of = item.fields()?;
    let count = |key, fix| -> Read<usize> { Ok(of.need(key, fix)?.count(1, MOST)? as usize) };
    let layers = count(
        "layers",
        "say how many elements lead from inside to outside",
    )?;
    let sectors = count(
        "sectors",
        "say into how many parts a turn is cut, at least 3",
    )?;
    let made = match of.one_of(&["profile", "outer"])? {
        Some(("profile", profile)) => {
            let thickness = of
                .need("thickness", "a shell needs one, in m")?
                .positive()?;
            revolved_shell(&points(&profile)?, thickness, layers, sectors)
        }
        Some((_, outer)) => {
            let outer = points(&outer)?;
            let inner = match of.get("inner") {
                Some(inner) => points(&inner)?,
                // A full body reaches to the axis.
                None => outer.iter().map(|p| [0.0, p[1]]).collect(),
            };
            revolved(&inner, &outer, layers, sectors)
        }
        None => {
            return Err(of.fault(
                "it has no profile",
                "give profile = [[r, z], …] with thickness, or outer (and inner) = [[r, z], …]",
            ));
        }
    };
    of.finish()?;
    Ok(made)
}

/// A list of points in the plane.
fn points(item: &Item) -> Read<Vec<[f64; 2]>> {
    let each = item.list()?;
    each.iter()
        .map(|p| p.numbers(2).map(|v| [v[0], v[1]]))
        .collect()
}

/// Distance of the furthest corner from the centre.
fn reach(corners: &[[f64; 2]]) -> f64 {
    let n = corners.len().max(1) as f64;
    let centre = [0, 1].map(|k| corners.iter().map(|c| c[k]).sum::<f64>() / n);
    let far = corners
        .iter()
        .map(|c| (c[0] - centre[0]).hypot(c[1] - centre[1]));
    far.fold(0.0, f64::max)
}

/// Reads all sets of nodes.
pub(crate) fn node_sets(
    root: &Table,
    scope: &Scope,
    solids: &[SolidEntry],
    names: &Names,
    faults: &mut Vec<Fault>,
) -> Vec<NodeSet> {
    repeated(root, "nodes", scope, faults, |name, f| {
        let body = f.need("body", "name the elastic body")?;
        let wanted = body.reference()?;
        let solid = solids.iter().position(|s| s.name == wanted);
        let solid = solid.ok_or_else(|| {
            let known = solids.iter().map(|s| s.name.as_str());
            body.fault(
                format!("there is no elastic body `{wanted}`"),
                suggestion(&wanted, known),
            )
        })?;
        let nodes = chosen(f, solids[solid].spec.mesh())?;
        let held = match f.one_of(&["hold", "glue", "motion"])? {
            None => HeldBy::Nothing,
            Some(("motion", item)) => {
                let spec = &solids[solid].spec;
                let points = nodes.iter().map(|n| spec.mesh().points()[*n]);
                let middle = points.sum::<Vector3<f64>>() / nodes.len() as f64;
                HeldBy::Motion(given::of_nodes(&item)?, spec.start().point(&middle))
            }
            Some(("hold", item)) => match item.boolean()? {
                true => HeldBy::World,
                false => HeldBy::Nothing,
            },
            Some((_, item)) => HeldBy::Body(names.body(&item)?),
        };
        Ok(NodeSet {
            name: name.into(),
            solid,
            nodes,
            held,
        })
    })
}

/// Nodes in a box, on a plane or on a cylinder, in the frame the mesh is drawn in.
fn chosen(fields: &Fields, mesh: &Mesh) -> Read<Vec<usize>> {
    let fix = "choose its nodes: box = [[x, y, z], [x, y, z]], plane = { point = […], normal = […] }, cylinder = { point = […], axis = […], radius = r }, or all = true";
    let near = fields.get("tolerance").map(|i| i.positive()).transpose()?;
    let near = near.unwrap_or(1e-6 * mesh.size());
    // Two numbers do for bodies in a plane.
    let vector = |item: &Item| match mesh.is_planar() {
        true => item.planar_vector(),
        false => item.vector(),
    };
    let (key, item) = fields
        .one_of(&["box", "plane", "cylinder", "all"])?
        .ok_or_else(|| fields.fault("it chooses no nodes", fix))?;
    let nodes = match key {
        "box" => {
            let corners = item.list()?;
            let [a, b] = &corners[..] else {
                return Err(item.fault("a box has two corners", fix));
            };
            let (a, b) = (vector(a)?, vector(b)?);
            let (low, high) = (a.inf(&b), a.sup(&b));
            let inside =
                |x: &Vector3<f64>| (0..3).all(|k| x[k] >= low[k] - near && x[k] <= high[k] + near);
            mesh.nodes_where(inside)
        }
        "plane" => {
            let of = item.fields()?;
            let point = vector(&of.need("point", "give a point of the plane")?)?;
            let normal = of.need("normal", "give its normal")?;
            let normal = normal.direction_of(vector(&normal)?)?;
            of.finish()?;
            mesh.nodes_where(|x| (x - point).dot(&normal).abs() <= near)
        }
        "cylinder" => {
            let of = item.fields()?;
            let point = vector(&of.need("point", "give a point of its axis")?)?;
            let axis = of.need("axis", "give its axis")?.direction()?;
            let radius = of.need("radius", "give it in m")?.positive()?;
            of.finish()?;
            mesh.nodes_where(|x| {
                let away = (x - point) - axis * axis.dot(&(x - point));
                (away.norm() - radius).abs() <= near
            })
        }
        _ if item.boolean()? => (0..mesh.points().len()).collect(),
        _ => return Err(item.fault("chooses no nodes", fix)),
    };
    if nodes.is_empty() {
        let x = mesh.points();
        let (low, high) = (x.iter()).fold((x[0], x[0]), |(l, h), x| (l.inf(x), h.sup(x)));
        return Err(item.fault(
            "no node is there",
            format!(
                "the mesh goes from [{}, {}, {}] to [{}, {}, {}] in its own frame",
                low.x, low.y, low.z, high.x, high.y, high.z
            ),
        ));
    }
    Ok(nodes)
}

/// Whether a table is that of an elastic body.
pub(crate) fn is_elastic(table: &Table) -> bool {
    table.contains_key("elastic")
}
