//! `carom figure`: figures of a run for papers.

use std::path::PathBuf;

use carom::record::Folder;
use carom::report;
use clap::Args;

use super::{Failure, print};

const DETAILS: &str = "\
Writes SVG and PNG files: figure-motion (a time-lapse strip), figure-energy, figure-linear-momentum,
figure-angular-momentum and, where bodies can meet, figure-gaps.

Example:
  carom figure out/double-pendulum --panels 6";

/// Draws figures of a run: time-lapse strip, energy, momentum
#[derive(Debug, Args)]
#[command(after_help = DETAILS)]
pub struct Figure {
    /// Folder that `carom run` wrote
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Folder for the figures [default: DIR]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Moments in the strip
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..=24))]
    pub panels: u8,
    /// Pixels per point of the PNG files
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    pub scale: u8,
}

impl Figure {
    /// Reads the report and writes its figures.
    pub fn run(&self, quiet: bool) -> Result<(), Failure> {
        let report = report::read(&self.folder)?;
        let out = self.out.as_ref().unwrap_or(&self.folder);
        let mut folder = Folder::open(out, true)?;
        let mut written = String::new();
        for (name, drawing) in report::figure::figures(&report, self.panels.into()) {
            let mut write = |ending: &str, bytes: &[u8]| -> Result<(), Failure> {
                let name = format!("figure-{name}.{ending}");
                folder.write(&name, bytes)?;
                written += &format!("{}\n", out.join(&name).display());
                Ok(())
            };
            write("svg", report::figure::svg(&drawing).as_bytes())?;
            if let Some(png) = report::figure::png(&drawing, self.scale.into()) {
                write("png", &png)?;
            }
        }
        match quiet {
            true => Ok(()),
            false => print(&written),
        }
    }
}
