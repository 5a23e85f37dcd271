//! Queries out of a user's text, one level at a time, with the place of everything that is wrong.

use carom::words::counted;
use std::fmt;

use nalgebra::Vector3;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::input::{InputError, Source, parser_message};

/// Keys a query may have; the last two are labels, repeated in the answer.
const KEYS: [&str; 5] = ["a", "b", "beta", "id", "name"];

/// One query, read and checked.
pub(super) struct Query<'a> {
    pub raw: &'a RawValue,
    pub labels: Vec<(String, &'a RawValue)>,
    pub a: Vec<Vector3<f64>>,
    pub b: Vec<Vector3<f64>>,
    pub beta: Option<Vector3<f64>>,
    pub dimension: usize,
}

/// Reads queries out of the text of `source`.
pub(super) struct Reader<'a> {
    pub source: &'a Source,
}

impl<'a> Reader<'a> {
    pub fn query(&self, raw: &'a RawValue, place: &str) -> Result<Query<'a>, InputError> {
        let at = |field: &str| match place {
            "" => field.to_string(),
            _ => format!("{place}.{field}"),
        };
        let mut values = [None; KEYS.len()];
        for (key, value) in self.fields(raw, place)? {
            let Some(k) = KEYS.iter().position(|known| *known == key) else {
                let key_shown = shorten(&key).escape_debug().to_string();
                return Err(self.error(
                    value,
                    &at(&key_shown),
                    format!("unknown key \"{key_shown}\""),
                    did_you_mean(&key),
                ));
            };
            if values[k].replace(value).is_some() {
                return Err(self.error(
                    value,
                    &at(&key),
                    format!("the key \"{key}\" is given twice"),
                    "keep one of them",
                ));
            }
        }

        // The first point of a fixes the dimension, everything after it has to agree.
        let [a, b, beta, id, name] = values;
        let body = |key: &str, value: Option<&'a RawValue>| {
            value.ok_or_else(|| {
                self.error(
                    raw,
                    place,
                    format!("the key \"{key}\" is missing"),
                    format!("add \"{key}\": the list of that body's points"),
                )
            })
        };
        let (a, b) = (body("a", a)?, body("b", b)?);
        let mut dimension = None;
        let a = self.points(a, &at("a"), &mut dimension)?;
        let b = self.points(b, &at("b"), &mut dimension)?;
        let beta = match beta {
            Some(value) if kind(value) != Kind::Null => {
                Some(self.direction(value, &at("beta"), &mut dimension)?)
            }
            _ => None,
        };
        let mut labels = Vec::new();
        for (key, value) in [("id", id), ("name", name)] {
            let Some(value) = value else { continue };
            if !matches!(kind(value), Kind::Text | Kind::Number) {
                return Err(self.error(
                    value,
                    &at(key),
                    format!("text or a number was expected, found {}", kind(value)),
                    format!("write \"{key}\": \"...\" or leave it out"),
                ));
            }
            labels.push((key.to_string(), value));
        }
        Ok(Query {
            raw,
            labels,
            a,
            b,
            beta,
            dimension: dimension.unwrap_or(3),
        })
    }

    fn points(
        &self,
        raw: &'a RawValue,
        place: &str,
        dimension: &mut Option<usize>,
    ) -> Result<Vec<Vector3<f64>>, InputError> {
        if kind(raw) != Kind::List {
            return Err(self.error(
                raw,
                place,
                format!("a list of points was expected, found {}", kind(raw)),
                "write [[x, y, z], ...], or [[x, y], ...] in the plane",
            ));
        }
        let points = self
            .list(raw)?
            .into_iter()
            .enumerate()
            .map(|(i, raw)| self.vector(raw, &format!("{place}[{i}]"), dimension))
            .collect::<Result<Vec<_>, _>>()?;
        if points.is_empty() {
            return Err(self.error(
                raw,
                place,
                "a body without points",
                "give at least one point",
            ));
        }
        Ok(points)
    }

    fn direction(
        &self,
        raw: &'a RawValue,
        place: &str,
        dimension: &mut Option<usize>,
    ) -> Result<Vector3<f64>, InputError> {
        let beta = self.vector(raw, place, dimension)?;
        if beta == Vector3::zeros() {
            return Err(self.error(
                raw,
                place,
                "a zero vector has no direction",
                "give a direction from b to a, or null for centre to centre",
            ));
        }
        Ok(beta)
    }

    /// Two or three finite numbers; two are put into the plane z = 0.
    fn vector(
        &self,
        raw: &'a RawValue,
        place: &str,
        dimension: &mut Option<usize>,
    ) -> Result<Vector3<f64>, InputError> {
        if kind(raw) != Kind::List {
            return Err(self.error(
                raw,
                place,
                format!("a list of coordinates was expected, found {}", kind(raw)),
                "write [x, y, z], or [x, y] in the plane",
            ));
        }
        let coordinates = self.list(raw)?;
        let length = coordinates.len();
        let expected = *dimension.get_or_insert(length);
        if !matches!(length, 2 | 3) {
            return Err(self.error(
                raw,
                place,
                counted(length, "coordinate"),
                "a point or direction has 3 coordinates, or 2 in the plane",
            ));
        }
        if length != expected {
            return Err(self.error(
                raw,
                place,
                format!(
                    "{}, but the query began with {expected}",
                    counted(length, "coordinate")
                ),
                "use the same number of coordinates for all points and for beta",
            ));
        }
        let mut v = Vector3::zeros();
        for (axis, raw) in coordinates.into_iter().enumerate() {
            v[axis] = self.number(raw, &format!("{place}[{axis}]"))?;
        }
        Ok(v)
    }

    fn number(&self, raw: &'a RawValue, place: &str) -> Result<f64, InputError> {
        let text = raw.get();
        let value = match kind(raw) {
            Kind::Number => text.parse::<f64>().ok(),
            other => {
                return Err(self.error(
                    raw,
                    place,
                    format!("a number was expected, found {other}"),
                    "write a finite decimal number such as 0.25 or 1e-3",
                ));
            }
        };
        value.filter(|x| x.is_finite()).ok_or_else(|| {
            self.error(
                raw,
                place,
                format!("{} is not a finite number", shorten(text)),
                "keep numbers below 1.8e308 in size",
            )
        })
    }

    pub fn list(&self, raw: &'a RawValue) -> Result<Vec<&'a RawValue>, InputError> {
        serde_json::from_str(raw.get())
            .map_err(|e| self.error(raw, "", parser_message(&e), "write a JSON list"))
    }

    fn fields(
        &self,
        raw: &'a RawValue,
        place: &str,
    ) -> Result<Vec<(String, &'a RawValue)>, InputError> {
        if kind(raw) != Kind::Object {
            return Err(self.error(
                raw,
                place,
                format!("a query was expected, found {}", kind(raw)),
                "write {\"a\": [...], \"b\": [...]}",
            ));
        }
        let fields: Fields = serde_json::from_str(raw.get())
            .map_err(|e| self.error(raw, place, parser_message(&e), "write a JSON object"))?;
        Ok(fields.0)
    }

    fn error(
        &self,
        raw: &RawValue,
        place: &str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> InputError {
        self.source.error(raw.get(), place, message, help)
    }
}

/// What a JSON value is, told by its first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    List,
    Text,
    Number,
    Null,
    Boolean,
}

pub(super) fn kind(raw: &RawValue) -> Kind {
    match raw.get().as_bytes().first() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::List,
        Some(b'"') => Kind::Text,
        Some(b'n') => Kind::Null,
        Some(b't' | b'f') => Kind::Boolean,
        _ => Kind::Number,
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Object => "an object",
            Kind::List => "a list",
            Kind::Text => "text",
            Kind::Number => "a number",
            Kind::Null => "null",
            Kind::Boolean => "true or false",
        })
    }
}

/// The fields of an object in the order they are written, repeated keys included.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}

/// The help for an unknown key: the nearest known one, if any is near.
fn did_you_mean(key: &str) -> String {
    let lower = key.trim().to_lowercase();
    let nearest = KEYS.iter().find(|known| {
        // One letter is within one edit of any other: short keys have to match.
        **known == lower || (known.len() > 2 && strsim::damerau_levenshtein(known, &lower) <= 1)
    });
    match nearest {
        Some(known) => format!("did you mean \"{known}\"?"),
        None => "a query knows the keys \"a\", \"b\", \"beta\", \"id\" and \"name\"".into(),
    }
}

/// Long literals are quoted by their beginning.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}
