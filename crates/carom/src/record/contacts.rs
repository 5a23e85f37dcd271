//! `contacts.csv`: every contact event, written while the run goes on, so that memory does not grow.
//!
//! Numbers are written so that they read back the same; the events of the summary are read from the
//! file, and cutting it back to a checkpoint is exact.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use serde::Serialize;

use crate::model::Model;
use crate::simulate::{ContactEvent, ContactKind, PairImpulse};

/// Columns of the file.
const COLUMNS: [&str; 25] = [
    "time",
    "kind",
    "a",
    "b",
    "feature_a",
    "feature_b",
    "impulse.x",
    "impulse.y",
    "impulse.z",
    "impulse_normal",
    "impulse_tangent",
    "point.x",
    "point.y",
    "point.z",
    "normal.x",
    "normal.y",
    "normal.z",
    "speed_before",
    "speed_after",
    "energy",
    "force.x",
    "force.y",
    "force.z",
    "force_normal",
    "force_tangent",
];

/// The kind of rows that hold what a pair gave between two frames.
pub(crate) const FORCE: &str = "force";

/// How far the file is: what a checkpoint needs to cut it back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactsLength {
    /// Events.
    pub events: u64,
    /// Bytes, header included.
    pub bytes: u64,
}

/// The file of contact events.
#[derive(Debug)]
pub struct Contacts {
    path: PathBuf,
    file: BufWriter<File>,
    length: ContactsLength,
    line: String,
}

impl Contacts {
    /// Starts a new file.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        let header = COLUMNS.join(",") + "\n";
        file.write_all(header.as_bytes())?;
        Ok(Self {
            path: path.into(),
            file,
            length: ContactsLength {
                events: 0,
                bytes: header.len() as u64,
            },
            line: String::new(),
        })
    }

    /// Opens the file of an earlier run and cuts it back.
    pub fn reopen(path: &Path, length: ContactsLength) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        if file.metadata()?.len() < length.bytes {
            let message = "it is shorter than the checkpoint says";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        file.set_len(length.bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self {
            path: path.into(),
            file: BufWriter::new(file),
            length,
            line: String::new(),
        })
    }

    /// Appends an event. Contacts that last gave their impulse in a step of this size.
    pub fn push(&mut self, model: &Model, event: &ContactEvent, step: f64) -> io::Result<()> {
        let lasts = matches!(
            event.kind,
            ContactKind::Rest | ContactKind::Stick | ContactKind::Slide
        );
        self.length.events += 1;
        self.write(Row {
            time: event.time,
            kind: event.kind.name(),
            names: event.names(model),
            features: event.feature_names(),
            vectors: [event.impulse, event.point, event.normal],
            parts: [event.normal_impulse, event.tangential_impulse],
            changes: [event.speed_before, event.speed_after, event.energy],
            duration: if lasts && step > 0.0 { step } else { f64::NAN },
        })
    }

    /// Appends what a pair gave in a time, which ended now: a row of the kind `force`, which is no event.
    pub fn push_force(
        &mut self,
        model: &Model,
        now: f64,
        duration: f64,
        pair: &PairImpulse,
    ) -> io::Result<()> {
        self.write(Row {
            time: now,
            kind: FORCE,
            names: pair.names(model),
            features: [""; 2],
            vectors: [pair.impulse, pair.point(), pair.direction()],
            parts: [pair.normal, pair.tangential()],
            changes: [f64::NAN; 3],
            duration,
        })
    }

    /// Appends a row.
    fn write(&mut self, row: Row) -> io::Result<()> {
        let line = &mut self.line;
        line.clear();
        let _ = write!(line, "{:?},{}", row.time, row.kind);
        for name in row.names {
            line.push(',');
            quote(line, &name);
        }
        for feature in row.features {
            line.push(',');
            line.push_str(feature);
        }
        let [impulse, point, normal] = row.vectors;
        let force = impulse / row.duration;
        let numbers = (impulse.iter().copied())
            .chain(row.parts)
            .chain(point.iter().copied())
            .chain(normal.iter().copied())
            .chain(row.changes)
            .chain(force.iter().copied())
            .chain(row.parts.map(|part| part / row.duration));
        for number in numbers {
            let _ = match number.is_nan() {
                true => write!(line, ","),
                false => write!(line, ",{number:?}"),
            };
        }
        line.push('\n');
        self.file.write_all(line.as_bytes())?;
        self.length.bytes += line.len() as u64;
        Ok(())
    }

    /// How far the file is.
    pub fn length(&self) -> ContactsLength {
        self.length
    }

    /// Brings all events to the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }

    /// The first events, at most so many, as objects of the summary.
    pub fn first(&mut self, most: usize) -> io::Result<Vec<RecordedContact>> {
        self.file.flush()?;
        let lines = BufReader::new(File::open(&self.path)?).lines();
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "it is damaged");
        let mut out = Vec::new();
        for line in lines.skip(1) {
            if out.len() == most {
                break;
            }
            let cells = split(&line?);
            if cells.get(1).is_none_or(|kind| kind != FORCE) {
                out.push(object(&cells).ok_or_else(damaged)?);
            }
        }
        Ok(out)
    }
}

/// A row of the file.
struct Row {
    time: f64,
    kind: &'static str,
    names: [String; 2],
    features: [&'static str; 2],
    /// Impulse, point, normal.
    vectors: [Vector3<f64>; 3],
    /// Normal and tangential impulse.
    parts: [f64; 2],
    /// Rate of the gap before and after, change of energy.
    changes: [f64; 3],
    /// How long it took, NaN where it took no time.
    duration: f64,
}

/// An event as the summary shows it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecordedContact {
    /// When, in s.
    pub time: f64,
    /// impact, stick, slide, rest or release.
    pub kind: String,
    /// Who.
    pub pair: [String; 2],
    /// What touches on each side.
    pub features: [String; 2],
    /// Impulse on the first, in N s.
    pub impulse: [f64; 3],
    /// Its part along the normal.
    pub impulse_normal: f64,
    /// Length of its part across the normal.
    pub impulse_tangent: f64,
    /// Where, in m.
    pub point: [f64; 3],
    /// Unit normal from the second to the first.
    pub normal: [f64; 3],
    /// Rate of the gap before, in m/s.
    pub speed_before: f64,
    /// Rate of the gap after, in m/s.
    pub speed_after: f64,
    /// Change of kinetic energy, in J.
    pub energy: f64,
}

fn object(cells: &[String]) -> Option<RecordedContact> {
    let cells: &[String; COLUMNS.len()] = cells.try_into().ok()?;
    let number = |k: usize| match cells[k].is_empty() {
        true => Some(f64::NAN),
        false => cells[k].parse::<f64>().ok(),
    };
    let vector = |k: usize| Some([number(k)?, number(k + 1)?, number(k + 2)?]);
    Some(RecordedContact {
        time: number(0)?,
        kind: cells[1].clone(),
        pair: [cells[2].clone(), cells[3].clone()],
        features: [cells[4].clone(), cells[5].clone()],
        impulse: vector(6)?,
        impulse_normal: number(9)?,
        impulse_tangent: number(10)?,
        point: vector(11)?,
        normal: vector(14)?,
        speed_before: number(17)?,
        speed_after: number(18)?,
        energy: number(19)?,
    })
}

/// Appends a text, in quotes where CSV needs them.
fn quote(line: &mut String, text: &str) {
    if text.contains([',', '"', '\n', '\r']) {
        // A line holds one event: breaks within a name become spaces.
        let text = text.replace('"', "\"\"").replace(['\n', '\r'], " ");
        let _ = write!(line, "\"{text}\"");
    } else {
        line.push_str(text);
    }
}

/// The cells of a line.
fn split(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let last = cells.len() - 1;
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                cells[last].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells[last].push(c),
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_whatever_they_hold() {
        for name in ["plain", "lower limit", "a,b", "say \"a\"", ",", "\"", ""] {
            let mut line = String::from("1,");
            quote(&mut line, name);
            line.push_str(",2");
            assert_eq!(split(&line), ["1", name, "2"]);
        }
    }
}
