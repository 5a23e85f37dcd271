//! What users of other programs write first of a body or a sweep, and how it is said here.

use super::error::Fault;
use super::fields::{Fields, Read};
use super::tree::{Entry, Value};

const STILL: &str =
    "write kind = \"static\" for a body that never moves; with motion = { … } it moves as given";
const SURFACE: &str = "it belongs to a material: [material.rubber] with restitution and friction, and here \
                       material = \"rubber\"; or to [contact], for all that names none";

/// Keys that are not known, and what to write in their place.
type Guesses = &'static [(&'static [&'static str], &'static str)];

/// Of sweeps.
const SWEEP: Guesses = &[
    (
        &["success", "successful", "criterion", "goal"],
        "it has a section of its own: [success] with that = \"closest < 0.001\", an expression of measures",
    ),
    (
        &["measure", "measures", "output", "outputs", "metrics"],
        "measures have a section of their own: [measure] with enters = { first = \"sensor.gate.ball > 0.5\" }",
    ),
    (
        &["runs", "count", "n", "number", "trials"],
        "write samples = 100 for axes { from, to } that are sampled; an axis of values says its own number",
    ),
    (
        &[
            "parameters",
            "axes",
            "over",
            "grid",
            "values",
            "range",
            "ranges",
        ],
        "say what is varied: [sweep.vary] with spacing = [0.02, 0.03] or { from = 0, to = 1, count = 5 }",
    ),
    (
        &["sampling", "method", "distribution"],
        "write spread = \"random\", \"latin-hypercube\" or \"sobol\"",
    ),
];

/// Of bodies.
const BODY: Guesses = &[
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

fn fault(fields: &Fields, entry: &Entry, message: String, fix: &str) -> Read<()> {
    Err(Box::new(Fault::new(entry.key, &fields.path, message, fix)))
}

/// Names what is meant by a key that is not known here.
fn refuse_keys(fields: &Fields, guesses: Guesses) -> Read<()> {
    for (key, entry) in fields.table {
        let meant = guesses
            .iter()
            .find(|(keys, _)| keys.contains(&key.as_str()));
        if let Some((_, fix)) = meant {
            return fault(fields, entry, format!("unknown key `{key}`"), fix);
        }
    }
    Ok(())
}

/// Names the way that is meant by a key of a sweep that is not known here.
pub(super) fn refuse_sweep(fields: &Fields) -> Read<()> {
    refuse_keys(fields, SWEEP)
}

/// Names the way that is meant by a key or value of a body that is not known here.
pub(super) fn refuse_body(fields: &Fields) -> Read<()> {
    refuse_keys(fields, BODY)?;
    for (key, entry) in fields.table {
        let endless = match &entry.node.value {
            Value::Number(x) => x.is_infinite(),
            Value::Text(text) => matches!(text.trim(), "inf" | "+inf" | "infinity" | "Infinity"),
            _ => false,
        };
        if matches!(key.as_str(), "mass" | "density") && endless {
            return fault(fields, entry, format!("an endless {key}"), STILL);
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
            return fault(fields, entry, format!("`{text}` is not known here"), fix);
        }
    }
    Ok(())
}
