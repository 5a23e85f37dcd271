//! `[halfspace.NAME]`, `[material.NAME]` and `[contact]`: read and checked.

use std::collections::HashSet;

use carom_engine::inner;

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::scope::Scope;
use super::sections::{named, section};
use super::source::Place;
use super::surfaces::{self, SurfaceEntry};
use super::tree::{Table, Value};
use super::{BodyEntry, HalfSpace, SolidEntry, defaults};
use crate::gap;
use crate::model::{Belt, Combine, Grain, Material};
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
    let parts = (bodies.iter()).flat_map(|b| {
        let own = inner::part_materials(&b.spec).iter();
        own.map(move |m| (format!("body.{}", b.name), m, b.place))
    });
    for (path, material, place) in (bodies.iter())
        .map(|b| (format!("body.{}", b.name), &b.material, b.place))
        .chain(parts)
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
    friction(fields, &mut material)?;
    if let Some(item) = fields.get("rolling_friction") {
        material.rolling = item.non_negative()?;
    }
    if let Some(item) = fields.get("torsional_friction") {
        material.torsional = item.non_negative()?;
    }
    Ok(material)
}

/// `friction` and `static_friction`: numbers, or two of them with a `grain`, along it and across.
fn friction(fields: &Fields, material: &mut Material) -> Read<()> {
    let grain = fields.get("grain");
    let direction = grain.as_ref().map(|item| item.direction()).transpose()?;
    let pair = |item: &Item| -> Read<[f64; 2]> {
        let listed = matches!(item.node.value, Value::List(_));
        match (listed, direction) {
            (false, _) => Ok([item.non_negative()?; 2]),
            (true, None) => Err(item.fault(
                "has two numbers but no direction",
                "give the direction of the first: grain = [1, 0, 0], in the frame of the body's shape",
            )),
            (true, Some(_)) => {
                let items = item.list()?;
                if items.len() != 2 {
                    return Err(item.fault(
                        format!("has {}", crate::words::counted(items.len(), "number")),
                        "write two: along the grain and across it",
                    ));
                }
                Ok([items[0].non_negative()?, items[1].non_negative()?])
            }
        }
    };
    let slides = fields.get("friction");
    let [along, across] = slides.as_ref().map(pair).transpose()?.unwrap_or_default();
    material.friction = across;
    let mut static_along = None;
    if let Some(item) = fields.get("static_friction") {
        let held = pair(&item)?;
        for (held, slides) in held.iter().zip([along, across]) {
            if *held < slides {
                return Err(item.fault(
                    format!("is {held}, less than the friction {slides} of what slides"),
                    "give at least as much, or leave it out",
                ));
            }
        }
        static_along = Some(held[0]);
        material.static_friction = Some(held[1]);
    }
    if let (Some(item), Some(direction)) = (grain, direction) {
        if along == across && static_along == material.static_friction {
            return Err(item.fault(
                "has no effect: friction is the same along it and across it",
                "give friction = [along, across]",
            ));
        }
        material.grain = Some(Grain {
            direction,
            along,
            static_along,
        });
    }
    Ok(())
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
            "does not say how the surface moves",
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    /// A rigid body, particle or static body.
    Body(usize),
    /// An elastic body.
    Solid(usize),
    /// A half-space.
    HalfSpace(usize),
}

/// The things a name stands for: one, all members of a group, or a set under `groups`.
struct Things<'a> {
    all: Vec<(&'a str, Thing)>,
    sets: Vec<(&'a str, Vec<Thing>)>,
}

impl<'a> Things<'a> {
    fn new(
        bodies: &'a [BodyEntry],
        solids: &'a [SolidEntry],
        half_spaces: &'a [HalfSpace],
    ) -> Self {
        let bodies = bodies.iter().enumerate();
        let solids = solids.iter().enumerate();
        let spaces = half_spaces.iter().enumerate();
        let all = bodies
            .map(|(k, b)| (b.name.as_str(), Thing::Body(k)))
            .chain(solids.map(|(k, s)| (s.name.as_str(), Thing::Solid(k))))
            .chain(spaces.map(|(k, h)| (h.name.as_str(), Thing::HalfSpace(k))));
        Self {
            all: all.collect(),
            sets: Vec::new(),
        }
    }

    fn named(&self, item: &Item) -> Read<Vec<Thing>> {
        let name = item.reference()?;
        self.called(&name).ok_or_else(|| {
            let sets = self.sets.iter().map(|(set, _)| *set);
            let known = self.all.iter().map(|(thing, _)| *thing).chain(sets);
            item.fault(
                format!("there is no body, group or half-space `{name}`"),
                suggestion(&name, known),
            )
        })
    }

    fn called(&self, name: &str) -> Option<Vec<Thing>> {
        // A name may stand for a whole group: row for row-1, row-2, ….
        let member = |thing: &str| {
            let rest = thing.strip_prefix(name);
            rest.is_some_and(|r| r.is_empty() || r.strip_prefix('-').is_some_and(is_number))
        };
        let found = self.all.iter().filter(|(thing, _)| member(thing));
        let found: Vec<_> = found.map(|(_, thing)| *thing).collect();
        match found.is_empty() {
            false => Some(found),
            true => {
                let set = self.sets.iter().find(|(set, _)| *set == name);
                set.map(|(_, members)| members.clone())
            }
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
    let mut things = Things::new(bodies, solids, half_spaces);
    let Some(table) = section(root, "contact")? else {
        return masks(&things, bodies, half_spaces, contact);
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
            things.sets.push((name.as_str(), members));
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
    fields.finish()?;
    masks(&things, bodies, half_spaces, contact)
}

/// Names that a body or half-space collides with, and where they are written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mask {
    pub names: Vec<(String, Place)>,
    path: String,
}

/// `collides_with = ["a", "b"]`: with nothing else.
pub(crate) fn mask(fields: &Fields) -> Read<Option<Mask>> {
    let Some(item) = fields.get("collides_with") else {
        return Ok(None);
    };
    let names = item.list()?.into_iter();
    let names = names.map(|name| Ok((name.reference()?, name.node.place)));
    Ok(Some(Mask {
        names: names.collect::<Read<_>>()?,
        path: item.path.clone(),
    }))
}

/// Keeps apart what the masks of either side leave out.
fn masks(
    things: &Things,
    bodies: &[BodyEntry],
    half_spaces: &[HalfSpace],
    contact: &mut Contact,
) -> Read<()> {
    let of_bodies = bodies.iter().map(|b| &b.collides_with).enumerate();
    let of_spaces = half_spaces.iter().map(|h| &h.collides_with).enumerate();
    let all = of_bodies
        .map(|(k, mask)| (Thing::Body(k), mask))
        .chain(of_spaces.map(|(k, mask)| (Thing::HalfSpace(k), mask)));
    for (owner, mask) in all {
        let Some(mask) = mask else { continue };
        let mut met: HashSet<Thing> = HashSet::new();
        for (name, place) in &mask.names {
            let found = things.called(name).ok_or_else(|| {
                let known = things.all.iter().map(|(thing, _)| *thing);
                Box::new(Fault::new(
                    *place,
                    &mask.path,
                    format!("there is no body, group or half-space `{name}`"),
                    suggestion(name, known),
                ))
            })?;
            met.extend(found);
        }
        let others = things.all.iter().map(|(_, thing)| *thing);
        let others: Vec<Thing> = others.filter(|thing| !met.contains(thing)).collect();
        contact.keep_apart(&[owner], &others);
    }
    Ok(())
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
            let collides_with = mask(&fields)?;
            fields.finish()?;
            Ok(HalfSpace {
                name: name.into(),
                normal,
                point,
                solid,
                material,
                belt,
                collides_with,
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
