//! Answers as JSON: keys in a fixed order, lists on one line, numbers that read back to the same bits.

use std::io;

use nalgebra::Vector3;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::ser::Formatter;
use serde_json::value::RawValue;

use carom::gap::{PointGap, Status};

/// An answer, written with the keys in the order of the contract.
pub(super) struct Answer<'a> {
    pub labels: Vec<(String, &'a RawValue)>,
    pub dimension: usize,
    pub result: PointGap,
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
pub(super) fn write(answer: &Answer, separator: &str) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Layout { separator });
    answer
        .serialize(&mut serializer)
        .expect("numbers, text and null always serialise");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}
