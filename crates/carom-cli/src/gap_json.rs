//! Gap queries in JSON: text in, text out.
//!
//! Values are taken apart one level at a time as [`RawValue`] slices of the user's text. Every
//! error can therefore point at its line and column, nesting costs no stack, and numbers are
//! parsed by the standard library, correctly rounded.

use std::fmt;
use std::io;

use nalgebra::Vector3;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::ser::Formatter;
use serde_json::value::RawValue;

use crate::input::{InputError, Source, parser_message};
use carom::gap::{GapError, PointGap, Status, gap_of_points};

/// Keys a query may have; the last two are labels, repeated in the answer.
const KEYS: [&str; 5] = ["a", "b", "beta", "id", "name"];

/// Answers one query with an object, a list of queries with a list in the same order.
///
/// ```
/// use carom_cli::{gap_json, input::Source};
/// let query = r#"{"a": [[0, 2], [1, 3], [-1, 3]], "b": [[0, 0.5], [1, -1], [-1, -1]]}"#;
/// let answer = gap_json::answer(&Source::new("query", query.into())?)?;
/// assert!(answer.contains(r#""gap": 1.5"#));
/// # Ok::<(), carom_cli::input::InputError>(())
/// ```
pub fn answer(source: &Source) -> Result<String, InputError> {
    let text = source.text();
    let root: &RawValue = serde_json::from_str(text).map_err(|e| source.syntax_error(&e))?;
    let reader = Reader { source };
    match kind(root) {
        Kind::Object => {
            let answer = reader.query(root, "")?.answer(source, "")?;
            Ok(write(&answer, "\n  ") + "\n")
        }
        Kind::List => {
            let mut lines = Vec::new();
            for (i, raw) in reader.list(root)?.into_iter().enumerate() {
                let place = format!("cases[{i}]");
                let answer = reader.query(raw, &place)?.answer(source, &place)?;
                lines.push(write(&answer, " "));
            }
            Ok(match lines.len() {
                0 => "[]\n".into(),
                _ => format!("[\n{}\n]\n", lines.join(",\n")),
            })
        }
        other => Err(source.error(
            root.get(),
            "",
            format!("a query was expected, found {other}"),
            "give one object {\"a\": [...], \"b\": [...]} or a list of such objects",
        )),
    }
}

/// One query, read and checked.
struct Query<'a> {
    raw: &'a RawValue,
    labels: Vec<(String, &'a RawValue)>,
    a: Vec<Vector3<f64>>,
    b: Vec<Vector3<f64>>,
    beta: Option<Vector3<f64>>,
    dimension: usize,
}

impl<'a> Query<'a> {
    fn answer(self, source: &Source, place: &str) -> Result<Answer<'a>, InputError> {
        let planar = self.dimension == 2;
        let solved = gap_of_points(&self.a, &self.b, planar, self.beta);
        let result = solved.map_err(|error: GapError| {
            source.error(
                self.raw.get(),
                place,
                error.to_string(),
                "check the coordinates of this query",
            )
        })?;
        Ok(Answer {
            labels: self.labels,
            dimension: self.dimension,
            result,
        })
    }
}

/// Reads queries out of the text of `source`.
struct Reader<'a> {
    source: &'a Source,
}

impl<'a> Reader<'a> {
    fn query(&self, raw: &'a RawValue, place: &str) -> Result<Query<'a>, InputError> {
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
                format!("{length} coordinates"),
                "a point or direction has 3 coordinates, or 2 in the plane",
            ));
        }
        if length != expected {
            return Err(self.error(
                raw,
                place,
                format!("{length} coordinates, but the query began with {expected}"),
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

    fn list(&self, raw: &'a RawValue) -> Result<Vec<&'a RawValue>, InputError> {
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
        mend: impl Into<String>,
    ) -> InputError {
        self.source.error(raw.get(), place, message, mend)
    }
}

/// What a JSON value is, told by its first byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    List,
    Text,
    Number,
    Null,
    Boolean,
}

fn kind(raw: &RawValue) -> Kind {
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

/// The mend for an unknown key: the nearest known one, if any is near.
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

/// An answer, written with the keys in the order of the contract.
struct Answer<'a> {
    labels: Vec<(String, &'a RawValue)>,
    dimension: usize,
    result: PointGap,
}

impl Serialize for Answer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let result = &self.result;
        // Adding zero turns −0 into 0.
        let vector = |v: &Vector3<f64>| -> Vec<f64> {
            v.iter().take(self.dimension).map(|x| x + 0.0).collect()
        };
        let bounded = result.status == Status::Bounded;
        let mut map = serializer.serialize_map(None)?;
        for (key, value) in &self.labels {
            map.serialize_entry(key, value)?;
        }
        map.serialize_entry("status", if bounded { "bounded" } else { "unbounded" })?;
        map.serialize_entry("gap", &bounded.then_some(result.gap + 0.0))?;
        map.serialize_entry("alpha", &bounded.then(|| vector(&result.alpha)))?;
        map.serialize_entry("weights_a", &bounded.then_some(&result.weights_a))?;
        map.serialize_entry("weights_b", &bounded.then_some(&result.weights_b))?;
        map.serialize_entry("point_a", &bounded.then(|| vector(&result.point_a)))?;
        map.serialize_entry("point_b", &bounded.then(|| vector(&result.point_b)))?;
        map.serialize_entry(
            "features",
            &bounded.then(|| result.features.map(|feature| feature.to_string())),
        )?;
        map.serialize_entry("distance", &(result.distance + 0.0))?;
        map.end()
    }
}

/// Lists on one line, keys apart by `separator`: a space, or a line break and an indent.
struct Layout<'a> {
    separator: &'a str,
}

impl Formatter for Layout<'_> {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        if !first || self.separator != " " {
            out.write_all(self.separator.as_bytes())?;
        }
        Ok(())
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, out: &mut W) -> io::Result<()> {
        if self.separator != " " {
            out.write_all(b"\n")?;
        }
        out.write_all(b"}")
    }
}

/// The answer as JSON; numbers are printed so that they read back to the same bits.
fn write(answer: &Answer, separator: &str) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Layout { separator });
    answer
        .serialize(&mut serializer)
        .expect("numbers, text and null always serialise");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}
