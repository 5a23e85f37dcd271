//! Contact laws in files: `law` and the keys that belong to it, in `[simulate]` and in
//! `[surface.NAME]`.
//!
//! A key of another law is an error. A variant or `--set` that chooses another law takes the keys
//! of the one before away ([`replaced`]), so that it need only name what differs.

use super::fields::{Fields, Item, Read};
use super::tree::{Table, Value};
use crate::contact::JumpRule;
use crate::model::{EnergyCondition, Hold, JumpForm, Law, Release};

/// A law with the values it has where the file is silent, and the keys that belong to it.
const LAWS: [(Law, &[&str]); 5] = [
    (Law::None, &[]),
    (SOFT, &["stiffness", "drag"]),
    (Law::EXACT, &["energy", "jump"]),
    (
        Law::DECOMPOSITION,
        &["potential_term", "buffer", "projected"],
    ),
    (Law::PLASTIC, &["hold", "release"]),
];
/// Its stiffness must be given.
const SOFT: Law = Law::Potential {
    stiffness: f64::NAN,
    drag: 0.0,
};

const ENERGY: [(&str, EnergyCondition); 2] = [
    ("hamiltonian", EnergyCondition::Hamiltonian),
    ("discrete", EnergyCondition::Discrete),
];
const JUMP: [(&str, JumpForm); 2] = [
    ("multiplier", JumpForm::Multiplier),
    ("null-space", JumpForm::NullSpace),
];
const HOLD: [(&str, Hold); 3] = [
    ("stick", Hold::Stick),
    ("slip", Hold::Slip),
    ("patch", Hold::Patch),
];
const RELEASE: [(&str, Release); 3] = [
    ("plain", Release::Plain),
    ("bisection", Release::Bisection),
    ("subintervals", Release::Subintervals),
];
/// Rules for simultaneous impacts.
const SIMULTANEOUS: [(&str, JumpRule); 3] = [
    ("poisson", JumpRule::Poisson),
    ("sum", JumpRule::Sum),
    ("sequential", JumpRule::Sequential),
];

/// The law of a table, if it names one.
pub(crate) fn law(fields: &Fields) -> Read<Option<Law>> {
    let choices = LAWS.map(|(law, _)| (law.name(), law));
    let chosen = fields.get("law").map(|item| item.choice(&choices));
    let chosen = chosen.transpose()?;
    for (other, keys) in LAWS {
        let foreign = chosen.is_none_or(|law| law.name() != other.name());
        for item in keys.iter().filter_map(|key| fields.get(key)) {
            if foreign {
                return Err(misplaced(&item, other, chosen));
            }
        }
    }
    let Some(law) = chosen else {
        return Ok(None);
    };
    Ok(Some(match law {
        Law::None => Law::None,
        Law::Potential { drag, .. } => Law::Potential {
            stiffness: fields
                .need("stiffness", "give it in N/m, such as stiffness = 1e4")?
                .positive()?,
            drag: fields
                .get("drag")
                .map_or(Ok(drag), |item| item.non_negative())?,
        },
        Law::Exact { condition, form } => Law::Exact {
            condition: word(fields, "energy", &ENERGY, condition)?,
            form: word(fields, "jump", &JUMP, form)?,
        },
        Law::Decomposition {
            potential_term,
            buffer,
            projected,
        } => Law::Decomposition {
            potential_term: fields
                .get("potential_term")
                .map_or(Ok(potential_term), |item| item.boolean())?,
            buffer: fields
                .get("buffer")
                .map_or(Ok(buffer), |item| item.non_negative())?,
            projected: fields
                .get("projected")
                .map_or(Ok(projected), |item| item.boolean())?,
        },
        Law::Plastic { hold, release } => Law::Plastic {
            hold: word(fields, "hold", &HOLD, hold)?,
            release: word(fields, "release", &RELEASE, release)?,
        },
    }))
}

/// The rule for simultaneous impacts.
pub(crate) fn simultaneous(fields: &Fields) -> Read<JumpRule> {
    word(fields, "simultaneous", &SIMULTANEOUS, JumpRule::default())
}

fn word<T: Copy>(
    fields: &Fields,
    key: &'static str,
    words: &[(&'static str, T)],
    usual: T,
) -> Read<T> {
    fields.get(key).map_or(Ok(usual), |item| item.choice(words))
}

/// A key whose law was not chosen.
fn misplaced(item: &Item, owner: Law, chosen: Option<Law>) -> Box<super::Fault> {
    let owner = owner.name();
    match chosen {
        Some(law) => item.fault(
            format!(
                "belongs to the contact law \"{owner}\", not to \"{}\"",
                law.name()
            ),
            format!("remove it, or write law = \"{owner}\""),
        ),
        None => item.fault(
            format!("belongs to the contact law \"{owner}\", but no law is chosen"),
            format!("add law = \"{owner}\", or remove it"),
        ),
    }
}

/// Takes the keys of other laws out of a table whose law is about to be replaced.
pub(crate) fn replaced(base: &mut Table, over: &Table) {
    let Some(Value::Text(chosen)) = over.get("law").map(|entry| &entry.node.value) else {
        return;
    };
    let others = LAWS.iter().filter(|(law, _)| law.name() != chosen);
    let keys: Vec<&str> = others.flat_map(|(_, keys)| keys.iter().copied()).collect();
    base.retain(|key, _| !keys.contains(&key.as_str()));
}
