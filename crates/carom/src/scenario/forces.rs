//! `gravity`, `[spring.NAME]`, `[damper.NAME]`, `[drag.NAME]`, `[charge.NAME]`, `[forces]`.

use nalgebra::Vector3;

use super::error::Fault;
use super::fields::{Fields, Item, Read};
use super::joints::{End, Names};
use super::magnets::{self, Seat};
use super::scope::Scope;
use super::sections::{repeated, section};
use super::source::Place;
use super::tree::Table;

/// Charges act in pairs: more of them would take too long to write down.
const MOST_CHARGES: usize = 2_000;

/// A force of a scenario.
#[derive(Clone, Debug)]
pub enum Force {
    /// Linear spring.
    Spring {
        /// Both ends.
        ends: [End; 2],
        /// Stiffness in N/m.
        stiffness: f64,
        /// Length without force; the distance at the start if not given.
        rest_length: Option<f64>,
    },
    /// Dashpot.
    Damper {
        /// Both ends.
        ends: [End; 2],
        /// Coefficient in N s/m.
        coefficient: f64,
    },
    /// Drag of the surroundings.
    Drag {
        /// Which body.
        body: usize,
        /// N s/m.
        linear: f64,
        /// N m s.
        angular: f64,
    },
    /// Charge fixed in a body.
    Charge {
        /// Where.
        at: End,
        /// How much.
        charge: f64,
    },
    /// Two solenoids by the fitted formula.
    Solenoids {
        /// Where they sit.
        seats: [Seat; 2],
        /// Factor of forces and torques.
        strength: f64,
        /// Unit of distance of the formula in m.
        unit: f64,
    },
    /// Force and torque from a table.
    Field {
        /// Where it acts and is looked up.
        at: End,
        /// Rising x and y in m.
        grid: [Vec<f64>; 2],
        /// Forces in N and torque in N m, row by row.
        values: Vec<[f64; 3]>,
    },
}

/// A force with its name.
#[derive(Clone, Debug)]
pub struct ForceEntry {
    /// Name in its section.
    pub name: String,
    /// What it is.
    pub force: Force,
    pub(crate) place: Place,
}

/// Constants of forces as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constants {
    /// Acceleration of gravity.
    pub gravity: Vector3<f64>,
    /// Coulomb constant.
    pub coulomb: f64,
}

/// `gravity` at the top, `[forces] coulomb`.
pub(crate) fn constants(root: &Table, top: &Fields, scope: &Scope) -> Read<Constants> {
    let mut constants = Constants::default();
    if let Some(item) = top.get("gravity") {
        constants.gravity = item.planar_vector()?;
    }
    if let Some(table) = section(root, "forces")? {
        let place = root.get("forces").map(|e| e.key).unwrap_or_default();
        let fields = Fields::new(table, "forces", place, scope);
        if let Some(item) = fields.get("coulomb") {
            constants.coulomb = item.number()?;
        }
        fields.finish()?;
    }
    Ok(constants)
}

/// All forces of named sections.
pub(crate) fn read(
    root: &Table,
    scope: &Scope,
    names: &Names,
    faults: &mut Vec<Fault>,
) -> Vec<ForceEntry> {
    let entry = |name: &str, fields: &Fields, force: Force| ForceEntry {
        name: name.into(),
        force,
        place: fields.place,
    };
    let mut forces = repeated(root, "spring", scope, faults, |name, f| {
        let spring = Force::Spring {
            ends: names.ends(f)?,
            stiffness: f.need("stiffness", "give it in N/m")?.non_negative()?,
            rest_length: (f.get("rest_length").map(|item: Item| item.non_negative()))
                .transpose()?,
        };
        Ok(entry(name, f, spring))
    });
    forces.extend(repeated(root, "damper", scope, faults, |name, f| {
        let damper = Force::Damper {
            ends: names.ends(f)?,
            coefficient: f.need("coefficient", "give it in N s/m")?.non_negative()?,
        };
        Ok(entry(name, f, damper))
    }));
    forces.extend(repeated(root, "drag", scope, faults, |name, f| {
        let coefficient =
            |key| -> Read<f64> { f.get(key).map_or(Ok(0.0), |item: Item| item.non_negative()) };
        let drag = Force::Drag {
            body: names.body(&f.need("body", "name the body")?)?,
            linear: coefficient("linear")?,
            angular: coefficient("angular")?,
        };
        Ok(entry(name, f, drag))
    }));
    forces.extend(magnets::influences(root, scope, names, faults));
    let mut charges = repeated(root, "charge", scope, faults, |name, f| {
        let body = names.body(&f.need("body", "name the body it is fixed in")?)?;
        let point = f.get("point").map(|item: Item| item.vector()).transpose()?;
        let charge = Force::Charge {
            at: End {
                body: Some(body),
                point: point.unwrap_or_else(|| names.center(body)),
            },
            charge: f.need("charge", "give its amount")?.number()?,
        };
        Ok(entry(name, f, charge))
    });
    charges.extend(magnets::charge_pairs(root, scope, names, faults));
    if charges.len() > MOST_CHARGES {
        faults.push(Fault::new(
            charges[0].place,
            "charge",
            format!("there are {} charges", charges.len()),
            format!("at most {MOST_CHARGES} act on each other"),
        ));
        return forces;
    }
    forces.extend(charges);
    forces
}
