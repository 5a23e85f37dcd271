//! `carom export`: recorded frames in other forms.

use std::path::PathBuf;

use carom::record::{Folder, FolderError, Table, parquet};
use clap::{Args, ValueEnum};

use super::{Failure, print};

const DETAILS: &str = "\
Writes DIR/frames.parquet: a row per frame, the columns of trajectory.csv (columns.json says what they
are). With --long DIR/bodies.parquet: a row per frame and body with the columns body, time, x … wz, which
is easier to work with where there are many bodies.

Examples:
  carom export out/falling-polyhedra --long
  python3 -c \"import pandas; print(pandas.read_parquet('out/falling-polyhedra/bodies.parquet'))\"";

/// Writes the recorded frames of a run as Parquet, or with a row per body
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Export {
    /// Folder that `carom run` wrote
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// A row per frame and body instead of a row per frame
    #[arg(long)]
    pub long: bool,
    /// Format of the file
    #[arg(long, value_enum, default_value_t = Format::Parquet)]
    pub format: Format,
}

/// Formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Apache Parquet
    Parquet,
    /// Text
    Csv,
}

impl Export {
    /// Reads the frames and writes the file.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let frames = Table::read(&self.folder)?;
        let (base, table) = match self.long {
            true => ("bodies", frames.long()),
            false => ("frames", frames),
        };
        let (name, bytes) = match self.format {
            Format::Parquet => (format!("{base}.parquet"), parquet(&table)),
            Format::Csv => {
                let mut bytes = Vec::new();
                let written = table.write_csv(&mut bytes);
                written.map_err(|source| FolderError::Io {
                    path: self.folder.join(base),
                    source,
                })?;
                (format!("{base}.csv"), bytes)
            }
        };
        Folder::open(&self.folder, true)?.write(&name, &bytes)?;
        match quiet {
            true => Ok(()),
            false => print(&format!("{}\n", self.folder.join(name).display())),
        }
    }
}
