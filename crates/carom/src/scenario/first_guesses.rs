//! What users of other programs write first of a body, and how it is said here.

use super::error::Fault;
use super::fields::{Fields, Read};
use super::tree::{Entry, Value};

const STILL: &str =
    "write kind = \"static\" for a body that never moves; with motion = { … } it moves as given";
const SURFACE: &str = "it belongs to a material: [material.rubber] with restitution and friction, and here \
                       material = \"rubber\"; or to [contact], for all that names none";

/// Keys that bodies do not have, and what to write in their place.
const GUESSES: &[(&[&str], &str)] = &[
    (
        &[
            "static",
            "fixed",
            "is_static",
            "isStatic",
            "immovable",
            "anchored",
            "frozen",
            "kinematic",
            "dynamic",
            "movable",
            "moving",
            "moves",
            "fixed_base",
        ],
        STILL,
    ),
    (
        &["type", "body_type"],
        "write kind = \"rigid\", \"static\", \"particle\" or \"sensor\"",
    ),
    (
        &[
            "friction",
            "restitution",
            "static_friction",
            "rolling_friction",
            "torsional_friction",
            "mu",
            "bounce",
            "elasticity",
        ],
        SURFACE,
    ),
    (
        &["pos", "origin", "center", "location", "at"],
        "write position = [x, y, z] in m",
    ),
    (
        &["orientation", "euler", "rpy", "quaternion", "quat"],
        "write rotation = axis times angle in rad, or rotation_deg",
    ),
    (
        &["angle", "angle_deg"],
        "write rotation in rad, or rotation_deg",
    ),
    (
        &["vel", "linear_velocity"],
        "write velocity = [x, y, z] in m/s",
    ),
    (
        &["omega", "spin", "angular_vel"],
        "write angular_velocity = [x, y, z] in rad/s",
    ),
    (
        &["size", "geometry", "collider", "geom"],
        "write shape = { box = [a, b, c] }, { sphere = r }, …",
    ),
    (
        &[
            "mask",
            "collision_mask",
            "collision_group",
            "groups",
            "layer",
        ],
        "write collides_with = [\"a\", \"b\"], names of all it collides with; or exclude or groups under [contact]",
    ),
    (
        &["gravity_scale", "damping"],
        "write gravity at the top of the file; losses are a [drag.NAME]",
    ),
];

/// Names the way that is meant by a key or value that is not known here.
pub(super) fn refuse(fields: &Fields) -> Read<()> {
    let fault = |entry: &Entry, message: String, fix: &str| {
        Err(Box::new(Fault::new(entry.key, &fields.path, message, fix)))
    };
    for (key, entry) in fields.table {
        let meant = GUESSES
            .iter()
            .find(|(keys, _)| keys.contains(&key.as_str()));
        if let Some((_, fix)) = meant {
            return fault(entry, format!("unknown key `{key}`"), fix);
        }
        let endless = match &entry.node.value {
            Value::Number(x) => x.is_infinite(),
            Value::Text(text) => matches!(text.trim(), "inf" | "+inf" | "infinity" | "Infinity"),
            _ => false,
        };
        if matches!(key.as_str(), "mass" | "density") && endless {
            return fault(entry, format!("an endless {key}"), STILL);
        }
        if key == "kind"
            && let Value::Text(text) = &entry.node.value
        {
            let fix = match text.as_str() {
                "fixed" | "kinematic" | "immovable" | "anchored" | "Static" => STILL,
                "dynamic" | "body" | "free" | "Rigid" => "write kind = \"rigid\", or leave it out",
                "soft" | "elastic" | "deformable" | "fem" => {
                    "leave kind out, and give the body elastic = { … }"
                }
                "trigger" | "region" | "zone" => "write kind = \"sensor\"",
                _ => continue,
            };
            return fault(entry, format!("`{text}` is not known here"), fix);
        }
    }
    Ok(())
}
