//! `[halfspace.NAME]`, `[material.NAME]` and `[contact]`: read and checked.
//!
//! The one place where a contact law is chosen is [`LAWS`]; a law that is not available yet is an
//! error that says so.

use super::error::{Fault, suggestion};
use super::fields::{Fields, Item, Read};
use super::scope::Scope;
use super::sections::{named, section};
use super::tree::Table;
use super::{BodyEntry, HalfSpace};

/// How bodies pass through a collision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Law {
    /// Bodies pass through each other.
    #[default]
    None,
}

impl Law {
    /// Name in files and summaries.
    pub fn name(self) -> &'static str {
        match self {
            Law::None => "none",
        }
    }
}

/// Names of laws; `None` for those to come.
pub(crate) const LAWS: [(&str, Option<Law>); 5] = [
    ("none", Some(Law::None)),
    ("potential", None),
    ("exact", None),
    ("decomposition", None),
    ("plastic", None),
];

/// The law a text names.
pub(crate) fn law(item: &Item) -> Read<Law> {
    item.choice(&LAWS)?.ok_or_else(|| {
        let text = item.text().unwrap_or_default();
        item.fault(
            format!("the contact law `{text}` is not available yet"),
            "write law = \"none\": bodies then pass through each other",
        )
    })
}

/// What a surface is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name.
    pub name: String,
    /// Restitution e from 0 (plastic) to 1 (elastic).
    pub restitution: f64,
    /// Coefficient of friction μ.
    pub friction: f64,
}

/// How the values of two materials combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combine {
    /// Arithmetic mean.
    #[default]
    Mean,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// The product.
    Product,
    /// The geometric mean.
    Geometric,
}

const RULES: [(&str, Combine); 5] = [
    ("mean", Combine::Mean),
    ("min", Combine::Min),
    ("max", Combine::Max),
    ("product", Combine::Product),
    ("geometric", Combine::Geometric),
];

/// Which pairs collide and how materials combine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contact {
    /// Materials by name.
    pub materials: Vec<Material>,
    /// Restitution of what has no material.
    pub restitution: f64,
    /// Friction of what has no material.
    pub friction: f64,
    /// Rule for two restitutions.
    pub combine_restitution: Combine,
    /// Rule for two coefficients of friction.
    pub combine_friction: Combine,
    /// Named sets of bodies and half-spaces; members of one set do not collide with each other.
    pub groups: Vec<(String, Vec<String>)>,
    /// Pairs that do not collide.
    pub exclude: Vec<[String; 2]>,
}

/// Reads both sections.
pub(crate) fn read(
    root: &Table,
    scope: &Scope,
    bodies: &[BodyEntry],
    half_spaces: &[HalfSpace],
    faults: &mut Vec<Fault>,
) -> Contact {
    let mut contact = Contact {
        restitution: 1.0,
        ..Contact::default()
    };
    for (name, entry, table) in named(root, "material", faults) {
        let fields = Fields::new(table, format!("material.{name}"), entry.key, scope);
        let read = || -> Read<Material> {
            let (restitution, friction) = coefficients(&fields)?;
            fields.finish()?;
            Ok(Material {
                name: name.into(),
                restitution,
                friction,
            })
        };
        match read() {
            Ok(material) => contact.materials.push(material),
            Err(fault) => faults.push(*fault),
        }
    }
    for (path, material, place) in (bodies.iter())
        .map(|b| (format!("body.{}", b.name), &b.material, b.place))
        .chain(
            (half_spaces.iter()).map(|h| (format!("halfspace.{}", h.name), &h.material, h.place)),
        )
    {
        let known = |name: &String| contact.materials.iter().any(|m| m.name == *name);
        if let Some(name) = material.as_ref().filter(|name| !known(name)) {
            let names = contact.materials.iter().map(|m| m.name.as_str());
            faults.push(Fault::new(
                place,
                path,
                format!("there is no material `{name}`"),
                suggestion(name, names),
            ));
        }
    }
    let things: Vec<&str> = (bodies.iter().map(|b| b.name.as_str()))
        .chain(half_spaces.iter().map(|h| h.name.as_str()))
        .collect();
    if let Err(fault) = pairs(root, scope, &things, &mut contact) {
        faults.push(*fault);
    }
    contact
}

fn coefficients(fields: &Fields) -> Read<(f64, f64)> {
    let restitution = match fields.get("restitution") {
        None => 1.0,
        Some(item) => {
            let e = item.number()?;
            if !(0.0..=1.0).contains(&e) {
                return Err(item.fault(format!("is {e}"), "restitution goes from 0 to 1"));
            }
            e
        }
    };
    let friction = fields
        .get("friction")
        .map_or(Ok(0.0), |item| item.non_negative())?;
    Ok((restitution, friction))
}

fn pairs(root: &Table, scope: &Scope, things: &[&str], contact: &mut Contact) -> Read<()> {
    let Some(table) = section(root, "contact")? else {
        return Ok(());
    };
    let place = root.get("contact").map(|e| e.key).unwrap_or_default();
    let fields = Fields::new(table, "contact", place, scope);
    (contact.restitution, contact.friction) = coefficients(&fields)?;
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
    // A name may stand for a whole group: row for row-1, row-2, ….
    let known = |item: &Item| -> Read<String> {
        let name = item.reference()?;
        let member = |thing: &&str| {
            let rest = thing.strip_prefix(name.as_str());
            rest.is_some_and(|r| r.is_empty() || r.strip_prefix('-').is_some_and(is_number))
        };
        match things.iter().any(member) {
            true => Ok(name),
            false => Err(item.fault(
                format!("there is no body, group or half-space `{name}`"),
                suggestion(&name, things.iter().copied()),
            )),
        }
    };
    if let Some(item) = fields.get("groups") {
        let groups = item.fields()?;
        for (name, entry) in groups.table {
            let list = Item {
                node: &entry.node,
                path: format!("{}.{name}", groups.path),
                scope,
            };
            let members = list.list()?.iter().map(known).collect::<Read<Vec<_>>>()?;
            contact.groups.push((name.clone(), members));
        }
    }
    if let Some(item) = fields.get("exclude") {
        for pair in item.list()? {
            let names = pair.list()?.iter().map(known).collect::<Read<Vec<_>>>()?;
            let count = names.len();
            let names = <[String; 2]>::try_from(names).map_err(|_| {
                pair.fault(
                    format!("has {count} names"),
                    "write pairs: [[\"a\", \"b\"], …]",
                )
            })?;
            contact.exclude.push(names);
        }
    }
    fields.finish()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
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
            let material = fields
                .get("material")
                .map(|item| item.reference())
                .transpose()?;
            fields.finish()?;
            Ok(HalfSpace {
                name: name.into(),
                normal,
                point: point.unwrap_or_default(),
                material,
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
