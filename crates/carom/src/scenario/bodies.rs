//! `[body.NAME]`, `[template.NAME]`, `[group.NAME]`.

use carom_engine::inner;

use super::contact;
use super::elastic;
use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::first_guesses;
use super::given;
use super::layout;
use super::scope::Scope;
use super::sections::named;
use super::shapes::{self, Meshes};
use super::source::Place;
use super::tree::{self, Entry, Table, Value};
use super::{BodyEntry, SolidEntry};
use crate::model::BodySpec;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Rigid,
    Particle,
    Static,
    Sensor,
}

/// Everything that may be said of a body.
const KEYS: &[&str] = &[
    "kind",
    "planar",
    "shape",
    "parts",
    "density",
    "mass",
    "inertia",
    "radius",
    "position",
    "rotation",
    "rotation_deg",
    "velocity",
    "angular_velocity",
    "material",
    "collides_with",
    "belt",
    "motion",
    "color",
    "elastic",
];

/// Reads all bodies, groups expanded, in the order of the file.
pub(crate) fn read(
    root: &Table,
    scope: &Scope,
    meshes: &mut Meshes,
    faults: &mut Vec<Fault>,
) -> (Vec<BodyEntry>, Vec<SolidEntry>) {
    let templates: Vec<_> = named(root, "template", faults);
    // A template that no body uses is looked at, too: its mistakes would wait for the first user.
    for (name, entry, table) in &templates {
        let fields = Fields::new(table, format!("template.{name}"), entry.key, scope);
        fields.get("use");
        fields.get("layout");
        if let Err(fault) = first_guesses::refuse_body(&fields).and_then(|()| fields.only(KEYS)) {
            faults.push(*fault);
        }
    }
    let mut all: Vec<Entered> = Vec::new();
    let mut sections: Vec<_> = (named(root, "body", faults).into_iter())
        .map(|s| ("body", s))
        .collect();
    sections.extend(
        named(root, "group", faults)
            .into_iter()
            .map(|s| ("group", s)),
    );
    // Bodies and groups stand in the order of the file.
    sections.sort_by_key(|(_, (_, entry, _))| (entry.key.source, entry.key.start));
    for (kind, (name, entry, table)) in sections {
        let read = with_template(table, &templates, 0).and_then(|merged| match kind {
            "body" => either(
                name,
                &merged,
                entry.key,
                format!("body.{name}"),
                scope,
                meshes,
            )
            .map(|b| vec![b]),
            _ => group(name, &merged, entry.key, scope, meshes),
        });
        match read {
            Ok(mut read) => all.append(&mut read),
            Err(fault) => faults.push(*fault),
        }
    }
    let mut seen = std::collections::HashSet::new();
    for entered in &all {
        let (name, place) = match entered {
            Entered::Body(b) => (&b.name, b.place),
            Entered::Solid(s) => (&s.name, s.place),
        };
        if !seen.insert(name.as_str()) {
            faults.push(Fault::new(
                place,
                format!("body.{name}"),
                format!("there are two bodies named `{name}`"),
                "give each its own name; members of a group are NAME-1, NAME-2, …",
            ));
        }
    }
    let (mut bodies, mut solids) = (Vec::new(), Vec::new());
    for entered in all {
        match entered {
            Entered::Body(b) => bodies.push(*b),
            Entered::Solid(s) => solids.push(*s),
        }
    }
    (bodies, solids)
}

/// A body of either kind.
enum Entered {
    Body(Box<BodyEntry>),
    Solid(Box<SolidEntry>),
}

/// A body that is rigid or elastic.
fn either(
    name: &str,
    table: &Table,
    place: Place,
    path: String,
    scope: &Scope,
    meshes: &mut Meshes,
) -> Read<Entered> {
    Ok(match elastic::is_elastic(table) {
        true => {
            let solid = elastic::body(name, table, place, path, scope, meshes)?;
            Entered::Solid(Box::new(solid))
        }
        false => Entered::Body(Box::new(body(name, table, place, path, scope, meshes)?)),
    })
}

/// The table with what its template says below it.
fn with_template(table: &Table, templates: &[(&str, &Entry, &Table)], depth: usize) -> Read<Table> {
    let Some(entry) = table.get("use") else {
        return Ok(table.clone());
    };
    let fault =
        |message: String, fix: String| Box::new(Fault::new(entry.node.place, "use", message, fix));
    let Value::Text(wanted) = &entry.node.value else {
        return Err(fault(
            "not a name".into(),
            "write use = \"NAME\" of a [template.NAME]".into(),
        ));
    };
    if depth > 16 {
        return Err(fault(
            format!("template `{wanted}` uses itself"),
            "templates may use others, but not in a circle".into(),
        ));
    }
    let found = templates.iter().find(|(name, ..)| name == wanted);
    let (.., template) = found.ok_or_else(|| {
        let known = templates.iter().map(|(name, ..)| *name);
        fault(
            format!("there is no template `{wanted}`"),
            suggestion(wanted, known),
        )
    })?;
    let mut merged = with_template(template, templates, depth + 1)?;
    let mut own = table.clone();
    own.shift_remove("use");
    tree::merge(&mut merged, &own);
    Ok(merged)
}

fn group(
    name: &str,
    table: &Table,
    place: Place,
    scope: &Scope,
    meshes: &mut Meshes,
) -> Read<Vec<Entered>> {
    let path = format!("group.{name}");
    let fields = Fields::new(table, &path, place, scope);
    let layout = fields.need(
        "layout",
        "say where its members are: layout = { line = { … } }",
    )?;
    let spots = layout::spots(&layout)?;
    let mut own = table.clone();
    own.shift_remove("layout");
    let n = spots.len() as f64;
    let mut bodies = Vec::with_capacity(spots.len());
    for (k, spot) in spots.iter().enumerate() {
        let p = spot.position;
        let locals = [
            ("i", k as f64),
            ("n", n),
            ("x", p.x),
            ("y", p.y),
            ("z", p.z),
            ("angle", spot.angle),
        ];
        let scope = scope.with(&locals, k as u64);
        let mut member = either(
            &format!("{name}-{}", k + 1),
            &own,
            place,
            path.clone(),
            &scope,
            meshes,
        )?;
        if !own.contains_key("position") {
            match &mut member {
                Entered::Body(b) => b.spec = b.spec.clone().position(p),
                Entered::Solid(s) => {
                    let pose = *s.spec.start();
                    s.spec = s.spec.clone().pose(crate::Pose {
                        position: p,
                        ..pose
                    });
                }
            }
        }
        bodies.push(member);
    }
    Ok(bodies)
}

fn body(
    name: &str,
    table: &Table,
    place: Place,
    path: String,
    scope: &Scope,
    meshes: &mut Meshes,
) -> Read<BodyEntry> {
    let fields = Fields::new(table, path, place, scope);
    first_guesses::refuse_body(&fields)?;
    fields.only(KEYS)?;
    let kinds = [
        ("rigid", Kind::Rigid),
        ("particle", Kind::Particle),
        ("static", Kind::Static),
        ("sensor", Kind::Sensor),
    ];
    let kind = fields
        .get("kind")
        .map(|item| item.choice(&kinds))
        .transpose()?;
    let kind = kind.unwrap_or(Kind::Rigid);
    let planar = fields
        .get("planar")
        .map(|item| item.boolean())
        .transpose()?;
    let planar = planar.unwrap_or(false);
    let density = fields
        .get("density")
        .map(|item| item.positive())
        .transpose()?;
    let mass = fields.get("mass").map(|item| item.positive()).transpose()?;
    let inertia = fields.get("inertia");
    let (shape, part_materials) = shapes::shape(&fields, density.unwrap_or(1.0), meshes)?.unzip();
    let weighs = shape
        .as_ref()
        .is_some_and(|s| s.mass_properties().is_some());
    let mut spec = match kind {
        Kind::Rigid => BodySpec::rigid(name),
        Kind::Static => BodySpec::fixed(name),
        Kind::Sensor => BodySpec::sensor(name),
        Kind::Particle => {
            let mass = mass.ok_or_else(|| {
                fields.fault("`mass` is missing", "a particle needs a mass in kg")
            })?;
            BodySpec::particle(name, mass)
        }
    };
    if kind == Kind::Rigid {
        let complete = (weighs && (density.is_some() || mass.is_some()))
            || (mass.is_some() && inertia.is_some());
        let parts_weigh = table.contains_key("parts") && weighs;
        if !complete && !parts_weigh {
            return Err(fields.fault(
                "its mass is not known",
                "give a shape and a density (kg/m³, kg/m² for planar shapes), or mass and inertia",
            ));
        }
    }
    if let (Some(mass), Kind::Rigid) = (mass, kind) {
        spec = spec.mass(mass);
    }
    if let Some(item) = &inertia {
        if mass.is_none() {
            return Err(item.fault("inertia is given without mass", "give both"));
        }
        let planar_number = planar && !matches!(item.node.value, Value::List(_));
        let tensor = match planar_number {
            // About z only; the other two do not matter in the plane.
            true => nalgebra::Matrix3::from_diagonal_element(item.positive()?),
            false => item.symmetric()?,
        };
        spec = spec.inertia(tensor);
    }
    // Where the centre of mass is in the frame the shape is drawn in.
    let center = match kind {
        Kind::Rigid => shape
            .as_ref()
            .and_then(|s| s.mass_properties())
            .map(|m| m.center),
        _ => None,
    };
    if let Some(shape) = shape {
        spec = spec.shape(shape);
    }
    spec = spec.part_materials(part_materials.unwrap_or_default());
    if let Some(item) = fields.get("radius") {
        spec = spec.radius(item.non_negative()?);
    }
    spec = spec.pose(shapes::pose(&fields, planar)?);
    let vector = |item: Item| match planar {
        true => item.planar_vector(),
        false => item.vector(),
    };
    if let Some(velocity) = fields.get("velocity").map(vector).transpose()? {
        spec = spec.velocity(velocity);
    }
    if let Some(item) = fields.get("angular_velocity") {
        spec = spec.angular_velocity(match planar {
            true => item.turn()?,
            false => item.vector()?,
        });
    }
    for key in ["velocity", "angular_velocity"] {
        let given = match key {
            "velocity" => inner::velocities(&spec)[0],
            _ => inner::velocities(&spec)[1],
        };
        if matches!(kind, Kind::Static | Kind::Sensor) && given.norm() > 0.0 {
            let place = table.get(key).map_or(place, |entry| entry.node.place);
            return Err(Box::new(Fault::new(
                place,
                format!("{}.{key}", fields.path),
                "belongs to a body that forces do not move",
                "give its motion: motion = { displacement = [\"0.5*t\", 0, 0] }, or \
                 motion = { rotation = { axis = [0, 0, 1], angle = \"2*t\" } }; a surface that moves is a belt",
            )));
        }
    }
    if planar {
        spec = spec.planar();
    }
    let color = fields.get("color").map(|item| colour(&item)).transpose()?;
    let material = contact::material_name(&fields)?;
    if let Some(material) = &material {
        spec = spec.material(material);
    }
    let middle = spec.start().position;
    if let Some(belt) = contact::belt(&fields, &middle)? {
        if kind != Kind::Static {
            return Err(fields.fault(
                "has a belt and moves itself",
                "only static bodies and half-spaces have a surface that moves",
            ));
        }
        spec = spec.belt(belt);
    }
    if let Some(item) = fields.get("motion") {
        if !matches!(kind, Kind::Static | Kind::Sensor) {
            return Err(item.fault(
                "is given, but forces move this body",
                "write kind = \"static\", or leave the motion out",
            ));
        }
        spec = given::motion(&item, spec)?;
    }
    let collides_with = contact::mask(&fields)?;
    fields.finish()?;
    Ok(BodyEntry {
        collides_with,
        name: name.into(),
        spec,
        place,
        center: center.unwrap_or_default(),
        material,
        color,
    })
}

/// `#rrggbb`, `#rgb`, or one of a few names; as `#rrggbb`.
pub(super) fn colour(item: &Item) -> Read<String> {
    const NAMES: [(&str, &str); 12] = [
        ("black", "#000000"),
        ("blue", "#2f6fd0"),
        ("brown", "#8b5a2b"),
        ("cyan", "#2fb5c7"),
        ("gray", "#8a929c"),
        ("green", "#3a9a55"),
        ("orange", "#e08a2e"),
        ("pink", "#d977a8"),
        ("purple", "#7a5fb5"),
        ("red", "#cf3a3a"),
        ("white", "#ffffff"),
        ("yellow", "#d9c02f"),
    ];
    let text = item.text()?;
    if let Some((_, hex)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Ok((*hex).into());
    }
    let digits = text.strip_prefix('#').unwrap_or_default();
    match (digits.len(), digits.chars().all(|c| c.is_ascii_hexdigit())) {
        (6, true) => Ok(text.to_lowercase()),
        (3, true) => {
            let twice = digits.chars().flat_map(|c| [c, c]);
            Ok(format!("#{}", twice.collect::<String>()).to_lowercase())
        }
        _ => {
            let names: Vec<_> = NAMES.iter().map(|(name, _)| *name).collect();
            let help = format!("write \"#3b82c4\", or one of {}", names.join(", "));
            Err(item.fault(format!("`{text}` is not a color"), help))
        }
    }
}
