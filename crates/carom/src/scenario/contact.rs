//! `[halfspace.NAME]`, `[material.NAME]` and `[contact]`: read and checked.

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::scope::Scope;
use super::sections::{named, section};
use super::source::Place;
use super::surfaces::{self, SurfaceEntry};
use super::tree::Table;
use super::{BodyEntry, HalfSpace, SolidEntry, defaults};
use crate::gap;
use crate::model::{Belt, Combine, Material};
use nalgebra::Vector3;

/// Names the material of everything without one.
pub(crate) const DEFAULT_MATERIAL: &str = "default";

const RULES: [(&str, Combine); 5] = [
    ("mean", Combine::Mean),
    ("min", Combine::Least),
    ("max", Combine::Largest),
    ("product", Combine::Product),
    ("geometric", Combine::Geometric),
];

/// Which pairs collide and how materials combine.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Materials by name.
    pub materials: Vec<Material>,
    /// The material of what names none.
    pub default: Material,
    /// Rule for two restitutions.
    pub combine_restitution: Combine,
    /// Rule for two coefficients of friction.
    pub combine_friction: Combine,
    /// What is said of pairs of materials.
    pub surfaces: Vec<SurfaceEntry>,
    /// Pairs of bodies, by position among the scenario's, that do not collide.
    pub exclude: Vec<[usize; 2]>,
    /// Bodies and half-spaces, likewise.
    pub exclude_walls: Vec<[usize; 2]>,
    /// Pairs with an elastic body, likewise.
    pub exclude_solids: Vec<[Thing; 2]>,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            materials: Vec::new(),
            default: Material::elastic(DEFAULT_MATERIAL),
            combine_restitution: Combine::default(),
            combine_friction: Combine::default(),
            surfaces: Vec::new(),
            exclude: Vec::new(),
            exclude_solids: Vec::new(),
            exclude_walls: Vec::new(),
        }
    }
}

/// Reads `[material.NAME]`, `[contact]` and `[surface.NAME]`.
pub(crate) fn read(
    root: &Table,
    scope: &Scope,
    bodies: &[BodyEntry],
    solids: &[SolidEntry],
    half_spaces: &[HalfSpace],
    faults: &mut Vec<Fault>,
) -> Contact {
    let mut contact = Contact::default();
    let usual = defaults::restitution(root);
    contact.default.restitution = usual;
    for (name, entry, table) in named(root, "material", faults) {
        let fields = Fields::new(table, format!("material.{name}"), entry.key, scope);
        let read = || -> Read<Material> {
            if name == DEFAULT_MATERIAL {
                return Err(fields.fault(
                    "`default` is the material of everything without one",
                    "write its values under [contact], or choose another name",
                ));
            }
            let material = material(&fields, name, usual)?;
            fields.finish()?;
            Ok(material)
        };
        match read() {
            Ok(material) => contact.materials.push(material),
            Err(fault) => faults.push(*fault),
        }
    }
    let surfaces: Vec<_> = solids.iter().map(|s| s.spec.surface_name()).collect();
    for (path, material, place) in (bodies.iter())
        .map(|b| (format!("body.{}", b.name), &b.material, b.place))
        .chain(
            (solids.iter().zip(&surfaces)).map(|(s, m)| (format!("body.{}", s.name), m, s.place)),
        )
        .chain(
            (half_spaces.iter()).map(|h| (format!("halfspace.{}", h.name), &h.material, h.place)),
        )
    {
        let known = |name: &String| contact.materials.iter().any(|m| m.name == *name);
        if let Some(name) = material.as_ref().filter(|name| !known(name)) {
            let names = contact.materials.iter().map(|m| m.name.as_str());
            faults.push(Fault::new(
                written(root, &path).unwrap_or(place),
                path,
                format!("there is no material `{name}`"),
                declare(name, names),
            ));
        }
    }
    if let Err(fault) = pairs(root, scope, bodies, solids, half_spaces, &mut contact) {
        faults.push(*fault);
    }
    surfaces::read(root, scope, &mut contact, faults);
    contact
}

/// Where `SECTION.NAME` says its material itself; groups and templates say it elsewhere.
fn written(root: &Table, path: &str) -> Option<Place> {
    let (section, name) = path.split_once('.')?;
    let entry = root.get(section)?.node.table()?.get(name)?;
    Some(entry.node.table()?.get("material")?.node.place)
}

/// What to do about a material that is not there.
pub(super) fn declare<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let new = format!("declare it: [material.{name}] with restitution = 0.5 and friction = 0.3");
    match suggestion(name, known) {
        near if near.starts_with("did") => format!("{near} Or {new}"),
        _ => new,
    }
}

/// A material; `restitution` is what it has unless its section says otherwise.
fn material(fields: &Fields, name: &str, restitution: f64) -> Read<Material> {
    let mut material = Material {
        restitution,
        ..Material::elastic(name)
    };
    if let Some(item) = fields.get("restitution") {
        material.restitution = coefficient_of_restitution(&item)?;
    }
    if let Some(item) = fields.get("friction") {
        material.friction = item.non_negative()?;
    }
    if let Some(item) = fields.get("static_friction") {
        let held = item.non_negative()?;
        if held < material.friction {
            return Err(item.fault(
                format!(
                    "is {held}, less than the friction {} of what slides",
                    material.friction
                ),
                "give at least as much, or leave it out",
            ));
        }
        material.static_friction = Some(held);
    }
    if let Some(item) = fields.get("rolling_friction") {
        material.rolling = item.non_negative()?;
    }
    if let Some(item) = fields.get("torsional_friction") {
        material.torsional = item.non_negative()?;
    }
    Ok(material)
}

/// `belt = { velocity = […], angular_velocity = […], center = […] }`: a surface that moves.
pub(crate) fn belt(fields: &Fields, middle: &Vector3<f64>) -> Read<Option<Belt>> {
    let Some(item) = fields.get("belt") else {
        return Ok(None);
    };
    let fields = item.fields()?;
    let vector = |key: &'static str| fields.get(key).map(|v| v.vector()).transpose();
    let (velocity, turning) = (vector("velocity")?, vector("angular_velocity")?);
    let belt = Belt {
        velocity: velocity.unwrap_or_default(),
        angular_velocity: turning.unwrap_or_default(),
        center: vector("center")?.unwrap_or(*middle),
    };
    fields.finish()?;
    match (velocity, turning) {
        (None, None) => Err(item.fault(
            "says nothing of how the surface moves",
            "give velocity in m/s or angular_velocity in rad/s",
        )),
        _ => Ok(Some(belt)),
    }
}

pub(crate) fn coefficient_of_restitution(item: &Item) -> Read<f64> {
    let e = item.number()?;
    match (0.0..=1.0).contains(&e) {
        true => Ok(e),
        false => Err(item.fault(format!("is {e}"), "restitution goes from 0 to 1")),
    }
}

/// A body or half-space, by its position among the scenario's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thing {
    /// A rigid body, particle or static body.
    Body(usize),
    /// An elastic body.
    Solid(usize),
    /// A half-space.
    HalfSpace(usize),
}

/// The things a name stands for: one, or all members of a group.
struct Things<'a>(Vec<(&'a str, Thing)>);

impl<'a> Things<'a> {
    fn new(
        bodies: &'a [BodyEntry],
        solids: &'a [SolidEntry],
        half_spaces: &'a [HalfSpace],
    ) -> Self {
        let bodies = bodies.iter().enumerate();
        let solids = solids.iter().enumerate();
        let spaces = half_spaces.iter().enumerate();
        Self(
            bodies
                .map(|(k, b)| (b.name.as_str(), Thing::Body(k)))
                .chain(solids.map(|(k, s)| (s.name.as_str(), Thing::Solid(k))))
                .chain(spaces.map(|(k, h)| (h.name.as_str(), Thing::HalfSpace(k))))
                .collect(),
        )
    }

    fn named(&self, item: &Item) -> Read<Vec<Thing>> {
        let name = item.reference()?;
        // A name may stand for a whole group: row for row-1, row-2, ….
        let member = |thing: &str| {
            let rest = thing.strip_prefix(name.as_str());
            rest.is_some_and(|r| r.is_empty() || r.strip_prefix('-').is_some_and(is_number))
        };
        let found = self.0.iter().filter(|(thing, _)| member(thing));
        let found: Vec<_> = found.map(|(_, thing)| *thing).collect();
        match found.is_empty() {
            false => Ok(found),
            true => Err(item.fault(
                format!("there is no body, group or half-space `{name}`"),
                suggestion(&name, self.0.iter().map(|(thing, _)| *thing)),
            )),
        }
    }
}

impl Contact {
    /// Keeps every one of `a` from colliding with every one of `b`.
    fn keep_apart(&mut self, a: &[Thing], b: &[Thing]) {
        for (x, y) in a.iter().flat_map(|x| b.iter().map(move |y| (*x, *y))) {
            match (x, y) {
                (Thing::Body(x), Thing::Body(y)) if x == y => {}
                (Thing::Body(x), Thing::Body(y)) => self.exclude.push([x, y]),
                (Thing::Body(body), Thing::HalfSpace(wall))
                | (Thing::HalfSpace(wall), Thing::Body(body)) => {
                    self.exclude_walls.push([body, wall]);
                }
                (Thing::Solid(_), _) | (_, Thing::Solid(_)) => self.exclude_solids.push([x, y]),
                // Half-spaces never collide with each other.
                (Thing::HalfSpace(_), Thing::HalfSpace(_)) => {}
            }
        }
    }
}

/// `[contact]`.
fn pairs(
    root: &Table,
    scope: &Scope,
    bodies: &[BodyEntry],
    solids: &[SolidEntry],
    half_spaces: &[HalfSpace],
    contact: &mut Contact,
) -> Read<()> {
    let Some(table) = section(root, "contact")? else {
        return Ok(());
    };
    let place = root.get("contact").map(|e| e.key).unwrap_or_default();
    let fields = Fields::new(table, "contact", place, scope);
    let usual = contact.default.restitution;
    contact.default = material(&fields, DEFAULT_MATERIAL, usual)?;
    if let Some(item) = fields.get("combine") {
        let rules = item.fields()?;
        let rule = |key| -> Read<Combine> {
            let item = rules.get(key);
            item.map_or(Ok(Combine::Mean), |item: Item| item.choice(&RULES))
        };
        contact.combine_restitution = rule("restitution")?;
        contact.combine_friction = rule("friction")?;
        rules.finish()?;
    }
    let things = Things::new(bodies, solids, half_spaces);
    if let Some(item) = fields.get("groups") {
        let groups = item.fields()?;
        for (name, entry) in groups.table {
            let list = Item {
                node: &entry.node,
                path: format!("{}.{name}", groups.path),
                scope,
            };
            let mut members: Vec<Thing> = Vec::new();
            for item in list.list()? {
                members.extend(things.named(&item)?);
            }
            for (k, member) in members.iter().enumerate() {
                contact.keep_apart(&[*member], &members[..k]);
            }
        }
    }
    if let Some(item) = fields.get("exclude") {
        for pair in item.list()? {
            let names = pair.list()?;
            let [a, b] = names.as_slice() else {
                return Err(pair.fault(
                    format!("has {}", crate::words::counted(names.len(), "name")),
                    "write pairs: [[\"a\", \"b\"], …]",
                ));
            };
            contact.keep_apart(&things.named(a)?, &things.named(b)?);
        }
    }
    fields.finish()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The material a body or half-space names; none for the default.
pub(crate) fn material_name(fields: &Fields) -> Read<Option<String>> {
    let name = fields.get("material").map(|item| item.reference());
    Ok(name.transpose()?.filter(|name| name != DEFAULT_MATERIAL))
}

/// `[halfspace.NAME]`: everything below a plane.
pub(crate) fn half_spaces(root: &Table, scope: &Scope, faults: &mut Vec<Fault>) -> Vec<HalfSpace> {
    let mut out = Vec::new();
    for (name, entry, table) in named(root, "halfspace", faults) {
        let fields = Fields::new(table, format!("halfspace.{name}"), entry.key, scope);
        let read = || -> Read<HalfSpace> {
            let normal = fields
                .need(
                    "normal",
                    "give the direction out of the half-space: normal = [0, 0, 1]",
                )?
                .direction()?;
            let point = fields.get("point").map(|item| item.vector()).transpose()?;
            let point = point.unwrap_or_default();
            let solid = gap::HalfSpace::new(normal, normal.dot(&point)).map_err(|error| {
                fields.fault(error.to_string(), "give a normal and a point of usual size")
            })?;
            let material = material_name(&fields)?;
            let belt = belt(&fields, &point)?;
            fields.finish()?;
            Ok(HalfSpace {
                name: name.into(),
                normal,
                point,
                solid,
                material,
                belt,
                place: entry.key,
            })
        };
        match read() {
            Ok(half_space) => out.push(half_space),
            Err(fault) => faults.push(*fault),
        }
    }
    out
}
