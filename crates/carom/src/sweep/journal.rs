//! Finished runs of an unfinished sweep, in the order they finished.
//!
//! The first line says which sweep it is and which share of it; every other line is a row of the table.
//! A line without an end is what a killed sweep leaves: it is cut off, and its run made again.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::{Row, Sweep};
use crate::record::Checkpoint;

/// A file of finished runs.
#[derive(Debug)]
pub struct Journal {
    file: File,
    length: u64,
    /// Place and length of the line of every run that is there.
    lines: BTreeMap<u64, (u64, u32)>,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The operating system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It belongs to another sweep, or another share.
    #[error(
        "its rows belong to another sweep: the scenario, what is varied, or carom itself has changed"
    )]
    Other,
}

impl Journal {
    /// The first line: what the rows belong to. `shard` is (i, n), counted from one.
    pub fn heading(sweep: &Sweep, shard: (u64, u64)) -> String {
        let text = sweep.to_toml();
        format!(
            "# carom {} sweep {:016x}, {} runs, shard {}/{}\n",
            env!("CARGO_PKG_VERSION"),
            Checkpoint::fingerprint(&text),
            sweep.runs(),
            shard.0,
            shard.1
        )
    }

    /// Begins a journal.
    pub fn create(path: &Path, heading: &str) -> Result<Self, JournalError> {
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)?;
        file.write_all(heading.as_bytes())?;
        Ok(Self {
            file,
            length: heading.len() as u64,
            lines: BTreeMap::new(),
        })
    }

    /// Goes on with a journal, whose heading must be the given one.
    pub fn reopen(path: &Path, heading: &str) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        if line != heading.as_bytes() {
            return Err(JournalError::Other);
        }
        let mut length = heading.len() as u64;
        let mut lines = BTreeMap::new();
        loop {
            line.clear();
            reader.read_until(b'\n', &mut line)?;
            let text = std::str::from_utf8(&line).ok();
            let run = text.and_then(|t| t.strip_suffix('\n')?.split(',').next()?.parse().ok());
            let Some(run) = run else {
                break;
            };
            lines.insert(run, (length, line.len() as u32));
            length += line.len() as u64;
        }
        file.set_len(length)?;
        let mut file = file;
        file.seek(SeekFrom::Start(length))?;
        Ok(Self {
            file,
            length,
            lines,
        })
    }

    /// Whether a run is there.
    pub fn has(&self, run: u64) -> bool {
        self.lines.contains_key(&run)
    }

    /// Number of runs that are there.
    pub fn len(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Whether no run is there.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Adds a row: in one write, so that a killed process leaves a line or a part of one.
    pub fn push(&mut self, row: &Row) -> io::Result<()> {
        let line = row.to_csv();
        self.file.write_all(line.as_bytes())?;
        self.lines.insert(row.run, (self.length, line.len() as u32));
        self.length += line.len() as u64;
        Ok(())
    }

    /// Calls `each` with the lines in the order of the runs.
    pub fn in_order(&mut self, each: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        for (at, length) in self.lines.values() {
            bytes.resize(*length as usize, 0);
            self.file.seek(SeekFrom::Start(*at))?;
            self.file.read_exact(&mut bytes)?;
            let text = std::str::from_utf8(&bytes);
            each(text.map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?)?;
        }
        self.file.seek(SeekFrom::Start(self.length))?;
        Ok(())
    }
}

impl Row {
    /// A line of the table, with its end.
    pub fn to_csv(&self) -> String {
        let number = |x: f64| match x.is_nan() {
            true => String::new(),
            false => format!("{x:?}"),
        };
        let mut cells = vec![self.run.to_string()];
        cells.extend(self.values.iter().map(|v| quoted(v)));
        cells.extend(self.measures.iter().map(|x| number(*x)));
        cells.push(
            self.success
                .map_or(String::new(), |s| u8::from(s).to_string()),
        );
        cells.push(self.status.into());
        cells.push(quoted(&self.reason));
        cells.extend(self.ledger.iter().map(|x| number(*x)));
        cells.join(",") + "\n"
    }
}

/// A text as a cell: on one line, in quotes where it needs them.
fn quoted(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    let flat = lines.join("; ");
    match flat.contains([',', '"']) {
        true => format!("\"{}\"", flat.replace('"', "\"\"")),
        false => flat,
    }
}

/// The cells of a line.
pub(super) fn cells(line: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut inside = false;
    let mut chars = line.trim_end_matches('\n').chars().peekable();
    while let Some(c) = chars.next() {
        let last = out.len() - 1;
        match c {
            '"' if inside && chars.peek() == Some(&'"') => {
                chars.next();
                out[last].push('"');
            }
            '"' => inside = !inside,
            ',' if !inside => out.push(String::new()),
            c => out[last].push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_read_back_as_written() {
        for text in ["plain", "with, comma", "a \"quoted\" word", "\"", ""] {
            assert_eq!(cells(&format!("1,{},2\n", quoted(text))), ["1", text, "2"]);
        }
    }
}
