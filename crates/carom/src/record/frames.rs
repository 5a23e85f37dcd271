//! Recorded frames: rows of numbers with named columns.
//!
//! Rows go straight to `trajectory.npy`, a NumPy structured array (`numpy.load` gives an array
//! with named fields, no pickle needed). Rows have a fixed size, so cutting the file back to a
//! checkpoint is exact. `trajectory.csv` is made from it at the end.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::simulate::Columns;

/// The file of frames.
#[derive(Debug)]
pub struct Frames {
    path: PathBuf,
    file: BufWriter<File>,
    columns: Columns,
    header: u64,
    rows: u64,
}

impl Frames {
    /// Starts a new file.
    pub fn create(path: &Path, columns: Columns) -> io::Result<Self> {
        let mut file = BufWriter::new(File::create(path)?);
        let header = header(&columns, 0);
        file.write_all(&header)?;
        Ok(Self {
            path: path.into(),
            file,
            header: header.len() as u64,
            columns,
            rows: 0,
        })
    }

    /// Opens the file of an earlier run and cuts it back to `rows` rows.
    pub fn reopen(path: &Path, columns: Columns, rows: u64) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let header = header(&columns, 0).len() as u64;
        let length = header + rows * 8 * columns.len() as u64;
        if file.metadata()?.len() < length {
            let message = "it is shorter than the checkpoint says";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        file.set_len(length)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self {
            path: path.into(),
            file: BufWriter::new(file),
            header,
            columns,
            rows,
        })
    }

    /// Appends a row.
    pub fn push(&mut self, row: &[f64]) -> io::Result<()> {
        debug_assert_eq!(row.len(), self.columns.len());
        for value in row {
            self.file.write_all(&value.to_le_bytes())?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Its columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Brings all rows to the disk.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_data()
    }

    /// Completes the header, so that NumPy can read the file; more rows may follow.
    pub fn finish(&mut self) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header(&self.columns, self.rows))?;
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// Calls `visit` with every row.
    pub fn read(&mut self, visit: &mut dyn FnMut(&[f64]) -> io::Result<()>) -> io::Result<()> {
        self.file.flush()?;
        let mut file = BufReader::new(File::open(&self.path)?);
        file.seek(SeekFrom::Start(self.header))?;
        let mut bytes = vec![0; 8 * self.columns.len()];
        let mut row = vec![0.0; self.columns.len()];
        for _ in 0..self.rows {
            file.read_exact(&mut bytes)?;
            for (value, chunk) in row.iter_mut().zip(bytes.chunks_exact(8)) {
                let mut word = [0; 8];
                word.copy_from_slice(chunk);
                *value = f64::from_le_bytes(word);
            }
            visit(&row)?;
        }
        Ok(())
    }

    /// Writes the rows as CSV, every number so that it reads back the same; where there is none, NaN.
    pub fn write_csv(&mut self, path: &Path) -> io::Result<()> {
        let mut out = BufWriter::new(File::create(path)?);
        writeln!(out, "{}", self.columns.names().join(","))?;
        let mut line = String::new();
        self.read(&mut |row| {
            use std::fmt::Write;
            line.clear();
            for (k, value) in row.iter().enumerate() {
                let comma = if k == 0 { "" } else { "," };
                let _ = write!(line, "{comma}{value:?}");
            }
            writeln!(out, "{line}")
        })?;
        out.flush()
    }
}

/// NumPy's header (format version 2 takes long ones), of a length that does not depend on `rows`.
fn header(columns: &Columns, rows: u64) -> Vec<u8> {
    let fields: Vec<_> = (columns.names().iter())
        .map(|name| format!("('{name}', '<f8')"))
        .collect();
    let mut text = format!(
        "{{'descr': [{}], 'fortran_order': False, 'shape': ({rows:20},), }}",
        fields.join(", ")
    );
    // Version 2 headers are Latin-1, version 3 UTF-8.
    let version = if text.is_ascii() { 2 } else { 3 };
    while !(12 + text.len() + 1).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}
