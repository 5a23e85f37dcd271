//! `[surface.NAME]`: what holds between two materials, whatever their own values combine to.

use std::fmt;

use super::contact::{Contact, coefficient_of_restitution};
use super::error::{Fault, ScenarioError};
use super::fields::{Fields, Read};
use super::law;
use super::scope::Scope;
use super::sections::named;
use super::tree::{self, Table};
use super::{DEFAULT_MATERIAL, Scenario};
use crate::model::{Law, Model, Surface};

/// A surface as read.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceEntry {
    /// Name of its section.
    pub name: String,
    /// What the model gets.
    pub surface: Surface,
}

/// Reads the sections; the materials are known.
pub(crate) fn read(root: &Table, scope: &Scope, contact: &mut Contact, faults: &mut Vec<Fault>) {
    for (name, entry, table) in named(root, "surface", faults) {
        let fields = Fields::new(table, format!("surface.{name}"), entry.key, scope);
        match surface(&fields, contact) {
            Ok(surface) => contact.surfaces.push(SurfaceEntry {
                name: name.into(),
                surface,
            }),
            Err(fault) => faults.push(*fault),
        }
    }
}

fn surface(fields: &Fields, contact: &Contact) -> Read<Surface> {
    let fix = "name the two materials: between = [\"steel\", \"rubber\"]";
    let between = fields.need("between", fix)?;
    let known = || {
        let names = contact.materials.iter().map(|m| m.name.as_str());
        names.chain([DEFAULT_MATERIAL])
    };
    let names = between.list()?.into_iter().map(|item| {
        let name = item.reference()?;
        match known().any(|material| material == name) {
            true => Ok(name),
            false => Err(item.fault(
                format!("there is no material `{name}`"),
                super::contact::declare(&name, known()),
            )),
        }
    });
    let names = names.collect::<Read<Vec<_>>>()?;
    let count = names.len();
    let materials = <[String; 2]>::try_from(names)
        .map_err(|_| between.fault(format!("has {}", super::error::count(count, "name")), fix))?;
    let [a, b] = &materials;
    if let Some(other) = (contact.surfaces.iter())
        .find(|s| s.surface.materials == materials || s.surface.materials == [b.clone(), a.clone()])
    {
        return Err(between.fault(
            format!("`surface.{}` is between the same materials", other.name),
            "say all of it in one section",
        ));
    }
    let restitution = fields.get("restitution");
    let surface = Surface {
        materials,
        restitution: restitution
            .map(|item| coefficient_of_restitution(&item))
            .transpose()?,
        friction: fields
            .get("friction")
            .map(|item| item.non_negative())
            .transpose()?,
        law: law::law(fields)?,
    };
    fields.finish()?;
    if (surface.restitution, surface.friction, surface.law) == (None, None, None) {
        return Err(fields.fault(
            "says nothing of the two materials",
            "give it restitution, friction or law",
        ));
    }
    Ok(surface)
}

impl Scenario {
    /// A law that cannot do what two materials ask of it is refused where they can meet.
    pub(super) fn check_surfaces(&self, model: &Model) -> Result<(), ScenarioError> {
        let Some(([a, b], refusal)) = model.refusal(self.settings.law) else {
            return Ok(());
        };
        let own = model.contact().between(a, b).law;
        let [a, b] = [a, b].map(|name| name.unwrap_or(DEFAULT_MATERIAL));
        // The choice is written where the law is.
        let [key, word] = refusal.choice;
        let field = match own.and_then(|_| self.surface_of(a, b)) {
            Some(entry) => format!("surface.{}.{key}", entry.name),
            None => format!("simulate.{key}"),
        };
        let fault = Fault {
            place: tree::find(&self.root, &field).map(|entry| entry.node.place),
            field,
            message: format!(
                "{key} = \"{word}\" needs {} {}, but between the materials `{a}` and `{b}` it is {}",
                refusal.property, refusal.needs, refusal.value
            ),
            fix: refusal.fix.into(),
        };
        Err(ScenarioError::new(&self.file, &self.sources, vec![fault]))
    }

    /// The surface between two materials.
    pub(super) fn surface_of(&self, a: &str, b: &str) -> Option<&SurfaceEntry> {
        let pairs = [[a, b], [b, a]];
        self.contact.surfaces.iter().find(|entry| {
            let [x, y] = &entry.surface.materials;
            pairs.contains(&[x, y])
        })
    }
}

/// What ran between two materials that can meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// Names of the two materials.
    pub materials: [String; 2],
    /// Contact law.
    pub law: Law,
    /// Restitution e.
    pub restitution: f64,
    /// Friction μ; the largest where it depends on the direction.
    pub friction: f64,
    /// The least friction of all directions.
    pub friction_least: f64,
    /// Approach slower than this ends in rest, in m/s.
    pub rest_speed: f64,
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.materials;
        if [a, b].iter().any(|name| *name != DEFAULT_MATERIAL) {
            write!(f, "{a} on {b}: ")?;
        }
        write!(f, "{}", self.law.name())?;
        if let Law::Exact { .. } | Law::Decomposition { .. } = self.law {
            write!(f, ", restitution {}, friction ", self.restitution)?;
            if self.friction_least != self.friction {
                write!(f, "{} to ", self.friction_least)?;
            }
            write!(f, "{}", self.friction)?;
            if self.rest_speed > 0.0 {
                write!(f, ", at rest below {:.3e} m/s", self.rest_speed)?;
            }
        }
        Ok(())
    }
}

impl Scenario {
    /// What happens where things meet, for every pair of materials that can and has a law.
    pub fn meetings(&self, model: &Model) -> Vec<Meeting> {
        let settings = self.settings.simulator();
        let met = model.meetings().0.into_iter().map(|[a, b]| {
            let touching = model.contact().between(a, b);
            Meeting {
                materials: [a, b].map(|name| name.unwrap_or(DEFAULT_MATERIAL).into()),
                law: touching.law.unwrap_or(self.settings.law),
                restitution: touching.restitution,
                friction: touching.friction,
                friction_least: touching.least_friction(),
                // What gravity gives in a step; loads and springs add to it as they act.
                rest_speed: settings.rest_speed(
                    touching.restitution,
                    model.forces().gravity.norm() * settings.step,
                ),
            }
        });
        let mut met: Vec<Meeting> = met.filter(|m| m.law != Law::None).collect();
        met.sort_by(|x, y| x.materials.cmp(&y.materials));
        met.dedup();
        met
    }
}
