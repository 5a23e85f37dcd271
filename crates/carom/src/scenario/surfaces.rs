//! `[surface.NAME]`: what holds between two materials, whatever their own values combine to.

use std::fmt;

use super::contact::{Contact, coefficient_of_restitution};
use super::error::{Fault, ScenarioError, suggestion};
use super::fields::{Fields, Read};
use super::law;
use super::scope::Scope;
use super::sections::named;
use super::tree::{self, Table};
use super::{DEFAULT_MATERIAL, Scenario};
use crate::model::{BodyKind, EnergyCondition, Law, Model, Surface};

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
    let mend = "name the two materials: between = [\"steel\", \"rubber\"]";
    let between = fields.need("between", mend)?;
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
                suggestion(&name, known()),
            )),
        }
    });
    let names = names.collect::<Read<Vec<_>>>()?;
    let count = names.len();
    let materials = <[String; 2]>::try_from(names)
        .map_err(|_| between.fault(format!("has {count} names"), mend))?;
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
    /// Restitution below one has no meaning in the energy condition on E_d: refused where two
    /// materials that are there can meet under it.
    pub(super) fn check_restitution(&self, model: &Model) -> Result<(), ScenarioError> {
        for [a, b] in meetings(model) {
            let touching = model.contact().between(a, b);
            let law = touching.law.unwrap_or(self.settings.law);
            let discrete = matches!(
                law,
                Law::Exact {
                    condition: EnergyCondition::Discrete,
                    ..
                }
            );
            if !discrete || touching.restitution == 1.0 {
                continue;
            }
            let [a, b] = [a, b].map(|name| name.unwrap_or(DEFAULT_MATERIAL));
            // `discrete` is written where the law is.
            let surface = touching.law.and_then(|_| self.surface_of(a, b));
            let field = match surface {
                Some(entry) => format!("surface.{}.energy", entry.name),
                None => "simulate.energy".into(),
            };
            let fault = Fault {
                place: tree::find(&self.root, &field).map(|entry| entry.node.place),
                field,
                message: format!(
                    "energy = \"discrete\" needs restitution 1, but between the materials `{a}` \
                     and `{b}` it is {}",
                    touching.restitution
                ),
                mend: "write energy = \"hamiltonian\", or restitution = 1".into(),
            };
            return Err(ScenarioError::new(&self.file, &self.sources, vec![fault]));
        }
        Ok(())
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
    /// Friction μ.
    pub friction: f64,
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
            write!(
                f,
                ", restitution {}, friction {}",
                self.restitution, self.friction
            )?;
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
        let met = meetings(model).into_iter().map(|[a, b]| {
            let touching = model.contact().between(a, b);
            Meeting {
                materials: [a, b].map(|name| name.unwrap_or(DEFAULT_MATERIAL).into()),
                law: touching.law.unwrap_or(self.settings.law),
                restitution: touching.restitution,
                friction: touching.friction,
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

/// Pairs of materials that can meet: at least one of the two things moves. `None` is the default.
fn meetings(model: &Model) -> Vec<[Option<&str>; 2]> {
    // For each material: how many things of it move, how many stand still.
    let mut seen: Vec<(Option<&str>, usize, usize)> = Vec::new();
    let things = (model.bodies().iter())
        .filter(|b| b.shape.is_some() || matches!(b.kind, BodyKind::Particle { .. }))
        .map(|b| (b.material.as_deref(), b.kind != BodyKind::Static))
        .chain((model.contact().walls.iter()).map(|w| (w.material.as_deref(), false)));
    for (material, moves) in things {
        let known = seen.iter().position(|(m, ..)| *m == material);
        let k = known.unwrap_or_else(|| {
            seen.push((material, 0, 0));
            seen.len() - 1
        });
        match moves {
            true => seen[k].1 += 1,
            false => seen[k].2 += 1,
        }
    }
    let mut out = Vec::new();
    for (k, (a, moving, still)) in seen.iter().enumerate() {
        if moving + still > 1 && *moving > 0 {
            out.push([*a, *a]);
        }
        out.extend(
            (seen[..k].iter())
                .filter(|(_, other, _)| moving + other > 0)
                .map(|(b, ..)| [*a, *b]),
        );
    }
    // Limits are of the default material.
    let limited = (model.joints().iter()).any(|j| j.limits.iter().any(Option::is_some))
        || (model.linkages().iter()).any(|l| l.spec.coordinates.iter().any(|c| c.limits.is_some()));
    if limited {
        out.push([None, None]);
    }
    out
}
