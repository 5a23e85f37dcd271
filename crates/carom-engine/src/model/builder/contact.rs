//! Materials, walls and surfaces: checked.

use super::ModelBuilder;
use crate::model::{ContactRules, ModelError};

/// What to do about values of a contact law.
const RANGES: &str = "restitution must lie in [0, 1], friction must not be negative";
/// What to do about a material that is not known.
const DECLARE: &str = "add it to the model, or name another";

fn unknown(material: &str) -> String {
    format!("names the material \"{material}\", which does not exist")
}

impl ModelBuilder {
    /// The rules of contact, with every material named known.
    pub(super) fn make_contact(&self) -> Result<ContactRules, ModelError> {
        let rules = &self.contact;
        for m in rules.materials.iter().chain([&rules.default]) {
            let sound = (0.0..=1.0).contains(&m.restitution)
                && m.friction >= 0.0
                && m.friction.is_finite()
                && (m.static_friction).is_none_or(|s| s >= m.friction && s.is_finite())
                && m.grain.is_none_or(|g| {
                    g.along >= 0.0
                        && g.along.is_finite()
                        && (g.static_along).is_none_or(|s| s >= g.along && s.is_finite())
                        && (g.direction.norm() - 1.0).abs() < 1e-9
                })
                && [m.rolling, m.torsional]
                    .iter()
                    .all(|l| *l >= 0.0 && l.is_finite());
            if !sound {
                let reason = format!(
                    "restitution {} and friction {} make no law",
                    m.restitution, m.friction
                );
                return Err(ModelError::force("material", &m.name, reason, RANGES));
            }
        }
        let known = |name: &Option<String>| {
            name.as_ref()
                .is_none_or(|n| rules.materials.iter().any(|m| m.name == *n))
        };
        let parts = (self.bodies.iter())
            .flat_map(|b| b.part_materials.iter().map(move |m| ("body", &b.name, m)));
        for (what, name, material) in self
            .bodies
            .iter()
            .map(|b| ("body", &b.name, &b.material))
            .chain(parts)
            .chain(rules.walls.iter().map(|w| ("wall", &w.name, &w.material)))
        {
            if !known(material) {
                let reason = unknown(material.as_deref().unwrap_or(""));
                return Err(ModelError::force(what, name, reason, DECLARE));
            }
        }
        for s in &rules.surfaces {
            let [a, b] = &s.materials;
            let fault = |reason: String, fix: &str| {
                ModelError::force("surface", &format!("{a}, {b}"), reason, fix)
            };
            for name in [a, b] {
                if *name != rules.default.name && !known(&Some(name.clone())) {
                    return Err(fault(unknown(name), DECLARE));
                }
            }
            let sound = s.restitution.is_none_or(|e| (0.0..=1.0).contains(&e))
                && s.friction.is_none_or(|mu| mu >= 0.0 && mu.is_finite());
            if !sound {
                return Err(fault("its values make no law".into(), RANGES));
            }
        }
        let grained = |m: &&crate::model::Material| m.grain.is_some();
        let mut grained = rules
            .materials
            .iter()
            .chain([&rules.default])
            .filter(grained);
        if let (Some(a), Some(b)) = (grained.next(), grained.next())
            && rules.combine_friction != crate::model::Combine::Mean
        {
            let reason = format!(
                "it has a grain, and so has \"{}\", but of two grains only the mean is known",
                a.name
            );
            let fix = "write combine = { friction = \"mean\" }";
            return Err(ModelError::force("material", &b.name, reason, fix));
        }
        Ok(rules.clone())
    }
}
